//! Each class of bad input has its answer, which names the field, the index and the value.

use crate::support::*;
use carom::ImpactError;
use carom::system::{
    Bodies, Body, BodyContact, Generalized, Inertia, Joint, JointKind, MassMatrix, Orientation,
};

#[track_caller]
fn assert_starts(cases: &[(String, &str)]) {
    for (error, expected) in cases {
        assert!(error.starts_with(expected), "`{error}` is not `{expected}`");
    }
}

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn generalized_input_is_checked() -> Result<(), ImpactError> {
    let build = |velocity: &[f64], jacobian: &[f64]| {
        let mass = MassMatrix::Diagonal(vec![1.0, 2.0]);
        Generalized::new(mass, velocity.to_vec(), jacobian.to_vec(), vec![spec(1)?])
    };
    let good = || build(&[0.0, 1.0], &[1.0, -1.0]);
    let rows = |count| {
        let mass = MassMatrix::Diagonal(vec![1.0]);
        Generalized::new(mass, vec![0.0], vec![0.0; 4], vec![spec(count)?])
    };
    let mass = |mass| Generalized::new(mass, vec![0.0; 2], vec![1.0; 2], vec![spec(1)?]);
    let diagonal = |m: [f64; 2]| message(mass(MassMatrix::Diagonal(m.to_vec())));
    let dense = |m: [f64; 4]| message(mass(MassMatrix::Dense(m.to_vec())));
    let none = Generalized::new(MassMatrix::Diagonal(vec![1.0]), vec![0.0], vec![], vec![]);
    assert_eq!(message(good()), "");
    assert_starts(&[
        (diagonal([1.0, -2.0]), "mass[1] = -2:"),
        (diagonal([NAN, 1.0]), "mass[0] = NaN:"),
        (dense([1.0, 0.0, 0.0, -1.0]), "mass[1][1] = -1:"),
        (dense([1.0, 0.5, 0.0, 1.0]), "mass[1][0] = 0:"),
        (dense([1.0, 2.0, 2.0, 1.0]), "mass = matrix with smallest eigenvalue -1"),
        (message(build(&[0.0], &[1.0])), "mass = 2 numbers:"),
        (message(build(&[], &[])), "velocity = []:"),
        (message(build(&[0.0, NAN], &[1.0, -1.0])), "velocity[1] = NaN:"),
        (message(build(&[0.0, 1.0], &[1.0])), "jacobian = 1 numbers:"),
        (message(build(&[0.0, 1.0], &[1.0, INF])), "jacobian[0][1] = inf:"),
        (message(good()?.with_bilateral(vec![1.0])), "bilateral = 1 numbers:"),
        (message(good()?.with_bilateral(vec![1.0, 0.0, NAN, 0.0])), "bilateral[1][0] = NaN:"),
        (message(good()?.with_drive(vec![])), "drive = 0 numbers:"),
        (message(good()?.with_drive(vec![NAN])), "drive[0] = NaN:"),
        (message(good()?.after(&[1.0, 2.0])), "impulse = 2 numbers:"),
        (message(good()?.after(&[NAN])), "impulse[0] = NaN:"),
        (message(none), "contacts = []:"),
        (message(rows(4)), "contacts[0].rows = 4:"),
        (message(rows(usize::MAX)), "jacobian = 4 numbers:"),
    ]);
    Ok(())
}

#[test]
fn spatial_bodies_are_checked() -> Result<(), ImpactError> {
    let good = || free(1.0, Inertia::Principal([1.0; 3]), &[0.0; 3]);
    let strike = contact(0, 1, &[0.0, 0.0, -1.0], &[0.0, 0.0, 1.0])?;
    let with = |change: &dyn Fn(&mut Body)| {
        let mut body = good();
        change(&mut body);
        let bodies = vec![ground(), body];
        message(Bodies::new(bodies, vec![], vec![strike.clone()]))
    };
    let mass = |m| with(&|body| *body = free(m, Inertia::Principal([1.0; 3]), &[0.0; 3]));
    let inertia = |i| with(&|body| *body = free(1.0, i, &[0.0; 3]));
    let turned = |q| with(&|body| body.orientation = q);
    let lopsided = [[1.0, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    assert_eq!(with(&|_| ()), "");
    assert_starts(&[
        (mass(-1.0), "bodies[1].mass = -1:"),
        (mass(0.0), "bodies[1].mass = 0:"),
        (mass(INF), "bodies[1].mass = inf:"),
        (inertia(Inertia::Planar(1.0)), "bodies[1].inertia = 1:"),
        (
            inertia(Inertia::Principal([1.0, 1.0, 3.0])),
            "bodies[1].inertia = principal moments 1, 1, 3:",
        ),
        (
            inertia(Inertia::Principal([1.0, -1.0, 1.0])),
            "bodies[1].inertia = principal moments 1, -1, 1:",
        ),
        (inertia(Inertia::Tensor(lopsided)), "bodies[1].inertia[1][0] = 0:"),
        (turned(Orientation::Angle(1.0)), "bodies[1].orientation = 1:"),
        (
            turned(Orientation::Quaternion([0.0; 4])),
            "bodies[1].orientation = [0.0, 0.0, 0.0, 0.0]:",
        ),
        (turned(Orientation::Quaternion([1.0, 0.0, NAN, 0.0])), "bodies[1].orientation[2] = NaN:"),
        (with(&|body| body.position[2] = NAN), "bodies[1].position[2] = NaN:"),
        (with(&|body| body.position = vec![1.0]), "bodies[1].position = 1 numbers:"),
        (with(&|body| body.position = vec![]), "bodies = 2 bodies:"),
        (with(&|body| body.velocity = vec![1.0; 2]), "bodies[1].velocity = 2 numbers:"),
        (
            with(&|body| body.angular_velocity = vec![1.0]),
            "bodies[1].angular_velocity = 1 numbers:",
        ),
    ]);
    Ok(())
}

#[test]
fn planar_bodies_are_checked() -> Result<(), ImpactError> {
    let strike = contact(0, 1, &[0.0, -1.0], &[0.0, 1.0])?;
    let with = |inertia, orientation, rows| {
        let mut strike = strike.clone();
        strike.spec.rows = rows;
        let body = Body { orientation, ..free(1.0, inertia, &[0.0; 2]) };
        message(Bodies::new(vec![ground(), body], vec![], vec![strike]))
    };
    let (disk, straight) = (Inertia::Planar(1.0), Orientation::Identity);
    let quaternion = Orientation::Quaternion([1.0, 0.0, 0.0, 0.0]);
    assert_eq!(with(disk, Orientation::Angle(2.0), 2), "");
    assert_starts(&[
        (with(disk, straight, 3), "contacts[0].rows = 3:"),
        (with(Inertia::Planar(-1.0), straight, 2), "bodies[1].inertia = -1:"),
        (with(Inertia::Principal([1.0; 3]), straight, 2), "bodies[1].inertia = Principal"),
        (with(disk, Orientation::Angle(NAN), 2), "bodies[1].orientation = NaN:"),
        (with(disk, quaternion, 2), "bodies[1].orientation = [1.0, 0.0, 0.0, 0.0]:"),
    ]);
    Ok(())
}

#[test]
fn contacts_are_checked() -> Result<(), ImpactError> {
    let strike = contact(0, 1, &[0.0, 0.0, -1.0], &[0.0, 0.0, 1.0])?;
    let with = |change: &dyn Fn(&mut BodyContact)| {
        let mut changed = strike.clone();
        change(&mut changed);
        let brick = free(1.0, Inertia::Principal([1.0; 3]), &[0.0; 3]);
        let bodies = vec![ground(), brick, ground()];
        message(Bodies::new(bodies, vec![], vec![strike.clone(), changed]))
    };
    let tangent = |t: [f64; 3]| with(&|c| c.tangent = Some(t.to_vec()));
    assert_eq!(with(&|_| ()), "");
    assert_starts(&[
        (with(&|c| c.a = 7), "contacts[1].a = 7:"),
        (with(&|c| c.a = 1), "contacts[1].b = 1: a contact joins two different bodies"),
        (with(&|c| c.b = 2), "contacts[1].b = 2: `ground` and `ground` are both fixed"),
        (with(&|c| c.normal[2] = 0.0), "contacts[1].normal = [0.0, 0.0, 0.0]:"),
        (with(&|c| c.normal[0] = NAN), "contacts[1].normal[0] = NaN:"),
        (with(&|c| c.point = vec![0.0]), "contacts[1].point = 1 numbers:"),
        (with(&|c| c.point[1] = INF), "contacts[1].point[1] = inf:"),
        (tangent([0.0, 0.0, 2.0]), "contacts[1].tangent = [0.0, 0.0, 2.0]:"),
        (tangent([NAN, 0.0, 2.0]), "contacts[1].tangent[0] = NaN:"),
        (with(&|c| c.spec.rows = 0), "contacts[1].rows = 0:"),
        (with(&|c| c.spec.material.mu = -1.0), "contacts[1].mu = -1:"),
        (with(&|c| c.spec.gap = NAN), "contacts[1].gap = NaN:"),
    ]);
    let none = Bodies::new(vec![ground()], vec![], vec![]);
    assert_starts(&[(message(none), "bodies = 1 bodies:")]);
    let brick = free(1.0, Inertia::Point, &[0.0; 3]);
    let none = Bodies::new(vec![brick], vec![], vec![]);
    assert_starts(&[(message(none), "contacts = []:")]);
    Ok(())
}

#[test]
fn joints_are_checked() -> Result<(), ImpactError> {
    let strike = contact(0, 1, &[0.0, 0.0, -1.0], &[0.0, 0.0, 1.0])?;
    let with = |inertia, joint: Joint| {
        let bodies = vec![ground(), free(1.0, inertia, &[0.0, 0.0, -1.0]), ground()];
        message(Bodies::new(bodies, vec![joint], vec![strike.clone()]))
    };
    let brick = Inertia::Principal([1.0; 3]);
    let held = |kind, axis| with(brick, joint(kind, 0, 1, &[0.0, 0.0, -1.0], axis));
    let (x, zero) = (Some(&[1.0, 0.0, 0.0][..]), Some(&[0.0; 3][..]));
    let ball = |a, b| with(brick, joint(JointKind::Ball, a, b, &[0.0; 3], None));
    // A hinge would hold a point mass against turning, which it cannot feel.
    let hinge = joint(JointKind::Hinge, 0, 1, &[0.0, 0.0, -1.0], x);
    assert_eq!(held(JointKind::Hinge, x), "");
    assert_starts(&[
        (held(JointKind::Hinge, None), "joints[0].axis = absent:"),
        (held(JointKind::Slider, None), "joints[0].axis = absent:"),
        (held(JointKind::Hinge, zero), "joints[0].axis = [0.0, 0.0, 0.0]:"),
        (held(JointKind::Ball, x), "joints[0].axis = [1.0, 0.0, 0.0]:"),
        (held(JointKind::Weld, x), "joints[0].axis = [1.0, 0.0, 0.0]:"),
        (ball(0, 9), "joints[0].b = 9:"),
        (ball(1, 1), "joints[0].b = 1: a joint joins two different bodies"),
        (ball(0, 2), "joints[0].b = 2: `ground` and `ground` are both fixed"),
        (
            with(brick, joint(JointKind::Ball, 0, 1, &[NAN, 0.0, 0.0], None)),
            "joints[0].point[0] = NaN:",
        ),
        (with(Inertia::Point, hinge), "joints[0].kind = moment"),
    ]);
    Ok(())
}
