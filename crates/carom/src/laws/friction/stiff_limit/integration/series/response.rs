//! What the forces of contacts do to their velocities: `u′ = W f`, without what sticking contacts hold.

use super::super::super::model::Model;
use super::super::super::stick_slip::StickingSet;
use super::super::super::tolerances as tol;
use super::block::Block;
use crate::numerics::lanes::{LANES, Lanes};

/// Along the normal and both tangents.
pub(crate) type Triple = [Lanes; 3];

/// `W = B Bᵀ` by blocks of contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Response {
    blocks: usize,
    rank: usize,
    /// `B`, block by block and coordinate by coordinate.
    rows: Vec<Triple>,
    /// `W`, and the same without what is held: what each force of a block does to all of another.
    full: Vec<[[Triple; LANES]; 3]>,
    left: Vec<[[Triple; LANES]; 3]>,
    /// `B q` of the directions `q` that are held, one after the other, block by block.
    held: Vec<Triple>,
    /// The version of the sticking set that was.
    version: Option<u64>,
    /// What forces do along the coordinates, as a padded row.
    free: Vec<f64>,
}

impl Response {
    pub(crate) fn new(model: &Model) -> Self {
        let (blocks, rank) = (model.len().div_ceil(LANES), model.rank);
        let mut response = Self {
            blocks,
            rank,
            rows: vec![[Lanes::ZERO; 3]; blocks * rank],
            free: vec![0.0; model.stride],
            ..Self::default()
        };
        for k in 0..model.len() {
            let (block, lane) = (k / LANES, k % LANES);
            let rows = &mut response.rows[block * rank..][..rank];
            for (i, rows) in rows.iter_mut().enumerate() {
                rows[0].0[lane] = model.normal(k)[i];
                if let Some(g) = model.springs[k].frictional {
                    rows[1].0[lane] = model.tangent(g, 0)[i];
                    rows[2].0[lane] = model.tangent(g, 1)[i];
                }
            }
        }
        if blocks == 1
            || (blocks <= tol::DIRECT_RESPONSE[0] && tol::DIRECT_RESPONSE[1] * blocks <= rank)
        {
            for i in 0..blocks {
                for j in 0..blocks {
                    let of = |block: usize| response.rows[block * rank..][..rank].iter();
                    let mut entries = [[[Lanes::ZERO; 3]; LANES]; 3];
                    for (to, from) in of(i).zip(of(j)) {
                        add_product(&mut entries, to, from, 1.0);
                    }
                    response.full.push(entries);
                }
            }
        }
        response.left.clone_from(&response.full);
        response
    }

    /// Takes over the directions that sticking contacts hold.
    pub(crate) fn set(&mut self, sticking: &StickingSet) {
        if self.version == Some(sticking.version()) {
            return;
        }
        self.version = Some(sticking.version());
        self.held.clear();
        self.left.clone_from(&self.full);
        for direction in sticking.directions() {
            let begin = self.held.len();
            for block in 0..self.blocks {
                let rows = &self.rows[block * self.rank..][..self.rank];
                self.held.push(along(rows, direction));
            }
            let held = &self.held[begin..];
            for (at, entries) in self.left.iter_mut().enumerate() {
                add_product(entries, &held[at / self.blocks], &held[at % self.blocks], -1.0);
            }
        }
    }

    /// What forces of order `m`, of which there are so many components, do to velocities of the next.
    #[inline(always)]
    pub(crate) fn apply<const COMPONENTS: usize>(
        &mut self,
        sticking: &StickingSet,
        blocks: &mut [Block],
        m: usize,
        share: f64,
    ) {
        if self.left.is_empty() {
            return self.apply_through(sticking, blocks, m, share);
        }
        for (i, row) in self.left.chunks_exact(self.blocks).enumerate() {
            // One sum per component, so that they do not wait for each other.
            let mut sums = [[Lanes::ZERO; 3]; COMPONENTS];
            for (block, entries) in blocks.iter().zip(row) {
                let forces = block.terms[m].forces();
                for ((sum, force), entries) in sums.iter_mut().zip(&forces).zip(entries) {
                    for (entries, force) in entries.iter().zip(force.0) {
                        for c in 0..3 {
                            sum[c] = sum[c] + entries[c] * force;
                        }
                    }
                }
            }
            let total = sums.into_iter().reduce(|a, b| std::array::from_fn(|c| a[c] + b[c]));
            blocks[i].terms[m + 1].set_velocity(total.unwrap_or_default(), share);
        }
    }

    /// The same by way of the coordinates.
    #[inline(always)]
    fn apply_through(
        &mut self,
        sticking: &StickingSet,
        blocks: &mut [Block],
        m: usize,
        share: f64,
    ) {
        sticking.project_in_place(self.free(|b| blocks[b].terms[m].forces()));
        for (block, rows) in blocks.iter_mut().zip(self.rows.chunks_exact(self.rank.max(1))) {
            block.terms[m + 1].set_velocity(along(rows, &self.free), share);
        }
    }

    /// What forces do along the coordinates before something holds, given block by block, as a padded row.
    #[inline(always)]
    pub(crate) fn free(&mut self, forces: impl Fn(usize) -> Triple) -> &mut [f64] {
        self.free.fill(0.0);
        for (block, rows) in self.rows.chunks_exact(self.rank.max(1)).enumerate() {
            let [load, a, b] = forces(block);
            for (free, rows) in self.free.iter_mut().zip(rows) {
                *free += (load * rows[0] + a * rows[1] + b * rows[2]).sum();
            }
        }
        &mut self.free
    }

    /// Adds what forces do along the coordinates, given block by block.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        forces: impl Fn(usize) -> Triple,
        sticking: &StickingSet,
        motion: &mut [f64],
    ) {
        sticking.project_in_place(self.free(forces));
        motion.iter_mut().zip(&self.free).for_each(|(x, more)| *x += more);
    }

    /// Adds the reactions along the directions that are held, given forces block by block.
    #[inline(always)]
    pub(crate) fn add_reactions(&self, forces: impl Fn(usize) -> Triple, reactions: &mut [f64]) {
        for (pull, held) in reactions.iter_mut().zip(self.held.chunks_exact(self.blocks.max(1))) {
            for (block, [x, y, z]) in held.iter().enumerate() {
                let [load, a, b] = forces(block);
                *pull += (load * *x + a * *y + b * *z).sum();
            }
        }
    }
}

/// The rows of a block times a vector.
#[inline(always)]
fn along(rows: &[Triple], vector: &[f64]) -> Triple {
    let mut sum = [Lanes::ZERO; 3];
    for (rows, x) in rows.iter().zip(vector) {
        for c in 0..3 {
            sum[c] = sum[c] + rows[c] * *x;
        }
    }
    sum
}

/// Adds `factor to fromᵀ`.
fn add_product(entries: &mut [[Triple; LANES]; 3], to: &Triple, from: &Triple, factor: f64) {
    for (entries, from) in entries.iter_mut().zip(from) {
        for (entries, x) in entries.iter_mut().zip(from.0) {
            for c in 0..3 {
                entries[c] = entries[c] + to[c] * (factor * x);
            }
        }
    }
}
