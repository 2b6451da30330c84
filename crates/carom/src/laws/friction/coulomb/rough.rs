//! Infinite friction as the limit of ever more friction.
//!
//! An infinitely rough contact sticks where it presses. Where it cannot, it slides with friction but without pressing:
//! equations of its impulse alone do not say how much, and a law that gives back a part of its normal impulse gives back
//! nothing. Then the law is answered for three large frictions and extrapolated.

use super::contacts::{ActiveContacts, Surface};
use super::phase::{Phase, Solved};
use super::resolve::FrictionalLaw;
use crate::numerics::coulomb::Failure;
use crate::numerics::largest;
use crate::outcome::Note;

/// The first friction, of three each twice the one before: what extrapolation leaves is of the order of its inverse cube.
const ROUGH: f64 = 1e4;

/// Normal impulses that small beside friction are none: rounding of the extrapolation.
const NO_PRESS: f64 = 1e-9;

/// Slip relative to the largest velocity below which a contact sticks.
const STILL: f64 = 1e-9;

/// Rounding of the extrapolation, relative to the impulse.
const ROUNDING: f64 = 1e-14;

/// Answers that differ by more than this part have no common limit; the roughest is given.
const APART: f64 = 1e-2;

/// The law's answer, infinite friction included.
pub(crate) fn answer(
    law: &impl FrictionalLaw,
    active: &ActiveContacts,
    phase: &mut Phase,
    impulse: &mut Vec<f64>,
) -> Result<Solved, Failure> {
    let direct = law.answer(active, phase, impulse);
    let takes_limit = match direct {
        Ok(_) => law.returns_impulse() && slides_without_pressing(active, impulse),
        Err(_) => active.surfaces.iter().any(|surface| surface.mu.is_infinite()),
    };
    if !takes_limit {
        return direct;
    }
    let mut members = [const { Vec::new() }; 3];
    let mut last = direct;
    let mut mu = ROUGH;
    for member in &mut members {
        phase.roughest = Some(mu);
        let solved = law.answer(active, phase, member);
        phase.roughest = None;
        match solved {
            Ok(solved) if !solved.notes.contains(Note::Nearly) => last = Ok(solved),
            _ => return direct,
        }
        mu *= 2.0;
    }
    let [first, second, third] = members;
    let difference = third.iter().zip(&second).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    impulse.clone_from(&third);
    if difference <= APART * largest(&third) {
        for (p, (a, b)) in impulse.iter_mut().zip(first.iter().zip(&second)) {
            *p = (8.0 * *p - 6.0 * b + a) / 3.0;
        }
        if !in_cones(active, impulse) {
            impulse.clone_from(&third);
        }
    }
    for surface in active.surfaces.iter().filter(|surface| surface.mu.is_infinite()) {
        let [normal, tangent @ ..] = &mut impulse[surface.first..surface.first + surface.rows]
        else {
            continue;
        };
        if *normal <= NO_PRESS * largest(tangent) {
            *normal = 0.0;
        }
    }
    last
}

/// Whether a contact of infinite friction slides, with friction and without pressing.
fn slides_without_pressing(active: &ActiveContacts, impulse: &[f64]) -> bool {
    let slides = |surface: &Surface| {
        let own = &impulse[surface.first..surface.first + surface.rows];
        surface.mu.is_infinite() && own[0] <= 0.0 && largest(own) > 0.0
    };
    if !active.surfaces.iter().any(slides) {
        return false;
    }
    let mut after = active.velocity.clone();
    active.add_velocity(impulse, &mut after);
    let still = STILL * largest(&active.velocity);
    active.surfaces.iter().any(|surface| {
        slides(surface) && largest(&after[surface.first + 1..surface.first + surface.rows]) > still
    })
}

/// Whether an extrapolated impulse lies in all cones, but for rounding.
fn in_cones(active: &ActiveContacts, impulse: &[f64]) -> bool {
    active.surfaces.iter().all(|surface| {
        let [normal, tangent @ ..] = &impulse[surface.first..surface.first + surface.rows] else {
            return true;
        };
        let reach = f64::sqrt(tangent.iter().map(|p| p * p).sum());
        let size = normal.abs().max(reach);
        let bound = if surface.mu.is_infinite() { f64::INFINITY } else { surface.mu * normal };
        *normal >= -NO_PRESS * size && reach <= bound + ROUNDING * size
    })
}
