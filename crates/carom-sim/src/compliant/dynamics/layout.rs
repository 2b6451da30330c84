//! Where each unknown stands in the state.

use crate::compliant::mechanism::Size;
use std::ops::Range;

/// Where the unknowns stand.
#[derive(Clone, Debug)]
pub(in crate::compliant) struct Layout {
    pub(in crate::compliant) size: Size,
    /// First row of each contact.
    first: Vec<usize>,
    pub(super) rows: usize,
}

impl Layout {
    pub(super) fn new(size: Size) -> Self {
        let mut rows = 0;
        let first = size
            .contacts
            .iter()
            .map(|own| {
                let first = rows;
                rows += own;
                first
            })
            .collect();
        Self { size, first, rows }
    }

    pub(in crate::compliant) fn q(&self) -> Range<usize> {
        0..self.size.coordinates
    }

    pub(in crate::compliant) fn v(&self) -> Range<usize> {
        self.size.coordinates..self.mechanics()
    }

    /// Unknowns that the motion depends on.
    pub(in crate::compliant) fn mechanics(&self) -> usize {
        self.size.coordinates + self.size.velocities
    }

    pub(in crate::compliant) fn contacts(&self) -> usize {
        self.first.len()
    }

    pub(in crate::compliant) fn rows(&self, k: usize) -> Range<usize> {
        self.first[k]..self.first[k] + self.size.contacts[k]
    }

    pub(in crate::compliant) fn impulse(&self) -> Range<usize> {
        self.mechanics()..self.mechanics() + self.rows
    }

    /// What friction took.
    pub(in crate::compliant) fn friction(&self) -> Range<usize> {
        let first = self.impulse().end;
        first..first + self.contacts()
    }

    /// What dampers took.
    pub(in crate::compliant) fn damping(&self) -> Range<usize> {
        let first = self.friction().end;
        first..first + self.contacts()
    }

    /// What prescribed motion gave.
    pub(in crate::compliant) fn supplied(&self) -> usize {
        self.damping().end
    }

    pub(in crate::compliant) fn unknowns(&self) -> usize {
        self.supplied() + 1
    }
}
