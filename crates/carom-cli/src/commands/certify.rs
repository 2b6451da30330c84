//! `carom certify`: judge an impulse of any origin.

use super::resolve::judgement;
use super::{Exit, Loaded, Refusal, parse_impulse, print, print_json, stream};
use crate::cli::Certify;
use carom::Certificate;
use carom_exact::Report;
use carom_io::answer::{CertificateAnswer, JudgementAnswer};
use carom_io::failure::Failure;
use carom_report::numbers::{ends, significant};
use carom_report::words::DIGITS;
use std::io;

pub fn run(args: &Certify) -> Result<Exit, Refusal> {
    let (Some(path), Some(impulse)) = (&args.file, &args.impulse) else {
        return run_stream(args.exact);
    };
    let impulse = parse_impulse(impulse)?;
    let loaded = Loaded::open(path)?;
    let (certificate, after) = carom::certify(&loaded.problem.system, &impulse)?;
    let exact = match args.exact {
        true => Some(Exact::of(&loaded.source.text, &impulse, &certificate)?),
        false => None,
    };
    let contact_velocity = loaded.problem.system.problem().velocity_after(&impulse);
    if args.json {
        print_json(&JudgementAnswer {
            id: None,
            certificate: &certificate,
            contact_velocity: &contact_velocity,
            after: &after,
            exact: exact.as_ref().map(Exact::to_json),
        })?;
    } else {
        let mut lines = vec![
            format!("p        {} N·s", ends(&impulse, DIGITS)),
            format!("u⁺       {} m/s", ends(&contact_velocity, DIGITS)),
        ];
        lines.extend(judgement(&certificate));
        lines.extend(certificate.notes.iter().map(|note| format!("note     {}", note.text())));
        if let Some(exact) = &exact {
            lines.extend(exact.lines());
        }
        print(&(lines.join("\n") + "\n"))?;
    }
    let exactly = exact.as_ref().is_none_or(Exact::agrees_and_holds);
    Ok(match certificate.verdict.is_permissible() && exactly {
        true => Exit::Answered,
        false => Exit::Violates,
    })
}

/// What rational numbers say, and where the certificate says something else.
pub(super) struct Exact {
    report: Report,
    disagreements: Vec<String>,
}

impl Exact {
    /// Judges an impulse on the text of a problem.
    pub(super) fn of(
        text: &str,
        impulse: &[f64],
        certificate: &Certificate,
    ) -> Result<Self, Failure> {
        let unreadable =
            |message: String| Failure::Parse { message: format!("--exact: {message}"), span: None };
        let problem = carom_exact::parse(text).map_err(unreadable)?;
        let report = carom_exact::check(&problem, impulse).map_err(unreadable)?;
        // What is printed is checked, not what is meant.
        let printed = serde_json::to_value(CertificateAnswer(certificate))
            .map_err(|error| unreadable(error.to_string()))?;
        let disagreements = report.disagreements(&printed);
        Ok(Self { report, disagreements })
    }

    /// Whether the certificate is right and the impulse permissible.
    pub(super) fn agrees_and_holds(&self) -> bool {
        self.disagreements.is_empty() && self.report.is_permissible()
    }

    pub(super) fn to_json(&self) -> serde_json::Value {
        let mut value = self.report.to_json();
        value["disagreements"] = self.disagreements.clone().into();
        value
    }

    fn lines(&self) -> Vec<String> {
        let change = significant(self.report.energy_change(), DIGITS);
        let holds = if self.report.is_permissible() { "permissible" } else { "not permissible" };
        let kinetic = self
            .report
            .kinetic_energy_change()
            .map_or_else(String::new, |change| format!(", ΔT {} J", significant(change, DIGITS)));
        let mut lines = vec![format!("exactly  energy {change} J{kinetic}, {holds}")];
        match self.disagreements[..] {
            [] => lines.push("         the certificate agrees within its bounds".into()),
            ref all => lines.extend(all.iter().map(|d| format!("         but {d}"))),
        }
        lines
    }
}

fn run_stream(exact: bool) -> Result<Exit, Refusal> {
    let tally = stream::certify(&mut io::stdin().lock(), &mut io::stdout().lock(), exact)
        .map_err(Failure::from)?;
    Ok(tally.exit())
}
