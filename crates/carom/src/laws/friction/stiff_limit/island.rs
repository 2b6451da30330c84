//! The contacts of an island that can only push, those that hold both ways folded into them.

use crate::contact::{ContactProblem, Material};
use crate::island::row_factor::RowFactor;
use crate::island::unilateral::{RowMap, Rows, Unilateral};
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
    pub(crate) contacts: Vec<Pushing>,
    /// Velocities before, once bilateral contacts hold [m/s].
    pub(crate) velocity: Vec<f64>,
    /// `B` with `W = B Bᵀ`.
    pub(crate) factor: RowFactor,
    map: RowMap<'a>,
}

impl<'a> Island<'a> {
    pub(crate) fn new(
        problem: &'a ContactProblem,
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        let mut contacts = Vec::with_capacity(problem.len());
        let mut first_row = 0;
        for (number, spec) in problem.contacts().iter().enumerate().filter(|(_, c)| c.pushes()) {
            let tangents = spec.rows - 1;
            contacts.push(Pushing { number, first_row, tangents, material: spec.material });
            first_row += spec.rows;
        }
        let Unilateral { w, u, map } = Unilateral::new(problem, Rows::All, tolerances)?;
        let factor = RowFactor::new(&w, tolerances.rank);
        Ok(Self { contacts, velocity: u.into_owned(), factor, map })
    }

    /// A row of `B`.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        self.factor.row(row)
    }

    /// The impulse of every row of the problem, given those of the rows here [N·s].
    pub(crate) fn impulse(&self, own: Vec<f64>) -> Vec<f64> {
        self.map.impulse(own)
    }
}
