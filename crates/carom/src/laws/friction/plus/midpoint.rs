//! Friction with the direction that slip has in the middle of an interval: second order, not in the paper.

use super::active::ActiveContacts;
use super::algorithm::Intervals;
use super::step_length::{StepLength, length};
use super::tolerances::CONSISTENT;
use crate::numerics::dot;
use crate::outcome::ContactMode;

impl Intervals {
    /// Solves an interval of length `alpha` once more with the directions of slip halfway, if states stay as they are.
    pub(crate) fn turn_halfway(&mut self, active: &mut ActiveContacts, alpha: f64) {
        let impending = active.contacts.iter().any(|c| c.mode == ContactMode::Impending);
        if impending || !active.contacts.iter().any(|c| c.slides()) {
            return;
        }
        let (step, contacts) = (active.step.clone(), active.contacts.clone());
        for k in (0..contacts.len()).filter(|&k| contacts[k].slides()) {
            let middle = active.slip_after(k, 0.5 * alpha);
            let speed = length(middle);
            if speed > 0.0 {
                active.contacts[k].direction = middle.map(|u| u / speed);
            }
        }
        let consistent = self.equations.solve(active) <= CONSISTENT * active.speed;
        if !consistent || self.release(active) {
            (active.step, active.contacts) = (step, contacts);
        }
    }
}

impl StepLength {
    /// The share of the step for contact `k`, whose slip it would change by `d`, with midpoints.
    ///
    /// Slip may tend to a direction that it keeps. An interval that turns it by a given angle is then long, and misses
    /// something of first order. Midpoints miss the turn times the square of what friction can do to slip, both relative
    /// to it. With the turn times what friction can do bounded in each interval, all together miss as much as that bound.
    pub(crate) fn with_midpoint(
        &self,
        bend: f64,
        active: &ActiveContacts,
        k: usize,
        d: [f64; 2],
    ) -> f64 {
        let a = active.slip(k);
        let size = length(a);
        let across = (a[0] * d[1] - a[1] * d[0]).abs() / size;
        let rows = [1, 2].map(|c| active.row(3 * k + c));
        let yields: f64 = rows.iter().map(|row| dot(row, row)).sum();
        let reach = length(d).max(active.contacts[k].mu * active.step[3 * k] * yields);
        (bend * size / f64::sqrt(across * reach)).max(self.shortest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::active::ActiveContacts;
    use super::super::algorithm::tests::{intervals, record};
    use super::super::remedies::IntervalRemedies;

    /// W_ny = ½ turns slip along x towards y: friction takes the direction (1 − μ p/2, p/4) of the middle.
    #[test]
    fn friction_takes_the_direction_halfway() {
        let l = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, f64::sqrt(0.75)]];
        let mut active = ActiveContacts::sample(&l, 0.5, &[-1.0, 1.0, 0.0]);
        let mut intervals = intervals(0.1, IntervalRemedies::default());
        intervals.equations.begin(&active);
        record(false, |record| intervals.find_impulse(&mut active, record)).unwrap();
        intervals.turn_halfway(&mut active, 1.0);
        let size = f64::sqrt(0.75 * 0.75 + 0.25 * 0.25);
        let wanted = [0.75 / size, 0.25 / size];
        let got = active.contacts[0].direction;
        assert!(got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-14), "{got:?}");
        assert!(active.velocity_after(0).abs() < 1e-14);
    }
}
