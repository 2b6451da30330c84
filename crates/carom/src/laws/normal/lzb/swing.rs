//! Swings that repeat themselves, each a little smaller than the one before.
//!
//! The equations know no unit of speed: from velocities `q u` and indentations `q^{2/(1+η)} d` everything happens as from
//! `u` and `d`, `q` times as fast. So if contacts come back to where they were on a smaller scale, they do so for ever,
//! and their velocities tend to zero, however slowly.

use super::model::{Mode, Model};
use crate::island::stepping::SIMILAR;

/// Contacts can press this many times in a swing \[1\].
const BEATS: u32 = 16;

/// Where contacts are on their way \[1\].
#[derive(Clone, Copy)]
pub(crate) struct State<'a> {
    pub(crate) modes: &'a [Mode],
    pub(crate) d: &'a [f64],
    pub(crate) u: &'a [f64],
    pub(crate) p: &'a [f64],
}

/// A contact that is watched, and the state in which it began to press.
struct Watched {
    contact: usize,
    closed: bool,
    beats: u32,
    modes: Vec<Mode>,
    d: Vec<f64>,
    u: Vec<f64>,
    p: Vec<f64>,
}

/// Looks for swings, one contact at a time.
#[derive(Default)]
pub(crate) struct Swings {
    watched: Option<Watched>,
}

impl Swings {
    /// Looks at a state in which some of these contacts may have begun to press. The rows that swing, if they do the same
    /// on a smaller scale.
    pub(crate) fn look(
        &mut self,
        model: &Model,
        state: State,
        active: &[usize],
    ) -> Option<Vec<usize>> {
        let begins = |i: &&usize| state.modes[**i] == Mode::Loading && state.d[**i] == 0.0;
        let Some(watched) = &mut self.watched else {
            self.watched = active.iter().find(begins).map(|&i| Watched::new(i, state));
            return None;
        };
        let closed = state.modes[watched.contact].closed();
        let beat = closed && !watched.closed;
        watched.closed = closed;
        if !beat {
            return None;
        }
        watched.beats += 1;
        let rows = watched.shrunk(model, state);
        if watched.beats == BEATS {
            // The next to begin is watched from where it is: patterns change on the way.
            self.watched = None;
        }
        rows
    }
}

impl Watched {
    fn new(contact: usize, State { modes, d, u, p }: State) -> Self {
        let (modes, d, u, p) = (modes.to_vec(), d.to_vec(), u.to_vec(), p.to_vec());
        Self { contact, closed: true, beats: 0, modes, d, u, p }
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
        // The slower it loses, the longer what differs has time to grow.
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
pub(crate) fn without_scale(model: &Model) -> bool {
    model.damping.is_none() && model.gaps == super::Gaps::Forget
}
