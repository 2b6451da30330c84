//! Masses on a line.

use super::generalized::Joints;
use super::sparse::Rows;
use super::{Aftermath, Generalized, MassMatrix, check_len};
use crate::contact::{Motion, Separating};
use crate::numerics::sparse::SparseRows;
use crate::{ContactProblem, ContactSpec, ImpactError, Material};

/// Masses on a line, from left to right, each touching its neighbours: Newton's cradle, a row of coins.
///
/// Contact `k` stands between mass `k` (A) and mass `k + 1` (B) and owns one row, `u = v[k + 1] − v[k]`; so `W` is
/// tridiagonal, with `1/m[k] + 1/m[k + 1]` on the diagonal and `−1/m[k + 1]` beside it.
#[derive(Clone, Debug)]
pub struct Chain(Generalized);

impl Chain {
    /// A chain from n masses \[kg\], n velocities [m/s] and n − 1 coefficients of restitution \[1\].
    pub fn new(mass: Vec<f64>, velocity: Vec<f64>, e: Vec<f64>) -> Result<Self, ImpactError> {
        if mass.len() < 2 {
            return Err(ImpactError::bad_problem(
                "mass",
                format!("{} numbers", mass.len()),
                "a chain has at least two masses",
            ));
        }
        check_len("velocity", velocity.len(), mass.len(), "one per mass")?;
        check_len("e", e.len(), mass.len() - 1, "one per pair of neighbours")?;
        let contacts = e
            .iter()
            .enumerate()
            .map(|(k, &e)| {
                let material = Material::new(0.0, e).map_err(|error| match error {
                    ImpactError::BadProblem { value, reason, .. } => {
                        ImpactError::bad_problem(format!("e[{k}]"), value, reason)
                    }
                    other => other,
                })?;
                Ok(ContactSpec::new(1, material))
            })
            .collect::<Result<Vec<_>, ImpactError>>()?;
        let pairs = contacts.len();
        let mut jacobian = SparseRows::with_capacity(mass.len(), pairs, 2 * pairs);
        for k in 0..pairs {
            jacobian.push(&mut [(k, -1.0), (k + 1, 1.0)]);
        }
        let jacobian = Rows::undriven(jacobian);
        let mass = MassMatrix::Diagonal(mass);
        let joints = Joints::none(velocity.len());
        Generalized::from_rows(mass, velocity, contacts, jacobian, joints).map(Self)
    }

    /// The same chain with another treatment of neighbours that separate.
    pub fn with_separating(self, separating: Separating) -> Result<Self, ImpactError> {
        self.0.with_separating(separating).map(Self)
    }

    /// The same chain in which contacts with a larger gap take no part \[m\].
    pub fn with_proximity(self, proximity: f64) -> Result<Self, ImpactError> {
        self.0.with_proximity(proximity).map(Self)
    }

    /// The chain as its contacts see it.
    pub fn problem(&self) -> &ContactProblem {
        self.0.problem()
    }

    /// The velocities after an impulse at the contacts (n − 1 numbers [N·s]).
    pub fn after(&self, impulse: &[f64]) -> Result<Aftermath, ImpactError> {
        self.0.after(impulse)
    }

    pub(super) fn motion(&self, impulse: &[f64]) -> Option<Motion> {
        self.0.motion(impulse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_is_tridiagonal() -> Result<(), ImpactError> {
        let chain = Chain::new(vec![1.0, 2.0, 4.0], vec![1.0, 0.5, -1.0], vec![1.0, 0.5])?;
        let problem = chain.problem();
        assert_eq!(problem.velocity(), &[-0.5, -1.5]);
        assert_eq!(problem.delassus_at(0, 0), 1.5);
        assert_eq!(problem.delassus_at(0, 1), -0.5);
        assert_eq!(problem.delassus_at(1, 0), -0.5);
        assert_eq!(problem.delassus_at(1, 1), 0.75);

        // p = (2, 1): mass 0 loses 2/1, mass 1 gains (2 − 1)/2, mass 2 gains 1/4.
        let after = chain.after(&[2.0, 1.0])?;
        assert_eq!(after.velocity, [-1.0, 1.0, -0.75]);
        // ½(1·1 + 2·1 + 4·0.5625) − ½(1·1 + 2·0.25 + 4·1) = 2.625 − 2.75
        assert_eq!(after.kinetic_energy_change, -0.125);
        assert_eq!(after.momentum_residual, 0.0);
        assert!(after.bilateral_impulse.is_empty());
        Ok(())
    }

    #[test]
    fn refuses_what_is_not_a_chain() {
        let message = |mass: &[f64], velocity: &[f64], e: &[f64]| {
            let chain = Chain::new(mass.to_vec(), velocity.to_vec(), e.to_vec());
            chain.err().map(|e| e.to_string()).unwrap_or_default()
        };
        assert!(message(&[1.0], &[0.0], &[]).starts_with("mass = 1 numbers:"));
        assert!(message(&[1.0, 1.0], &[0.0], &[1.0]).starts_with("velocity = 1 numbers:"));
        assert!(message(&[1.0, 1.0], &[0.0, 0.0], &[]).starts_with("e = 0 numbers:"));
        assert!(message(&[1.0, 1.0], &[0.0, 0.0], &[-0.5]).starts_with("e[0] = -0.5:"));
        assert!(message(&[1.0, -1.0], &[0.0, 0.0], &[1.0]).starts_with("mass[1] = -1:"));
        assert!(message(&[1.0, 1.0], &[0.0, f64::NAN], &[1.0]).starts_with("velocity[1] = NaN:"));
    }
}
