//! A planar pendulum of any number of rods with a ball at its end: Example 4 of the PLUS paper has three.

use super::mechanism::{ContactGeometry, MassShape, Mechanism, Size};
use crate::input;
use carom::ImpactError;

/// Equal rods on hinges, hung up above the ground, a ball welded to the last; its coordinates are the rods' angles from
/// the downward vertical, counter-clockwise \[rad\].
///
/// The ground is the plane y = 0; the contact's tangent is its normal turned by +90°.
#[derive(Clone, Debug, PartialEq)]
pub struct Pendulum {
    /// Height of the hinge above the ground \[m\].
    pub height: f64,
    /// Length of each rod \[m\].
    pub length: f64,
    /// Mass of each rod \[kg\].
    pub mass: f64,
    /// Moment of each rod about its middle [kg·m²].
    pub inertia: f64,
    /// Radius of the ball \[m\].
    pub ball_radius: f64,
    /// Mass of the ball \[kg\].
    pub ball_mass: f64,
    /// Moment of the ball about its centre [kg·m²].
    pub ball_inertia: f64,
    /// Downwards, 0 or more [m/s²].
    pub gravity: f64,
    /// One per rod \[rad\].
    pub angles: Vec<f64>,
    /// One per rod [rad/s].
    pub rates: Vec<f64>,
}

impl Pendulum {
    /// The triple pendulum of Uchida, Sherman and Delp, at rest. The paper draws its angles without saying how they are
    /// counted: 45°, 90° and 60° from the vertical fit its account of the motion.
    pub fn uchida_sherman_delp() -> Self {
        use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_4};
        let (length, radius, ball_radius) = (1.0, 0.1, 0.25);
        Self {
            height: 2.0,
            length,
            mass: 1.0,
            inertia: (3.0 * radius * radius + length * length) / 12.0,
            ball_radius,
            ball_mass: 1.0,
            ball_inertia: 0.4 * ball_radius * ball_radius,
            gravity: 9.81,
            angles: vec![FRAC_PI_4, FRAC_PI_2, FRAC_PI_3],
            rates: vec![0.0; 3],
        }
    }

    /// The pendulum itself if every number is in range, else what is not.
    pub fn validated(self) -> Result<Self, ImpactError> {
        for (field, value) in
            [("length", self.length), ("mass", self.mass), ("ball_mass", self.ball_mass)]
        {
            input::positive(field, value)?;
        }
        for (field, value) in [
            ("inertia", self.inertia),
            ("ball_radius", self.ball_radius),
            ("ball_inertia", self.ball_inertia),
            ("gravity", self.gravity),
        ] {
            input::not_negative(field, value)?;
        }
        input::finite("height", self.height)?;
        input::count("angles", self.angles.len(), 100)?;
        input::length("rates", self.rates.len(), self.angles.len(), "rod")?;
        for (i, (angle, rate)) in self.angles.iter().zip(&self.rates).enumerate() {
            input::finite(&format!("angles[{i}]"), *angle)?;
            input::finite(&format!("rates[{i}]"), *rate)?;
        }
        Ok(self)
    }

    /// The mass that hangs on the end of rod `i`.
    fn below(&self, i: usize) -> f64 {
        self.ball_mass + self.mass * (self.angles.len() - 1 - i) as f64
    }

    /// The factor of `cos(θ_i − θ_j)` in the mass matrix, i ≠ j.
    fn coupling(&self, i: usize, j: usize) -> f64 {
        self.length * self.length * (0.5 * self.mass + self.below(i.max(j)))
    }

    fn ball_height(&self, q: &[f64]) -> f64 {
        self.height - q.iter().map(|angle| self.length * libm::cos(*angle)).sum::<f64>()
    }
}

impl Mechanism for Pendulum {
    fn size(&self) -> Size {
        let rods = self.angles.len();
        Size { coordinates: rods, velocities: rods, contacts: vec![2], joints: 0 }
    }

    fn mass_shape(&self) -> MassShape {
        MassShape::Full
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>) {
        (self.angles.clone(), self.rates.clone())
    }

    fn rates(&self, _q: &[f64], v: &[f64], rates: &mut [f64]) {
        rates.copy_from_slice(v);
    }

    fn mass(&self, q: &[f64], mass: &mut [f64]) {
        let n = q.len();
        let square = self.length * self.length;
        for i in 0..n {
            for j in 0..n {
                mass[i * n + j] = if i == j {
                    let ball = if i + 1 == n { self.ball_inertia } else { 0.0 };
                    self.inertia + ball + square * (0.25 * self.mass + self.below(i))
                } else {
                    self.coupling(i, j) * libm::cos(q[i] - q[j])
                };
            }
        }
    }

    fn force(&self, q: &[f64], v: &[f64], force: &mut [f64]) {
        for (i, force) in force.iter_mut().enumerate() {
            let lever = self.length * (0.5 * self.mass + self.below(i));
            *force = -self.gravity * lever * libm::sin(q[i]);
            for j in (0..q.len()).filter(|j| *j != i) {
                *force -= self.coupling(i, j) * libm::sin(q[i] - q[j]) * v[j] * v[j];
            }
        }
    }

    fn contacts(&self, q: &[f64], geometry: &mut ContactGeometry) {
        let n = q.len();
        let height = self.ball_height(q);
        geometry.gap[0] = height - self.ball_radius;
        let (normal, tangent) = geometry.jacobian.split_at_mut(n);
        for (i, angle) in q.iter().enumerate() {
            normal[i] = self.length * libm::sin(*angle);
            tangent[i] = -self.length * libm::cos(*angle);
        }
        // The ball turns with the last rod about its centre; the ground is `height` below that.
        tangent[n - 1] -= height;
        geometry.drive.fill(0.0);
    }

    fn gap_slope(&self, q: &[f64], slope: &mut [f64]) {
        for (slope, angle) in slope.iter_mut().zip(q) {
            *slope = self.length * libm::sin(*angle);
        }
    }

    fn potential(&self, q: &[f64]) -> f64 {
        let rods = q.iter().enumerate().map(|(i, angle)| {
            -self.gravity * self.length * (0.5 * self.mass + self.below(i)) * libm::cos(*angle)
        });
        rods.sum()
    }

    fn rate_scale(&self, v: &[f64], scale: &mut [f64]) {
        scale.copy_from_slice(v);
    }
}
