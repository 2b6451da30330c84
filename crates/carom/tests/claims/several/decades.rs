//! Claims where masses lie up to twelve decades apart. Judged by masses in twice the precision, and not by `W`, which rounds
//! the mobility of heavy bodies away beside that of light ones.

use super::runner::{SEED, Verdict, answer, survey, systems_per_law};
use carom::catalog::LawInfo;
use carom::certify::Violation;
use carom::outcome::{Effort, Ending};
use carom::region::Inequality;
use carom::system::Generalized;
use carom::{ContactSpec, Law, Material, Tolerances, certify};
use carom_testkit::generate::several::several_over_decades;
use carom_testkit::laws::{law, resolve_several};
use carom_testkit::{Mechanism, Rng};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// One in so many of the systems of other claims: laws take longer here.
const SHARE: u64 = 30;

/// A gain within this of the kinetic energy is rounding \[1\].
const GAIN: f64 = Tolerances::NOMINAL.verdict;

/// Masses farther apart than this are beyond what laws that see `W` alone can promise: rounding of `W` is no rounding of
/// the motion there \[1\].
const FAR_APART: f64 = 1e6;

/// Of systems whose masses are farther apart no more than this part may break a claim, and the certificate says which
/// \[1\].
const RARELY: f64 = 1e-3;

/// Sequences take much longer: one in so many again.
const SEQUENCES: u64 = 10;

/// Along normals, and all at once.
fn at_once(row: &LawInfo) -> bool {
    !row.friction && row.takes_several() && row.claims.terminates
}

/// Along normals, step by step.
fn step_by_step(row: &LawInfo) -> bool {
    !row.friction && row.takes_several() && !row.claims.terminates
}

fn count() -> u64 {
    match std::env::var("CAROM_CLAIMS").is_ok() {
        true => systems_per_law(),
        false => systems_per_law() / SHARE,
    }
}

#[test]
fn claims_hold_over_twelve_decades() {
    claims_hold(count(), at_once);
}

#[test]
fn claims_of_sequences_hold_over_twelve_decades() {
    claims_hold(count() / SEQUENCES, step_by_step);
}

fn claims_hold(count: u64, chosen: fn(&LawInfo) -> bool) {
    // Systems with masses far apart, and those of them that break a claim, by law.
    let far: Mutex<BTreeMap<&str, [u64; 2]>> = Mutex::default();
    survey(
        "decades",
        count,
        chosen,
        |index| {
            let (mechanism, restitution) =
                several_over_decades(&mut Rng::for_item(SEED ^ 6, index));
            let system = mechanism.system();
            ((mechanism, system), restitution)
        },
        |row, law, (mechanism, system)| {
            let verdict = check(row, law, mechanism, system);
            if spread(mechanism) <= FAR_APART {
                return verdict;
            }
            let mut far = far.lock().unwrap_or_else(|_| panic!("the other worker panicked"));
            let [all, broken] = far.entry(row.id).or_default();
            *all += 1;
            match verdict {
                Verdict::Broken(symptom) => {
                    *broken += 1;
                    println!("{}: {symptom}\n    {mechanism:?}", row.id);
                    Verdict::Excused
                }
                verdict => verdict,
            }
        },
    );
    let far = far.into_inner().unwrap_or_else(|_| panic!("a worker panicked"));
    println!("law, systems with masses far apart, of which break a claim: {far:?}");
    for (id, [all, broken]) in far {
        // One in few systems is no share.
        assert!(broken as f64 <= (RARELY * all as f64).max(1.0), "{id}: {broken} of {all}");
    }
}

/// The largest mass relative to the smallest \[1\].
fn spread(mechanism: &Mechanism) -> f64 {
    let masses = (0..mechanism.size()).map(|i| mechanism.mass[i * mechanism.size() + i]);
    let (least, most) =
        masses.fold((f64::INFINITY, 0.0_f64), |(a, b), m| (f64::min(a, m), b.max(m)));
    most / least
}

/// A light ball and heavy ones on joints: the rows that joints leave are rounded by what the light ball needs, and the
/// certificate, which follows the masses, says that a contact closes.
#[test]
fn joints_between_masses_far_apart_can_leave_an_approach() {
    let masses = [
        69918.53718238503,
        54.084294057423165,
        3.1131975047757013e-6,
        0.03314498458486103,
        9.428360151891919e-5,
    ];
    let velocity = [
        25.757769582987763,
        0.015551456768540604,
        0.550040944647894,
        0.045776730524087525,
        0.00509499047288339,
    ];
    let rows = [
        [1.2332519151785366, -1.0, 0.0, 1.0, -1.0],
        [0.0, -1.1790603506943818, -0.43111094500668523, -0.52383957438634, 1.0],
        [0.0, 1.0, 1.0, -1.0, 1.0],
        [0.0, -1.0645606702234103, 1.0, 1.0, 0.4077419884069746],
        [1.327572715688948, -1.7239252892178207, 1.0, -1.0, 0.0],
    ];
    let spec = |e| ContactSpec::new(1, Material::new(0.0, e).unwrap_or_else(|e| panic!("{e}")));
    let mut mechanism = Mechanism::new(
        &masses,
        velocity.to_vec(),
        rows.map(|row| row.to_vec()).to_vec(),
        [0.0, 0.5, 0.75, 1.0, 1.0].map(spec).to_vec(),
    );
    mechanism.bilateral = vec![
        vec![0.0, 0.0, 0.0, velocity[4], -velocity[3]],
        vec![-velocity[1], velocity[0], 0.0, 0.0, 0.0],
    ];
    let system = mechanism.system();
    for id in ["max-dissipation", "poisson"] {
        let outcome = resolve_several(&law(id), system.problem());
        let (certificate, _) =
            certify(&system, &outcome.impulse).unwrap_or_else(|error| panic!("{error}"));
        let closes = |v: &Violation| v.inequality == Inequality::Separation;
        assert!(certificate.violations.iter().any(closes), "{id}: {certificate:?}");
    }
}

fn check(row: &'static LawInfo, law: &Law, mechanism: &Mechanism, system: &Generalized) -> Verdict {
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
