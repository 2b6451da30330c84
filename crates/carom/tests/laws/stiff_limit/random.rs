//! Random impacts with friction of every kind.
//!
//! `CAROM_CLAIMS` sets their number; if absent it is 6,000. Of impacts whose masses differ by decades, which take a
//! thousand times as long, there are fewer: one for every 300. Impact `i` depends on the seed and on `i` alone:
//! `CAROM_CLAIMS_FROM=i CAROM_CLAIMS=1` repeats it.

use carom::catalog::SettingValue;
use carom::certify::Certificate;
use carom::outcome::{Effort, Note};
use carom::{ContactProblem, Law, Tolerances};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::{
    FrictionalKind, FrictionalSample, frictional, frictional_of,
};
use carom_testkit::judge::judge_frictional;
use carom_testkit::laws::{is_cut_off, law, try_several};
use std::collections::BTreeMap;
use std::fmt;
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

/// Whether forces inside the friction cones may hold each other: such bodies ring or press for ever.
///
/// Frank and Wolfe's method for the least `½ fᵀW f` over forces with `Σ f_n = 1`. Its gap bounds the least from below: above
/// zero nothing holds itself. A bound that rounding of the sums may have made is none.
fn may_be_wedged(problem: &ContactProblem) -> bool {
    const ITERATIONS: u32 = 100_000;
    const ROUNDINGS: f64 = 64.0 * f64::EPSILON;
    let rows = problem.rows();
    let mut f = vec![0.0; rows];
    let mut g = vec![0.0; rows];
    for iteration in 0..ITERATIONS {
        // The corner of the cones that the slope favours.
        let mut best = (f64::INFINITY, 0, [0.0; 2]);
        for (k, contact) in problem.contacts().iter().enumerate() {
            let first = problem.row_range(k).start;
            let tangents = &g[first + 1..problem.row_range(k).end];
            let size = tangents.iter().fold(0.0, |h: f64, x| h.hypot(*x));
            let mu = contact.material.mu;
            let value = g[first] - mu * size;
            if value < best.0 {
                let mut along = [0.0; 2];
                for (to, x) in along.iter_mut().zip(tangents) {
                    *to = if size > 0.0 { -mu * x / size } else { 0.0 };
                }
                best = (value, k, along);
            }
        }
        let mut corner = vec![0.0; rows];
        let range = problem.row_range(best.1);
        corner[range.start] = 1.0;
        corner[range.start + 1..range.end].copy_from_slice(&best.2[..range.len() - 1]);
        let toward = |i: usize| (0..rows).map(|j| problem.delassus_at(i, j) * corner[j]).sum();
        let pull: Vec<f64> = (0..rows).map(toward).collect();
        if iteration == 0 {
            (f, g) = (corner, pull);
            continue;
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (own, mixed, other) = (dot(&f, &g), dot(&corner, &g), dot(&corner, &pull));
        // ½ fᵀWf less the gap fᵀg − cornerᵀg.
        if mixed - 0.5 * own > ROUNDINGS * other {
            return false;
        }
        let curvature = own - 2.0 * mixed + other;
        let step = if curvature > 0.0 { ((own - mixed) / curvature).clamp(0.0, 1.0) } else { 1.0 };
        for i in 0..rows {
            f[i] += step * (corner[i] - f[i]);
            g[i] += step * (pull[i] - g[i]);
        }
    }
    true
}

#[derive(Default)]
struct Tally {
    impacts: u64,
    smoothed: u64,
    cut_off: u64,
    /// Those whose notes say that they were not followed from event to event.
    told: u64,
    wedged: u64,
    time: Duration,
    slowest: Duration,
    refusals: Vec<String>,
    faults: Vec<String>,
}

impl Tally {
    fn judge(&mut self, law: &Law, i: u64, sample: &FrictionalSample) {
        let problem = sample.problem();
        self.impacts += 1;
        let begin = Instant::now();
        let answer = try_several(law, &problem);
        let time = begin.elapsed();
        self.time += time;
        self.slowest = self.slowest.max(time);
        let outcome = match answer {
            Ok(outcome) => outcome,
            Err(_) if may_be_wedged(&problem) => {
                self.wedged += 1;
                return;
            }
            Err(error) => {
                self.refusals.push(format!("impact {i}: {error}; {sample:?}"));
                return;
            }
        };
        if let Effort::Springs(effort) = outcome.effort {
            self.smoothed += u64::from(effort.smoothed > 0);
        }
        self.cut_off += u64::from(is_cut_off(&outcome));
        let remedies = [Note::Smoothed, Note::BudgetSpent, Note::Truncated];
        self.told += u64::from(remedies.iter().any(|note| outcome.notes.contains(*note)));
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
                self.faults.push(format!("impact {i}: {name} {by:.1e}; {sample:?}"));
            }
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { impacts, smoothed, cut_off, wedged, time, slowest, refusals, faults, .. } = self;
        let mean = *time / (*impacts).max(1) as u32;
        let (refused, broken) = (refusals.len(), faults.len());
        write!(
            out,
            "{impacts} impacts, {broken} broken, {refused} refused, {wedged} wedged, {smoothed} smoothed, \
             {cut_off} cut off, {mean:?} each, {slowest:?} the slowest"
        )
    }
}

fn shown<'a>(lists: impl Iterator<Item = &'a Vec<String>>) -> String {
    lists.flatten().take(SHOWN).cloned().collect::<Vec<_>>().join("\n")
}

#[test]
fn impacts_of_every_kind_are_answered() {
    let law = with_every_event();
    let (from, count) = (number("CAROM_CLAIMS_FROM", 0), number("CAROM_CLAIMS", 6_000));
    let mut kinds: BTreeMap<FrictionalKind, Tally> = BTreeMap::new();
    for i in from..from + count {
        let sample = frictional(&mut Rng::for_item(SEED, i));
        if sample.kind != FrictionalKind::Decades {
            kinds.entry(sample.kind).or_default().judge(&law, i, &sample);
        }
    }
    let table: String = kinds.iter().map(|(kind, tally)| format!("{kind:?}: {tally}\n")).collect();
    println!("{table}");
    let faults = shown(kinds.values().map(|tally| &tally.faults));
    assert!(faults.is_empty(), "{table}{faults}");
    let refusals = shown(kinds.values().map(|tally| &tally.refusals));
    assert!(refusals.is_empty(), "{table}{refusals}");
    let told: u64 = kinds.values().map(|tally| tally.told).sum();
    let allowed = (1.0 - EXACT) * count as f64;
    assert!(told as f64 <= allowed.max(1.0), "{table}{told} not from event to event");
}

/// The law with work for every event: of stacks one in ten needs more than the budget is by default.
fn with_every_event() -> Law {
    let budget = ("budget".into(), SettingValue::Number(f64::INFINITY));
    Law::with_settings("stiff-limit", &[budget].into()).unwrap_or_else(|error| panic!("{error}"))
}

/// Impacts of the above in which a contact without restitution follows a falling demand by ever smaller jumps, or slip of the
/// size of rounding holds steps up: most not from event to event to the end, but answered, and those say so.
#[test]
fn where_events_have_no_end() {
    let law = law("stiff-limit");
    let mut tally = Tally::default();
    for i in [7_839, 15_105, 18_284, 38_821, 44_041, 99_332] {
        tally.judge(&law, i, &frictional(&mut Rng::for_item(SEED, i)));
    }
    println!("{tally}");
    assert!(tally.faults.is_empty(), "{}", shown(std::iter::once(&tally.faults)));
    assert!(tally.refusals.is_empty(), "{}", shown(std::iter::once(&tally.refusals)));
    assert!(tally.told >= tally.smoothed && tally.told >= 4, "{} of {tally} say so", tally.told);
    assert_eq!(tally.wedged, 0, "{tally}");
}

/// Where masses differ by twelve decades light bodies ring so often that some impacts are cut off; all are answered, and what
/// is answered holds.
#[test]
fn masses_that_differ_by_decades() {
    let law = with_every_event();
    let mut tally = Tally::default();
    for i in 0..number("CAROM_CLAIMS", 6_000).div_ceil(300) {
        let sample = frictional_of(FrictionalKind::Decades, &mut Rng::for_item(SEED, i));
        tally.judge(&law, i, &sample);
    }
    println!("{tally}");
    assert!(tally.faults.is_empty(), "{}", shown(std::iter::once(&tally.faults)));
    assert!(tally.refusals.is_empty(), "{}", shown(std::iter::once(&tally.refusals)));
    assert!(10 * tally.cut_off <= tally.impacts, "{tally}");
}
