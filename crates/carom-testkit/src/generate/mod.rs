//! Random contacts, each from its seed.

mod claims;
pub mod frictional;
mod packs;
mod sets;
pub mod settling;
pub mod several;
mod suitable;

pub use claims::{Class, Sample, claims_contact};
pub use packs::{Blow, cradle, hexagonal_pack, random_chain, slab};
pub use sets::{condition, generic_set, hard_set, perturbed_mirtich};
pub use suitable::suitable_set;

use crate::Rng;
use crate::transform::symmetric;
use carom::{Contact, ContactVec, Delassus, Material};

/// The Delassus matrix of the corrected-Mirtich example, normal first [1/kg].
pub const MIRTICH_DELASSUS: [[f64; 3]; 3] =
    [[4.0, 4.0, -7.0], [4.0, 20.0, -23.0], [-7.0, -23.0, 31.0]];

/// The velocity of the corrected-Mirtich example, normal first [m/s].
pub const MIRTICH_VELOCITY: [f64; 3] = [-0.22, 630.0, -780.0];

/// `Σ λ_i q_i q_iᵀ`, symmetric to the last bit; the `q_i` are the rows of `axes`.
fn spectral<const D: usize>(eigenvalues: [f64; D], axes: [[f64; D]; D]) -> [[f64; D]; D] {
    symmetric(|i, j| (0..D).map(|m| eigenvalues[m] * axes[m][i] * axes[m][j]).sum())
}

/// The rows of a random rotation of `D`-dimensional space.
fn rotation<const D: usize>(rng: &mut Rng) -> [[f64; D]; D] {
    let full = match D {
        1 => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        2 => {
            let angle = rng.uniform(0.0, std::f64::consts::TAU);
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]]
        }
        _ => rng.rotation(),
    };
    std::array::from_fn(|i| std::array::from_fn(|j| full[i][j]))
}

/// A contact from numbers that are valid by construction.
fn build<const D: usize>(w: [[f64; D]; D], u: [f64; D], material: Material) -> Contact<D> {
    let built = Delassus::new(w).and_then(|w| Contact::new(w, ContactVec::new(u), material));
    match built {
        Ok(contact) => contact,
        Err(error) => {
            panic!("the generator made an invalid contact: {error}; W = {w:?}, u = {u:?}")
        }
    }
}

/// A material from numbers that are valid by construction.
pub(crate) fn material(mu: f64, e: f64, e_t: f64) -> Material {
    match Material::new(mu, e).and_then(|m| m.with_e_t(e_t)) {
        Ok(material) => material,
        Err(error) => panic!("the generator made an invalid material: {error}"),
    }
}

/// The material with a ratio of impulses that friction allows.
fn with_ratio(rng: &mut Rng, material: Material) -> Material {
    let size = material.mu.min(10.0) * rng.unit();
    let angle = rng.uniform(0.0, std::f64::consts::TAU);
    Material { impulse_ratio: Some([size * libm::cos(angle), size * libm::sin(angle)]), ..material }
}
