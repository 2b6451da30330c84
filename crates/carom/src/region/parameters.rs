//! Full parameterisations of the region, there and back.

use super::PermissibleRegion;
use super::exit::{leave, unit};
use crate::contact::ContactVec;

/// An impulse seen from `P_0`: a direction and a fraction of the way to the boundary.
///
/// The direction is `(cos ψ1, sin ψ1 cos ψ2, sin ψ1 sin ψ2)`, normal first; in the plane `(cos ψ1, sin ψ1)`; with
/// one row `+1` where `cos ψ1 ≥ 0` and `−1` elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SphericalParameters {
    /// The angle from the normal \[rad\].
    pub psi1: f64,
    /// The angle about the normal; not read in the plane \[rad\].
    pub psi2: f64,
    /// The fraction of the way to the boundary, 0 to 1 \[1\].
    pub rho: f64,
}

impl SphericalParameters {
    fn direction<const D: usize>(&self) -> ContactVec<D> {
        let (sin1, cos1) = (libm::sin(self.psi1), libm::cos(self.psi1));
        match D {
            1 => ContactVec::from_parts(if cos1 >= 0.0 { 1.0 } else { -1.0 }, [0.0; 2]),
            2 => ContactVec::from_parts(cos1, [sin1, 0.0]),
            _ => {
                let (sin2, cos2) = (libm::sin(self.psi2), libm::cos(self.psi2));
                ContactVec::from_parts(cos1, [sin1 * cos2, sin1 * sin2])
            }
        }
    }
}

/// An impulse, moved into the region if it lay outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection<const D: usize> {
    /// The permissible impulse [N·s].
    pub impulse: ContactVec<D>,
    /// Whether it is another than the one given.
    pub moved: bool,
}

/// An impulse in the parameters of Brach's law, which maps them back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrachParameters {
    /// `−u_n⁺/u_n⁻` \[1\].
    pub e: f64,
    /// `p_t/p_n`; those that the contact does not have are zero \[1\].
    pub ratios: [f64; 2],
}

impl<const D: usize> PermissibleRegion<D> {
    /// The impulse with these parameters: `P_0 + ρ·exit(d)·d`, permissible for every angle and `0 ≤ ρ ≤ 1`.
    /// Absent where `P_0` is, where the region has no end in that direction, and for parameters out of range.
    pub fn impulse_at(&self, parameters: &SphericalParameters) -> Option<ContactVec<D>> {
        let angles = parameters.psi1.is_finite() && parameters.psi2.is_finite();
        if !(self.is_constructible() && angles && (0.0..=1.0).contains(&parameters.rho)) {
            return None;
        }
        let s = &self.scaled;
        let centre = s.centre();
        if parameters.rho == 0.0 {
            return Some(s.grow(centre)).filter(ContactVec::is_finite);
        }
        let d = parameters.direction();
        let (distance, _) = leave(s, &centre, &d)?;
        let p = s.settle(&centre, centre + d * (parameters.rho * distance));
        Some(s.grow(p)).filter(ContactVec::is_finite)
    }

    /// The parameters of an impulse [N·s], with `0 ≤ ψ1 ≤ π` (in the plane `−π < ψ1 ≤ π`) and `−π < ψ2 ≤ π`. Outside
    /// the region `ρ` exceeds 1. At `P_0` itself the angles are zero. Absent where the impulse or `P_0` is not
    /// there, and where the ray from `P_0` has no end or no length.
    pub fn spherical_parameters_of(&self, impulse: &ContactVec<D>) -> Option<SphericalParameters> {
        if !self.is_constructible() || !impulse.is_finite() {
            return None;
        }
        let s = &self.scaled;
        let centre = s.centre();
        let offset = s.shrink(impulse) - centre;
        let Some(d) = unit(&offset) else {
            return Some(SphericalParameters::default());
        };
        let (distance, _) = leave(s, &centre, &d)?;
        let [x, y] = d.tangent();
        let (psi1, psi2) = match D {
            1 | 2 => (libm::atan2(x, d.normal()), 0.0),
            _ => (libm::atan2(d.tangent_norm(), d.normal()), libm::atan2(y, x)),
        };
        (distance > 0.0).then(|| SphericalParameters { psi1, psi2, rho: offset.norm() / distance })
    }

    /// The impulse itself if it is permissible to the last bit, else the point where the ray from `P_0` towards it
    /// leaves the region. Absent where `P_0` is, and for an impulse that is not finite.
    pub fn project(&self, impulse: &ContactVec<D>) -> Option<Projection<D>> {
        if !self.is_constructible() || !impulse.is_finite() {
            return None;
        }
        let s = &self.scaled;
        let p = s.shrink(impulse);
        if s.holds(&p) {
            return Some(Projection { impulse: *impulse, moved: false });
        }
        let centre = s.centre();
        let offset = p - centre;
        let target = match unit(&offset).and_then(|d| Some((d, leave(s, &centre, &d)?.0))) {
            Some((d, distance)) if distance < offset.norm() => centre + d * distance,
            _ => p,
        };
        let impulse = s.grow(s.settle(&centre, target));
        impulse.is_finite().then_some(Projection { impulse, moved: true })
    }

    /// The parameters with which Brach's law gives this impulse. Absent unless the bodies approach and `p_n > 0`.
    pub fn brach_parameters_of(&self, impulse: &ContactVec<D>) -> Option<BrachParameters> {
        let e = self.restitution_seen(impulse)?;
        let ratios = impulse.tangent().map(|x| x / impulse.normal());
        let finite = e.is_finite() && ratios.iter().all(|r| r.is_finite());
        (impulse.normal() > 0.0 && finite).then_some(BrachParameters { e, ratios })
    }
}
