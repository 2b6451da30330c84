//! A line against a line: edges (radius zero) and axes of capsules.
//!
//! With p, e on the first body and q, f on the second, m = e × f: n = σ m/|m|, g = n·(q − p) − r₁ − r₂; the nearest points
//! y = p + s e and z = q + t f have s = (d × f)·m/|m|², t = (d × e)·m/|m|² with d = q − p; x = y + r₁ n.
//! ṅ = σ (1 − n nᵀ)(ė × f + e × ḟ)/|m|, and ṡ of
//! ṡ − k ṫ = (v₂(z) − v₁(y))·e + (z − y)·ė, k ṡ − ṫ = (v₂(z) − v₁(y))·f + (z − y)·ḟ, k = e·f; ẋ = v₁(y) + ṡ e + r₁ ṅ.
//!
//! σ is a function of the pose. An edge of a solid has normals between those of its two faces, so between two edges n points
//! away from the first one's faces and towards the second's. An axis has a radius, and its contacts have n·(q − p) > 0.
//! Where σ changes, the gap of two edges jumps to its opposite, but the margin is negative there; axes cross there, with a gap
//! of minus the radii.

use std::sync::Arc;

use super::bounds::Extent;
use super::gap::{Gap, Moving};
use super::line_sphere::Line;
use super::region::{ANGLE_SLACK, across, length, reciprocal, unit_or};
use super::{Touch, TouchRates};
use crate::motion::vector::{Pose, V3, tangents};

/// The two faces that meet in an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Faces {
    /// In each face, across the edge, into the face, of length one \[1\].
    pub(super) inwards: [V3; 2],
    /// The sum of the faces' outward normals \[1\].
    pub(super) outwards: V3,
}

/// A line, and what it is the edge of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub(super) line: Line,
    /// None for an axis.
    pub(super) faces: Option<Faces>,
}

impl Edge {
    /// How far inside the directions between its faces' normals a direction is, as a length at the edge \[m\].
    fn cone(&self, pose: &Pose, outwards: &V3) -> f64 {
        let Some(faces) = &self.faces else { return f64::INFINITY };
        let outwards = pose.rotation.tr_mul(outwards);
        let inside = -outwards.dot(&faces.inwards[0]).max(outwards.dot(&faces.inwards[1]));
        (inside + ANGLE_SLACK) * self.line.length
    }
}

/// A line of each body.
#[derive(Clone, Debug)]
pub(super) struct LineLine {
    pub(super) edges: [Edge; 2],
    /// The bodies that both are edges of; none where one is an axis.
    pub(super) solids: Option<Arc<[Extent; 2]>>,
}

struct Nearest {
    /// Directions in the world \[1\].
    e: V3,
    f: V3,
    /// e × f, and the square of its length.
    m: V3,
    mm: f64,
    /// From the lines' beginnings \[m\].
    s: f64,
    t: f64,
    /// On the first line \[m\].
    y: V3,
    /// From the first line's beginning to the second's \[m\].
    d: V3,
    normal: V3,
}

impl LineLine {
    fn nearest(&self, p: &Pose, q: &Pose) -> Nearest {
        let [first, second] = &self.edges;
        let (e, f) = (p.rotation * first.line.direction, q.rotation * second.line.direction);
        let from = p.point(&first.line.from);
        let d = q.point(&second.line.from) - from;
        let m = e.cross(&f);
        let mm = m.dot(&m);
        let inverse = reciprocal(mm);
        let (s, t) = (d.cross(&f).dot(&m) * inverse, d.cross(&e).dot(&m) * inverse);
        // Parallel lines have no common normal but that of their plane.
        let across = unit_or(&m, || unit_or(&across(&d, &e), || tangents(&e, false)[0]));
        let outwards = match (&first.faces, &second.faces) {
            (Some(first), Some(second)) => {
                p.rotation * first.outwards - q.rotation * second.outwards
            }
            _ => d,
        };
        let normal = if across.dot(&outwards) < 0.0 { -across } else { across };
        Nearest { e, f, m, mm, s, t, y: from + e * s, d, normal }
    }

    /// The axes of two capsules.
    pub(super) fn axes(first: &Line, second: &Line) -> Self {
        Self { edges: [first, second].map(|line| Edge { line: *line, faces: None }), solids: None }
    }

    /// The sum of the radii where lines of one plane cross; minus infinity where they do not \[m\].
    pub(super) fn crossing(&self, p: &Pose, q: &Pose) -> f64 {
        let near = self.nearest(p, q);
        let [first, second] = &self.edges;
        let ends = first.line.inside(near.s).min(second.line.inside(near.t));
        if ends.min(self.skew(&near)) < 0.0 {
            return f64::NEG_INFINITY;
        }
        first.line.radius + second.line.radius
    }

    /// How far the normal is inside both edges' cones, and the gap \[m\]: where both are positive the normal separates two
    /// convex bodies.
    pub(super) fn separation(&self, p: &Pose, q: &Pose) -> [f64; 2] {
        let near = self.nearest(p, q);
        let cone = self.edges[0].cone(p, &near.normal).min(self.edges[1].cone(q, &-near.normal));
        [cone.min(self.skew(&near)), self.gap(&near)]
    }

    /// How far inside both ends of both lines the places are at which they are nearest \[m\].
    pub(super) fn ends(&self, p: &Pose, q: &Pose) -> f64 {
        let near = self.nearest(p, q);
        let [first, second] = &self.edges;
        first.line.inside(near.s).min(second.line.inside(near.t))
    }

    fn gap(&self, near: &Nearest) -> f64 {
        near.normal.dot(&near.d) - self.edges[0].line.radius - self.edges[1].line.radius
    }

    /// How far the lines are from being parallel, as a length at the shorter \[m\].
    fn skew(&self, near: &Nearest) -> f64 {
        (f64::sqrt(near.mm) - ANGLE_SLACK) * self.shorter()
    }

    /// The length of the shorter \[m\].
    fn shorter(&self) -> f64 {
        self.edges[0].line.length.min(self.edges[1].line.length)
    }
}

impl Gap for LineLine {
    fn touch(&self, p: &Pose, q: &Pose) -> Touch {
        let near = self.nearest(p, q);
        Touch {
            gap: self.gap(&near),
            normal: near.normal,
            point: near.y + near.normal * self.edges[0].line.radius,
        }
    }

    fn rates(&self, normal: &V3, p: &Moving, q: &Moving) -> TouchRates {
        let near = self.nearest(p.pose, q.pose);
        let Nearest { e, f, m, mm, y, .. } = near;
        let z = q.pose.point(&self.edges[1].line.from) + f * near.t;
        let (turn_e, turn_f) = (p.turning(&e), q.turning(&f));
        let sign = if normal.dot(&m) < 0.0 { -1.0 } else { 1.0 };
        let rate = turn_e.cross(&f) + e.cross(&turn_f);
        let turning = across(&rate, normal) * (sign * reciprocal(f64::sqrt(mm)));
        let on_first = p.velocity(&y);
        let relative = q.velocity(&z) - on_first;
        let k = e.dot(&f);
        let along_e = relative.dot(&e) + (z - y).dot(&turn_e);
        let along_f = relative.dot(&f) + (z - y).dot(&turn_f);
        let s = (along_e - k * along_f) * reciprocal(mm);
        TouchRates {
            normal: turning,
            point: on_first + e * s + turning * self.edges[0].line.radius,
        }
    }

    fn margin(&self, p: &Pose, q: &Pose) -> f64 {
        let near = self.nearest(p, q);
        let [first, second] = &self.edges;
        let ends = first.line.inside(near.s).min(second.line.inside(near.t));
        let cones = first.cone(p, &near.normal).min(second.cone(q, &-near.normal));
        let margin = self.skew(&near).min(ends).min(cones);
        match self.solids.as_deref() {
            // Two solids cannot lie deeper in each other along this normal than along a face's while they touch here first.
            // Where they are apart this leaves out edges that are far behind the nearest ones.
            Some([first, second]) if margin >= 0.0 => {
                let apart = first.separation(p, second, q).max(second.separation(q, first, p));
                margin.min(self.gap(&near) - apart + ANGLE_SLACK * self.shorter())
            }
            _ => margin,
        }
    }

    fn distance(&self, p: &Pose, q: &Pose) -> f64 {
        let [first, second] = self.edges.map(|edge| edge.line);
        let (e, f) = (p.rotation * first.direction, q.rotation * second.direction);
        let d = q.point(&second.from) - p.point(&first.from);
        let k = e.dot(&f);
        let (along_e, along_f) = (d.dot(&e), d.dot(&f));
        // From the nearest place of the first line, clipped, to the nearest of the second, clipped, and back.
        let det = 1.0 - k * k;
        let s = if det > 0.0 { (along_e - k * along_f) / det } else { 0.0 };
        let t = (s.clamp(0.0, first.length) * k - along_f).clamp(0.0, second.length);
        let s = (along_e + t * k).clamp(0.0, first.length);
        length(&(d + f * t - e * s)) - first.radius - second.radius
    }

    fn reach(&self) -> [f64; 2] {
        [self.edges[0].line.reach(), self.edges[1].line.reach()]
    }

    fn turning(&self, p: &Pose, q: &Pose) -> f64 {
        let e = p.rotation * self.edges[0].line.direction;
        let f = q.rotation * self.edges[1].line.direction;
        1.0 / length(&e.cross(&f)).max(ANGLE_SLACK)
    }
}
