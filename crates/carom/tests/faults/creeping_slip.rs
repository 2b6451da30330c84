//! Symptom: `plus-exact` lost all restitution of bodies at rest, after 50,000 solutions of its equations: a plate that lands on
//! two of its corners with hardly any slip came to a dead stop, and `plus` spent as long on stacks.
//! Cause: redundant contacts keep up a tiny slip that does not stop. Its direction relaxes the faster the slower it is, and
//! explicit steps are as short as that; the round never ended, and whatever approached was stopped without a word.
//! Mend: slip that creeps ends in unison with the approach; where the limit has no answer short intervals give one that has
//! restitution; all work has a budget, and every remedy stands in the notes.

use carom::catalog::SettingValue;
use carom::outcome::{Effort, Note, ProblemOutcome, RoundsEffort};
use carom::{ContactProblem, ContactSpec, Material};
use carom_testkit::Mechanism;
use carom_testkit::judge::judge_several;
use carom_testkit::laws::{law, law_with, resolve_several};

/// A plate in MuJoCo, half a second after its fall, e = 0.3, μ = 1.
fn plate() -> ContactProblem {
    let mass = [
        1.1552644058260328,
        1.1552644058260328,
        1.1552644058260328,
        0.014255371199962756,
        0.014542989411560864,
        0.008550442840207041,
    ];
    let velocity = [
        -0.08468104217039056,
        0.008797717980745063,
        -0.04845714243526063,
        -2.9242234722169577e-05,
        -0.44807146637282735,
        -3.326440681396238e-05,
    ];
    let rows = [
        [0.0, 0.0, 1.0, -0.09654607857270572, -0.04105005123904415, -0.03756231845234605],
        [0.0, 1.0, 0.0, 0.16513150170300517, 0.019608645023802513, 0.09657460301470984],
        [-1.0, 0.0, 0.0, 0.020611487261791305, 0.18891963429260505, -0.10707582030897492],
        [0.0, 0.0, 1.0, 0.0965165111654194, -0.04105005123904416, 0.03754278398569953],
        [0.0, 1.0, 0.0, 0.1573850108675365, 0.019607669846858293, 0.1165133750896878],
        [-1.0, 0.0, 0.0, -0.0540930532255952, 0.18891024074583465, 0.08495440891615816],
    ];
    let rows = rows.map(|row| row.to_vec()).to_vec();
    let contact = ContactSpec::new(3, Material::new(1.0, 0.3).unwrap());
    Mechanism::new(&mass, velocity.to_vec(), rows, vec![contact; 2]).problem()
}

fn effort(outcome: &ProblemOutcome) -> &RoundsEffort {
    match &outcome.effort {
        Effort::Rounds(effort) => effort,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_plate_at_rest_rebounds() {
    let problem = plate();
    let before = [0, 3].map(|row| problem.velocity()[row]);
    for id in ["plus", "plus-exact"] {
        let outcome = resolve_several(&law(id), &problem);
        assert_eq!(effort(&outcome).fallbacks, 0, "{id}: {outcome:?}");
        for (after, before) in [0, 3].map(|row| outcome.velocity[row]).iter().zip(before) {
            assert!((after / before + 0.3).abs() < 0.02, "{id}: {after} after {before}");
        }
    }
}

/// The limit is followed with few solutions; what it did is told.
#[test]
fn slip_that_creeps_is_told() {
    let few = law_with("plus-exact", [("max_solutions", SettingValue::Number(5e3))]);
    let outcome = resolve_several(&few, &plate());
    let remedies = effort(&outcome).remedies;
    assert!(remedies.slow_slip > 0 && remedies.intervals == 0, "{remedies:?}");
    assert!(outcome.notes.contains(Note::SlowSlip));
}

/// A budget of nothing leaves a stop without restitution, which is physical and says what it is.
#[test]
fn a_spent_budget_is_told() {
    let problem = plate();
    for id in ["plus", "plus-exact"] {
        let outcome =
            resolve_several(&law_with(id, [("budget", SettingValue::Number(1.0))]), &problem);
        assert_eq!(effort(&outcome).fallbacks, 1, "{id}");
        assert!(outcome.notes.contains(Note::SimplerWay) && outcome.notes.contains(Note::Stopped));
        let violations = judge_several(&problem, &outcome.impulse, &outcome.velocity);
        assert!(violations.separation <= 1e-12 && violations.energy <= 0.0, "{violations:?}");
    }
}
