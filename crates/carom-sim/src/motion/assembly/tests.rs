use super::*;
use crate::motion::scene::{
    BodyKind, Dimension, Force, Prescribed, SceneBody, SceneJoint, SceneJointKind, Spring,
};

use carom_ode::{Dop853, StepControl, Verdict};
use std::f64::consts::PI;

mod bad;
mod differences;
mod loops;
mod motions;
mod others;
mod work;

/// A uniform number in −1…1 from a seed, always the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> V3 {
        V3::new(self.next(), self.next(), self.next())
    }
}

fn diagonal(a: f64, b: f64, c: f64) -> [[f64; 3]; 3] {
    [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]]
}

fn planar_body(name: &str, mass: f64, inertia: f64, at: [f64; 2], angle: f64) -> SceneBody {
    SceneBody {
        position: [at[0], at[1], 0.0],
        orientation: Turn::Angle(angle),
        ..SceneBody::moving(name, mass, diagonal(0.0, 0.0, inertia))
    }
}

fn hinge(a: usize, b: usize, at: [f64; 2]) -> SceneJoint {
    SceneJoint::new(SceneJointKind::Hinge, a, b, [at[0], at[1], 0.0], [0.0, 0.0, 1.0])
}

/// The one assembly of a scene.
fn only(scene: &Scene) -> Assembly {
    let mut all = Assembly::all(scene).expect("a good scene");
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// An assembly on its way: integrated with the time as an unknown and the ledger's powers as integrals.
struct Run {
    assembly: Assembly,
    q: Vec<f64>,
    v: Vec<f64>,
    t: f64,
    kinematics: Kinematics,
    /// Of dampers, given forces and what acts besides, drives \[J\].
    works: [f64; 3],
    /// What acts besides, like contacts.
    extra: Vec<Wrench>,
    /// The largest displacement that closing loops took \[m\].
    closed: f64,
    /// The largest of what loops were open after closing \[m\].
    open: f64,
}

impl Run {
    fn new(assembly: Assembly) -> Self {
        let (q, v) = assembly.start();
        let mut kinematics = Kinematics::default();
        assembly.kinematics(&q, &v, 0.0, &mut kinematics);
        Self {
            assembly,
            q,
            v,
            t: 0.0,
            kinematics,
            works: [0.0; 3],
            extra: Vec::new(),
            closed: 0.0,
            open: 0.0,
        }
    }

    fn to(&mut self, end: f64, tolerance: f64) {
        let (n, m) = (self.q.len(), self.v.len());
        let (assembly, extra) = (&self.assembly, &self.extra);
        let forces: Vec<V3> = extra.iter().map(|wrench| wrench.force).collect();
        let mut method = Dop853::default();
        method.resize_with_integrals(n + m + 1, 3);
        method.start[..n].copy_from_slice(&self.q);
        method.start[n..n + m].copy_from_slice(&self.v);
        method.start[n + m] = self.t;
        method.start[n + m + 1..].copy_from_slice(&self.works);
        let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
        let mut slope = |y: &[f64], out: &mut [f64]| {
            let (q, v, t) = (&y[..n], &y[n..n + m], y[n + m]);
            assembly.kinematics(q, v, t, &mut kinematics);
            assembly.dynamics(q, v, t, &kinematics, extra, &mut dynamics).expect("it moves on");
            assembly.position_rates(q, v, &mut out[..n]);
            out[n..n + m].copy_from_slice(&dynamics.free);
            out[n + m] = 1.0;
            let powers = dynamics.powers;
            let mut drives = assembly.drive_power(q, v, t, &kinematics, &dynamics.free, &forces);
            drives += assembly.loop_drive_power(&kinematics, &dynamics, &dynamics.free, &[]);
            out[n + m + 1..].copy_from_slice(&[powers.damping, powers.forces, drives]);
        };
        method.begin(&mut slope);
        let mut scale = vec![tolerance; n + m + 4];
        scale[n + m] = f64::INFINITY;
        let mut control = StepControl::dop853(1e-14, 0.1);
        let mut h = 1e-3;
        let mut lent = (Kinematics::default(), Dynamics::default());
        while self.t < end {
            let last = self.t + h >= end;
            let step = if last { end - self.t } else { h };
            method.step(step, &mut slope);
            match control.judge(step, method.error(&scale)) {
                Verdict::Reject(shorter) => h = shorter,
                Verdict::Stuck => panic!("stuck at {} s", self.t),
                Verdict::Accept(next) => {
                    self.t = if last { end } else { self.t + step };
                    method.accept();
                    let (q, v) = method.start.split_at_mut(n);
                    assembly.normalise(q);
                    let moved =
                        assembly.close_loops_in(q, &mut v[..m], self.t, &mut lent.0, &mut lent.1);
                    self.closed = self.closed.max(moved);
                    self.open = self.open.max(lent.1.opening());
                    method.begin(&mut slope);
                    h = if last { h } else { next };
                }
            }
        }
        self.q.copy_from_slice(&method.start[..n]);
        self.v.copy_from_slice(&method.start[n..n + m]);
        self.works.copy_from_slice(&method.start[n + m + 1..]);
        self.assembly.kinematics(&self.q, &self.v, end, &mut self.kinematics);
    }

    fn energy(&self) -> f64 {
        let energy = self.assembly.energy(&self.q, self.t, &self.kinematics);
        energy.kinetic + energy.potential + energy.elastic
    }

    /// A body, by its place in the scene.
    fn body(&self, body: usize) -> BodyState {
        let at = self.assembly.bodies().iter().position(|other| *other == body);
        self.kinematics.state(at.expect("it moves"))
    }
}

impl Dynamics {
    /// How far loops were open when their rows were last computed \[m\].
    fn opening(&self) -> f64 {
        self.closure.opening()
    }
}
