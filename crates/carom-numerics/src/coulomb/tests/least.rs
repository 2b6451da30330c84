//! Least norms, and what is left of the problem without friction.

use super::conditions::violation;
use super::families::slab;
use super::*;
use crate::active_set::{ActiveSet, Lcp, Row};
use crate::factor::Factor;
use crate::least_norm;
use nalgebra::DMatrix;

fn delassus(case: &Case) -> DMatrix<f64> {
    let l = DMatrix::from_row_slice(case.offset.len(), case.freedoms, &case.factor);
    &l * l.transpose()
}

/// Without friction it is the complementarity problem of the normals, and its least norm is that of the other solver.
#[test]
fn without_friction_it_is_the_linear_problem() {
    let mut solver = Solver::default();
    for index in 0..200 {
        let mut case = slab(&mut Rng::for_item(11, index), 4 + (index % 5) as usize, false);
        case.blocks.iter_mut().for_each(|b| b.kind = Kind::Cone { mu: 0.0, lower: 0.0 });
        let report = solver.solve(&case.problem(), Choice::Any).unwrap();
        assert_eq!(report.velocity_unique, Some(true));
        solver.least_norm(&case.problem(), Weights::Normal).unwrap();
        let n = case.blocks.len();
        let w = delassus(&case);
        let matrix = DMatrix::from_fn(n, n, |i, j| w[(3 * i, 3 * j)]);
        let factor = Factor::new(&matrix, 1e-13);
        let offset: Vec<f64> = (0..n).map(|i| case.offset[3 * i]).collect();
        let rows = vec![Row::Unilateral; n];
        let lcp =
            Lcp { matrix: &matrix, factor: &factor, rows: &rows, offset: &offset, exact: None };
        let linear = ActiveSet::default().solve(&lcp).unwrap();
        let z = least_norm::least_norm(&lcp, &linear).unwrap();
        let size = z.iter().fold(0.0, |m: f64, z| m.max(*z));
        for (i, z) in z.iter().enumerate() {
            assert!((solver.velocity()[3 * i] - linear.w[i]).abs() < 1e-13 * case.speed());
            let off = (solver.impulse()[3 * i] - z).abs();
            assert!(off < 1e-11 * size, "{index}: {off:e} of {size:e}");
        }
    }
}

/// The least norm keeps velocities and conditions, is no longer than any other solution, and is the same whatever the
/// solution it was made from.
#[test]
fn the_least_is_the_least() {
    let mut solver = Solver::default();
    for index in 0..200 {
        let mut rng = Rng::for_item(12, index);
        let case = slab(&mut rng, 4 + (index % 7) as usize, index % 2 == 0);
        let norm = |p: &[f64]| p.iter().map(|p| p * p).sum::<f64>().sqrt();
        solver.solve(&case.problem(), Choice::Any).unwrap();
        let (any, xi) = (solver.impulse().to_vec(), solver.velocity().to_vec());
        let report = solver.least_norm(&case.problem(), Weights::Equal).unwrap();
        assert!(report.residual < 1e-12, "{index}: {report:?}");
        let least = solver.impulse().to_vec();
        assert!(norm(&least) <= norm(&any) * (1.0 + 1e-12));
        assert!(violation(&case, &least) < 1e-11);
        for (a, b) in solver.velocity().iter().zip(&xi) {
            assert!((a - b).abs() < 1e-12 * case.speed(), "{index}");
        }
        // Again, from itself.
        solver.least_norm(&case.problem(), Weights::Equal).unwrap();
        let off = (norm(solver.impulse()) / norm(&least) - 1.0).abs();
        assert!(off <= 1e-9, "{index}: {off:e}");
    }
}

/// A brick that falls straight, turned by nothing: its corners bear alike.
#[test]
fn equal_corners_bear_alike() {
    let mut solver = Solver::default();
    let mut case = slab(&mut Rng::new(13), 4, false);
    for b in 0..4 {
        case.offset[3 * b..3 * b + 3].copy_from_slice(&[-2.0, 0.3, 0.0]);
    }
    solver.solve(&case.problem(), Choice::Limit).unwrap();
    let report = solver.least_norm(&case.problem(), Weights::Normal).unwrap();
    assert!(!report.impulse_unique);
    let p = solver.impulse();
    // The mirror y → −y leaves the problem as it is: corners 0 and 2, 1 and 3 bear alike, their second tangents
    // opposed.
    let size = p.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
    for (a, b) in [(0, 2), (1, 3)] {
        for (k, sign) in [(0, 1.0), (1, 1.0), (2, -1.0)] {
            let off = (p[3 * a + k] - sign * p[3 * b + k]).abs();
            assert!(off < 1e-12 * size, "{p:?}");
        }
    }
}

/// A load between two equal contacts of a point mass is halved, one between three in thirds, sliding or sticking.
#[test]
fn copies_share() {
    let mut solver = Solver::default();
    for n in [2_usize, 3] {
        for mu in [0.2, 2.0] {
            let case = Case {
                factor: [1.0, 0.0, 0.0, 1.0].repeat(n),
                freedoms: 2,
                offset: [-1.0, 0.5].repeat(n),
                blocks: vec![cone(2, mu); n],
            };
            solver.solve(&case.problem(), Choice::Limit).unwrap();
            solver.least_norm(&case.problem(), Weights::Equal).unwrap();
            let friction: f64 = if mu < 1.0 { mu } else { 0.5 };
            for p in solver.impulse().chunks(2) {
                assert!((p[0] - 1.0 / n as f64).abs() < 1e-14);
                assert!((p[1] + friction / n as f64).abs() < 1e-14);
            }
        }
    }
}
