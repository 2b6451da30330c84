//! The contacts, and what two answers may differ by.

use carom::{Contact, ContactVec};
use carom_testkit::assert_close;
use carom_testkit::generate::{condition, generic_set, hard_set};
use carom_testkit::laws::{law, resolve};

pub const SEED: u64 = 57;

pub const ROUTH: [&str; 3] = ["routh-poisson", "routh-stronge", "routh-newton"];

/// What rounding may do to an impulse, relative to its size: amplified by the condition of `W`, and not below the
/// accuracy that exact integration promises.
pub fn rounding<const D: usize>(contact: &Contact<D>) -> f64 {
    f64::max(1e-12, 10.0 * f64::EPSILON * condition(contact.delassus()))
}

pub fn both_sets() -> Vec<Contact<3>> {
    let mut contacts = generic_set(SEED, 300);
    contacts.extend(hard_set(SEED, 300));
    contacts
}

pub fn impulse<const D: usize>(id: &str, contact: &Contact<D>) -> ContactVec<D> {
    resolve(&law(id), contact).impulse
}

/// All these laws answer the same.
pub fn assert_agree(ids: &[&str], contact: &Contact<3>) {
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
pub fn frictionless_rebound(contact: &Contact<3>) -> [f64; 3] {
    let pn = -(1.0 + contact.e()) * contact.velocity().normal() / contact.delassus().at(0, 0);
    [pn, 0.0, 0.0]
}
