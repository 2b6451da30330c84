//! Scenes as TOML files, to be read, changed and followed: every number to the last bit, defaults left out.

use carom::catalog::SettingValue;
use carom::{Law, Material, Restitution};
use carom_io::plain;
use carom_sim::motion::{
    Accuracy, BodyKind, Dimension, Mode, Prescribed, Scene, SceneBody, SceneJoint, SceneJointKind,
    Shape, Turn,
};
use std::fmt::Write;

/// What a file says besides the scene.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// One line that names it.
    pub title: Option<String>,
    /// Comments at the head of the file.
    pub head: Vec<String>,
    /// A comment for each body; empty for none.
    pub bodies: Vec<String>,
}

/// A scene as a file.
pub fn toml(scene: &Scene, words: &Words) -> String {
    let mut file = File { text: String::new(), planar: scene.dimension == Dimension::Plane };
    for line in &words.head {
        file.comment(line);
    }
    if !words.head.is_empty() {
        file.text.push('\n');
    }
    file.settings(scene, words);
    for (index, body) in scene.bodies.iter().enumerate() {
        file.body(body, words.bodies.get(index).map_or("", String::as_str));
    }
    let name = |body: usize| scene.bodies.get(body).map_or("", |body| body.name.as_str());
    for joint in &scene.joints {
        file.joint(joint, name);
    }
    for spring in &scene.springs {
        file.table("springs");
        file.line("a", &text(name(spring.a)));
        file.line("b", &text(name(spring.b)));
        file.line("point_a", &file.vector(&spring.point_a));
        file.line("point_b", &file.vector(&spring.point_b));
        file.unless("stiffness", spring.stiffness, 0.0);
        file.unless("damping", spring.damping, 0.0);
        if let Some(length) = spring.length {
            file.line("length", &number(length));
        }
    }
    for force in &scene.forces {
        file.table("forces");
        file.line("body", &text(name(force.body)));
        file.line("force", &file.vector(&force.force));
        if force.point != [0.0; 3] {
            file.line("point", &file.vector(&force.point));
        }
        if force.torque != [0.0; 3] {
            file.line("torque", &file.axial(&force.torque));
        }
    }
    for pair in &scene.pairs {
        file.table("pairs");
        for (key, body) in [("a", pair.a), ("b", pair.b)] {
            file.line(key, &body.map_or_else(|| text("*"), |body| text(name(body))));
        }
        file.material(&pair.material);
    }
    file.text
}

/// A file on its way.
struct File {
    text: String,
    planar: bool,
}

impl File {
    fn comment(&mut self, line: &str) {
        let line = plain::name(line);
        let _ = match line.is_empty() {
            true => writeln!(self.text, "#"),
            false => writeln!(self.text, "# {line}"),
        };
    }

    fn line(&mut self, key: &str, value: &str) {
        // Writing into text cannot fail.
        let _ = writeln!(self.text, "{key} = {value}");
    }

    fn table(&mut self, name: &str) {
        let _ = writeln!(self.text, "\n[[{name}]]");
    }

    fn unless(&mut self, key: &str, value: f64, default: f64) {
        if value != default {
            self.line(key, &number(value));
        }
    }

    /// As many numbers as positions have.
    fn vector(&self, x: &[f64; 3]) -> String {
        numbers(if self.planar { &x[..2] } else { x })
    }

    fn axial(&self, x: &[f64; 3]) -> String {
        if self.planar { number(x[2]) } else { numbers(x) }
    }

    fn settings(&mut self, scene: &Scene, words: &Words) {
        if let Some(title) = &words.title {
            self.line("title", &text(title));
        }
        self.line("gravity", &self.vector(&scene.gravity));
        self.line("duration", &number(scene.duration));
        if let Some(law) = &scene.law {
            self.line("law", &law_value(law));
        }
        if let Mode::Stepping { h, theta } = scene.mode {
            let (h, theta) = (number(h), number(theta));
            self.line("mode", &format!("{{ stepping = {{ h = {h}, theta = {theta} }} }}"));
        }
        if scene.accuracy != Accuracy::default() {
            let Accuracy { state, time } = scene.accuracy;
            let (state, time) = (number(state), number(time));
            self.line("accuracy", &format!("{{ state = {state}, time = {time} }}"));
        }
        if scene.max_events != Scene::new(scene.dimension).max_events {
            self.line("max_events", &scene.max_events.to_string());
        }
    }

    fn body(&mut self, body: &SceneBody, comment: &str) {
        self.table("bodies");
        if !comment.is_empty() {
            self.comment(comment);
        }
        self.line("name", &text(&body.name));
        match body.kind {
            BodyKind::Fixed { motion } => {
                self.line("fixed", "true");
                match motion {
                    Prescribed::None => {}
                    Prescribed::Uniform { velocity } => {
                        let velocity = self.vector(&velocity);
                        self.line("motion", &format!("{{ velocity = {velocity} }}"));
                    }
                    Prescribed::Sine { amplitude, frequency, phase } => {
                        let amplitude = self.vector(&amplitude);
                        let (frequency, phase) = (number(frequency), number(phase));
                        let sine = format!(
                            "{{ sine = {{ amplitude = {amplitude}, frequency = {frequency}, phase = {phase} }} }}"
                        );
                        self.line("motion", &sine);
                    }
                }
            }
            BodyKind::Moving { mass, inertia } => {
                self.line("mass", &number(mass));
                let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = inertia;
                let inertia = match self.planar {
                    true => number(zz),
                    false if [xy, xz, yx, yz, zx, zy] == [0.0; 6] => numbers(&[xx, yy, zz]),
                    false => {
                        let rows: Vec<String> = inertia.iter().map(|row| numbers(row)).collect();
                        format!("[{}]", rows.join(", "))
                    }
                };
                self.line("inertia", &inertia);
            }
        }
        self.line("position", &self.vector(&body.position));
        match body.orientation {
            Turn::Angle(angle) if self.planar => self.unless("orientation", angle, 0.0),
            Turn::Quaternion(q) if q != [1.0, 0.0, 0.0, 0.0] => {
                self.line("orientation", &numbers(&q));
            }
            _ => {}
        }
        if body.velocity != [0.0; 3] {
            self.line("velocity", &self.vector(&body.velocity));
        }
        if body.angular_velocity != [0.0; 3] {
            self.line("angular_velocity", &self.axial(&body.angular_velocity));
        }
        if body.surface_velocity != [0.0; 3] {
            self.line("surface_velocity", &self.vector(&body.surface_velocity));
        }
        if !body.shapes.is_empty() {
            let shapes: Vec<String> =
                body.shapes.iter().map(|shape| format!("  {},\n", self.shape(shape))).collect();
            self.line("shapes", &format!("[\n{}]", shapes.concat()));
        }
    }

    fn shape(&self, shape: &Shape) -> String {
        let v = |x: &[f64; 3]| self.vector(x);
        let center = |center: &[f64; 3]| match *center == [0.0; 3] {
            true => String::new(),
            false => format!(", center = {}", v(center)),
        };
        let points = |points: &[[f64; 3]]| {
            let points: Vec<String> = points.iter().map(v).collect();
            format!("points = [{}]", points.join(", "))
        };
        let named = |space, plane| if self.planar { plane } else { space };
        match shape {
            Shape::Sphere { radius, center: at } => {
                let (kind, radius) = (named("sphere", "disk"), number(*radius));
                format!("{{ type = \"{kind}\", radius = {radius}{} }}", center(at))
            }
            Shape::Capsule { radius, from, to } => format!(
                "{{ type = \"capsule\", radius = {}, from = {}, to = {} }}",
                number(*radius),
                v(from),
                v(to)
            ),
            Shape::Box { half, center: at, orientation } => {
                let turn = match *orientation == [1.0, 0.0, 0.0, 0.0] {
                    true => String::new(),
                    false => format!(", orientation = {}", numbers(orientation)),
                };
                format!("{{ type = \"box\", half = {}{}{turn} }}", v(half), center(at))
            }
            Shape::Cylinder { radius, half_height, axis, center: at } => format!(
                "{{ type = \"cylinder\", radius = {}, half_height = {}, axis = {}{} }}",
                number(*radius),
                number(*half_height),
                v(axis),
                center(at)
            ),
            Shape::Convex { points: all } => format!("{{ type = \"convex\", {} }}", points(all)),
            Shape::Polygon { points: all } => format!("{{ type = \"polygon\", {} }}", points(all)),
            Shape::Points { points: all } => format!("{{ type = \"points\", {} }}", points(all)),
            Shape::HalfSpace { normal, offset } => {
                let (kind, offset) = (named("half-space", "half-plane"), number(*offset));
                format!("{{ type = \"{kind}\", normal = {}, offset = {offset} }}", v(normal))
            }
        }
    }

    fn joint<'a>(&mut self, joint: &SceneJoint, name: impl Fn(usize) -> &'a str) {
        self.table("joints");
        if let Some(own) = &joint.name {
            self.line("name", &text(own));
        }
        let (kind, turns_or_slides) = match joint.kind {
            SceneJointKind::Ball => ("ball", false),
            SceneJointKind::Hinge => ("hinge", true),
            SceneJointKind::Slider => ("slider", true),
            SceneJointKind::Weld => ("weld", false),
        };
        self.line("type", &text(kind));
        self.line("a", &text(name(joint.a)));
        self.line("b", &text(name(joint.b)));
        self.line("point", &self.vector(&joint.point));
        if turns_or_slides && !(self.planar && joint.kind == SceneJointKind::Hinge) {
            self.line("axis", &self.vector(&joint.axis));
        }
        if joint.limits != [f64::NEG_INFINITY, f64::INFINITY] {
            let [low, high] = joint.limits.map(number);
            self.line("limits", &format!("[{low}, {high}]"));
        }
        for (key, value) in [
            ("e", joint.e),
            ("stiffness", joint.stiffness),
            ("damping", joint.damping),
            ("rest", joint.rest),
            ("torque", joint.torque),
            ("armature", joint.armature),
        ] {
            self.unless(key, value, 0.0);
        }
    }

    fn material(&mut self, material: &Material) {
        let default = Material::default();
        self.unless("mu", material.mu, default.mu);
        let e = match material.restitution {
            Restitution::Constant(e) => number(e),
            Restitution::Curve { minimum, capture_speed, plastic_speed } => format!(
                "{{ minimum = {}, capture_speed = {}, plastic_speed = {} }}",
                number(minimum),
                number(capture_speed),
                number(plastic_speed)
            ),
        };
        self.line("e", &e);
        self.unless("e_t", material.e_t, default.e_t);
        self.unless("stiffness", material.stiffness, default.stiffness);
        if let Some(coupling) = material.coupling {
            self.line("coupling", &number(coupling));
        }
        if let Some(ratio) = material.impulse_ratio {
            self.line("impulse_ratio", &numbers(&ratio));
        }
    }
}

/// To the last bit, and with a point or an exponent; what is infinite is a word.
fn number(x: f64) -> String {
    match x {
        f64::INFINITY => "\"inf\"".into(),
        f64::NEG_INFINITY => "\"-inf\"".into(),
        x => format!("{x:?}"),
    }
}

fn numbers(list: &[f64]) -> String {
    let list: Vec<String> = list.iter().map(|x| number(*x)).collect();
    format!("[{}]", list.join(", "))
}

/// In quotes, on one line.
fn text(words: &str) -> String {
    let mut quoted = String::from("\"");
    for c in words.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if plain::acts(c) => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn law_value(law: &Law) -> String {
    let mut parts = vec![format!("id = {}", text(law.id()))];
    let settings = law.settings(None);
    let defaults = Law::from_id(law.id()).map(|law| law.settings(None)).unwrap_or_default();
    let rest = (settings.iter())
        .filter(|(name, value)| *name != "id" && defaults.get(*name) != Some(*value));
    parts.extend(rest.map(|(name, value)| format!("{name} = {}", setting(value))));
    format!("{{ {} }}", parts.join(", "))
}

fn setting(value: &SettingValue) -> String {
    match value {
        SettingValue::Number(x) => number(*x),
        SettingValue::Text(words) => text(words),
        SettingValue::Switch(on) => on.to_string(),
        SettingValue::List(items) => {
            let items: Vec<String> = items.iter().map(setting).collect();
            format!("[{}]", items.join(", "))
        }
        SettingValue::Table(settings) => {
            let parts: Vec<String> = settings
                .iter()
                .map(|(name, value)| format!("{name} = {}", setting(value)))
                .collect();
            format!("{{ {} }}", parts.join(", "))
        }
    }
}
