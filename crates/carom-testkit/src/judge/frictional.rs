//! Judges the impulses of several contacts with friction, by the measures of an energy budget.

use super::ratio;
use super::several::{Balance, IMPULSE_ROUNDING, balance};
use carom::{ContactKind, ContactProblem};

/// By how much impulses break each condition; zero or less is kept.
#[derive(Clone, Copy, Debug)]
pub struct FrictionalViolations {
    /// `½ p·(u⁻ + u⁺)` beyond the rounding of `p`, relative to all that the contacts could take away \[1\].
    pub energy: f64,
    /// The largest `−u_n⁺` beyond the rounding of `p`, relative to the largest `|u⁻|` \[1\].
    pub separation: f64,
    /// The largest `−p_n`, relative to the largest impulse \[1\].
    pub pulls: f64,
    /// The largest `|p_t| − μ p_n`, relative to the largest impulse \[1\].
    pub cone: f64,
}

/// Judges impulses. `energy` is `½ u⁻ᵀ W⁺ u⁻` \[J\].
pub fn judge_frictional(
    problem: &ContactProblem,
    energy: f64,
    impulse: &[f64],
) -> FrictionalViolations {
    let Balance { after, sizes, work, rounding } = balance(problem, impulse);
    let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    let largest = impulse.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
    let mut judged = FrictionalViolations {
        energy: ratio(work - rounding, energy),
        separation: f64::NEG_INFINITY,
        pulls: f64::NEG_INFINITY,
        cone: f64::NEG_INFINITY,
    };
    for (k, contact) in problem.contacts().iter().enumerate() {
        if contact.kind == ContactKind::Bilateral {
            continue;
        }
        let rows = problem.row_range(k);
        let (i, p) = (rows.start, &impulse[rows]);
        let approach = -after[i].to_f64() - IMPULSE_ROUNDING * sizes[i];
        judged.separation = judged.separation.max(ratio(approach, speed));
        judged.pulls = judged.pulls.max(ratio(-p[0], largest));
        let friction = f64::sqrt(p[1..].iter().map(|p| p * p).sum());
        // Infinite friction allows anything, times nothing as well.
        if friction > 0.0 && contact.material.mu.is_finite() {
            let outside = friction - contact.material.mu * p[0];
            judged.cone = judged.cone.max(ratio(outside, largest));
        }
    }
    judged
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::{ContactSpec, ImpactError, Material};

    #[test]
    fn each_condition_is_seen_when_broken() -> Result<(), ImpactError> {
        // A unit point mass falls and slides; E0 = 1, μ = ½.
        let contact = ContactSpec::new(3, Material::new(0.5, 0.5)?);
        let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let problem = ContactProblem::new(&identity, &[-1.0, 1.0, 0.0], &[contact])?;
        let judge = |p: [f64; 3]| judge_frictional(&problem, 1.0, &p);
        let good = judge([1.5, -0.75, 0.0]);
        assert!(good.energy < 0.0 && good.separation < 0.0 && good.pulls < 0.0);
        assert_eq!(good.cone, 0.0);
        // u⁺ = (1.5, …): the normal work alone is ½ · 2.5 · ½.
        assert!((judge([2.5, 0.0, 0.0]).energy - 0.625).abs() < 1e-13);
        assert!((judge([0.5, 0.0, 0.0]).separation - 0.5).abs() < 1e-13);
        assert_eq!(judge([-0.5, 0.0, 0.0]).pulls, 1.0);
        assert!((judge([1.0, 0.0, 0.9]).cone - 0.4).abs() < 1e-15);
        Ok(())
    }
}
