//! `W = Y diag(1/m) Yᵀ` by its factors, in twice the working precision: where masses lie far apart, entries of `W` round
//! away what the heavy ones do, and its factors do not.

use crate::double::Double;
use crate::sparse::SparseRows;

/// Some rows and columns of `W`, by their factors.
#[derive(Clone, Copy, Debug)]
pub struct FactoredRows<'a> {
    /// `Y`, one column per coordinate.
    pub rows: &'a SparseRows,
    /// `m`, one per coordinate.
    pub mass: &'a [f64],
    /// Which rows of `Y` these are.
    pub index: &'a [usize],
}

impl FactoredRows<'_> {
    /// `diag(1/m) Yᵀ z` of the `z` given with their places, one number per coordinate.
    pub fn spread(&self, z: impl Iterator<Item = (usize, f64)>, change: &mut Vec<Double>) {
        change.clear();
        change.resize(self.mass.len(), Double::ZERO);
        for (i, z) in z {
            for (c, y) in self.rows.row(self.index[i]).iter() {
                change[c] = change[c] + Double::product(y, z);
            }
        }
        for (x, m) in change.iter_mut().zip(self.mass) {
            *x = *x / Double::from(*m);
        }
    }

    /// The column `a_i` of `W = AᵀA`, one number per coordinate, over `scale`.
    pub fn column(&self, i: usize, scale: f64) -> Vec<f64> {
        let mut column = vec![0.0; self.mass.len()];
        for (c, y) in self.rows.row(self.index[i]).iter() {
            column[c] = y / f64::sqrt(self.mass[c]) / scale;
        }
        column
    }

    /// `start + (Y x)_i`.
    pub fn gather(&self, i: usize, start: f64, x: &[Double]) -> Double {
        let row = self.rows.row(self.index[i]);
        row.iter().fold(Double::from(start), |sum, (c, y)| sum + Double::from(y) * x[c])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Masses 1, 2⁻⁶⁰, 1 on a line: equal pushes at both contacts leave the middle alone and part the outer ones with
    /// exactly 1, of which entries of 2⁶⁰ + 1 know nothing.
    #[test]
    fn heavy_masses_beside_a_light_one_are_felt() {
        let mut rows = SparseRows::new(3);
        rows.push(&mut [(0, -1.0), (1, 1.0)]);
        rows.push(&mut [(1, -1.0), (2, 1.0)]);
        let mass = [1.0, libm::ldexp(1.0, -60), 1.0];
        let w = FactoredRows { rows: &rows, mass: &mass, index: &[0, 1] };
        let mut change = Vec::new();
        w.spread([(0, 1.0), (1, 1.0)].into_iter(), &mut change);
        assert_eq!([0, 1].map(|i| w.gather(i, 0.0, &change).round()), [1.0, 1.0]);
    }
}
