//! The rim of a cylinder against a sphere.
//!
//! With the rim's centre b, its axis a and radius R on the first body, the centre c and radius r on the second:
//! d = c − b, w = d − a (a·d), h = w/|w|, y = b + R h, g = |c − y| − r, n = (c − y)/|c − y|, x = y;
//! ḣ = (1 − h hᵀ) ẇ/|w|, ẏ = ḃ + R ḣ, ṅ = (1 − n nᵀ)(ċ − ẏ)/|c − y|.

use super::gap::{Gap, Moving};
use super::region::{across, length, local, reciprocal, unit_or};
use super::rim_plane::Rim;
use super::{Touch, TouchRates};
use crate::motion::vector::{Pose, V3, tangents};

/// A rim of the first body and a sphere of the second.
#[derive(Clone, Debug)]
pub(super) struct RimSphere {
    pub(super) rim: Rim,
    /// \[m\]
    pub(super) centre: V3,
    /// \[m\]
    pub(super) radius: f64,
}

struct Foot {
    axis: V3,
    /// From the rim's centre to the sphere's \[m\].
    d: V3,
    /// The same across the axis \[m\].
    w: V3,
    /// On the rim \[m\].
    y: V3,
    centre: V3,
}

impl RimSphere {
    fn foot(&self, p: &Pose, q: &Pose) -> Foot {
        let axis = p.rotation * self.rim.axis;
        let (middle, centre) = (p.point(&self.rim.centre), q.point(&self.centre));
        let d = centre - middle;
        let w = across(&d, &axis);
        let h = unit_or(&w, || p.rotation * tangents(&self.rim.axis, false)[0]);
        Foot { axis, d, w, y: middle + h * self.rim.radius, centre }
    }
}

impl Gap for RimSphere {
    fn touch(&self, p: &Pose, q: &Pose) -> Touch {
        let foot = self.foot(p, q);
        let d = foot.centre - foot.y;
        Touch { gap: length(&d) - self.radius, normal: unit_or(&d, || foot.axis), point: foot.y }
    }

    fn rates(&self, normal: &V3, p: &Moving, q: &Moving) -> TouchRates {
        let foot = self.foot(p.pose, q.pose);
        let of_centre = q.velocity(&foot.centre);
        let of_rim = p.velocity(&(foot.centre - foot.d));
        let (turn, rate) = (p.turning(&foot.axis), of_centre - of_rim);
        let across_rate = rate
            - turn * foot.axis.dot(&foot.d)
            - foot.axis * (turn.dot(&foot.d) + foot.axis.dot(&rate));
        let inverse = reciprocal(length(&foot.w));
        let h = foot.w * inverse;
        let point = of_rim + across(&across_rate, &h) * (inverse * self.rim.radius);
        let distance = length(&(foot.centre - foot.y));
        TouchRates { normal: across(&(of_centre - point), normal) * reciprocal(distance), point }
    }

    fn margin(&self, p: &Pose, q: &Pose) -> f64 {
        let d = local(p, &q.point(&self.centre)) - self.rim.centre;
        let out = length(&across(&d, &self.rim.axis)) - self.rim.radius;
        self.rim.axis.dot(&d).min(out)
    }

    fn distance(&self, p: &Pose, q: &Pose) -> f64 {
        self.touch(p, q).gap
    }

    fn reach(&self) -> [f64; 2] {
        [self.rim.reach(), length(&self.centre) + self.radius]
    }

    fn curvature_radius(&self) -> f64 {
        // The foot runs along the rim no faster than the centre: both turn the normal.
        0.5 * self.radius.min(self.rim.radius)
    }
}
