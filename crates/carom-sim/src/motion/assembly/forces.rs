//! Springs, dampers, given forces and torques; energies and powers.

use super::tree::Side;
use super::{Assembly, Dynamics, Energy, Kinematics, Wrench};
use crate::motion::report::{Failure, FailureKind};
use crate::motion::vector::V3;

/// Of a spring that is at rest at some length, lengths below this part of the assembly's have no direction.
const LEAST_LENGTH: f64 = 1e-9;

/// A joint's spring, damper and torque: the force on `q` is `−stiffness (q − rest) − damping q̇ + torque`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Actuator {
    /// [N·m/rad or N/m]
    pub(super) stiffness: f64,
    /// [N·m·s/rad or N·s/m]
    pub(super) damping: f64,
    /// [rad or m]
    pub(super) rest: f64,
    /// [N·m or N]
    pub(super) torque: f64,
}

impl Actuator {
    /// The force at a place and speed; adds its powers.
    pub(super) fn force(&self, q: f64, rate: f64, powers: &mut super::Powers) -> f64 {
        powers.damping -= self.damping * rate * rate;
        powers.forces += self.torque * rate;
        -self.stiffness * (q - self.rest) - self.damping * rate + self.torque
    }

    /// Whether it does anything.
    pub(super) fn acts(&self) -> bool {
        self.stiffness != 0.0 || self.damping != 0.0 || self.torque != 0.0
    }

    /// The energy of the spring \[J\].
    pub(super) fn energy(&self, q: f64) -> f64 {
        0.5 * self.stiffness * (q - self.rest) * (q - self.rest)
    }
}

/// A hinge or slider of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coordinate {
    /// Its place among the positions.
    pub(super) q: usize,
    /// Its place among the velocities.
    pub(super) v: usize,
    pub(super) actuator: Actuator,
    /// What its rate has of inertia besides that of bodies [kg·m² or kg].
    pub(super) armature: f64,
}

/// A spring and damper between points.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpringPart {
    /// Its place in the scene.
    pub(super) index: usize,
    pub(super) sides: [Side; 2],
    /// In the frames of the bodies \[m\].
    pub(super) points: [V3; 2],
    /// [N/m]
    pub(super) stiffness: f64,
    /// [N·s/m]
    pub(super) damping: f64,
    /// At rest \[m\].
    pub(super) length: f64,
}

/// A constant force and torque.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// Within the assembly.
    pub(super) body: usize,
    /// In the world's frame \[N\].
    pub(super) force: V3,
    /// In the body's frame \[m\].
    pub(super) point: V3,
    /// In the world's frame [N·m].
    pub(super) torque: V3,
}

/// A spring at an instant.
struct Stretch {
    /// From the centres of mass to its ends \[m\].
    rho: [V3; 2],
    length: f64,
    /// On the second body \[N\].
    force: V3,
    /// Of the damper \[W\].
    power: f64,
}

impl SpringPart {
    fn at(&self, kinematics: &Kinematics) -> Stretch {
        let [a, b] = self.sides.map(|side| kinematics.frame(side));
        let rho = [a.pose.rotation * self.points[0], b.pose.rotation * self.points[1]];
        let d = (b.pose.centre + rho[1]) - (a.pose.centre + rho[0]);
        let rate = b.twist.at(&rho[1]) - a.twist.at(&rho[0]);
        let square = d.dot(&d);
        let length = f64::sqrt(square);
        // The part of the rate along the spring. A spring without length is passed on a line: all of the rate.
        let along = if square > 0.0 { d * (d.dot(&rate) / square) } else { rate };
        let pull = if self.length > 0.0 { d * (1.0 - self.length / length) } else { d };
        Stretch {
            rho,
            length,
            force: -pull * self.stiffness - along * self.damping,
            power: -self.damping * along.dot(&along),
        }
    }
}

impl Assembly {
    /// Adds springs and given forces to the wrenches and to the generalized forces (`free`), and their powers.
    pub(super) fn apply_forces(
        &self,
        q: &[f64],
        v: &[f64],
        kinematics: &Kinematics,
        out: &mut Dynamics,
    ) -> Result<(), Failure> {
        for spring in &self.springs {
            let stretch = spring.at(kinematics);
            if spring.length > 0.0 && stretch.length < LEAST_LENGTH * self.length {
                return Err(Failure {
                    kind: FailureKind::SpringLength,
                    message: format!(
                        "springs[{}] has come down to a length of {} m: it has no direction; with \"length\": 0 it pulls \
                         without one",
                        spring.index, stretch.length
                    ),
                });
            }
            out.powers.damping += stretch.power;
            for (k, sign) in [(0, -1.0), (1, 1.0)] {
                let force = stretch.force * sign;
                push(&mut out.wrenches, spring.sides[k], force, stretch.rho[k].cross(&force));
            }
        }
        for load in &self.loads {
            let rho = kinematics.poses[load.body].rotation * load.point;
            let twist = &kinematics.twists[load.body];
            out.powers.forces += load.force.dot(&twist.at(&rho)) + load.torque.dot(&twist.spin);
            let torque = rho.cross(&load.force) + load.torque;
            push(&mut out.wrenches, Side::Body(load.body), load.force, torque);
        }
        for at in &self.coordinates {
            if at.actuator.acts() {
                out.free[at.v] += at.actuator.force(q[at.q], v[at.v], &mut out.powers);
            }
        }
        for joint in self.loops.iter().filter(|joint| joint.actuator.acts()) {
            let [q, rate] = joint.coordinate(kinematics);
            let force = joint.actuator.force(q, rate, &mut out.powers);
            for (side, wrench) in joint.sides.into_iter().zip(joint.unit_wrenches(kinematics)) {
                push(&mut out.wrenches, side, wrench.force * force, wrench.torque * force);
            }
        }
        Ok(())
    }

    pub(super) fn energy_of(&self, q: &[f64], kinematics: &Kinematics) -> Energy {
        let mut energy = Energy::default();
        for (body, node) in self.nodes.iter().enumerate() {
            let (pose, twist) = (&kinematics.poses[body], &kinematics.twists[body]);
            let turning = twist.spin.dot(&node.angular_momentum(&pose.rotation, &twist.spin));
            energy.kinetic += 0.5 * (node.mass * twist.velocity.dot(&twist.velocity) + turning);
            energy.potential -= node.mass * self.gravity.dot(&pose.centre);
        }
        for spring in &self.springs {
            let stretch = spring.at(kinematics).length - spring.length;
            energy.elastic += 0.5 * spring.stiffness * stretch * stretch;
        }
        for (at, rate) in self.coordinates.iter().zip(&kinematics.rates) {
            energy.kinetic += 0.5 * at.armature * rate * rate;
            energy.elastic += at.actuator.energy(q[at.q]);
        }
        for joint in self.loops.iter().filter(|joint| joint.actuator.acts()) {
            energy.elastic += joint.actuator.energy(joint.coordinate(kinematics)[0]);
        }
        energy
    }

    /// The velocity that prescribed motion gives to a fixed body, or to the tree of a moving one [m/s].
    pub(super) fn drive_of(&self, kinematics: &Kinematics, side: Side) -> V3 {
        let anchor = match side {
            Side::Fixed(anchor) => Some(anchor),
            Side::Body(body) => self.nodes[body].anchor,
        };
        anchor.map_or(V3::zeros(), |anchor| kinematics.anchors[anchor].twist.velocity)
    }

    /// Prescribed motion moves whole trees. On each its force is what accelerates the tree beyond other forces; what is
    /// between two trees, or between a tree and a fixed body, acts on both.
    pub(super) fn power_of_drives(
        &self,
        kinematics: &Kinematics,
        acceleration: &[f64],
        contact_forces: &[V3],
    ) -> f64 {
        if !self.is_driven() {
            return 0.0;
        }
        let mut power = 0.0;
        for (body, node) in self.nodes.iter().enumerate() {
            let drive = self.drive_of(kinematics, Side::Body(body));
            let rise = self.centre_acceleration(kinematics, body, acceleration) - self.gravity;
            let contact = contact_forces.get(body).copied().unwrap_or_else(V3::zeros);
            power += drive.dot(&(rise * node.mass - contact));
        }
        let apart = |[a, b]: [Side; 2]| self.drive_of(kinematics, b) - self.drive_of(kinematics, a);
        for spring in &self.springs {
            power -= apart(spring.sides).dot(&spring.at(kinematics).force);
        }
        for load in &self.loads {
            power -= self.drive_of(kinematics, Side::Body(load.body)).dot(&load.force);
        }
        for joint in self.loops.iter().filter(|joint| joint.actuator.acts()) {
            let [q, rate] = joint.coordinate(kinematics);
            let force = joint.actuator.force(q, rate, &mut super::Powers::default());
            let [_, unit] = joint.unit_wrenches(kinematics);
            power -= apart(joint.sides).dot(&unit.force) * force;
        }
        power
    }
}

/// Adds to what acts on a body; fixed bodies feel nothing.
fn push(wrenches: &mut [Wrench], side: Side, force: V3, torque: V3) {
    if let Side::Body(body) = side {
        wrenches[body].force += force;
        wrenches[body].torque += torque;
    }
}
