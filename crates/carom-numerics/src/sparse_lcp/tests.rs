//! Against the dense method, and where there is no answer.

use super::*;
use crate::active_set::{ActiveSet, Lcp, Row};
use crate::factor::Factor;
use crate::least_norm::least_norm;
use carom_testkit::Rng;
use nalgebra::DMatrix;

struct Problem {
    rows: SparseRows,
    mass: Vec<f64>,
    q: Vec<f64>,
}

impl Problem {
    fn matrix(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.q.len(), self.q.len(), |i, j| {
            self.rows.row(i).sum_common(self.rows.row(j), |c, x, y| x * y / self.mass[c])
        })
    }

    fn solve(&self) -> Result<LcpSolution, LcpFailure> {
        solve(&self.rows, &self.mass, &self.q, &mut |_| ControlFlow::Continue(()))
    }

    /// By the dense method, `z` of least norm.
    fn dense(&self) -> Result<LcpSolution, LcpFailure> {
        let matrix = self.matrix();
        let factor = Factor::new(&matrix, 1e-13);
        let rows = vec![Row::Unilateral; self.q.len()];
        let lcp =
            Lcp { matrix: &matrix, factor: &factor, rows: &rows, offset: &self.q, exact: None };
        let mut solution = ActiveSet::default().solve(&lcp)?;
        if !solution.unique {
            solution.z = least_norm(&lcp, &solution).expect("the dense method converges");
        }
        Ok(solution)
    }
}

/// Points in the plane, each touching its neighbours on a square grid with diagonals, velocities at random but for a
/// common approach. With `walls` the outermost touch fixed walls on all sides, so that nothing has room.
fn grid(side: usize, seed: u64, walls: bool) -> Problem {
    let mut rng = Rng::new(seed);
    let at = |x: usize, y: usize| 2 * (y * side + x);
    let mut rows = SparseRows::new(2 * side * side);
    for y in 0..side {
        for x in 0..side {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
                if x + dx < side && y + dy < side {
                    let (a, b) = (at(x, y), at(x + dx, y + dy));
                    let (nx, ny) = (dx as f64, dy as f64);
                    rows.push(&mut [(a, -nx), (a + 1, -ny), (b, nx), (b + 1, ny)]);
                }
            }
            if walls {
                for (touches, column, sign) in [
                    (x == 0, at(x, y), 1.0),
                    (x == side - 1, at(x, y), -1.0),
                    (y == 0, at(x, y) + 1, 1.0),
                    (y == side - 1, at(x, y) + 1, -1.0),
                ] {
                    if touches {
                        rows.push(&mut [(column, sign)]);
                    }
                }
            }
        }
    }
    let mass: Vec<f64> =
        (0..side * side).map(|_| rng.log_uniform(0.1, 10.0)).flat_map(|m| [m, m]).collect();
    let velocity: Vec<f64> = (0..2 * side * side)
        .map(|c| {
            let place = if c % 2 == 0 { (c / 2) % side } else { (c / 2) / side };
            rng.normal() - place as f64
        })
        .collect();
    let q = rows.rows().map(|row| 1.5 * row.dot(&velocity)).collect();
    Problem { rows, mass, q }
}

fn assert_agrees(problem: &Problem, what: &str) {
    let sparse = problem.solve().unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
    let dense = problem.dense().unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
    let speed = largest(&problem.q);
    // What rounding a large z leaves.
    let w_z = (0..problem.q.len()).map(|i| {
        problem.rows.row(i).sum_common(problem.rows.row(i), |c, x, y| x * y / problem.mass[c])
            * sparse.z[i]
    });
    let bound = 64.0 * f64::EPSILON * (1.0 + w_z.fold(0.0, f64::max) / speed);
    assert!(sparse.residual <= bound, "{what}: residual {:e} above {bound:e}", sparse.residual);
    for i in 0..problem.q.len() {
        let off = (sparse.w[i] - dense.w[i]).abs();
        assert!(off <= 1e-10 * speed, "{what}: w[{i}] is off by {off:e} of {speed}");
    }
    assert_eq!(sparse.unique, dense.unique, "{what}");
    let size = largest(&dense.z);
    for i in 0..problem.q.len() {
        // Least norms are least squares: their own condition is behind them.
        let off = (sparse.z[i] - dense.z[i]).abs();
        assert!(off <= 1e-8 * size, "{what}: z[{i}] is off by {off:e} of {size}");
    }
}

#[test]
fn agrees_with_the_dense_method() {
    for seed in 0..40 {
        let side = 2 + (seed % 7) as usize;
        assert_agrees(&grid(side, seed, false), &format!("grid {side}, seed {seed}"));
    }
}

#[test]
fn rows_without_room_between_them_agree_too() {
    for seed in 0..20 {
        let side = 2 + (seed % 5) as usize;
        assert_agrees(&grid(side, seed, true), &format!("walled grid {side}, seed {seed}"));
    }
}

#[test]
fn independent_rows_are_unique() {
    // A chain: as many contacts as it has relative motions.
    let mut rng = Rng::new(7);
    let mut rows = SparseRows::new(300);
    for k in 0..299 {
        rows.push(&mut [(k, -1.0), (k + 1, 1.0)]);
    }
    let mass = (0..300).map(|_| rng.log_uniform(0.1, 10.0)).collect();
    let q = (0..299).map(|_| rng.normal() - 0.5).collect();
    let problem = Problem { rows, mass, q };
    assert!(problem.solve().unwrap().unique);
    assert_agrees(&problem, "chain");
}

#[test]
fn contradictions_are_told() {
    // Opposed rows that both want to open: a body between two walls, one of which asks for more.
    for seed in 0..20 {
        let mut problem = grid(4, seed, true);
        problem.q.iter_mut().for_each(|q| *q -= 5.0);
        assert!(matches!(problem.dense(), Err(LcpFailure::Infeasible { .. })), "seed {seed}");
        let sparse = problem.solve();
        assert!(matches!(sparse, Err(LcpFailure::Infeasible { .. })), "seed {seed}: {sparse:?}");
    }
    // A row that nothing moves.
    let mut rows = SparseRows::new(1);
    rows.push(&mut [(0, 1.0)]);
    rows.push(&mut []);
    let problem = Problem { rows, mass: vec![1.0], q: vec![-1.0, -1e-300] };
    assert_eq!(problem.solve(), Err(LcpFailure::Infeasible { row: 1 }));
}

#[test]
fn nothing_to_do_is_done() {
    let mut problem = grid(3, 1, false);
    problem.q.iter_mut().for_each(|q| *q = q.abs());
    let solution = problem.solve().unwrap();
    assert!(solution.z.iter().all(|z| *z == 0.0));
    assert_eq!((solution.w, solution.residual), (problem.q, 0.0));
}

#[test]
fn stops_when_told() {
    let problem = grid(8, 3, false);
    let mut calls = 0;
    let stopped = solve(&problem.rows, &problem.mass, &problem.q, &mut |steps| {
        calls += 1;
        assert_eq!(steps, calls);
        if steps == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(stopped, Err(LcpFailure::Interrupted { iterations: 4 }));
    assert_eq!(calls, 4);
}

#[test]
fn units_do_not_matter_and_runs_repeat() {
    let problem = grid(7, 5, false);
    let solution = problem.solve().unwrap();
    assert_eq!(problem.solve().unwrap(), solution);
    // Powers of two change no digit.
    let scaled = Problem {
        rows: problem.rows.clone(),
        mass: problem.mass.iter().map(|m| 0.25 * m).collect(),
        q: problem.q.iter().map(|q| 1024.0 * q).collect(),
    };
    let answer = scaled.solve().unwrap();
    let expected: Vec<f64> = solution.z.iter().map(|z| 256.0 * z).collect();
    assert_eq!(answer.z, expected);
    assert_eq!(answer.residual, solution.residual);
}
