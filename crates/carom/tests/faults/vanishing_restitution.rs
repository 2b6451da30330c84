//! Symptom: `routh-stronge` slid on to a hundred thousand times the impulse when `e²` was too small for a number.
//! Cause: the work still to be given back was so small that its square root vanished, and 0/0 read as "never".
//! Mend: nothing worth a number is missing, so the impact ends where it is.

use carom::{Contact, ContactVec, Delassus, Law, Material, Tolerances, Unobserved};

#[test]
fn restitution_too_small_for_a_number_is_none() {
    let resolve = |e: f64| {
        let w = [[400.0, -6e-5], [-6e-5, 0.0035]];
        let contact = Contact::new(
            Delassus::new(w).unwrap(),
            ContactVec::new([-18.0, 24_000.0]),
            Material::new(7.5, e).unwrap(),
        );
        let law = Law::from_id("routh-stronge").unwrap();
        law.resolve_contact(&contact.unwrap(), &Tolerances::default(), &mut Unobserved)
            .unwrap()
            .impulse
    };
    let plastic = resolve(0.0);
    for e in [1e-150, 2.2e-159, 1e-161, 1e-300] {
        assert!((resolve(e) - plastic).norm() <= 4.0 * f64::EPSILON * plastic.norm(), "e = {e}");
    }
}
