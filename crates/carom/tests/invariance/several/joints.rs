//! Joints folded in, eliminated, said twice, or taken for contacts that hold both ways.

use super::support::{
    SEED, SYSTEMS, assert_same_velocities, assert_same_velocities_beside, both, laws,
};
use carom::{ContactKind, ContactSpec, Material};
use carom_testkit::generate::several::{Kind, SeveralSample, several_of};
use carom_testkit::laws::try_several;
use carom_testkit::{Mechanism, Rng};
use nalgebra::DMatrix;

fn jointed(index: u64) -> SeveralSample {
    several_of(Kind::Jointed, &mut Rng::for_item(SEED ^ 5, index))
}

/// Coordinates that keep the joints by construction: `v = N w` with `B N = 0`.
fn eliminated(mechanism: &Mechanism) -> Option<Mechanism> {
    let f = mechanism.size();
    let b = DMatrix::from_row_iterator(
        mechanism.bilateral.len(),
        f,
        mechanism.bilateral.iter().flatten().copied(),
    );
    let gram = (b.transpose() * &b).symmetric_eigen();
    let free: Vec<usize> =
        (0..f).filter(|&i| gram.eigenvalues[i] <= 1e-9 * gram.eigenvalues.max()).collect();
    if free.is_empty() {
        return None;
    }
    let basis = gram.eigenvectors.select_columns(&free);
    let mass = DMatrix::from_row_slice(f, f, &mechanism.mass);
    let reduced = basis.transpose() * mass * &basis;
    let rows = |row: &Vec<f64>| -> Vec<f64> {
        let size: f64 = row.iter().map(|x| x.abs()).sum();
        // What the joints hold is nothing, not the rounding of it.
        let clean = |x: f64| if x.abs() > 1e-12 * size { x } else { 0.0 };
        (0..free.len()).map(|k| clean((0..f).map(|i| row[i] * basis[(i, k)]).sum())).collect()
    };
    Some(Mechanism {
        mass: reduced.iter().copied().collect(),
        velocity: rows(&mechanism.velocity),
        jacobian: mechanism.jacobian.iter().map(rows).collect(),
        bilateral: Vec::new(),
        ..mechanism.clone()
    })
}

#[test]
fn joints_are_the_same_folded_or_eliminated() {
    for index in 0..SYSTEMS {
        let sample = jointed(index);
        let Some(free) = eliminated(&sample.mechanism) else { continue };
        let (one, two) = (sample.mechanism.problem(), free.problem());
        let speed: f64 = sample.mechanism.velocity.iter().map(|v| v.abs()).sum();
        for (row, law) in laws(&sample, index).iter().filter(|(row, _)| row.claims.continuous) {
            let what = format!("{}, system {index}: {sample:?}", row.id);
            let outcomes = (try_several(law, &one), try_several(law, &two));
            if let Some((a, b)) = both(&what, outcomes.0, outcomes.1) {
                assert_same_velocities_beside(speed, &what, &one, &a, &b, |i| i);
            }
        }
    }
}

#[test]
fn bilateral_contacts_are_joints() {
    let hinge = |rows: usize| ContactSpec {
        kind: ContactKind::Bilateral,
        ..ContactSpec::new(rows, Material::new(0.0, 0.0).unwrap_or_else(|e| panic!("{e}")))
    };
    for index in 0..SYSTEMS {
        let sample = jointed(index);
        let joints = &sample.mechanism;
        let mut contacts = joints.clone();
        contacts.jacobian.append(&mut contacts.bilateral);
        contacts.drive.resize(contacts.jacobian.len(), 0.0);
        let rows = contacts.jacobian.len() - joints.jacobian.len();
        // One contact of several rows, or several of one.
        match index % 2 {
            0 if rows <= 3 && rows > 0 => contacts.contacts.push(hinge(rows)),
            _ => contacts.contacts.extend((0..rows).map(|_| hinge(1))),
        }
        let (one, two) = (joints.problem(), contacts.problem());
        for (row, law) in laws(&sample, index).iter().filter(|(row, _)| row.claims.continuous) {
            let what = format!("{}, system {index}: {contacts:?}", row.id);
            let outcomes = (try_several(law, &one), try_several(law, &two));
            if let Some((a, b)) = both(&what, outcomes.0, outcomes.1) {
                assert_same_velocities(&what, &one, &a, &b, |i| i);
            }
        }
    }
}

#[test]
fn joints_that_say_the_same_twice_do_no_harm() {
    for index in 0..SYSTEMS {
        let sample = jointed(index);
        let mut twice = sample.mechanism.clone();
        let sum: Vec<f64> =
            (0..twice.size()).map(|i| twice.bilateral.iter().map(|row| row[i]).sum()).collect();
        twice.bilateral.push(sum);
        twice.bilateral.extend(
            sample.mechanism.bilateral.iter().map(|row| row.iter().map(|x| -2.0 * x).collect()),
        );
        let (one, two) = (sample.mechanism.problem(), twice.problem());
        for (row, law) in laws(&sample, index).iter().filter(|(row, _)| row.claims.continuous) {
            let what = format!("{}, system {index}: {sample:?}", row.id);
            let outcomes = (try_several(law, &one), try_several(law, &two));
            if let Some((a, b)) = both(&what, outcomes.0, outcomes.1) {
                assert_same_velocities(&what, &one, &a, &b, |i| i);
            }
        }
    }
}
