//! Arbitrary text as a scene file, TOML or JSON: a motion or a clear failure, never a panic; what is followed has only
//! numbers, in time, and an end with a reason.

#![no_main]

use carom_io::input::Source;
use carom_scene::answer::MotionAnswer;
use carom_scene::{SceneFile, every};
use carom_sim::motion::{EndReason, MotionObserver, Options, Turn, simulate_observed};
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// So long a scene may go on without an event.
const PATIENCE: Duration = Duration::from_millis(500);

struct Patience(Instant);

impl MotionObserver for Patience {
    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        match self.0.elapsed() < PATIENCE {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

fuzz_target!(|data: &[u8]| {
    // No marker byte, so that the files in `scenes/` are seeds as they are.
    let name = if data.starts_with(b"{") { "scene.json" } else { "scene.toml" };
    let Ok(source) = Source::read(name, data) else {
        return;
    };
    let mut scene = match SceneFile::of(&source) {
        Ok(file) => file.scene,
        Err(failure) => {
            // The diagnostic points into the text, so its place must be one.
            if let Some(place) = source.place_of(&failure) {
                assert!(source.text.get(place.clone()).is_some(), "{place:?} of {:?}", source.text);
            }
            return;
        }
    };
    scene.max_events = scene.max_events.min(50);
    let Ok(at) = every(scene.duration / 7.0, scene.duration) else {
        return;
    };
    let options = Options::at(at.clone());
    let Ok(motion) = simulate_observed(&scene, &options, &mut Patience(Instant::now())) else {
        return;
    };
    for sample in &motion.samples {
        for body in &sample.bodies {
            let turn = match body.orientation {
                Turn::Angle(angle) => [angle, 0.0, 0.0, 0.0],
                Turn::Quaternion(q) => q,
            };
            let numbers = [body.position, body.velocity, body.angular_velocity].concat();
            assert!(numbers.iter().chain(&turn).all(|x| x.is_finite()), "{sample:?}");
        }
    }
    assert!(motion.events.is_sorted_by(|a, b| a.time <= b.time), "{:?}", motion.events);
    if matches!(motion.end.reason, EndReason::Duration | EndReason::Rest) {
        assert_eq!(motion.samples.len(), at.len());
    }
    let answer =
        MotionAnswer { id: None, scene: &scene, motion: &motion, contacts: true, check: None };
    assert!(serde_json::to_string(&answer).is_ok());
});
