//! The interpreter looks on while laws work, so that Ctrl-C ends them.

use crate::errors::refusal;
use carom::ImpactError;
use carom::outcome::Progress;
use carom_io::spectator::Spectator;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// How long a signal may wait: short for a person, and far longer than it takes to ask.
const PATIENCE: Duration = Duration::from_millis(20);

/// Asks Python now and then whether a signal came.
pub struct Interpreter {
    asked: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
}

impl Interpreter {
    /// Works without the interpreter's lock, which others may use meanwhile, and raises what a signal raised.
    pub fn watching<T: Send>(
        py: Python,
        work: impl FnOnce(&Self) -> Result<T, ImpactError> + Send,
    ) -> PyResult<T> {
        let (result, raised) = py.detach(|| {
            let interpreter = Self { asked: Cell::new(Instant::now()), raised: RefCell::new(None) };
            let result = work(&interpreter);
            (result, interpreter.raised.into_inner())
        });
        match raised {
            Some(raised) => Err(raised),
            None => result.map_err(|error| refusal(py, &error)),
        }
    }
}

impl Spectator for Interpreter {
    fn begins(&self, _name: &str) {}
    fn shows(&self, _progress: Progress) {}
    fn interrupted(&self) -> bool {
        if self.raised.borrow().is_some() {
            return true;
        }
        if self.asked.get().elapsed() < PATIENCE {
            return false;
        }
        let raised = Python::attach(|py| py.check_signals()).err();
        self.asked.set(Instant::now());
        self.raised.replace(raised);
        self.raised.borrow().is_some()
    }
}
