//! The way through an impact, from event to event.
//!
//! Each pass of [`Impact::follow`] integrates to the next event, applies it, and decides which contacts stick. What one of these
//! makes is all that the next one takes: [`Next`], then [`Undecided`].

mod coarse;
mod flight;
mod smoothing;
mod stops;
mod transition;

use super::dynamics::Dynamics;
use super::events::{Crossings, Detector, LocatedEvents, LocatedStep, PlasticJumps, Survey};
use super::integration::{Accepted, Integrator, Judgement, Method, StepPlan};
use super::island::Island;
use super::model::Model;
use super::state::State;
use super::stick_slip::{SlipDirections, StickSlip, Undecided, share_impulses};
use super::tolerances as tol;
use crate::ImpactError;
use crate::island::Context;
use crate::laws::normal::lzb::Gaps;
use crate::numerics::coulomb::Failure;
use crate::outcome::{SpringEffort, Step};
use smoothing::Smoothing;
use stops::StopCounts;

/// What comes next.
enum Next {
    /// Nothing: the impact is over.
    End,
    /// Events at the state.
    Events(LocatedEvents),
    /// Contacts may be at rest.
    Rest(Undecided),
    /// Contacts are in other modes than before, or hardly press.
    Continue,
}

/// Why an impact cannot be followed from event to event.
enum Breakdown {
    /// Contacts stop and start without end, or a step is not smooth where it should be: friction is smoothed for a while.
    Smooth {
        residual: f64,
    },
    Error(ImpactError),
}

impl From<ImpactError> for Breakdown {
    fn from(error: ImpactError) -> Self {
        Self::Error(error)
    }
}

impl From<Failure> for Breakdown {
    fn from(_: Failure) -> Self {
        Self::Smooth { residual: f64::NAN }
    }
}

/// An impact on its way.
pub(crate) struct Impact {
    dynamics: Dynamics,
    state: State,
    integrator: Integrator,
    detector: Detector,
    jumps: PlasticJumps,
    stick_slip: StickSlip,
    directions: SlipDirections,
    stop_counts: StopCounts,
    smoothing: Smoothing,
    time: f64,
    /// For how long contacts were pressed, and the time in which the slowest would stop \[1\].
    pressed: f64,
    slowest: f64,
    /// The error that a step may make \[1\].
    tolerance: f64,
    /// Whether it was cut off before its end.
    pub(crate) truncated: bool,
    /// By how much of its bound the worst friction impulse had to be cut off \[1\].
    pub(crate) clipped: f64,
    /// Whether its budget was spent before its end, and coarse steps followed.
    pub(crate) coarse: bool,
    /// Steps on which slip crept \[1\].
    creeping: u64,
    /// The budget, and what was spent before the start, in steps of twelve contacts \[1\].
    budget: f64,
    spent_before: f64,
    /// Whether it was given up because there is no end in sight.
    pub(crate) endless: bool,
    pub(crate) effort: SpringEffort,
    /// The numbers of the contacts in the problem, for traces.
    numbers: Vec<usize>,
}

impl Impact {
    pub(crate) fn new(model: Model, island: &Island, tolerance: f64, budget: f64) -> Self {
        let dynamics = Dynamics::new(model);
        let (contacts, frictional) = (dynamics.model.len(), dynamics.model.frictional.len());
        let depths = dynamics.model.springs.iter().map(|spring| spring.depth);
        Self {
            state: State::new(dynamics.layout),
            integrator: Integrator::new(&dynamics),
            detector: Detector::new(frictional),
            jumps: PlasticJumps::new(contacts),
            stick_slip: StickSlip::default(),
            directions: SlipDirections::new(frictional, tolerance),
            stop_counts: StopCounts::new(frictional),
            smoothing: Smoothing::default(),
            time: 0.0,
            pressed: 0.0,
            slowest: depths.fold(0.0, f64::max),
            tolerance,
            truncated: false,
            coarse: false,
            clipped: 0.0,
            creeping: 0,
            budget,
            spent_before: 0.0,
            endless: false,
            effort: SpringEffort::default(),
            numbers: island.contacts.iter().map(|contact| contact.number).collect(),
            dynamics,
        }
    }

    /// Follows the impact to its end.
    pub(crate) fn follow(&mut self, context: &mut Context) -> Result<(), ImpactError> {
        let mut next = self.start();
        loop {
            match next.and_then(|next| self.apply(next)) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(Breakdown::Error(error)) => return Err(error),
                Err(Breakdown::Smooth { residual }) => self.begin_smoothing(residual, context)?,
            }
            self.effort.events += 1;
            if self.effort.events > self.most(tol::MAX_EVENTS) {
                return self.truncate();
            }
            if self.is_spent() {
                return self.finish();
            }
            next = match self.is_unloaded() {
                true => self.free_flight(),
                false => self.advance_to_event(context),
            };
        }
    }

    /// Applies what has happened and decides which contacts stick. True at the end.
    fn apply(&mut self, next: Next) -> Result<bool, Breakdown> {
        let undecided = match next {
            Next::End => return Ok(true),
            Next::Events(events) => self.apply_events(events)?,
            Next::Rest(undecided) => Some(undecided),
            Next::Continue => None,
        };
        if let Some(undecided) = undecided {
            self.decide(undecided)?;
        }
        Ok(false)
    }

    /// Decides what contacts at rest do from here on.
    fn decide(&mut self, undecided: Undecided) -> Result<(), Breakdown> {
        let Self { dynamics, state, stick_slip, directions, .. } = self;
        let decided = stick_slip.decide(undecided, dynamics, state);
        dynamics.evaluate(state);
        directions.restart(stick_slip.resting(), dynamics);
        Ok(decided?)
    }

    /// Integrates until something happens.
    fn advance_to_event(&mut self, context: &mut Context) -> Result<Next, Breakdown> {
        self.dynamics.evaluate(&self.state);
        if self.is_over() {
            return Ok(Next::End);
        }
        self.detector.restart(&self.dynamics);
        self.integrator.restart(&mut self.dynamics, &self.state);
        loop {
            self.effort.steps += 1;
            if self.effort.steps.is_multiple_of(tol::REPORT_EVERY) {
                context.progress("steps", self.effort.steps, None)?;
            }
            if self.effort.steps > self.most(tol::MAX_STEPS) || self.is_wedged() {
                return Ok(self.truncate().map(|()| Next::End)?);
            }
            if self.is_spent() {
                return Ok(self.finish().map(|()| Next::End)?);
            }
            if let Some(next) = self.step(context)? {
                return Ok(next);
            }
        }
    }

    /// One step, or the part of it up to its first event; or the end of a slip in place of it. None if nothing happens.
    fn step(&mut self, context: &mut Context) -> Result<Option<Next>, Breakdown> {
        let measured = self.dynamics.measure_slip_rates();
        let turning = self.directions.fix(&mut self.dynamics, &measured, &mut self.detector);
        if let Some(g) = turning
            && let Some(undecided) = self.end_turning_slip(g)?
        {
            return Ok(Some(Next::Rest(undecided)));
        }
        let (method, haste) = (self.integrator.method, self.haste());
        let Self { dynamics, directions, integrator, .. } = self;
        let plan = StepPlan::new(dynamics, &measured, directions, self.tolerance, method, haste);
        if let Some((g, left)) = plan.stops {
            return self.end_straight_slip(g, left).map(|undecided| Some(Next::Rest(undecided)));
        }
        self.creeping += u64::from(plan.creeps);
        if plan.method != method {
            integrator.start(plan.method, dynamics, &self.state);
        }
        integrator.set_clock(dynamics, &measured, &self.state);
        let survey = self.detector.survey(dynamics, integrator, &self.state);
        let step = match self.try_steps(&plan, &survey)? {
            Tried::Step(step) => step,
            Tried::AtStart(events) => {
                self.dynamics.evaluate(&self.state);
                return Ok(Some(Next::Events(events)));
            }
        };
        self.effort.stiff_steps += u64::from(plan.method == Method::Implicit);
        if self.dynamics.sticking.redundant {
            self.effort.impulse_unique = Some(false);
        }
        let Self { dynamics, integrator, detector, state, directions, stick_slip, .. } = self;
        let step = detector.locate(step, &plan, &survey, integrator, dynamics, state);
        if directions.strays(dynamics, state, detector) {
            detector.recycle(step.events);
            self.effort.rejected += 1;
            integrator.start(plan.method, dynamics, state);
            return Ok(None);
        }
        if dynamics.sticking.redundant
            && let Some(undecided) =
                stick_slip.shared_onset(&step, plan.tolerance, integrator, dynamics)?
        {
            let events = self.accept(step, context);
            self.detector.recycle(events);
            return Ok(Some(Next::Rest(undecided)));
        }
        let events = self.accept(step, context);
        if !events.is_empty() {
            return Ok(Some(Next::Events(events)));
        }
        self.detector.recycle(events);
        if self.smoothing.ends(self.time) {
            return Ok(Some(Next::Rest(self.end_smoothing())));
        }
        Ok(match self.is_over() {
            true => Some(Next::End),
            false => self.is_unloaded().then_some(Next::Continue),
        })
    }

    /// Tries shorter and shorter steps until one is exact enough and shows all its events.
    fn try_steps(&mut self, plan: &StepPlan, survey: &Survey) -> Result<Tried, Breakdown> {
        let Self { integrator, dynamics, detector, state, effort, .. } = self;
        let implicit = plan.method == Method::Implicit;
        let mut h = integrator.begin(plan, survey.until, dynamics, state);
        loop {
            let trial = integrator.try_step(h, plan.tolerance, dynamics);
            if trial.error <= 1.0 && detector.passed_a_stop(dynamics) {
                effort.rejected += 1;
                h *= tol::RETRY_SHARE;
                continue;
            }
            let step = match integrator.judge(trial) {
                Judgement::Accepted(step) => step,
                Judgement::Rejected(shorter) => {
                    effort.rejected += 1;
                    h = shorter;
                    continue;
                }
                Judgement::Failed(residual) => return Err(Breakdown::Smooth { residual }),
            };
            match detector.crossings(dynamics, integrator) {
                Crossings::AtStart(events) => return Ok(Tried::AtStart(events)),
                Crossings::Inside if implicit && h > tol::SHORTEST_RETRY => {
                    match detector.within_step(1.0, survey, integrator, dynamics) {
                        // An event that has come and gone again.
                        Some(share) => h *= share,
                        None => return Ok(Tried::Step(step)),
                    }
                }
                Crossings::Inside => return Ok(Tried::Step(step)),
                Crossings::Returned if h > tol::SHORTEST_RETRY => h *= tol::RETRY_SHARE,
                Crossings::Returned => detector.expect_returns(),
            }
        }
    }

    /// Goes on from the end of a step, where its events happen.
    fn accept(&mut self, step: LocatedStep, context: &mut Context) -> LocatedEvents {
        self.report(context);
        let time = self.integrator.elapsed();
        self.integrator.accept();
        self.state.copy_from_slice(&self.integrator.end);
        self.time += time;
        self.pressed += time;
        self.directions.end_onsets(&self.dynamics);
        step.events
    }

    /// Shows the way of the step that was just made, or of its part up to an event.
    fn report(&mut self, context: &mut Context) {
        if !context.observer.wants_steps() {
            return;
        }
        let Self { dynamics, integrator, numbers, .. } = self;
        let contacts = numbers.iter().max().map_or(0, |k| k + 1);
        let (mut impulse, mut velocity) = (vec![0.0; contacts], vec![0.0; contacts]);
        integrator.trace(dynamics, |dynamics, state| {
            let model = &dynamics.model;
            for (k, &number) in numbers.iter().enumerate() {
                impulse[number] = state.normal_impulses()[k] * model.impulse();
                velocity[number] = dynamics.normal_velocity[k] * model.speed;
            }
            context.observer.step(Step::Point { impulse: &impulse, velocity: &velocity });
        });
    }

    /// How much less exact steps on which slip creeps have become, because there were so many of them.
    fn haste(&self) -> u64 {
        let creeping = self.creeping as f64;
        tol::CREEPING.iter().map(|part| u64::from(creeping > part * self.budget)).sum()
    }

    /// Whether nothing approaches, and springs give no more speed, than errors of steps; or than is left to be told when
    /// contacts have rattled for long.
    fn is_over(&self) -> bool {
        self.is_over_within(self.tail().unwrap_or(self.tolerance))
    }

    /// The speed below which contacts that have rattled for long are stopped.
    fn tail(&self) -> Option<f64> {
        let contacts = tol::RATTLING + self.dynamics.model.len() as f64;
        let events = self.effort.events as f64 / contacts;
        let tails = tol::TAILS.iter().filter(|(part, _)| events > part * self.budget);
        tails.map(|(_, tail)| *tail).filter(|tail| *tail > self.tolerance).reduce(f64::max)
    }

    /// Whether contacts rattled for so long that what was left was stopped.
    pub(crate) fn rattled(&self) -> bool {
        self.tail().is_some() && !self.is_over_within(self.tolerance)
    }

    fn is_over_within(&self, speed: f64) -> bool {
        (0..self.dynamics.model.len())
            .all(|k| self.dynamics.normal_velocity[k] >= -speed && self.gives_less(k, speed))
    }

    /// Whether all that press rest and hardly do, slower and less than errors of steps: what happens next, if anything, is that
    /// a gap closes. Contacts that forget gaps press as soon as they approach.
    fn is_unloaded(&self) -> bool {
        let waits = self.dynamics.model.gaps == Gaps::Remember;
        let rests = |k: usize| waits && self.dynamics.normal_velocity[k].abs() <= self.tolerance;
        (0..self.dynamics.model.len())
            .filter(|k| self.dynamics.normal_mode[*k].closed())
            .all(|k| rests(k) && self.gives_less(k, self.tolerance))
    }

    /// Whether what is left in the spring of a contact moves it more slowly.
    fn gives_less(&self, k: usize, speed: f64) -> bool {
        let model = &self.dynamics.model;
        let stored = model.stored(k, self.state.indentations()[k]);
        let gives = 2.0 * stored * model.springs[k].response;
        !self.dynamics.normal_mode[k].closed() || gives < speed * speed
    }

    /// How many of something there may be, for all and for each contact. Without friction, or where it is smoothed throughout,
    /// there is another way sooner.
    fn most(&self, [all, each]: [u64; 2]) -> u64 {
        let most = all + each * self.dynamics.model.len() as u64;
        let sooner = self.dynamics.model.frictional.is_empty() || self.smoothing.is_throughout();
        if sooner { most / tol::SOONER } else { most }
    }

    /// What was spent so far, in steps of twelve contacts.
    pub(crate) fn spent(&self) -> f64 {
        let SpringEffort { steps, rejected, events, .. } = self.effort;
        let size = self.dynamics.model.len() as f64 / tol::BUDGET_CONTACTS;
        let share = (size * size).min(1.0);
        self.spent_before + share * (steps + rejected + events + self.stick_slip.work()) as f64
    }

    /// Goes on with the budget that another attempt has left.
    pub(crate) fn after(mut self, other: &Self) -> Self {
        self.spent_before = other.spent();
        self
    }

    /// Whether the budget is spent. Without friction there is another way.
    fn is_spent(&self) -> bool {
        !self.dynamics.model.frictional.is_empty() && self.spent() > self.budget
    }

    /// Ends an impact whose budget is spent.
    fn finish(&mut self) -> Result<(), ImpactError> {
        if self.finish_coarsely() {
            return Ok(());
        }
        self.dynamics.evaluate(&self.state);
        Err(self.no_end())
    }

    /// Whether contacts press for so long that they seem to do so for ever.
    fn is_wedged(&self) -> bool {
        self.pressed > tol::WEDGED * self.slowest
    }

    /// Ends an impact that has had all its steps or events, if hardly anything approaches.
    fn truncate(&mut self) -> Result<(), ImpactError> {
        self.truncated = self.is_over_within(tol::TAIL);
        if self.truncated { Ok(()) } else { Err(self.no_end()) }
    }

    fn no_end(&mut self) -> ImpactError {
        self.endless = true;
        let model = &self.dynamics.model;
        let closed = |k: &usize| self.dynamics.normal_mode[*k].closed();
        let pressed: Vec<usize> = (0..model.len()).filter(closed).collect();
        let approach =
            self.dynamics.normal_velocity.iter().fold(0.0, |m: f64, u| m.max(-u)) * model.speed;
        let unit = model.speed * model.speed / model.response;
        let stored = |&k: &usize| model.stored(k, self.state.indentations()[k]);
        let stored: f64 = pressed.iter().map(stored).sum::<f64>() * unit;
        ImpactError::Limit(format!(
            "no end after {} steps and {} events: contacts {pressed:?} of the island still press, \
             store {stored:e} J and approach at up to {approach:e} m/s; bodies wedged between others ring for ever",
            self.effort.steps, self.effort.events
        ))
    }

    /// Whether an error says that the impact was not followed to its end, not that it was interrupted.
    pub(crate) fn is_lost(&self, error: &ImpactError) -> bool {
        self.endless || matches!(error, ImpactError::NotConverged { .. })
    }

    /// Whether contacts stuck that count as redundant and are not quite.
    pub(crate) fn nearly_redundant(&self) -> bool {
        self.dynamics.sticking.ever_weak
    }

    pub(crate) fn model(&self) -> &Model {
        &self.dynamics.model
    }

    /// The impulse of every row of the island [N·s].
    pub(crate) fn impulse(&mut self, island: &Island) -> Vec<f64> {
        // Counts what sticking contacts held to the last.
        self.stick_slip.update_sticking(&mut self.dynamics, &mut self.state);
        self.clipped = share_impulses(&self.dynamics, &mut self.state);
        self.effort.impulse_unique.get_or_insert(true);
        let model = &self.dynamics.model;
        let unit = model.impulse();
        let mut impulse = Vec::with_capacity(island.velocity.len());
        for (k, contact) in island.contacts.iter().enumerate() {
            // Forces push; rounding of a sum of stages may not.
            impulse.push(self.state.normal_impulses()[k].max(0.0) * unit);
            let friction = model.springs[k].frictional.map(|g| self.state.friction_impulse(g));
            let friction = friction.unwrap_or_default().map(|f| f * unit);
            impulse.extend(friction.iter().take(contact.tangents));
        }
        impulse
    }
}

/// What became of trying steps.
enum Tried {
    /// One that is exact enough.
    Step(Accepted),
    /// None is needed: events happen where it would start.
    AtStart(LocatedEvents),
}
