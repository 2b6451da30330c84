//! Bad files: each error names file, line and element.

use super::{robot, text};
use carom_import::{Options, import};
use std::fmt::Write;

const MASS: &str = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

/// A robot of two links, with these lines from line 3 on.
fn two(lines: &str) -> String {
    format!(
        "<robot name='r'>\n<link name='a'>{MASS}</link><link name='b'>{MASS}</link>\n{lines}\n</robot>"
    )
}

#[test]
fn bad_urdf_files_are_refused_with_their_place() {
    let joint = |kind: &str, inside: &str| {
        two(&format!(
            "<joint name='j' type='{kind}'><parent link='a'/><child link='b'/>{inside}</joint>"
        ))
    };
    let shape = |inside: &str| {
        format!(
            "<robot name='r'>\n<link name='a'>{MASS}\n<collision name='c'><geometry>{inside}</geometry></collision></link></robot>"
        )
    };
    let cases: &[(String, u32, &str, &str)] = &[
        (joint("hinge", ""), 3, "joint \"j\"", "there is no such type"),
        (joint("revolute", ""), 3, "joint \"j\"", "needs a `limit`"),
        (joint("revolute", "<limit lower='1' upper='-1'/>"), 3, "limit", "is above `upper`"),
        (joint("continuous", "<axis xyz='0 0 0'/>"), 3, "axis", "cannot be zero"),
        (joint("continuous", "<axis xyz='0 1'/>"), 3, "axis", "must be 3 numbers, and has 2"),
        (joint("continuous", "<origin xyz='0 nan 0'/>"), 3, "origin", "must be finite"),
        (joint("continuous", "<origin xyz='0 1e999 0'/>"), 3, "origin", "must be finite"),
        (joint("continuous", "<origin xyz='0 x 0'/>"), 3, "origin", "`x` is no number"),
        (
            two("<joint name='j' type='fixed'><parent link='a'/><child link='bb'/></joint>"),
            3,
            "child of joint \"j\"",
            "did you mean `b`?",
        ),
        (
            two("<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>"),
            4,
            "joint \"k\"",
            "hangs on itself",
        ),
        (
            two("<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint>"),
            4,
            "joint \"k\"",
            "is the child of joint \"j\" already",
        ),
        (two(""), 2, "link \"b\"", "the child of no joint"),
        (two("<link name='a'/>"), 3, "link \"a\"", "another link has this name"),
        ("<robot name='r'></robot>".into(), 1, "robot", "has no links"),
        (shape("<sphere radius='0'/>"), 3, "sphere in collision \"c\" of link \"a\"", "must be above 0"),
        (shape("<cone radius='1'/>"), 3, "collision \"c\" of link \"a\"", "there is no such shape"),
        (
            shape("<mesh filename='none.stl'/>"),
            3,
            "mesh in collision \"c\" of link \"a\"",
            "there is no such file",
        ),
        (
            shape("<mesh filename='package://nowhere/none.stl'/>"),
            3,
            "mesh in collision \"c\" of link \"a\"",
            "--package",
        ),
        ("<robot name='r'>\n<link name='a'>\n</robot>".into(), 3, "", "this is no XML"),
        ("<a/>".into(), 1, "a", "the root element is `a`"),
        ("".into(), 1, "", "this is no XML"),
        (
            "<robot name='r'><link name='a'>\n<inertial><mass value='-1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>".into(),
            2,
            "mass",
            "must be at least 0",
        ),
        (
            "<robot name='r'>\n<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/></inertial></link></robot>".into(),
            2,
            "link \"a\"",
            "larger than the other two together",
        ),
    ];
    for (file, line, element, message) in cases {
        let error = text("bad.urdf", file).map(drop).expect_err(file);
        let said = error.to_string();
        let at = error.at.as_ref().unwrap_or_else(|| panic!("no place: {said}"));
        assert_eq!(at.line, *line, "{said}");
        assert!(at.file.ends_with("bad.urdf"), "{said}");
        assert!(error.element.contains(element), "`{element}` in {said}");
        assert!(error.message.contains(message), "`{message}` in {said}");
        assert!(at.text.get(at.span.clone()).is_some(), "{said}");
    }
}

#[test]
fn bad_mjcf_files_are_refused_with_their_place() {
    let world = |lines: &str| format!("<mujoco>\n<worldbody>\n{lines}\n</worldbody></mujoco>");
    let body = |lines: &str| world(&format!("<body name='b'>\n{lines}\n<geom size='1'/></body>"));
    let cases: &[(String, u32, &str, &str)] = &[
        (body("<joint name='j' type='screw'/>"), 4, "joint \"j\"", "there is no such type"),
        (body("<joint name='j' limited='true'/>"), 4, "joint \"j\"", "has no `range`"),
        (body("<joint name='j' range='2 1'/>"), 4, "joint \"j\"", "the first is above"),
        (body("<joint name='j' class='c'/>"), 4, "joint \"j\"", "there is no class"),
        (body("<joint/><freejoint/>"), 4, "freejoint", "stands alone"),
        (body("<geom name='g' type='cone'/>"), 4, "geom \"g\"", "there is no such type"),
        (body("<geom name='g' type='box' size='1 1'/>"), 4, "geom \"g\"", "no `size`"),
        (body("<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>"), 4, "geom", "one point"),
        (body("<geom type='mesh' mesh='m'/>"), 4, "geom", "no such mesh"),
        (body("<inertial pos='0 0 0' mass='inf'/>"), 4, "inertial", "must be finite"),
        (world("<joint name='j'/>"), 3, "joint \"j\"", "only bodies have joints"),
        (world("<body name='b'><joint name='j'/></body>"), 3, "body \"b\"", "has no mass"),
        (
            "<mujoco>\n<compiler coordinate='global'/></mujoco>".into(),
            2,
            "compiler",
            "global coordinates",
        ),
        ("<mujoco>\n<include file='none.xml'/></mujoco>".into(), 2, "include", "no such file"),
        ("<mujoco>\n<include file='bad.xml'/></mujoco>".into(), 2, "include", "no such file"),
        (
            "<mujoco><asset>\n<mesh name='m' file='none.stl'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>".into(),
            2,
            "mesh \"m\"",
            "no such file",
        ),
        (
            "<mujoco><contact>\n<exclude body1='world' body2='wrld'/></contact></mujoco>".into(),
            2,
            "exclude",
            "did you mean `world`?",
        ),
    ];
    for (file, line, element, message) in cases {
        let error = text("bad.xml", file).map(drop).expect_err(file);
        let said = error.to_string();
        let at = error.at.as_ref().unwrap_or_else(|| panic!("no place: {said}"));
        assert_eq!(at.line, *line, "{said}");
        assert!(error.element.contains(element), "`{element}` in {said}");
        assert!(error.message.contains(message), "`{message}` in {said}");
    }
}

#[test]
fn files_and_options_that_are_not_there() {
    let error = import("nowhere.urdf".as_ref(), &Options::default()).expect_err("no file");
    assert!(error.to_string().contains("nowhere.urdf"), "{error}");
    let refused = |change: &dyn Fn(&mut Options), word: &str| {
        let mut options = Options::default();
        change(&mut options);
        let error = import(&robot("leg.urdf"), &options).expect_err(word).to_string();
        assert!(error.contains(word), "{error}");
    };
    refused(&|o| o.pose.push(("hop".into(), 0.0)), "did you mean `hip`?");
    refused(&|o| o.pose.push(("hip".into(), 9.0)), "outside of its range");
    refused(&|o| o.e = 2.0, "must lie between 0 and 1");
    refused(&|o| o.mu = f64::NAN, "must be at least 0");
    refused(&|o| o.hull_points = 3, "must lie between 8 and 500");
    refused(&|o| o.lift = f64::INFINITY, "not finite");
}

/// Elements a hundred thousand deep, and as many entities, are refused and take neither stack nor time.
#[test]
fn deep_and_swelling_files_are_refused() {
    let deep = "<a>".repeat(100_000) + &"</a>".repeat(100_000);
    let error = text("deep.xml", &deep).expect_err("too deep");
    assert!(error.message.contains("deep"), "{error}");
    let swelling =
        "<!DOCTYPE a [<!ENTITY x 'xxxxxxxxxx'><!ENTITY y '&x;&x;&x;&x;'>]><robot name='&y;'/>";
    let error = text("swelling.xml", swelling).expect_err("no types of documents");
    assert!(error.message.contains("no XML"), "{error}");
}

/// A mesh of a million corners becomes a hull of a few, or is refused; at once.
#[test]
fn meshes_of_a_million_corners_are_bounded() {
    let folder = std::env::temp_dir().join(format!("carom-mesh-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut ball = String::with_capacity(40_000_000);
    for k in 0..1_000_000u32 {
        let z = 1.0 - (2.0 * f64::from(k) + 1.0) / 1e6;
        let (r, angle) = (libm::sqrt(1.0 - z * z), 2.4 * f64::from(k));
        writeln!(ball, "v {:.6} {:.6} {z:.6}", r * libm::cos(angle), r * libm::sin(angle))
            .expect("text");
    }
    std::fs::write(folder.join("ball.obj"), &ball).expect("a file");
    let file = format!(
        "<robot name='r'>\n<link name='a'>{MASS}<collision><geometry><mesh filename='ball.obj'/></geometry></collision></link></robot>"
    );
    let path = folder.join("ball.urdf");
    let imported = carom_import::import_text(&file, &path, &Options::default());
    std::fs::remove_dir_all(&folder).expect("the folder");
    let imported = imported.unwrap_or_else(|error| panic!("{error}"));
    let said: Vec<&str> = imported.notes.iter().map(|note| note.what.as_str()).collect();
    assert!(said.iter().any(|what| what.contains("of 1000000 points")), "{said:?}");
}
