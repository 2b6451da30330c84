//! The equations of motion alone, without contacts and events: what benches compare runs with.

use super::assembly::Assembly;
use super::contact::Layout;
use super::field::{Field, INTEGRALS};
use super::model::Model;
use super::scene::Scene;
use carom::ImpactError;

/// How joints enter the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joints {
    /// As a run has them: coordinates, and rows where loops close.
    InTrees,
    /// All of them as rows.
    AsRows,
}

/// All bodies of a scene, as unknowns and their slopes.
#[derive(Debug)]
pub struct BareMotion {
    model: Model,
    field: Field,
    start: Vec<f64>,
}

impl BareMotion {
    /// Ready at t = 0.
    pub fn new(scene: &Scene, joints: Joints) -> Result<Self, ImpactError> {
        let model = match joints {
            Joints::InTrees => Model::new(scene, None)?,
            Joints::AsRows => Model::with(scene, None, Assembly::all_by_rows)?,
        };
        let layout = Layout::new(&model, (0..model.assemblies.len()).collect());
        let (nq, nv) = (layout.positions(), layout.velocities());
        let mut start = vec![0.0; nq + nv + 1];
        for (k, assembly) in model.assemblies.iter().enumerate() {
            let (q, v) = assembly.start();
            start[layout.q_of(k)].copy_from_slice(&q);
            start[nq..][layout.v_of(k)].copy_from_slice(&v);
        }
        Ok(Self { model, field: Field::new(layout, Vec::new()), start })
    }

    /// Positions, velocities and time at t = 0.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// How many integrals stand behind the unknowns.
    pub fn integrals(&self) -> usize {
        INTEGRALS
    }

    /// Rates of the unknowns and of the integrals.
    pub fn slope(&mut self, y: &[f64], out: &mut [f64]) {
        self.field.slope(&self.model, y, out);
    }

    /// Puts joints that are rows back together, as after each step of a run.
    pub fn close(&self, y: &mut [f64]) {
        let layout = &self.field.layout;
        let (nq, nv) = (layout.positions(), layout.velocities());
        let (q, rest) = y.split_at_mut(nq);
        let (v, t) = (&mut rest[..nv + 1], nv);
        let time = v[t];
        for (k, assembly) in self.model.assemblies.iter().enumerate() {
            let q = &mut q[layout.q_of(k)];
            assembly.normalise(q);
            assembly.close_loops(q, &mut v[layout.v_of(k)], time);
        }
    }
}
