//! Scales of a collision, so that tolerances have no unit.

use crate::compliant::RunSettings;
use crate::compliant::dynamics::Dynamics;
use crate::compliant::mechanism::Mechanism;
use carom::ImpactError;

/// A run is given up after so many times what one compression takes \[1\].
const MOST_COMPRESSIONS: f64 = 1e6;
/// What counts as no speed at the end, in tolerances \[1\].
const STILL: f64 = 10.0;
/// The shortest step, relative to one compression \[1\].
const LEAST_STEP: f64 = 1e-15;
/// The longest step, relative to one compression \[1\].
const MOST_STEP: f64 = 1e3;
/// Steps of difference quotients relative to what a quantity does in one compression \[1\].
const DIFFERENCE: f64 = 1e-4;

/// Scales of a collision.
#[derive(Clone, Debug)]
pub(super) struct Scales {
    /// Deepest penetration to expect \[m\].
    pub(super) depth: f64,
    /// Fastest contact velocity to expect [m/s].
    pub(super) speed: f64,
    /// What one compression takes \[s\].
    pub(super) time: f64,
    /// Speeds below this are none [m/s].
    pub(super) still: f64,
    pub(super) max_time: f64,
    /// Whether contacts approach, or are drawn together.
    pub(super) can_touch: bool,
    /// The error allowed for each unknown, set by [`allow`](Self::allow).
    pub(super) allowed: Vec<f64>,
    tolerance: f64,
    /// The size of each unknown in this collision.
    sizes: Vec<f64>,
}

impl Scales {
    /// From an evaluated state, all contacts open.
    pub(super) fn new<M: Mechanism + ?Sized>(
        dynamics: &mut Dynamics<M>,
        state: &[f64],
        settings: &RunSettings,
    ) -> Result<Self, ImpactError> {
        let mut energy: f64 = 0.0;
        let mut speed: f64 = 0.0;
        let mut flight: f64 = 0.0;
        let mut approach: f64 = 0.0;
        for k in 0..dynamics.contacts.len() {
            let rows = dynamics.layout.rows(k);
            let (gap, u) = ((-dynamics.depth(k)).max(0.0), dynamics.u(k));
            let pull = (-dynamics.free_acceleration(rows.start)).max(0.0);
            let falling = (-u[0]).max(0.0);
            let meeting = f64::sqrt(falling * falling + 2.0 * pull * gap);
            if gap > 0.0 && meeting > 0.0 {
                // Twice the gap over the mean of the speeds at both ends, at least.
                flight = flight.max(2.0 * gap / meeting);
            }
            approach = approach.max(meeting);
            let normal_mobility = dynamics.mobility(rows.start);
            let mut own =
                if normal_mobility > 0.0 { 0.5 * meeting * meeting / normal_mobility } else { 0.0 };
            for (row, u) in rows.skip(1).zip(&u[1..]) {
                let mobility = dynamics.mobility(row);
                if mobility > 0.0 && meeting > 0.0 {
                    own += 0.5 * u * u / mobility;
                }
            }
            let stored = dynamics.contacts[k].stored(dynamics.exponent, dynamics.depth(k));
            energy = energy.max(own + stored);
            speed = u.iter().fold(speed.max(meeting), |m, u| m.max(u.abs()));
        }
        let can_touch = energy > 0.0;
        let (mut depth, mut time): (f64, f64) = (0.0, 0.0);
        for (k, contact) in dynamics.contacts.iter().enumerate() {
            let own = contact.depth_of(dynamics.exponent, energy);
            let mobility = dynamics.mobility(dynamics.layout.rows(k).start);
            depth = depth.max(own);
            if mobility > 0.0 && can_touch {
                time = time.max(own / f64::sqrt(2.0 * energy * mobility));
            }
        }
        if !can_touch || time == 0.0 {
            // Nothing will happen; any positive size does.
            (depth, time, energy) = (1.0, 1.0, 1.0);
        }
        let max_time = settings.max_time.unwrap_or(MOST_COMPRESSIONS * time + 10.0 * flight);
        let mut scales = Self {
            depth,
            speed,
            time,
            still: STILL * settings.tolerance * speed,
            max_time,
            can_touch: can_touch && approach > 0.0,
            allowed: vec![0.0; state.len()],
            tolerance: settings.tolerance,
            sizes: vec![0.0; state.len()],
        };
        scales.measure(dynamics, energy);
        let numbers = [depth, speed, time, max_time, energy];
        if numbers.iter().chain(&scales.sizes).any(|x| !x.is_finite()) {
            return Err(ImpactError::Limit(
                "masses, speeds and stiffnesses are too far apart in size for doubles".into(),
            ));
        }
        Ok(scales)
    }

    /// The size of each unknown.
    fn measure<M: Mechanism + ?Sized>(&mut self, dynamics: &mut Dynamics<M>, energy: f64) {
        let layout = dynamics.layout.clone();
        let velocities: Vec<f64> = (0..layout.size.velocities)
            .map(|i| f64::sqrt(2.0 * energy / dynamics.inertia(i)))
            .collect();
        let rates = &mut self.sizes[layout.q()];
        dynamics.mechanism.rate_scale(&velocities, rates);
        rates.iter_mut().for_each(|rate| *rate *= self.time);
        self.sizes[layout.v()].copy_from_slice(&velocities);
        for k in 0..layout.contacts() {
            let mobility = dynamics.mobility(layout.rows(k).start);
            let impulse = if mobility > 0.0 { f64::sqrt(2.0 * energy / mobility) } else { 1.0 };
            for row in layout.rows(k) {
                self.sizes[layout.impulse().start + row] = impulse;
            }
        }
        self.sizes[layout.friction().start..].fill(energy);
        for (step, size) in dynamics.difference.iter_mut().zip(&self.sizes) {
            *step = DIFFERENCE * size;
        }
    }

    /// Sets the errors allowed in a step from this state.
    pub(super) fn allow(&mut self, state: &[f64]) {
        for ((allowed, size), y) in self.allowed.iter_mut().zip(&self.sizes).zip(state) {
            *allowed = self.tolerance * (size + y.abs());
        }
    }

    pub(super) fn least_step(&self) -> f64 {
        LEAST_STEP * self.time
    }

    pub(super) fn most_step(&self) -> f64 {
        MOST_STEP * self.time
    }
}
