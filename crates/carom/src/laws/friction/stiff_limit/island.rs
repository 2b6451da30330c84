//! The contacts of an island that can only push, those that hold both ways folded into them.

use crate::contact::{ContactProblem, Material};
use crate::island::fold::{Fold, folded};
use crate::laws::friction::plus::factor;
use crate::{ImpactError, Tolerances};

/// One contact that can only push.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pushing {
    /// Its number in the problem.
    pub(crate) number: usize,
    /// Its first row among those of the contacts here, the normal.
    pub(crate) first_row: usize,
    /// 0, 1 or 2.
    pub(crate) tangents: usize,
    pub(crate) material: Material,
}

pub(crate) struct Island<'a> {
    problem: &'a ContactProblem,
    pub(crate) contacts: Vec<Pushing>,
    /// Velocities before, once bilateral contacts hold [m/s].
    pub(crate) velocity: Vec<f64>,
    /// `W = B Bᵀ`: how many numbers a row of `B` has, and its rows.
    pub(crate) rank: usize,
    rows: Vec<f64>,
    fold: Option<Fold>,
}

impl<'a> Island<'a> {
    pub(crate) fn new(
        problem: &'a ContactProblem,
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        let mut contacts = Vec::with_capacity(problem.len());
        let mut rows = Vec::new();
        for (number, spec) in problem.contacts().iter().enumerate().filter(|(_, c)| c.pushes()) {
            contacts.push(Pushing {
                number,
                first_row: rows.len(),
                tangents: spec.rows - 1,
                material: spec.material,
            });
            rows.extend(problem.row_range(number));
        }
        let (velocity, (rank, rows), fold) = if contacts.len() == problem.len() {
            (problem.velocity().to_vec(), factor(problem.delassus(), tolerances.rank), None)
        } else {
            let (w, u, fold) = folded(problem, &rows, tolerances)?;
            (u, factor(&w, tolerances.rank), Some(fold))
        };
        Ok(Self { problem, contacts, velocity, rank, rows, fold })
    }

    /// A row of `B`.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.rows[row * self.rank..(row + 1) * self.rank]
    }

    /// All rows of `B`.
    pub(crate) fn factor(&self) -> &[f64] {
        &self.rows
    }

    /// The impulse of every row of the problem, given those of the rows here [N·s].
    pub(crate) fn impulse(&self, own: Vec<f64>) -> Vec<f64> {
        let Some(fold) = &self.fold else { return own };
        let mut impulse = vec![0.0; self.problem.rows()];
        let rows = self.contacts.iter().flat_map(|c| self.problem.row_range(c.number));
        rows.zip(&own).for_each(|(row, p)| impulse[row] = *p);
        fold.answer(&own, &mut impulse);
        impulse
    }
}
