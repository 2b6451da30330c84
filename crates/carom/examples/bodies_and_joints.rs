//! Bodies and joints: a double pendulum of two rods strikes the floor with its lower end.

use carom::system::{Bodies, Body, BodyContact, Inertia, Joint, JointKind, Motion, Orientation};
use carom::{ContactSpec, ImpactError, Law, Material, resolve};

#[allow(missing_docs, reason = "run by the tests, too")]
pub fn main() -> Result<(), ImpactError> {
    let ground = Body {
        name: "ground".into(),
        motion: Motion::Fixed,
        position: vec![0.0, 0.0],
        orientation: Orientation::Identity,
        velocity: vec![0.0, 0.0],
        angular_velocity: vec![0.0],
    };
    // Rods of 1 m and 1 kg, one hanging from the ceiling at the origin, one from its end; both swing.
    let rod = |name: &str, y: f64, vx: f64, spin: f64| Body {
        name: name.into(),
        motion: Motion::Free { mass: 1.0, inertia: Inertia::Planar(1.0 / 12.0) },
        position: vec![0.0, y],
        velocity: vec![vx, 0.0],
        angular_velocity: vec![spin],
        ..ground.clone()
    };
    let hinge = |a: usize, b: usize, y: f64| Joint {
        kind: JointKind::Hinge,
        a,
        b,
        point: vec![0.0, y],
        axis: None,
    };
    // A wall at the lower end, met at 3 m/s.
    let wall = BodyContact {
        a: 0,
        b: 2,
        point: vec![0.0, -2.0],
        normal: vec![-1.0, 0.0],
        tangent: None,
        spec: ContactSpec::new(2, Material::new(0.3, 0.5)?),
    };
    let bodies = vec![ground.clone(), rod("upper", -0.5, 0.5, 1.0), rod("lower", -1.5, 2.0, 2.0)];
    let pendulum = Bodies::new(bodies, vec![hinge(0, 1, 0.0), hinge(1, 2, -1.0)], vec![wall])?;

    let answer = resolve(&pendulum, &Law::from_id("chatterjee-ruina")?)?;
    for body in answer.after.bodies.iter().flatten() {
        println!("{:<8} {:.4?} m/s  {:.4?} rad/s", body.name, body.velocity, body.angular_velocity);
    }
    // The joints hold, and the end leaves with e times its approach speed.
    assert!(answer.certificate.bilateral_residual < 1e-12);
    assert!((answer.outcome.velocity[0] - 1.5).abs() < 1e-12);
    Ok(())
}
