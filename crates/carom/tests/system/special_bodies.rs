//! Bodies at the border of what exists: rods, points, tensors.

use crate::support::*;
use carom::ImpactError;
use carom::system::{Bodies, Body, Inertia, Orientation};

#[test]
fn an_ideal_rod_may_be_struck_on_its_axis() -> Result<(), ImpactError> {
    let moments = [0.0, 1.0 / 12.0, 1.0 / 12.0];
    let rod = Body {
        name: "rod".into(),
        angular_velocity: vec![3.0, 0.0, 0.5],
        ..free(1.0, Inertia::Principal(moments), &[0.0; 3])
    };
    // There it answers like any other body: 1/m + r²/I across, 1/m along.
    let strike = contact(0, 1, &[0.5, 0.0, 0.0], &[0.0, 0.0, 1.0])?;
    let system = Bodies::new(vec![ground(), rod.clone()], vec![], vec![strike])?;
    let diagonal = [4.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 4.0];
    assert_close(&delassus(system.problem()), &diagonal, CLOSE);
    // Its spin about itself has no momentum and stays.
    let after = system.after(&[1.0, 0.0, 1.0])?;
    let spin = [3.0, -6.0, 6.5];
    assert_close(&after.bodies[1].angular_velocity, &spin, CLOSE);

    // Beside the axis a tangential impulse would turn it about itself.
    let beside = contact(0, 1, &[0.5, 0.0, -0.1], &[0.0, 0.0, 1.0])?;
    let error = message(Bodies::new(vec![ground(), rod], vec![], vec![beside]));
    assert!(error.starts_with("contacts[0].point = moment"), "{error}");
    assert!(error.contains("[1.0, 0.0, 0.0]: `rod` has no inertia"), "{error}");
    Ok(())
}

#[test]
fn an_ideal_rod_may_be_turned() -> Result<(), ImpactError> {
    // The rod lies along its own x axis, turned into a direction whose end can only be given up to rounding.
    let q = [0.3, 0.5, -0.7, 0.2];
    let axis = rotation(q).map(|row| row[0]);
    let centre = [0.1, 0.2, 0.3];
    let rod = Body {
        orientation: Orientation::Quaternion(q),
        ..free(1.0, Inertia::Principal([0.0, 0.25, 0.25]), &centre)
    };
    let strike = contact(0, 1, &add(centre, scaled(axis, 0.5)), &[0.3, 0.2, 1.0])?;
    let system = Bodies::new(vec![ground(), rod], vec![], vec![strike])?;
    // K = 1/m 1 + r²/I (1 − a aᵀ) = 2 · 1 − a aᵀ.
    let frame = contact_frame([0.3, 0.2, 1.0]);
    let expected =
        matrix(|i, j| 2.0 * f64::from(i == j) - dot(frame[i], axis) * dot(frame[j], axis));
    assert_close(&delassus(system.problem()), expected.as_flattened(), CLOSE);
    Ok(())
}

#[test]
fn a_point_mass_takes_impulses_through_itself() -> Result<(), ImpactError> {
    let floor = |point: &[f64], rows: usize| {
        let ball = free(2.0, Inertia::Point, &[0.0, 0.0, 0.1]);
        let mut floor = contact(0, 1, point, &[0.0, 0.0, 1.0])?;
        floor.spec.rows = rows;
        Bodies::new(vec![ground(), ball], vec![], vec![floor])
    };
    let inside = floor(&[0.0, 0.0, 0.1], 3)?;
    let isotropic = matrix(|i, j| 0.5 * f64::from(i == j));
    assert_eq!(delassus(inside.problem()), isotropic.as_flattened());
    // The normal impulse on the surface of a ball, too, passes through its centre; a tangential one does not.
    assert_eq!(delassus(floor(&[0.0; 3], 1)?.problem()), [0.5]);
    let error = message(floor(&[0.0; 3], 3));
    assert!(error.contains("no inertia about this axis"), "{error}");

    let disk = free(2.0, Inertia::Planar(0.0), &[0.0, 0.1]);
    let strike = contact(0, 1, &[0.0, 0.0], &[0.0, 1.0])?;
    let error = message(Bodies::new(vec![ground(), disk], vec![], vec![strike]));
    assert!(error.contains("[0.0, 0.0, 1.0]"), "{error}");
    Ok(())
}

#[test]
fn turning_the_tensor_is_turning_the_body() -> Result<(), ImpactError> {
    let moments = [1.0, 1.5, 2.0];
    let matrix_of = |inertia, orientation| {
        let body = Body { orientation, ..free(1.0, inertia, &[0.0; 3]) };
        let strike = contact(0, 1, &[0.1, 0.2, -0.3], &[0.1, 0.2, 1.0])?;
        let system = Bodies::new(vec![ground(), body], vec![], vec![strike])?;
        Ok::<_, ImpactError>(delassus(system.problem()))
    };
    for q in [[1.0, 0.0, 0.0, 0.0], [0.3, 0.5, -0.7, 0.2]] {
        let tensor = Inertia::Tensor(turned(rotation(q), moments));
        let x = matrix_of(tensor, Orientation::Identity)?;
        let y = matrix_of(Inertia::Principal(moments), Orientation::Quaternion(q))?;
        assert_close(&x, &y, CLOSE);
    }
    Ok(())
}
