//! Contacts of everyday proportions that a given law resolves, for measuring it.

use super::{build, generic_set};
use carom::{Contact, Law, Material, Tolerances, Unobserved};

/// `size` contacts that the law resolves: those of the generic set, cut down to `D` rows; for a law that needs
/// decoupled contacts the same without coupling, sliding along a principal axis. Empty if neither suits it.
pub fn suitable_set<const D: usize>(law: &Law, seed: u64, size: usize) -> Vec<Contact<D>> {
    // Some laws refuse some generic contacts: enough are drawn for the rest to suffice.
    let drawn = generic_set(seed, 2 * size);
    let resolves = |contact: &Contact<D>| {
        law.resolve_contact(contact, &Tolerances::NOMINAL, &mut Unobserved).is_ok()
    };
    let take = |make: fn(&Contact<3>) -> Contact<D>| -> Vec<Contact<D>> {
        drawn.iter().map(make).filter(resolves).take(size).collect()
    };
    let generic = take(cut);
    if generic.len() == size { generic } else { take(decoupled) }
}

/// The first `D` rows, with impulse ratios for Brach's law: half of what friction allows, against the sliding.
fn cut<const D: usize>(contact: &Contact<3>) -> Contact<D> {
    let w = contact.delassus().rows();
    let u = contact.velocity().components();
    build(
        std::array::from_fn(|i| std::array::from_fn(|j| w[i][j])),
        std::array::from_fn(|i| u[i]),
        with_ratio(contact),
    )
}

fn decoupled<const D: usize>(contact: &Contact<3>) -> Contact<D> {
    let w = contact.delassus().rows();
    let [normal, first, _] = contact.velocity().components();
    build(
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { w[i][i] } else { 0.0 })),
        std::array::from_fn(|i| [normal, first, 0.0][i]),
        with_ratio(contact),
    )
}

fn with_ratio(contact: &Contact<3>) -> Material {
    let material = *contact.material();
    let [_, x, y] = contact.velocity().components();
    let half = -0.5 * material.mu / libm::hypot(x, y);
    Material { impulse_ratio: Some([half * x, half * y]), ..material }
}
