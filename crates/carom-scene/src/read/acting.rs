//! `springs`, `forces` and `pairs`.

use super::{Bodies, Space, not_negative};
use crate::keys;
use carom::ImpactError;
use carom_io::format::keys::{JOINT_A, JOINT_B, Key};
use carom_io::format::{Cursor, read_material};
use carom_sim::motion::{BodyKind, Force, Pair, Spring};

/// Reads a spring.
pub fn read_spring(spring: &Cursor, space: &Space, bodies: &Bodies) -> Result<Spring, ImpactError> {
    spring.check_keys(&keys::SPRING)?;
    let (a, b) = bodies.two(spring, &JOINT_A, &JOINT_B)?;
    let number = |key: &'static Key| spring.get(key.name).map(|x| not_negative(&x)).transpose();
    Ok(Spring {
        a,
        b,
        point_a: space.vector(&spring.require(&keys::POINT_A)?)?,
        point_b: space.vector(&spring.require(&keys::POINT_B)?)?,
        stiffness: number(&keys::SPRING_STIFFNESS)?.unwrap_or(0.0),
        damping: number(&keys::SPRING_DAMPING)?.unwrap_or(0.0),
        length: number(&keys::LENGTH)?,
    })
}

/// Reads a force.
pub fn read_force(force: &Cursor, space: &Space, bodies: &Bodies) -> Result<Force, ImpactError> {
    force.check_keys(&keys::FORCE)?;
    let name = force.require(&keys::FORCE_BODY)?;
    let body = bodies.names.index(&name)?;
    if let BodyKind::Fixed { .. } = bodies.bodies[body].kind {
        return Err(name.refuse("is fixed, and no force moves it"));
    }
    if force.get(keys::FORCE_VECTOR.name).is_none() && force.get(keys::TORQUE.name).is_none() {
        return Err(force.missing(keys::FORCE_VECTOR.name, "required, unless there is a `torque`"));
    }
    Ok(Force {
        body,
        force: space.vector_or_zero(force, &keys::FORCE_VECTOR)?,
        point: space.vector_or_zero(force, &keys::FORCE_POINT)?,
        torque: space.axial_or_zero(force, &keys::TORQUE)?,
    })
}

/// Reads a pair.
pub fn read_pair(pair: &Cursor, bodies: &Bodies) -> Result<Pair, ImpactError> {
    pair.check_keys(&keys::PAIR)?;
    let one = |key: &'static Key| -> Result<Option<usize>, ImpactError> {
        let name = pair.require(key)?;
        match name.text()? {
            "*" => Ok(None),
            _ => bodies.names.index(&name).map(Some),
        }
    };
    let (a, b) = (one(&keys::PAIR_A)?, one(&keys::PAIR_B)?);
    if a.is_some() && a == b {
        let name = pair.require(&keys::PAIR_B)?;
        return Err(name.refuse("a body does not collide with itself"));
    }
    Ok(Pair { a, b, material: read_material(pair)? })
}
