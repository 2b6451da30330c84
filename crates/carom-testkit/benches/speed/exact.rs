//! Routh's law in space, exact, and what others do instead.

use crate::{measure, table};
use carom::{Contact, ContactVec, Delassus, Law, Material};
use carom_testkit::generate::{MIRTICH_DELASSUS, MIRTICH_VELOCITY, generic_set};
use carom_testkit::laws::{law, resolve};
use carom_testkit::oracle::{Split, Stop, dop853, double_double, euler};
use std::hint::black_box;

const SEED: u64 = 1;
const IMPACTS: usize = 3000;

/// Three microseconds per impact [ns].
const MEAN_TARGET: f64 = 3000.0;

pub fn lines() {
    generic();
    corrected_mirtich();
}

/// The generic set, the three rules of restitution in equal shares.
fn generic() {
    let laws = ["routh-stronge", "routh-poisson", "routh-newton"].map(law);
    let impacts: Vec<(Law, Contact<3>)> = generic_set(SEED, IMPACTS)
        .into_iter()
        .enumerate()
        .map(|(i, contact)| (laws[i % laws.len()], contact))
        .collect();
    let spread = measure::each(&impacts, |(law, contact)| {
        black_box(resolve(law, black_box(contact)));
    });
    let name = "exact Routh, generic set";
    table::at_most(&format!("{name}, mean"), spread.mean, "ns", MEAN_TARGET);
    table::line(&format!("{name}, p99"), spread.p99, "ns");
    table::line(&format!("{name}, max"), spread.max, "ns");
}

/// The example with two compressions, against the integrations that reach a given error on it.
fn corrected_mirtich() {
    let contact = Delassus::new(MIRTICH_DELASSUS)
        .and_then(|w| Contact::new(w, ContactVec::new(MIRTICH_VELOCITY), Material::new(0.5, 0.9)?))
        .expect("the example is a valid contact");
    let split = Split::from(&contact);
    let truth = double_double::routh(&split, Stop::Stronge).impulse;
    let law = law("routh-stronge");

    let outcome = resolve(&law, &contact);
    let name = "exact Routh–Stronge, corrected Mirtich";
    table::line(
        &format!("{name}, error"),
        error(&outcome.impulse.components(), &truth) * 1e15,
        "1e-15",
    );
    let exact = |calls: usize| {
        for _ in 0..calls {
            black_box(resolve(&law, black_box(&contact)));
        }
    };

    let steps = || std::iter::successors(Some(1e-3), |delta| Some(0.5 * delta));
    let delta = steps()
        .find(|delta| error(&euler::routh_stronge(&split, *delta).impulse, &truth) <= 1e-6)
        .expect("Euler's method converges");
    let [ours, theirs] = measure::in_turns(
        21,
        &mut (),
        |()| exact(1000),
        |()| {
            black_box(euler::routh_stronge(black_box(&split), delta));
        },
    );
    table::line(&format!("{name}, time"), ours / 1000.0, "ns");
    table::at_least(
        &format!("{name}, Euler at 1e-6 over it"),
        theirs / (ours / 1000.0),
        "×",
        1000.0,
    );

    let tolerances = || std::iter::successors(Some(1e-8), |tolerance| Some(0.5 * tolerance));
    let tolerance = tolerances()
        .find(|tolerance| {
            error(&dop853::routh(&split, Stop::Stronge, *tolerance).impulse, &truth) <= 1e-10
        })
        .expect("DOP853 converges");
    let [ours, theirs] = measure::in_turns(
        201,
        &mut (),
        |()| exact(100),
        |()| {
            for _ in 0..10 {
                black_box(dop853::routh(black_box(&split), Stop::Stronge, tolerance));
            }
        },
    );
    let ratio = (theirs / 10.0) / (ours / 100.0);
    table::at_least(&format!("{name}, DOP853 at 1e-10 over it"), ratio, "×", 10.0);
}

/// `|p − p*| / |p*|`.
fn error(impulse: &[f64; 3], truth: &[f64; 3]) -> f64 {
    let norm = |x: [f64; 3]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    norm(std::array::from_fn(|i| impulse[i] - truth[i])) / norm(*truth)
}
