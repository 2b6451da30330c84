//! Joints that close loops: rows, residuals, what they take from accelerations, and drift.
//!
//! Rows of rotation are multiplied by the assembly's length, so that all residuals are metres. Rows may depend on each
//! other: an orthonormal basis of `Y = B C⁻ᵀ` is made by Gram and Schmidt's method with row pivoting, and rows whose rest
//! has come down to rounding drop out.
//!
//! E. Eich: Convergence results for a coordinate projection method applied to mechanical systems with algebraic
//! constraints, SIAM Journal on Numerical Analysis 30 (1993) 1467: projection after each step keeps the order of a method.

use super::forces::Actuator;
use super::tree::{Frame, Side, after, inverse};
use super::{Assembly, Dynamics, Kinematics, Matrices, Wrench};
use crate::motion::report::{Failure, FailureKind};
use crate::motion::scene::{SceneJointKind, Turn};
use crate::motion::vector::V3;

/// A row counts as dependent where its rest has fallen to this part of the mobility of its joint's bodies: ∛ε. Where the rank drops
/// at an angle θ → 0, true rests are as θ. Rounding ε of residuals is ε/θ of angles, and ε/θ² of velocities; without the row
/// they err by about θ for as long as the passage takes.
const RANK: f64 = 6e-6;
/// Where loops are open by a part δ of the length, rounding is δ and its root takes the place of ∛ε, up to this.
const OPEN_RANK: f64 = 1e-3;
/// From the rank's part up to this, rows come in smoothly, so that steps can pass.
const WHOLE: f64 = 4.0 * RANK;
/// Loops are closed when they are open by no more than this part of the assembly's length and of what their points are
/// from the origin: rounding.
const CLOSED: f64 = 4.0 * f64::EPSILON;
/// Open by no more than this, they are closed enough to decide the rank.
const SETTLED: f64 = 16.0 * f64::EPSILON;
/// A row chosen before is given up where its rest has fallen to this.
const LOST: f64 = 1e-9;
/// Dependent rows may differ from what the others say by this part of the accelerations. Rows of which more than `DEPENDENT`
/// was left are not compared: close to where the rank drops, they tell which branch velocities are on.
const CONTRADICTION: f64 = 1e-7;
const DEPENDENT: f64 = 1e-12;
/// Contradictions are looked for where loops are open by no more than this part of the assembly's length, and velocities
/// violate rows by no more than this part of the speed.
const CHECKED: [f64; 2] = [1e-11, 1e-9];

/// A joint that closes a loop.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// Its place in the scene.
    pub(super) index: usize,
    pub(super) kind: SceneJointKind,
    pub(super) sides: [Side; 2],
    /// The joint's point in the frames of the bodies \[m\].
    pub(super) points: [V3; 2],
    /// The axis in the frames of the bodies, of length one.
    pub(super) axes: [V3; 2],
    /// Normal to the axis, in the frame of the first body.
    pub(super) tangents: [V3; 2],
    /// From the second body's frame to that of the first at t = 0.
    pub(super) rest: Turn,
    pub(super) actuator: Actuator,
}

/// A row at an instant: `direction · (velocity of a point of b − same of a)`, or of angular velocities.
struct Row {
    turns: bool,
    direction: V3,
    /// From the centres of mass to the points \[m\].
    rho: [V3; 2],
    /// How far the joint is open along it [m or rad].
    residual: f64,
    /// [m/s or rad/s]
    rate: f64,
    /// At `v̇ = 0` [m/s² or rad/s²].
    bias: f64,
}

/// All rows at an instant, and what spans them.
#[derive(Clone, Debug, Default)]
pub(super) struct Closure {
    velocities: usize,
    /// What rounding of residuals is measured by \[m\].
    size: f64,
    /// Y; becomes what the basis leaves of it.
    rows: Vec<f64>,
    /// \[m\]
    residuals: Vec<f64>,
    /// [m/s]
    rates: Vec<f64>,
    /// [m/s²]
    biases: Vec<f64>,
    /// What a row is measured by: see [`Assembly::mobility`].
    scales: Vec<f64>,
    /// Orthonormal, row by row.
    basis: Vec<f64>,
    /// Of each row along each of the basis.
    shares: Vec<f64>,
    /// The rows that the basis was made of, in its order.
    kept: Vec<usize>,
    used: Vec<bool>,
    /// How much each kept row counts, 1 but close to where the rank drops \[1\].
    weights: Vec<f64>,
    /// Whether `kept` holds a decision.
    decided: bool,
    /// What was left of the kept row of which the least was left, 1 for all \[1\].
    steadiness: f64,
    /// Coefficients on the basis.
    along: Vec<f64>,
    /// `C⁻¹ f`, loops not taken out.
    free: Vec<f64>,
    /// What puts loops back together.
    change: Vec<f64>,
}

impl Loop {
    /// How many rows it has.
    pub(super) fn count(&self, planar: bool) -> usize {
        match (self.kind, planar) {
            (SceneJointKind::Ball, false) | (SceneJointKind::Weld, true) => 3,
            (SceneJointKind::Hinge | SceneJointKind::Slider, false) => 5,
            (SceneJointKind::Weld, false) => 6,
            (_, true) => 2,
        }
    }

    fn frames(&self, kinematics: &Kinematics) -> [Frame; 2] {
        self.sides.map(|side| kinematics.frame(side))
    }

    /// From the centres of mass to the joint's point, a material point of each body.
    fn arms(&self, [a, b]: &[Frame; 2]) -> [V3; 2] {
        [a.pose.rotation * self.points[0], b.pose.rotation * self.points[1]]
    }

    /// How b has turned relative to a since t = 0, seen from a.
    fn turned(&self, [a, b]: &[Frame; 2]) -> Turn {
        after(after(inverse(a.turn), b.turn), inverse(self.rest))
    }

    fn each_row(&self, planar: bool, kinematics: &Kinematics, mut visit: impl FnMut(Row)) {
        let frames = self.frames(kinematics);
        let [a, b] = &frames;
        let [ra, rb] = self.arms(&frames);
        let open = (b.pose.centre + rb) - (a.pose.centre + ra);
        let axes = [V3::x(), V3::y(), V3::z()];
        let world = if planar { &axes[..2] } else { &axes };
        let tangents = self.tangents.map(|t| a.pose.rotation * t);
        let tangents = if planar { &tangents[..1] } else { &tangents };
        if self.kind == SceneJointKind::Slider {
            // Directions turn with a: rows compare b's point with the point of a at the same place.
            let at = rb + (b.pose.centre - a.pose.centre);
            let speed = b.twist.at(&rb) - a.twist.at(&at);
            let bias = b.bias_at(&rb) - a.bias_at(&at) - a.twist.spin.cross(&speed) * 2.0;
            for &direction in tangents {
                visit(Row {
                    turns: false,
                    direction,
                    rho: [at, rb],
                    residual: direction.dot(&open),
                    rate: direction.dot(&speed),
                    bias: direction.dot(&bias),
                });
            }
        } else {
            let speed = b.twist.at(&rb) - a.twist.at(&ra);
            let bias = b.bias_at(&rb) - a.bias_at(&ra);
            for &direction in world {
                visit(Row {
                    turns: false,
                    direction,
                    rho: [ra, rb],
                    residual: direction.dot(&open),
                    rate: direction.dot(&speed),
                    bias: direction.dot(&bias),
                });
            }
        }
        let spin = b.twist.spin - a.twist.spin;
        let bias = b.bias[1] - a.bias[1];
        let mut turning = |direction: V3, residual: f64, extra: f64| {
            visit(Row {
                turns: true,
                direction,
                rho: [ra, rb],
                residual,
                rate: direction.dot(&spin),
                bias: direction.dot(&bias) + extra,
            });
        };
        match self.kind {
            SceneJointKind::Slider | SceneJointKind::Weld => match self.turned(&frames) {
                Turn::Angle(angle) => turning(V3::z(), angle, 0.0),
                Turn::Quaternion([w, x, y, z]) => {
                    let sign = if w < 0.0 { -2.0 } else { 2.0 };
                    let angles = a.pose.rotation * V3::new(x, y, z) * sign;
                    axes.iter().for_each(|&e| turning(e, e.dot(&angles), 0.0));
                }
            },
            SceneJointKind::Hinge if !planar => {
                let [axis_a, axis_b] =
                    [a.pose.rotation * self.axes[0], b.pose.rotation * self.axes[1]];
                let open = axis_a.cross(&axis_b);
                for &t in tangents {
                    turning(t, t.dot(&open), a.twist.spin.cross(&t).dot(&spin));
                }
            }
            SceneJointKind::Hinge | SceneJointKind::Ball => {}
        }
    }

    /// The coordinate of a hinge or slider from the pose at t = 0, and its rate. In the plane turns are counted; in space
    /// they are up to one turn either way.
    pub(super) fn coordinate(&self, kinematics: &Kinematics) -> [f64; 2] {
        let frames = self.frames(kinematics);
        let [a, b] = &frames;
        let axis = a.pose.rotation * self.axes[0];
        if self.kind == SceneJointKind::Slider {
            let [ra, rb] = self.arms(&frames);
            let between = b.pose.centre - a.pose.centre;
            let speed = b.twist.at(&rb) - a.twist.at(&(rb + between));
            return [axis.dot(&(between + rb - ra)), axis.dot(&speed)];
        }
        let angle = match self.turned(&frames) {
            Turn::Angle(angle) => angle,
            Turn::Quaternion([w, x, y, z]) => {
                2.0 * libm::atan2(V3::new(x, y, z).dot(&self.axes[0]), w)
            }
        };
        [angle, axis.dot(&(b.twist.spin - a.twist.spin))]
    }

    /// What a unit force on the coordinate does to the two bodies.
    pub(super) fn unit_wrenches(&self, kinematics: &Kinematics) -> [Wrench; 2] {
        let frames = self.frames(kinematics);
        let [a, b] = &frames;
        let axis = a.pose.rotation * self.axes[0];
        if self.kind == SceneJointKind::Slider {
            let [_, rb] = self.arms(&frames);
            let at = rb + (b.pose.centre - a.pose.centre);
            return [
                Wrench { force: -axis, torque: axis.cross(&at) },
                Wrench { force: axis, torque: rb.cross(&axis) },
            ];
        }
        [Wrench { force: V3::zeros(), torque: -axis }, Wrench { force: V3::zeros(), torque: axis }]
    }
}

impl Assembly {
    /// Adds a row of a loop to a row of velocities.
    fn add_loop_row(&self, kinematics: &Kinematics, joint: &Loop, row: &Row, out: &mut [f64]) {
        for ((side, rho), sign) in joint.sides.into_iter().zip(&row.rho).zip([-1.0, 1.0]) {
            let direction = row.direction * sign;
            if row.turns {
                self.add_side(kinematics, side, &V3::zeros(), &direction, out);
            } else {
                self.add_side(kinematics, side, &direction, &rho.cross(&direction), out);
            }
        }
    }

    pub(super) fn loop_matrices(&self, kinematics: &Kinematics, out: &mut Matrices) {
        let n = self.velocities();
        for joint in &self.loops {
            out.groups.push(joint.count(self.planar));
            let [a, b] = joint.sides.map(|side| self.drive_of(kinematics, side));
            joint.each_row(self.planar, kinematics, |row| {
                let start = out.loops.len();
                out.loops.resize(start + n, 0.0);
                self.add_loop_row(kinematics, joint, &row, &mut out.loops[start..]);
                out.drive.push(if row.turns { 0.0 } else { row.direction.dot(&(b - a)) });
            });
        }
    }

    /// How easily the two bodies of a joint move in all directions together: what its rows are measured by. A row may be
    /// rounding only, or all rows of a joint, where its bodies cannot move against it. \[1/√kg\]
    fn mobility(
        &self,
        kinematics: &Kinematics,
        joint: &Loop,
        out: &Dynamics,
        work: &mut Vec<f64>,
    ) -> f64 {
        let mut sum = 0.0;
        let zero = V3::zeros();
        for side in joint.sides {
            if matches!(side, Side::Fixed(_)) {
                continue;
            }
            for axis in [V3::x(), V3::y(), V3::z()] {
                for (linear, angular) in [(axis, zero), (zero, axis * self.length)] {
                    work.clear();
                    work.resize(self.velocities(), 0.0);
                    self.add_side(kinematics, side, &linear, &angular, work);
                    out.forward(work);
                    sum += dot(work, work);
                }
            }
        }
        // The mean of the directions of both bodies.
        f64::sqrt(sum / if self.planar { 6.0 } else { 12.0 })
    }

    /// Rows, residuals and the basis, wants the factor of the mass matrix.
    pub(super) fn prepare_loops(&self, kinematics: &Kinematics, out: &mut Dynamics) {
        let n = self.velocities();
        let mut closure = std::mem::take(&mut out.closure);
        closure.clear(n);
        for joint in &self.loops {
            let mobility = self.mobility(kinematics, joint, out, &mut closure.basis);
            joint.each_row(self.planar, kinematics, |row| {
                let scale = if row.turns { self.length } else { 1.0 };
                let start = closure.rows.len();
                closure.rows.resize(start + n, 0.0);
                let y = &mut closure.rows[start..];
                self.add_loop_row(kinematics, joint, &row, y);
                y.iter_mut().for_each(|y| *y *= scale);
                out.forward(y);
                closure.scales.push(mobility);
                closure.residuals.push(scale * row.residual);
                closure.rates.push(scale * row.rate);
                closure.biases.push(scale * row.bias);
            });
        }
        closure.size = self.length;
        for joint in &self.loops {
            let [a, b] = joint.frames(kinematics);
            closure.size = closure.size.max(a.pose.centre.amax()).max(b.pose.centre.amax());
        }
        closure.span();
        out.closure = closure;
    }

    /// Takes from `C⁻¹ f` what loops do not allow, and adds what they ask for.
    pub(super) fn hold_loops(
        &self,
        kinematics: &Kinematics,
        out: &mut Dynamics,
        free: &mut [f64],
    ) -> Result<(), Failure> {
        let closure = &mut out.closure;
        closure.free.clear();
        closure.free.extend_from_slice(free);
        closure.project_weighted(free);
        closure.solve(|closure, row| -closure.biases[row]);
        closure.add_along(free);
        let mut fastest = 0.0;
        for twist in &kinematics.twists {
            let turning = self.length * self.length * twist.spin.dot(&twist.spin);
            fastest = f64::max(fastest, twist.velocity.dot(&twist.velocity) + turning);
        }
        let acceleration = f64::sqrt(self.gravity.dot(&self.gravity))
            .max(fastest / self.length)
            .max(largest(&closure.biases));
        let settled = largest(&closure.residuals) <= CHECKED[0] * self.length
            && largest(&closure.rates) <= CHECKED[1] * f64::sqrt(acceleration * self.length);
        // Near to where the rank drops, rounding of the kept rows grows by what was left of them.
        let allowed = CONTRADICTION * acceleration / closure.steadiness;
        match closure.contradiction() {
            Some((row, misfit)) if settled && misfit > allowed => {
                let joint = self.loop_of(row);
                Err(Failure {
                    kind: FailureKind::JointsContradict,
                    message: format!(
                        "joints[{joint}] closes a loop in which joints ask for accelerations that differ by {misfit} m/s²"
                    ),
                })
            }
            _ => Ok(()),
        }
    }

    /// The joint that a row belongs to, by its place in the scene.
    fn loop_of(&self, row: usize) -> usize {
        let mut last = 0;
        for joint in &self.loops {
            last += joint.count(self.planar);
            if row < last {
                return joint.index;
            }
        }
        unreachable!("each row belongs to a loop")
    }

    /// [`Assembly::close_loops`] in memory that is lent.
    pub(crate) fn close_loops_in(
        &self,
        q: &mut [f64],
        v: &mut [f64],
        t: f64,
        kinematics: &mut Kinematics,
        dynamics: &mut Dynamics,
    ) -> f64 {
        let mut moved = 0.0;
        if self.loops.is_empty() {
            return moved;
        }
        let mut change = std::mem::take(&mut dynamics.closure.change);
        for round in 0..=2 {
            self.recursion(q, v, t, kinematics);
            self.factored_mass(kinematics, dynamics);
            self.prepare_loops(kinematics, dynamics);
            let open = largest(&dynamics.closure.residuals);
            if round == 0 {
                moved = open;
            }
            if round == 2 || open <= CLOSED * dynamics.closure.size {
                break;
            }
            dynamics.correction(|closure, row| -closure.residuals[row], &mut change);
            self.add_displacement(q, &change);
        }
        dynamics.correction(|closure, row| -closure.rates[row], &mut change);
        v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
        dynamics.closure.change = change;
        moved
    }

    /// The part of [`Assembly::drive_power`] through loops whose two sides are moved differently \[W\]: the force in the
    /// loop, from accelerations and what contacts do to each body. `dynamics` is that of the same instant, and knows nothing of
    /// these contacts.
    pub(crate) fn loop_drive_power(
        &self,
        kinematics: &Kinematics,
        dynamics: &Dynamics,
        acceleration: &[f64],
        contacts: &[Wrench],
    ) -> f64 {
        let apart = |joint: &Loop| {
            let [a, b] = joint.sides.map(|side| self.drive_of(kinematics, side));
            b - a
        };
        if self.loops.iter().all(|joint| apart(joint) == V3::zeros()) {
            return 0.0;
        }
        // Yᵀ κ = Cᵀ v̇ − C⁻¹ (f + Jᵀ λ), and M v̇ = C Cᵀ v̇.
        let closure = &dynamics.closure;
        let mut rest = vec![0.0; self.velocities()];
        for (body, wrench) in contacts.iter().enumerate() {
            self.add_columns(kinematics, body, &wrench.force, &wrench.torque, &mut rest);
        }
        dynamics.forward(&mut rest);
        rest.iter_mut().zip(&closure.free).for_each(|(x, free)| *x = -*x - free);
        dynamics.add_transposed(acceleration, &mut rest);
        let rank = closure.kept.len();
        let count = closure.residuals.len();
        let mut kappa: Vec<f64> = closure.basis().map(|y| dot(y, &rest)).collect();
        for k in (0..rank).rev() {
            let row = closure.kept[k];
            kappa[k] /= closure.shares[row * count + k];
            for j in 0..k {
                kappa[j] -= closure.shares[row * count + j] * kappa[k];
            }
        }
        let (mut power, mut index) = (0.0, 0);
        for joint in &self.loops {
            let apart = apart(joint);
            joint.each_row(self.planar, kinematics, |row| {
                let force = closure.kept.iter().position(|kept| *kept == index);
                if let Some(k) = force.filter(|_| !row.turns) {
                    power -= kappa[k] * row.direction.dot(&apart);
                }
                index += 1;
            });
        }
        power
    }
}

impl Dynamics {
    /// `C⁻ᵀ Y⁺ b`: the least change of velocities whose products with rows are these.
    fn correction(&mut self, wanted: impl Fn(&Closure, usize) -> f64, change: &mut Vec<f64>) {
        self.closure.solve(wanted);
        change.clear();
        change.resize(self.closure.velocities, 0.0);
        self.closure.add_along(change);
        self.backward(change);
    }

    /// Which rows of loops depend on others is decided anew.
    pub(super) fn forget(&mut self) {
        self.closure.decided = false;
    }

    /// `out += Cᵀ x`.
    fn add_transposed(&self, x: &[f64], out: &mut [f64]) {
        for block in &self.blocks {
            let (n, start) = (block.size, block.start);
            for i in 0..n {
                if block.diagonal {
                    out[start + i] += self.factor[block.at + i] * x[start + i];
                    continue;
                }
                for j in 0..=i {
                    out[start + j] += self.factor[block.at + i * n + j] * x[start + i];
                }
            }
        }
    }

    /// How many rows of the loops are independent.
    #[cfg(test)]
    pub(crate) fn loop_rank(&self) -> usize {
        self.closure.kept.len()
    }
}

impl Closure {
    fn clear(&mut self, velocities: usize) {
        self.velocities = velocities;
        self.rows.clear();
        self.residuals.clear();
        self.rates.clear();
        self.biases.clear();
        self.scales.clear();
    }

    /// How far loops are open \[m\].
    #[cfg(test)]
    pub(super) fn opening(&self) -> f64 {
        largest(&self.residuals)
    }

    /// Residuals, rates and biases of all rows, those of rotation times the assembly's length.
    #[cfg(test)]
    pub(super) fn all(&self) -> [&[f64]; 3] {
        [&self.residuals, &self.rates, &self.biases]
    }

    /// Where buffers are.
    #[cfg(test)]
    pub(super) fn places(&self) -> [usize; 10] {
        [
            &self.rows,
            &self.residuals,
            &self.rates,
            &self.biases,
            &self.scales,
            &self.basis,
            &self.shares,
            &self.along,
            &self.free,
            &self.weights,
        ]
        .map(|buffer| buffer.as_ptr() as usize)
    }

    fn basis(&self) -> impl Iterator<Item = &[f64]> {
        self.basis.chunks_exact(self.velocities.max(1)).take(self.kept.len())
    }

    /// Makes the basis of the rows.
    fn span(&mut self) {
        let (n, count) = (self.velocities, self.residuals.len());
        let open = largest(&self.residuals) / self.size;
        let tolerance = RANK.max(f64::sqrt(10.0 * open).min(OPEN_RANK));
        let mut chosen = 0;
        if self.decided && open > SETTLED {
            chosen = self.kept.len();
        } else {
            self.kept.clear();
        }
        self.decided = true;
        self.basis.clear();
        self.basis.resize(n * n.min(count), 0.0);
        self.shares.clear();
        self.shares.resize(count * count, 0.0);
        self.used.clear();
        self.used.resize(count, false);
        let only_chosen = chosen > 0;
        self.steadiness = 1.0;
        self.weights.clear();
        let mut rank = 0;
        while rank < n.min(count) {
            let size = |row: usize, rows: &[f64], scales: &[f64]| {
                let y = &rows[row * n..(row + 1) * n];
                f64::sqrt(dot(y, y)) / scales[row]
            };
            if rank < chosen && size(self.kept[rank], &self.rows, &self.scales) <= LOST {
                self.kept.truncate(rank);
                chosen = 0;
            }
            if rank >= chosen {
                if only_chosen && chosen > 0 {
                    break;
                }
                let (mut pivot, mut most) = (None, tolerance);
                for row in (0..count).filter(|row| !self.used[*row]) {
                    let size = size(row, &self.rows, &self.scales);
                    if size > most {
                        (pivot, most) = (Some(row), size);
                    }
                }
                let Some(pivot) = pivot else { break };
                self.kept.push(pivot);
            }
            let pivot = self.kept[rank];
            self.used[pivot] = true;
            let (before, new) = self.basis.split_at_mut(rank * n);
            let new = &mut new[..n];
            new.copy_from_slice(&self.rows[pivot * n..(pivot + 1) * n]);
            // Once more against the others: what is left of a nearly dependent row is not orthogonal to them.
            for (k, y) in before.chunks_exact(n).enumerate() {
                let share = dot(new, y);
                subtract(new, share, y);
                self.shares[pivot * count + k] += share;
            }
            let length = f64::sqrt(dot(new, new));
            let left = length / self.scales[pivot];
            self.steadiness = self.steadiness.min(left);
            self.weights.push(smooth((left - RANK) / (WHOLE - RANK)));
            new.iter_mut().for_each(|x| *x /= length);
            self.shares[pivot * count + rank] = length;
            for row in (0..count).filter(|row| !self.used[*row]) {
                let y = &mut self.rows[row * n..(row + 1) * n];
                let share = dot(y, new);
                subtract(y, share, new);
                self.shares[row * count + rank] = share;
            }
            rank += 1;
        }
    }

    /// Takes out of a vector what the basis spans.
    pub(super) fn project(&self, x: &mut [f64]) {
        // Twice: once leaves rounding of what was taken, which may be much larger than what is left.
        for _ in 0..2 {
            for y in self.basis() {
                let share = dot(x, y);
                subtract(x, share, y);
            }
        }
    }

    /// [`Closure::project`], rows by their weights.
    fn project_weighted(&self, x: &mut [f64]) {
        for (y, &weight) in self.basis().zip(&self.weights) {
            let share = dot(x, y);
            subtract(x, weight * share, y);
        }
        for (y, _) in self.basis().zip(&self.weights).filter(|(_, weight)| **weight == 1.0) {
            let share = dot(x, y);
            subtract(x, share, y);
        }
    }

    /// The coefficients on the basis with which each kept row has the product wanted.
    fn solve(&mut self, wanted: impl Fn(&Self, usize) -> f64) {
        let count = self.residuals.len();
        let mut along = std::mem::take(&mut self.along);
        along.clear();
        for (k, &row) in self.kept.iter().enumerate() {
            let shares = &self.shares[row * count..];
            let known = dot(&along, &shares[..k]);
            along.push(self.weights[k] * (wanted(self, row) - known) / shares[k]);
        }
        self.along = along;
    }

    fn add_along(&self, x: &mut [f64]) {
        for (y, &along) in self.basis().zip(&self.along) {
            subtract(x, -along, y);
        }
    }

    /// By how much the dependent row that fits worst differs from what the others ask for.
    fn contradiction(&self) -> Option<(usize, f64)> {
        let (n, count) = (self.velocities, self.residuals.len());
        let rest = |row: usize| {
            let y = &self.rows[row * n..(row + 1) * n];
            f64::sqrt(dot(y, y))
        };
        (0..count)
            .filter(|&row| !self.used[row] && rest(row) <= DEPENDENT * self.scales[row])
            .map(|row| {
                let shares = &self.shares[row * count..row * count + self.along.len()];
                (row, (self.biases[row] + dot(shares, &self.along)).abs())
            })
            .max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// From 0 to 1 with two continuous derivatives.
fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * x * (10.0 + x * (6.0 * x - 15.0))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn subtract(x: &mut [f64], factor: f64, y: &[f64]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x -= factor * y);
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}
