//! Symptom: `plus` and `plus-exact` jumped at infinite friction (a rebound at 0.7 m/s for every large μ, none for an infinite
//! one), and at grazing (a rebound at 0.42 m/s for every approach down to 1e-6 of the slip, none below).
//! Cause: infinite friction was rolling and nothing else; where that would have to pull the contact was dropped. Contacts that
//! approach more slowly than `observe_speed` took no part, even if friction drives them into compression.
//! Mend: a contact that cannot roll slides, with a very large μ; one that grazes and locks takes part at any speed.

use carom::outcome::Note;
use carom::{ContactSpec, Material};
use carom_testkit::Mechanism;
use carom_testkit::laws::{law, resolve_several};

const LAWS: [&str; 2] = ["plus", "plus-exact"];

/// The velocity after, `M` being the inverse of `W`, and whether it says that it jams.
fn after(law_id: &str, mass: [f64; 4], u: [f64; 2], mu: f64) -> ([f64; 2], bool) {
    let contact = ContactSpec::new(2, Material::new(mu, 0.7).unwrap());
    let rows = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    let free = Mechanism::new(&[1.0; 2], u.to_vec(), rows, vec![contact]);
    let problem = Mechanism { mass: mass.to_vec(), ..free }.problem();
    let outcome = resolve_several(&law(law_id), &problem);
    ([outcome.velocity[0], outcome.velocity[1]], outcome.notes.contains(Note::Jamb))
}

/// Figure 7 of Chatterjee and Ruina (1998).
#[test]
fn infinite_friction_is_the_limit_of_large_friction() {
    for id in LAWS {
        let of = |mu| after(id, [1.0, -0.9, -0.9, 1.0], [-1.0, -2.0], mu).0;
        let (infinite, large) = (of(f64::INFINITY), of(1e9));
        assert!((infinite[0] - 0.7).abs() < 1e-9, "{id}: {infinite:?}");
        let near = infinite.iter().zip(large).all(|(a, b)| (a - b).abs() < 1e-8);
        assert!(near, "{id}: {infinite:?} {large:?}");
    }
}

/// Figure 6 of Chatterjee and Ruina (1998): `W = [1 −1.2; −1.2 2]`, μ = 1.2, e = 0.7. Sliding stops after 1/0.56 N·s, at
/// `u_n = −0.44/0.56 m/s`; the rebound of 0.42 m/s is that of Routh with Poisson.s restitution.
#[test]
fn grazing_is_the_limit_of_ever_slower_approaches() {
    let inverse = [2.0, 1.2, 1.2, 1.0].map(|x| x / 0.56);
    for id in LAWS {
        for approach in [1e-6, 1e-7, 1e-9, 1e-12, 1e-300, 0.0] {
            let (velocity, jams) = after(id, inverse, [-approach, -1.0], 1.2);
            let off = [velocity[0] - 0.42, velocity[1]];
            assert!(off.iter().all(|u| u.abs() < 1e-6), "{id} at {approach:e}: {velocity:?}");
            assert!(jams, "{id} at {approach:e}");
        }
        // One that parts does not graze.
        let (velocity, _) = after(id, inverse, [1e-9, -1.0], 1.2);
        assert_eq!(velocity, [1e-9, -1.0], "{id}");
    }
}
