//! Examples 1 and 2 of the PLUS paper as bodies: a brick of 2 kg with spheres on its vertices.

use carom::system::{Bodies, Body, BodyContact, Inertia, Motion, Orientation};
use carom::{ContactSpec, ImpactError, Material};

/// Radius of the spheres on the brick \[m\].
pub const SPHERE_RADIUS: f64 = 0.1;

/// The brick of Example 1 on the sphere at its lowest vertex: turned by 45° about x, then by 30° about its own y. Tangents
/// are along x and y.
pub fn example_1(mu: f64, e: f64) -> Result<Bodies, ImpactError> {
    let turn = example_1_turn();
    let arm = rotate(turn, [0.2, -0.3, -0.4]);
    let position = [-arm[0], -arm[1], SPHERE_RADIUS - arm[2]];
    let brick = brick([0.167, 0.133, 0.0867], [-5.0, 0.0, -5.74], position, turn);
    Bodies::new(vec![ground(), brick], vec![], vec![on_ground([0.0; 3], mu, e)?])
}

/// How the brick of Example 1 is turned, `[w, x, y, z]` \[1\].
pub fn example_1_turn() -> [f64; 4] {
    let (a, b) = (std::f64::consts::FRAC_PI_8, std::f64::consts::PI / 12.0);
    let (ca, sa, cb, sb) = (libm::cos(a), libm::sin(a), libm::cos(b), libm::sin(b));
    // (ca, sa, 0, 0) (cb, 0, sb, 0)
    [ca * cb, sa * cb, ca * sb, sa * sb]
}

/// The brick of Example 2 on four spheres, 0.8 m along x and 0.6 m along y, μ = 0.2; contacts 0 and 2 trail.
pub fn example_2(e: f64) -> Result<Bodies, ImpactError> {
    let (moments, upright) = ([0.0867, 0.133, 0.167], [1.0, 0.0, 0.0, 0.0]);
    let brick = brick(moments, [-2.0, 0.0, -8.84], [0.0, 0.0, 0.3], upright);
    let corners = [[-0.4, -0.3], [0.4, -0.3], [-0.4, 0.3], [0.4, 0.3]];
    let contacts =
        corners.iter().map(|[x, y]| on_ground([*x, *y, 0.0], 0.2, e)).collect::<Result<_, _>>()?;
    Bodies::new(vec![ground(), brick], vec![], contacts)
}

/// A ground at rest.
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

/// A brick of 2 kg that does not turn.
pub fn brick(moments: [f64; 3], velocity: [f64; 3], position: [f64; 3], turn: [f64; 4]) -> Body {
    Body {
        name: "brick".into(),
        motion: Motion::Free { mass: 2.0, inertia: Inertia::Principal(moments) },
        position: position.to_vec(),
        orientation: Orientation::Quaternion(turn),
        velocity: velocity.to_vec(),
        angular_velocity: vec![0.0; 3],
    }
}

/// A contact of body 1 with the ground, body 0; tangents along x and y.
pub fn on_ground(point: [f64; 3], mu: f64, e: f64) -> Result<BodyContact, ImpactError> {
    Ok(BodyContact {
        a: 0,
        b: 1,
        point: point.to_vec(),
        normal: vec![0.0, 0.0, 1.0],
        tangent: Some(vec![1.0, 0.0, 0.0]),
        spec: ContactSpec::new(3, Material::new(mu, e)?),
    })
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
