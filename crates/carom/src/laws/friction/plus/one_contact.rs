//! Intervals of a single sliding contact in closed form, a handful of multiplications each.

use super::active::{ActiveContacts, Phase};
use super::step_length::{StepLength, length};
use crate::numerics::dot;
use crate::outcome::StepLimit;

/// Follows the only active contact for as long as it slides with friction, by intervals as the general equations would;
/// answers how many there were and whether the round is over. Where it would have to pull it stays where it is.
pub(crate) fn slide(
    active: &mut ActiveContacts,
    step_length: &StepLength,
    most: u32,
) -> (u32, bool) {
    let mu = active.contacts[0].mu;
    if mu == 0.0 || mu == f64::INFINITY {
        return (0, false);
    }
    let mut u = [active.velocity[0], active.velocity[1], active.velocity[2]];
    if length([u[1], u[2]]) < step_length.transition {
        return (0, false);
    }
    let at = |i: usize, j: usize| dot(active.row(i), active.row(j));
    let w: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| at(i, j)));
    let compressing = active.contacts[0].phase == Phase::Compressing;
    let mut owed = active.contacts[0].owed;
    let mut p = [0.0; 3];
    let (mut gained, mut stored, mut turnover) = (0.0, 0.0, 0.0);
    let mut count = 0;
    let mut over = false;
    while count < most && !over {
        let speed = length([u[1], u[2]]);
        if speed < step_length.transition || speed == 0.0 {
            break;
        }
        let direction = [1.0, -mu * u[1] / speed, -mu * u[2] / speed];
        let response = w.map(|row| row[0] + direction[1] * row[1] + direction[2] * row[2]);
        let normal = if compressing { -u[0] / response[0] } else { owed };
        if !(normal >= 0.0 && normal.is_finite()) {
            break;
        }
        let limit = |change| step_length.of_contact([u[1], u[2]], change);
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
    active.velocity.copy_from_slice(&u);
    active.impulse.iter_mut().zip(p).for_each(|(sum, p)| *sum += p);
    active.energy.gained += gained;
    active.energy.turnover += turnover;
    if compressing {
        active.contacts[0].compression_impulse += p[0];
        active.contacts[0].compression_work += stored;
    } else {
        active.contacts[0].owed = owed;
    }
    for (row, p) in active.rows.chunks_exact(active.rank.max(1)).zip(p) {
        active.total.iter_mut().zip(row).for_each(|(x, l)| *x += p * l);
    }
    (count, over)
}
