//! Every law on arbitrary finite contacts of one, two or three rows: no panic, no number that is none, and what the
//! catalogue promises.

#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use carom::catalog::LawInfo;
use carom::{Contact, ContactVec, Delassus, Law, Material, Outcome, Tolerances, Unobserved};
use carom_testkit::generate::condition;
use carom_testkit::judge::judge;
use carom_testkit::laws::every_law;
use libfuzzer_sys::fuzz_target;

/// What a claim may be off by, relative to the size of its terms.
const TOLERANCE: f64 = 1e-9;

/// Claims are judged for matrices that are this well conditioned. Near-singular ones with a velocity that the mechanism
/// cannot have are refused or answered, but promise nothing.
const CONDITION: f64 = 1e10;

/// Claims are judged up to this friction and for infinite friction: in between, the normal impulse of a contact that
/// cannot stick is lost in the rounding of its tangential one.
const FRICTION: f64 = 1e3;

/// Beyond these sizes the products that judge a claim leave the range of numbers.
const JUDGED: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

/// A number: mostly of everyday size, sometimes zero, sometimes any at all.
#[derive(Clone, Copy, Debug)]
struct Number(f64);

impl Arbitrary<'_> for Number {
    fn arbitrary(u: &mut Unstructured) -> Result<Self> {
        Ok(Self(match u8::arbitrary(u)? {
            0..=15 => 0.0,
            16..=31 => Some(f64::arbitrary(u)?).filter(|x| x.is_finite()).unwrap_or(1.0),
            32..=63 => f64::from(i16::arbitrary(u)?) * f64::from(i8::arbitrary(u)?).exp2(),
            _ => f64::from(i16::arbitrary(u)?) / 1024.0,
        }))
    }
}

#[derive(Arbitrary, Debug)]
struct Input {
    rows: u8,
    /// `W` is `A Aᵀ` of this, which is valid, or this itself, which hardly ever is.
    matrix: [[Number; 3]; 3],
    raw: bool,
    velocity: [Number; 3],
    mu: Number,
    infinite_mu: bool,
    e: Number,
    e_t: Number,
    ratio: [Number; 2],
}

impl Input {
    fn contact<const D: usize>(&self) -> Option<Contact<D>> {
        let a = self.matrix.map(|row| row.map(|x| x.0));
        let product = |i: usize, j: usize| (0..3).map(|m| a[i][m] * a[j][m]).sum();
        let w = std::array::from_fn(|i| {
            std::array::from_fn(|j| if self.raw { a[i][j] } else { product(i, j) })
        });
        let mu = if self.infinite_mu { f64::INFINITY } else { self.mu.0.abs() };
        let material = Material {
            impulse_ratio: Some(self.ratio.map(|x| x.0)),
            ..Material::new(mu, self.e.0.abs()).ok()?
        };
        let material = material.with_e_t(self.e_t.0.clamp(-1.0, 1.0)).ok()?;
        let velocity = ContactVec::new(std::array::from_fn(|i| self.velocity[i].0));
        Contact::new(Delassus::new(w).ok()?, velocity, material).ok()
    }
}

fuzz_target!(|input: Input| {
    match input.rows % 3 {
        0 => check::<1>(&input),
        1 => check::<2>(&input),
        _ => check::<3>(&input),
    }
});

fn check<const D: usize>(input: &Input) {
    let Some(contact) = input.contact::<D>() else {
        return;
    };
    for (row, law) in every_law::<D>() {
        if let Ok(outcome) = law.resolve_contact(&contact, &Tolerances::NOMINAL, &mut Unobserved) {
            check_outcome(row, &law, &contact, &outcome);
        }
    }
}

fn check_outcome<const D: usize>(
    row: &LawInfo,
    law: &Law,
    contact: &Contact<D>,
    outcome: &Outcome<D>,
) {
    let Outcome { impulse, velocity, .. } = outcome;
    assert!(impulse.is_finite() && velocity.is_finite(), "{law:?} on {contact:?}: {outcome:?}");
    let mu = contact.material().mu;
    if condition(contact.delassus()) > CONDITION || (mu > FRICTION && mu.is_finite()) {
        return;
    }
    // Zeros are exact whatever the scale; everything else must leave room for products.
    let numbers = contact.delassus().rows().into_iter().flatten();
    let numbers = numbers
        .chain(contact.velocity().components())
        .chain(impulse.components())
        .chain(Some(mu).filter(|mu| mu.is_finite()));
    if numbers.filter(|x| *x != 0.0).any(|x| !JUDGED.contains(&x.abs())) {
        return;
    }
    // No energy is known to be available: the size of the work's own terms is the stricter scale.
    let broken = judge(contact, 0.0, impulse, velocity);
    // The judge compares with the terms of the normal row; a law works with the whole velocity.
    let speed = contact.velocity().max_abs().max(f64::MIN_POSITIVE);
    let separation = broken.separation.min(-velocity.normal() / speed);
    for (name, claimed, violation) in [
        ("energy", row.claims.energy, broken.energy),
        ("separation", row.claims.separation, separation),
        ("normal impulse", row.claims.cone, broken.normal),
        ("cone", row.claims.cone, broken.cone),
    ] {
        assert!(
            !claimed || violation <= TOLERANCE,
            "{name} broken by {violation:e}: {law:?} on {contact:?}: {outcome:?}"
        );
    }
}
