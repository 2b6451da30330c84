//! Events as a table: one row per event and contact.

use crate::samples::field;
use carom_io::answer::verdict_name;
use carom_sim::motion::{Between, Dimension, Event, EventContact, Motion, Scene};
use std::fmt::Write;

/// Columns of equal length. What a row does not have is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventTable {
    /// Which event, from 0; rows of one event share it.
    pub events: Vec<f64>,
    /// \[s\]
    pub times: Vec<f64>,
    /// `kind`, the bodies `a` and `b`, or the `joint` whose limit it is, and the `verdict` on an impact.
    pub texts: Vec<(&'static str, Vec<Option<String>>)>,
    /// Point \[m\], normal \[1\], impulse on b [N·s], all in the world; of a limit the `along` of its coordinate; the event's
    /// `energy_change` \[J\].
    pub numbers: Vec<(&'static str, Vec<Option<f64>>)>,
}

const TEXTS: [&str; 5] = ["kind", "a", "b", "joint", "verdict"];
const PLANE: [&str; 6] = ["x", "y", "nx", "ny", "px", "py"];
const SPACE: [&str; 9] = ["x", "y", "z", "nx", "ny", "nz", "px", "py", "pz"];

impl EventTable {
    /// All events of a motion.
    pub fn of(scene: &Scene, motion: &Motion) -> Self {
        let (names, size) = match scene.dimension {
            Dimension::Plane => (&PLANE[..], 2),
            Dimension::Space => (&SPACE[..], 3),
        };
        let mut table = Self {
            texts: TEXTS.iter().map(|name| (*name, Vec::new())).collect(),
            numbers: (names.iter().chain(&["along", "energy_change"]))
                .map(|name| (*name, Vec::new()))
                .collect(),
            ..Self::default()
        };
        for (k, event) in motion.events.iter().enumerate() {
            let contacts = event.contacts.iter().map(Some);
            let none = event.contacts.is_empty().then_some(None);
            for contact in contacts.chain(none) {
                table.push(scene, size, k, event, contact);
            }
        }
        table
    }

    fn push(
        &mut self,
        scene: &Scene,
        size: usize,
        place: usize,
        event: &Event,
        contact: Option<&EventContact>,
    ) {
        self.events.push(place as f64);
        self.times.push(event.time);
        let name = |body: usize| Some(scene.bodies[body].name.clone());
        let [a, b, joint] = match contact.map(|contact| contact.between) {
            Some(Between::Bodies(a, b)) => [name(a), name(b), None],
            Some(Between::Joint(k)) => {
                let joint = scene.joints[k].name.clone();
                [None, None, joint.or_else(|| Some(format!("joints[{k}]")))]
            }
            None => [None, None, None],
        };
        let verdict = event.verdict.as_ref().map(|verdict| verdict_name(verdict).to_string());
        let texts = [Some(event.kind.name().to_owned()), a, b, joint, verdict];
        for ((_, column), text) in self.texts.iter_mut().zip(texts) {
            column.push(text);
        }
        let mut numbers = vec![None; 3 * size + 2];
        if let Some(contact) = contact {
            match contact.between {
                Between::Bodies(..) => {
                    let vectors = [&contact.point, &contact.normal, &contact.impulse];
                    let all = vectors.into_iter().flat_map(|vector| &vector[..size]);
                    for (number, x) in numbers.iter_mut().zip(all) {
                        *number = Some(*x);
                    }
                }
                Between::Joint(_) => numbers[3 * size] = Some(contact.impulse[0]),
            }
        }
        numbers[3 * size + 1] = Some(event.energy_change);
        for ((_, column), x) in self.numbers.iter_mut().zip(numbers) {
            column.push(x);
        }
    }

    /// As comma-separated values, headings first.
    pub fn csv(&self) -> String {
        let texts = self.texts.iter().map(|(name, _)| *name);
        let names = texts.chain(self.numbers.iter().map(|(name, _)| *name));
        let mut text = ["event", "t"].into_iter().chain(names).collect::<Vec<_>>().join(",") + "\n";
        for (i, (event, time)) in self.events.iter().zip(&self.times).enumerate() {
            // Text can always be written to memory.
            let _ = write!(text, "{event},{time}");
            for (_, column) in &self.texts {
                let _ = write!(text, ",{}", column[i].as_deref().map_or_else(String::new, field));
            }
            for (_, column) in &self.numbers {
                let _ = match column[i] {
                    Some(x) => write!(text, ",{x}"),
                    None => write!(text, ","),
                };
            }
            text.push('\n');
        }
        text
    }
}
