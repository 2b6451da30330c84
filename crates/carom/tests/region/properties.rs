//! The permissible region on random contacts: convexity, boundaries, parameters, and agreement with the certificate,
//! which is computed by other code.

use crate::support::{ON_BOUNDARY, Random, assert_inside, contact, region};
use carom::catalog::SettingValue;
use carom::certify::{Certificate, Inequality, PermissibleRegion, Verdict};
use carom::laws::{PermissibleProjected, PermissibleSpherical};
use carom::region::{FigureLine, FigurePoint, SphericalParameters, Standing};
use carom::{ContactProblem, ContactSpec, ContactVec, Law, Tolerances, Unobserved};
use carom_testkit::Rng;
use carom_testkit::generate::claims_contact;
use carom_testkit::judge::judge;
use core::f64::consts::PI;

fn check_one<const D: usize>(random: &mut Random) {
    let contact = random.contact::<D>();
    let region = region(&contact);
    let centre = region.interior_point().unwrap();
    let explanation = region.explain(&centre);
    assert!(
        explanation.findings.iter().all(|f| f.standing == Standing::Holds),
        "{explanation} {contact:?}"
    );
    if region.unbounded_direction().is_some() {
        return;
    }
    let mut boundary = Vec::new();
    for _ in 0..8 {
        let d = random.direction::<D>();
        let exit = region.exit(&centre, &d).unwrap();
        assert_inside(&region, &exit.impulse);
        let margins = region.margins(&exit.impulse);
        let (_, active) = margins.each().into_iter().find(|(i, _)| *i == exit.inequality).unwrap();
        assert!(
            active.value.abs() <= ON_BOUNDARY * active.scale,
            "{exit:?} {active:?} {contact:?}"
        );
        let beyond = centre + (exit.impulse - centre) * 2.0;
        assert!(!region.contains(&beyond), "{beyond:?} {contact:?}");
        boundary.push(exit.impulse);

        let rho = random.uniform();
        let p = centre + (exit.impulse - centre) * rho;
        let parameters = region.spherical_parameters_of(&p).unwrap();
        // Its own rounding turns the ray to p, and W's condition magnifies what that does to the exit.
        let [least, most] = contact.delassus().extreme_eigenvalues();
        let lost =
            f64::EPSILON * (1.0 + centre.norm() / exit.distance) * (most / least.max(1e-12 * most));
        assert!(
            (parameters.rho - rho).abs() < 1e-12 + 64.0 * lost,
            "{parameters:?} {rho} {contact:?}"
        );
        let back = region.impulse_at(&parameters).unwrap();
        assert!((back - p).norm() <= 1e-12 * (p.norm() + centre.norm() + exit.distance));

        let projection = region.project(&beyond).unwrap();
        assert!(projection.moved);
        assert_inside(&region, &projection.impulse);
        assert!((projection.impulse - exit.impulse).norm() <= 1e-9 * exit.distance);
        let again = region.project(&projection.impulse).unwrap();
        assert_eq!((again.impulse, again.moved), (projection.impulse, false));

        let brach = region.brach_parameters_of(&p).unwrap();
        let coupled = |i: usize| contact.delassus().at(0, i) * brach.ratios[i - 1];
        let compliance = contact.delassus().at(0, 0) + (1..D).map(coupled).sum::<f64>();
        let normal = (1.0 + brach.e) * contact.approach_speed() / compliance;
        let rebuilt = ContactVec::from_parts(normal, brach.ratios.map(|m| m * normal));
        // Both ways the normal row of W is summed: what it cancels is lost.
        let cancelled = region.margins(&p).separation.scale / (compliance * p.normal()).abs();
        assert!(
            (rebuilt - p).norm() <= 16.0 * f64::EPSILON * (1.0 + cancelled) * p.norm(),
            "{rebuilt:?} {p:?} {contact:?}"
        );
    }
    // Convexity: midpoints of boundary points are inside.
    for pair in boundary.windows(2) {
        assert_inside(&region, &((pair[0] + pair[1]) * 0.5));
    }
}

#[test]
fn random_regions_of_one_row() {
    let mut random = Random::new(1);
    (0..1000).for_each(|_| check_one::<1>(&mut random));
}

#[test]
fn random_regions_of_the_plane() {
    let mut random = Random::new(2);
    (0..4000).for_each(|_| check_one::<2>(&mut random));
}

#[test]
fn random_regions_of_space() {
    let mut random = Random::new(3);
    (0..4000).for_each(|_| check_one::<3>(&mut random));
}

/// The verdict of the certificate, which knows nothing of regions, is that of `explain`.
#[test]
fn agreement_with_certificates() {
    let mut random = Random::new(4);
    let mut violations = 0;
    for _ in 0..4000 {
        let contact = random.contact::<3>();
        let region = region(&contact);
        let w: Vec<f64> = contact.delassus().rows().concat();
        let spec = ContactSpec::new(3, *contact.material());
        let problem = ContactProblem::new(&w, contact.velocity().as_slice(), &[spec]).unwrap();
        let centre = region.interior_point().unwrap();
        let size = centre.norm() * libm::pow(10.0, random.between(-4.0, 1.0));
        let p = centre + random.vector::<3>() * size;
        let certificate = Certificate::of(&problem, p.as_slice(), &Tolerances::default()).unwrap();
        let explanation = region.explain(&p);
        let violated: Vec<Inequality> = explanation.violated().map(|f| f.inequality).collect();
        match certificate.verdict {
            Verdict::Violates(list) => {
                violations += 1;
                assert_eq!(violated, list);
            }
            other => assert!(violated.is_empty(), "{explanation} {other:?}"),
        }
    }
    assert!((500..3500).contains(&violations), "{violations} of 4000: both kinds must occur");
}

#[test]
fn explanations_name_what_is_wrong() {
    let region = region(&contact([[1.0, 0.0], [0.0, 3.0]], [-1.0, 2.0], 0.5));
    // ½·(1·(−1 + 0) + (−2)·(2 − 4)) = 1.5 J gained; |p_t| − μ p_n = 1.5.
    let text = region.explain(&ContactVec::new([1.0, -2.0])).to_string();
    assert!(text.starts_with("not permissible: creates 1.500000 J of energy"), "{text}");
    let friction = "friction exceeds mu = 0.5 times the normal impulse by 1.500000 N·s";
    assert!(text.contains(friction), "{text}");
    let text = region.explain(&ContactVec::new([-0.5, 0.0])).to_string();
    assert!(text.contains("still approach at 1.500000 m/s"), "{text}");
    assert!(text.contains("pull with 0.500000 N·s"), "{text}");
    let text = region.explain(&ContactVec::new([1.5, -0.75])).to_string();
    assert_eq!(text, "permissible; friction is at its limit");
    let hopeless = region.explain(&ContactVec::new([f64::NAN, 0.0]));
    assert_eq!(hopeless.violated().count(), 4);
}

/// u = (−1, −29.5), W = diag(1, 3), μ = ½: on the friction line p = s (1, ½), s = 2·(1 + 14.75)/1.75 = 18.
#[test]
fn the_central_grazing_disk_rebounds_seventeen_times_faster() {
    let planar = region(&contact([[1.0, 0.0], [0.0, 3.0]], [-1.0, -29.5], 0.5));
    let best = planar.largest_restitution().unwrap();
    assert!((best.e - 17.0).abs() < 1e-12);
    assert!((best.impulse - ContactVec::new([18.0, 9.0])).max_abs() < 1e-12);
    // The same in space, sliding obliquely.
    let w = [[1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]];
    let oblique = region(&contact(w, [-1.0, -29.5 * 0.6, -29.5 * 0.8], 0.5));
    let best = oblique.largest_restitution().unwrap();
    assert!((best.e - 17.0).abs() < 1e-12, "{}", best.e);
    assert!((best.impulse - ContactVec::new([18.0, 5.4, 7.2])).max_abs() < 1e-7);
}

/// No ray from inside, nor from the best impulse itself, leads to a faster rebound; and the best is permissible.
#[test]
fn no_impulse_beats_the_largest_restitution() {
    fn check<const D: usize>(random: &mut Random) {
        let contact = random.contact::<D>();
        let region = region(&contact);
        let Some(best) = region.largest_restitution() else {
            return assert!(region.unbounded_direction().is_some());
        };
        assert_inside(&region, &best.impulse);
        assert!(best.e >= 1.0 - 1e-12, "2 P_I has e = 1");
        for _ in 0..200 {
            let d = random.direction::<D>();
            for from in [region.interior_point().unwrap(), best.impulse] {
                let Some(exit) = region.exit(&from, &d) else {
                    continue;
                };
                let e = region.restitution_seen(&exit.impulse).unwrap();
                let noise = region.margins(&exit.impulse).separation.rounding;
                let allowed = best.e * (1.0 + 1e-9) + 4.0 * noise / contact.approach_speed();
                assert!(e <= allowed, "{e} {} {contact:?}", best.e);
            }
        }
    }
    let mut random = Random::new(5);
    (0..20).for_each(|_| check::<1>(&mut random));
    (0..300).for_each(|_| check::<2>(&mut random));
    (0..300).for_each(|_| check::<3>(&mut random));
}

/// The construction of the plane: W = [[2, 1], [1, 2]], u = (−1, −1): P_I = (½, 0), P_II = (⅓, ⅓).
/// On the line e = 1, 2p_n + p_t = 2, the energy p_n² + p_n p_t + p_t² − p_n − p_t vanishes where
/// 3p_n² − 5p_n + 2 = 0: at E, p_n = 1, and at F = (⅔, ⅔).
#[test]
fn labelled_points_of_the_plane() {
    let contact = contact([[2.0, 1.0], [1.0, 2.0]], [-1.0, -1.0], 0.5);
    let region = region(&contact);
    let at = |point| region.point(point).unwrap();
    let near = |point: FigurePoint, expected: [f64; 2]| {
        let p = at(point);
        assert!((p - ContactVec::new(expected)).max_abs() < 1e-15, "{point:?} {p:?}");
    };
    near(FigurePoint::O, [0.0, 0.0]);
    near(FigurePoint::PI, [0.5, 0.0]);
    near(FigurePoint::PII, [1.0 / 3.0, 1.0 / 3.0]);
    near(FigurePoint::P0, [0.75, 0.0]);
    near(FigurePoint::E, [1.0, 0.0]);
    near(FigurePoint::F, [2.0 / 3.0, 2.0 / 3.0]);
    use FigurePoint::{A, B, C, D, E, F};
    for point in [A, B, C, D, E, F] {
        let gained = contact.energy_change(&at(point));
        assert!(gained.abs() < 1e-15, "{point:?} is on the first energy surface");
    }
    // A slides on (u_t⁻ < 0), B back; C separates, D approaches; nothing else moves there.
    let [a, b, c, d] = [A, B, C, D].map(|point| contact.velocity_after(&at(point)));
    assert!(a[0].abs() < 1e-15 && a[1] < -0.1 && b[0].abs() < 1e-15 && b[1] > 0.1);
    assert!(c[1].abs() < 1e-15 && c[0] > 0.1 && d[1].abs() < 1e-15 && d[0] < -0.1);

    let on = |line, along: f64| {
        let locus = region.locus(line).unwrap();
        contact.velocity_after(&(locus.point + locus.direction.unwrap() * along))
    };
    for along in [-1.0, 0.0, 2.0] {
        assert!(on(FigureLine::MaximumCompression, along)[0].abs() < 1e-14);
        assert!((on(FigureLine::ConstantRestitution { e: 0.7 }, along)[0] - 0.7).abs() < 1e-14);
        assert!(on(FigureLine::Sticking, along)[1].abs() < 1e-14);
        assert!((on(FigureLine::TangentialReversal { e_t: 0.3 }, along)[1] - 0.3).abs() < 1e-14);
    }
    let friction = region.locus(FigureLine::FrictionNegative).unwrap();
    let along = friction.direction.unwrap();
    assert!((along[1] + 0.5 * along[0]).abs() < 1e-15);
}

#[test]
fn labelled_points_of_space() {
    let w = [[2.0, 1.0, 0.3], [1.0, 2.0, -0.2], [0.3, -0.2, 1.0]];
    let contact = contact(w, [-1.0, -0.5, 0.7], 0.5);
    let region = region(&contact);
    let c = region.point(FigurePoint::C).unwrap();
    assert!(contact.energy_change(&c).abs() < 1e-14);
    assert!(contact.velocity_after(&c).tangent_norm() < 1e-14);
    assert_eq!(region.point(FigurePoint::A), None);
    let plane = region.locus(FigureLine::MaximumCompression).unwrap();
    let p = plane.point + plane.direction.unwrap() * 0.4 + plane.second.unwrap() * -1.3;
    assert!(contact.velocity_after(&p).normal().abs() < 1e-14);
    let reversal = region.locus(FigureLine::TangentialReversal { e_t: 0.4 }).unwrap();
    let p = reversal.point + reversal.direction.unwrap() * 3.0;
    let [x, y] = contact.velocity_after(&p).tangent();
    assert!((x - 0.2).abs() < 1e-14 && (y + 0.28).abs() < 1e-14);
}

/// A rod along (n, t) = (3, −4)/5 cannot yield: W = vvᵀ with v = (4, 3)/5, and u = −v. The sticking impulse is v
/// itself. The locked direction is in the cone if 4/3 ≤ μ.
#[test]
fn mechanisms_that_lock() {
    let w = [[0.64, 0.48], [0.48, 0.36]];
    let narrow = region(&contact(w, [-0.8, -0.6], 1.0));
    let sticking = narrow.sticking_impulse().unwrap();
    assert!((sticking - ContactVec::new([0.8, 0.6])).max_abs() < 1e-15);
    assert_eq!(narrow.unbounded_direction(), None);
    let centre = narrow.interior_point().unwrap();
    assert!((centre - ContactVec::new([1.875, 0.0])).max_abs() < 1e-15);
    // Along the rod only the cone ends the region: 1.875 + 0.6 ρ = 0.8 ρ.
    let rod = ContactVec::new([0.6, -0.8]);
    let exit = narrow.exit(&centre, &rod).unwrap();
    assert_eq!(exit.inequality, Inequality::Cone);
    assert!((exit.distance - 1.875 / 0.2).abs() < 1e-12);
    // With u_n⁺ = 0.8 (v·p − 1), energy bounds v·p by 2: e ≤ 1.
    assert!((narrow.largest_restitution().unwrap().e - 1.0).abs() < 1e-12);
    // Between the lines v·p = 1 and v·p = 2 and the friction lines p_t = ±p_n. The line v·p = h cuts these at
    // (h/1.4)(1, 1) and (h/0.2)(1, −1): a triangle of h²/0.28 with the origin.
    let area = narrow.volume(1e-11).unwrap();
    assert!((area.value - 3.0 / 0.28).abs() <= area.error && area.error < 1e-9, "{area:?}");
    let mut random = Random::new(11);
    let sampler = narrow.sampler().unwrap();
    assert_inside(&narrow, &sampler.draw(&mut || random.uniform()).unwrap());

    let wide = region(&contact(w, [-0.8, -0.6], 2.0));
    assert!((wide.unbounded_direction().unwrap() - rod).max_abs() < 1e-12);
    assert_eq!(wide.exit(&wide.interior_point().unwrap(), &rod), None);
    assert!((wide.largest_restitution().unwrap().e - 1.0).abs() < 1e-12);
    assert_eq!(wide.volume(1e-9).unwrap_err().kind(), "bad_problem");
    assert_eq!(wide.sampler().unwrap_err().kind(), "bad_problem");
    assert_eq!(wide.polyline(9).unwrap_err().kind(), "bad_problem");
    let settings = [("psi1", libm::atan2(-0.8, 0.6)), ("rho", 0.5)]
        .map(|(name, x)| (name.to_string(), SettingValue::Number(x)))
        .into();
    let law = Law::with_settings("permissible-spherical", &settings).unwrap();
    let refusal = law.resolve_contact(wide.contact(), &Tolerances::default(), &mut Unobserved);
    assert_eq!(refusal.unwrap_err().kind(), "no_solution");

    // Moving along the rod: nothing stops it.
    let moving = region(&contact(w, [-0.8 + 0.6, -0.6 - 0.8], 1.0));
    assert_eq!(moving.sticking_impulse(), None);
    // Locked along the normal: an approach that cannot be stopped.
    let stuck = region(&contact([[0.0, 0.0], [0.0, 1.0]], [-1.0, 0.0], 1.0));
    assert_eq!(stuck.interior_point(), None);
    assert!(!stuck.contains(&ContactVec::new([1.0, 0.0])));
    assert_eq!(stuck.volume(1e-9).unwrap_err().kind(), "bad_problem");
}

/// The laws keep what they claim on the boundary, where the claims tests' default settings do not lead, and by a judge
/// that sums in twice the working precision.
#[test]
fn the_laws_stay_inside() {
    fn check<const D: usize>(index: u64) {
        let mut rng = Rng::for_item(14, index);
        let sample = claims_contact::<D>(&mut rng);
        let contact = &sample.contact;
        let parameters = SphericalParameters {
            psi1: rng.uniform(-PI, PI),
            psi2: rng.uniform(-PI, PI),
            rho: if rng.chance(0.5) { 1.0 } else { rng.unit() },
        };
        let size = rng.log_uniform(1e-3, 1e3);
        let given: [f64; D] = std::array::from_fn(|_| size * rng.normal());
        let laws = [
            Law::from(
                PermissibleSpherical::default()
                    .psi1(parameters.psi1)
                    .psi2(parameters.psi2)
                    .rho(parameters.rho),
            ),
            PermissibleProjected::new(&given).unwrap().into(),
        ];
        for law in laws {
            let outcome =
                match law.resolve_contact(contact, &Tolerances::default(), &mut Unobserved) {
                    Ok(outcome) => outcome,
                    Err(error) => {
                        let unbounded = region(contact).unbounded_direction().is_some();
                        let locked = contact.delassus().at(0, 0) == 0.0;
                        assert!(unbounded || locked, "{error} {contact:?} {law:?}");
                        continue;
                    }
                };
            let v = judge(contact, sample.energy, &outcome.impulse, &outcome.velocity);
            for violation in [v.energy, v.separation, v.normal, v.cone] {
                assert!(violation <= ON_BOUNDARY, "{v:?} {law:?} {contact:?}");
            }
        }
    }
    for index in 0..20_000 {
        check::<1>(index);
        check::<2>(index);
        check::<3>(index);
    }
}

#[test]
fn sizes_of_numbers_do_not_matter() {
    let w = [[1.0, 0.2], [0.2, 3.0]];
    let small = region(&contact(w, [-1.0, 2.0], 0.5));
    let d = ContactVec::new([0.3, -0.9]);
    let exit = |r: &PermissibleRegion<2>| r.exit(&r.interior_point().unwrap(), &d).unwrap();
    for power in [-300, -100, 100, 300] {
        let scale = libm::ldexp(1.0, power);
        let big = region(&contact(w, [-scale, 2.0 * scale], 0.5));
        assert_eq!(exit(&big).distance, exit(&small).distance * scale);
        let e = |r: &PermissibleRegion<2>| r.largest_restitution().unwrap().e;
        assert_eq!(e(&big), e(&small));
    }
    let huge = contact([[1e-300, 0.0], [0.0, 1e-300]], [-1e300, 0.0], 0.5);
    let refusal = PermissibleRegion::new(&huge, &Tolerances::default()).unwrap_err();
    assert_eq!(refusal.kind(), "limit");
    assert!(!small.contains(&ContactVec::new([f64::MAX, f64::MAX])));
    assert!(!small.contains(&ContactVec::new([f64::MAX, -f64::MAX])));
}
