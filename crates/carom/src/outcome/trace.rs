//! The path of an impact, for figures and for quantities that depend on it.

/// A point on the path of an incremental law. Components that the contact does not have are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TracePoint {
    /// Impulse so far, normal first [N·s].
    pub impulse: [f64; 3],
    /// Contact velocity, normal first [m/s].
    pub velocity: [f64; 3],
    /// Work of the normal impulse so far \[J\].
    pub normal_work: f64,
}

/// What happens on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    /// The first touch.
    Start,
    /// The normal velocity reaches zero from below.
    MaximumCompression,
    /// The normal velocity falls below zero again.
    Recompression,
    /// The direction of sliding has become constant.
    Ray,
    /// Sliding ends.
    SlipStops,
    /// The contact sticks from here on.
    Stick,
    /// Sliding starts anew, in another direction.
    Reversal,
    /// The last touch.
    End,
}

impl TraceEvent {
    /// The event's name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::MaximumCompression => "maximum_compression",
            Self::Recompression => "recompression",
            Self::Ray => "ray",
            Self::SlipStops => "slip_stops",
            Self::Stick => "stick",
            Self::Reversal => "reversal",
            Self::End => "end",
        }
    }
}

/// What the path adds up to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathTotals {
    /// Normal impulse while compressing [N·s].
    pub compression_impulse: f64,
    /// Normal impulse while expanding [N·s].
    pub restitution_impulse: f64,
    /// Normal work while compressing, at most zero \[J\].
    pub compression_work: f64,
    /// Normal work while expanding, at least zero \[J\].
    pub restitution_work: f64,
}

impl PathTotals {
    /// Poisson's coefficient: restitution impulse over compression impulse \[1\].
    pub fn e_kinetic(&self) -> Option<f64> {
        (self.compression_impulse > 0.0)
            .then(|| self.restitution_impulse / self.compression_impulse)
    }

    /// Stronge's coefficient: the root of restitution work over compression work \[1\].
    pub fn e_energetic(&self) -> Option<f64> {
        (self.compression_work < 0.0)
            .then(|| f64::sqrt(self.restitution_work / -self.compression_work))
    }

    /// Work of the normal impulse \[J\].
    pub fn normal_work(&self) -> f64 {
        self.compression_work + self.restitution_work
    }
}
