//! The active contacts of a round: those that are compressed or expand.

use super::algorithm::Energy;
use super::contact_space::Surface;
use super::failure::Failure;
use super::tolerances::{CONSISTENT, SPEED_ROUNDINGS};
use crate::numerics::dot;
use crate::outcome::ContactMode;

/// What a contact does along its normal during a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Compressing,
    Expanding,
}

/// One contact that takes part in a round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveContact {
    /// Its number in the island.
    pub(crate) index: usize,
    /// How many tangents it has: 0, 1 or 2.
    pub(crate) tangents: usize,
    pub(crate) mu: f64,
    pub(crate) phase: Phase,
    /// `π_exp`, what it still has to give when expanding: impulse [N·s], or work \[J\] where restitution is energetic.
    pub(crate) owed: f64,
    /// `e` times the impulse of its last compression [N·s].
    pub(crate) pace: f64,
    /// `π_comp`, the normal impulse of its compression in this round [N·s].
    pub(crate) compression_impulse: f64,
    /// The work done against its normal impulse by compression in this round, positive \[J\].
    pub(crate) compression_work: f64,
    /// Its stick–slip state in the present interval.
    pub(crate) mode: ContactMode,
    /// `ŝ`, the direction of slip that friction opposes; zero where it rolls or has no friction \[1\].
    pub(crate) direction: [f64; 2],
    /// The prescribed normal impulse of a jammed contact [N·s].
    pub(crate) jam_impulse: f64,
}

impl ActiveContact {
    /// Whether it slides with friction.
    pub(crate) fn slides(&self) -> bool {
        self.mode == ContactMode::Sliding && self.mu > 0.0
    }

    /// Whether it rolls and its friction is limited.
    pub(crate) fn may_slip(&self) -> bool {
        self.mode == ContactMode::Rolling && self.mu > 0.0 && self.mu.is_finite()
    }

    /// Whether it rolls because its friction has no limit.
    pub(crate) fn grips(&self) -> bool {
        self.mode == ContactMode::Rolling && self.mu == f64::INFINITY
    }

    /// Its normal impulse, where that is prescribed rather than unknown [N·s].
    pub(crate) fn prescribed_normal(&self) -> Option<f64> {
        match (self.phase, self.mode) {
            (Phase::Expanding, _) => Some(self.owed),
            (Phase::Compressing, ContactMode::Jammed) => Some(self.jam_impulse),
            (Phase::Compressing, _) => None,
        }
    }
}

/// Contacts of an island that are active together, three rows each, and how far their round has come. Vectors keep their
/// memory from round to round.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActiveContacts {
    /// By rising numbers.
    pub(crate) contacts: Vec<ActiveContact>,
    /// `L` with `W = L Lᵀ`, row by row, `rank` numbers each [kg^-½].
    pub(crate) rows: Vec<f64>,
    pub(crate) rank: usize,
    /// Velocities, three numbers per contact [m/s].
    pub(crate) velocity: Vec<f64>,
    /// Impulses of this round, three numbers per contact [N·s].
    pub(crate) impulse: Vec<f64>,
    /// The largest speed at the start of the impact, by which tolerances are scaled [m/s].
    pub(crate) speed: f64,
    /// How long the step lasts, as part of a round: 1, or where `step` holds rates the rest of the round \[1\].
    pub(crate) lasts: f64,
    /// The change of energy in this round.
    pub(crate) energy: Energy,
    /// `π`, the impulse to the end of the round, three numbers per contact [N·s].
    pub(crate) step: Vec<f64>,
    /// `Lᵀ step`.
    pub(crate) along: Vec<f64>,
    /// `Lᵀ` of the impulse of this round.
    pub(crate) total: Vec<f64>,
}

impl ActiveContacts {
    pub(crate) fn clear(&mut self) {
        self.contacts.clear();
        self.rows.clear();
        self.velocity.clear();
        self.impulse.clear();
        self.step.clear();
        self.energy = Energy::default();
    }

    /// Adds a contact, compressing and at rest.
    pub(crate) fn push(&mut self, index: usize, surface: &Surface) {
        self.contacts.push(ActiveContact {
            index,
            tangents: surface.tangents,
            mu: surface.mu,
            phase: Phase::Compressing,
            owed: 0.0,
            pace: 0.0,
            compression_impulse: 0.0,
            compression_work: 0.0,
            mode: ContactMode::Dropped,
            direction: [0.0; 2],
            jam_impulse: 0.0,
        });
        self.velocity.extend([0.0; 3]);
        self.impulse.extend([0.0; 3]);
        self.step.extend([0.0; 3]);
    }

    pub(crate) fn len(&self) -> usize {
        self.contacts.len()
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.rank..(i + 1) * self.rank]
    }

    /// `L` row by row.
    pub(crate) fn all_rows(&self) -> impl Iterator<Item = &[f64]> {
        self.rows.chunks_exact(self.rank.max(1))
    }

    /// The slip of contact `k` [m/s].
    pub(crate) fn slip(&self, k: usize) -> [f64; 2] {
        [self.velocity[3 * k + 1], self.velocity[3 * k + 2]]
    }

    /// The velocity of a row after the whole step, of which `along` is known [m/s].
    pub(crate) fn velocity_after(&self, row: usize) -> f64 {
        self.velocity[row] + dot(self.row(row), &self.along)
    }

    /// The slip of contact `k` after a share of the step, of which `along` is known [m/s].
    pub(crate) fn slip_after(&self, k: usize, share: f64) -> [f64; 2] {
        [3 * k + 1, 3 * k + 2].map(|i| self.velocity[i] + share * dot(self.row(i), &self.along))
    }

    /// `Lᵀ p`.
    pub(crate) fn transposed_times(&self, p: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (p, row) in p.iter().zip(self.all_rows()) {
            if *p != 0.0 {
                out.iter_mut().zip(row).for_each(|(x, l)| *x += l * p);
            }
        }
    }

    /// Makes `along` that of the step.
    pub(crate) fn update_along(&mut self) {
        let mut along = std::mem::take(&mut self.along);
        along.resize(self.rank, 0.0);
        self.transposed_times(&self.step, &mut along);
        self.along = along;
    }

    /// How far the velocity of each row can be off by the rounding of an impulse alone: bodies may be light [m/s].
    pub(crate) fn roundings(&self, impulse: &[f64]) -> impl Iterator<Item = f64> {
        let size = |row: &[f64]| f64::sqrt(dot(row, row));
        let sizes = || self.all_rows().map(size);
        let reach: f64 = sizes().zip(impulse).map(|(size, p)| size * p.abs()).sum();
        sizes().map(move |size| SPEED_ROUNDINGS * f64::EPSILON * reach * size)
    }

    /// How far velocities can be off by the rounding of the step [m/s].
    pub(crate) fn rounding(&self) -> f64 {
        self.roundings(&self.step).fold(0.0, f64::max)
    }

    /// By how much of the speed the equations of the step are missed, if that is little enough \[1\].
    pub(crate) fn residual(&self, missed: f64) -> Result<f64, Failure> {
        let residual = missed * self.lasts / self.speed;
        // Written so that nothing that is not a number passes.
        if residual <= CONSISTENT || missed <= self.rounding() {
            Ok(residual)
        } else {
            Err(Failure::Contradiction { residual })
        }
    }

    /// Applies `π_step = α π`: impulse, velocity, energy, `π_exp` and `π_comp`.
    pub(crate) fn advance(&mut self, alpha: f64) {
        self.step.iter_mut().for_each(|p| *p *= alpha);
        self.update_along();
        let moved = 0.5 * dot(&self.along, &self.along);
        self.energy.gained += dot(&self.step, &self.velocity) + moved;
        let terms = self.step.iter().zip(&self.velocity).map(|(p, u)| (p * u).abs());
        self.energy.turnover += terms.sum::<f64>() + moved;
        for i in 0..self.velocity.len() {
            let change = dot(&self.rows[i * self.rank..(i + 1) * self.rank], &self.along);
            if i % 3 == 0 {
                let contact = &mut self.contacts[i / 3];
                match contact.phase {
                    Phase::Compressing => {
                        contact.compression_impulse += self.step[i];
                        contact.compression_work -=
                            self.step[i] * (self.velocity[i] + 0.5 * change);
                    }
                    Phase::Expanding => contact.owed *= 1.0 - alpha,
                }
            }
            self.velocity[i] += change;
            self.impulse[i] += self.step[i];
        }
        self.total.iter_mut().zip(&self.along).for_each(|(x, a)| *x += a);
    }
}

#[cfg(test)]
impl ActiveContacts {
    /// Compressing contacts of three rows each with factor `L`, at the beginning of a round.
    pub(crate) fn sample<const RANK: usize>(l: &[[f64; RANK]], mu: f64, velocity: &[f64]) -> Self {
        let speed = crate::numerics::largest(velocity);
        let mut active =
            Self { rank: RANK, speed, lasts: 1.0, total: vec![0.0; RANK], ..Self::default() };
        (0..l.len() / 3).for_each(|k| active.push(k, &Surface::sample(2, mu, 0.0)));
        active.rows = l.concat();
        active.velocity = velocity.to_vec();
        active
    }
}

#[cfg(test)]
mod tests {
    use super::{ActiveContacts, Phase};

    const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    /// W = 1, u = (−1, 1, 0), π = (2, −1, 0), α = ½: u becomes (0, ½, 0), energy 1 J becomes ⅛ J, and the normal impulse of
    /// 1 N·s works against the mean approach of ½ m/s.
    #[test]
    fn an_interval_changes_impulse_velocity_energy_and_compression() {
        let mut active = ActiveContacts::sample(&UNIT, 0.5, &[-1.0, 1.0, 0.0]);
        active.step = vec![2.0, -1.0, 0.0];
        active.advance(0.5);
        assert_eq!(active.impulse, [1.0, -0.5, 0.0]);
        assert_eq!(active.velocity, [0.0, 0.5, 0.0]);
        assert_eq!(active.energy.gained, -0.875);
        let contact = active.contacts[0];
        assert_eq!((contact.compression_impulse, contact.compression_work), (1.0, 0.5));
    }

    #[test]
    fn an_expanding_contact_owes_the_rest() {
        let mut active = ActiveContacts::sample(&UNIT, 0.5, &[0.0; 3]);
        (active.contacts[0].phase, active.contacts[0].owed) = (Phase::Expanding, 4.0);
        active.step = vec![4.0, 0.0, 0.0];
        active.advance(0.25);
        assert_eq!((active.contacts[0].owed, active.impulse[0]), (3.0, 1.0));
    }
}
