//! Which impulses laws reach: all solutions, all parameters, all of the permissible region.

use super::support::{SEED, both_sets, impulse, rounding};
use carom::catalog::SettingValue;
use carom::certify::PermissibleRegion;
use carom::laws::Brach;
use carom::region::SphericalParameters;
use carom::{Contact, ContactVec, Tolerances};
use carom_testkit::laws::{law, law_with, resolve};
use carom_testkit::oracle::{Split, brute};
use carom_testkit::transform::{with_e, with_material};
use carom_testkit::{Rng, assert_close};

#[test]
fn invariant_15_whittaker_has_an_odd_number_of_solutions() {
    for contact in both_sets().iter().step_by(4) {
        let outcome = resolve(&law("whittaker"), contact);
        let all = brute::whittaker(&Split::from(contact));
        assert_eq!(all.len() % 2, 1, "{all:?}: {contact:?}");
        assert_eq!(outcome.effort.solutions as usize, all.len(), "{contact:?}");
        // Sampled and bisected: near a double root half of the digits are lost.
        assert_close!(outcome.impulse, all[0], tol = 1e-9, "{contact:?}");
    }
}

#[test]
fn invariant_17_brach_reaches_every_impulse() {
    for contact in both_sets() {
        for id in ["routh-stronge", "chatterjee-ruina", "smith"] {
            let p = impulse(id, &contact);
            let Some((e, ratios)) = Brach::parameters_of(&contact, &p) else {
                panic!("{id} pushes: {contact:?}");
            };
            let posed = with_material(&with_e(&contact, e), |m| m.impulse_ratio = Some(ratios));
            // e is a quotient of velocities, which are differences: what u_n lacks beside W p is lost.
            let w = contact.delassus();
            let terms: f64 = (0..3).map(|j| (w.at(0, j) * p[j]).abs()).sum();
            let lost = 16.0 * f64::EPSILON * terms / contact.velocity().normal().abs();
            assert_close!(
                impulse("brach", &posed),
                p,
                tol = rounding(&contact).max(lost),
                "{id}: {contact:?}"
            );
        }
    }
}

fn region(contact: &Contact<3>) -> PermissibleRegion<3> {
    PermissibleRegion::new(contact, &Tolerances::NOMINAL).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn invariant_17_spherical_parameters_there_and_back() {
    let mut rng = Rng::new(SEED);
    for contact in both_sets() {
        let region = region(&contact);
        let given = SphericalParameters {
            psi1: rng.uniform(0.1, 3.0),
            psi2: rng.uniform(-3.0, 3.0),
            rho: rng.uniform(0.05, 1.0),
        };
        let Some(p) = region.impulse_at(&given) else {
            panic!("inside the range: {given:?}: {contact:?}");
        };
        assert!(region.contains(&p), "{given:?}: {contact:?}");
        let Some(back) = region.spherical_parameters_of(&p) else {
            panic!("the region has an interior: {contact:?}");
        };
        // The way from P_0 to p is a difference: what it lacks beside p is lost.
        let centre = region.interior_point().unwrap_or(ContactVec::ZERO);
        let lost = 8.0 * p.norm().max(centre.norm()) / (p - centre).norm();
        let numbers = |s: &SphericalParameters| [s.psi1, s.psi2 * s.psi1.sin(), s.rho];
        assert_close!(
            numbers(&back),
            numbers(&given),
            tol = rounding(&contact) * lost,
            "{contact:?}"
        );
        // The law that takes the parameters gives the impulse.
        let settings = [("psi1", given.psi1), ("psi2", given.psi2), ("rho", given.rho)];
        let law = law_with(
            "permissible-spherical",
            settings.map(|(name, x)| (name, SettingValue::Number(x))),
        );
        assert_close!(resolve(&law, &contact).impulse, p, tol = rounding(&contact), "{contact:?}");
    }
}

#[test]
fn invariant_17_projection_is_idempotent() {
    let mut rng = Rng::new(SEED);
    let (mut moved, mut kept) = (0, 0);
    for contact in both_sets() {
        let region = region(&contact);
        let size = region.interior_point().map_or(1.0, |p| p.norm());
        let wild = ContactVec::new(std::array::from_fn(|_| 2.0 * size * rng.normal()));
        for given in [wild, impulse("routh-poisson", &contact), impulse("smith", &contact)] {
            let Some(once) = region.project(&given) else {
                panic!("a finite impulse has a projection: {contact:?}");
            };
            assert!(region.contains(&once.impulse), "{given:?}: {contact:?}");
            let twice = region.project(&once.impulse);
            assert_eq!(
                twice.map(|p| (p.impulse, p.moved)),
                Some((once.impulse, false)),
                "{contact:?}"
            );
            if once.moved {
                moved += 1;
            } else {
                kept += 1;
                assert_eq!(once.impulse, given);
            }
        }
    }
    assert!(moved > 100 && kept > 100, "{moved} moved, {kept} kept");
}

#[test]
fn largest_restitution_is_that_of_an_exhaustive_search() {
    for contact in both_sets().iter().step_by(20) {
        let Some(largest) = region(contact).largest_restitution() else {
            panic!("the bodies approach and can yield: {contact:?}");
        };
        // The search zooms to 1e-12 of μ around a maximum that is flat or lies on the rim of the cone.
        let searched = brute::largest_restitution(&Split::from(contact));
        assert_close!(largest.e, searched, tol = 1e-9, "{contact:?}");
    }
}
