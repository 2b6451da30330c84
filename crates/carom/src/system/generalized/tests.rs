//! A bead on a wire, drives, and what is refused.

use super::*;
use crate::Material;

fn contact(rows: usize) -> Result<ContactSpec, ImpactError> {
    Ok(ContactSpec::new(rows, Material::new(0.5, 0.5)?))
}

/// A bead of mass 2 on a wire through the origin along (3, 4)/5, moving down it at 5 m/s; the floor is below.
fn bead() -> Result<Generalized, ImpactError> {
    let jacobian = vec![0.0, 1.0, 1.0, 0.0];
    let mass = MassMatrix::Diagonal(vec![2.0, 2.0]);
    Generalized::new(mass, vec![-3.0, -4.0], jacobian, vec![contact(2)?])?
        .with_bilateral(vec![4.0, -3.0])
}

#[test]
fn a_bead_yields_along_its_wire_only() -> Result<(), ImpactError> {
    // W = a aᵀ / 2 with a = (4, 3)/5, the wire's direction normal first.
    let bead = bead()?;
    let problem = bead.problem();
    for (i, j, expected) in [(0, 0, 0.32), (0, 1, 0.24), (1, 1, 0.18)] {
        assert!((problem.delassus_at(i, j) - expected).abs() < 4.0 * f64::EPSILON);
    }
    assert_eq!(problem.velocity(), &[-4.0, -3.0]);

    // p = (25, 0) upwards: 20 N·s along the wire change 5 m/s down into 5 m/s up; the wire takes
    // 15 N·s along (4, −3)/5, that is λ = 3.
    let after = bead.after(&[25.0, 0.0])?;
    assert!((after.velocity[0] - 3.0).abs() < 1e-14);
    assert!((after.velocity[1] - 4.0).abs() < 1e-14);
    assert!((after.bilateral_impulse[0] - 3.0).abs() < 1e-14);
    assert!(after.kinetic_energy_change.abs() < 1e-13);
    assert!(after.bilateral_residual < 1e-14);
    assert!(after.momentum_residual < 4.0 * f64::EPSILON);
    Ok(())
}

#[test]
fn drive_moves_the_contact_and_nothing_else() -> Result<(), ImpactError> {
    let driven = bead()?.with_drive(vec![-1.0, 2.0])?;
    assert_eq!(driven.problem().velocity(), &[-5.0, -1.0]);
    assert_eq!(driven.problem().drive(), &[-1.0, 2.0]);
    assert_eq!(driven.after(&[25.0, 0.0])?, bead()?.after(&[25.0, 0.0])?);
    Ok(())
}

#[test]
fn separating_contacts_are_refused_if_asked_whatever_is_set_first() -> Result<(), ImpactError> {
    let refuse = |system: Generalized| system.with_separating(Separating::Refuse);
    assert!(refuse(bead()?).is_ok());
    assert!(refuse(bead()?.with_drive(vec![5.0, 0.0])?).is_err());
    assert!(refuse(bead()?)?.with_drive(vec![5.0, 0.0]).is_err());
    Ok(())
}

#[test]
fn a_held_contact_has_exactly_no_mobility() -> Result<(), ImpactError> {
    // The row (0.1, 0.2, 0.3) is the sum of two bilateral rows.
    let rows = vec![0.1, 0.0, 0.4, 0.0, 0.2, -0.1];
    let mass = MassMatrix::Diagonal(vec![0.7, 1.3, 0.9]);
    let row = vec![0.1, 0.2, 0.3];
    let held = Generalized::new(mass, vec![1.0; 3], row, vec![contact(1)?])?;
    let held = held.with_bilateral(rows)?;
    assert_eq!(held.problem().delassus_at(0, 0), 0.0);
    Ok(())
}

#[test]
fn numbers_beyond_a_double_are_an_error() -> Result<(), ImpactError> {
    let limit = bead()?.after(&[f64::MAX, f64::MAX]).err().map(|e| e.kind());
    assert_eq!(limit, Some("limit"));
    let mass = MassMatrix::Diagonal(vec![1.0, 1e-310]);
    let feather = Generalized::new(mass, vec![1.0; 2], vec![1.0, 0.0], vec![contact(1)?])?;
    let limit = feather.with_bilateral(vec![1.0, 1.0]).err();
    assert_eq!(limit.map(|e| e.kind()), Some("limit"));
    Ok(())
}
