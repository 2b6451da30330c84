//! Bodies that are near each other, followed with one clock: steps, events, impacts.
//!
//! A group holds a *located* step: from where it is committed to, up to the step's end or the first event inside. Only
//! when no other group is behind does it commit, so that groups can meet in between.

mod impacts;
mod patterns;
mod steps;
mod tails;
pub(crate) mod tolerances;

use super::bounces::{Accumulation, Bounce, History};
use super::contact::{Bodies, ContactAt, Layout, Site, Slot};
use super::decide::{Decider, Decision, DecisionNotes, Fate, slides};
use super::field::{Field, Friction, INTEGRALS, Lasting, Stopped};
use super::impact::{Kind, ends, resolve_impact};
use super::model::{Model, PairModel, Place};
use super::next::Sought;
use super::report::{ContactState, Event, EventContact, EventKind, Failure, FailureKind};
use super::search::{Search, StepView, Thresholds, gap_and_rate};
use super::watch::{Watch, WatchMemory, Watched};
use carom_ode::{Dop853, StepControl, Verdict};
use std::rc::Rc;
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
    /// The first impact from some time on, where that is all that is wanted of a run.
    pub(crate) sought: Option<Sought>,
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
            sunk: SUNK * self.length,
            grazing: GRAZING * self.length,
            speed: STILL * self.speed,
            margin: MARGIN * self.length,
        }
    }

    pub(crate) fn acceleration(&self) -> f64 {
        self.gravity.max(self.speed * self.speed / self.length)
    }
}

/// How far each pair of bodies still has to go before it is looked at again.
#[derive(Clone, Debug, Default)]
struct Clearance {
    /// Of each pair, when it was last looked at \[m\].
    left: Vec<f64>,
    /// The least of them \[m\].
    least: f64,
    /// The most that two bodies have come nearer since \[m\].
    spent: f64,
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
    /// How long that lasted the last time \[s\].
    deaf_for: f64,
    settings: Settings,
    pub(crate) steps: u64,
    /// Centres of mass at the start of the step, body by body of each assembly.
    started: Vec<Vec<super::vector::V3>>,
    /// Bodies of the pairs that move, by themselves or as prescribed.
    movers: Vec<usize>,
    clearance: Clearance,
    memory: Memory,
}

/// Memory that steps use again.
#[derive(Clone, Debug, Default)]
struct Memory {
    state: Vec<f64>,
    near: Vec<usize>,
    slips: Vec<(usize, f64, f64)>,
    /// Units of positions and velocities.
    units: [Vec<f64>; 2],
    watch: WatchMemory,
    loops: (super::assembly::Kinematics, super::assembly::Dynamics),
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
        let mut movers: Vec<usize> = (pairs.iter().flat_map(|pair| [pair.a, pair.b]))
            .filter(|&body| model.place[body] != Place::Fixed || model.drives(body))
            .collect();
        movers.sort_unstable();
        movers.dedup();
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
            deaf_for: 0.0,
            settings,
            steps: 0,
            started: Vec::new(),
            movers,
            clearance: Clearance::default(),
            memory: Memory::default(),
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

    /// Nothing before this time can happen any more \[s\].
    pub(crate) fn certain(&self) -> f64 {
        if self.rests {
            return f64::INFINITY;
        }
        self.tail.as_ref().map_or(self.time(), |tail| tail.before.time())
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

    /// Works up to a state inside the located step: by impacts, friction, damping, forces and drives \[J\].
    pub(crate) fn works_at(&self, y: &[f64]) -> [f64; 5] {
        let mut works = [self.impact_work, 0.0, 0.0, 0.0, 0.0];
        let integrals = y.get(self.field.unknowns()..).unwrap_or_default();
        for (k, work) in self.works.iter().enumerate() {
            works[k + 1] = work + integrals.get(k).unwrap_or(&0.0);
        }
        works
    }

    /// Works up to the start of the located step \[J\].
    pub(crate) fn works_before(&self) -> [f64; 5] {
        self.works_at(&[])
    }

    /// The length of the located step before it is shortened \[s\].
    pub(crate) fn length(&self) -> f64 {
        self.length
    }

    /// Prepares states inside the located step. If that fails, what follows does not see it.
    pub(crate) fn prepare_apart(&mut self, model: &Model) {
        let failure = self.field.failure.take();
        self.prepare(model);
        self.field.failure = failure;
    }

    /// The contacts that last at a state inside the located step, with their forces. What follows is not touched by it.
    pub(crate) fn contacts_at(&self, model: &Model, y: &[f64]) -> Vec<ContactState> {
        if self.field.contacts.is_empty() {
            return Vec::new();
        }
        let mut field = self.field.clone();
        if field.evaluate(model, y).is_err() {
            return Vec::new();
        }
        let shared = self.decider.clone().admissible(&field);
        let forces = shared.as_ref().unwrap_or(&field.forces);
        let contacts = field.contacts.iter().zip(field.at.iter().zip(forces));
        let told = contacts.map(|(contact, (at, force))| ContactState {
            between: contact.site.between(model),
            point: at.touch.point.into(),
            normal: at.touch.normal.into(),
            force: at.world(*force).into(),
            slides: contact.friction.slides(),
        });
        told.collect()
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
        model.applied.is_some()
            || self.is_driven(model)
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

    /// Goes to the end of the located step and through what happens there. What fails there has not happened.
    pub(crate) fn commit(&mut self, model: &Model, told: &mut Told) -> Result<(), Failure> {
        let (works, impact_work, events) = (self.works, self.impact_work, told.events.len());
        let result = self.go_on(model, told);
        if result.is_err() {
            (self.works, self.impact_work) = (works, impact_work);
            told.events.truncate(events);
        }
        result
    }

    fn go_on(&mut self, model: &Model, told: &mut Told) -> Result<(), Failure> {
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
        let mut y = std::mem::take(&mut self.memory.state);
        y.resize(self.ode.start.len(), 0.0);
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
            self.memory.state = y;
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
        self.memory.state = y;
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

    /// Puts loops back together.
    pub(crate) fn close_loops(&mut self, model: &Model, y: &mut [f64]) {
        let Self { field, memory, .. } = self;
        let layout = &field.layout;
        let (nq, nv) = (layout.positions(), layout.velocities());
        let t = y[nq + nv];
        for (k, &assembly) in layout.assemblies.iter().enumerate() {
            let (q, v) = y.split_at_mut(nq);
            let (q, v) = (&mut q[layout.q_of(k)], &mut v[layout.v_of(k)]);
            model.assemblies[assembly].normalise(q);
            model.assemblies[assembly].close_loops_with(q, v, t, &mut memory.loops);
        }
    }

    /// Puts loops and closed gaps back together.
    fn project(&mut self, model: &Model, y: &mut [f64]) -> Result<(), Failure> {
        self.close_loops(model, y);
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
        let Self { field, ode, memory, scales, .. } = self;
        let layout = &field.layout;
        let (nq, nv) = (layout.positions(), layout.velocities());
        let [unit_q, unit] = &mut memory.units;
        unit_q.resize(nq, 0.0);
        unit.resize(nv, 0.0);
        for (k, &assembly) in layout.assemblies.iter().enumerate() {
            let (q, v) = (&mut unit_q[layout.q_of(k)], &mut unit[layout.v_of(k)]);
            model.assemblies[assembly].scales(scales.length, 1.0, q, v);
        }
        let calm = |values: &[f64], most: f64| {
            values.iter().zip(&*unit).all(|(x, unit)| x.abs() <= most * unit)
        };
        let y = &ode.start[..nq + nv + 1];
        if !calm(&y[nq..nq + nv], STILL * scales.speed) || field.evaluate(model, y).is_err() {
            return;
        }
        if !calm(&field.acceleration, FLOATING * scales.acceleration()) {
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
