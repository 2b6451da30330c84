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

#[cfg(test)]
mod tests {
    use super::*;

    /// Three contacts: the first closes the second, that the third; there is a solution for up to `most` of them.
    struct Row {
        most: usize,
        kept: bool,
    }

    impl Participants for Row {
        type Answer = usize;

        fn attempt(&mut self, taking_part: &[bool]) -> Result<usize, ImpactError> {
            let count = taking_part.iter().filter(|takes_part| **takes_part).count();
            let none = ImpactError::NoSolution { law: "row", reason: String::new() };
            if count <= self.most { Ok(count) } else { Err(none) }
        }

        fn normal_after(&mut self, count: &usize) -> impl Iterator<Item = f64> {
            let next = *count;
            (0..3).map(move |k| if k == next { -1.0 } else { 0.0 })
        }

        fn keep_first(&mut self) {
            self.kept = true;
        }
    }

    #[test]
    fn observers_are_added_until_none_is_closed() {
        let mut taking_part = [true, false, false];
        let mut row = Row { most: 3, kept: false };
        assert_eq!(resolve(&mut row, &mut taking_part, 0.0), Ok((3, Observers::Closed)));
        assert!(row.kept);
        let answer = resolve(&mut Row { most: 3, kept: false }, &mut [true; 3], 0.0);
        assert_eq!(answer, Ok((3, Observers::Open)));
    }

    #[test]
    fn without_a_solution_the_first_answer_stays() {
        let mut row = Row { most: 2, kept: false };
        let answer = resolve(&mut row, &mut [true, false, false], 0.0);
        assert_eq!(answer, Ok((1, Observers::Contradict)));
    }
}
