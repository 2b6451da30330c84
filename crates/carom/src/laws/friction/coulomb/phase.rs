//! The equations of one phase of an impact and their solution.

use super::contacts::{ActiveContacts, Surface};
use crate::numerics::coulomb::{Block, Choice, Failure, Kind, Problem, Solver, Weights};
use crate::outcome::{Note, Notes, SolverEffort};

/// Which of many impulses that have the same effect is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// The one of least `Σ W_nn |p|²`.
    Smallest,
    /// The one at which solving contact after contact, in their order and from zero, comes to rest; where that makes
    /// other velocities, the smallest.
    InTurn,
}

/// What is known of a phase's solution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solved {
    pub(crate) effort: SolverEffort,
    pub(crate) notes: Notes,
}

/// The solver and the problem it is given; memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phase {
    solver: Solver,
    offset: Vec<f64>,
    blocks: Vec<Block>,
}

impl Phase {
    /// Solves `ξ = q + W p` with Coulomb's friction at every contact: `q` by row, the least normal impulse by contact.
    pub(crate) fn solve(
        &mut self,
        active: &ActiveContacts,
        offset: impl Fn(&Surface, usize) -> f64,
        least: impl Fn(&Surface) -> f64,
        pick: Pick,
    ) -> Result<Solved, Failure> {
        self.offset.clear();
        for surface in &active.surfaces {
            self.offset.extend((0..surface.rows).map(|j| offset(surface, j)));
        }
        self.run(active, least, pick)
    }

    /// The same from where the last solution ended: `q` is its `ξ`.
    pub(crate) fn solve_on(
        &mut self,
        active: &ActiveContacts,
        least: impl Fn(&Surface) -> f64,
        pick: Pick,
    ) -> Result<Solved, Failure> {
        self.offset.clear();
        self.offset.extend_from_slice(self.solver.velocity());
        self.run(active, least, pick)
    }

    fn run(
        &mut self,
        active: &ActiveContacts,
        least: impl Fn(&Surface) -> f64,
        pick: Pick,
    ) -> Result<Solved, Failure> {
        self.blocks.clear();
        for surface in &active.surfaces {
            let kind = Kind::Cone { mu: surface.mu, lower: least(surface) };
            self.blocks.push(Block { rows: surface.rows, kind });
        }
        let problem = Problem {
            factor: &active.factor.entries,
            freedoms: active.factor.rank,
            offset: &self.offset,
            blocks: &self.blocks,
        };
        let report = self.solver.solve(&problem, Choice::Limit)?;
        let mut notes = Notes::NONE;
        let mut smallest = true;
        let velocity_unique = report.velocity_unique;
        let mut last = report;
        if velocity_unique == Some(false) {
            notes.insert(Note::VelocityLimit);
        }
        if !report.impulse_unique {
            let turned = match pick {
                Pick::InTurn => self.solver.in_turn(&problem),
                Pick::Smallest => None,
            };
            match turned {
                Some(report) => {
                    last = report;
                    notes.insert(Note::ImpulseInTurn);
                }
                None => match self.solver.least_norm(&problem, Weights::Normal) {
                    Some(report) => {
                        last = report;
                        notes.insert(Note::ImpulseShared);
                    }
                    None => smallest = false,
                },
            }
        }
        let effort = SolverEffort {
            impulse_smallest: smallest,
            impulse_unique: Some(report.impulse_unique),
            velocity_unique,
            iterations: last.iterations.into(),
            residual: last.residual,
            ..SolverEffort::default()
        };
        Ok(Solved { effort, notes })
    }

    /// `p` of the last solution, one per row of its contacts [N·s].
    pub(crate) fn impulse(&self) -> &[f64] {
        self.solver.impulse()
    }
}
