//! Values found by other programs, and by springs with smoothed friction.

use super::support::{Raw, distance, effort, gaps, norm, of, resolve, stiff};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::landing;
use carom_testkit::laws::resolve_several;
use carom_testkit::oracle::smoothed::{Springs, limit};
use carom_testkit::reference::stiff as lines;

#[test]
fn reference_answers_are_found() {
    let mut faults = Vec::new();
    let lines = lines();
    assert_eq!(lines.len(), 25);
    for line in lines {
        let outcome = match carom_testkit::laws::try_several(&of(&line.springs), &line.problem) {
            Ok(outcome) => outcome,
            Err(error) => {
                faults.push(format!("{}: {error}", line.id));
                continue;
            }
        };
        let scale = norm(line.problem.velocity()).max(norm(&line.velocity));
        let velocity = distance(&outcome.velocity, &line.velocity) / scale;
        let normals = |p: &[f64]| -> Vec<f64> {
            (0..line.problem.len()).map(|k| p[line.problem.row_range(k).start]).collect()
        };
        let (got, wanted) = match line.friction_unique {
            true => (outcome.impulse.clone(), line.impulse.clone()),
            false => (normals(&outcome.impulse), normals(&line.impulse)),
        };
        let impulse = distance(&got, &wanted) / norm(&wanted);
        let good = velocity.max(impulse) <= line.tolerance;
        if !good {
            faults.push(format!(
                "{}: velocity {velocity:.1e}, impulse {impulse:.1e}, allowed {:.0e}",
                line.id, line.tolerance
            ));
        }
    }
    assert!(faults.is_empty(), "{} of 25\n{}", faults.len(), faults.join("\n"));
}

/// What elimination leaves of the smoothing, relative to the speed: on the reference problems a tenth of this \[1\].
const LEFT: f64 = 1e-7;

/// Random bricks that land on an edge or a face, with all kinds of springs, against smoothed friction.
#[test]
fn bricks_land_as_smoothed_friction_has_it() {
    let mut faults = Vec::new();
    for i in 0..24 {
        let mut rng = Rng::for_item(0x51_1ff, i);
        let mut raw = Raw::of(&landing(&mut rng, [2, 4][i as usize % 2]).problem());
        for spec in &mut raw.specs {
            spec.material.mu = rng.uniform(0.05, 0.9);
            spec.material.restitution = carom::Restitution::Constant(rng.uniform(0.3, 1.0));
            spec.material.stiffness = rng.log_uniform(0.3, 3.0);
        }
        let springs = Springs {
            exponent: [1.0, 1.5][i as usize / 2 % 2],
            remember: i % 3 > 0,
            hunt_crossley: (i % 5 == 4).then_some(0.1),
        };
        let problem = raw.problem();
        let Some(wanted) = limit(&problem, &springs) else {
            faults.push(format!("{i}: the oracle has no answer"));
            continue;
        };
        let got = resolve_several(&of(&springs), &problem);
        let off = distance(&got.velocity, &wanted.velocity) / norm(&raw.u);
        let smoothed = effort(&got).smoothed;
        if off.total_cmp(&LEFT).is_gt() {
            faults.push(format!("{i}: {off:.1e}, smoothed {smoothed}; {springs:?} {raw:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A brick on a brick: contacts open and are pushed back. What they remember makes a difference, and each way is that of
/// its springs.
#[test]
fn stacks_remember_gaps() {
    let stacks = lines().into_iter().filter(|line| line.id.contains("stack"));
    let mut seen = 0;
    for line in stacks {
        let kept = resolve_several(&of(&line.springs), &line.problem);
        let forgot = resolve(&stiff([gaps(false)]), &Raw::of(&line.problem));
        let speed = norm(line.problem.velocity());
        let apart = distance(&kept.velocity, &forgot.velocity) / speed;
        assert!(apart > 1e-4, "{}: {apart:.1e}", line.id);
        let springs = Springs { remember: false, ..line.springs };
        let wanted = limit(&line.problem, &springs).unwrap_or_else(|| panic!("{}", line.id));
        let off = distance(&forgot.velocity, &wanted.velocity) / speed;
        assert!(off <= 10.0 * LEFT, "{}: {off:.1e}", line.id);
        seen += 1;
    }
    assert_eq!(seen, 2);
}
