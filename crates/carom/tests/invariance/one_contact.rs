//! Invariants of all laws: what must not change, or must change in a known way, when the contact does.
//!
//! Numbered as in the list of invariants of the laws' mathematics; `agreement` has the others.

use carom::catalog::LawInfo;
use carom::{
    Contact, ContactProblem, ContactSpec, ContactVec, Law, Outcome, Tolerances, Unobserved,
};
use carom_testkit::generate::{claims_contact, condition, generic_set, hard_set};
use carom_testkit::judge::judge;
use carom_testkit::laws::{every_law, law, resolve};
use carom_testkit::transform::{Turn, scaled, with_e, with_velocity};
use carom_testkit::{Rng, assert_close};

const SEED: u64 = 91;

/// What rounding may do to an impulse, relative to its size: amplified by the condition of `W`, and not below the
/// accuracy that exact integration promises.
fn rounding<const D: usize>(contact: &Contact<D>) -> f64 {
    f64::max(1e-12, 10.0 * f64::EPSILON * condition(contact.delassus()))
}

fn try_resolve<const D: usize>(law: &Law, contact: &Contact<D>) -> Option<Outcome<D>> {
    law.resolve_contact(contact, &Tolerances::NOMINAL, &mut Unobserved).ok()
}

/// `½ u⁻ᵀ W⁻¹ u⁻`.
fn energy(contact: &Contact<3>) -> f64 {
    let w = nalgebra::Matrix3::from(contact.delassus().rows());
    let u = nalgebra::Vector3::from(contact.velocity().components());
    w.lu().solve(&u).map_or(0.0, |p| 0.5 * p.dot(&u))
}

#[test]
fn invariant_01_energy_never_grows() {
    let dissipative = [
        "frictionless",
        "chatterjee-ruina",
        "bilinear",
        "smith",
        "anitescu-potra",
        "routh-poisson",
        "routh-stronge",
        "composite",
    ];
    for id in dissipative.into_iter().chain(["pfeiffer-glocker"]) {
        assert!(law(id).info().claims.energy, "{id} is proven to dissipate");
    }
    for id in ["whittaker", "routh-newton", "brach"] {
        assert!(!law(id).info().claims.energy, "{id} can create energy");
    }
    for contact in generic_set(SEED, 1000).iter().chain(&hard_set(SEED, 1000)) {
        for id in dissipative {
            if let Some(outcome) = try_resolve(&law(id), contact) {
                let v = judge(contact, energy(contact), &outcome.impulse, &outcome.velocity);
                assert!(v.energy <= 1e-12, "{id} gains {}: {contact:?}", v.energy);
            }
        }
    }
}

#[test]
fn invariant_02_outcomes_lie_in_the_region() {
    for contact in generic_set(SEED, 1000).iter().chain(&hard_set(SEED, 1000)) {
        for (row, law) in every_law::<3>() {
            let Some(outcome) = try_resolve(&law, contact) else {
                continue;
            };
            let v = judge(contact, energy(contact), &outcome.impulse, &outcome.velocity);
            assert!(v.separation <= 1e-12, "{}: {contact:?}", row.id);
            assert!(v.normal <= 1e-12, "{}: {contact:?}", row.id);
            assert!(v.cone <= 1e-12, "{}: {contact:?}", row.id);
        }
    }
}

/// Powers of two scale every intermediate result exactly, so the impulse scales to the last bit.
fn assert_homogeneous<const D: usize>(row: &LawInfo, law: &Law, contact: &Contact<D>) {
    let Some(outcome) = try_resolve(law, contact) else {
        return;
    };
    for (matrix, velocity) in [(1.0, 0.125), (1.0, 1024.0), (0.25, 1.0), (4096.0, 1.0), (0.5, 8.0)]
    {
        let Some(other) = try_resolve(law, &scaled(contact, matrix, velocity)) else {
            panic!("{} answers only in some units: {contact:?}", row.id);
        };
        let expected = (outcome.impulse * velocity).components().map(|p| p / matrix);
        assert_eq!(
            other.impulse.components(),
            expected,
            "{}, W·{matrix}, u·{velocity}: {contact:?}",
            row.id
        );
    }
}

fn homogeneity<const D: usize>() {
    for (row, law) in every_law::<D>().iter().filter(|(row, _)| row.claims.scale) {
        for index in 0..3000 {
            let contact = claims_contact::<D>(&mut Rng::for_item(SEED, index)).contact;
            assert_homogeneous(row, law, &contact);
        }
    }
}

#[test]
fn invariant_03_homogeneity_of_normal_contacts() {
    homogeneity::<1>();
}

#[test]
fn invariant_03_homogeneity_in_the_plane() {
    homogeneity::<2>();
}

#[test]
fn invariant_03_homogeneity_in_space() {
    homogeneity::<3>();
}

#[test]
fn invariant_03_homogeneity_in_decimal_units() {
    // From metres to millimetres, from kilograms to grams: no power of two, so only to rounding.
    for contact in hard_set(SEED, 300) {
        for (row, law) in every_law::<3>().iter().filter(|(row, _)| row.claims.scale) {
            let Some(outcome) = try_resolve(law, &contact) else {
                continue;
            };
            let other = resolve(law, &scaled(&contact, 1e-3, 1e3));
            assert_close!(
                other.impulse,
                outcome.impulse * 1e6,
                tol = rounding(&contact),
                "{}: {contact:?}",
                row.id
            );
        }
    }
}

fn assert_turns<const D: usize>(turn: &Turn<D>, contact: &Contact<D>) {
    for (row, law) in every_law::<D>().iter().filter(|(row, _)| row.claims.frame) {
        let Some(outcome) = try_resolve(law, contact) else {
            continue;
        };
        let turned = resolve(law, &turn.contact(contact));
        assert_close!(
            turned.impulse,
            turn.apply(&outcome.impulse),
            tol = rounding(contact),
            "{}, {turn:?}: {contact:?}",
            row.id
        );
    }
}

#[test]
fn invariant_04_rotation_about_the_normal() {
    let mut rng = Rng::new(SEED);
    for contact in generic_set(SEED, 400).iter().chain(&hard_set(SEED, 400)) {
        assert_turns(&Turn::about_normal(rng.uniform(0.0, std::f64::consts::TAU)), contact);
    }
}

#[test]
fn invariant_04_reflection_and_exchange_of_tangents() {
    for contact in generic_set(SEED, 400).iter().chain(&hard_set(SEED, 400)) {
        assert_turns(&Turn::mirror(), contact);
        assert_turns(&Turn::swap(), contact);
    }
    for index in 0..400 {
        let sample = claims_contact::<2>(&mut Rng::for_item(SEED, index));
        if condition(sample.contact.delassus()) < 1e3 {
            assert_turns(&Turn::mirror(), &sample.contact);
        }
    }
}

/// Exchange of the bodies turns normal and velocity round; with the second tangent turned as well, so that the frame
/// stays right-handed, the components change like those of a mirror of the first tangent. In world space the impulse
/// on the other body is the opposite one.
#[test]
fn invariant_04_exchange_of_the_bodies() {
    // Rows: the frame (n, t1, t2) of the contact in world axes; after the exchange (−n, t1, −t2).
    let mut rng = Rng::new(SEED);
    for contact in hard_set(SEED, 300) {
        let frame = rng.rotation();
        let other_frame = [frame[0].map(|x| -x), frame[1], frame[2].map(|x| -x)];
        let world = |frame: &[[f64; 3]; 3], v: &ContactVec<3>| -> [f64; 3] {
            std::array::from_fn(|i| (0..3).map(|m| frame[m][i] * v[m]).sum())
        };
        // Components of −u in the other frame: (u_n, −u_t1, u_t2).
        let exchange = Turn::first_reversed();
        let exchanged = exchange.contact(&contact);
        for (row, law) in every_law::<3>().iter().filter(|(row, _)| row.claims.frame) {
            let Some(outcome) = try_resolve(law, &contact) else {
                continue;
            };
            let other = resolve(law, &exchanged);
            let on_b = world(&frame, &outcome.impulse);
            let on_a = world(&other_frame, &other.impulse);
            assert_close!(
                on_a.map(|x| -x),
                on_b,
                tol = rounding(&contact),
                "{}: {contact:?}",
                row.id
            );
        }
    }
}

/// The tangential velocity of Routh's flow after a normal impulse `pn`: how slip evolves does not depend on `u_n`, so
/// an approach is sought that the plastic law stops with just this impulse. None if friction makes it jump past.
fn slip_after(contact: &Contact<3>, pn: f64) -> Option<[f64; 2]> {
    let plastic = law("routh-newton");
    let [_, x, y] = contact.velocity().components();
    let stopped = |un: f64| resolve(&plastic, &with_e(&with_velocity(contact, [un, x, y]), 0.0));
    let (mut low, mut high) = (-100.0 * pn, 0.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if stopped(middle).impulse.normal() > pn {
            low = middle;
        } else {
            high = middle;
        }
    }
    let outcome = stopped(high);
    let reached = (outcome.impulse.normal() - pn).abs() <= 1e-9 * pn;
    reached.then(|| outcome.velocity.tangent())
}

#[test]
fn invariant_13_slips_never_separate() {
    // Two slips with equal W and μ: at equal p_n their distance in the metric of T⁻¹ does not grow with p_n.
    let mut rng = Rng::new(SEED);
    let mut compared = 0;
    for contact in generic_set(SEED, 150) {
        let [un, x, y] = contact.velocity().components();
        let other = with_velocity(&contact, [un, x + 0.3 * rng.normal(), y + 0.3 * rng.normal()]);
        let w = contact.delassus();
        let (xx, xy, yy) = (w.at(1, 1), w.at(1, 2), w.at(2, 2));
        let distance = |a: [f64; 2], b: [f64; 2]| {
            let (x, y) = (a[0] - b[0], a[1] - b[1]);
            ((yy * x * x - 2.0 * xy * x * y + xx * y * y) / (xx * yy - xy * xy)).sqrt()
        };
        let start = distance(contact.velocity().tangent(), other.velocity().tangent());
        let mut last = start;
        for pn in [0.01, 0.03, 0.1, 0.3, 1.0, 3.0] {
            if let (Some(a), Some(b)) = (slip_after(&contact, pn), slip_after(&other, pn)) {
                let now = distance(a, b);
                // p_n is met to 1e-9, and u_t with it.
                assert!(now <= last + 1e-7 * start.max(pn), "{pn}: {now} > {last}: {contact:?}");
                last = now;
                compared += 1;
            }
        }
    }
    assert!(compared > 600, "only {compared} pairs compared");
}

#[test]
fn invariant_14_impulse_grows_with_restitution() {
    for contact in generic_set(SEED, 200).iter().chain(&hard_set(SEED, 200)) {
        for id in ["routh-poisson", "routh-stronge", "routh-newton"] {
            let mut last = 0.0;
            for step in 0..=10 {
                let pn =
                    resolve(&law(id), &with_e(contact, f64::from(step) / 10.0)).impulse.normal();
                assert!(pn >= last * (1.0 - rounding(contact)), "{id}, e = 0.{step}: {contact:?}");
                last = pn;
            }
        }
        let clipped = carom_testkit::transform::with_material(contact, |m| m.e_t = -1.0);
        let mut last = 0.0;
        for step in 0..=10 {
            let contact = with_e(&clipped, f64::from(step) / 10.0);
            let pn = resolve(&law("chatterjee-ruina"), &contact).impulse.normal();
            assert!(pn >= last, "e = 0.{step}: {contact:?}");
            last = pn;
        }
    }
}

#[test]
fn invariant_16_grazing_is_the_limit_of_slow_approach() {
    // As u_n → 0⁻ the impulse has a limit, zero or that of a jamb; Routh's laws and those built on the same flow
    // reach it continuously.
    for contact in generic_set(SEED, 400) {
        let [_, x, y] = contact.velocity().components();
        let at = |un: f64| with_velocity(&contact, [un, x, y]);
        for id in ["routh-poisson", "routh-stronge", "routh-newton", "frictionless"] {
            let (grazing, slow) = (resolve(&law(id), &at(0.0)), resolve(&law(id), &at(-1e-9)));
            // The impulse per unit of approach is bounded by the condition of W and by how near q is to zero.
            assert_close!(
                grazing.impulse,
                slow.impulse,
                tol = 1e-4,
                scale = 1.0,
                "{id}: {contact:?}"
            );
        }
    }
}

#[test]
fn invariant_16_separating_contacts_are_not_loaded() {
    for contact in generic_set(SEED, 100) {
        let [_, x, y] = contact.velocity().components();
        for (row, law) in every_law::<3>() {
            for un in [1.0, 1e-300] {
                let outcome = resolve(&law, &with_velocity(&contact, [un, x, y]));
                assert_eq!(outcome.impulse, ContactVec::ZERO, "{}", row.id);
            }
        }
    }
}

/// Contacts that `W` does not couple form islands, and an island does not see the others: not one bit changes.
#[test]
fn locality_an_unrelated_contact_changes_no_bit() {
    let contacts = hard_set(SEED, 200);
    for (first, second) in contacts.iter().zip(contacts.iter().skip(1)) {
        let mut w = [0.0; 36];
        for i in 0..3 {
            for j in 0..3 {
                w[i * 6 + j] = first.delassus().at(i, j);
                w[(i + 3) * 6 + j + 3] = second.delassus().at(i, j);
            }
        }
        let u: Vec<f64> = [first, second].iter().flat_map(|c| c.velocity().components()).collect();
        let specs = [first, second].map(|c| ContactSpec::new(3, *c.material()));
        let both = ContactProblem::new(&w, &u, &specs).unwrap_or_else(|e| panic!("{e}"));
        let islands = both.islands();
        assert_eq!(islands.len(), 2);
        for (island, alone) in islands.iter().zip([first, second]) {
            let problem = both.restricted_to(&island.contacts);
            for (row, law) in every_law::<3>() {
                let together = law.resolve(&problem, &Tolerances::NOMINAL, &mut Unobserved);
                match (together, try_resolve(&law, alone)) {
                    (Ok(together), Some(alone)) => {
                        assert_eq!(together.impulse, alone.impulse.components(), "{}", row.id);
                    }
                    (Err(_), None) => {}
                    (together, alone) => panic!("{}: {together:?} but {alone:?}", row.id),
                }
            }
        }
    }
}
