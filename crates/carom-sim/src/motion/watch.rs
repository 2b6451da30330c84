//! Events of a pattern: what the forces and velocities of contacts that last must keep, and when they no longer do.

use super::decide::Decider;
use super::field::{Field, Friction};
use super::group::Scales;
use super::group::tolerances::{BEGUN, STILL};
use super::model::Model;
use carom_ode::{Dop853, locate};

/// What ended, at which contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Watched {
    /// Its normal force has become zero.
    Lift(usize),
    /// Friction has reached its bound.
    Cone(usize),
    /// No forces of redundant contacts hold any more.
    Group,
    /// Slip in the plane has become zero.
    ZeroSlip(usize),
    /// Slip in space that began has a direction of its own.
    Begun(usize),
    /// Slip has been fast enough for its end to be looked for.
    Armed(usize),
    /// The features are no longer those that touch.
    Margin(usize),
    /// The normal force of a sliding contact grows without bound.
    Singular(usize),
}

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchMemory {
    state: Vec<f64>,
    /// The functions at two points of a step.
    values: [Vec<(Watched, f64)>; 2],
}

/// A step under a pattern.
pub(crate) struct Watch<'a> {
    pub(crate) model: &'a Model,
    pub(crate) field: &'a mut Field,
    pub(crate) ode: &'a Dop853,
    pub(crate) decider: &'a mut Decider,
    pub(crate) memory: &'a mut WatchMemory,
    pub(crate) scales: Scales,
    pub(crate) h: f64,
}

/// Points of a step at which everything is looked at.
const POINTS: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];
/// Sliding contacts whose own `A` is smaller than this part of `W_nn` cannot be followed \[1\].
const SINGULAR: f64 = 1e-6;

impl Watch<'_> {
    /// The first event, and the part of the step at which it happens.
    pub(crate) fn first(&mut self) -> Option<(f64, Watched)> {
        let [mut values, mut next] = std::mem::take(&mut self.memory.values);
        let first = self.first_of(&mut values, &mut next);
        self.memory.values = [values, next];
        first
    }

    fn first_of(
        &mut self,
        values: &mut Vec<(Watched, f64)>,
        next: &mut Vec<(Watched, f64)>,
    ) -> Option<(f64, Watched)> {
        self.values(0.0, values)?;
        let mut left = 0.0;
        for right in POINTS {
            self.values(right, next)?;
            let mut first: Option<(f64, Watched)> = None;
            for (&(what, before), &(_, after)) in values.iter().zip(next.iter()) {
                if after >= 0.0 || !after.is_finite() {
                    continue;
                }
                let theta = if before <= 0.0 {
                    left
                } else if what == Watched::Group {
                    self.onset([left, right])
                } else {
                    let tolerance = 0.0;
                    locate([(left, before), (right, after)], tolerance, |theta| {
                        self.value(what, theta)
                    })
                };
                if first.is_none_or(|(known, _)| theta < known) {
                    first = Some((theta, what));
                }
            }
            if first.is_some() {
                return first;
            }
            std::mem::swap(values, next);
            left = right;
        }
        None
    }

    fn evaluate(&mut self, theta: f64) -> bool {
        let mut y = std::mem::take(&mut self.memory.state);
        y.resize(self.ode.start.len(), 0.0);
        if theta == 0.0 {
            y.copy_from_slice(&self.ode.start);
        } else if theta == 1.0 {
            y.copy_from_slice(&self.ode.end);
        } else {
            self.ode.interpolate(theta, &mut y);
        }
        y.truncate(self.field.unknowns());
        let evaluated = self.field.evaluate(self.model, &y).is_ok();
        self.memory.state = y;
        evaluated
    }

    /// Whether forces of contacts that depend on each other are judged together.
    fn grouped(&self) -> bool {
        let contacts = &self.field.contacts;
        let sticks = contacts.iter().any(|contact| contact.friction == Friction::Stick);
        self.field.redundant
            && (sticks || !contacts.iter().any(|contact| contact.friction.slides()))
    }

    /// All functions of the pattern, positive as long as it goes on.
    fn values(&mut self, theta: f64, values: &mut Vec<(Watched, f64)>) -> Option<()> {
        if !self.evaluate(theta) {
            return None;
        }
        let grouped = self.grouped();
        values.clear();
        if grouped {
            let value = self.decider.holds(self.field);
            values.push((Watched::Group, value));
        }
        for c in 0..self.field.contacts.len() {
            for what in [
                Watched::Lift(c),
                Watched::Cone(c),
                Watched::ZeroSlip(c),
                Watched::Begun(c),
                Watched::Armed(c),
                Watched::Margin(c),
                Watched::Singular(c),
            ] {
                if grouped && matches!(what, Watched::Lift(_) | Watched::Cone(_)) {
                    continue;
                }
                values.push((what, self.evaluated(what)));
            }
        }
        Some(())
    }

    fn value(&mut self, what: Watched, theta: f64) -> f64 {
        if self.evaluate(theta) { self.evaluated(what) } else { f64::NAN }
    }

    /// One function at the instant that was evaluated; infinite where it does not apply.
    fn evaluated(&mut self, what: Watched) -> f64 {
        let speed = self.scales.speed;
        let never = f64::INFINITY;
        match what {
            Watched::Group => self.decider.holds(self.field),
            Watched::Lift(c) => self.field.load(c),
            Watched::Cone(c) => {
                let [n, x, y] = self.field.forces[c];
                let mu = self.field.contacts[c].site.material.mu;
                match self.field.contacts[c].friction {
                    Friction::Stick if mu.is_finite() => mu * n - f64::hypot(x, y),
                    _ => never,
                }
            }
            Watched::ZeroSlip(c) => {
                let contact = &self.field.contacts[c];
                match contact.friction {
                    Friction::SlipPlane { sign } => {
                        let slack = if contact.armed { 0.0 } else { STILL * speed };
                        sign * self.field.at[c].u[1] + slack
                    }
                    _ => never,
                }
            }
            Watched::Begun(c) => match self.field.contacts[c].friction {
                Friction::Begins { .. } | Friction::BeginsHeld => {
                    BEGUN * speed - f64::hypot(self.field.at[c].u[1], self.field.at[c].u[2])
                }
                _ => never,
            },
            Watched::Armed(c) => match self.field.contacts[c] {
                super::field::Lasting {
                    friction: Friction::SlipPlane { sign },
                    armed: false,
                    ..
                } => BEGUN * speed - sign * self.field.at[c].u[1],
                _ => never,
            },
            Watched::Margin(c) => {
                let Some((feature, pair)) = self.field.contacts[c].site.feature() else {
                    return never;
                };
                let bodies = super::contact::Bodies {
                    model: self.model,
                    layout: &self.field.layout,
                    kinematics: &self.field.kinematics,
                    t: self.field.time,
                };
                feature.margin(&bodies.get(pair.a).pose, &bodies.get(pair.b).pose)
            }
            Watched::Singular(c) => {
                self.field.own_stiffness(c).map_or(never, |ratio| ratio - SINGULAR)
            }
        }
    }

    /// When redundant contacts begin to give way: accelerations leave zero in a straight line.
    fn onset(&mut self, [mut low, mut high]: [f64; 2]) -> f64 {
        while high - low > f64::EPSILON * high.abs().max(1e-3) {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if self.value(Watched::Group, middle) < 0.0 { high = middle } else { low = middle }
        }
        // Two values behind it tell where the line starts.
        let moment = 1e-6 * self.scales.time() / self.h;
        let near = self.value(Watched::Group, high + moment);
        let far = self.value(Watched::Group, high + 2.0 * moment);
        let start = high + moment - near * moment / (far - near);
        if near < 0.0 && far < near && start <= high && start > high - moment {
            start.max(0.0)
        } else {
            high
        }
    }
}
