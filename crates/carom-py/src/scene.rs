//! Scenes of bodies in motion, as files have them.

use crate::errors::{failure, refusal};
use crate::node;
use crate::value::{Reduced, document};
use carom::ImpactError;
use carom_io::failure::Failure;
use carom_io::format::Node;
use carom_io::input::Source;
use carom_scene::SceneFile;
use carom_sim::motion::{BodyKind, Dimension, Mode};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A scene: bodies, joints, what acts on them and what they are made of, at t = 0.
///
/// Values are those of scene files; NumPy arrays may stand for lists. A scene does not change: ``to_dict()`` gives the values
/// to make another one of.
///
/// Examples
/// --------
/// >>> import carom
/// >>> ball = {"name": "ball", "mass": 1, "inertia": 0.005, "position": [0, 1.1],
/// ...         "shapes": [{"type": "disk", "radius": 0.1}]}
/// >>> floor = {"name": "floor", "fixed": True, "shapes": [{"type": "half-plane", "normal": [0, 1], "offset": 0}]}
/// >>> scene = carom.Scene({"bodies": [floor, ball], "pairs": [{"a": "*", "b": "*", "e": 0.5}], "duration": 2})
/// >>> scene.bodies, scene.planar
/// (['floor', 'ball'], True)
#[pyclass(frozen, module = "carom")]
pub struct Scene {
    /// What it says.
    pub inner: Arc<SceneFile>,
    /// The scene as it was given.
    pub document: Node,
    /// The text it was read from.
    pub source: Option<Arc<Source>>,
}

impl Scene {
    fn read(py: Python, document: Node) -> PyResult<Self> {
        let inner = py.detach(|| SceneFile::read(&document));
        let inner = inner.map_err(|error| refusal(py, &error))?;
        Ok(Self { inner: Arc::new(inner), document, source: None })
    }

    fn of(py: Python, source: Source) -> PyResult<Self> {
        let read = py.detach(|| {
            let document = source.parse()?;
            let inner = SceneFile::read(&document)?;
            Ok((document, inner))
        });
        let (document, inner) = read.map_err(|error| failure(py, placed(error, &source)))?;
        Ok(Self { inner: Arc::new(inner), document, source: Some(Arc::new(source)) })
    }
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (scene, /))]
    fn new(py: Python, scene: &Bound<PyAny>) -> PyResult<Self> {
        Self::read(py, node::read("", scene)?)
    }

    /// Reads a scene file, JSON or TOML. Errors name the line.
    #[staticmethod]
    #[pyo3(signature = (path, /))]
    fn load(py: Python, path: PathBuf) -> PyResult<Self> {
        let source = py.detach(|| Source::open(&path)).map_err(|error| failure(py, error))?;
        Self::of(py, source)
    }

    /// Reads a scene from text, JSON or TOML. `name` is what errors call it.
    #[staticmethod]
    #[pyo3(signature = (text, /, name="scene"))]
    fn parse(py: Python, text: &str, name: &str) -> PyResult<Self> {
        let source = Source::read(name, text.as_bytes()).map_err(|error| failure(py, error))?;
        Self::of(py, source)
    }

    /// The scene as plain dicts and lists, as a file would have it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &self.document)
    }

    /// One line that names it, or None.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.inner.title.as_deref()
    }

    /// What it shows, or None.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.inner.description.as_deref()
    }

    /// Whether it was read from a file or text, and not made of values.
    #[getter]
    fn has_text(&self) -> bool {
        self.source.is_some()
    }

    /// The law it names, or None.
    #[getter]
    fn law<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, self.document.get("law").unwrap_or(&Node::Null))
    }

    /// The names of its bodies, in their order.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.inner.scene.bodies.iter().map(|body| body.name.as_str()).collect()
    }

    /// The names of those that move by their inertia.
    #[getter]
    fn moving(&self) -> Vec<&str> {
        let moving =
            |body: &&carom_sim::motion::SceneBody| matches!(body.kind, BodyKind::Moving { .. });
        self.inner.scene.bodies.iter().filter(moving).map(|body| body.name.as_str()).collect()
    }

    /// Whether it is in the plane.
    #[getter]
    fn planar(&self) -> bool {
        self.inner.scene.dimension == Dimension::Plane
    }

    /// How long it is followed [s].
    #[getter]
    fn duration(&self) -> f64 {
        self.inner.scene.duration
    }

    /// Whether it is followed in steps of time, and not from event to event.
    #[getter]
    fn stepping(&self) -> bool {
        matches!(self.inner.scene.mode, Mode::Stepping { .. })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> Reduced<'py, (Bound<'py, PyAny>, Option<String>)> {
        let py = slf.py();
        let scene = slf.get();
        let restore = slf.get_type();
        match &scene.source {
            // The text has comments that the values do not have.
            Some(source) => {
                let text = source.text.clone().into_pyobject(py)?.into_any();
                Ok((restore.getattr("parse")?, (text, Some(source.name.clone()))))
            }
            None => {
                let restore = py.import("carom._carom")?.getattr("_scene")?;
                Ok((restore, (scene.to_dict(py)?, None)))
            }
        }
    }

    fn __repr__(&self) -> String {
        let title = self.title().map_or_else(String::new, |title| format!(" {title:?}"));
        let scene = &self.inner.scene;
        format!("<Scene{title}: {} bodies, {} s>", scene.bodies.len(), scene.duration)
    }
}

/// A scene from what a pickle holds.
#[pyfunction(name = "_scene")]
pub fn restored_scene(scene: &Bound<PyAny>, _name: Option<String>) -> PyResult<Scene> {
    Scene::new(scene.py(), scene)
}

/// The failure with the line of the text that it is about.
fn placed(failure: Failure, source: &Source) -> Failure {
    let Some(place) = source.place_of(&failure) else { return failure };
    let line = source.text.get(..place.start).map_or(1, |before| before.matches('\n').count() + 1);
    let place = format!("{}, line {line}", source.name);
    match failure {
        Failure::Parse { message, span } => {
            Failure::Parse { message: format!("{place}: {message}"), span }
        }
        Failure::Impact(ImpactError::BadProblem { field, value, reason }) => {
            ImpactError::BadProblem { field, value, reason: format!("{reason} ({place})") }.into()
        }
        Failure::Impact(ImpactError::BadSetting { law, setting, reason }) => {
            ImpactError::BadSetting { law, setting, reason: format!("{reason} ({place})") }.into()
        }
        other => other,
    }
}
