//! Who is fastest: keys in the leaves of a binary tree, the larger of two in every node above.
//!
//! A heap would give the largest key as quickly. The leaves of a tournament stay in order besides, so that the first
//! of all that tie within a tolerance is found in as many steps as the largest.

/// Keys of a fixed number of parties, and the largest of them.
#[derive(Clone, Debug)]
pub(super) struct Tournament {
    /// Node 1 is the root, the children of node `k` are `2k` and `2k + 1`; node 0 is not used.
    nodes: Vec<f64>,
    /// The node of the first leaf.
    leaves: usize,
}

/// The winner of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Winner {
    pub(super) party: usize,
    /// Whether others reach the threshold as well.
    pub(super) tied: bool,
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Tournament {
    /// A tournament of `count` parties, none of which has a key yet.
    pub(super) fn new(count: usize) -> Self {
        let leaves = count.next_power_of_two();
        Self { nodes: vec![f64::NEG_INFINITY; 2 * leaves], leaves }
    }

    /// All keys anew.
    pub(super) fn fill(&mut self, keys: impl Iterator<Item = f64>) {
        self.nodes[self.leaves..].iter_mut().zip(keys).for_each(|(leaf, key)| *leaf = key);
        for k in (1..self.leaves).rev() {
            self.nodes[k] = larger(self.nodes[2 * k], self.nodes[2 * k + 1]);
        }
    }

    /// The largest key.
    pub(super) fn top(&self) -> f64 {
        self.nodes[1]
    }

    /// One key anew.
    pub(super) fn set(&mut self, party: usize, key: f64) {
        let mut k = self.leaves + party;
        self.nodes[k] = key;
        while k > 1 {
            k /= 2;
            let best = larger(self.nodes[2 * k], self.nodes[2 * k + 1]);
            if best == self.nodes[k] {
                return;
            }
            self.nodes[k] = best;
        }
    }

    /// The first party whose key reaches the threshold, which the largest key must reach.
    pub(super) fn first(&self, threshold: f64) -> Winner {
        let mut k = 1;
        let mut tied = false;
        while k < self.leaves {
            k *= 2;
            if self.nodes[k] >= threshold {
                tied |= self.nodes[k + 1] >= threshold;
            } else {
                k += 1;
            }
        }
        Winner { party: k - self.leaves, tied }
    }

    /// All parties whose keys reach the threshold, in order, in place of what `found` held.
    pub(super) fn all(&self, threshold: f64, found: &mut Vec<usize>) {
        found.clear();
        let mut k = 1;
        loop {
            if self.nodes[k] >= threshold {
                if k < self.leaves {
                    k *= 2;
                    continue;
                }
                found.push(k - self.leaves);
            }
            // The next node to the right that does not lie below this one.
            while k % 2 == 1 {
                if k == 1 {
                    return;
                }
                k /= 2;
            }
            k += 1;
        }
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
        for count in 1..40 {
            let mut keys: Vec<f64> = (0..count).map(|_| next(5) as f64).collect();
            let mut tournament = Tournament::new(count);
            tournament.fill(keys.iter().copied());
            let mut found = Vec::new();
            for _ in 0..100 {
                let party = next(count as u64) as usize;
                keys[party] = next(5) as f64;
                tournament.set(party, keys[party]);
                let top = keys.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(tournament.top(), top);
                for threshold in [top, top - 1.0] {
                    let all: Vec<usize> = (0..count).filter(|&i| keys[i] >= threshold).collect();
                    let winner = Winner { party: all[0], tied: all.len() > 1 };
                    assert_eq!(tournament.first(threshold), winner);
                    tournament.all(threshold, &mut found);
                    assert_eq!(found, all);
                }
            }
        }
    }
}
