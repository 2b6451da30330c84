//! Where progress goes while laws work, and whether to stop: a bar on a terminal, an interpreter with its own Ctrl-C.

use carom::outcome::{Observer, PathTotals, Progress, Recorder, Step, TraceEvent, TracePoint};
use std::ops::ControlFlow;

/// Takes progress, and may interrupt the work.
pub trait ProgressSink {
    /// The next piece of work begins.
    fn begin(&self, name: &str);
    /// How far it has come.
    fn update(&self, progress: Progress);
    /// Whether the work is to stop: called often, so it must cost little.
    fn interrupted(&self) -> bool;
}

/// No progress, no interruption.
pub struct NoProgress;

impl ProgressSink for NoProgress {
    fn begin(&self, _name: &str) {}
    fn update(&self, _progress: Progress) {}
    fn interrupted(&self) -> bool {
        false
    }
}

/// Interruption alone.
pub struct InterruptOnly<'a>(pub &'a dyn ProgressSink);

impl ProgressSink for InterruptOnly<'_> {
    fn begin(&self, _name: &str) {}
    fn update(&self, _progress: Progress) {}
    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}

/// The observer of one law: passes its progress on, records its path and steps if they are wanted, and stops it on
/// interruption.
pub struct Monitor<'a> {
    sink: &'a dyn ProgressSink,
    recorder: Option<&'a mut Recorder>,
}

impl<'a> Monitor<'a> {
    /// Without a recorder.
    pub fn new(sink: &'a dyn ProgressSink) -> Self {
        Self { sink, recorder: None }
    }

    /// With a recorder.
    pub fn recording(sink: &'a dyn ProgressSink, recorder: &'a mut Recorder) -> Self {
        Self { sink, recorder: Some(recorder) }
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
        self.sink.update(progress);
        match self.sink.interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
