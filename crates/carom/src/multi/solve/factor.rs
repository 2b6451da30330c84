//! `W = Aᵀ A` for a positive semidefinite `W`, as few rows in `A` as it has independent directions.

use nalgebra::DMatrix;

/// The factor of a positive semidefinite matrix, scaled to unit diagonal: column `i` of `A` has unit length, or is zero.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    /// r × n.
    pub(crate) a: DMatrix<f64>,
    /// `√W_ii`, by which row and column `i` were divided; 1 where `W_ii = 0`.
    pub(crate) scale: Vec<f64>,
}

/// Why a matrix has no factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Indefinite {
    /// The row that shows it.
    pub(crate) row: usize,
    /// What is left of its diagonal entry, relative to itself; far below zero \[1\].
    pub(crate) left: f64,
}

impl Factor {
    /// Cholesky's factorisation, the row of which most is left next, until less than `rank` of every row is left. What
    /// then remains must be nothing: a diagonal entry below `−rank`, or an entry beside an empty diagonal, is no
    /// rounding.
    pub(crate) fn new(w: &DMatrix<f64>, rank: f64) -> Result<Self, Indefinite> {
        let n = w.nrows();
        let root = |i: usize| if w[(i, i)] > 0.0 { libm::sqrt(w[(i, i)]) } else { 1.0 };
        let scale: Vec<f64> = (0..n).map(root).collect();
        let unit = |i: usize, j: usize| w[(i, j)] / (scale[i] * scale[j]);
        let mut left: Vec<f64> = (0..n).map(|i| unit(i, i)).collect();
        if let Some(row) = (0..n).find(|&i| left[i] < 0.0) {
            return Err(Indefinite { row, left: f64::NEG_INFINITY });
        }
        // One row of A after the other, stored as columns of its transpose: they are what the inner loop runs along.
        let mut rows: Vec<Vec<f64>> = Vec::new();
        let mut done = vec![false; n];
        while rows.len() < n {
            let mut pivot = None;
            let mut most = rank;
            for i in 0..n {
                if !done[i] && left[i] > most {
                    (pivot, most) = (Some(i), left[i]);
                }
            }
            let Some(p) = pivot else { break };
            done[p] = true;
            let root = libm::sqrt(left[p]);
            let mut row: Vec<f64> = (0..n).map(|j| unit(j, p)).collect();
            for earlier in &rows {
                let factor = earlier[p];
                if factor != 0.0 {
                    for (x, y) in row.iter_mut().zip(earlier) {
                        *x -= factor * y;
                    }
                }
            }
            for j in 0..n {
                row[j] = match () {
                    () if j == p => root,
                    () if done[j] => 0.0,
                    () => row[j] / root,
                };
                left[j] -= row[j] * row[j];
            }
            left[p] = 0.0;
            rows.push(row);
        }
        let noise = rank.max(f64::EPSILON * (n as f64));
        for i in (0..n).filter(|&i| !done[i]) {
            if left[i] < -noise {
                return Err(Indefinite { row: i, left: left[i] });
            }
        }
        // An empty diagonal leaves no room beside it: |W_ij|² ≤ W_ii W_jj.
        let bound = libm::sqrt(noise);
        for i in (0..n).filter(|&i| !done[i]) {
            for j in 0..n {
                let known: f64 = rows.iter().map(|row| row[i] * row[j]).sum();
                let off = (unit(i, j) - known).abs();
                if off > bound {
                    return Err(Indefinite { row: i, left: -off });
                }
            }
        }
        let a = DMatrix::from_fn(rows.len(), n, |k, i| rows[k][i]);
        Ok(Self { a, scale })
    }

    /// How many independent directions there are.
    pub(crate) fn rank(&self) -> usize {
        self.a.nrows()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redundant_rows_add_nothing() {
        // A slab on four corners, J = (1, ±1, ±1), unit masses: rank 3 of 4.
        let j = DMatrix::from_row_slice(
            4,
            3,
            &[1.0, 1.0, 1.0, 1.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
        );
        let w = &j * j.transpose();
        let factor = Factor::new(&w, 1e-13).unwrap();
        assert_eq!(factor.rank(), 3);
        let unit = factor.a.tr_mul(&factor.a);
        for i in 0..4 {
            for k in 0..4 {
                let back = unit[(i, k)] * factor.scale[i] * factor.scale[k];
                assert!((back - w[(i, k)]).abs() < 8.0 * f64::EPSILON * 3.0);
            }
        }
    }

    #[test]
    fn what_is_not_semidefinite_is_told() {
        let indefinite = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0]);
        assert!(Factor::new(&indefinite, 1e-13).is_err());
        let empty_diagonal = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 1.0]);
        assert!(Factor::new(&empty_diagonal, 1e-13).is_err());
        let negative = DMatrix::from_row_slice(1, 1, &[-1.0]);
        assert!(Factor::new(&negative, 1e-13).is_err());
        assert_eq!(Factor::new(&DMatrix::zeros(2, 2), 1e-13).unwrap().rank(), 0);
    }
}
