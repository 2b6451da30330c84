//! Every law on every system, on two threads, watched.

use carom::catalog::LawInfo;
use carom::outcome::{Effort, ProblemOutcome};
use carom::{ContactProblem, ImpactError, Law};
use carom_testkit::laws::{every_multi_law, is_cut_off, is_near, try_several};
use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

pub const SEED: u64 = 0x05e7_e4a1;

/// Threads per test.
const WORKERS: u64 = 2;
/// No impact takes longer, even on a machine busy with other things.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often a long run says how far it is.
const TELL_EVERY: Duration = Duration::from_secs(30);

/// What became of one law on one system.
pub enum Verdict {
    /// The claim holds.
    Held,
    /// The law has no answer, or none that is final, and its row says so.
    Excused,
    /// The claim does not hold, in words.
    Broken(String),
}

/// What became of one law's systems.
#[derive(Clone, Debug, Default)]
struct Tally {
    held: u64,
    excused: u64,
    failures: u64,
    /// The first few failures in words.
    reports: Vec<String>,
    time: Duration,
    /// The longest of them, and which system that was.
    longest: (Duration, u64),
}

/// Without `CAROM_CLAIMS`, laws that work step by step take their share of the systems only, one in so many, so that the
/// whole takes a minute; with it every law takes all.
fn stride(law: &str) -> u64 {
    match law {
        _ if asked().is_some() || only().is_some() => 1,
        "lzb" | "stiff-limit" => 100,
        "mosterman" => 10,
        _ => 1,
    }
}

fn asked() -> Option<u64> {
    let text = std::env::var("CAROM_CLAIMS").ok()?;
    let count = text.parse();
    Some(count.unwrap_or_else(|_| panic!("CAROM_CLAIMS = {text}: must be a number of systems")))
}

pub fn systems_per_law() -> u64 {
    asked().unwrap_or(100_000)
}

/// The systems that were asked for by number, to see a failure again.
fn only() -> Option<&'static Vec<u64>> {
    static ONLY: OnceLock<Option<Vec<u64>>> = OnceLock::new();
    let read = || {
        let text = std::env::var("CAROM_SYSTEMS").ok()?;
        let number = |item: &str| {
            item.parse().unwrap_or_else(|_| panic!("CAROM_SYSTEMS = {text}: {item} is no number"))
        };
        Some(text.split(',').map(number).collect())
    };
    ONLY.get_or_init(read).as_ref()
}

fn picked(index: u64) -> bool {
    only().is_none_or(|only| only.contains(&index))
}

fn chosen(id: &str) -> bool {
    std::env::var("CAROM_LAWS").map_or(true, |names| names.split(',').any(|name| name == id))
}

/// Checks a claim of every law whose row makes it, on `count` systems. `make` builds a system and tells the coefficient
/// for laws that have one for the whole impact.
pub fn survey<S: std::fmt::Debug>(
    what: &str,
    count: u64,
    claims: impl Fn(&LawInfo) -> bool + Sync,
    make: impl Fn(u64) -> (S, f64) + Sync,
    check: impl Fn(&'static LawInfo, &Law, &S) -> Verdict + Sync,
) {
    let tallies: Mutex<BTreeMap<&str, Tally>> = Mutex::default();
    let progress: [AtomicU64; WORKERS as usize] = Default::default();
    let at_work: [Mutex<String>; WORKERS as usize] = Default::default();
    let run = |worker: u64| {
        let mut own: BTreeMap<&str, Tally> = BTreeMap::new();
        for index in (worker..count).step_by(WORKERS as usize).filter(|&index| picked(index)) {
            let (system, restitution) = make(index);
            for (row, law) in every_multi_law(restitution) {
                // The stride counts pairs of indices, so that both workers take part.
                if !claims(row)
                    || !chosen(row.id)
                    || !(index / WORKERS).is_multiple_of(stride(row.id))
                {
                    continue;
                }
                if let Ok(mut text) = at_work[worker as usize].lock() {
                    text.clear();
                    text.push_str(row.id);
                }
                progress[worker as usize].store(index + 1, Ordering::Relaxed);
                let begin = Instant::now();
                let verdict = catch_unwind(AssertUnwindSafe(|| check(row, &law, &system)))
                    .unwrap_or_else(|_| Verdict::Broken("panicked".into()));
                let tally = own.entry(row.id).or_default();
                let time = begin.elapsed();
                tally.time += time;
                tally.longest = tally.longest.max((time, index));
                match verdict {
                    Verdict::Held => tally.held += 1,
                    Verdict::Excused => tally.excused += 1,
                    Verdict::Broken(symptom) => {
                        tally.failures += 1;
                        if tally.reports.len() < 3 {
                            tally.reports.push(format!(
                                "{}, {what}, seed {SEED:#x}, system {index}: {symptom}\n    {system:?}",
                                row.id
                            ));
                        }
                    }
                }
            }
        }
        let mut all = tallies.lock().unwrap_or_else(|_| panic!("the other worker panicked"));
        for (id, tally) in own {
            let sum = all.entry(id).or_default();
            sum.held += tally.held;
            sum.excused += tally.excused;
            sum.failures += tally.failures;
            sum.reports.extend(tally.reports);
            sum.time += tally.time;
            sum.longest = sum.longest.max(tally.longest);
        }
    };
    std::thread::scope(|scope| {
        let run = &run;
        let workers: Vec<_> = (0..WORKERS).map(|w| scope.spawn(move || run(w))).collect();
        let mut seen = [(0, Instant::now()); WORKERS as usize];
        let mut told = Instant::now();
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(5));
            if told.elapsed() > TELL_EVERY {
                told = Instant::now();
                let done = progress[0].load(Ordering::Relaxed);
                let _ = writeln!(std::io::stderr(), "{what}: {done} of {count} systems");
            }
            for (w, (last, since)) in seen.iter_mut().enumerate() {
                let now = progress[w].load(Ordering::Relaxed);
                if now != *last || workers[w].is_finished() {
                    (*last, *since) = (now, Instant::now());
                } else if since.elapsed() > PATIENCE && now > 0 {
                    // Only the end of the process stops an endless loop. Past the capture of test output.
                    let law = at_work[w].lock().map(|text| text.clone()).unwrap_or_default();
                    let system = make(now - 1).0;
                    let _ = writeln!(
                        std::io::stderr(),
                        "{law}, {what}, seed {SEED:#x}, system {}: does not end\n    {system:?}",
                        now - 1
                    );
                    std::process::exit(101);
                }
            }
        }
    });
    let tallies = tallies.into_inner().unwrap_or_else(|_| panic!("a worker panicked"));
    report(what, count, &tallies);
}

fn report(what: &str, count: u64, tallies: &BTreeMap<&str, Tally>) {
    println!("{what}: {count} systems, seed {SEED:#x}");
    println!("law  held  excused  failures  µs-per-system  longest-ms  of-system");
    let mut reports = Vec::new();
    for (id, tally) in tallies {
        let Tally { held, excused, failures, time, longest: (longest, system), .. } = tally;
        let systems = held + excused + failures;
        let each = time.as_secs_f64() * 1e6 / systems as f64;
        let longest = longest.as_secs_f64() * 1e3;
        println!("{id}  {held}  {excused}  {failures}  {each:.1}  {longest:.1}  {system}");
        if *failures > 0 {
            reports.push(format!("{id}: {failures} failures, the first:"));
            reports.extend(tally.reports.iter().take(3).cloned());
        } else if held * 3 < systems {
            // A law that refuses nearly everything has shown nothing.
            reports.push(format!("{id}: only {held} of {systems} systems answered"));
        }
    }
    assert!(reports.is_empty(), "\n{}", reports.join("\n"));
}

/// The law's answer, or the verdict on its refusal.
pub fn answer(
    row: &LawInfo,
    law: &Law,
    problem: &ContactProblem,
) -> Result<ProblemOutcome, Verdict> {
    let outcome = try_several(law, problem).map_err(|error| match error {
        // Only a law whose row says so, and only where redundant contacts may ask for what no motion has.
        ImpactError::NoSolution { .. } if !row.claims.total && is_redundant(row, problem) => {
            Verdict::Excused
        }
        // With friction nobody can tell in space that there is no solution.
        ImpactError::NotConverged { .. }
            if !row.claims.total && row.friction && is_redundant(row, problem) =>
        {
            Verdict::Excused
        }
        error => Verdict::Broken(format!("refused valid input: {error}")),
    })?;
    if outcome.impulse.iter().chain(&outcome.velocity).any(|x| !x.is_finite()) {
        return Err(Verdict::Broken(format!("not finite: {outcome:?}")));
    }
    Ok(outcome)
}

/// The same where two answers are compared: a law of rounds or springs that was cut off, or fell back on another law, says so,
/// and where depends on rounding.
pub fn last_answer(
    row: &LawInfo,
    law: &Law,
    problem: &ContactProblem,
) -> Result<ProblemOutcome, Verdict> {
    let outcome = answer(row, law, problem)?;
    match &outcome.effort {
        Effort::Rounds(_) | Effort::Springs(_)
            if !row.claims.terminates && is_cut_off(&outcome) =>
        {
            Err(Verdict::Excused)
        }
        Effort::Solver(_) if is_near(&outcome) => Err(Verdict::Excused),
        _ => Ok(outcome),
    }
}

/// Directions with less than this part of the mobility of a row are redundant contacts: far above rounding, so that
/// whoever is this near may be refused as if it were \[1\].
const REDUNDANT: f64 = 1e-9;

fn is_redundant(row: &LawInfo, problem: &ContactProblem) -> bool {
    match row.friction {
        true => scaled_eigenvalues(problem, &(0..problem.rows()).collect::<Vec<_>>()),
        false => mobilities(problem),
    }
    .min()
        < REDUNDANT
}

/// The eigenvalues of `W` of the normal rows, scaled to unit diagonal \[1\].
pub fn mobilities(problem: &ContactProblem) -> nalgebra::DVector<f64> {
    let rows: Vec<usize> = (0..problem.len()).map(|k| problem.row_range(k).start).collect();
    scaled_eigenvalues(problem, &rows)
}

fn scaled_eigenvalues(problem: &ContactProblem, rows: &[usize]) -> nalgebra::DVector<f64> {
    let size = |i: usize| problem.delassus_at(i, i).sqrt();
    let w = nalgebra::DMatrix::from_fn(rows.len(), rows.len(), |a, b| {
        let scale = size(rows[a]) * size(rows[b]);
        if scale > 0.0 { problem.delassus_at(rows[a], rows[b]) / scale } else { 0.0 }
    });
    w.symmetric_eigenvalues()
}
