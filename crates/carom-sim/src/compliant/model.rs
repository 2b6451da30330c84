//! What one contact answers to its penetration and its velocity.

use crate::input;
use carom::ImpactError;

/// How the normal force grows with the penetration δ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exponent {
    /// `F = K δ`: a linear spring.
    Linear,
    /// `F = K δ^{3/2}`: a sphere on a plane, after Hertz.
    Hertz,
}

impl Exponent {
    /// η of `F = K δ^η` \[1\].
    pub fn value(self) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::Hertz => 1.5,
        }
    }

    /// The exponent with this value, 1 or 1.5.
    pub fn from_value(eta: f64) -> Result<Self, ImpactError> {
        match eta {
            1.0 => Ok(Self::Linear),
            1.5 => Ok(Self::Hertz),
            _ => Err(ImpactError::bad_problem(
                "exponent",
                eta,
                "must be 1 (linear spring) or 1.5 (Hertz)",
            )),
        }
    }

    /// `δ^η` and its slope, continued oddly below zero so that a step may go past the end of a contact.
    fn power(self, depth: f64) -> [f64; 2] {
        match self {
            Self::Linear => [depth, 1.0],
            Self::Hertz => {
                let root = f64::sqrt(depth.abs());
                [depth * root, 1.5 * root]
            }
        }
    }
}

/// Friction that rises with the sliding speed `s` to its static value, falls to its dynamic one, and has a viscous part:
///
/// - `μ(s) = μ_s S(s/v_t)` up to the transition speed `v_t`, with `S(x) = 10x³ − 15x⁴ + 6x⁵`,
/// - `μ(s) = μ_s − (μ_s − μ_d) S((s/v_t − 1)/2)` up to three times that speed, then `μ_d`,
/// - and `μ_v s` everywhere,
///
/// the three splined segments of Sherman, Seth and Delp, twice continuously differentiable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stribeck {
    /// `μ_s`, the peak \[1\].
    pub at_rest: f64,
    /// `μ_d` \[1\].
    pub sliding: f64,
    /// `μ_v` [s/m].
    pub viscous: f64,
    /// `v_t`, at which the peak is reached, above 0 [m/s].
    pub transition_speed: f64,
}

impl Stribeck {
    /// Coulomb's friction, smoothed below a transition speed.
    pub fn coulomb(mu: f64, transition_speed: f64) -> Self {
        Self { at_rest: mu, sliding: mu, viscous: 0.0, transition_speed }
    }

    pub(super) fn check(&self) -> Result<(), ImpactError> {
        for (field, value) in [("mu", self.at_rest), ("mu", self.sliding)] {
            if value == f64::INFINITY {
                let reason = "a compliant contact has finite friction; give a large number";
                return Err(ImpactError::bad_problem(field, "inf", reason));
            }
            input::not_negative(field, value)?;
        }
        input::not_negative("viscous", self.viscous)?;
        input::positive("transition_speed", self.transition_speed)
    }

    fn is_absent(&self) -> bool {
        self.at_rest == 0.0 && self.sliding == 0.0 && self.viscous == 0.0
    }

    /// `μ(s)/s` and `μ'(s)` [s/m].
    pub(super) fn slopes(&self, speed: f64) -> [f64; 2] {
        if self.is_absent() {
            return [0.0; 2];
        }
        let x = speed / self.transition_speed;
        let [per_speed, slope] = if x < 1.0 {
            // S(x)/x has no pole at rest.
            let per_speed = self.at_rest * x * x * (10.0 + x * (6.0 * x - 15.0));
            [
                per_speed / self.transition_speed,
                self.at_rest * rise_slope(x) / self.transition_speed,
            ]
        } else {
            let drop = self.at_rest - self.sliding;
            let z = (0.5 * (x - 1.0)).min(1.0);
            let slope = -0.5 * drop * rise_slope(z) / self.transition_speed;
            [(self.at_rest - drop * rise(z)) / speed, slope]
        };
        [per_speed + self.viscous, slope + self.viscous]
    }
}

/// `S(x) = 10x³ − 15x⁴ + 6x⁵`, from 0 at 0 to 1 at 1.
fn rise(x: f64) -> f64 {
    x * x * x * (10.0 + x * (6.0 * x - 15.0))
}

/// `S'(x) = 30 x² (1 − x)²`.
fn rise_slope(x: f64) -> f64 {
    let y = x * (1.0 - x);
    30.0 * y * y
}

/// Spring, damper and friction of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompliantContact {
    /// `K`, above 0 [N/m, or N/m^{3/2} after Hertz].
    pub stiffness: f64,
    /// Hunt and Crossley's `c`, 0 or more [s/m].
    pub dissipation: f64,
    /// Its friction.
    pub friction: Stribeck,
}

/// What a contact does at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Force {
    /// Normal first, as many as the contact has rows \[N\].
    pub(super) force: [f64; 3],
    /// `K δ^η` without the damper \[N\].
    pub(super) elastic: f64,
    /// Power that the damper takes \[W\].
    pub(super) damping_power: f64,
    /// Power that friction takes \[W\].
    pub(super) friction_power: f64,
}

/// How [`Force`] changes with penetration and velocity: derivatives by `δ, u_n, u_t1, u_t2`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ForceSlope {
    pub(super) force: [[f64; 4]; 3],
    pub(super) damping_power: [f64; 4],
    pub(super) friction_power: [f64; 4],
}

/// Whether spring and damper act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The bodies are apart.
    Open,
    /// They push.
    Loaded,
    /// They separate faster than the damped spring follows: Hunt and Crossley's force would pull.
    Slack,
}

impl CompliantContact {
    pub(super) fn check(&self) -> Result<(), ImpactError> {
        input::positive("stiffness", self.stiffness)?;
        input::not_negative("dissipation", self.dissipation)?;
        self.friction.check()
    }

    /// `K δ^{η+1}/(η + 1)` for δ > 0 \[J\].
    pub(super) fn stored(&self, exponent: Exponent, depth: f64) -> f64 {
        let [power, _] = exponent.power(depth.max(0.0));
        self.stiffness * power * depth.max(0.0) / (exponent.value() + 1.0)
    }

    /// The deepest penetration that an energy \[J\] can reach \[m\].
    pub(super) fn depth_of(&self, exponent: Exponent, energy: f64) -> f64 {
        let eta = exponent.value();
        libm::pow((eta + 1.0) * energy / self.stiffness, 1.0 / (eta + 1.0))
    }

    /// Hunt and Crossley's factor `1 + 3/2 c δ̇`, negative where the force would pull \[1\].
    pub(super) fn damping_factor(&self, normal_velocity: f64) -> f64 {
        // [UchidaShermanDelp2015] Eq. (4.2), δ̇ = −u_n
        1.0 - 1.5 * self.dissipation * normal_velocity
    }

    pub(super) fn force(
        &self,
        exponent: Exponent,
        mode: Mode,
        depth: f64,
        velocity: [f64; 3],
    ) -> Force {
        if mode == Mode::Open {
            return Force::default();
        }
        let [power, _] = exponent.power(depth);
        let elastic = self.stiffness * power;
        let [un, u1, u2] = velocity;
        if mode == Mode::Slack {
            return Force { elastic, damping_power: elastic * un, ..Force::default() };
        }
        let normal = elastic * self.damping_factor(un);
        let square = u1 * u1 + u2 * u2;
        let [per_speed, _] = self.friction.slopes(f64::sqrt(square));
        let drag = normal * per_speed;
        Force {
            force: [normal, -drag * u1, -drag * u2],
            elastic,
            damping_power: (elastic - normal) * un,
            friction_power: drag * square,
        }
    }

    pub(super) fn slope(
        &self,
        exponent: Exponent,
        mode: Mode,
        depth: f64,
        velocity: [f64; 3],
    ) -> ForceSlope {
        let mut slope = ForceSlope::default();
        if mode == Mode::Open {
            return slope;
        }
        let [power, rise] = exponent.power(depth);
        let (elastic, stiff) = (self.stiffness * power, self.stiffness * rise);
        let [un, u1, u2] = velocity;
        if mode == Mode::Slack {
            slope.damping_power[..2].copy_from_slice(&[stiff * un, elastic]);
            return slope;
        }
        let factor = self.damping_factor(un);
        let normal = elastic * factor;
        let by_velocity = -1.5 * self.dissipation * elastic;
        slope.force[0][..2].copy_from_slice(&[stiff * factor, by_velocity]);
        slope.damping_power[..2]
            .copy_from_slice(&[stiff * (1.0 - factor) * un, (elastic - normal) - by_velocity * un]);
        let square = u1 * u1 + u2 * u2;
        let speed = f64::sqrt(square);
        let [per_speed, mu_slope] = self.friction.slopes(speed);
        let direction = if speed > 0.0 { [u1 / speed, u2 / speed] } else { [0.0; 2] };
        let turning = mu_slope - per_speed;
        let tangent = [u1, u2];
        for i in 0..2 {
            let row = &mut slope.force[1 + i];
            row[0] = -stiff * factor * per_speed * tangent[i];
            row[1] = -by_velocity * per_speed * tangent[i];
            for j in 0..2 {
                let straight = if i == j { per_speed } else { 0.0 };
                row[2 + j] = -normal * (straight + turning * direction[i] * direction[j]);
            }
            slope.friction_power[2 + i] = normal * (per_speed + mu_slope) * tangent[i];
        }
        slope.friction_power[0] = stiff * factor * per_speed * square;
        slope.friction_power[1] = by_velocity * per_speed * square;
        slope
    }

    /// How fast friction turns or stops the slip of a contact that yields with `mobility`, at most [1/s].
    pub(super) fn friction_rate(&self, normal: f64, speed: f64, mobility: f64) -> f64 {
        let [per_speed, slope] = self.friction.slopes(speed);
        normal.max(0.0) * mobility * per_speed.max(slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTACT: CompliantContact = CompliantContact {
        stiffness: 3e4,
        dissipation: 0.2,
        friction: Stribeck { at_rest: 0.6, sliding: 0.4, viscous: 0.01, transition_speed: 0.5 },
    };

    #[test]
    fn friction_is_smooth_where_its_segments_meet() {
        let friction = CONTACT.friction;
        let mu = |s: f64| friction.slopes(s)[0] * s;
        for (speed, expected) in [(0.0, 0.0), (0.5, 0.605), (1.5, 0.415), (4.0, 0.44)] {
            assert!((mu(speed) - expected).abs() < 1e-15, "{speed}: {}", mu(speed));
        }
        // 0.6 S(1/2) = 0.3 and, halfway down, 0.5.
        assert!((mu(0.25) - 0.3025).abs() < 1e-15);
        assert!((mu(1.0) - 0.51).abs() < 1e-15);
        for speed in [0.1, 0.499_999, 0.500_001, 0.9, 1.499_999, 1.500_001, 3.0] {
            let step = 1e-6;
            let slope = (mu(speed + step) - mu(speed - step)) / (2.0 * step);
            assert!((friction.slopes(speed)[1] - slope).abs() < 1e-8, "{speed}: {slope}");
        }
    }

    #[test]
    fn slopes_are_those_of_the_force() {
        for exponent in [Exponent::Linear, Exponent::Hertz] {
            for mode in [Mode::Open, Mode::Loaded, Mode::Slack] {
                for x in [[0.02, -1.0, 0.3, 0.1], [0.01, 0.7, -0.6, 0.9], [0.03, 0.1, 2.0, -1.0]] {
                    let at = |x: [f64; 4]| CONTACT.force(exponent, mode, x[0], [x[1], x[2], x[3]]);
                    let slope = CONTACT.slope(exponent, mode, x[0], [x[1], x[2], x[3]]);
                    for j in 0..4 {
                        let step = 1e-6 * x[j].abs();
                        let (mut more, mut less) = (x, x);
                        more[j] += step;
                        less[j] -= step;
                        let (more, less) = (at(more), at(less));
                        let check = |name: &str, exact: f64, more: f64, less: f64| {
                            let found = (more - less) / (2.0 * step);
                            let scale = exact.abs() + (more.abs() + less.abs()) / x[j].abs() + 1e-9;
                            assert!(
                                (exact - found).abs() < 1e-8 * scale,
                                "{exponent:?} {mode:?} {name} by {j} at {x:?}: {exact} {found}"
                            );
                        };
                        for i in 0..3 {
                            check("force", slope.force[i][j], more.force[i], less.force[i]);
                        }
                        let (damper, friction) = (slope.damping_power[j], slope.friction_power[j]);
                        check("damping", damper, more.damping_power, less.damping_power);
                        check("friction", friction, more.friction_power, less.friction_power);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_stored_reaches_as_deep_as_it_came_from() {
        for exponent in [Exponent::Linear, Exponent::Hertz] {
            let depth = CONTACT.depth_of(exponent, 2.5);
            assert!((CONTACT.stored(exponent, depth) - 2.5).abs() < 1e-14);
            assert_eq!(CONTACT.stored(exponent, -depth), 0.0);
        }
    }
}
