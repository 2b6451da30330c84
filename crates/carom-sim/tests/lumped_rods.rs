//! Rods of finitely many masses with plastic tips tend to elastic rods.

use carom_sim::rods::{LumpedImpact, LumpedRods};
use carom_testkit::assert_close;

fn collided(springs: [usize; 2], velocity: [f64; 2]) -> LumpedImpact {
    LumpedRods::new(springs, velocity).and_then(|rods| rods.collide()).expect("an impact")
}

/// The restitution tends to `l1/l2` as the rods are cut finer, with the power −2/3 of the number of masses: the width of
/// the ripples that follow a wave's front in a lattice.
#[test]
fn restitution_tends_to_the_ratio_of_lengths() {
    for (l1, l2) in [(1, 2), (2, 3), (1, 1), (3, 8)] {
        let limit = l1 as f64 / l2 as f64;
        let error = |fineness: usize| {
            let impact = collided([l1 * fineness, l2 * fineness], [1.0, 0.0]);
            let error = (impact.restitution.unwrap_or(f64::NAN) - limit).abs();
            println!("{:4}:{:4}  error {error:.3e}", l1 * fineness, l2 * fineness);
            error
        };
        let errors: Vec<f64> = (2..8).map(|power| error(1 << power)).collect();
        for pair in errors.windows(2) {
            let factor = pair[0] / pair[1];
            assert!((1.2..1.8).contains(&factor), "{l1}:{l2}: {errors:?}");
        }
        assert!(errors[5] < 0.02, "{l1}:{l2}: {errors:?}");
    }
    // 2^(2/3) = 1.587 for a doubling.
    let error = |n: usize| collided([n, 2 * n], [1.0, 0.0]).restitution.unwrap_or(0.0) - 0.5;
    let factor = error(128) / error(256);
    assert!((1.54..1.60).contains(&factor), "{factor}");
}

/// What the plastic tips lose is the energy of two half masses, which vanishes with them; nothing else is lost.
#[test]
fn plastic_loss_vanishes_with_the_tips_mass() {
    for n in [1, 4, 16, 64] {
        let impact = collided([n, 2 * n], [1.0, 0.0]);
        let energy = 0.5 * n as f64;
        assert_eq!(impact.collisions, 1);
        assert_close!(impact.plastic_loss, 0.125, tol = 1e-13);
        assert!(impact.energy_error.abs() <= 1e-12 * energy, "{impact:?}");
        let [v1, v2] = impact.velocity;
        assert_close!(v1 + 2.0 * v2, 1.0, tol = 1e-12);
    }
}

/// One spring per rod, by hand. Joined masses ½, 1, ½ start at 1, ½, 0: the mean ½ and the mode (½, 0, −½) with ω² = 2. The
/// tips press with `F = ½·(x₀ − x₂) = sin(ωt)/2ω` until `ωt = π`, when the outer masses have swapped: rod 1 has the
/// velocities (0, ½), mean ¼, and rod 2 the mean ¾.
#[test]
fn one_spring_per_rod_by_hand() {
    let impact = collided([1, 1], [1.0, 0.0]);
    let rounding = 16.0 * f64::EPSILON;
    assert_close!(impact.opened, std::f64::consts::PI / 2.0_f64.sqrt(), tol = rounding);
    assert_close!(impact.velocity, [0.25, 0.75], tol = rounding);
    assert_close!(impact.vibration, 0.0625, tol = rounding);
}

#[test]
fn mirror_and_moving_frame() {
    let impact = collided([7, 12], [1.0, 0.0]);
    let mirrored = collided([12, 7], [0.0, -1.0]);
    assert_close!(mirrored.velocity, [-impact.velocity[1], -impact.velocity[0]], tol = 1e-13);
    let moving = collided([7, 12], [4.0, 3.0]);
    assert_close!(moving.velocity, impact.velocity.map(|v| v + 3.0), tol = 1e-12);
}

#[test]
fn separating_rods_and_bad_input() {
    let impact = collided([3, 4], [-1.0, 0.0]);
    assert_eq!((impact.velocity, impact.collisions), ([-1.0, 0.0], 0));
    assert_eq!(impact.restitution, None);
    let message = |springs, velocity| {
        let rods = LumpedRods::new(springs, velocity);
        rods.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(message([0, 4], [1.0, 0.0]).starts_with("springs[0] = 0:"));
    assert!(message([4, 4093], [1.0, 0.0]).starts_with("springs[1] = 4093:"));
    assert!(message([4, 4], [1.0, f64::NAN]).starts_with("velocity[1] = NaN:"));
}
