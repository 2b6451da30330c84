//! The colliders of a sequence, contacts and joints, and their common matrix.

use super::pairwise::Block;
use super::ties::{Ties, perturbation};
use crate::contact::{ContactKind, ContactProblem, JointRows, JointShape, Operator, connected};
use crate::numerics::sparse::{SparseRow, SparseRows};
use crate::{ImpactError, Material, Tolerances};
use nalgebra::{DMatrix, DVector};
use std::borrow::Cow;
use std::ops::Range;

/// Colliders that are coupled, directly or through others.
pub(crate) struct ColliderSet<'a> {
    /// The matrix of all rows [1/kg].
    pub(crate) w: Cow<'a, Operator>,
    /// The nonzero entries of a matrix that is stored in full.
    sparse: Option<SparseRows>,
    /// Velocities before [m/s].
    pub(crate) start: Vec<f64>,
    /// Contacts before joints, each kind in the order in which ties are resolved.
    pub(crate) colliders: Vec<Collider>,
    /// The collider that each row belongs to.
    pub(crate) owner: Vec<u32>,
    /// The row of each collider whose approach is its key, or [`HOLDS`]; apart from `colliders` for the cache.
    normals: Vec<u32>,
    /// The largest speed of a contact before, by which zero is measured [m/s].
    pub(crate) speed: f64,
}

/// In place of a row: the collider holds both ways.
const HOLDS: u32 = u32::MAX;

/// A contact or a joint that collides.
pub(crate) struct Collider {
    pub(crate) origin: Origin,
    pub(crate) rows: Range<usize>,
    pub(crate) role: Role,
}

/// Where a collider comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A contact of the problem.
    Contact(usize),
    /// One of its joints.
    Joint(usize),
}

/// How a collider collides.
pub(crate) enum Role {
    /// It rebounds by the pairwise law.
    Rebounds { block: Block, material: Material },
    /// It holds both ways: a plastic impact that leaves its rows at rest.
    Holds {
        /// The inverse of its block of `W`, on its range.
        inverse: DMatrix<f64>,
        /// The square of a length by which rotations become speeds, and how many rows are translations.
        lever: f64,
        lines: usize,
    },
}

impl<'a> ColliderSet<'a> {
    /// The contacts of a problem, its joints intact.
    pub(crate) fn of_contacts(
        problem: &'a ContactProblem,
        ties: Ties,
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        let w = Cow::Borrowed(problem.delassus());
        let colliders = contacts(problem, &w, ties, tolerances)?;
        Ok(Self::new(w, problem.velocity().to_vec(), colliders))
    }

    /// The contacts of a problem and its joints, the bodies separate; one set for each connected part.
    pub(crate) fn with_joints(
        problem: &ContactProblem,
        joints: &JointRows,
        ties: Ties,
        tolerances: &Tolerances,
    ) -> Result<Vec<ColliderSet<'static>>, ImpactError> {
        let w = Operator::from_gram(joints.gram.clone());
        let mut colliders = contacts(problem, &w, ties, tolerances)?;
        let mut first = problem.rows();
        for (k, joint) in joints.joints.iter().enumerate() {
            let rows = first..first + joint.lines + joint.axes;
            first = rows.end;
            let role = holds(&w, rows.clone(), *joint, tolerances)?;
            colliders.push(Collider { origin: Origin::Joint(k), rows, role });
        }
        // Joints oppose only what the impact adds: velocities before count as allowed.
        let mut start = problem.velocity().to_vec();
        start.resize(first, 0.0);
        Ok(ColliderSet::new(Cow::Owned(w), start, colliders).split())
    }

    pub(crate) fn new(w: Cow<'a, Operator>, start: Vec<f64>, colliders: Vec<Collider>) -> Self {
        let mut owner = vec![0; start.len()];
        for (k, collider) in colliders.iter().enumerate() {
            owner[collider.rows.clone()].fill(k as u32);
        }
        let speed = colliders
            .iter()
            .filter(|collider| matches!(collider.origin, Origin::Contact(_)))
            .map(|collider| norm(&start[collider.rows.clone()]))
            .fold(0.0, f64::max);
        let sparse = match w.as_ref() {
            Operator::Dense(w) => {
                let mut rows = SparseRows::new(w.ncols());
                w.column_iter().for_each(|column| rows.push_dense(column.as_slice()));
                Some(rows)
            }
            _ => None,
        };
        let normal = |collider: &Collider| match collider.role {
            Role::Rebounds { .. } => collider.rows.start as u32,
            Role::Holds { .. } => HOLDS,
        };
        let normals = colliders.iter().map(normal).collect();
        Self { w, sparse, start, colliders, owner, normals, speed }
    }

    /// Calls `take(j, w)` with parts of the entries of row `i` of `W`; the parts at one `j` add up to `W_ij`.
    pub(crate) fn for_row(&self, i: usize, mut take: impl FnMut(usize, f64)) {
        match &self.sparse {
            Some(rows) => rows.row(i).iter().for_each(|(j, w)| take(j, w)),
            None => self.w.for_row(i, take),
        }
    }

    /// The parts that are not coupled.
    fn split(self) -> Vec<ColliderSet<'static>> {
        let groups = connected(&self.w, &self.owner, self.colliders.len());
        let mut colliders: Vec<Option<Collider>> = self.colliders.into_iter().map(Some).collect();
        let mut members = |group: Vec<usize>| -> Vec<Collider> {
            group.into_iter().filter_map(|k| colliders[k].take()).collect()
        };
        let contact = |colliders: &Vec<Collider>| {
            colliders.iter().any(|collider| matches!(collider.origin, Origin::Contact(_)))
        };
        let part = |mut colliders: Vec<Collider>| {
            let rows: Vec<usize> =
                colliders.iter().flat_map(|collider| collider.rows.clone()).collect();
            let mut first = 0;
            for collider in &mut colliders {
                collider.rows = first..first + collider.rows.len();
                first = collider.rows.end;
            }
            let start = rows.iter().map(|&i| self.start[i]).collect();
            ColliderSet::new(Cow::Owned(self.w.select(&rows)), start, colliders)
        };
        groups.into_iter().map(&mut members).filter(contact).map(part).collect()
    }

    /// Row `i` of `W` by its nonzero entries, each once, where they are stored.
    pub(crate) fn sparse_row(&self, i: usize) -> Option<SparseRow<'_>> {
        match (&self.sparse, self.w.as_ref()) {
            (Some(rows), _) | (None, Operator::Sparse { entries: rows, .. }) => Some(rows.row(i)),
            _ => None,
        }
    }

    /// Whether every collider is a contact of one row that stands in the order of the rows.
    pub(crate) fn is_plain(&self) -> bool {
        let in_order = self.normals.iter().enumerate().all(|(k, &row)| row as usize == k);
        in_order && self.normals.len() == self.start.len()
    }

    /// The speed that orders colliders: that of approach, or of what a joint forbids [m/s].
    pub(crate) fn key(&self, collider: usize, u: &[f64]) -> f64 {
        match self.normals[collider] {
            HOLDS => self.colliders[collider].forbidden_speed(u),
            row => -u[row as usize],
        }
    }
}

impl Collider {
    /// The speed of what it forbids [m/s].
    fn forbidden_speed(&self, u: &[f64]) -> f64 {
        let Role::Holds { lever, lines, .. } = &self.role else { return 0.0 };
        // [ChatterjeeRuina1998] section 6.5: joints are contacts that hold both ways.
        let (along, about) = u[self.rows.clone()].split_at(*lines);
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        f64::sqrt(square(along) + lever * square(about))
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |norm, x| libm::hypot(norm, *x))
}

fn contacts(
    problem: &ContactProblem,
    w: &Operator,
    ties: Ties,
    tolerances: &Tolerances,
) -> Result<Vec<Collider>, ImpactError> {
    let mut order: Vec<usize> = (0..problem.len()).collect();
    if ties == Ties::Perturb {
        order.sort_by(|a, b| perturbation(*b).total_cmp(&perturbation(*a)));
    }
    let collider = |k: usize| {
        let (rows, spec) = (problem.row_range(k), &problem.contacts()[k]);
        let role = match spec.kind {
            ContactKind::Unilateral => Role::Rebounds {
                block: Block::new(w, rows.clone())
                    .map_err(|e| e.within(&format!("contacts[{k}]")))?,
                material: spec.material,
            },
            ContactKind::Bilateral => {
                holds(w, rows.clone(), JointShape { lines: rows.len(), axes: 0 }, tolerances)?
            }
        };
        Ok(Collider { origin: Origin::Contact(k), rows, role })
    };
    order.into_iter().map(collider).collect()
}

/// The role of a joint with these rows.
fn holds(
    w: &Operator,
    rows: Range<usize>,
    joint: JointShape,
    tolerances: &Tolerances,
) -> Result<Role, ImpactError> {
    let indices: Vec<usize> = rows.collect();
    let block = w.dense_block(&indices);
    let mean = |range: Range<usize>| {
        range.clone().map(|i| block[(i, i)]).sum::<f64>() / range.len().max(1) as f64
    };
    let (along, about) = (mean(0..joint.lines), mean(joint.lines..indices.len()));
    let lever = if along > 0.0 && about > 0.0 { along / about } else { 1.0 };
    // Scaled to unit diagonal, so that metres and radians count alike.
    let unit = |i: usize| match block[(i, i)] > 0.0 {
        true => 1.0 / f64::sqrt(block[(i, i)]),
        false => 0.0,
    };
    let scale = DVector::from_iterator(indices.len(), (0..indices.len()).map(unit));
    let scale = DMatrix::from_diagonal(&scale);
    let inverse = (&scale * &block * &scale)
        .pseudo_inverse(tolerances.rank.max(indices.len() as f64 * f64::EPSILON))
        .map_err(|reason| ImpactError::Limit(reason.into()))?;
    Ok(Role::Holds { inverse: &scale * inverse * &scale, lever, lines: joint.lines })
}
