use super::*;
use crate::active_set::ActiveSet;
use carom_testkit::Rng;

const RANK: f64 = 1e-13;

fn solve(matrix: &DMatrix<f64>, offset: &[f64]) -> (LcpSolution, Vec<f64>) {
    solve_rows(matrix, offset, &vec![Row::Unilateral; offset.len()])
}

fn solve_rows(matrix: &DMatrix<f64>, offset: &[f64], rows: &[Row]) -> (LcpSolution, Vec<f64>) {
    let factor = Factor::new(matrix, RANK);
    let lcp = Lcp { matrix, factor: &factor, rows, offset, exact: None };
    let solution = ActiveSet::default().solve(&lcp).unwrap();
    let least = least_norm(&lcp, &solution).unwrap();
    (solution, least)
}

fn norm(matrix: &DMatrix<f64>, z: &[f64]) -> f64 {
    z.iter().enumerate().map(|(i, z)| matrix[(i, i)] * z * z).sum()
}

fn apply(matrix: &DMatrix<f64>, z: &[f64]) -> Vec<f64> {
    (0..z.len()).map(|i| (0..z.len()).map(|j| matrix[(i, j)] * z[j]).sum()).collect()
}

#[test]
fn four_corners_share_alike() {
    let corners = [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [1.0, -1.0, 1.0]];
    let matrix = DMatrix::from_fn(4, 4, |i, j| dot(&corners[i], &corners[j]));
    let (solution, least) = solve(&matrix, &[-1.0; 4]);
    assert!(!solution.unique);
    for z in least {
        assert!((z - 0.25).abs() <= f64::EPSILON, "{z}");
    }
    // With a spin about one edge, the corners of each edge share alike.
    let offset: Vec<f64> = corners.iter().map(|j| -1.0 + 0.2 * j[1]).collect();
    let (_, least) = solve(&matrix, &offset);
    assert!((least[0] - least[1]).abs() < 4.0 * f64::EPSILON);
    assert!((least[2] - least[3]).abs() < 4.0 * f64::EPSILON);
}

/// The conditions that define it: `A z` as given, and `W_ii z_i = max(0, a_i·y)` for one `y`, so that no feasible
/// exchange `d` between solutions (`A d = 0`) shortens it.
#[test]
fn no_exchange_shortens_it() {
    let mut rng = Rng::new(1);
    let mut ambiguous = 0;
    for case in 0..400 {
        let n = 3 + rng.index(12) as usize;
        let rank = 1 + rng.index(4) as usize;
        let g = DMatrix::from_fn(rank, n, |i, _| if i == 0 { 1.0 } else { 2.0 * rng.normal() });
        let units: Vec<f64> = (0..n).map(|_| rng.log_uniform(1e-3, 1e3)).collect();
        let matrix =
            DMatrix::from_fn(n, n, |i, j| g.column(i).dot(&g.column(j)) * units[i] * units[j]);
        let some: Vec<f64> =
            (0..n).map(|i| if rng.chance(0.5) { rng.unit() / units[i] } else { 0.0 }).collect();
        let offset: Vec<f64> = apply(&matrix, &some).iter().map(|w| -w).collect();
        let (solution, least) = solve(&matrix, &offset);
        let size = |i: usize| (0..n).map(|j| (matrix[(i, j)] * some[j]).abs()).sum::<f64>();
        for (i, w) in apply(&matrix, &least).iter().enumerate() {
            assert!(least[i] >= 0.0);
            assert!((w + offset[i]).abs() <= 1e-13 * size(i), "case {case}: {w} {}", offset[i]);
        }
        // Not longer than what it came from, nor than any mixture of it with other solutions.
        let shortest = norm(&matrix, &least);
        for other in [&solution.z, &some] {
            let inner: f64 =
                (0..n).map(|i| matrix[(i, i)] * least[i] * (other[i] - least[i])).sum();
            assert!(inner >= -1e-12 * shortest, "case {case}: {inner:e} of {shortest:e}");
        }
        if solution.unique {
            for (a, b) in least.iter().zip(&solution.z) {
                assert!((a - b).abs() <= 1e-9 * largest(&solution.z));
            }
        } else {
            ambiguous += 1;
        }
    }
    assert!(ambiguous > 100, "{ambiguous}");
}

#[test]
fn hundreds_of_supports() {
    let mut rng = Rng::new(2);
    for n in [16, 100, 400] {
        for _ in 0..20 {
            let points: Vec<[f64; 3]> =
                (0..n).map(|_| [1.0, rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)]).collect();
            let matrix = DMatrix::from_fn(n, n, |i, j| dot(&points[i], &points[j]));
            // The load leans to one side: many supports take none of it.
            let v = [-1.0, -rng.uniform(0.0, 0.9), rng.uniform(-0.3, 0.3)];
            let some: Vec<f64> =
                (0..n).map(|k| if dot(&points[k], &v) < -1.3 { 1.0 } else { 0.0 }).collect();
            let offset: Vec<f64> = apply(&matrix, &some).iter().map(|w| -w).collect();
            let (solution, least) = solve(&matrix, &offset);
            let size = largest(&offset);
            for (w, q) in apply(&matrix, &least).iter().zip(&offset) {
                assert!((w + q).abs() <= 1e-13 * size);
            }
            // z_i = max(0, a_i·y) / W_ii is one plane over the supports that carry.
            let carrying: Vec<usize> =
                (0..n).filter(|&i| least[i] > 1e-9 * largest(&least)).collect();
            if carrying.len() > 3 {
                let rows = DMatrix::from_fn(carrying.len(), 3, |i, k| points[carrying[i]][k]);
                let values = nalgebra::DVector::from_iterator(
                    carrying.len(),
                    carrying.iter().map(|&i| matrix[(i, i)] * least[i]),
                );
                let plane = rows.clone().svd(true, true).solve(&values, 1e-12).unwrap();
                assert!((&rows * &plane - &values).amax() <= 1e-11 * values.amax());
                for &i in &solution.support {
                    let height: f64 = (0..3).map(|k| points[i][k] * plane[k]).sum();
                    assert!(least[i] > 0.0 || height <= 1e-9 * values.amax());
                }
            }
        }
    }
}

#[test]
fn equality_of_least_norm_or_a_contradiction() {
    let mut rng = Rng::new(3);
    for (n, rank) in [(4, 2), (6, 6), (30, 5), (100, 3)] {
        let g = DMatrix::from_fn(rank, n, |_, _| rng.normal());
        let matrix = g.transpose() * g;
        let factor = Factor::new(&matrix, RANK);
        let some: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
        let b = apply(&matrix, &some);
        let z = least_norm_equality(&matrix, &factor, &b, 1e-9).unwrap();
        let size = largest(&b);
        for (w, b) in apply(&matrix, &z).iter().zip(&b) {
            assert!((w - b).abs() <= 1e-13 * size);
        }
        let inner: f64 = (0..n).map(|i| matrix[(i, i)] * z[i] * (some[i] - z[i])).sum();
        assert!(inner.abs() <= 1e-11 * norm(&matrix, &some), "{inner:e}");
        if rank < n {
            let mut contradiction = b.clone();
            contradiction[n - 1] += 1e-6 * size;
            assert!(least_norm_equality(&matrix, &factor, &contradiction, 1e-9).is_err());
        }
    }
}

/// Rows twice over, with a body of condition 1e10 behind them: each twin takes half.
#[test]
fn twins_of_a_badly_conditioned_matrix() {
    let mut rng = Rng::new(4);
    for _ in 0..50 {
        let n = 4;
        let q = DMatrix::from_fn(n, n, |_, _| rng.normal()).qr().q();
        let small = DMatrix::from_fn(n, n, |i, j| {
            (0..n).map(|k| q[(i, k)] * q[(j, k)] * libm::pow(10.0, -10.0 * k as f64 / 3.0)).sum()
        });
        let matrix = DMatrix::from_fn(2 * n, 2 * n, |i, j| small[(i % n, j % n)]);
        let few: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
        let offset: Vec<f64> = (0..2 * n).map(|i| few[i % n]).collect();
        let (alone, _) = solve(&small, &few);
        let (_, least) = solve(&matrix, &offset);
        for (i, z) in least.iter().enumerate() {
            let half = 0.5 * alone.z[i % n];
            assert!((z - half).abs() <= 1e-9 * largest(&alone.z), "{z} {half}");
        }
    }
}

/// Four of eight supports of a slab carry, all on one line: of the three directions of the factor one is left to
/// rounding. The order of the rows must not matter.
#[test]
fn a_line_of_supports_in_any_order() {
    let corners: Vec<[f64; 3]> =
        (0..8).map(|k| [1.0, (k / 2 * 2) as f64 - 3.0, 1.0 - 2.0 * (k % 2) as f64]).collect();
    let mass = [1.0, 2.0, 3.0];
    let v = [-0.65, -0.06, 0.46];
    let solve_in = |order: [usize; 8]| {
        let at = |i: usize, j: usize| {
            (0..3).map(|k| corners[order[i]][k] * corners[order[j]][k] / mass[k]).sum()
        };
        let offset: Vec<f64> = order.iter().map(|&k| dot(&corners[k], &v)).collect();
        let (solution, least) = solve(&DMatrix::from_fn(8, 8, at), &offset);
        assert_eq!(solution.support.len(), 4);
        let mut sorted = [0.0; 8];
        order.iter().zip(least).for_each(|(&k, z)| sorted[k] = z);
        sorted
    };
    let straight = solve_in([0, 1, 2, 3, 4, 5, 6, 7]);
    let shuffled = solve_in([1, 5, 6, 0, 3, 2, 7, 4]);
    carom_testkit::assert_close!(straight, shuffled, tol = 1e-15);
    assert!([1, 3, 5, 7].iter().all(|&k| straight[k] > 0.0));
}

/// Seven rows that all come to rest, of which only two, the same one twice, may carry: J = [1 1 1; 1 1 −1; 0 2 −1; 0 1 0;
/// 1 0 0; 2 1 0; 0 2 −1], M = diag(1, 2, 2), v = (0, −2, 1). Whatever else pushes moves the first coordinate.
#[test]
fn rows_that_hold_without_carrying_do_not_mislead() {
    let mass = [1.0, 2.0, 2.0];
    let rows = [
        [1.0, 1.0, 1.0],
        [1.0, 1.0, -1.0],
        [0.0, 2.0, -1.0],
        [0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0],
        [2.0, 1.0, 0.0],
        [0.0, 2.0, -1.0],
    ];
    let matrix = DMatrix::from_fn(7, 7, |i, j| {
        (0..3).map(|c| rows[i][c] * rows[j][c] / mass[c]).sum::<f64>()
    });
    let offset: Vec<f64> = rows.iter().map(|row| dot(row, &[0.0, -2.0, 1.0])).collect();
    let (_, least) = solve(&matrix, &offset);
    for (z, exact) in least.iter().zip([0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]) {
        assert!((z - exact).abs() < 1e-14, "{least:?}");
    }
}

/// Both ways lead to the same answer.
#[test]
fn the_active_set_finds_what_newton_finds() {
    let mut rng = Rng::new(7);
    for case in 0..300 {
        let n = 3 + rng.index(10) as usize;
        let rank = 1 + rng.index(4) as usize;
        let g = DMatrix::from_fn(rank, n, |i, _| if i == 0 { 1.0 } else { rng.normal() });
        let matrix = g.tr_mul(&g);
        let some: Vec<f64> = (0..n).map(|_| rng.unit()).collect();
        let offset: Vec<f64> = apply(&matrix, &some).iter().map(|w| -w).collect();
        let factor = Factor::new(&matrix, RANK);
        let rows = vec![Row::Unilateral; n];
        let lcp =
            Lcp { matrix: &matrix, factor: &factor, rows: &rows, offset: &offset, exact: None };
        let solution = ActiveSet::default().solve(&lcp).unwrap();
        let (one, two) = (by_newton(&lcp, &solution), by_active_set(&lcp, &solution));
        let (one, two) = (one.unwrap(), two.unwrap());
        // Nearly dependent rows leave the shares themselves open: what they do and how long they are is what counts.
        for (a, b) in apply(&matrix, &one).iter().zip(apply(&matrix, &two)) {
            assert!((a - b).abs() < 1e-12 * largest(&offset), "case {case}: {one:?} {two:?}");
        }
        let (a, b) = (norm(&matrix, &one), norm(&matrix, &two));
        assert!((a - b).abs() < 1e-9 * a, "case {case}: {a} {b}");
    }
}
