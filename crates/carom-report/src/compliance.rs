//! A compliant run of a problem, beside the answers of rigid laws.

use carom::certify::energy_distance;
use carom::outcome::Observer;
use carom::system::After;
use carom::system::BodyVelocity;
use carom::{Certificate, ContactProblem, ImpactError, Tolerances};
use carom_io::format::{AnySystem, CompliantSpec};
use carom_io::resolution::Resolution;
use carom_sim::compliant::{
    Compliance, CompliantOutcome, Exponent, RunSettings, Spring, Transition, run_bodies, run_frozen,
};

/// The compliance that a problem file or command line describes.
pub fn compliance(spec: &CompliantSpec) -> Result<Compliance, ImpactError> {
    spec.check()?;
    let default = Compliance::default();
    let exponent = spec.exponent.map(Exponent::from_value).transpose()?;
    let spring = match (spec.modulus, spec.stiffness) {
        (_, Some(stiffness)) => {
            Spring::Power { exponent: exponent.unwrap_or(Exponent::Linear), stiffness }
        }
        (Some(modulus), None) => Spring::Hertz { modulus },
        (None, None) => default.spring,
    };
    let gravity = match spec.gravity.as_deref() {
        Some(&[x, y]) => [x, y, 0.0],
        Some(&[x, y, z]) => [x, y, z],
        _ => default.gravity,
    };
    Compliance {
        spring,
        radius: spec.radius.unwrap_or(default.radius),
        dissipation: spec.dissipation.unwrap_or(default.dissipation),
        static_ratio: spec.static_ratio.unwrap_or(default.static_ratio),
        viscous: spec.viscous.unwrap_or(default.viscous),
        transition: spec.transition_speed.map_or(default.transition, Transition::Speed),
        gravity,
    }
    .validated()
}

/// A collision of compliant contacts.
pub struct CompliantRun {
    /// What contacts were like.
    pub compliance: Compliance,
    /// Below this speed friction was smoothed [m/s].
    pub transition_speed: f64,
    /// Whether bodies kept their places.
    pub frozen: bool,
    /// What happened.
    pub outcome: CompliantOutcome,
    /// How the system behind the contacts leaves.
    pub after: After,
    /// The bodies' velocities, if they moved meanwhile.
    bodies: Option<Vec<BodyVelocity>>,
}

impl CompliantRun {
    /// Follows the collision. Bodies move meanwhile unless it is `frozen`; other systems have nothing but gaps.
    pub fn of(
        system: &AnySystem,
        compliance: Compliance,
        frozen: bool,
        settings: &RunSettings,
        watch: &mut dyn Observer,
    ) -> Result<Self, ImpactError> {
        let problem = system.problem();
        let transition_speed = compliance.transition_speed(problem);
        if let (AnySystem::Bodies { system, names }, false) = (system, frozen) {
            let run = run_bodies(system, &compliance, settings, watch)?;
            check_finite(problem, &run.outcome)?;
            let after = After::of_velocities(&run.bodies, names);
            let (outcome, bodies) = (run.outcome, Some(run.bodies));
            return Ok(Self { compliance, transition_speed, frozen, outcome, after, bodies });
        }
        if let Some(g) = compliance.gravity.iter().find(|g| **g != 0.0) {
            let reason = "only bodies that move have weight";
            return Err(ImpactError::bad_problem("gravity", g, reason));
        }
        let outcome = run_frozen(problem, &compliance, settings, watch)?;
        check_finite(problem, &outcome)?;
        let after = system.after(&outcome.impulse)?;
        Ok(Self { compliance, transition_speed, frozen: true, outcome, after, bodies: None })
    }

    /// How far the velocities after an impulse are from those of this run, in the norm of kinetic energy and relative to
    /// the velocities before; nothing where there is no such norm \[1\].
    pub fn distance(&self, system: &AnySystem, impulse: &[f64]) -> Option<f64> {
        let distance = match (system, &self.bodies) {
            (AnySystem::Bodies { system, .. }, Some(bodies)) => {
                let after = system.after(impulse).ok()?.bodies;
                let before = system.velocities();
                let size = system.kinetic_distance(&before, &[]);
                system.kinetic_distance(&after, bodies) / size
            }
            _ => {
                let problem = system.problem();
                let judged = Certificate::of(problem, impulse, &Tolerances::default()).ok()?;
                let available = judged.energy_available.filter(|energy| *energy > 0.0)?;
                energy_distance(problem, impulse, &self.outcome.impulse) / available.sqrt()
            }
        };
        distance.is_finite().then_some(distance)
    }
}

/// Refuses a run whose energies no number holds: their balance would say nothing.
fn check_finite(problem: &ContactProblem, outcome: &CompliantOutcome) -> Result<(), ImpactError> {
    let e = &outcome.energy;
    let energies = [e.kinetic_start, e.kinetic_end, e.scale, e.residual(), e.relative_residual()];
    let numbers = energies.iter().chain(&outcome.impulse).chain(&outcome.contact_velocity);
    if numbers.into_iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    let fastest = problem.velocity().iter().fold(0.0, |most: f64, u| most.max(u.abs()));
    let reason = "the energy of a compliant run at such speeds is larger than any number";
    Err(ImpactError::bad_problem("contact_velocity", fastest, reason))
}

/// A law's answer and how far it is from the run.
pub struct LawBeside {
    /// The law's id.
    pub id: &'static str,
    /// Its answer, and the distance of its velocities \[1\].
    pub answer: Result<(Resolution, Option<f64>), ImpactError>,
}
