//! `B π = w`, the linear equations of an interval, directions of slip being given ([UchidaShermanDelp2015] Table 1).
//!
//! Compressing contacts stop approaching (2.3), rolling ones stop slipping (2.7). Friction of a sliding contact follows its
//! normal impulse (2.8), so that its column is that of the direction `(1, −μ ŝ)`, divided by its length: the smallest solution
//! is then the smallest impulse. Everything is done with the factor `W = L Lᵀ`: many redundant contacts on few coordinates
//! cost little.

use super::active::ActiveContacts;
use super::tolerances::{DEPENDENT, REGULAR, SINGULAR};
use crate::numerics::dot;
use crate::numerics::orthonormal::Orthonormal;
use crate::numerics::reflections::Reflections;
use crate::outcome::ContactMode;

/// Sets of rows whose independent rows are kept.
const SETS: usize = 8;

/// Equations and the contacts they are of.
pub(crate) struct System<'a> {
    pub(crate) equations: &'a mut Equations,
    pub(crate) active: &'a mut ActiveContacts,
}

impl System<'_> {
    /// As [`Equations::solve`].
    pub(crate) fn solve(&mut self) -> f64 {
        self.equations.solve(self.active)
    }

    /// The slip of contact `k` at the end of the step, across its assumed direction and along it [m/s].
    pub(crate) fn slip_across_and_along(&self, k: usize) -> (f64, f64) {
        let (w, s) = (self.active.slip_after(k, 1.0), self.active.contacts[k].direction);
        (w[0] * s[1] - w[1] * s[0], w[0] * s[0] + w[1] * s[1])
    }
}

/// One unknown impulse and the row that must come to rest: normal or tangent of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Unknown {
    /// Three times its contact, plus 0 for the normal, 1 and 2 for tangents.
    row: usize,
    /// The tangential part of its direction, if that is not along the row.
    tangent: [f64; 2],
    /// The length of its direction \[1\].
    length: f64,
}

impl Unknown {
    /// Its effect on a row, given the products of that row with all.
    fn along(&self, products: &[f64]) -> f64 {
        let [x, y] = self.tangent;
        let own = products[self.row];
        if x == 0.0 && y == 0.0 {
            return own / self.length;
        }
        (own + x * products[self.row + 1] + y * products[self.row + 2]) / self.length
    }
}

/// The rows of a set of unknowns.
#[derive(Clone, Debug, Default)]
struct Rows {
    all: Vec<usize>,
    /// Which of them depend on no others.
    independent: Vec<usize>,
}

/// `L Lᵀ` of the active contacts, from the point where knowing all of it is cheaper.
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

    /// Prepares for so many products of rows.
    fn prepare(&mut self, active: &ActiveContacts, wanted: usize) {
        let size = 3 * active.len();
        self.products += wanted;
        if self.size > 0 || active.rank == 0 || self.products < size * size {
            return;
        }
        self.size = size;
        self.entries.resize(size * size, 0.0);
        for i in 0..size {
            for j in 0..=i {
                let entry = dot(active.row(i), active.row(j));
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

/// The work of so many multiplications and what goes with them, in units of the budget \[1\].
pub(crate) fn work_of(multiplications: usize) -> u64 {
    8 + multiplications as u64 / 64
}

/// Equations and their solution; memory is kept from interval to interval.
#[derive(Clone, Debug, Default)]
pub(crate) struct Equations {
    unknowns: Vec<Unknown>,
    /// `Lᵀ` times each unknown's direction, divided by its length.
    columns: Vec<f64>,
    /// The `L` that the following was found of.
    found_of: Vec<f64>,
    rank: usize,
    /// Sets of rows that were met, and which of each depend on no others.
    sets: Vec<Rows>,
    /// How many of them are known, and which is the present one.
    known: usize,
    present: usize,
    /// Factors of the matrix, and of its pivoted rows where these are nearly dependent.
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
    /// The work of all solutions, in units of some sixty multiplications \[1\].
    pub(crate) work: u64,
    /// The work beyond which searches end without result \[1\].
    pub(crate) most_work: u64,
}

impl Equations {
    /// Begins with these contacts: what was found of others is forgotten.
    pub(crate) fn begin(&mut self, active: &ActiveContacts) {
        if self.rank != active.rank || self.found_of != active.rows {
            self.forget();
            self.rank = active.rank;
            self.found_of.clone_from(&active.rows);
        }
    }

    /// Forgets what was found of any contacts, so that no impact influences another, not even by its rounding.
    pub(crate) fn forget(&mut self) {
        // Without freedom all contacts look the same.
        self.rank = 0;
        self.found_of.clear();
        self.known = 0;
        self.gram.forget();
    }

    /// Solves the equations: `active.step` becomes the smallest impulse and `active.along` is `Lᵀ` of it. The answer is the
    /// largest speed by which an equation is missed [m/s].
    pub(crate) fn solve(&mut self, active: &mut ActiveContacts) -> f64 {
        self.solved += 1;
        self.set_up(active);
        self.find_independent(active);
        self.factor(active);
        let (rows, columns) = (self.sets[self.present].independent.len(), self.unknowns.len());
        let size = rows * columns * (rows + active.rank);
        self.work += work_of(if self.pivoted { 2 * size } else { size });
        self.right.clear();
        for j in &self.sets[self.present].independent {
            let row = self.unknowns[*j].row;
            self.right.push(-active.velocity[row] - dot(active.row(row), &self.prescribed));
        }
        self.least();
        self.spread(active);
        let missed = |unknown: &Unknown| active.velocity_after(unknown.row).abs();
        self.unknowns.iter().map(missed).fold(0.0, f64::max)
    }

    /// Whether no more work is allowed.
    pub(crate) fn exhausted(&self) -> bool {
        self.work > self.most_work
    }

    /// Whether other impulses solve the equations too.
    pub(crate) fn redundant(&self) -> bool {
        let independent = match self.pivoted {
            true => self.rows.chosen(),
            false => &self.sets[self.present].independent,
        };
        independent.len() < self.unknowns.len()
    }

    /// Adds to a change of `Lᵀ p` the response of the unknowns.
    pub(crate) fn answer(&mut self, active: &ActiveContacts, change: &mut [f64]) {
        self.right.clear();
        for j in &self.sets[self.present].independent {
            self.right.push(-dot(active.row(self.unknowns[*j].row), change));
        }
        self.least();
        for (y, column) in self.solution.iter().zip(self.columns.chunks_exact(active.rank.max(1))) {
            change.iter_mut().zip(column).for_each(|(x, q)| *x += y * q);
        }
    }

    fn set_up(&mut self, active: &ActiveContacts) {
        self.unknowns.clear();
        self.columns.clear();
        self.prescribed.clear();
        self.prescribed.resize(active.rank, 0.0);
        for (k, contact) in active.contacts.iter().enumerate() {
            if contact.mode == ContactMode::Dropped {
                continue;
            }
            let rolls = contact.mode == ContactMode::Rolling;
            let mu = if rolls { 0.0 } else { contact.mu };
            let [x, y] = contact.direction.map(|s| -mu * s);
            let [n, t1, t2] = [0, 1, 2].map(|c| active.row(3 * k + c));
            let direction = || n.iter().zip(t1).zip(t2).map(|((n, a), b)| n + x * a + y * b);
            match contact.prescribed_normal() {
                Some(p) => {
                    self.prescribed.iter_mut().zip(direction()).for_each(|(x, q)| *x += p * q);
                }
                None => {
                    let length = f64::sqrt(1.0 + mu * mu);
                    self.unknowns.push(Unknown { row: 3 * k, tangent: [x, y], length });
                    self.columns.extend(direction().map(|q| q / length));
                }
            }
            if rolls && contact.mu > 0.0 {
                for row in 3 * k + 1..=3 * k + contact.tangents {
                    self.unknowns.push(Unknown { row, tangent: [0.0; 2], length: 1.0 });
                    self.columns.extend_from_slice(active.row(row));
                }
            }
        }
    }

    /// Finds rows that span the others. They do not depend on directions of slip, so they are kept from interval to
    /// interval.
    fn find_independent(&mut self, active: &ActiveContacts) {
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
            independent.extend((dot(active.row(only), active.row(only)) > 0.0).then_some(0));
            return;
        }
        let vectors = self.rows.begin(all.len(), active.rank);
        for (vector, &row) in vectors.chunks_exact_mut(active.rank.max(1)).zip(all.iter()) {
            vector.copy_from_slice(active.row(row));
        }
        self.rows.factor(DEPENDENT);
        independent.extend_from_slice(self.rows.chosen());
    }

    fn factor(&mut self, active: &ActiveContacts) {
        let (count, rank) = (self.unknowns.len(), self.sets[self.present].independent.len());
        self.gram.prepare(active, rank * count);
        let mut quick = std::mem::take(&mut self.quick);
        self.fill(active, quick.begin(rank, count));
        self.pivoted = !quick.factor(REGULAR);
        self.quick = quick;
        if self.pivoted {
            let mut rows = std::mem::take(&mut self.rows);
            self.fill(active, rows.begin(rank, count));
            rows.factor(SINGULAR);
            self.rows = rows;
        }
    }

    /// Writes the matrix: the effect of each unknown on each independent row.
    fn fill(&self, active: &ActiveContacts, matrix: &mut [f64]) {
        let independent = &self.sets[self.present].independent;
        let count = self.unknowns.len().max(1);
        for (entries, &j) in matrix.chunks_exact_mut(count).zip(independent) {
            let row = self.unknowns[j].row;
            if let Some(products) = self.gram.row(row) {
                let unknowns = entries.iter_mut().zip(&self.unknowns);
                unknowns.for_each(|(x, unknown)| *x = unknown.along(products));
            } else {
                let columns = self.columns.chunks_exact(active.rank.max(1));
                let row = active.row(row);
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

    /// Writes the impulse `π` of the solution.
    fn spread(&self, active: &mut ActiveContacts) {
        let ActiveContacts { contacts, step, along, rank, .. } = active;
        step.fill(0.0);
        for (contact, p) in contacts.iter().zip(step.chunks_exact_mut(3)) {
            if contact.mode != ContactMode::Dropped
                && let Some(normal) = contact.prescribed_normal()
            {
                p[0] = normal;
            }
        }
        for (unknown, y) in self.unknowns.iter().zip(&self.solution) {
            step[unknown.row] = y / unknown.length;
        }
        for (contact, p) in contacts.iter().zip(step.chunks_exact_mut(3)) {
            if !matches!(contact.mode, ContactMode::Dropped | ContactMode::Rolling) {
                // [UchidaShermanDelp2015] Eq. (2.8)
                let push = contact.mu * p[0];
                p[1] = -push * contact.direction[0];
                p[2] = -push * contact.direction[1];
            }
        }
        along.clear();
        along.extend_from_slice(&self.prescribed);
        for (y, column) in self.solution.iter().zip(self.columns.chunks_exact((*rank).max(1))) {
            along.iter_mut().zip(column).for_each(|(x, q)| *x += y * q);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::active::{ActiveContacts, Phase};
    use super::Equations;
    use crate::outcome::ContactMode;

    /// W = [[2, ½, 0], [½, 1, 0], [0, 0, 1]] by Cholesky's factor.
    fn coupled(mu: f64, velocity: &[f64]) -> ActiveContacts {
        let root = f64::sqrt(2.0);
        let l = [[root, 0.0, 0.0], [0.5 / root, f64::sqrt(0.875), 0.0], [0.0, 0.0, 1.0]];
        ActiveContacts::sample(&l, mu, velocity)
    }

    fn solve(active: &mut ActiveContacts) -> Vec<f64> {
        let mut equations = Equations::default();
        equations.begin(active);
        assert!(equations.solve(active) < 1e-14);
        active.step.clone()
    }

    fn close(got: &[f64], wanted: &[f64]) {
        assert!(got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-14), "{got:?} {wanted:?}");
    }

    /// Sliding along x: (2 − 0.4/2) p = 3.
    #[test]
    fn a_sliding_contact_stops_approaching() {
        let mut active = coupled(0.4, &[-3.0, 1.0, 0.0]);
        (active.contacts[0].mode, active.contacts[0].direction) =
            (ContactMode::Sliding, [1.0, 0.0]);
        let p = 3.0 / 1.8;
        close(&solve(&mut active), &[p, -0.4 * p, 0.0]);
    }

    /// Rolling: W p = −u with W⁻¹ = [[4, −2], [−2, 8]]/7.
    #[test]
    fn a_rolling_contact_comes_to_rest() {
        let mut active = coupled(2.0, &[-3.0, 1.0, 0.5]);
        active.contacts[0].mode = ContactMode::Rolling;
        close(&solve(&mut active), &[2.0, -2.0, -0.5]);
        assert!(active.slip_after(0, 1.0).iter().all(|u| u.abs() < 1e-14));
    }

    /// Expanding and rolling: p_n = 1 is given, and ½ p_n + p_x = −1.
    #[test]
    fn an_expanding_contact_gives_what_it_owes() {
        let mut active = coupled(2.0, &[0.0, 1.0, 0.0]);
        let contact = &mut active.contacts[0];
        (contact.mode, contact.phase, contact.owed) = (ContactMode::Rolling, Phase::Expanding, 1.0);
        close(&solve(&mut active), &[1.0, -1.5, 0.0]);
    }

    /// The same contact twice: the smallest impulse is shared evenly.
    #[test]
    fn redundant_contacts_share_the_load() {
        let l = [[1.0], [0.0], [0.0], [1.0], [0.0], [0.0]];
        let mut active = ActiveContacts::sample(&l, 0.0, &[-1.0, 0.0, 0.0, -1.0, 0.0, 0.0]);
        active.contacts.iter_mut().for_each(|contact| contact.mode = ContactMode::Sliding);
        close(&solve(&mut active), &[0.5, 0.0, 0.0, 0.5, 0.0, 0.0]);
    }
}
