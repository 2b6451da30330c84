//! Judged by the conditions themselves, on random families and on published numbers.

mod conditions;
mod families;
mod golden;
mod least;
mod single;

use super::{Block, Choice, Failure, Kind, Problem, Solver, Weights};
use crate::factor::Factor;
use carom_testkit::Rng;

/// `L` of a factored matrix, as [`Problem::factor`] wants it; it has as many columns as the rank.
fn factor_rows(factor: &Factor) -> Vec<f64> {
    let row = |i: usize| factor.column(i).iter().map(move |a| a * factor.scale(i));
    (0..factor.len()).flat_map(row).collect()
}

/// A problem that owns its numbers.
#[derive(Clone, Debug, Default)]
struct Case {
    factor: Vec<f64>,
    freedoms: usize,
    offset: Vec<f64>,
    blocks: Vec<Block>,
}

impl Case {
    fn problem(&self) -> Problem<'_> {
        let Self { factor, freedoms, offset, blocks } = self;
        Problem { factor, freedoms: *freedoms, offset, blocks }
    }

    /// The same problem with the blocks in another order.
    fn reordered(&self, order: &[usize]) -> Self {
        let mut other = Self { freedoms: self.freedoms, ..Self::default() };
        for &b in order {
            let rows = self.rows(b);
            let numbers = rows.start * self.freedoms..rows.end * self.freedoms;
            other.factor.extend_from_slice(&self.factor[numbers]);
            other.offset.extend_from_slice(&self.offset[rows]);
            other.blocks.push(self.blocks[b]);
        }
        other
    }

    fn rows(&self, b: usize) -> std::ops::Range<usize> {
        let first = self.blocks[..b].iter().map(|block| block.rows).sum();
        first..first + self.blocks[b].rows
    }

    /// The fastest of `q` and of what given impulses make.
    fn speed(&self) -> f64 {
        let mut speed: f64 = self.offset.iter().fold(0.0, |m, q| q.abs().max(m));
        for (b, block) in self.blocks.iter().enumerate() {
            let first = self.rows(b).start * self.freedoms;
            let row = &self.factor[first..first + self.freedoms];
            let unit: f64 = row.iter().map(|x| x * x).sum();
            let given = match block.kind {
                Kind::Cone { lower, .. } | Kind::Relaxed { lower, .. } => lower,
                Kind::Disc { normal, .. } => normal,
                Kind::Push { impulse } => impulse.iter().fold(0.0, |m, p| p.abs().max(m)),
                Kind::Ray { .. } => 0.0,
            };
            speed = speed.max(unit * given);
        }
        speed
    }
}

/// A random order of `n` things.
fn shuffled(rng: &mut Rng, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, rng.index(i as u64 + 1) as usize);
    }
    order
}

const fn cone(rows: usize, mu: f64) -> Block {
    Block { rows, kind: Kind::Cone { mu, lower: 0.0 } }
}
