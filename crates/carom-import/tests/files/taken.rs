//! What is taken over, and what is said of what is not.

use super::{read, robot, text};
use carom_import::{Imported, Options, import};
use carom_sim::motion::{
    BodyKind, EndReason, Options as Run, Scene, SceneJointKind, Shape, overlaps, simulate,
};

fn notes(imported: &Imported) -> Vec<String> {
    imported.notes.iter().map(|n| format!("{}: {}: {}", n.line, n.element, n.what)).collect()
}

fn has(imported: &Imported, line: u32, element: &str, what: &str) {
    let found = (imported.notes.iter())
        .any(|n| n.line == line && n.element.contains(element) && n.what.contains(what));
    assert!(found, "no `{what}` of {element} in line {line}: {:#?}", notes(imported));
}

fn body(scene: &Scene, name: &str) -> usize {
    let found = scene.bodies.iter().position(|body| body.name == name);
    let names: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    found.unwrap_or_else(|| panic!("no body {name}: {names:?}"))
}

fn line_of(file: &str, words: &str) -> u32 {
    let text = std::fs::read_to_string(robot(file)).expect("a file");
    text.lines().position(|line| line.contains(words)).expect("the words") as u32 + 1
}

#[test]
fn a_urdf_file_becomes_bodies_and_joints() {
    let leg = read("leg.urdf", &Options::default());
    let scene = &leg.scene;
    let joint = |name: &str| {
        let found = scene.joints.iter().find(|joint| joint.name.as_deref() == Some(name));
        found.unwrap_or_else(|| panic!("no joint {name}"))
    };
    let hip = joint("hip");
    assert_eq!(hip.kind, SceneJointKind::Hinge);
    assert_eq!((hip.limits, hip.damping), ([-1.2, 1.5], 0.3));
    assert_eq!(hip.point, [0.05, 0.0, -0.02]);
    // The knee cannot be at 0, so it starts at the nearest end.
    let knee = joint("knee");
    assert_eq!(knee.limits[1], 0.0);
    assert!((knee.limits[0] + 2.3).abs() < 1e-12, "{:?}", knee.limits);
    has(&leg, line_of("leg.urdf", "\"knee\""), "joint \"knee\"", "starts at the end of its range");
    assert_eq!(joint("ankle").kind, SceneJointKind::Slider);
    assert_eq!(joint("tray/x").kind, SceneJointKind::Slider);
    assert_eq!(joint("tray/angle").kind, SceneJointKind::Hinge);
    assert!(!scene.joints.iter().any(|joint| joint.name.as_deref() == Some("mount")));
    // The sensor is part of the shank.
    let BodyKind::Moving { mass, .. } = scene.bodies[body(scene, "shank")].kind else {
        panic!("the shank moves")
    };
    assert!((mass - 0.65).abs() < 1e-15, "{mass}");
    assert_eq!(leg.made_of[body(scene, "shank")], "with sensor");
    let tail = &scene.bodies[body(scene, "tail")].shapes[0];
    assert!(matches!(tail, Shape::Convex { points } if points.len() == 6), "{tail:?}");
    let effort = line_of("leg.urdf", "lower=\"-1.2\"");
    has(&leg, effort, "limit", "no motors");
    has(&leg, line_of("leg.urdf", "friction=\"0.1\""), "hip", "friction in the joint");
    has(&leg, line_of("leg.urdf", "<mimic"), "mimic", "moves by itself");
    has(&leg, line_of("leg.urdf", "<transmission"), "transmission", "no motors");
    assert!(overlaps(scene).expect("a scene").is_empty());
}

#[test]
fn neighbours_do_not_collide_and_others_do() {
    let leg = read("leg.urdf", &Options::default());
    let collide = |a: &str, b: &str| {
        let (a, b) = (body(&leg.scene, a), body(&leg.scene, b));
        let fits = |x: Option<usize>, y: usize| x.is_none_or(|x| x == y);
        let joined = leg.scene.joints.iter().any(|j| [j.a, j.b] == [a, b] || [j.b, j.a] == [a, b]);
        leg.scene.pairs.iter().any(|pair| {
            let named = pair.a.is_some() && pair.b.is_some();
            let either =
                (fits(pair.a, a) && fits(pair.b, b)) || (fits(pair.a, b) && fits(pair.b, a));
            either && (named || !joined)
        })
    };
    assert!(collide("trunk", "foot") && collide("tail", "shank"));
    assert!(!collide("trunk", "thigh") && !collide("thigh", "shank"));
}

#[test]
fn an_mjcf_file_becomes_a_scene() {
    let hopper = read("hopper.xml", &Options::default());
    let scene = &hopper.scene;
    assert_eq!(scene.gravity, [0.0, 0.0, -9.8]);
    let total: f64 = (scene.bodies.iter())
        .filter_map(|body| match body.kind {
            BodyKind::Moving { mass, .. } => Some(mass),
            BodyKind::Fixed { .. } => None,
        })
        .sum();
    assert!((total - 20.0).abs() < 1e-12, "{total}");
    let joint = |name: &str| {
        let found = scene.joints.iter().find(|joint| joint.name.as_deref() == Some(name));
        found.unwrap_or_else(|| panic!("no joint {name}"))
    };
    let radians = |degrees: f64| degrees * (std::f64::consts::PI / 180.0);
    // Its range is counted from `ref`, where it starts; the spring's, too.
    let hip = joint("hip_y");
    assert!((hip.limits[0] - radians(-75.0)).abs() < 1e-15, "{hip:?}");
    assert!((hip.limits[1] - radians(35.0)).abs() < 1e-15, "{hip:?}");
    assert!((hip.rest - radians(5.0)).abs() < 1e-15, "{hip:?}");
    assert_eq!((hip.armature, hip.stiffness, hip.damping), (0.05, 2.0, 0.5));
    assert_eq!(joint("toe").armature, 0.0);
    assert_eq!(joint("tail").kind, SceneJointKind::Ball);
    has(&hopper, line_of("hopper.xml", "type=\"ball\""), "tail", "damping is not taken over");
    has(&hopper, line_of("hopper.xml", "<actuator>"), "actuator", "no motors");
    has(&hopper, line_of("hopper.xml", "<tendon>"), "tendon", "not taken over");
    has(&hopper, line_of("hopper.xml", "integrator"), "option", "`integrator`");
    has(&hopper, line_of("hopper.xml", "ellipsoid"), "head", "convex hull");
    // Limbs collide with the floor and the trunk, not with each other; the upper arm meets the step by its pair.
    let mu = |a: &str, b: &str| {
        let [a, b] = [a, b].map(|name| body(scene, name));
        let fits = |x: Option<usize>, y: usize| x.is_none_or(|x| x == y);
        let rule = scene
            .pairs
            .iter()
            .rev()
            .find(|p| (fits(p.a, a) && fits(p.b, b)) || (fits(p.a, b) && fits(p.b, a)));
        rule.map(|pair| pair.material.mu)
    };
    assert_eq!(mu("left_arm", "right_arm"), None);
    assert_eq!(mu("trunk", "shank"), None);
    assert_eq!(mu("world", "foot"), Some(0.9));
    let rules: Vec<f64> = scene.pairs.iter().map(|pair| pair.material.mu).collect();
    assert!(rules.contains(&1.2) && rules.contains(&0.3), "{rules:?}");
}

/// The linkage closes, and stays closed while it swings.
#[test]
fn a_linkage_keeps_its_loop() {
    let mut options = Options::default();
    let scene = {
        let mut linkage = read("linkage.xml", &options);
        linkage.scene.duration = 0.3;
        linkage.scene
    };
    let pivot = scene.joints.last().expect("a joint");
    assert_eq!((pivot.kind, pivot.name.as_deref()), (SceneJointKind::Ball, Some("pivot")));
    let motion = simulate(&scene, &Run::at([0.3])).expect("it moves");
    assert_eq!(motion.end.reason, EndReason::Duration);
    assert!(motion.ledger.residual.abs() < 1e-9, "{:?}", motion.ledger);
    options.pose.push(("crank".into(), 0.5));
    let error = import(&robot("linkage.xml"), &options).expect_err("an open loop");
    let said = error.to_string();
    assert!(said.contains("pivot") && said.contains("is open by"), "{said}");
}

/// A robot that falls onto a floor comes to lie there, or is still on its way.
#[test]
fn a_leg_falls_onto_a_floor() {
    let mut options = Options::default();
    (options.ground, options.lift) = (Some(0.0), 0.7);
    let mut leg = read("leg.urdf", &options);
    leg.scene.duration = 0.35;
    let motion = simulate(&leg.scene, &Run::at([0.35])).expect("it falls");
    assert_eq!(motion.end.reason, EndReason::Duration, "{:?}", motion.end);
    assert!(!motion.events.is_empty());
    let scale = motion.ledger.start.abs().max(motion.ledger.end.abs());
    assert!(motion.ledger.residual.abs() < 1e-7 * scale, "{:?}", motion.ledger);
}

#[test]
fn a_base_is_free_or_fixed() {
    let free = read("leg.urdf", &Options::default());
    let mut options = Options::default();
    options.fixed_base = true;
    let fixed = read("leg.urdf", &options);
    let moving = |robot: &Imported| {
        let kinds = robot.scene.bodies.iter().map(|body| body.kind);
        kinds.filter(|kind| matches!(kind, BodyKind::Moving { .. })).count()
    };
    assert_eq!(moving(&free), moving(&fixed) + 1);
    assert!(matches!(fixed.scene.bodies[body(&fixed.scene, "world")].kind, BodyKind::Fixed { .. }));
}

/// What is massless and only joins others has next to no mass; alone it is refused.
#[test]
fn links_without_mass_may_join_others() {
    let file = |leaf: &str| {
        format!(
            "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>
<link name='cross'/>
<link name='b'>{leaf}</link>
<joint name='x' type='continuous'><parent link='a'/><child link='cross'/><axis xyz='1 0 0'/></joint>
<joint name='y' type='continuous'><parent link='cross'/><child link='b'/><axis xyz='0 1 0'/></joint></robot>"
        )
    };
    let mass = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
    let joined = text("r.urdf", &file(mass)).expect("a robot");
    has(&joined, 2, "link \"cross\"", "has no mass and only joins others");
    let error = text("r.urdf", &file("")).expect_err("nothing has mass");
    assert_eq!(error.at.as_ref().map(|at| at.line), Some(2));
    assert!(error.to_string().contains("link \"cross\": moves and has no mass"), "{error}");
    // Two hinges on one axis are one.
    let error = text("r.urdf", &file(mass).replace("0 1 0'/></joint>", "1 0 0'/></joint>"))
        .expect_err("no inertia");
    assert!(error.message.contains("no inertia of its own"), "{error}");
}
