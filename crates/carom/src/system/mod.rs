//! Where contact problems come from, and the way back to the velocities of bodies.
//!
//! | from | type | coordinates |
//! |---|---|---|
//! | mass matrix, Jacobian, bilateral rows | [`Generalized`] | the caller's own |
//! | rigid bodies and joints, planar or spatial | [`Bodies`] | velocity and angular velocity of each body |
//! | masses on a line, neighbours touching | [`Chain`] | one velocity per mass |
//! | a simulator that answers forces with accelerations | [`contact_from_dynamics`] | unknown, and not needed |
//!
//! Each gives a [`ContactProblem`](crate::ContactProblem) through `problem()`, one contact of it through
//! `problem().contact::<D>(k)`, and turns the impulse that a law found into velocities through `after()`.

mod after;
mod assembly;
mod bilateral;
mod black_box;
mod bodies;
mod body;
mod chain;
mod frame;
mod generalized;
mod inertia;
mod joint;
mod mass;
mod placement;
mod precise;
mod sparse;

pub use after::{After, BodyAfter, Inertial, System};
pub use black_box::contact_from_dynamics;
pub use bodies::{Bodies, BodiesAfter, BodyContact, BodyVelocity};
pub use body::{Body, Motion, Orientation};
pub use chain::Chain;
pub use generalized::{Aftermath, Generalized};
pub use inertia::Inertia;
pub use joint::{Joint, JointKind};
pub use mass::MassMatrix;
pub use placement::{PlacedBody, PlacedContact, PlacedInertia, PlacedJoint, PrincipalAxis};

use crate::ImpactError;

/// Refuses a list of the wrong length. `why` says where the wanted length comes from.
fn check_len(field: &str, got: usize, wanted: usize, why: &str) -> Result<(), ImpactError> {
    if got == wanted {
        return Ok(());
    }
    let reason = format!("must be {wanted} numbers: {why}");
    Err(ImpactError::bad_problem(field, format!("{got} numbers"), reason))
}

/// Refuses the first number of a list that is not finite.
fn check_finite(field: &str, values: &[f64]) -> Result<(), ImpactError> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(not_finite(format!("{field}[{i}]"), values[i])),
        None => Ok(()),
    }
}

/// Refuses the first entry of a matrix, given row by row, that is not finite.
fn check_finite_rows(field: &str, values: &[f64], columns: usize) -> Result<(), ImpactError> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(k) => {
            let (i, j) = (k / columns, k % columns);
            Err(not_finite(format!("{field}[{i}][{j}]"), values[k]))
        }
        None => Ok(()),
    }
}

fn not_finite(field: String, value: f64) -> ImpactError {
    ImpactError::bad_problem(field, value, "must be a finite number")
}
