//! Contacts that take part in a round together.

use super::medium::{Surface, dot};

/// Whether a contact is pressed together or gives back what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Compressing,
    Expanding,
}

/// Some contacts of an island, three rows each, and how far their round has come. Its vectors keep their memory from
/// round to round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// Their numbers in the island, rising.
    pub(crate) contacts: Vec<usize>,
    /// How many tangents each has: 0, 1 or 2.
    pub(crate) tangents: Vec<usize>,
    pub(crate) mu: Vec<f64>,
    pub(crate) class: Vec<Class>,
    /// `L` with `W = L Lᵀ`, row by row, `rank` numbers each [kg^-½].
    pub(crate) rows: Vec<f64>,
    pub(crate) rank: usize,
    /// What expanding contacts still have to give: impulses [N·s], or work \[J\] where restitution is energetic.
    pub(crate) owed: Vec<f64>,
    /// What expanding contacts took when they were compressed, times `e` [N·s].
    pub(crate) pace: Vec<f64>,
    /// Normal impulses that compressing contacts took in this round [N·s].
    pub(crate) taken: Vec<f64>,
    /// Work that compressing contacts took along their normals in this round, positive \[J\].
    pub(crate) stored: Vec<f64>,
    /// Velocities, three numbers per contact [m/s].
    pub(crate) velocity: Vec<f64>,
    /// Impulses of this round, three numbers per contact [N·s].
    pub(crate) impulse: Vec<f64>,
    /// The largest speed at the start of the impact: what counts as nothing is measured by it [m/s].
    pub(crate) speed: f64,
    /// Energy gained in this round, negative where it was lost \[J\].
    pub(crate) gained: f64,
    /// What the terms of that sum add up to, signs ignored: its rounding is measured by it \[J\].
    pub(crate) turnover: f64,
    /// The impulse of the next step, three numbers per contact [N·s].
    pub(crate) step: Vec<f64>,
    /// `Lᵀ step`.
    pub(crate) along: Vec<f64>,
    /// `Lᵀ` of the impulse of this round.
    pub(crate) total: Vec<f64>,
    pub(crate) members: Vec<usize>,
    pub(crate) scratch: Vec<f64>,
    pub(crate) factor: Vec<f64>,
}

impl Part {
    pub(crate) fn clear(&mut self) {
        self.contacts.clear();
        self.tangents.clear();
        self.mu.clear();
        self.class.clear();
        self.rows.clear();
        self.owed.clear();
        self.pace.clear();
        self.taken.clear();
        self.stored.clear();
        self.velocity.clear();
        self.impulse.clear();
        self.step.clear();
        self.gained = 0.0;
    }

    /// Adds a contact, compressing and at rest until told otherwise.
    pub(crate) fn push(&mut self, contact: usize, surface: &Surface) {
        self.contacts.push(contact);
        self.tangents.push(surface.tangents);
        self.mu.push(surface.mu);
        self.class.push(Class::Compressing);
        self.owed.push(0.0);
        self.pace.push(0.0);
        self.taken.push(0.0);
        self.stored.push(0.0);
        self.velocity.extend([0.0; 3]);
        self.impulse.extend([0.0; 3]);
        self.step.extend([0.0; 3]);
    }

    pub(crate) fn len(&self) -> usize {
        self.contacts.len()
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.rank..(i + 1) * self.rank]
    }

    /// The slip of contact `k` [m/s].
    pub(crate) fn slip(&self, k: usize) -> [f64; 2] {
        [self.velocity[3 * k + 1], self.velocity[3 * k + 2]]
    }

    /// The slip of contact `k` once a share of the step is made, of which `along` is known [m/s].
    pub(crate) fn slip_after(&self, k: usize, share: f64) -> [f64; 2] {
        [3 * k + 1, 3 * k + 2].map(|i| self.velocity[i] + share * dot(self.row(i), &self.along))
    }

    /// `Lᵀ p`.
    pub(crate) fn along(&self, p: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (p, row) in p.iter().zip(self.rows.chunks_exact(self.rank.max(1))) {
            if *p != 0.0 {
                out.iter_mut().zip(row).for_each(|(x, l)| *x += l * p);
            }
        }
    }

    /// How far the velocities of each row that an impulse makes can be off by its rounding alone: bodies may be light [m/s].
    pub(crate) fn roundings(&self, impulse: &[f64]) -> impl Iterator<Item = f64> {
        let size = |row: &[f64]| f64::sqrt(dot(row, row));
        let sizes = || self.rows.chunks_exact(self.rank.max(1)).map(size);
        let reach: f64 = sizes().zip(impulse).map(|(size, p)| size * p.abs()).sum();
        sizes().map(move |size| 4.0 * f64::EPSILON * reach * size)
    }

    /// The largest of them [m/s].
    pub(crate) fn rounding(&self, impulse: &[f64]) -> f64 {
        self.roundings(impulse).fold(0.0, f64::max)
    }

    /// Makes the part `length` of the step: impulse, velocity, energy, what is owed and what was taken.
    pub(crate) fn advance(&mut self, length: f64) {
        let mut along = std::mem::take(&mut self.along);
        along.resize(self.rank, 0.0);
        self.step.iter_mut().for_each(|p| *p *= length);
        self.along(&self.step, &mut along);
        let moved = 0.5 * dot(&along, &along);
        self.gained += dot(&self.step, &self.velocity) + moved;
        let terms = self.step.iter().zip(&self.velocity).map(|(p, u)| (p * u).abs());
        self.turnover += terms.sum::<f64>() + moved;
        for i in 0..self.velocity.len() {
            let change = dot(&self.rows[i * self.rank..(i + 1) * self.rank], &along);
            if i % 3 == 0 {
                let k = i / 3;
                match self.class[k] {
                    Class::Compressing => {
                        self.taken[k] += self.step[i];
                        self.stored[k] -= self.step[i] * (self.velocity[i] + 0.5 * change);
                    }
                    Class::Expanding => self.owed[k] *= 1.0 - length,
                }
            }
            self.velocity[i] += change;
            self.impulse[i] += self.step[i];
        }
        self.total.iter_mut().zip(&along).for_each(|(x, a)| *x += a);
        self.along = along;
    }
}
