//! An interval as an implicit Coulomb problem: friction opposes the slip at the end of the step.

use super::equations::Modes;
use super::part::{Class, Part};
use crate::multi::solve::coulomb::{Block, Choice, Kind, Problem, Solver, Weights};
use crate::outcome::ContactMode;

/// The solver and the problem it is given; memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Coulomb {
    solver: Solver,
    factor: Vec<f64>,
    offset: Vec<f64>,
    blocks: Vec<Block>,
}

impl Coulomb {
    /// Solves an interval: contacts that slide keep their direction, all others find theirs. `part.step` becomes the
    /// smallest such impulse. The answer is how well the equations are fulfilled, relative to the speed \[1\].
    pub(super) fn interval(&mut self, part: &mut Part, modes: &Modes) -> Option<f64> {
        self.solve(part, |part, k| {
            let (mu, [x, y]) = (part.mu[k], modes.slip[k]);
            let slides = modes.of[k] == ContactMode::Sliding;
            let tangent = if slides { [-mu * x, -mu * y] } else { [0.0; 2] };
            match part.class[k] {
                Class::Compressing if slides => Kind::Ray { tangent },
                Class::Compressing => Kind::Cone { mu, lower: 0.0 },
                Class::Expanding if slides => {
                    let p = part.owed[k];
                    Kind::Push { impulse: [p, p * tangent[0], p * tangent[1]] }
                }
                Class::Expanding => Kind::Disc { normal: part.owed[k], mu },
            }
        })
    }

    /// Stops all that approach at once, without restitution; friction opposes the slip that is left. No such impulse
    /// creates energy.
    pub(super) fn stop(&mut self, part: &mut Part, friction: bool) -> Option<f64> {
        let mu = |part: &Part, k: usize| if friction { part.mu[k] } else { 0.0 };
        self.solve(part, |part, k| Kind::Cone { mu: mu(part, k), lower: 0.0 })
    }

    fn solve(&mut self, part: &mut Part, kind: impl Fn(&Part, usize) -> Kind) -> Option<f64> {
        self.factor.clear();
        self.offset.clear();
        self.blocks.clear();
        for k in 0..part.len() {
            let rows = 1 + part.tangents[k];
            for row in 3 * k..3 * k + rows {
                self.factor.extend_from_slice(part.row(row));
                self.offset.push(part.velocity[row]);
            }
            self.blocks.push(Block { rows, kind: kind(part, k) });
        }
        let problem = Problem {
            factor: &self.factor,
            freedoms: part.rank,
            offset: &self.offset,
            blocks: &self.blocks,
        };
        let report = self.solver.solve(&problem, Choice::Any).ok()?;
        // The smallest impulse is a matter of taste; without it there is still one.
        let _ = self.solver.least_norm(&problem, Weights::Equal);
        let mut impulse = self.solver.impulse().iter();
        for k in 0..part.len() {
            for c in 0..3 {
                let owned = c <= part.tangents[k];
                part.step[3 * k + c] = if owned { *impulse.next()? } else { 0.0 };
            }
        }
        let mut along = std::mem::take(&mut part.along);
        along.resize(part.rank, 0.0);
        part.along(&part.step, &mut along);
        part.along = along;
        Some(report.residual)
    }
}
