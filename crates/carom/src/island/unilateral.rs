//! The unilateral contacts of an island, bilateral ones folded into them, and the way back to the problem's rows.

use super::fold::{Fold, folded};
use crate::contact::{ContactProblem, Operator};
use crate::{ImpactError, Tolerances};
use std::borrow::Cow;

/// Which rows of each contact a law sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    All,
    Normal,
}

/// `W` and `u` of unilateral contacts. They borrow from the problem where nothing is left out.
pub(crate) struct Unilateral<'a> {
    /// [1/kg].
    pub(crate) w: Cow<'a, Operator>,
    /// Velocities before, once bilateral contacts hold [m/s].
    pub(crate) u: Cow<'a, [f64]>,
    pub(crate) map: RowMap<'a>,
}

/// Where the rows that a law sees stand in the problem.
pub(crate) struct RowMap<'a> {
    problem: &'a ContactProblem,
    /// The numbers of the unilateral contacts, unless every contact is one.
    contacts: Option<Vec<usize>>,
    /// The rows seen, unless all are.
    rows: Option<Vec<usize>>,
    fold: Option<Fold>,
}

impl<'a> Unilateral<'a> {
    pub(crate) fn new(
        problem: &'a ContactProblem,
        seen: Rows,
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        let mut map = RowMap { problem, contacts: None, rows: None, fold: None };
        let (w, u) = (problem.delassus(), problem.velocity());
        let bilateral = problem.summary().bilateral;
        if !bilateral && (seen == Rows::All || problem.rows() == problem.len()) {
            return Ok(Self { w: Cow::Borrowed(w), u: Cow::Borrowed(u), map });
        }
        let pushes = |k: &usize| problem.contacts()[*k].pushes();
        let contacts: Vec<usize> = (0..problem.len()).filter(pushes).collect();
        let rows: Vec<usize> = match seen {
            Rows::All => contacts.iter().flat_map(|&k| problem.row_range(k)).collect(),
            Rows::Normal => contacts.iter().map(|&k| problem.row_range(k).start).collect(),
        };
        let (w, u) = if bilateral {
            let (w, u, fold) = folded(problem, &rows, tolerances)?;
            (map.contacts, map.fold) = (Some(contacts), Some(fold));
            (w, u)
        } else {
            (w.select(&rows), rows.iter().map(|&i| u[i]).collect())
        };
        map.rows = Some(rows);
        Ok(Self { w: Cow::Owned(w), u: Cow::Owned(u), map })
    }
}

impl<'a> RowMap<'a> {
    pub(crate) fn problem(&self) -> &'a ContactProblem {
        self.problem
    }

    /// The numbers of the unilateral contacts in the problem, unless every contact is one.
    pub(crate) fn contacts(&self) -> Option<&[usize]> {
        self.contacts.as_deref()
    }

    /// Of rows along the normal, those listed; bilateral contacts are left out.
    pub(crate) fn normals(&self, listed: &[usize]) -> Self {
        let contact = |&i: &usize| self.contacts.as_ref().map_or(i, |contacts| contacts[i]);
        let row = |&i: &usize| self.rows.as_ref().map_or(i, |rows| rows[i]);
        Self {
            problem: self.problem,
            contacts: Some(listed.iter().map(contact).collect()),
            rows: Some(listed.iter().map(row).collect()),
            fold: None,
        }
    }

    /// The impulse of every row of the problem, given those of the rows seen [N·s].
    pub(crate) fn impulse(&self, seen: Vec<f64>) -> Vec<f64> {
        let Some(rows) = &self.rows else { return seen };
        let mut impulse = vec![0.0; self.problem.rows()];
        self.spread(rows, &seen, &mut impulse);
        impulse
    }

    /// The same in memory that is lent.
    pub(crate) fn impulse_into(&self, seen: &[f64], impulse: &mut Vec<f64>) {
        impulse.clear();
        let Some(rows) = &self.rows else { return impulse.extend_from_slice(seen) };
        impulse.resize(self.problem.rows(), 0.0);
        self.spread(rows, seen, impulse);
    }

    fn spread(&self, rows: &[usize], seen: &[f64], impulse: &mut [f64]) {
        rows.iter().zip(seen).for_each(|(&row, p)| impulse[row] = *p);
        if let Some(fold) = &self.fold {
            fold.answer(seen, impulse);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{ContactKind, ContactSpec, Material};

    /// `W = [2 1; 1 2]`, the second contact holds both ways and has `u = 0`: it leaves `W = 2 − 1/2` of the first, and
    /// answers `p = 2/3`, which stops the first, by `−1/3`.
    #[test]
    fn a_bilateral_contact_is_folded_in_and_answers() {
        let push = ContactSpec::new(1, Material::new(0.0, 0.0).unwrap());
        let hold = ContactSpec { kind: ContactKind::Bilateral, ..push };
        let problem =
            ContactProblem::new(&[2.0, 1.0, 1.0, 2.0], &[-1.0, 0.0], &[push, hold]).unwrap();
        for seen in [Rows::All, Rows::Normal] {
            let island = Unilateral::new(&problem, seen, &Tolerances::NOMINAL).unwrap();
            assert_eq!((island.w.at(0, 0), &*island.u), (1.5, &[-1.0][..]));
            assert_eq!(island.map.contacts(), Some(&[0][..]));
            let impulse = island.map.impulse(vec![2.0 / 3.0]);
            let mut lent = vec![5.0; 7];
            island.map.impulse_into(&[2.0 / 3.0], &mut lent);
            assert_eq!(impulse, lent);
            assert!(problem.velocity_after(&impulse).iter().all(|u| u.abs() < 1e-15));
        }
    }

    /// Without bilateral contacts and tangents nothing is copied.
    #[test]
    fn a_problem_of_normals_is_borrowed() {
        let push = ContactSpec::new(1, Material::new(0.0, 0.0).unwrap());
        let problem = ContactProblem::new(&[1.0], &[-1.0], &[push]).unwrap();
        let island = Unilateral::new(&problem, Rows::Normal, &Tolerances::NOMINAL).unwrap();
        assert!(matches!((island.w, island.u), (Cow::Borrowed(_), Cow::Borrowed(_))));
        assert_eq!(island.map.contacts(), None);
    }
}
