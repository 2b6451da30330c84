//! Pictures.

use crate::errors::{bad_argument, failure};
use crate::interpreter::Interpreter;
use crate::law;
use crate::problem::problem;
use carom_io::output::Target;
use carom_plot::Theme;
use carom_report::plot::{Kind, Request, Sweep, draw};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// A picture as SVG; notebooks show it by themselves.
#[pyclass(frozen, module = "carom")]
pub struct Figure {
    figure: carom_plot::Figure,
    theme: Theme,
}

#[pymethods]
impl Figure {
    /// The picture as SVG.
    #[getter]
    fn svg(&self) -> String {
        self.figure.svg(self.theme)
    }

    /// The numbers in it, as comma-separated ``panel,series,x,y``.
    #[getter]
    fn csv(&self) -> String {
        self.figure.csv()
    }

    /// Its title.
    #[getter]
    fn title(&self) -> &str {
        &self.figure.title
    }

    /// What is seen.
    #[getter]
    fn caption(&self) -> &str {
        &self.figure.caption
    }

    /// Numbers worth a name, by name.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        for fact in &self.figure.facts {
            facts.set_item(&fact.name, fact.value)?;
        }
        Ok(facts)
    }

    /// Writes the picture; the ending of the name says how: ``.svg``, or ``.csv`` for its numbers.
    fn save(&self, py: Python, path: PathBuf) -> PyResult<()> {
        let text = match path.extension().and_then(|end| end.to_str()) {
            Some("svg") => self.svg(),
            Some("csv") => self.csv(),
            _ => {
                let reason = "the name must end in .svg or .csv";
                return Err(bad_argument(py, "path", path.display(), reason));
            }
        };
        // A script that draws again replaces its picture, as elsewhere in Python; what fails leaves the old one.
        let target = Target { path: &path, inputs: &[], force: true };
        target.write(text).map_err(|error| failure(py, error))
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        self.svg()
    }

    fn __repr__(&self) -> String {
        format!("<Figure {:?}>", self.figure.title)
    }
}

/// Draws a problem and what laws do with it.
///
/// Parameters
/// ----------
/// problem : Problem, or what makes one
/// kind : str
///     Of one contact "impulse-space", "hodograph" or "phases"; of several "rounds", "chain", "outcomes"; of compliant
///     contacts "compliant".
/// law : str, dict, or list of them
///     Which laws are shown; default: every law that answers.
/// sweep : str
///     A number of the problem that takes value after value, as in ``"mu=0:1:0.1"``.
/// accessible : list of str
///     Laws of which every impulse is shown that they can give.
/// theme : "adaptive", "light" or "dark"
///
/// Examples
/// --------
/// >>> import carom
/// >>> disk = {"delassus": [[1, 0], [0, 3]], "contact_velocity": [-1, 2], "contacts": [{"mu": 0.5, "e": 0.5}]}
/// >>> carom.plot(disk).svg.startswith("<svg")
/// True
#[pyfunction]
#[pyo3(
    signature = (problem, kind="impulse-space", *, law=None, sweep=None, accessible=Vec::new(), theme="adaptive", **settings),
    text_signature = "(problem, kind='impulse-space', *, law=None, sweep=None, accessible=(), theme='adaptive', **settings)"
)]
pub fn plot(
    problem: &Bound<PyAny>,
    kind: &str,
    law: Option<&Bound<PyAny>>,
    sweep: Option<&str>,
    accessible: Vec<String>,
    theme: &str,
    settings: Option<&Bound<PyDict>>,
) -> PyResult<Figure> {
    let py = problem.py();
    let kinds = Kind::ALL.map(|kind| (kind.name(), kind));
    let kind = choice(py, "kind", kind, &kinds)?;
    let themes = [("adaptive", Theme::Adaptive), ("light", Theme::Light), ("dark", Theme::Dark)];
    let theme = choice(py, "theme", theme, &themes)?;
    let sweep = sweep.map(Sweep::parse).transpose().map_err(|error| failure(py, error))?;
    let laws = match law {
        None => vec![],
        Some(law) => match law.extract::<Vec<Bound<PyAny>>>() {
            Ok(laws) => {
                laws.iter().map(|law| law::build(law, settings)).collect::<PyResult<_>>()?
            }
            Err(_) => vec![law::build(law, settings)?],
        },
    };
    let problem = self::problem(problem)?;
    let posed = problem.get();
    let request = Request { kind, laws, accessible, sweep };
    let drawn = Interpreter::watching(py, |interpreter| {
        Ok(draw(&posed.document, &posed.inner, &request, interpreter))
    })?;
    drawn.map(|figure| Figure { figure, theme }).map_err(|error| failure(py, error))
}

fn choice<T: Copy>(py: Python, name: &str, word: &str, choices: &[(&str, T)]) -> PyResult<T> {
    let words: Vec<String> = choices.iter().map(|(word, _)| format!("{word:?}")).collect();
    let found = choices.iter().find(|(choice, _)| *choice == word).map(|(_, value)| *value);
    found.ok_or_else(|| {
        bad_argument(py, name, format!("{word:?}"), &format!("must be {}", words.join(" or ")))
    })
}
