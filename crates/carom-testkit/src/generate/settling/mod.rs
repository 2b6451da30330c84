//! Impacts of running simulations: bodies that fall, settle and rest on redundant contacts.
//!
//! A small time stepping at the level of velocities lets bodies fall. What it would have to solve at some instant is handed
//! over: normals that nearly rest beside slips that nearly stopped, many contacts of one face, joints beside them. Random
//! generators do not make such states.

mod solids;
mod stepping;

use super::material;
use super::several::Scene;
use crate::joints::keep_joints;
use crate::{Mechanism, Rng};
use carom::{ContactSpec, Restitution};
use solids::Solids;
use std::fmt;

/// What settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettlingKind {
    /// One box, falling on a vertex, an edge or flat.
    Box,
    /// A flat box that lands on its face.
    Plate,
    /// Two to four boxes on each other.
    Stack,
    /// Two boxes that carry a third.
    Wall,
    /// A top on four legs, one of them at times too short.
    Table,
    /// A rod that lands on its ends.
    Rod,
    /// Rods on ball joints.
    Chain,
}

impl SettlingKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Box, Self::Plate, Self::Stack, Self::Wall, Self::Table, Self::Rod, Self::Chain];
}

/// An instant of a simulation at which some contact approaches.
#[derive(Clone)]
pub struct Settling {
    /// What settles.
    pub kind: SettlingKind,
    /// When \[s\].
    pub time: f64,
    /// The system in numbers.
    pub mechanism: Mechanism,
    /// The same as bodies.
    pub scene: Scene,
}

impl fmt::Debug for Settling {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{:?} at {} s: {}",
            self.kind,
            self.time,
            super::frictional::json(&self.mechanism)
        )
    }
}

/// How long a step takes \[s\].
const STEP: f64 = 0.01;
/// How many steps are made at most before a state is handed over.
const LATEST: u64 = 120;
/// Which part of a penetration one step takes away \[1\].
const REPAIR: f64 = 0.1;
/// How much longer to wait for a contact that approaches.
const PATIENCE: u64 = 200;

/// The state of a random simulation at a random instant.
pub fn settling(rng: &mut Rng) -> Settling {
    let kind = SettlingKind::ALL[rng.index(SettlingKind::ALL.len() as u64) as usize];
    settling_of(kind, rng)
}

/// The state of a random simulation of this kind at a random instant.
pub fn settling_of(kind: SettlingKind, rng: &mut Rng) -> Settling {
    let surface = surface(rng);
    let mut solids = Solids::of(kind, rng);
    let wanted = rng.index(LATEST);
    for step in 0.. {
        let (mut scene, depths) = solids.falling(STEP, surface);
        let mut mechanism = scene.mechanism();
        keep_joints(&mut mechanism);
        let approaches = mechanism.normals().iter().any(|&i| stepping::speed(&mechanism, i) < 0.0);
        if approaches && step >= wanted {
            scene.take_velocities(&mechanism.velocity);
            return Settling { kind, time: step as f64 * STEP, mechanism, scene };
        }
        assert!(step < wanted + PATIENCE, "{kind:?}: nothing lands");
        let push_out: Vec<f64> = depths.iter().map(|depth| REPAIR * depth / STEP).collect();
        stepping::resolve(&mut mechanism, &push_out);
        solids.advance(STEP, &mechanism.velocity);
    }
    unreachable!("steps are counted without end")
}

/// Surfaces as simulations have them: one for all contacts.
fn surface(rng: &mut Rng) -> ContactSpec {
    let mu = [0.1, 0.3, 0.5, 1.0][rng.index(4) as usize];
    let minimum = [0.0, 0.3, 0.5, 0.8][rng.index(4) as usize];
    let mut spec = ContactSpec::new(3, material(mu, minimum, 0.0));
    if rng.chance(0.3) {
        let (capture_speed, plastic_speed) = (0.01, 0.1);
        spec.material.restitution = Restitution::Curve { minimum, capture_speed, plastic_speed };
    }
    spec
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Late states are nearly at rest and have the contacts of whole faces: what this generator is for.
    #[test]
    fn bodies_come_to_rest_on_their_faces() {
        for kind in SettlingKind::ALL {
            let late = (0..60)
                .map(|i| settling_of(kind, &mut Rng::for_item(3, i)))
                .filter(|state| state.time > 0.8)
                .map(|state| {
                    let fastest =
                        state.mechanism.velocity.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
                    (fastest, state.mechanism.contacts.len())
                });
            let (speeds, contacts): (Vec<f64>, Vec<usize>) = late.unzip();
            let slow = speeds.iter().filter(|speed| **speed < 0.5).count();
            // Some stacks fall over and some bodies still bounce.
            assert!(4 * slow > speeds.len(), "{kind:?}: {speeds:?}");
            let faces = contacts.iter().filter(|count| **count >= 2).count();
            assert!(2 * faces > contacts.len(), "{kind:?}: {contacts:?}");
        }
    }

    #[test]
    fn bodies_stay_above_the_ground() {
        for i in 0..100 {
            let state = settling(&mut Rng::for_item(4, i));
            for contact in &state.scene.contacts {
                let depth = -contact.point[2];
                assert!(depth < 0.02, "{:?} {i}: {depth} m below the ground", state.kind);
            }
        }
    }
}
