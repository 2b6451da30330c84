//! The way through an impact, from event to event.

use super::dynamics::{Dynamics, FrictionMode, NormalMode};
use super::events::detection::EventAtStart;
use super::events::within_step::Suspect;
use super::events::{self, Event};
use super::integration::Integrator;
use super::model::{Model, Power};
use super::rows::length;
use super::stick_slip::{StickSlip, Trigger};
use super::tolerances as tol;
use crate::ImpactError;
use crate::island::Context;
use crate::laws::normal::lzb::Gaps;
use crate::outcome::{SpringEffort, Step};

/// Why event by event does not go on.
pub(crate) enum Breakdown {
    /// Contacts stop and start without end, or a step is not smooth where it should be: friction is smoothed for a while.
    Smooth { residual: f64 },
    /// For good.
    Error(ImpactError),
}

impl From<ImpactError> for Breakdown {
    fn from(error: ImpactError) -> Self {
        Self::Error(error)
    }
}

pub(crate) struct Impact {
    pub(crate) dynamics: Dynamics,
    pub(crate) state: Vec<f64>,
    pub(crate) friction: StickSlip,
    pub(crate) integrator: Integrator,
    pub(crate) time: f64,
    /// For how long somebody has pressed, and the time in which the slowest would stop \[1\].
    pub(crate) pressed: f64,
    slowest: f64,
    /// The error that a step may make \[1\].
    pub(crate) tolerance: f64,
    pub(crate) events: Vec<Event>,
    pub(crate) met: Vec<Event>,
    /// Contacts whose indentation jumps, and to where.
    pub(crate) jumps: Vec<(usize, f64)>,
    /// How often each contact has jumped, and by how much it does at least \[1\].
    pub(crate) drops: Vec<(u32, f64)>,
    /// Whether the end of a tail was not waited for.
    pub(crate) cut: bool,
    /// How events are at the start of a step; and slips.
    pub(crate) before: Vec<EventAtStart>,
    /// What may have been met within the last step.
    pub(crate) suspects: Vec<Suspect>,
    pub(crate) slips: Vec<[f64; 2]>,
    /// The slip with which contacts have just begun to move, else zero \[1\].
    pub(crate) leaving: Vec<f64>,
    /// The slip at which a contact was wrongly thought to go one way, else infinite \[1\].
    pub(crate) strayed: Vec<f64>,
    /// When each contact began to be counted, and how often it has stopped since.
    pub(crate) stops: Vec<(f64, u32)>,
    /// Until when friction is smoothed, and for how long next time.
    pub(crate) smooth: Option<f64>,
    pub(crate) smooth_stretch: f64,
    pub(crate) effort: SpringEffort,
    /// Whether it was given up because there is no end in sight.
    pub(crate) endless: bool,
    /// The numbers of the contacts in the problem, for those who look on.
    pub(crate) numbers: Vec<usize>,
}

impl Impact {
    pub(crate) fn new(model: Model, tolerance: f64) -> Self {
        let dynamics = Dynamics::new(model);
        let g = dynamics.model.frictional.len();
        let depths = dynamics.model.springs.iter().map(|spring| spring.depth);
        Self {
            pressed: 0.0,
            slowest: depths.fold(0.0, f64::max),
            state: vec![0.0; dynamics.unknowns() + dynamics.integrals()],
            friction: StickSlip::default(),
            integrator: Integrator::new(&dynamics),
            time: 0.0,
            tolerance,
            events: Vec::new(),
            met: Vec::new(),
            jumps: Vec::new(),
            drops: vec![(0, 0.0); dynamics.model.len()],
            cut: false,
            before: Vec::new(),
            suspects: Vec::new(),
            slips: vec![[0.0; 2]; g],
            leaving: vec![0.0; g],
            strayed: vec![f64::INFINITY; g],
            stops: vec![(f64::NEG_INFINITY, 0); g],
            smooth: None,
            smooth_stretch: tol::SMOOTHED_STRETCH,
            effort: SpringEffort::default(),
            endless: false,
            numbers: Vec::new(),
            dynamics,
        }
    }

    /// Follows the impact to its end.
    pub(crate) fn follow(&mut self, context: &mut Context) -> Result<(), ImpactError> {
        let mut gone = match self.launch() {
            Ok(false) => return Ok(()),
            Ok(true) => Ok(false),
            Err(trouble) => Err(trouble),
        };
        loop {
            match gone {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(Breakdown::Error(error)) => return Err(error),
                Err(Breakdown::Smooth { residual }) => self.begin_smoothing(residual, context)?,
            }
            self.effort.events += 1;
            if self.effort.events > self.most(tol::MAX_EVENTS) {
                self.cut = self.over_within(tol::TAIL);
                return if self.cut { Ok(()) } else { Err(self.limit()) };
            }
            gone = if self.idle() { self.free_flight() } else { self.advance_to_event(context) };
        }
    }

    /// How many of something there may be, for all and for each contact. Without friction, or where it is smoothed all the
    /// way, there is another way sooner.
    fn most(&self, [all, each]: [u64; 2]) -> u64 {
        let most = all + each * self.dynamics.model.len() as u64;
        let sooner =
            self.dynamics.model.frictional.is_empty() || self.smooth == Some(f64::INFINITY);
        if sooner { most / tol::SOONER } else { most }
    }

    /// Whether an error says that the way was lost, not that somebody has interrupted it.
    pub(crate) fn lost(&self, error: &ImpactError) -> bool {
        self.endless || matches!(error, ImpactError::NotConverged { .. })
    }

    /// Whether contacts press for so long that they seem to do so for ever.
    fn wedged(&self) -> bool {
        self.pressed > tol::WEDGED * self.slowest
    }

    /// Shows the way of the step that was just made, or of its part up to an event.
    pub(crate) fn report(&mut self, context: &mut Context) {
        if !context.observer.wants_steps() {
            return;
        }
        let Self { dynamics, integrator, numbers, .. } = self;
        let contacts = numbers.iter().max().map_or(0, |k| k + 1);
        let (mut impulse, mut velocity) = (vec![0.0; contacts], vec![0.0; contacts]);
        integrator.retrace(dynamics, |dynamics, state| {
            let model = &dynamics.model;
            for (k, &number) in numbers.iter().enumerate() {
                impulse[number] = state[model.len() + model.rank + k] * model.impulse();
                velocity[number] = dynamics.normal_velocity[k] * model.speed;
            }
            context.observer.step(Step::Point { impulse: &impulse, velocity: &velocity });
        });
    }

    /// From the first normal_mode to where forces can be told from nothing. False if nobody approaches.
    fn launch(&mut self) -> Result<bool, Breakdown> {
        let Dynamics { model, normal_mode, .. } = &mut self.dynamics;
        let n = model.len();
        let mut first = f64::INFINITY;
        for (k, spring) in model.springs.iter().enumerate() {
            let u = model.normal_start[k];
            // Those that rest are ready to be pressed as soon as a neighbour moves.
            normal_mode[k] = if u > tol::ZERO { NormalMode::Open } else { NormalMode::Loading };
            if u < -tol::ZERO {
                // Linear springs take the same time at any speed; the forces of others begin flat.
                let share = if model.power == Power::Linear { -u } else { 1.0 };
                first = first.min(tol::LAUNCH * spring.depth * share / -u);
            }
        }
        if first == f64::INFINITY {
            return Ok(false);
        }
        for (k, &u) in model.normal_start.iter().enumerate() {
            let moves = normal_mode[k].closed() && u < -tol::ZERO
                || u > tol::ZERO && model.gaps == Gaps::Remember;
            self.state[k] = if moves { -u * first } else { 0.0 };
        }
        self.dynamics.evaluate(&self.state);
        self.decide_pressed()?;
        // Forces grow from nothing like a power of time, along the directions they have.
        let share = first / (self.dynamics.model.power.exponent() + 1.0);
        let end = &mut self.integrator.end;
        self.dynamics.slope(&self.state, end);
        for (y, slope) in self.state.iter_mut().zip(end).skip(n) {
            *y += share * *slope;
        }
        self.time = first;
        let depths = self.dynamics.model.springs.iter().map(|spring| spring.depth);
        self.integrator.restart(tol::FIRST_STEP * depths.fold(f64::INFINITY, f64::min));
        Ok(true)
    }

    /// Contacts have begun to press, or to stick: all without slip decide what they do. The dynamics must have been looked
    /// at.
    pub(crate) fn decide_pressed(&mut self) -> Result<(), Breakdown> {
        let model = &self.dynamics.model;
        if model.frictional.is_empty() {
            return Ok(());
        }
        if model.frictional.iter().any(|contact| contact.mu == f64::INFINITY) {
            self.friction.lock(&mut self.dynamics, &mut self.state);
            self.dynamics.evaluate(&self.state);
        }
        if self.smooth.is_some() {
            self.friction.sticking(&mut self.dynamics, &mut self.state);
            return Ok(());
        }
        self.friction.resting.clear();
        for (g, contact) in self.dynamics.model.frictional.iter().enumerate() {
            let [a, b] = self.dynamics.slip[g];
            // Those of redundant contacts that stuck have not moved, up to rounding.
            let still = if self.dynamics.friction_mode[g] == FrictionMode::Sticks {
                tol::STILL_STUCK
            } else {
                tol::STILL_CLOSING
            };
            let still = length([a, b]) <= still;
            let pressed = self.dynamics.normal_mode[contact.index].closed();
            if pressed && contact.mu.is_finite() {
                if still {
                    self.friction.resting.push(g);
                } else {
                    self.dynamics.friction_mode[g] = FrictionMode::Slides;
                }
            }
        }
        self.decide(Trigger::Rest)
    }

    /// What contacts at rest do from here on.
    pub(crate) fn decide(&mut self, cause: Trigger) -> Result<(), Breakdown> {
        let decided = self.friction.decide(&mut self.dynamics, &mut self.state, cause);
        self.dynamics.evaluate(&self.state);
        events::set_headings(&mut self.dynamics);
        for &g in &self.friction.resting {
            let [a, b] = self.dynamics.slip[g];
            self.strayed[g] = f64::INFINITY;
            self.leaving[g] = if self.dynamics.slides(g) { length([a, b]) } else { 0.0 };
        }
        decided.map_err(|_| Breakdown::Smooth { residual: f64::NAN })
    }

    /// Goes on until something happens. True if that is the end.
    fn advance_to_event(&mut self, context: &mut Context) -> Result<bool, Breakdown> {
        self.dynamics.evaluate(&self.state);
        if self.over() {
            return Ok(true);
        }
        events::possible(&self.dynamics, &mut self.events);
        self.integrator.start(self.integrator.method, &mut self.dynamics, &self.state);
        self.integrator.control.restart();
        loop {
            self.effort.steps += 1;
            if self.effort.steps.is_multiple_of(tol::REPORT_EVERY) {
                context.progress("steps", self.effort.steps, None)?;
            }
            if self.effort.steps > self.most(tol::MAX_STEPS) || self.wedged() {
                self.cut = self.over_within(tol::TAIL);
                return if self.cut { Ok(true) } else { Err(self.limit().into()) };
            }
            self.dynamics.measure_slip_rates();
            if let Some(g) = self.fix_directions()
                && self.end_slip(g, 2.0 * self.ending())?
            {
                return Ok(false);
            }
            let motion = self.measure();
            if let Some(first) = motion.stops {
                self.stop(first)?;
                return Ok(false);
            }
            if motion.method != self.integrator.method {
                self.integrator.start(motion.method, &mut self.dynamics, &self.state);
            }
            if let Some(over) = self.advance(&motion, context)? {
                return Ok(over);
            }
        }
    }

    /// Whether nobody approaches, and what is left in the springs moves nobody, faster than errors of steps.
    pub(crate) fn over(&self) -> bool {
        self.over_within(self.tolerance)
    }

    fn over_within(&self, least: f64) -> bool {
        (0..self.dynamics.model.len())
            .all(|k| self.dynamics.normal_velocity[k] >= -least && self.gives_less(k, least))
    }

    /// Whether all that press rest and hardly do, slower and less than errors of steps: what happens next, if anything,
    /// is that a gap closes.
    pub(crate) fn idle(&self) -> bool {
        let closed = |k: &usize| self.dynamics.normal_mode[*k].closed();
        // Who forgets gaps presses as soon as he approaches: there is nothing to wait for.
        let waits = self.dynamics.model.gaps == Gaps::Remember;
        let rests = |k: usize| waits && self.dynamics.normal_velocity[k].abs() <= self.tolerance;
        (0..self.dynamics.model.len())
            .filter(closed)
            .all(|k| rests(k) && self.gives_less(k, self.tolerance))
    }

    /// Whether what is left in the spring of a contact moves it more slowly.
    fn gives_less(&self, k: usize, speed: f64) -> bool {
        let model = &self.dynamics.model;
        let gives = 2.0 * model.stored(k, self.state[k]) * model.springs[k].response;
        !self.dynamics.normal_mode[k].closed() || gives < speed * speed
    }
}
