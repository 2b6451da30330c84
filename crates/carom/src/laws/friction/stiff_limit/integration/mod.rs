//! Integration between events, one step at a time, by the method that suits the motion.
//!
//! The order of calls is that of the types: [`Integrator::begin`] says how long a step is, [`Integrator::try_step`] makes a
//! [`Trial`], [`Integrator::judge`] takes it and may make it [`Accepted`]; that is [kept](Integrator::keep) when its events are
//! located, through an [`Interpolant`] where they are looked for within, and [`Integrator::accept`] goes on from its end.

mod clock;
mod explicit;
mod interpolant;
mod plan;
mod series;

pub(crate) use interpolant::Interpolant;
pub(crate) use plan::StepPlan;

use super::dynamics::{Dynamics, Measured};
use super::events::{least_reserve, required_friction, utilization};
use super::state::State;
use super::tolerances as tol;
use carom_ode::{Rodas5p, StepControl, Verdict};
use explicit::Explicit;

/// The method that makes the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// By series, or Dormand and Prince's method of order eight where there are none.
    Explicit,
    /// Rosenbrock's, for slip that has hardly begun: its direction follows the forces much faster than anything moves.
    Implicit,
}

/// A step that was tried, and at whose end the dynamics were evaluated.
#[must_use]
pub(crate) struct Trial {
    length: f64,
    /// One being allowed \[1\].
    pub(crate) error: f64,
}

/// What becomes of a trial.
pub(crate) enum Judgement {
    Accepted(Accepted),
    /// A shorter step has to be tried.
    Rejected(f64),
    /// None is short enough; the error of the last.
    Failed(f64),
}

/// A step that is exact enough. Its events have not been located yet.
#[must_use]
pub(crate) struct Accepted {
    /// The length of the next.
    next: f64,
}

/// Both methods and what they share.
pub(crate) struct Integrator {
    explicit: Explicit,
    implicit: Rodas5p,
    pub(super) method: Method,
    control: StepControl,
    /// The length of the next step, in the time of the method.
    h: f64,
    /// The same in time itself, for a method or a clock that begins.
    guess: f64,
    /// The longest time that the next step may take.
    longest: f64,
    /// Whether an event will soon end this step.
    short: bool,
    /// The length of the last step, in the time of the method, and the part of it after which it was cut.
    pub(super) length: f64,
    part: f64,
    /// What errors of the unknowns are measured by.
    scale: Vec<f64>,
    tolerances: Vec<f64>,
    /// The state at the end of the step, or where an event was sought; without its impulses there.
    pub(super) end: State,
    slope: Vec<f64>,
    /// The friction that sticking contacts need where that was last asked for.
    pub(super) required: Vec<f64>,
    /// The least that they could still bear at the stages of the last step.
    pub(super) least_reserve: f64,
    at_stage: Vec<f64>,
}

impl Integrator {
    pub(crate) fn new(dynamics: &Dynamics) -> Self {
        let model = &dynamics.model;
        let depths = model.springs.iter().map(|spring| spring.depth);
        let end = State::new(dynamics.layout);
        Self {
            explicit: Explicit::new(dynamics),
            implicit: Rodas5p::default(),
            method: Method::Explicit,
            control: StepControl::dop853(tol::LEAST_STEP, f64::INFINITY),
            h: 0.0,
            guess: 0.0,
            longest: f64::INFINITY,
            short: false,
            length: 0.0,
            part: 1.0,
            scale: depths.chain(model.scale.iter().copied()).collect(),
            tolerances: vec![0.0; dynamics.layout.unknowns()],
            slope: vec![0.0; end.len()],
            end,
            required: vec![0.0; model.frictional.len()],
            least_reserve: f64::INFINITY,
            at_stage: vec![0.0; model.frictional.len()],
        }
    }

    /// Goes on from a state after an event, by the same method. The dynamics must have been evaluated there.
    pub(crate) fn restart(&mut self, dynamics: &mut Dynamics, state: &State) {
        self.start(self.method, dynamics, state);
        self.control.restart();
    }

    /// Goes on from a state by this method. The dynamics must have been evaluated there.
    pub(crate) fn start(&mut self, method: Method, dynamics: &mut Dynamics, state: &State) {
        let other = method != self.method;
        if other {
            self.method = method;
            self.control = match method {
                Method::Explicit => StepControl::dop853(tol::LEAST_STEP, f64::INFINITY),
                Method::Implicit => StepControl::rodas5p(tol::LEAST_STEP, f64::INFINITY),
            };
        }
        match method {
            Method::Explicit => {
                self.explicit.entered = false;
                self.h = if other { f64::INFINITY } else { self.h };
            }
            Method::Implicit => {
                dynamics.by_root.fill(false);
                let layout = dynamics.layout;
                // Many impacts never ask for it.
                self.implicit.resize_with_integrals(layout.unknowns(), layout.integrals());
                self.implicit.start.copy_from_slice(state);
                self.h = if other { self.guess.min(tol::FIRST_IMPLICIT_STEP) } else { self.h };
            }
        }
    }

    /// The next step is a first one, and takes this time.
    pub(crate) fn set_first_step(&mut self, time: f64) {
        (self.guess, self.h) = (time, f64::INFINITY);
    }

    /// A contact begins to press: the next step is short, unless the clock follows the contact.
    pub(crate) fn expect_closing(&mut self, dynamics: &Dynamics, k: usize) {
        if !self.explicit.clock.will_follow(dynamics, k) {
            let depth = dynamics.model.springs[k].depth;
            let first = tol::FIRST_CLOSING_STEP * depth / dynamics.normal_velocity[k].abs();
            self.longest = self.longest.min(first);
        }
    }

    /// Decides in what time a step is made.
    pub(crate) fn set_clock(
        &mut self,
        dynamics: &mut Dynamics,
        measured: &Measured,
        state: &State,
    ) {
        if self.method == Method::Explicit {
            self.explicit.enter(dynamics, measured, state);
        }
    }

    /// Computes what a step starts with that may end at an event after some time, and how long it is.
    pub(crate) fn begin(
        &mut self,
        plan: &StepPlan,
        until: f64,
        dynamics: &mut Dynamics,
        state: &State,
    ) -> f64 {
        let longest = plan.longest.min(std::mem::replace(&mut self.longest, f64::INFINITY));
        match self.method {
            Method::Explicit => {
                self.set_tolerances(plan.tolerance, dynamics);
                self.short = until < tol::SHORT_STEP * self.guess;
                let tolerances = (&self.tolerances[..dynamics.model.len()], plan.tolerance);
                match self.explicit.begin(dynamics, tolerances, self.short) {
                    Some(length) => self.h = length,
                    // A contact that has just closed was given a little of its indentation.
                    None => dynamics.evaluate(state),
                }
                let clock = &self.explicit.clock;
                if self.h == f64::INFINITY {
                    self.h = clock.length(dynamics, state, self.guess);
                }
                self.h.min(clock.length(dynamics, state, longest))
            }
            Method::Implicit => {
                self.short = false;
                self.implicit.begin(|y, out, jacobian| dynamics.linearize(y, out, jacobian));
                if self.h == f64::INFINITY {
                    self.h = self.guess;
                }
                self.h.min(longest)
            }
        }
    }

    /// The error of each unknown that a step may make.
    fn set_tolerances(&mut self, tolerance: f64, dynamics: &Dynamics) {
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

    pub(crate) fn try_step(&mut self, h: f64, tolerance: f64, dynamics: &mut Dynamics) -> Trial {
        Trial { length: h, error: self.make(h, tolerance, dynamics) }
    }

    /// Makes a step and evaluates its end. Answers its error, one being allowed.
    fn make(&mut self, h: f64, tolerance: f64, dynamics: &mut Dynamics) -> f64 {
        (self.length, self.part) = (h, 1.0);
        self.set_tolerances(tolerance, dynamics);
        let (least, required) = (&mut self.least_reserve, &mut self.at_stage);
        *least = f64::INFINITY;
        let mut watch = |dynamics: &Dynamics| {
            required_friction(dynamics, required);
            *least = least.min(least_reserve(dynamics, required));
            utilization(dynamics, required)
        };
        let error = match self.method {
            Method::Explicit => {
                let used = utilization(dynamics, &self.required);
                let Self { explicit, tolerances, .. } = self;
                let error = explicit.step(h, dynamics, tolerances, used, &mut watch);
                explicit.end(&mut self.end);
                error
            }
            Method::Implicit => {
                let made = self.implicit.step(h, |y, out| {
                    dynamics.slope(y, out);
                    if !dynamics.sticking.contacts.is_empty() {
                        watch(dynamics);
                    }
                });
                match made {
                    Ok(()) => {
                        self.end.copy_from_slice(&self.implicit.end);
                        dynamics.evaluate(&self.end);
                        self.implicit.error(&self.tolerances)
                    }
                    Err(_) => f64::INFINITY,
                }
            }
        };
        self.find_required(dynamics);
        error
    }

    pub(crate) fn judge(&mut self, Trial { length, error }: Trial) -> Judgement {
        let verdict = match self.method {
            // A series knew its error before.
            Method::Explicit if self.explicit.by_series && error <= 1.0 => Verdict::Accept(length),
            _ => self.control.judge(length, error),
        };
        match verdict {
            Verdict::Accept(next) => Judgement::Accepted(Accepted { next }),
            Verdict::Reject(shorter) => Judgement::Rejected(shorter),
            Verdict::Stuck => Judgement::Failed(error),
        }
    }

    /// The time that the last step took.
    pub(crate) fn elapsed(&self) -> f64 {
        match self.method {
            Method::Explicit => self.explicit.elapsed(),
            Method::Implicit => self.length,
        }
    }

    /// How much time passes in that of the method, where the dynamics were last evaluated.
    pub(crate) fn pace(&self, dynamics: &Dynamics, state: &State) -> f64 {
        match self.method {
            Method::Explicit => self.explicit.clock.pace(dynamics, state.indentations()),
            Method::Implicit => 1.0,
        }
    }

    /// Takes the length of the next step from one that was not cut yet.
    pub(crate) fn keep(&mut self, Accepted { next }: Accepted) {
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
            Method::Implicit => self.implicit.accept(),
        }
    }

    /// The friction that sticking contacts need, where the dynamics are evaluated now.
    pub(crate) fn find_required(&mut self, dynamics: &Dynamics) {
        required_friction(dynamics, &mut self.required);
    }

    /// Goes straight from a state for some time, along the slope at `end`, to `end`.
    pub(crate) fn straight(&mut self, from: &State, time: f64, dynamics: &mut Dynamics) {
        dynamics.slope(&self.end, &mut self.slope);
        for ((end, from), slope) in self.end.iter_mut().zip(from.iter()).zip(&self.slope) {
            *end = from + time * slope;
        }
    }
}
