//! A problem as the rounds see it, and the way back: contacts that hold both ways are folded into the others.

use super::medium::Medium;
use crate::contact::ContactProblem;
use crate::island::fold::{Fold, folded};
use crate::{ImpactError, Tolerances};

pub(crate) struct View<'a> {
    pub(crate) medium: Medium<'a>,
    problem: &'a ContactProblem,
    /// Numbers of the contacts that can only push, and how the others answer them, if there are others.
    folded: Option<(Vec<usize>, Fold)>,
}

impl<'a> View<'a> {
    pub(crate) fn new(
        problem: &'a ContactProblem,
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        let specs = problem.contacts();
        if specs.iter().all(|contact| contact.pushes()) {
            return Ok(Self { medium: Medium::new(problem, tolerances), problem, folded: None });
        }
        let numbers: Vec<usize> = (0..problem.len()).filter(|&k| specs[k].pushes()).collect();
        let rows: Vec<usize> = numbers.iter().flat_map(|&k| problem.row_range(k)).collect();
        let (w, u, fold) = folded(problem, &rows, tolerances)?;
        let medium = Medium::factored(problem, &w, &u, tolerances);
        Ok(Self { medium, problem, folded: Some((numbers, fold)) })
    }

    /// The numbers of the contacts in the problem, unless they are the same.
    pub(crate) fn numbers(&self) -> Option<&[usize]> {
        self.folded.as_ref().map(|(numbers, _)| numbers.as_slice())
    }

    /// The impulse of every row of the problem, given three numbers per contact of the medium [N·s].
    pub(crate) fn impulse(&self, own: &[f64]) -> Vec<f64> {
        let of = |(i, surface): (usize, &super::medium::Surface)| {
            own[3 * i..=3 * i + surface.tangents].to_vec()
        };
        let compact: Vec<f64> = self.medium.surfaces.iter().enumerate().flat_map(of).collect();
        let Some((numbers, fold)) = &self.folded else {
            return compact;
        };
        let mut impulse = vec![0.0; self.problem.rows()];
        let rows = numbers.iter().flat_map(|&k| self.problem.row_range(k));
        rows.zip(&compact).for_each(|(row, p)| impulse[row] = *p);
        fold.answer(&compact, &mut impulse);
        impulse
    }
}
