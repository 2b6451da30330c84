//! Vectors of space and the frames of contacts and joints.
//!
//! The plane is handled as the plane z = 0 of space: one set of formulas serves both.

use super::check_finite;
use crate::{ImpactError, Tolerances};
use nalgebra::Vector3;

/// Whether bodies live in the plane or in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    Planar,
    Spatial,
}

impl Dimension {
    /// How many components a position has.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Planar => 2,
            Self::Spatial => 3,
        }
    }

    /// A position, velocity or direction. `field` names it.
    pub(super) fn vector(self, field: &str, values: &[f64]) -> Result<Vector3<f64>, ImpactError> {
        let why = "as many as positions have";
        super::check_len(field, values.len(), self.size(), why)?;
        check_finite(field, values)?;
        let z = values.get(2).copied().unwrap_or(0.0);
        Ok(Vector3::new(values[0], values[1], z))
    }

    /// An angular velocity: one number in the plane.
    pub(super) fn spin(self, field: &str, values: &[f64]) -> Result<Vector3<f64>, ImpactError> {
        match self {
            Self::Spatial => self.vector(field, values),
            Self::Planar => {
                let why = "a planar body turns about one axis";
                super::check_len(field, values.len(), 1, why)?;
                check_finite(field, values)?;
                Ok(Vector3::new(0.0, 0.0, values[0]))
            }
        }
    }

    /// The components of a vector, as callers write them.
    pub(super) fn components(self, v: &Vector3<f64>) -> Vec<f64> {
        v.as_slice()[..self.size()].to_vec()
    }

    /// The components of an angular velocity, as callers write them.
    pub(super) fn spin_components(self, w: &Vector3<f64>) -> Vec<f64> {
        match self {
            Self::Planar => vec![w.z],
            Self::Spatial => w.as_slice().to_vec(),
        }
    }

    /// A direction at unit length. `field` names it.
    pub(super) fn unit(self, field: &str, values: &[f64]) -> Result<Vector3<f64>, ImpactError> {
        let direction = self.vector(field, values)?;
        normalized(&direction).ok_or_else(|| {
            ImpactError::bad_problem(field, format!("{values:?}"), "a direction cannot be zero")
        })
    }

    /// The tangents that belong to a unit normal: in the plane the normal turned by +90°; in space `t1`, the
    /// projection of the world axis least aligned with the normal (x before y before z), and `t2 = n × t1`.
    pub(super) fn tangents(self, normal: &Vector3<f64>) -> Vec<Vector3<f64>> {
        match self {
            Self::Planar => vec![Vector3::new(-normal.y, normal.x, 0.0)],
            Self::Spatial => {
                let mut axis = 0;
                for i in 1..3 {
                    if normal[i].abs() < normal[axis].abs() {
                        axis = i;
                    }
                }
                let mut t1 = -normal * normal[axis];
                t1[axis] += 1.0;
                // The least aligned axis makes at least 54° with the normal: its projection is never short.
                let t1 = t1 / t1.norm();
                vec![t1, normal.cross(&t1)]
            }
        }
    }

    /// The tangents that belong to a unit normal and the caller's own first tangent, made orthogonal to it.
    pub(super) fn tangents_along(
        self,
        field: &str,
        normal: &Vector3<f64>,
        tangent: &[f64],
    ) -> Result<Vec<Vector3<f64>>, ImpactError> {
        let given = self.unit(field, tangent)?;
        let across = given - normal * normal.dot(&given);
        if across.norm() <= Tolerances::NOMINAL.class {
            return Err(ImpactError::bad_problem(
                field,
                format!("{tangent:?}"),
                "a tangent cannot be parallel to the normal",
            ));
        }
        let t1 = across / across.norm();
        // A second time: a tangent close to the normal loses digits in the first.
        let t1 = t1 - normal * normal.dot(&t1);
        let t1 = t1 / t1.norm();
        Ok(match self {
            Self::Planar => vec![t1],
            Self::Spatial => vec![t1, normal.cross(&t1)],
        })
    }
}

/// The vector at unit length, nothing if it is zero. Divided by its largest entry first: squares overflow early.
pub(super) fn normalized(v: &Vector3<f64>) -> Option<Vector3<f64>> {
    let largest = v.amax();
    let scaled = v / largest;
    (largest > 0.0).then(|| scaled / scaled.norm())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_tangents_take_the_least_aligned_axis() {
        let frame = |n: Vector3<f64>| Dimension::Spatial.tangents(&n);
        assert_eq!(frame(Vector3::z()), [Vector3::x(), Vector3::y()]);
        assert_eq!(frame(Vector3::y()), [Vector3::x(), -Vector3::z()]);
        assert_eq!(frame(Vector3::x()), [Vector3::y(), Vector3::z()]);
        assert_eq!(frame(-Vector3::z()), [Vector3::x(), -Vector3::y()]);
        // All axes equally aligned: x wins, and its projection is (2, −1, −1)/√6.
        let n = Vector3::repeat(f64::sqrt(1.0 / 3.0));
        let expected = Vector3::new(2.0, -1.0, -1.0) / f64::sqrt(6.0);
        assert!((frame(n)[0] - expected).norm() < 4.0 * f64::EPSILON);
        assert_eq!(Dimension::Planar.tangents(&Vector3::y()), [-Vector3::x()]);
    }

    #[test]
    fn own_tangents_are_made_orthogonal() -> Result<(), ImpactError> {
        let n = Vector3::z();
        let own = |t: &[f64]| Dimension::Spatial.tangents_along("tangent", &n, t);
        assert_eq!(own(&[0.0, -3.0, 5.0])?, [-Vector3::y(), Vector3::x()]);
        // So close to the normal that only six digits of the tangent's own direction are left.
        let steep = own(&[1e-6, 1e-6, 7.0])?;
        assert!(steep[0].z.abs() < f64::EPSILON && (steep[0].norm() - 1.0).abs() < f64::EPSILON);
        for parallel in [[0.0, 0.0, -2.0], [1e-12, 0.0, 1.0], [0.0, 0.0, 0.0]] {
            let error = own(&parallel).err().map(|e| e.to_string()).unwrap_or_default();
            assert!(error.starts_with("tangent = ["), "{error}");
        }
        Ok(())
    }
}
