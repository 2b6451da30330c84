//! Whether any impulse can keep contacts from closing.
//!
//! By Farkas' lemma none can if and only if some `λ ≥ 0` along the normals has `W λ = 0` and `λ·u⁻ < 0`: pushes that do
//! nothing, at contacts that approach all the same. Friction is no help, for `λᵀ W p = 0` whatever the impulse `p`.
//! Motions that masses have are orthogonal to such `λ`. Only what is prescribed, a moving wall, or a velocity that no
//! motion has can contradict them: other problems are not even looked at.

use super::normal::NormalProblem;
use super::{Context, complementarity};
use crate::ImpactError;
use crate::contact::ContactProblem;

/// Contacts that close on each other are named among no more than this many \[1\].
const NAMED_AMONG: usize = 64;

/// Refuses a problem whose contacts close on each other, whatever impulses act on them. What the tolerance of classes
/// lets pass may be rounding of the velocities given.
pub(crate) fn check(problem: &ContactProblem, context: &mut Context) -> Result<(), ImpactError> {
    let normal = NormalProblem::new(problem, context.tolerances)?;
    let mut taken = vec![true; normal.len()];
    if !closes(&normal, &taken, context) {
        return Ok(());
    }
    if taken.len() > NAMED_AMONG {
        return Err(refused(&[], context));
    }
    // What is left when none can be taken out any more closes without the help of others.
    for i in 0..taken.len() {
        taken[i] = false;
        taken[i] = !closes(&normal, &taken, context);
    }
    let contacts: Vec<usize> =
        (0..taken.len()).filter(|&i| taken[i]).map(|i| normal.contact(i)).collect();
    Err(refused(&contacts, context))
}

/// Whether no impulse keeps the contacts taken from closing.
fn closes(normal: &NormalProblem, taken: &[bool], context: &mut Context) -> bool {
    let part = normal.part(taken, 0.0);
    let eased: Vec<f64> =
        part.u.iter().map(|u| u + context.tolerances.class * normal.scale).collect();
    if eased.iter().all(|u| *u >= 0.0) {
        return false;
    }
    matches!(complementarity::solve(&part, &eased, context), Err(ImpactError::NoSolution { .. }))
}

fn refused(contacts: &[usize], context: &Context) -> ImpactError {
    let names: Vec<String> = contacts.iter().map(usize::to_string).collect();
    context.no_solution(match &names[..] {
        [] => "contacts close on each other, and no impulse can keep them apart".to_owned(),
        [one] => format!("contact {one} closes, and no impulse can open it: it cannot yield"),
        [others @ .., last] => {
            let others = others.join(", ");
            format!("contacts {others} and {last} close on each other: opening one closes another")
        }
    })
}
