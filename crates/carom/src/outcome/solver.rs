//! The work of laws that solve equations or follow sequences of collisions.

use super::both;

/// How a law for several contacts came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Its equations were solved.
    #[default]
    Direct,
    /// A sequence of events ended by itself.
    Finite,
    /// An endless sequence was ended by projecting on its limit.
    Projected,
    /// A sequence was followed until what is left is below the tolerance.
    Tolerance,
    /// A sequence was cut off at its limit of events.
    Truncated,
}

impl Ending {
    /// The ending's name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Finite => "finite",
            Self::Projected => "projected",
            Self::Tolerance => "tolerance",
            Self::Truncated => "truncated",
        }
    }
}

/// The work that a law for several contacts did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SolverEffort {
    /// Iterations of the solver, or steps of the law \[1\].
    pub iterations: u64,
    /// Collisions of a sequence \[1\].
    pub collisions: u64,
    /// How many times contacts tied for the next collision \[1\].
    pub ties: u64,
    /// How far the end of an endless sequence may be from what is given: a proven bound for a projection, an observed
    /// one for a tolerance; zero for all that end by themselves [m/s, in the kinetic-energy norm √J for a projection].
    pub truncation: f64,
    /// How it came to its end.
    pub ending: Ending,
    /// Whether another impulse gives the same velocities; absent where it was not determined.
    pub impulse_unique: Option<bool>,
    /// Whether the law's equations leave one velocity only; absent where it is not known.
    pub velocity_unique: Option<bool>,
    /// Whether the impulse is the smallest of those that give the same velocities; false where rounding kept that one
    /// from being found, and another that is as valid stands in for it.
    pub impulse_smallest: bool,
    /// How well the law's own equations are fulfilled, relative to the largest approach speed \[1\].
    pub residual: f64,
}

impl Default for SolverEffort {
    fn default() -> Self {
        Self {
            iterations: 0,
            collisions: 0,
            ties: 0,
            truncation: 0.0,
            ending: Ending::Direct,
            impulse_unique: None,
            velocity_unique: None,
            impulse_smallest: true,
            residual: 0.0,
        }
    }
}

impl SolverEffort {
    /// The work on two islands together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            iterations: self.iterations + other.iterations,
            collisions: self.collisions + other.collisions,
            ties: self.ties + other.ties,
            truncation: self.truncation.max(other.truncation),
            ending: if other.ending as u8 > self.ending as u8 { other.ending } else { self.ending },
            impulse_unique: both(self.impulse_unique, other.impulse_unique),
            velocity_unique: both(self.velocity_unique, other.velocity_unique),
            impulse_smallest: self.impulse_smallest && other.impulse_smallest,
            residual: self.residual.max(other.residual),
        }
    }
}
