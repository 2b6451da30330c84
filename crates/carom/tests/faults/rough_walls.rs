//! Symptom: a body that bounces between two rough walls, cut off after `max_collisions`, still ran into one of them.
//! Cause: only sequences without friction were stopped when they were cut off.
//! Mend: pushes along the normals stop whoever approaches still; they neither gain energy nor leave the cones.

use carom::catalog::SettingValue;
use carom::outcome::{Effort, Ending};
use carom::{ContactSpec, Law, Material};
use carom_testkit::Mechanism;
use carom_testkit::judge::judge_several;
use carom_testkit::laws::try_several;

#[test]
fn a_sequence_that_is_cut_off_does_not_penetrate() {
    let contact = |rows, mu| ContactSpec::new(rows, Material::new(mu, 1.0).unwrap());
    let rows: [[f64; 4]; 5] = [
        [-2.0, 0.0, 0.0, 1.0],
        [-1.0, 1.0, -1.0, 2.0],
        [2.0, 2.0, 2.0, 1.0],
        [2.0, 0.0, 0.0, -1.0],
        [0.0, 1.0, -2.0, -2.0],
    ];
    let body = Mechanism::new(
        &[5.0, 1.0, 3.0, 1.0],
        vec![-1.0, 3.0, -3.0, -2.0],
        rows.map(|row| row.to_vec()).to_vec(),
        vec![contact(2, 0.6), contact(1, 0.0), contact(2, 0.1)],
    );
    let limit = [("max_collisions".into(), SettingValue::Number(1e4))].into();
    let law = Law::with_settings("sequential", &limit).unwrap();
    let problem = body.problem();
    let outcome = try_several(&law, &problem).unwrap();
    let Effort::Solver(effort) = outcome.effort else { panic!("{outcome:?}") };
    assert_eq!(effort.ending, Ending::Truncated);
    let violations = judge_several(&problem, &outcome.impulse, &outcome.velocity);
    assert!(violations.separation <= 1e-12 && violations.pulls <= 0.0, "{violations:?}");
    assert!(violations.energy <= 0.0, "{violations:?}");
    for (k, contact) in problem.contacts().iter().enumerate().filter(|(_, c)| c.rows == 2) {
        let p = &outcome.impulse[problem.row_range(k)];
        assert!(p[1].abs() <= contact.material.mu * p[0], "contact {k}: {p:?}");
    }
}
