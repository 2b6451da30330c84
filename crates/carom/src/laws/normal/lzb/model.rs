//! The equations of motion during an impact, in units in which speeds, masses, stiffness and times are about one.

use super::tolerances::{MIN_E, ROUNDING};
use super::{Gaps, Lzb};
use crate::island::normal::NormalProblem;

/// How a contact moves until the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It does not touch, or it touches and leaves.
    Open,
    /// It touches without a force and neither approaches nor leaves.
    Resting,
    /// It bears a force and approaches.
    Loading,
    /// It bears a force and leaves.
    Unloading,
}

impl Mode {
    pub(crate) fn closed(self) -> bool {
        matches!(self, Self::Loading | Self::Unloading)
    }
}

/// One contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spring {
    /// `W_ii` \[1\].
    pub(crate) response: f64,
    /// Stiffness \[1\].
    pub(crate) stiffness: f64,
    /// Restitution \[1\].
    pub(crate) e: f64,
    /// The indentation that it reaches alone at unit speed, the unit of its indentation \[1\].
    pub(crate) depth: f64,
}

/// The contacts of an island, and the units in which they are described.
pub(crate) struct Model {
    pub(crate) springs: Vec<Spring>,
    pub(crate) exponent: f64,
    pub(crate) gaps: Gaps,
    /// Hunt and Crossley's damping \[1\].
    pub(crate) damping: Option<f64>,
    /// The unit of speed [m/s].
    pub(crate) speed: f64,
    /// The unit of `W` [1/kg].
    pub(crate) response: f64,
}

impl Model {
    pub(crate) fn new(law: &Lzb, problem: &NormalProblem) -> Self {
        let n = problem.len();
        let mean = |total: f64| if total > 0.0 { total / n as f64 } else { 1.0 };
        let speed = if problem.scale > 0.0 { problem.scale } else { 1.0 };
        let response = mean((0..n).map(|i| problem.diagonal(i)).sum());
        let stiffness = mean((0..n).map(|i| problem.material(i).stiffness).sum());
        let springs = (0..n).map(|i| {
            let (w, k) =
                (problem.diagonal(i) / response, problem.material(i).stiffness / stiffness);
            let e = if problem.e.at(i) > 0.0 { problem.e.at(i).max(MIN_E) } else { 0.0 };
            let bend = if w > 0.0 { w * k } else { k };
            Spring {
                response: w,
                stiffness: k,
                e,
                depth: libm::pow(bend, -1.0 / (law.exponent + 1.0)),
            }
        });
        Self {
            springs: springs.collect(),
            exponent: law.exponent,
            gaps: law.gaps,
            damping: law.hunt_crossley.map(|c| 1.5 * c * speed),
            speed,
            response,
        }
    }

    /// Whether loading and unloading differ at a contact, so that the reversal between them is an event.
    pub(crate) fn reverses(&self, i: usize) -> bool {
        self.damping.is_none() && self.springs[i].e < 1.0
    }

    /// The energy that a contact stores at an indentation.
    pub(crate) fn stored(&self, i: usize, d: f64) -> f64 {
        self.springs[i].stiffness * libm::pow(d.max(0.0), self.exponent + 1.0)
            / (self.exponent + 1.0)
    }

    /// The force of a contact at an indentation and a velocity.
    fn force(&self, stiffness: f64, d: f64, u: f64) -> f64 {
        if d <= 0.0 {
            return 0.0;
        }
        let power = match self.exponent {
            1.0 => d,
            1.5 => d * f64::sqrt(d),
            exponent => libm::pow(d, exponent),
        };
        stiffness * power * self.damping.map_or(1.0, |c| (1.0 - c * u).max(0.0))
    }
}

/// The contacts of the present step: those that bear a force, and those coupled to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActiveContacts {
    pub(crate) rows: Vec<usize>,
    modes: Vec<Mode>,
    /// Their `W`, row after row: where each begins, columns among the active, entries \[1\].
    starts: Vec<usize>,
    columns: Vec<usize>,
    entries: Vec<f64>,
    /// Velocities at the start of the step \[1\].
    base: Vec<f64>,
    /// Velocities where the slope was last computed \[1\].
    pub(crate) velocity: Vec<f64>,
    /// How far beyond an event each went within the step; zero or less \[1\].
    overshoot: Vec<f64>,
    /// Units of the errors of indentations and impulses \[1\].
    scale: Vec<f64>,
    /// The index of each row among the active.
    place: Vec<usize>,
}

impl ActiveContacts {
    /// Chooses the contacts.
    pub(crate) fn choose(
        &mut self,
        model: &Model,
        problem: &NormalProblem,
        modes: &[Mode],
        alone: impl Fn(usize) -> bool,
    ) {
        self.place.resize(modes.len(), usize::MAX);
        for &i in &self.rows {
            self.place[i] = usize::MAX;
        }
        self.rows.clear();
        let (rows, place) = (&mut self.rows, &mut self.place);
        let mut take = |i: usize| {
            if place[i] == usize::MAX {
                place[i] = 0;
                rows.push(i);
            }
        };
        for (i, mode) in modes.iter().enumerate() {
            if mode.closed() {
                take(i);
                problem.w.for_row(i, |j, w| {
                    if w != 0.0 {
                        take(j);
                    }
                });
            } else if alone(i) {
                take(i);
            }
        }
        rows.sort_unstable();
        for (at, &i) in self.rows.iter().enumerate() {
            self.place[i] = at;
        }
        self.starts.clear();
        self.columns.clear();
        self.entries.clear();
        for &i in &self.rows {
            self.starts.push(self.columns.len());
            problem.w.for_row(i, |j, w| {
                if self.place[j] != usize::MAX {
                    self.columns.push(self.place[j]);
                    self.entries.push(w / model.response);
                }
            });
        }
        self.starts.push(self.columns.len());
    }

    /// Starts a step: velocities and modes of all contacts.
    pub(crate) fn start(&mut self, modes: &[Mode], velocity: &[f64]) {
        self.modes.clear();
        self.modes.extend(self.rows.iter().map(|&i| modes[i]));
        self.base.clear();
        self.base.extend(self.rows.iter().map(|&i| velocity[i]));
        self.velocity.resize(self.rows.len(), 0.0);
        self.overshoot.resize(self.rows.len(), 0.0);
    }

    /// Forgets how far contacts went beyond events.
    pub(crate) fn reset_overshoot(&mut self) {
        self.overshoot.fill(0.0);
    }

    /// How far any contact went beyond an event since [`Self::reset_overshoot`], at most zero.
    pub(crate) fn largest_overshoot(&self) -> f64 {
        self.overshoot.iter().fold(0.0, |m, x| m.min(*x))
    }

    /// Starts the next step where the last one ended, with impulses from zero again: where light bodies are pressed between
    /// heavy ones, velocities are small differences of impulses.
    pub(crate) fn continue_from_end(&mut self) {
        self.base.copy_from_slice(&self.velocity);
    }

    /// Units of the errors of a step to `end`: the indentation that a contact reaches alone at unit speed, or that of now;
    /// and the impulse that gives unit speed, or, if larger, the part of its own impulse that rounding leaves uncertain.
    pub(crate) fn scale(&mut self, model: &Model, end: &[f64]) -> &[f64] {
        let n = self.rows.len();
        self.scale.resize(2 * n, 0.0);
        let (depths, impulses) = self.scale.split_at_mut(n);
        for (at, &i) in self.rows.iter().enumerate() {
            let spring = &model.springs[i];
            let unit = if spring.response > 0.0 { 1.0 / spring.response } else { 1.0 };
            depths[at] = spring.depth.max(end[at]);
            impulses[at] = unit.max(ROUNDING * end[n + at]);
        }
        &self.scale
    }

    /// The change of one velocity by impulses of all active contacts, or its acceleration by forces.
    pub(crate) fn response(&self, at: usize, p: &[f64]) -> f64 {
        let range = self.starts[at]..self.starts[at + 1];
        let columns = &self.columns[range.clone()];
        columns.iter().zip(&self.entries[range]).map(|(&j, w)| w * p[j]).sum()
    }

    /// `[d, p]′`: indentations follow the velocities, impulses the forces. `p` counts from the start of the step.
    pub(crate) fn slope(&mut self, model: &Model, state: &[f64], slope: &mut [f64]) {
        let n = self.rows.len();
        let (d, p) = state.split_at(n);
        let (d_slope, p_slope) = slope.split_at_mut(n);
        for i in 0..n {
            let u = self.base[i] + self.response(i, p);
            let spring = &model.springs[self.rows[i]];
            self.velocity[i] = u;
            let depth = d[i] / spring.depth;
            let margin = match (self.modes[i], model.reverses(self.rows[i])) {
                (Mode::Open, _) if model.gaps == Gaps::Forget => u,
                (Mode::Open, _) => -depth,
                (Mode::Resting, _) => 0.0,
                (Mode::Loading, true) => -u,
                (Mode::Unloading, true) => u.min(depth),
                _ => depth,
            };
            self.overshoot[i] = self.overshoot[i].min(margin);
            (d_slope[i], p_slope[i]) = match (self.modes[i], model.gaps) {
                (Mode::Open, Gaps::Forget) => (0.0, 0.0),
                (Mode::Open, Gaps::Remember) => (-u, 0.0),
                (Mode::Resting, Gaps::Forget) => {
                    ((-u).max(0.0), model.force(spring.stiffness, d[i], u))
                }
                (Mode::Unloading, _) if model.damping.is_none() => {
                    (-u / (spring.e * spring.e), model.force(spring.stiffness, d[i], u))
                }
                _ => (-u, model.force(spring.stiffness, d[i], u)),
            };
        }
    }
}
