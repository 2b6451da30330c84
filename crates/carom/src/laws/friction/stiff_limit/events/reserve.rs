//! Friction that sticking contacts need, against what they have.

use super::super::dynamics::Dynamics;
use super::super::rows::length;
use super::super::tolerances as tol;

/// The least that a sticking contact could still bear, relative to the largest force; negative beyond its bound.
pub(crate) fn least_reserve(dynamics: &Dynamics, required: &[f64]) -> f64 {
    let held =
        dynamics.sticking.contacts.iter().filter(|&&g| dynamics.model.frictional[g].mu.is_finite());
    let least = held.map(|&g| reserve(dynamics, g, required)).fold(f64::INFINITY, f64::min);
    least / largest(dynamics) + tol::SLIP_EXCESS_FLOOR
}

/// How much more friction a sticking contact could bear, relative to the largest force.
pub(super) fn relative_reserve(dynamics: &Dynamics, g: usize, required: &[f64]) -> f64 {
    reserve(dynamics, g, required) / largest(dynamics) + tol::SLIP_EXCESS_FLOOR
}

/// The same as a force.
fn reserve(dynamics: &Dynamics, g: usize, required: &[f64]) -> f64 {
    let contact = &dynamics.model.frictional[g];
    (1.0 + tol::SLIP_EXCESS) * contact.mu * dynamics.force[contact.index].max(0.0) - required[g]
}

/// The largest force, some in any case.
fn largest(dynamics: &Dynamics) -> f64 {
    dynamics.force.iter().fold(f64::MIN_POSITIVE, |m: f64, f| m.max(*f))
}

/// The friction that every sticking contact needs where the dynamics were last evaluated.
pub(crate) fn required_friction(dynamics: &Dynamics, required: &mut [f64]) {
    required.fill(0.0);
    dynamics
        .sticking
        .share(&dynamics.model, dynamics.sticking.reactions(), |g, _, f| required[g] += f * f);
    dynamics.sticking.contacts.iter().for_each(|&g| required[g] = f64::sqrt(required[g]));
}

/// The largest part of the friction it has that a sticking contact needs.
pub(crate) fn utilization(dynamics: &Dynamics, required: &[f64]) -> f64 {
    let parts = dynamics.sticking.contacts.iter().map(|&g| match required[g] {
        0.0 => 0.0,
        required => required / dynamics.friction_bound(g),
    });
    parts.fold(0.0, f64::max)
}

/// Whether the smallest friction with which sticking contacts could hold leaves a disc.
pub(crate) fn beyond_bounds(dynamics: &Dynamics, required: &[f64]) -> bool {
    least_reserve(dynamics, required) < 0.0
}

/// The direction in which a contact that can hold no longer slides off: against the friction it needs.
pub(crate) fn slip_off_direction(dynamics: &Dynamics, leaver: usize) -> [f64; 2] {
    let mut direction = [0.0; 2];
    dynamics.sticking.share(&dynamics.model, dynamics.sticking.reactions(), |g, c, f| {
        if g == leaver {
            direction[c] = -f;
        }
    });
    let size = length(direction);
    if size > 0.0 { direction.map(|x| x / size) } else { [1.0, 0.0] }
}

#[cfg(test)]
mod tests {
    use super::super::super::dynamics::FrictionMode;
    use super::super::super::tests::pressed_block;
    use super::*;

    /// The second contact slides and pulls with 0.004; the first holds the block, and has 0.0625.
    #[test]
    fn a_sticking_contact_holds_what_others_pull() {
        let (mut dynamics, state) = pressed_block();
        dynamics.friction_mode[0] = FrictionMode::Sticks;
        dynamics.sticking.set(&dynamics.model, &[0], |_| 1.0);
        dynamics.evaluate(&state);
        let mut required = [0.0; 2];
        required_friction(&dynamics, &mut required);
        assert!((required[0] - 0.004).abs() < 1e-17 && required[1] == 0.0);
        assert!((utilization(&dynamics, &required) - 0.064).abs() < 1e-15);
        let reserve = ((1.0 + tol::SLIP_EXCESS) * 0.0625 - 0.004) / 0.125 + tol::SLIP_EXCESS_FLOOR;
        assert!((least_reserve(&dynamics, &required) - reserve).abs() < 1e-15);
        assert!(!beyond_bounds(&dynamics, &required) && beyond_bounds(&dynamics, &[0.0626, 0.0]));
        // It would follow the pull.
        assert_eq!(slip_off_direction(&dynamics, 0), [-1.0, 0.0]);
    }
}
