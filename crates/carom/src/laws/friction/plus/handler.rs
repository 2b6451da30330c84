//! PLUS for one impact after another, as a simulator calls it.

use super::contact_space::{ContactSpace, Coupling, Surface};
use super::remedies::Workspace;
use super::{INFO, Plus};
use crate::contact::ContactSpec;
use crate::island::Context;
use crate::numerics::dot;
use crate::outcome::{RoundsEffort, Unobserved};
use crate::{ImpactError, Tolerances};

/// Resolves impacts from mass matrix, Jacobian and velocity by [`Plus`]. It keeps its memory, so that impacts no larger
/// than those before allocate nothing; what was before never influences a result.
///
/// ```
/// use carom::laws::{Plus, PlusHandler};
/// use carom::{ContactSpec, Material};
///
/// // A ball of 2 kg falls on the floor at 3 m/s; one row, the normal.
/// let mut handler = PlusHandler::new(Plus::default());
/// let contacts = [ContactSpec::new(1, Material::new(0.0, 0.5)?)];
/// let mut velocity = [-3.0];
/// handler.resolve(&[2.0], &[1.0], &mut velocity, &contacts)?;
/// assert!((velocity[0] - 1.5).abs() < 1e-12);
/// assert!((handler.impulse()[0] - 9.0).abs() < 1e-12);
/// # Ok::<(), carom::ImpactError>(())
/// ```
pub struct PlusHandler {
    law: Plus,
    tolerances: Tolerances,
    space: ContactSpace<'static>,
    workspace: Workspace,
    /// Cholesky's factor of the mass matrix, row by row.
    mass: Vec<f64>,
    effort: RoundsEffort,
    /// Impulses, three numbers per contact.
    all: Vec<f64>,
    impulse: Vec<f64>,
    change: Vec<f64>,
    islands: Vec<usize>,
    queue: Vec<usize>,
}

impl PlusHandler {
    /// A handler by this law, with nominal tolerances.
    pub fn new(law: Plus) -> Self {
        Self {
            tolerances: Tolerances::NOMINAL,
            space: ContactSpace::default(),
            workspace: law.workspace(),
            mass: Vec::new(),
            effort: RoundsEffort::default(),
            all: Vec::new(),
            impulse: Vec::new(),
            change: Vec::new(),
            islands: Vec::new(),
            queue: Vec::new(),
            law,
        }
    }

    /// Resolves an impact: `velocity` (f numbers [m/s, rad/s]) becomes that after it. `mass` has f·f numbers and
    /// `jacobian` f per contact row, contact by contact, normal first. Contacts are unilateral;
    /// [`crate::system::Generalized`] takes joints as well.
    pub fn resolve(
        &mut self,
        mass: &[f64],
        jacobian: &[f64],
        velocity: &mut [f64],
        contacts: &[ContactSpec],
    ) -> Result<&RoundsEffort, ImpactError> {
        let f = velocity.len();
        check("velocity", velocity, f)?;
        check("mass", mass, f * f)?;
        let rows = contacts.iter().fold(0_usize, |sum, contact| sum.saturating_add(contact.rows));
        check("jacobian", jacobian, rows.saturating_mul(f))?;
        self.factor(mass, f)?;
        self.place(jacobian, velocity, contacts)?;
        self.run(f)?;
        self.change.clear();
        self.change.resize(f, 0.0);
        for (p, row) in self.impulse.iter().zip(jacobian.chunks_exact(f.max(1))) {
            self.change.iter_mut().zip(row).for_each(|(x, j)| *x += p * j);
        }
        forward(&self.mass, &mut self.change);
        backward(&self.mass, &mut self.change);
        if !self.change.iter().all(|x| x.is_finite()) {
            let reason = "impulse or velocity is larger than any number".into();
            return Err(ImpactError::NoSolution { law: INFO.id, reason });
        }
        velocity.iter_mut().zip(&self.change).for_each(|(v, x)| *v += x);
        Ok(&self.effort)
    }

    /// Resolves island after island.
    fn run(&mut self, f: usize) -> Result<(), ImpactError> {
        let count = if self.law.energy_guard { self.find_islands(f) } else { 1 };
        let mut observer = Unobserved;
        let mut context =
            Context { law: INFO.id, tolerances: &self.tolerances, observer: &mut observer };
        let law = self.law.rounds_law();
        self.all.clear();
        self.all.resize(self.space.start.len(), 0.0);
        self.effort.clear();
        if count == 1 {
            law.run(&self.space, None, &mut self.workspace, &mut context)?;
            self.all.copy_from_slice(&self.workspace.impact.impulse);
            std::mem::swap(&mut self.effort, &mut self.workspace.effort);
        }
        for island in (0..count).filter(|_| count > 1) {
            let contacts: Vec<usize> =
                (0..self.space.len()).filter(|&k| self.islands[k] == island).collect();
            let space = self.space.of(&contacts);
            law.run(&space, Some(&contacts), &mut self.workspace, &mut context)?;
            for (&k, p) in contacts.iter().zip(self.workspace.impact.impulse.chunks_exact(3)) {
                self.all[3 * k..3 * k + 3].copy_from_slice(p);
            }
            let sum = std::mem::take(&mut self.effort);
            self.effort = match island {
                0 => self.workspace.effort.clone(),
                _ => sum.and(self.workspace.effort.clone()),
            };
        }
        self.impulse.clear();
        for (surface, p) in self.space.surfaces.iter().zip(self.all.chunks_exact(3)) {
            self.impulse.extend_from_slice(&p[..=surface.tangents]);
        }
        Ok(())
    }

    /// Numbers the islands: contacts that `W` couples, directly or through others, are in one.
    fn find_islands(&mut self, f: usize) -> usize {
        const NOWHERE: usize = usize::MAX;
        let Coupling::Factored { rows, .. } = &self.space.coupling else { return 1 };
        let block = |k: usize| rows[3 * k * f..3 * (k + 1) * f].chunks_exact(f.max(1));
        let coupled =
            |a: usize, b: usize| block(a).any(|row| block(b).any(|other| dot(row, other) != 0.0));
        let n = self.space.len();
        self.islands.clear();
        self.islands.resize(n, NOWHERE);
        let mut count = 0;
        for first in 0..n {
            if self.islands[first] != NOWHERE {
                continue;
            }
            self.islands[first] = count;
            self.queue.clear();
            self.queue.push(first);
            while let Some(k) = self.queue.pop() {
                for other in 0..n {
                    if self.islands[other] == NOWHERE && coupled(k, other) {
                        self.islands[other] = count;
                        self.queue.push(other);
                    }
                }
            }
            count += 1;
        }
        count
    }

    /// The impulse of the last impact, contact by contact, normal first [N·s].
    pub fn impulse(&self) -> &[f64] {
        &self.impulse
    }

    /// `M = C Cᵀ`.
    fn factor(&mut self, mass: &[f64], f: usize) -> Result<(), ImpactError> {
        self.mass.clear();
        self.mass.extend_from_slice(mass);
        for i in 0..f {
            for j in 0..=i {
                let (a, b) = (mass[i * f + j], mass[j * f + i]);
                let size = f64::sqrt(mass[i * f + i] * mass[j * f + j]);
                if (a - b).abs() > self.tolerances.symmetry * size {
                    let reason = format!("must be symmetric; mass[{j}][{i}] = {b}");
                    return Err(ImpactError::bad_problem(format!("mass[{i}][{j}]"), a, reason));
                }
                let known: f64 = (0..j).map(|k| self.mass[i * f + k] * self.mass[j * f + k]).sum();
                let rest = 0.5 * (a + b) - known;
                if i == j {
                    if rest.is_nan() || rest <= 0.0 {
                        let reason = "the mass matrix must be positive definite";
                        return Err(ImpactError::bad_problem(format!("mass[{i}][{i}]"), a, reason));
                    }
                    self.mass[i * f + i] = f64::sqrt(rest);
                } else {
                    self.mass[i * f + j] = rest / self.mass[j * f + j];
                }
            }
        }
        Ok(())
    }

    /// `L = J C⁻ᵀ`, so that `W = L Lᵀ`, and `u = J v`.
    fn place(
        &mut self,
        jacobian: &[f64],
        velocity: &[f64],
        contacts: &[ContactSpec],
    ) -> Result<(), ImpactError> {
        let f = velocity.len();
        let ContactSpace { start, surfaces, coupling } = &mut self.space;
        let mut rows = match std::mem::take(coupling) {
            Coupling::Factored { rows, .. } => rows,
            Coupling::Sparse { .. } => Vec::new(),
        };
        rows.clear();
        start.clear();
        surfaces.clear();
        let mut given = jacobian.chunks_exact(f.max(1));
        for (k, contact) in contacts.iter().enumerate() {
            let within = |error: ImpactError| error.within(&format!("contacts[{k}]"));
            contact.validated().map_err(within)?;
            if !contact.pushes() {
                let reason = "only unilateral contacts here: give joints as coordinates";
                return Err(within(ImpactError::bad_problem("kind", "bilateral", reason)));
            }
            surfaces.push(Surface::from(contact));
            for c in 0..3 {
                let begin = rows.len();
                match if c < contact.rows { given.next() } else { None } {
                    Some(row) => {
                        start.push(row.iter().zip(velocity).map(|(j, v)| j * v).sum());
                        rows.extend_from_slice(row);
                        forward(&self.mass, &mut rows[begin..]);
                    }
                    None => {
                        start.push(0.0);
                        rows.resize(begin + f, 0.0);
                    }
                }
            }
        }
        *coupling = Coupling::Factored { rank: f, rows };
        Ok(())
    }
}

/// Solves `C x = x`.
fn forward(factor: &[f64], x: &mut [f64]) {
    for (i, row) in factor.chunks_exact(x.len().max(1)).enumerate() {
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
}

/// Solves `Cᵀ x = x`.
fn backward(factor: &[f64], x: &mut [f64]) {
    let f = x.len();
    for i in (0..f).rev() {
        x[i] /= factor[i * f + i];
        let solved = x[i];
        for j in 0..i {
            x[j] -= factor[i * f + j] * solved;
        }
    }
}

fn check(field: &str, numbers: &[f64], wanted: usize) -> Result<(), ImpactError> {
    if numbers.len() != wanted || wanted == 0 {
        let got = format!("{} numbers", numbers.len());
        return Err(ImpactError::bad_problem(field, got, format!("there must be {wanted}")));
    }
    match numbers.iter().position(|x| !x.is_finite()) {
        Some(i) => {
            Err(ImpactError::bad_problem(format!("{field}[{i}]"), numbers[i], "must be finite"))
        }
        None => Ok(()),
    }
}
