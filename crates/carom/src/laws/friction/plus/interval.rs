//! The inner loop: what every contact does until friction has to turn.

use super::alone;
use super::coulomb::Coulomb;
use super::equations::{Equations, Modes, System};
use super::impending::{Impending, Near};
use super::journal::{Journal, Trouble};
use super::medium::dot;
use super::part::{Class, Part};
use super::rounds::Advance;
use super::step::{Stride, length};
use crate::outcome::{ContactMode, StepLimit};

/// Impulses outside their cones by less than this part of the largest are inside \[1\].
const CONE: f64 = 1e-10;
/// Pulls of less than this part of the largest impulse are none: light bodies feel little \[1\].
const PULL: f64 = 1e-13;
/// Contacts that violate their conditions alike, to within this part, change together: symmetry is kept \[1\].
const ALIKE: f64 = 1e-6;
/// Equations missed by more than this part of the speed contradict each other \[1\].
const CONSISTENT: f64 = 1e-8;

/// A contact jams if its normal response is less than this part of what it is without friction \[1\].
const JAM: f64 = 1e-9;

/// Intervals of an impact that may be solved as implicit Coulomb problems; more is chatter \[1\].
const MAX_COULOMB: u32 = 300;

/// Solutions of equations in all rounds of an impact, in terms of the most intervals that one round may have \[1\].
const MOST_WORK: u64 = 2;

/// What is done where an interval of the published algorithm fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Aids {
    pub(crate) jam_advance: bool,
    pub(crate) coulomb: bool,
    pub(crate) readd: bool,
}

impl Aids {
    pub(crate) const ALL: Self = Self { jam_advance: true, coulomb: true, readd: true };
}

/// Rounds by intervals of finite length.
#[derive(Clone, Debug)]
pub(crate) struct Intervals {
    pub(crate) stride: Stride,
    /// Whether friction takes the direction that slip has in the middle of an interval.
    pub(crate) midpoint: bool,
    pub(crate) max_intervals: u32,
    pub(crate) aids: Aids,
    /// Whether instants are meant: whoever asks for them knows the implicit Coulomb problem, too.
    instant: bool,
    equations: Equations,
    impending: Impending,
    modes: Vec<Modes>,
    coulomb: Coulomb,
    violations: Vec<f64>,
    /// Contacts that were taken in again in this interval.
    returned: Vec<bool>,
}

impl Intervals {
    /// Without remedies, until told otherwise.
    pub(crate) fn new(stride: Stride, midpoint: bool, max_intervals: u32) -> Self {
        Self {
            stride,
            midpoint,
            max_intervals,
            aids: Aids::default(),
            instant: false,
            equations: Equations::default(),
            impending: Impending::default(),
            modes: Vec::new(),
            coulomb: Coulomb::default(),
            violations: Vec::new(),
            returned: Vec::new(),
        }
    }
}

impl Advance for Intervals {
    fn round(&mut self, parts: &mut [Part], journal: &mut Journal) -> Result<u32, Trouble> {
        let mut modes = std::mem::take(&mut self.modes);
        if modes.len() < parts.len() {
            modes.resize_with(parts.len(), Modes::default);
        }
        let count = self.intervals(parts, &mut modes, journal);
        self.modes = modes;
        count
    }

    /// Poisson: a part of the compression impulse.
    fn owes(&self, e: f64, impulse: f64, _work: f64) -> f64 {
        e * impulse
    }
}

impl Intervals {
    /// Begins an attempt with these remedies.
    pub(crate) fn set_out(&mut self, aids: Aids) {
        self.aids = aids;
        self.equations.forget();
    }

    /// How often equations have been solved.
    pub(crate) fn solved(&self) -> u64 {
        self.equations.solved
    }

    /// Finds what every contact does at an instant: velocities stand for the rates at which they are to be taken away,
    /// and impulses for rates of impulse.
    pub(crate) fn at_instant(
        &mut self,
        part: &mut Part,
        modes: &mut Modes,
        journal: &mut Journal,
    ) -> Result<(), Trouble> {
        self.instant = true;
        self.equations.begin(part);
        self.find_modes(part, modes, journal)?;
        if self.equations.redundant() {
            journal.effort.impulse_unique = Some(false);
        }
        Ok(())
    }

    /// The same by the implicit Coulomb problem, if it has a solution: what contacts do is to be read from it.
    pub(crate) fn by_coulomb(
        &mut self,
        part: &mut Part,
        modes: &mut Modes,
        journal: &mut Journal,
    ) -> Option<()> {
        self.begin(part, modes);
        let residual = self.coulomb.interval(part, modes)?;
        journal.effort.remedies.coulomb += 1;
        journal.effort.residual = journal.effort.residual.max(residual);
        Some(())
    }

    fn intervals(
        &mut self,
        parts: &mut [Part],
        modes: &mut [Modes],
        journal: &mut Journal,
    ) -> Result<u32, Trouble> {
        let mut before = 0;
        if let [part] = parts
            && part.len() == 1
            && !self.midpoint
            && !journal.loud
        {
            let (count, over) = alone::slide(part, &self.stride, self.max_intervals);
            if over {
                return Ok(count);
            }
            before = count;
        }
        for count in before + 1..=self.max_intervals {
            let known = self.equations.solved;
            let mut shortest = (1.0, StepLimit::End);
            let several = parts.len() > 1;
            for (part, modes) in parts.iter_mut().zip(modes.iter_mut()) {
                if several || count == before + 1 {
                    self.equations.begin(part);
                }
                self.find_modes(part, modes, journal)?;
                let own = self.stride.length(part, &modes.of);
                if own.0 < shortest.0 {
                    shortest = own;
                }
                if self.equations.redundant() {
                    journal.effort.impulse_unique = Some(false);
                }
            }
            // Every part of every round has one; more is turning slip, or chatter.
            let first = if count == 1 { parts.len() as u64 } else { 0 };
            journal.work += (self.equations.solved - known).saturating_sub(first);
            if journal.work > MOST_WORK * u64::from(self.max_intervals) {
                return Err(Trouble::Solutions { count: journal.work });
            }
            for (part, modes) in parts.iter_mut().zip(modes.iter_mut()) {
                if self.midpoint {
                    self.turn_halfway(part, modes, shortest.0);
                }
                part.advance(shortest.0);
                journal.interval(part, &modes.of, shortest.0, shortest.1);
            }
            if shortest.0 >= 1.0 {
                return Ok(count);
            }
        }
        Err(Trouble::Intervals { count: self.max_intervals })
    }

    /// Finds what every contact does and the impulse that belongs to it, to the end of the round.
    ///
    /// [UchidaShermanDelp2015] Algorithm 1. Contacts only ever go from rolling to impending slip to nothing, and come
    /// back at most once, so there are at most four passes per contact.
    fn find_modes(
        &mut self,
        part: &mut Part,
        modes: &mut Modes,
        journal: &mut Journal,
    ) -> Result<(), Trouble> {
        self.begin(part, modes);
        self.returned.clear();
        self.returned.resize(part.len(), false);
        loop {
            let residual = match self.solve(part, modes) {
                Ok(residual) => residual,
                // Redundant contacts have solutions that no single direction shows.
                Err(trouble) if !self.aids.coulomb && !self.equations.redundant() => {
                    return Err(trouble);
                }
                Err(trouble) => return self.implicit(part, modes, journal, trouble),
            };
            if self.release(part, modes)
                || (self.aids.readd && self.take_back(part, modes, journal))
            {
                continue;
            }
            let stands = self.aids.coulomb && part.step.iter().all(|p| *p == 0.0);
            if stands && part.velocity.iter().step_by(3).any(|u| *u < -CONSISTENT * part.speed) {
                let trouble = Trouble::Standstill { approach: part.speed };
                return self.implicit(part, modes, journal, trouble);
            }
            journal.effort.residual = journal.effort.residual.max(residual);
            let jammed = modes.of.iter().filter(|mode| **mode == ContactMode::Jammed).count();
            journal.effort.remedies.jam_advance += u32::try_from(jammed).unwrap_or(u32::MAX);
            return Ok(());
        }
    }

    /// Solves an interval that has no modes as an implicit Coulomb problem: contacts that slide keep their direction, or
    /// if that has no solution find it as the others do, all that is left of the round at once.
    fn implicit(
        &mut self,
        part: &mut Part,
        modes: &mut Modes,
        journal: &mut Journal,
        trouble: Trouble,
    ) -> Result<(), Trouble> {
        let count = journal.effort.remedies.coulomb;
        if count >= MAX_COULOMB {
            return Err(Trouble::Intervals { count });
        }
        for k in 0..part.len() {
            if modes.of[k] != ContactMode::Jammed {
                (modes.of[k], modes.slip[k]) = self.mode(part, k);
            }
        }
        let residual = match self.coulomb.interval(part, modes) {
            Some(residual) => residual,
            None if !self.aids.coulomb => return Err(trouble),
            None => {
                // Nobody limits the length of this step.
                modes.of.fill(ContactMode::Rolling);
                self.coulomb.rest_of_round(part).ok_or(trouble)?
            }
        };
        journal.effort.remedies.coulomb += 1;
        journal.effort.residual = journal.effort.residual.max(residual);
        Ok(())
    }

    /// Solves the equations of these modes; answers by how much of the speed they are missed \[1\].
    fn solve(&mut self, part: &mut Part, modes: &mut Modes) -> Result<f64, Trouble> {
        let missed = if modes.of.contains(&ContactMode::Impending) {
            self.find_directions(part, modes)?
        } else {
            self.equations.solve(part, modes)
        };
        // Written so that nothing that is not a number passes.
        let residual = missed / part.speed;
        if residual <= CONSISTENT || missed <= part.rounding(&part.step) {
            Ok(residual)
        } else {
            Err(Trouble::Contradiction { residual })
        }
    }

    /// Finds the directions of impending slip; answers the largest speed by which a linear equation is missed [m/s].
    fn find_directions(&mut self, part: &mut Part, modes: &mut Modes) -> Result<f64, Trouble> {
        // With remedies the implicit Coulomb problem is an answer, too: no need to look for one everywhere.
        let near = if self.aids.coulomb { Near::Guess } else { Near::Anything };
        let found = self.directions(near, part, modes);
        // Otherwise it may know where there is a root that no start leads to.
        if found.is_ok() || self.instant || self.coulomb.interval(part, modes).is_none() {
            return found;
        }
        for k in (0..part.len()).filter(|&k| modes.of[k] == ContactMode::Impending) {
            let end = part.slip_after(k, 1.0);
            let speed = length(end);
            let slips = speed > CONSISTENT * part.speed;
            modes.slip[k] = if slips { end.map(|u| u / speed) } else { impending_slip(part, k) };
        }
        self.directions(Near::Guess, part, modes).or(found)
    }

    fn directions(
        &mut self,
        near: Near,
        part: &mut Part,
        modes: &mut Modes,
    ) -> Result<f64, Trouble> {
        self.impending.solve(&mut System { equations: &mut self.equations, part, modes }, near)
    }

    /// Takes contacts in again that were left out and would approach at the end of the step.
    fn take_back(&mut self, part: &Part, modes: &mut Modes, journal: &mut Journal) -> bool {
        let mut any = false;
        for k in 0..part.len() {
            let after = part.velocity[3 * k] + dot(part.row(3 * k), &part.along);
            if modes.of[k] == ContactMode::Dropped
                && !self.returned[k]
                && after < -CONSISTENT * part.speed
            {
                (modes.of[k], modes.slip[k]) = self.mode(part, k);
                self.returned[k] = true;
                any = true;
                journal.effort.remedies.readd += 1;
            }
        }
        any
    }

    /// Who slides and who does not, by the velocities there are.
    fn begin(&self, part: &Part, modes: &mut Modes) {
        modes.of.clear();
        modes.slip.clear();
        modes.jam.clear();
        modes.jam.resize(part.len(), 0.0);
        for k in 0..part.len() {
            let (mode, slip) = self.mode(part, k);
            modes.of.push(mode);
            modes.slip.push(slip);
        }
    }

    fn mode(&self, part: &Part, k: usize) -> (ContactMode, [f64; 2]) {
        let slip = part.slip(k);
        let speed = length(slip);
        if part.mu[k] == 0.0 {
            (ContactMode::Sliding, [0.0; 2])
        } else if speed >= self.stride.transition && speed > 0.0 && part.mu[k].is_finite() {
            (ContactMode::Sliding, slip.map(|u| u / speed))
        } else {
            (ContactMode::Rolling, [0.0; 2])
        }
    }

    /// Changes what those contacts do that violate their conditions most. Says whether there are any.
    fn release(&mut self, part: &Part, modes: &mut Modes) -> bool {
        self.violations.clear();
        for (k, mode) in modes.of.iter().enumerate() {
            let p = &part.step[3 * k..3 * k + 3];
            let pull = if part.class[k] == Class::Compressing { -p[0] } else { 0.0 };
            let outside = if *mode == ContactMode::Rolling && part.mu[k] > 0.0 {
                let friction = length([p[1], p[2]]);
                // Infinite friction times nothing is nothing.
                if friction > 0.0 && part.mu[k].is_finite() {
                    friction - part.mu[k] * p[0]
                } else {
                    0.0
                }
            } else {
                0.0
            };
            self.violations.push(pull.max(outside));
        }
        let largest = part.step.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        let mut worst = self.violations.iter().copied().fold(0.0, f64::max);
        if worst <= CONE * largest {
            // Among what counts as none, pulls still count.
            for (k, violation) in self.violations.iter_mut().enumerate() {
                let pull =
                    if part.class[k] == Class::Compressing { -part.step[3 * k] } else { 0.0 };
                *violation = if pull > PULL * largest { pull } else { 0.0 };
            }
            worst = self.violations.iter().copied().fold(0.0, f64::max);
            if worst == 0.0 {
                return false;
            }
        }
        for (k, &violation) in self.violations.iter().enumerate() {
            if violation < (1.0 - ALIKE) * worst {
                continue;
            }
            if modes.of[k] == ContactMode::Rolling && part.mu[k] > 0.0 && part.mu[k].is_finite() {
                modes.of[k] = ContactMode::Impending;
                modes.slip[k] = impending_slip(part, k);
            } else if let Some(push) = self.jam(part, modes, k) {
                modes.of[k] = ContactMode::Jammed;
                modes.jam[k] = push;
            } else {
                modes.of[k] = ContactMode::Dropped;
            }
        }
        true
    }

    /// The normal impulse that stops the slip of a contact twice over, if it jams: pushed, it would approach faster.
    /// Its slip then always slows down, for `k < μ c·s` and `(c·s)² ≤ k sᵀTs` give `c·s < μ sᵀTs`.
    fn jam(&self, part: &Part, modes: &Modes, k: usize) -> Option<f64> {
        if !self.aids.jam_advance || modes.of[k] != ContactMode::Sliding || part.mu[k] == 0.0 {
            return None;
        }
        let [n, t1, t2] = [0, 1, 2].map(|c| part.row(3 * k + c));
        let [x, y] = modes.slip[k].map(|s| -part.mu[k] * s);
        let response = |row: &[f64]| dot(row, n) + x * dot(row, t1) + y * dot(row, t2);
        if response(n) > JAM * dot(n, n) {
            return None;
        }
        let (slip, change) = (part.slip(k), [response(t1), response(t2)]);
        let slowing = -(slip[0] * change[0] + slip[1] * change[1]);
        let push = 2.0 * slowing / (change[0] * change[0] + change[1] * change[1]);
        (push > 0.0 && push.is_finite()).then_some(push)
    }

    /// Solves once more, friction having the direction that slip has halfway.
    fn turn_halfway(&mut self, part: &mut Part, modes: &mut Modes, share: f64) {
        let slides = |k: usize| modes.of[k] == ContactMode::Sliding && part.mu[k] > 0.0;
        if modes.of.contains(&ContactMode::Impending) || !(0..part.len()).any(slides) {
            return;
        }
        let before = part.step.clone();
        let mut halfway = modes.clone();
        for k in (0..part.len()).filter(|&k| slides(k)) {
            let middle = part.slip_after(k, 0.5 * share);
            let speed = length(middle);
            if speed > 0.0 {
                halfway.slip[k] = middle.map(|u| u / speed);
            }
        }
        let missed = self.equations.solve(part, &halfway);
        let consistent = missed <= CONSISTENT * part.speed;
        if consistent && !self.release(part, &mut halfway) {
            modes.slip.clone_from(&halfway.slip);
        } else {
            part.step = before;
        }
    }
}

/// A first guess at the direction in which a contact will slip that cannot roll: that which its friction opposes.
fn impending_slip(part: &Part, k: usize) -> [f64; 2] {
    let friction = [-part.step[3 * k + 1], -part.step[3 * k + 2]];
    let guesses = [friction, part.slip(k), [1.0, 0.0]];
    let guess = guesses.into_iter().find(|guess| length(*guess) > 0.0).unwrap_or([1.0, 0.0]);
    let size = length(guess);
    guess.map(|x| x / size)
}
