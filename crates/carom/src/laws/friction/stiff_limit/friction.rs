//! Who sticks and who slides, decided for all contacts without slip at once.

use super::discs::{Disc, Discs, Moves, Wanted};
use super::field::{Field, Slip};
use super::model::Model;
use super::rows::length;
use super::run::Trouble;
use super::stick::Hold;
use super::tolerances as tol;
use crate::numerics::coulomb::{Block, Choice, Failure, Kind, Problem, Solver};
use crate::numerics::dot;

/// Why grips decide what they do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cause {
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
pub(crate) struct Friction {
    discs: Discs,
    solver: Solver,
    factor: Vec<f64>,
    offset: Vec<f64>,
    blocks: Vec<Block>,
    /// The first row of each grip, if it is pressed.
    rows: Vec<Option<usize>>,
    mover: Hold,
    targets: Vec<f64>,
    change: Vec<f64>,
    pulls: Vec<f64>,
    /// Grips that do not slide, and with which acceleration they will, if they do.
    pub(crate) resting: Vec<usize>,
    moves: Moves,
    /// Their accelerations, however small.
    motions: Vec<[f64; 2]>,
    sticking: Vec<usize>,
}

impl Friction {
    /// Accelerations of the resting grips under the forces where the field was last looked at. How fast the fastest of
    /// them begins to move, relative to what moves it.
    fn accelerate(&mut self, field: &Field, wanted: Wanted) -> Result<f64, Failure> {
        // Not where others hold, too, whose friction knows no bound.
        if field.hold.grips == self.resting && self.slides_clearly(field, wanted) {
            return Ok(self.fastest(field));
        }
        let model = &field.model;
        self.factor.clear();
        self.blocks.clear();
        self.rows.clear();
        self.rows.resize(model.grips.len(), None);
        let mut row = 0;
        for (k, spring) in model.springs.iter().enumerate() {
            if !field.touch[k].closed() {
                continue;
            }
            self.factor.extend_from_slice(model.normal(k));
            let normal = field.force[k].max(0.0);
            let mut block = Block { rows: 1, kind: Kind::Push { impulse: [normal, 0.0, 0.0] } };
            if let Some(g) = spring.grip {
                let grip = &model.grips[g];
                for c in 0..grip.tangents {
                    self.factor.extend_from_slice(model.tangent(g, c));
                }
                block.rows += grip.tangents;
                self.rows[g] = Some(row);
                let [a, b] = field.friction[g];
                block.kind = match self.resting.contains(&g) {
                    true if normal > 0.0 => Kind::Disc { normal, mu: grip.mu },
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
            let grip = &model.grips[g];
            let (mut motion, mut held) = ([0.0; 2], [0.0; 2]);
            if let Some(row) = self.rows[g] {
                let rows = row + 1..=row + grip.tangents;
                motion[..grip.tangents].copy_from_slice(&acceleration[rows.clone()]);
                held[..grip.tangents].copy_from_slice(&friction[rows]);
            }
            let bound = grip.mu * field.force[grip.contact].max(0.0);
            let slips = length(held) >= (1.0 - tol::AT_BOUND) * bound;
            let relative = relative(length(motion), usual(field, g));
            let moves = if slips { relative > noise } else { relative > tol::ONSET_BELOW_BOUND };
            self.moves.push(moves.then_some(motion));
            self.motions.push(motion);
        }
        Ok(self.fastest(field))
    }

    /// The same by fewer unknowns, where grips either slide or hold and nothing is in between.
    fn slides_clearly(&mut self, field: &Field, wanted: Wanted) -> bool {
        let Self { discs, resting, moves, motions, .. } = self;
        discs.discs.clear();
        discs.discs.extend(resting.iter().map(|&g| {
            let grip = &field.model.grips[g];
            let bound = grip.mu * field.force[grip.contact].max(0.0);
            Disc { tangents: grip.tangents, bound, usual: usual(field, g) }
        }));
        let clear = discs.solve(&field.hold, wanted, moves);
        motions.clear();
        motions.extend(moves.iter().map(|moves| moves.unwrap_or_default()));
        clear
    }

    /// How fast the fastest begins to move, relative to what moves it.
    fn fastest(&self, field: &Field) -> f64 {
        let motions = self.resting.iter().zip(&self.motions);
        motions.fold(0.0, |most, (&g, motion)| most.max(relative(length(*motion), usual(field, g))))
    }

    /// How fast sticking grips that share their load begin to move, relative to what moves them; zero if they hold, or if that
    /// is certainly less than `least`. `as_before` if they are thought to move as they did when last asked.
    pub(crate) fn slides_off(
        &mut self,
        field: &Field,
        least: f64,
        as_before: bool,
    ) -> Result<f64, Trouble> {
        if self.can_share(field) {
            return Ok(0.0);
        }
        let wanted = Wanted { least: tol::CERTAINLY_BELOW * least, as_before };
        self.accelerate(field, wanted).map_err(|_| Trouble::Smooth { residual: f64::NAN })
    }

    /// What forces would do along the accelerations last found, less what friction would take: positive where grips
    /// cannot hold against that motion, whatever they share.
    pub(crate) fn power(&self, field: &Field) -> f64 {
        let mut power = 0.0;
        field.hold.frictions(&field.model, field.hold.pulls(), |g, c, f| {
            let at = self.resting.iter().position(|&resting| resting == g);
            power -= at.map_or(0.0, |at| f * self.motions[at][c]);
        });
        for (&g, motion) in self.resting.iter().zip(&self.motions) {
            let grip = &field.model.grips[g];
            power -= grip.mu * field.force[grip.contact].max(0.0) * length(*motion);
        }
        power
    }

    /// Whether sticking grips that share their load by what they can bear now hold it.
    pub(crate) fn can_share(&mut self, field: &Field) -> bool {
        let Field { model, force, hold, .. } = field;
        self.mover.grip(model, &hold.grips, |g| strength_of(model, force, g));
        holds(field, &self.mover)
    }

    /// Decides what resting grips do, and leaves them without slip or with the least of it. The field must have been looked at
    /// with the resting grips at rest.
    pub(crate) fn decide(
        &mut self,
        field: &mut Field,
        state: &mut [f64],
        cause: Cause,
    ) -> Result<(), Failure> {
        for &g in &self.resting {
            field.slip[g] = Slip::Sticks;
        }
        self.hold(field, state);
        field.look(state);
        if cause != Cause::Rest || !holds(field, &field.hold) {
            if cause != Cause::Found {
                self.accelerate(field, Wanted::default())?;
            }
            if let Cause::Leaver(g, direction) = cause
                && self.moves.iter().all(Option::is_none)
                && let Some(at) = self.resting.iter().position(|&r| r == g)
            {
                self.moves[at] = Some(direction);
            }
            for (&g, motion) in self.resting.iter().zip(&self.moves) {
                if motion.is_some() {
                    field.slip[g] = Slip::Slides;
                }
            }
        } else {
            self.moves.clear();
            self.moves.resize(self.resting.len(), None);
        }
        if self.moves.iter().any(Option::is_some) {
            self.hold(field, state);
            self.stop_held(field);
        }
        self.place(field, state);
        self.hold(field, state);
        self.stop_others(field, state);
        Ok(())
    }

    /// A grip whose body is held by others does not move, whatever rounding says.
    fn stop_held(&mut self, field: &mut Field) {
        for (&g, moves) in self.resting.iter().zip(&mut self.moves) {
            if moves.is_some() && held(field, g) {
                *moves = None;
                field.slip[g] = Slip::Sticks;
            }
        }
    }

    /// Nor does one that slid until now, but not fast enough to be asked.
    fn stop_others(&mut self, field: &mut Field, state: &mut [f64]) {
        let n = field.model.len();
        let mut stops = false;
        for g in 0..field.model.grips.len() {
            let still =
                field.slides(g) && length(field.model.slip(g, &state[n..])) <= tol::STILL_HELD;
            if still && !self.resting.contains(&g) && held(field, g) {
                field.slip[g] = Slip::Sticks;
                stops = true;
            }
        }
        if stops {
            self.hold(field, state);
        }
    }

    /// Gives resting grips the slip they start with: none, or hardly any.
    fn place(&mut self, field: &mut Field, state: &mut [f64]) {
        let (n, rank) = (field.model.len(), field.model.rank);
        self.mover.grip(&field.model, &self.resting, |_| 1.0);
        self.targets.clear();
        for &g in &self.resting {
            let v = field.model.slip(g, &state[n..]);
            self.targets.extend((0..field.model.grips[g].tangents).map(|c| -v[c]));
        }
        self.push(field, state);
        field.model.recentre(&mut state[n..n + rank]);
        for &g in &self.resting {
            field.model.tangent_start[2 * g..2 * g + 2].fill(0.0);
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
            self.targets.extend(aim.into_iter().take(field.model.grips[g].tangents));
        }
        self.push(field, state);
    }

    /// Stops all contacts whose friction knows no bound, by the smallest impulse that does.
    pub(crate) fn lock(&mut self, field: &mut Field, state: &mut [f64]) {
        let n = field.model.len();
        self.resting.clear();
        for (g, grip) in field.model.grips.iter().enumerate() {
            if grip.mu == f64::INFINITY && field.touch[grip.contact].closed() {
                self.resting.push(g);
                field.slip[g] = Slip::Sticks;
            }
        }
        self.mover.grip(&field.model, &self.resting, |_| 1.0);
        self.targets.clear();
        for &g in &self.resting {
            let v = field.model.slip(g, &state[n..]);
            self.targets.extend((0..field.model.grips[g].tangents).map(|c| -v[c]));
        }
        self.push(field, state);
    }

    /// Changes slips of the mover's grips by its targets; the impulse is counted.
    fn push(&mut self, field: &Field, state: &mut [f64]) {
        let model = &field.model;
        let (n, g, rank) = (model.len(), model.grips.len(), model.rank);
        self.change.clear();
        self.change.resize(rank, 0.0);
        self.mover.least(&self.targets, &mut self.change);
        state[n..n + rank].iter_mut().zip(&self.change).for_each(|(x, more)| *x += more);
        self.mover.components(&self.change, &mut self.pulls);
        self.pulls.iter_mut().for_each(|pull| *pull = -*pull);
        let frictions = &mut state[2 * n + rank..2 * n + rank + 2 * g];
        self.mover.frictions(model, &self.pulls, |g, c, f| frictions[2 * g + c] += f);
    }

    /// Counts what was held so far, and holds what sticks from here on.
    pub(crate) fn hold(&mut self, field: &mut Field, state: &mut [f64]) {
        let model = &field.model;
        let (n, g, rank) = (model.len(), model.grips.len(), model.rank);
        let (frictions, pulls) = state[2 * n + rank..].split_at_mut(2 * g);
        field.hold.frictions(model, pulls, |g, c, f| frictions[2 * g + c] += f);
        pulls[..rank].fill(0.0);
        self.sticking.clear();
        self.sticking.extend((0..g).filter(|&g| field.sticks(g)));
        let Field { model, force, hold, .. } = field;
        hold.grip(model, &self.sticking, |g| strength_of(model, force, g));
    }
}

/// How fast a grip would begin to move if nothing held it.
fn usual(field: &Field, g: usize) -> f64 {
    f64::sqrt(field.model.grips[g].response * field.free.iter().map(|a| a * a).sum::<f64>())
}

fn relative(size: f64, usual: f64) -> f64 {
    if usual > 0.0 { size / usual } else { 0.0 }
}

/// Whether grips that stick leave a grip no motion.
fn held(field: &Field, g: usize) -> bool {
    let model = &field.model;
    let rows = || (0..model.grips[g].tangents).map(|c| model.tangent(g, c));
    let own: f64 = rows().map(|row| dot(row, row)).sum();
    rows().map(|row| field.hold.left_of(row, row)).sum::<f64>() <= tol::HELD_MOTION * own
}

/// The friction that a grip can bear, of infinite coefficients a large one.
fn strength_of(model: &Model, force: &[f64], g: usize) -> f64 {
    let grip = &model.grips[g];
    grip.mu.min(tol::LARGE_MU) * force[grip.contact].max(0.0)
}

/// Whether the friction that sticking grips would need where the field was last looked at is within its bounds, shared
/// like this.
fn holds(field: &Field, share: &Hold) -> bool {
    let mut sizes = [0.0; 2];
    let mut holds = true;
    let model = &field.model;
    share.frictions(model, field.hold.pulls(), |g, c, f| {
        sizes[c] = f;
        let grip = &model.grips[g];
        if c + 1 == grip.tangents {
            let size = if c == 0 { f.abs() } else { length(sizes) };
            let bound = grip.mu * field.force[grip.contact].max(0.0);
            holds &= grip.mu == f64::INFINITY || size <= bound * (1.0 - tol::DISC_INTERIOR);
        }
    });
    holds
}
