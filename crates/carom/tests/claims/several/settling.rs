//! Claims on the states of running simulations: bodies that settle and rest on many contacts, slips that nearly stopped
//! beside normals that nearly rest, some contacts separating.
//!
//! Every claim that one outcome can be held to is checked: momentum, energy, separation, pushes, friction cones, an end by itself,
//! an answer at all. Claims that compare two outcomes are checked on other systems: contacts of these states depend on each
//! other nearly, and multiply the last digits of their rows by up to 1e14.

use super::judged::{broken_claim, imbalance};
use super::runner::{SEED, Verdict, answer, asked_or, survey_shared, takes_all};
use carom::catalog::LawInfo;
use carom::system::Generalized;
use carom::{ContactProblem, Law};
use carom_testkit::Rng;
use carom_testkit::generate::settling::{Settling, settling};
use carom_testkit::judge::judge_frictional;

/// States, where `CAROM_CLAIMS` does not set their number.
const STATES: u64 = 2_000;
/// How far impulses may leave their cones, relative to the largest \[1\].
const CONE: f64 = 1e-9;

/// One in so many states for laws that take long, so that the whole takes a minute; all in a long run.
fn stride(law: &str) -> u64 {
    match law {
        _ if takes_all() => 1,
        "lzb" => 40,
        "mosterman" => 20,
        "generalized-reflections" => 10,
        "plus-exact" => 8,
        "plus" | "sequential" | "stiff-limit" => 5,
        "newton-coulomb" => 2,
        _ => 1,
    }
}

/// The coefficient for laws that have one for the whole impact: that of fast approaches.
fn restitution(state: &Settling) -> f64 {
    state.mechanism.contacts[0].material.restitution.at(1.0)
}

struct Built {
    state: Settling,
    problem: ContactProblem,
    system: Generalized,
}

impl std::fmt::Debug for Built {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.state.fmt(out)
    }
}

#[test]
fn claims_hold_while_bodies_settle() {
    survey_shared(
        "claims of settling states",
        asked_or(STATES),
        stride,
        |_| true,
        |index| {
            let state = settling(&mut Rng::for_item(SEED ^ 6, index));
            let (system, e) = (state.mechanism.system(), restitution(&state));
            (Built { problem: state.mechanism.problem(), system, state }, e)
        },
        check,
    );
}

fn check(row: &'static LawInfo, law: &Law, built: &Built) -> Verdict {
    let outcome = match answer(row, law, &built.problem) {
        Ok(outcome) => outcome,
        Err(verdict) => return verdict,
    };
    let leaves_cone = || {
        // The energy that this judge asks for is only its scale.
        let judged = judge_frictional(&built.problem, 1.0, &outcome.impulse);
        let leaves = row.friction && row.claims.pushes && judged.cone > CONE;
        leaves.then(|| format!("outside a cone by {:e}", judged.cone))
    };
    let broken = broken_claim(row, &built.problem, &outcome)
        .or_else(leaves_cone)
        .or_else(|| imbalance(&built.state.mechanism, &built.system, &outcome));
    match broken {
        None => Verdict::Held,
        Some(symptom) => Verdict::Broken(format!(
            "{symptom}: notes {:?}, p = {:?}, u = {:?}",
            outcome.notes, outcome.impulse, outcome.velocity
        )),
    }
}
