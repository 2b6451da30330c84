//! How contacts at rest begin to move under given forces: the least `½ fᵀ W f` over the discs `|f_t| ≤ μ F`.
//!
//! First by the smoothed program in few unknowns, which settles most; then by the general solver of Coulomb's law.

use super::super::dynamics::Dynamics;
use super::super::rows::{self, length};
use super::super::tolerances as tol;
use super::disc_program::{Disc, DiscProgram, Onsets, Query, Smoothed};
use super::sticking_set::StickingSet;
use super::strength;
use crate::numerics::coulomb::{Block, Choice, Failure, Kind, Problem, Solver};

/// Both methods, the last answer and memory.
#[derive(Default)]
pub(crate) struct RestSolver {
    program: DiscProgram,
    general: Solver,
    factor: Vec<f64>,
    offset: Vec<f64>,
    blocks: Vec<Block>,
    /// The first row of each contact, if it is pressed.
    rows: Vec<Option<usize>>,
    /// With which acceleration contacts at rest begin to slide, if they do.
    pub(crate) onsets: Onsets,
    /// Their accelerations, however small.
    motions: Vec<[f64; 2]>,
    holding: Holding,
    /// Newton's steps and sweeps so far, those of the program counted by their cost.
    pub(crate) work: u64,
}

/// Whether contacts that are said to hold can.
#[derive(Default)]
struct Holding {
    contacts: Vec<usize>,
    set: StickingSet,
    acceleration: Vec<f64>,
    reactions: Vec<f64>,
    friction: Vec<[f64; 2]>,
}

impl Holding {
    /// Whether friction within the discs of those that hold takes away all that they still creep by in a smoothed solution. That
    /// has to be asked where rows nearly depend on each other: contacts that hardly move may then let their body move fast.
    fn bears(
        &mut self,
        dynamics: &Dynamics,
        resting: &[usize],
        smoothed: &Smoothed,
        onsets: &Onsets,
    ) -> bool {
        let (model, sticking) = (&dynamics.model, &dynamics.sticking);
        let holds = || resting.iter().zip(onsets).enumerate().filter(|(_, (_, o))| o.is_none());
        self.friction.clear();
        self.friction.resize(model.frictional.len(), [0.0; 2]);
        for (at, (&g, _)) in holds() {
            let [a, b] = smoothed.motions[at];
            let speed = f64::sqrt(a * a + b * b + smoothed.smoothing * smoothed.smoothing);
            self.friction[g] = [a, b].map(|v| -dynamics.friction_bound(g) * v / speed);
        }
        let friction = &mut self.friction;
        if onsets.iter().all(Option::is_none) {
            sticking.share(model, smoothed.y, |g, c, f| friction[g][c] += f);
        } else {
            self.contacts.clear();
            self.contacts.extend(holds().map(|(_, (&g, _))| g));
            self.set.set(model, &self.contacts, |g| strength(model, &dynamics.force, g));
            self.acceleration.clear();
            self.acceleration.resize(model.stride, 0.0);
            for (q, y) in sticking.directions().zip(smoothed.y) {
                rows::add(&mut self.acceleration, *y, q);
            }
            self.set.components(&self.acceleration, &mut self.reactions);
            self.set.share(model, &self.reactions, |g, c, f| friction[g][c] += f);
        }
        let largest = dynamics.force.iter().fold(0.0, |m: f64, f| m.max(*f));
        holds().all(|(_, (&g, _))| {
            let [part, floor] = tol::BORNE;
            length(friction[g]) <= (1.0 + part) * dynamics.friction_bound(g) + floor * largest
        })
    }
}

impl RestSolver {
    /// Accelerations of contacts at rest under the forces where the dynamics were last evaluated. How fast the fastest of them
    /// begins to move, relative to free motion.
    pub(crate) fn solve(
        &mut self,
        dynamics: &Dynamics,
        resting: &[usize],
        query: Query,
    ) -> Result<f64, Failure> {
        // The program knows no contacts whose friction has no bound.
        if dynamics.sticking.contacts != resting || !self.by_program(dynamics, resting, query) {
            self.by_general_solver(dynamics, resting)?;
        }
        let motions = resting.iter().zip(&self.motions);
        Ok(motions.fold(0.0, |most, (&g, motion)| {
            most.max(relative(length(*motion), usual(dynamics, g)))
        }))
    }

    /// By few unknowns, where contacts either slide or hold and nothing is in between.
    fn by_program(&mut self, dynamics: &Dynamics, resting: &[usize], query: Query) -> bool {
        let Self { program, onsets, motions, holding, .. } = self;
        program.discs.clear();
        program.discs.extend(resting.iter().map(|&g| Disc {
            tangents: dynamics.model.frictional[g].tangents,
            bound: dynamics.friction_bound(g),
            usual: usual(dynamics, g),
        }));
        let mut bears = |smoothed: Smoothed, onsets: &Onsets| {
            holding.bears(dynamics, resting, &smoothed, onsets)
        };
        let clear = program.solve(&dynamics.sticking, query, onsets, &mut bears);
        self.work += program.steps.div_ceil(tol::PROGRAM_STEPS);
        motions.clear();
        motions.extend(onsets.iter().map(|onset| onset.unwrap_or_default()));
        clear
    }

    fn by_general_solver(&mut self, dynamics: &Dynamics, resting: &[usize]) -> Result<(), Failure> {
        let model = &dynamics.model;
        self.factor.clear();
        self.blocks.clear();
        self.rows.clear();
        self.rows.resize(model.frictional.len(), None);
        let mut row = 0;
        for (k, spring) in model.springs.iter().enumerate() {
            if !dynamics.normal_mode[k].closed() {
                continue;
            }
            self.factor.extend_from_slice(model.normal(k));
            let normal = dynamics.force[k].max(0.0);
            let mut block = Block { rows: 1, kind: Kind::Push { impulse: [normal, 0.0, 0.0] } };
            if let Some(g) = spring.frictional {
                let contact = &model.frictional[g];
                for c in 0..contact.tangents {
                    self.factor.extend_from_slice(model.tangent(g, c));
                }
                block.rows += contact.tangents;
                self.rows[g] = Some(row);
                let [a, b] = dynamics.friction[g];
                block.kind = match resting.contains(&g) {
                    true if normal > 0.0 => Kind::Disc { normal, mu: contact.mu },
                    true => Kind::Push { impulse: [0.0; 3] },
                    false => Kind::Push { impulse: [normal, a, b] },
                };
            }
            row += block.rows;
            self.blocks.push(block);
        }
        self.offset.clear();
        self.offset.resize(row, 0.0);
        let problem = Problem {
            factor: &self.factor,
            freedoms: model.rank,
            offset: &self.offset,
            blocks: &self.blocks,
        };
        let report = self.general.solve(&problem, Choice::Quick);
        self.work += u64::from(match report {
            Ok(report) => report.iterations,
            Err(Failure::NotConverged { iterations, .. }) => iterations,
            Err(Failure::NoSolution) => 0,
        });
        let report = report?;
        let noise = tol::ONSET_ROUNDING.max(tol::ONSET_RESIDUALS * report.residual);
        let (acceleration, friction) = (self.general.velocity(), self.general.impulse());
        self.onsets.clear();
        self.motions.clear();
        for &g in resting {
            let contact = &model.frictional[g];
            let (mut motion, mut held) = ([0.0; 2], [0.0; 2]);
            if let Some(row) = self.rows[g] {
                let rows = row + 1..=row + contact.tangents;
                motion[..contact.tangents].copy_from_slice(&acceleration[rows.clone()]);
                held[..contact.tangents].copy_from_slice(&friction[rows]);
            }
            let slips = length(held) >= (1.0 - tol::AT_BOUND) * dynamics.friction_bound(g);
            let relative = relative(length(motion), usual(dynamics, g));
            let moves = if slips { relative > noise } else { relative > tol::ONSET_BELOW_BOUND };
            self.onsets.push(moves.then_some(motion));
            self.motions.push(motion);
        }
        Ok(())
    }

    /// The power of forces along the accelerations last found, less what friction would take: positive where contacts cannot hold
    /// against that motion, however they share their load.
    pub(crate) fn power(&self, dynamics: &Dynamics, resting: &[usize]) -> f64 {
        let mut power = 0.0;
        let sticking = &dynamics.sticking;
        sticking.share(&dynamics.model, sticking.reactions(), |g, c, f| {
            let at = resting.iter().position(|&resting| resting == g);
            power -= at.map_or(0.0, |at| f * self.motions[at][c]);
        });
        for (&g, motion) in resting.iter().zip(&self.motions) {
            power -= dynamics.friction_bound(g) * length(*motion);
        }
        power
    }
}

/// How fast a contact would begin to move if nothing held it.
fn usual(dynamics: &Dynamics, g: usize) -> f64 {
    let square = dynamics.free.iter().map(|a| a * a).sum::<f64>();
    f64::sqrt(dynamics.model.frictional[g].response * square)
}

fn relative(size: f64, usual: f64) -> f64 {
    if usual > 0.0 { size / usual } else { 0.0 }
}
