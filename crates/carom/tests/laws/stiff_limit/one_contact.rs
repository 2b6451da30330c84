//! One contact is Routh's path with Stronge's end.

use super::support::{
    FINE, Raw, accuracy, assert_close, distance, exponent, material, norm, resolve, stiff,
};
use carom::outcome::ProblemOutcome;
use carom::{ContactSpec, Law};
use carom_testkit::generate::{MIRTICH_DELASSUS, MIRTICH_VELOCITY, generic_set, hard_set};
use carom_testkit::laws::{law, resolve as resolve_one};

/// What the law promises of one contact, relative to the speed \[1\].
const EXACT: f64 = 1e-9;

fn raw<const D: usize>(contact: &carom::Contact<D>) -> Raw {
    Raw {
        w: contact.delassus().rows().iter().map(|row| row.to_vec()).collect(),
        u: contact.velocity().components().to_vec(),
        specs: vec![ContactSpec::new(D, *contact.material())],
    }
}

/// The contact in two parts: the law must find its way by springs.
fn in_two(law: &Law, raw: &Raw) -> ProblemOutcome {
    let mut two = raw.pick(&[0, 0]);
    two.specs[0].material.stiffness = 0.3;
    two.specs[1].material.stiffness = 0.7;
    resolve(law, &two)
}

/// The corrected-Mirtich example compresses twice; its impulse to twelve digits.
#[test]
fn two_compressions() {
    let expected = [60.81154355202, -15.09702355877, 25.63524771174];
    let raw = Raw {
        w: MIRTICH_DELASSUS.iter().map(|row| row.to_vec()).collect(),
        u: MIRTICH_VELOCITY.to_vec(),
        specs: vec![ContactSpec::new(3, material(0.5, 0.9))],
    };
    for power in [1.0, 1.5, 2.5] {
        // The approach is a four-thousandth of the slip.
        let law = stiff([exponent(power), accuracy(1e-12)]);
        assert_close(&resolve(&law, &raw).impulse, &expected, EXACT * norm(&expected));
        let parts = in_two(&law, &raw).impulse;
        let sum: Vec<f64> = parts[..3].iter().zip(&parts[3..]).map(|(a, b)| a + b).collect();
        assert_close(&sum, &expected, EXACT * norm(&expected));
        assert!((parts[0] - 0.3 * expected[0]).abs() <= EXACT * norm(&expected));
    }
}

/// Random contacts of every kind, as one and in two parts that springs press.
#[test]
fn routh_with_stronges_end() {
    let exact = law("routh-stronge");
    let mut faults = Vec::new();
    for (i, contact) in generic_set(1, 40).iter().chain(&hard_set(2, 40)).enumerate() {
        // Springs have no answer to e = 0 in two parts but that of one; grazing is another convention.
        if contact.e() < 0.02 || contact.velocity().components()[0] >= 0.0 {
            continue;
        }
        let wanted = resolve_one(&exact, contact);
        let scale = norm(&contact.velocity().components());
        for power in [1.0, 1.5] {
            let law = stiff([exponent(power)]);
            let one = resolve(&law, &raw(contact)).velocity;
            let two = in_two(&law, &raw(contact)).velocity;
            let velocity = wanted.velocity.components();
            let off =
                [distance(&one, &velocity), distance(&two[..3], &velocity)].map(|x| x / scale);
            if off.iter().any(|off| off.total_cmp(&EXACT).is_gt()) {
                faults.push(format!("{i}, exponent {power}: {off:?} {contact:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// A contact that jams: the slower it approaches, the longer it takes to press away from the surface, and the answer
/// tends to that of Routh's law for grazing.
#[test]
fn jams_of_grazing_contacts() {
    let table =
        [(-1e-1, 3.97902), (-1e-2, 3.38299), (-1e-3, 3.32223), (-1e-4, 3.31614), (-1e-6, 3.315468)];
    for power in [1.0, 1.5] {
        let law = stiff([exponent(power)]);
        for (un, expected) in table {
            let raw = Raw {
                w: vec![vec![1.0, -1.2], vec![-1.2, 2.0]],
                u: vec![un, -1.0],
                specs: vec![ContactSpec::new(2, material(1.2, 0.7))],
            };
            let one = resolve(&law, &raw).impulse[0];
            assert!((one - expected).abs() < 6e-6, "{un}: {one}");
            let two = in_two(&law, &raw).impulse;
            // What is lost at the start grows as much as the approach does.
            let allowed = 10.0 * FINE / un.abs();
            assert!((two[0] + two[2] - one).abs() < allowed, "{un}: {two:?} {one}");
        }
    }
}
