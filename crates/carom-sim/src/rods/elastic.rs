//! Rods, and the report of their impact.

use super::motion::{RodEnergy, RodMotion};
use crate::input;
use carom::ImpactError;

/// An elastic rod of uniform section in uniform motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// The length, in cells that a wave crosses in the common cell time \[1\].
    pub cells: usize,
    /// Density times section, `ρA` [kg/m].
    pub line_density: f64,
    /// Speed of longitudinal waves, `c = √(E/ρ)` [m/s].
    pub wave_speed: f64,
    /// Velocity before the impact [m/s].
    pub velocity: f64,
}

impl Rod {
    /// A rod of 1 kg/m and 1 m/s wave speed: with a cell time of 1 s a cell is 1 m long and weighs 1 kg.
    pub fn unit(cells: usize, velocity: f64) -> Self {
        Self { cells, line_density: 1.0, wave_speed: 1.0, velocity }
    }
}

/// Rods on a line, from left to right, that touch end to end and are about to collide.
#[derive(Clone, Debug, PartialEq)]
pub struct Rods {
    pub(super) rods: Vec<Rod>,
    pub(super) cell_time: f64,
}

/// What one contact went through.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RodContactReport {
    /// The impulse it passed on, `∫F dt` [N·s].
    pub impulse: f64,
    /// When it last pressed; 0 if never \[s\].
    pub unloaded: f64,
    /// When the ends last parted; absent if they stay together, without force \[s\].
    pub opened: Option<f64>,
    /// How often it closed again after it had opened \[1\].
    pub closures: u64,
}

/// The end of an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct RodImpact {
    /// Mean velocities before, from left to right [m/s].
    pub start: Vec<f64>,
    /// Mean velocities after, from left to right [m/s].
    pub velocity: Vec<f64>,
    /// What each contact went through.
    pub contacts: Vec<RodContactReport>,
    /// The energy before: translational only \[J\].
    pub energy_before: RodEnergy,
    /// The energy after \[J\].
    pub energy_after: RodEnergy,
}

impl Rods {
    /// The most cells that all rods together may have \[1\].
    pub const MAX_CELLS: usize = 1 << 20;

    /// At least two rods, and the time a wave takes to cross a cell of any of them \[s\]: rod `i` is
    /// `cells · wave_speed · cell_time` long.
    pub fn new(rods: Vec<Rod>, cell_time: f64) -> Result<Self, ImpactError> {
        if rods.len() < 2 {
            let found = format!("{} rods", rods.len());
            return Err(ImpactError::bad_problem("rods", found, "an impact takes at least two"));
        }
        input::positive("cell_time", cell_time)?;
        let mut left = Self::MAX_CELLS;
        for (i, rod) in rods.iter().enumerate() {
            let field = |name: &str| format!("rods[{i}].{name}");
            input::positive(&field("line_density"), rod.line_density)?;
            input::positive(&field("wave_speed"), rod.wave_speed)?;
            input::finite(&field("velocity"), rod.velocity)?;
            input::count(&field("cells"), rod.cells, left)?;
            left -= rod.cells;
        }
        Ok(Self { rods, cell_time })
    }

    /// Mass of rod `i` \[kg\].
    pub fn mass(&self, i: usize) -> Option<f64> {
        self.rods.get(i).map(|rod| rod.cells as f64 * self.cell_mass(rod))
    }

    /// Length of rod `i` \[m\].
    pub fn length(&self, i: usize) -> Option<f64> {
        self.rods.get(i).map(|rod| rod.cells as f64 * (rod.wave_speed * self.cell_time))
    }

    pub(super) fn cell_mass(&self, rod: &Rod) -> f64 {
        rod.line_density * (rod.wave_speed * self.cell_time)
    }

    /// The motion from the first touch on, to be followed step by step.
    pub fn start(&self) -> Result<RodMotion<'_>, ImpactError> {
        RodMotion::new(self)
    }

    /// Follows the motion until the rods leave each other alone for good.
    pub fn collide(&self) -> Result<RodImpact, ImpactError> {
        let mut motion = self.start()?;
        while !motion.is_over() {
            motion.advance()?;
        }
        motion.report()
    }

    /// The energy over time up to the end of the impact, every so many steps (at least one): times \[s\] and energies.
    pub fn energy_history(&self, every: usize) -> Result<Vec<(f64, RodEnergy)>, ImpactError> {
        let mut motion = self.start()?;
        let mut history = vec![(motion.time(), motion.energy())];
        while !motion.is_over() {
            for _ in 0..every.max(1) {
                motion.advance()?;
            }
            history.push((motion.time(), motion.energy()));
        }
        Ok(history)
    }
}

impl RodImpact {
    /// Newton's restitution of the mean velocities at contact `i` \[1\]; absent where there is no such contact or its
    /// rods did not approach.
    pub fn restitution(&self, i: usize) -> Option<f64> {
        let relative = |v: &[f64]| Some(v.get(i + 1)? - v.get(i)?);
        let before = relative(&self.start)?;
        (before < 0.0).then_some(-relative(&self.velocity)? / before)
    }

    /// `T⁺ − T⁻` of the mean motion, Eq. (22): what the impact of rigid bodies would seem to lose \[J\].
    pub fn translational_change(&self) -> f64 {
        self.energy_after.translational - self.energy_before.translational
    }

    /// The whole energy after minus before: 0 but for rounding, and for contacts that closed again within a step \[J\].
    pub fn energy_error(&self) -> f64 {
        self.energy_after.total - self.energy_before.total
    }
}
