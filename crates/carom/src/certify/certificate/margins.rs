//! Margins of single contacts and islands, each on its own scale.

use super::energy::{self, Available};
use crate::Tolerances;
use crate::contact::{ContactKind, ContactProblem, ContactSpec, Island, Motion, connected_by};
use crate::numerics::ball::Ball;
use crate::region::{Inequality, Margin};

/// The margins of one contact; each is above zero where its condition holds. A margin counts as zero within the tolerance
/// of verdicts times its scale, which is made of the contact's own terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMargins {
    /// `μ p_n − |p_t|`; with μ = ∞ or one row, `p_n` [N·s].
    pub cone: Margin,
    /// `p_n` [N·s].
    pub normal: Margin,
    /// `u_n⁺` [m/s]. Infinite for a contact that takes no part.
    pub separation: Margin,
}

/// The energy of contacts that exchange none with others.
#[derive(Clone, Debug, PartialEq)]
pub struct IslandEnergy {
    /// Indices of the contacts, ascending.
    pub contacts: Vec<usize>,
    /// `½ p·(u⁻ + u⁺)` over the island's rows; above zero, energy was created \\[J\\].
    pub change: f64,
    /// `½ Σ |p| (|u⁻| + |u⁺|)`, what the impulses exchange \\[J\\].
    pub scale: f64,
    /// How far rounding can have moved `change` \\[J\\].
    pub rounding: f64,
    /// All that the contacts could take away; absent where the island is large and no chain \\[J\\].
    pub available: Option<f64>,
    /// How much more was lost than there is; zero where that cannot be told \\[J\\].
    pub overdrawn: f64,
}

/// A condition that fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// Which one.
    pub inequality: Inequality,
    /// Where.
    pub place: Place,
    /// By how much, below zero [J, m/s or N·s].
    pub margin: f64,
    /// The size of the terms that it is compared with [as `margin`].
    pub scale: f64,
}

/// Where a condition fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At this contact.
    Contact(usize),
    /// In this island.
    Island(usize),
}

/// A smallest margin.
pub(super) struct Smallest {
    pub(super) value: f64,
    /// How far rounding can have moved it.
    pub(super) rounding: f64,
    /// Whose it is.
    pub(super) whose: Option<usize>,
}

/// The smallest of some margins. Only contacts that rounding could make the smallest count in its bound.
pub(super) fn smallest(margins: impl Iterator<Item = Margin> + Clone) -> Smallest {
    let mut smallest = Smallest { value: f64::INFINITY, rounding: 0.0, whose: None };
    let mut lowest = f64::INFINITY;
    let mut highest = f64::INFINITY;
    for (k, margin) in margins.enumerate() {
        if margin.value < smallest.value {
            (smallest.value, smallest.whose) = (margin.value, Some(k));
        }
        lowest = lowest.min(margin.value - margin.rounding);
        highest = highest.min(margin.value + margin.rounding);
    }
    if smallest.whose.is_some() {
        // The differences round as well.
        let bound = (smallest.value - lowest).max(highest - smallest.value);
        smallest.rounding = bound + f64::EPSILON * (bound + smallest.value.abs());
    }
    smallest
}

impl ContactMargins {
    const NO_MARGIN: Margin = Margin { value: f64::INFINITY, scale: 0.0, rounding: 0.0 };

    /// Those of a contact that holds both ways.
    pub(super) const NONE: Self =
        Self { cone: Self::NO_MARGIN, normal: Self::NO_MARGIN, separation: Self::NO_MARGIN };

    /// Of a unilateral contact with its own rows of the impulse and its normal velocity afterwards.
    pub(super) fn of(
        spec: &ContactSpec,
        impulse: &[f64],
        after: Ball,
        scale: ContactScale,
    ) -> Self {
        let normal = impulse[0];
        let mu = spec.material.mu;
        let square = |sum: Ball, p: &f64| sum + Ball::from(*p) * Ball::from(*p);
        let (cone, terms) = match impulse {
            [_] => (Ball::from(normal), normal.abs()),
            _ if mu.is_infinite() => (Ball::from(normal), normal.abs()),
            [_, along] => {
                let margin = Ball::from(mu) * normal.into() - Ball::from(along.abs());
                (margin, mu * normal.abs() + along.abs())
            }
            [_, tangents @ ..] => {
                // Large and small impulses square alike once they are near one.
                let unit = crate::contact::power_of_two_near(crate::numerics::largest(tangents));
                let scaled = tangents.iter().map(|p| p / unit);
                let length = scaled.fold(Ball::ZERO, |sum, p| square(sum, &p)).root();
                let margin = Ball::from(mu) * normal.into() - length * unit.into();
                let sum: f64 = tangents.iter().map(|p| p.abs()).sum();
                (margin, mu * normal.abs() + sum)
            }
            [] => (Ball::ZERO, 0.0),
        };
        let margin = |value: Ball, scale: f64| Margin {
            value: value.round(),
            scale,
            rounding: value.error(),
        };
        Self {
            cone: margin(cone, terms.max(scale.impulse)),
            normal: margin(normal.into(), normal.abs().max(scale.impulse)),
            separation: margin(after, scale.velocity),
        }
    }

    /// Of a contact that takes no part: it may do anything but push, and need not separate.
    pub(super) fn apart(impulse: &[f64]) -> Self {
        let through_air = crate::numerics::largest(impulse);
        let margin = Margin { value: -through_air, scale: through_air, rounding: 0.0 };
        Self { cone: margin, normal: margin, separation: Self::NO_MARGIN }
    }

    /// The margins with the inequalities they belong to, in a fixed order.
    pub const fn each(&self) -> [(Inequality, Margin); 3] {
        [
            (Inequality::Separation, self.separation),
            (Inequality::NormalImpulse, self.normal),
            (Inequality::Cone, self.cone),
        ]
    }
}

impl IslandEnergy {
    /// Below zero where energy is created, or where more is lost than there is \\[J\\].
    pub fn margin(&self) -> f64 {
        if self.overdrawn > 0.0 { -self.overdrawn.max(self.change) } else { -self.change }
    }
}

/// Contacts coupled less than this, relative to their own compliance, are islands of their own: what passes between them
/// is counted, and the rest must balance on either side \[1\].
const COUPLING: f64 = 1e-12;

/// Contacts that exchange energy worth the name. Rounding of rows couples what nothing couples.
pub(super) fn groups(problem: &ContactProblem) -> Vec<Island> {
    let w = problem.delassus();
    if w.is_large_factored() {
        return problem.islands();
    }
    let roots: Vec<f64> = (0..problem.rows()).map(|i| f64::sqrt(w.at(i, i))).collect();
    let mut owner = vec![0; problem.rows()];
    for k in 0..problem.len() {
        owner[problem.row_range(k)].fill(k as u32);
    }
    let strong = |i: usize, j: usize, w: f64| j < i && w.abs() > COUPLING * roots[i] * roots[j];
    let groups = connected_by(&owner, problem.len(), |take| {
        for i in 0..problem.rows() {
            w.for_entries(i, |j, w| {
                if strong(i, j, w) {
                    take(i, j)
                }
            });
        }
    });
    groups.into_iter().map(|contacts| Island { contacts }).collect()
}

/// `Σ |p_i W_ij p_j|` between the rows of an island and those of others: what passes between them, at most \[J\].
fn exchanged(problem: &ContactProblem, impulse: &[f64], islands: &[Island]) -> Vec<f64> {
    let mut sums = vec![0.0; islands.len()];
    let w = problem.delassus();
    if islands.len() == 1 || w.is_large_factored() {
        return sums;
    }
    let mut island_of = vec![0; problem.rows()];
    for (index, island) in islands.iter().enumerate() {
        island.contacts.iter().for_each(|&k| island_of[problem.row_range(k)].fill(index));
    }
    for i in (0..problem.rows()).filter(|&i| impulse[i] != 0.0) {
        w.for_entries(i, |j, w| {
            if island_of[i] != island_of[j] {
                sums[island_of[i]] += (w * impulse[i] * impulse[j]).abs();
            }
        });
    }
    sums
}

/// The energies of the islands.
pub(super) fn islands(
    problem: &ContactProblem,
    impulse: &[f64],
    motion: &Motion,
    islands: &[Island],
    tolerances: &Tolerances,
) -> Vec<IslandEnergy> {
    // Masses lose no more than they have, whatever W says; what drives give is not known to W.
    let closed = motion.masses.is_none() && problem.drive().iter().all(|w| *w == 0.0);
    let across = exchanged(problem, impulse, islands);
    let energy = |(island, across): (&Island, f64)| {
        let rows = || island.contacts.iter().flat_map(|&k| problem.row_range(k));
        let change = motion.work(impulse, rows());
        let terms = rows().map(|i| {
            let (before, after) = (motion.before[i].round(), motion.after[i].round());
            0.5 * impulse[i].abs() * (before.abs() + after.abs())
        });
        let scale = terms.sum::<f64>() + across / tolerances.verdict;
        let available = energy::available(problem, island, tolerances);
        let overdrawn = match available {
            Some(Available { energy, rounding }) if closed => -change.round() - energy - rounding,
            _ => 0.0,
        };
        IslandEnergy {
            contacts: island.contacts.clone(),
            change: change.round(),
            scale,
            rounding: change.error(),
            available: available.map(|available| available.energy),
            overdrawn: if overdrawn > tolerances.verdict * scale { overdrawn } else { 0.0 },
        }
    };
    islands.iter().zip(across).map(energy).collect()
}

/// With what the numbers of each contact are compared.
pub(super) struct Scales {
    /// The sizes of the terms of each row's velocity, and what approach counts as none [m/s].
    pub(super) velocity: Vec<f64>,
    /// Per contact, the impulse that would make its normal velocity of that size [N·s].
    impulse: Vec<f64>,
    first_rows: Vec<usize>,
}

/// With what the numbers of one contact are compared.
#[derive(Clone, Copy)]
pub(super) struct ContactScale {
    velocity: f64,
    impulse: f64,
}

impl Scales {
    pub(super) fn new(
        problem: &ContactProblem,
        islands: &[Island],
        motion: &Motion,
        sizes: &[f64],
        tolerances: &Tolerances,
    ) -> Self {
        let mut velocity = sizes.to_vec();
        let first_rows: Vec<usize> =
            (0..problem.len()).map(|k| problem.row_range(k).start).collect();
        let reach = |&i: &usize| match problem.delassus_at(i, i) {
            w if w > 0.0 => sizes[i] / w,
            _ => 0.0,
        };
        let impulse = first_rows.iter().map(reach).collect();
        for island in islands {
            // Laws take slower approaches than that for none.
            let normals = || island.contacts.iter().map(|&k| first_rows[k]);
            let fastest = normals().flat_map(|i| [motion.before[i], motion.after[i]]);
            let fastest = fastest.fold(0.0, |m: f64, u| m.max(u.round().abs()));
            let unseen = tolerances.approach * fastest / tolerances.verdict;
            normals().for_each(|i| velocity[i] = velocity[i].max(unseen));
            if let Some(masses) = &motion.masses {
                let least = |i: usize| masses.before_rounding[i] / tolerances.verdict;
                normals().for_each(|i| velocity[i] = velocity[i].max(least(i)));
            }
        }
        Self { velocity, impulse, first_rows }
    }

    pub(super) fn of(&self, contact: usize) -> ContactScale {
        let velocity = self.velocity[self.first_rows[contact]];
        ContactScale { velocity, impulse: self.impulse[contact] }
    }
}

/// Whether unilateral contacts rub.
pub(super) fn has_friction(problem: &ContactProblem, impulse: &[f64]) -> bool {
    (0..problem.len()).any(|k| {
        let rows = problem.row_range(k);
        problem.contacts()[k].kind == ContactKind::Unilateral
            && impulse[rows.start + 1..rows.end].iter().any(|p| *p != 0.0)
    })
}
