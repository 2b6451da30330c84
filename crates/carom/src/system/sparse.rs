//! Rows of Jacobians: few entries among many coordinates.

/// A vector by its nonzero entries, ascending by index. Vectors of unrelated bodies have no index in common, so
/// their products are exactly zero and unrelated impacts cannot disturb each other's last bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SparseVec(Vec<(usize, f64)>);

impl SparseVec {
    /// The nonzero numbers of a full vector.
    pub(super) fn from_dense(values: &[f64]) -> Self {
        Self::from_entries(values.iter().copied().enumerate().collect())
    }

    /// From entries in any order, no index twice; zeros are dropped.
    pub(super) fn from_entries(mut entries: Vec<(usize, f64)>) -> Self {
        entries.retain(|&(_, x)| x != 0.0);
        entries.sort_unstable_by_key(|&(i, _)| i);
        Self(entries)
    }

    pub(super) fn entries(&self) -> &[(usize, f64)] {
        &self.0
    }

    /// The full vector of `size` numbers.
    pub(super) fn to_dense(&self, size: usize) -> Vec<f64> {
        let mut dense = vec![0.0; size];
        self.add_to(&mut dense, 1.0);
        dense
    }

    /// `dense += factor · self`.
    pub(super) fn add_to(&self, dense: &mut [f64], factor: f64) {
        for &(i, x) in &self.0 {
            dense[i] += factor * x;
        }
    }

    /// The scalar product with a full vector.
    pub(super) fn dot(&self, dense: &[f64]) -> f64 {
        self.0.iter().map(|&(i, x)| x * dense[i]).sum()
    }

    /// The sum of `combine(i, self_i, other_i)` over the indices that both have.
    pub(super) fn sum_common(&self, other: &Self, combine: impl Fn(usize, f64, f64) -> f64) -> f64 {
        let (mut a, mut b) = (self.0.as_slice(), other.0.as_slice());
        let mut sum = 0.0;
        while let (Some(&(i, x)), Some(&(j, y))) = (a.first(), b.first()) {
            if i == j {
                sum += combine(i, x, y);
            }
            if i <= j {
                a = &a[1..];
            }
            if j <= i {
                b = &b[1..];
            }
        }
        sum
    }
}

/// Rows of one Jacobian, and what prescribed motion adds to the velocities that they measure.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<SparseVec>,
    /// One number per row [m/s or rad/s].
    pub(super) drive: Vec<f64>,
}

impl Rows {
    /// Rows of which nothing is prescribed.
    pub(super) fn undriven(rows: Vec<SparseVec>) -> Self {
        let drive = vec![0.0; rows.len()];
        Self { rows, drive }
    }

    pub(super) fn push(&mut self, row: SparseVec, drive: f64) {
        self.rows.push(row);
        self.drive.push(drive);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_common_indices_count() {
        let a = SparseVec::from_entries(vec![(7, 2.0), (1, 3.0), (4, 0.0)]);
        let b = SparseVec::from_dense(&[5.0, 7.0, 0.0, 0.0, 1.0, 0.0, 0.0, 11.0]);
        assert_eq!(a.entries(), &[(1, 3.0), (7, 2.0)]);
        assert_eq!(a.sum_common(&b, |_, x, y| x * y), 21.0 + 22.0);
        assert_eq!(b.sum_common(&a, |_, x, y| x * y), 21.0 + 22.0);
        assert_eq!(SparseVec::from_dense(&b.to_dense(8)), b);
    }
}
