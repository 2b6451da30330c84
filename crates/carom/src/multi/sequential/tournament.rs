//! Who is fastest: keys in the leaves of a flat tree, the largest of each block in the level above.
//!
//! A heap would give the largest key as quickly. The leaves of a tournament stay in order besides, so that the first
//! of all that tie within a tolerance is found in as many steps as the largest.

/// Keys of one block. Sixteen are compared with few instructions and no jumps.
const WIDTH: usize = 16;
type Block = [f64; WIDTH];
const EMPTY: Block = [f64::NEG_INFINITY; WIDTH];

/// Keys of a fixed number of parties, and the largest of them.
#[derive(Clone, Debug)]
pub(super) struct Tournament {
    /// The keys themselves first, block by block; then the largest of each of these; one block at last.
    levels: Vec<Vec<Block>>,
}

/// The winner of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Winner {
    pub(super) party: usize,
    /// Whether others reach the threshold as well.
    pub(super) tied: bool,
}

/// The largest of a block, by halves.
fn largest(block: &Block) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let mut best = *block;
    let mut half = WIDTH / 2;
    while half > 0 {
        for k in 0..half {
            best[k] = larger(best[k], best[k + half]);
        }
        half /= 2;
    }
    best[0]
}

/// One bit for each key that reaches the threshold.
fn reaching(block: &Block, threshold: f64) -> u32 {
    (0..WIDTH).fold(0, |bits, k| bits | (u32::from(block[k] >= threshold) << k))
}

impl Tournament {
    /// A tournament of `count` parties, none of which has a key yet.
    pub(super) fn new(count: usize) -> Self {
        let mut levels = Vec::new();
        let mut blocks = count;
        loop {
            blocks = blocks.div_ceil(WIDTH).max(1);
            levels.push(vec![EMPTY; blocks]);
            if blocks == 1 {
                return Self { levels };
            }
        }
    }

    /// All keys anew.
    pub(super) fn fill(&mut self, keys: impl Iterator<Item = f64>) {
        self.levels[0].as_flattened_mut().iter_mut().zip(keys).for_each(|(x, key)| *x = key);
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            let best = below[level - 1].iter().map(largest);
            above[0].as_flattened_mut().iter_mut().zip(best).for_each(|(x, best)| *x = best);
        }
    }

    /// The largest key.
    pub(super) fn top(&self) -> f64 {
        self.levels.last().map_or(f64::NEG_INFINITY, |top| largest(&top[0]))
    }

    /// One key anew; the levels above learn of it when it is [settled](Self::settle).
    pub(super) fn set(&mut self, party: usize, key: f64) {
        self.levels[0][party / WIDTH][party % WIDTH] = key;
    }

    /// Tells the levels above of the keys of these parties. Neighbours go up as one.
    pub(super) fn settle(&mut self, parties: &[u32]) {
        let mut done = usize::MAX;
        for &party in parties {
            let mut block = party as usize / WIDTH;
            if block == done {
                continue;
            }
            done = block;
            for level in 1..self.levels.len() {
                let best = largest(&self.levels[level - 1][block]);
                let place = &mut self.levels[level][block / WIDTH][block % WIDTH];
                if *place == best {
                    break;
                }
                *place = best;
                block /= WIDTH;
            }
        }
    }

    /// The first party whose key reaches the threshold, which the largest key must reach.
    pub(super) fn first(&self, threshold: f64) -> Winner {
        let mut winner = Winner { party: 0, tied: false };
        for level in self.levels.iter().rev() {
            let bits = reaching(&level[winner.party], threshold);
            winner.tied |= bits & bits.wrapping_sub(1) != 0;
            winner.party = winner.party * WIDTH + bits.trailing_zeros() as usize % WIDTH;
        }
        winner
    }

    /// All parties whose keys reach the threshold, in order, in place of what `found` held.
    pub(super) fn all(&self, threshold: f64, found: &mut Vec<usize>) {
        found.clear();
        self.gather(self.levels.len() - 1, 0, threshold, found);
    }

    fn gather(&self, level: usize, block: usize, threshold: f64, found: &mut Vec<usize>) {
        let mut bits = reaching(&self.levels[level][block], threshold);
        while bits != 0 {
            let place = block * WIDTH + bits.trailing_zeros() as usize;
            match level {
                0 => found.push(place),
                _ => self.gather(level - 1, place, threshold, found),
            }
            bits &= bits - 1;
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
        for count in [1, 2, 15, 16, 17, 40, 255, 256, 257, 300, 5000] {
            let mut keys: Vec<f64> = (0..count).map(|_| next(5) as f64).collect();
            let mut tournament = Tournament::new(count);
            tournament.fill(keys.iter().copied());
            let mut found = Vec::new();
            for _ in 0..100 {
                let changed: Vec<u32> = (0..3).map(|_| next(count as u64) as u32).collect();
                for &party in &changed {
                    keys[party as usize] = next(5) as f64;
                    tournament.set(party as usize, keys[party as usize]);
                }
                tournament.settle(&changed);
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
