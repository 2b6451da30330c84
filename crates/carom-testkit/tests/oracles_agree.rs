//! The oracles share no code beyond the split of the contact: that they agree is what makes them oracles.

use carom::{Contact, ContactVec, Delassus, Material};
use carom_testkit::assert_close;
use carom_testkit::generate::{
    MIRTICH_DELASSUS, MIRTICH_VELOCITY, condition, generic_set, hard_set,
};
use carom_testkit::oracle::{Split, Stop, dop853, double_double, euler, quadrature};

fn mirtich() -> Split {
    let contact = Delassus::new(MIRTICH_DELASSUS)
        .and_then(|w| Contact::new(w, ContactVec::new(MIRTICH_VELOCITY), Material::new(0.5, 0.9)?));
    Split::from(&contact.unwrap_or_else(|e| panic!("{e}")))
}

/// The corrected-Mirtich example as computed with 170 bits: p, compressions.
const MIRTICH: [(Stop, [f64; 3], u32); 3] = [
    (Stop::Stronge, [60.81154355202182141, -15.09702355877242790, 25.63524771174400567], 2),
    (Stop::Poisson, [27.73244769306065847, -8.48874564513869926, 10.96236986700190765], 1),
    (Stop::Newton, [56.65892725949731402, -15.28909045586205233, 23.58019245922014953], 2),
];

#[test]
fn all_reproduce_the_corrected_mirtich_example() {
    for (stop, impulse, compressions) in MIRTICH {
        let reference = double_double::routh(&mirtich(), stop);
        assert_close!(reference.impulse, impulse, tol = 2.0 * f64::EPSILON, "{stop:?}");
        assert_eq!(reference.compressions, compressions);
        let panels = quadrature::routh(&mirtich(), stop);
        assert_close!(panels.impulse, impulse, tol = 1e-13, "{stop:?}");
        assert_eq!(panels.compressions, compressions);
        let steps = dop853::routh(&mirtich(), stop, 1e-13);
        assert_close!(steps.impulse, impulse, tol = 1e-12, "{stop:?}");
        assert_eq!(steps.compressions, compressions);
    }
    let stronge = double_double::routh(&mirtich(), Stop::Stronge);
    assert_close!(stronge.compression_work, -7.674881591677637, tol = 1e-15);
    assert_close!(stronge.restitution_work, 6.216654089258886, tol = 1e-15);
}

#[test]
fn euler_converges_at_first_order() {
    let (_, exact, _) = MIRTICH[0];
    // Errors and step counts as measured independently for steps of 0.1, 0.01, 0.001.
    for (delta, error, steps) in [(0.1, 1.4e-3, 609), (0.01, 1.4e-4, 6082), (0.001, 2.4e-5, 60813)]
    {
        let path = euler::routh_stronge(&mirtich(), delta);
        assert_close!(path.impulse, exact, tol = 1.1 * error, "{delta}");
        assert_eq!((path.compressions, path.cost), (2, steps));
    }
}

/// Two independent 64-bit methods against the 32-digit one.
fn compare(set: &[Contact<3>], stops: &[Stop]) {
    for (i, contact) in set.iter().enumerate() {
        let split = Split::from(contact);
        let stop = stops[i % stops.len()];
        let reference = double_double::routh(&split, stop);
        let panels = quadrature::routh(&split, stop);
        let tolerance = f64::max(1e-12, 10.0 * condition(contact.delassus()) * f64::EPSILON);
        assert_close!(
            panels.impulse,
            reference.impulse,
            tol = tolerance,
            "{i}, {stop:?}, {contact:?}"
        );
        assert_eq!(panels.compressions, reference.compressions, "{i}, {stop:?}, {contact:?}");
    }
}

#[test]
fn quadrature_agrees_with_the_series_on_the_generic_set() {
    compare(&generic_set(1, 300), &Stop::ALL);
}

#[test]
fn quadrature_agrees_with_the_series_on_the_hard_set() {
    compare(&hard_set(1, 300), &Stop::ALL);
}
