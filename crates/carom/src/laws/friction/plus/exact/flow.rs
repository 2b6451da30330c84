//! A round as a flow, followed from event to event: the stick–slip states at each event are decided here.

use super::super::active::{ActiveContacts, Phase};
use super::super::algorithm::{Energy, Intervals};
use super::super::failure::Failure;
use super::super::record::Record;
use super::super::remedies::IntervalRemedies;
use super::super::step_length::{StepLength, length};
use super::super::tolerances::{
    CASCADE_SLIP, CREEP_MARGIN, DEPENDENT, EVENT_MET, FIRST_STEP, IMPENDING_SLIP, MAX_EVENTS,
    RESTING_SLIP,
};
use super::Debt;
use super::rates::{Clock, Normal, Rates};
use super::state::{State, length_of};
use crate::numerics::dot;
use crate::numerics::orthonormal::Orthonormal;
use crate::outcome::StepLimit;
use carom_ode::Dop853;

/// Rounds by a flow in which friction opposes the slip at every instant.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    pub(crate) debt: Debt,
    max_solutions: u64,
    /// Solutions that the recorder knows of.
    counted: u64,
    /// The part of the budget that it knows of.
    worked: u64,
    remedies: IntervalRemedies,
    search: Intervals,
    pub(crate) rates: Rates,
    /// Slip below this creeps in this round: it ends in unison with the approach, as far as friction can \[1\].
    pub(crate) creeping: f64,
    pub(crate) integrator: Dop853,
    /// What an error of the state is measured by.
    pub(crate) scale: Vec<f64>,
    /// The length of the next step.
    pub(crate) step: f64,
    /// A state within a step.
    pub(crate) probe: Vec<f64>,
    /// Rows of slip that has stopped, and what is left of it [m/s].
    resting: Vec<(usize, f64)>,
    /// The motion that was taken from all contacts because it was the last of some slip, as `Lᵀ` of an impulse.
    removed: Vec<f64>,
    rows: Orthonormal,
    /// The active contacts at the start of the round.
    start: ActiveContacts,
    /// The work that each contact has to return, or zero where impulses count \[J\].
    pub(crate) work: Vec<f64>,
    /// Impulses at the last event, for the trace.
    shown: Vec<f64>,
}

impl Flow {
    /// Without remedies.
    pub(crate) fn new(debt: Debt, max_solutions: u64) -> Self {
        // Slip that is not exactly zero slides.
        let transition = f64::MIN_POSITIVE;
        let step_length = StepLength {
            transition,
            turn: [0.0, 1.0],
            shortest: 0.0,
            closest_point: true,
            bend: None,
        };
        let mut search = Intervals::new(step_length, false, 1);
        search.instant = true;
        Self {
            debt,
            max_solutions,
            counted: 0,
            worked: 0,
            remedies: IntervalRemedies::default(),
            search,
            rates: Rates::default(),
            creeping: 0.0,
            integrator: Dop853::default(),
            scale: Vec::new(),
            step: FIRST_STEP,
            probe: Vec::new(),
            resting: Vec::new(),
            removed: Vec::new(),
            rows: Orthonormal::default(),
            start: ActiveContacts::default(),
            work: Vec::new(),
            shown: Vec::new(),
        }
    }

    pub(crate) fn set_remedies(&mut self, remedies: IntervalRemedies) {
        self.remedies = remedies;
        // The flow has its own treatment of jams and of the implicit Coulomb problem.
        let within = IntervalRemedies { jam_advance: false, coulomb: false, ..remedies };
        self.search.set_remedies(within);
        self.rates.equations.forget();
    }

    /// Carries each group through its round; answers how many segments that took.
    pub(crate) fn round(
        &mut self,
        groups: &mut [ActiveContacts],
        record: &mut Record,
    ) -> Result<u32, Failure> {
        let mut segments = 0;
        for active in groups {
            self.begin(active);
            segments += self.follow(active, record)?;
            self.finish(active);
        }
        Ok(segments)
    }

    /// What a contact owes after a compression of this impulse [N·s] and work \[J\].
    pub(crate) fn owed(&self, e: f64, impulse: f64, work: f64) -> f64 {
        match self.debt {
            Debt::Poisson => e * impulse,
            Debt::Stronge => e * e * work,
        }
    }

    fn begin(&mut self, active: &mut ActiveContacts) {
        let n = active.len();
        if self.debt == Debt::Poisson {
            active.contacts.iter_mut().for_each(|contact| contact.pace = contact.owed);
        }
        self.start.clone_from(active);
        self.rates.begin(active);
        self.creeping = 0.0;
        self.work.clear();
        self.work.extend(active.contacts.iter().map(|contact| match self.debt {
            Debt::Poisson => 0.0,
            Debt::Stronge => contact.owed,
        }));
        self.integrator.resize(State::size(n));
        self.integrator.start.fill(0.0);
        self.integrator.start[..3 * n].copy_from_slice(&active.velocity);
        self.scale.clear();
        self.scale.resize(3 * n, active.speed);
        for k in 0..n {
            let own = length_of(active.row(3 * k));
            // Nothing moves a contact that does not yield, and no error of its impulse does either.
            let usual = if own > 0.0 { active.speed / (own * own) } else { f64::MAX };
            self.scale.extend([usual; 3]);
        }
        for k in 0..n {
            self.scale.push((active.speed * self.scale[3 * (n + k)]).min(f64::MAX));
        }
        self.scale.push(1.0);
        self.step = FIRST_STEP;
        for (values, size) in [(&mut self.removed, active.rank), (&mut self.shown, 3 * n)] {
            values.clear();
            values.resize(size, 0.0);
        }
    }

    /// Goes from event to event to the end of the round; answers how many segments that took.
    fn follow(&mut self, active: &mut ActiveContacts, record: &mut Record) -> Result<u32, Failure> {
        let most =
            MAX_EVENTS[0] + MAX_EVENTS[1] * u32::try_from(active.len()).unwrap_or(u32::MAX >> 5);
        for count in 1..=most {
            let mut resting = RESTING_SLIP;
            while let Err(failure) = self.segment(resting, active, record) {
                let spent = matches!(failure, Failure::Budget { .. } | Failure::Solutions { .. });
                let speed = |k| length(self.state().slip(k)) / active.speed;
                let slow = |k| (RESTING_SLIP..CASCADE_SLIP).contains(&speed(k));
                if let Failure::Creep { slip } = failure {
                    self.creeping = self.creeping.max(CREEP_MARGIN * slip);
                } else if !spent && resting < CASCADE_SLIP && (0..active.len()).any(slow) {
                    resting = CASCADE_SLIP;
                } else {
                    return Err(failure);
                }
                record.effort.remedies.slow_slip += 1;
            }
            let over = self.over();
            self.show(active, over, record);
            if over {
                return Ok(count);
            }
        }
        Err(Failure::Chatter { events: most, share: self.state().share() })
    }

    /// Goes on to the next event.
    fn segment(
        &mut self,
        resting: f64,
        active: &mut ActiveContacts,
        record: &mut Record,
    ) -> Result<(), Failure> {
        self.find_states(resting, active, record)?;
        self.count(record)?;
        if self.rates.straight(active) {
            self.advance_straight(active)
        } else {
            self.advance_curved(active, record)
        }
    }

    /// Records the work done; refuses more than is allowed.
    pub(crate) fn count(&mut self, record: &mut Record) -> Result<(), Failure> {
        let solved = self.rates.equations.solved + self.search.equations.solved;
        record.work += solved - self.counted;
        self.counted = solved;
        let work = self.rates.equations.work + self.search.work();
        record.spend(work - self.worked)?;
        self.worked = work;
        if record.work > self.max_solutions {
            return Err(Failure::Solutions { count: record.work });
        }
        Ok(())
    }

    pub(crate) fn state(&self) -> State<'_> {
        State { n: self.work.len(), values: &self.integrator.start }
    }

    /// Whether the round has come to its end; where work is still owed, overtime begins.
    fn over(&mut self) -> bool {
        if self.rates.clock == Clock::Jam {
            self.rates.clock = Clock::Round;
        }
        if self.state().share() < 1.0 {
            return false;
        }
        self.rates.clock = Clock::Overtime;
        !(0..self.work.len()).any(|k| self.owes_work(k))
    }

    pub(crate) fn owes_work(&self, k: usize) -> bool {
        self.work[k] > 0.0 && self.state().work(k) < self.work[k] * (1.0 - 2.0 * EVENT_MET)
    }

    /// Decides the state of every contact from here on, and its rates. Slip below `resting` of the largest speed is none.
    fn find_states(
        &mut self,
        resting: f64,
        active: &mut ActiveContacts,
        record: &mut Record,
    ) -> Result<(), Failure> {
        self.refresh(resting, active);
        active.lasts = match self.rates.clock {
            Clock::Round => 1.0 - self.state().share(),
            Clock::Overtime | Clock::Jam => 1.0,
        };
        // Twice as fast, lest the same states be found again.
        self.rates.impending_slip = IMPENDING_SLIP.max(2.0 * self.creeping);
        let rest = if self.rates.clock == Clock::Round { active.lasts } else { 1.0 };
        self.search.step_length.transition =
            (self.creeping * active.speed / rest).max(f64::MIN_POSITIVE);
        self.assign(active, &[]);
        self.rates.measure(active);
        let found = self.at_instant(active, record);
        let begins = self.rates.clock == Clock::Round && self.state().share() == 0.0;
        let left_out = if found.is_ok() { self.rates.left_out(active, begins) } else { Vec::new() };
        let jams = !left_out.is_empty() && self.jams(&left_out, active, record);
        if !jams && (found.is_err() || !left_out.is_empty()) {
            // No states were found, or not the right ones: dropped contacts approach.
            let failure = found.err().unwrap_or(Failure::LeftOut { contacts: left_out.len() });
            if !self.remedies.coulomb {
                return Err(failure);
            }
            self.search.rates_by_coulomb(active, record).ok_or(failure)?;
            self.rates.read_modes(active);
        }
        self.rates.prepare(active);
        self.rates.find_changes(active);
        Ok(())
    }

    /// Finds the states at an instant by Algorithm 1: velocities stand for the rates at which they are to be taken away,
    /// and impulses for rates of impulse.
    fn at_instant(
        &mut self,
        active: &mut ActiveContacts,
        record: &mut Record,
    ) -> Result<(), Failure> {
        self.search.equations.begin(active);
        let left = record.budget.saturating_sub(record.spent);
        self.search.equations.most_work = self.search.equations.work.saturating_add(left);
        self.search.find_impulse(active, record)?;
        for (start, contact) in self.start.contacts.iter_mut().zip(&active.contacts) {
            // One that cannot roll slides to the end of the impact, however rough it is.
            if start.mu == f64::INFINITY && contact.mu > 0.0 {
                start.mu = contact.mu;
            }
        }
        if self.search.equations.redundant() {
            record.effort.impulse_unique = Some(false);
        }
        Ok(())
    }

    /// Whether contacts that were left out although they approach jam: they are then pushed while the round stands
    /// still, and states are those that belong to it.
    fn jams(
        &mut self,
        left_out: &[usize],
        active: &mut ActiveContacts,
        record: &mut Record,
    ) -> bool {
        if self.rates.clock != Clock::Round || !self.remedies.jam_advance {
            return false;
        }
        self.rates.clock = Clock::Jam;
        self.assign(active, left_out);
        if self.at_instant(active, record).is_ok() && self.rates.jams(active) {
            record.effort.remedies.jam_advance += 1;
            return true;
        }
        self.rates.clock = Clock::Round;
        self.assign(active, &[]);
        false
    }

    /// Takes the velocities from the impulses, so that those of redundant contacts agree to rounding. Slip that has
    /// stopped is zero from here on; what is left of it is taken from all contacts, as one motion.
    fn refresh(&mut self, resting: f64, active: &mut ActiveContacts) {
        let n = active.len();
        let mut along = std::mem::take(&mut active.along);
        along.resize(active.rank, 0.0);
        active.transposed_times(&self.integrator.start[3 * n..6 * n], &mut along);
        along.iter_mut().zip(&self.removed).for_each(|(x, left)| *x -= left);
        let velocity = |row: usize| self.start.velocity[row] + dot(active.row(row), &along);
        self.resting.clear();
        for (k, contact) in active.contacts.iter().enumerate() {
            let slip = [velocity(3 * k + 1), velocity(3 * k + 2)];
            if contact.tangents > 0 && length(slip) <= resting * active.speed {
                self.resting.extend((1..=contact.tangents).map(|c| (3 * k + c, slip[c - 1])));
            }
        }
        if self.resting.iter().any(|(_, u)| *u != 0.0) {
            let rows = self.rows.begin(self.resting.len(), active.rank);
            for (entries, (row, _)) in rows.chunks_exact_mut(active.rank.max(1)).zip(&self.resting)
            {
                entries.copy_from_slice(active.row(*row));
            }
            self.rows.factor(DEPENDENT);
            let left: Vec<f64> = self.resting.iter().map(|(_, u)| *u).collect();
            let mut motion = vec![0.0; active.rank];
            self.rows.least(&left, &mut motion);
            along.iter_mut().zip(&motion).for_each(|(x, left)| *x -= left);
            self.removed.iter_mut().zip(&motion).for_each(|(x, left)| *x += left);
        }
        for row in 0..3 * n {
            self.integrator.start[row] = self.start.velocity[row] + dot(active.row(row), &along);
        }
        for k in 0..n {
            let slip = &mut self.integrator.start[3 * k + 1..3 * k + 3];
            if length([slip[0], slip[1]]) <= resting * active.speed {
                slip.fill(0.0);
            }
        }
        active.along = along;
    }

    /// Decides what is prescribed along every normal, and which velocities are to be taken away.
    fn assign(&mut self, active: &mut ActiveContacts, jammed: &[usize]) {
        let state = State { n: active.len(), values: &self.integrator.start };
        let rest = 1.0 - state.share();
        let in_unison = self.rates.clock == Clock::Round;
        let target = |u: f64| if in_unison { u / rest } else { 0.0 };
        self.rates.normals.clear();
        for (k, start) in self.start.contacts.iter().enumerate() {
            let u = state.velocity(3 * k);
            let (normal, given) = match start.phase {
                _ if jammed.contains(&k) => (Normal::Prescribed, self.rates.unit),
                Phase::Compressing if in_unison || u <= RESTING_SLIP * active.speed => {
                    (Normal::Compressed, 0.0)
                }
                Phase::Compressing => (Normal::Free, 0.0),
                Phase::Expanding if self.rates.clock == Clock::Jam => (Normal::Free, 0.0),
                Phase::Expanding if self.work[k] == 0.0 || self.owes_work(k) => {
                    (Normal::Prescribed, start.pace)
                }
                Phase::Expanding => (Normal::Free, 0.0),
            };
            self.rates.normals.push(normal);
            let contact = &mut active.contacts[k];
            let compressed = normal == Normal::Compressed;
            contact.phase = if compressed { Phase::Compressing } else { Phase::Expanding };
            contact.owed = given;
            // Without a normal impulse there is no friction.
            contact.mu = if normal == Normal::Free { 0.0 } else { start.mu };
            let slow = length(state.slip(k)) < self.creeping * active.speed;
            let slip =
                state.slip(k).map(|u| if contact.mu.is_finite() && !slow { u } else { target(u) });
            active.velocity[3 * k..3 * k + 3].copy_from_slice(&[target(u), slip[0], slip[1]]);
        }
    }

    /// Shows the segment just made.
    fn show(&mut self, active: &mut ActiveContacts, over: bool, record: &mut Record) {
        if !record.traces {
            return;
        }
        let n = active.len();
        let impulse = &self.integrator.start[3 * n..6 * n];
        for ((step, now), before) in active.step.iter_mut().zip(impulse).zip(&mut self.shown) {
            *step = now - *before;
            *before = *now;
        }
        active.velocity.copy_from_slice(&self.integrator.start[..3 * n]);
        let limit = if over { StepLimit::End } else { StepLimit::Event };
        record.interval(active, self.state().share(), limit);
    }

    /// Leaves the contacts at the end of their round.
    fn finish(&self, active: &mut ActiveContacts) {
        let state = self.state();
        active.impulse.copy_from_slice(state.impulse());
        let mut total = std::mem::take(&mut active.total);
        total.resize(active.rank, 0.0);
        active.transposed_times(&active.impulse, &mut total);
        let works = active.impulse.iter().zip(&self.start.velocity).map(|(p, u)| p * u);
        let own = 0.5 * dot(&total, &total);
        active.energy = Energy {
            gained: works.clone().sum::<f64>() + own,
            turnover: works.map(f64::abs).sum::<f64>() + own,
        };
        for row in 0..active.velocity.len() {
            active.velocity[row] = self.start.velocity[row] + dot(active.row(row), &total);
        }
        active.total = total;
        active.lasts = 1.0;
        for (k, (contact, start)) in
            active.contacts.iter_mut().zip(&self.start.contacts).enumerate()
        {
            (contact.phase, contact.mu, contact.owed) = (start.phase, start.mu, 0.0);
            if contact.phase == Phase::Compressing {
                contact.compression_impulse = active.impulse[3 * k];
                contact.compression_work = (-state.work(k)).max(0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::algorithm::tests::{record, rules};
    use super::super::super::algorithm::{End, Impact, RoundMethod, Scratch};
    use super::super::super::contact_space::ContactSpace;
    use super::{Debt, Flow};

    /// A ball of 2 kg at 3 m/s with e = ½: compression takes 6 N·s and 9 J, of which 2.25 J are returned by 3 N·s.
    #[test]
    fn impulse_and_work_are_returned_alike_without_friction() {
        let space = ContactSpace::normals(&[[f64::sqrt(0.5)]], &[-3.0], &[0.5]);
        for debt in [Debt::Poisson, Debt::Stronge] {
            let mut method = RoundMethod::Limit(Box::new(Flow::new(debt, 1000)));
            let (mut impact, mut scratch) = (Impact::default(), Scratch::default());
            record(false, |record| {
                let end = impact.run(&space, &rules(10), &mut scratch, &mut method, record);
                assert_eq!((end, record.effort.rounds), (Ok(End::Over), 2));
            });
            let off = [impact.impulse[0] - 9.0, impact.velocity[0] - 1.5];
            assert!(off.iter().all(|x| x.abs() < 1e-12), "{debt:?}: {off:?}");
        }
    }
}
