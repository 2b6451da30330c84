//! What `plus` promises of impacts with friction, on random systems of every kind.
//!
//! `CAROM_CLAIMS` sets the number of impacts; if absent it is 8 000 (`cargo xtask test --long` takes ten million).
//! Impact `i` depends on the seed and on `i` alone, so a failure is reproduced by what its message prints, or by
//! `CAROM_CLAIMS_FROM=i CAROM_CLAIMS=1`. Every answer is judged by itself; with `CAROM_CLAIMS_COMPARED=k` only every
//! `k`th is also compared with the published algorithm and with the limit, which takes a third of the time.

use carom::catalog::{SettingValue, Settings};
use carom::certify::Certificate;
use carom::laws::Plus;
use carom::outcome::{Effort, ProblemOutcome, RoundsEffort};
use carom::{ContactProblem, Law, Tolerances};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::{FrictionalKind, FrictionalSample, frictional};
use carom_testkit::judge::judge_frictional;
use carom_testkit::laws::{law, try_several};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

const SEED: u64 = 0xf21c_7104;
/// Threads.
const WORKERS: u64 = 2;
/// No impact takes longer, even on a machine busy with other things.
const PATIENCE: Duration = Duration::from_secs(120);
/// At least this share is answered \[1\].
const ANSWERED: f64 = 0.9999;
/// At most this share is answered by another law \[1\].
const FALLBACKS: f64 = 0.01;
/// Energy created, of all that the contacts could take away \[1\].
const ENERGY: f64 = 1e-10;
/// How far impulses may leave their cones, relative to the largest \[1\].
const CONE: f64 = 1e-9;
/// How fast contacts may still approach, relative to the largest speed before \[1\].
const SEPARATION: f64 = 1e-6;
/// How far the default may be from the published algorithm where that works, relative to the largest speed \[1\].
const SAME: f64 = 1e-5;
/// The limit takes longer than the law: so few are compared with it.
const LIMIT_STRIDE: u64 = 4;
/// Velocities changed by this part lead to the same limit \[1\].
const JITTER: f64 = 1e-6;
/// Limits that differ by less are the same, relative to the speed \[1\].
const STEADY: f64 = 1e-4;
/// Approaches between these parts of the largest speed are noise; slower ones the published algorithm takes for none \[1\].
const NOISE: [f64; 2] = [1e-10, 1e-6];

/// What became of an impact; the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Held,
    Panicked,
    Endless,
    Refused,
    CreatesEnergy,
    LeavesCone,
    Pulls,
    Approaches,
    /// Other than the published algorithm where that works.
    Differs,
    /// Where that does not work, far from the limit of ever shorter intervals.
    FarFromLimit,
}

#[derive(Default)]
struct Tally {
    fates: BTreeMap<(FrictionalKind, Fate), u64>,
    /// Impacts that another law answered, of each kind.
    fallbacks: BTreeMap<FrictionalKind, Vec<u64>>,
    remedied: u64,
    /// Impacts that spent the budget.
    overspent: u64,
    compared: u64,
    /// Compared with the limit instead.
    limits: u64,
    /// The first few of each fate but the best.
    reports: Vec<(Fate, u64, String)>,
    /// The slowest.
    slow: BTreeSet<(Duration, u64)>,
    time: Duration,
}

/// The share of impacts on which a part of the budget may be spent: half of those that need a remedy.
const OVERSPENT: f64 = 0.08;

/// Reports of one fate that are kept.
const KEPT: usize = 8;

impl Tally {
    fn enter(&mut self, sample: &FrictionalSample, fate: Fate, index: u64, words: &str) {
        *self.fates.entry((sample.kind, fate)).or_default() += 1;
        if fate != Fate::Held {
            let text = format!("{fate:?}, seed {SEED:#x}, impact {index}: {words}\n    {sample:?}");
            self.reports.push((fate, index, text));
        }
    }

    fn add(&mut self, other: Self) {
        for (key, n) in other.fates {
            *self.fates.entry(key).or_default() += n;
        }
        for (kind, indices) in other.fallbacks {
            self.fallbacks.entry(kind).or_default().extend(indices);
        }
        self.remedied += other.remedied;
        self.overspent += other.overspent;
        self.compared += other.compared;
        self.limits += other.limits;
        self.time += other.time;
        self.slow.extend(other.slow);
        while self.slow.len() > KEPT {
            self.slow.pop_first();
        }
        for report in other.reports {
            if self.reports.iter().filter(|(fate, ..)| *fate == report.0).count() < KEPT {
                self.reports.push(report);
            }
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    let parse = |text: String| {
        text.parse().unwrap_or_else(|_| panic!("{name} = {text}: must be a number of impacts"))
    };
    std::env::var(name).map_or(default, parse)
}

fn compared() -> u64 {
    number("CAROM_CLAIMS_COMPARED", 1).max(1)
}

/// The published algorithm but for its rule on slip that is slow at the end of a round, which lets friction drive slip.
fn published() -> Law {
    let settings: Settings = [
        ("energy_guard".into(), SettingValue::Switch(false)),
        ("closest_point".into(), SettingValue::Switch(true)),
    ]
    .into();
    Law::with_settings("plus", &settings).unwrap_or_else(|error| panic!("{error}"))
}

fn patient() -> Law {
    let settings: Settings = [("budget".into(), SettingValue::Number(1e12))].into();
    Law::with_settings("plus", &settings).unwrap_or_else(|error| panic!("{error}"))
}

/// The law, what it was made from, and what it tends to.
struct Laws {
    default: Law,
    /// The same with all the work it wants.
    patient: Law,
    published: Law,
    limit: Law,
    /// Every so many answers are compared with the other two.
    compared: u64,
}

fn effort(outcome: &ProblemOutcome) -> &RoundsEffort {
    match &outcome.effort {
        Effort::Rounds(effort) => effort,
        other => panic!("plus goes by rounds: {other:?}"),
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

fn energy_available(problem: &ContactProblem) -> f64 {
    let nothing = vec![0.0; problem.rows()];
    let certificate = Certificate::of(problem, &nothing, &Tolerances::NOMINAL);
    let certificate = certificate.unwrap_or_else(|error| panic!("{error}"));
    certificate.energy_available.unwrap_or_else(|| panic!("small systems have an energy"))
}

/// What is wrong with an answer by itself.
fn judged(problem: &ContactProblem, impulse: &[f64]) -> (Fate, String) {
    let v = judge_frictional(problem, energy_available(problem), impulse);
    [
        (Fate::CreatesEnergy, v.energy, ENERGY),
        (Fate::LeavesCone, v.cone, CONE),
        (Fate::Pulls, v.pulls, CONE),
        (Fate::Approaches, v.separation, SEPARATION),
    ]
    .into_iter()
    // A NaN counts as broken.
    .find(|(_, violation, allowed)| violation.is_nan() || violation > allowed)
    .map_or((Fate::Held, String::new()), |(fate, violation, _)| {
        (fate, format!("by {violation:.1e}"))
    })
}

/// The velocities that the published algorithm leads to where it is to be followed: it answers, creates no energy, and
/// no approach is mere noise. It gives all islands one step length, the default each its own, so each is asked by itself.
fn model(laws: &Laws, sample: &FrictionalSample, problem: &ContactProblem) -> Option<Vec<f64>> {
    let mut velocity = vec![0.0; problem.rows()];
    for island in problem.islands() {
        let part = sample.mechanism.reordered(&island.contacts).problem();
        let outcome = published_answer(laws, &part)?;
        for (own, &k) in island.contacts.iter().enumerate() {
            velocity[problem.row_range(k)].copy_from_slice(&outcome.velocity[part.row_range(own)]);
        }
    }
    Some(velocity)
}

fn published_answer(laws: &Laws, island: &ContactProblem) -> Option<ProblemOutcome> {
    let speed = largest(island.velocity());
    let noisy = |k: usize| {
        let approach = -island.velocity()[island.row_range(k).start];
        approach > NOISE[0] * speed && approach <= NOISE[1] * speed
    };
    if (0..island.len()).any(noisy) {
        return None;
    }
    let outcome = try_several(&laws.published, island).ok()?;
    let (fate, _) = judged(island, &outcome.impulse);
    (fate == Fate::Held).then_some(outcome)
}

/// What is wrong with an answer of the law's own where the published algorithm has none, the limit being unique.
fn far_from_limit(
    laws: &Laws,
    sample: &FrictionalSample,
    problem: &ContactProblem,
    outcome: &ProblemOutcome,
    index: u64,
    tally: &mut Tally,
) -> Option<String> {
    let limit = |problem: &ContactProblem| {
        // Short intervals in place of the limit are none.
        let own = |outcome: &ProblemOutcome| {
            effort(outcome).fallbacks == 0 && effort(outcome).remedies.intervals == 0
        };
        try_several(&laws.limit, problem).ok().filter(own)
    };
    if !index.is_multiple_of(LIMIT_STRIDE) {
        return None;
    }
    let apart = |a: &[f64], b: &[f64]| -> f64 {
        let square = |(a, b): (&f64, &f64)| (a - b) * (a - b);
        a.iter().zip(b).map(square).sum::<f64>().sqrt() / norm(problem.velocity())
    };
    let exact = limit(problem)?;
    // A limit that jumps for the slightest reason is none.
    let mut near = sample.mechanism.clone();
    for (i, v) in near.velocity.iter_mut().enumerate() {
        *v *= 1.0 + JITTER * [1.0, -1.0, 0.5][i % 3];
    }
    if apart(&limit(&near.problem())?.velocity, &exact.velocity) > STEADY {
        return None;
    }
    tally.limits += 1;
    let law = Plus::default();
    let allowed = 0.35 * law.max_direction_change + law.transition_speed / norm(problem.velocity());
    let off = apart(&outcome.velocity, &exact.velocity);
    // A NaN counts as far.
    off.total_cmp(&allowed).is_gt().then(|| {
        let remedies: Vec<_> =
            effort(outcome).remedies.named().into_iter().filter(|(_, n)| *n > 0).collect();
        format!("by {off:.1e} of the speed, {allowed:.1e} is allowed; {remedies:?}")
    })
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn fate(laws: &Laws, sample: &FrictionalSample, index: u64, tally: &mut Tally) -> (Fate, String) {
    let problem = sample.problem();
    let begin = Instant::now();
    let outcome = match try_several(&laws.default, &problem) {
        Ok(outcome) => outcome,
        Err(error) => return (Fate::Refused, error.to_string()),
    };
    tally.time += begin.elapsed();
    if effort(&outcome).fallbacks > 0 {
        tally.fallbacks.entry(sample.kind).or_default().push(index);
    }
    tally.remedied += u64::from(effort(&outcome).remedies.named().iter().any(|(_, n)| *n > 0));
    let verdict = judged(&problem, &outcome.impulse);
    if verdict.0 != Fate::Held || !index.is_multiple_of(laws.compared) {
        return verdict;
    }
    let mut outcome = outcome;
    if effort(&outcome).remedies.budget > 0 {
        // It says of itself that it is a simpler way's answer: what is compared is the one without a budget.
        tally.overspent += 1;
        outcome = match try_several(&laws.patient, &problem) {
            Ok(outcome) => outcome,
            Err(error) => return (Fate::Refused, error.to_string()),
        };
    }
    let Some(model) = model(laws, sample, &problem) else {
        return match far_from_limit(laws, sample, &problem, &outcome, index, tally) {
            Some(words) => (Fate::FarFromLimit, words),
            None => verdict,
        };
    };
    tally.compared += 1;
    let off: Vec<f64> = outcome.velocity.iter().zip(&model).map(|(a, b)| a - b).collect();
    let off = largest(&off) / largest(problem.velocity());
    // A NaN counts as different.
    if off.total_cmp(&SAME).is_gt() {
        let remedies: Vec<_> =
            effort(&outcome).remedies.named().into_iter().filter(|(_, n)| *n > 0).collect();
        return (Fate::Differs, format!("by {off:.1e} of the speed; {remedies:?}"));
    }
    verdict
}

/// One worker's part of the impacts, and how far it is.
#[derive(Default)]
struct Progress {
    tally: Mutex<Tally>,
    at: AtomicU64,
    done: AtomicBool,
}

impl Progress {
    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(|_| panic!("a worker panicked"))
    }
}

/// Works off every [`WORKERS`]th impact.
fn work(progress: Arc<Progress>, first: u64, end: u64) {
    let laws = Laws {
        default: law("plus"),
        patient: patient(),
        published: published(),
        limit: law("plus-exact"),
        compared: compared(),
    };
    for index in (first..end).step_by(WORKERS as usize) {
        progress.at.store(index, Ordering::Relaxed);
        let sample = frictional(&mut Rng::for_item(SEED, index));
        let begin = Instant::now();
        let mut own = Tally::default();
        let judgement = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            fate(&laws, &sample, index, &mut own)
        }));
        own.slow.insert((begin.elapsed(), index));
        let (fate, words) = judgement.unwrap_or((Fate::Panicked, String::new()));
        own.enter(&sample, fate, index, &words);
        progress.tally().add(own);
    }
    progress.done.store(true, Ordering::Relaxed);
}

/// Watches a worker; one that is lost in an endless impact is left behind, and another goes on after it.
fn supervise(first: u64, end: u64) -> Tally {
    let mut sum = Tally::default();
    let mut next = first;
    loop {
        let progress = Arc::new(Progress::default());
        let own = Arc::clone(&progress);
        std::thread::spawn(move || work(own, next, end));
        let (mut last, mut since) = (u64::MAX, Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(5));
            let at = progress.at.load(Ordering::Relaxed);
            if progress.done.load(Ordering::Relaxed) {
                sum.add(std::mem::take(&mut progress.tally()));
                return sum;
            }
            if at != last {
                (last, since) = (at, Instant::now());
            } else if since.elapsed() > PATIENCE {
                break;
            }
        }
        sum.add(std::mem::take(&mut progress.tally()));
        sum.enter(&frictional(&mut Rng::for_item(SEED, last)), Fate::Endless, last, "");
        next = last + WORKERS;
    }
}

#[test]
fn impacts_are_answered_and_certified() {
    let (from, count) = (number("CAROM_CLAIMS_FROM", 0), number("CAROM_CLAIMS", 8_000));
    let mut sum = Tally::default();
    std::thread::scope(|scope| {
        let spawn = |w: u64| scope.spawn(move || supervise(from + w, from + count));
        let workers: Vec<_> = (0..WORKERS).map(spawn).collect();
        for worker in workers {
            sum.add(worker.join().unwrap_or_else(|_| panic!("a worker panicked")));
        }
    });
    println!("{count} impacts, seed {SEED:#x}");
    for ((kind, fate), n) in &sum.fates {
        println!("{kind:?}  {fate:?}  {n}");
    }
    let fallbacks: u64 = sum.fallbacks.values().map(|indices| indices.len() as u64).sum();
    println!(
        "remedied {}, fallbacks {fallbacks}, compared {}, with the limit {}",
        sum.remedied, sum.compared, sum.limits
    );
    for (kind, indices) in &mut sum.fallbacks {
        indices.sort_unstable();
        println!(
            "{kind:?}  fallbacks {}, the first {:?}",
            indices.len(),
            &indices[..indices.len().min(KEPT)]
        );
    }
    let each = 1e6 * sum.time.as_secs_f64() / count as f64;
    println!("{each:.1} µs each, slowest {:.3?}", sum.slow);
    let of = |fate: Fate| -> u64 {
        sum.fates.iter().filter(|((_, other), _)| *other == fate).map(|(_, n)| n).sum()
    };
    sum.reports.sort_by_key(|(fate, index, _)| (*fate, *index));
    let told: Vec<&str> = sum.reports.iter().map(|(.., text)| &text[..]).collect();
    let told = told.join("\n");
    let share = |n: u64| n as f64 / count as f64;
    let broken = count - of(Fate::Held) - of(Fate::Refused);
    assert_eq!(broken, 0, "\n{told}");
    assert!(1.0 - share(of(Fate::Refused)) >= ANSWERED, "{} refused\n{told}", of(Fate::Refused));
    assert!(share(fallbacks) <= FALLBACKS, "{fallbacks} by another law");
    assert!(share(sum.overspent) <= OVERSPENT, "{} budgets spent", sum.overspent);
    // Whoever compares nothing has shown nothing.
    assert!(2 * compared() * sum.compared > count, "only {} compared", sum.compared);
}
