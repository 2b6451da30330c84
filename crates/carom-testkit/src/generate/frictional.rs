//! Random impacts with friction at any number of contacts, each from its seed.

mod blocks;
mod bricks;

pub use bricks::Landing;

use super::material;
use super::several::Scene;
use crate::{Mechanism, Rng};
use carom::{ContactProblem, ContactSpec, Restitution};
use std::fmt;

/// What kind of system a [`FrictionalSample`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FrictionalKind {
    /// A brick that lands on one to eight points.
    Brick,
    /// A brick on a brick on the ground, eight contacts.
    Stack,
    /// Two free bodies that meet in up to three points.
    Pair,
    /// Bodies on joints, some of them redundant.
    Linked,
    /// Any positive semidefinite matrix.
    Matrix,
    /// Contacts that are there several times.
    Duplicated,
    /// Bodies whose masses differ by up to twelve decades.
    Decades,
    /// Contacts of one, two and three rows side by side.
    Mixed,
}

impl FrictionalKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Brick,
        Self::Stack,
        Self::Pair,
        Self::Linked,
        Self::Matrix,
        Self::Duplicated,
        Self::Decades,
        Self::Mixed,
    ];
}

/// An impact with what is known about it from the way it was made.
#[derive(Clone)]
pub struct FrictionalSample {
    /// The kind of system.
    pub kind: FrictionalKind,
    /// The system in numbers.
    pub mechanism: Mechanism,
    /// The bodies that it consists of, if it was made from bodies and is still the same.
    pub scene: Option<Scene>,
}

impl FrictionalSample {
    /// The problem, from the coordinates.
    pub fn problem(&self) -> ContactProblem {
        self.mechanism.problem()
    }
}

impl fmt::Debug for FrictionalSample {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}: {}", self.kind, json(&self.mechanism))
    }
}

/// The mechanism in the form that the command line reads.
pub fn json(mechanism: &Mechanism) -> String {
    let rows: Vec<&[f64]> = mechanism.mass.chunks(mechanism.size()).collect();
    let mut text = format!(
        r#"{{"mass": {rows:?}, "velocity": {:?}, "jacobian": {:?}"#,
        mechanism.velocity, mechanism.jacobian
    );
    if !mechanism.bilateral.is_empty() {
        text += &format!(r#", "bilateral": {:?}"#, mechanism.bilateral);
    }
    let contact = |spec: &ContactSpec| {
        let e = match spec.material.restitution {
            Restitution::Constant(e) => format!("{e:?}"),
            Restitution::Curve { minimum, capture_speed, plastic_speed } => format!(
                r#"{{"minimum": {minimum:?}, "capture_speed": {capture_speed:?}, "plastic_speed": {plastic_speed:?}}}"#
            ),
        };
        format!(r#"{{"rows": {}, "mu": {:?}, "e": {e}}}"#, spec.rows, spec.material.mu)
    };
    let contacts: Vec<String> = mechanism.contacts.iter().map(contact).collect();
    text + &format!(r#", "contacts": [{}]}}"#, contacts.join(", "))
}

/// A random impact in which some contact approaches.
pub fn frictional(rng: &mut Rng) -> FrictionalSample {
    let kind = FrictionalKind::ALL[rng.index(FrictionalKind::ALL.len() as u64) as usize];
    frictional_of(kind, rng)
}

/// A random impact of this kind in which some contact approaches.
pub fn frictional_of(kind: FrictionalKind, rng: &mut Rng) -> FrictionalSample {
    let everyday: fn(&mut Rng) -> f64 = |rng| rng.log_uniform(0.3, 5.0);
    let scene = match kind {
        FrictionalKind::Brick | FrictionalKind::Mixed => Some(blocks::brick(rng)),
        FrictionalKind::Stack => Some(blocks::stack(rng, everyday)),
        FrictionalKind::Pair => Some(blocks::pair(rng, everyday)),
        FrictionalKind::Linked => Some(blocks::linked(rng, everyday)),
        FrictionalKind::Duplicated if rng.chance(0.7) => Some(blocks::brick(rng)),
        FrictionalKind::Matrix | FrictionalKind::Duplicated => None,
        FrictionalKind::Decades => {
            let decades: fn(&mut Rng) -> f64 = |rng| rng.log_uniform(1e-6, 1e6);
            Some(match rng.index(3) {
                0 => blocks::stack(rng, decades),
                1 => blocks::pair(rng, decades),
                _ => blocks::linked(rng, decades),
            })
        }
    };
    let mut mechanism = match &scene {
        Some(scene) => scene.mechanism(),
        None => matrix(rng),
    };
    approach(&mut mechanism);
    surfaces(rng, &mut mechanism.contacts);
    match kind {
        FrictionalKind::Linked if rng.chance(0.5) => {
            let again =
                mechanism.bilateral[rng.index(mechanism.bilateral.len() as u64) as usize].clone();
            mechanism.bilateral.push(again);
        }
        FrictionalKind::Duplicated => duplicate(rng, &mut mechanism),
        FrictionalKind::Mixed => cut(rng, &mut mechanism),
        _ => {}
    }
    let kept = !matches!(kind, FrictionalKind::Duplicated | FrictionalKind::Mixed);
    let scene = scene.filter(|_| kept).map(|mut scene| {
        scene.take_specs(&mechanism.contacts);
        scene.take_velocities(&mechanism.velocity);
        scene
    });
    FrictionalSample { kind, mechanism, scene }
}

/// A brick that lands on so many contacts, sliding and turning: its lowest vertex, or a grid over its face. All have the
/// same surfaces.
pub fn landing(rng: &mut Rng, contacts: usize) -> Mechanism {
    let mut mechanism = blocks::landing(rng, contacts).mechanism();
    approach(&mut mechanism);
    let (mu, e) = (rng.uniform(0.1, 1.0), rng.uniform(0.2, 0.9));
    mechanism.contacts.iter_mut().for_each(|contact| contact.material = material(mu, e, 0.0));
    mechanism
}

/// Reverses all velocities if no contact approaches.
fn approach(mechanism: &mut Mechanism) {
    let speed = |row: &[f64]| row.iter().zip(&mechanism.velocity).map(|(j, v)| j * v).sum::<f64>();
    if !mechanism.normals().iter().any(|&i| speed(&mechanism.jacobian[i]) < 0.0) {
        mechanism.velocity.iter_mut().for_each(|v| *v = -*v);
    }
}

/// Gives every contact its surfaces: the same for all or not, restitution constant or falling with the speed.
fn surfaces(rng: &mut Rng, contacts: &mut [ContactSpec]) {
    let friction = |rng: &mut Rng| if rng.chance(0.05) { 0.0 } else { rng.log_uniform(0.03, 3.0) };
    let bounce = |rng: &mut Rng| match rng.index(6) {
        0 => 0.0,
        1 => 1.0,
        _ => rng.unit(),
    };
    let (same_mu, same_e, curve) = (rng.chance(0.6), rng.chance(0.6), rng.chance(0.4));
    let (mu, e) = (friction(rng), bounce(rng));
    for contact in contacts {
        let mu = if same_mu { mu } else { friction(rng) };
        let minimum = if same_e { e } else { bounce(rng) };
        contact.material = material(mu, minimum, 0.0);
        if curve {
            // The speeds of the published examples [m/s].
            let (capture_speed, plastic_speed) = (0.01, 0.1);
            contact.material.restitution =
                Restitution::Curve { minimum, capture_speed, plastic_speed };
        }
    }
}

/// Up to four contacts whose matrix `W = J Jᵀ` is any, at times singular.
fn matrix(rng: &mut Rng) -> Mechanism {
    let contacts = 1 + rng.index(4) as usize;
    let rows = 3 * contacts;
    let freedoms = if rng.chance(0.8) { rows } else { 3 + rng.index(rows as u64 - 2) as usize };
    let jacobian = (0..rows)
        .map(|_| {
            let size = rng.log_uniform(0.3, 3.0);
            (0..freedoms).map(|_| size * rng.normal()).collect()
        })
        .collect();
    let velocity = (0..freedoms).map(|_| rng.normal()).collect();
    let specs = vec![ContactSpec::new(3, material(0.0, 0.0, 0.0)); contacts];
    Mechanism::new(&vec![1.0; freedoms], velocity, jacobian, specs)
}

/// Contacts that are there two or three times, one after the other.
fn duplicate(rng: &mut Rng, mechanism: &mut Mechanism) {
    let order: Vec<usize> = (0..mechanism.contacts.len())
        .flat_map(|k| {
            std::iter::repeat_n(k, if rng.chance(0.5) { 1 } else { 2 + rng.index(2) as usize })
        })
        .collect();
    *mechanism = mechanism.reordered(&order);
}

/// Takes the friction rows of some contacts away.
fn cut(rng: &mut Rng, mechanism: &mut Mechanism) {
    let first = mechanism.normals();
    let (mut jacobian, mut drive) = (Vec::new(), Vec::new());
    for (k, contact) in mechanism.contacts.iter_mut().enumerate() {
        contact.rows = if rng.chance(0.4) { 3 } else { 1 + rng.index(2) as usize };
        for i in first[k]..first[k] + contact.rows {
            jacobian.push(mechanism.jacobian[i].clone());
            drive.push(mechanism.drive[i]);
        }
    }
    (mechanism.jacobian, mechanism.drive) = (jacobian, drive);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_contact_approaches() {
        for kind in FrictionalKind::ALL {
            for i in 0..200 {
                let problem = frictional_of(kind, &mut Rng::for_item(1, i)).problem();
                let normals = (0..problem.len()).map(|k| problem.row_range(k).start);
                assert!(
                    normals.into_iter().any(|i| problem.velocity()[i] < 0.0),
                    "{kind:?} {i}: {:?}",
                    problem.velocity()
                );
            }
        }
    }

    #[test]
    fn bodies_and_coordinates_are_the_same() {
        for kind in [FrictionalKind::Brick, FrictionalKind::Stack, FrictionalKind::Linked] {
            for i in 0..100 {
                let sample = frictional_of(kind, &mut Rng::for_item(2, i));
                let scene = sample.scene.as_ref().unwrap_or_else(|| panic!("{kind:?} has bodies"));
                let (one, two) = (scene.bodies().problem().clone(), sample.problem());
                let speed = two.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
                for (a, b) in one.velocity().iter().zip(two.velocity()) {
                    assert!((a - b).abs() <= 1e-12 * speed, "{kind:?} {i}: {a} {b}");
                }
            }
        }
    }
}
