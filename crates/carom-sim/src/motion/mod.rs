//! Motion in time: from event to event, each impact under any law of the catalogue.
//!
//! ```
//! use carom::Material;
//! use carom_sim::motion::{Dimension, Options, Pair, Scene, SceneBody, Shape, simulate};
//!
//! // A ball of 1 kg falls from 1 m onto a floor, with e = 0.5.
//! let mut floor = SceneBody::fixed("floor");
//! floor.shapes = vec![Shape::HalfSpace { normal: [0.0, 1.0, 0.0], offset: 0.0 }];
//! let mut ball = SceneBody::moving("ball", 1.0, [[0.0; 3], [0.0; 3], [0.0, 0.0, 0.005]]);
//! ball.position = [0.0, 1.1, 0.0];
//! ball.shapes = vec![Shape::Sphere { radius: 0.1, center: [0.0; 3] }];
//! let mut scene = Scene::new(Dimension::Plane);
//! scene.bodies = vec![floor, ball];
//! scene.pairs = vec![Pair { a: None, b: None, material: Material::new(0.0, 0.5)? }];
//! scene.duration = 2.0;
//!
//! let motion = simulate(&scene, &Options::at([1.0, 2.0]))?;
//! // Three times the time of the first fall: 1 + 2 (e + e² + …).
//! assert!((motion.end.time - 3.0 * f64::sqrt(2.0 / 9.81)).abs() < 1e-9);
//! assert!(motion.ledger.residual.abs() < 1e-12);
//! # Ok::<(), carom::ImpactError>(())
//! ```
//!
//! # Where to look
//!
//! | | |
//! |---|---|
//! | `scene`, `report` | what goes in and what comes out |
//! | `start` | what can be said of a scene before it is followed |
//! | `run` | groups of bodies with clocks of their own, which meet and part; samples |
//! | `group` | one group: its steps, its events, what happens at each |
//! | `assembly` | bodies held together by joints: coordinates, equations of motion, loops |
//! | `applied` | forces of the caller's own |
//! | `dense` | a motion at any time after it was followed |
//! | `geometry` | gaps between shapes, one smooth function per pair of features |
//! | `contact`, `model` | a contact at an instant; a scene made ready |
//! | `field`, `pattern` | accelerations under contacts that last |
//! | `decide` | which contacts press, stick and slide |
//! | `watch`, `search` | when a pattern ends, and when a gap closes |
//! | `impact`, `bounces` | one impact under a law; infinitely many of them |

mod applied;
mod assembly;
mod bare;
mod bounces;
mod contact;
mod decide;
mod dense;
mod field;
mod geometry;
mod group;
mod impact;
mod model;
mod next;
mod pattern;
mod report;
mod run;
mod scene;
mod search;
mod start;
mod stepping;
mod vector;
mod watch;

pub use applied::{AppliedForces, BodyLoad};
#[doc(hidden)]
pub use bare::{BareMotion, Joints};
pub use dense::Dense;
pub use geometry::ConvexHull;
pub use next::{NextContact, NextImpact, impacts_at, next_impact};
pub use report::{
    Between, BodyState, ContactState, Effort, End, EndReason, Event, EventContact, EventKind,
    Failure, FailureKind, Ledger, Motion, Sample, Works,
};
pub use run::{MotionObserver, Options, StepTaken, simulate, simulate_observed};
pub use scene::{
    Accuracy, BodyKind, Dimension, Force, Mode, Pair, Prescribed, Scene, SceneBody, SceneJoint,
    SceneJointKind, Shape, Spring, Turn,
};
pub use start::{MassMatrix, Overlap, Velocity, mass_matrix, overlaps};
