//! The right-hand side: indentations, impulses and works as unknowns, `u = u⁻ + W p`.

use super::{APPROACH, OPEN, Release, Springs, folded};
use carom::{ContactKind, ContactProblem};
use nalgebra::{DMatrix, DVector};

struct Spring {
    /// Its number in the problem.
    contact: usize,
    /// The first of its rows here.
    first: usize,
    rows: usize,
    mu: f64,
    e: f64,
    stiffness: f64,
}

pub(super) struct Field {
    springs: Vec<Spring>,
    exponent: f64,
    remember: bool,
    damping: Option<f64>,
    smoothing: f64,
    /// Rows of the problem that are rows here.
    rows: Vec<usize>,
    /// In units of `inertia` and `speed`.
    w: DMatrix<f64>,
    before: DVector<f64>,
    /// The unit of `W` [1/kg].
    inertia: f64,
    /// The unit of velocities [m/s].
    speed: f64,
    u: DVector<f64>,
}

impl Field {
    pub(super) fn new(problem: &ContactProblem, model: &Springs, smoothing: f64) -> Option<Self> {
        let (mut springs, mut rows) = (Vec::new(), Vec::new());
        for (k, spec) in problem.contacts().iter().enumerate() {
            if spec.kind == ContactKind::Bilateral {
                continue;
            }
            let range = problem.row_range(k);
            let approach = (-problem.velocity()[range.start]).max(0.0);
            let (first, contact) = (rows.len(), k);
            let material = &spec.material;
            let e = material.restitution.at(approach);
            if e == 0.0 && model.hunt_crossley.is_none() {
                return None;
            }
            let (mu, stiffness) = (material.mu, material.stiffness);
            springs.push(Spring { contact, first, rows: spec.rows, mu, e, stiffness });
            rows.extend(range);
        }
        let (w, u) = folded(problem, &rows);
        let n = springs.len() as f64;
        let inertia = springs.iter().map(|s| w[(s.first, s.first)]).sum::<f64>() / n;
        let stiffness = springs.iter().map(|s| s.stiffness).sum::<f64>() / n;
        let speed = u.amax();
        if !(inertia > 0.0 && speed > 0.0) {
            return None;
        }
        springs.iter_mut().for_each(|s| s.stiffness /= stiffness);
        Some(Self {
            springs,
            exponent: model.exponent,
            remember: model.remember,
            damping: model.hunt_crossley.map(|c| 1.5 * c * speed),
            smoothing,
            w: w / inertia,
            u: u.clone(),
            before: u / speed,
            rows,
            inertia,
            speed,
        })
    }

    /// One indentation per contact, one impulse per row, two works per contact.
    pub(super) fn unknowns(&self) -> usize {
        3 * self.springs.len() + self.rows.len()
    }

    fn velocities(&mut self, y: &[f64]) {
        let n = self.springs.len();
        let p = &y[n..n + self.rows.len()];
        for (i, u) in self.u.iter_mut().enumerate() {
            *u =
                self.before[i] + p.iter().enumerate().map(|(j, p)| self.w[(i, j)] * p).sum::<f64>();
        }
    }

    /// Force, and its derivatives by indentation and normal velocity.
    fn force(&self, spring: &Spring, d: f64, un: f64) -> [f64; 3] {
        if d <= 0.0 {
            return [0.0; 3];
        }
        let elastic = spring.stiffness * d.powf(self.exponent);
        let by_d = self.exponent * elastic / d;
        match self.damping {
            None => [elastic, by_d, 0.0],
            Some(c) if c * un < 1.0 => {
                [elastic * (1.0 - c * un), by_d * (1.0 - c * un), -c * elastic]
            }
            Some(_) => [0.0; 3],
        }
    }

    /// How fast a unit of normal velocity changes the indentation.
    fn rate(&self, spring: &Spring, d: f64, un: f64) -> f64 {
        if un <= 0.0 {
            -1.0
        } else if d <= 0.0 {
            if self.remember { -1.0 } else { 0.0 }
        } else if self.damping.is_some() {
            -1.0
        } else {
            -1.0 / (spring.e * spring.e)
        }
    }

    pub(super) fn slope(&mut self, y: &[f64], slope: &mut [f64]) {
        self.velocities(y);
        let n = self.springs.len();
        let works = n + self.rows.len();
        for (k, spring) in self.springs.iter().enumerate() {
            let un = self.u[spring.first];
            let [force, ..] = self.force(spring, y[k], un);
            slope[k] = self.rate(spring, y[k], un) * un;
            let p = &mut slope[n + spring.first..n + spring.first + spring.rows];
            p[0] = force;
            let slip = &self.u.as_slice()[spring.first + 1..spring.first + spring.rows];
            let size = self.soft(slip);
            for (p, slip) in p[1..].iter_mut().zip(slip) {
                *p = -spring.mu * force * slip / size;
            }
            let power = force * un;
            slope[works + 2 * k] = (-power).max(0.0);
            slope[works + 2 * k + 1] = power.max(0.0);
        }
    }

    fn soft(&self, slip: &[f64]) -> f64 {
        (slip.iter().map(|x| x * x).sum::<f64>() + self.smoothing * self.smoothing).sqrt()
    }

    pub(super) fn linearise(&mut self, y: &[f64], slope: &mut [f64], jacobian: &mut [f64]) {
        self.slope(y, slope);
        let (n, rows, unknowns) = (self.springs.len(), self.rows.len(), self.unknowns());
        jacobian.fill(0.0);
        for (k, spring) in self.springs.iter().enumerate() {
            let first = spring.first;
            let un = self.u[first];
            let [force, by_d, by_u] = self.force(spring, y[k], un);
            let slip: Vec<f64> = self.u.as_slice()[first + 1..first + spring.rows].to_vec();
            let size = self.soft(&slip);
            // What the row of an unknown takes from each velocity of the contact.
            let mut add = |row: usize, column: usize, derivative: f64| {
                for j in 0..rows {
                    jacobian[row * unknowns + n + j] += derivative * self.w[(first + column, j)];
                }
            };
            add(k, 0, self.rate(spring, y[k], un));
            add(n + first, 0, by_u);
            for (i, x) in slip.iter().enumerate() {
                let row = n + first + 1 + i;
                add(row, 0, -spring.mu * by_u * x / size);
                for (j, y) in slip.iter().enumerate() {
                    let unit = if i == j { 1.0 } else { 0.0 };
                    add(row, 1 + j, -spring.mu * force * (unit - x * y / (size * size)) / size);
                }
            }
            let taken = n + rows + 2 * k;
            let (row, sign) = if un < 0.0 { (taken, -1.0) } else { (taken + 1, 1.0) };
            add(row, 0, sign * (force + un * by_u));
            jacobian[row * unknowns + k] = sign * un * by_d;
            jacobian[(n + first) * unknowns + k] = by_d;
            for (i, x) in slip.iter().enumerate() {
                jacobian[(n + first + 1 + i) * unknowns + k] = -spring.mu * by_d * x / size;
            }
        }
    }

    /// How long no contact is pressed: zero if one is, infinite if none will be again.
    pub(super) fn free_flight(&mut self, y: &[f64]) -> f64 {
        self.velocities(y);
        let mut flight = f64::INFINITY;
        for (k, spring) in self.springs.iter().enumerate() {
            let un = self.u[spring.first];
            if y[k] > 0.0 {
                return 0.0;
            }
            if un < -APPROACH {
                flight = flight.min(y[k] / un);
            }
        }
        flight
    }

    pub(super) fn fly(&self, y: &mut [f64], time: f64) {
        if self.remember {
            for (d, spring) in y.iter_mut().zip(&self.springs) {
                *d -= time * self.u[spring.first];
            }
        }
    }

    /// Contacts that have opened, or are about to, are closed with nothing in them.
    pub(super) fn forget(&mut self, y: &mut [f64]) {
        self.velocities(y);
        for (d, spring) in y.iter_mut().zip(&self.springs) {
            if *d < 0.0 || (*d < OPEN && self.u[spring.first] > 0.0) {
                *d = 0.0;
            }
        }
    }

    pub(super) fn answer(&self, problem: &ContactProblem, y: &[f64], steps: u64) -> Release {
        let (n, m) = (self.springs.len(), self.rows.len());
        let (unit, energy) = (self.speed / self.inertia, self.speed * self.speed / self.inertia);
        let mut impulse = vec![0.0; problem.rows()];
        let mut velocity = vec![0.0; problem.rows()];
        for (i, &row) in self.rows.iter().enumerate() {
            impulse[row] = unit * y[n + i];
            velocity[row] = self.speed * self.u[i];
        }
        let mut work = vec![[0.0; 2]; problem.len()];
        for (spring, pair) in self.springs.iter().zip(y[n + m..].chunks_exact(2)) {
            work[spring.contact] = [energy * pair[0], energy * pair[1]];
        }
        Release { impulse, velocity, work, steps }
    }
}
