//! Velocities after an impulse, in twice the precision: what an impulse gains or loses is a small difference of large
//! terms. The work grows with the entries of `W`, or of its factors where they take its place.

use crate::contact::{ContactProblem, Operator};
use crate::numerics::double::Double;

/// `u⁺ = u⁻ + W p`, one per row, and `|u⁻| + Σ |W_ij p_j|`, the sizes of the terms of each row [m/s].
pub(super) fn velocity_after(problem: &ContactProblem, impulse: &[f64]) -> (Vec<Double>, Vec<f64>) {
    let w = problem.delassus();
    if let Operator::Factored { .. } = w {
        return by_factors(problem, impulse);
    }
    (0..problem.rows())
        .map(|i| {
            let before = problem.velocity()[i];
            let (mut sum, mut size) = (Double::from(before), before.abs());
            w.for_row(i, |j, w| {
                sum = sum + Double::from(w) * Double::from(impulse[j]);
                size += (w * impulse[j]).abs();
            });
            (sum, size)
        })
        .unzip()
}

/// Through the velocities of the coordinates: first `Yᵀ p / m`, then `Y` times that.
fn by_factors(problem: &ContactProblem, impulse: &[f64]) -> (Vec<Double>, Vec<f64>) {
    let Some(gram) = problem.delassus().gram() else { return Default::default() };
    let mut change = vec![(Double::from(0.0), 0.0); gram.mass.len()];
    for (row, p) in gram.rows.rows().zip(impulse) {
        for (c, y) in row.iter() {
            let (sum, size) = change[c];
            change[c] = (sum + Double::from(y) * Double::from(*p), size + (y * p).abs());
        }
    }
    for ((sum, size), m) in change.iter_mut().zip(&gram.mass) {
        *sum = *sum / Double::from(*m);
        *size /= m;
    }
    let row_after = |(row, u): (crate::numerics::sparse::SparseRow, &f64)| {
        row.iter().fold((Double::from(*u), u.abs()), |(sum, size), (c, y)| {
            (sum + Double::from(y) * change[c].0, size + y.abs() * change[c].1)
        })
    };
    gram.rows.rows().zip(problem.velocity()).map(row_after).unzip()
}
