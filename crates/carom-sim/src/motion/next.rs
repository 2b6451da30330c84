//! The impact next after some time, as a problem.

use super::contact::{Bodies, ContactAt, Site};
use super::impact::describe;
use super::model::Model;
use super::report::{Between, EndReason, Failure, FailureKind};
use super::run::seek;
use super::scene::Scene;
use carom::ImpactError;
use carom::system::Generalized;

/// An impact before any law has answered it.
#[derive(Debug)]
#[non_exhaustive]
pub struct NextImpact {
    /// When bodies meet \[s\].
    pub time: f64,
    /// Masses, rows, velocities, drives and loops of all that the impact reaches. Its coordinates are those of the bodies
    /// that move and of their joints.
    pub system: Generalized,
    /// What touches what, in the order of the system's contacts.
    pub contacts: Vec<NextContact>,
}

/// One contact of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NextContact {
    /// Between what.
    pub between: Between,
    /// In the world; the origin for the limit of a joint \[m\].
    pub point: [f64; 3],
    /// From A to B \[1\].
    pub normal: [f64; 3],
    /// How fast it approaches; negative where it separates [m/s].
    pub approach: f64,
}

/// Follows a scene from event to event, under its own law, to the first impact at `after` or later. `None` if there is none
/// within the scene's duration. Impacts that the end of an accumulation stands for are not among them.
///
/// A scene that asks for steps in time is followed from event to event all the same.
pub fn next_impact(scene: &Scene, after: f64) -> Result<Option<NextImpact>, ImpactError> {
    if !(after.is_finite() && after >= 0.0) {
        return Err(ImpactError::bad_problem(
            "at",
            after,
            "must be a time of zero seconds or more",
        ));
    }
    let wanted = Wanted::FirstFrom(after);
    let (reason, sought) = seek(scene, Sought { wanted, found: Vec::new() })?;
    match (sought.found.into_iter().next(), reason) {
        (Some(found), _) => found.map(Some),
        (None, EndReason::Failed(failure)) => {
            let Failure { kind, message } = failure;
            let reason = format!(
                "the motion could not be followed to an impact: {}: {message}",
                kind.name()
            );
            Err(ImpactError::Limit(reason))
        }
        (None, _) => Ok(None),
    }
}

/// Follows a scene from event to event, under its own law, to its end, and keeps the impacts at these times, which are those
/// of its events. Impacts at one time stand in the order in which they happen. Jams and what the end of an accumulation
/// stands for are not among them.
pub fn impacts_at(scene: &Scene, times: &[f64]) -> Result<Vec<NextImpact>, ImpactError> {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let (_, sought) = seek(scene, Sought { wanted: Wanted::At(times), found: Vec::new() })?;
    let mut found: Vec<NextImpact> = sought.found.into_iter().collect::<Result<_, _>>()?;
    found.sort_by(|a, b| a.time.total_cmp(&b.time));
    Ok(found)
}

/// Which impacts are looked for.
#[derive(Debug)]
enum Wanted {
    /// The first one from this time on, which ends the run.
    FirstFrom(f64),
    /// All at these times, in ascending order.
    At(Vec<f64>),
}

impl Default for Wanted {
    fn default() -> Self {
        Self::At(Vec::new())
    }
}

/// Impacts that are looked for, and what was found.
#[derive(Debug, Default)]
pub(crate) struct Sought {
    wanted: Wanted,
    found: Vec<Result<NextImpact, ImpactError>>,
}

impl Sought {
    /// Keeps the impact if it is looked for; the failure that is returned ends the run.
    pub(crate) fn hear(
        &mut self,
        model: &Model,
        bodies: &Bodies,
        sites: &[(Site, ContactAt)],
        y: &[f64],
        speed: f64,
    ) -> Option<Failure> {
        let first = match &self.wanted {
            Wanted::FirstFrom(from) => bodies.t >= *from,
            Wanted::At(_) => false,
        };
        let kept = match &self.wanted {
            Wanted::FirstFrom(_) => first && self.found.is_empty(),
            Wanted::At(times) => times.binary_search_by(|t| t.total_cmp(&bodies.t)).is_ok(),
        };
        if kept {
            let described = describe(model, bodies, sites, y, speed);
            self.found.push(described.map(|(system, chosen)| {
                NextImpact {
                    time: bodies.t,
                    system,
                    contacts: (chosen.into_iter())
                        .map(|c| {
                            let (site, at) = &sites[c];
                            NextContact {
                                between: site.between(model),
                                point: at.touch.point.into(),
                                normal: at.touch.normal.into(),
                                approach: -at.u[0],
                            }
                        })
                        .collect(),
                }
            }));
        }
        let message = "the impact that was looked for";
        first.then(|| Failure { kind: FailureKind::Impact, message: message.into() })
    }
}
