//! Bounds of the distance of two shapes that cost less than their features.

use std::sync::Arc;

use super::region::{Wall, across, length, local, unit_or};
use super::shapes::Part;
use crate::motion::scene::Shape;
use crate::motion::vector::{Pose, V3, rotation};

/// With more products of planes and points than this, a ball around the points stands for them.
const MOST_PRODUCTS: usize = 256;

/// What a bound needs of a shape, in its body's frame.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// Of a ball that holds the shape \[m\].
    centre: V3,
    /// Infinite for a half-space \[m\].
    radius: f64,
    /// Planes that have the whole shape behind them.
    walls: Arc<[Wall]>,
    core: Core,
}

#[derive(Clone, Debug)]
enum Core {
    /// The hull of points, thickened.
    Points(Arc<[V3]>, f64),
    Cylinder {
        axis: V3,
        radius: f64,
        half: f64,
    },
    Endless,
}

impl Extent {
    pub(super) fn new(part: &Part) -> Self {
        let none = || Arc::from([]);
        match part {
            Part::HalfSpace(wall) => Self {
                centre: V3::zeros(),
                radius: f64::INFINITY,
                walls: [*wall].into(),
                core: Core::Endless,
            },
            Part::Solid(solid) => Self::around(&solid.vertices, 0.0, solid.faces.clone()),
            Part::Cylinder(drum) => Self {
                centre: drum.centre,
                radius: f64::sqrt(drum.radius * drum.radius + drum.half * drum.half),
                walls: drum.rims().map(|rim| Wall::through(&rim.centre, rim.axis)).into(),
                core: Core::Cylinder { axis: drum.axis, radius: drum.radius, half: drum.half },
            },
            Part::Capsule(line) => Self::around(&[line.from, line.to()], line.radius, none()),
            Part::Sphere { centre, radius } => Self::around(&[*centre], *radius, none()),
            Part::Points(points) => Self::around(points, 0.0, none()),
        }
    }

    fn around(points: &[V3], thickness: f64, walls: Arc<[Wall]>) -> Self {
        let (mut low, mut high) = (V3::repeat(f64::INFINITY), V3::repeat(f64::NEG_INFINITY));
        for p in points {
            (low, high) = (low.inf(p), high.sup(p));
        }
        let centre = if points.is_empty() { V3::zeros() } else { (low + high) * 0.5 };
        let farthest = points.iter().map(|p| length(&(p - centre))).fold(0.0, f64::max);
        let core = Core::Points(points.into(), thickness);
        Self { centre, radius: farthest + thickness, walls, core }
    }

    /// The least of m·x over the shape, m of length one and in the body's frame; or a little less \[m\].
    fn least(&self, m: &V3, coarse: bool) -> f64 {
        match &self.core {
            Core::Points(points, thickness) if !coarse => {
                points.iter().fold(f64::INFINITY, |least, x| least.min(m.dot(x))) - thickness
            }
            Core::Cylinder { axis, radius, half } => {
                let along = m.dot(axis);
                // From 1 − along² little would be left where the cylinder nearly stands.
                let across = length(&(m - axis * along));
                m.dot(&self.centre) - half * along.abs() - radius * across
            }
            Core::Endless => f64::NEG_INFINITY,
            Core::Points(..) => m.dot(&self.centre) - self.radius,
        }
    }

    /// The largest distance that one of this shape's planes leaves between it and another shape; negative where none does
    /// \[m\].
    pub(super) fn separation(&self, pose: &Pose, other: &Self, place: &Pose) -> f64 {
        self.by_planes(pose, other, place, false)
    }

    fn by_planes(&self, pose: &Pose, other: &Self, place: &Pose, coarse: bool) -> f64 {
        let origin = local(pose, &place.centre);
        self.walls.iter().fold(f64::NEG_INFINITY, |largest, wall| {
            let m = place.rotation.tr_mul(&(pose.rotation * wall.normal));
            largest.max(wall.height(&origin) + other.least(&m, coarse))
        })
    }

    /// Not more than the distance of two shapes where they are apart; may be negative \[m\].
    pub(super) fn distance(&self, a: &Pose, other: &Self, b: &Pose) -> f64 {
        let between = length(&(b.point(&other.centre) - a.point(&self.centre)));
        let bound = between - self.radius - other.radius;
        let first = self.by_planes(a, other, b, self.is_costly(other));
        bound.max(first).max(other.by_planes(b, self, a, other.is_costly(self)))
    }

    fn is_costly(&self, other: &Self) -> bool {
        let points = match &other.core {
            Core::Points(points, _) => points.len(),
            _ => 1,
        };
        self.walls.len() * points > MOST_PRODUCTS
    }

    /// Whether the axis of a capsule enters a solid, by the solid's planes.
    pub(super) fn is_entered(&self, pose: &Pose, capsule: &Self, place: &Pose) -> bool {
        let Core::Points(points, thickness) = &capsule.core else { return false };
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return false };
        if self.walls.is_empty() || *thickness == 0.0 {
            return false;
        }
        let ends = [first, last].map(|x| local(pose, &place.point(x)));
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for wall in self.walls.iter() {
            let [h0, h1] = ends.map(|x| wall.height(&x));
            if h0 > 0.0 && h1 > 0.0 {
                return false;
            } else if h0 > 0.0 {
                enters = enters.max(h0 / (h0 - h1));
            } else if h1 > 0.0 {
                leaves = leaves.min(h0 / (h0 - h1));
            }
        }
        enters < leaves
    }
}

/// The largest distance of a point of the shape from the body's centre; infinite for a half-space \[m\].
pub(super) fn radius_about_centre(shape: &Shape) -> f64 {
    let farthest =
        |points: &[[f64; 3]]| points.iter().map(|&p| length(&V3::from(p))).fold(0.0, f64::max);
    match shape {
        Shape::Sphere { radius, center } => farthest(&[*center]) + radius,
        Shape::Capsule { radius, from, to } => farthest(&[*from, *to]) + radius,
        Shape::Box { half, center, orientation } => {
            // The corner on the same side of each of the box's planes through its middle as the body's centre is not.
            let middle = rotation(*orientation).tr_mul(&V3::from(*center));
            length(&(middle.abs() + V3::from(*half)))
        }
        Shape::Cylinder { radius, half_height, axis, center } => {
            let (axis, centre) = (unit_or(&V3::from(*axis), V3::z), V3::from(*center));
            let up = axis.dot(&centre).abs() + half_height;
            let out = length(&across(&centre, &axis)) + radius;
            f64::sqrt(up * up + out * out)
        }
        Shape::Convex { points } | Shape::Polygon { points } | Shape::Points { points } => {
            farthest(points)
        }
        Shape::HalfSpace { .. } => f64::INFINITY,
    }
}
