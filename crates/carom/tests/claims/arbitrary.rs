//! Every law for several contacts on anything that is finite: an answer in finite numbers or an error in words, and soon.

use carom::outcome::{Observer, Progress};
use carom::system::{Generalized, MassMatrix};
use carom::{ContactKind, ContactProblem, ContactSpec, Material, Tolerances};
use carom_testkit::Rng;
use carom_testkit::laws::every_multi_law;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

const SEED: u64 = 0xf0_55;

/// Problems for every law.
const PROBLEMS: u64 = 400;

/// After this long a law is asked to stop, and must.
const ASKED: Duration = Duration::from_millis(50);

/// However busy the machine: nobody works longer than this.
const PATIENCE: Duration = Duration::from_secs(30);

/// Asks a law to stop once it has worked for long enough.
struct Deadline(Instant);

impl Observer for Deadline {
    fn progress(&mut self, _: Progress) -> ControlFlow<()> {
        if self.0.elapsed() > ASKED { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Mostly everyday numbers, sometimes zero, sometimes of extreme size.
fn number(rng: &mut Rng) -> f64 {
    match rng.index(10) {
        0 | 1 => 0.0,
        2 => rng.normal() * rng.log_uniform(1e-12, 1e12),
        3 => (rng.index(5) as f64 - 2.0) * libm::exp2(rng.index(80) as f64 - 40.0),
        4..=6 => rng.index(5) as f64 - 2.0,
        _ => rng.normal(),
    }
}

fn positive(rng: &mut Rng) -> f64 {
    match rng.index(3) {
        0 => rng.log_uniform(1e-12, 1e12),
        1 => (1 + rng.index(4)) as f64,
        _ => rng.log_uniform(0.1, 10.0),
    }
}

fn contact(rng: &mut Rng, rows: usize) -> ContactSpec {
    let mu = [0.0, 0.3, 2.0, f64::INFINITY][rng.index(4) as usize];
    let e = [0.0, 1.0, 0.5, rng.unit()][rng.index(4) as usize];
    let mut material = Material::new(mu, e).unwrap_or_else(|e| panic!("{e}"));
    material.stiffness = positive(rng);
    if rng.chance(0.2) {
        material.coupling = Some(rng.unit());
    }
    let kind = if rng.chance(0.1) { ContactKind::Bilateral } else { ContactKind::Unilateral };
    ContactSpec { kind, ..ContactSpec::new(rows, material) }
}

/// A problem of up to forty contacts, or nothing where carom refuses it in words.
fn problem(rng: &mut Rng) -> Option<ContactProblem> {
    let count = match rng.index(8) {
        0 => 1 + rng.index(40) as usize,
        _ => 1 + rng.index(6) as usize,
    };
    let contacts: Vec<ContactSpec> = (0..count)
        .map(|_| {
            let rows = if rng.chance(0.7) { 1 } else { 1 + rng.index(3) as usize };
            contact(rng, rows)
        })
        .collect();
    let rows: usize = contacts.iter().map(|c| c.rows).sum();
    let f = 1 + rng.index(8) as usize;
    let jacobian: Vec<f64> = (0..rows * f).map(|_| number(rng)).collect();
    if rng.chance(0.3) {
        // In contact space, with velocities that no motion need have.
        let mut w = vec![0.0; rows * rows];
        for i in 0..rows {
            for j in 0..=i {
                let entry = (0..f).map(|k| jacobian[i * f + k] * jacobian[j * f + k]).sum();
                (w[i * rows + j], w[j * rows + i]) = (entry, entry);
            }
        }
        let u: Vec<f64> = (0..rows).map(|_| number(rng)).collect();
        return ContactProblem::new(&w, &u, &contacts).ok();
    }
    let mass = MassMatrix::Diagonal((0..f).map(|_| positive(rng)).collect());
    let velocity = (0..f).map(|_| number(rng)).collect();
    let mut system = Generalized::new(mass, velocity, jacobian, contacts);
    if rng.chance(0.2) {
        let joints = (0..f).map(|_| number(rng)).collect();
        system = system.and_then(|s| s.with_bilateral(joints));
    }
    if rng.chance(0.2) {
        system = system.and_then(|s| s.with_drive((0..rows).map(|_| number(rng)).collect()));
    }
    system.ok().map(|s| s.problem().clone())
}

#[test]
fn every_law_answers_or_says_why_not() {
    println!("seed {SEED:#x}");
    let (mut posed, mut answered) = (0, 0);
    for index in 0..PROBLEMS {
        let mut rng = Rng::for_item(SEED, index);
        let Some(problem) = problem(&mut rng) else { continue };
        posed += 1;
        for (row, law) in every_multi_law(0.5) {
            let begin = Instant::now();
            let answer = catch_unwind(AssertUnwindSafe(|| {
                law.resolve(&problem, &Tolerances::NOMINAL, &mut Deadline(begin))
            }));
            let time = begin.elapsed();
            let what = format!("{}, seed {SEED:#x}, problem {index}", row.id);
            assert!(time < PATIENCE, "{what}: {time:?} although asked to stop; {problem:?}");
            let Ok(answer) = answer else { panic!("{what} panicked; {problem:?}") };
            match answer {
                Ok(outcome) => {
                    answered += 1;
                    let finite =
                        outcome.impulse.iter().chain(&outcome.velocity).all(|x| x.is_finite());
                    assert!(finite, "{what}: {outcome:?}; {problem:?}");
                }
                Err(error) => {
                    assert!(!error.to_string().contains("NaN"), "{what}: {error}; {problem:?}")
                }
            }
        }
    }
    println!("{answered} answers to {posed} problems");
    assert!(posed > PROBLEMS / 2 && answered > posed, "{answered} answers to {posed} problems");
}
