//! Arbitrary text as a robot's file, URDF or MJCF: a scene or a clear failure, never a panic; a scene has a mass matrix of
//! numbers, and is written and read again as the same.

#![no_main]

use carom_import::{Options, import_text};
use carom_io::input::Source;
use carom_scene::SceneFile;
use carom_scene::write::{Words, toml};
use carom_sim::motion::mass_matrix;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    // Beside the seeds, so that their meshes are found.
    let robot = match import_text(text, "robots/robot.xml".as_ref(), &Options::default()) {
        Ok(robot) => robot,
        Err(error) => {
            if let Some(at) = &error.at {
                assert!(at.text.get(at.span.clone()).is_some(), "{error}");
            }
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let matrix = mass_matrix(&robot.scene).expect("it was checked");
    assert!(matrix.rows.iter().flatten().all(|x| x.is_finite()));
    if robot.scene.bodies.is_empty() {
        return;
    }
    let file = toml(&robot.scene, &Words { bodies: robot.made_of, ..Words::default() });
    let source = Source::read("scene.toml", file.as_bytes()).expect("text");
    let again = SceneFile::of(&source).unwrap_or_else(|error| panic!("{error}\n{file}")).scene;
    assert_eq!(format!("{:?}", robot.scene), format!("{again:?}"), "{file}");
});
