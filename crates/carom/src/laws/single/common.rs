//! What every law does alike, before and after its own equations.

use super::scaled::{Answer, Scaled, Tangent};
use crate::contact::{Contact, ContactVec};
use crate::laws::single::LawInfo;
use crate::outcome::{FinalMode, Note, Observer, Outcome, PathTotals, TraceEvent};
use crate::{ImpactError, Tolerances};

/// [`resolve_any`] for laws with friction: contacts without friction or tangents rebound along the normal.
pub(crate) fn resolve<const D: usize>(
    row: &'static LawInfo,
    contact: &Contact<D>,
    tolerances: &Tolerances,
    trace: &mut dyn Observer,
    law: impl FnOnce(&Scaled, &mut dyn Observer) -> Result<Answer, ImpactError>,
) -> Result<Outcome<D>, ImpactError> {
    resolve_any(row, contact, tolerances, trace, |scaled, trace| {
        if D == 1 || scaled.beta == 0.0 {
            Ok(rebound_along_normal(scaled, trace))
        } else {
            law(scaled, trace)
        }
    })
}

/// Scales the contact, applies the law and scales its answer back; without impact the law is not called.
pub(crate) fn resolve_any<const D: usize>(
    row: &'static LawInfo,
    contact: &Contact<D>,
    tolerances: &Tolerances,
    trace: &mut dyn Observer,
    law: impl FnOnce(&Scaled, &mut dyn Observer) -> Result<Answer, ImpactError>,
) -> Result<Outcome<D>, ImpactError> {
    if let Some(untouched) = without_impact(row, contact)? {
        return Ok(untouched);
    }
    let scaled = Scaled::new(contact, tolerances);
    let answer = law(&scaled, trace)?;
    let impulse = scaled.into_contact_vec::<D>(answer.pn, answer.pt);
    let mut outcome = outcome_of(row, contact, impulse)?;
    outcome.effort = answer.effort;
    outcome.notes = answer.notes;
    if answer.effort.solutions > 1 {
        outcome.notes.insert(Note::SeveralSolutions);
    }
    Ok(outcome)
}

/// The outcome of a contact that does not approach. Contacts that the law does not cover, or that approach and cannot
/// yield, are errors.
pub(crate) fn without_impact<const D: usize>(
    row: &'static LawInfo,
    contact: &Contact<D>,
) -> Result<Option<Outcome<D>>, ImpactError> {
    check_applicable(row, D, contact.e())?;
    let un = contact.velocity().normal();
    let yields = contact.delassus().at(0, 0) > 0.0;
    if un > 0.0 || contact.velocity().max_abs() == 0.0 || (un == 0.0 && !yields) {
        return Ok(Some(Outcome::untouched(contact)));
    }
    if !yields {
        let reason = "W_nn = 0: the bodies approach and cannot yield along the normal".into();
        return Err(ImpactError::NoSolution { law: row.id, reason });
    }
    Ok(None)
}

/// The outcome of an impulse, if it and the velocity it leads to are numbers.
pub(crate) fn outcome_of<const D: usize>(
    row: &'static LawInfo,
    contact: &Contact<D>,
    impulse: ContactVec<D>,
) -> Result<Outcome<D>, ImpactError> {
    let outcome = Outcome::from_impulse(contact, impulse);
    if outcome.impulse.is_finite() && outcome.velocity.is_finite() {
        return Ok(outcome);
    }
    let reason = "impulse or velocity is larger than any number".into();
    Err(ImpactError::NoSolution { law: row.id, reason })
}

/// Refuses a number of rows or an `e` that the law's row does not list.
pub(crate) fn check_applicable(
    row: &'static LawInfo,
    rows: usize,
    e: f64,
) -> Result<(), ImpactError> {
    if !row.dimensions.contains(&rows) {
        return Err(ImpactError::NotApplicable {
            law: row.id,
            reason: format!("it is not defined for contacts with {rows} rows"),
        });
    }
    if e > row.max_e {
        let reason = format!("law `{}` takes restitution between 0 and {}", row.id, row.max_e);
        return Err(ImpactError::bad_problem("e", e, reason));
    }
    Ok(())
}

/// `p = (1 + e) P_I` with `P_I = −u_n/k`: compression to `u_n = 0`, then `e` times as much again.
pub(crate) fn rebound_along_normal(scaled: &Scaled, trace: &mut dyn Observer) -> Answer {
    let compression = -scaled.un / scaled.k;
    let pn = (1.0 + scaled.e) * compression;
    if trace.wants_path() {
        let at = |pn: f64, work: f64| {
            let un = scaled.un + scaled.k * pn;
            scaled.trace_point(pn, Tangent::zeros(), un, scaled.ut + scaled.c * pn, work)
        };
        let stored = 0.5 * scaled.un * compression;
        let released = -scaled.e * scaled.e * stored;
        trace.event(TraceEvent::Start, at(0.0, 0.0));
        trace.event(TraceEvent::MaximumCompression, at(compression, stored));
        trace.event(TraceEvent::End, at(pn, stored + released));
        trace.totals(scaled.path_totals(PathTotals {
            compression_impulse: compression,
            restitution_impulse: pn - compression,
            compression_work: stored,
            restitution_work: released,
        }));
    }
    Answer::new(pn, Tangent::zeros(), FinalMode::Frictionless)
}
