//! Clocks.

use std::time::Instant;

/// Times over a set of impacts [ns].
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    pub mean: f64,
    pub p99: f64,
    pub max: f64,
}

/// The time of `work` on each item [ns]. An item's time is its fastest of several rounds over the whole set, so that
/// the spread is that of the impacts and not that of the machine.
pub fn each<T>(items: &[T], mut work: impl FnMut(&T)) -> Spread {
    const ROUNDS: usize = 7;
    /// Calls per reading of the clock, whose own grain is some tens of nanoseconds.
    const CALLS: u32 = 16;
    let mut times = vec![f64::INFINITY; items.len()];
    for _ in 0..ROUNDS {
        for (item, time) in items.iter().zip(&mut times) {
            let begin = Instant::now();
            for _ in 0..CALLS {
                work(item);
            }
            *time = time.min(nanoseconds(begin) / f64::from(CALLS));
        }
    }
    times.sort_by(f64::total_cmp);
    let last = times.len() - 1;
    Spread {
        mean: times.iter().sum::<f64>() / times.len() as f64,
        p99: times[last * 99 / 100],
        max: times[last],
    }
}

/// The times of two pieces of work on the same state, taken in turns [ns]: for each, the median over the rounds.
pub fn in_turns<S>(
    rounds: usize,
    state: &mut S,
    mut a: impl FnMut(&mut S),
    mut b: impl FnMut(&mut S),
) -> [f64; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        let begin = Instant::now();
        a(state);
        times[0].push(nanoseconds(begin));
        let begin = Instant::now();
        b(state);
        times[1].push(nanoseconds(begin));
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn nanoseconds(begin: Instant) -> f64 {
    1e9 * begin.elapsed().as_secs_f64()
}
