//! Energy: what is proven, and what the laws gain where nothing is.

use super::support::{LAWS, answer, apart, certificate, material, with_e};
use carom::certify::Inequality;
use carom::{ContactProblem, ContactSpec, Restitution, Verdict};
use carom_testkit::generate::frictional::{FrictionalKind, frictional_of};
use carom_testkit::laws::{law, resolve_several};
use carom_testkit::{Mechanism, Rng};

const SEED: u64 = 0xe_4e;
const IMPACTS: u64 = 300;
/// What sums of products lose, relative to the sizes of their terms.
const ROUNDING: f64 = 1e-10;

/// `½ Σ |p| (|u⁻| + |u⁺|)`.
fn turnover(problem: &ContactProblem, impulse: &[f64]) -> f64 {
    let after = problem.velocity_after(impulse);
    let terms = impulse.iter().zip(problem.velocity().iter().zip(&after));
    0.5 * terms.map(|(p, (a, b))| p.abs() * (a.abs() + b.abs())).sum::<f64>()
}

fn separates(problem: &ContactProblem) -> bool {
    (0..problem.len()).any(|k| problem.velocity()[problem.row_range(k).start] > 0.0)
}

/// `ΔE = −Σ μ p_n |ξ_t|/(1 + e_t) − pᵀδW p`.
#[test]
fn the_energy_of_newtons_law_is_what_its_identity_says() {
    let mut compared = 0;
    for kind in FrictionalKind::ALL {
        for index in 0..IMPACTS {
            let mut rng = Rng::for_item(SEED, index);
            let sample = frictional_of(kind, &mut rng);
            let mut system = sample.mechanism;
            for contact in &mut system.contacts {
                contact.material.e_t = rng.uniform(-0.5, 1.0);
            }
            let problem = system.problem();
            if separates(&problem) {
                continue;
            }
            let Some(outcome) = answer(LAWS[0], &problem) else { continue };
            let change: Vec<f64> =
                outcome.velocity.iter().zip(problem.velocity()).map(|(a, b)| a - b).collect();
            let mut sum = 0.0;
            for (k, contact) in problem.contacts().iter().enumerate() {
                let rows = problem.row_range(k);
                let e = contact.material.restitution.at(-problem.velocity()[rows.start]);
                let e_t = contact.material.e_t;
                let delta = |e: f64| 0.5 * (1.0 - e) / (1.0 + e);
                let slip = rows.clone().skip(1).fold(0.0, |h: f64, i| {
                    h.hypot(outcome.velocity[i] + e_t * problem.velocity()[i])
                });
                let rubs = if slip > 0.0 { contact.material.mu * slip } else { 0.0 };
                sum -= rubs * outcome.impulse[rows.start] / (1.0 + e_t);
                for (j, i) in rows.enumerate() {
                    let delta = delta(if j == 0 { e } else { e_t });
                    sum -= delta * outcome.impulse[i] * change[i];
                }
            }
            let judged = certificate(&problem, &outcome.impulse);
            let scale = turnover(&problem, &outcome.impulse);
            let off = (judged.energy_change - sum).abs();
            // An answer is one up to this part of the speed, by which the impulses move.
            let left = judged.coulomb.normal.max(judged.coulomb.tangential);
            let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
            let missed = left * speed * outcome.impulse.iter().map(|p| p.abs()).sum::<f64>();
            assert!(
                off <= ROUNDING * scale + 8.0 * missed,
                "{kind:?}, impact {index}: {off:e} of {scale:e}, {missed:e}"
            );
            // Where the certificate says that no energy can be created, none is.
            if judged.coulomb.dissipation_margin.is_some_and(|margin| margin >= 0.0) {
                assert!(judged.energy_change <= ROUNDING * scale, "{kind:?}, impact {index}");
            }
            compared += 1;
        }
    }
    assert!(compared > 4 * IMPACTS, "only {compared} compared");
}

/// One `e` for all contacts: `ΔE ≤ −½ (1 − e²) p^CᵀW p^C`.
#[test]
fn poissons_law_loses_energy_where_restitution_is_common() {
    let mut compared = 0;
    for kind in FrictionalKind::ALL {
        for index in 0..IMPACTS {
            let sample = frictional_of(kind, &mut Rng::for_item(SEED ^ 1, index));
            let e = sample.mechanism.contacts[0].material.restitution.at(1.0);
            let [plastic, problem] = [0.0, e].map(|e| with_e(&sample.mechanism, e, 0.0).problem());
            let (Some(compression), Some(outcome)) =
                (answer(LAWS[1], &plastic), answer(LAWS[1], &problem))
            else {
                continue;
            };
            // Contacts that separate give back nothing.
            if separates(&problem) {
                continue;
            }
            let change = compression.velocity.iter().zip(problem.velocity()).map(|(a, b)| a - b);
            let stopped: f64 = compression.impulse.iter().zip(change).map(|(p, u)| p * u).sum();
            let judged = certificate(&problem, &outcome.impulse);
            let scale = turnover(&problem, &outcome.impulse);
            let bound = -0.5 * (1.0 - e * e) * stopped;
            assert!(
                judged.energy_change <= bound + ROUNDING * scale,
                "{kind:?}, impact {index}: {} above {bound}",
                judged.energy_change
            );
            compared += 1;
        }
    }
    assert!(compared > 4 * IMPACTS, "only {compared} compared");
}

fn contacts(mu: [f64; 2], e: [f64; 2]) -> Vec<ContactSpec> {
    mu.into_iter().zip(e).map(|(mu, e)| ContactSpec::new(2, material(mu, e, 0.0))).collect()
}

fn gain(system: &Mechanism, law: &str) -> f64 {
    let problem = system.problem();
    let outcome = resolve_several(&carom_testkit::laws::law(law), &problem);
    let judged = certificate(&problem, &outcome.impulse);
    let shown =
        matches!(&judged.verdict, Verdict::Violates(list) if list.contains(&Inequality::Energy));
    assert_eq!(shown, judged.energy_change > 0.0, "{judged:?}");
    let kinetic: f64 = (0..system.size())
        .map(|i| 0.5 * system.mass[i * system.size() + i] * system.velocity[i].powi(2))
        .sum();
    judged.energy_change / kinetic
}

/// A planar body of m = 1, I = 0.1 with contacts at (−½, 0) and (0, 1), both normals up, v = (2, −4), μ = (0.2, 2),
/// e = (1, 0). The least compression impulse is (20/7, 4/7; 8/7, 10/7), and T grows by exactly 3/7.
#[test]
fn poissons_law_gains_where_restitution_differs() {
    // J = [n; t] with t = n turned by 90° = −x.
    let rows =
        vec![vec![0.0, 1.0, -0.5], vec![-1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![-1.0, 0.0, 1.0]];
    let masses = [1.0, 1.0, 0.1];
    let system =
        Mechanism::new(&masses, vec![2.0, -4.0, 0.0], rows, contacts([0.2, 2.0], [1.0, 0.0]));
    let gained = gain(&system, LAWS[1]);
    assert!((gained - 3.0 / 7.0).abs() < 1e-12, "{gained}");
    let compression = resolve_several(&law(LAWS[1]), &with_e(&system, 0.0, 0.0).problem());
    let wanted = [20.0 / 7.0, 4.0 / 7.0, 8.0 / 7.0, 10.0 / 7.0];
    assert!(apart(&compression.impulse, &wanted, 1.0) < 1e-12, "{:?}", compression.impulse);
    // With one e for both it loses.
    for e in [0.3, 1.0] {
        assert!(gain(&with_e(&system, e, 0.0), LAWS[1]) < 0.0);
    }
}

/// Impulses are unique here, `W` has full rank: found by search, confirmed by enumeration of all modes.
#[test]
fn poissons_law_gains_where_impulses_are_unique() {
    let one = Mechanism::new(
        &[0.528, 2.336, 1.389, 0.833, 0.648],
        vec![-1.239, -0.726, -0.325, -0.997, 0.533],
        vec![
            vec![0.6, 0.571, 0.179, 0.511, 1.085],
            vec![0.503, 2.06, -0.539, -1.504, -0.463],
            vec![1.281, 0.955, -0.526, -0.082, -0.515],
            vec![0.913, -0.847, -0.37, 0.419, -0.075],
        ],
        contacts([2.0, 2.0], [0.0, 1.0]),
    );
    let other = Mechanism::new(
        &[2.396, 0.872, 0.96, 0.648],
        vec![1.419, 0.125, 0.946, -0.164],
        vec![
            vec![-1.81, -1.336, 0.612, 1.361],
            vec![-1.092, -0.785, 0.663, 0.191],
            vec![-1.115, -0.452, -0.73, -2.178],
            vec![1.166, 0.191, -1.622, -2.25],
        ],
        contacts([2.0, 2.0], [0.0, 1.0]),
    );
    for (system, wanted) in [(one, 0.3313), (other, 0.2497)] {
        let gained = gain(&system, LAWS[1]);
        assert!((gained - wanted).abs() < 6e-5, "{gained}");
    }
}

/// Newton's law gains with one common `e` too; with `e_t = e` it never does.
#[test]
fn moreaus_restitution_loses_energy() {
    let mut gains = 0;
    for index in 0..4 * IMPACTS {
        let mut rng = Rng::for_item(SEED ^ 2, index);
        let planar = planar(&mut rng);
        let e = rng.uniform(0.3, 1.0);
        for (e_t, moreau) in [(0.0, false), (e, true)] {
            let problem = with_e(&planar, e, e_t).problem();
            let Some(outcome) = answer(LAWS[0], &problem) else { continue };
            if separates(&problem) {
                continue;
            }
            let judged = certificate(&problem, &outcome.impulse);
            let grows = judged.energy_change > ROUNDING * turnover(&problem, &outcome.impulse);
            assert!(!(moreau && grows), "impact {index}: {judged:?}");
            gains += u32::from(grows);
        }
    }
    assert!(gains > 0, "no gain to be seen without e_t");
}

/// Two rough contacts on four coordinates, planar.
fn planar(rng: &mut Rng) -> Mechanism {
    let rows = (0..4).map(|_| (0..4).map(|_| rng.normal()).collect()).collect();
    let velocity = (0..4).map(|_| rng.normal()).collect();
    let mut specs = contacts([rng.uniform(0.0, 2.0), rng.uniform(0.0, 2.0)], [0.0; 2]);
    specs.iter_mut().for_each(|spec| spec.material.restitution = Restitution::Constant(0.0));
    Mechanism::new(&[1.0; 4], velocity, rows, specs)
}
