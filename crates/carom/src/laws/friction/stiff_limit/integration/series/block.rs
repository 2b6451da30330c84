//! The coefficients of some contacts, order by order.

use super::super::super::dynamics::{Dynamics, FrictionMode};
use super::super::super::model::Power;
use super::super::super::tolerances as tol;
use super::response::Triple;
use super::{SHARES, SLIDE, STICK, TURN};
use crate::numerics::lanes::{LANES, Lanes};

/// The coefficients of one order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Term {
    /// The unknown, `d` or `z`; `d` and `q`.
    pub(crate) unknown: Lanes,
    pub(crate) depth: Lanes,
    pub(crate) root: Lanes,
    /// Velocity along the normal and both tangents, and `r`.
    pub(crate) approach: Lanes,
    pub(crate) across: [Lanes; 2],
    pub(crate) slip: Lanes,
    /// `F` without and with damping, and then times the pace of the clock.
    pub(crate) undamped: Lanes,
    pub(crate) force: Lanes,
    pub(crate) load: Lanes,
    /// `N` and `f`, times the pace of the clock.
    pub(crate) friction_per_slip: Lanes,
    pub(crate) pull: [Lanes; 2],
}

/// What earlier orders add to the coefficients of products.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Approach times the pace of the clock, and forces times it.
    load: Lanes,
    moved: Lanes,
    /// `r N` and `N v`.
    turned: Lanes,
    pull: [Lanes; 2],
}

/// Some contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// Stiffness of what presses, and how fast indentations grow per speed of approach.
    pub(crate) stiffness: Lanes,
    pub(crate) pace: Lanes,
    /// `−μ` of contacts whose slip may turn, and `−μ` times the direction of those whose slip is straight.
    pub(crate) free: Lanes,
    pub(crate) along: [Lanes; 2],
    /// One for the contact that the clock follows, zero for all others, and the same the other way round.
    pub(crate) by_root: Lanes,
    pub(crate) others: Lanes,
    /// `1/2 q₀` and `1/r₀`, zero where they are not wanted.
    pub(crate) half_root: Lanes,
    pub(crate) inverse_slip: Lanes,
    pub(crate) terms: [Term; tol::ORDER + 1],
    known: Known,
}

impl Block {
    /// What contacts do, and where they are, from contact `from` on. Whether they have series: not those that begin to press
    /// without being followed by `z`.
    pub(crate) fn begin(&mut self, from: usize, dynamics: &Dynamics, state: &[f64]) -> bool {
        let model = &dynamics.model;
        self.free = Lanes::ZERO;
        self.along = [Lanes::ZERO; 2];
        for (lane, k) in (from..model.len()).take(LANES).enumerate() {
            let (spring, closed) = (&model.springs[k], dynamics.normal_mode[k].closed());
            let presses = closed && !dynamics.clipped[k];
            self.stiffness.0[lane] = if presses { spring.stiffness } else { 0.0 };
            self.pace.0[lane] = -dynamics.pace(k);
            // Linear springs have `q = 1`.
            let (mut depth, mut root, mut half_root) = (state[k], 1.0, 0.0);
            let by_root = dynamics.by_root[k];
            if by_root {
                (depth, root) = (state[k] * state[k], state[k]);
            } else if model.power == Power::Hertz {
                root = 0.0;
                if presses && state[k] <= 0.0 {
                    return false;
                }
                if presses {
                    root = f64::sqrt(state[k]);
                    half_root = 0.5 / root;
                }
            }
            self.by_root.0[lane] = f64::from(u8::from(by_root));
            self.others.0[lane] = f64::from(u8::from(!by_root));
            self.half_root.0[lane] = half_root;
            let first = &mut self.terms[0];
            first.unknown.0[lane] = state[k];
            (first.depth.0[lane], first.root.0[lane]) = (depth, root);
            first.approach.0[lane] = dynamics.normal_velocity[k];
            let Some(g) = spring.frictional else { continue };
            for c in 0..2 {
                first.across[c].0[lane] = dynamics.slip[g][c];
            }
            let mu = model.frictional[g].mu;
            if closed && dynamics.friction_mode[g] == FrictionMode::Slides {
                match dynamics.straight[g] {
                    true => {
                        (0..2).for_each(|c| self.along[c].0[lane] = -mu * dynamics.direction[g][c]);
                    }
                    false => self.free.0[lane] = -mu,
                }
            }
        }
        true
    }

    /// The most that a contact does.
    pub(crate) fn does(&self) -> u8 {
        let some = |lanes: &Lanes| lanes.0.iter().any(|x| *x != 0.0);
        match (some(&self.free), self.along.iter().any(some)) {
            (true, _) => TURN,
            (false, true) => SLIDE,
            (false, false) => STICK,
        }
    }

    /// Slips and forces where the series begins.
    #[inline(always)]
    pub(crate) fn first(&mut self, damping: Option<f64>) {
        let first = &mut self.terms[0];
        let [a, b] = first.across;
        let square = a * a + b * b;
        for lane in 0..LANES {
            let slip = f64::sqrt(square.0[lane]);
            let turns = self.free.0[lane] != 0.0;
            first.slip.0[lane] = if turns { slip } else { 0.0 };
            self.inverse_slip.0[lane] = if turns { 1.0 / slip } else { 0.0 };
        }
        first.undamped = self.stiffness * first.depth * first.root;
        first.force = first.undamped - first.undamped * (first.approach * damping.unwrap_or(0.0));
    }

    /// Indentations, roots and forces of order `m`, which knows its unknowns and velocities, and what friction will be made of.
    #[inline(always)]
    pub(crate) fn move_on<const DO: u8>(&mut self, m: usize, pace: &[f64], damping: Option<f64>) {
        let (before, now) = self.terms.split_at_mut(m);
        let now = &mut now[0];
        let (mut roots, mut squares) = (Lanes::ZERO, Lanes::ZERO);
        // Products of two alike are met twice.
        let half = m.div_ceil(2);
        for (low, high) in before[1..half].iter().zip(before[m - half + 1..].iter().rev()) {
            roots = roots + low.root * high.root;
            if DO == TURN {
                let ([a, b], [c, d]) = (low.across, high.across);
                squares = squares + (a * c + b * d - low.slip * high.slip);
            }
        }
        (roots, squares) = (roots + roots, squares + squares);
        if m.is_multiple_of(2) {
            let Term { root, across: [a, b], slip, .. } = &before[m / 2];
            roots = roots + *root * *root;
            if DO == TURN {
                squares = squares + (*a * *a + *b * *b - *slip * *slip);
            }
        }
        let mut raised = Lanes::ZERO;
        let mut known = Known::default();
        let pairs = before[1..].iter().zip(before[1..].iter().rev());
        for ((term, back), pace) in pairs.zip(pace[1..].iter().rev()) {
            raised = raised + term.depth * back.root;
            known.load = known.load + term.force * *pace;
            known.moved = known.moved + term.approach * *pace;
            if DO == TURN {
                known.turned = known.turned + term.friction_per_slip * back.slip;
                known.pull[0] = known.pull[0] + term.friction_per_slip * back.across[0];
                known.pull[1] = known.pull[1] + term.friction_per_slip * back.across[1];
            }
        }
        self.known = known;
        let first = &before[0];
        let root = (now.unknown - roots) * self.half_root + now.unknown * self.by_root;
        let own = first.root * root;
        let depth = now.unknown * self.others + (roots + own + own) * self.by_root;
        if DO == TURN {
            let ends = first.across[0] * now.across[0] + first.across[1] * now.across[1];
            now.slip = (squares * 0.5 + ends) * self.inverse_slip;
        }
        (now.root, now.depth) = (root, depth);
        let undamped = self.stiffness * (raised + (first.depth * root + depth * first.root));
        now.force = undamped;
        if let Some(c) = damping {
            now.undamped = undamped;
            let pairs = before[1..].iter().zip(before[1..].iter().rev());
            let damped =
                pairs.fold(Lanes::ZERO, |sum, (term, back)| sum + term.undamped * back.approach);
            let ends = first.undamped * now.approach + undamped * first.approach;
            now.force = undamped - (damped + ends) * c;
        }
    }

    /// Friction of order `m`, given the first and the last coefficient of the pace of the clock, and unknowns of the next
    /// order.
    #[inline(always)]
    pub(crate) fn press<const DO: u8>(&mut self, m: usize, pace: [f64; 2], share: f64) {
        let (before, after) = self.terms.split_at_mut(m);
        let [now, next, ..] = after else { return };
        let Some(first) = before.first() else {
            // Values where the series begins.
            now.load = now.force * pace[0];
            now.friction_per_slip = self.free * now.load * self.inverse_slip;
            for c in 0..2 {
                now.pull[c] = now.friction_per_slip * now.across[c] + self.along[c] * now.load;
            }
            next.unknown = now.approach * pace[0] * self.pace * share;
            return;
        };
        let known = &self.known;
        let load = known.load + (now.force * pace[0] + first.force * pace[1]);
        now.load = load;
        now.pull = match DO {
            STICK => [Lanes::ZERO; 2],
            _ => self.along.map(|along| along * load),
        };
        if DO == TURN {
            let turned = known.turned + now.slip * first.friction_per_slip;
            now.friction_per_slip = (self.free * load - turned) * self.inverse_slip;
            for c in 0..2 {
                let ends = first.friction_per_slip * now.across[c]
                    + now.friction_per_slip * first.across[c];
                now.pull[c] = now.pull[c] + (known.pull[c] + ends);
            }
        }
        let moved = known.moved + (now.approach * pace[0] + first.approach * pace[1]);
        next.unknown = moved * self.pace * share;
    }

    /// Unknowns after some time of the clock.
    #[inline(always)]
    pub(crate) fn unknown(&self, order: usize, time: f64) -> Lanes {
        let terms = self.terms[..=order].iter().rev();
        terms.fold(Lanes::ZERO, |sum, term| sum * time + term.unknown)
    }

    /// Forces there, times the pace of the clock.
    #[inline(always)]
    pub(crate) fn forces(&self, order: usize, time: f64) -> Triple {
        let mut sums = [Lanes::ZERO; 3];
        for term in self.terms[..order].iter().rev() {
            for (sum, force) in sums.iter_mut().zip(term.forces()) {
                *sum = *sum * time + force;
            }
        }
        sums
    }

    /// What forces have done until there.
    #[inline(always)]
    pub(crate) fn impulses(&self, order: usize, time: f64) -> Triple {
        let mut sums = [Lanes::ZERO; 3];
        for (term, share) in self.terms[..order].iter().zip(&SHARES).rev() {
            for (sum, force) in sums.iter_mut().zip(term.forces()) {
                *sum = *sum * time + force * *share;
            }
        }
        sums.map(|sum| sum * time)
    }
}

impl Term {
    /// Along the normal and both tangents, times the pace of the clock.
    #[inline(always)]
    pub(crate) fn forces(&self) -> Triple {
        [self.load, self.pull[0], self.pull[1]]
    }

    /// Velocities are a share of these.
    #[inline(always)]
    pub(crate) fn set_velocity(&mut self, [approach, a, b]: Triple, share: f64) {
        (self.approach, self.across) = (approach * share, [a * share, b * share]);
    }
}
