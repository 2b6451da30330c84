//! The solution that springs tend to as they harden.

use super::Solver;
use super::newton::triple;
use super::problem::Problem;
use super::response::admitted;
use super::tolerances::*;

impl Solver {
    /// Moves the solution to the limit. If that is not found the solution stays.
    pub fn limit(&mut self, problem: &Problem) {
        let residual = self.residual;
        self.solution.clone_from(&self.state.p);
        self.state.reset(problem);
        let mut hardness = SPRING * self.state.scales.load;
        for softer in LEADING {
            self.state.solve(problem, softer * hardness);
        }
        for _ in 0..TRIES {
            if self.extrapolate(problem, hardness) {
                self.polish(problem);
                if self.residual <= residual.max(ACCEPTED) {
                    return;
                }
            }
            hardness *= HARDER;
        }
        self.state.p.copy_from_slice(&self.solution);
        self.state.update(problem);
        self.residual = residual;
    }

    /// Richardson's extrapolation to compliance zero. Whether that is near a solution.
    pub fn extrapolate(&mut self, problem: &Problem, softest: f64) -> bool {
        let rows = problem.offset.len();
        self.table.clear();
        let mut compliance = softest;
        for _ in 0..MEMBERS {
            self.state.solve(problem, compliance);
            self.table.extend_from_slice(&self.state.p);
            compliance *= 0.5;
        }
        let mut gain = 1.0;
        for order in 1..MEMBERS {
            gain *= 2.0;
            for member in (order..MEMBERS).rev() {
                let (coarse, fine) = self.table.split_at_mut(member * rows);
                for (x, old) in fine[..rows].iter_mut().zip(&coarse[(member - 1) * rows..]) {
                    *x += (*x - old) / (gain - 1.0);
                }
            }
        }
        let limit = &self.table[(MEMBERS - 1) * rows..];
        for (b, block) in problem.blocks.iter().enumerate() {
            let own = self.state.scales.rows(b, block);
            let p = admitted(block, triple(&limit[own.clone()]));
            self.state.p[own].copy_from_slice(&p[..block.rows]);
        }
        self.state.update(problem);
        self.state.residual(problem) <= EXTRAPOLATED
    }
}
