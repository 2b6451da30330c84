//! Laws for several contacts with friction against compliant contacts, on random bricks.
//!
//! A few by default. `CAROM_LANDINGS=1000` takes a thousand edges and a thousand faces, and a tenth as many of the other
//! kinds; with `CAROM_REWRITE` set the table goes into `docs/book/src/compliant-limit.md`.

use crate::support::Tested;
use carom::system::Bodies;
use carom::{ImpactError, Law, Tolerances, Unobserved};
use carom_sim::compliant::{BodiesRun, Compliance, RunSettings, run_bodies};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::Landing;
use std::fmt::Write as _;
use std::path::Path;

const SEED: u64 = 7;
/// Stiff enough that what is left of the difference between a law and its limit is its own \[Pa\].
const MODULUS: f64 = 1e12;
/// The law that is the limit.
const LIMIT: &str = "stiff-limit";
/// Laws for several contacts with friction, as far as the catalogue has them.
const LAWS: [&str; 5] = [LIMIT, "plus", "newton-coulomb", "poisson-coulomb", "sequential"];
/// The limit agrees with nearly every run within this, at this stiffness \[1\].
const WITHIN: f64 = 1e-3;
/// And with half of those on edges and faces within this … \[1\].
const HALF_WITHIN: f64 = 1e-4;
/// … and with half of the others within this: a vertex turns the brick most, a slab passes the blow on \[1\].
const HALF_OF_OTHERS_WITHIN: f64 = 3e-4;
/// By default: runs of each kind, in the order of [`Landing::ALL`] \[1\].
const FEW: [u64; 6] = [12, 12, 12, 4, 4, 3];

/// What was found on one kind of landing.
struct Findings {
    kind: Landing,
    /// Distances from the run, one list per law; a law without an answer adds nothing.
    distances: Vec<Vec<f64>>,
    /// Distances of `routh-stronge`, where there is one contact.
    stronge: Vec<f64>,
    worst_balance: f64,
    runs: u64,
    /// Runs in which a contact closed again: a rigid limit may close it much later.
    reclosed: u64,
    /// Runs that closed again and end elsewhere than their limit.
    late: u64,
    given_up: u64,
}

fn velocities(bodies: &Bodies, law: &str) -> Result<Vec<carom::system::BodyVelocity>, ImpactError> {
    let (law, tolerances) = (Law::from_id(law)?, Tolerances::default());
    let outcome = law.resolve(bodies.problem(), &tolerances, &mut Unobserved)?;
    Ok(bodies.after(&outcome.impulse)?.bodies)
}

/// How far a law's velocities are from those of a run, in the norm of kinetic energy, relative to those before.
fn distance(bodies: &Bodies, run: &BodiesRun, law: &str) -> Option<f64> {
    let size = bodies.kinetic_distance(&bodies.velocities(), &[]);
    let after = velocities(bodies, law).ok()?;
    Some(bodies.kinetic_distance(&after, &run.bodies) / size)
}

fn findings(kind: Landing, runs: u64) -> Findings {
    let mut findings = Findings {
        kind,
        distances: vec![Vec::new(); LAWS.len()],
        stronge: Vec::new(),
        worst_balance: 0.0,
        runs,
        reclosed: 0,
        late: 0,
        given_up: 0,
    };
    for index in 0..runs {
        let bodies = kind.scene(&mut Rng::for_item(SEED, index)).bodies();
        let compliance = Compliance::of_modulus(MODULUS);
        let run = run_bodies(&bodies, &compliance, &RunSettings::default(), &mut Unobserved);
        let Ok(run) = run else {
            findings.given_up += 1;
            continue;
        };
        let balance = run.outcome.energy.relative_residual();
        findings.worst_balance = findings.worst_balance.max(balance);
        let recloses = run.outcome.contacts.iter().any(|contact| contact.reclosures() > 0);
        findings.reclosed += u64::from(recloses);
        if recloses && distance(&bodies, &run, LIMIT).is_some_and(|d| d > WITHIN) {
            findings.late += 1;
            continue;
        }
        for (list, law) in findings.distances.iter_mut().zip(LAWS) {
            list.extend(distance(&bodies, &run, law));
        }
        if kind == Landing::Vertex {
            findings.stronge.extend(distance(&bodies, &run, "routh-stronge"));
        }
    }
    findings
}

/// The middle and the largest of a list.
fn median_and_largest(list: &[f64]) -> Option<[f64; 2]> {
    let mut sorted = list.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some([*sorted.get(sorted.len() / 2)?, *sorted.last()?])
}

fn table(all: &[Findings]) -> String {
    let mut text = String::from("| landing | runs |");
    for law in LAWS {
        let _ = write!(text, " `{law}` |");
    }
    text.push_str("\n|---|--:|");
    text.push_str(&"--:|".repeat(LAWS.len()));
    text.push('\n');
    for findings in all {
        let _ = write!(text, "| {} | {} |", findings.kind.name(), findings.runs);
        for list in &findings.distances {
            let _ = match median_and_largest(list) {
                Some([median, most]) => write!(text, " {median:.1e} / {most:.1e} |"),
                None => write!(text, " – |"),
            };
        }
        text.push('\n');
    }
    let sum = |of: fn(&Findings) -> u64| all.iter().map(of).sum::<u64>();
    let _ = writeln!(
        text,
        "\nContacts closed again in {} runs; {} of these ended elsewhere than `{LIMIT}` by more than {WITHIN:e} and are \
         left out. {} runs were given up. Energy balances closed to {:.0e} at worst.",
        sum(|f| f.reclosed),
        sum(|f| f.late),
        sum(|f| f.given_up),
        all.iter().fold(0.0, |m: f64, f| m.max(f.worst_balance)),
    );
    for (i, law) in LAWS.iter().enumerate() {
        let answered = all.iter().map(|f| f.distances[i].len() as u64).sum::<u64>();
        let missing = sum(|f| f.runs - f.late - f.given_up) - answered;
        if missing > 0 {
            let _ = writeln!(text, "`{law}` had no answer to {missing} landings.");
        }
    }
    text
}

#[test]
fn laws_against_compliant_contacts() -> Tested {
    let asked: Option<u64> = match std::env::var("CAROM_LANDINGS") {
        Ok(text) => Some(text.parse()?),
        Err(_) => None,
    };
    let runs = |i: usize, kind: Landing| match (asked, kind) {
        (None, _) => FEW[i],
        (Some(many), Landing::Edge | Landing::Face) => many,
        (Some(many), _) => many.div_ceil(10),
    };
    let all: Vec<Findings> = Landing::ALL
        .into_iter()
        .enumerate()
        .map(|(i, kind)| findings(kind, runs(i, kind)))
        .collect();
    let text = table(&all);
    println!("seed {SEED}\n{text}");
    for findings in &all {
        let kind = findings.kind;
        assert_eq!(findings.given_up, 0, "{kind:?}");
        assert!(findings.worst_balance < 1e-8, "{kind:?}: {:e}", findings.worst_balance);
        // One contact: the limit is Stronge's law with e = 1.
        if let Some([median, most]) = median_and_largest(&findings.stronge) {
            assert!(median < HALF_OF_OTHERS_WITHIN && most < WITHIN, "{median:e} {most:e}");
        }
        if let Some([median, most]) = median_and_largest(&findings.distances[0]) {
            let half = match kind {
                Landing::Edge | Landing::Face => HALF_WITHIN,
                _ => HALF_OF_OTHERS_WITHIN,
            };
            assert!(median < half && most < WITHIN, "{kind:?}: {median:e} {most:e}");
        }
    }
    if asked.is_some() && std::env::var_os("CAROM_REWRITE").is_some() {
        rewrite(&text)?;
    }
    Ok(())
}

/// What is left falls with the penetration, as E^{−2/5}: half of all landings come close to that order.
#[test]
fn the_limit_is_approached_with_the_penetration() -> Tested {
    for (kind, law) in
        [(Landing::Vertex, "routh-stronge"), (Landing::Edge, LIMIT), (Landing::EdgeOnFree, LIMIT)]
    {
        let mut orders = Vec::new();
        for index in 0..9 {
            let bodies = kind.scene(&mut Rng::for_item(SEED, index)).bodies();
            let error = |modulus: f64| -> Result<Option<f64>, ImpactError> {
                let compliance = Compliance::of_modulus(modulus);
                let run =
                    run_bodies(&bodies, &compliance, &RunSettings::default(), &mut Unobserved)?;
                Ok(distance(&bodies, &run, law))
            };
            if let (Some(soft), Some(hard)) = (error(1e10)?, error(MODULUS)?) {
                orders.push((soft / hard).log10() / 2.0);
            }
        }
        orders.sort_by(f64::total_cmp);
        let median = orders[orders.len() / 2];
        assert!((median - 0.4).abs() < 0.02, "{kind:?}: {orders:?}");
    }
    Ok(())
}

fn rewrite(table: &str) -> Tested {
    const BEGIN: &str = "<!-- landings: written by tests/compliant/landings.rs of carom-sim -->\n";
    const END: &str = "<!-- /landings -->";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/compliant-limit.md");
    let page = std::fs::read_to_string(&path)?;
    let (head, rest) = page.split_once(BEGIN).ok_or("the mark before the table")?;
    let (_, tail) = rest.split_once(END).ok_or("the mark after the table")?;
    std::fs::write(path, [head, BEGIN, table, END, tail].concat())?;
    Ok(())
}
