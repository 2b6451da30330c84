//! Numbers carried in twice the working precision, for the few differences whose cancellation would cost the answer
//! as many digits as `W` is badly conditioned.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// The unevaluated sum of two numbers, the second at most half a unit in the last place of the first.
#[derive(Clone, Copy, Debug)]
pub struct Double {
    high: f64,
    low: f64,
}

impl Double {
    /// Zero.
    pub const ZERO: Self = Self { high: 0.0, low: 0.0 };

    /// Both numbers.
    #[inline]
    pub fn parts(self) -> (f64, f64) {
        (self.high, self.low)
    }

    /// The number nearest to it.
    #[inline]
    pub fn round(self) -> f64 {
        self.high
    }

    /// The exact sum (Knuth). An overflow is plain infinity.
    #[inline]
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        if !high.is_finite() {
            return Self { high, low: 0.0 };
        }
        let b_seen = high - a;
        Self { high, low: (a - (high - b_seen)) + (b - b_seen) }
    }

    /// The exact product (Dekker). Factors near the largest number are multiplied plainly.
    #[inline]
    pub fn product(a: f64, b: f64) -> Self {
        const HUGE: f64 = 1e299;
        const SPLITTER: f64 = 134_217_729.0; // 2²⁷ + 1
        let halves = |x: f64| {
            let t = SPLITTER * x;
            let high = t - (t - x);
            (high, x - high)
        };
        let high = a * b;
        if !high.is_finite() || a.abs().max(b.abs()) > HUGE {
            return Self { high, low: 0.0 };
        }
        let ((ah, al), (bh, bl)) = (halves(a), halves(b));
        Self { high, low: ((ah * bh - high) + ah * bl + al * bh) + al * bl }
    }
}

impl From<f64> for Double {
    #[inline]
    fn from(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = Self::sum(self.low, other.low);
        let sum = Self::sum(high.high, high.low + low.high);
        Self::sum(sum.high, sum.low + low.low)
    }
}

impl Neg for Double {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for Double {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let p = Self::product(self.high, other.high);
        Self::sum(p.high, p.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Double {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        if !first.is_finite() {
            return first.into();
        }
        let rest = self - other * first.into();
        Self::sum(first, rest.high / other.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (1 + 2⁻⁵³)(1 − 2⁻⁵³) − 1 = −2⁻¹⁰⁶, which working precision cannot see.
    #[test]
    fn keeps_what_rounding_loses() {
        let tiny = libm::ldexp(1.0, -53);
        let one = Double::from(1.0);
        let product = (one + tiny.into()) * (one - tiny.into());
        assert_eq!((product - one).round(), -tiny * tiny);
    }

    #[test]
    fn divides() {
        let third = Double::from(1.0) / 3.0.into();
        let error = third * 3.0.into() - 1.0.into();
        assert!(error.round().abs() < 1e-31, "{}", error.round());
    }
}
