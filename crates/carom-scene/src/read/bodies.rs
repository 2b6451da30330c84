//! `bodies`.

use super::{Space, not_negative, number_or, shapes};
use crate::keys;
use carom::ImpactError;
use carom::system::{Inertia, Orientation};
use carom_io::format::keys::{BODY_MASS, FIXED, INERTIA, NAME, ORIENTATION};
use carom_io::format::{Cursor, read_inertia, read_orientation};
use carom_sim::motion::{BodyKind, Prescribed, SceneBody, Turn};

/// Reads a body. Its keys are checked already.
pub fn read(body: &Cursor, space: &Space) -> Result<SceneBody, ImpactError> {
    let name = body.require(&NAME)?.text()?;
    let fixed = body.get(FIXED.name).map_or(Ok(false), |fixed| fixed.switch())?;
    let mut read =
        if fixed { read_fixed(body, name, space)? } else { read_moving(body, name, space)? };
    read.position = space.vector_or_zero(body, &keys::POSITION)?;
    read.orientation = read_turn(body, space)?;
    read.surface_velocity = space.vector_or_zero(body, &keys::SURFACE_VELOCITY)?;
    if let Some(list) = body.get(keys::SHAPES.name) {
        read.shapes = super::each(&list, |shape| shapes::read(shape, space, fixed))?;
    }
    Ok(read)
}

fn read_fixed(body: &Cursor, name: &str, space: &Space) -> Result<SceneBody, ImpactError> {
    for (key, what) in [(&BODY_MASS, "mass"), (&INERTIA, "inertia")] {
        if let Some(value) = body.get(key.name) {
            return Err(value.refuse(format!("a fixed body has no {what}")));
        }
    }
    if space.vector_or_zero(body, &keys::VELOCITY)? != [0.0; 3] {
        let velocity = body.require(&keys::VELOCITY)?;
        return Err(velocity.refuse("a fixed body moves by its `motion`: {velocity = [...]}"));
    }
    if space.axial_or_zero(body, &keys::ANGULAR_VELOCITY)? != [0.0; 3] {
        return Err(body.require(&keys::ANGULAR_VELOCITY)?.refuse("a fixed body does not turn"));
    }
    let mut read = SceneBody::fixed(name);
    if let Some(motion) = body.get(keys::MOTION.name) {
        read.kind = BodyKind::Fixed { motion: read_motion(&motion, space)? };
    }
    Ok(read)
}

fn read_moving(body: &Cursor, name: &str, space: &Space) -> Result<SceneBody, ImpactError> {
    if let Some(motion) = body.get(keys::MOTION.name) {
        return Err(motion.refuse("only a body with `fixed` = true moves as prescribed"));
    }
    let Some(mass) = body.get(BODY_MASS.name) else {
        let reason = "required, unless the body is an obstacle: then say `fixed` = true";
        return Err(body.missing(BODY_MASS.name, reason));
    };
    body.require(&keys::POSITION)?;
    let inertia = body.get(INERTIA.name).map_or(Ok(NO_INERTIA), |i| read_tensor(&i, space))?;
    let mut read = SceneBody::moving(name, mass.number()?, inertia);
    read.velocity = space.vector_or_zero(body, &keys::VELOCITY)?;
    read.angular_velocity = space.axial_or_zero(body, &keys::ANGULAR_VELOCITY)?;
    Ok(read)
}

/// Of a point mass.
const NO_INERTIA: [[f64; 3]; 3] = [[0.0; 3]; 3];

/// The inertia as a tensor; in the plane its last entry counts.
fn read_tensor(value: &Cursor, space: &Space) -> Result<[[f64; 3]; 3], ImpactError> {
    let mut tensor = NO_INERTIA;
    match (read_inertia(value)?, space.is_plane()) {
        (Inertia::Planar(moment), true) => tensor[2][2] = moment,
        (Inertia::Principal(moments), false) => {
            for (i, moment) in moments.into_iter().enumerate() {
                tensor[i][i] = moment;
            }
        }
        (Inertia::Tensor(full), false) => tensor = full,
        (_, true) => return Err(value.refuse("must be one number: the scene is planar")),
        (_, false) => {
            return Err(
                value.refuse("must be 3 moments or 3 rows of 3 numbers: the scene is in space")
            );
        }
    }
    Ok(tensor)
}

fn read_turn(body: &Cursor, space: &Space) -> Result<Turn, ImpactError> {
    let identity = || match space.is_plane() {
        true => Turn::Angle(0.0),
        false => Turn::Quaternion([1.0, 0.0, 0.0, 0.0]),
    };
    let Some(value) = body.get(ORIENTATION.name) else { return Ok(identity()) };
    match (read_orientation(&value)?, space.is_plane()) {
        (Orientation::Identity, _) => Ok(identity()),
        (Orientation::Angle(angle), true) => Ok(Turn::Angle(angle)),
        (Orientation::Quaternion(q), false) => unit_quaternion(&value, q).map(Turn::Quaternion),
        (Orientation::Quaternion(_), true) => {
            Err(value.refuse("must be an angle: the scene is planar"))
        }
        (Orientation::Angle(_), false) => {
            Err(value.refuse("must be a quaternion [w, x, y, z]: the scene is in space"))
        }
    }
}

/// A quaternion of length one; files may give any length but zero.
pub fn unit_quaternion(value: &Cursor, q: [f64; 4]) -> Result<[f64; 4], ImpactError> {
    // The largest component first: squares of huge and tiny ones are no numbers.
    let largest = q.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest == 0.0 {
        return Err(value.refuse("a quaternion cannot be zero"));
    }
    let scaled = q.map(|x| x / largest);
    let length = f64::sqrt(scaled.iter().map(|x| x * x).sum());
    // One that is of length one already keeps its bits.
    match largest * length {
        l if (l - 1.0).abs() <= 2.0 * f64::EPSILON => Ok(q),
        _ => Ok(scaled.map(|x| x / length)),
    }
}

fn read_motion(motion: &Cursor, space: &Space) -> Result<Prescribed, ImpactError> {
    motion.check_keys(&keys::MOTION_TABLE)?;
    match (motion.get(keys::SINE.name), motion.get(keys::UNIFORM.name)) {
        (Some(sine), None) => {
            sine.check_keys(&keys::SINE_TABLE)?;
            Ok(Prescribed::Sine {
                amplitude: space.vector(&sine.require(&keys::AMPLITUDE)?)?,
                frequency: not_negative(&sine.require(&keys::FREQUENCY)?)?,
                phase: number_or(&sine, &keys::PHASE, 0.0)?,
            })
        }
        (None, Some(velocity)) => Ok(Prescribed::Uniform { velocity: space.vector(&velocity)? }),
        (Some(_), Some(velocity)) => {
            Err(velocity.refuse("a motion is a `sine` or a `velocity`, not both"))
        }
        (None, None) => Err(motion.refuse("must have a `sine` or a `velocity`")),
    }
}
