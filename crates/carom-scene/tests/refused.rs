//! Scenes that are read but cannot be followed: each is refused with the field and the value, and none hangs.

use carom_io::input::Source;
use carom_scene::SceneFile;
use carom_sim::motion::{Options, simulate};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// What following the scene is refused with.
#[track_caller]
fn refused(text: &str, message: &str) {
    let source = Source::read("scene.toml", text.as_bytes()).expect("text");
    let scene = SceneFile::of(&source).expect("it can be read").scene;
    let begin = Instant::now();
    let error = simulate(&scene, &Options::default()).expect_err("it cannot be followed");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert!(error.to_string().starts_with(message), "{error}");
}

const FLOOR: &str = r#"
[[bodies]]
name = "floor"
fixed = true
position = [0.0, 0.0]
shapes = [{ type = "half-plane", normal = [0.0, 1.0], offset = 0.0 }]

[[pairs]]
a = "*"
b = "*"
e = 0.5
"#;

fn ball(more: &str) -> String {
    format!(
        "duration = 1.0\n{FLOOR}\n[[bodies]]\nname = \"ball\"\nshapes = [{{ type = \"disk\", radius = 0.1 }}]\n{more}"
    )
}

#[test]
fn bodies_that_lie_in_each_other() {
    let text = ball("mass = 1.0\ninertia = 0.005\nposition = [0.0, 0.05]");
    let message =
        "bodies[1].position = [0.0, 0.05, 0.0]: `floor` and `ball` lie 5e-2 m in each other";
    refused(&text, message);
    refused(&format!("mode = {{ stepping = {{ h = 1e-3 }} }}\n{text}"), message);
}

#[test]
fn numbers_that_leave_no_room() {
    for (body, message) in [
        (
            "mass = 1e-300\ninertia = 0.005\nposition = [0.0, 0.5]",
            "bodies[1].mass = 1e-300: must be between",
        ),
        (
            "mass = 1e300\ninertia = 0.005\nposition = [0.0, 0.5]",
            "bodies[1].mass = 1e300: must be between",
        ),
        (
            "mass = 1.0\ninertia = 1e-99\nposition = [0.0, 0.5]",
            "bodies[1].inertia = 1e-99: must be between",
        ),
        (
            "mass = 1.0\ninertia = 0.005\nposition = [0.0, 0.5]\nvelocity = [0.0, -1e200]",
            "bodies[1].velocity = -1e200: must be between",
        ),
        (
            "mass = 1.0\ninertia = 0.005\nposition = [0.0, 1e90]",
            "bodies[1].position = 1e90: must be between",
        ),
        ("mass = 1.0\ninertia = 0.0\nposition = [0.0, 0.5]", "bodies[1].inertia = 0 about an axis"),
    ] {
        refused(&ball(body), message);
    }
}

#[test]
fn inertia_that_no_body_has() {
    let text = "duration = 1.0\n[[bodies]]\nname = \"b\"\nmass = 1.0\ninertia = [1.0, 1.0, 2.5]\nposition = [0.0, 0.0, 0.0]\n";
    refused(
        text,
        "bodies[0].inertia = [1.0, 1.0, 2.5]: no body has a principal moment of inertia larger",
    );
}

/// One body on hinges of two supports, one of which shakes. At phase 90° it is at rest at t = 0, but not for long.
#[test]
fn joints_that_contradict_each_other() {
    for gravity in ["[0.0, 0.0]", "[0.0, -9.81]"] {
        let text = format!(
            r#"
duration = 1.0
gravity = {gravity}

[[bodies]]
name = "ground"
fixed = true
position = [0.0, 0.0]

[[bodies]]
name = "shaker"
fixed = true
position = [0.0, 0.0]
motion = {{ sine = {{ amplitude = [0.1, 0.0], frequency = 1.0, phase = 1.5707963267948966 }} }}

[[bodies]]
name = "plate"
mass = 1.0
inertia = 0.1
position = [0.5, 0.0]

[[joints]]
type = "hinge"
a = "ground"
b = "plate"
point = [0.0, 0.0]

[[joints]]
type = "hinge"
a = "shaker"
b = "plate"
point = [1.0, 0.0]
"#
        );
        let source = Source::read("scene.toml", text.as_bytes()).expect("text");
        let scene = SceneFile::of(&source).expect("it can be read").scene;
        let error = simulate(&scene, &Options::default()).expect_err("nothing fits").to_string();
        assert!(error.contains("joints-contradict") && error.contains("joints[1]"), "{error}");
    }
}

/// Links without inertia on hinges through their centres of mass.
#[test]
fn a_chain_without_inertia() {
    let mut text =
        "duration = 1.0\n[[bodies]]\nname = \"0\"\nfixed = true\nposition = [0.0, 0.0]\n"
            .to_owned();
    for k in 1..4 {
        let (a, x) = (k - 1, f64::from(k) - 1.0);
        let _ = write!(
            text,
            "[[bodies]]\nname = \"{k}\"\nmass = 1.0\ninertia = 0.0\nposition = [{x:?}, 0.0]\n\
             [[joints]]\ntype = \"hinge\"\na = \"{a}\"\nb = \"{k}\"\npoint = [{x:?}, 0.0]\n"
        );
    }
    refused(&text, "bodies[1].inertia = 0 about an axis: this body can turn");
    let massless = text.replacen("mass = 1.0", "mass = 0.0", 1);
    refused(&massless, "bodies[1].mass = 0: must be a finite number above 0");
}

#[test]
fn a_hundred_thousand_bodies() {
    let mut bodies = String::new();
    for k in 0..100_000 {
        let (x, y) = (0.25 * f64::from(k % 1000), 0.2 + 0.25 * f64::from(k / 1000));
        let _ = write!(
            bodies,
            ",{{\"name\":\"{k}\",\"mass\":1,\"inertia\":0.005,\"position\":[{x},{y}],\
             \"shapes\":[{{\"type\":\"disk\",\"radius\":0.1}}]}}"
        );
    }
    for (mode, most) in
        [("\"events\"", "at most 2000"), ("{\"stepping\":{\"h\":1e-3}}", "at most 10000")]
    {
        let text = format!(
            "{{\"duration\":1,\"mode\":{mode},\"bodies\":[{{\"name\":\"floor\",\"fixed\":true,\"position\":[0,0],\
             \"shapes\":[{{\"type\":\"half-plane\",\"normal\":[0,1],\"offset\":0}}]}}{bodies}],\
             \"pairs\":[{{\"a\":\"*\",\"b\":\"*\",\"e\":0.5}}]}}"
        );
        let source = Source::read("scene.json", text.as_bytes()).expect("text");
        let scene = SceneFile::of(&source).expect("it can be read").scene;
        let begin = Instant::now();
        let error = simulate(&scene, &Options::default()).expect_err("too many").to_string();
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
        assert!(
            error.starts_with("bodies = 100001 bodies: 100000 of them move")
                && error.contains(most),
            "{error}"
        );
    }
}
