//! A block behind a spring: the impulse that solves its own problem with `ξ = x + κ p`, and how it follows `x`.

use super::face::{Face, add_turning};
use super::problem::{Block, Kind, Triple};
use super::residual::project_on_disc;

/// The matrix `−d(κp)/dx` of one block, row by row.
pub type Slope = [Triple; 3];

/// `κ p` and its slope. The spring makes both unique: a normal that presses gives way by as much as it is pressed, and
/// so does friction until it slides.
pub fn respond(block: &Block, stiffness: f64, x: Triple) -> (Triple, Slope) {
    let mut slope = [[0.0; 3]; 3];
    let (normal, yields, mu) = match block.kind {
        Kind::Cone { mu, lower } => {
            let least = stiffness * lower;
            if -x[0] > least { (-x[0], 1.0, mu) } else { (least, 0.0, mu) }
        }
        Kind::Disc { normal, mu } => (stiffness * normal, 0.0, mu),
        Kind::Ray { tangent } => {
            let (normal, yields) = if x[0] < 0.0 { (-x[0], 1.0) } else { (0.0, 0.0) };
            slope[0][0] = yields;
            slope[1][0] = yields * tangent[0];
            slope[2][0] = yields * tangent[1];
            return ([normal, normal * tangent[0], normal * tangent[1]], slope);
        }
        Kind::Relaxed { mu, lower } => {
            return cone(block, mu, stiffness * lower).nearest(block.rows, x.map(|x| -x));
        }
        Kind::Push { impulse } => return (impulse.map(|p| stiffness * p), slope),
    };
    slope[0][0] = yields;
    let radius = disc(mu, normal);
    let length = f64::sqrt(x[1] * x[1] + x[2] * x[2]);
    if block.rows == 1 || radius == 0.0 {
        return ([normal, 0.0, 0.0], slope);
    }
    if length <= radius {
        slope[1][1] = 1.0;
        slope[2][2] = if block.rows == 3 { 1.0 } else { 0.0 };
        return ([normal, -x[1], -x[2]], slope);
    }
    let s = [x[1] / length, x[2] / length];
    slope[1][0] = -mu * yields * s[0];
    slope[2][0] = -mu * yields * s[1];
    if block.rows == 3 {
        add_turning(&mut slope, s, radius / length);
    }
    ([normal, -radius * s[0], -radius * s[1]], slope)
}

/// The impulse moved to where its block admits it: the normal first, friction scaled to the disc.
pub fn admitted(block: &Block, p: Triple) -> Triple {
    let (normal, mu) = match block.kind {
        Kind::Cone { mu, lower } => (p[0].max(lower), mu),
        Kind::Disc { normal, mu } => (normal, mu),
        Kind::Ray { tangent } => {
            let normal = p[0].max(0.0);
            return [normal, normal * tangent[0], normal * tangent[1]];
        }
        Kind::Relaxed { mu, lower } => return cone(block, mu, lower).nearest(block.rows, p).0,
        Kind::Push { impulse } => return impulse,
    };
    let [a, b] = project_on_disc([p[1], p[2]], disc(mu, normal));
    [normal, a, b]
}

/// The cone of a relaxed block.
pub fn cone(block: &Block, mu: f64, least: f64) -> Face {
    match mu == 0.0 || block.rows == 1 {
        true => Face::Ray { direction: [1.0, 0.0, 0.0], least },
        false => Face::Cone { mu, least },
    }
}

/// The radius of the disc of friction. What does not press has none, however rough it is.
pub fn disc(mu: f64, normal: f64) -> f64 {
    if normal > 0.0 { mu * normal } else { 0.0 }
}
