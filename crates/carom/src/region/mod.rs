//! The permissible region: every impulse that mechanics, energy and Coulomb allow, whatever the law.
//!
//! For one contact it is the set of impulses `p` with
//!
//! 1. `½ p·(u⁻ + u⁺) ≤ 0`: on or inside an ellipsoid through the origin, centred at `P_II`,
//! 2. `u_n⁺ ≥ 0`: on or beyond the plane of maximum compression, which halves that ellipsoid,
//! 3. `p_n ≥ 0`, and
//! 4. `|p_t| ≤ μ p_n`: in Coulomb's cone; for `μ = ∞` this is 3.
//!
//! It is closed and convex, and bounded unless `W` is singular. All of it is computed from `W`, never from its
//! inverse, so that mechanisms that lock in some direction are no exception.
//!
//! # Degenerate regions
//! * `u_n⁻ = 0` (grazing): `P_0` is the origin and lies on the boundary; the region has an interior only if the
//!   contact slides and `μ > 0`.
//! * `μ = 0`, or one row: the region is the segment from `P_I` to `2P_I` on the normal; `P_0` is its middle.
//! * `u_n⁻ > 0`: the bodies separate. Membership and margins still answer, constructions do not.
//! * `W_nn = 0`: no impulse changes the normal velocity. Approaching bodies have no permissible impulse at all.
//!
//! # References
//! `ChatterjeeRuina1998` section 3; the interior point and the exit distances are derived here.

mod boundary;
mod exit;
mod extreme;
mod figure;
mod inequality;
mod margins;
mod parameters;
mod sample;
mod scaled;
pub mod several;
mod slice;
mod volume;

pub use boundary::{BoundaryMesh, BoundaryPoint};
pub use exit::Exit;
pub use extreme::LargestRestitution;
pub use figure::{FigureLine, FigurePoint, Locus};
pub use inequality::Inequality;
pub use margins::{Explanation, Finding, Margin, Margins, Standing};
pub use parameters::{BrachParameters, Projection, SphericalParameters};
pub use sample::Sampler;
pub use volume::Volume;

use crate::contact::{Contact, ContactVec};
use crate::{ImpactError, Tolerances};
use scaled::Scaled;

/// The permissible region of one contact. Plain data; building one costs no allocation.
///
/// ```
/// use carom::certify::PermissibleRegion;
/// use carom::{Contact, ContactVec, Delassus, Material, Tolerances};
///
/// // A disk with much sliding and little approach: energy allows it to leave 17 times faster than it came.
/// let contact = Contact::new(
///     Delassus::new([[1.0, 0.0], [0.0, 3.0]])?,
///     ContactVec::new([-1.0, -29.5]),
///     Material::new(0.5, 0.7)?,
/// )?;
/// let region = PermissibleRegion::new(&contact, &Tolerances::default())?;
/// let best = region.largest_restitution().expect("the bodies approach");
/// assert!((best.e - 17.0).abs() < 1e-12);
/// assert!(region.contains(&best.impulse));
/// println!("{}", region.explain(&ContactVec::new([1.0, -2.0])));
/// # Ok::<(), carom::ImpactError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PermissibleRegion<const D: usize> {
    contact: Contact<D>,
    tolerances: Tolerances,
    scaled: Scaled<D>,
}

impl<const D: usize> PermissibleRegion<D> {
    /// The region of a contact. Refused only if its impulses are too large or too small for a number.
    pub fn new(contact: &Contact<D>, tolerances: &Tolerances) -> Result<Self, ImpactError> {
        Ok(Self {
            contact: *contact,
            tolerances: *tolerances,
            scaled: Scaled::new(contact, tolerances)?,
        })
    }

    /// The contact.
    pub const fn contact(&self) -> &Contact<D> {
        &self.contact
    }

    /// `P_I = −(u_n⁻/W_nn) n`, plastic and frictionless; absent where `W_nn = 0` [N·s].
    pub fn frictionless_impulse(&self) -> Option<ContactVec<D>> {
        let s = &self.scaled;
        (s.k() > 0.0)
            .then(|| s.grow(ContactVec::from_parts(s.approach() / s.k(), [0.0; 2])))
            .filter(ContactVec::is_finite)
    }

    /// `P_II = −W⁻¹u⁻`, plastic and sticking. Where `W` is singular, the shortest impulse that stops the contact;
    /// absent if none does, because `u⁻` moves where the mechanism cannot yield [N·s].
    pub fn sticking_impulse(&self) -> Option<ContactVec<D>> {
        self.scaled.sticking().map(|p| self.scaled.grow(p)).filter(ContactVec::is_finite)
    }

    /// `P_0 = 3/2 P_I`, the frictionless rebound with `e = ½`: strictly inside whenever the bodies approach and
    /// `μ > 0`. Absent if they separate or cannot yield along the normal [N·s].
    pub fn interior_point(&self) -> Option<ContactVec<D>> {
        self.is_constructible()
            .then(|| self.scaled.grow(self.scaled.centre()))
            .filter(ContactVec::is_finite)
    }

    /// Whether `W` yields along the normal and the bodies do not separate, so that constructions exist.
    fn is_constructible(&self) -> bool {
        self.scaled.k() > 0.0 && self.scaled.approach() >= 0.0
    }

    /// Whether the region has an interior: more than a point or a segment.
    pub fn has_interior(&self) -> bool {
        let s = &self.scaled;
        let approaches = s.k() > 0.0 && s.approach() > 0.0;
        let slides = s.k() > 0.0 && s.approach() == 0.0 && s.u.tangent_norm() > 0.0;
        match D {
            1 => approaches,
            _ => s.beta > 0.0 && (approaches || slides),
        }
    }

    /// A direction in which the region never ends; only a singular `W` has one \[1\].
    pub fn unbounded_direction(&self) -> Option<ContactVec<D>> {
        exit::unbounded_direction(&self.scaled)
    }

    /// `−u_n⁺/u_n⁻`, the kinematic restitution an observer of this impulse sees; absent unless the bodies
    /// approached \[1\].
    pub fn restitution_seen(&self, impulse: &ContactVec<D>) -> Option<f64> {
        let s = &self.scaled;
        (s.approach() > 0.0).then(|| s.after(&s.shrink(impulse)).normal() / s.approach())
    }

    /// Why a construction is refused.
    fn no_construction(&self) -> ImpactError {
        if self.scaled.k() == 0.0 {
            ImpactError::bad_problem(
                "delassus[0][0]",
                0.0,
                "the bodies cannot yield along the normal: there is no permissible region to draw",
            )
        } else {
            ImpactError::bad_problem(
                "contact_velocity[0]",
                self.contact.velocity().normal(),
                "the bodies separate; does the normal point from A to B?",
            )
        }
    }

    /// Why a construction that needs an end in every direction is refused.
    fn no_end(&self, direction: &ContactVec<D>) -> ImpactError {
        ImpactError::bad_problem(
            "delassus",
            "singular matrix",
            format!(
                "the permissible region has no end in direction {:?}, in which the mechanism cannot yield",
                direction.components()
            ),
        )
    }
}
