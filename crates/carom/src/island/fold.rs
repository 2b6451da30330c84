//! Contacts that hold both ways, folded into those that only push.

use crate::contact::{ContactKind, ContactProblem, Operator};
use crate::numerics::factor::Factor;
use crate::numerics::largest;
use crate::numerics::least_norm::least_norm_equality;
use crate::{ImpactError, Tolerances};
use nalgebra::{DMatrix, DVector};

/// Bilateral contacts beside more rows than this are refused: folding them in fills `W`.
const MAX_FOLDED_ROWS: usize = 2000;

/// How bilateral contacts answer the others: `p_b = held − response p`.
pub(crate) struct Fold {
    rows: Vec<usize>,
    held: Vec<f64>,
    response: DMatrix<f64>,
}

impl Fold {
    /// Sets the impulses of the bilateral rows, given those of the others, among the impulses of all.
    pub(crate) fn answer(&self, others: &[f64], impulse: &mut [f64]) {
        for (i, &row) in self.rows.iter().enumerate() {
            let answered: f64 =
                others.iter().enumerate().map(|(j, p)| self.response[(i, j)] * p).sum();
            impulse[row] = self.held[i] - answered;
        }
    }
}

/// The smallest `z` that brings `W z` as near to `b` as it comes; directions in which `W` is less than `rank` of its
/// largest are none.
fn nearest(w: &DMatrix<f64>, b: &[f64], rank: f64) -> Vec<f64> {
    let scale = if w.is_empty() { 0.0 } else { w.amax() };
    if scale == 0.0 {
        return vec![0.0; b.len()];
    }
    let eigen = (w / scale).symmetric_eigen();
    let mut along = eigen.eigenvectors.tr_mul(&DVector::from_column_slice(b));
    let largest = eigen.eigenvalues.amax();
    for (x, value) in along.iter_mut().zip(eigen.eigenvalues.iter()) {
        *x = if *value > rank * largest { *x / value / scale } else { 0.0 };
    }
    (eigen.eigenvectors * along).as_slice().to_vec()
}

/// A difference of matrices without what rounding left of directions that are none in it: less than `rank` of what was
/// there before.
fn without_rounding(
    matrix: DMatrix<f64>,
    w: &Operator,
    normals: &[usize],
    rank: f64,
) -> DMatrix<f64> {
    let before = normals.iter().map(|&row| w.at(row, row)).fold(0.0, f64::max);
    if before == 0.0 {
        return matrix;
    }
    let eigen = (&matrix / before).symmetric_eigen();
    let count = normals.len() as f64;
    let nothing = |value: &f64| *value <= rank * count;
    if !eigen.eigenvalues.iter().any(&nothing) {
        return matrix;
    }
    let kept = eigen.eigenvalues.map(|value| if nothing(&value) { 0.0 } else { value * before });
    let vectors = &eigen.eigenvectors;
    let mut clean = vectors * DMatrix::from_diagonal(&kept) * vectors.transpose();
    clean.fill_lower_triangle_with_upper_triangle();
    clean
}

/// `W` and `u` of some rows of unilateral contacts, every row of the bilateral contacts held at zero velocity.
pub(crate) fn folded(
    source: &ContactProblem,
    normals: &[usize],
    tolerances: &Tolerances,
) -> Result<(Operator, Vec<f64>, Fold), ImpactError> {
    if source.rows() > MAX_FOLDED_ROWS {
        return Err(ImpactError::Limit(format!(
            "bilateral contacts among more than {MAX_FOLDED_ROWS} rows ({}): make them joints",
            source.rows()
        )));
    }
    let bilateral = |k: &usize| source.contacts()[*k].kind == ContactKind::Bilateral;
    let rows: Vec<usize> =
        (0..source.len()).filter(bilateral).flat_map(|k| source.row_range(k)).collect();
    let w = source.delassus();
    let block = w.full_block(&rows)?;
    let factor = Factor::new(&block, tolerances.rank);
    // The smallest impulse that gives the bilateral rows a velocity; where rounding alone makes them contradict each
    // other, as where it is all that couples a row to them, the one that comes nearest.
    let answer = |velocity: &[f64]| {
        least_norm_equality(&block, &factor, velocity, tolerances.class)
            .unwrap_or_else(|_| nearest(&block, velocity, tolerances.rank))
    };
    let cross = DMatrix::from_fn(rows.len(), normals.len(), |i, j| w.at(rows[i], normals[j]));
    let mut response = DMatrix::zeros(rows.len(), normals.len());
    for (mut column, crossing) in response.column_iter_mut().zip(cross.column_iter()) {
        column.copy_from_slice(&answer(crossing.as_slice()));
    }
    let approach: Vec<f64> = rows.iter().map(|&row| -source.velocity()[row]).collect();
    let held = answer(&approach);
    let speed = largest(source.velocity());
    for (i, &row) in rows.iter().enumerate() {
        let parts = || held.iter().enumerate().map(|(j, p)| block[(i, j)] * p);
        let (reached, terms): (f64, f64) = (parts().sum(), parts().map(f64::abs).sum());
        if (reached - approach[i]).abs() > tolerances.class * speed + tolerances.rank * terms {
            return Err(ImpactError::bad_problem(
                format!("contact_velocity[{row}]"),
                source.velocity()[row],
                "bilateral rows contradict each other: no motion stops them all",
            ));
        }
    }
    let mut matrix = w.full_block(normals)? - cross.tr_mul(&response);
    // Symmetric in exact arithmetic.
    for i in 0..normals.len() {
        for j in 0..i {
            let mean = 0.5 * (matrix[(i, j)] + matrix[(j, i)]);
            matrix[(i, j)] = mean;
            matrix[(j, i)] = mean;
        }
    }
    let mut matrix = without_rounding(matrix, w, normals, tolerances.rank);
    // Nor is a row one that the others hold.
    for i in 0..normals.len() {
        if matrix[(i, i)] <= tolerances.rank * w.at(normals[i], normals[i]) {
            matrix.row_mut(i).fill(0.0);
            matrix.column_mut(i).fill(0.0);
        }
    }
    let u = normals
        .iter()
        .enumerate()
        .map(|(j, &row)| {
            let pulled: f64 = held.iter().enumerate().map(|(i, p)| cross[(i, j)] * p).sum();
            let u = source.velocity()[row] + pulled;
            // Rounding neither approaches nor separates, least of all where nothing yields.
            if u.abs() <= tolerances.approach * speed { 0.0 } else { u }
        })
        .collect();
    Ok((Operator::Dense(matrix), u, Fold { rows, held, response }))
}
