//! Forces of contacts that last: linear equations, once it is known which contacts stick and which slide.
//!
//! With `R` the rows that have no acceleration (every normal, tangents of what sticks) and `D` the directions of force
//! (the same, but `J_n − μ Σ d_k J_k` for what slides along `d`):
//!
//! ```text
//! A x = −b,   A = R M⁻¹ Dᵀ,   b = R v̇_free + γ
//! ```
//!
//! Friction without bound (`μ = ∞`) that slides is the limit of this: `D = −Σ d_k J_k` alone, so that what rubs does not
//! press.
//!
//! Rows that depend on each other leave `x` open. It is then what contacts that yield equally, and ever less, would
//! make of it: the limit of `A + ε diag(W_ii)`.

/// How a contact enters the equations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Entry {
    /// Its normal force alone.
    Smooth,
    /// Normal force and friction that prevents slip.
    Stick,
    /// Friction `μ` times the normal force against the slip, which has this direction along the tangents; without bound it
    /// is all that there is.
    Slip { mu: f64, along: [f64; 2] },
}

/// The contacts' rows, by their places.
pub(crate) trait Contacts<'a>: Fn(usize) -> Rows<'a> + Copy {}

impl<'a, F: Fn(usize) -> Rows<'a> + Copy> Contacts<'a> for F {}

/// One contact's rows, transformed so that products of them are entries of `W`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    /// `rows` times as many numbers as there are velocities.
    pub(crate) x: &'a [f64],
    pub(crate) rows: usize,
    /// `J v̇_free + γ` along each row.
    pub(crate) b: [f64; 3],
}

/// What remains of a row beside those before it, relative to its length, below which it depends on them. Gaps close to 1e-10
/// of an extent: rows that are told apart by less would turn that into forces \[1\].
const DEPENDENT: f64 = 1e-7;

/// The same where only rounding is taken off: places that nearly coincide would turn it into speed.
const NEARLY_DEPENDENT: f64 = 1e-5;

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Equations {
    /// Whether rows that nearly depend on others count as dependent.
    pub(crate) coarse: bool,
    /// Rows of `R`, made orthonormal in the order of `pivots`.
    basis: Vec<f64>,
    /// `R` as combinations of the basis, row by row.
    lower: Vec<f64>,
    left: Vec<f64>,
    pivots: Vec<usize>,
    is_pivot: Vec<bool>,
    /// Contact and row of each equation.
    equations: Vec<(usize, usize)>,
    force_rows: Vec<f64>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    beta: Vec<f64>,
    combination: Vec<f64>,
    /// Lengths of the rows, and the one that is made orthonormal.
    whole: Vec<f64>,
    axis: Vec<f64>,
    /// Normal force and friction along the tangents of each contact, after [`Equations::solve`].
    pub(crate) forces: Vec<[f64; 3]>,
    /// Whether rows depend on each other.
    pub(crate) redundant: bool,
}

impl Equations {
    /// Solves for the forces of all contacts; false if there is no unique answer even so.
    pub(crate) fn solve<'a>(
        &mut self,
        contacts: impl Contacts<'a>,
        entries: &[Entry],
        velocities: usize,
    ) -> bool {
        let n = velocities;
        self.equations.clear();
        for (c, entry) in entries.iter().enumerate() {
            let rows = if *entry == Entry::Stick { contacts(c).rows } else { 1 };
            self.equations.extend((0..rows).map(|row| (c, row)));
        }
        let m = self.equations.len();
        self.forces.clear();
        self.forces.resize(entries.len(), [0.0; 3]);
        self.redundant = false;
        if m == 0 {
            return true;
        }
        self.orthonormalise(contacts, n);
        let rank = self.pivots.len();
        self.redundant = rank < m;
        self.force_rows(contacts, entries, n);
        self.matrix.clear();
        self.matrix.resize(m * m, 0.0);
        self.right.clear();
        self.right.resize(m, 0.0);
        // b lies in the range of R: the pivot rows say it.
        self.beta.clear();
        for (i, &p) in self.pivots.iter().enumerate() {
            let (c, row) = self.equations[p];
            let lower = &self.lower[p * m..p * m + i];
            let known: f64 = lower.iter().zip(&self.beta).map(|(l, x)| l * x).sum();
            let beta = (contacts(c).b[row] - known) / self.lower[p * m + i];
            self.beta.push(beta);
            self.right[i] = -beta;
            let basis = &self.basis[i * n..(i + 1) * n];
            for (j, force) in self.force_rows.chunks_exact(n).enumerate() {
                self.matrix[i * m + j] = carom_numerics::dot(basis, force);
            }
        }
        for (at, k) in (rank..m).zip((0..m).filter(|&k| !self.is_pivot[k])) {
            // Row k as a combination of the pivot rows: what it takes is zero against all of them.
            self.combination.clear();
            self.combination.resize(rank, 0.0);
            for i in (0..rank).rev() {
                let known: f64 = (i + 1..rank)
                    .map(|j| self.combination[j] * self.lower[self.pivots[j] * m + i])
                    .sum();
                self.combination[i] =
                    (self.lower[k * m + i] - known) / self.lower[self.pivots[i] * m + i];
            }
            self.matrix[at * m + k] = self.stiffness(contacts, k, n);
            for i in 0..rank {
                let p = self.pivots[i];
                self.matrix[at * m + p] -= self.combination[i] * self.stiffness(contacts, p, n);
            }
        }
        if !solve_square(&mut self.matrix, &mut self.right, m) {
            return false;
        }
        for (&(c, row), x) in self.equations.iter().zip(&self.right) {
            self.forces[c][row] = *x;
        }
        for (force, entry) in self.forces.iter_mut().zip(entries) {
            if let Entry::Slip { mu, along } = entry {
                let friction = if mu.is_finite() { mu * force[0] } else { force[0] };
                force[1] = -along[0] * friction;
                force[2] = -along[1] * friction;
                if mu.is_infinite() {
                    force[0] = 0.0;
                }
            }
        }
        self.forces.iter().flatten().all(|x| x.is_finite())
    }

    /// `W_kk` of an equation's row.
    fn stiffness<'a>(&self, contacts: impl Contacts<'a>, k: usize, n: usize) -> f64 {
        let (c, row) = self.equations[k];
        let x = &contacts(c).x[row * n..(row + 1) * n];
        carom_numerics::dot(x, x)
    }

    /// Gram and Schmidt with the longest remaining row first.
    fn orthonormalise<'a>(&mut self, contacts: impl Contacts<'a>, n: usize) {
        let m = self.equations.len();
        self.left.clear();
        for &(c, row) in &self.equations {
            self.left.extend_from_slice(&contacts(c).x[row * n..(row + 1) * n]);
        }
        self.lower.clear();
        self.lower.resize(m * m, 0.0);
        self.basis.clear();
        self.pivots.clear();
        self.is_pivot.clear();
        self.is_pivot.resize(m, false);
        let length = |row: &[f64]| f64::sqrt(carom_numerics::dot(row, row));
        self.whole.clear();
        self.whole.extend(self.left.chunks_exact(n).map(length));
        let mut axis = std::mem::take(&mut self.axis);
        while self.pivots.len() < m.min(n) {
            let mut best = (0.0, m);
            for (k, row) in self.left.chunks_exact(n).enumerate() {
                let relative = if self.whole[k] > 0.0 { length(row) / self.whole[k] } else { 0.0 };
                if !self.is_pivot[k] && relative > best.0 {
                    best = (relative, k);
                }
            }
            let (relative, p) = best;
            if relative <= if self.coarse { NEARLY_DEPENDENT } else { DEPENDENT } {
                break;
            }
            let i = self.pivots.len();
            axis.clear();
            axis.extend_from_slice(&self.left[p * n..(p + 1) * n]);
            // Twice is enough.
            for j in 0..i {
                let known = &self.basis[j * n..(j + 1) * n];
                let part = carom_numerics::dot(known, &axis);
                self.lower[p * m + j] += part;
                axis.iter_mut().zip(known).for_each(|(x, y)| *x -= part * y);
            }
            let size = length(&axis);
            axis.iter_mut().for_each(|x| *x /= size);
            self.lower[p * m + i] = size;
            self.pivots.push(p);
            self.is_pivot[p] = true;
            for k in (0..m).filter(|&k| !self.is_pivot[k]) {
                let row = &mut self.left[k * n..(k + 1) * n];
                let part = carom_numerics::dot(&axis, row);
                self.lower[k * m + i] = part;
                row.iter_mut().zip(&axis).for_each(|(x, y)| *x -= part * y);
            }
            self.basis.extend_from_slice(&axis);
        }
        self.axis = axis;
    }

    /// The directions of force of all equations.
    fn force_rows<'a>(&mut self, contacts: impl Contacts<'a>, entries: &[Entry], n: usize) {
        self.force_rows.clear();
        for &(c, row) in &self.equations {
            let x = contacts(c).x;
            let from = self.force_rows.len();
            self.force_rows.extend_from_slice(&x[row * n..(row + 1) * n]);
            if let Entry::Slip { mu, along } = entries[c] {
                if mu.is_infinite() {
                    self.force_rows[from..].fill(0.0);
                }
                for k in 1..contacts(c).rows {
                    let tangent = &x[k * n..(k + 1) * n];
                    let part = if mu.is_finite() { mu } else { 1.0 } * along[k - 1];
                    let force = &mut self.force_rows[from..];
                    force.iter_mut().zip(tangent).for_each(|(f, t)| *f -= part * t);
                }
            }
        }
    }
}

/// `A x = r` by Gauss with row exchange; `r` becomes `x`. False if `A` is singular.
fn solve_square(a: &mut [f64], r: &mut [f64], n: usize) -> bool {
    for row in 0..n {
        // Rows of different units compare.
        let most = carom_numerics::largest(&a[row * n..(row + 1) * n]);
        if most == 0.0 {
            return false;
        }
        a[row * n..(row + 1) * n].iter_mut().for_each(|x| *x /= most);
        r[row] /= most;
    }
    for k in 0..n {
        let best = (k..n)
            .fold(k, |best, i| if a[i * n + k].abs() > a[best * n + k].abs() { i } else { best });
        if a[best * n + k].abs() < 1e-14 {
            return false;
        }
        if best != k {
            for j in 0..n {
                a.swap(k * n + j, best * n + j);
            }
            r.swap(k, best);
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            if factor != 0.0 {
                for j in k..n {
                    a[i * n + j] -= factor * a[k * n + j];
                }
                r[i] -= factor * r[k];
            }
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k * n + j] * r[j]).sum();
        r[k] = (r[k] - known) / a[k * n + k];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block on two corners, pushed sideways below its friction limit: rows n1, t1, n2, t2 over three velocities.
    #[test]
    fn redundant_friction_is_shared_and_nothing_accelerates() {
        // Unit mass and inertia; corners at (±1, −1): rows along n = y and t = −x of each.
        let corner = |x: f64, y: f64| [0.0, 1.0, x, -1.0, 0.0, y];
        let (left, right) = (corner(-1.0, -1.0), corner(1.0, -1.0));
        // Free acceleration (0.5, −10, 0).
        let b = |x: &[f64; 6]| [-10.0 * x[1], 0.5 * x[3], 0.0];
        let contacts =
            [Rows { x: &left, rows: 2, b: b(&left) }, Rows { x: &right, rows: 2, b: b(&right) }];
        let mut equations = Equations::default();
        assert!(equations.solve(|c: usize| contacts[c], &[Entry::Stick; 2], 3));
        assert!(equations.redundant);
        let [one, two] = [equations.forces[0], equations.forces[1]];
        // Balance: vertical 10, horizontal 0.5 (t points to −x), moments about the centre.
        assert!((one[0] + two[0] - 10.0).abs() < 1e-13);
        assert!((one[1] + two[1] - 0.5).abs() < 1e-13);
        assert!((two[0] - one[0] - (one[1] + two[1])).abs() < 1e-13);
        assert!((one[1] - two[1]).abs() < 1e-13, "shared equally");
    }

    #[test]
    fn slip_has_its_friction_in_the_matrix() {
        // A point mass on a plane: n = y, t = −x, slip along +t, mu = 0.5.
        let x = [0.0, 1.0, -1.0, 0.0];
        let contacts = [Rows { x: &x, rows: 2, b: [-9.81, 0.0, 0.0] }];
        let mut equations = Equations::default();
        assert!(equations.solve(
            |c: usize| contacts[c],
            &[Entry::Slip { mu: 0.5, along: [1.0, 0.0] }],
            2
        ));
        assert_eq!(equations.forces[0], [9.81, -0.5 * 9.81, 0.0]);
    }
}
