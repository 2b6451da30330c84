//! From a scene to assemblies: their parts, and coordinates at t = 0.

use super::checks::{
    Joint, Start, check_joint, check_springs_and_forces, check_velocities, norm, start, vector,
};
use super::dynamics::Block;
use super::forces::{Coordinate, Load, SpringPart};
use super::forest::{Forest, find, forest, join};
use super::loops::Loop;
use super::tree::{
    Anchor, Freedom, Node, Side, after, inverse, prescribed, quaternion, rotation_of,
};
use super::{Assembly, Dynamics, Kinematics, Limit};
use crate::motion::report::FailureKind;
use crate::motion::scene::{Dimension, Prescribed, Scene, SceneJointKind, Turn};
use crate::motion::vector::{M3, V3, tangents};
use carom::ImpactError;
use std::f64::consts::PI;

/// Velocities may violate joints by this part of the scene's speed.
const VIOLATION: f64 = 1e-9;
/// A body that its joint lets turn has at least this part of its inertia about every axis it can turn about.
const LEAST_INERTIA: f64 = 1e-12;

/// All assemblies; the joints `cut` are rows wherever they stand.
pub(super) fn all(scene: &Scene, cut: &[usize]) -> Result<Vec<Assembly>, ImpactError> {
    let planar = scene.dimension == Dimension::Plane;
    let gravity = vector("gravity", scene.gravity, planar)?;
    let bodies = scene
        .bodies
        .iter()
        .enumerate()
        .map(|(at, body)| start(&format!("bodies[{at}]"), body, planar))
        .collect::<Result<Vec<_>, _>>()?;
    let joints = scene
        .joints
        .iter()
        .enumerate()
        .map(|(at, joint)| check_joint(&format!("joints[{at}]"), joint, &bodies, planar))
        .collect::<Result<Vec<_>, _>>()?;
    check_springs_and_forces(scene, &bodies, planar)?;
    let length = length_of(scene, &bodies, &joints, |_| true);
    let speed = bodies
        .iter()
        .map(|body| {
            let carried = match body.motion {
                Prescribed::Sine { amplitude, frequency, .. } => {
                    2.0 * PI * frequency.abs() * norm(&V3::from(amplitude))
                }
                _ => 0.0,
            };
            carried + norm(&body.twist.velocity) + length * norm(&body.twist.spin)
        })
        .fold(f64::sqrt(norm(&gravity) * length), f64::max);
    for (at, joint) in joints.iter().enumerate() {
        check_velocities(scene, at, joint, &bodies, VIOLATION * speed, length)?;
    }
    let forest = forest(&bodies, &joints, cut);
    let mut group: Vec<usize> = (0..bodies.len()).collect();
    let ends = joints.iter().map(|joint| joint.bodies);
    for [a, b] in ends.chain(scene.springs.iter().map(|spring| [spring.a, spring.b])) {
        if bodies[a].moving.is_some() && bodies[b].moving.is_some() {
            join(&mut group, a, b);
        }
    }
    let mut assemblies = Vec::new();
    for body in (0..bodies.len()).filter(|body| bodies[*body].moving.is_some()) {
        if find(&mut group, body) == body {
            let members = forest
                .order
                .iter()
                .copied()
                .filter(|member| find(&mut group, *member) == body)
                .collect();
            assemblies.push(assemble(scene, planar, gravity, &bodies, &joints, &forest, members)?);
        }
    }
    Ok(assemblies)
}

/// The largest radius of gyration, and distance of a joint or spring from the centre of mass of its body; 1 m if all are
/// zero. Of the moving bodies that belong.
fn length_of(
    scene: &Scene,
    bodies: &[Start],
    joints: &[Joint],
    belongs: impl Fn(usize) -> bool,
) -> f64 {
    let mut length: f64 = 0.0;
    let belongs = |body: usize| bodies[body].moving.is_some() && belongs(body);
    for (_, (mass, inertia)) in bodies
        .iter()
        .enumerate()
        .filter(|(body, _)| belongs(*body))
        .filter_map(|(body, start)| Some((body, start.moving?)))
    {
        length = length.max(f64::sqrt(0.5 * inertia.trace() / mass));
    }
    let ends = joints.iter().flat_map(|joint| joint.bodies.map(|body| (body, joint.point)));
    let springs = scene.springs.iter().flat_map(|spring| {
        [(spring.a, V3::from(spring.point_a)), (spring.b, V3::from(spring.point_b))]
    });
    for (body, point) in ends.chain(springs).filter(|(body, _)| belongs(*body)) {
        length = length.max(norm(&(point - bodies[body].centre)));
    }
    if length > 0.0 { length } else { 1.0 }
}

/// The parts of an assembly while it is put together.
struct Builder<'a> {
    bodies: &'a [Start],
    members: Vec<usize>,
    anchors: Vec<Anchor>,
}

impl Builder<'_> {
    fn side(&mut self, body: usize) -> Side {
        let start = &self.bodies[body];
        if start.moving.is_some() {
            let at = self.members.iter().position(|member| *member == body);
            return Side::Body(at.expect("joints and springs stay within an assembly"));
        }
        let known = self.anchors.iter().position(|anchor| anchor.body == body);
        Side::Fixed(known.unwrap_or_else(|| {
            let [offset, ..] = prescribed(&start.motion, 0.0);
            self.anchors.push(Anchor {
                body,
                position: start.centre - offset,
                turn: start.turn,
                rotation: start.rotation,
                motion: start.motion,
            });
            self.anchors.len() - 1
        }))
    }

    /// A point of the world at t = 0 in the frame of a body.
    fn local(&self, body: usize, point: &V3) -> V3 {
        let start = &self.bodies[body];
        start.rotation.tr_mul(&(point - start.centre))
    }
}

fn assemble(
    scene: &Scene,
    planar: bool,
    gravity: V3,
    bodies: &[Start],
    joints: &[Joint],
    forest: &Forest,
    mut members: Vec<usize>,
) -> Result<Assembly, ImpactError> {
    let length = length_of(scene, bodies, joints, |body| members.contains(&body));
    let parent_of = |body: usize| {
        let [a, b] = joints[forest.by[body]?].bodies;
        Some(if a == body { b } else { a }).filter(|parent| bodies[*parent].moving.is_some())
    };
    let root_of = |mut body: usize| {
        while let Some(parent) = parent_of(body) {
            body = parent;
        }
        body
    };
    // Tree by tree, each in the order it was reached.
    let place = |body: usize| forest.order.iter().position(|other| *other == body);
    members.sort_by_key(|body| place(root_of(*body)));

    let mut builder = Builder { bodies, members, anchors: Vec::new() };
    let mut assembly = Assembly {
        planar,
        gravity,
        length,
        bodies: builder.members.clone(),
        nodes: Vec::new(),
        anchors: Vec::new(),
        columns: Vec::new(),
        blocks: Vec::new(),
        loops: Vec::new(),
        coordinates: Vec::new(),
        springs: Vec::new(),
        loads: Vec::new(),
        limits: Vec::new(),
        start: (Vec::new(), Vec::new()),
    };
    let members = builder.members.clone();
    for &body in &members {
        let parented = members.iter().any(|other| parent_of(*other) == Some(body));
        assembly.add_body(&mut builder, joints, forest.by[body], body, parented);
    }
    assembly.add_blocks();
    for &index in &forest.loops {
        let joint = &joints[index];
        if joint.bodies.iter().any(|body| members.contains(body)) {
            assembly.add_loop(&mut builder, index, joint)?;
        }
    }
    assembly.check_inertias(bodies)?;
    for (index, spring) in scene.springs.iter().enumerate() {
        if !members.contains(&spring.a) && !members.contains(&spring.b) {
            continue;
        }
        let ends = [V3::from(spring.point_a), V3::from(spring.point_b)];
        let initial = norm(&(ends[1] - ends[0]));
        assembly.springs.push(SpringPart {
            index,
            sides: [builder.side(spring.a), builder.side(spring.b)],
            points: [builder.local(spring.a, &ends[0]), builder.local(spring.b, &ends[1])],
            stiffness: spring.stiffness,
            damping: spring.damping,
            length: spring.length.unwrap_or(initial),
        });
    }
    for force in &scene.forces {
        if let Some(body) = members.iter().position(|member| *member == force.body) {
            assembly.loads.push(Load {
                body,
                force: force.force.into(),
                point: force.point.into(),
                torque: force.torque.into(),
            });
        }
    }
    assembly.anchors = builder.anchors;
    let (mut q, mut v) = assembly.start.clone();
    assembly.close_loops(&mut q, &mut v, 0.0);
    let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
    assembly.kinematics(&q, &v, 0.0, &mut kinematics);
    assembly.dynamics(&q, &v, 0.0, &kinematics, &[], &mut dynamics).map_err(|failure| {
        let field = match failure.kind {
            FailureKind::SpringLength => "springs",
            _ => "joints",
        };
        ImpactError::bad_problem(field, failure.kind.name(), failure.message)
    })?;
    assembly.start = (q, v);
    Ok(assembly)
}

impl Assembly {
    /// Adds a body, its coordinates and their values at t = 0.
    fn add_body(
        &mut self,
        builder: &mut Builder,
        joints: &[Joint],
        by: Option<usize>,
        body: usize,
        parented: bool,
    ) {
        let start = &builder.bodies[body];
        let (mass, inertia) = start.moving.expect("members move");
        let (at_q, at_v) = (self.start.0.len(), self.start.1.len());
        let mut node = Node {
            parent: None,
            freedom: if self.planar { Freedom::Planar } else { Freedom::Free },
            arm: V3::zeros(),
            offset: V3::zeros(),
            rest: start.turn,
            mass,
            inertia,
            isotropic: inertia == M3::from_diagonal_element(inertia[(2, 2)]),
            q: at_q,
            v: at_v,
            columns: 0..0,
            alone: by.is_none() && !parented,
            anchor: None,
        };
        let (q, v) = (&mut self.start.0, &mut self.start.1);
        let first = self.columns.len();
        match by {
            None => {
                let (centre, twist) = (&start.centre, &start.twist);
                match start.turn {
                    Turn::Angle(angle) => {
                        q.extend([centre.x, centre.y, angle]);
                        v.extend([twist.velocity.x, twist.velocity.y, twist.spin.z]);
                    }
                    Turn::Quaternion(p) => {
                        q.extend(centre.iter().chain(&p));
                        v.extend(twist.velocity.iter().chain(twist.spin.iter()));
                    }
                }
            }
            Some(index) => {
                let joint = &joints[index];
                let [a, b] = joint.bodies;
                let (parent, sign) = if a == body { (b, -1.0) } else { (a, 1.0) };
                let base = &builder.bodies[parent];
                let side = builder.side(parent);
                let axis = base.rotation.tr_mul(&joint.axis) * sign;
                let rest = after(inverse(base.turn), start.turn);
                let turning = base.rotation.tr_mul(&(start.twist.spin - base.twist.spin));
                let at = |body: &Start| body.twist.at(&(joint.point - body.centre));
                let sliding = base.rotation.tr_mul(&(at(start) - at(base)));
                node.freedom = match joint.kind {
                    SceneJointKind::Ball => Freedom::Ball,
                    SceneJointKind::Hinge => Freedom::Hinge(axis),
                    SceneJointKind::Slider => Freedom::Slider(axis),
                    SceneJointKind::Weld => Freedom::Weld,
                };
                match node.freedom {
                    Freedom::Ball => {
                        q.extend(quaternion(rest));
                        v.extend(turning.iter());
                    }
                    Freedom::Hinge(axis) => {
                        q.push(0.0);
                        v.push(axis.dot(&turning));
                    }
                    Freedom::Slider(axis) => {
                        q.push(0.0);
                        v.push(axis.dot(&sliding));
                    }
                    Freedom::Weld | Freedom::Free | Freedom::Planar => {}
                }
                if matches!(node.freedom, Freedom::Hinge(_) | Freedom::Slider(_)) {
                    let coordinate = self.coordinates.len();
                    let (actuator, armature) = (joint.actuator, joint.armature);
                    self.coordinates.push(Coordinate { q: at_q, v: at_v, actuator, armature });
                    for (bound, sign) in joint.limits.into_iter().zip([1.0, -1.0]) {
                        if bound.is_finite() {
                            self.limits.push(Limit {
                                joint: index,
                                sign,
                                bound,
                                e: joint.e,
                                coordinate,
                            });
                        }
                    }
                }
                node.parent = Some(side);
                node.arm = builder.local(parent, &joint.point);
                node.offset = -builder.local(body, &joint.point);
                node.rest = rest;
                match side {
                    Side::Fixed(anchor) => node.anchor = Some(anchor),
                    Side::Body(parent) => {
                        node.anchor = self.nodes[parent].anchor;
                        let inherited = self.nodes[parent].columns.clone();
                        self.columns.extend_from_within(inherited);
                    }
                }
            }
        }
        if !node.alone {
            self.columns.extend(at_v..v.len());
        }
        node.columns = first..self.columns.len();
        self.nodes.push(node);
    }

    /// The blocks of the mass matrix: one per tree, two of lone free bodies in space.
    fn add_blocks(&mut self) {
        let mut at = 0;
        let mut push = |start: usize, size: usize, diagonal: bool| {
            let block = Block { start, size, at, diagonal };
            at += block.entries();
            self.blocks.push(block);
        };
        let mut node = 0;
        while node < self.nodes.len() {
            let root = &self.nodes[node];
            let is_root = |node: &Node| !matches!(node.parent, Some(Side::Body(_)));
            let next = (node + 1..self.nodes.len()).find(|next| is_root(&self.nodes[*next]));
            let end = next.map_or(self.start.1.len(), |next| self.nodes[next].v);
            if root.alone && self.planar {
                push(root.v, 3, true);
            } else if root.alone {
                push(root.v, 3, true);
                push(root.v + 3, 3, root.isotropic);
            } else if end > root.v {
                push(root.v, end - root.v, false);
            }
            node = next.unwrap_or(self.nodes.len());
        }
    }

    fn add_loop(
        &mut self,
        builder: &mut Builder,
        index: usize,
        joint: &Joint,
    ) -> Result<(), ImpactError> {
        if joint.limits.iter().any(|limit| limit.is_finite()) {
            let reason = "limits in a loop want another joint of the loop that has none: its coordinate is then the one that \
                          is left out";
            let value = format!("{:?}", joint.limits);
            return Err(ImpactError::bad_problem(format!("joints[{index}].limits"), value, reason));
        }
        if joint.armature != 0.0 {
            let reason = "an armature in a loop wants another joint of the loop that has neither armature nor limits: its \
                          coordinate is then the one that is left out";
            let field = format!("joints[{index}].armature");
            return Err(ImpactError::bad_problem(field, joint.armature, reason));
        }
        let [a, b] = joint.bodies.map(|body| &builder.bodies[body]);
        let turned = tangents(&joint.axis, self.planar);
        self.loops.push(Loop {
            index,
            kind: joint.kind,
            sides: joint.bodies.map(|body| builder.side(body)),
            points: joint.bodies.map(|body| builder.local(body, &joint.point)),
            axes: [a, b].map(|body| body.rotation.tr_mul(&joint.axis)),
            tangents: turned.map(|t| a.rotation.tr_mul(&t)),
            rest: after(inverse(a.turn), b.turn),
            actuator: joint.actuator,
        });
        Ok(())
    }

    /// Refuses bodies that could turn without inertia. In a tree the mass matrix is positive wherever the bodies are if each
    /// body, with what is welded to it, has inertia about its joint along every axis the joint leaves: a body whose parent is
    /// at rest cannot move without kinetic energy then.
    fn check_inertias(&self, bodies: &[Start]) -> Result<(), ImpactError> {
        let mut carrier: Vec<Option<usize>> = Vec::new();
        for (body, node) in self.nodes.iter().enumerate() {
            let on = match (node.freedom, node.parent) {
                (Freedom::Weld, Some(Side::Body(parent))) => carrier[parent],
                (Freedom::Weld, _) => None,
                _ => Some(body),
            };
            carrier.push(on);
        }
        for (body, node) in self.nodes.iter().enumerate() {
            let welded = || {
                (0..self.nodes.len()).filter(|other| carrier[*other] == Some(body)).map(|other| {
                    let start = &bodies[self.bodies[other]];
                    let (mass, inertia) = start.moving.expect("members move");
                    (mass, start.centre, start.rotation * inertia * start.rotation.transpose())
                })
            };
            let start = &bodies[self.bodies[body]];
            let mass: f64 = welded().map(|(mass, ..)| mass).sum();
            let about = match node.freedom {
                Freedom::Free | Freedom::Planar => {
                    welded().map(|(mass, centre, _)| centre * mass).sum::<V3>() / mass
                }
                _ => start.centre - start.rotation * node.offset,
            };
            let total = welded().fold(M3::zeros(), |sum, (mass, centre, inertia)| {
                let r = centre - about;
                sum + inertia + (M3::from_diagonal_element(r.dot(&r)) - r * r.transpose()) * mass
            });
            let least = LEAST_INERTIA * total.trace();
            let positive = match node.freedom {
                Freedom::Slider(_) | Freedom::Weld => true,
                Freedom::Hinge(axis) => {
                    // The axis is the same in the world from either body.
                    let parent = after(start.turn, inverse(node.rest));
                    let axis = rotation_of(parent) * axis;
                    let armed = |at: &Coordinate| at.v == node.v && at.armature > 0.0;
                    axis.dot(&(total * axis)) > least || self.coordinates.iter().any(armed)
                }
                Freedom::Planar => total[(2, 2)] > 0.0,
                Freedom::Free | Freedom::Ball => {
                    total.symmetric_eigenvalues().iter().all(|moment| *moment > least)
                }
            };
            if !positive {
                let reason = "this body can turn about an axis about which nothing has inertia: give it some about every axis";
                let field = format!("bodies[{}].inertia", self.bodies[body]);
                return Err(ImpactError::bad_problem(field, "0 about an axis", reason));
            }
        }
        Ok(())
    }
}
