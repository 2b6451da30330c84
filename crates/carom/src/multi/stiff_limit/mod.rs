//! # Limit of stiff contacts (2026)
//!
//! TODO

mod alone;
mod events;
mod field;
mod finish;
mod friction;
mod island;
mod jump;
mod model;
mod motion;
mod run;
mod settings;
mod smooth;
mod step;
mod stick;
mod switch;

use super::catalog::CatalogMultiLaw;
use super::lzb::Gaps;
use super::{Desk, IslandAnswer, MultiRow};
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::law::Settings;
use crate::outcome::{Note, Notes, ProblemEffort};
use island::Island;
use model::Model;
use run::Run;
pub(super) use settings::ROW;

/// The error that one step may make, relative to that of the whole: some tens of steps add up \[1\].
const STEP_SHARE: f64 = 0.1;

/// Springs with friction, infinitely hard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StiffLimit {
    /// The power of the indentation in the force: 1 linear, 1.5 Hertz \[1\].
    pub exponent: f64,
    /// Whether contacts remember gaps.
    pub gaps: Gaps,
    /// Hunt and Crossley's damping, in place of `e` [s/m].
    pub hunt_crossley: Option<f64>,
    /// The error of velocities that is aimed at, relative to the largest speed \[1\].
    pub accuracy: f64,
}

impl CatalogMultiLaw for StiffLimit {
    fn row(&self) -> &'static MultiRow {
        &ROW
    }

    fn settings(&self, _problem: Option<&ContactProblem>) -> Settings {
        settings::of(self)
    }

    fn resolve_island(
        &self,
        problem: &ContactProblem,
        desk: &mut Desk,
    ) -> Result<IslandAnswer, ImpactError> {
        let island = Island::new(problem, desk.tolerances)?;
        if let ([contact], None) = (&*island.contacts, self.hunt_crossley) {
            return alone::resolve(contact, &island, desk);
        }
        let mut run = Run::new(Model::new(self, &island), STEP_SHARE * self.accuracy, false);
        run.follow(desk)?;
        let mut impulse = run.impulse(&island);
        island.share_friction(&mut impulse);
        island.settle(problem, &mut impulse, desk)?;
        let mut notes = Notes::NONE;
        if run.effort.impulse_unique == Some(false) {
            notes.insert(Note::ImpulseNotUnique);
        }
        let impulse = island.impulse(impulse);
        Ok(IslandAnswer { impulse, effort: ProblemEffort::Compliant(run.effort), notes })
    }
}
