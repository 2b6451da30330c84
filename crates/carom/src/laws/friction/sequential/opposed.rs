//! Contacts that push against each other: a body between two walls.
//!
//! Where impulses `y ≥ 0` move nothing, `W y = 0`, no motion separates the contacts that bear them: each permissible
//! velocity vanishes there, and an elastic sequence that starts elsewhere need not end. These contacts are then folded
//! in as bilateral ones, and the sequence of the others is followed.

use super::colliders::{Collider, ColliderSet, Origin, Role};
use super::pairwise::{Block, Pairwise};
use super::sequence::{Sequence, SequenceResult};
use super::ties::Order;
use super::tolerances::MAX_OPPOSED;
use crate::contact::{ContactProblem, ContactSpec};
use crate::island::normal::NormalProblem;
use crate::island::self_stress::{held, opposed};
use crate::island::{Context, Mapped};
use crate::outcome::Note;
use crate::{ImpactError, Material};
use std::borrow::Cow;

/// The sequence from its start with opposed contacts held both ways. None if there are none of these, or friction.
pub(crate) fn resolve(
    set: &ColliderSet,
    pairwise: Pairwise,
    order: Order,
    limit: u64,
    context: &mut Context,
) -> Result<Option<SequenceResult>, ImpactError> {
    let Some(contacts) = smooth_contacts(set, pairwise) else { return Ok(None) };
    let rows: Vec<usize> = set.colliders.iter().map(|collider| collider.rows.start).collect();
    let start: Vec<f64> = rows.iter().map(|&row| set.start[row]).collect();
    let specs: Vec<ContactSpec> =
        contacts.iter().map(|(_, material)| ContactSpec::new(1, *material)).collect();
    let normals = ContactProblem::new(set.w.full_block(&rows)?.as_slice(), &start, &specs)?;
    let normals = NormalProblem::new(&normals, context.tolerances)?;
    let opposed = opposed(&normals, context);
    if !opposed.contains(&true) {
        return Ok(None);
    }
    let names: Vec<usize> = contacts.iter().map(|(name, _)| *name).collect();
    let mut mapped = Mapped { contacts: &names, observer: context.observer };
    let mut inner =
        Context { law: context.law, tolerances: context.tolerances, observer: &mut mapped };
    let followed = held(&normals, &opposed, &mut inner, |others, context| {
        let others = others_alone(others)?;
        let approach = context.tolerances.approach;
        let result = Sequence::new(&others, pairwise, order, approach).run(limit, context)?;
        Ok((result.impulse.clone(), result))
    });
    let (pushes, mut result) = match followed {
        // No motion stops them all: a very light body between others, not opposed contacts.
        Err(ImpactError::BadProblem { .. }) => return Ok(None),
        followed => followed?,
    };
    result.impulse = vec![0.0; set.start.len()];
    rows.iter().zip(&pushes).for_each(|(&row, p)| result.impulse[row] = *p);
    result.notes.insert(Note::ImpulseNotUnique);
    Ok(Some(result))
}

/// The contacts and their materials, if no joint collides, none has friction, and they are not too many.
fn smooth_contacts(set: &ColliderSet, pairwise: Pairwise) -> Option<Vec<(usize, Material)>> {
    let smooth = |collider: &Collider| match (&collider.role, collider.origin) {
        (Role::Rebounds { material, .. }, Origin::Contact(k)) => {
            pairwise.smooth(collider.rows.len(), material).then_some((k, *material))
        }
        _ => None,
    };
    match set.colliders.len() > MAX_OPPOSED {
        true => None,
        false => set.colliders.iter().map(smooth).collect(),
    }
}

fn others_alone(others: &NormalProblem) -> Result<ColliderSet<'static>, ImpactError> {
    let w = others.w.clone().into_owned();
    let collider = |i: usize| {
        let role =
            Role::Rebounds { block: Block::new(&w, i..i + 1)?, material: *others.material(i) };
        Ok(Collider { origin: Origin::Contact(others.contact(i)), rows: i..i + 1, role })
    };
    let colliders = (0..others.len()).map(collider).collect::<Result<Vec<_>, ImpactError>>()?;
    Ok(ColliderSet::new(Cow::Owned(w), others.u.to_vec(), colliders))
}
