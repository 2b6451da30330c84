//! One contact by itself: while it slides an interval is a handful of multiplications.

use super::medium::dot;
use super::part::{Class, Part};
use super::step::{Stride, length};
use crate::outcome::StepLimit;

/// Follows the only contact of a part for as long as it slides with friction, by intervals as the general equations
/// would; answers how many there were and whether the round is over. Where it would have to pull it stays where it is.
pub(crate) fn slide(part: &mut Part, stride: &Stride, most: u32) -> (u32, bool) {
    let mu = part.mu[0];
    if mu == 0.0 || mu == f64::INFINITY {
        return (0, false);
    }
    let mut u = [part.velocity[0], part.velocity[1], part.velocity[2]];
    if length([u[1], u[2]]) < stride.transition {
        return (0, false);
    }
    let at = |i: usize, j: usize| dot(part.row(i), part.row(j));
    let w: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| at(i, j)));
    let compressing = part.class[0] == Class::Compressing;
    let mut owed = part.owed[0];
    let mut p = [0.0; 3];
    let (mut gained, mut stored, mut turnover) = (0.0, 0.0, 0.0);
    let mut count = 0;
    let mut over = false;
    while count < most && !over {
        let speed = length([u[1], u[2]]);
        if speed < stride.transition || speed == 0.0 {
            break;
        }
        let direction = [1.0, -mu * u[1] / speed, -mu * u[2] / speed];
        let response = w.map(|row| row[0] + direction[1] * row[1] + direction[2] * row[2]);
        let normal = if compressing { -u[0] / response[0] } else { owed };
        if !(normal >= 0.0 && normal.is_finite()) {
            break;
        }
        let limit = |change| stride.of([u[1], u[2]], change);
        let (share, reason) = if normal > 0.0 {
            limit([normal * response[1], normal * response[2]])
        } else {
            (1.0, StepLimit::End)
        };
        let step = share * normal;
        for c in 0..3 {
            let (push, change) = (step * direction[c], step * response[c]);
            let work = push * (u[c] + 0.5 * change);
            gained += work;
            turnover += work.abs();
            if c == 0 {
                stored -= work;
            }
            p[c] += push;
            u[c] += change;
        }
        owed *= 1.0 - share;
        count += 1;
        over = reason == StepLimit::End;
    }
    part.velocity.copy_from_slice(&u);
    part.impulse.iter_mut().zip(p).for_each(|(sum, p)| *sum += p);
    part.gained += gained;
    part.turnover += turnover;
    if compressing {
        part.taken[0] += p[0];
        part.stored[0] += stored;
    } else {
        part.owed[0] = owed;
    }
    let mut total = std::mem::take(&mut part.total);
    for (row, p) in part.rows.chunks_exact(part.rank.max(1)).zip(p) {
        total.iter_mut().zip(row).for_each(|(x, l)| *x += p * l);
    }
    part.total = total;
    (count, over)
}
