//! # Mosterman's law (2003)
//!
//! Contacts collide one after the other as Newton says, and those that a collision is about to trigger take part in it
//! beforehand, the more so the less elastic they are.
//!
//! ## Model
//! Each step begins at the velocities `u` that the one before left:
//! 1. `N`, contacts that collide: those ahead in the step before that approach still; if none does, all that approach
//! 2. the intermediate velocities `ũ`: Newton's law on `N` alone
//! 3. `P`, contacts ahead of their collision: those outside `N` that approach at `ũ` and that the collisions of `N` move
//! 4. together, from `u`: `0 ≤ p_i ⟂ u_i⁺ + e_i u_i ≥ 0` in `N`, and `0 ≤ p_i ⟂ u_i⁺ + c_i p_i ≥ 0` with
//!    `c_i = W_ii (1 − η_i)/η_i` in `P`
//!
//! until nothing approaches. `η = 1`: the contact ahead moves along like one that is glued; `η = 0`: it waits.
//!
//! With `coupling_speed` the sets lose their sharp edges, as the paper proposes against its own discontinuity. A contact
//! takes part with a weight `θ` that rises from 0 to 1 with a speed, up to `coupling_speed`, and `θ < 1` makes its row
//! yield by `W_ii (1 − θ)/θ` more:
//! 5. in `P` that speed is the lesser of its approach at `ũ` and of what `N` moves it; `η` becomes `θ η`
//! 6. among those of `P` that go on to collide it is their approach speed, and `θ` is at most what it was in `P`
//! 7. among those that collide anew it is their approach speed, but the fastest collides in full
//! 8. a contact that collides with `θ < 1` may be in `P` with the rest, `1 − θ`; its impulse is the sum of both
//!
//! ## Reads e as
//! Kinematic in each collision. For contacts ahead `η = 1 − e` is a coupling and no dissipation; `coupling` of the
//! contact sets it apart from `e`. A curve of `e` is read at the approach speed of each step, in `P` at `ũ`. `mu` is
//! ignored, and the outcome's notes say so.
//!
//! ## Notation
//! `v_A`, `v_E` → velocities before and after a step, `ġ` → `u`, `Λ` → `p`, `ε` → `e`, `m_s` → `1/W_ii`, `I^{N1}` → fresh,
//! `I^{N2}` → unfinished, `I^P` → ahead.
//!
//! ## Deviations from the paper
//! - The paper has chains. Off them its equations can pull or contradict each other; the complementarity above does
//!   neither, and on chains, as for any `W` without positive couplings, it is the paper's equations exactly.
//! - Eqs. (27)–(29) print `≤` where the paper's own tables need `<`.
//! - Eq. (29) lacks what Eq. (20) and the text ask: outside `N`, and moved by it.
//! - Eq. (27) and its footnote 4 are not equivalent. The footnote is taken: no fresh collisions before those begun are
//!   finished. Both give all numbers that the paper prints.
//! - Eq. (22) does not follow from Eq. (24); Table 2 needs Eq. (24).
//! - Fig. 9 is for m₂ = 0.1, m₃ = m₄ = 1.
//! - An answer that would gain energy is moved towards maximum dissipation until it does not, if `energy_clamp` is on.
//! - Where contacts oppose each other, a body between two walls, a step can have no solution, or elastic ones no end; then
//!   these contacts hold both ways from the start.
//! - Other sequences without end are ended by projection on their limit, or else where nothing approaches faster than the
//!   tolerance; those that are too long by letting the rest stop without rebound.
//!
//! Contacts that separate need no rule: they act when something makes them approach.
//!
//! ## Limits
//! Discontinuous where a set changes (Fig. 9) unless `coupling_speed` is given. Dissipation is not monotone in `e`: with `e = 0` at the
//! second contact of (1, 1, 1) nothing is lost.
//!
//! ## Energy
//! Does not grow on chains, observed on thousands of exact cases; single steps do gain. Off chains one case in thousands
//! gains a little: `M = diag(2, 1, 3)`, `J = [−1 1 2; −1 −1 2; 1 −2 −1; 2 1 2]`, `v = (−3, 0, −3)`, `e = (3/4, 1, 1, 1)`
//! gains 1.7 % without the clamp. With it never, proven.
//!
//! ## References
//! `Mosterman2003` Eqs. (20)–(29), Tables 2 and 3, Fig. 9.

use super::catalog::{CatalogMultiLaw, MultiClaims, MultiRow};
use super::energy::clamp_energy;
use super::normal::NormalProblem;
use super::stepping::{Asked, Motion, finish, solve};
use super::{Desk, IslandAnswer, self_stress};
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::law::{Reader, ReadsE, Setting, SettingValue, Settings};
use crate::outcome::{Ending, MultiEffort, MultiStep, Note, Notes};

/// Collisions in sequence, with contacts that take part ahead of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mosterman {
    /// Whether an answer that gains energy is moved towards maximum dissipation.
    pub energy_clamp: bool,
    /// The speed up to which contacts take part in part; absent, they do fully or not at all [m/s].
    pub coupling_speed: Option<f64>,
}

impl Default for Mosterman {
    fn default() -> Self {
        Self { energy_clamp: true, coupling_speed: None }
    }
}

const CLAMP: Setting = Setting {
    name: "energy_clamp",
    default: "true",
    range: "true or false",
    meaning: "move an answer that gains energy towards maximum dissipation until it does not",
};

const SPEED: Setting = Setting {
    name: "coupling_speed",
    default: "absent",
    range: "above 0 m/s",
    meaning: "speed up to which contacts take part gradually, which makes the law continuous",
};

/// Its row in the catalogue.
pub(crate) static ROW: MultiRow = MultiRow {
    id: "mosterman",
    name: "Mosterman",
    year: 2003,
    summary: "collides in sequence; contacts next in line take part beforehand, the more the less elastic",
    references: &["Mosterman2003"],
    reads_e: ReadsE::Kinematic,
    max_e: 1.0,
    settings: &[CLAMP, SPEED],
    friction: false,
    claims: MultiClaims { terminates: false, continuous: false, ..MultiClaims::ALL },
    build: |settings| {
        let reader = Reader::new(ROW.id, ROW.settings, settings)?;
        let energy_clamp = match reader.get(CLAMP.name) {
            None => true,
            Some(SettingValue::Switch(on)) => *on,
            Some(_) => return Err(reader.refuse(CLAMP.name, "must be true or false")),
        };
        let coupling_speed = match reader.get(SPEED.name) {
            None => None,
            Some(_) => Some(reader.number(SPEED.name, 0.0, [f64::MIN_POSITIVE, f64::MAX])?),
        };
        Ok(Mosterman { energy_clamp, coupling_speed }.into())
    },
};

/// Steps that are always allowed, and how many more per contact \[1\].
const MAX_STEPS: [u64; 2] = [100_000, 100];
/// How many steps are looked back on to tell which contacts collide for ever: at least this many, and so many per
/// contact \[1\].
const WINDOW: [u64; 2] = [60, 8];
/// After so many windows it is looked whether contacts oppose each other, so that there need not be an end \[1\].
const SUSPICIOUS: u64 = 10;
/// Work between reports of progress: rows looked at, and the cube of those that are solved together \[1\].
const REPORT: u64 = 1 << 20;

impl CatalogMultiLaw for Mosterman {
    fn row(&self) -> &'static MultiRow {
        &ROW
    }

    fn settings(&self, _problem: Option<&ContactProblem>) -> Settings {
        let clamp = (CLAMP.name.into(), SettingValue::Switch(self.energy_clamp));
        let speed = self.coupling_speed.map(|v| (SPEED.name.into(), SettingValue::Number(v)));
        [clamp].into_iter().chain(speed).collect()
    }

    fn resolve_island(
        &self,
        island: &ContactProblem,
        desk: &mut Desk,
    ) -> Result<IslandAnswer, ImpactError> {
        let problem = NormalProblem::new(island, desk.tolerances)?;
        let follow = |problem: &NormalProblem, desk: &mut Desk| {
            Run::new(problem, self.coupling_speed, desk).follow(desk)
        };
        let (mut p, effort) = match follow(&problem, desk) {
            Err(ImpactError::NoSolution { law, reason }) => {
                let opposed = self_stress::opposed(&problem, desk);
                match opposed.contains(&true) {
                    true => self_stress::held(&problem, &opposed, desk, follow)?,
                    false => return Err(ImpactError::NoSolution { law, reason }),
                }
            }
            answer => answer?,
        };
        let mut notes = Notes::NONE;
        match effort.ending {
            Ending::Projected => notes.insert(Note::Projection),
            Ending::Truncated | Ending::Tolerance => notes.insert(Note::Truncated),
            _ => {}
        }
        if effort.impulse_unique == Some(false) {
            notes.insert(Note::ImpulseNotUnique);
        }
        if self.energy_clamp && clamp_energy(&problem, &mut p, desk)? {
            notes.insert(Note::EnergyClamped);
        }
        check_parted(&problem, &p, &effort)?;
        Ok(IslandAnswer { impulse: problem.impulse(p), effort: effort.into(), notes })
    }
}

/// An approach at the end faster than this part of the start is no rounding of impulses \[1\].
const LOST: f64 = 1e-3;

/// Fails if contacts approach at the end of a sequence that ended by itself: masses many orders of magnitude apart can lose
/// all digits on a long way.
fn check_parted(
    problem: &NormalProblem,
    p: &[f64],
    effort: &MultiEffort,
) -> Result<(), ImpactError> {
    let after = problem.velocity_after(p);
    let fastest = after.iter().fold(0.0, |m: f64, u| m.max(-u));
    if effort.ending == Ending::Truncated || fastest <= LOST * problem.scale {
        return Ok(());
    }
    Err(ImpactError::NotConverged {
        law: ROW.id,
        residual: fastest / problem.scale,
        iterations: u32::try_from(effort.iterations).unwrap_or(u32::MAX),
    })
}

/// A contact that takes part, and how fully.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Partner {
    row: usize,
    weight: f64,
}

struct Run<'a> {
    motion: Motion<'a>,
    coupling_speed: Option<f64>,
    /// Contacts ahead in the last step.
    ahead: Vec<Partner>,
    /// The last step in which each contact pushed.
    pushed: Vec<u64>,
    effort: MultiEffort,
    /// Work since the last report of progress.
    work: u64,
    /// What a step changes and how much moves each row, zero between steps [m/s].
    change: Vec<f64>,
    moved: Vec<f64>,
}

impl<'a> Run<'a> {
    fn new(problem: &'a NormalProblem<'a>, coupling_speed: Option<f64>, desk: &Desk) -> Self {
        let n = problem.len();
        Self {
            motion: Motion::new(problem, desk),
            coupling_speed,
            ahead: Vec::new(),
            pushed: vec![0; n],
            effort: MultiEffort { impulse_unique: Some(true), ..MultiEffort::default() },
            work: 0,
            change: vec![0.0; n],
            moved: vec![0.0; n],
        }
    }

    /// Steps until nothing approaches, or until it is clear that there is no end: the impulses.
    fn follow(mut self, desk: &mut Desk) -> Result<(Vec<f64>, MultiEffort), ImpactError> {
        (self.effort.ending, self.effort.truncation) = self.steps(desk)?;
        let mut p = self.motion.p;
        if self.effort.ending == Ending::Truncated {
            self.effort.truncation = finish(self.motion.problem, &mut p, desk)?;
        }
        Ok((p, self.effort))
    }

    fn steps(&mut self, desk: &mut Desk) -> Result<(Ending, f64), ImpactError> {
        let contacts = self.pushed.len() as u64;
        let limit = MAX_STEPS[0] + MAX_STEPS[1] * contacts;
        let window = WINDOW[0].max(WINDOW[1] * contacts);
        let mut speed = 0.0;
        while !self.motion.approaching.is_empty() {
            let steps = self.effort.iterations;
            if steps > 0
                && steps.is_multiple_of(window)
                && let Some(distance) = self.project(window, desk)?
            {
                return Ok((Ending::Projected, distance));
            }
            if steps == limit {
                return Ok((Ending::Truncated, self.motion.approach()));
            }
            if steps == SUSPICIOUS * window
                && self_stress::opposed(self.motion.problem, desk).contains(&true)
            {
                return Err(desk.no_solution("contacts oppose each other and collide for ever"));
            }
            if self.work >= REPORT {
                self.work = 0;
                desk.progress("steps", steps, None)?;
            }
            speed = self.motion.approach();
            self.step(desk)?;
        }
        let endless = speed < libm::sqrt(desk.tolerances.approach) * self.motion.problem.scale;
        let left = self.motion.approach();
        if !endless || left == 0.0 {
            return Ok((Ending::Finite, 0.0));
        }
        // Speeds have become small by themselves: collisions went on for ever.
        match self.project(window, desk)? {
            Some(distance) => Ok((Ending::Projected, distance)),
            None => Ok((Ending::Tolerance, left)),
        }
    }

    fn project(&mut self, window: u64, desk: &mut Desk) -> Result<Option<f64>, ImpactError> {
        let since = self.effort.iterations.saturating_sub(window);
        let rows: Vec<usize> = (0..self.pushed.len()).filter(|&i| self.pushed[i] > since).collect();
        self.motion.project(&rows, desk)
    }

    fn step(&mut self, desk: &mut Desk) -> Result<(), ImpactError> {
        let problem = self.motion.problem;
        let unfinished = self.unfinished();
        let fresh = if unfinished.is_empty() { self.fresh() } else { Vec::new() };
        let colliding = if unfinished.is_empty() { &fresh } else { &unfinished };
        let mut asked: Vec<Asked> =
            colliding.iter().map(|&partner| self.collision(partner)).collect();
        let mut step = solve(&problem.w, &asked, desk)?;
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
            step = solve(&problem.w, &asked, desk)?;
        }
        self.motion.push(&asked, &step.impulse);
        self.work += self.pushed.len() as u64 + (asked.len() as u64).pow(3);
        self.effort.iterations += 1;
        self.effort.collisions += colliding.len() as u64;
        let unique =
            self.effort.impulse_unique == Some(true) && step.effort.impulse_unique == Some(true);
        self.effort.impulse_unique = Some(unique);
        self.effort.impulse_smallest &= step.effort.impulse_smallest;
        self.effort.residual = self.effort.residual.max(step.effort.residual);
        for (asked, p) in asked.iter().zip(&step.impulse) {
            if *p > 0.0 {
                self.pushed[asked.row] = self.effort.iterations;
            }
        }
        self.ahead = ahead.into_iter().map(|(partner, _)| partner).collect();
        if desk.watch.traces() {
            let contacts = |list: &[Partner]| -> Vec<usize> {
                list.iter().map(|partner| problem.contact(partner.row)).collect()
            };
            let (fresh, unfinished, ahead) =
                (contacts(&fresh), contacts(&unfinished), contacts(&self.ahead));
            desk.watch.step(MultiStep::Round {
                fresh: &fresh,
                unfinished: &unfinished,
                ahead: &ahead,
            });
        }
        Ok(())
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
        let (problem, u) = (self.motion.problem, self.motion.u[row]);
        // [Mosterman2003] Eq. (26)
        let e = problem.material(row).restitution.at(-u);
        let compliance = problem.diagonal(row) * (1.0 - weight) / weight;
        Asked { row, offset: (1.0 + e) * u, compliance }
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
