//! Judges an impulse in twice the working precision, so that the judge's own rounding hides nothing.

mod frictional;
mod several;

pub use frictional::{FrictionalViolations, judge_frictional};
pub use several::{SeveralViolations, judge_several, speed_scale};

use crate::dd::Dd;
use carom::{Contact, ContactVec};

/// 2⁻¹⁰⁰: sixteen roundings of a number of 104 bits.
const DOUBLED_ROUNDING: f64 = 7.888609052210118e-31;

/// By how much an impulse breaks each condition, relative to the size of the terms; zero or less is kept.
#[derive(Clone, Copy, Debug)]
pub struct Violations {
    /// `½ p·(u⁻ + u⁺)`, relative to the energy available plus the sizes of its terms \[1\].
    pub energy: f64,
    /// `−u_n⁺`, relative to `|u_n⁻| + Σ |W_nj| max |p_i|` \[1\].
    pub separation: f64,
    /// `−p_n`, relative to `|p|` \[1\].
    pub normal: f64,
    /// `|p_t| − μ p_n`, relative to both; with μ = 0 any `p_t` at all is infinitely wrong \[1\].
    pub cone: f64,
    /// `|u_n⁺ + e u_n⁻|`, relative to the same as `separation` \[1\].
    pub restitution: f64,
    /// How far the velocity a law reports is from `u⁻ + W p`, relative to the terms of that sum \[1\].
    pub momentum: f64,
}

/// `u⁺ = u⁻ + W p`, and the sizes of the terms of each sum.
fn velocity_after<const D: usize>(contact: &Contact<D>, p: &ContactVec<D>) -> ([Dd; D], [f64; D]) {
    let (mut u, mut sizes) = ([Dd::ZERO; D], [0.0; D]);
    for i in 0..D {
        u[i] = Dd::from(contact.velocity()[i]);
        sizes[i] = contact.velocity()[i].abs();
        for j in 0..D {
            let w = contact.delassus().at(i, j);
            u[i] += Dd::from(w) * p[j];
            sizes[i] += (w * p[j]).abs();
        }
    }
    (u, sizes)
}

/// Judges `impulse`, of which a law says that it leads to `velocity`. `energy` is `½ u⁻ᵀ W⁺ u⁻` \[J\].
pub fn judge<const D: usize>(
    contact: &Contact<D>,
    energy: f64,
    impulse: &ContactVec<D>,
    velocity: &ContactVec<D>,
) -> Violations {
    let before = contact.velocity();
    let (after, sizes) = velocity_after(contact, impulse);
    let work: Dd = (0..D).map(|i| (after[i] + Dd::from(before[i])) * impulse[i]).sum();
    let terms: f64 = (0..D)
        .map(|i| (impulse[i] * before[i]).abs() + (impulse[i] * after[i].to_f64()).abs())
        .sum();
    // What even twice the precision cannot tell: a few of its last digits, of all that was added up.
    let noise: f64 = (0..D).map(|i| impulse[i].abs() * sizes[i] * DOUBLED_ROUNDING).sum();
    let mu = contact.material().mu;
    let (normal, tangential) = (impulse.normal(), impulse.tangent_norm());
    let cone = if D == 1 || mu.is_infinite() || tangential == 0.0 {
        0.0
    } else if mu == 0.0 {
        f64::INFINITY
    } else {
        (tangential - mu * normal) / (tangential + mu * normal.abs())
    };
    let row: f64 = (0..D).map(|j| contact.delassus().at(0, j).abs()).sum();
    let speed = before[0].abs() + row * impulse.max_abs();
    let rebound = after[0] + Dd::from(contact.e()) * before[0];
    Violations {
        energy: ratio(0.5 * work.to_f64() - noise, energy + 0.5 * terms),
        separation: ratio(-after[0].to_f64(), speed),
        normal: ratio(-normal, impulse.norm()),
        cone,
        restitution: ratio(rebound.abs().to_f64(), speed),
        momentum: (0..D)
            .map(|i| ratio((after[i] - Dd::from(velocity[i])).abs().to_f64(), sizes[i]))
            .fold(0.0, f64::max),
    }
}

/// `value / scale`, zero if the value is.
fn ratio(value: f64, scale: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value / scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::{Delassus, ImpactError, Material};

    #[test]
    fn each_condition_is_seen_when_broken() -> Result<(), ImpactError> {
        // A unit point mass falls straight down; E0 = ½, μ = ½, e = ½.
        let contact = Contact::new(
            Delassus::new([[1.0, 0.0], [0.0, 1.0]])?,
            ContactVec::new([-1.0, 0.0]),
            Material::new(0.5, 0.5)?,
        )?;
        let judge = |p: [f64; 2]| {
            let p = ContactVec::new(p);
            judge(&contact, 0.5, &p, &contact.velocity_after(&p))
        };
        let good = judge([1.5, 0.0]);
        assert!(good.energy < 0.0 && good.separation < 0.0 && good.normal < 0.0);
        assert_eq!((good.cone, good.restitution, good.momentum), (0.0, 0.0, 0.0));
        assert!(judge([2.5, 0.0]).energy > 0.1);
        assert!(judge([0.5, 0.0]).separation > 0.1);
        assert!(judge([-0.5, 0.0]).normal > 0.9);
        assert!(judge([1.5, 0.9]).cone > 0.05);
        assert!(judge([1.4, 0.0]).restitution > 0.01);
        Ok(())
    }
}
