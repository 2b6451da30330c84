//! From a mechanism and its contacts to a system of differential equations, with its Jacobian.
//!
//! The unknowns are `q`, `v`, and what accumulates on the way: the impulse of every row, the energy that each contact's
//! friction and damper took, and the work of prescribed motion.

mod frame;
mod jacobian;
mod layout;
#[cfg(test)]
mod tests;

pub(super) use layout::Layout;

use super::mechanism::{ContactGeometry, Mechanism};
use super::model::{CompliantContact, Exponent, Force, Mode};
use frame::{Frame, dot};

/// A mechanism, its contacts, and memory.
pub(in crate::compliant) struct Dynamics<'a, M: ?Sized> {
    pub(super) mechanism: &'a M,
    pub(super) contacts: &'a [CompliantContact],
    pub(super) exponent: Exponent,
    pub(super) modes: Vec<Mode>,
    pub(super) layout: Layout,
    frame: Frame,
    moved: Frame,
    forces: Vec<Force>,
    velocity: Vec<f64>,
    /// Steps of difference quotients, one per coordinate and velocity. Only the smooth dependence on the configuration
    /// is found so; the contacts' own slopes are exact.
    pub(super) difference: Vec<f64>,
    shifted: Vec<f64>,
    /// `∂u/∂(q, v)`, one list per row.
    velocity_slope: Vec<f64>,
    gap_slope: Vec<f64>,
}

impl<'a, M: Mechanism + ?Sized> Dynamics<'a, M> {
    pub(super) fn new(
        mechanism: &'a M,
        contacts: &'a [CompliantContact],
        exponent: Exponent,
    ) -> Self {
        let layout = Layout::new(mechanism.size());
        let frame = Frame::new(&layout, mechanism.mass_shape());
        Self {
            mechanism,
            contacts,
            exponent,
            modes: vec![Mode::Open; layout.contacts()],
            forces: vec![Force::default(); layout.contacts()],
            velocity: vec![0.0; layout.rows],
            difference: vec![0.0; layout.mechanics()],
            shifted: vec![0.0; layout.mechanics()],
            velocity_slope: vec![0.0; layout.rows * layout.mechanics()],
            gap_slope: vec![0.0; layout.contacts() * layout.size.coordinates],
            moved: frame.clone(),
            frame,
            layout,
        }
    }

    /// Computes gaps, contact velocities and forces of a state.
    pub(super) fn evaluate(&mut self, y: &[f64]) {
        let v = &y[self.layout.v()];
        self.frame.fill(self.mechanism, &y[self.layout.q()], v);
        contact_velocity(&self.frame.geometry, v, &mut self.velocity);
        for k in 0..self.contacts.len() {
            self.forces[k] =
                self.contacts[k].force(self.exponent, self.modes[k], self.depth(k), self.u(k));
        }
    }

    /// Computes gaps and contact velocities alone, for events.
    pub(super) fn evaluate_kinematics(&mut self, y: &[f64]) {
        self.mechanism.contacts(&y[self.layout.q()], &mut self.frame.geometry);
        contact_velocity(&self.frame.geometry, &y[self.layout.v()], &mut self.velocity);
    }

    /// Penetration of contact `k`, negative where it is open \[m\].
    pub(super) fn depth(&self, k: usize) -> f64 {
        -self.frame.geometry.gap[k]
    }

    /// Velocity of contact `k`, absent tangents zero [m/s].
    pub(super) fn u(&self, k: usize) -> [f64; 3] {
        let mut u = [0.0; 3];
        for (u, own) in u.iter_mut().zip(&self.velocity[self.layout.rows(k)]) {
            *u = *own;
        }
        u
    }

    /// Force of contact `k`.
    pub(super) fn force(&self, k: usize) -> &Force {
        &self.forces[k]
    }

    /// `J_i · M⁻¹ J_iᵀ`, joints holding: how row `i` yields to its own force [1/kg].
    pub(super) fn mobility(&self, i: usize) -> f64 {
        let n = self.layout.size.velocities;
        dot(&self.frame.geometry.jacobian[i * n..][..n], &self.frame.response[i * n..][..n])
    }

    /// Acceleration of row `i` without contact forces, its own turning left out [m/s²].
    pub(super) fn free_acceleration(&self, i: usize) -> f64 {
        let n = self.layout.size.velocities;
        dot(&self.frame.geometry.jacobian[i * n..][..n], &self.frame.free)
    }

    /// Diagonal entry of the mass matrix.
    pub(super) fn inertia(&self, i: usize) -> f64 {
        let n = self.layout.size.velocities;
        if self.frame.mass.len() == n { self.frame.mass[i] } else { self.frame.mass[i * n + i] }
    }

    /// Kinetic energy of the state evaluated last \[J\].
    pub(super) fn kinetic(&self, y: &[f64]) -> f64 {
        self.frame.kinetic(&y[self.layout.v()])
    }

    /// The right-hand side.
    pub(super) fn slope(&mut self, y: &[f64], slope: &mut [f64]) {
        self.evaluate(y);
        let layout = &self.layout;
        let n = layout.size.velocities;
        slope[layout.q()].copy_from_slice(&self.frame.rates);
        let mut supplied = 0.0;
        let (acceleration, rest) = slope[layout.v().start..].split_at_mut(n);
        acceleration.copy_from_slice(&self.frame.free);
        for (k, force) in self.forces.iter().enumerate() {
            for (row, f) in layout.rows(k).zip(force.force) {
                rest[row] = f;
                // A contact's power is f·u; what it takes from prescribed motion is not the bodies'.
                supplied -= f * self.frame.geometry.drive[row];
                if f != 0.0 {
                    for (a, r) in acceleration.iter_mut().zip(&self.frame.response[row * n..]) {
                        *a += f * r;
                    }
                }
            }
        }
        supplied += self.joint_power(&y[layout.v()], &rest[..layout.rows]);
        for (k, force) in self.forces.iter().enumerate() {
            slope[layout.friction().start + k] = force.friction_power;
            slope[layout.damping().start + k] = force.damping_power;
        }
        slope[layout.supplied()] = supplied;
    }

    /// The power of joint forces: none, unless a joint hangs on something that moves as prescribed.
    fn joint_power(&self, v: &[f64], contact_force: &[f64]) -> f64 {
        let count = self.frame.joints.bias.len();
        let n = v.len();
        let mut power = 0.0;
        for (i, row) in self.frame.joints.rows.chunks_exact(n.max(1)).enumerate() {
            let mut force = self.frame.joint_force[i];
            for (j, f) in contact_force.iter().enumerate() {
                force += f * self.frame.joint_force[(j + 1) * count + i];
            }
            power += force * dot(row, v);
        }
        power
    }
}

/// `u = J v + drive`.
fn contact_velocity(geometry: &ContactGeometry, v: &[f64], velocity: &mut [f64]) {
    let rows = geometry.jacobian.chunks_exact(v.len().max(1));
    for ((u, row), drive) in velocity.iter_mut().zip(rows).zip(&geometry.drive) {
        *u = dot(row, v) + drive;
    }
}
