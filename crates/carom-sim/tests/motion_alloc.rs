//! Steps allocate no memory once buffers are as large as they have to be: no flight, no loop, no contact that lasts.

#![allow(
    unsafe_code,
    reason = "only a global allocator can count allocations, and that trait is unsafe to implement"
)]

use carom::Material;
use carom_sim::motion::{
    Dimension, Event, MotionObserver, Options, Pair, Scene, SceneBody, SceneJoint, SceneJointKind,
    Shape, StepTaken, Turn, simulate_observed,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Allocations of this thread; the test harness has threads of its own.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` above, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of each step; none are made by looking.
struct Steps {
    allocations: Vec<u64>,
    last: u64,
    /// Steps before the last event.
    eventful: usize,
}

impl MotionObserver for Steps {
    fn step(&mut self, _step: StepTaken) {
        let now = ALLOCATIONS.with(Cell::get);
        assert!(self.allocations.len() < self.allocations.capacity());
        self.allocations.push(now - self.last);
        self.last = now;
    }

    fn event(&mut self, _event: &Event) {
        self.eventful = self.allocations.len();
    }
}

fn space() -> Scene {
    let mut scene = Scene::new(Dimension::Space);
    let mut floor = SceneBody::fixed("floor");
    floor.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    floor.shapes.push(Shape::HalfSpace { normal: [0.0, 0.0, 1.0], offset: 0.0 });
    scene.bodies.push(floor);
    let material = Material::new(0.3, 0.0).expect("a surface");
    scene.pairs.push(Pair { a: None, b: None, material });
    scene
}

fn brick(name: &str, position: [f64; 3]) -> SceneBody {
    let inertia = [[0.02, 0.0, 0.0], [0.0, 0.03, 0.0], [0.0, 0.0, 0.04]];
    let mut brick = SceneBody::moving(name, 2.0, inertia);
    brick.position = position;
    brick.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    let half = [0.2, 0.15, 0.1];
    brick.shapes.push(Shape::Box { half, center: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] });
    brick
}

/// Allocations of the steps after the last event but the first quarter of them.
fn allocations(scene: &Scene) -> Vec<u64> {
    let allocations = Vec::with_capacity(100_000);
    let mut steps = Steps { allocations, last: 0, eventful: 0 };
    simulate_observed(scene, &Options::default(), &mut steps).expect("a motion");
    let later = steps.allocations.split_off(steps.eventful);
    assert!(later.len() > 20, "{} steps", later.len());
    // Memory grows to what the busiest step needs.
    later[later.len() / 4..].to_vec()
}

fn none(scene: &Scene) {
    let counts = allocations(scene);
    let total: u64 = counts.iter().sum();
    let first = &counts[..counts.len().min(40)];
    assert_eq!(total, 0, "in {} steps: {first:?}", counts.len());
}

#[test]
fn flight() {
    let mut scene = space();
    let mut brick = brick("brick", [0.0, 0.0, 30.0]);
    brick.angular_velocity = [3.0, 0.2, 1.0];
    scene.bodies.push(brick);
    scene.duration = 2.0;
    none(&scene);
}

#[test]
fn flight_near_a_wall() {
    let mut scene = space();
    scene.gravity = [0.0; 3];
    let mut brick = brick("brick", [0.0, 0.0, 0.32]);
    brick.angular_velocity = [3.0, 0.2, 1.0];
    brick.velocity = [1.0, 0.0, 0.0];
    scene.bodies.push(brick);
    scene.duration = 5.0;
    none(&scene);
}

#[test]
fn linkage() {
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies.push(SceneBody::fixed("frame"));
    let bar = |name: &str, position: [f64; 3]| {
        let mut bar = SceneBody::moving(name, 1.0, [[0.0; 3], [0.0; 3], [0.0, 0.0, 0.1]]);
        bar.position = position;
        bar
    };
    scene.bodies.push(bar("left", [0.15, 0.5, 0.0]));
    scene.bodies.push(bar("right", [1.5, 0.75, 0.0]));
    scene.bodies.push(bar("top", [0.9, 1.25, 0.0]));
    for (a, b, point) in [
        (0, 1, [0.0, 0.0, 0.0]),
        (0, 2, [1.5, 0.0, 0.0]),
        (1, 3, [0.3, 1.0, 0.0]),
        (2, 3, [1.5, 1.5, 0.0]),
    ] {
        scene.joints.push(SceneJoint::new(SceneJointKind::Hinge, a, b, point, [0.0, 0.0, 1.0]));
    }
    scene.duration = 2.0;
    none(&scene);
}

#[test]
fn sliding() {
    let mut scene = space();
    let mut brick = brick("brick", [0.0, 0.0, 0.1]);
    brick.velocity = [20.0, 3.0, 0.0];
    brick.angular_velocity = [0.0, 0.0, 5.0];
    scene.bodies.push(brick);
    scene.duration = 3.0;
    none(&scene);
}

#[test]
fn rolling() {
    let mut scene = space();
    let inertia = [[0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]];
    let mut ball = SceneBody::moving("ball", 2.0, inertia);
    ball.position = [0.0, 0.0, 0.1];
    ball.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    ball.shapes.push(Shape::Sphere { radius: 0.1, center: [0.0; 3] });
    ball.velocity = [1.0, 0.0, 0.0];
    ball.angular_velocity = [0.0, 10.0, 0.0];
    scene.bodies.push(ball);
    scene.duration = 30.0;
    none(&scene);
}
