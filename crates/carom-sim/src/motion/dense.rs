//! A motion between its samples: the polynomials of all steps.
//!
//! Each assembly has a track of its own, so that groups may meet and part. In steps of time it is the states at their ends.

use super::group::Group;
use super::model::Model;
use super::report::{Motion, Sample, Works};
use super::run::empty_samples;
use super::scene::Scene;
use carom::ImpactError;
use carom_ode::Dop853;

/// Works that stand with a track: by impacts, friction, damping, forces and drives.
const WORKS: usize = 5;
/// Coefficients of a polynomial beside the value at the start.
const COEFFICIENTS: usize = Dop853::COEFFICIENTS;
/// The first number of a motion written as numbers.
const FORM: f64 = 1.0;
/// More is not kept \[bytes\].
const MOST: usize = if cfg!(test) { 1 << 16 } else { 2 << 30 };

/// A motion at any time, with the bits that a sample asked for beforehand has.
///
/// A step of `n` positions and velocities takes about `64 n` bytes. Of a motion of more than 2 GiB nothing is kept.
#[derive(Clone, Debug)]
pub struct Dense {
    kept: Kept,
    /// So much was kept, what was forgotten included \[bytes\].
    bytes: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Kept {
    /// Of each assembly, from event to event.
    Tracks(Vec<Vec<Segment>>),
    /// Of all assemblies together, at the ends of steps.
    Ends(Vec<End>),
    /// Nothing: it was too much.
    TooMuch,
}

/// One assembly between two times.
#[derive(Clone, Debug, PartialEq)]
struct Segment {
    /// \[s\]
    start: f64,
    /// Of the step whose polynomials these are; zero where the state stands \[s\].
    length: f64,
    /// Whether loops are closed before a state is told.
    closes: bool,
    /// Of its group, up to the start of the step; of one assembly of the group only.
    works: Option<[f64; WORKS]>,
    /// Positions, velocities, time, and where there are works their integrals over the step.
    state: Box<[f64]>,
    /// So many for each number of the state, or none where it stands.
    polynomials: Box<[f64]>,
}

/// From when, how long, and whether loops are closed.
struct Step {
    start: f64,
    length: f64,
    closes: bool,
}

/// Whether they tell the same; what was forgotten does not count.
impl PartialEq for Dense {
    fn eq(&self, other: &Self) -> bool {
        self.kept == other.kept
    }
}

impl Segment {
    /// The numbers of the state at a time.
    fn at(&self, time: f64, out: &mut Vec<f64>) {
        out.clear();
        if time <= self.start || self.polynomials.is_empty() {
            out.extend_from_slice(&self.state);
            return;
        }
        let theta = (time - self.start) / self.length;
        let polynomials = self.polynomials.chunks_exact(COEFFICIENTS);
        let values = (self.state.iter().zip(polynomials))
            .map(|(start, polynomial)| Dop853::along(*start, polynomial, theta));
        out.extend(values);
    }
}

/// The state at the end of a step of time.
#[derive(Clone, Debug, PartialEq)]
struct End {
    /// Positions, velocities and time of all assemblies.
    state: Box<[f64]>,
    works: [f64; WORKS],
}

impl Dense {
    /// For a motion from event to event.
    pub(super) fn of_events(assemblies: usize) -> Self {
        Self::of(Kept::Tracks(vec![Vec::new(); assemblies]))
    }

    /// For a motion in steps of time.
    pub(super) fn of_steps() -> Self {
        Self::of(Kept::Ends(Vec::new()))
    }

    fn of(kept: Kept) -> Self {
        Self { kept, bytes: 0 }
    }

    /// What a reader should know.
    pub(super) fn note(&self) -> Option<String> {
        let words = "the steps take too much memory and were not kept: there are samples alone";
        (self.kept == Kept::TooMuch).then(|| words.into())
    }

    /// Makes room, or gives everything up.
    fn reserve(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes > MOST {
            self.kept = Kept::TooMuch;
        }
    }

    /// Keeps the end of a step of time.
    pub(super) fn push(&mut self, state: &[f64], works: Works) {
        self.reserve(size_of::<End>() + size_of_val(state));
        if let Kept::Ends(ends) = &mut self.kept {
            ends.push(End { state: state.into(), works: works.numbers() });
        }
    }

    /// Keeps the located step of a group up to `end`.
    pub(super) fn keep(&mut self, model: &Model, group: &mut Group, end: f64) {
        if end > group.time() && group.located.is_some() {
            group.prepare_apart(model);
            let step = Step { start: group.time(), length: group.length(), closes: true };
            self.extend(group, step, &group.ode.start, |i| *group.ode.polynomial(i));
        }
    }

    /// Keeps the straight step that a group has taken to where it is now.
    pub(super) fn keep_straight(&mut self, group: &Group, start: f64, from: &[f64]) {
        let to = group.state();
        let mut padded = from.to_vec();
        padded.resize(group.ode.start.len(), 0.0);
        let step = Step { start, length: group.time() - start, closes: true };
        self.extend(group, step, &padded, |i| {
            let mut line = [0.0; COEFFICIENTS];
            line[0] = to.get(i).map_or(0.0, |to| to - padded[i]);
            line
        });
    }

    /// Keeps the state of a group as it stands from its time on.
    pub(super) fn keep_still(&mut self, group: &Group, closes: bool) {
        let step = Step { start: group.time(), length: 0.0, closes };
        self.extend(group, step, &group.ode.start, |_| [0.0; COEFFICIENTS]);
    }

    fn extend(
        &mut self,
        group: &Group,
        Step { start, length, closes }: Step,
        state: &[f64],
        polynomial: impl Fn(usize) -> [f64; COEFFICIENTS],
    ) {
        let numbers = if length > 0.0 { 1 + COEFFICIENTS } else { 1 };
        let assemblies = group.field.layout.assemblies.len();
        self.reserve(assemblies * size_of::<Segment>() + numbers * size_of_val(state));
        let Kept::Tracks(tracks) = &mut self.kept else { return };
        let layout = &group.field.layout;
        let (nq, nv) = (layout.positions(), layout.velocities());
        for (k, &assembly) in layout.assemblies.iter().enumerate() {
            let v = layout.v_of(k);
            // Works of the group stand with its first assembly.
            let integrals = if k == 0 { nq + nv + 1..state.len() } else { 0..0 };
            let places = (layout.q_of(k)).chain(nq + v.start..nq + v.end).chain([nq + nv]);
            let places: Vec<usize> = places.chain(integrals).collect();
            let polynomials = match length > 0.0 {
                true => places.iter().flat_map(|&i| polynomial(i)).collect(),
                false => Box::default(),
            };
            tracks[assembly].push(Segment {
                start,
                length,
                closes,
                works: (k == 0).then(|| group.works_before()),
                state: places.iter().map(|&i| state[i]).collect(),
                polynomials,
            });
        }
    }

    /// Forgets what a group has not reached: it went back, or could not go on.
    pub(super) fn forget(&mut self, group: &Group) {
        let Kept::Tracks(tracks) = &mut self.kept else { return };
        let now = group.time();
        for &assembly in &group.field.layout.assemblies {
            while tracks[assembly].last().is_some_and(|segment| segment.start >= now) {
                tracks[assembly].pop();
            }
        }
    }

    /// Samples of the scene that it was kept of, without their contacts, at times from zero to the scene's duration.
    pub fn samples(&self, scene: &Scene, times: &[f64]) -> Result<Vec<Sample>, ImpactError> {
        let within = |time: &&f64| !(0.0..=scene.duration).contains(*time);
        if let Some(time) = times.iter().find(within) {
            let reason = format!("must lie between 0 and the duration, {} s", scene.duration);
            return Err(ImpactError::bad_problem("t", time, reason));
        }
        if self.kept == Kept::TooMuch {
            let message = format!(
                "the steps of this motion take more than {} MiB and were not kept; ask for samples beforehand",
                MOST >> 20
            );
            return Err(ImpactError::Limit(message));
        }
        let model = Model::new(scene, None)?;
        self.check(&model)?;
        let mut samples = empty_samples(&model, scene, times);
        for (_, sample) in &mut samples {
            match &self.kept {
                Kept::Tracks(tracks) => along_tracks(&model, tracks, sample),
                Kept::Ends(ends) => between_ends(&model, ends, sample),
                Kept::TooMuch => {}
            }
            let numbers = sample.bodies.iter().flat_map(|body| body.position);
            if !numbers.chain([sample.kinetic]).all(f64::is_finite) {
                let message = format!("the motion has no state at t = {} s", sample.time);
                return Err(ImpactError::Limit(message));
            }
        }
        samples.sort_by_key(|(place, _)| *place);
        Ok(samples.into_iter().map(|(_, sample)| sample).collect())
    }

    /// Refuses a scene that it is not of.
    fn check(&self, model: &Model) -> Result<(), ImpactError> {
        let unknowns =
            |assembly: &super::assembly::Assembly| assembly.positions() + assembly.velocities();
        let fits = match &self.kept {
            Kept::TooMuch => false,
            Kept::Tracks(tracks) => {
                tracks.len() == model.assemblies.len()
                    && tracks.iter().zip(&model.assemblies).all(|(track, assembly)| {
                        let least = unknowns(assembly) + 1;
                        !track.is_empty()
                            && track.iter().all(|segment| {
                                let works = segment.works.map_or(0, |_| WORKS - 1);
                                segment.state.len() == least + works
                            })
                    })
            }
            Kept::Ends(ends) => {
                let least = model.assemblies.iter().map(unknowns).sum::<usize>() + 1;
                !ends.is_empty() && ends.iter().all(|end| end.state.len() == least)
            }
        };
        let reason = "this motion is of a scene with other bodies or joints";
        if fits { Ok(()) } else { Err(ImpactError::bad_problem("scene", "(given)", reason)) }
    }

    /// How much memory it takes \[bytes\].
    pub fn bytes(&self) -> usize {
        let sizes = |numbers: usize| numbers * size_of::<f64>();
        match &self.kept {
            Kept::TooMuch => 0,
            Kept::Tracks(tracks) => (tracks.iter().flatten())
                .map(|s| size_of::<Segment>() + sizes(s.state.len() + s.polynomials.len()))
                .sum(),
            Kept::Ends(ends) => {
                ends.iter().map(|end| size_of::<End>() + sizes(end.state.len())).sum()
            }
        }
    }

    /// All of it as numbers, to be kept elsewhere.
    pub fn to_numbers(&self) -> Vec<f64> {
        let mut out = vec![FORM];
        match &self.kept {
            Kept::TooMuch => out.push(2.0),
            Kept::Tracks(tracks) => {
                out.extend([0.0, tracks.len() as f64]);
                for track in tracks {
                    out.push(track.len() as f64);
                    for segment in track {
                        let flag = |x: bool| f64::from(u8::from(x));
                        out.extend([segment.start, segment.length, flag(segment.closes)]);
                        out.push(flag(segment.works.is_some()));
                        out.extend(segment.works.unwrap_or_default());
                        out.extend(
                            [segment.state.len(), segment.polynomials.len()].map(|n| n as f64),
                        );
                        out.extend_from_slice(&segment.state);
                        out.extend_from_slice(&segment.polynomials);
                    }
                }
            }
            Kept::Ends(ends) => {
                out.extend([1.0, ends.len() as f64]);
                for end in ends {
                    out.extend(end.works);
                    out.push(end.state.len() as f64);
                    out.extend_from_slice(&end.state);
                }
            }
        }
        out
    }

    /// The way back; none if numbers are missing, too many, or make no sense.
    pub fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let mut numbers = Numbers(numbers);
        if numbers.one()? != FORM {
            return None;
        }
        let kept = match numbers.one()? {
            0.0 => {
                let mut tracks = Vec::new();
                for _ in 0..numbers.count()? {
                    let count = numbers.count()?;
                    let track: Option<Vec<Segment>> =
                        (0..count).map(|_| numbers.segment()).collect();
                    tracks.push(track?);
                }
                Kept::Tracks(tracks)
            }
            2.0 => Kept::TooMuch,
            1.0 => {
                let mut ends = Vec::new();
                for _ in 0..numbers.count()? {
                    let works = numbers.take(WORKS)?.try_into().ok()?;
                    let size = numbers.count()?;
                    ends.push(End { works, state: numbers.take(size)?.into() });
                }
                Kept::Ends(ends)
            }
            _ => return None,
        };
        let mut dense = Self::of(kept);
        dense.bytes = dense.bytes();
        numbers.0.is_empty().then_some(dense)
    }
}

impl Motion {
    /// Samples at any times of the scene that it is of, without their contacts. They have the bits of samples asked for
    /// beforehand. Wants [`Options::dense`](super::Options::dense).
    pub fn states_at(&self, scene: &Scene, times: &[f64]) -> Result<Vec<Sample>, ImpactError> {
        let kept = self.dense.as_ref().ok_or_else(|| {
            ImpactError::Limit("this motion was followed without keeping its steps".into())
        })?;
        kept.samples(scene, times)
    }
}

/// Numbers still to be read.
struct Numbers<'a>(&'a [f64]);

impl<'a> Numbers<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [f64]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn one(&mut self) -> Option<f64> {
        self.take(1).map(|numbers| numbers[0])
    }

    /// A number of numbers, of which there are as many at least.
    fn count(&mut self) -> Option<usize> {
        let count = self.one()?;
        let sound = count >= 0.0 && count.fract() == 0.0 && count <= self.0.len() as f64;
        sound.then_some(count as usize)
    }

    fn segment(&mut self) -> Option<Segment> {
        let &[start, length, closes, worked] = self.take(4)? else { return None };
        let works: [f64; WORKS] = self.take(WORKS)?.try_into().ok()?;
        let (state, polynomials) = (self.count()?, self.count()?);
        let (state, polynomials) = (self.take(state)?, self.take(polynomials)?);
        let whole = polynomials.is_empty() || polynomials.len() == COEFFICIENTS * state.len();
        whole.then(|| Segment {
            start,
            length,
            closes: closes != 0.0,
            works: (worked != 0.0).then_some(works),
            state: state.into(),
            polynomials: polynomials.into(),
        })
    }
}

/// Fills a sample from tracks: what `Run` does with a group's step.
fn along_tracks(model: &Model, tracks: &[Vec<Segment>], sample: &mut Sample) {
    let mut kinematics = super::assembly::Kinematics::default();
    let mut y = Vec::new();
    let mut said = [0.0; WORKS];
    for (track, assembly) in tracks.iter().zip(&model.assemblies) {
        let after = track.partition_point(|segment| segment.start <= sample.time);
        let Some(segment) = track.get(after.saturating_sub(1)) else { continue };
        segment.at(sample.time, &mut y);
        let nq = assembly.positions();
        let (q, rest) = y.split_at_mut(nq);
        let (v, rest) = rest.split_at_mut(assembly.velocities());
        let t = rest[0];
        if segment.closes {
            assembly.normalise(q);
            assembly.close_loops(q, v, t);
        }
        if let Some(works) = segment.works {
            said[0] += works[0];
            for (k, integral) in rest[1..].iter().enumerate() {
                said[k + 1] += works[k + 1] + integral;
            }
        }
        tell(assembly, [&*q, &*v], t, &mut kinematics, sample);
    }
    sample.works = works_of(said);
}

/// Fills a sample from the ends of steps: what `Stepper` does with its last one.
fn between_ends(model: &Model, ends: &[End], sample: &mut Sample) {
    let time = |end: &End| end.state[end.state.len() - 1];
    // The first end after the time; where there is none, the last state stands.
    let after = ends.partition_point(|end| time(end) <= sample.time).min(ends.len() - 1);
    let (one, other) = (&ends[after.saturating_sub(1)], &ends[after]);
    let (start, stop) = (time(one), time(other));
    let part = match stop > start {
        true => ((sample.time - start) / (stop - start)).clamp(0.0, 1.0),
        false => 1.0,
    };
    let between = (one.state.iter().zip(&other.state)).map(|(old, new)| old + part * (new - old));
    let mut y: Vec<f64> = between.collect();
    if part == 1.0 {
        y.copy_from_slice(&other.state);
    }
    let mut kinematics = super::assembly::Kinematics::default();
    let t = y[y.len() - 1];
    let positions: usize = model.assemblies.iter().map(|assembly| assembly.positions()).sum();
    let (mut q, mut v) = y.split_at(positions);
    for assembly in &model.assemblies {
        let (q_of, q_rest) = q.split_at(assembly.positions());
        let (v_of, v_rest) = v.split_at(assembly.velocities());
        (q, v) = (q_rest, v_rest);
        tell(assembly, [q_of, v_of], t, &mut kinematics, sample);
    }
    sample.works = works_of(other.works);
}

/// What a sample says of one assembly.
fn tell(
    assembly: &super::assembly::Assembly,
    [q, v]: [&[f64]; 2],
    t: f64,
    kinematics: &mut super::assembly::Kinematics,
    sample: &mut Sample,
) {
    assembly.kinematics(q, v, t, kinematics);
    for (local, &body) in assembly.bodies().iter().enumerate() {
        sample.bodies[body] = kinematics.state(local);
    }
    let energy = assembly.energy(q, t, kinematics);
    sample.kinetic += energy.kinetic;
    sample.potential += energy.potential;
    sample.elastic += energy.elastic;
}

fn works_of([impacts, friction, damping, forces, drives]: [f64; WORKS]) -> Works {
    Works { impacts, friction, damping, forces, drives }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Dimension;

    #[test]
    fn what_is_too_much_is_not_kept() {
        let mut dense = Dense::of_steps();
        let state = [0.0; 64];
        let mut pushed = 0;
        while dense.kept != Kept::TooMuch {
            dense.push(&state, Works::default());
            pushed += size_of_val(&state);
            assert!(pushed < 2 * MOST, "it grows without end");
        }
        assert!(pushed > MOST / 2 && dense.bytes() == 0);
        dense.push(&state, Works::default());
        assert_eq!(dense.kept, Kept::TooMuch);
        let refused = dense.samples(&Scene::new(Dimension::Plane), &[0.0]).expect_err("nothing");
        assert!(refused.to_string().contains("ask for samples beforehand"), "{refused}");
        let twin = Dense::from_numbers(&dense.to_numbers()).expect("numbers");
        assert_eq!(twin.kept, Kept::TooMuch);
    }
}
