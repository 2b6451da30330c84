//! What a run tells: samples, events, the ledger of energy, and how it ended.

use super::dense::Dense;
use super::scene::Turn;
use carom::Verdict;

/// A motion that was followed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Motion {
    /// One per time asked for, in that order.
    pub samples: Vec<Sample>,
    /// In the order of time.
    pub events: Vec<Event>,
    /// Where energy went.
    pub ledger: Ledger,
    /// When and why it ended.
    pub end: End,
    /// The work done.
    pub effort: Effort,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// The motion between its samples, where asked for.
    pub dense: Option<Dense>,
}

/// All bodies at one time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sample {
    /// \[s\]
    pub time: f64,
    /// In the order of the scene.
    pub bodies: Vec<BodyState>,
    /// \[J\]
    pub kinetic: f64,
    /// Of gravity \[J\].
    pub potential: f64,
    /// Of springs \[J\].
    pub elastic: f64,
    /// What energy went where up to this time.
    pub works: Works,
    /// Contacts that last at this time, where asked for.
    pub contacts: Vec<ContactState>,
}

/// Works done on the bodies since t = 0, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Works {
    /// By impulses on the relative motion \[J\].
    pub impacts: f64,
    /// By sliding friction \[J\].
    pub friction: f64,
    /// By dampers \[J\].
    pub damping: f64,
    /// By forces and torques that are given \[J\].
    pub forces: f64,
    /// By prescribed motion and conveyors \[J\].
    pub drives: f64,
}

impl Works {
    /// All of them, in the order in which they stand.
    pub fn numbers(&self) -> [f64; 5] {
        [self.impacts, self.friction, self.damping, self.forces, self.drives]
    }
}

/// A body at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Of the centre of mass \[m\].
    pub position: [f64; 3],
    /// From its frame to the world's.
    pub orientation: Turn,
    /// [m/s]
    pub velocity: [f64; 3],
    /// In the world's frame [rad/s].
    pub angular_velocity: [f64; 3],
}

/// A contact that lasts, at one time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactState {
    /// Between what.
    pub between: Between,
    /// In the world \[m\].
    pub point: [f64; 3],
    /// From A to B \[1\].
    pub normal: [f64; 3],
    /// On B, in the world's frame \[N\].
    pub force: [f64; 3],
    /// Whether it slides.
    pub slides: bool,
}

/// What touches what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Two bodies, by their places in the scene; the normal points from the first to the second.
    Bodies(usize, usize),
    /// A joint at its limit.
    Joint(usize),
}

/// Something that happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Event {
    /// \[s\]
    pub time: f64,
    /// What.
    pub kind: EventKind,
    /// Where.
    pub contacts: Vec<EventContact>,
    /// Of an impact, the work of its impulses on the relative motion \[J\]; of an accumulation that of its tail.
    pub energy_change: f64,
    /// The certificate's verdict on an impact.
    pub verdict: Option<Verdict>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// Velocities jumped.
    Impact {
        /// False where no bodies approached: sliding friction that has no finite force.
        collision: bool,
    },
    /// An impact at the limit of a joint.
    Limit,
    /// The end of infinitely many impacts.
    Accumulation {
        /// How many were followed one by one \[1\].
        impacts: u64,
        /// Of successive flights; 0 where several contacts struck in no steady order \[1\].
        ratio: f64,
        /// When the rest was replaced by lasting contact \[s\].
        captured_at: f64,
        /// Estimated, of the time \[s\].
        error: f64,
    },
    /// A contact that held began to slide.
    Slip,
    /// A contact that slid holds.
    Stick,
    /// A contact that lasted is open.
    Separation,
    /// Nothing moves any more.
    Rest,
    /// A contact went over to another feature of the same bodies.
    Feature,
}

impl EventKind {
    /// As written in answers.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Impact { .. } => "impact",
            Self::Limit => "limit",
            Self::Accumulation { .. } => "accumulation",
            Self::Slip => "slip",
            Self::Stick => "stick",
            Self::Separation => "separation",
            Self::Rest => "rest",
            Self::Feature => "feature",
        }
    }
}

/// One contact of an event.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EventContact {
    /// Between what.
    pub between: Between,
    /// In the world; the origin for the limit of a joint \[m\].
    pub point: [f64; 3],
    /// From A to B \[1\].
    pub normal: [f64; 3],
    /// On B, in the world's frame; of a limit the first number is along its coordinate, positive away from it [N·s].
    pub impulse: [f64; 3],
}

/// Energy by kind. Works are added to the energy of the bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// The total at t = 0 \[J\].
    pub start: f64,
    /// The total at the end \[J\].
    pub end: f64,
    /// By impulses on the relative motion \[J\].
    pub impacts: f64,
    /// By sliding friction \[J\].
    pub friction: f64,
    /// By dampers \[J\].
    pub damping: f64,
    /// By forces and torques that are given \[J\].
    pub forces: f64,
    /// By prescribed motion and conveyors \[J\].
    pub drives: f64,
    /// `start + works − end` \[J\].
    pub residual: f64,
}

impl Ledger {
    /// All works together \[J\].
    pub fn works(&self) -> f64 {
        self.impacts + self.friction + self.damping + self.forces + self.drives
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// \[s\]
    pub time: f64,
    /// Why.
    pub reason: EndReason,
}

impl Default for End {
    fn default() -> Self {
        Self { time: 0.0, reason: EndReason::Duration }
    }
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EndReason {
    /// The time asked for has passed.
    Duration,
    /// Nothing moves, and nothing will.
    Rest,
    /// The caller stopped it.
    Interrupted,
    /// It could not go on.
    Failed(Failure),
}

impl EndReason {
    /// As written in answers.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::Rest => "rest",
            Self::Interrupted => "interrupted",
            Self::Failed(failure) => failure.kind.name(),
        }
    }
}

/// Why a run could not go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Its class.
    pub kind: FailureKind,
    /// What happened, and what to try.
    pub message: String,
}

/// Classes of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureKind {
    /// No forces keep all contacts from moving into each other.
    NoPattern,
    /// The law of impacts has no answer.
    Impact,
    /// Impacts follow each other at one time without end.
    ImpactSequence,
    /// More events than allowed, in all or at nearly one time.
    TooManyEvents,
    /// Steps become too short: something is not smooth.
    Step,
    /// Joints that depend on each other ask for different accelerations.
    JointsContradict,
    /// A spring with a length at rest has none.
    SpringLength,
}

impl FailureKind {
    /// As written in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoPattern => "no-pattern",
            Self::Impact => "impact",
            Self::ImpactSequence => "impact-sequence",
            Self::TooManyEvents => "too-many-events",
            Self::Step => "step",
            Self::JointsContradict => "joints-contradict",
            Self::SpringLength => "spring-length",
        }
    }
}

/// The work a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effort {
    /// Steps that were accepted \[1\].
    pub steps: u64,
    /// Evaluations of accelerations \[1\].
    pub slopes: u64,
    /// Impacts, those within accumulations too \[1\].
    pub impacts: u64,
    /// Times at which the state of contacts was decided anew \[1\].
    pub decisions: u64,
    /// Times at which groups of bodies met \[1\].
    pub merges: u64,
}
