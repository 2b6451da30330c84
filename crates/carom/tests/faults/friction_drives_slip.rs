//! Symptom: on some bricks `plus` was 0.2 rad/s from its own limit, however short its intervals.
//! Cause: one sentence of the paper's section 2e: an interval goes to the end of its round if slip is slower there than the
//! transition speed, even if it came to rest before. From there on friction drives the slip.
//! Mend: an interval ends where slip is least (`closest_point`), unless less than `min_step` of the round would be left. The
//! published algorithm, `energy_guard = false`, obeys the sentence.

use carom::catalog::SettingValue;
use carom::{ContactSpec, Material};
use carom_testkit::Mechanism;
use carom_testkit::laws::{law, law_with, resolve_several};

/// W = 1, μ = ½, u = (−1, 0.46): slip stops after 0.92 of the compression; the rest of it would drive slip to −0.04 m/s.
#[test]
fn slip_that_stops_within_a_round_stays_at_rest() {
    let contact = ContactSpec::new(2, Material::new(0.5, 0.0).unwrap());
    let rows = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    let problem = Mechanism::new(&[1.0; 2], vec![-1.0, 0.46], rows, vec![contact]).problem();
    let switched = |name, on| law_with("plus", [(name, SettingValue::Switch(on))]);
    let published = [
        ("energy_guard", SettingValue::Switch(false)),
        ("closest_point", SettingValue::Switch(true)),
    ];
    for (law, slip) in [
        (law("plus-exact"), 0.0),
        (law("plus"), 0.0),
        (law_with("plus", published), 0.0),
        (switched("closest_point", false), -0.04),
        (switched("energy_guard", false), -0.04),
    ] {
        let outcome = resolve_several(&law, &problem);
        let off = [outcome.velocity[0], outcome.velocity[1] - slip];
        assert!(off.iter().all(|u| u.abs() < 1e-14), "{law:?}: {:?}", outcome.velocity);
    }
}
