//! How far apart two outcomes of one impact are.

use crate::contact::ContactProblem;

/// The distance of the velocities that two impulses lead to, in the norm of the kinetic energy: `√(½ Δuᵀ W⁺ Δu)`, which is
/// `√(½ Δp·W Δp)` and, where masses are known, `√(½ Δvᵀ M Δv)`. Zero for impulses that have the same effect [√J].
/// Impulses have one number per row of the problem; what one has beyond the other counts as zero.
pub fn energy_distance(problem: &ContactProblem, one: &[f64], other: &[f64]) -> f64 {
    let at = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(0.0);
    let difference: Vec<f64> = (0..problem.rows()).map(|i| at(one, i) - at(other, i)).collect();
    let change = problem.delassus().apply_to(&difference, &vec![0.0; problem.rows()]);
    let doubled: f64 = difference.iter().zip(&change).map(|(p, u)| p * u).sum();
    f64::sqrt(0.5 * doubled.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Chain;

    /// Five balls: (1, 0, 0, 0, 0) becomes (0, 0, 0, 0, 1) by p = 1 at each contact and (−0.6, 0.4, 0.4, 0.4, 0.4) by
    /// p = (1.6, 1.2, 0.8, 0.4). `½ Σ m Δv² = ½ (0.36 + 3 · 0.16 + 0.36) = 0.6`.
    #[test]
    fn of_two_cradles() {
        let chain = Chain::new(vec![1.0; 5], vec![1.0, 0.0, 0.0, 0.0, 0.0], vec![1.0; 4]).unwrap();
        let apart = energy_distance(chain.problem(), &[1.0; 4], &[1.6, 1.2, 0.8, 0.4]);
        assert!((apart - 0.6_f64.sqrt()).abs() < 1e-15, "{apart}");
        assert_eq!(energy_distance(chain.problem(), &[1.0; 4], &[1.0; 4]), 0.0);
    }
}
