//! Why an attempt at an impact fails.

use crate::ImpactError;
use crate::outcome::RoundsEffort;

/// Why an attempt cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failure {
    /// Contacts that cannot roll find no direction to slide in; the best came this close \[1\].
    NoDirection { residual: f64 },
    /// The equations of an interval contradict each other by this much of the speed \[1\].
    Contradiction { residual: f64 },
    /// A round passed without any impulse although contacts approach [m/s].
    Standstill { approach: f64 },
    /// A round takes more intervals than allowed.
    Intervals { count: u32 },
    /// A round would create energy even without its expansion \[J\].
    Gain { energy: f64 },
    /// So many dropped contacts approach, and do not jam.
    LeftOut { contacts: usize },
    /// Stick–slip states change without end where this much of a round is over.
    Chatter { events: u32, share: f64 },
    /// The flow is not smooth where this much of a round is over.
    Rough { share: f64 },
    /// Equations have been solved as often as allowed.
    Solutions { count: u64 },
    /// The budget is spent \[1\].
    Budget { work: u64 },
    /// Slip of this part of the largest speed neither stops nor lets the round go on \[1\].
    Creep { slip: f64 },
    /// No event ends the segment that begins where this much of a round is over.
    Endless { share: f64 },
    /// The observer asked for an end.
    Stopped(ImpactError),
}

impl Failure {
    pub(crate) fn into_error(self, law: &'static str, effort: &RoundsEffort) -> ImpactError {
        let place = format!("in round {} after {} intervals", effort.rounds + 1, effort.intervals);
        let no_solution = |reason: String| ImpactError::NoSolution { law, reason };
        match self {
            Self::NoDirection { residual } => no_solution(format!(
                "contacts can neither roll nor slide {place}: no direction of slip opposes its friction (residual {residual:.1e})"
            )),
            Self::Contradiction { residual } => no_solution(format!(
                "contacts cannot all stop approaching {place}: their equations contradict each other by {residual:.1e} of the speed"
            )),
            Self::Standstill { approach } => no_solution(format!(
                "contacts approach at {approach:e} m/s but none takes an impulse {place}: sliding friction jams"
            )),
            Self::Intervals { count } => {
                ImpactError::Limit(format!("{count} intervals in one round, {place}"))
            }
            Self::Gain { energy } => {
                no_solution(format!("friction creates {energy:.1e} J {place}, restitution aside"))
            }
            Self::LeftOut { contacts } => no_solution(format!(
                "{contacts} contacts approach {place}, but pushing them no others can do their part"
            )),
            Self::Chatter { events, share } => no_solution(format!(
                "what contacts do changes {events} times {place}, {share} of it being over: there is no one flow"
            )),
            Self::Rough { share } => no_solution(format!(
                "the flow {place} cannot be followed, {share} of it being over"
            )),
            Self::Solutions { count } => {
                ImpactError::Limit(format!("{count} solutions of the equations, {place}"))
            }
            Self::Budget { work } => {
                ImpactError::Limit(format!("the budget of {work} is spent, {place}"))
            }
            Self::Creep { slip } => no_solution(format!(
                "slip of {slip:.1e} of the speed does not end {place}, and turns too fast to be followed"
            )),
            Self::Endless { share } => no_solution(format!(
                "impulses grow and nothing changes {place}, {share} of it being over"
            )),
            Self::Stopped(error) => error,
        }
    }
}
