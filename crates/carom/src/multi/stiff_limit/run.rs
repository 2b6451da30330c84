//! The way through an impact, from event to event.

use super::super::Desk;
use super::super::lzb::Gaps;
use super::events::{self, Event, margin};
use super::field::{Field, Slip, Touch};
use super::friction::Friction;
use super::jump;
use super::model::Model;
use super::step::{Method, Stepper};
use crate::ImpactError;
use crate::multi::solve::dot;
use crate::outcome::CompliantEffort;
use carom_ode::Verdict;

/// Velocities and indentations within this count as zero \[1\].
const ZERO: f64 = 1e-13;
/// The first step: all contacts are pressed along straight lines. What that neglects of the velocities is less \[1\].
const LAUNCH: f64 = 1e-4;
/// Slip below this is none where a contact begins to press \[1\].
const STILL: f64 = 1e-10;
/// Slip below this that ends is ended: what is left of it goes straight to zero \[1\].
const STOPPED: f64 = 1e-9;
/// Contacts of a body that pivots stop together: those slower than this, and within this time, stop with the first \[1\].
const TOGETHER: f64 = 1e-7;
/// A step ends before this part of the time that slip has left \[1\].
const BEFORE_STOP: f64 = 0.9;
/// Smaller slip counts for no more than this in what errors are measured by \[1\].
const LEAST_TOLERANCE: f64 = 1e-13;
/// Slip is stiff if its direction follows this many times faster than time passes, and than its size changes; and is no
/// more below the second \[1\].
const STIFF: [[f64; 2]; 2] = [[300.0, 30.0], [60.0, 8.0]];
/// Slip of redundant contacts begins where they would move this fast, relative to free motion, and is met before the
/// second \[1\].
const SLIPS: [f64; 2] = [1e-8, 1e-6];
/// A grip that stops more often than this within the time chatters \[1\].
const CHATTER: (u32, f64) = (10, 1e-3);
/// Slip at which friction is smoothed, and for how long at first \[1\].
const SMOOTHING: f64 = 1e-8;
const SMOOTH_STRETCH: f64 = 1e-3;
/// Energy in the springs that moves nothing any more, relative to that of unit speed \[1\].
const NOTHING_STORED: f64 = 1e-26;
/// Steps that are always allowed, and how many more per contact \[1\].
const MAX_STEPS: [u64; 2] = [200_000, 5_000];
/// Events allowed for, likewise \[1\].
const MAX_EVENTS: [u64; 2] = [5_000, 500];
/// Steps between reports of progress \[1\].
const REPORT: u64 = 1 << 12;

/// Why event by event does not go on.
enum Trouble {
    /// Contacts stop and start without end, or a step is not smooth where it should be: friction is smoothed for a while.
    Smooth { residual: f64 },
    /// For good.
    Error(ImpactError),
}

impl From<ImpactError> for Trouble {
    fn from(error: ImpactError) -> Self {
        Self::Error(error)
    }
}

pub(super) struct Run {
    pub(super) field: Field,
    pub(super) state: Vec<f64>,
    friction: Friction,
    stepper: Stepper,
    time: f64,
    accuracy: f64,
    events: Vec<Event>,
    met: Vec<Event>,
    /// Normal velocities and margins at the start of a step.
    before: Vec<f64>,
    slips: Vec<[f64; 2]>,
    /// When each grip began to be counted, and how often it has stopped since.
    stops: Vec<(f64, u32)>,
    /// Until when friction is smoothed, and for how long next time.
    smooth: Option<f64>,
    smooth_stretch: f64,
    pub(super) effort: CompliantEffort,
}

impl Run {
    pub(super) fn new(model: Model, accuracy: f64, audited: bool) -> Self {
        let field = Field::new(model, audited);
        let (n, g) = (field.model.len(), field.model.grips.len());
        Self {
            state: vec![0.0; field.unknowns() + field.integrals()],
            friction: Friction::default(),
            stepper: Stepper::new(&field),
            time: 0.0,
            accuracy,
            events: Vec::new(),
            met: Vec::new(),
            before: Vec::with_capacity(n),
            slips: vec![[0.0; 2]; g],
            stops: vec![(f64::NEG_INFINITY, 0); g],
            smooth: None,
            smooth_stretch: SMOOTH_STRETCH,
            effort: CompliantEffort::default(),
            field,
        }
    }

    /// Follows the impact to its end.
    pub(super) fn follow(&mut self, desk: &mut Desk) -> Result<(), ImpactError> {
        if !self.launch() {
            return Ok(());
        }
        loop {
            if !self.pressed() {
                if !self.fly() {
                    return Ok(());
                }
                self.seize(desk)?;
                continue;
            }
            match self.stretch(desk) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(Trouble::Error(error)) => return Err(error),
                Err(Trouble::Smooth { residual }) => self.smoothen(residual, desk)?,
            }
            self.effort.events += 1;
            let contacts = self.field.model.len() as u64;
            if self.effort.events > MAX_EVENTS[0] + MAX_EVENTS[1] * contacts {
                return Err(self.limit("events"));
            }
        }
    }

    fn pressed(&self) -> bool {
        self.field.touch.iter().any(|touch| touch.closed())
    }

    /// From first touch to where forces can be told from nothing. False if nobody approaches.
    fn launch(&mut self) -> bool {
        let model = &self.field.model;
        let n = model.len();
        let mut first = f64::INFINITY;
        for (k, spring) in model.springs.iter().enumerate() {
            let u = model.normal_velocity(k, &self.state[n..]);
            // Those that rest are pressed as soon as a neighbour moves.
            self.field.touch[k] = if u > ZERO { Touch::Open } else { Touch::Loading };
            if u < -ZERO {
                first = first.min(LAUNCH * spring.depth / -u);
            }
        }
        if first == f64::INFINITY {
            return false;
        }
        self.field.look(&self.state);
        for k in 0..n {
            let open = self.field.touch[k] == Touch::Open;
            self.state[k] = match self.field.u[k] {
                u if open && model_forgets(&self.field.model) => 0.0 * u,
                u if u.abs() <= ZERO => 0.0,
                u => -u * first,
            };
        }
        true
    }

    /// Forces over the first step grow from nothing like a power of time, along the directions they have at its end.
    fn push_off(&mut self) {
        let n = self.field.model.len();
        let first = {
            let model = &self.field.model;
            let times = (0..n).filter(|&k| self.state[k] > 0.0).map(|k| {
                self.state[k] / -model.normal_velocity(k, &self.state[n..])
            });
            times.fold(f64::INFINITY, f64::min)
        };
        let share = first / (self.field.model.power.exponent() + 1.0);
        let mut slope = vec![0.0; self.state.len()];
        self.field.slope(&self.state, &mut slope);
        for (y, slope) in self.state.iter_mut().zip(&slope).skip(n) {
            *y += share * slope;
        }
        self.time = first;
        self.stepper.h = first;
    }
}

fn model_forgets(model: &Model) -> bool {
    model.gaps == Gaps::Forget
}
