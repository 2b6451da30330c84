//! A line with a radius against a sphere: the side of a capsule or of a cylinder, or an edge (radius zero).
//!
//! With the line through p along e on the first body and the centre c on the second: y = p + s e with s = e·(c − p),
//! g = |c − y| − r₁ − r₂, n = (c − y)/|c − y|, x = y + r₁ n; ṡ = e·(ċ − v₁(y)) + ė·(c − y), ẏ = v₁(y) + ṡ e,
//! ṅ = (1 − n nᵀ)(ċ − ẏ)/|c − y|, ẋ = ẏ + r₁ ṅ.

use super::gap::{Gap, Moving};
use super::region::{ANGLE_SLACK, Region, across, length, local, reciprocal, unit_or};
use super::{Touch, TouchRates};
use crate::motion::vector::{Pose, V3, tangents};

/// A straight piece of a line, with a radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// Where it begins \[m\].
    pub(super) from: V3,
    /// Of length one \[1\].
    pub(super) direction: V3,
    /// \[m\]
    pub(super) length: f64,
    /// \[m\]
    pub(super) radius: f64,
}

impl Line {
    pub(super) fn to(&self) -> V3 {
        self.from + self.direction * self.length
    }

    /// The largest distance of its surface from the body's centre, without round ends \[m\].
    pub(super) fn reach(&self) -> f64 {
        let from = self.direction.dot(&self.from);
        let up = from.abs().max((from + self.length).abs());
        let out = length(&across(&self.from, &self.direction)) + self.radius;
        f64::sqrt(up * up + out * out)
    }

    /// How far inside its ends a place on it is \[m\].
    pub(super) fn inside(&self, s: f64) -> f64 {
        s.min(self.length - s)
    }
}

/// A line of the first body and a sphere of the second.
#[derive(Clone, Debug)]
pub(super) struct LineSphere {
    pub(super) line: Line,
    /// Where the centre is nearest to the line and not to another feature, in the first body's frame; its ends are known.
    pub(super) region: Region,
    /// \[m\]
    pub(super) centre: V3,
    /// \[m\]
    pub(super) radius: f64,
    /// Where the foot on the line is nearest to the sphere and not to another feature, in the second body's frame; all walls
    /// go through the centre.
    pub(super) sphere_region: Region,
}

struct Foot {
    /// From the line's beginning \[m\].
    s: f64,
    /// On the line \[m\].
    y: V3,
    direction: V3,
    centre: V3,
}

impl LineSphere {
    fn foot(&self, p: &Pose, q: &Pose) -> Foot {
        let from = p.point(&self.line.from);
        let direction = p.rotation * self.line.direction;
        let centre = q.point(&self.centre);
        let s = direction.dot(&(centre - from));
        Foot { s, y: from + direction * s, direction, centre }
    }
}

impl Gap for LineSphere {
    fn touch(&self, p: &Pose, q: &Pose) -> Touch {
        let foot = self.foot(p, q);
        let d = foot.centre - foot.y;
        let normal = unit_or(&d, || tangents(&foot.direction, foot.direction.z == 0.0)[0]);
        Touch {
            gap: length(&d) - self.line.radius - self.radius,
            normal,
            point: foot.y + normal * self.line.radius,
        }
    }

    fn rates(&self, normal: &V3, p: &Moving, q: &Moving) -> TouchRates {
        let Foot { y, direction, centre, .. } = self.foot(p.pose, q.pose);
        let d = centre - y;
        let (on_line, of_centre) = (p.velocity(&y), q.velocity(&centre));
        let rate = direction.dot(&(of_centre - on_line)) + p.turning(&direction).dot(&d);
        let foot = on_line + direction * rate;
        let turning = across(&(of_centre - foot), normal) * reciprocal(length(&d));
        TouchRates { normal: turning, point: foot + turning * self.line.radius }
    }

    fn margin(&self, p: &Pose, q: &Pose) -> f64 {
        let foot = self.foot(p, q);
        let mut margin = self.line.inside(foot.s);
        margin = margin.min(self.region.depth_in_world(p, &foot.centre));
        if !matches!(self.sphere_region, Region::Everywhere) {
            let y = local(q, &foot.y);
            let slack = ANGLE_SLACK * length(&(y - self.centre));
            margin = margin.min(self.sphere_region.depth(&y) + slack);
        }
        margin
    }

    fn distance(&self, p: &Pose, q: &Pose) -> f64 {
        let foot = self.foot(p, q);
        let s = foot.s.clamp(0.0, self.line.length);
        let y = foot.y + foot.direction * (s - foot.s);
        length(&(foot.centre - y)) - self.line.radius - self.radius
    }

    fn reach(&self) -> [f64; 2] {
        [self.line.reach(), length(&self.centre) + self.radius]
    }

    fn curvature_radius(&self) -> f64 {
        self.line.radius + self.radius
    }
}
