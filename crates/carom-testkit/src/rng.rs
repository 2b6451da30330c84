//! A small generator of random numbers with the same bits on every platform.

use std::f64::consts::TAU;

/// xoshiro256++ of Blackman and Vigna, its state filled by SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// A generator from a seed.
    pub fn new(seed: u64) -> Self {
        let mut x = seed;
        let mut next = || {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = x;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        Self { state: [next(), next(), next(), next()] }
    }

    /// The generator of one item of a set, so that any item can be made without those before it.
    pub fn for_item(seed: u64, index: u64) -> Self {
        Self::new(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95).rotate_left(17))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (0.5 * f64::EPSILON)
    }

    /// A number in `[low, high)`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A number between `low` and `high` whose logarithm is uniform.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.uniform(libm::log(low), libm::log(high)))
    }

    /// A number of the standard normal distribution.
    pub fn normal(&mut self) -> f64 {
        let radius = f64::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(TAU * self.unit())
    }

    /// An integer from 0 to `n − 1`.
    pub fn index(&mut self, n: u64) -> u64 {
        // The high half of the product: uniform up to 2⁻⁶⁴ n.
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A rotation of space, uniform over all of them; its rows are orthonormal.
    pub fn rotation(&mut self) -> [[f64; 3]; 3] {
        let q: [f64; 4] = std::array::from_fn(|_| self.normal());
        let length = f64::sqrt(q.iter().map(|x| x * x).sum());
        let [w, x, y, z] = q.map(|c| c / length);
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mut rng = Rng::new(1);
        let n = 100_000;
        let mean = |xs: &[f64]| xs.iter().sum::<f64>() / xs.len() as f64;
        let uniform: Vec<f64> = (0..n).map(|_| rng.unit()).collect();
        let normal: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
        let squares: Vec<f64> = normal.iter().map(|x| x * x).collect();
        // Five standard deviations of the mean.
        let bound = |variance: f64| 5.0 * (variance / n as f64).sqrt();
        assert!((mean(&uniform) - 0.5).abs() < bound(1.0 / 12.0));
        assert!(mean(&normal).abs() < bound(1.0));
        assert!((mean(&squares) - 1.0).abs() < bound(2.0));
    }

    #[test]
    fn rotations_are_orthonormal_and_right_handed() {
        let mut rng = Rng::new(2);
        for _ in 0..100 {
            let r = nalgebra::Matrix3::from(rng.rotation()).transpose();
            assert!((r * r.transpose() - nalgebra::Matrix3::identity()).norm() < 1e-14);
            assert!(r.determinant() > 0.0);
        }
    }
}
