//! Linear complementarity by trying every support: `z ≥ 0`, `w = W z + q ≥ 0`, `z·w = 0` for positive semidefinite `W`.

use nalgebra::{DMatrix, DVector};

/// What enumeration finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumerated {
    /// The first solution whose support is independent.
    pub z: Vec<f64>,
    /// `W z + q`, the same for every solution.
    pub w: Vec<f64>,
    /// Whether there is no other: the set of solutions has one vertex, these being the solutions with an independent
    /// support, and no ray.
    pub unique: bool,
}

/// Numbers below this part of the largest count as zero.
const ZERO: f64 = 1e-9;

/// Tries all 2ⁿ supports of `W` (n · n numbers, symmetric) and `q`; `None` if no support is complementary.
///
/// # Panics
///
/// Panics if `w` has not n · n numbers, or n exceeds 16.
pub fn enumerate(w: &[f64], q: &[f64]) -> Option<Enumerated> {
    let n = q.len();
    assert!(w.len() == n * n && n <= 16, "{} numbers for {n} rows", w.len());
    let matrix = DMatrix::from_row_slice(n, n, w);
    let size = q.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let mut found: Option<Enumerated> = None;
    for support in 0_u32..1 << n {
        let rows: Vec<usize> = (0..n).filter(|i| support >> i & 1 == 1).collect();
        let Some(z) = on_support(&matrix, q, &rows) else { continue };
        let w: Vec<f64> =
            (0..n).map(|i| q[i] + (0..n).map(|j| matrix[(i, j)] * z[j]).sum::<f64>()).collect();
        let largest = z.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let complementary =
            z.iter().all(|z| *z >= -ZERO * largest) && w.iter().all(|w| *w >= -ZERO * size);
        if !complementary {
            continue;
        }
        match &mut found {
            None => found = Some(Enumerated { z, w, unique: true }),
            Some(first) => {
                let apart = first.z.iter().zip(&z).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
                first.unique &= apart <= 1e3 * ZERO * largest;
            }
        }
    }
    if let Some(first) = &mut found {
        let tight = (0..n).filter(|&i| first.w[i] <= ZERO * size);
        let tight = tight.fold(0, |set, i| set | 1_u32 << i);
        first.unique &= !(1..1 << n).any(|s| s & tight == s && carries_ray(&matrix, s));
    }
    found
}

/// Whether the null space of this block is one line, through positive numbers only.
fn carries_ray(matrix: &DMatrix<f64>, support: u32) -> bool {
    let rows: Vec<usize> = (0..matrix.nrows()).filter(|i| support >> i & 1 == 1).collect();
    let block = DMatrix::from_fn(rows.len(), rows.len(), |i, j| matrix[(rows[i], rows[j])]);
    let eigen = block.symmetric_eigen();
    let zero = ZERO * eigen.eigenvalues.max();
    let mut null = (0..rows.len()).filter(|&k| eigen.eigenvalues[k] <= zero);
    let (Some(line), None) = (null.next(), null.next()) else { return false };
    let column = eigen.eigenvectors.column(line);
    column.iter().all(|x| *x > ZERO) || column.iter().all(|x| *x < -ZERO)
}

/// `z` with `W z + q = 0` on these rows and zero elsewhere, if they are independent.
fn on_support(matrix: &DMatrix<f64>, q: &[f64], rows: &[usize]) -> Option<Vec<f64>> {
    if rows.is_empty() {
        return Some(vec![0.0; q.len()]);
    }
    let block = DMatrix::from_fn(rows.len(), rows.len(), |i, j| matrix[(rows[i], rows[j])]);
    let eigenvalues = block.clone().symmetric_eigenvalues();
    if eigenvalues.min() <= ZERO * eigenvalues.max() {
        return None;
    }
    let right = DVector::from_iterator(rows.len(), rows.iter().map(|&i| -q[i]));
    let part = block.full_piv_lu().solve(&right)?;
    let mut z = vec![0.0; q.len()];
    for (k, &i) in rows.iter().enumerate() {
        z[i] = part[k];
    }
    Some(z)
}

#[cfg(test)]
mod tests {
    use super::enumerate;

    /// One body on two equal supports: any share will do.
    #[test]
    fn finds_all_shares() {
        let two = enumerate(&[1.0; 4], &[-1.0, -1.0]).unwrap();
        assert!(!two.unique && two.w == [0.0, 0.0]);
        let one = enumerate(&[2.0, 1.0, 1.0, 2.0], &[-3.0, 1.0]).unwrap();
        assert!(one.unique && one.z == [1.5, 0.0] && one.w == [0.0, 2.5]);
        assert_eq!(enumerate(&[1.0, -1.0, -1.0, 1.0], &[-1.0, -1.0]), None);
        // Squeezed from both sides, without need.
        assert!(!enumerate(&[1.0, -1.0, -1.0, 1.0], &[0.0, 0.0]).unwrap().unique);
    }
}
