//! Exact quantiles of numbers that go by, again and again, and are not kept.
//!
//! Doubles are ordered like 64-bit integers once their sign is minded. The first pass counts how many numbers begin with
//! each possible eleven bits, which tells with which the wanted one begins; the next pass counts the following eleven
//! bits of those numbers alone, and so on.

use std::collections::BTreeMap;

/// Which quantiles \[1\].
pub const LEVELS: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/// Bits that one pass finds out.
const BITS: u32 = 11;
/// How many passes it takes \[1\].
pub(super) const PASSES: u32 = u64::BITS.div_ceil(BITS);

/// How numbers are spread.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// How many there are \[1\].
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// The smallest.
    pub smallest: f64,
    /// The largest.
    pub largest: f64,
    /// One per level of [`LEVELS`]: the smallest number that at least this part of all numbers does not exceed.
    pub quantiles: [f64; LEVELS.len()],
}

/// Numbers on their way by.
pub(super) struct Selector {
    count: u64,
    sum: f64,
    smallest: f64,
    largest: f64,
    targets: [Target; LEVELS.len()],
    /// How many numbers that begin with this continue with these bits.
    counts: BTreeMap<u64, Vec<u64>>,
}

/// A number that is looked for.
#[derive(Clone, Copy, Default)]
struct Target {
    /// How many numbers that begin alike are before it \[1\].
    rank: u64,
    /// The bits that are known.
    known: u64,
}

impl Default for Selector {
    fn default() -> Self {
        Self {
            count: 0,
            sum: 0.0,
            smallest: f64::INFINITY,
            largest: f64::NEG_INFINITY,
            targets: Default::default(),
            counts: BTreeMap::from([(0, vec![0; 1 << BITS])]),
        }
    }
}

impl Selector {
    /// A number, in this pass.
    pub(super) fn take(&mut self, pass: u32, x: f64) {
        if pass == 0 {
            self.count += 1;
            self.sum += x;
            self.smallest = self.smallest.min(x);
            self.largest = self.largest.max(x);
        }
        let key = key(x);
        let beginning = key.checked_shr(u64::BITS - BITS * pass).unwrap_or(0);
        if let Some(counts) = self.counts.get_mut(&beginning) {
            counts[((key << (BITS * pass)) >> (u64::BITS - BITS)) as usize] += 1;
        }
    }

    /// The end of a pass.
    pub(super) fn next(&mut self, pass: u32) {
        if self.count == 0 {
            return;
        }
        let mut wanted = BTreeMap::new();
        for (target, level) in self.targets.iter_mut().zip(LEVELS) {
            if pass == 0 {
                let rank = (level * self.count as f64).ceil() as u64;
                target.rank = rank.clamp(1, self.count) - 1;
            }
            let counts = self.counts.get(&target.known).map_or(&[][..], Vec::as_slice);
            let mut bits = 0;
            for (k, count) in counts.iter().enumerate() {
                bits = k as u64;
                if target.rank < *count {
                    break;
                }
                target.rank -= count;
            }
            // The last pass has fewer bits left, and zeros behind them.
            let fresh = BITS.min(u64::BITS - BITS * pass);
            target.known = (target.known << fresh) | (bits >> (BITS - fresh));
            wanted.insert(target.known, vec![0; 1 << BITS]);
        }
        self.counts = wanted;
    }

    /// What was found.
    pub(super) fn distribution(self) -> Option<Distribution> {
        (self.count > 0).then(|| Distribution {
            count: self.count,
            mean: self.sum / self.count as f64,
            smallest: self.smallest,
            largest: self.largest,
            quantiles: self.targets.map(|target| number(target.known)),
        })
    }
}

/// Integers in the order of the numbers.
fn key(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

fn number(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(numbers: &[f64]) -> Option<Distribution> {
        let mut selector = Selector::default();
        for pass in 0..PASSES {
            numbers.iter().for_each(|x| selector.take(pass, *x));
            selector.next(pass);
        }
        selector.distribution()
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_numbers() {
        for count in [1, 2, 7, 100, 5000] {
            let numbers: Vec<f64> = (0..count)
                .map(|i| f64::from(i) * 0.7)
                .map(|x| libm::sin(x * x) * libm::exp(libm::cos(x) * 30.0))
                .collect();
            let mut sorted = numbers.clone();
            sorted.sort_by(f64::total_cmp);
            let found = distribution(&numbers).unwrap();
            for (level, quantile) in LEVELS.into_iter().zip(found.quantiles) {
                let rank = (level * f64::from(count)).ceil() as usize;
                assert_eq!(quantile, sorted[rank.max(1) - 1], "{level} of {count}");
            }
            assert_eq!((found.smallest, found.largest), (sorted[0], sorted[sorted.len() - 1]));
        }
        assert_eq!(distribution(&[]), None);
    }

    #[test]
    fn numbers_survive_their_order() {
        for x in [0.0, -0.0, 1.5, -1.5, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(number(key(x)).to_bits(), x.to_bits());
        }
        assert!(key(-2.0) < key(-1.0) && key(-1.0) < key(0.0) && key(0.0) < key(1e-300));
    }
}
