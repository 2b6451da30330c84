//! Rigid-body impacts. Bodies touch and approach each other; carom says with which velocities they leave.
//!
//! The flow is the architecture:
//!
//! ```text
//! System ─► ContactProblem ─► Law ─► Outcome (+ trace) ─► Certificate
//! bodies,    W, u, materials          impulses             judged outside
//! M, J, B    (contact space)          only                 the law
//! ```
//!
//! # Conventions
//!
//! SI units and `f64` throughout. The contact normal `n` points from body A to body B; the contact velocity `u`
//! is the velocity of B's contact point minus that of A's, so `u_n < 0` approaches. The impulse `p` acts on B and
//! `−p` on A, so `p_n ≥ 0`. Components stand normal first, then tangents, right-handed: `[n]`, `[n, t]`,
//! `[n, t1, t2]`. The Delassus matrix `W` maps impulse to velocity change: `u⁺ = u⁻ + W p`.
//!
//! # One impact
//!
//! [`resolve()`] takes any system and any law, and returns the answer with its certificate:
//!
//! ```
//! use carom::{ContactProblem, ContactSpec, Law, Material, resolve};
//!
//! // A disk of mass 1 and inertia ½·m·r² skids onto the floor: W = diag(1/m, 3/m), normal first.
//! let floor = ContactSpec::new(2, Material::new(0.25, 0.5)?); // mu, e
//! let disk = ContactProblem::new(&[1.0, 0.0, 0.0, 3.0], &[-1.0, 2.0], &[floor])?;
//! let answer = resolve(&disk, &Law::from_id("chatterjee-ruina")?)?;
//! assert_eq!(answer.outcome.velocity[0], 0.5); // e times the approach speed
//! assert!(answer.certificate.verdict.is_permissible());
//! # Ok::<(), carom::ImpactError>(())
//! ```
//!
//! # Where to look
//!
//! | for | see |
//! |---|---|
//! | one call from a problem to a certified answer | [`resolve()`], [`Answer`], [`Law::default_for`] |
//! | which laws there are, what they promise, their settings | [`catalog`], [`Law`], [`laws`] |
//! | contacts as matrix and velocity | [`ContactProblem`], [`Contact`] |
//! | mass matrices, bodies and joints, chains, your own simulator | [`system`], [`System`] |
//! | judging an impulse, whoever computed it | [`certify()`], [`Certificate`] |
//! | what is permissible at all | [`region`], [`accessible_set`] |
//! | the path, the steps, progress, interrupting | [`Observer`], [`Recorder`] |
//! | a law of your own | [`ImpactLaw`] |
//! | many impacts, nothing allocated | [`batch`], [`Law::resolve_contact`] |
//!
//! The folder `examples/` of this crate has a page of code for each of these.

mod accessible;
pub mod batch;
pub mod certify;
pub mod contact;
mod error;
mod island;
pub mod laws;
pub mod outcome;
pub mod region;
mod resolve;
mod settings;
mod spelling;
pub mod system;
mod tolerance;

/// The catalogue: a row for each law.
pub mod catalog {
    pub use crate::laws::info::{Arity, Claims, LawInfo, ReadsE};
    pub use crate::laws::law::{all, find};
    pub use crate::settings::{Setting, SettingValue, Settings};
    pub use crate::spelling::nearest;
}

use carom_numerics as numerics;

pub use accessible::{AccessiblePoint, accessible_set};
pub use certify::{Certificate, Verdict};
pub use contact::{
    Contact, ContactKind, ContactProblem, ContactSpec, ContactVec, Delassus, Material, Restitution,
};
pub use error::ImpactError;
pub use laws::law::{ImpactLaw, Law};
pub use outcome::{Observer, Outcome, Recorder, Unobserved};
pub use resolve::{Answer, Unjudged, certify, resolve, resolve_observed};
pub use system::System;
pub use tolerance::Tolerances;
