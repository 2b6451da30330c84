//! Contact problems from rigid bodies, planar or spatial.

use super::body::{Body, Placed};
use super::frame::Dimension;
use super::generalized::Generalized;
use super::joint::{Along, Joint};
use super::mass::MassMatrix;
use super::sparse::SparseVec;
use crate::contact::Separating;
use crate::{ContactProblem, ContactSpec, ImpactError, Tolerances};
use nalgebra::Vector3;

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
    /// Where they touch, in the world frame [m].
    pub point: Vec<f64>,
    /// From A to B, in the world frame, of any length [1].
    pub normal: Vec<f64>,
    /// The first tangent in place of the default, of any length; its part along the normal is dropped [1].
    pub tangent: Option<Vec<f64>>,
    /// Friction, restitution and how many rows: 1 is the normal alone, 2 adds the first tangent, 3 the second.
    pub spec: ContactSpec,
}

/// Rigid bodies, the joints that hold them together and the contacts at which they strike.
#[derive(Clone, Debug)]
pub struct Bodies {
    dimension: Dimension,
    bodies: Vec<Placed>,
    /// Where the coordinates of each body begin.
    first: Vec<usize>,
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
    /// The change of the free bodies' kinetic energy [J].
    pub kinetic_energy_change: f64,
    /// What is missing in the balance of momentum, see
    /// [`Aftermath::momentum_residual`](super::Aftermath::momentum_residual) [1].
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
            .map(|(i, body)| {
                body.placed(dimension)
                    .map_err(|e| e.within(&format!("bodies[{i}]")))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut builder = Builder::new(&bodies);
        for (k, contact) in contacts.iter().enumerate() {
            builder
                .add_contact(contact, dimension)
                .map_err(|e| e.within(&format!("contacts[{k}]")))?;
        }
        for (k, joint) in joints.iter().enumerate() {
            builder
                .add_joint(joint, dimension)
                .map_err(|e| e.within(&format!("joints[{k}]")))?;
        }
        let Builder {
            first,
            contact_rows,
            joint_rows,
            ..
        } = builder;
        let specs = contacts.iter().map(|contact| contact.spec).collect();
        let mut system = Generalized::from_rows(
            MassMatrix::Diagonal(masses(&bodies)),
            velocities(&bodies),
            contact_rows.rows,
            specs,
            contact_rows.drive,
        )?;
        if !joint_rows.rows.is_empty() {
            system = system.with_bilateral_rows(joint_rows.rows, joint_rows.drive)?;
        }
        Ok(Self {
            dimension,
            bodies,
            first,
            system,
        })
    }

    /// The same system with another treatment of contacts that separate.
    pub fn with_separating(self, separating: Separating) -> Result<Self, ImpactError> {
        let system = self.system.with_separating(separating)?;
        Ok(Self { system, ..self })
    }

    /// The system as its contacts see it, each in its own frame.
    pub fn problem(&self) -> &ContactProblem {
        self.system.problem()
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

/// Rows of one matrix and what prescribed motion adds to their velocities.
#[derive(Default)]
struct Rows {
    rows: Vec<SparseVec>,
    drive: Vec<f64>,
}

/// Collects the rows of contacts and joints.
struct Builder<'a> {
    bodies: &'a [Placed],
    first: Vec<usize>,
    contact_rows: Rows,
    joint_rows: Rows,
}

impl<'a> Builder<'a> {
    fn new(bodies: &'a [Placed]) -> Self {
        let mut next = 0;
        let first = bodies
            .iter()
            .map(|body| {
                let first = next;
                next += body.coordinates.len();
                first
            })
            .collect();
        Self {
            bodies,
            first,
            contact_rows: Rows::default(),
            joint_rows: Rows::default(),
        }
    }

    fn add_contact(
        &mut self,
        contact: &BodyContact,
        dimension: Dimension,
    ) -> Result<(), ImpactError> {
        self.check_pair(contact.a, contact.b, "a contact")?;
        let rows = contact.spec.rows;
        if !(1..=dimension.size()).contains(&rows) {
            let reason = format!("must lie between 1 and {}", dimension.size());
            return Err(ImpactError::bad_problem("rows", rows, reason));
        }
        let point = dimension.vector("point", &contact.point)?;
        let normal = dimension.unit("normal", &contact.normal)?;
        let tangents = match &contact.tangent {
            Some(tangent) => dimension.tangents_along("tangent", &normal, tangent)?,
            None => dimension.tangents(&normal),
        };
        for direction in std::iter::once(normal).chain(tangents).take(rows) {
            let (row, drive) = self.row(contact.a, contact.b, Along::Line { point, direction })?;
            self.contact_rows.rows.push(row);
            self.contact_rows.drive.push(drive);
        }
        Ok(())
    }

    fn add_joint(&mut self, joint: &Joint, dimension: Dimension) -> Result<(), ImpactError> {
        self.check_pair(joint.a, joint.b, "a joint")?;
        for along in joint.forbidden(dimension)? {
            let (row, drive) = self.row(joint.a, joint.b, along)?;
            self.joint_rows.rows.push(row);
            self.joint_rows.drive.push(drive);
        }
        Ok(())
    }

    fn check_pair(&self, a: usize, b: usize, what: &str) -> Result<(), ImpactError> {
        for (field, index) in [("a", a), ("b", b)] {
            if index >= self.bodies.len() {
                let reason = format!("there are {} bodies, counted from 0", self.bodies.len());
                return Err(ImpactError::bad_problem(field, index, reason));
            }
        }
        if a == b {
            let reason = format!("{what} joins two different bodies");
            return Err(ImpactError::bad_problem("b", b, reason));
        }
        if self.bodies[a].is_fixed() && self.bodies[b].is_fixed() {
            let reason = format!(
                "`{}` and `{}` are both fixed: no impulse can move them",
                self.bodies[a].name, self.bodies[b].name
            );
            return Err(ImpactError::bad_problem("b", b, reason));
        }
        Ok(())
    }

    /// The row that measures the motion of B against A, and the part of it that is prescribed.
    fn row(&self, a: usize, b: usize, along: Along) -> Result<(SparseVec, f64), ImpactError> {
        let mut entries = Vec::new();
        let mut drive = 0.0;
        for (index, sign) in [(a, -1.0), (b, 1.0)] {
            let body = &self.bodies[index];
            let (force, moment) = at_body(&along, body);
            if body.is_fixed() {
                drive += sign * (force.dot(&body.velocity) + moment.dot(&body.spin));
                continue;
            }
            check_unexcited(&along, body, &moment)?;
            entries.extend(body.coordinates.iter().enumerate().map(|(i, coordinate)| {
                let part = if coordinate.angular { &moment } else { &force };
                (
                    self.first[index] + i,
                    sign * part.dot(&coordinate.direction),
                )
            }));
        }
        Ok((SparseVec::from_entries(entries), drive))
    }
}

/// The force and the moment about the centre of mass that a unit impulse along the row gives the body.
fn at_body(along: &Along, body: &Placed) -> (Vector3<f64>, Vector3<f64>) {
    match along {
        Along::Line { point, direction } => (*direction, (point - body.position).cross(direction)),
        Along::Axis(axis) => (Vector3::zeros(), *axis),
    }
}

/// Refuses a moment about an axis without inertia: no finite impulse would have a finite effect.
fn check_unexcited(along: &Along, body: &Placed, moment: &Vector3<f64>) -> Result<(), ImpactError> {
    let tolerances = Tolerances::NOMINAL;
    // A moment is nothing if it is small against the lever arm, or if the lever arm itself is rounding.
    let nothing = match along {
        Along::Line { point, .. } => {
            tolerances.class * (point - body.position).norm()
                + tolerances.residual * (point.norm() + body.position.norm())
        }
        Along::Axis(_) => tolerances.class,
    };
    match body
        .massless
        .iter()
        .find(|axis| moment.dot(axis).abs() > nothing)
    {
        Some(axis) => Err(ImpactError::bad_problem(
            "point",
            format!(
                "moment {} about the axis {:?}",
                moment.dot(axis),
                axis.as_slice()
            ),
            format!(
                "`{}` has no inertia about this axis: give it some, or let the impulse pass through it",
                body.name
            ),
        )),
        None => Ok(()),
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

fn masses(bodies: &[Placed]) -> Vec<f64> {
    let coordinates = bodies.iter().flat_map(|body| &body.coordinates);
    coordinates.map(|coordinate| coordinate.inertia).collect()
}

fn velocities(bodies: &[Placed]) -> Vec<f64> {
    bodies
        .iter()
        .flat_map(|body| {
            body.coordinates.iter().map(|coordinate| {
                let motion = if coordinate.angular {
                    &body.spin
                } else {
                    &body.velocity
                };
                motion.dot(&coordinate.direction)
            })
        })
        .collect()
}
