//! Scenes mirrored and turned: their motions are mirrored and turned, up to where small differences have grown.

use crate::overlap::rotation;
use crate::random::friction;
use carom_sim::motion::{
    Between, BodyKind, BodyState, Dimension, EventContact, EventKind, Motion, Options, Prescribed,
    Scene, SceneJointKind, Shape, Turn, simulate,
};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

type V3 = Vector3<f64>;

/// Differences of places this small are rounding, beside the extent of the bodies.
const SAME: f64 = 1e-7;
/// By how much gravity is changed to see how much small differences grow \[1\].
const HEAVIER: f64 = 1e-11;
/// So many times the difference that this and other tolerances make.
const GROWN: f64 = 1e4;

/// A change of axes of the world: a rotation, or the reflection in the plane x = 0.
#[derive(Clone, Copy)]
enum Change {
    Turned(Rotation3<f64>),
    Mirrored,
}

impl Change {
    /// Of places, velocities and forces.
    fn vector(self, v: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Turned(by) => (by * V3::from(v)).into(),
            Self::Mirrored => [-v[0], v[1], v[2]],
        }
    }

    /// Of angular velocities and torques.
    fn axial(self, v: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Turned(by) => (by * V3::from(v)).into(),
            Self::Mirrored => [v[0], -v[1], -v[2]],
        }
    }

    /// Of the frame of a body, which a reflection mirrors too.
    fn turn(self, turn: Turn, planar: bool) -> Turn {
        let turn = match turn {
            Turn::Angle(angle) if !planar => {
                let (s, c) = libm::sincos(0.5 * angle);
                Turn::Quaternion([c, 0.0, 0.0, s])
            }
            turn => turn,
        };
        match (self, turn) {
            (Self::Turned(by), Turn::Angle(angle)) => Turn::Angle(angle + by.euler_angles().2),
            (Self::Turned(by), Turn::Quaternion([w, x, y, z])) => {
                let q = nalgebra::Quaternion::new(w, x, y, z);
                let q = UnitQuaternion::from_rotation_matrix(&by).into_inner() * q;
                Turn::Quaternion([q.w, q.i, q.j, q.k])
            }
            (Self::Mirrored, Turn::Angle(angle)) => Turn::Angle(-angle),
            (Self::Mirrored, Turn::Quaternion(q)) => Turn::Quaternion(mirrored(q)),
        }
    }
}

fn mirrored([w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [w, x, -y, -z]
}

fn flip(p: &mut [f64; 3]) {
    p[0] = -p[0];
}

fn mirror(shape: &mut Shape) {
    match shape {
        Shape::Sphere { center, .. } => flip(center),
        Shape::Capsule { from, to, .. } => {
            flip(from);
            flip(to);
        }
        Shape::Box { center, orientation, .. } => {
            flip(center);
            *orientation = mirrored(*orientation);
        }
        Shape::Cylinder { axis, center, .. } => {
            flip(axis);
            flip(center);
        }
        Shape::Convex { points } | Shape::Points { points } => points.iter_mut().for_each(flip),
        Shape::Polygon { points } => {
            points.iter_mut().for_each(flip);
            points.reverse();
        }
        Shape::HalfSpace { normal, .. } => flip(normal),
    }
}

fn changed(scene: &Scene, change: Change) -> Scene {
    let mut scene = scene.clone();
    let is_mirror = matches!(change, Change::Mirrored);
    let planar = scene.dimension == Dimension::Plane;
    scene.gravity = change.vector(scene.gravity);
    for body in &mut scene.bodies {
        body.position = change.vector(body.position);
        body.orientation = change.turn(body.orientation, planar);
        body.velocity = change.vector(body.velocity);
        body.angular_velocity = change.axial(body.angular_velocity);
        body.surface_velocity = change.vector(body.surface_velocity);
        match &mut body.kind {
            BodyKind::Fixed { motion: Prescribed::Sine { amplitude, .. } } => {
                *amplitude = change.vector(*amplitude);
            }
            BodyKind::Fixed { motion: Prescribed::Uniform { velocity } } => {
                *velocity = change.vector(*velocity);
            }
            BodyKind::Moving { inertia, .. } if is_mirror => {
                let s = Matrix3::from_diagonal(&V3::new(-1.0, 1.0, 1.0));
                let i = Matrix3::from_fn(|r, c| inertia[r][c]);
                let i = s * i * s;
                *inertia = std::array::from_fn(|r| std::array::from_fn(|c| i[(r, c)]));
            }
            _ => {}
        }
        if is_mirror {
            body.shapes.iter_mut().for_each(mirror);
        }
    }
    for joint in &mut scene.joints {
        joint.point = change.vector(joint.point);
        if joint.kind == SceneJointKind::Slider {
            joint.axis = change.vector(joint.axis);
        } else if is_mirror && planar {
            // Hinges keep their axis: their coordinates change sign.
            joint.limits = [-joint.limits[1], -joint.limits[0]];
            joint.rest = -joint.rest;
            joint.torque = -joint.torque;
        } else {
            joint.axis = change.axial(joint.axis);
        }
    }
    for spring in &mut scene.springs {
        spring.point_a = change.vector(spring.point_a);
        spring.point_b = change.vector(spring.point_b);
    }
    for force in &mut scene.forces {
        force.force = change.vector(force.force);
        force.torque = change.axial(force.torque);
        if is_mirror {
            flip(&mut force.point);
        }
    }
    scene
}

/// How far apart two states of a body of this extent are \[m\].
fn apart(one: &BodyState, other: &BodyState, extent: f64) -> f64 {
    let moved = (V3::from(one.position) - V3::from(other.position)).norm();
    let turned = (rotation(one.orientation) - rotation(other.orientation)).norm();
    moved + 0.5 * extent * turned
}

fn turn(planar: bool) -> Rotation3<f64> {
    if planar {
        Rotation3::from_axis_angle(&V3::z_axis(), 0.7)
    } else {
        Rotation3::from_euler_angles(0.4, -0.9, 1.3)
    }
}

/// When the motion is no longer the only one: where several contacts without friction strike together the law that answers
/// takes one after the other, in the order of the scene; where sliding friction has no finite force it decides by the last
/// digits of velocities what jumps.
fn tied(scene: &Scene, motion: &Motion) -> f64 {
    let smooth = |contact: &EventContact| match contact.between {
        Between::Bodies(a, b) => friction(scene, a, b) == 0.0,
        Between::Joint(_) => true,
    };
    (motion.events.iter())
        .filter(|event| {
            event.kind == (EventKind::Impact { collision: false })
                || event.contacts.len() > 1 && event.contacts.iter().all(smooth)
        })
        .map(|event| event.time)
        .fold(f64::INFINITY, f64::min)
}

/// The first sample at which the motion of the mirrored or turned scene is another one.
pub fn differs(scene: &Scene, motion: &Motion, times: &[f64], extent: f64) -> Option<String> {
    let follow = |scene: &Scene, factor: f64| {
        let mut options = Options::at(times);
        options.tolerance_factor = factor;
        simulate(scene, &options)
    };
    // How much small differences grow.
    let mut heavier = scene.clone();
    heavier.gravity = heavier.gravity.map(|g| g * (1.0 + HEAVIER));
    let Ok(coarse) = follow(&heavier, 10.0) else { return Some("refused with tolerances".into()) };
    let planar = scene.dimension == Dimension::Plane;
    let turn = Change::Turned(turn(planar));
    for (name, change) in [("mirrored", Change::Mirrored), ("turned", turn)] {
        let other = match follow(&changed(scene, change), 1.0) {
            Ok(other) => other,
            Err(error) => return Some(format!("{name} it is refused: {error}")),
        };
        let mut grown: f64 = 0.0;
        let end = motion.end.time.min(other.end.time).min(coarse.end.time).min(tied(scene, motion));
        for ((one, other), coarse) in motion.samples.iter().zip(&other.samples).zip(&coarse.samples)
        {
            if one.time >= end {
                break;
            }
            for body in 0..scene.bodies.len() {
                let mut expected = one.bodies[body];
                expected.position = change.vector(expected.position);
                expected.orientation = change.turn(expected.orientation, planar);
                grown = grown.max(apart(&one.bodies[body], &coarse.bodies[body], extent));
                let difference = apart(&expected, &other.bodies[body], extent);
                if difference > SAME * extent + GROWN * grown || difference.is_nan() {
                    return Some(format!(
                        "{name} it is {difference:e} m another motion at {} s, where small differences make {grown:e} m",
                        one.time
                    ));
                }
            }
        }
    }
    None
}
