//! The sequence of steps.

use super::repetition::{History, Rounds, StepPattern};
use super::tolerances::*;
use crate::ImpactError;
use crate::island::normal::NormalProblem;
use crate::island::stepping::{Motion, SIMILAR, StepRow, finish, separate, solve};
use crate::island::{Context, complementarity};
use crate::outcome::{Ending, SolverEffort, Step};

/// A contact that takes part, with its weight `θ`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Participant {
    row: usize,
    weight: f64,
}

pub(crate) struct Sequence<'a> {
    motion: Motion<'a>,
    coupling_speed: Option<f64>,
    /// Contacts ahead in the last step.
    ahead: Vec<Participant>,
    /// The last step in which each contact pushed.
    pushed: Vec<u64>,
    effort: SolverEffort,
    /// Steps that were followed one by one.
    followed: u64,
    /// Work since the last report of progress.
    work: u64,
    history: History,
    /// What a step changes and how much moves each row, zero between steps [m/s].
    change: Vec<f64>,
    moved: Vec<f64>,
}

impl<'a> Sequence<'a> {
    pub(crate) fn new(
        problem: &'a NormalProblem<'a>,
        coupling_speed: Option<f64>,
        context: &Context,
    ) -> Self {
        let n = problem.len();
        Self {
            motion: Motion::new(problem, context),
            coupling_speed,
            ahead: Vec::new(),
            pushed: vec![0; n],
            effort: SolverEffort { impulse_unique: Some(true), ..SolverEffort::default() },
            followed: 0,
            work: 0,
            history: History::default(),
            change: vec![0.0; n],
            moved: vec![0.0; n],
        }
    }

    /// Steps until nothing approaches, or until it is clear that there is no end: the impulses.
    pub(crate) fn follow(
        mut self,
        context: &mut Context,
    ) -> Result<(Vec<f64>, SolverEffort), ImpactError> {
        (self.effort.ending, self.effort.truncation) = self.steps(context)?;
        let mut p = self.motion.p;
        match self.effort.ending {
            Ending::Truncated => {
                self.effort.truncation = finish(self.motion.problem, &mut p, context)?;
            }
            _ => separate(self.motion.problem, &mut p, context)?,
        }
        Ok((p, self.effort))
    }

    fn steps(&mut self, context: &mut Context) -> Result<(Ending, f64), ImpactError> {
        let mut refreshed = 0;
        loop {
            let end = self.steps_until_quiet(context)?;
            if end.0 == Ending::Truncated || refreshed == MAX_REFRESHES {
                return Ok(end);
            }
            self.motion.refresh();
            if self.motion.approaching.is_empty() {
                return Ok(end);
            }
            refreshed += 1;
        }
    }

    /// Steps until nothing approaches by the velocities updated from step to step.
    fn steps_until_quiet(&mut self, context: &mut Context) -> Result<(Ending, f64), ImpactError> {
        let contacts = self.pushed.len() as u64;
        let limit = MAX_STEPS[0] + MAX_STEPS[1] * contacts;
        let window = WINDOW[0].max(WINDOW[1] * contacts);
        let mut speed = 0.0;
        while !self.motion.approaching.is_empty() {
            if self.followed > 0 && self.followed.is_multiple_of(window) {
                if let Some(distance) = self.project(window, context)? {
                    return Ok((Ending::Projected, distance));
                }
                if let Some(distance) = self.repeat_rounds(context)? {
                    return Ok((Ending::Projected, distance));
                }
                if self.gains_too_much(context)? {
                    return Ok((Ending::Truncated, self.motion.approach()));
                }
            }
            if self.followed >= limit {
                return Ok((Ending::Truncated, self.motion.approach()));
            }
            if self.work >= REPORT {
                self.work = 0;
                context.progress("steps", self.effort.iterations, None)?;
            }
            speed = self.motion.fastest();
            if !self.step(context)? {
                // What approaches by rounding and takes no impulse does so for ever.
                return Ok((Ending::Tolerance, self.motion.approach()));
            }
        }
        let endless = speed < f64::sqrt(context.tolerances.approach) * self.motion.problem.scale;
        let left = self.motion.approach();
        if !endless || left == 0.0 {
            return Ok((Ending::Finite, 0.0));
        }
        // Speeds fell to the tolerance over many collisions: the sequence is endless.
        match self.project(window, context)? {
            Some(distance) => Ok((Ending::Projected, distance)),
            None => Ok((Ending::Tolerance, left)),
        }
    }

    fn project(&mut self, window: u64, context: &mut Context) -> Result<Option<f64>, ImpactError> {
        let since = self.followed.saturating_sub(window);
        let rows: Vec<usize> = (0..self.pushed.len()).filter(|&i| self.pushed[i] > since).collect();
        self.motion.project(&rows, context)
    }

    /// Whether the sequence has gained more energy than the impact could lose: off chains it can gain in every round.
    fn gains_too_much(&mut self, context: &mut Context) -> Result<bool, ImpactError> {
        let Motion { problem, u, p, .. } = &self.motion;
        let work = |p: &[f64], after: &[f64]| -> f64 {
            p.iter().zip(problem.u.iter().zip(after)).map(|(p, (u, v))| 0.5 * p * (u + v)).sum()
        };
        let gain = work(p, u);
        if gain <= 0.0 {
            return Ok(false);
        }
        let inelastic = complementarity::solve(problem, &problem.u, context)?.p;
        Ok(gain > -work(&inelastic, &problem.velocity_after(&inelastic)))
    }

    /// If the last steps repeat themselves, applies rounds of them at once, each time twice as many, as long as the next
    /// round, followed step by step, is the same. The distance of a projection, if one ended it.
    fn repeat_rounds(&mut self, context: &mut Context) -> Result<Option<f64>, ImpactError> {
        let Some(round) = self.history.round() else { return Ok(None) };
        let mut rounds = Rounds::new(&round, self.motion.problem, context.tolerances.rank);
        if !rounds.decays_uniformly(&self.motion.u) {
            return Ok(None);
        }
        let steps = round.len() as u64;
        for doubling in 0..MAX_DOUBLINGS {
            let (motion, ahead, effort) = (self.motion.clone(), self.ahead.clone(), self.effort);
            rounds.apply(&mut self.motion);
            let quiet = rounds.rows().iter().all(|&i| self.motion.u[i].abs() <= self.motion.zero);
            if !quiet && !self.repeats(&round, context)? {
                (self.motion, self.ahead, self.effort) = (motion, ahead, effort);
                break;
            }
            self.effort.iterations += steps << doubling;
            self.effort.collisions += (self.effort.collisions - effort.collisions) << doubling;
            // Steps have no unit of speed: what repeats on a smaller scale does so for ever.
            let left = match rounds.shrinks(&motion.u, &self.motion.u) {
                true => self.motion.go_to_limit(rounds.rows(), context)?.map(|left| SIMILAR * left),
                false => self.motion.project(rounds.rows(), context)?,
            };
            if left.is_some() {
                return Ok(left);
            }
            if quiet {
                break;
            }
            rounds = rounds.doubled();
        }
        Ok(None)
    }

    /// Whether the next steps are this round again.
    fn repeats(
        &mut self,
        round: &[StepPattern],
        context: &mut Context,
    ) -> Result<bool, ImpactError> {
        for pattern in round {
            if self.motion.approaching.is_empty() || !self.motion.u.iter().all(|u| u.is_finite()) {
                return Ok(false);
            }
            if !self.step(context)? || self.history.last() != Some(pattern) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// One step. Whether any contact pushed.
    fn step(&mut self, context: &mut Context) -> Result<bool, ImpactError> {
        let problem = self.motion.problem;
        let unfinished = self.unfinished();
        let fresh = if unfinished.is_empty() { self.fresh() } else { Vec::new() };
        let colliding = if unfinished.is_empty() { &fresh } else { &unfinished };
        let mut asked: Vec<StepRow> =
            colliding.iter().map(|&participant| self.collision(participant)).collect();
        let mut step = solve(&problem.w, &asked, context)?;
        let ahead = self.find_ahead(colliding, &step.impulse);
        let alone = asked.len();
        for &(participant, speed) in &ahead {
            if let Some(coupling) = self.coupling(participant, speed) {
                match asked[..alone].iter_mut().find(|asked| asked.row == participant.row) {
                    Some(collision) => *collision = both(*collision, coupling),
                    None => asked.push(coupling),
                }
            }
        }
        if !ahead.is_empty() {
            step = solve(&problem.w, &asked, context)?;
        }
        if self.coupling_speed.is_none() {
            let ahead = ahead.iter().map(|(participant, _)| participant.row).collect();
            self.record(&asked, alone, &step.impulse, ahead);
        }
        self.motion.push(&asked, &step.impulse);
        self.work += self.pushed.len() as u64 + (asked.len() as u64).pow(3);
        self.followed += 1;
        self.effort.iterations += 1;
        self.effort.collisions += colliding.len() as u64;
        let unique =
            self.effort.impulse_unique == Some(true) && step.effort.impulse_unique == Some(true);
        self.effort.impulse_unique = Some(unique);
        self.effort.impulse_smallest &= step.effort.impulse_smallest;
        self.effort.residual = self.effort.residual.max(step.effort.residual);
        for (asked, p) in asked.iter().zip(&step.impulse) {
            if *p > 0.0 {
                self.pushed[asked.row] = self.followed;
            }
        }
        self.ahead = ahead.into_iter().map(|(participant, _)| participant).collect();
        if context.observer.wants_steps() {
            let contacts = |list: &[Participant]| -> Vec<usize> {
                list.iter().map(|participant| problem.contact(participant.row)).collect()
            };
            let (fresh, unfinished, ahead) =
                (contacts(&fresh), contacts(&unfinished), contacts(&self.ahead));
            context.observer.step(Step::Round {
                fresh: &fresh,
                unfinished: &unfinished,
                ahead: &ahead,
            });
        }
        Ok(step.impulse.iter().any(|p| *p > 0.0))
    }

    /// Records a step, of which the first `alone` contacts collide and the others are ahead.
    fn record(&mut self, asked: &[StepRow], alone: usize, impulse: &[f64], ahead: Vec<usize>) {
        let factor = |k: usize| if k < alone { self.rebound(asked[k].row) } else { 1.0 };
        let pattern = StepPattern {
            asked: (0..asked.len()).map(|k| StepRow { offset: factor(k), ..asked[k] }).collect(),
            pushed: impulse.iter().map(|p| *p > 0.0).collect(),
            ahead,
        };
        self.history.record(pattern);
    }

    /// Contacts ahead in the last step that still approach.
    fn unfinished(&self) -> Vec<Participant> {
        // [Mosterman2003] Eq. (28)
        let approaching = self.ahead.iter().filter(|a| self.motion.approaching.contains(&a.row));
        approaching
            .map(|&Participant { row, weight }| {
                let weight = weight.min(self.weight(-self.motion.u[row], f64::INFINITY));
                Participant { row, weight }
            })
            .collect()
    }

    /// All contacts that approach.
    fn fresh(&self) -> Vec<Participant> {
        // [Mosterman2003] Eq. (27) in the reading of its footnote 4
        let fastest = self.motion.approach();
        let participant =
            |&row: &usize| Participant { row, weight: self.weight(-self.motion.u[row], fastest) };
        self.motion.approaching.iter().map(participant).collect()
    }

    /// The weight of a contact at a speed, 1 from `full` on \[1\].
    fn weight(&self, speed: f64, full: f64) -> f64 {
        // [Mosterman2003] section 4: η = f(ġ)
        self.coupling_speed.map_or(1.0, |limit| (speed / limit.min(full)).min(1.0))
    }

    /// Newton's law at a contact, with compliance where its weight is below 1.
    fn collision(&self, Participant { row, weight }: Participant) -> StepRow {
        // [Mosterman2003] Eq. (26)
        let offset = self.rebound(row) * self.motion.u[row];
        let compliance = self.motion.problem.diagonal(row) * (1.0 - weight) / weight;
        StepRow { row, offset, compliance }
    }

    /// `1 + e` \[1\].
    fn rebound(&self, row: usize) -> f64 {
        1.0 + self.motion.problem.material(row).restitution.at(-self.motion.u[row])
    }

    /// Contacts that the collisions move and that then approach, with the speed at which they do.
    fn find_ahead(
        &mut self,
        colliding: &[Participant],
        impulse: &[f64],
    ) -> Vec<(Participant, f64)> {
        let mut touched = Vec::new();
        for (participant, &p) in colliding.iter().zip(impulse).filter(|(_, p)| **p > 0.0) {
            self.motion.problem.w.for_row(participant.row, |j, w| {
                self.change[j] += w * p;
                if j != participant.row {
                    self.moved[j] += w.abs() * p;
                }
                touched.push(j);
            });
        }
        touched.sort_unstable();
        touched.dedup();
        let mut ahead = Vec::new();
        for row in touched {
            // [Mosterman2003] Eqs. (20) and (29)
            let speed = -(self.motion.u[row] + self.change[row]);
            let collides = colliding.iter().find(|participant| participant.row == row);
            let rest = collides.map_or(1.0, |participant| 1.0 - participant.weight);
            let weight = rest * self.weight(speed.min(self.moved[row]), f64::INFINITY);
            // With a coupling speed, vanishing weights would make the sequence endless.
            if speed > self.motion.zero && weight * speed > self.motion.zero {
                ahead.push((Participant { row, weight }, speed));
            }
            self.change[row] = 0.0;
            self.moved[row] = 0.0;
        }
        ahead
    }

    /// The row of a contact ahead; none if its coupling vanishes.
    fn coupling(&self, Participant { row, weight }: Participant, speed: f64) -> Option<StepRow> {
        let (problem, u) = (self.motion.problem, self.motion.u[row]);
        let material = problem.material(row);
        let eta = weight * material.coupling.unwrap_or(1.0 - material.restitution.at(speed));
        // [Mosterman2003] Eq. (25); below ε the impulse would be lost in rounding.
        let compliance = problem.diagonal(row) * (1.0 - eta) / eta;
        (eta > f64::EPSILON).then_some(StepRow { row, offset: u, compliance })
    }
}

/// Both rows of a contact that collides in part and is coupled ahead in part.
fn both(collision: StepRow, coupling: StepRow) -> StepRow {
    let total = collision.compliance + coupling.compliance;
    let share = coupling.compliance / total;
    StepRow {
        compliance: collision.compliance * share,
        offset: share * collision.offset + (1.0 - share) * coupling.offset,
        ..collision
    }
}
