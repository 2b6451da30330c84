//! What the player is given: looks of bodies once, states as arrays of numbers, events one by one.

use super::MotionPage;
use super::base64::{counts, doubles, floats};
use super::impacts::Detail;
use carom::Verdict;
use carom_io::failure::Failure;
use carom_io::plain;
use carom_plot::motion::{Look, local, quaternion};
use carom_sim::motion::{
    Between, BodyKind, BodyState, Dimension, EndReason, Event, EventKind, Prescribed,
    SceneJointKind, Turn,
};
use serde_json::{Value, json};

/// More events than these are counted only.
const EVENTS: usize = 5000;

pub(super) struct Data<'a> {
    pub(super) page: &'a MotionPage<'a>,
    /// With the place of their event.
    pub(super) details: &'a [Detail],
}

impl Data<'_> {
    /// Everything, as the page has it.
    pub(super) fn json(&self) -> Result<String, Failure> {
        let (scene, motion) = (self.page.scene, self.page.motion);
        let failure = match &motion.end.reason {
            EndReason::Failed(failure) => Some(plain::message(&failure.message).into_owned()),
            _ => None,
        };
        let shown = motion.events.len().min(EVENTS);
        let events: Vec<Value> = motion.events[..shown]
            .iter()
            .enumerate()
            .map(|(k, event)| self.event(k, event))
            .collect();
        let value = json!({
            "dimension": self.numbers_of_place(),
            "gravity": short(&scene.gravity),
            "end": { "t": motion.end.time, "reason": motion.end.reason.name(), "message": failure },
            "file": self.page.file,
            "bodies": (0..scene.bodies.len()).map(|body| self.body(body)).collect::<Vec<_>>(),
            "joints": self.joints(),
            "springs": self.springs(),
            "samples": self.samples(),
            "events": events,
            "event_count": motion.events.len(),
            "ledger": {
                "start": motion.ledger.start,
                "residual": motion.ledger.residual,
            },
            "details": self.details.iter().map(Detail::html).collect::<Vec<_>>(),
            "notes": motion.notes.iter().map(|note| plain::message(note)).collect::<Vec<_>>(),
        });
        serde_json::to_string(&value)
            .map_err(|error| Failure::Io { name: "the report".into(), error: error.into() })
    }

    fn flat(&self) -> bool {
        self.page.scene.dimension == Dimension::Plane
    }

    /// How many numbers a place has.
    fn numbers_of_place(&self) -> usize {
        if self.flat() { 2 } else { 3 }
    }

    fn body(&self, body: usize) -> Value {
        let scene = self.page.scene;
        let of = &scene.bodies[body];
        let looks: Vec<Value> =
            of.shapes.iter().map(|shape| look(&Look::of(shape, scene.dimension))).collect();
        let mass = match of.kind {
            BodyKind::Moving { mass, .. } => Some(mass),
            BodyKind::Fixed { .. } => None,
        };
        json!({
            "name": plain::name(&of.name),
            "mass": mass,
            "moves": self.moves(body),
            "belt": of.surface_velocity != [0.0; 3],
            "looks": looks,
            "pose": self.page.motion.samples.first().map(|sample| {
                self.pose(&sample.bodies[body]).into_iter().map(|x| x as f32).collect::<Vec<_>>()
            }),
        })
    }

    /// Whether a body's place changes.
    fn moves(&self, body: usize) -> bool {
        !matches!(self.page.scene.bodies[body].kind, BodyKind::Fixed { motion: Prescribed::None })
    }

    fn at_start(&self, body: usize, world: [f64; 3]) -> Vec<f32> {
        let of = &self.page.scene.bodies[body];
        short(&local(of.position, &of.orientation, world))
    }

    fn joints(&self) -> Vec<Value> {
        let joint = |joint: &carom_sim::motion::SceneJoint| {
            let kind = match joint.kind {
                SceneJointKind::Ball => "ball",
                SceneJointKind::Hinge => "hinge",
                SceneJointKind::Slider => "slider",
                SceneJointKind::Weld => "weld",
            };
            json!({
                "name": joint.name.as_deref().map(plain::name),
                "kind": kind,
                "a": joint.a,
                "b": joint.b,
                "at": [self.at_start(joint.a, joint.point), self.at_start(joint.b, joint.point)],
            })
        };
        self.page.scene.joints.iter().map(joint).collect()
    }

    fn springs(&self) -> Vec<Value> {
        let spring = |spring: &carom_sim::motion::Spring| {
            json!({
                "a": spring.a,
                "b": spring.b,
                "at": [self.at_start(spring.a, spring.point_a), self.at_start(spring.b, spring.point_b)],
            })
        };
        self.page.scene.springs.iter().map(spring).collect()
    }

    /// Place and orientation.
    fn pose(&self, state: &BodyState) -> Vec<f64> {
        let mut numbers = state.position[..self.numbers_of_place()].to_vec();
        match (&state.orientation, self.flat()) {
            (Turn::Angle(angle), true) => numbers.push(*angle),
            // A planar scene has angles only.
            (Turn::Quaternion(_), true) => numbers.push(0.0),
            (turn, false) => numbers.extend(quaternion(turn)),
        }
        numbers
    }

    fn rates(&self, state: &BodyState) -> Vec<f64> {
        let mut numbers = state.velocity[..self.numbers_of_place()].to_vec();
        match self.flat() {
            true => numbers.push(state.angular_velocity[2]),
            false => numbers.extend(state.angular_velocity),
        }
        numbers
    }

    /// States of what moves, energies, works, and contacts that last.
    fn samples(&self) -> Value {
        let samples = || self.page.motion.samples.iter();
        let moving: Vec<usize> =
            (0..self.page.scene.bodies.len()).filter(|&body| self.moves(body)).collect();
        let states =
            || samples().flat_map(|sample| moving.iter().map(|&body| &sample.bodies[body]));
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let (mut starts, mut which, mut numbers) = (vec![0], Vec::new(), Vec::new());
        for sample in samples() {
            for contact in &sample.contacts {
                let Between::Bodies(a, b) = contact.between else { continue };
                let pair = pairs.iter().position(|known| *known == (a, b)).unwrap_or_else(|| {
                    pairs.push((a, b));
                    pairs.len() - 1
                });
                which.push(2 * pair as u32 + u32::from(contact.slides));
                numbers.extend(&contact.point[..self.numbers_of_place()]);
                numbers.extend(&contact.force[..self.numbers_of_place()]);
            }
            starts.push(which.len() as u32);
        }
        json!({
            "t": doubles(samples().map(|sample| sample.time)),
            "pose": floats(states().flat_map(|state| self.pose(state))),
            "rate": floats(states().flat_map(|state| self.rates(state))),
            "energy": doubles(samples().flat_map(|s| [s.kinetic, s.potential, s.elastic])),
            "works": doubles(samples().flat_map(|s| s.works.numbers())),
            "pairs": pairs,
            "contact_starts": counts(starts),
            "contact_pairs": counts(which),
            "contacts": floats(numbers),
        })
    }

    fn event(&self, place: usize, event: &Event) -> Value {
        let scene = self.page.scene;
        let numbers = self.numbers_of_place();
        let contacts: Vec<Value> = event
            .contacts
            .iter()
            .map(|contact| match contact.between {
                Between::Bodies(a, b) => json!({
                    "a": a, "b": b,
                    "point": short(&contact.point[..numbers]),
                    "impulse": short(&contact.impulse[..numbers]),
                }),
                Between::Joint(joint) => json!({
                    "joint": scene.joints.get(joint).and_then(|j| j.name.as_deref()).map_or_else(
                        || format!("joints[{joint}]"),
                        |name| plain::name(name).into_owned()
                    ),
                    "along": contact.impulse[0] as f32,
                }),
            })
            .collect();
        let kind = match event.kind {
            EventKind::Impact { collision: false } => "jam",
            kind => kind.name(),
        };
        let mut value = json!({ "t": event.time, "kind": kind, "contacts": contacts });
        if event.energy_change != 0.0 {
            value["energy"] = json!(event.energy_change);
        }
        if let EventKind::Accumulation { impacts, ratio, error, .. } = event.kind {
            value["accumulation"] = json!({ "impacts": impacts, "ratio": ratio, "error": error });
        }
        if let Some(verdict) = &event.verdict {
            value["verdict"] = json!(match verdict {
                Verdict::Permissible => "permissible".to_owned(),
                Verdict::Boundary => "permissible, on the boundary".to_owned(),
                Verdict::Violates(failed) => {
                    let names: Vec<&str> =
                        failed.iter().map(|inequality| inequality.name()).collect();
                    format!("violates: {}", names.join(", "))
                }
            });
        }
        if let Some(detail) = self.details.iter().position(|detail| detail.event == place) {
            value["detail"] = json!(detail);
        }
        value
    }
}

fn look(look: &Look) -> Value {
    let points = |points: &[[f64; 3]]| points.iter().map(|p| short(p)).collect::<Vec<_>>();
    match look {
        Look::Ball { center, radius } => json!({ "ball": short(center), "radius": *radius as f32 }),
        Look::Outline(outline) => json!({ "outline": points(outline) }),
        Look::Corners(corners) => json!({ "corners": points(corners) }),
        Look::HalfSpace { normal, offset } => {
            json!({ "normal": short(normal), "offset": *offset as f32 })
        }
        Look::Solid { vertices, faces } => json!({
            "vertices": points(vertices),
            "faces": faces.iter().map(|face| &face.corners).collect::<Vec<_>>(),
            "edged": faces.iter().map(|face| u8::from(face.edged)).collect::<Vec<_>>(),
            "dark": faces.iter().map(|face| u8::from(face.dark)).collect::<Vec<_>>(),
        }),
    }
}

/// As many digits as a picture needs.
fn short(numbers: &[f64]) -> Vec<f32> {
    numbers.iter().map(|x| *x as f32).collect()
}
