//! From where nothing presses to where something does: the start of the impact, and gaps that close.

use super::super::dynamics::NormalMode;
use super::super::model::Power;
use super::super::tolerances as tol;
use super::{Breakdown, Impact, Next};
use crate::laws::normal::lzb::Gaps;

impl Impact {
    /// From the first touch to where forces can be told from nothing.
    pub(super) fn start(&mut self) -> Result<Next, Breakdown> {
        let model = &self.dynamics.model;
        let normal_mode = &mut self.dynamics.normal_mode;
        let mut first = f64::INFINITY;
        for (k, spring) in model.springs.iter().enumerate() {
            let u = model.normal_start[k];
            // Those that rest are ready to be pressed as soon as a neighbour moves.
            normal_mode[k] = if u > tol::ZERO { NormalMode::Open } else { NormalMode::Loading };
            if u < -tol::ZERO {
                // Linear springs take the same time at any speed; the forces of others begin flat.
                let share = if model.power == Power::Linear { -u } else { 1.0 };
                first = first.min(tol::LAUNCH * spring.depth * share / -u);
            }
        }
        if first == f64::INFINITY {
            return Ok(Next::End);
        }
        let remember = model.gaps == Gaps::Remember;
        let indentations = self.state.indentations_mut().iter_mut();
        for ((d, &u), mode) in indentations.zip(&model.normal_start).zip(normal_mode) {
            let moves = mode.closed() && u < -tol::ZERO || u > tol::ZERO && remember;
            *d = if moves { -u * first } else { 0.0 };
        }
        self.dynamics.evaluate(&self.state);
        if let Some(undecided) = self.gather_pressed() {
            self.decide(undecided)?;
        }
        // Forces grow from nothing like a power of time, along the directions they have.
        let share = first / (self.dynamics.model.power.exponent() + 1.0);
        let slope = &mut self.integrator.end;
        self.dynamics.slope(&self.state, slope);
        for (y, slope) in self.state.pushed_mut().iter_mut().zip(slope.pushed_mut()) {
            *y += share * *slope;
        }
        self.time = first;
        let depths = self.dynamics.model.springs.iter().map(|spring| spring.depth);
        self.integrator.set_first_step(tol::FIRST_STEP * depths.fold(f64::INFINITY, f64::min));
        Ok(Next::Continue)
    }

    /// Nothing presses, or hardly: goes on to where the first gap closes, if one does.
    pub(super) fn free_flight(&mut self) -> Result<Next, Breakdown> {
        self.dynamics.evaluate(&self.state);
        if self.is_over() {
            return Ok(Next::End);
        }
        let Self { dynamics, state, integrator, .. } = self;
        let contacts = 0..dynamics.model.len();
        if dynamics.model.gaps == Gaps::Forget {
            let approaches = |k: &usize| dynamics.normal_velocity[*k] < -tol::ZERO;
            let Some(k) = contacts.clone().find(approaches) else { return Ok(Next::End) };
            dynamics.normal_mode[k] = NormalMode::Loading;
            integrator.expect_closing(dynamics, k);
            return Ok(self.gather_pressed().map_or(Next::Continue, Next::Rest));
        }
        let mut first = None;
        for k in contacts.filter(|k| !dynamics.normal_mode[*k].closed()) {
            let u = dynamics.normal_velocity[k];
            let time = (state.indentations()[k] / u).max(0.0);
            if u < -self.tolerance && first.is_none_or(|(_, earliest)| time < earliest) {
                first = Some((k, time));
            }
        }
        let Some((first, time)) = first else { return Ok(Next::End) };
        self.effort.late += u64::from(time > self.time);
        let modes = dynamics.normal_velocity.iter().zip(&dynamics.normal_mode);
        for (d, (u, mode)) in state.indentations_mut().iter_mut().zip(modes) {
            *d -= if mode.closed() { 0.0 } else { u * time };
        }
        self.time += time;
        state.indentations_mut()[first] = 0.0;
        dynamics.normal_mode[first] = NormalMode::Loading;
        let depth = dynamics.model.springs[first].depth;
        integrator.set_first_step(tol::LAUNCH * depth / -dynamics.normal_velocity[first]);
        dynamics.evaluate(state);
        Ok(self.gather_pressed().map_or(Next::Continue, Next::Rest))
    }
}
