//! The way from before to after as JSON.

use super::{Number, Numbers};
use carom::outcome::{Recorder, StepRecord, TracePoint};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// What a law reported of its way: a law for one contact its path, one for several its steps.
#[derive(Clone, Copy)]
pub struct Path<'a>(pub &'a Recorder);

impl<'a> Path<'a> {
    /// How many steps were made and not kept \[1\].
    pub fn left_out(&self) -> u64 {
        self.0.seen.saturating_sub(self.0.steps.len() as u64)
    }

    pub(super) fn events(self, rows: usize) -> impl Serialize + use<'a> {
        EventsAnswer(self.0, rows)
    }

    pub(super) fn steps(self) -> impl Serialize + use<'a> {
        StepsAnswer(self)
    }
}

struct StepsAnswer<'a>(Path<'a>);

impl Serialize for StepsAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let steps: Vec<StepAnswer> = self.0.0.steps.iter().map(StepAnswer).collect();
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("steps", &steps)?;
        map.serialize_entry("left_out", &self.0.left_out())?;
        map.end()
    }
}

struct StepAnswer<'a>(&'a StepRecord);

impl Serialize for StepAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            StepRecord::Collision { contact, impulse } => {
                map.serialize_entry("step", "collision")?;
                map.serialize_entry("contact", contact)?;
                map.serialize_entry("impulse", &Numbers(impulse))?;
            }
            StepRecord::Joint { joint } => {
                map.serialize_entry("step", "joint")?;
                map.serialize_entry("joint", joint)?;
            }
            StepRecord::Round { fresh, unfinished, ahead } => {
                map.serialize_entry("step", "round")?;
                map.serialize_entry("fresh", fresh)?;
                map.serialize_entry("unfinished", unfinished)?;
                map.serialize_entry("ahead", ahead)?;
            }
            StepRecord::Reflection { contacts } => {
                map.serialize_entry("step", "reflection")?;
                map.serialize_entry("contacts", contacts)?;
            }
            StepRecord::Phases { compressing, expanding } => {
                map.serialize_entry("step", "phases")?;
                map.serialize_entry("compressing", compressing)?;
                map.serialize_entry("expanding", expanding)?;
            }
            StepRecord::Interval { contacts, modes, step, limit, impulse, velocity } => {
                let modes: Vec<&str> = modes.iter().map(|mode| mode.name()).collect();
                map.serialize_entry("step", "interval")?;
                map.serialize_entry("contacts", contacts)?;
                map.serialize_entry("modes", &modes)?;
                map.serialize_entry("length", &Number(*step))?;
                map.serialize_entry("limit", limit.name())?;
                map.serialize_entry("impulse", &Numbers(impulse))?;
                map.serialize_entry("contact_velocity", &Numbers(velocity))?;
            }
            StepRecord::Point { impulse, velocity } => {
                map.serialize_entry("step", "point")?;
                map.serialize_entry("impulse", &Numbers(impulse))?;
                map.serialize_entry("normal_velocity", &Numbers(velocity))?;
            }
        }
        map.end()
    }
}

/// The path of an impact and how many of a point's three components the contact has.
struct EventsAnswer<'a>(&'a Recorder, usize);

impl Serialize for EventsAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(recorder, rows) = self;
        let mut map = serializer.serialize_map(Some(2))?;
        let events: Vec<PointAnswer> = recorder
            .events
            .iter()
            .map(|(event, point)| PointAnswer(Some(event.name()), point, rows))
            .collect();
        map.serialize_entry("events", &events)?;
        let samples: Vec<PointAnswer> =
            recorder.samples.iter().map(|point| PointAnswer(None, point, rows)).collect();
        map.serialize_entry("samples", &samples)?;
        map.end()
    }
}

struct PointAnswer<'a>(Option<&'static str>, &'a TracePoint, usize);

impl Serialize for PointAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(event, point, rows) = self;
        let rows = rows.min(3);
        let mut map = serializer.serialize_map(None)?;
        if let Some(event) = event {
            map.serialize_entry("event", event)?;
        }
        map.serialize_entry("impulse", &Numbers(&point.impulse[..rows]))?;
        map.serialize_entry("contact_velocity", &Numbers(&point.velocity[..rows]))?;
        map.serialize_entry("normal_work", &Number(point.normal_work))?;
        map.end()
    }
}
