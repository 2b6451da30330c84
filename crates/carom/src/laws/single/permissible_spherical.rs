//! # Spherical parameterisation of the permissible region (1998)
//!
//! Any permissible impulse, named by its direction from an interior point and its distance to the boundary.
//!
//! ## Model
//! 1. `P_0 = 3/2 P_I`, with `P_I = −(u_n⁻/W_nn) n`
//! 2. `d = (cos ψ1, sin ψ1 cos ψ2, sin ψ1 sin ψ2)`, normal first; in the plane `d = (cos ψ1, sin ψ1)`
//! 3. `p = P_0 + ρ·x(d)·d`, where `x(d)` is the distance from `P_0` to the boundary along `d` and `0 ≤ ρ ≤ 1`
//!
//! ## Reads e as
//! Ignored, and `e_t` likewise: the three settings are the law's parameters. `mu` bounds the ratio of the whole
//! impulses.
//!
//! ## Notation
//! ψ1, ψ2, ρ and `P_0` as in the paper.
//!
//! ## Deviations from the paper
//! - `P_0` is the frictionless rebound with `e = ½`, not the centroid: it has a closed form and lies strictly inside
//!   whenever the bodies approach and `μ > 0`.
//! - Boundary points (`ρ = 1`) move inwards by units in the last place until no inequality fails.
//! - The plane needs `ψ1` over a whole turn; all angles take one either way.
//!
//! ## Limits
//! - `u_n⁻ = 0`: `P_0` is the origin, on the boundary; most directions then give `p = 0`.
//! - `μ = 0`: only `d = ±n` leaves `P_0`. One row: the sign of `cos ψ1` is the direction.
//! - `W` singular: a direction in which the region has no end has no `ρ > 0`, and the law says so.
//! - Directions are those of the contact's tangents, so turning these turns the answer's meaning
//!   (`angles_are_measured_from_the_given_tangents`).
//!
//! ## Energy
//! Never grows, by construction: the result is tested, to the last bit, against the inequality.
//!
//! ## References
//! `ChatterjeeRuina1998` section 4.1, item 1.

use super::common::{outcome_of, without_impact};
use crate::contact::{Contact, ContactVec, Material};
use crate::laws::info::{Claims, LawInfo, ReadsE, with_settings};
use crate::laws::single::ContactLaw;
use crate::outcome::{ContactEffort, FinalMode, Observer, Outcome};
use crate::region::{PermissibleRegion, SphericalParameters};
use crate::settings::law_settings;
use crate::{ImpactError, Tolerances};

/// A little more than a turn either way, so that a rounded 2π is taken \[rad\].
const ANGLES: [f64; 2] = [-7.0, 7.0];

law_settings! {
    /// A point of the permissible region by angles and distance.
    pub struct PermissibleSpherical {
        /// Angle from the normal, seen from `P_0` \[rad\].
        psi1: f64 = 0.0, "angle from the normal, seen from P_0, rad", in ANGLES;
        /// Angle about the normal; not read in the plane \[rad\].
        psi2: f64 = 0.0, "angle about the normal, rad; not read in the plane", in ANGLES;
        /// Fraction of the way from `P_0` to the boundary \[1\].
        rho: f64 = 0.0, "fraction of the way from P_0 to the boundary", in [0.0, 1.0];
    }
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "permissible-spherical",
    name: "Permissible region, spherical",
    year: 1998,
    summary: "any permissible impulse, by its direction and distance from an interior point",
    references: &["ChatterjeeRuina1998"],
    reads_e: ReadsE::Ignored,
    max_e: Material::MAX_RESTITUTION,
    settings: PermissibleSpherical::declared,
    claims: Claims { restitution: false, frame: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};

with_settings!(PermissibleSpherical);

impl PermissibleSpherical {
    fn parameters(&self) -> SphericalParameters {
        SphericalParameters { psi1: self.psi1, psi2: self.psi2, rho: self.rho }
    }
}

impl<const D: usize> ContactLaw<D> for PermissibleSpherical {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        _: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        resolve_in_region(&INFO, contact, tolerances, |region| {
            region
                .impulse_at(&self.parameters())
                .ok_or_else(|| ImpactError::NoSolution {
                    law: INFO.id,
                    reason: "the permissible region has no end in this direction, in which the mechanism cannot yield"
                        .into(),
                })
        })
    }
}

/// What both laws of the region do alike: separating contacts are left alone, and a contact that approaches but
/// cannot yield has no permissible impulse.
pub(crate) fn resolve_in_region<const D: usize>(
    row: &'static LawInfo,
    contact: &Contact<D>,
    tolerances: &Tolerances,
    choose: impl FnOnce(&PermissibleRegion<D>) -> Result<ContactVec<D>, ImpactError>,
) -> Result<Outcome<D>, ImpactError> {
    if let Some(untouched) = without_impact(row, contact)? {
        return Ok(untouched);
    }
    let region = PermissibleRegion::new(contact, tolerances)?;
    let impulse = choose(&region)?;
    let mut outcome = outcome_of(row, contact, impulse)?;
    outcome.effort = ContactEffort {
        steps: 0,
        compressions: 1,
        final_mode: if impulse.tangent_norm() == 0.0 {
            FinalMode::Frictionless
        } else {
            FinalMode::Slip
        },
        solutions: 1,
    };
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SettingValue;
    use crate::{Delassus, Unobserved};

    fn disk(velocity: [f64; 2]) -> Contact<2> {
        let w = Delassus::new([[1.0, 0.0], [0.0, 3.0]]).unwrap();
        let material = Material::new(0.5, 0.3).unwrap();
        Contact::new(w, ContactVec::new(velocity), material).unwrap()
    }

    fn impulse(contact: &Contact<2>, psi1: f64, rho: f64) -> ContactVec<2> {
        PermissibleSpherical { psi1, psi2: 0.0, rho }
            .resolve(contact, &Tolerances::default(), &mut Unobserved)
            .unwrap()
            .impulse
    }

    /// W = diag(1, 3), u = (−1, 0), μ = ½: P_0 = (3/2, 0).
    /// Along +n only energy ends the ray: ½p² − p = 0 at p = 2. Along −n separation: p = 1.
    /// Along +t the cone: p_t = ½·3/2 = 3/4; energy there: −3/2 + ½(9/4 + 3·9/16) = 0.46875 > 0, so energy comes
    /// first: ½·3·t² = 3/2 − 9/8 = 3/8, t = ½.
    #[test]
    fn the_four_ends_of_a_disk() {
        let contact = disk([-1.0, 0.0]);
        let quarter = core::f64::consts::FRAC_PI_2;
        let near = |p: ContactVec<2>, expected: [f64; 2]| {
            assert!((p - ContactVec::new(expected)).max_abs() < 1e-15, "{p:?}");
        };
        near(impulse(&contact, 0.0, 0.0), [1.5, 0.0]);
        near(impulse(&contact, 0.0, 1.0), [2.0, 0.0]);
        near(impulse(&contact, 2.0 * quarter, 1.0), [1.0, 0.0]);
        near(impulse(&contact, quarter, 1.0), [1.5, 0.5]);
        near(impulse(&contact, -quarter, 0.5), [1.5, -0.25]);
    }

    /// A disk that slides along +t: the region is not symmetric, so mirroring the tangent does not mirror p.
    #[test]
    fn angles_are_measured_from_the_given_tangents() {
        let (one, other) = (disk([-1.0, 2.0]), disk([-1.0, -2.0]));
        let (p, q) = (impulse(&one, 0.7, 1.0), impulse(&other, 0.7, 1.0));
        assert!((p[1] + q[1]).abs() > 0.1);
    }

    #[test]
    fn grazing_and_separating_contacts() {
        assert_eq!(impulse(&disk([0.0, 1.0]), 0.3, 0.0), ContactVec::ZERO);
        assert_eq!(impulse(&disk([0.0, 1.0]), 0.3, 1.0), ContactVec::ZERO);
        assert_eq!(impulse(&disk([1.0, 1.0]), 0.3, 1.0), ContactVec::ZERO);
    }

    #[test]
    fn settings_are_checked() {
        let with = |name: &str, value: f64| {
            let settings = [(name.to_string(), SettingValue::Number(value))].into();
            PermissibleSpherical::read(INFO.id, &settings)
        };
        assert_eq!(with("rho", 1.5).unwrap_err().kind(), "bad_setting");
        assert_eq!(with("psi1", f64::NAN).unwrap_err().kind(), "bad_setting");
        assert_eq!(with("psi3", 0.0).unwrap_err().kind(), "bad_setting");
        let law = with("psi2", 1.0).unwrap();
        assert_eq!(law.written()["psi2"], SettingValue::Number(1.0));
        assert_eq!(law.written()["rho"], SettingValue::Number(0.0));
    }
}
