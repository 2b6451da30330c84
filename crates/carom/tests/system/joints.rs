//! Joints and bilateral rows.

use crate::support::*;
use carom::ImpactError;
use carom::system::{Bodies, Body, Generalized, Inertia, Joint, JointKind, MassMatrix};

/// A rod of 1 m and 1 kg that swings back with 1 rad/s, pinned at its upper end, struck at its tip. The pin and,
/// with it, the rod move at `speed` to the right.
fn pendulum(angle: f64, pins: &[JointKind], speed: f64) -> Result<Bodies, ImpactError> {
    let along = [angle.sin(), -angle.cos()];
    let rod = Body {
        velocity: vec![speed - 0.5 * angle.cos(), -0.5 * angle.sin()],
        angular_velocity: vec![-1.0],
        ..free(1.0, Inertia::Planar(1.0 / 12.0), &along.map(|x| 0.5 * x))
    };
    let cart = Body { velocity: vec![speed, 0.0], ..ground() };
    let pins = pins.iter().map(|&kind| joint(kind, 0, 1, &[0.0, 0.0], None)).collect();
    Bodies::new(vec![cart, rod], pins, vec![contact(0, 1, &along, &[0.0, 1.0])?])
}

#[test]
fn a_pendulum_has_a_singular_matrix() -> Result<(), ImpactError> {
    for angle in [0.1_f64, 0.7, 1.0, 1.5] {
        // One coordinate of inertia 1/3: the tip moves along (cos, sin) only. Normal first, and t = −x.
        let tip = [angle.sin(), -angle.cos()];
        let mass = MassMatrix::Diagonal(vec![1.0 / 3.0]);
        let posed = Generalized::new(mass, vec![-1.0], tip.to_vec(), vec![spec(2)?])?;
        let one = pendulum(angle, &[JointKind::Ball], 0.0)?;
        let (a, b) = (one.problem(), posed.problem());
        assert_close(&delassus(a), &delassus(b), CLOSE);
        assert_close(a.velocity(), b.velocity(), CLOSE);
        let [smallest, largest] = a.contact::<2>(0)?.delassus().extreme_eigenvalues();
        assert!(smallest.abs() <= CLOSE * largest);

        // Three pins in one place are one pin, and share its load.
        let three = pendulum(angle, &[JointKind::Ball, JointKind::Hinge, JointKind::Ball], 0.0)?;
        assert_close(&delassus(three.problem()), &delassus(b), CLOSE);
        let impulse = [0.5, 0.125];
        let (x, y) = (one.after(&impulse)?, three.after(&impulse)?);
        let expected = posed.after(&impulse)?.velocity;
        assert_close(&x.bodies[1].angular_velocity, &expected, CLOSE);
        assert_close(&y.bodies[1].angular_velocity, &expected, CLOSE);
        for (i, share) in y.bilateral_impulse.iter().enumerate() {
            assert!((3.0 * share - x.bilateral_impulse[i % 2]).abs() < CLOSE);
        }
    }
    Ok(())
}

#[test]
fn a_hanging_pendulum_cannot_yield_along_itself() -> Result<(), ImpactError> {
    let hanging = pendulum(0.0, &[JointKind::Hinge], 0.0)?;
    let w = delassus(hanging.problem());
    assert_eq!(w[..3], [0.0; 3]);
    assert!((w[3] - 3.0).abs() < 3.0 * CLOSE);
    Ok(())
}

#[test]
fn joints_to_moving_bodies_move_along() -> Result<(), ImpactError> {
    let still = pendulum(0.7, &[JointKind::Ball], 0.0)?;
    let carried = pendulum(0.7, &[JointKind::Ball], 2.0)?;
    assert_eq!(delassus(carried.problem()), delassus(still.problem()));
    let u = still.problem().velocity();
    assert_close(carried.problem().velocity(), u, CLOSE);
    let (x, y) = (still.after(&[0.5, 0.1])?, carried.after(&[0.5, 0.1])?);
    let (spin, carried_spin) = (&x.bodies[1].angular_velocity, &y.bodies[1].angular_velocity);
    assert_close(carried_spin, spin, CLOSE);
    assert!(y.bilateral_residual < CLOSE, "{}", y.bilateral_residual);
    Ok(())
}

#[test]
fn a_start_that_breaks_a_joint_is_taken_hold_of() -> Result<(), ImpactError> {
    let mass = MassMatrix::Diagonal(vec![1.0, 2.0]);
    let broken = Generalized::new(mass, vec![1.0, 4.0], vec![1.0, 0.0], vec![spec(1)?])?
        .with_bilateral(vec![1.0, -1.0])?;
    // 9 N·s on 3 kg: the joint takes hold with 2 N·s, and both move at 3 m/s.
    assert_close(broken.problem().velocity(), &[3.0], CLOSE);
    let after = broken.after(&[6.0])?;
    // Both gain 6/3, of which the joint hands 4 N·s on.
    assert_close(&after.velocity, &[5.0, 5.0], CLOSE);
    assert_close(&after.bilateral_impulse, &[-2.0], CLOSE);
    assert!(after.bilateral_residual < CLOSE);
    // ½·3·25 − ½(1 + 32): the contact's work ½ p·(u⁻ + u⁺) = 24, less the 3 J of taking hold.
    assert!((after.kinetic_energy_change - 21.0).abs() < 21.0 * CLOSE);
    assert!(after.momentum_residual < CLOSE);
    Ok(())
}

/// Rows that say the same twice, or nothing.
#[test]
fn redundant_joints_take_hold_alike() -> Result<(), ImpactError> {
    let mass = || MassMatrix::Dense(vec![2.0, 0.5, 0.0, 0.5, 1.0, 0.1, 0.0, 0.1, 3.0]);
    let start =
        || Generalized::new(mass(), vec![1.0, -2.0, 0.5], vec![1.0, 2.0, -1.0], vec![spec(1)?]);
    let once = start()?.with_bilateral(vec![1.0, -1.0, 2.0])?;
    let twice = start()?.with_bilateral(vec![1.0, -1.0, 2.0, -2.0, 2.0, -4.0, 0.0, 0.0, 0.0])?;
    let (x, y) = (once.after(&[0.7])?, twice.after(&[0.7])?);
    assert_close(&y.velocity, &x.velocity, CLOSE);
    assert!(y.bilateral_residual < CLOSE && y.momentum_residual < CLOSE);
    // λ = (1, −2, 0)/5 of the one.
    let lambda = x.bilateral_impulse[0] / 5.0;
    assert_close(&y.bilateral_impulse, &[lambda, -2.0 * lambda, 0.0], CLOSE);
    Ok(())
}

/// A pendulum whose pivot moves: it is taken hold of as one whose pivot rests, seen from the pivot.
#[test]
fn driven_joints_take_hold_of_what_they_drive() -> Result<(), ImpactError> {
    let bodies = |pivot: f64| -> Result<Bodies, ImpactError> {
        let mut stand = ground();
        stand.velocity = vec![pivot, 0.0, 0.0];
        let mut bob = free(2.0, Inertia::Principal([0.1, 0.2, 0.3]), &[0.0, 0.0, -1.0]);
        bob.velocity = vec![pivot + 0.5, 0.3, -0.2];
        bob.angular_velocity = vec![0.1, 0.2, 0.3];
        let joints = vec![joint(JointKind::Ball, 0, 1, &[0.0; 3], None)];
        Bodies::new(
            vec![stand, bob],
            joints,
            vec![contact(0, 1, &[0.1, 0.0, -1.5], &[0.0, 0.3, 1.0])?],
        )
    };
    let (still, carried) =
        (bodies(0.0)?.after(&[0.3, 0.0, 0.1])?, bodies(2.0)?.after(&[0.3, 0.0, 0.1])?);
    assert!(still.bilateral_residual < CLOSE && carried.bilateral_residual < CLOSE);
    assert_close(&carried.bodies[1].angular_velocity, &still.bodies[1].angular_velocity, CLOSE);
    let [x, y, z] = [0, 1, 2].map(|i| still.bodies[1].velocity[i]);
    assert_close(&carried.bodies[1].velocity, &[x + 2.0, y, z], CLOSE);
    assert_close(&carried.bilateral_impulse, &still.bilateral_impulse, CLOSE);
    Ok(())
}

#[test]
fn welded_bodies_are_one_body() -> Result<(), ImpactError> {
    // Balls of 1 and 3 kg either side of their common centre: I = Σ (Iᵢ + mᵢ (r² 1 − r rᵀ)).
    let parts = [(1.0, [0.9, 0.3, -0.6]), (3.0, [-0.3, -0.1, 0.2])];
    let ball = 0.05;
    let tensor = matrix(|i, j| {
        let part =
            |(m, r): (f64, Vec3)| f64::from(i == j) * (ball + m * dot(r, r)) - m * r[i] * r[j];
        parts.map(part).iter().sum()
    });
    let (v, w) = ([0.3, -1.0, 0.2], [0.5, 0.1, -0.7]);
    let moving = |r: Vec3, body: Body| Body {
        velocity: add(v, cross(w, r)).to_vec(),
        angular_velocity: w.to_vec(),
        ..body
    };
    let [one, two] = parts.map(|(m, r)| moving(r, free(m, Inertia::Principal([ball; 3]), &r)));
    let whole = moving([0.0; 3], free(4.0, Inertia::Tensor(tensor), &[0.0; 3]));

    let strike = || contact(0, 1, &[1.0, 0.2, -0.9], &[0.2, 0.3, 0.9]);
    let weld = vec![joint(JointKind::Weld, 1, 2, &[0.4, 0.0, 0.1], None)];
    let welded = Bodies::new(vec![ground(), one, two], weld, vec![strike()?])?;
    let solid = Bodies::new(vec![ground(), whole], vec![], vec![strike()?])?;
    let (a, b) = (welded.problem(), solid.problem());
    assert_close(&delassus(a), &delassus(b), CLOSE);
    assert_close(a.velocity(), b.velocity(), CLOSE);

    let impulse = [1.0, -0.25, 0.5];
    let (x, y) = (welded.after(&impulse)?, solid.after(&impulse)?);
    let (velocity, spin) = (array(&y.bodies[1].velocity), array(&y.bodies[1].angular_velocity));
    for (body, (_, r)) in x.bodies[1..].iter().zip(parts) {
        assert_close(&body.angular_velocity, &spin, CLOSE);
        assert_close(&body.velocity, &add(velocity, cross(spin, r)), CLOSE);
    }
    let difference = x.kinetic_energy_change - y.kinetic_energy_change;
    assert!(difference.abs() <= CLOSE * y.kinetic_energy_change.abs());
    Ok(())
}

#[test]
fn a_door_turns_about_its_hinges_however_many() -> Result<(), ImpactError> {
    // A door 1 m wide, hinged along the z axis: I = I_zz + m/4 about it, and no other freedom.
    let door = free(12.0, Inertia::Principal([4.0, 5.0, 1.5]), &[0.5, 0.0, 1.0]);
    let inertia = 1.5 + 12.0 * 0.25;
    for heights in [&[1.0][..], &[0.2, 1.8], &[0.2, 1.0, 1.8]] {
        let axis = Some(&[0.0, 0.0, -2.0][..]);
        let hinge = |&z: &f64| joint(JointKind::Hinge, 0, 1, &[0.0, 0.0, z], axis);
        let hinges = heights.iter().map(hinge).collect();
        let handle = contact(0, 1, &[0.9, 0.0, 1.1], &[0.0, 1.0, 0.0])?;
        let system = Bodies::new(vec![ground(), door.clone()], hinges, vec![handle])?;
        let mut expected = [0.0; 9];
        expected[0] = 0.81 / inertia;
        assert_close(&delassus(system.problem()), &expected, CLOSE);
        let after = system.after(&[2.0, 5.0, -3.0])?;
        let spin = [0.0, 0.0, 2.0 * 0.9 / inertia];
        assert_close(&after.bodies[1].angular_velocity, &spin, CLOSE);
        assert!(after.bilateral_residual < CLOSE && after.momentum_residual < CLOSE);
    }
    Ok(())
}

#[test]
fn a_slider_yields_along_its_axis() -> Result<(), ImpactError> {
    // W = a aᵀ / m, whatever the inertia and wherever it is struck.
    let axis = [2.0, 1.0, -2.0];
    let body = free(4.0, Inertia::Principal([1.0, 1.5, 2.0]), &[0.3, -0.2, 0.1]);
    let rail = vec![joint(JointKind::Slider, 0, 1, &[5.0, 0.0, 0.0], Some(&axis))];
    let normal = [0.0, 0.0, 1.0];
    let strike = contact(0, 1, &[1.0, 1.0, 1.0], &normal)?;
    let system = Bodies::new(vec![ground(), body], rail, vec![strike])?;
    let a = contact_frame(normal).map(|d| dot(d, axis) / 3.0);
    let expected = matrix(|i, j| a[i] * a[j] / 4.0);
    assert_close(&delassus(system.problem()), expected.as_flattened(), CLOSE);

    // The same in the plane, along (3, 4)/5; a planar weld holds everything.
    let planar = |kind, axis: Option<&[f64]>| {
        let body = free(2.0, Inertia::Planar(0.7), &[0.3, -0.2]);
        let strike = contact(0, 1, &[0.0, 1.0], &[0.0, 1.0])?;
        let held = vec![joint(kind, 0, 1, &[1.0, 0.0], axis)];
        let system = Bodies::new(vec![ground(), body], held, vec![strike])?;
        Ok::<_, ImpactError>(delassus(system.problem()))
    };
    let rail = planar(JointKind::Slider, Some(&[3.0, 4.0]))?;
    assert_close(&rail, &[0.32, -0.24, -0.24, 0.18], CLOSE);
    assert_eq!(planar(JointKind::Weld, None)?, [0.0; 4]);
    Ok(())
}

#[test]
fn unrelated_impacts_change_no_bit() -> Result<(), ImpactError> {
    let mut random = Random::seeded(0x5eed_0006);
    let mut bodies = vec![ground()];
    let mut joints: Vec<Joint> = vec![];
    let mut contacts = vec![];
    let mut systems = vec![];
    for first in [1, 3] {
        bodies.extend([0, 1].map(|_| Sample::random(&mut random).body));
        let [point, axis, struck, normal]: [Vec3; 4] = std::array::from_fn(|_| random.vector());
        // Redundant on purpose: what counts as redundant must not depend on the neighbours either.
        joints.push(joint(JointKind::Hinge, first, first + 1, &point, Some(&axis)));
        joints.push(joint(JointKind::Ball, first, first + 1, &point, None));
        contacts.push(contact(first, 0, &struck, &normal)?);
        systems.push(Bodies::new(bodies.clone(), joints.clone(), contacts.clone())?);
    }
    let (alone, both) = (&systems[0], &systems[1]);
    for i in 0..3 {
        for j in 0..3 {
            let w = both.problem().delassus_at(i, j);
            assert_eq!(w.to_bits(), alone.problem().delassus_at(i, j).to_bits());
            assert_eq!(both.problem().delassus_at(i, 3 + j), 0.0);
        }
    }
    assert_eq!(both.problem().islands().len(), 2);
    let x = alone.after(&[1.0, 0.5, 0.25])?;
    let y = both.after(&[1.0, 0.5, 0.25, 3.0, 2.0, 1.0])?;
    assert_eq!(x.bodies[..], y.bodies[..3]);
    Ok(())
}

#[test]
fn nearly_redundant_rows_and_unequal_masses_are_not_refused() -> Result<(), ImpactError> {
    let mut random = Random::seeded(0x5eed_0007);
    for _ in 0..500 {
        let size = 5;
        let mut numbers = |count: usize, limit: f64| -> Vec<f64> {
            (0..count).map(|_| random.between(-limit, limit)).collect()
        };
        let mass: Vec<f64> = numbers(size, 12.0).iter().map(|x| x.exp()).collect();
        let mut rows = numbers(3 * size, 1.0);
        let (jacobian, velocity) = (numbers(4 * size, 1.0), numbers(size, 1.0));
        // The third row is a combination of the first two, but for a little more or less than rounding.
        let off = [0.0, 1e-16, 1e-12, 1e-4][random.below(4)];
        for j in 0..size {
            let combined = 0.3 * rows[j] - 0.7 * rows[size + j];
            rows[2 * size + j] = combined + off * rows[2 * size + j];
        }
        let contacts = vec![spec(2)?, spec(2)?];
        let start: Vec<f64> = mass.iter().zip(&velocity).map(|(m, v)| m * v).collect();
        let length = |x: &[f64]| x.iter().zip(&mass).map(|(x, m)| x * x / m).sum::<f64>().sqrt();
        let whole = MassMatrix::Diagonal(mass.clone());
        let system =
            Generalized::new(whole, velocity, jacobian, contacts)?.with_bilateral(rows.clone())?;
        let after = system.after(&[1.0, 0.5, 2.0, -0.5])?;
        // What redundant rows differ by, 1e-9 of each at the most, is missing in the balance.
        let pulls = rows.chunks(size).zip(&after.bilateral_impulse);
        let pulls: f64 = pulls.map(|(row, lambda)| lambda.abs() * length(row)).sum();
        let missing = after.momentum_residual;
        assert!(missing < 1e-9 * (1.0 + pulls / length(&start)), "{off} {missing}");
    }
    Ok(())
}
