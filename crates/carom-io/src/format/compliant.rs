//! `compliant`: what contacts are like that yield.

use super::cursor::Cursor;
use super::keys::{self, Key};
use carom::ImpactError;
use carom_sim::compliant::{Compliance, Exponent, Spring, Transition};

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
        spec.compliance().map_err(|error| error.within(keys::COMPLIANT.name))?;
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

    /// The compliance that this describes.
    pub fn compliance(&self) -> Result<Compliance, ImpactError> {
        let default = Compliance::default();
        let exponent = self.exponent.map(Exponent::from_value).transpose()?;
        let spring = match (self.modulus, self.stiffness, exponent) {
            (Some(modulus), Some(_), _) => {
                let reason = "a spring has a modulus or a stiffness, not both";
                return Err(ImpactError::bad_problem(keys::MODULUS.name, modulus, reason));
            }
            (None, Some(stiffness), exponent) => {
                Spring::Power { exponent: exponent.unwrap_or(Exponent::Linear), stiffness }
            }
            (_, None, Some(Exponent::Linear)) => {
                let reason = "a linear spring has a `stiffness` [N/m] in place of a modulus";
                return Err(ImpactError::bad_problem(keys::EXPONENT.name, 1, reason));
            }
            (Some(modulus), None, _) => Spring::Hertz { modulus },
            (None, None, _) => default.spring,
        };
        let gravity = match self.gravity.as_deref() {
            None => default.gravity,
            Some(&[x, y]) => [x, y, 0.0],
            Some(&[x, y, z]) => [x, y, z],
            Some(other) => {
                return Err(ImpactError::bad_problem(
                    keys::GRAVITY.name,
                    format!("{} numbers", other.len()),
                    "must be 2 numbers in the plane, 3 in space",
                ));
            }
        };
        Compliance {
            spring,
            radius: self.radius.unwrap_or(default.radius),
            dissipation: self.dissipation.unwrap_or(default.dissipation),
            static_ratio: self.static_ratio.unwrap_or(default.static_ratio),
            viscous: self.viscous.unwrap_or(default.viscous),
            transition: self.transition_speed.map_or(default.transition, Transition::Speed),
            gravity,
        }
        .validated()
    }
}
