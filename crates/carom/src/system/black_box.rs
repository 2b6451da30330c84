//! A contact from dynamics known only by their response to forces.

use super::check_finite;
use crate::{Contact, ContactVec, Delassus, ImpactError, Material};

/// A contact of a mechanism that is known only by how it answers: `respond(f)` is the acceleration of B's contact
/// point relative to A's [m/s²] while the contact force `f` acts on B and `−f` on A \[N\], all in the contact frame,
/// normal first. `velocity` is `u⁻` in the same frame [m/s].
///
/// Any forward dynamics will do, with gravity, springs and motors as they are: the answer to no contact force is
/// subtracted. `D + 1` calls are made, `W = [respond(e₁) − respond(0), …]` (`ChatterjeeRuina1998`, A.1). The
/// subtraction rounds, so let applied accelerations be no larger than need be. A matrix that is not symmetric
/// within [`Tolerances::symmetry`](crate::Tolerances::symmetry) is refused: such dynamics are not those of rigid
/// bodies, or `respond` mixes up its frames.
///
/// ```
/// use carom::{Material, system::contact_from_dynamics};
///
/// // A ball of 2 kg in free fall; the floor's normal points up.
/// let fall = |force: [f64; 1]| [force[0] / 2.0 - 9.81];
/// let contact = contact_from_dynamics(fall, [-3.0], Material::new(0.0, 0.8)?)?;
/// assert!((contact.delassus().at(0, 0) - 0.5).abs() < 1e-14);
/// # Ok::<(), carom::ImpactError>(())
/// ```
pub fn contact_from_dynamics<const D: usize>(
    mut respond: impl FnMut([f64; D]) -> [f64; D],
    velocity: [f64; D],
    material: Material,
) -> Result<Contact<D>, ImpactError> {
    let unforced = respond([0.0; D]);
    check_finite("response to no force", &unforced)?;
    let mut columns = [[0.0; D]; D];
    for (j, column) in columns.iter_mut().enumerate() {
        let response = respond(std::array::from_fn(|i| if i == j { 1.0 } else { 0.0 }));
        check_finite(&format!("response to unit force {j}"), &response)?;
        *column = std::array::from_fn(|i| response[i] - unforced[i]);
    }
    let w = std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]));
    Contact::new(Delassus::new(w)?, ContactVec::new(velocity), material)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_once_more_than_there_are_directions() -> Result<(), ImpactError> {
        let rows = [[1.0, 0.25, -0.5], [0.25, 2.0, 0.125], [-0.5, 0.125, 3.0]];
        let mut calls = 0;
        let contact = contact_from_dynamics(
            |f: [f64; 3]| {
                calls += 1;
                std::array::from_fn(|i| (0..3).map(|j| rows[i][j] * f[j]).sum::<f64>() - 8.0)
            },
            [-1.0, 2.0, 3.0],
            Material::new(0.5, 0.5)?,
        )?;
        assert_eq!(contact.delassus().rows(), rows);
        assert_eq!(contact.velocity().components(), [-1.0, 2.0, 3.0]);
        assert_eq!(calls, 4);
        Ok(())
    }

    #[test]
    fn refuses_answers_that_are_not_rigid_dynamics() -> Result<(), ImpactError> {
        let material = Material::new(0.0, 0.5)?;
        let message = |respond: &dyn Fn([f64; 2]) -> [f64; 2]| {
            let contact = contact_from_dynamics(respond, [-1.0, 0.0], material);
            contact.err().map(|e| e.to_string()).unwrap_or_default()
        };
        assert!(message(&|f| [f[0], f[1] + 0.5 * f[0]]).contains("symmetric"));
        assert!(message(&|f| [-f[0], f[1]]).starts_with("delassus[0][0] = -1:"));
        let infinite = message(&|f| [f[0] / 0.0, f[1]]);
        assert!(infinite.contains("response to no force[0] = NaN"), "{infinite}");
        Ok(())
    }
}
