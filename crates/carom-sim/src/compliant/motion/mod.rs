//! The run: steps, events, the end.

mod contact_history;
mod events;
mod scales;
mod stepper;

use super::RunSettings;
use super::dynamics::Dynamics;
use super::mechanism::Mechanism;
use super::model::{CompliantContact, Exponent, Mode};
use super::report::{CompliantOutcome, ContactMoment, Effort, EnergyBalance, Moment};
use crate::input;
use carom::ImpactError;
use carom::outcome::{Observer, Progress};
use contact_history::ContactHistory;
use events::Event;
use scales::Scales;
use stepper::Stepper;

/// Steps between checks of the time \[1\].
const REPORT: u64 = 256;
/// Repetitions of one step before it is given up \[1\].
const MAX_REPEATS: u32 = 200;
/// Penetrations below this part of the deepest possible are none \[1\].
const TOUCHING: f64 = 1e-12;

pub(super) fn follow<M: Mechanism + ?Sized>(
    mechanism: &M,
    contacts: &[CompliantContact],
    exponent: Exponent,
    settings: &RunSettings,
    watch: &mut dyn Observer,
) -> Result<CompliantOutcome, ImpactError> {
    let mut motion = Motion::new(mechanism, contacts, exponent, settings)?;
    while !motion.is_over() {
        let done = motion.steps();
        if done % REPORT == 0
            && watch.progress(Progress { what: "steps", done, of: None }).is_break()
        {
            return Err(ImpactError::Limit(format!("interrupted after {done} steps")));
        }
        motion.advance()?;
    }
    motion.outcome()
}

/// The state of a motion.
struct Motion<'a, M: ?Sized> {
    dynamics: Dynamics<'a, M>,
    stepper: Stepper,
    scales: Scales,
    settings: &'a RunSettings,
    state: Vec<f64>,
    time: f64,
    tracks: Vec<ContactHistory>,
    start: Start,
    first_touch: Option<(f64, Vec<f64>)>,
    last_parting: f64,
    /// The largest kinetic energy so far.
    most_kinetic: f64,
    effort: Effort,
    history: Vec<Moment>,
    between: Vec<f64>,
}

/// Energies at the start.
struct Start {
    kinetic: f64,
    potential: f64,
    stored: f64,
}

impl<'a, M: Mechanism + ?Sized> Motion<'a, M> {
    fn new(
        mechanism: &'a M,
        contacts: &'a [CompliantContact],
        exponent: Exponent,
        settings: &'a RunSettings,
    ) -> Result<Self, ImpactError> {
        let mut dynamics = Dynamics::new(mechanism, contacts, exponent);
        let (q, v) = mechanism.start();
        let mut state = vec![0.0; dynamics.layout.unknowns()];
        state[dynamics.layout.q()].copy_from_slice(&q);
        state[dynamics.layout.v()].copy_from_slice(&v);
        dynamics.evaluate(&state);
        let scales = Scales::new(&mut dynamics, &state, settings)?;
        for k in 0..contacts.len() {
            let touches = dynamics.depth(k) >= -TOUCHING * scales.depth;
            // A contact at rest is loaded by nothing, until a neighbour pushes.
            if touches && dynamics.u(k)[0] <= 0.0 || dynamics.depth(k) > TOUCHING * scales.depth {
                dynamics.modes[k] = Mode::Loaded;
            }
        }
        dynamics.evaluate(&state);
        let stored = |k: usize| contacts[k].stored(exponent, dynamics.depth(k));
        let start = Start {
            kinetic: dynamics.kinetic(&state),
            potential: mechanism.potential(&q),
            stored: (0..contacts.len()).map(stored).sum(),
        };
        let tracks = (0..contacts.len())
            .map(|k| ContactHistory::new(dynamics.depth(k), dynamics.u(k), stored(k)))
            .collect();
        let stepper = Stepper::new(&dynamics.layout, &scales);
        let between = state.clone();
        let mut motion = Self {
            stepper,
            settings,
            tracks,
            time: 0.0,
            first_touch: None,
            last_parting: 0.0,
            most_kinetic: start.kinetic,
            start,
            effort: Effort::default(),
            history: Vec::new(),
            between,
            scales,
            dynamics,
            state,
        };
        let touching = TOUCHING * motion.scales.depth;
        let pushes = |(k, track): (usize, &ContactHistory)| {
            motion.dynamics.modes[k] == Mode::Loaded
                && (track.velocity[0] < -motion.scales.still || track.depth > touching)
        };
        if motion.tracks.iter().enumerate().any(pushes) {
            motion.first_touch = Some((0.0, motion.state.clone()));
        }
        motion.record();
        Ok(motion)
    }

    fn steps(&self) -> u64 {
        self.effort.explicit_steps + self.effort.implicit_steps
    }

    /// All contacts are open and separate, and nothing draws them together before they have touched at all.
    fn is_over(&self) -> bool {
        let begun = self.first_touch.is_some();
        self.tracks.iter().enumerate().all(|(k, track)| {
            let row = self.dynamics.layout.rows(k).start;
            let parted = track.depth <= TOUCHING * self.scales.depth
                && track.velocity[0] >= -self.scales.still;
            parted && (begun || !self.scales.can_touch || !self.falls(row))
        })
    }

    /// Whether weight draws the bodies of a contact together.
    fn falls(&self, row: usize) -> bool {
        self.dynamics.free_acceleration(row) * self.scales.time < -self.scales.still
    }

    /// One step, or less up to the next event.
    fn advance(&mut self) -> Result<(), ImpactError> {
        self.check_caps()?;
        self.choose_method();
        let length = self.step()?;
        self.stepper.read_end(&mut self.between);
        self.dynamics.evaluate_kinematics(&self.between);
        let event = self.first_event();
        let passed = match event {
            Some(event) if event.at * length <= self.scales.least_step() => {
                self.stepper.cancel();
                self.apply_event(event);
                return Ok(());
            }
            Some(event) => {
                let shorter = event.at * length;
                let fine = self.stepper.step(&mut self.dynamics, shorter);
                // The end of a contact is not smooth: the step up to it may be worse than the one beyond it.
                if !fine || self.stepper.error(&self.scales.allowed) > 1.0 {
                    self.effort.rejected += 1;
                    self.stepper.shorten();
                    return Ok(());
                }
                shorter
            }
            None => length,
        };
        self.count_step();
        self.finish(passed)?;
        if let Some(event) = event {
            self.apply_event(event);
        }
        Ok(())
    }

    fn check_caps(&self) -> Result<(), ImpactError> {
        let state = || {
            let open = self.tracks.iter().enumerate().map(|(k, track)| {
                format!("contact {k} penetrates {} m at {} m/s", track.depth, -track.velocity[0])
            });
            open.take(4).collect::<Vec<_>>().join(", ")
        };
        if self.steps() + self.effort.rejected >= self.settings.max_steps {
            return Err(ImpactError::Limit(format!(
                "the collision is not over at t = {} s after {} steps: {}",
                self.time,
                self.steps(),
                state()
            )));
        }
        if self.time >= self.scales.max_time {
            return Err(ImpactError::Limit(format!(
                "the collision is not over after {} s, {} steps: {}",
                self.time,
                self.steps(),
                state()
            )));
        }
        Ok(())
    }

    /// Friction close to sticking is stiff.
    fn choose_method(&mut self) {
        let mut rate: f64 = 0.0;
        for k in 0..self.tracks.len() {
            let force = self.dynamics.force(k).force[0];
            if self.dynamics.modes[k] != Mode::Loaded || force <= 0.0 {
                continue;
            }
            let [_, u1, u2] = self.tracks[k].velocity;
            let tangents = self.dynamics.layout.rows(k).skip(1);
            let mobility = tangents.map(|row| self.dynamics.mobility(row)).fold(0.0, f64::max);
            let speed = libm::hypot(u1, u2);
            rate = rate.max(self.dynamics.contacts[k].friction_rate(force, speed, mobility));
        }
        if self.stepper.choose(rate * self.scales.time) {
            self.stepper.restart(&self.state);
        }
    }

    /// A step whose error will do; its length.
    fn step(&mut self) -> Result<f64, ImpactError> {
        self.stepper.begin(&mut self.dynamics, &self.state);
        self.scales.allow(&self.state);
        for _ in 0..MAX_REPEATS {
            let length = self.stepper.length();
            let fine = self.stepper.step(&mut self.dynamics, length);
            let error = self.stepper.error(&self.scales.allowed);
            if !self.stepper.judge(if fine { error } else { f64::INFINITY }) {
                self.effort.rejected += 1;
            } else if self.jumped() {
                self.effort.rejected += 1;
                self.stepper.shorten();
            } else {
                return Ok(length);
            }
            if self.stepper.length() < self.scales.least_step() {
                break;
            }
        }
        Err(ImpactError::Limit(format!(
            "no step is exact enough at t = {} s, after {} steps; allow a larger tolerance or transition speed",
            self.time,
            self.steps()
        )))
    }

    /// Whether a slip has turned round within the step: it has jumped over a stop.
    fn jumped(&mut self) -> bool {
        self.stepper.read_end(&mut self.between);
        self.dynamics.evaluate_kinematics(&self.between);
        (0..self.tracks.len()).any(|k| {
            let friction = &self.dynamics.contacts[k].friction;
            let ([_, a1, a2], [_, b1, b2]) = (self.tracks[k].velocity, self.dynamics.u(k));
            let slow = 3.0 * friction.transition_speed;
            self.dynamics.modes[k] == Mode::Loaded
                && friction.at_rest.max(friction.sliding) > 0.0
                && a1 * b1 + a2 * b2 < 0.0
                && libm::hypot(a1, a2).min(libm::hypot(b1, b2)) > slow
        })
    }

    fn count_step(&mut self) {
        match self.stepper.is_implicit() {
            true => self.effort.implicit_steps += 1,
            false => self.effort.explicit_steps += 1,
        }
    }

    /// Takes over the end of the step, `length` after its start.
    fn finish(&mut self, length: f64) -> Result<(), ImpactError> {
        self.stepper.read_end(&mut self.between);
        self.dynamics.evaluate_kinematics(&self.between);
        let turning: Vec<usize> = (0..self.tracks.len())
            .filter(|k| self.dynamics.modes[*k] != Mode::Open)
            .filter(|k| self.tracks[*k].changes_phase(self.dynamics.u(*k)[0]))
            .collect();
        if !turning.is_empty() {
            self.stepper.prepare(&mut self.dynamics);
        }
        for k in turning {
            self.change_phase(k);
        }
        self.stepper.accept();
        self.stepper.read_start(&mut self.state);
        input::representable(&self.state)?;
        self.time += length;
        self.dynamics.evaluate(&self.state);
        self.most_kinetic = self.most_kinetic.max(self.dynamics.kinetic(&self.state));
        let touching = TOUCHING * self.scales.depth;
        for (k, track) in self.tracks.iter_mut().enumerate() {
            track.depth = self.dynamics.depth(k);
            track.velocity = self.dynamics.u(k);
            track.update_peaks(self.dynamics.force(k).force[0], touching);
        }
        self.record();
        Ok(())
    }

    /// A contact passes from compression to expansion or back, inside the step.
    fn change_phase(&mut self, k: usize) {
        let normal = self.dynamics.layout.rows(k).start;
        let left = (0.0, self.tracks[k].velocity[0]);
        self.stepper.read_end(&mut self.between);
        self.dynamics.evaluate_kinematics(&self.between);
        let right = (1.0, self.dynamics.u(k)[0]);
        let (stepper, between, dynamics) = (&self.stepper, &mut self.between, &mut self.dynamics);
        let tolerance = f64::EPSILON * self.scales.speed;
        carom_ode::locate([left, right], tolerance, |at| {
            stepper.interpolate(at, between);
            dynamics.evaluate_kinematics(between);
            dynamics.u(k)[0]
        });
        let layout = &self.dynamics.layout;
        let impulse = self.between[layout.impulse().start + normal];
        let damped = self.between[layout.damping().start + k];
        let depth = self.dynamics.depth(k);
        let stored = self.dynamics.contacts[k].stored(self.dynamics.exponent, depth);
        self.tracks[k].end_phase(impulse, stored + damped);
        self.tracks[k].reach(depth);
    }

    /// Changes the mode of a contact.
    fn apply_event(&mut self, event: Event) {
        let Event { contact: k, mode, .. } = event;
        let before = std::mem::replace(&mut self.dynamics.modes[k], mode);
        if before != mode {
            self.effort.events += 1;
        }
        let layout = &self.dynamics.layout;
        let impulse = self.state[layout.impulse().start + layout.rows(k).start];
        let spent = self.state[layout.damping().start + k];
        match (before, mode) {
            (Mode::Open, _) => {
                self.tracks[k].close(impulse, spent);
                if self.first_touch.is_none() {
                    self.first_touch = Some((self.time, self.state.clone()));
                }
            }
            (_, Mode::Open) => {
                self.tracks[k].open(impulse, spent);
                self.last_parting = self.time;
            }
            _ => {}
        }
        self.dynamics.evaluate(&self.state);
        self.stepper.restart(&self.state);
    }

    /// Adds this instant to the history, if there is one.
    fn record(&mut self) {
        if !self.settings.history {
            return;
        }
        let layout = &self.dynamics.layout;
        let contacts = (0..self.tracks.len()).map(|k| {
            let mut impulse = [0.0; 3];
            for (p, row) in impulse.iter_mut().zip(layout.rows(k)) {
                *p = self.state[layout.impulse().start + row];
            }
            ContactMoment {
                penetration: self.tracks[k].depth,
                velocity: self.tracks[k].velocity,
                force: self.dynamics.force(k).force,
                impulse,
            }
        });
        let contacts = contacts.collect();
        let kinetic = self.dynamics.kinetic(&self.state);
        self.history.push(Moment { time: self.time, kinetic, contacts });
    }

    fn outcome(mut self) -> Result<CompliantOutcome, ImpactError> {
        self.dynamics.evaluate(&self.state);
        let layout = self.dynamics.layout.clone();
        let of = |range: std::ops::Range<usize>| self.state[range].to_vec();
        let contacts = 0..self.tracks.len();
        let reports: Vec<_> = contacts
            .clone()
            .map(|k| {
                self.tracks[k].report(
                    self.state[layout.impulse().start + layout.rows(k).start],
                    self.state[layout.damping().start + k],
                    self.state[layout.friction().start + k],
                )
            })
            .collect();
        let stored = |k: usize| {
            self.dynamics.contacts[k].stored(self.dynamics.exponent, self.dynamics.depth(k))
        };
        let loaded = |k: &usize| self.dynamics.modes[*k] != Mode::Open;
        let q = &self.state[layout.q()];
        let energy = EnergyBalance {
            kinetic_start: self.start.kinetic,
            kinetic_end: self.dynamics.kinetic(&self.state),
            weight_work: self.start.potential - self.dynamics.mechanism.potential(q),
            supplied: self.state[layout.supplied()],
            stored_start: self.start.stored,
            stored: contacts.clone().filter(loaded).map(stored).sum(),
            damping_loss: self.state[layout.damping()].iter().sum(),
            friction_loss: self.state[layout.friction()].iter().sum(),
            scale: self.most_kinetic,
        };
        let rows = |k: usize| layout.rows(k).zip(self.dynamics.u(k)).map(|(_, u)| u);
        let contact_velocity = contacts.flat_map(rows).collect();
        let (first_touch, touch) =
            self.first_touch.clone().unwrap_or_else(|| (0.0, self.state.clone()));
        self.effort.evaluations = self.stepper.evaluations;
        Ok(CompliantOutcome {
            coordinates: of(layout.q()),
            velocity: of(layout.v()),
            impulse: of(layout.impulse()),
            contact_velocity,
            duration: (self.last_parting - first_touch).max(0.0),
            first_touch,
            at_touch: (touch[layout.q()].to_vec(), touch[layout.v()].to_vec()),
            contacts: reports,
            energy,
            effort: self.effort,
            history: self.history,
        })
    }
}
