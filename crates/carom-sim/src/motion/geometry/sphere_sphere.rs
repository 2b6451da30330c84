//! A sphere against a sphere; a corner is a sphere of radius zero.
//!
//! With centres c₁, c₂ at the distance ℓ: g = ℓ − r₁ − r₂, n = (c₂ − c₁)/ℓ, x = c₁ + r₁ n, ṅ = (1 − n nᵀ)(ċ₂ − ċ₁)/ℓ,
//! ẋ = ċ₁ + r₁ ṅ.

use super::gap::{Gap, Moving};
use super::region::{Region, across, length, reciprocal, unit_or};
use super::{Touch, TouchRates};
use crate::motion::vector::{Pose, V3};

/// A sphere of each body.
#[derive(Clone, Debug)]
pub(super) struct SphereSphere {
    /// \[m\]
    pub(super) centres: [V3; 2],
    /// \[m\]
    pub(super) radii: [f64; 2],
    /// Where the other centre is nearest to this one and not to another feature, in each body's frame.
    pub(super) regions: [Region; 2],
}

impl Gap for SphereSphere {
    fn touch(&self, p: &Pose, q: &Pose) -> Touch {
        let centre = p.point(&self.centres[0]);
        let d = q.point(&self.centres[1]) - centre;
        let normal = unit_or(&d, V3::x);
        Touch {
            gap: length(&d) - self.radii[0] - self.radii[1],
            normal,
            point: centre + normal * self.radii[0],
        }
    }

    fn rates(&self, normal: &V3, p: &Moving, q: &Moving) -> TouchRates {
        let centres = [p.pose.point(&self.centres[0]), q.pose.point(&self.centres[1])];
        let velocity = p.velocity(&centres[0]);
        let relative = q.velocity(&centres[1]) - velocity;
        let turning = across(&relative, normal) * reciprocal(length(&(centres[1] - centres[0])));
        TouchRates { normal: turning, point: velocity + turning * self.radii[0] }
    }

    fn margin(&self, p: &Pose, q: &Pose) -> f64 {
        let first = self.regions[0].depth_in_world(p, &q.point(&self.centres[1]));
        first.min(self.regions[1].depth_in_world(q, &p.point(&self.centres[0])))
    }

    fn distance(&self, p: &Pose, q: &Pose) -> f64 {
        self.touch(p, q).gap
    }

    fn reach(&self) -> [f64; 2] {
        [0, 1].map(|i| length(&self.centres[i]) + self.radii[i])
    }

    fn curvature_radius(&self) -> f64 {
        self.radii[0] + self.radii[1]
    }
}
