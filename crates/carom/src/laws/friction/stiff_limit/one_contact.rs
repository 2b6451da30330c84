//! One contact by itself: its normal impulse is a clock, and what is left is Routh's law with Stronge's restitution.

use super::island::{Island, Pushing};
use crate::ImpactError;
use crate::contact::{Contact, ContactVec, Delassus};
use crate::island::{Context, IslandAnswer};
use crate::laws::single::ContactLaw;
use crate::laws::single::{Phases, Routh, Rule};
use crate::numerics::dot;
use crate::outcome::{Effort, SpringEffort, Unobserved};

/// The answer to an island with one contact that can only push.
pub(crate) fn resolve(
    contact: &Pushing,
    island: &Island,
    context: &Context,
) -> Result<IslandAnswer, ImpactError> {
    match contact.tangents {
        0 => routh::<1>(contact, island, context),
        1 => routh::<2>(contact, island, context),
        _ => routh::<3>(contact, island, context),
    }
}

fn routh<const D: usize>(
    contact: &Pushing,
    island: &Island,
    context: &Context,
) -> Result<IslandAnswer, ImpactError> {
    let w = std::array::from_fn(|i| std::array::from_fn(|j| dot(island.row(i), island.row(j))));
    let u = ContactVec::new(std::array::from_fn(|i| island.velocity[i]));
    let contact = Contact::<D>::new(Delassus::new(w)?, u, contact.material)?;
    let law = Routh { rule: Rule::Stronge, phases: Phases::Cumulative };
    let outcome = law.resolve(&contact, context.tolerances, &mut Unobserved)?;
    let effort = SpringEffort {
        steps: outcome.effort.steps.into(),
        impulse_unique: Some(true),
        ..SpringEffort::default()
    };
    Ok(IslandAnswer {
        impulse: island.impulse(outcome.impulse.as_slice().to_vec()),
        effort: Effort::Springs(effort),
        notes: outcome.notes,
    })
}
