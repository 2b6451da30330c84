//! Symptom: laws that solve for all contacts at once had no solution where one body is 1e9 times lighter than another.
//! Cause: a row with 2e-14 of its mobility left beside the others was taken for one that has none, and for a contradiction.
//! Mend: it is one only where rounding of `W` explains all that is left.

use carom::{ContactSpec, Material};
use carom_testkit::Mechanism;
use carom_testkit::judge::judge_several;
use carom_testkit::laws::{law, try_several};

/// Five contacts that leave three coordinates no room but a point: exact arithmetic brings all to rest, with impulses of
/// (0, 22804.9, 84459.3, 0, 189544.3).
#[test]
fn contacts_that_leave_a_point_come_to_rest() {
    let contact = |e| ContactSpec::new(1, Material::new(0.0, e).unwrap());
    let rows = [
        [0.3221798043983848, -0.5767064322259233, 0.6401859486142772],
        [-2.012056528851364, 0.18702031956447648, -0.8684140497218327],
        [2.028354346010787, -2.169694008726991, 1.0724072989788622],
        [1.1536413088026163, 0.6036757681417877, 2.3755695602485623],
        [-0.6622706452475767, 0.940411787759511, -0.373372462894092],
    ];
    let mechanism = Mechanism::new(
        &[42.196835101689565, 1295.5136306917514, 2.4037789961203903e-6],
        vec![2.3956216304290168, 0.5681708361116293, -0.36962896703947534],
        rows.map(|row| row.to_vec()).to_vec(),
        [0.5, 0.0, 0.0, 0.5, 0.75].map(contact).to_vec(),
    );
    let problem = mechanism.problem();
    for id in ["max-dissipation", "poisson"] {
        let outcome = try_several(&law(id), &problem).unwrap_or_else(|e| panic!("{e}"));
        let violations = judge_several(&problem, &outcome.impulse, &outcome.velocity);
        assert!(violations.energy <= 1e-12 && violations.pulls <= 0.0, "{id}: {violations:?}");
        assert!(violations.separation <= 1e-12, "{id}: {violations:?} {outcome:?}");
    }
}
