//! Newton's method for blocks behind springs, in the space of `z = Lᵀp`.
//!
//! With `ξ_i = (q + L z)_i + κ_i (p_i − a_i)`, where `κ_i = ε W_nn,i` is the compliance of a spring and `a` the impulse
//! at which it is at rest, each block answers `z` alone ([`respond`]), and what remains is one equation with as many
//! unknowns as `L` has columns: `ε z = Σ L_iᵀ π_i(z) / W_nn,i`, `π = κ p`. Hundreds of blocks on one body cost a 6 × 6
//! system. Springs at rest at the impulse itself change no solution: this is the proximal point method, and its steps
//! are Newton's for the natural map, regular whatever the rank of `W`.

use super::linear::{Square, add_transposed, apply};
use super::problem::{Problem, Scales, Triple};
use super::residual::residual;
use super::response::{Slope, admitted, respond};
use super::tolerances::*;
use crate::dot;

/// The state of the method and its working memory.
#[derive(Clone, Debug, Default)]
pub struct Newton {
    pub scales: Scales,
    /// `p`, `ξ` and `z = Lᵀp`, which belong together after [`Self::update`].
    pub p: Vec<f64>,
    pub xi: Vec<f64>,
    pub z: Vec<f64>,
    /// Where the springs are at rest.
    pub anchor: Vec<f64>,
    pub steps: u32,
    /// The matrices of single blocks, for sweeps; none until one needs them.
    pub blocks: Vec<[Triple; 3]>,
    /// Work done since [`Self::begin`], what may be done, and that of a step and of a sweep, in multiplications.
    work: f64,
    pub allowed: f64,
    step_work: f64,
    sweep_work: f64,
    /// `ξ` of the anchor, from which [`Self::solve_near`] counts.
    base: Vec<f64>,
    pi: Vec<f64>,
    slopes: Vec<Slope>,
    equation: Vec<f64>,
    direction: Vec<f64>,
    trial: Vec<f64>,
    combined: Vec<f64>,
    matrix: Square,
}

impl Newton {
    /// Counts steps and work from here on.
    pub fn begin(&mut self, problem: &Problem, budget: f64) {
        let (freedoms, rows) = (problem.freedoms as f64, problem.offset.len() as f64);
        self.steps = 0;
        self.work = 0.0;
        self.step_work = freedoms * freedoms * (freedoms / 3.0 + rows) + 8.0 * rows * freedoms;
        self.sweep_work = rows * (2.0 * freedoms + SINGLE_WORK);
        self.allowed = budget * (LARGE_STEPS * self.step_work).max(1.0);
        self.blocks.clear();
    }

    /// The work done, in multiplications of a budget.
    pub fn spent(&self) -> f64 {
        self.work / (LARGE_STEPS * self.step_work).max(1.0)
    }

    /// Whether all work that is allowed has been done.
    pub fn exhausted(&self) -> bool {
        self.work > self.allowed
    }

    /// Counts one sweep.
    pub fn count_sweep(&mut self) {
        self.steps += 1;
        self.work += self.sweep_work;
    }

    /// From `p = 0`.
    pub fn reset(&mut self, problem: &Problem) {
        let rows = problem.offset.len();
        for values in [&mut self.p, &mut self.anchor, &mut self.pi] {
            values.clear();
            values.resize(rows, 0.0);
        }
        for values in [
            &mut self.z,
            &mut self.equation,
            &mut self.direction,
            &mut self.trial,
            &mut self.combined,
        ] {
            values.clear();
            values.resize(problem.freedoms, 0.0);
        }
        self.slopes.clear();
        self.slopes.resize(problem.blocks.len(), Slope::default());
        self.xi.clear();
        self.xi.extend_from_slice(problem.offset);
    }

    /// `z` and `ξ` of the impulse.
    pub fn update(&mut self, problem: &Problem) {
        self.z.fill(0.0);
        for (b, block) in problem.blocks.iter().enumerate() {
            let p = triple(&self.p[self.scales.rows(b, block)]);
            if p != [0.0; 3] {
                add_transposed(problem.rows(self.scales.first[b], block.rows), p, &mut self.z);
            }
        }
        for (b, block) in problem.blocks.iter().enumerate() {
            let own = self.scales.rows(b, block);
            let made = apply(problem.rows(self.scales.first[b], block.rows), &self.z);
            for (i, made) in own.zip(made) {
                self.xi[i] = problem.offset[i] + made;
            }
        }
    }

    /// The natural map relative to the speed of the problem.
    pub fn residual(&self, problem: &Problem) -> f64 {
        let mut worst: f64 = 0.0;
        for (b, block) in problem.blocks.iter().enumerate() {
            let first = self.scales.first[b];
            let [p, xi] = [&self.p, &self.xi].map(|x| triple(&x[first..first + block.rows]));
            let off = residual(block, self.scales.stiffness[b], p, xi);
            // NaN must not pass for nothing.
            if off.is_nan() {
                return f64::INFINITY;
            }
            worst = worst.max(off);
        }
        worst / self.scales.speed
    }

    /// The same with each block on a scale of its own: the velocities that it has and that the impulses give it.
    pub fn residual_by_block(&self, problem: &Problem) -> f64 {
        let mut worst: f64 = 0.0;
        for (b, block) in problem.blocks.iter().enumerate() {
            let rows = self.scales.rows(b, block);
            let [p, xi] = [&self.p, &self.xi].map(|x| triple(&x[rows.clone()]));
            let mut own = 0.0_f64;
            for i in rows {
                let made: f64 =
                    problem.row(i).iter().zip(&self.z).map(|(l, z)| (l * z).abs()).sum();
                own = own.max(problem.offset[i].abs()).max(made);
            }
            let off = residual(block, self.scales.stiffness[b], p, xi);
            if off > 0.0 {
                worst = worst.max(off / own);
            }
        }
        worst
    }

    /// Solves for springs of compliance `epsilon`, from the present `z`, and takes over the impulse. It may not come to rest; the residual tells.
    pub fn solve(&mut self, problem: &Problem, epsilon: f64) {
        self.descend::<false>(problem, epsilon);
        self.take_over(problem, epsilon);
    }

    /// The same for springs that the present impulse anchors, in changes from there: springs as hard as slips are small
    /// lose no digits. Whether it came to rest.
    pub fn solve_near(&mut self, problem: &Problem, epsilon: f64) -> bool {
        self.anchor.clone_from(&self.p);
        self.base.clone_from(&self.xi);
        let extent = largest(&self.z);
        self.z.fill(0.0);
        self.descend::<true>(problem, epsilon);
        let settled = self.evaluate::<true>(problem, epsilon) <= REST * epsilon * extent;
        self.anchor.fill(0.0);
        self.take_over(problem, epsilon);
        settled
    }

    /// Newton's method from the present `z`.
    fn descend<const NEAR: bool>(&mut self, problem: &Problem, epsilon: f64) {
        let mut size = self.evaluate::<NEAR>(problem, epsilon);
        for _ in 0..NEWTON_STEPS {
            if size == 0.0 || self.exhausted() {
                break;
            }
            self.steps += 1;
            self.linearise(problem, epsilon);
            let (reach, extent) = (largest(&self.direction), largest(&self.z));
            if !reach.is_finite() || reach <= SETTLED * extent {
                break;
            }
            let Some((next, whole)) = self.search::<NEAR>(problem, epsilon, size) else { break };
            size = next;
            if whole && reach <= QUADRATIC * extent {
                break;
            }
        }
    }

    /// The impulse that the springs make becomes the state's.
    fn take_over(&mut self, problem: &Problem, epsilon: f64) {
        for (b, block) in problem.blocks.iter().enumerate() {
            let compliance = epsilon * self.scales.stiffness[b];
            for i in self.scales.rows(b, block) {
                self.p[i] = self.pi[i] / compliance;
            }
        }
        self.update(problem);
    }

    /// One step of Newton's method for the impulse itself, with springs at rest at it. What follows from the linear
    /// equations is taken as it is, not by way of `z`, so that it is as exact as `ξ`.
    pub fn refine(&mut self, problem: &Problem, epsilon: f64) {
        self.steps += 1;
        self.anchor.copy_from_slice(&self.p);
        self.evaluate::<false>(problem, epsilon);
        self.linearise(problem, epsilon);
        for (b, block) in problem.blocks.iter().enumerate() {
            let (first, compliance) = (self.scales.first[b], epsilon * self.scales.stiffness[b]);
            let change = apply(problem.rows(first, block.rows), &self.direction);
            let mut p = Triple::default();
            for (k, slope) in self.slopes[b].iter().enumerate().take(block.rows) {
                let given = slope[0] * change[0] + slope[1] * change[1] + slope[2] * change[2];
                p[k] = (self.pi[first + k] - given) / compliance;
            }
            let p = admitted(block, p);
            self.p[first..first + block.rows].copy_from_slice(&p[..block.rows]);
        }
        self.anchor.fill(0.0);
        self.update(problem);
    }

    /// Newton's direction from what was evaluated last.
    fn linearise(&mut self, problem: &Problem, epsilon: f64) {
        self.matrix.reset(problem.freedoms, epsilon);
        for (b, block) in problem.blocks.iter().enumerate() {
            let (first, factor) = (self.scales.first[b], 1.0 / self.scales.stiffness[b]);
            let rows = problem.rows(first, block.rows);
            self.matrix.add_block(rows, &self.slopes[b], factor, &mut self.combined);
        }
        self.work += self.step_work;
        self.matrix.factor();
        self.direction.copy_from_slice(&self.equation);
        self.direction.iter_mut().for_each(|d| *d = -*d);
        self.matrix.solve(&mut self.direction);
    }

    /// Goes along the direction as far as the equation gets smaller, and answers how large it is there and whether that
    /// was the whole way.
    fn search<const NEAR: bool>(
        &mut self,
        problem: &Problem,
        epsilon: f64,
        size: f64,
    ) -> Option<(f64, bool)> {
        std::mem::swap(&mut self.z, &mut self.trial);
        let mut length = 1.0;
        for _ in 0..NEWTON_HALVINGS {
            for ((z, from), d) in self.z.iter_mut().zip(&self.trial).zip(&self.direction) {
                *z = from + length * d;
            }
            let now = self.evaluate::<NEAR>(problem, epsilon);
            if now <= (1.0 - NEWTON_PROGRESS * length) * size {
                return Some((now, length == 1.0));
            }
            length *= 0.5;
        }
        std::mem::swap(&mut self.z, &mut self.trial);
        self.evaluate::<NEAR>(problem, epsilon);
        None
    }

    /// The answers of all blocks to `z`, and the length of the equation `ε z − Σ Lᵀπ/W_nn`.
    fn evaluate<const NEAR: bool>(&mut self, problem: &Problem, epsilon: f64) -> f64 {
        for (g, z) in self.equation.iter_mut().zip(&self.z) {
            *g = epsilon * z;
        }
        for (b, block) in problem.blocks.iter().enumerate() {
            let (first, stiffness) = (self.scales.first[b], self.scales.stiffness[b]);
            let compliance = epsilon * stiffness;
            let rows = problem.rows(first, block.rows);
            let mut x = apply(rows, &self.z);
            let base = if NEAR { &self.base } else { problem.offset };
            for (i, x) in (first..first + block.rows).zip(&mut x) {
                *x += base[i] - compliance * self.anchor[i];
            }
            let (mut pi, slope) = respond(block, compliance, x);
            self.slopes[b] = slope;
            self.pi[first..first + block.rows].copy_from_slice(&pi[..block.rows]);
            if NEAR {
                for (i, pi) in (first..first + block.rows).zip(&mut pi) {
                    *pi -= compliance * self.anchor[i];
                }
            }
            if pi != [0.0; 3] {
                add_transposed(rows, pi.map(|pi| -pi / stiffness), &mut self.equation);
            }
        }
        f64::sqrt(dot(&self.equation, &self.equation))
    }
}

/// The numbers of a block.
pub fn triple(values: &[f64]) -> Triple {
    let mut all = Triple::default();
    all[..values.len()].copy_from_slice(values);
    all
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| if x.abs() > m || x.is_nan() { x.abs() } else { m })
}
