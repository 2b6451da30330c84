//! Which contacts take part in an impact of all at once: those that separate are observers until the others close them.

use crate::ImpactError;

/// A law on those contacts of an island that take part.
pub(crate) trait Participants {
    type Answer;

    /// The answer of the contacts that take part.
    fn attempt(&mut self, taking_part: &[bool]) -> Result<Self::Answer, ImpactError>;

    /// The normal velocities of all contacts after an answer [m/s].
    fn normal_after(&mut self, answer: &Self::Answer) -> impl Iterator<Item = f64>;

    /// Keeps the first answer, if it lies in memory that later attempts use.
    fn keep_first(&mut self) {}
}

/// How observers changed an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observers {
    /// None was closed.
    Open,
    /// Those that were closed take part without restitution.
    Closed,
    /// With those that were closed there is no solution: the answer is the first, without them.
    Contradict,
}

/// The answer of an island. Every attempt adds a contact, so there are finitely many.
pub(crate) fn resolve<P: Participants>(
    island: &mut P,
    taking_part: &mut [bool],
    zero: f64,
) -> Result<(P::Answer, Observers), ImpactError> {
    let first = island.attempt(taking_part)?;
    if !close(island, &first, taking_part, zero) {
        return Ok((first, Observers::Open));
    }
    island.keep_first();
    loop {
        match island.attempt(taking_part) {
            Err(ImpactError::NoSolution { .. }) => return Ok((first, Observers::Contradict)),
            Err(error) => return Err(error),
            Ok(anew) if close(island, &anew, taking_part, zero) => {}
            Ok(anew) => return Ok((anew, Observers::Closed)),
        }
    }
}

/// Adds the contacts that an answer closes; says whether there are any.
fn close<P: Participants>(
    island: &mut P,
    answer: &P::Answer,
    taking_part: &mut [bool],
    zero: f64,
) -> bool {
    if taking_part.iter().all(|takes_part| *takes_part) {
        return false;
    }
    let mut any = false;
    for (takes_part, u) in taking_part.iter_mut().zip(island.normal_after(answer)) {
        if !*takes_part && u < -zero {
            (*takes_part, any) = (true, true);
        }
    }
    any
}
