//! Many contacts at once, as structure of arrays: one slice per quantity, one entry per impact.
//!
//! [`resolve_rows`] does the same for impacts that stand one after another. Dispatch happens once per batch. Chatterjee and
//! Ruina's law runs vectorised; every law runs, row by row, on rows that need its full care. A row gives the same bits here
//! as alone.

mod rows;

pub use rows::{Parameter, RowAnswers, Rows, resolve_rows};

use super::catalog::PlainLaw;
use super::chatterjee_ruina::{self, Row};
use super::{ImpactLaw, Law};
use crate::contact::{Contact, ContactVec, Delassus, Material};
use crate::outcome::NoTrace;
use crate::{ImpactError, Tolerances};
use std::ops::Range;

/// The impacts of a batch. All slices have the same length.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The upper triangle of `W`: nn, n1, n2, 11, 12, 22 \[1/kg\].
    pub delassus: [&'a [f64]; 6],
    /// `u⁻`: n, t1, t2 \[m/s\].
    pub velocity: [&'a [f64]; 3],
    /// Friction \[1\].
    pub mu: &'a [f64],
    /// Normal restitution \[1\].
    pub e: &'a [f64],
    /// Tangential restitution \[1\].
    pub e_t: &'a [f64],
}

impl Batch<'_> {
    /// How many impacts there are.
    pub fn len(&self) -> usize {
        self.mu.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.mu.is_empty()
    }

    /// Impact `i`, validated.
    pub fn contact(&self, i: usize) -> Result<Contact<3>, ImpactError> {
        let [nn, n1, n2, w11, w12, w22] = self.delassus.map(|w| w[i]);
        let delassus = Delassus::new([[nn, n1, n2], [n1, w11, w12], [n2, w12, w22]])?;
        let velocity = ContactVec::new(self.velocity.map(|u| u[i]));
        let material = Material::new(self.mu[i], self.e[i])?.with_e_t(self.e_t[i])?;
        Contact::new(delassus, velocity, material)
    }

    fn lengths(&self) -> impl Iterator<Item = usize> {
        let [a, b, c, d, e, f] = self.delassus;
        let [n, t1, t2] = self.velocity;
        [a, b, c, d, e, f, n, t1, t2, self.mu, self.e, self.e_t].into_iter().map(<[f64]>::len)
    }
}

/// Resolves every impact of a batch and writes the impulses: n, t1, t2 \[N·s\].
///
/// A row that has no answer gets a zero impulse and is handed to `failed` with its index; the others go on. Slices of
/// unequal length are an error before anything is written.
pub fn resolve(
    law: &Law,
    batch: &Batch,
    tolerances: &Tolerances,
    impulse: [&mut [f64]; 3],
    mut failed: impl FnMut(usize, ImpactError),
) -> Result<(), ImpactError> {
    let count = batch.len();
    let outputs = impulse.iter().map(|p| p.len());
    if let Some(length) = batch.lengths().chain(outputs).find(|length| *length != count) {
        let reason = format!("all slices must have the same length, mu has {count}");
        return Err(ImpactError::bad_problem("batch", format!("slice of {length}"), reason));
    }
    let mut each = |i: usize, out: &mut [&mut [f64]; 3]| {
        let outcome = batch.contact(i).and_then(|c| law.resolve(&c, tolerances, &mut NoTrace));
        let p = match outcome {
            Ok(outcome) => outcome.impulse,
            Err(error) => {
                failed(i, error);
                ContactVec::ZERO
            }
        };
        for (slice, component) in out.iter_mut().zip(p.components()) {
            slice[i] = component;
        }
    };
    let mut out = impulse;
    match law {
        Law::Plain(PlainLaw::ChatterjeeRuina(_)) => vectorised(batch, &mut out, &mut each),
        _ => (0..count).for_each(|i| each(i, &mut out)),
    }
    Ok(())
}

/// Rows that are computed between two looks at which of them need more care.
const BLOCK: usize = 64;
type Block = [f64; BLOCK];

fn vectorised(
    batch: &Batch,
    out: &mut [&mut [f64]; 3],
    each: &mut impl FnMut(usize, &mut [&mut [f64]; 3]),
) {
    for first in (0..batch.len()).step_by(BLOCK) {
        let rows = first..(first + BLOCK).min(batch.len());
        // Rows of a short last block, and those that are badly conditioned, separate or are invalid, go through the
        // law itself.
        let fits = chatterjee_ruina_block(batch, rows.clone(), out).unwrap_or([false; BLOCK]);
        for (i, _) in rows.zip(fits).filter(|(_, fits)| !fits) {
            each(i, out);
        }
    }
}

/// Runs the branch-free kernel over a full block and says for which rows its answer holds. None if the block is short.
fn chatterjee_ruina_block(
    batch: &Batch,
    rows: Range<usize>,
    out: &mut [&mut [f64]; 3],
) -> Option<[bool; BLOCK]> {
    let mut fits = [false; BLOCK];
    let [pn, p1, p2] = out;
    let blocks = Blocks::of(batch, rows.clone());
    let outputs = (
        <&mut Block>::try_from(&mut pn[rows.clone()]),
        <&mut Block>::try_from(&mut p1[rows.clone()]),
        <&mut Block>::try_from(&mut p2[rows]),
    );
    let (Some(block), (Ok(pn), Ok(p1), Ok(p2))) = (blocks, outputs) else {
        return None;
    };
    for i in 0..BLOCK {
        let clipped = chatterjee_ruina::kernel(block.row(i));
        [pn[i], p1[i], p2[i]] = clipped.impulse;
        fits[i] = clipped.fits;
    }
    Some(fits)
}

/// A full block of a batch; arrays of known length keep bounds checks out of the loop.
struct Blocks<'a> {
    delassus: [&'a Block; 6],
    velocity: [&'a Block; 3],
    material: [&'a Block; 3],
}

impl<'a> Blocks<'a> {
    fn of(batch: &Batch<'a>, rows: Range<usize>) -> Option<Self> {
        let block = |slice: &'a [f64]| <&Block>::try_from(&slice[rows.clone()]).ok();
        let [nn, n1, n2, w11, w12, w22] = batch.delassus.map(block);
        let [un, u1, u2] = batch.velocity.map(block);
        let [mu, e, e_t] = [batch.mu, batch.e, batch.e_t].map(block);
        Some(Self {
            delassus: [nn?, n1?, n2?, w11?, w12?, w22?],
            velocity: [un?, u1?, u2?],
            material: [mu?, e?, e_t?],
        })
    }

    #[inline(always)]
    fn row(&self, i: usize) -> Row {
        let [nn, n1, n2, w11, w12, w22] = self.delassus.map(|b| b[i]);
        let [un, u1, u2] = self.velocity.map(|b| b[i]);
        let [mu, e, e_t] = self.material.map(|b| b[i]);
        Row { k: nn, c: [n1, n2], t: [w11, w12, w22], un, ut: [u1, u2], e, e_t, mu }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of every kind: regular, singular, frictionless, separating, invalid.
    #[test]
    fn rows_come_out_as_they_do_alone() {
        let n = 200;
        let column = |f: &dyn Fn(f64) -> f64| (0..n).map(|i| f(f64::from(i))).collect::<Vec<_>>();
        let nn = column(&|i| 1.0 + 0.01 * i);
        let n1 = column(&|i| libm::sin(i) * 0.4);
        let n2 = column(&|i| libm::cos(i) * 0.3);
        let w11 = column(&|i| 2.0 + libm::sin(3.0 * i) * 0.5);
        let w12 = column(&|i| libm::sin(5.0 * i) * 0.2);
        let w22 = column(&|i| if i == 150.0 { -1.0 } else { 1.5 });
        let un = column(&|i| if i == 70.0 { 1.0 } else { -1.0 - libm::cos(i) });
        let u1 = column(&|i| libm::sin(7.0 * i));
        let u2 = column(&|i| libm::cos(11.0 * i));
        let mu = column(&|i| {
            if i == 10.0 { f64::INFINITY } else { 0.1 * libm::fmod(i, 17.0) }
        });
        let e = column(&|i| libm::fmod(i, 11.0) / 10.0);
        let e_t = column(&|i| libm::sin(i));
        let batch = Batch {
            delassus: [&nn, &n1, &n2, &w11, &w12, &w22],
            velocity: [&un, &u1, &u2],
            mu: &mu,
            e: &e,
            e_t: &e_t,
        };
        let law = Law::from_id("chatterjee-ruina").unwrap();
        let mut p = [vec![9.0; n as usize], vec![9.0; n as usize], vec![9.0; n as usize]];
        let [a, b, c] = &mut p;
        let mut failures = Vec::new();
        resolve(&law, &batch, &Tolerances::default(), [a, b, c], |i, _| failures.push(i)).unwrap();
        assert_eq!(failures, [150]);
        for i in (0..n as usize).filter(|i| *i != 150) {
            let contact = batch.contact(i).unwrap();
            let alone = law.resolve(&contact, &Tolerances::default(), &mut NoTrace).unwrap();
            let bits = [p[0][i], p[1][i], p[2][i]].map(f64::to_bits);
            assert_eq!(bits, alone.impulse.components().map(f64::to_bits), "row {i}");
        }
    }
}
