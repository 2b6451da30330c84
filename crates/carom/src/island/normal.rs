//! One island as a frictionless law sees it: the normal rows of its unilateral contacts.

use super::unilateral::{RowMap, Rows, Unilateral};
use crate::contact::{ContactProblem, Material, Operator};
use crate::numerics::largest;
use crate::{ImpactError, Tolerances};
use std::borrow::Cow;

/// Normal rows of unilateral contacts, what holds both ways folded into them.
pub(crate) struct NormalProblem<'a> {
    /// `W` of the normal rows [1/kg].
    pub(crate) w: Cow<'a, Operator>,
    /// Normal velocities before, once bilateral contacts hold [m/s].
    pub(crate) u: Cow<'a, [f64]>,
    /// Restitution at the approach speed.
    pub(crate) e: Coefficients,
    /// The largest speed among the rows: what counts as zero is measured by it [m/s].
    pub(crate) scale: f64,
    map: RowMap<'a>,
    /// In a part: which rows of the whole these are.
    rows: Vec<usize>,
}

/// One number for every row \[1\].
pub(crate) enum Coefficients {
    /// The same for all.
    Common(f64),
    /// Each its own.
    Each(Vec<f64>),
}

impl Coefficients {
    pub(crate) fn at(&self, i: usize) -> f64 {
        match self {
            Self::Common(e) => *e,
            Self::Each(e) => e[i],
        }
    }

    /// Whether some of them differ.
    pub(crate) fn differ(&self) -> bool {
        match self {
            Self::Common(_) => false,
            Self::Each(e) => e.windows(2).any(|pair| pair[0] != pair[1]),
        }
    }

    /// `change(e_i, x_i)` for every row.
    pub(crate) fn with(&self, x: &[f64], change: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        match self {
            Self::Common(e) => x.iter().map(|x| change(*e, *x)).collect(),
            Self::Each(e) => e.iter().zip(x).map(|(e, x)| change(*e, *x)).collect(),
        }
    }
}

impl<'a> NormalProblem<'a> {
    pub(crate) fn new(
        source: &'a ContactProblem,
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        let Unilateral { w, u, map } = Unilateral::new(source, Rows::Normal, tolerances)?;
        let mut problem =
            Self { w, u, e: Coefficients::Common(0.0), scale: 0.0, map, rows: Vec::new() };
        problem.scale = largest(&problem.u);
        problem.e = match source.summary().common_e {
            Some(e) => Coefficients::Common(e),
            None => {
                let at = |(i, u): (usize, &f64)| problem.material(i).restitution.at((-u).max(0.0));
                Coefficients::Each(problem.u.iter().enumerate().map(at).collect())
            }
        };
        Ok(problem)
    }

    pub(crate) fn len(&self) -> usize {
        self.u.len()
    }

    /// Which contact of the island a row belongs to.
    pub(crate) fn contact(&self, i: usize) -> usize {
        self.map.contacts().map_or(i, |contacts| contacts[i])
    }

    /// Which contact of the island each row belongs to.
    pub(crate) fn contacts(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).map(|i| self.contact(i))
    }

    /// The material of a row's contact.
    pub(crate) fn material(&self, i: usize) -> &Material {
        &self.map.problem().contacts()[self.contact(i)].material
    }

    /// Whether its velocities may be ones that no motion of the masses has.
    pub(crate) fn may_contradict_itself(&self) -> bool {
        self.map.problem().may_contradict_itself()
    }

    /// `W_ii` [1/kg].
    pub(crate) fn diagonal(&self, i: usize) -> f64 {
        self.w.at(i, i)
    }

    /// `u + W p` [m/s].
    pub(crate) fn velocity_after(&self, p: &[f64]) -> Vec<f64> {
        self.w.apply_to(p, &self.u)
    }

    /// The rows that are `taken`, without restitution where they separate faster than `zero` [m/s].
    pub(crate) fn part(&self, taken: &[bool], zero: f64) -> NormalProblem<'a> {
        let rows: Vec<usize> = (0..self.len()).filter(|&i| taken[i]).collect();
        let pick = |values: &[f64]| rows.iter().map(|&i| values[i]).collect::<Vec<f64>>();
        let u = pick(&self.u);
        let e = |&i: &usize| if self.u[i] > zero { 0.0 } else { self.e.at(i) };
        NormalProblem {
            w: Cow::Owned(self.w.select(&rows)),
            e: Coefficients::Each(rows.iter().map(e).collect()),
            scale: self.scale,
            u: Cow::Owned(u),
            map: self.map.normals(&rows),
            rows,
        }
    }

    /// Numbers of a part among those of the whole, zero elsewhere.
    pub(crate) fn spread(&self, values: &[f64], whole: usize) -> Vec<f64> {
        let mut all = vec![0.0; whole];
        self.rows.iter().zip(values).for_each(|(&i, x)| all[i] = *x);
        all
    }

    /// The impulse of all rows of the island from those of the normal rows.
    pub(crate) fn impulse(&self, normal: Vec<f64>) -> Vec<f64> {
        self.map.impulse(normal)
    }
}
