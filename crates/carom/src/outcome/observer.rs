//! Observers of a law at work: of its path, its steps, its progress.

use super::step::{Step, StepRecord};
use super::trace::{PathTotals, TraceEvent, TracePoint};
use std::ops::ControlFlow;

/// How far long work has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What is being done.
    pub what: &'static str,
    /// How much of it is done \[1\].
    pub done: u64,
    /// How much there is, if that is known \[1\].
    pub of: Option<u64>,
}

/// Receives what a law reports while it works. Every method has a default that does nothing.
pub trait Observer {
    /// Whether the path of a single contact is wanted. A law may skip what is not.
    fn wants_path(&self) -> bool {
        false
    }
    /// Something happens on the path.
    fn event(&mut self, _event: TraceEvent, _at: TracePoint) {}
    /// A point of the path between events, for drawing.
    fn sample(&mut self, _at: TracePoint) {}
    /// What the path adds up to, said once at its end.
    fn totals(&mut self, _totals: PathTotals) {}
    /// Whether the steps of a law for several contacts are wanted. A law may skip what is not.
    fn wants_steps(&self) -> bool {
        false
    }
    /// A step was made.
    fn step(&mut self, _step: Step<'_>) {}
    /// Called every few milliseconds of long work; `Break` ends it with an error.
    fn progress(&mut self, _progress: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// No observer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// Keeps the path of a single contact and the first steps of a law for several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorder {
    /// The events of the path, in order.
    pub events: Vec<(TraceEvent, TracePoint)>,
    /// Points along the path, in order, events included.
    pub samples: Vec<TracePoint>,
    /// What the path adds up to; absent if the law has no path.
    pub totals: Option<PathTotals>,
    /// The steps, in order.
    pub steps: Vec<StepRecord>,
    /// How many steps there were, kept or not \[1\].
    pub seen: u64,
    step_limit: usize,
}

impl Recorder {
    /// A recorder that keeps the path, and at most so many steps. The default keeps none.
    pub fn new(step_limit: usize) -> Self {
        Self { step_limit, ..Self::default() }
    }
}

impl Observer for Recorder {
    fn wants_path(&self) -> bool {
        true
    }
    fn event(&mut self, event: TraceEvent, at: TracePoint) {
        self.events.push((event, at));
        self.samples.push(at);
    }
    fn sample(&mut self, at: TracePoint) {
        self.samples.push(at);
    }
    fn totals(&mut self, totals: PathTotals) {
        self.totals = Some(totals);
    }
    fn wants_steps(&self) -> bool {
        self.step_limit > 0
    }
    fn step(&mut self, step: Step<'_>) {
        self.seen += 1;
        if self.steps.len() < self.step_limit {
            self.steps.push(step.into());
        }
    }
}
