//! What moves, for the table of several contacts: velocities if they are few, what matters about them if they are many.

use super::{Line, Table, clean, size};
use carom::system::BodyAfter;
use carom_io::rounding::denoised;

/// No more velocities than this get a column each \[1\].
const MOST_COLUMNS: usize = 8;

/// Columns of numbers.
pub struct Velocities {
    /// Their headings.
    pub headings: Vec<String>,
    /// One list per line, one number per column, without rounding noise.
    pub values: Vec<Vec<f64>>,
}

/// Velocities of everything that moves, if they are few; those of the contacts, if they are; sums. What fits first is
/// shown.
pub fn velocity_choices(table: &Table) -> Vec<Velocities> {
    let choices = [moving(table), contacts(table), Some(sums(table))];
    let mut choices: Vec<Velocities> = choices.into_iter().flatten().collect();
    for choice in &mut choices {
        for (values, line) in choice.values.iter_mut().zip(&table.lines) {
            *values = clean(values, line.speed());
        }
    }
    choices
}

impl Velocities {
    /// Whether a column counts contacts, in whole numbers.
    pub fn counts(&self, column: usize) -> bool {
        self.headings.get(column).is_some_and(|heading| heading == PUSHING)
    }
}

/// Generalized velocities, or those of the bodies that laws disagree on.
fn moving(table: &Table) -> Option<Velocities> {
    let first = table.lines.first()?.after;
    let each =
        |of: fn(&Line) -> Vec<f64>| -> Vec<Vec<f64>> { table.lines.iter().map(of).collect() };
    if let Some(velocity) = &first.velocity {
        let headings = (0..velocity.len()).map(|i| format!("v{i}⁺")).collect();
        return few(headings, each(|line| line.after.velocity.clone().unwrap_or_default()));
    }
    let bodies = first.bodies.as_ref()?;
    let headings = bodies.iter().flat_map(|body| {
        let axes = match body.velocity.len() {
            2 => &["x", "y", "ω"][..],
            _ => &["x", "y", "z", "ωx", "ωy", "ωz"],
        };
        axes.iter().map(move |axis| format!("{}.{axis}", body.name))
    });
    let values = each(|line| line.after.bodies.iter().flatten().flat_map(components).collect());
    // A component that all laws agree on, as of a wall, says nothing here.
    let size = values.iter().flatten().fold(0.0, |m: f64, v| m.max(v.abs()));
    let differs = |i: usize| {
        let differs = |v: &Vec<f64>| denoised(v[i] - values[0][i], size) != 0.0;
        values.len() == 1 || values.iter().any(differs)
    };
    let (kept, headings): (Vec<usize>, Vec<String>) =
        headings.enumerate().filter(|(i, _)| differs(*i)).unzip();
    let values = values.iter().map(|v| kept.iter().map(|&i| v[i]).collect()).collect();
    few(headings, values)
}

fn components(body: &BodyAfter) -> Vec<f64> {
    body.velocity.iter().chain(&body.angular_velocity).copied().collect()
}

/// Normal velocities of the contacts.
fn contacts(table: &Table) -> Option<Velocities> {
    let headings = (0..table.problem.len()).map(|k| format!("u_n[{k}]⁺")).collect();
    let values = table.lines.iter().map(|line| line.normals(line.velocity).collect()).collect();
    few(headings, values)
}

fn few(headings: Vec<String>, values: Vec<Vec<f64>>) -> Option<Velocities> {
    (1..=MOST_COLUMNS).contains(&headings.len()).then_some(Velocities { headings, values })
}

const PUSHING: &str = "pushing";

/// What many contacts have in common: how many push, the sum of what they push with, the fastest separation.
fn sums(table: &Table) -> Velocities {
    let headings = [PUSHING, "Σ p_n", "max u_n⁺"].map(String::from).to_vec();
    let of = |line: &Line| {
        let impulses: Vec<f64> = line.normals(line.impulse).collect();
        let largest = size(&impulses);
        let pushing = impulses.iter().filter(|p| denoised(**p, largest) != 0.0).count();
        let fastest = line.normals(line.velocity).fold(f64::NEG_INFINITY, f64::max);
        vec![pushing as f64, impulses.iter().sum(), fastest]
    };
    Velocities { headings, values: table.lines.iter().map(of).collect() }
}
