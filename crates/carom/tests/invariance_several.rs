//! What must not change, or must change in a known way, when a problem of several contacts is posed otherwise: for every
//! law of the catalogue.

use carom::law::SettingValue;
use carom::multi::MultiRow;
use carom::outcome::ProblemOutcome;
use carom::{
    ContactKind, ContactProblem, ContactSpec, ImpactError, Material, MultiLaw, Tolerances,
};
use carom_testkit::generate::several::{
    Kind, Scene, SeveralSample, several, several_of, several_separating,
};
use carom_testkit::judge::{judge_several, speed_scale};
use carom_testkit::laws::{every_multi_law, is_cut_off, try_several};
use carom_testkit::{Mechanism, Rng};
use nalgebra::DMatrix;

const SEED: u64 = 0x1274;

/// Systems per invariance and law.
const SYSTEMS: u64 = 1000;

/// How far two ways to the same velocity may lead apart, relative to the terms that make it up.
const SAME: f64 = 1e-9;

/// Laws that work step by step take fewer systems.
fn takes(row: &MultiRow, index: u64) -> bool {
    match row.id {
        "lzb" => index.is_multiple_of(100),
        "mosterman" | "sequential" => index.is_multiple_of(10),
        _ => true,
    }
}

fn laws(sample: &SeveralSample, index: u64) -> Vec<(&'static MultiRow, MultiLaw)> {
    let mut laws = every_multi_law(sample.restitution);
    let chosen = std::env::var("CAROM_LAWS").ok();
    let chosen = |id| chosen.as_ref().is_none_or(|names| names.split(',').any(|name| name == id));
    laws.retain(|(row, _)| takes(row, index) && chosen(row.id));
    laws
}

/// Whether a law goes by rounds of compression and expansion.
fn by_rounds(row: &MultiRow) -> bool {
    row.id.starts_with("plus")
}

/// Whether the last digits of the velocities before change those after by more than two ways to the same may differ.
fn hangs_on_the_last_digit(
    law: &MultiLaw,
    mechanism: &Mechanism,
    outcome: &ProblemOutcome,
) -> bool {
    let patterns: [&[f64]; 6] =
        [&[1.0, -1.0], &[-1.0, 1.0], &[1.0], &[-1.0], &[1.0, 0.0, -1.0], &[0.0, 0.5, 1.0]];
    patterns.into_iter().any(|pattern| {
        let digits = pattern.iter().cycle().map(|flip| 1.0 + 4.0 * flip * f64::EPSILON);
        let velocity = mechanism.velocity.iter().zip(digits).map(|(v, digit)| v * digit).collect();
        let problem = Mechanism { velocity, ..mechanism.clone() }.problem();
        let Ok(other) = try_several(law, &problem) else { return true };
        let scale = speed_scale(&problem, &outcome.impulse);
        let off = outcome.velocity.iter().zip(&other.velocity).map(|(u, v)| (u - v).abs());
        off.fold(0.0, f64::max) > 0.01 * SAME * scale
    })
}

/// Both answers, or nothing where there is none: one without the other is a failure of a law that promises answers.
fn both(
    what: &str,
    one: Result<ProblemOutcome, ImpactError>,
    two: Result<ProblemOutcome, ImpactError>,
) -> Option<(ProblemOutcome, ProblemOutcome)> {
    match (one, two) {
        // What was cut off depends on rounding.
        (Ok(one), Ok(two)) if is_cut_off(&one) || is_cut_off(&two) => None,
        (Ok(one), Ok(two)) => Some((one, two)),
        (Err(one), Err(two)) => {
            assert_eq!(one.kind(), two.kind(), "{what}");
            None
        }
        // Whether redundant equations contradict each other can hang on the last digit of their velocities.
        (Ok(_), Err(ImpactError::NoSolution { law: "newton-equality", .. }))
        | (Err(ImpactError::NoSolution { law: "newton-equality", .. }), Ok(_)) => None,
        (one, two) => panic!("{what}: {one:?} but {two:?}"),
    }
}

/// Rows `map(i)` of `two` have the velocities of rows `i` of `one`.
fn assert_same_velocities(
    what: &str,
    problem: &ContactProblem,
    one: &ProblemOutcome,
    two: &ProblemOutcome,
    map: impl Fn(usize) -> usize,
) {
    assert_same_velocities_beside(0.0, what, problem, one, two, map);
}

/// The same where velocities of this size cancelled before [m/s].
fn assert_same_velocities_beside(
    speed: f64,
    what: &str,
    problem: &ContactProblem,
    one: &ProblemOutcome,
    two: &ProblemOutcome,
    map: impl Fn(usize) -> usize,
) {
    let scale = speed + speed_scale(problem, &one.impulse);
    for i in 0..problem.rows() {
        let off = (one.velocity[i] - two.velocity[map(i)]).abs();
        assert!(
            off <= SAME * scale,
            "{what}, row {i}: off by {off:e} of {scale:e}: {:?} {:?}",
            one.velocity,
            two.velocity
        );
    }
}

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

/// Powers of two scale every intermediate result exactly, so the impulse scales to the last bit; of masses powers of
/// four, because rows are measured by the root of `W_ii`.
/// The law where speeds are so many times larger: speeds among its settings are, too.
fn in_units(row: &MultiRow, law: MultiLaw, speed: f64) -> MultiLaw {
    const SPEED: &str = "transition_speed";
    let Some(setting) = row.settings.iter().find(|setting| setting.name == SPEED) else {
        return law;
    };
    let default: f64 = setting.default.parse().unwrap_or_else(|_| panic!("a number"));
    let settings = [(SPEED.into(), SettingValue::Number(default * speed))].into();
    (row.build)(&settings).unwrap_or_else(|error| panic!("{error}"))
}

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

fn jointed(index: u64) -> SeveralSample {
    several_of(Kind::Jointed, &mut Rng::for_item(SEED ^ 5, index))
}

/// Coordinates that keep the joints by construction: `v = N w` with `B N = 0`.
fn eliminated(mechanism: &Mechanism) -> Option<Mechanism> {
    let f = mechanism.size();
    let b = DMatrix::from_row_iterator(
        mechanism.bilateral.len(),
        f,
        mechanism.bilateral.iter().flatten().copied(),
    );
    let gram = (b.transpose() * &b).symmetric_eigen();
    let free: Vec<usize> =
        (0..f).filter(|&i| gram.eigenvalues[i] <= 1e-9 * gram.eigenvalues.max()).collect();
    if free.is_empty() {
        return None;
    }
    let basis = gram.eigenvectors.select_columns(&free);
    let mass = DMatrix::from_row_slice(f, f, &mechanism.mass);
    let reduced = basis.transpose() * mass * &basis;
    let rows = |row: &Vec<f64>| -> Vec<f64> {
        let size: f64 = row.iter().map(|x| x.abs()).sum();
        // What the joints hold is nothing, not the rounding of it.
        let clean = |x: f64| if x.abs() > 1e-12 * size { x } else { 0.0 };
        (0..free.len()).map(|k| clean((0..f).map(|i| row[i] * basis[(i, k)]).sum())).collect()
    };
    Some(Mechanism {
        mass: reduced.iter().copied().collect(),
        velocity: rows(&mechanism.velocity),
        jacobian: mechanism.jacobian.iter().map(rows).collect(),
        bilateral: Vec::new(),
        ..mechanism.clone()
    })
}

#[test]
fn joints_are_the_same_folded_or_eliminated() {
    for index in 0..SYSTEMS {
        let sample = jointed(index);
        let Some(free) = eliminated(&sample.mechanism) else { continue };
        let (one, two) = (sample.mechanism.problem(), free.problem());
        let speed: f64 = sample.mechanism.velocity.iter().map(|v| v.abs()).sum();
        for (row, law) in laws(&sample, index).iter().filter(|(row, _)| row.claims.continuous) {
            let what = format!("{}, system {index}: {sample:?}", row.id);
            let outcomes = (try_several(law, &one), try_several(law, &two));
            if let Some((a, b)) = both(&what, outcomes.0, outcomes.1) {
                assert_same_velocities_beside(speed, &what, &one, &a, &b, |i| i);
            }
        }
    }
}

#[test]
fn bilateral_contacts_are_joints() {
    let hinge = |rows: usize| ContactSpec {
        kind: ContactKind::Bilateral,
        ..ContactSpec::new(rows, Material::new(0.0, 0.0).unwrap_or_else(|e| panic!("{e}")))
    };
    for index in 0..SYSTEMS {
        let sample = jointed(index);
        let joints = &sample.mechanism;
        let mut contacts = joints.clone();
        contacts.jacobian.append(&mut contacts.bilateral);
        contacts.drive.resize(contacts.jacobian.len(), 0.0);
        let rows = contacts.jacobian.len() - joints.jacobian.len();
        // One contact of several rows, or several of one.
        match index % 2 {
            0 if rows <= 3 && rows > 0 => contacts.contacts.push(hinge(rows)),
            _ => contacts.contacts.extend((0..rows).map(|_| hinge(1))),
        }
        let (one, two) = (joints.problem(), contacts.problem());
        for (row, law) in laws(&sample, index).iter().filter(|(row, _)| row.claims.continuous) {
            let what = format!("{}, system {index}: {contacts:?}", row.id);
            let outcomes = (try_several(law, &one), try_several(law, &two));
            if let Some((a, b)) = both(&what, outcomes.0, outcomes.1) {
                assert_same_velocities(&what, &one, &a, &b, |i| i);
            }
        }
    }
}

#[test]
fn joints_that_say_the_same_twice_do_no_harm() {
    for index in 0..SYSTEMS {
        let sample = jointed(index);
        let mut twice = sample.mechanism.clone();
        let sum: Vec<f64> =
            (0..twice.size()).map(|i| twice.bilateral.iter().map(|row| row[i]).sum()).collect();
        twice.bilateral.push(sum);
        twice.bilateral.extend(
            sample.mechanism.bilateral.iter().map(|row| row.iter().map(|x| -2.0 * x).collect()),
        );
        let (one, two) = (sample.mechanism.problem(), twice.problem());
        for (row, law) in laws(&sample, index).iter().filter(|(row, _)| row.claims.continuous) {
            let what = format!("{}, system {index}: {sample:?}", row.id);
            let outcomes = (try_several(law, &one), try_several(law, &two));
            if let Some((a, b)) = both(&what, outcomes.0, outcomes.1) {
                assert_same_velocities(&what, &one, &a, &b, |i| i);
            }
        }
    }
}

/// A contact that separates and is not closed by the others is not there.
#[test]
fn who_only_watches_changes_no_bit() {
    let mut watched = 0;
    for index in 0..SYSTEMS {
        let mut rng = Rng::for_item(SEED ^ 6, index);
        let sample = several(&mut rng);
        let one = sample.mechanism.problem();
        let speed = one.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let mut more = sample.mechanism.clone();
        let row: Vec<f64> = more.velocity.iter().map(|_| rng.index(5) as f64 - 2.0).collect();
        let own: f64 = row.iter().zip(&more.velocity).map(|(r, v)| r * v).sum();
        more.jacobian.push(row);
        more.drive.push(0.75 * speed - own);
        more.contacts.push(ContactSpec::new(1, sample.mechanism.contacts[0].material));
        let two = more.problem();
        let last = two.rows() - 1;
        for (row, law) in laws(&sample, index) {
            let what = format!("{}, system {index}: {more:?}", row.id);
            let Ok(a) = try_several(&law, &one) else { continue };
            let mut impulse = a.impulse.clone();
            impulse.push(0.0);
            // Closed by the others, or nearly, it is an actor.
            if speed == 0.0 || two.velocity_after(&impulse)[last] < 0.1 * speed || !stays_away(&law)
            {
                continue;
            }
            watched += 1;
            let b = try_several(&law, &two).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert_eq!(b.impulse, impulse, "{what}");
        }
    }
    if std::env::var("CAROM_LAWS").is_err() {
        assert!(watched > SYSTEMS, "only {watched} impacts were watched");
    }
}

/// On the way of a law that takes steps, a contact may close that is open at the end.
fn stays_away(law: &MultiLaw) -> bool {
    ["newton-equality", "newton", "poisson", "moreau", "max-dissipation"].contains(&law.id())
}

/// What rounding of the impulses alone does to velocities, relative to the largest one before \[1\].
fn rounding(problem: &ContactProblem, impulse: &[f64]) -> f64 {
    let before = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    4.0 * f64::EPSILON * speed_scale(problem, impulse) / before
}

#[test]
fn who_is_closed_by_the_others_is_answered() {
    for index in 0..10 * SYSTEMS {
        let sample = several_separating(&mut Rng::for_item(SEED ^ 7, index));
        let problem = sample.mechanism.problem();
        // Laws of rounds take longer; the first thousand are theirs.
        let takes = |row: &MultiRow| index < SYSTEMS || !by_rounds(row);
        for (row, law) in laws(&sample, index).into_iter().filter(|(row, _)| takes(row)) {
            let what = format!("{}, system {index}: {sample:?}", row.id);
            let outcome = match try_several(&law, &problem) {
                Ok(outcome) if is_cut_off(&outcome) => continue,
                Ok(outcome) => outcome,
                Err(ImpactError::NoSolution { .. }) if !row.claims.total => continue,
                Err(error) => panic!("{what}: {error}"),
            };
            let v = judge_several(&problem, &outcome.impulse, &outcome.velocity);
            // Sequences end at `approach` of the largest contact velocity, which is up to √3 of its largest component.
            let stopped = 2.0 * Tolerances::NOMINAL.approach;
            // Laws of rounds leave what is slower than their `observe_speed` where they cannot do better.
            let stopped = if by_rounds(row) { 1e-6 } else { stopped };
            // Contacts that press against each other do so with more than what they stop: that much is lost to rounding.
            let stopped = stopped.max(rounding(&problem, &outcome.impulse));
            assert!(!row.claims.separation || v.separation <= stopped, "{what}: {v:?} {outcome:?}");
            assert!(!row.claims.pushes || v.pulls <= 1e-12, "{what}: {v:?} {outcome:?}");
            // Proven for contacts that separate as well.
            if ["poisson", "max-dissipation"].contains(&row.id) {
                assert!(v.energy <= 1e-12, "{what}: {v:?} {outcome:?}");
            }
        }
    }
}

#[test]
fn all_separate_and_nothing_happens() {
    for index in 0..SYSTEMS {
        let sample = several(&mut Rng::for_item(SEED ^ 8, index));
        let mut mechanism = sample.mechanism.clone();
        for first in mechanism.normals() {
            mechanism.jacobian[first].iter_mut().for_each(|x| *x = -*x);
            mechanism.drive[first] *= -1.0;
        }
        let problem = mechanism.problem();
        let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let separates = |k: usize| problem.velocity()[problem.row_range(k).start] > SAME * speed;
        if !(0..problem.len()).all(separates) {
            continue;
        }
        for (row, law) in laws(&sample, index) {
            let what = format!("{}, system {index}: {mechanism:?}", row.id);
            let outcome = try_several(&law, &problem).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert!(outcome.impulse.iter().all(|p| *p == 0.0), "{what}: {outcome:?}");
            assert!(outcome.notes.contains(carom::outcome::Note::Separating), "{what}");
        }
    }
}
