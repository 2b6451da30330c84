//! Motions: how bodies look.

mod body;

pub use body::{Face, Look, local, placed, quaternion, rotated};
