//! Contacts that push against each other: a body between two walls.
//!
//! Where impulses `y ≥ 0` move nothing, `W y = 0`, no motion separates the contacts that bear them: each admissible
//! velocity vanishes there, as does each velocity that bodies can have come with. An elastic sequence that starts
//! elsewhere need not end. These contacts then hold both ways, as they must in the end, and the sequence of the others
//! is followed with them folded in; it ends, since the others have room.

use super::arena::{Arena, Name, Party, Role};
use super::pairwise::{Block, Pairwise};
use super::run::{Course, Sequence};
use super::ties::Ties;
use crate::contact::{ContactProblem, ContactSpec};
use crate::island::normal::NormalProblem;
use crate::island::self_stress::{held, opposed};
use crate::island::{Context, Mapped};
use crate::outcome::Note;
use crate::{ImpactError, Material};
use std::borrow::Cow;

/// More contacts than this are not searched.
const MAX_CONTACTS: usize = 200;

/// The collisions after which it is worth a search.
pub(crate) fn patience(parties: usize) -> u64 {
    (1 << 14) + 64 * parties as u64
}

/// The course from the start of an arena, contacts that push against each other held both ways. Nothing if there are
/// none, or friction.
pub(crate) fn course(
    arena: &Arena,
    pairwise: Pairwise,
    ties: Ties,
    limit: u64,
    context: &mut Context,
) -> Result<Option<Course>, ImpactError> {
    let Some(contacts) = smooth_contacts(arena, pairwise) else { return Ok(None) };
    let rows: Vec<usize> = arena.parties.iter().map(|party| party.rows.start).collect();
    let start: Vec<f64> = rows.iter().map(|&row| arena.start[row]).collect();
    let specs: Vec<ContactSpec> =
        contacts.iter().map(|(_, material)| ContactSpec::new(1, *material)).collect();
    let normals = ContactProblem::new(arena.w.full_block(&rows)?.as_slice(), &start, &specs)?;
    let normals = NormalProblem::new(&normals, context.tolerances)?;
    let opposed = opposed(&normals, context);
    if !opposed.contains(&true) {
        return Ok(None);
    }
    let names: Vec<usize> = contacts.iter().map(|(name, _)| *name).collect();
    let mut mapped = Mapped { contacts: &names, watch: context.watch };
    let mut inner =
        Context { law: context.law, tolerances: context.tolerances, watch: &mut mapped };
    let followed = held(&normals, &opposed, &mut inner, |others, context| {
        let others = others_alone(others)?;
        let approach = context.tolerances.approach;
        let course = Sequence::new(&others, pairwise, ties, approach).run(limit, context)?;
        Ok((course.impulse.clone(), course))
    });
    let (pushes, mut course) = match followed {
        // No motion stops them all, so they have room: a body between others is very light, and nobody is held.
        Err(ImpactError::BadProblem { .. }) => return Ok(None),
        followed => followed?,
    };
    course.impulse = vec![0.0; arena.start.len()];
    rows.iter().zip(&pushes).for_each(|(&row, p)| course.impulse[row] = *p);
    course.notes.insert(Note::ImpulseNotUnique);
    Ok(Some(course))
}

/// The contacts of an arena and their materials, if no joint collides, none has friction, and they are not too many.
fn smooth_contacts(arena: &Arena, pairwise: Pairwise) -> Option<Vec<(usize, Material)>> {
    let smooth = |party: &Party| match (&party.role, party.name) {
        (Role::Rebounds { material, .. }, Name::Contact(k)) => {
            pairwise.smooth(party.rows.len(), material).then_some((k, *material))
        }
        _ => None,
    };
    match arena.parties.len() > MAX_CONTACTS {
        true => None,
        false => arena.parties.iter().map(smooth).collect(),
    }
}

fn others_alone(others: &NormalProblem) -> Result<Arena<'static>, ImpactError> {
    let w = others.w.clone().into_owned();
    let party = |i: usize| {
        let role =
            Role::Rebounds { block: Block::new(&w, i..i + 1)?, material: *others.material(i) };
        Ok(Party { name: Name::Contact(others.contact(i)), rows: i..i + 1, role })
    };
    let parties = (0..others.len()).map(party).collect::<Result<Vec<_>, ImpactError>>()?;
    Ok(Arena::new(Cow::Owned(w), others.u.to_vec(), parties))
}
