//! Symptom: problems that the simultaneous laws with friction could not solve took as long as all their attempts together,
//! and then were refused.
//! Cause: attempts were bounded one by one, and nothing answered where they failed.
//! Mend: a budget of work, after which convex friction answers, which always has a solution; notes say so.

use carom::Law;
use carom::catalog::SettingValue;
use carom::outcome::Note;
use carom_testkit::Rng;
use carom_testkit::generate::frictional::landing;
use carom_testkit::judge::judge_several;
use carom_testkit::laws::try_several;

#[test]
fn a_budget_ends_with_an_answer_in_the_cones() {
    let budget = [("budget".into(), SettingValue::Number(1.0))].into();
    let mut replaced = 0;
    for law in ["newton-coulomb", "poisson-coulomb"] {
        let law = Law::with_settings(law, &budget).unwrap();
        for index in 0..200 {
            let problem = landing(&mut Rng::for_item(11, index), 6).problem();
            let outcome = try_several(&law, &problem).unwrap();
            if !outcome.notes.contains(Note::Relaxed) {
                continue;
            }
            replaced += 1;
            let violations = judge_several(&problem, &outcome.impulse, &outcome.velocity);
            let case = format!("{law:?} {index}: {violations:?}");
            // Convex friction is solved up to 1e-8 where rounding allows no more.
            assert!(violations.separation <= 1e-8 && violations.pulls <= 0.0, "{case}");
            assert!(violations.energy <= 1e-12, "{case}");
            for (k, contact) in problem.contacts().iter().enumerate() {
                let p = &outcome.impulse[problem.row_range(k)];
                let friction = p[1].hypot(p[2]);
                assert!(friction <= contact.material.mu * p[0] * (1.0 + 1e-12), "{case} {k}");
            }
        }
    }
    assert!(replaced > 20, "{replaced}");
}
