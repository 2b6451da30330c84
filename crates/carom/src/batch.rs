//! Many contacts at once, as structure of arrays: one slice per quantity, one entry per impact.
//!
//! [`resolve_rows`] does the same for impacts that stand one after another. Dispatch happens once per batch. Chatterjee and
//! Ruina's law runs vectorised; every law runs, row by row, on rows that need its full care. A row gives the same bits here
//! as alone.

mod parameter;
mod rows;

pub use parameter::Parameter;
pub use rows::{RowAnswers, Rows, resolve_rows};

use crate::contact::{Contact, ContactVec, Delassus, Material};
use crate::laws::law::Law;
use crate::laws::single::chatterjee_ruina::{self, Row};
use crate::laws::single::{PlainLaw, SingleLaw};
use crate::outcome::{Outcome, Unobserved};
use crate::{ImpactError, Tolerances};
use parameter::Materials;

/// The impacts of a batch. All slices have the same length.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The upper triangle of `W`: nn, n1, n2, 11, 12, 22 \[1/kg\].
    pub delassus: [&'a [f64]; 6],
    /// Its lower triangle, 1n, 2n, 21, where that is kept, too: it may differ by rounding \[1/kg\].
    pub lower: Option<[&'a [f64]; 3]>,
    /// `u⁻`: n, t1, t2 \[m/s\].
    pub velocity: [&'a [f64]; 3],
    /// Friction \[1\].
    pub mu: Parameter<'a>,
    /// Normal restitution \[1\].
    pub e: Parameter<'a>,
    /// Tangential restitution \[1\].
    pub e_t: Parameter<'a>,
}

impl Batch<'_> {
    /// How many impacts there are.
    pub fn len(&self) -> usize {
        self.velocity[0].len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Impact `i`, validated.
    pub fn contact(&self, i: usize) -> Result<Contact<3>, ImpactError> {
        let [nn, n1, n2, w11, w12, w22] = self.delassus.map(|w| w[i]);
        let [w1n, w2n, w21] = self.lower.map_or([n1, n2, w12], |lower| lower.map(|w| w[i]));
        let delassus = Delassus::new([[nn, n1, n2], [w1n, w11, w12], [w2n, w21, w22]])?;
        let velocity = ContactVec::new(self.velocity.map(|u| u[i]));
        let material = Material::new(self.mu.at(i), self.e.at(i))?.with_e_t(self.e_t.at(i))?;
        Contact::new(delassus, velocity, material)
    }

    fn lengths(&self) -> impl Iterator<Item = usize> {
        let slices = self.delassus.into_iter().chain(self.lower.into_iter().flatten());
        let parameters = [self.mu, self.e, self.e_t].into_iter().filter_map(|p| p.len());
        slices.chain(self.velocity).map(<[f64]>::len).chain(parameters)
    }
}

/// Where the answers go. All slices have the length of the batch; velocity and energy may be empty.
#[derive(Debug, Default)]
pub struct Answers<'a> {
    /// `p`: n, t1, t2 \[N·s\].
    pub impulse: [&'a mut [f64]; 3],
    /// `u⁺ = u⁻ + W p`: n, t1, t2, or none of the three \[m/s\].
    pub velocity: [&'a mut [f64]; 3],
    /// `½ p·(u⁻ + u⁺)` \[J\].
    pub energy_change: &'a mut [f64],
}

/// Resolves every impact of a batch.
///
/// A row that has no answer gets no impulse, keeps its velocity, and is handed to `failed` with its index; the others go
/// on. Slices of unequal length are an error before anything is written.
pub fn resolve(
    law: &Law,
    batch: &Batch,
    tolerances: &Tolerances,
    answers: &mut Answers,
    mut failed: impl FnMut(usize, ImpactError),
) -> Result<(), ImpactError> {
    let count = batch.len();
    let wanted = answers.velocity.iter().any(|v| !v.is_empty());
    let velocity = answers.velocity.iter().filter(|_| wanted);
    let outputs = answers.impulse.iter().chain(velocity).map(|slice| slice.len());
    let energy = Some(answers.energy_change.len()).filter(|length| *length > 0);
    if let Some(length) = batch.lengths().chain(outputs).chain(energy).find(|n| *n != count) {
        let reason = format!("all slices must have the same length, velocity has {count}");
        return Err(ImpactError::bad_problem("batch", format!("slice of {length}"), reason));
    }
    let each = |answers: &mut Answers, i: usize| {
        let alone = alone(law, batch.contact(i), tolerances).unwrap_or_else(|error| {
            failed(i, error);
            Alone::untouched(batch.velocity.map(|u| u[i]))
        });
        answers.write(i, &alone);
    };
    let materials = Materials::new([batch.mu, batch.e, batch.e_t]);
    let block = |answers: &mut Answers, first: usize| {
        let mut fits = Blocks::of(batch, &materials, first)?.resolve(answers, first)?;
        if let Some(lower) = batch.lower {
            keep_symmetric(batch.delassus, lower, first, &mut fits)?;
        }
        Some(fits)
    };
    in_blocks(law, count, answers, block, each);
    Ok(())
}

impl Answers<'_> {
    fn write(&mut self, i: usize, alone: &Alone) {
        let [impulse, velocity] = [alone.impulse, alone.velocity].map(|x| x.components());
        for k in 0..3 {
            self.impulse[k][i] = impulse[k];
            if let Some(place) = self.velocity[k].get_mut(i) {
                *place = velocity[k];
            }
        }
        if let Some(place) = self.energy_change.get_mut(i) {
            *place = alone.energy_change;
        }
    }
}

/// What a law answers to one impact.
struct Alone {
    impulse: ContactVec<3>,
    velocity: ContactVec<3>,
    energy_change: f64,
}

impl Alone {
    fn untouched(velocity: [f64; 3]) -> Self {
        let velocity = ContactVec::new(velocity);
        Self { impulse: ContactVec::ZERO, velocity, energy_change: 0.0 }
    }
}

fn alone(
    law: &Law,
    contact: Result<Contact<3>, ImpactError>,
    tolerances: &Tolerances,
) -> Result<Alone, ImpactError> {
    let contact = contact?;
    let Outcome { impulse, velocity, .. } =
        law.resolve_contact(&contact, tolerances, &mut Unobserved)?;
    Ok(Alone { impulse, velocity, energy_change: contact.energy_change(&impulse) })
}

/// Rows computed together before those that need more care are resolved one by one.
const BLOCK: usize = 64;
type Block = [f64; BLOCK];

/// Runs `block` over whole blocks if the law has one: it says for which rows its answer holds. Rows of a short last block,
/// and those that are badly conditioned, separate or are invalid, go through the law itself, one by one.
fn in_blocks<A>(
    law: &Law,
    count: usize,
    answers: &mut A,
    mut block: impl FnMut(&mut A, usize) -> Option<[bool; BLOCK]>,
    mut each: impl FnMut(&mut A, usize),
) {
    let vectorised = matches!(law.single(), Some(SingleLaw::Plain(PlainLaw::ChatterjeeRuina(_))));
    for first in (0..count).step_by(BLOCK) {
        let fits = if vectorised { block(answers, first) } else { None };
        let rows = first..(first + BLOCK).min(count);
        for (i, _) in rows.zip(fits.unwrap_or([false; BLOCK])).filter(|(_, fits)| !fits) {
            each(answers, i);
        }
    }
}

/// The velocity that an impulse leads to, and the energy that it brings. `W` as in [`Batch::delassus`].
#[inline(always)]
fn consequence(
    [nn, n1, n2, w11, w12, w22]: [f64; 6],
    [un, u1, u2]: [f64; 3],
    [pn, p1, p2]: [f64; 3],
) -> ([f64; 3], f64) {
    let vn = un + (nn * pn + n1 * p1 + n2 * p2);
    let v1 = u1 + (n1 * pn + w11 * p1 + w12 * p2);
    let v2 = u2 + (n2 * pn + w12 * p1 + w22 * p2);
    ([vn, v1, v2], 0.5 * (pn * (un + vn) + p1 * (u1 + v1) + p2 * (u2 + v2)))
}

/// Halves of `W` that differ by rounding do not fit: they are left to `Delassus`, which takes their mean. Not inlined, for
/// it would cost batches without a lower half a register.
#[inline(never)]
fn keep_symmetric(
    upper: [&[f64]; 6],
    lower: [&[f64]; 3],
    first: usize,
    fits: &mut [bool; BLOCK],
) -> Option<()> {
    let [_, n1, n2, _, w12, _] = upper.map(|w| w[first..].first_chunk::<BLOCK>());
    let [w1n, w2n, w21] = lower.map(|w| w[first..].first_chunk::<BLOCK>());
    let ([n1, n2, w12], [w1n, w2n, w21]) = ([n1?, n2?, w12?], [w1n?, w2n?, w21?]);
    for i in 0..BLOCK {
        fits[i] &= (n1[i] == w1n[i]) & (n2[i] == w2n[i]) & (w12[i] == w21[i]);
    }
    Some(())
}

/// A full block of a batch; arrays of known length keep bounds checks out of the loop.
struct Blocks<'a> {
    delassus: [&'a Block; 6],
    velocity: [&'a Block; 3],
    material: [&'a Block; 3],
}

impl<'a> Blocks<'a> {
    /// None if the block is short.
    fn of(batch: &Batch<'a>, materials: &'a Materials, first: usize) -> Option<Self> {
        let block = |slice: &'a [f64]| slice[first..].first_chunk();
        let [nn, n1, n2, w11, w12, w22] = batch.delassus.map(block);
        let [un, u1, u2] = batch.velocity.map(block);
        Some(Self {
            delassus: [nn?, n1?, n2?, w11?, w12?, w22?],
            velocity: [un?, u1?, u2?],
            material: materials.block(first)?,
        })
    }

    /// Runs the branch-free kernel and says for which rows its answer holds.
    fn resolve(&self, answers: &mut Answers, first: usize) -> Option<[bool; BLOCK]> {
        let mut fits = [false; BLOCK];
        let [pn, p1, p2] = answers.impulse.each_mut().map(|p| p[first..].first_chunk_mut());
        let impulse: [&mut Block; 3] = [pn?, p1?, p2?];
        for i in 0..BLOCK {
            let clipped = chatterjee_ruina::kernel(self.row(i));
            [impulse[0][i], impulse[1][i], impulse[2][i]] = clipped.impulse;
            fits[i] = clipped.fits;
        }
        // A loop of its own: with the kernel's it would need more registers than there are.
        let [vn, v1, v2] =
            answers.velocity.each_mut().map(|v| v.get_mut(first..)?.first_chunk_mut());
        let velocity = vn.zip(v1).zip(v2).map(|((vn, v1), v2)| [vn, v1, v2]);
        let energy = answers.energy_change.get_mut(first..).and_then(<[_]>::first_chunk_mut);
        if velocity.is_some() || energy.is_some() {
            let mut unwanted = [[0.0; BLOCK]; 4];
            let [vn, v1, v2, change] = unwanted.each_mut();
            let velocity = velocity.unwrap_or([vn, v1, v2]);
            self.follow(impulse, velocity, energy.unwrap_or(change));
        }
        Some(fits)
    }

    /// What impulses do.
    fn follow(&self, impulse: [&mut Block; 3], velocity: [&mut Block; 3], energy: &mut Block) {
        for i in 0..BLOCK {
            let w = self.delassus.map(|w| w[i]);
            let u = self.velocity.map(|u| u[i]);
            let (v, change) = consequence(w, u, [impulse[0][i], impulse[1][i], impulse[2][i]]);
            [velocity[0][i], velocity[1][i], velocity[2][i]] = v;
            energy[i] = change;
        }
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
            lower: None,
            velocity: [&un, &u1, &u2],
            mu: Parameter::Each(&mu),
            e: Parameter::Each(&e),
            e_t: Parameter::Each(&e_t),
        };
        let law = Law::from_id("chatterjee-ruina").unwrap();
        let mut out: [Vec<f64>; 7] = std::array::from_fn(|_| vec![9.0; n as usize]);
        let [pn, p1, p2, vn, v1, v2, energy_change] = out.each_mut().map(Vec::as_mut_slice);
        let mut answers = Answers { impulse: [pn, p1, p2], velocity: [vn, v1, v2], energy_change };
        let mut failures = Vec::new();
        let tolerances = &Tolerances::default();
        resolve(&law, &batch, tolerances, &mut answers, |i, _| failures.push(i)).unwrap();
        assert_eq!(failures, [150]);
        for i in (0..n as usize).filter(|i| *i != 150) {
            let contact = batch.contact(i).unwrap();
            let alone = law.resolve_contact(&contact, tolerances, &mut Unobserved).unwrap();
            let [pn, p1, p2] = alone.impulse.components();
            let [vn, v1, v2] = alone.velocity.components();
            let expected = [pn, p1, p2, vn, v1, v2, contact.energy_change(&alone.impulse)];
            let got = std::array::from_fn(|k| out[k][i]);
            assert_eq!(got.map(f64::to_bits), expected.map(f64::to_bits), "row {i}");
        }
        let untouched = [0.0, 0.0, 0.0, un[150], u1[150], u2[150], 0.0];
        assert_eq!(out.each_ref().map(|column| column[150]), untouched, "a row without answer");
        let mut p: [Vec<f64>; 3] = std::array::from_fn(|_| vec![9.0; n as usize]);
        let mut alone =
            Answers { impulse: p.each_mut().map(Vec::as_mut_slice), ..Answers::default() };
        resolve(&law, &batch, tolerances, &mut alone, |_, _| {}).unwrap();
        assert_eq!(p, out[..3], "impulses alone");
        let [vn, v1, v2, ..] = out.each_mut().map(|column| &mut column[1..]);
        let mut short = Answers {
            impulse: p.each_mut().map(Vec::as_mut_slice),
            velocity: [vn, v1, v2],
            ..Answers::default()
        };
        assert!(resolve(&law, &batch, tolerances, &mut short, |_, _| {}).is_err());
    }
}
