//! Where on a shape a feature is the nearest one: bounded by planes that are fixed to the body.

use std::sync::Arc;

use crate::motion::vector::{Pose, V3};

/// Angles closer than this to the border of a condition on directions count as inside, and lines closer than this to parallel
/// as parallel \[rad\]. Bodies that lie flat on each other have features exactly on such borders; larger only lets more features
/// be valid at the same time, at distances that differ by the square of it.
pub(super) const ANGLE_SLACK: f64 = 1e-6;

/// A plane with a side, in the frame of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wall {
    /// Of length one \[1\].
    pub(super) normal: V3,
    /// Of the plane along the normal \[m\].
    pub(super) offset: f64,
}

impl Wall {
    /// The plane through a point.
    pub(super) fn through(point: &V3, normal: V3) -> Self {
        Self { normal, offset: normal.dot(point) }
    }

    /// How far a point is on the side of the normal \[m\].
    pub(super) fn height(&self, x: &V3) -> f64 {
        self.normal.dot(x) - self.offset
    }

    /// The same plane, seen from the other side.
    pub(super) fn reversed(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
}

/// A part of space around a body, in its frame.
#[derive(Clone, Debug)]
pub(super) enum Region {
    /// All of it.
    Everywhere,
    /// In front of all walls.
    Walls(Arc<[Wall]>),
    /// Over a face of a convex body.
    Face {
        /// One for each side of the face, looking inwards.
        sides: Arc<[Wall]>,
        /// All faces of the body, looking outwards.
        faces: Arc<[Wall]>,
        /// Which of them is this one.
        index: usize,
    },
    /// Over a disk: within a radius of an axis, and on one side of a plane.
    Disk {
        /// Across the axis; its normal is the axis.
        wall: Wall,
        /// On the axis \[m\].
        centre: V3,
        /// \[m\]
        radius: f64,
    },
}

impl Region {
    /// Between walls that are made now.
    pub(super) fn walls(walls: impl IntoIterator<Item = Wall>) -> Self {
        Self::Walls(walls.into_iter().collect())
    }

    /// How far inside a point of the body's frame is; negative outside \[m\].
    pub(super) fn depth(&self, x: &V3) -> f64 {
        match self {
            Self::Everywhere => f64::INFINITY,
            Self::Walls(walls) => least(walls, x),
            // Over a face that is the nearest one, no other face is higher above it. Below it the same condition leaves each
            // point to the face it is least deep under, so that a point beyond the opposite side is not taken for a deep one.
            Self::Face { sides, faces, index } => {
                let height = faces[*index].height(x);
                let mut depth = least(sides, x);
                for (i, face) in faces.iter().enumerate() {
                    if i != *index {
                        depth = depth.min(height - face.height(x));
                    }
                }
                depth
            }
            Self::Disk { wall, centre, radius } => {
                let out = length(&across(&(x - centre), &wall.normal));
                (radius - out).min(wall.height(x))
            }
        }
    }

    /// Not more than how far a point of the world is, along the face or disk, from being over it \[m\].
    pub(super) fn outside(&self, pose: &Pose, x: &V3) -> f64 {
        match self {
            Self::Everywhere => 0.0,
            Self::Walls(sides) | Self::Face { sides, .. } => -least(sides, &local(pose, x)),
            Self::Disk { wall, centre, radius } => {
                length(&across(&(local(pose, x) - centre), &wall.normal)) - radius
            }
        }
    }

    /// How far inside a point of the world is \[m\].
    pub(super) fn depth_in_world(&self, pose: &Pose, x: &V3) -> f64 {
        match self {
            Self::Everywhere => f64::INFINITY,
            _ => self.depth(&local(pose, x)),
        }
    }
}

fn least(walls: &[Wall], x: &V3) -> f64 {
    walls.iter().fold(f64::INFINITY, |depth, wall| depth.min(wall.height(x)))
}

/// A point of the world in the frame of a body \[m\].
pub(super) fn local(pose: &Pose, x: &V3) -> V3 {
    pose.rotation.tr_mul(&(x - pose.centre))
}

/// The length of a vector.
pub(super) fn length(v: &V3) -> f64 {
    f64::sqrt(v.dot(v))
}

/// The reciprocal; zero of zero, so that features that coincide have finite rates.
pub(super) fn reciprocal(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

/// The vector at length one; of zero the fallback.
pub(super) fn unit_or(v: &V3, fallback: impl FnOnce() -> V3) -> V3 {
    let length = length(v);
    if length > 0.0 { v / length } else { fallback() }
}

/// The part of a vector across a unit vector.
pub(super) fn across(v: &V3, n: &V3) -> V3 {
    v - n * n.dot(v)
}
