//! A followed motion as JSON: the one place that says which key stands where.

use carom_io::answer::{Number, Numbers, VerdictAnswer};
use carom_sim::motion::{
    Between, BodyState, ContactState, Dimension, EndReason, Event, EventContact, EventKind, Ledger,
    Motion, Sample, Scene, Turn,
};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::json;
use serde_json::value::RawValue;

/// What became of a scene. `id` is the caller's and comes back as it came.
pub struct MotionAnswer<'a> {
    /// The caller's name for the scene.
    pub id: Option<&'a RawValue>,
    /// The scene.
    pub scene: &'a Scene,
    /// What became of it.
    pub motion: &'a Motion,
    /// Whether samples tell the contacts that last.
    pub contacts: bool,
    /// Of a run with ten times the tolerances.
    pub check: Option<&'a crate::check::Check>,
}

impl Serialize for MotionAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { scene, motion, .. } = *self;
        let mut map = serializer.serialize_map(None)?;
        if let Some(id) = self.id {
            map.serialize_entry("id", id)?;
        }
        let samples = motion.samples.iter();
        let samples = samples.map(|sample| SampleAnswer { scene, sample, contacts: self.contacts });
        map.serialize_entry("samples", &Listed(samples))?;
        let events = motion.events.iter().map(|event| EventAnswer { scene, event });
        map.serialize_entry("events", &Listed(events))?;
        map.serialize_entry("ledger", &LedgerAnswer(&motion.ledger))?;
        map.serialize_entry("end", &EndAnswer(motion))?;
        let effort = &motion.effort;
        map.serialize_entry(
            "effort",
            &json!({
                "steps": effort.steps,
                "slopes": effort.slopes,
                "impacts": effort.impacts,
                "decisions": effort.decisions,
                "merges": effort.merges,
            }),
        )?;
        map.serialize_entry("notes", &motion.notes)?;
        if let Some(check) = self.check {
            map.serialize_entry("check", &check.to_json(scene))?;
        }
        map.end()
    }
}

/// A list made while it is written.
struct Listed<I>(I);

impl<T: Serialize, I: Iterator<Item = T> + Clone> Serialize for Listed<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

struct SampleAnswer<'a> {
    scene: &'a Scene,
    sample: &'a Sample,
    contacts: bool,
}

impl Serialize for SampleAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { scene, sample, contacts } = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("t", &Number(sample.time))?;
        map.serialize_entry("bodies", &BodiesAnswer { scene, bodies: &sample.bodies })?;
        map.serialize_entry(
            "energy",
            &json!({
                "kinetic": Number(sample.kinetic),
                "potential": Number(sample.potential),
                "elastic": Number(sample.elastic),
            }),
        )?;
        if contacts {
            let contacts = sample.contacts.iter().map(|contact| ContactAnswer { scene, contact });
            map.serialize_entry("contacts", &Listed(contacts))?;
        }
        map.end()
    }
}

struct BodiesAnswer<'a> {
    scene: &'a Scene,
    bodies: &'a [BodyState],
}

impl Serialize for BodiesAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let dimension = self.scene.dimension;
        let names = self.scene.bodies.iter().map(|body| &body.name);
        let states = self.bodies.iter().map(|state| StateAnswer { dimension, state });
        serializer.collect_map(names.zip(states))
    }
}

struct StateAnswer<'a> {
    dimension: Dimension,
    state: &'a BodyState,
}

impl Serialize for StateAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { dimension, state } = *self;
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("position", &Numbers(vector(dimension, &state.position)))?;
        match &state.orientation {
            Turn::Angle(angle) => map.serialize_entry("orientation", &Number(*angle))?,
            Turn::Quaternion(q) => map.serialize_entry("orientation", &Numbers(q))?,
        }
        map.serialize_entry("velocity", &Numbers(vector(dimension, &state.velocity)))?;
        match dimension {
            Dimension::Plane => {
                map.serialize_entry("angular_velocity", &Number(state.angular_velocity[2]))?;
            }
            Dimension::Space => {
                map.serialize_entry("angular_velocity", &Numbers(&state.angular_velocity))?;
            }
        }
        map.end()
    }
}

/// The numbers that vectors of this dimension have.
fn vector(dimension: Dimension, vector: &[f64; 3]) -> &[f64] {
    match dimension {
        Dimension::Plane => &vector[..2],
        Dimension::Space => vector,
    }
}

fn serialize_between<M: SerializeMap>(
    map: &mut M,
    scene: &Scene,
    between: Between,
) -> Result<(), M::Error> {
    let body = |i: usize| scene.bodies.get(i).map(|body| body.name.as_str());
    match between {
        Between::Bodies(a, b) => {
            map.serialize_entry("a", &body(a))?;
            map.serialize_entry("b", &body(b))
        }
        // Joints without a name are called by their place in the file.
        Between::Joint(k) => match scene.joints.get(k).and_then(|joint| joint.name.as_ref()) {
            Some(name) => map.serialize_entry("joint", name),
            None => map.serialize_entry("joint", &k),
        },
    }
}

struct ContactAnswer<'a> {
    scene: &'a Scene,
    contact: &'a ContactState,
}

impl Serialize for ContactAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { scene, contact } = *self;
        let mut map = serializer.serialize_map(None)?;
        serialize_between(&mut map, scene, contact.between)?;
        match contact.between {
            Between::Bodies(..) => {
                let numbers = |v| Numbers(vector(scene.dimension, v));
                map.serialize_entry("point", &numbers(&contact.point))?;
                map.serialize_entry("normal", &numbers(&contact.normal))?;
                map.serialize_entry("force", &numbers(&contact.force))?;
                map.serialize_entry("slides", &contact.slides)?;
            }
            Between::Joint(_) => map.serialize_entry("force", &Number(contact.force[0]))?,
        }
        map.end()
    }
}

struct EventAnswer<'a> {
    scene: &'a Scene,
    event: &'a Event,
}

impl Serialize for EventAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { scene, event } = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("t", &Number(event.time))?;
        map.serialize_entry("kind", event.kind.name())?;
        match event.kind {
            // What is not said approaches.
            EventKind::Impact { collision: false } => map.serialize_entry("collision", &false)?,
            EventKind::Accumulation { impacts, ratio, captured_at, error } => {
                map.serialize_entry("impacts", &impacts)?;
                map.serialize_entry("ratio", &Number(ratio))?;
                map.serialize_entry("captured_at", &Number(captured_at))?;
                map.serialize_entry("error", &Number(error))?;
            }
            _ => {}
        }
        let contacts = event.contacts.iter();
        let contacts = contacts.map(|contact| EventContactAnswer { scene, contact });
        map.serialize_entry("contacts", &Listed(contacts))?;
        map.serialize_entry("energy_change", &Number(event.energy_change))?;
        if let Some(verdict) = &event.verdict {
            map.serialize_entry("verdict", &VerdictAnswer(verdict))?;
        }
        map.end()
    }
}

struct EventContactAnswer<'a> {
    scene: &'a Scene,
    contact: &'a EventContact,
}

impl Serialize for EventContactAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { scene, contact } = *self;
        let mut map = serializer.serialize_map(None)?;
        serialize_between(&mut map, scene, contact.between)?;
        match contact.between {
            Between::Bodies(..) => {
                let numbers = |v| Numbers(vector(scene.dimension, v));
                map.serialize_entry("point", &numbers(&contact.point))?;
                map.serialize_entry("normal", &numbers(&contact.normal))?;
                map.serialize_entry("impulse", &numbers(&contact.impulse))?;
            }
            Between::Joint(_) => map.serialize_entry("impulse", &Number(contact.impulse[0]))?,
        }
        map.end()
    }
}

struct LedgerAnswer<'a>(&'a Ledger);

impl Serialize for LedgerAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ledger = self.0;
        let mut map = serializer.serialize_map(Some(8))?;
        for (name, x) in [
            ("start", ledger.start),
            ("end", ledger.end),
            ("impacts", ledger.impacts),
            ("friction", ledger.friction),
            ("damping", ledger.damping),
            ("forces", ledger.forces),
            ("drives", ledger.drives),
            ("residual", ledger.residual),
        ] {
            map.serialize_entry(name, &Number(x))?;
        }
        map.end()
    }
}

struct EndAnswer<'a>(&'a Motion);

impl Serialize for EndAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let end = &self.0.end;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("t", &Number(end.time))?;
        map.serialize_entry("reason", end.reason.name())?;
        if let EndReason::Failed(failure) = &end.reason {
            map.serialize_entry("message", &failure.message)?;
        }
        map.end()
    }
}
