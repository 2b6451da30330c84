//! One test for each kind of motion, so that what fails has a name.

use crate::check::misses;
use carom_io::failure::Failure;
use carom_io::format::{Cursor, Node};
use carom_scene::answer::MotionAnswer;
use carom_scene::{SceneFile, times};
use carom_sim::motion::{Options, simulate};
use serde_json::{Value, json};

const MOTIONS: &str = include_str!("../../../../golden/motions.ndjson");

/// What carom answers to a line, as `carom simulate --ndjson` would.
fn answer(question: &Value) -> Value {
    follow(question).unwrap_or_else(
        |failure| json!({ "error": { "kind": failure.kind(), "message": failure.to_string() } }),
    )
}

fn follow(question: &Value) -> Result<Value, Failure> {
    let node = |value: &Value| serde_json::from_value::<Node>(value.clone()).expect("JSON is data");
    let scene = SceneFile::read(&node(&question["scene"]))?.scene;
    let at = times(&Cursor::root(&node(&question["at"]), "at"), scene.duration)?;
    let motion = simulate(&scene, &Options::at(at))?;
    let answer =
        MotionAnswer { id: None, scene: &scene, motion: &motion, contacts: false, check: None };
    Ok(serde_json::to_value(&answer).expect("answers are JSON"))
}

/// Follows all motions of a kind, and tells every expectation that was missed.
#[track_caller]
fn check(kind: &str) {
    let questions = MOTIONS.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut count = 0;
    let mut missed = Vec::new();
    for question in questions {
        let id = question["id"].as_str().expect("an id").to_owned();
        if id.split('-').next() != Some(kind) {
            continue;
        }
        count += 1;
        let found = misses(&question, &answer(&question));
        missed.extend(found.into_iter().map(|miss| format!("{id}: {miss}")));
    }
    assert!(count > 0, "there is no motion of the kind {kind}");
    assert!(missed.is_empty(), "\n{}", missed.join("\n"));
}

/// A test for each kind, and one that no kind is left out.
macro_rules! kinds {
    ($($kind:ident $what:literal)*) => {
        $(
            #[doc = $what]
            #[test]
            fn $kind() {
                check(stringify!($kind));
            }
        )*

        #[test]
        fn no_kind_is_left_out() {
            let known = [$(stringify!($kind)),*];
            for line in MOTIONS.lines() {
                let question: Value = serde_json::from_str(line).expect("JSON");
                let id = question["id"].as_str().expect("an id");
                assert!(known.contains(&id.split('-').next().unwrap_or("")), "{id}");
            }
        }
    };
}

kinds! {
    k01 "Bouncing to rest."
    k02 "Bounces with spin."
    k03 "Blocks on inclines."
    k04 "Sliding to rolling."
    k05 "The rocking block."
    k06 "The shaking table."
    k07 "Smooth motion: pendulums and tops."
    k08 "Pendulums that strike, and the cradle."
    k09 "Galperin's π."
    k10 "Billiards."
    k11 "Ladders and falling rods."
    k12 "Painlevé's rod."
    k13 "A belt with stick and slip."
    k14 "Stops."
    k15 "The rimless wheel."
    k16 "Kane's pendulum in motion."
    k17 "Leaving an edge."
    k18 "Stacked balls."
    k19 "A conveyor."
    k22 "Boxes and bricks."
    k23 "Loops."
    k24 "Scenes that must be refused, or are degenerate."
    k25 "Constant forces."
    k26 "Mixed."
}
