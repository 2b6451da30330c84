//! The permissible set: every frictionless outcome that mechanics and energy allow, whatever the law.
//!
//! For the normal rows of all unilateral contacts it is the set of velocities `u⁺ = u⁻ + W p` that some `p` reaches with
//!
//! 1. `p_i ≥ 0`: contacts push,
//! 2. `u_i⁺ ≥ 0`: no contact approaches any more, and
//! 3. `u⁻·p + ½ pᵀ W p ≤ 0`: no energy is created.
//!
//! It is convex, and in the kinetic metric, in which `W = BᵀB` and a velocity is a point `x = B p`, it is the part of a
//! ball that lies in two cones. Its point of least energy is the outcome of maximum dissipation, `u_I`. What joints and
//! bilateral contacts hold is folded into `W`. Islands, contacts that `W` does not couple, exchange no energy: the set
//! is the product of theirs.
//!
//! A law picks one point of this set; how large the set is tells how much is the law's choice and not mechanics'.
//!
//! # Limits
//! * `W` is used in full: at most [`MAX_CONTACTS`] unilateral contacts.
//! * Redundant contacts: outcomes are velocities. Of the impulses that reach one, the smallest is given.
//! * Contacts that press against each other (a body between two walls) leave the set flat; membership is known, samples are not.
//! * Redundant contacts whose velocities no motion has (walls that move against each other) are refused: their energy
//!   depends on the impulse and not on velocities alone.
//!
//! # References
//! `Glocker2004` sections 5 and 6; rays and sampling are derived here.

mod cone;
mod island_set;
mod orders;
mod sample;

pub use sample::Sampler;

use crate::contact::ContactProblem;
use crate::numerics::random::Random;
use crate::{ImpactError, Tolerances};
use island_set::IslandSet;

/// More unilateral contacts are refused.
pub const MAX_CONTACTS: usize = 200;

/// The permissible set of a problem.
///
/// ```
/// use carom::certify::PermissibleSet;
/// use carom::{ContactProblem, ContactSpec, Material, Tolerances};
///
/// // Newton's cradle of three: u = (−1, 0), W of a chain of unit masses.
/// let contact = ContactSpec::new(1, Material::new(0.0, 1.0)?);
/// let problem = ContactProblem::new(&[2.0, -1.0, -1.0, 2.0], &[-1.0, 0.0], &[contact; 2])?;
/// let set = PermissibleSet::of(&problem, &Tolerances::default())?;
/// // Maximum dissipation: all three move on together, impulses 2/3 and 1/3.
/// let plastic = set.maximum_dissipation();
/// assert!((plastic.impulse[0] - 2.0 / 3.0).abs() < 1e-15);
/// // The real cradle: everything goes to the last ball, impulses 1 and 1.
/// assert!(set.contains(&[1.0, 1.0])?.inside);
/// assert!(set.is_stieltjes());
/// for outcome in set.sample(10, 1)? {
///     assert!(set.contains(&outcome.impulse)?.inside);
/// }
/// # Ok::<(), carom::ImpactError>(())
/// ```
pub struct PermissibleSet<'a> {
    pub(crate) problem: &'a ContactProblem,
    pub(crate) tolerances: Tolerances,
    islands: Vec<IslandSet>,
}

/// One way in which the impact may end.
#[derive(Clone, Debug, PartialEq)]
pub struct PermissibleOutcome {
    /// One number per row of the problem [N·s].
    pub impulse: Vec<f64>,
    /// `u⁺`, one number per row of the problem [m/s].
    pub velocity: Vec<f64>,
    /// `½ p·(u⁻ + u⁺)` \[J\].
    pub energy_change: f64,
}

/// All velocities of one energy: a sphere in the kinetic metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Of the motion that the contacts see \[J\].
    pub energy: f64,
    /// `√(2 energy)`, the sphere's radius [√kg·m/s].
    pub radius: f64,
}

/// Relative stiffnesses of contacts of which nothing is known but their size: the logarithms are drawn evenly from
/// `decades` powers of ten around one; the same for the same seed \[1\].
pub fn random_stiffness(contacts: usize, decades: f64, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..contacts).map(|_| libm::exp10(decades * (random.unit() - 0.5))).collect()
}

impl<'a> PermissibleSet<'a> {
    /// The set of a problem.
    pub fn of(problem: &'a ContactProblem, tolerances: &Tolerances) -> Result<Self, ImpactError> {
        let contacts = problem.contacts().len();
        if contacts > MAX_CONTACTS {
            return Err(ImpactError::Limit(format!(
                "the permissible set is known for at most {MAX_CONTACTS} contacts, not {contacts}"
            )));
        }
        let islands = problem
            .islands()
            .iter()
            .map(|island| IslandSet::of(problem, &island.contacts, tolerances))
            .collect::<Result<Vec<_>, ImpactError>>()?;
        Ok(Self { problem, tolerances: *tolerances, islands })
    }

    /// Of all outcomes the one that keeps the least energy, `u_I`.
    pub fn maximum_dissipation(&self) -> PermissibleOutcome {
        self.outcome_of(|island| island.plastic.clone())
    }

    /// The energy of global restitution `e`, `T_I + e² (T⁻ − T_I)`: `e = 0` is the least there is, `e = 1` what there
    /// was.
    pub fn level(&self, e: f64) -> Level {
        let energy: f64 = self
            .islands
            .iter()
            .map(|island| {
                let before = island.energy_before();
                // T⁻ + ΔT_I, where the plastic impact leaves nothing rather than less.
                let least = (before + island.energy_change(&island.plastic)).max(0.0);
                (least + e * e * (before - least)) * island.energy_unit()
            })
            .sum();
        Level { energy, radius: f64::sqrt(2.0 * energy) }
    }

    /// The part of the ray `p = r d`, `r ≥ 0`, that is permissible, as its ends `[r_lo, r_hi]` [N·s]; absent if none of
    /// it is. The direction `d` has one number per contact, none negative; those of bilateral contacts are ignored
    /// \[1\].
    pub fn ray(&self, direction: &[f64]) -> Result<Option<[f64; 2]>, ImpactError> {
        self.check_direction(direction)?;
        let (mut low, mut high): (f64, f64) = (0.0, f64::INFINITY);
        for island in &self.islands {
            let Some([a, b]) = island.ray(direction) else { return Ok(None) };
            low = low.max(a);
            high = high.min(b);
        }
        Ok((low <= high && high.is_finite()).then_some([low, high]))
    }

    /// The outcome on a ray, from its least impulse (`t = 0`) to its largest (`t = 1`) \[1\]. Every permissible outcome
    /// is one of these.
    pub fn outcome(
        &self,
        direction: &[f64],
        t: f64,
    ) -> Result<Option<PermissibleOutcome>, ImpactError> {
        if !(0.0..=1.0).contains(&t) {
            return Err(ImpactError::bad_problem("t", t, "must be between 0 and 1"));
        }
        let Some([low, high]) = self.ray(direction)? else { return Ok(None) };
        let r = low + t * (high - low);
        Ok(Some(self.outcome_of(|island| island.along(direction, r))))
    }

    /// Outcomes drawn evenly from the set, `n` of them; the same for the same seed. See [`Sampler`].
    pub fn sample(&self, n: usize, seed: u64) -> Result<Vec<PermissibleOutcome>, ImpactError> {
        let mut sampler = self.sampler(seed)?;
        Ok((0..n).map(|_| sampler.draw()).collect())
    }

    /// Draws outcomes one after the other.
    pub fn sampler(&self, seed: u64) -> Result<Sampler<'_>, ImpactError> {
        Sampler::new(self, seed)
    }

    /// The outcome of collisions one at a time, the next drawn from those that approach, each frictionless with its own
    /// `e`. Absent if it does not end: a hundred thousand collisions were not enough.
    pub fn random_order(&self, seed: u64) -> Option<PermissibleOutcome> {
        let mut random = Random::new(seed);
        let impulses: Option<Vec<Vec<f64>>> = self
            .islands
            .iter()
            .map(|island| orders::random_order(island, self.tolerances.approach, &mut random))
            .collect();
        let mut impulses = impulses?.into_iter();
        Some(self.outcome_of(|_| impulses.next().unwrap_or_default()))
    }

    /// How far outcomes differ: the longest distance found between two of them, in the kinetic metric
    /// [√kg·m/s]. An estimate from below: chords through `n` drawn outcomes, prolonged to the edge of the set.
    pub fn diameter(&self, n: usize, seed: u64) -> Result<f64, ImpactError> {
        Ok(self.sampler(seed)?.longest_chord(n))
    }

    /// Whether all `W_ij ≤ 0` off the diagonal, up to rounding, as for chains: then a push never loosens another
    /// contact, and plastic impacts have one outcome in any order.
    pub fn is_stieltjes(&self) -> bool {
        self.islands.iter().all(|island| island.is_stieltjes(self.tolerances.residual))
    }

    fn check_direction(&self, direction: &[f64]) -> Result<(), ImpactError> {
        if direction.len() != self.problem.len() {
            let reason = format!("one per contact: {}", self.problem.len());
            let got = format!("{} numbers", direction.len());
            return Err(ImpactError::bad_problem("direction", got, reason));
        }
        if let Some(k) = direction.iter().position(|d| !(d.is_finite() && *d >= 0.0)) {
            let reason = "must be a finite number, not negative: contacts push";
            return Err(ImpactError::bad_problem(format!("direction[{k}]"), direction[k], reason));
        }
        Ok(())
    }

    /// The outcome of each island's impulses, in its own units.
    fn outcome_of(&self, mut impulses: impl FnMut(&IslandSet) -> Vec<f64>) -> PermissibleOutcome {
        let mut impulse = vec![0.0; self.problem.rows()];
        for island in &self.islands {
            island.write(&impulses(island), &mut impulse);
        }
        let velocity = self.problem.velocity_after(&impulse);
        let before = self.problem.velocity();
        let doubled: f64 = (0..impulse.len()).map(|i| impulse[i] * (before[i] + velocity[i])).sum();
        PermissibleOutcome { impulse, velocity, energy_change: 0.5 * doubled }
    }
}

#[cfg(test)]
mod tests;
