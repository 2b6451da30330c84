//! The motion as a Taylor series in the time of the clock.
//!
//! Between events everything is a sum, a product or a root of something known, so that the coefficients of all follow from each
//! other, order by order. A series knows its own error before a step is made, so that none is made in vain; and the way is a
//! polynomial, on which events are found without asking the equations again.
//!
//! `q² = d` and `r² = |v|²` give roots, `F = k d q` the force of Hertz's contacts, `N r = −μ F` friction per slip, `f = N v`
//! friction itself; forces give velocities, `u′ = W f` without what sticks. Of the contact that the clock follows by `z` it is
//! `q = z` that is known, and `d` that follows.
//!
//! Jorba, Zou: A software package for the numerical integration of ODEs by means of high-order Taylor methods. Experimental
//! Mathematics 14 (2005).

mod block;
mod response;
#[cfg(test)]
mod tests;

use super::super::dynamics::Dynamics;
use super::super::events::Quantity;
use super::super::model::Power;
use super::super::state::Integrals;
use super::super::tolerances as tol;
use super::clock::Clock;
use crate::numerics::lanes::{LANES, Lanes, with_widest_vectors};
use block::{Block, Term};
use response::{Response, Triple};

/// What contacts do, from the least to the most that has to be followed.
const STICK: u8 = 0;
const SLIDE: u8 = 1;
const TURN: u8 = 2;

/// What the pace of the clock depends on.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    /// The places of the contact that is followed by `z`, and of the slip that slows it.
    root: Option<(usize, usize)>,
    slip: Option<(usize, usize)>,
    /// `1/c ρ`.
    unit: f64,
}

/// The series about the start of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    blocks: Vec<Block>,
    response: Response,
    clock: Pace,
    /// `ds/dτ`, and the same without `z`; `z`, and how fast its contact approaches.
    pace: [f64; tol::ORDER + 1],
    apart: [f64; tol::ORDER + 1],
    root: [f64; tol::ORDER + 1],
    approach: [f64; tol::ORDER + 1],
    /// Coordinates of velocity and integrals where the step starts; the last of these is time.
    motion: Vec<f64>,
    integrals: Vec<f64>,
    /// Forces after some time, or what they have done until then, block by block.
    forces: Vec<Triple>,
    /// The order of this series.
    order: usize,
    /// The longest step that is exact enough.
    longest: f64,
}

impl Series {
    pub(crate) fn new(dynamics: &Dynamics) -> Self {
        let model = &dynamics.model;
        let blocks: Vec<Block> =
            (0..model.len()).step_by(LANES).map(|_| Block::default()).collect();
        Self {
            response: Response::new(model),
            forces: vec![[Lanes::ZERO; 3]; blocks.len()],
            blocks,
            motion: vec![0.0; model.rank],
            integrals: vec![0.0; dynamics.layout.integrals() + 1],
            ..Self::default()
        }
    }

    /// Expands the motion about a state, in which the contact that the clock follows stands with its root, to a low order for
    /// a short step. Answers how long a step may be for errors of indentations, or of the root, and of velocities that are
    /// allowed; none if there is no such series. The dynamics must have been evaluated there.
    pub(crate) fn expand(
        &mut self,
        dynamics: &Dynamics,
        clock: &Clock,
        state: &[f64],
        tolerances: (&[f64], f64),
        short: bool,
    ) -> Option<f64> {
        self.order = if short { tol::LOW_ORDER } else { tol::ORDER };
        if !self.begin(dynamics, clock, state) {
            return None;
        }
        with_widest_vectors(
            #[inline(always)]
            || {
                self.all_orders(dynamics);
                self.judge(tolerances)
            },
        )
    }

    /// All coefficients.
    #[inline(always)]
    fn all_orders(&mut self, dynamics: &Dynamics) {
        match self.blocks.iter().map(Block::does).max().unwrap_or(STICK) {
            STICK => self.order_by_order::<STICK, 1>(dynamics),
            SLIDE => self.order_by_order::<SLIDE, 3>(dynamics),
            _ => self.order_by_order::<TURN, 3>(dynamics),
        }
    }

    /// The same where contacts do no more than this, and forces have so many components.
    #[inline(always)]
    fn order_by_order<const DO: u8, const COMPONENTS: usize>(&mut self, dynamics: &Dynamics) {
        let damping = dynamics.model.damping;
        for (m, &share) in SHARES.iter().enumerate().take(self.order) {
            for block in &mut self.blocks {
                match m {
                    0 => block.first(damping),
                    _ => block.move_on::<DO>(m, &self.pace[..m], damping),
                }
            }
            self.time(m);
            let pace = [self.pace[0], self.pace[m]];
            for block in &mut self.blocks {
                block.press::<DO>(m, pace, share);
            }
            self.move_root(m);
            let Self { blocks, response, .. } = self;
            response.apply::<COMPONENTS>(&dynamics.sticking, blocks, m, share);
        }
    }

    /// What contacts do, and where they are. Whether there is a series: not where a contact that is not followed by `z` begins
    /// to press.
    fn begin(&mut self, dynamics: &Dynamics, clock: &Clock, state: &[f64]) -> bool {
        let model = &dynamics.model;
        if matches!(model.power, Power::Other(_)) {
            return false;
        }
        let place = |k: usize| (k / LANES, k % LANES);
        self.clock = Pace {
            root: clock.root.map(place),
            slip: clock.slip.map(|(g, _)| place(model.frictional[g].index)),
            unit: 1.0
                / (clock.root.map_or(1.0, |_| clock.near)
                    * clock.slip.map_or(1.0, |(_, slowed)| slowed)),
        };
        self.response.set(&dynamics.sticking);
        self.motion.copy_from_slice(dynamics.layout.coordinates(state));
        self.integrals.copy_from_slice(&state[dynamics.layout.unknowns()..]);
        (self.blocks.iter_mut().enumerate())
            .all(|(b, block)| block.begin(b * LANES, dynamics, state))
    }

    /// The coefficient of order `m` of `ds/dτ`.
    #[inline(always)]
    fn time(&mut self, m: usize) {
        let Pace { root, slip, unit } = self.clock;
        let constant = if m == 0 { unit } else { 0.0 };
        self.apart[m] = slip.map_or(constant, |(b, i)| unit * self.blocks[b].terms[m].slip.0[i]);
        self.pace[m] = self.apart[m];
        if let Some((b, i)) = root {
            let Term { root, approach, .. } = &self.blocks[b].terms[m];
            (self.root[m], self.approach[m]) = (root.0[i], approach.0[i]);
            self.pace[m] = match slip {
                Some(_) => product(&self.root, &self.apart, m),
                None => unit * self.root[m],
            };
        }
    }

    /// The next coefficient of `z`.
    #[inline(always)]
    fn move_root(&mut self, m: usize) {
        let Some((b, i)) = self.clock.root else { return };
        let moved = match self.clock.slip {
            Some(_) => product(&self.approach, &self.apart, m),
            None => self.clock.unit * self.approach[m],
        };
        let block = &mut self.blocks[b];
        block.terms[m + 1].unknown.0[i] = 0.5 * SHARES[m] * block.pace.0[i] * moved;
    }

    /// The longest step that is exact enough, if all is finite: that after which none of the last terms is larger than it may be,
    /// nor lets expect that the very last is.
    #[inline(always)]
    fn judge(&mut self, (depths, velocity): (&[f64], f64)) -> Option<f64> {
        let mut most = [0.0; tol::LAST_TERMS];
        for (block, depths) in self.blocks.iter().zip(depths.chunks(LANES)) {
            let mut inverse = Lanes::ZERO;
            for (inverse, depth) in inverse.0.iter_mut().zip(depths) {
                *inverse = velocity / depth;
            }
            for (most, term) in most.iter_mut().zip(block.terms[..=self.order].iter().rev()) {
                let Term { unknown, approach, across: [a, b], .. } = term;
                // Where anything is no number velocities are none either.
                let largest = approach.larger((*unknown * inverse).larger(a.larger(*b)));
                for largest in largest.0 {
                    *most = if largest <= *most { *most } else { largest };
                }
            }
        }
        let mut shortest = f64::INFINITY;
        let mut allowed = tol::SERIES_SHARE * velocity;
        for (back, most) in most.into_iter().enumerate() {
            if !most.is_finite() {
                return None;
            }
            shortest = shortest.min(-logarithm(most / allowed) * INVERSES[self.order - back]);
            allowed /= tol::TERM_FALL;
        }
        self.longest = libm::exp2(shortest);
        Some(self.longest)
    }

    /// The error of a step, one being allowed: more only of one that is longer than it may be.
    pub(crate) fn error(&self, h: f64) -> f64 {
        h / self.longest
    }

    /// Forces and reactions of sticking contacts after some time of the clock, but not how anything moves. False where time nearly
    /// stands still, and they are not known so well.
    pub(crate) fn forces_at(&mut self, time: f64, dynamics: &mut Dynamics) -> bool {
        with_widest_vectors(
            #[inline(always)]
            || self.find_forces(time, dynamics),
        )
    }

    #[inline(always)]
    fn find_forces(&mut self, time: f64, dynamics: &mut Dynamics) -> bool {
        let terms = self.pace[..self.order].iter().rev();
        let [pace, usual] =
            terms.fold([0.0; 2], |[sum, most], pace| [sum * time + pace, most * time + pace.abs()]);
        if pace < tol::LEAST_PACE * usual {
            return false;
        }
        let each = 1.0 / pace;
        for (block, forces) in self.blocks.iter().zip(&mut self.forces) {
            *forces = block.forces(self.order, time).map(|force| force * each);
        }
        for (k, (out, spring)) in dynamics.force.iter_mut().zip(&dynamics.model.springs).enumerate()
        {
            let [load, a, b] = self.forces[k / LANES].map(|force| force.0[k % LANES]);
            *out = load;
            if let Some(g) = spring.frictional {
                dynamics.friction[g] = [a, b];
            }
        }
        let forces = |b: usize| self.forces[b];
        let reactions = dynamics.sticking.reactions_mut();
        reactions.fill(0.0);
        self.response.add_reactions(forces, reactions);
        dynamics.free.copy_from_slice(self.response.free(forces));
        true
    }

    /// The unknowns after some time of the clock, and behind them integrals and time, as far as there is room.
    pub(crate) fn state_at(&mut self, time: f64, dynamics: &Dynamics, out: &mut [f64]) {
        with_widest_vectors(
            #[inline(always)]
            || self.find_state(time, dynamics, out),
        );
    }

    #[inline(always)]
    fn find_state(&mut self, time: f64, dynamics: &Dynamics, out: &mut [f64]) {
        let (depths, motion, integrals) = dynamics.layout.split(out);
        for (block, depths) in self.blocks.iter().zip(depths.chunks_mut(LANES)) {
            let depth = block.unknown(self.order, time);
            depths.copy_from_slice(&depth.0[..depths.len()]);
        }
        for (block, done) in self.blocks.iter().zip(&mut self.forces) {
            *done = block.impulses(self.order, time);
        }
        let done = |b: usize| self.forces[b];
        motion.copy_from_slice(&self.motion);
        self.response.push(done, &dynamics.sticking, motion);
        if integrals.is_empty() {
            return;
        }
        integrals.copy_from_slice(&self.integrals[..integrals.len()]);
        let Integrals { normal, friction, reactions, time: clock } =
            dynamics.layout.name(integrals);
        for (k, (force, spring)) in normal.iter_mut().zip(&dynamics.model.springs).enumerate() {
            let [load, a, b] = self.forces[k / LANES].map(|done| done.0[k % LANES]);
            *force += load;
            if let Some(g) = spring.frictional {
                friction[g][0] += a;
                friction[g][1] += b;
            }
        }
        self.response.add_reactions(done, reactions);
        if let Some(clock) = clock.first_mut() {
            let terms = self.pace[..self.order].iter().zip(&SHARES).rev();
            *clock += time * terms.fold(0.0, |sum, (pace, share)| sum * time + pace * share);
        }
    }

    /// One quantity after some time of the clock: the unknown of a contact, its velocity, or its slip along its direction.
    pub(crate) fn value(&self, quantity: Quantity, dynamics: &Dynamics, time: f64) -> f64 {
        let terms = |k: usize| self.blocks[k / LANES].terms[..=self.order].iter().rev();
        match quantity {
            Quantity::Depth(k) => {
                terms(k).fold(0.0, |sum, term| sum * time + term.unknown.0[k % LANES])
            }
            Quantity::Normal(k) => {
                terms(k).fold(0.0, |sum, term| sum * time + term.approach.0[k % LANES])
            }
            Quantity::Slip(g) => {
                let k = dynamics.model.frictional[g].index;
                let [x, y] = dynamics.direction[g];
                terms(k).fold(0.0, |sum, Term { across: [a, b], .. }| {
                    sum * time + (x * a.0[k % LANES] + y * b.0[k % LANES])
                })
            }
        }
    }
}

/// The coefficient of order `m` of a product.
#[inline(always)]
fn product(a: &[f64; tol::ORDER + 1], b: &[f64; tol::ORDER + 1], m: usize) -> f64 {
    let pairs = a[..=m].iter().zip(b[..=m].iter().rev());
    pairs.fold(0.0, |sum, (a, b)| sum + a * b)
}

/// `1/m`, of zero nothing.
const INVERSES: [f64; tol::ORDER + 1] = {
    let mut inverses = [0.0; tol::ORDER + 1];
    let mut m = 1;
    while m <= tol::ORDER {
        inverses[m] = 1.0 / m as f64;
        m += 1;
    }
    inverses
};

/// `1/(m + 1)`.
const SHARES: [f64; tol::ORDER] = {
    let mut shares = [0.0; tol::ORDER];
    let mut m = 0;
    while m < tol::ORDER {
        shares[m] = INVERSES[m + 1];
        m += 1;
    }
    shares
};

/// The logarithm to the base 2, to a tenth: straight between powers of 2.
fn logarithm(x: f64) -> f64 {
    const MANTISSA: f64 = (1_u64 << 52) as f64;
    x.to_bits() as f64 / MANTISSA - 1023.0
}
