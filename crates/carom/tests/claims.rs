//! Claims × catalogue: what each law's row promises, checked on random impacts of every kind.
//!
//! `CAROM_CLAIMS` sets the number of impacts per law and dimension (100 000 if absent). Impact `i` depends on the
//! seed and on `i` alone, so a failure is reproduced by what its message prints.

use carom::law::LawRow;
use carom::{ImpactError, ImpactLaw, Law, NoTrace, Outcome, Tolerances};
use carom_testkit::Rng;
use carom_testkit::generate::{Class, Sample, claims_contact};
use carom_testkit::judge::judge;
use carom_testkit::laws::every_law;
use std::panic::{AssertUnwindSafe, catch_unwind};

const SEED: u64 = 0x00ca_401d;

/// What a claim may be off by, relative to the size of the terms that were added up.
const TOLERANCE: f64 = 1e-12;

/// `u⁺ = u⁻ + W p` is three products and sums: each is rounded once.
const MOMENTUM_TOLERANCE: f64 = 8.0 * f64::EPSILON;

/// What became of one law's impacts.
#[derive(Clone, Debug, Default)]
struct Tally {
    answered: u64,
    no_solution_singular: u64,
    no_solution: u64,
    not_applicable: u64,
    failures: u64,
    /// The first few failures in words.
    reports: Vec<String>,
}

impl Tally {
    fn merge(&mut self, other: Self) {
        self.answered += other.answered;
        self.no_solution_singular += other.no_solution_singular;
        self.no_solution += other.no_solution;
        self.not_applicable += other.not_applicable;
        self.failures += other.failures;
        self.reports.extend(other.reports);
        self.reports.truncate(3);
    }

    fn check<const D: usize>(&mut self, row: &LawRow, law: &Law, sample: &Sample<D>, index: u64) {
        let answer = catch_unwind(AssertUnwindSafe(|| {
            law.resolve(&sample.contact, &Tolerances::NOMINAL, &mut NoTrace)
        }));
        let broken = match answer {
            Err(_) => Some("panicked".into()),
            Ok(Err(error)) => self.unexpected(row, sample, &error),
            Ok(Ok(outcome)) => {
                self.answered += 1;
                broken_claim(row, sample, &outcome)
            }
        };
        if let Some(symptom) = broken {
            self.failures += 1;
            if self.reports.len() < 3 {
                let (id, contact) = (row.id, &sample.contact);
                self.reports.push(format!(
                    "{id}, D = {D}, seed {SEED:#x}, impact {index} ({:?}): {symptom}\n    {contact:?}",
                    sample.class
                ));
            }
        }
    }

    /// Counts the errors that valid input may have; any other is told.
    fn unexpected<const D: usize>(
        &mut self,
        row: &LawRow,
        sample: &Sample<D>,
        error: &ImpactError,
    ) -> Option<String> {
        match error {
            // A locked mechanism cannot reach the rebound that some laws demand.
            ImpactError::NoSolution { .. } if sample.class == Class::Singular => {
                self.no_solution_singular += 1;
            }
            ImpactError::NoSolution { .. } if !row.claims.total => self.no_solution += 1,
            ImpactError::NotApplicable { .. } if !row.claims.total => self.not_applicable += 1,
            _ => return Some(format!("refused valid input: {error}")),
        }
        None
    }
}

/// The first claim that the outcome breaks, in words.
fn broken_claim<const D: usize>(
    row: &LawRow,
    sample: &Sample<D>,
    outcome: &Outcome<D>,
) -> Option<String> {
    let Outcome {
        impulse, velocity, ..
    } = outcome;
    if !impulse.is_finite() || !velocity.is_finite() {
        return Some(format!("not finite: p = {impulse:?}, u = {velocity:?}"));
    }
    let v = judge(&sample.contact, sample.energy, impulse, velocity);
    let claims = &row.claims;
    [
        ("momentum", true, v.momentum, MOMENTUM_TOLERANCE),
        ("energy", claims.energy, v.energy, TOLERANCE),
        ("separation", claims.separation, v.separation, TOLERANCE),
        ("normal impulse", claims.cone, v.normal, TOLERANCE),
        ("cone", claims.cone, v.cone, TOLERANCE),
        ("restitution", claims.restitution, v.restitution, TOLERANCE),
    ]
    .into_iter()
    // Written so that a NaN counts as broken.
    .find(|(_, claimed, violation, tolerance)| *claimed && !(violation <= tolerance))
    .map(|(name, _, violation, _)| {
        let effort = outcome.effort;
        format!("{name} broken by {violation:e}: p = {impulse:?}, u = {velocity:?}, {effort:?}")
    })
}

fn impacts_per_law() -> u64 {
    match std::env::var("CAROM_CLAIMS") {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("CAROM_CLAIMS = {text}: must be a number of impacts")),
        Err(_) => 100_000,
    }
}

/// Every law on the impacts `first, first + stride, …`.
fn run<const D: usize>(laws: &[(&LawRow, Law)], first: u64, stride: usize, end: u64) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); laws.len()];
    for index in (first..end).step_by(stride) {
        let sample = claims_contact::<D>(&mut Rng::for_item(SEED, index));
        for ((row, law), tally) in laws.iter().zip(&mut tallies) {
            tally.check(row, law, &sample, index);
        }
    }
    tallies
}

fn claims_hold<const D: usize>() {
    let laws = every_law::<D>();
    let impacts = impacts_per_law();
    let mut tallies = vec![Tally::default(); laws.len()];
    std::thread::scope(|scope| {
        let laws = &laws;
        let halves = [0, 1].map(|first| scope.spawn(move || run::<D>(laws, first, 2, impacts)));
        for half in halves {
            let half = half
                .join()
                .unwrap_or_else(|_| panic!("the runner itself panicked"));
            for (tally, other) in tallies.iter_mut().zip(half) {
                tally.merge(other);
            }
        }
    });
    println!("{impacts} impacts of {D} rows per law, seed {SEED:#x}");
    println!("law  answered  locked-no-solution  no-solution  not-applicable  failures");
    let mut reports = Vec::new();
    for ((row, _), tally) in laws.iter().zip(&tallies) {
        let Tally {
            answered,
            no_solution_singular,
            no_solution,
            not_applicable,
            failures,
            ..
        } = tally;
        println!(
            "{}  {answered}  {no_solution_singular}  {no_solution}  {not_applicable}  {failures}",
            row.id
        );
        if *failures > 0 {
            reports.push(format!("{}: {failures} failures, the first:", row.id));
            reports.extend(tally.reports.iter().cloned());
        } else if answered * 20 < impacts {
            // A law that refuses nearly everything has shown nothing.
            reports.push(format!(
                "{}: only {answered} of {impacts} impacts answered",
                row.id
            ));
        }
    }
    assert!(reports.is_empty(), "\n{}", reports.join("\n"));
}

#[test]
fn claims_hold_for_normal_contacts() {
    claims_hold::<1>();
}

#[test]
fn claims_hold_in_the_plane() {
    claims_hold::<2>();
}

#[test]
fn claims_hold_in_space() {
    claims_hold::<3>();
}
