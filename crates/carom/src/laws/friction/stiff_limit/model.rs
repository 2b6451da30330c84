//! An island in units in which speeds, masses, stiffness and times are about one.

use super::StiffLimit;
use super::island::Island;
use super::rows::padded;
use super::tolerances as tol;
use crate::laws::normal::lzb::Gaps;
use crate::numerics::dot;

/// How the force of a contact grows with its indentation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Power {
    Linear,
    Hertz,
    Other(f64),
}

impl Power {
    pub(crate) fn new(exponent: f64) -> Self {
        match exponent {
            1.0 => Self::Linear,
            1.5 => Self::Hertz,
            other => Self::Other(other),
        }
    }

    pub(crate) fn exponent(self) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::Hertz => 1.5,
            Self::Other(exponent) => exponent,
        }
    }

    /// `d^η`, continued smoothly beyond zero where that is possible: a step may end there before it is cut.
    pub(crate) fn raise(self, d: f64) -> f64 {
        match self {
            Self::Linear => d,
            _ if d <= 0.0 => 0.0,
            Self::Hertz => d * f64::sqrt(d),
            Self::Other(exponent) => libm::pow(d, exponent),
        }
    }

    /// `(z²)^η`, smooth through zero where `2η` is odd.
    pub(crate) fn raise_square(self, z: f64) -> f64 {
        match self {
            Self::Linear => z * z.abs(),
            Self::Hertz => z * z * z,
            Self::Other(exponent) => libm::copysign(libm::pow(z.abs(), 2.0 * exponent), z),
        }
    }

    /// The derivative of [`Self::raise`].
    pub(crate) fn steepness(self, d: f64) -> f64 {
        match self {
            Self::Linear => 1.0,
            _ if d <= 0.0 => 0.0,
            Self::Hertz => 1.5 * f64::sqrt(d),
            Self::Other(exponent) => exponent * libm::pow(d, exponent - 1.0),
        }
    }
}

/// One contact along its normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spring {
    /// `W_nn` \[1\].
    pub(crate) response: f64,
    pub(crate) stiffness: f64,
    pub(crate) e: f64,
    /// How deep it is pressed by its own at unit speed: what its indentation is measured by \[1\].
    pub(crate) depth: f64,
    /// Its place among the contacts with friction, if it has some.
    pub(crate) frictional: Option<usize>,
}

/// One contact with friction, in its tangent plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrictionalContact {
    /// Its place among all contacts.
    pub(crate) index: usize,
    /// 1 or 2; the second row is zero in the plane.
    pub(crate) tangents: usize,
    pub(crate) mu: f64,
    /// The trace of `W_tt` \[1\].
    pub(crate) response: f64,
}

/// The contacts of an island. Velocities are `u = start + rows x`, with changes `x` since the last decision, in coordinates
/// in which the kinetic energy is `½ x·x`: as many as `W` has rank.
pub(crate) struct Model {
    pub(crate) springs: Vec<Spring>,
    pub(crate) frictional: Vec<FrictionalContact>,
    pub(crate) rank: usize,
    /// How many numbers stand for a row, see [`padded`].
    pub(crate) stride: usize,
    /// One row per contact.
    pub(crate) normals: Vec<f64>,
    pub(crate) normal_start: Vec<f64>,
    /// Two rows per contact with friction.
    pub(crate) tangents: Vec<f64>,
    pub(crate) tangent_start: Vec<f64>,
    /// What errors of `x` are measured by: an error of this size changes a velocity by one \[1\].
    pub(crate) scale: Vec<f64>,
    pub(crate) power: Power,
    pub(crate) gaps: Gaps,
    /// Hunt and Crossley's damping, `3/2 c` \[1\].
    pub(crate) damping: Option<f64>,
    /// The unit of speed [m/s].
    pub(crate) speed: f64,
    /// The unit of `W` [1/kg].
    pub(crate) response: f64,
}

impl Model {
    pub(crate) fn new(law: &StiffLimit, island: &Island) -> Self {
        let n = island.contacts.len();
        let mean = |total: f64| if total > 0.0 { total / n.max(1) as f64 } else { 1.0 };
        let largest = island.velocity.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let speed = if largest > 0.0 { largest } else { 1.0 };
        let own = |row: usize| dot(island.row(row), island.row(row));
        let response = mean(island.contacts.iter().map(|c| own(c.first_row)).sum());
        let stiffness = mean(island.contacts.iter().map(|c| c.material.stiffness).sum());
        let exponent = law.exponent;
        let (rank, stride) = (island.factor.rank, padded(island.factor.rank));
        let mut model = Self {
            springs: Vec::with_capacity(n),
            frictional: Vec::new(),
            rank,
            stride,
            normals: Vec::with_capacity(n * stride),
            normal_start: Vec::with_capacity(n),
            tangents: Vec::new(),
            tangent_start: Vec::new(),
            scale: vec![0.0; rank],
            power: Power::new(law.exponent),
            gaps: law.gaps,
            damping: law.hunt_crossley.map(|c| 1.5 * c * speed),
            speed,
            response,
        };
        let unit = 1.0 / f64::sqrt(response);
        for (k, contact) in island.contacts.iter().enumerate() {
            let first = contact.first_row;
            let w = own(first) / response;
            let stiffness = contact.material.stiffness / stiffness;
            let bend = if w > 0.0 { w * stiffness } else { stiffness };
            let approach = (-island.velocity[first]).max(0.0);
            let e = contact.material.restitution.at(approach);
            let rough = contact.tangents > 0 && contact.material.mu > 0.0;
            model.springs.push(Spring {
                response: w,
                stiffness,
                e: if e < tol::NO_RESTITUTION { 0.0 } else { e },
                depth: libm::pow(bend, -1.0 / (exponent + 1.0)),
                frictional: rough.then_some(model.frictional.len()),
            });
            model.normals.extend(island.row(first).iter().map(|x| x * unit));
            model.normals.resize(model.springs.len() * stride, 0.0);
            model.normal_start.push(island.velocity[first] / speed);
            if rough {
                let rows = first + 1..=first + contact.tangents;
                model.frictional.push(FrictionalContact {
                    index: k,
                    tangents: contact.tangents,
                    mu: contact.material.mu,
                    response: rows.clone().map(own).sum::<f64>() / response,
                });
                for row in rows {
                    model.tangents.extend(island.row(row).iter().map(|x| x * unit));
                    model.tangents.resize(model.tangents.len().next_multiple_of(stride), 0.0);
                    model.tangent_start.push(island.velocity[row] / speed);
                }
                model.tangents.resize(2 * model.frictional.len() * stride, 0.0);
                model.tangent_start.resize(2 * model.frictional.len(), 0.0);
            }
        }
        let rows = model.normals.chunks_exact(stride);
        for row in rows.chain(model.tangents.chunks_exact(stride)) {
            for (most, x) in model.scale.iter_mut().zip(row) {
                *most = most.max(x.abs());
            }
        }
        for most in &mut model.scale {
            *most = if *most > 0.0 { 1.0 / *most } else { 1.0 };
        }
        model
    }

    /// Measures `x` from here: small slip is then known to all its digits.
    pub(crate) fn recentre(&mut self, x: &mut [f64]) {
        let stride = self.stride;
        for (start, row) in self.normal_start.iter_mut().zip(self.normals.chunks_exact(stride)) {
            *start += dot(row, x);
        }
        for (start, row) in self.tangent_start.iter_mut().zip(self.tangents.chunks_exact(stride)) {
            *start += dot(row, x);
        }
        x.fill(0.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.springs.len()
    }

    pub(crate) fn normal(&self, k: usize) -> &[f64] {
        &self.normals[k * self.stride..][..self.rank]
    }

    /// One of the two tangential rows of a contact.
    pub(crate) fn tangent(&self, g: usize, c: usize) -> &[f64] {
        &self.tangents[(2 * g + c) * self.stride..][..self.rank]
    }

    /// The slip of a contact.
    pub(crate) fn slip(&self, g: usize, x: &[f64]) -> [f64; 2] {
        [0, 1].map(|c| self.tangent_start[2 * g + c] + dot(self.tangent(g, c), x))
    }

    /// The energy that a contact stores.
    pub(crate) fn stored(&self, k: usize, d: f64) -> f64 {
        let d = d.max(0.0);
        self.springs[k].stiffness * self.power.raise(d) * d / (self.power.exponent() + 1.0)
    }

    /// Whether loading and unloading differ at a contact, so that the turn between them must be met.
    pub(crate) fn turns(&self, k: usize) -> bool {
        self.damping.is_none() && self.springs[k].e < 1.0
    }

    /// The unit of impulses [N·s].
    pub(crate) fn impulse(&self) -> f64 {
        self.speed / self.response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `d^η`, its derivative, and the same from the root of `d`, which goes on beyond zero.
    #[test]
    fn powers_agree_with_each_other() {
        for power in [1.0, 1.5, 2.2].map(Power::new) {
            let (d, step) = (0.49, 1e-6);
            let slope = (power.raise(d + step) - power.raise(d - step)) / (2.0 * step);
            assert!((power.steepness(d) - slope).abs() < 1e-9, "{power:?}");
            assert!((power.raise_square(0.7) - power.raise(d)).abs() < 1e-15, "{power:?}");
            assert!((power.raise_square(-0.7) + power.raise(d)).abs() < 1e-15, "{power:?}");
        }
    }
}
