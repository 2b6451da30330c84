//! What a rigid law saves: `plus` and `stiff-limit` against the collision of compliant contacts, as ratios of times taken in
//! turns. Examples 1, 2 and 4 of Uchida, Sherman and Delp (their Fig. 15 is the last), stiffness from 0.01 to 100 GPa,
//! integrated with the least work that keeps the velocities after within 1 % and within 1e-6. Run by `cargo xtask bench`.

#[path = "speed/measure.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod measure;
#[path = "speed/table.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod table;

use carom::catalog::{SettingValue, Settings};
use carom::system::Bodies;
use carom::{ContactProblem, ContactSpec, ImpactError, Law, Material, Tolerances, Unobserved};
use carom_sim::compliant::{
    Compliance, CompliantContact, CompliantOutcome, Exponent, Mechanism, Pendulum, RigidBodies,
    RunSettings, Spring, Transition, rigid_problem, run,
};
use carom_testkit::cases::plus_examples::{SPHERE_RADIUS, example_1, example_2};
use std::hint::black_box;

/// From 0.01 to 100 GPa \[Pa\].
const MODULI: [f64; 5] = [1e7, 1e8, 1e9, 1e10, 1e11];
/// Errors of the velocities after that are allowed \[1\].
const ERRORS: [(f64, &str); 2] = [(1e-2, "1 %"), (1e-6, "1e-6")];
/// Rounds of which the median counts \[1\].
const ROUNDS: usize = 15;
/// Laws to compare with, as far as the catalogue has them.
const LAWS: [&str; 2] = ["plus", "stiff-limit"];

/// An example: what rigid laws see, and what moves.
struct Example<M> {
    name: &'static str,
    problem: ContactProblem,
    mechanism: M,
    radius: f64,
    dissipation: f64,
}

impl<M: Mechanism> Example<M> {
    fn contacts(&self, modulus: f64) -> Result<Vec<CompliantContact>, ImpactError> {
        let compliance = Compliance {
            spring: Spring::Hertz { modulus },
            radius: self.radius,
            dissipation: self.dissipation,
            transition: Transition::Speed(0.01),
            ..Compliance::default()
        };
        compliance.contacts(&self.problem)
    }

    fn run(
        &self,
        contacts: &[CompliantContact],
        tolerance: f64,
    ) -> Result<CompliantOutcome, ImpactError> {
        let settings = RunSettings { tolerance, ..RunSettings::default() };
        run(&self.mechanism, contacts, Exponent::Hertz, &settings, &mut Unobserved)
    }

    /// The tolerance, in steps of half a decade, that keeps the error with the least work.
    fn tolerance(&self, contacts: &[CompliantContact], error: f64) -> Result<f64, ImpactError> {
        let exact = self.run(contacts, 1e-12)?.contact_velocity;
        let size = exact.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let (mut best, mut least) = (1e-12, u64::MAX);
        for half_decades in 2..22 {
            let tolerance = libm::pow(10.0, -0.5 * f64::from(half_decades));
            let Ok(found) = self.run(contacts, tolerance) else { continue };
            let differences = found.contact_velocity.iter().zip(&exact);
            let off = differences.fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            // An implicit step looks at every unknown for its Jacobian.
            let unknowns = (found.coordinates.len() + found.velocity.len()) as u64;
            let work = found.effort.evaluations + unknowns * found.effort.implicit_steps;
            if off <= error * size && work < least {
                (best, least) = (tolerance, work);
            }
        }
        Ok(best)
    }

    fn lines(&self) -> Result<(), ImpactError> {
        let laws: Vec<Law> = LAWS.iter().filter_map(|id| self.law(id).ok()).collect();
        for modulus in MODULI {
            let contacts = self.contacts(modulus)?;
            for (error, words) in ERRORS {
                let tolerance = self.tolerance(&contacts, error)?;
                let name = format!("{}, {modulus:.0e} Pa, {words}", self.name);
                for (i, law) in laws.iter().enumerate() {
                    let [compliant, rigid] = measure::in_turns(
                        ROUNDS,
                        &mut (),
                        |()| {
                            black_box(self.run(&contacts, tolerance).is_ok());
                        },
                        |()| {
                            black_box(self.rigid(law).is_ok());
                        },
                    );
                    if i == 0 {
                        table::line(&format!("{name}: compliant"), compliant / 1e3, "µs");
                    }
                    let name = format!("{name}: compliant / {}", law.id());
                    table::line(&name, compliant / rigid, "times");
                }
            }
        }
        Ok(())
    }

    fn rigid(&self, law: &Law) -> Result<Vec<f64>, ImpactError> {
        let tolerances = Tolerances::default();
        let problem = black_box(&self.problem);
        Ok(law.resolve(problem, &tolerances, &mut Unobserved)?.velocity)
    }

    fn law(&self, id: &str) -> Result<Law, ImpactError> {
        let mut settings = Settings::new();
        if id == "stiff-limit" && self.dissipation > 0.0 {
            settings.insert("hunt_crossley".into(), SettingValue::Number(self.dissipation));
        }
        Law::with_settings(id, &settings)
    }
}

fn bodies(name: &'static str, bodies: &Bodies, dissipation: f64) -> Example<RigidBodies> {
    Example {
        name,
        problem: bodies.problem().clone(),
        mechanism: RigidBodies::new(bodies, SPHERE_RADIUS),
        radius: SPHERE_RADIUS,
        dissipation,
    }
}

/// The pendulum where it strikes.
fn pendulum() -> Result<Example<Pendulum>, ImpactError> {
    let hanging = Pendulum::uchida_sherman_delp();
    let spec = ContactSpec::new(2, Material::new(0.1, 1.0)?);
    let mut example = Example {
        name: "Example 4",
        problem: rigid_problem(&hanging, vec![spec])?,
        radius: hanging.ball_radius,
        mechanism: hanging,
        dissipation: 0.0,
    };
    let fall = example.run(&example.contacts(1e10)?, RunSettings::default().tolerance)?;
    (example.mechanism.angles, example.mechanism.rates) = fall.at_touch;
    example.problem = rigid_problem(&example.mechanism, vec![spec])?;
    Ok(example)
}

fn main() -> Result<(), ImpactError> {
    table::head();
    // Restitution as the paper fits it to these dampers.
    bodies("Example 1", &example_1(0.325, 0.373)?, 0.26).lines()?;
    bodies("Example 2", &example_2(0.414)?, 0.15).lines()?;
    pendulum()?.lines()
}
