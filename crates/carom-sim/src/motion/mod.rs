//! Motion in time: from event to event, each impact under any law of the catalogue.

mod assembly;
mod bounces;
mod contact;
mod decide;
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
mod stepping;
mod vector;
mod watch;

pub use next::{NextContact, NextImpact, next_impact};
pub use report::{
    Between, BodyState, ContactState, Effort, End, EndReason, Event, EventContact, EventKind,
    Failure, FailureKind, Ledger, Motion, Sample,
};
pub use run::{MotionObserver, Options, simulate, simulate_observed};
pub use scene::{
    Accuracy, BodyKind, Dimension, Force, Mode, Pair, Prescribed, Scene, SceneBody, SceneJoint,
    SceneJointKind, Shape, Spring, Turn,
};
