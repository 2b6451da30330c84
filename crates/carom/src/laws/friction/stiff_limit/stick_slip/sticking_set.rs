//! The contacts that stick, and the directions in which they let nothing move.

use super::super::model::Model;
use super::super::rows;
use super::super::tolerances as tol;
use crate::numerics::cholesky::{factor_in_place, solve_in_place};
use crate::numerics::dot;
use crate::numerics::orthonormal::Orthonormal;

/// An orthonormal basis of the tangents of contacts that stick, and how a reaction along it is shared among them.
#[derive(Clone, Debug, Default)]
pub(crate) struct StickingSet {
    rank: usize,
    stride: usize,
    version: u64,
    dependent: f64,
    /// Whether rows count as dependent that are not quite.
    pub(crate) weak: bool,
    /// Whether rows ever counted as dependent by more than rounding.
    pub(crate) ever_weak: bool,
    pub(crate) contacts: Vec<usize>,
    /// Whether reactions can be shared in more than one way.
    pub(crate) redundant: bool,
    rows: Orthonormal,
    /// Directions, one padded row after the other.
    directions: Vec<f64>,
    /// Along the directions, where the acceleration was last projected.
    reactions: Vec<f64>,
    /// Friction from reactions, one row per tangent of a contact.
    share: Vec<f64>,
    gram: Vec<f64>,
    along: Vec<f64>,
    weights: Vec<f64>,
}

impl StickingSet {
    /// Lets these contacts stick. Loads that they can share in many ways are shared by strength, `μ F`.
    pub(crate) fn set(
        &mut self,
        model: &Model,
        contacts: &[usize],
        strength: impl Fn(usize) -> f64,
    ) {
        self.set_within(model, contacts, tol::DEPENDENT_ROW, strength);
    }

    /// The same, where rows that depend on others by this part of their squared length let nothing move either.
    pub(crate) fn set_within(
        &mut self,
        model: &Model,
        contacts: &[usize],
        dependent: f64,
        strength: impl Fn(usize) -> f64,
    ) {
        let known = self.stride == model.stride && self.dependent == dependent;
        let same = known && self.contacts == contacts;
        if !same {
            self.dependent = dependent;
            self.find_directions(model, contacts);
        }
        let most = contacts.iter().map(|&g| strength(g)).fold(0.0, f64::max);
        let least = if most > 0.0 { tol::LEAST_SHARE * most } else { 1.0 };
        let mut changed = !same;
        let mut weights = self.weights.iter_mut();
        for &g in contacts {
            let weight = if self.redundant { strength(g).max(least) } else { 1.0 };
            for out in weights.by_ref().take(model.frictional[g].tangents) {
                changed |= std::mem::replace(out, weight * weight) != weight * weight;
            }
        }
        if changed {
            self.find_shares();
        }
    }

    /// An orthonormal basis of the tangents of these contacts.
    fn find_directions(&mut self, model: &Model, contacts: &[usize]) {
        (self.rank, self.stride) = (model.rank, model.stride);
        self.version += 1;
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
        let tangents = |&g: &usize| (0..model.frictional[g].tangents).map(move |c| (g, c));
        let count = contacts.iter().flat_map(tangents).count();
        let rows = self.rows.begin(count, self.rank);
        for (out, (g, c)) in
            rows.chunks_exact_mut(self.rank.max(1)).zip(contacts.iter().flat_map(tangents))
        {
            out.copy_from_slice(model.tangent(g, c));
        }
        self.rows.factor(self.dependent);
        let left = self.rows.left();
        self.weak = left > tol::DEPENDENT_ROW;
        self.ever_weak |= left > tol::ROUNDED_ROW;
        self.directions.clear();
        for direction in self.rows.directions().chunks_exact(self.rank.max(1)) {
            self.directions.extend_from_slice(direction);
            self.directions.resize(self.directions.len().next_multiple_of(self.stride), 0.0);
        }
        let m = self.rows.chosen().len();
        self.redundant = m < count;
        self.reactions.clear();
        self.reactions.resize(m, 0.0);
        self.weights.clear();
        self.weights.resize(count, 0.0);
        self.along.clear();
        for (g, c) in contacts.iter().flat_map(tangents) {
            let directions = self.directions.chunks_exact(self.stride.max(1));
            self.along.extend(directions.map(|q| dot(q, model.tangent(g, c))));
        }
    }

    /// How reactions are shared by the weights.
    fn find_shares(&mut self) {
        // Tangents are T = A Q. Friction f = −S A (Aᵀ S A)⁻¹ q does Tᵀ f = −Qᵀ q, and is the smallest such in fᵀ S⁻¹ f.
        let m = self.reactions.len();
        self.gram.clear();
        self.gram.resize(m * m, 0.0);
        for (a, weight) in self.along.chunks_exact(m.max(1)).zip(&self.weights) {
            for i in 0..m {
                for j in 0..m {
                    self.gram[i * m + j] += weight * a[i] * a[j];
                }
            }
        }
        factor_in_place(&mut self.gram, m);
        self.share.clear();
        for (a, weight) in self.along.chunks_exact(m.max(1)).zip(&self.weights) {
            let begin = self.share.len();
            self.share.extend(a.iter().map(|a| -weight * a));
            solve_in_place(&self.gram, &mut self.share[begin..]);
        }
    }

    /// Slip below this may be that of contacts which nearly depend on each other, and do not hold what is left.
    pub(crate) fn drift(&self) -> f64 {
        if self.ever_weak { tol::WEAK_SLIP } else { 0.0 }
    }

    /// The smallest motion that changes the slip of the contacts by `targets`, component by component.
    pub(crate) fn least(&mut self, targets: &[f64], motion: &mut [f64]) {
        self.rows.least(targets, motion);
    }

    /// A motion along the directions.
    pub(crate) fn components(&self, motion: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.directions().map(|q| dot(q, motion)));
    }

    /// Changes whenever the directions do.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Padded rows.
    pub(crate) fn directions(&self) -> impl Iterator<Item = &[f64]> {
        self.directions.chunks_exact(self.stride.max(1))
    }

    /// The number of directions.
    pub(crate) fn len(&self) -> usize {
        self.reactions.len()
    }

    /// The tangents of the contacts along the directions, one after the other.
    pub(crate) fn rows_along(&self) -> impl Iterator<Item = &[f64]> {
        self.along.chunks_exact(self.len().max(1))
    }

    pub(crate) fn reactions(&self) -> &[f64] {
        &self.reactions
    }

    pub(crate) fn reactions_mut(&mut self) -> &mut [f64] {
        &mut self.reactions
    }

    /// What is left of a free acceleration; the rest is taken by reactions.
    pub(crate) fn project(&mut self, free: &[f64], left: &mut [f64]) {
        left.copy_from_slice(free);
        let directions = self.directions.chunks_exact(self.stride.max(1));
        for (q, reaction) in directions.zip(&mut self.reactions) {
            *reaction = rows::dot(q, left);
            rows::add(left, -*reaction, q);
        }
    }

    /// The same of any motion in place.
    #[inline(always)]
    pub(crate) fn project_in_place(&self, motion: &mut [f64]) {
        for q in self.directions() {
            let held = rows::dot(q, motion);
            rows::add(motion, -held, q);
        }
    }

    /// The product of two projected rows.
    pub(crate) fn projected_product(&self, a: &[f64], b: &[f64]) -> f64 {
        dot(a, b) - self.directions().map(|q| dot(q, a) * dot(q, b)).sum::<f64>()
    }

    /// Projects every column of a matrix with `rank` rows; reactions go into the rows of `held`.
    pub(crate) fn project_columns(&self, matrix: &mut [f64], columns: usize, held: &mut [f64]) {
        for (q, reactions) in self.directions().zip(held.chunks_exact_mut(columns)) {
            for (row, q) in matrix.chunks_exact(columns).zip(q) {
                reactions.iter_mut().zip(row).for_each(|(p, x)| *p += q * x);
            }
            for (row, q) in matrix.chunks_exact_mut(columns).zip(q) {
                row.iter_mut().zip(reactions.iter()).for_each(|(x, p)| *x -= q * p);
            }
        }
    }

    /// Friction of the contacts that stick, given reactions: calls `take(contact, component, friction)`.
    pub(crate) fn share(
        &self,
        model: &Model,
        reactions: &[f64],
        mut take: impl FnMut(usize, usize, f64),
    ) {
        let tangents = |&g: &usize| (0..model.frictional[g].tangents).map(move |c| (g, c));
        let rows = self.share.chunks_exact(self.len().max(1));
        for ((g, c), row) in self.contacts.iter().flat_map(tangents).zip(rows) {
            take(g, c, dot(row, &reactions[..self.len()]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::block;
    use super::*;

    /// Both contacts of a block hold one direction, x. A free acceleration (0.8, −3) keeps −3, and contacts of strengths 3 and 1
    /// share the reaction by the squares of these: −0.72 and −0.08.
    #[test]
    fn redundant_contacts_share_by_strength() {
        let model = block().model;
        let mut sticking = StickingSet::default();
        sticking.set(&model, &[0, 1], |g| [3.0, 1.0][g]);
        assert!(sticking.redundant && sticking.len() == 1);
        let (normal, tangent) = (model.normal(0), model.tangent(0, 0));
        let free: [f64; 2] = std::array::from_fn(|i| 0.8 * tangent[i] - 3.0 * normal[i]);
        let mut left = [0.0; 2];
        sticking.project(&free, &mut left);
        assert_eq!([dot(tangent, &left), dot(normal, &left)], [0.0, -3.0]);
        let mut friction = [0.0; 2];
        sticking.share(&model, sticking.reactions(), |g, _, f| friction[g] = f);
        assert!((friction[0] + 0.72).abs() < 1e-15 && (friction[1] + 0.08).abs() < 1e-15);
    }
}
