//! The last of a slip that ends.
//!
//! Over a short time forces hardly change, and the slip of one contact follows Coulomb's law in a plane of its own,
//! `u′ = b − M θ`, `θ = u/|u|`. Its direction turns ever faster until it stops, like a power of what is left; but this flow
//! looks the same at every size, so that its end is known from its direction alone.

use super::super::dynamics::Dynamics;
use super::super::rows::length;
use super::super::tolerances as tol;
use crate::numerics::dot;

/// Slip `u` under friction: `u′ = b − M u/|u|`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow {
    drive: [f64; 2],
    friction: [[f64; 2]; 2],
}

impl Flow {
    /// What drives the slip of a contact where the dynamics were last evaluated with friction along `direction`, and what its
    /// friction does.
    pub(crate) fn new(dynamics: &Dynamics, g: usize, direction: [f64; 2]) -> Option<Self> {
        let contact = &dynamics.model.frictional[g];
        let strength = contact.mu * dynamics.force[contact.index];
        let rows = [0, 1].map(|c| dynamics.model.tangent(g, c));
        let entry =
            |i: usize, j: usize| strength * dynamics.sticking.projected_product(rows[i], rows[j]);
        let friction = [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]];
        let drive = std::array::from_fn(|c| {
            dot(rows[c], &dynamics.acceleration) + dot(&friction[c], &direction)
        });
        (strength > 0.0).then_some(Self { drive, friction })
    }

    /// How fast slip in this direction grows, and turns times its size.
    fn rates(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [[a, b], [c, d]] = self.friction;
        let pull = [self.drive[0] - a * x - b * y, self.drive[1] - c * x - d * y];
        [pull[0] * x + pull[1] * y, pull[1] * x - pull[0] * y]
    }

    /// The time until slip stops, if it does so on a way that turns no faster than it is followed.
    pub(crate) fn end(&self, slip: [f64; 2]) -> Option<f64> {
        let size = length(slip);
        let mut direction = slip.map(|v| v / size);
        let mut time = 0.0;
        // Weights for a parabola through three points times e^{−σ}, from its moments.
        const STEP: f64 = tol::LOG_SLIP_STEP;
        let shrink = libm::exp(-STEP);
        let first = (1.0 - shrink * (1.0 + STEP)) / STEP;
        let second = (2.0 - shrink * (2.0 + STEP * (2.0 + STEP))) / (STEP * STEP);
        let [middle, last] = [4.0 * (first - second), 2.0 * second - first];
        let begin = 1.0 - shrink - middle - last;
        let mut left = size;
        // With σ = −ln r: dφ/dσ = −A/R and ds/dσ = −r/R, where r′ = R and r φ′ = A.
        let slope = |direction: [f64; 2]| -> Option<([f64; 2], f64)> {
            let [x, y] = unit(direction);
            let [grows, turns] = self.rates([x, y]);
            let time = -1.0 / grows;
            let turn = turns * time;
            (grows < 0.0 && turn.abs() < tol::FASTEST_TURN).then_some(([-y * turn, x * turn], time))
        };
        let along = |[x, y]: [f64; 2], by: f64, [dx, dy]: [f64; 2]| [x + by * dx, y + by * dy];
        for _ in 0..tol::LOG_SLIP_STEPS {
            let (k1, t1) = slope(direction)?;
            if length(k1) * left < tol::STRAIGHT_END * size {
                // Straight to the end.
                return Some(time + left * t1);
            }
            let (k2, t2) = slope(along(direction, 0.5 * STEP, k1))?;
            let (k3, t3) = slope(along(direction, 0.5 * STEP, k2))?;
            let (k4, t4) = slope(along(direction, STEP, k3))?;
            time += left * (begin * t1 + 0.5 * middle * (t2 + t3) + last * t4);
            let sum: [f64; 2] =
                std::array::from_fn(|c| (k1[c] + 2.0 * (k2[c] + k3[c]) + k4[c]) / 6.0);
            direction = unit(along(direction, STEP, sum));
            left *= shrink;
        }
        Some(time)
    }

    /// The mean of the direction of slip that stops after a time.
    pub(crate) fn mean(&self, slip: [f64; 2], time: f64) -> Option<[f64; 2]> {
        let [[a, b], [c, d]] = self.friction;
        let [x, y] = [0, 1].map(|i| self.drive[i] + slip[i] / time);
        let determinant = a * d - b * c;
        (determinant > 0.0).then(|| [(d * x - b * y) / determinant, (a * y - c * x) / determinant])
    }
}

/// The direction of a vector whose length is nearly one, by the binomial series: without a root and a division in a loop.
fn unit([x, y]: [f64; 2]) -> [f64; 2] {
    let off = x * x + y * y - 1.0;
    let inverse = 1.0 - off * (0.5 - off * (0.375 - off * (0.3125 - off * 0.2734375)));
    [x * inverse, y * inverse]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against steps of a ten thousandth of what is left.
    #[test]
    fn the_end_of_a_slip_is_that_of_small_steps() {
        let flow = Flow { drive: [0.1, -0.05], friction: [[1.1, 0.05], [0.05, 1.0]] };
        let slip = [3e-4, 5e-4];
        let time = flow.end(slip).unwrap();
        let (mut u, mut s) = (slip, 0.0);
        while length(u) > 1e-11 {
            let h = 1e-4 * length(u);
            let slope = |u: [f64; 2]| {
                let r = length(u);
                let theta = u.map(|v| v / r);
                [0, 1].map(|i| flow.drive[i] - dot(&flow.friction[i], &theta))
            };
            let k = slope(u);
            let k = slope([u[0] + 0.5 * h * k[0], u[1] + 0.5 * h * k[1]]);
            u = [u[0] + h * k[0], u[1] + h * k[1]];
            s += h;
        }
        assert!((time - s).abs() < 1e-6 * s, "{time} {s}");
        // The mean direction takes the slip to zero.
        let mean = flow.mean(slip, time).unwrap();
        for ((slip, drive), row) in slip.iter().zip(flow.drive).zip(&flow.friction) {
            let end = slip + time * (drive - dot(row, &mean));
            assert!(end.abs() < 1e-16, "{end:e}");
        }
        // Driven faster than friction holds, it does not stop.
        assert!(Flow { drive: [3.0, 0.0], ..flow }.end(slip).is_none());
    }
}
