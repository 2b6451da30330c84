//! Reference motions without contacts, and conservation of energy.

use super::*;

type Expected = ([f64; 3], [f64; 3], Turn, [f64; 3]);

/// Positions and orientations within the first tolerance, velocities within the second; quaternions up to sign.
fn assert_state(run: &Run, body: usize, expected: Expected, [position, velocity]: [f64; 2]) {
    let state = run.body(body);
    let far =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let turn = match (state.orientation, expected.2) {
        (Turn::Angle(a), Turn::Angle(b)) => (a - b).abs(),
        (Turn::Quaternion(a), Turn::Quaternion(b)) => far(&a, &b).min(far(&a, &b.map(|x| -x))),
        other => panic!("{other:?}"),
    };
    let errors = [
        far(&state.position, &expected.0),
        turn,
        far(&state.velocity, &expected.1),
        far(&state.angular_velocity, &expected.3),
    ];
    println!("t = {} s, body {body}: {errors:?}", run.t);
    assert!(errors[0] < position && errors[1] < position, "{errors:?}");
    assert!(errors[2] < velocity && errors[3] < velocity, "{errors:?}");
}

fn plane(x: [f64; 2], v: [f64; 2], angle: f64, spin: f64) -> Expected {
    ([x[0], x[1], 0.0], [v[0], v[1], 0.0], Turn::Angle(angle), [0.0, 0.0, spin])
}

#[test]
fn double_pendulum() {
    // k07-double-pendulum
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies = vec![
        SceneBody::fixed("ground"),
        planar_body("rod1", 1.0, 1.0 / 12.0, [0.46601954298361314, -0.1811788772383368], 1.2),
        planar_body("rod2", 1.0, 1.0 / 12.0, [1.3866877993800673, -0.15428433620310242], 2.0),
    ];
    scene.joints =
        vec![hinge(0, 1, [0.0, 0.0]), hinge(1, 2, [0.9320390859672263, -0.3623577544766736])];
    let mut run = Run::new(only(&scene));
    let start = run.energy();
    run.to(3.0, 1e-11);
    let rod1 = plane(
        [0.36205688812446946, -0.3448402670246406],
        [-0.8107372431137856, -0.851214406777542],
        0.8097485487751208,
        -2.3510515465870876,
    );
    assert_state(&run, 1, rod1, [1e-9, 5e-9]);
    let rod2 = plane(
        [1.0094059865803342, -1.1003000108452887],
        [-3.252082304033867, -2.835350496071179],
        0.6072173123387133,
        -3.971092239777922,
    );
    assert_state(&run, 2, rod2, [1e-9, 5e-9]);
    assert!((run.energy() - -3.290894123860519).abs() < 1e-8, "{}", run.energy());
    let drift = run.energy() - start;
    println!("drift {drift:.1e} J");
    assert!(drift.abs() < 1e-10, "{drift}");
}

/// Three rods, thrown: no reference but the energy, 10 J above the lowest place.
#[test]
fn triple_pendulum_keeps_its_energy() {
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies.push(SceneBody::fixed("ground"));
    let (mut x, mut v) = ([0.0, 0.0], [0.0, 0.0]);
    for (body, (angle, spin)) in [(1.0, 2.0), (-0.5, -4.0), (2.5, 3.0)].into_iter().enumerate() {
        // Rods of 0.4 m from one joint to the next.
        let (sin, cos) = libm::sincos(angle);
        let [half, turned] = [[0.2 * sin, -0.2 * cos], [0.2 * spin * cos, 0.2 * spin * sin]];
        scene.joints.push(hinge(body, body + 1, x));
        scene.bodies.push(SceneBody {
            velocity: [v[0] + turned[0], v[1] + turned[1], 0.0],
            angular_velocity: [0.0, 0.0, spin],
            ..planar_body("rod", 0.7, 0.01, [x[0] + half[0], x[1] + half[1]], angle)
        });
        for k in 0..2 {
            x[k] += 2.0 * half[k];
            v[k] += 2.0 * turned[k];
        }
    }
    let mut run = Run::new(only(&scene));
    let start = run.energy();
    run.to(1.0, 1e-11);
    let drift = run.energy() - start;
    println!("drift {drift:.1e} J");
    assert!(drift.abs() < 1e-9, "{drift}");
    assert!((run.body(3).position[0] - scene.bodies[3].position[0]).abs() > 0.1, "it moves");
}

#[test]
fn pendulum_from_120_degrees() {
    // k07-pendulum-rod-120deg: elliptic functions
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies = vec![
        SceneBody::fixed("ground"),
        planar_body(
            "rod",
            1.0,
            1.0 / 12.0,
            [0.43301270189221935, 0.2499999999999999],
            2.0943951023931953,
        ),
    ];
    scene.joints = vec![hinge(0, 1, [0.0, 0.0])];
    let mut run = Run::new(only(&scene));
    run.to(5.0, 1e-12);
    let expected = plane(
        [0.1912443609538846, -0.46198008009365543],
        [-2.9906617775988344, -1.238034333363787],
        0.3924883378150753,
        -6.4735730098850786,
    );
    assert_state(&run, 1, expected, [1e-9, 1e-8]);
}

#[test]
fn free_asymmetric_top() {
    // k07-free-asymmetric-top
    let mut scene = Scene::new(Dimension::Space);
    scene.gravity = [0.0; 3];
    let mut top = SceneBody::moving("top", 1.0, diagonal(1.0, 2.0, 3.0));
    top.angular_velocity = [0.3, 0.2, 1.5];
    scene.bodies = vec![top];
    let mut run = Run::new(only(&scene));
    run.to(10.0, 1e-12);
    let expected = (
        [0.0; 3],
        [0.0; 3],
        Turn::Quaternion([
            0.2539862552360641,
            -0.014257174411520888,
            0.07290643250313361,
            0.9643507490683192,
        ]),
        [0.29798798876337024, 0.0018668188538779394, 1.5177459724065425],
    );
    assert_state(&run, 0, expected, [1e-9, 1e-8]);
}

fn top(mass: f64, inertia: [[f64; 3]; 3], body: SceneBody) -> Scene {
    let mut scene = Scene::new(Dimension::Space);
    let body = SceneBody { kind: BodyKind::Moving { mass, inertia }, ..body };
    scene.bodies = vec![SceneBody::fixed("ground"), body];
    scene.joints = vec![SceneJoint::new(SceneJointKind::Ball, 0, 1, [0.0; 3], [0.0; 3])];
    scene
}

#[test]
fn heavy_top() {
    // k07-heavy-top-nutates
    let scene = top(
        0.5,
        diagonal(0.0006, 0.0006, 0.0008),
        SceneBody {
            position: [0.028765532316252188, 0.0, 0.05265495371342236],
            orientation: Turn::Quaternion([0.9689124217106448, 0.0, 0.24740395925452296, 0.0]),
            angular_velocity: [57.531064632504375, 0.0, 105.30990742684472],
            ..SceneBody::fixed("top")
        },
    );
    let mut run = Run::new(only(&scene));
    let start = run.energy();
    run.to(1.0, 1e-12);
    let expected = (
        [-0.033137474497163165, -0.004683029706177145, 0.049799367633745345],
        [0.021121463499471638, -0.20383249637194423, -0.005113351627481388],
        Turn::Quaternion([
            0.8064862022866599,
            -0.12083919490661821,
            -0.2653359355479562,
            0.5143682880995406,
        ]),
        [-63.44865027207629, -9.120950532737005, 101.50245932060857],
    );
    assert_state(&run, 1, expected, [1e-9, 1e-8]);
    assert!((run.energy() - 6.018272547964337).abs() < 1e-8);
    let drift = run.energy() - start;
    println!("drift {drift:.1e} J");
    assert!(drift.abs() < 1e-11, "{drift}");
}

#[test]
fn spherical_pendulum() {
    // k07-spherical-pendulum
    let scene = top(
        1.0,
        diagonal(0.05, 0.05, 0.01),
        SceneBody {
            position: [-0.5890296893655275, 0.0, -0.3782116141076978],
            orientation: Turn::Quaternion([0.8775825618903728, 0.0, 0.479425538604203, 0.0]),
            velocity: [-0.5673174211615467, 0.7, 0.8835445340482913],
            angular_velocity: [0.5403023058681398, 1.5, -0.8414709848078965],
            ..SceneBody::fixed("top")
        },
    );
    let mut run = Run::new(only(&scene));
    run.to(4.0, 1e-12);
    let expected = (
        [0.00024369695024444303, 0.6228288627069105, -0.31950610071016317],
        [0.6619538789188949, -0.15101126122509823, -0.2938687422073455],
        Turn::Quaternion([
            0.45534469502887676,
            0.2783482112814561,
            0.4407988542544229,
            -0.7217200648959832,
        ]),
        [-0.4719978647580943, -0.4314830363001987, -0.8414709848067252],
    );
    assert_state(&run, 1, expected, [1e-9, 1e-8]);
}

#[test]
fn four_bar() {
    // k23-four-bar
    let mut scene = Scene::new(Dimension::Plane);
    let moving = |body: SceneBody, v: [f64; 2], spin: f64| SceneBody {
        velocity: [v[0], v[1], 0.0],
        angular_velocity: [0.0, 0.0, spin],
        ..body
    };
    scene.bodies = vec![
        SceneBody::fixed("ground"),
        moving(
            planar_body("crank", 0.5, 0.00375, [0.08104534588022096, 0.12622064772118446], 1.0),
            [-1.5146477726542136, 0.9725441505626515],
            12.0,
        ),
        moving(
            planar_body(
                "coupler",
                1.5,
                0.10125,
                [0.5531408251272103, 0.4751064997151351],
                0.5176179771777364,
            ),
            [-2.433671683236454, 0.8990389578505096],
            -2.6749750326608304,
        ),
        moving(
            planar_body(
                "rocker",
                1.0,
                0.040833333333333326,
                [0.9720954792469894, 0.3488858519939506],
                1.6506082348163225,
            ),
            [-0.9190239105822405, -0.07350519271214181],
            2.6341678956880594,
        ),
    ];
    scene.joints = vec![
        hinge(0, 1, [0.0, 0.0]),
        hinge(1, 2, [0.1620906917604419, 0.25244129544236893]),
        hinge(2, 3, [0.9441909584939787, 0.6977717039879012]),
        hinge(0, 3, [1.0, 0.0]),
    ];
    let mut run = Run::new(only(&scene));
    run.to(2.0, 1e-11);
    let crank = plane(
        [-0.022137260861248915, 0.14835747935834248],
        [-1.3379822380144835, -0.19964791771031593],
        26.8516603452809,
        9.018636901903157,
    );
    assert_state(&run, 1, crank, [1e-8, 1e-7]);
    let coupler = plane(
        [0.3666155951521958, 0.4802069526965334],
        [-2.5792903755650856, -0.6157763018257362],
        0.41999948916517216,
        -0.526857321494357,
    );
    assert_state(&run, 2, coupler, [1e-8, 1e-7]);
    let rocker = plane(
        [0.8887528560134447, 0.3318494733381909],
        [-1.2413081375506019, -0.41612838411542025],
        1.8942562815905033,
        3.7405758853972126,
    );
    assert_state(&run, 3, rocker, [1e-8, 1e-7]);
    assert!((run.energy() - 18.090065038375).abs() < 1e-7);
    println!("moved {:.1e} m, open {:.1e} m", run.closed, run.open);
    assert!(run.open < 1e-12);
}

#[test]
fn slider_crank() {
    // k23-slider-crank
    let mut scene = Scene::new(Dimension::Plane);
    let moving = |body: SceneBody, v: [f64; 2], spin: f64| SceneBody {
        velocity: [v[0], v[1], 0.0],
        angular_velocity: [0.0, 0.0, spin],
        ..body
    };
    scene.bodies = vec![
        SceneBody::fixed("ground"),
        moving(
            planar_body(
                "crank",
                1.0,
                0.003333333333333334,
                [0.07648421872844885, 0.0644217687237691],
                0.7,
            ),
            [-0.644217687237691, 0.7648421872844885],
            10.0,
        ),
        moving(
            planar_body(
                "rod",
                0.8,
                0.023999999999999997,
                [0.44596986358738805, 0.0644217687237691],
                -0.21642482235800842,
            ),
            [-1.456600038894043, 0.7648421872844885],
            -2.610370186197866,
        ),
        moving(
            planar_body("piston", 1.5, 0.15000000000000002, [0.7389712897178784, 0.0], 0.0),
            [-1.6247647033127042, 0.0],
            0.0,
        ),
    ];
    scene.joints = vec![
        hinge(0, 1, [0.0, 0.0]),
        hinge(1, 2, [0.1529684374568977, 0.1288435374475382]),
        hinge(2, 3, [0.7389712897178784, 0.0]),
        SceneJoint::new(
            SceneJointKind::Slider,
            0,
            3,
            [0.7389712897178784, 0.0, 0.0],
            [1.0, 0.0, 0.0],
        ),
    ];
    let mut run = Run::new(only(&scene));
    run.to(2.0, 1e-11);
    let crank = plane(
        [0.09923956879759789, 0.012308857983860085],
        [-0.2343139292306402, 1.8891446574987083],
        25.256142762005016,
        19.036203808499774,
    );
    assert_state(&run, 1, crank, [1e-8, 1e-7]);
    let rod = plane(
        [0.49822651792592215, 0.012308857983860085],
        [-0.5462038935694543, 1.889144657498708],
        -0.0410410470104917,
        -6.302455939445809,
    );
    assert_state(&run, 2, rod, [1e-8, 1e-7]);
    let piston = plane([0.7979738982566486, 0.0], [-0.6237799286776282, 0.0], 0.0, 0.0);
    assert_state(&run, 3, piston, [1e-8, 1e-7]);
    assert!((run.energy() - 4.948556802649484).abs() < 1e-7);
    println!("moved {:.1e} m, open {:.1e} m", run.closed, run.open);
    assert!(run.open < 1e-12);
}

/// Two bodies on a spring: one assembly of two trees, ω² = k (1/m + 1/M).
#[test]
fn two_bodies_on_a_spring() {
    let mut scene = Scene::new(Dimension::Space);
    scene.gravity = [0.0; 3];
    let body = |name: &str, mass: f64, x: f64| SceneBody {
        position: [x, 0.0, 0.0],
        ..SceneBody::moving(name, mass, diagonal(0.1, 0.2, 0.25))
    };
    scene.bodies = vec![body("m", 1.0, 0.0), body("M", 3.0, 1.5)];
    scene.springs = vec![Spring {
        a: 0,
        b: 1,
        point_a: [0.0; 3],
        point_b: [1.5, 0.0, 0.0],
        stiffness: 12.0,
        damping: 0.0,
        length: Some(1.0),
    }];
    let mut run = Run::new(only(&scene));
    assert!((run.energy() - 1.5).abs() < 1e-15);
    run.to(2.0, 1e-12);
    let stretch = 0.5 * libm::cos(4.0 * 2.0);
    let [m, larger] = [0, 1].map(|body| run.body(body).position[0]);
    assert!((larger - m - 1.0 - stretch).abs() < 1e-10, "{}", larger - m);
    assert!((m + 3.0 * larger - 4.5).abs() < 1e-12);
    assert!((run.energy() - 1.5).abs() < 1e-10);
}
