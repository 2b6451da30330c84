use super::*;
use carom_testkit::Rng;
use carom_testkit::dd::Dd;
use carom_testkit::oracle::lcp::enumerate;

const RANK: f64 = 1e-13;

fn solve(matrix: &DMatrix<f64>, offset: &[f64]) -> Result<LcpSolution, LcpFailure> {
    solve_rows(matrix, offset, &vec![Row::Unilateral; offset.len()])
}

fn solve_rows(
    matrix: &DMatrix<f64>,
    offset: &[f64],
    rows: &[Row],
) -> Result<LcpSolution, LcpFailure> {
    let factor = Factor::new(matrix, RANK);
    ActiveSet::default().solve(&Lcp { matrix, factor: &factor, rows, offset, exact: None })
}

/// `GᵀG` of normal numbers with this many rows.
fn gram(rng: &mut Rng, rows: usize, n: usize) -> DMatrix<f64> {
    let g = DMatrix::from_fn(rows, n, |_, _| rng.normal());
    g.transpose() * g
}

/// The conditions, from `W`, `q` and `z` alone in double-double arithmetic, row by row relative to the size of the
/// terms of that row: what rounding `z` leaves.
fn check(matrix: &DMatrix<f64>, offset: &[f64], solution: &LcpSolution) {
    check_within(matrix, offset, solution, 0.0);
}

/// The same, allowing for rows that contradict each other up to this part of the largest multiplier.
fn check_within(matrix: &DMatrix<f64>, offset: &[f64], solution: &LcpSolution, allowed: f64) {
    let weights = solution.z.iter().enumerate().map(|(i, z)| z * matrix[(i, i)]);
    let allowed = allowed * weights.fold(0.0, f64::max);
    for (i, &q) in offset.iter().enumerate() {
        let terms = solution.z.iter().enumerate().map(|(j, &z)| Dd::from(matrix[(i, j)]) * z);
        let w = terms.clone().fold(Dd::from(q), |sum, term| sum + term).to_f64();
        let size = terms.fold(q.abs(), |sum, term| sum + term.abs().to_f64());
        assert!(solution.z[i] >= 0.0);
        let residual = (solution.z[i] * matrix[(i, i)]).min(w).abs();
        let bound = 4.0 * f64::EPSILON * size;
        assert!(residual <= bound + allowed, "row {i}: {residual:e} of {size:e}");
        assert!(
            (w - solution.w[i]).abs() <= bound + allowed,
            "row {i}: {w} reported as {}",
            solution.w[i]
        );
    }
}

/// A feasible offset with rows of every kind: pressed, free, and touching without being either.
fn feasible_offset(rng: &mut Rng, matrix: &DMatrix<f64>) -> Vec<f64> {
    let n = matrix.nrows();
    let (z, w): (Vec<f64>, Vec<f64>) = (0..n)
        .map(|_| match rng.index(3) {
            0 => (rng.unit(), 0.0),
            1 => (0.0, rng.unit()),
            _ => (0.0, 0.0),
        })
        .unzip();
    (0..n).map(|i| w[i] - (0..n).map(|j| matrix[(i, j)] * z[j]).sum::<f64>()).collect()
}

#[test]
fn full_rank_against_enumeration() {
    let mut rng = Rng::new(1);
    for n in 1..=8 {
        for _ in 0..60 {
            let matrix = gram(&mut rng, n + 2, n);
            let offset: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
            let solution = solve(&matrix, &offset).unwrap();
            check(&matrix, &offset, &solution);
            assert!(solution.unique);
            let slow = enumerate(matrix.as_slice(), &offset).unwrap();
            carom_testkit::assert_close!(solution.z[..], slow.z[..], tol = 1e-10);
        }
    }
}

#[test]
fn rank_deficient_against_enumeration() {
    let mut rng = Rng::new(2);
    let mut ambiguous = 0;
    for n in 2..=8_usize {
        for _ in 0..60 {
            let matrix = gram(&mut rng, n.div_ceil(2), n);
            let offset = feasible_offset(&mut rng, &matrix);
            let solution = solve(&matrix, &offset).unwrap();
            check(&matrix, &offset, &solution);
            let slow = enumerate(matrix.as_slice(), &offset).unwrap();
            let size = offset.iter().fold(0.0, |m: f64, q| m.max(q.abs()));
            carom_testkit::assert_close!(solution.w[..], slow.w[..], tol = 1e-10, scale = size);
            assert_eq!(solution.unique, slow.unique, "{offset:?}");
            ambiguous += usize::from(!solution.unique);
        }
    }
    assert!(ambiguous > 50, "{ambiguous}");
}

#[test]
fn infeasible_exactly_where_enumeration_finds_nothing() {
    let mut rng = Rng::new(3);
    let mut infeasible = 0;
    for n in 2..=7 {
        for _ in 0..100 {
            let matrix = gram(&mut rng, n / 2, n);
            let offset: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
            let slow = enumerate(matrix.as_slice(), &offset);
            match solve(&matrix, &offset) {
                Ok(solution) => {
                    check(&matrix, &offset, &solution);
                    assert!(slow.is_some());
                }
                Err(LcpFailure::Infeasible { .. }) => {
                    assert!(slow.is_none());
                    infeasible += 1;
                }
                Err(failure) => panic!("{failure:?}"),
            }
        }
    }
    assert!(infeasible > 100, "{infeasible}");
}

/// How the normal velocity of support `k` of `n` under a flat slab depends on the velocity of the slab.
fn slab_row(n: usize, k: usize) -> [f64; 3] {
    let side = (n as f64).sqrt().round() as usize;
    let at = |k: usize| 2.0 * k as f64 / (side - 1) as f64 - 1.0;
    [1.0, at(k % side) * 3.0_f64.sqrt(), at(k / side) * 2.5_f64.sqrt()]
}

/// The matrix of its supports: rank 3 however many they are.
fn slab(n: usize) -> DMatrix<f64> {
    let j = DMatrix::from_fn(3, n, |row, k| slab_row(n, k)[row]);
    j.transpose() * j
}

fn slab_offset(n: usize, v: [f64; 3]) -> Vec<f64> {
    (0..n).map(|k| slab_row(n, k).iter().zip(v).map(|(j, v)| j * v).sum()).collect()
}

#[test]
fn redundant_supports_always_solve() {
    let mut rng = Rng::new(4);
    for n in [4, 16, 49, 100, 144, 400] {
        let matrix = slab(n);
        let factor = Factor::new(&matrix, RANK);
        assert_eq!(factor.rank(), 3);
        for case in 0..20 {
            // Falls flat first, then with any spin.
            let spin = if case == 0 { 0.0 } else { 0.5 };
            let offset = slab_offset(n, [-1.0, spin * rng.normal(), spin * rng.normal()]);
            let solution = solve(&matrix, &offset).unwrap();
            check(&matrix, &offset, &solution);
            assert!(solution.iterations <= 12, "{}", solution.iterations);
            if case == 0 {
                assert!(!solution.unique);
                assert!(solution.w.iter().all(|w| w.abs() < 1e-14));
            }
        }
    }
}

#[test]
fn badly_scaled_and_conditioned() {
    let mut rng = Rng::new(5);
    for n in [3, 10, 40] {
        for _ in 0..40 {
            // Singular values from 1 to 1e-5: W has condition 1e10; then any units from 1e-3 to 1e3.
            let g = DMatrix::from_fn(n, n, |_, _| rng.normal());
            let svd = g.svd(true, true);
            let values = DMatrix::from_fn(n, n, |i, j| {
                if i == j { libm::pow(10.0, -5.0 * i as f64 / (n - 1) as f64) } else { 0.0 }
            });
            let g = svd.u.unwrap() * values * svd.v_t.unwrap();
            let units: Vec<f64> = (0..n).map(|_| rng.log_uniform(1e-3, 1e3)).collect();
            let matrix = g.transpose() * &g;
            let matrix = DMatrix::from_fn(n, n, |i, j| {
                0.5 * (matrix[(i, j)] + matrix[(j, i)]) * units[i] * units[j]
            });
            let offset: Vec<f64> = (0..n).map(|i| rng.normal() * units[i]).collect();
            let solution = solve(&matrix, &offset).unwrap();
            check(&matrix, &offset, &solution);
            let offset = feasible_offset(&mut rng, &matrix);
            check(&matrix, &offset, &solve(&matrix, &offset).unwrap());
        }
    }
}

#[test]
fn large_of_every_rank() {
    let mut rng = Rng::new(6);
    for (n, rank) in [(100, 100), (200, 60), (400, 3), (400, 20), (400, 400)] {
        // The first coordinate keeps all columns in one half space, so that rows can yield together.
        let g = DMatrix::from_fn(rank, n, |i, _| if i == 0 { 1.0 } else { rng.normal() });
        let matrix = g.transpose() * g;
        for degenerate in [false, true] {
            let mut offset = feasible_offset(&mut rng, &matrix);
            if !degenerate {
                offset.iter_mut().for_each(|q| *q += 0.1 * rng.unit());
            }
            let solution = solve(&matrix, &offset).unwrap();
            check(&matrix, &offset, &solution);
            assert!(solution.residual < 1e-14, "{n} {rank} {:e}", solution.residual);
        }
    }
}

/// Columns on all sides leave one feasible `v`: consistent up to rounding of `q` only, amplified by the condition of
/// whichever rows hold it.
#[test]
fn hemmed_in_from_all_sides() {
    let mut rng = Rng::new(11);
    for (n, rank) in [(10, 2), (100, 3), (400, 3), (200, 20)] {
        for _ in 0..10 {
            let matrix = gram(&mut rng, rank, n);
            let offset = feasible_offset(&mut rng, &matrix);
            let solution = solve(&matrix, &offset).unwrap();
            check_within(&matrix, &offset, &solution, ZERO);
        }
    }
}

#[test]
fn duplicated_rows_share() {
    let mut rng = Rng::new(7);
    for _ in 0..100 {
        let small = gram(&mut rng, 4, 3);
        let of = [0, 1, 2, 0, 1, 2, 2];
        let matrix = DMatrix::from_fn(7, 7, |i, j| small[(of[i], of[j])]);
        let few: Vec<f64> = (0..3).map(|_| rng.normal()).collect();
        let offset: Vec<f64> = of.iter().map(|&i| few[i]).collect();
        let solution = solve(&matrix, &offset).unwrap();
        check(&matrix, &offset, &solution);
        assert_eq!(solution.unique, few.iter().all(|q| *q >= 0.0));
        let alone = solve(&small, &few).unwrap();
        for (i, &k) in of.iter().enumerate() {
            assert!((solution.w[i] - alone.w[k]).abs() < 1e-13);
        }
    }
}

#[test]
fn self_stressed_rows_hold_within_rounding() {
    // A body between two walls, at rest between them up to rounding: rows a and −a.
    let matrix = DMatrix::from_row_slice(3, 3, &[1.0, -1.0, 0.3, -1.0, 1.0, -0.3, 0.3, -0.3, 1.0]);
    let offset = [1e-17, -3e-17, -1.0];
    let solution = solve(&matrix, &offset).unwrap();
    assert!(!solution.unique);
    // The third pushes the body against the second wall, which holds.
    assert!(solution.w[1].abs() < 1e-15 && solution.w[0].abs() < 1e-15);
    assert!(solution.z[2] > 0.0);
    assert_eq!(
        solve(&matrix, &[-1e-3, -1e-3, 0.0]).unwrap_err(),
        LcpFailure::Infeasible { row: 1 }
    );
}

#[test]
fn compliance_on_some_rows() {
    let mut rng = Rng::new(8);
    for _ in 0..50 {
        let mut matrix = slab(16);
        for i in (0..16).step_by(3) {
            matrix[(i, i)] += rng.log_uniform(1e-3, 1e3);
        }
        let offset: Vec<f64> = (0..16).map(|_| -rng.unit()).collect();
        if let Ok(solution) = solve(&matrix, &offset) {
            check(&matrix, &offset, &solution);
        } else {
            panic!("{offset:?}");
        }
    }
}

#[test]
fn bilateral_and_absent_rows() {
    let mut rng = Rng::new(9);
    for _ in 0..200 {
        let n = 8;
        let matrix = gram(&mut rng, 12, n);
        let offset: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
        let rows: Vec<Row> = (0..n)
            .map(|_| [Row::Unilateral, Row::Bilateral, Row::Absent][rng.index(3) as usize])
            .collect();
        let solution = solve_rows(&matrix, &offset, &rows).unwrap();
        for i in 0..n {
            let w = (0..n).map(|j| matrix[(i, j)] * solution.z[j]).sum::<f64>() + offset[i];
            assert!((w - solution.w[i]).abs() < 1e-12);
            match rows[i] {
                Row::Unilateral => assert!(solution.z[i].min(w).abs() < 1e-12),
                Row::Bilateral => assert!(w.abs() < 1e-12),
                Row::Absent => assert_eq!(solution.z[i], 0.0),
            }
        }
    }
    // A bilateral row given twice is fine; contradicting itself it is not.
    let matrix = DMatrix::from_element(2, 2, 1.0);
    let rows = [Row::Bilateral; 2];
    let solution = solve_rows(&matrix, &[1.0, 1.0], &rows).unwrap();
    assert!(!solution.unique && solution.w == [0.0, 0.0]);
    assert_eq!(
        solve_rows(&matrix, &[1.0, 2.0], &rows).unwrap_err(),
        LcpFailure::Infeasible { row: 1 }
    );
}

#[test]
fn units_change_nothing() {
    let mut rng = Rng::new(10);
    let matrix = gram(&mut rng, 3, 6);
    let offset = feasible_offset(&mut rng, &matrix);
    let solution = solve(&matrix, &offset).unwrap();
    for power in [-600, 600] {
        let scaled = solve(&(&matrix * libm::ldexp(1.0, power)), &offset).unwrap();
        assert_eq!(scaled.w, solution.w);
        let scaled: Vec<f64> = offset.iter().map(|q| q * libm::ldexp(1.0, power)).collect();
        assert_eq!(solve(&matrix, &scaled).unwrap().residual, solution.residual);
    }
}

#[test]
fn rows_that_nothing_moves() {
    let matrix = DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 1.0]);
    assert_eq!(solve(&matrix, &[1.0, -1.0]).unwrap().z, [0.0, 1.0]);
    assert_eq!(solve(&matrix, &[-1.0, 1.0]).unwrap_err(), LcpFailure::Infeasible { row: 0 });
    assert_eq!(solve(&DMatrix::zeros(2, 2), &[0.0, 0.0]).unwrap().z, [0.0, 0.0]);
}

/// Rows 0 and 1 are loaded a thousand million times as much as the twins 2 and 3, which must not push each other out for
/// ever by the rounding of the large ones.
#[test]
fn small_loads_beside_large_ones() {
    let jacobian =
        [[1.0, 0.0, -1.0], [0.0, 0.0, -2.0], [-1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-2.0, 2.0, 0.0]];
    let mass = [3.0, 3.0, 5.0];
    for power in [-10, -20, -30, -40, -50] {
        let small = libm::ldexp(1.0, power);
        let v = [small, -small, 3.0 - 3.0 * small];
        let at =
            |i: usize, j: usize| (0..3).map(|k| jacobian[i][k] * jacobian[j][k] / mass[k]).sum();
        let matrix = DMatrix::from_fn(5, 5, at);
        let offset: Vec<f64> = jacobian.iter().map(|j| (0..3).map(|k| j[k] * v[k]).sum()).collect();
        let solution = solve(&matrix, &offset).unwrap();
        check(&matrix, &offset, &solution);
        assert!(solution.iterations < 8, "{}", solution.iterations);
    }
}
