//! Coulomb's law at the end of a step: impulses `p` with `ξ = q + W p`, where each block presses or parts, sticks or
//! slides against the velocity `ξ` that is left ([`Kind`]).
//!
//! `W = L Lᵀ` is semidefinite and mostly singular: rows are redundant. There may be one solution, several, a
//! continuum of them, or none. The way to one, and each step only where those before it fail:
//! 1. Newton's method with a hard spring behind each block (`newton`), from `p = 0`. It sees blocks in no particular
//!    order. One block alone is solved exactly instead (`local`).
//! 2. Polishing: Newton's method for the impulse itself, and where the pattern of sticking and sliding is not right
//!    yet, springs at rest at the impulse so far (the proximal point method). Where that stalls, springs as hard as the
//!    residual is small (`stress`).
//! 3. Gauss–Seidel with exact solutions of single blocks (`sweep`), damped if need be, then polishing.
//! 4. Springs that start soft and harden slowly.
//! 5. A sequence of convex problems (`relaxation`), then sweeps with more damping.
//! 6. Other starts, and many sweeps.
//! 7. In the plane all combinations of modes (`modes`), which also tells that there is no solution.
//!
//! [`Choice::Limit`] picks the one solution of a continuum that springs tend to as they harden. [`Solver::least_norm`]
//! then shares a load that velocities leave open (`least_norm`).

mod face;
mod least_norm;
mod limit;
mod linear;
mod local;
mod modes;
mod newton;
mod problem;
mod relaxation;
mod residual;
mod response;
mod self_stress;
mod start;
mod sweep;
mod tolerances;

use least_norm::LeastNorm;
pub use least_norm::Weights;
use modes::Enumerated;
use newton::Newton;
pub use problem::{Block, Kind, Problem};
use relaxation::Relaxation;
use tolerances::*;

/// One way to come near a solution.
#[derive(Clone, Copy, Debug)]
enum Attempt {
    Newton,
    Sweep { compliance: f64, most: u32, settled: f64 },
    Harden,
    Relax,
    Start(u32),
}

/// The ways in the order in which they are tried, before the other starts and [`LAST_ATTEMPT`].
const ATTEMPTS: [Attempt; 6] = [
    Attempt::Newton,
    Attempt::Sweep { compliance: 0.0, most: 200, settled: SWEPT },
    Attempt::Harden,
    Attempt::Relax,
    Attempt::Sweep { compliance: 0.3, most: 400, settled: SWEPT },
    Attempt::Sweep { compliance: 3.0, most: 800, settled: SWEPT },
];

/// The slowest way.
const LAST_ATTEMPT: Attempt = Attempt::Sweep { compliance: 0.0, most: 4000, settled: AIM };

/// Which solution is wanted where there are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Any, if it is found quickly.
    Quick,
    /// The same, with a residual of 1e-12 at the least.
    Enough,
    /// Any.
    Any,
    /// Any, and where none is found but one nearly, that.
    Nearest,
    /// The limit of `W + ε diag(W_nn)` as ε → 0, from soft to hard, if blocks are redundant.
    Limit,
}

impl Choice {
    fn is_quick(self) -> bool {
        matches!(self, Self::Quick | Self::Enough)
    }
}

/// Which solution was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Any,
    Limit,
}

/// What is known of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// The largest natural map, as a velocity, relative to the largest of `|q|` and of what given impulses make \[1\].
    pub residual: f64,
    /// Newton's steps and sweeps.
    pub iterations: u32,
    /// Whether `ξ` is the only one, where it is known.
    pub velocity_unique: Option<bool>,
    /// Whether `p` is the only one that makes this `ξ`; not known for sure if false.
    pub impulse_unique: bool,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    /// Nothing was found that solves the problem well enough.
    NotConverged {
        /// The smallest residual met \[1\].
        residual: f64,
        /// Newton's steps and sweeps.
        iterations: u32,
    },
    /// There is no solution: all combinations of modes were tried.
    NoSolution,
}

/// The solver and its working memory, which never influences a result.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    state: Newton,
    least: LeastNorm,
    relaxation: Relaxation,
    best: Vec<f64>,
    /// The nearest to a solution so far, and its residual.
    nearest: Vec<f64>,
    missed: f64,
    point: Vec<f64>,
    table: Vec<f64>,
    solution: Vec<f64>,
    velocity: Vec<f64>,
    residual: f64,
    /// The residual at which polishing ends.
    aim: f64,
    budget: Budget,
}

/// Work that may be done, in multiplications.
#[derive(Clone, Copy, Debug)]
struct Budget(f64);

impl Default for Budget {
    fn default() -> Self {
        Self(f64::INFINITY)
    }
}

impl Solver {
    /// Limits the work of each [`Self::solve`] from now on, in multiplications for up to a dozen blocks and in proportion
    /// for more. What is not solved by then has not converged.
    pub fn set_budget(&mut self, multiplications: f64) {
        self.budget = Budget(multiplications);
    }

    /// How much of a budget the last [`Self::solve`] took.
    pub fn spent(&self) -> f64 {
        self.state.spent()
    }

    /// `p` of the last solution.
    pub fn impulse(&self) -> &[f64] {
        &self.state.p
    }

    /// `ξ` of the last solution.
    pub fn velocity(&self) -> &[f64] {
        &self.state.xi
    }

    /// Solves the problem; [`Self::impulse`] and [`Self::velocity`] are the answer, and mean nothing after a failure.
    pub fn solve(&mut self, problem: &Problem, choice: Choice) -> Result<Report, Failure> {
        self.state.scales.set(problem);
        self.state.reset(problem);
        self.state.begin(problem, self.budget.0);
        if self.state.scales.speed == 0.0 {
            self.residual = 0.0;
            return Ok(self.report(problem));
        }
        self.residual = f64::INFINITY;
        self.missed = f64::INFINITY;
        self.aim = if choice == Choice::Enough { ENOUGH } else { AIM };
        if !problem.offset.iter().chain(problem.factor).all(|x| x.is_finite()) {
            return Err(Failure::NotConverged { residual: f64::INFINITY, iterations: 0 });
        }
        let found = self.search(problem, choice)?;
        let mut report = self.report(problem);
        if choice == Choice::Limit && report.velocity_unique.is_none() && self.continuum(problem) {
            if found == Found::Any {
                self.limit(problem);
                report = self.report(problem);
            }
            report.velocity_unique = Some(false);
        }
        Ok(report)
    }

    /// Solves the problem from a point near a solution, which may be any; the answer as that of [`Self::solve`].
    pub fn solve_from(&mut self, problem: &Problem, impulse: &[f64]) -> Option<Report> {
        self.state.scales.set(problem);
        self.state.reset(problem);
        self.state.begin(problem, self.budget.0);
        self.aim = AIM;
        self.missed = f64::INFINITY;
        self.state.p.copy_from_slice(impulse);
        self.state.update(problem);
        self.good(problem).then(|| self.report(problem))
    }

    /// After a failure to solve this problem: the point nearest to a solution that was met, if its residual is at most
    /// 1e-8.
    pub fn take_nearest(&mut self, problem: &Problem) -> Option<Report> {
        if self.missed > NEAR || self.nearest.len() != problem.offset.len() {
            return None;
        }
        self.state.p.clone_from(&self.nearest);
        self.state.update(problem);
        self.residual = self.missed;
        Some(self.report(problem))
    }

    /// Replaces the impulse of the last solution of this problem by the smallest one with the same velocities. If it
    /// is not found the impulse stays as it is.
    pub fn least_norm(&mut self, problem: &Problem, weights: Weights) -> Option<Report> {
        let report = self.report(problem);
        if report.impulse_unique {
            return Some(report);
        }
        let before = self.residual;
        self.best.clone_from(&self.state.p);
        let state = &mut self.state;
        if let Some((p, steps)) = self.least.find(problem, state, before, weights) {
            state.p.copy_from_slice(p);
            state.steps += steps;
            state.update(problem);
            self.residual = state.residual(problem);
            if self.residual <= ACCEPTED {
                return Some(self.report(problem));
            }
        }
        self.restore(problem, before);
        None
    }

    /// Goes back to the best impulse.
    fn restore(&mut self, problem: &Problem, residual: f64) {
        self.state.p.clone_from(&self.best);
        self.state.update(problem);
        self.residual = residual;
    }

    /// Replaces the impulse of the last solution of this problem by the one at which sweeps over the blocks, in their
    /// order and from `p = 0`, come to rest. If they do not, or with other velocities, the impulse stays as it is.
    pub fn in_turn(&mut self, problem: &Problem) -> Option<Report> {
        let before = self.residual;
        self.best.clone_from(&self.state.p);
        self.velocity.clone_from(&self.state.xi);
        let state = &mut self.state;
        state.reset(problem);
        state.allowed = f64::INFINITY;
        self.residual = f64::INFINITY;
        if sweep::come_to_rest(state, problem) {
            self.residual = state.residual(problem);
        }
        let moved = state.xi.iter().zip(&self.velocity).map(|(a, b)| (a - b).abs());
        let same = moved.fold(0.0, f64::max) <= DIFFERENT * state.scales.speed;
        if same && self.residual <= ACCEPTED {
            return Some(self.report(problem));
        }
        self.restore(problem, before);
        None
    }

    /// The steps of the module's documentation, one after the other.
    fn search(&mut self, problem: &Problem, choice: Choice) -> Result<Found, Failure> {
        self.missed = f64::INFINITY;
        let starts = (0..STARTS).map(Attempt::Start).chain([LAST_ATTEMPT]);
        // The nearest point does without the slow attempts, and without other starts where it is near already.
        let nearest = choice == Choice::Nearest;
        let quick = choice.is_quick() || nearest;
        let first = ATTEMPTS.into_iter().take(if quick { QUICK_ATTEMPTS } else { ATTEMPTS.len() });
        let then = starts.take(if choice.is_quick() { 0 } else { STARTS as usize + 1 });
        let mut attempts = first.chain(then).enumerate();
        if choice == Choice::Limit && problem.blocks.len() > 1 {
            self.attempt(problem, Attempt::Newton);
            self.residual = self.state.residual(problem);
            if !self.continuum(problem) {
                attempts.next();
                if self.good(problem) {
                    return Ok(Found::Any);
                }
            } else if self.extrapolate(problem, SPRING * self.state.scales.load)
                && self.good(problem)
            {
                return Ok(Found::Limit);
            }
        }
        for (count, attempt) in attempts {
            let near = nearest && count >= QUICK_ATTEMPTS && self.missed <= NEAR;
            if near || self.state.exhausted() {
                break;
            }
            self.state.reset(problem);
            let found = match attempt {
                Attempt::Relax => self.relax(problem),
                _ => {
                    self.attempt(problem, attempt);
                    self.good(problem)
                }
            };
            if found {
                return Ok(Found::Any);
            }
        }
        if choice.is_quick() || (choice != Choice::Nearest && self.state.exhausted()) {
            return Err(Failure::NotConverged {
                residual: self.missed,
                iterations: self.state.steps,
            });
        }
        if choice == Choice::Nearest && self.missed <= NEAR {
            self.state.p.clone_from(&self.nearest);
            self.state.update(problem);
            self.residual = self.missed;
            return Ok(Found::Any);
        }
        let scales = self.state.scales.clone();
        let said = modes::enumerate(problem, &scales, |impulse| {
            self.state.reset(problem);
            self.state.p.copy_from_slice(impulse);
            self.state.update(problem);
            self.good(problem)
        });
        match said {
            Some(Enumerated::Found) => Ok(Found::Any),
            Some(Enumerated::None) => Err(Failure::NoSolution),
            Some(Enumerated::Unsure) | None => {
                Err(Failure::NotConverged { residual: self.missed, iterations: self.state.steps })
            }
        }
    }

    /// Polishes the state; whether it is a solution then.
    fn good(&mut self, problem: &Problem) -> bool {
        self.polish(problem);
        if self.residual > SETTLED_SLIPS && self.residual <= STALLED {
            self.stress(problem);
        }
        self.remember();
        if self.residual > ACCEPTED {
            return false;
        }
        self.finish_slow(problem);
        true
    }

    /// Goes on where slow blocks are not solved yet on a scale of their own, beside which the problem's speed is large.
    fn finish_slow(&mut self, problem: &Problem) {
        let mut here = self.state.residual_by_block(problem);
        if here <= ACCEPTED {
            return;
        }
        self.best.clone_from(&self.state.p);
        for _ in 0..SLOW_STEPS {
            self.state.refine(problem, SPRING * self.state.scales.load);
            let now = self.state.residual_by_block(problem);
            let solved = self.state.residual(problem) <= self.residual.max(self.aim);
            if now.is_nan() || now >= here || !solved {
                break;
            }
            here = now;
            self.best.clone_from(&self.state.p);
            if here <= self.aim {
                break;
            }
        }
        self.state.p.clone_from(&self.best);
        self.state.update(problem);
        self.residual = self.state.residual(problem);
    }

    /// Keeps the point if none was nearer.
    fn remember(&mut self) {
        if self.residual < self.missed {
            self.missed = self.residual;
            self.nearest.clone_from(&self.state.p);
        }
    }

    /// Goes from `p = 0` to where a solution may be near.
    fn attempt(&mut self, problem: &Problem, attempt: Attempt) {
        let state = &mut self.state;
        match attempt {
            Attempt::Newton if matches!(problem.blocks, [only] if !only.is_relaxed()) => {
                sweep::sweep(state, problem, 0.0, 1, 0.0);
            }
            Attempt::Newton => {
                state.solve(problem, SPRING * state.scales.load);
            }
            Attempt::Sweep { compliance, most, settled } => {
                sweep::sweep(state, problem, compliance, most, settled);
            }
            Attempt::Harden => {
                let mut compliance = SOFTEST;
                while compliance > SPRING {
                    state.solve(problem, compliance * state.scales.load);
                    compliance *= HARDENING;
                }
            }
            Attempt::Start(index) => start::start(state, problem, index),
            Attempt::Relax => {}
        }
    }

    /// Brings the state from near a solution to it, as far as rounding allows.
    fn polish(&mut self, problem: &Problem) {
        let state = &mut self.state;
        let mut compliance = SPRING * state.scales.load;
        // Where it stands, and the best it has seen.
        let mut here = state.residual(problem);
        let mut best = here;
        self.point.clone_from(&state.p);
        self.best.clone_from(&state.p);
        let mut vain = 0;
        for _ in 0..ROUNDS {
            // Newton's method itself, as long as it is quick.
            while here > self.aim {
                state.refine(problem, compliance);
                let now = state.residual(problem);
                let (better, quick) = (now < here, now <= SLOW * here);
                if better {
                    here = now;
                    self.point.clone_from(&state.p);
                }
                // Where everything has grown beyond all numbers it is "quick" for ever.
                if !(better && quick) {
                    break;
                }
            }
            if here < best {
                best = here;
                self.best.clone_from(&self.point);
                vain = 0;
            } else {
                vain += 1;
            }
            if best <= self.aim || vain == VAIN_ROUNDS || state.exhausted() {
                break;
            }
            state.p.clone_from(&self.point);
            state.update(problem);
            state.anchor.clone_from(&self.point);
            state.solve(problem, compliance);
            state.anchor.fill(0.0);
            let now = state.residual(problem);
            // Harder springs go further, softer ones find the pattern and round less. The residual may rise a little
            // on the way.
            let lost = now > LOST * here || (now >= here && here <= ROUNDING);
            if lost {
                compliance = (compliance * SOFTER).min(state.scales.load);
            } else if now > SLOW * here {
                compliance = (compliance / SOFTER).max(HARDEST * state.scales.load);
            }
            if now <= LOST * here {
                here = now;
                self.point.clone_from(&state.p);
            }
        }
        self.restore(problem, best);
    }

    /// Whether the state's velocities are one of a continuum.
    fn continuum(&mut self, problem: &Problem) -> bool {
        self.least.continuum(problem, &self.state, self.residual)
    }

    fn report(&mut self, problem: &Problem) -> Report {
        // Friction that does not depend on the normal impulse is monotone: ξ is unique.
        let monotone = problem.blocks.iter().all(|block| match block.kind {
            Kind::Cone { mu, .. } => mu == 0.0 || block.rows == 1,
            Kind::Ray { tangent } => tangent == [0.0; 2] || block.rows == 1,
            Kind::Disc { .. } | Kind::Relaxed { .. } | Kind::Push { .. } => true,
        });
        Report {
            residual: self.residual,
            iterations: self.state.steps,
            velocity_unique: monotone.then_some(true),
            impulse_unique: self.least.unique(problem, &self.state, self.residual),
        }
    }
}

#[cfg(test)]
mod tests;
