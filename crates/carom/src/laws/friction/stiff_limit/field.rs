//! The equations of motion between two events.
//!
//! Unknowns are indentations `d` and coordinates of velocity `x`; beside them run integrals, on which nothing depends: the
//! impulses.

use super::model::Model;
use super::rows;
use super::stick::Hold;
use crate::laws::normal::lzb::Gaps;

/// How a contact moves along its normal until the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// It does not press.
    Open,
    /// It is pressed and presses back; it approaches, or loading and unloading are the same.
    Loading,
    /// It is pressed and presses back; it leaves.
    Unloading,
}

impl Touch {
    pub(crate) fn closed(self) -> bool {
        self != Self::Open
    }
}

/// What a grip does until the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slip {
    Slides,
    Sticks,
}

/// How a grip slides.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sliding {
    /// The size of its slip, how fast that grows, and how fast the slip changes at all \[1\].
    pub(crate) speed: f64,
    pub(crate) rate: f64,
    pub(crate) change: f64,
    /// The sine of the angle between slip and change \[1\].
    pub(crate) turn: f64,
}

/// How contacts move, and what that was when last asked for.
pub(crate) struct Field {
    pub(crate) model: Model,
    pub(crate) touch: Vec<Touch>,
    /// Whether Hunt and Crossley's force has vanished because the contact leaves too fast.
    pub(crate) slack: Vec<bool>,
    pub(crate) slip: Vec<Slip>,
    /// The contacts whose indentation is followed by its root, see [`Clock`](super::clock::Clock).
    pub(crate) rooted: Vec<bool>,
    /// Whether a grip slides one way until it stops: with one tangent, or where its slip has found its direction.
    pub(crate) heads: Vec<bool>,
    /// That direction.
    pub(crate) heading: Vec<[f64; 2]>,
    /// What sticking contacts hold.
    pub(crate) hold: Hold,
    /// Slip below which friction is smoothed; zero for Coulomb's law itself \[1\].
    pub(crate) smoothing: f64,
    /// The coordinates of velocity where the slope was last asked for, as a padded row \[1\].
    x: Vec<f64>,
    /// Normal velocities, slips, forces, acceleration and friction where the slope was last asked for \[1\].
    pub(crate) u: Vec<f64>,
    pub(crate) v: Vec<[f64; 2]>,
    pub(crate) force: Vec<f64>,
    pub(crate) friction: Vec<[f64; 2]>,
    pub(crate) acceleration: Vec<f64>,
    /// The acceleration before sticking contacts hold theirs.
    pub(crate) free: Vec<f64>,
    /// How grips slide, where that was last measured.
    pub(crate) sliding: Vec<Sliding>,
}

impl Field {
    pub(crate) fn new(model: Model) -> Self {
        let (n, g, stride) = (model.len(), model.grips.len(), model.stride);
        Self {
            touch: vec![Touch::Open; n],
            slack: vec![false; n],
            slip: vec![Slip::Slides; g],
            rooted: vec![false; n],
            heads: model.grips.iter().map(|grip| grip.tangents == 1).collect(),
            heading: vec![[1.0, 0.0]; g],
            hold: Hold::default(),
            smoothing: 0.0,
            x: vec![0.0; stride],
            u: vec![0.0; n],
            v: vec![[0.0; 2]; g],
            force: vec![0.0; n],
            friction: vec![[0.0; 2]; g],
            acceleration: vec![0.0; stride],
            free: vec![0.0; stride],
            sliding: vec![Sliding::default(); g],
            model,
        }
    }

    /// How many unknowns there are on which slopes depend.
    pub(crate) fn unknowns(&self) -> usize {
        self.model.len() + self.model.rank
    }

    /// Normal impulses, friction impulses of what slides, and impulses of what sticks along its directions.
    pub(crate) fn integrals(&self) -> usize {
        let (n, g) = (self.model.len(), self.model.grips.len());
        n + 2 * g + self.model.rank
    }

    /// Whether a grip slides and is pressed.
    pub(crate) fn slides(&self, g: usize) -> bool {
        self.slip[g] == Slip::Slides && self.touch[self.model.grips[g].contact].closed()
    }

    /// Whether a grip sticks and is pressed.
    pub(crate) fn sticks(&self, g: usize) -> bool {
        self.slip[g] == Slip::Sticks && self.touch[self.model.grips[g].contact].closed()
    }

    /// Measures how pressed grips slide, where the field was last looked at.
    pub(crate) fn measure_slips(&mut self) {
        for g in 0..self.model.grips.len() {
            if !self.slides(g) {
                continue;
            }
            let stride = self.model.stride;
            let both = &self.model.tangents[2 * g * stride..2 * (g + 1) * stride];
            let (first, second) = both.split_at(stride);
            let [x, y] = self.v[g];
            let [a, b] = [first, second].map(|row| rows::dot(row, &self.acceleration));
            let (speed, change) = (rows::length([x, y]), rows::length([a, b]));
            let rate = if speed > 0.0 { (x * a + y * b) / speed } else { 0.0 };
            let turn = (x * b - y * a).abs() / (speed * change).max(f64::MIN_POSITIVE);
            self.sliding[g] = Sliding { speed, rate, change, turn };
        }
    }

    /// Velocities and forces at a state.
    pub(crate) fn look(&mut self, state: &[f64]) {
        self.look_by(state, false);
    }

    /// The same where the state has the roots of indentations that are followed by them.
    pub(crate) fn look_by_roots(&mut self, state: &[f64]) {
        self.look_by(state, true);
    }

    fn look_by(&mut self, state: &[f64], roots: bool) {
        // Rows of a length that the compiler knows take half of the time: those of one body, of two, of less.
        match self.model.stride {
            2 => self.look_along::<2>(state, roots),
            4 => self.look_along::<4>(state, roots),
            6 => self.look_along::<6>(state, roots),
            12 => self.look_along::<12>(state, roots),
            _ => self.look_along::<0>(state, roots),
        }
    }

    /// The same for rows of this length; of any for 0.
    fn look_along<const STRIDE: usize>(&mut self, state: &[f64], roots: bool) {
        let Self { model, touch, slack, slip, rooted, heads, heading, smoothing, .. } = self;
        let n = model.len();
        self.x[..model.rank].copy_from_slice(&state[n..n + model.rank]);
        let stride = if STRIDE == 0 { model.stride } else { STRIDE };
        let (x, free) = (&self.x[..stride], &mut self.free[..stride]);
        free.fill(0.0);
        for (k, row) in model.normals.chunks_exact(stride).enumerate() {
            let u = model.normal_start[k] + rows::dot(row, x);
            self.u[k] = u;
            self.force[k] = 0.0;
            if touch[k].closed() && !slack[k] {
                let raised = match roots && rooted[k] {
                    true => model.power.raise_square(state[k]),
                    false => model.power.raise(state[k]),
                };
                let raised = model.springs[k].stiffness * raised;
                let force = raised * model.damping.map_or(1.0, |c| 1.0 - c * u);
                self.force[k] = force;
                rows::add(free, force, row);
            }
        }
        let tangents = model.tangents.chunks_exact(2 * stride);
        for (g, (grip, both)) in model.grips.iter().zip(tangents).enumerate() {
            self.friction[g] = [0.0; 2];
            if !touch[grip.contact].closed() {
                continue;
            }
            let (first, second) = both.split_at(stride);
            let in_space = grip.tangents == 2;
            let mut v = [model.tangent_start[2 * g] + rows::dot(first, x), 0.0];
            if in_space {
                v[1] = model.tangent_start[2 * g + 1] + rows::dot(second, x);
            }
            self.v[g] = v;
            if slip[g] == Slip::Sticks {
                continue;
            }
            // A step may end beyond a stop before it is cut: there friction has no other direction yet.
            let heads = heads[g] && *smoothing == 0.0;
            let [a, b] = if heads { heading[g] } else { v };
            let speed = match heads {
                true => 1.0,
                false => f64::sqrt(a * a + b * b + *smoothing * *smoothing),
            };
            if speed > 0.0 {
                // Friction opposes the slip; its size is known from the indentation.
                let size = -grip.mu * self.force[grip.contact] / speed;
                self.friction[g] = [size * a, size * b];
                rows::add(free, size * a, first);
                if in_space {
                    rows::add(free, size * b, second);
                }
            }
        }
        self.hold.take(&self.free, &mut self.acceleration);
    }

    /// Slopes of the unknowns, then those of the integrals.
    pub(crate) fn slope(&mut self, state: &[f64], slope: &mut [f64]) {
        self.look(state);
        self.tell_slope(slope);
    }

    /// The same where the state has the roots of indentations that are followed by them; slopes are those of indentations.
    pub(crate) fn slope_by_roots(&mut self, state: &[f64], slope: &mut [f64]) {
        self.look_by(state, true);
        self.tell_slope(slope);
    }

    fn tell_slope(&self, slope: &mut [f64]) {
        let (n, g, rank) = (self.model.len(), self.model.grips.len(), self.model.rank);
        for (k, (slope, u)) in slope.iter_mut().zip(&self.u).enumerate() {
            *slope = -self.pace(k) * u;
        }
        slope[n..n + rank].copy_from_slice(&self.acceleration[..rank]);
        let integrals = &mut slope[n + rank..];
        integrals[..n].copy_from_slice(&self.force);
        integrals[n..n + 2 * g].copy_from_slice(self.friction.as_flattened());
        let held = &mut integrals[n + 2 * g..n + 2 * g + rank];
        held.fill(0.0);
        held[..self.hold.len()].copy_from_slice(self.hold.pulls());
    }

    /// How much faster than it approaches or leaves a contact is pressed or released.
    pub(crate) fn pace(&self, k: usize) -> f64 {
        let e = self.model.springs[k].e;
        match self.touch[k] {
            Touch::Open if self.model.gaps == Gaps::Forget => 0.0,
            Touch::Unloading if self.model.turns(k) => 1.0 / (e * e),
            _ => 1.0,
        }
    }

    /// Slopes, and their derivatives with respect to the unknowns, row by row.
    pub(crate) fn linearize(&mut self, state: &[f64], slope: &mut [f64], jacobian: &mut [f64]) {
        self.slope(state, slope);
        let (n, grips, rank) = (self.model.len(), self.model.grips.len(), self.model.rank);
        let size = n + rank;
        jacobian.fill(0.0);
        let (unknowns, integrals) = jacobian.split_at_mut(size * size);
        for k in 0..n {
            let pace = -self.pace(k);
            let row = &mut unknowns[k * size + n..(k + 1) * size];
            row.iter_mut().zip(self.model.normal(k)).for_each(|(j, b)| *j = pace * b);
            if !self.touch[k].closed() || self.slack[k] {
                continue;
            }
            let spring = self.model.springs[k];
            let out = &mut integrals[k * size..(k + 1) * size];
            let damped = self.model.damping.map_or(1.0, |c| 1.0 - c * self.u[k]);
            out[k] = spring.stiffness * self.model.power.steepness(state[k]) * damped;
            if let Some(c) = self.model.damping {
                let by_speed = -c * spring.stiffness * self.model.power.raise(state[k]);
                out[n..].iter_mut().zip(self.model.normal(k)).for_each(|(j, b)| *j = by_speed * b);
            }
        }
        for g in (0..grips).filter(|&g| self.slides(g)) {
            let grip = self.model.grips[g];
            let fixed = self.heads[g] && self.smoothing == 0.0;
            let [a, b] = if fixed { self.heading[g] } else { self.v[g] };
            let square = a * a + b * b + self.smoothing * self.smoothing;
            if square == 0.0 {
                continue;
            }
            let speed = f64::sqrt(square);
            let strength = -grip.mu * self.force[grip.contact] / speed;
            let turn = match fixed {
                true => [[0.0; 2]; 2],
                false => {
                    let across = -a * b / square;
                    [[1.0 - a * a / square, across], [across, 1.0 - b * b / square]]
                }
            };
            let (forces, frictions) = integrals.split_at_mut(n * size);
            let by_force = &forces[grip.contact * size..(grip.contact + 1) * size];
            for (c, v) in [a, b].into_iter().enumerate().take(grip.tangents) {
                let out = &mut frictions[(2 * g + c) * size..(2 * g + c + 1) * size];
                for (j, f) in out.iter_mut().zip(by_force) {
                    *j = -grip.mu * v / speed * f;
                }
                for (l, turn) in turn[c].into_iter().enumerate().take(grip.tangents) {
                    let row = self.model.tangent(g, l);
                    out[n..].iter_mut().zip(row).for_each(|(j, b)| *j += strength * turn * b);
                }
            }
        }
        // x′ = Bᵀ f, what sticks taken out.
        for k in 0..n {
            let out = &integrals[k * size..(k + 1) * size];
            spread(&mut unknowns[n * size..], self.model.normal(k), out);
        }
        for g in (0..grips).filter(|&g| self.slides(g)) {
            for c in 0..self.model.grips[g].tangents {
                let at = n + 2 * g + c;
                let out = &integrals[at * size..(at + 1) * size];
                spread(&mut unknowns[n * size..], self.model.tangent(g, c), out);
            }
        }
        let held = &mut integrals[(n + 2 * grips) * size..(n + 2 * grips + rank) * size];
        self.hold.take_columns(&mut unknowns[n * size..], size, held);
    }
}

/// Adds `b outᵀ` to a matrix.
fn spread(matrix: &mut [f64], b: &[f64], out: &[f64]) {
    for (row, b) in matrix.chunks_exact_mut(out.len()).zip(b) {
        if *b != 0.0 {
            row.iter_mut().zip(out).for_each(|(m, x)| *m += b * x);
        }
    }
}
