//! Rows of balls, through which a blow travels round by round.

use crate::table;
use carom::laws::Plus;
use carom::outcome::Unobserved;
use carom::{Law, Tolerances};
use carom_testkit::generate::cradle;
use std::hint::black_box;
use std::time::Instant;

/// The fastest of so many runs is told.
const RUNS: usize = 5;

pub fn lines() {
    let mut before: Option<f64> = None;
    for balls in [1_000, 10_000] {
        let name = format!("plus, row of {balls} balls, e = 1");
        let chain = cradle(balls, 1.0);
        let law = Law::from(Plus::default().max_rounds(2 * balls as u64));
        let mut fastest = f64::INFINITY;
        for _ in 0..RUNS {
            let begin = Instant::now();
            let outcome =
                law.resolve(black_box(chain.problem()), &Tolerances::NOMINAL, &mut Unobserved);
            let velocity = match outcome.and_then(|outcome| chain.after(&outcome.impulse)) {
                Ok(after) => after.velocity,
                Err(error) => return println!("{name}: FAILED, {error}"),
            };
            fastest = fastest.min(begin.elapsed().as_secs_f64());
            if velocity.last().is_none_or(|v| (v - 1.0).abs() > 1e-9) {
                return println!("{name}: FAILED, the last ball leaves with {:?}", velocity.last());
            }
        }
        match before {
            None => table::line(&name, 1e3 * fastest, "ms"),
            Some(tenth) => {
                table::at_most(&name, 1e3 * fastest, "ms", 10.0);
                table::at_most(&format!("{name}, over a tenth of it"), fastest / tenth, "×", 12.0);
            }
        }
        before = Some(fastest);
    }
}
