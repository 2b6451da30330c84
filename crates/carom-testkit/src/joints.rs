//! Velocities that joints allow.

use crate::Mechanism;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// `M⁻¹`.
pub(crate) fn inverse_mass(mechanism: &Mechanism) -> DMatrix<f64> {
    let f = mechanism.size();
    let mass = DMatrix::from_row_slice(f, f, &mechanism.mass);
    mass.cholesky().expect("masses are positive").inverse()
}

/// What holds the joints of a mechanism together.
pub(crate) struct Joints {
    rows: DMatrix<f64>,
    /// How coordinates answer to impulses of the rows.
    response: DMatrix<f64>,
    held: Cholesky<f64, Dyn>,
}

impl Joints {
    pub(crate) fn of(mechanism: &Mechanism, inverse: &DMatrix<f64>) -> Option<Self> {
        let (f, b) = (mechanism.size(), mechanism.bilateral.len());
        if b == 0 {
            return None;
        }
        let rows = DMatrix::from_row_slice(b, f, &mechanism.bilateral.concat());
        let response = inverse * rows.transpose();
        let held = (&rows * &response).cholesky().expect("joints are independent");
        Some(Self { rows, response, held })
    }

    /// Takes from the velocity what breaks a joint, by the impulses of the joints alone.
    pub(crate) fn keep(&self, velocity: &mut [f64]) {
        let broken = &self.rows * DVector::from_column_slice(velocity);
        let change = &self.response * self.held.solve(&broken);
        velocity.iter_mut().zip(&change).for_each(|(v, change)| *v -= change);
    }
}

/// Gives the mechanism a velocity that its joints allow.
pub(crate) fn keep_joints(mechanism: &mut Mechanism) {
    if let Some(joints) = Joints::of(mechanism, &inverse_mass(mechanism)) {
        // The second time takes the rounding of the first.
        joints.keep(&mut mechanism.velocity);
        joints.keep(&mut mechanism.velocity);
    }
}
