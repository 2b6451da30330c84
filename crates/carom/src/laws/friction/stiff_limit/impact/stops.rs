//! Slips that end between events: the last of them is not integrated.

use super::super::rows::length;
use super::super::stick_slip::{Flow, Undecided};
use super::super::tolerances as tol;
use super::{Breakdown, Impact};

/// When each contact began to be counted, and how often it has stopped since.
pub(super) struct StopCounts(Vec<(f64, u32)>);

impl StopCounts {
    pub(super) fn new(frictional: usize) -> Self {
        Self(vec![(f64::NEG_INFINITY, 0); frictional])
    }

    pub(super) fn reset(&mut self) {
        self.0.fill((f64::NEG_INFINITY, 0));
    }

    /// Counts a stop; fails if the contact chatters.
    pub(super) fn count(&mut self, g: usize, time: f64) -> Result<(), Breakdown> {
        let (since, count) = &mut self.0[g];
        if time - *since > tol::CHATTER.1 {
            (*since, *count) = (time, 0);
        }
        *count += 1;
        match *count > tol::CHATTER.0 {
            true => Err(Breakdown::Smooth { residual: f64::NAN }),
            false => Ok(()),
        }
    }
}

impl Impact {
    /// Gathers all pressed contacts that stick, or stop within some time, and this one.
    pub(super) fn gather_stopped(&mut self, stopping: Option<usize>, left: f64) -> Undecided {
        let Self { dynamics, stick_slip, directions, .. } = self;
        let measured = dynamics.measure_slip_rates();
        stick_slip.gather((0..dynamics.model.frictional.len()).filter(|&g| {
            let finite = dynamics.model.frictional[g].mu.is_finite();
            let stops = || directions.stops_with(dynamics, &measured, g, left);
            finite && (dynamics.sticks(g) || stops()) || stopping == Some(g)
        }))
    }

    /// The slip of a contact ends after a time so short that everything goes straight, and with it that of others.
    pub(super) fn end_straight_slip(
        &mut self,
        g: usize,
        left: f64,
    ) -> Result<Undecided, Breakdown> {
        self.stop_counts.count(g, self.time)?;
        let undecided = self.gather_stopped(Some(g), left);
        let slope = &mut self.integrator.end;
        self.dynamics.slope(&self.state, slope);
        for (y, slope) in self.state.iter_mut().zip(slope.iter()) {
            *y += left * *slope;
        }
        self.time += left;
        self.dynamics.evaluate(&self.state);
        Ok(undecided)
    }

    /// Ends the slip of a contact that turns until it stops, if it does soon: by a step of second order in which its friction has
    /// the mean of its directions.
    pub(super) fn end_turning_slip(&mut self, g: usize) -> Result<Option<Undecided>, Breakdown> {
        let longest = 2.0 * self.directions.longest_end();
        let slip = self.dynamics.slip[g];
        let size = length(slip);
        let mut direction = slip.map(|v| v / size);
        let mut first = 0.0;
        self.integrator.end.copy_from_slice(&self.state);
        for round in 0..2 {
            let Some((time, mean)) = Flow::new(&self.dynamics, g, direction).and_then(|flow| {
                let time = flow.end(slip).filter(|time| *time <= longest)?;
                flow.mean(slip, time).map(|mean| (time, mean))
            }) else {
                break;
            };
            // What the middle of the step knows better than its start, squared, is what it does not know.
            let better = (time - first).abs() / time
                + length([mean[0] - direction[0], mean[1] - direction[1]]);
            if round == 1 && better * better * (size + time) > self.tolerance {
                break;
            }
            (first, direction) = (time, mean);
            // First to the middle of the step from its start, then to its end from the middle.
            self.dynamics.straight[g] = true;
            self.dynamics.direction[g] = direction;
            let part = if round == 0 { 0.5 * time } else { time };
            self.integrator.straight(&self.state, part, &mut self.dynamics);
            if round == 1 {
                self.stop_counts.count(g, self.time)?;
                self.state.copy_from_slice(&self.integrator.end);
                self.time += time;
                self.pressed += time;
                self.dynamics.evaluate(&self.state);
                return Ok(Some(self.gather_stopped(Some(g), 0.0)));
            }
            self.dynamics.evaluate(&self.integrator.end);
        }
        self.dynamics.straight[g] = false;
        self.dynamics.evaluate(&self.state);
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten stops within a thousandth are allowed, and ten more after it.
    #[test]
    fn chatter_is_counted_within_a_time() {
        let mut counts = StopCounts::new(1);
        for begin in [0.0, 2.0 * tol::CHATTER.1] {
            for i in 0..tol::CHATTER.0 {
                assert!(counts.count(0, begin + 1e-6 * f64::from(i)).is_ok());
            }
        }
        assert!(counts.count(0, 2.5 * tol::CHATTER.1).is_err());
    }
}
