//! Remedies within an interval: jammed contacts are carried on, dropped ones added again, and intervals without directions of
//! slip solved as implicit Coulomb problems.

use super::super::active::ActiveContacts;
use super::super::algorithm::{Intervals, impending_slip};
use super::super::failure::Failure;
use super::super::impending::Search;
use super::super::record::Record;
use super::super::step_length::length;
use super::super::tolerances::{CONSISTENT, JAM_RESPONSE, MAX_COULOMB};
use crate::numerics::dot;
use crate::outcome::{ContactMode, StepLimit};

impl Intervals {
    /// The normal impulse that stops the slip of a contact twice over, if it jams: pushed, it would approach faster.
    /// Its slip then always slows down, for `k < μ c·s` and `(c·s)² ≤ k sᵀTs` give `c·s < μ sᵀTs`.
    pub(crate) fn jam_impulse(&self, active: &ActiveContacts, k: usize) -> Option<f64> {
        let contact = &active.contacts[k];
        if !self.remedies.jam_advance || contact.mode != ContactMode::Sliding || contact.mu == 0.0 {
            return None;
        }
        let [n, t1, t2] = [0, 1, 2].map(|c| active.row(3 * k + c));
        let [x, y] = contact.direction.map(|s| -contact.mu * s);
        let response = |row: &[f64]| dot(row, n) + x * dot(row, t1) + y * dot(row, t2);
        if response(n) > JAM_RESPONSE * dot(n, n) {
            return None;
        }
        let (slip, change) = (active.slip(k), [response(t1), response(t2)]);
        let slowing = -(slip[0] * change[0] + slip[1] * change[1]);
        let push = 2.0 * slowing / (change[0] * change[0] + change[1] * change[1]);
        (push > 0.0 && push.is_finite()).then_some(push)
    }

    /// Adds dropped contacts again that would approach at the end of the step, each once. Says whether there are any.
    pub(crate) fn readd(&mut self, active: &mut ActiveContacts, record: &mut Record) -> bool {
        let mut any = false;
        for k in 0..active.len() {
            let after = active.velocity_after(3 * k);
            if active.contacts[k].mode == ContactMode::Dropped
                && !self.readded[k]
                && after < -CONSISTENT * active.speed
            {
                self.classify_contact(active, k);
                self.readded[k] = true;
                any = true;
                record.effort.remedies.readd += 1;
            }
        }
        any
    }

    /// Solves an interval as an implicit Coulomb problem: contacts that slide keep their direction, or if that has no
    /// solution find it as the others do, all that is left of the round at once.
    pub(crate) fn solve_implicit(
        &mut self,
        active: &mut ActiveContacts,
        record: &mut Record,
        failure: Failure,
    ) -> Result<(), Failure> {
        let count = record.effort.remedies.coulomb;
        if count >= MAX_COULOMB {
            return Err(Failure::Intervals { count });
        }
        for k in 0..active.len() {
            if active.contacts[k].mode != ContactMode::Jammed {
                self.classify_contact(active, k);
            }
        }
        let residual = match self.coulomb.interval(active) {
            Some(residual) => residual,
            None if !self.remedies.coulomb => return Err(failure),
            None => {
                // Rolling contacts do not limit the length of the step.
                active.contacts.iter_mut().for_each(|c| c.mode = ContactMode::Rolling);
                self.coulomb.rest_of_round(active).ok_or(failure)?
            }
        };
        record.effort.remedies.coulomb += 1;
        record.effort.residual = record.effort.residual.max(residual);
        Ok(())
    }

    /// A round as one step: friction opposes the slip at its end.
    pub(crate) fn whole_round(
        &mut self,
        groups: &mut [ActiveContacts],
        record: &mut Record,
    ) -> Result<u32, Failure> {
        for active in groups {
            let done = self.work();
            let residual = self.coulomb.rest_of_round(active);
            record.spend(self.work() - done)?;
            let residual = residual.ok_or(Failure::NoDirection { residual: 1.0 })?;
            record.effort.remedies.coulomb += 1;
            record.effort.residual = record.effort.residual.max(residual);
            active.advance(1.0);
            record.interval(active, 1.0, StepLimit::End);
        }
        Ok(1)
    }

    /// Directions of impending slip that no start leads to, from where the implicit Coulomb problem has its solution; as
    /// [`Intervals::find_directions`], which failed.
    pub(crate) fn directions_by_coulomb(
        &mut self,
        active: &mut ActiveContacts,
        failure: Failure,
    ) -> Result<f64, Failure> {
        if self.instant || self.coulomb.interval(active).is_none() {
            return Err(failure);
        }
        for k in 0..active.len() {
            if active.contacts[k].mode == ContactMode::Impending {
                let end = active.slip_after(k, 1.0);
                let speed = length(end);
                let slips = speed > CONSISTENT * active.speed;
                active.contacts[k].direction =
                    if slips { end.map(|u| u / speed) } else { impending_slip(active, k) };
            }
        }
        self.find_directions(Search::Near, active).or(Err(failure))
    }

    /// The rates at an instant by the implicit Coulomb problem, if it has a solution: states are to be read from it.
    pub(crate) fn rates_by_coulomb(
        &mut self,
        active: &mut ActiveContacts,
        record: &mut Record,
    ) -> Option<()> {
        self.classify(active);
        let residual = self.coulomb.interval(active)?;
        record.effort.remedies.coulomb += 1;
        record.effort.residual = record.effort.residual.max(residual);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::active::ActiveContacts;
    use super::super::super::algorithm::tests::{intervals, record};
    use super::super::super::failure::Failure;
    use super::super::IntervalRemedies;
    use crate::outcome::ContactMode;

    /// W = [[1, 2, 0], [2, 5, 0], [0, 0, 1]], μ = 1: pushed by p the contact approaches at −(1 − 2) p more, and its slip of
    /// 1 m/s changes by (2 − 5) p. It is stopped twice over by p = ⅔.
    fn jammed() -> ActiveContacts {
        let l = [[1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        ActiveContacts::sample(&l, 1.0, &[-1.0, 1.0, 0.0])
    }

    #[test]
    fn a_jammed_contact_is_pushed_until_its_slip_stops() {
        for jam_advance in [false, true] {
            let remedies = IntervalRemedies { jam_advance, ..IntervalRemedies::default() };
            let (mut intervals, mut active) = (intervals(0.1, remedies), jammed());
            intervals.equations.begin(&active);
            record(false, |record| {
                intervals.find_impulse(&mut active, record).unwrap();
                assert_eq!(record.effort.remedies.jam_advance, u32::from(jam_advance));
            });
            let (mode, push) = if jam_advance {
                (ContactMode::Jammed, 2.0 / 3.0)
            } else {
                (ContactMode::Dropped, 0.0)
            };
            assert_eq!(active.contacts[0].mode, mode);
            assert!((active.step[0] - push).abs() < 1e-14 && (active.step[1] + push).abs() < 1e-14);
        }
    }

    #[test]
    fn a_dropped_contact_that_approaches_is_added_again_once() {
        let mut active = jammed();
        active.along = vec![0.0; 3];
        let mut intervals = intervals(0.1, IntervalRemedies::ALL);
        intervals.readded = vec![false];
        record(false, |record| {
            assert!(intervals.readd(&mut active, record));
            assert_eq!(active.contacts[0].mode, ContactMode::Sliding);
            active.contacts[0].mode = ContactMode::Dropped;
            assert!(!intervals.readd(&mut active, record));
            assert_eq!(record.effort.remedies.readd, 1);
        });
    }

    /// W = 1, μ = ½, at rest but for the approach: the implicit Coulomb problem sticks. Without solution it would be the
    /// failure that it stands in for.
    #[test]
    fn the_implicit_coulomb_problem_stands_in_for_a_failure() {
        let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut active = ActiveContacts::sample(&unit, 0.5, &[-1.0, 0.01, 0.0]);
        let mut intervals = intervals(0.1, IntervalRemedies::ALL);
        let failure = Failure::NoDirection { residual: 1.0 };
        record(false, |record| {
            intervals.solve_implicit(&mut active, record, failure).unwrap();
            assert_eq!(record.effort.remedies.coulomb, 1);
        });
        let wanted = [1.0, -0.01, 0.0];
        assert!(
            active.step.iter().zip(wanted).all(|(p, q)| (p - q).abs() < 1e-10),
            "{:?}",
            active.step
        );
    }
}
