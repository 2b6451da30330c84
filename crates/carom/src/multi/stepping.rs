//! What laws do alike that go step by step, a few contacts at a time.

use super::Desk;
use super::complementarity::{self, solve_block};
use super::normal::NormalProblem;
use crate::ImpactError;
use crate::contact::Operator;
use crate::outcome::MultiEffort;
use std::collections::BTreeSet;

/// What a step asks of one row: `0 ≤ p ⟂ W p + compliance p + offset ≥ 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Asked {
    /// Which row of the problem.
    pub(crate) row: usize,
    /// The velocity without an impulse, less what the step wants [m/s].
    pub(crate) offset: f64,
    /// How far the row yields to its own impulse, besides `W_ii` [1/kg].
    pub(crate) compliance: f64,
}

impl Asked {
    /// A row that does not yield.
    pub(crate) fn rigid(row: usize, offset: f64) -> Self {
        Self { row, offset, compliance: 0.0 }
    }
}

/// The answer to a step.
pub(crate) struct Step {
    /// One per row asked [N·s].
    pub(crate) impulse: Vec<f64>,
    /// What is left of each row's wish, zero where it is fulfilled [m/s].
    pub(crate) left: Vec<f64>,
    pub(crate) effort: MultiEffort,
}

/// Solves a step, rows that are not coupled apart from each other. Rows are asked once each.
pub(crate) fn solve(w: &Operator, asked: &[Asked], desk: &mut Desk) -> Result<Step, ImpactError> {
    let mut step = Step {
        impulse: vec![0.0; asked.len()],
        left: vec![0.0; asked.len()],
        effort: MultiEffort { impulse_unique: Some(true), ..MultiEffort::default() },
    };
    for group in coupled(w, asked) {
        if let [k] = group[..] {
            // Most steps are collisions of single contacts.
            let Asked { row, offset, compliance } = asked[k];
            let response = w.at(row, row) + compliance;
            if response > 0.0 {
                step.impulse[k] = (-offset / response).max(0.0);
                step.left[k] = offset.max(0.0);
                continue;
            }
        }
        let names: Vec<usize> = group.iter().map(|&k| asked[k].row).collect();
        let mut matrix = w.dense_block(&names);
        for (i, &k) in group.iter().enumerate() {
            matrix[(i, i)] += asked[k].compliance;
        }
        let offset: Vec<f64> = group.iter().map(|&k| asked[k].offset).collect();
        let solved = solve_block(&matrix, &offset, &names, desk)?;
        for (i, &k) in group.iter().enumerate() {
            step.impulse[k] = solved.p[i];
            step.left[k] = solved.w[i];
        }
        step.effort = step.effort.and(solved.effort);
    }
    Ok(step)
}

/// Places in `asked` of rows that are coupled to each other, directly or through others asked.
fn coupled(w: &Operator, asked: &[Asked]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..asked.len()).collect();
    order.sort_unstable_by_key(|&k| asked[k].row);
    let mut group_of = vec![usize::MAX; asked.len()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for first in 0..asked.len() {
        if group_of[first] != usize::MAX {
            continue;
        }
        let index = groups.len();
        group_of[first] = index;
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&k) = group.get(next) {
            next += 1;
            w.for_row(asked[k].row, |j, entry| {
                if let Ok(at) = order.binary_search_by_key(&j, |&k| asked[k].row)
                    && entry != 0.0
                    && group_of[order[at]] == usize::MAX
                {
                    group_of[order[at]] = index;
                    group.push(order[at]);
                }
            });
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

/// Velocities and impulses on the way, and which contacts approach.
pub(crate) struct Motion<'a> {
    pub(crate) problem: &'a NormalProblem<'a>,
    /// Normal velocities now [m/s].
    pub(crate) u: Vec<f64>,
    /// Impulses so far [N·s].
    pub(crate) p: Vec<f64>,
    /// What rounding has taken from them: in long sequences it would add up [N·s].
    lost: Vec<f64>,
    /// Rows that approach faster than what counts as zero.
    pub(crate) approaching: BTreeSet<usize>,
    /// What counts as zero [m/s].
    pub(crate) zero: f64,
}

impl<'a> Motion<'a> {
    pub(crate) fn new(problem: &'a NormalProblem<'a>, desk: &Desk) -> Self {
        let zero = desk.tolerances.approach * problem.scale;
        Self {
            problem,
            u: problem.u.to_vec(),
            p: vec![0.0; problem.len()],
            lost: vec![0.0; problem.len()],
            approaching: (0..problem.len()).filter(|&i| problem.u[i] < -zero).collect(),
            zero,
        }
    }

    /// Applies the impulses of a step.
    pub(crate) fn push(&mut self, asked: &[Asked], impulse: &[f64]) {
        for (asked, &p) in asked.iter().zip(impulse).filter(|(_, p)| **p != 0.0) {
            add(&mut self.p[asked.row], &mut self.lost[asked.row], p);
            self.problem.w.for_row(asked.row, |j, w| self.u[j] += w * p);
        }
        for asked in asked {
            self.problem.w.for_row(asked.row, |j, _| {
                match self.u[j] < -self.zero {
                    true => self.approaching.insert(j),
                    false => self.approaching.remove(&j),
                };
            });
        }
    }

    /// The largest approach speed [m/s].
    pub(crate) fn approach(&self) -> f64 {
        self.u.iter().fold(0.0, |m: f64, u| m.max(-u))
    }

    /// Ends an endless sequence in which only `rows` go on to collide: their velocities all tend to zero, and the limit
    /// is the projection on that, whatever the order and the restitution. Accepted if it is near enough, needs pushes
    /// only and leaves no other contact approaching; then the answer is how far it was, in the norm of kinetic energy
    /// [√J], which bounds the error while only these contacts collide.
    pub(crate) fn project(
        &mut self,
        rows: &[usize],
        desk: &mut Desk,
    ) -> Result<Option<f64>, ImpactError> {
        let asked: Vec<Asked> = rows.iter().map(|&i| Asked::rigid(i, self.u[i])).collect();
        let step = solve(&self.problem.w, &asked, desk)?;
        if step.left.iter().any(|left| *left > self.zero) {
            return Ok(None);
        }
        let work: f64 = step.impulse.iter().zip(&asked).map(|(p, asked)| -p * asked.offset).sum();
        let distance = libm::sqrt(work.max(0.0));
        let scale = (0..self.problem.len())
            .filter(|&i| self.problem.diagonal(i) > 0.0)
            .map(|i| self.problem.u[i].abs() / libm::sqrt(self.problem.diagonal(i)))
            .fold(0.0, f64::max);
        if distance > NEAR * scale {
            return Ok(None);
        }
        let mut change = vec![0.0; self.problem.len()];
        for (asked, p) in asked.iter().zip(&step.impulse) {
            self.problem.w.for_row(asked.row, |j, w| change[j] += w * p);
        }
        if change.iter().zip(&self.u).any(|(change, u)| u + change < -self.zero) {
            return Ok(None);
        }
        self.push(&asked, &step.impulse);
        Ok(Some(distance))
    }
}

/// Ends a sequence that was cut off: whoever approaches still stops without rebound. That is where a sequence of ever
/// smaller collisions of the same contacts leads; the answer is how far it was, in the norm of kinetic energy [√J].
pub(crate) fn finish(
    problem: &NormalProblem,
    p: &mut [f64],
    desk: &mut Desk,
) -> Result<f64, ImpactError> {
    let u = problem.velocity_after(p);
    let rest = complementarity::solve(problem, &u, None, desk)?.p;
    p.iter_mut().zip(&rest).for_each(|(p, rest)| *p += rest);
    let work: f64 = rest.iter().zip(&u).map(|(p, u)| -p * u).sum();
    Ok(libm::sqrt(work.max(0.0)))
}

/// `sum += term`, as if what earlier additions lost had been kept.
fn add(sum: &mut f64, lost: &mut f64, term: f64) {
    let term = term + *lost;
    let total = *sum + term;
    *lost = term - (total - *sum);
    *sum = total;
}

/// A projection is believed if it moves velocities by less than this part of what they were, in the norm of kinetic
/// energy: sequences that end by themselves are longer near one \[1\].
const NEAR: f64 = 1e-11;
