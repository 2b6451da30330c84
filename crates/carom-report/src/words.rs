//! Judgements in words.

use crate::numbers::significant;
use carom::catalog::{ReadsE, SettingValue, Settings};
use carom::certify::{Inequality, IslandEnergy, Place, Violation};
use carom::outcome::{Effort, FinalMode, TraceEvent};
use carom::{Certificate, ContactProblem, Law, Recorder, Restitution, Verdict};
use carom_io::answer::SettingAnswer;
use carom_io::rounding;

/// How many digits people see \[1\].
pub const DIGITS: usize = 6;

/// What is wrong with an impulse: "creates 58.8 % energy". Empty if nothing is.
pub fn reasons(certificate: &Certificate) -> Vec<String> {
    let Verdict::Violates(which) = &certificate.verdict else {
        return Vec::new();
    };
    which.iter().filter_map(|inequality| reason(*inequality, certificate)).collect()
}

/// What is wrong about one condition where it fails worst; nothing if another one says it already.
pub fn reason(inequality: Inequality, c: &Certificate) -> Option<String> {
    // A pulling impulse is outside the cone as well: said once is enough.
    if inequality == Inequality::Cone && violates(c, Inequality::NormalImpulse) {
        return None;
    }
    let failing = c.violations.iter().filter(|v| v.inequality == inequality);
    let worst = failing.min_by(|a, b| (a.margin / a.scale).total_cmp(&(b.margin / b.scale)));
    worst.map(|violation| amount(violation, c))
}

/// What fails and where: "contact 1 leaves the cone by 7.5 N·s".
pub fn violation(violation: &Violation, c: &Certificate) -> String {
    let place = match violation.place {
        Place::Contact(k) => format!("contact {k}"),
        Place::Island(k) => {
            let shown = c.islands.get(k).map_or(&[][..], |island| &island.contacts);
            let (first, more) = shown.split_at(shown.len().min(8));
            let names: Vec<String> = first.iter().map(|k| k.to_string()).collect();
            let plural = if shown.len() == 1 { "" } else { "s" };
            let more = if more.is_empty() { "" } else { " …" };
            format!("contact{plural} {}{more}", names.join(", "))
        }
    };
    format!("{place}: {}", amount(violation, c))
}

fn amount(violation: &Violation, c: &Certificate) -> String {
    let short = significant(violation.margin.abs(), 3);
    match (violation.inequality, violation.place) {
        (Inequality::Energy, Place::Island(k)) => match c.islands.get(k) {
            Some(island) if island.overdrawn > 0.0 => format!("loses {short} J more than there is"),
            Some(IslandEnergy { available: Some(available), change, .. }) if *available > 0.0 => {
                format!("creates {} % energy", significant(100.0 * change / available, 4))
            }
            _ => format!("creates {short} J"),
        },
        (Inequality::Energy, Place::Contact(_)) => format!("creates {short} J"),
        (Inequality::Separation, _) => format!("still approaches at {short} m/s"),
        (Inequality::NormalImpulse, _) => format!("pulls with {short} N·s"),
        (Inequality::Cone, _) => format!("leaves the cone by {short} N·s"),
        (Inequality::Bilateral, _) => format!("tears a joint at {short} m/s"),
    }
}

fn violates(c: &Certificate, inequality: Inequality) -> bool {
    matches!(&c.verdict, Verdict::Violates(which) if which.contains(&inequality))
}

/// How a contact ended, as a verb; nothing if there is nothing to say.
pub fn ending(mode: FinalMode) -> Option<&'static str> {
    match mode {
        FinalMode::Untouched | FinalMode::Frictionless => None,
        FinalMode::Slip | FinalMode::Ray => Some("slips"),
        FinalMode::Stick => Some("sticks"),
        FinalMode::Diverge => Some("reverses"),
    }
}

/// What a law multiplies by e, in one short word.
pub fn e_means(reads: ReadsE) -> &'static str {
    match reads {
        ReadsE::Kinematic => "speed",
        ReadsE::Kinetic => "impulse",
        ReadsE::Energetic => "√work",
        ReadsE::Mixed => "mixed",
        ReadsE::Ignored => "unused",
    }
}

/// `E⁺/E0` of an answer.
pub fn energy_ratio(c: &Certificate) -> Option<f64> {
    rounding::energy_ratio(c.energy_available, c.energy_change)
}

/// The coefficients of restitution that the impact shows; nothing if there are none.
pub fn restitution_seen(c: &Certificate) -> Option<String> {
    if c.e_kinematic.len() > 1 {
        return restitutions_seen(c);
    }
    let mut seen: Vec<(String, f64)> = Vec::new();
    seen.extend(c.e_kinematic.iter().flatten().map(|e| ("kinematic".into(), *e)));
    if let Some(path) = &c.path {
        seen.extend(path.e_kinetic().map(|e| ("kinetic".into(), e)));
        seen.extend(path.e_energetic().map(|e| ("energetic".into(), e)));
    }
    let words = seen.iter().map(|(name, e)| format!("{name} {}", significant(*e, DIGITS)));
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// The same for several contacts: each of a few, the range of many.
fn restitutions_seen(c: &Certificate) -> Option<String> {
    const FEW: usize = 6;
    let approached = || c.e_kinematic.iter().enumerate().filter_map(|(k, e)| Some((k, (*e)?)));
    let low = approached().map(|(_, e)| e).reduce(f64::min)?;
    let high = approached().map(|(_, e)| e).reduce(f64::max)?;
    let shown = |e: f64| significant(e, DIGITS);
    Some(match approached().count() {
        n if n <= FEW => {
            let each = approached().map(|(k, e)| format!("[{k}] {}", shown(e)));
            format!("kinematic {}", each.collect::<Vec<_>>().join(", "))
        }
        n => format!("kinematic {} … {} of {n} contacts", shown(low), shown(high)),
    })
}

/// A law with its settings: `composite (incremental = routh-stronge, sigma = 0.5)`.
pub fn law_with_settings(law: &Law, settings: &Settings) -> String {
    let settings: Vec<String> = settings
        .iter()
        .map(|(name, value)| {
            if let SettingValue::Number(x) = value {
                return format!("{name} = {}", significant(*x, DIGITS));
            }
            let json = serde_json::to_string(&SettingAnswer(value));
            format!("{name} = {}", json.unwrap_or_default().trim_matches('"'))
        })
        .collect();
    match settings.is_empty() {
        true => law.id().to_owned(),
        false => format!("{} ({})", law.id(), settings.join(", ")),
    }
}

/// The work a law did.
pub fn effort(effort: &Effort) -> String {
    match effort {
        Effort::Contact(effort) => format!(
            "steps {} · compressions {} · solutions {} · final mode {}",
            effort.steps,
            effort.compressions,
            effort.solutions,
            effort.final_mode.name(),
        ),
        Effort::Solver(effort) => {
            let mut words = vec![format!("iterations {}", effort.iterations)];
            if effort.collisions > 0 {
                words.push(format!("collisions {} · ties {}", effort.collisions, effort.ties));
            }
            if effort.truncation > 0.0 {
                words.push(format!("truncation {}", significant(effort.truncation, 3)));
            }
            words.push(format!("ending {}", effort.ending.name()));
            if effort.residual > 0.0 {
                words.push(format!("residual {}", significant(effort.residual, 2)));
            }
            words.join(" · ")
        }
        Effort::Rounds(effort) => {
            let mut words = vec![
                format!("rounds {}", effort.rounds),
                format!("intervals {}", effort.intervals),
            ];
            let acted = effort.remedies.named().into_iter().filter(|(_, times)| *times > 0);
            words.extend(acted.map(|(name, times)| format!("{} {times}", remedy(name))));
            if effort.fallbacks > 0 {
                words.push(format!("islands stopped without restitution {}", effort.fallbacks));
            }
            if effort.truncated {
                words.push("cut off at the limit of rounds".into());
            }
            if effort.residual > 0.0 {
                words.push(format!("residual {}", significant(effort.residual, 2)));
            }
            words.join(" · ")
        }
        Effort::Springs(effort) => {
            let mut words = vec![format!("steps {}", effort.steps)];
            let more = [
                ("of them implicit", effort.stiff_steps),
                ("events", effort.events),
                ("stretches with smoothed friction", effort.smoothed),
                ("late closures", effort.late),
            ];
            let some = more.into_iter().filter(|(_, times)| *times > 0);
            words.extend(some.map(|(what, times)| format!("{what} {times}")));
            words.join(" · ")
        }
    }
}

/// What a remedy did, as a count of it follows.
fn remedy(name: &'static str) -> &'static str {
    match name {
        "limit" => "islands followed in the limit of ever shorter intervals",
        "energy_guard" => "expansions cut back",
        "jam_advance" => "jams carried on",
        "coulomb" => "intervals by Coulomb's implicit problem",
        "readd" => "contacts taken in again",
        "observe" => "slow approaches stopped",
        "together" => "rounds of contacts that had collided in turn",
        "slow_slip" => "slips too slow to be followed",
        "intervals" => "islands by short intervals in place of their limit",
        "budget" => "budgets spent",
        other => other,
    }
}

/// The path of an incremental law: `slide → maximum compression → stick → end`.
pub fn path(recorder: &Recorder, rows: usize) -> String {
    let events: Vec<TraceEvent> = recorder.events.iter().map(|(event, _)| *event).collect();
    let slides = recorder.events.first().is_some_and(|(_, at)| at.velocity[1..] != [0.0; 2]);
    let word = |(i, event): (usize, &TraceEvent)| match event {
        TraceEvent::Start if slides => Some("slide"),
        TraceEvent::Start => Some("press"),
        TraceEvent::MaximumCompression => Some("maximum compression"),
        TraceEvent::Recompression => Some("recompression"),
        // In the plane no slide changes its direction.
        TraceEvent::Ray if rows < 3 => None,
        TraceEvent::Ray => Some("constant direction"),
        // What follows says it already.
        TraceEvent::SlipStops
            if matches!(events.get(i + 1), Some(TraceEvent::Stick | TraceEvent::Reversal)) =>
        {
            None
        }
        TraceEvent::SlipStops => Some("slip stops"),
        TraceEvent::Stick => Some("stick"),
        TraceEvent::Reversal => Some("reversal"),
        TraceEvent::End => Some("end"),
    };
    let words: Vec<&str> = events.iter().enumerate().filter_map(word).collect();
    words.join(" → ")
}

/// The names of a contact's components: `n`, `n, t` or `n, t1, t2`.
pub fn axes(rows: usize) -> &'static [&'static str] {
    match rows {
        1 => &["n"],
        2 => &["n", "t"],
        _ => &["n", "t1", "t2"],
    }
}

/// The components of all contacts, numbered if there are several.
pub fn row_names(problem: &ContactProblem) -> Vec<String> {
    let several = problem.len() > 1;
    (0..problem.len())
        .flat_map(|k| {
            axes(problem.row_range(k).len()).iter().map(move |axis| match several {
                true => format!("{axis}[{k}]"),
                false => (*axis).to_owned(),
            })
        })
        .collect()
}

/// `e` as the contact has it, a curve with the approach speed [m/s] that it was read at.
pub fn restitution(restitution: &Restitution, speed: f64, digits: usize) -> String {
    let e = significant(restitution.at(speed), digits);
    match restitution {
        Restitution::Constant(_) => e,
        Restitution::Curve { .. } => format!("{e} at {} m/s", significant(speed, digits)),
    }
}
