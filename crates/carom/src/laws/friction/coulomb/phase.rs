//! The equations of one phase of an impact and their solution.

use super::contacts::{ActiveContacts, Surface};
use crate::numerics::coulomb::{Block, Choice, Failure, Kind, Problem, Report, Solver, Weights};
use crate::numerics::largest;
use crate::outcome::{Note, Notes, SolverEffort};

/// The approach by which a contact that grazes is tried, relative to the largest velocity.
const GRAZING: f64 = 1e-6;

/// Velocities that differ by more than this part of the largest are different answers.
const JUMP: f64 = 1e-3;

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
    /// Work that may still be done, in multiplications \[1\].
    left: f64,
    /// Friction that stands in for an infinite one \[1\].
    pub(crate) roughest: Option<f64>,
    /// The solver of contacts that graze, and what it is given.
    grazing: Solver,
    approaching: Vec<f64>,
}

impl Phase {
    /// Limits the work of all solutions from now on, in multiplications.
    pub(crate) fn set_budget(&mut self, multiplications: f64) {
        self.left = multiplications;
    }

    /// Solves `ξ = q + W p` with Coulomb's friction at every contact: `q` by row.
    pub(crate) fn solve(
        &mut self,
        active: &ActiveContacts,
        offset: impl Fn(&Surface, usize) -> f64,
    ) -> Result<Solved, Failure> {
        self.offset.clear();
        for surface in &active.surfaces {
            self.offset.extend((0..surface.rows).map(|j| offset(surface, j)));
        }
        self.set_blocks(active, |_| 0.0);
        let slides = |s: &Surface| {
            let slip = &self.offset[s.first + 1..s.first + s.rows];
            s.mu > 0.0
                && self.offset[s.first].abs() <= 2.0 * active.zero
                && largest(slip) > active.zero
        };
        let grazes = active.surfaces.iter().any(slides);
        self.run(active, Pick::Smallest, grazes)
    }

    /// The same from where the last solution ended: `q` is its `ξ`, and normal impulses are at least `least`.
    pub(crate) fn solve_on(
        &mut self,
        active: &ActiveContacts,
        least: impl Fn(&Surface) -> f64,
    ) -> Result<Solved, Failure> {
        self.offset.clear();
        self.offset.extend_from_slice(self.solver.velocity());
        self.set_blocks(active, least);
        self.run(active, Pick::InTurn, false)
    }

    /// The impact of these velocities, one per row [m/s], with the convex relaxation of Coulomb's friction: what slides
    /// parts. It has one solution for velocities, and creates no energy.
    pub(crate) fn relax(
        &mut self,
        active: &ActiveContacts,
        velocity: &[f64],
    ) -> Result<Report, Failure> {
        self.blocks.clear();
        for surface in &active.surfaces {
            let kind = Kind::Relaxed { mu: surface.mu, lower: 0.0 };
            self.blocks.push(Block { rows: surface.rows, kind });
        }
        let problem = problem(active, velocity, &self.blocks);
        self.solver.set_budget(f64::INFINITY);
        self.solver
            .solve(&problem, Choice::Quick)
            .or_else(|_| self.solver.solve(&problem, Choice::Any))
            .or_else(|failure| self.solver.take_nearest(&problem).ok_or(failure))
    }

    fn set_blocks(&mut self, active: &ActiveContacts, least: impl Fn(&Surface) -> f64) {
        self.blocks.clear();
        for surface in &active.surfaces {
            let mu = surface.mu.min(self.roughest.unwrap_or(f64::INFINITY));
            let kind = Kind::Cone { mu, lower: least(surface) };
            self.blocks.push(Block { rows: surface.rows, kind });
        }
    }

    fn run(
        &mut self,
        active: &ActiveContacts,
        pick: Pick,
        grazes: bool,
    ) -> Result<Solved, Failure> {
        let problem = problem(active, &self.offset, &self.blocks);
        let mut notes = Notes::NONE;
        self.solver.set_budget(self.left);
        let solved = self.solver.solve(&problem, Choice::Limit);
        self.left = (self.left - self.solver.spent()).max(0.0);
        let mut report = match solved {
            Ok(report) => report,
            Err(failure @ Failure::NotConverged { .. }) => {
                let Some(nearest) = self.solver.take_nearest(&problem) else { return Err(failure) };
                notes.insert(Note::Nearly);
                nearest
            }
            Err(failure) => return Err(failure),
        };
        if grazes {
            report = self.press_grazing(active).unwrap_or(report);
        }
        let problem = self::problem(active, &self.offset, &self.blocks);
        let mut smallest = true;
        let velocity_unique = report.velocity_unique;
        let mut last = report;
        if velocity_unique == Some(false) {
            notes.insert(Note::VelocityLimit);
        }
        if !report.impulse_unique && !notes.contains(Note::Nearly) {
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

    /// Contacts that slide and neither approach nor separate may lock however little they approach: then the limit of
    /// small approaches takes the place of the solution. Otherwise the solution stays as it is.
    fn press_grazing(&mut self, active: &ActiveContacts) -> Option<Report> {
        let speed = largest(&self.offset);
        self.approaching.clone_from(&self.offset);
        for surface in &active.surfaces {
            let normal = &mut self.approaching[surface.first];
            if normal.abs() <= 2.0 * active.zero {
                *normal = -GRAZING * speed;
            }
        }
        let approaching = problem(active, &self.approaching, &self.blocks);
        self.grazing.set_budget(self.left);
        let solved = self.grazing.solve(&approaching, Choice::Limit);
        self.left = (self.left - self.grazing.spent()).max(0.0);
        solved.ok()?;
        let before = self.solver.velocity();
        let jumps =
            |after: &[f64]| before.iter().zip(after).any(|(a, b)| (a - b).abs() > JUMP * speed);
        if !jumps(self.grazing.velocity()) {
            return None;
        }
        self.approaching.clear();
        self.approaching.extend_from_slice(self.grazing.impulse());
        let problem = problem(active, &self.offset, &self.blocks);
        let report = self.grazing.solve_from(&problem, &self.approaching)?;
        std::mem::swap(&mut self.solver, &mut self.grazing);
        Some(report)
    }

    /// `p` of the last solution, one per row of its contacts [N·s].
    pub(crate) fn impulse(&self) -> &[f64] {
        self.solver.impulse()
    }
}

fn problem<'a>(active: &'a ActiveContacts, offset: &'a [f64], blocks: &'a [Block]) -> Problem<'a> {
    Problem { factor: &active.factor.entries, freedoms: active.factor.rank, offset, blocks }
}
