//! Samples as a table: one row per time and body.

use carom_sim::motion::{BodyState, Dimension, Motion, Scene, Turn};
use std::fmt::Write;

/// Columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleTable<'a> {
    /// \[s\]
    pub times: Vec<f64>,
    /// Names.
    pub bodies: Vec<&'a str>,
    /// Position \[m\], orientation [rad or 1], velocity [m/s] and angular velocity [rad/s], each with its name.
    pub numbers: Vec<(&'static str, Vec<f64>)>,
}

/// What a body's state has in the plane.
const PLANE: [&str; 6] = ["x", "y", "angle", "vx", "vy", "omega"];
/// What it has in space.
const SPACE: [&str; 13] =
    ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"];

impl<'a> SampleTable<'a> {
    /// All samples of a motion.
    pub fn of(scene: &'a Scene, motion: &Motion) -> Self {
        let names: &[&str] = match scene.dimension {
            Dimension::Plane => &PLANE,
            Dimension::Space => &SPACE,
        };
        let mut table = Self {
            times: Vec::new(),
            bodies: Vec::new(),
            numbers: names.iter().map(|name| (*name, Vec::new())).collect(),
        };
        for sample in &motion.samples {
            for (body, state) in scene.bodies.iter().zip(&sample.bodies) {
                table.times.push(sample.time);
                table.bodies.push(&body.name);
                let numbers = numbers(scene.dimension, state);
                for ((_, column), x) in table.numbers.iter_mut().zip(numbers) {
                    column.push(x);
                }
            }
        }
        table
    }

    /// As comma-separated values, headings first.
    pub fn csv(&self) -> String {
        let names = self.numbers.iter().map(|(name, _)| *name);
        let mut text = ["t", "body"].into_iter().chain(names).collect::<Vec<_>>().join(",") + "\n";
        for (i, (time, body)) in self.times.iter().zip(&self.bodies).enumerate() {
            // Text can always be written to memory.
            let _ = write!(text, "{time},{}", field(body));
            for (_, column) in &self.numbers {
                let _ = write!(text, ",{}", column[i]);
            }
            text.push('\n');
        }
        text
    }
}

fn numbers(dimension: Dimension, state: &BodyState) -> Vec<f64> {
    let turn = match &state.orientation {
        Turn::Angle(angle) => std::slice::from_ref(angle),
        Turn::Quaternion(q) => &q[..],
    };
    let (position, velocity) = (&state.position, &state.velocity);
    match dimension {
        Dimension::Plane => {
            [&position[..2], turn, &velocity[..2], &state.angular_velocity[2..]].concat()
        }
        Dimension::Space => {
            [&position[..], turn, &velocity[..], &state.angular_velocity[..]].concat()
        }
    }
}

/// A text as a field: in quotation marks where it has any, or commas or line ends.
pub(crate) fn field(text: &str) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn names_with_commas_are_quoted() {
        assert_eq!(field("rod 1"), "rod 1");
        assert_eq!(field("a, \"b\""), "\"a, \"\"b\"\"\"");
    }
}
