//! The motion of a group of assemblies between events: accelerations under the contacts that last.
//!
//! Unknowns stand as positions, velocities, time; behind them the integrals of powers.

use super::applied::AppliedLoads;
use super::assembly::{Dynamics, Kinematics, Wrench};
use super::contact::{Bodies, ContactAt, Layout, Site};
use super::model::{Model, Place};
use super::pattern::{Entry, Equations, Rows};
use super::report::{Failure, FailureKind};
use super::vector::V3;

/// Works that are integrated with the motion: friction, damping, forces, drives.
pub(crate) const INTEGRALS: usize = 4;

/// Normal forces of sliding contacts above this many times what free accelerations ask for grow without bound \[1\].
const STEEP: f64 = 100.0;

/// The bound that stands for unbounded friction where several contacts slide against it: what its limit leaves open of them
/// is then shared \[1\].
pub(crate) const ROUGH: f64 = 1e4;

/// What a contact that lasts does along its tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Friction {
    /// It has none.
    None,
    Stick,
    /// In the plane: along the tangent times this sign, also beyond zero slip, so that accelerations stay smooth.
    SlipPlane {
        sign: f64,
    },
    /// In space: along the slip itself.
    SlipSpace,
    /// In space, slip that has just begun: against the friction that would hold.
    BeginsHeld,
    /// In space, slip that has just begun with an acceleration, along this direction of the world.
    Begins {
        along: V3,
    },
}

impl Friction {
    pub(crate) fn slides(self) -> bool {
        !matches!(self, Self::None | Self::Stick)
    }
}

/// A contact that lasts.
#[derive(Clone, Debug)]
pub(crate) struct Lasting {
    pub(crate) site: Site,
    pub(crate) friction: Friction,
    /// Whether slip has been fast enough since it began for its end to be looked for.
    pub(crate) armed: bool,
}

/// The work of impulses that took velocities off.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stopped {
    /// On the relative motion \[J\].
    pub(crate) energy_change: f64,
    /// Of prescribed motion \[J\].
    pub(crate) drives: f64,
}

/// Accelerations of a group, and what was computed on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    pub(crate) layout: Layout,
    pub(crate) contacts: Vec<Lasting>,
    pub(crate) kinematics: Vec<Kinematics>,
    pub(crate) dynamics: Vec<Dynamics>,
    /// The contacts at the last instant.
    pub(crate) at: Vec<ContactAt>,
    /// Forces of the contacts along their axes at the last instant \[N\].
    pub(crate) forces: Vec<[f64; 3]>,
    /// `J v̇_free + γ` of the contacts.
    pub(crate) offsets: Vec<[f64; 3]>,
    /// Their rows, transformed, three times the number of velocities each.
    pub(crate) rows: Vec<f64>,
    /// Whether rows of the pattern depend on each other.
    pub(crate) redundant: bool,
    /// `v̇` at the last instant.
    pub(crate) acceleration: Vec<f64>,
    /// Why there is none.
    pub(crate) failure: Option<Failure>,
    pub(crate) slopes: u64,
    /// The last instant \[s\].
    pub(crate) time: f64,
    /// Forces times transformed rows, summed.
    pushed: Vec<f64>,
    equations: Equations,
    entries: Vec<Entry>,
    /// The same where velocities or gaps are put to zero, and what that takes.
    stops: Vec<Entry>,
    change: Vec<f64>,
    on_bodies: Vec<Vec<Wrench>>,
    forces_on_bodies: Vec<V3>,
    applied: AppliedLoads,
}

impl Field {
    pub(crate) fn new(layout: Layout, contacts: Vec<Lasting>) -> Self {
        Self { layout, contacts, ..Self::default() }
    }

    /// How many unknowns there are, time included.
    pub(crate) fn unknowns(&self) -> usize {
        self.layout.positions() + self.layout.velocities() + 1
    }

    /// Slopes of all unknowns, and powers.
    pub(crate) fn slope(&mut self, model: &Model, y: &[f64], out: &mut [f64]) {
        self.slopes += 1;
        if self.failure.is_none()
            && let Err(failure) = self.evaluate(model, y)
        {
            self.failure = Some(failure);
        }
        if self.failure.is_some() {
            out.fill(f64::NAN);
            return;
        }
        let (nq, nv) = (self.layout.positions(), self.layout.velocities());
        for (k, &assembly) in self.layout.assemblies.iter().enumerate() {
            let v = &y[nq..nq + nv][self.layout.v_of(k)];
            let (q, rates) = (&y[self.layout.q_of(k)], &mut out[self.layout.q_of(k)]);
            model.assemblies[assembly].position_rates(q, v, rates);
        }
        out[nq..nq + nv].copy_from_slice(&self.acceleration);
        out[nq + nv] = 1.0;
        let powers = self.powers(model, y);
        out[nq + nv + 1..].copy_from_slice(&powers);
    }

    /// Everything at an instant under the present pattern.
    pub(crate) fn evaluate(&mut self, model: &Model, y: &[f64]) -> Result<(), Failure> {
        self.prepare(model, y)?;
        self.choose_directions();
        self.bound_friction();
        if !self.solve() {
            let message =
                "no forces of the contacts that last prevent all accelerations that they must"
                    .into();
            return Err(Failure { kind: FailureKind::NoPattern, message });
        }
        self.accelerate();
        Ok(())
    }

    /// Kinematics, free accelerations, and the contacts' rows and offsets: all that does not depend on the pattern.
    pub(crate) fn prepare(&mut self, model: &Model, y: &[f64]) -> Result<(), Failure> {
        let (nq, nv) = (self.layout.positions(), self.layout.velocities());
        let t = y[nq + nv];
        self.time = t;
        self.layout.kinematics(model, y, &mut self.kinematics);
        self.dynamics.resize_with(self.layout.assemblies.len(), Dynamics::default);
        self.applied.evaluate(model, &self.layout, &self.kinematics, t)?;
        for (k, &assembly) in self.layout.assemblies.iter().enumerate() {
            let (q, v) = (&y[self.layout.q_of(k)], &y[nq..nq + nv][self.layout.v_of(k)]);
            model.assemblies[assembly].dynamics(
                q,
                v,
                t,
                &self.kinematics[k],
                self.applied.of(k),
                &mut self.dynamics[k],
            )?;
        }
        let bodies = Bodies { model, layout: &self.layout, kinematics: &self.kinematics, t };
        self.at.clear();
        self.offsets.clear();
        self.rows.clear();
        self.rows.resize(self.contacts.len() * 3 * nv, 0.0);
        for (contact, rows) in self.contacts.iter().zip(self.rows.chunks_exact_mut((3 * nv).max(1)))
        {
            let at = ContactAt::of(&bodies, &contact.site, y);
            at.rows(&bodies, &contact.site, y, rows);
            let mut offset = [0.0; 3];
            for (i, row) in rows.chunks_exact_mut(nv).enumerate().take(at.rows) {
                offset[i] = at.gamma[i];
                for (k, dynamics) in self.dynamics.iter().enumerate() {
                    let part = &mut row[self.layout.v_of(k)];
                    offset[i] += carom_numerics::dot(part, &dynamics.free);
                    dynamics.transform(part);
                }
            }
            self.at.push(at);
            self.offsets.push(offset);
        }
        Ok(())
    }

    /// How each contact enters the equations, by its friction and the slip at this instant.
    fn choose_directions(&mut self) {
        self.entries.clear();
        let mut held = false;
        for (contact, at) in self.contacts.iter().zip(&self.at) {
            let mu = contact.site.material.mu;
            let along = |d: &V3| [d.dot(&at.axes[1]), d.dot(&at.axes[2])];
            self.entries.push(match contact.friction {
                _ if at.rows == 1 => Entry::Smooth,
                Friction::None => Entry::Smooth,
                Friction::Stick => Entry::Stick,
                Friction::SlipPlane { sign } => Entry::Slip { mu, along: [sign, 0.0] },
                Friction::SlipSpace => {
                    let size = f64::hypot(at.u[1], at.u[2]);
                    if size > 0.0 {
                        Entry::Slip { mu, along: [at.u[1] / size, at.u[2] / size] }
                    } else {
                        Entry::Smooth
                    }
                }
                Friction::Begins { along: d } => Entry::Slip { mu, along: along(&d) },
                Friction::BeginsHeld => {
                    held = true;
                    Entry::Stick
                }
            });
        }
        if held && self.solve() {
            for (c, contact) in self.contacts.iter().enumerate() {
                if contact.friction == Friction::BeginsHeld {
                    let [_, x, y] = self.forces[c];
                    let size = f64::hypot(x, y);
                    if size > 0.0 {
                        let along = [-x / size, -y / size];
                        self.entries[c] = Entry::Slip { mu: contact.site.material.mu, along };
                    }
                }
            }
        }
    }

    /// Several contacts that slide against friction without bound.
    fn bound_friction(&mut self) {
        let endless =
            |entry: &&mut Entry| matches!(entry, Entry::Slip { mu, .. } if mu.is_infinite());
        if self.entries.iter_mut().filter(endless).count() > 1 {
            for entry in self.entries.iter_mut().filter(endless) {
                if let Entry::Slip { mu, .. } = entry {
                    *mu = ROUGH;
                }
            }
        }
    }

    fn solve(&mut self) -> bool {
        let nv = self.layout.velocities();
        let Self { at, rows, offsets, entries, equations, .. } = self;
        let (at, rows, offsets) = (&*at, &*rows, &*offsets);
        let contacts = |c: usize| Rows {
            x: &rows[3 * nv * c..3 * nv * (c + 1)],
            rows: at[c].rows,
            b: offsets[c],
        };
        let solved = equations.solve(contacts, entries, nv);
        self.redundant = self.equations.redundant;
        self.forces.clear();
        self.forces.extend_from_slice(&self.equations.forces);
        solved
    }

    /// `v̇` under the forces.
    fn accelerate(&mut self) {
        let nv = self.layout.velocities();
        self.acceleration.clear();
        self.acceleration.resize(nv, 0.0);
        for (force, rows) in self.forces.iter().zip(self.rows.chunks_exact((3 * nv).max(1))) {
            for (f, row) in force.iter().zip(rows.chunks_exact(nv)).filter(|(f, _)| **f != 0.0) {
                self.acceleration.iter_mut().zip(row).for_each(|(a, x)| *a += f * x);
            }
        }
        self.pushed.clone_from(&self.acceleration);
        for (k, dynamics) in self.dynamics.iter().enumerate() {
            let part = &mut self.acceleration[self.layout.v_of(k)];
            dynamics.response(part);
            part.iter_mut().zip(&dynamics.free).for_each(|(a, free)| *a += free);
        }
    }

    /// Powers of friction, damping, forces and drives at the last instant.
    fn powers(&mut self, model: &Model, y: &[f64]) -> [f64; INTEGRALS] {
        let mut powers = [0.0; INTEGRALS];
        for dynamics in &self.dynamics {
            powers[1] += dynamics.powers.damping;
            powers[2] += dynamics.powers.forces;
        }
        for (at, force) in self.at.iter().zip(&self.forces) {
            for (k, f) in force.iter().enumerate().take(at.rows) {
                if k > 0 {
                    powers[0] += f * at.u[k];
                }
                powers[3] -= f * at.w[k];
            }
        }
        powers[3] += self.joint_drives(model, y);
        powers
    }

    /// The power of prescribed motion through joints and springs.
    fn joint_drives(&mut self, model: &Model, y: &[f64]) -> f64 {
        let assemblies = &self.layout.assemblies;
        if !assemblies.iter().any(|&assembly| model.assemblies[assembly].is_driven()) {
            return 0.0;
        }
        let none = Wrench { force: V3::zeros(), torque: V3::zeros() };
        self.on_bodies.resize_with(assemblies.len(), Vec::new);
        for (forces, &assembly) in self.on_bodies.iter_mut().zip(assemblies) {
            forces.clear();
            forces.resize(model.assemblies[assembly].bodies().len(), none);
        }
        for ((contact, at), force) in self.contacts.iter().zip(&self.at).zip(&self.forces) {
            let Some([a, b]) = contact.site.bodies() else { continue };
            let force = at.world(*force);
            for (body, force) in [(a, -force), (b, force)] {
                if let Place::Moving { assembly, body } = model.place[body]
                    && let Some(k) = self.layout.find(assembly)
                {
                    let rho = at.touch.point - self.kinematics[k].poses[body].centre;
                    self.on_bodies[k][body].force += force;
                    self.on_bodies[k][body].torque += rho.cross(&force);
                }
            }
        }
        let (nq, nv) = (self.layout.positions(), self.layout.velocities());
        let mut power = 0.0;
        for (k, &assembly) in assemblies.iter().enumerate() {
            let (acceleration, wrenches) =
                (&self.acceleration[self.layout.v_of(k)], &self.on_bodies[k]);
            self.forces_on_bodies.clear();
            self.forces_on_bodies.extend(wrenches.iter().map(|wrench| wrench.force));
            for (sum, wrench) in self.forces_on_bodies.iter_mut().zip(self.applied.of(k)) {
                *sum += wrench.force;
            }
            let kinematics = &self.kinematics[k];
            let assembly = &model.assemblies[assembly];
            power += assembly.drive_power(
                &y[self.layout.q_of(k)],
                &y[nq..nq + nv][self.layout.v_of(k)],
                y[nq + nv],
                kinematics,
                acceleration,
                &self.forces_on_bodies,
            );
            power +=
                assembly.loop_drive_power(kinematics, &self.dynamics[k], acceleration, wrenches);
        }
        power
    }

    /// Takes velocities off the normals of all contacts that last, and off the tangents of those that stick, with the least
    /// kinetic energy. Wants [`Field::prepare`] at the same positions.
    pub(crate) fn stop_contacts(&mut self, y: &mut [f64]) -> Stopped {
        self.stop(y, false)
    }

    /// The same where that stands for impacts: what slides is held back by friction.
    pub(crate) fn stop_impacts(&mut self, y: &mut [f64]) -> Stopped {
        self.stop(y, true)
    }

    fn stop(&mut self, y: &mut [f64], rubs: bool) -> Stopped {
        let mut stopped = Stopped::default();
        if self.contacts.is_empty() {
            return stopped;
        }
        let (nq, nv) = (self.layout.positions(), self.layout.velocities());
        let Self { equations, stops, change, .. } = self;
        let (at, rows) = (&self.at, &self.rows);
        let contacts = |c: usize| Rows {
            x: &rows[3 * nv * c..3 * nv * (c + 1)],
            rows: at[c].rows,
            b: at[c].u,
        };
        stops.clear();
        stops.extend(self.contacts.iter().zip(at).map(|(contact, at)| match contact.friction {
            Friction::Stick if at.rows > 1 => Entry::Stick,
            friction if rubs && friction.slides() && at.rows > 1 => {
                let size = f64::hypot(at.u[1], at.u[2]);
                let along = [at.u[1] / size, at.u[2] / size];
                Entry::Slip { mu: contact.site.material.mu, along }
            }
            _ => Entry::Smooth,
        }));
        equations.coarse = true;
        let solved = equations.solve(contacts, stops, nv);
        equations.coarse = false;
        if solved {
            change.clear();
            change.resize(nv, 0.0);
            for (force, rows) in equations.forces.iter().zip(rows.chunks_exact((3 * nv).max(1))) {
                for (f, row) in force.iter().zip(rows.chunks_exact(nv)) {
                    change.iter_mut().zip(row).for_each(|(a, x)| *a += f * x);
                }
            }
            let impulses = self.equations.forces.iter().zip(&self.at);
            for ((p, at), rows) in impulses.zip(self.rows.chunks_exact((3 * nv).max(1))) {
                for (k, row) in rows.chunks_exact(nv).enumerate().take(at.rows) {
                    let turned = carom_numerics::dot(row, change);
                    stopped.energy_change += p[k] * (at.u[k] + 0.5 * turned);
                    stopped.drives -= p[k] * at.w[k];
                }
            }
            for (k, dynamics) in self.dynamics.iter().enumerate() {
                dynamics.response(&mut change[self.layout.v_of(k)]);
            }
            y[nq..nq + nv].iter_mut().zip(&*change).for_each(|(v, change)| *v += change);
        }
        stopped
    }

    /// Moves positions so that the gaps of contacts that last are zero, with the least kinetic metric. Wants
    /// [`Field::prepare`] at these positions.
    pub(crate) fn close_gaps(&mut self, model: &Model, y: &mut [f64]) {
        if self.contacts.is_empty() {
            return;
        }
        let nv = self.layout.velocities();
        let Self { equations, stops, change, .. } = self;
        let (at, rows) = (&self.at, &self.rows);
        let contacts = |c: usize| Rows {
            x: &rows[3 * nv * c..3 * nv * (c + 1)],
            rows: 1,
            b: [at[c].touch.gap, 0.0, 0.0],
        };
        stops.clear();
        stops.resize(at.len(), Entry::Smooth);
        equations.coarse = true;
        let solved = equations.solve(contacts, stops, nv);
        equations.coarse = false;
        if solved {
            change.clear();
            change.resize(nv, 0.0);
            for (force, rows) in equations.forces.iter().zip(rows.chunks_exact((3 * nv).max(1))) {
                change.iter_mut().zip(rows).for_each(|(a, x)| *a += force[0] * x);
            }
            for (k, (&assembly, dynamics)) in
                self.layout.assemblies.iter().zip(&self.dynamics).enumerate()
            {
                let part = &mut change[self.layout.v_of(k)];
                dynamics.response(part);
                model.assemblies[assembly].displace(&mut y[self.layout.q_of(k)], part);
            }
        }
    }

    /// Acceleration of a contact along its axes at the last instant \[m/s²\].
    pub(crate) fn contact_acceleration(&self, c: usize) -> [f64; 3] {
        let nv = self.layout.velocities();
        let mut acceleration = self.offsets[c];
        for (k, a) in acceleration.iter_mut().enumerate().take(self.at[c].rows) {
            *a += carom_numerics::dot(&self.rows[(3 * c + k) * nv..][..nv], &self.pushed);
        }
        acceleration
    }

    /// Where a contact slides at the last instant, along its tangents.
    pub(crate) fn slip_direction(&self, c: usize) -> Option<[f64; 2]> {
        match self.entries[c] {
            Entry::Slip { along, .. } => Some(along),
            _ => None,
        }
    }

    /// What a contact presses with, or rubs with where friction is without bound \[N\].
    pub(crate) fn load(&self, c: usize) -> f64 {
        let [n, x, y] = self.forces[c];
        match self.entries[c] {
            Entry::Slip { mu, along: [a, b] } if mu.is_infinite() => -(a * x + b * y),
            _ => n,
        }
    }

    /// `A / W_nn` of a contact that slides alone; without bound `A / (μ √(W_nn W_tt))`.
    pub(crate) fn own_stiffness(&self, c: usize) -> Option<f64> {
        let Entry::Slip { mu, along } = self.entries[c] else { return None };
        if self.contacts.len() != 1 {
            return None;
        }
        let nv = self.layout.velocities();
        let row = |k: usize| &self.rows[(3 * c + k) * nv..][..nv];
        Some(own_stiffness(row, self.at[c].rows, mu, along))
    }

    /// The sliding contact, if any, whose force is many times what its own acceleration asks for: contacts that slide
    /// together let forces grow without bound.
    pub(crate) fn steepest(&self) -> Option<usize> {
        let nv = self.layout.velocities();
        let free = self.offsets.iter().map(|offset| offset[0].abs()).fold(0.0, f64::max);
        let growth = |c: usize| {
            let row = &self.rows[3 * c * nv..][..nv];
            carom_numerics::largest(&self.forces[c]) * carom_numerics::dot(row, row)
        };
        (0..self.contacts.len())
            .filter(|&c| self.contacts[c].friction.slides() && growth(c) > STEEP * free)
            .max_by(|a, b| growth(*a).total_cmp(&growth(*b)))
    }

    /// All bodies as they are at `y`, whose kinematics have been computed.
    pub(crate) fn bodies<'a>(&'a self, model: &'a Model, y: &[f64]) -> Bodies<'a> {
        let t = y[self.unknowns() - 1];
        Bodies { model, layout: &self.layout, kinematics: &self.kinematics, t }
    }
}

/// `A / W_nn` of one sliding contact with these transformed rows. Where friction has no bound the limit of `A / μ`, beside
/// `√(W_nn W_tt)`.
pub(crate) fn own_stiffness<'a>(
    row: impl Fn(usize) -> &'a [f64],
    rows: usize,
    mu: f64,
    along: [f64; 2],
) -> f64 {
    let whole = carom_numerics::dot(row(0), row(0));
    let mut turned = 0.0;
    for k in 1..rows {
        turned += along[k - 1] * carom_numerics::dot(row(0), row(k));
    }
    if mu.is_finite() {
        return (whole - mu * turned) / whole;
    }
    let mut own = 0.0;
    for i in 1..rows {
        for k in 1..rows {
            own += along[i - 1] * along[k - 1] * carom_numerics::dot(row(i), row(k));
        }
    }
    let size = f64::sqrt(whole * own);
    if size > 0.0 { -turned / size } else { 0.0 }
}
