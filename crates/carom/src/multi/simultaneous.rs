//! What all laws do alike that let every contact act at once.

use super::normal::NormalProblem;
use super::{Desk, IslandAnswer};
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::outcome::{MultiEffort, Note, Notes};

/// The answer of a simultaneous law: impulses along the normals of the contacts that it was given.
pub(crate) struct Normals {
    /// One per row of the problem it was given [N·s].
    pub(crate) impulse: Vec<f64>,
    pub(crate) effort: MultiEffort,
    pub(crate) notes: Notes,
}

impl Normals {
    /// An answer whose velocities are unique whatever its impulses are.
    pub(crate) fn unique_in_velocity(impulse: Vec<f64>, effort: MultiEffort) -> Self {
        let mut notes = Notes::NONE;
        if effort.impulse_unique == Some(false) {
            notes.insert(Note::ImpulseNotUnique);
        }
        Self { impulse, effort, notes }
    }
}

/// Contacts that separate only watch. If the others close one it is added, without restitution, and all is solved anew.
/// Every round adds a contact, so there are finitely many.
///
/// A contact that was closed can contradict the rebound of those that closed it: a body between two walls has nowhere to
/// go. Then nobody rebounds, which always has a solution. `common` is the law's own coefficient, if it has one.
pub(crate) fn resolve(
    island: &ContactProblem,
    common: Option<f64>,
    desk: &mut Desk,
    law: impl Fn(&NormalProblem, &mut Desk) -> Result<Normals, ImpactError>,
) -> Result<IslandAnswer, ImpactError> {
    let mut whole = NormalProblem::new(island, desk.tolerances)?;
    if let Some(e) = common {
        whole.e.fill(e);
    }
    let zero = desk.tolerances.approach * whole.scale;
    let mut taken: Vec<bool> = whole.u.iter().map(|u| *u <= zero).collect();
    let mut closed = false;
    if taken.iter().all(|taken| !taken) {
        let impulse = whole.impulse(&vec![0.0; whole.len()]);
        let effort = MultiEffort { impulse_unique: Some(true), ..MultiEffort::default() };
        return Ok(IslandAnswer { impulse, effort, notes: Notes::NONE });
    }
    loop {
        let part = match taken.iter().all(|taken| *taken) && !closed {
            true => None,
            false => Some(whole.part(&taken)),
        };
        let normals = match law(part.as_ref().unwrap_or(&whole), desk) {
            Err(ImpactError::NoSolution { .. }) if closed && whole.e.iter().any(|e| *e > 0.0) => {
                whole.e.fill(0.0);
                continue;
            }
            answer => answer?,
        };
        let impulse = match &part {
            Some(part) => part.spread(&normals.impulse, whole.len()),
            None => normals.impulse,
        };
        let after = whole.velocity_after(&impulse);
        let mut again = false;
        for i in 0..whole.len() {
            if !taken[i] && after[i] < -zero {
                taken[i] = true;
                again = true;
            }
        }
        if !again {
            let mut notes = normals.notes;
            if closed {
                notes.insert(Note::ObserverClosed);
            }
            let impulse = whole.impulse(&impulse);
            return Ok(IslandAnswer { impulse, effort: normals.effort, notes });
        }
        closed = true;
    }
}
