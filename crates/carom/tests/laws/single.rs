//! The published and independently computed answers that the testkit holds.

use carom::Contact;
use carom_testkit::assert_close;
use carom_testkit::cases::{FIG4_RAYS, KnownCase, PLANAR, SPATIAL, box_corner, kane_pendulum};
use carom_testkit::generate::condition;
use carom_testkit::laws::{law, resolve};

/// Twelve digits, unless the digits of `W` itself determine fewer.
fn assert_known<const D: usize>(cases: &[KnownCase<D>]) {
    for case in cases {
        let contact = case.contact();
        let tolerance = f64::max(1e-12, 10.0 * condition(contact.delassus()) * f64::EPSILON);
        for (id, expected) in case.impulses {
            let outcome = resolve(&law(id), &contact);
            assert_close!(
                outcome.impulse,
                expected,
                tol = tolerance.max(if case.relative > 1e-10 { case.relative } else { 0.0 }),
                "{id} on {} ({})",
                case.name,
                case.citation
            );
        }
    }
}

#[test]
fn planar_cases() {
    assert_known(PLANAR);
}

#[test]
fn spatial_cases() {
    assert_known(SPATIAL);
}

#[test]
fn corrected_mirtich_example_to_its_last_digit() {
    let outcome = resolve(&law("routh-stronge"), &SPATIAL[0].contact());
    assert_eq!(outcome.effort.compressions, 2);
    let velocity = [3.191_345_990_789_534_5, -18.304_994_337_473_403, -63.756_583_948_322_735];
    assert_close!(outcome.velocity, velocity, tol = 1e-12);
    let energy = SPATIAL[0].contact().energy_change(&outcome.impulse);
    assert_close!(energy, -15_341.995_406_536_877, tol = 1e-12);
}

/// Started along a ray the contact slides along it to the end, or until it stops.
#[test]
fn starts_on_the_rays_of_fig_4_keep_their_direction() {
    let base = &SPATIAL[1];
    for [degrees, g, ..] in FIG4_RAYS {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let contact = KnownCase { velocity: [-2.0, 10.0 * cos, 10.0 * sin], ..*base }.contact();
        let outcome = resolve(&law("routh-stronge"), &contact);
        let [_, x, y] = outcome.velocity.components();
        let slip = x.hypot(y);
        assert_close!([x / slip, y / slip], [cos, sin], tol = 1e-12, "{degrees}");
        // r grows by g per unit of normal impulse.
        let speed = 10.0 + g * outcome.impulse.normal();
        assert_close!(slip, speed, tol = 1e-11, "{degrees}");
    }
}

/// Energy changes by law, as peers have measured them to four digits.
fn assert_energies(contact: impl Fn(f64) -> (Contact<2>, f64), e: f64, changes: &[(&str, f64)]) {
    let (contact, before) = contact(e);
    for (id, expected) in changes {
        let outcome = resolve(&law(id), &contact);
        let change = contact.energy_change(&outcome.impulse) / before;
        assert!((change - expected).abs() < 6e-5, "{id}, e = {e}: {change}, known {expected}");
    }
}

#[test]
fn kane_double_pendulum() {
    let ids = ["whittaker", "routh-newton", "routh-poisson", "routh-stronge", "chatterjee-ruina"];
    for (e, changes) in [
        (0.5, [0.5875, -0.2628, -0.4549, -0.4468, -0.4376]),
        (0.7, [1.7576, -0.0070, -0.4283, -0.3999, -0.3635]),
        (1.0, [2.4377, 0.4691, -0.3866, -0.3092, -0.1941]),
    ] {
        let changes: Vec<_> = ids.into_iter().zip(changes).collect();
        assert_energies(kane_pendulum, e, &changes);
    }
}

#[test]
fn box_on_its_corner() {
    let ids = ["whittaker", "routh-poisson", "routh-stronge", "chatterjee-ruina"];
    for (e, changes) in
        [(0.5, [-0.3188, -0.3610, -0.3517, -0.3334]), (1.0, [0.0374, -0.1316, -0.0944, -0.0212])]
    {
        let changes: Vec<_> = ids.into_iter().zip(changes).collect();
        assert_energies(box_corner, e, &changes);
    }
}
