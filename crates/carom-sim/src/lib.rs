//! Bodies and time: the compliant models that a rigid impact abbreviates.
//!
//! A law of impact answers at one instant what bodies do over a short time. This crate follows that time, to rounding,
//! for models in which it can be followed, so that laws have something to be compared with:
//!
//! - [`compliant`]: any bodies or mechanism with springs, dampers and friction in its contacts.
//! - [`motion`]: rigid bodies with joints and contacts, from event to event, each impact under any law.
//! - [`rods`]: elastic rods by exact characteristics; where the energy of a restitution below one has gone. Also rods
//!   of lumped masses whose tips collide plastically, which tend to the elastic ones.
//! - [`spring_chain`]: masses on a line with a spring and a damper in each contact.
//!
//! No files, no threads, no operating system; every run is bounded and ends with an answer or an error.
//!
//! ```
//! use carom_sim::rods::{Rod, Rods};
//!
//! // A rod of 37 cells at 1 m/s strikes one of 100 cells at rest: e is the ratio of the lengths.
//! let impact = Rods::new(vec![Rod::unit(37, 1.0), Rod::unit(100, 0.0)], 1.0)?.collide()?;
//! assert_eq!(impact.velocity, [0.0, 0.37]);
//! assert_eq!(impact.restitution(0), Some(0.37));
//! # Ok::<(), carom::ImpactError>(())
//! ```

pub mod compliant;
mod event;
mod input;
pub mod motion;
pub mod rods;
pub mod spring_chain;

pub use motion::{simulate, simulate_observed};
