//! Every key of the scene format, once: the readers check files against these tables, and the schema is made of them.

use carom_io::format::keys::{
    BODY_MASS, DESCRIPTION, FIXED, INERTIA, JOINT_A, JOINT_B, JOINT_POINT, JOINT_TYPE, Key,
    KeyTable, MATERIAL_KEYS, NAME, ORIENTATION, Shape, TITLE, optional, required,
};
use carom_io::keys;

keys! {
    SCENE_KEYS:
    GRAVITY = optional("gravity", Shape::Numbers,
        "the acceleration of free fall, as many numbers as positions have, default 9.81 down the last axis [m/s²]");
    DURATION = optional("duration", Shape::Number, "how long the motion is followed, default 1 [s]");
    LAW = optional("law", Shape::Law, "the law of impacts; by default the one for as many contacts as an impact has");
    MODE = optional("mode", Shape::ChoiceOrTable(&["events"], &MODE_TABLE),
        "from event to event (default), or in steps of one length");
    ACCURACY = optional("accuracy", Shape::Table(&ACCURACY_TABLE), "what is promised of states and times");
    MAX_EVENTS = optional("max_events", Shape::Count, "more events than this end the run, default 1e6 [1]");
    BODIES = required("bodies", Shape::Tables(&BODY), "the bodies");
    JOINTS = optional("joints", Shape::Tables(&JOINT), "what holds bodies together");
    SPRINGS = optional("springs", Shape::Tables(&SPRING), "springs and dampers between points of bodies");
    FORCES = optional("forces", Shape::Tables(&FORCE), "constant forces and torques");
    PAIRS = optional("pairs", Shape::Tables(&PAIR),
        "which bodies collide, and with which surfaces; the last that fits counts, and where none fits they do not collide");
}

/// Keys that are shown and nothing else.
const TEXTS: &[Key] = &[TITLE, DESCRIPTION];

keys! {
    MODE_KEYS:
    STEPPING = required("stepping", Shape::Table(&STEPPING_TABLE), "in steps, contacts at the end of each: for piles");
}

keys! {
    STEPPING_KEYS:
    STEP = required("h", Shape::Number, "the length of a step [s]");
    THETA = optional("theta", Shape::Number, "where in a step forces are taken, 0 to 1, default 0.5 [1]");
}

keys! {
    ACCURACY_KEYS:
    STATE = optional("state", Shape::Number, "of states, relative to the scene's scales, default 1e-8 [1]");
    TIME = optional("time", Shape::Number, "of event times, default 1e-9 [s]");
}

keys! {
    BODY_KEYS:
    POSITION = optional("position", Shape::Numbers,
        "the centre of mass at t = 0, of a fixed body its origin; 2 or 3 numbers, required unless fixed [m]");
    VELOCITY = optional("velocity", Shape::Numbers, "of the centre of mass at t = 0, default 0 [m/s]");
    ANGULAR_VELOCITY = optional("angular_velocity", Shape::NumberOrNumbers,
        "at t = 0, 3 numbers, world frame; in the plane one; default 0 [rad/s]");
    SHAPES = optional("shapes", Shape::Kinds(&SHAPE_KINDS),
        "what can touch, in the body's frame with the origin at `position`; absent, nothing");
    MOTION = optional("motion", Shape::Table(&MOTION_TABLE),
        "of a fixed body: how its origin moves, added to `position`");
    SURFACE_VELOCITY = optional("surface_velocity", Shape::Numbers,
        "a conveyor: the velocity of the surface, world frame, default 0; the body does not move by it [m/s]");
}

/// Keys that bodies of scenes share with those of problems.
const BODY_SHARED: &[Key] = &[NAME, FIXED, BODY_MASS, INERTIA, ORIENTATION];

keys! {
    MOTION_KEYS:
    SINE = optional("sine", Shape::Table(&SINE_TABLE), "amplitude · sin(2π frequency t + phase)");
    UNIFORM = optional("velocity", Shape::Numbers, "velocity · t [m/s]");
}

keys! {
    SINE_KEYS:
    AMPLITUDE = required("amplitude", Shape::Numbers, "world frame [m]");
    FREQUENCY = required("frequency", Shape::Number, "0 or more [Hz]");
    PHASE = optional("phase", Shape::Number, "default 0 [rad]");
}

keys! {
    JOINT_KEYS:
    JOINT_NAME = optional("name", Shape::Text, "how events call the joint");
    JOINT_AXIS = optional("axis", Shape::Numbers,
        "of a hinge or slider, world frame at t = 0; in the plane a hinge needs none [1]");
    LIMITS = optional("limits", Shape::Limits,
        "of a hinge's angle or a slider's displacement from the pose at t = 0, lowest and highest, \"-inf\" and \"inf\" for none [rad or m]");
    LIMIT_E = optional("e", Shape::Number, "restitution at the limits, 0 to 1, default 0 [1]");
    STIFFNESS = optional("stiffness", Shape::Number,
        "of a spring on the coordinate, default 0 [N·m/rad or N/m]");
    DAMPING = optional("damping", Shape::Number, "of a damper on the coordinate, default 0 [N·m·s/rad or N·s/m]");
    REST = optional("rest", Shape::Number,
        "the coordinate at which that spring is at rest, default 0, the pose at t = 0 [rad or m]");
    DRIVE_TORQUE = optional("torque", Shape::Number,
        "a constant torque of a hinge, or force of a slider, default 0 [N·m or N]");
    ARMATURE = optional("armature", Shape::Number,
        "inertia that turns or slides with the coordinate alone, as a geared rotor: kinetic energy ½ armature q̇², default 0 [kg·m² or kg]");
}

/// Keys that joints of scenes share with those of problems.
const JOINT_SHARED: &[Key] = &[JOINT_TYPE, JOINT_A, JOINT_B, JOINT_POINT];

keys! {
    SPRING_KEYS:
    POINT_A = required("point_a", Shape::Numbers, "where it hangs on `a`, world frame at t = 0 [m]");
    POINT_B = required("point_b", Shape::Numbers, "where it hangs on `b`, world frame at t = 0 [m]");
    SPRING_STIFFNESS = optional("stiffness", Shape::Number, "default 0 [N/m]");
    SPRING_DAMPING = optional("damping", Shape::Number, "of a damper along it, default 0 [N·s/m]");
    LENGTH = optional("length", Shape::Number, "at rest; absent, as at t = 0 [m]");
}

/// The two bodies of a spring.
const ENDS: &[Key] = &[JOINT_A, JOINT_B];

keys! {
    FORCE_KEYS:
    FORCE_BODY = required("body", Shape::Text, "on which it acts");
    FORCE_VECTOR = optional("force", Shape::Numbers, "world frame, default 0 [N]");
    FORCE_POINT = optional("point", Shape::Numbers, "where it acts, body frame, default the centre of mass [m]");
    TORQUE = optional("torque", Shape::NumberOrNumbers, "3 numbers, world frame; in the plane one; default 0 [N·m]");
}

keys! {
    PAIR_KEYS:
    PAIR_A = required("a", Shape::Text, "a body, or \"*\" for any");
    PAIR_B = required("b", Shape::Text, "a body, or \"*\" for any");
}

keys! {
    KIND_KEY:
    SHAPE_TYPE = required("type", Shape::Choice(&SHAPE_NAMES), "which shape");
}

keys! {
    BALL_KEYS:
    RADIUS = required("radius", Shape::Number, "above 0 [m]");
    CENTER = optional("center", Shape::Numbers, "default the body's origin [m]");
}

keys! {
    CAPSULE_KEYS:
    CAPSULE_RADIUS = required("radius", Shape::Number, "above 0 [m]");
    FROM = required("from", Shape::Numbers, "the centre of the sphere at one end [m]");
    TO = required("to", Shape::Numbers, "the centre of the sphere at the other end [m]");
}

keys! {
    BOX_KEYS:
    HALF = required("half", Shape::Numbers, "half of each side, 3 numbers above 0 [m]");
    BOX_CENTER = optional("center", Shape::Numbers, "default the body's origin [m]");
    BOX_ORIENTATION = optional("orientation", Shape::Numbers,
        "quaternion [w, x, y, z] from the box's axes to the body's, default identity [1]");
}

keys! {
    CYLINDER_KEYS:
    CYLINDER_RADIUS = required("radius", Shape::Number, "above 0 [m]");
    HALF_HEIGHT = required("half_height", Shape::Number, "half of its length, above 0 [m]");
    CYLINDER_AXIS = required("axis", Shape::Numbers, "its direction; its length does not matter [1]");
    CYLINDER_CENTER = optional("center", Shape::Numbers, "default the body's origin [m]");
}

keys! {
    POINTS_KEYS:
    POINTS = required("points", Shape::Matrix, "its corners [m]");
}

keys! {
    HALF_SPACE_KEYS:
    NORMAL = required("normal", Shape::Numbers, "outwards; its length does not matter [1]");
    OFFSET = required("offset", Shape::Number, "normal · x of the surface, with the normal at length one [m]");
}

/// A scene.
pub static SCENE: KeyTable = KeyTable::new("a scene", &[TEXTS, SCENE_KEYS]);
/// The table under `mode`.
pub static MODE_TABLE: KeyTable = KeyTable::new("a mode", &[MODE_KEYS]);
/// The table under `stepping`.
pub static STEPPING_TABLE: KeyTable = KeyTable::new("time stepping", &[STEPPING_KEYS]);
/// The table under `accuracy`.
pub static ACCURACY_TABLE: KeyTable = KeyTable::new("accuracies", &[ACCURACY_KEYS]);
/// A body.
pub static BODY: KeyTable = KeyTable::new("a body", &[BODY_SHARED, BODY_KEYS]);
/// The table under `motion`.
pub static MOTION_TABLE: KeyTable = KeyTable::new("the motion of a fixed body", &[MOTION_KEYS]);
/// The table under `sine`.
pub static SINE_TABLE: KeyTable = KeyTable::new("a sine", &[SINE_KEYS]);
/// A joint.
pub static JOINT: KeyTable = KeyTable::new("a joint", &[JOINT_SHARED, JOINT_KEYS]);
/// A spring.
pub static SPRING: KeyTable = KeyTable::new("a spring", &[ENDS, SPRING_KEYS]);
/// A force.
pub static FORCE: KeyTable = KeyTable::new("a force", &[FORCE_KEYS]);
/// A pair of bodies that may collide.
pub static PAIR: KeyTable = KeyTable::new("a pair", &[PAIR_KEYS, MATERIAL_KEYS]);

static SPHERE_TABLE: KeyTable = KeyTable::new("a sphere", &[KIND_KEY, BALL_KEYS]);
static DISK_TABLE: KeyTable = KeyTable::new("a disk", &[KIND_KEY, BALL_KEYS]);
static CAPSULE_TABLE: KeyTable = KeyTable::new("a capsule", &[KIND_KEY, CAPSULE_KEYS]);
static BOX_TABLE: KeyTable = KeyTable::new("a box", &[KIND_KEY, BOX_KEYS]);
static CYLINDER_TABLE: KeyTable = KeyTable::new("a cylinder", &[KIND_KEY, CYLINDER_KEYS]);
static CONVEX_TABLE: KeyTable = KeyTable::new("a convex body", &[KIND_KEY, POINTS_KEYS]);
static POLYGON_TABLE: KeyTable = KeyTable::new("a polygon", &[KIND_KEY, POINTS_KEYS]);
static POINTS_TABLE: KeyTable = KeyTable::new("points", &[KIND_KEY, POINTS_KEYS]);
static HALF_SPACE_TABLE: KeyTable = KeyTable::new("a half-space", &[KIND_KEY, HALF_SPACE_KEYS]);
static HALF_PLANE_TABLE: KeyTable = KeyTable::new("a half-plane", &[KIND_KEY, HALF_SPACE_KEYS]);

/// Each shape with its keys.
pub static SHAPE_KINDS: [(&str, &KeyTable); 10] = [
    ("sphere", &SPHERE_TABLE),
    ("capsule", &CAPSULE_TABLE),
    ("box", &BOX_TABLE),
    ("cylinder", &CYLINDER_TABLE),
    ("convex", &CONVEX_TABLE),
    ("points", &POINTS_TABLE),
    ("half-space", &HALF_SPACE_TABLE),
    ("disk", &DISK_TABLE),
    ("polygon", &POLYGON_TABLE),
    ("half-plane", &HALF_PLANE_TABLE),
];

/// Their names.
const SHAPE_NAMES: [&str; 10] = [
    "sphere",
    "capsule",
    "box",
    "cylinder",
    "convex",
    "points",
    "half-space",
    "disk",
    "polygon",
    "half-plane",
];
