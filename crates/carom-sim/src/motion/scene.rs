//! A scene: bodies, what holds them together, what acts on them, and for how long.
//!
//! In the plane every vector has a zero third component, and rotations are about the third axis.

use carom::{Law, Material};

/// Whether bodies move in the plane or in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Two coordinates and an angle.
    Plane,
    /// Three coordinates and a rotation.
    Space,
}

/// Everything that is known of a motion before it begins.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scene {
    /// Plane or space.
    pub dimension: Dimension,
    /// The acceleration of free fall [m/s²].
    pub gravity: [f64; 3],
    /// How long the motion is followed \[s\].
    pub duration: f64,
    /// The law of impacts; absent, the default for as many contacts as an impact has.
    pub law: Option<Law>,
    /// From event to event, or in steps.
    pub mode: Mode,
    /// What is promised of states and times.
    pub accuracy: Accuracy,
    /// More events than this end the run.
    pub max_events: u64,
    /// All bodies, fixed ones too.
    pub bodies: Vec<SceneBody>,
    /// What holds bodies together.
    pub joints: Vec<SceneJoint>,
    /// Springs between points of bodies.
    pub springs: Vec<Spring>,
    /// Constant forces.
    pub forces: Vec<Force>,
    /// Which bodies collide, and with which surfaces; the last that fits counts.
    pub pairs: Vec<Pair>,
}

impl Scene {
    /// An empty scene with the defaults of the format: gravity 9.81 m/s² down the last axis, one second.
    pub fn new(dimension: Dimension) -> Self {
        let gravity = match dimension {
            Dimension::Plane => [0.0, -9.81, 0.0],
            Dimension::Space => [0.0, 0.0, -9.81],
        };
        Self {
            dimension,
            gravity,
            duration: 1.0,
            law: None,
            mode: Mode::Events,
            accuracy: Accuracy::default(),
            max_events: 1_000_000,
            bodies: Vec::new(),
            joints: Vec::new(),
            springs: Vec::new(),
            forces: Vec::new(),
            pairs: Vec::new(),
        }
    }
}

/// How a motion is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// From event to event, with high order between.
    Events,
    /// In steps of one length, contacts at the end of each: first order, for piles.
    Stepping {
        /// The length of a step \[s\].
        h: f64,
        /// Where in a step forces are taken, 0 to 1 \[1\].
        theta: f64,
    },
}

/// What is promised, on motions that do not expand errors themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Of states, relative to the scene's scales \[1\].
    pub state: f64,
    /// Of event times \[s\].
    pub time: f64,
}

impl Default for Accuracy {
    fn default() -> Self {
        Self { state: 1e-8, time: 1e-9 }
    }
}

/// A body at t = 0.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SceneBody {
    /// Its name, unique in the scene.
    pub name: String,
    /// Whether it moves, and how.
    pub kind: BodyKind,
    /// The centre of mass; of a fixed body its origin \[m\].
    pub position: [f64; 3],
    /// From its frame to the world's.
    pub orientation: Turn,
    /// Of the centre of mass [m/s].
    pub velocity: [f64; 3],
    /// In the world's frame; in the plane its third component [rad/s].
    pub angular_velocity: [f64; 3],
    /// What can touch, in the body's frame with the origin at `position`.
    pub shapes: Vec<Shape>,
    /// A conveyor: the velocity of the surface relative to the body, in the world's frame [m/s].
    pub surface_velocity: [f64; 3],
}

impl SceneBody {
    /// A fixed body at the origin.
    pub fn fixed(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: BodyKind::Fixed { motion: Prescribed::None },
            position: [0.0; 3],
            orientation: Turn::Angle(0.0),
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            shapes: Vec::new(),
            surface_velocity: [0.0; 3],
        }
    }

    /// A body that moves, at rest at the origin. `inertia` about the centre of mass in the body's frame [kg·m²].
    pub fn moving(name: impl Into<String>, mass: f64, inertia: [[f64; 3]; 3]) -> Self {
        Self { kind: BodyKind::Moving { mass, inertia }, ..Self::fixed(name) }
    }
}

/// An orientation: in the plane an angle that counts turns, in space a quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// About the third axis, not wrapped \[rad\].
    Angle(f64),
    /// `[w, x, y, z]`, of length one \[1\].
    Quaternion([f64; 4]),
}

/// Whether a body moves by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyKind {
    /// By its inertia.
    Moving {
        /// Its mass \[kg\].
        mass: f64,
        /// About the centre of mass, in the body's frame; in the plane the last entry counts [kg·m²].
        inertia: [[f64; 3]; 3],
    },
    /// As prescribed, without turning.
    Fixed {
        /// How its origin moves.
        motion: Prescribed,
    },
}

/// Prescribed motion of a fixed body's origin, added to its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prescribed {
    /// At rest.
    None,
    /// `amplitude · sin(2π frequency t + phase)`.
    Sine {
        /// \[m\]
        amplitude: [f64; 3],
        /// \[Hz\]
        frequency: f64,
        /// \[rad\]
        phase: f64,
    },
    /// `velocity · t`.
    Uniform {
        /// [m/s]
        velocity: [f64; 3],
    },
}

/// What can touch. Planar scenes use `Sphere` for a disk, `Capsule`, `Polygon`, `Points` and `HalfSpace` for a half-plane.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A ball; in the plane a disk.
    Sphere {
        /// \[m\]
        radius: f64,
        /// \[m\]
        center: [f64; 3],
    },
    /// All points within `radius` of a line.
    Capsule {
        /// \[m\]
        radius: f64,
        /// The centre of one end \[m\].
        from: [f64; 3],
        /// The centre of the other \[m\].
        to: [f64; 3],
    },
    /// A cuboid.
    Box {
        /// Half of each side \[m\].
        half: [f64; 3],
        /// \[m\]
        center: [f64; 3],
        /// From the cuboid's axes to the body's, `[w, x, y, z]`.
        orientation: [f64; 4],
    },
    /// A circular cylinder.
    Cylinder {
        /// \[m\]
        radius: f64,
        /// Half of its length \[m\].
        half_height: f64,
        /// Its direction, of any length.
        axis: [f64; 3],
        /// \[m\]
        center: [f64; 3],
    },
    /// The convex hull of points.
    Convex {
        /// \[m\]
        points: Vec<[f64; 3]>,
    },
    /// A convex polygon, counter-clockwise, in the plane.
    Polygon {
        /// \[m\]
        points: Vec<[f64; 3]>,
    },
    /// Corners that touch surfaces, nothing between them.
    Points {
        /// \[m\]
        points: Vec<[f64; 3]>,
    },
    /// All points with `normal · x ≤ offset`, on a fixed body; in the plane a half-plane.
    HalfSpace {
        /// Outwards, of any length.
        normal: [f64; 3],
        /// With the normal at length one \[m\].
        offset: f64,
    },
}

/// Two bodies held together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SceneJoint {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// What it leaves free.
    pub kind: SceneJointKind,
    /// The first body, by its place in the scene.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// In the world at t = 0 \[m\].
    pub point: [f64; 3],
    /// In the world at t = 0, of any length; in the plane hinges have the third axis.
    pub axis: [f64; 3],
    /// Of the coordinate, from the pose at t = 0 [rad or m]; infinite where absent.
    pub limits: [f64; 2],
    /// Restitution at the limits \[1\].
    pub e: f64,
    /// Of a spring on the coordinate [N·m/rad or N/m].
    pub stiffness: f64,
    /// [N·m·s/rad or N·s/m]
    pub damping: f64,
    /// Where that spring is at rest, from the pose at t = 0 [rad or m].
    pub rest: f64,
    /// A constant torque, or force of a slider [N·m or N].
    pub torque: f64,
    /// Inertia that turns (or slides) with the coordinate alone, as a geared motor's rotor: kinetic energy
    /// ½ armature q̇² [kg·m² or kg].
    pub armature: f64,
}

impl SceneJoint {
    /// A joint without limits, spring or torque.
    pub fn new(kind: SceneJointKind, a: usize, b: usize, point: [f64; 3], axis: [f64; 3]) -> Self {
        Self {
            name: None,
            kind,
            a,
            b,
            point,
            axis,
            limits: [f64::NEG_INFINITY, f64::INFINITY],
            e: 0.0,
            stiffness: 0.0,
            damping: 0.0,
            rest: 0.0,
            torque: 0.0,
            armature: 0.0,
        }
    }
}

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneJointKind {
    /// All rotations about a point.
    Ball,
    /// Rotation about an axis.
    Hinge,
    /// Displacement along an axis.
    Slider,
    /// Nothing.
    Weld,
}

/// A spring and damper between points of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// The first body, by its place in the scene.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// In the world at t = 0 \[m\].
    pub point_a: [f64; 3],
    /// In the world at t = 0 \[m\].
    pub point_b: [f64; 3],
    /// [N/m]
    pub stiffness: f64,
    /// [N·s/m]
    pub damping: f64,
    /// The length at rest; absent, that at t = 0 \[m\].
    pub length: Option<f64>,
}

/// A constant force and torque on a body, in the world's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force {
    /// The body, by its place in the scene.
    pub body: usize,
    /// \[N\]
    pub force: [f64; 3],
    /// Where it acts, in the body's frame \[m\].
    pub point: [f64; 3],
    /// [N·m]
    pub torque: [f64; 3],
}

/// Which bodies collide; `None` stands for any body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// One body, by its place in the scene.
    pub a: Option<usize>,
    /// The other.
    pub b: Option<usize>,
    /// Their surfaces.
    pub material: Material,
}
