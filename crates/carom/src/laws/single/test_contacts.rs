//! Small contacts whose impacts can be worked out by hand, for the tests in the laws' files.

use crate::laws::single::{ContactLaw, SingleLaw};
use crate::{Contact, ContactVec, Delassus, Material, Tolerances, Unobserved};

/// A disk on a floor, `W = diag(1, 3)`: it approaches at 1 and slides at `slip`; `e` = ½.
pub(crate) fn disk(slip: f64, mu: f64, e_t: f64) -> Contact<2> {
    contact([[1.0, 0.0], [0.0, 3.0]], [-1.0, slip], mu, e_t)
}

/// A contact that couples: `k = T = 1`, `c` = ½, approach 1, slip 0.3, μ = 1, `e` = ½.
///
/// It slides with `du_t = (c − μT) dp_n = −½ dp_n` and `du_n = (k − μc) dp_n = ½ dp_n`, so it stops at `p_n` = 0.6 with
/// `u_n` = −0.7, still compressing. It sticks (`|c| ≤ μT`) with `κ = k − c²/T` = ¾ and `dp_t = −½ dp_n`, and is at rest
/// at `P_II` = (0.6 + 0.7/0.75, …) = (23/15, −16/15).
pub(crate) fn sticks_in_compression(e_t: f64) -> Contact<2> {
    contact([[1.0, 0.5], [0.5, 1.0]], [-1.0, 0.3], 1.0, e_t)
}

fn contact(w: [[f64; 2]; 2], u: [f64; 2], mu: f64, e_t: f64) -> Contact<2> {
    let material = Material::new(mu, 0.5).and_then(|m| m.with_e_t(e_t)).unwrap();
    Contact::new(Delassus::new(w).unwrap(), ContactVec::new(u), material).unwrap()
}

/// Asserts the impulse of a law to a few roundings.
pub(crate) fn assert_impulse(law: impl Into<SingleLaw>, contact: &Contact<2>, expected: [f64; 2]) {
    let outcome = law.into().resolve(contact, &Tolerances::default(), &mut Unobserved).unwrap();
    let impulse = outcome.impulse.components();
    let off = (0..2).map(|i| (impulse[i] - expected[i]).abs()).fold(0.0, f64::max);
    assert!(off <= 8.0 * f64::EPSILON, "{impulse:?}, expected {expected:?}");
}
