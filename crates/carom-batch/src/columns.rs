//! What goes in: N impacts of one shape, as borrowed slices.

use carom::system::{Generalized, MassMatrix};
use carom::{ContactProblem, ContactSpec, ImpactError, Material, Restitution};
use carom_io::format::AnySystem;

/// The names of the columns that say what impacts, in NumPy's arrays as in record batches.
pub const OF_PROBLEM: [&str; 10] = [
    "delassus",
    "contact_velocity",
    "mass",
    "jacobian",
    "velocity",
    "bilateral",
    "drive",
    "mu",
    "e",
    "e_t",
];

/// The sizes that all impacts of a batch have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many impacts there are: N \[1\].
    pub count: usize,
    /// The rows that each contact owns: 1, 2 or 3, one number per contact \[1\].
    pub contacts: Vec<usize>,
    /// The rows of all contacts together: R \[1\].
    pub rows: usize,
    /// How many generalized coordinates there are; absent in contact space \[1\].
    pub coordinates: Option<usize>,
}

/// Mass matrices, one per impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MassColumn<'a> {
    /// f numbers each [kg, kg·m²].
    Diagonal(&'a [f64]),
    /// f·f numbers each, row by row [kg, kg·m, kg·m²].
    Full(&'a [f64]),
}

/// What moves, impact by impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mechanism<'a> {
    /// Contacts, and nothing behind them.
    ContactSpace {
        /// `W`, R·R numbers each, row by row [1/kg].
        delassus: &'a [f64],
        /// `u⁻`, R numbers each, contact by contact, normal first [m/s].
        contact_velocity: &'a [f64],
    },
    /// The same for one contact in space each, component by component: a slice for each, one number per impact.
    Components {
        /// `W`, its entries row by row [1/kg].
        delassus: [&'a [f64]; 9],
        /// `u⁻`: n, t1, t2 [m/s].
        contact_velocity: [&'a [f64]; 3],
    },
    /// Mechanisms in f generalized coordinates.
    Generalized {
        /// f \[1\].
        coordinates: usize,
        /// `M`.
        mass: MassColumn<'a>,
        /// `J`, R·f numbers each, row by row.
        jacobian: &'a [f64],
        /// `v⁻`, f numbers each [m/s or rad/s].
        velocity: &'a [f64],
        /// `B`, b·f numbers each, row by row; the same b for all.
        bilateral: Option<&'a [f64]>,
        /// Prescribed motion, R numbers each [m/s].
        drive: Option<&'a [f64]>,
    },
}

/// A number of each contact of each impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameter<'a> {
    /// The same everywhere.
    Common(f64),
    /// One per impact, the same at all of its contacts.
    PerImpact(&'a [f64]),
    /// One per contact of each impact.
    PerContact(&'a [f64]),
}

impl Parameter<'_> {
    /// The number of contact `k` of impact `i`, of `contacts` each.
    pub(crate) fn at(&self, i: usize, k: usize, contacts: usize) -> f64 {
        match self {
            Self::Common(x) => *x,
            Self::PerImpact(x) => x[i],
            Self::PerContact(x) => x[i * contacts + k],
        }
    }

    fn check(&self, name: &str, shape: &Shape) -> Result<(), ImpactError> {
        match self {
            Self::Common(_) => Ok(()),
            Self::PerImpact(x) => check_length(name, x.len(), shape.count, &[1]),
            Self::PerContact(x) => {
                check_length(name, x.len(), shape.count, &[shape.contacts.len()])
            }
        }
    }
}

/// N impacts of one shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns<'a> {
    shape: Shape,
    pub(crate) mechanism: Mechanism<'a>,
    pub(crate) mu: Parameter<'a>,
    pub(crate) e: Parameter<'a>,
    pub(crate) e_t: Parameter<'a>,
    /// Bilateral rows per impact \[1\].
    bilateral_rows: usize,
}

impl<'a> Columns<'a> {
    /// `count` impacts whose contacts own so many rows each; then what moves, and `mu`, `e`, `e_t`. Only the lengths are
    /// looked at here: what is wrong with a row's numbers becomes that row's error.
    pub fn new(
        count: usize,
        contacts: Vec<usize>,
        mechanism: Mechanism<'a>,
        [mu, e, e_t]: [Parameter<'a>; 3],
    ) -> Result<Self, ImpactError> {
        if contacts.is_empty() {
            let reason = "there must be at least one contact";
            return Err(ImpactError::bad_problem("rows", "[]", reason));
        }
        if let Some(k) = contacts.iter().position(|rows| !(1..=3).contains(rows)) {
            let field = format!("rows[{k}]");
            return Err(ImpactError::bad_problem(field, contacts[k], "must be 1, 2 or 3"));
        }
        let rows = contacts.iter().sum();
        let mut bilateral_rows = 0;
        let coordinates = match mechanism {
            Mechanism::ContactSpace { delassus, contact_velocity } => {
                check_length("contact_velocity", contact_velocity.len(), count, &[rows])?;
                check_length("delassus", delassus.len(), count, &[rows, rows])?;
                None
            }
            Mechanism::Components { delassus, contact_velocity } => {
                if contacts != [3] {
                    let reason = "components are those of one contact in space";
                    return Err(ImpactError::bad_problem("rows", format!("{contacts:?}"), reason));
                }
                for u in contact_velocity {
                    check_length("contact_velocity", u.len(), count, &[1])?;
                }
                for w in delassus {
                    check_length("delassus", w.len(), count, &[1])?;
                }
                None
            }
            Mechanism::Generalized {
                coordinates: f,
                mass,
                jacobian,
                velocity,
                bilateral,
                drive,
            } => {
                check_length("velocity", velocity.len(), count, &[f])?;
                match mass {
                    MassColumn::Diagonal(mass) => check_length("mass", mass.len(), count, &[f])?,
                    MassColumn::Full(mass) => check_length("mass", mass.len(), count, &[f, f])?,
                }
                check_length("jacobian", jacobian.len(), count, &[rows, f])?;
                if let Some(bilateral) = bilateral {
                    let each = count.saturating_mul(f).max(1);
                    bilateral_rows = bilateral.len() / each;
                    check_length("bilateral", bilateral.len(), count, &[bilateral_rows, f])?;
                }
                if let Some(drive) = drive {
                    check_length("drive", drive.len(), count, &[rows])?;
                }
                Some(f)
            }
        };
        let shape = Shape { count, contacts, rows, coordinates };
        for (name, parameter) in [("mu", &mu), ("e", &e), ("e_t", &e_t)] {
            parameter.check(name, &shape)?;
        }
        Ok(Self { shape, mechanism, mu, e, e_t, bilateral_rows })
    }

    /// The sizes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The contacts of impact `i`. Their numbers are not checked here.
    pub(crate) fn contacts(&self, i: usize) -> Vec<ContactSpec> {
        (0..self.shape.contacts.len())
            .map(|k| ContactSpec::new(self.shape.contacts[k], self.material(i, k)))
            .collect()
    }

    pub(crate) fn material(&self, i: usize, k: usize) -> Material {
        let contacts = self.shape.contacts.len();
        Material {
            mu: self.mu.at(i, k, contacts),
            restitution: Restitution::Constant(self.e.at(i, k, contacts)),
            e_t: self.e_t.at(i, k, contacts),
            ..Material::default()
        }
    }

    /// Impact `i`, checked in full.
    pub fn system(&self, i: usize) -> Result<AnySystem, ImpactError> {
        let rows = self.shape.rows;
        match self.mechanism {
            Mechanism::ContactSpace { delassus, contact_velocity } => {
                let problem = ContactProblem::new(
                    part(delassus, i, rows * rows),
                    part(contact_velocity, i, rows),
                    &self.contacts(i),
                )?;
                Ok(AnySystem::ContactSpace(problem))
            }
            Mechanism::Components { delassus, contact_velocity } => {
                let (w, u) = (delassus.map(|w| w[i]), contact_velocity.map(|u| u[i]));
                Ok(AnySystem::ContactSpace(ContactProblem::new(&w, &u, &self.contacts(i))?))
            }
            Mechanism::Generalized {
                coordinates: f,
                mass,
                jacobian,
                velocity,
                bilateral,
                drive,
            } => {
                let mass = match mass {
                    MassColumn::Diagonal(mass) => MassMatrix::Diagonal(part(mass, i, f).to_vec()),
                    MassColumn::Full(mass) => MassMatrix::Dense(part(mass, i, f * f).to_vec()),
                };
                let velocity = part(velocity, i, f).to_vec();
                let jacobian = part(jacobian, i, rows * f).to_vec();
                let mut system = Generalized::new(mass, velocity, jacobian, self.contacts(i))?;
                if let Some(bilateral) = bilateral.filter(|_| self.bilateral_rows > 0) {
                    let size = self.bilateral_rows * f;
                    system = system.with_bilateral(part(bilateral, i, size).to_vec())?;
                }
                if let Some(drive) = drive {
                    system = system.with_drive(part(drive, i, rows).to_vec())?;
                }
                Ok(AnySystem::Generalized(system))
            }
        }
    }
}

/// The numbers of impact `i`, `size` each.
pub(crate) fn part(column: &[f64], i: usize, size: usize) -> &[f64] {
    &column[i * size..][..size]
}

/// How many rows each contact owns, as far as that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ContactRows {
    /// Not given: [`contact_rows`] infers it.
    #[default]
    Unsaid,
    /// The same for all.
    Common(usize),
    /// One by one.
    Each(Vec<usize>),
}

/// What tells how many rows each contact owns, where nobody says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowHints {
    /// How many contacts have materials of their own.
    pub materials: Option<usize>,
    /// Whether there is friction or tangential restitution: then no contact is a normal alone.
    pub tangents: bool,
    /// Whether the law takes one contact only.
    pub one_contact: bool,
}

impl ContactRows {
    /// The rows of each contact, of so many in all.
    pub fn of(&self, rows: usize, hints: RowHints) -> Result<Vec<usize>, ImpactError> {
        let contacts = match self {
            Self::Each(each) => each.clone(),
            Self::Common(each) => vec![*each; rows.checked_div(*each).unwrap_or(0)],
            Self::Unsaid => contact_rows(rows, hints)?,
        };
        match contacts.iter().sum::<usize>() {
            owned if owned == rows => Ok(contacts),
            owned => {
                let reason = format!("the contacts own {owned} together");
                Err(ImpactError::bad_problem("rows", rows, reason))
            }
        }
    }
}

/// How many rows each contact owns, if that is not given: as many contacts as there are materials given, with equal shares
/// of the rows; otherwise the one way to divide them into contacts of 1, 2 or 3 rows that the hints leave. Where they leave
/// two, nobody can tell two normals from one contact in the plane: that is refused.
pub fn contact_rows(rows: usize, hints: RowHints) -> Result<Vec<usize>, ImpactError> {
    let refuse = |reason: String| Err(ImpactError::bad_problem("rows", rows, reason));
    if let Some(k) = hints.materials {
        let each = rows.checked_div(k).unwrap_or(0);
        return match k * each == rows && (1..=3).contains(&each) {
            true => Ok(vec![each; k]),
            false => refuse(format!("do not fall to {k} contacts in equal shares of 1, 2 or 3")),
        };
    }
    match hints.one_contact {
        true if (1..=3).contains(&rows) => return Ok(vec![rows]),
        // However they are divided, the law refuses several contacts in its own words.
        true if rows > 3 => return Ok(vec![1; rows]),
        _ => {}
    }
    let fewest = if hints.tangents { 2 } else { 1 };
    let readings: Vec<usize> =
        (fewest..=3).filter(|each| rows > 0 && rows.is_multiple_of(*each)).collect();
    match readings[..] {
        [each] => Ok(vec![each; rows / each]),
        // One row is a normal, whatever friction is said to be.
        [] if rows == 1 => Ok(vec![1]),
        [] => {
            refuse("do not fall to contacts of equal size; say how many each contact owns".into())
        }
        _ => {
            let spelled: Vec<String> = readings.iter().map(|each| reading(rows, *each)).collect();
            refuse(format!(
                "may be {}; say which by `rows`, or give `mu` or `e` for each contact",
                spelled.join(" or ")
            ))
        }
    }
}

/// One way to divide rows.
fn reading(rows: usize, each: usize) -> String {
    let contacts = match rows / each {
        1 => "1 contact".to_owned(),
        n => format!("{n} contacts"),
    };
    let parts = ["a normal alone", "normal and tangent", "normal and two tangents"];
    format!("{contacts} of {} ({})", each, parts.get(each - 1).unwrap_or(&""))
}

fn check_length(
    name: &str,
    length: usize,
    count: usize,
    sizes: &[usize],
) -> Result<(), ImpactError> {
    let wanted = sizes.iter().try_fold(count, |product, size| product.checked_mul(*size));
    if wanted == Some(length) {
        return Ok(());
    }
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    let reason = format!("{count} impacts of {} numbers each are wanted", sizes.join(" × "));
    Err(ImpactError::bad_problem(name, format!("{length} numbers"), reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: RowHints = RowHints { materials: None, tangents: false, one_contact: false };

    fn refused(rows: usize, hints: RowHints) -> String {
        contact_rows(rows, hints).unwrap_err().to_string()
    }

    #[test]
    fn rows_that_can_be_read_in_two_ways_are_refused_with_both() {
        let two = refused(2, NOTHING);
        assert!(two.contains("2 contacts of 1 (a normal alone) or 1 contact of 2"), "{two}");
        assert!(two.contains("`rows`"), "{two}");
        assert!(refused(3, NOTHING).contains("3 contacts of 1"));
        assert!(refused(6, RowHints { tangents: true, ..NOTHING }).contains("3 contacts of 2"));
    }

    #[test]
    fn one_reading_is_taken() {
        let tangents = RowHints { tangents: true, ..NOTHING };
        assert_eq!(contact_rows(1, NOTHING), Ok(vec![1]));
        assert_eq!(contact_rows(1, tangents), Ok(vec![1]));
        assert_eq!(contact_rows(2, tangents), Ok(vec![2]));
        assert_eq!(contact_rows(3, tangents), Ok(vec![3]));
        assert_eq!(contact_rows(4, tangents), Ok(vec![2, 2]));
        assert_eq!(contact_rows(9, tangents), Ok(vec![3, 3, 3]));
        assert_eq!(contact_rows(5, NOTHING), Ok(vec![1; 5]));
        assert!(refused(5, tangents).contains("do not fall"));
        assert!(refused(0, NOTHING).contains("do not fall"));
        assert_eq!(contact_rows(2, RowHints { materials: Some(2), ..tangents }), Ok(vec![1, 1]));
        assert!(refused(3, RowHints { materials: Some(2), ..NOTHING }).contains("2 contacts"));
        assert!(refused(3, RowHints { materials: Some(0), ..NOTHING }).contains("0 contacts"));
        assert_eq!(contact_rows(3, RowHints { one_contact: true, ..NOTHING }), Ok(vec![3]));
    }
}
