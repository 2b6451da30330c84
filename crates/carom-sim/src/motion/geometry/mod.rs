//! Gaps between shapes: one smooth function per pair of features, with what contacts need of it.

use super::scene::Shape;
use super::vector::{Pose, Twist, V3};

/// How two features lie to each other at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    /// Negative inside [m].
    pub(crate) gap: f64,
    /// From A to B, of length one \[1\].
    pub(crate) normal: V3,
    /// Where they touch if the gap is zero [m].
    pub(crate) point: V3,
}

/// How the geometry of a [`Touch`] changes. The point is the place of contact, not a point of either body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TouchRates {
    /// [1/s]
    pub(crate) normal: V3,
    /// [m/s]
    pub(crate) point: V3,
}

/// A feature of body A against one of body B.
#[derive(Clone, Debug)]
pub(crate) struct Feature {}

impl Feature {
    /// Gap, normal and point.
    pub(crate) fn touch(&self, _a: &Pose, _b: &Pose) -> Touch {
        todo!()
    }

    /// The rates of normal and point.
    pub(crate) fn rates(
        &self,
        _touch: &Touch,
        _poses: [&Pose; 2],
        _twists: [&Twist; 2],
    ) -> TouchRates {
        todo!()
    }

    /// How far inside its region of validity the pair of features is; negative where another pair is the nearest one, infinite
    /// where it is always valid [m].
    pub(crate) fn margin(&self, _a: &Pose, _b: &Pose) -> f64 {
        todo!()
    }

    /// The largest distances of the features' points from the centres of A and of B, where they can touch [m].
    pub(crate) fn reach(&self) -> [f64; 2] {
        todo!()
    }

    /// The smallest radius of curvature that enters how the gap turns; infinite for a point against a plane that does not
    /// turn [m].
    pub(crate) fn curvature_radius(&self) -> f64 {
        todo!()
    }
}

/// All features of one shape of A against one shape of B.
#[derive(Clone, Debug)]
pub(crate) struct ShapePair {
    /// In a fixed order.
    pub(crate) features: Vec<Feature>,
    /// Whether at most one of them touches at a time: two shapes of which one is a ball, say. A rolling ball changes from one
    /// feature to the next.
    pub(crate) single: bool,
}

impl ShapePair {
    /// The features of two shapes, each in the frame of its body; an error says that the pair is not supported.
    pub(crate) fn new(_a: &Shape, _b: &Shape, _planar: bool) -> Result<Self, String> {
        todo!()
    }
}

/// The smallest ball around the body's centre that holds the shape; infinite for a half-space [m].
pub(crate) fn bounding_radius(_shape: &Shape) -> f64 {
    todo!()
}
