//! One contact per impact, in contact space, under a law for one contact: no memory is asked for, row after row.
//!
//! What is wrong with a row is not found out here: such a row goes through [`row::resolve`], whose checks and words are
//! those of a single impact.

use crate::answers::{Answer, Answers};
use crate::columns::{Columns, Parameter, part};
use crate::row;
use crate::work::RowError;
use carom::law::batch::{self, RowAnswers, Rows, resolve_rows};
use carom::outcome::Watch;
use carom::{AnyLaw, Contact, ContactVec, Delassus, ImpactLaw, Law, NoTrace, Tolerances};
use std::ops::Range;

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

impl<'a> Impacts<'a> {
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
        match self.columns.shape().rows {
            // A certificate wants the whole problem, and costs far more than the answer.
            _ if target.answers.certificate.is_some() => {
                rows.for_each(|i| self.with_care(law, i, &mut target));
            }
            3 => self.in_space(law, rows, &mut target),
            2 => rows.for_each(|i| self.one::<2>(law, i, &mut target)),
            _ => rows.for_each(|i| self.one::<1>(law, i, &mut target)),
        }
    }

    /// Contacts in space, the library's own batch.
    fn in_space(&self, law: &Law, rows: Range<usize>, target: &mut Target) {
        let columns = self.columns;
        let of_rows = |parameter: Parameter<'a>| match parameter {
            Parameter::Common(x) => batch::Parameter::Common(x),
            // One contact each, so one number per impact.
            Parameter::PerImpact(x) | Parameter::PerContact(x) => {
                batch::Parameter::Each(&x[rows.clone()])
            }
        };
        let [mu, e, e_t] = [columns.mu, columns.e, columns.e_t].map(of_rows);
        let (delassus, _) = self.delassus.as_chunks::<9>();
        let (velocity, _) = self.contact_velocity.as_chunks::<3>();
        let (delassus, velocity) = (&delassus[rows.clone()], &velocity[rows.clone()]);
        let batch = Rows { delassus, velocity, mu, e, e_t };
        let (impulse, _) = target.answers.impulse.as_chunks_mut::<3>();
        let (velocity, _) = target.answers.contact_velocity.as_chunks_mut::<3>();
        let energy_change = &mut *target.answers.energy_change;
        let mut answers = RowAnswers { impulse, velocity, energy_change };
        let mut failed = Vec::new();
        let keep = |i: usize, _| failed.push(rows.start + i);
        match resolve_rows(law, &batch, &Tolerances::NOMINAL, &mut answers, keep) {
            Ok(()) => failed.into_iter().for_each(|i| self.with_care(law, i, target)),
            // Slices of one length are all it could insist on.
            Err(_) => rows.for_each(|i| self.with_care(law, i, target)),
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
                let (p, after) = (outcome.impulse.components(), outcome.velocity.components());
                let i = i - target.first;
                let answer = Answer {
                    impulse: &p,
                    contact_velocity: &after,
                    velocity: &[],
                    energy_change: row::energy_change(&p, &u, &after),
                    certificate: None,
                };
                target.answers.put(i, self.columns.shape(), &answer);
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
}
