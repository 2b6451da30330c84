//! `W z = b` for a sparse positive definite `W` whose entries stay near its diagonal: chains, trees, bands.

/// Cholesky's factor within the envelope of a matrix: each row from its first nonzero entry to the diagonal, which is
/// where all of the factor lies.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// The first column of each row.
    first: Vec<usize>,
    /// Where each row begins in `entries`; one more than there are rows.
    starts: Vec<usize>,
    entries: Vec<f64>,
}

impl Envelope {
    /// The factor of an n × n matrix. `row(i, take)` calls `take(j, w)` with parts of the entries of row `i`; the parts
    /// at one `j` add up. `None` if the envelope has more than `most` entries, or if less than `rank` of a diagonal entry is
    /// left when its turn comes.
    pub fn new(
        n: usize,
        row: impl Fn(usize, &mut dyn FnMut(usize, f64)),
        most: usize,
        rank: f64,
    ) -> Option<Self> {
        let mut first: Vec<usize> = (0..n).collect();
        let mut starts = vec![0];
        for i in 0..n {
            row(i, &mut |j, _| first[i] = first[i].min(j));
            let end = starts[i] + i - first[i] + 1;
            if end > most {
                return None;
            }
            starts.push(end);
        }
        let mut entries = vec![0.0; starts[n]];
        for i in 0..n {
            let (begin, from) = (starts[i], first[i]);
            row(i, &mut |j, w| {
                if j <= i {
                    entries[begin + j - from] += w;
                }
            });
        }
        let mut factor = Self { first, starts, entries };
        for i in 0..n {
            let whole = factor.entries[factor.starts[i + 1] - 1];
            for j in factor.first[i]..=i {
                let known = factor.product(i, j);
                let at = factor.starts[i] + j - factor.first[i];
                let left = factor.entries[at] - known;
                factor.entries[at] = if j < i {
                    left / factor.entries[factor.starts[j + 1] - 1]
                } else if left > rank * whole {
                    f64::sqrt(left)
                } else {
                    return None;
                };
            }
        }
        Some(factor)
    }

    /// The product of the rows `i` and `j` of the factor, before column `j`.
    fn product(&self, i: usize, j: usize) -> f64 {
        let from = self.first[i].max(self.first[j]);
        let part = |k: usize| {
            let begin = self.starts[k] + from - self.first[k];
            &self.entries[begin..begin + j.saturating_sub(from)]
        };
        if from >= j { 0.0 } else { part(i).iter().zip(part(j)).map(|(x, y)| x * y).sum() }
    }

    /// `z` with `W z = b`, in place of `b`.
    pub fn solve(&self, b: &mut [f64]) {
        let row = |i: usize| (self.first[i], &self.entries[self.starts[i]..self.starts[i + 1]]);
        for i in 0..b.len() {
            let (from, entries) = row(i);
            let before = i - from;
            let known: f64 = entries[..before].iter().zip(&b[from..i]).map(|(x, y)| x * y).sum();
            b[i] = (b[i] - known) / entries[before];
        }
        for i in (0..b.len()).rev() {
            let (from, entries) = row(i);
            let before = i - from;
            b[i] /= entries[before];
            let value = b[i];
            b[from..i].iter_mut().zip(entries).for_each(|(b, x)| *b -= value * x);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn envelope(w: &DMatrix<f64>, most: usize) -> Option<Envelope> {
        let row = |i: usize, take: &mut dyn FnMut(usize, f64)| {
            (0..w.nrows()).filter(|&j| w[(i, j)] != 0.0).for_each(|j| take(j, w[(i, j)]));
        };
        Envelope::new(w.nrows(), row, most, 1e-13)
    }

    /// A chain that is closed by one long link, so that the last row reaches back to the first.
    #[test]
    fn agrees_with_a_full_factorisation() {
        let n = 12;
        let w = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 2.5 + i as f64 / 10.0,
            1 => -1.0,
            d if d == n - 1 => 0.5,
            _ => 0.0,
        });
        let b = DVector::from_fn(n, |i, _| (i as f64) - 4.0);
        let mut z = b.as_slice().to_vec();
        envelope(&w, 1000).unwrap().solve(&mut z);
        let left = &w * DVector::from_vec(z) - b;
        assert!(left.amax() < 64.0 * f64::EPSILON * 8.0);
    }

    #[test]
    fn refuses_what_is_singular_or_too_large() {
        let singular = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]);
        assert!(envelope(&singular, 1000).is_none());
        assert!(envelope(&DMatrix::from_element(4, 4, 1.0), 9).is_none());
    }
}
