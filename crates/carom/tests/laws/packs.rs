//! Hexagonal packs through the public interface: against the same problem with all of `W` written out, and by their own
//! equations where that is too large.

use carom::outcome::{Effort, Observer, ProblemOutcome, Progress, SolverEffort, Unobserved};
use carom::{ContactProblem, ImpactError, Law, Tolerances};
use carom_testkit::generate::{Blow, hexagonal_pack, slab};
use std::ops::ControlFlow;

const BLOWS: [Blow; 2] = [Blow::Implosion, Blow::LocalHit];

fn resolve(law: &str, problem: &ContactProblem) -> ProblemOutcome {
    let law = Law::from_id(law).expect("the law exists");
    let outcome = law.resolve(problem, &Tolerances::NOMINAL, &mut Unobserved);
    outcome.unwrap_or_else(|error| panic!("{} contacts: {error}", problem.len()))
}

fn effort(outcome: &ProblemOutcome) -> SolverEffort {
    match outcome.effort {
        Effort::Solver(effort) => effort,
        ref other => panic!("a law for several contacts reports {other:?}"),
    }
}

/// The same problem in contact space, which is solved in full.
fn written_out(problem: &ContactProblem) -> ContactProblem {
    let n = problem.rows();
    let w: Vec<f64> = (0..n * n).map(|k| problem.delassus_at(k / n, k % n)).collect();
    ContactProblem::new(&w, problem.velocity(), problem.contacts())
        .expect("a pack is a valid problem")
}

#[test]
fn sparse_and_full_agree() {
    // Above 100 bodies W is kept by its factors; 200 take the full method some seconds.
    let all: &[&str] = &["newton", "moreau", "max-dissipation", "poisson"];
    for (bodies, laws) in [(20, all), (100, all), (110, all), (200, &["max-dissipation"])] {
        for blow in BLOWS {
            let pack = hexagonal_pack(bodies, blow, 0.5);
            let full = written_out(pack.problem());
            for &law in laws {
                let sparse = resolve(law, pack.problem());
                let dense = resolve(law, &full);
                for (k, (a, b)) in sparse.velocity.iter().zip(&dense.velocity).enumerate() {
                    let off = (a - b).abs();
                    assert!(
                        off <= 1e-10,
                        "{law}, {bodies} bodies, {blow:?}, u[{k}] off by {off:e}"
                    );
                }
                let unique = [effort(&sparse).impulse_unique, effort(&dense).impulse_unique];
                assert_eq!(unique[0], unique[1], "{law}, {bodies} bodies, {blow:?}");
                // Least norms, of a size of up to some ten: their own condition is behind them.
                for (k, (a, b)) in sparse.impulse.iter().zip(&dense.impulse).enumerate() {
                    let off = (a - b).abs();
                    assert!(off <= 1e-8, "{law}, {bodies} bodies, {blow:?}, p[{k}] off by {off:e}");
                }
            }
        }
    }
}

#[test]
fn a_thousand_bodies_fulfil_their_equations() {
    for blow in BLOWS {
        let pack = hexagonal_pack(1000, blow, 0.0);
        let problem = pack.problem();
        let outcome = resolve("max-dissipation", problem);
        let effort = effort(&outcome);
        assert!(effort.residual <= 1e-12, "{blow:?}: residual {:e}", effort.residual);
        assert_eq!(effort.impulse_unique, Some(false), "{blow:?}");
        // Recomputed from the impulse alone: signs, no penetration, and the gap between the energy left and the least
        // that can be left, p·u⁺.
        let after = problem.velocity_after(&outcome.impulse);
        assert!(outcome.impulse.iter().all(|p| *p >= 0.0), "{blow:?}");
        let deepest = after.iter().fold(0.0, |m: f64, u| m.min(*u));
        assert!(deepest >= -1e-12, "{blow:?}: penetrates with {deepest:e}");
        let gap: f64 = outcome.impulse.iter().zip(&after).map(|(p, u)| p * u.abs()).sum();
        let aftermath = pack.after(&outcome.impulse).expect("the impulse fits");
        let left: f64 = 0.5 * aftermath.velocity.iter().map(|v| v * v).sum::<f64>();
        let before = left - aftermath.kinetic_energy_change;
        assert!(gap <= 1e-12 * before, "{blow:?}: duality gap {gap:e} of {before}");
        assert!(left < before, "{blow:?}");
        assert_eq!(
            outcome,
            resolve("max-dissipation", problem),
            "{blow:?}: another run, other bits"
        );
    }
}

/// Of an elastic implosion everything comes back: `v⁺ = −v⁻` closes every contact exactly as fast as it opened.
#[test]
fn an_elastic_implosion_explodes() {
    let pack = hexagonal_pack(400, Blow::Implosion, 1.0);
    let problem = pack.problem();
    let outcome = resolve("newton", problem);
    let aftermath = pack.after(&outcome.impulse).expect("the impulse fits");
    let energy = 0.5 * aftermath.velocity.iter().map(|v| v * v).sum::<f64>();
    assert!(aftermath.kinetic_energy_change.abs() <= 1e-10 * energy);
    for (before, after) in problem.velocity().iter().zip(&outcome.velocity) {
        assert!(*after >= -before - 1e-10, "{before} → {after}");
    }
}

#[test]
fn many_supports_of_one_slab_are_no_trouble() {
    for supports in [4, 16, 49, 100, 144, 400] {
        let slab = slab(supports, 0.5);
        let outcome = resolve("newton", slab.problem());
        assert!(effort(&outcome).residual <= 1e-12, "{supports} supports");
        assert_eq!(effort(&outcome).impulse_unique, Some(supports <= 3), "{supports} supports");
    }
}

/// Lets so many steps pass.
struct Patience(u64);

impl Observer for Patience {
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        if progress.done > self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn long_work_can_be_stopped() {
    let pack = hexagonal_pack(400, Blow::LocalHit, 0.0);
    let law = Law::from_id("newton").expect("the law exists");
    let stopped = law.resolve(pack.problem(), &Tolerances::NOMINAL, &mut Patience(3));
    assert!(
        matches!(&stopped, Err(ImpactError::Limit(reason)) if reason.starts_with("interrupted after 4 ")),
        "{stopped:?}"
    );
}
