//! Scenes in, motions out: files that say which bodies there are and what acts on them, and what became of them as JSON.
//!
//! Keys, places in errors and suggestions are those of problem files, by the same code. Whether numbers make sense
//! together, as inertia or joints that must fit, is `carom_sim`'s to judge. No mechanics, no terminal, no threads.

pub mod answer;
pub mod check;
pub mod events;
pub mod keys;
pub mod origin;
mod read;
pub mod samples;
pub mod schema;
mod times;
pub mod write;

pub use read::SceneFile;
pub use times::{every, times};
