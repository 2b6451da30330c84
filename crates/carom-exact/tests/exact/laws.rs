//! Answers of every law, checked.

use super::{count, judge};
use carom::Unobserved;
use carom_io::format::{LawSpec, Problem};
use carom_io::resolution::Resolution;
use carom_testkit::problem_line;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The law's answer to a line, and its id; nothing if it is refused.
fn answer(line: &Value) -> Option<(String, Vec<f64>)> {
    let node = |value: &Value| serde_json::from_str(&value.to_string()).ok();
    let problem = Problem::read(&node(&line["problem"])?).ok()?;
    let law = match line.get("law") {
        Some(law) => LawSpec::read(&node(law)?).ok()?,
        None => problem.law_or_default(),
    };
    // Springs by the thousand steps are not what is looked for.
    let resolution = Resolution::of(&problem.system, law.build().ok()?, &mut Unobserved).ok()?;
    Some((law.id.clone(), resolution.outcome.impulse))
}

/// What took longest, and which line that was.
#[derive(Clone, Copy, Default)]
struct Slowest {
    time: Duration,
    line: u64,
}

impl Slowest {
    fn note(&mut self, time: Duration, line: u64) {
        if time > self.time {
            *self = Self { time, line };
        }
    }
}

/// `CAROM_EXACT_ANSWERS` answers to random problems, each of one of the laws; 550 by default. `CAROM_EXACT_FROM` is the
/// first line, so that long runs can be shared.
#[test]
fn certificates_agree_with_rational_numbers() {
    let (seed, wanted) = (0x1a35, count("CAROM_EXACT_ANSWERS", 550));
    let first = count("CAROM_EXACT_FROM", 0);
    println!("seed {seed}, {wanted} answers, from line {first}");
    let mut checked = BTreeMap::<String, u64>::new();
    let (mut answers, mut disagreements) = (0, Vec::new());
    let (mut law_time, mut check_time) = (Slowest::default(), Slowest::default());
    let mut index = first;
    while answers < wanted {
        let line = problem_line(seed, index);
        let begin = Instant::now();
        let answered = answer(&line);
        law_time.note(begin.elapsed(), index);
        if let Some((law, impulse)) = answered {
            let begin = Instant::now();
            let judged = judge(&line["problem"], &impulse).unwrap();
            check_time.note(begin.elapsed(), index);
            if !judged.disagreements.is_empty() {
                let found = judged.disagreements;
                disagreements.push(format!("{index}, {law}: {found:?}\n{line}\n{impulse:?}"));
            }
            *checked.entry(law).or_default() += 1;
            answers += 1;
        }
        index += 1;
        if index.is_multiple_of(2000) {
            eprintln!("{answers} answers, {} disagree", disagreements.len());
        }
    }
    println!("{answers} answers to {} lines: {checked:?}", index - first);
    for (what, Slowest { time, line }) in [("law", law_time), ("check", check_time)] {
        println!("slowest {what}: {time:?} on line {line}");
    }
    let shown = disagreements.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(disagreements.is_empty(), "{} disagree:\n{shown}", disagreements.len());
    let missing = carom::catalog::all().filter(|law| !checked.contains_key(law.id)).count();
    assert!(missing == 0 || wanted < 550, "{missing} laws have no answer: {checked:?}");
}
