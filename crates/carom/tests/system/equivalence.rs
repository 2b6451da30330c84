//! Free bodies, generalized coordinates, contact space and black boxes against each other.

use crate::support::*;
use carom::system::{Bodies, Body, Generalized, MassMatrix, contact_from_dynamics};
use carom::{ContactProblem, ImpactError, Law, Tolerances, Unobserved};

/// Two random bodies, the first being A, and where they touch.
struct Pair {
    samples: [Sample; 2],
    point: Vec3,
    normal: Vec3,
    impulse: Vec3,
}

const SIGN: [f64; 2] = [-1.0, 1.0];

impl Pair {
    fn random(random: &mut Random) -> Self {
        Self {
            samples: [Sample::random(random), Sample::random(random)],
            point: random.vector(),
            normal: random.vector(),
            impulse: random.vector(),
        }
    }

    fn bodies(&self) -> Vec<Body> {
        self.samples.iter().map(|s| s.body.clone()).collect()
    }

    fn system(&self) -> Result<Bodies, ImpactError> {
        let strike = contact(0, 1, &self.point, &self.normal)?;
        Bodies::new(self.bodies(), vec![], vec![strike])
    }

    /// Coordinates (v, ω) of A, then of B, in the world frame; returned with the Jacobian.
    fn generalized(&self) -> Result<(Generalized, Vec<f64>), ImpactError> {
        let (mut mass, mut jacobian) = (vec![0.0; 144], vec![0.0; 36]);
        let mut velocity = vec![];
        for (k, (sample, sign)) in self.samples.iter().zip(SIGN).enumerate() {
            let first = 6 * k;
            for i in 0..3 {
                mass[(first + i) * 12 + first + i] = sample.mass;
                for j in 0..3 {
                    mass[(first + 3 + i) * 12 + first + 3 + j] = sample.inertia[i][j];
                }
            }
            for (row, direction) in contact_frame(self.normal).into_iter().enumerate() {
                let moment = cross(sample.arm(self.point), direction);
                for i in 0..3 {
                    jacobian[row * 12 + first + i] = sign * direction[i];
                    jacobian[row * 12 + first + 3 + i] = sign * moment[i];
                }
            }
            velocity.extend(sample.velocity());
            velocity.extend(sample.spin());
        }
        let contacts = vec![spec(3)?];
        let mass = MassMatrix::Dense(mass);
        let system = Generalized::new(mass, velocity, jacobian.clone(), contacts)?;
        Ok((system, jacobian))
    }
}

#[test]
fn two_free_bodies_follow_the_closed_formula() -> Result<(), ImpactError> {
    let mut random = Random::seeded(0x5eed_0001);
    for _ in 0..200 {
        let pair = Pair::random(&mut random);
        let (system, frame) = (pair.system()?, contact_frame(pair.normal));

        // K = Σ (1/m − [r]× J⁻¹ [r]×), then into the contact frame; u = velocity of B's point minus A's.
        let mut k = [[0.0; 3]; 3];
        let mut u = [0.0; 3];
        for (sample, sign) in pair.samples.iter().zip(SIGN) {
            let r = sample.arm(pair.point);
            let turning = product(skew(r), product(sample.inverse_inertia, skew(r)));
            k = matrix(|i, j| k[i][j] + f64::from(i == j) / sample.mass - turning[i][j]);
            let velocity = add(sample.velocity(), cross(sample.spin(), r));
            u = add(u, scaled(velocity, sign));
        }
        let expected = matrix(|i, j| dot(frame[i], apply(k, frame[j])));
        assert_close(&delassus(system.problem()), expected.as_flattened(), CLOSE);
        let expected = frame.map(|d| dot(d, u));
        assert_close(system.problem().velocity(), &expected, CLOSE);

        // Δv = ± p/m, Δω = ± J⁻¹ (r × p).
        let p = (0..3).fold([0.0; 3], |p, i| add(p, scaled(frame[i], pair.impulse[i])));
        let after = system.after(&pair.impulse)?;
        for ((sample, sign), after) in pair.samples.iter().zip(SIGN).zip(&after.bodies) {
            let moment = cross(sample.arm(pair.point), p);
            let turned = scaled(apply(sample.inverse_inertia, moment), sign);
            let v = add(sample.velocity(), scaled(p, sign / sample.mass));
            assert_close(&after.velocity, &v, CLOSE);
            assert_close(&after.angular_velocity, &add(sample.spin(), turned), CLOSE);
        }
        assert!(after.momentum_residual < CLOSE);
    }
    Ok(())
}

#[test]
fn bodies_generalized_and_contact_space_agree() -> Result<(), ImpactError> {
    let mut random = Random::seeded(0x5eed_0002);
    let law = Law::from_id("chatterjee-ruina")?;
    for _ in 0..100 {
        let pair = Pair::random(&mut random);
        let system = pair.system()?;
        let (posed, jacobian) = pair.generalized()?;
        let (a, b) = (system.problem(), posed.problem());
        assert_close(&delassus(a), &delassus(b), CLOSE);
        assert_close(a.velocity(), b.velocity(), CLOSE);

        let one = a.contact::<3>(0)?;
        let outcome = law.resolve_contact(&one, &Tolerances::default(), &mut Unobserved)?;
        let impulse = outcome.impulse.components();
        let (x, y) = (system.after(&impulse)?, posed.after(&impulse)?);
        let velocities: Vec<f64> = x
            .bodies
            .iter()
            .flat_map(|body| [&body.velocity[..], &body.angular_velocity].concat())
            .collect();
        assert_close(&velocities, &y.velocity, CLOSE);

        // Contact space knows nothing of bodies, yet says the same of the contact: u⁺ = J v⁺ and the same energy.
        let space = ContactProblem::new(&delassus(a), a.velocity(), a.contacts())?;
        let measured: Vec<f64> = jacobian
            .chunks(12)
            .map(|row| row.iter().zip(&velocities).map(|(j, v)| j * v).sum())
            .collect();
        assert_close(&space.velocity_after(&impulse), &measured, CLOSE);
        let work = space.contact::<3>(0)?.energy_change(&outcome.impulse);
        let energy = one.velocity().norm() * outcome.impulse.norm();
        assert!((work - x.kinetic_energy_change).abs() <= CLOSE * energy);
        assert!((work - y.kinetic_energy_change).abs() <= CLOSE * energy);
    }
    Ok(())
}

#[test]
fn a_and_b_may_be_swapped() -> Result<(), ImpactError> {
    let mut random = Random::seeded(0x5eed_0003);
    for _ in 0..50 {
        let pair = Pair::random(&mut random);
        let one = pair.system()?;
        let reversed = contact(1, 0, &pair.point, &pair.normal.map(|x| -x))?;
        let two = Bodies::new(pair.bodies(), vec![], vec![reversed])?;
        // n turns round and with it t2; t1 stays. The vector u turns round: only its t1 component changes sign.
        let sign = [1.0, -1.0, 1.0];
        let w = delassus(two.problem());
        let mirrored = matrix(|i, j| sign[i] * sign[j] * w[3 * i + j]);
        assert_close(&delassus(one.problem()), mirrored.as_flattened(), CLOSE);
        let u = two.problem().velocity();
        let mirrored: Vec3 = std::array::from_fn(|i| sign[i] * u[i]);
        assert_close(one.problem().velocity(), &mirrored, CLOSE);
        let p: Vec3 = std::array::from_fn(|i| sign[i] * pair.impulse[i]);
        let (one, two) = (one.after(&pair.impulse)?, two.after(&p)?);
        for (x, y) in one.bodies.iter().zip(&two.bodies) {
            assert_close(&x.velocity, &y.velocity, CLOSE);
            assert_close(&x.angular_velocity, &y.angular_velocity, CLOSE);
        }
    }
    Ok(())
}

#[test]
fn a_moving_obstacle_is_drive_and_nothing_else() -> Result<(), ImpactError> {
    let mut random = Random::seeded(0x5eed_0004);
    for _ in 0..50 {
        let Pair { samples: [Sample { body, .. }, _], point, normal, impulse } =
            Pair::random(&mut random);
        let [wind, centre, spin]: [Vec3; 3] = std::array::from_fn(|_| random.vector());
        let against = |velocity: Vec3, spin: Vec3, body: &Body| {
            let wall = Body {
                position: centre.to_vec(),
                velocity: velocity.to_vec(),
                angular_velocity: spin.to_vec(),
                ..ground()
            };
            let strike = contact(0, 1, &point, &normal)?;
            Bodies::new(vec![wall, body.clone()], vec![], vec![strike])
        };
        let at_rest = against([0.0; 3], [0.0; 3], &body)?;

        // Seen from a moving frame, wall and body move along: nothing changes but the velocities' common part.
        let carried = Body { velocity: add(array(&body.velocity), wind).to_vec(), ..body.clone() };
        let moving = against(wind, [0.0; 3], &carried)?;
        let (u, moving_u) = (at_rest.problem().velocity(), moving.problem().velocity());
        assert_close(moving_u, u, CLOSE);
        assert_eq!(delassus(moving.problem()), delassus(at_rest.problem()));
        let (x, y) = (at_rest.after(&impulse)?, moving.after(&impulse)?);
        let expected = add(array(&x.bodies[1].velocity), wind);
        assert_close(&y.bodies[1].velocity, &expected, CLOSE);
        assert_eq!(y.bodies[0].velocity, wind);

        // A wall that moves and turns: drive = −(velocity of its contact point), in the contact frame.
        let turning = against(wind, spin, &body)?;
        let arm = add(point, scaled(centre, -1.0));
        let wall_point = add(wind, cross(spin, arm));
        let drive = contact_frame(normal).map(|d| -dot(d, wall_point));
        assert_close(turning.problem().drive(), &drive, CLOSE);
        let driven = turning.problem().velocity();
        assert_close(driven, &add(array(u), drive), CLOSE);

        // The impulse's work on the relative motion, ½ p·(u⁻ + u⁺), counts what the wall puts in: p·drive.
        let after = turning.problem().velocity_after(&impulse);
        let work = 0.5 * dot(impulse, add(array(driven), array(&after)));
        let change = turning.after(&impulse)?.kinetic_energy_change;
        let terms = dot(impulse.map(f64::abs), add(array(driven), array(&after)).map(f64::abs));
        let size = terms + dot(impulse.map(f64::abs), drive.map(f64::abs));
        assert!((work - dot(impulse, drive) - change).abs() <= CLOSE * size);
    }
    Ok(())
}

#[test]
fn black_box_dynamics_find_the_matrix() -> Result<(), ImpactError> {
    let mut random = Random::seeded(0x5eed_0005);
    let system = Pair::random(&mut random).system()?;
    let known = system.problem().contact::<3>(0)?;
    // What a simulator answers: accelerations that the contact force does not cause are in it, and cancel.
    let respond = |force: Vec3| {
        let caused = known.delassus().apply(&carom::ContactVec::new(force));
        add(caused.components(), [-9.81, 0.3, 2.0])
    };
    let found = contact_from_dynamics(respond, known.velocity().components(), *known.material())?;
    let (x, y) = (found.delassus().rows(), known.delassus().rows());
    assert_close(x.as_flattened(), y.as_flattened(), CLOSE);
    assert_eq!(found.velocity(), known.velocity());
    Ok(())
}
