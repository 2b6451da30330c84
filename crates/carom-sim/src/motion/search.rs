//! The first time in a step at which a gap closes, with nothing missed.
//!
//! Between two points of a step a gap `g` with `|g̈| ≤ K` lies above two parabolas; where their upper envelope is
//! positive there is no root. Otherwise the interval is halved, left half first, until the gap is monotone.

use super::assembly::Kinematics;
use super::contact::{Bodies, Layout, Site, Slot};
use super::model::{Model, PairModel, Place};
use super::vector::Twist;
use carom_ode::{Dop853, locate};
use std::rc::Rc;

/// By how much speeds and accelerations between sampled points may exceed those at the points \[1\].
const BETWEEN_SAMPLES: f64 = 1.5;
/// Parts of a step at which bodies are sampled.
const SAMPLES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Features that turn faster beside their bodies are as good as parallel: their contact is that of others \[1\].
const FASTEST_TURN: f64 = 100.0;
/// Halvings of an interval; below, gaps closer than rounding would be told apart.
const DEEPEST: u32 = 60;

/// Lengths and speeds below which gaps and approaches are rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thresholds {
    /// A gap this small counts as closed \[m\].
    pub(crate) closed: f64,
    /// A gap that others left behind zero by no more than this is closed as well \[m\].
    pub(crate) sunk: f64,
    /// A gap whose minimum is closer to zero than this is not told from one that closes \[m\].
    pub(crate) grazing: f64,
    /// An approach slower than this is none [m/s].
    pub(crate) speed: f64,
    /// How far outside its region a feature may be where it touches \[m\].
    pub(crate) margin: f64,
}

impl Thresholds {
    /// Whether a gap counts as closed. Closing gaps that last moves others by as much: they may be found below zero.
    pub(crate) fn is_closed(&self, gap: f64) -> bool {
        gap <= self.closed && gap >= -self.sunk
    }
}

/// Where bodies are at parts of a step, remembered.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepView {
    parts: Vec<f64>,
    states: Vec<Vec<f64>>,
    kinematics: Vec<Vec<Kinematics>>,
    used: usize,
}

impl StepView {
    /// Forgets the last step.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// The place at which the part `theta` of the step is kept.
    fn index(&mut self, model: &Model, layout: &Layout, ode: &Dop853, theta: f64) -> usize {
        if let Some(i) = self.parts[..self.used].iter().position(|x| *x == theta) {
            return i;
        }
        if self.used == self.parts.len() {
            self.parts.push(0.0);
            self.states.push(Vec::new());
            self.kinematics.push(Vec::new());
        }
        let i = self.used;
        self.used += 1;
        self.parts[i] = theta;
        let state = &mut self.states[i];
        state.resize(ode.start.len(), 0.0);
        if theta == 0.0 {
            state.copy_from_slice(&ode.start);
        } else if theta == 1.0 {
            state.copy_from_slice(&ode.end);
        } else {
            ode.interpolate(theta, state);
        }
        layout.kinematics(model, state, &mut self.kinematics[i]);
        i
    }

    /// The bodies at a part of the step.
    pub(crate) fn bodies<'a>(
        &'a mut self,
        model: &'a Model,
        layout: &'a Layout,
        ode: &Dop853,
        theta: f64,
    ) -> (Bodies<'a>, &'a [f64]) {
        let i = self.index(model, layout, ode, theta);
        let t = self.states[i][layout.positions() + layout.velocities()];
        let bodies = Bodies { model, layout, kinematics: &self.kinematics[i], t };
        (bodies, &self.states[i])
    }
}

/// The motion of one body over a step, bounded by samples.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) speed: f64,
    pub(crate) spin: f64,
    acceleration: f64,
    angular: f64,
}

impl Bounds {
    /// How fast turning moves a point at a distance from the centre; half-spaces, which have none, do not turn [m/s].
    fn turned(&self, rho: f64) -> f64 {
        if self.spin > 0.0 { self.spin * rho } else { 0.0 }
    }
}

/// A step to be searched.
pub(crate) struct Search<'a> {
    pub(crate) model: &'a Model,
    pub(crate) layout: &'a Layout,
    pub(crate) ode: &'a Dop853,
    pub(crate) view: &'a mut StepView,
    /// The length of the step \[s\].
    pub(crate) h: f64,
    pub(crate) thresholds: Thresholds,
}

/// A gap, its rate and how far inside its region the feature is, at a point of a step.
#[derive(Clone, Copy, Debug)]
struct At {
    theta: f64,
    gap: f64,
    rate: f64,
}

impl Search<'_> {
    /// Bounds on a body's motion from samples at five points.
    fn bounds(&mut self, body: usize) -> Bounds {
        let mut bounds = Bounds::default();
        let mut last: Option<(f64, Twist)> = None;
        for theta in SAMPLES {
            let (bodies, _) = self.view.bodies(self.model, self.layout, self.ode, theta);
            let twist = bodies.get(body).twist;
            bounds.speed = bounds.speed.max(twist.velocity.norm());
            bounds.spin = bounds.spin.max(twist.spin.norm());
            if let Some((before, old)) = last {
                let dt = (theta - before) * self.h;
                bounds.acceleration =
                    bounds.acceleration.max((twist.velocity - old.velocity).norm() / dt);
                bounds.angular = bounds.angular.max((twist.spin - old.spin).norm() / dt);
            }
            last = Some((theta, twist));
        }
        bounds
    }

    /// The velocities of a body at the ends of the step.
    fn ends(&mut self, body: usize) -> [Twist; 2] {
        // Those of a body alone are unknowns.
        if let Place::Moving { assembly, body } = self.model.place[body]
            && let Some(k) = self.layout.find(assembly)
        {
            let first = self.layout.positions();
            let of = |y: &[f64]| {
                let v = &y[first..][self.layout.v_of(k)];
                self.model.assemblies[assembly].lone_twist(body, v)
            };
            if let (Some(start), Some(end)) = (of(&self.ode.start), of(&self.ode.end)) {
                return [start, end];
            }
        }
        [0.0, 1.0].map(|theta| {
            self.view.bodies(self.model, self.layout, self.ode, theta).0.get(body).twist
        })
    }

    /// How far any point of a body may come in this step, by bounds from its ends alone \[m\].
    pub(crate) fn path(&mut self, body: usize) -> f64 {
        let [start, end] = self.ends(body);
        let speed = start.velocity.norm().max(end.velocity.norm());
        let spin = start.spin.norm().max(end.spin.norm());
        let acceleration = (end.velocity - start.velocity).norm() / self.h;
        let angular = (end.spin - start.spin).norm() / self.h;
        let turned = |rate: f64| if rate > 0.0 { rate * self.model.radius[body] } else { 0.0 };
        let fastest =
            speed + 0.5 * acceleration * self.h + turned(spin) + 0.5 * self.h * turned(angular);
        2.0 * BETWEEN_SAMPLES * self.h * fastest
    }

    /// How much farther apart two bodies are than they may come in this step; not positive where they may touch \[m\].
    pub(crate) fn clearance(&mut self, pair: &PairModel) -> f64 {
        let path = self.path(pair.a) + self.path(pair.b);
        let (bodies, _) = self.view.bodies(self.model, self.layout, self.ode, 0.0);
        let (a, b) = (bodies.get(pair.a).pose, bodies.get(pair.b).pose);
        let distances = pair.shapes.iter().map(|shapes| shapes.distance_bound(&a, &b));
        distances.fold(f64::INFINITY, f64::min) - path
    }

    /// The first part of the step at which one of the pair's features touches, and which, up to `end`. Contacts that last
    /// are left out, and so are the other features of shapes of which only one touches at a time.
    pub(crate) fn pair(
        &mut self,
        pair: &Rc<PairModel>,
        lasting: impl Fn(&Site) -> bool,
        end: f64,
    ) -> Option<(f64, Site)> {
        let [a, b] = [self.bounds(pair.a), self.bounds(pair.b)];
        let mut first: Option<(f64, Site)> = None;
        for shape in 0..pair.shapes.len() {
            for feature in 0..pair.shapes[shape].features.len() {
                let site = Site::of_feature(pair, shape, feature);
                if lasting(&site) {
                    continue;
                }
                let end = first.as_ref().map_or(end, |(theta, _)| *theta);
                if !self.may_touch(&site, &a, &b, end) {
                    continue;
                }
                let bound = self.feature_bound(&site, &a, &b);
                if let Some(theta) = self.first(&site, bound, end)
                    && first.as_ref().is_none_or(|(before, _)| theta < *before)
                {
                    first = Some((theta, site));
                }
            }
        }
        first
    }

    /// The first part of the step at which a joint meets its limit.
    pub(crate) fn limit(&mut self, site: &Site, end: f64) -> Option<f64> {
        let mut bound: f64 = 0.0;
        let mut last: Option<At> = None;
        for theta in SAMPLES {
            let at = self.at(site, theta);
            if let Some(old) = last {
                bound = bound.max((at.rate - old.rate).abs() / ((theta - old.theta) * self.h));
            }
            last = Some(at);
        }
        self.first(site, BETWEEN_SAMPLES * bound, end)
    }

    /// `K` of a feature.
    fn feature_bound(&mut self, site: &Site, a: &Bounds, b: &Bounds) -> f64 {
        let Some((feature, pair)) = site.feature() else { return 0.0 };
        // Crossing edges that are nearly parallel, and rims that are nearly flat, turn faster than the bodies.
        let mut turns: f64 = 1.0;
        for theta in [0.0, 0.5, 1.0] {
            let (bodies, _) = self.view.bodies(self.model, self.layout, self.ode, theta);
            turns = turns.max(feature.turning(&bodies.get(pair.a).pose, &bodies.get(pair.b).pose));
        }
        let turns = turns.min(FASTEST_TURN);
        let [rho_a, rho_b] = feature.reach();
        let turning = |bounds: &Bounds, rho: f64| {
            let rate = bounds.angular + bounds.spin * bounds.spin;
            bounds.acceleration + if rate > 0.0 { turns * rate * rho } else { 0.0 }
        };
        let relative = a.speed + b.speed + a.turned(rho_a) + b.turned(rho_b);
        let curved = relative * relative / feature.curvature_radius();
        let spins = 2.0 * turns * (a.spin + b.spin) * relative;
        BETWEEN_SAMPLES * (turning(a, rho_a) + turning(b, rho_b) + spins + curved)
    }

    /// Whether two features are so near each other, and to their region of validity, that they may touch.
    fn may_touch(&mut self, site: &Site, a: &Bounds, b: &Bounds, end: f64) -> bool {
        let Some((feature, pair)) = site.feature() else { return true };
        let [rho_a, rho_b] = feature.reach();
        let turned = a.turned(rho_a) + b.turned(rho_b);
        let time = end * self.h;
        let straight = a.speed + b.speed + (a.acceleration + b.acceleration) * time;
        let (bodies, _) = self.view.bodies(self.model, self.layout, self.ode, 0.0);
        let (pose_a, pose_b) = (bodies.get(pair.a).pose, bodies.get(pair.b).pose);
        let path = BETWEEN_SAMPLES * (straight + 2.0 * turned) * time;
        feature.distance(&pose_a, &pose_b) <= path
            && -feature.margin(&pose_a, &pose_b) <= 2.0 * path
    }

    pub(crate) fn margin(&mut self, site: &Site, theta: f64) -> f64 {
        let Some((feature, pair)) = site.feature() else { return f64::INFINITY };
        let (bodies, _) = self.view.bodies(self.model, self.layout, self.ode, theta);
        feature.margin(&bodies.get(pair.a).pose, &bodies.get(pair.b).pose)
    }

    fn at(&mut self, site: &Site, theta: f64) -> At {
        let (bodies, y) = self.view.bodies(self.model, self.layout, self.ode, theta);
        let (gap, rate) = gap_and_rate(&bodies, site, y);
        At { theta, gap, rate }
    }

    /// The first closing of a gap with `|g̈| ≤ bound`, up to the part `end` of the step.
    fn first(&mut self, site: &Site, bound: f64, end: f64) -> Option<f64> {
        let thresholds = self.thresholds;
        let mut start = self.at(site, 0.0);
        if thresholds.is_closed(start.gap) {
            if start.rate < -thresholds.speed && self.is_valid(site, 0.0) {
                return Some(0.0);
            }
            start = match self.leave(site, start, bound, end) {
                Departure::Above(at) => at,
                Departure::Below(theta) => return self.is_valid(site, theta).then_some(theta),
                Departure::Never => return None,
            };
        }
        if start.theta >= end {
            return None;
        }
        let stop = self.at(site, end);
        self.between(site, start, stop, bound, 0)
    }

    /// From a gap that is zero at the start to a point at which it is not.
    fn leave(&mut self, site: &Site, start: At, bound: f64, end: f64) -> Departure {
        let small = 0.1 * self.thresholds.closed;
        if start.rate > self.thresholds.speed {
            // Nothing before twice this time.
            let theta = if bound > 0.0 { start.rate / bound / self.h } else { end };
            if theta >= end {
                return Departure::Never;
            }
            let at = self.at(site, theta);
            if at.gap > 0.0 {
                return Departure::Above(at);
            }
        }
        let mut last = start;
        for k in (0..=30).rev() {
            let at = self.at(site, libm::ldexp(end, -k));
            if at.gap > small {
                return Departure::Above(at);
            }
            // Deeper than rounding left it where it was closed.
            let floor = start.gap.min(0.0) - small;
            if at.gap < floor {
                // Where it is still as good as closed.
                let ends = [(last.theta, last.gap - floor), (at.theta, at.gap - floor)];
                return Departure::Below(locate(ends, 0.0, |theta| {
                    self.at(site, theta).gap - floor
                }));
            }
            last = at;
        }
        Departure::Never
    }

    fn is_valid(&mut self, site: &Site, theta: f64) -> bool {
        let sags = site.feature().map_or(0.0, |(feature, _)| feature.sags());
        self.margin(site, theta) >= -self.thresholds.margin - sags
    }

    fn between(&mut self, site: &Site, a: At, b: At, bound: f64, depth: u32) -> Option<f64> {
        let h = (b.theta - a.theta) * self.h;
        if h <= 0.0 {
            return None;
        }
        let beyond = |sign: f64| {
            let (ga, gb, da, db) = (sign * a.gap, sign * b.gap, sign * a.rate, sign * b.rate);
            let width = bound * h + db - da;
            let x = if width > 0.0 {
                ((ga - gb + db * h + 0.5 * bound * h * h) / width).clamp(0.0, h)
            } else {
                0.0
            };
            ga.min(gb).min(ga + da * x - 0.5 * bound * x * x) > 0.0
        };
        if beyond(1.0) || (a.gap <= 0.0 && beyond(-1.0)) {
            return None;
        }
        let monotone = a.rate < 0.0 && b.rate < 0.0 && -(a.rate + b.rate) > bound * h;
        let small = bound * h * h < 8.0 * self.thresholds.grazing || depth >= DEEPEST;
        if a.gap > 0.0 && b.gap <= 0.0 && (monotone || small) {
            // To the last digit: what is left of a gap is height that the next bounce has too much.
            let root =
                locate([(a.theta, a.gap), (b.theta, b.gap)], 0.0, |theta| self.at(site, theta).gap);
            if self.is_valid(site, root) {
                return Some(root);
            }
            // Another feature is nearer there; this one may come back.
            return None;
        }
        if small || (a.rate < 0.0 && b.rate < 0.0 && -(a.rate + b.rate) > bound * h && a.gap <= 0.0)
        {
            return None;
        }
        let middle = self.at(site, 0.5 * (a.theta + b.theta));
        let left = self.between(site, a, middle, bound, depth + 1);
        left.or_else(|| self.between(site, middle, b, bound, depth + 1))
    }
}

enum Departure {
    Above(At),
    Below(f64),
    Never,
}

/// The gap of a site and its rate.
pub(crate) fn gap_and_rate(bodies: &Bodies, site: &Site, y: &[f64]) -> (f64, f64) {
    match (site.feature(), site.slot) {
        (Some((feature, pair)), _) => {
            let (a, b) = (bodies.get(pair.a), bodies.get(pair.b));
            let touch = feature.touch(&a.pose, &b.pose);
            let at =
                |body: &super::contact::BodyAt| body.twist.at(&(touch.point - body.pose.centre));
            (touch.gap, touch.normal.dot(&(at(&b) - at(&a))))
        }
        (None, Slot::Limit { assembly, limit }) => {
            let Some(k) = bodies.layout.find(assembly) else { return (f64::INFINITY, 0.0) };
            let assembly = &bodies.model.assemblies[assembly];
            let nq = bodies.layout.positions();
            let (q, v) = (&y[bodies.layout.q_of(k)], &y[nq..][bodies.layout.v_of(k)]);
            let [gap, rate] = assembly.limit(&assembly.limits()[limit], q, v, &mut []);
            (gap, rate)
        }
        (None, Slot::Feature { .. }) => (f64::INFINITY, 0.0),
    }
}
