//! One collision of one contact.

use crate::contact::{Contact, ContactVec, Delassus, Operator, Restitution};
use crate::laws::single::common::check_applicable;
use crate::laws::single::{ContactLaw, PlainLaw, SingleLaw};
use crate::outcome::{Notes, Unobserved};
use crate::{ImpactError, Material, Tolerances};
use std::ops::Range;

/// A contact's own block of `W`, by its number of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Block {
    /// The normal alone.
    One(Delassus<1>),
    /// A planar contact.
    Two(Delassus<2>),
    /// A spatial contact.
    Three(Delassus<3>),
}

impl Block {
    pub(crate) fn new(w: &Operator, rows: Range<usize>) -> Result<Self, ImpactError> {
        fn block<const D: usize>(w: &Operator, first: usize) -> Result<Delassus<D>, ImpactError> {
            Delassus::new(std::array::from_fn(|i| {
                std::array::from_fn(|j| w.at(first + i, first + j))
            }))
        }
        match rows.len() {
            1 => block(w, rows.start).map(Self::One),
            2 => block(w, rows.start).map(Self::Two),
            _ => block(w, rows.start).map(Self::Three),
        }
    }

    /// `W_nn` [1/kg].
    pub(crate) fn normal(&self) -> f64 {
        match self {
            Self::One(w) => w.at(0, 0),
            Self::Two(w) => w.at(0, 0),
            Self::Three(w) => w.at(0, 0),
        }
    }
}

/// The law of every collision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairwise {
    law: SingleLaw,
    frictionless: bool,
}

/// The frictionless law of a contact with velocity `u` and `W_nn = k`, in the law's own order of operations [N·s].
pub(crate) fn rebound(u: f64, k: f64, restitution: &Restitution) -> f64 {
    (1.0 + restitution.at(-u)) * (-u / k)
}

/// The result of one collision.
pub(crate) struct Collision {
    /// Normal first; rows that the contact does not have are zero [N·s].
    pub(crate) impulse: [f64; 3],
    pub(crate) notes: Notes,
}

impl Pairwise {
    pub(crate) fn new(law: SingleLaw) -> Self {
        Self { law, frictionless: matches!(law, SingleLaw::Plain(PlainLaw::Frictionless(_))) }
    }

    /// Whether it is Newton's frictionless law.
    pub(crate) fn is_frictionless(&self) -> bool {
        self.frictionless
    }

    /// Refuses contacts that the law does not cover, whether or not they collide.
    pub(crate) fn check(
        &self,
        rows: usize,
        material: &Material,
        approach: f64,
    ) -> Result<(), ImpactError> {
        check_applicable(self.law.info(), rows, material.restitution.at(approach))
    }

    /// Whether impulses at such a contact are always along its normal.
    pub(crate) fn smooth(&self, rows: usize, material: &Material) -> bool {
        let claims = self.law.info().claims;
        self.frictionless || (claims.cone && claims.energy && (rows == 1 || material.mu == 0.0))
    }

    /// The collision of a contact whose velocity is `u`, normal first.
    pub(crate) fn collide(
        &self,
        block: &Block,
        material: &Material,
        u: &[f64],
        tolerances: &Tolerances,
    ) -> Result<Collision, ImpactError> {
        let k = block.normal();
        if self.frictionless && k > 0.0 {
            let pn = rebound(u[0], k, &material.restitution);
            return Ok(Collision { impulse: [pn, 0.0, 0.0], notes: Notes::NONE });
        }
        self.resolve(block, material, u, tolerances)
    }

    /// The law's own answer.
    pub(crate) fn resolve(
        &self,
        block: &Block,
        material: &Material,
        u: &[f64],
        tolerances: &Tolerances,
    ) -> Result<Collision, ImpactError> {
        match block {
            Block::One(w) => self.resolve_rows(w, material, u, tolerances),
            Block::Two(w) => self.resolve_rows(w, material, u, tolerances),
            Block::Three(w) => self.resolve_rows(w, material, u, tolerances),
        }
    }

    fn resolve_rows<const D: usize>(
        &self,
        w: &Delassus<D>,
        material: &Material,
        u: &[f64],
        tolerances: &Tolerances,
    ) -> Result<Collision, ImpactError> {
        let u = ContactVec::new(std::array::from_fn(|i| u[i]));
        let contact = Contact::new(*w, u, *material)?;
        let outcome = self.law.resolve(&contact, tolerances, &mut Unobserved)?;
        Ok(Collision { impulse: outcome.impulse.padded(), notes: outcome.notes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::single::Frictionless;

    /// [`rebound`] has the bits of the law, for contacts of any number of rows.
    #[test]
    fn rebound_is_the_frictionless_law() {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let pairwise = Pairwise::new(Frictionless.into());
        for _ in 0..1000 {
            let k = libm::exp(20.0 * next() - 10.0);
            let (c, t) = (k * (next() - 0.5), k * (1.0 + next()));
            let u = [-libm::exp(20.0 * next() - 10.0), next() - 0.5, next() - 0.5];
            let material = Material::new(0.3, next()).unwrap();
            let one = Delassus::new([[k]]).unwrap();
            let two = Delassus::new([[k, c], [c, t]]).unwrap();
            let three = Delassus::new([[k, c, 0.0], [c, t, 0.0], [0.0, 0.0, t]]).unwrap();
            let tolerances = &Tolerances::NOMINAL;
            for block in [Block::One(one), Block::Two(two), Block::Three(three)] {
                let law = pairwise.resolve(&block, &material, &u, tolerances).unwrap();
                let short = pairwise.collide(&block, &material, &u, tolerances).unwrap();
                assert_eq!(short.impulse, law.impulse);
            }
        }
    }
}
