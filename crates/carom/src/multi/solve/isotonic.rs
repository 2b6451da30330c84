//! Weighted isotonic regression on a chain: `min ½ Σ m_i (x_i − y_i)²` subject to `x_{k+1} − x_k ≥ b_k`, exactly and in
//! O(n), by pooling adjacent violators.
//!
//! Neighbours that would violate their constraint join a block that moves as one, at the mean of what its members want;
//! blocks join in turn. A member of infinite mass is fixed at its `y`. Sums are compensated and taken relative to the
//! first member of a block, so that a block of a million is as accurate as one of two.

use super::ZERO;
use crate::double::Double;

/// A sum and what rounding took from it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    pub(super) fn of(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        // Knuth's exact sum.
        let high = self.high + other.high;
        let seen = high - self.high;
        let error = (self.high - (high - seen)) + (other.high - seen);
        Self { high, low: self.low + other.low + error }
    }

    pub(super) fn and(self, x: f64) -> Self {
        self.plus(Self::of(x))
    }

    pub(super) fn value(self) -> f64 {
        self.high + self.low
    }
}

/// The problem. All slices but `bound`, which is one shorter, have one number per member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain<'a> {
    /// `m`, positive or infinite.
    pub(crate) mass: &'a [f64],
    /// `y`.
    pub(crate) target: &'a [f64],
    /// `b`.
    pub(crate) bound: &'a [f64],
}

/// Two fixed members are too close for the constraints between them, of which this is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Squeezed {
    /// The constraint between members `k` and `k + 1`.
    pub(crate) constraint: usize,
}

/// Members that move as one.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: usize,
    /// Sum of the masses that are finite.
    mass: Sum,
    /// `Σ m_i (y_i − σ_i)`, where `σ_i` is the distance of member `i` from the first one.
    momentum: Sum,
    /// Distance of the last member from the first one.
    span: Sum,
    /// Where the first member is.
    value: f64,
    /// Whether a member is fixed.
    fixed: bool,
}

impl Block {
    fn single(i: usize, mass: f64, target: f64) -> Self {
        let fixed = mass.is_infinite();
        let own = if fixed { 0.0 } else { mass };
        Self {
            first: i,
            mass: Sum::of(own),
            momentum: Sum::of(own * target),
            span: Sum::default(),
            value: target,
            fixed,
        }
    }

    /// This block and the one to its right, held at distance `bound`.
    fn join(self, right: Self, bound: f64) -> Self {
        let distance = self.span.and(bound);
        let offset = distance.value();
        let mass = self.mass.plus(right.mass);
        let momentum = self.momentum.plus(right.momentum).and(-right.mass.value() * offset);
        let value = match (self.fixed, right.fixed) {
            (true, _) => self.value,
            (false, true) => right.value - offset,
            (false, false) => momentum.value() / mass.value(),
        };
        Self {
            first: self.first,
            mass,
            momentum,
            span: distance.plus(right.span),
            value,
            fixed: self.fixed || right.fixed,
        }
    }
}

/// The working memory; it never influences a result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Isotonic {
    blocks: Vec<Block>,
}

impl Isotonic {
    /// Writes the minimiser `x` and the multipliers of the constraints, at least zero. Answers whether the multipliers
    /// are unique: they are not between fixed members that leave no room, where those of least
    /// `Σ (1/m_k + 1/m_{k+1}) multiplier_k²` are given.
    pub(crate) fn fit(
        &mut self,
        chain: &Chain,
        x: &mut [f64],
        multiplier: &mut [f64],
    ) -> Result<bool, Squeezed> {
        self.pool(chain)?;
        let mut unique = true;
        let ends = self.blocks.iter().skip(1).map(|block| block.first);
        let ends = ends.chain([chain.mass.len()]);
        for (block, end) in self.blocks.iter().zip(ends) {
            place(chain, block, end, x, multiplier);
            if block.fixed {
                unique &= press_on_fixed(chain, block.first..end, x, multiplier);
            }
        }
        Ok(unique)
    }

    /// Joins blocks until no constraint between them is violated.
    fn pool(&mut self, chain: &Chain) -> Result<(), Squeezed> {
        self.blocks.clear();
        for i in 0..chain.mass.len() {
            let mut block = Block::single(i, chain.mass[i], chain.target[i]);
            while let Some(&left) = self.blocks.last() {
                let bound = chain.bound[block.first - 1];
                let room = block.value - (left.value + left.span.value()) - bound;
                if room >= 0.0 {
                    break;
                }
                if left.fixed && block.fixed && !within_rounding(chain, room) {
                    return Err(Squeezed { constraint: block.first - 1 });
                }
                block = left.join(block, bound);
                self.blocks.pop();
            }
            self.blocks.push(block);
        }
        Ok(())
    }
}

/// Whether a lack of room is nothing beside the largest numbers of the problem.
fn within_rounding(chain: &Chain, room: f64) -> bool {
    room >= -ZERO * super::largest(chain.target).max(super::largest(chain.bound))
}

/// Members of a block, and the multipliers between them if none is fixed: each passes on what its left neighbour
/// presses and its own excess of momentum.
fn place(chain: &Chain, block: &Block, end: usize, x: &mut [f64], multiplier: &mut [f64]) {
    let (mut at, mut pressure) = (start(chain, block, end), Sum::default());
    for i in block.first..end - 1 {
        x[i] = at.value();
        pressure = pressure.and(-chain.mass[i] * (x[i] - chain.target[i]));
        multiplier[i] = pressure.value().max(0.0);
        at = at.and(chain.bound[i]);
    }
    x[end - 1] = at.value();
    if end < x.len() {
        multiplier[end - 1] = 0.0;
    }
}

/// Where the first member of a block is, beyond the last digit of a number: members far from it may be almost at rest, and
/// a million of them add up.
fn start(chain: &Chain, block: &Block, end: usize) -> Sum {
    if block.fixed {
        return Sum::of(block.value);
    }
    let (mut at, mut excess) = (Sum::of(block.value), Double::ZERO);
    for i in block.first..end {
        let off = Double::from(at.high) + Double::from(at.low - chain.target[i]);
        excess = excess + Double::from(chain.mass[i]) * off;
        if i + 1 < end {
            at = at.and(chain.bound[i]);
        }
    }
    Sum::of(block.value).and(-excess.round() / block.mass.value())
}

/// Multipliers of a block with fixed members: from its ends towards them, and between them. Answers whether they are
/// unique.
fn press_on_fixed(
    chain: &Chain,
    members: std::ops::Range<usize>,
    x: &mut [f64],
    multiplier: &mut [f64],
) -> bool {
    // Up to the first of them, those of a free block are right.
    let is_fixed = |i: &usize| chain.mass[*i].is_infinite();
    let (start, end) = (members.start, members.end);
    let first = members.clone().find(is_fixed).unwrap_or(start);
    let last = members.rev().find(is_fixed).unwrap_or(first);
    let mut pressure = Sum::default();
    for i in (last + 1..end).rev() {
        pressure = pressure.and(chain.mass[i] * (x[i] - chain.target[i]));
        multiplier[i - 1] = pressure.value().max(0.0);
    }
    // Between two fixed members the load may be shifted from one to the other.
    let mut left = first;
    for i in first..=last {
        if is_fixed(&i) {
            x[i] = chain.target[i];
            if i > left {
                share_between(chain, left, i, x, multiplier);
            }
            left = i;
        }
    }
    first == last
}

/// Multipliers between two fixed members that leave no room: any constant may be added, the best one is.
fn share_between(chain: &Chain, left: usize, right: usize, x: &[f64], multiplier: &mut [f64]) {
    let yielding = |k: usize| 1.0 / chain.mass[k] + 1.0 / chain.mass[k + 1];
    let mut pressure = Sum::default();
    let (mut weight, mut moment, mut smallest) = (Sum::default(), Sum::default(), 0.0);
    for k in left..right {
        if k > left {
            pressure = pressure.and(-chain.mass[k] * (x[k] - chain.target[k]));
        }
        multiplier[k] = pressure.value();
        weight = weight.and(yielding(k));
        moment = moment.and(yielding(k) * multiplier[k]);
        smallest = f64::min(smallest, multiplier[k]);
    }
    // Fixed members next to each other yield nothing: no pressure between them is needed.
    let mean = if weight.value() > 0.0 { moment.value() / weight.value() } else { 0.0 };
    let added = f64::max(-smallest, -mean);
    for p in &mut multiplier[left..right] {
        *p = (*p + added).max(0.0);
    }
}

#[cfg(test)]
mod tests;
