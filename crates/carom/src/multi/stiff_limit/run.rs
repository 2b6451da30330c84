//! The way through an impact, from event to event.

use super::super::Desk;
use super::super::lzb::Gaps;
use super::events::{self, Event, margin};
use super::field::{Field, Slip, Touch};
use super::friction::Friction;
use super::model::{Model, Power};
use super::motion::Motion;
use super::passed::Suspect;
use super::rows::length;
use super::step::{Method, Stepper};
use crate::ImpactError;
use crate::multi::solve::dot;
use crate::outcome::{CompliantEffort, MultiStep};
use carom_ode::Verdict;

/// Velocities and indentations within this count as zero \[1\].
pub(super) const ZERO: f64 = 1e-13;
/// The first step: all contacts are pressed along straight lines. What that neglects of the velocities is less \[1\].
pub(super) const LAUNCH: f64 = 1e-4;
/// Slip below this is none where a contact begins to press \[1\].
const STILL: f64 = 1e-10;
/// The same for a contact that stuck until now \[1\].
const STUCK: f64 = 1e-6;
/// Slip of redundant contacts begins where they would move this fast, relative to free motion, and is met before the
/// second \[1\].
const SLIPS: [f64; 2] = [1e-7, 3e-6];
/// A step that saw too much is repeated with this part of its length, down to the least \[1\].
const SHORTER: f64 = 0.3;
const SOON: f64 = 1e-13;
/// Contacts that press for so many times the time in which the slowest of them would stop at unit speed are wedged \[1\].
const WEDGED: f64 = 1e4;
/// Steps that are always allowed, and how many more per contact \[1\].
const MAX_STEPS: [u64; 2] = [200_000, 5_000];
/// Events allowed for, likewise \[1\].
const MAX_EVENTS: [u64; 2] = [5_000, 500];
const SOONER: u64 = 10;
/// An impact that has had all its steps or events ends where nobody approaches faster, and springs give no more speed \[1\].
const TAIL: f64 = 1e-7;
/// Steps between reports of progress \[1\].
const REPORT: u64 = 1 << 12;

/// Why event by event does not go on.
pub(super) enum Trouble {
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

/// What a step has met.
#[derive(Clone, Copy)]
enum Seen {
    /// Events inside the step, the nearest of them so far from its start; or none.
    Ahead(f64),
    /// Events where it starts.
    Now,
    /// Events that were met where it starts, moved away and came back: it is too long.
    Between,
}

/// An event at the start of a step.
#[derive(Clone, Copy)]
pub(super) struct Before {
    /// How far it is.
    pub(super) margin: f64,
    /// How fast that grows, where it is known.
    pub(super) rate: Option<f64>,
    /// Whether it is met there and moves away.
    recedes: bool,
}

pub(super) struct Run {
    pub(super) field: Field,
    pub(super) state: Vec<f64>,
    pub(super) friction: Friction,
    pub(super) stepper: Stepper,
    pub(super) time: f64,
    /// For how long somebody has pressed, and the time in which the slowest would stop \[1\].
    pressed: f64,
    slowest: f64,
    /// The error that a step may make \[1\].
    pub(super) tolerance: f64,
    pub(super) events: Vec<Event>,
    pub(super) met: Vec<Event>,
    /// Contacts whose indentation jumps, and to where.
    pub(super) jumps: Vec<(usize, f64)>,
    /// Whether the end of a tail was not waited for.
    pub(super) cut: bool,
    /// How events are at the start of a step; and slips.
    pub(super) before: Vec<Before>,
    /// What may have been met within the last step.
    pub(super) suspects: Vec<Suspect>,
    slips: Vec<[f64; 2]>,
    /// The slip with which grips have just begun to move, else zero \[1\].
    pub(super) leaving: Vec<f64>,
    /// When each grip began to be counted, and how often it has stopped since.
    pub(super) stops: Vec<(f64, u32)>,
    /// Until when friction is smoothed, and for how long next time.
    pub(super) smooth: Option<f64>,
    pub(super) smooth_stretch: f64,
    pub(super) effort: CompliantEffort,
    /// Whether it was given up because there is no end in sight.
    pub(super) endless: bool,
    /// The numbers of the contacts in the problem, for those who look on.
    pub(super) numbers: Vec<usize>,
}

impl Run {
    pub(super) fn new(model: Model, tolerance: f64) -> Self {
        let field = Field::new(model);
        let g = field.model.grips.len();
        let depths = field.model.springs.iter().map(|spring| spring.depth);
        Self {
            pressed: 0.0,
            slowest: depths.fold(0.0, f64::max),
            state: vec![0.0; field.unknowns() + field.integrals()],
            friction: Friction::default(),
            stepper: Stepper::new(&field),
            time: 0.0,
            tolerance,
            events: Vec::new(),
            met: Vec::new(),
            jumps: Vec::new(),
            cut: false,
            before: Vec::new(),
            suspects: Vec::new(),
            slips: vec![[0.0; 2]; g],
            leaving: vec![0.0; g],
            stops: vec![(f64::NEG_INFINITY, 0); g],
            smooth: None,
            smooth_stretch: super::smooth::STRETCH,
            effort: CompliantEffort::default(),
            endless: false,
            numbers: Vec::new(),
            field,
        }
    }

    /// Follows the impact to its end.
    pub(super) fn follow(&mut self, desk: &mut Desk) -> Result<(), ImpactError> {
        let mut gone = match self.launch() {
            Ok(false) => return Ok(()),
            Ok(true) => Ok(false),
            Err(trouble) => Err(trouble),
        };
        loop {
            match gone {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(Trouble::Error(error)) => return Err(error),
                Err(Trouble::Smooth { residual }) => self.smoothen(residual, desk)?,
            }
            self.effort.events += 1;
            if self.effort.events > self.most(MAX_EVENTS) {
                self.cut = self.over_within(TAIL);
                return if self.cut { Ok(()) } else { Err(self.limit()) };
            }
            gone = if self.idle() { self.fly() } else { self.stretch(desk) };
        }
    }

    /// How many of something there may be, for all and for each contact. Without friction there is another way sooner.
    fn most(&self, [all, each]: [u64; 2]) -> u64 {
        let most = all + each * self.field.model.len() as u64;
        if self.field.model.grips.is_empty() { most / SOONER } else { most }
    }

    /// Shows where the impact is.
    fn report(&self, desk: &mut Desk) {
        if !desk.watch.traces() {
            return;
        }
        let model = &self.field.model;
        let contacts = self.numbers.iter().max().map_or(0, |k| k + 1);
        let (mut impulse, mut velocity) = (vec![0.0; contacts], vec![0.0; contacts]);
        for (k, &number) in self.numbers.iter().enumerate() {
            impulse[number] = self.state[model.len() + model.rank + k] * model.impulse();
            velocity[number] = self.field.u[k] * model.speed;
        }
        desk.watch.step(MultiStep::Point { impulse: &impulse, velocity: &velocity });
    }

    /// From the first touch to where forces can be told from nothing. False if nobody approaches.
    fn launch(&mut self) -> Result<bool, Trouble> {
        let Field { model, touch, .. } = &mut self.field;
        let n = model.len();
        let mut first = f64::INFINITY;
        for (k, spring) in model.springs.iter().enumerate() {
            let u = model.normal_start[k];
            // Those that rest are ready to be pressed as soon as a neighbour moves.
            touch[k] = if u > ZERO { Touch::Open } else { Touch::Loading };
            if u < -ZERO {
                // Linear springs take the same time at any speed; the forces of others begin flat.
                let share = if model.power == Power::Linear { -u } else { 1.0 };
                first = first.min(LAUNCH * spring.depth * share / -u);
            }
        }
        if first == f64::INFINITY {
            return Ok(false);
        }
        for (k, &u) in model.normal_start.iter().enumerate() {
            let moves = touch[k].closed() && u < -ZERO || u > ZERO && model.gaps == Gaps::Remember;
            self.state[k] = if moves { -u * first } else { 0.0 };
        }
        self.field.look(&self.state);
        self.seize()?;
        // Forces grow from nothing like a power of time, along the directions they have.
        let share = first / (self.field.model.power.exponent() + 1.0);
        let end = &mut self.stepper.end;
        self.field.slope(&self.state, end);
        for (y, slope) in self.state.iter_mut().zip(end).skip(n) {
            *y += share * *slope;
        }
        self.time = first;
        self.stepper.h = first;
        Ok(true)
    }

    /// Contacts have begun to press, or to stick: all without slip decide what they do. The field must have been looked
    /// at.
    pub(super) fn seize(&mut self) -> Result<(), Trouble> {
        let model = &self.field.model;
        if model.grips.is_empty() {
            return Ok(());
        }
        if model.grips.iter().any(|grip| grip.mu == f64::INFINITY) {
            self.friction.lock(&mut self.field, &mut self.state);
            self.field.look(&self.state);
        }
        if self.smooth.is_some() {
            self.friction.hold(&mut self.field, &mut self.state);
            return Ok(());
        }
        self.friction.resting.clear();
        for (g, grip) in self.field.model.grips.iter().enumerate() {
            let [a, b] = self.field.v[g];
            // Those of redundant contacts that stuck have not moved, up to rounding.
            let still = if self.field.slip[g] == Slip::Sticks { STUCK } else { STILL };
            let still = length([a, b]) <= still;
            let pressed = self.field.touch[grip.contact].closed();
            if pressed && grip.mu.is_finite() {
                if still {
                    self.friction.resting.push(g);
                } else {
                    self.field.slip[g] = Slip::Slides;
                }
            }
        }
        self.decide(None)
    }

    /// What grips at rest do from here on.
    pub(super) fn decide(&mut self, leaver: Option<(usize, [f64; 2])>) -> Result<(), Trouble> {
        let decided = self.friction.decide(&mut self.field, &mut self.state, leaver);
        self.field.look(&self.state);
        events::set_signs(&mut self.field);
        for &g in &self.friction.resting {
            let [a, b] = self.field.v[g];
            self.leaving[g] = if self.field.slides(g) { length([a, b]) } else { 0.0 };
        }
        decided.map_err(|_| Trouble::Smooth { residual: f64::NAN })
    }

    /// Goes on until something happens. True if that is the end.
    fn stretch(&mut self, desk: &mut Desk) -> Result<bool, Trouble> {
        self.field.look(&self.state);
        if self.over() {
            return Ok(true);
        }
        events::possible(&self.field, &mut self.events);
        self.stepper.start(self.stepper.method, &self.state);
        self.stepper.control.restart();
        loop {
            self.effort.steps += 1;
            if self.effort.steps.is_multiple_of(REPORT) {
                desk.progress("steps", self.effort.steps, None)?;
            }
            if self.effort.steps > self.most(MAX_STEPS) || self.pressed > WEDGED * self.slowest {
                self.cut = self.over_within(TAIL);
                return if self.cut { Ok(true) } else { Err(self.limit().into()) };
            }
            let motion = self.measure();
            if let Some(first) = motion.stops {
                self.stop(first)?;
                return Ok(false);
            }
            if motion.method != self.stepper.method {
                self.stepper.start(motion.method, &self.state);
                self.stepper.h = self.stepper.h.min(motion.longest);
            }
            let happened = self.advance(&motion)?;
            self.report(desk);
            if let Some(over) = happened {
                return Ok(over);
            }
        }
    }

    /// One step, or the part of it up to the first event. `Some(true)` at the end of the impact, `Some(false)` after an
    /// event.
    fn advance(&mut self, motion: &Motion) -> Result<Option<bool>, Trouble> {
        self.stepper.begin(&mut self.field);
        self.before.clear();
        events::need(&self.field, &mut self.stepper.needed);
        for &event in &self.events {
            let now = margin(&self.field, event, &self.state, &self.stepper.needed);
            let rate = events::rate(&self.field, event);
            let recedes = now <= 0.0 && events::recedes(&self.field, event);
            self.before.push(Before { margin: now, rate, recedes });
        }
        let grip = events::least_grip(&self.field, &self.stepper.needed);
        self.slips.copy_from_slice(&self.field.v);
        let mut h = self.stepper.h.min(motion.longest);
        let (next, before) = loop {
            let error = self.stepper.step(h, motion.tolerance, &mut self.field);
            if error <= 1.0 && self.turned() {
                // A step over a stop.
                self.effort.rejected += 1;
                h *= SHORTER;
                continue;
            }
            match self.stepper.control.judge(h, error) {
                Verdict::Accept(next) => match self.seen() {
                    Seen::Ahead(before) => match self.passed(h, grip) {
                        // An event that has come and gone again.
                        Some(share) if h > SOON => h *= share,
                        _ => break (next, before),
                    },
                    Seen::Now => {
                        self.field.look(&self.state);
                        return self.happen().map(|()| Some(false));
                    }
                    Seen::Between if h > SOON => h *= SHORTER,
                    // It comes back before anything else moves.
                    Seen::Between => self.before.iter_mut().for_each(|b| b.recedes = false),
                },
                Verdict::Reject(shorter) => {
                    self.effort.rejected += 1;
                    h = shorter;
                }
                Verdict::Stuck => return Err(Trouble::Smooth { residual: error }),
            }
        };
        self.effort.stiff_steps += u64::from(self.stepper.method == Method::Stiff);
        if self.field.hold.redundant {
            self.effort.impulse_unique = Some(false);
        }
        if !self.met.is_empty() {
            h = self.stepper.shorten(h, motion.tolerance, before, &self.met, &mut self.field);
        }
        if self.field.hold.redundant
            && let Some(shorter) = self.slip_together(h, motion)?
        {
            h = shorter;
            self.met.clear();
            self.accept(h);
            self.stepper.h = h;
            self.friction.resting.clone_from(&self.field.hold.grips);
            let Self { friction, field, .. } = self;
            friction.resting.retain(|&g| field.model.grips[g].mu.is_finite());
            self.decide(None)?;
            return Ok(Some(false));
        }
        self.accept(h);
        if self.met.is_empty() {
            self.stepper.h = next;
            if self.smooth.is_some_and(|until| self.time >= until) {
                self.sharpen()?;
                return Ok(Some(false));
            }
            let over = self.over();
            return Ok((over || self.idle()).then_some(over));
        }
        let least = self.stepper.least(&self.met, &self.field);
        let Self { met, field, stepper, state, .. } = self;
        met.retain(|&event| margin(field, event, state, &stepper.needed) <= least.max(0.0) + ZERO);
        self.happen().map(|()| Some(false))
    }

    /// What the step that was just made has met; `met` lists it.
    fn seen(&mut self) -> Seen {
        let mut seen = Seen::Ahead(f64::INFINITY);
        self.met.clear();
        for (&event, &Before { margin: before, recedes, .. }) in
            self.events.iter().zip(&self.before)
        {
            let after = margin(&self.field, event, &self.stepper.end, &self.stepper.needed);
            // What others did may have pushed it a little beyond an event from which it moves away.
            if after >= -ZERO || recedes && after > before {
                continue;
            }
            match seen {
                _ if recedes => seen = Seen::Between,
                Seen::Between => {}
                _ if before <= 0.0 => {
                    if !matches!(seen, Seen::Now) {
                        self.met.clear();
                    }
                    seen = Seen::Now;
                    self.met.push(event);
                }
                Seen::Now => {}
                Seen::Ahead(nearest) => {
                    seen = Seen::Ahead(nearest.min(before));
                    self.met.push(event);
                }
            }
        }
        seen
    }

    fn accept(&mut self, h: f64) {
        self.stepper.accept();
        self.state.copy_from_slice(&self.stepper.end);
        self.time += h;
        self.pressed += h;
        self.find_directions();
    }

    /// Whether nobody approaches, and what is left in the springs moves nobody, faster than errors of steps.
    pub(super) fn over(&self) -> bool {
        self.over_within(self.tolerance)
    }

    fn over_within(&self, least: f64) -> bool {
        (0..self.field.model.len()).all(|k| self.field.u[k] >= -least && self.gives_less(k, least))
    }

    /// Whether all that press rest and hardly do, slower and less than errors of steps: what happens next, if anything,
    /// is that a gap closes.
    fn idle(&self) -> bool {
        let closed = |k: &usize| self.field.touch[*k].closed();
        // Who forgets gaps presses as soon as he approaches: there is nothing to wait for.
        let waits = self.field.model.gaps == Gaps::Remember;
        let rests = |k: usize| waits && self.field.u[k].abs() <= self.tolerance;
        (0..self.field.model.len())
            .filter(closed)
            .all(|k| rests(k) && self.gives_less(k, self.tolerance))
    }

    /// Whether what is left in the spring of a contact moves it more slowly.
    fn gives_less(&self, k: usize, speed: f64) -> bool {
        let model = &self.field.model;
        let gives = 2.0 * model.stored(k, self.state[k]) * model.springs[k].response;
        !self.field.touch[k].closed() || gives < speed * speed
    }

    /// Whether some slip has turned by more than a right angle over the step.
    fn turned(&self) -> bool {
        if self.field.smoothing > 0.0 {
            return false;
        }
        let grips = self.field.model.grips.iter().enumerate();
        grips.filter(|(g, grip)| grip.tangents == 2 && self.field.slides(*g)).any(|(g, grip)| {
            self.field.force[grip.contact] > 0.0 && dot(&self.slips[g], &self.field.v[g]) < 0.0
        })
    }

    /// Where in the last step contacts that stick redundantly begin to slide, if they do: the step then ends there.
    fn slip_together(&mut self, h: f64, motion: &Motion) -> Result<Option<f64>, Trouble> {
        if !events::overstrained(&self.field, &self.stepper.needed) {
            return Ok(None);
        }
        let Self { friction, field, stepper, .. } = self;
        friction.resting.clone_from(&field.hold.grips);
        let mut speed = |field: &Field| {
            friction.accelerate(field).map_err(|_| Trouble::Smooth { residual: f64::NAN })
        };
        let mut fast = speed(field)?;
        if fast <= SLIPS[0] {
            return Ok(None);
        }
        // Beyond the event the speed grows in proportion to time, before it there is none.
        stepper.prepare(field);
        let (mut low, mut high) = (0.0, 1.0);
        let mut other: Option<(f64, f64)> = None;
        for _ in 0..60 {
            if fast <= SLIPS[1] || high - low <= f64::EPSILON {
                break;
            }
            let guess = match other {
                Some((at, value)) if value != fast => {
                    high - (fast - 0.3 * SLIPS[1]) * (high - at) / (fast - value)
                }
                _ => f64::NAN,
            };
            let middle = if guess > low && guess < high { guess } else { 0.5 * (low + high) };
            stepper.between(middle, field);
            let found = match events::overstrained(field, &stepper.needed) {
                true => speed(field)?,
                false => 0.0,
            };
            if found > SLIPS[0] {
                other = Some((high, fast));
                (high, fast) = (middle, found);
            } else {
                low = middle;
            }
        }
        stepper.step(high * h, motion.tolerance, field);
        Ok(Some(high * h))
    }
}
