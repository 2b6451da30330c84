//! Contact velocities before and after an impulse, in twice the precision and with a bound on their error: what an impulse
//! gains or loses is a small difference of large terms.

use super::{ContactProblem, Operator};
use crate::numerics::ball::Ball;
use crate::numerics::sparse::SparseRow;

/// What an impulse does to the contact velocities, known to within bounds. Where masses are known it follows from them
/// and not from `W`, which is rounded.
#[derive(Clone, Debug)]
pub struct Motion {
    /// `u⁻`, one per row [m/s].
    pub(crate) before: Vec<Ball>,
    /// `u⁺`, one per row [m/s].
    pub(crate) after: Vec<Ball>,
    /// What only the masses tell.
    pub(crate) masses: Option<MassMotion>,
}

/// What an impulse does to the masses behind the contacts.
#[derive(Clone, Debug)]
pub(crate) struct MassMotion {
    /// The change of the kinetic energy, from the given start on \[J\].
    pub(crate) kinetic_energy_change: Ball,
    /// What rounding of `u⁻ = J v + drive` to doubles may leave of it, one per row [m/s].
    pub(crate) before_rounding: Vec<f64>,
    /// Whether the start breaks joints, which then hold before the contacts act.
    pub(crate) joints_broken: bool,
}

impl Motion {
    /// `u⁺ = u⁻ + W p`, with `W` and `u⁻` as exact as they are given. The work grows with the entries of `W`, or of its
    /// factors where they take its place.
    pub(crate) fn in_contact_space(problem: &ContactProblem, impulse: &[f64]) -> Self {
        let before: Vec<Ball> = problem.velocity().iter().map(|u| Ball::from(*u)).collect();
        let w = problem.delassus();
        let after = match w {
            Operator::Factored { .. } => by_factors(problem, impulse),
            _ => (0..problem.rows())
                .map(|i| {
                    let mut sum = before[i];
                    w.for_row(i, |j, w| sum += Ball::from(w) * impulse[j].into());
                    sum
                })
                .collect(),
        };
        Self { before, after, masses: None }
    }

    /// `½ p·(u⁻ + u⁺)` of some rows, the work on their relative motion \[J\].
    pub(crate) fn work(&self, impulse: &[f64], rows: impl Iterator<Item = usize>) -> Ball {
        let terms = rows.map(|i| Ball::from(0.5 * impulse[i]) * (self.before[i] + self.after[i]));
        terms.fold(Ball::ZERO, |sum, term| sum + term)
    }
}

/// Through the velocities of the coordinates: first `Yᵀ p / m`, then `Y` times that.
fn by_factors(problem: &ContactProblem, impulse: &[f64]) -> Vec<Ball> {
    let Some(gram) = problem.delassus().gram() else { return Vec::new() };
    let mut change = vec![Ball::ZERO; gram.mass.len()];
    for (row, p) in gram.rows.rows().zip(impulse) {
        row.iter().for_each(|(c, y)| change[c] += Ball::from(y) * Ball::from(*p));
    }
    for (sum, m) in change.iter_mut().zip(&gram.mass) {
        *sum = sum.over(*m);
    }
    let after = |(row, u): (SparseRow, &f64)| {
        row.iter().fold(Ball::from(*u), |sum, (c, y)| sum + Ball::from(y) * change[c])
    };
    gram.rows.rows().zip(problem.velocity()).map(after).collect()
}

/// `|u⁻| + Σ |W_ij p_j|`, the sizes of the terms of each row [m/s].
pub(crate) fn term_sizes(problem: &ContactProblem, impulse: &[f64]) -> Vec<f64> {
    let w = problem.delassus();
    let before = problem.velocity();
    let Some(gram) = w.gram().filter(|_| w.is_large_factored()) else {
        return (0..problem.rows())
            .map(|i| {
                let mut size = before[i].abs();
                w.for_entries(i, |j, w| size += (w * impulse[j]).abs());
                size
            })
            .collect();
    };
    let mut change = vec![0.0; gram.mass.len()];
    for (row, p) in gram.rows.rows().zip(impulse) {
        row.iter().for_each(|(c, y)| change[c] += (y * p / gram.mass[c]).abs());
    }
    let size = |(row, u): (SparseRow, &f64)| {
        row.iter().fold(u.abs(), |size, (c, y)| size + y.abs() * change[c])
    };
    gram.rows.rows().zip(before).map(size).collect()
}
