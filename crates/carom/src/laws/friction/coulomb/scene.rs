//! An island as a law with friction sees it, and the contacts of it that take part.

use crate::contact::{ContactKind, ContactProblem, Operator};
use crate::island::fold::{Fold, folded};
use crate::numerics::cholesky::pivoted_cholesky;
use crate::numerics::dot;
use crate::{ImpactError, Tolerances};

/// Coordinates beyond which an island is refused: every step of the solver factors a full matrix of that size, some
/// seconds in all.
const MAX_COORDINATES: usize = 600;

/// What the law knows of a contact.
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

/// The unilateral contacts of an island, what holds both ways folded into them. Its vectors keep their memory.
#[derive(Default)]
pub(crate) struct Scene {
    pub(crate) surfaces: Vec<Surface>,
    /// `L` with `W = L Lᵀ`, row by row [kg^-½].
    factor: Vec<f64>,
    freedoms: usize,
    /// `u⁻`, row by row [m/s].
    pub(crate) velocity: Vec<f64>,
    /// The largest of them: what counts as zero is measured by it [m/s].
    pub(crate) speed: f64,
    /// Where the rows stand in the problem, and how the others answer them, if there are others.
    folded: Option<(Vec<usize>, Fold)>,
    scratch: Vec<f64>,
}

/// Contacts that take part together, their rows one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) surfaces: Vec<Surface>,
    /// `L`, row by row, [`Self::freedoms`] numbers each [kg^-½].
    pub(crate) factor: Vec<f64>,
    pub(crate) freedoms: usize,
    /// Velocities before [m/s].
    pub(crate) velocity: Vec<f64>,
    /// Which rows of the scene these are.
    rows: Vec<usize>,
}

impl Scene {
    /// Reads an island.
    pub(crate) fn read(
        &mut self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
    ) -> Result<(), ImpactError> {
        self.surfaces.clear();
        let mut first = 0;
        for spec in problem.contacts().iter().filter(|spec| spec.kind == ContactKind::Unilateral) {
            let material = &spec.material;
            let mu = if spec.rows == 1 { 0.0 } else { material.mu };
            self.surfaces.push(Surface { rows: spec.rows, first, mu, e: 0.0, e_t: material.e_t });
            first += spec.rows;
        }
        if problem.summary().bilateral {
            let unilateral = |k: &usize| problem.contacts()[*k].kind == ContactKind::Unilateral;
            let numbers = (0..problem.len()).filter(unilateral);
            let rows: Vec<usize> = numbers.flat_map(|k| problem.row_range(k)).collect();
            let (w, u, fold) = folded(problem, &rows, tolerances)?;
            self.factor_of(&w, tolerances.rank)?;
            self.velocity = u;
            self.folded = Some((rows, fold));
        } else {
            self.factor_of(problem.delassus(), tolerances.rank)?;
            self.velocity.clear();
            self.velocity.extend_from_slice(problem.velocity());
            self.folded = None;
        }
        self.speed = self.velocity.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let own = problem.contacts().iter().filter(|spec| spec.kind == ContactKind::Unilateral);
        for (surface, spec) in self.surfaces.iter_mut().zip(own) {
            let approach = (-self.velocity[surface.first]).max(0.0);
            surface.e = spec.material.restitution.at(approach);
        }
        Ok(())
    }

    fn factor_of(&mut self, w: &Operator, rank: f64) -> Result<(), ImpactError> {
        match (w, w.gram()) {
            // The factors are the Jacobian's rows, each coordinate over the root of its mass.
            (_, Some(gram)) => {
                self.freedoms = gram.mass.len();
                check_size(self.freedoms)?;
                self.factor.clear();
                self.factor.resize(gram.rows.len() * self.freedoms, 0.0);
                let own = self.factor.chunks_exact_mut(self.freedoms.max(1));
                for (row, out) in gram.rows.rows().zip(own) {
                    row.iter().for_each(|(c, x)| out[c] = x / f64::sqrt(gram.mass[c]));
                }
            }
            (Operator::Dense(matrix), None) => {
                self.scratch.clear();
                self.scratch.extend_from_slice(matrix.as_slice());
                let rows = matrix.nrows();
                self.freedoms = pivoted_cholesky(&mut self.scratch, rows, rank, &mut self.factor);
                check_size(self.freedoms)?;
            }
            _ => self.freedoms = 0,
        }
        Ok(())
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.factor[i * self.freedoms..(i + 1) * self.freedoms]
    }

    /// Fills `part` with the contacts that are taken, with these velocities. Who separates faster than `zero` has no
    /// restitution, and nobody has in an impact that only `stops`.
    pub(crate) fn part(
        &self,
        part: &mut Part,
        taken: &[bool],
        velocity: &[f64],
        zero: f64,
        stops: bool,
    ) {
        part.surfaces.clear();
        part.factor.clear();
        part.velocity.clear();
        part.rows.clear();
        part.freedoms = self.freedoms;
        for (surface, _) in self.surfaces.iter().zip(taken).filter(|(_, taken)| **taken) {
            let rows = surface.first..surface.first + surface.rows;
            let mut own = Surface { first: part.rows.len(), ..*surface };
            if stops || velocity[surface.first] > zero {
                (own.e, own.e_t) = (0.0, 0.0);
            }
            part.surfaces.push(own);
            for i in rows {
                part.factor.extend_from_slice(self.row(i));
                part.velocity.push(velocity[i]);
                part.rows.push(i);
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
        along.resize(self.freedoms, 0.0);
        for (i, p) in impulse.iter().enumerate().filter(|(_, p)| **p != 0.0) {
            along.iter_mut().zip(self.row(i)).for_each(|(x, l)| *x += l * p);
        }
        after.clear();
        after.extend((0..self.velocity.len()).map(|i| self.velocity[i] + dot(self.row(i), along)));
    }

    /// The impulse of every row of the problem from those of this scene's rows [N·s].
    pub(crate) fn answer(&self, own: &[f64], rows: usize, impulse: &mut Vec<f64>) {
        impulse.clear();
        let Some((places, fold)) = &self.folded else {
            impulse.extend_from_slice(own);
            return;
        };
        impulse.resize(rows, 0.0);
        places.iter().zip(own).for_each(|(&row, p)| impulse[row] = *p);
        fold.answer(own, impulse);
    }
}

impl Part {
    /// Adds the impulses of this part to those of the scene.
    pub(crate) fn add_to(&self, impulse: &[f64], all: &mut [f64]) {
        self.rows.iter().zip(impulse).for_each(|(&i, p)| all[i] += p);
    }

    /// The `i`-th row of `L`.
    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.factor[i * self.freedoms..(i + 1) * self.freedoms]
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
