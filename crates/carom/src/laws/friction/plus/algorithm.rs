//! The published algorithm from top to bottom: the rounds of an impact ([UchidaShermanDelp2015] Algorithm 2), the intervals of
//! a round, and the stick–slip states and impulse of an interval (Algorithm 1). How far an interval goes is chosen in
//! [`super::step_length`], its linear equations are in [`super::equations`]; whatever the paper does not contain is in
//! [`super::remedies`] and called by name from here.
//!
//! `π` is the impulse that would end the round, `α π` that of an interval. Friction at rest is decided by
//! [`Intervals::stick_slip`] and [`Intervals::release`].

use super::active::{ActiveContacts, Phase};
use super::contact_space::{Components, ContactSpace};
use super::equations::{Equations, System};
use super::exact::flow::Flow;
use super::failure::Failure;
use super::impending::{Impending, Search};
use super::one_contact;
use super::record::Record;
use super::remedies::IntervalRemedies;
use super::remedies::coulomb::Coulomb;
use super::step_length::{StepLength, length};
use super::tolerances::{
    ALIKE, CONE, CONSISTENT, ENERGY_ROUNDINGS, LARGE_FRICTION, MAX_PLASTIC_ROUNDS, MAX_WORK, PULL,
    RECOMPUTE_AFTER_ROUNDS, SEARCHED_DIRECTIONS,
};
use crate::contact::Restitution;
use crate::numerics::largest;
use crate::numerics::sum::add;
use crate::outcome::{ContactMode, StepLimit};

/// What decides which contacts take part in a round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundRules {
    /// Contacts that approach more slowly are observed [m/s].
    pub(crate) observe: f64,
    /// Slower approaches count as none [m/s].
    pub(crate) zero: f64,
    /// Whether an expansion that would create energy is cut back.
    pub(crate) guard: bool,
    /// Whether observed approaches are stopped in the end.
    pub(crate) stop_observed: bool,
    pub(crate) max_rounds: u64,
    /// After each so many rounds all contacts that collided in them take part together.
    pub(crate) together_after: u64,
    /// `ε_prox`, the largest gap of a proximal contact \[m\].
    pub(crate) proximity: f64,
}

/// Change of kinetic energy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Energy {
    /// Negative where it was lost \[J\].
    pub(crate) gained: f64,
    /// The sum of the absolute terms of `gained`, by which its rounding is measured \[J\].
    pub(crate) turnover: f64,
}

impl Energy {
    /// Whether it has grown by more than rounding; not if it is no number.
    pub(crate) fn has_grown(self) -> bool {
        self.gained > ENERGY_ROUNDINGS * f64::EPSILON * self.turnover
    }

    /// Whether it is known not to have grown; not if it is no number.
    pub(crate) fn has_not_grown(self) -> bool {
        self.gained <= ENERGY_ROUNDINGS * f64::EPSILON * self.turnover
    }
}

/// A contact over all rounds of an impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpactContact {
    restitution: Restitution,
    /// Whether it is close enough to take part.
    pub(crate) proximal: bool,
    /// Its friction, which is infinite only as long as it has not had to slide \[1\].
    mu: f64,
    /// Whether it slides without parting, and its friction would drive it into compression.
    grazes: bool,
    /// `π_acc`, the expansion impulse [N·s] or work \[J\] of the next round.
    pub(crate) owed: f64,
    /// `e` times the impulse of its last compression [N·s].
    pace: f64,
    /// The last round in which it took an impulse, counted from 1.
    pub(crate) last_push: u64,
}

/// The state of an impact between rounds.
#[derive(Default)]
pub(crate) struct Impact {
    pub(crate) contacts: Vec<ImpactContact>,
    /// `v`, three numbers per contact [m/s].
    pub(crate) velocity: Vec<f64>,
    /// `π_total`, three numbers per contact [N·s].
    pub(crate) impulse: Vec<f64>,
    /// What rounding has lost of each of these sums [N·s].
    lost: Vec<f64>,
    /// The largest speed at the start [m/s].
    pub(crate) speed: f64,
    pub(crate) energy: Energy,
}

/// Scratch memory of the rounds, kept from impact to impact.
#[derive(Default)]
pub(crate) struct Scratch {
    groups: Vec<ActiveContacts>,
    components: Components,
    active: Vec<usize>,
    candidates: Vec<usize>,
    pub(crate) coulomb: Coulomb,
}

/// How an impact ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// No contact approaches or has still to expand.
    Over,
    /// The limit of rounds was reached.
    Cut,
}

/// What carries the active contacts from the beginning of a round to its end.
pub(crate) enum RoundMethod {
    /// Intervals of finite length, as published.
    Intervals(Box<Intervals>),
    /// The limit of ever shorter intervals.
    Limit(Box<Flow>),
}

impl RoundMethod {
    /// Begins an attempt with these remedies.
    pub(crate) fn begin(&mut self, remedies: IntervalRemedies) {
        match self {
            Self::Intervals(intervals) => intervals.set_remedies(remedies),
            Self::Limit(flow) => flow.set_remedies(remedies),
        }
    }

    /// Carries groups through a round; answers how many intervals that took. Expanding contacts then owe nothing, and
    /// compressed ones approach no more.
    fn round(
        &mut self,
        groups: &mut [ActiveContacts],
        record: &mut Record,
    ) -> Result<u32, Failure> {
        match self {
            Self::Intervals(intervals) => intervals.round(groups, record),
            Self::Limit(flow) => flow.round(groups, record),
        }
    }

    /// What a contact owes after a compression of this impulse [N·s] and work \[J\].
    fn owed(&self, e: f64, impulse: f64, work: f64) -> f64 {
        match self {
            // [UchidaShermanDelp2015] Eq. (2.4)
            Self::Intervals(_) => e * impulse,
            Self::Limit(flow) => flow.owed(e, impulse, work),
        }
    }
}

/// What a round made.
pub(crate) struct Round {
    pub(crate) intervals: u32,
    /// The energy of the impact after it.
    pub(crate) energy: Energy,
}

impl Impact {
    /// [UchidaShermanDelp2015] Algorithm 2: `π_total ← 0`, `π_acc ← 0`.
    pub(crate) fn begin(&mut self, space: &ContactSpace, proximity: f64) {
        self.velocity.clone_from(&space.start);
        for sums in [&mut self.impulse, &mut self.lost] {
            sums.clear();
            sums.resize(3 * space.len(), 0.0);
        }
        self.contacts.clear();
        self.contacts.extend(space.surfaces.iter().map(|surface| ImpactContact {
            restitution: surface.restitution,
            proximal: surface.gap <= proximity,
            mu: surface.mu,
            grazes: false,
            owed: 0.0,
            pace: 0.0,
            last_push: 0,
        }));
        self.speed = space.speed();
        self.energy = Energy::default();
    }

    /// Follows the impact round by round to its end: [UchidaShermanDelp2015] Algorithm 2.
    pub(crate) fn run(
        &mut self,
        space: &ContactSpace,
        rules: &RoundRules,
        scratch: &mut Scratch,
        method: &mut RoundMethod,
        record: &mut Record,
    ) -> Result<End, Failure> {
        self.begin(space, rules.proximity);
        let Scratch { groups, components, active, candidates, coulomb } = scratch;
        // Only contacts whose velocity has changed, or which owe, can become active.
        candidates.clear();
        candidates.extend((0..space.len()).filter(|&k| self.contacts[k].proximal));
        for &k in candidates.iter() {
            self.contacts[k].grazes = !self.approaches(k, rules.observe) && space.locks(k);
        }
        let mut plastic_rounds = 0;
        loop {
            if space.is_sparse() {
                candidates.sort_unstable();
                candidates.dedup();
            }
            // E: π_acc > 0. C: v_z < 0. All others observe.
            let is_active = |k: &usize| {
                let own = &self.contacts[*k];
                own.owed > 0.0 || own.grazes || self.approaches(*k, rules.observe)
            };
            active.clear();
            active.extend(candidates.iter().copied().filter(is_active));
            active.iter().for_each(|&k| self.contacts[k].grazes = false);
            if !active.is_empty() {
                self.join_after_many_rounds(rules, active, record);
            }
            let plastic = active.is_empty();
            if plastic {
                // Until v_z ≥ 0 and π_acc = 0.
                self.correct_rounding(space, record.effort.rounds);
                if plastic_rounds == MAX_PLASTIC_ROUNDS
                    || !self.select_observed(space, rules, active, coulomb, record)
                {
                    return Ok(End::Over);
                }
                plastic_rounds += 1;
            } else if record.effort.rounds >= rules.max_rounds {
                return Ok(End::Cut);
            }
            let count = space.split(active, groups, components);
            let groups = &mut groups[..count];
            let guarded = rules.guard && active.iter().any(|&k| self.contacts[k].owed > 0.0);
            let made = match guarded {
                true => self.guarded_round(groups, method, record),
                false => self.round(groups, 1.0, method, record),
            };
            let Round { intervals, energy } = match made {
                Ok(made) => made,
                // What is left is slower than what counts, and may stay.
                Err(_) if plastic => return Ok(End::Over),
                Err(failure) => return Err(failure),
            };
            self.energy = energy;
            if !plastic {
                record.effort.rounds += 1;
                record.effort.intervals_per_round.push(intervals);
                record.effort.intervals += u64::from(intervals);
            }
            record.progress()?;
            if space.is_sparse() {
                candidates.clear();
            }
            let mut moved = false;
            for active in groups.iter() {
                self.end_round(active, plastic, method, record.effort.rounds);
                space.apply(active, &mut self.velocity, candidates);
                moved |= active.impulse.iter().any(|p| *p != 0.0);
                if space.is_sparse() {
                    candidates.extend(active.contacts.iter().map(|contact| contact.index));
                }
            }
            if space.is_sparse() {
                candidates.retain(|&k| self.contacts[k].proximal);
            }
            if !moved {
                return match plastic {
                    true => Ok(End::Over),
                    false => Err(Failure::Standstill { approach: self.fastest_approach() }),
                };
            }
        }
    }

    /// One round from the present velocities, a share of what is owed being given.
    pub(crate) fn round(
        &self,
        groups: &mut [ActiveContacts],
        share: f64,
        method: &mut RoundMethod,
        record: &mut Record,
    ) -> Result<Round, Failure> {
        groups.iter_mut().for_each(|active| self.begin_round(active, share, &self.velocity));
        record.phases(groups);
        let intervals = method.round(groups, record)?;
        let gained: f64 = groups.iter().map(|active| active.energy.gained).sum();
        let turnover: f64 = groups.iter().map(|active| active.energy.turnover).sum();
        let energy = Energy {
            gained: self.energy.gained + gained,
            turnover: self.energy.turnover + turnover,
        };
        Ok(Round { intervals, energy })
    }

    /// Classifies contacts for the whole round: `π_exp ← π_acc`, `π_comp ← 0`.
    pub(crate) fn begin_round(&self, active: &mut ActiveContacts, share: f64, velocity: &[f64]) {
        active.energy = Energy::default();
        active.speed = self.speed;
        active.lasts = 1.0;
        active.total.clear();
        active.total.resize(active.rank, 0.0);
        active.impulse.fill(0.0);
        for (contact, u) in active.contacts.iter_mut().zip(active.velocity.chunks_exact_mut(3)) {
            let k = contact.index;
            let ImpactContact { owed, pace, .. } = self.contacts[k];
            contact.phase = if owed > 0.0 { Phase::Expanding } else { Phase::Compressing };
            contact.owed = share * owed;
            contact.pace = pace;
            contact.mu = self.contacts[k].mu;
            contact.compression_impulse = 0.0;
            contact.compression_work = 0.0;
            u.copy_from_slice(&velocity[3 * k..3 * k + 3]);
        }
    }

    /// `π_total ← π_total + π` and `π_acc ← e π_comp`.
    fn end_round(
        &mut self,
        active: &ActiveContacts,
        plastic: bool,
        method: &RoundMethod,
        round: u64,
    ) {
        for (contact, impulse) in active.contacts.iter().zip(active.impulse.chunks_exact(3)) {
            let k = contact.index;
            for (c, p) in impulse.iter().enumerate() {
                add(&mut self.impulse[3 * k + c], &mut self.lost[3 * k + c], *p);
            }
            let own = &mut self.contacts[k];
            if impulse[0] > 0.0 {
                own.last_push = round;
            }
            // The coefficient belongs to the speed at the start of the round, which is still in its place.
            let e = own.restitution.at((-self.velocity[3 * k]).max(0.0));
            let compression = contact.compression_impulse;
            let owes = contact.phase == Phase::Compressing && compression > 0.0 && !plastic;
            own.pace = e * compression;
            own.mu = contact.mu;
            own.owed =
                if owes { method.owed(e, compression, contact.compression_work) } else { 0.0 };
        }
    }

    /// Whether a contact approaches faster than `slow`.
    pub(crate) fn approaches(&self, k: usize, slow: f64) -> bool {
        self.velocity[3 * k] < -slow
    }

    /// The fastest approach of proximal contacts [m/s].
    pub(crate) fn fastest_approach(&self) -> f64 {
        let normals = self.velocity.iter().step_by(3).zip(&self.contacts);
        normals.filter(|(_, own)| own.proximal).fold(0.0, |m: f64, (u, _)| m.max(-u))
    }

    /// Adds to the impulses what rounding lost of them, and after many rounds takes the velocities from them anew.
    pub(crate) fn correct_rounding(&mut self, space: &ContactSpace, rounds: u64) {
        for (p, lost) in self.impulse.iter_mut().zip(&mut self.lost) {
            *p += std::mem::take(lost);
        }
        if rounds > RECOMPUTE_AFTER_ROUNDS && !space.is_sparse() {
            space.velocity_after(&self.impulse, &mut self.velocity);
        }
    }
}

/// Rounds by intervals of finite length.
#[derive(Clone, Debug)]
pub(crate) struct Intervals {
    pub(crate) step_length: StepLength,
    /// Whether friction takes the direction that slip has in the middle of an interval.
    pub(crate) midpoint: bool,
    pub(crate) max_intervals: u32,
    pub(crate) remedies: IntervalRemedies,
    /// Whether states at an instant are sought, for the limit, which has its own use of the implicit Coulomb problem.
    pub(crate) instant: bool,
    pub(crate) equations: Equations,
    impending: Impending,
    pub(crate) coulomb: Coulomb,
    violations: Vec<f64>,
    /// Contacts that were added again in this interval.
    pub(crate) readded: Vec<bool>,
}

impl Intervals {
    /// Without remedies.
    pub(crate) fn new(step_length: StepLength, midpoint: bool, max_intervals: u32) -> Self {
        Self {
            step_length,
            midpoint,
            max_intervals,
            remedies: IntervalRemedies::default(),
            instant: false,
            equations: Equations::default(),
            impending: Impending::default(),
            coulomb: Coulomb::default(),
            violations: Vec::new(),
            readded: Vec::new(),
        }
    }

    pub(crate) fn set_remedies(&mut self, remedies: IntervalRemedies) {
        self.remedies = remedies;
        self.equations.forget();
    }

    /// The work done so far, in units of the budget \[1\].
    pub(crate) fn work(&self) -> u64 {
        self.equations.work + self.coulomb.work
    }

    /// The inner loop of [UchidaShermanDelp2015] Algorithm 2: intervals until `α = 1`. All groups share one `α`.
    fn round(
        &mut self,
        groups: &mut [ActiveContacts],
        record: &mut Record,
    ) -> Result<u32, Failure> {
        if self.remedies.whole {
            return self.whole_round(groups, record);
        }
        let mut before = 0;
        if let [active] = groups
            && active.len() == 1
            && !self.midpoint
            && !record.traces
        {
            let (count, over) = one_contact::slide(active, &self.step_length, self.max_intervals);
            if over {
                return Ok(count);
            }
            before = count;
        }
        for count in before + 1..=self.max_intervals {
            let known = self.equations.solved;
            let done = self.work();
            self.equations.most_work =
                self.equations.work.saturating_add(record.budget.saturating_sub(record.spent));
            let mut shortest = (1.0, StepLimit::End);
            let several = groups.len() > 1;
            for active in groups.iter_mut() {
                if several || count == before + 1 {
                    self.equations.begin(active);
                }
                self.find_impulse(active, record)?;
                let own = self.step_length.of_interval(active);
                if own.0 < shortest.0 {
                    shortest = own;
                }
                if self.equations.redundant() {
                    record.effort.impulse_unique = Some(false);
                }
            }
            record.spend(self.work() - done)?;
            // Each group of each round has one solution; more are turning slip, or chatter.
            let first = if count == 1 { groups.len() as u64 } else { 0 };
            record.work += (self.equations.solved - known).saturating_sub(first);
            if record.work > MAX_WORK * u64::from(self.max_intervals) {
                return Err(Failure::Solutions { count: record.work });
            }
            let (alpha, limit) = shortest;
            for active in groups.iter_mut() {
                if self.midpoint {
                    self.turn_halfway(active, alpha);
                }
                active.advance(alpha);
                record.interval(active, alpha, limit);
            }
            if alpha >= 1.0 {
                return Ok(count);
            }
        }
        Err(Failure::Intervals { count: self.max_intervals })
    }

    /// Finds the stick–slip states of an interval and `π`, which is `active.step`: [UchidaShermanDelp2015] Algorithm 1.
    ///
    /// Contacts only ever go from rolling to impending slip to dropped, and are added again at most once, so there are at
    /// most four passes per contact.
    pub(crate) fn find_impulse(
        &mut self,
        active: &mut ActiveContacts,
        record: &mut Record,
    ) -> Result<(), Failure> {
        self.classify(active);
        self.readded.clear();
        self.readded.resize(active.len(), false);
        loop {
            // π ← B⁺ w
            let residual = match self.solve(active) {
                Ok(residual) => residual,
                // Redundant contacts have solutions that no single direction shows.
                Err(failure) if !self.remedies.coulomb && !self.equations.redundant() => {
                    return Err(failure);
                }
                Err(failure) => return self.solve_implicit(active, record, failure),
            };
            if self.release(active) || (self.remedies.readd && self.readd(active, record)) {
                continue;
            }
            if self.remedies.coulomb && stands_still(active) {
                let failure = Failure::Standstill { approach: active.speed };
                return self.solve_implicit(active, record, failure);
            }
            record.effort.residual = record.effort.residual.max(residual);
            let jammed = active.contacts.iter().filter(|c| c.mode == ContactMode::Jammed).count();
            record.effort.remedies.jam_advance += u32::try_from(jammed).unwrap_or(u32::MAX);
            return Ok(());
        }
    }

    /// `S ← {k: |v_xy| ≥ v_transition}`, `R` all others.
    pub(crate) fn classify(&self, active: &mut ActiveContacts) {
        (0..active.len()).for_each(|k| self.classify_contact(active, k));
    }

    pub(crate) fn classify_contact(&self, active: &mut ActiveContacts, k: usize) {
        let (mode, direction) = self.stick_slip(active, k);
        let contact = &mut active.contacts[k];
        (contact.mode, contact.direction, contact.jam_impulse) = (mode, direction, 0.0);
    }

    /// Whether a contact slides or rolls, by its velocity alone, and in which direction.
    fn stick_slip(&self, active: &ActiveContacts, k: usize) -> (ContactMode, [f64; 2]) {
        let slip = active.slip(k);
        let speed = length(slip);
        let mu = active.contacts[k].mu;
        if mu == 0.0 {
            (ContactMode::Sliding, [0.0; 2])
        } else if speed >= self.step_length.transition && speed > 0.0 && mu.is_finite() {
            // [UchidaShermanDelp2015] Eq. (2.9), first case
            (ContactMode::Sliding, slip.map(|u| u / speed))
        } else {
            (ContactMode::Rolling, [0.0; 2])
        }
    }

    /// Solves the equations of these states; answers by how much of the speed they are missed \[1\].
    fn solve(&mut self, active: &mut ActiveContacts) -> Result<f64, Failure> {
        let impending = active.contacts.iter().filter(|c| c.mode == ContactMode::Impending).count();
        let missed = if impending > 0 {
            // With the remedy the implicit Coulomb problem is an answer, too, and of many directions at once it is the
            // better first guess: no search all round is needed.
            let search = match self.remedies.coulomb || impending > SEARCHED_DIRECTIONS {
                true => Search::Near,
                false => Search::Everywhere,
            };
            match self.find_directions(search, active) {
                Ok(missed) => missed,
                Err(failure) => self.directions_by_coulomb(active, failure)?,
            }
        } else {
            self.equations.solve(active)
        };
        active.residual(missed)
    }

    /// Directions of impending slip, [UchidaShermanDelp2015] Eq. (2.9), second case; answers the largest speed by which a
    /// linear equation is missed [m/s].
    pub(crate) fn find_directions(
        &mut self,
        search: Search,
        active: &mut ActiveContacts,
    ) -> Result<f64, Failure> {
        self.impending.solve(&mut System { equations: &mut self.equations, active }, search)
    }

    /// Changes the state of the contacts with the largest violation: `R ← R \ p`, else `C ← C \ p`. Says whether there
    /// are any.
    pub(crate) fn release(&mut self, active: &mut ActiveContacts) -> bool {
        self.violations.clear();
        for (contact, p) in active.contacts.iter().zip(active.step.chunks_exact(3)) {
            // [UchidaShermanDelp2015] Eq. (2.5)
            let pull = if contact.phase == Phase::Compressing { -p[0] } else { 0.0 };
            // [UchidaShermanDelp2015] Eq. (2.6)
            let friction = length([p[1], p[2]]);
            let outside = if contact.may_slip() && friction > 0.0 {
                friction - contact.mu * p[0]
            } else {
                0.0
            };
            self.violations.push(pull.max(outside));
        }
        let largest = largest(&active.step);
        let mut worst = self.violations.iter().copied().fold(0.0, f64::max);
        if worst <= CONE * largest {
            // Among violations that count as none, pulls still count.
            let normals = active.step.iter().step_by(3);
            for ((violation, contact), p) in
                self.violations.iter_mut().zip(&active.contacts).zip(normals)
            {
                let pull = if contact.phase == Phase::Compressing { -p } else { 0.0 };
                *violation = if pull > PULL * largest { pull } else { 0.0 };
            }
            worst = self.violations.iter().copied().fold(0.0, f64::max);
            if worst == 0.0 {
                return false;
            }
        }
        for k in 0..active.len() {
            if self.violations[k] < (1.0 - ALIKE) * worst {
                continue;
            }
            if active.contacts[k].may_slip() {
                active.contacts[k].mode = ContactMode::Impending;
                active.contacts[k].direction = impending_slip(active, k);
            } else if active.contacts[k].grips() {
                // It would pull: however rough, it slides, or begins to.
                active.contacts[k].mu = LARGE_FRICTION;
                self.classify_contact(active, k);
                if active.contacts[k].mode == ContactMode::Rolling {
                    active.contacts[k].mode = ContactMode::Impending;
                    active.contacts[k].direction = impending_slip(active, k);
                }
            } else if let Some(impulse) = self.jam_impulse(active, k) {
                active.contacts[k].mode = ContactMode::Jammed;
                active.contacts[k].jam_impulse = impulse;
            } else {
                active.contacts[k].mode = ContactMode::Dropped;
            }
        }
        true
    }
}

/// Whether an interval has no impulse although contacts approach.
fn stands_still(active: &ActiveContacts) -> bool {
    active.step.iter().all(|p| *p == 0.0)
        && active.velocity.iter().step_by(3).any(|u| *u < -CONSISTENT * active.speed)
}

/// A first guess at a direction of impending slip: the one that friction of the rejected rolling opposes.
pub(crate) fn impending_slip(active: &ActiveContacts, k: usize) -> [f64; 2] {
    let friction = [-active.step[3 * k + 1], -active.step[3 * k + 2]];
    let guesses = [friction, active.slip(k), [1.0, 0.0]];
    let guess = guesses.into_iter().find(|guess| length(*guess) > 0.0).unwrap_or([1.0, 0.0]);
    let size = length(guess);
    guess.map(|x| x / size)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::contact_space::ContactSpace;
    use super::super::exact::Debt;
    use super::*;
    use crate::Tolerances;
    use crate::island::Context;
    use crate::outcome::Unobserved;

    const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    pub(crate) fn record<T>(traces: bool, f: impl FnOnce(&mut Record) -> T) -> T {
        let (tolerances, mut observer) = (Tolerances::NOMINAL, Unobserved);
        let mut context = Context { law: "plus", tolerances: &tolerances, observer: &mut observer };
        f(&mut Record::new(traces, (0, 0, u64::MAX), None, &mut context))
    }

    pub(crate) fn intervals(transition: f64, remedies: IntervalRemedies) -> Intervals {
        let turn = [f64::sin(0.1), f64::cos(0.1)];
        let step_length =
            StepLength { transition, turn, shortest: 1e-4, closest_point: true, bend: None };
        let mut intervals = Intervals::new(step_length, false, 100);
        intervals.set_remedies(remedies);
        intervals
    }

    /// Rules as published, with this much patience.
    pub(crate) fn rules(max_rounds: u64) -> RoundRules {
        RoundRules {
            observe: 1e-10,
            zero: 1e-12,
            guard: false,
            stop_observed: false,
            max_rounds,
            together_after: u64::MAX,
            proximity: f64::INFINITY,
        }
    }

    pub(crate) fn run(
        space: &ContactSpace,
        rules: &RoundRules,
        record: &mut Record,
    ) -> (Impact, Result<End, Failure>) {
        let mut impact = Impact::default();
        let intervals = Box::new(intervals(0.1, IntervalRemedies::default()));
        let mut method = RoundMethod::Intervals(intervals);
        let end = impact.run(space, rules, &mut Scratch::default(), &mut method, record);
        (impact, end)
    }

    /// States and impulse of the first interval.
    fn first_interval(transition: f64, active: &mut ActiveContacts) -> Vec<ContactMode> {
        let mut intervals = intervals(transition, IntervalRemedies::default());
        intervals.equations.begin(active);
        record(false, |record| intervals.find_impulse(active, record)).unwrap();
        active.contacts.iter().map(|contact| contact.mode).collect()
    }

    fn close(got: &[f64], wanted: &[f64]) {
        let near = got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near && got.len() == wanted.len(), "{got:?} {wanted:?}");
    }

    /// A ball of 2 kg at 3 m/s with e = ½: 6 N·s of compression, then 3 N·s of expansion.
    #[test]
    fn a_round_of_compression_is_followed_by_poissons_expansion() {
        let space = ContactSpace::normals(&[[f64::sqrt(0.5)]], &[-3.0], &[0.5]);
        record(false, |record| {
            let (impact, end) = run(&space, &rules(10), record);
            assert_eq!(end, Ok(End::Over));
            close(&impact.impulse, &[9.0, 0.0, 0.0]);
            close(&impact.velocity, &[1.5, 0.0, 0.0]);
            assert_eq!(record.effort.rounds, 2);
            close(&[impact.energy.gained], &[2.0 * (0.5 * 1.5 * 1.5 - 0.5 * 9.0)]);
        });
        assert_eq!(record(false, |record| run(&space, &rules(1), record).1), Ok(End::Cut));
    }

    /// W = [[1, −½], [−½, 1]], as a row of three balls: the first blow closes the second contact, whose compression shares
    /// the second round with the expansion of the first.
    #[test]
    fn expansion_and_compression_share_a_round() {
        let l = [[1.0, 0.0], [-0.5, f64::sqrt(0.75)]];
        let space = ContactSpace::normals(&l, &[-1.0, 0.0], &[1.0, 1.0]);
        record(false, |record| {
            let (impact, _) = run(&space, &rules(10), record);
            assert_eq!(record.effort.rounds, 3);
            close(&impact.impulse, &[2.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
            close(&[impact.energy.gained], &[0.0]);
        });
    }

    #[test]
    fn contacts_beyond_the_proximity_observe() {
        let mut space = ContactSpace::normals(&[[1.0]], &[-1.0], &[0.5]);
        space.surfaces[0].gap = 1e-3;
        let near = RoundRules { proximity: 1e-4, ..rules(10) };
        let (impact, end) = record(false, |record| run(&space, &near, record));
        assert_eq!((end, impact.impulse[0]), (Ok(End::Over), 0.0));
    }

    /// W = 1, μ = 1, u = (−1, ½, 0): slip stops after half of the round, and the rest is without friction. The closed form
    /// for one contact, the general equations and the limit agree.
    #[test]
    fn slip_that_stops_goes_on_rolling() {
        let limit = || RoundMethod::Limit(Box::new(Flow::new(Debt::Poisson, 1000)));
        let finite = || {
            let intervals = intervals(0.1, IntervalRemedies::default());
            RoundMethod::Intervals(Box::new(intervals))
        };
        for (traces, mut method) in [(false, finite()), (true, finite()), (false, limit())] {
            let mut active = ActiveContacts::sample(&UNIT, 1.0, &[-1.0, 0.5, 0.0]);
            method.begin(IntervalRemedies::default());
            let groups = std::slice::from_mut(&mut active);
            assert_eq!(record(traces, |record| method.round(groups, record)), Ok(2));
            close(&active.impulse, &[1.0, -0.5, 0.0]);
            close(&active.velocity, &[0.0; 3]);
        }
    }

    /// Slip of 0.2 m/s slides at a transition speed below, and rolls at one above, which takes all of it.
    #[test]
    fn slip_below_the_transition_speed_rolls() {
        let sample = || ActiveContacts::sample(&UNIT, 0.5, &[-1.0, 0.12, 0.16]);
        let mut active = sample();
        assert_eq!(first_interval(0.1, &mut active), [ContactMode::Sliding]);
        close(&active.step, &[1.0, -0.3, -0.4]);
        let mut active = sample();
        assert_eq!(first_interval(0.3, &mut active), [ContactMode::Rolling]);
        close(&active.step, &[1.0, -0.12, -0.16]);
    }

    /// With μ = 0.1 rolling would take 0.2 of 1 N·s: slip impends along (0.6, 0.8), and half of it is left.
    #[test]
    fn rolling_outside_the_cone_is_impending_slip() {
        let mut active = ActiveContacts::sample(&UNIT, 0.1, &[-1.0, 0.12, 0.16]);
        assert_eq!(first_interval(0.3, &mut active), [ContactMode::Impending]);
        close(&active.contacts[0].direction, &[0.6, 0.8]);
        close(&active.step, &[1.0, -0.06, -0.08]);
        close(&active.slip_after(0, 1.0), &[0.06, 0.08]);
    }

    /// W = [[1, 0.9], [0.9, 1]], u = (−1, −0.1): both stopped, the second would pull; the first alone lifts it to 0.8 m/s.
    #[test]
    fn a_contact_that_would_pull_is_dropped() {
        let z = [0.0; 2];
        let l = [[1.0, 0.0], z, z, [0.9, f64::sqrt(0.19)], z, z];
        let mut active = ActiveContacts::sample(&l, 0.0, &[-1.0, 0.0, 0.0, -0.1, 0.0, 0.0]);
        let modes = first_interval(0.1, &mut active);
        assert_eq!(modes, [ContactMode::Sliding, ContactMode::Dropped]);
        close(&active.step, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        close(&[active.velocity_after(3)], &[0.8]);
    }

    #[test]
    fn energy_that_is_no_number_neither_grows_nor_stays() {
        let energy = Energy { gained: f64::NAN, turnover: 1.0 };
        assert!(!energy.has_grown() && !energy.has_not_grown());
    }
}
