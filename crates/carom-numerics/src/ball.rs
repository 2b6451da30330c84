//! Numbers in twice the working precision together with a bound on their error, carried along by every operation: a
//! result is never farther from the exact one than its bound says.

use crate::double::Double;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// Every operation of [`Double`] is off by less than this share of its result: eight times what is proven \[1\].
const OPERATION: f64 = 1.0 / (1_u128 << 100) as f64;
/// Products below this lose digits of their second half, and factors above its inverse are not split.
const TINY: f64 = 1e-280;

/// A number known to within a radius.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    middle: Double,
    radius: f64,
}

impl Ball {
    /// Exactly zero.
    pub const ZERO: Self = Self { middle: Double::ZERO, radius: 0.0 };

    /// The number nearest to its middle.
    #[inline]
    pub fn round(self) -> f64 {
        self.middle.round()
    }

    /// How far [`Ball::round`] can be from the exact number.
    #[inline]
    pub fn error(self) -> f64 {
        // Radii are summed in working precision: their own rounding is far below a hundredth.
        let error = 1.01 * (self.radius + self.middle.parts().1.abs());
        if error.is_nan() { f64::INFINITY } else { error }
    }

    /// A number above or equal to the size of every number in the ball.
    #[inline]
    pub fn size(self) -> f64 {
        self.round().abs() + self.error()
    }

    /// The same middle, farther around.
    #[inline]
    pub fn widened(self, by: f64) -> Self {
        Self { middle: self.middle, radius: self.radius + by }
    }

    /// The same middle, taken as exact.
    #[inline]
    pub fn center(self) -> Self {
        Self { middle: self.middle, radius: 0.0 }
    }

    /// The radius around the middle alone, without the rounding of the middle.
    #[inline]
    pub fn radius(self) -> f64 {
        self.radius
    }

    /// The quotient by a positive number that is known exactly.
    pub fn over(self, divisor: f64) -> Self {
        let middle = self.middle / Double::from(divisor);
        Self { middle, radius: self.radius / divisor }.rounded(0.0)
    }

    /// The absolute value.
    pub fn abs(self) -> Self {
        if self.round() < 0.0 { -self } else { self }
    }

    /// The square root of a sum of squares: never below zero.
    pub fn root(self) -> Self {
        let first = f64::sqrt(self.round().max(0.0));
        if first == 0.0 || !first.is_finite() {
            return Self { middle: Double::from(first), radius: f64::sqrt(self.error()) };
        }
        // One step of Newton's method doubles the digits; the second half of the root needs no more.
        let rest = self.middle - Double::product(first, first);
        let middle = Double::from(first) + Double::from(rest.round() / (2.0 * first));
        let radius = self.radius / first + 4.0 * OPERATION * first;
        Self { middle, radius }.rounded(0.0)
    }

    /// With the error of one operation on top; `factors` is the largest factor of a product.
    #[inline]
    fn rounded(self, factors: f64) -> Self {
        let high = self.round().abs();
        let mut radius = self.radius + OPERATION * high;
        let inexact =
            (high < TINY && (high > 0.0 || factors > 0.0)) || high.max(factors) > 1.0 / TINY;
        if inexact {
            radius += f64::EPSILON * high + f64::MIN_POSITIVE * f64::EPSILON * 16.0;
        }
        Self { middle: self.middle, radius }
    }
}

impl From<f64> for Ball {
    #[inline]
    fn from(x: f64) -> Self {
        Self { middle: x.into(), radius: 0.0 }
    }
}

impl Add for Ball {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let middle = self.middle + other.middle;
        Self { middle, radius: self.radius + other.radius }.rounded(0.0)
    }
}

impl AddAssign for Ball {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Ball {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { middle: -self.middle, radius: self.radius }
    }
}

impl Sub for Ball {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Ball {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let middle = self.middle * other.middle;
        let (a, b) = (self.round().abs(), other.round().abs());
        let radius = match (self.radius, other.radius) {
            (0.0, 0.0) => 0.0,
            // The second halves are far below the slack of the final bound.
            (r, s) => (a + r) * s + b * r,
        };
        let factors = if a == 0.0 || b == 0.0 { 0.0 } else { a.max(b) };
        Self { middle, radius }.rounded(factors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1/3 three times, less one: what is left is below the bound, and the bound far below working precision.
    #[test]
    fn bounds_hold_and_are_tight() {
        let third = Ball::from(1.0).over(3.0);
        let rest = third * 3.0.into() - 1.0.into();
        assert!(rest.round().abs() <= rest.error() && rest.error() < 1e-29, "{rest:?}");
        assert!(third.error() >= (1.0 / 3.0 - third.round()).abs());
        assert!(third.error() < f64::EPSILON * third.round());
    }

    #[test]
    fn roots_square_to_what_they_are_of() {
        for x in [2.0, 3.0, 1e-200, 7e250, 0.0] {
            let root = Ball::from(x).root();
            let rest = root * root - x.into();
            assert!(
                rest.round().abs() <= rest.error() && rest.error() <= 1e-28 * x,
                "{x}: {rest:?}"
            );
        }
    }

    /// The halves of a product of tiny numbers are lost to underflow: the bound says so.
    #[test]
    fn underflow_is_part_of_the_bound() {
        let x = 3.000_000_000_000_001e-160;
        let product = Ball::from(x) * x.into();
        assert!(product.error() >= 1e-17 * product.round(), "{product:?}");
        let nothing = Ball::from(1e-200) * 1e-200.into();
        assert!(nothing.round() == 0.0 && nothing.error() > 0.0);
    }

    #[test]
    fn what_is_not_known_well_stays_so() {
        let vague = Ball::from(1.0).widened(0.25);
        assert!((vague * vague).error() >= 0.5625);
        assert!((vague - vague).error() >= 0.5);
        assert!(Ball::from(4.0).widened(1.0).root().error() >= 0.236);
    }
}
