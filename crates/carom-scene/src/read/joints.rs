//! `joints`.

use super::{Bodies, Space, not_negative, number_or};
use crate::keys;
use carom::ImpactError;
use carom_io::format::Cursor;
use carom_io::format::keys::{JOINT_A, JOINT_B, JOINT_POINT, JOINT_TYPE};
use carom_sim::motion::{SceneJoint, SceneJointKind};

/// Reads a joint.
pub fn read(joint: &Cursor, space: &Space, bodies: &Bodies) -> Result<SceneJoint, ImpactError> {
    joint.check_keys(&keys::JOINT)?;
    let kinds = [
        ("ball", SceneJointKind::Ball),
        ("hinge", SceneJointKind::Hinge),
        ("slider", SceneJointKind::Slider),
        ("weld", SceneJointKind::Weld),
    ];
    let kind_value = joint.require(&JOINT_TYPE)?;
    let mut kind = kind_value.choice(&kinds)?;
    if kind == SceneJointKind::Ball && space.is_plane() {
        // In the plane a ball leaves what a hinge leaves.
        kind = SceneJointKind::Hinge;
    }
    let (a, b) = bodies.two(joint, &JOINT_A, &JOINT_B)?;
    let point = space.vector(&joint.require(&JOINT_POINT)?)?;
    let mut read = SceneJoint::new(kind, a, b, point, read_axis(joint, kind, space)?);
    read.name = joint.get("name").map(|name| name.text().map(str::to_owned)).transpose()?;
    let one_coordinate = matches!(kind, SceneJointKind::Hinge | SceneJointKind::Slider);
    for key in [
        &keys::LIMITS,
        &keys::LIMIT_E,
        &keys::STIFFNESS,
        &keys::DAMPING,
        &keys::REST,
        &keys::DRIVE_TORQUE,
        &keys::ARMATURE,
    ] {
        if let Some(value) = joint.get(key.name).filter(|_| !one_coordinate) {
            return Err(value.refuse("only hinges and sliders have a coordinate that this acts on"));
        }
    }
    if let Some(limits) = joint.get(keys::LIMITS.name) {
        read.limits = read_limits(&limits)?;
    }
    if let Some(e) = joint.get(keys::LIMIT_E.name) {
        read.e = match e.number()? {
            x if (0.0..=1.0).contains(&x) => x,
            _ => return Err(e.refuse("must lie between 0 and 1")),
        };
    }
    let spring = |key| joint.get(key).map_or(Ok(0.0), |value| not_negative(&value));
    read.stiffness = spring(keys::STIFFNESS.name)?;
    read.damping = spring(keys::DAMPING.name)?;
    read.rest = number_or(joint, &keys::REST, 0.0)?;
    read.torque = number_or(joint, &keys::DRIVE_TORQUE, 0.0)?;
    read.armature = spring(keys::ARMATURE.name)?;
    Ok(read)
}

/// The axis of a hinge or slider; the others have none that counts.
fn read_axis(joint: &Cursor, kind: SceneJointKind, space: &Space) -> Result<[f64; 3], ImpactError> {
    const THIRD: [f64; 3] = [0.0, 0.0, 1.0];
    let axis = joint.get(keys::JOINT_AXIS.name);
    match (kind, axis) {
        (SceneJointKind::Hinge, Some(axis)) if space.is_plane() => {
            Err(axis.refuse("in the plane a hinge turns about the third axis and needs none"))
        }
        (SceneJointKind::Hinge, None) if space.is_plane() => Ok(THIRD),
        (SceneJointKind::Hinge | SceneJointKind::Slider, Some(axis)) => space.direction(&axis),
        (SceneJointKind::Hinge | SceneJointKind::Slider, None) => {
            Err(joint.missing(keys::JOINT_AXIS.name, "required: the direction of the joint"))
        }
        (_, Some(axis)) => Err(axis.refuse("only hinges and sliders have an axis")),
        (_, None) => Ok(THIRD),
    }
}

/// The lowest and the highest value, infinite where there is none.
fn read_limits(limits: &Cursor) -> Result<[f64; 2], ImpactError> {
    let count = limits.length()?;
    if count != 2 {
        return Err(limits.refuse_length(count, "must have 2 entries, lowest and highest".into()));
    }
    let mut read = [f64::NEG_INFINITY, f64::INFINITY];
    limits.each(|i, limit| {
        read[i] = limit.number_or_infinities()?;
        Ok(())
    })?;
    match read[0] < read[1] {
        true => Ok(read),
        false => Err(limits.refuse("leave no room between them; a weld holds a body still")),
    }
}
