//! From impulses of the path to those of the answer: within their cones, without gain of energy, and without approach.

use super::island::{Island, Pushing};
use super::tolerances as tol;
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::energy::share_without_gain;
use crate::island::normal::NormalProblem;
use crate::island::{Context, complementarity};
use crate::numerics::coulomb::{Block, Choice, Kind, Problem, Solver};
use crate::numerics::dot;

impl Island<'_> {
    /// `u⁻ + W p` [m/s].
    fn velocity_after(&self, impulse: &[f64]) -> Vec<f64> {
        let mut along = vec![0.0; self.factor.rank];
        for (row, p) in impulse.iter().enumerate() {
            along.iter_mut().zip(self.row(row)).for_each(|(x, b)| *x += p * b);
        }
        self.velocity.iter().enumerate().map(|(row, u)| u + dot(self.row(row), &along)).collect()
    }

    /// Stops all that approach at once, by Coulomb's law without restitution, if that has a solution: nothing that an impulse
    /// within its cones does against the velocity it leaves creates energy.
    pub(crate) fn stop(&self, impulse: &mut [f64]) {
        let kind = |contact: &Pushing| Kind::Cone { mu: contact.material.mu, lower: 0.0 };
        if let Some(more) = self.by_coulomb(&self.velocity_after(impulse), kind) {
            impulse.iter_mut().zip(more.impulse()).for_each(|(p, more)| *p += more);
        }
    }

    /// Coulomb's law for all contacts at once, each bound as `kind` says, if a solution is found quickly.
    fn by_coulomb(&self, offset: &[f64], kind: impl Fn(&Pushing) -> Kind) -> Option<Solver> {
        let block = |contact: &Pushing| Block { rows: contact.tangents + 1, kind: kind(contact) };
        let blocks: Vec<Block> = self.contacts.iter().map(block).collect();
        let problem = Problem {
            factor: &self.factor.entries,
            freedoms: self.factor.rank,
            offset,
            blocks: &blocks,
        };
        let mut solver = Solver::default();
        solver.solve(&problem, Choice::Quick).ok()?;
        Some(solver)
    }

    /// Takes away what the integration gained, about 1e-11 of the energy where nothing is lost, and stops what still
    /// approaches more slowly than steps are exact.
    pub(crate) fn settle(
        &self,
        problem: &ContactProblem,
        impulse: &mut [f64],
        context: &mut Context,
    ) -> Result<(), ImpactError> {
        let mut after = self.velocity_after(impulse);
        let gain: f64 = (impulse.iter().zip(self.velocity.iter().zip(&after)))
            .map(|(p, (u, v))| 0.5 * p * (u + v))
            .sum();
        let scale = self.velocity.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let zero = -context.tolerances.approach * scale;
        let parts = |after: &[f64]| self.contacts.iter().all(|c| after[c.first_row] >= zero);
        if gain <= 0.0 && parts(&after) {
            return Ok(());
        }
        let normals = NormalProblem::new(problem, context.tolerances)?;
        if gain > 0.0 {
            let mut inelastic = vec![0.0; impulse.len()];
            self.push(&complementarity::solve(&normals, &normals.u, context)?.p, &mut inelastic);
            let rest = self.velocity_after(&inelastic);
            let share = share_without_gain([impulse, &after], [&inelastic, &rest], &self.velocity);
            for (p, q) in impulse.iter_mut().zip(&inelastic) {
                *p = q + share * (*p - q);
            }
            after = self.velocity_after(impulse);
        }
        for _ in 0..tol::SETTLE_ROUNDS {
            if parts(&after) {
                break;
            }
            let left: Vec<f64> = self.contacts.iter().map(|c| after[c.first_row]).collect();
            match complementarity::solve(&normals, &left, context) {
                // Rounding alone may ask for what no motion has.
                Err(ImpactError::NoSolution { .. } | ImpactError::NotConverged { .. }) => break,
                solved => self.push(&solved?.p, impulse),
            }
            after = self.velocity_after(impulse);
        }
        Ok(())
    }

    /// Adds normal impulses.
    fn push(&self, normals: &[f64], impulse: &mut [f64]) {
        for (contact, p) in self.contacts.iter().zip(normals) {
            impulse[contact.first_row] += p;
        }
    }
}
