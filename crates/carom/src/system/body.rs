//! One rigid body: what it is, where it is, how it moves.

use super::frame::Dimension;
use super::inertia::Inertia;
use crate::ImpactError;
use nalgebra::{Matrix3, Vector3, Vector4};

/// A rigid body at the moment of impact, in the world frame.
///
/// The length of `position` says whether bodies are planar (2) or spatial (3), the same for all. Empty lists stand
/// for zeros: a velocity, an angular velocity, and the position of a fixed body may be left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// How messages call it.
    pub name: String,
    /// Whether the impact can move it.
    pub motion: Motion,
    /// Where its centre of mass is, 2 or 3 numbers \[m\].
    pub position: Vec<f64>,
    /// How it is turned.
    pub orientation: Orientation,
    /// Velocity of the centre of mass, 2 or 3 numbers [m/s].
    pub velocity: Vec<f64>,
    /// Angular velocity, 1 or 3 numbers [rad/s].
    pub angular_velocity: Vec<f64>,
}

/// Whether an impact can move a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// It cannot. Velocities are prescribed motion: a moving wall, a conveyor. `velocity` is that of `position`.
    Fixed,
    /// It can.
    Free {
        /// Mass, positive and finite \[kg\].
        mass: f64,
        /// How the mass is spread.
        inertia: Inertia,
    },
}

/// How a body frame is turned against the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Not at all.
    Identity,
    /// By an angle in the plane, counter-clockwise \[rad\].
    Angle(f64),
    /// By a quaternion `[w, x, y, z]` of any length but zero \[1\].
    Quaternion([f64; 4]),
}

/// One velocity coordinate of a free body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coordinate {
    /// Unit direction in the world frame; the axis, if angular.
    pub(super) direction: Vector3<f64>,
    pub(super) angular: bool,
    /// Mass or principal moment.
    pub(super) inertia: f64,
}

/// A body that passed all checks. Its coordinates are the velocity along the world axes and the angular velocity
/// about the principal axes of inertia: in these its mass matrix is diagonal.
#[derive(Clone, Debug)]
pub(super) struct CheckedBody {
    pub(super) name: String,
    pub(super) position: Vector3<f64>,
    pub(super) velocity: Vector3<f64>,
    pub(super) spin: Vector3<f64>,
    /// Empty if the body is fixed.
    pub(super) coordinates: Vec<Coordinate>,
    /// Axes without inertia.
    pub(super) massless: Vec<Vector3<f64>>,
}

impl Body {
    /// Checks the body and finds its coordinates. Fields of errors are relative to the body.
    pub(super) fn checked(&self, dimension: Dimension) -> Result<CheckedBody, ImpactError> {
        let fixed = self.motion == Motion::Fixed;
        let zeros = |values: &[f64]| values.is_empty();
        let position = if fixed && zeros(&self.position) {
            Vector3::zeros()
        } else {
            dimension.vector("position", &self.position)?
        };
        let velocity = if zeros(&self.velocity) {
            Vector3::zeros()
        } else {
            dimension.vector("velocity", &self.velocity)?
        };
        let spin = if zeros(&self.angular_velocity) {
            Vector3::zeros()
        } else {
            dimension.spin("angular_velocity", &self.angular_velocity)?
        };
        let rotation = self.orientation.rotation(dimension)?;
        let mut placed = CheckedBody {
            name: self.name.clone(),
            position,
            velocity,
            spin,
            coordinates: Vec::new(),
            massless: Vec::new(),
        };
        let Motion::Free { mass, inertia } = self.motion else {
            return Ok(placed);
        };
        if !(mass.is_finite() && mass > 0.0) {
            let reason = "must be positive and finite; a body that cannot move is fixed";
            return Err(ImpactError::bad_problem("mass", mass, reason));
        }
        placed.coordinates.extend((0..dimension.size()).map(|i| Coordinate {
            direction: Vector3::ith(i, 1.0),
            angular: false,
            inertia: mass,
        }));
        for (moment, axis) in inertia.principal(dimension)? {
            let direction = rotation * axis;
            if moment == 0.0 {
                placed.massless.push(direction);
            } else {
                placed.coordinates.push(Coordinate { direction, angular: true, inertia: moment });
            }
        }
        Ok(placed)
    }
}

impl CheckedBody {
    pub(super) fn is_fixed(&self) -> bool {
        self.coordinates.is_empty()
    }
}

impl Orientation {
    fn rotation(&self, dimension: Dimension) -> Result<Matrix3<f64>, ImpactError> {
        let refuse = |value: String, reason: &str| {
            Err(ImpactError::bad_problem("orientation", value, reason))
        };
        match (*self, dimension) {
            (Self::Identity, _) => Ok(Matrix3::identity()),
            // The scalar inertia of a planar body is the same however it is turned.
            (Self::Angle(angle), Dimension::Planar) if angle.is_finite() => Ok(Matrix3::identity()),
            (Self::Angle(angle), Dimension::Planar) => {
                refuse(angle.to_string(), "must be a finite number")
            }
            (Self::Angle(angle), Dimension::Spatial) => refuse(
                angle.to_string(),
                "an angle turns planar bodies; in space give a quaternion [w, x, y, z]",
            ),
            (Self::Quaternion(q), Dimension::Planar) => {
                refuse(format!("{q:?}"), "a planar body is turned by an angle")
            }
            (Self::Quaternion(q), Dimension::Spatial) => {
                super::check_finite("orientation", &q)?;
                let largest = Vector4::from(q).amax();
                if largest == 0.0 {
                    return refuse(format!("{q:?}"), "a quaternion cannot be zero");
                }
                let scaled = Vector4::from(q) / largest;
                Ok(rotation_of(scaled / scaled.norm()))
            }
        }
    }
}

/// The rotation matrix of a unit quaternion `[w, x, y, z]`.
fn rotation_of(q: Vector4<f64>) -> Matrix3<f64> {
    let [w, x, y, z] = q.into();
    Matrix3::new(
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quaternions_of_any_length_turn_by_the_same_angle() -> Result<(), ImpactError> {
        // 90° about z: x becomes y.
        let turn = |s: f64| Orientation::Quaternion([s, 0.0, 0.0, s]).rotation(Dimension::Spatial);
        for s in [1e-300, 1.0, 1e300] {
            let x = turn(s)? * Vector3::x();
            assert!((x - Vector3::y()).norm() < 4.0 * f64::EPSILON);
        }
        assert!(turn(0.0).is_err() && turn(f64::NAN).is_err());
        Ok(())
    }
}
