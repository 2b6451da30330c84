//! A mechanism as plain numbers, so that tests can reorder, join and transform it before carom sees it.

use crate::dd::Dd;
use carom::system::{Aftermath, Generalized, MassMatrix};
use carom::{ContactKind, ContactProblem, ContactSpec, Restitution};
use std::fmt;

/// Generalized coordinates with their contacts: `M`, `v`, `J`, `B`, `drive`.
#[derive(Clone)]
pub struct Mechanism {
    /// The mass matrix, row by row, f·f numbers [kg, kg·m, kg·m²].
    pub mass: Vec<f64>,
    /// One per coordinate [m/s or rad/s].
    pub velocity: Vec<f64>,
    /// Rows of `J`, contact by contact, normal first.
    pub jacobian: Vec<Vec<f64>>,
    /// The contacts, in order.
    pub contacts: Vec<ContactSpec>,
    /// Rows of `B`.
    pub bilateral: Vec<Vec<f64>>,
    /// Prescribed motion, one per row of `J` [m/s].
    pub drive: Vec<f64>,
}

impl Mechanism {
    /// A mechanism of separate masses with contacts of one row each, without joints.
    pub fn new(
        masses: &[f64],
        velocity: Vec<f64>,
        jacobian: Vec<Vec<f64>>,
        contacts: Vec<ContactSpec>,
    ) -> Self {
        let f = masses.len();
        let mass = (0..f * f).map(|k| if k / f == k % f { masses[k / f] } else { 0.0 }).collect();
        let drive = vec![0.0; jacobian.len()];
        Self { mass, velocity, jacobian, contacts, bilateral: Vec::new(), drive }
    }

    /// How many coordinates there are.
    pub fn size(&self) -> usize {
        self.velocity.len()
    }

    fn is_diagonal(&self) -> bool {
        let f = self.size();
        (0..f * f).all(|k| k / f == k % f || self.mass[k] == 0.0)
    }

    /// The mechanism as carom takes it. Panics with carom's own words if it refuses.
    pub fn system(&self) -> Generalized {
        let f = self.size();
        let mass = match self.is_diagonal() {
            true => MassMatrix::Diagonal((0..f).map(|i| self.mass[i * f + i]).collect()),
            false => MassMatrix::Dense(self.mass.clone()),
        };
        let mut system = Generalized::new(
            mass,
            self.velocity.clone(),
            self.jacobian.concat(),
            self.contacts.clone(),
        );
        if !self.bilateral.is_empty() {
            system = system.and_then(|s| s.with_bilateral(self.bilateral.concat()));
        }
        if self.drive.iter().any(|w| *w != 0.0) {
            system = system.and_then(|s| s.with_drive(self.drive.clone()));
        }
        system.unwrap_or_else(|error| panic!("not a valid mechanism: {error}; {self:?}"))
    }

    /// The problem that its contacts see.
    pub fn problem(&self) -> ContactProblem {
        self.system().problem().clone()
    }

    /// The first row of each contact.
    pub fn normals(&self) -> Vec<usize> {
        let mut next = 0;
        self.contacts
            .iter()
            .map(|contact| {
                let first = next;
                next += contact.rows;
                first
            })
            .collect()
    }

    /// The contacts in another order: `order[k]` is the old index of the new contact `k`.
    pub fn reordered(&self, order: &[usize]) -> Self {
        let first = self.normals();
        let rows = || order.iter().flat_map(|&k| first[k]..first[k] + self.contacts[k].rows);
        Self {
            jacobian: rows().map(|i| self.jacobian[i].clone()).collect(),
            drive: rows().map(|i| self.drive[i]).collect(),
            contacts: order.iter().map(|&k| self.contacts[k]).collect(),
            ..self.clone()
        }
    }

    /// Both mechanisms, not coupled, the contacts of this one before those of the other.
    pub fn beside(&self, other: &Self) -> Self {
        let (f, g) = (self.size(), other.size());
        let n = f + g;
        let mut mass = vec![0.0; n * n];
        for i in 0..f {
            mass[i * n..][..f].copy_from_slice(&self.mass[i * f..][..f]);
        }
        for i in 0..g {
            mass[(f + i) * n + f..][..g].copy_from_slice(&other.mass[i * g..][..g]);
        }
        let join = |a: &[Vec<f64>], b: &[Vec<f64>]| -> Vec<Vec<f64>> {
            let left = a.iter().map(|row| [&row[..], &vec![0.0; g]].concat());
            left.chain(b.iter().map(|row| [&vec![0.0; f], &row[..]].concat())).collect()
        };
        Self {
            mass,
            velocity: [&self.velocity[..], &other.velocity].concat(),
            jacobian: join(&self.jacobian, &other.jacobian),
            contacts: [&self.contacts[..], &other.contacts].concat(),
            bilateral: join(&self.bilateral, &other.bilateral),
            drive: [&self.drive[..], &other.drive].concat(),
        }
    }

    /// The same with another restitution at each contact.
    pub fn with_e(&self, e: impl Fn(usize) -> f64) -> Self {
        let mut other = self.clone();
        for (k, contact) in other.contacts.iter_mut().enumerate() {
            contact.material.restitution = Restitution::Constant(e(k));
        }
        other
    }

    /// By how much the velocities after an impulse break `M (v⁺ − v⁻) = Jᵀp + Bᵀλ` and `u⁺ = J v⁺ + drive`, in twice the
    /// working precision, relative to the largest momentum there is, in units in which momenta of all coordinates compare
    /// \[1\].
    pub fn imbalance(&self, impulse: &[f64], contact_velocity: &[f64], after: &Aftermath) -> f64 {
        let f = self.size();
        let root = |i: usize| self.mass[i * f + i].sqrt();
        let (mut missing, mut momentum): (f64, f64) = (0.0, 0.0);
        for i in 0..f {
            let mut left = Sum::default();
            for j in 0..f {
                let m = self.mass[i * f + j];
                left.add(m, after.velocity[j]);
                left.add(-m, self.velocity[j]);
            }
            for (row, p) in self.jacobian.iter().zip(impulse) {
                left.add(-row[i], *p);
            }
            for (row, lambda) in self.bilateral.iter().zip(&after.bilateral_impulse) {
                left.add(-row[i], *lambda);
            }
            missing = missing.max(left.value.abs().to_f64() / root(i));
            momentum = momentum.max(left.size / root(i));
        }
        let mut worst = if missing == 0.0 { 0.0 } else { missing / momentum };
        for (i, row) in self.jacobian.iter().enumerate() {
            let mut left = Sum::default();
            left.add(-1.0, contact_velocity[i]);
            left.add(1.0, self.drive[i]);
            for (j, v) in row.iter().zip(&after.velocity) {
                left.add(*j, *v);
            }
            let moved: f64 = row.iter().enumerate().map(|(j, x)| x.abs() / root(j)).sum();
            let missing = left.value.abs().to_f64();
            if missing > 0.0 {
                worst = worst.max(missing / (left.size + moved * momentum));
            }
        }
        worst
    }
}

impl fmt::Debug for Mechanism {
    /// What a reader needs to type it in, and nothing that has its usual value.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = self.size();
        match self.is_diagonal() {
            true => {
                let masses: Vec<f64> = (0..f).map(|i| self.mass[i * f + i]).collect();
                write!(out, "M = diag{masses:?}")?;
            }
            false => write!(out, "M = {:?}", self.mass)?,
        }
        write!(out, ", v = {:?}, J = {:?}", self.velocity, self.jacobian)?;
        let e = self.contacts.iter().map(|c| c.material.restitution.at(1.0));
        write!(out, ", e = {:?}", e.collect::<Vec<_>>())?;
        if self.contacts.iter().any(|c| c.rows > 1) {
            let rows = self.contacts.iter().map(|c| (c.rows, c.material.mu));
            write!(out, ", (rows, mu) = {:?}", rows.collect::<Vec<_>>())?;
        }
        if self.contacts.iter().any(|c| c.kind == ContactKind::Bilateral) {
            write!(out, ", {:?}", self.contacts.iter().map(|c| c.kind).collect::<Vec<_>>())?;
        }
        if !self.bilateral.is_empty() {
            write!(out, ", B = {:?}", self.bilateral)?;
        }
        if self.drive.iter().any(|w| *w != 0.0) {
            write!(out, ", drive = {:?}", self.drive)?;
        }
        Ok(())
    }
}

/// A sum that should vanish, and the size of its terms.
#[derive(Default)]
struct Sum {
    value: Dd,
    size: f64,
}

impl Sum {
    fn add(&mut self, a: f64, b: f64) {
        self.value += Dd::from(a) * b;
        self.size += (a * b).abs();
    }
}
