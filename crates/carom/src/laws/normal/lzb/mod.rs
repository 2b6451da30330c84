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
use crate::island::stepping::separate;
use crate::island::{Context, IslandAnswer, self_stress};
use crate::laws::info::{Claims, IslandLaw, LawInfo, ReadsE, with_settings};
use crate::outcome::{Ending, Note, Notes, SolverEffort};
use crate::settings::{law_settings, word_setting};
use model::Model;
use path::{End, Path};

word_setting! {
    /// What becomes of a contact that opens during the impact.
    pub enum Gaps {
        /// It presses as soon as it approaches again.
        Forget = "forget",
        /// It presses when it has closed the gap it opened.
        Remember = "remember",
    }
}

law_settings! {
    /// Springs with two stiffnesses.
    pub struct Lzb {
        /// The power of the indentation in the force: 1 linear, 1.5 Hertz \[1\].
        exponent: f64 = 1.5, "power of the indentation in the force: 1 linear, 1.5 Hertz", in [1.0, 3.0];
        /// Whether contacts remember gaps.
        gaps: Gaps = Gaps::Forget,
            "whether a contact that opened must close its gap before it presses again";
        /// Hunt and Crossley's damping, in place of `e` [s/m].
        hunt_crossley: Option<f64> = None,
            "damping of the force by its speed, in place of e, s/m", in [0.0, f64::MAX];
        /// Steps after which an impact is cut off, besides a thousand for each contact \[1\].
        max_steps: u64 = 100_000,
            "steps after which an impact is cut off, besides a thousand for each contact", in [1.0, 1e9];
    }
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "lzb",
    name: "Liu, Zhao and Brogliato",
    year: 2008,
    summary: "follows springs of given ratios of stiffness through the impact, energetic e at each",
    references: &["LiuZhaoBrogliato2008"],
    reads_e: ReadsE::Energetic,
    settings: Lzb::declared,
    friction: false,
    follows_springs: true,
    claims: Claims { cradle: false, terminates: false, continuous: false, ..Claims::ALL },
    ..LawInfo::SEVERAL_CONTACTS
};

impl Lzb {
    /// Whether opposed contacts lose the energy of their swings; damping loses the less the slower they are.
    fn dissipates(&self, problem: &NormalProblem, opposed: &[bool]) -> bool {
        let loses = |(i, opposed): (usize, &bool)| *opposed && problem.e.at(i) < 1.0;
        self.hunt_crossley.is_none() && opposed.iter().enumerate().any(loses)
    }
}

with_settings!(Lzb);

impl IslandLaw for Lzb {
    fn resolve_island(
        &self,
        island: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let problem = NormalProblem::new(island, context.tolerances)?;
        problem.w.check_entries()?;
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
        separate(&problem, &mut p, context)?;
        let mut notes = Notes::NONE;
        match ending {
            Ending::Projected => notes.insert(Note::Projection),
            Ending::Truncated => notes.insert(Note::Truncated),
            _ => {}
        }
        let effort = SolverEffort { iterations, ending, truncation, ..SolverEffort::default() };
        Ok(IslandAnswer { impulse: problem.impulse(p), effort: effort.into(), notes })
    }
}

#[cfg(test)]
mod tests {
    use super::Lzb;
    use crate::laws::normal::test_chains::{assert_velocities, chain};

    /// What integration leaves, in roundings.
    const INTEGRATED: f64 = 1e6;

    /// One contact: Newton's (1 − e)/2 and (1 + e)/2, for any exponent.
    #[test]
    fn one_contact_rebounds_with_e() {
        let two = chain(&[1.0; 2], &[1.0, 0.0], &[0.5]);
        for exponent in [1.0, 1.5, 3.0] {
            let law = Lzb { exponent, ..Lzb::default() };
            assert_velocities(law, &two, &[0.25, 0.75], INTEGRATED);
        }
    }

    /// At (1, 0, −1) both contacts move alike, each with the work it took times e².
    #[test]
    fn both_sides_rebound() {
        let chain = chain(&[1.0; 3], &[1.0, 0.0, -1.0], &[0.5, 0.5]);
        assert_velocities(Lzb::default(), &chain, &[-0.5, 0.0, 0.5], INTEGRATED);
    }
}
