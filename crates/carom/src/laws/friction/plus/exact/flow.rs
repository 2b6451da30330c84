//! A round as a flow, from event to event.

use super::super::interval::{Aids, Intervals};
use super::super::journal::{Journal, Trouble};
use super::super::medium::dot;
use super::super::part::{Class, Part};
use super::super::rounds::Advance;
use super::super::step::{Stride, length};
use super::Debt;
use super::rates::{Pace, Rates, Role};
use super::state::{State, length_of};
use super::stretch::MET;
use crate::numerics::orthonormal::Orthonormal;
use crate::outcome::StepLimit;
use carom_ode::Dop853;

/// Slip below this part of the largest speed is none where a stretch begins: what the integration leaves of slip that
/// has stopped is less \[1\].
const STILL: f64 = 1e-11;
/// Contacts of one body may stop and start in turn, ever faster, until all rest: where the way cannot be found,
/// slip below this part of the largest speed is none \[1\].
const CASCADE: f64 = 1e-7;
/// The squared length that is left of a row and counts as nothing \[1\].
const DEPENDENT: f64 = 1e-12;
/// The first step of a round \[1\].
const FIRST_STEP: f64 = 0.1;
/// Events of a round that are always allowed, and how many more per contact \[1\].
const MAX_EVENTS: [u32; 2] = [64, 16];

/// Rounds by a flow in which friction opposes the slip at every instant.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    debt: Debt,
    max_solutions: u64,
    /// Solutions that the journal knows of.
    counted: u64,
    aids: Aids,
    search: Intervals,
    pub(crate) rates: Rates,
    pub(crate) integrator: Dop853,
    /// What an error of the state is measured by.
    pub(crate) scale: Vec<f64>,
    /// The length of the next step.
    pub(crate) step: f64,
    /// A state within a step.
    pub(crate) probe: Vec<f64>,
    /// Whether the present modes were read from impulses that fulfil no equations of modes.
    read: bool,
    /// Rows of slip that has stopped, and what is left of it [m/s].
    still: Vec<(usize, f64)>,
    /// The motion that was taken from all contacts because it was the last of some slip, as `Lᵀ` of an impulse.
    dropped: Vec<f64>,
    rows: Orthonormal,
    /// What the part was like at the start of the round.
    start: Part,
    /// The work that each contact has to return, or nothing where impulses count \[J\].
    pub(crate) work: Vec<f64>,
    /// Impulses at the last event.
    shown: Vec<f64>,
}

impl Flow {
    /// Without remedies, until told otherwise.
    pub(crate) fn new(debt: Debt, max_solutions: u64) -> Self {
        // Slip that is not exactly nothing slides.
        let stride =
            Stride { transition: f64::MIN_POSITIVE, turn: [0.0, 1.0], shortest: 0.0, bend: None };
        Self {
            debt,
            max_solutions,
            counted: 0,
            aids: Aids::default(),
            search: Intervals::new(stride, false, 1),
            rates: Rates::default(),
            integrator: Dop853::default(),
            scale: Vec::new(),
            step: FIRST_STEP,
            probe: Vec::new(),
            read: false,
            still: Vec::new(),
            dropped: Vec::new(),
            rows: Orthonormal::default(),
            start: Part::default(),
            work: Vec::new(),
            shown: Vec::new(),
        }
    }

    /// Begins an attempt with these remedies.
    pub(crate) fn set_out(&mut self, aids: Aids) {
        self.aids = aids;
        // The flow knows jams itself, and which rates the implicit Coulomb problem can tell.
        self.search.set_out(Aids { jam_advance: false, coulomb: false, ..aids });
        self.rates.forget();
    }
}

impl Advance for Flow {
    fn round(&mut self, parts: &mut [Part], journal: &mut Journal) -> Result<u32, Trouble> {
        let mut stretches = 0;
        for part in parts {
            stretches += self.follow(part, journal)?;
        }
        Ok(stretches)
    }

    fn owes(&self, e: f64, impulse: f64, work: f64) -> f64 {
        match self.debt {
            Debt::Poisson => e * impulse,
            Debt::Stronge => e * e * work,
        }
    }
}

impl Flow {
    /// Carries a part from the beginning of its round to its end; answers how many stretches that took.
    fn follow(&mut self, part: &mut Part, journal: &mut Journal) -> Result<u32, Trouble> {
        self.begin(part);
        let stretches = self.stretches(part, journal)?;
        self.finish(part);
        Ok(stretches)
    }

    fn begin(&mut self, part: &mut Part) {
        let n = part.len();
        self.start.clone_from(part);
        if self.debt == Debt::Poisson {
            part.pace.clone_from(&part.owed);
        }
        self.rates.begin(part);
        self.start.pace.clone_from(&part.pace);
        self.work.clear();
        self.work.extend(part.owed.iter().map(|owed| match self.debt {
            Debt::Poisson => 0.0,
            Debt::Stronge => *owed,
        }));
        self.integrator.resize(State::size(n));
        self.integrator.start.fill(0.0);
        self.integrator.start[..3 * n].copy_from_slice(&part.velocity);
        self.scale.clear();
        self.scale.resize(3 * n, part.speed);
        for k in 0..n {
            let own = length_of(part.row(3 * k));
            // Nothing moves a contact that does not yield, and no error of its impulse does either.
            let usual = if own > 0.0 { part.speed / (own * own) } else { f64::MAX };
            self.scale.extend([usual; 3]);
        }
        for k in 0..n {
            self.scale.push((part.speed * self.scale[3 * (n + k)]).min(f64::MAX));
        }
        self.scale.push(1.0);
        self.step = FIRST_STEP;
        self.dropped.clear();
        self.dropped.resize(part.rank, 0.0);
        self.shown.clear();
        self.shown.resize(3 * n, 0.0);
    }

    fn stretches(&mut self, part: &mut Part, journal: &mut Journal) -> Result<u32, Trouble> {
        let most =
            MAX_EVENTS[0] + MAX_EVENTS[1] * u32::try_from(part.len()).unwrap_or(u32::MAX >> 5);
        for count in 1..=most {
            let gone = self.stretch(STILL, part, journal);
            let slow = |k| (STILL..CASCADE).contains(&(length(self.state().slip(k)) / part.speed));
            if gone.is_err() && (0..part.len()).any(slow) {
                self.stretch(CASCADE, part, journal)?;
            } else {
                gone?;
            }
            let over = self.over();
            self.show(part, over, journal);
            if over {
                return Ok(count);
            }
        }
        Err(Trouble::Chatter { events: most, share: self.state().share() })
    }

    /// Goes on to the next event.
    fn stretch(
        &mut self,
        still: f64,
        part: &mut Part,
        journal: &mut Journal,
    ) -> Result<(), Trouble> {
        self.find_modes(still, part, journal)?;
        self.count(journal)?;
        if self.rates.straight(part) {
            self.go_straight(part)
        } else {
            self.go_round(part, journal)
        }
    }

    /// Notes the work that has been done; refuses more than is allowed.
    pub(crate) fn count(&mut self, journal: &mut Journal) -> Result<(), Trouble> {
        let solved = self.rates.solved() + self.search.solved();
        journal.work += solved - self.counted;
        self.counted = solved;
        if journal.work > self.max_solutions {
            return Err(Trouble::Solutions { count: journal.work });
        }
        Ok(())
    }

    pub(crate) fn state(&self) -> State<'_> {
        State { n: self.work.len(), values: &self.integrator.start }
    }

    /// Whether the round has come to its end; where work is still owed, overtime begins.
    fn over(&mut self) -> bool {
        if self.rates.pace == Pace::Jam {
            self.rates.pace = Pace::Round;
        }
        if self.state().share() < 1.0 {
            return false;
        }
        self.rates.pace = Pace::Overtime;
        !(0..self.work.len()).any(|k| self.owes_work(k))
    }

    pub(crate) fn owes_work(&self, k: usize) -> bool {
        self.work[k] > 0.0 && self.state().work(k) < self.work[k] * (1.0 - 2.0 * MET)
    }

    /// Decides what every contact does from here, and at which rates. Slip below a part of the largest speed is none.
    fn find_modes(
        &mut self,
        still: f64,
        part: &mut Part,
        journal: &mut Journal,
    ) -> Result<(), Trouble> {
        self.refresh(still, part);
        self.assign(part, &[]);
        self.rates.measure(part);
        self.read = false;
        let found = self.search.at_instant(part, &mut self.rates.modes, journal);
        let left_out = if found.is_ok() { self.rates.left_out(part) } else { Vec::new() };
        let jams = !left_out.is_empty() && self.jams(&left_out, part, journal);
        if !jams && (found.is_err() || !left_out.is_empty()) {
            // No modes were found, or not the right ones: those that were left out approach.
            let trouble = found.err().unwrap_or(Trouble::LeftOut { contacts: left_out.len() });
            if !self.aids.coulomb {
                return Err(trouble);
            }
            self.search.by_coulomb(part, &mut self.rates.modes, journal).ok_or(trouble)?;
            self.rates.read_modes(part);
            self.read = true;
        }
        self.rates.prepare(part);
        self.rates.find_changes(part);
        Ok(())
    }

    /// Whether contacts that were left out although they approach jam: they are then pushed while the round stands
    /// still, and modes are those that belong to it.
    fn jams(&mut self, left_out: &[usize], part: &mut Part, journal: &mut Journal) -> bool {
        if self.rates.pace != Pace::Round || !self.aids.jam_advance {
            return false;
        }
        self.rates.pace = Pace::Jam;
        self.assign(part, left_out);
        let found = self.search.at_instant(part, &mut self.rates.modes, journal);
        if found.is_ok() && self.rates.jams(part) {
            journal.effort.remedies.jam_advance += 1;
            return true;
        }
        self.rates.pace = Pace::Round;
        self.assign(part, &[]);
        false
    }

    /// Takes the velocities from the impulses, so that those of redundant contacts agree to rounding. Slip that has
    /// stopped is nothing from here on; what is left of it is taken from all contacts, as one motion.
    fn refresh(&mut self, still: f64, part: &mut Part) {
        let n = part.len();
        let mut along = std::mem::take(&mut part.along);
        along.resize(part.rank, 0.0);
        part.along(&self.integrator.start[3 * n..6 * n], &mut along);
        along.iter_mut().zip(&self.dropped).for_each(|(x, left)| *x -= left);
        let velocity = |row: usize| self.start.velocity[row] + dot(part.row(row), &along);
        self.still.clear();
        for k in 0..n {
            let slip = [velocity(3 * k + 1), velocity(3 * k + 2)];
            if part.tangents[k] > 0 && length(slip) <= still * part.speed {
                self.still.extend((1..=part.tangents[k]).map(|c| (3 * k + c, slip[c - 1])));
            }
        }
        if self.still.iter().any(|(_, u)| *u != 0.0) {
            let rows = self.rows.begin(self.still.len(), part.rank);
            for (entries, (row, _)) in rows.chunks_exact_mut(part.rank.max(1)).zip(&self.still) {
                entries.copy_from_slice(part.row(*row));
            }
            self.rows.factor(DEPENDENT);
            let left: Vec<f64> = self.still.iter().map(|(_, u)| *u).collect();
            let mut motion = vec![0.0; part.rank];
            self.rows.least(&left, &mut motion);
            along.iter_mut().zip(&motion).for_each(|(x, left)| *x -= left);
            self.dropped.iter_mut().zip(&motion).for_each(|(x, left)| *x += left);
        }
        for row in 0..3 * n {
            self.integrator.start[row] = self.start.velocity[row] + dot(part.row(row), &along);
        }
        for k in 0..n {
            let slip = &mut self.integrator.start[3 * k + 1..3 * k + 3];
            if length([slip[0], slip[1]]) <= still * part.speed {
                slip.fill(0.0);
            }
        }
        part.along = along;
    }

    /// Gives every contact its role, and the part the velocities that are to be taken away.
    fn assign(&mut self, part: &mut Part, jammed: &[usize]) {
        let n = part.len();
        self.rates.roles.clear();
        for k in 0..n {
            let state = State { n, values: &self.integrator.start };
            let (rest, u) = (1.0 - state.share(), state.velocity(3 * k));
            let in_unison = self.rates.pace == Pace::Round;
            let (role, given) = match self.start.class[k] {
                _ if jammed.contains(&k) => (Role::Gives, self.rates.unit),
                Class::Compressing if in_unison || u <= STILL * part.speed => (Role::Pressed, 0.0),
                Class::Compressing => (Role::Free, 0.0),
                Class::Expanding if self.rates.pace == Pace::Jam => (Role::Free, 0.0),
                Class::Expanding if self.work[k] == 0.0 || self.owes_work(k) => {
                    (Role::Gives, self.start.pace[k])
                }
                Class::Expanding => (Role::Free, 0.0),
            };
            self.rates.roles.push(role);
            part.class[k] =
                if role == Role::Pressed { Class::Compressing } else { Class::Expanding };
            part.owed[k] = given;
            // What gives nothing has no friction either, and need not be asked what it does.
            part.mu[k] = if role == Role::Free { 0.0 } else { self.start.mu[k] };
            let target = |u: f64| if in_unison { u / rest } else { 0.0 };
            part.velocity[3 * k] = target(u);
            let slip = state.slip(k);
            for (c, u) in slip.into_iter().enumerate() {
                part.velocity[3 * k + 1 + c] = if part.mu[k].is_finite() { u } else { target(u) };
            }
        }
    }

    /// Shows the stretch that has just been made.
    fn show(&mut self, part: &mut Part, over: bool, journal: &mut Journal) {
        if !journal.loud {
            return;
        }
        let n = part.len();
        let impulse = &self.integrator.start[3 * n..6 * n];
        for ((step, now), before) in part.step.iter_mut().zip(impulse).zip(&mut self.shown) {
            *step = now - *before;
            *before = *now;
        }
        part.velocity.copy_from_slice(&self.integrator.start[..3 * n]);
        let limit = if over { StepLimit::End } else { StepLimit::Event };
        journal.interval(part, &self.rates.modes.of, self.state().share(), limit);
    }

    /// Leaves the part at the end of its round.
    fn finish(&self, part: &mut Part) {
        let state = self.state();
        part.class.clone_from(&self.start.class);
        part.mu.clone_from(&self.start.mu);
        part.impulse.copy_from_slice(state.impulse());
        part.owed.fill(0.0);
        let mut total = std::mem::take(&mut part.total);
        total.resize(part.rank, 0.0);
        part.along(&part.impulse, &mut total);
        let works = part.impulse.iter().zip(&self.start.velocity).map(|(p, u)| p * u);
        let own = 0.5 * dot(&total, &total);
        part.gained = works.clone().sum::<f64>() + own;
        part.turnover = works.map(f64::abs).sum::<f64>() + own;
        for row in 0..part.velocity.len() {
            part.velocity[row] = self.start.velocity[row] + dot(part.row(row), &total);
        }
        part.total = total;
        for k in 0..part.len() {
            if part.class[k] == Class::Compressing {
                part.taken[k] = part.impulse[3 * k];
                part.stored[k] = (-state.work(k)).max(0.0);
            }
        }
    }
}
