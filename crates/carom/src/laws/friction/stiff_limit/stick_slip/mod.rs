//! Stick and slip, decided for all contacts without slip at once.
//!
//! Slips end in [`stops`](super::impact), or at an event; contacts that may be at rest from there on are gathered, which makes an
//! [`Undecided`], and [`StickSlip::decide`] takes that: it is where slips at rest begin. What contacts at rest do under given forces
//! is asked of [`RestSolver`], and of nothing else.

mod cone;
mod directions;
mod disc_program;
mod rest_solver;
mod shared_onset;
mod slip_end;
mod sticking_set;

pub(crate) use cone::share_impulses;
pub(crate) use directions::SlipDirections;
pub(crate) use slip_end::Flow;
pub(crate) use sticking_set::StickingSet;

use super::dynamics::{Dynamics, FrictionMode};
use super::model::Model;
use super::rows::length;
use super::state::{Integrals, State};
use super::tolerances as tol;
use crate::numerics::coulomb::Failure;
use crate::numerics::dot;
use disc_program::Query;
use rest_solver::RestSolver;

/// What is known of contacts at rest before they are decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Trigger {
    /// Nothing.
    Rest,
    /// This one slides, in this direction.
    Slip(usize, [f64; 2]),
    /// They begin to move as was solved for last.
    Solved,
}

/// Contacts at rest were gathered, and have to be decided before the motion goes on.
#[must_use]
pub(crate) struct Undecided(Trigger);

impl Undecided {
    pub(crate) fn because(self, trigger: Trigger) -> Self {
        Self(trigger)
    }
}

/// Which contacts stick, and with which slip others begin.
#[derive(Default)]
pub(crate) struct StickSlip {
    solver: RestSolver,
    /// Contacts that were gathered.
    resting: Vec<usize>,
    /// The tangents of resting contacts, and by how much their slips have to change.
    tangents: StickingSet,
    targets: Vec<f64>,
    change: Vec<f64>,
    reactions: Vec<f64>,
    sticking: Vec<usize>,
}

impl StickSlip {
    /// These contacts are at rest and have to be decided.
    pub(crate) fn gather(&mut self, contacts: impl Iterator<Item = usize>) -> Undecided {
        self.resting.clear();
        self.resting.extend(contacts);
        Undecided(Trigger::Rest)
    }

    /// Steps and sweeps of the solvers so far.
    pub(crate) fn work(&self) -> u64 {
        self.solver.work
    }

    /// Contacts that were gathered last.
    pub(crate) fn resting(&self) -> &[usize] {
        &self.resting
    }

    /// Decides which of the resting contacts stick, and leaves them without slip or with the least of it.
    pub(crate) fn decide(
        &mut self,
        Undecided(trigger): Undecided,
        dynamics: &mut Dynamics,
        state: &mut State,
    ) -> Result<(), Failure> {
        for &g in &self.resting {
            dynamics.friction_mode[g] = FrictionMode::Sticks;
        }
        self.update_sticking(dynamics, state);
        dynamics.evaluate(state);
        if trigger != Trigger::Rest || !within_bounds(dynamics, &dynamics.sticking) {
            if trigger != Trigger::Solved {
                self.solver.solve(dynamics, &self.resting, Query::default())?;
            }
            if let Trigger::Slip(g, direction) = trigger
                && self.solver.onsets.iter().all(Option::is_none)
                && let Some(at) = self.resting.iter().position(|&r| r == g)
            {
                self.solver.onsets[at] = Some(direction);
            }
            for (&g, onset) in self.resting.iter().zip(&self.solver.onsets) {
                if onset.is_some() {
                    dynamics.friction_mode[g] = FrictionMode::Slides;
                }
            }
        } else {
            self.solver.onsets.clear();
            self.solver.onsets.resize(self.resting.len(), None);
        }
        if self.solver.onsets.iter().any(Option::is_some) {
            self.update_sticking(dynamics, state);
            self.stop_held(dynamics);
        }
        self.set_slips(dynamics, state);
        self.update_sticking(dynamics, state);
        self.stop_others(dynamics, state);
        Ok(())
    }

    /// A contact whose body others hold does not move, whatever rounding says.
    fn stop_held(&mut self, dynamics: &mut Dynamics) {
        for (&g, onset) in self.resting.iter().zip(&mut self.solver.onsets) {
            if onset.is_some() && is_held(dynamics, g) {
                *onset = None;
                dynamics.friction_mode[g] = FrictionMode::Sticks;
            }
        }
    }

    /// Nor does one that slid until now so slowly that it is held, though it was not gathered.
    fn stop_others(&mut self, dynamics: &mut Dynamics, state: &mut State) {
        let mut stops = false;
        for g in 0..dynamics.model.frictional.len() {
            let still = tol::STILL_HELD.max(dynamics.sticking.drift());
            let still =
                dynamics.slides(g) && length(dynamics.model.slip(g, state.coordinates())) <= still;
            if still && !self.resting.contains(&g) && is_held(dynamics, g) {
                dynamics.friction_mode[g] = FrictionMode::Sticks;
                stops = true;
            }
        }
        if stops {
            self.update_sticking(dynamics, state);
        }
    }

    /// Gives resting contacts the slip they start with: none, or hardly any.
    fn set_slips(&mut self, dynamics: &mut Dynamics, state: &mut State) {
        self.stop_resting(dynamics, state);
        dynamics.model.recentre(state.coordinates_mut());
        for &g in &self.resting {
            dynamics.model.tangent_start[2 * g..2 * g + 2].fill(0.0);
        }
        let onsets = &self.solver.onsets;
        if onsets.iter().all(Option::is_none) {
            return;
        }
        // All leave as one motion that begins, so that those of one body agree.
        let sizes = onsets.iter().flatten().map(|[a, b]| length([*a, *b]));
        let time = tol::ONSET_SLIP / sizes.fold(f64::MIN_POSITIVE, f64::max);
        if self.tangents.weak {
            // No impulse that friction has makes this motion at once.
            for (&g, onset) in self.resting.iter().zip(onsets) {
                for (start, a) in
                    dynamics.model.tangent_start[2 * g..].iter_mut().zip(onset.unwrap_or_default())
                {
                    *start = time * a;
                }
            }
            return;
        }
        self.targets.clear();
        for (&g, onset) in self.resting.iter().zip(onsets) {
            let aim = onset.map_or([0.0; 2], |motion| motion.map(|a| time * a));
            self.targets.extend(aim.into_iter().take(dynamics.model.frictional[g].tangents));
        }
        self.change_slips(dynamics, state);
    }

    /// Stops all pressed contacts with infinite friction, by the smallest impulse that does.
    pub(crate) fn stop_infinite_friction(&mut self, dynamics: &mut Dynamics, state: &mut State) {
        self.resting.clear();
        for (g, contact) in dynamics.model.frictional.iter().enumerate() {
            if contact.mu == f64::INFINITY && dynamics.normal_mode[contact.index].closed() {
                self.resting.push(g);
                dynamics.friction_mode[g] = FrictionMode::Sticks;
            }
        }
        self.stop_resting(dynamics, state);
    }

    /// Takes the slip of resting contacts away, by the smallest impulse.
    fn stop_resting(&mut self, dynamics: &Dynamics, state: &mut State) {
        let model = &dynamics.model;
        self.tangents.set_within(model, &self.resting, tol::STOPPED_ROW, |_| 1.0);
        self.targets.clear();
        for &g in &self.resting {
            let v = model.slip(g, state.coordinates());
            self.targets.extend((0..model.frictional[g].tangents).map(|c| -v[c]));
        }
        self.change_slips(dynamics, state);
    }

    /// Changes the slips of resting contacts by the targets; the impulse is counted.
    fn change_slips(&mut self, dynamics: &Dynamics, state: &mut State) {
        let model = &dynamics.model;
        self.change.clear();
        self.change.resize(model.rank, 0.0);
        self.tangents.least(&self.targets, &mut self.change);
        state.coordinates_mut().iter_mut().zip(&self.change).for_each(|(x, more)| *x += more);
        self.tangents.components(&self.change, &mut self.reactions);
        self.reactions.iter_mut().for_each(|reaction| *reaction = -*reaction);
        let friction = state.impulses_mut().friction;
        self.tangents.share(model, &self.reactions, |g, c, f| friction[g][c] += f);
    }

    /// Counts the impulses of contacts that stuck so far, and lets those stick that do from here on.
    pub(crate) fn update_sticking(&mut self, dynamics: &mut Dynamics, state: &mut State) {
        let Integrals { friction, reactions, .. } = state.impulses_mut();
        dynamics.sticking.share(&dynamics.model, reactions, |g, c, f| friction[g][c] += f);
        reactions.fill(0.0);
        self.sticking.clear();
        self.sticking.extend((0..dynamics.model.frictional.len()).filter(|&g| dynamics.sticks(g)));
        let Dynamics { model, force, sticking, .. } = dynamics;
        sticking.set(model, &self.sticking, |g| strength(model, force, g));
    }
}

/// Whether sticking contacts leave a contact no motion.
fn is_held(dynamics: &Dynamics, g: usize) -> bool {
    let model = &dynamics.model;
    let rows = || (0..model.frictional[g].tangents).map(|c| model.tangent(g, c));
    let own: f64 = rows().map(|row| dot(row, row)).sum();
    let left = rows().map(|row| dynamics.sticking.projected_product(row, row)).sum::<f64>();
    left <= tol::HELD_MOTION * own
}

/// The friction that a contact can bear, of infinite coefficients a large one.
fn strength(model: &Model, force: &[f64], g: usize) -> f64 {
    let contact = &model.frictional[g];
    contact.mu.min(tol::LARGE_MU) * force[contact.index].max(0.0)
}

/// Whether the friction that sticking contacts need where the dynamics were last evaluated is within its bounds, shared like this.
fn within_bounds(dynamics: &Dynamics, sharing: &StickingSet) -> bool {
    let mut sizes = [0.0; 2];
    let mut holds = true;
    let model = &dynamics.model;
    sharing.share(model, dynamics.sticking.reactions(), |g, c, f| {
        sizes[c] = f;
        let contact = &model.frictional[g];
        if c + 1 == contact.tangents {
            let size = if c == 0 { f.abs() } else { length(sizes) };
            let bound = dynamics.friction_bound(g);
            holds &= contact.mu == f64::INFINITY || size <= bound * (1.0 - tol::DISC_INTERIOR);
        }
    });
    holds
}
