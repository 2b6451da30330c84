//! The problem: conditions of each block of rows on its impulse and its velocity.

use crate::{dot, largest};
use std::ops::Range;

/// Up to three numbers of one block, normal first; what it does not own is zero.
pub type Triple = [f64; 3];

/// `ξ = q + W p` with `W = L Lᵀ`, and the conditions of each block on its `p` and `ξ`.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// `L`, row after row, [`Self::freedoms`] numbers each.
    pub factor: &'a [f64],
    /// How many columns `L` has.
    pub freedoms: usize,
    /// `q`, one number for each row.
    pub offset: &'a [f64],
    /// The blocks of rows, in their order.
    pub blocks: &'a [Block],
}

/// Consecutive rows that belong together, the normal first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// How many rows: one (no friction), two (in the plane) or three.
    pub rows: usize,
    /// Their conditions.
    pub kind: Kind,
}

impl Block {
    /// Whether it is one of a convex problem.
    pub fn is_relaxed(&self) -> bool {
        matches!(self.kind, Kind::Relaxed { .. })
    }
}

/// The conditions of a block. Friction opposes `ξ_t`: `p_t` maximises `−p_t·ξ_t` over the disc it may lie in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `0 ≤ p_n − lower ⟂ ξ_n ≥ 0` and friction in the disc of radius `mu p_n`. With `mu = ∞` a block that presses
    /// sticks.
    Cone {
        /// Ratio of friction to normal impulse, up to infinity.
        mu: f64,
        /// The least normal impulse.
        lower: f64,
    },
    /// `p_n` is given, friction lies in the disc of radius `mu normal`.
    Disc {
        /// The normal impulse.
        normal: f64,
        /// Ratio of friction to normal impulse, up to infinity.
        mu: f64,
    },
    /// `p = λ (1, tangent)`, `0 ≤ λ ⟂ ξ_n ≥ 0`: friction of a direction known beforehand.
    Ray {
        /// `p_t / p_n`.
        tangent: [f64; 2],
    },
    /// The convex relaxation of a cone: `p` of `K = {|p_t| ≤ mu p_n, p_n ≥ lower}` minimises `p·ξ` over `K`. What slides
    /// parts at `mu` times its slip. `ξ` is unique.
    Relaxed {
        /// Ratio of friction to normal impulse, up to infinity.
        mu: f64,
        /// The least normal impulse.
        lower: f64,
    },
    /// `p` is given, `ξ` is free.
    Push {
        /// The impulse.
        impulse: Triple,
    },
}

impl Problem<'_> {
    /// The row `L_i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.factor[i * self.freedoms..(i + 1) * self.freedoms]
    }

    /// The `count` rows from `first` on, one after the other.
    pub fn rows(&self, first: usize, count: usize) -> &[f64] {
        &self.factor[first * self.freedoms..(first + count) * self.freedoms]
    }

    /// `W_ij`.
    pub fn delassus(&self, i: usize, j: usize) -> f64 {
        dot(self.row(i), self.row(j))
    }
}

/// Numbers of the blocks that do not change while a problem is solved.
#[derive(Clone, Debug, Default)]
pub struct Scales {
    /// The first row of each block.
    pub first: Vec<usize>,
    /// `W_nn` of each block, by which its impulse is turned into a velocity.
    pub stiffness: Vec<f64>,
    /// The velocity that others are small or large beside: the largest `|q|`, or the largest that a given impulse
    /// makes.
    pub speed: f64,
    /// The mean of the eigenvalues of `LᵀL` with each block in units of its `W_nn`: how many blocks share a load.
    /// Springs are soft or hard beside it.
    pub load: f64,
}

impl Scales {
    /// The rows of a block.
    pub fn rows(&self, b: usize, block: &Block) -> Range<usize> {
        self.first[b]..self.first[b] + block.rows
    }

    pub fn set(&mut self, problem: &Problem) {
        self.first.clear();
        self.stiffness.clear();
        let mut first = 0;
        for block in problem.blocks {
            self.first.push(first);
            self.stiffness.push(problem.delassus(first, first));
            first += block.rows;
        }
        // A normal that nothing moves has the unit of the others.
        let most = self.stiffness.iter().fold(0.0, |m: f64, k| m.max(*k));
        let unit = if most > 0.0 { most } else { 1.0 };
        self.stiffness.iter_mut().filter(|k| **k <= 0.0).for_each(|k| *k = unit);
        let mut trace = 0.0;
        for (b, block) in problem.blocks.iter().enumerate() {
            let rows = self.rows(b, block);
            trace += rows.map(|i| problem.delassus(i, i)).sum::<f64>() / self.stiffness[b];
        }
        self.load = trace / problem.freedoms.max(1) as f64;
        self.speed = largest(problem.offset);
        for (block, k) in problem.blocks.iter().zip(&self.stiffness) {
            let given = match block.kind {
                Kind::Cone { lower, .. } | Kind::Relaxed { lower, .. } => lower.abs(),
                Kind::Disc { normal, .. } => normal.abs(),
                Kind::Push { impulse } => largest(&impulse),
                Kind::Ray { .. } => 0.0,
            };
            self.speed = self.speed.max(k * given);
        }
    }
}
