//! Bodies that are near each other, followed with one clock: steps, events, impacts.
//!
//! A group holds a *located* step: from where it is committed to, up to the step's end or the first event inside. Only
//! when no other group is behind does it commit, so that groups can meet in between.

use super::bounces::{Accumulation, Bounce, History};
use super::contact::{Bodies, ContactAt, Layout, Site, Slot};
use super::decide::{Decider, Decision, DecisionNotes, Fate, slides};
use super::field::{Field, Friction, INTEGRALS, Lasting};
use super::impact::{Kind, ends, resolve_impact};
use super::model::{Model, PairModel, Place};
use super::report::{Event, EventContact, EventKind, Failure, FailureKind};
use super::search::{Search, StepView, Thresholds, gap_and_rate};
use super::watch::{Watch, Watched};
use carom_ode::{Dop853, StepControl, Verdict};
use std::rc::Rc;

/// Every constant of the search, of events and of impacts. Lengths are relative to the extent of the group's bodies, speeds
/// to the fastest seen, times to the one over the other \[1\].
pub(crate) mod tolerances {
    /// A gap that counts as closed.
    pub(crate) const CLOSED: f64 = 1e-10;
    /// Gaps whose minima are nearer to zero are not told apart.
    pub(crate) const GRAZING: f64 = 1e-13;
    /// Approaches, slips and motions slower than this are none.
    pub(crate) const STILL: f64 = 1e-9;
    /// How far outside its region a feature may touch.
    pub(crate) const MARGIN: f64 = 1e-9;
    /// Accelerations below this part of gravity are none.
    pub(crate) const FLOATING: f64 = 1e-9;
    /// How far ahead, along the pattern that an event ended, the next one is chosen.
    pub(crate) const AHEAD: f64 = 1e-6;
    /// Slip this fast has begun: its direction is its own, and its end is looked for.
    pub(crate) const BEGUN: f64 = 3e-6;
    /// Slip this slow ends in one straight step.
    pub(crate) const ENDING: f64 = 3e-9;
    /// How much of the time to the end of slip one step may take.
    pub(crate) const SHARE_OF_SLIP: f64 = 0.8;
    /// Impacts at one time, and decisions at nearly one time, before something gives way.
    pub(crate) const IMPACTS_AT_ONCE: usize = 100;
    pub(crate) const DECISIONS_AT_ONCE: u32 = 12;
    /// Impacts within this many time scales of which each allows this part of the speed to be lost: where impacts of several
    /// contacts follow each other without a steady ratio, contact replaces them.
    pub(crate) const CLATTER_TIME: f64 = 0.02;
    pub(crate) const CLATTER_SPEED: f64 = 1e-7;
    /// So many impacts at least.
    pub(crate) const CLATTER_IMPACTS: usize = 12;
    /// The part of the promised accuracy that replacing the rest of an accumulation may take.
    pub(crate) const CAPTURE: f64 = 0.1;
}
use tolerances::*;

/// What was found in a step.
#[derive(Clone, Debug)]
pub(crate) enum Happening {
    /// The step's end.
    Nothing,
    /// A gap closes.
    Closes,
    /// What a pattern needs to go on ends.
    Pattern(Watched),
    /// Slip in space has become so slow that it ends in a straight step.
    SlipEnds(usize),
    /// It cannot go on.
    Fails(Failure),
}

/// A step up to its first event.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    pub(crate) theta: f64,
    pub(crate) end: f64,
    pub(crate) happening: Happening,
}

/// An accumulation whose end has not come yet.
#[derive(Clone, Debug)]
struct Tail {
    end: f64,
    event: Event,
    /// The group before the rest was replaced.
    before: Box<Group>,
    approach: f64,
}

/// What a group tells the run.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) events: Vec<Event>,
    pub(crate) notes: Vec<String>,
    pub(crate) impacts: u64,
    pub(crate) decisions: u64,
}

impl Told {
    pub(crate) fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.into());
        }
    }
}

/// Scales of a group.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scales {
    pub(crate) length: f64,
    pub(crate) speed: f64,
    pub(crate) gravity: f64,
}

impl Scales {
    pub(crate) fn time(&self) -> f64 {
        self.length / self.speed
    }

    pub(crate) fn thresholds(&self) -> Thresholds {
        Thresholds {
            closed: CLOSED * self.length,
            grazing: GRAZING * self.length,
            speed: STILL * self.speed,
            margin: MARGIN * self.length,
        }
    }

    pub(crate) fn acceleration(&self) -> f64 {
        self.gravity.max(self.speed * self.speed / self.length)
    }
}

/// How exactly motion is followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Relative and, times scales, absolute error of a step \[1\].
    pub(crate) tolerance: f64,
    /// What is promised of states \[1\].
    pub(crate) state: f64,
    /// Whether changes of feature are told.
    pub(crate) features: bool,
}

/// Bodies that are followed together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) field: Field,
    pub(crate) ode: Dop853,
    control: StepControl,
    /// The length of the next step \[s\].
    h: f64,
    /// The length of the located step before it is shortened \[s\].
    length: f64,
    prepared: bool,
    error_scale: Vec<f64>,
    pub(crate) pairs: Vec<Rc<PairModel>>,
    limits: Vec<Site>,
    pub(crate) located: Option<Located>,
    pub(crate) scales: Scales,
    pub(crate) works: [f64; INTEGRALS],
    pub(crate) impact_work: f64,
    pub(crate) rests: bool,
    view: StepView,
    decider: Decider,
    history: History,
    tail: Option<Tail>,
    /// Approaches faster than this do not end an accumulation [m/s].
    capture_below: f64,
    /// When the last decision was made, and how many since time has moved on.
    decided: f64,
    decisions: u32,
    /// Until when events of the pattern are passed over.
    deaf_until: f64,
    settings: Settings,
    pub(crate) steps: u64,
    /// Centres of mass at the start of the step, body by body of each assembly.
    started: Vec<Vec<super::vector::V3>>,
}

impl Group {
    /// Assemblies followed together from the state `y`: positions, velocities and time.
    pub(crate) fn new(
        model: &Model,
        assemblies: Vec<usize>,
        y: Vec<f64>,
        settings: Settings,
    ) -> Self {
        let layout = Layout::new(model, assemblies);
        let mut bodies: Vec<usize> = (layout.assemblies.iter())
            .flat_map(|&assembly| model.assemblies[assembly].bodies().iter().copied())
            .collect();
        bodies.sort_unstable();
        let mut pairs = Vec::new();
        for (i, &a) in bodies.iter().enumerate() {
            for b in 0..model.place.len() {
                let other_moves = model.place[b] != Place::Fixed;
                if other_moves && (b <= a || bodies[i..].binary_search(&b).is_err()) {
                    continue;
                }
                // What hangs on welds alone cannot give way.
                if [a, b].into_iter().any(|body| model.gives_way(body)) {
                    pairs.extend(model.pair(a, b));
                }
            }
        }
        pairs.sort_by_key(|pair| (pair.a, pair.b));
        let limits = (layout.assemblies.iter())
            .flat_map(|&assembly| {
                (0..model.assemblies[assembly].limits().len())
                    .map(move |limit| Site::of_limit(model, assembly, limit))
            })
            .collect();
        let length = layout.assemblies.iter().map(|&k| model.length[k]).fold(0.0, f64::max);
        let mut group = Self {
            field: Field::new(layout, Vec::new()),
            ode: Dop853::default(),
            control: StepControl::dop853(0.0, f64::INFINITY),
            h: 0.0,
            length: 0.0,
            prepared: false,
            error_scale: Vec::new(),
            pairs,
            limits,
            located: None,
            scales: Scales { length, speed: 0.0, gravity: model.gravity },
            works: [0.0; INTEGRALS],
            impact_work: 0.0,
            rests: false,
            view: StepView::default(),
            decider: Decider::default(),
            history: History::default(),
            tail: None,
            capture_below: f64::INFINITY,
            decided: f64::NEG_INFINITY,
            decisions: 0,
            deaf_until: f64::NEG_INFINITY,
            settings,
            steps: 0,
            started: Vec::new(),
        };
        let unknowns = group.field.unknowns();
        group.ode.resize_with_integrals(unknowns, INTEGRALS);
        group.ode.start[..unknowns].copy_from_slice(&y[..unknowns]);
        group.rescale(model);
        group.h = 1e-3 * group.scales.time();
        group
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// Whether an accumulation has not ended yet.
    pub(crate) fn has_tail(&self) -> bool {
        self.tail.is_some()
    }

    /// The length that the next step is likely to have \[s\].
    pub(crate) fn next_length(&self) -> f64 {
        self.h
    }

    /// The time that it is committed to \[s\].
    pub(crate) fn time(&self) -> f64 {
        self.ode.start[self.field.unknowns() - 1]
    }

    /// The state that it is committed to.
    pub(crate) fn state(&self) -> &[f64] {
        &self.ode.start[..self.field.unknowns()]
    }

    /// Where a body's centre of mass is at the time that the group is committed to.
    pub(crate) fn start_centre(&self, model: &Model, body: usize) -> super::vector::V3 {
        match (model.place[body], &self.started) {
            (Place::Moving { assembly, body }, started) => {
                let k = self.field.layout.find(assembly).unwrap_or_default();
                started[k][body]
            }
            (Place::Fixed, _) => super::vector::V3::zeros(),
        }
    }

    /// The state at a time inside the located step.
    pub(crate) fn state_at(&mut self, model: &Model, time: f64, out: &mut Vec<f64>) {
        let start = self.time();
        if time <= start || self.located.is_none() {
            out.clear();
            out.extend_from_slice(&self.ode.start);
            return;
        }
        self.prepare(model);
        out.resize(self.ode.start.len(), 0.0);
        self.ode.interpolate((time - start) / self.length, out);
    }

    /// Whether it depends on time by itself, so that it never comes to rest.
    fn is_driven(&self, model: &Model) -> bool {
        let assemblies = &self.field.layout.assemblies;
        assemblies.iter().any(|&assembly| model.assemblies[assembly].is_driven())
            || (self.field.contacts.iter())
                .filter_map(|contact| contact.site.bodies())
                .flatten()
                .any(|body| model.drives(body))
    }

    /// Whether anything that moves by itself is within its pairs: a table that comes up to a ball at rest.
    fn may_be_driven(&self, model: &Model) -> bool {
        self.is_driven(model)
            || self.pairs.iter().any(|pair| model.drives(pair.a) || model.drives(pair.b))
    }

    /// Scales of speeds and errors at the start of a step, and where bodies are then.
    fn rescale(&mut self, model: &Model) {
        let Self { field, ode, scales, error_scale, started, settings, .. } = self;
        let (layout, y) = (&field.layout, &ode.start);
        layout.kinematics(model, y, &mut field.kinematics);
        let mut speed = scales.speed.max(f64::sqrt(model.gravity * scales.length));
        started.resize_with(field.kinematics.len(), Vec::new);
        for ((kinematics, &assembly), centres) in
            field.kinematics.iter().zip(&layout.assemblies).zip(started)
        {
            for twist in &kinematics.twists {
                let turn = twist.spin.norm() * 0.5 * model.length[assembly];
                speed = speed.max(twist.velocity.norm() + turn);
            }
            centres.clear();
            centres.extend(kinematics.poses.iter().map(|pose| pose.centre));
        }
        if speed == 0.0 {
            speed = scales.length;
        }
        scales.speed = speed;
        let (nq, nv) = (layout.positions(), layout.velocities());
        error_scale.resize(nq + nv + 1 + INTEGRALS, f64::INFINITY);
        let (q, v) = error_scale.split_at_mut(nq);
        for (k, &assembly) in layout.assemblies.iter().enumerate() {
            let (q, v) = (&mut q[layout.q_of(k)], &mut v[layout.v_of(k)]);
            model.assemblies[assembly].scales(scales.length, speed, q, v);
        }
        for (scale, y) in error_scale[..nq + nv].iter_mut().zip(y) {
            *scale = settings.tolerance * (scale.abs() + y.abs());
        }
    }

    /// Slopes at the start: wanted whenever the state or the pattern has changed.
    fn begin(&mut self, model: &Model) {
        let unknowns = self.field.unknowns();
        self.ode.start[unknowns..].fill(0.0);
        let field = &mut self.field;
        self.ode.begin(|y, out| field.slope(model, y, out));
        self.located = None;
        self.prepared = false;
    }

    fn prepare(&mut self, model: &Model) {
        if !self.prepared {
            let field = &mut self.field;
            self.ode.prepare(|y, out| field.slope(model, y, out));
            self.prepared = true;
        }
    }

    /// Decides which contacts last at t = 0 and resolves impacts that happen then.
    pub(crate) fn start(&mut self, model: &Model, told: &mut Told) -> Result<(), Failure> {
        let mut y = self.state().to_vec();
        self.collide(model, &mut y, told)?;
        self.resume(model, &y, told);
        Ok(())
    }

    /// Goes on from a state and the pattern that was decided.
    fn resume(&mut self, model: &Model, y: &[f64], told: &mut Told) {
        let unknowns = self.field.unknowns();
        self.ode.start[..unknowns].copy_from_slice(y);
        self.rescale(model);
        self.begin(model);
        self.control.restart();
        self.come_to_rest(model, told);
    }

    /// Takes over contacts of groups that meet.
    pub(crate) fn adopt(&mut self, model: &Model, one: &Self, other: &Self) {
        let mut contacts = one.field.contacts.clone();
        contacts.extend_from_slice(&other.field.contacts);
        contacts.sort_by_key(|contact| contact.site.slot);
        self.field.contacts = contacts;
        self.history = one.history.merged(&other.history);
        self.capture_below = one.capture_below.min(other.capture_below);
        self.scales.speed = self.scales.speed.max(one.scales.speed).max(other.scales.speed);
        self.h = if one.rests {
            other.h
        } else if other.rests {
            one.h
        } else {
            one.h.min(other.h)
        };
        for k in 0..INTEGRALS {
            self.works[k] = one.works[k] + other.works[k];
        }
        self.impact_work = one.impact_work + other.impact_work;
        self.field.slopes = one.field.slopes + other.field.slopes;
        self.rescale(model);
        self.begin(model);
    }

    /// Accumulations that had not ended when groups met or the run stopped: told now.
    pub(crate) fn flush_tail(&mut self, told: &mut Told) {
        if let Some(tail) = self.tail.take() {
            told.events.push(tail.event);
        }
    }

    /// Takes part of another group: the assemblies that move apart from the rest.
    pub(crate) fn part_of(&mut self, model: &Model, whole: &Self) {
        self.field.contacts = (whole.field.contacts.iter())
            .filter(|contact| {
                ends(model, &self.field.layout, &contact.site).iter().any(|end| end.is_some())
            })
            .cloned()
            .collect();
        self.history = whole.history.clone();
        self.capture_below = whole.capture_below;
        self.scales.speed = self.scales.speed.max(whole.scales.speed);
        self.h = whole.h;
        self.rescale(model);
        self.begin(model);
    }

    /// The step from where it stands to the first event, no later than `until`.
    pub(crate) fn locate(&mut self, model: &Model, until: f64) {
        if self.located.is_some() || self.rests {
            return;
        }
        let t = self.time();
        self.rescale(model);
        let until = self.tail.as_ref().map_or(until, |tail| until.min(tail.end));
        // What is passed over ends with a step.
        let until = if t < self.deaf_until { until.min(self.deaf_until) } else { until };
        if let Some(contact) = self.ends_straight(model) {
            self.located =
                Some(Located { theta: 0.0, end: t, happening: Happening::SlipEnds(contact) });
            return;
        }
        let failed = |group: &mut Self, kind: FailureKind, message: &str| {
            let failure = group.field.failure.take();
            let failure = failure.unwrap_or(Failure { kind, message: message.into() });
            group.located =
                Some(Located { theta: 0.0, end: t, happening: Happening::Fails(failure) });
        };
        let least = 1e-14 * self.scales.time().max(f64::MIN_POSITIVE);
        let longest = self.longest_step(model);
        let mut h = self.h.min(longest).min(until - t).max(f64::MIN_POSITIVE);
        let cut = h < self.h;
        let next = loop {
            if t + h == t && until > t {
                return failed(self, FailureKind::Step, "steps are too short to be told apart");
            }
            let field = &mut self.field;
            self.ode.step(h, |y, out| field.slope(model, y, out));
            let error = self.ode.error(&self.error_scale[..self.ode.start.len()]);
            if self.field.failure.is_some() && h <= least.max(1e-9 * self.scales.time()) {
                return failed(self, FailureKind::Step, "");
            }
            self.field.failure = None;
            match self.control.judge(h, error) {
                Verdict::Accept(next) => break next,
                Verdict::Reject(shorter) => h = shorter,
                Verdict::Stuck => {
                    return failed(
                        self,
                        FailureKind::Step,
                        "something is not smooth: no step is short enough",
                    );
                }
            }
            if h < least {
                return failed(
                    self,
                    FailureKind::Step,
                    "something is not smooth: no step is short enough",
                );
            }
        };
        self.steps += 1;
        self.length = h;
        self.prepared = false;
        // A step that was cut short by the end of the run or of slip says little about the next.
        self.h = if cut { self.h.max(next) } else { next };
        let end = if t + h >= until || (until - t - h).abs() < 1e-12 * until.abs() {
            until
        } else {
            t + h
        };
        let (mut theta, mut happening) = (1.0, Happening::Nothing);
        if let Some((at, what)) = self.pattern_event(model) {
            (theta, happening) = (at, Happening::Pattern(what));
        }
        if let Some(at) = self.first_gap(model, theta) {
            (theta, happening) = (at, Happening::Closes);
        }
        let end = if matches!(happening, Happening::Nothing) { end } else { t + theta * h };
        self.located = Some(Located { theta, end, happening });
    }

    /// Limits of a step that the error does not see: slip in space that comes to an end.
    fn longest_step(&mut self, model: &Model) -> f64 {
        let mut longest = f64::INFINITY;
        if self.field.contacts.iter().any(|contact| contact.friction == Friction::SlipSpace) {
            for (_, slip, rate) in self.slips(model) {
                if rate < 0.0 {
                    longest = longest.min(SHARE_OF_SLIP * slip / -rate);
                }
            }
        }
        longest
    }

    /// The contact, if any, whose slip ends within a straight step.
    fn ends_straight(&mut self, model: &Model) -> Option<usize> {
        if !self.field.contacts.iter().any(|contact| contact.friction == Friction::SlipSpace) {
            return None;
        }
        let ending = ENDING * self.scales.speed;
        let slips = self.slips(model);
        slips.into_iter().find(|(_, slip, rate)| *slip < ending && *rate < 0.0).map(|(c, ..)| c)
    }

    /// Slip and its rate along itself, of contacts that slide in space.
    fn slips(&mut self, model: &Model) -> Vec<(usize, f64, f64)> {
        let y = self.state().to_vec();
        if self.field.evaluate(model, &y).is_err() {
            return Vec::new();
        }
        let field = &self.field;
        (field.contacts.iter().enumerate())
            .filter(|(_, contact)| contact.friction == Friction::SlipSpace)
            .map(|(c, _)| {
                let at = &field.at[c];
                let size = f64::hypot(at.u[1], at.u[2]);
                let acceleration = field.contact_acceleration(c);
                let rate = (at.u[1] * acceleration[1] + at.u[2] * acceleration[2]) / size;
                (c, size, rate)
            })
            .collect()
    }

    /// The first event of the pattern in the step.
    fn pattern_event(&mut self, model: &Model) -> Option<(f64, Watched)> {
        if self.field.contacts.is_empty() || self.time() < self.deaf_until {
            return None;
        }
        self.prepare(model);
        let Self { field, ode, decider, scales, length, .. } = self;
        Watch { model, field, ode, decider, scales: *scales, h: *length }.first()
    }

    /// The first part of the step, before `end`, at which a gap closes.
    fn first_gap(&mut self, model: &Model, end: f64) -> Option<f64> {
        if self.pairs.is_empty() && self.limits.is_empty() {
            return None;
        }
        self.view.clear();
        let thresholds = self.scales.thresholds();
        let h = self.length;
        let near: Vec<usize> = {
            let Self { field, ode, view, pairs, .. } = self;
            let layout = &field.layout;
            let mut search = Search { model, layout, ode, view, h, thresholds };
            (0..pairs.len()).filter(|&p| search.may_meet(&pairs[p])).collect()
        };
        if near.is_empty() && self.limits.is_empty() {
            return None;
        }
        self.prepare(model);
        let Self { field, ode, view, pairs, limits, .. } = self;
        let contacts = &field.contacts;
        let lasts = |site: &Site| {
            contacts
                .iter()
                .any(|contact| contact.site.slot == site.slot || contact.site.excludes(site))
        };
        let mut search = Search { model, layout: &field.layout, ode, view, h, thresholds };
        let mut first: Option<f64> = None;
        for p in near {
            let before = first.unwrap_or(end);
            if let Some((theta, _)) = search.pair(&pairs[p], lasts, before)
                && first.is_none_or(|known| theta < known)
            {
                first = Some(theta);
            }
        }
        for site in limits.iter().filter(|site| !lasts(site)) {
            if let Some(theta) = search.limit(site, first.unwrap_or(end))
                && first.is_none_or(|known| theta < known)
            {
                first = Some(theta);
            }
        }
        first
    }

    /// Shortens the located step to end at `time` with nothing happening there.
    pub(crate) fn truncate(&mut self, model: &Model, time: f64) {
        if self.rests || self.located.is_none() {
            return;
        }
        self.prepare(model);
        let theta = ((time - self.time()) / self.length).clamp(0.0, 1.0);
        self.located = Some(Located { theta, end: time, happening: Happening::Nothing });
    }

    /// Goes to the end of the located step and through what happens there.
    pub(crate) fn commit(&mut self, model: &Model, told: &mut Told) -> Result<(), Failure> {
        let Some(Located { theta, end, happening }) = self.located.take() else { return Ok(()) };
        if let Happening::Fails(failure) = happening {
            return Err(failure);
        }
        if let Some(tail) = &self.tail {
            if end >= tail.end {
                told.events.push(tail.event.clone());
                self.tail = None;
            } else if !matches!(happening, Happening::Nothing) {
                return self.go_back(model);
            }
        }
        let unknowns = self.field.unknowns();
        let whole = theta == 1.0 && matches!(happening, Happening::Nothing);
        let still = self.field.contacts.is_empty() && !self.has_loops(model);
        let mut y = vec![0.0; self.ode.start.len()];
        if whole {
            y.copy_from_slice(&self.ode.end);
        } else if theta == 0.0 {
            y.copy_from_slice(&self.ode.start);
            y[unknowns..].fill(0.0);
        } else {
            self.prepare(model);
            self.ode.interpolate(theta, &mut y);
        }
        for (work, integral) in self.works.iter_mut().zip(&y[unknowns..]) {
            *work += integral;
        }
        y.truncate(unknowns);
        y[unknowns - 1] = end;
        if whole && still {
            self.ode.accept();
            self.ode.start[unknowns - 1] = end;
            self.ode.start[unknowns..].fill(0.0);
            self.prepared = false;
            return Ok(());
        }
        let ahead = self.ahead(model, theta, &happening);
        self.project(model, &mut y)?;
        let happened = !matches!(happening, Happening::Nothing);
        match happening {
            Happening::Nothing | Happening::Fails(_) => {}
            Happening::Closes => self.collide(model, &mut y, told)?,
            Happening::Pattern(watched) => {
                self.change_pattern(model, &mut y, watched, ahead, told)?
            }
            Happening::SlipEnds(contact) => self.end_slip(model, &mut y, contact, told)?,
        }
        if happened {
            self.limit_next_step();
            self.resume(model, &y, told);
        } else {
            self.ode.start[..unknowns].copy_from_slice(&y);
            self.begin(model);
            self.come_to_rest(model, told);
        }
        Ok(())
    }

    fn limit_next_step(&mut self) {
        self.h = (0.5 * self.h).min(0.1 * self.scales.time());
    }

    fn has_loops(&self, model: &Model) -> bool {
        self.field.layout.assemblies.iter().any(|&assembly| model.assemblies[assembly].has_loops())
    }

    /// The state a moment beyond an event of the pattern, along the pattern that it ends.
    fn ahead(&self, model: &Model, theta: f64, happening: &Happening) -> Option<Vec<f64>> {
        let _ = model;
        if !matches!(happening, Happening::Pattern(_)) {
            return None;
        }
        let moment = (AHEAD * self.scales.time()).min(0.1 * self.length);
        let mut y = vec![0.0; self.ode.start.len()];
        self.ode.interpolate(theta + moment / self.length, &mut y);
        y.truncate(self.field.unknowns());
        Some(y)
    }

    /// Puts loops and closed gaps back together.
    fn project(&mut self, model: &Model, y: &mut [f64]) -> Result<(), Failure> {
        let layout = self.field.layout.clone();
        let (nq, nv) = (layout.positions(), layout.velocities());
        let t = y[nq + nv];
        for (k, &assembly) in layout.assemblies.iter().enumerate() {
            let (q, v) = y.split_at_mut(nq);
            let (q, v) = (&mut q[layout.q_of(k)], &mut v[layout.v_of(k)]);
            model.assemblies[assembly].normalise(q);
            model.assemblies[assembly].close_loops(q, v, t);
        }
        if !self.field.contacts.is_empty() {
            self.field.prepare(model, y)?;
            self.field.close_gaps(model, y);
            self.field.prepare(model, y)?;
            self.field.stop_contacts(y);
        }
        Ok(())
    }

    /// Nothing moves, and nothing will.
    fn come_to_rest(&mut self, model: &Model, told: &mut Told) {
        if self.rests
            || self.tail.is_some()
            || self.field.failure.is_some()
            || self.may_be_driven(model)
        {
            return;
        }
        let layout = &self.field.layout;
        let (nq, nv) = (layout.positions(), layout.velocities());
        let still = STILL * self.scales.speed;
        let mut unit_q = vec![0.0; nq];
        let mut unit = vec![0.0; nv];
        for (k, &assembly) in layout.assemblies.iter().enumerate() {
            let (q, v) = (&mut unit_q[layout.q_of(k)], &mut unit[layout.v_of(k)]);
            model.assemblies[assembly].scales(self.scales.length, 1.0, q, v);
        }
        let calm = |values: &[f64], most: f64| {
            values.iter().zip(&unit).all(|(x, unit)| x.abs() <= most * unit)
        };
        let y = self.state().to_vec();
        if !calm(&y[nq..nq + nv], still) || self.field.evaluate(model, &y).is_err() {
            return;
        }
        if !calm(&self.field.acceleration, FLOATING * self.scales.acceleration()) {
            return;
        }
        self.rests = true;
        self.located = None;
        self.ode.start[nq..nq + nv].fill(0.0);
        let contacts = self.field.contacts.iter().zip(&self.field.at);
        let contacts = contacts
            .map(|(contact, at)| told_contact(model, &contact.site, at, [0.0; 3]))
            .collect();
        if self.time() > 0.0 {
            told.events.push(event(self.time(), EventKind::Rest, contacts));
        }
    }

    /// Another body comes near: it may be struck.
    pub(crate) fn wake(&mut self, model: &Model, time: f64) {
        if self.rests {
            self.rests = false;
            let unknowns = self.field.unknowns();
            self.ode.start[unknowns - 1] = time;
            self.begin(model);
        }
    }

    /// Back to the impact before which the rest of an accumulation was replaced, and on from there bounce by bounce.
    fn go_back(&mut self, model: &Model) -> Result<(), Failure> {
        if let Some(tail) = self.tail.take() {
            let slopes = self.field.slopes;
            *self = *tail.before;
            self.field.slopes = slopes;
            self.capture_below = 0.25 * tail.approach;
            // The located step stands as it was: it ends with the impact.
            let _ = model;
        }
        Ok(())
    }

    /// All contacts that are closed here or last, as they are at `y`.
    fn touching(&mut self, model: &Model, y: &[f64]) -> Vec<(Site, ContactAt)> {
        self.field.layout.kinematics(model, y, &mut self.field.kinematics);
        let bodies = self.field.bodies(model, y);
        let thresholds = self.scales.thresholds();
        let mut sites: Vec<(Site, ContactAt)> = (self.field.contacts.iter())
            .map(|contact| {
                (contact.site.clone(), ContactAt::velocity_of(&bodies, &contact.site, y))
            })
            .collect();
        let lasting = sites.len();
        for pair in &self.pairs {
            let (a, b) = (bodies.get(pair.a), bodies.get(pair.b));
            for shape in 0..pair.shapes.len() {
                if pair.shapes[shape].distance_bound(&a.pose, &b.pose) > thresholds.closed {
                    continue;
                }
                let before = sites.len();
                // The rim of a cap that is nearly flat, where none of the points that stand for it touches.
                let mut flat: Option<Site> = None;
                let mut nearest: Option<(f64, Site)> = None;
                for (f, feature) in pair.shapes[shape].features.iter().enumerate() {
                    let site = Site::of_feature(pair, shape, f);
                    let known = sites[..lasting]
                        .iter()
                        .any(|(known, _)| known.slot == site.slot || known.excludes(&site));
                    if known || feature.touch(&a.pose, &b.pose).gap.abs() > thresholds.closed {
                        continue;
                    }
                    let margin = feature.margin(&a.pose, &b.pose);
                    if margin < -thresholds.margin {
                        if margin >= -thresholds.margin - feature.sags() {
                            flat = Some(site);
                        }
                        continue;
                    }
                    if !pair.shapes[shape].single {
                        let at = ContactAt::velocity_of(&bodies, &site, y);
                        sites.push((site, at));
                    } else if nearest.as_ref().is_none_or(|(best, _)| margin > *best) {
                        nearest = Some((margin, site));
                    }
                }
                if let Some((_, site)) = nearest {
                    let at = ContactAt::velocity_of(&bodies, &site, y);
                    sites.push((site, at));
                }
                if let Some(site) = flat.filter(|_| sites.len() == before) {
                    let at = ContactAt::velocity_of(&bodies, &site, y);
                    sites.push((site, at));
                }
            }
        }
        for site in &self.limits {
            let known = self.field.contacts.iter().any(|contact| contact.site.slot == site.slot);
            if !known && gap_and_rate(&bodies, site, y).0.abs() <= thresholds.closed {
                sites.push((site.clone(), ContactAt::velocity_of(&bodies, site, y)));
            }
        }
        sites.sort_by_key(|(site, _)| site.slot);
        sites
    }

    /// Speeds of release that gaps cannot show.
    fn release_unseen(&self, y: &[f64]) -> f64 {
        let nq = self.field.layout.positions();
        let size = carom_numerics::largest(&y[..nq]).max(self.scales.length);
        let unseen = f64::sqrt(8.0 * f64::EPSILON * size * self.scales.acceleration());
        unseen.max(STILL * self.scales.speed)
    }

    /// Impacts at one time, until nothing approaches, and then which contacts last.
    fn collide(&mut self, model: &Model, y: &mut [f64], told: &mut Told) -> Result<(), Failure> {
        let time = y[self.field.unknowns() - 1];
        let still = STILL * self.scales.speed;
        let mut count = 0;
        let sites = loop {
            let sites = self.touching(model, y);
            if !sites.iter().any(|(_, at)| at.u[0] < -still) {
                break sites;
            }
            count += 1;
            if count > IMPACTS_AT_ONCE + 10 * sites.len() {
                let message = format!("impacts at t = {time} s do not end under this law");
                return Err(Failure { kind: FailureKind::ImpactSequence, message });
            }
            if count == 1
                && (self.capture(model, y, &sites, told)?
                    || self.calm(model, y, &sites, told)?
                    || self.end_clatter(model, y, &sites, told)?)
            {
                return Ok(());
            }
            self.strike(model, y, &sites, Kind::Collision, told)?;
        };
        let unseen = self.release_unseen(y);
        let slow = |at: &ContactAt| at.u[0].abs() <= unseen;
        // What approaches too slowly for an impact would close its gap again at once.
        if sites.iter().any(|(_, at)| at.u[0] < 0.0) {
            let kept = std::mem::take(&mut self.field.contacts);
            let closing = sites.iter().filter(|(_, at)| at.u[0] < 0.0);
            self.field.contacts = closing
                .map(|(site, _)| Lasting {
                    site: site.clone(),
                    friction: Friction::None,
                    armed: true,
                })
                .collect();
            self.field.prepare(model, y)?;
            self.field.stop_contacts(y);
            self.field.contacts = kept;
        }
        self.field.contacts = (sites.iter().filter(|(_, at)| slow(at)))
            .map(|(site, at)| self.lasting_before(site, at))
            .collect();
        self.settle(model, y, None, &[], told)
    }

    /// A contact with the friction it had, or what its slip says.
    fn lasting_before(&self, site: &Site, _at: &ContactAt) -> Lasting {
        let known = self.field.contacts.iter().find(|contact| contact.site.slot == site.slot);
        let new = || Lasting { site: site.clone(), friction: Friction::None, armed: true };
        known.cloned().unwrap_or_else(new)
    }

    /// One impact.
    fn strike(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        kind: Kind,
        told: &mut Told,
    ) -> Result<(), Failure> {
        let time = y[self.field.unknowns() - 1];
        let still = STILL * self.scales.speed;
        let approaching: Vec<usize> =
            (0..sites.len()).filter(|&c| sites[c].1.u[0] < -still).collect();
        let bodies = self.field.bodies(model, y);
        let mut after = y.to_vec();
        let jump = resolve_impact(model, &bodies, sites, &mut after, kind, self.scales.speed)?;
        y.copy_from_slice(&after);
        told.impacts += 1;
        self.works[3] += jump.drives;
        self.impact_work += jump.energy_change;
        if matches!(&jump.verdict, carom::Verdict::Violates(failed) if failed.contains(&carom::certify::Inequality::Energy))
        {
            told.note(&format!("{} gained energy in an impact; its verdict says so", jump.law));
        }
        let limits_only =
            approaching.iter().all(|&c| matches!(sites[c].0.slot, Slot::Limit { .. }));
        let kind_told = match kind {
            Kind::Jam => EventKind::Impact { collision: false },
            _ if limits_only && !approaching.is_empty() => EventKind::Limit,
            _ => EventKind::Impact { collision: true },
        };
        let contacts = (sites.iter().zip(&jump.impulses))
            .filter(|(_, impulse)| **impulse != [0.0; 3])
            .map(|((site, at), impulse)| told_contact(model, site, at, *impulse))
            .collect();
        let mut told_event = event(time, kind_told, contacts);
        told_event.energy_change = jump.energy_change;
        told_event.verdict = Some(jump.verdict);
        told.events.push(told_event);
        if kind == Kind::Collision {
            let after = self.touched_after(model, y, sites);
            let release = approaching.iter().map(|&c| after[c].u[0]).fold(0.0, f64::max);
            let approach = approaching.iter().map(|&c| -sites[c].1.u[0]).fold(0.0, f64::max);
            let elastic =
                approaching.iter().all(|&c| sites[c].0.material.restitution.at(approach) >= 0.999);
            let word = approaching.iter().map(|&c| sites[c].0.slot).collect();
            self.history.push(Bounce { time, word, approach, release, elastic });
        }
        Ok(())
    }

    fn touched_after(
        &mut self,
        model: &Model,
        y: &[f64],
        sites: &[(Site, ContactAt)],
    ) -> Vec<ContactAt> {
        self.field.layout.kinematics(model, y, &mut self.field.kinematics);
        let bodies = self.field.bodies(model, y);
        sites.iter().map(|(site, _)| ContactAt::velocity_of(&bodies, site, y)).collect()
    }

    /// Whether the rest of infinitely many impacts was replaced by contact that lasts.
    fn capture(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        told: &mut Told,
    ) -> Result<bool, Failure> {
        let time = y[self.field.unknowns() - 1];
        let still = STILL * self.scales.speed;
        let struck: Vec<&(Site, ContactAt)> =
            sites.iter().filter(|(_, at)| at.u[0] < -still).collect();
        let word: Vec<Slot> = struck.iter().map(|(site, _)| site.slot).collect();
        let approach = struck.iter().map(|(_, at)| -at.u[0]).fold(0.0, f64::max);
        let Some(found) = self.history.accumulation(time, &word, approach) else {
            return Ok(false);
        };
        if approach > self.capture_speed(&found) || self.tail.is_some() {
            return Ok(false);
        }
        let mut before = Box::new(self.clone());
        before.located = Some(Located { theta: 0.0, end: time, happening: Happening::Closes });
        let unknowns = self.field.unknowns();
        before.ode.start[..unknowns].copy_from_slice(y);
        before.begin_keeping(model);
        let start = y.to_vec();
        let mut quiet = Told::default();
        let (energy, drives) = (self.impact_work, self.works[3]);
        let captured = self.replace_tail(model, y, sites, &found, &mut quiet)?;
        if !captured {
            y.copy_from_slice(&start);
            *self = *before;
            self.located = None;
            self.capture_below = 0.25 * approach;
            return Ok(false);
        }
        let contacts =
            struck.iter().map(|(site, at)| told_contact(model, site, at, [0.0; 3])).collect();
        let kind = EventKind::Accumulation {
            impacts: found.impacts as u64,
            ratio: found.ratio,
            captured_at: time,
            error: found.error,
        };
        let mut told_event = event(found.end, kind, contacts);
        told_event.energy_change = self.impact_work - energy;
        let _ = drives;
        told.impacts += quiet.impacts;
        told.decisions += quiet.decisions;
        self.history.clear();
        self.capture_below = f64::INFINITY;
        self.tail = Some(Tail { end: found.end, event: told_event, before, approach });
        Ok(true)
    }

    /// Whether impacts that follow each other in no order, too small for their flights to be seen, were replaced by contact
    /// that lasts.
    fn calm(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        told: &mut Told,
    ) -> Result<bool, Failure> {
        let time = y[self.field.unknowns() - 1];
        let still = STILL * self.scales.speed;
        let struck: Vec<&(Site, ContactAt)> =
            sites.iter().filter(|(_, at)| at.u[0] < -still).collect();
        let word: Vec<Slot> = struck.iter().map(|(site, _)| site.slot).collect();
        let approach = struck.iter().map(|(_, at)| -at.u[0]).fold(0.0, f64::max);
        let height = CAPTURE * self.settings.state * self.scales.length;
        if self.tail.is_some() {
            return Ok(false);
        }
        let Some((slots, pull)) = self.history.chatters(time, &word, approach, height) else {
            return Ok(false);
        };
        let present: Vec<Slot> =
            sites.iter().map(|(site, _)| site.slot).filter(|slot| slots.contains(slot)).collect();
        let energy = self.impact_work;
        if !self.stop_cycle(model, y, sites, &present, approach)? {
            return Ok(false);
        }
        let contacts =
            struck.iter().map(|(site, at)| told_contact(model, site, at, [0.0; 3])).collect();
        let kind = EventKind::Accumulation {
            impacts: self.history.len() as u64,
            ratio: 0.0,
            captured_at: time,
            error: approach / pull,
        };
        let mut told_event = event(time, kind, contacts);
        told_event.energy_change = self.impact_work - energy;
        told.events.push(told_event);
        told.note("impacts in no order became too small to be followed: lasting contact stands for the rest of them");
        self.history.clear();
        let unseen = self.release_unseen(y).max(1e-6 * approach);
        let after = self.touched_after(model, y, sites);
        self.field.contacts = (sites.iter().zip(&after))
            .filter(|(_, at)| at.u[0].abs() <= unseen)
            .map(|((site, at), _)| self.lasting_before(site, at))
            .collect();
        self.settle(model, y, None, &[], told)?;
        Ok(true)
    }

    /// Whether slow impacts of several contacts in no steady order were replaced by contact that lasts: all that touch stop
    /// along their normals, with the least loss of energy.
    fn end_clatter(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        told: &mut Told,
    ) -> Result<bool, Failure> {
        let time = y[self.field.unknowns() - 1];
        let impacts = self.history.since(time - CLATTER_TIME * self.scales.time());
        let slow = CLATTER_SPEED * self.scales.speed * impacts as f64;
        let approach = sites.iter().map(|(_, at)| -at.u[0]).fold(0.0, f64::max);
        if impacts < CLATTER_IMPACTS || approach > slow {
            return Ok(false);
        }
        let stopped: Vec<&(Site, ContactAt)> =
            sites.iter().filter(|(_, at)| at.u[0] <= slow).collect();
        self.field.contacts = (stopped.iter())
            .map(|(site, _)| Lasting { site: site.clone(), friction: Friction::None, armed: true })
            .collect();
        let before = self.kinetic(model, y)?;
        self.field.stop_contacts(y);
        let lost = self.kinetic(model, y)? - before;
        self.impact_work += lost;
        let contacts =
            stopped.iter().map(|(site, at)| told_contact(model, site, at, [0.0; 3])).collect();
        let kind = EventKind::Accumulation {
            impacts: impacts as u64,
            ratio: 0.0,
            captured_at: time,
            error: 0.0,
        };
        let mut told_event = event(time, kind, contacts);
        told_event.energy_change = lost;
        told.events.push(told_event);
        told.note(
            "clatter: slow impacts of several contacts in no steady order were ended by contact",
        );
        self.history.clear();
        self.settle(model, y, None, &[], told)?;
        Ok(true)
    }

    /// Slopes at the start, the located step kept.
    fn begin_keeping(&mut self, model: &Model) {
        let located = self.located.take();
        self.begin(model);
        self.located = located;
    }

    /// The speed of approach below which the rest of an accumulation may be replaced.
    fn capture_speed(&self, found: &Accumulation) -> f64 {
        let length = CAPTURE * self.settings.state * self.scales.length;
        let pull = found.pull;
        // Slip: third order; where it sticks second; and samples inside the tail are off by ε²/(8 b).
        let slides = libm::cbrt(CAPTURE * length * pull * pull);
        let r = found.ratio.min(0.999);
        let sticks = f64::sqrt(CAPTURE * length * pull) * f64::sqrt(1.0 - r * r) / r;
        let sampled = f64::sqrt(8.0 * pull * length);
        slides.min(sticks).min(sampled).min(self.capture_below)
    }

    /// One plastic impact and contact that lasts; false if it does not last.
    fn replace_tail(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        found: &Accumulation,
        told: &mut Told,
    ) -> Result<bool, Failure> {
        let struck: Vec<Slot> = if found.cycle == 1 {
            let still = STILL * self.scales.speed;
            sites.iter().filter(|(_, at)| at.u[0] < -still).map(|(site, _)| site.slot).collect()
        } else {
            self.history.words(found.cycle).copied().collect()
        };
        if found.cycle == 1 {
            if self.strike(model, y, sites, Kind::Plastic, told).is_err() {
                return Ok(false);
            }
        } else if !self.stop_cycle(model, y, sites, &struck, found.approach)? {
            return Ok(false);
        }
        let unseen = self.release_unseen(y).max(1e-6 * found.approach);
        let after = self.touched_after(model, y, sites);
        let captured = |site: &Site| struck.contains(&site.slot);
        self.field.contacts = (sites.iter().zip(&after))
            .filter(|((site, _), at)| captured(site) || at.u[0].abs() <= unseen)
            .map(|((site, at), _)| self.lasting_before(site, at))
            .collect();
        if self.settle(model, y, None, &[], told).is_err() {
            return Ok(false);
        }
        let lasts = |group: &Self| {
            struck
                .iter()
                .all(|slot| group.field.contacts.iter().any(|contact| contact.site.slot == *slot))
        };
        if !lasts(self)
            || !told
                .events
                .iter()
                .all(|event| matches!(event.kind, EventKind::Impact { .. } | EventKind::Limit))
        {
            return Ok(false);
        }
        // Contact must press up to the end, and a little longer.
        if self.field.evaluate(model, y).is_err() {
            return Ok(false);
        }
        let dt = 2.0 * (found.end - y[y.len() - 1]);
        let mut slope = vec![0.0; y.len() + INTEGRALS];
        self.field.slope(model, y, &mut slope);
        let later: Vec<f64> = y.iter().zip(&slope).map(|(y, s)| y + dt * s).collect();
        if self.field.evaluate(model, &later).is_err() {
            return Ok(false);
        }
        Ok(self.field.forces.iter().all(|force| force[0] >= 0.0))
    }

    /// Stops the normals of all contacts that strike in turn, and the tangents of those whose slip is not much faster than
    /// `slow`: impulses may pull, as they stand for the mean of the rest.
    fn stop_cycle(
        &mut self,
        model: &Model,
        y: &mut [f64],
        sites: &[(Site, ContactAt)],
        struck: &[Slot],
        slow: f64,
    ) -> Result<bool, Failure> {
        let kept = std::mem::take(&mut self.field.contacts);
        let mut cycle: Vec<Lasting> = Vec::new();
        for (site, at) in sites {
            let part = struck.contains(&site.slot)
                || kept.iter().any(|contact| contact.site.slot == site.slot);
            if part {
                let slip = f64::hypot(at.u[1], at.u[2]);
                let friction = if at.rows == 1 {
                    Friction::None
                } else if slip > 10.0 * slow && site.material.mu.is_finite() {
                    Friction::SlipSpace
                } else {
                    Friction::Stick
                };
                cycle.push(Lasting { site: site.clone(), friction, armed: true });
            }
        }
        if !struck.iter().all(|slot| cycle.iter().any(|contact| contact.site.slot == *slot)) {
            self.field.contacts = kept;
            return Ok(false);
        }
        self.field.contacts = cycle;
        let before = self.kinetic(model, y)?;
        let start = y.to_vec();
        self.field.stop_impacts(y);
        let mut after = self.kinetic(model, y)?;
        if after > before {
            // Friction of impulses that pull.
            y.copy_from_slice(&start);
            self.field.prepare(model, y)?;
            self.field.stop_contacts(y);
            after = self.kinetic(model, y)?;
        }
        self.impact_work += after - before;
        Ok(true)
    }

    /// Kinetic energy, with the contacts prepared.
    fn kinetic(&mut self, model: &Model, y: &[f64]) -> Result<f64, Failure> {
        self.field.prepare(model, y)?;
        Ok(self.energies(model, y).iter().map(|energy| energy[0]).sum())
    }

    /// Kinetic energy, that of gravity and that of springs, of each assembly \[J\].
    pub(crate) fn energies(&mut self, model: &Model, y: &[f64]) -> Vec<[f64; 3]> {
        let layout = &self.field.layout;
        layout.kinematics(model, y, &mut self.field.kinematics);
        let t = y[self.field.unknowns() - 1];
        (layout.assemblies.iter().zip(&self.field.kinematics).enumerate())
            .map(|(k, (&assembly, kinematics))| {
                let energy = model.assemblies[assembly].energy(&y[layout.q_of(k)], t, kinematics);
                [energy.kinetic, energy.potential, energy.elastic]
            })
            .collect()
    }

    /// What a pattern needed has ended.
    fn change_pattern(
        &mut self,
        model: &Model,
        y: &mut [f64],
        watched: Watched,
        ahead: Option<Vec<f64>>,
        told: &mut Told,
    ) -> Result<(), Failure> {
        match watched {
            Watched::Margin(c) => self.hand_over(model, y, c, told),
            Watched::Begun(c) => {
                self.field.contacts[c].friction = Friction::SlipSpace;
                self.field.contacts[c].armed = true;
                Ok(())
            }
            Watched::Armed(c) => {
                self.field.contacts[c].armed = true;
                Ok(())
            }
            Watched::Singular(_) => {
                told.note("near-singular friction: the normal force of a sliding contact grows without bound");
                self.jam(model, y, told)
            }
            Watched::ZeroSlip(c) => {
                let stops = self.field.contacts[c].site.slot;
                self.add_unloaded(model, y);
                let at = self.field.contacts.iter().position(|contact| contact.site.slot == stops);
                self.settle(model, y, ahead, at.as_slice(), told)
            }
            Watched::Lift(_) | Watched::Cone(_) | Watched::Group => {
                self.add_unloaded(model, y);
                self.settle(model, y, ahead, &[], told)
            }
        }
    }

    /// Contacts that touch without pressing may have to press from now on.
    fn add_unloaded(&mut self, model: &Model, y: &[f64]) {
        let unseen = self.release_unseen(y);
        let sites = self.touching(model, y);
        self.field.contacts = (sites.iter())
            .filter(|(site, at)| {
                at.u[0].abs() <= unseen
                    || self.field.contacts.iter().any(|contact| contact.site.slot == site.slot)
            })
            .map(|(site, at)| self.lasting_before(site, at))
            .collect();
    }

    /// A contact goes over to neighbouring features of the same shapes.
    fn hand_over(
        &mut self,
        model: &Model,
        y: &mut [f64],
        c: usize,
        told: &mut Told,
    ) -> Result<(), Failure> {
        let leaving = self.field.contacts.remove(c);
        let thresholds = self.scales.thresholds();
        let unseen = self.release_unseen(y);
        self.field.layout.kinematics(model, y, &mut self.field.kinematics);
        let bodies = self.field.bodies(model, y);
        let margin = |site: &Site| {
            let Some((feature, pair)) = site.feature() else { return f64::INFINITY };
            feature.margin(&bodies.get(pair.a).pose, &bodies.get(pair.b).pose)
        };
        let mut found: Vec<(f64, Site)> = Vec::new();
        let mut sagging = false;
        for site in leaving.site.neighbours() {
            let lasts = self.field.contacts.iter().any(|contact| contact.site.slot == site.slot);
            if site.slot == leaving.site.slot || lasts {
                continue;
            }
            let Some((feature, _)) = site.feature() else { continue };
            let at = ContactAt::velocity_of(&bodies, &site, y);
            let margin = margin(&site);
            let closed = at.touch.gap.abs() <= 10.0 * thresholds.closed;
            let sags = !closed && at.touch.gap < 0.0 && at.touch.gap >= -feature.sags();
            if margin >= -10.0 * thresholds.margin && (sags || closed && at.u[0].abs() <= unseen) {
                sagging |= sags;
                found.push((margin, site));
            }
        }
        if leaving.site.is_single() && found.len() > 1 {
            let best = found.iter().map(|(margin, _)| *margin).fold(f64::NEG_INFINITY, f64::max);
            found.retain(|(margin, _)| *margin == best);
            found.truncate(1);
        }
        // The points of a cap leave together.
        let leave: Vec<Slot> = (self.field.contacts.iter())
            .filter(|contact| sagging && contact.site.shares_shapes(&leaving.site))
            .filter(|contact| margin(&contact.site) <= thresholds.margin)
            .map(|contact| contact.site.slot)
            .collect();
        let contact = ContactAt::velocity_of(&bodies, &leaving.site, y);
        let told_one = told_contact(model, &leaving.site, &contact, [0.0; 3]);
        self.field.contacts.retain(|contact| !leave.contains(&contact.site.slot));
        for (_, site) in found {
            self.field.contacts.push(Lasting { site, ..leaving.clone() });
        }
        self.field.contacts.sort_by_key(|contact| contact.site.slot);
        if self.settings.features {
            told.events.push(event(y[y.len() - 1], EventKind::Feature, vec![told_one]));
        }
        if sagging {
            let total = |group: &mut Self, y: &[f64]| {
                group.energies(model, y).iter().flatten().sum::<f64>()
            };
            let before = total(self, y);
            self.field.prepare(model, y)?;
            self.field.close_gaps(model, y);
            self.impact_work += total(self, y) - before;
            return self.collide(model, y, told);
        }
        self.settle(model, y, None, &[], told)
    }

    /// Slip in space that ends: velocities a moment later, without it.
    fn end_slip(
        &mut self,
        model: &Model,
        y: &mut [f64],
        c: usize,
        told: &mut Told,
    ) -> Result<(), Failure> {
        let mut slope = vec![0.0; y.len() + INTEGRALS];
        let slips = self.slips(model);
        self.field.slope(model, y, &mut slope);
        if let Some((_, slip, rate)) = slips.into_iter().find(|(k, ..)| *k == c) {
            let dt = slip / -rate;
            y.iter_mut().zip(&slope).for_each(|(y, s)| *y += dt * s);
        }
        let stops = self.field.contacts[c].site.slot;
        self.add_unloaded(model, y);
        let at = self.field.contacts.iter().position(|contact| contact.site.slot == stops);
        self.settle(model, y, None, at.as_slice(), told)
    }

    /// Velocities jump because friction has no finite force.
    fn jam(&mut self, model: &Model, y: &mut [f64], told: &mut Told) -> Result<(), Failure> {
        told.note("sliding friction had no finite force: velocities jumped without a collision");
        let sites: Vec<(Site, ContactAt)> = self.touching(model, y);
        self.strike(model, y, &sites, Kind::Jam, told)?;
        let unseen = self.release_unseen(y);
        let after = self.touched_after(model, y, &sites);
        self.field.contacts = (sites.iter().zip(&after))
            .filter(|(_, at)| at.u[0].abs() <= unseen.max(1e-6 * self.scales.speed))
            .map(|((site, at), _)| self.lasting_before(site, at))
            .collect();
        self.settle(model, y, None, &[], told)
    }

    /// Decides the pattern of the contacts that the field has, and takes off velocities that it excludes. `ahead` is the
    /// state a moment later along the pattern that has ended; slip of `stops` is zero.
    fn settle(
        &mut self,
        model: &Model,
        y: &mut [f64],
        ahead: Option<Vec<f64>>,
        stops: &[usize],
        told: &mut Told,
    ) -> Result<(), Failure> {
        let time = y[y.len() - 1];
        told.decisions += 1;
        if time - self.decided > 1e-9 * self.scales.time() {
            self.decided = time;
            self.decisions = 0;
        }
        self.decisions += 1;
        if self.decisions > 20 * DECISIONS_AT_ONCE {
            let message = format!("contacts at t = {time} s change without time passing");
            return Err(Failure { kind: FailureKind::TooManyEvents, message });
        }
        if self.decisions > DECISIONS_AT_ONCE {
            told.note("chatter: contacts changed again and again at one time; a millionth of the time scale was passed over");
            self.deaf_until = time + AHEAD * self.scales.time();
        }
        let speed = STILL * self.scales.speed;
        let before: Vec<Lasting> = self.field.contacts.clone();
        let mut notes = DecisionNotes::default();
        let mut decision = None;
        if let Some(ahead) = ahead {
            // A moment later slip that is zero here has a size: two points of a body have the same slip.
            self.field.prepare(model, y)?;
            let slips: Vec<bool> =
                self.field.at.iter().map(|at| slides(at, false, 3.0 * speed).is_some()).collect();
            let at_event = |c: usize| {
                let held = matches!(
                    before[c].friction,
                    Friction::Stick | Friction::BeginsHeld | Friction::Begins { .. }
                );
                stops.contains(&c) || held || !slips[c]
            };
            let found =
                self.decider.decide(model, &mut self.field, &ahead, at_event, speed, &mut notes)?;
            decision = Some(found);
        }
        let decision = match decision {
            Some(found) => found,
            None => {
                let stopped = |c: usize| stops.contains(&c);
                self.decider.decide(model, &mut self.field, y, stopped, speed, &mut notes)?
            }
        };
        if notes.indeterminate {
            told.note("indeterminate: a sliding contact separates although pressing would be a solution too");
        }
        if notes.redundant_sliding {
            told.note("redundant contacts slide: accelerations are the limit of contacts that yield equally");
        }
        let fates = match decision {
            Decision::Jams => return self.jam(model, y, told),
            Decision::Fates(fates) => fates,
        };
        self.tell_changes(model, y, &before, &fates, told);
        self.field.contacts = (before.into_iter().zip(fates))
            .filter_map(|(contact, fate)| match fate {
                Fate::Opens => None,
                Fate::Keeps(friction) => {
                    let begins = matches!(friction, Friction::Begins { .. });
                    let held = begins && contact.friction == Friction::Stick;
                    let goes_on = contact.friction == friction && contact.armed;
                    let friction = if held { Friction::BeginsHeld } else { friction };
                    let armed = goes_on || !friction.slides();
                    Some(Lasting { site: contact.site, friction, armed })
                }
            })
            .collect();
        self.field.prepare(model, y)?;
        for (contact, at) in self.field.contacts.iter_mut().zip(&self.field.at) {
            contact.armed |= f64::hypot(at.u[1], at.u[2]) > BEGUN * self.scales.speed;
        }
        self.field.stop_contacts(y);
        Ok(())
    }

    /// Contacts that separate, stick or slip from now on.
    fn tell_changes(
        &mut self,
        model: &Model,
        y: &[f64],
        before: &[Lasting],
        fates: &[Fate],
        told: &mut Told,
    ) {
        let time = y[y.len() - 1];
        let of_event = !self.field.contacts.is_empty() && time > 0.0;
        if !of_event
            || told.events.last().is_some_and(|event| event.time == time && event.verdict.is_some())
        {
            return;
        }
        self.field.layout.kinematics(model, y, &mut self.field.kinematics);
        let bodies = self.field.bodies(model, y);
        let mut changes: [Vec<EventContact>; 3] = Default::default();
        for (contact, fate) in before.iter().zip(fates) {
            let change = match (contact.friction, fate) {
                (_, Fate::Opens) => 0,
                (Friction::Stick, Fate::Keeps(friction)) if friction.slides() => 1,
                (friction, Fate::Keeps(Friction::Stick)) if friction.slides() => 2,
                _ => continue,
            };
            let at = ContactAt::velocity_of(&bodies, &contact.site, y);
            changes[change].push(told_contact(model, &contact.site, &at, [0.0; 3]));
        }
        for (contacts, kind) in
            changes.into_iter().zip([EventKind::Separation, EventKind::Slip, EventKind::Stick])
        {
            if !contacts.is_empty() {
                told.events.push(event(time, kind, contacts));
            }
        }
    }
}

fn event(time: f64, kind: EventKind, contacts: Vec<EventContact>) -> Event {
    Event { time, kind, contacts, energy_change: 0.0, verdict: None }
}

fn told_contact(model: &Model, site: &Site, at: &ContactAt, impulse: [f64; 3]) -> EventContact {
    let array = |v: super::vector::V3| [v.x, v.y, v.z];
    EventContact {
        between: site.between(model),
        point: array(at.touch.point),
        normal: array(at.touch.normal),
        impulse: array(at.world(impulse)),
    }
}

/// All bodies of a group at an instant.
pub(crate) fn bodies_at<'a>(model: &'a Model, group: &'a mut Group, y: &[f64]) -> Bodies<'a> {
    group.field.layout.kinematics(model, y, &mut group.field.kinematics);
    let t = y[group.field.unknowns() - 1];
    Bodies { model, layout: &group.field.layout, kinematics: &group.field.kinematics, t }
}
