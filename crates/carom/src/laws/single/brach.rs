//! # Brach's law (1989)
//!
//! Newton's restitution, and the ratios of tangential to normal impulse given outright.
//!
//! ## Model
//! 1. `p_t = m p_n` with the signed ratios `m`
//! 2. `u_n⁺ = −e u_n⁻`, so `p_n = −(1 + e) u_n⁻ / (k + c·m)`
//!
//! ## Reads e as
//! Kinematic: `u_n⁺ = −e u_n⁻` exactly, also for `e > 1`: with spin, a grazing body can rebound faster than it came.
//! `mu` does not enter the impulse; `|m| > μ` is reported.
//!
//! ## Notation
//! paper `μ` (its impulse ratio) → `m`; paper `e` alike.
//!
//! ## Deviations from the paper
//! The ratios are given, not chosen: `m = critical_ratio` stops the slip in the plane. The inverse map takes any impulse
//! with `p_n > 0` to its `e` and `m`.
//!
//! ## Limits
//! - No solution if `k + c·m ≤ 0`: such an impulse cannot stop the approach.
//! - Ratios that leave the permissible region still have an answer; the notes and the certificate say so.
//!
//! ## Energy
//! Can grow: any ratio that pushes along the slip does it (`crates/carom/tests/claims/one_contact.rs`).
//!
//! ## References
//! `Brach1989`; `ChatterjeeRuina1998` section 4.

use super::common;
use super::scaled::{Answer, Scaled, Tangent};
use crate::contact::{Contact, ContactProblem, ContactVec, Material};
use crate::laws::info::{CatalogLaw, Claims, LawInfo, ReadsE};
use crate::laws::single::ContactLaw;
use crate::outcome::{FinalMode, Note, Observer, Outcome};
use crate::settings::{Reader, Setting, SettingValue, Settings};
use crate::{ImpactError, Tolerances};

/// Impulse ratios given outright.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Brach {
    /// The ratios; absent, the contact's own are taken.
    pub ratios: Option<Ratios>,
}

/// One ratio `p_t/p_n` per tangent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratios {
    values: [f64; 2],
    count: usize,
}

impl Ratios {
    /// One or two finite numbers.
    pub fn new(values: &[f64]) -> Option<Self> {
        match *values {
            [x] if x.is_finite() => Some(Self { values: [x, 0.0], count: 1 }),
            [x, y] if x.is_finite() && y.is_finite() => Some(Self { values: [x, y], count: 2 }),
            _ => None,
        }
    }

    /// The ratios \[1\].
    pub fn values(&self) -> &[f64] {
        &self.values[..self.count]
    }
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "brach",
    name: "Brach",
    year: 1989,
    summary: "Newton's restitution and given ratios of tangential to normal impulse; can create energy",
    references: &["Brach1989", "ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinematic,
    max_e: Material::MAX_RESTITUTION,
    settings: || {
        vec![Setting {
            name: "ratios",
            default: "the contact's impulse_ratio".into(),
            range: "one signed number per tangent".into(),
            meaning: "p_t/p_n",
        }]
    },
    claims: Claims { energy: false, cone: false, total: false, frame: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};

impl CatalogLaw for Brach {
    const ROWS: &'static [&'static LawInfo] = &[&INFO];

    fn build(row: &'static LawInfo, settings: &Settings) -> Result<Self, ImpactError> {
        let reader = Reader::new(row.id, &["ratios"], settings)?;
        let ratios = reader.numbers("ratios")?.map(|values| {
            Ratios::new(&values)
                .ok_or_else(|| reader.refuse("ratios", "must be one or two finite numbers"))
        });
        Ok(Self { ratios: ratios.transpose()? })
    }

    fn settings(&self, _: Option<&ContactProblem>) -> Settings {
        let list = |r: Ratios| {
            SettingValue::List(r.values().iter().map(|x| SettingValue::Number(*x)).collect())
        };
        self.ratios.map(|r| ("ratios".to_string(), list(r))).into_iter().collect()
    }
}

impl Brach {
    /// The `e` and the ratios that lead to an impulse: absent if it has no normal part or the contact does not approach.
    pub fn parameters_of<const D: usize>(
        contact: &Contact<D>,
        impulse: &ContactVec<D>,
    ) -> Option<(f64, [f64; 2])> {
        let (before, pn) = (contact.velocity().normal(), impulse.normal());
        (before < 0.0 && pn > 0.0).then(|| {
            let after = contact.velocity_after(impulse).normal();
            (-after / before, impulse.tangent().map(|p| p / pn))
        })
    }

    /// The ratio that just stops the slip of a planar contact: absent if none does.
    pub fn critical_ratio(contact: &Contact<2>) -> Option<f64> {
        let w = contact.delassus();
        let [un, ut] = contact.velocity().components();
        let change = -(1.0 + contact.e()) * un;
        // u_t + p_n (c + T m) = 0 with p_n (k + c m) = change
        let below = ut * w.at(0, 1) + change * w.at(1, 1);
        (below != 0.0).then(|| -(ut * w.at(0, 0) + change * w.at(0, 1)) / below)
    }

    fn ratios_for<const D: usize>(&self, contact: &Contact<D>) -> Result<[f64; 2], ImpactError> {
        if D == 1 {
            return Ok([0.0; 2]);
        }
        let refuse = |reason: String| {
            Err(ImpactError::BadSetting { law: INFO.id.into(), setting: "ratios".into(), reason })
        };
        match self.ratios {
            Some(ratios) if ratios.count == D - 1 => Ok(ratios.values),
            Some(ratios) => {
                refuse(format!("{} given; a contact with {D} rows needs {}", ratios.count, D - 1))
            }
            None => match contact.material().impulse_ratio {
                Some(values) => Ok(values),
                None => refuse("required here or as the contact's impulse_ratio".into()),
            },
        }
    }
}

impl<const D: usize> ContactLaw<D> for Brach {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        let ratios = self.ratios_for(contact)?;
        common::resolve_any(&INFO, contact, tolerances, trace, |s, _| {
            solve(s, ratios.into(), tolerances)
        })
    }
}

fn solve(s: &Scaled, ratios: Tangent, tolerances: &Tolerances) -> Result<Answer, ImpactError> {
    let m = s.in_principal_axes(ratios);
    let yield_along = s.k + s.c.dot(&m);
    if s.un == 0.0 {
        return Ok(Answer::new(0.0, Tangent::zeros(), FinalMode::Untouched));
    }
    if yield_along <= 0.0 {
        return Err(ImpactError::NoSolution {
            law: INFO.id,
            reason: "an impulse with these ratios pushes the bodies together: k + c·m ≤ 0".into(),
        });
    }
    let pn = -(1.0 + s.e) * s.un / yield_along;
    let mut answer = Answer::new(pn, m * pn, FinalMode::Slip);
    // The bracket of ΔE = ½ p_n [(1 − e) u_n + 2 m·u_t + p_n (m·c + mᵀTm)].
    let terms =
        [(1.0 - s.e) * s.un, 2.0 * m.dot(&s.ut), pn * m.dot(&s.c), pn * m.dot(&s.apply_t(m))];
    let size: f64 = terms.iter().map(|t| t.abs()).sum();
    let gains = terms.iter().sum::<f64>() > tolerances.verdict * size;
    if gains || s.alpha * m.norm() > s.beta * (1.0 + tolerances.verdict) {
        answer.notes.insert(Note::Infeasible);
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::{Brach, Ratios};
    use crate::ContactVec;
    use crate::laws::single::test_contacts::{assert_impulse, disk, sticks_in_compression};

    /// p_n = 1.5/(1 + 0) and p_t = −¼ p_n; the inverse map gives e and the ratio back.
    #[test]
    fn disk_takes_the_ratio_given() {
        let contact = disk(2.0, 0.5, 0.0);
        let law = Brach { ratios: Ratios::new(&[-0.25]) };
        assert_impulse(law, &contact, [1.5, -0.375]);
        let back = Brach::parameters_of(&contact, &ContactVec::new([1.5, -0.375]));
        assert_eq!(back, Some((0.5, [-0.25, 0.0])));
    }

    /// The ratio that stops the slip is that of the sticking solution (2.2, −1.4).
    #[test]
    fn critical_ratio_stops_the_slip() {
        let contact = sticks_in_compression(0.0);
        let ratio = Brach::critical_ratio(&contact).unwrap();
        assert!((ratio + 1.4 / 2.2).abs() < 4.0 * f64::EPSILON, "{ratio}");
        assert_impulse(Brach { ratios: Ratios::new(&[ratio]) }, &contact, [2.2, -1.4]);
    }
}
