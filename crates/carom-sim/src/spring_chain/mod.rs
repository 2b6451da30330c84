//! # Spring–damper chain (Mosterman 2003, section 2.1)
//!
//! Masses on a line whose contacts are a spring and a damper side by side, followed through the whole collision: the
//! reference against which Mosterman judges rigid laws, and what a rigid law of several contacts abbreviates.
//!
//! ## Model
//!
//! Mass `i` has velocity `v_i`; contact `i` stands between the masses `i` and `i + 1`, its compression is `x_i`, its
//! force `F_i`:
//!
//! 1. `ẋ_i = v_i − v_{i+1}`
//! 2. `F_i = k_i x_i + R_i ẋ_i` while the contact is closed, else 0 (Kelvin–Voigt; Mosterman's `C` is `1/k`)
//! 3. `m_i v̇_i = F_{i−1} − F_i`
//! 4. a contact closes where `x_i > 0` and (2) is positive, and is released where (2) becomes negative: a contact
//!    pushes and never pulls.
//!
//! The chain starts with all `x_i = 0`: neighbours touch. A damped contact is released while still compressed, and its
//! spring then relaxes without force. Contacts may close again, at once or after a flight; the run ends when no two
//! neighbours approach any more.
//!
//! ## Method
//!
//! Between two events the model is linear. With energy as the norm its matrix is bounded, over the closed contacts, by
//! `Λ = max_i √(2(k_{i−1} + k_i)/m_i) + max_i 2(R_{i−1} + R_i)/m_i`, so in steps of `1/Λ` eighteen terms of the
//! exponential's series leave a remainder of `1e-17`: the motion is exact to rounding, at a cost that grows linearly
//! with the number of masses. Forces are polynomials within a step, and events are located in them to rounding.
//!
//! ## Limits
//!
//! A stiff chain (`Λ` times the duration above some millions) or a very long one ends with [`ImpactError::Limit`].
//! Velocities closer than `1e-12` of the spread at the start count as equal; forces and compressions as small count as
//! zero.
//!
//! ## Errata of the paper
//!
//! - Table 1 holds results of explicit Euler steps of 0.005 s, not of the model: seventeen of its eighteen entries are
//!   reproduced by such steps within 1.8e-4, and the true values differ from them by up to 0.045. Euler's steps act like
//!   a negative damping of `h k = 0.05`, which cancels `R = 0.05`: the rows meant as weakly damped are undamped.
//! - Row 2 of Table 1 prints `v1 = −0.48997312`, which breaks the balance of momentum by 0.0033; the other two entries
//!   demand −0.4866727, which Euler's steps also give.
//!
//! `golden/mosterman_table1.json` has both tables; `tests/spring_chain.rs` computes both.
//!
//! ## References
//!
//! `Mosterman2003` section 2.1 and Table 1.

mod motion;
mod series;

use crate::input;
use carom::ImpactError;

/// Steps times masses before a run is given up, unless another limit is set \[1\].
const MAX_WORK: u64 = 50_000_000;

/// A spring and a damper side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringContact {
    /// Stiffness `k`, above 0 [N/m].
    pub stiffness: f64,
    /// Damping `R`, 0 or more [N·s/m].
    pub damping: f64,
}

/// Masses on a line, from left to right, that touch their neighbours and are about to collide.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringChain {
    mass: Vec<f64>,
    velocity: Vec<f64>,
    contacts: Vec<SpringContact>,
    max_steps: u64,
}

/// What one contact went through.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringContactReport {
    /// The impulse it passed on, `∫F dt` [N·s].
    pub impulse: f64,
    /// The energy it absorbed, `∫F ẋ dt`, with what its spring still held when it was released \[J\].
    pub dissipated: f64,
    /// How often it came under load \[1\].
    pub phases: u64,
}

/// The end of a collision.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringChainOutcome {
    /// The velocities after, one per mass [m/s].
    pub velocity: Vec<f64>,
    /// What each contact went through, from left to right.
    pub contacts: Vec<SpringContactReport>,
    /// Kinetic energy before minus after; the sum of what the contacts absorbed, up to rounding \[J\].
    pub dissipated: f64,
    /// From the start to the last release; 0 where nothing collides \[s\].
    pub duration: f64,
    /// Steps of the integration \[1\].
    pub steps: u64,
}

impl SpringChain {
    /// The most masses a chain may have \[1\].
    pub const MAX_MASSES: usize = 100_000;

    /// A chain of n masses \[kg\] with n velocities [m/s] and n − 1 contacts.
    pub fn new(
        mass: Vec<f64>,
        velocity: Vec<f64>,
        contacts: Vec<SpringContact>,
    ) -> Result<Self, ImpactError> {
        if !(2..=Self::MAX_MASSES).contains(&mass.len()) {
            return Err(ImpactError::bad_problem(
                "mass",
                format!("{} numbers", mass.len()),
                format!("a chain has from 2 to {} masses", Self::MAX_MASSES),
            ));
        }
        input::length("velocity", velocity.len(), mass.len(), "mass")?;
        input::length("contacts", contacts.len(), mass.len() - 1, "pair of neighbours")?;
        for (i, (&m, &v)) in mass.iter().zip(&velocity).enumerate() {
            input::positive(&format!("mass[{i}]"), m)?;
            input::finite(&format!("velocity[{i}]"), v)?;
        }
        for (i, contact) in contacts.iter().enumerate() {
            input::positive(&format!("contacts[{i}].stiffness"), contact.stiffness)?;
            input::not_negative(&format!("contacts[{i}].damping"), contact.damping)?;
        }
        let max_steps = MAX_WORK / mass.len() as u64;
        Ok(Self { mass, velocity, contacts, max_steps })
    }

    /// The same chain with another limit on the steps of a run, after which it is given up \[1\]. The default allows some
    /// ten seconds of work.
    pub fn with_max_steps(self, max_steps: u64) -> Self {
        Self { max_steps, ..self }
    }

    /// The same spring and damper in every contact.
    pub fn uniform(
        mass: Vec<f64>,
        velocity: Vec<f64>,
        contact: SpringContact,
    ) -> Result<Self, ImpactError> {
        let contacts = vec![contact; mass.len().saturating_sub(1)];
        Self::new(mass, velocity, contacts)
    }

    /// Follows the motion until no two neighbours approach any more.
    pub fn collide(&self) -> Result<SpringChainOutcome, ImpactError> {
        let mut motion = motion::Motion::new(self)?;
        while !motion.is_over() {
            motion.advance()?;
        }
        motion.outcome()
    }

    /// The velocities over time up to the end of the collision, each step of the integration cut into so many parts (at
    /// least one): times \[s\] and one velocity per mass [m/s].
    pub fn history(&self, parts: usize) -> Result<Vec<(f64, Vec<f64>)>, ImpactError> {
        let mut motion = motion::Motion::new(self)?;
        let mut history = vec![(0.0, self.velocity.clone())];
        while !motion.is_over() {
            motion.advance()?;
            history.extend(motion.last_step(parts.max(1)));
        }
        Ok(history)
    }

    fn kinetic_energy(&self, velocity: &[f64]) -> f64 {
        self.mass.iter().zip(velocity).map(|(m, v)| 0.5 * m * v * v).sum()
    }
}
