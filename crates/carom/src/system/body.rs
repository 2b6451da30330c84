//! One rigid body: what it is, where it is, how it moves.

use super::frame::Dimension;
use crate::contact::check_symmetric;
use crate::{ImpactError, Tolerances};
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
    /// Where its centre of mass is, 2 or 3 numbers [m].
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
        /// Mass, positive and finite [kg].
        mass: f64,
        /// How the mass is spread.
        inertia: Inertia,
    },
}

/// How a body's mass is spread about its centre of mass.
///
/// An axis without inertia, as ideal rods and point masses have, is accepted where no contact or joint can exert a
/// moment about it. A spin about it has neither momentum nor energy and stays as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inertia {
    /// All of it in one point.
    Point,
    /// About the normal of the plane [kg·m²].
    Planar(f64),
    /// Principal moments about the axes of the body frame [kg·m²].
    Principal([f64; 3]),
    /// The whole tensor in the body frame, row by row [kg·m²].
    Tensor([[f64; 3]; 3]),
}

/// How a body frame is turned against the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Not at all.
    Identity,
    /// By an angle in the plane, counter-clockwise [rad].
    Angle(f64),
    /// By a quaternion `[w, x, y, z]` of any length but zero [1].
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
pub(super) struct Placed {
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
    pub(super) fn placed(&self, dimension: Dimension) -> Result<Placed, ImpactError> {
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
        let mut placed = Placed {
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
        placed
            .coordinates
            .extend((0..dimension.size()).map(|i| Coordinate {
                direction: Vector3::ith(i, 1.0),
                angular: false,
                inertia: mass,
            }));
        for (moment, axis) in inertia.principal(dimension)? {
            let direction = rotation * axis;
            if moment == 0.0 {
                placed.massless.push(direction);
            } else {
                placed.coordinates.push(Coordinate {
                    direction,
                    angular: true,
                    inertia: moment,
                });
            }
        }
        Ok(placed)
    }
}

impl Placed {
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

impl Inertia {
    /// Principal moments [kg·m²] with their axes in the body frame; those of point masses and ideal rods are
    /// exactly zero.
    fn principal(&self, dimension: Dimension) -> Result<Vec<(f64, Vector3<f64>)>, ImpactError> {
        let refuse =
            |value: String, reason: &str| Err(ImpactError::bad_problem("inertia", value, reason));
        let axes = Matrix3::identity();
        match (*self, dimension) {
            (Self::Point, Dimension::Planar) => Ok(vec![(0.0, Vector3::z())]),
            (Self::Point, Dimension::Spatial) => Ok(with_axes([0.0; 3], &axes)),
            (Self::Planar(moment), Dimension::Planar) => {
                if !(moment.is_finite() && moment >= 0.0) {
                    return refuse(moment.to_string(), "must be finite and not negative");
                }
                Ok(vec![(moment, Vector3::z())])
            }
            (Self::Planar(moment), Dimension::Spatial) => refuse(
                moment.to_string(),
                "a body in space has three principal moments or a 3×3 tensor",
            ),
            (Self::Principal(moments), Dimension::Spatial) => {
                check_moments(&moments)?;
                Ok(with_axes(moments, &axes))
            }
            (Self::Tensor(rows), Dimension::Spatial) => {
                let (moments, axes) = principal_of(&rows)?;
                check_moments(&moments)?;
                Ok(with_axes(moments, &axes))
            }
            (Self::Principal(_) | Self::Tensor(_), Dimension::Planar) => refuse(
                format!("{self:?}"),
                "a planar body has one moment of inertia",
            ),
        }
    }
}

fn with_axes(moments: [f64; 3], axes: &Matrix3<f64>) -> Vec<(f64, Vector3<f64>)> {
    (0..3)
        .map(|i| (moments[i], axes.column(i).into_owned()))
        .collect()
}

/// Refuses moments that no distribution of mass has: negative ones, and one larger than the other two together.
fn check_moments(moments: &[f64; 3]) -> Result<(), ImpactError> {
    let [a, b, c] = *moments;
    let refuse = |reason: &str| {
        let value = format!("principal moments {a}, {b}, {c}");
        Err(ImpactError::bad_problem("inertia", value, reason))
    };
    if moments.iter().any(|x| !x.is_finite()) {
        return refuse("must be finite numbers");
    }
    if moments.iter().any(|&x| x < 0.0) {
        return refuse("a moment of inertia cannot be negative");
    }
    let largest = a.max(b).max(c);
    // Halved, so that the sum of huge moments stays finite.
    let others = 0.5 * a + 0.5 * b + 0.5 * c - 0.5 * largest;
    if 0.5 * largest > others + 0.5 * Tolerances::NOMINAL.inertia * largest {
        return refuse(
            "no distribution of mass has them: none can exceed the sum of the other two",
        );
    }
    Ok(())
}

/// Principal moments and axes (columns) of a tensor. What is below rounding counts as zero: an ideal rod.
fn principal_of(rows: &[[f64; 3]; 3]) -> Result<([f64; 3], Matrix3<f64>), ImpactError> {
    let tolerances = Tolerances::NOMINAL;
    check_symmetric("inertia", 3, |i, j| rows[i][j], &tolerances)?;
    let tensor = Matrix3::from_fn(|i, j| 0.5 * rows[i][j] + 0.5 * rows[j][i]);
    let scale = tensor.amax();
    if scale == 0.0 {
        return Ok(([0.0; 3], Matrix3::identity()));
    }
    let eigen = (tensor / scale).symmetric_eigen();
    let moments = eigen.eigenvalues.map(|x| {
        if x.abs() <= tolerances.definiteness {
            0.0
        } else {
            x * scale
        }
    });
    Ok((moments.into(), eigen.eigenvectors))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(inertia: Inertia) -> String {
        let checked = inertia.principal(Dimension::Spatial);
        checked.err().map(|e| e.to_string()).unwrap_or_default()
    }

    #[test]
    fn impossible_inertia_is_refused_with_its_moments() {
        let refused = message(Inertia::Principal([1.0, 1.5, 2.75]));
        assert!(refused.contains("1, 1.5, 2.75"), "{refused}");
        assert!(message(Inertia::Principal([1.0, 1.5, 2.5])).is_empty());
        // A lamina typed with six digits: off by half a unit of the last.
        assert!(message(Inertia::Principal([0.333_333, 0.333_333, 0.666_667])).is_empty());
        assert!(message(Inertia::Principal([-1.0, 1.0, 1.0])).contains("-1, 1, 1"));
        assert!(message(Inertia::Principal([f64::NAN, 1.0, 1.0])).contains("finite"));
        // Turned by 45° about z, the principal moments are 1, 3 and 1.
        let turned = Inertia::Tensor([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]]);
        let refused = message(turned);
        assert!(refused.contains("none can exceed"), "{refused}");
        let lopsided = Inertia::Tensor([[2.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]);
        assert!(message(lopsided).starts_with("inertia[1][0] = 0:"));
    }

    #[test]
    fn a_rod_given_by_its_tensor_has_one_axis_without_inertia() -> Result<(), ImpactError> {
        // m l²/12 (1 − a aᵀ) with a = (1, 1, 1)/√3.
        let (x, y) = (2.0 / 3.0, -1.0 / 3.0);
        let rod = Inertia::Tensor([[x, y, y], [y, x, y], [y, y, x]]);
        let principal = rod.principal(Dimension::Spatial)?;
        let massless: Vec<_> = principal
            .iter()
            .filter(|(moment, _)| *moment == 0.0)
            .collect();
        assert_eq!(massless.len(), 1);
        let along = massless[0].1;
        let third = libm::sqrt(1.0 / 3.0);
        assert!((along.dot(&Vector3::repeat(third)).abs() - 1.0).abs() < 1e-15);
        Ok(())
    }

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
