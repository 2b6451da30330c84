//! Two answers to the same problem, compared.

use carom::catalog::LawInfo;
use carom::outcome::ProblemOutcome;
use carom::{ContactProblem, ImpactError, Law};
use carom_testkit::Mechanism;
use carom_testkit::generate::several::SeveralSample;
use carom_testkit::judge::speed_scale;
use carom_testkit::laws::{every_multi_law, is_cut_off, try_several};

pub const SEED: u64 = 0x1274;

/// Systems per invariance and law.
pub const SYSTEMS: u64 = 1000;

/// How far two ways to the same velocity may lead apart, relative to the terms that make it up.
pub const SAME: f64 = 1e-9;

/// Laws that work step by step take fewer systems.
fn takes(row: &LawInfo, index: u64) -> bool {
    match row.id {
        "lzb" => index.is_multiple_of(100),
        "mosterman" | "sequential" | "stiff-limit" => index.is_multiple_of(10),
        _ => true,
    }
}

pub fn laws(sample: &SeveralSample, index: u64) -> Vec<(&'static LawInfo, Law)> {
    let mut laws = every_multi_law(sample.restitution);
    let chosen = std::env::var("CAROM_LAWS").ok();
    let chosen = |id| chosen.as_ref().is_none_or(|names| names.split(',').any(|name| name == id));
    laws.retain(|(row, _)| takes(row, index) && chosen(row.id));
    laws
}

/// Whether a law goes by rounds of compression and expansion.
pub fn by_rounds(row: &LawInfo) -> bool {
    row.id.starts_with("plus")
}

/// Whether the last digits of the velocities before change those after by more than two ways to the same may differ.
pub fn hangs_on_the_last_digit(law: &Law, mechanism: &Mechanism, outcome: &ProblemOutcome) -> bool {
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
pub fn both(
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
pub fn assert_same_velocities(
    what: &str,
    problem: &ContactProblem,
    one: &ProblemOutcome,
    two: &ProblemOutcome,
    map: impl Fn(usize) -> usize,
) {
    assert_same_velocities_beside(0.0, what, problem, one, two, map);
}

/// The same where velocities of this size cancelled before [m/s].
pub fn assert_same_velocities_beside(
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
