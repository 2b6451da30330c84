//! Signals of the interpreter reach laws at work, so that Ctrl-C ends them; progress reaches a function of Python.

use crate::errors::refusal;
use carom::ImpactError;
use carom::outcome::Progress;
use carom_io::progress::ProgressSink;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// How long a signal may wait: short for a person, and far longer than a check takes.
const PATIENCE: Duration = Duration::from_millis(20);
/// How often progress is told.
const TICK: Duration = Duration::from_millis(100);

/// Checks now and then whether Python received a signal.
pub struct Interpreter {
    checked: Cell<Instant>,
    told: Cell<Instant>,
    progress: Option<Py<PyAny>>,
    raised: RefCell<Option<PyErr>>,
}

impl Interpreter {
    /// Works without the interpreter's lock, which others may use meanwhile, and raises what a signal raised.
    pub fn watching<T: Send>(
        py: Python,
        work: impl FnOnce(&Self) -> Result<T, ImpactError> + Send,
    ) -> PyResult<T> {
        Self::reporting(py, None, work)
    }

    /// The same, and `progress` is called with what is being done. What it raises ends the work.
    pub fn reporting<T: Send>(
        py: Python,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&Self) -> Result<T, ImpactError> + Send,
    ) -> PyResult<T> {
        let (result, raised) = py.detach(|| {
            let interpreter = Self {
                checked: Cell::new(Instant::now()),
                told: Cell::new(Instant::now()),
                progress,
                raised: RefCell::new(None),
            };
            let result = work(&interpreter);
            (result, interpreter.raised.into_inner())
        });
        match raised {
            Some(raised) => Err(raised),
            None => result.map_err(|error| refusal(py, &error)),
        }
    }

    /// Tells how many pieces are done, ten times a second at most.
    pub fn tell(&self, done: usize) {
        if self.progress.is_some() && self.told.get().elapsed() >= TICK {
            self.told.set(Instant::now());
            self.call(|py, progress| progress.call1(py, (done,)));
        }
    }

    fn call(&self, call: impl FnOnce(Python, &Py<PyAny>) -> PyResult<Py<PyAny>>) {
        let Some(progress) = &self.progress else { return };
        if let Err(raised) = Python::attach(|py| call(py, progress)) {
            self.raised.replace(Some(raised));
        }
    }
}

impl ProgressSink for Interpreter {
    fn begin(&self, name: &str) {
        self.call(|py, progress| progress.call1(py, (name,)));
    }

    fn update(&self, _progress: Progress) {}

    fn interrupted(&self) -> bool {
        if self.raised.borrow().is_some() {
            return true;
        }
        if self.checked.get().elapsed() < PATIENCE {
            return false;
        }
        let raised = Python::attach(|py| py.check_signals()).err();
        self.checked.set(Instant::now());
        self.raised.replace(raised);
        self.raised.borrow().is_some()
    }
}
