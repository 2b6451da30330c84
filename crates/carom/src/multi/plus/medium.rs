//! What lies between the contacts of an island: how impulses at some change the velocities of all.

use super::part::{Part, pivoted_cholesky};
use crate::contact::{ContactKind, ContactProblem, Operator};
use crate::multi::normal::{Fold, folded};
use crate::{ImpactError, Tolerances};

/// Coordinates beyond which an island has no useful common factor and is taken apart round by round.
const COMMON_COORDINATES: usize = 256;

/// The unilateral contacts of an island. Each owns three rows here, absent tangents being rows of zeros: row `3k` is
/// the normal of contact `k`.
pub(super) struct Medium<'a> {
    /// Their numbers in the problem.
    pub(super) contacts: Vec<usize>,
    /// Velocities at the start [m/s].
    pub(super) start: Vec<f64>,
    coupling: Coupling<'a>,
    fold: Option<Fold>,
    problem: &'a ContactProblem,
}

enum Coupling<'a> {
    /// `W = L Lᵀ`, row by row, `rank` numbers each: few where contacts are redundant.
    Factored { rank: usize, rows: Vec<f64> },
    /// `W` by its nonzero entries. A round sees only the few contacts that take part in it.
    Sparse {
        operator: &'a Operator,
        /// The contact that each row belongs to, and which of its rows it is.
        owners: Vec<(usize, usize)>,
        /// Which component of a round a contact was put in.
        component: Vec<usize>,
    },
}

impl<'a> Medium<'a> {
    pub(super) fn new(
        problem: &'a ContactProblem,
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        let unilateral = |k: &usize| problem.contacts()[*k].kind == ContactKind::Unilateral;
        let contacts: Vec<usize> = (0..problem.len()).filter(unilateral).collect();
        let mut medium = Self {
            start: vec![0.0; 3 * contacts.len()],
            coupling: Coupling::Factored { rank: 0, rows: Vec::new() },
            fold: None,
            problem,
            contacts,
        };
        if medium.contacts.len() < problem.len() {
            let rows: Vec<usize> = medium.rows().map(|(row, _)| row).collect();
            let (w, u, fold) = folded(problem, &rows, tolerances)?;
            let rows: Vec<(usize, usize)> =
                medium.rows().enumerate().map(|(i, (_, place))| (i, place)).collect();
            medium.fold = Some(fold);
            medium.place(&w, &u, &rows, tolerances);
            return Ok(medium);
        }
        let operator = problem.delassus();
        if operator.gram().is_some_and(|gram| gram.mass.len() > COMMON_COORDINATES) {
            for (row, place) in medium.rows().collect::<Vec<_>>() {
                medium.start[place] = problem.velocity()[row];
            }
            let owner = |k: usize| (0..problem.row_range(k).len()).map(move |c| (k, c));
            medium.coupling = Coupling::Sparse {
                operator,
                owners: (0..problem.len()).flat_map(owner).collect(),
                component: vec![usize::MAX; problem.len()],
            };
        } else {
            let rows: Vec<(usize, usize)> = medium.rows().collect();
            medium.place(operator, problem.velocity(), &rows, tolerances);
        }
        Ok(medium)
    }

    /// The rows of the unilateral contacts, in the problem and here.
    fn rows(&self) -> impl Iterator<Item = (usize, usize)> {
        self.contacts.iter().enumerate().flat_map(|(i, &k)| {
            self.problem.row_range(k).enumerate().map(move |(c, row)| (row, 3 * i + c))
        })
    }

    /// Factors `w` and puts the rows and velocities of it that are given in their places.
    fn place(&mut self, w: &Operator, u: &[f64], rows: &[(usize, usize)], tolerances: &Tolerances) {
        let (rank, factor) = factor(w, tolerances.rank);
        let mut all = vec![0.0; self.start.len() * rank];
        for &(row, place) in rows {
            self.start[place] = u[row];
            all[place * rank..(place + 1) * rank]
                .copy_from_slice(&factor[row * rank..(row + 1) * rank]);
        }
        self.coupling = Coupling::Factored { rank, rows: all };
    }

    pub(super) fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether a round touches only part of the island.
    pub(super) fn is_sparse(&self) -> bool {
        matches!(self.coupling, Coupling::Sparse { .. })
    }

    /// Splits contacts, given in rising order, into parts that a round can treat one by one. `parts` is reused; the
    /// answer is how many of them there are.
    pub(super) fn split(&mut self, taking: &[usize], parts: &mut Vec<Part>) -> usize {
        let problem = self.problem;
        let add = |part: &mut Part, k: usize, contact: usize| {
            let spec = &problem.contacts()[contact];
            part.push(k, spec.rows - 1, spec.material.mu);
        };
        match &mut self.coupling {
            Coupling::Factored { rank, rows } => {
                let part = reuse(parts, 0);
                for &k in taking {
                    add(part, k, self.contacts[k]);
                    part.rows.extend_from_slice(&rows[3 * k * *rank..3 * (k + 1) * *rank]);
                }
                part.rank = *rank;
                1
            }
            Coupling::Sparse { operator, owners, component } => {
                // Marked as taking part but not yet in a component.
                const WAITING: usize = usize::MAX - 1;
                taking.iter().for_each(|&k| component[k] = WAITING);
                let mut count = 0;
                for &first in taking {
                    if component[first] != WAITING {
                        continue;
                    }
                    let part = reuse(parts, count);
                    let mut members = std::mem::take(&mut part.contacts);
                    members.push(first);
                    component[first] = count;
                    let mut done = 0;
                    while let Some(&k) = members.get(done) {
                        done += 1;
                        for row in problem.row_range(k) {
                            operator.for_row(row, |other, _| {
                                let (other, _) = owners[other];
                                if component[other] == WAITING {
                                    component[other] = count;
                                    members.push(other);
                                }
                            });
                        }
                    }
                    members.sort_unstable();
                    for &k in &members {
                        add(part, k, k);
                    }
                    members.clear();
                    local_factor(problem, operator, part);
                    count += 1;
                }
                taking.iter().for_each(|&k| component[k] = usize::MAX);
                count
            }
        }
    }

    /// Adds what a part's impulse does to the velocities of all contacts, and lists those it changes.
    pub(super) fn apply(&self, part: &Part, velocity: &mut [f64], touched: &mut Vec<usize>) {
        match &self.coupling {
            Coupling::Factored { rank, rows } => {
                let mut along = vec![0.0; *rank];
                part.along(&part.impulse, &mut along);
                for (u, row) in velocity.iter_mut().zip(rows.chunks_exact((*rank).max(1))) {
                    *u += dot(row, &along);
                }
            }
            Coupling::Sparse { operator, owners, .. } => {
                for (i, &k) in part.contacts.iter().enumerate() {
                    for (c, row) in self.problem.row_range(k).enumerate() {
                        let p = part.impulse[3 * i + c];
                        if p == 0.0 {
                            continue;
                        }
                        operator.for_row(row, |other, w| {
                            let (contact, component) = owners[other];
                            velocity[3 * contact + component] += w * p;
                            touched.push(contact);
                        });
                    }
                }
            }
        }
    }

    /// The impulse of every row of the island, that of bilateral contacts included [N·s].
    pub(super) fn impulse(&self, own: &[f64]) -> Vec<f64> {
        let mut impulse = vec![0.0; self.problem.rows()];
        for (row, place) in self.rows() {
            impulse[row] = own[place];
        }
        if let Some(fold) = &self.fold {
            let others: Vec<f64> = self.rows().map(|(_, place)| own[place]).collect();
            fold.answer(&others, &mut impulse);
        }
        impulse
    }
}

/// `L`, row by row, and how many numbers a row has.
fn factor(w: &Operator, tolerance: f64) -> (usize, Vec<f64>) {
    match (w, w.gram()) {
        // The factors are the Jacobian's rows, each coordinate over the root of its mass.
        (_, Some(gram)) => {
            let rank = gram.mass.len();
            let mut rows = vec![0.0; gram.rows.len() * rank];
            for (row, out) in gram.rows.rows().zip(rows.chunks_exact_mut(rank)) {
                row.iter().for_each(|(c, x)| out[c] = x / libm::sqrt(gram.mass[c]));
            }
            (rank, rows)
        }
        (Operator::Dense(w), None) => {
            let mut entries = w.as_slice().to_vec();
            let mut rows = Vec::new();
            (pivoted_cholesky(&mut entries, w.nrows(), tolerance, &mut rows), rows)
        }
        _ => (0, Vec::new()),
    }
}

/// The factor of the few contacts of a part.
fn local_factor(problem: &ContactProblem, operator: &Operator, part: &mut Part) {
    let own = |contacts: &[usize]| -> usize {
        contacts.iter().map(|&k| problem.row_range(k).len()).sum()
    };
    let n = own(&part.contacts);
    part.scratch.clear();
    for &i in &part.contacts {
        for row in problem.row_range(i) {
            for &j in &part.contacts {
                part.scratch.extend(problem.row_range(j).map(|column| operator.at(row, column)));
            }
        }
    }
    let mut factor = std::mem::take(&mut part.factor);
    part.rank = pivoted_cholesky(&mut part.scratch, n, Tolerances::NOMINAL.rank, &mut factor);
    part.rows.clear();
    part.rows.resize(3 * part.contacts.len() * part.rank, 0.0);
    let mut row = 0;
    for (i, &k) in part.contacts.iter().enumerate() {
        for c in 0..problem.row_range(k).len() {
            let place = (3 * i + c) * part.rank;
            part.rows[place..place + part.rank]
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

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
