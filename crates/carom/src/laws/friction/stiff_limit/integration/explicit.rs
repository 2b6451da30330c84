//! Explicit steps in the time of the clock: by series where there are some, else by Dormand and Prince's method.

use super::super::dynamics::Dynamics;
use super::super::events::Quantity;
use super::super::tolerances as tol;
use super::clock::Clock;
use super::series::Series;
use carom_ode::Dop853;

pub(crate) struct Explicit {
    runge: Dop853,
    series: Series,
    /// Whether the last step was one by series, and its length.
    by_series: bool,
    length: f64,
    /// Whether Dormand and Prince's method knows the slope at the start.
    begun: bool,
    prepared: bool,
}

impl Explicit {
    pub(crate) fn new(dynamics: &Dynamics) -> Self {
        let mut runge = Dop853::default();
        // Time itself is an integral of its clock.
        let layout = dynamics.layout;
        runge.resize_with_integrals(layout.unknowns(), layout.integrals() + 1);
        let series = Series::new(dynamics);
        Self { runge, series, by_series: false, length: 0.0, begun: false, prepared: false }
    }

    /// Where a step starts, with the unknowns of the clock; time is last. Whoever changes it calls [`Self::enter`].
    pub(crate) fn start(&mut self) -> &mut [f64] {
        &mut self.runge.start
    }

    /// The start or the dynamics was changed.
    pub(crate) fn enter(&mut self) {
        self.begun = false;
    }

    /// Computes what a step starts with, of one that will be short less; the longest that is exact enough, where that is
    /// known. The dynamics is left as it was only then.
    pub(crate) fn begin(
        &mut self,
        clock: &Clock,
        dynamics: &mut Dynamics,
        tolerances: (&[f64], f64),
        short: bool,
    ) -> Option<f64> {
        let Self { runge, series, .. } = self;
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

    /// Makes a step; the dynamics is then looked at where it ends. `watch` sees what contacts have to hold on the way, and tells which
    /// part of what they can that is; it was `used` where the step begins. Answers the error, one being allowed.
    pub(crate) fn step(
        &mut self,
        h: f64,
        clock: &Clock,
        dynamics: &mut Dynamics,
        tolerances: &[f64],
        used: f64,
        mut watch: impl FnMut(&Dynamics) -> f64,
    ) -> f64 {
        let Self { runge, series, .. } = self;
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
            let mut evaluate = |part: f64| match series.forces_at(part * h, dynamics) {
                true => watch(dynamics),
                false => f64::INFINITY,
            };
            if evaluate(tol::PROBE).max(used) > tol::PROBE_UTILIZATION {
                for part in tol::PROBES {
                    evaluate(part);
                }
            }
        }
        series.state_at(h, dynamics, &mut runge.end);
        dynamics.evaluate_by_roots(&runge.end);
        series.error(h)
    }

    /// Whether the last step was one by series.
    pub(crate) fn by_series(&self) -> bool {
        self.by_series
    }

    /// Where the last step ends.
    pub(crate) fn end(&self) -> &[f64] {
        &self.runge.end
    }

    /// Prepares [`Self::component`].
    pub(crate) fn prepare(&mut self, clock: &Clock, dynamics: &mut Dynamics) {
        if !self.by_series && !self.prepared {
            self.runge.prepare(|y, out| clock.slope(dynamics, y, out));
            self.prepared = true;
        }
    }

    /// The state after a part of the last step, with the unknowns of the clock, or these alone if there is no room for more.
    /// Wants [`Self::prepare`].
    pub(crate) fn state_at(&mut self, theta: f64, dynamics: &Dynamics, out: &mut [f64]) {
        match self.by_series {
            true => self.series.state_at(theta * self.length, dynamics, out),
            false => self.runge.interpolate(theta, out),
        }
    }

    /// Forces after a part of the last step, and what sticking contacts pull there. Answers false if that is not told so easily.
    pub(crate) fn forces_at(&mut self, theta: f64, dynamics: &mut Dynamics) -> bool {
        self.by_series && self.series.forces_at(theta * self.length, dynamics)
    }

    /// One quantity there.
    pub(crate) fn value(&self, quantity: Quantity, dynamics: &Dynamics, theta: f64) -> f64 {
        match self.by_series {
            true => self.series.value(quantity, dynamics, theta * self.length),
            false => quantity.of(dynamics, |i| self.runge.component(i, theta)),
        }
    }

    /// Ends the last step after a part of it.
    pub(crate) fn shorten(&mut self, theta: f64, dynamics: &Dynamics) {
        match self.by_series {
            true => self.series.state_at(theta * self.length, dynamics, &mut self.runge.end),
            false => self.runge.shorten(theta),
        }
        self.begun = false;
    }

    /// The next step starts where the last one ended.
    pub(crate) fn accept(&mut self) {
        match self.by_series {
            true => {
                self.runge.start.copy_from_slice(&self.runge.end);
                self.begun = false;
            }
            false => self.runge.accept(),
        }
    }
}
