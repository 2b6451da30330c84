//! What a law that goes by rounds and intervals reports besides its answer.

use super::both;

/// The work of a law that goes by rounds, each of one or more intervals.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RoundsEffort {
    /// Rounds \[1\].
    pub rounds: u64,
    /// Intervals of all rounds \[1\].
    pub intervals: u64,
    /// Intervals of each round \[1\].
    pub intervals_per_round: Vec<u32>,
    /// How many islands were answered by another law in the end, this one having failed; the answer is physical all
    /// the same \[1\].
    pub fallbacks: u32,
    /// What was done where the published algorithm fails.
    pub remedies: Remedies,
    /// Whether the rounds were cut off at their limit, as asked: contacts may still approach.
    pub truncated: bool,
    /// Whether another impulse gives the same velocities.
    pub impulse_unique: Option<bool>,
    /// How well the law's equations were fulfilled in the worst interval, relative to the largest speed \[1\].
    pub residual: f64,
}

/// What a contact does during an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactMode {
    /// It takes part no more: it would have to pull.
    #[default]
    Dropped,
    /// It slides, and friction opposes the slip it has.
    Sliding,
    /// It does not slide, and friction keeps it so.
    Rolling,
    /// It begins to slide, and friction opposes the slip it will have.
    Impending,
    /// It slides and jams: more impulse makes it approach faster until the slip stops.
    Jammed,
}

impl ContactMode {
    /// The mode's name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Sliding => "sliding",
            Self::Rolling => "rolling",
            Self::Impending => "impending",
            Self::Jammed => "jammed",
        }
    }
}

/// What limits the length of an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepLimit {
    /// Nothing: it goes to the end of the round.
    #[default]
    End,
    /// A slip comes closest to stopping.
    ClosestPoint,
    /// A slip has turned as far as it may.
    DirectionChange,
    /// A slip turns further, but the step would be shorter than allowed.
    MinimumStep,
    /// A contact begins or ceases to slide, or to press.
    Event,
}

impl StepLimit {
    /// The limit's name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::ClosestPoint => "closest point",
            Self::DirectionChange => "direction change",
            Self::MinimumStep => "minimum step",
            Self::Event => "event",
        }
    }
}

/// How many times each remedy acted \[1\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remedies {
    /// Islands that were followed in the limit of ever shorter intervals, these having no answer.
    pub limit: u32,
    /// Rounds whose expansion was cut back because it would have created energy.
    pub energy_guard: u32,
    /// Intervals in which a jammed contact was carried on by its normal impulse.
    pub jam_advance: u32,
    /// Intervals solved as an implicit Coulomb problem.
    pub coulomb: u32,
    /// Dropped contacts that were taken in again.
    pub readd: u32,
    /// Rounds without restitution that removed an approach too slow to count.
    pub observe: u32,
    /// Rounds in which contacts that had collided in turn for very long took part together.
    pub together: u32,
    /// Slips that were too slow to be followed, and taken for none.
    pub slow_slip: u32,
    /// Islands that were answered by short intervals, their limit having no answer.
    pub intervals: u32,
    /// Islands on which the budget was spent before an attempt came to its end.
    pub budget: u32,
}

impl Remedies {
    /// The remedies by their names in answers.
    pub fn named(&self) -> [(&'static str, u32); 10] {
        [
            ("limit", self.limit),
            ("energy_guard", self.energy_guard),
            ("jam_advance", self.jam_advance),
            ("coulomb", self.coulomb),
            ("readd", self.readd),
            ("observe", self.observe),
            ("together", self.together),
            ("slow_slip", self.slow_slip),
            ("intervals", self.intervals),
            ("budget", self.budget),
        ]
    }
}

impl RoundsEffort {
    /// Forgets everything but its memory.
    pub(crate) fn clear(&mut self) {
        let mut intervals_per_round = std::mem::take(&mut self.intervals_per_round);
        intervals_per_round.clear();
        *self = Self { intervals_per_round, ..Self::default() };
    }

    /// The work on two islands together: their rounds run side by side.
    pub(crate) fn and(mut self, other: Self) -> Self {
        let most = self.intervals_per_round.len().max(other.intervals_per_round.len());
        self.intervals_per_round.resize(most, 0);
        for (sum, more) in self.intervals_per_round.iter_mut().zip(&other.intervals_per_round) {
            *sum += more;
        }
        Self {
            rounds: self.rounds.max(other.rounds),
            intervals: self.intervals + other.intervals,
            intervals_per_round: self.intervals_per_round,
            fallbacks: self.fallbacks + other.fallbacks,
            remedies: Remedies {
                limit: self.remedies.limit + other.remedies.limit,
                energy_guard: self.remedies.energy_guard + other.remedies.energy_guard,
                jam_advance: self.remedies.jam_advance + other.remedies.jam_advance,
                coulomb: self.remedies.coulomb + other.remedies.coulomb,
                readd: self.remedies.readd + other.remedies.readd,
                observe: self.remedies.observe + other.remedies.observe,
                together: self.remedies.together + other.remedies.together,
                slow_slip: self.remedies.slow_slip + other.remedies.slow_slip,
                intervals: self.remedies.intervals + other.remedies.intervals,
                budget: self.remedies.budget + other.remedies.budget,
            },
            truncated: self.truncated || other.truncated,
            impulse_unique: both(self.impulse_unique, other.impulse_unique),
            residual: self.residual.max(other.residual),
        }
    }
}
