//! Bodies held together by joints and springs: coordinates, kinematics, and the equations of motion.
//!
//! An assembly is a connected set of moving bodies. Nothing but contacts and fixed bodies acts on it from outside, so that
//! assemblies are integrated each by itself while they are apart.
//!
//! # Unknowns
//!
//! Bodies stand tree by tree, parents before their children; [`Assembly::bodies`] tells the order. Positions and velocities
//! are those of the joints that bodies hang on, in the order of bodies:
//!
//! | a body hangs | positions | velocities |
//! |---|---|---|
//! | nowhere, in space | centre of mass, quaternion \[w, x, y, z\] from its frame to the world's | of the centre, angular; both in the world's frame |
//! | nowhere, in the plane | x, y, angle | their rates |
//! | on a ball, in space | quaternion from its frame to its parent's | relative angular velocity in its parent's frame |
//! | on a hinge, or a ball in the plane | angle from the pose at t = 0, not wrapped | its rate |
//! | on a slider | displacement from the pose at t = 0 | its rate |
//! | on a weld | none | none |
//!
//! Hinges and sliders count as the scene does: of the joint's second body relative to its first, whichever of them is the
//! parent.
//!
//! # Scales
//!
//! The length of an assembly is the largest distance of a joint or of the end of a spring from the centre of mass of its
//! body, or radius of gyration; 1 m if all are zero. The speed of a scene is the largest at t = 0, rotations times that
//! length, and at least √(g · length).

mod build;
mod checks;
mod dynamics;
mod forces;
mod forest;
mod loops;
#[cfg(test)]
mod tests;
mod tree;

use super::report::{BodyState, Failure};
use super::scene::{Scene, Turn};
use super::vector::{Pose, Twist, V3};
use carom::ImpactError;
use dynamics::Block;
use forces::{Coordinate, Load, SpringPart};
use loops::Loop;
pub(crate) use tree::prescribed;
use tree::{Anchor, Frame, Node};

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
pub(crate) struct Assembly {
    planar: bool,
    /// [m/s²]
    gravity: V3,
    /// See the module's documentation \[m\].
    length: f64,
    /// The moving bodies, by their places in the scene.
    bodies: Vec<usize>,
    /// One per body.
    nodes: Vec<Node>,
    /// The fixed bodies that joints and springs hang on.
    anchors: Vec<Anchor>,
    /// The velocities that each body moves with, one body after the other; of lone free bodies none.
    columns: Vec<usize>,
    /// The blocks of the mass matrix.
    blocks: Vec<Block>,
    loops: Vec<Loop>,
    /// Of hinges and sliders in trees.
    coordinates: Vec<Coordinate>,
    springs: Vec<SpringPart>,
    loads: Vec<Load>,
    limits: Vec<Limit>,
    start: (Vec<f64>, Vec<f64>),
}

/// Where an assembly's bodies are and how they move, and its Jacobians: computed from positions, velocities and time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinematics {
    /// One per body of the assembly, in the order of [`Assembly::bodies`]; prescribed motion included.
    pub(crate) poses: Vec<Pose>,
    pub(crate) twists: Vec<Twist>,
    /// Accelerations at `v̇ = 0`: of the centre of mass [m/s²], and angular [rad/s²].
    pub(crate) bias: Vec<[V3; 2]>,
    /// Orientations: in the plane angles that count turns, in space quaternions that do not jump.
    pub(crate) turns: Vec<Turn>,
    /// The fixed bodies that the assembly hangs on.
    anchors: Vec<Frame>,
    /// What each velocity of [`Assembly::columns`] contributes to that of the centre of mass and to the angular velocity.
    jacobian: Vec<[V3; 2]>,
    /// Of [`Assembly::coordinates`] [rad/s or m/s].
    rates: Vec<f64>,
}

/// The equations of motion at an instant: `M = C Cᵀ`, the free acceleration, and what loops take away.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dynamics {
    /// `v̇` without contacts, loops included.
    pub(crate) free: Vec<f64>,
    pub(crate) powers: Powers,
    blocks: Vec<Block>,
    /// C, block after block: of dense blocks the rows of the lower triangle, of diagonal ones the diagonal.
    factor: Vec<f64>,
    /// Of given forces and `extra`, per body.
    wrenches: Vec<Wrench>,
    closure: loops::Closure,
}

impl Wrench {
    const ZERO: Self = Self { force: V3::new(0.0, 0.0, 0.0), torque: V3::new(0.0, 0.0, 0.0) };
}

impl Kinematics {
    /// What is reported of a body; `body` counts within the assembly.
    pub(crate) fn state(&self, body: usize) -> BodyState {
        BodyState {
            position: self.poses[body].centre.into(),
            orientation: self.turns[body],
            velocity: self.twists[body].velocity.into(),
            angular_velocity: self.twists[body].spin.into(),
        }
    }
}

impl Assembly {
    /// The assemblies of a scene in the order of their first bodies. Refuses joints that the poses or velocities at t = 0
    /// violate, and joints that contradict each other.
    pub(crate) fn all(scene: &Scene) -> Result<Vec<Self>, ImpactError> {
        build::all(scene, &[])
    }

    /// The same with all joints as rows: slower, for comparison.
    pub(crate) fn all_by_rows(scene: &Scene) -> Result<Vec<Self>, ImpactError> {
        let cut: Vec<usize> = (0..scene.joints.len()).collect();
        build::all(scene, &cut)
    }

    /// The moving bodies, by their places in the scene.
    pub(crate) fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    /// How many numbers say where it is (quaternions have four).
    pub(crate) fn positions(&self) -> usize {
        self.start.0.len()
    }

    /// How many numbers say how it moves.
    pub(crate) fn velocities(&self) -> usize {
        self.start.1.len()
    }

    /// Positions and velocities at t = 0.
    pub(crate) fn start(&self) -> (Vec<f64>, Vec<f64>) {
        self.start.clone()
    }

    /// The velocity of a body that no joint holds; `v` are the assembly's velocities.
    pub(crate) fn lone_twist(&self, body: usize, v: &[f64]) -> Option<Twist> {
        let node = &self.nodes[body];
        let v = v.get(node.v..).filter(|_| node.alone)?;
        Some(match (self.planar, v) {
            (true, [x, y, spin, ..]) => {
                Twist { velocity: V3::new(*x, *y, 0.0), spin: V3::new(0.0, 0.0, *spin) }
            }
            (false, [x, y, z, a, b, c, ..]) => {
                Twist { velocity: V3::new(*x, *y, *z), spin: V3::new(*a, *b, *c) }
            }
            _ => return None,
        })
    }

    /// What the velocities are, in their order: which body, by its place in the scene, and which of its velocities.
    pub(crate) fn velocity_names(&self) -> Vec<(usize, usize)> {
        let mut names = Vec::with_capacity(self.velocities());
        for (node, body) in self.nodes.iter().zip(&self.bodies) {
            names.extend((0..node.freedom.velocities()).map(|component| (*body, component)));
        }
        names
    }

    /// Whether joints close loops.
    pub(crate) fn has_loops(&self) -> bool {
        !self.loops.is_empty()
    }

    /// The joints' limits.
    pub(crate) fn limits(&self) -> &[Limit] {
        &self.limits
    }

    /// The gap of a limit and its row's product with `v`; adds the row itself to `row`, if that has numbers.
    pub(crate) fn limit(&self, limit: &Limit, q: &[f64], v: &[f64], row: &mut [f64]) -> [f64; 2] {
        let at = &self.coordinates[limit.coordinate];
        if let Some(entry) = row.get_mut(at.v) {
            *entry += limit.sign;
        }
        [limit.sign * (q[at.q] - limit.bound), limit.sign * v[at.v]]
    }

    /// Whether anything moves it that depends on time: prescribed motion of what it hangs on.
    pub(crate) fn is_driven(&self) -> bool {
        self.anchors.iter().any(Anchor::moves)
    }

    /// The scale of each position as an unknown: `length` for lengths, 1 for angles and quaternions; of each velocity `speed`
    /// and `speed / length`.
    pub(crate) fn scales(&self, length: f64, speed: f64, q: &mut [f64], v: &mut [f64]) {
        self.coordinate_scales(length, speed, q, v);
    }

    /// Poses, twists, accelerations at `v̇ = 0` and Jacobians. Quaternions of any length are normalised in passing.
    pub(crate) fn kinematics(&self, q: &[f64], v: &[f64], t: f64, out: &mut Kinematics) {
        self.recursion(q, v, t, out);
    }

    /// Forces, `M`, loops, the free acceleration. `extra` acts besides, and its power counts as that of forces: empty, or one
    /// per body.
    ///
    /// Which of the loops' rows depend on others is decided where the loops are closed, and kept in `out` for the states in
    /// between: stages of a step, where the loops are open by the stage's error.
    pub(crate) fn dynamics(
        &self,
        q: &[f64],
        v: &[f64],
        _t: f64,
        kinematics: &Kinematics,
        extra: &[Wrench],
        out: &mut Dynamics,
    ) -> Result<(), Failure> {
        self.equations(q, v, kinematics, extra, out)
    }

    /// `q̇`.
    pub(crate) fn position_rates(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.rates(q, v, out);
    }

    /// `q ← q ⊞ δ`, δ in the coordinates of velocities; quaternions come out normalised.
    pub(crate) fn displace(&self, q: &mut [f64], delta: &[f64]) {
        self.add_displacement(q, delta);
    }

    /// Quaternions to length one.
    pub(crate) fn normalise(&self, q: &mut [f64]) {
        self.normalise_quaternions(q);
    }

    /// Puts loops back together, positions and velocities; the largest displacement of a joint's points that it took \[m\].
    /// Nothing happens without loops.
    pub(crate) fn close_loops(&self, q: &mut [f64], v: &mut [f64], t: f64) -> f64 {
        if self.loops.is_empty() {
            return 0.0;
        }
        self.close_loops_in(q, v, t, &mut Kinematics::default(), &mut Dynamics::default())
    }

    /// The same with memory that is lent.
    pub(crate) fn close_loops_with(
        &self,
        q: &mut [f64],
        v: &mut [f64],
        t: f64,
        (kinematics, dynamics): &mut (Kinematics, Dynamics),
    ) -> f64 {
        dynamics.forget();
        self.close_loops_in(q, v, t, kinematics, dynamics)
    }

    /// Adds to `row` what the velocity of a body's point, `rho` from its centre of mass, along `direction` is of `v`.
    /// `body` counts within the assembly.
    pub(crate) fn add_row(
        &self,
        kinematics: &Kinematics,
        body: usize,
        rho: &V3,
        direction: &V3,
        row: &mut [f64],
    ) {
        self.add_columns(kinematics, body, direction, &rho.cross(direction), row);
    }

    /// Energy at an instant.
    pub(crate) fn energy(&self, q: &[f64], _t: f64, kinematics: &Kinematics) -> Energy {
        self.energy_of(q, kinematics)
    }

    /// The power of prescribed motion through joints and springs, given accelerations and the forces of contacts on each body \[W\].
    ///
    /// Without loops between parts that are moved differently; with such loops [`Self::loop_drive_power`] has to be added.
    pub(crate) fn drive_power(
        &self,
        _q: &[f64],
        _v: &[f64],
        _t: f64,
        kinematics: &Kinematics,
        acceleration: &[f64],
        contact_forces: &[V3],
    ) -> f64 {
        self.power_of_drives(kinematics, acceleration, contact_forces)
    }

    /// `M` in full, row by row, and the loop rows `B` (b × f) with prescribed motion: what a law of impacts is told.
    pub(crate) fn matrices(&self, _q: &[f64], _t: f64, kinematics: &Kinematics) -> Matrices {
        self.full_matrices(kinematics)
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
    /// What prescribed motion adds to each loop row: `B v + drive = 0` [m/s or rad/s].
    pub(crate) drive: Vec<f64>,
}

impl Dynamics {
    /// A row `j` of a Jacobian becomes one of `J C⁻ᵀ`, loops projected out: products of such rows are entries of `W`.
    pub(crate) fn transform(&self, row: &mut [f64]) {
        self.forward(row);
        self.closure.project(row);
    }

    /// Takes a combination of transformed rows back: `C⁻ᵀ x`, the change of `v` (or `v̇`) that impulses (forces) make.
    pub(crate) fn response(&self, x: &mut [f64]) {
        self.backward(x);
    }
}
