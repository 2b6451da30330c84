//! Examples of the PLUS paper, and how to run them.

use carom::system::{Bodies, Body, BodyContact, Inertia, Motion, Orientation};
use carom::{ContactSpec, ImpactError, Material};
use carom_sim::compliant::{
    CompliantContact, CompliantOutcome, Exponent, RigidBodies, RunSettings, Stribeck,
};

/// Radius of the spheres on the brick of Examples 1 and 2 \[m\].
pub const RADIUS: f64 = 0.1;

/// The brick of Example 1 on the sphere at its lowest vertex: turned by 45° about x, then by 30° about its own y.
pub fn example_1(mu: f64) -> Result<Bodies, ImpactError> {
    let (a, b) = (std::f64::consts::FRAC_PI_8, std::f64::consts::PI / 12.0);
    let (ca, sa, cb, sb) = (a.cos(), a.sin(), b.cos(), b.sin());
    // (ca, sa, 0, 0) (cb, 0, sb, 0)
    let turn = [ca * cb, sa * cb, ca * sb, sa * sb];
    let arm = rotate(turn, [0.2, -0.3, -0.4]);
    let bodies = vec![ground(), brick([-5.0, 0.0, -5.74], [-arm[0], -arm[1], 0.1 - arm[2]], turn)];
    Bodies::new(bodies, vec![], vec![contact([0.0; 3], mu)?])
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

fn brick(velocity: [f64; 3], position: [f64; 3], turn: [f64; 4]) -> Body {
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

/// On the ground, tangents along x and y.
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

/// A sphere after Hertz with Coulomb's friction.
pub fn sphere(modulus: f64, radius: f64, mu: f64, transition: f64, c: f64) -> CompliantContact {
    CompliantContact {
        stiffness: 4.0 / 3.0 * radius.sqrt() * modulus,
        dissipation: c,
        friction: Stribeck::coulomb(mu, transition),
    }
}

pub fn run(
    mechanism: &RigidBodies,
    contact: CompliantContact,
    count: usize,
) -> Result<CompliantOutcome, ImpactError> {
    let settings = RunSettings::default();
    carom_sim::compliant::run(
        mechanism,
        &vec![contact; count],
        Exponent::Hertz,
        &settings,
        &mut carom::outcome::NoWatch,
    )
}
