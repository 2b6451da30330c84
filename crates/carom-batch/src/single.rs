//! One contact per impact, in contact space, under a law for one contact: no memory is asked for, row after row.
//!
//! What is wrong with a row is not found out here: such a row goes through [`row::resolve`], whose checks and words are
//! those of a single impact.

use crate::answers::{Answer, Answers};
use crate::columns::{Columns, Mechanism, Parameter, part};
use crate::row;
use crate::work::RowError;
use carom::batch::{self, Batch, RowAnswers, Rows, resolve_rows};
use carom::outcome::Observer;
use carom::{Contact, ContactVec, Delassus, Law, Tolerances, Unobserved};
use std::ops::Range;

/// Resolves these rows.
pub(crate) fn resolve(
    columns: &Columns,
    law: &Law,
    rows: Range<usize>,
    answers: Answers,
    failures: &mut Vec<RowError>,
    watch: &mut dyn Observer,
) {
    let mut target = Target { first: rows.start, answers, failures, watch };
    let impacts = Impacts { columns, law };
    match (columns.shape().rows, columns.mechanism) {
        // A certificate wants the whole problem, and costs far more than the answer.
        _ if target.answers.certificate.is_some() => {
            rows.for_each(|i| impacts.with_care(i, &mut target));
        }
        (1, Mechanism::ContactSpace { delassus: w, contact_velocity: u }) => {
            rows.for_each(|i| impacts.one::<1>(w, u, i, &mut target));
        }
        (2, Mechanism::ContactSpace { delassus: w, contact_velocity: u }) => {
            rows.for_each(|i| impacts.one::<2>(w, u, i, &mut target));
        }
        _ => match impacts.at_once(&rows, &mut target.answers) {
            Some(failed) => failed.into_iter().for_each(|i| impacts.with_care(i, &mut target)),
            None => rows.for_each(|i| impacts.with_care(i, &mut target)),
        },
    }
}

/// Where answers go: rows of a chunk, counted from its first.
struct Target<'a, 'b, 'c> {
    first: usize,
    answers: Answers<'a>,
    failures: &'b mut Vec<RowError>,
    watch: &'c mut dyn Observer,
}

/// Impacts of one contact each.
struct Impacts<'a> {
    columns: &'a Columns<'a>,
    law: &'a Law,
}

impl<'a> Impacts<'a> {
    /// Contacts in space, by the library's own batch: it says which have no answer. None if the answers do not stand as
    /// the columns do.
    fn at_once(&self, rows: &Range<usize>, answers: &mut Answers) -> Option<Vec<usize>> {
        let of_rows = |parameter: Parameter<'a>| match parameter {
            Parameter::Common(x) => batch::Parameter::Common(x),
            // One contact each, so one number per impact.
            Parameter::PerImpact(x) | Parameter::PerContact(x) => {
                batch::Parameter::Each(&x[rows.clone()])
            }
        };
        let [mu, e, e_t] = [self.columns.mu, self.columns.e, self.columns.e_t].map(of_rows);
        let mut failed = Vec::new();
        let keep = |i: usize, _| failed.push(rows.start + i);
        let energy_change = &mut *answers.energy_change;
        let tolerances = &Tolerances::NOMINAL;
        match self.columns.mechanism {
            Mechanism::ContactSpace { delassus, contact_velocity } => {
                let delassus = &delassus.as_chunks().0[rows.clone()];
                let velocity = &contact_velocity.as_chunks().0[rows.clone()];
                let batch = Rows { delassus, velocity, mu, e, e_t };
                let impulse = answers.impulse.rows()?;
                let velocity = answers.contact_velocity.rows()?;
                let mut answers = RowAnswers { impulse, velocity, energy_change };
                resolve_rows(self.law, &batch, tolerances, &mut answers, keep).ok()?;
            }
            Mechanism::Components { delassus, contact_velocity } => {
                let of_rows = |component: &'a [f64]| &component[rows.clone()];
                let [nn, n1, n2, w1n, w11, w12, w2n, w21, w22] = delassus.map(of_rows);
                let batch = Batch {
                    delassus: [nn, n1, n2, w11, w12, w22],
                    lower: Some([w1n, w2n, w21]),
                    velocity: contact_velocity.map(of_rows),
                    mu,
                    e,
                    e_t,
                };
                let impulse = answers.impulse.components()?;
                let velocity = answers.contact_velocity.components()?;
                let mut answers = batch::Answers { impulse, velocity, energy_change };
                batch::resolve(self.law, &batch, tolerances, &mut answers, keep).ok()?;
            }
            Mechanism::Generalized { .. } => return None,
        }
        Some(failed)
    }

    /// One row, its contact taken straight from the columns.
    fn one<const D: usize>(&self, w: &[f64], u: &[f64], i: usize, target: &mut Target) {
        let (w, u) = (part(w, i, D * D), part(u, i, D));
        let u: [f64; D] = std::array::from_fn(|a| u[a]);
        let w = std::array::from_fn(|a| std::array::from_fn(|b| w[a * D + b]));
        let outcome = Delassus::new(w)
            .and_then(|w| Contact::new(w, ContactVec::new(u), self.columns.material(i, 0)))
            .and_then(|contact| {
                self.law.resolve_contact(&contact, &Tolerances::NOMINAL, &mut Unobserved)
            });
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
            Err(_) => self.with_care(i, target),
        }
    }

    fn with_care(&self, i: usize, target: &mut Target) {
        let shape = self.columns.shape();
        let place = (i - target.first, shape);
        let result = self.columns.system(i).and_then(|system| {
            row::resolve(&system, self.law, place, &mut target.answers, target.watch)
        });
        if let Err(error) = result {
            target.answers.clear(i - target.first, shape);
            target.failures.push(RowError { row: i, error });
        }
    }
}
