//! One contact: Routh's law, as long as it is compressed once.

use super::support::{distance, law, norm, resolve, word};
use carom::laws::Plus;
use carom::outcome::Effort;
use carom::{Contact, ContactProblem, ContactSpec, Law, Material, Tolerances, Unobserved};
use carom_testkit::generate::{generic_set, hard_set};

const SEED: u64 = 0x51de;
const SAME: f64 = 1e-10;
/// How far intervals may be from their limit, as part of the angle by which slip turns in them.
const ENVELOPE: f64 = 0.35;

/// The contact as a problem of its first `rows` rows.
fn problem(contact: &Contact<3>, rows: usize) -> ContactProblem {
    let w = contact.delassus().rows();
    let entries: Vec<f64> = w[..rows].iter().flat_map(|row| row[..rows].to_vec()).collect();
    let u = &contact.velocity().components()[..rows];
    let contacts = vec![ContactSpec::new(rows, *contact.material())];
    ContactProblem::new(&entries, u, &contacts).unwrap_or_else(|error| panic!("{error}"))
}

/// The answer of a law for one contact, and how often it compresses.
fn routh_impulse(law: &Law, problem: &ContactProblem, rows: usize) -> (Vec<f64>, u32) {
    macro_rules! solve {
        ($d:literal) => {{
            let contact = problem.contact::<$d>(0).unwrap_or_else(|error| panic!("{error}"));
            let outcome = law
                .resolve_contact(&contact, &Tolerances::NOMINAL, &mut Unobserved)
                .unwrap_or_else(|error| panic!("{error}"));
            (outcome.impulse.components().to_vec(), outcome.effort.compressions)
        }};
    }
    match rows {
        1 => solve!(1),
        2 => solve!(2),
        _ => solve!(3),
    }
}

/// How many contacts were compared, and how many jam at the start.
fn compare(contacts: &[Contact<3>], rows: usize, debt: &str) -> [usize; 2] {
    let exact = law("plus-exact", [("restitution", word(debt))]);
    let routh = Law::from_id(&format!("routh-{debt}")).unwrap_or_else(|error| panic!("{error}"));
    let mut seen = [0; 2];
    for contact in contacts {
        let problem = problem(contact, rows);
        let (expected, compressions) = routh_impulse(&routh, &problem, rows);
        if compressions > 1 {
            continue;
        }
        let outcome =
            resolve(&exact, &problem).unwrap_or_else(|error| panic!("{error}: {contact:?}"));
        let velocity = problem.velocity_after(&expected);
        let off = (distance(&outcome.velocity, &velocity) / norm(problem.velocity()))
            .max(distance(&outcome.impulse, &expected) / norm(&expected));
        assert!(off <= SAME, "{off:e}, {rows} rows, {debt}: {contact:?}");
        seen[0] += 1;
        if let Effort::Rounds(effort) = &outcome.effort {
            assert_eq!(effort.fallbacks, 0, "{contact:?}");
            seen[1] += usize::from(effort.remedies.jam_advance > 0);
        }
    }
    seen
}

#[test]
fn one_compression_is_rouths() {
    let contacts = generic_set(SEED, 10_000);
    for rows in 1..=3 {
        for debt in ["poisson", "stronge"] {
            let [compared, jams] = compare(&contacts, rows, debt);
            assert!(compared > 9900, "{rows} rows, {debt}: {compared} compared");
            assert!(rows == 1 || jams > 100, "{rows} rows, {debt}: {jams} jams");
        }
    }
}

/// Contacts that hardly slide, and some that compress twice, which are not compared.
#[test]
fn slow_slip_is_rouths() {
    let contacts = hard_set(SEED, 2000);
    for debt in ["poisson", "stronge"] {
        let [compared, _] = compare(&contacts, 3, debt);
        assert!(compared > 1400, "{debt}: {compared} compared");
    }
}

/// Infinite friction rolls at once if it can, and nothing is left to turn: `plus` has no error.
#[test]
fn infinite_friction_is_that_of_plus() {
    let (exact, steps) = (law("plus-exact", []), law("plus", []));
    let mut rolling = 0;
    for contact in generic_set(SEED + 1, 500) {
        let material = Material { mu: f64::INFINITY, impulse_ratio: None, ..*contact.material() };
        let contact = Contact::new(*contact.delassus(), *contact.velocity(), material)
            .unwrap_or_else(|error| panic!("{error}"));
        let problem = problem(&contact, 3);
        let answer = |law| resolve(law, &problem).unwrap_or_else(|error| panic!("{error}"));
        let limit = answer(&exact).velocity;
        let off = distance(&limit, &answer(&steps).velocity) / norm(problem.velocity());
        // Where rolling would have to pull it slides, and turns.
        // By Cramer's rule: `p = −W⁻¹ u` pushes.
        let w = |i, j| contact.delassus().at(i, j);
        let u = problem.velocity();
        let minor = |a: usize, b: usize| w(a, 1) * w(b, 2) - w(a, 2) * w(b, 1);
        let along = |c: [f64; 3]| c[0] * minor(1, 2) - c[1] * minor(0, 2) + c[2] * minor(0, 1);
        let rolls = along([u[0], u[1], u[2]]) * along([w(0, 0), w(1, 0), w(2, 0)]) < 0.0;
        let law = Plus::default();
        let coarse =
            ENVELOPE * law.max_direction_change + law.transition_speed / norm(problem.velocity());
        let allowed = if rolls { SAME } else { coarse };
        rolling += u32::from(rolls);
        assert!(off <= allowed, "{off:e}: {contact:?}");
    }
    assert!(rolling > 250, "only {rolling} roll");
}
