//! Symptom: with `mu = inf` a contact that slides rebounded under `poisson-coulomb` with nothing, with `mu = 1e9` at
//! `e` times its approach.
//! Cause: infinitely rough and sliding, a contact presses with zero in compression, and expansion gave back a part of it.
//! Mend: where that happens the limit of large friction is taken.

use carom::{ContactProblem, ContactSpec, Law, Material};
use carom_testkit::laws::try_several;

/// `scenarios/infinite-friction.toml`, alone and with a second contact.
fn problems(mu: f64) -> [ContactProblem; 2] {
    let (a, b) = (5.263157894736842, 4.736842105263158);
    let contact = |mu, e| ContactSpec::new(2, Material::new(mu, e).unwrap());
    let one = ContactProblem::new(&[a, b, b, a], &[-1.0, -2.0], &[contact(mu, 0.7)]);
    #[rustfmt::skip]
    let w = [
        a, b, 0.2, 0.1,
        b, a, 0.1, 0.3,
        0.2, 0.1, 1.0, 0.2,
        0.1, 0.3, 0.2, 2.0,
    ];
    let contacts = [contact(mu, 0.7), contact(0.5, 0.3)];
    let two = ContactProblem::new(&w, &[-1.0, -2.0, -1.0, 0.1], &contacts);
    [one.unwrap(), two.unwrap()]
}

#[test]
fn infinite_friction_is_the_limit_of_large_friction() {
    for law in ["newton-coulomb", "poisson-coulomb"] {
        let law = Law::from_id(law).unwrap();
        for (infinite, large) in problems(f64::INFINITY).iter().zip(&problems(1e7)) {
            let limit = try_several(&law, infinite).unwrap();
            let near = try_several(&law, large).unwrap();
            assert_eq!(limit.impulse[0], 0.0);
            for (a, b) in limit.velocity.iter().zip(&near.velocity) {
                // Answers differ by about 1/mu.
                assert!((a - b).abs() <= 1e-6, "{law:?}: {:?} {:?}", limit.velocity, near.velocity);
            }
        }
        let [one, _] = problems(f64::INFINITY);
        // Both read e as the rebound here: 0.7 of an approach of 1.
        assert!((try_several(&law, &one).unwrap().velocity[0] - 0.7).abs() <= 1e-11);
    }
}
