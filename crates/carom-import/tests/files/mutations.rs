//! Files with random faults: a scene or an error with its place, never a panic, and nothing that is not finite.

use super::{robot, text};
use carom_sim::motion::{BodyKind, mass_matrix};

/// A number from a seed, always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % end.max(1)
    }
}

/// What replaces a word.
const WORDS: [&str; 16] = [
    "",
    "0",
    "-1",
    "nan",
    "inf",
    "1e308",
    "-1e308",
    "1e-320",
    "true",
    "world",
    "hip",
    "mesh",
    "1 2",
    "\u{e9}",
    "999999999999",
    "0 0 0 0",
];

/// Replaces the value of an attribute, exchanges two, or takes out or doubles a piece of text.
fn fault(file: &str, random: &mut Random) -> String {
    let values: Vec<(usize, usize)> = {
        let quotes: Vec<usize> = file.match_indices('"').map(|(at, _)| at).collect();
        quotes.chunks_exact(2).map(|pair| (pair[0] + 1, pair[1])).collect()
    };
    let one = values[random.below(values.len())];
    let other = values[random.below(values.len())];
    let replaced = |(from, to): (usize, usize), by: &str| [&file[..from], by, &file[to..]].concat();
    match random.below(12) {
        0..=2 => replaced(one, WORDS[random.below(WORDS.len())]),
        3 => replaced(one, &file[other.0..other.1]),
        6.. => {
            // Another digit.
            let digits: Vec<usize> =
                (one.0..one.1).filter(|at| file.as_bytes()[*at].is_ascii_digit()).collect();
            match digits.get(random.below(digits.len())) {
                Some(&at) => replaced((at, at + 1), &random.below(10).to_string()),
                None => file.to_owned(),
            }
        }
        kind => {
            let tags: Vec<usize> = file.match_indices('<').map(|(at, _)| at).collect();
            let from = tags[random.below(tags.len())];
            let to = tags[random.below(tags.len())];
            let (from, to) = (from.min(to), from.max(to).min(from.min(to) + 400));
            let Some(piece) = file.get(from..to) else { return file.to_owned() };
            match kind {
                4 => [&file[..from], &file[to..]].concat(),
                _ => [&file[..to], piece, &file[to..]].concat(),
            }
        }
    }
}

#[test]
fn files_with_faults_are_scenes_or_errors() {
    const SEED: u64 = 23;
    println!("seed {SEED}");
    let random = &mut Random(SEED);
    let (mut scenes, mut errors) = (0, 0);
    for name in ["leg.urdf", "hopper.xml", "linkage.xml"] {
        let file = std::fs::read_to_string(robot(name)).expect("a file");
        for round in 0..150 {
            let mut changed = file.clone();
            for _ in 0..=round % 3 {
                changed = fault(&changed, random);
            }
            match text(name, &changed) {
                Err(error) => {
                    errors += 1;
                    if let Some(at) = &error.at {
                        assert!(at.text.get(at.span.clone()).is_some(), "{error}");
                    }
                }
                Ok(robot) => {
                    scenes += 1;
                    for body in &robot.scene.bodies {
                        let BodyKind::Moving { mass, inertia } = body.kind else { continue };
                        let numbers = inertia.iter().flatten().chain(&body.position).chain([&mass]);
                        assert!(numbers.into_iter().all(|x| x.is_finite()), "{body:?}");
                    }
                    let matrix = mass_matrix(&robot.scene).expect("it was checked");
                    assert!(matrix.rows.iter().flatten().all(|x| x.is_finite()));
                }
            }
        }
    }
    println!("{scenes} scenes, {errors} errors");
    assert!(scenes > 50 && errors > 50, "{scenes} scenes, {errors} errors");
}
