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
//! use carom::{Contact, ContactVec, Delassus, ImpactLaw, Law, Material, NoTrace, Tolerances};
//!
//! // A disk of mass 1 and inertia ½·m·r² skids onto the floor: W = diag(1/m, 3/m), spec'd as [n, t].
//! let contact = Contact::new(
//!     Delassus::new([[1.0, 0.0], [0.0, 3.0]])?,
//!     ContactVec::new([-1.0, 2.0]),
//!     Material::new(0.25, 0.5)?,
//! )?;
//! let law = Law::from_id("chatterjee-ruina")?;
//! let outcome = law.resolve(&contact, &Tolerances::default(), &mut NoTrace)?;
//! assert!((outcome.velocity.normal() - 0.5).abs() < 1e-15);
//! # Ok::<(), carom::ImpactError>(())
//! ```

pub mod accessible;
pub mod batch;
pub mod catalog;
pub mod certify;
pub mod contact;
pub mod error;
mod island;
mod laws;
mod numerics;
pub mod outcome;
pub mod region;
mod settings;
pub mod system;
pub mod tolerance;
/// Laws for one contact, and the settings of laws.
pub mod law {
    pub use crate::accessible::{AccessiblePoint, accessible_set};
    pub use crate::batch;
    pub use crate::laws::single::*;
    pub use crate::settings::{Setting, SettingValue, Settings, nearest};
}
/// Laws for several contacts.
pub mod multi {
    pub use crate::laws::friction::*;
    pub use crate::laws::normal::*;
    pub use crate::laws::several::*;
}

pub use catalog::AnyLaw;
pub use certify::{Certificate, Verdict};
pub use contact::{
    Contact, ContactKind, ContactProblem, ContactSpec, ContactVec, Delassus, Material, Restitution,
};
pub use error::ImpactError;
pub use laws::several::{MultiImpactLaw, MultiLaw};
pub use laws::single::{ImpactLaw, Law};
pub use outcome::{NoTrace, Outcome, Recorder, TraceSink};
pub use tolerance::Tolerances;
