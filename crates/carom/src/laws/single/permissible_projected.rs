//! # Projected impulse (1998)
//!
//! The impulse is given; if it is not permissible it is moved to the boundary of the permissible region.
//!
//! ## Model
//! 1. `P_0 = 3/2 P_I`, with `P_I = −(u_n⁻/W_nn) n`
//! 2. `p = p̂`, the impulse given, if it is permissible; else the point where the segment from `P_0` to `p̂` leaves
//!    the region.
//!
//! ## Reads e as
//! Ignored, and `e_t` likewise: the impulse is the parameter. `mu` bounds the ratio of the whole impulses.
//!
//! ## Notation
//! `P_0` as in the paper.
//!
//! ## Deviations from the paper
//! - `P_0` is the frictionless rebound with `e = ½`, not the centroid.
//! - Projected points move inwards by units in the last place until no inequality fails, so that projecting twice
//!   is projecting once.
//!
//! ## Limits
//! - `u_n⁻ = 0`: `P_0` is the origin, on the boundary; most impulses outside the region are moved to `p = 0`.
//! - `μ = 0` or one row: the region is a segment of the normal, and any impulse off it is moved to `P_0`.
//! - The answer does not scale with the velocity: the impulse is fixed (`a_fixed_impulse_does_not_scale`).
//!
//! ## Energy
//! Never grows, by construction: the result is tested, to the last bit, against the inequality.
//!
//! ## References
//! `ChatterjeeRuina1998` section 4.1, item 2.

use super::permissible_spherical::resolve_in_region;
use crate::contact::{Contact, ContactProblem, ContactVec, Material};
use crate::laws::info::{CatalogLaw, Claims, LawInfo, ReadsE};
use crate::laws::single::ContactLaw;
use crate::outcome::{Note, Observer, Outcome};
use crate::settings::{Reader, Setting, SettingValue, Settings};
use crate::{ImpactError, Tolerances};

/// An impulse given from outside, moved into the permissible region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PermissibleProjected {
    impulse: [f64; 3],
    rows: usize,
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "permissible-projected",
    name: "Permissible region, projected",
    year: 1998,
    summary: "the impulse given, moved to the boundary of the permissible region if it lies outside",
    references: &["ChatterjeeRuina1998"],
    reads_e: ReadsE::Ignored,
    max_e: Material::MAX_RESTITUTION,
    settings: || {
        vec![Setting {
            name: "impulse",
            default: "required".into(),
            range: "one finite number per row, normal first [N·s]".into(),
            meaning: "the impulse to apply, if it is permissible",
        }]
    },
    claims: Claims { restitution: false, scale: false, frame: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};

impl CatalogLaw for PermissibleProjected {
    const ROWS: &'static [&'static LawInfo] = &[&INFO];

    fn build(row: &'static LawInfo, settings: &Settings) -> Result<Self, ImpactError> {
        let reader = Reader::new(row.id, &["impulse"], settings)?;
        let Some(impulse) = reader.numbers("impulse")? else {
            return Err(reader.refuse("impulse", "required: one number per row, normal first"));
        };
        Self::new(&impulse).ok_or_else(|| {
            let got = impulse.len();
            reader.refuse("impulse", format!("has {got} numbers and must have 1, 2 or 3"))
        })
    }

    fn settings(&self, _: Option<&ContactProblem>) -> Settings {
        let numbers = self.impulse().iter().map(|p| SettingValue::Number(*p));
        [("impulse".into(), SettingValue::List(numbers.collect()))].into()
    }
}

impl PermissibleProjected {
    /// The law that applies this impulse (1, 2 or 3 finite numbers, normal first [N·s]).
    pub fn new(impulse: &[f64]) -> Option<Self> {
        let rows = impulse.len();
        let valid = (1..=3).contains(&rows) && impulse.iter().all(|p| p.is_finite());
        valid.then(|| Self {
            impulse: std::array::from_fn(|i| impulse.get(i).copied().unwrap_or(0.0)),
            rows,
        })
    }

    /// The impulse to apply, normal first [N·s].
    pub fn impulse(&self) -> &[f64] {
        &self.impulse[..self.rows]
    }
}

impl<const D: usize> ContactLaw<D> for PermissibleProjected {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        _: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        let Some(impulse) = ContactVec::from_slice(self.impulse()) else {
            let got = self.rows;
            return Err(ImpactError::BadSetting {
                law: INFO.id.into(),
                setting: "impulse".into(),
                reason: format!("has {got} numbers and the contact has {D} rows"),
            });
        };
        let mut moved = false;
        let mut outcome = resolve_in_region(&INFO, contact, tolerances, |region| {
            let projection = region.project(&impulse).ok_or_else(|| ImpactError::NoSolution {
                law: INFO.id,
                reason: "the impulse is larger than any number".into(),
            })?;
            moved = projection.moved;
            Ok(projection.impulse)
        })?;
        if moved {
            outcome.notes.insert(Note::Projected);
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Delassus, Unobserved};

    fn contact(speed: f64) -> Contact<2> {
        let w = Delassus::new([[1.0, 0.0], [0.0, 3.0]]).unwrap();
        let material = Material::new(0.5, 0.3).unwrap();
        Contact::new(w, ContactVec::new([-speed, 0.0]), material).unwrap()
    }

    fn resolve(contact: &Contact<2>, impulse: [f64; 2]) -> Outcome<2> {
        let law = PermissibleProjected::new(&impulse).unwrap();
        law.resolve(contact, &Tolerances::default(), &mut Unobserved).unwrap()
    }

    /// W = diag(1, 3), u = (−1, 0), μ = ½, P_0 = (3/2, 0). The ray towards (3/2, 5) ends on energy at p_t = ½:
    /// ½·3·p_t² = 3/2 − ½·9/4 = 3/8.
    #[test]
    fn outside_is_moved_and_inside_is_kept() {
        let inside = resolve(&contact(1.0), [1.25, 0.125]);
        assert_eq!(inside.impulse, ContactVec::new([1.25, 0.125]));
        assert!(!inside.notes.contains(Note::Projected));
        let outside = resolve(&contact(1.0), [1.5, 5.0]);
        assert!((outside.impulse - ContactVec::new([1.5, 0.5])).max_abs() < 1e-15);
        assert!(outside.notes.contains(Note::Projected));
        let again = resolve(&contact(1.0), outside.impulse.components());
        assert_eq!(again.impulse, outside.impulse);
        assert!(!again.notes.contains(Note::Projected));
    }

    #[test]
    fn a_fixed_impulse_does_not_scale() {
        let impulse = [1.25, 0.125];
        let twice = resolve(&contact(2.0), impulse).impulse;
        assert!((twice - ContactVec::new([2.5, 0.25])).max_abs() > 0.1);
    }

    #[test]
    fn a_separating_contact_is_left_alone() {
        assert_eq!(resolve(&contact(-1.0), [1.0, 0.0]).impulse, ContactVec::ZERO);
    }

    #[test]
    fn settings_are_checked() {
        let with = |items: Vec<SettingValue>| {
            let settings = [("impulse".to_string(), SettingValue::List(items))].into();
            PermissibleProjected::build(&INFO, &settings)
        };
        let number = SettingValue::Number;
        let missing = PermissibleProjected::build(&INFO, &Settings::new()).unwrap_err();
        assert_eq!(missing.kind(), "bad_setting");
        assert_eq!(with(vec![]).unwrap_err().kind(), "bad_setting");
        assert_eq!(with(vec![number(f64::INFINITY)]).unwrap_err().kind(), "bad_setting");
        let law = with(vec![number(1.0), number(2.0), number(3.0)]).unwrap();
        assert_eq!(
            law.settings(None)["impulse"],
            SettingValue::List(vec![number(1.0), number(2.0), number(3.0)])
        );
        let wrong_rows = law.resolve(&contact(1.0), &Tolerances::default(), &mut Unobserved);
        assert_eq!(wrong_rows.unwrap_err().kind(), "bad_setting");
    }
}
