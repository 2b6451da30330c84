//! Joints between bodies that move: rows that turn with them, and the accelerations that turning causes.

use super::link::{Link, Pose};
use crate::compliant::mechanism::JointGeometry;
use carom::system::{JointKind, PlacedJoint};
use nalgebra::Vector3;

/// A joint.
#[derive(Clone, Debug)]
pub(super) struct JointConstraint {
    kind: JointKind,
    a: usize,
    b: usize,
    /// From the centres of mass of A and B to the joint's point, at the start.
    arms: [Vector3<f64>; 2],
    /// Directions along which nothing parts; a slider's turn with A.
    lines: Vec<Vector3<f64>>,
    /// Axes about which nothing turns; a hinge's turn with A.
    axes: Vec<Vector3<f64>>,
}

impl JointConstraint {
    pub(super) fn new(joint: &PlacedJoint, links: &[Link]) -> Self {
        let vectors = |list: &[[f64; 3]]| list.iter().map(|x| Vector3::from(*x)).collect();
        let point = Vector3::from(joint.point);
        Self {
            kind: joint.kind,
            a: joint.a,
            b: joint.b,
            arms: [joint.a, joint.b].map(|body| point - links[body].position),
            lines: vectors(&joint.lines),
            axes: vectors(&joint.axes),
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.lines.len() + self.axes.len()
    }

    /// Writes the rows from `first` on, and what is left of the acceleration when the velocities do not change.
    pub(super) fn write(
        &self,
        links: &[Link],
        poses: &[Pose],
        first: usize,
        size: usize,
        geometry: &mut JointGeometry,
    ) {
        let (a, b) = (&poses[self.a], &poses[self.b]);
        let [arm_a, arm_b] = [a.carried(&self.arms[0]), b.carried(&self.arms[1])];
        // What B's point is ahead of A's: nothing, but for a slider that has moved.
        let ahead = b.shift + b.turn * self.arms[1] - a.shift - a.turn * self.arms[0];
        let slides = self.kind == JointKind::Slider;
        let reach_a = if slides { arm_a + ahead } else { arm_a };
        let centripetal = |spin: &Vector3<f64>, arm: &Vector3<f64>| spin.cross(&spin.cross(arm));
        let mut acceleration = centripetal(&b.spin, &arm_b) - centripetal(&a.spin, &arm_a);
        if slides {
            let parting = b.velocity + b.spin.cross(&arm_b) - a.velocity - a.spin.cross(&arm_a);
            acceleration += centripetal(&a.spin, &ahead) - a.spin.cross(&parting) * 2.0;
        }
        let mut row = first;
        for line in &self.lines {
            let line = if slides { a.carried(line) } else { *line };
            let entries = &mut geometry.rows[row * size..][..size];
            links[self.a].add_row(a, &-line, &-reach_a.cross(&line), entries);
            links[self.b].add_row(b, &line, &arm_b.cross(&line), entries);
            geometry.bias[row] = line.dot(&acceleration);
            row += 1;
        }
        for axis in &self.axes {
            let turns = self.kind == JointKind::Hinge;
            let axis = if turns { a.carried(axis) } else { *axis };
            let entries = &mut geometry.rows[row * size..][..size];
            links[self.a].add_row(a, &Vector3::zeros(), &-axis, entries);
            links[self.b].add_row(b, &Vector3::zeros(), &axis, entries);
            let rate = if turns { a.spin.cross(&axis) } else { Vector3::zeros() };
            geometry.bias[row] = rate.dot(&(b.spin - a.spin));
            row += 1;
        }
    }
}
