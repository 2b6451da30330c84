//! One step of the integration, by the method that suits the motion.

use super::events::{Event, least_grip, margin, need};
use super::field::Field;
use carom_ode::{Dop853, Rodas5p, StepControl, locate};

/// The method that makes the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Dormand and Prince's, of order eight.
    Explicit,
    /// Rosenbrock's, for slip that has hardly begun: its direction follows the forces much faster than anything moves.
    Stiff,
}

/// An event is met when it is nearer than this \[1\].
const MET: f64 = 1e-13;
/// A step that misses its event by less, relative to its length, is not made again \[1\].
const NUDGED: f64 = 1e-7;
/// How far apart the points are from which the speed towards an event is taken, relative to the step \[1\].
const APART: f64 = 1e-3;
/// Indentations are not known better than this, whatever is asked of small slip \[1\].
const DEPTHS: f64 = 1e-14;
/// How many times a step to an event is repeated: continuous output is a little less exact than the step \[1\].
const REPEATS: u32 = 4;

/// Both methods and what they share.
pub(super) struct Stepper {
    explicit: Dop853,
    stiff: Rodas5p,
    pub(super) method: Method,
    pub(super) control: StepControl,
    /// The length of the next step.
    pub(super) h: f64,
    /// Whether the explicit method knows the slope at the start.
    begun: bool,
    /// What errors of the unknowns are measured by.
    pub(super) scale: Vec<f64>,
    tolerances: Vec<f64>,
    /// The state at the end of the step, or where an event was sought.
    pub(super) end: Vec<f64>,
    slope: Vec<f64>,
    pub(super) needed: Vec<f64>,
    /// The least that sticking grips could still take at the stages of the last step.
    pub(super) strain: f64,
    at_stage: Vec<f64>,
}

impl Stepper {
    pub(super) fn new(field: &Field) -> Self {
        let (unknowns, integrals) = (field.unknowns(), field.integrals());
        let model = &field.model;
        let mut explicit = Dop853::default();
        explicit.resize_with_integrals(unknowns, integrals);
        let mut stiff = Rodas5p::default();
        stiff.resize_with_integrals(unknowns, integrals);
        let depths = model.springs.iter().map(|spring| spring.depth);
        Self {
            explicit,
            stiff,
            method: Method::Explicit,
            control: StepControl::dop853(LEAST_STEP, f64::INFINITY),
            h: 0.0,
            begun: false,
            scale: depths.chain(model.scale.iter().copied()).collect(),
            tolerances: vec![0.0; unknowns],
            end: vec![0.0; unknowns + integrals],
            slope: vec![0.0; unknowns + integrals],
            needed: vec![0.0; model.grips.len()],
            strain: f64::INFINITY,
            at_stage: vec![0.0; model.grips.len()],
        }
    }

    /// Goes on from a state by this method.
    pub(super) fn start(&mut self, method: Method, state: &[f64]) {
        if method != self.method {
            self.method = method;
            self.control = match method {
                Method::Explicit => StepControl::dop853(LEAST_STEP, f64::INFINITY),
                Method::Stiff => StepControl::rodas5p(LEAST_STEP, f64::INFINITY),
            };
        }
        self.begun = false;
        match method {
            Method::Explicit => self.explicit.start.copy_from_slice(state),
            Method::Stiff => self.stiff.start.copy_from_slice(state),
        }
    }

    /// Computes what a step starts with.
    pub(super) fn begin(&mut self, field: &mut Field) {
        match self.method {
            Method::Explicit if self.begun => {}
            Method::Explicit => self.explicit.begin(|y, out| field.slope(y, out)),
            Method::Stiff => self.stiff.begin(|y, out, jacobian| field.linearize(y, out, jacobian)),
        }
        self.begun = true;
    }

    /// Makes a step; the field is then looked at where it ends. Answers its error, one being allowed.
    pub(super) fn step(&mut self, h: f64, tolerance: f64, field: &mut Field) -> f64 {
        let contacts = field.model.len();
        for (i, (out, scale)) in self.tolerances.iter_mut().zip(&self.scale).enumerate() {
            *out = scale * if i < contacts { tolerance.max(DEPTHS) } else { tolerance };
        }
        let (strain, needed) = (&mut self.strain, &mut self.at_stage);
        *strain = f64::INFINITY;
        let mut slope = |y: &[f64], out: &mut [f64]| {
            field.slope(y, out);
            if !field.hold.grips.is_empty() {
                need(field, needed);
                *strain = strain.min(least_grip(field, needed));
            }
        };
        let error = match self.method {
            Method::Explicit => {
                self.explicit.step(h, &mut slope);
                self.end.copy_from_slice(&self.explicit.end);
                self.explicit.error(&self.tolerances)
            }
            Method::Stiff => match self.stiff.step(h, &mut slope) {
                Ok(()) => {
                    self.end.copy_from_slice(&self.stiff.end);
                    field.look(&self.end);
                    self.stiff.error(&self.tolerances)
                }
                Err(_) => f64::INFINITY,
            },
        };
        need(field, &mut self.needed);
        error
    }

    /// The next step goes on from the end of this one.
    pub(super) fn accept(&mut self) {
        match self.method {
            Method::Explicit => self.explicit.accept(),
            Method::Stiff => {
                self.stiff.accept();
                self.begun = false;
            }
        }
    }

    /// Prepares [`Self::between`].
    pub(super) fn prepare(&mut self, field: &mut Field) {
        if self.method == Method::Explicit {
            self.explicit.prepare(|y, out| field.slope(y, out));
        }
    }

    /// Looks at the state after a part of the last step.
    pub(super) fn between(&mut self, theta: f64, field: &mut Field) {
        let unknowns = self.scale.len();
        match self.method {
            Method::Explicit => self.explicit.interpolate(theta, &mut self.end[..unknowns]),
            Method::Stiff => self.stiff.interpolate(theta, &mut self.end[..unknowns]),
        }
        field.look(&self.end);
        need(field, &mut self.needed);
    }

    /// Looks at the end of the last step again.
    pub(super) fn look_at_end(&mut self, field: &mut Field) {
        match self.method {
            Method::Explicit => self.end.copy_from_slice(&self.explicit.end),
            Method::Stiff => self.end.copy_from_slice(&self.stiff.end),
        }
        field.look(&self.end);
        need(field, &mut self.needed);
    }

    /// The nearest of some events where the field was last looked at.
    pub(super) fn least(&self, events: &[Event], field: &Field) -> f64 {
        let margins = events.iter().map(|&event| margin(field, event, &self.end, &self.needed));
        margins.fold(f64::INFINITY, f64::min)
    }

    /// Shortens the last step, of length `h`, to where the first of these events is met, which were `before` away at its
    /// start and lie behind its end. Answers the length.
    pub(super) fn shorten(
        &mut self,
        h: f64,
        tolerance: f64,
        before: f64,
        events: &[Event],
        field: &mut Field,
    ) -> f64 {
        let beyond = self.least(events, field);
        self.prepare(field);
        let mut at = |theta: f64| {
            self.between(theta, field);
            self.least(events, field)
        };
        let mut share = locate([(0.0, before), (1.0, beyond)], MET, &mut at);
        let near = [(share - APART).max(0.0), (share + APART).min(1.0)];
        let mut speed = (at(near[1]) - at(near[0])) / (near[1] - near[0]);
        // A step that ends there misses the event by what continuous output is off: it is lengthened or shortened along its
        // last slope, or if that is not little, made again.
        let mut last: Option<(f64, f64)> = None;
        for _ in 0..REPEATS {
            self.step(share * h, tolerance, field);
            let miss = self.least(events, field);
            if let Some((other, value)) = last
                && value != miss
            {
                speed = (miss - value) / (share - other);
            }
            last = Some((share, miss));
            let rest = -miss / speed;
            if miss.abs() <= MET || !(share + rest > 0.0 && share + rest < 1.0) {
                break;
            }
            share += rest;
            if rest.abs() <= NUDGED {
                self.nudge(rest * h, field);
                break;
            }
        }
        share * h
    }

    /// Lengthens the last step by so little that everything goes straight.
    fn nudge(&mut self, more: f64, field: &mut Field) {
        field.slope(&self.end, &mut self.slope);
        for (y, slope) in self.end.iter_mut().zip(&self.slope) {
            *y += more * slope;
        }
        match self.method {
            Method::Explicit => self.explicit.end.copy_from_slice(&self.end),
            Method::Stiff => self.stiff.end.copy_from_slice(&self.end),
        }
        field.look(&self.end);
        need(field, &mut self.needed);
    }
}

/// Steps never shrink below this: something is not smooth where it should be \[1\].
const LEAST_STEP: f64 = 1e-17;
