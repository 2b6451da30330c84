//! The path so far: impulse, velocity and what the rules of restitution count; and every stretch of it that is
//! linear in the impulse.

use super::{Flow, Phases, Routh, Rule};
use crate::laws::info::CatalogLaw;
use crate::laws::single::scaled::{Answer, Scaled, Tangent};
use crate::outcome::{FinalMode, Note, Notes, Observer, PathTotals, TraceEvent, TracePoint};
use crate::{ImpactError, Tolerances};

/// More changes of phase than any line has.
const MAX_PHASE_CHANGES: u32 = 8;

/// Impulses below this part of the whole may be rounding of the path \[1\].
const ROUNDING: f64 = 1e-12;

/// Whether the impact is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Ended,
    Ongoing,
}

/// Whether the bodies approach or separate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Compression,
    Restitution,
}

/// The state of an impact under way.
///
/// Phases are counted in `π`, where `dp_n = measure·dπ`. While the contact slides, `measure` is the `alpha` of the
/// cone, zero for μ = ∞: then sliding happens at no normal impulse at all, yet its phases still compare. From the
/// origin on, `measure` is 1.
pub(crate) struct Path<'a> {
    law: &'a Routh,
    scaled: &'a Scaled,
    measure: f64,
    pub phase: Phase,
    /// Normal impulse before the origin was reached.
    pn_slid: f64,
    pub now: State,
    totals: PathTotals,
    /// Compression impulse and work that set the target; with [`Phases::First`] only the first compression's.
    target_impulse: f64,
    target_work: f64,
    compressions: u32,
    notes: Notes,
}

/// Where an impact stands: impulse (the normal one counted in `π`) and velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub pi: f64,
    pub pt: Tangent,
    pub un: f64,
    pub ut: Tangent,
}

/// A stretch on which everything is linear in `π`: the slopes.
struct Line {
    un: f64,
    ut: Tangent,
    pt: Tangent,
}

impl<'a> Path<'a> {
    pub fn new(law: &'a Routh, scaled: &'a Scaled) -> Self {
        Self {
            law,
            scaled,
            measure: scaled.alpha,
            phase: Phase::Compression,
            pn_slid: 0.0,
            now: State { pi: 0.0, pt: Tangent::zeros(), un: scaled.un, ut: scaled.ut },
            totals: PathTotals::default(),
            target_impulse: 0.0,
            target_work: 0.0,
            compressions: 1,
            notes: Notes::NONE,
        }
    }

    fn pn(&self, state: State) -> f64 {
        self.pn_slid + self.measure * state.pi
    }

    /// With infinite friction, slip in a direction that cannot yield is neither stopped nor does it matter.
    pub fn drop_slip_that_cannot_yield(&mut self) {
        let scaled = self.scaled;
        self.now.ut = self.now.ut.zip_map(&scaled.t, |u, t| if t > scaled.rank { u } else { 0.0 });
    }

    pub fn mark(&self, event: TraceEvent, trace: &mut dyn Observer) {
        if trace.wants_path() {
            trace.event(event, self.point(self.now, 0.0));
        }
    }

    /// Shows a state that lies ahead, with the normal work on the way to it.
    pub fn sample(&self, ahead: State, work: f64, trace: &mut dyn Observer) {
        trace.sample(self.point(ahead, work));
    }

    fn point(&self, state: State, more_work: f64) -> TracePoint {
        let work = self.measure * (self.totals.normal_work() + more_work);
        self.scaled.trace_point(self.pn(state), state.pt, state.un, state.ut, work)
    }

    /// Counts a stretch of the present phase: its `π` and its normal work `∫ u_n dπ`.
    pub fn count(&mut self, impulse: f64, work: f64) {
        match self.phase {
            Phase::Compression => {
                self.totals.compression_impulse += impulse;
                self.totals.compression_work += work.min(0.0);
                if self.law.phases == Phases::Cumulative || self.compressions == 1 {
                    self.target_impulse += impulse;
                    self.target_work += work.min(0.0);
                }
            }
            Phase::Restitution => {
                self.totals.restitution_impulse += impulse;
                self.totals.restitution_work += work.max(0.0);
            }
        }
    }

    /// The state moves to `u_n = 0` and the phase changes.
    pub fn change_phase(&mut self, trace: &mut dyn Observer) {
        self.now.un = 0.0;
        match self.phase {
            Phase::Compression => {
                self.phase = Phase::Restitution;
                self.mark(TraceEvent::MaximumCompression, trace);
            }
            Phase::Restitution => {
                self.phase = Phase::Compression;
                self.compressions += 1;
                self.mark(TraceEvent::Recompression, trace);
            }
        }
    }

    /// What restitution still has to deliver: `π`, work, or normal velocity, whichever the rule counts.
    pub fn remaining(&self) -> Remaining {
        let e = self.scaled.e;
        match self.law.rule {
            Rule::Poisson => {
                Remaining::Impulse(e * self.target_impulse - self.totals.restitution_impulse)
            }
            Rule::Stronge => {
                Remaining::Work(-e * e * self.target_work - self.totals.restitution_work)
            }
            Rule::Newton => Remaining::Velocity(-e * self.scaled.un),
        }
    }

    /// Follows a line for at most `limit` of `π`, through phases, until the impact ends.
    fn follow(
        &mut self,
        line: &Line,
        mut limit: f64,
        trace: &mut dyn Observer,
    ) -> Result<Progress, ImpactError> {
        for _ in 0..MAX_PHASE_CHANGES {
            let turns_at = -self.now.un / line.un;
            let (until_turn, ends) = match self.phase {
                Phase::Compression if line.un > 0.0 => (turns_at.max(0.0), None),
                Phase::Restitution => {
                    let turn = if line.un < 0.0 { turns_at.max(0.0) } else { f64::INFINITY };
                    (turn, self.remaining().after(self.now.un, line.un))
                }
                Phase::Compression => (f64::INFINITY, None),
            };
            if let Some(end) = ends.filter(|end| *end <= until_turn && *end <= limit) {
                self.advance(line, end);
                return Ok(Progress::Ended);
            }
            if until_turn.min(limit).is_infinite() {
                break;
            }
            if until_turn > limit {
                self.advance(line, limit);
                return Ok(Progress::Ongoing);
            }
            self.advance(line, until_turn);
            limit -= until_turn;
            self.change_phase(trace);
        }
        Err(ImpactError::NoSolution {
            law: self.law.info().id,
            reason: "no impulse parts the bodies: the mechanism does not yield to it".into(),
        })
    }

    fn advance(&mut self, line: &Line, length: f64) {
        self.count(length, length * (self.now.un + 0.5 * line.un * length));
        self.now.un += line.un * length;
        self.now.ut += line.ut * length;
        self.now.pt += line.pt * length;
        self.now.pi += length;
    }

    /// Slides along a ray: to the end of the impact, or to the origin if the ray leads there.
    pub fn slide_along_ray(
        &mut self,
        flow: &Flow,
        s: Tangent,
        trace: &mut dyn Observer,
    ) -> Result<Progress, ImpactError> {
        let per_unit = 1.0 / flow.unit;
        let growth = flow.growth(s) * per_unit;
        let line = Line { un: flow.rise(s) * per_unit, ut: s * growth, pt: s * -self.scaled.beta };
        let limit = if growth < 0.0 { self.now.ut.norm() / -growth } else { f64::INFINITY };
        self.follow(&line, limit, trace)
    }

    /// Sliding is over: from here on phases are counted in normal impulse.
    pub fn reach_origin(&mut self, trace: &mut dyn Observer) {
        let slid = self.scaled.ut != Tangent::zeros();
        self.now.ut = Tangent::zeros();
        self.pn_slid = self.pn(self.now);
        self.now.pi = 0.0;
        let measure = std::mem::replace(&mut self.measure, 1.0);
        for counted in [
            &mut self.totals.compression_impulse,
            &mut self.totals.restitution_impulse,
            &mut self.totals.compression_work,
            &mut self.totals.restitution_work,
            &mut self.target_impulse,
            &mut self.target_work,
        ] {
            *counted *= measure;
        }
        if slid {
            self.mark(TraceEvent::SlipStops, trace);
        }
    }

    /// Leaves the origin in direction `s` and never comes back.
    pub fn leave_origin(
        &mut self,
        s: Tangent,
        trace: &mut dyn Observer,
    ) -> Result<Progress, ImpactError> {
        let scaled = self.scaled;
        let mu = scaled.beta / scaled.alpha;
        let line = Line {
            un: scaled.k - mu * scaled.c.dot(&s),
            ut: scaled.c - scaled.apply_t(s) * mu,
            pt: s * -mu,
        };
        self.follow(&line, f64::INFINITY, trace)
    }

    /// Sticks to the end of the impact.
    ///
    /// The line of sticking passes through `P_II`, where `u = 0`: that fixes the normal velocity on it more exactly
    /// than the way here does.
    pub fn stick(
        &mut self,
        tolerances: &Tolerances,
        trace: &mut dyn Observer,
    ) -> Result<Progress, ImpactError> {
        let scaled = self.scaled;
        let to_rest = scaled.sticking_from_plastic().0 - scaled.un / scaled.k - self.pn(self.now);
        self.compress_where_rest_lies_ahead(to_rest, trace);
        let line = Line { un: scaled.kappa(), ut: Tangent::zeros(), pt: -scaled.b() };
        if line.un == 0.0 {
            self.stick_locked(&line, to_rest, tolerances, trace)?;
            return Ok(self.end_of_sticking());
        }
        self.now.un = match self.phase {
            Phase::Compression => -line.un * to_rest.max(0.0),
            Phase::Restitution => line.un * -to_rest.min(0.0),
        };
        self.follow(&line, f64::INFINITY, trace)?;
        Ok(self.end_of_sticking())
    }

    /// Where slip stops, the bodies approach if and only if the impulse of rest lies ahead. In mechanisms that lock, or almost
    /// do, all velocities vanish there at once, and rounding may have seen the end of compression first.
    fn compress_where_rest_lies_ahead(&mut self, to_rest: f64, trace: &mut dyn Observer) {
        let pn = self.pn(self.now);
        if self.phase == Phase::Compression || to_rest <= ROUNDING * pn {
            return;
        }
        if self.totals.restitution_impulse > ROUNDING * pn {
            self.change_phase(trace);
        } else {
            self.phase = Phase::Compression;
        }
    }

    /// The end of sticking: that no slip is left gives the tangential impulse more exactly than integration.
    fn end_of_sticking(&mut self) -> Progress {
        if let Some(pt) = self.scaled.stopping_impulse(self.pn(self.now)) {
            self.now.pt = pt;
        }
        Progress::Ended
    }

    /// A sticking contact that cannot yield along the normal either: `W` is singular, and if the velocity was one
    /// that the mechanism allows, it is zero now. The kinetic rule has the limit of almost locked mechanisms:
    /// compression ends at `P_II`. Under the energetic rule velocities have a limit and impulses have none.
    fn stick_locked(
        &mut self,
        line: &Line,
        to_rest: f64,
        tolerances: &Tolerances,
        trace: &mut dyn Observer,
    ) -> Result<Progress, ImpactError> {
        let law = self.law.info().id;
        let no_solution =
            |reason: &str| Err(ImpactError::NoSolution { law, reason: reason.into() });
        let scaled = self.scaled;
        let pressed = scaled.k * self.pn(self.now) + scaled.c.norm() * self.now.pt.norm();
        let size = scaled.un.abs() + (1.0 + scaled.b().norm()) * scaled.ut.norm() + pressed;
        if self.now.un < -tolerances.definiteness * size {
            return no_solution("the contact sticks and locks while the bodies still approach");
        }
        self.notes.insert(Note::ImpulseNotUnique);
        if self.phase == Phase::Compression {
            self.now.un = 0.0;
            self.advance(line, to_rest.max(0.0));
            self.change_phase(trace);
        }
        match self.remaining() {
            Remaining::Impulse(rest) => self.advance(line, rest.max(0.0)),
            Remaining::Velocity(target) if target > self.now.un.max(0.0) => {
                return no_solution("the contact sticks and locks: it cannot rebound with e > 0");
            }
            Remaining::Work(_) | Remaining::Velocity(_) => {}
        }
        Ok(Progress::Ended)
    }

    pub fn finish(self, mode: FinalMode, trace: &mut dyn Observer) -> Answer {
        self.mark(TraceEvent::End, trace);
        if trace.wants_path() {
            let PathTotals {
                compression_impulse,
                restitution_impulse,
                compression_work,
                restitution_work,
            } = self.totals;
            trace.totals(self.scaled.path_totals(PathTotals {
                compression_impulse: self.measure * compression_impulse,
                restitution_impulse: self.measure * restitution_impulse,
                compression_work: self.measure * compression_work,
                restitution_work: self.measure * restitution_work,
            }));
        }
        let mut answer = Answer::new(self.pn(self.now), self.now.pt, mode);
        answer.effort.compressions = self.compressions;
        answer.notes = self.notes;
        answer
    }
}

/// What restitution still has to deliver before the impact ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Remaining {
    Impulse(f64),
    Work(f64),
    Velocity(f64),
}

impl Remaining {
    /// How much `π` it takes from the normal velocity `un ≥ 0` that changes with `slope`.
    fn after(self, un: f64, slope: f64) -> Option<f64> {
        match self {
            Self::Impulse(rest) => Some(rest.max(0.0)),
            Self::Work(rest) if rest <= 0.0 => Some(0.0),
            Self::Work(rest) => {
                // un·x + ½ slope x² = rest, in the form that does not cancel.
                let root = un * un + 2.0 * slope * rest;
                let below = un + f64::sqrt(root.max(0.0));
                if root < 0.0 || (un == 0.0 && slope <= 0.0) {
                    None
                } else if below > 0.0 {
                    Some(2.0 * rest / below)
                } else {
                    // So little is missing that its square root vanishes.
                    Some(0.0)
                }
            }
            Self::Velocity(target) if un >= target => Some(0.0),
            Self::Velocity(target) => (slope > 0.0).then(|| (target - un) / slope),
        }
    }
}
