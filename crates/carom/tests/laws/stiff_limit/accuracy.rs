//! Answers do not depend on the accuracy that is asked for, beyond that accuracy: an event that is missed, or met out of
//! turn, moves them by much more.

use super::support::{accuracy, distance, norm, stiff};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::{FrictionalKind, frictional_of};
use carom_testkit::laws::try_several;

const SEED: u64 = 0x571f_f11a;
/// The accuracies that are compared, relative to the speed \[1\].
const ACCURACIES: [f64; 2] = [1e-8, 1e-11];
/// How far answers may be apart, relative to the speed: errors grow on the way through a stack, by 2e3 in the worst of these
/// \[1\].
const APART: f64 = 1e-6;
/// Half of them are no further apart than this \[1\].
const USUALLY: f64 = 3e-9;

fn compare(kind: FrictionalKind, count: u64) {
    let laws = ACCURACIES.map(|a| stiff([accuracy(a)]));
    let (mut apart, mut faults) = (Vec::new(), Vec::new());
    for i in 0..count {
        let problem = frictional_of(kind, &mut Rng::for_item(SEED, i)).problem();
        let [Ok(one), Ok(two)] = laws.each_ref().map(|law| try_several(law, &problem)) else {
            continue;
        };
        let off = distance(&one.velocity, &two.velocity) / norm(problem.velocity());
        // Not a number counts as far apart.
        if off.is_nan() || off > APART {
            faults.push(format!("{kind:?} {i}: {off:.1e}"));
        }
        apart.push(off);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(apart.len() as f64 > 0.95 * count as f64, "{kind:?}: {} of {count}", apart.len());
    apart.sort_by(f64::total_cmp);
    let median = apart[apart.len() / 2];
    assert!(median <= USUALLY, "{kind:?}: {median:.1e}");
}

#[test]
fn bricks_and_pairs_do_the_same_at_every_accuracy() {
    for kind in FrictionalKind::ALL {
        if !matches!(kind, FrictionalKind::Stack | FrictionalKind::Decades) {
            compare(kind, 150);
        }
    }
}

#[test]
fn stacks_do_the_same_at_every_accuracy() {
    compare(FrictionalKind::Stack, 120);
}
