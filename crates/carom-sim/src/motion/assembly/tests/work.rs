//! Memory and bits.

use super::differences::{chain, stir};
use super::*;

/// All that is called in a slope, with limits and loops where there are.
fn slope(
    assembly: &Assembly,
    q: &[f64],
    v: &[f64],
    t: f64,
    kinematics: &mut Kinematics,
    dynamics: &mut Dynamics,
) {
    assembly.kinematics(q, v, t, kinematics);
    let extra = [Wrench { force: V3::x(), torque: V3::y() }; 8];
    assembly.dynamics(q, v, t, kinematics, &extra, dynamics).expect("it moves");
}

/// Buffers stay where they are: nothing is allocated after the first call.
#[test]
fn buffers_are_reused() {
    let scene = chain(Dimension::Space, true, 2);
    let all = [build::all(&scene, &[]), build::all(&scene, &[3, 5])];
    for mut assemblies in all.map(|all| all.expect("a good scene")) {
        let assembly = assemblies.remove(0);
        let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
        let (q, v) = assembly.start();
        slope(&assembly, &q, &v, 0.0, &mut kinematics, &mut dynamics);
        let places = |kinematics: &Kinematics, dynamics: &Dynamics| {
            let mut places = vec![
                kinematics.poses.as_ptr() as usize,
                kinematics.twists.as_ptr() as usize,
                kinematics.bias.as_ptr() as usize,
                kinematics.turns.as_ptr() as usize,
                kinematics.anchors.as_ptr() as usize,
                kinematics.jacobian.as_ptr() as usize,
                dynamics.free.as_ptr() as usize,
                dynamics.blocks.as_ptr() as usize,
                dynamics.factor.as_ptr() as usize,
                dynamics.wrenches.as_ptr() as usize,
            ];
            places.extend(dynamics.closure.places());
            places
        };
        let before = places(&kinematics, &dynamics);
        let random = &mut Random(8);
        for _ in 0..20 {
            let (_, v) = stir(&assembly, random);
            slope(&assembly, &q, &v, random.next(), &mut kinematics, &mut dynamics);
        }
        assert_eq!(before, places(&kinematics, &dynamics));
    }
}

/// A free sphere keeps its spin to the last bit, and bodies apart are assemblies apart.
#[test]
fn spheres_alone() {
    let mut scene = Scene::new(Dimension::Space);
    for body in 0..3 {
        let mut sphere = SceneBody::moving(format!("{body}"), 2.0, diagonal(0.3, 0.3, 0.3));
        sphere.position = [f64::from(body), 0.0, 0.0];
        sphere.orientation = Turn::Quaternion([0.5, -0.5, 0.5, 0.5]);
        sphere.angular_velocity = [0.1, 0.7, -0.3];
        scene.bodies.push(sphere);
    }
    let all = Assembly::all(&scene).expect("a good scene");
    assert_eq!(all.iter().map(|one| one.bodies().to_vec()).collect::<Vec<_>>(), [[0], [1], [2]]);
    let assembly = &all[1];
    let (q, v) = assembly.start();
    assert_eq!(q, [1.0, 0.0, 0.0, 0.5, -0.5, 0.5, 0.5]);
    let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
    assembly.kinematics(&q, &v, 0.0, &mut kinematics);
    assembly.dynamics(&q, &v, 0.0, &kinematics, &[], &mut dynamics).expect("it falls");
    assert_eq!(dynamics.free, [0.0, 0.0, -9.81, 0.0, 0.0, 0.0]);
    assert!(!assembly.is_driven());
    let (mut of_q, mut of_v) = ([0.0; 7], [0.0; 6]);
    assembly.scales(2.0, 6.0, &mut of_q, &mut of_v);
    assert_eq!(of_q, [2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(of_v, [6.0, 6.0, 6.0, 3.0, 3.0, 3.0]);
}

/// What acts besides is felt where it acts: a force on a free body and a torque.
#[test]
fn extra_wrenches_act() {
    let mut scene = Scene::new(Dimension::Space);
    scene.bodies = vec![SceneBody::moving("a", 2.0, diagonal(0.3, 0.4, 0.5))];
    let assembly = only(&scene);
    let (q, v) = assembly.start();
    let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
    assembly.kinematics(&q, &v, 0.0, &mut kinematics);
    let extra = [Wrench { force: V3::new(1.0, 0.0, 0.0), torque: V3::new(0.0, 2.0, 1.0) }];
    assembly.dynamics(&q, &v, 0.0, &kinematics, &extra, &mut dynamics).expect("it falls");
    let expected = [0.5, 0.0, -9.81, 0.0, 5.0, 2.0];
    for (a, b) in dynamics.free.iter().zip(expected) {
        assert!((a - b).abs() < 1e-14, "{:?}", dynamics.free);
    }
}
