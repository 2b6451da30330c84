//! The comparison as comma-separated values: every number, one row per law.

use crate::comparison::{COMPLIANT_LIMIT, Comparison};
use crate::words;
use carom::{ContactProblem, Verdict};
use carom_io::answer::verdict_name;

/// A heading and one row per law with an answer.
pub fn text(problem: &ContactProblem, comparison: &Comparison) -> String {
    let names = words::row_names(problem);
    let mut header = vec!["law".to_owned(), "reads_e".into()];
    header.extend(names.iter().map(|n| format!("impulse_{n}")));
    header.extend(names.iter().map(|n| format!("contact_velocity_{n}")));
    header.extend((0..problem.len()).map(|k| match problem.len() {
        1 => "e_kinematic".into(),
        _ => format!("e_kinematic[{k}]"),
    }));
    header.extend(["energy_change", "energy_available", "verdict", "violates"].map(String::from));
    header.extend(comparison.compliant.iter().map(|_| "compliant_distance".to_owned()));
    let distances = comparison.distances_to(COMPLIANT_LIMIT, problem);
    header.extend(distances.is_some().then(|| "distance_to_stiff_limit".into()));
    if let Some(entry) = comparison.answers.first() {
        header.extend(entry.resolution.after.columns().into_iter().map(|(name, _)| name));
    }
    let mut text = header.join(",") + "\n";
    for (i, entry) in comparison.answers.iter().enumerate() {
        let r = &entry.resolution;
        let c = &r.certificate;
        let mut fields = vec![r.law.id().to_owned(), r.law.row().reads_e().name().into()];
        let numbers = r.outcome.impulse.iter().chain(&r.outcome.velocity);
        fields.extend(numbers.map(f64::to_string));
        fields.extend(c.e_kinematic.iter().map(|e| e.map_or_else(String::new, |e| e.to_string())));
        fields.push(c.energy_change.to_string());
        fields.push(c.energy_available.map_or_else(String::new, |e| e.to_string()));
        fields.push(verdict_name(&c.verdict).into());
        fields.push(match &c.verdict {
            Verdict::Violates(which) => {
                which.iter().map(|i| i.name()).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        });
        if comparison.compliant.is_some() {
            fields.push(entry.compliant_distance.map_or_else(String::new, |d| d.to_string()));
        }
        fields.extend(distances.iter().filter_map(|all| all.get(i)).map(f64::to_string));
        fields.extend(r.after.columns().into_iter().map(|(_, x)| x.to_string()));
        text.push_str(&(fields.join(",") + "\n"));
    }
    text
}
