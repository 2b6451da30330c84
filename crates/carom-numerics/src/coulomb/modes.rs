//! The last resort in the plane: every combination of ways in which blocks can touch, slide or stick.
//!
//! In each the blocks' impulses are constants and combinations of generators with coefficients of one sign, and their
//! velocities are zero or of one sign: a linear system in variables `x ≥ 0`, solvable exactly if its least squares are
//! zero. If no combination is, the problem has no solution.

use super::problem::{Block, Kind, Problem, Scales};
use super::tolerances::*;
use crate::basis::Basis;
use crate::dot;
use crate::nnls;
use nalgebra::DMatrix;

/// The condition on one velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Any,
    Zero,
    Positive,
    Negative,
}

/// One way of one block: `p = start + Σ x_j generators_j`, and the sum of the `x_j` that is bounded.
#[derive(Clone, Copy, Debug)]
struct Mode {
    start: [f64; 2],
    generators: [Option<[f64; 2]>; 4],
    signs: [Sign; 2],
    sum: Sum,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sum {
    Free,
    AtLeast(f64),
    AtMost(f64),
}

impl Mode {
    const fn new(start: [f64; 2], signs: [Sign; 2]) -> Self {
        Self { start, generators: [None; 4], signs, sum: Sum::Free }
    }

    fn along<const N: usize>(mut self, generators: [[f64; 2]; N]) -> Self {
        for (to, g) in self.generators.iter_mut().zip(generators) {
            *to = Some(g);
        }
        self
    }

    fn variables(&self) -> usize {
        let slack =
            self.signs.iter().filter(|s| matches!(s, Sign::Positive | Sign::Negative)).count();
        self.generators.iter().flatten().count() + slack + usize::from(self.sum != Sum::Free)
    }

    fn equations(&self) -> usize {
        self.signs.iter().filter(|s| **s != Sign::Any).count() + usize::from(self.sum != Sum::Free)
    }
}

/// The ways of one block, or `None` if they are not finitely many.
fn modes(block: &Block) -> Option<Vec<Mode>> {
    use Sign::{Any, Negative, Positive, Zero};
    let flat = block.rows == 1;
    Some(match block.kind {
        Kind::Push { impulse: [n, t, _] } if block.rows < 3 => vec![Mode::new([n, t], [Any; 2])],
        Kind::Ray { tangent: [t, _] } if block.rows < 3 => vec![
            Mode::new([0.0; 2], [Positive, Any]),
            Mode::new([0.0; 2], [Zero, Any]).along([[1.0, if flat { 0.0 } else { t }]]),
        ],
        Kind::Disc { normal, mu } if block.rows < 3 && mu.is_finite() => {
            held(normal, mu, [Any; 2], flat)
        }
        Kind::Cone { mu, lower } if flat || (mu == 0.0 && block.rows < 3) => vec![
            Mode::new([lower, 0.0], [Positive, Any]),
            Mode::new([lower, 0.0], [Zero, Any]).along([[1.0, 0.0]]),
        ],
        Kind::Cone { mu, lower } if block.rows == 2 && mu.is_finite() => {
            let mut all = held(lower, mu, [Positive, Any], false);
            let edge = |s: f64| {
                Mode::new(
                    [lower, s * mu * lower],
                    [Zero, if s < 0.0 { Positive } else { Negative }],
                )
                .along([[1.0, s * mu]])
            };
            all.extend([edge(-1.0), edge(1.0)]);
            let mut stick = Mode::new([0.0; 2], [Zero; 2]).along([[1.0, mu], [1.0, -mu]]);
            if lower > 0.0 {
                stick.sum = Sum::AtLeast(lower);
            }
            all.push(stick);
            all
        }
        Kind::Cone { mu, lower } if block.rows == 2 && lower == 0.0 && mu.is_infinite() => vec![
            Mode::new([0.0; 2], [Positive, Any]),
            Mode::new([0.0; 2], [Zero; 2]).along([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]),
        ],
        _ => return None,
    })
}

/// A normal impulse that is given, and friction in its disc.
fn held(normal: f64, mu: f64, [sign, _]: [Sign; 2], flat: bool) -> Vec<Mode> {
    use Sign::{Any, Negative, Positive, Zero};
    let radius = mu * normal;
    if flat || radius <= 0.0 {
        return vec![Mode::new([normal, 0.0], [sign, Any])];
    }
    let mut stick = Mode::new([normal, -radius], [sign, Zero]).along([[0.0, 1.0]]);
    stick.sum = Sum::AtMost(2.0 * radius);
    vec![
        Mode::new([normal, -radius], [sign, Positive]),
        Mode::new([normal, radius], [sign, Negative]),
        stick,
    ]
}

/// The result of the enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enumerated {
    /// No combination has a solution.
    None,
    /// Some may have one, but none was good enough.
    Unsure,
    /// One was accepted.
    Found,
}

/// Tries all combinations; `accept` is given the impulse of each that may be a solution. `None` if the problem is not
/// planar or too large.
pub fn enumerate(
    problem: &Problem,
    scales: &Scales,
    mut accept: impl FnMut(&[f64]) -> bool,
) -> Option<Enumerated> {
    let ways: Vec<Vec<Mode>> = problem.blocks.iter().map(modes).collect::<Option<_>>()?;
    let count = ways
        .iter()
        .try_fold(1_usize, |n, w| n.checked_mul(w.len()).filter(|n| *n <= MOST_MODES))?;
    let sure = well_conditioned(problem, scales);
    let mut said = if sure { Enumerated::None } else { Enumerated::Unsure };
    let mut impulse = vec![0.0; problem.offset.len()];
    for index in 0..count {
        let mut left = index;
        let chosen: Vec<Mode> = ways
            .iter()
            .map(|w| {
                let mode = w[left % w.len()];
                left /= w.len();
                mode
            })
            .collect();
        let left = solve_mode(problem, scales, &chosen, &mut impulse);
        if left <= MODE_NEAR && accept(&impulse) {
            return Some(Enumerated::Found);
        }
        if left.is_nan() || left <= MODE_APART {
            said = Enumerated::Unsure;
        }
    }
    Some(said)
}

/// Whether the columns of `L`, in units of each block, are far from dependent or exactly so: least squares square the
/// condition, and only then can they tell that there is no solution.
fn well_conditioned(problem: &Problem, scales: &Scales) -> bool {
    let mut basis = Basis::default();
    basis.reset(problem.offset.len());
    let [mut column, mut coefficients, mut rest] = [const { Vec::new() }; 3];
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for k in 0..problem.freedoms {
        column.clear();
        for (b, block) in problem.blocks.iter().enumerate() {
            let rows = scales.rows(b, block);
            column.extend(rows.map(|i| problem.row(i)[k] / f64::sqrt(scales.stiffness[b])));
        }
        let size = dot(&column, &column);
        let new = basis.split(&column, &mut coefficients, &mut rest);
        most = most.max(size);
        if new > MODE_RANK * size {
            least = least.min(new);
            basis.push(&coefficients, &rest);
        }
    }
    least >= CONDITION * most
}

/// The impulse of one combination by least squares, and the largest velocity they leave, relative to the problem's
/// speed; NaN if they were not found. Impulses count in units of `1/W_nn` of their block.
fn solve_mode(problem: &Problem, scales: &Scales, modes: &[Mode], impulse: &mut [f64]) -> f64 {
    let rows: usize = modes.iter().map(Mode::equations).sum();
    let columns: usize = modes.iter().map(Mode::variables).sum();
    if rows == 0 || columns == 0 {
        write_impulse(problem, scales, modes, &[], impulse);
        return if rows == 0 { 0.0 } else { f64::NAN };
    }
    let mut matrix = DMatrix::zeros(rows, columns);
    let mut right = vec![0.0; rows];
    let mut row = 0;
    // Velocities that are zero or of one sign.
    let mut slack = modes.iter().map(|m| m.generators.iter().flatten().count()).sum::<usize>();
    for (b, mode) in modes.iter().enumerate() {
        for (k, sign) in mode.signs.iter().enumerate().filter(|(_, s)| **s != Sign::Any) {
            let i = scales.first[b] + k;
            right[row] = -problem.offset[i];
            let mut column = 0;
            for (other, mode) in modes.iter().enumerate() {
                let unit = 1.0 / scales.stiffness[other];
                let reach = problem.blocks[other].rows.min(2);
                let effect = |p: [f64; 2]| -> f64 {
                    (0..reach).map(|l| p[l] * problem.delassus(i, scales.first[other] + l)).sum()
                };
                right[row] -= effect(mode.start);
                for g in mode.generators.iter().flatten() {
                    matrix[(row, column)] = unit * effect(*g);
                    column += 1;
                }
            }
            if *sign != Sign::Zero {
                matrix[(row, slack)] = if *sign == Sign::Positive { -1.0 } else { 1.0 };
                slack += 1;
            }
            row += 1;
        }
    }
    // Sums of coefficients that are bounded.
    let mut column = 0;
    for (b, mode) in modes.iter().enumerate() {
        let own = mode.generators.iter().flatten().count();
        let (bound, sign) = match mode.sum {
            Sum::Free => {
                column += own;
                continue;
            }
            Sum::AtLeast(bound) => (bound, -1.0),
            Sum::AtMost(bound) => (bound, 1.0),
        };
        for j in column..column + own {
            matrix[(row, j)] = 1.0;
        }
        matrix[(row, slack)] = sign;
        right[row] = bound * scales.stiffness[b];
        column += own;
        slack += 1;
        row += 1;
    }
    let Ok(answer) = nnls::solve(&matrix, &right, MODE_RANK) else { return f64::NAN };
    let mut worst: f64 = 0.0;
    for (i, right) in right.iter().enumerate() {
        let left: f64 = answer.z.iter().enumerate().map(|(j, x)| matrix[(i, j)] * x).sum();
        worst = worst.max((left - right).abs());
    }
    write_impulse(problem, scales, modes, &answer.z, impulse);
    worst / scales.speed
}

fn write_impulse(
    problem: &Problem,
    scales: &Scales,
    modes: &[Mode],
    x: &[f64],
    impulse: &mut [f64],
) {
    let mut x = x.iter();
    for (b, mode) in modes.iter().enumerate() {
        let mut p = mode.start;
        for g in mode.generators.iter().flatten() {
            let part = x.next().copied().unwrap_or(0.0) / scales.stiffness[b];
            p[0] += part * g[0];
            p[1] += part * g[1];
        }
        let rows = problem.blocks[b].rows.min(2);
        impulse[scales.first[b]..scales.first[b] + rows].copy_from_slice(&p[..rows]);
    }
}
