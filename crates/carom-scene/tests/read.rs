//! What scene files may say, and what is said of those that are wrong.

use carom::ImpactError;
use carom_io::input::Source;
use carom_scene::SceneFile;
use carom_sim::motion::{BodyKind, Dimension, Mode, Prescribed, SceneJointKind, Shape, Turn};

const PLANE: &str = r#"
[[bodies]]
name = "floor"
fixed = true
position = [0.0, 0.0]
shapes = [{ type = "half-plane", normal = [0.0, 1.0], offset = 0.0 }]

[[bodies]]
name = "ball"
mass = 1.0
inertia = 0.005
position = [0.0, 0.5]
shapes = [{ type = "disk", radius = 0.1 }]

[[pairs]]
a = "floor"
b = "ball"
e = 0.5
"#;

const SPACE: &str = r#"
[[bodies]]
name = "ground"
fixed = true
position = [0.0, 0.0, 0.0]
shapes = [{ type = "half-space", normal = [0.0, 0.0, 2.0], offset = -1.0 }]

[[bodies]]
name = "brick"
mass = 1.0
inertia = [1.0, 2.0, 2.5]
position = [0.0, 0.0, 1.0]
orientation = [2.0, 0.0, 0.0, 0.0]
velocity = [1.0, 0.0, 0.0]
angular_velocity = [0.0, 3.0, 0.0]
shapes = [{ type = "box", half = [0.1, 0.2, 0.3] }]
"#;

fn read(text: &str) -> Result<SceneFile, ImpactError> {
    let source = Source::read("scene.toml", text.as_bytes()).expect("text");
    SceneFile::read(&source.parse().expect("TOML"))
}

/// The error with the text in the file that it is about.
#[track_caller]
fn refused(text: &str) -> (String, String) {
    let source = Source::read("scene.toml", text.as_bytes()).expect("text");
    let failure = SceneFile::of(&source).expect_err("it must be refused");
    let place = source.place_of(&failure).map_or(String::new(), |p| source.text[p].to_owned());
    (failure.to_string(), place)
}

/// What is wrong with the text, and where: the message begins with one, the place in the file is the other.
#[track_caller]
fn refused_as(text: &str, message: &str, place: &str) {
    let (got, shown) = refused(text);
    assert!(got.starts_with(message), "{got}\nis not\n{message}");
    assert_eq!(shown, place, "{got}");
}

fn plane(more: &str) -> String {
    format!("{more}\n{PLANE}")
}

#[test]
fn defaults_are_those_of_the_format() {
    let file = read(PLANE).expect("a scene");
    let scene = &file.scene;
    assert_eq!(scene.dimension, Dimension::Plane);
    assert_eq!(scene.gravity, [0.0, -9.81, 0.0]);
    assert_eq!((scene.duration, scene.max_events, scene.mode), (1.0, 1_000_000, Mode::Events));
    assert_eq!((scene.accuracy.state, scene.accuracy.time), (1e-8, 1e-9));
    assert!(scene.law.is_none() && file.title.is_none());
    assert_eq!(scene.bodies[1].orientation, Turn::Angle(0.0));
    assert_eq!(scene.pairs[0].a, Some(0));
    assert_eq!(scene.pairs[0].material.mu, 0.0);
    let scene = read(SPACE).expect("a scene").scene;
    assert_eq!((scene.dimension, scene.gravity), (Dimension::Space, [0.0, 0.0, -9.81]));
    assert_eq!(scene.bodies[1].orientation, Turn::Quaternion([1.0, 0.0, 0.0, 0.0]));
    assert_eq!(scene.bodies[1].angular_velocity, [0.0, 3.0, 0.0]);
}

#[test]
fn everything_is_read() {
    let text = r#"
title = "all"
gravity = [0.0, 0.0]
duration = 2.5
law = { id = "composite", sigma = 0.25 }
mode = { stepping = { h = 1e-3 } }
accuracy = { state = 1e-6 }
max_events = 1e3

[[bodies]]
name = "table"
fixed = true
position = [0.0, 0.0]
motion = { sine = { amplitude = [0.0, 0.1], frequency = 2.0 } }
surface_velocity = [0.5, 0.0]
shapes = [{ type = "points", points = [[0.0, 1.0]] }]

[[bodies]]
name = "a"
mass = 1
inertia = 2
position = [1.0, 0.0]
orientation = 7.0
velocity = [0.0, 1.0]
angular_velocity = 3
shapes = [
    { type = "polygon", points = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]] },
    { type = "capsule", radius = 0.5, from = [0.0, 0.0], to = [1.0, 0.0] },
]

[[joints]]
name = "rail"
type = "slider"
a = "table"
b = "a"
point = [0.0, 0.0]
axis = [2.0, 0.0]
limits = [-1.0, inf]
e = 0.5
stiffness = 40
damping = 0.1
rest = 0.2
torque = -1.0

[[springs]]
a = "a"
b = "table"
point_a = [1.0, 0.0]
point_b = [0.0, 0.0]
stiffness = 20
damping = 1
length = 0.5

[[forces]]
body = "a"
force = [1.0, 2.0]
point = [0.0, 0.5]
torque = 3

[[pairs]]
a = "*"
b = "a"
mu = inf
e = { minimum = 0.5, capture_speed = 0.0, plastic_speed = 1.0 }
e_t = 0.5
"#;
    let file = read(text).expect("a scene");
    let scene = &file.scene;
    assert_eq!(scene.law.map(|law| law.id()), Some("composite"));
    assert_eq!(scene.mode, Mode::Stepping { h: 1e-3, theta: 0.5 });
    assert_eq!((scene.max_events, scene.accuracy.time), (1000, 1e-9));
    let sine = Prescribed::Sine { amplitude: [0.0, 0.1, 0.0], frequency: 2.0, phase: 0.0 };
    assert_eq!(scene.bodies[0].kind, BodyKind::Fixed { motion: sine });
    assert_eq!(scene.bodies[0].surface_velocity, [0.5, 0.0, 0.0]);
    let inertia = [[0.0; 3], [0.0; 3], [0.0, 0.0, 2.0]];
    assert_eq!(scene.bodies[1].kind, BodyKind::Moving { mass: 1.0, inertia });
    assert_eq!(scene.bodies[1].angular_velocity, [0.0, 0.0, 3.0]);
    // Files may go round a polygon either way.
    let counter_clockwise = vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
    assert_eq!(scene.bodies[1].shapes[0], Shape::Polygon { points: counter_clockwise });
    let joint = &scene.joints[0];
    assert_eq!((joint.kind, joint.a, joint.b), (SceneJointKind::Slider, 0, 1));
    assert_eq!((joint.limits, joint.e), ([-1.0, f64::INFINITY], 0.5));
    let numbers = [joint.stiffness, joint.damping, joint.rest, joint.torque];
    assert_eq!(numbers, [40.0, 0.1, 0.2, -1.0]);
    assert_eq!((scene.springs[0].a, scene.springs[0].length), (1, Some(0.5)));
    assert_eq!(scene.forces[0].torque, [0.0, 0.0, 3.0]);
    assert_eq!((scene.pairs[0].a, scene.pairs[0].material.mu), (None, f64::INFINITY));
}

#[test]
fn json_and_toml_say_the_same() {
    let json = r#"{"bodies": [{"name": "a", "mass": 1, "inertia": 1, "position": [0, 1]},
        {"name": "b", "mass": 1, "inertia": 1, "position": [1, 1]}],
        "joints": [{"type": "hinge", "a": "a", "b": "b", "point": [0, 0], "limits": ["-inf", 1]}]}"#;
    let source = Source::read("scene.json", json.as_bytes()).expect("text");
    let scene = SceneFile::of(&source).expect("a scene").scene;
    assert_eq!(scene.joints[0].limits, [f64::NEG_INFINITY, 1.0]);
    assert_eq!(scene.joints[0].axis, [0.0, 0.0, 1.0]);
}

#[test]
fn errors_name_key_value_and_suggestion() {
    for (text, message, place) in [
        (
            plane("gravitation = [0.0, -9.81]"),
            "gravitation = a list of 2 entries: unknown key; a scene has: title",
            "gravitation = [0.0, -9.81]",
        ),
        (
            plane("gravty = [0.0, -9.81]"),
            "gravty = a list of 2 entries: unknown key; did you mean `gravity`?",
            "gravty = [0.0, -9.81]",
        ),
        (plane("duration = -1.0"), "duration = -1: must be at least 0", "duration = -1.0"),
        (plane("duration = nan"), "duration = NaN: must be a finite number", "duration = nan"),
        (
            plane("duration = \"long\""),
            "duration = \"long\": must be a number",
            "duration = \"long\"",
        ),
        (
            plane("gravity = [0.0, 0.0, -9.81]"),
            "gravity = 3 numbers: must have 2 numbers: positions have 2, so the scene is planar",
            "gravity = [0.0, 0.0, -9.81]",
        ),
        (
            plane("law = \"newtn\""),
            "there is no law `newtn`; did you mean `newton`?",
            "law = \"newtn\"",
        ),
        (
            plane("mode = \"event\""),
            "mode = \"event\": must be \"events\"; did you mean \"events\"?",
            "mode = \"event\"",
        ),
        (
            plane("mode = { stepping = { h = 0.0 } }"),
            "mode.stepping.h = 0: must be above 0",
            "h = 0.0",
        ),
        (plane("max_events = 0.5"), "max_events = 0.5: must be a whole number", "max_events = 0.5"),
        (
            PLANE.replace("name = \"ball\"", "name = \"floor\""),
            "bodies[1].name = \"floor\": another body has this name",
            "name = \"floor\"",
        ),
        (
            PLANE.replace("b = \"ball\"", "b = \"bal\""),
            "pairs[0].b = \"bal\": no body has this name; did you mean `ball`?",
            "b = \"bal\"",
        ),
        (
            PLANE.replace("b = \"ball\"", "b = \"floor\""),
            "pairs[0].b = \"floor\": a body does not collide with itself",
            "b = \"floor\"",
        ),
        (PLANE.replace("e = 0.5", "e = -0.5"), "pairs[0].e = -0.5: restitution", "e = -0.5"),
        (
            PLANE.replace("e = 0.5", "e = 0.5\ngap = 1.0"),
            "pairs[0].gap = 1: unknown key",
            "gap = 1.0",
        ),
        (PLANE.replace("e = 0.5", "mu = 0.5"), "pairs[0].e = (absent): required", "[[pairs]]"),
        (
            PLANE.replace("radius = 0.1", "radius = 0.0"),
            "bodies[1].shapes[0].radius = 0: must be above 0",
            "radius = 0.0",
        ),
        (
            PLANE.replace("radius", "radiu"),
            "bodies[1].shapes[0].radiu = 0.1: unknown key; did you mean `radius`?",
            "radiu = 0.1",
        ),
        (
            PLANE.replace("\"disk\"", "\"sphere\""),
            "bodies[1].shapes[0].type = \"sphere\": the scene is planar, because positions have 2 numbers; did you mean \"disk\"?",
            "type = \"sphere\"",
        ),
        (
            PLANE.replace("\"disk\"", "\"dsk\""),
            "bodies[1].shapes[0].type = \"dsk\": must be",
            "type = \"dsk\"",
        ),
        (
            PLANE.replace(
                "type = \"disk\", radius = 0.1",
                "type = \"half-plane\", normal = [0, 1], offset = 0",
            ),
            "bodies[1].shapes[0].type = \"half-plane\": a half-plane has no end",
            "type = \"half-plane\"",
        ),
        (
            PLANE.replace("normal = [0.0, 1.0]", "normal = [0.0, 0.0]"),
            "bodies[0].shapes[0].normal = a list of 2 entries: a direction cannot be zero",
            "normal = [0.0, 0.0]",
        ),
        (PLANE.replace("mass = 1.0\n", ""), "bodies[1].mass = (absent): required", "[[bodies]]"),
        (
            PLANE.replace("fixed = true", "fixed = true\nmass = 1.0"),
            "bodies[0].mass = 1: a fixed body has no mass",
            "mass = 1.0",
        ),
        (
            PLANE.replace("fixed = true", "fixed = true\nvelocity = [1.0, 0.0]"),
            "bodies[0].velocity = a list of 2 entries: a fixed body moves by its `motion`",
            "velocity = [1.0, 0.0]",
        ),
        (
            PLANE.replace("mass = 1.0", "mass = 1.0\nmotion = { velocity = [1.0, 0.0] }"),
            "bodies[1].motion = a table: only a body with `fixed` = true",
            "motion = { velocity = [1.0, 0.0] }",
        ),
        (
            PLANE.replace("inertia = 0.005", "inertia = [1.0, 1.0, 1.0]"),
            "bodies[1].inertia = a list of 3 entries: must be one number: the scene is planar",
            "inertia = [1.0, 1.0, 1.0]",
        ),
        (
            PLANE.replace("position = [0.0, 0.5]", "position = [0.0, 0.5, 0.0]"),
            "bodies[1].position = 3 numbers: must have 2 numbers",
            "position = [0.0, 0.5, 0.0]",
        ),
        (
            PLANE.replace("position = [0.0, 0.5]", "position = [0.0, nan]"),
            "bodies[1].position[1] = NaN: must be a finite number",
            "nan",
        ),
        (
            SPACE.replace("[2.0, 0.0, 0.0, 0.0]", "[0.0, 0.0, 0.0, 0.0]"),
            "bodies[1].orientation = a list of 4 entries: a quaternion cannot be zero",
            "orientation = [0.0, 0.0, 0.0, 0.0]",
        ),
        (
            SPACE.replace("[2.0, 0.0, 0.0, 0.0]", "0.5"),
            "bodies[1].orientation = 0.5: must be a quaternion",
            "orientation = 0.5",
        ),
        (
            SPACE.replace("[0.0, 3.0, 0.0]", "3.0"),
            "bodies[1].angular_velocity = 3: must have 3 numbers",
            "angular_velocity = 3.0",
        ),
        (
            SPACE.replace("\"box\", half = [0.1, 0.2, 0.3]", "\"disk\", radius = 1.0"),
            "bodies[1].shapes[0].type = \"disk\": the scene is in space, because positions have 3 numbers; did you mean \"sphere\"?",
            "type = \"disk\"",
        ),
        (
            SPACE.replace("[0.1, 0.2, 0.3]", "[0.1, -0.2, 0.3]"),
            "bodies[1].shapes[0].half[1] = -0.2: must be above 0",
            "-0.2",
        ),
        ("bodies = []".into(), "bodies = []: one body must have a `position`", "bodies = []"),
        ("duration = 1.0".into(), "bodies = (absent): required", ""),
    ] {
        refused_as(&text, message, place);
    }
}

#[test]
fn joints_springs_and_forces_are_checked() {
    let joint = |more: &str| {
        format!(
            "{PLANE}\n[[joints]]\ntype = \"hinge\"\na = \"floor\"\nb = \"ball\"\npoint = [0.0, 0.0]\n{more}\n"
        )
    };
    assert!(read(&joint("")).is_ok());
    for (text, message) in [
        (joint("b2 = 1"), "joints[0].b2 = 1: unknown key"),
        (joint("axis = [1.0, 0.0]"), "joints[0].axis = a list of 2 entries: in the plane a hinge"),
        (joint("limits = [0.0, 0.0]"), "joints[0].limits = a list of 2 entries: leave no room"),
        (joint("limits = [-1.0]"), "joints[0].limits = 1 numbers: must have 2 entries"),
        (joint("limits = [nan, 1.0]"), "joints[0].limits[0] = NaN: must be a number"),
        (joint("e = 1.5"), "joints[0].e = 1.5: must lie between 0 and 1"),
        (joint("damping = -1.0"), "joints[0].damping = -1: must be at least 0"),
        (joint("").replace("\"hinge\"", "\"slider\""), "joints[0].axis = (absent): required"),
        (
            joint("torque = 1.0").replace("\"hinge\"", "\"weld\""),
            "joints[0].torque = 1: only hinges and sliders",
        ),
        (joint("").replace("\"hinge\"", "\"hing\""), "joints[0].type = \"hing\": must be"),
        (
            joint("")
                .replace("a = \"floor\"\nb = \"ball\"\npoint", "a = \"ball\"\nb = \"ball\"\npoint"),
            "joints[0].b = \"ball\": must be another body",
        ),
        (
            joint("")
                .replace("a = \"floor\"\nb = \"ball\"\npoint", "a = \"flor\"\nb = \"ball\"\npoint"),
            "joints[0].a = \"flor\": no body has this name; did you mean `floor`?",
        ),
        (
            format!("{PLANE}\n[[forces]]\nbody = \"floor\"\nforce = [1.0, 0.0]\n"),
            "forces[0].body = \"floor\": is fixed",
        ),
        (format!("{PLANE}\n[[forces]]\nbody = \"ball\"\n"), "forces[0].force = (absent): required"),
        (
            format!("{PLANE}\n[[forces]]\nbody = \"ball\"\ntorque = [0.0, 0.0, 1.0]\n"),
            "forces[0].torque = a list of 3 entries: must be one number",
        ),
        (
            format!("{PLANE}\n[[springs]]\na = \"floor\"\nb = \"ball\"\npoint_a = [0.0, 0.0]\n"),
            "springs[0].point_b = (absent): required",
        ),
        (
            format!(
                "{PLANE}\n[[springs]]\na = \"floor\"\nb = \"ball\"\npoint_a = [0.0, 0.0]\npoint_b = [0.0, 1.0]\nstiffness = -1.0\n"
            ),
            "springs[0].stiffness = -1: must be at least 0",
        ),
    ] {
        let (got, _) = refused(&text);
        assert!(got.starts_with(message), "{got}\nis not\n{message}");
    }
}

#[test]
fn names_of_joints_differ() {
    let joint = "[[joints]]\nname = \"pin\"\ntype = \"hinge\"\na = \"floor\"\nb = \"ball\"\npoint = [0.0, 0.0]\n";
    let (got, _) = refused(&format!("{PLANE}\n{joint}\n{joint}"));
    assert_eq!(got, "joints[1].name = \"pin\": another joint has this name");
}

#[test]
fn polygons_are_convex() {
    let polygon = |points: &str| {
        let shape = format!("type = \"polygon\", points = {points}");
        read(&PLANE.replace("type = \"disk\", radius = 0.1", &shape)).map(|_| ())
    };
    assert!(polygon("[[0, 0], [1, 0], [1, 1], [0, 1]]").is_ok());
    for (points, field) in [
        ("[[0, 0], [1, 0]]", "points"),
        ("[[0, 0], [1, 0], [0.2, 0.2], [0, 1]]", "points[2]"),
        ("[[0, 0], [1, 0], [2, 0], [0, 1]]", "points[1]"),
        // A pentagram turns the same way at every corner, twice round.
        ("[[0, 1], [0.588, -0.809], [-0.951, 0.309], [0.951, 0.309], [-0.588, -0.809]]", "points"),
    ] {
        match polygon(points) {
            Err(ImpactError::BadProblem { field: got, .. }) => {
                assert_eq!(got, format!("bodies[1].shapes[0].{field}"), "{points}");
            }
            other => panic!("{points}: {other:?}"),
        }
    }
}

#[test]
fn broken_documents_do_not_panic() {
    for text in [PLANE, SPACE] {
        for end in (0..text.len()).step_by(7) {
            let Some(start) = text.get(..end) else { continue };
            let Ok(source) = Source::read("scene.toml", start.as_bytes()) else { continue };
            if let Err(failure) = SceneFile::of(&source) {
                let place = source.place_of(&failure);
                assert!(place.is_none_or(|p| source.text.get(p).is_some()));
            }
        }
    }
}

#[test]
fn the_reference_motions_are_read() {
    let lines = include_str!("../../../golden/motions.ndjson");
    let mut count = 0;
    for line in lines.lines() {
        let question: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let id = question["id"].as_str().expect("an id");
        let text = question["scene"].to_string();
        let source = Source::read("scene.json", text.as_bytes()).expect("text");
        let read = SceneFile::of(&source);
        // Bodies that overlap are for the simulator to find.
        let refused = question["expect"].get("error").is_some() && !id.contains("penetrates");
        assert_eq!(read.is_err(), refused, "{id}: {:?}", read.err());
        count += 1;
    }
    assert_eq!(count, 54);
}

#[test]
fn every_scene_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|e| e == "toml") {
            let source = Source::open(&path).expect("text");
            let file = SceneFile::of(&source);
            assert!(file.is_ok(), "{}: {:?}", path.display(), file.err());
            assert!(file.is_ok_and(|f| f.title.is_some()), "{} has no title", path.display());
            count += 1;
        }
    }
    assert_eq!(count, 17);
}
