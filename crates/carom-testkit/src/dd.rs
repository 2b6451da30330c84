//! Double-double numbers: an unevaluated sum of two `f64`, about 32 decimal digits.
//!
//! The error-free sums and products are those of Dekker and Knuth; each operation is accurate to a few units of
//! 2⁻¹⁰⁴.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// `hi + lo` with `|lo| ≤ ½ ulp(hi)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dd {
    hi: f64,
    lo: f64,
}

/// `a + b` and its rounding error, exactly.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// `a b` and its rounding error, exactly.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

impl Dd {
    /// Zero.
    pub const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    /// One.
    pub const ONE: Self = Self { hi: 1.0, lo: 0.0 };
    /// The distance from 1 to the next number that every operation can still tell apart, generously: 2⁻¹⁰⁰.
    pub const EPSILON: f64 = 7.888609052210118e-31;

    fn normalised(a: f64, b: f64) -> Self {
        let (hi, lo) = two_sum(a, b);
        Self { hi, lo }
    }

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        self.hi
    }

    /// The size without sign.
    pub fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }

    /// The square root; of a negative number, zero.
    pub fn sqrt(self) -> Self {
        if self.hi <= 0.0 {
            return Self::ZERO;
        }
        // One Newton step from the double root doubles its digits.
        let root = self.hi.sqrt();
        let (square, error) = two_product(root, root);
        let rest = self - Self { hi: square, lo: error };
        Self::normalised(root, rest.hi / (2.0 * root))
    }

    /// The larger of the two.
    pub fn max(self, other: Self) -> Self {
        if self < other { other } else { self }
    }

    /// The smaller of the two.
    pub fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
}

impl From<f64> for Dd {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl PartialOrd for Dd {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.hi.partial_cmp(&other.hi) {
            Some(Ordering::Equal) => self.lo.partial_cmp(&other.lo),
            order => order,
        }
    }
}

impl Neg for Dd {
    type Output = Self;
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for Dd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (s, e) = two_sum(self.hi, other.hi);
        let (t, f) = two_sum(self.lo, other.lo);
        let (s, e) = two_sum(s, e + t);
        Self::normalised(s, e + f)
    }
}

impl AddAssign for Dd {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Dd {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Dd {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (p, e) = two_product(self.hi, other.hi);
        Self::normalised(p, e + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Mul<f64> for Dd {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        let (p, e) = two_product(self.hi, factor);
        Self::normalised(p, self.lo.mul_add(factor, e))
    }
}

impl Div for Dd {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self - other * first;
        let second = rest.hi / other.hi;
        let rest = rest - other * second;
        Self::normalised(first, second) + Self::from(rest.hi / other.hi)
    }
}

impl std::iter::Sum for Dd {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, Self::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn division_and_root_undo_multiplication() {
        let mut rng = Rng::new(3);
        for _ in 0..1000 {
            let mut random = || Dd::from(rng.normal()) + Dd::from(rng.normal() * 1e-17);
            let (a, b) = (random(), random());
            let scale = a.abs() * Dd::EPSILON;
            assert!((a * b / b - a).abs() <= scale);
            assert!(((a * a).sqrt() - a.abs()).abs() <= scale);
            assert!((a + b - b - a).abs() <= (a.abs() + b.abs()) * Dd::EPSILON);
        }
    }

    #[test]
    fn a_third_has_its_digits_beyond_double() {
        // 1/3 = 0.333…: three times it differs from one by less than 2⁻¹⁰⁴.
        let third = Dd::ONE / Dd::from(3.0);
        assert!((third * 3.0 - Dd::ONE).abs().to_f64() < 1e-31);
        assert_ne!(third, Dd::from(1.0 / 3.0));
    }
}
