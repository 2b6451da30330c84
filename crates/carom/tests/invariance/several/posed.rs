//! The same impact beside another, of bodies or coordinates, seen from elsewhere, in other units, in another order.

use super::support::{
    SAME, SEED, SYSTEMS, assert_same_velocities, assert_same_velocities_beside, both, by_rounds,
    hangs_on_the_last_digit, laws,
};
use carom::catalog::LawInfo;
use carom::catalog::SettingValue;
use carom::{ContactProblem, Law};
use carom_testkit::Rng;
use carom_testkit::generate::several::{Kind, Scene, SeveralSample, several, several_of};
use carom_testkit::judge::speed_scale;
use carom_testkit::laws::try_several;

#[test]
fn an_unrelated_impact_changes_no_bit() {
    for index in 0..SYSTEMS {
        let mut rng = Rng::for_item(SEED, index);
        let (sample, other) = (several(&mut rng), several(&mut rng));
        let (one, two) = (&sample.mechanism, &other.mechanism);
        let alone = one.problem();
        let (m, n) = (one.contacts.len(), two.contacts.len());
        let after = one.beside(two);
        let before: Vec<usize> = (m..m + n).chain(0..m).collect();
        // Contacts of the one between those of the other, in order.
        let mut mixed: Vec<usize> = (0..m + n).collect();
        mixed.sort_by_key(|&k| if k < m { 2 * k * n } else { (2 * (k - m) + 1) * m });
        for (row, law) in laws(&sample, index) {
            if try_several(&law, &two.problem()).is_err() {
                continue;
            }
            let expected = try_several(&law, &alone);
            for order in [(0..m + n).collect(), before.clone(), mixed.clone()] {
                let together = after.reordered(&order).problem();
                let what = format!("{}, system {index}, order {order:?}", row.id);
                let outcome = try_several(&law, &together);
                let Some((expected, outcome)) = both(&what, expected.clone(), outcome) else {
                    continue;
                };
                for k in 0..m {
                    let place = order.iter().position(|&old| old == k).unwrap_or_default();
                    assert_eq!(
                        expected.impulse[alone.row_range(k)],
                        outcome.impulse[together.row_range(place)],
                        "{what}, contact {k}: {one:?} beside {two:?}"
                    );
                }
            }
        }
    }
}

fn dense(problem: &ContactProblem) -> Vec<f64> {
    let n = problem.rows();
    (0..n * n).map(|k| problem.delassus_at(k / n, k % n)).collect()
}

fn scenes(index: u64) -> (SeveralSample, Scene) {
    let kind = if index.is_multiple_of(2) { Kind::Planar } else { Kind::Spatial };
    let sample = several_of(kind, &mut Rng::for_item(SEED ^ 1, index));
    let scene = sample.scene.clone().unwrap_or_else(|| panic!("{kind:?} is made of bodies"));
    (sample, scene)
}

#[test]
fn bodies_coordinates_and_contact_space_agree() {
    for index in 0..SYSTEMS {
        let (sample, scene) = scenes(index);
        let (bodies, system) = (scene.bodies(), sample.mechanism.system());
        let problem = bodies.problem();
        let space = ContactProblem::new(&dense(problem), problem.velocity(), problem.contacts())
            .unwrap_or_else(|e| panic!("{e}"));
        for (row, law) in laws(&sample, index) {
            let what = format!("{}, system {index}: {sample:?}", row.id);
            let outcome = try_several(&law, problem);
            // The same numbers: the same bits.
            if let Some((a, b)) = both(&what, outcome.clone(), try_several(&law, &space)) {
                assert_eq!(a.impulse, b.impulse, "{what}");
            }
            let posed = try_several(&law, system.problem());
            let Some((a, b)) = both(&what, outcome, posed) else { continue };
            // A body that rattles to rest by ever shorter slips and stops does so by its last digits.
            if by_rounds(row) && hangs_on_the_last_digit(&law, &sample.mechanism, &b) {
                continue;
            }
            assert_same_velocities(&what, problem, &a, &b, |i| i);
            // And the way back.
            let (x, y) = (bodies.after(&a.impulse), system.after(&b.impulse));
            let (x, y) = (x.unwrap_or_else(|e| panic!("{e}")), y.unwrap_or_else(|e| panic!("{e}")));
            let x: Vec<f64> = x.bodies[1..]
                .iter()
                .flat_map(|body| [&body.velocity[..], &body.angular_velocity].concat())
                .collect();
            let speed = x.iter().fold(speed_scale(problem, &a.impulse), |m, v| m.max(v.abs()));
            for (x, y) in x.iter().zip(&y.velocity) {
                // Light bodies move faster than their contacts.
                assert!((x - y).abs() <= 1e3 * SAME * speed, "{what}: {x} {y}");
            }
        }
    }
}

#[test]
fn a_and_b_may_be_swapped() {
    for index in 0..SYSTEMS {
        let (mut sample, mut scene) = scenes(index);
        for contact in &mut scene.contacts {
            contact.spec.rows = 1;
        }
        sample.restitution = 0.5;
        let mut swapped = scene.clone();
        for contact in &mut swapped.contacts {
            (contact.a, contact.b) = (contact.b, contact.a);
            contact.normal.iter_mut().for_each(|x| *x = -*x);
        }
        let (one, two) = (scene.bodies(), swapped.bodies());
        for (row, law) in laws(&sample, index) {
            let what = format!("{}, system {index}: {:?}", row.id, scene.mechanism());
            let outcomes = (try_several(&law, one.problem()), try_several(&law, two.problem()));
            if let Some((a, b)) = both(&what, outcomes.0, outcomes.1) {
                assert_same_velocities(&what, one.problem(), &a, &b, |i| i);
            }
        }
    }
}

#[test]
fn a_moving_observer_sees_the_same_impact() {
    for index in 0..SYSTEMS {
        let (sample, scene) = scenes(index);
        let mut rng = Rng::for_item(SEED ^ 2, index);
        let wind: Vec<f64> = scene.bodies[1].position.iter().map(|_| rng.normal()).collect();
        let mut moving = scene.clone();
        for body in &mut moving.bodies {
            body.velocity.resize(wind.len(), 0.0);
            body.velocity.iter_mut().zip(&wind).for_each(|(v, w)| *v += w);
        }
        let (one, two) = (scene.bodies(), moving.bodies());
        for (row, law) in laws(&sample, index) {
            let what = format!("{}, system {index}: {sample:?}", row.id);
            let outcomes = (try_several(&law, one.problem()), try_several(&law, two.problem()));
            if let Some((a, b)) = both(&what, outcomes.0, outcomes.1) {
                let speed = wind.iter().map(|w| w.abs()).sum();
                assert_same_velocities_beside(speed, &what, one.problem(), &a, &b, |i| i);
            }
        }
    }
}

/// The law where speeds are so many times larger: speeds among its settings are, too.
fn in_units(row: &LawInfo, law: Law, speed: f64) -> Law {
    const SPEED: &str = "transition_speed";
    let Some(setting) = row.settings().into_iter().find(|setting| setting.name == SPEED) else {
        return law;
    };
    let default: f64 = setting.default.parse().unwrap_or_else(|_| panic!("a number"));
    let settings = [(SPEED.into(), SettingValue::Number(default * speed))].into();
    Law::with_settings(row.id, &settings).unwrap_or_else(|error| panic!("{error}"))
}

/// Powers of two scale every intermediate result exactly, so the impulse scales to the last bit; of masses powers of
/// four, because rows are measured by the root of `W_ii`.
#[test]
fn units_of_mass_and_time_do_not_matter() {
    for index in 0..SYSTEMS {
        let sample = several(&mut Rng::for_item(SEED ^ 3, index));
        let problem = sample.mechanism.problem();
        for (mass, speed) in [(1.0, 0.125), (1.0, 1024.0), (0.25, 1.0), (4096.0, 1.0), (4.0, 8.0)] {
            let mut other = sample.mechanism.clone();
            other.mass.iter_mut().for_each(|m| *m *= mass);
            other.velocity.iter_mut().for_each(|v| *v *= speed);
            other.drive.iter_mut().for_each(|w| *w *= speed);
            let scaled = other.problem();
            for (row, law) in laws(&sample, index) {
                let what = format!("{}, system {index}, m·{mass}, v·{speed}: {sample:?}", row.id);
                let other = in_units(row, law, speed);
                let outcomes = (try_several(&law, &problem), try_several(&other, &scaled));
                if let Some((a, b)) = both(&what, outcomes.0, outcomes.1) {
                    let expected: Vec<f64> = a.impulse.iter().map(|p| p * mass * speed).collect();
                    assert_eq!(b.impulse, expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn without_ties_the_order_of_contacts_does_not_matter_to_any_law() {
    for index in 0..SYSTEMS {
        let mut rng = Rng::for_item(SEED ^ 4, index);
        let sample = several_of(Kind::Continuous, &mut rng);
        let mut order: Vec<usize> = (0..sample.mechanism.contacts.len()).collect();
        order.rotate_left(1);
        order.swap(0, 1);
        let (one, two) = (sample.mechanism.problem(), sample.mechanism.reordered(&order).problem());
        let place = |i: usize| order.iter().position(|&old| old == i).unwrap_or_default();
        // Laws of rounds choose among redundant contacts by what they violate most, and withhold the claim.
        for (row, law) in laws(&sample, index).into_iter().filter(|(row, _)| !by_rounds(row)) {
            let what = format!("{}, system {index}, order {order:?}: {sample:?}", row.id);
            let outcomes = (try_several(&law, &one), try_several(&law, &two));
            if let Some((a, b)) = both(&what, outcomes.0, outcomes.1) {
                assert_same_velocities(&what, &one, &a, &b, place);
            }
        }
    }
}
