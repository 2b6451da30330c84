//! Two rods of finitely many masses whose tips collide plastically.

use super::modes::Modes;
use crate::event::{Sample, first_below};
use crate::input;
use carom::ImpactError;

/// Forces and gaps below this part of their scale are rounding \[1\].
const NEGLIGIBLE: f64 = 1e-12;
/// Time between samples of force or gap: the fastest vibration turns by half a radian \[1\].
const STEP: f64 = 0.25;
/// How often a wave may pass through both rods before a run is given up \[1\].
const MAX_PASSAGES: usize = 16;

/// Two rods of one kind, each a row of springs with a mass between two springs and half a mass at either end.
///
/// The tips collide plastically (e = 0), then move as one while they press and let go where they would pull; so each rigid
/// impact is that of two half masses. As the rods are cut finer, the restitution of their mean velocities tends to the
/// one of elastic rods, although every impact in the model loses all it can: the loss is that of ever smaller masses.
///
/// With n masses the error falls like `n^(−2/3)`: a wave's front in a row of masses drags ripples of that relative size
/// behind it. They also part the tips near `ct = 2 l₁`, where elastic rods stay together without force until `ct = 2 l₂`.
///
/// Units: a spring is 1 long and weighs 1, and a long wave crosses it in the time 1. Between two events the motion is
/// the sum of closed-form vibrations; events are located to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LumpedRods {
    springs: [usize; 2],
    velocity: [f64; 2],
}

/// The end of the impact of two lumped rods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LumpedImpact {
    /// Mean velocities after, in units of the given ones \[1\].
    pub velocity: [f64; 2],
    /// Newton's restitution of the mean velocities; absent if the rods did not approach \[1\].
    pub restitution: Option<f64>,
    /// When the tips last parted, in times that a wave takes to cross a spring \[1\].
    pub opened: f64,
    /// How often the tips collided \[1\].
    pub collisions: u64,
    /// Energy lost in the tips' plastic collisions, summed over them \[1\].
    pub plastic_loss: f64,
    /// Energy left in vibrations \[1\].
    pub vibration: f64,
    /// The whole energy before minus after minus the plastic loss: rounding \[1\].
    pub energy_error: f64,
}

impl LumpedRods {
    /// The most springs that both rods together may have \[1\].
    pub const MAX_SPRINGS: usize = 4096;

    /// Two rods that touch, from left to right: their lengths in springs \[1\] and their velocities, in any unit \[1\].
    pub fn new(springs: [usize; 2], velocity: [f64; 2]) -> Result<Self, ImpactError> {
        input::count("springs[0]", springs[0], Self::MAX_SPRINGS - 1)?;
        input::count("springs[1]", springs[1], Self::MAX_SPRINGS - springs[0])?;
        for (i, v) in velocity.into_iter().enumerate() {
            input::finite(&format!("velocity[{i}]"), v)?;
        }
        Ok(Self { springs, velocity })
    }

    /// Follows the motion until the rods can never meet again.
    pub fn collide(&self) -> Result<LumpedImpact, ImpactError> {
        let energy = self.translation(self.velocity);
        let approach = self.velocity[0] - self.velocity[1];
        input::representable(&[energy, approach])?;
        let mut pair = Pair::new(self, approach.abs());
        if approach > 0.0 {
            pair.join();
            while !pair.is_over() {
                if pair.joined { pair.step_joined()? } else { pair.step_apart()? }
            }
        }
        let velocity = pair.apart.each_ref().map(Modes::mean_velocity);
        let vibration = pair.apart.iter().map(Modes::vibration).sum();
        let left = self.translation(velocity) + vibration;
        let impact = LumpedImpact {
            velocity,
            restitution: (approach > 0.0).then(|| (velocity[1] - velocity[0]) / approach),
            opened: pair.opened,
            collisions: pair.collisions,
            plastic_loss: pair.plastic_loss,
            vibration,
            energy_error: energy - left - pair.plastic_loss,
        };
        input::representable(&[velocity[0], velocity[1], vibration, impact.energy_error])?;
        Ok(impact)
    }

    fn translation(&self, velocity: [f64; 2]) -> f64 {
        let rods = self.springs.into_iter().zip(velocity);
        rods.map(|(springs, v)| 0.5 * springs as f64 * v * v).sum()
    }
}

/// The two rods, apart or joined at their tips.
struct Pair {
    apart: [Modes; 2],
    whole: Modes,
    joined: bool,
    /// Number of the mass that both tips form.
    tip: usize,
    /// What measures the force between the tips of the joined rods.
    force: Vec<f64>,
    /// What measures the places of the tips of the separate rods.
    tips: [Vec<f64>; 2],
    zero_force: f64,
    zero_gap: f64,
    time: f64,
    time_limit: f64,
    opened: f64,
    collisions: u64,
    plastic_loss: f64,
}

impl Pair {
    fn new(rods: &LumpedRods, speed: f64) -> Self {
        let [left, right] = rods.springs;
        let whole = Modes::new(left + right, STEP);
        let mut apart = rods.springs.map(|springs| Modes::new(springs, STEP));
        for ((modes, springs), v) in apart.iter_mut().zip(rods.springs).zip(rods.velocity) {
            modes.set(&vec![[0.0, v]; springs + 1]);
        }
        let (before, after) = (whole.place(left - 1), whole.place(left + 1));
        // Each half of the tip feels its own spring; the force between them is the mean of the springs' pressures.
        let force = before.iter().zip(after).map(|(b, a)| 0.5 * (b - a)).collect();
        let tips = [apart[0].place(left), apart[1].place(0)];
        let length = (left + right) as f64;
        Self {
            apart,
            whole,
            joined: false,
            tip: left,
            force,
            tips,
            zero_force: NEGLIGIBLE * speed,
            zero_gap: NEGLIGIBLE * speed * length,
            time: 0.0,
            time_limit: MAX_PASSAGES as f64 * length,
            opened: 0.0,
            collisions: 0,
            plastic_loss: 0.0,
        }
    }

    /// The rods are apart and can never meet again: their means separate, by more than the tips can stray.
    fn is_over(&self) -> bool {
        let [left, right] = &self.apart;
        !self.joined
            && right.mean_velocity() > left.mean_velocity()
            && right.mean_displacement() - left.mean_displacement()
                > right.max_excursion() + left.max_excursion()
    }

    /// The tips collide plastically: two half masses take their mean velocity.
    fn join(&mut self) {
        let [left, right] = self.apart.each_ref().map(Modes::state);
        let tips = [left[self.tip], right[0]];
        let approach = tips[0][1] - tips[1][1];
        self.plastic_loss += 0.125 * approach * approach;
        self.collisions += 1;
        let mut state = left;
        state[self.tip] = [0, 1].map(|i| 0.5 * (tips[0][i] + tips[1][i]));
        state.extend_from_slice(&right[1..]);
        self.whole.set(&state);
        self.joined = true;
    }

    fn part(&mut self) {
        let state = self.whole.state();
        self.apart[0].set(&state[..=self.tip]);
        self.apart[1].set(&state[self.tip..]);
        self.joined = false;
        self.opened = self.time;
    }

    /// One step of the joined rods, or less until the tips would pull.
    fn step_joined(&mut self) -> Result<(), ImpactError> {
        let force = |time| self.whole.measure(&self.force, time);
        let [begin, end] = self.whole.measure_step(&self.force);
        let event = first_below(force, begin, end, self.zero_force);
        match event {
            Some(at) => {
                self.whole.advance(at);
                self.advance_time(at)?;
                self.part();
            }
            None => {
                self.whole.step();
                self.advance_time(STEP)?;
            }
        }
        Ok(())
    }

    /// One step of the separate rods, or less until the tips meet.
    fn step_apart(&mut self) -> Result<(), ImpactError> {
        let between = |left: Sample, right: Sample| Sample {
            time: left.time,
            value: right.value - left.value,
            slope: right.slope - left.slope,
        };
        let gap = |time| {
            let [left, right] = [0, 1].map(|i| self.apart[i].measure(&self.tips[i], time));
            between(left, right)
        };
        let [left, right] = [0, 1].map(|i| self.apart[i].measure_step(&self.tips[i]));
        let (begin, end) = (between(left[0], right[0]), between(left[1], right[1]));
        let event = first_below(gap, begin, end, self.zero_gap);
        match event {
            Some(at) => {
                self.apart.iter_mut().for_each(|modes| modes.advance(at));
                self.advance_time(at)?;
                self.join();
            }
            None => {
                self.apart.iter_mut().for_each(Modes::step);
                self.advance_time(STEP)?;
            }
        }
        Ok(())
    }

    fn advance_time(&mut self, time: f64) -> Result<(), ImpactError> {
        self.time += time;
        if self.time <= self.time_limit {
            return Ok(());
        }
        Err(ImpactError::Limit(format!(
            "the rods have not left each other for good at t = {}, after {MAX_PASSAGES} passages of a wave",
            self.time
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rods that start with a gap meet later and then collide as if they had touched from the start.
    #[test]
    fn rods_that_meet_later_collide_alike() -> Result<(), ImpactError> {
        let rods = LumpedRods::new([3, 5], [1.0, 0.0])?;
        let mut pair = Pair::new(&rods, 1.0);
        let gap = 0.7;
        pair.apart[1].set(&[[gap, 0.0]; 6]);
        while !pair.is_over() {
            if pair.joined { pair.step_joined()? } else { pair.step_apart()? }
        }
        let touching = rods.collide()?;
        assert_eq!(pair.collisions, 1);
        assert!((pair.opened - touching.opened - gap).abs() < 1e-13);
        for (modes, v) in pair.apart.iter().zip(touching.velocity) {
            assert!((modes.mean_velocity() - v).abs() < 1e-13);
        }
        Ok(())
    }
}
