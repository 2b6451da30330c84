//! Bounds of certificates are never smaller than the error, and not much larger.

use super::{count, judge};
use carom_testkit::Rng;
use serde_json::{Value, json};

/// A small problem with masses over twelve decades, and an impulse: random, or one that nearly conserves energy, so that
/// what is certified is a small difference of large numbers.
fn problem(rng: &mut Rng) -> (Value, Vec<f64>) {
    let contacts = 1 + rng.index(3) as usize;
    let dimension = 1 + rng.index(3) as usize;
    let rows = contacts * dimension;
    let size = (1 + rng.index(5)) as usize;
    let masses: Vec<f64> = (0..size.max(2)).map(|_| rng.log_uniform(1e-6, 1e6)).collect();
    let size = masses.len();
    let entry = |rng: &mut Rng| match rng.index(4) {
        0 => 0.0,
        1 => [1.0, -1.0][rng.index(2) as usize],
        _ => rng.normal(),
    };
    let matrix = |rng: &mut Rng, rows: usize, columns: usize| -> Vec<Vec<f64>> {
        (0..rows).map(|_| (0..columns).map(|_| entry(rng)).collect()).collect()
    };
    let velocity: Vec<f64> = (0..size).map(|_| rng.normal() * rng.log_uniform(1e-3, 1e3)).collect();
    let mu = rng.log_uniform(1e-3, 1e3);
    let specs = vec![json!({ "e": 0.5, "mu": mu, "rows": dimension }); contacts];
    let (problem, rows) = match rng.index(5) {
        0 => (json!({ "chain": { "mass": masses, "velocity": velocity, "e": 0.5 } }), size - 1),
        1 => {
            // W = A Aᵀ, symmetric to the last bit.
            let a = matrix(rng, rows, rows);
            let at =
                |i: usize, j: usize| -> f64 { a[i].iter().zip(&a[j]).map(|(x, y)| x * y).sum() };
            let w: Vec<Vec<f64>> =
                (0..rows).map(|i| (0..rows).map(|j| at(i.max(j), i.min(j))).collect()).collect();
            let u: Vec<f64> = (0..rows).map(|_| rng.normal()).collect();
            (json!({ "delassus": w, "contact_velocity": u, "contacts": specs }), rows)
        }
        form => {
            let mut problem = json!({
                "mass": masses, "velocity": velocity, "jacobian": matrix(rng, rows, size), "contacts": specs,
            });
            if form == 3 {
                // L D Lᵀ with twelve decades in D.
                let lower = |rng: &mut Rng| rng.normal();
                let mut l = vec![vec![0.0; size]; size];
                for (i, row) in l.iter_mut().enumerate() {
                    (0..i).for_each(|j| row[j] = lower(rng));
                    row[i] = 1.0;
                }
                let at = |i: usize, j: usize| -> f64 {
                    (0..size).map(|k| l[i][k] * masses[k] * l[j][k]).sum()
                };
                let full: Vec<Vec<f64>> = (0..size)
                    .map(|i| (0..size).map(|j| at(i.max(j), i.min(j))).collect())
                    .collect();
                problem["mass"] = json!(full);
            }
            if form == 4 && size > 2 {
                let joints = 1 + rng.index(2) as usize;
                problem["bilateral"] = json!(matrix(rng, joints, size));
            }
            if rng.chance(0.3) {
                problem["drive"] = json!((0..rows).map(|_| rng.normal()).collect::<Vec<_>>());
            }
            (problem, rows)
        }
    };
    let mut impulse: Vec<f64> =
        (0..rows).map(|_| rng.normal() * rng.log_uniform(1e-6, 1e6)).collect();
    if rng.chance(0.5) {
        conserve(&problem, &mut impulse);
    }
    (problem, impulse)
}

/// Scales an impulse such that it changes no energy but by rounding: `p·u + ½ p·Wp = 0`.
fn conserve(problem: &Value, impulse: &mut [f64]) {
    let Ok(whole) = judge(problem, impulse) else { return };
    let half: Vec<f64> = impulse.iter().map(|p| 0.5 * p).collect();
    let Ok(part) = judge(problem, &half) else { return };
    // With f(s) = a s + b s²: f(1) = a + b, f(½) = a/2 + b/4.
    let (one, quarter) = (whole.exact.energy_change(), part.exact.energy_change());
    let b = 2.0 * one - 4.0 * quarter;
    let factor = -(one - b) / b;
    if factor.is_finite() && factor != 0.0 {
        impulse.iter_mut().for_each(|p| *p *= factor);
    }
}

/// `CAROM_EXACT` problems, 2,000 by default.
#[test]
fn hold_against_rational_numbers() {
    let (seed, cases) = (0xb0_0d5, count("CAROM_EXACT", 2000));
    println!("seed {seed}, {cases} problems");
    let mut ratios = Vec::new();
    let (mut judged_count, mut misses) = (0, Vec::new());
    for index in 0..cases {
        let (problem, impulse) = problem(&mut Rng::for_item(seed, index));
        // Some are refused: a mass matrix that is singular to rounding, energies that overflow.
        let Ok(judged) = judge(&problem, &impulse) else { continue };
        judged_count += 1;
        if !judged.disagreements.is_empty() {
            misses.push(format!("{index}: {:?}\n{problem}\n{impulse:?}", judged.disagreements));
        }
        let told = judged.certificate["energy_change"].as_f64().unwrap_or(f64::NAN);
        let bound = judged.certificate["rounding"]["energy_change"].as_f64().unwrap_or(f64::NAN);
        let error = judged.exact.error_of_energy(told);
        if error > 0.0 {
            ratios.push(bound / error);
        }
    }
    let shown = misses.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(misses.is_empty(), "{} of {judged_count} miss:\n{shown}", misses.len());
    assert!(judged_count as f64 > 0.8 * cases as f64, "{judged_count} of {cases}");
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[(share * (ratios.len() - 1) as f64) as usize];
    println!(
        "{judged_count} judged; bound / error: median {:e}, 90 % {:e}, 99 % {:e}",
        at(0.5),
        at(0.9),
        at(0.99)
    );
    assert!(ratios.len() as u64 > cases / 4);
    assert!((1.0..1e4).contains(&at(0.5)), "{:e}", at(0.5));
}
