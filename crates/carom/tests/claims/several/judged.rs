//! Claims about one outcome: energy, separation, pushing, an end, an answer at all.

use super::runner::{SEED, Verdict, answer, survey, systems_per_law};
use carom::catalog::LawInfo;
use carom::outcome::{Effort, Ending, ProblemOutcome};
use carom::system::{Chain, Generalized};
use carom::{ContactProblem, Law, Tolerances};
use carom_testkit::Rng;
use carom_testkit::generate::several::{SeveralSample, several};
use carom_testkit::judge::{judge_several, speed_scale};
use carom_testkit::laws::{every_multi_law, try_several};

/// What a claim may be off by, relative to the size of the terms that were added up.
const TOLERANCE: f64 = 1e-12;

/// What laws take for no approach at all is measured by the largest speed on their way, which may be some times the largest
/// one before that the judge knows.
const SEPARATION_TOLERANCE: f64 = 4.0 * Tolerances::NOMINAL.approach;

/// Laws of rounds end, by their own definition, where no approach is faster than this part of the largest speed.
const ROUNDS_SEPARATION: f64 = 1e-10;

/// `u⁺ = u⁻ + W p` is a sum of a dozen products, each rounded once.
const MOMENTUM_TOLERANCE: f64 = 16.0 * f64::EPSILON;

/// Generalized velocities go through the factors of the mass matrix and of the joints.
const BALANCE_TOLERANCE: f64 = 1e-12;

#[test]
fn claims_hold() {
    survey(
        "claims",
        systems_per_law(),
        |_| true,
        |index| {
            let sample = several(&mut Rng::for_item(SEED, index));
            let (problem, system) = (sample.problem(), sample.mechanism.system());
            let restitution = sample.restitution;
            (Built { sample, problem, system }, restitution)
        },
        check,
    );
}

/// A sample as carom sees it, made once for all laws.
struct Built {
    sample: SeveralSample,
    problem: ContactProblem,
    system: Generalized,
}

impl std::fmt::Debug for Built {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.sample.fmt(out)
    }
}

fn check(row: &'static LawInfo, law: &Law, built: &Built) -> Verdict {
    let outcome = match answer(row, law, &built.problem) {
        Ok(outcome) => outcome,
        Err(verdict) => return verdict,
    };
    match broken_claim(row, &built.problem, &outcome).or_else(|| imbalance(built, &outcome)) {
        None => Verdict::Held,
        Some(symptom) => Verdict::Broken(format!(
            "{symptom}: p = {:?}, u = {:?}",
            outcome.impulse, outcome.velocity
        )),
    }
}

/// The first claim that the outcome breaks, in words.
fn broken_claim(
    row: &LawInfo,
    problem: &ContactProblem,
    outcome: &ProblemOutcome,
) -> Option<String> {
    let v = judge_several(problem, &outcome.impulse, &outcome.velocity);
    let claims = &row.claims;
    let endless = match outcome.effort {
        Effort::Solver(effort) => !matches!(effort.ending, Ending::Direct | Ending::Finite),
        _ => false,
    };
    let separation = match outcome.effort {
        Effort::Rounds(_) => ROUNDS_SEPARATION.max(rounding(problem, &outcome.impulse)),
        _ => SEPARATION_TOLERANCE,
    };
    if claims.terminates && endless {
        return Some("did not end by itself".into());
    }
    [
        ("momentum", true, v.momentum, MOMENTUM_TOLERANCE),
        ("energy", claims.energy, v.energy, TOLERANCE),
        ("separation", claims.separation, v.separation, separation),
        ("pushes", claims.pushes, v.pulls, TOLERANCE),
    ]
    .into_iter()
    // A NaN counts as broken.
    .find(|(_, claimed, violation, tolerance)| {
        *claimed && (violation.is_nan() || violation > tolerance)
    })
    .map(|(name, _, violation, _)| format!("{name} broken by {violation:e}"))
}

/// What rounding of the impulses alone does to velocities, relative to the largest one before \[1\].
fn rounding(problem: &ContactProblem, impulse: &[f64]) -> f64 {
    let before = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    4.0 * f64::EPSILON * speed_scale(problem, impulse) / before
}

/// What is wrong with the generalized velocities that follow from the impulse.
fn imbalance(built: &Built, outcome: &ProblemOutcome) -> Option<String> {
    match built.system.after(&outcome.impulse) {
        Ok(after) => {
            let ProblemOutcome { impulse, velocity, .. } = outcome;
            let off = built.sample.mechanism.imbalance(impulse, velocity, &after);
            let held = off <= BALANCE_TOLERANCE;
            (!held).then(|| format!("momentum of the coordinates off by {off:e}"))
        }
        Err(error) => Some(format!("no velocities after: {error}")),
    }
}

#[test]
fn cradles_are_passed_on() {
    // n equal balls, the first a of them arrive together: the last a leave with their velocity.
    for n in 2..=20 {
        for a in 1..n {
            for (mass, speed) in [(1.0, 1.0), (0.3, 7.0)] {
                let before = (0..n).map(|k| if k < a { speed } else { 0.0 }).collect();
                let chain = Chain::new(vec![mass; n], before, vec![1.0; n - 1])
                    .unwrap_or_else(|e| panic!("{e}"));
                for (row, law) in every_multi_law(1.0).iter().filter(|(row, _)| row.claims.cradle) {
                    let outcome = try_several(law, chain.problem())
                        .unwrap_or_else(|e| panic!("{}: {e}", row.id));
                    let after = chain.after(&outcome.impulse).unwrap_or_else(|e| panic!("{e}"));
                    for (k, v) in after.velocity.iter().enumerate() {
                        let expected = if k < n - a { 0.0 } else { speed };
                        // Every ball is struck up to a times.
                        let rounding = (n * a) as f64 * 8.0 * f64::EPSILON * speed;
                        assert!(
                            (v - expected).abs() <= rounding,
                            "{}, {a} of {n}: ball {k} leaves with {v} instead of {expected}",
                            row.id
                        );
                    }
                }
            }
        }
    }
}
