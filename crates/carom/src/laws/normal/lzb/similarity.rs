//! Self-similar decay: motions that repeat themselves on a smaller scale.
//!
//! The equations have no unit of speed: from velocities `q u` and indentations `q^{2/(1+η)} d` everything happens as from
//! `u` and `d`, `q` times as fast. Contacts that return to their state on a smaller scale do so for ever, and their
//! velocities tend to zero, however slowly.

use super::model::{Mode, Model};
use super::tolerances::MAX_CLOSURES;
use crate::island::stepping::SIMILAR;

/// The state of all contacts \[1\].
#[derive(Clone, Copy)]
pub(crate) struct State<'a> {
    pub(crate) modes: &'a [Mode],
    pub(crate) d: &'a [f64],
    pub(crate) u: &'a [f64],
    pub(crate) p: &'a [f64],
}

/// The state in which one contact began to press.
struct Reference {
    contact: usize,
    closed: bool,
    closures: u32,
    modes: Vec<Mode>,
    d: Vec<f64>,
    u: Vec<f64>,
    p: Vec<f64>,
}

/// Compares each closure of one contact with a state before.
#[derive(Default)]
pub(crate) struct SimilarityCheck {
    reference: Option<Reference>,
}

impl SimilarityCheck {
    /// The rows that have returned to their state on a smaller scale, if some active contact has just closed.
    pub(crate) fn observe(
        &mut self,
        model: &Model,
        state: State,
        active: &[usize],
    ) -> Option<Vec<usize>> {
        let begins = |i: &&usize| state.modes[**i] == Mode::Loading && state.d[**i] == 0.0;
        let Some(reference) = &mut self.reference else {
            self.reference = active.iter().find(begins).map(|&i| Reference::new(i, state));
            return None;
        };
        let closed = state.modes[reference.contact].closed();
        let closes = closed && !reference.closed;
        reference.closed = closed;
        if !closes {
            return None;
        }
        reference.closures += 1;
        let rows = reference.shrunk(model, state);
        if reference.closures == MAX_CLOSURES {
            // Patterns change on the way: the next contact to close gives a new reference.
            self.reference = None;
        }
        rows
    }
}

impl Reference {
    fn new(contact: usize, State { modes, d, u, p }: State) -> Self {
        let (modes, d, u, p) = (modes.to_vec(), d.to_vec(), u.to_vec(), p.to_vec());
        Self { contact, closed: true, closures: 0, modes, d, u, p }
    }

    /// The rows that pushed since, if they are where they were on a smaller scale.
    fn shrunk(&self, model: &Model, now: State) -> Option<Vec<usize>> {
        let rows: Vec<usize> = (0..now.p.len()).filter(|&i| now.p[i] > self.p[i]).collect();
        let fastest = |u: &[f64]| rows.iter().map(|&i| u[i].abs()).fold(0.0, f64::max);
        let (before, after) = (fastest(&self.u), fastest(now.u));
        let q = after / before;
        if before == 0.0 || q >= 1.0 || rows.iter().any(|&i| self.modes[i] != now.modes[i]) {
            return None;
        }
        let power = 2.0 / (1.0 + model.exponent);
        let (deeper, deep) = (libm::pow(q, power), libm::pow(before, power));
        // The slower the decay, the longer a difference has time to grow.
        let tolerance = SIMILAR * (1.0 - q);
        let same = |i: usize| {
            let depth = model.springs[i].depth;
            (now.u[i] - q * self.u[i]).abs() <= tolerance * before
                && (now.d[i] - deeper * self.d[i]).abs() <= tolerance * deep * depth
        };
        rows.iter().all(|&i| same(i)).then_some(rows)
    }
}

/// Whether the equations have no unit of speed.
pub(crate) fn is_scale_free(model: &Model) -> bool {
    model.damping.is_none() && model.gaps == super::Gaps::Forget
}
