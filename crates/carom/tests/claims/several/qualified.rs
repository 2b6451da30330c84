//! Claims that laws make under a condition only.

use super::runner::{SEED, Verdict, answer, survey, systems_per_law};
use carom::catalog::LawInfo;
use carom::outcome::{Effort, Ending};
use carom::{Law, Restitution, Tolerances};
use carom_testkit::Rng;
use carom_testkit::generate::several::{
    Kind, SeveralSample, several, several_of, several_separating,
};
use carom_testkit::judge::judge_several;

/// What energy may be off by, relative to the size of the terms that were added up.
const TOLERANCE: f64 = 1e-12;

fn with_equal_restitution(mut sample: SeveralSample, e: f64) -> SeveralSample {
    for contact in &mut sample.mechanism.contacts {
        contact.material.restitution = Restitution::Constant(e);
    }
    SeveralSample { restitution: e, scene: None, ..sample }
}

fn gains_nothing(row: &'static LawInfo, law: &Law, sample: &SeveralSample) -> Verdict {
    let problem = sample.problem();
    let outcome = match answer(row, law, &problem) {
        Ok(outcome) => outcome,
        Err(verdict) => return verdict,
    };
    let gain = judge_several(&problem, &outcome.impulse, &outcome.velocity).energy;
    match gain <= TOLERANCE {
        true => Verdict::Held,
        false => Verdict::Broken(format!("energy grows by {gain:e}: {outcome:?}")),
    }
}

/// Newton's equations gain energy where coefficients differ. Where they do not, `T⁺ − T⁻ = −½ (1 − e²) u⁻ᵀ W⁺ u⁻`.
#[test]
fn newtons_equations_gain_nothing_if_all_contacts_have_the_same_restitution() {
    survey(
        "equal restitution",
        systems_per_law(),
        |row| row.id == "newton-equality",
        |index| {
            let sample = several(&mut Rng::for_item(SEED ^ 3, index));
            let e = sample.restitution;
            (with_equal_restitution(sample, e), e)
        },
        gains_nothing,
    );
}

/// Proven for contacts that separate before the impact as well, unlike for other laws.
#[test]
fn poisson_gains_nothing_from_contacts_that_separate() {
    survey(
        "separating",
        systems_per_law(),
        |row| ["poisson", "max-dissipation"].contains(&row.id),
        |index| {
            let sample = several_separating(&mut Rng::for_item(SEED ^ 4, index));
            let e = sample.restitution;
            (sample, e)
        },
        gains_nothing,
    );
}

/// Where some motion opens all contacts elastic sequences end by themselves, and keep all energy.
#[test]
fn elastic_sequences_end() {
    survey(
        "elastic",
        systems_per_law(),
        |row| ["sequential", "mosterman", "generalized-reflections"].contains(&row.id),
        |index| {
            let kind = if index % 4 < 3 { Kind::Chain } else { Kind::Slab };
            let sample = several_of(kind, &mut Rng::for_item(SEED ^ 5, index));
            (with_equal_restitution(sample, 1.0), 1.0)
        },
        check_end,
    );
}

fn check_end(row: &'static LawInfo, law: &Law, sample: &SeveralSample) -> Verdict {
    // Off chains steps of this law can lose or gain.
    if row.id == "mosterman" && sample.kind != Kind::Chain {
        return Verdict::Excused;
    }
    let problem = sample.problem();
    let outcome = match answer(row, law, &problem) {
        Ok(outcome) => outcome,
        Err(verdict) => return verdict,
    };
    let Effort::Solver(effort) = outcome.effort else {
        return Verdict::Broken(format!("another effort: {outcome:?}"));
    };
    let mechanism = &sample.mechanism;
    let change = match mechanism.system().after(&outcome.impulse) {
        Ok(after) => after.kinetic_energy_change,
        Err(error) => return Verdict::Broken(format!("no velocities after: {error}")),
    };
    let size = mechanism.size();
    let mass = |i: usize| mechanism.mass[i * size + i];
    let energy: f64 = (0..size).map(|i| 0.5 * mass(i) * mechanism.velocity[i].powi(2)).sum();
    // Contacts solved together carry the condition of their W, the ratio of masses. Light bodies between heavy ones become
    // faster than these by the root of it, and each collision rounds velocities of which those of the heavy are part.
    let heaviest = (0..size).map(mass).fold(0.0, f64::max);
    let ratio = heaviest / (0..size).map(mass).fold(f64::INFINITY, f64::min);
    let rounding = 16.0 * f64::EPSILON * (ratio + effort.collisions as f64 * ratio.sqrt());
    // A projection over no distance has found a sequence that was over. So has a tolerance that leaves an approach too slow
    // to count: what keeps all its energy does not become slow by and by.
    let fastest = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    let ends = match effort.ending {
        Ending::Direct | Ending::Finite => true,
        Ending::Projected => effort.truncation == 0.0,
        Ending::Tolerance => effort.truncation <= Tolerances::NOMINAL.approach * fastest,
        Ending::Truncated => false,
    };
    match ends && change.abs() <= rounding * energy {
        true => Verdict::Held,
        false => Verdict::Broken(format!("{change:e} of {energy:e} J: {outcome:?}")),
    }
}
