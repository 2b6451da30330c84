//! Where bodies are, and how they move, with given coordinates.

use crate::frames::{
    IDENTITY, Pose, Vector, about, add, cross, product, rotate, scaled, sub, unit_quaternion,
};
use crate::robot::{Coordinate, JointKind, Placed, Robot};

/// All bodies; `coordinates` has those of each body's joints.
pub fn place(robot: &Robot, coordinates: &[Vec<Coordinate>]) -> Vec<Placed> {
    let mut all: Vec<Placed> = Vec::with_capacity(robot.bodies.len());
    for (body, coordinates) in robot.bodies.iter().zip(coordinates) {
        let (base, velocity, spin) = match body.parent.map(|parent| &all[parent]) {
            None => (Pose::IDENTITY, [0.0; 3], [0.0; 3]),
            Some(parent) => (parent.pose, parent.velocity, parent.spin),
        };
        let mut at = Moving { pose: base, velocity, spin };
        at.carry(base.then(body.frame));
        let mut joints = Vec::with_capacity(body.joints.len());
        let mut stages = Vec::with_capacity(body.joints.len());
        for (joint, coordinate) in body.joints.iter().zip(coordinates) {
            let (point, axis) = (at.pose.point(joint.point), rotate(at.pose.turn, joint.axis));
            joints.push((point, axis));
            match joint.kind {
                JointKind::Free => {
                    let place = coordinate.position.unwrap_or(at.pose.place);
                    let turn = match coordinate.position {
                        Some(_) => coordinate.turn,
                        None => at.pose.turn,
                    };
                    let pose = Pose { place, turn };
                    let spin = rotate(turn, coordinate.spin);
                    at = Moving { pose, velocity: coordinate.velocity, spin };
                }
                JointKind::Slide => {
                    let shift = scaled(axis, coordinate.q - joint.reference);
                    at.carry(Pose { place: add(at.pose.place, shift), ..at.pose });
                    at.velocity = add(at.velocity, scaled(axis, coordinate.rate));
                }
                JointKind::Hinge | JointKind::Ball => {
                    let turn = match joint.kind {
                        JointKind::Hinge => about(joint.axis, coordinate.q - joint.reference),
                        _ => coordinate.turn,
                    };
                    let turn = unit_quaternion(product(at.pose.turn, turn)).unwrap_or(IDENTITY);
                    let arm = rotate(turn, joint.point);
                    let rate = match joint.kind {
                        JointKind::Hinge => scaled(axis, coordinate.rate),
                        _ => rotate(turn, coordinate.spin),
                    };
                    // The joint's point is one of both bodies.
                    let moved = add(at.velocity, cross(at.spin, sub(point, at.pose.place)));
                    at.spin = add(at.spin, rate);
                    at.pose = Pose { place: sub(point, arm), turn };
                    at.velocity = sub(moved, cross(at.spin, arm));
                }
            }
            stages.push((at.pose, at.velocity, at.spin));
        }
        let Moving { pose, velocity, spin } = at;
        let coordinates = coordinates.iter().map(|coordinate| coordinate.q).collect();
        all.push(Placed { pose, velocity, spin, joints, coordinates, stages });
    }
    all
}

/// A frame on its way through joints.
struct Moving {
    pose: Pose,
    velocity: Vector,
    spin: Vector,
}

impl Moving {
    /// To another frame of the same body.
    fn carry(&mut self, to: Pose) {
        let arm = sub(to.place, self.pose.place);
        self.velocity = add(self.velocity, cross(self.spin, arm));
        self.pose = to;
    }
}
