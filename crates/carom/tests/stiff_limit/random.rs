//! Random impacts with friction of every kind.
//!
//! `CAROM_CLAIMS` sets their number; if absent it is 6,000. Impact `i` depends on the seed and on `i` alone:
//! `CAROM_CLAIMS_FROM=i CAROM_CLAIMS=1` repeats it.

use carom::certify::Certificate;
use carom::outcome::ProblemEffort;
use carom::{ContactProblem, Tolerances};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::{FrictionalKind, frictional};
use carom_testkit::judge::judge_frictional;
use carom_testkit::laws::{multi_law, try_several};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const SEED: u64 = 0x571f_f11a;
/// At least this share is answered from event to event \[1\].
const EXACT: f64 = 0.999;
/// Energy created, of all that the contacts could take away \[1\].
const ENERGY: f64 = 1e-10;
/// How far impulses may leave their cones, relative to the largest \[1\].
const CONE: f64 = 1e-9;
/// How fast contacts may still approach, relative to the largest speed before \[1\].
const SEPARATION: f64 = 1e-8;
/// Reports that are shown.
const SHOWN: usize = 12;

fn number(name: &str, default: u64) -> u64 {
    let parse = |text: String| {
        text.parse().unwrap_or_else(|_| panic!("{name} = {text}: must be a number of impacts"))
    };
    std::env::var(name).map_or(default, parse)
}

fn energy_available(problem: &ContactProblem) -> f64 {
    let nothing = vec![0.0; problem.rows()];
    Certificate::of(problem, &nothing, &Tolerances::NOMINAL)
        .ok()
        .and_then(|certificate| certificate.energy_available)
        .unwrap_or_else(|| panic!("small systems have an energy"))
}

#[derive(Default)]
struct Tally {
    impacts: u64,
    refused: u64,
    smoothed: u64,
    time: Duration,
    slowest: Duration,
}

#[test]
fn impacts_of_every_kind_are_answered() {
    let law = multi_law("stiff-limit");
    let (from, count) = (number("CAROM_CLAIMS_FROM", 0), number("CAROM_CLAIMS", 6_000));
    let mut kinds: BTreeMap<FrictionalKind, Tally> = BTreeMap::new();
    let (mut faults, mut refusals) = (Vec::new(), Vec::new());
    for i in from..from + count {
        let sample = frictional(&mut Rng::for_item(SEED, i));
        let problem = sample.problem();
        let tally = kinds.entry(sample.kind).or_default();
        tally.impacts += 1;
        let begin = Instant::now();
        let answer = try_several(&law, &problem);
        let time = begin.elapsed();
        tally.time += time;
        tally.slowest = tally.slowest.max(time);
        let outcome = match answer {
            Ok(outcome) => outcome,
            Err(error) => {
                tally.refused += 1;
                refusals.push(format!("impact {i}: {error}; {sample:?}"));
                continue;
            }
        };
        if let ProblemEffort::Compliant(effort) = outcome.effort {
            tally.smoothed += u64::from(effort.smoothed > 0);
        }
        let v = judge_frictional(&problem, energy_available(&problem), &outcome.impulse);
        let broken = [
            ("energy", v.energy, ENERGY),
            ("cone", v.cone, CONE),
            ("pull", v.pulls, CONE),
            ("approach", v.separation, SEPARATION),
        ];
        for (name, by, allowed) in broken {
            // A NaN counts as broken.
            if by.is_nan() || by > allowed {
                faults.push(format!("impact {i}: {name} {by:.1e}; {sample:?}"));
            }
        }
    }
    let mut table = String::new();
    for (kind, Tally { impacts, refused, smoothed, time, slowest }) in &kinds {
        let mean = *time / (*impacts).max(1) as u32;
        table += &format!(
            "{kind:?}: {impacts} impacts, {refused} refused, {smoothed} smoothed, {mean:?} each, {slowest:?} the slowest\n"
        );
    }
    println!("{table}");
    let shown = |list: &[String]| list[..list.len().min(SHOWN)].join("\n");
    assert!(faults.is_empty(), "{table}{} faults\n{}", faults.len(), shown(&faults));
    let other: u64 = kinds.values().map(|t| t.refused + t.smoothed).sum();
    let refused: u64 = kinds.values().map(|t| t.refused).sum();
    assert!(refused == 0, "{table}{refused} refused\n{}", shown(&refusals));
    assert!(other as f64 <= (1.0 - EXACT) * count as f64, "{table}{other} not from event to event");
}
