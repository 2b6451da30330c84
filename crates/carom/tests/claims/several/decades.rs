//! Claims where masses lie up to twelve decades apart. Judged by masses in twice the precision, and not by `W`, which rounds
//! the mobility of heavy bodies away beside that of light ones.

use super::runner::{SEED, Verdict, answer, survey, systems_per_law};
use carom::catalog::LawInfo;
use carom::outcome::{Effort, Ending};
use carom::region::Inequality;
use carom::system::Generalized;
use carom::{Law, Tolerances, certify};
use carom_testkit::generate::several::several_over_decades;
use carom_testkit::{Mechanism, Rng};

/// One in so many of the systems of other claims: laws take longer here.
const SHARE: u64 = 30;

/// A gain within this of the kinetic energy is rounding \[1\].
const GAIN: f64 = Tolerances::NOMINAL.verdict;

/// What rounding of the impulses alone moves velocities by, in units of the terms' last place \[1\].
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What laws take for no approach at all, relative to the fastest on their way \[1\].
const UNSEEN: f64 = 4.0 * Tolerances::NOMINAL.approach;

/// Laws of single collisions let approaches below this be \[1\].
const STEPPED: f64 = 1e-9;

/// Along normals.
fn chosen(row: &LawInfo) -> bool {
    !row.friction && row.takes_several()
}

fn count() -> u64 {
    match std::env::var("CAROM_CLAIMS").is_ok() {
        true => systems_per_law(),
        false => systems_per_law() / SHARE,
    }
}

#[test]
fn claims_hold_over_twelve_decades() {
    survey(
        "decades",
        count(),
        chosen,
        |index| {
            let (mechanism, restitution) =
                several_over_decades(&mut Rng::for_item(SEED ^ 6, index));
            let system = mechanism.system();
            ((mechanism, system), restitution)
        },
        check,
    );
}

fn check(
    row: &'static LawInfo,
    law: &Law,
    (mechanism, system): &(Mechanism, Generalized),
) -> Verdict {
    let problem = system.problem();
    let outcome = match answer(row, law, problem) {
        Ok(outcome) => outcome,
        Err(verdict) => return verdict,
    };
    let claims = &row.claims;
    let (certificate, _) = match certify(system, &outcome.impulse) {
        Ok(certified) => certified,
        Err(error) => return Verdict::Broken(format!("no certificate: {error}")),
    };
    let broken = |what: String| {
        Verdict::Broken(format!("{what}: p = {:?}, {:?}", outcome.impulse, outcome.notes))
    };
    for violation in &certificate.violations {
        let claimed = match violation.inequality {
            Inequality::Energy => claims.energy,
            Inequality::Separation => claims.separation,
            Inequality::NormalImpulse | Inequality::Cone => claims.pushes,
            _ => true,
        };
        if claimed {
            return broken(format!("{violation:?}"));
        }
    }
    let driven = mechanism.drive.iter().any(|w| *w != 0.0);
    let gain = (certificate.energy_change - certificate.rounding.energy_change)
        / kinetic_energy(mechanism);
    if claims.energy && !driven && gain > GAIN {
        return broken(format!("gains {gain:e} of the energy"));
    }
    let speeds = problem.velocity().iter().chain(&outcome.velocity);
    let fastest = speeds.fold(0.0, |m: f64, u| m.max(u.abs()));
    for (k, contact) in certificate.contacts.iter().enumerate().filter(|_| claims.separation) {
        let i = problem.row_range(k).start;
        let terms =
            (0..problem.rows()).map(|j| (problem.delassus_at(i, j) * outcome.impulse[j]).abs());
        let size = terms.sum::<f64>() + problem.velocity()[i].abs();
        let unseen = match outcome.effort {
            Effort::Rounds(_) => STEPPED,
            _ => UNSEEN,
        };
        let allowed = ROUNDING * size + unseen * fastest + contact.separation.rounding;
        if contact.separation.value < -allowed {
            let times = -contact.separation.value / allowed;
            return broken(format!(
                "contact {k} closes at {:e}, {times} times what rounding explains",
                contact.separation.value
            ));
        }
    }
    let endless = match outcome.effort {
        Effort::Solver(effort) => !matches!(effort.ending, Ending::Direct | Ending::Finite),
        _ => false,
    };
    if claims.terminates && endless {
        return broken("did not end by itself".into());
    }
    Verdict::Held
}

fn kinetic_energy(mechanism: &Mechanism) -> f64 {
    let (size, v) = (mechanism.size(), &mechanism.velocity);
    let row = |i: usize| (0..size).map(|j| mechanism.mass[i * size + j] * v[j]).sum::<f64>();
    (0..size).map(|i| 0.5 * v[i] * row(i)).sum()
}
