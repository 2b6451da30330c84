//! Random systems of several contacts, each from its seed.
//!
//! Many are made of small integers, so that ties and degeneracies occur exactly.

pub(super) mod bodies;
mod graphs;
mod mirror;

pub use bodies::{Place, Scene};
pub use mirror::{Mirrored, mirrored};

use super::material;
use crate::{Mechanism, Rng};
use carom::{ContactProblem, ContactSpec};
use std::fmt;

/// What kind of system a [`SeveralSample`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Masses on a line, neighbours touching.
    Chain,
    /// Any contact graph of small integers.
    Graph,
    /// Any contact graph, masses over decades.
    Continuous,
    /// A rigid slab on more supports than it has freedoms.
    Slab,
    /// Contacts that are there twice.
    Duplicated,
    /// Contacts that oppose each other: a body between walls.
    SelfStressed,
    /// Joints, some of them redundant.
    Jointed,
    /// One-row stops beside contacts with friction.
    Stops,
    /// Rigid bodies in the plane.
    Planar,
    /// Rigid bodies in space.
    Spatial,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::Chain,
        Self::Graph,
        Self::Continuous,
        Self::Slab,
        Self::Duplicated,
        Self::SelfStressed,
        Self::Jointed,
        Self::Stops,
        Self::Planar,
        Self::Spatial,
    ];
}

/// A system with what is known about it from the way it was made.
#[derive(Clone)]
pub struct SeveralSample {
    /// The kind of system.
    pub kind: Kind,
    /// The system in numbers.
    pub mechanism: Mechanism,
    /// The bodies that it consists of, if it was made from bodies.
    pub scene: Option<Scene>,
    /// The coefficient for laws that have one for the whole impact; all contacts have it if they have one in common
    /// \[1\].
    pub restitution: f64,
}

impl SeveralSample {
    /// The problem, from the bodies if there are any.
    pub fn problem(&self) -> ContactProblem {
        match &self.scene {
            Some(scene) => scene.bodies().problem().clone(),
            None => self.mechanism.problem(),
        }
    }
}

impl fmt::Debug for SeveralSample {
    /// The numbers alone: a scene says nothing more.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}, restitution {}: {:?}", self.kind, self.restitution, self.mechanism)
    }
}

/// A random system in which no contact separates before the impact.
pub fn several(rng: &mut Rng) -> SeveralSample {
    let kind = match rng.index(20) {
        0..=3 => Kind::Chain,
        4..=7 => Kind::Graph,
        8..=9 => Kind::Continuous,
        10 => Kind::Slab,
        11..=12 => Kind::Duplicated,
        13..=14 => Kind::SelfStressed,
        15 => Kind::Jointed,
        16 => Kind::Stops,
        17..=18 => Kind::Planar,
        _ => Kind::Spatial,
    };
    several_of(kind, rng)
}

/// A random system of this kind in which no contact separates before the impact.
pub fn several_of(kind: Kind, rng: &mut Rng) -> SeveralSample {
    let mut scene = None;
    let mut mechanism = match kind {
        Kind::Chain => graphs::chain(rng),
        Kind::Graph => graphs::graph(rng),
        Kind::Continuous => graphs::continuous(rng),
        Kind::Slab => graphs::slab(rng),
        Kind::Duplicated => graphs::duplicated(rng),
        Kind::SelfStressed => graphs::self_stressed(rng),
        Kind::Jointed => graphs::jointed(rng),
        Kind::Stops => graphs::stops(rng),
        Kind::Planar | Kind::Spatial => {
            let place = if kind == Kind::Planar { Place::Plane } else { Place::Space };
            scene.insert(Scene::random(rng, place)).mechanism()
        }
    };
    let restitution = restitute(rng, &mut mechanism.contacts);
    if let Some(scene) = &mut scene {
        scene.take_specs(&mechanism.contacts);
    }
    SeveralSample { kind, mechanism, scene, restitution }
}

/// A random system of which some contacts separate before the impact.
pub fn several_separating(rng: &mut Rng) -> SeveralSample {
    let kinds = [Kind::Graph, Kind::Continuous, Kind::Duplicated, Kind::Stops];
    let mut sample = several_of(kinds[rng.index(4) as usize], rng);
    // Turned round, a contact separates as fast as it approached.
    for (k, first) in sample.mechanism.normals().into_iter().enumerate() {
        if k == 0 || rng.chance(0.4) {
            sample.mechanism.jacobian[first].iter_mut().for_each(|x| *x = -*x);
            sample.mechanism.drive[first] *= -1.0;
        }
    }
    sample
}

/// Gives every contact its `e`: all the same, or not; often 0 or 1. Returns the one for laws that have only one.
fn restitute(rng: &mut Rng, contacts: &mut [ContactSpec]) -> f64 {
    let common = match rng.index(5) {
        0 => 0.0,
        1 => 1.0,
        2 => 0.25 * rng.index(5) as f64,
        _ => rng.unit(),
    };
    let choice = rng.index(3);
    for contact in contacts {
        let e = match choice {
            0 => common,
            1 => 0.25 * rng.index(5) as f64,
            _ => rng.unit(),
        };
        contact.material.restitution = carom::Restitution::Constant(e);
    }
    common
}

/// A contact of so many rows, with friction if it has tangents.
fn spec(rng: &mut Rng, rows: usize) -> ContactSpec {
    let mu = if rows > 1 && rng.chance(0.8) { rng.log_uniform(0.01, 2.0) } else { 0.0 };
    ContactSpec::new(rows, material(mu, 0.0, 0.0))
}

/// An integer from `−limit` to `limit`.
fn integer(rng: &mut Rng, limit: u64) -> f64 {
    rng.index(2 * limit + 1) as f64 - limit as f64
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What rounding may leave of an approach speed, relative to the terms of its sum.
    const ROUNDING: f64 = 64.0 * f64::EPSILON;

    #[test]
    fn no_contact_separates_before() {
        for kind in Kind::ALL {
            for i in 0..300 {
                let sample = several_of(kind, &mut Rng::for_item(1, i));
                let problem = sample.problem();
                let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
                for k in 0..problem.len() {
                    let u = problem.velocity()[problem.row_range(k).start];
                    assert!(u <= 0.0, "{kind:?} {i}: {u} beside {speed}");
                }
            }
        }
    }

    #[test]
    fn some_contacts_separate_in_the_other_generator() {
        let separating = (0..300)
            .filter(|&i| {
                let problem = several_separating(&mut Rng::for_item(2, i)).problem();
                (0..problem.len()).any(|k| problem.velocity()[problem.row_range(k).start] > 0.0)
            })
            .count();
        assert!(separating > 200, "{separating}");
    }

    #[test]
    fn bodies_and_their_own_jacobian_agree() {
        for kind in [Kind::Planar, Kind::Spatial] {
            for i in 0..200 {
                let sample = several_of(kind, &mut Rng::for_item(3, i));
                let (one, two) = (sample.problem(), sample.mechanism.problem());
                let n = one.rows();
                for k in 0..n * n {
                    let (a, b) = (one.delassus_at(k / n, k % n), two.delassus_at(k / n, k % n));
                    let size =
                        (one.delassus_at(k / n, k / n) * one.delassus_at(k % n, k % n)).sqrt();
                    assert!((a - b).abs() <= ROUNDING * 16.0 * size, "{kind:?} {i}: {a} {b}");
                }
            }
        }
    }
}
