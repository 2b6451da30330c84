//! Claims about two outcomes: symmetry, order of contacts, continuity.

use super::runner::{SEED, Verdict, last_answer, mobilities, survey, systems_per_law};
use carom::catalog::LawInfo;
use carom::outcome::{Effort, Ending, ProblemOutcome};
use carom::{ContactProblem, Law};
use carom_testkit::generate::several::{
    Kind, Mirrored, SeveralSample, mirrored, several, several_of,
};
use carom_testkit::judge::speed_scale;
use carom_testkit::{Mechanism, Rng};
use std::fmt;

/// How far two ways to the same velocity may lead apart, relative to the largest speed: rounding, times the condition
/// of matrices of small integers.
const SAME: f64 = 1e-9;

/// Impulses are compared where every direction that can yield has at least this part of the mobility of a row \[1\].
const SOFT: f64 = 1e-3;

/// Mobilities below this are rounding \[1\].
const NOTHING: f64 = 1e-13;

/// A law is taken for continuous if velocities after change at most this much faster than those before \[1\].
const STEEPEST: f64 = 1e4;

/// How far the velocities after of two outcomes lie apart, row `i` of the one beside row `map(i)` of the other,
/// relative to the largest sum of terms that made them up. Impacts that were cut off say how far their ends may be, in the
/// norm of kinetic energy, and two ends no further apart than that are the same: `|Δu_i| ≤ √W_ii |Δv|`.
fn apart(
    problem: &ContactProblem,
    one: &ProblemOutcome,
    other: &ProblemOutcome,
    map: impl Fn(usize) -> usize,
) -> f64 {
    let reach = cut_off_by(one) + cut_off_by(other);
    let off = |i: usize| {
        let off = (one.velocity[i] - other.velocity[map(i)]).abs();
        off - problem.delassus_at(i, i).sqrt() * reach
    };
    let off = (0..problem.rows()).map(off).fold(0.0, f64::max);
    let speed = speed_scale(problem, &one.impulse);
    if off == 0.0 { 0.0 } else { off / speed }
}

/// How far the end of an impact may be that was cut off [√J].
fn cut_off_by(outcome: &ProblemOutcome) -> f64 {
    match outcome.effort {
        Effort::Solver(effort) if effort.ending == Ending::Truncated => effort.truncation,
        _ => 0.0,
    }
}

/// The first normal row in which two impulses of least norm differ, weighed by `√W_ii`.
fn impulses_apart(
    problem: &ContactProblem,
    one: &ProblemOutcome,
    other: &ProblemOutcome,
    map: impl Fn(usize) -> usize,
) -> f64 {
    let size = |i: usize| problem.delassus_at(i, i).sqrt();
    let n = problem.rows();
    let off = (0..n).map(|i| size(i) * (one.impulse[i] - other.impulse[map(i)]).abs());
    let scale = (0..n).map(|i| size(i) * one.impulse[i].abs()).fold(0.0, f64::max);
    let off = off.fold(0.0, f64::max);
    if off == 0.0 { 0.0 } else { off / scale }
}

/// Whether the law solved for its impulses at once, and so gives the only ones or the least of many. Where contacts
/// oppose each other the impulses of a sequence depend on its way, and the limit of a continuum is extrapolated.
fn impulses_are_chosen(outcome: &ProblemOutcome) -> bool {
    let Effort::Solver(effort) = outcome.effort else { return false };
    effort.impulse_unique.is_some()
        && effort.impulse_smallest
        && effort.velocity_unique != Some(false)
        && effort.ending == Ending::Direct
}

#[test]
fn symmetric_systems_have_symmetric_answers() {
    survey(
        "symmetry",
        systems_per_law(),
        |row| row.claims.symmetry,
        |index| {
            let system = mirrored(&mut Rng::for_item(SEED, index));
            let (problem, restitution) = (system.mechanism.problem(), system.restitution);
            ((system, problem), restitution)
        },
        check_symmetry,
    );
}

fn check_symmetry(
    row: &'static LawInfo,
    law: &Law,
    (system, problem): &(Mirrored, ContactProblem),
) -> Verdict {
    let outcome = match last_answer(row, law, problem) {
        Ok(outcome) => outcome,
        Err(verdict) => return verdict,
    };
    let image = |i: usize| system.image[i];
    let off = apart(problem, &outcome, &outcome, image);
    if off > SAME {
        return told_apart(row, law, &system.mechanism, off, [&outcome, &outcome]);
    }
    let off = impulses_apart(problem, &outcome, &outcome, image);
    if impulses_are_chosen(&outcome) && off > SAME {
        return Verdict::Broken(format!("impulses off by {off:e}: {:?}", outcome.impulse));
    }
    Verdict::Held
}

/// Whether no direction of `W` is nearly, but not quite, immobile: impulses then carry its condition.
fn is_well_conditioned(problem: &ContactProblem) -> bool {
    mobilities(problem).iter().all(|m| *m < NOTHING || *m > SOFT)
}

/// A system and another order of its contacts.
struct Shuffled {
    sample: SeveralSample,
    order: Vec<usize>,
    /// The contacts in their own order and in the other.
    problems: [ContactProblem; 2],
    well_conditioned: bool,
}

impl fmt::Debug for Shuffled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "order {:?}; {:?}", self.order, self.sample)
    }
}

#[test]
fn the_order_of_contacts_does_not_matter() {
    survey(
        "order",
        systems_per_law(),
        |row| row.claims.order_free,
        |index| {
            let mut rng = Rng::for_item(SEED ^ 1, index);
            let sample = several(&mut rng);
            let restitution = sample.restitution;
            let mut order: Vec<usize> = (0..sample.mechanism.contacts.len()).collect();
            for k in (1..order.len()).rev() {
                order.swap(k, rng.index(k as u64 + 1) as usize);
            }
            let problems =
                [sample.mechanism.problem(), sample.mechanism.reordered(&order).problem()];
            let well_conditioned = is_well_conditioned(&problems[0]);
            (Shuffled { sample, order, problems, well_conditioned }, restitution)
        },
        check_order,
    );
}

fn check_order(row: &'static LawInfo, law: &Law, system: &Shuffled) -> Verdict {
    let [one, two] = &system.problems;
    let outcomes = last_answer(row, law, one).and_then(|a| Ok((a, last_answer(row, law, two)?)));
    let (first, second) = match outcomes {
        Ok(outcomes) => outcomes,
        Err(verdict) => return verdict,
    };
    // Row i of the first stands in row map[i] of the second.
    let mut map = vec![0; one.rows()];
    for (new, &old) in system.order.iter().enumerate() {
        let (from, to) = (one.row_range(old), two.row_range(new));
        from.zip(to).for_each(|(from, to)| map[from] = to);
    }
    let off = apart(one, &first, &second, |i| map[i]);
    if off > SAME {
        return told_apart(row, law, &system.sample.mechanism, off, [&first, &second]);
    }
    let off = impulses_apart(one, &first, &second, |i| map[i]);
    if system.well_conditioned && impulses_are_chosen(&first) && off > SAME {
        return Verdict::Broken(format!(
            "impulses off by {off:e}: {:?} {:?}",
            first.impulse, second.impulse
        ));
    }
    Verdict::Held
}

/// The verdict on velocities that are `off`. Every step of a law rounds, and what that changes is carried to the end like a
/// change of the last digits of the velocities before: no more than that, times the steps, is to be expected.
fn told_apart(
    row: &'static LawInfo,
    law: &Law,
    mechanism: &Mechanism,
    off: f64,
    outcomes: [&ProblemOutcome; 2],
) -> Verdict {
    // Where e = 0 velocities of lzb jump, and its documentation says so.
    let plastic = mechanism.contacts.iter().any(|k| k.material.restitution.at(1.0) == 0.0);
    let steps = match outcomes[0].effort {
        Effort::Solver(effort) => effort.iterations as f64,
        _ => 1.0,
    };
    if row.id == "lzb" && plastic || off <= steps * last_digit(row, law, mechanism, outcomes[0]) {
        return Verdict::Excused;
    }
    let [one, other] = outcomes.map(|outcome| &outcome.velocity);
    Verdict::Broken(format!("velocities off by {off:e}: {one:?} {other:?}"))
}

/// How far the velocities after change with the last digits of those before.
fn last_digit(
    row: &'static LawInfo,
    law: &Law,
    mechanism: &Mechanism,
    outcome: &ProblemOutcome,
) -> f64 {
    let mut largest = 0.0_f64;
    for sign in [1.0, -1.0] {
        let digits = [1.0, -1.0].into_iter().cycle().map(|flip| 1.0 + flip * sign * f64::EPSILON);
        let velocity = mechanism.velocity.iter().zip(digits).map(|(v, digit)| v * digit).collect();
        let problem = Mechanism { velocity, ..mechanism.clone() }.problem();
        if let Ok(other) = last_answer(row, law, &problem) {
            largest = largest.max(apart(&problem, outcome, &other, |i| i));
        }
    }
    largest
}

/// Steps after which a continuous law is to be found near where it was.
const STEPS: [f64; 2] = [1.0 / 1_048_576.0, 1.0 / 1_073_741_824.0];

/// A system and a direction in which its velocity may change without a contact separating.
struct Nudged {
    mechanism: Mechanism,
    direction: Vec<f64>,
    /// The system itself, and after each of [`STEPS`].
    problems: [ContactProblem; 3],
}

impl fmt::Debug for Nudged {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "direction {:?}; {:?}", self.direction, self.mechanism)
    }
}

impl Nudged {
    fn new(mechanism: Mechanism, direction: Vec<f64>) -> Self {
        let problems = [0.0, STEPS[0], STEPS[1]].map(|step| {
            let velocity = mechanism.velocity.iter().zip(&direction).map(|(v, d)| v + step * d);
            Mechanism { velocity: velocity.collect(), ..mechanism.clone() }.problem()
        });
        Self { mechanism, direction, problems }
    }

    /// The largest sum of terms of a contact velocity, the direction's included [m/s].
    fn speed(&self) -> f64 {
        let moves = self.mechanism.velocity.iter().zip(&self.direction);
        let moves: Vec<f64> = moves.map(|(v, d)| v.abs() + d.abs()).collect();
        let terms = |row: &Vec<f64>| row.iter().zip(&moves).map(|(j, v)| j.abs() * v).sum();
        self.mechanism.jacobian.iter().map(terms).fold(f64::MIN_POSITIVE, f64::max)
    }
}

/// Small integers: many systems lie exactly where a law that jumps would jump.
const TIED: [Kind; 5] =
    [Kind::Chain, Kind::Graph, Kind::Slab, Kind::Duplicated, Kind::SelfStressed];

#[test]
fn velocities_after_are_continuous() {
    survey(
        "continuity",
        systems_per_law(),
        |row| row.claims.continuous,
        |index| {
            let mut rng = Rng::for_item(SEED ^ 2, index);
            let sample = several_of(TIED[rng.index(5) as usize], &mut rng);
            let mechanism = sample.mechanism;
            let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
            let size = |row: &[f64]| -> f64 {
                row.iter().zip(&mechanism.velocity).map(|(x, v)| (x * v).abs()).sum()
            };
            let rests = |row: &&Vec<f64>| dot(row, &mechanism.velocity).abs() <= SAME * size(row);
            let resting: Vec<&Vec<f64>> = mechanism.jacobian.iter().filter(rests).collect();
            let draw = |rng: &mut Rng| -> Vec<f64> {
                mechanism.velocity.iter().map(|_| rng.index(7) as f64 - 3.0).collect()
            };
            // Contacts at rest may begin to approach, not to separate; failing that, all speeds grow alike.
            let direction = (0..20)
                .map(|_| draw(&mut rng))
                .find(|d| resting.iter().all(|row| dot(row, d) <= 0.0))
                .unwrap_or_else(|| mechanism.velocity.clone());
            (Nudged::new(mechanism, direction), sample.restitution)
        },
        check_continuity,
    );
}

fn check_continuity(row: &'static LawInfo, law: &Law, system: &Nudged) -> Verdict {
    let [problem, near @ ..] = &system.problems;
    let start = match last_answer(row, law, problem) {
        Ok(outcome) => outcome,
        Err(verdict) => return verdict,
    };
    for (step, near) in STEPS.iter().zip(near) {
        let near = match last_answer(row, law, near) {
            Ok(outcome) => outcome,
            Err(verdict) => return verdict,
        };
        let off = (0..problem.rows()).map(|i| (start.velocity[i] - near.velocity[i]).abs());
        let off = off.fold(0.0, f64::max) / system.speed();
        if off > STEEPEST * step + SAME {
            return Verdict::Broken(format!(
                "a step of {step:e} changes velocities by {off:e}: {:?} {:?}",
                start.velocity, near.velocity
            ));
        }
    }
    Verdict::Held
}
