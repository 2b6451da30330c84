//! A tournament tree: each node knows the two largest keys below it.
//!
//! A heap gives the largest key as quickly, but the leaves of a tree stay in order: the first of all keys that tie within
//! a tolerance is found in as many steps as the tree is deep, and the root shows whether there is a tie.

/// The largest keys below a node.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    /// The largest key.
    best: f64,
    /// The largest key of the others.
    second: f64,
    /// The index of the largest key.
    largest: u32,
}

const EMPTY: Node = Node { best: f64::NEG_INFINITY, second: f64::NEG_INFINITY, largest: 0 };

impl Node {
    /// Either index serves where keys are equal: the root then shows a tie.
    #[inline(always)]
    fn joined(self, other: Self) -> Self {
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        let loser = if self.best > other.best { other.best } else { self.best };
        Self {
            best: larger(self.best, other.best),
            // The second key below the loser is no larger than the loser.
            second: larger(loser, larger(self.second, other.second)),
            largest: if self.best > other.best { self.largest } else { other.largest },
        }
    }
}

/// A fixed number of keys, and the largest of them.
#[derive(Clone, Debug)]
pub struct MaxTree {
    /// The root at 1; below `k` stand `2k` and `2k + 1`; the second half are the leaves.
    nodes: Vec<Node>,
    /// The first leaf.
    first: usize,
}

/// The first key that reaches a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Largest {
    /// Which key.
    pub index: usize,
    /// Whether others reach the threshold as well.
    pub tied: bool,
}

impl MaxTree {
    /// A tree of `count` keys, all −∞.
    pub fn new(count: usize) -> Self {
        let first = count.next_power_of_two().max(2);
        let mut nodes = vec![EMPTY; 2 * first];
        for (leaf, index) in nodes[first..].iter_mut().zip(0..) {
            leaf.largest = index;
        }
        Self { nodes, first }
    }

    /// Replaces all keys.
    pub fn fill(&mut self, keys: impl Iterator<Item = f64>) {
        self.nodes[self.first..].iter_mut().zip(keys).for_each(|(leaf, key)| leaf.best = key);
        for k in (1..self.first).rev() {
            self.nodes[k] = self.below(k);
        }
    }

    /// The largest key.
    pub fn top(&self) -> f64 {
        self.nodes[1].best
    }

    /// Replaces one key; [`Self::update`] carries it to the nodes above.
    pub fn set(&mut self, index: usize, key: f64) {
        self.nodes[self.first + index].best = key;
    }

    /// Updates the nodes above these indices, neighbours together.
    pub fn update(&mut self, indices: &[u32]) {
        let place = |index: &u32| (self.first + *index as usize) / 2;
        let (Some(low), Some(high)) =
            (indices.iter().map(place).min(), indices.iter().map(place).max())
        else {
            return;
        };
        if high - low <= 1 {
            return self.update_pair(low, high);
        }
        let mut done = 0;
        for index in indices {
            let mut k = place(index);
            if k == done {
                continue;
            }
            done = k;
            while k > 0 {
                let outcome = self.below(k);
                if self.nodes[k] == outcome {
                    break;
                }
                self.nodes[k] = outcome;
                k /= 2;
            }
        }
    }

    /// [`Self::update`] above one node or two neighbours, without reading again what was just computed.
    fn update_pair(&mut self, mut low: usize, mut high: usize) {
        let (mut left, mut right) = (self.below(low), self.below(high));
        while low != high {
            self.nodes[low] = left;
            self.nodes[high] = right;
            if low.is_multiple_of(2) {
                left = left.joined(right);
                right = left;
            } else {
                left = self.nodes[low - 1].joined(left);
                right = right.joined(self.nodes[high + 1]);
            }
            (low, high) = (low / 2, high / 2);
        }
        self.nodes[low] = left;
        while low > 1 {
            left = left.joined(self.nodes[low ^ 1]);
            low /= 2;
            self.nodes[low] = left;
        }
    }

    fn below(&self, k: usize) -> Node {
        self.nodes[2 * k].joined(self.nodes[2 * k + 1])
    }

    /// The first key that reaches the threshold; the largest must.
    pub fn first(&self, threshold: f64) -> Largest {
        let Node { second, largest, .. } = self.nodes[1];
        if second < threshold {
            return Largest { index: largest as usize, tied: false };
        }
        let mut k = 1;
        while k < self.first {
            k = 2 * k + usize::from(self.nodes[2 * k].best < threshold);
        }
        Largest { index: k - self.first, tied: true }
    }

    /// All indices whose keys reach the threshold, in order, into `found`.
    pub fn all(&self, threshold: f64, found: &mut Vec<usize>) {
        found.clear();
        self.gather(1, threshold, found);
    }

    fn gather(&self, k: usize, threshold: f64, found: &mut Vec<usize>) {
        if self.nodes[k].best < threshold {
            return;
        }
        if k >= self.first {
            found.push(k - self.first);
            return;
        }
        self.gather(2 * k, threshold, found);
        self.gather(2 * k + 1, threshold, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a search through all keys, for many sizes and keys with many ties.
    #[test]
    fn winners_are_those_of_a_plain_search() {
        let mut state = 1_u64;
        let mut next = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % n
        };
        for count in [1, 2, 15, 16, 17, 40, 255, 256, 257, 300, 5000] {
            let mut keys: Vec<f64> = (0..count).map(|_| next(5) as f64).collect();
            let mut tree = MaxTree::new(count);
            tree.fill(keys.iter().copied());
            let mut found = Vec::new();
            for round in 0..200 {
                let changed: Vec<u32> = match round % 2 {
                    0 => (0..3).map(|_| next(count as u64) as u32).collect(),
                    _ => (0..count as u32).skip(next(count as u64) as usize).take(3).collect(),
                };
                for &index in &changed {
                    keys[index as usize] = next(5) as f64;
                    tree.set(index as usize, keys[index as usize]);
                }
                tree.update(&changed);
                let top = keys.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(tree.top(), top);
                for threshold in [top, top - 1.0] {
                    let all: Vec<usize> = (0..count).filter(|&i| keys[i] >= threshold).collect();
                    let largest = Largest { index: all[0], tied: all.len() > 1 };
                    assert_eq!(tree.first(threshold), largest);
                    tree.all(threshold, &mut found);
                    assert_eq!(found, all);
                }
            }
        }
    }
}
