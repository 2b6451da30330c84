//! Limits in which the laws equal others.

use super::support::{LAWS, answer, apart, groove, largest, with_e, with_materials};
use carom::Material;
use carom::outcome::Note;
use carom::{ContactProblem, ContactSpec, Tolerances, Unobserved};
use carom_testkit::Rng;
use carom_testkit::generate::claims_contact;
use carom_testkit::generate::frictional::{FrictionalKind, frictional_of};
use carom_testkit::judge::speed_scale;
use carom_testkit::laws::{law, try_several};

const SEED: u64 = 0xc0_0b;
const IMPACTS: u64 = 300;
/// Two solvers of the same equations: impulses carry the condition of `W`.
const SAME: f64 = 1e-9;

/// The limit of ever harder springs is extrapolated.
const LIMIT: f64 = 1e-7;

const EVERYDAY: [FrictionalKind; 7] = [
    FrictionalKind::Brick,
    FrictionalKind::Stack,
    FrictionalKind::Pair,
    FrictionalKind::Linked,
    FrictionalKind::Matrix,
    FrictionalKind::Duplicated,
    FrictionalKind::Mixed,
];

/// `newton-coulomb` is `whittaker`, `poisson-coulomb` is `anitescu-potra`.
#[test]
fn one_contact() {
    for (several, single) in LAWS.into_iter().zip(["whittaker", "anitescu-potra"]) {
        let mut compared = 0;
        for index in 0..20 * IMPACTS {
            let contact = claims_contact::<3>(&mut Rng::for_item(SEED, index)).contact;
            // A mechanism that locks cannot rebound; the law for one contact then stops it.
            let [least, most] = contact.delassus().extreme_eigenvalues();
            // With infinite friction the law for one contact takes the limit of ever rougher surfaces, which may slide
            // without pressing; contacts that press stick here.
            let speed = largest(contact.velocity().as_slice());
            if contact.material().mu.is_infinite()
                || least <= 1e-6 * most
                || contact.approach_speed() <= 1e-9 * speed
            {
                continue;
            }
            let Ok(wanted) =
                law(single).resolve_contact(&contact, &Tolerances::NOMINAL, &mut Unobserved)
            else {
                continue;
            };
            let w: Vec<f64> = (0..9).map(|k| contact.delassus().at(k / 3, k % 3)).collect();
            let material = Material { e_t: 0.0, ..*contact.material() };
            let spec = ContactSpec::new(3, material);
            let Ok(problem) = ContactProblem::new(&w, contact.velocity().as_slice(), &[spec])
            else {
                continue;
            };
            let Some(got) = answer(several, &problem) else {
                panic!("{several}, impact {index}: no answer; {contact:?}")
            };
            let scale = speed_scale(&problem, wanted.impulse.as_slice());
            if scale == 0.0 {
                continue;
            }
            let off = apart(&got.velocity, wanted.velocity.as_slice(), scale);
            assert!(off <= SAME, "{several}, impact {index}: off by {off:e}; {contact:?}");
            compared += 1;
        }
        assert!(compared > 5 * IMPACTS, "only {compared} compared");
    }
}

/// Without friction they are `newton` and `poisson`, impulses included.
#[test]
fn without_friction() {
    for kind in EVERYDAY {
        for index in 0..IMPACTS {
            let sample = frictional_of(kind, &mut Rng::for_item(SEED, index));
            let smooth = with_materials(&sample.mechanism, |_, contact| Material {
                mu: 0.0,
                ..contact.material
            });
            let problem = smooth.problem();
            for (rough, plain) in LAWS.into_iter().zip(["newton", "poisson"]) {
                let [a, b] = [rough, plain].map(|id| answer(id, &problem).map(|o| o.impulse));
                assert_eq!(a, b, "{rough}, {kind:?}, impact {index}");
            }
        }
    }
}

/// Contacts that hardly rub answer nearly as those that do not: the equations are the same, the way to their solution is
/// another.
#[test]
fn with_vanishing_friction() {
    for kind in EVERYDAY {
        for index in 0..IMPACTS {
            let sample = frictional_of(kind, &mut Rng::for_item(SEED, index));
            let with_mu = |mu: f64| {
                with_materials(&sample.mechanism, |_, contact| Material { mu, ..contact.material })
                    .problem()
            };
            let (smooth, rough) = (with_mu(0.0), with_mu(1e-13));
            for (with, without) in LAWS.into_iter().zip(["newton", "poisson"]) {
                let (Some(a), Some(b)) = (answer(with, &rough), answer(without, &smooth)) else {
                    continue;
                };
                // Contacts that are closed by others may gain, which the laws without friction do not allow.
                if b.notes.contains(Note::ObserverClosed) {
                    continue;
                }
                let off = apart(&a.velocity, &b.velocity, speed_scale(&smooth, &b.impulse));
                // Unequal restitution makes velocities hang on impulses that are not unique.
                assert!(off <= 1e-8, "{with}, {kind:?}, impact {index}: off by {off:e}");
            }
        }
    }
}

/// Without restitution both laws are the same.
#[test]
fn without_restitution() {
    for kind in EVERYDAY {
        for index in 0..IMPACTS {
            let sample = frictional_of(kind, &mut Rng::for_item(SEED, index));
            let problem = with_e(&sample.mechanism, 0.0, 0.0).problem();
            let [a, b] = LAWS.map(|id| answer(id, &problem).map(|outcome| outcome.impulse));
            assert_eq!(a, b, "{kind:?}, impact {index}");
        }
    }
}

/// With one `e = e_t` for all, `u⁺ = (1 + e) v − e u⁻` with `v` the answer of `e = 0`: impulses grow by `1 + e`.
#[test]
fn one_coefficient_for_all_rows_scales_the_impulse() {
    let mut compared = 0;
    for kind in EVERYDAY {
        for index in 0..IMPACTS {
            let sample = frictional_of(kind, &mut Rng::for_item(SEED, index));
            let e = sample.mechanism.contacts[0].material.restitution.at(1.0);
            let [plastic, elastic] = [0.0, e].map(|e| with_e(&sample.mechanism, e, e).problem());
            // Contacts that separate have no restitution.
            let separates =
                (0..plastic.len()).any(|k| plastic.velocity()[plastic.row_range(k).start] > 0.0);
            let (Some(a), Some(b)) = (answer(LAWS[0], &plastic), answer(LAWS[0], &elastic)) else {
                continue;
            };
            if separates {
                continue;
            }
            let change = |after: &[f64]| -> Vec<f64> {
                after.iter().zip(plastic.velocity()).map(|(a, b)| a - b).collect()
            };
            let grown: Vec<f64> = change(&a.velocity).iter().map(|u| (1.0 + e) * u).collect();
            let scale = largest(&grown).max(largest(plastic.velocity()));
            let off = apart(&grown, &change(&b.velocity), scale);
            // A continuum's limit is known to less.
            assert!(off <= LIMIT, "{kind:?}, impact {index}: off by {off:e}");
            compared += 1;
        }
    }
    assert!(compared > IMPACTS, "only {compared} compared");
}

/// A groove of half angle α, e = ½, v = (0, −1): v⁺ = (0, ½) if μ < tan α, else no solution; `poisson-coulomb` always has
/// one, and so has e_t = e, v⁺ = −e v⁻.
#[test]
fn grooves() {
    for (degrees, mu, rebound) in [
        (30.0, 0.3, Some(0.1581)),
        (30.0, 1.0, Some(0.0)),
        (30.0, 2.0, Some(0.0)),
        (50.0, 0.3, Some(0.2989)),
        (50.0, 1.0, Some(0.0472)),
        (50.0, 2.0, Some(0.0)),
    ] {
        let half = f64::to_radians(degrees);
        let system = groove(half, mu, 0.5, 0.0);
        let after = |law: &str, system: &carom_testkit::Mechanism| -> Result<Vec<f64>, String> {
            let outcome = try_several(&carom_testkit::laws::law(law), &system.problem())
                .map_err(|error| format!("{} {error}", error.kind()))?;
            Ok(system.system().after(&outcome.impulse).map_err(|e| e.to_string())?.velocity)
        };
        match after("newton-coulomb", &system) {
            Ok(v) => {
                assert!(mu < half.tan(), "{degrees}° mu {mu}: {v:?}");
                assert!(apart(&v, &[0.0, 0.5], 1.0) < 1e-12, "{v:?}");
            }
            Err(text) => {
                assert!(mu >= half.tan(), "{degrees}°, mu {mu}: {text}");
                for part in ["no_solution", "self-stress", "poisson-coulomb"] {
                    assert!(text.contains(part), "{text}");
                }
            }
        }
        let v = after("poisson-coulomb", &system).unwrap_or_else(|text| panic!("{text}"));
        // Four digits were published.
        let wanted = [0.0, rebound.unwrap_or(0.0)];
        assert!(apart(&v, &wanted, 1.0) < 6e-5, "{degrees}°, mu {mu}: {v:?}");
        let moreau = groove(half, mu, 0.5, 0.5);
        let v = after("newton-coulomb", &moreau).unwrap_or_else(|text| panic!("{text}"));
        if mu >= half.tan() {
            assert!(apart(&v, &[0.0, 0.5], 1.0) < 1e-12, "{degrees}°, mu {mu}: {v:?}");
        }
    }
}
