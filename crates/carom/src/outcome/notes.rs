//! What the reader of an outcome should know besides its numbers.

/// One remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Note {
    /// The contact separates already.
    Separating,
    /// The law has no friction, but the contact has.
    FrictionIgnored,
    /// The law's equations have several solutions.
    SeveralSolutions,
    /// The parameters given to the law lie outside the permissible region.
    Infeasible,
    /// The mechanism locks: `u⁺` is unique, `p` is not, and the smallest was taken.
    ImpulseNotUnique,
    /// The impulse given lay outside the permissible region and was moved to its boundary.
    Projected,
    /// The contact jams: it is driven into compression by friction although it hardly approached.
    Jamb,
    /// Impulses are not unique, and with unequal restitution the velocities depend on the choice among them.
    VelocityNotUnique,
    /// The answer would have gained energy and was moved towards maximum dissipation until it did not.
    EnergyClamped,
    /// An endless sequence of collisions was ended by an exact projection.
    Projection,
    /// An endless sequence of collisions was cut off; `truncation` says what is left.
    Truncated,
    /// Contacts approached at the same speed, and another order of collisions may give another answer.
    Ties,
    /// A contact that separated was closed by the others and answered without restitution.
    ObserverClosed,
    /// A law inside this one may gain energy: what is proven of the sequence does not hold.
    NoGuarantee,
    /// Impulses are not unique, and rounding kept the smallest from being found.
    ImpulseNotSmallest,
    /// Impulses are not unique, whether or not velocities are; the smallest is given.
    ImpulseShared,
    /// Impulses of expansion are not unique; those found contact after contact are given.
    ImpulseInTurn,
    /// A continuum of velocities fulfils the law; that of contacts that yield ever less is given.
    VelocityLimit,
    /// Contacts further apart than the problem's proximity took no part.
    Apart,
    /// Friction was smoothed, or small jumps were made larger, where contacts stop and start without end.
    Smoothed,
    /// The budget was spent: coarse steps followed.
    BudgetSpent,
    /// Contacts that nearly depend on each other were taken to do so.
    NearlyRedundant,
    /// Friction impulses beyond their bounds were cut off.
    FrictionClipped,
    /// No solution was found within the budget, but one nearly, and contacts that would still approach were stopped.
    Nearly,
    /// No solution was found within the budget; that of a simpler friction is given.
    Relaxed,
    /// The law's own answer was not permissible; that of maximum dissipation is given.
    PlasticInstead,
    /// The start velocity breaks joints, which were made to hold before the contacts act.
    JointsBroken,
    /// Velocities from masses differ from those that `W`, rounded, gives.
    MatrixRounded,
    /// The kinetic energy changes by another amount than the contacts and their drives explain.
    EnergyUnexplained,
    /// Intervals of finite length have no answer here; that of ever shorter ones is given.
    IntervalsLimit,
    /// The limit of ever shorter intervals has no answer here; that of short ones is given.
    ShortIntervals,
    /// Where no direction of slip fits, friction opposes the slip at the end of a step.
    CoulombStep,
    /// Contacts that had been left out of a step were taken in again.
    TakenInAgain,
    /// An expansion was cut back so that it creates no energy.
    ExpansionCut,
    /// Approaches too slow to count were stopped without restitution.
    SlowStopped,
    /// Contacts that had collided in turn for very long collided together, without restitution.
    CollidedTogether,
    /// Slip too slow to be followed was taken for none.
    SlowSlip,
    /// The budget of work was spent before the law had come to an end.
    SimplerWay,
    /// No way through the law came to an end: whatever still approached was stopped without restitution.
    Stopped,
}

impl Note {
    const ALL: [Self; 39] = [
        Self::Separating,
        Self::FrictionIgnored,
        Self::SeveralSolutions,
        Self::Infeasible,
        Self::ImpulseNotUnique,
        Self::Projected,
        Self::Jamb,
        Self::VelocityNotUnique,
        Self::EnergyClamped,
        Self::Projection,
        Self::Truncated,
        Self::Ties,
        Self::ObserverClosed,
        Self::NoGuarantee,
        Self::ImpulseNotSmallest,
        Self::ImpulseShared,
        Self::ImpulseInTurn,
        Self::VelocityLimit,
        Self::Apart,
        Self::Smoothed,
        Self::BudgetSpent,
        Self::NearlyRedundant,
        Self::FrictionClipped,
        Self::Nearly,
        Self::Relaxed,
        Self::PlasticInstead,
        Self::JointsBroken,
        Self::MatrixRounded,
        Self::EnergyUnexplained,
        Self::IntervalsLimit,
        Self::ShortIntervals,
        Self::CoulombStep,
        Self::TakenInAgain,
        Self::ExpansionCut,
        Self::SlowStopped,
        Self::CollidedTogether,
        Self::SlowSlip,
        Self::SimplerWay,
        Self::Stopped,
    ];

    /// The remark as a sentence.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Separating => {
                "the contact separates already, so nothing happens; does the normal point from A to B?"
            }
            Self::FrictionIgnored => "this law has no friction: mu was ignored",
            Self::SeveralSolutions => {
                "the law's equations have several solutions; the one with the smallest normal impulse is given"
            }
            Self::Infeasible => {
                "the parameters given to the law lead outside the permissible region"
            }
            Self::ImpulseNotUnique => {
                "contacts are redundant: velocities are unique, impulses are not; the smallest is given"
            }
            Self::Projected => "the impulse given is not permissible and was moved to the boundary",
            Self::Jamb => "the contact jams: sliding friction drives it into compression",
            Self::VelocityNotUnique => {
                "contacts are redundant and their e differ: velocities follow from the smallest compression impulses"
            }
            Self::EnergyClamped => {
                "the law's own answer gains energy: it was moved towards maximum dissipation until it does not"
            }
            Self::Projection => "the sequence has no end: it was ended by an exact projection",
            Self::Truncated => "the sequence was cut off; `truncation` says how far its limit is",
            Self::Ties => "contacts tied: another order of collisions may give another answer",
            Self::ObserverClosed => {
                "contacts that separated were closed by the others and answered without restitution"
            }
            Self::NoGuarantee => "the pairwise law may gain energy: so may the sequence",
            Self::ImpulseNotSmallest => {
                "contacts are redundant, and the smallest impulse was not found: another that does the same is given"
            }
            Self::ImpulseShared => {
                "contacts are redundant: of impulses with the same effect the smallest is given"
            }
            Self::ImpulseInTurn => "redundant expansion impulses were found contact after contact",
            Self::Nearly => {
                "the law's equations were not solved within the budget: they hold up to `residual`, and contacts were kept from approaching"
            }
            Self::Relaxed => {
                "the law's equations were not solved within the budget: convex friction, which parts what slides, is given, with the smallest e for all"
            }
            Self::VelocityLimit => {
                "redundant contacts slide: of a continuum of velocities that of contacts which yield ever less is given"
            }
            Self::Apart => "contacts with a larger gap than the problem's `proximity` took no part",
            Self::Smoothed => {
                "contacts stop and start without end: friction was smoothed for a while, or small jumps made larger"
            }
            Self::BudgetSpent => {
                "the budget was spent: the rest of the impact was followed by coarse steps, with errors of percents"
            }
            Self::NearlyRedundant => {
                "contacts are nearly redundant and were taken to be: velocities may be off by a thousandth of what friction does"
            }
            Self::FrictionClipped => {
                "friction impulses were beyond their bounds, and were cut off there"
            }
            Self::PlasticInstead => {
                "rounding led the law to an answer that is not permissible: that of maximum dissipation is given"
            }
            Self::JointsBroken => {
                "the start velocity breaks a joint: joints hold before the contacts act, which changes u⁻ and takes energy of its own"
            }
            Self::MatrixRounded => {
                "masses lie too far apart for W: velocities after the impact are not those that W gives; the certificate takes masses"
            }
            Self::EnergyUnexplained => {
                "the kinetic energy changes by another amount than contacts and drives explain"
            }
            Self::IntervalsLimit => {
                "intervals as published have no answer: that of ever shorter ones is given"
            }
            Self::ShortIntervals => {
                "ever shorter intervals have no limit: the answer of short ones is given"
            }
            Self::CoulombStep => {
                "no direction of slip fits: friction opposes the slip at the end of a step"
            }
            Self::TakenInAgain => {
                "contacts that would approach were taken in again during an interval"
            }
            Self::ExpansionCut => "an expansion was cut back: it would have created energy",
            Self::SlowStopped => {
                "approaches slower than `observe_speed` were stopped without restitution"
            }
            Self::CollidedTogether => {
                "contacts that had collided in turn for very long collided together, without restitution"
            }
            Self::SlowSlip => "slip too slow to be followed was taken for none",
            Self::SimplerWay => "the `budget` was spent: a simpler way gave the answer",
            Self::Stopped => {
                "no attempt came to an end: what still approached was stopped without restitution"
            }
        }
    }
}

/// A set of [`Note`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes(u64);

impl Notes {
    /// No remarks.
    pub const NONE: Self = Self(0);

    /// Adds a remark.
    pub fn insert(&mut self, note: Note) {
        self.0 |= 1 << note as u64;
    }

    /// Takes a remark back.
    pub fn remove(&mut self, note: Note) {
        self.0 &= !(1 << note as u64);
    }

    /// Whether the remark was made.
    pub const fn contains(self, note: Note) -> bool {
        self.0 & (1 << note as u64) != 0
    }

    /// Both sets together.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The remarks, in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = Note> {
        Note::ALL.into_iter().filter(move |n| self.contains(*n))
    }
}
