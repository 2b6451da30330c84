//! From bodies, contacts and joints to rows of Jacobians.

use super::bodies::BodyContact;
use super::body::CheckedBody;
use super::frame::Dimension;
use super::joint::{Along, Joint};
use super::placement::{PlacedContact, PlacedJoint, array};
use super::sparse::Rows;
use crate::contact::JointShape;
use crate::{ImpactError, Tolerances};
use nalgebra::Vector3;

/// Collects the rows of contacts and joints.
pub(super) struct Builder<'a> {
    bodies: &'a [CheckedBody],
    /// Where the coordinates of each body begin.
    pub(super) first: Vec<usize>,
    pub(super) contact_rows: Rows,
    pub(super) joint_rows: Rows,
    /// How far the entries of the rows, and their drives, can be from exact ones.
    pub(super) contact_off: Rows,
    pub(super) joint_off: Rows,
    pub(super) joints: Vec<JointShape>,
}

/// A row under way.
#[derive(Default)]
struct Measure {
    entries: Vec<(usize, f64)>,
    drive: f64,
    /// How far the entries can be from exact ones.
    off: Vec<(usize, f64)>,
    drive_off: f64,
}

impl<'a> Builder<'a> {
    pub(super) fn new(bodies: &'a [CheckedBody]) -> Self {
        let mut next = 0;
        let first: Vec<usize> = bodies
            .iter()
            .map(|body| {
                let first = next;
                next += body.coordinates.len();
                first
            })
            .collect();
        let [contact_rows, joint_rows, contact_off, joint_off] = [0; 4].map(|_| Rows::new(next));
        Self { bodies, first, contact_rows, joint_rows, contact_off, joint_off, joints: Vec::new() }
    }

    pub(super) fn add_contact(
        &mut self,
        contact: &BodyContact,
        dimension: Dimension,
    ) -> Result<PlacedContact, ImpactError> {
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
        let mut frame = Vec::with_capacity(rows);
        for direction in std::iter::once(normal).chain(tangents).take(rows) {
            let mut row = self.row(contact.a, contact.b, Along::Line { point, direction })?;
            self.contact_rows.push(&mut row.entries, row.drive);
            self.contact_off.push(&mut row.off, row.drive_off);
            frame.push(array(&direction));
        }
        let (a, b) = (contact.a, contact.b);
        Ok(PlacedContact { a, b, point: array(&point), frame, spec: contact.spec })
    }

    pub(super) fn add_joint(
        &mut self,
        joint: &Joint,
        dimension: Dimension,
    ) -> Result<PlacedJoint, ImpactError> {
        self.check_pair(joint.a, joint.b, "a joint")?;
        let forbidden = joint.forbidden(dimension)?;
        for along in &forbidden {
            let mut row = self.row(joint.a, joint.b, *along)?;
            self.joint_rows.push(&mut row.entries, row.drive);
            self.joint_off.push(&mut row.off, row.drive_off);
        }
        let point = dimension.vector("point", &joint.point)?;
        let placed = PlacedJoint::new(joint.kind, [joint.a, joint.b], &point, &forbidden);
        self.joints.push(JointShape { lines: placed.lines.len(), axes: placed.axes.len() });
        Ok(placed)
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
    fn row(&self, a: usize, b: usize, along: Along) -> Result<Measure, ImpactError> {
        let mut row = Measure::default();
        for (index, sign) in [(a, -1.0), (b, 1.0)] {
            let body = &self.bodies[index];
            let (force, moment) = at_body(&along, body);
            let (force_off, moment_off) = rounding_at(&along, body);
            if body.is_fixed() {
                row.drive += sign * (force.dot(&body.velocity) + moment.dot(&body.spin));
                let of = |exact: &Vector3<f64>, off: &Vector3<f64>, motion: &Vector3<f64>| {
                    (exact.abs() * (4.0 * f64::EPSILON) + off).dot(&motion.abs())
                };
                row.drive_off +=
                    of(&force, &force_off, &body.velocity) + of(&moment, &moment_off, &body.spin);
                continue;
            }
            check_unexcited(&along, body, &moment)?;
            for (i, coordinate) in body.coordinates.iter().enumerate() {
                let (part, off) = match coordinate.angular {
                    true => (&moment, &moment_off),
                    false => (&force, &force_off),
                };
                let at = self.first[index] + i;
                row.entries.push((at, sign * part.dot(&coordinate.direction)));
                let turned = direction_rounding(&coordinate.direction);
                let summed = if turned > 0.0 { turned + 4.0 * f64::EPSILON } else { 0.0 };
                let off = off.dot(&coordinate.direction.abs()) + summed * part.abs().sum();
                row.off.push((at, off));
            }
        }
        Ok(row)
    }
}

/// How far each component of a unit direction can be from the exact one: not at all along an axis \[1\].
pub(super) fn direction_rounding(direction: &Vector3<f64>) -> f64 {
    let along_axis = direction.iter().all(|x| *x == 0.0 || x.abs() == 1.0);
    if along_axis { 0.0 } else { 8.0 * f64::EPSILON }
}

/// How far [`at_body`] can be from the exact force and moment.
fn rounding_at(along: &Along, body: &CheckedBody) -> (Vector3<f64>, Vector3<f64>) {
    match along {
        Along::Line { point, direction } => {
            let off = direction_rounding(direction);
            let arm = (point - body.position).abs();
            let d = direction.abs();
            let moment = Vector3::from_fn(|i, _| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                off * (arm[j] + arm[k]) + 3.0 * f64::EPSILON * (arm[j] * d[k] + arm[k] * d[j])
            });
            (Vector3::repeat(off), moment)
        }
        Along::Axis(axis) => (Vector3::zeros(), Vector3::repeat(direction_rounding(axis))),
    }
}

/// The force and the moment about the centre of mass that a unit impulse along the row gives the body.
fn at_body(along: &Along, body: &CheckedBody) -> (Vector3<f64>, Vector3<f64>) {
    match along {
        Along::Line { point, direction } => (*direction, (point - body.position).cross(direction)),
        Along::Axis(axis) => (Vector3::zeros(), *axis),
    }
}

/// Refuses a moment about an axis without inertia: no finite impulse would have a finite effect.
fn check_unexcited(
    along: &Along,
    body: &CheckedBody,
    moment: &Vector3<f64>,
) -> Result<(), ImpactError> {
    let tolerances = Tolerances::NOMINAL;
    // A moment is nothing if it is small against the lever arm, or if the lever arm itself is rounding.
    let (field, nothing) = match along {
        Along::Line { point, .. } => {
            let rounding = tolerances.residual * (point.norm() + body.position.norm());
            let arm = (point - body.position).norm();
            ("point", tolerances.class * arm + rounding)
        }
        Along::Axis(_) => ("kind", tolerances.class),
    };
    match body.massless.iter().find(|axis| moment.dot(axis).abs() > nothing) {
        Some(axis) => Err(ImpactError::bad_problem(
            field,
            format!("moment {} about the axis {:?}", moment.dot(axis), axis.as_slice()),
            format!(
                "`{}` has no inertia about this axis: give it some, or let the impulse pass through it",
                body.name
            ),
        )),
        None => Ok(()),
    }
}
