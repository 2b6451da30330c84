//! Self-stress: impulses within the friction cones that press bodies against each other and move nothing, `Lᵀp = 0`.
//!
//! Contacts that hold a body so may have to rebound where no motion does: with `Σ e p_n u_n⁻ < 0` over such a `p`
//! there may be no solution.

use super::contacts::{ActiveContacts, Surface};
use crate::numerics::{dot, largest, nnls};
use nalgebra::DMatrix;

/// Edges by which a round cone is replaced; those lie inside, so whatever is found with them is real.
const EDGES: usize = 16;

/// What least squares leave of the equations, relative to the rebound, below which they hold.
const BALANCED: f64 = 1e-6;

/// The active of a squared length that counts as nothing where ranks are decided.
const RANK: f64 = 1e-13;

/// Problems with more edges in all are not tried.
const MAX_COLUMNS: usize = 1000;

/// Whether contacts that are to rebound carry self-stress.
pub(crate) fn is_carried(active: &ActiveContacts) -> bool {
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let speed = largest(&active.velocity);
    for surface in &active.surfaces {
        let rows = surface.first..surface.first + surface.rows;
        let size =
            f64::sqrt(dot(active.factor.row(surface.first), active.factor.row(surface.first)));
        if size == 0.0 || speed == 0.0 {
            continue;
        }
        // The rebound that restitution demands, per impulse that changes velocities by one.
        let asked = surface.e * (-active.velocity[surface.first]).max(0.0) / speed;
        for edge in edges(surface) {
            let mut column = vec![0.0; active.factor.rank + 1];
            for (i, p) in rows.clone().zip(edge) {
                column.iter_mut().zip(active.factor.row(i)).for_each(|(x, l)| *x += p * l / size);
            }
            column[active.factor.rank] = edge[0] * asked;
            columns.push(column);
        }
    }
    if columns.is_empty() || columns.len() > MAX_COLUMNS {
        return false;
    }
    let matrix = DMatrix::from_fn(active.factor.rank + 1, columns.len(), |i, j| columns[j][i]);
    let mut wanted = vec![0.0; active.factor.rank + 1];
    wanted[active.factor.rank] = 1.0;
    let Ok(answer) = nnls::solve(&matrix, &wanted, RANK) else { return false };
    let left = |i: usize| {
        let sum: f64 = answer.z.iter().enumerate().map(|(j, x)| matrix[(i, j)] * x).sum();
        (sum - wanted[i]).abs()
    };
    (0..wanted.len()).all(|i| left(i) <= BALANCED)
}

/// Directions that span the cone of a contact, or lie evenly on it.
fn edges(surface: &Surface) -> Vec<[f64; 3]> {
    let mu = surface.mu;
    match surface.rows {
        _ if mu == 0.0 => vec![[1.0, 0.0, 0.0]],
        2 if mu.is_infinite() => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]],
        2 => vec![[1.0, mu, 0.0], [1.0, -mu, 0.0]],
        _ => {
            let (normal, reach) = if mu.is_infinite() { (0.0, 1.0) } else { (1.0, mu) };
            let edge = |k: usize| {
                let angle = std::f64::consts::TAU * k as f64 / EDGES as f64;
                let (sin, cos) = libm::sincos(angle);
                [normal, reach * cos, reach * sin]
            };
            let mut all: Vec<[f64; 3]> = (0..EDGES).map(edge).collect();
            all.push([1.0, 0.0, 0.0]);
            all
        }
    }
}
