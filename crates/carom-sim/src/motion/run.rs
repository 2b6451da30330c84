//! The door: a scene in, its motion out.

use super::report::{Event, Motion, Sample};
use super::scene::Scene;
use carom::{ImpactError, Law};
use std::ops::ControlFlow;

/// What is wanted of a run besides the scene.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Times of samples \[s\], in any order. They change no bit of the motion.
    pub at: Vec<f64>,
    /// In place of the scene's law.
    pub law: Option<Law>,
    /// Whether changes of feature are told as events.
    pub features: bool,
    /// Whether samples tell the contacts that last.
    pub contacts: bool,
    /// All tolerances of the integration times this \[1\]; 0 stands for 1.
    pub tolerance_factor: f64,
}

impl Options {
    /// Samples at these times.
    pub fn at(times: impl Into<Vec<f64>>) -> Self {
        Self { at: times.into(), ..Self::default() }
    }
}

/// Hears of a motion as it is followed.
pub trait MotionObserver {
    /// An event, as soon as it is certain.
    fn event(&mut self, _event: &Event) {}
    /// A sample.
    fn sample(&mut self, _sample: &Sample) {}
    /// Asked every few milliseconds, with the time that all bodies have reached \[s\]; may end the run.
    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Hears nothing.
impl MotionObserver for () {}

/// Follows a scene to its end.
pub fn simulate(scene: &Scene, options: &Options) -> Result<Motion, ImpactError> {
    simulate_observed(scene, options, &mut ())
}

/// [`simulate`] with an observer.
pub fn simulate_observed(
    _scene: &Scene,
    _options: &Options,
    _observer: &mut dyn MotionObserver,
) -> Result<Motion, ImpactError> {
    todo!()
}
