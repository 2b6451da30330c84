//! One step of a simulation: contacts solved one after the other until they hardly change, as game engines do.

use crate::Mechanism;
use crate::joints::{Joints, inverse_mass};
use nalgebra::DVector;

const SWEEPS: usize = 60;
/// Slower approaches do not bounce, so that bodies come to rest [m/s].
const BOUNCES: f64 = 0.1;

/// How fast row `i` of the Jacobian moves [m/s].
pub(super) fn speed(mechanism: &Mechanism, i: usize) -> f64 {
    dot(&mechanism.jacobian[i], &mechanism.velocity)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Brings the velocity to where contacts separate and joints hold, roughly: contact after contact, friction clipped to its
/// cone. Contacts leave at least as fast as `push_out` says [m/s].
pub(super) fn resolve(mechanism: &mut Mechanism, push_out: &[f64]) {
    let inverse = inverse_mass(mechanism);
    let joints = Joints::of(mechanism, &inverse);
    let response = |row: &Vec<f64>| -> Vec<f64> {
        (&inverse * DVector::from_column_slice(row)).iter().copied().collect()
    };
    let moved: Vec<Vec<f64>> = mechanism.jacobian.iter().map(response).collect();
    let first = mechanism.normals();
    let wanted: Vec<f64> = (first.iter().zip(&mechanism.contacts).zip(push_out))
        .map(|((&i, contact), push_out)| {
            let approach = -speed(mechanism, i);
            let bounces = approach > BOUNCES;
            let bounce =
                if bounces { contact.material.restitution.at(approach) * approach } else { 0.0 };
            bounce.max(*push_out)
        })
        .collect();
    let mut impulse = vec![0.0; mechanism.jacobian.len()];
    for _ in 0..SWEEPS {
        if let Some(joints) = &joints {
            joints.keep(&mut mechanism.velocity);
        }
        for k in 0..mechanism.contacts.len() {
            let material = mechanism.contacts[k].material;
            let rows = first[k]..first[k] + mechanism.contacts[k].rows;
            for i in rows.clone() {
                let target = if i == first[k] { wanted[k] } else { 0.0 };
                let share = dot(&mechanism.jacobian[i], &moved[i]);
                let bound = material.mu * impulse[first[k]];
                let (low, high) =
                    if i == first[k] { (0.0, f64::INFINITY) } else { (-bound, bound) };
                let new = impulse[i] + (target - speed(mechanism, i)) / share;
                let new = new.clamp(low, high);
                let change = new - impulse[i];
                impulse[i] = new;
                mechanism.velocity.iter_mut().zip(&moved[i]).for_each(|(v, m)| *v += change * m);
            }
        }
    }
}
