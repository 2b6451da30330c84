//! Judges the impulses of several contacts.

use super::ratio;
use crate::dd::Dd;
use carom::{ContactKind, ContactProblem};

/// Impulses are doubles: what rounding the best ones to doubles does to a sum of products with them is allowed.
pub(super) const IMPULSE_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// By how much impulses break each condition, relative to the size of the terms; zero or less is kept.
#[derive(Clone, Copy, Debug)]
pub struct SeveralViolations {
    /// `½ p·(u⁻ + u⁺)` beyond the rounding of `p`, relative to the sizes of its terms \[1\].
    pub energy: f64,
    /// The largest `−u_n⁺` beyond the rounding of `p`, relative to the largest `|u⁻|` \[1\].
    pub separation: f64,
    /// The largest `−p_n`, each in units of `1/√W_nn`, relative to the largest impulse so measured \[1\].
    pub pulls: f64,
    /// How far the velocities a law reports are from `u⁻ + W p`, relative to the terms of that sum \[1\].
    pub momentum: f64,
}

/// Judges impulses, of which a law says that they lead to `velocity`.
pub fn judge_several(
    problem: &ContactProblem,
    impulse: &[f64],
    velocity: &[f64],
) -> SeveralViolations {
    let n = problem.rows();
    let before = problem.velocity();
    let Balance { after, sizes, work, rounding } = balance(problem, impulse);
    let terms: f64 = (0..n)
        .map(|i| (impulse[i] * before[i]).abs() + (impulse[i] * after[i].to_f64()).abs())
        .sum();
    let unilateral = || {
        let pushes = |k: &usize| problem.contacts()[*k].kind == ContactKind::Unilateral;
        (0..problem.len()).filter(pushes).map(|k| problem.row_range(k).start)
    };
    let speed = before.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    let weighed = |i: usize| problem.delassus_at(i, i).sqrt() * impulse[i];
    let largest = unilateral().map(|i| weighed(i).abs()).fold(0.0, f64::max);
    SeveralViolations {
        energy: ratio(work - rounding, 0.5 * terms),
        separation: unilateral()
            .map(|i| ratio(-after[i].to_f64() - IMPULSE_ROUNDING * sizes[i], speed))
            .fold(f64::NEG_INFINITY, f64::max),
        pulls: unilateral().map(|i| ratio(-weighed(i), largest)).fold(f64::NEG_INFINITY, f64::max),
        momentum: (0..n)
            .map(|i| ratio((after[i] - Dd::from(velocity[i])).abs().to_f64(), sizes[i]))
            .fold(0.0, f64::max),
    }
}

/// What an impulse does, in twice the working precision.
pub(super) struct Balance {
    /// `u⁻ + W p` [m/s].
    pub(super) after: Vec<Dd>,
    /// The sizes of the terms of those sums [m/s].
    pub(super) sizes: Vec<f64>,
    /// `½ p·(u⁻ + u⁺)` \[J\].
    pub(super) work: f64,
    /// What rounding the impulse to doubles may have added to that \[J\].
    pub(super) rounding: f64,
}

pub(super) fn balance(problem: &ContactProblem, impulse: &[f64]) -> Balance {
    let n = problem.rows();
    let before = problem.velocity();
    let (mut after, mut sizes) = (vec![Dd::ZERO; n], vec![0.0; n]);
    for i in 0..n {
        after[i] = Dd::from(before[i]);
        sizes[i] = before[i].abs();
        for (j, p) in impulse.iter().enumerate() {
            let w = problem.delassus_at(i, j);
            after[i] += Dd::from(w) * *p;
            sizes[i] += (w * p).abs();
        }
    }
    let work: Dd = (0..n).map(|i| (after[i] + Dd::from(before[i])) * impulse[i]).sum();
    let rounding = (0..n).map(|i| impulse[i].abs() * sizes[i] * IMPULSE_ROUNDING).sum();
    Balance { after, sizes, work: 0.5 * work.to_f64(), rounding }
}

/// The largest sum of terms that make up a velocity after, `|u⁻| + Σ |W_ij p_j|`: what rounding is measured by [m/s].
pub fn speed_scale(problem: &ContactProblem, impulse: &[f64]) -> f64 {
    let terms = |i: usize| {
        let moved = impulse.iter().enumerate().map(|(j, p)| (problem.delassus_at(i, j) * p).abs());
        problem.velocity()[i].abs() + moved.sum::<f64>()
    };
    (0..problem.rows()).map(terms).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::{ContactSpec, ImpactError, Material};

    #[test]
    fn each_condition_is_seen_when_broken() -> Result<(), ImpactError> {
        // Three unit masses on a line, u⁻ = (−1, 0): W = [2 −1; −1 2].
        let contact = ContactSpec::new(1, Material::new(0.0, 0.5)?);
        let problem = ContactProblem::new(&[2.0, -1.0, -1.0, 2.0], &[-1.0, 0.0], &[contact; 2])?;
        let judge = |p: [f64; 2]| judge_several(&problem, &p, &problem.velocity_after(&p));
        let good = judge([1.0, 0.5]);
        assert!(good.energy < 0.0 && good.separation <= 0.0 && good.pulls < 0.0);
        assert_eq!(good.momentum, 0.0);
        // The elastic limit p = (4, 2)/3: u⁺ = (1, 0).
        assert!(judge([1.4, 0.7]).energy > 0.01);
        assert!(judge([1.0, 0.4]).separation > 0.01);
        assert!(judge([0.5, -0.1]).pulls > 0.1);
        let lie = judge_several(&problem, &[1.0, 0.5], &[0.5, 0.1]);
        assert!(lie.momentum > 0.01);
        Ok(())
    }
}
