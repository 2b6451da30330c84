//! The equations of motion between two events.
//!
//! Unknowns are indentations `d` and coordinates of velocity `x`; impulses are integrated beside them.

use super::model::Model;
use super::rows;
use super::state::{Integrals, Layout};
use super::stick_slip::StickingSet;
use super::tolerances as tol;
use crate::laws::normal::lzb::Gaps;

/// How a contact moves along its normal until the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NormalMode {
    /// It does not press.
    Open,
    /// It is pressed and presses back; it approaches, or loading and unloading are the same.
    Loading,
    /// It is pressed and presses back; it leaves.
    Unloading,
}

impl NormalMode {
    pub(crate) fn closed(self) -> bool {
        self != Self::Open
    }
}

/// What a contact does until the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrictionMode {
    Slides,
    Sticks,
}

/// How the slip of a contact changes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SlipRates {
    /// The size of the slip, how fast that grows, and how fast the slip changes at all \[1\].
    pub(crate) speed: f64,
    pub(crate) growth: f64,
    pub(crate) change: f64,
    /// The sine of the angle between slip and change \[1\].
    pub(crate) turn: f64,
}

/// Proof that [`Dynamics::slip_rates`] were measured; only [`Dynamics::measure_slip_rates`] makes it.
pub(crate) struct Measured(());

/// The modes of all contacts, the equations of motion in them, and their values where they were last evaluated.
pub(crate) struct Dynamics {
    pub(crate) model: Model,
    pub(crate) layout: Layout,
    pub(crate) normal_mode: Vec<NormalMode>,
    /// Whether Hunt and Crossley's force has vanished because the contact leaves too fast.
    pub(crate) clipped: Vec<bool>,
    pub(crate) friction_mode: Vec<FrictionMode>,
    /// The contacts whose indentation is followed by its root, see `integration::clock`.
    pub(crate) by_root: Vec<bool>,
    /// Whether a contact slides one way until it stops: with one tangent, or where its slip has found its direction.
    pub(crate) straight: Vec<bool>,
    /// That direction.
    pub(crate) direction: Vec<[f64; 2]>,
    pub(crate) sticking: StickingSet,
    /// Slip below which friction is smoothed; zero for Coulomb's law itself \[1\].
    pub(crate) smoothing: f64,
    /// Values where they were last evaluated: coordinates of velocity as a padded row, normal velocities, slips, forces,
    /// acceleration \[1\].
    x: Vec<f64>,
    pub(crate) normal_velocity: Vec<f64>,
    pub(crate) slip: Vec<[f64; 2]>,
    pub(crate) force: Vec<f64>,
    pub(crate) friction: Vec<[f64; 2]>,
    pub(crate) acceleration: Vec<f64>,
    /// The acceleration before sticking contacts hold theirs.
    pub(crate) free: Vec<f64>,
    slip_rates: Vec<SlipRates>,
}

impl Dynamics {
    pub(crate) fn new(model: Model) -> Self {
        let (n, g, stride) = (model.len(), model.frictional.len(), model.stride);
        Self {
            normal_mode: vec![NormalMode::Open; n],
            clipped: vec![false; n],
            friction_mode: vec![FrictionMode::Slides; g],
            by_root: vec![false; n],
            straight: model.frictional.iter().map(|contact| contact.tangents == 1).collect(),
            direction: vec![[1.0, 0.0]; g],
            sticking: StickingSet::default(),
            smoothing: 0.0,
            x: vec![0.0; stride],
            normal_velocity: vec![0.0; n],
            slip: vec![[0.0; 2]; g],
            force: vec![0.0; n],
            friction: vec![[0.0; 2]; g],
            acceleration: vec![0.0; stride],
            free: vec![0.0; stride],
            slip_rates: vec![SlipRates::default(); g],
            layout: Layout::new(&model),
            model,
        }
    }

    /// Whether a contact slides and is pressed.
    pub(crate) fn slides(&self, g: usize) -> bool {
        self.friction_mode[g] == FrictionMode::Slides
            && self.normal_mode[self.model.frictional[g].index].closed()
    }

    /// Whether a contact sticks and is pressed.
    pub(crate) fn sticks(&self, g: usize) -> bool {
        self.friction_mode[g] == FrictionMode::Sticks
            && self.normal_mode[self.model.frictional[g].index].closed()
    }

    /// The most friction that a contact has.
    pub(crate) fn friction_bound(&self, g: usize) -> f64 {
        let contact = &self.model.frictional[g];
        contact.mu * self.force[contact.index].max(0.0)
    }

    /// The force at which the direction of friction matters, beside that of others.
    pub(crate) fn least_force(&self) -> f64 {
        tol::LEAST_FORCE * self.force.iter().fold(0.0, |most: f64, force| most.max(*force))
    }

    /// Measures how the slips of pressed contacts change where this was last evaluated.
    pub(crate) fn measure_slip_rates(&mut self) -> Measured {
        for g in 0..self.model.frictional.len() {
            if !self.slides(g) {
                continue;
            }
            let stride = self.model.stride;
            let both = &self.model.tangents[2 * g * stride..2 * (g + 1) * stride];
            let (first, second) = both.split_at(stride);
            let [x, y] = self.slip[g];
            let [a, b] = [first, second].map(|row| rows::dot(row, &self.acceleration));
            let (speed, change) = (rows::length([x, y]), rows::length([a, b]));
            let growth = if speed > 0.0 { (x * a + y * b) / speed } else { 0.0 };
            let turn = (x * b - y * a).abs() / (speed * change).max(f64::MIN_POSITIVE);
            self.slip_rates[g] = SlipRates { speed, growth, change, turn };
        }
        Measured(())
    }

    pub(crate) fn slip_rates(&self, g: usize, _: &Measured) -> SlipRates {
        self.slip_rates[g]
    }

    /// Velocities, forces and accelerations at a state.
    pub(crate) fn evaluate(&mut self, state: &[f64]) {
        self.evaluate_in(state, false);
    }

    /// The same, where the state may have the roots of indentations that are followed by them.
    pub(crate) fn evaluate_in(&mut self, state: &[f64], roots: bool) {
        // Rows of a length that the compiler knows take half of the time: those of one body, of two, of less.
        match self.model.stride {
            2 => self.evaluate_along::<2>(state, roots),
            4 => self.evaluate_along::<4>(state, roots),
            6 => self.evaluate_along::<6>(state, roots),
            12 => self.evaluate_along::<12>(state, roots),
            _ => self.evaluate_along::<0>(state, roots),
        }
    }

    /// The same for rows of this length; of any for 0.
    fn evaluate_along<const STRIDE: usize>(&mut self, state: &[f64], roots: bool) {
        let Self {
            model,
            normal_mode,
            clipped,
            friction_mode,
            by_root,
            straight,
            direction,
            smoothing,
            ..
        } = self;
        self.x[..model.rank].copy_from_slice(self.layout.coordinates(state));
        let stride = if STRIDE == 0 { model.stride } else { STRIDE };
        let (x, free) = (&self.x[..stride], &mut self.free[..stride]);
        free.fill(0.0);
        for (k, row) in model.normals.chunks_exact(stride).enumerate() {
            let u = model.normal_start[k] + rows::dot(row, x);
            self.normal_velocity[k] = u;
            self.force[k] = 0.0;
            if normal_mode[k].closed() && !clipped[k] {
                let raised = match roots && by_root[k] {
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
        for (g, (contact, both)) in model.frictional.iter().zip(tangents).enumerate() {
            self.friction[g] = [0.0; 2];
            if !normal_mode[contact.index].closed() {
                continue;
            }
            let (first, second) = both.split_at(stride);
            let in_space = contact.tangents == 2;
            let mut v = [model.tangent_start[2 * g] + rows::dot(first, x), 0.0];
            if in_space {
                v[1] = model.tangent_start[2 * g + 1] + rows::dot(second, x);
            }
            self.slip[g] = v;
            if friction_mode[g] == FrictionMode::Sticks {
                continue;
            }
            // A step may end beyond a stop before it is cut: there friction has no other direction yet.
            let straight = straight[g] && *smoothing == 0.0;
            let [a, b] = if straight { direction[g] } else { v };
            let speed = match straight {
                true => 1.0,
                false => f64::sqrt(a * a + b * b + *smoothing * *smoothing),
            };
            if speed > 0.0 {
                // Friction opposes the slip; its size is known from the indentation.
                let size = -contact.mu * self.force[contact.index] / speed;
                self.friction[g] = [size * a, size * b];
                rows::add(free, size * a, first);
                if in_space {
                    rows::add(free, size * b, second);
                }
            }
        }
        self.sticking.project(&self.free, &mut self.acceleration);
    }

    /// Slopes of the unknowns, then those of the integrals.
    pub(crate) fn slope(&mut self, state: &[f64], slope: &mut [f64]) {
        self.slope_in(state, false, slope);
    }

    /// The same, where the state may have roots; slopes are those of indentations.
    pub(crate) fn slope_in(&mut self, state: &[f64], roots: bool, slope: &mut [f64]) {
        self.evaluate_in(state, roots);
        let (indentations, coordinates, rest) = self.layout.split(slope);
        for (k, (slope, u)) in indentations.iter_mut().zip(&self.normal_velocity).enumerate() {
            *slope = -self.pace(k) * u;
        }
        coordinates.copy_from_slice(&self.acceleration[..coordinates.len()]);
        let Integrals { normal, friction, reactions, .. } = self.layout.name(rest);
        normal.copy_from_slice(&self.force);
        friction.copy_from_slice(&self.friction);
        reactions.fill(0.0);
        reactions[..self.sticking.len()].copy_from_slice(self.sticking.reactions());
    }

    /// How much faster than it approaches or leaves a contact is pressed or released.
    pub(crate) fn pace(&self, k: usize) -> f64 {
        let e = self.model.springs[k].e;
        match self.normal_mode[k] {
            NormalMode::Open if self.model.gaps == Gaps::Forget => 0.0,
            NormalMode::Unloading if self.model.turns(k) => 1.0 / (e * e),
            _ => 1.0,
        }
    }

    /// Slopes, and their derivatives with respect to the unknowns, row by row.
    pub(crate) fn linearize(&mut self, state: &[f64], slope: &mut [f64], jacobian: &mut [f64]) {
        self.slope(state, slope);
        let (n, frictional, rank) =
            (self.model.len(), self.model.frictional.len(), self.model.rank);
        let size = n + rank;
        jacobian.fill(0.0);
        let (unknowns, integrals) = jacobian.split_at_mut(size * size);
        for k in 0..n {
            let pace = -self.pace(k);
            let row = &mut unknowns[k * size + n..(k + 1) * size];
            row.iter_mut().zip(self.model.normal(k)).for_each(|(j, b)| *j = pace * b);
            if !self.normal_mode[k].closed() || self.clipped[k] {
                continue;
            }
            let spring = self.model.springs[k];
            let out = &mut integrals[k * size..(k + 1) * size];
            let damped = self.model.damping.map_or(1.0, |c| 1.0 - c * self.normal_velocity[k]);
            out[k] = spring.stiffness * self.model.power.steepness(state[k]) * damped;
            if let Some(c) = self.model.damping {
                let by_speed = -c * spring.stiffness * self.model.power.raise(state[k]);
                out[n..].iter_mut().zip(self.model.normal(k)).for_each(|(j, b)| *j = by_speed * b);
            }
        }
        for g in (0..frictional).filter(|&g| self.slides(g)) {
            let contact = self.model.frictional[g];
            let fixed = self.straight[g] && self.smoothing == 0.0;
            let [a, b] = if fixed { self.direction[g] } else { self.slip[g] };
            let square = a * a + b * b + self.smoothing * self.smoothing;
            if square == 0.0 {
                continue;
            }
            let speed = f64::sqrt(square);
            let strength = -contact.mu * self.force[contact.index] / speed;
            let turn = match fixed {
                true => [[0.0; 2]; 2],
                false => {
                    let across = -a * b / square;
                    [[1.0 - a * a / square, across], [across, 1.0 - b * b / square]]
                }
            };
            let (forces, frictions) = integrals.split_at_mut(n * size);
            let by_force = &forces[contact.index * size..(contact.index + 1) * size];
            for (c, v) in [a, b].into_iter().enumerate().take(contact.tangents) {
                let out = &mut frictions[(2 * g + c) * size..(2 * g + c + 1) * size];
                for (j, f) in out.iter_mut().zip(by_force) {
                    *j = -contact.mu * v / speed * f;
                }
                for (l, turn) in turn[c].into_iter().enumerate().take(contact.tangents) {
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
        for g in (0..frictional).filter(|&g| self.slides(g)) {
            for c in 0..self.model.frictional[g].tangents {
                let at = self.layout.friction(g, c);
                let out = &integrals[at * size..(at + 1) * size];
                spread(&mut unknowns[n * size..], self.model.tangent(g, c), out);
            }
        }
        let held = &mut integrals[self.layout.reactions() * size..][..rank * size];
        self.sticking.project_columns(&mut unknowns[n * size..], size, held);
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

#[cfg(test)]
mod tests {
    use super::super::state::State;
    use super::super::tests::pressed_block;
    use super::*;
    use crate::numerics::dot;

    #[track_caller]
    fn near(got: &[f64], expected: &[f64]) {
        assert_eq!(got.len(), expected.len());
        assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{got:?}");
    }

    /// Forces 0.125 and 0.008, friction half of them against the slip: the block is slowed by 0.0665 and 0.133. It sinks at 1, and
    /// where it leaves, springs with e = 1/2 are released four times as fast.
    #[test]
    fn slopes_follow_from_forces() {
        let (mut dynamics, state) = pressed_block();
        let mut slope = State::new(dynamics.layout);
        dynamics.slope(&state, &mut slope);
        near(slope.indentations(), &[1.0, 1.0]);
        let along = |row: &[f64]| dot(row, slope.coordinates());
        let model = &dynamics.model;
        near(&[along(model.normal(0)), along(model.tangent(0, 0))], &[0.133, -0.0665]);
        near(slope.normal_impulses(), &[0.125, 0.008]);
        near(&slope.friction_impulse(0), &[-0.0625, 0.0]);
        let measured = dynamics.measure_slip_rates();
        let SlipRates { speed, growth, change, turn } = dynamics.slip_rates(1, &measured);
        near(&[speed, growth, change, turn], &[0.6, -0.0665, 0.0665, 0.0]);
        dynamics.normal_mode[0] = NormalMode::Unloading;
        near(&[dynamics.pace(0), dynamics.pace(1)], &[4.0, 1.0]);
    }

    /// Against differences of slopes.
    #[test]
    fn derivatives_are_those_of_slopes() {
        let (mut dynamics, mut state) = pressed_block();
        let (width, size) = (state.len(), dynamics.layout.unknowns());
        let (mut slope, mut jacobian) = (vec![0.0; width], vec![0.0; width * size]);
        dynamics.linearize(&state, &mut slope, &mut jacobian);
        for j in 0..size {
            let [high, low] = [1e-6, -1e-6].map(|step| {
                let before = state[j];
                state[j] += step;
                let mut slope = vec![0.0; width];
                dynamics.slope(&state, &mut slope);
                state[j] = before;
                slope
            });
            for (i, (high, low)) in high.iter().zip(low).enumerate() {
                let (difference, found) = ((high - low) / 2e-6, jacobian[i * size + j]);
                assert!((difference - found).abs() < 1e-8, "{i} {j}: {difference} {found}");
            }
        }
    }
}
