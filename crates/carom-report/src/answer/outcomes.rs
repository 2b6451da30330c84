//! What may happen, as JSON.

use super::without_answer;
use crate::outcomes::{Family, Outcomes, Quantiles, Request, Sample};
use carom::ContactProblem;
use carom_io::answer::{LawAnswer, Number, Numbers, serialize_after, verdict_name};
use carom_io::format::Problem;
use carom_io::resolution::Resolution;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

/// Everything that may happen to one problem.
pub struct OutcomesAnswer<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// What was asked for.
    pub request: &'a Request,
    /// What may happen.
    pub outcomes: &'a Outcomes,
}

impl Serialize for OutcomesAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { problem, request, outcomes } = self;
        let contacts = problem.system.problem();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("title", &problem.title)?;
        map.serialize_entry("seed", &request.seed)?;
        map.serialize_entry("contacts", &contacts.len())?;
        map.serialize_entry("energy_available", &outcomes.energy_available.map(Number))?;
        let set = outcomes.set.map(|set| {
            json!({ "relative_diameter": set.diameter.map(Number), "stieltjes": set.stieltjes })
        });
        map.serialize_entry("admissible_set", &set)?;
        let families: Vec<FamilyAnswer> = outcomes
            .families
            .iter()
            .map(|family| FamilyAnswer { family, outcomes, contacts })
            .collect();
        map.serialize_entry("families", &families)?;
        let laws: Vec<LawLine> = outcomes
            .laws
            .answers
            .iter()
            .map(|entry| LawLine { resolution: &entry.resolution, outcomes })
            .collect();
        map.serialize_entry("laws", &laws)?;
        map.serialize_entry("without_answer", &without_answer(&outcomes.laws.absent))?;
        map.end()
    }
}

struct FamilyAnswer<'a> {
    family: &'a Family,
    outcomes: &'a Outcomes,
    contacts: &'a ContactProblem,
}

impl Serialize for FamilyAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { family, outcomes, contacts } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("family", family.id)?;
        map.serialize_entry("about", &family.about)?;
        match &family.drawn {
            Err(error) => {
                let error = json!({ "kind": error.kind(), "message": error.to_string() });
                map.serialize_entry("error", &error)?;
            }
            Ok(drawn) => {
                map.serialize_entry("count", &drawn.samples.len())?;
                map.serialize_entry("unfinished", &drawn.unfinished)?;
                let spread: Vec<Value> = outcomes
                    .spread(contacts, &drawn.samples)
                    .into_iter()
                    .map(|(name, q)| quantiles(&name, &q))
                    .collect();
                map.serialize_entry("spread", &spread)?;
                let samples: Vec<SampleAnswer> =
                    drawn.samples.iter().map(|sample| SampleAnswer { sample, outcomes }).collect();
                map.serialize_entry("samples", &samples)?;
            }
        }
        map.end()
    }
}

fn quantiles(name: &str, q: &Quantiles) -> Value {
    json!({
        "quantity": name,
        "min": Number(q.min),
        "q05": Number(q.low),
        "median": Number(q.median),
        "q95": Number(q.high),
        "max": Number(q.max),
    })
}

struct SampleAnswer<'a> {
    sample: &'a Sample,
    outcomes: &'a Outcomes,
}

impl Serialize for SampleAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { sample, outcomes } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("impulse", &Numbers(&sample.impulse))?;
        map.serialize_entry("contact_velocity", &Numbers(&sample.velocity))?;
        serialize_after(&mut map, &sample.after)?;
        map.serialize_entry("energy_change", &Number(sample.energy_change))?;
        let ratio = outcomes.energy_ratio(sample.energy_change);
        map.serialize_entry("energy_ratio", &ratio.map(Number))?;
        map.end()
    }
}

struct LawLine<'a> {
    resolution: &'a Resolution,
    outcomes: &'a Outcomes,
}

impl Serialize for LawLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let r = self.resolution;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("law", &LawAnswer(&r.law, &r.settings))?;
        map.serialize_entry("impulse", &Numbers(&r.outcome.impulse))?;
        map.serialize_entry("contact_velocity", &Numbers(&r.outcome.velocity))?;
        serialize_after(&mut map, &r.after)?;
        map.serialize_entry("energy_change", &Number(r.certificate.energy_change))?;
        let ratio = self.outcomes.energy_ratio(r.certificate.energy_change);
        map.serialize_entry("energy_ratio", &ratio.map(Number))?;
        map.serialize_entry("verdict", verdict_name(&r.certificate.verdict))?;
        map.end()
    }
}
