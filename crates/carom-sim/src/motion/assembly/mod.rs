//! Bodies held together by joints and springs: coordinates, kinematics, and the equations of motion.
//!
//! An assembly is a connected set of moving bodies. Nothing but contacts and fixed bodies acts on it from outside, so that
//! assemblies are integrated each by itself while they are apart.

use super::scene::Scene;
use super::vector::{Pose, Twist, V3};
use carom::ImpactError;

/// The limit of a joint's coordinate `q`: a contact of one row, `gap = sign · (q − bound)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limit {
    /// The joint, by its place in the scene.
    pub(crate) joint: usize,
    /// 1 for the lower bound, −1 for the upper.
    pub(crate) sign: f64,
    pub(crate) bound: f64,
    pub(crate) e: f64,
    /// Which of the assembly's joint coordinates.
    pub(crate) coordinate: usize,
}

/// What acts on a body from outside, at its centre of mass: force \[N\] and torque [N·m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wrench {
    pub(crate) force: V3,
    pub(crate) torque: V3,
}

/// Powers that are not those of contacts \[W\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Powers {
    pub(crate) damping: f64,
    pub(crate) forces: f64,
}

/// Energy of an assembly \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Energy {
    pub(crate) kinetic: f64,
    pub(crate) potential: f64,
    pub(crate) elastic: f64,
}

/// Bodies held together, in generalized coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Assembly {}

/// Where an assembly's bodies are and how they move, and its Jacobians: computed from positions, velocities and time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinematics {
    /// One per body of the assembly, in the order of [`Assembly::bodies`]; prescribed motion included.
    pub(crate) poses: Vec<Pose>,
    pub(crate) twists: Vec<Twist>,
    /// Accelerations at `v̇ = 0`: of the centre of mass [m/s²], and angular [rad/s²].
    pub(crate) bias: Vec<[V3; 2]>,
}

/// The equations of motion at an instant: `M = C Cᵀ`, the free acceleration, and what loops take away.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dynamics {
    /// `v̇` without contacts, loops included.
    pub(crate) free: Vec<f64>,
    pub(crate) powers: Powers,
}

impl Assembly {
    /// The assemblies of a scene in the order of their first bodies. Refuses joints that the poses or velocities at t = 0
    /// violate, and joints that contradict each other.
    pub(crate) fn all(_scene: &Scene) -> Result<Vec<Self>, ImpactError> {
        todo!()
    }

    /// The moving bodies, by their places in the scene.
    pub(crate) fn bodies(&self) -> &[usize] {
        todo!()
    }

    /// How many numbers say where it is (quaternions have four).
    pub(crate) fn positions(&self) -> usize {
        todo!()
    }

    /// How many numbers say how it moves.
    pub(crate) fn velocities(&self) -> usize {
        todo!()
    }

    /// Positions and velocities at t = 0.
    pub(crate) fn start(&self) -> (Vec<f64>, Vec<f64>) {
        todo!()
    }

    /// Whether joints close loops.
    pub(crate) fn has_loops(&self) -> bool {
        todo!()
    }

    /// The joints' limits.
    pub(crate) fn limits(&self) -> &[Limit] {
        todo!()
    }

    /// The gap of a limit and its row's product with `v`; adds the row itself to `row`.
    pub(crate) fn limit(
        &self,
        _limit: &Limit,
        _q: &[f64],
        _v: &[f64],
        _row: &mut [f64],
    ) -> [f64; 2] {
        todo!()
    }

    /// Whether anything moves it that depends on time: prescribed motion of what it hangs on.
    pub(crate) fn is_driven(&self) -> bool {
        todo!()
    }

    /// The scale of each position as an unknown: `length` for lengths, 1 for angles and quaternions; of each velocity `speed`
    /// and `speed / length`.
    pub(crate) fn scales(&self, _length: f64, _speed: f64, _q: &mut [f64], _v: &mut [f64]) {
        todo!()
    }

    /// Poses, twists, accelerations at `v̇ = 0` and Jacobians. Quaternions of any length are normalised in passing.
    pub(crate) fn kinematics(&self, _q: &[f64], _v: &[f64], _t: f64, _out: &mut Kinematics) {
        todo!()
    }

    /// Forces, `M`, loops, the free acceleration. `extra` acts besides: empty, or one per body.
    pub(crate) fn dynamics(
        &self,
        _q: &[f64],
        _v: &[f64],
        _t: f64,
        _kinematics: &Kinematics,
        _extra: &[Wrench],
        _out: &mut Dynamics,
    ) -> Result<(), super::report::Failure> {
        todo!()
    }

    /// `q̇`.
    pub(crate) fn position_rates(&self, _q: &[f64], _v: &[f64], _out: &mut [f64]) {
        todo!()
    }

    /// `q ← q ⊞ δ`, δ in the coordinates of velocities; quaternions come out normalised.
    pub(crate) fn displace(&self, _q: &mut [f64], _delta: &[f64]) {
        todo!()
    }

    /// Quaternions to length one.
    pub(crate) fn normalise(&self, _q: &mut [f64]) {
        todo!()
    }

    /// Puts loops back together, positions and velocities; the largest displacement of a joint's points that it took [m].
    /// Nothing happens without loops.
    pub(crate) fn close_loops(&self, _q: &mut [f64], _v: &mut [f64], _t: f64) -> f64 {
        todo!()
    }

    /// Adds to `row` what the velocity of a body's point, `rho` from its centre of mass, along `direction` is of `v`.
    /// `body` counts within the assembly.
    pub(crate) fn add_row(
        &self,
        _kinematics: &Kinematics,
        _body: usize,
        _rho: &V3,
        _direction: &V3,
        _row: &mut [f64],
    ) {
        todo!()
    }

    /// Energy at an instant.
    pub(crate) fn energy(&self, _q: &[f64], _t: f64, _kinematics: &Kinematics) -> Energy {
        todo!()
    }

    /// The power of prescribed motion through joints and springs, given accelerations and the forces of contacts on each body \[W\].
    pub(crate) fn drive_power(
        &self,
        _q: &[f64],
        _v: &[f64],
        _t: f64,
        _kinematics: &Kinematics,
        _acceleration: &[f64],
        _contact_forces: &[V3],
    ) -> f64 {
        todo!()
    }

    /// `M` in full, row by row, and the loop rows `B` (b × f) with prescribed motion: what a law of impacts is told.
    pub(crate) fn matrices(&self, _q: &[f64], _t: f64, _kinematics: &Kinematics) -> Matrices {
        todo!()
    }
}

/// Mass matrix and loop rows at an instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matrices {
    /// Row by row.
    pub(crate) mass: Vec<f64>,
    /// Loop rows, row by row.
    pub(crate) loops: Vec<f64>,
    /// How many rows each loop joint has.
    pub(crate) groups: Vec<usize>,
}

impl Kinematics {
    /// What is reported of a body; `body` counts within the assembly.
    pub(crate) fn state(&self, _body: usize) -> super::report::BodyState {
        todo!()
    }
}

impl Dynamics {
    /// A row `j` of a Jacobian becomes one of `J C⁻ᵀ`, loops projected out: products of such rows are entries of `W`.
    pub(crate) fn transform(&self, _row: &mut [f64]) {
        todo!()
    }

    /// Takes a combination of transformed rows back: `C⁻ᵀ x`, the change of `v` (or `v̇`) that impulses (forces) make.
    pub(crate) fn response(&self, _x: &mut [f64]) {
        todo!()
    }
}
