//! Fast laws against slow oracles that share no code with them.

use carom::{Contact, ContactVec, Delassus, ImpactError, Material};
use carom_testkit::assert::norm;
use carom_testkit::generate::{
    Class, Sample, claims_contact, condition, generic_set, hard_set, perturbed_mirtich,
};
use carom_testkit::laws::{law, resolve};
use carom_testkit::oracle::{Split, Stop, brute, double_double, euler, quadrature};
use carom_testkit::transform::symmetric;
use carom_testkit::{Rng, assert_close};

const SEED: u64 = 20_240;

/// What exact integration may be off by, relative to the impulse: rounding, multiplied by the condition of `W`.
fn exact<const D: usize>(w: &Delassus<D>) -> f64 {
    f64::max(1e-12, 10.0 * condition(w) * f64::EPSILON)
}

/// Exact integration against 32 digits.
fn assert_exact(contact: &Contact<3>, stop: Stop, index: usize) {
    let outcome = resolve(&law(stop.law_id()), contact);
    let reference = double_double::routh(&Split::from(contact), stop);
    assert_close!(
        outcome.impulse,
        reference.impulse,
        tol = exact(contact.delassus()),
        "seed {SEED}, contact {index}, {stop:?}: {contact:?}"
    );
    assert_eq!(
        outcome.effort.compressions, reference.compressions,
        "seed {SEED}, contact {index}, {stop:?}: {contact:?}"
    );
}

#[test]
fn routh_is_exact_on_a_thousand_hard_contacts() {
    for (i, contact) in hard_set(SEED, 1000).iter().enumerate() {
        assert_exact(contact, Stop::ALL[i % 3], i);
    }
}

#[test]
fn routh_is_exact_on_generic_contacts() {
    for (i, contact) in generic_set(SEED, 300).iter().enumerate() {
        assert_exact(contact, Stop::ALL[i % 3], i);
    }
}

#[test]
fn routh_is_exact_around_the_corrected_mirtich_example() {
    let mut recompressed = 0;
    for i in 0..100 {
        let contact = perturbed_mirtich(&mut Rng::for_item(SEED, i as u64));
        for stop in Stop::ALL {
            assert_exact(&contact, stop, i);
        }
        let outcome = resolve(&law(Stop::Stronge.law_id()), &contact);
        recompressed += u32::from(outcome.effort.compressions == 2);
    }
    // Otherwise the set has lost what it is for.
    assert!(recompressed > 30, "only {recompressed} compress twice");
}

#[test]
fn routh_agrees_with_quadrature() {
    for (i, contact) in hard_set(SEED + 1, 300).iter().enumerate() {
        let stop = Stop::ALL[i % 3];
        let outcome = resolve(&law(stop.law_id()), contact);
        let panels = quadrature::routh(&Split::from(contact), stop);
        assert_close!(
            outcome.impulse,
            panels.impulse,
            tol = exact(contact.delassus()),
            "contact {i}, {stop:?}: {contact:?}"
        );
    }
}

#[test]
fn routh_agrees_with_quadrature_whatever_the_condition() {
    let mut compared = 0;
    for i in 0..3000 {
        let Sample { contact, class, .. } = claims_contact::<3>(&mut Rng::for_item(SEED, i));
        let mu = contact.material().mu;
        if class == Class::Singular || mu == 0.0 || mu.is_infinite() {
            continue;
        }
        let stop = Stop::ALL[compared % 3];
        let outcome = resolve(&law(stop.law_id()), &contact);
        let panels = quadrature::routh(&Split::from(&contact), stop);
        assert_close!(
            outcome.impulse,
            panels.impulse,
            tol = exact(contact.delassus()),
            "contact {i}, {stop:?}: {contact:?}"
        );
        compared += 1;
    }
    assert!(compared > 1500, "only {compared} contacts compared");
}

#[test]
fn routh_stronge_is_the_limit_of_euler() {
    for (i, contact) in generic_set(SEED, 60).iter().enumerate() {
        let outcome = resolve(&law("routh-stronge"), contact);
        // First order: steps a hundred times smaller leave a hundredth of the error, or so little that where the last
        // step falls decides.
        let error = |steps: f64| {
            let path =
                euler::routh_stronge(&Split::from(contact), outcome.impulse.normal() / steps);
            (outcome.impulse - ContactVec::new(path.impulse)).norm() / outcome.impulse.norm()
        };
        let (coarse, fine) = (error(1e3), error(1e5));
        assert!(
            coarse < 0.1 && fine < f64::max(coarse / 50.0, 5e-5),
            "{i}: {coarse}, {fine}: {contact:?}"
        );
    }
}

/// A planar contact and the same in space, its second tangent idle.
fn planar_pair(rng: &mut Rng) -> (Contact<2>, Contact<3>) {
    let contact = &hard_set(rng.bits(), 1)[0];
    let (rows, u) = (contact.delassus().rows(), contact.velocity().components());
    let idle = rng.log_uniform(0.1, 10.0);
    let planar = [[rows[0][0], rows[0][1]], [rows[1][0], rows[1][1]]];
    let spatial = [[rows[0][0], rows[0][1], 0.0], [rows[1][0], rows[1][1], 0.0], [0.0, 0.0, idle]];
    let build = || -> Result<_, ImpactError> {
        Ok((
            Contact::new(
                Delassus::new(planar)?,
                ContactVec::new([u[0], u[1]]),
                *contact.material(),
            )?,
            Contact::new(
                Delassus::new(spatial)?,
                ContactVec::new([u[0], u[1], 0.0]),
                *contact.material(),
            )?,
        ))
    };
    build().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn closed_forms_of_the_plane_agree_with_the_series() {
    let mut rng = Rng::new(SEED);
    for i in 0..150 {
        let (planar, spatial) = planar_pair(&mut rng);
        for stop in Stop::ALL {
            let p = resolve(&law(stop.law_id()), &planar).impulse;
            let reference = double_double::routh(&Split::from(&spatial), stop).impulse;
            assert_close!(
                [p[0], p[1], 0.0],
                reference,
                tol = exact(planar.delassus()),
                "{i}, {stop:?}: {planar:?}"
            );
        }
    }
}

#[test]
fn whittaker_finds_every_solution_and_returns_the_smallest() {
    let mut several = 0;
    // Several solutions need a near-grazing start.
    for (i, contact) in grazing_set(400).iter().enumerate() {
        let outcome = resolve(&law("whittaker"), contact);
        let all = brute::whittaker(&Split::from(contact));
        assert_eq!(outcome.effort.solutions as usize, all.len(), "{i}: {all:?}: {contact:?}");
        // Bisection over the direction of slip: near a double root it keeps half of the digits.
        assert_close!(outcome.impulse, all[0], tol = 1e-9, "{i}: {contact:?}");
        several += u32::from(all.len() > 1);
    }
    assert!(several >= 3, "only {several} contacts have several solutions");
}

/// Contacts that hardly approach, strongly anisotropic and rough.
fn grazing_set(size: u64) -> Vec<Contact<3>> {
    let build = |i| -> Result<Contact<3>, ImpactError> {
        let mut rng = Rng::for_item(SEED, i);
        let axes = rng.rotation();
        let eigenvalues: [f64; 3] = std::array::from_fn(|_| rng.log_uniform(0.03, 30.0));
        let w = symmetric(|i, j| (0..3).map(|m| eigenvalues[m] * axes[m][i] * axes[m][j]).sum());
        let u = [-1e-3, rng.normal(), rng.normal()];
        let material = Material::new(rng.uniform(0.2, 3.0), rng.unit())?;
        Contact::new(Delassus::new(w)?, ContactVec::new(u), material)
    };
    (0..size).map(|i| build(i).unwrap_or_else(|e| panic!("{e}"))).collect()
}

#[test]
fn smith_is_among_the_solutions_of_its_equations() {
    let mut rng = Rng::new(SEED);
    let mut missed = 0;
    for (i, contact) in generic_set(SEED + 3, 300).iter().enumerate() {
        let outcome = resolve(&law("smith"), contact);
        let all = brute::smith(&Split::from(contact), &mut rng, 30);
        let Some(smallest) = all.first() else {
            missed += 1;
            continue;
        };
        assert_close!(
            outcome.impulse,
            smallest,
            tol = 1e-10,
            scale = norm(smallest),
            "{i}: {all:?}: {contact:?}"
        );
    }
    // Newton's method from random starts misses a few; carom follows the branch from p_n = 0.
    assert!(missed <= 6, "multistart missed {missed} of 300");
}

#[test]
fn friction_of_two_phase_laws_is_the_proximal_step() {
    // With e = 0 Anitescu and Potra's law is one step of which the direction of final slip decides.
    for (i, contact) in generic_set(SEED + 4, 300).iter().enumerate() {
        let contact = Contact::new(
            *contact.delassus(),
            *contact.velocity(),
            Material::new(contact.material().mu, 0.0).unwrap_or_else(|e| panic!("{e}")),
        )
        .unwrap_or_else(|e| panic!("{e}"));
        let p = resolve(&law("anitescu-potra"), &contact).impulse;
        let pt = brute::proximal_step(&Split::from(&contact), p.normal());
        assert_close!([p[1], p[2]], pt, tol = 1e-11, scale = p.norm(), "{i}: {contact:?}");
    }
}
