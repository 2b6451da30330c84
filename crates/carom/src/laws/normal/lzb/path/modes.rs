//! Changes of mode: at events, to rest and back.

use super::{Event, Path};
use crate::laws::normal::lzb::model::Mode;
use crate::laws::normal::lzb::tolerances::EVENT_MET;

impl Path<'_> {
    /// Applies the events met, those of one contact next to each other: the first of them counts.
    pub(super) fn apply_events(&mut self, met: &[(usize, Event)]) {
        let mut last = None;
        for &(at, event) in met {
            if last != Some(at) {
                self.apply_event(self.active.rows[at], event);
            }
            last = Some(at);
        }
    }

    fn apply_event(&mut self, i: usize, event: Event) {
        if event == Event::Slack {
            self.slack[i] = !self.slack[i];
            return;
        }
        let spring = self.model.springs[i];
        self.modes[i] = match (self.modes[i], event) {
            (Mode::Open, _) | (Mode::Unloading, Event::Reversal) => Mode::Loading,
            (Mode::Loading, Event::Reversal) => self.released(i),
            _ => Mode::Open,
        };
        self.slack[i] = false;
        let empty = self.d[i] / spring.depth <= 2.0 * EVENT_MET;
        if self.modes[i] == Mode::Open || (self.modes[i] == Mode::Loading && empty) {
            self.d[i] = 0.0;
        }
    }

    /// The mode after loading: without restitution what is stored is lost.
    fn released(&self, i: usize) -> Mode {
        match self.model.reverses(i) && self.model.springs[i].e == 0.0 {
            true => Mode::Open,
            false => Mode::Unloading,
        }
    }

    /// Moves contacts between resting and moving modes. Whether any mode has changed.
    pub(super) fn update_resting(&mut self) -> bool {
        let mut any = false;
        for &i in &self.active.rows {
            let (depth, u) = (self.d[i] / self.model.springs[i].depth, self.u[i]);
            let still = u.abs() <= self.zero;
            let mode = match self.modes[i] {
                Mode::Resting if depth > self.zero || u < -self.zero => match u <= self.zero {
                    true => Mode::Loading,
                    false => self.released(i),
                },
                Mode::Resting if !still => Mode::Open,
                Mode::Loading | Mode::Unloading if still && depth <= self.zero => Mode::Resting,
                mode => mode,
            };
            if mode != self.modes[i] {
                any = true;
                if !mode.closed() {
                    self.d[i] = 0.0;
                    self.rested[i] = self.p[i];
                }
            }
            self.modes[i] = mode;
        }
        any
    }
}
