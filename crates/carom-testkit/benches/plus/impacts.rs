//! Times over a set of impacts that differ in their velocities.

use crate::table;
use carom::ContactSpec;
use carom::laws::{Plus, PlusHandler};
use carom_testkit::Mechanism;
use std::hint::black_box;
use std::time::Instant;

/// What a set of impacts took.
pub struct Times {
    /// Half of the impacts took longer [ns].
    pub median: f64,
    /// One in a hundred took longer [ns].
    pub p99: f64,
    /// The longest [ns].
    pub longest: f64,
    /// Impacts without an answer, with the first reason.
    pub refused: Vec<String>,
    /// Impacts that another law answered.
    pub fallbacks: usize,
}

/// An impact's time is its fastest of so many, so that the spread is that of the impacts and not that of the machine.
const ROUNDS: usize = 5;

/// Resolves each impact of a set with one handler.
pub fn times(law: Plus, set: &[Mechanism]) -> Times {
    let mut handler = PlusHandler::new(law);
    let mut fastest = vec![f64::INFINITY; set.len()];
    let (mut refused, mut fallbacks) = (Vec::new(), 0);
    for round in 0..ROUNDS {
        for (impact, time) in set.iter().zip(&mut fastest) {
            let jacobian = impact.jacobian.concat();
            let mut velocity = impact.velocity.clone();
            let contacts: &[ContactSpec] = &impact.contacts;
            let begin = Instant::now();
            let answer =
                handler.resolve(black_box(&impact.mass), &jacobian, &mut velocity, contacts);
            let own = 1e9 * begin.elapsed().as_secs_f64();
            match answer {
                Ok(effort) if round == 0 => fallbacks += usize::from(effort.fallbacks > 0),
                Err(error) if round == 0 => refused.push(error.to_string()),
                _ => {}
            }
            black_box(velocity);
            *time = time.min(own);
        }
    }
    fastest.sort_by(f64::total_cmp);
    let last = fastest.len() - 1;
    Times {
        median: fastest[last / 2],
        p99: fastest[last * 99 / 100],
        longest: fastest[last],
        refused,
        fallbacks,
    }
}

/// A line with the median and what is wanted of it, and one with the slowest [µs].
pub fn tell(name: &str, times: &Times, target: f64) {
    table::at_most(&format!("{name}, median"), 1e-3 * times.median, "µs", target);
    table::line(&format!("{name}, p99"), 1e-3 * times.p99, "µs");
    table::line(&format!("{name}, max"), 1e-3 * times.longest, "µs");
    if times.fallbacks > 0 {
        table::line(&format!("{name}, fallbacks"), times.fallbacks as f64, "1");
    }
    if let Some(first) = times.refused.first() {
        println!("{name}: FAILED on {} impacts, the first: {first}", times.refused.len());
    }
}
