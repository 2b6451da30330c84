//! `compliant`: what contacts are like that yield.

use super::cursor::Cursor;
use super::keys::{self, Key};
use carom::ImpactError;

/// What is said about compliant contacts, in a file or on the command line. What is not said is as by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompliantSpec {
    /// `E` \[Pa\].
    pub modulus: Option<f64>,
    /// `K` [N/m, or N/m^1.5].
    pub stiffness: Option<f64>,
    /// 1 or 1.5 \[1\].
    pub exponent: Option<f64>,
    /// Of the spheres \[m\].
    pub radius: Option<f64>,
    /// Hunt and Crossley's `c` [s/m].
    pub dissipation: Option<f64>,
    /// Below it friction is smoothed [m/s].
    pub transition_speed: Option<f64>,
    /// Static friction relative to `mu` \[1\].
    pub static_ratio: Option<f64>,
    /// Viscous friction [s/m].
    pub viscous: Option<f64>,
    /// Two or three numbers [m/s²].
    pub gravity: Option<Vec<f64>>,
}

impl CompliantSpec {
    /// Reads the table of a problem.
    pub fn read(table: &Cursor) -> Result<Self, ImpactError> {
        table.check_keys(&keys::COMPLIANT_TABLE)?;
        let number = |key: &'static Key| table.get(key.name).map(|x| x.number()).transpose();
        let spec = Self {
            modulus: number(&keys::MODULUS)?,
            stiffness: number(&keys::SPRING_STIFFNESS)?,
            exponent: number(&keys::EXPONENT)?,
            radius: number(&keys::RADIUS)?,
            dissipation: number(&keys::DISSIPATION)?,
            transition_speed: number(&keys::TRANSITION_SPEED)?,
            static_ratio: number(&keys::STATIC_RATIO)?,
            viscous: number(&keys::VISCOUS)?,
            gravity: table
                .get(keys::GRAVITY.name)
                .map(|g| g.numbers().map(<[f64]>::to_vec))
                .transpose()?,
        };
        spec.check().map_err(|error| error.within(keys::COMPLIANT.name))?;
        Ok(spec)
    }

    /// The same with what `other` says instead.
    pub fn overridden_by(&self, other: &Self) -> Self {
        // A modulus and a stiffness exclude each other: the one said last counts.
        let (mut modulus, mut stiffness) = (self.modulus, self.stiffness);
        if other.modulus.is_some() || other.stiffness.is_some() {
            (modulus, stiffness) = (other.modulus, other.stiffness);
        }
        let same_spring = (modulus, stiffness) == (self.modulus, self.stiffness);
        Self {
            modulus,
            stiffness,
            exponent: other.exponent.or(self.exponent.filter(|_| same_spring)),
            radius: other.radius.or(self.radius),
            dissipation: other.dissipation.or(self.dissipation),
            transition_speed: other.transition_speed.or(self.transition_speed),
            static_ratio: other.static_ratio.or(self.static_ratio),
            viscous: other.viscous.or(self.viscous),
            gravity: other.gravity.clone().or_else(|| self.gravity.clone()),
        }
    }

    /// Refuses numbers that contradict each other or that no spring has. Ranges are those of `carom_sim::compliant`,
    /// which this crate does not depend on.
    pub fn check(&self) -> Result<(), ImpactError> {
        let refuse =
            |key: &Key, value: f64, reason| Err(ImpactError::bad_problem(key.name, value, reason));
        match (self.modulus, self.stiffness, self.exponent) {
            (.., Some(exponent)) if exponent != 1.0 && exponent != 1.5 => {
                let reason = "must be 1 (linear spring) or 1.5 (Hertz)";
                return refuse(&keys::EXPONENT, exponent, reason);
            }
            (Some(modulus), Some(_), _) => {
                let reason = "a spring has a modulus or a stiffness, not both";
                return refuse(&keys::MODULUS, modulus, reason);
            }
            (_, None, Some(1.0)) => {
                let reason = "a linear spring has a `stiffness` [N/m] in place of a modulus";
                return refuse(&keys::EXPONENT, 1.0, reason);
            }
            _ => {}
        }
        if let Some(gravity) = self.gravity.as_deref().filter(|g| !(2..=3).contains(&g.len())) {
            let reason = "must be 2 numbers in the plane, 3 in space";
            let value = format!("{} numbers", gravity.len());
            return Err(ImpactError::bad_problem(keys::GRAVITY.name, value, reason));
        }
        type InRange = fn(f64) -> bool;
        let positive: (InRange, _) = (|x| x > 0.0, "must be a finite number above 0");
        let not_negative: (InRange, _) = (|x| x >= 0.0, "must be a finite number, 0 or more");
        let at_least_one: (InRange, _) = (|x| x >= 1.0, "must be a finite number, 1 or more");
        let radius = if self.stiffness.is_some() { not_negative } else { positive };
        for (key, value, (in_range, reason)) in [
            (&keys::MODULUS, self.modulus, positive),
            (&keys::SPRING_STIFFNESS, self.stiffness, positive),
            (&keys::RADIUS, self.radius, radius),
            (&keys::DISSIPATION, self.dissipation, not_negative),
            (&keys::STATIC_RATIO, self.static_ratio, at_least_one),
            (&keys::VISCOUS, self.viscous, not_negative),
            (&keys::TRANSITION_SPEED, self.transition_speed, positive),
        ] {
            match value {
                Some(x) if !(x.is_finite() && in_range(x)) => return refuse(key, x, reason),
                _ => {}
            }
        }
        Ok(())
    }
}
