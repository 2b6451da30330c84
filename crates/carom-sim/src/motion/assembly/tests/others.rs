//! Accelerations of random trees with loops against those of Pinocchio (`golden/accelerations.ndjson`).

use super::loops::accelerations;
use super::*;
use serde_json::Value;

/// Beside the largest acceleration of the scene \[1\].
const TOLERANCE: f64 = 1e-10;

fn numbers(value: &Value) -> [f64; 3] {
    let list = value.as_array().expect("a list");
    std::array::from_fn(|k| list.get(k).map_or(0.0, |x| x.as_f64().expect("a number")))
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Bodies count from the ground, which the file calls −1.
fn place(value: &Value) -> usize {
    usize::try_from(value.as_i64().expect("a place") + 1).expect("a place")
}

fn scene(line: &Value) -> Scene {
    let planar = line["dimension"] == 2;
    let mut scene = Scene::new(if planar { Dimension::Plane } else { Dimension::Space });
    scene.gravity = numbers(&line["gravity"]);
    scene.bodies.push(SceneBody::fixed("ground"));
    if !planar {
        scene.bodies[0].orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    }
    for (k, told) in line["bodies"].as_array().expect("bodies").iter().enumerate() {
        let [x, y, z] = numbers(&told["inertia"]);
        let mut body = SceneBody::moving(format!("{k}"), number(&told["mass"]), diagonal(x, y, z));
        body.position = numbers(&told["position"]);
        body.velocity = numbers(&told["velocity"]);
        body.angular_velocity = numbers(&told["angular_velocity"]);
        body.orientation = match &told["orientation"] {
            Value::Array(q) => Turn::Quaternion(std::array::from_fn(|k| number(&q[k]))),
            angle => Turn::Angle(number(angle)),
        };
        scene.bodies.push(body);
    }
    for told in line["joints"].as_array().expect("joints") {
        let kind = match told["type"].as_str() {
            Some("ball") => SceneJointKind::Ball,
            Some("hinge") => SceneJointKind::Hinge,
            Some("slider") => SceneJointKind::Slider,
            Some("weld") => SceneJointKind::Weld,
            other => panic!("{other:?}"),
        };
        let axis = told.get("axis").map_or([0.0; 3], numbers);
        let (a, b) = (place(&told["a"]), place(&told["b"]));
        let mut joint = SceneJoint::new(kind, a, b, numbers(&told["point"]), axis);
        joint.torque = told.get("torque").map_or(0.0, number);
        joint.damping = told.get("damping").map_or(0.0, number);
        scene.joints.push(joint);
    }
    scene.forces = (line["forces"].as_array().expect("forces").iter())
        .map(|told| Force {
            body: place(&told["body"]),
            force: numbers(&told["force"]),
            point: [0.0; 3],
            torque: numbers(&told["torque"]),
        })
        .collect();
    scene
}

#[test]
fn trees_with_loops_accelerate_as_in_pinocchio() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/accelerations.ndjson");
    let text = std::fs::read_to_string(path).expect("the file is there");
    let (mut lines, mut redundant, mut worst) = (0, 0, 0.0_f64);
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let scene = scene(&line);
        let assemblies = Assembly::all(&scene).unwrap_or_else(|e| panic!("{}: {e}", line["id"]));
        let loops: usize = assemblies.iter().map(|assembly| assembly.loops.len()).sum();
        assert_eq!(loops as u64, line["loops"], "{}", line["id"]);
        let expected = line["bodies"].as_array().expect("bodies");
        let told: Vec<[V3; 2]> = (expected.iter())
            .map(|body| {
                ["acceleration", "angular_acceleration"].map(|key| V3::from(numbers(&body[key])))
            })
            .collect();
        let size = told.iter().flatten().map(|x| x.amax()).fold(0.0, f64::max);
        for assembly in &assemblies {
            let (q, v) = assembly.start();
            let (found, _) = accelerations(assembly, &q, &v, 0.0);
            for &body in assembly.bodies() {
                for (got, told) in found[body].iter().zip(&told[body - 1]) {
                    let error = (got - told).amax() / size;
                    assert!(error <= TOLERANCE, "{} body {body}: {got} is not {told}", line["id"]);
                    worst = worst.max(error);
                }
            }
        }
        lines += 1;
        redundant += u64::from(line["rows"].as_u64() > line["rank"].as_u64());
    }
    println!(
        "{lines} trees, {redundant} with redundant rows: {worst:e} of the largest acceleration"
    );
    assert!(lines == 50 && redundant >= 5);
}
