//! Who sticks and who slides, decided for all contacts without slip at once.

mod disc_program;
mod slip_end;
mod smoothed;
pub(crate) mod sticking_set;

use super::dynamics::{Dynamics, FrictionMode};
use super::impact::Breakdown;
use super::model::Model;
use super::rows::length;
use super::tolerances as tol;
use crate::numerics::coulomb::{Block, Choice, Failure, Kind, Problem, Solver};
use crate::numerics::dot;
use disc_program::{Disc, DiscProgram, Onsets, Query};
use sticking_set::StickingSet;

/// Why contacts decide what they do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Trigger {
    /// They are at rest.
    Rest,
    /// This one is known to slide, in this direction.
    Leaver(usize, [f64; 2]),
    /// They begin to move as was found last.
    Found,
}

/// The instantaneous friction problem and its memory: `min ½ fᵀ W f` over the discs `|f_t| ≤ μ F` of contacts that do not
/// slide.
#[derive(Default)]
pub(crate) struct StickSlip {
    discs: DiscProgram,
    solver: Solver,
    factor: Vec<f64>,
    offset: Vec<f64>,
    blocks: Vec<Block>,
    /// The first row of each contact, if it is pressed.
    rows: Vec<Option<usize>>,
    mover: StickingSet,
    targets: Vec<f64>,
    change: Vec<f64>,
    reactions: Vec<f64>,
    /// Contacts that do not slide, and with which acceleration they will, if they do.
    pub(crate) resting: Vec<usize>,
    moves: Onsets,
    /// Their accelerations, however small.
    motions: Vec<[f64; 2]>,
    sticking: Vec<usize>,
}

impl StickSlip {
    /// Accelerations of the resting contacts under the forces where the dynamics was last looked at. How fast the fastest of
    /// them begins to move, relative to what moves it.
    fn accelerate(&mut self, dynamics: &Dynamics, wanted: Query) -> Result<f64, Failure> {
        // Not where others hold, too, whose friction knows no bound.
        if dynamics.sticking.contacts == self.resting && self.slides_clearly(dynamics, wanted) {
            return Ok(self.fastest(dynamics));
        }
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
                block.kind = match self.resting.contains(&g) {
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
        let report = match self.solver.solve(&problem, Choice::Quick) {
            Err(_) => self.solver.solve(&problem, Choice::Any)?,
            Ok(report) => report,
        };
        let noise = tol::ONSET_ROUNDING.max(tol::ONSET_RESIDUALS * report.residual);
        let (acceleration, friction) = (self.solver.velocity(), self.solver.impulse());
        self.moves.clear();
        self.motions.clear();
        for &g in &self.resting {
            let contact = &model.frictional[g];
            let (mut motion, mut held) = ([0.0; 2], [0.0; 2]);
            if let Some(row) = self.rows[g] {
                let rows = row + 1..=row + contact.tangents;
                motion[..contact.tangents].copy_from_slice(&acceleration[rows.clone()]);
                held[..contact.tangents].copy_from_slice(&friction[rows]);
            }
            let bound = contact.mu * dynamics.force[contact.index].max(0.0);
            let slips = length(held) >= (1.0 - tol::AT_BOUND) * bound;
            let relative = relative(length(motion), usual(dynamics, g));
            let moves = if slips { relative > noise } else { relative > tol::ONSET_BELOW_BOUND };
            self.moves.push(moves.then_some(motion));
            self.motions.push(motion);
        }
        Ok(self.fastest(dynamics))
    }

    /// The same by fewer unknowns, where contacts either slide or hold and nothing is in between.
    fn slides_clearly(&mut self, dynamics: &Dynamics, wanted: Query) -> bool {
        let Self { discs, resting, moves, motions, .. } = self;
        discs.discs.clear();
        discs.discs.extend(resting.iter().map(|&g| {
            let contact = &dynamics.model.frictional[g];
            let bound = contact.mu * dynamics.force[contact.index].max(0.0);
            Disc { tangents: contact.tangents, bound, usual: usual(dynamics, g) }
        }));
        let clear = discs.solve(&dynamics.sticking, wanted, moves);
        motions.clear();
        motions.extend(moves.iter().map(|moves| moves.unwrap_or_default()));
        clear
    }

    /// How fast the fastest begins to move, relative to what moves it.
    fn fastest(&self, dynamics: &Dynamics) -> f64 {
        let motions = self.resting.iter().zip(&self.motions);
        motions
            .fold(0.0, |most, (&g, motion)| most.max(relative(length(*motion), usual(dynamics, g))))
    }

    /// How fast sticking contacts that share their load begin to move, relative to what moves them; zero if they hold, or if that
    /// is certainly less than `least`. `as_before` if they are thought to move as they did when last asked.
    pub(crate) fn slides_off(
        &mut self,
        dynamics: &Dynamics,
        least: f64,
        as_before: bool,
    ) -> Result<f64, Breakdown> {
        if self.can_share(dynamics) {
            return Ok(0.0);
        }
        let wanted = Query { least: tol::CERTAINLY_BELOW * least, as_before };
        self.accelerate(dynamics, wanted).map_err(|_| Breakdown::Smooth { residual: f64::NAN })
    }

    /// What forces would do along the accelerations last found, less what friction would take: positive where contacts
    /// cannot hold against that motion, whatever they share.
    pub(crate) fn power(&self, dynamics: &Dynamics) -> f64 {
        let mut power = 0.0;
        dynamics.sticking.frictions(&dynamics.model, dynamics.sticking.reactions(), |g, c, f| {
            let at = self.resting.iter().position(|&resting| resting == g);
            power -= at.map_or(0.0, |at| f * self.motions[at][c]);
        });
        for (&g, motion) in self.resting.iter().zip(&self.motions) {
            let contact = &dynamics.model.frictional[g];
            power -= contact.mu * dynamics.force[contact.index].max(0.0) * length(*motion);
        }
        power
    }

    /// Whether sticking contacts that share their load by what they can bear now hold it.
    pub(crate) fn can_share(&mut self, dynamics: &Dynamics) -> bool {
        let Dynamics { model, force, sticking, .. } = dynamics;
        self.mover.set(model, &sticking.contacts, |g| strength_of(model, force, g));
        holds(dynamics, &self.mover)
    }

    /// Decides what resting contacts do, and leaves them without slip or with the least of it. The dynamics must have been looked at
    /// with the resting contacts at rest.
    pub(crate) fn decide(
        &mut self,
        dynamics: &mut Dynamics,
        state: &mut [f64],
        cause: Trigger,
    ) -> Result<(), Failure> {
        for &g in &self.resting {
            dynamics.friction_mode[g] = FrictionMode::Sticks;
        }
        self.sticking(dynamics, state);
        dynamics.evaluate(state);
        if cause != Trigger::Rest || !holds(dynamics, &dynamics.sticking) {
            if cause != Trigger::Found {
                self.accelerate(dynamics, Query::default())?;
            }
            if let Trigger::Leaver(g, direction) = cause
                && self.moves.iter().all(Option::is_none)
                && let Some(at) = self.resting.iter().position(|&r| r == g)
            {
                self.moves[at] = Some(direction);
            }
            for (&g, motion) in self.resting.iter().zip(&self.moves) {
                if motion.is_some() {
                    dynamics.friction_mode[g] = FrictionMode::Slides;
                }
            }
        } else {
            self.moves.clear();
            self.moves.resize(self.resting.len(), None);
        }
        if self.moves.iter().any(Option::is_some) {
            self.sticking(dynamics, state);
            self.stop_held(dynamics);
        }
        self.place(dynamics, state);
        self.sticking(dynamics, state);
        self.stop_others(dynamics, state);
        Ok(())
    }

    /// A contact whose body is held by others does not move, whatever rounding says.
    fn stop_held(&mut self, dynamics: &mut Dynamics) {
        for (&g, moves) in self.resting.iter().zip(&mut self.moves) {
            if moves.is_some() && held(dynamics, g) {
                *moves = None;
                dynamics.friction_mode[g] = FrictionMode::Sticks;
            }
        }
    }

    /// Nor does one that slid until now, but not fast enough to be asked.
    fn stop_others(&mut self, dynamics: &mut Dynamics, state: &mut [f64]) {
        let n = dynamics.model.len();
        let mut stops = false;
        for g in 0..dynamics.model.frictional.len() {
            let still = dynamics.slides(g)
                && length(dynamics.model.slip(g, &state[n..])) <= tol::STILL_HELD;
            if still && !self.resting.contains(&g) && held(dynamics, g) {
                dynamics.friction_mode[g] = FrictionMode::Sticks;
                stops = true;
            }
        }
        if stops {
            self.sticking(dynamics, state);
        }
    }

    /// Gives resting contacts the slip they start with: none, or hardly any.
    fn place(&mut self, dynamics: &mut Dynamics, state: &mut [f64]) {
        let (n, rank) = (dynamics.model.len(), dynamics.model.rank);
        self.mover.set(&dynamics.model, &self.resting, |_| 1.0);
        self.targets.clear();
        for &g in &self.resting {
            let v = dynamics.model.slip(g, &state[n..]);
            self.targets.extend((0..dynamics.model.frictional[g].tangents).map(|c| -v[c]));
        }
        self.push(dynamics, state);
        dynamics.model.recentre(&mut state[n..n + rank]);
        for &g in &self.resting {
            dynamics.model.tangent_start[2 * g..2 * g + 2].fill(0.0);
        }
        if self.moves.iter().all(Option::is_none) {
            return;
        }
        // All leave as one motion that begins, so that those of one body agree.
        let sizes = self.moves.iter().flatten().map(|[a, b]| length([*a, *b]));
        let time = tol::ONSET_SLIP / sizes.fold(f64::MIN_POSITIVE, f64::max);
        self.targets.clear();
        for (&g, motion) in self.resting.iter().zip(&self.moves) {
            let aim = motion.map_or([0.0; 2], |motion| motion.map(|a| time * a));
            self.targets.extend(aim.into_iter().take(dynamics.model.frictional[g].tangents));
        }
        self.push(dynamics, state);
    }

    /// Stops all contacts whose friction knows no bound, by the smallest impulse that does.
    pub(crate) fn lock(&mut self, dynamics: &mut Dynamics, state: &mut [f64]) {
        let n = dynamics.model.len();
        self.resting.clear();
        for (g, contact) in dynamics.model.frictional.iter().enumerate() {
            if contact.mu == f64::INFINITY && dynamics.normal_mode[contact.index].closed() {
                self.resting.push(g);
                dynamics.friction_mode[g] = FrictionMode::Sticks;
            }
        }
        self.mover.set(&dynamics.model, &self.resting, |_| 1.0);
        self.targets.clear();
        for &g in &self.resting {
            let v = dynamics.model.slip(g, &state[n..]);
            self.targets.extend((0..dynamics.model.frictional[g].tangents).map(|c| -v[c]));
        }
        self.push(dynamics, state);
    }

    /// Changes slips of the mover's contacts by its targets; the impulse is counted.
    fn push(&mut self, dynamics: &Dynamics, state: &mut [f64]) {
        let model = &dynamics.model;
        let (n, g, rank) = (model.len(), model.frictional.len(), model.rank);
        self.change.clear();
        self.change.resize(rank, 0.0);
        self.mover.least(&self.targets, &mut self.change);
        state[n..n + rank].iter_mut().zip(&self.change).for_each(|(x, more)| *x += more);
        self.mover.components(&self.change, &mut self.reactions);
        self.reactions.iter_mut().for_each(|pull| *pull = -*pull);
        let frictions = &mut state[2 * n + rank..2 * n + rank + 2 * g];
        self.mover.frictions(model, &self.reactions, |g, c, f| frictions[2 * g + c] += f);
    }

    /// Counts what was held so far, and holds what sticks from here on.
    pub(crate) fn sticking(&mut self, dynamics: &mut Dynamics, state: &mut [f64]) {
        let model = &dynamics.model;
        let (n, g, rank) = (model.len(), model.frictional.len(), model.rank);
        let (frictions, reactions) = state[2 * n + rank..].split_at_mut(2 * g);
        dynamics.sticking.frictions(model, reactions, |g, c, f| frictions[2 * g + c] += f);
        reactions[..rank].fill(0.0);
        self.sticking.clear();
        self.sticking.extend((0..g).filter(|&g| dynamics.sticks(g)));
        let Dynamics { model, force, sticking, .. } = dynamics;
        sticking.set(model, &self.sticking, |g| strength_of(model, force, g));
    }
}

/// How fast a contact would begin to move if nothing held it.
fn usual(dynamics: &Dynamics, g: usize) -> f64 {
    f64::sqrt(
        dynamics.model.frictional[g].response * dynamics.free.iter().map(|a| a * a).sum::<f64>(),
    )
}

fn relative(size: f64, usual: f64) -> f64 {
    if usual > 0.0 { size / usual } else { 0.0 }
}

/// Whether contacts that stick leave a contact no motion.
fn held(dynamics: &Dynamics, g: usize) -> bool {
    let model = &dynamics.model;
    let rows = || (0..model.frictional[g].tangents).map(|c| model.tangent(g, c));
    let own: f64 = rows().map(|row| dot(row, row)).sum();
    rows().map(|row| dynamics.sticking.left_of(row, row)).sum::<f64>() <= tol::HELD_MOTION * own
}

/// The friction that a contact can bear, of infinite coefficients a large one.
fn strength_of(model: &Model, force: &[f64], g: usize) -> f64 {
    let contact = &model.frictional[g];
    contact.mu.min(tol::LARGE_MU) * force[contact.index].max(0.0)
}

/// Whether the friction that sticking contacts would need where the dynamics was last looked at is within its bounds, shared
/// like this.
fn holds(dynamics: &Dynamics, share: &StickingSet) -> bool {
    let mut sizes = [0.0; 2];
    let mut holds = true;
    let model = &dynamics.model;
    share.frictions(model, dynamics.sticking.reactions(), |g, c, f| {
        sizes[c] = f;
        let contact = &model.frictional[g];
        if c + 1 == contact.tangents {
            let size = if c == 0 { f.abs() } else { length(sizes) };
            let bound = contact.mu * dynamics.force[contact.index].max(0.0);
            holds &= contact.mu == f64::INFINITY || size <= bound * (1.0 - tol::DISC_INTERIOR);
        }
    });
    holds
}
