//! Answers of every law, checked.

use super::{count, judge};
use carom::Unobserved;
use carom_io::format::{LawSpec, Problem};
use carom_io::resolution::Resolution;
use carom_testkit::problem_line;
use serde_json::Value;
use std::collections::BTreeMap;

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

/// `CAROM_EXACT_LINES` random problems, each through one of the laws; 600 by default.
#[test]
fn certificates_agree_with_rational_numbers() {
    let (seed, lines) = (0x1a35, count("CAROM_EXACT_LINES", 600));
    println!("seed {seed}, {lines} lines");
    let mut checked = BTreeMap::<String, u64>::new();
    for index in 0..lines {
        let line = problem_line(seed, index);
        let Some((law, impulse)) = answer(&line) else { continue };
        let judged = judge(&line["problem"], &impulse).unwrap();
        assert_eq!(judged.disagreements, [""; 0], "{law}: {line}, impulse {impulse:?}");
        *checked.entry(law).or_default() += 1;
    }
    println!("{} answers: {checked:?}", checked.values().sum::<u64>());
    let missing = carom::catalog::all().filter(|law| !checked.contains_key(law.id)).count();
    assert!(missing == 0 || lines < 600, "{missing} laws have no answer: {checked:?}");
}
