//! Elastic rods: Glocker's numbers exactly, where the energy goes, rods of other kinds, limits.

mod support;

use carom::ImpactError;
use carom_sim::rods::{Rod, RodEnergy, RodImpact, Rods};
use carom_testkit::assert_close;
use support::{golden, number, numbers, rows};

fn pair(cells: [usize; 2], velocity: [f64; 2]) -> Rods {
    Rods::new(vec![Rod::unit(cells[0], velocity[0]), Rod::unit(cells[1], velocity[1])], 1.0)
        .expect("two rods")
}

fn collided(rods: Vec<Rod>) -> RodImpact {
    Rods::new(rods, 1.0).and_then(|rods| rods.collide()).expect("an impact")
}

fn cells(row: &serde_json::Value) -> [usize; 2] {
    numbers::<2>(&row["cells"]).map(|c| c as usize)
}

/// Every value but `T⁺ − T⁻` is compared without tolerance: shifts of halves do not round.
#[test]
fn glockers_rods_come_out_exactly() {
    let table = golden("glocker_rods.json");
    let tolerance = number(&table["tolerance"]["translational_change"]);
    for row in rows(&table) {
        let [l1, l2] = cells(row);
        let rods = pair([l1, l2], [1.0, 0.0]);
        let impact = rods.collide().expect("an impact");
        let contact = impact.contacts[0];
        let ratio = l1 as f64 / l2 as f64;
        assert_eq!(impact.velocity, [0.0, ratio], "{row}");
        assert_eq!(impact.restitution(0), Some(ratio), "{row}");
        assert_eq!(contact.impulse, number(&row["impulse"]), "{row}");
        assert_eq!(Some(contact.impulse), rods.mass(0), "{row}");
        assert_eq!(contact.unloaded, number(&row["pressed_until"]), "{row}");
        assert_eq!(contact.opened, Some(number(&row["parted_at"])), "{row}");
        assert_eq!(contact.opened, rods.length(1).map(|l| 2.0 * l), "{row}");
        assert_eq!(contact.closures, 0);
        assert_eq!(impact.energy_error(), 0.0, "{row}");
        let change = impact.translational_change();
        let scale = impact.energy_before.total;
        assert_close!(change, number(&row["translational_change"]), tol = tolerance, scale = scale);
        // [Glocker2004] Eq. (22)
        let eq22 = 0.5 * ratio * (l1 as f64 - l2 as f64);
        assert_close!(change, eq22, tol = tolerance, scale = scale, "{row}");
    }
}

/// At every instant: the parts of the energy add up to the whole, the whole is constant to the bit, and so is the
/// momentum.
#[test]
fn energy_and_momentum_are_kept_at_every_step() {
    let rods = pair([37, 100], [1.0, 0.0]);
    let mut motion = rods.start().expect("a motion");
    let before = motion.energy();
    assert_eq!(
        before,
        RodEnergy { translational: 18.5, vibrational: 0.0, strain: 0.0, total: 18.5 }
    );
    for _ in 0..500 {
        motion.advance().expect("a step");
        let energy = motion.energy();
        let parts = energy.translational + energy.vibrational + energy.strain;
        assert_eq!(energy.total, 18.5);
        assert_close!(parts, 18.5, tol = 16.0 * f64::EPSILON);
        let v = motion.velocity();
        assert_close!(37.0 * v[0] + 100.0 * v[1], 37.0, tol = 4.0 * f64::EPSILON);
        assert!(motion.gap(0).is_some_and(|gap| gap >= 0.0));
    }
    assert!(motion.is_over());
}

#[test]
fn waves_are_those_of_the_papers_figure() {
    let rods = pair([4, 10], [1.0, 0.0]);
    let mut motion = rods.start().expect("a motion");
    for _ in 0..3 {
        motion.advance().expect("a step");
    }
    // ct = 3: three cells on either side of the contact move at v/2, compressed by v/2c.
    let pressed = [0.5, -0.5];
    let left = motion.cells(0).expect("rod 1");
    assert_eq!(left, [[1.0, 0.0], pressed, pressed, pressed]);
    let right = motion.cells(1).expect("rod 2");
    assert_eq!(right[..3], [pressed; 3]);
    assert_eq!(right[3..], [[0.0; 2]; 7]);
    // ct = 8 = 2 l1: rod 1 rests, free of stress.
    for _ in 3..8 {
        motion.advance().expect("a step");
    }
    assert_eq!(motion.cells(0), Some(vec![[0.0; 2]; 4]));
}

/// Erratum: after `ct = 2 l1` the kinetic energy of rod 2 has the period `l2`, not `2 l1`.
#[test]
fn energies_have_the_period_of_the_second_rod() {
    let table = golden("glocker_rods.json");
    let [l1, l2] = cells(&table["period"]);
    let rods = pair([l1, l2], [1.0, 0.0]);
    let mut motion = rods.start().expect("a motion");
    let mut kinetic = Vec::new();
    for _ in 0..1000 {
        motion.advance().expect("a step");
        let rod = motion.energies()[1];
        kinetic.push(rod.translational + rod.vibrational);
    }
    let after = &kinetic[2 * l1..];
    let misses = |period: usize| {
        let pairs = after.iter().zip(&after[period..]);
        pairs.fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()))
    };
    assert!(misses(l2) <= 1e-14 * 18.5, "{}", misses(l2));
    let printed = number(&table["period"]["kinetic_energy_misses_by"]);
    assert_close!(misses(2 * l1), printed, tol = 1e-13);
}

#[test]
fn history_ends_with_the_impact() {
    let rods = pair([37, 100], [1.0, 0.0]);
    let history = rods.energy_history(10).expect("a history");
    let (end, last) = history.last().copied().expect("an end");
    assert_eq!(
        history[0],
        (0.0, RodEnergy { translational: 18.5, total: 18.5, ..RodEnergy::default() })
    );
    assert!((200.0..=310.0).contains(&end), "{end}");
    assert_close!(last.translational, 18.5 - 11.655, tol = 1e-15, scale = 18.5);
}

/// Physical units: lengths, masses and times follow from line density, wave speed and cell time.
#[test]
fn rods_of_steel() {
    let rod = |cells, velocity| Rod { cells, line_density: 0.785, wave_speed: 5000.0, velocity };
    let rods = Rods::new(vec![rod(200, 2.0), rod(300, -1.0)], 1e-6).expect("rods of 1 m and 1.5 m");
    assert_close!(rods.length(0).unwrap_or(0.0), 1.0, tol = 1e-15);
    assert_close!(rods.mass(1).unwrap_or(0.0), 0.785 * 1.5, tol = 1e-15);
    let impact = rods.collide().expect("an impact");
    let rounding = 1e-13;
    assert_close!(impact.restitution(0).unwrap_or(0.0), 2.0 / 3.0, tol = rounding);
    assert_close!(impact.velocity[..], [-1.0, 1.0][..], tol = rounding);
    assert_close!(impact.contacts[0].impulse, 0.785 * 3.0, tol = rounding);
    assert_close!(impact.contacts[0].opened.unwrap_or(0.0), 2.0 * 1.5 / 5000.0, tol = rounding);
}

/// Momentum and energy for rods of other impedances. The heavy, long one can be solved by hand: while rod 1's wave goes
/// there and back nothing returns from rod 2, so `F = 2·½/(1 + 1/5) = 5/6` for `ct = 0 … 120`, impulse 100.
#[test]
fn rods_of_different_kinds_balance() {
    for (density, cells) in [(2.0, 50), (0.3, 80), (5.0, 200), (0.2, 33), (10.0, 10)] {
        let other = Rod { cells, line_density: density, wave_speed: 1.0, velocity: 0.0 };
        let impact = collided(vec![Rod::unit(60, 1.0), other]);
        let contact = impact.contacts[0];
        assert_eq!(contact.closures, 0);
        if density == 5.0 {
            assert_close!(contact.impulse, 100.0, tol = 1e-13);
            assert_eq!(contact.opened, Some(120.0));
        }
        let masses = [60.0, density * cells as f64];
        assert_close!(60.0 * (1.0 - impact.velocity[0]), contact.impulse, tol = 1e-13);
        assert_close!(masses[1] * impact.velocity[1], contact.impulse, tol = 1e-13);
        assert_close!(impact.energy_after.total, 30.0, tol = 1e-13);
        let e = impact.restitution(0).unwrap_or(-1.0);
        assert!((0.0..=1.0).contains(&e), "{impact:?}");
    }
}

/// Three equal rods are Newton's cradle; the first two stay together at rest, without force.
#[test]
fn equal_rods_are_a_cradle() {
    let impact = collided((0..3).map(|i| Rod::unit(100, f64::from(u8::from(i == 0)))).collect());
    assert_eq!(impact.velocity, [0.0, 0.0, 1.0]);
    assert_eq!(impact.contacts[0].opened, None);
    assert_eq!(impact.contacts[1].opened, Some(300.0));
    assert_eq!(impact.energy_error(), 0.0);
    assert_eq!(impact.restitution(1), None);
}

/// A contact that closes again within a step keeps momentum and reports what its averaging costs; finer cells cost
/// less.
#[test]
fn a_contact_that_closes_again_says_so() {
    let run = |fineness: usize| {
        let rod = |cells, line_density, velocity| Rod {
            cells: cells * fineness,
            line_density,
            wave_speed: 1.0,
            velocity,
        };
        let rods = vec![rod(20, 10.0, 1.0), rod(50, 1.0, 0.0), rod(33, 10.0, 0.0)];
        let impact = collided(rods);
        let v = &impact.velocity;
        assert_close!(200.0 * v[0] + 50.0 * v[1] + 330.0 * v[2], 200.0, tol = 1e-12);
        assert_eq!(impact.contacts.iter().map(|c| c.closures).collect::<Vec<_>>(), [1, 1]);
        -impact.energy_error() / impact.energy_before.total
    };
    let (coarse, fine) = (run(1), run(16));
    assert!(coarse < 1e-3 && fine < 0.2 * coarse && fine > 0.0, "{coarse:e} {fine:e}");
}

#[test]
fn nothing_happens_to_rods_that_do_not_approach() {
    for velocity in [[0.0, 0.0], [-1.0, 0.5], [2.0, 2.0]] {
        let impact = pair([10, 20], velocity).collide().expect("an impact");
        assert_eq!(impact.velocity, velocity);
        assert_eq!(impact.contacts[0].impulse, 0.0);
        assert_eq!(impact.restitution(0), None);
    }
}

#[test]
fn bad_input_is_refused_with_field_and_value() {
    let good = Rod::unit(10, 1.0);
    let message = |rod: Rod, cell_time: f64| {
        let rods = Rods::new(vec![good, rod], cell_time);
        rods.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let starts = |message: String, start: &str| assert!(message.starts_with(start), "{message}");
    starts(message(good, 0.0), "cell_time = 0:");
    starts(message(Rod { cells: 0, ..good }, 1.0), "rods[1].cells = 0:");
    starts(message(Rod { cells: 1 << 30, ..good }, 1.0), "rods[1].cells = 1073741824:");
    starts(message(Rod { line_density: -1.0, ..good }, 1.0), "rods[1].line_density = -1:");
    starts(message(Rod { wave_speed: f64::NAN, ..good }, 1.0), "rods[1].wave_speed = NaN:");
    starts(message(Rod { velocity: f64::INFINITY, ..good }, 1.0), "rods[1].velocity = inf:");
    let alone = Rods::new(vec![good], 1.0).err().map(|error| error.to_string());
    starts(alone.unwrap_or_default(), "rods = 1 rods:");
    let overflow = pair([10, 10], [1e200, 0.0]).collide().expect_err("an overflow");
    assert!(matches!(overflow, ImpactError::Limit(_)), "{overflow}");
}
