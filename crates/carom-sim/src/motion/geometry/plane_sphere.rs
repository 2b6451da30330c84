//! A plane against a sphere; a corner or a point is a sphere of radius zero.
//!
//! With n the plane's normal and p a point of it on the first body, c the centre and r the radius on the second:
//! g = n·(c − p) − r, x = c − r n, ṅ = ω₁ × n, ẋ = ċ − r ṅ.

use std::sync::Arc;

use super::gap::{Gap, Moving};
use super::region::{ANGLE_SLACK, Region, Wall, length};
use super::{Touch, TouchRates};
use crate::motion::vector::{Pose, V3};

/// A plane of the first body and a sphere of the second.
#[derive(Clone, Debug)]
pub(super) struct PlaneSphere {
    /// A point of the plane \[m\].
    pub(super) point: V3,
    /// Outwards, of length one \[1\].
    pub(super) normal: V3,
    /// Where the centre is over this plane and not over another feature, in the first body's frame.
    pub(super) region: Region,
    /// The largest distance of a point of the plane that can touch from the first body's centre \[m\].
    pub(super) plane_reach: f64,
    /// \[m\]
    pub(super) centre: V3,
    /// \[m\]
    pub(super) radius: f64,
    /// Where the centre is a vertex of a solid: from it to the other ends of its edges \[m\].
    pub(super) edges: Option<Arc<[V3]>>,
}

impl PlaneSphere {
    /// A half-space, everywhere valid. It belongs to a body that does not turn: its reach does not matter.
    pub(super) fn half_space(plane: Wall, centre: V3, radius: f64) -> Self {
        Self {
            point: plane.normal * plane.offset,
            normal: plane.normal,
            region: Region::Everywhere,
            plane_reach: 0.0,
            centre,
            radius,
            edges: None,
        }
    }
}

impl Gap for PlaneSphere {
    fn touch(&self, p: &Pose, q: &Pose) -> Touch {
        let normal = p.rotation * self.normal;
        let centre = q.point(&self.centre);
        let gap = normal.dot(&(centre - p.point(&self.point))) - self.radius;
        Touch { gap, normal, point: centre - normal * self.radius }
    }

    fn rates(&self, normal: &V3, p: &Moving, q: &Moving) -> TouchRates {
        let turning = p.turning(normal);
        let centre = q.pose.point(&self.centre);
        TouchRates { normal: turning, point: q.velocity(&centre) - turning * self.radius }
    }

    fn margin(&self, p: &Pose, q: &Pose) -> f64 {
        let mut margin = self.region.depth_in_world(p, &q.point(&self.centre));
        // A vertex touches a face with all of its solid in front of it: at the border of two faces this tells which.
        if let Some(edges) = &self.edges {
            let normal = q.rotation.tr_mul(&(p.rotation * self.normal));
            for edge in edges.iter() {
                margin = margin.min(normal.dot(edge) + ANGLE_SLACK * length(edge));
            }
        }
        margin
    }

    fn distance(&self, p: &Pose, q: &Pose) -> f64 {
        let centre = q.point(&self.centre);
        let height = (p.rotation * self.normal).dot(&(centre - p.point(&self.point)));
        if matches!(self.region, Region::Everywhere) {
            return height - self.radius;
        }
        let out = self.region.outside(p, &centre).max(0.0);
        f64::sqrt(height * height + out * out) - self.radius
    }

    fn reach(&self) -> [f64; 2] {
        [self.plane_reach, length(&self.centre) + self.radius]
    }
}
