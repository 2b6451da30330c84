//! Block after block, each solved exactly with the others fixed: the method of Gauss and Seidel.

use super::local::{self, Local};
use super::newton::{Newton, triple};
use super::problem::{Problem, Triple};
use super::tolerances::{ACCEPTED, AIM, FRESH, TURNS};
use crate::dot;

/// Sweeps over all blocks from the state's impulse, each behind a spring of compliance `epsilon` at rest at its present
/// impulse, which changes no solution but damps the way to it. Ends when an entire sweep changes velocities by no more
/// than the part `settled` of the problem's speed; answers the change of the last.
pub fn sweep(state: &mut Newton, problem: &Problem, epsilon: f64, most: u32, settled: f64) -> f64 {
    if state.blocks.is_empty() {
        read_blocks(state, problem);
    }
    let mut change: f64 = 0.0;
    for count in 0..most {
        if count.is_multiple_of(FRESH) {
            state.update(problem);
        }
        state.count_sweep();
        change = 0.0;
        for (b, block) in problem.blocks.iter().enumerate() {
            let (first, rows) = (state.scales.first[b], block.rows);
            let own = triple(&state.p[first..first + rows]);
            let mut local = Local { matrix: state.blocks[b], free: [0.0; 3], rows };
            let compliance = epsilon * state.scales.stiffness[b];
            for i in 0..rows {
                let pushed: f64 = dot(&local.matrix[i], &own);
                let xi = problem.offset[first + i] + dot(problem.row(first + i), &state.z);
                local.free[i] = xi - pushed - compliance * own[i];
                local.matrix[i][i] += compliance;
            }
            let Some(p) = local::solve(block, &local) else { continue };
            for i in 0..rows {
                let by = p[i] - own[i];
                if by == 0.0 {
                    continue;
                }
                change = change.max(state.scales.stiffness[b] * by.abs());
                state.p[first + i] = p[i];
                for (z, l) in state.z.iter_mut().zip(problem.row(first + i)) {
                    *z += by * l;
                }
            }
        }
        if change <= settled * state.scales.speed || state.exhausted() {
            break;
        }
    }
    state.update(problem);
    change
}

/// Sweeps from the state's impulse until they come to rest; whether they do. What moves too slowly for that is given up.
pub fn come_to_rest(state: &mut Newton, problem: &Problem) -> bool {
    let mut before = f64::INFINITY;
    for left in (0..TURNS).rev() {
        let change = sweep(state, problem, 0.0, 2 * FRESH, AIM) / state.scales.speed;
        if change <= AIM {
            return true;
        }
        // Sweeps converge by a constant factor in the end.
        let factor = change / before;
        if factor.is_nan() || change * libm::pow(factor, left.into()) > ACCEPTED {
            return false;
        }
        before = change;
    }
    true
}

/// The matrices of single blocks.
fn read_blocks(state: &mut Newton, problem: &Problem) {
    for (block, &first) in problem.blocks.iter().zip(&state.scales.first) {
        let mut matrix = [Triple::default(); 3];
        for (i, row) in matrix.iter_mut().enumerate().take(block.rows) {
            for (j, entry) in row.iter_mut().enumerate().take(block.rows) {
                *entry = problem.delassus(first + i.max(j), first + i.min(j));
            }
        }
        state.blocks.push(matrix);
    }
}
