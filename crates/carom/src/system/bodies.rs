//! Contact problems from rigid bodies, planar or spatial.

use super::assembly::{Builder, direction_rounding};
use super::body::{Body, CheckedBody, Coordinate};
use super::frame::Dimension;
use super::generalized::{Generalized, Joints};
use super::joint::Joint;
use super::mass::MassMatrix;
use super::placement::{PlacedBody, PlacedContact, PlacedJoint};
use super::precise::Inexact;
use crate::contact::{Motion, Separating};
use crate::{ContactProblem, ContactSpec, ImpactError};
use nalgebra::Vector3;
use std::ops::Range;

/// A contact between two bodies.
///
/// Its frame is (n, t1, t2), right-handed. In space `t1` is the projection on the tangent plane of the world axis
/// least aligned with the normal (x before y before z) and `t2 = n × t1`; in the plane `t` is the normal turned by
/// +90°. A fixed obstacle is A.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyContact {
    /// Index of body A, on which `−p` acts.
    pub a: usize,
    /// Index of body B, on which `p` acts.
    pub b: usize,
    /// Where they touch, in the world frame \[m\].
    pub point: Vec<f64>,
    /// From A to B, in the world frame, of any length \[1\].
    pub normal: Vec<f64>,
    /// The first tangent in place of the default, of any length; its part along the normal is dropped \[1\].
    pub tangent: Option<Vec<f64>>,
    /// Friction, restitution and how many rows: 1 is the normal alone, 2 adds the first tangent, 3 the second.
    pub spec: ContactSpec,
}

/// Rigid bodies, the joints that hold them together and the contacts at which they strike.
///
/// ```
/// use carom::system::{Bodies, Body, BodyContact, Inertia, Motion, Orientation};
/// use carom::{ContactSpec, Law, Material};
///
/// // A disk of 2 kg and radius 0.5 m, spinning, falls on a conveyor that runs to the right at 1 m/s.
/// let conveyor = Body {
///     name: "conveyor".into(),
///     motion: Motion::Fixed,
///     position: vec![0.0, 0.0],
///     orientation: Orientation::Identity,
///     velocity: vec![1.0, 0.0],
///     angular_velocity: vec![0.0],
/// };
/// let disk = Body {
///     name: "disk".into(),
///     motion: Motion::Free { mass: 2.0, inertia: Inertia::Planar(0.25) },
///     position: vec![0.0, 0.5],
///     velocity: vec![0.0, -3.0],
///     angular_velocity: vec![4.0],
///     ..conveyor.clone()
/// };
/// let contact = BodyContact {
///     a: 0,
///     b: 1,
///     point: vec![0.0, 0.0],
///     normal: vec![0.0, 1.0],
///     tangent: None,
///     spec: ContactSpec::new(2, Material::new(0.1, 0.5)?),
/// };
/// let system = Bodies::new(vec![conveyor, disk], vec![], vec![contact])?;
///
/// let answer = carom::resolve(&system, &Law::from_id("chatterjee-ruina")?)?;
/// let bodies = answer.after.bodies.unwrap_or_default();
/// assert!((bodies[1].velocity[1] - 1.5).abs() < 1e-15);
/// # Ok::<(), carom::ImpactError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bodies {
    dimension: Dimension,
    bodies: Vec<CheckedBody>,
    /// Where the coordinates of each body begin.
    first: Vec<usize>,
    contacts: Vec<PlacedContact>,
    joints: Vec<PlacedJoint>,
    system: Generalized,
}

/// The velocity of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyVelocity {
    /// Velocity of the centre of mass, 2 or 3 numbers [m/s].
    pub velocity: Vec<f64>,
    /// Angular velocity, 1 or 3 numbers [rad/s].
    pub angular_velocity: Vec<f64>,
}

/// The velocities of all bodies after an impact, and how well they keep the laws of mechanics.
#[derive(Clone, Debug, PartialEq)]
pub struct BodiesAfter {
    /// One per body, fixed ones included.
    pub bodies: Vec<BodyVelocity>,
    /// The joints' impulse on their body B, joint by joint, forces before moments, each along the world axes or
    /// across the joint's axis; of least norm if the joints are redundant [N·s or N·m·s].
    pub bilateral_impulse: Vec<f64>,
    /// The change of the free bodies' kinetic energy \[J\].
    pub kinetic_energy_change: f64,
    /// What is missing in the balance of momentum, see
    /// [`Aftermath::momentum_residual`](super::Aftermath::momentum_residual) \[1\].
    pub momentum_residual: f64,
    /// The largest velocity after the impact that a joint forbids [m/s or rad/s].
    pub bilateral_residual: f64,
}

impl Bodies {
    /// A system from its bodies, the joints between them and their contacts. Joints and contacts name bodies by
    /// index.
    pub fn new(
        bodies: Vec<Body>,
        joints: Vec<Joint>,
        contacts: Vec<BodyContact>,
    ) -> Result<Self, ImpactError> {
        let dimension = common_dimension(&bodies)?;
        let bodies = bodies
            .iter()
            .enumerate()
            .map(|(i, body)| body.checked(dimension).map_err(|e| e.within(&format!("bodies[{i}]"))))
            .collect::<Result<Vec<_>, _>>()?;
        let mut builder = Builder::new(&bodies);
        let within = |list: &str, k: usize| format!("{list}[{k}]");
        let contacts = contacts
            .iter()
            .enumerate()
            .map(|(k, contact)| {
                builder
                    .add_contact(contact, dimension)
                    .map_err(|e| e.within(&within("contacts", k)))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let placed_joints = joints
            .iter()
            .enumerate()
            .map(|(k, joint)| {
                builder.add_joint(joint, dimension).map_err(|e| e.within(&within("joints", k)))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let Builder { first, contact_rows, joint_rows, contact_off, joint_off, joints, .. } =
            builder;
        let inexact = Inexact {
            contacts: Some((contact_off.rows, contact_off.drive)),
            joints: Some((joint_off.rows, joint_off.drive)),
            velocity: velocity_rounding(&bodies),
            inertia: inertia_rounding(&bodies, &first),
        };
        let specs = contacts.iter().map(|contact| contact.spec).collect();
        let system = Generalized::from_rows(
            MassMatrix::Diagonal(masses(&bodies)),
            velocities(&bodies),
            specs,
            contact_rows,
            Joints { rows: joint_rows, groups: joints },
        )?
        .with_inexact(inexact);
        Ok(Self { dimension, bodies, first, contacts, joints: placed_joints, system })
    }

    /// The same system with another treatment of contacts that separate.
    pub fn with_separating(self, separating: Separating) -> Result<Self, ImpactError> {
        let system = self.system.with_separating(separating)?;
        Ok(Self { system, ..self })
    }

    /// The same bodies; contacts with a larger gap take no part \[m\].
    pub fn with_proximity(self, proximity: f64) -> Result<Self, ImpactError> {
        let system = self.system.with_proximity(proximity)?;
        Ok(Self { system, ..self })
    }

    /// Whether they live in the plane.
    pub fn is_planar(&self) -> bool {
        self.dimension == Dimension::Planar
    }

    /// The bodies where they stand.
    pub fn placed_bodies(&self) -> impl ExactSizeIterator<Item = PlacedBody> {
        self.bodies.iter().map(PlacedBody::of)
    }

    /// The contacts where they stand.
    pub fn placed_contacts(&self) -> &[PlacedContact] {
        &self.contacts
    }

    /// The joints where they stand.
    pub fn placed_joints(&self) -> &[PlacedJoint] {
        &self.joints
    }

    /// The system as its contacts see it, each in its own frame.
    pub fn problem(&self) -> &ContactProblem {
        self.system.problem()
    }

    /// The velocities before the impact.
    pub fn velocities(&self) -> Vec<BodyVelocity> {
        self.bodies
            .iter()
            .map(|body| BodyVelocity {
                velocity: self.dimension.components(&body.velocity),
                angular_velocity: self.dimension.spin_components(&body.spin),
            })
            .collect()
    }

    /// How far apart two lists of the bodies' velocities are: the root of twice the kinetic energy of their difference,
    /// fixed bodies left out. Numbers that are not there are zeros [√J].
    pub fn kinetic_distance(&self, one: &[BodyVelocity], other: &[BodyVelocity]) -> f64 {
        let still = BodyVelocity { velocity: Vec::new(), angular_velocity: Vec::new() };
        let mut square = 0.0;
        for (k, body) in self.bodies.iter().enumerate() {
            let (one, other) = (one.get(k).unwrap_or(&still), other.get(k).unwrap_or(&still));
            let difference = |a: &[f64], b: &[f64], i: usize| {
                a.get(i).copied().unwrap_or(0.0) - b.get(i).copied().unwrap_or(0.0)
            };
            let straight = Vector3::from_fn(|i, _| difference(&one.velocity, &other.velocity, i));
            let (a, b) = (&one.angular_velocity, &other.angular_velocity);
            let turning = match self.dimension {
                Dimension::Planar => Vector3::new(0.0, 0.0, difference(a, b, 0)),
                Dimension::Spatial => Vector3::from_fn(|i, _| difference(a, b, i)),
            };
            for coordinate in &body.coordinates {
                let motion = if coordinate.angular { &turning } else { &straight };
                let v = motion.dot(&coordinate.direction);
                square += coordinate.inertia * v * v;
            }
        }
        f64::sqrt(square)
    }

    pub(super) fn motion(&self, impulse: &[f64]) -> Option<Motion> {
        self.system.motion(impulse)
    }

    /// The velocities after an impulse at the contacts (R numbers, contact by contact, normal first [N·s]).
    pub fn after(&self, impulse: &[f64]) -> Result<BodiesAfter, ImpactError> {
        let change = self.system.change(impulse)?;
        let bodies = self
            .bodies
            .iter()
            .zip(&self.first)
            .map(|(body, &first)| {
                let (mut velocity, mut spin) = (body.velocity, body.spin);
                for (coordinate, change) in body.coordinates.iter().zip(&change.velocity[first..]) {
                    let part = coordinate.direction * *change;
                    if coordinate.angular {
                        spin += part;
                    } else {
                        velocity += part;
                    }
                }
                BodyVelocity {
                    velocity: self.dimension.components(&velocity),
                    angular_velocity: self.dimension.spin_components(&spin),
                }
            })
            .collect();
        let aftermath = self.system.aftermath(impulse, change)?;
        Ok(BodiesAfter {
            bodies,
            bilateral_impulse: aftermath.bilateral_impulse,
            kinetic_energy_change: aftermath.kinetic_energy_change,
            momentum_residual: aftermath.momentum_residual,
            bilateral_residual: aftermath.bilateral_residual,
        })
    }
}

/// The dimension that the first position shows.
fn common_dimension(bodies: &[Body]) -> Result<Dimension, ImpactError> {
    let shown = bodies.iter().position(|body| !body.position.is_empty());
    let Some(i) = shown else {
        return Err(ImpactError::bad_problem(
            "bodies",
            format!("{} bodies", bodies.len()),
            "at least one body with a position is needed",
        ));
    };
    match bodies[i].position.len() {
        2 => Ok(Dimension::Planar),
        3 => Ok(Dimension::Spatial),
        other => Err(ImpactError::bad_problem(
            format!("bodies[{i}].position"),
            format!("{other} numbers"),
            "must be 2 numbers in the plane, 3 in space",
        )),
    }
}

fn masses(bodies: &[CheckedBody]) -> Vec<f64> {
    let coordinates = bodies.iter().flat_map(|body| &body.coordinates);
    coordinates.map(|coordinate| coordinate.inertia).collect()
}

fn velocities(bodies: &[CheckedBody]) -> Vec<f64> {
    bodies
        .iter()
        .flat_map(|body| {
            body.coordinates.iter().map(|coordinate| {
                let motion = if coordinate.angular { &body.spin } else { &body.velocity };
                motion.dot(&coordinate.direction)
            })
        })
        .collect()
}

/// How far the velocities along principal axes can be from exact ones.
fn velocity_rounding(bodies: &[CheckedBody]) -> Vec<f64> {
    let of = |body: &CheckedBody, coordinate: &Coordinate| {
        let off = direction_rounding(&coordinate.direction);
        let summed = if off > 0.0 { off + 4.0 * f64::EPSILON } else { 0.0 };
        let motion = if coordinate.angular { &body.spin } else { &body.velocity };
        summed * motion.abs().sum()
    };
    bodies.iter().flat_map(|body| body.coordinates.iter().map(|c| of(body, c))).collect()
}

/// How far principal moments that were computed, with axes along no axis, can be from the tensor that was given.
fn inertia_rounding(bodies: &[CheckedBody], first: &[usize]) -> Vec<(Range<usize>, f64)> {
    let turned = |body: &CheckedBody| {
        body.coordinates.iter().any(|c| c.angular && direction_rounding(&c.direction) > 0.0)
    };
    bodies
        .iter()
        .zip(first)
        .filter(|(body, _)| turned(body))
        .map(|(body, first)| {
            let linear = body.coordinates.iter().filter(|c| !c.angular).count();
            let moments = body.coordinates.iter().filter(|c| c.angular).map(|c| c.inertia);
            let largest = moments.fold(0.0, f64::max);
            (first + linear..first + body.coordinates.len(), 16.0 * f64::EPSILON * largest)
        })
        .collect()
}
