//! The linear equations of an interval, directions of slip being given.
//!
//! Compressing contacts stop approaching, rolling ones stop slipping. Friction of a sliding contact follows its normal
//! impulse, so that its column of the matrix is that of the direction `(1, −μ s)`, divided by its length: the smallest
//! solution is then the smallest impulse. Everything is done with the factor `W = L Lᵀ`: many redundant contacts on few
//! coordinates cost little.

use super::medium::dot;
use super::part::{Class, Part};
use crate::numerics::orthonormal::Orthonormal;
use crate::numerics::reflections::Reflections;
use crate::outcome::ContactMode;

/// The squared length that is left of a row, relative to what it was, and counts as nothing: it depends on the others.
const DEPENDENT: f64 = 1e-12;
/// The same for rows of the matrix itself, which is singular where sliding friction jams.
const SINGULAR: f64 = 1e-22;
/// Rows of the matrix of which more than this part is new are taken in any order; else the most independent come first.
const REGULAR: f64 = 1e-6;
/// Sets of rows of which is remembered which span the others.
const SETS: usize = 8;

/// What contacts do in an interval.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modes {
    pub(crate) of: Vec<ContactMode>,
    /// Directions of slip; of those that roll or have no friction, zero.
    pub(crate) slip: Vec<[f64; 2]>,
    /// Normal impulses of those that jam [N·s].
    pub(crate) jam: Vec<f64>,
}

/// Equations, and whose they are.
pub(crate) struct System<'a> {
    pub(crate) equations: &'a mut Equations,
    pub(crate) part: &'a mut Part,
    pub(crate) modes: &'a mut Modes,
}

impl System<'_> {
    /// As [`Equations::solve`].
    pub(crate) fn solve(&mut self) -> f64 {
        self.equations.solve(self.part, self.modes)
    }

    /// The slip of contact `k` at the end of the step, across the direction it is said to have and along it [m/s].
    pub(crate) fn slip_across_and_along(&self, k: usize) -> (f64, f64) {
        let (w, s) = (self.part.slip_after(k, 1.0), self.modes.slip[k]);
        (w[0] * s[1] - w[1] * s[0], w[0] * s[0] + w[1] * s[1])
    }
}

/// One unknown impulse and the row that must come to rest: normal or tangent of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Unknown {
    /// Row of the part: three times its contact plus 0 for the normal, 1 and 2 for tangents.
    row: usize,
    /// The tangential part of its direction, if that is not along the row.
    tangent: [f64; 2],
    /// The length of its direction \[1\].
    length: f64,
}

impl Unknown {
    /// What it does to a row, given the products of that row with all.
    fn along(&self, products: &[f64]) -> f64 {
        let [x, y] = self.tangent;
        let own = products[self.row];
        if x == 0.0 && y == 0.0 {
            return own / self.length;
        }
        (own + x * products[self.row + 1] + y * products[self.row + 2]) / self.length
    }
}

/// Rows of unknowns.
#[derive(Clone, Debug, Default)]
struct Rows {
    all: Vec<usize>,
    /// Which of them depend on no others.
    independent: Vec<usize>,
}

/// `L Lᵀ` of a part, once it has been asked for often enough.
#[derive(Clone, Debug, Default)]
struct Gram {
    size: usize,
    entries: Vec<f64>,
    /// Products of rows that were computed without it.
    products: usize,
}

impl Gram {
    fn forget(&mut self) {
        self.size = 0;
        self.products = 0;
    }

    /// Makes ready for so many products of rows: these add up until it is cheaper to know all of them.
    fn prepare(&mut self, part: &Part, wanted: usize) {
        let size = 3 * part.len();
        self.products += wanted;
        if self.size > 0 || part.rank == 0 || self.products < size * size {
            return;
        }
        self.size = size;
        self.entries.resize(size * size, 0.0);
        for i in 0..size {
            for j in 0..=i {
                let entry = dot(part.row(i), part.row(j));
                self.entries[i * size + j] = entry;
                self.entries[j * size + i] = entry;
            }
        }
    }

    /// The products of a row with all others, if they are known.
    fn row(&self, i: usize) -> Option<&[f64]> {
        (self.size > 0).then(|| &self.entries[i * self.size..(i + 1) * self.size])
    }
}

/// Equations and their solution; memory is kept from interval to interval.
#[derive(Clone, Debug, Default)]
pub(crate) struct Equations {
    unknowns: Vec<Unknown>,
    /// `Lᵀ` times each unknown's direction, divided by its length.
    columns: Vec<f64>,
    /// The rows of the part that the following was found of.
    found_of: Vec<f64>,
    rank: usize,
    /// Sets of rows that were met, and which of each depend on no others.
    sets: Vec<Rows>,
    /// How many of them are known, and which is the present one.
    known: usize,
    present: usize,
    /// The matrix: its factors, and others where rows are nearly dependent.
    quick: Reflections,
    rows: Orthonormal,
    pivoted: bool,
    gram: Gram,
    /// `Lᵀ` of impulses that are prescribed.
    prescribed: Vec<f64>,
    right: Vec<f64>,
    solution: Vec<f64>,
    /// How many times they have been solved.
    pub(crate) solved: u64,
}

impl Equations {
    /// Begins with a part: what was found of another is forgotten.
    pub(crate) fn begin(&mut self, part: &Part) {
        if self.rank != part.rank || self.found_of != part.rows {
            self.forget();
            self.rank = part.rank;
            self.found_of.clone_from(&part.rows);
        }
    }

    /// Forgets what was found of any part, so that no impact influences another, not even by its rounding.
    pub(crate) fn forget(&mut self) {
        // Without freedom all parts look the same.
        self.rank = 0;
        self.found_of.clear();
        self.known = 0;
        self.gram.forget();
    }

    /// Solves the equations: `part.step` becomes the smallest impulse and `part.along` is `Lᵀ` of it. The answer is the
    /// largest speed by which an equation is missed [m/s].
    pub(crate) fn solve(&mut self, part: &mut Part, modes: &Modes) -> f64 {
        self.solved += 1;
        self.set_up(part, modes);
        self.find_independent(part);
        self.factor(part);
        self.right.clear();
        for j in &self.sets[self.present].independent {
            let row = self.unknowns[*j].row;
            self.right.push(-part.velocity[row] - dot(part.row(row), &self.prescribed));
        }
        self.least();
        self.spread(part, modes);
        let unknown =
            |u: &Unknown| (part.velocity[u.row] + dot(part.row(u.row), &part.along)).abs();
        self.unknowns.iter().map(unknown).fold(0.0, f64::max)
    }

    /// Whether other impulses solve the equations too.
    pub(crate) fn redundant(&self) -> bool {
        let independent = match self.pivoted {
            true => self.rows.chosen(),
            false => &self.sets[self.present].independent,
        };
        independent.len() < self.unknowns.len()
    }

    /// Completes a change of `Lᵀ p` by what the unknowns answer to it.
    pub(crate) fn answer(&mut self, part: &Part, change: &mut [f64]) {
        self.right.clear();
        for j in &self.sets[self.present].independent {
            self.right.push(-dot(part.row(self.unknowns[*j].row), change));
        }
        self.least();
        for (y, column) in self.solution.iter().zip(self.columns.chunks_exact(part.rank.max(1))) {
            change.iter_mut().zip(column).for_each(|(x, q)| *x += y * q);
        }
    }

    fn set_up(&mut self, part: &Part, modes: &Modes) {
        self.unknowns.clear();
        self.columns.clear();
        self.prescribed.clear();
        self.prescribed.resize(part.rank, 0.0);
        for (k, &mode) in modes.of.iter().enumerate() {
            if mode == ContactMode::Dropped {
                continue;
            }
            let mu = if mode == ContactMode::Rolling { 0.0 } else { part.mu[k] };
            let [x, y] = modes.slip[k].map(|s| -mu * s);
            let [n, t1, t2] = [0, 1, 2].map(|c| part.row(3 * k + c));
            let direction = || n.iter().zip(t1).zip(t2).map(|((n, a), b)| n + x * a + y * b);
            match given(part, modes, k) {
                Some(p) => {
                    self.prescribed.iter_mut().zip(direction()).for_each(|(x, q)| *x += p * q);
                }
                None => {
                    let length = f64::sqrt(1.0 + mu * mu);
                    self.unknowns.push(Unknown { row: 3 * k, tangent: [x, y], length });
                    self.columns.extend(direction().map(|q| q / length));
                }
            }
            if mode == ContactMode::Rolling && part.mu[k] > 0.0 {
                for row in 3 * k + 1..=3 * k + part.tangents[k] {
                    self.unknowns.push(Unknown { row, tangent: [0.0; 2], length: 1.0 });
                    self.columns.extend_from_slice(part.row(row));
                }
            }
        }
    }

    /// Finds rows that span the others. They do not depend on directions of slip, so they are kept from interval to
    /// interval.
    fn find_independent(&mut self, part: &Part) {
        let rows = || self.unknowns.iter().map(|unknown| unknown.row);
        let is_present = |set: &Rows| rows().eq(set.all.iter().copied());
        if let Some(present) = self.sets[..self.known].iter().position(is_present) {
            self.present = present;
            return;
        }
        // The oldest makes room.
        self.present = if self.known < SETS { self.known } else { (self.present + 1) % SETS };
        self.known = (self.known + 1).min(SETS);
        if self.sets.len() < self.known {
            self.sets.push(Rows::default());
        }
        let Rows { all, independent } = &mut self.sets[self.present];
        all.clear();
        all.extend(self.unknowns.iter().map(|unknown| unknown.row));
        independent.clear();
        if let [only] = all[..] {
            independent.extend((dot(part.row(only), part.row(only)) > 0.0).then_some(0));
            return;
        }
        let vectors = self.rows.begin(all.len(), part.rank);
        for (vector, &row) in vectors.chunks_exact_mut(part.rank.max(1)).zip(all.iter()) {
            vector.copy_from_slice(part.row(row));
        }
        self.rows.factor(DEPENDENT);
        independent.extend_from_slice(self.rows.chosen());
    }

    fn factor(&mut self, part: &Part) {
        let (count, rank) = (self.unknowns.len(), self.sets[self.present].independent.len());
        self.gram.prepare(part, rank * count);
        let mut quick = std::mem::take(&mut self.quick);
        self.fill(part, quick.begin(rank, count));
        self.pivoted = !quick.factor(REGULAR);
        self.quick = quick;
        if self.pivoted {
            let mut rows = std::mem::take(&mut self.rows);
            self.fill(part, rows.begin(rank, count));
            rows.factor(SINGULAR);
            self.rows = rows;
        }
    }

    /// Writes the matrix: what each unknown does to each independent row.
    fn fill(&self, part: &Part, matrix: &mut [f64]) {
        let independent = &self.sets[self.present].independent;
        let count = self.unknowns.len().max(1);
        for (entries, &j) in matrix.chunks_exact_mut(count).zip(independent) {
            let row = self.unknowns[j].row;
            if let Some(products) = self.gram.row(row) {
                let unknowns = entries.iter_mut().zip(&self.unknowns);
                unknowns.for_each(|(x, unknown)| *x = unknown.along(products));
            } else {
                let columns = self.columns.chunks_exact(part.rank.max(1));
                let row = part.row(row);
                entries.iter_mut().zip(columns).for_each(|(x, column)| *x = dot(row, column));
            }
        }
    }

    fn least(&mut self) {
        self.solution.resize(self.unknowns.len(), 0.0);
        match self.pivoted {
            true => self.rows.least(&self.right, &mut self.solution),
            false => self.quick.least(&self.right, &mut self.solution),
        }
    }

    /// The impulse that the solution stands for.
    fn spread(&self, part: &mut Part, modes: &Modes) {
        part.step.fill(0.0);
        for (k, mode) in modes.of.iter().enumerate() {
            if *mode != ContactMode::Dropped
                && let Some(p) = given(part, modes, k)
            {
                part.step[3 * k] = p;
            }
        }
        for (unknown, y) in self.unknowns.iter().zip(&self.solution) {
            part.step[unknown.row] = y / unknown.length;
        }
        for (k, mode) in modes.of.iter().enumerate() {
            if !matches!(mode, ContactMode::Dropped | ContactMode::Rolling) {
                let push = part.mu[k] * part.step[3 * k];
                part.step[3 * k + 1] = -push * modes.slip[k][0];
                part.step[3 * k + 2] = -push * modes.slip[k][1];
            }
        }
        part.along.clear();
        part.along.extend_from_slice(&self.prescribed);
        for (y, column) in self.solution.iter().zip(self.columns.chunks_exact(part.rank.max(1))) {
            part.along.iter_mut().zip(column).for_each(|(x, q)| *x += y * q);
        }
    }
}

/// The normal impulse of a contact that does not follow from the equations [N·s].
fn given(part: &Part, modes: &Modes, k: usize) -> Option<f64> {
    match (part.class[k], modes.of[k]) {
        (Class::Expanding, _) => Some(part.owed[k]),
        (Class::Compressing, ContactMode::Jammed) => Some(modes.jam[k]),
        (Class::Compressing, _) => None,
    }
}
