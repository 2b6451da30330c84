//! The unilateral contacts of an island, and how impulses at some change the velocities of all.

use super::active::ActiveContacts;
use super::tolerances::JAM_RESPONSE;
use crate::Tolerances;
use crate::contact::{ContactProblem, ContactSpec, Restitution};
use crate::island::row_factor::RowFactor;
use crate::island::unilateral::Unilateral;
use crate::numerics::cholesky::pivoted_cholesky;
use crate::numerics::double::Double;
use crate::numerics::{dot, largest};

/// Coordinates beyond which an island has no useful common factor and is taken apart round by round.
const COMMON_COORDINATES: usize = 256;

/// The unilateral contacts of an island. Each owns three rows here, absent tangents being rows of zeros: row `3k` is
/// the normal of contact `k`.
#[derive(Default)]
pub(crate) struct ContactSpace<'a> {
    /// Velocities at the start [m/s].
    pub(crate) start: Vec<f64>,
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) coupling: Coupling<'a>,
}

/// Geometry and material of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// 0, 1 or 2.
    pub(crate) tangents: usize,
    pub(crate) mu: f64,
    pub(crate) restitution: Restitution,
    /// Distance between the bodies \[m\].
    pub(crate) gap: f64,
}

impl From<&ContactSpec> for Surface {
    fn from(spec: &ContactSpec) -> Self {
        let tangents = spec.rows - 1;
        Self {
            tangents,
            mu: if tangents == 0 { 0.0 } else { spec.material.mu },
            restitution: spec.material.restitution,
            gap: spec.gap,
        }
    }
}

pub(crate) enum Coupling<'a> {
    /// `W = L Lᵀ`, row by row, `rank` numbers each: few where contacts are redundant.
    Factored { rank: usize, rows: Vec<f64> },
    /// `W` by its nonzero entries. A round sees only the few contacts that take part in it.
    Sparse {
        problem: &'a ContactProblem,
        /// The contact that each row belongs to, and which of its rows it is.
        owners: Vec<(usize, usize)>,
    },
}

impl Default for Coupling<'_> {
    fn default() -> Self {
        Self::Factored { rank: 0, rows: Vec::new() }
    }
}

/// Scratch memory for finding the groups of contacts that a round couples.
#[derive(Default)]
pub(crate) struct Components {
    /// The group of each contact.
    of: Vec<usize>,
    members: Vec<usize>,
    block: Vec<f64>,
    factor: Vec<f64>,
}

/// In no group.
const NOWHERE: usize = usize::MAX;
/// Active, but not yet in a group.
const WAITING: usize = usize::MAX - 1;

impl<'a> ContactSpace<'a> {
    /// The unilateral contacts of a problem, given `W` and `u` of their rows.
    pub(crate) fn new(
        problem: &'a ContactProblem,
        Unilateral { w, u, .. }: &Unilateral,
        tolerances: &Tolerances,
    ) -> Self {
        let mut space = Self::without_coupling(problem.contacts().iter().filter(|k| k.pushes()));
        // Where bilateral contacts are folded in `W` has no factors.
        if w.gram().is_some_and(|gram| gram.mass.len() > COMMON_COORDINATES) {
            let owner = |k: usize| (0..problem.row_range(k).len()).map(move |c| (k, c));
            let owners: Vec<_> = (0..problem.len()).flat_map(owner).collect();
            for (&(k, c), u) in owners.iter().zip(u.iter()) {
                space.start[3 * k + c] = *u;
            }
            space.coupling = Coupling::Sparse { problem, owners };
            return space;
        }
        let factor = RowFactor::new(w, tolerances.rank);
        let rank = factor.rank;
        let mut rows = vec![0.0; space.start.len() * rank];
        let tangents = space.surfaces.iter().map(|surface| surface.tangents).enumerate();
        let places = tangents.flat_map(|(k, tangents)| 3 * k..=3 * k + tangents);
        for (row, place) in places.enumerate() {
            space.start[place] = u[row];
            rows[place * rank..(place + 1) * rank].copy_from_slice(factor.row(row));
        }
        space.coupling = Coupling::Factored { rank, rows };
        space
    }

    fn without_coupling<'b>(contacts: impl Iterator<Item = &'b ContactSpec>) -> Self {
        let surfaces: Vec<Surface> = contacts.map(Surface::from).collect();
        Self { start: vec![0.0; 3 * surfaces.len()], surfaces, coupling: Coupling::default() }
    }

    /// Some of the contacts of a factored space.
    pub(crate) fn of(&self, contacts: &[usize]) -> Self {
        let mut some = Self::default();
        for &k in contacts {
            some.start.extend_from_slice(&self.start[3 * k..3 * k + 3]);
            some.surfaces.push(self.surfaces[k]);
        }
        if let Coupling::Factored { rank, rows } = &self.coupling {
            let block = |&k: &usize| &rows[3 * k * rank..3 * (k + 1) * rank];
            let rows = contacts.iter().flat_map(block).copied().collect();
            some.coupling = Coupling::Factored { rank: *rank, rows };
        }
        some
    }

    /// The numbers of the rows that contacts have, given three per contact.
    pub(crate) fn compact(&self, values: &[f64]) -> Vec<f64> {
        let of =
            |(k, surface): (usize, &Surface)| values[3 * k..=3 * k + surface.tangents].to_vec();
        self.surfaces.iter().enumerate().flat_map(of).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.surfaces.len()
    }

    /// Whether a round touches only part of the island.
    pub(crate) fn is_sparse(&self) -> bool {
        matches!(self.coupling, Coupling::Sparse { .. })
    }

    /// The largest speed at the start [m/s].
    pub(crate) fn speed(&self) -> f64 {
        largest(&self.start)
    }

    /// Whether a contact slides without parting, and its friction would drive it into compression: however slowly it
    /// approached, it would jam.
    pub(crate) fn locks(&self, k: usize) -> bool {
        let [u, x, y] = [0, 1, 2].map(|c| self.start[3 * k + c]);
        let Coupling::Factored { rank, rows } = &self.coupling else { return false };
        let (mu, speed) = (self.surfaces[k].mu, f64::sqrt(x * x + y * y));
        if u > 0.0 || mu == 0.0 || mu == f64::INFINITY || speed == 0.0 {
            return false;
        }
        let row = |c: usize| &rows[(3 * k + c) * rank..(3 * k + c + 1) * rank];
        let [own, a, b] = [0, 1, 2].map(|c| dot(row(0), row(c)));
        own - mu * (x * a + y * b) / speed < -JAM_RESPONSE * own
    }

    /// Splits active contacts, given in rising order, into groups that do not influence each other. `groups` is reused; the
    /// answer is how many of them there are.
    pub(crate) fn split(
        &self,
        contacts: &[usize],
        groups: &mut Vec<ActiveContacts>,
        components: &mut Components,
    ) -> usize {
        let (problem, owners) = match &self.coupling {
            Coupling::Factored { rank, rows } => {
                let active = reuse(groups, 0);
                active.rank = *rank;
                for &k in contacts {
                    active.push(k, &self.surfaces[k]);
                    active.rows.extend_from_slice(&rows[3 * k * rank..3 * (k + 1) * rank]);
                }
                return 1;
            }
            Coupling::Sparse { problem, owners } => (problem, owners),
        };
        components.of.resize(self.len(), NOWHERE);
        contacts.iter().for_each(|&k| components.of[k] = WAITING);
        let mut count = 0;
        for &first in contacts {
            if components.of[first] != WAITING {
                continue;
            }
            let Components { of, members, .. } = components;
            members.clear();
            members.push(first);
            of[first] = count;
            let mut done = 0;
            while let Some(&k) = members.get(done) {
                done += 1;
                for row in problem.row_range(k) {
                    problem.delassus().for_row(row, |other, _| {
                        let (other, _) = owners[other];
                        if of[other] == WAITING {
                            of[other] = count;
                            members.push(other);
                        }
                    });
                }
            }
            members.sort_unstable();
            let active = reuse(groups, count);
            members.iter().for_each(|&k| active.push(k, &self.surfaces[k]));
            components.factor(problem, active);
            count += 1;
        }
        contacts.iter().for_each(|&k| components.of[k] = NOWHERE);
        count
    }

    /// The velocities that impulses make of those at the start, in a factored space [m/s]. Light bodies between heavy ones
    /// owe theirs to the last digits of impulses that nearly cancel.
    pub(crate) fn velocity_after(&self, impulse: &[f64], velocity: &mut [f64]) {
        let Coupling::Factored { rank, rows } = &self.coupling else { return };
        let rows = || rows.chunks_exact((*rank).max(1));
        let mut along = vec![Double::ZERO; *rank];
        for (p, row) in impulse.iter().zip(rows()).filter(|(p, _)| **p != 0.0) {
            along.iter_mut().zip(row).for_each(|(x, l)| *x = *x + Double::product(*l, *p));
        }
        for ((u, start), row) in velocity.iter_mut().zip(&self.start).zip(rows()) {
            let terms = row.iter().zip(&along).map(|(l, x)| Double::from(*l) * *x);
            *u = terms.fold(Double::from(*start), |sum, term| sum + term).round();
        }
    }

    /// Adds the effect of a group's impulse to the velocities of all contacts, and lists those it changes.
    pub(crate) fn apply(
        &self,
        active: &ActiveContacts,
        velocity: &mut [f64],
        touched: &mut Vec<usize>,
    ) {
        match &self.coupling {
            Coupling::Factored { rank, rows } => {
                for (u, row) in velocity.iter_mut().zip(rows.chunks_exact((*rank).max(1))) {
                    *u += dot(row, &active.total);
                }
            }
            Coupling::Sparse { problem, owners } => {
                for (i, contact) in active.contacts.iter().enumerate() {
                    for (c, row) in problem.row_range(contact.index).enumerate() {
                        let p = active.impulse[3 * i + c];
                        if p == 0.0 {
                            continue;
                        }
                        problem.delassus().for_row(row, |other, w| {
                            let (contact, component) = owners[other];
                            velocity[3 * contact + component] += w * p;
                            touched.push(contact);
                        });
                    }
                }
            }
        }
    }
}

impl Components {
    /// Gives a group its factor.
    fn factor(&mut self, problem: &ContactProblem, active: &mut ActiveContacts) {
        let ActiveContacts { contacts, rows, rank, .. } = active;
        let w = problem.delassus();
        self.block.clear();
        let mut n = 0;
        for row in contacts.iter().flat_map(|contact| problem.row_range(contact.index)) {
            n += 1;
            let columns = contacts.iter().flat_map(|contact| problem.row_range(contact.index));
            self.block.extend(columns.map(|column| w.at(row, column)));
        }
        let tolerance = Tolerances::NOMINAL.rank;
        *rank = pivoted_cholesky(&mut self.block, n, tolerance, &mut self.factor);
        rows.resize(3 * contacts.len() * *rank, 0.0);
        let places = contacts.iter().enumerate();
        let places = places.flat_map(|(i, contact)| 3 * i..=3 * i + contact.tangents);
        for (place, row) in places.zip(self.factor.chunks_exact((*rank).max(1))) {
            rows[place * *rank..(place + 1) * *rank].copy_from_slice(row);
        }
    }
}

fn reuse(groups: &mut Vec<ActiveContacts>, index: usize) -> &mut ActiveContacts {
    if groups.len() <= index {
        groups.push(ActiveContacts::default());
    }
    groups[index].clear();
    &mut groups[index]
}

#[cfg(test)]
impl Surface {
    pub(crate) fn sample(tangents: usize, mu: f64, e: f64) -> Self {
        Self { tangents, mu, restitution: Restitution::Constant(e), gap: 0.0 }
    }
}

#[cfg(test)]
impl ContactSpace<'_> {
    /// Contacts along their normals, given the rows of `L`, velocities and coefficients of restitution.
    pub(crate) fn normals<const RANK: usize>(l: &[[f64; RANK]], start: &[f64], e: &[f64]) -> Self {
        let rows = l.iter().flat_map(|row| [*row, [0.0; RANK], [0.0; RANK]]).flatten().collect();
        Self {
            start: start.iter().flat_map(|u| [*u, 0.0, 0.0]).collect(),
            surfaces: e.iter().map(|e| Surface::sample(0, 0.0, *e)).collect(),
            coupling: Coupling::Factored { rank: RANK, rows },
        }
    }
}
