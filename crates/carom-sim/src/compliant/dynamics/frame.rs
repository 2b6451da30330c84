//! One configuration and velocity: masses, contacts, joints, and how everything yields.

use super::layout::Layout;
use crate::compliant::linear::Cholesky;
use crate::compliant::mechanism::{ContactGeometry, JointGeometry, MassShape, Mechanism, Size};

/// Everything about one configuration and velocity.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) rates: Vec<f64>,
    pub(super) mass: Vec<f64>,
    factor: Cholesky,
    pub(super) geometry: ContactGeometry,
    pub(super) joints: JointGeometry,
    joint_factor: Cholesky,
    /// `M⁻¹ Bᵀ`, one list per joint row.
    joint_response: Vec<f64>,
    /// Acceleration without contact forces.
    pub(super) free: Vec<f64>,
    /// Acceleration by a unit force, one list per contact row; joints hold.
    pub(super) response: Vec<f64>,
    /// Joint forces without contact forces, then by a unit force of each row.
    pub(super) joint_force: Vec<f64>,
}

impl Frame {
    pub(super) fn new(layout: &Layout, shape: MassShape) -> Self {
        let Size { coordinates, velocities, joints, .. } = layout.size;
        let rows = layout.rows;
        let mass = match shape {
            MassShape::Diagonal => velocities,
            MassShape::Full => velocities * velocities,
        };
        Self {
            rates: vec![0.0; coordinates],
            mass: vec![0.0; mass],
            geometry: ContactGeometry {
                gap: vec![0.0; layout.contacts()],
                jacobian: vec![0.0; rows * velocities],
                drive: vec![0.0; rows],
            },
            joints: JointGeometry { rows: vec![0.0; joints * velocities], bias: vec![0.0; joints] },
            joint_response: vec![0.0; joints * velocities],
            free: vec![0.0; velocities],
            response: vec![0.0; rows * velocities],
            joint_force: vec![0.0; joints * (rows + 1)],
            ..Self::default()
        }
    }

    pub(super) fn fill<M: Mechanism + ?Sized>(&mut self, mechanism: &M, q: &[f64], v: &[f64]) {
        mechanism.rates(q, v, &mut self.rates);
        mechanism.mass(q, &mut self.mass);
        mechanism.force(q, v, &mut self.free);
        mechanism.contacts(q, &mut self.geometry);
        let n = v.len();
        if self.mass.len() != n {
            self.factor.factor(&self.mass, n);
        }
        self.response.copy_from_slice(&self.geometry.jacobian);
        let (mass, factor) = (&self.mass, &mut self.factor);
        divide(mass, factor, &mut self.free);
        for row in self.response.chunks_exact_mut(n.max(1)) {
            divide(mass, factor, row);
        }
        if !self.joints.bias.is_empty() {
            mechanism.joints(q, v, &mut self.joints);
            self.hold(n);
        }
    }

    /// Takes from all accelerations what joints forbid.
    fn hold(&mut self, n: usize) {
        let count = self.joints.bias.len();
        self.joint_response.copy_from_slice(&self.joints.rows);
        for row in self.joint_response.chunks_exact_mut(n) {
            divide(&self.mass, &mut self.factor, row);
        }
        let matrix: Vec<f64> = (0..count * count)
            .map(|k| {
                dot(
                    &self.joints.rows[k / count * n..][..n],
                    &self.joint_response[k % count * n..][..n],
                )
            })
            .collect();
        self.joint_factor.factor(&matrix, count);
        let (free_force, row_forces) = self.joint_force.split_at_mut(count);
        let accelerations = std::iter::once((&mut self.free[..], free_force, true)).chain(
            self.response
                .chunks_exact_mut(n)
                .zip(row_forces.chunks_exact_mut(count))
                .map(|(response, force)| (response, force, false)),
        );
        for (acceleration, force, is_free) in accelerations {
            for (i, force) in force.iter_mut().enumerate() {
                let bias = if is_free { self.joints.bias[i] } else { 0.0 };
                *force = -bias - dot(&self.joints.rows[i * n..][..n], acceleration);
            }
            self.joint_factor.solve(force);
            for (force, response) in force.iter().zip(self.joint_response.chunks_exact(n)) {
                for (a, r) in acceleration.iter_mut().zip(response) {
                    *a += force * r;
                }
            }
        }
    }

    /// `½ v·M v`.
    pub(super) fn kinetic(&self, v: &[f64]) -> f64 {
        let n = v.len();
        if self.mass.len() == n {
            return self.mass.iter().zip(v).map(|(m, v)| 0.5 * m * v * v).sum();
        }
        self.mass.chunks_exact(n.max(1)).zip(v).map(|(row, v_i)| 0.5 * v_i * dot(row, v)).sum()
    }
}

/// `x ← M⁻¹ x`.
fn divide(mass: &[f64], factor: &mut Cholesky, x: &mut [f64]) {
    if mass.len() == x.len() {
        for (x, m) in x.iter_mut().zip(mass) {
            *x /= m;
        }
    } else {
        factor.solve(x);
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
