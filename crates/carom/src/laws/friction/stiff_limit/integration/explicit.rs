//! Explicit steps in the time of the clock: by series where there are some, else by Dormand and Prince's method.

use super::super::dynamics::{Dynamics, Measured};
use super::super::events::Quantity;
use super::super::state::State;
use super::super::tolerances as tol;
use super::clock::Clock;
use super::series::Series;
use carom_ode::Dop853;

pub(super) struct Explicit {
    pub(super) clock: Clock,
    runge: Dop853,
    series: Series,
    /// Whether the last step was one by series, and its length.
    pub(super) by_series: bool,
    length: f64,
    /// Whether it is known where the next step starts, and the slope there.
    pub(super) entered: bool,
    begun: bool,
    prepared: bool,
}

impl Explicit {
    pub(super) fn new(dynamics: &Dynamics) -> Self {
        let mut runge = Dop853::default();
        // Time itself is an integral of its clock.
        let layout = dynamics.layout;
        runge.resize_with_integrals(layout.unknowns(), layout.integrals() + 1);
        Self {
            clock: Clock::default(),
            runge,
            series: Series::new(dynamics),
            by_series: false,
            length: 0.0,
            entered: false,
            begun: false,
            prepared: false,
        }
    }

    /// Decides in what time the next step is made, and starts it from a state if that is another one than before.
    pub(super) fn enter(&mut self, dynamics: &mut Dynamics, measured: &Measured, state: &State) {
        if self.clock.choose(dynamics, measured, state.indentations()) || !self.entered {
            self.runge.start[..state.len()].copy_from_slice(state);
            self.clock.enter(dynamics, &mut self.runge.start);
            (self.entered, self.begun) = (true, false);
        }
    }

    /// Computes what a step starts with, of one that will be short less; the longest that is exact enough, where that is
    /// known. Otherwise the dynamics are evaluated elsewhere.
    pub(super) fn begin(
        &mut self,
        dynamics: &mut Dynamics,
        tolerances: (&[f64], f64),
        short: bool,
    ) -> Option<f64> {
        let Self { clock, runge, series, .. } = self;
        if let Some(time) = runge.start.last_mut() {
            *time = 0.0;
        }
        let length = series.expand(dynamics, clock, &runge.start, tolerances, short);
        self.by_series = length.is_some();
        if !self.by_series && !self.begun {
            runge.begin(|y, out| clock.slope(dynamics, y, out));
            self.begun = true;
        }
        length
    }

    /// Makes a step and evaluates its end. `watch` sees the friction that sticking contacts need on the way, and answers how much
    /// that is of what they have; it was `used` where the step begins. Answers the error, one being allowed.
    pub(super) fn step(
        &mut self,
        h: f64,
        dynamics: &mut Dynamics,
        tolerances: &[f64],
        used: f64,
        mut watch: impl FnMut(&Dynamics) -> f64,
    ) -> f64 {
        let Self { clock, runge, series, .. } = self;
        (self.length, self.prepared) = (h, false);
        let holds = !dynamics.sticking.contacts.is_empty();
        if !self.by_series {
            runge.step(h, |y, out| {
                clock.slope(dynamics, y, out);
                if holds {
                    watch(dynamics);
                }
            });
            return runge.error(tolerances);
        }
        if holds {
            let mut probe = |part: f64| match series.forces_at(part * h, dynamics) {
                true => watch(dynamics),
                false => f64::INFINITY,
            };
            if probe(0.5).max(used) > tol::PROBE_UTILIZATION {
                for part in [0.25, 0.75] {
                    probe(part);
                }
            }
        }
        series.state_at(h, dynamics, &mut runge.end);
        dynamics.evaluate_in(&runge.end, true);
        series.error(h)
    }

    /// The state where the last step ends.
    pub(super) fn end(&self, end: &mut State) {
        let state = end.len();
        end.copy_from_slice(&self.runge.end[..state]);
        self.clock.leave(end);
    }

    /// The time that the last step took.
    pub(super) fn elapsed(&self) -> f64 {
        self.runge.end.last().copied().unwrap_or(0.0)
    }

    /// Prepares the last step to be looked into.
    pub(super) fn prepare(&mut self, dynamics: &mut Dynamics) {
        let Self { clock, runge, .. } = self;
        if !self.by_series && !self.prepared {
            runge.prepare(|y, out| clock.slope(dynamics, y, out));
            self.prepared = true;
        }
    }

    /// The state after a part of the last step, or its unknowns if there is no room for more.
    pub(super) fn state_at(&mut self, theta: f64, dynamics: &Dynamics, out: &mut [f64]) {
        match self.by_series {
            true => self.series.state_at(theta * self.length, dynamics, out),
            false => self.runge.interpolate(theta, out),
        }
        self.clock.leave(out);
    }

    /// Forces after a part of the last step, and reactions there. False if the state must be evaluated for that.
    pub(super) fn forces_at(&mut self, theta: f64, dynamics: &mut Dynamics) -> bool {
        self.by_series && self.series.forces_at(theta * self.length, dynamics)
    }

    /// One quantity there.
    pub(super) fn value(&self, quantity: Quantity, dynamics: &Dynamics, theta: f64) -> f64 {
        match self.by_series {
            true => self.series.value(quantity, dynamics, theta * self.length),
            false => quantity.of(dynamics, |i| self.runge.component(i, theta)),
        }
    }

    /// Ends the last step after a part of it.
    pub(super) fn shorten(&mut self, theta: f64, dynamics: &Dynamics) {
        match self.by_series {
            true => self.series.state_at(theta * self.length, dynamics, &mut self.runge.end),
            false => self.runge.shorten(theta),
        }
        self.begun = false;
    }

    /// The next step starts where the last one ended.
    pub(super) fn accept(&mut self) {
        match self.by_series {
            true => {
                self.runge.start.copy_from_slice(&self.runge.end);
                self.begun = false;
            }
            false => self.runge.accept(),
        }
    }
}
