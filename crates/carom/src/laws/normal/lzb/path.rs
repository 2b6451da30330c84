//! Integration through an impact, from event to event.

mod modes;

use super::Gaps;
use super::model::{ActiveContacts, Mode, Model};
use super::similarity::{SimilarityCheck, State, is_scale_free};
use super::tolerances::*;
use crate::ImpactError;
use crate::island::Context;
use crate::island::normal::NormalProblem;
use crate::island::stepping::{SIMILAR, finish, limit};
use crate::numerics::sum::add;
use crate::outcome::{Ending, Step};
use carom_ode::Dop853;

/// What changes how a contact moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// Its force has vanished, or its gap has closed.
    Touch,
    /// It begins to approach, or to leave.
    Reversal,
    /// Hunt and Crossley's force vanishes, or comes back.
    Slack,
}

impl Event {
    /// In the order in which simultaneous events count.
    const ALL: [Self; 3] = [Self::Touch, Self::Reversal, Self::Slack];
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
    active: ActiveContacts,
    integrator: Dop853,
    /// The length of the next step, and the longest one \[1\].
    step: f64,
    longest: f64,
    /// Speeds and indentations up to this are zero \[1\].
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
            active: ActiveContacts::default(),
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
        let scale_free = is_scale_free(&self.model);
        let mut similarity = SimilarityCheck::default();
        let mut next_report = REPORT;
        let mut next_check = CHECKS[0];
        self.report(context);
        let mut reload = true;
        while self.modes.iter().any(|mode| mode.closed()) || self.close_next_gap() {
            if self.steps >= limit || self.work >= max_work {
                return self.cut_off(context);
            }
            if self.steps >= next_check {
                next_check = 2 * self.steps;
                if let Some(end) = self.negligible_rest(context)? {
                    return Ok(end);
                }
            }
            if self.work >= next_report {
                next_report = self.work + REPORT;
                context.progress("steps", self.steps, None)?;
            }
            if reload {
                self.restart();
            }
            reload = self.advance(context)?;
            self.report(context);
            if reload && scale_free {
                let Self { modes, d, u, p, .. } = &*self;
                let similar =
                    similarity.observe(&self.model, State { modes, d, u, p }, &self.active.rows);
                if let Some(rows) = similar
                    && let Some(end) = self.projected_end(&rows, context)?
                {
                    return Ok(end);
                }
            }
        }
        Ok(End { impulse: self.impulse(), ending: Ending::Finite, left: 0.0 })
    }

    /// The end of an impact that is cut off: what still approaches is stopped.
    fn cut_off(&self, context: &mut Context) -> Result<End, ImpactError> {
        let mut impulse = self.impulse();
        let distance = finish(self.problem, &mut impulse, context)?;
        let left = f64::sqrt(distance * distance + 2.0 * self.stored());
        Ok(End { impulse, ending: Ending::Truncated, left })
    }

    /// The end of an impact of which nothing but rounding is left.
    fn negligible_rest(&self, context: &mut Context) -> Result<Option<End>, ImpactError> {
        let late = usize::from(self.steps >= CHECKS[1]);
        let most = NEGLIGIBLE[late] * f64::sqrt(self.energy());
        if 2.0 * self.stored() > most * most {
            return Ok(None);
        }
        match self.cut_off(context) {
            // Rounding alone may leave velocities that no motion has.
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

    /// The limit of an endless motion of these rows, if no other contact approaches there.
    fn projected_end(
        &self,
        rows: &[usize],
        context: &mut Context,
    ) -> Result<Option<End>, ImpactError> {
        let u: Vec<f64> = self.u.iter().map(|u| u * self.model.speed).collect();
        let zero = self.zero * self.model.speed;
        let mut impulse = self.impulse();
        let found = match limit(self.problem, &u, rows, zero, context) {
            // Steps may leave velocities of opposed contacts that no motion has; those of the impulses some motion has.
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

    /// Where no contact bears a force, goes on until the first gap closes. False if none does.
    fn close_next_gap(&mut self) -> bool {
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

    /// Chooses the active contacts and starts the integrator from their state.
    fn restart(&mut self) {
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

    /// One step, or the part of it up to the first event. Whether modes have changed.
    fn advance(&mut self, context: &Context) -> Result<bool, ImpactError> {
        let mut h = self.try_exact_step(self.step.min(self.longest), context)?;
        loop {
            if self.activate_pressed() {
                return Ok(true);
            }
            let violated = self.violated();
            if violated.is_empty() {
                if self.active.largest_overshoot() < -OVERSHOOT && h > MIN_STEP {
                    h = self.try_exact_step(0.5 * h, context)?;
                    continue;
                }
                self.accept(h);
                return Ok(self.update_resting());
            }
            let at_start =
                |&(at, event): &(usize, Event)| self.margin(at, event, false) <= 2.0 * EVENT_MET;
            let near: Vec<(usize, Event)> = violated.iter().copied().filter(at_start).collect();
            if near.is_empty() {
                let h = self.locate(h, &violated);
                let met: Vec<(usize, Event)> = violated
                    .into_iter()
                    .filter(|&(at, event)| self.margin(at, event, true) <= 2.0 * EVENT_MET)
                    .collect();
                self.accept(h);
                self.apply_events(&met);
                self.update_resting();
                return Ok(true);
            }
            let late = if h > MIN_STEP { self.falling(near) } else { near };
            if !late.is_empty() {
                self.steps += 1;
                self.apply_events(&late);
                return Ok(true);
            }
            // They leave their events and return to them within the step.
            h = self.try_exact_step(0.5 * h, context)?;
        }
    }

    /// Tries a step of this length, or a shorter one if its error is too large. Answers its length.
    fn try_exact_step(&mut self, mut h: f64, context: &Context) -> Result<f64, ImpactError> {
        loop {
            self.try_step(h);
            let scale = self.active.scale(&self.model, &self.integrator.end);
            let error = self.integrator.error(scale) / STEP_ERROR;
            let eighth_root = f64::sqrt(f64::sqrt(f64::sqrt(error)));
            let factor = if eighth_root > 0.0 { (0.9 / eighth_root).min(6.0) } else { 6.0 };
            if error <= 1.0 {
                self.step = h * factor;
                return Ok(h);
            }
            // Also where the error is not a number.
            h *= if factor >= 0.1 { factor } else { 0.1 };
            if h < MIN_STEP {
                let iterations = self.steps.min(u32::MAX.into()) as u32;
                return Err(ImpactError::NotConverged {
                    law: context.law,
                    residual: error,
                    iterations,
                });
            }
        }
    }

    /// Of events met at the start of the step, those whose margins do not grow from there on, or are exceeded already.
    fn falling(&mut self, mut events: Vec<(usize, Event)>) -> Vec<(usize, Event)> {
        let n = self.active.rows.len();
        let mut slope = vec![0.0; 2 * n];
        self.active.slope(&self.model, &self.integrator.start, &mut slope);
        let (deeper, force) = slope.split_at(n);
        events.retain(|&(at, event)| {
            let i = self.active.rows[at];
            let faster = self.active.response(at, force);
            let growth = match (event, self.modes[i]) {
                (Event::Reversal, Mode::Loading) => -faster,
                (Event::Reversal, _) => faster,
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
        active.reset_overshoot();
        self.integrator.step(h, |state, slope| active.slope(model, state, slope));
    }

    /// Activates resting contacts that now push. Whether there were any: the step is then repeated with their neighbours.
    fn activate_pressed(&mut self) -> bool {
        let n = self.active.rows.len();
        let mut any = false;
        for (at, &i) in self.active.rows.iter().enumerate() {
            let pushed = self.p[i] - self.rested[i] + self.integrator.end[n + at];
            if self.modes[i] == Mode::Resting && pushed * self.model.springs[i].response > PRESSED {
                self.modes[i] = Mode::Loading;
                any = true;
            }
        }
        any
    }

    /// How far an active contact is from an event, at the end of the step or at its start; negative beyond it, infinite
    /// where there is none.
    fn margin(&self, at: usize, event: Event, end: bool) -> f64 {
        let i = self.active.rows[at];
        let (d, u) = match end {
            true => (self.integrator.end[at], self.active.velocity[at]),
            false => (self.integrator.start[at], self.u[i]),
        };
        let depth = d / self.model.springs[i].depth;
        match (event, self.modes[i]) {
            (_, Mode::Resting) => f64::INFINITY,
            (Event::Reversal, Mode::Open) if self.model.gaps == Gaps::Forget => u,
            (Event::Touch, Mode::Open) if self.model.gaps == Gaps::Remember => -depth,
            (_, Mode::Open) => f64::INFINITY,
            (Event::Reversal, mode) => match (self.model.reverses(i), mode) {
                (false, _) => f64::INFINITY,
                (true, Mode::Loading) => -u,
                (true, _) => u,
            },
            // Loading then ends by reversal.
            (Event::Touch, Mode::Loading) if self.model.reverses(i) => f64::INFINITY,
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
        carom_ode::locate(ends, EVENT_MET, |h| {
            self.try_step(h);
            least(self, true)
        })
    }

    fn accept(&mut self, h: f64) {
        let n = self.active.rows.len();
        if self.model.gaps == Gaps::Remember {
            // Contacts without force move on uniformly.
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
        self.active.continue_from_end();
        self.steps += 1;
    }

    fn report(&self, context: &mut Context) {
        if !context.observer.wants_steps() {
            return;
        }
        let contacts = self.problem.contacts().max().map_or(0, |k| k + 1);
        let (mut impulse, mut velocity) = (vec![0.0; contacts], vec![0.0; contacts]);
        for (row, k) in self.problem.contacts().enumerate() {
            impulse[k] = self.p[row] * self.model.speed / self.model.response;
            velocity[k] = self.u[row] * self.model.speed;
        }
        context.observer.step(Step::Point { impulse: &impulse, velocity: &velocity });
    }
}
