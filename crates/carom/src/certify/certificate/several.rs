//! What a certificate says of several contacts at once.

use super::Certificate;
use super::margins::has_friction;
use crate::ImpactError;
use crate::contact::{ContactKind, ContactProblem};
use crate::region::several::PermissibleSet;

/// How far an impulse is from `0 ≤ p_i ⟂ u_i⁺ + e_i u_i⁻ ≥ 0`, Newton's law for several contacts, on normal rows.
/// Contacts that separate before count without restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complementarity {
    /// The largest `|min(W_ii p_i, u_i⁺ + e_i u_i⁻)|`, relative to the largest `|u⁻|` \[1\].
    pub residual: f64,
    /// `Σ p_i (u_i⁺ + e_i u_i⁻)`, twice the energy by which the impulse misses the law's optimum if it is feasible,
    /// relative to `½ Σ |p| (|u⁻| + |u⁺|)` \[1\].
    pub gap: f64,
}

/// Margins of the three conditions of the set of permissible frictionless outcomes; each is above zero inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetMargins {
    /// Whether all three hold, up to the tolerance of verdicts.
    pub inside: bool,
    /// The energy that is lost; of islands that no contact couples, the least \[J\].
    pub energy_margin: f64,
    /// The smallest `u_n⁺` [m/s].
    pub separation_margin: f64,
    /// The smallest `p_n` [N·s].
    pub impulse_margin: f64,
}

/// Which contact decides each margin; absent if none does, as where all hold both ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weakest {
    /// The smallest `u_n⁺`.
    pub separation: Option<usize>,
    /// The smallest `p_n`.
    pub normal_impulse: Option<usize>,
    /// The smallest `μ p_n − |p_t|`.
    pub cone: Option<usize>,
}

impl PermissibleSet<'_> {
    /// Whether an impulse (one number per row [N·s]) leads into the set, and how far from its edges. Refused if it has
    /// friction.
    pub fn contains(&self, impulse: &[f64]) -> Result<SetMargins, ImpactError> {
        let certificate = Certificate::of(self.problem, impulse, &self.tolerances)?;
        certificate.permissible_set.ok_or_else(|| {
            let reason = "the permissible set is that of frictionless impacts: tangential impulses must be zero";
            ImpactError::bad_problem("impulse", "with friction", reason)
        })
    }
}

impl SetMargins {
    /// The margins of an impulse that has been judged; absent if unilateral contacts have friction in it. Islands do
    /// not exchange energy, so the one that loses least counts.
    pub(super) fn of(
        problem: &ContactProblem,
        impulse: &[f64],
        certificate: &Certificate,
    ) -> Option<Self> {
        if has_friction(problem, impulse) {
            return None;
        }
        let lost = certificate.islands.iter().map(|island| -island.change);
        Some(Self {
            // Without friction the cone is no more than a push.
            inside: certificate.verdict.is_permissible(),
            energy_margin: lost.fold(f64::INFINITY, f64::min),
            separation_margin: certificate.separation_margin,
            impulse_margin: certificate.normal_margin,
        })
    }
}

impl Complementarity {
    pub(super) fn of(
        problem: &ContactProblem,
        impulse: &[f64],
        after: &[f64],
        energy_scale: f64,
    ) -> Self {
        let mut worst: f64 = 0.0;
        let mut gap = 0.0;
        let mut speed: f64 = 0.0;
        let mut caused: f64 = 0.0;
        for (k, spec) in problem.contacts().iter().enumerate() {
            let i = problem.row_range(k).start;
            let before = problem.velocity()[i];
            speed = speed.max(before.abs());
            caused = caused.max((after[i] - before).abs());
            if spec.kind == ContactKind::Bilateral {
                continue;
            }
            let approach = (-before).max(0.0);
            let e = spec.material.restitution.at(approach);
            let beyond = after[i] - e * approach;
            let push = problem.delassus_at(i, i) * impulse[i];
            worst = worst.max(push.min(beyond).abs());
            gap += impulse[i] * beyond;
        }
        // Where nothing moves before, what the impulse causes is all there is to compare with.
        let scale = if speed > 0.0 { speed } else { caused };
        let relative = |x: f64, scale: f64| if x == 0.0 { 0.0 } else { x / scale };
        let finite = |x: f64| if x.is_nan() { f64::INFINITY } else { x };
        Self { residual: finite(relative(worst, scale)), gap: finite(relative(gap, energy_scale)) }
    }
}

/// Whether all unilateral contacts have the same `e` at the speed with which they approach.
pub(super) fn restitution_is_common(problem: &ContactProblem) -> bool {
    let mut common = None;
    problem.contacts().iter().enumerate().filter(|(_, c)| c.kind == ContactKind::Unilateral).all(
        |(k, contact)| {
            let approach = (-problem.velocity()[problem.row_range(k).start]).max(0.0);
            let e = contact.material.restitution.at(approach);
            *common.get_or_insert(e) == e
        },
    )
}
