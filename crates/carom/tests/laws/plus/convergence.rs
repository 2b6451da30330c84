//! How `plus` tends to its limit of ever shorter intervals, which for one contact is Routh's law with Poisson's e.

use carom::laws::Plus;
use carom::{ContactVec, Law};
use carom_testkit::generate::frictional::landing;
use carom_testkit::laws::{law, resolve, resolve_several};
use carom_testkit::{Mechanism, Rng};

const SEED: u64 = 0xc0e4;
/// Impacts on one vertex.
const IMPACTS: u64 = 1000;
/// Slip below this is none: far below the speeds of the impacts [m/s].
const TRANSITION: f64 = 1e-3;

fn plus(theta: f64, transition_speed: f64) -> Law {
    // Steps that the limit of shortest steps cuts off are no matter of direction.
    Plus::default()
        .max_direction_change(theta)
        .transition_speed(transition_speed)
        .min_step(1e-6)
        .into()
}

/// How far the velocity after is from that of the limit, relative to the velocity before.
fn error(law: &Law, brick: &Mechanism) -> f64 {
    let problem = brick.problem();
    let contact = problem.contact::<3>(0).unwrap_or_else(|error| panic!("{error}"));
    let exact = resolve(&self::law("routh-poisson"), &contact).velocity;
    let got = resolve_several(law, &problem).velocity;
    let off = ContactVec::<3>::new(std::array::from_fn(|i| got[i] - exact[i]));
    off.norm() / contact.velocity().norm()
}

fn bricks() -> impl Iterator<Item = Mechanism> {
    (0..IMPACTS).map(|index| landing(&mut Rng::for_item(SEED, index), 1))
}

/// The envelope was fitted to measurements, not proven: few impacts leave it, and none by far.
#[test]
fn errors_stay_within_the_envelope() {
    for theta in [0.25, 0.1, 0.01] {
        let law = plus(theta, TRANSITION);
        let mut outside = 0;
        for (index, brick) in bricks().enumerate() {
            let speed = brick.problem().velocity().iter().map(|u| u * u).sum::<f64>().sqrt();
            let (allowed, error) = (0.35 * theta + TRANSITION / speed, error(&law, &brick));
            outside += u64::from(error > allowed);
            assert!(
                error <= 2.0 * allowed,
                "theta {theta}, seed {SEED:#x}, impact {index}: {error:e}, envelope {allowed:e}"
            );
        }
        assert!(100 * outside <= IMPACTS, "theta {theta}: {outside} of {IMPACTS} outside");
    }
}

/// Why few impacts leave the envelope: a brick for which the error of the published algorithm, transition speed and
/// shortest step being next to nothing, is 0.366 of the angle however small that is.
#[test]
fn the_envelope_is_a_fit_that_the_published_algorithm_exceeds() {
    const BRICK: u64 = 611;
    let brick = landing(&mut Rng::for_item(SEED, BRICK), 1);
    for theta in [0.02, 0.01, 0.005, 0.0025] {
        let published = Plus::default()
            .max_direction_change(theta)
            .transition_speed(1e-9)
            .min_step(1e-9)
            .energy_guard(false)
            .limit(false)
            .jam_advance(false)
            .coulomb_fallback(false)
            .readd(false);
        let rate = error(&published.into(), &brick) / theta;
        assert!((0.365..0.367).contains(&rate), "theta {theta}: {rate}");
    }
}

/// Angles between which the order is measured \[rad\].
const ANGLES: [f64; 2] = [0.04, 0.01];
/// What errors of the limit itself may add, far below those of intervals \[1\].
const FLOOR: f64 = 1e-9;

/// Errors against `plus-exact` at both angles, transition speed and shortest step being next to nothing, of every brick.
fn errors(contacts: usize, midpoint: bool) -> Vec<[f64; 2]> {
    let laws = ANGLES.map(|angle| -> Law {
        let plain = Plus::default().max_direction_change(angle).midpoint(midpoint);
        plain.transition_speed(1e-9).min_step(1e-9).into()
    });
    let limit = law("plus-exact");
    let errors = |index: u64| {
        let problem = landing(&mut Rng::for_item(SEED, index), contacts).problem();
        let exact = resolve_several(&limit, &problem).velocity;
        let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
        let speed = norm(&mut problem.velocity().iter().copied());
        laws.each_ref().map(|law| {
            let got = resolve_several(law, &problem).velocity;
            norm(&mut got.iter().zip(&exact).map(|(a, b)| a - b)) / speed
        })
    };
    (0..IMPACTS / 2).map(errors).filter(|errors| errors[0] > FLOOR).collect()
}

fn order([coarse, fine]: [f64; 2]) -> f64 {
    (coarse / fine).ln() / (ANGLES[0] / ANGLES[1]).ln()
}

/// One contact, whether slip stops, turns round, or tends to a direction that it keeps: the mean error of all.
#[test]
fn first_order_in_the_angle_and_second_with_midpoints() {
    for (midpoint, range) in [(false, 0.8..1.1), (true, 1.9..2.1)] {
        let errors = errors(1, midpoint);
        assert!(errors.len() > 200, "slip turns in only {} impacts", errors.len());
        let order = order([0, 1].map(|i| errors.iter().map(|error| error[i]).sum()));
        assert!(range.contains(&order), "midpoint {midpoint}: order {order}");
    }
}

/// Several contacts: the order that half of all bricks have at least, and with midpoints three in four. The others have
/// more than one set of contacts that can carry the rest, of which the published algorithm may take another than its
/// limit, at any angle; or errors so small that they do not fall steadily.
#[test]
fn several_contacts_have_the_same_orders() {
    for contacts in [2, 4] {
        for (midpoint, half, most) in [(false, 0.9, 0.0), (true, 1.9, 1.7)] {
            let errors = errors(contacts, midpoint);
            assert!(errors.len() > 100, "slip turns in only {} impacts", errors.len());
            let mut orders: Vec<f64> = errors.into_iter().map(order).collect();
            orders.sort_by(f64::total_cmp);
            let [quarter, median] = [orders[orders.len() / 4], orders[orders.len() / 2]];
            let what = format!("{contacts} contacts, midpoint {midpoint}: {quarter}, {median}");
            assert!(median > half && quarter > most, "{what}");
        }
    }
}
