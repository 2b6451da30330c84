//! Whatever the numbers, the answer is finite or an error, and it comes.

use carom_sim::rods::{LumpedRods, Rod, Rods};
use carom_sim::spring_chain::{SpringChain, SpringContact};
use carom_testkit::rng::Rng;

const CASES: u64 = 3000;
const SEED: u64 = 168_2004;

/// Numbers of every size, now and then one that should be refused.
fn number(rng: &mut Rng) -> f64 {
    let wide = if rng.chance(0.3) { 1e300 } else { 1e3 };
    let size = rng.log_uniform(1.0 / wide, wide);
    match rng.index(40) {
        0 => 0.0,
        1 => f64::NAN,
        2 => f64::INFINITY,
        3 => -size,
        _ => size,
    }
}

fn velocity(rng: &mut Rng) -> f64 {
    let sign = if rng.chance(0.5) { -1.0 } else { 1.0 };
    if rng.chance(0.3) { 0.0 } else { sign * number(rng) }
}

#[test]
fn spring_chains() {
    println!("seed {SEED}");
    let mut answered = 0;
    for case in 0..CASES {
        let mut rng = Rng::for_item(SEED, case);
        let n = 1 + rng.index(5) as usize;
        let mass = (0..n).map(|_| number(&mut rng)).collect();
        let start = (0..n).map(|_| velocity(&mut rng)).collect();
        let contacts = (1..n)
            .map(|_| SpringContact {
                stiffness: number(&mut rng),
                damping: if rng.chance(0.5) { 0.0 } else { number(&mut rng) },
            })
            .collect();
        let Ok(chain) = SpringChain::new(mass, start, contacts) else { continue };
        let Ok(outcome) = chain.with_max_steps(2000).collide() else { continue };
        answered += 1;
        assert!(outcome.velocity.iter().all(|v| v.is_finite()), "case {case}: {outcome:?}");
        assert!(outcome.dissipated.is_finite() && outcome.duration.is_finite(), "case {case}");
        let reports = outcome.contacts.iter();
        assert!(reports.clone().all(|c| c.impulse.is_finite() && c.dissipated.is_finite()));
    }
    assert!(answered > 300, "only {answered} answers");
}

#[test]
fn rods() {
    println!("seed {SEED}");
    let mut answered = 0;
    for case in 0..CASES {
        let mut rng = Rng::for_item(SEED, case);
        let rods = (0..1 + rng.index(4))
            .map(|_| Rod {
                cells: rng.index(12) as usize,
                line_density: number(&mut rng),
                wave_speed: number(&mut rng),
                velocity: velocity(&mut rng),
            })
            .collect();
        let Ok(impact) = Rods::new(rods, number(&mut rng)).and_then(|rods| rods.collide()) else {
            continue;
        };
        answered += 1;
        assert!(impact.velocity.iter().all(|v| v.is_finite()), "case {case}: {impact:?}");
        assert!(impact.energy_error().is_finite(), "case {case}: {impact:?}");
    }
    assert!(answered > 300, "only {answered} answers");
}

#[test]
fn lumped_rods() {
    println!("seed {SEED}");
    let mut answered = 0;
    for case in 0..CASES / 10 {
        let mut rng = Rng::for_item(SEED, case);
        let springs = [0; 2].map(|_: u8| rng.index(12) as usize);
        let start = [velocity(&mut rng), velocity(&mut rng)];
        let Ok(impact) = LumpedRods::new(springs, start).and_then(|rods| rods.collide()) else {
            continue;
        };
        answered += 1;
        assert!(impact.velocity.iter().all(|v| v.is_finite()), "case {case}: {impact:?}");
        assert!(impact.energy_error.is_finite(), "case {case}: {impact:?}");
    }
    assert!(answered > 100, "only {answered} answers");
}
