//! What lies between the contacts of an island: how impulses at some change the velocities of all.

use super::part::Part;
use crate::Tolerances;
use crate::contact::{ContactProblem, ContactSpec, Restitution};
use crate::island::row_factor::RowFactor;
use crate::island::unilateral::Unilateral;
use crate::numerics::cholesky::pivoted_cholesky;
pub(crate) use crate::numerics::dot;
use crate::numerics::double::Double;

/// Coordinates beyond which an island has no useful common factor and is taken apart round by round.
const COMMON_COORDINATES: usize = 256;

/// The unilateral contacts of an island. Each owns three rows here, absent tangents being rows of zeros: row `3k` is
/// the normal of contact `k`.
#[derive(Default)]
pub(crate) struct Medium<'a> {
    /// Velocities at the start [m/s].
    pub(crate) start: Vec<f64>,
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) coupling: Coupling<'a>,
}

/// What the rounds know of a contact.
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

/// Which component of a round each contact was put in.
pub(crate) type Components = Vec<usize>;

/// In no component.
const NOWHERE: usize = usize::MAX;
/// Taking part, but not yet in a component.
const WAITING: usize = usize::MAX - 1;

impl<'a> Medium<'a> {
    /// The unilateral contacts of a problem, given `W` and `u` of their rows.
    pub(crate) fn new(
        problem: &'a ContactProblem,
        Unilateral { w, u, .. }: &Unilateral,
        tolerances: &Tolerances,
    ) -> Self {
        let mut medium = Self::without_coupling(problem.contacts().iter().filter(|k| k.pushes()));
        // Where bilateral contacts are folded in `W` has no factors.
        if w.gram().is_some_and(|gram| gram.mass.len() > COMMON_COORDINATES) {
            let owner = |k: usize| (0..problem.row_range(k).len()).map(move |c| (k, c));
            let owners: Vec<_> = (0..problem.len()).flat_map(owner).collect();
            for (&(k, c), u) in owners.iter().zip(u.iter()) {
                medium.start[3 * k + c] = *u;
            }
            medium.coupling = Coupling::Sparse { problem, owners };
            return medium;
        }
        let factor = RowFactor::new(w, tolerances.rank);
        let rank = factor.rank;
        let mut rows = vec![0.0; medium.start.len() * rank];
        let tangents = medium.surfaces.iter().map(|surface| surface.tangents).enumerate();
        let places = tangents.flat_map(|(k, tangents)| 3 * k..=3 * k + tangents);
        for (row, place) in places.enumerate() {
            medium.start[place] = u[row];
            rows[place * rank..(place + 1) * rank].copy_from_slice(factor.row(row));
        }
        medium.coupling = Coupling::Factored { rank, rows };
        medium
    }

    fn without_coupling<'b>(contacts: impl Iterator<Item = &'b ContactSpec>) -> Self {
        let surfaces: Vec<Surface> = contacts.map(Surface::from).collect();
        Self { start: vec![0.0; 3 * surfaces.len()], surfaces, coupling: Coupling::default() }
    }

    /// Some of the contacts of a factored medium.
    pub(crate) fn of(&self, contacts: &[usize]) -> Self {
        let mut part = Self::default();
        for &k in contacts {
            part.start.extend_from_slice(&self.start[3 * k..3 * k + 3]);
            part.surfaces.push(self.surfaces[k]);
        }
        if let Coupling::Factored { rank, rows } = &self.coupling {
            let block = |&k: &usize| &rows[3 * k * rank..3 * (k + 1) * rank];
            let rows = contacts.iter().flat_map(block).copied().collect();
            part.coupling = Coupling::Factored { rank: *rank, rows };
        }
        part
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
        self.start.iter().fold(0.0, |m: f64, u| m.max(u.abs()))
    }

    /// Splits contacts, given in rising order, into parts that a round can treat one by one. `parts` is reused; the
    /// answer is how many of them there are.
    pub(crate) fn split(
        &self,
        taking: &[usize],
        parts: &mut Vec<Part>,
        components: &mut Components,
    ) -> usize {
        match &self.coupling {
            Coupling::Factored { rank, rows } => {
                let part = reuse(parts, 0);
                part.rank = *rank;
                for &k in taking {
                    part.push(k, &self.surfaces[k]);
                    part.rows.extend_from_slice(&rows[3 * k * rank..3 * (k + 1) * rank]);
                }
                1
            }
            Coupling::Sparse { problem, owners } => {
                components.resize(self.len(), NOWHERE);
                taking.iter().for_each(|&k| components[k] = WAITING);
                let mut count = 0;
                for &first in taking {
                    if components[first] != WAITING {
                        continue;
                    }
                    let part = reuse(parts, count);
                    let mut members = std::mem::take(&mut part.members);
                    members.push(first);
                    components[first] = count;
                    let mut done = 0;
                    while let Some(&k) = members.get(done) {
                        done += 1;
                        for row in problem.row_range(k) {
                            problem.delassus().for_row(row, |other, _| {
                                let (other, _) = owners[other];
                                if components[other] == WAITING {
                                    components[other] = count;
                                    members.push(other);
                                }
                            });
                        }
                    }
                    members.sort_unstable();
                    members.iter().for_each(|&k| part.push(k, &self.surfaces[k]));
                    members.clear();
                    part.members = members;
                    factor_part(problem, part);
                    count += 1;
                }
                taking.iter().for_each(|&k| components[k] = NOWHERE);
                count
            }
        }
    }

    /// The velocities that impulses make of those at the start, in a factored medium [m/s]. Light bodies between heavy ones
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

    /// Adds what a part's impulse does to the velocities of all contacts, and lists those it changes.
    pub(crate) fn apply(&self, part: &Part, velocity: &mut [f64], touched: &mut Vec<usize>) {
        match &self.coupling {
            Coupling::Factored { rank, rows } => {
                for (u, row) in velocity.iter_mut().zip(rows.chunks_exact((*rank).max(1))) {
                    *u += dot(row, &part.total);
                }
            }
            Coupling::Sparse { problem, owners } => {
                for (i, &k) in part.contacts.iter().enumerate() {
                    for (c, row) in problem.row_range(k).enumerate() {
                        let p = part.impulse[3 * i + c];
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

/// The factor of the few contacts of a part.
fn factor_part(problem: &ContactProblem, part: &mut Part) {
    let w = problem.delassus();
    part.scratch.clear();
    let mut n = 0;
    for &i in &part.contacts {
        for row in problem.row_range(i) {
            n += 1;
            for &j in &part.contacts {
                part.scratch.extend(problem.row_range(j).map(|column| w.at(row, column)));
            }
        }
    }
    let mut factor = std::mem::take(&mut part.factor);
    part.rank = pivoted_cholesky(&mut part.scratch, n, Tolerances::NOMINAL.rank, &mut factor);
    part.rows.resize(3 * part.contacts.len() * part.rank, 0.0);
    let mut row = 0;
    for (i, &tangents) in part.tangents.iter().enumerate() {
        for place in 3 * i..=3 * i + tangents {
            part.rows[place * part.rank..(place + 1) * part.rank]
                .copy_from_slice(&factor[row * part.rank..(row + 1) * part.rank]);
            row += 1;
        }
    }
    part.factor = factor;
}

fn reuse(parts: &mut Vec<Part>, index: usize) -> &mut Part {
    if parts.len() <= index {
        parts.push(Part::default());
    }
    parts[index].clear();
    &mut parts[index]
}
