//! What tables and pages say about a problem and its answers, in short.

use crate::comparison::Comparison;
use crate::landmarks::Landmarks;
use crate::numbers::{significant, vector};
use crate::words;
use carom::{ContactProblem, ImpactError};

/// No line is longer \[characters\].
pub const WIDTH: usize = 100;

/// The problem in two lines.
pub fn problem_lines(problem: &ContactProblem, comparison: &Comparison) -> Vec<String> {
    const DIGITS: usize = 5;
    let first = comparison.answers.first();
    let available = first.and_then(|a| a.resolution.certificate.energy_available);
    let energy = available.map(|energy| format!("E0 {} J", significant(energy, DIGITS)));
    if problem.len() > 1 {
        return several_contacts(problem, energy).iter().map(|line| clip(line)).collect();
    }
    let rows = problem.rows();
    let mut facts = Vec::new();
    if let [contact] = problem.contacts() {
        let dimension = match rows {
            1 => "along the normal",
            2 => "in the plane",
            _ => "in space",
        };
        facts.push(format!("1 contact {dimension}"));
        facts.push(format!("mu {}", significant(contact.material.mu, DIGITS)));
        let approach = (-problem.velocity()[0]).max(0.0);
        let e = words::restitution(&contact.material.restitution, approach, DIGITS);
        facts.push(format!("e {e}"));
        if contact.material.e_t != 0.0 {
            facts.push(format!("e_t {}", significant(contact.material.e_t, DIGITS)));
        }
    }
    facts.extend(energy);
    if let Some(landmarks) = Landmarks::of(problem) {
        facts.extend(match (landmarks.stopping_mu(), landmarks.staying_mu) {
            (Some(stops), Some(stays)) => {
                Some(format!("sticks if mu ≥ {}", significant(stops.max(stays), 4)))
            }
            (None, Some(stays)) => Some(format!("stays stuck if mu ≥ {}", significant(stays, 4))),
            (_, None) => None,
        });
    }
    // As many digits as fit.
    let numbers = |digits: usize| {
        let velocity = format!("u⁻ = {} m/s", vector(problem.velocity(), digits));
        let row = |i: usize| {
            let entries = (0..rows).map(|j| significant(problem.delassus_at(i, j), digits));
            entries.collect::<Vec<_>>().join(" ")
        };
        let matrix: Vec<String> = (0..rows).map(row).collect();
        format!("W = [{}] 1/kg · {velocity}", matrix.join("; "))
    };
    let fits = |line: &String| line.chars().count() <= WIDTH;
    let second = [5, 4].map(numbers).into_iter().find(fits);
    let second = second.unwrap_or_else(|| numbers(3));
    vec![clip(&facts.join(" · ")), clip(&second)]
}

fn several_contacts(problem: &ContactProblem, energy: Option<String>) -> [String; 2] {
    const DIGITS: usize = 4;
    let contacts = problem.contacts();
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        match low == high {
            true => significant(low, DIGITS),
            false => format!("{} … {}", significant(low, DIGITS), significant(high, DIGITS)),
        }
    };
    let normal = |k: usize| problem.velocity()[problem.row_range(k).start];
    let mut facts = vec![match problem.rows() == problem.len() {
        true => format!("{} contacts along their normals", problem.len()),
        false => format!("{} contacts, {} rows", problem.len(), problem.rows()),
    }];
    if contacts.iter().any(|c| c.material.mu > 0.0) {
        facts.push(format!("mu {}", range(&mut contacts.iter().map(|c| c.material.mu))));
    }
    let e = |k: usize| contacts[k].material.restitution.at((-normal(k)).max(0.0));
    facts.push(format!("e {}", range(&mut (0..problem.len()).map(e))));
    facts.extend(energy);
    let approaching = (0..problem.len()).filter(|&k| normal(k) < 0.0).count();
    let speeds = range(&mut (0..problem.len()).map(normal));
    [facts.join(" · "), format!("{approaching} approach · u_n⁻ = {speeds} m/s")]
}

/// Why a law has no answer, without its name.
pub fn why_absent(error: &ImpactError) -> String {
    match error {
        ImpactError::BadSetting { setting, reason, .. } => format!("`{setting}`: {reason}"),
        ImpactError::NotApplicable { reason, .. } | ImpactError::NoSolution { reason, .. } => {
            reason.clone()
        }
        other => other.to_string(),
    }
}

fn clip(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return line.to_owned();
    }
    let start: String = line.chars().take(WIDTH - 1).collect();
    start + "…"
}
