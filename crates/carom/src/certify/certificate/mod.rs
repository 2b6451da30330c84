//! Is this impulse physical? Answered from the problem and the impulse alone.
//!
//! Every contact and every island is judged by itself, on its own scale: what another contact does, however large, excuses
//! nothing. Velocities are known in twice the precision and with a bound; where masses are known they follow from these.

mod coulomb;
mod energy;
mod margins;
mod several;
mod unique;

pub use coulomb::CoulombResidual;
pub use margins::{ContactMargins, IslandEnergy, Place, Violation};
pub use several::{Complementarity, SetMargins, Weakest};

use crate::contact::{ContactKind, ContactProblem, Motion, term_sizes};
use crate::outcome::{Note, Notes, PathTotals};
use crate::region::{Inequality, Margin};
use crate::{ImpactError, Tolerances};
use margins::{Scales, smallest};

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

/// How far rounding can have moved the certificate's own numbers: rounding of `W`, of velocities and of sums included.
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
    /// `½ p·(u⁻ + u⁺)`, the work on the relative motion; above zero, energy was created. Of all islands together
    /// \[J\].
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
    /// Every unilateral contact by itself, in order; bilateral ones have no margins.
    pub contacts: Vec<ContactMargins>,
    /// Every island by itself: contacts that exchange no energy with others, or next to none.
    pub islands: Vec<IslandEnergy>,
    /// What fails, and where.
    pub violations: Vec<Violation>,
    /// What is odd about the problem, or about judging it.
    pub notes: Notes,
    /// Quantities that depend on the path, if it is known.
    pub path: Option<PathTotals>,
}

impl Certificate {
    /// Judges `impulse` (contact by contact, normal first [N·s]) on `problem`, whose `W` is taken as exact. Where masses
    /// are known, [`certify`](crate::certify()) does not depend on it.
    pub fn of(
        problem: &ContactProblem,
        impulse: &[f64],
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        check_impulse(problem, impulse)?;
        Self::of_motion(problem, impulse, None, tolerances)
    }

    /// Judges an impulse by what it does to the velocities of masses where that is known.
    pub(crate) fn of_motion(
        problem: &ContactProblem,
        impulse: &[f64],
        motion: Option<Motion>,
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        check_impulse(problem, impulse)?;
        let motion = motion.unwrap_or_else(|| Motion::in_contact_space(problem, impulse));
        let before: Vec<f64> = motion.before.iter().map(|u| u.round()).collect();
        let after: Vec<f64> = motion.after.iter().map(|u| u.round()).collect();
        let reported = problem.velocity_after(impulse);
        let sizes = term_sizes(problem, impulse);
        let grouped = margins::groups(problem);
        let islands = margins::islands(problem, impulse, &motion, &grouped, tolerances);
        let energy = motion.work(impulse, 0..problem.rows());
        let energy_change = energy.round();
        let exchanged = |i: usize| impulse[i].abs() * (before[i].abs() + after[i].abs());
        let energy_scale = 0.5 * (0..problem.rows()).map(exchanged).sum::<f64>();
        let energy_available = islands.iter().map(|island| island.available).sum::<Option<f64>>();
        if !(energy_change + energy_scale + energy_available.unwrap_or(0.0)).is_finite() {
            return Err(ImpactError::Limit("the energies of this impact overflow".into()));
        }
        let impulse_unique = unique::impulse(problem, impulse, &problem.islands(), tolerances);
        let mut certificate = Self {
            energy_change,
            energy_available,
            cone_margin: f64::INFINITY,
            normal_margin: f64::INFINITY,
            separation_margin: f64::INFINITY,
            momentum_residual: residual(&reported, &after, &sizes),
            bilateral_residual: 0.0,
            e_kinematic: Vec::with_capacity(problem.len()),
            rounding: RoundingBounds { energy_change: energy.error(), ..Default::default() },
            verdict: Verdict::Permissible,
            coulomb: CoulombResidual::of(problem, impulse, &before, &after),
            complementarity: Complementarity::of(problem, impulse, &after, energy_scale),
            impulse_unique,
            velocity_unique: match several::restitution_is_common(problem) {
                true => Some(true),
                false => impulse_unique,
            },
            permissible_set: None,
            weakest: Weakest::default(),
            contacts: Vec::with_capacity(problem.len()),
            islands,
            violations: Vec::new(),
            notes: Notes::NONE,
            path: None,
        };
        certificate.judge_islands(tolerances);
        let scales = Scales::new(problem, &grouped, &motion, &sizes, tolerances);
        certificate.judge_contacts(problem, impulse, &motion, &scales, tolerances);
        if let Some(masses) = &motion.masses {
            let rounded = (0..problem.rows())
                .any(|i| (reported[i] - after[i]).abs() > tolerances.verdict * sizes[i]);
            if rounded {
                certificate.notes.insert(Note::MatrixRounded);
            }
            if masses.joints_broken {
                certificate.notes.insert(Note::JointsBroken);
            }
        }
        certificate.permissible_set = SetMargins::of(problem, impulse, &certificate);
        Ok(certificate)
    }

    /// The same certificate with what only the path can tell.
    pub fn with_path(mut self, path: Option<PathTotals>) -> Self {
        self.path = path;
        self
    }

    fn judge_islands(&mut self, tolerances: &Tolerances) {
        for (index, island) in self.islands.iter().enumerate() {
            let margin = island.margin();
            let failed = margin < -tolerances.verdict * island.scale - island.rounding;
            if failed {
                let (inequality, place) = (Inequality::Energy, Place::Island(index));
                let scale = island.scale;
                self.violations.push(Violation { inequality, place, margin, scale });
            }
            // Equality is no matter of what the contacts could lose at most.
            let touches = island.change >= -tolerances.verdict * island.scale;
            self.verdict.meet(Inequality::Energy, failed, touches);
        }
    }

    fn judge_contacts(
        &mut self,
        problem: &ContactProblem,
        impulse: &[f64],
        motion: &Motion,
        scales: &Scales,
        tolerances: &Tolerances,
    ) {
        let mut joint_rounding: f64 = 0.0;
        for (k, spec) in problem.contacts().iter().enumerate() {
            let rows = problem.row_range(k);
            let (before, after) = (motion.before[rows.start].round(), motion.after[rows.start]);
            if spec.kind == ContactKind::Bilateral {
                for i in rows {
                    let speed = motion.after[i].round().abs();
                    self.bilateral_residual = self.bilateral_residual.max(speed);
                    joint_rounding = joint_rounding.max(motion.after[i].error());
                    let rounding = motion.after[i].error();
                    let margin = Margin { value: -speed, scale: scales.velocity[i], rounding };
                    self.judge(Inequality::Bilateral, k, margin, tolerances);
                }
                self.e_kinematic.push(None);
                self.contacts.push(ContactMargins::NONE);
                continue;
            }
            let own = &impulse[rows.clone()];
            let margins = match problem.takes_part(k) {
                true => ContactMargins::of(spec, own, after, scales.of(k)),
                false => ContactMargins::apart(own),
            };
            self.e_kinematic.push((before < 0.0).then(|| -after.round() / before));
            for (inequality, margin) in margins.each() {
                self.judge(inequality, k, margin, tolerances);
            }
            self.contacts.push(margins);
        }
        let cone = smallest(self.contacts.iter().map(|c| c.cone));
        let normal = smallest(self.contacts.iter().map(|c| c.normal));
        let separation = smallest(self.contacts.iter().map(|c| c.separation));
        self.cone_margin = cone.value;
        self.normal_margin = normal.value;
        self.separation_margin = separation.value;
        self.weakest = Weakest {
            separation: separation.whose,
            normal_impulse: normal.whose,
            cone: cone.whose,
        };
        self.rounding.cone_margin = cone.rounding.max(normal.rounding);
        self.rounding.separation_margin = separation.rounding.max(joint_rounding);
    }

    fn judge(
        &mut self,
        inequality: Inequality,
        contact: usize,
        margin: Margin,
        tolerances: &Tolerances,
    ) {
        let Margin { value: margin, scale, rounding } = margin;
        let failed = margin < -tolerances.verdict * scale - rounding;
        if failed {
            let place = Place::Contact(contact);
            self.violations.push(Violation { inequality, place, margin, scale });
        }
        // A bilateral row is always met with equality: it does not make an impact borderline.
        let touches = inequality != Inequality::Bilateral && margin <= tolerances.verdict * scale;
        self.verdict.meet(inequality, failed, touches);
    }
}

impl Verdict {
    /// Takes note of one more inequality; those that fail keep the order of [`Inequality`].
    fn meet(&mut self, inequality: Inequality, failed: bool, touches: bool) {
        match self {
            Self::Violates(which) if failed => {
                if let Err(at) = which.binary_search(&inequality) {
                    which.insert(at, inequality);
                }
            }
            Self::Violates(_) => {}
            _ if failed => *self = Self::Violates(vec![inequality]),
            _ if touches => *self = Self::Boundary,
            _ => {}
        }
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
