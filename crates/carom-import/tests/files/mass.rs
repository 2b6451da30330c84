//! Mass matrices against those of Pinocchio and MuJoCo, which `tests/compare.py` wrote.

use super::{read, robot};
use carom_import::{Options, import};
use carom_sim::motion::mass_matrix;
use serde_json::Value;

/// Of the largest entry \[1\].
const TOLERANCE: f64 = 1e-10;

#[test]
fn mass_matrices_are_those_of_pinocchio_and_mujoco() {
    let golden: Value = serde_json::from_str(include_str!("../golden.json")).expect("JSON");
    let mut worst: f64 = 0.0;
    let robots = golden.as_array().expect("a list");
    assert_eq!(robots.len(), 2);
    for known in robots {
        let name = known["robot"].as_str().expect("a name");
        let velocities = known["velocities"].as_array().expect("names");
        for case in known["cases"].as_array().expect("cases") {
            let mut options = Options::default();
            for (joint, x) in case["pose"].as_object().expect("a pose") {
                options.pose.push((joint.clone(), x.as_f64().expect("a number")));
            }
            let scene = read(name, &options).scene;
            let matrix = mass_matrix(&scene).expect("a good scene");
            assert_eq!(matrix.velocities.len(), velocities.len(), "{name}");
            let place: Vec<usize> = (matrix.velocities.iter())
                .map(|velocity| {
                    let joint = scene.joints.iter().find(|joint| joint.b == velocity.body);
                    let called = match joint {
                        None => "free",
                        Some(joint) => joint.name.as_deref().expect("a name"),
                    };
                    let key = format!("{called} {}", velocity.component);
                    let found = velocities.iter().position(|known| *known == key.as_str());
                    found.unwrap_or_else(|| panic!("{name}: no `{key}`"))
                })
                .collect();
            // The upper triangle.
            let entry = |i: usize, j: usize| case["mass"][i.min(j)][i.max(j)].as_f64();
            let count = velocities.len();
            let largest = (0..count).filter_map(|i| entry(i, i)).fold(0.0, f64::max);
            for i in 0..count {
                for j in 0..count {
                    let known = entry(place[i], place[j]).expect("a number");
                    worst = worst.max((matrix.rows[i][j] - known).abs() / largest);
                }
            }
        }
    }
    println!("largest difference {worst:.1e}");
    assert!(worst < TOLERANCE, "{worst:e}");
}

/// A robot of 30 joints takes less than a tenth of a second; measured by the hundred, in any build.
#[test]
fn a_chain_of_thirty_joints_has_thirty_coordinates() {
    let link = |k: usize| {
        format!(
            "<link name='l{k}'><inertial><origin xyz='0.05 0 0'/><mass value='0.5'/>\
             <inertia ixx='0.001' ixy='0' ixz='0' iyy='0.002' iyz='0' izz='0.002'/></inertial>\
             <collision><origin xyz='0.05 0 0'/><geometry><box size='0.08 0.03 0.03'/></geometry></collision></link>"
        )
    };
    let joint = |k: usize| {
        let next = k + 1;
        format!(
            "<joint name='j{k}' type='continuous'><parent link='l{k}'/><child link='l{next}'/>\
             <origin xyz='0.1 0 0' rpy='0.3 0 0'/><axis xyz='0 0 1'/></joint>"
        )
    };
    let links: String = (0..31).map(link).collect();
    let joints: String = (0..30).map(joint).collect();
    let file = format!("<robot name='chain'>{links}{joints}</robot>");
    let chain = super::text("chain.urdf", &file).expect("a robot");
    assert_eq!((chain.scene.bodies.len(), chain.scene.joints.len()), (31, 30));
    let matrix = mass_matrix(&chain.scene).expect("a good scene");
    assert_eq!(matrix.velocities.len(), 36);
}

/// Velocities of a keyframe fit the joints, and move as the keyframe says.
#[test]
fn a_keyframe_is_a_state() {
    let mut options = Options::default();
    options.key = Some("crouch".into());
    let scene = read("hopper.xml", &options).scene;
    let body = |name: &str| {
        let found = scene.bodies.iter().find(|body| body.name == name);
        found.unwrap_or_else(|| panic!("no body {name}"))
    };
    // Of its own, the trunk's frame turns at 0.2 rad/s about y; a hinge about y adds 1 rad/s to the thigh.
    let trunk = body("trunk").angular_velocity;
    assert!((trunk[1] - 0.2).abs() < 1e-15 && trunk[0] == 0.0, "{trunk:?}");
    let thigh = body("thigh").angular_velocity;
    let (s, c) = (libm::sin(0.1), libm::cos(0.1));
    let expected = [0.0, 0.2 + c, s];
    assert!((0..3).all(|i| (thigh[i] - expected[i]).abs() < 1e-12), "{thigh:?}");
    options.key = Some("stand".into());
    let error = import(&robot("hopper.xml"), &options).expect_err("no such key");
    assert!(error.message.contains("there are: crouch"), "{error}");
}
