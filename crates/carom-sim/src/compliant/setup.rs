//! Compliant contacts for a problem that was posed for rigid laws.

use super::model::{CompliantContact, Exponent, Stribeck};
use super::report::CompliantOutcome;
use super::{ContactGeometry, Frozen, MassShape, Mechanism, RigidBodies, RunSettings, run};
use crate::input;
use carom::outcome::Observer;
use carom::system::{Bodies, BodyVelocity, Generalized, MassMatrix};
use carom::{ContactKind, ContactProblem, ContactSpec, ImpactError};

/// The springs of a problem's contacts; a contact's relative `stiffness` multiplies them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spring {
    /// Spheres on planes: `K = 4/3 √R E`.
    Hertz {
        /// Effective plane strain modulus `E`, above 0 \[Pa\].
        modulus: f64,
    },
    /// `K` itself.
    Power {
        /// η of `F = K δ^η`.
        exponent: Exponent,
        /// Above 0 [N/m, or N/m^{3/2} after Hertz].
        stiffness: f64,
    },
}

/// Below which speed friction is smoothed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transition {
    /// At this speed, above 0 [m/s].
    Speed(f64),
    /// At this part of the fastest contact velocity, above 0 \[1\].
    Relative(f64),
}

/// What compliant contacts need besides what rigid laws read. Restitution is not read: `dissipation` stands in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    /// How stiff contacts are.
    pub spring: Spring,
    /// Radius of the spheres at the contacts of bodies; 0 makes them points, which Hertz's spring cannot be \[m\].
    pub radius: f64,
    /// Hunt and Crossley's `c`, 0 or more [s/m].
    pub dissipation: f64,
    /// Static friction relative to `mu`, 1 or more \[1\].
    pub static_ratio: f64,
    /// Viscous friction, 0 or more [s/m].
    pub viscous: f64,
    /// Below which speed friction is smoothed.
    pub transition: Transition,
    /// In the world frame; only bodies have weight [m/s²].
    pub gravity: [f64; 3],
}

impl Default for Compliance {
    /// Spheres of 0.1 m and 10 GPa without dissipation, as in the PLUS paper, with friction that is Coulomb's down to a
    /// millionth of the contacts' speed.
    fn default() -> Self {
        Self {
            spring: Spring::Hertz { modulus: 1e10 },
            radius: 0.1,
            dissipation: 0.0,
            static_ratio: 1.0,
            viscous: 0.0,
            transition: Transition::Relative(1e-6),
            gravity: [0.0; 3],
        }
    }
}

/// A compliant collision of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct BodiesRun {
    /// What happened.
    pub outcome: CompliantOutcome,
    /// How the bodies leave, fixed ones included.
    pub bodies: Vec<BodyVelocity>,
}

impl Compliance {
    /// Spheres of this modulus \[Pa\], everything else as by default.
    pub fn of_modulus(modulus: f64) -> Self {
        Self { spring: Spring::Hertz { modulus }, ..Self::default() }
    }

    /// η of `F = K δ^η`.
    pub fn exponent(&self) -> Exponent {
        match self.spring {
            Spring::Hertz { .. } => Exponent::Hertz,
            Spring::Power { exponent, .. } => exponent,
        }
    }

    /// `K` of a contact of relative stiffness 1 [N/m, or N/m^{3/2} after Hertz].
    pub fn stiffness(&self) -> f64 {
        match self.spring {
            // [UchidaShermanDelp2015] Eq. (4.1)
            Spring::Hertz { modulus } => 4.0 / 3.0 * f64::sqrt(self.radius) * modulus,
            Spring::Power { stiffness, .. } => stiffness,
        }
    }

    /// The compliance itself if every number is in range, else what is not.
    pub fn validated(self) -> Result<Self, ImpactError> {
        match self.spring {
            Spring::Hertz { modulus } => {
                input::positive("modulus", modulus)?;
                input::positive("radius", self.radius)?;
            }
            Spring::Power { stiffness, .. } => {
                input::positive("stiffness", stiffness)?;
                input::not_negative("radius", self.radius)?;
            }
        }
        input::not_negative("dissipation", self.dissipation)?;
        if !(self.static_ratio.is_finite() && self.static_ratio >= 1.0) {
            let reason = "must be a finite number, 1 or more";
            return Err(ImpactError::bad_problem("static_ratio", self.static_ratio, reason));
        }
        input::not_negative("viscous", self.viscous)?;
        let (Transition::Speed(speed) | Transition::Relative(speed)) = self.transition;
        input::positive("transition_speed", speed)?;
        for (i, g) in self.gravity.iter().enumerate() {
            input::finite(&format!("gravity[{i}]"), *g)?;
        }
        Ok(self)
    }

    /// The speed below which friction is smoothed in a problem [m/s].
    pub fn transition_speed(&self, problem: &ContactProblem) -> f64 {
        let part = match self.transition {
            Transition::Speed(speed) => return speed,
            Transition::Relative(part) => part,
        };
        let weight = f64::sqrt(self.gravity.iter().map(|g| g * g).sum::<f64>());
        let falls = problem.contacts().iter().map(|c| f64::sqrt(2.0 * weight * c.gap.max(0.0)));
        let speeds = problem.velocity().iter().map(|u| u.abs()).chain(falls);
        let fastest = speeds.fold(0.0, f64::max);
        // Where nothing moves, nothing slides either; any speed does.
        if fastest > 0.0 { part * fastest } else { part }
    }

    /// The springs of all contacts of a problem.
    pub fn contacts(&self, problem: &ContactProblem) -> Result<Vec<CompliantContact>, ImpactError> {
        let transition_speed = self.transition_speed(problem);
        let contact = |(k, spec): (usize, &ContactSpec)| {
            if spec.kind == ContactKind::Bilateral {
                return Err(ImpactError::bad_problem(
                    format!("contacts[{k}].kind"),
                    "bilateral",
                    "a compliant contact only pushes; pose what holds as a joint or a bilateral row",
                ));
            }
            let contact = CompliantContact {
                stiffness: self.stiffness() * spec.material.stiffness,
                dissipation: self.dissipation,
                friction: Stribeck {
                    at_rest: self.static_ratio * spec.material.mu,
                    sliding: spec.material.mu,
                    viscous: if spec.material.mu > 0.0 { self.viscous } else { 0.0 },
                    transition_speed,
                },
            };
            contact.check().map_err(|error| error.within(&format!("contacts[{k}]")))?;
            Ok(contact)
        };
        problem.contacts().iter().enumerate().map(contact).collect()
    }
}

/// Follows bodies through a compliant collision: they move and turn meanwhile.
pub fn run_bodies(
    bodies: &Bodies,
    compliance: &Compliance,
    settings: &RunSettings,
    watch: &mut dyn Observer,
) -> Result<BodiesRun, ImpactError> {
    let compliance = compliance.validated()?;
    let contacts = compliance.contacts(bodies.problem())?;
    let mechanism = RigidBodies::new(bodies, compliance.radius).with_gravity(compliance.gravity);
    let outcome = run(&mechanism, &contacts, compliance.exponent(), settings, watch)?;
    let bodies = mechanism.body_velocities(&outcome.coordinates, &outcome.velocity);
    Ok(BodiesRun { outcome, bodies })
}

/// What rigid laws see of a mechanism without joints where it stands. `contacts` are the surfaces, one per contact.
pub fn rigid_problem<M: Mechanism + ?Sized>(
    mechanism: &M,
    contacts: Vec<ContactSpec>,
) -> Result<ContactProblem, ImpactError> {
    let size = mechanism.size();
    if size.joints > 0 {
        let reason = "a mechanism with joints is posed by its bodies";
        return Err(ImpactError::bad_problem("joints", size.joints, reason));
    }
    let (q, v) = mechanism.start();
    let (n, rows) = (v.len(), size.contacts.iter().sum::<usize>());
    let diagonal = mechanism.mass_shape() == MassShape::Diagonal;
    let mut mass = vec![0.0; if diagonal { n } else { n * n }];
    mechanism.mass(&q, &mut mass);
    let mass = if diagonal { MassMatrix::Diagonal(mass) } else { MassMatrix::Dense(mass) };
    let mut geometry = ContactGeometry {
        gap: vec![0.0; size.contacts.len()],
        jacobian: vec![0.0; rows * n],
        drive: vec![0.0; rows],
    };
    mechanism.contacts(&q, &mut geometry);
    let system =
        Generalized::new(mass, v, geometry.jacobian, contacts)?.with_drive(geometry.drive)?;
    Ok(system.problem().clone())
}

/// Follows the contacts of a problem whose configuration stays as it is. There is no weight.
pub fn run_frozen(
    problem: &ContactProblem,
    compliance: &Compliance,
    settings: &RunSettings,
    watch: &mut dyn Observer,
) -> Result<CompliantOutcome, ImpactError> {
    let compliance = compliance.validated()?;
    let contacts = compliance.contacts(problem)?;
    run(&Frozen::new(problem)?, &contacts, compliance.exponent(), settings, watch)
}
