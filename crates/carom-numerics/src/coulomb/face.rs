//! Where impulses may lie once the velocities are known: a convex set for each block, and the nearest point of it.

use super::problem::{Block, Kind, Triple};
use super::residual::{length, project_on_cone, project_on_disc};
use super::response::{Slope, disc};

/// The impulses of one block that go with its velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Face {
    /// One impulse only.
    Point(Triple),
    /// `λ (1, tangent)` with `λ ≥ least`: it slides.
    Ray { direction: Triple, least: f64 },
    /// `|p_t| ≤ mu p_n`, `p_n ≥ least`: it sticks.
    Cone { mu: f64, least: f64 },
    /// `p_n` given, `|p_t| ≤ radius`: it sticks.
    Disc { normal: f64, radius: f64 },
}

/// The face of a block with velocity `xi`, of which less than `zero` is rounding, and one impulse of that face.
pub fn face(block: &Block, stiffness: f64, p: Triple, xi: Triple, zero: f64) -> Face {
    let slip = length(xi[1], xi[2]);
    // Both show the direction of friction; the larger one shows it better.
    let reach = length(p[1], p[2]);
    let s = match stiffness * reach > slip {
        true => [p[1] / reach, p[2] / reach],
        false => [-xi[1] / slip, -xi[2] / slip],
    };
    let against = |radius: f64| [radius * s[0], radius * s[1]];
    let slides = block.rows > 1 && slip > zero;
    match block.kind {
        Kind::Cone { mu, lower } if block.rows == 1 || mu == 0.0 => match xi[0] > zero {
            true => Face::Point([lower, 0.0, 0.0]),
            false => Face::Ray { direction: [1.0, 0.0, 0.0], least: lower },
        },
        Kind::Cone { mu, lower } => match (xi[0] > zero, slides) {
            (true, false) => Face::Disc { normal: lower, radius: disc(mu, lower) },
            (false, false) => Face::Cone { mu, least: lower },
            (true, true) => {
                let [a, b] = against(disc(mu, lower));
                Face::Point([lower, a, b])
            }
            // What slides in spite of infinite friction does not press.
            (false, true) if mu.is_infinite() => Face::Point([lower, 0.0, 0.0]),
            (false, true) => {
                let [a, b] = against(mu);
                Face::Ray { direction: [1.0, a, b], least: lower }
            }
        },
        Kind::Disc { normal, mu } => {
            let radius = disc(mu, normal);
            match slides && radius.is_finite() {
                true => {
                    let [a, b] = against(radius);
                    Face::Point([normal, a, b])
                }
                false => Face::Disc { normal, radius },
            }
        }
        Kind::Ray { tangent: [a, b] } => match xi[0] > zero {
            true => Face::Point([0.0; 3]),
            false => Face::Ray { direction: [1.0, a, b], least: 0.0 },
        },
        Kind::Relaxed { mu, lower } if block.rows == 1 || mu == 0.0 => match xi[0] > zero {
            true => Face::Point([lower, 0.0, 0.0]),
            false => Face::Ray { direction: [1.0, 0.0, 0.0], least: lower },
        },
        Kind::Relaxed { mu, lower } => match (xi[0] <= mu * slip + zero, slides) {
            (true, false) => Face::Cone { mu, least: lower },
            (false, false) => Face::Disc { normal: lower, radius: disc(mu, lower) },
            (true, true) if mu.is_finite() => {
                let [a, b] = against(mu);
                Face::Ray { direction: [1.0, a, b], least: lower }
            }
            (_, true) => {
                let [a, b] = against(disc(mu, lower));
                Face::Point([lower, a, b])
            }
        },
        Kind::Push { impulse } => Face::Point(impulse),
    }
}

impl Face {
    /// The nearest point of the face, and how it follows `x`: a symmetric matrix between 0 and 1.
    pub fn nearest(&self, rows: usize, x: Triple) -> (Triple, Slope) {
        let mut slope = Slope::default();
        let point = match *self {
            Face::Point(p) => p,
            Face::Ray { direction: d, least } => {
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                let along = (x[0] * d[0] + x[1] * d[1] + x[2] * d[2]) / square;
                // At its tip a ray yields still, or no step would lead away from there.
                if along >= least {
                    slope = d.map(|a| d.map(|b| a * b / square));
                }
                d.map(|d| along.max(least) * d)
            }
            Face::Cone { mu, least } if mu.is_infinite() => {
                slope = Self::identity(rows);
                slope[0][0] = if x[0] > least { 1.0 } else { 0.0 };
                [x[0].max(least), x[1], x[2]]
            }
            Face::Cone { mu, least } => {
                let p = project_on_cone(x, mu, least);
                if p == x {
                    slope = Self::identity(rows);
                } else if p[0] > least {
                    let extent = length(x[1], x[2]);
                    let s = [x[1] / extent, x[2] / extent];
                    let edge = [1.0, mu * s[0], mu * s[1]];
                    slope = edge.map(|a| edge.map(|b| a * b / (1.0 + mu * mu)));
                    if rows == 3 {
                        add_turning(&mut slope, s, mu * p[0] / extent);
                    }
                } else {
                    slope = disc_slope(rows, x, mu * least);
                }
                p
            }
            Face::Disc { normal, radius } => {
                slope = disc_slope(rows, x, radius);
                let [a, b] = project_on_disc([x[1], x[2]], radius);
                [normal, a, b]
            }
        };
        (point, slope)
    }

    /// The directions in which an impulse may move within the face, at most `rows`.
    pub fn directions(&self, rows: usize) -> impl Iterator<Item = Triple> + use<> {
        let (ray, axes) = match *self {
            Face::Ray { direction, .. } => (Some(direction), 0..0),
            _ => (None, self.axes(rows)),
        };
        ray.into_iter().chain(axes.map(unit))
    }

    /// The directions in which the block holds its velocity: one that slides only the normal.
    pub fn held(&self, rows: usize) -> impl Iterator<Item = Triple> + use<> {
        self.axes(rows).map(unit)
    }

    fn axes(&self, rows: usize) -> std::ops::Range<usize> {
        match *self {
            Face::Point(_) => 0..0,
            Face::Ray { .. } => 0..1,
            Face::Cone { .. } => 0..rows,
            Face::Disc { radius, .. } => 1..if radius > 0.0 { rows } else { 1 },
        }
    }

    /// The part of `x` along the face.
    pub fn along(&self, x: Triple) -> Triple {
        match *self {
            Face::Point(_) => [0.0; 3],
            Face::Ray { direction: d, .. } => {
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                let along = (x[0] * d[0] + x[1] * d[1] + x[2] * d[2]) / square;
                d.map(|d| along * d)
            }
            Face::Disc { .. } => [0.0, x[1], x[2]],
            Face::Cone { .. } => x,
        }
    }

    fn identity(rows: usize) -> Slope {
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j && i < rows { 1.0 } else { 0.0 }))
    }
}

fn unit(k: usize) -> Triple {
    std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 })
}

fn disc_slope(rows: usize, x: Triple, radius: f64) -> Slope {
    let mut slope = Slope::default();
    let extent = length(x[1], x[2]);
    if extent <= radius {
        slope[1][1] = if rows > 1 { 1.0 } else { 0.0 };
        slope[2][2] = if rows > 2 { 1.0 } else { 0.0 };
    } else if rows == 3 {
        add_turning(&mut slope, [x[1] / extent, x[2] / extent], radius / extent);
    }
    slope
}

/// Adds `factor (1 − s sᵀ)` to the tangential part.
pub fn add_turning(slope: &mut Slope, s: [f64; 2], factor: f64) {
    slope[1][1] += factor * (1.0 - s[0] * s[0]);
    slope[1][2] -= factor * s[0] * s[1];
    slope[2][1] -= factor * s[0] * s[1];
    slope[2][2] += factor * (1.0 - s[1] * s[1]);
}
