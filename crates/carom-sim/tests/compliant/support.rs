//! Examples of the PLUS paper, and how to run them.

use carom::outcome::NoWatch;
use carom::system::{Bodies, Body, BodyContact, Inertia, Joint, JointKind, Motion, Orientation};
use carom::{ContactSpec, ImpactError, Material};
use carom_sim::compliant::{
    BodiesRun, Compliance, Pendulum, RunSettings, Spring, Transition, run_bodies,
};
use serde_json::Value;
use std::path::Path;

/// What the tests of this file return.
pub type Tested = Result<(), Box<dyn std::error::Error>>;

/// Radius of the spheres on the brick of Examples 1 and 2 \[m\].
pub const RADIUS: f64 = 0.1;

/// The brick of Example 1 on the sphere at its lowest vertex: turned by 45° about x, then by 30° about its own y.
pub fn example_1(mu: f64) -> Result<Bodies, ImpactError> {
    let (a, b) = (std::f64::consts::FRAC_PI_8, std::f64::consts::PI / 12.0);
    let (ca, sa, cb, sb) = (a.cos(), a.sin(), b.cos(), b.sin());
    // (ca, sa, 0, 0) (cb, 0, sb, 0)
    let turn = [ca * cb, sa * cb, ca * sb, sa * sb];
    let arm = rotate(turn, [0.2, -0.3, -0.4]);
    let position = [-arm[0], -arm[1], RADIUS - arm[2]];
    let bodies = vec![ground(), brick([-5.0, 0.0, -5.74], position, turn)];
    Bodies::new(bodies, vec![], vec![contact([0.0; 3], mu)?])
}

/// The brick of Example 2 on four spheres, 0.8 m along x and 0.6 m along y.
pub fn example_2() -> Result<Bodies, ImpactError> {
    let mut lying = brick([-2.0, 0.0, -8.84], [0.0, 0.0, 0.3], [1.0, 0.0, 0.0, 0.0]);
    let inertia = Inertia::Principal([0.0867, 0.133, 0.167]);
    lying.motion = Motion::Free { mass: 2.0, inertia };
    let corners = [[-0.4, -0.3], [0.4, -0.3], [-0.4, 0.3], [0.4, 0.3]];
    let contacts =
        corners.iter().map(|[x, y]| contact([*x, *y, 0.0], 0.2)).collect::<Result<_, _>>()?;
    Bodies::new(vec![ground(), lying], vec![], contacts)
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

fn rotate([w, x, y, z]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let p = [x, y, z];
    let inner = cross(p, v);
    let outer = cross(p, inner);
    std::array::from_fn(|i| v[i] + 2.0 * (w * inner[i] + outer[i]))
}

pub fn ground() -> Body {
    Body {
        name: "ground".into(),
        motion: Motion::Fixed,
        position: vec![0.0; 3],
        orientation: Orientation::Identity,
        velocity: vec![],
        angular_velocity: vec![],
    }
}

pub fn brick(velocity: [f64; 3], position: [f64; 3], turn: [f64; 4]) -> Body {
    let inertia = Inertia::Principal([0.167, 0.133, 0.0867]);
    Body {
        name: "brick".into(),
        motion: Motion::Free { mass: 2.0, inertia },
        position: position.to_vec(),
        orientation: Orientation::Quaternion(turn),
        velocity: velocity.to_vec(),
        angular_velocity: vec![0.0; 3],
    }
}

/// Of the brick on the ground, tangents along x and y.
pub fn contact(point: [f64; 3], mu: f64) -> Result<BodyContact, ImpactError> {
    Ok(BodyContact {
        a: 0,
        b: 1,
        point: point.to_vec(),
        normal: vec![0.0, 0.0, 1.0],
        tangent: Some(vec![1.0, 0.0, 0.0]),
        spec: ContactSpec::new(3, Material::new(mu, 1.0)?),
    })
}

/// Spheres as the paper has them.
pub fn spheres(modulus: f64, dissipation: f64, transition_speed: f64) -> Compliance {
    Compliance {
        spring: Spring::Hertz { modulus },
        radius: RADIUS,
        dissipation,
        transition: Transition::Speed(transition_speed),
        ..Compliance::default()
    }
}

pub fn run(bodies: &Bodies, compliance: &Compliance) -> Result<BodiesRun, ImpactError> {
    run_bodies(bodies, compliance, &RunSettings::default(), &mut NoWatch)
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
