//! One scene under several laws.

use super::{About, Opened, report, sample_times, watched, with_settings};
use crate::cli::Simulate as Arguments;
use crate::commands::{Exit, print, print_json};
use crate::progress;
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::ImpactError;
use carom_io::failure::Failure;
use carom_io::format::LawSpec;
use carom_io::output::Target;
use carom_io::plain;
use carom_report::motion::{Beside, page_of_several, parting, times};
use carom_report::numbers::{significant, thousands};
use carom_report::words::DIGITS;
use carom_scene::SceneFile;
use carom_scene::answer::MotionAnswer;
use carom_sim::motion::{EndReason, Motion, Options};
use serde_json::{Value, json};
use std::path::Path;

/// A motion under one of the laws.
struct Followed {
    law: LawSpec,
    file: SceneFile,
    motion: Motion,
}

/// Follows the scene under each law, and says when they part from the first.
pub fn run(args: &Arguments, path: &Path, opened: &Opened) -> Result<Exit, About> {
    let elsewhere = |failure: Failure| About::Else(failure.into());
    let of_one = [
        ("--csv", args.csv),
        ("--out", args.out.is_some()),
        ("--events", args.events.is_some()),
        ("--check", args.check),
    ];
    if let Some((option, _)) = of_one.into_iter().find(|(_, given)| *given) {
        return Err(elsewhere(Failure::Usage(format!("{option} takes one --law"))));
    }
    let file = SceneFile::of(&opened.source).map_err(About::File)?;
    let mut laws: Vec<LawSpec> = Vec::new();
    for id in &args.law {
        let law = with_settings(LawSpec::new(id), &args.set).map_err(|e| elsewhere(e.into()))?;
        laws.push(law);
    }
    let _working = progress::working();
    let mut followed = Vec::new();
    for law in &laws {
        let mut file = file.clone();
        file.scene.law = Some(law.build().map_err(|error| elsewhere(error.into()))?);
        let motion = follow(&file, &Options::at(vec![0.0, file.scene.duration]), law)?;
        followed.push(Followed { law: law.clone(), file, motion });
    }
    // Where they part is found at the same times for all.
    let wanted = sample_times(args, &file.scene).map_err(elsewhere)?;
    let mut at: Vec<f64> = followed.iter().flat_map(|f| times(&f.file.scene, &f.motion)).collect();
    at.extend(&wanted);
    at.sort_by(f64::total_cmp);
    at.dedup();
    for one in &mut followed {
        one.motion = follow(&one.file, &Options::at(at.clone()), &one.law)?;
    }
    let parted: Vec<Option<f64>> =
        followed.iter().map(|one| parting(&followed[0].motion, &one.motion)).collect();
    if let Some(out) = &args.report {
        write_page(args, path, opened, &followed, &parted, out)?;
    }
    for one in &mut followed {
        one.motion.samples.retain(|sample| wanted.contains(&sample.time));
    }
    let printed = match args.json {
        true => print_json(&answer(&followed, &parted).map_err(elsewhere)?),
        false => print(&text(&file, &followed, &parted)),
    };
    printed.map_err(About::Else)?;
    if progress::interrupted() {
        return Ok(Exit::Interrupted);
    }
    let failed = |one: &Followed| matches!(one.motion.end.reason, EndReason::Failed(_));
    Ok(if followed.iter().any(failed) { Exit::Unanswered } else { Exit::Answered })
}

fn follow(file: &SceneFile, options: &Options, law: &LawSpec) -> Result<Motion, About> {
    let motion = watched(&file.scene, options, &format!("following under {}", law.id))
        .map_err(|error| About::File(error.into()))?;
    match motion.end.reason {
        EndReason::Interrupted => {
            let error = ImpactError::Limit("interrupted".to_owned());
            Err(About::Else(Failure::from(error).into()))
        }
        _ => Ok(motion),
    }
}

fn write_page(
    args: &Arguments,
    path: &Path,
    opened: &Opened,
    followed: &[Followed],
    parted: &[Option<f64>],
    out: &Path,
) -> Result<(), About> {
    let mut pages = Vec::new();
    for (one, parts_at) in followed.iter().zip(parted) {
        let settings = args.set.iter().map(|setting| format!(" --set {setting}"));
        let options: String =
            [format!(" --law {}", one.law.id)].into_iter().chain(settings).collect();
        let page =
            report::text(args, &opened.source, &one.file, Some(&one.law), &one.motion, &options)
                .map_err(About::File)?;
        let Some(page) = page else { return Ok(()) };
        let told = format!("{} impacts, {}.", thousands(impacts(&one.motion)), end(&one.motion));
        pages.push(Beside { law: one.law.id.clone(), told, parts_at: *parts_at, page });
    }
    let title = followed[0].file.title.as_deref().unwrap_or("A motion");
    let inputs = [path];
    let target = Target { path: out, inputs: &inputs, force: args.force };
    let _whole = progress::writing();
    target.write(page_of_several(title, &pages)).map_err(|e| About::Else(e.into()))
}

fn impacts(motion: &Motion) -> usize {
    usize::try_from(motion.effort.impacts).unwrap_or(usize::MAX)
}

fn end(motion: &Motion) -> String {
    let time = significant(motion.end.time, 9);
    match &motion.end.reason {
        EndReason::Duration => format!("followed for {time} s"),
        EndReason::Rest => format!("at rest at {time} s"),
        other => format!("{} at {time} s", other.name()),
    }
}

/// A row for each law.
fn text(file: &SceneFile, followed: &[Followed], parted: &[Option<f64>]) -> String {
    let bold = Style::new().bold();
    let mut table = Table::default();
    table.push(vec![
        Cell::left("law").styled(bold),
        Cell::right("impacts").styled(bold),
        Cell::right("energy at last J").styled(bold),
        Cell::left("end").styled(bold),
        Cell::left("parts from the first").styled(bold),
    ]);
    for (k, (one, parts_at)) in followed.iter().zip(parted).enumerate() {
        let parts = match parts_at {
            _ if k == 0 => "–".to_owned(),
            Some(time) => format!("at {} s", significant(*time, 9)),
            None => "never".to_owned(),
        };
        table.push(vec![
            Cell::left(one.law.id.clone()),
            Cell::right(thousands(impacts(&one.motion))),
            Cell::right(significant(one.motion.ledger.end, DIGITS)),
            Cell::left(end(&one.motion)),
            Cell::left(parts),
        ]);
    }
    let title = file.title.iter().map(|title| format!("{bold}{title}{bold:#}"));
    let notes = followed.iter().flat_map(|one| {
        let law = &one.law.id;
        one.motion.notes.iter().map(move |note| format!("note     {law}: {}", plain::name(note)))
    });
    let failures = followed.iter().filter_map(|one| match &one.motion.end.reason {
        EndReason::Failed(failure) => {
            Some(format!("failed   {}: {}", one.law.id, plain::name(&failure.message)))
        }
        _ => None,
    });
    let lines: Vec<String> = title.chain(table.lines(3)).chain(failures).chain(notes).collect();
    lines.join("\n") + "\n"
}

/// The answer of each law, with the time at which it parts from the first.
fn answer(followed: &[Followed], parted: &[Option<f64>]) -> Result<Value, Failure> {
    let mut laws = Vec::new();
    for (one, parts_at) in followed.iter().zip(parted) {
        let answer = MotionAnswer {
            id: None,
            scene: &one.file.scene,
            motion: &one.motion,
            contacts: false,
            check: None,
        };
        let motion = serde_json::to_value(answer).map_err(|error| Failure::Write {
            name: "standard output".into(),
            error: error.into(),
        })?;
        laws.push(json!({ "law": one.law.id, "parts_at": parts_at, "motion": motion }));
    }
    Ok(json!({ "laws": laws }))
}
