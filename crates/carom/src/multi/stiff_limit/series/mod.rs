//! The motion as a Taylor series in the time of the clock.
//!
//! Between events everything is a sum, a product or a root of something known, so that the coefficients of all follow from each
//! other, order by order. A series knows its own error before a step is made, so that none is made in vain; and the way is a
//! polynomial, on which events are found without asking the equations again.
//!
//! `q² = d` and `r² = |v|²` give roots, `F = k d q` the force of Hertz's contacts, `N r = −μ F` friction per slip, `f = N v`
//! friction itself. Of the contact that the clock follows by `z` it is `q = z` that is known, and `d` that follows.
//!
//! Jorba, Zou: A software package for the numerical integration of ODEs by means of high-order Taylor methods. Experimental
//! Mathematics 14 (2005).

mod block;
mod lanes;
#[cfg(test)]
mod tests;

use super::clock::Clock;
use super::events::Quantity;
use super::field::Field;
use super::model::{Model, Power};
use block::{Block, Term};
use lanes::{LANES, Lanes};

/// The order of the series, and that of short steps.
const ORDER: usize = 18;
const LOW_ORDER: usize = 10;
/// The last terms of a series are this part of the error allowed: what follows them is less \[1\].
const ALLOWED: f64 = 0.02;
/// How many they are: where a contact of Hertz's closes, velocities have no terms but those of every fifth order.
const LAST: usize = 5;
/// Terms fall from order to order like this \[1\].
const FALL: f64 = 0.25;

/// What time does.
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
pub(super) struct Series {
    blocks: Vec<Block>,
    clock: Pace,
    /// `ds/dτ`, and the same without `z`.
    pace: [f64; ORDER + 1],
    apart: [f64; ORDER + 1],
    /// How many contacts there are, coordinates of velocity, and numbers that stand for these.
    contacts: usize,
    rank: usize,
    stride: usize,
    /// Coordinates of velocity, and what sticking grips pull, order by order.
    motion: Vec<f64>,
    pulls: Vec<f64>,
    /// Integrals where the step starts; the last of them is time.
    integrals: Vec<f64>,
    /// The acceleration before sticking contacts hold theirs.
    free: Vec<f64>,
    /// The inverses of the errors allowed.
    inverse: Vec<f64>,
    /// The order of this series.
    order: usize,
    /// The longest step that is exact enough.
    longest: f64,
}

impl Series {
    pub(super) fn new(model: &Model, width: usize) -> Self {
        let blocks = (0..model.len()).step_by(LANES).map(|from| Block::new(from, model)).collect();
        Self {
            blocks,
            contacts: model.len(),
            rank: model.rank,
            stride: model.stride,
            motion: vec![0.0; (ORDER + 1) * model.stride],
            pulls: vec![0.0; (ORDER + 1) * model.rank],
            integrals: vec![0.0; width - model.len() - model.rank],
            free: vec![0.0; model.stride],
            ..Self::default()
        }
    }

    /// Expands the motion about a state, in which the contact that the clock follows stands with its root, to a low order for
    /// a short step. Answers how long a step may be; none if there is no such series.
    pub(super) fn expand(
        &mut self,
        field: &Field,
        clock: &Clock,
        state: &[f64],
        tolerances: &[f64],
        short: bool,
    ) -> Option<f64> {
        self.order = if short { LOW_ORDER } else { ORDER };
        if !self.begin(field, clock, state) {
            return None;
        }
        self.all_orders(field);
        self.judge(tolerances)
    }

    /// All coefficients.
    fn all_orders(&mut self, field: &Field) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the processor was asked")]
            // SAFETY: what the function wants of the processor is there.
            return unsafe { self.all_orders_by_four(field) };
        }
        self.order_by_order(field);
    }

    /// The same with instructions that take four numbers at once: same operations, same bits, half of the time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn all_orders_by_four(&mut self, field: &Field) {
        self.order_by_order(field);
    }

    #[inline(always)]
    fn order_by_order(&mut self, field: &Field) {
        self.first(field);
        for m in 1..self.order {
            self.add_order(m, field);
        }
        let motion = &self.motion[self.order * self.stride..];
        for block in &mut self.blocks {
            let velocity = block.velocity(motion);
            let last = &mut block.terms[self.order];
            (last.approach, last.across) = (velocity[0], [velocity[1], velocity[2]]);
        }
    }

    /// What contacts do, and where they are. Whether there is a series: not where a contact that is not followed by `z` begins
    /// to press.
    fn begin(&mut self, field: &Field, clock: &Clock, state: &[f64]) -> bool {
        let model = &field.model;
        if matches!(model.power, Power::Other(_)) {
            return false;
        }
        let place = |k: usize| (k / LANES, k % LANES);
        self.clock = Pace {
            root: clock.root().map(place),
            slip: clock.slip().map(|(g, _)| place(model.grips[g].contact)),
            unit: 1.0
                / (clock.root().map_or(1.0, |_| clock.near())
                    * clock.slip().map_or(1.0, |(_, slowed)| slowed)),
        };
        let (unknowns, integrals) = state.split_at(self.contacts + self.rank);
        self.motion[..self.rank].copy_from_slice(&unknowns[self.contacts..]);
        self.integrals.copy_from_slice(integrals);
        (self.blocks.iter_mut().enumerate()).all(|(b, block)| block.begin(b * LANES, field, state))
    }

    /// Values where the series begins.
    #[inline(always)]
    fn first(&mut self, field: &Field) {
        for block in &mut self.blocks {
            block.first(&self.motion, field.model.damping);
        }
        self.time(0);
        for block in &mut self.blocks {
            block.press_first(self.pace[0]);
        }
        self.spread(0, field);
    }

    /// Coefficients of order `m` from all before.
    #[inline(always)]
    fn add_order(&mut self, m: usize, field: &Field) {
        let motion = &self.motion[m * self.stride..];
        let damping = field.model.damping;
        for block in &mut self.blocks {
            block.sum_up(m, &self.pace[..m], damping);
            block.move_on(m, motion, damping);
        }
        self.time(m);
        let pace = [self.pace[0], self.pace[m]];
        for block in &mut self.blocks {
            block.press(m, pace);
        }
        self.spread(m, field);
    }

    /// The coefficient of order `m` of `ds/dτ`.
    #[inline(always)]
    fn time(&mut self, m: usize) {
        let Pace { root, slip, unit } = self.clock;
        let constant = if m == 0 { unit } else { 0.0 };
        self.apart[m] = slip.map_or(constant, |(b, i)| unit * self.blocks[b].terms[m].slip.0[i]);
        self.pace[m] = match (root, slip) {
            (None, _) => self.apart[m],
            (Some((b, i)), None) => unit * self.blocks[b].terms[m].root.0[i],
            (Some((b, i)), Some(_)) => {
                let roots = self.blocks[b].terms[..=m].iter().map(|term| term.root.0[i]);
                roots.zip(self.apart[..=m].iter().rev()).map(|(z, apart)| z * apart).sum()
            }
        };
    }

    /// Slopes of order `m` are coefficients of order `m + 1`.
    #[inline(always)]
    fn spread(&mut self, m: usize, field: &Field) {
        let share = SHARES[m];
        self.free.fill(0.0);
        for block in &mut self.blocks {
            let Term { load, pull: [a, b], approach, .. } = block.terms[m];
            for (free, rows) in self.free.iter_mut().zip(&block.rows) {
                *free += (load * rows[0] + a * rows[1] + b * rows[2]).sum();
            }
            let mut moved = approach * self.pace[0];
            if m > 0 {
                moved = moved + (block.known.moved + block.terms[0].approach * self.pace[m]);
            }
            block.terms[m + 1].unknown = moved * block.pace * share;
        }
        if let Some((b, i)) = self.clock.root {
            let block = &mut self.blocks[b];
            let moved = match self.clock.slip {
                Some(_) => {
                    let terms = block.terms[..=m].iter().rev();
                    terms.zip(&self.apart).map(|(term, apart)| term.approach.0[i] * apart).sum()
                }
                None => self.clock.unit * block.terms[m].approach.0[i],
            };
            block.terms[m + 1].unknown.0[i] = 0.5 * share * block.pace.0[i] * moved;
        }
        let motion = &mut self.motion[(m + 1) * self.stride..][..self.stride];
        match field.hold.len() {
            0 => motion.copy_from_slice(&self.free),
            held => {
                let pulls = &mut self.pulls[m * self.rank..][..held];
                field.hold.take_from(&self.free, motion, pulls);
            }
        }
        motion.iter_mut().for_each(|x| *x *= share);
    }

    /// The longest step that is exact enough, if all is finite: that after which none of the last terms is larger than it may be,
    /// nor lets expect that the very last is.
    fn judge(&mut self, tolerances: &[f64]) -> Option<f64> {
        let mut shortest = f64::INFINITY;
        self.inverse.clear();
        self.inverse.extend(tolerances.iter().map(|tolerance| 1.0 / tolerance));
        let (of_depths, of_motion) = self.inverse.split_at(self.contacts);
        let mut allowed = ALLOWED;
        for order in (0..=self.order).rev().take(LAST) {
            let mut most: f64 = 0.0;
            // What is no number is larger.
            let mut mind = |term: f64, inverse: f64| {
                let relative = term.abs() * inverse;
                most = if relative <= most { most } else { relative };
            };
            for (block, inverses) in self.blocks.iter().zip(of_depths.chunks(LANES)) {
                let terms = &block.terms[order].unknown.0;
                terms.iter().zip(inverses).for_each(|(term, inverse)| mind(*term, *inverse));
            }
            let motion = &self.motion[order * self.stride..];
            motion.iter().zip(of_motion).for_each(|(term, inverse)| mind(*term, *inverse));
            if !most.is_finite() {
                return None;
            }
            shortest = shortest.min(-logarithm(most / allowed) / order as f64);
            allowed /= FALL;
        }
        self.longest = libm::exp2(shortest);
        Some(self.longest)
    }

    /// The error of a step, one being allowed: more only of one that is longer than it may be.
    pub(super) fn error(&self, h: f64) -> f64 {
        h / self.longest
    }

    /// The unknowns after some time of the clock.
    pub(super) fn unknowns_at(&self, time: f64, out: &mut [f64]) {
        let (depths, motion) = out.split_at_mut(self.contacts);
        for (block, depths) in self.blocks.iter().zip(depths.chunks_mut(LANES)) {
            let terms = block.terms[..=self.order].iter().rev();
            let value = terms.fold(Lanes::ZERO, |sum, term| sum * time + term.unknown);
            depths.iter_mut().zip(value.0).for_each(|(out, value)| *out = value);
        }
        for (i, motion) in motion[..self.rank].chunks_mut(2).enumerate() {
            let terms = self.motion.chunks_exact(self.stride).take(self.order + 1).rev();
            let sum = terms.fold([0.0; 2], |[a, b], terms| {
                [a * time + terms[2 * i], b * time + terms[2 * i + 1]]
            });
            motion.copy_from_slice(&sum[..motion.len()]);
        }
    }

    /// What contacts press and sticking grips pull after some time of the clock, both times its pace, for those who compare
    /// them with each other.
    pub(super) fn strain_at(&self, time: f64, field: &mut Field) {
        for (block, forces) in self.blocks.iter().zip(field.force.chunks_mut(LANES)) {
            let terms = block.terms[..self.order].iter().rev();
            let load = terms.fold(Lanes::ZERO, |sum, term| sum * time + term.load);
            forces.copy_from_slice(&load.0[..forces.len()]);
        }
        let pulls = field.hold.pulls_mut();
        pulls.fill(0.0);
        for terms in self.pulls.chunks_exact(self.rank.max(1)).take(self.order).rev() {
            pulls.iter_mut().zip(terms).for_each(|(pull, term)| *pull = *pull * time + term);
        }
    }

    /// The same, and behind them integrals and, if there is room, time.
    pub(super) fn state_at(&self, time: f64, field: &Field, out: &mut [f64]) {
        self.unknowns_at(time, out);
        let integrals = &mut out[self.contacts + self.rank..];
        integrals.copy_from_slice(&self.integrals[..integrals.len()]);
        let (forces, integrals) = integrals.split_at_mut(self.contacts);
        let (frictions, integrals) = integrals.split_at_mut(2 * field.model.grips.len());
        let (pulls, clock) = integrals.split_at_mut(self.rank);
        for (b, block) in self.blocks.iter().enumerate() {
            let mut sums = [Lanes::ZERO; 3];
            for (term, share) in block.terms[..self.order].iter().zip(&SHARES).rev() {
                for (sum, term) in sums.iter_mut().zip([term.load, term.pull[0], term.pull[1]]) {
                    *sum = *sum * time + term * *share;
                }
            }
            let sums = sums.map(|sum| (sum * time).0);
            for (lane, k) in (b * LANES..self.contacts).take(LANES).enumerate() {
                forces[k] += sums[0][lane];
                if let Some(g) = field.model.springs[k].grip {
                    frictions[2 * g] += sums[1][lane];
                    frictions[2 * g + 1] += sums[2][lane];
                }
            }
        }
        let sum = |terms: &mut dyn Iterator<Item = (f64, f64)>| {
            terms.fold(0.0, |sum, (term, share)| sum * time + term * share) * time
        };
        for (i, pull) in pulls.iter_mut().enumerate().take(field.hold.len()) {
            let terms = (0..self.order).rev().map(|m| (self.pulls[m * self.rank + i], SHARES[m]));
            *pull += sum(&mut { terms });
        }
        if let Some(clock) = clock.first_mut() {
            *clock += sum(&mut self.pace[..self.order].iter().copied().zip(SHARES).rev());
        }
    }

    /// One quantity after some time of the clock: the unknown of a contact, its velocity, or its slip along a heading.
    pub(super) fn value(&self, quantity: Quantity, field: &Field, time: f64) -> f64 {
        let place =
            |k: usize| (self.blocks[k / LANES].terms[..=self.order].iter().rev(), k % LANES);
        match quantity {
            Quantity::Depth(k) => {
                let (terms, i) = place(k);
                terms.fold(0.0, |sum, term| sum * time + term.unknown.0[i])
            }
            Quantity::Normal(k) => {
                let (terms, i) = place(k);
                terms.fold(0.0, |sum, term| sum * time + term.approach.0[i])
            }
            Quantity::Slip(g) => {
                let (terms, i) = place(field.model.grips[g].contact);
                let [x, y] = field.heading[g];
                terms.fold(0.0, |sum, term| {
                    sum * time + (x * term.across[0].0[i] + y * term.across[1].0[i])
                })
            }
        }
    }
}

/// `1/(m + 1)`.
const SHARES: [f64; ORDER] = {
    let mut shares = [0.0; ORDER];
    let mut m = 0;
    while m < ORDER {
        shares[m] = 1.0 / (m + 1) as f64;
        m += 1;
    }
    shares
};

/// The logarithm to the base 2, to a tenth: straight between powers of 2.
fn logarithm(x: f64) -> f64 {
    const MANTISSA: f64 = (1_u64 << 52) as f64;
    x.to_bits() as f64 / MANTISSA - 1023.0
}
