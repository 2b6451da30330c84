//! Examples of the PLUS paper, and how to run them.

use carom::outcome::Unobserved;
use carom::system::{Bodies, Body, BodyContact, Inertia, Joint, JointKind, Motion};
use carom::{ContactSpec, ImpactError, Material};
use carom_sim::compliant::{
    BodiesRun, Compliance, Pendulum, RunSettings, Spring, Transition, run_bodies,
};
use carom_testkit::cases::plus_examples::{self, SPHERE_RADIUS, ground};
use serde_json::Value;
use std::path::Path;

/// What the tests of this file return.
pub type Tested = Result<(), Box<dyn std::error::Error>>;

/// Example 1 with elastic contacts.
pub fn example_1(mu: f64) -> Result<Bodies, ImpactError> {
    plus_examples::example_1(mu, 1.0)
}

/// The pendulum of Example 4 as bodies on hinges, at rest above the ground.
pub fn example_4_bodies(pendulum: &Pendulum) -> Result<Bodies, ImpactError> {
    let free = |name: String, mass, inertia, position: [f64; 2]| Body {
        name,
        motion: Motion::Free { mass, inertia: Inertia::Planar(inertia) },
        position: position.to_vec(),
        ..ground()
    };
    let mut bodies = vec![Body { position: vec![0.0; 2], ..ground() }];
    let mut joints = Vec::new();
    let mut end = [0.0, pendulum.height];
    let joint =
        |kind, b: usize, at: [f64; 2]| Joint { kind, a: b - 1, b, point: at.to_vec(), axis: None };
    for (i, angle) in pendulum.angles.iter().enumerate() {
        let along = [pendulum.length * angle.sin(), -pendulum.length * angle.cos()];
        let middle = [end[0] + 0.5 * along[0], end[1] + 0.5 * along[1]];
        joints.push(joint(JointKind::Hinge, i + 1, end));
        bodies.push(free(format!("rod {i}"), pendulum.mass, pendulum.inertia, middle));
        end = [end[0] + along[0], end[1] + along[1]];
    }
    joints.push(joint(JointKind::Weld, bodies.len(), end));
    bodies.push(free("ball".into(), pendulum.ball_mass, pendulum.ball_inertia, end));
    let gap = end[1] - pendulum.ball_radius;
    let spec = ContactSpec { gap, ..ContactSpec::new(2, Material::new(0.1, 1.0)?) };
    let contact = BodyContact {
        a: 0,
        b: bodies.len() - 1,
        point: vec![end[0], gap],
        normal: vec![0.0, 1.0],
        tangent: None,
        spec,
    };
    Bodies::new(bodies, joints, vec![contact])
}

/// Spheres as the paper has them.
pub fn spheres(modulus: f64, dissipation: f64, transition_speed: f64) -> Compliance {
    Compliance {
        spring: Spring::Hertz { modulus },
        radius: SPHERE_RADIUS,
        dissipation,
        transition: Transition::Speed(transition_speed),
        ..Compliance::default()
    }
}

pub fn run(bodies: &Bodies, compliance: &Compliance) -> Result<BodiesRun, ImpactError> {
    run_bodies(bodies, compliance, &RunSettings::default(), &mut Unobserved)
}

/// The length of a difference relative to a size.
pub fn apart(a: &[f64], b: &[f64], size: &[f64]) -> f64 {
    let square: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    square.sqrt() / size.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A file of golden numbers.
pub fn golden(name: &str) -> Result<Value, Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(name);
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// Whether a number agrees with one of two digits within a unit of the second.
pub fn agrees(found: f64, printed: f64) -> bool {
    let unit = 10f64.powf(printed.log10().floor() - 1.0);
    (found - printed).abs() <= unit
}
