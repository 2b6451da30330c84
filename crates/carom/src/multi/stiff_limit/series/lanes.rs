//! Numbers of some contacts at once, which compilers turn into vector instructions.

use std::ops::{Add, Mul, Sub};

/// Contacts that are worked on together.
pub(super) const LANES: usize = 4;

/// A number of each of them.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [f64; LANES]);

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] * other.0[i]))
    }
}

impl Mul<f64> for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        Self(std::array::from_fn(|i| self.0[i] * factor))
    }
}

impl Lanes {
    pub(super) const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    pub(super) fn sum(self) -> f64 {
        let [a, b, c, d] = self.0;
        (a + c) + (b + d)
    }
}
