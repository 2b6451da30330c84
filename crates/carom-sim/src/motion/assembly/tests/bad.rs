//! What is refused, and how it is named.

use super::*;
use carom::ImpactError;

fn swing() -> Scene {
    let mut scene = Scene::new(Dimension::Space);
    let body = |name: &str, x: f64| SceneBody {
        position: [x, 0.0, 0.0],
        ..SceneBody::moving(name, 1.0, diagonal(0.1, 0.1, 0.1))
    };
    scene.bodies = vec![SceneBody::fixed("ground"), body("upper", 1.0), body("lower", 2.0)];
    scene.joints = vec![
        SceneJoint::new(SceneJointKind::Ball, 0, 1, [0.0; 3], [0.0; 3]),
        SceneJoint::new(SceneJointKind::Hinge, 1, 2, [1.5, 0.0, 0.0], [0.0, 1.0, 0.0]),
    ];
    scene
}

/// The field of the error and what it says.
fn refused(change: impl FnOnce(&mut Scene)) -> (String, String) {
    let mut scene = swing();
    change(&mut scene);
    match Assembly::all(&scene) {
        Err(ImpactError::BadProblem { field, value, reason }) => {
            (field, format!("{value}: {reason}"))
        }
        other => panic!("{other:?}"),
    }
}

fn inertia(scene: &mut Scene, body: usize, new: [[f64; 3]; 3]) {
    let BodyKind::Moving { inertia, .. } = &mut scene.bodies[body].kind else { unreachable!() };
    *inertia = new;
}

#[test]
fn numbers_are_named() {
    assert!(Assembly::all(&swing()).is_ok());
    let names = [
        (refused(|s| s.gravity[1] = f64::NAN), "gravity"),
        (
            refused(|s| {
                s.bodies[1].kind = BodyKind::Moving { mass: 0.0, inertia: diagonal(1.0, 1.0, 1.0) }
            }),
            "bodies[1].mass",
        ),
        (refused(|s| inertia(s, 2, diagonal(1.0, 1.0, 2.1))), "bodies[2].inertia"),
        (refused(|s| inertia(s, 2, diagonal(1.0, -1.0, 1.0))), "bodies[2].inertia"),
        (refused(|s| inertia(s, 1, [[1.0, 0.5, 0.0], [0.0; 3], [0.0; 3]])), "bodies[1].inertia"),
        (refused(|s| inertia(s, 1, diagonal(f64::NAN, 1.0, 1.0))), "bodies[1].inertia"),
        (refused(|s| s.bodies[2].position[0] = f64::INFINITY), "bodies[2].position"),
        (
            refused(|s| s.bodies[0].orientation = Turn::Quaternion([0.0; 4])),
            "bodies[0].orientation",
        ),
        (refused(|s| s.bodies[2].velocity[0] = f64::NAN), "bodies[2].velocity"),
        (refused(|s| s.bodies[2].angular_velocity[0] = f64::NAN), "bodies[2].angular_velocity"),
        (refused(|s| s.joints[1].b = 3), "joints[1].b"),
        (refused(|s| s.joints[1].b = 1), "joints[1].b"),
        (refused(|s| s.joints[1].axis = [0.0; 3]), "joints[1].axis"),
        (refused(|s| s.joints[1].point[2] = f64::NAN), "joints[1].point"),
        (refused(|s| s.joints[0].stiffness = 1.0), "joints[0].stiffness"),
        (refused(|s| s.joints[0].limits = [0.0, 1.0]), "joints[0].limits"),
        (refused(|s| s.joints[1].limits = [0.1, 1.0]), "joints[1].limits"),
        (refused(|s| s.joints[1].limits = [-1.0, -0.1]), "joints[1].limits"),
        (refused(|s| s.joints[1].limits = [0.0, 0.0]), "joints[1].limits"),
        (refused(|s| s.joints[1].damping = -1.0), "joints[1].damping"),
        (
            refused(|s| {
                s.bodies[1].kind = BodyKind::Fixed { motion: Prescribed::None };
                s.bodies[2].kind = BodyKind::Moving { mass: 1.0, inertia: diagonal(1.0, 1.0, 1.0) };
            }),
            "joints[0]",
        ),
        (
            refused(|s| {
                s.forces.push(Force {
                    body: 0,
                    force: [0.0; 3],
                    point: [0.0; 3],
                    torque: [0.0; 3],
                });
            }),
            "forces[0].body",
        ),
    ];
    for ((field, message), expected) in names {
        assert_eq!(field, expected, "{message}");
    }
    // Hinge axes of bodies at rest at 0.1 rad/s that does not fit.
    let (field, message) = refused(|s| s.bodies[2].angular_velocity = [0.1, 0.0, 0.0]);
    assert_eq!(field, "joints[1]");
    assert!(message.contains("`upper` and `lower`") && message.contains("0.1 rad/s"), "{message}");
}

#[test]
fn bodies_without_inertia_are_refused_where_they_could_turn() {
    // A point on a ball can turn about the line to it.
    let (field, _) = refused(|s| inertia(s, 1, diagonal(0.0, 0.0, 0.0)));
    assert_eq!(field, "bodies[1].inertia");
    // On a hinge aside it cannot.
    let mut scene = swing();
    inertia(&mut scene, 2, diagonal(0.0, 0.0, 0.0));
    assert!(Assembly::all(&scene).is_ok());
    // On a hinge through it it can.
    let (field, _) = refused(|s| {
        inertia(s, 2, diagonal(0.0, 0.0, 0.0));
        s.joints[1].axis = [1.0, 0.0, 0.0];
    });
    assert_eq!(field, "bodies[2].inertia");
    // Three points welded together are a body.
    let point = |at: [f64; 3]| SceneBody {
        position: at,
        ..SceneBody::moving("point", 1.0, diagonal(0.0, 0.0, 0.0))
    };
    let mut scene = Scene::new(Dimension::Space);
    scene.bodies = vec![point([0.0; 3]), point([1.0, 0.0, 0.0]), point([0.0, 1.0, 0.0])];
    let weld = |b| SceneJoint::new(SceneJointKind::Weld, 0, b, [0.0; 3], [0.0; 3]);
    scene.joints = vec![weld(1), weld(2)];
    assert!(Assembly::all(&scene).is_ok());
    scene.bodies.pop();
    scene.joints.pop();
    assert!(Assembly::all(&scene).is_err(), "two points make a line");
}

#[test]
fn velocities_of_loops_are_checked() {
    let mut scene = Scene::new(Dimension::Plane);
    scene.gravity = [0.0; 3];
    scene.bodies = vec![
        SceneBody::fixed("ground"),
        planar_body("left", 1.0, 0.1, [0.0, 0.5], 0.0),
        planar_body("right", 1.0, 0.1, [1.0, 0.5], 0.0),
        planar_body("beam", 1.0, 0.1, [0.5, 1.0], 0.0),
    ];
    scene.joints = vec![
        hinge(0, 1, [0.0, 0.0]),
        hinge(0, 2, [1.0, 0.0]),
        hinge(1, 3, [0.0, 1.0]),
        hinge(2, 3, [1.0, 1.0]),
    ];
    scene.joints[3].name = Some("last".into());
    for (body, velocity, spin) in [(1, -0.5, 1.0), (2, -0.5, 1.0), (3, -1.0, 0.0)] {
        scene.bodies[body].velocity[0] = velocity;
        scene.bodies[body].angular_velocity[2] = spin;
    }
    assert!(Assembly::all(&scene).is_ok());
    scene.bodies[2].velocity[0] = -0.5 * (1.0 + 1e-8);
    scene.bodies[2].angular_velocity[2] = 1.0 + 1e-8;
    let error = Assembly::all(&scene).expect_err("the velocities do not fit").to_string();
    assert!(error.contains("joints[3]") && error.contains("`last`"), "{error}");
}

/// Two fixed bodies that move differently hold one body: no acceleration fits.
#[test]
fn joints_that_contradict_each_other_are_refused() {
    let mut scene = Scene::new(Dimension::Plane);
    let shaken = |name: &str, motion| SceneBody {
        kind: BodyKind::Fixed { motion },
        ..SceneBody::fixed(name)
    };
    // At phase 90° it is at rest at t = 0, but not for long.
    let motion = Prescribed::Sine { amplitude: [0.1, 0.0, 0.0], frequency: 1.0, phase: PI / 2.0 };
    scene.bodies = vec![
        shaken("ground", Prescribed::None),
        shaken("shaker", motion),
        planar_body("plate", 1.0, 0.1, [0.5, 0.0], 0.0),
    ];
    scene.joints = vec![hinge(0, 2, [0.0, 0.0]), hinge(1, 2, [1.0, 0.0])];
    let error = Assembly::all(&scene).expect_err("nothing fits").to_string();
    assert!(error.contains("joints-contradict") && error.contains("joints[1]"), "{error}");
}

#[test]
fn springs_without_direction_are_named() {
    let mut scene = Scene::new(Dimension::Space);
    let body = |name: &str| SceneBody::moving(name, 1.0, diagonal(0.1, 0.1, 0.1));
    scene.bodies = vec![body("a"), body("b")];
    let spring = Spring {
        a: 0,
        b: 1,
        point_a: [0.0; 3],
        point_b: [0.0; 3],
        stiffness: 1.0,
        damping: 1.0,
        length: None,
    };
    scene.springs = vec![spring];
    assert!(Assembly::all(&scene).is_ok(), "no length at rest");
    scene.springs[0].length = Some(1.0);
    let error = Assembly::all(&scene).expect_err("no direction").to_string();
    assert!(error.contains("springs[0]"), "{error}");
}

/// Two hinges between the same bodies: one is left out of the tree, and has limits.
#[test]
fn limits_on_all_joints_of_a_loop_are_refused() {
    let (field, message) = refused(|scene| {
        let mut second = scene.joints[1].clone();
        second.point[1] = 0.3;
        second.limits = [-1.0, 1.0];
        scene.joints[1].limits = [-1.0, 1.0];
        scene.joints.push(second);
    });
    assert_eq!(field, "joints[2].limits", "{message}");
}
