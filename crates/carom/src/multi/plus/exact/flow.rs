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
use crate::multi::solve::integrator::Integrator;
use crate::multi::solve::orthonormal::Orthonormal;
use crate::outcome::StepLimit;

/// The error that one step may make in velocities, relative to the largest, and in impulses, relative to what stops
/// that speed \[1\].
const STEP_ERROR: f64 = 1e-14;
/// An event is met when its margin is below this \[1\].
const MET: f64 = 1e-13;
/// Slip below this part of the largest speed is none where a stretch begins: what the integration leaves of slip that
/// has stopped is less \[1\].
const STILL: f64 = 1e-11;
/// Contacts of one body may stop and start in turn, ever faster, until all rest: where the way cannot be found,
/// slip below this part of the largest speed is none \[1\].
const CASCADE: f64 = 1e-7;
/// The squared length that is left of a row and counts as nothing \[1\].
const DEPENDENT: f64 = 1e-12;
/// Steps never shrink below this: something is not smooth where it should be \[1\].
const LEAST_STEP: f64 = 1e-13;
/// The first step of a round \[1\].
const FIRST_STEP: f64 = 0.1;
/// Events of a round that are always allowed, and how many more per contact \[1\].
const MAX_EVENTS: [u32; 2] = [64, 16];

/// Rounds by a flow in which friction opposes the slip at every instant.
#[derive(Clone, Debug)]
pub(in crate::multi::plus) struct Flow {
    debt: Debt,
    max_steps: u32,
    search: Intervals,
    rates: Rates,
    integrator: Integrator,
    /// What an error of the state is measured by.
    scale: Vec<f64>,
    /// The length of the next step.
    step: f64,
    steps: u32,
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
    work: Vec<f64>,
    /// Impulses at the last event.
    shown: Vec<f64>,
}

impl Flow {
    pub(super) fn new(debt: Debt, max_steps: u32, aids: Aids) -> Self {
        // Slip that is not exactly nothing slides.
        let stride = Stride { transition: f64::MIN_POSITIVE, turn: [0.0, 1.0], shortest: 0.0 };
        Self {
            debt,
            max_steps,
            search: Intervals::new(stride, false, 1, aids),
            rates: Rates::default(),
            integrator: Integrator::default(),
            scale: Vec::new(),
            step: FIRST_STEP,
            steps: 0,
            read: false,
            still: Vec::new(),
            dropped: Vec::new(),
            rows: Orthonormal::default(),
            start: Part::default(),
            work: Vec::new(),
            shown: Vec::new(),
        }
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
        self.rates.begin();
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
        self.steps = 0;
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
        if self.rates.straight(part) { self.go_straight(part) } else { self.go_round(part) }
    }

    fn state(&self) -> State<'_> {
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

    fn owes_work(&self, k: usize) -> bool {
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
        self.read = self.search.at_instant(part, &mut self.rates.modes, journal)?;
        let left_out = self.rates.left_out(part);
        if !left_out.is_empty() && !self.read {
            self.press(&left_out, part, journal)?;
        }
        if self.read {
            self.rates.read_modes(part);
        }
        self.rates.prepare(part);
        self.rates.find_changes(part);
        Ok(())
    }

    /// Contacts approach although they were left out. Either they jam, and are pushed until they do no more; or the
    /// search for modes has missed the right ones, which the implicit Coulomb problem may know.
    fn press(
        &mut self,
        left_out: &[usize],
        part: &mut Part,
        journal: &mut Journal,
    ) -> Result<(), Trouble> {
        if self.rates.pace == Pace::Round {
            self.rates.pace = Pace::Jam;
            self.assign(part, left_out);
            let found = self.search.at_instant(part, &mut self.rates.modes, journal);
            if found == Ok(false) && self.rates.jams(part) {
                journal.effort.remedies.jam_advance += 1;
                return Ok(());
            }
            self.rates.pace = Pace::Round;
            self.assign(part, &[]);
        }
        self.search.by_coulomb(part, &mut self.rates.modes, journal)?;
        self.read = true;
        Ok(())
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

    /// Goes on at constant rates to the next event.
    fn go_straight(&mut self, part: &Part) -> Result<(), Trouble> {
        let n = part.len();
        let state = self.state();
        let rest = 1.0 - state.share();
        let mut length_left = if self.rates.pace == Pace::Round { rest } else { f64::INFINITY };
        let to_end = length_left;
        for k in 0..n {
            if self.rates.slides(part, k) {
                let [x, y] = self.rates.modes.slip[k];
                let along = x * self.rates.change[3 * k + 1] + y * self.rates.change[3 * k + 2];
                if along < 0.0 {
                    length_left = length_left.min(length(state.slip(k)) / -along);
                }
            }
            if self.rates.roles[k] == Role::Gives && self.owes_work(k) {
                let (u, change) = (state.velocity(3 * k), self.rates.change[3 * k]);
                let missing = (self.work[k] - state.work(k)) / part.step[3 * k];
                length_left = length_left.min(until_worked(u, change, missing));
            }
        }
        if !length_left.is_finite() {
            return Err(Trouble::Endless { share: state.share() });
        }
        let share = if length_left == to_end { 1.0 } else { state.share() + length_left };
        let in_unison = self.rates.pace == Pace::Round;
        let values = &mut self.integrator.start;
        for k in 0..n {
            let mean = values[3 * k] + 0.5 * length_left * self.rates.change[3 * k];
            values[6 * n + k] += length_left * part.step[3 * k] * mean;
        }
        for i in 0..3 * n {
            values[i] += length_left * self.rates.change[i];
            values[3 * n + i] += length_left * part.step[i];
        }
        if in_unison {
            values[7 * n] = share;
        }
        Ok(())
    }

    /// Follows slip that turns to the next event; from where it turns no more, straight on.
    fn go_round(&mut self, part: &mut Part) -> Result<(), Trouble> {
        let n = part.len();
        let rates = &mut self.rates;
        self.integrator.begin(|state, slope| rates.slope(part, state, slope));
        let mut before = self.margin(part, false);
        if !(before >= 0.0) {
            // Redundant contacts share what no smallest impulse can give them.
            return Err(Trouble::NoDirection { residual: -before });
        }
        loop {
            let h = self.try_steps(part)?;
            let after = self.margin(part, true);
            // Not beyond the event, and no other number.
            if !(after >= 0.0) {
                self.locate(part, h, [before, after]);
                self.integrator.accept();
                let share = &mut self.integrator.start[7 * n];
                if 1.0 - *share <= MET {
                    *share = 1.0;
                }
                return Ok(());
            }
            self.integrator.accept();
            before = after;
            if self.rates.straight(part) {
                return self.go_straight(part);
            }
        }
    }

    /// Tries steps until one is exact enough, and answers its length.
    fn try_steps(&mut self, part: &mut Part) -> Result<f64, Trouble> {
        let mut h = self.step;
        loop {
            self.steps += 1;
            if self.steps > self.max_steps {
                return Err(Trouble::Steps { steps: self.max_steps, share: self.state().share() });
            }
            self.try_step(part, h);
            let error = self.integrator.error(h, &self.scale) / STEP_ERROR;
            let sound = self.integrator.end.iter().all(|x| x.is_finite());
            // The eighth root, three square roots.
            let root = libm::sqrt(libm::sqrt(libm::sqrt(error)));
            let factor = if root > 0.0 { (0.9 / root).clamp(0.1, 6.0) } else { 6.0 };
            if sound && error <= 1.0 {
                self.step = h * factor;
                return Ok(h);
            }
            h *= if sound { factor } else { 0.1 };
            if h < LEAST_STEP {
                let share = self.state().share();
                let trouble = self.rates.trouble.take();
                return Err(trouble.unwrap_or(Trouble::Steps { steps: self.steps, share }));
            }
        }
    }

    fn try_step(&mut self, part: &mut Part, h: f64) {
        let rates = &mut self.rates;
        self.integrator.step(h, |state, slope| rates.slope(part, state, slope));
    }

    fn margin(&self, part: &Part, end: bool) -> f64 {
        let values = if end { &self.integrator.end } else { &self.integrator.start };
        self.rates.margin(part, &State { n: part.len(), values }, &self.work)
    }

    /// Repeats a step of at most length `h` up to its event: the Illinois variant of regula falsi.
    fn locate(&mut self, part: &mut Part, h: f64, [mut f_low, mut f_high]: [f64; 2]) {
        let (mut low, mut high) = (0.0, h);
        let mut side = 0;
        loop {
            let falsi = high - f_high * (high - low) / (f_high - f_low);
            let middle = if falsi > low && falsi < high { falsi } else { 0.5 * (low + high) };
            if f_low <= 0.0 || middle <= low || middle >= high || high - low <= f64::EPSILON * h {
                self.try_step(part, high);
                return;
            }
            self.try_step(part, middle);
            let f = self.margin(part, true);
            if f.abs() <= MET {
                return;
            }
            if f > 0.0 {
                (low, f_low) = (middle, f);
                f_high *= if side == 1 { 0.5 } else { 1.0 };
                side = 1;
            } else {
                (high, f_high) = (middle, f);
                f_low *= if side == -1 { 0.5 } else { 1.0 };
                side = -1;
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

/// How long it takes until a normal velocity that changes at a constant rate has done so much work per rate of impulse.
fn until_worked(u: f64, change: f64, missing: f64) -> f64 {
    // u x + ½ change x² = missing, in the form that does not cancel.
    let root = u * u + 2.0 * change * missing;
    if root < 0.0 {
        return f64::INFINITY;
    }
    let below = u + libm::sqrt(root);
    if below > 0.0 { 2.0 * missing / below } else { f64::INFINITY }
}
