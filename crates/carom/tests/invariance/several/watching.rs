//! Contacts that separate before the impact.

use super::support::{SAME, SEED, SYSTEMS, by_rounds, laws};
use carom::{ContactProblem, ContactSpec, ImpactError, Law, Tolerances};
use carom_testkit::Rng;
use carom_testkit::generate::several::{several, several_separating};
use carom_testkit::judge::{judge_several, speed_scale};
use carom_testkit::laws::{is_cut_off, try_several};

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
fn stays_away(law: &Law) -> bool {
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
        for (row, law) in laws(&sample, index) {
            let what = format!("{}, system {index}: {sample:?}", row.id);
            let outcome = match try_several(&law, &problem) {
                Ok(outcome) if is_cut_off(&outcome) => continue,
                Ok(outcome) => outcome,
                Err(ImpactError::NoSolution { .. } | ImpactError::Limit(_))
                    if !row.claims.total =>
                {
                    continue;
                }
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
