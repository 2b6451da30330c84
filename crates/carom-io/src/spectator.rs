//! Who looks on while laws work: a bar on a terminal, an interpreter with its own Ctrl-C, or nobody.

use carom::outcome::{MultiStep, Progress, StepRecorder, Watch};
use std::ops::ControlFlow;

/// Somebody who looks on and may end the work.
pub trait Spectator {
    /// Something else is done from now on.
    fn begins(&self, name: &str);
    /// How far it has come.
    fn shows(&self, progress: Progress);
    /// Whether the work is to end: asked often, so it must cost little.
    fn interrupted(&self) -> bool;
}

/// Nobody.
pub struct Silent;

impl Spectator for Silent {
    fn begins(&self, _name: &str) {}
    fn shows(&self, _progress: Progress) {}
    fn interrupted(&self) -> bool {
        false
    }
}

/// The same spectator, who sees nothing but may still end the work.
pub struct Unseen<'a>(pub &'a dyn Spectator);

impl Spectator for Unseen<'_> {
    fn begins(&self, _name: &str) {}
    fn shows(&self, _progress: Progress) {}
    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}

/// Looks on while one law works: tells the spectator how far it is, keeps its steps if they are wanted, and stops it
/// when the spectator says so.
pub struct Monitor<'a> {
    spectator: &'a dyn Spectator,
    steps: Option<&'a mut StepRecorder>,
}

impl<'a> Monitor<'a> {
    /// Tells and stops.
    pub fn new(spectator: &'a dyn Spectator) -> Self {
        Self { spectator, steps: None }
    }

    /// The same, and keeps steps.
    pub fn recording(spectator: &'a dyn Spectator, steps: &'a mut StepRecorder) -> Self {
        Self { spectator, steps: Some(steps) }
    }
}

impl Watch for Monitor<'_> {
    fn traces(&self) -> bool {
        self.steps.as_ref().is_some_and(|steps| steps.traces())
    }

    fn step(&mut self, step: MultiStep<'_>) {
        if let Some(steps) = &mut self.steps {
            steps.step(step);
        }
    }

    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.spectator.shows(progress);
        match self.spectator.interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
