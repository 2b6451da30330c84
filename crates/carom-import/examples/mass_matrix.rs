//! The mass matrix of a robot's file, as JSON: `mass_matrix ROBOT [JOINT=VALUE…] [--fixed-base] [--key NAME]`. Rows are velocities, each
//! named by its body and component; bodies with centre of mass and pose, so that others can be compared.

use carom_import::{Options, import};
use carom_sim::motion::{BodyKind, Turn, mass_matrix};
use serde_json::json;

fn main() {
    let mut words = std::env::args().skip(1);
    let path = words.next().expect("a robot's file");
    let mut options = Options::default();
    while let Some(word) = words.next() {
        match (word.as_str(), word.split_once('=')) {
            ("--fixed-base", _) => options.fixed_base = true,
            ("--key", _) => options.key = words.next(),
            (_, Some((joint, value))) => {
                options.pose.push((joint.to_owned(), value.parse().expect("a number")));
            }
            _ => panic!("`{word}` is no option"),
        }
    }
    let robot = match import(path.as_ref(), &options) {
        Ok(robot) => robot,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let matrix = mass_matrix(&robot.scene).expect("an imported scene is one");
    let scene = &robot.scene;
    let bodies: Vec<_> = (scene.bodies.iter())
        .map(|body| {
            let mass = if let BodyKind::Moving { mass, .. } = body.kind { mass } else { 0.0 };
            let turn = if let Turn::Quaternion(turn) = body.orientation { turn } else { [0.0; 4] };
            json!({ "name": body.name, "mass": mass, "position": body.position, "orientation": turn })
        })
        .collect();
    // The joint that a body hangs on by the tree is the first that ends at it.
    let velocities: Vec<_> = (matrix.velocities.iter())
        .map(|velocity| {
            let joint = scene.joints.iter().find(|joint| joint.b == velocity.body);
            json!({
                "body": velocity.body,
                "component": velocity.component,
                "joint": joint.and_then(|joint| joint.name.as_ref()),
                "parent": joint.map(|joint| joint.a),
                "kind": joint.map(|joint| format!("{:?}", joint.kind)),
            })
        })
        .collect();
    let notes: Vec<String> = robot.notes.iter().map(ToString::to_string).collect();
    println!(
        "{}",
        json!({ "velocities": velocities, "rows": matrix.rows, "bodies": bodies, "notes": notes, "looks": robot.looks })
    );
}
