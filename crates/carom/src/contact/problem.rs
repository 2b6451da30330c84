//! Any number of contacts that share one matrix and one velocity.

use super::delassus::{check_definite, check_symmetric};
use super::joints::JointRows;
use super::operator::{Gram, Operator};
use super::summary::Summary;
use super::{Contact, ContactVec, Delassus, Material};
use crate::numerics::factor::Factor;
use crate::{ImpactError, Tolerances};
use nalgebra::DMatrix;
use std::ops::Range;
use std::sync::Arc;

/// Whether a contact can only push, or holds both ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactKind {
    /// `p_n ≥ 0`, and Coulomb's disk on the tangential rows.
    #[default]
    Unilateral,
    /// No sign and no cone: a hinge that is treated as an impact.
    Bilateral,
}

/// What to do with contacts whose bodies already separate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Separating {
    /// They are observers: not loaded unless the others close them.
    #[default]
    Observe,
    /// They are an error in the input.
    Refuse,
}

/// One contact of a [`ContactProblem`]: which rows it owns and what its surfaces are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSpec {
    /// Rows it owns: 1 (normal only), 2 (planar) or 3.
    pub rows: usize,
    /// Whether it can only push.
    pub kind: ContactKind,
    /// Friction and restitution.
    pub material: Material,
    /// Distance between the surfaces, negative where they overlap \[m\].
    pub gap: f64,
}

impl ContactSpec {
    /// A touching unilateral contact.
    pub fn new(rows: usize, material: Material) -> Self {
        Self { rows, kind: ContactKind::Unilateral, material, gap: 0.0 }
    }

    /// The contact itself if every number is in range, else what is not.
    pub fn validated(self) -> Result<Self, ImpactError> {
        if !(1..=3).contains(&self.rows) {
            return Err(ImpactError::bad_problem("rows", self.rows, "must be 1, 2 or 3"));
        }
        self.material.validated()?;
        if !self.gap.is_finite() {
            return Err(ImpactError::bad_problem("gap", self.gap, "must be finite"));
        }
        Ok(self)
    }

    /// Whether it can only push.
    pub(crate) fn pushes(&self) -> bool {
        self.kind == ContactKind::Unilateral
    }
}

/// Contacts that each own 1, 2 or 3 consecutive rows of one `W` and one `u`.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactProblem {
    delassus: Operator,
    velocity: Vec<f64>,
    drive: Vec<f64>,
    contacts: Vec<ContactSpec>,
    first_rows: Vec<usize>,
    summary: Summary,
    separating: Separating,
    proximity: f64,
    /// Whether `u⁻` may be one that no motion of the masses has: some of it is prescribed, or typed.
    inconsistent: bool,
    joints: Option<Arc<JointRows>>,
}

impl ContactProblem {
    /// Where nothing else is said, contacts whose surfaces are further apart take no part \[m\]. A millimetre: collision
    /// detectors place contacts to between 1e-6 and 1e-3 m, and a body at 1 m/s needs no more than a millisecond for it.
    pub const PROXIMITY: f64 = 1e-3;

    /// A problem from `W` (row by row, R·R numbers [1/kg]), `u⁻` (R numbers [m/s]) and its contacts, in order.
    pub fn new(
        delassus: &[f64],
        velocity: &[f64],
        contacts: &[ContactSpec],
    ) -> Result<Self, ImpactError> {
        Self::with_tolerances(delassus, velocity, contacts, &Tolerances::NOMINAL)
    }

    /// Like [`ContactProblem::new`], with other tolerances for symmetry and definiteness.
    pub fn with_tolerances(
        delassus: &[f64],
        velocity: &[f64],
        contacts: &[ContactSpec],
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        let first_rows = first_rows(contacts, velocity)?;
        let rows = velocity.len();
        if delassus.len() != rows * rows {
            return Err(wrong_length("delassus", delassus.len(), rows * rows));
        }
        check_symmetric("delassus", rows, |i, j| delassus[i * rows + j], tolerances)?;
        let delassus = DMatrix::from_fn(rows, rows, |i, j| {
            let (a, b) = (delassus[i * rows + j], delassus[j * rows + i]);
            if i == j { a } else { 0.5 * (a + b) }
        });
        // No need for eigenvalues, which cost far more; the largest is no less than the largest diagonal entry.
        let factor = Factor::new(&delassus, tolerances.rank);
        let curvature = factor.negative_curvature(&delassus);
        check_definite(curvature, delassus.diagonal().amax(), tolerances)?;
        Ok(Self {
            delassus: Operator::Dense(delassus),
            velocity: velocity.to_vec(),
            drive: vec![0.0; rows],
            contacts: contacts.to_vec(),
            first_rows,
            summary: Summary::of(contacts),
            separating: Separating::Observe,
            proximity: Self::PROXIMITY,
            inconsistent: !factor.spans(velocity, tolerances.class),
            joints: None,
        })
    }

    /// A problem whose `W` is known by its factors: symmetric and positive semidefinite by construction.
    pub(crate) fn from_gram(
        gram: Gram,
        velocity: Vec<f64>,
        contacts: Vec<ContactSpec>,
        joints: Option<Arc<JointRows>>,
    ) -> Result<Self, ImpactError> {
        let first_rows = first_rows(&contacts, &velocity)?;
        let drive = vec![0.0; velocity.len()];
        let delassus = Operator::from_gram(gram);
        Ok(Self {
            delassus,
            velocity,
            drive,
            summary: Summary::of(&contacts),
            contacts,
            first_rows,
            separating: Separating::Observe,
            proximity: Self::PROXIMITY,
            inconsistent: false,
            joints,
        })
    }

    /// The same problem, recording the part of `u⁻` that is prescribed motion: `u⁻ = J v + drive` [m/s].
    /// It changes no velocity: `u⁻` contains it already.
    pub fn with_drive(mut self, drive: &[f64]) -> Result<Self, ImpactError> {
        if drive.len() != self.rows() {
            return Err(wrong_length("drive", drive.len(), self.rows()));
        }
        if let Some(i) = drive.iter().position(|w| !w.is_finite()) {
            return Err(ImpactError::bad_problem(
                format!("drive[{i}]"),
                drive[i],
                "must be finite",
            ));
        }
        self.inconsistent |= drive.iter().any(|w| *w != 0.0);
        self.drive = drive.to_vec();
        Ok(self)
    }

    /// The same problem with another treatment of contacts that separate.
    pub fn with_separating(mut self, separating: Separating) -> Result<Self, ImpactError> {
        if separating == Separating::Refuse {
            for (i, first) in self.first_rows[..self.len()].iter().enumerate() {
                if self.contacts[i].kind == ContactKind::Unilateral && self.velocity[*first] > 0.0 {
                    return Err(ImpactError::bad_problem(
                        format!("contacts[{i}]"),
                        format!("separating at {} m/s", self.velocity[*first]),
                        "refused as asked; does the normal point from A to B?",
                    ));
                }
            }
        }
        self.separating = separating;
        Ok(self)
    }

    /// The same problem in which contacts with a larger gap take no part, under any law \[m\].
    pub fn with_proximity(mut self, proximity: f64) -> Result<Self, ImpactError> {
        if proximity.is_nan() || proximity < 0.0 {
            let reason = "must be at least 0 (infinity is allowed)";
            return Err(ImpactError::bad_problem("proximity", proximity, reason));
        }
        self.proximity = proximity;
        Ok(self)
    }

    /// The same problem with other stiffnesses, one per contact, relative to each other \[1\].
    pub fn with_stiffness(mut self, stiffness: &[f64]) -> Result<Self, ImpactError> {
        if stiffness.len() != self.len() {
            let reason = format!("one per contact: {}", self.len());
            let got = format!("{} numbers", stiffness.len());
            return Err(ImpactError::bad_problem("stiffness", got, reason));
        }
        for (k, (contact, stiffness)) in self.contacts.iter_mut().zip(stiffness).enumerate() {
            contact.material.stiffness = *stiffness;
            contact.material.validated().map_err(|e| e.within(&format!("contacts[{k}]")))?;
        }
        Ok(self)
    }

    /// How contacts that separate are treated.
    pub fn separating(&self) -> Separating {
        self.separating
    }

    /// The largest gap of contacts that take part \[m\].
    pub fn proximity(&self) -> f64 {
        self.proximity
    }

    /// Whether contact `k` takes part: it holds both ways, or its gap is no larger than the proximity. Others neither
    /// push nor have to separate, for their surfaces do not touch.
    pub fn takes_part(&self, k: usize) -> bool {
        let contact = &self.contacts[k];
        contact.kind == ContactKind::Bilateral || contact.gap <= self.proximity
    }

    /// Whether all contacts take part.
    pub fn all_take_part(&self) -> bool {
        self.summary.largest_gap <= self.proximity
    }

    /// Whether `u⁻` may be one that no motion has, so that contacts may close on each other whatever happens.
    pub(crate) fn may_contradict_itself(&self) -> bool {
        self.inconsistent
    }

    /// How many contacts there are.
    #[expect(clippy::len_without_is_empty, reason = "a problem has at least one contact")]
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.velocity.len()
    }

    /// The entry of `W` in row `i`, column `j` [1/kg].
    pub fn delassus_at(&self, i: usize, j: usize) -> f64 {
        self.delassus.at(i, j)
    }

    pub(crate) fn delassus(&self) -> &Operator {
        &self.delassus
    }

    /// The joints behind the contacts, for laws that let them collide instead of holding.
    pub(crate) fn joints(&self) -> Option<&JointRows> {
        self.joints.as_deref()
    }

    /// `u⁻`, contact by contact, normal first [m/s].
    pub fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// The part of `u⁻` that is prescribed motion [m/s].
    pub fn drive(&self) -> &[f64] {
        &self.drive
    }

    /// The contacts, in order.
    pub fn contacts(&self) -> &[ContactSpec] {
        &self.contacts
    }

    /// What holds for all contacts.
    pub(crate) fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The rows that contact `k` owns.
    pub fn row_range(&self, k: usize) -> Range<usize> {
        self.first_rows[k]..self.first_rows[k + 1]
    }

    /// `u⁺ = u⁻ + W p` [m/s].
    pub fn velocity_after(&self, impulse: &[f64]) -> Vec<f64> {
        self.delassus.apply_to(impulse, &self.velocity)
    }

    /// Contact `k` alone, as a single-contact law sees it. `D` must be the number of rows it owns.
    pub fn contact<const D: usize>(&self, k: usize) -> Result<Contact<D>, ImpactError> {
        let rows = self.row_range(k);
        if rows.len() != D {
            let reason = format!("asked for as a contact of {D} rows");
            return Err(ImpactError::bad_problem(
                format!("contacts[{k}].rows"),
                rows.len(),
                reason,
            ));
        }
        let first = rows.start;
        let w = std::array::from_fn(|i| {
            std::array::from_fn(|j| self.delassus.at(first + i, first + j))
        });
        let u = ContactVec::new(std::array::from_fn(|i| self.velocity[first + i]));
        Contact::new(Delassus::new(w)?, u, self.contacts[k].material)
    }

    /// The contacts that take part, and the problem of them with its joints. There must be one.
    pub(crate) fn of_those_that_take_part(&self) -> (Vec<usize>, Self) {
        let near: Vec<usize> = (0..self.len()).filter(|&k| self.takes_part(k)).collect();
        let rows = || near.iter().flat_map(|&k| self.row_range(k));
        let joints = self.joints.as_ref().map(|all| {
            let joints = self.rows()..all.gram.rows.len();
            let rows: Vec<usize> = rows().chain(joints).collect();
            let joints = all.joints.clone();
            Arc::new(JointRows { gram: all.gram.select(&rows), joints })
        });
        let problem = Self { joints, ..self.restricted_to(&near) };
        (near, problem)
    }

    /// The problem of some of the contacts, the others left out. Its rows stand in the order of `contacts`.
    pub fn restricted_to(&self, contacts: &[usize]) -> Self {
        let rows: Vec<usize> = contacts.iter().flat_map(|&k| self.row_range(k)).collect();
        let mut first_rows = vec![0];
        for &k in contacts {
            first_rows.push(first_rows.last().unwrap_or(&0) + self.contacts[k].rows);
        }
        let contacts: Vec<ContactSpec> = contacts.iter().map(|&k| self.contacts[k]).collect();
        Self {
            delassus: self.delassus.select(&rows),
            velocity: rows.iter().map(|&i| self.velocity[i]).collect(),
            drive: rows.iter().map(|&i| self.drive[i]).collect(),
            summary: Summary::of(&contacts),
            contacts,
            first_rows,
            separating: self.separating,
            proximity: self.proximity,
            inconsistent: self.inconsistent,
            joints: None,
        }
    }
}

fn wrong_length(field: &str, got: usize, wanted: usize) -> ImpactError {
    let reason = format!("the contacts together own rows for {wanted}");
    ImpactError::bad_problem(field, format!("{got} numbers"), reason)
}

/// Where the rows of each contact begin, and the end, if contacts and velocity are sound.
fn first_rows(contacts: &[ContactSpec], velocity: &[f64]) -> Result<Vec<usize>, ImpactError> {
    if contacts.is_empty() {
        return Err(ImpactError::bad_problem(
            "contacts",
            "[]",
            "there must be at least one contact",
        ));
    }
    let mut first_rows = Vec::with_capacity(contacts.len() + 1);
    let mut rows = 0;
    for (i, contact) in contacts.iter().enumerate() {
        contact.validated().map_err(|error| error.within(&format!("contacts[{i}]")))?;
        first_rows.push(rows);
        rows += contact.rows;
    }
    first_rows.push(rows);
    if velocity.len() != rows {
        return Err(wrong_length("contact_velocity", velocity.len(), rows));
    }
    if let Some(i) = velocity.iter().position(|u| !u.is_finite()) {
        let field = format!("contact_velocity[{i}]");
        return Err(ImpactError::bad_problem(field, velocity[i], "must be a finite number"));
    }
    Ok(first_rows)
}
