//! What laws do alike that go step by step, a few contacts at a time.

use super::Context;
use super::complementarity::{self, solve_block};
use super::normal::NormalProblem;
use crate::ImpactError;
use crate::contact::Operator;
use crate::outcome::SolverEffort;
use std::collections::BTreeSet;

/// What rounding leaves of a sum that should vanish, relative to the size of its terms \[1\].
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// How near to the same on a smaller scale an impact must come back on its way to be taken for endless: it then leaves at
/// most this part of its way to the limit in doubt \[1\].
pub(crate) const SIMILAR: f64 = 1e-6;

/// A projection is accepted if it moves velocities by less than this part of what they were, in the norm of kinetic
/// energy: sequences that end by themselves are longer near one \[1\].
const NEAR: f64 = 1e-11;

/// Rounds of [`separate`] after which nothing is left that rounding would not put back \[1\].
const SEPARATIONS: usize = 4;

/// One row of a step: `0 ≤ p ⟂ W p + compliance p + offset ≥ 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StepRow {
    /// Which row of the problem.
    pub(crate) row: usize,
    /// The velocity without an impulse, less the one that is to be reached [m/s].
    pub(crate) offset: f64,
    /// How far the row yields to its own impulse, besides `W_ii` [1/kg].
    pub(crate) compliance: f64,
}

impl StepRow {
    /// A row that does not yield.
    pub(crate) fn rigid(row: usize, offset: f64) -> Self {
        Self { row, offset, compliance: 0.0 }
    }
}

/// The answer to a step.
pub(crate) struct Step {
    /// One per row of the step [N·s].
    pub(crate) impulse: Vec<f64>,
    /// What each row lacks of its velocity, zero where it is reached [m/s].
    pub(crate) left: Vec<f64>,
    pub(crate) effort: SolverEffort,
}

impl Step {
    /// The answer of a row that is coupled to no other of the step, unless it does not yield at all.
    fn take_alone(&mut self, k: usize, w: &Operator, asked: &StepRow) -> bool {
        let response = w.at(asked.row, asked.row) + asked.compliance;
        if response > 0.0 {
            self.impulse[k] = (-asked.offset / response).max(0.0);
            self.left[k] = asked.offset.max(0.0);
        }
        response > 0.0
    }
}

/// Solves a step, rows that are not coupled apart from each other. No row stands in it twice.
pub(crate) fn solve(
    w: &Operator,
    asked: &[StepRow],
    context: &mut Context,
) -> Result<Step, ImpactError> {
    let mut step = Step {
        impulse: vec![0.0; asked.len()],
        left: vec![0.0; asked.len()],
        effort: SolverEffort { impulse_unique: Some(true), ..SolverEffort::default() },
    };
    // Most steps are collisions of single contacts.
    if let [only] = asked
        && step.take_alone(0, w, only)
    {
        return Ok(step);
    }
    for group in coupled(w, asked) {
        if let [k] = group[..]
            && step.take_alone(k, w, &asked[k])
        {
            continue;
        }
        let names: Vec<usize> = group.iter().map(|&k| asked[k].row).collect();
        let mut matrix = w.full_block(&names)?;
        for (i, &k) in group.iter().enumerate() {
            matrix[(i, i)] += asked[k].compliance;
        }
        let offset: Vec<f64> = group.iter().map(|&k| asked[k].offset).collect();
        let yields = group.iter().any(|&k| asked[k].compliance != 0.0);
        let gram = w.gram().filter(|_| !yields);
        let solved = solve_block(&matrix, gram, &offset, &names, context)?;
        for (i, &k) in group.iter().enumerate() {
            step.impulse[k] = solved.p[i];
            step.left[k] = solved.w[i];
        }
        step.effort = step.effort.and(solved.effort);
    }
    Ok(step)
}

/// Places in `asked` of rows that are coupled to each other, directly or through others of the step.
fn coupled(w: &Operator, asked: &[StepRow]) -> Vec<Vec<usize>> {
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
#[derive(Clone)]
pub(crate) struct Motion<'a> {
    pub(crate) problem: &'a NormalProblem<'a>,
    /// Normal velocities now [m/s].
    pub(crate) u: Vec<f64>,
    /// Impulses so far [N·s].
    pub(crate) p: Vec<f64>,
    /// Velocities of the coordinates behind a factored `W`, relative to the start [m/s].
    change: Vec<f64>,
    /// What rounding has taken from the impulses: in long sequences it would add up [N·s].
    lost: Vec<f64>,
    /// Rows that approach faster than what counts as zero.
    pub(crate) approaching: BTreeSet<usize>,
    /// What counts as zero [m/s].
    pub(crate) zero: f64,
}

impl<'a> Motion<'a> {
    pub(crate) fn new(problem: &'a NormalProblem<'a>, context: &Context) -> Self {
        let zero = context.tolerances.approach * problem.scale;
        Self {
            problem,
            u: problem.u.to_vec(),
            p: vec![0.0; problem.len()],
            change: match &*problem.w {
                Operator::Factored { gram, .. } => vec![0.0; gram.mass.len()],
                _ => Vec::new(),
            },
            lost: vec![0.0; problem.len()],
            approaching: (0..problem.len()).filter(|&i| problem.u[i] < -zero).collect(),
            zero,
        }
    }

    /// Applies the impulses of a step.
    pub(crate) fn push(&mut self, asked: &[StepRow], impulse: &[f64]) {
        for (asked, &p) in asked.iter().zip(impulse).filter(|(_, p)| **p != 0.0) {
            add(&mut self.p[asked.row], &mut self.lost[asked.row], p);
            self.apply(asked.row, p);
        }
        for asked in asked {
            self.update_approaching(asked.row);
        }
    }

    /// What an impulse at a row does. Where the factors of `W` are kept, to the coordinates first: beside light ones
    /// its entries know little of what heavy ones do.
    fn apply(&mut self, row: usize, p: f64) {
        let Operator::Factored { gram, by_coordinate } = &*self.problem.w else {
            return self.problem.w.for_row(row, |j, w| self.u[j] += w * p);
        };
        for (c, x) in gram.rows.row(row).iter() {
            self.change[c] += x * p / gram.mass[c];
        }
        for (c, _) in gram.rows.row(row).iter() {
            for (j, _) in by_coordinate.row(c).iter() {
                self.u[j] = self.problem.u[j] + gram.rows.row(j).dot(&self.change);
            }
        }
    }

    /// Whether a row and those coupled to it approach now.
    fn update_approaching(&mut self, row: usize) {
        self.problem.w.for_row(row, |j, _| {
            match self.u[j] < -self.zero {
                true => self.approaching.insert(j),
                false => self.approaching.remove(&j),
            };
        });
    }

    /// Applies the impulses of many steps at once, after which these rows have these velocities.
    pub(crate) fn leap(&mut self, rows: &[usize], velocity: &[f64], impulse: &[f64]) {
        for (&row, &p) in rows.iter().zip(impulse) {
            add(&mut self.p[row], &mut self.lost[row], p);
            self.apply(row, p);
        }
        for (&row, &u) in rows.iter().zip(velocity) {
            self.u[row] = u;
        }
        for &row in rows {
            self.update_approaching(row);
        }
    }

    /// On a long way velocities and the sum of all impulses drift apart: takes the velocities from the impulses. What
    /// rounding of these can do is zero.
    pub(crate) fn refresh(&mut self) {
        let n = self.problem.len();
        self.u = self.problem.velocity_after(&self.p);
        if let Operator::Factored { gram, .. } = &*self.problem.w {
            self.change = gram.velocity(&self.p);
        }
        for i in 0..n {
            let mut terms = self.problem.u[i].abs();
            self.problem.w.for_row(i, |j, w| terms += (w * self.p[j]).abs());
            if self.u[i].abs() <= ROUNDING * terms {
                self.u[i] = 0.0;
            }
        }
        self.approaching = (0..n).filter(|&i| self.u[i] < -self.zero).collect();
    }

    /// The largest approach speed [m/s].
    pub(crate) fn approach(&self) -> f64 {
        self.u.iter().fold(0.0, |m: f64, u| m.max(-u))
    }

    /// The same while contacts approach, from these alone.
    pub(crate) fn fastest(&self) -> f64 {
        self.approaching.iter().fold(0.0, |m: f64, &i| m.max(-self.u[i]))
    }

    /// Ends an endless sequence in which only `rows` go on to collide, if its limit is near enough. The answer is then how
    /// far it was, in the norm of kinetic energy [√J], which bounds the error while only these contacts collide.
    pub(crate) fn project(
        &mut self,
        rows: &[usize],
        context: &mut Context,
    ) -> Result<Option<f64>, ImpactError> {
        let Some(limit) = limit(self.problem, &self.u, rows, self.zero, context)? else {
            return Ok(None);
        };
        let scale = (0..self.problem.len())
            .filter(|&i| self.problem.diagonal(i) > 0.0)
            .map(|i| self.problem.u[i].abs() / f64::sqrt(self.problem.diagonal(i)))
            .fold(0.0, f64::max);
        if limit.distance > NEAR * scale {
            return Ok(None);
        }
        self.push(&limit.asked, &limit.impulse);
        Ok(Some(limit.distance))
    }

    /// Ends a sequence that is known to be endless and in which only `rows` go on to collide. The answer is how far its
    /// limit was, in the norm of kinetic energy [√J].
    pub(crate) fn go_to_limit(
        &mut self,
        rows: &[usize],
        context: &mut Context,
    ) -> Result<Option<f64>, ImpactError> {
        let limit = limit(self.problem, &self.u, rows, self.zero, context)?;
        if let Some(limit) = &limit {
            self.push(&limit.asked, &limit.impulse);
        }
        Ok(limit.map(|limit| limit.distance))
    }
}

/// Where an endless sequence leads.
pub(crate) struct Limit {
    asked: Vec<StepRow>,
    impulse: Vec<f64>,
    /// How far it is, in the norm of kinetic energy [√J].
    pub(crate) distance: f64,
}

impl Limit {
    /// The rows that push, and how much [N·s].
    pub(crate) fn pushes(&self) -> impl Iterator<Item = (usize, f64)> {
        self.asked.iter().zip(&self.impulse).map(|(asked, p)| (asked.row, *p))
    }
}

/// The limit of an endless sequence in which only `rows` go on to collide: their velocities all tend to zero, and it is
/// the projection on that, whatever the order and the restitution. None unless it needs pushes only and leaves no other
/// contact approaching.
pub(crate) fn limit(
    problem: &NormalProblem,
    u: &[f64],
    rows: &[usize],
    zero: f64,
    context: &mut Context,
) -> Result<Option<Limit>, ImpactError> {
    let asked: Vec<StepRow> = rows.iter().map(|&i| StepRow::rigid(i, u[i])).collect();
    let step = solve(&problem.w, &asked, context)?;
    if step.left.iter().any(|left| *left > zero) {
        return Ok(None);
    }
    let mut change = vec![0.0; problem.len()];
    for (asked, p) in asked.iter().zip(&step.impulse) {
        problem.w.for_row(asked.row, |j, w| change[j] += w * p);
    }
    if change.iter().zip(u).any(|(change, u)| u + change < -zero) {
        return Ok(None);
    }
    let work: f64 = step.impulse.iter().zip(&asked).map(|(p, asked)| -p * asked.offset).sum();
    let distance = f64::sqrt(work.max(0.0));
    Ok(Some(Limit { asked, impulse: step.impulse, distance }))
}

/// Ends a sequence that was cut off: contacts that still approach stop without rebound. That is where a sequence of ever
/// smaller collisions of the same contacts leads; the answer is how far it was, in the norm of kinetic energy [√J].
pub(crate) fn finish(
    problem: &NormalProblem,
    p: &mut [f64],
    context: &mut Context,
) -> Result<f64, ImpactError> {
    let u = problem.velocity_after(p);
    let rest = match complementarity::solve(problem, &u, context) {
        // Contacts that oppose each other contradict each other by rounding: what is too slow to count may stay.
        Err(ImpactError::NoSolution { .. }) => {
            let zero = context.tolerances.approach * problem.scale;
            let eased: Vec<f64> = u.iter().map(|u| u + zero).collect();
            complementarity::solve(problem, &eased, context)?.p
        }
        rest => rest?.p,
    };
    p.iter_mut().zip(&rest).for_each(|(p, rest)| *p += rest);
    let work: f64 = rest.iter().zip(&u).map(|(p, u)| -p * u).sum();
    Ok(f64::sqrt(work.max(0.0)))
}

/// On a long way velocities and the sum of all impulses drift apart. What the impulses themselves leave of an approach
/// is stopped without rebound.
pub(crate) fn separate(
    problem: &NormalProblem,
    p: &mut [f64],
    context: &mut Context,
) -> Result<(), ImpactError> {
    let zero = context.tolerances.approach * problem.scale;
    for _ in 0..SEPARATIONS {
        if problem.velocity_after(p).iter().all(|u| *u >= -zero) {
            break;
        }
        match finish(problem, p, context) {
            // Rounding alone may contradict every motion.
            Err(ImpactError::NoSolution { .. } | ImpactError::NotConverged { .. }) => break,
            finished => finished?,
        };
    }
    Ok(())
}

/// `sum += term`, as if what earlier additions lost had been kept.
fn add(sum: &mut f64, lost: &mut f64, term: f64) {
    let term = term + *lost;
    let total = *sum + term;
    *lost = term - (total - *sum);
    *sum = total;
}
