//! Impacts that stand one after another, as other programs keep them.

use super::parameter::Materials;
use super::{Alone, BLOCK, Block, Parameter, alone, consequence, in_blocks};
use crate::contact::{Contact, ContactVec, Delassus, Material};
use crate::laws::law::Law;
use crate::laws::single::chatterjee_ruina::{self, Row};
use crate::{ImpactError, Tolerances};

/// The impacts of a batch, one after another. All slices have the same length.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// `W`, row by row \[1/kg\].
    pub delassus: &'a [[f64; 9]],
    /// `u⁻`: n, t1, t2 \[m/s\].
    pub velocity: &'a [[f64; 3]],
    /// Friction \[1\].
    pub mu: Parameter<'a>,
    /// Normal restitution \[1\].
    pub e: Parameter<'a>,
    /// Tangential restitution \[1\].
    pub e_t: Parameter<'a>,
}

/// Where the answers go. All slices have the length of the batch; velocity and energy may be empty.
#[derive(Debug)]
pub struct RowAnswers<'a> {
    /// `p`: n, t1, t2 \[N·s\].
    pub impulse: &'a mut [[f64; 3]],
    /// `u⁺ = u⁻ + W p` \[m/s\].
    pub velocity: &'a mut [[f64; 3]],
    /// `½ p·(u⁻ + u⁺)` \[J\].
    pub energy_change: &'a mut [f64],
}

impl Rows<'_> {
    /// How many impacts there are.
    pub fn len(&self) -> usize {
        self.delassus.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.delassus.is_empty()
    }

    /// Impact `i`, validated.
    pub fn contact(&self, i: usize) -> Result<Contact<3>, ImpactError> {
        let (w, _) = self.delassus[i].as_chunks::<3>();
        let delassus = Delassus::new([w[0], w[1], w[2]])?;
        let material = Material::new(self.mu.at(i), self.e.at(i))?.with_e_t(self.e_t.at(i))?;
        Contact::new(delassus, ContactVec::new(self.velocity[i]), material)
    }
}

/// Resolves every impact of a batch, as [`super::resolve`] does.
pub fn resolve_rows(
    law: &Law,
    batch: &Rows,
    tolerances: &Tolerances,
    answers: &mut RowAnswers,
    mut failed: impl FnMut(usize, ImpactError),
) -> Result<(), ImpactError> {
    let count = batch.len();
    let parameters = [batch.mu, batch.e, batch.e_t];
    let optional = [answers.velocity.len(), answers.energy_change.len()];
    let lengths = parameters
        .iter()
        .filter_map(Parameter::len)
        .chain([batch.velocity.len(), answers.impulse.len()])
        .chain(optional.into_iter().filter(|length| *length > 0));
    if let Some(length) = lengths.into_iter().find(|length| *length != count) {
        let reason = format!("all slices must have the same length, delassus has {count}");
        return Err(ImpactError::bad_problem("batch", format!("slice of {length}"), reason));
    }
    let each = |answers: &mut RowAnswers, i: usize| {
        let alone = alone(law, batch.contact(i), tolerances).unwrap_or_else(|error| {
            failed(i, error);
            Alone::untouched(batch.velocity[i])
        });
        answers.write(i, &alone);
    };
    let materials = Materials::new(parameters);
    let block = |answers: &mut RowAnswers, first: usize| {
        Blocks::of(batch, &materials, first)?.resolve(answers, first)
    };
    in_blocks(law, count, answers, block, each);
    Ok(())
}

impl RowAnswers<'_> {
    fn write(&mut self, i: usize, alone: &Alone) {
        self.impulse[i] = alone.impulse.components();
        if let Some(place) = self.velocity.get_mut(i) {
            *place = alone.velocity.components();
        }
        if let Some(place) = self.energy_change.get_mut(i) {
            *place = alone.energy_change;
        }
    }
}

/// A full block; arrays of known length keep bounds checks out of the loop.
struct Blocks<'a> {
    delassus: &'a [[f64; 9]; BLOCK],
    velocity: &'a [[f64; 3]; BLOCK],
    material: [&'a Block; 3],
}

impl<'a> Blocks<'a> {
    fn of(batch: &Rows<'a>, materials: &'a Materials, first: usize) -> Option<Self> {
        Some(Self {
            delassus: batch.delassus[first..].first_chunk()?,
            velocity: batch.velocity[first..].first_chunk()?,
            material: materials.block(first)?,
        })
    }

    /// Runs the branch-free kernel and says for which rows its answer holds.
    fn resolve(&self, answers: &mut RowAnswers, first: usize) -> Option<[bool; BLOCK]> {
        let impulse: &mut [[f64; 3]; BLOCK] = answers.impulse[first..].first_chunk_mut()?;
        let mut fits = [false; BLOCK];
        let [mu, e, e_t] = self.material;
        for i in 0..BLOCK {
            let w = &self.delassus[i];
            let [un, u1, u2] = self.velocity[i];
            // Halves that differ by rounding are left to `Delassus`, which takes their mean.
            let symmetric = (w[1] == w[3]) & (w[2] == w[6]) & (w[5] == w[7]);
            let clipped = chatterjee_ruina::kernel(Row {
                k: w[0],
                c: [w[1], w[2]],
                t: [w[4], w[5], w[8]],
                un,
                ut: [u1, u2],
                e: e[i],
                e_t: e_t[i],
                mu: mu[i],
            });
            impulse[i] = clipped.impulse;
            fits[i] = clipped.fits & symmetric;
        }
        // A loop of its own: with the kernel's it would need more registers than there are.
        let velocity = answers.velocity.get_mut(first..).and_then(<[_]>::first_chunk_mut);
        let energy = answers.energy_change.get_mut(first..).and_then(<[_]>::first_chunk_mut);
        if velocity.is_some() || energy.is_some() {
            let mut unwanted = ([[0.0; 3]; BLOCK], [0.0; BLOCK]);
            let velocity = velocity.unwrap_or(&mut unwanted.0);
            self.follow(impulse, velocity, energy.unwrap_or(&mut unwanted.1));
        }
        Some(fits)
    }

    /// What impulses do.
    fn follow(
        &self,
        impulse: &[[f64; 3]; BLOCK],
        velocity: &mut [[f64; 3]; BLOCK],
        energy: &mut Block,
    ) {
        for i in 0..BLOCK {
            let [nn, n1, n2, _, w11, w12, _, _, w22] = self.delassus[i];
            let w = [nn, n1, n2, w11, w12, w22];
            (velocity[i], energy[i]) = consequence(w, self.velocity[i], impulse[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{Answers, Batch, resolve};
    use crate::outcome::Unobserved;

    /// Rows of every kind come out as they do alone, in whole blocks and in the short one at the end.
    #[test]
    fn rows_come_out_as_they_do_alone() {
        let wave = |i: usize, k: f64| libm::sin(k * i as f64);
        let n = 3 * BLOCK + 5;
        let mut delassus: Vec<[f64; 9]> = (0..n)
            .map(|i| {
                let (n1, n2, w12) = (0.4 * wave(i, 1.0), 0.3 * wave(i, 2.0), 0.2 * wave(i, 5.0));
                [1.0, n1, n2, n1, 2.0, w12, n2, w12, 1.5 + 0.4 * wave(i, 3.0)]
            })
            .collect();
        let mut velocity: Vec<[f64; 3]> =
            (0..n).map(|i| [-1.0 - wave(i, 7.0), wave(i, 11.0), wave(i, 13.0)]).collect();
        let mut mu: Vec<f64> = (0..n).map(|i| 0.1 * (i % 17) as f64).collect();
        let (asymmetric, lopsided, separating, infinite, negative) = (3, 70, 71, 72, n - 1);
        delassus[asymmetric][3] = delassus[asymmetric][3].next_up();
        delassus[lopsided][3] += 1.0;
        velocity[separating][0] = 1.0;
        mu[infinite] = f64::INFINITY;
        mu[negative] = -1.0;
        for law in ["chatterjee-ruina", "routh-stronge"].map(|id| Law::from_id(id).unwrap()) {
            let batch = Rows {
                delassus: &delassus,
                velocity: &velocity,
                mu: Parameter::Each(&mu),
                e: Parameter::Common(0.5),
                e_t: Parameter::Common(0.0),
            };
            let mut impulse = vec![[9.0; 3]; n];
            let mut after = vec![[9.0; 3]; n];
            let mut energy = vec![9.0; n];
            let mut answers = RowAnswers {
                impulse: &mut impulse,
                velocity: &mut after,
                energy_change: &mut energy,
            };
            let mut failures = Vec::new();
            let tolerances = &Tolerances::NOMINAL;
            resolve_rows(&law, &batch, tolerances, &mut answers, |i, _| failures.push(i)).unwrap();
            assert_eq!(failures, [lopsided, negative]);
            assert_eq!(answers.impulse[lopsided], [0.0; 3], "a row without answer");
            assert_eq!(answers.velocity[lopsided], velocity[lopsided], "a row without answer");
            for i in (0..n).filter(|i| !failures.contains(i)) {
                let contact = batch.contact(i).unwrap();
                let alone = law.resolve_contact(&contact, tolerances, &mut Unobserved).unwrap();
                let bits = |x: [f64; 3]| x.map(f64::to_bits);
                assert_eq!(bits(answers.impulse[i]), bits(alone.impulse.components()), "row {i}");
                assert_eq!(bits(answers.velocity[i]), bits(alone.velocity.components()), "row {i}");
                assert_eq!(
                    answers.energy_change[i],
                    contact.energy_change(&alone.impulse),
                    "row {i}"
                );
            }
            assert_eq!(as_components(&law, &batch), as_rows(&answers, &failures), "components");
            let mut alone = vec![[9.0; 3]; n];
            let mut unwanted =
                RowAnswers { impulse: &mut alone, velocity: &mut [], energy_change: &mut [] };
            resolve_rows(&law, &batch, tolerances, &mut unwanted, |_, _| {}).unwrap();
            assert_eq!(alone, answers.impulse, "impulses alone");
            let short = Rows { mu: Parameter::Each(&mu[1..]), ..batch };
            assert!(resolve_rows(&law, &short, tolerances, &mut answers, |_, _| {}).is_err());
        }
    }
    type Everything = (Vec<[u64; 7]>, Vec<usize>);

    /// The same impacts as slices, both halves of `W` among them.
    fn as_components(law: &Law, rows: &Rows) -> Everything {
        let w: [Vec<f64>; 9] =
            std::array::from_fn(|k| rows.delassus.iter().map(|w| w[k]).collect());
        let u: [Vec<f64>; 3] =
            std::array::from_fn(|k| rows.velocity.iter().map(|u| u[k]).collect());
        let [nn, n1, n2, w1n, w11, w12, w2n, w21, w22] = w.each_ref().map(Vec::as_slice);
        let Rows { mu, e, e_t, .. } = *rows;
        let batch = Batch {
            delassus: [nn, n1, n2, w11, w12, w22],
            lower: Some([w1n, w2n, w21]),
            velocity: u.each_ref().map(Vec::as_slice),
            mu,
            e,
            e_t,
        };
        let mut out: [Vec<f64>; 7] = std::array::from_fn(|_| vec![9.0; rows.len()]);
        let [pn, p1, p2, vn, v1, v2, energy_change] = out.each_mut().map(Vec::as_mut_slice);
        let mut answers = Answers { impulse: [pn, p1, p2], velocity: [vn, v1, v2], energy_change };
        let mut failures = Vec::new();
        let tolerances = &Tolerances::NOMINAL;
        resolve(law, &batch, tolerances, &mut answers, |i, _| failures.push(i)).unwrap();
        let short = Batch { lower: Some([w1n, w2n, &w21[1..]]), ..batch };
        assert!(resolve(law, &short, tolerances, &mut answers, |_, _| {}).is_err());
        let row = |i: usize| out.each_ref().map(|column| column[i].to_bits());
        ((0..rows.len()).map(row).collect(), failures)
    }

    fn as_rows(answers: &RowAnswers, failures: &[usize]) -> Everything {
        let row = |i: usize| {
            let ([pn, p1, p2], [vn, v1, v2]) = (answers.impulse[i], answers.velocity[i]);
            [pn, p1, p2, vn, v1, v2, answers.energy_change[i]].map(f64::to_bits)
        };
        ((0..answers.impulse.len()).map(row).collect(), failures.to_vec())
    }
}
