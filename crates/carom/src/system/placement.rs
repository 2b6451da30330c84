//! Where bodies, contacts and joints stand at the moment of impact, as plain numbers: what a simulation needs to follow
//! the bodies through it.

use super::body::CheckedBody;
use super::joint::{Along, JointKind};
use crate::ContactSpec;
use nalgebra::Vector3;

/// A body at the moment of impact, in the world frame. The plane is the plane z = 0 of space.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedBody {
    /// How messages call it.
    pub name: String,
    /// Centre of mass \[m\].
    pub position: [f64; 3],
    /// Of the centre of mass [m/s].
    pub velocity: [f64; 3],
    /// In the world frame [rad/s].
    pub angular_velocity: [f64; 3],
    /// Absent for a fixed body, whose velocities are prescribed.
    pub inertia: Option<PlacedInertia>,
}

/// The mass of a free body and how it is spread.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedInertia {
    /// Above zero \[kg\].
    pub mass: f64,
    /// Three in space, the plane's normal alone in the plane.
    pub axes: Vec<PrincipalAxis>,
}

/// A principal axis of a body's inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalAxis {
    /// Unit direction in the world frame; a body's axes are orthogonal \[1\].
    pub direction: [f64; 3],
    /// Zero where no moment can act, as along an ideal rod [kg·m²].
    pub moment: f64,
}

/// A contact at the moment of impact, in the world frame.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedContact {
    /// Index of body A, which the normal leaves.
    pub a: usize,
    /// Index of body B, on which the impulse acts.
    pub b: usize,
    /// Where they touch \[m\].
    pub point: [f64; 3],
    /// Unit directions of its rows, normal first, as many as the contact has rows \[1\].
    pub frame: Vec<[f64; 3]>,
    /// Friction, restitution, gap.
    pub spec: ContactSpec,
}

/// A joint at the moment of impact, in the world frame.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedJoint {
    /// What it lets free.
    pub kind: JointKind,
    /// Index of the first body.
    pub a: usize,
    /// Index of the second body.
    pub b: usize,
    /// A point of the joint \[m\].
    pub point: [f64; 3],
    /// Unit directions along which the bodies' points do not part \[1\].
    pub lines: Vec<[f64; 3]>,
    /// Unit axes about which the bodies do not turn against each other \[1\].
    pub axes: Vec<[f64; 3]>,
}

impl PlacedBody {
    pub(super) fn of(body: &CheckedBody) -> Self {
        let axis = |direction: &Vector3<f64>, moment: f64| PrincipalAxis {
            direction: array(direction),
            moment,
        };
        let mass = body.coordinates.iter().find(|coordinate| !coordinate.angular);
        let inertia = mass.map(|coordinate| {
            let angular = body.coordinates.iter().filter(|coordinate| coordinate.angular);
            let turning = angular.map(|c| axis(&c.direction, c.inertia));
            let massless = body.massless.iter().map(|direction| axis(direction, 0.0));
            PlacedInertia { mass: coordinate.inertia, axes: turning.chain(massless).collect() }
        });
        Self {
            name: body.name.clone(),
            position: array(&body.position),
            velocity: array(&body.velocity),
            angular_velocity: array(&body.spin),
            inertia,
        }
    }
}

impl PlacedJoint {
    pub(super) fn new(
        kind: JointKind,
        [a, b]: [usize; 2],
        point: &Vector3<f64>,
        forbidden: &[Along],
    ) -> Self {
        let mut joint =
            Self { kind, a, b, point: array(point), lines: Vec::new(), axes: Vec::new() };
        for along in forbidden {
            match along {
                Along::Line { direction, .. } => joint.lines.push(array(direction)),
                Along::Axis(axis) => joint.axes.push(array(axis)),
            }
        }
        joint
    }
}

pub(super) fn array(v: &Vector3<f64>) -> [f64; 3] {
    [v.x, v.y, v.z]
}
