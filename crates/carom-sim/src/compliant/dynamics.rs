//! From a mechanism and its contacts to a system of differential equations, with its Jacobian.
//!
//! The unknowns are `q`, `v`, and what accumulates on the way: the impulse of every row, the energy that each contact's
//! friction and damper took, and the work of prescribed motion.

use super::linear::Cholesky;
use super::mechanism::{ContactGeometry, JointGeometry, MassShape, Mechanism, Size};
use super::model::{CompliantContact, Exponent, Force, Mode};
use std::ops::Range;

/// Where the unknowns stand.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) size: Size,
    /// First row of each contact.
    first: Vec<usize>,
    rows: usize,
}

impl Layout {
    fn new(size: Size) -> Self {
        let mut rows = 0;
        let first = size
            .contacts
            .iter()
            .map(|own| {
                let first = rows;
                rows += own;
                first
            })
            .collect();
        Self { size, first, rows }
    }

    pub(super) fn q(&self) -> Range<usize> {
        0..self.size.coordinates
    }

    pub(super) fn v(&self) -> Range<usize> {
        self.size.coordinates..self.mechanics()
    }

    /// Unknowns that the motion depends on.
    pub(super) fn mechanics(&self) -> usize {
        self.size.coordinates + self.size.velocities
    }

    pub(super) fn contacts(&self) -> usize {
        self.first.len()
    }

    pub(super) fn rows(&self, k: usize) -> Range<usize> {
        self.first[k]..self.first[k] + self.size.contacts[k]
    }

    pub(super) fn impulse(&self) -> Range<usize> {
        self.mechanics()..self.mechanics() + self.rows
    }

    /// What friction took.
    pub(super) fn friction(&self) -> Range<usize> {
        let first = self.impulse().end;
        first..first + self.contacts()
    }

    /// What dampers took.
    pub(super) fn damping(&self) -> Range<usize> {
        let first = self.friction().end;
        first..first + self.contacts()
    }

    /// What prescribed motion gave.
    pub(super) fn supplied(&self) -> usize {
        self.damping().end
    }

    pub(super) fn unknowns(&self) -> usize {
        self.supplied() + 1
    }
}

/// A mechanism, its contacts, and memory.
pub(super) struct Dynamics<'a, M: ?Sized> {
    pub(super) mechanism: &'a M,
    pub(super) contacts: &'a [CompliantContact],
    pub(super) exponent: Exponent,
    pub(super) modes: Vec<Mode>,
    pub(super) layout: Layout,
    frame: Frame,
    moved: Frame,
    forces: Vec<Force>,
    velocity: Vec<f64>,
    /// Steps of difference quotients, one per coordinate and velocity. Only the smooth dependence on the configuration
    /// is found so; the contacts' own slopes are exact.
    pub(super) difference: Vec<f64>,
    shifted: Vec<f64>,
    /// `∂u/∂(q, v)`, one list per row.
    velocity_slope: Vec<f64>,
    gap_slope: Vec<f64>,
}

/// Everything about one configuration and velocity.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    rates: Vec<f64>,
    mass: Vec<f64>,
    factor: Cholesky,
    pub(super) geometry: ContactGeometry,
    joints: JointGeometry,
    joint_factor: Cholesky,
    /// `M⁻¹ Bᵀ`, one list per joint row.
    joint_response: Vec<f64>,
    /// Acceleration without contact forces.
    pub(super) free: Vec<f64>,
    /// Acceleration by a unit force, one list per contact row; joints hold.
    pub(super) response: Vec<f64>,
    /// Joint forces without contact forces, then by a unit force of each row.
    joint_force: Vec<f64>,
}

impl Frame {
    fn new(layout: &Layout, shape: MassShape) -> Self {
        let Size { coordinates, velocities, joints, .. } = layout.size;
        let rows = layout.rows;
        let mass = match shape {
            MassShape::Diagonal => velocities,
            MassShape::Full => velocities * velocities,
        };
        Self {
            rates: vec![0.0; coordinates],
            mass: vec![0.0; mass],
            geometry: ContactGeometry {
                gap: vec![0.0; layout.contacts()],
                jacobian: vec![0.0; rows * velocities],
                drive: vec![0.0; rows],
            },
            joints: JointGeometry { rows: vec![0.0; joints * velocities], bias: vec![0.0; joints] },
            joint_response: vec![0.0; joints * velocities],
            free: vec![0.0; velocities],
            response: vec![0.0; rows * velocities],
            joint_force: vec![0.0; joints * (rows + 1)],
            ..Self::default()
        }
    }

    fn fill<M: Mechanism + ?Sized>(&mut self, mechanism: &M, q: &[f64], v: &[f64]) {
        mechanism.rates(q, v, &mut self.rates);
        mechanism.mass(q, &mut self.mass);
        mechanism.force(q, v, &mut self.free);
        mechanism.contacts(q, &mut self.geometry);
        let n = v.len();
        if self.mass.len() != n {
            self.factor.factor(&self.mass, n);
        }
        self.response.copy_from_slice(&self.geometry.jacobian);
        let (mass, factor) = (&self.mass, &mut self.factor);
        divide(mass, factor, &mut self.free);
        for row in self.response.chunks_exact_mut(n.max(1)) {
            divide(mass, factor, row);
        }
        if !self.joints.bias.is_empty() {
            mechanism.joints(q, v, &mut self.joints);
            self.hold(n);
        }
    }

    /// Takes from all accelerations what joints forbid.
    fn hold(&mut self, n: usize) {
        let count = self.joints.bias.len();
        self.joint_response.copy_from_slice(&self.joints.rows);
        for row in self.joint_response.chunks_exact_mut(n) {
            divide(&self.mass, &mut self.factor, row);
        }
        let matrix: Vec<f64> = (0..count * count)
            .map(|k| {
                dot(
                    &self.joints.rows[k / count * n..][..n],
                    &self.joint_response[k % count * n..][..n],
                )
            })
            .collect();
        self.joint_factor.factor(&matrix, count);
        let (free_force, row_forces) = self.joint_force.split_at_mut(count);
        let accelerations = std::iter::once((&mut self.free[..], free_force, true)).chain(
            self.response
                .chunks_exact_mut(n)
                .zip(row_forces.chunks_exact_mut(count))
                .map(|(response, force)| (response, force, false)),
        );
        for (acceleration, force, is_free) in accelerations {
            for (i, force) in force.iter_mut().enumerate() {
                let bias = if is_free { self.joints.bias[i] } else { 0.0 };
                *force = -bias - dot(&self.joints.rows[i * n..][..n], acceleration);
            }
            self.joint_factor.solve(force);
            for (force, response) in force.iter().zip(self.joint_response.chunks_exact(n)) {
                for (a, r) in acceleration.iter_mut().zip(response) {
                    *a += force * r;
                }
            }
        }
    }

    /// `½ v·M v`.
    fn kinetic(&self, v: &[f64]) -> f64 {
        let n = v.len();
        if self.mass.len() == n {
            return self.mass.iter().zip(v).map(|(m, v)| 0.5 * m * v * v).sum();
        }
        self.mass.chunks_exact(n.max(1)).zip(v).map(|(row, v_i)| 0.5 * v_i * dot(row, v)).sum()
    }
}

/// `x ← M⁻¹ x`.
fn divide(mass: &[f64], factor: &mut Cholesky, x: &mut [f64]) {
    if mass.len() == x.len() {
        for (x, m) in x.iter_mut().zip(mass) {
            *x /= m;
        }
    } else {
        factor.solve(x);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl<'a, M: Mechanism + ?Sized> Dynamics<'a, M> {
    pub(super) fn new(
        mechanism: &'a M,
        contacts: &'a [CompliantContact],
        exponent: Exponent,
    ) -> Self {
        let layout = Layout::new(mechanism.size());
        let frame = Frame::new(&layout, mechanism.mass_shape());
        Self {
            mechanism,
            contacts,
            exponent,
            modes: vec![Mode::Open; layout.contacts()],
            forces: vec![Force::default(); layout.contacts()],
            velocity: vec![0.0; layout.rows],
            difference: vec![0.0; layout.mechanics()],
            shifted: vec![0.0; layout.mechanics()],
            velocity_slope: vec![0.0; layout.rows * layout.mechanics()],
            gap_slope: vec![0.0; layout.contacts() * layout.size.coordinates],
            moved: frame.clone(),
            frame,
            layout,
        }
    }

    /// Looks at one state: afterwards gaps, contact velocities and forces are at hand.
    pub(super) fn look(&mut self, y: &[f64]) {
        let v = &y[self.layout.v()];
        self.frame.fill(self.mechanism, &y[self.layout.q()], v);
        contact_velocity(&self.frame.geometry, v, &mut self.velocity);
        for k in 0..self.contacts.len() {
            self.forces[k] =
                self.contacts[k].force(self.exponent, self.modes[k], self.depth(k), self.u(k));
        }
    }

    /// Only gaps and contact velocities: what events are about.
    pub(super) fn glance(&mut self, y: &[f64]) {
        self.mechanism.contacts(&y[self.layout.q()], &mut self.frame.geometry);
        contact_velocity(&self.frame.geometry, &y[self.layout.v()], &mut self.velocity);
    }

    /// Penetration of contact `k`, negative where it is open \[m\].
    pub(super) fn depth(&self, k: usize) -> f64 {
        -self.frame.geometry.gap[k]
    }

    /// Velocity of contact `k`, absent tangents zero [m/s].
    pub(super) fn u(&self, k: usize) -> [f64; 3] {
        let mut u = [0.0; 3];
        for (u, own) in u.iter_mut().zip(&self.velocity[self.layout.rows(k)]) {
            *u = *own;
        }
        u
    }

    /// Force of contact `k`.
    pub(super) fn force(&self, k: usize) -> &Force {
        &self.forces[k]
    }

    /// `J_i · M⁻¹ J_iᵀ`, joints holding: how row `i` yields to its own force [1/kg].
    pub(super) fn mobility(&self, i: usize) -> f64 {
        let n = self.layout.size.velocities;
        dot(&self.frame.geometry.jacobian[i * n..][..n], &self.frame.response[i * n..][..n])
    }

    /// Acceleration of row `i` without contact forces, its own turning left out [m/s²].
    pub(super) fn free_acceleration(&self, i: usize) -> f64 {
        let n = self.layout.size.velocities;
        dot(&self.frame.geometry.jacobian[i * n..][..n], &self.frame.free)
    }

    /// Diagonal entry of the mass matrix.
    pub(super) fn inertia(&self, i: usize) -> f64 {
        let n = self.layout.size.velocities;
        if self.frame.mass.len() == n { self.frame.mass[i] } else { self.frame.mass[i * n + i] }
    }

    /// Kinetic energy of the state looked at last \[J\].
    pub(super) fn kinetic(&self, y: &[f64]) -> f64 {
        self.frame.kinetic(&y[self.layout.v()])
    }

    /// The right-hand side.
    pub(super) fn slope(&mut self, y: &[f64], slope: &mut [f64]) {
        self.look(y);
        let layout = &self.layout;
        let n = layout.size.velocities;
        slope[layout.q()].copy_from_slice(&self.frame.rates);
        let mut supplied = 0.0;
        let (acceleration, rest) = slope[layout.v().start..].split_at_mut(n);
        acceleration.copy_from_slice(&self.frame.free);
        for (k, force) in self.forces.iter().enumerate() {
            for (row, f) in layout.rows(k).zip(force.force) {
                rest[row] = f;
                // A contact's power is f·u; what it takes from prescribed motion is not the bodies'.
                supplied -= f * self.frame.geometry.drive[row];
                if f != 0.0 {
                    for (a, r) in acceleration.iter_mut().zip(&self.frame.response[row * n..]) {
                        *a += f * r;
                    }
                }
            }
        }
        supplied += self.joint_power(&y[layout.v()], &rest[..layout.rows]);
        for (k, force) in self.forces.iter().enumerate() {
            slope[layout.friction().start + k] = force.friction_power;
            slope[layout.damping().start + k] = force.damping_power;
        }
        slope[layout.supplied()] = supplied;
    }

    /// The power of joint forces: none, unless a joint hangs on something that moves as prescribed.
    fn joint_power(&self, v: &[f64], contact_force: &[f64]) -> f64 {
        let count = self.frame.joints.bias.len();
        let n = v.len();
        let mut power = 0.0;
        for (i, row) in self.frame.joints.rows.chunks_exact(n.max(1)).enumerate() {
            let mut force = self.frame.joint_force[i];
            for (j, f) in contact_force.iter().enumerate() {
                force += f * self.frame.joint_force[(j + 1) * count + i];
            }
            power += force * dot(row, v);
        }
        power
    }

    /// Right-hand side and Jacobian, row by row.
    pub(super) fn system(&mut self, y: &[f64], slope: &mut [f64], jacobian: &mut [f64]) {
        self.slope(y, slope);
        jacobian.fill(0.0);
        let n = self.layout.size.velocities;
        for i in 0..self.layout.rows {
            self.velocity_slope[i * self.layout.mechanics() + self.layout.v().start..][..n]
                .copy_from_slice(&self.frame.geometry.jacobian[i * n..][..n]);
        }
        if self.mechanism.is_frozen() {
            self.frozen_slopes(jacobian);
        } else {
            self.smooth_slopes(y, slope, jacobian);
        }
        self.contact_slopes(&y[self.layout.q()], jacobian);
    }

    /// Rates of a mechanism whose configuration does not matter are the gaps' own.
    fn frozen_slopes(&self, jacobian: &mut [f64]) {
        let all = self.layout.unknowns();
        let n = self.layout.size.velocities;
        for k in 0..self.layout.contacts() {
            let row = self.layout.rows(k).start;
            jacobian[k * all + self.layout.v().start..][..n]
                .copy_from_slice(&self.frame.geometry.jacobian[row * n..][..n]);
        }
    }

    /// What depends on configuration and velocity while contact forces stay: difference quotients.
    fn smooth_slopes(&mut self, y: &[f64], slope: &[f64], jacobian: &mut [f64]) {
        let (all, n) = (self.layout.unknowns(), self.layout.size.velocities);
        let (q, v, mechanics) = (self.layout.q(), self.layout.v(), self.layout.mechanics());
        self.shifted.copy_from_slice(&y[..mechanics]);
        for j in 0..mechanics {
            self.shifted[j] = y[j] + self.difference[j];
            // The difference that was made, not the one that was wanted.
            let step = self.shifted[j] - y[j];
            self.moved.fill(self.mechanism, &self.shifted[q.clone()], &self.shifted[v.clone()]);
            for (i, rate) in self.moved.rates.iter().enumerate() {
                jacobian[i * all + j] = (rate - slope[i]) / step;
            }
            for i in 0..n {
                let mut acceleration = self.moved.free[i];
                for (k, force) in self.forces.iter().enumerate() {
                    for (row, f) in self.layout.rows(k).zip(force.force) {
                        acceleration += f * self.moved.response[row * n + i];
                    }
                }
                let at = v.start + i;
                jacobian[at * all + j] = (acceleration - slope[at]) / step;
            }
            if q.contains(&j) {
                let rows = self.moved.geometry.jacobian.chunks_exact(n.max(1));
                let drives = rows.zip(&self.moved.geometry.drive);
                for (i, (row, drive)) in drives.enumerate() {
                    let u = dot(row, &y[v.clone()]) + drive;
                    self.velocity_slope[i * mechanics + j] = (u - self.velocity[i]) / step;
                }
            }
            self.shifted[j] = y[j];
        }
    }

    /// What the contacts' forces add, by the exact slopes of their model.
    fn contact_slopes(&mut self, q: &[f64], jacobian: &mut [f64]) {
        let (all, n) = (self.layout.unknowns(), self.layout.size.velocities);
        let (mechanics, coordinates) = (self.layout.mechanics(), self.layout.size.coordinates);
        self.mechanism.gap_slope(q, &mut self.gap_slope);
        for k in 0..self.layout.contacts() {
            if self.modes[k] == Mode::Open {
                continue;
            }
            let model =
                self.contacts[k].slope(self.exponent, self.modes[k], self.depth(k), self.u(k));
            let rows = self.layout.rows(k);
            for j in 0..mechanics {
                let mut change = [0.0; 4];
                if j < coordinates {
                    change[0] = -self.gap_slope[k * coordinates + j];
                }
                for (change, row) in change[1..].iter_mut().zip(rows.clone()) {
                    *change = self.velocity_slope[row * mechanics + j];
                }
                let along = |slope: &[f64; 4]| dot(slope, &change);
                for (row, slope) in rows.clone().zip(&model.force) {
                    let force = along(slope);
                    let response = &self.frame.response[row * n..][..n];
                    for (i, r) in response.iter().enumerate() {
                        jacobian[(coordinates + i) * all + j] += r * force;
                    }
                    jacobian[(self.layout.impulse().start + row) * all + j] = force;
                    jacobian[self.layout.supplied() * all + j] -=
                        self.frame.geometry.drive[row] * force;
                }
                let (friction, damping) = (self.layout.friction(), self.layout.damping());
                jacobian[(friction.start + k) * all + j] = along(&model.friction_power);
                jacobian[(damping.start + k) * all + j] = along(&model.damping_power);
            }
        }
    }
}

/// `u = J v + drive`.
fn contact_velocity(geometry: &ContactGeometry, v: &[f64], velocity: &mut [f64]) {
    let rows = geometry.jacobian.chunks_exact(v.len().max(1));
    for ((u, row), drive) in velocity.iter_mut().zip(rows).zip(&geometry.drive) {
        *u = dot(row, v) + drive;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compliant::model::Stribeck;
    use crate::compliant::{Frozen, Pendulum, RigidBodies};
    use carom::system::{
        Bodies, Body, BodyContact, Inertia, Joint, JointKind, Motion, Orientation,
    };
    use carom::{ContactSpec, ImpactError, Material};

    const SOFT: CompliantContact = CompliantContact {
        stiffness: 50.0,
        dissipation: 0.1,
        friction: Stribeck { at_rest: 0.5, sliding: 0.3, viscous: 0.02, transition_speed: 0.7 },
    };

    /// A turning ground, a body on it, and another on a joint.
    fn scene(kind: JointKind) -> Result<Bodies, ImpactError> {
        let body = |name: &str, motion: Motion, position: [f64; 3], velocity: [f64; 3]| Body {
            name: name.into(),
            motion,
            position: position.to_vec(),
            orientation: Orientation::Quaternion([0.8, 0.1, -0.5, 0.3]),
            velocity: velocity.to_vec(),
            angular_velocity: vec![0.3, -0.4, 0.9],
        };
        let free = |mass: f64, moments: [f64; 3]| Motion::Free {
            mass,
            inertia: Inertia::Principal(moments),
        };
        let bodies = vec![
            body("ground", Motion::Fixed, [0.1, 0.0, -0.2], [0.1, 0.2, 0.3]),
            body("one", free(2.0, [0.3, 0.4, 0.6]), [0.0, 0.1, 0.5], [1.0, -0.5, -2.0]),
            body("two", free(1.0, [0.2, 0.1, 0.15]), [0.8, 0.2, 0.7], [0.4, 0.6, -1.0]),
        ];
        let axis =
            matches!(kind, JointKind::Hinge | JointKind::Slider).then(|| vec![0.2, 1.0, -0.4]);
        let joint = Joint { kind, a: 1, b: 2, point: vec![0.5, 0.1, 0.6], axis };
        let contact = |a, b, point: [f64; 3], normal: [f64; 3]| -> Result<_, ImpactError> {
            let spec = ContactSpec::new(3, Material::new(0.5, 1.0)?);
            let (point, normal) = (point.to_vec(), normal.to_vec());
            Ok(BodyContact { a, b, point, normal, tangent: None, spec })
        };
        let contacts = vec![
            contact(0, 1, [0.1, 0.0, 0.0], [0.1, 0.2, 1.0])?,
            contact(1, 2, [0.4, 0.3, 0.6], [1.0, 0.3, 0.2])?,
        ];
        Bodies::new(bodies, vec![joint], contacts)
    }

    /// Slopes of everything by everything, against central differences of the right-hand side.
    fn check_jacobian<M: Mechanism>(mechanism: &M, what: &str) {
        let count = mechanism.size().contacts.len();
        let contacts = vec![SOFT; count];
        for exponent in [Exponent::Linear, Exponent::Hertz] {
            let mut dynamics = Dynamics::new(mechanism, &contacts, exponent);
            let n = dynamics.layout.unknowns();
            let mechanics = dynamics.layout.mechanics();
            let (q, v) = mechanism.start();
            let mut y = vec![0.0; n];
            y[dynamics.layout.q()].copy_from_slice(&q);
            y[dynamics.layout.v()].copy_from_slice(&v);
            let mut slope = vec![0.0; n];
            // Into the contacts, along the motion.
            dynamics.slope(&y, &mut slope);
            for i in 0..mechanics {
                y[i] += 0.05 * slope[i];
            }
            dynamics.modes = vec![Mode::Loaded; count];
            dynamics.difference = vec![1e-7; mechanics];
            let mut jacobian = vec![f64::NAN; n * n];
            dynamics.system(&y, &mut slope, &mut jacobian);
            let size = jacobian.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let (mut more, mut less) = (vec![0.0; n], vec![0.0; n]);
            for j in 0..n {
                let step = 1e-5;
                let mut moved = y.clone();
                moved[j] = y[j] + step;
                dynamics.slope(&moved, &mut more);
                moved[j] = y[j] - step;
                dynamics.slope(&moved, &mut less);
                for i in 0..dynamics.layout.supplied() {
                    let expected = (more[i] - less[i]) / (2.0 * step);
                    let found = jacobian[i * n + j];
                    assert!(
                        (found - expected).abs() < 1e-6 * size,
                        "{what} {exponent:?}: slope {i} by {j}: {found} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn jacobians_are_those_of_the_motion() -> Result<(), ImpactError> {
        for kind in [JointKind::Ball, JointKind::Hinge, JointKind::Slider, JointKind::Weld] {
            let bodies = scene(kind)?;
            let moving = RigidBodies::new(&bodies, 0.2).with_gravity([0.0, 0.0, -9.81]);
            check_jacobian(&moving, &format!("{kind:?}"));
        }
        check_jacobian(&Frozen::new(scene(JointKind::Ball)?.problem())?, "frozen");
        let mut pendulum = Pendulum::uchida_sherman_delp();
        pendulum.height = 1.45;
        pendulum.rates = vec![0.5, -2.0, -1.0];
        check_jacobian(&pendulum, "pendulum");
        Ok(())
    }

    /// Along a free motion, gaps change as their rates say and joint rows keep their velocities.
    #[test]
    fn accelerations_keep_joints_and_gaps_follow_velocities() -> Result<(), ImpactError> {
        for kind in [JointKind::Ball, JointKind::Hinge, JointKind::Slider, JointKind::Weld] {
            let bodies = scene(kind)?;
            let mechanism = RigidBodies::new(&bodies, 0.2).with_gravity([0.0, 1.0, -9.81]);
            let contacts = vec![SOFT; 2];
            let mut dynamics = Dynamics::new(&mechanism, &contacts, Exponent::Hertz);
            let n = dynamics.layout.unknowns();
            let (q, v) = mechanism.start();
            let mut y = vec![0.0; n];
            y[dynamics.layout.q()].copy_from_slice(&q);
            y[dynamics.layout.v()].copy_from_slice(&v);
            let mut slope = vec![0.0; n];
            // A little on its way, so that nothing is where it was placed.
            for _ in 0..10 {
                dynamics.slope(&y, &mut slope);
                y.iter_mut().zip(&slope).for_each(|(y, s)| *y += 0.01 * s);
            }
            dynamics.slope(&y, &mut slope);
            let rates: Vec<f64> = (0..2).map(|k| dynamics.u(k)[0]).collect();
            let step = 1e-6;
            let mut sides = [-step, step].map(|h| {
                let moved: Vec<f64> = y.iter().zip(&slope).map(|(y, s)| y + h * s).collect();
                dynamics.look(&moved);
                let joints = dynamics.frame.joints.rows.chunks_exact(12);
                let held: Vec<f64> =
                    joints.map(|row| dot(row, &moved[dynamics.layout.v()])).collect();
                (held, dynamics.frame.geometry.gap.clone())
            });
            let (less, more) = (std::mem::take(&mut sides[0]), std::mem::take(&mut sides[1]));
            for (a, b) in less.0.iter().zip(&more.0) {
                assert!((b - a).abs() / (2.0 * step) < 1e-8, "{kind:?}: {a} {b}");
            }
            for (k, (a, b)) in less.1.iter().zip(&more.1).enumerate() {
                let rate = (b - a) / (2.0 * step);
                assert!((rate - rates[k]).abs() < 1e-8, "{kind:?}, gap {k}: {rate} {}", rates[k]);
            }
        }
        Ok(())
    }
}
