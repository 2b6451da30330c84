//! Random scenes. Scene `i` depends on `i` alone.

use carom::Material;
use carom_sim::motion::{
    BodyKind, Dimension, Force, Pair, Prescribed, Scene, SceneBody, SceneJoint, SceneJointKind,
    Shape, Spring, Turn,
};
use carom_testkit::Rng;

/// The set of scenes.
const SEED: u64 = 0x5ce4e5;

/// What a scene is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bodies thrown onto a floor, and onto each other.
    Thrown,
    /// Bodies set on a floor or on top of each other, at rest or sliding.
    Set,
    /// A chain of joints that hangs from a point, or falls.
    Chain,
    /// Joints that close a loop.
    Loop,
    /// A floor that shakes, or a belt.
    Driven,
    /// Bodies on springs.
    Sprung,
}

const KINDS: [Kind; 6] =
    [Kind::Thrown, Kind::Set, Kind::Chain, Kind::Loop, Kind::Driven, Kind::Sprung];

/// A scene, and whether anything but gravity, springs and contacts does work on it.
pub struct Drawn {
    pub kind: Kind,
    pub scene: Scene,
    pub driven: bool,
}

/// The scene with this number.
pub fn scene(index: u64) -> Drawn {
    let mut rng = Rng::for_item(SEED, index);
    let kind = KINDS[[0, 0, 0, 1, 1, 2, 3, 4, 5][rng.index(9) as usize]];
    let dimension = if rng.chance(0.5) { Dimension::Plane } else { Dimension::Space };
    let mut draw = Draw { rng, scene: Scene::new(dimension), driven: false };
    draw.scene.duration = draw.rng.uniform(0.2, 0.8);
    match kind {
        Kind::Thrown => draw.thrown(),
        Kind::Set => draw.set(),
        Kind::Chain => draw.chain(),
        Kind::Loop => draw.closed(),
        Kind::Driven => draw.shaken(),
        Kind::Sprung => draw.sprung(),
    }
    Drawn { kind, scene: draw.scene, driven: draw.driven }
}

struct Draw {
    rng: Rng,
    scene: Scene,
    driven: bool,
}

impl Draw {
    fn flat(&self) -> bool {
        self.scene.dimension == Dimension::Plane
    }

    /// Upwards, for a height.
    fn up(&self, height: f64) -> [f64; 3] {
        if self.flat() { [0.0, height, 0.0] } else { [0.0, 0.0, height] }
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.rng.index(values.len() as u64) as usize]
    }

    /// In a cube, flat in the plane.
    fn vector(&mut self, size: f64) -> [f64; 3] {
        let mut v = [(); 3].map(|()| self.rng.uniform(-size, size));
        if self.flat() {
            v[2] = 0.0;
        }
        v
    }

    fn turn(&mut self) -> Turn {
        if self.flat() {
            return Turn::Angle(self.rng.uniform(-4.0, 4.0));
        }
        let q: [f64; 4] = std::array::from_fn(|_| self.rng.normal());
        let length = f64::sqrt(q.iter().map(|x| x * x).sum());
        Turn::Quaternion(q.map(|x| x / length))
    }

    fn upright(&self) -> Turn {
        if self.flat() { Turn::Angle(0.0) } else { Turn::Quaternion([1.0, 0.0, 0.0, 0.0]) }
    }

    fn material(&mut self) -> Material {
        let e = self.one_of(&[0.0, 0.3, 0.3, 0.8, 1.0]);
        let mu = self.one_of(&[0.0, 0.2, 0.6, 0.6, f64::INFINITY]);
        Material::new(mu, e).expect("a surface")
    }

    fn everything_collides(&mut self) {
        let material = self.material();
        self.scene.pairs.push(Pair { a: None, b: None, material });
        if self.rng.chance(0.3) && self.scene.bodies.len() > 2 {
            let material = self.material();
            self.scene.pairs.push(Pair { a: Some(0), b: Some(1), material });
        }
    }

    /// A floor below the origin, sometimes tilted.
    fn floor(&mut self) -> usize {
        let mut floor = SceneBody::fixed("floor");
        let tilt = if self.rng.chance(0.4) { self.rng.uniform(-0.4, 0.4) } else { 0.0 };
        let mut normal = self.up(1.0);
        normal[0] = tilt;
        floor.shapes.push(Shape::HalfSpace { normal, offset: 0.0 });
        if self.rng.chance(0.2) {
            let mut wall = [-1.0, 0.0, 0.0];
            if !self.flat() {
                wall[1] = self.rng.uniform(-0.5, 0.5);
            }
            floor.shapes.push(Shape::HalfSpace { normal: wall, offset: -1.2 });
        }
        self.add(floor)
    }

    /// A fixed block with its top at the origin, instead of a floor.
    fn table(&mut self) -> usize {
        let mut table = SceneBody::fixed("table");
        let half = [self.rng.uniform(0.15, 0.6), self.rng.uniform(0.15, 0.6), 0.1];
        table.shapes.push(if self.flat() {
            rectangle(half[0], 0.1)
        } else {
            Shape::Box { half, center: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] }
        });
        table.position = self.up(-0.1);
        self.add(table)
    }

    fn ground(&mut self) -> usize {
        if self.rng.chance(0.75) { self.floor() } else { self.table() }
    }

    fn add(&mut self, body: SceneBody) -> usize {
        self.scene.bodies.push(body);
        self.scene.bodies.len() - 1
    }

    /// A body with one shape of these kinds, its inertia that of a solid roughly like it.
    fn body(&mut self, shapes: &[&str]) -> SceneBody {
        let size = self.rng.uniform(0.05, 0.2);
        let mass = self.rng.log_uniform(0.2, 5.0);
        let which = self.one_of(shapes);
        let name = format!("{which} {}", self.scene.bodies.len());
        let (shape, half) = self.shape(which, size);
        let [a, b, c] = half.map(|h| h * h / 3.0 * mass);
        let inertia = [[b + c, 0.0, 0.0], [0.0, a + c, 0.0], [0.0, 0.0, a + b]];
        let mut body = SceneBody::moving(name, mass, inertia);
        body.shapes.push(shape);
        body.orientation = self.upright();
        body
    }

    /// A shape around the origin, and half of the sides of a box of its size.
    fn shape(&mut self, which: &str, size: f64) -> (Shape, [f64; 3]) {
        let flat = self.flat();
        let rng = &mut self.rng;
        match which {
            "sphere" => {
                let half = if flat { [1.2 * size, 1.2 * size, 0.0] } else { [1.1 * size; 3] };
                (Shape::Sphere { radius: size, center: [0.0; 3] }, half)
            }
            "capsule" => {
                let long = rng.uniform(0.5, 2.0) * size;
                let radius = rng.uniform(0.2, 0.7) * size;
                let shape =
                    Shape::Capsule { radius, from: [-long, 0.0, 0.0], to: [long, 0.0, 0.0] };
                (shape, [long + radius, radius, if flat { 0.0 } else { radius }])
            }
            "box" => {
                let half = [(); 3].map(|()| size * rng.uniform(0.4, 1.2));
                if flat {
                    (rectangle(half[0], half[1]), [half[0], half[1], 0.0])
                } else {
                    (Shape::Box { half, center: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] }, half)
                }
            }
            "cylinder" => {
                let half_height = rng.uniform(0.3, 1.5) * size;
                let shape = Shape::Cylinder {
                    radius: size,
                    half_height,
                    axis: [0.0, 0.0, 1.0],
                    center: [0.0; 3],
                };
                (shape, [0.9 * size, 0.9 * size, half_height])
            }
            "convex" if flat => {
                let sides = 3 + rng.index(4);
                let points = (0..sides).map(|i| {
                    let turn = (i as f64 + rng.uniform(0.0, 0.4)) / sides as f64;
                    let (s, c) = libm::sincos(std::f64::consts::TAU * turn);
                    [size * c, size * s, 0.0]
                });
                (Shape::Polygon { points: points.collect() }, [0.8 * size, 0.8 * size, 0.0])
            }
            "convex" => {
                // The corners of a tetrahedron or of a wedge, moved a little.
                let corners: &[[f64; 3]] = if rng.chance(0.5) {
                    &[[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]
                } else {
                    &[
                        [1.0, 0.0, 0.0],
                        [-1.0, 0.0, 0.0],
                        [0.0, 1.0, 0.0],
                        [0.0, -1.0, 0.0],
                        [0.0, 0.0, 1.0],
                        [0.0, 0.0, -1.0],
                    ]
                };
                let points = corners.iter().map(|p| p.map(|x| size * (x + rng.uniform(-0.2, 0.2))));
                (Shape::Convex { points: points.collect() }, [0.8 * size; 3])
            }
            "points" => {
                let count = 2 + rng.index(3);
                let mut place = || rng.uniform(-1.0, 1.0) * size;
                let points = (0..count)
                    .map(|_| {
                        let [x, y, z] = [place(), place(), place()];
                        [x, y, if flat { 0.0 } else { z }]
                    })
                    .collect();
                (Shape::Points { points }, [size, size, if flat { 0.0 } else { size }])
            }
            other => panic!("{other}"),
        }
    }

    /// Shapes that may all meet each other and the ground.
    fn shapes(&mut self) -> &'static [&'static str] {
        match (self.flat(), self.rng.chance(0.2)) {
            (true, _) => &["sphere", "capsule", "box", "convex", "points"],
            (false, true) => &["sphere", "cylinder", "points"],
            (false, false) => &["sphere", "capsule", "box", "convex", "points"],
        }
    }

    fn throw(&mut self, body: &mut SceneBody) {
        body.orientation = self.turn();
        body.velocity = self.vector(1.5);
        let spin = self.rng.log_uniform(0.3, 20.0);
        body.angular_velocity = self.vector(spin);
        if self.flat() {
            body.angular_velocity = [0.0, 0.0, spin - 5.0];
        }
    }

    fn thrown(&mut self) {
        let shapes = self.shapes();
        let cylinders = shapes.contains(&"cylinder");
        if cylinders {
            self.floor()
        } else {
            self.ground()
        };
        let count = self.one_of(&[1, 1, 1, 2, 2, 3, 4]);
        for k in 0..count {
            // Cylinders do not meet each other.
            let shapes = if k > 0 && cylinders { &["sphere", "points"] } else { shapes };
            let mut body = self.body(shapes);
            self.throw(&mut body);
            let reach = radius(&body.shapes[0]);
            let height = 0.42 * f64::from(k) + reach + self.rng.uniform(0.08, 0.2) + 0.2;
            body.position = self.up(height);
            body.position[0] = self.rng.uniform(-0.1, 0.1);
            if !self.flat() {
                body.position[1] = self.rng.uniform(-0.1, 0.1);
            }
            if k > 0 {
                let mut below = self.scene.bodies[self.scene.bodies.len() - 1].position;
                let axis = if self.flat() { 1 } else { 2 };
                below[axis] += radius(&self.scene.bodies[self.scene.bodies.len() - 1].shapes[0])
                    + reach
                    + 0.02;
                body.position[axis] = body.position[axis].max(below[axis]);
            }
            self.add(body);
        }
        self.everything_collides();
        if self.rng.chance(0.1) {
            let force = self.vector(3.0);
            self.scene.forces.push(Force { body: 1, force, point: [0.0; 3], torque: [0.0; 3] });
            self.driven = true;
        }
    }

    /// A tower on level ground.
    fn set(&mut self) {
        let mut ground = SceneBody::fixed("floor");
        let tilt = if self.rng.chance(0.4) { self.rng.uniform(-0.5, 0.5) } else { 0.0 };
        let (s, c) = libm::sincos(tilt);
        let normal = if self.flat() { [-s, c, 0.0] } else { [-s, 0.0, c] };
        ground.shapes.push(Shape::HalfSpace { normal, offset: 0.0 });
        self.add(ground);
        // In the frame of the slope, then turned.
        let count = self.one_of(&[1, 1, 1, 2, 2, 3]);
        let mut height = 0.0;
        let turned = if self.flat() {
            Turn::Angle(tilt)
        } else {
            let (s, c) = libm::sincos(-0.5 * tilt);
            Turn::Quaternion([c, 0.0, s, 0.0])
        };
        for k in 0..count {
            let shapes: &[&str] = if k + 1 == count {
                if self.flat() {
                    &["box", "sphere", "capsule"]
                } else if k == 0 {
                    &["box", "sphere", "capsule", "cylinder"]
                } else {
                    &["box", "sphere", "capsule"]
                }
            } else {
                &["box"]
            };
            let mut body = self.body(shapes);
            let half = match &body.shapes[0] {
                Shape::Sphere { radius, .. } | Shape::Capsule { radius, .. } => *radius,
                Shape::Box { half, .. } => half[2],
                Shape::Cylinder { half_height, .. } => *half_height,
                Shape::Polygon { points } => points.iter().fold(0.0, |most: f64, p| most.max(p[1])),
                _ => unreachable!(),
            };
            let gap = if self.rng.chance(0.3) { self.rng.uniform(0.01, 0.1) } else { 0.0 };
            let along = if k == 0 { 0.0 } else { self.rng.uniform(-0.04, 0.04) };
            let up = height + gap + half;
            let (s, c) = libm::sincos(tilt);
            body.position = if self.flat() {
                [c * along - s * up, s * along + c * up, 0.0]
            } else {
                [c * along - s * up, 0.0, s * along + c * up]
            };
            body.orientation = turned;
            if self.rng.chance(0.4) {
                let speed = self.rng.uniform(-1.0, 1.0);
                body.velocity = if self.flat() {
                    [c * speed, s * speed, 0.0]
                } else {
                    [c * speed, 0.0, s * speed]
                };
            }
            if self.rng.chance(0.2) && !self.flat() {
                let spin = self.rng.uniform(-4.0, 4.0);
                body.angular_velocity = [-s * spin, 0.0, c * spin];
            }
            height += gap + 2.0 * half;
            self.add(body);
        }
        self.everything_collides();
        if self.rng.chance(0.3) {
            let force = self.vector(6.0);
            self.scene.forces.push(Force { body: 1, force, point: [0.0; 3], torque: [0.0; 3] });
            self.driven = true;
        }
    }

    fn joint(&mut self, kind: SceneJointKind, a: usize, b: usize, point: [f64; 3]) -> usize {
        let axis = if self.flat() {
            if kind == SceneJointKind::Slider { self.vector(1.0) } else { [0.0, 0.0, 1.0] }
        } else {
            [self.rng.normal(), self.rng.normal(), self.rng.normal()]
        };
        self.scene.joints.push(SceneJoint::new(kind, a, b, point, axis));
        self.scene.joints.len() - 1
    }

    fn chain(&mut self) {
        let ground = self.floor();
        let hangs = self.rng.chance(0.5);
        let links = 1 + self.rng.index(4) as usize;
        let mut end = self.up(0.45);
        let mut last = ground;
        for k in 0..links {
            let long = self.rng.uniform(0.05, 0.15);
            let mut link = self.body(&["capsule"]);
            link.shapes = vec![Shape::Capsule {
                radius: 0.02,
                from: [-long, 0.0, 0.0],
                to: [long, 0.0, 0.0],
            }];
            let BodyKind::Moving { mass, .. } = link.kind else { unreachable!() };
            let i = mass * long * long / 3.0;
            link.kind = BodyKind::Moving {
                mass,
                inertia: [[0.1 * i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]],
            };
            link.position = [end[0] + long, end[1], end[2]];
            let body = self.add(link);
            if k > 0 || hangs {
                let kinds: &[SceneJointKind] = if self.flat() {
                    &[
                        SceneJointKind::Hinge,
                        SceneJointKind::Hinge,
                        SceneJointKind::Slider,
                        SceneJointKind::Weld,
                    ]
                } else {
                    &[
                        SceneJointKind::Ball,
                        SceneJointKind::Hinge,
                        SceneJointKind::Ball,
                        SceneJointKind::Slider,
                    ]
                };
                let kind = self.one_of(kinds);
                let joint = self.joint(kind, last, body, end);
                let one = matches!(kind, SceneJointKind::Hinge | SceneJointKind::Slider);
                let e = self.one_of(&[0.0, 0.3, 0.8]);
                let (a, b) = (self.rng.uniform(-0.1, -0.03), self.rng.uniform(0.03, 0.1));
                let limits = self.rng.chance(0.7);
                let spring = self.rng.chance(0.3);
                let joint = &mut self.scene.joints[joint];
                if one && (limits || kind == SceneJointKind::Slider) {
                    let scale = if kind == SceneJointKind::Slider { 1.0 } else { 8.0 };
                    joint.limits = [scale * a, scale * b];
                    joint.e = e;
                }
                if one && spring {
                    joint.stiffness = 2.0;
                    joint.damping = 0.02;
                }
            }
            last = body;
            end[0] += 2.0 * long;
        }
        if self.rng.chance(0.5) {
            let mut ball = self.body(&["sphere"]);
            ball.position = self.up(0.9);
            ball.position[0] = self.rng.uniform(0.0, 0.3);
            self.add(ball);
        }
        self.everything_collides();
    }

    /// Four bars, or a parallelogram with a third crank.
    fn closed(&mut self) {
        let ground = self.floor();
        let cranks = if self.rng.chance(0.3) { 3 } else { 2 };
        let crank = self.rng.uniform(0.1, 0.2);
        let span = 0.3;
        let parallel = cranks == 3 || self.rng.chance(0.3);
        let angle = self.rng.uniform(0.4, 1.2);
        let (s, c) = libm::sincos(angle);
        let base = self.up(0.5);
        let up = if self.flat() { 1 } else { 2 };
        let mut tops = Vec::new();
        let mut bodies = Vec::new();
        let mut bases = Vec::new();
        for k in 0..cranks {
            let x = span * f64::from(k) / f64::from(cranks - 1);
            let length =
                if parallel || k == 0 { crank } else { crank * self.rng.uniform(1.0, 1.4) };
            let mut foot = base;
            foot[0] += x;
            let mut top = foot;
            top[0] += length * c;
            top[up] += length * s;
            let mut bar = self.body(&["sphere"]);
            bar.shapes = vec![Shape::Sphere { radius: 0.02, center: [0.0; 3] }];
            bar.position = std::array::from_fn(|i| 0.5 * (foot[i] + top[i]));
            bodies.push(self.add(bar));
            tops.push(top);
            bases.push(foot);
        }
        let mut coupler = self.body(&["sphere"]);
        coupler.shapes = vec![Shape::Sphere { radius: 0.04, center: [0.0; 3] }];
        coupler.position = std::array::from_fn(|i| 0.5 * (tops[0][i] + tops[tops.len() - 1][i]));
        let coupler = self.add(coupler);
        let axis = if self.flat() { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
        for k in 0..bodies.len() {
            self.scene.joints.push(SceneJoint::new(
                SceneJointKind::Hinge,
                ground,
                bodies[k],
                bases[k],
                axis,
            ));
            self.scene.joints.push(SceneJoint::new(
                SceneJointKind::Hinge,
                bodies[k],
                coupler,
                tops[k],
                axis,
            ));
        }
        if self.rng.chance(0.5) {
            let mut ball = self.body(&["sphere"]);
            ball.position = self.up(1.1);
            ball.position[0] = self.rng.uniform(0.0, 0.3);
            self.add(ball);
        }
        self.everything_collides();
    }

    fn shaken(&mut self) {
        let ground = self.floor();
        self.scene.bodies[ground].shapes.truncate(1);
        let amplitude = self.rng.log_uniform(0.002, 0.05);
        let strength = self.rng.uniform(0.5, 3.0);
        let up = self.up(1.0);
        let belt = self.rng.chance(0.5);
        if belt {
            self.scene.bodies[ground].surface_velocity = self.vector(1.0);
            let axis = if self.flat() { 1 } else { 2 };
            self.scene.bodies[ground].surface_velocity[axis] = 0.0;
        } else {
            let frequency = f64::sqrt(strength * 9.81 / amplitude) / std::f64::consts::TAU;
            let phase = self.rng.uniform(0.0, 6.0);
            let motion =
                Prescribed::Sine { amplitude: up.map(|x| amplitude * x), frequency, phase };
            self.scene.bodies[ground].kind = BodyKind::Fixed { motion };
        }
        self.driven = true;
        let count = 1 + self.rng.index(2);
        for k in 0..count {
            let shapes = self.shapes();
            let shapes = if k > 0 { &["sphere"] } else { shapes };
            let mut body = self.body(shapes);
            self.throw(&mut body);
            let reach = radius(&body.shapes[0]);
            let above = 0.35 * self.rng.unit();
            body.position = self.up(0.1 + reach + above);
            if k > 0 {
                body.position = self.up(1.3);
            }
            self.add(body);
        }
        self.everything_collides();
    }

    fn sprung(&mut self) {
        self.thrown();
        let last = self.scene.bodies.len() - 1;
        let hook = SceneBody::fixed("hook");
        let hook = self.add(hook);
        let at = self.up(1.8);
        self.scene.bodies[hook].position = at;
        let centre = self.scene.bodies[last].position;
        let stiffness = self.rng.log_uniform(1.0, 100.0);
        let damping = if self.rng.chance(0.5) { 0.1 } else { 0.0 };
        self.scene.springs.push(Spring {
            a: hook,
            b: last,
            point_a: at,
            point_b: centre,
            stiffness,
            damping,
            length: None,
        });
        if last > 1 {
            let a = last - 1;
            let point_a = self.scene.bodies[a].position;
            self.scene.springs.push(Spring {
                a,
                b: last,
                point_a,
                point_b: centre,
                stiffness,
                damping,
                length: Some(0.3),
            });
        }
    }
}

/// A rectangle around the origin.
fn rectangle(a: f64, b: f64) -> Shape {
    Shape::Polygon { points: vec![[-a, -b, 0.0], [a, -b, 0.0], [a, b, 0.0], [-a, b, 0.0]] }
}

fn radius(shape: &Shape) -> f64 {
    let size = |p: &[f64; 3]| f64::sqrt(p.iter().map(|x| x * x).sum());
    match shape {
        Shape::Sphere { radius, .. } => *radius,
        Shape::Capsule { radius, from, .. } => size(from) + radius,
        Shape::Box { half, .. } => size(half),
        Shape::Cylinder { radius, half_height, .. } => f64::hypot(*radius, *half_height),
        Shape::Convex { points } | Shape::Polygon { points } | Shape::Points { points } => {
            points.iter().map(size).fold(0.0, f64::max)
        }
        Shape::HalfSpace { .. } => f64::INFINITY,
    }
}
