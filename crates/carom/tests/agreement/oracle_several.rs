//! The laws that are complementarity problems against enumeration of all supports.

use carom::{ContactProblem, ImpactError};
use carom_testkit::Rng;
use carom_testkit::generate::several::{Kind, several_of, several_separating};
use carom_testkit::judge::speed_scale;
use carom_testkit::laws::{every_multi_law, law, resolve_several, try_several};
use carom_testkit::oracle::lcp::enumerate;

const SEED: u64 = 0x0c1e;

/// Systems per law.
const SYSTEMS: u64 = 3000;

/// Enumeration is direct elimination of small integers: rounding times their condition.
const SAME: f64 = 1e-9;

/// `W` and `u⁻` of the normal rows, and the restitution of each contact.
fn normals(problem: &ContactProblem) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let rows: Vec<usize> = (0..problem.len()).map(|k| problem.row_range(k).start).collect();
    let w = rows.iter().flat_map(|&i| rows.iter().map(move |&j| problem.delassus_at(i, j)));
    let u = rows.iter().map(|&i| problem.velocity()[i]).collect();
    let e = problem.contacts().iter().map(|c| c.material.restitution.at(1.0)).collect();
    (w.collect(), u, e)
}

/// Normal velocities after the impulses of several solutions in a row, each `W z + q` for its own `q`.
fn after(w: &[f64], u: &[f64], impulse: &[f64]) -> Vec<f64> {
    let n = u.len();
    (0..n).map(|i| u[i] + (0..n).map(|j| w[i * n + j] * impulse[j]).sum::<f64>()).collect()
}

/// Small integers: enumeration is as good as its elimination.
const INTEGERS: [Kind; 3] = [Kind::Graph, Kind::SelfStressed, Kind::Stops];

fn enumerated(w: &[f64], q: &[f64]) -> Vec<f64> {
    enumerate(w, q).map_or_else(|| panic!("no support is complementary: {w:?} {q:?}"), |s| s.z)
}

/// The velocities that a law's own equations give, by enumeration; none where they depend on a choice.
fn expected(id: &str, problem: &ContactProblem, restitution: f64) -> Option<Vec<f64>> {
    let (w, u, e) = normals(problem);
    let scaled = |e: &dyn Fn(usize) -> f64| -> Vec<f64> {
        u.iter().enumerate().map(|(i, u)| (1.0 + e(i)) * u).collect()
    };
    match id {
        "newton" => Some(after(&w, &u, &enumerated(&w, &scaled(&|i| e[i])))),
        "moreau" => Some(after(&w, &u, &enumerated(&w, &scaled(&|_| restitution)))),
        "max-dissipation" => Some(after(&w, &u, &enumerated(&w, &u))),
        "poisson" => {
            let compression = enumerate(&w, &u).filter(|solution| solution.unique)?;
            let returned: Vec<f64> = compression.z.iter().zip(&e).map(|(p, e)| e * p).collect();
            let stopped = after(&w, &u, &compression.z);
            let added = enumerated(&w, &after(&w, &stopped, &returned));
            let total = (0..u.len()).map(|i| compression.z[i] + returned[i] + added[i]);
            Some(after(&w, &u, &total.collect::<Vec<f64>>()))
        }
        _ => None,
    }
}

#[test]
fn complementarity_laws_agree_with_enumeration() {
    let mut compared = 0;
    for index in 0..SYSTEMS {
        let mut rng = Rng::for_item(SEED, index);
        let sample = several_of(INTEGERS[rng.index(3) as usize], &mut rng);
        let problem = sample.problem();
        for (row, law) in every_multi_law(sample.restitution) {
            let Some(expected) = expected(row.id, &problem, sample.restitution) else { continue };
            compared += 1;
            let outcome = resolve_several(&law, &problem);
            let scale = speed_scale(&problem, &outcome.impulse);
            for (k, expected) in expected.iter().enumerate() {
                let u = outcome.velocity[problem.row_range(k).start];
                assert!(
                    (u - expected).abs() <= SAME * scale,
                    "{}, system {index}, contact {k}: {u}, not {expected}: {sample:?}",
                    row.id
                );
            }
        }
    }
    assert!(compared > 3 * SYSTEMS, "only {compared} answers were compared");
}

/// For maximum dissipation it does not matter who separates before: leaving observers in changes nothing.
#[test]
fn maximum_dissipation_of_separating_contacts_agrees_with_enumeration() {
    for index in 0..SYSTEMS {
        let sample = several_separating(&mut Rng::for_item(SEED ^ 1, index));
        if !INTEGERS.contains(&sample.kind) {
            continue;
        }
        let problem = sample.mechanism.problem();
        let (w, u, _) = normals(&problem);
        let expected = after(&w, &u, &enumerated(&w, &u));
        let outcome = resolve_several(&law("max-dissipation"), &problem);
        let scale = speed_scale(&problem, &outcome.impulse);
        for (k, expected) in expected.iter().enumerate() {
            let u = outcome.velocity[problem.row_range(k).start];
            assert!((u - expected).abs() <= SAME * scale, "system {index}: {sample:?}");
        }
    }
}

/// Newton's equations have a solution exactly where elimination finds one.
#[test]
fn newton_s_equations_are_refused_only_where_they_contradict() {
    let mut refused = 0;
    for index in 0..SYSTEMS {
        let sample = several_of(Kind::Graph, &mut Rng::for_item(SEED ^ 2, index));
        let problem = sample.problem();
        let (w, u, e) = normals(&problem);
        let n = u.len();
        let axes = nalgebra::DMatrix::from_row_slice(n, n, &w).symmetric_eigen();
        let target = nalgebra::DVector::from_fn(n, |i, _| -(1.0 + e[i]) * u[i]);
        // What of the target lies along axes that do not yield.
        let held = |k: &usize| axes.eigenvalues[*k] <= 1e-9 * axes.eigenvalues.max();
        let along = |k: usize| axes.eigenvectors.column(k).dot(&target);
        let left = (0..n).filter(held).map(|k| along(k).abs()).fold(0.0, f64::max)
            / target.amax().max(f64::MIN_POSITIVE);
        // Small integers and random e: contradictions are far from rounding.
        match try_several(&law("newton-equality"), &problem) {
            Ok(_) => {
                assert!(left < 1e-6, "system {index} is answered, but contradicts: {sample:?}")
            }
            Err(ImpactError::NoSolution { .. }) => {
                refused += 1;
                assert!(left > 1e-9, "system {index} is refused, but has a solution: {sample:?}");
            }
            Err(error) => panic!("system {index}: {error}; {sample:?}"),
        }
    }
    assert!(refused > SYSTEMS / 10, "only {refused} were refused");
}
