//! Joints between bodies, as bilateral rows.

use super::frame::Dimension;
use crate::ImpactError;
use nalgebra::Vector3;

/// What a joint lets free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// All rotation about the point. In the plane a pin.
    Ball,
    /// Rotation about an axis through the point. In the plane a pin, and the axis is left out.
    Hinge,
    /// Translation along an axis, no rotation.
    Slider,
    /// Nothing.
    Weld,
}

/// A joint between two bodies. One of them may be fixed, and may move as prescribed: an impact is over before
/// prescribed motion gets anywhere, so the joint only forbids a *change* of the relative velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// What it lets free.
    pub kind: JointKind,
    /// Index of the first body.
    pub a: usize,
    /// Index of the second body.
    pub b: usize,
    /// A point of the joint, in the world frame \[m\].
    pub point: Vec<f64>,
    /// The axis of a hinge (in space) or slider, of any length, in the world frame \[1\].
    pub axis: Option<Vec<f64>>,
}

/// A velocity of B relative to A that a row measures, and the impulse on B that acts along it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Along {
    /// Velocity of the bodies' points at `point` along a direction; a force through the point.
    Line { point: Vector3<f64>, direction: Vector3<f64> },
    /// Angular velocity about an axis; a pure moment.
    Axis(Vector3<f64>),
}

impl Joint {
    /// The motions that the joint forbids: translations first, then rotations.
    pub(super) fn forbidden(&self, dimension: Dimension) -> Result<Vec<Along>, ImpactError> {
        let point = dimension.vector("point", &self.point)?;
        let world: Vec<Vector3<f64>> =
            (0..dimension.size()).map(|i| Vector3::ith(i, 1.0)).collect();
        let turns = match dimension {
            Dimension::Planar => vec![Vector3::z()],
            Dimension::Spatial => world.clone(),
        };
        let axis = self.checked_axis(dimension)?;
        let across = axis.map_or_else(Vec::new, |axis| dimension.tangents(&axis));
        let (directions, axes) = match self.kind {
            JointKind::Ball => (world, Vec::new()),
            // In the plane there is no axis, and nothing across it.
            JointKind::Hinge => (world, across),
            JointKind::Slider => (across, turns),
            JointKind::Weld => (world, turns),
        };
        let lines = directions.into_iter().map(|direction| Along::Line { point, direction });
        Ok(lines.chain(axes.into_iter().map(Along::Axis)).collect())
    }

    /// The axis at unit length where the joint has one.
    fn checked_axis(&self, dimension: Dimension) -> Result<Option<Vector3<f64>>, ImpactError> {
        let needed = match self.kind {
            JointKind::Hinge => dimension == Dimension::Spatial,
            JointKind::Slider => true,
            JointKind::Ball | JointKind::Weld => false,
        };
        match (&self.axis, needed) {
            (Some(axis), true) => dimension.unit("axis", axis).map(Some),
            (None, true) => Err(ImpactError::bad_problem(
                "axis",
                "absent",
                "a slider, and a hinge in space, needs an axis",
            )),
            (Some(axis), false) => Err(ImpactError::bad_problem(
                "axis",
                format!("{axis:?}"),
                "a ball joint, a weld and a hinge in the plane have no axis",
            )),
            (None, false) => Ok(None),
        }
    }
}
