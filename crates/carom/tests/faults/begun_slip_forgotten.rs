//! Symptom: `stiff-limit` answered 2e-3 apart at two accuracies, and neither was near what springs do.
//! Cause: a contact that had just begun to slip and was well on its way at the end of a single step was still taken for one
//! that has hardly begun; where another contact stopped at the end of that step, it was stopped as well.
//! Mend: slip that has found its direction is known as such at the end of each step, before anything happens there.

use carom::catalog::{SettingValue, Settings};
use carom::{ContactSpec, Law, Material};
use carom_testkit::Mechanism;
use carom_testkit::laws::resolve_several;
use carom_testkit::oracle::smoothed::{Springs, limit};

/// What the oracle leaves of its smoothing, relative to the speed \[1\].
const LEFT: f64 = 1e-7;

/// A brick on six points, some of which slide along x only, and one not at all.
#[test]
fn a_brick_leaves_as_springs_have_it_at_every_accuracy() {
    let masses = [0.798, 0.798, 0.798, 0.0364, 0.0112, 0.0443];
    let velocity = vec![0.0700, 0.2664, -1.9375, 0.0074, -0.0085, -0.0077];
    // Where the points are, and how many rows they have.
    let points = [
        (-0.2158, 0.3464, 2),
        (0.2158, -0.3464, 1),
        (-0.1590, -0.3759, 3),
        (0.1590, 0.3759, 2),
        (-0.1874, -0.0147, 2),
        (0.0284, -0.3612, 2),
    ];
    let height = 0.0782;
    let mut jacobian = Vec::new();
    for (x, y, rows) in points {
        let all = [
            vec![0.0, 0.0, 1.0, y, -x, 0.0],
            vec![1.0, 0.0, 0.0, 0.0, -height, -y],
            vec![0.0, 1.0, 0.0, height, 0.0, x],
        ];
        jacobian.extend_from_slice(&all[..rows]);
    }
    let material = Material::new(0.056, 0.9768).unwrap();
    let contacts = points.map(|(_, _, rows)| ContactSpec::new(rows, material)).to_vec();
    let problem = Mechanism::new(&masses, velocity, jacobian, contacts).problem();
    let wanted = limit(&problem, &Springs::default()).unwrap().velocity;
    let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    for accuracy in [1e-8, 1e-10, 1e-12] {
        let settings: Settings = [("accuracy".into(), SettingValue::Number(accuracy))].into();
        let law = Law::with_settings("stiff-limit", &settings).unwrap();
        let got = resolve_several(&law, &problem).velocity;
        let off = got.iter().zip(&wanted).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(off <= LEFT * speed, "accuracy {accuracy:e}: off by {off:.1e}");
    }
}
