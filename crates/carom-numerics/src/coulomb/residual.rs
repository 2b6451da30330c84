//! How far an impulse is from solving a block, as a velocity: the natural map.

use super::problem::{Block, Kind, Triple};
use super::response::{cone, disc};

/// `|F|/ρ` of one block with `ρ = 1/stiffness`; zero exactly where the block is solved.
///
/// For cones `F` compares `p_n` with the projection of `p_n − ρ ξ_n` on the half line and `p_t` with that of `p_t − ρ
/// ξ_t` on the disc. The projection of `p − ρ(ξ + μ|ξ_t| n)` on the cone, which vanishes with it, says less where `μ`
/// is large: there `p = 0` seems to solve everything up to `1/μ`.
pub fn residual(block: &Block, stiffness: f64, p: Triple, xi: Triple) -> f64 {
    let pi = p.map(|p| stiffness * p);
    match block.kind {
        Kind::Cone { mu, lower } => {
            let least = stiffness * lower;
            let reach = length(pi[1], pi[2]);
            if mu.is_infinite() && pi[0] <= 0.0 && reach > 0.0 {
                // Infinitely rough, it may slide without pressing as long as it touches.
                return norm_with(length(pi[0], xi[0]), friction(pi, xi, reach));
            }
            let normal = pi[0] - (pi[0] - xi[0]).max(least);
            norm_with(normal, friction(pi, xi, disc(mu, pi[0])))
        }
        Kind::Disc { normal, mu } => {
            let off = pi[0] - stiffness * normal;
            norm_with(off, friction(pi, xi, disc(mu, stiffness * normal)))
        }
        Kind::Ray { tangent } => {
            let off = |k: usize| if k < block.rows { pi[k] - tangent[k - 1] * pi[0] } else { 0.0 };
            norm([pi[0] - (pi[0] - xi[0]).max(0.0), off(1), off(2)])
        }
        Kind::Relaxed { mu, lower } => {
            let moved = std::array::from_fn(|k| pi[k] - xi[k]);
            let (near, _) = cone(block, mu, stiffness * lower).nearest(block.rows, moved);
            norm(std::array::from_fn(|k| pi[k] - near[k]))
        }
        Kind::Push { impulse } => norm(
            [0, 1, 2].map(|k| if k < block.rows { pi[k] - stiffness * impulse[k] } else { 0.0 }),
        ),
    }
}

/// The tangential part: how far `p_t` is from the projection of `p_t − ρ ξ_t` on the disc.
fn friction(pi: Triple, xi: Triple, radius: f64) -> [f64; 2] {
    let moved = [pi[1] - xi[1], pi[2] - xi[2]];
    let near = project_on_disc(moved, radius);
    [pi[1] - near[0], pi[2] - near[1]]
}

fn norm_with(normal: f64, [a, b]: [f64; 2]) -> f64 {
    norm([normal, a, b])
}

/// `√(a² + b²)`, quicker than with care for numbers whose squares overflow.
pub fn length(a: f64, b: f64) -> f64 {
    f64::sqrt(a * a + b * b)
}

pub fn norm(x: Triple) -> f64 {
    f64::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
}

/// The nearest point of a disc.
pub fn project_on_disc(x: [f64; 2], radius: f64) -> [f64; 2] {
    let extent = length(x[0], x[1]);
    if extent <= radius { x } else { x.map(|x| x * (radius / extent)) }
}

/// The nearest point of `{|x_t| ≤ μ x_n, x_n ≥ least}`, `μ` finite.
pub fn project_on_cone(x: Triple, mu: f64, least: f64) -> Triple {
    let extent = length(x[1], x[2]);
    let near = if extent <= mu * x[0] {
        x
    } else if mu * extent <= -x[0] {
        [0.0; 3]
    } else {
        let normal = (x[0] + mu * extent) / (1.0 + mu * mu);
        let factor = mu * normal / extent;
        [normal, factor * x[1], factor * x[2]]
    };
    if near[0] >= least {
        return near;
    }
    let [a, b] = project_on_disc([x[1], x[2]], mu * least);
    [least, a, b]
}
