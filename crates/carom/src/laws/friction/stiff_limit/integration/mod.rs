//! One step of the integration, by the method that suits the motion.

mod clock;
mod explicit;
pub(crate) mod plan;
mod series;

use self::clock::Clock;
use self::explicit::Explicit;
use self::plan::StepPlan;
use super::dynamics::Dynamics;
use super::events::{self, Event, Linear, least_reserve, margin, required_friction, strain};
use super::tolerances as tol;
use carom_ode::{Rodas5p, StepControl, Verdict, locate};

/// The method that makes the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// By series, or Dormand and Prince's method of order eight where there are none.
    Explicit,
    /// Rosenbrock's, for slip that has hardly begun: its direction follows the forces much faster than anything moves.
    Stiff,
}

/// Both methods and what they share.
pub(crate) struct Integrator {
    explicit: Explicit,
    stiff: Rodas5p,
    clock: Clock,
    pub(crate) method: Method,
    pub(crate) control: StepControl,
    /// The length of the next step, in the time of the method.
    pub(crate) h: f64,
    /// The same in time itself, for a method or a clock that begins.
    guess: f64,
    /// The longest time that the next step may take.
    longest: f64,
    /// Whether the explicit method knows where it starts.
    entered: bool,
    /// Whether an event will soon end this step.
    short: bool,
    /// The length of the last step, in the time of the method, and the part of it after which it was cut.
    length: f64,
    part: f64,
    /// What errors of the unknowns are measured by.
    scale: Vec<f64>,
    tolerances: Vec<f64>,
    /// The state at the end of the step, or where an event was sought; without its integrals there.
    pub(crate) end: Vec<f64>,
    slope: Vec<f64>,
    pub(crate) needed: Vec<f64>,
    /// The least that sticking contacts could still take at the stages of the last step.
    pub(crate) least_reserve: f64,
    at_stage: Vec<f64>,
}

impl Integrator {
    pub(crate) fn new(dynamics: &Dynamics) -> Self {
        let (unknowns, integrals) = (dynamics.unknowns(), dynamics.integrals());
        let model = &dynamics.model;
        let depths = model.springs.iter().map(|spring| spring.depth);
        Self {
            explicit: Explicit::new(dynamics),
            stiff: Rodas5p::default(),
            clock: Clock::default(),
            method: Method::Explicit,
            control: StepControl::dop853(tol::LEAST_STEP, f64::INFINITY),
            h: 0.0,
            guess: 0.0,
            longest: f64::INFINITY,
            entered: false,
            short: false,
            length: 0.0,
            part: 1.0,
            scale: depths.chain(model.scale.iter().copied()).collect(),
            tolerances: vec![0.0; unknowns],
            end: vec![0.0; unknowns + integrals],
            slope: vec![0.0; unknowns + integrals],
            needed: vec![0.0; model.frictional.len()],
            least_reserve: f64::INFINITY,
            at_stage: vec![0.0; model.frictional.len()],
        }
    }

    /// Goes on from a state by this method. The dynamics must have been looked at.
    pub(crate) fn start(&mut self, method: Method, dynamics: &mut Dynamics, state: &[f64]) {
        let other = method != self.method;
        if other {
            self.method = method;
            self.control = match method {
                Method::Explicit => StepControl::dop853(tol::LEAST_STEP, f64::INFINITY),
                Method::Stiff => StepControl::rodas5p(tol::LEAST_STEP, f64::INFINITY),
            };
        }
        match method {
            Method::Explicit => {
                self.entered = false;
                self.h = if other { f64::INFINITY } else { self.h };
            }
            Method::Stiff => {
                dynamics.by_root.fill(false);
                // Many impacts never ask for it.
                self.stiff.resize_with_integrals(dynamics.unknowns(), dynamics.integrals());
                self.stiff.start.copy_from_slice(state);
                self.h = if other { self.guess.min(tol::FIRST_IMPLICIT_STEP) } else { self.h };
            }
        }
    }

    /// Goes on from a state by the explicit method.
    fn enter(&mut self, dynamics: &Dynamics, state: &[f64]) {
        let start = self.explicit.start();
        start[..state.len()].copy_from_slice(state);
        self.clock.enter(dynamics, start);
        self.explicit.enter();
        self.entered = true;
    }

    /// Whether a contact that begins to press is minded by the clock.
    pub(crate) fn tracks(&self, dynamics: &Dynamics, k: usize) -> bool {
        self.clock.tracks(dynamics, k)
    }

    /// The next step takes no longer than this.
    pub(crate) fn limit(&mut self, time: f64) {
        self.longest = self.longest.min(time);
    }

    /// The next step is a first one, and takes this time.
    pub(crate) fn restart(&mut self, time: f64) {
        (self.guess, self.h) = (time, f64::INFINITY);
    }

    /// Decides what time a step is made in.
    pub(crate) fn set_clock(&mut self, dynamics: &mut Dynamics, state: &[f64]) {
        if self.method == Method::Explicit && (self.clock.choose(dynamics, state) || !self.entered)
        {
            self.enter(dynamics, state);
        }
    }

    /// Computes what a step starts with that may end at an event after some time, and how long it is.
    pub(crate) fn begin(
        &mut self,
        motion: &StepPlan,
        until: f64,
        dynamics: &mut Dynamics,
        state: &[f64],
    ) -> f64 {
        let longest = motion.longest.min(std::mem::replace(&mut self.longest, f64::INFINITY));
        match self.method {
            Method::Explicit => {
                self.allow(motion.tolerance, dynamics);
                self.short = until < tol::SHORT_STEP * self.guess;
                let tolerances = (&self.tolerances[..dynamics.model.len()], motion.tolerance);
                match self.explicit.begin(&self.clock, dynamics, tolerances, self.short) {
                    Some(length) => self.h = length,
                    // A contact that has just closed was given a little of its indentation.
                    None => dynamics.evaluate(state),
                }
                if self.h == f64::INFINITY {
                    self.h = self.clock.length(dynamics, state, self.guess);
                }
                self.h.min(self.clock.length(dynamics, state, longest))
            }
            Method::Stiff => {
                self.short = false;
                self.stiff.begin(|y, out, jacobian| dynamics.linearize(y, out, jacobian));
                if self.h == f64::INFINITY {
                    self.h = self.guess;
                }
                self.h.min(longest)
            }
        }
    }

    /// The error of each unknown that a step may make.
    fn allow(&mut self, tolerance: f64, dynamics: &Dynamics) {
        let contacts = dynamics.model.len();
        for (i, (out, scale)) in self.tolerances.iter_mut().zip(&self.scale).enumerate() {
            *out = match i < contacts {
                true if dynamics.by_root[i] => {
                    f64::sqrt(*scale) * tolerance.max(tol::LEAST_DEPTH_TOLERANCE)
                }
                true => scale * tolerance.max(tol::LEAST_DEPTH_TOLERANCE),
                false => scale * tolerance,
            };
        }
    }

    /// Makes a step; the dynamics is then looked at where it ends. Answers its error, one being allowed.
    pub(crate) fn step(&mut self, h: f64, tolerance: f64, dynamics: &mut Dynamics) -> f64 {
        (self.length, self.part) = (h, 1.0);
        self.allow(tolerance, dynamics);
        let (least, used) = (&mut self.least_reserve, &mut self.at_stage);
        *least = f64::INFINITY;
        let mut watch = |dynamics: &Dynamics| {
            required_friction(dynamics, used);
            *least = least.min(least_reserve(dynamics, used));
            strain(dynamics, used)
        };
        let error = match self.method {
            Method::Explicit => {
                let strain = strain(dynamics, &self.needed);
                let Self { explicit, clock, tolerances, .. } = self;
                let error = explicit.step(h, clock, dynamics, tolerances, strain, &mut watch);
                self.leave();
                error
            }
            Method::Stiff => {
                let made = self.stiff.step(h, |y, out| {
                    dynamics.slope(y, out);
                    if !dynamics.sticking.contacts.is_empty() {
                        watch(dynamics);
                    }
                });
                match made {
                    Ok(()) => {
                        self.end.copy_from_slice(&self.stiff.end);
                        dynamics.evaluate(&self.end);
                        self.stiff.error(&self.tolerances)
                    }
                    Err(_) => f64::INFINITY,
                }
            }
        };
        required_friction(dynamics, &mut self.needed);
        error
    }

    /// The end of an explicit step as the dynamics knows it.
    fn leave(&mut self) {
        let state = self.end.len();
        self.end.copy_from_slice(&self.explicit.end()[..state]);
        self.clock.leave(&mut self.end);
    }

    /// What becomes of a step of this length with this error.
    pub(crate) fn judge(&mut self, h: f64, error: f64) -> Verdict {
        match self.method {
            // A series knew its error before.
            Method::Explicit if self.explicit.by_series() && error <= 1.0 => Verdict::Accept(h),
            _ => self.control.judge(h, error),
        }
    }

    /// The length of the last step, in the time of the method.
    pub(crate) fn length(&self) -> f64 {
        self.length
    }

    /// The time that the last step took.
    pub(crate) fn elapsed(&self) -> f64 {
        match self.method {
            Method::Explicit => self.explicit.end().last().copied().unwrap_or(0.0),
            Method::Stiff => self.length,
        }
    }

    /// How much time passes in that of the method, where the dynamics was last looked at.
    pub(crate) fn pace(&self, dynamics: &Dynamics, state: &[f64]) -> f64 {
        match self.method {
            Method::Explicit => self.clock.pace(dynamics, state),
            Method::Stiff => 1.0,
        }
    }

    /// The next step has this length, in the time of the method; the last was exact enough and not cut yet.
    pub(crate) fn go_on(&mut self, next: f64) {
        self.h = next;
        if !self.short {
            self.guess =
                (self.elapsed().abs() * next / self.length).max(tol::GUESS_SHRINKAGE * self.guess);
        }
    }

    /// The next step goes on from the end of this one.
    pub(crate) fn accept(&mut self) {
        match self.method {
            Method::Explicit => self.explicit.accept(),
            Method::Stiff => self.stiff.accept(),
        }
    }

    /// Prepares [`Self::between`].
    pub(crate) fn prepare(&mut self, dynamics: &mut Dynamics) {
        if self.method == Method::Explicit {
            self.explicit.prepare(&self.clock, dynamics);
        }
    }

    /// Looks at points on the way of the last step up to where it was cut, the last of them its end.
    pub(crate) fn retrace(
        &mut self,
        dynamics: &mut Dynamics,
        mut show: impl FnMut(&Dynamics, &[f64]),
    ) {
        self.prepare(dynamics);
        if self.method == Method::Stiff {
            self.stiff.prepare();
        }
        for i in 1..tol::TRACE_POINTS {
            let theta = self.part * f64::from(i) / f64::from(tol::TRACE_POINTS);
            match self.method {
                Method::Explicit => {
                    self.explicit.state_at(theta, dynamics, &mut self.end);
                    self.clock.leave(&mut self.end);
                }
                Method::Stiff => self.stiff.interpolate(theta, &mut self.end),
            }
            dynamics.evaluate(&self.end);
            show(dynamics, &self.end);
        }
        self.evaluate_end(dynamics);
        show(dynamics, &self.end);
    }

    /// Looks at the state after a part of the last step.
    pub(crate) fn between(&mut self, theta: f64, dynamics: &mut Dynamics) {
        let unknowns = self.scale.len();
        match self.method {
            Method::Explicit => {
                self.explicit.state_at(theta, dynamics, &mut self.end[..unknowns]);
                self.clock.leave(&mut self.end);
            }
            Method::Stiff => self.stiff.interpolate(theta, &mut self.end[..unknowns]),
        }
        dynamics.evaluate(&self.end);
        required_friction(dynamics, &mut self.needed);
    }

    /// Looks at the forces after a part of the last step, and at what sticking contacts need there.
    pub(crate) fn strain(&mut self, theta: f64, dynamics: &mut Dynamics) {
        if self.method == Method::Explicit && self.explicit.forces_at(theta, dynamics) {
            return required_friction(dynamics, &mut self.needed);
        }
        self.between(theta, dynamics);
    }

    /// The margin of an event after a part of the last step. Looks at the state there only if it must.
    pub(crate) fn margin_at(&mut self, theta: f64, event: Event, dynamics: &mut Dynamics) -> f64 {
        let Some(Linear { quantity, factor, offset }) = events::linear(dynamics, event) else {
            self.strain(theta, dynamics);
            return margin(dynamics, event, &self.end, &self.needed);
        };
        let value = match self.method {
            Method::Explicit => self.explicit.value(quantity, dynamics, theta),
            Method::Stiff => quantity.of(dynamics, |i| self.stiff.component(i, theta)),
        };
        offset + factor * value
    }

    /// Goes straight from a state for some time, along the slope at `end`, to `end`.
    pub(crate) fn straight(&mut self, from: &[f64], time: f64, dynamics: &mut Dynamics) {
        dynamics.slope(&self.end, &mut self.slope);
        for ((end, from), slope) in self.end.iter_mut().zip(from).zip(&self.slope) {
            *end = from + time * slope;
        }
    }

    /// Looks at the end of the last step again.
    pub(crate) fn evaluate_end(&mut self, dynamics: &mut Dynamics) {
        match self.method {
            Method::Explicit => self.leave(),
            Method::Stiff => self.end.copy_from_slice(&self.stiff.end),
        }
        dynamics.evaluate(&self.end);
        required_friction(dynamics, &mut self.needed);
    }

    /// Ends the last step after a part of it, and looks at it there. Wants [`Self::prepare`].
    pub(crate) fn cut(&mut self, theta: f64, tolerance: f64, dynamics: &mut Dynamics) {
        match self.method {
            Method::Explicit => {
                self.explicit.shorten(theta, dynamics);
                self.part = theta;
                self.evaluate_end(dynamics);
            }
            Method::Stiff => {
                self.step(theta * self.length, tolerance, dynamics);
            }
        }
    }

    /// The nearest of some events where the dynamics was last looked at.
    pub(crate) fn least(&self, events: &[Event], dynamics: &Dynamics) -> f64 {
        let margins = events.iter().map(|&event| margin(dynamics, event, &self.end, &self.needed));
        margins.fold(f64::INFINITY, f64::min)
    }

    /// Shortens the last step, an implicit one, to where the first of these events is met, which were `before` away at its
    /// start and lie behind its end.
    pub(crate) fn shorten(
        &mut self,
        tolerance: f64,
        before: f64,
        events: &[Event],
        dynamics: &mut Dynamics,
    ) {
        let h = self.length;
        let beyond = self.least(events, dynamics);
        let mut at = |theta: f64| {
            self.between(theta, dynamics);
            self.least(events, dynamics)
        };
        let mut share = locate([(0.0, before), (1.0, beyond)], tol::EVENT_MARGIN, &mut at);
        let near = [(share - tol::SECANT_SPACING).max(0.0), (share + tol::SECANT_SPACING).min(1.0)];
        let mut speed = (at(near[1]) - at(near[0])) / (near[1] - near[0]);
        // A step that ends there misses the event by what continuous output is off: it is lengthened or shortened along its
        // last slope, or if that is not little, made again.
        let mut last: Option<(f64, f64)> = None;
        for _ in 0..tol::REPEATS {
            self.step(share * h, tolerance, dynamics);
            let miss = self.least(events, dynamics);
            if let Some((other, value)) = last
                && value != miss
            {
                speed = (miss - value) / (share - other);
            }
            last = Some((share, miss));
            let rest = -miss / speed;
            if miss.abs() <= tol::EVENT_MARGIN || !(share + rest > 0.0 && share + rest < 1.0) {
                break;
            }
            share += rest;
            if rest.abs() <= tol::NUDGE {
                self.nudge(rest * h, dynamics);
                break;
            }
        }
    }

    /// Lengthens the last step by so little that everything goes straight.
    fn nudge(&mut self, more: f64, dynamics: &mut Dynamics) {
        dynamics.slope(&self.end, &mut self.slope);
        for (y, slope) in self.end.iter_mut().zip(&self.slope) {
            *y += more * slope;
        }
        self.stiff.end.copy_from_slice(&self.end);
        self.length += more;
        dynamics.evaluate(&self.end);
        required_friction(dynamics, &mut self.needed);
    }
}
