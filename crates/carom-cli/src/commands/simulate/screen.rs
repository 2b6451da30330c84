//! What people see of a motion: one screen.

use crate::commands::compare::wrap;
use crate::commands::resolve::quoted;
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::Law;
use carom_io::answer::verdict_name;
use carom_io::plain;
use carom_report::numbers::{significant, thousands, vector};
use carom_report::words::{self, DIGITS};
use carom_scene::SceneFile;
use carom_scene::check::{Check, Worst};
use carom_sim::motion::{
    Between, BodyKind, Dimension, EndReason, Event, EventKind, FailureKind, Mode, Motion, Scene,
    SceneBody, Shape, Turn,
};
use std::path::Path;

/// So many events are shown at each end \[1\].
const EVENTS: usize = 6;
/// So many bodies are shown \[1\].
const BODIES: usize = 8;

/// A motion and what is said about it.
pub struct Shown<'a> {
    /// What the file says.
    pub file: &'a SceneFile,
    /// The law of all impacts, if one is named.
    pub law: Option<&'a Law>,
    /// What became of the scene.
    pub motion: &'a Motion,
    /// A second run beside it.
    pub check: Option<&'a Check>,
    /// Where the scene stands.
    pub path: &'a Path,
}

impl Shown<'_> {
    /// One screen.
    pub fn text(&self) -> String {
        let bold = Style::new().bold();
        let mut lines: Vec<String> =
            self.file.title.iter().map(|title| format!("{bold}{title}{bold:#}")).collect();
        lines.extend(wrap("scene", &self.scene_words()));
        lines.extend(wrap("law", &self.law_words()));
        lines.extend(self.moving());
        lines.push(String::new());
        lines.extend(self.events());
        lines.push(String::new());
        lines.extend(wrap("energy", &self.energy()));
        lines.extend(wrap("end", &self.end()));
        lines.extend(self.state());
        if let Some(check) = self.check {
            lines.extend(wrap("check", &self.check_words(check)));
        }
        lines.extend(wrap("effort", &self.effort()));
        for note in &self.motion.notes {
            lines.extend(wrap("note", &plain::name(note)));
        }
        lines.push(String::new());
        for hint in self.hints() {
            lines.push(format!("try      {hint}"));
        }
        lines.join("\n") + "\n"
    }

    fn scene(&self) -> &Scene {
        &self.file.scene
    }

    fn scene_words(&self) -> String {
        let scene = self.scene();
        let moving = scene.bodies.iter().filter(|body| moves(body)).count();
        let mut parts = vec![
            match scene.dimension {
                Dimension::Plane => "in the plane".to_owned(),
                Dimension::Space => "in space".to_owned(),
            },
            format!(
                "{} of {} move",
                thousands(moving),
                counted(scene.bodies.len(), "body", "bodies")
            ),
        ];
        for (count, one, many) in [
            (scene.joints.len(), "joint", "joints"),
            (scene.springs.len(), "spring", "springs"),
            (scene.forces.len(), "force", "forces"),
        ] {
            if count > 0 {
                parts.push(counted(count, one, many));
            }
        }
        parts.push(match scene.gravity == [0.0; 3] {
            true => "no gravity".into(),
            false => format!("gravity {} m/s²", self.vector(&scene.gravity)),
        });
        parts.push(format!("{} s", significant(scene.duration, DIGITS)));
        if let Mode::Stepping { h, theta } = scene.mode {
            let (h, theta) = (significant(h, DIGITS), significant(theta, DIGITS));
            parts.push(format!("in steps of {h} s, theta = {theta}"));
        }
        parts.join(", ")
    }

    fn law_words(&self) -> String {
        match self.law {
            Some(law) => words::law_with_settings(law, &law.settings(None)),
            None => "by default: the law for as many contacts as an impact has".into(),
        }
    }

    /// The bodies that move, on a line each.
    fn moving(&self) -> Vec<String> {
        let moving: Vec<&SceneBody> = self.scene().bodies.iter().filter(|b| moves(b)).collect();
        let mut lines = Vec::new();
        for (i, body) in moving.iter().take(BODIES).enumerate() {
            let keyword = if i == 0 { "moves" } else { "" };
            let mut parts = Vec::new();
            match body.kind {
                BodyKind::Moving { mass, .. } => {
                    parts.push(format!("{} kg", significant(mass, DIGITS)));
                    parts.push(format!("at {} m", self.vector(&body.position)));
                    if body.velocity != [0.0; 3] {
                        parts.push(format!("{} m/s", self.vector(&body.velocity)));
                    }
                    if body.angular_velocity != [0.0; 3] {
                        parts.push(format!("{} rad/s", self.spin(&body.angular_velocity)));
                    }
                }
                BodyKind::Fixed { .. } => parts.push("as prescribed".into()),
            }
            let shapes: Vec<&str> =
                body.shapes.iter().map(|shape| shape_name(shape, self.scene().dimension)).collect();
            match shapes[..] {
                [] => parts.push("without a shape".into()),
                [one] => parts.push(one.into()),
                _ => parts.push(format!("{} shapes", shapes.len())),
            }
            let name = plain::name(&body.name);
            lines.extend(wrap(keyword, &format!("{name}: {}", parts.join(", "))));
        }
        if moving.len() > BODIES {
            lines.extend(wrap("", &format!("… {} more", thousands(moving.len() - BODIES))));
        }
        lines
    }

    /// Counts by kind, then the first and the last events.
    fn events(&self) -> Vec<String> {
        let events = &self.motion.events;
        if events.is_empty() {
            return wrap("events", "none");
        }
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for event in events {
            let name = event.kind.name();
            match counts.iter_mut().find(|(kind, _)| *kind == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
        let counts: Vec<String> =
            counts.iter().map(|(kind, count)| format!("{} {kind}", thousands(*count))).collect();
        let mut lines = wrap("events", &counts.join(", "));
        let (head, tail) = match events.len() <= 2 * EVENTS + 2 {
            true => (events.len(), events.len()),
            false => (EVENTS, events.len() - EVENTS),
        };
        let mut table = Table::default();
        table.push(vec![
            Cell::right("t s"),
            Cell::left("kind"),
            Cell::left("between"),
            Cell::right("impulse N·s"),
            Cell::right("ΔE J"),
            Cell::left(""),
        ]);
        for event in events[..head].iter().chain(&events[tail..]) {
            table.push(self.event_row(event));
        }
        let mut rows = table.lines(2);
        if head < tail {
            rows.insert(
                head + 1,
                format!("  … {} more; --json has them all", thousands(tail - head)),
            );
        }
        lines.extend(rows.into_iter().map(|row| format!("  {row}")));
        lines
    }

    fn event_row(&self, event: &Event) -> Vec<Cell> {
        let number = |x: f64| significant(x, 4);
        let sizes = event.contacts.iter().map(|c| length(&c.impulse));
        let impulse: f64 = sizes.fold(0.0, f64::max);
        let remark = match (&event.kind, &event.verdict) {
            (EventKind::Accumulation { impacts, error, .. }, _) => {
                format!(
                    "after {} impacts, ± {} s",
                    thousands(*impacts as usize),
                    significant(*error, 2)
                )
            }
            (EventKind::Impact { collision: false }, _) => "a jam, without approach".into(),
            (_, Some(verdict)) if !verdict.is_permissible() => verdict_name(verdict).into(),
            _ => String::new(),
        };
        let dash = |x: f64| if x == 0.0 { "–".into() } else { number(x) };
        vec![
            Cell::right(significant(event.time, 9)),
            Cell::left(event.kind.name()),
            Cell::left(self.between(event)),
            Cell::right(dash(impulse)),
            Cell::right(dash(event.energy_change)),
            Cell::left(remark),
        ]
    }

    /// Who took part: the first contact, and how many more.
    fn between(&self, event: &Event) -> String {
        let Some(first) = event.contacts.first() else { return String::new() };
        let name = |i: usize| {
            let body = self.scene().bodies.get(i);
            body.map_or_else(|| i.to_string(), |body| plain::name(&body.name).into_owned())
        };
        let words = match first.between {
            Between::Bodies(a, b) => format!("{} – {}", name(a), name(b)),
            Between::Joint(k) => {
                let joint = self.scene().joints.get(k).and_then(|joint| joint.name.as_deref());
                joint.map_or_else(|| format!("joint {k}"), |name| plain::name(name).into_owned())
            }
        };
        match event.contacts.len() {
            1 => words,
            n => format!("{words} +{}", n - 1),
        }
    }

    fn energy(&self) -> String {
        let ledger = &self.motion.ledger;
        let mut parts = vec![format!("{} J at first", significant(ledger.start, DIGITS))];
        for (name, work) in [
            ("impacts", ledger.impacts),
            ("friction", ledger.friction),
            ("dampers", ledger.damping),
            ("forces", ledger.forces),
            ("drives", ledger.drives),
        ] {
            if work != 0.0 {
                let sign = if work > 0.0 { "+" } else { "" };
                parts.push(format!("{name} {sign}{}", significant(work, DIGITS)));
            }
        }
        parts.push(format!("{} J at last", significant(ledger.end, DIGITS)));
        parts.push(format!("the balance closes to {} J", significant(ledger.residual, 2)));
        parts.join(", ")
    }

    fn end(&self) -> String {
        let end = &self.motion.end;
        let time = significant(end.time, 9);
        match &end.reason {
            EndReason::Duration => format!("{time} s, the duration asked for"),
            EndReason::Rest => {
                format!("{time} s, at rest: nothing moves any more, and nothing will")
            }
            EndReason::Interrupted => format!("{time} s, interrupted"),
            EndReason::Failed(failure) => {
                let message = plain::name(&failure.message).into_owned();
                format!("{time} s, {}: {message}", failure.kind.name())
            }
            other => format!("{time} s, {}", other.name()),
        }
    }

    /// Where the bodies that move are at the last sample.
    fn state(&self) -> Vec<String> {
        let Some(sample) = self.motion.samples.last() else { return Vec::new() };
        let bodies = self.scene().bodies.iter().zip(&sample.bodies);
        let moving = bodies.filter(|(body, _)| moves(body));
        let mut lines = Vec::new();
        for (i, (body, state)) in moving.enumerate().take(BODIES) {
            let keyword = if i == 0 { "state" } else { "" };
            let turn = match &state.orientation {
                Turn::Angle(angle) => format!("{} rad", significant(*angle, DIGITS)),
                Turn::Quaternion(q) => vector(q, DIGITS),
            };
            let words = format!(
                "{} at {} s: {} m, {turn}, {} m/s, {} rad/s",
                plain::name(&body.name),
                significant(sample.time, DIGITS),
                self.vector(&state.position),
                self.vector(&state.velocity),
                self.spin(&state.angular_velocity),
            );
            lines.extend(wrap(keyword, &words));
        }
        lines
    }

    fn check_words(&self, check: &Check) -> String {
        let name = |worst: &Worst| {
            let body = self.scene().bodies.get(worst.body);
            body.map_or_else(String::new, |body| plain::name(&body.name).into_owned())
        };
        let mut parts = Vec::new();
        for (what, unit, worst) in [
            ("position", "m", &check.position),
            ("orientation", "rad", &check.orientation),
            ("velocity", "m/s", &check.velocity),
            ("angular velocity", "rad/s", &check.angular_velocity),
        ] {
            let mut words = format!("{what} {} {unit}", significant(worst.value, 2));
            if worst.value > 0.0 {
                words += &format!(" ({} at {} s)", name(worst), significant(worst.time, 4));
            }
            parts.push(words);
        }
        let alike = match check.events_alike == check.events {
            true => format!("all {} events are alike", thousands(check.events)),
            false => format!(
                "only the first {} of {} events are alike",
                thousands(check.events_alike),
                thousands(check.events)
            ),
        };
        format!(
            "with ten times the tolerances {} samples differ by at most: {}; {alike}, their times differ by at most {} s",
            thousands(check.samples),
            parts.join(", "),
            significant(check.event_time, 2)
        )
    }

    fn effort(&self) -> String {
        let effort = &self.motion.effort;
        let count = |n: u64| thousands(usize::try_from(n).unwrap_or(usize::MAX));
        format!(
            "{} steps, {} slopes, {} impacts, {} decisions, {} merges",
            count(effort.steps),
            count(effort.slopes),
            count(effort.impacts),
            count(effort.decisions),
            count(effort.merges)
        )
    }

    /// What to try next.
    fn hints(&self) -> Vec<String> {
        let file = quoted(self.path);
        let mut hints = Vec::new();
        match &self.motion.end.reason {
            EndReason::Failed(failure) => hints.push(match failure.kind {
                FailureKind::Impact | FailureKind::ImpactSequence => {
                    format!("carom simulate {file} --law stiff-limit   another law of impacts; `carom laws` lists them")
                }
                FailureKind::NoPattern | FailureKind::Step | FailureKind::TooManyEvents => {
                    "mode = { stepping = { h = 1e-3 } } in the scene: steps in time, of first order, for piles".into()
                }
                _ => format!("carom simulate {file} --json   all that there is up to there"),
            }),
            EndReason::Duration if self.check.is_none() => {
                hints.push(format!("carom simulate {file} --check   how exact it is"));
            }
            _ => {}
        }
        hints.push(format!(
            "carom simulate {file} --every 0.01 --csv   positions and velocities as a table"
        ));
        hints
    }

    /// As many numbers as positions have.
    fn vector(&self, v: &[f64; 3]) -> String {
        match self.scene().dimension {
            Dimension::Plane => vector(&v[..2], DIGITS),
            Dimension::Space => vector(v, DIGITS),
        }
    }

    fn spin(&self, v: &[f64; 3]) -> String {
        match self.scene().dimension {
            Dimension::Plane => significant(v[2], DIGITS),
            Dimension::Space => vector(v, DIGITS),
        }
    }
}

fn moves(body: &SceneBody) -> bool {
    use carom_sim::motion::Prescribed;
    !matches!(body.kind, BodyKind::Fixed { motion: Prescribed::None })
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

fn length(v: &[f64; 3]) -> f64 {
    f64::sqrt(v.iter().map(|x| x * x).sum())
}

fn shape_name(shape: &Shape, dimension: Dimension) -> &'static str {
    match (shape, dimension) {
        (Shape::Sphere { .. }, Dimension::Plane) => "disk",
        (Shape::Sphere { .. }, Dimension::Space) => "sphere",
        (Shape::Capsule { .. }, _) => "capsule",
        (Shape::Box { .. }, _) => "box",
        (Shape::Cylinder { .. }, _) => "cylinder",
        (Shape::Convex { .. }, _) => "convex body",
        (Shape::Polygon { .. }, _) => "polygon",
        (Shape::Points { .. }, _) => "points",
        (Shape::HalfSpace { .. }, Dimension::Plane) => "half-plane",
        (Shape::HalfSpace { .. }, Dimension::Space) => "half-space",
    }
}
