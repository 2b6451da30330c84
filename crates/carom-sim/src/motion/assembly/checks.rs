//! The numbers of a scene, checked and turned into vectors.

use super::forces::Actuator;
use super::tree::{prescribed, quaternion, rotation_of};
use crate::input::{finite, not_negative, positive};
use crate::motion::scene::{
    BodyKind, Prescribed, Scene, SceneBody, SceneJoint, SceneJointKind, Turn,
};
use crate::motion::vector::{M3, Twist, V3, normalised};
use carom::ImpactError;

/// How far a coordinate may start outside of its limits [rad or m].
const OUTSIDE: f64 = 1e-9;
/// Principal moments of inertia may miss the triangle inequality, or be negative, by this part of the largest.
const INERTIA_ROUNDING: f64 = 1e-9;

/// A body of the scene at t = 0.
pub(super) struct Start {
    pub(super) centre: V3,
    pub(super) turn: Turn,
    pub(super) rotation: M3,
    pub(super) twist: Twist,
    pub(super) moving: Option<(f64, M3)>,
    pub(super) motion: Prescribed,
}

/// A joint with its numbers checked.
pub(super) struct Joint {
    pub(super) kind: SceneJointKind,
    pub(super) bodies: [usize; 2],
    pub(super) point: V3,
    /// Of length one; zero where the joint has none.
    pub(super) axis: V3,
    pub(super) actuator: Actuator,
    /// [kg·m² or kg]
    pub(super) armature: f64,
    pub(super) limits: [f64; 2],
    pub(super) e: f64,
}

pub(super) fn norm(x: &V3) -> f64 {
    f64::sqrt(x.dot(x))
}

pub(super) fn vector(field: &str, x: [f64; 3], planar: bool) -> Result<V3, ImpactError> {
    x.iter().try_for_each(|x| finite(field, *x))?;
    if planar && x[2] != 0.0 {
        return Err(ImpactError::bad_problem(field, x[2], "has a third component in the plane"));
    }
    Ok(V3::from(x))
}

pub(super) fn start(field: &str, body: &SceneBody, planar: bool) -> Result<Start, ImpactError> {
    let of = |part: &str| format!("{field}.{part}");
    let position = vector(&of("position"), body.position, planar)?;
    let turn = match body.orientation {
        Turn::Angle(angle) => {
            finite(&of("orientation"), angle)?;
            if planar { body.orientation } else { Turn::Quaternion(quaternion(body.orientation)) }
        }
        Turn::Quaternion(q) => {
            q.iter().try_for_each(|x| finite(&of("orientation"), *x))?;
            if planar {
                let reason = "has to be an angle in the plane";
                return Err(ImpactError::bad_problem(of("orientation"), "a quaternion", reason));
            }
            let unit = normalised(q);
            if unit.iter().any(|x| !x.is_finite()) || unit.iter().all(|x| *x == 0.0) {
                let reason = "is no rotation: a quaternion has to have a length";
                return Err(ImpactError::bad_problem(of("orientation"), format!("{q:?}"), reason));
            }
            Turn::Quaternion(unit)
        }
    };
    let rotation = rotation_of(turn);
    let (moving, motion, offset, twist) = match body.kind {
        BodyKind::Moving { mass, inertia } => {
            positive(&of("mass"), mass)?;
            let inertia = check_inertia(&of("inertia"), inertia, planar)?;
            let velocity = vector(&of("velocity"), body.velocity, planar)?;
            let spin = V3::from(body.angular_velocity);
            spin.iter().try_for_each(|x| finite(&of("angular_velocity"), *x))?;
            if planar && (spin.x != 0.0 || spin.y != 0.0) {
                let reason = "turns about the third axis only, in the plane";
                let value = format!("{:?}", body.angular_velocity);
                return Err(ImpactError::bad_problem(of("angular_velocity"), value, reason));
            }
            let twist = Twist { velocity, spin };
            (Some((mass, inertia)), Prescribed::None, V3::zeros(), twist)
        }
        BodyKind::Fixed { motion } => {
            match motion {
                Prescribed::None => {}
                Prescribed::Uniform { velocity } => {
                    vector(&of("motion.velocity"), velocity, planar)?;
                }
                Prescribed::Sine { amplitude, frequency, phase } => {
                    vector(&of("motion.sine.amplitude"), amplitude, planar)?;
                    finite(&of("motion.sine.frequency"), frequency)?;
                    finite(&of("motion.sine.phase"), phase)?;
                }
            }
            let [offset, velocity, _] = prescribed(&motion, 0.0);
            (None, motion, offset, Twist { velocity, spin: V3::zeros() })
        }
    };
    Ok(Start { centre: position + offset, turn, rotation, twist, moving, motion })
}

/// Symmetric, not negative, and of a distribution of mass: no principal moment is larger than the other two together.
fn check_inertia(field: &str, inertia: [[f64; 3]; 3], planar: bool) -> Result<M3, ImpactError> {
    if planar {
        not_negative(field, inertia[2][2])?;
        return Ok(M3::from_diagonal_element(inertia[2][2]));
    }
    let matrix = M3::from_fn(|i, j| inertia[i][j]);
    matrix.iter().try_for_each(|x| finite(field, *x))?;
    let largest = matrix.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if (matrix - matrix.transpose()).iter().any(|x| x.abs() > INERTIA_ROUNDING * largest) {
        return Err(ImpactError::bad_problem(field, format!("{inertia:?}"), "is not symmetric"));
    }
    let symmetric = (matrix + matrix.transpose()) * 0.5;
    let mut principal: [f64; 3] = symmetric.symmetric_eigenvalues().into();
    principal.sort_by(f64::total_cmp);
    let value = || format!("{principal:?}");
    if principal[0] < -INERTIA_ROUNDING * largest {
        return Err(ImpactError::bad_problem(field, value(), "has a negative principal moment"));
    }
    if principal[2] > principal[0] + principal[1] + INERTIA_ROUNDING * largest {
        let reason = "no body has a principal moment of inertia larger than the other two together";
        return Err(ImpactError::bad_problem(field, value(), reason));
    }
    Ok(symmetric)
}

fn body_index(field: String, body: usize, bodies: &[Start]) -> Result<(), ImpactError> {
    if body < bodies.len() {
        return Ok(());
    }
    Err(ImpactError::bad_problem(field, body, format!("there are {} bodies", bodies.len())))
}

pub(super) fn check_joint(
    field: &str,
    joint: &SceneJoint,
    bodies: &[Start],
    planar: bool,
) -> Result<Joint, ImpactError> {
    let of = |part: &str| format!("{field}.{part}");
    body_index(of("a"), joint.a, bodies)?;
    body_index(of("b"), joint.b, bodies)?;
    if joint.a == joint.b {
        return Err(ImpactError::bad_problem(of("b"), joint.b, "is the same body as a"));
    }
    if bodies[joint.a].moving.is_none() && bodies[joint.b].moving.is_none() {
        let reason = "is between two fixed bodies and holds nothing";
        return Err(ImpactError::bad_problem(field, format!("{:?}", joint.kind), reason));
    }
    let point = vector(&of("point"), joint.point, planar)?;
    let kind = match joint.kind {
        SceneJointKind::Ball if planar => SceneJointKind::Hinge,
        kind => kind,
    };
    let axis = match kind {
        SceneJointKind::Hinge if planar => V3::z(),
        SceneJointKind::Hinge | SceneJointKind::Slider => {
            let axis = vector(&of("axis"), joint.axis, planar)?;
            // By its largest component first: the square of a small axis is zero.
            let largest = axis.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            let axis = axis / largest;
            let axis = axis / norm(&axis);
            if !axis.iter().all(|x| x.is_finite()) {
                let value = format!("{:?}", joint.axis);
                return Err(ImpactError::bad_problem(of("axis"), value, "has to have a length"));
            }
            axis
        }
        SceneJointKind::Ball | SceneJointKind::Weld => V3::zeros(),
    };
    not_negative(&of("stiffness"), joint.stiffness)?;
    not_negative(&of("damping"), joint.damping)?;
    finite(&of("rest"), joint.rest)?;
    finite(&of("torque"), joint.torque)?;
    not_negative(&of("e"), joint.e)?;
    not_negative(&of("armature"), joint.armature)?;
    let [lo, hi] = joint.limits;
    let limited = lo > f64::NEG_INFINITY || hi < f64::INFINITY;
    let actuator = Actuator {
        stiffness: joint.stiffness,
        damping: joint.damping,
        rest: joint.rest,
        torque: joint.torque,
    };
    if matches!(kind, SceneJointKind::Ball | SceneJointKind::Weld) {
        let name = match () {
            () if limited => Some("limits"),
            () if joint.stiffness != 0.0 => Some("stiffness"),
            () if joint.damping != 0.0 => Some("damping"),
            () if joint.torque != 0.0 => Some("torque"),
            () if joint.armature != 0.0 => Some("armature"),
            () => None,
        };
        if let Some(name) = name {
            let reason = "only hinges and sliders have a coordinate that it could act on";
            return Err(ImpactError::bad_problem(of(name), format!("{:?}", joint.kind), reason));
        }
    }
    let value = || format!("{:?}", joint.limits);
    if lo.is_nan() || hi.is_nan() || lo >= hi {
        let reason = "the first has to be below the second";
        return Err(ImpactError::bad_problem(of("limits"), value(), reason));
    }
    if lo > OUTSIDE || hi < -OUTSIDE {
        let reason = "the coordinate is 0 at t = 0, outside of them";
        return Err(ImpactError::bad_problem(of("limits"), value(), reason));
    }
    let bodies = [joint.a, joint.b];
    let (armature, limits, e) = (joint.armature, joint.limits, joint.e);
    Ok(Joint { kind, bodies, point, axis, actuator, armature, limits, e })
}

/// Springs between bodies of which one moves, and forces on bodies that move.
pub(super) fn check_springs_and_forces(
    scene: &Scene,
    bodies: &[Start],
    planar: bool,
) -> Result<(), ImpactError> {
    for (at, spring) in scene.springs.iter().enumerate() {
        let of = |part: &str| format!("springs[{at}].{part}");
        body_index(of("a"), spring.a, bodies)?;
        body_index(of("b"), spring.b, bodies)?;
        if spring.a == spring.b {
            return Err(ImpactError::bad_problem(of("b"), spring.b, "is the same body as a"));
        }
        if bodies[spring.a].moving.is_none() && bodies[spring.b].moving.is_none() {
            let reason = "is between two fixed bodies and moves nothing";
            return Err(ImpactError::bad_problem(format!("springs[{at}]"), "", reason));
        }
        vector(&of("point_a"), spring.point_a, planar)?;
        vector(&of("point_b"), spring.point_b, planar)?;
        not_negative(&of("stiffness"), spring.stiffness)?;
        not_negative(&of("damping"), spring.damping)?;
        spring.length.map_or(Ok(()), |length| not_negative(&of("length"), length))?;
    }
    for (at, force) in scene.forces.iter().enumerate() {
        let of = |part: &str| format!("forces[{at}].{part}");
        body_index(of("body"), force.body, bodies)?;
        if bodies[force.body].moving.is_none() {
            let reason = "is a fixed body, which forces do not move";
            return Err(ImpactError::bad_problem(of("body"), force.body, reason));
        }
        vector(&of("force"), force.force, planar)?;
        vector(&of("point"), force.point, planar)?;
        force.torque.iter().try_for_each(|x| finite(&of("torque"), *x))?;
        if planar && (force.torque[0] != 0.0 || force.torque[1] != 0.0) {
            let value = format!("{:?}", force.torque);
            let reason = "acts about the third axis only, in the plane";
            return Err(ImpactError::bad_problem(of("torque"), value, reason));
        }
    }
    Ok(())
}

/// The velocities that a joint forbids.
pub(super) fn check_velocities(
    scene: &Scene,
    index: usize,
    joint: &Joint,
    bodies: &[Start],
    allowed: f64,
    length: f64,
) -> Result<(), ImpactError> {
    let [a, b] = joint.bodies.map(|body| &bodies[body]);
    let at = |body: &Start| body.twist.at(&(joint.point - body.centre));
    let (mut slip, mut turn) = (at(b) - at(a), b.twist.spin - a.twist.spin);
    match joint.kind {
        SceneJointKind::Ball => turn = V3::zeros(),
        SceneJointKind::Hinge => turn -= joint.axis * joint.axis.dot(&turn),
        SceneJointKind::Slider => slip -= joint.axis * joint.axis.dot(&slip),
        SceneJointKind::Weld => {}
    }
    let (slip, turn) = (norm(&slip), norm(&turn));
    if slip <= allowed && turn * length <= allowed {
        return Ok(());
    }
    let [a, b] = joint.bodies.map(|body| &scene.bodies[body].name);
    let name = scene.joints[index].name.as_ref().map_or(String::new(), |name| format!(" `{name}`"));
    let reason = format!(
        "the velocities of `{a}` and `{b}` at t = 0 do not fit joint{name}: they differ by {slip} m/s and {turn} rad/s"
    );
    Err(ImpactError::bad_problem(format!("joints[{index}]"), slip.max(turn), reason))
}
