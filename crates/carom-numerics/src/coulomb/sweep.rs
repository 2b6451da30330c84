//! Block after block, each solved exactly with the others fixed: the method of Gauss and Seidel.

use super::local::{self, Local};
use super::newton::{Newton, triple};
use super::problem::Problem;
use super::tolerances::FRESH;
use crate::dot;

/// Sweeps over all blocks from the state's impulse, each behind a spring of compliance `epsilon` at rest at its present
/// impulse, which changes no solution but damps the way to it. Ends when an entire sweep changes velocities by no more
/// than the part `settled` of the problem's speed.
pub fn sweep(state: &mut Newton, problem: &Problem, epsilon: f64, most: u32, settled: f64) {
    for count in 0..most {
        if count.is_multiple_of(FRESH) {
            state.update(problem);
        }
        state.steps += 1;
        let mut change: f64 = 0.0;
        for (b, block) in problem.blocks.iter().enumerate() {
            let (first, rows) = (state.scales.first[b], block.rows);
            let own = triple(&state.p[first..first + rows]);
            let mut local = Local { matrix: [[0.0; 3]; 3], free: [0.0; 3], rows };
            let compliance = epsilon * state.scales.stiffness[b];
            for i in 0..rows {
                for j in 0..=i {
                    local.matrix[i][j] = problem.delassus(first + i, first + j);
                    local.matrix[j][i] = local.matrix[i][j];
                }
            }
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
        if change <= settled * state.scales.speed {
            break;
        }
    }
    state.update(problem);
}
