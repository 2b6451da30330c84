//! Forces of the caller's own: controllers, fields, drag.

use super::assembly::{Kinematics, Wrench};
use super::contact::Layout;
use super::model::{Model, Place};
use super::report::{BodyState, Failure, FailureKind};
use super::vector::V3;
use std::fmt;
use std::sync::Arc;

/// What acts on a body from outside, at its centre of mass and in the world's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyLoad {
    /// \[N\]
    pub force: [f64; 3],
    /// In the plane its third component counts [N·m].
    pub torque: [f64; 3],
}

/// Forces as a function of time and state. Any closure `Fn(f64, &[BodyState], &mut [BodyLoad])` is one.
///
/// They are asked for at every stage of the integrator, forwards and backwards in time, so they must depend on nothing else,
/// and as smoothly as accuracy is wanted: a force that switches costs steps, and one that switches at every stage ends the run.
pub trait AppliedForces: Send + Sync {
    /// Writes the loads at a time \[s\]. Bodies and loads stand in the order of the scene; loads are zero before, and those
    /// of fixed bodies are not read.
    fn apply(&self, time: f64, bodies: &[BodyState], loads: &mut [BodyLoad]);
}

impl<F: Fn(f64, &[BodyState], &mut [BodyLoad]) + Send + Sync> AppliedForces for F {
    fn apply(&self, time: f64, bodies: &[BodyState], loads: &mut [BodyLoad]) {
        self(time, bodies, loads);
    }
}

/// Forces that options and a scene made ready share.
#[derive(Clone)]
pub(crate) struct Applied(pub(crate) Arc<dyn AppliedForces>);

impl fmt::Debug for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Applied(…)")
    }
}

/// Applied forces at an instant, and the memory to ask for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct AppliedLoads {
    bodies: Vec<BodyState>,
    loads: Vec<BodyLoad>,
    /// Body by body of each assembly of a layout.
    wrenches: Vec<Vec<Wrench>>,
}

impl AppliedLoads {
    /// Asks for the forces. All assemblies must be in the layout; without applied forces nothing happens.
    pub(crate) fn evaluate(
        &mut self,
        model: &Model,
        layout: &Layout,
        kinematics: &[Kinematics],
        time: f64,
    ) -> Result<(), Failure> {
        let Some(Applied(forces)) = &model.applied else { return Ok(()) };
        let state = |(body, place): (usize, &Place)| match *place {
            Place::Moving { assembly, body } if layout.find(assembly).is_some() => {
                kinematics[layout.find(assembly).unwrap_or_default()].state(body)
            }
            _ => model.fixed_state(body, time),
        };
        self.bodies.clear();
        self.bodies.extend(model.place.iter().enumerate().map(state));
        self.loads.clear();
        self.loads.resize(self.bodies.len(), BodyLoad::default());
        forces.apply(time, &self.bodies, &mut self.loads);
        let finite = |load: &BodyLoad| load.force.iter().chain(&load.torque).all(|x| x.is_finite());
        if let Some(body) = self.loads.iter().position(|load| !finite(load)) {
            let message = format!(
                "the applied force on bodies[{body}] at t = {time} s is {:?}: not finite",
                self.loads[body]
            );
            return Err(Failure { kind: FailureKind::Step, message });
        }
        self.wrenches.resize_with(layout.assemblies.len(), Vec::new);
        for (wrenches, &assembly) in self.wrenches.iter_mut().zip(&layout.assemblies) {
            wrenches.clear();
            wrenches.extend(model.assemblies[assembly].bodies().iter().map(|&body| {
                let BodyLoad { force, torque } = self.loads[body];
                let mut wrench = Wrench { force: V3::from(force), torque: V3::from(torque) };
                if model.planar {
                    (wrench.force.z, wrench.torque.x, wrench.torque.y) = (0.0, 0.0, 0.0);
                }
                wrench
            }));
        }
        Ok(())
    }

    /// Of the `k`-th assembly of the layout: empty, or one per body.
    pub(crate) fn of(&self, k: usize) -> &[Wrench] {
        self.wrenches.get(k).map_or(&[], Vec::as_slice)
    }
}
