//! How far two runs of one scene are apart: the second has larger tolerances.

use carom_io::answer::Number;
use carom_sim::motion::{BodyState, Motion, Scene, Turn};
use serde_json::{Value, json};

/// The largest differences of two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Check {
    /// Of positions \[m\].
    pub position: Worst,
    /// Of orientations \[rad\].
    pub orientation: Worst,
    /// Of velocities [m/s].
    pub velocity: Worst,
    /// Of angular velocities [rad/s].
    pub angular_velocity: Worst,
    /// Of event times, of as many events as both runs have alike from the first on \[s\].
    pub event_time: f64,
    /// How many events that are \[1\].
    pub events_alike: usize,
    /// How many events either run has at most \[1\].
    pub events: usize,
    /// How many samples both runs have \[1\].
    pub samples: usize,
}

/// A difference and where it is largest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worst {
    /// How large, in the unit of the quantity.
    pub value: f64,
    /// The body, by its place in the scene.
    pub body: usize,
    /// \[s\]
    pub time: f64,
}

impl Check {
    /// Compares two runs of one scene.
    pub fn of(one: &Motion, other: &Motion) -> Self {
        let mut check = Self {
            samples: one.samples.len().min(other.samples.len()),
            events: one.events.len().max(other.events.len()),
            ..Self::default()
        };
        for (a, b) in one.samples.iter().zip(&other.samples) {
            for (body, (a_state, b_state)) in a.bodies.iter().zip(&b.bodies).enumerate() {
                check.take(a_state, b_state, body, a.time);
            }
        }
        for (a, b) in one.events.iter().zip(&other.events) {
            if a.kind.name() != b.kind.name() {
                break;
            }
            check.events_alike += 1;
            check.event_time = check.event_time.max((a.time - b.time).abs());
        }
        check
    }

    fn take(&mut self, a: &BodyState, b: &BodyState, body: usize, time: f64) {
        let largest = |a: &[f64; 3], b: &[f64; 3]| {
            a.iter().zip(b).fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()))
        };
        for (worst, value) in [
            (&mut self.position, largest(&a.position, &b.position)),
            (&mut self.orientation, turned(&a.orientation, &b.orientation)),
            (&mut self.velocity, largest(&a.velocity, &b.velocity)),
            (&mut self.angular_velocity, largest(&a.angular_velocity, &b.angular_velocity)),
        ] {
            if value > worst.value {
                *worst = Worst { value, body, time };
            }
        }
    }

    /// As answers have it.
    pub fn to_json(&self, scene: &Scene) -> Value {
        let worst = |worst: &Worst| {
            let body = scene.bodies.get(worst.body).map(|body| body.name.as_str());
            json!({ "difference": Number(worst.value), "body": body, "t": Number(worst.time) })
        };
        json!({
            "tolerance_factor": TOLERANCE_FACTOR,
            "samples": self.samples,
            "position": worst(&self.position),
            "orientation": worst(&self.orientation),
            "velocity": worst(&self.velocity),
            "angular_velocity": worst(&self.angular_velocity),
            "events": self.events,
            "events_alike": self.events_alike,
            "event_time": Number(self.event_time),
        })
    }
}

/// The tolerances of the second run times this \[1\].
pub const TOLERANCE_FACTOR: f64 = 10.0;

/// The angle between two orientations, small ones to first order \[rad\].
fn turned(a: &Turn, b: &Turn) -> f64 {
    match (a, b) {
        (Turn::Angle(a), Turn::Angle(b)) => (a - b).abs(),
        (Turn::Quaternion(a), Turn::Quaternion(b)) => {
            let apart = |sign: f64| {
                f64::sqrt(a.iter().zip(b).map(|(x, y)| (x - sign * y) * (x - sign * y)).sum())
            };
            // A quaternion and its negative are one orientation.
            2.0 * apart(1.0).min(apart(-1.0))
        }
        _ => f64::INFINITY,
    }
}
