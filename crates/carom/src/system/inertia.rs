//! How a body's mass is spread, and what no mass can be spread like.

use super::frame::Dimension;
use crate::contact::check_symmetric;
use crate::{ImpactError, Tolerances};
use nalgebra::{Matrix3, Vector3};

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

impl Inertia {
    /// Principal moments [kg·m²] with their axes in the body frame; those of point masses and ideal rods are
    /// exactly zero.
    pub(super) fn principal(
        &self,
        dimension: Dimension,
    ) -> Result<Vec<(f64, Vector3<f64>)>, ImpactError> {
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
            (Self::Principal(_) | Self::Tensor(_), Dimension::Planar) => {
                refuse(format!("{self:?}"), "a planar body has one moment of inertia")
            }
        }
    }
}

fn with_axes(moments: [f64; 3], axes: &Matrix3<f64>) -> Vec<(f64, Vector3<f64>)> {
    (0..3).map(|i| (moments[i], axes.column(i).into_owned())).collect()
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
    let moments =
        eigen.eigenvalues.map(|x| if x.abs() <= tolerances.definiteness { 0.0 } else { x * scale });
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
        let massless: Vec<_> = principal.iter().filter(|(moment, _)| *moment == 0.0).collect();
        assert_eq!(massless.len(), 1);
        let along = massless[0].1;
        let third = f64::sqrt(1.0 / 3.0);
        assert!((along.dot(&Vector3::repeat(third)).abs() - 1.0).abs() < 1e-15);
        Ok(())
    }
}
