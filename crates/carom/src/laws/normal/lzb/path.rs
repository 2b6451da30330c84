//! The way through an impact, from event to event.

mod modes;

use super::Gaps;
use super::model::{Active, Mode, Model};
use super::swing::{State, Swings, without_scale};
use crate::ImpactError;
use crate::island::Context;
use crate::island::normal::NormalProblem;
use crate::island::stepping::{SIMILAR, finish, limit};
use crate::numerics::sum::add;
use crate::outcome::{Ending, MultiStep};
use carom_ode::Dop853;

/// The error that one step may make in velocities, relative to the largest, and in indentations, relative to what each
/// contact reaches at that speed. Steps are some tens, and what they leave adds up to about a hundred times this \[1\].
pub(crate) const STEP_ERROR: f64 = 1e-13;
/// An event is met when its distance is below this, relative as above \[1\].
const MET: f64 = 1e-13;
/// A step in which a contact goes this far beyond an event and comes back is halved: two events would be missed. Less than
/// that changes the outcome by less than the steps' own errors, and may be an error of the places within the step \[1\].
const VISIT: f64 = 1e-7;
/// Contacts that rest are followed without their own neighbours until they push by this much \[1\].
const NOTICED: f64 = 1e-13;
/// Steps that are allowed for each contact, besides those for all \[1\].
const STEPS_PER_CONTACT: u64 = 1_000;
/// Work that is done at most for each step that is allowed: steps tried, times the contacts that move \[1\].
const WORK_PER_STEP: u64 = 300;
/// Work between reports of progress \[1\].
const REPORT: u64 = 1 << 14;
/// An impact is over when its end cannot be further away than this, in the norm of kinetic energy, relative to that of one
/// contact at the largest speed: about what steps leave; later, what contacts may keep that press against each other \[1\].
const RESTS: [f64; 2] = [1e-11, 1e-9];
/// Steps after which that is looked at, and again each time they have doubled; and when it is later \[1\].
const LOOKS: [u64; 2] = [1 << 10, 1 << 14];
/// Steps never shrink below this: something is not smooth where it should be \[1\].
const LEAST_STEP: f64 = 1e-18;

/// What changes how a contact moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// It is pressed no longer, or its gap has closed.
    Touch,
    /// It begins to approach, or to leave.
    Turn,
    /// Hunt and Crossley's force vanishes, or comes back.
    Slack,
}

impl Event {
    /// Of two that come together the first counts.
    const ALL: [Self; 3] = [Self::Touch, Self::Turn, Self::Slack];
}

/// The end of an impact.
pub(crate) struct End {
    /// [N·s].
    pub(crate) impulse: Vec<f64>,
    pub(crate) ending: Ending,
    /// What was left of an endless one, in the norm of kinetic energy [√J].
    pub(crate) left: f64,
}

pub(crate) struct Path<'a> {
    model: Model,
    problem: &'a NormalProblem<'a>,
    modes: Vec<Mode>,
    /// Whether Hunt and Crossley's force has vanished because the contact leaves too fast.
    slack: Vec<bool>,
    /// Indentation, velocity, impulse of each contact \[1\].
    d: Vec<f64>,
    u: Vec<f64>,
    p: Vec<f64>,
    /// What rounding has taken from the sums in `p` \[1\].
    lost: Vec<f64>,
    /// The impulse of each contact when it last came to rest \[1\].
    rested: Vec<f64>,
    active: Active,
    integrator: Dop853,
    /// The length of the next step, and the longest one \[1\].
    step: f64,
    longest: f64,
    /// What counts as zero \[1\].
    zero: f64,
    pub(crate) steps: u64,
    /// Steps tried, times the contacts that moved \[1\].
    work: u64,
}

impl<'a> Path<'a> {
    pub(crate) fn new(model: Model, problem: &'a NormalProblem<'a>, context: &Context) -> Self {
        let n = problem.len();
        let u: Vec<f64> = problem.u.iter().map(|u| u / model.speed).collect();
        let zero = context.tolerances.approach;
        let mode = |&u: &f64| match () {
            () if u < -zero => Mode::Loading,
            () if u > zero => Mode::Open,
            () => Mode::Resting,
        };
        Self {
            modes: u.iter().map(mode).collect(),
            slack: vec![false; n],
            d: vec![0.0; n],
            p: vec![0.0; n],
            lost: vec![0.0; n],
            rested: vec![0.0; n],
            active: Active::default(),
            integrator: Dop853::default(),
            step: libm::pow(STEP_ERROR, 1.0 / (1.0 + model.exponent)),
            longest: f64::INFINITY,
            zero,
            steps: 0,
            work: 0,
            u,
            problem,
            model,
        }
    }

    /// Follows the impact to its end and answers the impulses [N·s].
    pub(crate) fn follow(
        &mut self,
        max_steps: u64,
        context: &mut Context,
    ) -> Result<End, ImpactError> {
        let limit = max_steps + STEPS_PER_CONTACT * self.modes.len() as u64;
        let max_work = WORK_PER_STEP * max_steps;
        let watches = without_scale(&self.model);
        let mut swings = Swings::default();
        let mut next_report = REPORT;
        let mut next_look = LOOKS[0];
        self.report(context);
        let mut reload = true;
        while self.modes.iter().any(|mode| mode.closed()) || self.fly() {
            if self.steps >= limit || self.work >= max_work {
                return self.cut_off(context);
            }
            if self.steps >= next_look {
                next_look = 2 * self.steps;
                if let Some(end) = self.rests(context)? {
                    return Ok(end);
                }
            }
            if self.work >= next_report {
                next_report = self.work + REPORT;
                context.progress("steps", self.steps, None)?;
            }
            if reload {
                self.load();
            }
            reload = self.advance(context)?;
            self.report(context);
            if reload && watches {
                let Self { modes, d, u, p, .. } = &*self;
                let swinging =
                    swings.look(&self.model, State { modes, d, u, p }, &self.active.rows);
                if let Some(rows) = swinging
                    && let Some(end) = self.come_to_rest(&rows, context)?
                {
                    return Ok(end);
                }
            }
        }
        Ok(End { impulse: self.impulse(), ending: Ending::Finite, left: 0.0 })
    }

    /// The end of an impact that goes on: whatever approaches still is stopped.
    fn cut_off(&self, context: &mut Context) -> Result<End, ImpactError> {
        let mut impulse = self.impulse();
        let distance = finish(self.problem, &mut impulse, context)?;
        let left = f64::sqrt(distance * distance + 2.0 * self.stored());
        Ok(End { impulse, ending: Ending::Truncated, left })
    }

    /// The end of an impact of which nothing but rounding goes on.
    fn rests(&self, context: &mut Context) -> Result<Option<End>, ImpactError> {
        let late = usize::from(self.steps >= LOOKS[1]);
        let most = RESTS[late] * f64::sqrt(self.energy());
        if 2.0 * self.stored() > most * most {
            return Ok(None);
        }
        match self.cut_off(context) {
            // Rounding alone may ask for what no motion has.
            Err(ImpactError::NoSolution { .. } | ImpactError::NotConverged { .. }) => Ok(None),
            Err(error) => Err(error),
            Ok(end) => Ok((end.left <= most).then_some(End { ending: Ending::Tolerance, ..end })),
        }
    }

    /// The unit of energy [J].
    fn energy(&self) -> f64 {
        self.model.speed * self.model.speed / self.model.response
    }

    /// The energy that is stored in the contacts [J].
    fn stored(&self) -> f64 {
        let unit = self.energy();
        self.d.iter().enumerate().map(|(i, &d)| self.model.stored(i, d)).sum::<f64>() * unit
    }

    /// The end of swings of these rows that go on for ever, if it leaves no other contact approaching.
    fn come_to_rest(
        &self,
        rows: &[usize],
        context: &mut Context,
    ) -> Result<Option<End>, ImpactError> {
        let u: Vec<f64> = self.u.iter().map(|u| u * self.model.speed).collect();
        let zero = self.zero * self.model.speed;
        let mut impulse = self.impulse();
        let found = match limit(self.problem, &u, rows, zero, context) {
            // Steps leave velocities of opposed contacts that no motion has; those that impulses make, one has.
            Err(ImpactError::NoSolution { .. }) => {
                limit(self.problem, &self.problem.velocity_after(&impulse), rows, zero, context)
            }
            found => found,
        };
        let limit = match found {
            Ok(Some(limit)) => limit,
            Ok(None) | Err(ImpactError::NoSolution { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        limit.pushes().for_each(|(row, p)| impulse[row] += p);
        Ok(Some(End { impulse, ending: Ending::Projected, left: SIMILAR * limit.distance }))
    }

    fn impulse(&self) -> Vec<f64> {
        // Forces push; rounding of a sum of stages may not.
        let unit = self.model.speed / self.model.response;
        self.p.iter().zip(&self.lost).map(|(p, lost)| (p + lost).max(0.0) * unit).collect()
    }

    /// Where nobody presses, lets gaps close: the first one closes. False if none does.
    fn fly(&mut self) -> bool {
        if self.model.gaps == Gaps::Forget {
            return false;
        }
        let closing = |i: &usize| self.modes[*i] == Mode::Open && self.u[*i] < -self.zero;
        let time = |i: usize| self.d[i] / self.u[i];
        let first = (0..self.d.len()).filter(closing).fold(None, |first, i| match first {
            Some(k) if time(k) <= time(i) => Some(k),
            _ => Some(i),
        });
        let Some(first) = first else { return false };
        let time = time(first);
        for (d, u) in self.d.iter_mut().zip(&self.u) {
            *d -= u * time;
        }
        self.d[first] = 0.0;
        self.modes[first] = Mode::Loading;
        true
    }

    /// Chooses the contacts that move and starts from where they are.
    fn load(&mut self) {
        let remember = self.model.gaps == Gaps::Remember;
        let (modes, u, zero) = (&self.modes, &self.u, self.zero);
        let alone = |i: usize| remember && modes[i] == Mode::Open && u[i] < -zero;
        self.active.choose(&self.model, self.problem, modes, alone);
        self.active.start(modes, u);
        let n = self.active.rows.len();
        self.integrator.resize(2 * n);
        for (at, &i) in self.active.rows.iter().enumerate() {
            self.integrator.start[at] = self.d[i];
            self.integrator.start[n + at] = 0.0;
        }
        let (active, model) = (&mut self.active, &self.model);
        self.integrator.begin(|state, slope| active.slope(model, state, slope));
    }

    /// One step, or the part of it up to the first event. Whether contacts have changed how they move.
    fn advance(&mut self, context: &Context) -> Result<bool, ImpactError> {
        let mut h = self.try_exact_step(self.step.min(self.longest), context)?;
        loop {
            if self.notice() {
                return Ok(true);
            }
            let violated = self.violated();
            if violated.is_empty() {
                if self.active.furthest_beyond() < -VISIT && h > LEAST_STEP {
                    h = self.try_exact_step(0.5 * h, context)?;
                    continue;
                }
                self.accept(h);
                return Ok(self.settle());
            }
            let at_start =
                |&(at, event): &(usize, Event)| self.margin(at, event, false) <= 2.0 * MET;
            let near: Vec<(usize, Event)> = violated.iter().copied().filter(at_start).collect();
            if near.is_empty() {
                let h = self.locate(h, &violated);
                let met: Vec<(usize, Event)> = violated
                    .into_iter()
                    .filter(|&(at, event)| self.margin(at, event, true) <= 2.0 * MET)
                    .collect();
                self.accept(h);
                self.switch_all(&met);
                self.settle();
                return Ok(true);
            }
            let late = if h > LEAST_STEP { self.falling(near) } else { near };
            if !late.is_empty() {
                self.steps += 1;
                self.switch_all(&late);
                return Ok(true);
            }
            // They leave their events and come back to them within the step.
            h = self.try_exact_step(0.5 * h, context)?;
        }
    }

    /// Tries a step of this length, or a shorter one if its error asks for that. Answers how long it was.
    fn try_exact_step(&mut self, mut h: f64, context: &Context) -> Result<f64, ImpactError> {
        loop {
            self.try_step(h);
            let scale = self.active.scale(&self.model, &self.integrator.end);
            let error = self.integrator.error(scale) / STEP_ERROR;
            // The eighth root, three square roots.
            let root = f64::sqrt(f64::sqrt(f64::sqrt(error)));
            let factor = if root > 0.0 { (0.9 / root).min(6.0) } else { 6.0 };
            if error <= 1.0 {
                self.step = h * factor;
                return Ok(h);
            }
            // Larger than any number, too.
            h *= if factor >= 0.1 { factor } else { 0.1 };
            if h < LEAST_STEP {
                let iterations = self.steps.min(u32::MAX.into()) as u32;
                return Err(ImpactError::NotConverged {
                    law: context.law,
                    residual: error,
                    iterations,
                });
            }
        }
    }

    /// Those of the events, all met at the start of the step, that lie behind from there on: their margins do not grow, or are
    /// gone already.
    fn falling(&mut self, mut events: Vec<(usize, Event)>) -> Vec<(usize, Event)> {
        let n = self.active.rows.len();
        let mut slope = vec![0.0; 2 * n];
        self.active.slope(&self.model, &self.integrator.start, &mut slope);
        let (deeper, force) = slope.split_at(n);
        events.retain(|&(at, event)| {
            let i = self.active.rows[at];
            let faster = self.active.response(at, force);
            let growth = match (event, self.modes[i]) {
                (Event::Turn, Mode::Loading) => -faster,
                (Event::Turn, _) => faster,
                (Event::Touch, Mode::Open) => -deeper[at],
                (Event::Touch, _) => deeper[at],
                (Event::Slack, _) if self.slack[i] => faster,
                (Event::Slack, _) => -faster,
            };
            growth <= 0.0 || self.margin(at, event, false) < -self.zero
        });
        events
    }

    /// Active contacts that are beyond an event at the end of the step.
    fn violated(&self) -> Vec<(usize, Event)> {
        let all = (0..self.active.rows.len()).flat_map(|at| Event::ALL.map(|event| (at, event)));
        all.filter(|&(at, event)| self.margin(at, event, true) < -self.zero).collect()
    }

    fn try_step(&mut self, h: f64) {
        self.work += self.active.rows.len() as u64;
        let (active, model) = (&mut self.active, &self.model);
        active.watch();
        self.integrator.step(h, |state, slope| active.slope(model, state, slope));
    }

    /// Takes contacts that rested and now push among those that press. Whether there were any: the step is then repeated,
    /// with their neighbours.
    fn notice(&mut self) -> bool {
        let n = self.active.rows.len();
        let mut any = false;
        for (at, &i) in self.active.rows.iter().enumerate() {
            let pushed = self.p[i] - self.rested[i] + self.integrator.end[n + at];
            if self.modes[i] == Mode::Resting && pushed * self.model.springs[i].response > NOTICED {
                self.modes[i] = Mode::Loading;
                any = true;
            }
        }
        any
    }

    /// How far an active contact is from an event, at the end of the step or at its start; negative beyond it, infinite if
    /// it cannot come.
    fn margin(&self, at: usize, event: Event, end: bool) -> f64 {
        let i = self.active.rows[at];
        let (d, u) = match end {
            true => (self.integrator.end[at], self.active.velocity[at]),
            false => (self.integrator.start[at], self.u[i]),
        };
        let depth = d / self.model.springs[i].depth;
        match (event, self.modes[i]) {
            (_, Mode::Resting) => f64::INFINITY,
            (Event::Turn, Mode::Open) if self.model.gaps == Gaps::Forget => u,
            (Event::Touch, Mode::Open) if self.model.gaps == Gaps::Remember => -depth,
            (_, Mode::Open) => f64::INFINITY,
            (Event::Turn, mode) => match (self.model.turns(i), mode) {
                (false, _) => f64::INFINITY,
                (true, Mode::Loading) => -u,
                (true, _) => u,
            },
            // Where loading ends by a turn it does not end otherwise.
            (Event::Touch, Mode::Loading) if self.model.turns(i) => f64::INFINITY,
            (Event::Touch, _) => depth,
            (Event::Slack, _) => match (self.model.damping, self.slack[i]) {
                (None, _) => f64::INFINITY,
                (Some(c), true) => c * u - 1.0,
                (Some(c), false) => 1.0 - c * u,
            },
        }
    }

    /// The length of step at which the first of these events is met. Leaves the integrator at its end.
    fn locate(&mut self, h: f64, events: &[(usize, Event)]) -> f64 {
        let least = |path: &Self, end: bool| {
            let margins = events.iter().map(|&(at, event)| path.margin(at, event, end));
            margins.fold(f64::INFINITY, f64::min)
        };
        let ends = [(0.0, least(self, false)), (h, least(self, true))];
        carom_ode::locate(ends, MET, |h| {
            self.try_step(h);
            least(self, true)
        })
    }

    fn accept(&mut self, h: f64) {
        let n = self.active.rows.len();
        if self.model.gaps == Gaps::Remember {
            // Contacts that nobody presses go on as they are.
            for (d, u) in self.d.iter_mut().zip(&self.u) {
                *d -= u * h;
            }
        }
        for (at, &i) in self.active.rows.iter().enumerate() {
            self.d[i] = self.integrator.end[at];
            self.u[i] = self.active.velocity[at];
            add(&mut self.p[i], &mut self.lost[i], self.integrator.end[n + at]);
        }
        self.integrator.accept();
        self.integrator.start[n..].fill(0.0);
        self.active.go_on();
        self.steps += 1;
    }

    fn report(&self, context: &mut Context) {
        if !context.watch.traces() {
            return;
        }
        let contacts = self.problem.contacts().max().map_or(0, |k| k + 1);
        let (mut impulse, mut velocity) = (vec![0.0; contacts], vec![0.0; contacts]);
        for (row, k) in self.problem.contacts().enumerate() {
            impulse[k] = self.p[row] * self.model.speed / self.model.response;
            velocity[k] = self.u[row] * self.model.speed;
        }
        context.watch.step(MultiStep::Point { impulse: &impulse, velocity: &velocity });
    }
}
