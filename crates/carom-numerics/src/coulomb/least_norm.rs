//! The smallest impulse that makes the same velocities.
//!
//! Velocities are the same if `Lᵀp` is. Blocks may move only within their faces, so it is enough that `Qᵀp` stays what
//! it is, where the columns of `Q` are an orthonormal basis of those of `L` seen along the faces: this keeps velocities
//! to the last digit even where blocks slide in almost the same direction. Of all such `p` the one of least `Σ w_i
//! |p_i|²` is `p_i = Π_i(B_i y / w_i)` with `B = √w Q`, where `y` maximises a concave dual whose gradient is what `Bᵀp`
//! misses: Newton's method, damped where blocks at the tips of their faces leave it flat.

use super::face::{Face, face};
use super::linear::{Square, add_transposed, apply};
use super::newton::{Newton, triple};
use super::problem::{Block, Problem, Triple};
use super::response::Slope;
use super::tolerances::*;
use crate::basis::Basis;
use crate::dot;

/// What an impulse weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// All the same: least `Σ |p|²`.
    Equal,
    /// `W_nn` of its block: least `Σ W_nn |p|²`, the same in all units.
    Normal,
}

/// Working memory.
#[derive(Clone, Debug, Default)]
pub struct LeastNorm {
    faces: Vec<Face>,
    slopes: Vec<Slope>,
    weight: Vec<f64>,
    /// `B`, row after row, `rank` numbers each.
    rows: Vec<f64>,
    rank: usize,
    p: Vec<f64>,
    target: Vec<f64>,
    y: Vec<f64>,
    from: Vec<f64>,
    gradient: Vec<f64>,
    direction: Vec<f64>,
    combined: Vec<f64>,
    matrix: Square,
    basis: Basis,
    rest: Vec<f64>,
}

impl LeastNorm {
    fn find_faces(&mut self, problem: &Problem, state: &Newton, residual: f64) {
        let zero = (UNSURE * residual).max(STILL) * state.scales.speed;
        self.faces.clear();
        for (b, block) in problem.blocks.iter().enumerate() {
            let first = state.scales.first[b];
            let [p, xi] = [&state.p, &state.xi].map(|x| triple(&x[first..first + block.rows]));
            self.faces.push(face(block, state.scales.stiffness[b], p, xi, zero));
        }
    }

    /// Whether no other impulse makes the state's velocities: all directions in which blocks may change theirs are
    /// independent.
    pub fn unique(&mut self, problem: &Problem, state: &Newton, residual: f64) -> bool {
        self.find_faces(problem, state, residual);
        let count = |(face, block): (&Face, &Block)| face.directions(block.rows).count();
        let count: usize = self.faces.iter().zip(problem.blocks).map(count).sum();
        count <= problem.freedoms && self.rank(problem, state, Face::directions) == count
    }

    /// Whether velocities form a continuum: loads that redundant blocks share otherwise, each along its face, make other
    /// velocities that all blocks hold.
    pub fn continuum(&mut self, problem: &Problem, state: &Newton, residual: f64) -> bool {
        self.find_faces(problem, state, residual);
        let held = self.rank(problem, state, Face::held);
        held < self.rank(problem, state, Face::directions)
    }

    /// How many of the rows of `L` in these directions of each block are independent.
    fn rank<D: Iterator<Item = Triple>>(
        &mut self,
        problem: &Problem,
        state: &Newton,
        directions: fn(&Face, usize) -> D,
    ) -> usize {
        self.basis.reset(problem.freedoms);
        for (b, block) in problem.blocks.iter().enumerate() {
            for d in directions(&self.faces[b], block.rows) {
                if self.basis.len() == problem.freedoms {
                    return problem.freedoms;
                }
                self.combined.clear();
                self.combined.resize(problem.freedoms, 0.0);
                add_transposed(
                    problem.rows(state.scales.first[b], block.rows),
                    d,
                    &mut self.combined,
                );
                let size = dot(&self.combined, &self.combined);
                let new = self.basis.split(&self.combined, &mut self.direction, &mut self.rest);
                if new > UNCERTAIN * size {
                    self.basis.push(&self.direction, &self.rest);
                }
            }
        }
        self.basis.len()
    }

    /// The smallest impulse with the state's velocities, which are known to `residual`, and the steps it took; `None`
    /// if it was not found.
    pub fn find(
        &mut self,
        problem: &Problem,
        state: &Newton,
        residual: f64,
        weights: Weights,
    ) -> Option<(&[f64], u32)> {
        self.find_faces(problem, state, residual);
        let size = self.prepare(problem, state, weights);
        let [mut damping, least, most] = DAMPING;
        let mut value = self.evaluate(problem, state);
        let mut before = f64::INFINITY;
        for step in 0..DUAL_STEPS {
            let off = f64::sqrt(dot(&self.gradient, &self.gradient));
            self.linearise(problem, state, damping);
            if off == 0.0 || (off <= FLAT * size && off > 0.5 * before) {
                self.correct(problem, state);
                return Some((&self.p, step + 1));
            }
            before = off;
            let slope = dot(&self.gradient, &self.direction);
            std::mem::swap(&mut self.y, &mut self.from);
            let mut reach = 1.0;
            let mut accepted = false;
            for _ in 0..DUAL_HALVINGS {
                for ((y, from), d) in self.y.iter_mut().zip(&self.from).zip(&self.direction) {
                    *y = from + reach * d;
                }
                let now = self.evaluate(problem, state);
                let shorter = dot(&self.gradient, &self.gradient) <= 0.25 * off * off;
                if now >= value + DUAL_PROGRESS * reach * slope || shorter || off <= FLAT * size {
                    value = now;
                    accepted = true;
                    break;
                }
                reach *= 0.5;
            }
            if !accepted {
                if damping >= most {
                    return None;
                }
                damping *= 10.0;
                std::mem::swap(&mut self.y, &mut self.from);
                value = self.evaluate(problem, state);
            } else if reach == 1.0 {
                damping = (damping * 0.1).max(least);
            }
        }
        None
    }

    /// Builds `B` and what `Bᵀp` must be, and answers the weighted length of the state's impulse.
    fn prepare(&mut self, problem: &Problem, state: &Newton, weights: Weights) -> f64 {
        self.weight.clear();
        self.weight.extend(state.scales.stiffness.iter().map(|k| match weights {
            Weights::Equal => 1.0,
            Weights::Normal => *k,
        }));
        let count = problem.offset.len();
        self.basis.reset(count);
        let mut largest: f64 = 0.0;
        for k in 0..problem.freedoms {
            self.see_column(problem, state, k);
            largest = largest.max(dot(&self.combined, &self.combined));
        }
        for k in 0..problem.freedoms {
            self.see_column(problem, state, k);
            let size = dot(&self.combined, &self.combined);
            let new = self.basis.split(&self.combined, &mut self.direction, &mut self.rest);
            if new > DEPENDENT * size && new > COLUMN_NOISE * largest {
                self.basis.push(&self.direction, &self.rest);
            }
        }
        self.rank = self.basis.len();
        self.rows.clear();
        self.rows.resize(count * self.rank, 0.0);
        for values in [
            &mut self.target,
            &mut self.y,
            &mut self.from,
            &mut self.gradient,
            &mut self.direction,
            &mut self.combined,
        ] {
            values.clear();
            values.resize(self.rank, 0.0);
        }
        self.slopes.clear();
        self.slopes.resize(problem.blocks.len(), Slope::default());
        self.p.clone_from(&state.p);
        let mut size = 0.0;
        for (b, block) in problem.blocks.iter().enumerate() {
            let root = f64::sqrt(self.weight[b]);
            for i in state.scales.rows(b, block) {
                let p = state.p[i];
                size += self.weight[b] * p * p;
                for k in 0..self.rank {
                    let entry = root * self.basis.direction(k)[i];
                    self.rows[i * self.rank + k] = entry;
                    self.target[k] += p * entry;
                }
            }
        }
        f64::sqrt(size)
    }

    /// A column of `L`, seen along the faces, in weighted units: `combined` becomes it.
    fn see_column(&mut self, problem: &Problem, state: &Newton, k: usize) {
        self.combined.clear();
        self.combined.resize(problem.offset.len(), 0.0);
        for (b, block) in problem.blocks.iter().enumerate() {
            let first = state.scales.first[b];
            let mut column = Triple::default();
            for (j, c) in column.iter_mut().enumerate().take(block.rows) {
                *c = problem.row(first + j)[k];
            }
            let seen = self.faces[b].along(column);
            let root = f64::sqrt(self.weight[b]);
            for (to, seen) in self.combined[first..first + block.rows].iter_mut().zip(seen) {
                *to = seen / root;
            }
        }
    }

    fn rows(&self, first: usize, count: usize) -> &[f64] {
        &self.rows[first * self.rank..(first + count) * self.rank]
    }

    fn x(&self, problem: &Problem, state: &Newton, b: usize, y: &[f64]) -> Triple {
        let rows = self.rows(state.scales.first[b], problem.blocks[b].rows);
        apply(rows, y).map(|x| x / self.weight[b])
    }

    /// Impulses, slopes and the gradient at `y`, and the value of the dual
    /// `y·Bᵀp₀ − Σ w_i (x_i·p_i − ½|p_i|²)`, `x_i = B_i y / w_i`.
    fn evaluate(&mut self, problem: &Problem, state: &Newton) -> f64 {
        self.gradient.copy_from_slice(&self.target);
        let mut value = dot(&self.y, &self.target);
        for (b, block) in problem.blocks.iter().enumerate() {
            let first = state.scales.first[b];
            let x = self.x(problem, state, b, &self.y);
            let (p, slope) = self.faces[b].nearest(block.rows, x);
            self.slopes[b] = slope;
            value -= self.weight[b] * (dot(&x, &p) - 0.5 * dot(&p, &p));
            self.p[first..first + block.rows].copy_from_slice(&p[..block.rows]);
            let rows = &self.rows[first * self.rank..(first + block.rows) * self.rank];
            add_transposed(rows, p.map(|p| -p), &mut self.gradient);
        }
        value
    }

    fn linearise(&mut self, problem: &Problem, state: &Newton, damping: f64) {
        self.matrix.reset(self.rank, damping);
        for (b, block) in problem.blocks.iter().enumerate() {
            let first = state.scales.first[b] * self.rank;
            let rows = &self.rows[first..first + block.rows * self.rank];
            self.matrix.add_block(rows, &self.slopes[b], 1.0 / self.weight[b], &mut self.combined);
        }
        self.matrix.factor();
        self.direction.copy_from_slice(&self.gradient);
        self.matrix.solve(&mut self.direction);
    }

    /// The last step, taken by the impulses themselves so that rounding of `y` does not matter.
    fn correct(&mut self, problem: &Problem, state: &Newton) {
        for (b, block) in problem.blocks.iter().enumerate() {
            let first = state.scales.first[b];
            let x = self.x(problem, state, b, &self.direction);
            let mut p = triple(&self.p[first..first + block.rows]);
            for (p, slope) in p.iter_mut().zip(&self.slopes[b]) {
                *p += dot(slope, &x);
            }
            let (p, _) = self.faces[b].nearest(block.rows, p);
            self.p[first..first + block.rows].copy_from_slice(&p[..block.rows]);
        }
    }
}
