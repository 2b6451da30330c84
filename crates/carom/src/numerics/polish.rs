//! From a point near a solution to the solution itself: which rows push is taken as known, and linear equations are
//! left. Redundant rows make them singular, so each solve is regularised and then repeated on what it left.

use super::interior_point::Part;
use super::largest;
use super::weighted_gram::WeightedGram;

/// Added to the diagonal of `Yᵀ Y`, rows having unit length \[1\]. What is left of an error after one round is this over
/// the smallest eigenvalue that is not zero, or the rounding of the factor, ε over this.
const REGULAR: f64 = 1e-12;

/// Rounds at most; three or four are usual.
const MAX_ROUNDS: usize = 8;

/// Errors that are as small as this part of their terms are rounding \[1\].
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Some rows of unit length, and the factor of their `Yᵀ Y`.
pub(crate) struct Polish<'a> {
    part: &'a Part<'a>,
    gram: &'a mut WeightedGram,
}

impl<'a> Polish<'a> {
    /// `None` if the matrix cannot be factored.
    pub(crate) fn new(part: &'a Part<'a>, gram: &'a mut WeightedGram) -> Option<Self> {
        gram.factor(part.y, REGULAR, &part.rows, |_| 1.0).then_some(Self { part, gram })
    }

    /// The `z` nearest to a given one with `Y x + q = 0`, `x = Yᵀ z`.
    pub(crate) fn hold(&mut self, offset: &[f64], z: &mut [f64]) {
        let mut x = self.part.transposed_times(z);
        let mut least = f64::INFINITY;
        for _ in 0..MAX_ROUNDS {
            // x first: that the rows hold ...
            let left: Vec<f64> =
                self.part.times(&x).iter().zip(offset).map(|(yx, q)| -(yx + q)).collect();
            let pushed = self.part.transposed_times(z);
            let error = largest(&left);
            if error >= 0.5 * least || error <= ROUNDING * largest(&x) {
                break;
            }
            least = error;
            let mut dx = self.part.transposed_times(&left);
            for (c, dx) in dx.iter_mut().enumerate() {
                *dx += REGULAR * (pushed[c] - x[c]);
            }
            self.gram.solve(&mut dx);
            x.iter_mut().zip(&dx).for_each(|(x, dx)| *x += dx);
            // ... then z: that it is they who push.
            self.push(&x, z);
        }
        self.push(&x, z);
    }

    /// The `z` nearest to a given one with `Yᵀ z = x`.
    pub(crate) fn push(&mut self, x: &[f64], z: &mut [f64]) {
        let mut least = f64::INFINITY;
        for _ in 0..MAX_ROUNDS {
            let mut left = self.part.transposed_times(z);
            left.iter_mut().zip(x).for_each(|(left, x)| *left = x - *left);
            let error = largest(&left);
            if error >= 0.5 * least || error <= ROUNDING * largest(x) {
                break;
            }
            least = error;
            self.gram.solve(&mut left);
            let dz = self.part.times(&left);
            z.iter_mut().zip(&dz).for_each(|(z, dz)| *z += dz);
        }
    }

    /// The `λ` of the `z = Y λ` of either sign that has `Yᵀ z = x` and least `|z|`.
    pub(crate) fn least_squares(&mut self, x: &[f64]) -> Vec<f64> {
        let mut lambda = vec![0.0; x.len()];
        let mut least = f64::INFINITY;
        for _ in 0..MAX_ROUNDS {
            let mut left = self.part.transposed_times(&self.part.times(&lambda));
            left.iter_mut().zip(x).for_each(|(left, x)| *left = x - *left);
            let error = largest(&left);
            if error >= 0.5 * least || error <= ROUNDING * largest(x) {
                break;
            }
            least = error;
            self.gram.solve(&mut left);
            lambda.iter_mut().zip(&left).for_each(|(lambda, d)| *lambda += d);
        }
        lambda
    }

    /// Whether some combination of the rows vanishes: then part of an arbitrary `z` does not move anything, however
    /// often what does is taken away.
    pub(crate) fn redundant(&mut self) -> bool {
        if self.part.rows.len() > self.part.y.width() {
            return true;
        }
        // Signs from a fixed generator (xorshift): arbitrary, yet the same in every run.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut sign = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            if state >> 63 == 0 { 1.0 } else { -1.0 }
        };
        let mut idle: Vec<f64> = self.part.rows.iter().map(|_| sign()).collect();
        for _ in 0..MAX_ROUNDS {
            let mut moved = self.part.transposed_times(&idle);
            self.gram.solve(&mut moved);
            let dz = self.part.times(&moved);
            idle.iter_mut().zip(&dz).for_each(|(z, dz)| *z -= dz);
        }
        largest(&idle) > REDUNDANT
    }
}

/// Of a vector of ones so much remains if one combination of very many rows vanishes, and far less if none does \[1\].
const REDUNDANT: f64 = 1e-6;
