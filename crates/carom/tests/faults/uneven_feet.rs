//! Symptom: `newton-coulomb` and `poisson-coulomb` refused bodies at rest on redundant contacts, or took thousands of
//! iterations: residuals of 1e-10 to 1e-8 would not get smaller.
//! Cause: feet of slightly different heights cannot all stick while the body turns. The slips that are left are opposed
//! by feet that press against each other as hard as friction allows. Springs of fixed hardness reached such impulses in
//! steps as small as the slips, and what did not get smaller was taken for rounding.
//! Mend: springs as hard as the residual is small, solved for changes so that nothing is lost by rounding.

use carom::outcome::Effort;
use carom::{ContactSpec, Law, Material};
use carom_testkit::Mechanism;
use carom_testkit::laws::try_several;

/// A plate on four feet whose heights differ by multiples of `uneven`, landing at 1 m/s while it turns at `turning`.
fn plate(uneven: f64, turning: f64) -> Mechanism {
    let feet = [
        [-0.3, -0.2, -0.1],
        [0.3, -0.2, -0.1 + uneven],
        [-0.3, 0.2, -0.1 - uneven],
        [0.3, 0.2, -0.1 + 2.0 * uneven],
    ];
    let rows = feet.iter().flat_map(|&[x, y, z]| {
        [
            vec![0.0, 0.0, 1.0, y, -x, 0.0],
            vec![1.0, 0.0, 0.0, 0.0, z, -y],
            vec![0.0, 1.0, 0.0, -z, 0.0, x],
        ]
    });
    Mechanism::new(
        &[1.0, 1.0, 1.0, 0.05, 0.06, 0.1],
        vec![0.0, 0.0, -1.0, turning, -0.7 * turning, 0.0],
        rows.collect(),
        vec![ContactSpec::new(3, Material::new(1.0, 0.5).unwrap()); 4],
    )
}

#[test]
fn slips_that_only_self_stress_opposes_are_found() {
    for law in ["newton-coulomb", "poisson-coulomb"] {
        let law = Law::from_id(law).unwrap();
        for uneven in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8] {
            for turning in [1e-1, 1e-2, 1e-3] {
                let problem = plate(uneven, turning).problem();
                let outcome = try_several(&law, &problem).unwrap();
                let Effort::Solver(effort) = outcome.effort else { panic!("{outcome:?}") };
                let case = format!("{uneven} {turning}: {effort:?}");
                assert!(effort.residual <= 1e-10, "{case}");
                assert!(effort.iterations <= 1000, "{case}");
            }
        }
    }
}
