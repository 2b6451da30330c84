//! A motion between its samples: what is asked for afterwards is what would have been told beforehand.

use crate::scenes::scene;
use carom_sim::motion::{
    Dense, EndReason, Mode, Motion, MotionObserver, Options, Sample, Scene, simulate,
    simulate_observed,
};
use carom_testkit::Rng;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The set of times.
const SEED: u64 = 0xde45e;
/// Scenes, and samples of each.
const SCENES: u64 = 120;
const SAMPLES: usize = 40;
/// Gaps are closed at events \[m\].
const JUMP: f64 = 1e-6;
/// Scenes that take longer are left where they are: the samples there are count all the same.
const PATIENCE: Duration = Duration::from_millis(300);

struct Steps(u64);

/// Ends after as many steps as a first run took.
impl MotionObserver for Steps {
    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Counts how often it is asked until patience ends.
struct Patience(Instant, u64);

impl MotionObserver for Patience {
    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        self.1 += 1;
        if self.0.elapsed() > PATIENCE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn run(scene: &Scene, options: &Options, questions: u64) -> Motion {
    simulate_observed(scene, options, &mut Steps(questions)).expect("a motion")
}

/// Everything but contacts, to the bit.
fn words(sample: &Sample) -> String {
    let Sample { time, bodies, kinetic, potential, elastic, works, .. } = sample;
    format!("{time:?} {bodies:?} {kinetic:?} {potential:?} {elastic:?} {works:?}")
}

fn same(scene: &Scene, name: &str, rng: &mut Rng) -> Option<EndReason> {
    let mut times: Vec<f64> = (0..SAMPLES)
        .map(|_| rng.uniform(0.0, scene.duration))
        .chain([0.0, scene.duration])
        .collect();
    let mut patience = Patience(Instant::now(), 0);
    // Scenes that the generator draws with bodies in each other are refused.
    let first = simulate_observed(scene, &Options::default(), &mut patience).ok()?;
    let questions = if first.end.reason == EndReason::Interrupted { patience.1 } else { u64::MAX };
    // Each event, just before it and at it.
    for event in first.events.iter().take(100) {
        times.extend([event.time.next_down().max(0.0), event.time.min(scene.duration)]);
    }
    let mut options = Options::at(times.clone());
    let asked = run(scene, &options, questions);
    options.dense = true;
    options.at.clear();
    let kept = run(scene, &options, questions);
    assert!(asked.dense.is_none() && kept.samples.is_empty());
    assert_eq!(format!("{:?}", asked.events), format!("{:?}", kept.events), "{name}: events");
    assert_eq!(asked.ledger, kept.ledger, "{name}: ledger");
    let found = kept.states_at(scene, &times).expect("states");
    for (a, b) in asked.samples.iter().zip(&found) {
        assert_eq!(words(a), words(b), "{name}, {:?}", asked.end);
    }
    // Places do not jump at events; samples in steps that events cut short were once left out.
    for pair in found[SAMPLES + 2..].chunks_exact(2).filter(|pair| pair[0].time > 0.0) {
        for (before, after) in pair[0].bodies.iter().zip(&pair[1].bodies) {
            for (x, y) in before.position.iter().zip(&after.position) {
                assert!((x - y).abs() < JUMP, "{name} at t = {}: {x} and {y}", pair[1].time);
            }
        }
    }
    // As numbers and back.
    let dense = kept.dense.expect("kept");
    let numbers = dense.to_numbers();
    assert_eq!(Dense::from_numbers(&numbers).as_ref(), Some(&dense), "{name}");
    Some(asked.end.reason)
}

#[test]
fn states_have_the_bits_of_samples() {
    let mut rng = Rng::for_item(SEED, 0);
    let (mut events, mut steps) = (0, 0);
    for index in 0..SCENES {
        let mut drawn = scene(index).scene;
        if let Some(reason) = same(&drawn, &format!("scene {index}"), &mut rng) {
            events += u64::from(reason != EndReason::Interrupted);
        }
        if index % 4 == 0 {
            drawn.mode = Mode::Stepping { h: 3e-3, theta: 0.5 };
            let stepped = same(&drawn, &format!("scene {index} in steps"), &mut rng);
            steps += u64::from(stepped.is_some());
        }
    }
    assert!(events > SCENES / 2 && steps > SCENES / 8, "{events} and {steps} motions");
}

#[test]
fn what_is_not_there_is_refused() {
    let drawn = scene(3).scene;
    let mut options = Options::at([]);
    let motion = simulate(&drawn, &options).expect("a motion");
    let refused = motion.states_at(&drawn, &[0.0]).expect_err("nothing was kept");
    assert!(refused.to_string().contains("without keeping its steps"), "{refused}");
    options.dense = true;
    let motion = simulate(&drawn, &options).expect("a motion");
    for time in [-1e-9, drawn.duration * 1.001, f64::NAN, f64::INFINITY] {
        let refused = motion.states_at(&drawn, &[0.0, time]).expect_err("no such time");
        assert!(refused.to_string().contains("between 0 and the duration"), "{refused}");
    }
    let mut other = drawn.clone();
    other.bodies.retain(|body| body.name == other_name(&drawn));
    other.joints.clear();
    other.springs.clear();
    other.forces.clear();
    other.pairs.clear();
    assert!(motion.states_at(&other, &[0.0]).is_err(), "another scene");
    let numbers = motion.dense.expect("kept").to_numbers();
    for size in 0..numbers.len().min(400) {
        assert_eq!(Dense::from_numbers(&numbers[..size]), None, "{size} numbers");
    }
    let mut broken = numbers;
    broken.push(1.0);
    assert_eq!(Dense::from_numbers(&broken), None);
}

/// A body that does not move.
fn other_name(scene: &Scene) -> String {
    scene.bodies[0].name.clone()
}
