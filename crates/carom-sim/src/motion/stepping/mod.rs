//! Time stepping for piles: all contacts of a step are one impact, with the weight of the step in it.
//!
//! One step of length `h`, with `θ` from the scene (J. J. Moreau: Unilateral contact and dry friction in finite freedom
//! dynamics, 1988; M. Jean: The non-smooth contact dynamics method, 1999):
//!
//! ```text
//! q_m = q ⊞ (1 − θ) h v                                       where geometry and masses are taken
//! v_f = v + h M(q_m)⁻¹ f(q_m, (1 − θ) v + θ v_f, t + (1 − θ) h)      two rounds
//! v⁺  = law(M(q_m), J(q_m), v_f)                              island by island
//! q⁺  = q_m ⊞ θ h v⁺, then bodies that lie in each other are moved apart, velocities unchanged
//! ```
//!
//! - A contact takes part if its gap would be closed at the end of the step without it, or is within what a body falls in
//!   a step from rest: contacts of a pile at rest do not come and go.
//! - Restitution acts where bodies approach faster than `2 h b` at the step's start, `b` being the free acceleration of the
//!   contact but at least gravity: what rests approaches with `h b` in each step and must not rebound from it. Laws other
//!   than `newton-coulomb` and `poisson-coulomb` may ask for one e in the whole impact: they see the contacts' own where
//!   one contact of the island approaches that fast, and zeros where none does.
//! - An island is what active contacts connect, an assembly counting as one; each is a problem of its own.
//! - Works are booked with `½ (v + v⁺)`, which is exact for θ = ½ but for the change of geometry within a step and for
//!   bodies that are moved apart: that is the ledger's residual.
//! - Islands of more than four contacts under `newton-coulomb` without settings and without tangential restitution are
//!   solved by sweeps over contacts, from the impulses of the step before: the same law to the sweeps' accuracy.
//! - States between the ends of steps are interpolated linearly.
//! - An event `impact` (or `limit`) is told at a step's end for each island in which restitution could act: some contact
//!   approached faster than the threshold, whatever its e. Nothing else is told but `rest`.

mod near;
mod step;
mod sweeps;
#[cfg(test)]
mod tests;

use super::dense::Dense;
use super::model::Model;
use super::report::{
    End, EndReason, Event, EventKind, Failure, FailureKind, Ledger, Motion, Works,
};
use super::run::{MotionObserver, Options, StepTaken, empty_samples, overlap_error};
use super::scene::{Mode, Scene};
use carom::ImpactError;
use step::Stepper;

/// More steps than this are refused.
const MOST_STEPS: f64 = 1e8;
/// Bodies may lie in each other by this part of their extent at t = 0 \[1\].
const OVERLAP: f64 = 1e-6;
/// Steps and contacts after which the observer is asked.
const WORK_BETWEEN_QUESTIONS: usize = 64;

/// The length of a step \[s\], and how many there are.
#[derive(Clone, Copy, Debug)]
struct Grid {
    h: f64,
    steps: u64,
}

impl Grid {
    fn new(h: f64, theta: f64, duration: f64) -> Result<Self, ImpactError> {
        if !(h.is_finite() && h > 0.0) {
            let reason = "must be a length of steps in seconds, above zero";
            return Err(ImpactError::bad_problem("mode.stepping.h", h, reason));
        }
        if !(0.0..=1.0).contains(&theta) {
            return Err(ImpactError::bad_problem(
                "mode.stepping.theta",
                theta,
                "must lie between 0 and 1",
            ));
        }
        let steps = duration / h;
        if steps > MOST_STEPS {
            let reason = format!(
                "gives {steps:.1e} steps in {duration} s; at most {MOST_STEPS:.0e} are made: try {:e} or more, or a \
                 shorter duration",
                duration / MOST_STEPS
            );
            return Err(ImpactError::bad_problem("mode.stepping.h", h, reason));
        }
        // A last step that is shorter than rounding is none.
        let steps = f64::ceil(steps * (1.0 - 4.0 * f64::EPSILON)) as u64;
        Ok(Self { h, steps })
    }

    /// When a step ends.
    fn end(&self, step: u64, duration: f64) -> f64 {
        if step + 1 >= self.steps { duration } else { (step + 1) as f64 * self.h }
    }
}

/// Follows a scene in steps. Checked here: `h`, `theta`, how many steps, overlaps at t = 0.
pub(crate) fn follow(
    scene: &Scene,
    model: &Model,
    options: &Options,
    observer: &mut dyn MotionObserver,
) -> Result<Motion, ImpactError> {
    let Mode::Stepping { h, theta } = scene.mode else { return Ok(Motion::default()) };
    let grid = Grid::new(h, theta, scene.duration)?;
    let mut stepper = Stepper::new(model, theta);
    if let Some((pair, depth)) = stepper.overlap(OVERLAP) {
        return Err(overlap_error(scene, pair, depth));
    }
    let mut samples = empty_samples(model, scene, &options.at);
    let mut motion = Motion::default();
    let mut dense = options.dense.then(Dense::of_steps);
    let mut ledger = Ledger { start: stepper.energy(), ..Ledger::default() };
    let mut reason = EndReason::Duration;
    let (mut taken, mut work) = (0, 0);
    keep(&mut dense, &stepper, &ledger);
    for step in 0..grid.steps {
        let before = motion.events.len();
        let (start, end) = (stepper.time(), grid.end(step, scene.duration));
        if let Err(failure) = stepper.step(end, &mut ledger, &mut motion.events) {
            reason = EndReason::Failed(failure);
            break;
        }
        keep(&mut dense, &stepper, &ledger);
        while taken < samples.len() && samples[taken].1.time < stepper.time() {
            stepper.sample(&mut samples[taken].1, options.contacts);
            samples[taken].1.works = works(&ledger);
            taken += 1;
        }
        observer.step(StepTaken { start, end, coordinates: stepper.coordinates() });
        motion.events[before..].iter().for_each(|event| observer.event(event));
        if motion.events.len() as u64 > scene.max_events {
            let message = format!("more than {} events", scene.max_events);
            reason = EndReason::Failed(Failure { kind: FailureKind::TooManyEvents, message });
            break;
        }
        if stepper.rests() {
            reason = EndReason::Rest;
            break;
        }
        work += 1 + stepper.contacts();
        if work >= WORK_BETWEEN_QUESTIONS {
            work = 0;
            if observer.progress(stepper.time()).is_break() {
                reason = EndReason::Interrupted;
                break;
            }
        }
    }
    if reason == EndReason::Rest {
        let event = stepper.rest();
        observer.event(&event);
        motion.events.push(event);
    }
    keep(&mut dense, &stepper, &ledger);
    for (_, sample) in &mut samples[taken..] {
        stepper.sample(sample, options.contacts);
        sample.works = works(&ledger);
    }
    samples.sort_by_key(|(place, _)| *place);
    motion.samples = samples.into_iter().map(|(_, sample)| sample).collect();
    motion.samples.iter().for_each(|sample| observer.sample(sample));
    ledger.end = stepper.energy();
    ledger.residual = ledger.start + ledger.works() - ledger.end;
    motion.dense = dense;
    motion.ledger = ledger;
    motion.effort = stepper.effort;
    motion.notes = std::mem::take(&mut stepper.notes);
    motion.end = End { time: stepper.time(), reason };
    Ok(motion)
}

/// Keeps the present state, where asked for.
fn keep(dense: &mut Option<Dense>, stepper: &Stepper, ledger: &Ledger) {
    if let Some(dense) = dense {
        dense.push(stepper.state(), works(ledger));
    }
}

/// Works at the end of the step that a sample lies in.
fn works(ledger: &Ledger) -> Works {
    let Ledger { impacts, friction, damping, forces, drives, .. } = *ledger;
    Works { impacts, friction, damping, forces, drives }
}

fn rest_event(time: f64) -> Event {
    Event { time, kind: EventKind::Rest, contacts: Vec::new(), energy_change: 0.0, verdict: None }
}
