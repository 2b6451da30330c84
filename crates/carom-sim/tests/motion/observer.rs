//! What an observer hears while a motion is followed.

use carom::Material;
use carom_sim::motion::{
    Dimension, Event, MotionObserver, Options, Pair, Scene, SceneBody, Shape, StepTaken,
    simulate_observed,
};
use std::ops::ControlFlow;

#[derive(Default)]
struct Listener {
    events: Vec<(f64, &'static str)>,
    steps: Vec<StepTaken>,
    /// Steps taken when the first event was heard.
    before: usize,
    stop_after: Option<usize>,
}

impl MotionObserver for Listener {
    fn event(&mut self, event: &Event) {
        if self.events.is_empty() {
            self.before = self.steps.len();
        }
        self.events.push((event.time, event.kind.name()));
    }

    fn step(&mut self, step: StepTaken) {
        self.steps.push(step);
    }

    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        match self.stop_after.is_some_and(|most| self.events.len() >= most) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Balls far apart that bounce to rest on one floor.
fn bouncing() -> Scene {
    let mut scene = Scene::new(Dimension::Plane);
    let mut floor = SceneBody::fixed("floor");
    floor.shapes = vec![Shape::HalfSpace { normal: [0.0, 1.0, 0.0], offset: 0.0 }];
    scene.bodies.push(floor);
    for k in 0..3 {
        let mut ball =
            SceneBody::moving(format!("ball {k}"), 1.0, [[0.0; 3], [0.0; 3], [0.0, 0.0, 0.005]]);
        ball.position = [5.0 * f64::from(k), 1.0 + 0.3 * f64::from(k), 0.0];
        ball.shapes = vec![Shape::Sphere { radius: 0.1, center: [0.0; 3] }];
        scene.bodies.push(ball);
    }
    let material = Material::new(0.2, 0.6).expect("in range");
    scene.pairs = vec![Pair { a: None, b: None, material }];
    scene.duration = 4.0;
    scene
}

#[test]
fn events_are_heard_in_order_while_the_motion_is_followed() {
    let scene = bouncing();
    let mut heard = Listener::default();
    let motion = simulate_observed(&scene, &Options::default(), &mut heard).expect("a scene");
    let told: Vec<_> = motion.events.iter().map(|e| (e.time, e.kind.name())).collect();
    assert_eq!(heard.events, told);
    assert!(heard.events.is_sorted_by(|a, b| a.0 <= b.0));
    assert!(told.len() > 10 && heard.before < heard.steps.len() / 2);
    assert!(heard.steps.iter().all(|step| step.start <= step.end && step.coordinates == 3));
}

#[test]
fn an_observer_ends_the_run() {
    let mut heard = Listener { stop_after: Some(2), ..Listener::default() };
    let motion = simulate_observed(&bouncing(), &Options::default(), &mut heard).expect("a scene");
    assert_eq!(motion.end.reason.name(), "interrupted");
    assert!(motion.end.time < 3.0 && heard.events.len() >= 2);
}
