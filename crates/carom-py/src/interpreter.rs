//! Signals of the interpreter reach laws at work, so that Ctrl-C ends them.

use crate::errors::refusal;
use carom::ImpactError;
use carom::outcome::Progress;
use carom_io::progress::ProgressSink;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// How long a signal may wait: short for a person, and far longer than a check takes.
const PATIENCE: Duration = Duration::from_millis(20);

/// Checks now and then whether Python received a signal.
pub struct Interpreter {
    checked: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
}

impl Interpreter {
    /// Works without the interpreter's lock, which others may use meanwhile, and raises what a signal raised.
    pub fn watching<T: Send>(
        py: Python,
        work: impl FnOnce(&Self) -> Result<T, ImpactError> + Send,
    ) -> PyResult<T> {
        let (result, raised) = py.detach(|| {
            let interpreter =
                Self { checked: Cell::new(Instant::now()), raised: RefCell::new(None) };
            let result = work(&interpreter);
            (result, interpreter.raised.into_inner())
        });
        match raised {
            Some(raised) => Err(raised),
            None => result.map_err(|error| refusal(py, &error)),
        }
    }
}

impl ProgressSink for Interpreter {
    fn begin(&self, _name: &str) {}
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
