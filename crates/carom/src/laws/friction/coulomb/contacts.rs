//! The contacts of an island as laws with friction see them, and those of them that take active.

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::row_factor::RowFactor;
use crate::island::unilateral::Unilateral;
use crate::numerics::{dot, largest};

/// Coordinates beyond which an island is refused: every step of the solver factors a full matrix of that size, some
/// seconds in all.
const MAX_COORDINATES: usize = 600;

/// The rows and the material of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Surface {
    /// Rows it owns: 1, 2 or 3.
    pub(crate) rows: usize,
    /// The first of them.
    pub(crate) first: usize,
    /// Friction, zero where there are no rows for it \[1\].
    pub(crate) mu: f64,
    /// Normal restitution at its approach speed \[1\].
    pub(crate) e: f64,
    /// Tangential restitution \[1\].
    pub(crate) e_t: f64,
}

/// The unilateral contacts of an island. Its vectors keep their memory.
#[derive(Default)]
pub(crate) struct IslandContacts {
    pub(crate) surfaces: Vec<Surface>,
    factor: RowFactor,
    /// `u⁻`, row by row [m/s].
    pub(crate) velocity: Vec<f64>,
    /// The largest of them: what counts as zero is measured by it [m/s].
    pub(crate) speed: f64,
}

/// Contacts that take part, their rows one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActiveContacts {
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) factor: RowFactor,
    /// Velocities before [m/s].
    pub(crate) velocity: Vec<f64>,
    /// Normal velocities up to this are none [m/s].
    pub(crate) zero: f64,
    /// Which rows of the island these are.
    rows: Vec<usize>,
}

impl IslandContacts {
    /// Reads an island.
    pub(crate) fn read(
        &mut self,
        problem: &ContactProblem,
        island: &Unilateral,
        rank: f64,
    ) -> Result<(), ImpactError> {
        if let Some(gram) = island.w.gram() {
            check_size(gram.mass.len())?;
        }
        self.factor.read(&island.w, rank);
        check_size(self.factor.rank)?;
        self.velocity.clear();
        self.velocity.extend_from_slice(&island.u);
        self.speed = largest(&self.velocity);
        self.surfaces.clear();
        let mut first = 0;
        for spec in problem.contacts().iter().filter(|spec| spec.pushes()) {
            let material = &spec.material;
            self.surfaces.push(Surface {
                rows: spec.rows,
                first,
                mu: if spec.rows == 1 { 0.0 } else { material.mu },
                e: material.restitution.at((-self.velocity[first]).max(0.0)),
                e_t: material.e_t,
            });
            first += spec.rows;
        }
        Ok(())
    }

    /// Fills `active` with the contacts that take part, at these velocities. Those that separate faster than `zero` have
    /// no restitution, and none has in an impact that only `stops`.
    pub(crate) fn select(
        &self,
        active: &mut ActiveContacts,
        taking_part: &[bool],
        velocity: &[f64],
        zero: f64,
        stops: bool,
    ) {
        active.surfaces.clear();
        active.factor.clear(self.factor.rank);
        active.velocity.clear();
        active.rows.clear();
        active.zero = zero;
        for (surface, _) in
            self.surfaces.iter().zip(taking_part).filter(|(_, takes_part)| **takes_part)
        {
            let rows = surface.first..surface.first + surface.rows;
            let mut own = Surface { first: active.rows.len(), ..*surface };
            if stops || velocity[surface.first] > zero {
                (own.e, own.e_t) = (0.0, 0.0);
            }
            active.surfaces.push(own);
            for i in rows {
                active.factor.push(self.factor.row(i));
                active.velocity.push(velocity[i]);
                active.rows.push(i);
            }
        }
    }

    /// Velocities after an impulse, one number per row [m/s].
    pub(crate) fn velocity_after(
        &self,
        impulse: &[f64],
        along: &mut Vec<f64>,
        after: &mut Vec<f64>,
    ) {
        along.clear();
        along.resize(self.factor.rank, 0.0);
        for (i, p) in impulse.iter().enumerate().filter(|(_, p)| **p != 0.0) {
            along.iter_mut().zip(self.factor.row(i)).for_each(|(x, l)| *x += l * p);
        }
        after.clear();
        after.extend(
            (0..self.velocity.len()).map(|i| self.velocity[i] + dot(self.factor.row(i), along)),
        );
    }
}

impl ActiveContacts {
    /// Adds what an impulse of theirs makes of velocities, one number per row of theirs [m/s].
    pub(crate) fn add_velocity(&self, impulse: &[f64], velocity: &mut [f64]) {
        let mut along = vec![0.0; self.factor.rank];
        for (i, p) in impulse.iter().enumerate() {
            along.iter_mut().zip(self.factor.row(i)).for_each(|(x, l)| *x += l * p);
        }
        for (i, u) in velocity.iter_mut().enumerate() {
            *u += dot(self.factor.row(i), &along);
        }
    }

    /// Adds their impulses to those of all contacts.
    pub(crate) fn add_to(&self, impulse: &[f64], all: &mut [f64]) {
        self.rows.iter().zip(impulse).for_each(|(&i, p)| all[i] += p);
    }
}

fn check_size(coordinates: usize) -> Result<(), ImpactError> {
    if coordinates <= MAX_COORDINATES {
        return Ok(());
    }
    Err(ImpactError::Limit(format!(
        "contacts with friction that move {coordinates} coordinates together, {MAX_COORDINATES} are solved"
    )))
}
