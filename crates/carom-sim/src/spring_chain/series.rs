//! The motion over one step as power series in time: exact where the model is linear.

use super::{SpringChain, SpringContact};
use crate::event::Sample;

/// Terms after the constant. In steps of `1/Λ` the remainder is below `1/19!·(1 + 1/20 + …) = 9e-18` of the state.
pub(super) const DEGREE: usize = 18;

/// A polynomial in the time since the step's begin, lowest order first.
pub(super) type Series = [f64; DEGREE + 1];

/// Value and derivative at `t`.
pub(super) fn sample(series: &Series, t: f64) -> Sample {
    let (mut value, mut slope) = (0.0, 0.0);
    for &c in series.iter().rev() {
        slope = slope * t + value;
        value = value * t + c;
    }
    Sample { time: t, value, slope }
}

/// `∫₀ᵗ p`.
pub(super) fn integral(p: &Series, t: f64) -> f64 {
    let terms = p.iter().enumerate().rev();
    t * terms.fold(0.0, |sum, (j, c)| sum * t + c / (j + 1) as f64)
}

/// `∫₀ᵗ p q`, all orders of the product.
pub(super) fn integral_of_product(p: &Series, q: &Series, t: f64) -> f64 {
    let mut sum = 0.0;
    for order in (0..=2 * DEGREE).rev() {
        let products =
            (order.saturating_sub(DEGREE)..=order.min(DEGREE)).map(|j| p[j] * q[order - j]);
        sum = sum * t + products.sum::<f64>() / (order + 1) as f64;
    }
    sum * t
}

/// Bounds `|p(τ) − p(0)|` for `0 ≤ τ ≤ t`.
pub(super) fn variation(p: &Series, t: f64) -> f64 {
    t * p[1..].iter().rev().fold(0.0, |sum, c| sum * t + c.abs())
}

/// The series of a whole chain, kept between steps for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ChainSeries {
    /// Per mass [m/s].
    pub(super) velocity: Vec<Series>,
    /// Compression per contact \[m\].
    pub(super) compression: Vec<Series>,
    /// `ẋ` per contact [m/s].
    pub(super) rate: Vec<Series>,
    /// `k x + R ẋ` per contact, whether it acts or not \[N\].
    pub(super) force: Vec<Series>,
}

impl ChainSeries {
    pub(super) fn new(masses: usize) -> Self {
        let zeros = |count| vec![[0.0; DEGREE + 1]; count];
        Self {
            velocity: zeros(masses),
            compression: zeros(masses - 1),
            rate: zeros(masses - 1),
            force: zeros(masses - 1),
        }
    }

    /// Expands the motion from a state, the contacts in `closed` acting.
    pub(super) fn expand(
        &mut self,
        chain: &SpringChain,
        velocity: &[f64],
        compression: &[f64],
        closed: impl Fn(usize) -> bool,
    ) {
        for (series, &v) in self.velocity.iter_mut().zip(velocity) {
            series[0] = v;
        }
        for (series, &x) in self.compression.iter_mut().zip(compression) {
            series[0] = x;
        }
        for order in 0..=DEGREE {
            self.contact_terms(&chain.contacts, order);
            if order < DEGREE {
                self.next_terms(&chain.mass, order, &closed);
            }
        }
    }

    fn contact_terms(&mut self, contacts: &[SpringContact], order: usize) {
        for (i, contact) in contacts.iter().enumerate() {
            let rate = self.velocity[i][order] - self.velocity[i + 1][order];
            self.rate[i][order] = rate;
            // [Mosterman2003] section 2.1: spring and damper in parallel
            self.force[i][order] =
                contact.stiffness * self.compression[i][order] + contact.damping * rate;
        }
    }

    fn next_terms(&mut self, mass: &[f64], order: usize, closed: &impl Fn(usize) -> bool) {
        let next = (order + 1) as f64;
        let mut from_left = 0.0;
        for (i, m) in mass.iter().enumerate() {
            let acts = i < self.force.len() && closed(i);
            let to_right = if acts { self.force[i][order] } else { 0.0 };
            self.velocity[i][order + 1] = (from_left - to_right) / (m * next);
            from_left = to_right;
        }
        for (compression, rate) in self.compression.iter_mut().zip(&self.rate) {
            compression[order + 1] = rate[order] / next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_evaluated_and_integrated() {
        let mut p = [0.0; DEGREE + 1];
        p[..3].copy_from_slice(&[1.0, -2.0, 3.0]);
        let s = sample(&p, 2.0);
        assert_eq!((s.value, s.slope), (9.0, 10.0));
        assert_eq!(integral(&p, 2.0), 6.0);
        // (1 − 2t + 3t²)² = 1 − 4t + 10t² − 12t³ + 9t⁴, from 0 to 1: 1 − 2 + 10/3 − 3 + 9/5
        let square = integral_of_product(&p, &p, 1.0);
        assert!((square - 17.0 / 15.0).abs() <= 2.0 * f64::EPSILON, "{square}");
        assert_eq!(variation(&p, 1.0), 5.0);
    }
}
