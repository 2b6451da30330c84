//! One contact per impact, in contact space, under a law for one contact: no memory is asked for, row after row.
//!
//! The library's own batch wants one slice per quantity, and columns keep one impact after another. Chatterjee and
//! Ruina's law, which runs vectorised, gets blocks small enough for the nearest cache, turned over on the way in and
//! out; every other law takes its contact straight from the columns.
//!
//! What is wrong with a row is not found out here: such a row goes through [`row::resolve`], whose checks and words are
//! those of a single impact.

use crate::answers::Answers;
use crate::columns::{Columns, Parameter, part};
use crate::row;
use crate::work::RowError;
use carom::law::PlainLaw;
use carom::law::batch::{self, Batch};
use carom::outcome::Watch;
use carom::{AnyLaw, Contact, ContactVec, Delassus, ImpactLaw, Law, NoTrace, Tolerances};
use std::ops::Range;

/// Rows that are turned over together: nineteen columns of these are 19 kB.
pub(crate) const BLOCK: usize = 128;
type Block = [f64; BLOCK];

/// Impacts of one contact each.
pub(crate) struct Impacts<'a> {
    pub columns: &'a Columns<'a>,
    pub delassus: &'a [f64],
    pub contact_velocity: &'a [f64],
}

/// Where answers go: rows of a chunk, counted from its first.
struct Target<'a, 'b, 'c> {
    first: usize,
    answers: Answers<'a>,
    failures: &'b mut Vec<RowError>,
    watch: &'c mut dyn Watch,
}

impl Impacts<'_> {
    /// Asks the law about these rows.
    pub(crate) fn resolve(
        &self,
        law: &Law,
        rows: Range<usize>,
        answers: Answers,
        failures: &mut Vec<RowError>,
        watch: &mut dyn Watch,
    ) {
        let mut target = Target { first: rows.start, answers, failures, watch };
        let certify = target.answers.certificate.is_some();
        match (self.columns.shape().rows, law) {
            // A certificate wants the whole problem, and costs far more than the answer.
            _ if certify => rows.for_each(|i| self.with_care(law, i, &mut target)),
            (3, Law::Plain(PlainLaw::ChatterjeeRuina(_))) => self.by_blocks(law, rows, &mut target),
            (3, _) => rows.for_each(|i| self.one::<3>(law, i, &mut target)),
            (2, _) => rows.for_each(|i| self.one::<2>(law, i, &mut target)),
            _ => rows.for_each(|i| self.one::<1>(law, i, &mut target)),
        }
    }

    /// One row, its contact taken straight from the columns.
    fn one<const D: usize>(&self, law: &Law, i: usize, target: &mut Target) {
        let w = part(self.delassus, i, D * D);
        let u: [f64; D] = std::array::from_fn(|a| self.contact_velocity[i * D + a]);
        let w = std::array::from_fn(|a| std::array::from_fn(|b| w[a * D + b]));
        let outcome = Delassus::new(w)
            .and_then(|w| Contact::new(w, ContactVec::new(u), self.columns.material(i, 0)))
            .and_then(|contact| law.resolve(&contact, &Tolerances::NOMINAL, &mut NoTrace));
        match outcome {
            Ok(outcome) => {
                target.put(i, u, outcome.impulse.components(), outcome.velocity.components())
            }
            Err(_) => self.with_care(law, i, target),
        }
    }

    fn with_care(&self, law: &Law, i: usize, target: &mut Target) {
        let shape = self.columns.shape();
        let place = (i - target.first, shape);
        let law = AnyLaw::Single(*law);
        let result = self.columns.system(i).and_then(|system| {
            row::resolve(&system, &law, place, &mut target.answers, target.watch)
        });
        if let Err(error) = result {
            target.answers.clear(i - target.first, shape);
            target.failures.push(RowError { row: i, error });
        }
    }

    fn by_blocks(&self, law: &Law, rows: Range<usize>, target: &mut Target) {
        let parameters = [self.columns.mu, self.columns.e, self.columns.e_t];
        let mut turned = Turned::new(parameters);
        let (delassus, _) = self.delassus.as_chunks::<9>();
        let (velocity, _) = self.contact_velocity.as_chunks::<3>();
        for first in rows.clone().step_by(BLOCK) {
            let block = first..(first + BLOCK).min(rows.end);
            let start = first - target.first;
            let local = start..start + block.len();
            let (impulse, _) = target.answers.impulse.as_chunks_mut::<3>();
            let (after, _) = target.answers.contact_velocity.as_chunks_mut::<3>();
            let (Ok(w), Ok(u), Ok(p), Ok(v), Ok(energy)) = (
                delassus[block.clone()].try_into(),
                velocity[block.clone()].try_into(),
                (&mut impulse[local.clone()]).try_into(),
                (&mut after[local.clone()]).try_into(),
                (&mut target.answers.energy_change[local]).try_into(),
            ) else {
                // A short block at the end.
                block.for_each(|i| self.one::<3>(law, i, target));
                continue;
            };
            let symmetric = turned.turn(w, u);
            let answered = turned.resolve(law, &block, parameters);
            let finite = turned.turn_back(p, v, energy);
            if !(symmetric && answered && finite) {
                let doubtful = |i: &usize| turned.is_doubtful(*i - first, &w[*i - first]);
                block.filter(doubtful).for_each(|i| self.with_care(law, i, target));
            }
        }
    }
}

impl Target<'_, '_, '_> {
    #[inline(always)]
    fn put<const D: usize>(&mut self, i: usize, before: [f64; D], p: [f64; D], after: [f64; D]) {
        let i = i - self.first;
        self.answers.impulse[i * D..][..D].copy_from_slice(&p);
        self.answers.contact_velocity[i * D..][..D].copy_from_slice(&after);
        self.answers.energy_change[i] = row::energy_change(&p, &before, &after);
    }
}

/// A block of impacts, one slice per quantity.
struct Turned {
    /// The upper triangle of `W`.
    delassus: [Block; 6],
    before: [Block; 3],
    impulse: [Block; 3],
    after: [Block; 3],
    energy_change: Block,
    /// Of the parameters that are common to all rows.
    common: [Block; 3],
    /// Rows that the law refused.
    refused: [bool; BLOCK],
}

impl Turned {
    fn new(parameters: [Parameter; 3]) -> Self {
        let zero = [0.0; BLOCK];
        Self {
            delassus: [zero; 6],
            before: [zero; 3],
            impulse: [zero; 3],
            after: [zero; 3],
            energy_change: zero,
            common: parameters.map(|parameter| match parameter {
                Parameter::Common(x) => [x; BLOCK],
                _ => zero,
            }),
            refused: [false; BLOCK],
        }
    }

    /// Takes impacts over. False if some matrix is not symmetric to the last bit.
    fn turn(&mut self, delassus: &[[f64; 9]; BLOCK], before: &[[f64; 3]; BLOCK]) -> bool {
        let mut difference = 0;
        for i in 0..BLOCK {
            let [nn, n1, n2, m1, w11, w12, m2, m12, w22] = delassus[i];
            let upper = [nn, n1, n2, w11, w12, w22];
            for k in 0..6 {
                self.delassus[k][i] = upper[k];
            }
            for k in 0..3 {
                self.before[k][i] = before[i][k];
            }
            difference |= asymmetry([n1, n2, w12], [m1, m2, m12]);
        }
        difference == 0
    }

    /// Asks the law. False if it refused some.
    fn resolve(&mut self, law: &Law, rows: &Range<usize>, parameters: [Parameter; 3]) -> bool {
        let [mu, e, e_t] = std::array::from_fn(|k| match parameters[k] {
            Parameter::Common(_) => &self.common[k][..],
            Parameter::PerImpact(x) | Parameter::PerContact(x) => &x[rows.clone()],
        });
        let batch = Batch {
            delassus: self.delassus.each_ref().map(<[f64; BLOCK]>::as_slice),
            velocity: self.before.each_ref().map(<[f64; BLOCK]>::as_slice),
            mu,
            e,
            e_t,
        };
        let impulse = self.impulse.each_mut().map(<[f64; BLOCK]>::as_mut_slice);
        let mut refusals = Vec::new();
        let failed = |i: usize, _| refusals.push(i);
        let done = batch::resolve(law, &batch, &Tolerances::NOMINAL, impulse, failed);
        // Slices of one length are all it could insist on.
        self.refused.fill(done.is_err());
        refusals.iter().for_each(|i| self.refused[*i] = true);
        done.is_ok() && refusals.is_empty()
    }

    /// Hands the answers over. False if some velocity is no number.
    fn turn_back(
        &mut self,
        impulse: &mut [[f64; 3]; BLOCK],
        after: &mut [[f64; 3]; BLOCK],
        energy: &mut [f64; BLOCK],
    ) -> bool {
        for i in 0..BLOCK {
            let [nn, n1, n2, w11, w12, w22] = self.delassus.each_ref().map(|column| column[i]);
            let u = self.before.each_ref().map(|column| column[i]);
            let p = self.impulse.each_ref().map(|column| column[i]);
            let v = [
                u[0] + (nn * p[0] + n1 * p[1] + n2 * p[2]),
                u[1] + (n1 * p[0] + w11 * p[1] + w12 * p[2]),
                u[2] + (n2 * p[0] + w12 * p[1] + w22 * p[2]),
            ];
            self.energy_change[i] =
                0.5 * (p[0] * (u[0] + v[0]) + p[1] * (u[1] + v[1]) + p[2] * (u[2] + v[2]));
            for k in 0..3 {
                self.after[k][i] = v[k];
            }
        }
        let mut doubt = 0.0;
        for i in 0..BLOCK {
            impulse[i] = self.impulse.each_ref().map(|column| column[i]);
            after[i] = self.after.each_ref().map(|column| column[i]);
            // Zero times a number is zero, and times anything else is none.
            doubt += 0.0 * after[i][0] + 0.0 * after[i][1] + 0.0 * after[i][2];
        }
        *energy = self.energy_change;
        doubt == 0.0
    }

    /// Whether a row of the block wants more care than a block gives.
    fn is_doubtful(&self, i: usize, w: &[f64; 9]) -> bool {
        let finite = self.after.iter().all(|column| column[i].is_finite());
        self.refused[i] || !finite || asymmetry([w[1], w[2], w[5]], [w[3], w[6], w[7]]) != 0
    }
}

/// Zero if both halves of a matrix have the same bits.
#[inline(always)]
fn asymmetry(upper: [f64; 3], lower: [f64; 3]) -> u64 {
    (0..3).fold(0, |bits, k| bits | (upper[k].to_bits() ^ lower[k].to_bits()))
}
