//! Linear complementarity with `W = Y M⁻¹ Yᵀ` for many sparse rows `Y` and a diagonal `M`: `z ≥ 0`, `w = W z + q ≥ 0`,
//! `z·w = 0`, by an interior-point method and a polish.
//!
//! These are the conditions of `min ½ xᵀ M x` subject to `Y x + q ≥ 0`, where `x = M⁻¹ Yᵀ z` is unique whatever the rank
//! of `W`. In three stages, all of which factor matrices of one pattern, that of `Yᵀ Y`:
//!
//! 1. An interior-point method finds which rows push. Among all solutions it comes to one in which every row pushes
//!    that does in any, so nothing hangs on the choice of a basis, and the number of steps hardly grows with the size.
//! 2. The `z` of these rows is polished to rounding: linear equations.
//! 3. Where `z` is not unique, the one of least `Σ W_ii z_i²`: by repeated least squares on the rows that keep pushing
//!    while that converges fast, and by the same interior-point method otherwise.
//!
//! Alternating directions (ADMM) in the space of `x` need one factorisation only, but thousands of steps where many rows
//! hardly hold; active sets, even started from their answer, change a few rows at a time for as long.

mod interior_point;
mod polish;
#[cfg(test)]
mod tests;
mod tolerances;
mod weighted_gram;

use super::active_set::{LcpFailure, LcpSolution};
use super::sparse::SparseRows;
use super::{ZERO, dot, largest};
use interior_point::{Equations, InteriorPoint, RowSubset};
use polish::Polish;
use std::ops::ControlFlow;
use tolerances::*;
use weighted_gram::WeightedGram;

/// Called at every step with the number of steps made; `Break` ends the work.
pub type Progress<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

/// Whether the rows are sparse enough.
pub fn suits(rows: &SparseRows) -> bool {
    WeightedGram::products(rows) <= MAX_PRODUCTS
}

/// Solves for `w` and the `z` of least norm. Answers the support and whether `z` is unique as well.
pub fn solve(
    rows: &SparseRows,
    mass: &[f64],
    q: &[f64],
    progress: Progress,
) -> Result<LcpSolution, LcpFailure> {
    let scaled = Scaled::new(rows, mass, q);
    if let Some(row) = (0..q.len()).find(|&i| scaled.length[i] == 0.0 && q[i] < 0.0) {
        return Err(LcpFailure::Infeasible { row });
    }
    let idle = q.iter().all(|q| *q >= 0.0);
    let taken = |i: &usize| scaled.length[*i] > 0.0 && (!idle || q[*i] == 0.0);
    let part = RowSubset { y: &scaled.rows, rows: (0..q.len()).filter(taken).collect() };
    let Some(gram) = WeightedGram::new(&scaled.rows) else {
        return Err(LcpFailure::NotConverged { residual: f64::INFINITY, iterations: 0 });
    };
    if idle {
        // Nothing pushes. It could, if rows that just touch push against each other: if and only if (Gordan) no x opens
        // all of them at once.
        let offset = vec![-1.0; part.rows.len()];
        let mut work = Work { part: &part, offset: &offset, gram, progress, steps: 0 };
        let unique = part.rows.is_empty()
            || match work.velocity() {
                Ok(_) => true,
                Err(interrupted @ LcpFailure::Interrupted { .. }) => return Err(interrupted),
                Err(_) => false,
            };
        let steps = work.steps;
        let answer = Answer { z: Vec::new(), w: Vec::new(), residual: 0.0, unique };
        let none = part.filter(|_| false);
        return Ok(scaled.solution(q, &none, answer, steps));
    }
    let offset: Vec<f64> = part.rows.iter().map(|&i| scaled.offset[i]).collect();
    let mut work = Work { part: &part, offset: &offset, gram, progress, steps: 0 };
    let answer = work.velocity()?;
    let answer = work.least(answer)?;
    let steps = work.steps;
    Ok(scaled.solution(q, &part, answer, steps))
}

/// The problem in units in which `M` is one, rows have unit length and the largest `|q_i|` is one.
struct Scaled {
    rows: SparseRows,
    /// `√W_ii`.
    length: Vec<f64>,
    offset: Vec<f64>,
    /// The unit of the offset.
    unit: f64,
}

impl Scaled {
    fn new(rows: &SparseRows, mass: &[f64], q: &[f64]) -> Self {
        let root: Vec<f64> = mass.iter().map(|m| f64::sqrt(*m)).collect();
        let length: Vec<f64> = rows
            .rows()
            .map(|row| f64::sqrt(row.iter().map(|(c, y)| (y / root[c]) * (y / root[c])).sum()))
            .collect();
        let mut scaled = SparseRows::with_capacity(rows.width(), rows.len(), rows.entries());
        let mut entries = Vec::new();
        for (row, length) in rows.rows().zip(&length) {
            entries.clear();
            if *length > 0.0 {
                entries.extend(row.iter().map(|(c, y)| (c, y / root[c] / length)));
            }
            scaled.push(&mut entries);
        }
        let movable = |(q, length): (&f64, &f64)| if *length > 0.0 { q / length } else { 0.0 };
        let mut offset: Vec<f64> = q.iter().zip(&length).map(movable).collect();
        let unit = match largest(&offset) {
            0.0 => 1.0,
            unit => unit,
        };
        offset.iter_mut().for_each(|q| *q /= unit);
        Self { rows: scaled, length, offset, unit }
    }

    /// Back in the units of the problem.
    fn solution(&self, q: &[f64], part: &RowSubset, answer: Answer, steps: u64) -> LcpSolution {
        let mut z = vec![0.0; q.len()];
        let mut w = q.to_vec();
        let mut residual = 0.0_f64;
        for (k, &i) in part.rows.iter().enumerate() {
            let length = self.length[i];
            z[i] = answer.z[k] * self.unit / length;
            residual = residual.max(answer.w[k].min(answer.z[k]).abs() * self.unit * length);
            w[i] = if answer.z[k] > 0.0 { 0.0 } else { answer.w[k].max(0.0) * self.unit * length };
        }
        let size = largest(q);
        let residual = if size > 0.0 { residual / size } else { 0.0 };
        let support = (0..q.len()).filter(|&i| w[i] <= ZERO * size).collect();
        let iterations = steps.min(u32::MAX.into()) as u32;
        LcpSolution { z, w, support, iterations, residual, unique: answer.unique }
    }
}

/// `z ≥ 0` and `w = Y Yᵀ z + q`, by rows of the part, scaled.
struct Answer {
    z: Vec<f64>,
    w: Vec<f64>,
    /// `max |min(z_i, w_i)|`.
    residual: f64,
    unique: bool,
}

impl Answer {
    /// Clips `z` and judges what it does.
    fn new(part: &RowSubset, offset: &[f64], mut z: Vec<f64>) -> Self {
        z.iter_mut().for_each(|z| *z = z.max(0.0));
        let x = part.transposed_times(&z);
        let w: Vec<f64> = part.times(&x).iter().zip(offset).map(|(yx, q)| yx + q).collect();
        let off = z.iter().zip(&w).map(|(z, w)| z.min(*w).abs());
        let residual = off.fold(0.0, f64::max);
        Self { z, w, residual, unique: true }
    }

    /// Whether the residual is rounding.
    fn fine(&self) -> bool {
        self.residual <= FINE * (1.0 + largest(&self.z))
    }
}

struct Work<'a> {
    part: &'a RowSubset<'a>,
    offset: &'a [f64],
    gram: WeightedGram,
    progress: Progress<'a>,
    /// Factorisations so far.
    steps: u64,
}

impl Work<'_> {
    fn count(&mut self) -> Result<(), LcpFailure> {
        self.steps += 1;
        match (self.progress)(self.steps) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(LcpFailure::Interrupted { iterations: self.steps }),
        }
    }

    /// Goes on by one step: whether that was possible, and whether the rows that push are the same and none is in doubt.
    fn step(
        &mut self,
        at: &mut InteriorPoint,
        pushing: &mut Vec<bool>,
    ) -> Result<(bool, bool), LcpFailure> {
        self.count()?;
        let went_on = at.step(&mut self.gram).is_some();
        let before = std::mem::replace(pushing, at.pushing());
        Ok((went_on, *pushing == before && at.settled()))
    }

    /// A solution, whichever: its `w` is unique.
    fn velocity(&mut self) -> Result<Answer, LcpFailure> {
        let target = vec![0.0; self.part.y.width()];
        let equations = Equations {
            part: self.part,
            offset: self.offset,
            target: &target,
            inertia: 1.0,
            compliance: 0.0,
        };
        self.count()?;
        let mut best: Option<Answer> = None;
        let mut point = InteriorPoint::start(equations, &mut self.gram);
        let mut pushing = Vec::new();
        for _ in 0..MAX_STEPS {
            let Some(at) = &mut point else { break };
            let (went_on, settled) = self.step(at, &mut pushing)?;
            if let Some(row) = self.contradiction(&at.z) {
                return Err(LcpFailure::Infeasible { row });
            }
            let spent = !went_on || at.mu() <= SPENT;
            if settled || spent {
                let z = at.z.clone();
                let answer = self.polished(&pushing, z)?;
                if best.as_ref().is_none_or(|best| answer.residual < best.residual) {
                    best = Some(answer);
                }
            }
            if spent || best.as_ref().is_some_and(Answer::fine) {
                break;
            }
        }
        match best {
            Some(answer) if answer.residual <= ACCEPTED || answer.fine() => Ok(answer),
            other => Err(LcpFailure::NotConverged {
                residual: other.map_or(f64::INFINITY, |answer| answer.residual),
                iterations: self.steps.min(u32::MAX.into()) as u32,
            }),
        }
    }

    /// The row that contributes most to a proof that no `x` satisfies all rows: with `z ≥ 0` such an `x` has
    /// `0 ≤ z·(Y x + q) ≤ |Yᵀz| |x| + z·q`, and must be larger than any that is accepted (Farkas).
    fn contradiction(&self, z: &[f64]) -> Option<usize> {
        let demand = -dot(z, self.offset);
        let pull = self.part.transposed_times(z);
        let size = f64::sqrt(dot(&pull, &pull));
        if demand < FARTHEST * size * f64::sqrt(z.len() as f64) {
            return None;
        }
        let share = |k: usize| -z[k] * self.offset[k];
        (0..z.len())
            .reduce(|a, b| if share(b) > share(a) { b } else { a })
            .map(|k| self.part.rows[k])
    }

    /// The answer if exactly these rows push.
    fn polished(&mut self, pushing: &[bool], mut z: Vec<f64>) -> Result<Answer, LcpFailure> {
        self.count()?;
        let places: Vec<usize> = (0..z.len()).filter(|&k| pushing[k]).collect();
        let part = self.part.filter(|k| pushing[k]);
        let mut pushed: Vec<f64> = places.iter().map(|&k| z[k]).collect();
        let offset: Vec<f64> = places.iter().map(|&k| self.offset[k]).collect();
        if let Some(mut polish) = Polish::new(&part, &mut self.gram) {
            polish.hold(&offset, &mut pushed);
        }
        z.fill(0.0);
        places.iter().zip(&pushed).for_each(|(&k, pushed)| z[k] = *pushed);
        Ok(Answer::new(self.part, self.offset, z))
    }

    /// The answer of least norm among those with the same `w`; the one given if it is the only one.
    fn least(&mut self, answer: Answer) -> Result<Answer, LcpFailure> {
        // Every row pushes here that does so in any solution: there is another if and only if these depend on each other.
        let real = ZERO * largest(&answer.z);
        let pushing = self.part.filter(|k| answer.z[k] > real);
        self.count()?;
        let redundant =
            Polish::new(&pushing, &mut self.gram).is_none_or(|mut polish| polish.redundant());
        if !redundant {
            return Ok(answer);
        }
        let held: Vec<bool> = answer.z.iter().map(|z| *z > 0.0).collect();
        let part = self.part.filter(|k| held[k]);
        let x = self.part.transposed_times(&answer.z);
        let least = match self.repeated_least_squares(&part, &x)? {
            Some(z) => Some(z),
            None => self.least_by_interior_point(&part, &x)?,
        };
        let bound = answer.residual.max(SPOILT * FINE * (1.0 + largest(&answer.z)));
        let mut z = vec![0.0; answer.z.len()];
        let places = (0..held.len()).filter(|&k| held[k]);
        places.zip(least.iter().flatten()).for_each(|(k, least)| z[k] = *least);
        let smaller = Answer::new(self.part, self.offset, z);
        // Not below what the given answer reached: then it keeps its `z`, which is as right, if not the least.
        let kept = if smaller.residual <= bound { smaller } else { answer };
        Ok(Answer { unique: false, ..kept })
    }

    /// Newton's method on `z = max(0, Y λ)`, `Yᵀ z = x`, for as long as its steps halve the number of rows that change.
    fn repeated_least_squares(
        &mut self,
        part: &RowSubset,
        x: &[f64],
    ) -> Result<Option<Vec<f64>>, LcpFailure> {
        let mut pushing = vec![true; part.rows.len()];
        let mut changes = part.rows.len() + 1;
        loop {
            let Some((z, next)) = self.least_squares(part, &pushing, x)? else { return Ok(None) };
            let changed = (0..next.len()).filter(|&k| next[k] != pushing[k]).count();
            match changed {
                0 => return Ok(Some(z)),
                _ if changed > changes / 2 => return Ok(None),
                _ => (pushing, changes) = (next, changed),
            }
        }
    }

    /// The least `z` of the rows that push, and which rows would push next: those with `y_i·λ > 0`.
    #[expect(
        clippy::type_complexity,
        reason = "z and the rows that push, in a Result that may be empty"
    )]
    fn least_squares(
        &mut self,
        part: &RowSubset,
        pushing: &[bool],
        x: &[f64],
    ) -> Result<Option<(Vec<f64>, Vec<bool>)>, LcpFailure> {
        self.count()?;
        let subset = part.filter(|k| pushing[k]);
        let Some(mut polish) = Polish::new(&subset, &mut self.gram) else { return Ok(None) };
        let share = part.times(&polish.least_squares(x));
        let zero = IN_DOUBT * largest(&share);
        // Within rounding a row keeps its place.
        let next = share.iter().zip(pushing).map(|(share, pushing)| match pushing {
            true => *share >= -zero,
            false => *share > zero,
        });
        let next = next.collect();
        let places: Vec<usize> = (0..pushing.len()).filter(|&k| pushing[k]).collect();
        let mut pushed: Vec<f64> = places.iter().map(|&k| share[k]).collect();
        polish.push(x, &mut pushed);
        let mut z = vec![0.0; pushing.len()];
        places.iter().zip(&pushed).for_each(|(&k, pushed)| z[k] = pushed.max(0.0));
        Ok(Some((z, next)))
    }

    /// The same by the interior-point method, ended by least squares on the rows that it finds pushing.
    fn least_by_interior_point(
        &mut self,
        part: &RowSubset,
        x: &[f64],
    ) -> Result<Option<Vec<f64>>, LcpFailure> {
        let offset = vec![0.0; part.rows.len()];
        let equations =
            Equations { part, offset: &offset, target: x, inertia: 0.0, compliance: 1.0 };
        self.count()?;
        let mut point = InteriorPoint::start(equations, &mut self.gram);
        let mut pushing = Vec::new();
        for _ in 0..MAX_STEPS {
            let Some(at) = &mut point else { break };
            let (went_on, settled) = self.step(at, &mut pushing)?;
            let size = largest(&at.z);
            let spent = !went_on || at.mu() <= SPENT * size * size;
            if settled || spent {
                match self.least_squares(part, &pushing, x)? {
                    Some((z, next)) if next == pushing => return Ok(Some(z)),
                    _ => {}
                }
            }
            if spent {
                return Ok(Some(at.z.clone()));
            }
        }
        Ok(None)
    }
}
