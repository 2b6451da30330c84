//! Two methods behind one interface: explicit where the motion is smooth, implicit where friction is stiff.

use super::scales::Scales;
use crate::compliant::dynamics::{Dynamics, Layout};
use crate::compliant::mechanism::Mechanism;
use carom_ode::{Dop853, Rodas5p, StepControl, Verdict};

/// Friction that acts so much faster than a compression is stiff … \[1\].
const STIFF: f64 = 1000.0;
/// … and is not any more below this \[1\].
const SMOOTH: f64 = 300.0;
/// The first step, relative to one compression \[1\].
const FIRST_STEP: f64 = 1e-2;
/// A step that jumped over a stop, or ends badly at an event, is repeated with this part of its length \[1\].
const SHORTER: f64 = 0.3;

/// The two methods and the length of the next step.
pub(super) struct Stepper {
    explicit: Dop853,
    implicit: Rodas5p,
    control: StepControl,
    bounds: [f64; 2],
    stiff: bool,
    /// Slopes at the start have to be computed.
    fresh: bool,
    prepared: bool,
    length: f64,
    /// The length of the step before it was cut off by an event.
    taken: f64,
    pub(super) evaluations: u64,
}

impl Stepper {
    pub(super) fn new(layout: &Layout, scales: &Scales) -> Self {
        let (mut explicit, mut implicit) = (Dop853::default(), Rodas5p::default());
        explicit.resize(layout.unknowns());
        implicit.resize(layout.unknowns());
        let bounds = [0.1 * scales.least_step(), scales.most_step()];
        Self {
            explicit,
            implicit,
            control: StepControl::dop853(bounds[0], bounds[1]),
            bounds,
            stiff: false,
            fresh: true,
            prepared: false,
            length: FIRST_STEP * scales.time,
            taken: 0.0,
            evaluations: 0,
        }
    }

    pub(super) fn is_implicit(&self) -> bool {
        self.stiff
    }

    pub(super) fn length(&self) -> f64 {
        self.length
    }

    /// Picks the method for friction that acts so much faster than a compression; whether it is another one.
    pub(super) fn choose(&mut self, stiffness: f64) -> bool {
        let stiff = stiffness > if self.stiff { SMOOTH } else { STIFF };
        if stiff == self.stiff {
            return false;
        }
        self.stiff = stiff;
        let [least, most] = self.bounds;
        self.control = match stiff {
            true => StepControl::rodas5p(least, most),
            false => StepControl::dop853(least, most),
        };
        true
    }

    /// The next step starts afresh here.
    pub(super) fn restart(&mut self, state: &[f64]) {
        self.control.restart();
        self.fresh = true;
        match self.stiff {
            true => self.implicit.start.copy_from_slice(state),
            false => self.explicit.start.copy_from_slice(state),
        }
    }

    /// Computes what the next step needs at its start.
    pub(super) fn begin<M: Mechanism + ?Sized>(
        &mut self,
        dynamics: &mut Dynamics<M>,
        state: &[f64],
    ) {
        self.prepared = false;
        if self.stiff {
            self.implicit.start.copy_from_slice(state);
            self.implicit.begin(|y, slope, jacobian| dynamics.system(y, slope, jacobian));
            self.evaluations += 1;
        } else if self.fresh {
            self.explicit.start.copy_from_slice(state);
            self.explicit.begin(|y, slope| dynamics.slope(y, slope));
            self.evaluations += 1;
        }
        self.fresh = false;
    }

    /// Tries a step; not if the method has none of this length.
    pub(super) fn step<M: Mechanism + ?Sized>(
        &mut self,
        dynamics: &mut Dynamics<M>,
        length: f64,
    ) -> bool {
        self.prepared = false;
        self.taken = length;
        let evaluations = &mut self.evaluations;
        let slope = |y: &[f64], slope: &mut [f64]| {
            *evaluations += 1;
            dynamics.slope(y, slope);
        };
        match self.stiff {
            true => self.implicit.step(length, slope).is_ok(),
            false => {
                self.explicit.step(length, slope);
                true
            }
        }
    }

    pub(super) fn error(&self, allowed: &[f64]) -> f64 {
        match self.stiff {
            true => self.implicit.error(allowed),
            false => self.explicit.error(allowed),
        }
    }

    /// Whether the step will do; either way the length of the next is set.
    pub(super) fn judge(&mut self, error: f64) -> bool {
        match self.control.judge(self.length, error) {
            Verdict::Accept(next) => {
                self.length = next;
                true
            }
            Verdict::Reject(shorter) => {
                self.length = shorter;
                false
            }
            Verdict::Stuck => {
                self.length = 0.0;
                false
            }
        }
    }

    /// The next try is shorter than the last.
    pub(super) fn shorten(&mut self) {
        self.length = SHORTER * self.taken;
    }

    /// A step that is not taken after all.
    pub(super) fn cancel(&mut self) {
        self.length = self.taken;
    }

    /// Makes [`interpolate`](Self::interpolate) ready.
    pub(super) fn prepare<M: Mechanism + ?Sized>(&mut self, dynamics: &mut Dynamics<M>) {
        if !self.stiff && !self.prepared {
            self.explicit.prepare(|y, slope| dynamics.slope(y, slope));
            self.evaluations += 3;
        }
        self.prepared = true;
    }

    pub(super) fn interpolate(&self, at: f64, state: &mut [f64]) {
        match self.stiff {
            true => self.implicit.interpolate(at, state),
            false => self.explicit.interpolate(at, state),
        }
    }

    pub(super) fn read_end(&self, state: &mut [f64]) {
        state.copy_from_slice(match self.stiff {
            true => &self.implicit.end,
            false => &self.explicit.end,
        });
    }

    pub(super) fn read_start(&self, state: &mut [f64]) {
        state.copy_from_slice(match self.stiff {
            true => &self.implicit.start,
            false => &self.explicit.start,
        });
    }

    pub(super) fn accept(&mut self) {
        match self.stiff {
            true => self.implicit.accept(),
            false => self.explicit.accept(),
        }
    }
}
