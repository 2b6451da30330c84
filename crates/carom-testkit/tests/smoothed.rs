//! The springs with smoothed friction, against reference answers by another method: neither knows of the law.

use carom_testkit::oracle::smoothed::limit;
use carom_testkit::reference::stiff;

fn norm(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    norm(a.iter().zip(b).map(|(a, b)| a - b))
}

/// What elimination leaves of the smoothing, relative to the speed: less than this \[1\].
const LEFT: f64 = 1e-7;

#[test]
fn the_reference_answers_are_found_without_events() {
    let mut faults = Vec::new();
    let lines = stiff();
    assert_eq!(lines.len(), 25);
    for line in lines {
        let Some(answer) = limit(&line.problem, &line.springs) else {
            faults.push(format!("{}: no answer", line.id));
            continue;
        };
        let speed = norm(line.problem.velocity().iter().copied());
        let velocity = distance(&answer.velocity, &line.velocity) / speed;
        let size = norm(line.impulse.iter().copied());
        let normals = |p: &[f64]| -> Vec<f64> {
            (0..line.problem.len()).map(|k| p[line.problem.row_range(k).start]).collect()
        };
        let mut impulse = distance(&normals(&answer.impulse), &normals(&line.impulse)) / size;
        if line.friction_unique {
            impulse = distance(&answer.impulse, &line.impulse) / size;
        }
        let good = velocity.max(impulse) <= line.tolerance.max(LEFT);
        if !good {
            faults.push(format!("{}: velocity {velocity:.1e}, impulse {impulse:.1e}", line.id));
        }
        // Each contact gives back e² of what it took in, whatever happened on the way.
        for (k, [taken, given]) in answer.work.iter().enumerate() {
            let e = line.problem.contacts()[k].material.restitution.at(f64::INFINITY);
            if line.springs.hunt_crossley.is_none() && (given - e * e * taken).abs() > LEFT * taken
            {
                faults.push(format!("{}: contact {k} took {taken} and gave {given}", line.id));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
