//! Contacts whose mechanism keeps its configuration: nothing but the gaps changes.
//!
//! All that such a collision needs is `W` and `u⁻`. With `W = L Lᵀ` of rank r the motion has r velocities of unit mass and
//! the Jacobian `L`; impulses are those of the mechanism behind it.

use super::linear::Cholesky;
use super::mechanism::{ContactGeometry, MassShape, Mechanism, Size};
use carom::{ContactProblem, ImpactError};

/// No problem with more rows is followed \[1\]: matrices of this size are factored in every stiff step.
const MOST_ROWS: usize = 512;

/// A contact problem whose `W` does not change while gaps open and close.
#[derive(Clone, Debug)]
pub struct Frozen {
    size: Size,
    /// First row of each contact.
    first: Vec<usize>,
    gap: Vec<f64>,
    /// `L`, row by row.
    root: Vec<f64>,
    velocity: Vec<f64>,
    /// The part of `u⁻` that no motion of the mechanism has.
    drive: Vec<f64>,
}

impl Frozen {
    /// The contacts of a problem, at the gaps that it gives.
    pub fn new(problem: &ContactProblem) -> Result<Self, ImpactError> {
        let rows = problem.rows();
        if rows > MOST_ROWS {
            return Err(ImpactError::Limit(format!(
                "a compliant run follows up to {MOST_ROWS} rows and this problem has {rows}"
            )));
        }
        let matrix: Vec<f64> =
            (0..rows * rows).map(|k| problem.delassus_at(k / rows, k % rows)).collect();
        let mut cholesky = Cholesky::default();
        cholesky.factor(&matrix, rows);
        let rank = cholesky.rank();
        let root = cholesky.root();
        let velocity = cholesky.forward(problem.velocity());
        let reached = |i: usize| dot(&root[i * rank..][..rank], &velocity);
        let drive = problem.velocity().iter().enumerate().map(|(i, u)| u - reached(i)).collect();
        let contacts = problem.contacts();
        Ok(Self {
            size: Size {
                coordinates: contacts.len(),
                velocities: rank,
                contacts: contacts.iter().map(|contact| contact.rows).collect(),
                joints: 0,
            },
            first: (0..contacts.len()).map(|k| problem.row_range(k).start).collect(),
            gap: contacts.iter().map(|contact| contact.gap).collect(),
            drive,
            root,
            velocity,
        })
    }

    fn row(&self, i: usize) -> &[f64] {
        let rank = self.size.velocities;
        &self.root[i * rank..][..rank]
    }
}

impl Mechanism for Frozen {
    fn size(&self) -> Size {
        self.size.clone()
    }

    fn mass_shape(&self) -> MassShape {
        MassShape::Diagonal
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>) {
        (vec![0.0; self.gap.len()], self.velocity.clone())
    }

    fn rates(&self, _q: &[f64], v: &[f64], rates: &mut [f64]) {
        for (rate, first) in rates.iter_mut().zip(&self.first) {
            *rate = dot(self.row(*first), v) + self.drive[*first];
        }
    }

    fn mass(&self, _q: &[f64], mass: &mut [f64]) {
        mass.fill(1.0);
    }

    fn force(&self, _q: &[f64], _v: &[f64], force: &mut [f64]) {
        force.fill(0.0);
    }

    fn contacts(&self, q: &[f64], geometry: &mut ContactGeometry) {
        for ((gap, start), change) in geometry.gap.iter_mut().zip(&self.gap).zip(q) {
            *gap = start + change;
        }
        geometry.jacobian.copy_from_slice(&self.root);
        geometry.drive.copy_from_slice(&self.drive);
    }

    fn gap_slope(&self, _q: &[f64], slope: &mut [f64]) {
        slope.fill(0.0);
        for entry in slope.iter_mut().step_by(self.gap.len() + 1) {
            *entry = 1.0;
        }
    }

    fn is_frozen(&self) -> bool {
        true
    }

    fn rate_scale(&self, v: &[f64], scale: &mut [f64]) {
        for (scale, first) in scale.iter_mut().zip(&self.first) {
            *scale = self.row(*first).iter().zip(v).map(|(l, v)| (l * v).abs()).sum();
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
