//! Routh's incremental law: Coulomb friction acts at every instant of the impact.
//!
//! The normal impulse plays the part of time. While the contact slides in direction `s`, friction opposes it with
//! `dp_t = −μ s dp_n`; where it stops, it sticks if the cone allows it (`|b| ≤ μ`) and else leaves along the only
//! direction that carries it away. The impact compresses while `u_n < 0`, expands while `u_n > 0`, and ends when
//! one of three rules says so: [`poisson`], [`stronge`] or [`newton`].
//!
//! The integration is exact. In slip time, `dp_n = |u_t| dτ`, the equations are
//!
//! ```text
//! u_t' = c |u_t| − μ T u_t        p_t' = −μ u_t
//! u_n' = k |u_t| − μ c·u_t        p_n' = |u_t|
//! ```
//!
//! whose only nonlinearity is `|u_t|`: [`taylor`] expands them to order 24. Along a ray (a direction that sliding
//! keeps), after sticking, and in the plane always, everything is linear in `p_n`: [`path`] does that in closed form.

mod newton;
mod path;
mod poisson;
mod stronge;
mod taylor;

pub(crate) use newton::INFO as NEWTON;
pub(crate) use poisson::INFO as POISSON;
pub(crate) use stronge::INFO as STRONGE;

use super::common;
use super::scaled::{Answer, Scaled, Tangent, quarter_turn};
use crate::contact::{Contact, ContactProblem};
use crate::laws::info::{CatalogLaw, LawInfo};
use crate::laws::single::ContactLaw;
use crate::outcome::{FinalMode, Note, Observer, Outcome, TraceEvent};
use crate::settings::{Reader, Setting, SettingType, Settings, word_setting};
use crate::{ImpactError, Tolerances};
use path::{Path, Progress};

/// When the impact ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The normal impulse of restitution is `e` times that of compression.
    Poisson,
    /// The normal work of restitution is `e²` times that of compression.
    Stronge,
    /// The normal velocity is `e` times the approach velocity.
    Newton,
}

word_setting! {
    /// Which compressions set the target of restitution, if there are several.
    pub enum Phases {
        /// All of them, as with a spring that is stiffer in unloading than in loading.
        Cumulative = "cumulative",
        /// Only the first.
        First = "first",
    }
}

/// Routh's law with one of the three rules of restitution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Routh {
    /// When the impact ends.
    pub rule: Rule,
    /// Which compressions count.
    pub phases: Phases,
}

/// The settings of each of the three.
fn declared() -> Vec<Setting> {
    vec![Setting {
        name: "phases",
        default: Phases::Cumulative.described(),
        range: Phases::range(()),
        meaning: "which compressions set the target of restitution, if there are several",
    }]
}

impl CatalogLaw for Routh {
    const ROWS: &'static [&'static LawInfo] = &[&POISSON, &STRONGE, &NEWTON];

    fn info(&self) -> &'static LawInfo {
        match self.rule {
            Rule::Poisson => &POISSON,
            Rule::Stronge => &STRONGE,
            Rule::Newton => &NEWTON,
        }
    }

    fn build(row: &'static LawInfo, settings: &Settings) -> Result<Self, ImpactError> {
        let rules = [Rule::Poisson, Rule::Stronge, Rule::Newton];
        let laws = rules.map(|rule| Self { rule, phases: Phases::Cumulative });
        let law = laws.into_iter().find(|law| law.info().id == row.id).unwrap_or(laws[0]);
        let reader = Reader::new(row.id, &["phases"], settings)?;
        Ok(Self { phases: Phases::read(&reader, "phases", law.phases, ())?, ..law })
    }

    fn settings(&self, _: Option<&ContactProblem>) -> Settings {
        self.phases.written().map(|word| ("phases".into(), word)).into_iter().collect()
    }
}

impl<const D: usize> ContactLaw<D> for Routh {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        common::resolve(self.info(), contact, tolerances, trace, |s, trace| {
            integrate(self, s, tolerances, trace)
        })
    }
}

/// The direction of sliding no longer turns if it turns by less than this per unit of slip time `1/L`: a few
/// roundings of the terms that cancel.
const ON_RAY: f64 = 5e-16;
/// Where the contact sticks at the origin, what remains to be turned may be this small a part of the first slip.
const NO_SLIP: f64 = 1e-17;
/// Steps grow with the condition of `T` where all that is left is slow: 7 on the corrected-Mirtich example, at most
/// some 1e5 among a million random impacts with condition up to 1e10.
const MAX_STEPS: u32 = 4_000_000;

/// Slides until something ends it, then sticks or leaves the origin.
fn integrate(
    law: &Routh,
    s: &Scaled,
    tolerances: &Tolerances,
    trace: &mut dyn Observer,
) -> Result<Answer, ImpactError> {
    let flow = Flow::new(s);
    let mut path = Path::new(law, s);
    if s.alpha == 0.0 {
        path.drop_slip_that_cannot_yield();
    }
    let first_slip = path.now.ut.norm();
    let sticks = flow.sticks;
    let mut steps = 0;
    if s.un == 0.0 && !flow.jams(path.now.ut) {
        let mut answer = Answer::new(0.0, Tangent::zeros(), FinalMode::Untouched);
        answer.effort.compressions = 0;
        return Ok(answer);
    }
    path.mark(TraceEvent::Start, trace);

    let mode = 'ended: {
        while path.now.ut.norm() > NO_SLIP * first_slip {
            let direction = path.now.ut / path.now.ut.norm();
            let turning = flow.turning(direction);
            let settled = sticks && path.now.ut.norm() * turning.abs() <= NO_SLIP * first_slip;
            if turning.abs() <= ON_RAY || settled {
                path.mark(TraceEvent::Ray, trace);
                if let Progress::Ended = path.slide_along_ray(&flow, direction, trace)? {
                    break 'ended FinalMode::Ray;
                }
                break;
            }
            steps += 1;
            if steps > MAX_STEPS {
                let residual = turning.abs();
                return Err(ImpactError::NotConverged {
                    law: law.info().id,
                    residual,
                    iterations: steps,
                });
            }
            if let Progress::Ended = taylor::step(&mut path, &flow, trace) {
                break 'ended FinalMode::Slip;
            }
        }
        path.reach_origin(trace);
        if !sticks {
            path.mark(TraceEvent::Reversal, trace);
            path.leave_origin(flow.diverging_ray(s), trace)?;
            break 'ended FinalMode::Diverge;
        }
        path.mark(TraceEvent::Stick, trace);
        path.stick(tolerances, trace)?;
        FinalMode::Stick
    };
    let mut answer = path.finish(mode, trace);
    answer.effort.steps = steps;
    if flow.jams(s.ut) && s.ut.norm() > 0.0 {
        answer.notes.insert(Note::Jamb);
    }
    Ok(answer)
}

/// The right-hand side in slip time, in units of its own rate `L = α|c| + β tr T`.
///
/// The cone `alpha |p_t| ≤ beta p_n` carries both scalings: `dp_n = alpha dπ`, `dp_t = −beta s dπ`.
struct Flow {
    /// `alpha c / L`
    pull: Tangent,
    /// `beta T / L`
    drag: Tangent,
    /// `alpha k / L`
    lift: f64,
    /// `beta c / L`
    load: Tangent,
    /// `beta / L`
    friction: f64,
    /// `1 / L`
    unit: f64,
    /// Whether the contact can stick: `|b| ≤ μ`.
    sticks: bool,
}

impl Flow {
    fn new(s: &Scaled) -> Self {
        let rate = s.alpha * s.c.norm() + s.beta * (s.t.x + s.t.y);
        let unit = if rate > 0.0 { 1.0 / rate } else { 1.0 };
        Self {
            pull: s.c * (s.alpha * unit),
            drag: s.t * (s.beta * unit),
            lift: s.k * s.alpha * unit,
            load: s.c * (s.beta * unit),
            friction: s.beta * unit,
            unit,
            sticks: s.alpha * s.b().norm() <= s.beta,
        }
    }

    /// `f = s⊥·(αc − βTs)/L`: how fast the direction turns.
    fn turning(&self, s: Tangent) -> f64 {
        quarter_turn(s).dot(&(self.pull - self.drag.component_mul(&s)))
    }

    /// `g = s·(αc − βTs)/L`: how fast the slip grows.
    fn growth(&self, s: Tangent) -> f64 {
        s.dot(&(self.pull - self.drag.component_mul(&s)))
    }

    /// `q = (αk − βc·s)/L`: how fast the normal velocity grows.
    fn rise(&self, s: Tangent) -> f64 {
        self.lift - self.load.dot(&s)
    }

    /// Whether sliding like this drives the contact into compression. Where the normal velocity neither grows nor
    /// falls at first, the way the direction turns decides.
    fn jams(&self, slip: Tangent) -> bool {
        let speed = slip.norm();
        if speed == 0.0 {
            return false;
        }
        let s = slip / speed;
        let rise = self.rise(s);
        rise < 0.0 || (rise == 0.0 && self.load.dot(&quarter_turn(s)) * self.turning(s) > 0.0)
    }

    /// The direction in which a contact that cannot stick leaves the origin: the only root of
    /// `(λ I + βT) s = αc`, `|s| = 1` with `λ > 0`.
    fn diverging_ray(&self, scaled: &Scaled) -> Tangent {
        crate::numerics::roots::unit_resolvent(scaled.c * scaled.alpha, scaled.t * scaled.beta).1
    }
}

#[cfg(test)]
mod tests {
    use super::{Phases, Routh, Rule};
    use crate::laws::single::test_contacts::{assert_impulse, disk, sticks_in_compression};
    use crate::laws::single::{ContactLaw, SingleLaw};
    use crate::{Contact, ContactVec, Delassus, ImpactError, Material, Tolerances, Unobserved};

    fn routh(rule: Rule) -> Routh {
        Routh { rule, phases: Phases::Cumulative }
    }

    /// Without coupling the three rules agree: the slip 2 is stopped at p_n = 4/3 by −⅔, before the end at 1.5.
    #[test]
    fn disk_sticks_in_restitution() {
        for rule in [Rule::Poisson, Rule::Stronge, Rule::Newton] {
            assert_impulse(routh(rule), &disk(2.0, 0.5, 0.0), [1.5, -2.0 / 3.0]);
        }
    }

    /// At rest at p_n = 23/15. Poisson adds half of it. Newton goes on to u_n = ½, 0.6 + 1.2/0.75. Stronge has the work
    /// W_c = −0.6 + ½·½·0.36 − 0.7²/1.5 = −0.83666…, so u_n = ½ √(2·¾·0.83666…). On the way p_t = −0.6 − ½ (p_n − 0.6).
    #[test]
    fn coupled_contact_tells_the_rules_apart() {
        let contact = sticks_in_compression(0.0);
        let on_line = |pn: f64| [pn, -0.6 - 0.5 * (pn - 0.6)];
        assert_impulse(routh(Rule::Poisson), &contact, on_line(2.3));
        assert_impulse(routh(Rule::Newton), &contact, on_line(2.2));
        let work = 0.6 - 0.09 + 0.49 / 1.5;
        let un = 0.5 * f64::sqrt(2.0 * 0.75 * work);
        assert_impulse(routh(Rule::Stronge), &contact, on_line(0.6 + (un + 0.7) / 0.75));
    }

    /// The corrected-Mirtich example compresses twice. If the first alone counts, less work is given back.
    #[test]
    fn first_compression_alone_sets_a_smaller_target() {
        let w = Delassus::new([[4.0, 4.0, -7.0], [4.0, 20.0, -23.0], [-7.0, -23.0, 31.0]]).unwrap();
        let u = ContactVec::new([-0.22, 630.0, -780.0]);
        let contact = Contact::new(w, u, Material::new(0.5, 0.9).unwrap()).unwrap();
        let solve = |phases| {
            let law = Routh { rule: Rule::Stronge, phases };
            law.resolve(&contact, &Tolerances::default(), &mut Unobserved).unwrap()
        };
        let (all, first) = (solve(Phases::Cumulative), solve(Phases::First));
        assert_eq!((all.effort.compressions, all.effort.steps), (2, 7));
        assert!(first.impulse.normal() < all.impulse.normal());
        assert!(first.velocity.normal() >= 0.0);
    }

    /// W = g gᵀ with g = (1, −1) yields to nothing along (1, 1), the direction in which friction with μ = 1 presses: a
    /// velocity that the mechanism does not allow is never stopped.
    #[test]
    fn what_never_parts_is_said_to_have_no_solution() {
        let w = Delassus::new([[1.0, -1.0], [-1.0, 1.0]]).unwrap();
        let contact =
            Contact::new(w, ContactVec::new([-1.0, -2.0]), Material::new(1.0, 0.5).unwrap())
                .unwrap();
        let law = SingleLaw::from(routh(Rule::Stronge));
        let refused = law.resolve(&contact, &Tolerances::default(), &mut Unobserved);
        assert!(matches!(refused, Err(ImpactError::NoSolution { .. })), "{refused:?}");
    }
}
