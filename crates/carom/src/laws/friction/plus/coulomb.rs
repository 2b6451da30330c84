//! An interval as an implicit Coulomb problem: friction opposes the slip at the end of the step.

use super::equations::Modes;
use super::medium::dot;
use super::part::{Class, Part};
use crate::Tolerances;
use crate::numerics::active_set::{ActiveSet, Lcp, Row};
use crate::numerics::coulomb::{Block, Choice, Kind, Problem, Solver, Weights};
use crate::numerics::factor::Factor;
use crate::outcome::ContactMode;
use nalgebra::DMatrix;

/// Approaches that may be left where contacts contradict each other, relative to the speed of the impact \[1\].
const LEFT: [f64; 6] = [0.0, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8];

/// The solver and the problem it is given; memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coulomb {
    solver: Solver,
    factor: Vec<f64>,
    offset: Vec<f64>,
    blocks: Vec<Block>,
}

impl Coulomb {
    /// Solves an interval: contacts that slide keep their direction, all others find theirs. `part.step` becomes the
    /// smallest such impulse. The answer is how well the equations are fulfilled, relative to the speed \[1\].
    pub(crate) fn interval(&mut self, part: &mut Part, modes: &Modes) -> Option<f64> {
        self.solve(part, Choice::Enough, |part, k| {
            let (mu, [x, y]) = (part.mu[k], modes.slip[k]);
            let jammed = modes.of[k] == ContactMode::Jammed;
            let slides = modes.of[k] == ContactMode::Sliding || jammed;
            let tangent = if slides { [-mu * x, -mu * y] } else { [0.0; 2] };
            let push = |p: f64| Kind::Push { impulse: [p, p * tangent[0], p * tangent[1]] };
            match part.class[k] {
                Class::Compressing if jammed => push(modes.jam[k]),
                Class::Compressing if slides => Kind::Ray { tangent },
                Class::Compressing => Kind::Cone { mu, lower: 0.0 },
                Class::Expanding if slides => push(part.owed[k]),
                Class::Expanding => Kind::Disc { normal: part.owed[k], mu },
            }
        })
    }

    /// Solves all that is left of a round at once: friction opposes the slip at its end, also where contacts slide.
    pub(crate) fn rest_of_round(&mut self, part: &mut Part) -> Option<f64> {
        self.solve(part, Choice::Enough, |part, k| match part.class[k] {
            Class::Compressing => Kind::Cone { mu: part.mu[k], lower: 0.0 },
            Class::Expanding => Kind::Disc { normal: part.owed[k], mu: part.mu[k] },
        })
    }

    /// Stops all that approach at once, without restitution; friction opposes the slip that is left. No such impulse
    /// creates energy. Redundant contacts at rest leave rounding in the last digits: friction that misses by those is
    /// better than none.
    pub(crate) fn stop(&mut self, part: &mut Part) -> Option<f64> {
        self.solve(part, Choice::Nearest, |part, k| Kind::Cone { mu: part.mu[k], lower: 0.0 })
    }

    /// The same without friction, which always has an answer.
    pub(crate) fn stop_smoothly(part: &mut Part) -> Option<f64> {
        let n = part.len();
        let entry = |i: usize, j: usize| dot(part.row(3 * i), part.row(3 * j));
        let matrix = DMatrix::from_fn(n, n, |i, j| entry(i.max(j), i.min(j)));
        let factor = Factor::new(&matrix, Tolerances::NOMINAL.rank);
        let rows = vec![Row::Unilateral; n];
        // Redundant contacts that hardly move contradict each other by what rounding left of faster times: then approaches
        // as slow as that may stay.
        let solution = LEFT.into_iter().find_map(|left| {
            let normals = part.velocity.iter().step_by(3);
            let offset: Vec<f64> = normals.map(|u| u + left * part.speed).collect();
            let lcp = Lcp { matrix: &matrix, factor: &factor, rows: &rows, offset: &offset };
            ActiveSet::default().solve(&lcp).ok()
        })?;
        part.step.fill(0.0);
        for (k, p) in solution.z.iter().enumerate() {
            part.step[3 * k] = *p;
        }
        Some(solution.residual)
    }

    fn solve(
        &mut self,
        part: &mut Part,
        choice: Choice,
        kind: impl Fn(&Part, usize) -> Kind,
    ) -> Option<f64> {
        // Nothing yields at all: no impulse makes a difference.
        if part.rank == 0 {
            return None;
        }
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
        let report = self.solver.solve(&problem, choice).ok()?;
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
