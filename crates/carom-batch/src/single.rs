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

/// Rows that are turned over together: twenty columns of these are 20 kB.
const BLOCK: usize = 128;
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
        let columns = self.columns;
        let mut turned = Turned::new([columns.mu, columns.e, columns.e_t]);
        for first in rows.clone().step_by(BLOCK) {
            let block = first..(first + BLOCK).min(rows.end);
            let fits = turned
                .turn(part_of(self.delassus, &block, 9), part_of(self.contact_velocity, &block, 3));
            turned.resolve(law, &block, [columns.mu, columns.e, columns.e_t]);
            let start = first - target.first;
            let local = start..start + block.len();
            let sound = turned.turn_back(
                part_of_mut(target.answers.impulse, &local, 3),
                part_of_mut(target.answers.contact_velocity, &local, 3),
                &mut target.answers.energy_change[local],
            );
            if !(fits && sound) {
                block
                    .filter(|i| turned.doubtful[i - first])
                    .for_each(|i| self.with_care(law, i, target));
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
    /// The upper triangle of `W`, and `u⁻`.
    delassus: [Block; 6],
    velocity: [Block; 3],
    impulse: [Block; 3],
    /// Of the parameters that are common to all rows.
    common: [Block; 3],
    /// Rows that want more care than a block gives.
    doubtful: [bool; BLOCK],
}

impl Turned {
    fn new(parameters: [Parameter; 3]) -> Self {
        let common = parameters.map(|parameter| match parameter {
            Parameter::Common(x) => [x; BLOCK],
            _ => [0.0; BLOCK],
        });
        let zero = [0.0; BLOCK];
        Self {
            delassus: [zero; 6],
            velocity: [zero; 3],
            impulse: [zero; 3],
            common,
            doubtful: [false; BLOCK],
        }
    }

    /// Takes impacts over. False if some are doubtful: a matrix that is not symmetric to the last bit.
    fn turn(&mut self, delassus: &[f64], velocity: &[f64]) -> bool {
        let (delassus, _) = delassus.as_chunks::<9>();
        let (velocity, _) = velocity.as_chunks::<3>();
        let mut all = true;
        for (i, (w, u)) in delassus.iter().zip(velocity).enumerate().take(BLOCK) {
            let upper = [w[0], w[1], w[2], w[4], w[5], w[8]];
            for (column, x) in self.delassus.iter_mut().zip(upper) {
                column[i] = x;
            }
            for (column, x) in self.velocity.iter_mut().zip(u) {
                column[i] = *x;
            }
            let symmetric = (w[1] == w[3]) & (w[2] == w[6]) & (w[5] == w[7]);
            self.doubtful[i] = !symmetric;
            all &= symmetric;
        }
        all
    }

    fn resolve(&mut self, law: &Law, rows: &Range<usize>, parameters: [Parameter; 3]) {
        let count = rows.len();
        let [mu, e, e_t] = std::array::from_fn(|k| match parameters[k] {
            Parameter::Common(_) => &self.common[k][..count],
            Parameter::PerImpact(x) | Parameter::PerContact(x) => &x[rows.clone()],
        });
        let batch = Batch {
            delassus: self.delassus.each_ref().map(|column| &column[..count]),
            velocity: self.velocity.each_ref().map(|column| &column[..count]),
            mu,
            e,
            e_t,
        };
        let impulse = self.impulse.each_mut().map(|column| &mut column[..count]);
        let doubtful = &mut self.doubtful;
        let failed = |i: usize, _| doubtful[i] = true;
        // Every slice is `count` long, which is all it could refuse.
        if batch::resolve(law, &batch, &Tolerances::NOMINAL, impulse, failed).is_err() {
            self.doubtful.fill(true);
        }
    }

    /// Hands the answers over. False if some are doubtful.
    fn turn_back(&mut self, impulse: &mut [f64], after: &mut [f64], energy: &mut [f64]) -> bool {
        let (impulse, _) = impulse.as_chunks_mut::<3>();
        let (after, _) = after.as_chunks_mut::<3>();
        let mut all = true;
        for (i, ((impulse, after), energy)) in
            impulse.iter_mut().zip(after).zip(energy).enumerate().take(BLOCK)
        {
            let [nn, n1, n2, w11, w12, w22] = self.delassus.each_ref().map(|column| column[i]);
            let u = self.velocity.each_ref().map(|column| column[i]);
            let p = self.impulse.each_ref().map(|column| column[i]);
            let w = [[nn, n1, n2], [n1, w11, w12], [n2, w12, w22]];
            let v: [f64; 3] =
                std::array::from_fn(|a| u[a] + (w[a][0] * p[0] + w[a][1] * p[1] + w[a][2] * p[2]));
            *impulse = p;
            *after = v;
            *energy = row::energy_change(&p, &u, &v);
            self.doubtful[i] |= !(v[0] + v[1] + v[2]).is_finite();
            all &= !self.doubtful[i];
        }
        all
    }
}

fn part_of<'a>(column: &'a [f64], rows: &Range<usize>, size: usize) -> &'a [f64] {
    &column[rows.start * size..rows.end * size]
}

fn part_of_mut<'a>(column: &'a mut [f64], rows: &Range<usize>, size: usize) -> &'a mut [f64] {
    &mut column[rows.start * size..rows.end * size]
}
