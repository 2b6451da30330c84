//! Contact problems from generalized coordinates.

use super::bilateral::{Bilateral, JointCorrection};
use super::mass::{Mass, MassMatrix};
use super::precise::Inexact;
use super::sparse::Rows;
use super::{check_finite, check_finite_rows, check_len};
use crate::contact::{Gram, JointRows, JointShape, Separating};
use crate::numerics::sparse::SparseRows;
use crate::{ContactProblem, ContactSpec, ImpactError, Tolerances};
use std::sync::Arc;

/// A mechanism in f generalized coordinates: mass matrix `M`, velocity `v`, contact Jacobian `J`, optionally
/// bilateral rows `B` (joints) and `drive` (prescribed motion, such as a moving wall).
///
/// In contact space this is
///
/// ```text
/// W = J (M⁻¹ − M⁻¹Bᵀ (B M⁻¹Bᵀ)⁺ B M⁻¹) Jᵀ        u⁻ = J v + drive
/// ```
///
/// The joints answer an impact with an impulse λ of their own, which cancels the velocity change that the contact
/// impulse `p` would make along their rows: `M Δv = Jᵀp + Bᵀλ` with `B v⁺ = 0`. They hold from the first instant: of a start
/// velocity that breaks a bilateral row, `v` above is what the joints make of it with the least impulse, which λ includes.
/// Redundant rows are normal input: λ is then the impulse of least norm.
///
/// ```
/// use carom::system::{Generalized, MassMatrix};
/// use carom::{ContactSpec, Material};
///
/// // Two carts of 1 and 2 kg, coupled by a rod; the first runs into a wall on its right, at 3 m/s.
/// let system = Generalized::new(
///     MassMatrix::Diagonal(vec![1.0, 2.0]),
///     vec![3.0, 3.0],
///     vec![-1.0, 0.0],
///     vec![ContactSpec::new(1, Material::new(0.0, 0.5)?)],
/// )?
/// .with_bilateral(vec![1.0, -1.0])?;
/// assert!((system.problem().delassus_at(0, 0) - 1.0 / 3.0).abs() < 1e-15);
///
/// let after = system.after(&[13.5])?;
/// assert!((after.velocity[1] + 1.5).abs() < 1e-14);
/// # Ok::<(), carom::ImpactError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generalized {
    mass: Mass,
    velocity: Vec<f64>,
    jacobian: SparseRows,
    bilateral: Bilateral,
    /// How the joints take hold of `velocity`.
    correction: JointCorrection,
    /// Which bilateral rows belong together.
    joints: Vec<JointShape>,
    problem: ContactProblem,
    /// How far all this can be from what the caller described.
    inexact: Inexact,
}

/// A mechanism as it is given, for whoever does not trust what was made of it.
pub(super) struct Parts<'a> {
    pub(super) mass: &'a Mass,
    pub(super) velocity: &'a [f64],
    pub(super) jacobian: &'a SparseRows,
    pub(super) bilateral: &'a Bilateral,
    pub(super) drive: &'a [f64],
    /// Whether joints had to be made to hold.
    pub(super) joints_broken: bool,
    pub(super) inexact: &'a Inexact,
}

/// Generalized velocities after an impact, and how well they keep the laws of mechanics.
#[derive(Clone, Debug, PartialEq)]
pub struct Aftermath {
    /// `v⁺` [m/s or rad/s, one per coordinate].
    pub velocity: Vec<f64>,
    /// The joints' impulse λ, one per bilateral row; of least norm if rows are redundant [N·s or N·m·s].
    pub bilateral_impulse: Vec<f64>,
    /// `½ (v⁺ − v⁻)·M(v⁻ + v⁺)`, the change of kinetic energy \[J\].
    pub kinetic_energy_change: f64,
    /// `‖M(v⁺ − v⁻) − Jᵀp − Bᵀλ‖ / max(‖M v⁻‖, ‖Jᵀp‖, ‖Bᵀλ‖)`, lengths taken in the metric of `M⁻¹` so that
    /// momenta of any unit compare; zero if nothing moves \[1\].
    pub momentum_residual: f64,
    /// The largest `|B v⁺|`, prescribed motion of the joints included [m/s or rad/s].
    pub bilateral_residual: f64,
}

/// Bilateral rows and how they are divided into joints.
pub(super) struct Joints {
    pub(super) rows: Rows,
    pub(super) groups: Vec<JointShape>,
}

impl Joints {
    /// No joints, over `size` coordinates.
    pub(super) fn none(size: usize) -> Self {
        Self { rows: Rows::new(size), groups: Vec::new() }
    }
}

/// What an impulse does, before it is added to the velocities.
pub(super) struct Change {
    pub(super) velocity: Vec<f64>,
    bilateral_impulse: Vec<f64>,
    kinetic_energy: f64,
}

impl Generalized {
    /// A mechanism from `M`, `v`, `J` (R·f numbers, row by row, contact by contact, normal first) and its contacts.
    pub fn new(
        mass: MassMatrix,
        velocity: Vec<f64>,
        jacobian: Vec<f64>,
        contacts: Vec<ContactSpec>,
    ) -> Result<Self, ImpactError> {
        let rows = contacts.iter().fold(0_usize, |sum, contact| sum.saturating_add(contact.rows));
        let jacobian = split_rows("jacobian", &jacobian, rows, velocity.len())?;
        let jacobian = Rows::undriven(jacobian);
        let joints = Joints::none(velocity.len());
        Self::from_rows(mass, velocity, contacts, jacobian, joints)
    }

    /// Like [`Generalized::new`], with `J` by its entries `(row, column, value)`; several at one place add up.
    pub fn from_triplets(
        mass: MassMatrix,
        velocity: Vec<f64>,
        jacobian: &[(usize, usize, f64)],
        contacts: Vec<ContactSpec>,
    ) -> Result<Self, ImpactError> {
        let rows = contacts.iter().fold(0_usize, |sum, contact| sum.saturating_add(contact.rows));
        let jacobian = gather_rows("jacobian", jacobian, rows, velocity.len())?;
        let joints = Joints::none(velocity.len());
        Self::from_rows(mass, velocity, contacts, Rows::undriven(jacobian), joints)
    }

    /// Like [`Generalized::new`], with rows that know their nonzero entries and prescribed motion, and with joints.
    pub(super) fn from_rows(
        mass: MassMatrix,
        velocity: Vec<f64>,
        contacts: Vec<ContactSpec>,
        jacobian: Rows,
        joints: Joints,
    ) -> Result<Self, ImpactError> {
        if velocity.is_empty() {
            return Err(ImpactError::bad_problem(
                "velocity",
                "[]",
                "there must be at least one coordinate",
            ));
        }
        check_finite("velocity", &velocity)?;
        let mass = Mass::new(mass, velocity.len())?;
        let bilateral = Bilateral::new(joints.rows, &mass, velocity.len())?;
        let correction = bilateral.correction(&velocity, &mass);
        let held = corrected_velocity(&velocity, &correction, &mass);
        let Rows { rows, drive } = jacobian;
        let groups = joints.groups;
        let problem = contact_problem(&mass, &held, &rows, &bilateral, &groups, &contacts, &drive)?;
        let inexact = Inexact::default();
        Ok(Self {
            mass,
            velocity,
            jacobian: rows,
            bilateral,
            correction,
            joints: groups,
            problem,
            inexact,
        })
    }

    /// The same mechanism, knowing how far its numbers can be from what the caller described.
    pub(super) fn with_inexact(self, inexact: Inexact) -> Self {
        Self { inexact, ..self }
    }

    /// What it was made of.
    pub(super) fn parts(&self) -> Parts<'_> {
        Parts {
            mass: &self.mass,
            velocity: &self.velocity,
            jacobian: &self.jacobian,
            bilateral: &self.bilateral,
            drive: self.problem.drive(),
            joints_broken: self.correction.change.iter().any(|x| *x != 0.0),
            inexact: &self.inexact,
        }
    }

    /// The same mechanism with bilateral rows `B` (b·f numbers, row by row) in place of those it had.
    pub fn with_bilateral(mut self, rows: Vec<f64>) -> Result<Self, ImpactError> {
        let size = self.velocity.len();
        let count = rows.len() / size;
        if count * size != rows.len() {
            return Err(ImpactError::bad_problem(
                "bilateral",
                format!("{} numbers", rows.len()),
                format!("must be whole rows of {size} coordinates"),
            ));
        }
        let rows = split_rows("bilateral", &rows, count, size)?;
        self.bilateral = Bilateral::new(Rows::undriven(rows), &self.mass, size)?;
        self.correction = self.bilateral.correction(&self.velocity, &self.mass);
        // By default they are one joint.
        self.joints = if count == 0 { vec![] } else { vec![JointShape { lines: count, axes: 0 }] };
        let drive = self.problem.drive().to_vec();
        self.with_drive(drive)
    }

    /// The same mechanism, its bilateral rows divided into joints of so many rows each. It matters only to laws that
    /// let joints collide one by one.
    pub fn with_bilateral_groups(mut self, rows: &[usize]) -> Result<Self, ImpactError> {
        let total = rows.iter().fold(0_usize, |sum, rows| sum.saturating_add(*rows));
        if total != self.bilateral.len() {
            return Err(ImpactError::bad_problem(
                "bilateral_groups",
                format!("{rows:?}"),
                format!(
                    "they own {total} rows together and `bilateral` has {}",
                    self.bilateral.len()
                ),
            ));
        }
        self.joints = rows.iter().map(|&lines| JointShape { lines, axes: 0 }).collect();
        let drive = self.problem.drive().to_vec();
        self.with_drive(drive)
    }

    /// The same mechanism with prescribed motion: `u⁻ = J v + drive`, one number per contact row [m/s].
    pub fn with_drive(mut self, drive: Vec<f64>) -> Result<Self, ImpactError> {
        let (separating, proximity) = (self.problem.separating(), self.problem.proximity());
        self.problem = contact_problem(
            &self.mass,
            &corrected_velocity(&self.velocity, &self.correction, &self.mass),
            &self.jacobian,
            &self.bilateral,
            &self.joints,
            self.problem.contacts(),
            &drive,
        )?;
        self.with_proximity(proximity)?.with_separating(separating)
    }

    /// The same mechanism with another treatment of contacts that separate.
    pub fn with_separating(mut self, separating: Separating) -> Result<Self, ImpactError> {
        self.problem = self.problem.with_separating(separating)?;
        Ok(self)
    }

    /// The same mechanism in which contacts with a larger gap take no part \[m\].
    pub fn with_proximity(mut self, proximity: f64) -> Result<Self, ImpactError> {
        self.problem = self.problem.with_proximity(proximity)?;
        Ok(self)
    }

    /// The mechanism as its contacts see it: `W` with the bilateral rows folded in, and `u⁻ = J v + drive`.
    pub fn problem(&self) -> &ContactProblem {
        &self.problem
    }

    /// The velocities after an impulse at the contacts (R numbers, contact by contact, normal first [N·s]).
    pub fn after(&self, impulse: &[f64]) -> Result<Aftermath, ImpactError> {
        let change = self.change(impulse)?;
        self.aftermath(impulse, change)
    }

    pub(super) fn change(&self, impulse: &[f64]) -> Result<Change, ImpactError> {
        let why = "one per contact row";
        check_len("impulse", impulse.len(), self.jacobian.len(), why)?;
        check_finite("impulse", impulse)?;
        let mut given = self.contact_momentum(impulse);
        self.mass.weigh(&mut given);
        let mut left = given.clone();
        self.bilateral.project(&mut left, &self.mass);
        left.iter_mut().zip(&self.correction.change).for_each(|(y, taken)| *y += taken);
        let mut bilateral_impulse = self.bilateral.impulse(&given, &self.mass);
        bilateral_impulse
            .iter_mut()
            .zip(&self.correction.impulse)
            .for_each(|(l, first)| *l += first);
        let mut start = self.mass.momentum(&self.velocity);
        self.mass.weigh(&mut start);
        Ok(Change {
            velocity: self.mass.velocity(&left),
            bilateral_impulse,
            // ½ Δv·M(v⁻ + v⁺) = Δv·M v⁻ + ½ Δv·M Δv: never the difference of two energies.
            kinetic_energy: self.mass.inner(&left, &start) + 0.5 * self.mass.inner(&left, &left),
        })
    }

    pub(super) fn aftermath(
        &self,
        impulse: &[f64],
        change: Change,
    ) -> Result<Aftermath, ImpactError> {
        let velocity: Vec<f64> =
            self.velocity.iter().zip(&change.velocity).map(|(v, dv)| v + dv).collect();
        let aftermath = Aftermath {
            momentum_residual: self.momentum_residual(
                impulse,
                &velocity,
                &change.bilateral_impulse,
            ),
            bilateral_residual: self.bilateral.residual(&velocity),
            velocity,
            bilateral_impulse: change.bilateral_impulse,
            kinetic_energy_change: change.kinetic_energy,
        };
        if aftermath.is_finite() {
            Ok(aftermath)
        } else {
            Err(ImpactError::Limit(
                "the velocities after the impact are too large for a double".into(),
            ))
        }
    }

    /// `Jᵀ p`.
    fn contact_momentum(&self, impulse: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.velocity.len()];
        for (row, &p) in self.jacobian.rows().zip(impulse) {
            row.add_to(&mut x, p);
        }
        x
    }

    fn momentum_residual(&self, impulse: &[f64], after: &[f64], lambda: &[f64]) -> f64 {
        let length = |mut x: Vec<f64>| {
            self.mass.weigh(&mut x);
            self.mass.norm(&x)
        };
        let contacts = self.contact_momentum(impulse);
        let mut joints = vec![0.0; after.len()];
        self.bilateral.add_momentum(lambda, &mut joints);
        let change: Vec<f64> = after.iter().zip(&self.velocity).map(|(b, a)| b - a).collect();
        let mut missing = self.mass.momentum(&change);
        for (i, x) in missing.iter_mut().enumerate() {
            *x -= contacts[i] + joints[i];
        }
        let start = self.mass.momentum(&self.velocity);
        let scale = length(start).max(length(contacts)).max(length(joints));
        let missing = length(missing);
        if missing == 0.0 { 0.0 } else { missing / scale }
    }
}

impl Aftermath {
    fn is_finite(&self) -> bool {
        let numbers = [self.kinetic_energy_change, self.momentum_residual, self.bilateral_residual];
        let lists = [&self.velocity[..], &self.bilateral_impulse, &numbers];
        lists.into_iter().flatten().all(|x| x.is_finite())
    }
}

/// The rows of a matrix that is given row by row.
fn split_rows(
    field: &str,
    entries: &[f64],
    rows: usize,
    columns: usize,
) -> Result<SparseRows, ImpactError> {
    let why = format!("{rows} rows of {columns} coordinates");
    check_len(field, entries.len(), rows.saturating_mul(columns), &why)?;
    check_finite_rows(field, entries, columns)?;
    let mut sparse = SparseRows::new(columns);
    for i in 0..rows {
        sparse.push_dense(&entries[i * columns..][..columns]);
    }
    Ok(sparse)
}

/// The rows of a matrix that is given by its entries.
fn gather_rows(
    field: &str,
    entries: &[(usize, usize, f64)],
    rows: usize,
    columns: usize,
) -> Result<SparseRows, ImpactError> {
    for (k, &(row, column, value)) in entries.iter().enumerate() {
        let refuse = |part: &str, value: String, reason: String| {
            Err(ImpactError::bad_problem(format!("{field}.{part}[{k}]"), value, reason))
        };
        if row >= rows {
            return refuse("rows", row.to_string(), format!("must be below {rows}"));
        }
        if column >= columns {
            return refuse("cols", column.to_string(), format!("must be below {columns}"));
        }
        if !value.is_finite() {
            return refuse("values", value.to_string(), "must be a finite number".into());
        }
    }
    let mut sorted: Vec<_> = entries.to_vec();
    sorted.sort_by_key(|&(row, ..)| row);
    let mut sparse = SparseRows::with_capacity(columns, rows, entries.len());
    let mut rest = sorted.as_slice();
    for row in 0..rows {
        let (own, others) = rest.split_at(rest.partition_point(|&(r, ..)| r == row));
        let mut own: Vec<(usize, f64)> = own.iter().map(|&(_, c, x)| (c, x)).collect();
        sparse.push(&mut own);
        rest = others;
    }
    Ok(sparse)
}

/// The velocity before the impact once the joints hold.
fn corrected_velocity(velocity: &[f64], correction: &JointCorrection, mass: &Mass) -> Vec<f64> {
    let change = mass.velocity(&correction.change);
    velocity.iter().zip(change).map(|(v, change)| v + change).collect()
}

/// What projection leaves of an entry that joints take away, relative to the length of its row \[1\].
const NOISE: f64 = 16.0 * f64::EPSILON;

/// `W` and `u⁻`. `W` is a Gram matrix of projected rows: symmetric and positive semidefinite by construction.
fn contact_problem(
    mass: &Mass,
    velocity: &[f64],
    jacobian: &SparseRows,
    bilateral: &Bilateral,
    joints: &[JointShape],
    contacts: &[ContactSpec],
    drive: &[f64],
) -> Result<ContactProblem, ImpactError> {
    check_len("drive", drive.len(), jacobian.len(), "one per contact row")?;
    check_finite("drive", drive)?;
    let mut projected =
        SparseRows::with_capacity(velocity.len(), jacobian.len(), jacobian.entries());
    for row in jacobian.rows() {
        if mass.is_diagonal() && !row.iter().any(|(c, _)| bilateral.holds(c)) {
            projected.push_row(row);
            continue;
        }
        let mut y = row.to_dense(velocity.len());
        mass.weigh(&mut y);
        let free = mass.norm(&y);
        bilateral.project(&mut y, mass);
        // Rounding noise is all that is left of a row that the joints hold: such a contact cannot yield.
        if mass.norm(&y) <= Tolerances::NOMINAL.residual * free {
            y.fill(0.0);
        }
        // And of an entry: it would couple contacts that a held body keeps apart.
        for (c, (y, m)) in y.iter_mut().zip(mass.pivots()).enumerate() {
            if bilateral.holds(c) && y.abs() <= NOISE * free * f64::sqrt(*m) {
                *y = 0.0;
            }
        }
        projected.push_dense(&y);
    }
    let u = jacobian.rows().zip(drive).map(|(row, w)| row.dot(velocity) + w).collect();
    let gram = Gram { rows: projected, mass: mass.pivots().to_vec() };
    check_matrix(&gram)?;
    let joint_rows = (!joints.is_empty())
        .then(|| Arc::new(unfolded(mass, velocity.len(), jacobian, bilateral, joints)));
    ContactProblem::from_gram(gram, u, contacts.to_vec(), joint_rows)?.with_drive(drive)
}

/// Refuses contact rows and masses whose matrix would overflow.
fn check_matrix(gram: &Gram) -> Result<(), ImpactError> {
    match (0..gram.rows.len()).find(|&i| !gram.at(i, i).is_finite()) {
        Some(i) => Err(ImpactError::Limit(format!(
            "row {i} of the contacts and the masses behind it are too far apart in size for doubles"
        ))),
        None => Ok(()),
    }
}

/// Contacts and joints side by side.
fn unfolded(
    mass: &Mass,
    size: usize,
    jacobian: &SparseRows,
    bilateral: &Bilateral,
    joints: &[JointShape],
) -> JointRows {
    let mut rows = SparseRows::new(size);
    for row in jacobian.rows().chain(bilateral.joints().rows.rows()) {
        if mass.is_diagonal() {
            rows.push_row(row);
        } else {
            let mut y = row.to_dense(size);
            mass.weigh(&mut y);
            rows.push_dense(&y);
        }
    }
    JointRows { gram: Gram { rows, mass: mass.pivots().to_vec() }, joints: joints.to_vec() }
}

#[cfg(test)]
mod tests;
