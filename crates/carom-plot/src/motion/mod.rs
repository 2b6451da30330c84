//! Motions: how bodies look, and pictures of what becomes of them.

mod body;
mod energy;
mod phase;
mod quantity;
mod strip;
mod timeline;
mod view;

pub use body::{Face, Look, local, placed, quaternion, rotated};
pub use energy::energy;
pub use phase::{phase, poincare};
pub use quantity::{BodyNumber, EnergyNumber, Quantity};
pub use strip::{Strip, strip};
pub use timeline::timeline;
