//! A robot as files describe it: bodies in frames of their parents, with any number of joints between the two.

use crate::fault::Place;
use crate::frames::{IDENTITY, ORIGIN, Pose, Quaternion, Vector};
use crate::inertia::Inertial;

/// Everything that was read.
#[derive(Debug)]
pub struct Robot {
    /// How it is called.
    pub name: String,
    /// [m/s²]
    pub gravity: Vector,
    /// Parents before their children.
    pub bodies: Vec<Body>,
    /// What is fixed to the world.
    pub world: Vec<Geom>,
    pub loops: Vec<Loop>,
    /// Bodies that do not collide; none is the world.
    pub excludes: Vec<[Option<usize>; 2]>,
    /// Shapes that collide whatever else is said.
    pub pairs: Vec<GeomPair>,
    /// Whether what hangs on the world by a joint collides with what is fixed to the world.
    pub world_is_no_neighbour: bool,
    /// A state that the file names: coordinates and rates, joint by joint.
    pub state: Option<Vec<Coordinate>>,
}

/// Where its mass is and what it hangs on.
#[derive(Debug)]
pub struct Body {
    pub name: String,
    pub label: String,
    pub place: Place,
    /// None hangs on the world.
    pub parent: Option<usize>,
    /// In the parent's frame, with all joints at their reference.
    pub frame: Pose,
    pub inertial: Inertial,
    /// Each moves what the one before it moved.
    pub joints: Vec<Joint>,
    pub geoms: Vec<Geom>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    Free,
    Ball,
    Hinge,
    Slide,
}

/// In the body's frame.
#[derive(Clone, Debug)]
pub struct Joint {
    pub name: Option<String>,
    pub label: String,
    pub place: Place,
    pub kind: JointKind,
    /// \[m\]
    pub point: Vector,
    /// Of length one.
    pub axis: Vector,
    /// [rad or m]
    pub range: Option<[f64; 2]>,
    /// The coordinate in the pose that the file describes [rad or m].
    pub reference: f64,
    pub damping: f64,
    pub stiffness: f64,
    /// Where the spring is at rest [rad or m].
    pub rest: f64,
    /// [kg·m² or kg]
    pub armature: f64,
}

impl Joint {
    pub fn new(name: Option<&str>, label: String, place: Place, kind: JointKind) -> Self {
        Self {
            name: name.map(str::to_owned),
            label,
            place,
            kind,
            point: ORIGIN,
            axis: [0.0, 0.0, 1.0],
            range: None,
            reference: 0.0,
            damping: 0.0,
            stiffness: 0.0,
            rest: 0.0,
            armature: 0.0,
        }
    }
}

/// What can touch.
#[derive(Clone, Debug)]
pub struct Geom {
    pub label: String,
    pub place: Place,
    pub solid: Solid,
    /// In the body's frame.
    pub pose: Pose,
    pub surface: Surface,
    /// What a [`GeomPair`] calls it.
    pub id: usize,
}

/// In its own frame.
#[derive(Clone, Debug)]
pub enum Solid {
    Sphere(f64),
    /// Along the third axis.
    Capsule {
        radius: f64,
        half: f64,
    },
    Box(Vector),
    /// Along the third axis.
    Cylinder {
        radius: f64,
        half: f64,
    },
    /// The convex hull of points.
    Hull(Vec<Vector>),
    /// Everything below the first two axes.
    Plane,
}

/// How a shape touches others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Bits: it collides where one's `contype` has a bit of the other's `conaffinity`.
    pub contype: i64,
    pub conaffinity: i64,
    pub mu: f64,
    /// The surface with the higher one decides.
    pub priority: i64,
    pub frictionless: bool,
}

impl Surface {
    /// Collides with all others of its kind.
    pub fn plain(mu: f64) -> Self {
        Self { contype: 1, conaffinity: 1, mu, priority: 0, frictionless: false }
    }

    /// Whether it can touch anything.
    pub fn collides(&self) -> bool {
        self.contype != 0 || self.conaffinity != 0
    }

    pub fn meets(&self, other: &Self) -> bool {
        self.contype & other.conaffinity != 0 || other.contype & self.conaffinity != 0
    }

    /// The friction of two: that of the higher priority, else the larger.
    pub fn friction(&self, other: &Self) -> f64 {
        let of = |surface: &Self| if surface.frictionless { 0.0 } else { surface.mu };
        match self.priority.cmp(&other.priority) {
            std::cmp::Ordering::Greater => of(self),
            std::cmp::Ordering::Less => of(other),
            // Without friction is what both are, or none.
            std::cmp::Ordering::Equal if self.frictionless && other.frictionless => 0.0,
            std::cmp::Ordering::Equal => self.mu.max(other.mu),
        }
    }
}

/// Two shapes that collide by name.
#[derive(Clone, Debug)]
pub struct GeomPair {
    pub ids: [usize; 2],
    pub mu: f64,
}

/// Two bodies held together besides the tree.
#[derive(Clone, Debug)]
pub struct Loop {
    pub name: Option<String>,
    pub label: String,
    pub place: Place,
    /// All of the second body's frame, or a point.
    pub weld: bool,
    /// None is the world.
    pub bodies: [Option<usize>; 2],
    /// In the frame of the first body \[m\].
    pub point: Vector,
    /// The second body's frame in that of the first; as in the pose that the file describes.
    pub relative: Option<Pose>,
}

/// Of one joint.
#[derive(Clone, Copy, Debug)]
pub struct Coordinate {
    /// Of a hinge or slide [rad or m].
    pub q: f64,
    /// [rad/s or m/s]
    pub rate: f64,
    /// Of a ball, from the frame it had; of a free body, in the world.
    pub turn: Quaternion,
    /// Of a free body, in the world \[m\].
    pub position: Option<Vector>,
    /// Of a free body [m/s].
    pub velocity: Vector,
    /// Of a ball or free body, in its own frame [rad/s].
    pub spin: Vector,
}

impl Coordinate {
    /// That of the pose that the file describes.
    pub fn of_reference(joint: &Joint) -> Self {
        Self {
            q: joint.reference,
            rate: 0.0,
            turn: IDENTITY,
            position: None,
            velocity: ORIGIN,
            spin: ORIGIN,
        }
    }
}

/// Where a body is and how it moves.
#[derive(Clone, Debug)]
pub struct Placed {
    /// In the world.
    pub pose: Pose,
    /// Of the frame's origin [m/s].
    pub velocity: Vector,
    /// [rad/s]
    pub spin: Vector,
    /// The point and axis of each joint, in the world.
    pub joints: Vec<(Vector, Vector)>,
    /// Their coordinates [rad or m].
    pub coordinates: Vec<f64>,
    /// The body behind each joint: pose, velocity of its origin, spin.
    pub stages: Vec<(Pose, Vector, Vector)>,
}
