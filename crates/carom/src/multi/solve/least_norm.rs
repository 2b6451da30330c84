//! The smallest of many impulses that do the same.

use super::factor::Factor;
use nalgebra::{DMatrix, DVector};

/// Newton steps that are enough: each changes the set of rows that take part.
const MAX_STEPS: usize = 200;

/// Among all `z ≥ 0` that vanish outside `support` and have `A z = A start`, the one of least `Σ W_ii z_i²`.
///
/// Through its dual: `z_i = max(0, a_i·y)` in units of unit diagonal, and `A z = v` is solved for `y` by Newton's
/// method on a concave, piecewise quadratic function. `None` if it does not converge: then `start` is as good.
pub(crate) fn least_norm(
    factor: &Factor,
    support: &[usize],
    start: &[f64],
    accuracy: f64,
) -> Option<Vec<f64>> {
    let r = factor.rank();
    let a = factor.a.select_columns(support);
    let scaled: Vec<f64> = support.iter().map(|&i| start[i] * factor.scale[i]).collect();
    let v = &a * DVector::from_column_slice(&scaled);
    let size = scaled.iter().fold(0.0, |m: f64, z| m.max(z.abs()));
    if size == 0.0 {
        return Some(start.to_vec());
    }
    let shares = |y: &DVector<f64>| a.tr_mul(y).map(|x| x.max(0.0));
    // The dual function: y·v − ½ |z(y)|².
    let value = |y: &DVector<f64>| y.dot(&v) - 0.5 * shares(y).norm_squared();
    let mut y = &a * DVector::from_column_slice(&scaled);
    for _ in 0..MAX_STEPS {
        let z = shares(&y);
        let left = &v - &a * &z;
        if left.amax() <= accuracy * size {
            let mut answer = vec![0.0; start.len()];
            for (k, &i) in support.iter().enumerate() {
                answer[i] = z[k] / factor.scale[i];
            }
            return Some(answer);
        }
        let mut hessian = DMatrix::zeros(r, r);
        for (k, column) in a.column_iter().enumerate() {
            if z[k] > 0.0 {
                hessian.ger(1.0, &column, &column, 1.0);
            }
        }
        let step = hessian.clone().pseudo_inverse(f64::EPSILON * r as f64).ok()? * &left;
        // Where Newton's step leads nowhere (no row takes part that could give what is missing) the gradient does.
        let step = if step.dot(&left) > f64::EPSILON * left.norm_squared() { step } else { left };
        let (before, slope) = (value(&y), step.dot(&(&v - &a * shares(&y))));
        let mut length = 1.0;
        while value(&(&y + &step * length)) < before + 1e-4 * length * slope {
            length *= 0.5;
            if length < f64::EPSILON {
                break;
            }
        }
        if length < f64::EPSILON {
            length = 1.0;
        }
        y += step * length;
    }
    None
}

/// The `z` of either sign with `W z = b` and least `Σ W_ii z_i²`, or `None` if there is no such `z` within `accuracy`.
pub(crate) fn equality(
    w: &DMatrix<f64>,
    factor: &Factor,
    b: &[f64],
    accuracy: f64,
) -> Option<Vec<f64>> {
    // In units of unit diagonal: AᵀA z = b, z = Aᵀ(A Aᵀ)⁻² A b.
    let unit = |x: &[f64]| {
        DVector::from_iterator(x.len(), x.iter().zip(&factor.scale).map(|(x, s)| x / s))
    };
    let target = unit(b);
    let size = target.amax();
    if size == 0.0 {
        return Some(vec![0.0; b.len()]);
    }
    let gram = (&factor.a * factor.a.transpose()).cholesky()?;
    let mut z = DVector::zeros(b.len());
    let scaled =
        |z: &DVector<f64>| z.iter().zip(&factor.scale).map(|(z, s)| z / s).collect::<Vec<f64>>();
    for _ in 0..3 {
        let known = w * DVector::from_vec(scaled(&z));
        let left = &target - unit(known.as_slice());
        z += factor.a.tr_mul(&gram.solve(&gram.solve(&(&factor.a * left))));
    }
    let known = w * DVector::from_vec(scaled(&z));
    let left = &target - unit(known.as_slice());
    (left.amax() <= accuracy * size).then(|| scaled(&z))
}
