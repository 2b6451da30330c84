//! What is answered where the equations of a law were not solved within its budget: impulses in the friction cones after
//! which no contact approaches, and no energy is created besides what the law creates.

use super::contacts::ActiveContacts;
use super::phase::{Phase, Solved};
use crate::numerics::coulomb::Failure;
use crate::outcome::{Note, Notes, SolverEffort};

impl Phase {
    /// An answer that nearly solves the law: contacts that still approach after it are stopped by a relaxed impact.
    pub(crate) fn stop_approach(
        &mut self,
        active: &ActiveContacts,
        nearly: Solved,
        impulse: &mut [f64],
    ) -> Result<Solved, Failure> {
        let mut velocity = active.velocity.clone();
        active.add_velocity(impulse, &mut velocity);
        let report = self.relax(active, &velocity)?;
        impulse.iter_mut().zip(self.impulse()).for_each(|(p, more)| *p += more);
        let iterations = nearly.effort.iterations + u64::from(report.iterations);
        Ok(Solved { effort: SolverEffort { iterations, ..nearly.effort }, ..nearly })
    }

    /// The relaxed impact in place of the law's, `1 + e` times, with the smallest `e`: [Moreau1988] shows that it
    /// creates no energy.
    pub(crate) fn replace(
        &mut self,
        active: &ActiveContacts,
        failure: Failure,
        impulse: &mut Vec<f64>,
    ) -> Result<Solved, Failure> {
        let Failure::NotConverged { residual, iterations } = failure else { return Err(failure) };
        let report = self.relax(active, &active.velocity).map_err(|_| failure)?;
        let mut e = f64::INFINITY;
        for surface in &active.surfaces {
            e = if active.velocity[surface.first] > 0.0 { 0.0 } else { e.min(surface.e) };
        }
        impulse.clear();
        impulse.extend(self.impulse().iter().map(|p| (1.0 + e) * p));
        let mut notes = Notes::NONE;
        notes.insert(Note::Relaxed);
        let effort = SolverEffort {
            impulse_unique: Some(report.impulse_unique),
            iterations: u64::from(iterations) + u64::from(report.iterations),
            // Where nothing was found, nothing is fulfilled.
            residual: residual.min(1.0),
            ..SolverEffort::default()
        };
        Ok(Solved { effort, notes })
    }
}
