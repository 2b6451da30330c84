//! One contact: Routh's law, as long as it is compressed once.

use crate::support::{distance, law, norm, resolve, word};
use carom::{Contact, ContactProblem, ContactSpec};
use carom_testkit::generate::generic_set;

const SEED: u64 = 0x51de;
const SAME: f64 = 1e-10;

/// The contact as a problem of its first `rows` rows.
fn problem(contact: &Contact<3>, rows: usize) -> ContactProblem {
    let w = contact.delassus().rows();
    let entries: Vec<f64> = w[..rows].iter().flat_map(|row| row[..rows].to_vec()).collect();
    let u = &contact.velocity().components()[..rows];
    let contacts = vec![ContactSpec::new(rows, *contact.material())];
    ContactProblem::new(&entries, u, &contacts).unwrap_or_else(|error| panic!("{error}"))
}

struct Seen {
    compared: usize,
    worst: f64,
    refused: Vec<String>,
}

fn compare(contacts: &[Contact<3>], rows: usize, debt: &str) -> Seen {
    let exact = law("plus-exact", [("restitution", word(debt))]);
    let routh =
        carom::Law::from_id(&format!("routh-{debt}")).unwrap_or_else(|error| panic!("{error}"));
    let mut seen = Seen { compared: 0, worst: 0.0, refused: Vec::new() };
    for contact in contacts {
        let problem = problem(contact, rows);
        let Some((expected, compressions)) = routh_impulse(&routh, &problem, rows) else {
            continue;
        };
        if compressions > 1 {
            continue;
        }
        let outcome = match resolve(&exact, &problem) {
            Ok(outcome) => outcome,
            Err(error) => {
                seen.refused.push(format!("{error}: {contact:?}"));
                continue;
            }
        };
        seen.compared += 1;
        let velocity = problem.velocity_after(&expected);
        let off = (distance(&outcome.velocity, &velocity) / norm(problem.velocity()))
            .max(distance(&outcome.impulse, &expected) / norm(&expected));
        if off > SAME && seen.worst <= SAME {
            println!(
                "{off:e} {rows} {debt}: {contact:?} {:?} {expected:?} {:?}",
                outcome.impulse, outcome.effort
            );
        }
        seen.worst = seen.worst.max(off);
    }
    seen
}

fn routh_impulse(
    law: &carom::Law,
    problem: &ContactProblem,
    rows: usize,
) -> Option<(Vec<f64>, u32)> {
    use carom::{ImpactLaw, NoTrace, Tolerances};
    macro_rules! solve {
        ($d:literal) => {{
            let contact = problem.contact::<$d>(0).unwrap_or_else(|error| panic!("{error}"));
            let outcome = law.resolve(&contact, &Tolerances::NOMINAL, &mut NoTrace).ok()?;
            Some((outcome.impulse.components().to_vec(), outcome.effort.compressions))
        }};
    }
    match rows {
        1 => solve!(1),
        2 => solve!(2),
        _ => solve!(3),
    }
}

#[test]
fn one_compression_is_rouths() {
    let contacts = generic_set(SEED, 10_000);
    for rows in 1..=3 {
        for debt in ["poisson", "stronge"] {
            let start = std::time::Instant::now();
            let seen = compare(&contacts, rows, debt);
            println!(
                "{rows} {debt}: {} compared, worst {:e}, {} refused, {:?} each",
                seen.compared,
                seen.worst,
                seen.refused.len(),
                start.elapsed() / 10_000
            );
            for refused in seen.refused.iter().take(3) {
                println!("{refused}");
            }
            assert!(seen.worst <= SAME, "{rows} rows, {debt}: {:e}", seen.worst);
        }
    }
}
