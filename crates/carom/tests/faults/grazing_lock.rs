//! Symptom: a contact that slides and locks at any approach, however slow, was left alone at an approach of exactly zero.
//! Cause: no impulse is a solution there too, and the first that was found.
//! Mend: contacts that slide and neither approach nor separate are tried with a small approach; where that is another
//! answer altogether, its limit is given.

use carom::{ContactProblem, ContactSpec, Law, Material};
use carom_testkit::laws::try_several;

/// `scenarios/grazing-locking.toml` at an approach of `approach`, with friction `mu`.
fn grazing(approach: f64, mu: f64) -> ContactProblem {
    let contact = ContactSpec::new(2, Material::new(mu, 0.7).unwrap());
    ContactProblem::new(&[1.0, -1.2, -1.2, 2.0], &[-approach, -1.0], &[contact]).unwrap()
}

#[test]
fn grazing_is_the_limit_of_slow_approaches() {
    for law in ["newton-coulomb", "poisson-coulomb"] {
        let law = Law::from_id(law).unwrap();
        let limit = try_several(&law, &grazing(0.0, 1.2)).unwrap();
        let near = try_several(&law, &grazing(1e-9, 1.2)).unwrap();
        for (a, b) in limit.impulse.iter().zip(&near.impulse) {
            assert!((a - b).abs() <= 1e-7, "{law:?}: {:?} {:?}", limit.impulse, near.impulse);
        }
        // It locks with an impulse of the order of the slip.
        assert!(limit.impulse[0] > 1.0, "{limit:?}");
        // Less friction does not lock, and nothing happens.
        assert_eq!(try_several(&law, &grazing(0.0, 0.5)).unwrap().impulse, [0.0, 0.0]);
    }
}
