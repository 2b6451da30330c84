//! Certificates against rational numbers.
//!
//! Two answers agree if every number of the certificate lies within its own bound of the exact one, and if the conditions
//! that fail are the same; one whose exact margin lies within the bound, or within a millionth, of the tolerance may be seen
//! either way.

mod bounds;
mod foreign;
mod laws;

use carom_exact::{Report, check};
use carom_io::answer::CertificateAnswer;
use carom_io::format::Problem;
use serde_json::{Value, json};

/// A judged impulse: the certificate as it is printed, its notes, what rational numbers say, and where the two differ.
struct Judged {
    certificate: Value,
    notes: Vec<&'static str>,
    exact: Report,
    disagreements: Vec<String>,
}

fn judge(problem: &Value, impulse: &[f64]) -> Result<Judged, String> {
    let text = problem.to_string();
    let node = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let read = Problem::read(&node).map_err(|error| error.to_string())?;
    let (certificate, _) =
        carom::certify(&read.system, impulse).map_err(|error| error.to_string())?;
    let notes = certificate.notes.iter().map(|note| note.text()).collect();
    let certificate = json!(CertificateAnswer(&certificate));
    let exact = check(problem, impulse)?;
    let disagreements = exact.disagreements(&certificate);
    Ok(Judged { certificate, notes, exact, disagreements })
}

/// A number of cases from the environment, for long runs.
fn count(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
