//! Symptom: some laws never returned on contacts that lock, graze or have infinite friction.
//! Cause: searches that double a bracket started from zero, and a line along which nothing changes was followed for ever.
//! Mend: brackets start from what stops the contact and are bounded; a line without end has no solution.

use carom::{Contact, ContactVec, Delassus, Material, Tolerances, Unobserved};
use carom_testkit::laws::every_law;

/// Every law answers or refuses `W = A Aᵀ`; what it answers is a number.
fn every_law_returns<const D: usize>(a: [[f64; 3]; D], u: [f64; D], mu: f64, e: f64) {
    let product = |i: usize, j: usize| (0..3).map(|m| a[i][m] * a[j][m]).sum();
    let w = std::array::from_fn(|i| std::array::from_fn(|j| product(i, j)));
    let material = Material::new(mu, e).unwrap();
    let contact = Contact::new(Delassus::new(w).unwrap(), ContactVec::new(u), material).unwrap();
    for (row, law) in every_law::<D>() {
        if let Ok(outcome) = law.resolve_contact(&contact, &Tolerances::default(), &mut Unobserved)
        {
            assert!(outcome.velocity.is_finite(), "{}: {outcome:?}", row.id);
        }
    }
}

#[test]
fn expansion_from_no_compression() {
    let a =
        [[-0.0322265625, 0.0, 0.0], [0.001953125, 0.0, -0.1259765625], [-0.0009765625, 0.0, 0.0]];
    every_law_returns(a, [-0.0322265625, 19.53125, 0.0], f64::INFINITY, 0.0);
}

#[test]
fn grazing_a_contact_that_locks() {
    let a =
        [[-0.0322265625, 0.0, 0.0], [16.3134765625, 0.0, 0.0], [0.0, -0.0009765625, -0.0009765625]];
    every_law_returns(a, [0.0, -0.0009765625, 0.0], f64::INFINITY, 0.0419921875);
}

#[test]
fn sliding_that_changes_nothing() {
    let a = [[-17.8203125; 3], [-17.8203125; 3]];
    every_law_returns(a, [-17.8203125, 1.998046875], 1.0, 0.0);
}

#[test]
fn sticking_at_the_turn_of_a_phase() {
    let a =
        [[0.029296875, -0.0009765625, 0.0], [0.0, 2.25, 16.25390625], [16.3134765625, 0.0, 0.0]];
    every_law_returns(a, [0.0, -31.787109375, -2.3e-32], f64::INFINITY, 2.1e-159);
}
