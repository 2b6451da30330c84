//! The region cut along a half-plane through the normal: what the plane, the sphere of directions, meshes and
//! volumes have in common.
//!
//! Seen from the origin, the impulses in direction `r = (cos φ, sin φ s)` that are permissible form one interval:
//! from where the bodies stop approaching, `|u_n⁻| / (Wr)_n`, to where no energy is lost, `−2 r·u⁻ / rᵀWr`. It is
//! not empty for `0 ≤ φ ≤ φ_end`.

use super::scaled::Scaled;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    k: f64,
    c: f64,
    t: f64,
    approach: f64,
    slide: f64,
    /// Where the slice ends.
    pub end: End,
}

/// The last direction of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// `φ_end`.
    pub angle: f64,
    /// Whether friction ends the slice, or the two ends of the interval meet.
    pub conical: bool,
}

impl Slice {
    /// The slice over the tangential unit direction `side`.
    pub(crate) fn new<const D: usize>(s: &Scaled<D>, side: [f64; 2]) -> Self {
        let tangential = |row: &[f64; D]| (1..D).map(|i| row[i] * side[i - 1]).sum::<f64>();
        let mut slice = Self {
            k: s.k(),
            c: tangential(&s.w[0]),
            t: (1..D).map(|i| side[i - 1] * tangential(&s.w[i])).sum(),
            approach: s.approach(),
            slide: tangential(&s.u.components()),
            end: End { angle: 0.0, conical: true },
        };
        let friction = libm::atan2(s.beta, s.alpha);
        let meeting = libm::atan(slice.meeting_ratio());
        slice.end = End { angle: friction.min(meeting), conical: friction <= meeting };
        slice
    }

    /// The first `p_t/p_n` at which the interval vanishes: the zero of
    /// `k|u_n| − 2k u_t m − (|u_n| T + 2 u_t c) m²`, which starts positive.
    fn meeting_ratio(&self) -> f64 {
        let constant = self.k * self.approach;
        let linear = self.k * self.slide;
        let quadratic = self.approach * self.t + 2.0 * self.slide * self.c;
        let discriminant = linear * linear + quadratic * constant;
        if linear > 0.0 {
            if discriminant < 0.0 {
                return f64::INFINITY;
            }
            constant / (linear + f64::sqrt(discriminant))
        } else if quadratic > 0.0 {
            (f64::sqrt(discriminant) - linear) / quadratic
        } else if constant == 0.0 && linear == 0.0 {
            0.0
        } else {
            f64::INFINITY
        }
    }

    /// Where the interval in direction φ begins.
    pub(crate) fn near(&self, cos: f64, sin: f64) -> f64 {
        self.approach / (self.k * cos + self.c * sin)
    }

    /// Where it ends; zero if it is empty.
    pub(crate) fn far(&self, cos: f64, sin: f64) -> f64 {
        let gain = self.approach * cos - self.slide * sin;
        (2.0 * gain / self.resistance(cos, sin)).max(0.0)
    }

    /// `rᵀWr`.
    fn resistance(&self, cos: f64, sin: f64) -> f64 {
        self.k * cos * cos + 2.0 * self.c * cos * sin + self.t * sin * sin
    }

    /// How much the terms of [`Self::far`] cancel: the factor by which it magnifies rounding.
    pub(crate) fn cancellation(&self, cos: f64, sin: f64) -> f64 {
        let cross = 2.0 * (self.c * cos * sin).abs();
        let resistance = self.k * cos * cos + cross + self.t * sin * sin;
        let gain = self.approach * cos + (self.slide * sin).abs();
        let net = (self.approach * cos - self.slide * sin).abs();
        let compliance = self.k * cos + (self.c * sin).abs();
        (resistance / self.resistance(cos, sin))
            .max(gain / net)
            .max(compliance / (self.k * cos + self.c * sin).abs())
    }

    /// The direction in which `W` yields least, and the root of the ratio of least to most.
    pub(crate) fn stiffest(&self) -> (f64, f64) {
        let angle = 0.5 * libm::atan2(-2.0 * self.c, self.t - self.k);
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let least = self.resistance(cos, sin).max(0.0);
        (angle, f64::sqrt(least / (self.k + self.t)))
    }
}
