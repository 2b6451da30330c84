//! `carom explain`: which physical conditions an impulse fulfils, and by how much.

use super::{Exit, Loaded, Refusal, parse_impulse, print};
use crate::cli::Explain;
use crate::colour::{self, BAD, GOOD};
use crate::progress::{self, Display};
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::certify::Inequality;
use carom::region::Standing;
use carom::{Certificate, ContactProblem};
use carom_io::progress::Monitor;
use carom_report::landmarks::{Finding, Landmarks, findings};
use carom_report::numbers::{ends, significant, vector};
use carom_report::words::{self, DIGITS};

pub fn run(args: &Explain) -> Result<Exit, Refusal> {
    let loaded = Loaded::open(&args.file)?;
    let (problem, origin, impulse, certificate) = match &args.impulse {
        Some(impulse) => {
            let impulse = parse_impulse(impulse)?;
            let (certificate, _) = carom::certify(&loaded.problem.system, &impulse)?;
            (loaded.problem, "given".to_owned(), impulse, certificate)
        }
        None => {
            let display = Display::of("resolving");
            let _working = progress::working();
            let (problem, r) = loaded.resolve(&args.law, &mut Monitor::new(&display))?;
            let origin = words::law_with_settings(&r.law, &r.settings);
            (problem, origin, r.outcome.impulse, r.certificate)
        }
    };
    let contacts = problem.system.problem();
    let bold = Style::new().bold();
    let mut lines = Vec::new();
    lines.extend(problem.title.map(|title| format!("{bold}{title}{bold:#}")));
    lines.extend([
        format!("p  = {} N·s, {origin}", ends(&impulse, DIGITS)),
        format!("u⁻ = {} m/s", ends(contacts.velocity(), DIGITS)),
        format!("u⁺ = {} m/s", ends(&contacts.velocity_after(&impulse), DIGITS)),
        String::new(),
    ]);
    let mut table = Table::default();
    for finding in findings(contacts, &impulse, &certificate) {
        table.push(row(&finding, &certificate));
    }
    lines.extend(table.lines(2));
    lines.push(String::new());
    lines.push(format!("verdict  {}", colour::verdict(&certificate)));
    lines.extend(words::restitution_seen(&certificate).map(|seen| format!("e seen   {seen}")));
    if let Some(landmarks) = Landmarks::of(contacts) {
        lines.extend(region_lines(contacts, &landmarks));
    }
    print(&(lines.join("\n") + "\n"))
}

/// A condition in words, its formula, its margin and whether it holds.
fn row(finding: &Finding, c: &Certificate) -> Vec<Cell> {
    let (words, formula, unit) = match finding.inequality {
        Inequality::Energy => ("no energy is created", "−½ p·(u⁻ + u⁺) ≥ 0", "J"),
        Inequality::Separation => ("the bodies separate", "u_n⁺ ≥ 0", "m/s"),
        Inequality::NormalImpulse => ("the bodies push", "p_n ≥ 0", "N·s"),
        Inequality::Cone => ("friction stays in its cone", "mu p_n − |p_t| ≥ 0", "N·s"),
        Inequality::Bilateral => ("joints hold", "−|u⁺| = 0", "m/s"),
    };
    let mark = match finding.standing {
        Standing::Holds => Cell::left("holds").styled(GOOD),
        Standing::Equality => Cell::left("holds with equality").styled(GOOD),
        Standing::Violated => {
            let reason = words::reason(finding.inequality, c);
            let text = reason.map_or_else(|| "violated".into(), |r| format!("violated: {r}"));
            Cell::left(text).styled(BAD)
        }
    };
    vec![
        Cell::left(words),
        Cell::left(formula),
        Cell::right(significant(finding.margin, DIGITS)),
        Cell::left(unit),
        mark,
    ]
}

fn region_lines(problem: &ContactProblem, landmarks: &Landmarks) -> Vec<String> {
    let mut lines = vec![String::new()];
    if let Some(p) = &landmarks.frictionless {
        let p = vector(p, DIGITS);
        lines.push(format!("P_I      {p} N·s stops the approach without friction"));
    }
    match &landmarks.sticking {
        Some(p) => {
            let p = vector(p, DIGITS);
            lines.push(format!("P_II     {p} N·s stops the contact altogether"));
        }
        None => lines.push("P_II     none: no impulse stops this contact altogether".into()),
    }
    let mu = problem.contacts().first().map_or(0.0, |contact| contact.material.mu);
    let compared = |needed: f64| {
        let relation = if mu >= needed { "≥" } else { "<" };
        format!("mu = {} {relation} {}", significant(mu, 5), significant(needed, 5))
    };
    match (landmarks.stopping_mu(), landmarks.staying_mu) {
        (Some(needed), _) if mu >= needed => lines.push(format!(
            "stops    {}: P_II lies in the cone, sliding can stop before compression ends",
            compared(needed)
        )),
        (Some(needed), _) => lines.push(format!(
            "slides   {}: P_II lies outside the cone, sliding outlasts compression",
            compared(needed)
        )),
        (None, Some(_)) => lines.push(
            "slides   P_II lies outside every cone, sliding outlasts compression whatever mu is"
                .into(),
        ),
        (None, None) => {}
    }
    match landmarks.staying_mu {
        Some(needed) if mu >= needed => {
            lines.push(format!("sticks   {}: once stopped, it stays stuck", compared(needed)));
        }
        Some(needed) => {
            let compared = compared(needed);
            lines.push(format!("reverses {compared}: once stopped, it starts to slide anew"));
        }
        None => {}
    }
    if let Some(e) = landmarks.largest_e {
        let e = significant(e, 5);
        lines.push(format!("max e    {e}: no permissible impulse rebounds faster"));
    }
    lines
}
