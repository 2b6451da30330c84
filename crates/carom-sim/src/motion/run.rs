//! The door: a scene in, its motion out.
//!
//! Groups of bodies that are near each other have clocks of their own. The one that is furthest behind goes on; where its
//! bodies come near those of another, both become one group at that time, and bodies that move apart become groups again.
//! So what is far away changes no bit.

use super::applied::{Applied, AppliedForces};
use super::contact::Layout;
use super::dense::Dense;
use super::group::{Group, Settings, Told, bodies_at};
use super::model::{Model, Place};
use super::next::Sought;
use super::report::{
    ContactState, Effort, End, EndReason, Event, Failure, FailureKind, Ledger, Motion, Sample,
    Works,
};
use super::scene::{Mode, Scene};
use super::vector::V3;
use carom::{ImpactError, Law};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What is wanted of a run besides the scene.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Times of samples \[s\], in any order. They change no bit of the motion.
    pub at: Vec<f64>,
    /// In place of the scene's law.
    pub law: Option<Law>,
    /// Whether changes of feature are told as events.
    pub features: bool,
    /// Whether samples tell the contacts that last.
    pub contacts: bool,
    /// Whether the polynomials of all steps are kept, for [`Motion::states_at`]. They take memory: see [`Dense`].
    pub dense: bool,
    /// All tolerances of the integration times this \[1\]; 0 stands for 1.
    pub tolerance_factor: f64,
    applied: Option<Applied>,
}

impl Options {
    /// Samples at these times.
    pub fn at(times: impl Into<Vec<f64>>) -> Self {
        Self { at: times.into(), ..Self::default() }
    }

    /// With forces of the caller's own besides those of the scene. All bodies then are one system: they are followed
    /// together, and never come to rest, as the forces may change with time.
    pub fn with_forces(self, forces: impl AppliedForces + 'static) -> Self {
        Self { applied: Some(Applied(Arc::new(forces))), ..self }
    }
}

/// Hears of a motion as it is followed.
pub trait MotionObserver {
    /// An event, in the order of time, as soon as nothing earlier can happen any more.
    fn event(&mut self, _event: &Event) {}
    /// A step, or the part of one up to an event, of bodies that are followed together.
    fn step(&mut self, _step: StepTaken) {}
    /// A sample, at the end of the run.
    fn sample(&mut self, _sample: &Sample) {}
    /// Asked every few milliseconds, with the time that all bodies have reached \[s\]; may end the run.
    fn progress(&mut self, _time: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A step that was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StepTaken {
    /// \[s\]
    pub start: f64,
    /// \[s\]
    pub end: f64,
    /// How many coordinates moved together \[1\].
    pub coordinates: usize,
}

/// Hears nothing.
impl MotionObserver for () {}

/// The tolerance of a step beside the promised accuracy: some fifty events add up, and each expands errors a little \[1\].
const STEP_ACCURACY: f64 = 1e-3;
/// Bodies may lie in each other by this part of their extent at t = 0 \[1\].
pub(super) const OVERLAP: f64 = 1e-6;
/// Bodies nearer than this part of their extent in the next step are followed together \[1\].
const APART: f64 = 0.05;

/// Follows a scene to its end.
pub fn simulate(scene: &Scene, options: &Options) -> Result<Motion, ImpactError> {
    simulate_observed(scene, options, &mut ())
}

/// [`simulate`] with an observer.
pub fn simulate_observed(
    scene: &Scene,
    options: &Options,
    observer: &mut dyn MotionObserver,
) -> Result<Motion, ImpactError> {
    if let Some(time) = options.at.iter().find(|time| !(time.is_finite() && **time >= 0.0)) {
        return Err(ImpactError::bad_problem("at", time, "must be a time of zero seconds or more"));
    }
    let mut model = Model::new(scene, options.law)?;
    model.applied = options.applied.clone();
    let mut motion = match scene.mode {
        Mode::Stepping { .. } => super::stepping::follow(scene, &model, options, observer),
        Mode::Events => Run::new(scene, &model, options)?.follow(observer),
    }?;
    motion.notes.extend(motion.dense.as_ref().and_then(Dense::note));
    Ok(motion)
}

/// Follows a scene from event to event up to the impact that is sought, if there is one.
pub(super) fn seek(scene: &Scene, sought: Sought) -> Result<(EndReason, Sought), ImpactError> {
    let model = Model::new(scene, None)?;
    let mut run = Run::new(scene, &model, &Options::default())?;
    run.told.sought = Some(sought);
    let reason = run.until_end(&mut ());
    Ok((reason, run.told.sought.take().unwrap_or_default()))
}

/// What a group says to a sample besides the states of its bodies; it stands with its first assembly.
#[derive(Clone, Debug, Default)]
struct Said {
    works: [f64; 5],
    contacts: Vec<ContactState>,
}

/// A run under way.
struct Run<'a> {
    scene: &'a Scene,
    model: &'a Model,
    groups: Vec<Group>,
    /// Samples in the order of time, and where they stand in the answer.
    samples: Vec<(usize, Sample)>,
    motion: Motion,
    told: Told,
    /// Events that the observer has heard of.
    heard: usize,
    /// The state of a group before its step is committed.
    before: Vec<f64>,
    start: f64,
    /// Works of groups that are no more.
    merges: u64,
    /// The samples of each group that have been taken, in the order of groups.
    taken: Vec<usize>,
    /// Energies of each assembly at each sample: kinetic, of gravity, of springs \[J\].
    energies: Vec<Vec<[f64; 3]>>,
    /// Works and contacts at each sample, by assembly. A group that went back says it again.
    said: Vec<Vec<Said>>,
    /// Whether contacts are told.
    contacts: bool,
}

impl<'a> Run<'a> {
    fn new(scene: &'a Scene, model: &'a Model, options: &Options) -> Result<Self, ImpactError> {
        let factor = if options.tolerance_factor > 0.0 { options.tolerance_factor } else { 1.0 };
        let settings = Settings {
            tolerance: STEP_ACCURACY
                * scene.accuracy.state.min(10.0 * scene.accuracy.time)
                * factor,
            state: scene.accuracy.state * factor,
            features: options.features,
        };
        let groups: Vec<Group> = (model.assemblies.iter().enumerate())
            .map(|(k, assembly)| {
                let (mut y, v) = assembly.start();
                y.extend_from_slice(&v);
                y.push(0.0);
                Group::new(model, vec![k], y, settings)
            })
            .collect();
        let taken = vec![0; groups.len()];
        let mut run = Self {
            scene,
            model,
            groups,
            samples: empty_samples(model, scene, &options.at),
            motion: Motion {
                dense: options.dense.then(|| Dense::of_events(model.assemblies.len())),
                ..Motion::default()
            },
            told: Told::default(),
            heard: 0,
            before: Vec::new(),
            start: 0.0,
            merges: 0,
            taken,
            energies: vec![vec![[0.0; 3]; model.assemblies.len()]; options.at.len()],
            said: vec![vec![Said::default(); model.assemblies.len()]; options.at.len()],
            contacts: options.contacts,
        };
        run.meet_at_start();
        run.check_overlaps()?;
        Ok(run)
    }

    /// Bodies that touch or are near at t = 0 are one group.
    fn meet_at_start(&mut self) {
        let mut i = 0;
        while i < self.groups.len() {
            let together = self.model.applied.is_some();
            let near = (i + 1..self.groups.len()).find(|&j| together || self.near_now(i, j));
            match near {
                // Groups before this one are near neither of the two.
                Some(j) => self.merge(i, j, 0.0),
                None => i += 1,
            }
        }
    }

    /// Refuses bodies that lie in each other at t = 0.
    fn check_overlaps(&mut self) -> Result<(), ImpactError> {
        let model = self.model;
        for group in &mut self.groups {
            let y = group.state().to_vec();
            let allowed = OVERLAP * group.scales.length;
            let pairs = group.pairs.clone();
            let bodies = bodies_at(model, group, &y);
            for pair in &pairs {
                let (a, b) = (bodies.get(pair.a).pose, bodies.get(pair.b).pose);
                for shapes in &pair.shapes {
                    let depth = shapes.overlap(&a, &b);
                    if depth > allowed {
                        return Err(overlap_error(self.scene, (pair.a, pair.b), depth));
                    }
                }
            }
        }
        Ok(())
    }

    fn follow(mut self, observer: &mut dyn MotionObserver) -> Result<Motion, ImpactError> {
        let reason = self.until_end(observer);
        Ok(self.finish(reason, observer))
    }

    fn until_end(&mut self, observer: &mut dyn MotionObserver) -> EndReason {
        let duration = self.scene.duration;
        self.start = self.energy();
        let mut ended = None;
        for g in 0..self.groups.len() {
            if let Err(failure) = self.groups[g].start(self.model, &mut self.told) {
                ended = Some(EndReason::Failed(failure));
            }
        }
        let mut rounds: u64 = 0;
        while ended.is_none() {
            rounds += 1;
            if rounds.is_multiple_of(64) {
                let reached = self.groups.iter().map(Group::time).fold(duration, f64::min);
                if observer.progress(reached).is_break() {
                    ended = Some(EndReason::Interrupted);
                    break;
                }
            }
            if self.locate_all(duration) {
                continue;
            }
            let next = (self.groups.iter().enumerate())
                .filter_map(|(g, group)| group.located.as_ref().map(|located| (g, located.end)))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((g, end)) = next else {
                let resting =
                    !self.groups.is_empty() && self.groups.iter().all(|group| group.rests);
                ended = Some(if resting { EndReason::Rest } else { EndReason::Duration });
                break;
            };
            let start = self.groups[g].time();
            let coordinates = self.groups[g].field.layout.velocities();
            ended = self.commit(g).err().map(EndReason::Failed);
            observer.step(StepTaken { start, end, coordinates });
            self.tell(observer);
            if self.told.events.len() as u64 > self.scene.max_events {
                let message = format!("more than {} events", self.scene.max_events);
                ended =
                    Some(EndReason::Failed(Failure { kind: FailureKind::TooManyEvents, message }));
            }
        }
        ended.unwrap_or(EndReason::Duration)
    }

    /// Events that nothing can precede any more.
    fn tell(&mut self, observer: &mut dyn MotionObserver) {
        let certain = self.groups.iter().map(Group::certain).fold(f64::INFINITY, f64::min);
        let untold = &mut self.told.events[self.heard..];
        untold.sort_by(|a, b| a.time.total_cmp(&b.time));
        let count = untold.partition_point(|event| event.time < certain);
        untold[..count].iter().for_each(|event| observer.event(event));
        self.heard += count;
    }

    /// Commits a group to the end of its located step; samples on the way are taken.
    fn commit(&mut self, g: usize) -> Result<(), Failure> {
        let end = self.groups[g].located.as_ref().map_or(f64::INFINITY, |located| located.end);
        self.take_samples(g, end);
        self.keep(g, end);
        let before = self.told.events.len();
        let mut start = std::mem::take(&mut self.before);
        start.clear();
        start.extend_from_slice(self.groups[g].state());
        let result = self.groups[g].commit(self.model, &mut self.told);
        if let Some(dense) = &mut self.motion.dense {
            dense.forget(&self.groups[g]);
        }
        // A group that went back takes its samples again.
        let now = self.groups[g].time();
        if now > end {
            self.take_straight(g, end, &start);
        }
        self.before = start;
        self.taken[g] = self.samples.partition_point(|(_, sample)| sample.time < now);
        self.told.events[before..].sort_by(|a, b| a.time.total_cmp(&b.time));
        result?;
        if self.groups[g].rests {
            self.clear_others(g);
        } else {
            self.split(g);
        }
        Ok(())
    }

    /// Located steps of other groups that go on after one has come to rest were looked at up to that time only.
    fn clear_others(&mut self, g: usize) {
        let mut k = 0;
        while k < self.groups.len() {
            if k != g
                && self.groups[k].located.is_some()
                && let Some(other) = self.clear(k)
            {
                self.merge(k, other, self.groups[k].time());
                return;
            }
            k += 1;
        }
    }

    /// Samples before `end` of the bodies of a group.
    fn take_samples(&mut self, g: usize, end: f64) {
        let mut y = Vec::new();
        while self.taken[g] < self.samples.len() && self.samples[self.taken[g]].1.time < end {
            let k = self.taken[g];
            let time = self.samples[k].1.time;
            self.groups[g].state_at(self.model, time, &mut y);
            self.groups[g].close_loops(self.model, &mut y);
            self.sample(g, k, &y);
            self.taken[g] += 1;
        }
    }

    /// Samples of a straight step that a group has taken beyond what was located, from the state at `start`.
    fn take_straight(&mut self, g: usize, start: f64, from: &[f64]) {
        let to = self.groups[g].state().to_vec();
        let length = self.groups[g].time() - start;
        if let Some(dense) = &mut self.motion.dense {
            dense.keep_straight(&self.groups[g], start, from);
        }
        while self.taken[g] < self.samples.len()
            && self.samples[self.taken[g]].1.time < start + length
        {
            let k = self.taken[g];
            let theta = (self.samples[k].1.time - start) / length;
            let mut y: Vec<f64> =
                from.iter().zip(&to).map(|(from, to)| from + (to - from) * theta).collect();
            self.groups[g].close_loops(self.model, &mut y);
            self.sample(g, k, &y);
            self.taken[g] += 1;
        }
    }

    /// Keeps the located step of a group for later, where asked for.
    fn keep(&mut self, g: usize, end: f64) {
        if let Some(dense) = &mut self.motion.dense {
            dense.keep(self.model, &mut self.groups[g], end);
        }
    }

    /// The last state of a group, for all samples that remain.
    fn take_rest(&mut self, g: usize) {
        if let Some(dense) = &mut self.motion.dense {
            dense.keep_still(&self.groups[g], false);
        }
        let y = self.groups[g].ode.start.clone();
        while self.taken[g] < self.samples.len() {
            self.sample(g, self.taken[g], &y);
            self.taken[g] += 1;
        }
    }

    fn sample(&mut self, g: usize, k: usize, y: &[f64]) {
        let model = self.model;
        let group = &mut self.groups[g];
        let mut said = Said {
            works: group.works_at(y),
            contacts: if self.contacts { group.contacts_at(model, y) } else { Vec::new() },
        };
        for &assembly in &group.field.layout.assemblies {
            self.said[k][assembly] = std::mem::take(&mut said);
        }
        let energies = group.energies(model, y);
        for ((&assembly, kinematics), energy) in
            (group.field.layout.assemblies.iter()).zip(&group.field.kinematics).zip(energies)
        {
            self.energies[k][assembly] = energy;
            for (local, &body) in model.assemblies[assembly].bodies().iter().enumerate() {
                self.samples[k].1.bodies[body] = kinematics.state(local);
            }
        }
    }

    /// Total energy at the states that groups are committed to.
    fn energy(&mut self) -> f64 {
        let mut sum = 0.0;
        for group in &mut self.groups {
            let y = group.state().to_vec();
            sum += group.energies(self.model, &y).iter().flatten().sum::<f64>();
        }
        sum
    }

    /// Whether bodies of two groups are so near that they are followed together from the start.
    fn near_now(&mut self, i: usize, j: usize) -> bool {
        let times = [self.groups[i].time(), self.groups[j].time()];
        let pairs = self.colliding(i, j, times[0].min(times[1]));
        pairs.into_iter().any(|(a, b)| {
            let near = APART * self.model.radius[a].min(self.model.radius[b]);
            self.distance_bound(i, j, a, b, times) <= near
        })
    }

    /// Bodies of two groups that collide and could be near each other up to a time.
    fn colliding(&self, i: usize, j: usize, to: f64) -> Vec<(usize, usize)> {
        let bodies = |g: usize| {
            let layout = &self.groups[g].field.layout;
            layout
                .assemblies
                .iter()
                .flat_map(|&k| self.model.assemblies[k].bodies().iter().copied())
        };
        let mut pairs = Vec::new();
        for a in bodies(i).filter(|&a| self.model.radius[a] > 0.0) {
            for b in bodies(j).filter(|&b| self.model.radius[b] > 0.0) {
                if self.may_approach(i, j, a, b, to) && self.model.material(a, b).is_some() {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    /// A lower bound of the distance of two bodies at these times of their groups.
    fn distance_bound(&mut self, i: usize, j: usize, a: usize, b: usize, times: [f64; 2]) -> f64 {
        let mut y = Vec::new();
        let mut centres = [V3::zeros(); 2];
        for (slot, (g, body)) in [(i, a), (j, b)].into_iter().enumerate() {
            self.groups[g].state_at(self.model, times[slot], &mut y);
            centres[slot] = bodies_at(self.model, &mut self.groups[g], &y).get(body).pose.centre;
        }
        (centres[1] - centres[0]).norm() - self.model.radius[a] - self.model.radius[b]
    }

    /// Locates the steps of all groups, none beyond a time at which its bodies come near those of another. True if groups
    /// became one: there is more to locate.
    ///
    /// As a step is checked when it is located, a group that is furthest behind can be committed: no located path before
    /// that time can still be changed by others.
    fn locate_all(&mut self, duration: f64) -> bool {
        for g in 0..self.groups.len() {
            let group = &mut self.groups[g];
            if group.located.is_some() || group.rests || group.time() >= duration {
                continue;
            }
            group.locate(self.model, duration);
            if let Some(other) = self.clear(g) {
                self.merge(g, other, self.groups[g].time());
                return true;
            }
        }
        false
    }

    /// Shortens the located step of a group to where its bodies come near those of another; the other group if they are
    /// near from the start.
    fn clear(&mut self, g: usize) -> Option<usize> {
        let start = self.groups[g].time();
        for other in 0..self.groups.len() {
            let (rests, located) = (self.groups[other].rests, self.groups[other].located.as_ref());
            if other == g || !(rests || located.is_some()) {
                continue;
            }
            let (since, until) = match located {
                Some(located) if !rests => (self.groups[other].time(), located.end),
                // Where it came from was looked at while it moved.
                _ => (self.groups[other].time(), f64::INFINITY),
            };
            let end = self.groups[g].located.as_ref().map_or(start, |located| located.end);
            for (a, b) in self.colliding(g, other, end.min(until)) {
                let end = self.groups[g].located.as_ref().map_or(start, |located| located.end);
                let (from, to) = (start.max(since), end.min(until));
                if from > to || !self.may_approach(g, other, a, b, to) {
                    continue;
                }
                let Some(time) = self.approach(g, other, a, b, [from, to], 0) else { continue };
                if time > start + 1e-3 * self.groups[g].scales.time() {
                    self.groups[g].truncate(self.model, time);
                } else if since <= start {
                    return Some(other);
                } else {
                    self.groups[g].truncate(self.model, since);
                }
            }
        }
        None
    }

    /// Whether two bodies could be near each other up to a time, by the fastest that their groups have been.
    fn may_approach(&self, g: usize, other: usize, a: usize, b: usize, to: f64) -> bool {
        let mut path = 0.0;
        let mut centres = [V3::zeros(); 2];
        for (centre, (k, body)) in centres.iter_mut().zip([(g, a), (other, b)]) {
            let group = &self.groups[k];
            *centre = group.start_centre(self.model, body);
            if !group.rests {
                let dt = to - group.time();
                path += dt * (1.5 * group.scales.speed + group.scales.gravity * dt);
            }
        }
        let near = APART * self.model.radius[a].min(self.model.radius[b]);
        (centres[1] - centres[0]).norm() - self.model.radius[a] - self.model.radius[b] - path
            <= near
    }

    /// The first time between two at which two bodies are nearer than they may be, to within halvings.
    fn approach(
        &mut self,
        g: usize,
        other: usize,
        a: usize,
        b: usize,
        [from, to]: [f64; 2],
        depth: u32,
    ) -> Option<f64> {
        let middle = 0.5 * (from + to);
        let distance = self.distance_bound(g, other, a, b, [middle, middle]);
        let speed = 1.5 * (self.groups[g].scales.speed + self.groups[other].scales.speed);
        let near = APART * self.model.radius[a].min(self.model.radius[b]);
        if distance - speed * 0.5 * (to - from) > near {
            return None;
        }
        if depth >= 12 || distance <= near && depth >= 4 {
            return Some(from);
        }
        let left = self.approach(g, other, a, b, [from, middle], depth + 1);
        left.or_else(|| self.approach(g, other, a, b, [middle, to], depth + 1))
    }

    /// Two groups become one at a time inside both located steps.
    fn merge(&mut self, i: usize, j: usize, time: f64) {
        let (i, j) = (i.min(j), i.max(j));
        for g in [i, j] {
            if self.groups[g].rests {
                self.take_samples(g, time);
                if let Some(dense) = &mut self.motion.dense {
                    dense.keep_still(&self.groups[g], true);
                }
                self.groups[g].wake(self.model, time);
            } else if self.groups[g].located.is_some() && time > self.groups[g].time() {
                self.groups[g].truncate(self.model, time);
                self.take_samples(g, time);
                self.keep(g, time);
                if self.groups[g].commit(self.model, &mut self.told).is_err() {
                    // The failure comes up again in the group that both make.
                    self.groups[g].located = None;
                }
            }
            let mut told = std::mem::take(&mut self.told);
            self.groups[g].flush_tail(&mut told);
            self.told = told;
        }
        let (one, other) = (&self.groups[i], &self.groups[j]);
        let mut assemblies = one.field.layout.assemblies.clone();
        assemblies.extend_from_slice(&other.field.layout.assemblies);
        let layout = Layout::new(self.model, assemblies.clone());
        let mut y = vec![0.0; layout.positions() + layout.velocities() + 1];
        for group in [one, other] {
            copy_state(&layout, &mut y, &group.field.layout, group.state());
        }
        let unknowns = y.len();
        y[unknowns - 1] = time.max(one.time()).max(other.time());
        let mut group = Group::new(self.model, assemblies, y, one.settings());
        group.adopt(self.model, one, other);
        self.taken[i] = self.samples.partition_point(|(_, sample)| sample.time < group.time());
        self.groups[i] = group;
        self.groups.remove(j);
        self.taken.remove(j);
        self.merges += 1;
    }

    /// Bodies of a group that are apart become groups of their own.
    fn split(&mut self, g: usize) {
        let count = self.groups[g].field.layout.assemblies.len();
        if count < 2 || self.groups[g].has_tail() || self.model.applied.is_some() {
            return;
        }
        let parts = self.parts(g);
        let first = parts[0];
        if parts.iter().all(|part| *part == first) {
            return;
        }
        let whole = self.groups[g].clone();
        let mut made = Vec::new();
        let most = parts.iter().max().map_or(0, |most| most + 1);
        for part in 0..most {
            let chosen: Vec<usize> = (0..count).filter(|k| parts[*k] == part).collect();
            if chosen.is_empty() {
                continue;
            }
            let assemblies = chosen.iter().map(|k| whole.field.layout.assemblies[*k]).collect();
            let layout = Layout::new(self.model, assemblies);
            let mut y = vec![0.0; layout.positions() + layout.velocities() + 1];
            copy_state(&layout, &mut y, &whole.field.layout, whole.state());
            let last = y.len() - 1;
            y[last] = whole.time();
            let mut group = Group::new(self.model, layout.assemblies.clone(), y, whole.settings());
            group.part_of(self.model, &whole);
            made.push(group);
        }
        made[0].works = whole.works;
        made[0].impact_work = whole.impact_work;
        made[0].field.slopes += whole.field.slopes;
        let taken = self.taken[g];
        self.groups[g] = made.remove(0);
        for group in made {
            self.groups.push(group);
            self.taken.push(taken);
        }
    }

    /// Which assemblies of a group belong together: those that touch, or might in the next step.
    fn parts(&mut self, g: usize) -> Vec<usize> {
        let model = self.model;
        let group = &mut self.groups[g];
        let y = group.state().to_vec();
        let layout = group.field.layout.clone();
        let mut part: Vec<usize> = (0..layout.assemblies.len()).collect();
        let h = group.next_length();
        let speed = group.scales.speed;
        let pairs = group.pairs.clone();
        let contacts: Vec<[Option<usize>; 2]> = (group.field.contacts.iter())
            .map(|contact| super::impact::ends(model, &layout, &contact.site))
            .collect();
        let bodies = bodies_at(model, group, &y);
        let mut join = |a: usize, b: usize| {
            let (from, to) = (part[a].max(part[b]), part[a].min(part[b]));
            part.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
        };
        for pair in &pairs {
            let (Place::Moving { assembly: a, .. }, Place::Moving { assembly: b, .. }) =
                (model.place[pair.a], model.place[pair.b])
            else {
                continue;
            };
            let (Some(a), Some(b)) = (layout.find(a), layout.find(b)) else { continue };
            let (at_a, at_b) = (bodies.get(pair.a), bodies.get(pair.b));
            let line = at_b.pose.centre - at_a.pose.centre;
            let distance = line.norm() - model.radius[pair.a] - model.radius[pair.b];
            let approach = -line.dot(&(at_b.twist.velocity - at_a.twist.velocity));
            let near = 2.0 * APART * model.radius[pair.a].min(model.radius[pair.b]);
            let reach = if approach > 0.0 { 2.0 * speed * h } else { 0.0 };
            if distance <= near + reach {
                join(a, b);
            }
        }
        for ends in contacts {
            if let [Some(a), Some(b)] = ends {
                join(a, b);
            }
        }
        part
    }

    fn finish(mut self, reason: EndReason, observer: &mut dyn MotionObserver) -> Motion {
        let mut ledger = Ledger { start: self.start, ..Ledger::default() };
        ledger.end = self.energy();
        let mut reached = f64::INFINITY;
        let mut effort = Effort::default();
        for g in 0..self.groups.len() {
            let mut told = std::mem::take(&mut self.told);
            self.groups[g].flush_tail(&mut told);
            self.told = told;
            self.take_rest(g);
            let group = &self.groups[g];
            ledger.impacts += group.impact_work;
            ledger.friction += group.works[0];
            ledger.damping += group.works[1];
            ledger.forces += group.works[2];
            ledger.drives += group.works[3];
            effort.slopes += group.field.slopes;
            effort.steps += group.steps;
            if !group.rests {
                reached = reached.min(group.time());
            }
        }
        ledger.residual = ledger.start + ledger.works() - ledger.end;
        let Told { mut events, notes, impacts, decisions, .. } = std::mem::take(&mut self.told);
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        effort.impacts = impacts;
        effort.decisions = decisions;
        effort.merges = self.merges;
        let time = match reason {
            EndReason::Rest => events.last().map_or(0.0, |event| event.time),
            EndReason::Duration => self.scene.duration,
            _ => reached.min(self.scene.duration),
        };
        let told = self.energies.iter().zip(&mut self.said);
        for ((_, sample), (energies, said)) in self.samples.iter_mut().zip(told) {
            for [kinetic, potential, elastic] in energies {
                sample.kinetic += kinetic;
                sample.potential += potential;
                sample.elastic += elastic;
            }
            for Said { works: [impacts, friction, damping, forces, drives], contacts } in said {
                sample.works.impacts += *impacts;
                sample.works.friction += *friction;
                sample.works.damping += *damping;
                sample.works.forces += *forces;
                sample.works.drives += *drives;
                sample.contacts.append(contacts);
            }
        }
        self.samples.sort_by_key(|(place, _)| *place);
        self.motion.samples = self.samples.into_iter().map(|(_, sample)| sample).collect();
        self.motion.samples.iter().for_each(|sample| observer.sample(sample));
        events[self.heard..].iter().for_each(|event| observer.event(event));
        let scale = ledger.start.abs() + ledger.end.abs() + ledger.works().abs();
        self.motion.notes = notes;
        if ledger.residual.abs() > 1e-7 * scale.max(f64::MIN_POSITIVE) && scale > 0.0 {
            self.motion
                .notes
                .push(format!("ledger: {:e} J are not accounted for", ledger.residual));
        }
        self.motion.events = events;
        self.motion.ledger = ledger;
        self.motion.effort = effort;
        self.motion.end = End { time, reason };
        self.motion
    }
}

/// Copies what two layouts share of a state.
fn copy_state(to: &Layout, out: &mut [f64], from: &Layout, y: &[f64]) {
    let (nq_to, nq_from) = (to.positions(), from.positions());
    for (k, assembly) in to.assemblies.iter().enumerate() {
        if let Some(l) = from.find(*assembly) {
            out[to.q_of(k)].copy_from_slice(&y[from.q_of(l)]);
            out[nq_to..][to.v_of(k)].copy_from_slice(&y[nq_from..][from.v_of(l)]);
        }
    }
}

/// Two bodies lie in each other at t = 0.
pub(super) fn overlap_error(scene: &Scene, (a, b): (usize, usize), depth: f64) -> ImpactError {
    let names = [a, b].map(|body| scene.bodies[body].name.as_str());
    ImpactError::bad_problem(
        format!("bodies[{b}].position"),
        format!("{:?}", scene.bodies[b].position),
        format!("`{}` and `{}` lie {depth:e} m in each other at t = 0", names[0], names[1]),
    )
}

/// Samples in the order of time with their places in the answer; what moves is filled in later.
pub(super) fn empty_samples(model: &Model, scene: &Scene, at: &[f64]) -> Vec<(usize, Sample)> {
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by(|a, b| at[*a].total_cmp(&at[*b]));
    let empty = |place: usize| {
        let bodies =
            (0..scene.bodies.len()).map(|body| model.fixed_state(body, at[place])).collect();
        let sample = Sample {
            time: at[place],
            bodies,
            kinetic: 0.0,
            potential: 0.0,
            elastic: 0.0,
            works: Works::default(),
            contacts: Vec::new(),
        };
        (place, sample)
    };
    order.into_iter().map(empty).collect()
}
