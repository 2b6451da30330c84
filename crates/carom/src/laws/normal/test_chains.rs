//! Chains of masses whose impacts can be worked out by hand, for the tests in the laws' files.

use crate::Tolerances;
use crate::laws::several::SeveralLaw;
use crate::outcome::Unobserved;
use crate::system::Chain;

/// Three equal masses at (1, 0, 0), `e` at both contacts: `W = [2 −1; −1 2]`, `u⁻ = (−1, 0)`.
pub(crate) fn three(e: [f64; 2]) -> Chain {
    chain(&[1.0; 3], &[1.0, 0.0, 0.0], &e)
}

pub(crate) fn chain(mass: &[f64], velocity: &[f64], e: &[f64]) -> Chain {
    Chain::new(mass.to_vec(), velocity.to_vec(), e.to_vec()).unwrap()
}

/// Asserts the velocities after the impact to `roundings` roundings.
pub(crate) fn assert_velocities(
    law: impl Into<SeveralLaw>,
    chain: &Chain,
    expected: &[f64],
    roundings: f64,
) {
    let outcome =
        law.into().resolve(chain.problem(), &Tolerances::NOMINAL, &mut Unobserved).unwrap();
    let after = chain.after(&outcome.impulse).unwrap().velocity;
    let off = after.iter().zip(expected).map(|(v, x)| (v - x).abs()).fold(0.0, f64::max);
    assert!(off <= roundings * f64::EPSILON, "{after:?}, expected {expected:?}");
}
