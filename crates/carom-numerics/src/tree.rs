//! Weighted isotonic regression on a forest: `min ½ Σ m_i (x_i − y_i)²` subject to `x_head − x_tail ≥ b` for every edge,
//! exactly and in O(n log² n).
//!
//! From the leaves up, the least cost of a subtree as a function of where its top is: convex and piecewise quadratic,
//! kept as the breakpoints of its derivative. An edge passes the derivative of the child's cost on to the parent only where
//! its constraint holds, which cuts it off at its root on one side. Breakpoints are merged small into large, and each
//! is cut off once. Then from the top down, each member goes to the minimum of its cost, or as near as its parent allows.
//!
//! Everything is carried in twice the working precision: breakpoints of heavy members do not blur those of light ones.

use crate::double::Double;
use std::collections::BTreeMap;

/// `x_head − x_tail ≥ bound`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The node it leaves.
    pub tail: usize,
    /// The node it leads to.
    pub head: usize,
    /// `x_head − x_tail ≥ bound`.
    pub bound: f64,
}

/// The problem: one mass `m` (positive; infinite where a member is fixed) and one target `y` per member.
#[derive(Clone, Copy, Debug)]
pub struct Forest<'a> {
    /// Weights of the nodes.
    pub mass: &'a [f64],
    /// What each node would be without edges.
    pub target: &'a [f64],
    /// The constraints.
    pub edges: &'a [Edge],
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestFit {
    /// One per member.
    pub x: Vec<f64>,
    /// One per edge, at least zero.
    pub multiplier: Vec<f64>,
}

/// Solves it; `None` if an edge closes a loop or a tree has two fixed members.
pub fn fit(forest: &Forest) -> Option<ForestFit> {
    let order = Order::new(forest)?;
    let mut costs: Vec<Option<Derivative>> = vec![None; forest.mass.len()];
    let mut best = vec![Double::ZERO; forest.mass.len()];
    for &i in order.members.iter().rev() {
        let fixed = forest.mass[i].is_infinite();
        let from_below = costs[i].take();
        if fixed {
            best[i] = forest.target[i].into();
            continue;
        }
        let mut cost = Derivative::of_member(forest.mass[i], forest.target[i]);
        if let Some(below) = from_below {
            cost = cost.plus(below);
        }
        match order.parent[i] {
            None => best[i] = cost.cut(Side::Above),
            Some(Parent { member, edge, below }) => {
                let side = if below { Side::Above } else { Side::Below };
                best[i] = cost.cut(side);
                let bound = Double::from(forest.edges[edge].bound);
                cost.shift(if below { bound } else { -bound });
                costs[member] = Some(match costs[member].take() {
                    None => cost,
                    Some(others) => others.plus(cost),
                });
            }
        }
    }
    Some(descend(forest, &order, best))
}

/// From the top down: where members go; from the leaves up: what the edges that hold them carry.
fn descend(forest: &Forest, order: &Order, best: Vec<Double>) -> ForestFit {
    let mut x = best;
    let mut held = vec![false; x.len()];
    for &i in &order.members {
        if let Some(Parent { member, edge, below }) = order.parent[i] {
            let bound = Double::from(forest.edges[edge].bound);
            let limit = if below { x[member] - bound } else { x[member] + bound };
            let room = (limit - x[i]).round();
            if if below { room < 0.0 } else { room > 0.0 } {
                x[i] = limit;
                held[i] = true;
            }
        }
    }
    let mut excess = vec![Double::ZERO; x.len()];
    let mut multiplier = vec![0.0; forest.edges.len()];
    for &i in order.members.iter().rev() {
        let Some(Parent { member, edge, below }) = order.parent[i] else { continue };
        // Of the whole subtree that moves with it; what does not is at its best, without excess.
        let own = Double::from(forest.mass[i]) * (x[i] - forest.target[i].into());
        let sum = excess[i] + own;
        if held[i] {
            multiplier[edge] = if below { -sum } else { sum }.round().max(0.0);
            excess[member] = excess[member] + sum;
        }
    }
    ForestFit { x: x.into_iter().map(Double::round).collect(), multiplier }
}

/// How a member hangs on the one above it in the order.
#[derive(Clone, Copy, Debug)]
struct Parent {
    member: usize,
    edge: usize,
    /// Whether the member must stay below its parent.
    below: bool,
}

/// Members such that every one but the roots comes after its parent. A fixed member is the root of its tree.
struct Order {
    members: Vec<usize>,
    parent: Vec<Option<Parent>>,
}

impl Order {
    fn new(forest: &Forest) -> Option<Self> {
        let n = forest.mass.len();
        let mut starts = vec![0; n + 1];
        for edge in forest.edges {
            starts[edge.tail] += 1;
            starts[edge.head] += 1;
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut incident = vec![0; total];
        for (k, edge) in forest.edges.iter().enumerate().rev() {
            for end in [edge.tail, edge.head] {
                starts[end] -= 1;
                incident[starts[end]] = k;
            }
        }
        let mut order = Self { members: Vec::with_capacity(n), parent: vec![None; n] };
        let mut seen = vec![false; n];
        let fixed = |i: &usize| forest.mass[*i].is_infinite();
        for root in (0..n).filter(fixed).chain((0..n).filter(|i| !fixed(i))) {
            if seen[root] {
                if fixed(&root) {
                    return None;
                }
                continue;
            }
            seen[root] = true;
            let mut next = order.members.len();
            order.members.push(root);
            while let Some(&member) = order.members.get(next) {
                next += 1;
                for &edge in &incident[starts[member]..starts[member + 1]] {
                    if order.parent[member].is_some_and(|parent| parent.edge == edge) {
                        continue;
                    }
                    let Edge { tail, head, .. } = forest.edges[edge];
                    let below = head == member;
                    let child = if below { tail } else { head };
                    if seen[child] {
                        return None;
                    }
                    seen[child] = true;
                    order.parent[child] = Some(Parent { member, edge, below });
                    order.members.push(child);
                }
            }
        }
        Some(order)
    }
}

/// Which side of its root a derivative is cut off on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

/// `slope · x + constant`.
#[derive(Clone, Copy, Debug)]
struct Line {
    slope: Double,
    constant: Double,
}

impl Line {
    const ZERO: Self = Self { slope: Double::ZERO, constant: Double::ZERO };

    fn plus(self, other: Self) -> Self {
        Self { slope: self.slope + other.slope, constant: self.constant + other.constant }
    }

    /// The line that meets this one at a place and is steeper by `change`.
    fn bent(self, at: Double, change: Double) -> Self {
        Self { slope: self.slope + change, constant: self.constant - change * at }
    }

    fn at(self, x: Double) -> f64 {
        (self.slope * x + self.constant).round()
    }
}

/// A place where the slope changes.
#[derive(Clone, Copy, Debug)]
struct Break {
    /// Less the shift of the derivative it belongs to.
    at: Double,
    change: Double,
}

/// A continuous, increasing, piecewise linear function.
#[derive(Clone, Debug)]
struct Derivative {
    /// What it is below and above all breaks.
    lowest: Line,
    highest: Line,
    /// In order of place; those of equal place as they came.
    breaks: BTreeMap<(u64, u64), Break>,
    shift: Double,
    /// How many breaks ever came.
    count: u64,
}

impl Derivative {
    fn of_member(mass: f64, target: f64) -> Self {
        let mass = Double::from(mass);
        let line = Line { slope: mass, constant: -(mass * target.into()) };
        Self { lowest: line, highest: line, breaks: BTreeMap::new(), shift: Double::ZERO, count: 0 }
    }

    fn plus(self, other: Self) -> Self {
        let (mut large, small) = match self.breaks.len() >= other.breaks.len() {
            true => (self, other),
            false => (other, self),
        };
        large.lowest = large.lowest.plus(small.lowest);
        large.highest = large.highest.plus(small.highest);
        for (_, Break { at, change }) in small.breaks {
            large.insert(at + small.shift, change);
        }
        large
    }

    fn insert(&mut self, at: Double, change: Double) {
        let at = at - self.shift;
        self.breaks.insert((sortable(at.round()), self.count), Break { at, change });
        self.count += 1;
    }

    /// Moves the graph by `distance` towards larger places.
    fn shift(&mut self, distance: Double) {
        self.shift = self.shift + distance;
        for line in [&mut self.lowest, &mut self.highest] {
            line.constant = line.constant - line.slope * distance;
        }
    }

    /// Sets the function to zero on one side of its root, and answers the root.
    fn cut(&mut self, side: Side) -> Double {
        // The piece that holds the root: all breaks between it and the end go.
        let mut line = if side == Side::Above { self.highest } else { self.lowest };
        loop {
            let outermost = match side {
                Side::Above => self.breaks.last_entry(),
                Side::Below => self.breaks.first_entry(),
            };
            let Some(entry) = outermost else { break };
            let Break { at, change } = *entry.get();
            let at = at + self.shift;
            let value = line.at(at);
            if if side == Side::Above { value <= 0.0 } else { value >= 0.0 } {
                break;
            }
            entry.remove();
            line = line.bent(at, if side == Side::Above { -change } else { change });
        }
        let root = -line.constant / line.slope;
        match side {
            Side::Above => self.highest = Line::ZERO,
            Side::Below => self.lowest = Line::ZERO,
        }
        self.insert(root, if side == Side::Above { -line.slope } else { line.slope });
        root
    }
}

/// Bits in the order of the numbers.
fn sortable(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

#[cfg(test)]
mod tests;
