//! A scene that is written and read again is the same scene.

use carom_io::input::Source;
use carom_scene::SceneFile;
use carom_scene::write::{Words, toml};
use carom_sim::motion::Scene;

fn read(name: &str, text: &str) -> Scene {
    let source = Source::read(name, text.as_bytes()).expect("text");
    SceneFile::of(&source).unwrap_or_else(|failure| panic!("{name}: {failure}\n{text}")).scene
}

fn same(name: &str, text: &str) {
    let scene = read(name, text);
    let words = Words {
        title: Some("\"again\" \\ and\u{1b} again".into()),
        head: vec!["a head\nof two lines".into(), String::new()],
        bodies: vec!["a body".into()],
    };
    let written = toml(&scene, &words);
    let again = read("written.toml", &written);
    assert_eq!(format!("{scene:?}"), format!("{again:?}"), "{name}\n{written}");
}

/// Every scene that there is.
#[test]
fn scenes_come_back() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the folder of scenes").flatten() {
        let path = file.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            same(&path.display().to_string(), &std::fs::read_to_string(&path).expect("text"));
            count += 1;
        }
    }
    assert!(count >= 12, "{count} scenes");
}

/// What those do not have.
#[test]
fn everything_in_space_comes_back() {
    same(
        "space.toml",
        r#"
gravity = [0.1, 0.0, -9.81]
duration = 0.3
law = { id = "plus", energy_guard = false, max_rounds = 17 }
mode = { stepping = { h = 1e-3, theta = 0.7 } }
accuracy = { state = 1e-7, time = 1e-8 }
max_events = 77

[[bodies]]
name = "table"
fixed = true
position = [0.0, 0.0, 0.0]
orientation = [0.6, 0.8, 0.0, 0.0]
motion = { velocity = [0.1, 0.0, 0.0] }
surface_velocity = [0.0, 1.0, 0.0]
shapes = [{ type = "half-space", normal = [0.0, 0.0, 2.0], offset = -1.0 }]

[[bodies]]
name = "shaker"
fixed = true
position = [9.0, 0.0, 0.0]
motion = { sine = { amplitude = [0.1, 0.2, 0.3], frequency = 3.0, phase = 0.4 } }
shapes = [{ type = "points", points = [[0.0, 0.0, 0.0]] }]

[[bodies]]
name = "a \"quoted\" name"
mass = 0.1
inertia = [[1.0, 0.1, 0.0], [0.1, 1.2, 0.0], [0.0, 0.0, 0.9]]
position = [0.0, 0.0, 1.0]
orientation = [0.5, 0.5, 0.5, 0.5]
velocity = [1e-300, 2.0, 3.0]
angular_velocity = [0.3333333333333333, 0.0, 0.0]
shapes = [
  { type = "sphere", radius = 0.1, center = [0.1, 0.0, 0.0] },
  { type = "capsule", radius = 0.1, from = [0.0, 0.0, 0.0], to = [0.0, 0.0, 1.0] },
  { type = "box", half = [1.0, 2.0, 3.0], center = [0.0, 0.0, 0.1], orientation = [0.6, 0.0, 0.8, 0.0] },
  { type = "cylinder", radius = 0.1, half_height = 0.2, axis = [0.0, 1.0, 1.0] },
  { type = "convex", points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] },
]

[[bodies]]
name = "other"
mass = 2.0
inertia = [1.0, 1.0, 1.0]
position = [0.0, 0.0, 3.0]

[[joints]]
name = "knee"
type = "hinge"
a = "a \"quoted\" name"
b = "other"
point = [0.0, 0.0, 2.0]
axis = [0.0, 1.0, 0.0]
limits = [-0.5, "inf"]
e = 0.25
stiffness = 3.0
damping = 0.1
rest = 0.2
torque = -1.0
armature = 0.05

[[joints]]
type = "ball"
a = "table"
b = "other"
point = [0.0, 0.0, 3.0]

[[springs]]
a = "table"
b = "other"
point_a = [0.0, 0.0, 0.0]
point_b = [0.0, 0.0, 3.0]
stiffness = 10.0
damping = 0.5
length = 1.0

[[forces]]
body = "other"
force = [0.0, 0.0, 1.0]
point = [0.1, 0.0, 0.0]
torque = [0.0, 0.0, 0.2]

[[pairs]]
a = "*"
b = "other"
mu = "inf"
e = { minimum = 0.5, capture_speed = 0.01, plastic_speed = 0.3 }
e_t = 0.1
stiffness = 2.0
coupling = 0.5
impulse_ratio = [0.1, 0.2]
"#,
    );
}
