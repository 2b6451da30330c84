//! From a robot to a scene: poses at t = 0, what is fixed together as one body, several joints of one body as a chain.

mod checks;

use crate::fault::{Fault, Notes, Place, Result};
use crate::frames::{IDENTITY, Pose, add, cross, dot, length, rotate, scaled, sub, turned};
use crate::inertia::Inertial;
use crate::kinematics::place;
use crate::robot::{Body, Coordinate, Geom, Joint, JointKind, Placed, Robot, Solid};
use crate::surfaces::{Carrier, Collisions};
use crate::{Options, inertia, mesh};
use carom_sim::motion::{
    ConvexHull, Dimension, Scene, SceneBody, SceneJoint, SceneJointKind, Shape, Turn, overlaps,
};
use std::collections::BTreeSet;

/// A body that only carries one of several joints has this part of the mass that hangs on it: below the rounding of mass
/// matrices, and enough for a factor of them \[1\].
const CARRIER: f64 = 1e-15;
/// A coordinate may start so far outside of its range without a note [rad or m].
const OUTSIDE: f64 = 1e-9;
/// A loop may be open by this part of its size, or of a metre \[1\].
const OPEN: f64 = 1e-6;
/// More bodies than this are refused: pairs of them are listed.
const MOST_BODIES: usize = 2000;

/// Joints that hold still: body, and which of its joints.
type Frozen = BTreeSet<(usize, usize)>;

/// A scene, and what its bodies are made of.
pub struct Built {
    pub name: String,
    pub scene: Scene,
    pub made_of: Vec<String>,
}

/// What stands where in the file, for errors of the scene.
struct Source {
    place: Place,
    label: String,
}

struct Builder<'a> {
    robot: &'a Robot,
    placed: Vec<Placed>,
    /// The body that each is fixed to, itself if it moves by a joint; none is the world.
    group: Vec<Option<usize>>,
    scene: Scene,
    made_of: Vec<String>,
    /// Of each body of the scene.
    bodies: Vec<Option<Source>>,
    joints: Vec<Source>,
    /// Of each shape of each body of the scene.
    shapes: Vec<Vec<Source>>,
    /// The scene's body of each group's head.
    body_of: Vec<usize>,
    world: Option<usize>,
    names: BTreeSet<String>,
    carriers: Vec<Carrier>,
}

/// The scene of a robot.
pub fn build(robot: &Robot, options: &Options, notes: &mut Notes) -> Result<Built> {
    if robot.bodies.len() > MOST_BODIES {
        let count = robot.bodies.len();
        let body = &robot.bodies[MOST_BODIES];
        let message = format!("the robot has {count} bodies, more than {MOST_BODIES}");
        return Err(Fault::new(body.place, &body.label, message));
    }
    let (coordinates, frozen) = start(robot, options, notes)?;
    let placed = place(robot, &coordinates);
    for (body, at) in robot.bodies.iter().zip(&placed) {
        let numbers = at.pose.place.iter().chain(&at.velocity).chain(&at.spin);
        if !numbers.into_iter().all(|x| x.is_finite()) {
            let message = "its place or velocity is not finite";
            return Err(Fault::new(body.place, &body.label, message));
        }
    }
    let mut group: Vec<Option<usize>> = Vec::with_capacity(robot.bodies.len());
    for (index, body) in robot.bodies.iter().enumerate() {
        let moves = (0..body.joints.len()).any(|joint| !frozen.contains(&(index, joint)));
        let own = if moves { Some(index) } else { body.parent.and_then(|parent| group[parent]) };
        group.push(own);
    }
    let mut builder = Builder {
        robot,
        placed,
        group,
        scene: Scene::new(Dimension::Space),
        made_of: Vec::new(),
        bodies: Vec::new(),
        joints: Vec::new(),
        shapes: Vec::new(),
        body_of: vec![usize::MAX; robot.bodies.len()],
        world: None,
        names: BTreeSet::new(),
        carriers: Vec::new(),
    };
    builder.scene.gravity = robot.gravity;
    builder.fixed(options, notes)?;
    for head in 0..robot.bodies.len() {
        if builder.group[head] == Some(head) {
            builder.moving(head, &frozen, options, notes)?;
        }
    }
    builder.close(notes)?;
    builder.finish(options, notes)
}

/// Coordinates at t = 0, and the joints (body, joint) that hold still.
fn start(
    robot: &Robot,
    options: &Options,
    notes: &mut Notes,
) -> Result<(Vec<Vec<Coordinate>>, Frozen)> {
    let mut coordinates: Vec<Vec<Coordinate>> = (robot.bodies.iter())
        .map(|body| body.joints.iter().map(Coordinate::of_reference).collect())
        .collect();
    if let Some(state) = &robot.state {
        let mut given = state.iter();
        for coordinate in coordinates.iter_mut().flatten() {
            if let Some(given) = given.next() {
                *coordinate = *given;
            }
        }
    }
    for (name, value) in &options.pose {
        let mut found = robot.bodies.iter().enumerate().flat_map(|(b, body)| {
            body.joints.iter().enumerate().map(move |(j, joint)| (b, j, joint))
        });
        let Some((b, j, joint)) = found.find(|(.., joint)| joint.name.as_ref() == Some(name))
        else {
            let known = robot.bodies.iter().flat_map(|body| &body.joints);
            let known: Vec<&str> = known.filter_map(|joint| joint.name.as_deref()).collect();
            let hint = match carom::catalog::nearest(name, known.iter().copied()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None if known.len() <= 12 => format!("; there are: {}", known.join(", ")),
                None => String::new(),
            };
            return Err(Fault::of_call(format!("there is no joint `{name}` that moves{hint}")));
        };
        if !matches!(joint.kind, JointKind::Hinge | JointKind::Slide) {
            let message = "only hinges and slides have one coordinate that a pose can give";
            return Err(Fault::new(joint.place, &joint.label, message));
        }
        if let Some([low, high]) = joint.range
            && !(low - OUTSIDE..=high + OUTSIDE).contains(value)
        {
            let message =
                format!("the pose puts it to {value}, outside of its range from {low} to {high}");
            return Err(Fault::new(joint.place, &joint.label, message));
        }
        coordinates[b][j].q = *value;
    }
    let mut frozen = Frozen::new();
    for (b, body) in robot.bodies.iter().enumerate() {
        for (j, joint) in body.joints.iter().enumerate() {
            let coordinate = &mut coordinates[b][j];
            if joint.kind == JointKind::Free {
                if options.fixed_base {
                    frozen.insert((b, j));
                } else if options.lift != 0.0 {
                    let at = coordinate.position.unwrap_or(body.frame.place);
                    if coordinate.position.is_none() {
                        coordinate.turn = body.frame.turn;
                    }
                    coordinate.position = Some(add(at, [0.0, 0.0, options.lift]));
                }
            }
            let Some([low, high]) = joint.range else { continue };
            let q = coordinate.q;
            if q < low - OUTSIDE || q > high + OUTSIDE {
                let what = format!(
                    "starts at the end of its range from {low} to {high}: {q}, where it would be, lies outside"
                );
                notes.add(joint.place, &joint.label, what);
                coordinate.rate = 0.0;
            }
            coordinate.q = q.clamp(low, high);
            if high - low < OUTSIDE {
                let what = format!("does not move: its range is the one value {low}");
                notes.add(joint.place, &joint.label, what);
                coordinate.rate = 0.0;
                frozen.insert((b, j));
            }
        }
    }
    Ok((coordinates, frozen))
}

impl Builder<'_> {
    /// A name that no other body has.
    fn name(&mut self, wanted: &str) -> String {
        // Pairs call any body so.
        let wanted = if wanted == "*" { "body *" } else { wanted };
        let mut name = wanted.to_owned();
        let mut count = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wanted} {count}");
            count += 1;
        }
        name
    }

    fn add(&mut self, mut body: SceneBody, source: Option<Source>, made_of: String) -> usize {
        if let Turn::Angle(_) = body.orientation {
            body.orientation = Turn::Quaternion(IDENTITY);
        }
        body.name = self.name(&body.name.clone());
        self.scene.bodies.push(body);
        self.bodies.push(source);
        self.shapes.push(Vec::new());
        self.made_of.push(made_of);
        self.scene.bodies.len() - 1
    }

    /// The world: what is fixed, and a floor if that is asked for.
    fn fixed(&mut self, options: &Options, notes: &mut Notes) -> Result<()> {
        let mut geoms: Vec<(Geom, Pose, Option<usize>)> =
            self.robot.world.iter().map(|geom| (geom.clone(), geom.pose, None)).collect();
        let mut parts = Vec::new();
        for (b, body) in self.robot.bodies.iter().enumerate() {
            if self.group[b].is_none() {
                let base = self.placed[b].pose;
                geoms.extend(body.geoms.iter().map(|g| (g.clone(), base.then(g.pose), Some(b))));
                parts.push(body.name.clone());
            }
        }
        self.carry(None, None, "world", &geoms, Pose::IDENTITY, &parts.join(", "), notes)?;
        if let Some(height) = options.ground {
            let mut ground = SceneBody::fixed("ground");
            let normal = [0.0, 0.0, 1.0];
            ground.shapes = vec![Shape::HalfSpace { normal, offset: height }];
            let body = self.add(ground, None, "a floor that was asked for".into());
            self.carriers.push(Carrier::ground(body, options.mu));
        }
        Ok(())
    }

    /// The world as a body, where something hangs on it.
    fn world(&mut self) -> usize {
        if let Some(world) = self.world {
            return world;
        }
        let body = self.add(SceneBody::fixed("world"), None, String::new());
        self.world = Some(body);
        body
    }

    /// Shapes on a body of the scene, and on bodies welded to it where their surfaces differ. `frame` is the body's in the
    /// frame of the shapes' poses.
    #[allow(clippy::too_many_arguments)]
    fn carry(
        &mut self,
        head: Option<usize>,
        body: Option<usize>,
        name: &str,
        geoms: &[(Geom, Pose, Option<usize>)],
        frame: Pose,
        made_of: &str,
        notes: &mut Notes,
    ) -> Result<()> {
        let inward = frame.inverted();
        let mut mine: Vec<usize> = Vec::new();
        let first = self.carriers.len();
        for (geom, pose, of) in geoms {
            let named = self.robot.pairs.iter().any(|pair| pair.ids.contains(&geom.id));
            if !geom.surface.collides() && !named {
                // It is there to be seen, or for its mass.
                notes.looks += 1;
                continue;
            }
            if matches!(geom.solid, Solid::Plane) && head.is_some() {
                let what = "a plane on a body that moves is not taken over: only fixed ones are";
                notes.add(geom.place, &geom.label, what);
                continue;
            }
            let excluded = self.robot.excludes.iter().any(|pair| pair.contains(of));
            let id = named.then_some(geom.id);
            let of = if excluded { Some(*of) } else { None };
            let at = (first..self.carriers.len())
                .find(|at| self.carriers[*at].takes(&geom.surface, of, id));
            let at = match at {
                Some(at) => at,
                None => {
                    let carrier = match (body, mine.is_empty(), head) {
                        (Some(body), true, _) => body,
                        (None, true, _) if name == "world" => self.world(),
                        (_, _, None) => {
                            self.add(SceneBody::fixed(name), None, "another surface".into())
                        }
                        (_, _, Some(head)) => self.welded(head, body, &geom.label),
                    };
                    mine.push(carrier);
                    self.carriers.push(Carrier::new(carrier, head, geom.surface, of, id));
                    self.carriers.len() - 1
                }
            };
            let shape = match certain(shape(&geom.solid, inward.then(*pose))) {
                Ok(shape) => shape,
                Err(reason) => {
                    let what = format!("the shape is not taken over: its hull {reason}");
                    notes.add(geom.place, &geom.label, what);
                    continue;
                }
            };
            let on = self.carriers[at].body;
            self.scene.bodies[on].shapes.push(shape);
            self.shapes[on].push(Source { place: geom.place, label: geom.label.clone() });
        }
        if head.is_none()
            && let Some(world) = self.world
        {
            self.made_of[world] = made_of.to_owned();
        }
        Ok(())
    }

    /// A body next to nothing that carries shapes of another surface.
    fn welded(&mut self, head: usize, body: Option<usize>, label: &str) -> usize {
        let main = body.unwrap_or_default();
        let mut carrier = self.scene.bodies[main].clone();
        carrier.shapes.clear();
        carrier.name = format!("{} surface", carrier.name);
        if let carom_sim::motion::BodyKind::Moving { mass, inertia } = &mut carrier.kind {
            *mass *= CARRIER;
            inertia.iter_mut().flatten().for_each(|x| *x *= CARRIER);
        }
        let point = carrier.position;
        let source = self.source(head);
        let made_of = format!("next to no mass: carries {label}, whose surface is another");
        let added = self.add(carrier, Some(source), made_of);
        let joint = SceneJoint::new(SceneJointKind::Weld, main, added, point, [0.0, 0.0, 1.0]);
        self.scene.joints.push(joint);
        self.joints.push(self.source(head));
        added
    }

    fn source(&self, body: usize) -> Source {
        let Body { place, label, .. } = &self.robot.bodies[body];
        Source { place: *place, label: label.clone() }
    }

    /// A body that moves, with everything that is fixed to it, and the joints that it hangs on.
    fn moving(
        &mut self,
        head: usize,
        frozen: &Frozen,
        options: &Options,
        notes: &mut Notes,
    ) -> Result<()> {
        let robot = self.robot;
        let body = &robot.bodies[head];
        let members: Vec<usize> =
            (head..robot.bodies.len()).filter(|b| self.group[*b] == Some(head)).collect();
        let parts: Vec<Inertial> = (members.iter())
            .map(|b| robot.bodies[*b].inertial.seen_from(self.placed[*b].pose))
            .collect();
        let whole = Inertial::together(&parts);
        let whole = match whole.mass > 0.0 {
            true => self.possible(whole, head, options, notes),
            false => self.without_mass(head, members.len(), notes)?,
        };
        let at = &self.placed[head];
        let (turn, spin) = (at.pose.turn, at.spin);
        let tensor = turned(crate::frames::inverse(turn), whole.tensor);
        let velocity = add(at.velocity, cross(spin, sub(whole.center, at.pose.place)));
        let joints: Vec<usize> =
            (0..body.joints.len()).filter(|joint| !frozen.contains(&(head, *joint))).collect();
        let parent = match body.parent.and_then(|parent| self.group[parent]) {
            Some(parent) => Some(self.body_of[parent]),
            None => None,
        };
        let free = body.joints.iter().any(|joint| joint.kind == JointKind::Free);
        let mut on = if free { None } else { Some(parent.unwrap_or_else(|| self.world())) };
        // Every joint but the last moves a body next to nothing.
        if let Some((_, before)) = joints.split_last() {
            for &j in before {
                let joint = &body.joints[j];
                let (pose, origin_velocity, spin) = self.placed[head].stages[j];
                let (point, _) = self.placed[head].joints[j];
                let mut carrier = SceneBody::moving(
                    format!("{}/{}", body.name, joint.name.as_deref().unwrap_or("joint")),
                    CARRIER * whole.mass,
                    inertia::diagonal([CARRIER * size_of(&whole); 3]),
                );
                carrier.position = point;
                carrier.orientation = Turn::Quaternion(pose.turn);
                carrier.velocity = add(origin_velocity, cross(spin, sub(point, pose.place)));
                carrier.angular_velocity = spin;
                let made_of = format!("next to no mass: carries {}", joint.label);
                let source = Source { place: joint.place, label: joint.label.clone() };
                let added = self.add(carrier, Some(source), made_of);
                self.hang(on, added, head, j, notes);
                on = Some(added);
            }
        }
        let mut moving = SceneBody::moving(&body.name, whole.mass, tensor);
        moving.position = whole.center;
        moving.orientation = Turn::Quaternion(turn);
        moving.velocity = velocity;
        moving.angular_velocity = spin;
        let names: Vec<&str> =
            members[1..].iter().map(|b| robot.bodies[*b].name.as_str()).collect();
        let made_of = match names[..] {
            [] => String::new(),
            _ => format!("with {}", names.join(", ")),
        };
        let source = self.source(head);
        let added = self.add(moving, Some(source), made_of);
        self.body_of[head] = added;
        if let Some(&last) = joints.last() {
            self.hang(on, added, head, last, notes);
        }
        let mut geoms = Vec::new();
        for &b in &members {
            let base = self.placed[b].pose;
            let all = robot.bodies[b].geoms.iter();
            geoms.extend(all.map(|geom| (geom.clone(), base.then(geom.pose), Some(b))));
        }
        let frame = Pose { place: whole.center, turn };
        self.carry(Some(head), Some(added), &body.name, &geoms, frame, "", notes)
    }

    /// A joint of a body, between two bodies of the scene; a free one is none.
    fn hang(&mut self, on: Option<usize>, body: usize, head: usize, j: usize, notes: &mut Notes) {
        let joint: &Joint = &self.robot.bodies[head].joints[j];
        let kind = match joint.kind {
            JointKind::Free => SceneJointKind::Weld,
            JointKind::Ball => SceneJointKind::Ball,
            JointKind::Hinge => SceneJointKind::Hinge,
            JointKind::Slide => SceneJointKind::Slider,
        };
        if joint.kind == JointKind::Free || joint.kind == JointKind::Ball {
            let acts = [
                ("range", joint.range.is_some()),
                ("damping", joint.damping != 0.0),
                ("stiffness", joint.stiffness != 0.0),
                ("armature", joint.armature != 0.0),
            ];
            for (what, _) in acts.iter().filter(|(_, there)| *there) {
                let what = format!(
                    "its {what} is not taken over: carom has it of joints with one coordinate only"
                );
                notes.add(joint.place, &joint.label, what);
            }
        }
        let (Some(on), false) = (on, joint.kind == JointKind::Free) else { return };
        let (point, axis) = self.placed[head].joints[j];
        let mut made = SceneJoint::new(kind, on, body, point, axis);
        made.name = joint.name.clone();
        if kind != SceneJointKind::Ball {
            let now = self.coordinate(head, j);
            if let Some([low, high]) = joint.range {
                made.limits = [(low - now).min(0.0), (high - now).max(0.0)];
            }
            made.stiffness = joint.stiffness;
            made.damping = joint.damping;
            made.armature = joint.armature;
            if joint.stiffness != 0.0 {
                made.rest = joint.rest - now;
            }
        }
        self.scene.joints.push(made);
        self.joints.push(Source { place: joint.place, label: joint.label.clone() });
    }

    /// What a joint's coordinate is at t = 0.
    fn coordinate(&self, body: usize, joint: usize) -> f64 {
        self.placed[body].coordinates[joint]
    }

    /// Joints that close loops.
    fn close(&mut self, notes: &mut Notes) -> Result<()> {
        if self.robot.loops.is_empty() {
            return Ok(());
        }
        let reference: Vec<Vec<Coordinate>> = (self.robot.bodies.iter())
            .map(|body| body.joints.iter().map(Coordinate::of_reference).collect())
            .collect();
        let drawn = place(self.robot, &reference);
        for held in &self.robot.loops {
            let at = |all: &[Placed], body: Option<usize>| {
                body.map_or(Pose::IDENTITY, |body| all[body].pose)
            };
            let [a, b] = held.bodies.map(|body| at(&self.placed, body));
            let [a0, b0] = held.bodies.map(|body| at(&drawn, body));
            let relative = held.relative.unwrap_or_else(|| a0.inverted().then(b0));
            let wanted = a.then(relative);
            let point = a.point(held.point);
            // The same point of the second body.
            let inner = relative.inverted().point(held.point);
            let open = length(sub(b.point(inner), point));
            let turn = crate::frames::product(crate::frames::inverse(wanted.turn), b.turn);
            let twisted = if held.weld { 2.0 * length([turn[1], turn[2], turn[3]]) } else { 0.0 };
            let size = length(sub(a.place, b.place)).max(1.0);
            if open > OPEN * size || twisted > OPEN {
                let message = format!(
                    "is open by {open:.2e} m and {twisted:.2e} rad in this pose: give one in which it is closed"
                );
                return Err(Fault::new(held.place, &held.label, message));
            }
            let [ga, gb] = held.bodies.map(|body| body.and_then(|body| self.group[body]));
            if ga == gb {
                notes.add(held.place, &held.label, "holds what is fixed together already");
                continue;
            }
            let world = ga.is_none() || gb.is_none();
            let ground = if world { self.world() } else { 0 };
            let [a, b] = [ga, gb].map(|group| group.map_or(ground, |group| self.body_of[group]));
            let kind = if held.weld { SceneJointKind::Weld } else { SceneJointKind::Ball };
            let mut joint = SceneJoint::new(kind, a, b, point, [0.0, 0.0, 1.0]);
            joint.name.clone_from(&held.name);
            self.scene.joints.push(joint);
            self.joints.push(Source { place: held.place, label: held.label.clone() });
        }
        Ok(())
    }

    fn finish(mut self, options: &Options, notes: &mut Notes) -> Result<Built> {
        // Names that joints share, as those of planar ones may with others.
        let mut called = BTreeSet::new();
        for joint in &mut self.scene.joints {
            if let Some(name) = &joint.name
                && !called.insert(name.clone())
            {
                joint.name = None;
            }
        }
        let robot = self.robot;
        let parents: Vec<Option<Option<usize>>> = (robot.bodies.iter())
            .map(|body| {
                let free = body.joints.iter().any(|joint| joint.kind == JointKind::Free);
                (!free).then(|| body.parent.and_then(|parent| self.group[parent]))
            })
            .collect();
        let mut collisions = Collisions::of(robot, &self.carriers, &parents, options);
        self.scene.pairs = collisions.pairs(&self.scene)?;
        self.cut_cylinders(&collisions, notes);
        self.check_mass()?;
        let found = overlaps(&self.scene).map_err(|error| self.blame(error))?;
        for overlap in &found {
            let [a, b] = overlap.bodies;
            let endless = |body: usize| {
                self.scene.bodies[body].shapes.iter().any(|s| matches!(s, Shape::HalfSpace { .. }))
            };
            let (moving, other) = if self.bodies[b].is_some() { (b, a) } else { (a, b) };
            let name = &self.scene.bodies[other].name;
            let depth = overlap.depth;
            let what = if endless(a) || endless(b) {
                format!(
                    "lies {depth:.2e} m in \"{name}\" at t = 0, and no motion can start so: raise the base or give another pose"
                )
            } else {
                collisions.leave_out(a, b);
                format!("lies {depth:.2e} m in \"{name}\" at t = 0: these two do not collide")
            };
            if let Some(source) = &self.bodies[moving] {
                notes.add(source.place, &source.label, what);
            }
        }
        if !found.is_empty() {
            self.scene.pairs = collisions.pairs(&self.scene)?;
        }
        Ok(Built { name: robot.name.clone(), scene: self.scene, made_of: self.made_of })
    }
}

/// A moment of inertia that stands for a body's size [kg·m²].
fn size_of(whole: &Inertial) -> f64 {
    let trace: f64 = (0..3).map(|i| whole.tensor[i][i]).sum();
    (trace / 3.0).max(1e-6 * whole.mass)
}

/// A convex with corners that make a hull, if need be after rounding; others are as they are.
fn certain(shape: Shape) -> std::result::Result<Shape, String> {
    let Shape::Convex { points } = &shape else { return Ok(shape) };
    if ConvexHull::of(points).is_ok() {
        return Ok(shape);
    }
    let points = mesh::rounded(points);
    ConvexHull::of(&points).map(|_| Shape::Convex { points })
}

/// A solid in the frame of its body.
fn shape(solid: &Solid, pose: Pose) -> Shape {
    let axis = rotate(pose.turn, [0.0, 0.0, 1.0]);
    let center = pose.place;
    match solid {
        Solid::Sphere(radius) => Shape::Sphere { radius: *radius, center },
        Solid::Capsule { radius, half } => Shape::Capsule {
            radius: *radius,
            from: sub(center, scaled(axis, *half)),
            to: add(center, scaled(axis, *half)),
        },
        Solid::Box(half) => Shape::Box { half: *half, center, orientation: pose.turn },
        Solid::Cylinder { radius, half } => {
            Shape::Cylinder { radius: *radius, half_height: *half, axis, center }
        }
        Solid::Hull(points) => {
            Shape::Convex { points: points.iter().map(|p| pose.point(*p)).collect() }
        }
        Solid::Plane => Shape::HalfSpace { normal: axis, offset: dot(axis, center) },
    }
}
