//! Bricks: on the ground, on each other, against each other, on joints.

use crate::Rng;
use crate::generate::material;
use crate::generate::several::bodies::{Vec3, add, cross, difference, fixed};
use crate::generate::several::{Place, Scene};
use carom::ContactSpec;
use carom::system::{Body, BodyContact, Inertia, Joint, JointKind, Motion};

pub(super) type Rotation = [[f64; 3]; 3];
/// A mass from a generator [kg].
type Mass = fn(&mut Rng) -> f64;

pub(super) const UPRIGHT: Rotation = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A brick on one to eight points of the ground: a vertex, an edge, or points of a face.
pub(super) fn brick(rng: &mut Rng) -> Scene {
    let half: Vec3 = std::array::from_fn(|_| rng.uniform(0.05, 0.5));
    let count = 1 + rng.index(8) as usize;
    let rotation = match count {
        1 => rng.rotation(),
        // Tilted about its own x, then turned about the vertical.
        2 => product(turned(2, rng.uniform(0.0, 6.3)), turned(0, rng.uniform(0.1, 1.4))),
        _ => turned(2, rng.uniform(0.0, 6.3)),
    };
    let corner = |x: f64, y: f64, z: f64| apply(&rotation, [x * half[0], y * half[1], z * half[2]]);
    let arms: Vec<Vec3> = match count {
        1 => vec![lowest_vertex(half, &rotation)],
        // Tilted by less than 90°, the edge at (−y, −z) is lowest.
        2 => vec![corner(-1.0, -1.0, -1.0), corner(1.0, -1.0, -1.0)],
        _ => {
            let corners = [[-1.0, -1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, 1.0]];
            let middles = [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]];
            let places = corners.into_iter().chain(middles).take(count);
            places.map(|[x, y]| corner(x, y, -1.0)).collect()
        }
    };
    on_ground(rng, half, &rotation, &arms)
}

/// A brick on its lowest vertex or, where there are more contacts, on a grid of points of its face.
pub(super) fn landing(rng: &mut Rng, contacts: usize) -> Scene {
    let half: Vec3 = std::array::from_fn(|_| rng.uniform(0.1, 0.5));
    if contacts == 1 {
        let rotation = rng.rotation();
        let arm = lowest_vertex(half, &rotation);
        return on_ground(rng, half, &rotation, &[arm]);
    }
    let across = (1..).find(|n| n * n >= contacts).unwrap_or(1);
    let along = contacts.div_ceil(across);
    let place = |k: usize, of: usize| 2.0 * k as f64 / (of.max(2) - 1) as f64 - 1.0;
    let arms: Vec<Vec3> = (0..contacts)
        .map(|k| {
            let (x, y) = (place(k % across, across), place(k / across, along));
            [x * half[0], y * half[1], -half[2]]
        })
        .collect();
    on_ground(rng, half, &UPRIGHT, &arms)
}

pub(super) fn lowest_vertex(half: Vec3, rotation: &Rotation) -> Vec3 {
    let sign = |k: usize, bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
    let vertex = |k: usize| apply(rotation, std::array::from_fn(|bit| sign(k, bit) * half[bit]));
    (1..8).map(vertex).fold(vertex(0), |low, next| if next[2] < low[2] { next } else { low })
}

/// A falling brick that touches the ground at these points, given from its centre.
fn on_ground(rng: &mut Rng, half: Vec3, rotation: &Rotation, arms: &[Vec3]) -> Scene {
    let mut body = body(rng.log_uniform(0.3, 5.0), half, rotation);
    // The points touch z = 0.
    body.position = vec![0.0, 0.0, -arms.iter().fold(0.0, |m: f64, a| m.min(a[2]))];
    fall(rng, &mut body);
    let contacts = arms
        .iter()
        .map(|arm| contact(0, 1, add(array(&body.position), *arm), [0.0, 0.0, 1.0]))
        .collect();
    Scene { place: Place::Space, bodies: vec![fixed(Place::Space), body], joints: vec![], contacts }
}

/// A brick falls with another on top of it, or on another that rests on the ground, exactly or up to noise.
pub(super) fn stack(rng: &mut Rng, mass: Mass) -> Scene {
    let half: [Vec3; 2] = std::array::from_fn(|_| std::array::from_fn(|_| rng.uniform(0.1, 0.5)));
    let [mut lower, mut upper] = half.map(|half| body(mass(rng), half, &UPRIGHT));
    lower.position = vec![0.0, 0.0, half[0][2]];
    upper.position = vec![0.0, 0.0, 2.0 * half[0][2] + half[1][2]];
    fall(rng, &mut upper);
    match rng.index(4) {
        0 => fall(rng, &mut lower),
        1 => {
            fall(rng, &mut lower);
            let noise = rng.log_uniform(1e-12, 1e-5);
            for v in lower.velocity.iter_mut().chain(&mut lower.angular_velocity) {
                *v *= noise;
            }
        }
        _ => {}
    }
    let mut contacts = Vec::new();
    for (a, b, extent, height) in [
        (0, 1, half[0], 0.0),
        (1, 2, [half[0][0].min(half[1][0]), half[0][1].min(half[1][1]), 0.0], 2.0 * half[0][2]),
    ] {
        for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
            contacts.push(contact(a, b, [x * extent[0], y * extent[1], height], [0.0, 0.0, 1.0]));
        }
    }
    let bodies = vec![fixed(Place::Space), lower, upper];
    Scene { place: Place::Space, bodies, joints: vec![], contacts }
}

/// Two free bodies that meet in up to three points, their normals within some 45° of the line between the centres.
pub(super) fn pair(rng: &mut Rng, mass: Mass) -> Scene {
    let mut bodies = vec![fixed(Place::Space)];
    for side in [-1.0, 1.0] {
        let half = std::array::from_fn(|_| rng.uniform(0.1, 0.5));
        let rotation = rng.rotation();
        let mut body = body(mass(rng), half, &rotation);
        body.position = vec![0.0, 0.0, 0.4 * side];
        body.velocity = (0..3).map(|_| rng.normal()).collect();
        body.angular_velocity = (0..3).map(|_| rng.normal()).collect();
        bodies.push(body);
    }
    let contacts = (0..1 + rng.index(3))
        .map(|_| {
            let point = [0.4 * rng.normal(), 0.4 * rng.normal(), 0.1 * rng.normal()];
            contact(1, 2, point, [0.4 * rng.normal(), 0.4 * rng.normal(), 1.0])
        })
        .collect();
    Scene { place: Place::Space, bodies, joints: vec![], contacts }
}

/// Two or three bodies in a row, held by balls or by two balls on one axis, one or two points of each on the ground.
pub(super) fn linked(rng: &mut Rng, mass: Mass) -> Scene {
    let mut bodies = vec![fixed(Place::Space)];
    let (mut joints, mut contacts) = (Vec::new(), Vec::new());
    for k in 0..2 + rng.index(2) as usize {
        let half = std::array::from_fn(|_| rng.uniform(0.1, 0.4));
        let rotation = rng.rotation();
        let mut body = body(mass(rng), half, &rotation);
        body.position = vec![k as f64, 0.2 * rng.normal(), 0.5 + 0.2 * rng.unit()];
        if k == 0 {
            fall(rng, &mut body);
        } else {
            let hold: Vec3 = [k as f64 - 0.5, 0.2 * rng.normal(), 0.5 + 0.2 * rng.normal()];
            let axis: Vec3 = std::array::from_fn(|_| rng.normal());
            let turn: Vec3 = std::array::from_fn(|_| rng.normal());
            let hinged = rng.chance(0.5);
            let before = &bodies[k];
            let spin = array(&before.angular_velocity);
            let spin_after = if hinged { add(spin, axis.map(|x| x * turn[0])) } else { turn };
            let at_joint =
                add(array(&before.velocity), cross(spin, difference(&hold, &before.position)));
            let about = cross(spin_after, difference(&body.position, &hold));
            body.velocity = add(at_joint, about).to_vec();
            body.angular_velocity = spin_after.to_vec();
            let mut points = vec![hold];
            if hinged {
                points.push(add(hold, axis.map(|x| 0.3 * x)));
            }
            for point in points {
                let point = point.to_vec();
                joints.push(Joint { kind: JointKind::Ball, a: k, b: k + 1, point, axis: None });
            }
        }
        for _ in 0..1 + rng.index(2) {
            let at = [k as f64 + 0.3 * rng.normal(), 0.3 * rng.normal(), 0.0];
            contacts.push(contact(0, k + 1, at, [0.0, 0.0, 1.0]));
        }
        bodies.push(body);
    }
    Scene { place: Place::Space, bodies, joints, contacts }
}

/// A brick at rest, its centre at the origin.
pub(super) fn body(mass: f64, half: Vec3, rotation: &Rotation) -> Body {
    let [x, y, z] = half.map(|h| h * h);
    let moments = [y + z, x + z, x + y].map(|square| mass * square / 3.0);
    let entry =
        |i: usize, j: usize| (0..3).map(|m| rotation[i][m] * moments[m] * rotation[j][m]).sum();
    Body {
        name: "brick".into(),
        motion: Motion::Free { mass, inertia: Inertia::Tensor(crate::transform::symmetric(entry)) },
        position: vec![0.0; 3],
        velocity: vec![0.0; 3],
        angular_velocity: vec![0.0; 3],
        ..fixed(Place::Space)
    }
}

/// Lets a body fall: turning and sliding, or not.
fn fall(rng: &mut Rng, body: &mut Body) {
    let speed = rng.log_uniform(0.1, 5.0);
    let slide = if rng.chance(0.15) { 0.0 } else { rng.log_uniform(0.01, 3.0) };
    let turn = if rng.chance(0.2) { 0.0 } else { rng.log_uniform(0.01, 5.0) };
    body.velocity = vec![slide * rng.normal(), slide * rng.normal(), -speed];
    body.angular_velocity = (0..3).map(|_| turn * rng.normal()).collect();
}

pub(super) fn contact(a: usize, b: usize, point: Vec3, normal: Vec3) -> BodyContact {
    let spec = ContactSpec::new(3, material(0.0, 0.0, 0.0));
    BodyContact { a, b, point: point.to_vec(), normal: normal.to_vec(), tangent: None, spec }
}

pub(super) fn array(v: &[f64]) -> Vec3 {
    std::array::from_fn(|i| v[i])
}

/// A turn about one of the axes.
pub(super) fn turned(axis: usize, angle: f64) -> Rotation {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut rotation = UPRIGHT;
    (rotation[i][i], rotation[i][j]) = (cos, -sin);
    (rotation[j][i], rotation[j][j]) = (sin, cos);
    rotation
}

pub(super) fn apply(rotation: &Rotation, v: Vec3) -> Vec3 {
    rotation.map(|row| row.iter().zip(v).map(|(r, x)| r * x).sum())
}

pub(super) fn product(a: Rotation, b: Rotation) -> Rotation {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|m| a[i][m] * b[m][j]).sum()))
}
