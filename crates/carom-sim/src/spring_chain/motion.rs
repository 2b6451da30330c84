//! The collision as a sequence of linear motions between events.

use super::series::{ChainSeries, Series, integral, integral_of_product, sample, variation};
use super::{SpringChain, SpringChainOutcome, SpringContact, SpringContactReport};
use crate::event::first_below;
use crate::input;
use carom::ImpactError;

/// Forces, lengths and velocities below this part of their scale are zero \[1\].
const NEGLIGIBLE: f64 = 1e-12;
/// Parts into which a step is cut in the search for events: within one no vibration turns by more than a quarter radian.
const PARTS: usize = 4;

/// The three states of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Spring and damper act.
    Closed,
    /// Released, but the spring still has to relax: it would pull.
    Relaxing,
    /// The bodies are apart, or touch without approaching.
    Parted,
}

/// What counts as zero at one contact.
#[derive(Clone, Copy, Debug)]
struct Zero {
    force: f64,
    length: f64,
}

/// A chain in motion.
pub(super) struct Motion<'a> {
    chain: &'a SpringChain,
    velocity: Vec<f64>,
    compression: Vec<f64>,
    state: Vec<State>,
    reports: Vec<SpringContactReport>,
    zero: Vec<Zero>,
    zero_speed: f64,
    series: ChainSeries,
    /// `1/Λ` of the contacts that are closed now \[s\].
    step: f64,
    /// Where the last step began \[s\].
    begin: f64,
    time: f64,
    last_release: f64,
    steps: u64,
}

impl<'a> Motion<'a> {
    pub(super) fn new(chain: &'a SpringChain) -> Result<Self, ImpactError> {
        let (masses, contacts) = (chain.mass.len(), chain.contacts.len());
        let speed = input::spread(chain.velocity.iter().copied());
        let zero: Vec<Zero> = (0..contacts).map(|i| chain.zero(i, speed)).collect();
        let rate = chain.rate_bound(|_| true);
        let step = 1.0 / rate;
        let energy = chain.kinetic_energy(&chain.velocity);
        let scales = zero.iter().flat_map(|z| [z.force, z.length]);
        input::representable(&scales.chain([speed, rate, step, energy]).collect::<Vec<_>>())?;
        let mut motion = Self {
            chain,
            velocity: chain.velocity.clone(),
            compression: vec![0.0; contacts],
            state: vec![State::Parted; contacts],
            reports: vec![SpringContactReport::default(); contacts],
            zero,
            zero_speed: NEGLIGIBLE * speed,
            series: ChainSeries::new(masses),
            step,
            begin: 0.0,
            time: 0.0,
            last_release: 0.0,
            steps: 0,
        };
        // Neighbours that touch without approaching are parted: they close when another contact drives them together.
        for i in 0..contacts {
            if motion.approach(i) > motion.zero_speed {
                motion.enter(i, State::Closed);
            }
        }
        Ok(motion)
    }

    /// No contact acts and none will: a spring that relaxes lags behind bodies that keep separating.
    pub(super) fn is_over(&self) -> bool {
        let mut contacts = self.state.iter().enumerate();
        contacts.all(|(i, &state)| state != State::Closed && self.approach(i) <= self.zero_speed)
    }

    /// One step, or less up to the next event.
    pub(super) fn advance(&mut self) -> Result<(), ImpactError> {
        if self.steps >= self.chain.max_steps {
            return Err(ImpactError::Limit(format!(
                "the chain still collides at t = {} s after {} steps; it is too stiff or too long",
                self.time, self.steps
            )));
        }
        self.steps += 1;
        let state = &self.state;
        self.series
            .expand(self.chain, &self.velocity, &self.compression, |i| state[i] == State::Closed);
        let horizon = self.horizon();
        let (until, event) = self.first_event(horizon);
        self.account(until);
        self.move_to(until);
        if let Some((contact, next)) = event {
            self.enter(contact, next);
        }
        Ok(())
    }

    pub(super) fn outcome(self) -> Result<SpringChainOutcome, ImpactError> {
        let chain = self.chain;
        let before = chain.kinetic_energy(&chain.velocity);
        let dissipated = before - chain.kinetic_energy(&self.velocity);
        input::representable(&self.velocity)?;
        input::representable(&[dissipated, self.last_release])?;
        for report in &self.reports {
            input::representable(&[report.impulse, report.dissipated])?;
        }
        Ok(SpringChainOutcome {
            velocity: self.velocity,
            contacts: self.reports,
            dissipated,
            duration: self.last_release,
            steps: self.steps,
        })
    }

    /// Times and velocities at the ends of so many equal parts of the last step.
    pub(super) fn last_step(&self, parts: usize) -> impl Iterator<Item = (f64, Vec<f64>)> {
        (1..=parts).map(move |k| {
            let t = (self.time - self.begin) * (k as f64 / parts as f64);
            let velocity = self.series.velocity.iter().map(|series| sample(series, t).value);
            (self.begin + t, velocity.collect())
        })
    }

    fn approach(&self, i: usize) -> f64 {
        self.velocity[i] - self.velocity[i + 1]
    }

    /// The horizon of the search for events: a step, or in free flight until the next two bodies meet.
    fn horizon(&self) -> f64 {
        if self.state.contains(&State::Closed) {
            return self.step;
        }
        let flights = (0..self.state.len()).filter_map(|i| {
            let approach = self.approach(i);
            (approach > self.zero_speed).then(|| -self.compression[i] / approach)
        });
        // Beyond the meeting by one step, so that it lies inside.
        flights.fold(f64::INFINITY, f64::min).max(0.0) + self.step
    }

    /// The first change of state before the horizon.
    fn first_event(&self, horizon: f64) -> (f64, Option<(usize, State)>) {
        let (mut first, mut event) = (horizon, None);
        for (i, &state) in self.state.iter().enumerate() {
            let (zero, force) = (self.zero[i], &self.series.force[i]);
            let compression = &self.series.compression[i];
            let mut watch = |at: Option<f64>, next: State| {
                if let Some(at) = at.filter(|&at| at < first) {
                    (first, event) = (at, Some((i, next)));
                }
            };
            match state {
                State::Closed => watch(falls(force, horizon, zero.force), State::Relaxing),
                State::Relaxing => {
                    watch(falls(compression, horizon, zero.length), State::Parted);
                    watch(rises(force, horizon, zero.force), State::Closed);
                }
                State::Parted => watch(rises(compression, horizon, zero.length), State::Closed),
            }
        }
        (first, event)
    }

    /// Adds up impulses and absorbed energy over the step.
    fn account(&mut self, until: f64) {
        for (i, report) in self.reports.iter_mut().enumerate() {
            if self.state[i] != State::Closed {
                continue;
            }
            let (force, rate) = (&self.series.force[i], &self.series.rate[i]);
            report.impulse += integral(force, until);
            report.dissipated += integral_of_product(force, rate, until);
        }
    }

    fn move_to(&mut self, until: f64) {
        for (v, series) in self.velocity.iter_mut().zip(&self.series.velocity) {
            *v = sample(series, until).value;
        }
        for (x, series) in self.compression.iter_mut().zip(&self.series.compression) {
            *x = sample(series, until).value;
        }
        self.begin = self.time;
        self.time += until;
    }

    fn enter(&mut self, i: usize, next: State) {
        if self.state[i] == State::Closed {
            self.last_release = self.time;
        }
        if next == State::Closed {
            self.reports[i].phases += 1;
        }
        let relaxed = next == State::Relaxing && self.compression[i] <= 0.0;
        self.state[i] = if relaxed { State::Parted } else { next };
        let rate = self.chain.rate_bound(|i| self.state[i] == State::Closed);
        // Without a closed contact there is no rate, and the last step serves.
        let step = 1.0 / rate;
        if step.is_finite() {
            self.step = step;
        }
    }
}

impl SpringChain {
    /// `Λ`, a bound of the linear model's matrix in the norm of energy \[1/s\], for the contacts that act.
    fn rate_bound(&self, acts: impl Fn(usize) -> bool) -> f64 {
        let at = |i: usize| self.contacts.get(i).filter(|_| acts(i));
        let beside = |i: usize, of: fn(&SpringContact) -> f64| {
            let left = i.checked_sub(1).and_then(at);
            left.map_or(0.0, of) + at(i).map_or(0.0, of)
        };
        let (mut spring, mut damper) = (0.0_f64, 0.0_f64);
        for (i, m) in self.mass.iter().enumerate() {
            spring = spring.max(2.0 * beside(i, |c| c.stiffness) / m);
            damper = damper.max(2.0 * beside(i, |c| c.damping) / m);
        }
        spring.sqrt() + damper
    }

    fn zero(&self, i: usize, speed: f64) -> Zero {
        let contact = &self.contacts[i];
        let reduced = 1.0 / (1.0 / self.mass[i] + 1.0 / self.mass[i + 1]);
        let force = speed * ((contact.stiffness * reduced).sqrt() + contact.damping);
        let length = speed * (reduced / contact.stiffness).sqrt();
        Zero { force: NEGLIGIBLE * force, length: NEGLIGIBLE * length }
    }
}

/// When a series falls below zero.
fn falls(series: &Series, horizon: f64, zero: f64) -> Option<f64> {
    if series[0] - variation(series, horizon) >= -zero {
        return None;
    }
    let part = horizon / PARTS as f64;
    (0..PARTS).find_map(|k| {
        let (left, right) = (k as f64 * part, (k + 1) as f64 * part);
        let at = |t| sample(series, t);
        first_below(at, at(left), at(right), zero)
    })
}

/// When a series rises above zero.
fn rises(series: &Series, horizon: f64, zero: f64) -> Option<f64> {
    falls(&series.map(|c| -c), horizon, zero)
}
