//! # Sequences of collisions (1998)
//!
//! One contact collides at a time, the fastest first, until none approaches any more.
//!
//! ## Model
//! 1. the contact of largest approach speed `−u_n` is next; the sequence ends where that is zero
//! 2. it collides by a law for one contact, the pairwise law, with its own block of `W`
//! 3. `u ← u + W_:i p_i`, and again from 1
//!
//! A joint that is treated as an impact (`hinges = "impact"`) and a contact that holds both ways take part with the
//! speed of what they forbid, and bring it to rest: `p_j = −W_jj⁺ u_j`. Rotations count as speeds with the length
//! `ℓ`, `ℓ²` the mean of the translations' `W_ii` over that of the rotations'.
//!
//! ## Reads e as
//! The pairwise law does, at every collision, and at the approach speed of that collision where `e` is a curve.
//! After a sequence no contact has `u_n⁺ = −e u_n⁻` in general.
//!
//! ## Notation
//! Chatterjee and Ruina's collision sequence; `P` of one collision → `p_i`.
//!
//! ## Deviations from the paper
//! - Speeds within `approach` of the largest one before are equal; `ties` orders them, joints after contacts.
//! - An endless sequence without friction is ended by its exact limit, the projection on the velocities at which the
//!   contacts that collide for ever are at rest, where this is nearer than 1e-11 and no other contact approaches there.
//!   With friction the projection is wrong (by 0.4 of the speed for a block on two rough contacts), and the sequence is
//!   followed until its speeds are 1e-12 of the first.
//! - Where speeds are that small and the limit is not near yet, as in long chains, the sequence is pursued below them by up
//!   to as many collisions again. The limit stays what it is; the bound on what it may miss shrinks. `iterations` counts
//!   these collisions, `collisions` does not.
//! - A sequence without friction that is cut off, or that would be at its rate, is ended by the nearest velocities at which
//!   no contact approaches: the end is no further from these than the sequence was, and notes and `truncation` say so.
//! - Contacts without friction that push against each other without moving anything, as a body between two walls, hold
//!   both ways if their sequence has not ended after many collisions; the others are followed with these folded in.
//! - One contact alone is given to the pairwise law as it is, once.
//!
//! ## Limits
//! - The order decides: masses (1, 4, 1) that meet with velocities (1, 0, −1), `e = 1/2`, leave with
//!   (−1/5, −9/100, 14/25). Notes say that there were ties.
//! - A body between two rough walls, or any contacts with friction that can push against each other without moving
//!   anything: such a sequence may have no limit. After `max_collisions` impulses along the normals stop what still
//!   approaches, which is no limit but neither penetrates nor gains energy, and the notes say that it was cut off.
//! - The number of collisions may grow with the square of the number of contacts, and with the inverse of `1 − e`.
//!
//! ## Energy
//! Never grows if the pairwise law never lets it: proven, since each collision is an impact of its own. Notes say where
//! the pairwise law does not promise that. Sums of impulses within friction cones lie within them.
//!
//! ## References
//! `ChatterjeeRuina1998` section 6.

mod colliders;
mod forecast;
mod opposed;
mod pairwise;
mod projection;
mod sequence;
mod ties;
mod tolerances;

#[cfg(test)]
mod tests;

pub use ties::Ties;

use crate::contact::{ContactKind, ContactProblem, Island};
use crate::island::{Context, IslandAnswer};
use crate::laws::info::{Claims, IslandLaw, LawInfo, ReadsE, with_settings};
use crate::laws::single::{ChatterjeeRuina, Frictionless, SingleLaw};
use crate::outcome::{Ending, Note, Notes, SolverEffort, Step};
use crate::settings::{MAX_INTEGER, law_settings, word_setting};
use crate::{ImpactError, Material};
use colliders::{ColliderSet, Origin};
use pairwise::{Block, Pairwise};
use sequence::Sequence;
use ties::Order;

word_setting! {
    /// How joints answer a collision.
    pub enum JointImpacts {
        /// They hold at every moment: the mechanism is one body to its contacts.
        Fold = "fold",
        /// The bodies are separate, and a joint that is broken by a collision collides in its turn.
        Impact = "impact",
    }
}

law_settings! {
    /// Collisions one after the other.
    pub struct Sequential {
        /// The law of each collision, for one contact; absent, `frictionless` if no contact has friction, else
        /// `chatterjee-ruina`.
        pairwise: Option<SingleLaw> = None => "frictionless if every mu is 0, else chatterjee-ruina",
            "the law of each collision";
        /// Which is first among contacts that approach equally fast.
        ties: Ties = Ties::Index, "which is first among contacts that approach equally fast";
        /// Where random draws begin \[1\].
        seed: u64 = 0, "where random draws begin", in [0.0, MAX_INTEGER];
        /// What joints do.
        hinges: JointImpacts = JointImpacts::Fold,
            "whether joints hold at every moment or collide in their turn";
        /// Collisions after which a sequence is cut off \[1\].
        max_collisions: u64 = 100_000_000, "collisions after which a sequence is cut off", in [1.0, MAX_INTEGER];
    }
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "sequential",
    name: "Sequence of collisions",
    year: 1998,
    summary: "one contact collides at a time, the fastest first, by any law for one contact",
    references: &["ChatterjeeRuina1998"],
    reads_e: ReadsE::Mixed,
    max_e: Material::MAX_RESTITUTION,
    settings: Sequential::declared,
    claims: Claims {
        symmetry: false,
        terminates: false,
        order_free: false,
        continuous: false,
        ..Claims::ALL
    },
    ..LawInfo::SEVERAL_CONTACTS
};

impl Sequential {
    /// The law of each collision of this problem, decided island by island.
    pub fn pairwise_law(&self, problem: &ContactProblem) -> SingleLaw {
        self.pairwise.unwrap_or_else(|| {
            match problem.contacts().iter().all(|contact| contact.material.mu == 0.0) {
                true => Frictionless.into(),
                false => ChatterjeeRuina.into(),
            }
        })
    }

    fn order(&self) -> Order {
        Order { ties: self.ties, seed: self.seed }
    }

    /// Whether joints take part in the sequence.
    fn joints_collide(&self, problem: &ContactProblem) -> bool {
        self.hinges == JointImpacts::Impact && problem.joints().is_some()
    }
}

with_settings!(Sequential, |law: Sequential, problem: Option<&ContactProblem>| Sequential {
    pairwise: problem.map(|problem| law.pairwise_law(problem)).or(law.pairwise),
    // Nothing is drawn where ties are not random.
    seed: if law.ties == Ties::Random { law.seed } else { 0 },
    ..law
});

impl IslandLaw for Sequential {
    fn separate_islands(&self, problem: &ContactProblem) -> Option<Vec<Island>> {
        match self.joints_collide(problem) {
            // An island does not know its joints: the whole is split later, joints beside contacts.
            true => None,
            false => problem.separate_islands(),
        }
    }

    fn resolve_island(
        &self,
        problem: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let law = self.pairwise_law(problem);
        let pairwise = Pairwise::new(law);
        for (k, spec) in problem.contacts().iter().enumerate() {
            if spec.kind == ContactKind::Unilateral {
                let approach = (-problem.velocity()[problem.row_range(k).start]).max(0.0);
                pairwise
                    .check(spec.rows, &spec.material, approach)
                    .map_err(|error| error.within(&format!("contacts[{k}]")))?;
            }
        }
        let sets = match problem.joints().filter(|_| self.joints_collide(problem)) {
            Some(joints) => {
                ColliderSet::with_joints(problem, joints, self.ties, context.tolerances)?
            }
            None => {
                if let ([spec], ContactKind::Unilateral) =
                    (problem.contacts(), problem.contacts()[0].kind)
                {
                    let mut answer = alone(problem, &spec.material, pairwise, context)?;
                    answer.notes = answer.notes.union(remarks(&law, problem));
                    return Ok(answer);
                }
                vec![ColliderSet::of_contacts(problem, self.ties, context.tolerances)?]
            }
        };
        let mut impulse = vec![0.0; problem.rows()];
        let mut effort = SolverEffort { ending: Ending::Finite, ..SolverEffort::default() };
        let mut notes = remarks(&law, problem);
        for set in &sets {
            let limit = self.max_collisions.saturating_sub(effort.collisions);
            let sequence = Sequence::new(set, pairwise, self.order(), context.tolerances.approach);
            let result = sequence.run(limit, context)?;
            for collider in &set.colliders {
                if let Origin::Contact(k) = collider.origin {
                    impulse[problem.row_range(k)]
                        .copy_from_slice(&result.impulse[collider.rows.clone()]);
                }
            }
            notes = notes.union(result.notes);
            effort = effort.and(result.effort);
        }
        Ok(IslandAnswer { impulse, effort: effort.into(), notes })
    }
}

/// The notes that a pairwise law gives to a problem, whatever the answer.
fn remarks(law: &SingleLaw, problem: &ContactProblem) -> Notes {
    let mut notes = Notes::NONE;
    let keeps_energy = match law {
        SingleLaw::Plain(law) => law.info().claims.energy,
        SingleLaw::Composite(law) => law.parts().iter().all(|part| part.law.info().claims.energy),
    };
    if !keeps_energy {
        notes.insert(Note::NoGuarantee);
    }
    if law.info().id == "frictionless" && problem.summary().friction {
        notes.insert(Note::FrictionIgnored);
    }
    notes
}

/// A problem of one contact: the pairwise law, to the last bit.
fn alone(
    problem: &ContactProblem,
    material: &Material,
    pairwise: Pairwise,
    context: &mut Context,
) -> Result<IslandAnswer, ImpactError> {
    let u = problem.velocity();
    let block = Block::new(problem.delassus(), 0..u.len())?;
    let mut collision = pairwise
        .resolve(&block, material, u, context.tolerances)
        .map_err(|error| error.within("contacts[0]"))?;
    let impulse = collision.impulse[..u.len()].to_vec();
    let collisions = u64::from(impulse.iter().any(|p| *p != 0.0));
    if collisions > 0 && context.observer.wants_steps() {
        context.observer.step(Step::Collision { contact: 0, impulse: &impulse });
    }
    if collisions == 0 {
        collision.notes = Notes::NONE;
    }
    let effort = SolverEffort {
        iterations: collisions,
        collisions,
        ending: Ending::Finite,
        ..SolverEffort::default()
    };
    Ok(IslandAnswer { impulse, effort: effort.into(), notes: collision.notes })
}
