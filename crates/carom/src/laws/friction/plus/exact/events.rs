//! Where a segment of a round ends: a slip stops or begins, a contact leaves or joins, a jam begins or ends, work is done.

use super::super::active::ActiveContacts;
use super::super::step_length::length;
use super::super::tolerances::{
    APPROACH_NOISE, DROPPED_APPROACH, GRAZING, JAM_BEGINS, JAM_ENDS, JAM_RESPONSE, RATE_WEIGHT,
    STOPPED_SLIP, VIOLATED,
};
use super::rates::{Clock, Normal, Rates};
use super::state::{State, length_of};
use crate::numerics::{dot, largest};
use crate::outcome::ContactMode;

impl Rates {
    /// How far a state is from the next event, its rates being those found last; negative beyond it \[1\].
    pub(crate) fn margin(&self, active: &ActiveContacts, state: &State, work: &[f64]) -> f64 {
        let rest = 1.0 - state.share();
        let mut least = f64::INFINITY;
        let mut limit = |margin: f64| least = if margin < least { margin } else { least };
        if self.clock == Clock::Round {
            limit(rest);
        }
        let largest = largest(&active.step);
        for (k, (&work, contact)) in work.iter().zip(&active.contacts).enumerate() {
            let [push, x, y] = [0, 1, 2].map(|c| active.step[3 * k + c]);
            match (self.normals[k], contact.mode) {
                (Normal::Compressed, ContactMode::Dropped) => {
                    let (u, change) = (state.velocity(3 * k), self.change[3 * k]);
                    let (end, share) = match self.clock {
                        // Where a step goes beyond the end of the round, that is its event.
                        Clock::Round => (u + rest.max(0.0) * change, rest.max(0.0)),
                        _ => (change, 1.0),
                    };
                    limit(end / active.speed + DROPPED_APPROACH * share + APPROACH_NOISE);
                    continue;
                }
                (Normal::Compressed, _) => limit(RATE_WEIGHT * (push / largest + VIOLATED)),
                (Normal::Prescribed, _) if work > 0.0 => limit((work - state.work(k)) / work),
                (Normal::Prescribed, _) => {}
                (Normal::Free, _) => continue,
            }
            let speed = length(state.slip(k)) / active.speed;
            match contact.mode {
                ContactMode::Rolling if contact.may_slip() => {
                    let inside = contact.mu * push - length([x, y]);
                    limit(RATE_WEIGHT * (inside / largest + VIOLATED));
                }
                ContactMode::Impending => limit(self.impending_slip - speed),
                ContactMode::Sliding if contact.mu > 0.0 => {
                    limit(match contact.tangents {
                        1 => state.slip(k)[0] * contact.direction[0] / active.speed,
                        _ => speed - STOPPED_SLIP,
                    });
                    let own = length_of(active.row(3 * k));
                    match (self.clock, self.normals[k]) {
                        (Clock::Round, Normal::Compressed) => {
                            limit(1.0 - push / (JAM_BEGINS * self.unit));
                        }
                        (Clock::Jam, Normal::Prescribed) => {
                            let response = self.change[3 * k] / (own * own * push);
                            limit(RATE_WEIGHT * (JAM_ENDS - response));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        least
    }

    /// The time until a slip stops or the round is over, at constant rates.
    pub(crate) fn time_left(&self, active: &ActiveContacts, state: &State) -> f64 {
        let round = if self.clock == Clock::Round { 1.0 - state.share() } else { f64::INFINITY };
        let sliding = active.contacts.iter().enumerate().filter(|(_, contact)| contact.slides());
        sliding.fold(round, |least, (k, contact)| {
            let [x, y] = contact.direction;
            let along = x * self.change[3 * k + 1] + y * self.change[3 * k + 2];
            if along < 0.0 { least.min(length(state.slip(k)) / -along) } else { least }
        })
    }

    /// Contacts that were dropped although they approach, or are pushed beyond all measure, or graze where a round begins.
    pub(crate) fn left_out(&self, active: &ActiveContacts, begins: bool) -> Vec<usize> {
        let left_out = |k: &usize| match (self.normals[*k], active.contacts[*k].mode) {
            (Normal::Compressed, _) if begins && self.grazes(active, *k) => true,
            (Normal::Compressed, ContactMode::Dropped) => {
                active.velocity_after(3 * k) < -DROPPED_APPROACH * active.speed
            }
            // Half of it, lest rounding decides whether what ended a segment as a jam is one.
            (Normal::Compressed, _) => active.step[3 * k] > 0.5 * JAM_BEGINS * self.unit,
            _ => false,
        };
        (0..active.len()).filter(left_out).collect()
    }

    /// Whether a contact takes no impulse and does not part, but slides so that pushed it would approach: the limit of
    /// ever slower approaches.
    fn grazes(&self, active: &ActiveContacts, k: usize) -> bool {
        let contact = &active.contacts[k];
        let slow = active.velocity[3 * k].abs() <= DROPPED_APPROACH * active.speed;
        if !slow || contact.direction == [0.0; 2] || !contact.mu.is_finite() {
            return false;
        }
        let [n, t1, t2] = [0, 1, 2].map(|c| active.row(3 * k + c));
        let [x, y] = contact.direction.map(|s| contact.mu * s);
        let own = dot(n, n);
        active.step[3 * k] <= 0.0
            && active.velocity_after(3 * k) <= GRAZING * active.speed
            && own - x * dot(n, t1) - y * dot(n, t2) < -JAM_RESPONSE * own
    }

    /// Whether contacts that are pushed approach all the faster, or hardly more slowly.
    pub(crate) fn jams(&self, active: &ActiveContacts) -> bool {
        let jams = |k: usize| {
            let row = active.row(3 * k);
            let response = dot(row, &active.along) / (dot(row, row) * active.step[3 * k]);
            active.contacts[k].slides() && response < JAM_ENDS
        };
        (0..active.len()).filter(|&k| self.normals[k] == Normal::Prescribed).all(jams)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::active::ActiveContacts;
    use super::*;

    /// The margin of one compressed contact halfway through its round, with μ = ½ and a largest speed of 1 m/s.
    fn margin(mode: ContactMode, slip: f64, step: [f64; 3]) -> f64 {
        let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut active = ActiveContacts::sample(&unit, 0.5, &[-1.0, slip, 0.0]);
        (active.contacts[0].mode, active.contacts[0].direction) = (mode, [1.0, 0.0]);
        active.step = step.to_vec();
        let mut rates = Rates::default();
        (rates.normals, rates.change) = (vec![Normal::Compressed], vec![1.0, 0.0, 0.0]);
        rates.unit = 1.0;
        let values = [-0.5, slip, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5];
        rates.margin(&active, &State { n: 1, values: &values }, &[0.0])
    }

    #[test]
    fn slip_that_stops_is_an_event() {
        let step = [1.0, -0.5, 0.0];
        assert!((margin(ContactMode::Sliding, 1e-4, step) - 1e-4).abs() < 2.0 * STOPPED_SLIP);
        assert!(margin(ContactMode::Sliding, 0.0, step) < 0.0);
    }

    #[test]
    fn rolling_that_leaves_its_cone_and_pulls_are_events() {
        assert!(margin(ContactMode::Rolling, 0.0, [1.0, -0.4, 0.0]) > 0.0);
        assert!(margin(ContactMode::Rolling, 0.0, [1.0, -0.6, 0.0]) < 0.0);
        assert!(margin(ContactMode::Rolling, 0.0, [-1.0, 0.0, 0.0]) < 0.0);
    }
}
