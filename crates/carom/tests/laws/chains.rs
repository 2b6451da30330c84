//! Long chains through the public interface, against what is known of them.

use carom::laws::Plus;
use carom::outcome::{ProblemOutcome, Unobserved};
use carom::{ContactProblem, Law, Tolerances};
use carom_testkit::generate::cradle;

fn resolve(law: &str, problem: &ContactProblem) -> ProblemOutcome {
    let law = Law::from_id(law).expect("the law exists");
    let outcome = law.resolve(problem, &Tolerances::NOMINAL, &mut Unobserved);
    outcome.unwrap_or_else(|error| panic!("{} contacts: {error}", problem.len()))
}

/// One of `n` equal balls runs at 1 m/s into the others. Together they would go at 1/n; reflected at that, the first goes at
/// (1 + e)/n − e and the others at (1 + e)/n, so contact `k` passes on (1 + e)(n − 1 − k)/n.
#[test]
fn the_last_of_a_million_is_as_exact_as_the_first() {
    const BALLS: usize = 1_000_000;
    for (law, e) in [("newton", 1.0), ("moreau", 0.5), ("poisson", 1.0), ("max-dissipation", 0.0)] {
        let chain = cradle(BALLS, e);
        let outcome = resolve(law, chain.problem());
        let after = chain.after(&outcome.impulse).expect("one impulse per contact").velocity;
        let together = (1.0 + e) / BALLS as f64;
        let close = |value: f64, wanted: f64| (value - wanted).abs() <= 4.0 * f64::EPSILON;
        assert!(close(after[0], together - e), "{law}: {}", after[0]);
        for (k, v) in after.iter().enumerate().skip(1) {
            assert!(close(*v, together), "{law}, ball {k}: {v:e} instead of {together:e}");
        }
        let last = outcome.impulse[BALLS - 2];
        assert!((last - together).abs() <= 4.0 * f64::EPSILON * together, "{law}: {last:e}");
        assert!(
            close(outcome.velocity[BALLS - 2], 0.0),
            "{law}: {:e}",
            outcome.velocity[BALLS - 2]
        );
    }
}

/// Longer than any limit on intervals: a row has one of them in each of its rounds.
#[test]
fn a_blow_travels_through_thirty_thousand_balls() {
    const BALLS: usize = 30_000;
    let chain = cradle(BALLS, 1.0);
    let law = Law::from(Plus::default().max_rounds(100_000));
    let outcome = law.resolve(chain.problem(), &Tolerances::NOMINAL, &mut Unobserved);
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}"));
    let after = chain.after(&outcome.impulse).expect("one impulse per contact").velocity;
    assert!((after[BALLS - 1] - 1.0).abs() < 1e-9, "{}", after[BALLS - 1]);
    assert!(after[..BALLS - 1].iter().all(|v| v.abs() < 1e-9));
}
