//! The rim of a cylinder against a plane.
//!
//! With the plane's normal n and a point p on the first body, the rim's centre c, its axis a and radius R on the second:
//! w = −(n − a (a·n)), h = w/|w|, g = n·(c − p) − R |w|, x = c + R h; ṅ = ω₁ × n, ḣ = (1 − h hᵀ) ẇ/|w|, ẋ = ċ + R ḣ.
//! A cylinder that stands on its cap has w = 0 and no lowest point of its rim: while |w| < 1e-6 twelve points of the rim, 30°
//! apart, stand for it. They span a little less than the cap: it tips at 0.966 of the radius between two of them. Where one
//! changes to the other, gaps differ by up to 3e-8 R; the rim's lowest point is the lower one.

use super::gap::{Gap, Moving};
use super::plane_sphere::PlaneSphere;
use super::region::{ANGLE_SLACK, Wall, across, length, reciprocal, unit_or};
use super::{Touch, TouchRates};
use crate::motion::vector::{Pose, V3, tangents};

/// Points of the rim that stand for a cap that lies flat.
pub(super) const CAP_POINTS: usize = 12;

/// A circle with the disk that it bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rim {
    /// \[m\]
    pub(super) centre: V3,
    /// Out of the cylinder, of length one \[1\].
    pub(super) axis: V3,
    /// \[m\]
    pub(super) radius: f64,
}

impl Rim {
    /// The largest distance of its points from the body's centre \[m\].
    pub(super) fn reach(&self) -> f64 {
        let up = self.axis.dot(&self.centre);
        let out = length(&across(&self.centre, &self.axis)) + self.radius;
        f64::sqrt(up * up + out * out)
    }
}

/// A half-space of the first body and a rim of the second.
#[derive(Clone, Debug)]
pub(super) struct RimPlane {
    pub(super) plane: Wall,
    pub(super) rim: Rim,
}

impl RimPlane {
    /// Normal, axis, and w.
    fn tilt(&self, p: &Pose, q: &Pose) -> [V3; 3] {
        let (n, a) = (p.rotation * self.plane.normal, q.rotation * self.rim.axis);
        [n, a, a * a.dot(&n) - n]
    }
}

impl Gap for RimPlane {
    fn touch(&self, p: &Pose, q: &Pose) -> Touch {
        let [n, _, w] = self.tilt(p, q);
        let h = unit_or(&w, || q.rotation * tangents(&self.rim.axis, false)[0]);
        let centre = q.point(&self.rim.centre);
        let height = n.dot(&(centre - p.centre)) - self.plane.offset;
        Touch {
            gap: height - self.rim.radius * length(&w),
            normal: n,
            point: centre + h * self.rim.radius,
        }
    }

    fn rates(&self, normal: &V3, p: &Moving, q: &Moving) -> TouchRates {
        let [n, a, w] = self.tilt(p.pose, q.pose);
        let (turn_n, turn_a) = (p.turning(normal), q.turning(&a));
        let rate = turn_a * a.dot(&n) + a * (turn_a.dot(&n) + a.dot(&turn_n)) - turn_n;
        let inverse = reciprocal(length(&w));
        let h = w * inverse;
        let turn_h = across(&rate, &h) * inverse;
        let centre = q.pose.point(&self.rim.centre);
        TouchRates { normal: turn_n, point: q.velocity(&centre) + turn_h * self.rim.radius }
    }

    fn margin(&self, p: &Pose, q: &Pose) -> f64 {
        (length(&self.tilt(p, q)[2]) - ANGLE_SLACK) * self.rim.radius
    }

    fn distance(&self, p: &Pose, q: &Pose) -> f64 {
        self.touch(p, q).gap
    }

    fn reach(&self) -> [f64; 2] {
        [0.0, self.rim.reach()]
    }

    fn turning(&self, p: &Pose, q: &Pose) -> f64 {
        1.0 / length(&self.tilt(p, q)[2]).max(ANGLE_SLACK)
    }
}

/// A point of the rim that is fixed to the body, valid where the cap lies flat.
#[derive(Clone, Debug)]
pub(super) struct CapPoint {
    pub(super) rim: RimPlane,
    pub(super) point: PlaneSphere,
}

impl CapPoint {
    /// One of the points.
    pub(super) fn new(plane: Wall, rim: Rim, which: usize) -> Self {
        let [t, u] = tangents(&rim.axis, false);
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * which as f64 / CAP_POINTS as f64);
        let direction = t * cosine + u * sine;
        Self {
            rim: RimPlane { plane, rim },
            point: PlaneSphere::half_space(plane, rim.centre + direction * rim.radius, 0.0),
        }
    }
}

impl Gap for CapPoint {
    fn touch(&self, p: &Pose, q: &Pose) -> Touch {
        self.point.touch(p, q)
    }

    fn rates(&self, normal: &V3, p: &Moving, q: &Moving) -> TouchRates {
        self.point.rates(normal, p, q)
    }

    fn margin(&self, p: &Pose, q: &Pose) -> f64 {
        let [n, a, w] = self.rim.tilt(p, q);
        (ANGLE_SLACK - length(&w)).min(-a.dot(&n)) * self.rim.rim.radius
    }

    fn distance(&self, p: &Pose, q: &Pose) -> f64 {
        self.point.distance(p, q)
    }

    fn reach(&self) -> [f64; 2] {
        self.point.reach()
    }
}
