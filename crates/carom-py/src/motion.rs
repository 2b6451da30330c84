//! Scenes followed in time.

use crate::arrays::Argument;
use crate::errors::{OrRaise, bad_argument, failure};
use crate::forces::PythonForces;
use crate::interpreter::Interpreter;
use crate::law;
use crate::scene::Scene;
use crate::value::{Reduced, array, document, json, object};
use carom::Law;
use carom_io::answer::LawAnswer;
use carom_io::format::{Cursor, LawSpec, Node};
use carom_io::input::Source;
use carom_io::progress::ProgressSink;
use carom_report::motion::{MotionPage, page, times as page_times};
use carom_scene::answer::MotionAnswer;
use carom_scene::check::{Check, TOLERANCE_FACTOR};
use carom_scene::{every, times};
use carom_sim::motion::{
    BodyState, Dense, Dimension, EndReason, Motion, MotionObserver, Options, Sample, Turn,
    simulate_observed,
};
use numpy::{PyArray1, PyArrayDyn};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Samples where no times are asked for, beside the first \[1\].
const SAMPLES: f64 = 200.0;

/// States as arrays of NumPy: one row per body, samples before bodies where there are several.
pub struct StateArrays<'py> {
    pub positions: Bound<'py, PyArrayDyn<f64>>,
    pub orientations: Bound<'py, PyArrayDyn<f64>>,
    pub velocities: Bound<'py, PyArrayDyn<f64>>,
    pub angular_velocities: Bound<'py, PyArrayDyn<f64>>,
}

impl<'py> StateArrays<'py> {
    /// Of the bodies of a scene at one time.
    pub fn of<'a>(
        py: Python<'py>,
        dimension: Dimension,
        states: impl Iterator<Item = &'a BodyState> + Clone,
        bodies: usize,
    ) -> PyResult<Self> {
        Self::shaped(py, dimension, states, &[bodies])
    }

    fn shaped<'a>(
        py: Python<'py>,
        dimension: Dimension,
        states: impl Iterator<Item = &'a BodyState> + Clone,
        shape: &[usize],
    ) -> PyResult<Self> {
        let d = match dimension {
            Dimension::Plane => 2,
            Dimension::Space => 3,
        };
        let vectors = |of: fn(&BodyState) -> &[f64; 3]| {
            let numbers: Vec<f64> =
                states.clone().flat_map(|state| of(state)[..d].iter().copied()).collect();
            reshaped(py, numbers, &[shape, &[d]].concat())
        };
        let turns: Vec<f64> = (states.clone())
            .flat_map(|state| match &state.orientation {
                Turn::Angle(angle) => std::slice::from_ref(angle).iter().copied(),
                Turn::Quaternion(q) => q[..].iter().copied(),
            })
            .collect();
        let spins: Vec<f64> = (states.clone())
            .flat_map(|state| match dimension {
                Dimension::Plane => state.angular_velocity[2..].iter().copied(),
                Dimension::Space => state.angular_velocity[..].iter().copied(),
            })
            .collect();
        let with = |last: usize| match dimension {
            Dimension::Plane => shape.to_vec(),
            Dimension::Space => [shape, &[last]].concat(),
        };
        Ok(Self {
            positions: vectors(|state| &state.position)?,
            orientations: reshaped(py, turns, &with(4))?,
            velocities: vectors(|state| &state.velocity)?,
            angular_velocities: reshaped(py, spins, &with(3))?,
        })
    }
}

fn reshaped<'py>(
    py: Python<'py>,
    numbers: Vec<f64>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let flat = PyArray1::from_vec(py, numbers);
    Ok(flat.call_method1(intern!(py, "reshape"), (shape.to_vec(),))?.cast_into()?)
}

/// Samples as arrays, by name.
fn sampled<'py>(
    py: Python<'py>,
    scene: &carom_sim::motion::Scene,
    samples: &[Sample],
) -> PyResult<Bound<'py, PyDict>> {
    let states = samples.iter().flat_map(|sample| &sample.bodies);
    let shape = [samples.len(), scene.bodies.len()];
    let arrays = StateArrays::shaped(py, scene.dimension, states, &shape)?;
    let out = PyDict::new(py);
    let each = |of: fn(&Sample) -> f64| PyArray1::from_iter(py, samples.iter().map(of));
    out.set_item("t", each(|sample| sample.time))?;
    out.set_item("positions", arrays.positions)?;
    out.set_item("orientations", arrays.orientations)?;
    out.set_item("velocities", arrays.velocities)?;
    out.set_item("angular_velocities", arrays.angular_velocities)?;
    out.set_item("kinetic", each(|sample| sample.kinetic))?;
    out.set_item("potential", each(|sample| sample.potential))?;
    out.set_item("elastic", each(|sample| sample.elastic))?;
    out.set_item("impacts", each(|sample| sample.works.impacts))?;
    out.set_item("friction", each(|sample| sample.works.friction))?;
    out.set_item("damping", each(|sample| sample.works.damping))?;
    out.set_item("forces", each(|sample| sample.works.forces))?;
    out.set_item("drives", each(|sample| sample.works.drives))?;
    Ok(out)
}

/// A motion at any time after it was followed.
#[pyclass(frozen, module = "carom._carom", name = "_Dense")]
pub struct DenseMotion(Dense);

#[pymethods]
impl DenseMotion {
    fn at<'py>(
        &self,
        py: Python<'py>,
        scene: &Scene,
        duration: f64,
        t: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let wanted = Argument::new("t", t).list()?;
        let mut scene = scene.inner.scene.clone();
        scene.duration = duration;
        let samples = py.detach(|| self.0.samples(&scene, &wanted)).or_raise(py)?;
        sampled(py, &scene, &samples)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (Bound<'py, PyArray1<f64>>,)> {
        let py = slf.py();
        let restore = py.import("carom._carom")?.getattr("_dense")?;
        Ok((restore, (array(py, &slf.get().0.to_numbers()),)))
    }
}

/// What a pickle holds of it.
#[pyfunction(name = "_dense")]
pub fn restored_dense(numbers: &Bound<PyAny>) -> PyResult<DenseMotion> {
    let read = Dense::from_numbers(&Argument::new("dense", numbers).list()?);
    read.map(DenseMotion).ok_or_else(|| {
        bad_argument(numbers.py(), "dense", "(given)", "these are not the numbers of a motion")
    })
}

/// The law of a run, if the call or the scene says anything.
pub fn wanted_law(
    py: Python,
    scene: &Scene,
    law: Option<&Bound<PyAny>>,
    settings: Option<&Bound<PyDict>>,
) -> PyResult<Option<(LawSpec, Law)>> {
    let settings = settings.filter(|settings| !settings.is_empty());
    let named = scene.document.get("law").map(|law| document(py, law)).transpose()?;
    match law.or(named.as_ref()) {
        Some(law) => {
            let spec = law::spec(law, settings)?;
            let law = spec.build().or_raise(py)?;
            Ok(Some((spec, law)))
        }
        None => match settings.and_then(|settings| settings.keys().iter().next()) {
            Some(name) => {
                let reason =
                    "the scene names no law that it could be a setting of; give `law` as well";
                Err(bad_argument(py, &name.str()?.to_string(), "(given)", reason))
            }
            None => Ok(None),
        },
    }
}

/// The times of samples.
fn wanted_times(
    py: Python,
    at: Option<&Bound<PyAny>>,
    step: Option<f64>,
    duration: f64,
) -> PyResult<Vec<f64>> {
    match (at, step) {
        (Some(_), Some(step)) => {
            Err(bad_argument(py, "every", step, "give `at` or `every`, not both"))
        }
        (Some(at), None) => {
            let argument = Argument::new("at", at);
            let list = match argument.scalar() {
                Some(time) => vec![time],
                None => argument.list()?,
            };
            let node = Node::Numbers(list);
            times(&Cursor::root(&node, "at"), duration).or_raise(py)
        }
        (None, Some(step)) => every(step, duration).or_raise(py),
        (None, None) if duration > 0.0 => every(duration / SAMPLES, duration).or_raise(py),
        (None, None) => Ok(vec![0.0]),
    }
}

/// Hears of a motion, and of Ctrl-C.
struct Watch<'a> {
    interpreter: &'a Interpreter,
    forces: Option<PythonForces>,
    /// Of progress \[1/s\].
    pieces: f64,
}

impl MotionObserver for Watch<'_> {
    fn progress(&mut self, time: f64) -> ControlFlow<()> {
        self.interpreter.tell((time * self.pieces) as usize);
        let failed = self.forces.as_ref().is_some_and(PythonForces::failed);
        match failed || self.interpreter.interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// What is wanted of a run besides times.
struct Run<'a, 'py> {
    py: Python<'py>,
    scene: carom_sim::motion::Scene,
    forces: Option<&'a PythonForces>,
    progress: Option<Py<PyAny>>,
    pieces: f64,
}

impl Run<'_, '_> {
    fn follow(&self, options: &Options) -> PyResult<Motion> {
        let (py, pieces, scene) = (self.py, self.pieces, &self.scene);
        let mut options = options.clone();
        if let Some(forces) = self.forces {
            options = options.with_forces(forces.clone());
        }
        let progress = self.progress.as_ref().map(|progress| progress.clone_ref(py));
        let forces = self.forces.cloned();
        let followed = Interpreter::reporting(py, progress, |interpreter| {
            let mut watch = Watch { interpreter, forces, pieces };
            simulate_observed(scene, &options, &mut watch)
        });
        // What the function of forces raised is why the run ended as it did.
        match self.forces.and_then(PythonForces::take) {
            Some(raised) => Err(raised),
            None => followed,
        }
    }
}

/// See `carom.simulate`, which gives the answer a shape.
#[pyfunction(name = "_simulate")]
#[pyo3(signature = (scene, at, every, law, settings, duration, check, contacts, features, dense, forces, progress, pieces))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn simulate<'py>(
    py: Python<'py>,
    scene: &Scene,
    at: Option<&Bound<'py, PyAny>>,
    every: Option<f64>,
    law: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyDict>>,
    duration: Option<f64>,
    check: bool,
    contacts: bool,
    features: bool,
    dense: bool,
    forces: Option<Py<PyAny>>,
    progress: Option<Py<PyAny>>,
    pieces: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let law = wanted_law(py, scene, law, settings)?;
    let mut followed = scene.inner.scene.clone();
    if let Some(duration) = duration {
        followed.duration = checked_duration(py, duration)?;
    }
    let mut options = Options::at(wanted_times(py, at, every, followed.duration)?);
    options.law = law.as_ref().map(|(_, law)| *law);
    (options.contacts, options.features, options.dense) = (contacts, features, dense);
    let forces = forces.map(|function| PythonForces::new(function, followed.dimension));
    let mut run = Run { py, scene: followed, forces: forces.as_ref(), progress, pieces };
    let mut motion = run.follow(&options)?;
    // What follows is told no progress: it would begin anew.
    run.progress = None;
    let checked = match check {
        true => {
            let mut wider = options.clone();
            (wider.tolerance_factor, wider.dense) = (TOLERANCE_FACTOR, false);
            Some(Check::of(&motion, &run.follow(&wider)?))
        }
        false => None,
    };
    // Where it could not go on there is nothing to tell of later times.
    if let EndReason::Failed(_) | EndReason::Interrupted = motion.end.reason {
        let end = motion.end.time;
        motion.samples.retain(|sample| sample.time <= end);
    }
    let out = sampled(py, &run.scene, &motion.samples)?;
    // What stands in arrays is not written a second time.
    if !contacts {
        motion.samples.clear();
    }
    motion.samples.iter_mut().for_each(|sample| sample.bodies.clear());
    let kept = motion.dense.take();
    let answer = MotionAnswer {
        id: None,
        scene: &run.scene,
        motion: &motion,
        contacts,
        check: checked.as_ref(),
    };
    out.set_item("answer", object(py, &json(&answer))?)?;
    out.set_item("dense", kept.map(|dense| Bound::new(py, DenseMotion(dense))).transpose()?)?;
    out.set_item("duration", run.scene.duration)?;
    let spelled = law.map(|(_, law)| object(py, &json(&LawAnswer(&law, &law.settings(None)))));
    out.set_item("law", spelled.transpose()?)?;
    Ok(out)
}

fn checked_duration(py: Python, duration: f64) -> PyResult<f64> {
    match duration.is_finite() && duration >= 0.0 {
        true => Ok(duration),
        false => {
            let reason = "must be a number of seconds, zero or more";
            Err(bad_argument(py, "duration", duration, reason))
        }
    }
}

/// The page that plays a motion; see `Motion.player`.
#[pyfunction(name = "_motion_page")]
#[pyo3(signature = (scene, text, name, duration, law, settings, features, forces))]
#[expect(clippy::too_many_arguments, reason = "they are those of the motion")]
pub fn motion_page(
    py: Python,
    scene: &Scene,
    text: Option<String>,
    name: &str,
    duration: f64,
    law: Option<&Bound<PyAny>>,
    settings: Option<&Bound<PyDict>>,
    features: bool,
    forces: Option<Py<PyAny>>,
) -> PyResult<String> {
    let law = wanted_law(py, scene, law, settings)?;
    let mut followed = scene.inner.scene.clone();
    followed.duration = checked_duration(py, duration)?;
    followed.law = law.as_ref().map(|(_, law)| *law);
    let source = match (text, &scene.source) {
        (None, Some(source)) => Arc::clone(source),
        (text, _) => {
            let text = text.unwrap_or_default();
            Arc::new(Source::read(name, text.as_bytes()).map_err(|error| failure(py, error))?)
        }
    };
    let forces = forces.map(|function| PythonForces::new(function, followed.dimension));
    let mut description = scene.inner.description.clone();
    if forces.is_some() {
        let words = "A function of Python gave forces besides; they are not in the file below.";
        description = Some(description.map_or(words.into(), |text| format!("{text} {words}")));
    }
    let run = Run { py, scene: followed, forces: forces.as_ref(), progress: None, pieces: 1.0 };
    // Twice: the times that the page wants are known after the first run.
    let mut options = Options::at(wanted_times(py, None, None, run.scene.duration)?);
    options.features = features;
    let first = run.follow(&options)?;
    options.at = page_times(&run.scene, &first);
    options.contacts = true;
    let motion = run.follow(&options)?;
    let drawn = Interpreter::watching(py, |_| {
        Ok(page(&MotionPage {
            source: &source,
            file: &source.name,
            title: scene.inner.title.as_deref(),
            description: description.as_deref(),
            law: law.as_ref().map(|(spec, _)| spec),
            options: "",
            scene: &run.scene,
            motion: &motion,
        }))
    })?;
    drawn.map_err(|error| failure(py, error))
}
