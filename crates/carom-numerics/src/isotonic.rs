//! Weighted isotonic regression on a chain: `min ½ Σ m_i (x_i − y_i)²` subject to `x_{k+1} − x_k ≥ b_k`, exactly and in
//! O(n), by pooling adjacent violators.
//!
//! Neighbours that would violate their constraint join a block that moves as one, at the mean of its members' targets;
//! blocks join in turn. A member of infinite mass is fixed at its `y`. Sums and products carry what rounding takes from
//! them, so that a block of a million is as accurate as one of two, and its last member as the first.

use super::ZERO;
use crate::double::Double;

/// A number and what rounding took from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    /// A number.
    pub fn of(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }

    /// The sum of two.
    pub fn plus(self, other: Self) -> Self {
        // Knuth's exact sum.
        let high = self.high + other.high;
        let seen = high - self.high;
        let error = (self.high - (high - seen)) + (other.high - seen);
        Self { high, low: self.low + other.low + error }
    }

    /// The sum with a number.
    pub fn and(self, x: f64) -> Self {
        self.plus(Self::of(x))
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self { high: -other.high, low: -other.low })
    }

    fn times(self, other: Self) -> Self {
        let (high, low) = Double::product(self.high, other.high).parts();
        Self { high, low: low + (self.high * other.low + self.low * other.high) }
    }

    fn over(self, other: Self) -> Self {
        let double = |sum: Self| Double::from(sum.high) + Double::from(sum.low);
        let (high, low) = (double(self) / double(other)).parts();
        Self { high, low }
    }

    /// The nearest number.
    pub fn value(self) -> f64 {
        self.high + self.low
    }
}

/// The problem: members from left to right, and what their distances must be at least.
pub trait Members {
    /// How many there are.
    fn count(&self) -> usize;
    /// `m`, positive or infinite.
    fn mass(&self, i: usize) -> f64;
    /// `y`.
    fn target(&self, i: usize) -> f64;
    /// `b` between members `k` and `k + 1`.
    fn bound(&self, k: usize) -> f64;
}

/// Members by their numbers. All slices but `bound`, which is one shorter, have one per member.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// `m`, positive or infinite.
    pub mass: &'a [f64],
    /// `y`.
    pub target: &'a [f64],
    /// `b`.
    pub bound: &'a [f64],
}

impl Members for Chain<'_> {
    fn count(&self) -> usize {
        self.mass.len()
    }
    fn mass(&self, i: usize) -> f64 {
        self.mass[i]
    }
    fn target(&self, i: usize) -> f64 {
        self.target[i]
    }
    fn bound(&self, k: usize) -> f64 {
        self.bound[k]
    }
}

/// Two fixed members are too close for the constraints between them, of which this is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squeezed {
    /// The constraint between members `k` and `k + 1`.
    pub constraint: usize,
}

/// Members that move as one.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Members from `first` up to but not including `end`.
    first: usize,
    end: usize,
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
            end: i + 1,
            mass: Sum::of(own),
            momentum: Sum::of(own).times(Sum::of(target)),
            span: Sum::default(),
            value: target,
            fixed,
        }
    }

    /// This block and the one to its right, held at distance `bound`.
    #[inline]
    fn join(self, right: Self, bound: f64) -> Self {
        let distance = self.span.and(bound);
        let mass = self.mass.plus(right.mass);
        let momentum = self.momentum.plus(right.momentum).minus(right.mass.times(distance));
        let value = match (self.fixed, right.fixed) {
            (true, _) => self.value,
            (false, true) => right.value - distance.value(),
            (false, false) => momentum.value() / mass.value(),
        };
        Self {
            first: self.first,
            end: right.end,
            mass,
            momentum,
            span: distance.plus(right.span),
            value,
            fixed: self.fixed || right.fixed,
        }
    }
}

/// Writes the minimiser `x` and the multipliers of the constraints, at least zero. Answers whether the multipliers
/// are unique: they are not between fixed members that leave no room, where those of least
/// `Σ (1/m_k + 1/m_{k+1}) multiplier_k²` are given.
pub fn fit(chain: &impl Members, x: &mut [f64], multiplier: &mut [f64]) -> Result<bool, Squeezed> {
    Ok(write(&pool(chain)?, chain, x, multiplier))
}

/// The multipliers alone: for a million members it is the memory that takes time.
pub fn press(chain: &impl Members, multiplier: &mut [f64]) -> Result<bool, Squeezed> {
    let blocks = pool(chain)?;
    if blocks.iter().any(|block| block.fixed) {
        return Ok(write(&blocks, chain, &mut vec![0.0; chain.count()], multiplier));
    }
    let mut next = 0;
    for block in &blocks {
        multiplier[next..block.first].fill(0.0);
        place(chain, block, |_, _| {}, multiplier);
        next = block.end;
    }
    let end = multiplier.len();
    multiplier[next.min(end)..].fill(0.0);
    Ok(true)
}

/// Every member's place and multiplier, from the blocks.
fn write(blocks: &[Block], chain: &impl Members, x: &mut [f64], multiplier: &mut [f64]) -> bool {
    let (mut unique, mut next) = (true, 0);
    for block in blocks {
        leave(chain, next..block.first, x, multiplier);
        place(chain, block, |i, at| x[i] = at, multiplier);
        if block.fixed {
            unique &= press_on_fixed(chain, block.first..block.end, x, multiplier);
        }
        next = block.end;
    }
    leave(chain, next..chain.count(), x, multiplier);
    unique
}

/// Blocks of several members, from left to right, joined until no constraint between them is violated. Members between
/// them are alone, at their targets.
fn pool(chain: &impl Members) -> Result<Vec<Block>, Squeezed> {
    let mut blocks: Vec<Block> = Vec::new();
    for i in 0..chain.count() {
        let mut block = Block::single(i, chain.mass(i), chain.target(i));
        while block.first > 0 {
            let before = block.first - 1;
            let pooled = blocks.last().filter(|left| left.end == block.first).copied();
            let left = pooled
                .unwrap_or_else(|| Block::single(before, chain.mass(before), chain.target(before)));
            let bound = chain.bound(before);
            let room = block.value - (left.value + left.span.value()) - bound;
            if room >= 0.0 {
                break;
            }
            if left.fixed && block.fixed && !within_rounding(chain, room) {
                return Err(Squeezed { constraint: before });
            }
            block = left.join(block, bound);
            if pooled.is_some() {
                blocks.pop();
            }
        }
        if block.end > block.first + 1 {
            blocks.push(block);
        }
    }
    Ok(blocks)
}

/// Whether a lack of room is nothing beside the largest numbers of the problem.
fn within_rounding(chain: &impl Members, room: f64) -> bool {
    let targets = (0..chain.count()).map(|i| chain.target(i).abs());
    let bounds = (1..chain.count()).map(|k| chain.bound(k - 1).abs());
    room >= -ZERO * targets.chain(bounds).fold(0.0, f64::max)
}

/// Members that belong to no block.
fn leave(
    chain: &impl Members,
    members: std::ops::Range<usize>,
    x: &mut [f64],
    multiplier: &mut [f64],
) {
    for i in members {
        x[i] = chain.target(i);
        if let Some(multiplier) = multiplier.get_mut(i) {
            *multiplier = 0.0;
        }
    }
}

/// Members of a block, and the multipliers between them if none is fixed: each passes on what its left neighbour
/// presses and its own excess of momentum.
fn place(
    chain: &impl Members,
    block: &Block,
    mut put: impl FnMut(usize, f64),
    multiplier: &mut [f64],
) {
    // Beyond the last digit of a number: members far from the first may be almost at rest, and a million of them add up.
    let mut at = match block.fixed {
        true => Sum::of(block.value),
        false => block.momentum.over(block.mass),
    };
    let mut pressure = Sum::default();
    let last = block.end - 1;
    for (i, multiplier) in (block.first..last).zip(&mut multiplier[block.first..last]) {
        put(i, at.value());
        pressure = pressure.minus(Sum::of(chain.mass(i)).times(at.and(-chain.target(i))));
        *multiplier = pressure.value().max(0.0);
        at = at.and(chain.bound(i));
    }
    put(last, at.value());
    if let Some(multiplier) = multiplier.get_mut(last) {
        *multiplier = 0.0;
    }
}

/// Multipliers of a block with fixed members: from its ends towards them, and between them. Answers whether they are
/// unique.
fn press_on_fixed(
    chain: &impl Members,
    members: std::ops::Range<usize>,
    x: &mut [f64],
    multiplier: &mut [f64],
) -> bool {
    // Up to the first of them, those of a free block are right.
    let is_fixed = |i: &usize| chain.mass(*i).is_infinite();
    let (start, end) = (members.start, members.end);
    let first = members.clone().find(is_fixed).unwrap_or(start);
    let last = members.rev().find(is_fixed).unwrap_or(first);
    let mut pressure = Sum::default();
    for i in (last + 1..end).rev() {
        pressure = pressure.plus(Sum::of(chain.mass(i)).times(Sum::of(x[i]).and(-chain.target(i))));
        multiplier[i - 1] = pressure.value().max(0.0);
    }
    // Between two fixed members the load may be shifted from one to the other.
    let mut left = first;
    for i in first..=last {
        if is_fixed(&i) {
            x[i] = chain.target(i);
            if i > left {
                share_between(chain, left, i, x, multiplier);
            }
            left = i;
        }
    }
    first == last
}

/// Multipliers between two fixed members that leave no room: any constant may be added, the best one is.
fn share_between(
    chain: &impl Members,
    left: usize,
    right: usize,
    x: &[f64],
    multiplier: &mut [f64],
) {
    let yielding = |k: usize| 1.0 / chain.mass(k) + 1.0 / chain.mass(k + 1);
    let mut pressure = Sum::default();
    let (mut weight, mut moment, mut smallest) = (Sum::default(), Sum::default(), 0.0);
    for k in left..right {
        if k > left {
            let excess = Sum::of(x[k]).and(-chain.target(k));
            pressure = pressure.minus(Sum::of(chain.mass(k)).times(excess));
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
