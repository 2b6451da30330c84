//! Is this impulse physical? Answered from the problem and the impulse alone.

mod after;
mod coulomb;
mod energy;
mod several;
mod unique;

pub use coulomb::CoulombResidual;
pub use several::{Complementarity, SetMargins, Weakest};

use crate::contact::{ContactKind, ContactProblem};
use crate::numerics::double::Double;
use crate::numerics::largest;
use crate::outcome::PathTotals;
use crate::region::Inequality;
use crate::{ImpactError, Tolerances};
use after::velocity_after;

/// The judgement on an impulse.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every condition holds with room to spare.
    Permissible,
    /// Every condition holds, some of them with equality (a sliding contact lies on its cone).
    Boundary,
    /// Some conditions fail.
    Violates(Vec<Inequality>),
}

impl Verdict {
    /// Whether every condition holds.
    pub fn is_permissible(&self) -> bool {
        !matches!(self, Self::Violates(_))
    }
}

/// How far rounding can have moved the certificate's own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RoundingBounds {
    /// For `energy_change` \[J\].
    pub energy_change: f64,
    /// For `cone_margin` and `normal_margin` [N·s].
    pub cone_margin: f64,
    /// For `separation_margin` and `bilateral_residual` [m/s].
    pub separation_margin: f64,
}

/// What can be said about an impulse without knowing where it came from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Certificate {
    /// `½ p·(u⁻ + u⁺)`, the work on the relative motion; above zero, energy was created \[J\].
    pub energy_change: f64,
    /// `½ u⁻ᵀ W⁺ u⁻`, all that the contacts could take away. Absent where more than 600 rows are coupled in another way
    /// than as a chain \[J\].
    pub energy_available: Option<f64>,
    /// The smallest `μ p_n − |p_t|` over the unilateral contacts; with μ = ∞, `p_n` [N·s].
    pub cone_margin: f64,
    /// The smallest `p_n` over the unilateral contacts [N·s].
    pub normal_margin: f64,
    /// The smallest `u_n⁺` over the unilateral contacts [m/s].
    pub separation_margin: f64,
    /// The error of momentum balance relative to the terms balanced: in contact space that of `u⁺ = u⁻ + W p`, where the
    /// mass is known that of `M Δv = Jᵀp + Bᵀλ` \[1\].
    pub momentum_residual: f64,
    /// The largest `|u⁺|` on bilateral rows [m/s].
    pub bilateral_residual: f64,
    /// `−u_n⁺/u_n⁻` per contact; absent where the contact did not approach \[1\].
    pub e_kinematic: Vec<Option<f64>>,
    /// How far rounding can have moved these numbers.
    pub rounding: RoundingBounds,
    /// The judgement.
    pub verdict: Verdict,
    /// How far the impulse is from Newton's restitution with Coulomb's friction. Most laws mean to be.
    pub coulomb: CoulombResidual,
    /// How far the impulse is from Newton's complementarity. Most laws mean to be.
    pub complementarity: Complementarity,
    /// Whether no other impulse that is allowed gives the same velocities. Absent where islands of contacts are too
    /// large to tell, or where friction on the edge of its cone would have to.
    pub impulse_unique: Option<bool>,
    /// Whether laws that give back a share of each impulse leave one velocity only: impulses are unique, or the
    /// restitution of all contacts is the same. Absent where it is not known whether impulses are unique.
    pub velocity_unique: Option<bool>,
    /// Membership in the set of frictionless outcomes that mechanics and energy allow. Absent if there is friction.
    pub permissible_set: Option<SetMargins>,
    /// The contacts that decide the margins.
    pub weakest: Weakest,
    /// Quantities that depend on the path, if it is known.
    pub path: Option<PathTotals>,
}

impl Certificate {
    /// Judges `impulse` (contact by contact, normal first [N·s]) on `problem`.
    pub fn of(
        problem: &ContactProblem,
        impulse: &[f64],
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        check_impulse(problem, impulse)?;
        let before = problem.velocity();
        let n = problem.rows();
        let (after, sizes) = velocity_after(problem, impulse);
        let doubled: Double = (0..n)
            .map(|i| Double::from(impulse[i]) * (Double::from(before[i]) + after[i]))
            .fold(Double::from(0.0), |sum, term| sum + term);
        let energy_change = 0.5 * doubled.round();
        let after: Vec<f64> = after.into_iter().map(Double::round).collect();
        let reported = problem.velocity_after(impulse);

        let energy_terms: f64 =
            (0..n).map(|i| impulse[i].abs() * (before[i].abs() + after[i].abs())).sum();
        let islands = problem.islands();
        let energy_available = energy::available(problem, &islands, tolerances);
        let energy_scale = 0.5 * energy_terms;
        if !(energy_change + energy_scale + energy_available.unwrap_or(0.0)).is_finite() {
            return Err(ImpactError::Limit("the energies of this impact overflow".into()));
        }
        let velocity_scale = sizes.iter().copied().fold(0.0, f64::max);
        let impulse_scale = largest(impulse);
        // Rounding of a result, and of a sum of n products in twice the precision.
        let rounding = |value: f64, terms: f64| {
            f64::EPSILON * (value.abs() + (n as f64 + 2.0) * f64::EPSILON * terms)
        };
        let energy_sizes: f64 =
            (0..n).map(|i| impulse[i].abs() * (before[i].abs() + sizes[i])).sum();
        let largest_after = largest(&after);

        let impulse_unique = unique::impulse(problem, impulse, &islands, tolerances);
        let mut certificate = Self {
            energy_change,
            energy_available,
            cone_margin: f64::INFINITY,
            normal_margin: f64::INFINITY,
            separation_margin: f64::INFINITY,
            momentum_residual: residual(&reported, &after, &sizes),
            bilateral_residual: 0.0,
            e_kinematic: Vec::with_capacity(problem.len()),
            rounding: RoundingBounds {
                energy_change: rounding(energy_change, energy_sizes),
                cone_margin: 0.0,
                separation_margin: rounding(largest_after, velocity_scale),
            },
            verdict: Verdict::Permissible,
            coulomb: CoulombResidual::of(problem, impulse, &after),
            complementarity: Complementarity::of(problem, impulse, &after, energy_scale),
            impulse_unique,
            velocity_unique: match several::restitution_is_common(problem) {
                true => Some(true),
                false => impulse_unique,
            },
            permissible_set: None,
            weakest: Weakest::default(),
            path: None,
        };
        let mut cone_scale = impulse_scale;
        for (k, spec) in problem.contacts().iter().enumerate() {
            let rows = problem.row_range(k);
            let first = rows.start;
            if spec.kind == ContactKind::Bilateral {
                let residual = largest(&after[rows]);
                certificate.bilateral_residual = certificate.bilateral_residual.max(residual);
                certificate.e_kinematic.push(None);
                continue;
            }
            let normal = impulse[first];
            let tangential =
                impulse[first + 1..rows.end].iter().fold(0.0, |h, p| libm::hypot(h, *p));
            let mu = spec.material.mu;
            let margin = match rows.len() {
                1 => normal,
                _ if mu.is_infinite() => normal,
                _ => mu * normal - tangential,
            };
            if rows.len() > 1 && mu.is_finite() {
                cone_scale = cone_scale.max(mu * normal.abs() + tangential);
            }
            lower(&mut certificate.cone_margin, margin, &mut certificate.weakest.cone, k);
            lower(
                &mut certificate.normal_margin,
                normal,
                &mut certificate.weakest.normal_impulse,
                k,
            );
            lower(
                &mut certificate.separation_margin,
                after[first],
                &mut certificate.weakest.separation,
                k,
            );
            let approached = before[first] < 0.0;
            certificate.e_kinematic.push(approached.then(|| -after[first] / before[first]));
        }
        certificate.rounding.cone_margin = 4.0 * f64::EPSILON * cone_scale;
        certificate.verdict =
            certificate.judge(tolerances.verdict, energy_scale, velocity_scale, cone_scale);
        certificate.permissible_set =
            SetMargins::of(problem, impulse, &after, &islands, &certificate, tolerances.verdict);
        Ok(certificate)
    }

    /// The same certificate with what only the path can tell.
    pub fn with_path(mut self, path: Option<PathTotals>) -> Self {
        self.path = path;
        self
    }

    fn judge(&self, tolerance: f64, energy: f64, velocity: f64, impulse: f64) -> Verdict {
        let margins = [
            (Inequality::Energy, -self.energy_change, energy),
            (Inequality::Separation, self.separation_margin, velocity),
            (Inequality::NormalImpulse, self.normal_margin, impulse),
            (Inequality::Cone, self.cone_margin, impulse),
            (Inequality::Bilateral, -self.bilateral_residual, velocity),
        ];
        let violated: Vec<Inequality> = margins
            .iter()
            .filter(|(_, margin, scale)| *margin < -tolerance * scale)
            .map(|(inequality, ..)| *inequality)
            .collect();
        if !violated.is_empty() {
            return Verdict::Violates(violated);
        }
        // A bilateral row is always met with equality: it does not make an impact borderline.
        let touches = |&(which, margin, scale): &(Inequality, f64, f64)| {
            which != Inequality::Bilateral && margin <= tolerance * scale
        };
        if margins.iter().any(touches) { Verdict::Boundary } else { Verdict::Permissible }
    }
}

fn check_impulse(problem: &ContactProblem, impulse: &[f64]) -> Result<(), ImpactError> {
    if impulse.len() != problem.rows() {
        let reason = format!("the contacts together own {} rows", problem.rows());
        return Err(ImpactError::bad_problem(
            "impulse",
            format!("{} numbers", impulse.len()),
            reason,
        ));
    }
    match impulse.iter().position(|p| !p.is_finite()) {
        Some(i) => {
            let field = format!("impulse[{i}]");
            Err(ImpactError::bad_problem(field, impulse[i], "must be a finite number"))
        }
        None => Ok(()),
    }
}

/// Takes a margin if it is the smallest so far, and whose it is.
fn lower(margin: &mut f64, candidate: f64, whose: &mut Option<usize>, contact: usize) {
    if candidate < *margin {
        (*margin, *whose) = (candidate, Some(contact));
    }
}

/// The largest difference between the velocity that is reported and the exact one, relative to the terms of its row.
fn residual(reported: &[f64], exact: &[f64], sizes: &[f64]) -> f64 {
    let off = |i: usize| {
        let difference = (reported[i] - exact[i]).abs();
        if difference == 0.0 { 0.0 } else { difference / sizes[i] }
    };
    (0..exact.len()).map(off).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests;
