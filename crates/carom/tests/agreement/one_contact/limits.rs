//! No friction, no restitution, no coupling, no slip, no third dimension: where laws agree.

use super::support::{ROUTH, assert_agree, both_sets, frictionless_rebound, impulse, rounding};
use carom::{Contact, ContactVec, Delassus, Law, Tolerances, Unobserved};
use carom_testkit::assert_close;
use carom_testkit::laws::{every_law, law, resolve};
use carom_testkit::transform::{
    decoupled, with_delassus, with_e, with_material, with_mu, with_velocity,
};

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
                law.resolve_contact(&planar, &Tolerances::NOMINAL, &mut Unobserved),
                law.resolve_contact(&spatial, &Tolerances::NOMINAL, &mut Unobserved),
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
