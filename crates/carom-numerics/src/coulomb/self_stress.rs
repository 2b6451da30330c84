//! Slips that only self-stress opposes.
//!
//! Redundant blocks may stick all but exactly: those of a body that rests on points of slightly different heights and
//! turns. Their velocities cannot all vanish, and what is left, however small, slides with all the friction of its
//! block. Impulses that press blocks against each other and move nothing lead there. Springs make them by yielding to
//! slips, so these need springs as hard as the slips are small, and equations for changes, which lose no digits.

use super::Solver;
use super::problem::Problem;
use super::tolerances::*;

impl Solver {
    /// Goes on from where polishing stalled. If no solution is found the nearest point stays.
    pub fn stress(&mut self, problem: &Problem) {
        let stalled = self.residual;
        let mut best = stalled;
        self.best.clone_from(&self.state.p);
        let mut compliance = FIRST_STRESS * stalled * self.state.scales.load;
        for _ in 0..STRESS_ROUNDS {
            self.solution.clone_from(&self.state.p);
            let settled = self.state.solve_near(problem, compliance);
            let here = if settled { self.refine(problem) } else { f64::INFINITY };
            if here < best {
                best = here;
                self.best.clone_from(&self.state.p);
            }
            if best <= SETTLED_SLIPS || self.state.exhausted() {
                break;
            }
            if here <= STRAYED * stalled {
                compliance *= STRESS_HARDER;
            } else {
                self.state.p.clone_from(&self.solution);
                self.state.update(problem);
                compliance *= STRESS_SOFTER;
            }
        }
        self.restore(problem, best);
    }

    /// Newton's method for the impulse itself as long as it is quick; answers the residual.
    fn refine(&mut self, problem: &Problem) -> f64 {
        let state = &mut self.state;
        let mut here = state.residual(problem);
        self.point.clone_from(&state.p);
        while here > self.aim {
            state.refine(problem, SPRING * state.scales.load);
            let now = state.residual(problem);
            let quick = now <= SLOW * here;
            if now < here {
                here = now;
                self.point.clone_from(&state.p);
            }
            if !quick {
                break;
            }
        }
        state.p.clone_from(&self.point);
        state.update(problem);
        here
    }
}
