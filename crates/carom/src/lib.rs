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
//! ```
//! use carom::{Contact, ContactVec, Delassus, Law, Material, Tolerances, Unobserved};
//!
//! // A disk of mass 1 and inertia ½·m·r² skids onto the floor: W = diag(1/m, 3/m), spec'd as [n, t].
//! let contact = Contact::new(
//!     Delassus::new([[1.0, 0.0], [0.0, 3.0]])?,
//!     ContactVec::new([-1.0, 2.0]),
//!     Material::new(0.25, 0.5)?,
//! )?;
//! let law = Law::from_id("chatterjee-ruina")?;
//! let outcome = law.resolve_contact(&contact, &Tolerances::default(), &mut Unobserved)?;
//! assert!((outcome.velocity.normal() - 0.5).abs() < 1e-15);
//! # Ok::<(), carom::ImpactError>(())
//! ```

mod accessible;
pub mod batch;
pub mod certify;
pub mod contact;
mod error;
mod island;
pub mod laws;
mod numerics;
pub mod outcome;
pub mod region;
mod resolve;
mod settings;
pub mod system;
mod tolerance;

/// The catalogue: a row for each law.
pub mod catalog {
    pub use crate::laws::info::{Arity, Claims, LawInfo, ReadsE};
    pub use crate::laws::law::{all, find};
    pub use crate::settings::{Setting, SettingValue, Settings, nearest};
}

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
