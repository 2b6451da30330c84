//! Who looks on while laws work: a bar on a terminal, an interpreter with its own Ctrl-C, or nobody.

use carom::outcome::{Observer, PathTotals, Progress, Recorder, Step, TraceEvent, TracePoint};
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

/// Looks on while one law works: tells the spectator how far it is, records its path and steps if they are wanted, and
/// stops it when the spectator says so.
pub struct Monitor<'a> {
    spectator: &'a dyn Spectator,
    recorder: Option<&'a mut Recorder>,
}

impl<'a> Monitor<'a> {
    /// Tells and stops.
    pub fn new(spectator: &'a dyn Spectator) -> Self {
        Self { spectator, recorder: None }
    }

    /// The same, and records.
    pub fn recording(spectator: &'a dyn Spectator, recorder: &'a mut Recorder) -> Self {
        Self { spectator, recorder: Some(recorder) }
    }
}

impl Observer for Monitor<'_> {
    fn wants_path(&self) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| recorder.wants_path())
    }

    fn event(&mut self, event: TraceEvent, at: TracePoint) {
        if let Some(recorder) = &mut self.recorder {
            recorder.event(event, at);
        }
    }

    fn sample(&mut self, at: TracePoint) {
        if let Some(recorder) = &mut self.recorder {
            recorder.sample(at);
        }
    }

    fn totals(&mut self, totals: PathTotals) {
        if let Some(recorder) = &mut self.recorder {
            recorder.totals(totals);
        }
    }

    fn wants_steps(&self) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| recorder.wants_steps())
    }

    fn step(&mut self, step: Step<'_>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.step(step);
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
