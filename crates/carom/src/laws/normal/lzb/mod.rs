//! # Liu, Zhao and Brogliato's law (2008)
//!
//! Every contact is a spring, softer when pressed than when released, and only the ratios of their stiffness matter.
//!
//! ## Model
//! In a time that is stretched until the impact takes some of it, with indentations `d` and forces `F`:
//! 1. `F_i = k_i d_i^η`, `p′ = F`, `u′ = W F`
//! 2. `d_i′ = −u_i` while the contact approaches, `d_i′ = −u_i/e_i²` while it leaves, and `d_i ≥ 0`
//! 3. from `d = 0`, until no contact bears a force and none approaches
//!
//! These are the distributing law `dp_i/dp_j = F_i/F_j` and the bi-stiffness energies of the paper, with the indentation
//! for the energy: `E = k d^{η+1}/(η+1)`. Nothing is 0/0 at the start.
//!
//! ## Reads e as
//! Energetic, each contact for itself: over the whole impact the work it gives back is `e²` times the work it took.
//! `e = 0`: all that is stored is lost when the contact stops approaching. `mu` is ignored, and the outcome's notes say
//! so.
//!
//! ## Notation
//! The paper's `δ` → `d`, `K` → `stiffness` of the contact, `η` → `exponent` (1 linear, 3/2 Hertz), `e_*` → `e`,
//! `γ_ij` → ratios of `stiffness`.
//!
//! ## Deviations from the paper
//! - The paper steps in impulse; here time is followed, by a method of order eight from event to event, to about 1e-10.
//! - `gaps = "remember"`: a contact that has opened during the impact must close its gap before it presses again, as in
//!   the limit of stiff bodies; the paper forgets gaps.
//! - `hunt_crossley` replaces `e` by the force `F (1 − 3/2 c u)`, never below zero, and `d′ = −u`.
//! - `e` below 1e-8 is taken as 1e-8, unless it is zero; `e = 0` is not the limit of small `e`, which keeps part of what
//!   is stored if neighbours press on.
//! - Contacts that oppose each other, a body between two walls, swing until their losses bring them to rest. Where they lose
//!   nothing they would swing for ever, and hold both ways from the start.
//! - Light bodies between heavy ones bounce to and fro for very long, a little slower each time. Once they repeat
//!   themselves on a smaller scale they do so for ever, since the equations have no unit of speed, and the end is the
//!   projection on rest of those that bounce.
//! - Hundreds of contacts that lose much and stay together turn from loading to unloading one by one, each turn an event
//!   of its own; bodies a million times lighter than those that press them swing a thousand times meanwhile, and more if
//!   they lose. After `max_steps`, or some seconds of work, what approaches still is stopped without rebound. The end cannot be further
//!   from there, in the norm of kinetic energy, than `√(d² + 2 E)`, with `d` the distance of the velocities from there and
//!   `E` what contacts store: forces push, and what they do on the way to velocities without approach comes from `E`, all
//!   of it or `e²` of it. The effort says so.
//!
//! Contacts that separate need no rule: they act when something makes them approach.
//!
//! ## Limits
//! Where `e = 0` velocities can jump: what is stored is lost at the instant at which a contact stops approaching, and which
//! of several that is can change with the last digit. With `e > 0` everywhere they are continuous.
//!
//! The answer depends on ratios of stiffness, which must be known. Cost grows with the number of contacts that press at the
//! same time, and with every turn from loading to unloading where `e < 1`: a thousand elastic balls in a row take a tenth
//! of a second, a hundred with `e = 0.9` half a second.
//!
//! ## Energy
//! Never grows, proven: `T⁻ − T⁺ = Σ (1 − e_i²) W_i`, with `W_i ≥ 0` the work that contact `i` took.
//!
//! ## References
//! `LiuZhaoBrogliato2008` sections 3 and 4.

mod model;
mod path;
mod similarity;
mod tolerances;

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::energy::clamp_energy;
use crate::island::normal::NormalProblem;
use crate::island::stepping::part;
use crate::island::{Context, IslandAnswer, self_stress};
use crate::laws::several::{CatalogMultiLaw, MultiClaims, MultiRow};
use crate::laws::single::catalog::ReadsE;
use crate::outcome::{Ending, MultiEffort, Note, Notes};
use crate::settings::{Reader, Setting, SettingValue, Settings};
use model::Model;
use path::{End, Path};

/// What becomes of a contact that opens during the impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gaps {
    /// It presses as soon as it approaches again.
    #[default]
    Forget,
    /// It presses when it has closed the gap it opened.
    Remember,
}

/// Springs with two stiffnesses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lzb {
    /// The power of the indentation in the force: 1 linear, 1.5 Hertz \[1\].
    pub exponent: f64,
    /// Whether contacts remember gaps.
    pub gaps: Gaps,
    /// Hunt and Crossley's damping, in place of `e` [s/m].
    pub hunt_crossley: Option<f64>,
    /// Steps after which an impact is cut off, besides a thousand for each contact \[1\].
    pub max_steps: u64,
}

impl Default for Lzb {
    fn default() -> Self {
        Self { exponent: 1.5, gaps: Gaps::Forget, hunt_crossley: None, max_steps: MAX_STEPS }
    }
}

const MAX_STEPS: u64 = 100_000;

pub(crate) const EXPONENT: Setting = Setting {
    name: "exponent",
    default: "1.5",
    range: "1 to 3",
    meaning: "power of the indentation in the force: 1 linear, 1.5 Hertz",
};

pub(crate) const GAPS: Setting = Setting {
    name: "gaps",
    default: "\"forget\"",
    range: "\"forget\" or \"remember\"",
    meaning: "whether a contact that opened must close its gap before it presses again",
};

pub(crate) const HUNT_CROSSLEY: Setting = Setting {
    name: "hunt_crossley",
    default: "absent",
    range: "at least 0 s/m",
    meaning: "damping of the force by its speed, in place of e",
};

const STEPS: Setting = Setting {
    name: "max_steps",
    default: "1e5",
    range: "an integer from 1 to 1e9",
    meaning: "steps after which an impact is cut off, besides a thousand for each contact",
};

pub(crate) const GAP_WORDS: [(&str, Gaps); 2] =
    [("forget", Gaps::Forget), ("remember", Gaps::Remember)];

/// Its row in the catalogue.
pub(crate) static ROW: MultiRow = MultiRow {
    id: "lzb",
    name: "Liu, Zhao and Brogliato",
    year: 2008,
    summary: "follows springs of given ratios of stiffness through the impact, energetic e at each",
    references: &["LiuZhaoBrogliato2008"],
    reads_e: ReadsE::Energetic,
    max_e: 1.0,
    settings: &[EXPONENT, GAPS, HUNT_CROSSLEY, STEPS],
    friction: false,
    follows_springs: true,
    claims: MultiClaims { cradle: false, terminates: false, continuous: false, ..MultiClaims::ALL },
    build: |settings| {
        let reader = Reader::new(ROW.id, ROW.settings, settings)?;
        let exponent = reader.number(EXPONENT.name, 1.5, [1.0, 3.0])?;
        let gaps = reader.choice(GAPS.name, Gaps::Forget, &GAP_WORDS)?;
        let hunt_crossley = read_damping(&reader)?;
        let max_steps = reader.whole(STEPS.name, MAX_STEPS, [1.0, 1e9])?;
        Ok(Lzb { exponent, gaps, hunt_crossley, max_steps }.into())
    },
};

/// Hunt and Crossley's damping, if it is given [s/m].
pub(crate) fn read_damping(reader: &Reader) -> Result<Option<f64>, ImpactError> {
    match reader.get(HUNT_CROSSLEY.name) {
        None => Ok(None),
        Some(_) => reader.number(HUNT_CROSSLEY.name, 0.0, [0.0, f64::MAX]).map(Some),
    }
}

/// The settings that laws of springs have in common.
pub(crate) fn settings_of(exponent: f64, gaps: Gaps, hunt_crossley: Option<f64>) -> Settings {
    let word = GAP_WORDS.iter().find(|(_, other)| *other == gaps).map_or("", |(word, _)| word);
    let mut settings = Settings::from([
        (EXPONENT.name.into(), SettingValue::Number(exponent)),
        (GAPS.name.into(), SettingValue::Text(word.into())),
    ]);
    if let Some(c) = hunt_crossley {
        settings.insert(HUNT_CROSSLEY.name.into(), SettingValue::Number(c));
    }
    settings
}

impl Lzb {
    /// Whether opposed contacts lose the energy of their swings; damping loses the less the slower they are.
    fn dissipates(&self, problem: &NormalProblem, opposed: &[bool]) -> bool {
        let loses = |(i, opposed): (usize, &bool)| *opposed && problem.e.at(i) < 1.0;
        self.hunt_crossley.is_none() && opposed.iter().enumerate().any(loses)
    }
}

impl CatalogMultiLaw for Lzb {
    fn row(&self) -> &'static MultiRow {
        &ROW
    }

    fn settings(&self, _problem: Option<&ContactProblem>) -> Settings {
        let mut settings = settings_of(self.exponent, self.gaps, self.hunt_crossley);
        settings.insert(STEPS.name.into(), SettingValue::Number(self.max_steps as f64));
        settings
    }

    fn resolve_island(
        &self,
        island: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let problem = NormalProblem::new(island, context.tolerances)?;
        let follow = |problem: &NormalProblem, context: &mut Context| {
            let mut path = Path::new(Model::new(self, problem), problem, context);
            let End { impulse, ending, left } = path.follow(self.max_steps, context)?;
            Ok((impulse, (path.steps, ending, left)))
        };
        let opposed = self_stress::opposed(&problem, context);
        let (mut p, (iterations, ending, truncation)) = match opposed.contains(&true) {
            true if !self.dissipates(&problem, &opposed) => {
                self_stress::held(&problem, &opposed, context, follow)?
            }
            true => match follow(&problem, context) {
                // Rounding may leave velocities that no motion has.
                Err(ImpactError::NoSolution { .. }) => {
                    self_stress::held(&problem, &opposed, context, follow)?
                }
                followed => followed?,
            },
            false => follow(&problem, context)?,
        };
        // What integration gained, about 1e-11 of the energy where nothing is lost.
        clamp_energy(&problem, &mut p, context)?;
        part(&problem, &mut p, context)?;
        let mut notes = Notes::NONE;
        match ending {
            Ending::Projected => notes.insert(Note::Projection),
            Ending::Truncated => notes.insert(Note::Truncated),
            _ => {}
        }
        let effort = MultiEffort { iterations, ending, truncation, ..MultiEffort::default() };
        Ok(IslandAnswer { impulse: problem.impulse(p), effort: effort.into(), notes })
    }
}
