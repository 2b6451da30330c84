//! The motion of rods through the impact.

use super::elastic::{RodContactReport, RodImpact, Rods};
use super::ring::Ring;
use crate::input;
use carom::ImpactError;

/// Wave amplitudes and velocities below this part of the spread of velocities are rounding \[1\].
const NEGLIGIBLE: f64 = 1e-12;
/// How often a wave may pass through all rods before a run is given up \[1\].
const MAX_PASSAGES: u64 = 4096;
/// Steps times rods before a run is given up \[1\].
const MAX_WORK: u64 = 500_000_000;

/// Where the energy is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RodEnergy {
    /// Kinetic energy of the rods' mean motions \[J\].
    pub translational: f64,
    /// Kinetic energy of the motion relative to the means \[J\].
    pub vibrational: f64,
    /// Strain energy \[J\].
    pub strain: f64,
    /// All of it, summed from the waves themselves \[J\].
    pub total: f64,
}

/// Two rods that touch, or did.
#[derive(Clone, Copy, Debug)]
struct Contact {
    /// Velocity that the left rod's returning wave gains from each unit of `b − a` \[1\].
    left_share: f64,
    /// The same for the right rod's, from `a − b` \[1\].
    right_share: f64,
    left_impedance: f64,
    /// Distance of the ends, in units of a velocity times a step.
    gap: f64,
    report: RodContactReport,
}

/// Rods at some instant of their impact.
#[derive(Clone, Debug)]
pub struct RodMotion<'a> {
    rods: &'a Rods,
    rings: Vec<Ring>,
    contacts: Vec<Contact>,
    steps: u64,
    max_steps: u64,
    /// Amplitudes that count as zero [m/s].
    zero: f64,
    /// The next step at which the end is checked.
    next_check: u64,
    over: bool,
}

impl<'a> RodMotion<'a> {
    pub(super) fn new(rods: &'a Rods) -> Result<Self, ImpactError> {
        let rings: Vec<Ring> =
            rods.rods.iter().map(|rod| Ring::moving(rod.cells, rod.velocity)).collect();
        let impedance = |i: usize| rods.rods[i].line_density * rods.rods[i].wave_speed;
        let contacts = (0..rings.len() - 1)
            .map(|i| {
                let (left, right) = (impedance(i), impedance(i + 1));
                Contact {
                    left_share: 2.0 * right / (left + right),
                    right_share: 2.0 * left / (left + right),
                    left_impedance: left,
                    gap: 0.0,
                    report: RodContactReport::default(),
                }
            })
            .collect();
        let cells: usize = rings.iter().map(Ring::cells).sum();
        let passages = MAX_PASSAGES.saturating_mul(cells as u64);
        let max_steps = passages.min(MAX_WORK / rods.rods.len() as u64);
        let spread = input::spread(rods.rods.iter().map(|rod| rod.velocity));
        let mut motion = Self {
            rods,
            rings,
            contacts,
            steps: 0,
            max_steps,
            zero: NEGLIGIBLE * spread,
            next_check: 0,
            over: false,
        };
        let scales = motion.contacts.iter().flat_map(|c| [c.left_share, c.right_share]);
        let scales = scales.chain([spread, motion.energy().total]);
        input::representable(&scales.collect::<Vec<_>>())?;
        motion.check();
        Ok(motion)
    }

    /// Time since the first touch \[s\].
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.rods.cell_time
    }

    /// Whether the impact is over: left free from now on, no rods would meet again.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The rods' mean velocities, from left to right [m/s].
    pub fn velocity(&self) -> Vec<f64> {
        self.rings.iter().map(Ring::mean_velocity).collect()
    }

    /// The distance of the two ends at contact `i` \[m\].
    pub fn gap(&self, i: usize) -> Option<f64> {
        self.contacts.get(i).map(|contact| contact.gap * self.rods.cell_time)
    }

    /// Velocity [m/s] and strain \[1\] of each cell of rod `i`, from left to right.
    pub fn cells(&self, i: usize) -> Option<Vec<[f64; 2]>> {
        let (ring, rod) = (self.rings.get(i)?, self.rods.rods.get(i)?);
        Some(ring.waves().map(|(a, b)| [a + b, (b - a) / rod.wave_speed]).collect())
    }

    /// Where the energy of all rods is now.
    pub fn energy(&self) -> RodEnergy {
        (0..self.rings.len()).fold(RodEnergy::default(), |sum, i| {
            let rod = self.rod_energy(i);
            RodEnergy {
                translational: sum.translational + rod.translational,
                vibrational: sum.vibrational + rod.vibrational,
                strain: sum.strain + rod.strain,
                total: sum.total + rod.total,
            }
        })
    }

    /// Where the energy of each rod is now, from left to right.
    pub fn energies(&self) -> Vec<RodEnergy> {
        (0..self.rings.len()).map(|i| self.rod_energy(i)).collect()
    }

    fn rod_energy(&self, i: usize) -> RodEnergy {
        let (ring, mass) = (&self.rings[i], self.rods.cell_mass(&self.rods.rods[i]));
        let mean = ring.mean_velocity();
        let (mut vibrational, mut strain) = (0.0, 0.0);
        for (a, b) in ring.waves() {
            vibrational += (a + b - mean) * (a + b - mean);
            strain += (b - a) * (b - a);
        }
        RodEnergy {
            translational: 0.5 * (ring.cells() as f64 * mass) * (mean * mean),
            vibrational: 0.5 * mass * vibrational,
            strain: 0.5 * mass * strain,
            total: mass * ring.sum_of_squares(),
        }
    }

    /// One step of `cell_time`, during which nothing changes at any end of a rod.
    pub fn advance(&mut self) -> Result<(), ImpactError> {
        if self.steps >= self.max_steps {
            return Err(ImpactError::Limit(format!(
                "the rods have not left each other for good at t = {} s, after {} steps",
                self.time(),
                self.steps
            )));
        }
        let begin = self.time();
        self.rings.iter_mut().for_each(Ring::turn);
        let mut opened = false;
        for (i, contact) in self.contacts.iter_mut().enumerate() {
            let (left, right) = self.rings.split_at_mut(i + 1);
            let (left, right) = (left[i].right(), right[0].left());
            opened |= contact.exchange_waves(left, right, self.zero, begin, self.rods.cell_time);
        }
        self.steps += 1;
        if opened || self.steps >= self.next_check {
            self.check();
        }
        Ok(())
    }

    /// Whether free motion keeps all rods apart from now on. Each end strays periodically from its rod's mean
    /// motion, so it is enough that the means do not approach and the gap is wider than the ends can stray. A contact
    /// that is closed without force must be about to stay so, or its parting would be missed.
    fn check(&mut self) {
        let longest = self.rings.iter().map(Ring::cells).max().unwrap_or(1);
        self.next_check = self.steps + longest as u64;
        let rounding = self.zero * longest as f64;
        self.over = self.contacts.iter().enumerate().all(|(i, contact)| {
            let (left, right) = (&self.rings[i], &self.rings[i + 1]);
            let parting = right.mean_velocity() - left.mean_velocity();
            let (left, right) = (left.right_excursion(), right.left_excursion());
            let parts_later = contact.gap <= 0.0
                && (parting > self.zero || right.most > rounding || left.least < -rounding);
            parting >= -self.zero
                && contact.gap + right.least - left.most >= -rounding
                && !parts_later
        });
    }

    /// The impact so far, as a report.
    pub fn report(&self) -> Result<RodImpact, ImpactError> {
        let start: Vec<f64> = self.rods.rods.iter().map(|rod| rod.velocity).collect();
        let impact = RodImpact {
            start,
            velocity: self.velocity(),
            contacts: self.contacts.iter().map(|contact| contact.report).collect(),
            energy_before: Self::new(self.rods)?.energy(),
            energy_after: self.energy(),
        };
        input::representable(&impact.velocity)?;
        input::representable(&[impact.translational_change(), impact.energy_error()])?;
        for contact in &impact.contacts {
            input::representable(&[contact.impulse, contact.unloaded])?;
            input::representable(&[contact.opened.unwrap_or(0.0)])?;
        }
        Ok(impact)
    }
}

impl Contact {
    /// One step at the contact. `left` and `right` hold the arriving waves and leave as the outgoing ones. Answers
    /// whether the contact opened.
    fn exchange_waves(
        &mut self,
        left: &mut f64,
        right: &mut f64,
        zero: f64,
        begin: f64,
        step: f64,
    ) -> bool {
        let (a, b) = (*left, *right);
        // Free ends move at twice the arriving wave.
        let parting = 2.0 * (b - a);
        let touching = self.gap <= 0.0;
        if touching && b - a > zero {
            self.gap = parting;
            self.report.opened = Some(begin);
            return true;
        }
        if !touching && self.gap + parting > 0.0 {
            self.gap += parting;
            return false;
        }
        // Closed during this part of the step.
        let part = if touching { 1.0 } else { 1.0 + self.gap / parting };
        if !touching {
            self.report.closures += 1;
            self.report.opened = None;
            self.gap = 0.0;
        }
        // [Glocker2004] Eqs. (18), (19): common velocity and force; with shares of 1 the waves change places.
        let closed_left = (1.0 - self.left_share) * a + self.left_share * b;
        let closed_right = (1.0 - self.right_share) * b + self.right_share * a;
        *left = part * closed_left + (1.0 - part) * a;
        *right = part * closed_right + (1.0 - part) * b;
        let impulse = self.left_impedance * (a - *left) * step;
        self.report.impulse += impulse;
        if a - b > zero {
            self.report.unloaded = begin + step;
        }
        false
    }
}
