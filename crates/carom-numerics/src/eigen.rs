//! Principal axes of a small symmetric matrix.

const SWEEPS: usize = 30;

/// Eigenvalues and orthonormal eigenvectors of a symmetric matrix by Jacobi's rotations, which for a positive
/// semidefinite matrix keep small eigenvalues as accurate as the entries allow.
pub fn principal_axes<const D: usize>(mut a: [[f64; D]; D]) -> ([f64; D], [[f64; D]; D]) {
    let mut v: [[f64; D]; D] =
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }));
    // Convergence is quadratic: three rows need five or six sweeps.
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for i in 0..D {
            for j in i + 1..D {
                let small = f64::EPSILON * 0.25 * f64::sqrt((a[i][i] * a[j][j]).abs());
                if a[i][j].abs() <= small.max(f64::MIN_POSITIVE) {
                    continue;
                }
                rotated = true;
                rotate(&mut a, &mut v, i, j);
            }
        }
        if !rotated {
            break;
        }
    }
    (std::array::from_fn(|i| a[i][i]), v)
}

/// Makes `a[i][j]` zero; the rows of `v` collect the rotations.
fn rotate<const D: usize>(a: &mut [[f64; D]; D], v: &mut [[f64; D]; D], i: usize, j: usize) {
    let theta = (a[j][j] - a[i][i]) / (2.0 * a[i][j]);
    let tan = 1.0f64.copysign(theta) / (theta.abs() + libm::hypot(1.0, theta));
    let cos = 1.0 / f64::sqrt(1.0 + tan * tan);
    let sin = tan * cos;
    let shift = tan * a[i][j];
    a[i][i] -= shift;
    a[j][j] += shift;
    a[i][j] = 0.0;
    a[j][i] = 0.0;
    for l in 0..D {
        if l != i && l != j {
            let (x, y) = (a[i][l], a[j][l]);
            a[i][l] = cos * x - sin * y;
            a[j][l] = sin * x + cos * y;
            a[l][i] = a[i][l];
            a[l][j] = a[j][l];
        }
        let (x, y) = (v[i][l], v[j][l]);
        v[i][l] = cos * x - sin * y;
        v[j][l] = sin * x + cos * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = v diag(λ) vᵀ must come back, for a matrix without any symmetry to lean on and a singular one.
    #[test]
    fn the_axes_rebuild_the_matrix() {
        for a in [
            [[4.0, 1.0, -2.0], [1.0, 3.0, 0.5], [-2.0, 0.5, 7.0]],
            [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 6.0, 9.0]],
        ] {
            let (values, axes) = principal_axes(a);
            for (i, row) in a.iter().enumerate() {
                for (j, entry) in row.iter().enumerate() {
                    let rebuilt: f64 = (0..3).map(|l| values[l] * axes[l][i] * axes[l][j]).sum();
                    assert!((rebuilt - entry).abs() < 32.0 * f64::EPSILON * 14.0);
                }
                assert!((crate::dot(&axes[i], &axes[i]).sqrt() - 1.0).abs() < 8.0 * f64::EPSILON);
            }
        }
    }
}
