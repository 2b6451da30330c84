//! The coefficients of some contacts, order by order.

use super::super::field::{Field, Slip};
use super::super::model::{Model, Power};
use super::ORDER;
use super::lanes::{LANES, Lanes};

/// The coefficients of one order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Term {
    /// The unknown, `d` or `z`; `d` and `q`.
    pub(super) unknown: Lanes,
    pub(super) depth: Lanes,
    pub(super) root: Lanes,
    /// Velocity along the normal and both tangents, and `r`.
    pub(super) approach: Lanes,
    pub(super) across: [Lanes; 2],
    pub(super) slip: Lanes,
    /// `F` without and with damping, and then times the pace of the clock.
    pub(super) undamped: Lanes,
    pub(super) force: Lanes,
    pub(super) load: Lanes,
    /// `N` and `f`, times the pace of the clock.
    pub(super) grip: Lanes,
    pub(super) pull: [Lanes; 2],
}

/// What earlier orders add to the coefficients of products.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// `q²`, `|v|² − r²`, `d q`, and forces times approach.
    pub(super) roots: Lanes,
    pub(super) squares: Lanes,
    pub(super) raised: Lanes,
    pub(super) damped: Lanes,
    /// Forces and approach times the pace of the clock.
    pub(super) load: Lanes,
    pub(super) moved: Lanes,
    /// `r N` and `N v`.
    pub(super) turned: Lanes,
    pub(super) pull: [Lanes; 2],
}

/// Some contacts.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// Rows of the model, coordinate by coordinate: normal and both tangents.
    pub(super) rows: Vec<[Lanes; 3]>,
    /// Stiffness of what presses, and how fast indentations grow per speed of approach.
    pub(super) stiffness: Lanes,
    pub(super) pace: Lanes,
    /// `−μ` of contacts that slide as they like, and `−μ` times the heading of those that slide one way.
    pub(super) free: Lanes,
    pub(super) along: [Lanes; 2],
    /// One for the contact that the clock follows, zero for all others, and the same the other way round.
    pub(super) rooted: Lanes,
    pub(super) others: Lanes,
    /// `1/2 q₀` and `1/r₀`, zero where they are not wanted.
    pub(super) half_root: Lanes,
    pub(super) inverse_slip: Lanes,
    pub(super) terms: [Term; ORDER + 1],
    pub(super) known: Known,
}

impl Block {
    /// Contacts of the model, from this one on.
    pub(super) fn new(from: usize, model: &Model) -> Self {
        let mut rows = vec![[Lanes::ZERO; 3]; model.rank];
        for (lane, k) in (from..model.len()).take(LANES).enumerate() {
            for (i, rows) in rows.iter_mut().enumerate() {
                rows[0].0[lane] = model.normal(k)[i];
                if let Some(g) = model.springs[k].grip {
                    rows[1].0[lane] = model.tangent(g, 0)[i];
                    rows[2].0[lane] = model.tangent(g, 1)[i];
                }
            }
        }
        Self { rows, ..Self::default() }
    }

    /// What contacts do, and where they are, from contact `from` on. Whether they have series: not those that begin to press
    /// without being followed by `z`.
    pub(super) fn begin(&mut self, from: usize, field: &Field, state: &[f64]) -> bool {
        let model = &field.model;
        self.free = Lanes::ZERO;
        self.along = [Lanes::ZERO; 2];
        for (lane, k) in (from..model.len()).take(LANES).enumerate() {
            let (spring, closed) = (&model.springs[k], field.touch[k].closed());
            let presses = closed && !field.slack[k];
            self.stiffness.0[lane] = if presses { spring.stiffness } else { 0.0 };
            self.pace.0[lane] = -field.pace(k);
            // Linear springs have `q = 1`.
            let (mut depth, mut root, mut half_root) = (state[k], 1.0, 0.0);
            let rooted = field.rooted[k];
            if rooted {
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
            self.rooted.0[lane] = f64::from(u8::from(rooted));
            self.others.0[lane] = f64::from(u8::from(!rooted));
            self.half_root.0[lane] = half_root;
            let first = &mut self.terms[0];
            first.unknown.0[lane] = state[k];
            (first.depth.0[lane], first.root.0[lane]) = (depth, root);
            first.approach.0[lane] = model.normal_start[k];
            let Some(g) = spring.grip else { continue };
            for c in 0..2 {
                first.across[c].0[lane] = model.tangent_start[2 * g + c];
            }
            let mu = model.grips[g].mu;
            if closed && field.slip[g] == Slip::Slides {
                match field.heads[g] {
                    true => {
                        (0..2).for_each(|c| self.along[c].0[lane] = -mu * field.heading[g][c]);
                    }
                    false => self.free.0[lane] = -mu,
                }
            }
        }
        true
    }

    /// Values where the series begins.
    #[inline(always)]
    pub(super) fn first(&mut self, motion: &[f64], damping: Option<f64>) {
        let first = &mut self.terms[0];
        for (rows, x) in self.rows.iter().zip(motion) {
            first.approach = first.approach + rows[0] * *x;
            first.across[0] = first.across[0] + rows[1] * *x;
            first.across[1] = first.across[1] + rows[2] * *x;
        }
        let [a, b] = first.across;
        let square = a * a + b * b;
        for lane in 0..LANES {
            let slip = f64::sqrt(square.0[lane]);
            let turns = self.free.0[lane] != 0.0;
            first.slip.0[lane] = if turns { slip } else { 0.0 };
            self.inverse_slip.0[lane] = if turns { 1.0 / slip } else { 0.0 };
        }
        first.undamped = self.stiffness * first.depth * first.root;
        let damped = first.approach * damping.unwrap_or(0.0);
        first.force = first.undamped - first.undamped * damped;
    }

    /// Friction there, given the pace of the clock.
    #[inline(always)]
    pub(super) fn press_first(&mut self, pace: f64) {
        let first = &mut self.terms[0];
        first.load = first.force * pace;
        first.grip = self.free * first.load * self.inverse_slip;
        for c in 0..2 {
            first.pull[c] = first.grip * first.across[c] + self.along[c] * first.load;
        }
    }

    /// Velocities along the normal and both tangents.
    #[inline(always)]
    pub(super) fn velocity(&self, motion: &[f64]) -> [Lanes; 3] {
        let mut velocity = [Lanes::ZERO; 3];
        for (rows, x) in self.rows.iter().zip(motion) {
            for c in 0..3 {
                velocity[c] = velocity[c] + rows[c] * *x;
            }
        }
        velocity
    }

    /// What earlier orders add to those of order `m`: all that nothing has to wait for.
    #[inline(always)]
    pub(super) fn sum_up(&mut self, m: usize, pace: &[f64], damping: Option<f64>) {
        let before = &self.terms[..m];
        let mut known = Known::default();
        // Products of two alike are met twice.
        let half = m.div_ceil(2);
        for (low, high) in before[1..half].iter().zip(before[m - half + 1..].iter().rev()) {
            let ([a, b], [c, d]) = (low.across, high.across);
            known.roots = known.roots + low.root * high.root;
            known.squares = known.squares + (a * c + b * d - low.slip * high.slip);
        }
        (known.roots, known.squares) = (known.roots + known.roots, known.squares + known.squares);
        if m.is_multiple_of(2) {
            let Term { root, across: [a, b], slip, .. } = before[m / 2];
            known.roots = known.roots + root * root;
            known.squares = known.squares + (a * a + b * b - slip * slip);
        }
        let pairs = before[1..].iter().zip(before[1..].iter().rev());
        for ((term, back), pace) in pairs.zip(pace[1..].iter().rev()) {
            known.raised = known.raised + term.depth * back.root;
            known.load = known.load + term.force * *pace;
            known.moved = known.moved + term.approach * *pace;
            known.turned = known.turned + term.grip * back.slip;
            known.pull[0] = known.pull[0] + term.grip * back.across[0];
            known.pull[1] = known.pull[1] + term.grip * back.across[1];
        }
        if damping.is_some() {
            let pairs = before[1..].iter().zip(before[1..].iter().rev());
            known.damped =
                pairs.fold(Lanes::ZERO, |sum, (term, back)| sum + term.undamped * back.approach);
        }
        self.known = known;
    }

    /// Indentations, velocities, their roots and forces of order `m`.
    #[inline(always)]
    pub(super) fn move_on(&mut self, m: usize, motion: &[f64], damping: Option<f64>) {
        let [approach, a, b] = self.velocity(motion);
        let (before, now) = self.terms.split_at_mut(m);
        let (first, now, known) = (&before[0], &mut now[0], &self.known);
        let root = (now.unknown - known.roots) * self.half_root + now.unknown * self.rooted;
        let own = first.root * root;
        let depth = now.unknown * self.others + (known.roots + own + own) * self.rooted;
        let ends = first.across[0] * a + first.across[1] * b;
        now.slip = (known.squares * 0.5 + ends) * self.inverse_slip;
        (now.root, now.depth) = (root, depth);
        (now.approach, now.across) = (approach, [a, b]);
        let ends = first.depth * root + depth * first.root;
        now.undamped = self.stiffness * (known.raised + ends);
        now.force = now.undamped;
        if let Some(c) = damping {
            let ends = first.undamped * now.approach + now.undamped * first.approach;
            now.force = now.undamped - (known.damped + ends) * c;
        }
    }

    /// Friction of order `m`, given the first and the last coefficient of the pace of the clock.
    #[inline(always)]
    pub(super) fn press(&mut self, m: usize, pace: [f64; 2]) {
        let (before, now) = self.terms.split_at_mut(m);
        let (first, now, known) = (&before[0], &mut now[0], &self.known);
        let load = known.load + (now.force * pace[0] + first.force * pace[1]);
        let turned = known.turned + now.slip * first.grip;
        now.load = load;
        now.grip = (self.free * load - turned) * self.inverse_slip;
        for c in 0..2 {
            let ends = first.grip * now.across[c] + now.grip * first.across[c];
            now.pull[c] = known.pull[c] + ends + self.along[c] * load;
        }
    }
}
