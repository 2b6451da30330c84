//! `carom certify`: judge an impulse of any origin.

use super::resolve::judgement;
use super::{Exit, Loaded, Refusal, parse_impulse, print, print_json, stream};
use crate::cli::Certify;
use carom_io::answer::JudgementAnswer;
use carom_io::failure::Failure;
use carom_report::numbers::ends;
use carom_report::words::DIGITS;
use std::io;

pub fn run(args: &Certify) -> Result<Exit, Refusal> {
    let (Some(path), Some(impulse)) = (&args.file, &args.impulse) else {
        return run_stream();
    };
    let impulse = parse_impulse(impulse)?;
    let loaded = Loaded::open(path)?;
    let (certificate, after) = carom::certify(&loaded.problem.system, &impulse)?;
    let contact_velocity = loaded.problem.system.problem().velocity_after(&impulse);
    if args.json {
        print_json(&JudgementAnswer {
            id: None,
            certificate: &certificate,
            contact_velocity: &contact_velocity,
            after: &after,
        })?;
    } else {
        let mut lines = vec![
            format!("p        {} N·s", ends(&impulse, DIGITS)),
            format!("u⁺       {} m/s", ends(&contact_velocity, DIGITS)),
        ];
        lines.extend(judgement(&certificate));
        print(&(lines.join("\n") + "\n"))?;
    }
    Ok(match certificate.verdict.is_permissible() {
        true => Exit::Answered,
        false => Exit::Violates,
    })
}

fn run_stream() -> Result<Exit, Refusal> {
    let tally = stream::certify(&mut io::stdin().lock(), &mut io::stdout().lock())
        .map_err(Failure::from)?;
    Ok(tally.exit())
}
