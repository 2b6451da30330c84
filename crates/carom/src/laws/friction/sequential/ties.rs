//! The order of contacts that approach equally fast.

use crate::settings::word_setting;

word_setting! {
    /// How contacts that approach equally fast are ordered.
    pub enum Ties {
        /// The lowest index first.
        Index = "index",
        /// As if contact `k` approached faster by a tiny multiple of the fractional part of `k` golden ratios.
        Perturb = "perturb",
        /// Drawn anew at every tie; the same seed, the same draws.
        Random = "random",
    }
}

/// [`Ties`] and the seed of their draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) ties: Ties,
    pub(crate) seed: u64,
}

impl Order {
    pub(crate) fn draws(self) -> Option<Draws> {
        (self.ties == Ties::Random).then_some(Draws(self.seed))
    }
}

/// The golden ratio, less one.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// By how much contact `k` is perturbed, in units of the perturbation \[1\].
pub(crate) fn perturbation(k: usize) -> f64 {
    let turns = k as f64 * GOLDEN;
    turns - libm::floor(turns)
}

/// SplitMix64 of Steele, Lea and Flood.
#[derive(Clone, Debug)]
pub(crate) struct Draws(pub(crate) u64);

impl Draws {
    /// An integer below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        // The high half of the product: uniform up to 2⁻⁶⁴ n.
        ((u128::from(z) * n as u128) >> 64) as usize
    }
}
