//! The two sets on which exact integration is measured.

use super::{MIRTICH_DELASSUS, MIRTICH_VELOCITY, build, material, rotation, spectral, with_ratio};
use crate::Rng;
use carom::{Contact, Delassus};

/// Contacts of everyday proportions: eigenvalues of `W` log-uniform in 10^±0.6 with random axes, μ log-uniform in
/// 0.03–3, approach down to a thousandth of the sliding speed.
pub fn generic_set(seed: u64, size: usize) -> Vec<Contact<3>> {
    (0..size).map(|i| generic(&mut Rng::for_item(seed, i as u64))).collect()
}

/// Contacts on which integrators fail: half of them nearly stick at the start (sliding speed reduced by
/// 0.001–0.3), a quarter are perturbations of the corrected-Mirtich example with its two compressions, and a
/// quarter are generic.
pub fn hard_set(seed: u64, size: usize) -> Vec<Contact<3>> {
    (0..size)
        .map(|i| {
            let mut rng = Rng::for_item(seed, i as u64);
            match i % 4 {
                0 | 2 => slow_sliding(&mut rng),
                1 => perturbed_mirtich(&mut rng),
                _ => generic(&mut rng),
            }
        })
        .collect()
}

fn generic(rng: &mut Rng) -> Contact<3> {
    let eigenvalues = std::array::from_fn(|_| rng.log_uniform(0.251_188_643, 3.981_071_71));
    let w = spectral(eigenvalues, rotation(rng));
    let u = [-rng.log_uniform(1e-3, 1.0), rng.normal(), rng.normal()];
    let (mu, e) = (rng.log_uniform(0.03, 3.0), rng.unit());
    let material = material(mu, e, rng.uniform(-1.0, 1.0));
    build(w, u, with_ratio(rng, material))
}

fn slow_sliding(rng: &mut Rng) -> Contact<3> {
    let contact = generic(rng);
    let [un, ux, uy] = contact.velocity().components();
    let factor = rng.log_uniform(1e-3, 0.3);
    build(contact.delassus().rows(), [un, factor * ux, factor * uy], *contact.material())
}

/// A perturbation, by 1e-6 up to a twentieth, of the corrected-Mirtich example.
pub fn perturbed_mirtich(rng: &mut Rng) -> Contact<3> {
    let size = rng.log_uniform(1e-6, 0.05);
    // (I + E) W (I + E)ᵀ stays positive definite whatever E is.
    let factor: [[f64; 3]; 3] = std::array::from_fn(|i| {
        std::array::from_fn(|j| f64::from(u8::from(i == j)) + 0.1 * size * rng.normal())
    });
    let mut w = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..=i {
            w[i][j] = (0..9)
                .map(|m| factor[i][m / 3] * MIRTICH_DELASSUS[m / 3][m % 3] * factor[j][m % 3])
                .sum();
            w[j][i] = w[i][j];
        }
    }
    let u = MIRTICH_VELOCITY.map(|x| x * (1.0 + 0.1 * size * rng.normal()));
    let mu = 0.5 * libm::exp(size * rng.normal());
    let e = (0.9 + size * rng.normal()).clamp(0.0, 1.0);
    let material = material(mu, e, rng.uniform(-1.0, 1.0));
    build(w, u, with_ratio(rng, material))
}

/// The ratio of the extreme eigenvalues of `W`; infinite if the smallest is not positive \[1\].
pub fn condition<const D: usize>(w: &Delassus<D>) -> f64 {
    let [smallest, largest] = w.extreme_eigenvalues();
    if smallest > 0.0 { largest / smallest } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_reproducible_and_differ_by_seed() {
        assert_eq!(hard_set(7, 20), hard_set(7, 20));
        assert_ne!(hard_set(7, 20), hard_set(8, 20));
        assert_eq!(generic_set(7, 20)[..10], generic_set(7, 10)[..]);
    }

    #[test]
    fn the_generic_set_is_well_conditioned() {
        for contact in generic_set(3, 200) {
            // 10^1.2 at most, plus the rounding of the products.
            assert!(condition(contact.delassus()) < 15.9);
            assert!(contact.velocity().normal() < 0.0);
        }
    }
}
