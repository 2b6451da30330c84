//! Trees of joints: coordinates, and the recursion from roots to leaves.

use super::{Assembly, Kinematics};
use crate::motion::scene::{Prescribed, Turn};
use crate::motion::vector::{M3, Pose, Twist, V3, normalised, planar_rotation, product, rotation};
use std::ops::Range;

const ZERO: V3 = V3::new(0.0, 0.0, 0.0);

/// One of two bodies that a joint or spring is between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    /// A body of the assembly.
    Body(usize),
    /// A fixed body, by its place in the assembly's list.
    Fixed(usize),
}

/// How a body can move relative to its parent; axes in the parent's frame, of length one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Freedom {
    /// A root in space.
    Free,
    /// A root in the plane.
    Planar,
    Ball,
    Hinge(V3),
    Slider(V3),
    Weld,
}

impl Freedom {
    /// How many positions.
    pub(super) fn positions(self) -> usize {
        match self {
            Self::Free => 7,
            Self::Ball => 4,
            other => other.velocities(),
        }
    }

    /// How many velocities.
    pub(super) fn velocities(self) -> usize {
        match self {
            Self::Free => 6,
            Self::Planar | Self::Ball => 3,
            Self::Hinge(_) | Self::Slider(_) => 1,
            Self::Weld => 0,
        }
    }

    /// Where in its positions a quaternion begins.
    fn quaternion(self) -> Option<usize> {
        match self {
            Self::Free => Some(3),
            Self::Ball => Some(0),
            _ => None,
        }
    }
}

/// A body and the joint it hangs on.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Absent: a root that moves freely.
    pub(super) parent: Option<Side>,
    pub(super) freedom: Freedom,
    /// From the parent's centre to the joint, in the parent's frame \[m\].
    pub(super) arm: V3,
    /// From the joint to the centre, in the body's frame \[m\].
    pub(super) offset: V3,
    /// From the body's frame to its parent's at t = 0; in the plane the difference of the angles.
    pub(super) rest: Turn,
    /// \[kg\]
    pub(super) mass: f64,
    /// About the centre of mass, in the body's frame [kg·m²].
    pub(super) inertia: M3,
    /// The inertia is the same about all axes, or the motion planar: it does not turn with the body.
    pub(super) isotropic: bool,
    /// The first of its positions.
    pub(super) q: usize,
    /// The first of its velocities.
    pub(super) v: usize,
    /// Its part of [`Assembly::columns`].
    pub(super) columns: Range<usize>,
    /// A free body to which nothing is jointed: its Jacobian is the identity and is not stored.
    pub(super) alone: bool,
    /// The fixed body that its tree hangs on.
    pub(super) anchor: Option<usize>,
}

impl Node {
    /// The inertia in the world's frame.
    pub(super) fn world_inertia(&self, rotation: &M3) -> M3 {
        if self.isotropic { self.inertia } else { rotation * self.inertia * rotation.transpose() }
    }

    /// The inertia times a vector of the world's frame.
    pub(super) fn angular_momentum(&self, rotation: &M3, spin: &V3) -> V3 {
        if self.isotropic {
            spin * self.inertia[(2, 2)]
        } else {
            rotation * (self.inertia * rotation.tr_mul(spin))
        }
    }
}

/// A fixed body that something hangs on.
#[derive(Clone, Debug)]
pub(super) struct Anchor {
    /// Its place in the scene.
    pub(super) body: usize,
    pub(super) position: V3,
    pub(super) turn: Turn,
    pub(super) rotation: M3,
    pub(super) motion: Prescribed,
}

impl Anchor {
    /// Whether it is anything but at rest.
    pub(super) fn moves(&self) -> bool {
        self.motion != Prescribed::None
    }

    /// Where it is and how it moves.
    pub(super) fn frame(&self, t: f64) -> Frame {
        let [offset, velocity, acceleration] = prescribed(&self.motion, t);
        Frame {
            pose: Pose { centre: self.position + offset, rotation: self.rotation },
            twist: Twist { velocity, spin: ZERO },
            bias: [acceleration, ZERO],
            turn: self.turn,
        }
    }
}

/// A body at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) pose: Pose,
    pub(super) twist: Twist,
    /// Accelerations at `v̇ = 0`.
    pub(super) bias: [V3; 2],
    pub(super) turn: Turn,
}

impl Frame {
    /// The acceleration of a material point at `v̇ = 0`, `rho` from the centre of mass [m/s²].
    pub(super) fn bias_at(&self, rho: &V3) -> V3 {
        let spin = &self.twist.spin;
        self.bias[0] + self.bias[1].cross(rho) + spin.cross(&spin.cross(rho))
    }
}

/// What prescribed motion adds to a fixed body's position \[m\], its velocity [m/s] and its acceleration [m/s²].
pub(crate) fn prescribed(motion: &Prescribed, t: f64) -> [V3; 3] {
    match *motion {
        Prescribed::None => [ZERO; 3],
        Prescribed::Uniform { velocity } => {
            let velocity = V3::from(velocity);
            [velocity * t, velocity, ZERO]
        }
        Prescribed::Sine { amplitude, frequency, phase } => {
            let amplitude = V3::from(amplitude);
            let omega = 2.0 * std::f64::consts::PI * frequency;
            let (sin, cos) = libm::sincos(omega * t + phase);
            [amplitude * sin, amplitude * (omega * cos), amplitude * (-omega * omega * sin)]
        }
    }
}

/// The rotation of a turn.
pub(super) fn rotation_of(turn: Turn) -> M3 {
    match turn {
        Turn::Angle(angle) => planar_rotation(angle),
        Turn::Quaternion(p) => rotation(p),
    }
}

/// One turn after another: from the frame of `second` by `second`, then by `first`.
pub(super) fn after(first: Turn, second: Turn) -> Turn {
    match (first, second) {
        (Turn::Angle(a), Turn::Angle(b)) => Turn::Angle(a + b),
        (a, b) => Turn::Quaternion(product(quaternion(a), quaternion(b))),
    }
}

/// The turn back.
pub(super) fn inverse(turn: Turn) -> Turn {
    match turn {
        Turn::Angle(angle) => Turn::Angle(-angle),
        Turn::Quaternion([w, x, y, z]) => Turn::Quaternion([w, -x, -y, -z]),
    }
}

/// The quaternion of a turn.
pub(super) fn quaternion(turn: Turn) -> [f64; 4] {
    match turn {
        Turn::Angle(angle) => about(&V3::new(0.0, 0.0, 1.0), angle),
        Turn::Quaternion(p) => p,
    }
}

/// The quaternion of a rotation about an axis of length one.
fn about(axis: &V3, angle: f64) -> [f64; 4] {
    let (sin, cos) = libm::sincos(0.5 * angle);
    [cos, sin * axis.x, sin * axis.y, sin * axis.z]
}

fn quaternion_at(q: &[f64], at: usize) -> [f64; 4] {
    [q[at], q[at + 1], q[at + 2], q[at + 3]]
}

fn vector_at(x: &[f64], at: usize) -> V3 {
    V3::new(x[at], x[at + 1], x[at + 2])
}

impl Kinematics {
    /// A body or fixed body.
    pub(super) fn frame(&self, side: Side) -> Frame {
        match side {
            Side::Fixed(at) => self.anchors[at],
            Side::Body(body) => Frame {
                pose: self.poses[body],
                twist: self.twists[body],
                bias: self.bias[body],
                turn: self.turns[body],
            },
        }
    }

    fn set(&mut self, body: usize, frame: Frame) {
        self.poses[body] = frame.pose;
        self.twists[body] = frame.twist;
        self.bias[body] = frame.bias;
        self.turns[body] = frame.turn;
    }
}

impl Assembly {
    /// Poses, twists, biases and Jacobians from the roots to the leaves.
    pub(super) fn recursion(&self, q: &[f64], v: &[f64], t: f64, out: &mut Kinematics) {
        let bodies = self.nodes.len();
        out.poses.resize(bodies, Pose { centre: ZERO, rotation: M3::identity() });
        out.twists.resize(bodies, Twist::REST);
        out.bias.resize(bodies, [ZERO; 2]);
        out.turns.resize(bodies, Turn::Angle(0.0));
        out.jacobian.resize(self.columns.len(), [ZERO; 2]);
        out.rates.clear();
        out.rates.extend(self.coordinates.iter().map(|at| v[at.v]));
        out.anchors.clear();
        out.anchors.extend(self.anchors.iter().map(|anchor| anchor.frame(t)));
        for (body, node) in self.nodes.iter().enumerate() {
            match node.parent {
                None => self.root(body, node, q, v, out),
                Some(parent) => self.child(body, node, parent, q, v, out),
            }
        }
    }

    fn root(&self, body: usize, node: &Node, q: &[f64], v: &[f64], out: &mut Kinematics) {
        let (centre, velocity, spin, turn) = if self.planar {
            (
                V3::new(q[node.q], q[node.q + 1], 0.0),
                V3::new(v[node.v], v[node.v + 1], 0.0),
                V3::new(0.0, 0.0, v[node.v + 2]),
                Turn::Angle(q[node.q + 2]),
            )
        } else {
            (
                vector_at(q, node.q),
                vector_at(v, node.v),
                vector_at(v, node.v + 3),
                Turn::Quaternion(normalised(quaternion_at(q, node.q + 3))),
            )
        };
        out.set(
            body,
            Frame {
                pose: Pose { centre, rotation: rotation_of(turn) },
                twist: Twist { velocity, spin },
                bias: [ZERO; 2],
                turn,
            },
        );
        if node.alone {
            return;
        }
        let own = &mut out.jacobian[node.columns.clone()];
        let lengths = if self.planar { 2 } else { 3 };
        for (k, column) in own.iter_mut().enumerate() {
            let mut axis = ZERO;
            if k < lengths {
                axis[k] = 1.0;
                *column = [axis, ZERO];
            } else {
                axis[if self.planar { 2 } else { k - lengths }] = 1.0;
                *column = [ZERO, axis];
            }
        }
    }

    fn child(
        &self,
        body: usize,
        node: &Node,
        parent: Side,
        q: &[f64],
        v: &[f64],
        out: &mut Kinematics,
    ) {
        let base = out.frame(parent);
        let inherited = match parent {
            Side::Body(p) => self.nodes[p].columns.clone(),
            Side::Fixed(_) => 0..0,
        };
        let turned = &base.pose.rotation;
        let mut d1 = turned * node.arm;
        // What the joint adds to the angular velocity and to the velocity.
        let (mut spin, mut slide) = (ZERO, ZERO);
        let turn = match node.freedom {
            Freedom::Hinge(axis) => {
                spin = turned * axis * v[node.v];
                let by = match base.turn {
                    Turn::Angle(_) => Turn::Angle(axis.z * q[node.q]),
                    Turn::Quaternion(_) => Turn::Quaternion(about(&axis, q[node.q])),
                };
                after(base.turn, after(by, node.rest))
            }
            Freedom::Ball => {
                spin = turned * vector_at(v, node.v);
                after(base.turn, Turn::Quaternion(normalised(quaternion_at(q, node.q))))
            }
            Freedom::Slider(axis) => {
                let axis = turned * axis;
                d1 += axis * q[node.q];
                slide = axis * v[node.v];
                after(base.turn, node.rest)
            }
            Freedom::Weld | Freedom::Free | Freedom::Planar => after(base.turn, node.rest),
        };
        let rotation = rotation_of(turn);
        let d2 = rotation * node.offset;
        let w_p = base.twist.spin;
        let w = w_p + spin;
        let alpha_p = base.bias[1];
        let alpha = alpha_p + w_p.cross(&spin);
        out.set(
            body,
            Frame {
                pose: Pose { centre: base.pose.centre + d1 + d2, rotation },
                twist: Twist {
                    velocity: base.twist.velocity + w_p.cross(&d1) + w.cross(&d2) + slide,
                    spin: w,
                },
                bias: [
                    base.bias[0]
                        + alpha_p.cross(&d1)
                        + w_p.cross(&w_p.cross(&d1))
                        + w_p.cross(&slide) * 2.0
                        + alpha.cross(&d2)
                        + w.cross(&w.cross(&d2)),
                    alpha,
                ],
                turn,
            },
        );

        let lever = d1 + d2;
        let first = node.columns.start;
        let shared = inherited.len();
        for k in 0..shared {
            let [linear, angular] = out.jacobian[inherited.start + k];
            out.jacobian[first + k] = [linear + angular.cross(&lever), angular];
        }
        let own = &mut out.jacobian[first + shared..node.columns.end];
        match node.freedom {
            Freedom::Hinge(axis) => {
                let axis = turned * axis;
                own[0] = [axis.cross(&d2), axis];
            }
            Freedom::Ball => {
                for (k, column) in own.iter_mut().enumerate() {
                    let axis: V3 = turned.column(k).into();
                    *column = [axis.cross(&d2), axis];
                }
            }
            Freedom::Slider(axis) => own[0] = [turned * axis, ZERO],
            Freedom::Weld | Freedom::Free | Freedom::Planar => {}
        }
    }

    /// Adds `linear · J_v + angular · J_ω` of a body to a row.
    pub(super) fn add_columns(
        &self,
        kinematics: &Kinematics,
        body: usize,
        linear: &V3,
        angular: &V3,
        row: &mut [f64],
    ) {
        let node = &self.nodes[body];
        if node.alone {
            let row = &mut row[node.v..];
            (row[0], row[1]) = (row[0] + linear.x, row[1] + linear.y);
            if self.planar {
                row[2] += angular.z;
            } else {
                row[2] += linear.z;
                (0..3).for_each(|k| row[3 + k] += angular[k]);
            }
            return;
        }
        let of = node.columns.clone();
        for (&column, [v, w]) in self.columns[of.clone()].iter().zip(&kinematics.jacobian[of]) {
            row[column] += linear.dot(v) + angular.dot(w);
        }
    }

    /// [`Assembly::add_columns`] of either kind of body, times `sign`; fixed bodies have no columns.
    pub(super) fn add_side(
        &self,
        kinematics: &Kinematics,
        side: Side,
        linear: &V3,
        angular: &V3,
        row: &mut [f64],
    ) {
        if let Side::Body(body) = side {
            self.add_columns(kinematics, body, linear, angular, row);
        }
    }

    /// The acceleration of a body's centre of mass [m/s²].
    pub(super) fn centre_acceleration(
        &self,
        kinematics: &Kinematics,
        body: usize,
        acceleration: &[f64],
    ) -> V3 {
        let node = &self.nodes[body];
        let bias = kinematics.bias[body][0];
        if node.alone {
            let z = if self.planar { 0.0 } else { acceleration[node.v + 2] };
            return bias + V3::new(acceleration[node.v], acceleration[node.v + 1], z);
        }
        let of = node.columns.clone();
        self.columns[of.clone()]
            .iter()
            .zip(&kinematics.jacobian[of])
            .fold(bias, |sum, (&column, [v, _])| sum + v * acceleration[column])
    }

    pub(super) fn coordinate_scales(&self, length: f64, speed: f64, q: &mut [f64], v: &mut [f64]) {
        q.fill(1.0);
        v.fill(speed / length);
        for node in &self.nodes {
            let lengths = match node.freedom {
                Freedom::Free => 3,
                Freedom::Planar => 2,
                Freedom::Slider(_) => 1,
                Freedom::Ball | Freedom::Hinge(_) | Freedom::Weld => 0,
            };
            q[node.q..node.q + lengths].fill(length);
            v[node.v..node.v + lengths].fill(speed);
        }
    }

    pub(super) fn rates(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for node in &self.nodes {
            let lengths = node.freedom.quaternion();
            let plain = lengths.unwrap_or(node.freedom.positions());
            out[node.q..node.q + plain].copy_from_slice(&v[node.v..node.v + plain]);
            if let Some(at) = lengths {
                let p = normalised(quaternion_at(q, node.q + at));
                let rate = turned_by(p, &vector_at(v, node.v + at));
                out[node.q + at..node.q + at + 4].copy_from_slice(&rate);
            }
        }
    }

    pub(super) fn add_displacement(&self, q: &mut [f64], delta: &[f64]) {
        for node in &self.nodes {
            let quaternion = node.freedom.quaternion();
            for k in 0..quaternion.unwrap_or(node.freedom.positions()) {
                q[node.q + k] += delta[node.v + k];
            }
            if let Some(at) = quaternion {
                let p = normalised(quaternion_at(q, node.q + at));
                let change = turned_by(p, &vector_at(delta, node.v + at));
                let p = std::array::from_fn(|k| p[k] + change[k]);
                q[node.q + at..node.q + at + 4].copy_from_slice(&normalised(p));
            }
        }
    }

    pub(super) fn normalise_quaternions(&self, q: &mut [f64]) {
        for node in &self.nodes {
            if let Some(at) = node.freedom.quaternion() {
                let p = normalised(quaternion_at(q, node.q + at));
                q[node.q + at..node.q + at + 4].copy_from_slice(&p);
            }
        }
    }
}

/// `½ (0, ω) ⊗ p`.
fn turned_by(p: [f64; 4], spin: &V3) -> [f64; 4] {
    product([0.0, 0.5 * spin.x, 0.5 * spin.y, 0.5 * spin.z], p)
}
