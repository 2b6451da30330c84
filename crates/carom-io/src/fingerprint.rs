//! One number for all answers: a checksum of what every law says about a fixed set of problems, the same on every machine.
//!
//! `carom --version --verbose` computes and prints it. Two machines that print the same number answer with the same bits;
//! one that prints another has a fault in its compiler or its processor, or another build of carom.

use crate::checksum::Checksum;
use crate::format::{LawSpec, Node, Problem};
use crate::resolution::Resolution;
use carom::catalog;
use carom::outcome::Unobserved;

/// The checksum of this version. Where answers have changed on purpose, `carom --version --verbose` prints the new one.
pub const EXPECTED: u64 = 0x0596_a873_cc93_ab1f;

/// Problems that laws answer in milliseconds.
const PROBLEMS: [&str; 19] = [
    include_str!("../../../scenarios/box-corner.toml"),
    include_str!("../../../scenarios/brick-corner.toml"),
    include_str!("../../../scenarios/brick-on-four-vertices.toml"),
    include_str!("../../../scenarios/central-grazing.toml"),
    include_str!("../../../scenarios/closed-loop.toml"),
    include_str!("../../../scenarios/conveyor.toml"),
    include_str!("../../../scenarios/corrected-mirtich.toml"),
    include_str!("../../../scenarios/four-body-chain.toml"),
    include_str!("../../../scenarios/infinite-friction.toml"),
    include_str!("../../../scenarios/joint-stop.toml"),
    include_str!("../../../scenarios/kane-double-pendulum.toml"),
    include_str!("../../../scenarios/knife-edge.toml"),
    include_str!("../../../scenarios/newtons-cradle.toml"),
    include_str!("../../../scenarios/painleve-rod.toml"),
    include_str!("../../../scenarios/pendulum-limit.toml"),
    include_str!("../../../scenarios/rocking-rod.toml"),
    include_str!("../../../scenarios/row-of-five-balls.toml"),
    include_str!("../../../scenarios/spinning-ball.toml"),
    include_str!("../../../scenarios/three-bodies-and-a-floor.toml"),
];

/// The checksum of the answers of every law to every problem of the set, computed now.
pub fn answers() -> Checksum {
    let mut sum = Checksum::default();
    for text in PROBLEMS {
        let problem = toml::from_str::<Node>(text).ok().and_then(|node| Problem::read(&node).ok());
        let Some(problem) = problem else {
            sum.update(b"unreadable");
            continue;
        };
        for row in catalog::all() {
            sum.update(row.id.as_bytes());
            let law = LawSpec::new(row.id).build();
            match law.and_then(|law| Resolution::of(&problem.system, law, &mut Unobserved)) {
                Ok(resolution) => {
                    let outcome = &resolution.outcome;
                    for number in outcome.impulse.iter().chain(&outcome.velocity) {
                        sum.update(&number.to_bits().to_le_bytes());
                    }
                }
                Err(error) => sum.update(error.kind().as_bytes()),
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_every_machine() {
        let found = answers().value();
        assert_eq!(
            found, EXPECTED,
            "answers of laws have changed; if they were meant to, set EXPECTED to {found:#018x}"
        );
    }
}
