//! One number for motions: a checksum of what becomes of the scenes of `scenes/`, the same on every machine.
//!
//! Two machines on which this test passes follow motions with the same bits, and so do two sets of times of samples.

use carom_io::checksum::Checksum;
use carom_io::input::Source;
use carom_scene::SceneFile;
use carom_sim::motion::{Mode, Motion, Options, Scene, Turn, simulate};

/// The checksum of this version. Where motions have changed on purpose, the test prints the new one.
const EXPECTED: u64 = 0xa7ae_0c2c_bf8a_0420;

/// Scenes that are followed in milliseconds, and until when \[s\].
const SCENES: [(&str, f64); 9] = [
    (include_str!("../../../../scenes/bouncing-ball.toml"), 5.0),
    (include_str!("../../../../scenes/brick-toss.toml"), 1.0),
    (include_str!("../../../../scenes/conveyor.toml"), 3.0),
    (include_str!("../../../../scenes/ladder.toml"), 2.0),
    (include_str!("../../../../scenes/newtons-cradle.toml"), 3.0),
    (include_str!("../../../../scenes/painleve-rod.toml"), 1.0),
    (include_str!("../../../../scenes/rocking-block.toml"), 2.0),
    (include_str!("../../../../scenes/shaking-table.toml"), 2.0),
    (include_str!("../../../../scenes/slider-crank.toml"), 2.0),
];

fn scenes() -> impl Iterator<Item = Scene> {
    SCENES.iter().map(|(text, until)| {
        let source = Source::read("scene.toml", text.as_bytes()).expect("text");
        let mut scene = SceneFile::of(&source).expect("a scene").scene;
        scene.duration = scene.duration.min(*until);
        scene
    })
}

fn follow(scene: &Scene, at: Vec<f64>) -> Motion {
    simulate(scene, &Options::at(at)).expect("a motion")
}

fn events(motion: &Motion, sum: &mut Checksum) {
    let mut add = |x: f64| sum.update(&x.to_bits().to_le_bytes());
    for event in &motion.events {
        add(event.time);
        add(event.energy_change);
        event.contacts.iter().flat_map(|contact| contact.impulse).for_each(&mut add);
    }
    let ledger = &motion.ledger;
    [ledger.end, ledger.impacts, ledger.friction, ledger.drives].into_iter().for_each(&mut add);
}

fn last(motion: &Motion, sum: &mut Checksum) {
    for body in &motion.samples.last().expect("a sample").bodies {
        let turn = match body.orientation {
            Turn::Angle(angle) => vec![angle],
            Turn::Quaternion(q) => q.to_vec(),
        };
        let state = body.position.iter().chain(&body.velocity).chain(&body.angular_velocity);
        for x in state.chain(&turn) {
            sum.update(&x.to_bits().to_le_bytes());
        }
    }
}

#[test]
fn motions_are_those_of_every_machine() {
    let mut sum = Checksum::default();
    for mut scene in scenes() {
        let motion = follow(&scene, vec![scene.duration]);
        assert!(!motion.events.is_empty() || motion.ledger.end != 0.0);
        events(&motion, &mut sum);
        last(&motion, &mut sum);
        // Stepped in time as well.
        scene.mode = Mode::Stepping { h: 1e-3, theta: 0.5 };
        scene.duration = scene.duration.min(0.5);
        scene.law = None;
        last(&follow(&scene, vec![scene.duration]), &mut sum);
    }
    let found = sum.value();
    assert_eq!(
        found, EXPECTED,
        "motions have changed; if they were meant to, set EXPECTED to {found:#018x}"
    );
}

#[test]
fn times_of_samples_change_no_bit() {
    for scene in scenes() {
        let d = scene.duration;
        let sums =
            [vec![d], (0..=97).map(|k| d * f64::from(k) / 97.0).collect(), vec![0.31 * d, d]].map(
                |at| {
                    let motion = follow(&scene, at);
                    let mut sum = Checksum::default();
                    events(&motion, &mut sum);
                    last(&motion, &mut sum);
                    sum
                },
            );
        assert!(sums[0] == sums[1] && sums[0] == sums[2], "{:?}", scene.bodies[0].name);
    }
}
