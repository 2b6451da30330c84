//! # Compliant contact (Hertz 1882, Hunt and Crossley 1975, Stribeck friction)
//!
//! Bodies that meet in contacts which yield, followed through the whole collision: what rigid laws abbreviate.
//!
//! ## Model
//!
//! With δ the penetration of a contact and `u` its velocity, normal first, `u_n = −δ̇`:
//!
//! 1. `F_n = K δ^η max(1 + 3/2 c δ̇, 0)` while δ > 0, else 0; η = 1 is a linear spring, η = 3/2 a sphere on a plane
//! 2. `K = 4/3 √R E` for a sphere of radius `R` and the effective plane strain modulus `E`, the paper's (4.1);
//!    a relative `stiffness` of a contact multiplies it
//! 3. `F_t = −μ(|u_t|) F_n u_t/|u_t|` with the smooth [`Stribeck`] curve `μ`
//! 4. `M(q) v̇ = h(q, v) + Jᵀ F + Bᵀ λ`, `q̇ = N(q) v`: any [`Mechanism`]; [`RigidBodies`] turn by quaternions and keep
//!    their gyroscopic moments, [`Frozen`] contacts change nothing but their gaps
//!
//! A contact between bodies is a sphere of body B on a plane of body A ([`RigidBodies::new`]); friction acts where the
//! plane is.
//!
//! ## Method
//!
//! Dormand and Prince's method of order 8 while friction is slow, Rodas5P with the contacts' exact Jacobian while it is
//! stiff (close to sticking). Touching, parting and falling slack are located in the continuous output, and the
//! integration starts afresh there. Impulses and losses are integrated along, so that the energy balance is a check.
//!
//! A run ends when all contacts are open and separate. Contacts that open and approach again are waited for.
//!
//! ## Limits
//!
//! - For one contact and c = 0 the limit of growing stiffness is Stronge's law with e = 1 (`routh-stronge`), approached as
//!   `K^{−1/(1+η)}`; for several it is `stiff-limit`. Friction that is smoothed below `v_t` leaves an error of
//!   its own that does not fall with the stiffness.
//! - Velocities below ten times the tolerance count as zero at the end; a contact that approaches no faster is not
//!   waited for.
//! - A body that is caught between others may never leave; a cap on time and steps ends such a run with
//!   [`ImpactError::Limit`].
//!
//! ## References
//!
//! `UchidaShermanDelp2015` Eqs. (4.1), (4.2) and section 4; `Hertz1882`; `HuntCrossley1975`; `ShermanSethDelp2011` Fig. 5.

mod bodies;
mod dynamics;
mod frozen;
mod linear;
mod mechanism;
mod model;
mod motion;
mod pendulum;
mod report;
mod setup;

pub use bodies::RigidBodies;
pub use frozen::Frozen;
pub use mechanism::{ContactGeometry, JointGeometry, MassShape, Mechanism, Size};
pub use model::{CompliantContact, Exponent, Stribeck};
pub use pendulum::Pendulum;
pub use report::{CompliantOutcome, ContactMoment, ContactReport, Effort, EnergyBalance, Moment};
pub use setup::{BodiesRun, Compliance, Spring, Transition, rigid_problem, run_bodies, run_frozen};

use crate::input;
use carom::ImpactError;
use carom::outcome::Observer;

/// How exactly a run is followed, and for how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSettings {
    /// The error allowed per step, relative to the size of each quantity in this collision \[1\].
    pub tolerance: f64,
    /// The run is given up after so many steps, those repeated included \[1\].
    pub max_steps: u64,
    /// The run is given up after so much time; absent, after a million times what one compression takes \[s\].
    pub max_time: Option<f64>,
    /// Whether the outcome has a [`history`](CompliantOutcome::history).
    pub history: bool,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_steps: 1_000_000, max_time: None, history: false }
    }
}

/// Follows a mechanism through its collision. `contacts` are the springs, one per contact.
pub fn run<M: Mechanism + ?Sized>(
    mechanism: &M,
    contacts: &[CompliantContact],
    exponent: Exponent,
    settings: &RunSettings,
    watch: &mut dyn Observer,
) -> Result<CompliantOutcome, ImpactError> {
    input::length("contacts", contacts.len(), mechanism.size().contacts.len(), "contact")?;
    for (k, contact) in contacts.iter().enumerate() {
        contact.check().map_err(|error| error.within(&format!("contacts[{k}]")))?;
    }
    input::positive("tolerance", settings.tolerance)?;
    if let Some(most) = settings.max_time {
        input::positive("max_time", most)?;
    }
    motion::follow(mechanism, contacts, exponent, settings, watch)
}
