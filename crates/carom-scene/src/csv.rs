//! Samples as comma-separated values: one row per time and body.

use carom_sim::motion::{Dimension, Motion, Scene, Turn};
use std::fmt::Write;

/// The column names of a scene of this dimension.
pub fn headings(dimension: Dimension) -> &'static [&'static str] {
    match dimension {
        Dimension::Plane => &["t", "body", "x", "y", "angle", "vx", "vy", "omega"],
        Dimension::Space => &[
            "t", "body", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz",
        ],
    }
}

/// All samples, headings first.
pub fn text(scene: &Scene, motion: &Motion) -> String {
    let mut text = headings(scene.dimension).join(",") + "\n";
    for sample in &motion.samples {
        for (body, state) in scene.bodies.iter().zip(&sample.bodies) {
            let mut numbers: Vec<f64> = Vec::with_capacity(13);
            let coordinates = match scene.dimension {
                Dimension::Plane => 2,
                Dimension::Space => 3,
            };
            numbers.extend(&state.position[..coordinates]);
            match &state.orientation {
                Turn::Angle(angle) => numbers.push(*angle),
                Turn::Quaternion(q) => numbers.extend(q),
            }
            numbers.extend(&state.velocity[..coordinates]);
            match scene.dimension {
                Dimension::Plane => numbers.push(state.angular_velocity[2]),
                Dimension::Space => numbers.extend(&state.angular_velocity),
            }
            // Text can always be written to memory.
            let _ = write!(text, "{},{}", sample.time, field(&body.name));
            for x in numbers {
                let _ = write!(text, ",{x}");
            }
            text.push('\n');
        }
    }
    text
}

/// A text as a field: in quotation marks where it has any, or commas or line ends.
fn field(text: &str) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
