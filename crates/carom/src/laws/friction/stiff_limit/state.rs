//! The state as one flat vector, as methods of integration want it, and the names of its parts.

use super::model::Model;
use std::ops::{Deref, DerefMut};

/// Where the parts of a state stand: indentations and coordinates of velocity, on which slopes depend; then what is integrated
/// beside them. Explicit steps have their time behind all that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    contacts: usize,
    rank: usize,
    frictional: usize,
}

/// The parts of a state on which nothing depends.
pub(crate) struct Integrals<'a> {
    /// One per contact.
    pub(crate) normal: &'a mut [f64],
    /// Two per contact with friction; while it sticks, these wait for [`Self::reactions`].
    pub(crate) friction: &'a mut [[f64; 2]],
    /// Of sticking contacts together, along the directions that they hold.
    pub(crate) reactions: &'a mut [f64],
    /// The time of explicit steps, if there is room for it.
    pub(crate) time: &'a mut [f64],
}

impl Layout {
    pub(crate) fn new(model: &Model) -> Self {
        Self { contacts: model.len(), rank: model.rank, frictional: model.frictional.len() }
    }

    /// Indentations and coordinates of velocity.
    pub(crate) fn unknowns(self) -> usize {
        self.contacts + self.rank
    }

    /// Impulses.
    pub(crate) fn integrals(self) -> usize {
        self.contacts + 2 * self.frictional + self.rank
    }

    /// Where the friction impulse of a contact stands among the integrals, one of its two components.
    pub(crate) fn friction(self, g: usize, c: usize) -> usize {
        self.contacts + 2 * g + c
    }

    /// Where reactions stand among the integrals.
    pub(crate) fn reactions(self) -> usize {
        self.contacts + 2 * self.frictional
    }

    #[inline(always)]
    pub(crate) fn coordinates(self, state: &[f64]) -> &[f64] {
        &state[self.contacts..self.contacts + self.rank]
    }

    /// Indentations, coordinates of velocity, and the rest.
    #[inline(always)]
    pub(crate) fn split(self, state: &mut [f64]) -> (&mut [f64], &mut [f64], &mut [f64]) {
        let (indentations, rest) = state.split_at_mut(self.contacts);
        let (coordinates, rest) = rest.split_at_mut(self.rank);
        (indentations, coordinates, rest)
    }

    /// The parts of what [`Self::split`] leaves.
    #[inline(always)]
    pub(crate) fn name(self, integrals: &mut [f64]) -> Integrals<'_> {
        let (normal, rest) = integrals.split_at_mut(self.contacts);
        let (friction, rest) = rest.split_at_mut(2 * self.frictional);
        let (reactions, time) = rest.split_at_mut(self.rank);
        Integrals { normal, friction: friction.as_chunks_mut().0, reactions, time }
    }
}

/// A state, and where its parts stand.
#[derive(Clone, Debug)]
pub(crate) struct State {
    layout: Layout,
    values: Vec<f64>,
}

impl State {
    /// At rest, without indentations or impulses.
    pub(crate) fn new(layout: Layout) -> Self {
        Self { layout, values: vec![0.0; layout.unknowns() + layout.integrals()] }
    }

    /// One per contact; negative across a gap.
    #[inline(always)]
    pub(crate) fn indentations(&self) -> &[f64] {
        &self.values[..self.layout.contacts]
    }

    pub(crate) fn indentations_mut(&mut self) -> &mut [f64] {
        &mut self.values[..self.layout.contacts]
    }

    /// Of velocity, since they were last measured from zero.
    pub(crate) fn coordinates(&self) -> &[f64] {
        self.layout.coordinates(&self.values)
    }

    pub(crate) fn coordinates_mut(&mut self) -> &mut [f64] {
        self.layout.split(&mut self.values).1
    }

    /// Indentations and coordinates.
    pub(crate) fn unknowns_mut(&mut self) -> &mut [f64] {
        &mut self.values[..self.layout.unknowns()]
    }

    /// Coordinates and impulses: what forces change.
    pub(crate) fn pushed_mut(&mut self) -> &mut [f64] {
        &mut self.values[self.layout.contacts..]
    }

    pub(crate) fn normal_impulses(&self) -> &[f64] {
        &self.values[self.layout.unknowns()..][..self.layout.contacts]
    }

    pub(crate) fn friction_impulse(&self, g: usize) -> [f64; 2] {
        let first = self.layout.unknowns() + self.layout.friction(g, 0);
        [self.values[first], self.values[first + 1]]
    }

    pub(crate) fn impulses_mut(&mut self) -> Integrals<'_> {
        self.layout.name(&mut self.values[self.layout.unknowns()..])
    }
}

impl Deref for State {
    type Target = [f64];

    #[inline(always)]
    fn deref(&self) -> &[f64] {
        &self.values
    }
}

impl DerefMut for State {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two contacts, one with friction, three coordinates: 2 + 3 unknowns, then 2 + 2 + 3 integrals.
    #[test]
    fn parts_stand_one_after_the_other() {
        let layout = Layout { contacts: 2, rank: 3, frictional: 1 };
        let mut state = State::new(layout);
        assert_eq!((layout.unknowns(), layout.integrals(), state.len()), (5, 7, 12));
        state.iter_mut().enumerate().for_each(|(i, x)| *x = i as f64);
        assert_eq!(state.indentations(), [0.0, 1.0]);
        assert_eq!(state.coordinates(), [2.0, 3.0, 4.0]);
        assert_eq!(state.normal_impulses(), [5.0, 6.0]);
        assert_eq!(state.friction_impulse(0), [7.0, 8.0]);
        let Integrals { normal, friction, reactions, time } = state.impulses_mut();
        assert_eq!((&*normal, &*friction), (&[5.0, 6.0][..], &[[7.0, 8.0]][..]));
        assert_eq!((&*reactions, time.len()), (&[9.0, 10.0, 11.0][..], 0));
    }
}
