//! The cone of all `B p` with `p ≥ 0`, walked through along lines.

use nalgebra::{DMatrix, DVector};

/// An entry of the tableau counts as negative if it is below this part of the lengths whose product it is \[1\].
const NEGATIVE: f64 = 1e-11;

/// A cone given by its generators, the columns of `B`, and the one of the simplicial cones of its columns in which the
/// walk stands: `r` independent columns, of which the place is a sum with no negative share.
pub(crate) struct Cone {
    b: DMatrix<f64>,
    basis: Vec<usize>,
    /// From a place to its shares.
    inverse: DMatrix<f64>,
}

/// On the way a share vanishes and another column takes its place.
pub(crate) struct Pivot {
    /// Where on the line.
    at: f64,
    position: usize,
    column: usize,
}

/// How far a line stays in the cone, and what has to change on the way.
pub(crate) struct Exit {
    pub(crate) at: f64,
    pivots: Vec<Pivot>,
}

impl Cone {
    /// The cone of these columns, and a place in it: the sum of those of the `basis`, which must be independent and as
    /// many as there are rows.
    pub(crate) fn new(b: DMatrix<f64>, basis: Vec<usize>) -> Option<(Self, DVector<f64>)> {
        let inverse = b.select_columns(&basis).try_inverse()?;
        let place = basis.iter().fold(DVector::zeros(b.nrows()), |x, &j| x + b.column(j));
        Some((Self { b, basis, inverse }, place))
    }

    pub(crate) fn columns(&self) -> &DMatrix<f64> {
        &self.b
    }

    /// Whether every column is needed.
    pub(crate) fn is_simplicial(&self) -> bool {
        self.b.ncols() == self.basis.len()
    }

    /// The direction that changes the product with one column only. Only a simplicial cone has it.
    pub(crate) fn dual(&self, position: usize) -> DVector<f64> {
        self.inverse.row(position).transpose()
    }

    /// The shares of all columns in a place of the simplicial cone.
    pub(crate) fn shares(&self, place: &DVector<f64>) -> Vec<f64> {
        let mut shares = vec![0.0; self.b.ncols()];
        for (&j, share) in self.basis.iter().zip((&self.inverse * place).iter()) {
            shares[j] = share.max(0.0);
        }
        shares
    }

    /// Follows `place + t direction` from `t = 0` until it leaves the cone, or to `reach`.
    pub(crate) fn exit(&self, place: &DVector<f64>, direction: &DVector<f64>, reach: f64) -> Exit {
        let mut inverse = std::borrow::Cow::Borrowed(&self.inverse);
        let mut basic: Option<Vec<usize>> = None;
        let mut shares = &self.inverse * place;
        let mut rates = &self.inverse * direction;
        let mut pivots: Vec<Pivot> = Vec::new();
        let mut t = 0.0;
        // Each pivot goes on along the line; only at places where many shares vanish at once it may not.
        let limit = 100 + 10 * self.b.ncols();
        loop {
            let mut at = reach;
            let mut vanishing = None;
            for (i, (share, rate)) in shares.iter().zip(rates.iter()).enumerate() {
                if *rate < 0.0 && share / -rate < at {
                    (at, vanishing) = (share / -rate, Some(i));
                }
            }
            t = at.max(t);
            let Some(i) = vanishing.filter(|_| pivots.len() < limit) else {
                return Exit { at: t, pivots };
            };
            let basis = basic.as_deref().unwrap_or(&self.basis);
            let Some(column) = self.entering(&inverse.row(i).transpose(), basis) else {
                return Exit { at: t, pivots };
            };
            let tableau = inverse.as_ref() * self.b.column(column);
            let pivot = tableau[i];
            let owned = inverse.to_mut();
            for (k, share_of) in tableau.iter().enumerate().filter(|(k, _)| *k != i) {
                let factor = share_of / pivot;
                for c in 0..owned.ncols() {
                    let change = factor * owned[(i, c)];
                    owned[(k, c)] -= change;
                }
                shares[k] -= factor * shares[i];
                rates[k] -= factor * rates[i];
            }
            owned.row_mut(i).iter_mut().for_each(|x| *x /= pivot);
            shares[i] /= pivot;
            rates[i] /= pivot;
            basic.get_or_insert_with(|| self.basis.clone())[i] = column;
            pivots.push(Pivot { at: t, position: i, column });
        }
    }

    /// The column that leads on where a share vanishes; none on a facet of the cone.
    fn entering(&self, row: &DVector<f64>, basis: &[usize]) -> Option<usize> {
        let length = row.norm();
        let mut best = (-NEGATIVE, None);
        for (j, column) in self.b.column_iter().enumerate() {
            let entry = row.dot(&column) / (length * column.norm());
            if entry < best.0 && !basis.contains(&j) {
                best = (entry, Some(j));
            }
        }
        best.1
    }

    /// Makes the changes that lie before `t`; false if the columns would not be independent.
    pub(crate) fn follow(&mut self, exit: &Exit, t: f64) -> bool {
        let passed = || exit.pivots.iter().take_while(|pivot| pivot.at <= t);
        if passed().next().is_none() {
            return true;
        }
        let mut basis = self.basis.clone();
        passed().for_each(|pivot| basis[pivot.position] = pivot.column);
        // Anew from the columns, so that rounding does not add up.
        let Some(inverse) = self.b.select_columns(&basis).try_inverse() else { return false };
        (self.basis, self.inverse) = (basis, inverse);
        true
    }
}
