//! # Composite laws (1998)
//!
//! A weighted mean of the impulses of other laws.
//!
//! ## Model
//! 1. `p = Σ w_i p_i` with `w_i ≥ 0`, `Σ w_i = 1`
//! 2. by default `p = σ p_CR + (1 − σ) p_Routh`, Chatterjee and Ruina's law and an incremental one
//!
//! ## Reads e as
//! Each part as it does. `mu` likewise.
//!
//! ## Notation
//! paper `σ` → `sigma`.
//!
//! ## Deviations from the paper
//! Any laws can be parts, up to eight, composites of composites included (they are multiplied out). Weights are
//! relative: they are divided by their sum.
//!
//! ## Limits
//! Fails where a part fails. The mean of two stopping impulses need not stop the slip.
//!
//! ## Energy
//! Never grows if no part lets it grow, proven: the permissible region is convex. The parts of the default do not.
//!
//! ## References
//! `ChatterjeeRuina1998` section 5.

use super::chatterjee_ruina::ChatterjeeRuina;
use super::common::{check_applicable, outcome_of};
use super::routh::{Phases, Routh, Rule};
use crate::contact::{Contact, ContactProblem, ContactVec};
use crate::laws::info::{CatalogLaw, Claims, LawInfo, ReadsE};
use crate::laws::single::{ContactLaw, PlainLaw, SingleLaw};
use crate::outcome::{Observer, Outcome, Unobserved};
use crate::settings::{Reader, Setting, SettingValue, Settings};
use crate::{ImpactError, Tolerances};

/// Most parts that a composite can have.
pub const MAX_PARTS: usize = 8;

/// A weighted mean of laws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Composite {
    parts: [WeightedLaw; MAX_PARTS],
    count: usize,
}

/// One law of a composite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedLaw {
    /// The law.
    pub law: PlainLaw,
    /// Its share of the impulse \[1\].
    pub weight: f64,
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "composite",
    name: "Composite",
    year: 1998,
    summary: "a weighted mean of other laws, by default of chatterjee-ruina and routh-stronge",
    references: &["ChatterjeeRuina1998"],
    reads_e: ReadsE::Mixed,
    settings: || {
        let setting = |name, default: &str, range: &str, meaning| Setting {
            name,
            default: default.into(),
            range: range.into(),
            meaning,
        };
        vec![
            setting("sigma", "0.5", "0 to 1", "the share of chatterjee-ruina"),
            setting("incremental", "routh-stronge", "a law", "the law that has the rest"),
            setting(
                "weights",
                "absent",
                "a list of {law, weight}",
                "any laws and their shares, instead of sigma and incremental",
            ),
        ]
    },
    claims: Claims { restitution: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};

impl CatalogLaw for Composite {
    const ROWS: &'static [&'static LawInfo] = &[&INFO];

    fn build(row: &'static LawInfo, settings: &Settings) -> Result<Self, ImpactError> {
        let reader = Reader::new(row.id, &["sigma", "incremental", "weights"], settings)?;
        let parts = match reader.get("weights") {
            Some(weights) => {
                if reader.get("sigma").is_some() || reader.get("incremental").is_some() {
                    return Err(reader.refuse(
                        "weights",
                        "replaces sigma and incremental: give one or the other",
                    ));
                }
                weighted_parts(&reader, weights)?
            }
            None => {
                let sigma = reader.number("sigma", 0.5, [0.0, 1.0])?;
                let stronge = Routh { rule: Rule::Stronge, phases: Phases::Cumulative };
                let incremental = match reader.get("incremental") {
                    None => SingleLaw::from(stronge),
                    Some(value) => SingleLaw::from_value(value)
                        .ok_or_else(|| reader.refuse("incremental", "must be a law"))??,
                };
                vec![(SingleLaw::from(ChatterjeeRuina), sigma), (incremental, 1.0 - sigma)]
            }
        };
        Self::new(&parts).ok_or_else(|| {
            let reason =
                format!("must be 1 to {MAX_PARTS} laws with weights ≥ 0 that do not all vanish");
            reader.refuse("weights", reason)
        })
    }

    fn settings(&self, _: Option<&ContactProblem>) -> Settings {
        let weights = self.parts().iter().map(|part| {
            SettingValue::Table(Settings::from([
                ("law".into(), SingleLaw::Plain(part.law).to_value()),
                ("weight".into(), SettingValue::Number(part.weight)),
            ]))
        });
        Settings::from([("weights".into(), SettingValue::List(weights.collect()))])
    }
}

impl Composite {
    /// A composite of laws with relative weights. Absent if there are none or too many parts, or if the weights are
    /// negative or add up to nothing.
    pub fn new(parts: &[(SingleLaw, f64)]) -> Option<Self> {
        let total: f64 = parts.iter().map(|(_, weight)| weight).sum();
        let sound = parts.iter().all(|(_, weight)| weight.is_finite() && *weight >= 0.0);
        if !(sound && total > 0.0 && total.is_finite()) {
            return None;
        }
        let nothing = WeightedLaw { law: PlainLaw::ChatterjeeRuina(ChatterjeeRuina), weight: 0.0 };
        let mut composite = Self { parts: [nothing; MAX_PARTS], count: 0 };
        for (law, weight) in parts {
            let share = weight / total;
            match law {
                SingleLaw::Plain(law) => {
                    composite.push(WeightedLaw { law: *law, weight: share })?
                }
                SingleLaw::Composite(inner) => {
                    for part in inner.parts() {
                        composite.push(WeightedLaw { weight: part.weight * share, ..*part })?;
                    }
                }
            }
        }
        Some(composite)
    }

    fn push(&mut self, part: WeightedLaw) -> Option<()> {
        *self.parts.get_mut(self.count)? = part;
        self.count += 1;
        Some(())
    }

    /// Its parts; their weights add up to 1.
    pub fn parts(&self) -> &[WeightedLaw] {
        &self.parts[..self.count]
    }
}

/// Reads `[{law, weight}…]`.
fn weighted_parts(
    reader: &Reader,
    weights: &SettingValue,
) -> Result<Vec<(SingleLaw, f64)>, ImpactError> {
    let refuse = |reason: String| reader.refuse("weights", reason);
    let SettingValue::List(entries) = weights else {
        return Err(refuse("must be a list of {law, weight}".into()));
    };
    let part = |(i, entry): (usize, &SettingValue)| {
        let SettingValue::Table(entry) = entry else {
            return Err(refuse(format!("entry {i} must be {{law, weight}}")));
        };
        if let Some(other) = entry.keys().find(|k| *k != "law" && *k != "weight") {
            return Err(refuse(format!(
                "entry {i} has an unknown key `{other}`: it takes law and weight"
            )));
        }
        let Some(SettingValue::Number(weight)) = entry.get("weight") else {
            return Err(refuse(format!("entry {i} needs a number as its weight")));
        };
        let law = entry
            .get("law")
            .and_then(SingleLaw::from_value)
            .ok_or_else(|| refuse(format!("entry {i} needs a law")))??;
        Ok((law, *weight))
    };
    entries.iter().enumerate().map(part).collect()
}

impl<const D: usize> ContactLaw<D> for Composite {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        _trace: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        check_applicable(&INFO, D, contact.e())?;
        if contact.velocity().normal() > 0.0 {
            return Ok(Outcome::untouched(contact));
        }
        let mut impulse = ContactVec::ZERO;
        let mut combined = Outcome::from_impulse(contact, impulse);
        let mut heaviest = 0.0;
        for part in self.parts().iter().filter(|part| part.weight > 0.0) {
            let outcome = part.law.resolve(contact, tolerances, &mut Unobserved)?;
            impulse += outcome.impulse * part.weight;
            combined.notes = combined.notes.union(outcome.notes);
            combined.effort.steps += outcome.effort.steps;
            combined.effort.compressions =
                combined.effort.compressions.max(outcome.effort.compressions);
            combined.effort.solutions = combined.effort.solutions.max(outcome.effort.solutions);
            if part.weight > heaviest {
                heaviest = part.weight;
                combined.effort.final_mode = outcome.effort.final_mode;
            }
        }
        let Outcome { effort, notes, .. } = combined;
        Ok(Outcome { effort, notes, ..outcome_of(&INFO, contact, impulse)? })
    }
}

#[cfg(test)]
mod tests {
    use super::Composite;
    use crate::laws::single::SingleLaw;
    use crate::laws::single::test_contacts::{assert_impulse, sticks_in_compression};
    use crate::settings::SettingValue;

    /// Whittaker's (2.2, −1.4) and Anitescu and Potra's (2.3, −1.45), one to three; nested composites multiply out.
    #[test]
    fn weights_are_relative_and_nest() {
        let law =
            |id: &str| SingleLaw::from_value(&SettingValue::Text(id.into())).unwrap().unwrap();
        let inner = [(law("whittaker"), 1.0), (law("anitescu-potra"), 1.0)];
        let inner = SingleLaw::Composite(Composite::new(&inner).unwrap());
        let outer = Composite::new(&[(inner, 2.0), (law("anitescu-potra"), 2.0)]).unwrap();
        let weights: Vec<f64> = outer.parts().iter().map(|part| part.weight).collect();
        assert_eq!(weights, [0.25, 0.25, 0.5]);
        assert_impulse(SingleLaw::Composite(outer), &sticks_in_compression(0.0), [2.275, -1.4375]);
    }
}
