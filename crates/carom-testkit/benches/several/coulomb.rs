//! Friction at all contacts at once: bricks on a few contacts, slabs on a hundred.

use crate::table;
use carom::laws::{CoulombWorkspace, NewtonCoulomb};
use carom::{ContactProblem, Tolerances};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::landing;
use std::hint::black_box;
use std::time::Instant;

const SEED: u64 = 5;
/// An impact's time is its fastest of so many, so that the spread is that of the impacts and not that of the machine.
const ROUNDS: usize = 5;

pub fn lines() {
    for (contacts, impacts, target) in [
        (1, 300, None),
        (4, 300, Some(20.0)),
        (8, 300, None),
        (16, 300, None),
        (100, 30, Some(1000.0)),
    ] {
        let set: Vec<ContactProblem> = (0..impacts)
            .map(|i| landing(&mut Rng::for_item(SEED, i), contacts).problem())
            .collect();
        let name = format!("newton-coulomb, {contacts} contacts of a brick");
        let mut workspace = CoulombWorkspace::default();
        let mut fastest = vec![f64::INFINITY; set.len()];
        let mut worst: f64 = 0.0;
        let mut refused = 0;
        for round in 0..ROUNDS {
            for (problem, time) in set.iter().zip(&mut fastest) {
                let begin = Instant::now();
                let answer = NewtonCoulomb::default().resolve_in(
                    black_box(problem),
                    &Tolerances::NOMINAL,
                    &mut workspace,
                );
                *time = time.min(1e6 * begin.elapsed().as_secs_f64());
                match answer {
                    Ok(answer) => worst = worst.max(answer.effort.residual),
                    Err(_) if round == 0 => refused += 1,
                    Err(_) => {}
                }
            }
        }
        fastest.sort_by(f64::total_cmp);
        let last = fastest.len() - 1;
        match target {
            Some(target) => {
                table::at_most(&format!("{name}, median"), fastest[last / 2], "µs", target);
            }
            None => table::line(&format!("{name}, median"), fastest[last / 2], "µs"),
        }
        table::line(&format!("{name}, p99"), fastest[last * 99 / 100], "µs");
        table::line(&format!("{name}, max"), fastest[last], "µs");
        table::at_most(&format!("{name}, residual"), 1e12 * worst, "1e-12", 1e2);
        if refused > 0 {
            println!("{name}: FAILED on {refused} impacts");
        }
    }
}
