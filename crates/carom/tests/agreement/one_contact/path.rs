//! What holds along the path of an incremental law, and where it leads.

use super::support::{ROUTH, both_sets, rounding};
use carom::{Recorder, Tolerances};
use carom_testkit::assert_close;
use carom_testkit::cases::{FIG4_RAYS, SPATIAL};
use carom_testkit::laws::{law, resolve};
use carom_testkit::oracle::Split;
use carom_testkit::oracle::rays::{has_four_rays, rays};
use carom_testkit::transform::with_velocity;

#[test]
fn invariant_11_work_balances_along_the_path() {
    for contact in both_sets() {
        for id in ROUTH {
            let mut path = Recorder::default();
            let outcome = law(id)
                .resolve_contact(&contact, &Tolerances::NOMINAL, &mut path)
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
            let answer = law(id).resolve_contact(&contact, &Tolerances::NOMINAL, &mut path);
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
