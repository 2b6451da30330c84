//! The way through an impact, step by step.

use super::rounds::{Figure, History, Leap};
use crate::ImpactError;
use crate::island::normal::NormalProblem;
use crate::island::stepping::{Asked, Motion, SIMILAR, finish, part, solve};
use crate::island::{Context, complementarity};
use crate::outcome::{Ending, MultiEffort, MultiStep};

/// Steps that are always allowed, and how many more per contact \[1\].
const MAX_STEPS: [u64; 2] = [100_000, 100];
/// How many steps are looked back on to tell which contacts collide for ever: at least this many, and so many per
/// contact \[1\].
const WINDOW: [u64; 2] = [60, 8];
/// Rounds that repeat themselves are doubled so often at most \[1\].
const DOUBLINGS: u32 = 40;
/// How often a sequence goes on with what rounding left of an approach \[1\].
const REFRESHED: u32 = 4;
/// Work between reports of progress: rows looked at, and the cube of those that are solved together \[1\].
const REPORT: u64 = 1 << 20;

/// A contact that takes part, and how fully.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Partner {
    row: usize,
    weight: f64,
}

pub(crate) struct Run<'a> {
    motion: Motion<'a>,
    coupling_speed: Option<f64>,
    /// Contacts ahead in the last step.
    ahead: Vec<Partner>,
    /// The last step in which each contact pushed.
    pushed: Vec<u64>,
    effort: MultiEffort,
    /// Steps that were followed one by one.
    followed: u64,
    /// Work since the last report of progress.
    work: u64,
    history: History,
    /// What a step changes and how much moves each row, zero between steps [m/s].
    change: Vec<f64>,
    moved: Vec<f64>,
}

impl<'a> Run<'a> {
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
            effort: MultiEffort { impulse_unique: Some(true), ..MultiEffort::default() },
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
    ) -> Result<(Vec<f64>, MultiEffort), ImpactError> {
        (self.effort.ending, self.effort.truncation) = self.steps(context)?;
        let mut p = self.motion.p;
        match self.effort.ending {
            Ending::Truncated => {
                self.effort.truncation = finish(self.motion.problem, &mut p, context)?;
            }
            _ => part(self.motion.problem, &mut p, context)?,
        }
        Ok((p, self.effort))
    }

    fn steps(&mut self, context: &mut Context) -> Result<(Ending, f64), ImpactError> {
        let mut refreshed = 0;
        loop {
            let end = self.steps_until_quiet(context)?;
            if end.0 == Ending::Truncated || refreshed == REFRESHED {
                return Ok(end);
            }
            self.motion.refresh();
            if self.motion.approaching.is_empty() {
                return Ok(end);
            }
            refreshed += 1;
        }
    }

    /// Steps until nothing approaches by the velocities that are kept on the way.
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
                if let Some(distance) = self.leap(context)? {
                    return Ok((Ending::Projected, distance));
                }
                if self.runs_away(context)? {
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
            speed = self.motion.approach();
            if !self.step(context)? {
                // What approaches by rounding and yields to nobody does so for ever.
                return Ok((Ending::Tolerance, self.motion.approach()));
            }
        }
        let endless = speed < f64::sqrt(context.tolerances.approach) * self.motion.problem.scale;
        let left = self.motion.approach();
        if !endless || left == 0.0 {
            return Ok((Ending::Finite, 0.0));
        }
        // Speeds have become small by themselves: collisions went on for ever.
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

    /// Whether the sequence has gained more energy than the impact could lose: off chains it can gain in every round, and
    /// has no end then.
    fn runs_away(&mut self, context: &mut Context) -> Result<bool, ImpactError> {
        let Motion { problem, u, p, .. } = &self.motion;
        let work = |p: &[f64], after: &[f64]| -> f64 {
            p.iter().zip(problem.u.iter().zip(after)).map(|(p, (u, v))| 0.5 * p * (u + v)).sum()
        };
        let gain = work(p, u);
        if gain <= 0.0 {
            return Ok(false);
        }
        let inelastic = complementarity::solve(problem, &problem.u, None, context)?.p;
        Ok(gain > -work(&inelastic, &problem.velocity_after(&inelastic)))
    }

    /// If the last steps repeat themselves, makes rounds of them at once, each time twice as many, as long as a round
    /// that is followed step by step is the same again. The distance of a projection, if one ended it.
    fn leap(&mut self, context: &mut Context) -> Result<Option<f64>, ImpactError> {
        let Some(round) = self.history.round() else { return Ok(None) };
        let mut leap = Leap::new(&round, self.motion.problem, context.tolerances.rank);
        if !leap.calms(&self.motion.u) {
            return Ok(None);
        }
        let steps = round.len() as u64;
        for doubling in 0..DOUBLINGS {
            let (motion, ahead, effort) = (self.motion.clone(), self.ahead.clone(), self.effort);
            leap.make(&mut self.motion);
            let quiet = leap.rows().iter().all(|&i| self.motion.u[i].abs() <= self.motion.zero);
            if !quiet && !self.repeats(&round, context)? {
                (self.motion, self.ahead, self.effort) = (motion, ahead, effort);
                break;
            }
            self.effort.iterations += steps << doubling;
            self.effort.collisions += (self.effort.collisions - effort.collisions) << doubling;
            // Steps know no unit of speed: what comes back on a smaller scale does so for ever.
            let left = match leap.shrinks(&motion.u, &self.motion.u) {
                true => self.motion.go_to_limit(leap.rows(), context)?.map(|left| SIMILAR * left),
                false => self.motion.project(leap.rows(), context)?,
            };
            if left.is_some() {
                return Ok(left);
            }
            if quiet {
                break;
            }
            leap = leap.doubled();
        }
        Ok(None)
    }

    /// Whether the next steps are this round again.
    fn repeats(&mut self, round: &[Figure], context: &mut Context) -> Result<bool, ImpactError> {
        for figure in round {
            if self.motion.approaching.is_empty() || !self.motion.u.iter().all(|u| u.is_finite()) {
                return Ok(false);
            }
            if !self.step(context)? || self.history.last() != Some(figure) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// One step. Whether anybody pushed.
    fn step(&mut self, context: &mut Context) -> Result<bool, ImpactError> {
        let problem = self.motion.problem;
        let unfinished = self.unfinished();
        let fresh = if unfinished.is_empty() { self.fresh() } else { Vec::new() };
        let colliding = if unfinished.is_empty() { &fresh } else { &unfinished };
        let mut asked: Vec<Asked> =
            colliding.iter().map(|&partner| self.collision(partner)).collect();
        let mut step = solve(&problem.w, &asked, context)?;
        let ahead = self.find_ahead(colliding, &step.impulse);
        let alone = asked.len();
        for &(partner, speed) in &ahead {
            if let Some(coupling) = self.coupling(partner, speed) {
                match asked[..alone].iter_mut().find(|asked| asked.row == partner.row) {
                    Some(collision) => *collision = both(*collision, coupling),
                    None => asked.push(coupling),
                }
            }
        }
        if !ahead.is_empty() {
            step = solve(&problem.w, &asked, context)?;
        }
        if self.coupling_speed.is_none() {
            let ahead = ahead.iter().map(|(partner, _)| partner.row).collect();
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
        self.ahead = ahead.into_iter().map(|(partner, _)| partner).collect();
        if context.watch.traces() {
            let contacts = |list: &[Partner]| -> Vec<usize> {
                list.iter().map(|partner| problem.contact(partner.row)).collect()
            };
            let (fresh, unfinished, ahead) =
                (contacts(&fresh), contacts(&unfinished), contacts(&self.ahead));
            context.watch.step(MultiStep::Round {
                fresh: &fresh,
                unfinished: &unfinished,
                ahead: &ahead,
            });
        }
        Ok(step.impulse.iter().any(|p| *p > 0.0))
    }

    /// Remembers a step, of which those `alone` collide and the others are ahead.
    fn record(&mut self, asked: &[Asked], alone: usize, impulse: &[f64], ahead: Vec<usize>) {
        let factor = |k: usize| if k < alone { self.rebound(asked[k].row) } else { 1.0 };
        let figure = Figure {
            asked: (0..asked.len()).map(|k| Asked { offset: factor(k), ..asked[k] }).collect(),
            pushed: impulse.iter().map(|p| *p > 0.0).collect(),
            ahead,
        };
        self.history.record(figure);
    }

    /// Contacts ahead in the last step that approach still.
    fn unfinished(&self) -> Vec<Partner> {
        // [Mosterman2003] Eq. (28)
        let approaching = self.ahead.iter().filter(|a| self.motion.approaching.contains(&a.row));
        approaching
            .map(|&Partner { row, weight }| {
                let weight = weight.min(self.weight(-self.motion.u[row], f64::INFINITY));
                Partner { row, weight }
            })
            .collect()
    }

    /// All contacts that approach.
    fn fresh(&self) -> Vec<Partner> {
        // [Mosterman2003] Eq. (27) in the reading of its footnote 4
        let fastest = self.motion.approach();
        let partner =
            |&row: &usize| Partner { row, weight: self.weight(-self.motion.u[row], fastest) };
        self.motion.approaching.iter().map(partner).collect()
    }

    /// How fully a contact takes part at a speed, if everything from `full` on does \[1\].
    fn weight(&self, speed: f64, full: f64) -> f64 {
        // [Mosterman2003] section 4: η = f(ġ)
        self.coupling_speed.map_or(1.0, |limit| (speed / limit.min(full)).min(1.0))
    }

    /// Newton's law at a contact, yielding if it takes part in part only.
    fn collision(&self, Partner { row, weight }: Partner) -> Asked {
        // [Mosterman2003] Eq. (26)
        let offset = self.rebound(row) * self.motion.u[row];
        let compliance = self.motion.problem.diagonal(row) * (1.0 - weight) / weight;
        Asked { row, offset, compliance }
    }

    /// What a collision changes of a velocity, `1 + e` \[1\].
    fn rebound(&self, row: usize) -> f64 {
        1.0 + self.motion.problem.material(row).restitution.at(-self.motion.u[row])
    }

    /// Contacts that the collisions move and that then approach, with the speed at which they do.
    fn find_ahead(&mut self, colliding: &[Partner], impulse: &[f64]) -> Vec<(Partner, f64)> {
        let mut touched = Vec::new();
        for (partner, &p) in colliding.iter().zip(impulse).filter(|(_, p)| **p > 0.0) {
            self.motion.problem.w.for_row(partner.row, |j, w| {
                self.change[j] += w * p;
                if j != partner.row {
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
            let collides = colliding.iter().find(|partner| partner.row == row);
            let rest = collides.map_or(1.0, |partner| 1.0 - partner.weight);
            let weight = rest * self.weight(speed.min(self.moved[row]), f64::INFINITY);
            // Without a coupling speed a weight is one or zero; with it, little of it for long would never end.
            if speed > self.motion.zero && weight * speed > self.motion.zero {
                ahead.push((Partner { row, weight }, speed));
            }
            self.change[row] = 0.0;
            self.moved[row] = 0.0;
        }
        ahead
    }

    /// The row of a contact ahead, or nothing if it waits.
    fn coupling(&self, Partner { row, weight }: Partner, speed: f64) -> Option<Asked> {
        let (problem, u) = (self.motion.problem, self.motion.u[row]);
        let material = problem.material(row);
        let eta = weight * material.coupling.unwrap_or(1.0 - material.restitution.at(speed));
        // [Mosterman2003] Eq. (25); below ε the impulse would be lost in rounding.
        let compliance = problem.diagonal(row) * (1.0 - eta) / eta;
        (eta > f64::EPSILON).then_some(Asked { row, offset: u, compliance })
    }
}

/// A contact that collides in part and is coupled ahead in part: both impulses together.
fn both(collision: Asked, coupling: Asked) -> Asked {
    let total = collision.compliance + coupling.compliance;
    let share = coupling.compliance / total;
    Asked {
        compliance: collision.compliance * share,
        offset: share * collision.offset + (1.0 - share) * coupling.offset,
        ..collision
    }
}
