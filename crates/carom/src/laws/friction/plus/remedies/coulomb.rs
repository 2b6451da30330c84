//! An interval as an implicit Coulomb problem: friction opposes the slip at the end of the step.

use super::super::active::{ActiveContact, ActiveContacts, Phase};
use super::super::equations::work_of;
use super::super::tolerances::APPROACH_LEFT;
use crate::Tolerances;
use crate::numerics::active_set::{ActiveSet, Lcp, Row};
use crate::numerics::coulomb::{Block, Choice, Failure, Kind, Problem, Solver, Weights};
use crate::numerics::dot;
use crate::numerics::factor::Factor;
use crate::outcome::ContactMode;
use nalgebra::DMatrix;

/// The solver and the problem it is given; memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coulomb {
    solver: Solver,
    factor: Vec<f64>,
    offset: Vec<f64>,
    blocks: Vec<Block>,
    /// The work of all solutions, in units of the budget \[1\].
    pub(crate) work: u64,
}

impl Coulomb {
    /// Solves an interval: contacts that slide keep their direction, all others find theirs. `active.step` becomes the
    /// smallest such impulse. The answer is how well the equations are fulfilled, relative to the speed \[1\].
    pub(crate) fn interval(&mut self, active: &mut ActiveContacts) -> Option<f64> {
        self.solve(active, Choice::Enough, |contact| {
            let (mu, [x, y]) = (contact.mu, contact.direction);
            let jammed = contact.mode == ContactMode::Jammed;
            let slides = contact.mode == ContactMode::Sliding || jammed;
            let tangent = if slides { [-mu * x, -mu * y] } else { [0.0; 2] };
            let push = |p: f64| Kind::Push { impulse: [p, p * tangent[0], p * tangent[1]] };
            match contact.phase {
                Phase::Compressing if jammed => push(contact.jam_impulse),
                Phase::Compressing if slides => Kind::Ray { tangent },
                Phase::Compressing => Kind::Cone { mu, lower: 0.0 },
                Phase::Expanding if slides => push(contact.owed),
                Phase::Expanding => Kind::Disc { normal: contact.owed, mu },
            }
        })
    }

    /// Solves all that is left of a round at once: friction opposes the slip at its end, also where contacts slide.
    pub(crate) fn rest_of_round(&mut self, active: &mut ActiveContacts) -> Option<f64> {
        self.solve(active, Choice::Enough, |contact| match contact.phase {
            Phase::Compressing => Kind::Cone { mu: contact.mu, lower: 0.0 },
            Phase::Expanding => Kind::Disc { normal: contact.owed, mu: contact.mu },
        })
    }

    /// Stops all that approach at once, without restitution; friction opposes the slip that is left. No such impulse
    /// creates energy. Redundant contacts at rest leave rounding in the last digits: friction that misses by those is
    /// better than none, if contacts are so few that the long search for it is cheap.
    pub(crate) fn stop(&mut self, active: &mut ActiveContacts, few: usize) -> Option<f64> {
        let choice = if active.len() <= few { Choice::Nearest } else { Choice::Enough };
        self.solve(active, choice, |contact| Kind::Cone { mu: contact.mu, lower: 0.0 })
    }

    /// The same without friction, which always has an answer.
    pub(crate) fn stop_frictionless(active: &mut ActiveContacts) -> Option<f64> {
        let n = active.len();
        let entry = |i: usize, j: usize| dot(active.row(3 * i), active.row(3 * j));
        let matrix = DMatrix::from_fn(n, n, |i, j| entry(i.max(j), i.min(j)));
        let factor = Factor::new(&matrix, Tolerances::NOMINAL.rank);
        let rows = vec![Row::Unilateral; n];
        // Redundant contacts that hardly move contradict each other by what rounding left of faster times:
        // approaches as slow as that may stay.
        let solution = APPROACH_LEFT.into_iter().find_map(|left| {
            let normals = active.velocity.iter().step_by(3);
            let offset: Vec<f64> = normals.map(|u| u + left * active.speed).collect();
            let lcp =
                Lcp { matrix: &matrix, factor: &factor, rows: &rows, offset: &offset, exact: None };
            ActiveSet::default().solve(&lcp).ok()
        })?;
        active.step.fill(0.0);
        for (k, p) in solution.z.iter().enumerate() {
            active.step[3 * k] = *p;
        }
        Some(solution.residual)
    }

    fn solve(
        &mut self,
        active: &mut ActiveContacts,
        choice: Choice,
        kind: impl Fn(&ActiveContact) -> Kind,
    ) -> Option<f64> {
        // Nothing yields at all: no impulse makes a difference.
        if active.rank == 0 {
            return None;
        }
        self.factor.clear();
        self.offset.clear();
        self.blocks.clear();
        for (k, contact) in active.contacts.iter().enumerate() {
            let rows = 1 + contact.tangents;
            for row in 3 * k..3 * k + rows {
                self.factor.extend_from_slice(active.row(row));
                self.offset.push(active.velocity[row]);
            }
            self.blocks.push(Block { rows, kind: kind(contact) });
        }
        let problem = Problem {
            factor: &self.factor,
            freedoms: active.rank,
            offset: &self.offset,
            blocks: &self.blocks,
        };
        let solved = self.solver.solve(&problem, choice);
        let rows = self.offset.len();
        let iterations = match &solved {
            Ok(report) => report.iterations,
            Err(Failure::NotConverged { iterations, .. }) => *iterations,
            Err(Failure::NoSolution) => 1,
        };
        self.work += u64::from(iterations + 4) * work_of(rows * rows * active.rank);
        let report = solved.ok()?;
        // The smallest impulse is a matter of taste; without it there is still one.
        let _ = self.solver.least_norm(&problem, Weights::Equal);
        let mut impulse = self.solver.impulse().iter();
        for (contact, p) in active.contacts.iter().zip(active.step.chunks_exact_mut(3)) {
            for (c, p) in p.iter_mut().enumerate() {
                *p = if c <= contact.tangents { *impulse.next()? } else { 0.0 };
            }
        }
        active.update_along();
        Some(report.residual)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::active::ActiveContacts;
    use super::Coulomb;

    /// W = 1, μ = ¼, u = (−1, 1, 0): friction of ¼ N·s slows the slip to ¾ m/s; without friction it stays.
    #[test]
    fn a_stop_has_friction_where_it_can() {
        let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut active = ActiveContacts::sample(&unit, 0.25, &[-1.0, 1.0, 0.0]);
        Coulomb::default().stop(&mut active, 1).unwrap();
        let wanted = [1.0, -0.25, 0.0];
        assert!(
            active.step.iter().zip(wanted).all(|(p, q)| (p - q).abs() < 1e-10),
            "{:?}",
            active.step
        );
        Coulomb::stop_frictionless(&mut active).unwrap();
        assert_eq!(active.step, [1.0, 0.0, 0.0]);
    }
}
