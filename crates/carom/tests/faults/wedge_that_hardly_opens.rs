//! Symptom: `newton` and `moreau` had no answer where a contact that hardly rebounds closes another one that opposes it.
//! Cause: what is left to stop is then so slow that rounding alone makes it contradict every motion.
//! Mend: what counts as zero may stay.

use carom::{ContactSpec, Material};
use carom_testkit::Mechanism;
use carom_testkit::laws::{law_with, resolve_several};

/// A unit mass between two walls, J = (a, b) of opposite signs: it can only stop.
#[test]
fn a_mass_between_walls_stops() {
    for [a, b] in [[-2.6, 2.4], [-1.0, 1.0], [-0.3, 0.1], [-1.0, 3.0]] {
        for e in [[1.0, 1e-8], [1e-8, 1.0], [0.0, 1e-12], [1.0, 1e-15], [1e-4, 0.9], [0.5, 0.3]] {
            for v in [-1.0, 1.0, 1e-3] {
                let spec = |e| ContactSpec::new(1, Material::new(0.0, e).unwrap());
                let rows = vec![vec![a], vec![b]];
                let body = Mechanism::new(&[1.0], vec![v], rows, e.map(spec).to_vec());
                let given = [("restitution", carom::catalog::SettingValue::Number(e[0]))];
                for law in [law_with("newton", []), law_with("moreau", given)] {
                    let outcome = resolve_several(&law, &body.problem());
                    let left = outcome.velocity.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
                    assert!(
                        left <= 1e-11 * f64::abs(v),
                        "{} {a} {b} {e:?} {v}: {left:e}",
                        law.id()
                    );
                }
            }
        }
    }
}
