//! Many motions of one scene: every point of a design over its numbers is followed to its end.
//!
//! Rows are handed out one by one, and no row knows of another: what comes out has the same bits however many threads there
//! are. A row that is no scene, or that could not be followed to its end, says why; the others go on.

use crate::sweep::Design;
use carom::{ImpactError, Law};
use carom_io::failure::Failure;
use carom_io::format::Node;
use carom_io::memory;
use carom_scene::SceneFile;
use carom_sim::motion::{
    BodyState, Dimension, EndReason, Motion, MotionObserver, Options, Scene, Turn,
    simulate_observed,
};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// So long the caller's thread waits for the others between two looks at whether to stop.
const PATIENCE: Duration = Duration::from_millis(5);
/// Numbers of a row beside its parameters and states, with room for texts \[1\].
const NUMBERS: usize = 40;

/// Energies of a row, in this order: kinetic, of gravity and of springs at the end, the total at t = 0, the works by kind,
/// and what the ledger leaves open \[J\].
pub const ENERGIES: [&str; 10] = [
    "kinetic",
    "potential",
    "elastic",
    "start",
    "impacts",
    "friction",
    "damping",
    "forces",
    "drives",
    "residual",
];
/// Counts of a row, in this order: impacts, those within accumulations too, events, steps \[1\].
pub const COUNTS: [&str; 3] = ["impacts", "events", "steps"];

/// A scene, and which of its numbers take which values.
pub struct Ensemble {
    document: Node,
    design: Design,
    law: Option<Law>,
    duration: Option<f64>,
    /// The scene as it stands in the document.
    scene: Scene,
    points: usize,
}

/// What became of some points: columns of one length. Rows that are no scene are NaN and zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ended {
    /// The numbers of each point, parameter by parameter.
    pub values: Vec<f64>,
    /// Of each body at the end: position \[m\], orientation [rad or 1], velocity [m/s], angular velocity [rad/s]; six
    /// numbers in the plane, thirteen in space.
    pub states: Vec<f64>,
    /// [`ENERGIES`] of each point \[J\].
    pub energies: Vec<f64>,
    /// [`COUNTS`] of each point \[1\].
    pub counts: Vec<u64>,
    /// When each ended \[s\].
    pub end_times: Vec<f64>,
    /// Why each ended; nothing if it never began.
    pub end_reasons: Vec<Option<&'static str>>,
    /// Why a row has no motion, or none to its end.
    pub errors: Vec<Option<String>>,
}

/// Why there are no rows at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Rows that were done by then \[1\].
    pub done: usize,
}

impl Ensemble {
    /// Checks that the document is a scene, and that it has the numbers of the design. `law` and `duration` stand in the
    /// place of the scene's.
    pub fn new(
        document: Node,
        design: Design,
        law: Option<Law>,
        duration: Option<f64>,
    ) -> Result<Self, Failure> {
        let scene = SceneFile::read(&document)?.scene;
        if let Some(duration) = duration.filter(|d| !(d.is_finite() && *d >= 0.0)) {
            let reason = "must be a number of seconds, zero or more";
            return Err(ImpactError::bad_problem("duration", duration, reason).into());
        }
        let points = design.points().and_then(|points| usize::try_from(points).ok());
        let points = points
            .ok_or_else(|| Failure::Usage("design: more points than can be counted".into()))?;
        let ensemble = Self { document, design, law, duration, scene, points };
        // A number that is not there, and a design that never gives a scene, are told before the work.
        let mut values = Vec::new();
        ensemble.design.values(0, &mut values);
        ensemble.put(&mut ensemble.document.clone(), &values)?;
        Ok(ensemble)
    }

    /// How many points there are \[1\].
    pub fn points(&self) -> usize {
        self.points
    }

    /// The names of the numbers that change.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.design.parameters.iter().map(|parameter| parameter.name.as_str())
    }

    /// The scene before anything is put into it.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    fn put(&self, document: &mut Node, values: &[f64]) -> Result<(), Failure> {
        let parameters = self.design.parameters.iter().zip(values);
        parameters.into_iter().try_for_each(|(parameter, value)| parameter.put(document, *value))
    }

    /// Numbers that a body's state has.
    fn state_size(&self) -> usize {
        match self.scene.dimension {
            Dimension::Plane => 6,
            Dimension::Space => 13,
        }
    }

    /// Follows the motions of some points. `threads` of 0 means as many as the machine has cores. `poll` is asked every few
    /// milliseconds, on the caller's thread, with the number of rows done; `Break` stops them all.
    pub fn run(
        &self,
        points: Range<usize>,
        threads: usize,
        poll: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Result<Ended, Stopped>, ImpactError> {
        let points = points.start.min(self.points)..points.end.min(self.points);
        let size = self.scene.bodies.len() * self.state_size() + self.design.parameters.len();
        // The rows as they come, and their columns.
        let bytes = 2 * 8 * points.len() as u128 * (size + NUMBERS) as u128;
        memory::check(bytes, &format!("{} motions", points.len()))?;
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores() } else { threads };
        let work = Work {
            ensemble: self,
            points: points.clone(),
            taken: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        };
        let mut rows = work.spread(threads.clamp(1, points.len().max(1)), poll);
        if work.stop.load(Ordering::Relaxed) {
            return Ok(Err(Stopped { done: work.done.load(Ordering::Relaxed) }));
        }
        rows.sort_by_key(|(point, _)| *point);
        let mut ended = Ended::default();
        let mut values = Vec::new();
        for (point, line) in rows {
            self.design.values(point as u64, &mut values);
            ended.values.extend_from_slice(&values);
            ended.states.extend(line.states);
            ended.energies.extend(line.energies);
            ended.counts.extend(line.counts);
            ended.end_times.push(line.end_time);
            ended.end_reasons.push(line.end_reason);
            ended.errors.push(line.error);
        }
        Ok(Ok(ended))
    }

    /// The motion at a point. `observer` may stop it.
    fn follow(&self, point: usize, observer: &mut dyn MotionObserver) -> Result<Motion, Failure> {
        let mut values = Vec::new();
        self.design.values(point as u64, &mut values);
        let mut document = self.document.clone();
        self.put(&mut document, &values)?;
        let mut scene = SceneFile::read(&document)?.scene;
        scene.duration = self.duration.unwrap_or(scene.duration);
        let mut options = Options::at([scene.duration]);
        options.law = self.law;
        Ok(simulate_observed(&scene, &options, observer)?)
    }

    /// What is kept of a motion.
    fn line(&self, motion: Result<Motion, Failure>) -> Line {
        let motion = match motion {
            Ok(motion) => motion,
            Err(failure) => {
                return Line {
                    states: vec![f64::NAN; self.scene.bodies.len() * self.state_size()],
                    energies: [f64::NAN; ENERGIES.len()],
                    counts: [0; COUNTS.len()],
                    end_time: f64::NAN,
                    end_reason: None,
                    error: Some(format!("{}: {failure}", failure.kind())),
                };
            }
        };
        let Motion { samples, events, ledger, effort, end, .. } = &motion;
        let mut states = Vec::new();
        let mut at_end = [f64::NAN; 3];
        if let Some(sample) = samples.last() {
            sample.bodies.iter().for_each(|state| self.tell(state, &mut states));
            at_end = [sample.kinetic, sample.potential, sample.elastic];
        }
        let [kinetic, potential, elastic] = at_end;
        Line {
            states,
            energies: [
                kinetic,
                potential,
                elastic,
                ledger.start,
                ledger.impacts,
                ledger.friction,
                ledger.damping,
                ledger.forces,
                ledger.drives,
                ledger.residual,
            ],
            counts: [effort.impacts, events.len() as u64, effort.steps],
            end_time: end.time,
            end_reason: Some(end.reason.name()),
            error: match &end.reason {
                EndReason::Failed(failure) => {
                    Some(format!("{}: {}", failure.kind.name(), failure.message))
                }
                _ => None,
            },
        }
    }

    fn tell(&self, state: &BodyState, out: &mut Vec<f64>) {
        let turn = match &state.orientation {
            Turn::Angle(angle) => std::slice::from_ref(angle),
            Turn::Quaternion(q) => &q[..],
        };
        let (vector, axial) = match self.scene.dimension {
            Dimension::Plane => (0..2, 2..3),
            Dimension::Space => (0..3, 0..3),
        };
        out.extend_from_slice(&state.position[vector.clone()]);
        out.extend_from_slice(turn);
        out.extend_from_slice(&state.velocity[vector]);
        out.extend_from_slice(&state.angular_velocity[axial]);
    }
}

/// A row that is done.
struct Line {
    states: Vec<f64>,
    energies: [f64; ENERGIES.len()],
    counts: [u64; COUNTS.len()],
    end_time: f64,
    end_reason: Option<&'static str>,
    error: Option<String>,
}

/// What all threads share.
struct Work<'a> {
    ensemble: &'a Ensemble,
    points: Range<usize>,
    taken: AtomicUsize,
    done: AtomicUsize,
    stop: AtomicBool,
}

impl Work<'_> {
    fn spread(
        &self,
        threads: usize,
        poll: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Vec<(usize, Line)> {
        thread::scope(|scope| {
            // Each helper holds a sender: when the last one goes, the caller hears of it at once.
            let (sender, all_gone) = channel::<()>();
            let helpers: Vec<_> = (1..threads)
                // A machine that refuses more threads gets by with those it has.
                .map_while(|_| {
                    let (builder, here) = (thread::Builder::new(), sender.clone());
                    let take_part = move || {
                        let _here = here;
                        self.take_part(&mut Helper(self))
                    };
                    builder.spawn_scoped(scope, take_part).ok()
                })
                .collect();
            drop(sender);
            let mut caller = Caller { work: self, poll };
            let mut rows = self.take_part(&mut caller);
            while all_gone.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                caller.look();
            }
            for helper in helpers {
                match helper.join() {
                    Ok(more) => rows.extend(more),
                    // The panic goes on where it would have been seen without threads.
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            rows
        })
    }

    fn take_part(&self, observer: &mut dyn MotionObserver) -> Vec<(usize, Line)> {
        let mut rows = Vec::new();
        while !self.stop.load(Ordering::Relaxed) {
            let taken = self.taken.fetch_add(1, Ordering::Relaxed);
            if taken >= self.points.len() {
                break;
            }
            let point = self.points.start + taken;
            rows.push((point, self.ensemble.line(self.ensemble.follow(point, observer))));
            self.done.fetch_add(1, Ordering::Relaxed);
            let _ = observer.progress(0.0);
        }
        rows
    }
}

/// The observer in a thread of our own: stops when the caller's thread says so.
struct Helper<'a>(&'a Work<'a>);

impl MotionObserver for Helper<'_> {
    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        match self.0.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The observer in the caller's thread: polls the caller, and stops the others.
struct Caller<'a> {
    work: &'a Work<'a>,
    poll: &'a mut dyn FnMut(usize) -> ControlFlow<()>,
}

impl Caller<'_> {
    fn look(&mut self) {
        if (self.poll)(self.work.done.load(Ordering::Relaxed)).is_break() {
            self.work.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl MotionObserver for Caller<'_> {
    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        self.look();
        match self.work.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
