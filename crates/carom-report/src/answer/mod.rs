//! Comparisons, outcomes and compliant runs as JSON; a single answer is `carom_io::answer`'s.

mod compliant;
mod outcomes;

pub use compliant::CompliantAnswer;
pub use outcomes::OutcomesAnswer;

use crate::columns::{self, COLUMNS, Data, Json, Line, Table};
use crate::comparison::{COMPLIANT_LIMIT, Comparison, Range, Spread};
use carom::catalog::LawInfo;
use carom::{ContactProblem, ImpactError, Restitution};
use carom_io::answer::{Number, Numbers, ResolutionAnswer};
use carom_io::format::Problem;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Every law's answer to one problem.
pub struct ComparisonAnswer<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// What the laws say.
    pub comparison: &'a Comparison,
}

impl Serialize for ComparisonAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { problem, comparison } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("title", &problem.title)?;
        map.serialize_entry("problem", &ProblemAnswer(problem.system.problem()))?;
        let answers: Vec<ResolutionAnswer> = comparison
            .answers
            .iter()
            .map(|entry| ResolutionAnswer { id: None, resolution: &entry.resolution, trace: None })
            .collect();
        map.serialize_entry("answers", &answers)?;
        map.serialize_entry("without_answer", &without_answer(&comparison.absent))?;
        let paths: Vec<Value> = comparison
            .paths()
            .into_iter()
            .map(|(path, laws)| json!({ "laws": laws, "path": path }))
            .collect();
        map.serialize_entry("paths", &paths)?;
        map.serialize_entry("spread", &comparison.spread().map(SpreadAnswer))?;
        if let Some(run) = &comparison.compliant {
            map.serialize_entry("compliant", &compliant::RunAnswer(problem, run))?;
        }
        let table = Table::of(comparison, problem.system.problem());
        for column in COLUMNS {
            let present = (column.present)(&table);
            match (column.json, column.data) {
                (Json::ByLaw, Some(data)) if present => {
                    map.serialize_entry(column.key, &by_law(&table, data))?;
                }
                (Json::Distance, Some(data)) => {
                    let laws = present.then(|| by_law(&table, data));
                    let distance = laws.map(|laws| json!({ "to": COMPLIANT_LIMIT, "laws": laws }));
                    map.serialize_entry("distance", &distance)?;
                }
                _ => {}
            }
        }
        map.end()
    }
}

fn by_law<'a>(table: &Table<'a>, data: Data) -> BTreeMap<&'a str, Value> {
    let value = |value: columns::Value| match value {
        columns::Value::Number(x) => json!(x.map(Number)),
        columns::Value::Text(text) => json!(text),
    };
    let cell = |line: &Line<'a>| Some((line.law, data(line).into_iter().next().map(value)?));
    table.lines.iter().filter_map(cell).collect()
}

/// Laws without an answer, and why.
fn without_answer(absent: &[(&'static LawInfo, ImpactError)]) -> Vec<Value> {
    absent.iter().map(|(row, error)| no_answer(row.id, error)).collect()
}

fn no_answer(law: &str, error: &ImpactError) -> Value {
    json!({ "law": law, "kind": error.kind(), "message": error.to_string() })
}

/// A matrix of more rows is not written \[1\].
const DELASSUS_ROWS: usize = 256;

/// A problem as the laws see it, in the keys of the contact-space form.
struct ProblemAnswer<'a>(&'a ContactProblem);

impl Serialize for ProblemAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let problem = self.0;
        // A large W is not written in full: the file that was read says it shorter.
        let rows = 0..problem.rows();
        let full = |i: usize| rows.clone().map(|j| Number(problem.delassus_at(i, j))).collect();
        let delassus: Option<Vec<Vec<Number>>> =
            (rows.len() <= DELASSUS_ROWS).then(|| rows.clone().map(full).collect());
        let contacts: Vec<Value> = problem
            .contacts()
            .iter()
            .map(|contact| {
                let material = &contact.material;
                let e = match material.restitution {
                    Restitution::Constant(e) => json!(e),
                    Restitution::Curve {
                        minimum,
                        capture_speed,
                        plastic_speed,
                    } => json!({
                        "minimum": minimum,
                        "capture_speed": capture_speed,
                        "plastic_speed": plastic_speed,
                    }),
                };
                json!({ "rows": contact.rows, "mu": Number(material.mu), "e": e, "e_t": material.e_t })
            })
            .collect();
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("delassus", &delassus)?;
        map.serialize_entry("contact_velocity", &Numbers(problem.velocity()))?;
        map.serialize_entry("contacts", &contacts)?;
        map.end()
    }
}

struct SpreadAnswer(Spread);

impl Serialize for SpreadAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let range = |r: &Range| [Number(r.low), Number(r.high)];
        let velocity: Vec<[Number; 2]> = self.0.velocity.iter().map(range).collect();
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("laws", &self.0.laws)?;
        map.serialize_entry("energy_ratio", &self.0.energy_ratio.as_ref().map(range))?;
        map.serialize_entry("contact_velocity", &velocity)?;
        map.end()
    }
}
