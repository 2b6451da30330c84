//! How contacts change: from open to pressed, from loading to unloading, to rest and back.

use super::{Event, MET, Path};
use crate::laws::normal::lzb::model::Mode;

impl Path<'_> {
    /// Active contacts have met these events, those of one contact next to each other: the first of them counts.
    pub(super) fn switch_all(&mut self, met: &[(usize, Event)]) {
        let mut last = None;
        for &(at, event) in met {
            if last != Some(at) {
                self.switch(self.active.rows[at], event);
            }
            last = Some(at);
        }
    }

    fn switch(&mut self, i: usize, event: Event) {
        if event == Event::Slack {
            self.slack[i] = !self.slack[i];
            return;
        }
        let spring = self.model.springs[i];
        self.modes[i] = match (self.modes[i], event) {
            (Mode::Open, _) | (Mode::Unloading, Event::Turn) => Mode::Loading,
            (Mode::Loading, Event::Turn) => self.released(i),
            _ => Mode::Open,
        };
        self.slack[i] = false;
        let empty = self.d[i] / spring.depth <= 2.0 * MET;
        if self.modes[i] == Mode::Open || (self.modes[i] == Mode::Loading && empty) {
            self.d[i] = 0.0;
        }
    }

    /// How a contact goes on that was pressed and leaves: without restitution what is stored is lost.
    fn released(&self, i: usize) -> Mode {
        match self.model.turns(i) && self.model.springs[i].e == 0.0 {
            true => Mode::Open,
            false => Mode::Unloading,
        }
    }

    /// Contacts that rested have begun to move, or come to rest. Whether any has.
    pub(super) fn settle(&mut self) -> bool {
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
