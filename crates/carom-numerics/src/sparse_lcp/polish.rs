//! From a point near a solution to the solution itself: which rows push is taken as known, and linear equations are
//! left. Redundant rows make them singular, so each solve is regularised and then repeated on what it left.

use super::interior_point::RowSubset;
use super::tolerances::*;
use super::weighted_gram::WeightedGram;
use crate::largest;

/// Some rows of unit length, and the factor of their `Yᵀ Y`.
pub struct Polish<'a> {
    part: &'a RowSubset<'a>,
    gram: &'a mut WeightedGram,
}

impl<'a> Polish<'a> {
    /// `None` if the matrix cannot be factored.
    pub fn new(part: &'a RowSubset<'a>, gram: &'a mut WeightedGram) -> Option<Self> {
        gram.factor(part.y, POLISH_REGULAR, &part.rows, |_| 1.0).then_some(Self { part, gram })
    }

    /// The `z` nearest to a given one with `Y x + q = 0`, `x = Yᵀ z`.
    pub fn hold(&mut self, offset: &[f64], z: &mut [f64]) {
        let mut x = self.part.transposed_times(z);
        let mut least = f64::INFINITY;
        for _ in 0..POLISH_ROUNDS {
            // x first: that the rows hold ...
            let left: Vec<f64> =
                self.part.times(&x).iter().zip(offset).map(|(yx, q)| -(yx + q)).collect();
            let pushed = self.part.transposed_times(z);
            let error = largest(&left);
            if error >= 0.5 * least || error <= POLISH_ROUNDING * largest(&x) {
                break;
            }
            least = error;
            let mut dx = self.part.transposed_times(&left);
            for (c, dx) in dx.iter_mut().enumerate() {
                *dx += POLISH_REGULAR * (pushed[c] - x[c]);
            }
            self.gram.solve(&mut dx);
            add(&mut x, &dx);
            // ... then z: that the rows yield x.
            self.push(&x, z);
        }
        self.push(&x, z);
    }

    /// The `z` nearest to a given one with `Yᵀ z = x`.
    pub fn push(&mut self, x: &[f64], z: &mut [f64]) {
        self.correct(x, z, |part, z| part.transposed_times(z), |part, z, d| add(z, &part.times(d)));
    }

    /// The `λ` of the `z = Y λ` of either sign that has `Yᵀ z = x` and least `|z|`.
    pub fn least_squares(&mut self, x: &[f64]) -> Vec<f64> {
        let mut lambda = vec![0.0; x.len()];
        self.correct(
            x,
            &mut lambda,
            |part, lambda| part.transposed_times(&part.times(lambda)),
            |_, lambda, d| add(lambda, d),
        );
        lambda
    }

    /// Adds to `unknown` the `d` with `Yᵀ Y d = x − reached`, until what is left is rounding or does not get smaller.
    fn correct(
        &mut self,
        x: &[f64],
        unknown: &mut [f64],
        reached: impl Fn(&RowSubset, &[f64]) -> Vec<f64>,
        add: impl Fn(&RowSubset, &mut [f64], &[f64]),
    ) {
        let mut least = f64::INFINITY;
        for _ in 0..POLISH_ROUNDS {
            let mut left = reached(self.part, unknown);
            left.iter_mut().zip(x).for_each(|(left, x)| *left = x - *left);
            let error = largest(&left);
            if error >= 0.5 * least || error <= POLISH_ROUNDING * largest(x) {
                break;
            }
            least = error;
            self.gram.solve(&mut left);
            add(self.part, unknown, &left);
        }
    }

    /// Whether some combination of the rows vanishes: then part of an arbitrary `z` does not move anything, however
    /// often what does is taken away.
    pub fn redundant(&mut self) -> bool {
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
        for _ in 0..POLISH_ROUNDS {
            let mut moved = self.part.transposed_times(&idle);
            self.gram.solve(&mut moved);
            let dz = self.part.times(&moved);
            idle.iter_mut().zip(&dz).for_each(|(z, dz)| *z -= dz);
        }
        largest(&idle) > REDUNDANT
    }
}

fn add(to: &mut [f64], change: &[f64]) {
    to.iter_mut().zip(change).for_each(|(x, d)| *x += d);
}
