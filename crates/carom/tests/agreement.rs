//! Limits in which laws must agree, and what must hold along their paths.
//!
//! Numbered as in the list of invariants of the laws' mathematics; [`invariance`](./invariance.rs) has the others.

use carom::law::Brach;
use carom::{Contact, ContactVec, Delassus, ImpactLaw, Law, NoTrace, Recorder, Tolerances};
use carom_testkit::assert_close;
use carom_testkit::cases::{FIG4_RAYS, SPATIAL};
use carom_testkit::generate::{condition, generic_set, hard_set};
use carom_testkit::laws::{every_law, law, resolve};
use carom_testkit::oracle::rays::{has_four_rays, rays};
use carom_testkit::oracle::{Split, brute};
use carom_testkit::transform::{
    decoupled, with_delassus, with_e, with_material, with_mu, with_velocity,
};

const SEED: u64 = 57;

const ROUTH: [&str; 3] = ["routh-poisson", "routh-stronge", "routh-newton"];

/// What rounding may do to an impulse, relative to its size: amplified by the condition of `W`, and not below the
/// accuracy that exact integration promises.
fn rounding<const D: usize>(contact: &Contact<D>) -> f64 {
    f64::max(1e-12, 10.0 * f64::EPSILON * condition(contact.delassus()))
}

fn both_sets() -> Vec<Contact<3>> {
    let mut contacts = generic_set(SEED, 300);
    contacts.extend(hard_set(SEED, 300));
    contacts
}

fn impulse<const D: usize>(id: &str, contact: &Contact<D>) -> ContactVec<D> {
    resolve(&law(id), contact).impulse
}

/// All these laws answer the same.
fn assert_agree(ids: &[&str], contact: &Contact<3>) {
    let expected = impulse(ids[0], contact);
    for id in &ids[1..] {
        assert_close!(
            impulse(id, contact),
            expected,
            tol = rounding(contact),
            "{id} is not {}: {contact:?}",
            ids[0]
        );
    }
}

/// `(1 + e) P_I`.
fn frictionless_rebound(contact: &Contact<3>) -> [f64; 3] {
    let pn = -(1.0 + contact.e()) * contact.velocity().normal() / contact.delassus().at(0, 0);
    [pn, 0.0, 0.0]
}

/// The laws that read `e`, μ and nothing that overrides them.
fn laws_of_e_and_mu() -> Vec<(&'static str, Law)> {
    every_law::<3>()
        .into_iter()
        .filter(|(row, _)| row.id != "brach" && !row.id.starts_with("permissible"))
        .map(|(row, law)| (row.id, law))
        .collect()
}

#[test]
fn invariant_05_without_friction_all_laws_rebound_along_the_normal() {
    for contact in both_sets() {
        let smooth = with_mu(&contact, 0.0);
        // Falls straight, and nothing turns it.
        let [un, ..] = contact.velocity().components();
        let straight = with_velocity(&decoupled(&contact), [un, 0.0, 0.0]);
        let untwisted = with_material(&straight, |m| m.impulse_ratio = None);
        for (id, law) in laws_of_e_and_mu() {
            for contact in [&smooth, &untwisted] {
                // The class of the bilinear law is the decoupled one.
                if id == "bilinear" && contact.delassus().at(0, 1) != 0.0 {
                    continue;
                }
                let expected = frictionless_rebound(contact);
                let outcome = resolve(&law, contact);
                assert_close!(
                    outcome.impulse,
                    expected,
                    tol = 8.0 * f64::EPSILON,
                    "{id}: {contact:?}"
                );
            }
        }
    }
}

#[test]
fn invariant_06_plastic_impacts_have_one_rule_of_restitution() {
    for contact in both_sets() {
        let plastic = with_e(&contact, 0.0);
        assert_agree(&ROUTH, &plastic);
        assert_agree(&["whittaker", "anitescu-potra"], &plastic);
    }
}

#[test]
fn invariant_07_decoupled_contacts_share_the_normal_impulse() {
    for contact in both_sets() {
        let contact = decoupled(&contact);
        assert_agree(&ROUTH, &contact);
        for (row, law) in every_law::<3>() {
            if row.id.starts_with("permissible") || row.id == "bilinear" {
                continue;
            }
            let pn = resolve(&law, &contact).impulse.normal();
            assert_close!(
                pn,
                frictionless_rebound(&contact)[0],
                tol = rounding(&contact),
                "{}: {contact:?}",
                row.id
            );
        }
    }
}

#[test]
fn invariant_07_slip_along_a_principal_axis() {
    for contact in both_sets() {
        let [un, x, y] = contact.velocity().components();
        let mut w = decoupled(&contact).delassus().rows();
        w[1][2] = 0.0;
        w[2][1] = 0.0;
        for u in [[un, x, 0.0], [un, 0.0, y]] {
            let aligned = with_velocity(&with_delassus(&contact, w), u);
            assert_agree(&["routh-stronge", "whittaker", "anitescu-potra"], &aligned);
            assert_agree(&["chatterjee-ruina", "bilinear"], &aligned);
        }
    }
}

#[test]
fn invariant_08_normal_incidence() {
    for contact in both_sets() {
        let [un, ..] = contact.velocity().components();
        let straight = with_velocity(&contact, [un, 0.0, 0.0]);
        assert_agree(&ROUTH, &straight);
        assert_agree(&["routh-stronge", "whittaker", "anitescu-potra", "smith"], &straight);
    }
}

/// A planar contact and the same in space: its second tangent has inertia of its own and nothing moves along it.
fn planar_pair(contact: &Contact<3>) -> (Contact<2>, Contact<3>) {
    let (rows, u) = (contact.delassus().rows(), contact.velocity().components());
    let planar = [[rows[0][0], rows[0][1]], [rows[1][0], rows[1][1]]];
    let spatial =
        [[rows[0][0], rows[0][1], 0.0], [rows[1][0], rows[1][1], 0.0], [0.0, 0.0, rows[2][2]]];
    let planar = Delassus::new(planar)
        .and_then(|w| Contact::new(w, ContactVec::new([u[0], u[1]]), *contact.material()))
        .unwrap_or_else(|e| panic!("{e}"));
    let spatial = with_velocity(&with_delassus(contact, spatial), [u[0], u[1], 0.0]);
    let in_plane =
        |m: &mut carom::Material| m.impulse_ratio = m.impulse_ratio.map(|[x, _]| [x, 0.0]);
    (with_material(&planar, in_plane), with_material(&spatial, in_plane))
}

#[test]
fn invariant_09_planar_impacts_stay_planar() {
    for contact in both_sets() {
        let (planar, spatial) = planar_pair(&contact);
        for (row, law) in every_law::<3>() {
            let (Ok(flat), Ok(full)) = (
                law.resolve(&planar, &Tolerances::NOMINAL, &mut NoTrace),
                law.resolve(&spatial, &Tolerances::NOMINAL, &mut NoTrace),
            ) else {
                // Bilinear: coupled in both; a setting with three components: not for the plane.
                assert!(["bilinear", "permissible-projected"].contains(&row.id), "{}", row.id);
                continue;
            };
            let [pn, pt] = flat.impulse.components();
            assert_close!(
                full.impulse,
                [pn, pt, 0.0],
                tol = rounding(&spatial),
                "{}: {spatial:?}",
                row.id
            );
        }
    }
}

#[test]
fn invariant_09_two_step_laws_are_incremental_unless_slip_reverses() {
    let mut reversed = 0;
    for contact in both_sets() {
        let (planar, _) = planar_pair(&contact);
        let before = planar.velocity()[1];
        for (incremental, stepped) in
            [("routh-poisson", "anitescu-potra"), ("routh-newton", "whittaker")]
        {
            let path = resolve(&law(incremental), &planar);
            // Reversed: the contact stopped and left the other way.
            if path.velocity[1] * before < -1e-12 * before * before {
                reversed += 1;
                continue;
            }
            assert_close!(
                impulse(stepped, &planar),
                path.impulse,
                tol = rounding(&planar),
                "{stepped}: {planar:?}"
            );
        }
    }
    assert!(reversed > 10, "only {reversed} reversals: the exception is not exercised");
}

#[test]
fn invariant_10_chatterjee_ruina_between_its_corners() {
    let mut elastic = 0;
    for contact in both_sets() {
        let outcome = resolve(&law("chatterjee-ruina"), &contact);
        let [un, ..] = contact.velocity().components();
        assert_close!(
            outcome.velocity.normal(),
            -contact.e() * un,
            tol = rounding(&contact),
            scale = un.abs(),
            "{contact:?}"
        );

        let slippery = with_material(&contact, |m| m.e_t = -1.0);
        let expected = frictionless_rebound(&contact);
        assert_close!(
            impulse("chatterjee-ruina", &slippery),
            expected,
            tol = 8.0 * f64::EPSILON,
            "{contact:?}"
        );

        // With unlimited friction and both coefficients one, 2 P_II reflects the whole velocity.
        let reflecting =
            with_material(&with_e(&with_mu(&contact, f64::INFINITY), 1.0), |m| m.e_t = 1.0);
        let outcome = resolve(&law("chatterjee-ruina"), &reflecting);
        let reflected = -*contact.velocity();
        let sticking = nalgebra::Matrix3::from(contact.delassus().rows())
            .lu()
            .solve(&nalgebra::Vector3::from(reflected.components()));
        if sticking.is_some_and(|p| p[0] > 0.0) {
            elastic += 1;
            assert_close!(outcome.velocity, reflected, tol = rounding(&contact), "{contact:?}");
        }
    }
    assert!(elastic > 200, "only {elastic} contacts reflect");
}

#[test]
fn invariant_11_work_balances_along_the_path() {
    for contact in both_sets() {
        for id in ROUTH {
            let mut path = Recorder::default();
            let outcome = law(id)
                .resolve(&contact, &Tolerances::NOMINAL, &mut path)
                .unwrap_or_else(|e| panic!("{e}"));
            let Some(totals) = path.totals else {
                panic!("{id} follows a path and must say what it adds up to");
            };
            let change = contact.energy_change(&outcome.impulse);
            let friction = change - totals.normal_work();
            let scale = totals.compression_work.abs() + totals.restitution_work + friction.abs();
            // Friction opposes slip: it takes energy, or none.
            assert!(friction <= rounding(&contact) * scale, "{id} gains by friction: {contact:?}");
            let (e, tolerance) = (contact.e(), rounding(&contact));
            match id {
                "routh-stronge" => assert_close!(
                    totals.restitution_work,
                    -e * e * totals.compression_work,
                    tol = tolerance,
                    scale = totals.compression_work.abs(),
                    "{contact:?}"
                ),
                "routh-poisson" => assert_close!(
                    outcome.impulse.normal(),
                    (1.0 + e) * totals.compression_impulse,
                    tol = tolerance,
                    "{contact:?}"
                ),
                _ => {}
            }
        }
    }
}

/// `u_n = u_n⁻ + κ p_n + b·(u_t − u_t⁻)` holds on every path, whatever friction did: it is `W` rewritten.
#[test]
fn invariant_12_normal_velocity_along_the_path() {
    for contact in both_sets() {
        let split = Split::from(&contact);
        let [xx, xy, yy] = split.t;
        let determinant = xx * yy - xy * xy;
        let b = [
            (yy * split.c[0] - xy * split.c[1]) / determinant,
            (xx * split.c[1] - xy * split.c[0]) / determinant,
        ];
        let kappa = split.k - split.c[0] * b[0] - split.c[1] * b[1];
        for id in ROUTH {
            let mut path = Recorder::default();
            let answer = law(id).resolve(&contact, &Tolerances::NOMINAL, &mut path);
            assert!(answer.is_ok() && !path.samples.is_empty(), "{id}: {contact:?}");
            for point in &path.samples {
                let [pn, ..] = point.impulse;
                let [un, x, y] = point.velocity;
                let (dx, dy) = (x - split.ut[0], y - split.ut[1]);
                let expected = split.un + kappa * pn + b[0] * dx + b[1] * dy;
                let scale = split.un.abs() + kappa * pn + (b[0] * dx).abs() + (b[1] * dy).abs();
                assert_close!(
                    un,
                    expected,
                    tol = rounding(&contact),
                    scale = scale,
                    "{id}: {contact:?}"
                );
            }
        }
    }
}

#[test]
fn invariant_12_rays() {
    let (mut two, mut four) = (0, 0);
    for contact in both_sets() {
        let split = Split::from(&contact);
        let found = rays(&split);
        assert_eq!(found.len(), if has_four_rays(&split) { 4 } else { 2 }, "{contact:?}");
        let [xx, xy, yy] = split.t;
        for ray in &found {
            // f' + g = −μ s⊥·T s⊥.
            let (sin, cos) = ray.angle.sin_cos();
            let across = xx * sin * sin - 2.0 * xy * sin * cos + yy * cos * cos;
            let scale = ray.turning.abs() + ray.growth.abs();
            assert_close!(
                ray.turning + ray.growth,
                -split.mu * across,
                tol = 1e-12,
                scale = scale,
                "{contact:?}"
            );
        }
        if found.len() == 4 {
            four += 1;
            // The exponents are large where two rays nearly meet: they cancel.
            let exponents = found.iter().map(|ray| ray.exponent());
            let size: f64 = exponents.clone().map(f64::abs).sum();
            assert_close!(
                exponents.sum::<f64>(),
                -2.0,
                tol = 1e-12 * size * size,
                scale = 1.0,
                "{contact:?}"
            );
        } else {
            two += 1;
        }
    }
    assert!(two > 50 && four > 50, "{two} contacts with two rays, {four} with four");
}

#[test]
fn invariant_12_rays_of_fig_4() {
    let found = rays(&Split::from(&SPATIAL[1].contact()));
    assert_eq!(found.len(), 4);
    for (ray, [degrees, growth, turning, exponent]) in found.iter().zip(FIG4_RAYS) {
        assert_close!(ray.angle.to_degrees(), degrees, tol = 1e-14);
        assert_close!(ray.growth, growth, tol = 1e-12);
        assert_close!(ray.turning, turning, tol = 1e-12);
        assert_close!(ray.exponent(), exponent, tol = 1e-11);
    }
}

/// Of the sixteen starts of Fig. 4 exactly those at 225°…315° come to rest before they leave along the diverging ray.
#[test]
fn invariant_12_basins_of_fig_4() {
    let base = SPATIAL[1].contact();
    for n in 0..16 {
        let angle = f64::from(n) * std::f64::consts::TAU / 16.0;
        // A hard approach, so that the impact lasts until the direction is decided.
        let contact = with_velocity(&base, [-200.0, angle.cos(), angle.sin()]);
        let outcome = resolve(&law("routh-stronge"), &contact);
        let rested = outcome.effort.final_mode == carom::outcome::FinalMode::Diverge;
        assert_eq!(rested, (10..=14).contains(&n), "start {n}: {:?}", outcome.effort);
    }
}

#[test]
fn invariant_15_whittaker_has_an_odd_number_of_solutions() {
    for contact in both_sets().iter().step_by(4) {
        let outcome = resolve(&law("whittaker"), contact);
        let all = brute::whittaker(&Split::from(contact));
        assert_eq!(all.len() % 2, 1, "{all:?}: {contact:?}");
        assert_eq!(outcome.effort.solutions as usize, all.len(), "{contact:?}");
        // Sampled and bisected: near a double root half of the digits are lost.
        assert_close!(outcome.impulse, all[0], tol = 1e-9, "{contact:?}");
    }
}

#[test]
fn invariant_17_brach_reaches_every_impulse() {
    for contact in both_sets() {
        for id in ["routh-stronge", "chatterjee-ruina", "smith"] {
            let p = impulse(id, &contact);
            let Some((e, ratios)) = Brach::parameters_of(&contact, &p) else {
                panic!("{id} pushes: {contact:?}");
            };
            let posed = with_material(&with_e(&contact, e), |m| m.impulse_ratio = Some(ratios));
            // e is a quotient of velocities, which are differences: what u_n lacks beside W p is lost.
            let w = contact.delassus();
            let terms: f64 = (0..3).map(|j| (w.at(0, j) * p[j]).abs()).sum();
            let lost = 16.0 * f64::EPSILON * terms / contact.velocity().normal().abs();
            assert_close!(
                impulse("brach", &posed),
                p,
                tol = rounding(&contact).max(lost),
                "{id}: {contact:?}"
            );
        }
    }
}
