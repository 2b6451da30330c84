//! A fixed point of convex problems (`AcaryCadouxLemarechalMalick2011`).
//!
//! With `ξ_n` raised by `μ s`, where `s` is the slip that is left, Coulomb's cones become their convex relaxation
//! ([`Kind::Relaxed`]), which Newton's method always solves. So slips are guessed, those of the convex problem are the
//! next guess, and now and then Coulomb's problem itself is tried from there. All that sticks is found at once.

use super::Solver;
use super::newton::triple;
use super::problem::{Block, Kind, Problem};
use super::residual::length;
use super::tolerances::*;

/// Working memory: the convex problem.
#[derive(Clone, Debug, Default)]
pub struct Relaxation {
    offset: Vec<f64>,
    blocks: Vec<Block>,
    slips: Vec<f64>,
}

impl Solver {
    /// Whether a solution is found so.
    pub fn relax(&mut self, problem: &Problem) -> bool {
        let mut own = std::mem::take(&mut self.relaxation);
        let found = self.follow_slips(problem, &mut own);
        self.relaxation = own;
        found
    }

    fn follow_slips(&mut self, problem: &Problem, own: &mut Relaxation) -> bool {
        own.blocks.clear();
        own.blocks.extend(problem.blocks.iter().map(|block| match block.kind {
            Kind::Cone { mu, lower } => Block { kind: Kind::Relaxed { mu, lower }, ..*block },
            _ => *block,
        }));
        own.slips.clear();
        own.slips.resize(problem.blocks.len(), 0.0);
        self.state.reset(problem);
        let mut next = 1;
        for count in 1..=RELAXATIONS {
            own.offset.clear();
            own.offset.extend_from_slice(problem.offset);
            for (b, block) in problem.blocks.iter().enumerate() {
                if let Kind::Cone { mu, .. } = block.kind
                    && mu.is_finite()
                {
                    own.offset[self.state.scales.first[b]] += mu * own.slips[b];
                }
            }
            let relaxed = Problem { offset: &own.offset, blocks: &own.blocks, ..*problem };
            self.state.solve(&relaxed, SPRING * self.state.scales.load);
            self.polish(&relaxed);
            let mut change: f64 = 0.0;
            for (b, block) in problem.blocks.iter().enumerate() {
                let xi = triple(&self.state.xi[self.state.scales.rows(b, block)]);
                let slip = length(xi[1], xi[2]);
                change = change.max((slip - own.slips[b]).abs());
                own.slips[b] = slip;
            }
            // Where slips come to rest, where they are near that, and ever more seldom besides.
            let rests = change <= SWEPT * self.state.scales.speed;
            if rests || count == next {
                next *= 2;
                self.solution.clone_from(&self.state.p);
                self.state.update(problem);
                if self.good(problem) {
                    return true;
                }
                self.state.p.clone_from(&self.solution);
                self.state.update(problem);
            }
            if rests || self.state.exhausted() {
                break;
            }
        }
        false
    }
}
