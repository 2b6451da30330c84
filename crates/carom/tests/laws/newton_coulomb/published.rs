//! What engines have been measured to do, and should.

use super::support::{LAWS, certificate};
use carom::{Contact, ContactProblem, ContactSpec};
use carom_testkit::cases::{box_corner, kane_pendulum};
use carom_testkit::laws::resolve_several;

/// `ΔE/T⁻`.
fn change(law: &str, (contact, kinetic): (Contact<2>, f64)) -> f64 {
    let w = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| contact.delassus().at(i, j));
    let spec = ContactSpec::new(2, *contact.material());
    let problem = ContactProblem::new(&w, contact.velocity().as_slice(), &[spec])
        .unwrap_or_else(|error| panic!("{error}"));
    let outcome = resolve_several(&carom_testkit::laws::law(law), &problem);
    certificate(&problem, &outcome.impulse).energy_change / kinetic
}

/// Kane's double pendulum (KaneLevinson1985). With Newton's restitution and Coulomb's friction energy grows; measured of
/// engines that solve it so: Siconos 4.4 +0.59 and +2.44 at e = ½ and 1, Simbody's Newton +0.59 at e = ½, Jolt +0.63,
/// PyBullet +0.44, MuJoCo +1.22. Poisson's: Simbody −0.455 at e = ½ and −0.389 at e = 1.
#[test]
fn kanes_pendulum() {
    for (e, newton, poisson) in
        [(0.5, 0.58749, -0.45513), (0.7, 1.7576, -0.42912), (1.0, 2.4377, -0.38896)]
    {
        for (law, wanted) in LAWS.into_iter().zip([newton, poisson]) {
            let got = change(law, kane_pendulum(e));
            assert!((got - wanted).abs() < 6e-5, "{law}, e = {e}: {got}, known {wanted}");
        }
    }
}

/// A square on its corner: −0.3188 and +0.0374 at e = ½ and 1 in all engines with Newton's restitution.
#[test]
fn a_box_on_its_corner() {
    for (e, wanted) in [(0.5, -0.3188), (1.0, 0.0374)] {
        let got = change(LAWS[0], box_corner(e));
        assert!((got - wanted).abs() < 6e-5, "e = {e}: {got}, known {wanted}");
    }
}
