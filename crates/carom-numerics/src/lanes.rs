//! Some numbers at once, which compilers turn into vector instructions.

use std::ops::{Add, Mul, Sub};

/// How many are worked on together.
pub const LANES: usize = 4;

/// One number in each lane.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub struct Lanes(pub [f64; LANES]);

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
    /// Zero in each lane.
    pub const ZERO: Self = Self([0.0; LANES]);

    /// The larger of two, without their signs; what is no number is larger.
    #[inline(always)]
    pub fn larger(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| {
            let (a, b) = (self.0[i].abs(), other.0[i].abs());
            if a <= b { b } else { a }
        }))
    }

    /// The sum over all lanes.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        let [a, b, c, d] = self.0;
        (a + c) + (b + d)
    }
}

/// Does some work with the instructions that take most numbers at once: same operations, same bits, half of the time.
#[inline(always)]
pub fn with_widest_vectors<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "the processor was asked")]
        // SAFETY: what the function wants of the processor is there.
        return unsafe { by_four(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_four<R>(work: impl FnOnce() -> R) -> R {
    work()
}
