//! The outer loop: who is compressed, who expands, who watches, round after round.

use super::coulomb::Coulomb;
use super::journal::{Journal, Trouble};
use super::medium::{Components, Medium};
use super::part::{Class, Part};
use crate::contact::Restitution;
use crate::numerics::sum::add;

/// How a round is carried to its end, and what a contact then owes.
pub(crate) trait Advance {
    /// Carries the parts from the beginning of a round to its end; answers how many intervals that took. Afterwards
    /// nothing is owed by those that expand, and those that were compressed approach no more.
    fn round(&mut self, parts: &mut [Part], journal: &mut Journal) -> Result<u32, Trouble>;

    /// What a contact owes after its compression: its normal impulse [N·s] or work \[J\], times what restitution says.
    fn owes(&self, e: f64, impulse: f64, work: f64) -> f64;
}

/// What the outer loop goes by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Contacts that approach more slowly than this watch [m/s].
    pub(crate) observe: f64,
    /// Approaches below this count as none [m/s].
    pub(crate) zero: f64,
    /// Whether an expansion that would create energy is cut back.
    pub(crate) guard: bool,
    /// Whether what watchers still approach with is taken away in the end.
    pub(crate) clean: bool,
    pub(crate) max_rounds: u64,
    /// Every so many rounds all that collided in them take part together.
    pub(crate) together_after: u64,
    /// Contacts further apart than this take no part \[m\].
    pub(crate) proximity: f64,
}

/// Where the impact has come to.
#[derive(Default)]
pub(crate) struct Course {
    /// Velocities, three numbers per contact [m/s].
    velocity: Vec<f64>,
    /// Impulses so far, three numbers per contact [N·s].
    pub(crate) impulse: Vec<f64>,
    /// What rounding has lost of each of these sums [N·s].
    lost: Vec<f64>,
    /// The last round in which each contact took an impulse, counted from 1.
    pushed: Vec<u64>,
    /// What each contact still has to give.
    owed: Vec<f64>,
    /// `e` times the impulse of its last compression [N·s].
    pace: Vec<f64>,
    speed: f64,
    restitution: Vec<Restitution>,
    near: Vec<bool>,
    /// Energy gained so far, negative where it was lost \[J\].
    pub(crate) gained: f64,
    /// What the terms of that sum add up to, signs ignored: its rounding is measured by it \[J\].
    turnover: f64,
}

/// Where an impact has come to once everything was stopped at once.
#[derive(Clone)]
struct Stopped {
    velocity: Vec<f64>,
    impulse: Vec<f64>,
    gained: f64,
    turnover: f64,
    /// The fastest approach that rounding does not explain, relative to the largest speed at the start \[1\].
    approach: f64,
}

impl Stopped {
    /// Whether no energy was created.
    fn physical(&self) -> bool {
        self.gained <= ROUNDINGS * f64::EPSILON * self.turnover
    }
}

/// What the outer loop works with; its memory is kept from impact to impact.
#[derive(Default)]
pub(crate) struct Bench {
    parts: Vec<Part>,
    components: Components,
    taking: Vec<usize>,
    candidates: Vec<usize>,
    pub(crate) coulomb: Coulomb,
}

/// How a course ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Nobody approaches and nobody owes.
    Over,
    /// The limit of rounds was reached.
    Cut,
}

/// Sums of energies are off by some roundings of their terms.
const ROUNDINGS: f64 = 256.0;
/// Attempts of the guard at what an expansion may give back, and how precisely it has to be known \[1\].
const GUARD_ATTEMPTS: u32 = 40;
const GUARD_PRECISION: f64 = 1e-9;
/// Approaches below this part of the speed count as stopped in the end: best, good, and good enough \[1\].
const STOPPED: [f64; 3] = [1e-12, 1e-7, 1e-6];
/// Steps in which everything is stopped \[1\].
const STOPS: u32 = 4;
/// Rounds after which velocities are computed anew from the impulses.
const MANY_ROUNDS: u64 = 32;
/// Rounds without restitution that may follow each other in the end.
const MAX_CLEANINGS: u32 = 32;

impl Course {
    /// Puts everything at the beginning of an impact.
    fn begin(&mut self, medium: &Medium, proximity: f64) {
        self.velocity.clone_from(&medium.start);
        self.impulse.clear();
        self.impulse.resize(3 * medium.len(), 0.0);
        self.lost.clear();
        self.lost.resize(3 * medium.len(), 0.0);
        self.owed.clear();
        self.owed.resize(medium.len(), 0.0);
        self.pace.clear();
        self.pace.resize(medium.len(), 0.0);
        self.pushed.clear();
        self.pushed.resize(medium.len(), 0);
        self.speed = medium.speed();
        self.restitution.clear();
        self.restitution.extend(medium.surfaces.iter().map(|surface| surface.restitution));
        self.near.clear();
        self.near.extend(medium.surfaces.iter().map(|surface| surface.gap <= proximity));
        self.gained = 0.0;
        self.turnover = 0.0;
    }

    /// Whether energy was created, rounding aside.
    pub(crate) fn creates_energy(&self) -> bool {
        self.gained > ROUNDINGS * f64::EPSILON * self.turnover
    }

    /// The fastest approach that is left [m/s].
    pub(crate) fn approach(&self) -> f64 {
        let normals = self.velocity.iter().step_by(3).zip(&self.near);
        normals.filter(|(_, near)| **near).fold(0.0, |m: f64, (u, _)| m.max(-u))
    }

    /// Follows the impact round by round to its end.
    pub(crate) fn run(
        &mut self,
        medium: &Medium,
        rules: &Rules,
        bench: &mut Bench,
        advance: &mut impl Advance,
        journal: &mut Journal,
    ) -> Result<End, Trouble> {
        self.begin(medium, rules.proximity);
        let Bench { parts, components, taking, candidates, coulomb } = bench;
        // Those whose velocity has changed, or who owe: nobody else can have a new part to play.
        candidates.clear();
        candidates.extend((0..medium.len()).filter(|&k| self.near[k]));
        let mut cleanings = 0;
        loop {
            if medium.is_sparse() {
                candidates.sort_unstable();
                candidates.dedup();
            }
            let takes_part =
                |k: &usize| self.owed[*k] > 0.0 || self.velocity[3 * k] < -rules.observe;
            taking.clear();
            taking.extend(candidates.iter().copied().filter(takes_part));
            let mut plastic = false;
            let rounds = journal.effort.rounds;
            if !taking.is_empty() && rounds > 0 && rounds.is_multiple_of(rules.together_after) {
                // They have collided in turn for so long that they are one impact; what they owe is forgiven.
                self.owed.fill(0.0);
                taking.clear();
                let first = rounds - rules.together_after;
                let joins =
                    |k: &usize| self.velocity[3 * k] < -rules.observe || self.pushed[*k] > first;
                taking.extend((0..medium.len()).filter(|&k| self.near[k]).filter(joins));
                journal.effort.remedies.together += 1;
            }
            if taking.is_empty() {
                self.settle_accounts(medium, journal.effort.rounds);
                let slow = |k: &usize| self.near[*k] && self.velocity[3 * k] < -rules.zero;
                taking.extend((0..if rules.clean { medium.len() } else { 0 }).filter(slow));
                if taking.is_empty() || cleanings == MAX_CLEANINGS {
                    return Ok(End::Over);
                }
                journal.effort.remedies.observe += 1;
                // All at once where that is cheap, else one after the other.
                if !medium.is_sparse() && self.stop(medium, coulomb) {
                    return Ok(End::Over);
                }
                plastic = true;
                cleanings += 1;
            } else if journal.effort.rounds >= rules.max_rounds {
                return Ok(End::Cut);
            }
            let count = medium.split(taking, parts, components);
            let parts = &mut parts[..count];
            let intervals = match self.round(parts, rules, advance, journal) {
                Ok(intervals) => intervals,
                // What is left is slower than what counts, and may stay.
                Err(_) if plastic => return Ok(End::Over),
                Err(trouble) => return Err(trouble),
            };
            if !plastic {
                journal.effort.rounds += 1;
                journal.effort.intervals_per_round.push(intervals);
                journal.effort.intervals += u64::from(intervals);
            }
            journal.progress()?;
            if medium.is_sparse() {
                candidates.clear();
            }
            let mut moved = false;
            for part in parts.iter() {
                self.settle(part, plastic, advance, journal.effort.rounds);
                medium.apply(part, &mut self.velocity, candidates);
                moved |= part.impulse.iter().any(|p| *p != 0.0);
                if medium.is_sparse() {
                    candidates.extend_from_slice(&part.contacts);
                }
            }
            if medium.is_sparse() {
                candidates.retain(|&k| self.near[k]);
            }
            if !moved && plastic {
                return Ok(End::Over);
            }
            if !moved {
                return Err(Trouble::Standstill { approach: self.approach() });
            }
        }
    }

    /// Impulses with what was lost of them, and after many rounds the velocities that they make, which then differ from
    /// those that were followed.
    pub(crate) fn settle_accounts(&mut self, medium: &Medium, rounds: u64) {
        for (p, lost) in self.impulse.iter_mut().zip(&mut self.lost) {
            *p += std::mem::take(lost);
        }
        if rounds > MANY_ROUNDS && !medium.is_sparse() {
            medium.velocity_after(&self.impulse, &mut self.velocity);
        }
    }

    /// Stops whatever still approaches, all at once and without restitution; says whether that is a physical answer.
    pub(crate) fn stop(&mut self, medium: &Medium, coulomb: &mut Coulomb) -> bool {
        self.owed.fill(0.0);
        let with_friction = self.stopped(medium, |part| coulomb.stop(part));
        if with_friction.as_ref().is_some_and(|stopped| stopped.approach <= STOPPED[0]) {
            return self.take(with_friction);
        }
        let smoothly = self.stopped(medium, Coulomb::stop_smoothly);
        let quality = |stopped: &Option<Stopped>| {
            let good = |approach: f64| STOPPED.iter().position(|slow| approach <= *slow);
            stopped.as_ref().and_then(|stopped| good(stopped.approach)).unwrap_or(STOPPED.len())
        };
        let smoother = quality(&smoothly) < quality(&with_friction);
        let best = if smoother { smoothly } else { with_friction };
        self.take(best.filter(|stopped| stopped.approach <= STOPPED[2]))
    }

    fn take(&mut self, stopped: Option<Stopped>) -> bool {
        let Some(stopped) = stopped else { return false };
        (self.velocity, self.impulse) = (stopped.velocity, stopped.impulse);
        (self.gained, self.turnover) = (stopped.gained, stopped.turnover);
        true
    }

    /// The same as if nothing had happened yet.
    pub(crate) fn stop_from_start(
        &mut self,
        medium: &Medium,
        coulomb: &mut Coulomb,
        rules: &Rules,
    ) -> bool {
        self.begin(medium, rules.proximity);
        self.stop(medium, coulomb)
    }

    /// Where a step that stops everything leads to, if it creates no energy; nobody owes anything.
    fn stopped(
        &self,
        medium: &Medium,
        mut step: impl FnMut(&mut Part) -> Option<f64>,
    ) -> Option<Stopped> {
        let near: Vec<usize> = (0..medium.len()).filter(|&k| self.near[k]).collect();
        let mut parts = Vec::new();
        let count = medium.split(&near, &mut parts, &mut Components::new());
        let (velocity, impulse) = (self.velocity.clone(), self.impulse.clone());
        let (gained, turnover) = (self.gained, self.turnover);
        let mut stopped = Stopped { velocity, impulse, gained, turnover, approach: f64::INFINITY };
        medium.velocity_after(&stopped.impulse, &mut stopped.velocity);
        // Where masses are far apart the solver leaves some of the last digits, which another step takes.
        for _ in 0..STOPS {
            if stopped.approach <= STOPPED[0] {
                break;
            }
            let mut reached = stopped.clone();
            for part in &mut parts[..count] {
                self.fill(part, 0.0, &stopped.velocity);
                if step(part).is_none() {
                    return (stopped.approach < f64::INFINITY && stopped.physical())
                        .then_some(stopped);
                }
                part.advance(1.0);
                reached.gained += part.gained;
                reached.turnover += part.turnover;
                for (i, &k) in part.contacts.iter().enumerate() {
                    (0..3).for_each(|c| reached.impulse[3 * k + c] += part.impulse[3 * i + c]);
                }
                medium.apply(part, &mut reached.velocity, &mut Vec::new());
            }
            medium.velocity_after(&reached.impulse, &mut reached.velocity);
            reached.approach = parts[..count].iter().fold(0.0, |most: f64, part| {
                let of = |values: &[f64]| -> Vec<f64> {
                    part.contacts.iter().flat_map(|&k| values[3 * k..3 * k + 3].to_vec()).collect()
                };
                let (velocity, impulse) = (of(&reached.velocity), of(&reached.impulse));
                let normals = velocity.iter().zip(part.roundings(&impulse)).step_by(3);
                normals.fold(most, |most, (u, rounding)| most.max((-u - rounding) / self.speed))
            });
            stopped = reached;
        }
        stopped.physical().then_some(stopped)
    }

    /// One round, its expansion cut back if it would create energy.
    fn round(
        &mut self,
        parts: &mut [Part],
        rules: &Rules,
        advance: &mut impl Advance,
        journal: &mut Journal,
    ) -> Result<u32, Trouble> {
        let expands = parts.iter().any(|part| part.contacts.iter().any(|&k| self.owed[k] > 0.0));
        let guarded = rules.guard && expands;
        let loud = journal.loud;
        // Only what is kept is shown.
        journal.loud = loud && !guarded;
        let mut attempt = |share: f64, journal: &mut Journal| {
            parts.iter_mut().for_each(|part| self.fill(part, share, &self.velocity));
            journal.phases(parts);
            let intervals = advance.round(parts, journal)?;
            let gained: f64 = parts.iter().map(|part| part.gained).sum();
            let turnover: f64 = parts.iter().map(|part| part.turnover).sum();
            Ok::<_, Trouble>((intervals, self.gained + gained, self.turnover + turnover))
        };
        let mut share = 1.0;
        let (mut intervals, mut gained, mut turnover) = attempt(share, journal)?;
        let creates = |gained: f64, turnover: f64| gained > ROUNDINGS * f64::EPSILON * turnover;
        if guarded && creates(gained, turnover) {
            journal.effort.remedies.energy_guard += 1;
            let whole = gained;
            share = 0.0;
            (_, gained, _) = attempt(share, journal)?;
            if gained <= 0.0 {
                share = largest_without_gain(gained, whole, |share| {
                    attempt(share, journal).map(|(_, gained, _)| gained)
                })?;
            }
            (intervals, gained, turnover) = attempt(share, journal)?;
            if creates(gained, turnover) {
                return Err(Trouble::Gain { energy: gained });
            }
        }
        journal.loud = loud;
        if loud && guarded {
            (intervals, gained, turnover) = attempt(share, journal)?;
        }
        (self.gained, self.turnover) = (gained, turnover);
        Ok(intervals)
    }

    /// Puts a part at the beginning of its round. Of what is owed a share is given.
    fn fill(&self, part: &mut Part, share: f64, velocity: &[f64]) {
        part.gained = 0.0;
        part.turnover = 0.0;
        part.speed = self.speed;
        part.total.clear();
        part.total.resize(part.rank, 0.0);
        for (i, &k) in part.contacts.iter().enumerate() {
            let expands = self.owed[k] > 0.0;
            part.class[i] = if expands { Class::Expanding } else { Class::Compressing };
            part.owed[i] = share * self.owed[k];
            part.pace[i] = self.pace[k];
            part.taken[i] = 0.0;
            part.stored[i] = 0.0;
            part.velocity[3 * i..3 * i + 3].copy_from_slice(&velocity[3 * k..3 * k + 3]);
            part.impulse[3 * i..3 * i + 3].fill(0.0);
        }
    }

    /// What a round leaves behind: impulses, and debts of those that were compressed.
    fn settle(&mut self, part: &Part, plastic: bool, advance: &impl Advance, round: u64) {
        for (i, &k) in part.contacts.iter().enumerate() {
            for c in 0..3 {
                add(
                    &mut self.impulse[3 * k + c],
                    &mut self.lost[3 * k + c],
                    part.impulse[3 * i + c],
                );
            }
            if part.impulse[3 * i] > 0.0 {
                self.pushed[k] = round;
            }
            let owes = part.class[i] == Class::Compressing && part.taken[i] > 0.0 && !plastic;
            // The coefficient belongs to the speed at the start of the round, which is still in its place.
            let e = self.restitution[k].at((-self.velocity[3 * k]).max(0.0));
            self.pace[k] = e * part.taken[i];
            self.owed[k] = if owes { advance.owes(e, part.taken[i], part.stored[i]) } else { 0.0 };
        }
    }
}

/// The largest share of an expansion that creates no energy: none gains `none ≤ 0`, all of it gains `all > 0` \[J\]. By
/// regula falsi, of which the end that stays is made to count half (the Illinois rule).
fn largest_without_gain(
    none: f64,
    all: f64,
    mut gain: impl FnMut(f64) -> Result<f64, Trouble>,
) -> Result<f64, Trouble> {
    let (mut low, mut low_gain) = (0.0, none);
    let (mut high, mut high_gain) = (1.0, all);
    for _ in 0..GUARD_ATTEMPTS {
        if high - low <= GUARD_PRECISION {
            break;
        }
        let place = low - low_gain * (high - low) / (high_gain - low_gain);
        // Never at an end, lest nothing be learnt.
        let edge = 0.25 * GUARD_PRECISION;
        let share = place.clamp(low + edge, high - edge);
        let gained = gain(share)?;
        if gained > 0.0 {
            (high, high_gain) = (share, gained);
            low_gain *= 0.5;
        } else {
            (low, low_gain) = (share, gained);
            high_gain *= 0.5;
        }
    }
    Ok(low)
}
