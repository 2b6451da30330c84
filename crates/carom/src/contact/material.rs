//! What the two surfaces contribute to an impact.

use crate::ImpactError;

/// The coefficient of restitution: one number, or a curve over the approach speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Restitution {
    /// The same at all speeds \[1\].
    Constant(f64),
    /// Zero below `capture_speed`, then falling linearly from 1 towards `minimum` at `plastic_speed`, and
    /// `minimum` above it (the curve of Uchida, Sherman and Delp 2015).
    Curve {
        /// The value at and above the plastic speed \[1\].
        minimum: f64,
        /// Approaches slower than this do not rebound [m/s].
        capture_speed: f64,
        /// Approaches faster than this rebound with the minimum [m/s].
        plastic_speed: f64,
    },
}

impl Restitution {
    /// The coefficient at an approach speed [m/s].
    pub fn at(&self, speed: f64) -> f64 {
        match *self {
            Self::Constant(e) => e,
            Self::Curve { minimum, capture_speed, plastic_speed } => {
                if speed < capture_speed {
                    0.0
                } else if speed < plastic_speed {
                    1.0 - (1.0 - minimum) * speed / plastic_speed
                } else {
                    minimum
                }
            }
        }
    }
}

/// The surfaces of one contact: friction, restitution and the few numbers that single laws read besides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Coulomb's coefficient of friction, from 0 to infinity \[1\].
    pub mu: f64,
    /// Normal restitution; what it multiplies depends on the law \[1\].
    pub restitution: Restitution,
    /// Tangential restitution, from −1 to 1; read by few laws \[1\].
    pub e_t: f64,
    /// Stiffness relative to the other contacts of the problem \[1\].
    pub stiffness: f64,
    /// Mosterman's coupling η; absent, it is `1 − e` \[1\].
    pub coupling: Option<f64>,
    /// Brach's signed ratios `p_t / p_n`; the second is zero in the plane \[1\].
    pub impulse_ratio: Option<[f64; 2]>,
}

impl Default for Material {
    /// No friction, no restitution, everything else neutral.
    fn default() -> Self {
        Self {
            mu: 0.0,
            restitution: Restitution::Constant(0.0),
            e_t: 0.0,
            stiffness: 1.0,
            coupling: None,
            impulse_ratio: None,
        }
    }
}

impl Material {
    /// The largest coefficient of restitution any law accepts \[1\]. Only laws whose catalogue row says so take
    /// more than 1: a grazing spinning body can rebound with `e` = 17 and still lose energy.
    pub const MAX_RESTITUTION: f64 = 1000.0;

    /// A material from friction and restitution, everything else neutral.
    pub fn new(mu: f64, e: f64) -> Result<Self, ImpactError> {
        Self { mu, restitution: Restitution::Constant(e), ..Self::default() }.validated()
    }

    /// The same material with tangential restitution `e_t`.
    pub fn with_e_t(self, e_t: f64) -> Result<Self, ImpactError> {
        Self { e_t, ..self }.validated()
    }

    /// The material itself if every number is in range, else what is not.
    pub fn validated(self) -> Result<Self, ImpactError> {
        let refuse = |field: &str, value: f64, reason: String| {
            Err(ImpactError::bad_problem(field, value, reason))
        };
        if self.mu.is_nan() || self.mu < 0.0 {
            return refuse(
                "mu",
                self.mu,
                "friction must be at least 0 (infinity is allowed)".into(),
            );
        }
        let limit = Self::MAX_RESTITUTION;
        match self.restitution {
            Restitution::Constant(e) if !(0.0..=limit).contains(&e) => {
                let reason = "restitution must lie between 0 and 1; laws that define it take up to";
                return refuse("e", e, format!("{reason} {limit}"));
            }
            Restitution::Curve { minimum, .. } if !(0.0..=1.0).contains(&minimum) => {
                return refuse("e.minimum", minimum, "must lie between 0 and 1".into());
            }
            Restitution::Curve { capture_speed, .. }
                if !(capture_speed.is_finite() && capture_speed >= 0.0) =>
            {
                return refuse("e.capture_speed", capture_speed, "must be finite and ≥ 0".into());
            }
            Restitution::Curve { capture_speed, plastic_speed, .. }
                if !(plastic_speed.is_finite() && plastic_speed > capture_speed) =>
            {
                let reason = format!("must be finite and above capture_speed = {capture_speed}");
                return refuse("e.plastic_speed", plastic_speed, reason);
            }
            _ => {}
        }
        if !(-1.0..=1.0).contains(&self.e_t) {
            return refuse("e_t", self.e_t, "must lie between −1 and 1".into());
        }
        if !(self.stiffness.is_finite() && self.stiffness > 0.0) {
            return refuse("stiffness", self.stiffness, "must be finite and positive".into());
        }
        if let Some(coupling) = self.coupling.filter(|c| !(0.0..=1.0).contains(c)) {
            return refuse("coupling", coupling, "must lie between 0 and 1".into());
        }
        if let Some(ratio) = self.impulse_ratio.into_iter().flatten().find(|r| !r.is_finite()) {
            return refuse("impulse_ratio", ratio, "must be finite".into());
        }
        Ok(self)
    }
}
