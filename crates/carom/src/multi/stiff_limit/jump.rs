//! Contacts without restitution: where they stop approaching, their indentation jumps.

use super::field::Field;
use super::model::Power;

/// How deep a contact without restitution is pressed after it has stopped approaching at the state at which the field was
/// looked at last.
///
/// As `e → 0` the expansion takes no time, the others' forces are frozen, and `u_n′ = r0 + r1 F`. It conserves
/// `∫ (F − F_req) dd` with `F_req = −r0/r1`, the force that the neighbours demand.
pub(super) fn depth_after(field: &mut Field, state: &mut [f64], k: usize) -> f64 {
    let depth = state[k];
    let force = field.force[k];
    let normal =
        |field: &Field| crate::multi::solve::dot(field.model.normal(k), &field.acceleration);
    field.look(state);
    let pressed = normal(field);
    state[k] = 0.0;
    field.look(state);
    let alone = normal(field);
    state[k] = depth;
    field.look(state);
    let own = if force > 0.0 { (pressed - alone) / force } else { 0.0 };
    if own <= 0.0 || alone >= 0.0 {
        return 0.0;
    }
    let demanded = -alone / own;
    remaining(field.model.power, field.model.springs[k].stiffness, depth, demanded)
}

/// The `d1 < d_req` with `∫_{d1}^{d0} (K x^η − F_req) dx = 0`, or 0 if there is none.
fn remaining(power: Power, stiffness: f64, depth: f64, demanded: f64) -> f64 {
    match power {
        Power::Linear => (2.0 * demanded / stiffness - depth).max(0.0),
        _ => {
            let exponent = power.exponent();
            let work = |d: f64| d * (stiffness * power.raise(d) / (exponent + 1.0) - demanded);
            let aim = work(depth);
            if aim >= 0.0 {
                return 0.0;
            }
            // Below the depth that the neighbours demand the work falls from 0 and is convex.
            let mut low = 0.0;
            let mut high = libm::pow(demanded / stiffness, 1.0 / exponent);
            for _ in 0..80 {
                let middle = 0.5 * (low + high);
                if work(middle) > aim {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            0.5 * (low + high)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The work done against the neighbours on the way is that which the spring gives.
    #[test]
    fn the_fast_motion_conserves_work() {
        for (power, exponent) in [(Power::Linear, 1.0), (Power::Hertz, 1.5)] {
            let (stiffness, depth, demanded) = (1.3, 0.8, 0.7);
            let after = remaining(power, stiffness, depth, demanded);
            let work =
                |d: f64| stiffness * libm::pow(d, exponent + 1.0) / (exponent + 1.0) - demanded * d;
            assert!(after > 0.0 && after < depth);
            assert!((work(after) - work(depth)).abs() < 1e-14, "{after}");
            // It opens where the neighbours demand no more than F/(η + 1).
            let force = stiffness * libm::pow(depth, exponent);
            assert_eq!(remaining(power, stiffness, depth, 0.99 * force / (exponent + 1.0)), 0.0);
        }
    }
}
