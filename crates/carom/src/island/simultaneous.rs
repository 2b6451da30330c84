//! What all laws do alike that let every contact act at once.

use super::energy::clamp_energy;
use super::normal::{Coefficients, NormalProblem};
use super::participation::{self, Observers, Participants};
use super::{Context, IslandAnswer, complementarity};
use crate::contact::ContactProblem;
use crate::outcome::{Note, Notes, SolverEffort};
use crate::{ImpactError, Tolerances};
use nalgebra::{DMatrix, DVector};

/// More impacts than this take nothing away that rounding does not put back.
const ROUNDS: usize = 4;

/// The answer of a simultaneous law: impulses along the normals of the contacts that it was given.
pub(crate) struct Normals {
    /// One per row of the problem it was given [N·s].
    pub(crate) impulse: Vec<f64>,
    pub(crate) effort: SolverEffort,
    pub(crate) notes: Notes,
}

impl Normals {
    /// An answer whose velocities are unique whatever its impulses are.
    pub(crate) fn unique_in_velocity(impulse: Vec<f64>, effort: SolverEffort) -> Self {
        let mut notes = Notes::NONE;
        if effort.impulse_unique == Some(false) {
            notes.insert(Note::ImpulseNotUnique);
        }
        Self { impulse, effort, notes }
    }
}

/// Contacts that separate are observers; one that the others close is added, without restitution, and all is solved anew.
///
/// A contact that was closed can work on a rebound that was not its own and so create energy: the answer is then moved
/// towards maximum dissipation until it does not. Or it can contradict the rebound of those that closed it (a body
/// between two walls): then it takes part one impact later, the velocities after the first being those before a second
/// without restitution, which always has a solution. `common` is the law's own coefficient, if it has one.
pub(crate) fn resolve(
    island: &ContactProblem,
    common: Option<f64>,
    context: &mut Context,
    law: impl Fn(&NormalProblem, &mut Context) -> Result<Normals, ImpactError>,
) -> Result<IslandAnswer, ImpactError> {
    let mut whole = NormalProblem::new(island, context.tolerances)?;
    if let Some(e) = common {
        whole.e = Coefficients::Common(e);
    }
    let zero = context.tolerances.approach * whole.scale;
    let mut taking_part: Vec<bool> = whole.u.iter().map(|u| *u <= zero).collect();
    if taking_part.iter().all(|takes_part| !takes_part) {
        let impulse = whole.impulse(vec![0.0; whole.len()]);
        let effort = SolverEffort { impulse_unique: Some(true), ..SolverEffort::default() };
        return Ok(IslandAnswer { impulse, effort: effort.into(), notes: Notes::NONE });
    }
    let mut attempts = Attempts { whole: &whole, zero, context, law };
    let (mut answer, observers) = participation::resolve(&mut attempts, &mut taking_part, zero)?;
    if observers == Observers::Contradict {
        answer = second_impact(&whole, answer, zero, context)?;
    }
    if observers != Observers::Open {
        if clamp_energy(&whole, &mut answer.impulse, context)? {
            answer.notes.insert(Note::EnergyClamped);
        }
        press(&whole, &mut answer.impulse, context.tolerances);
        answer.notes.insert(Note::ObserverClosed);
    }
    let impulse = whole.impulse(answer.impulse);
    Ok(IslandAnswer { impulse, effort: answer.effort.into(), notes: answer.notes })
}

/// The plastic impact of all contacts at once, which keeps the least kinetic energy.
pub(crate) fn plastic(
    island: &ContactProblem,
    context: &mut Context,
) -> Result<IslandAnswer, ImpactError> {
    resolve(island, None, context, |problem, context| {
        let solved = complementarity::solve(problem, &problem.u, context)?;
        Ok(Normals::unique_in_velocity(solved.p, solved.effort))
    })
}

/// A law on those contacts that take part; the impulses of the others are zero.
struct Attempts<'a, 'b, 'c, L> {
    whole: &'a NormalProblem<'a>,
    zero: f64,
    context: &'b mut Context<'c>,
    law: L,
}

impl<L> Participants for Attempts<'_, '_, '_, L>
where
    L: Fn(&NormalProblem, &mut Context) -> Result<Normals, ImpactError>,
{
    type Answer = Normals;

    fn attempt(&mut self, taking_part: &[bool]) -> Result<Normals, ImpactError> {
        let Self { whole, zero, context, law } = self;
        if taking_part.iter().all(|takes_part| *takes_part) && whole.u.iter().all(|u| *u <= *zero) {
            return law(whole, context);
        }
        let part = whole.part(taking_part, *zero);
        let mut normals = law(&part, context)?;
        normals.impulse = part.spread(&normals.impulse, whole.len());
        Ok(normals)
    }

    fn normal_after(&mut self, answer: &Normals) -> impl Iterator<Item = f64> {
        self.whole.velocity_after(&answer.impulse).into_iter()
    }
}

/// The first impact, and another after it without restitution, in which all contacts take part.
fn second_impact(
    whole: &NormalProblem,
    first: Normals,
    zero: f64,
    context: &mut Context,
) -> Result<Normals, ImpactError> {
    let Normals { mut impulse, mut effort, notes } = first;
    // Where contacts press hard against each other, what rounding leaves of their approach is taken by another impact.
    for round in 0..ROUNDS {
        let after = whole.velocity_after(&impulse);
        if after.iter().all(|u| *u >= -zero) {
            break;
        }
        let second = match stopped(whole, &after, zero, context) {
            Err(_) if round > 0 => break,
            second => second?,
        };
        impulse.iter_mut().zip(&second.p).for_each(|(a, b)| *a += b);
        effort = effort.and(second.effort);
    }
    Ok(Normals { impulse, effort, notes })
}

/// The impact without restitution that stops whoever approaches. Velocities that rounding alone makes contradict each other
/// may stay, as far as they count as zero.
fn stopped(
    whole: &NormalProblem,
    after: &[f64],
    zero: f64,
    context: &mut Context,
) -> Result<complementarity::Solved, ImpactError> {
    match complementarity::solve(whole, after, context) {
        Err(ImpactError::NoSolution { .. }) => {
            let eased: Vec<f64> = after.iter().map(|u| u + zero).collect();
            complementarity::solve(whole, &eased, context)
        }
        solved => solved,
    }
}

/// Contacts that press against each other stop, but where they are redundant or nearly parallel, and masses far apart,
/// the solver leaves some of the last digits. Steps of least squares on their impulses, for them and for those that they close,
/// take these away, as long as that helps and needs no pull.
fn press(whole: &NormalProblem, impulse: &mut [f64], tolerances: &Tolerances) {
    let zero = tolerances.approach * whole.scale;
    // A contact with half of the digits of rest is meant to rest.
    let rest = f64::sqrt(tolerances.approach) * whole.scale;
    let size = |i: usize| f64::sqrt(whole.diagonal(i));
    let worst = |u: &[f64]| u.iter().fold(0.0, |m: f64, u| m.max(-u));
    for _ in 0..ROUNDS {
        let after = whole.velocity_after(impulse);
        if worst(&after) <= zero {
            break;
        }
        let presses = |i: &usize| impulse[*i] > 0.0 && after[*i].abs() <= rest;
        let pushed: Vec<usize> = (0..whole.len()).filter(presses).collect();
        if pushed.is_empty() {
            break;
        }
        let involved = |i: &usize| pushed.contains(i) || (after[*i] < 0.0 && size(*i) > 0.0);
        let rows: Vec<usize> = (0..whole.len()).filter(involved).collect();
        let entry =
            |i: usize, j: usize| whole.w.at(rows[i], pushed[j]) / (size(rows[i]) * size(pushed[j]));
        let matrix = DMatrix::from_fn(rows.len(), pushed.len(), entry);
        let left = DVector::from_fn(rows.len(), |i, _| -after[rows[i]] / size(rows[i]));
        let rank = f64::EPSILON * rows.len() as f64;
        let Ok(more) = matrix.svd(true, true).solve(&left, rank) else { break };
        let mut better = impulse.to_vec();
        pushed.iter().enumerate().for_each(|(j, &i)| better[i] += more[j] / size(i));
        let pulls = pushed.iter().any(|&i| better[i] < 0.0);
        if pulls || worst(&whole.velocity_after(&better)) >= worst(&after) {
            break;
        }
        impulse.copy_from_slice(&better);
    }
}
