//! The Jacobian: exact where contacts are stiff, difference quotients where the configuration is smooth.

use super::Dynamics;
use super::frame::dot;
use crate::compliant::mechanism::Mechanism;
use crate::compliant::model::Mode;

impl<M: Mechanism + ?Sized> Dynamics<'_, M> {
    /// Right-hand side and Jacobian, row by row.
    pub(in crate::compliant) fn system(
        &mut self,
        y: &[f64],
        slope: &mut [f64],
        jacobian: &mut [f64],
    ) {
        self.slope(y, slope);
        jacobian.fill(0.0);
        let n = self.layout.size.velocities;
        for i in 0..self.layout.rows {
            self.velocity_slope[i * self.layout.mechanics() + self.layout.v().start..][..n]
                .copy_from_slice(&self.frame.geometry.jacobian[i * n..][..n]);
        }
        if self.mechanism.is_frozen() {
            self.frozen_slopes(jacobian);
        } else {
            self.smooth_slopes(y, slope, jacobian);
        }
        self.contact_slopes(&y[self.layout.q()], jacobian);
    }

    /// Rates of a mechanism whose configuration does not matter are the gaps' own.
    fn frozen_slopes(&self, jacobian: &mut [f64]) {
        let all = self.layout.unknowns();
        let n = self.layout.size.velocities;
        for k in 0..self.layout.contacts() {
            let row = self.layout.rows(k).start;
            jacobian[k * all + self.layout.v().start..][..n]
                .copy_from_slice(&self.frame.geometry.jacobian[row * n..][..n]);
        }
    }

    /// What depends on configuration and velocity while contact forces stay: difference quotients.
    fn smooth_slopes(&mut self, y: &[f64], slope: &[f64], jacobian: &mut [f64]) {
        let (all, n) = (self.layout.unknowns(), self.layout.size.velocities);
        let (q, v, mechanics) = (self.layout.q(), self.layout.v(), self.layout.mechanics());
        self.shifted.copy_from_slice(&y[..mechanics]);
        for j in 0..mechanics {
            self.shifted[j] = y[j] + self.difference[j];
            // The difference that was made, not the one that was wanted.
            let step = self.shifted[j] - y[j];
            self.moved.fill(self.mechanism, &self.shifted[q.clone()], &self.shifted[v.clone()]);
            for (i, rate) in self.moved.rates.iter().enumerate() {
                jacobian[i * all + j] = (rate - slope[i]) / step;
            }
            for i in 0..n {
                let mut acceleration = self.moved.free[i];
                for (k, force) in self.forces.iter().enumerate() {
                    for (row, f) in self.layout.rows(k).zip(force.force) {
                        acceleration += f * self.moved.response[row * n + i];
                    }
                }
                let at = v.start + i;
                jacobian[at * all + j] = (acceleration - slope[at]) / step;
            }
            if q.contains(&j) {
                let rows = self.moved.geometry.jacobian.chunks_exact(n.max(1));
                let drives = rows.zip(&self.moved.geometry.drive);
                for (i, (row, drive)) in drives.enumerate() {
                    let u = dot(row, &y[v.clone()]) + drive;
                    self.velocity_slope[i * mechanics + j] = (u - self.velocity[i]) / step;
                }
            }
            self.shifted[j] = y[j];
        }
    }

    /// What the contacts' forces add, by the exact slopes of their model.
    fn contact_slopes(&mut self, q: &[f64], jacobian: &mut [f64]) {
        let (all, n) = (self.layout.unknowns(), self.layout.size.velocities);
        let (mechanics, coordinates) = (self.layout.mechanics(), self.layout.size.coordinates);
        self.mechanism.gap_slope(q, &mut self.gap_slope);
        for k in 0..self.layout.contacts() {
            if self.modes[k] == Mode::Open {
                continue;
            }
            let model =
                self.contacts[k].slope(self.exponent, self.modes[k], self.depth(k), self.u(k));
            let rows = self.layout.rows(k);
            for j in 0..mechanics {
                let mut change = [0.0; 4];
                if j < coordinates {
                    change[0] = -self.gap_slope[k * coordinates + j];
                }
                for (change, row) in change[1..].iter_mut().zip(rows.clone()) {
                    *change = self.velocity_slope[row * mechanics + j];
                }
                let along = |slope: &[f64; 4]| dot(slope, &change);
                for (row, slope) in rows.clone().zip(&model.force) {
                    let force = along(slope);
                    let response = &self.frame.response[row * n..][..n];
                    for (i, r) in response.iter().enumerate() {
                        jacobian[(coordinates + i) * all + j] += r * force;
                    }
                    jacobian[(self.layout.impulse().start + row) * all + j] = force;
                    jacobian[self.layout.supplied() * all + j] -=
                        self.frame.geometry.drive[row] * force;
                }
                let (friction, damping) = (self.layout.friction(), self.layout.damping());
                jacobian[(friction.start + k) * all + j] = along(&model.friction_power);
                jacobian[(damping.start + k) * all + j] = along(&model.damping_power);
            }
        }
    }
}
