//! Symptom: between two walls that close on a ball `sequential` made 1e8 collisions and ended still approaching; other
//! laws answered, or said something else.
//! Cause: no law asked whether any motion keeps contacts apart where some of it is prescribed.
//! Mend: before any law runs, Farkas' lemma decides it for problems with prescribed motion, or with a velocity that no
//! motion of the masses has; other problems cannot contradict themselves.

use carom::system::{Generalized, MassMatrix};
use carom::{ContactProblem, ContactSpec, ImpactError, Law, Material, catalog};
use carom_testkit::laws::try_several;

fn ball(drive: [f64; 2], e: f64) -> Result<Generalized, ImpactError> {
    let wall = ContactSpec::new(1, Material::new(0.0, e)?);
    let mass = MassMatrix::Diagonal(vec![1.0]);
    let ball = Generalized::new(mass, vec![0.0], vec![1.0, -1.0], vec![wall; 2])?;
    ball.with_drive(drive.to_vec())
}

fn several_laws() -> impl Iterator<Item = Law> {
    let several = catalog::all().filter(|row| row.takes_several());
    several.filter_map(|row| Law::from_id(row.id).ok())
}

#[track_caller]
fn assert_refused(law: &Law, problem: &ContactProblem, words: &str) {
    match try_several(law, problem) {
        Err(ImpactError::NoSolution { reason, .. }) => {
            assert!(reason.contains(words), "{}: {reason}", law.id());
        }
        other => panic!("{}: {other:?}", law.id()),
    }
}

#[test]
fn every_law_refuses_walls_that_close() -> Result<(), ImpactError> {
    let system = ball([-1.0, -1.0], 0.5)?;
    for law in several_laws() {
        assert_refused(&law, system.problem(), "contacts 0 and 1 close on each other");
    }
    Ok(())
}

/// The same with friction, a contact beside them that has no part in it, and velocities typed in contact space.
#[test]
fn friction_does_not_help() -> Result<(), ImpactError> {
    let rough = ContactSpec::new(2, Material::new(0.8, 0.5)?);
    let rows = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    let mut w = Vec::new();
    for a in rows {
        w.extend(rows.map(|b| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>()));
    }
    let problem = ContactProblem::new(&w, &[-1.0, 0.3, -1.0, 0.3, -1.0, 0.3], &[rough; 3])?;
    for law in several_laws().filter(|law| law.info().friction) {
        assert_refused(&law, &problem, "contacts 0 and 2 close on each other");
    }
    Ok(())
}

/// One wall recedes faster than the other comes: there is room, and every law finds it.
#[test]
fn walls_that_leave_room_are_answered() -> Result<(), ImpactError> {
    let system = ball([-1.0, 1.5], 0.25)?;
    for law in several_laws() {
        let outcome = try_several(&law, system.problem())?;
        assert!(outcome.velocity.iter().all(|u| *u >= -1e-12), "{}: {outcome:?}", law.id());
    }
    Ok(())
}
