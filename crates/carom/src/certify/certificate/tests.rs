use super::*;
use crate::system::Chain;
use crate::{ContactSpec, Material};

fn certify(problem: &ContactProblem, impulse: &[f64]) -> Certificate {
    Certificate::of(problem, impulse, &Tolerances::NOMINAL).unwrap()
}

fn problem(w: &[f64], u: &[f64], e: &[f64]) -> ContactProblem {
    let contact = |e: &f64| ContactSpec::new(1, Material::new(0.0, *e).unwrap());
    ContactProblem::new(w, u, &e.iter().map(contact).collect::<Vec<_>>()).unwrap()
}

/// Four corners of a slab, J = (1, ±1, ±1): one impulse too many.
fn slab(e: &[f64]) -> ContactProblem {
    let w = [3.0, 1.0, 1.0, -1.0, 1.0, 3.0, -1.0, 1.0, 1.0, -1.0, 3.0, 1.0, -1.0, 1.0, 1.0, 3.0];
    problem(&w, &[-1.0; 4], e)
}

#[test]
fn complementarity_tells_newton_from_others() {
    let cradle = problem(&[2.0, -1.0, -1.0, 2.0], &[-1.0, 0.0], &[1.0; 2]);
    // Newton: p = (4/3, 2/3), u⁺ = (1, 0). The real cradle: p = (1, 1), u⁺ = (0, 1).
    let newton = certify(&cradle, &[4.0 / 3.0, 2.0 / 3.0]);
    assert!(newton.complementarity.residual < 4.0 * f64::EPSILON);
    assert!(newton.complementarity.gap.abs() < 4.0 * f64::EPSILON);
    let real = certify(&cradle, &[1.0, 1.0]);
    // |min(2·1, 0 − 1)| = 1, and |min(2·1, 1)| = 1 at the other contact.
    assert!((real.complementarity.residual - 1.0).abs() < 4.0 * f64::EPSILON);
    // 1·(0 − 1) + 1·(1 + 0) = 0: Newton's energy is that of the real one.
    assert!(real.complementarity.gap.abs() < 4.0 * f64::EPSILON);
    assert_eq!(real.impulse_unique, Some(true));
    assert!(real.permissible_set.unwrap().inside);
}

#[test]
fn redundant_contacts_have_other_impulses() {
    let quarter = [0.25; 4];
    let equal = certify(&slab(&[0.5; 4]), &quarter);
    assert_eq!((equal.impulse_unique, equal.velocity_unique), (Some(false), Some(true)));
    let unequal = certify(&slab(&[1.0, 0.0, 1.0, 0.0]), &quarter);
    assert_eq!((unequal.impulse_unique, unequal.velocity_unique), (Some(false), Some(false)));
    // Resting on three corners only: pushing on the fourth needs a pull on one of these.
    let three = certify(&slab(&[0.5; 4]), &[0.0, 0.5, 0.5, 0.0]);
    assert_eq!(three.impulse_unique, Some(false));
    let two = certify(&slab(&[0.5; 4]), &[0.5, 0.0, 0.0, 0.0]);
    assert_eq!(two.impulse_unique, Some(true));
}

#[test]
fn squeezing_is_another_impulse() {
    // A body between two walls: equal pushes of both change nothing.
    let between = problem(&[1.0, -1.0, -1.0, 1.0], &[0.0, 0.0], &[0.5; 2]);
    assert_eq!(certify(&between, &[0.0, 0.0]).impulse_unique, Some(false));
}

#[test]
fn friction_on_the_edge_of_its_cone_is_left_open() {
    let rough = ContactSpec::new(2, Material::new(0.5, 0.5).unwrap());
    // Two contacts on one body that cannot turn: every impulse of one could be the other's.
    let w = [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0];
    let problem = ContactProblem::new(&w, &[-1.0, 0.2, -1.0, 0.2], &[rough; 2]).unwrap();
    let sticking = certify(&problem, &[0.5, -0.1, 0.5, -0.1]);
    assert_eq!(sticking.impulse_unique, Some(false));
    assert_eq!(sticking.permissible_set, None);
    let sliding = certify(&problem, &[0.5, -0.25, 0.5, -0.25]);
    assert_eq!(sliding.impulse_unique, None);
}

#[test]
fn the_weakest_contact_is_named() {
    let cradle = problem(&[2.0, -1.0, -1.0, 2.0], &[-1.0, 0.0], &[1.0; 2]);
    let weakest = certify(&cradle, &[0.5, -0.5]).weakest;
    assert_eq!(weakest.separation, Some(1));
    assert_eq!(weakest.normal_impulse, Some(1));
}

/// By its entries or by its factors: the velocities are the same.
#[test]
fn a_body_that_touches_hundreds_is_judged_alike() {
    use crate::contact::{Gram, Operator};
    use crate::numerics::sparse::SparseRows;
    let n = 400;
    let mut rows = SparseRows::new(3);
    for i in 0..n {
        rows.push(&mut [(0, 1.0), (1, (i % 20) as f64 - 9.5), (2, (i / 20) as f64 - 9.5)]);
    }
    let gram = Gram { rows, mass: vec![2.0, 3.0, 5.0] };
    assert!(matches!(Operator::from_gram(gram.clone()), Operator::Factored { .. }));
    let contacts = vec![ContactSpec::new(1, Material::new(0.0, 0.0).unwrap()); n];
    let problem = ContactProblem::from_gram(gram, vec![-1.0; n], contacts.clone(), None).unwrap();
    let full: Vec<f64> = (0..n * n).map(|k| problem.delassus_at(k / n, k % n)).collect();
    let dense = ContactProblem::new(&full, &vec![-1.0; n], &contacts).unwrap();
    let impulse: Vec<f64> = (0..n).map(|i| 0.001 * (i % 7) as f64).collect();
    let (a, b) = (certify(&problem, &impulse), certify(&dense, &impulse));
    let scale = a.energy_available.unwrap();
    assert!((a.energy_change - b.energy_change).abs() < 1e-13 * scale);
    assert!((a.separation_margin - b.separation_margin).abs() < 1e-13);
    assert_eq!(a.impulse_unique, None, "too large to tell");
}

#[test]
fn a_long_chain_is_judged_at_once() {
    let n = 100_000;
    let mut velocity = vec![0.0; n];
    velocity[0] = 1.0;
    let chain = Chain::new(vec![1.0; n], velocity, vec![1.0; n - 1]).unwrap();
    let certificate = certify(chain.problem(), &vec![1.0; n - 1]);
    assert_eq!(certificate.verdict, Verdict::Boundary);
    assert_eq!(certificate.energy_change, 0.0);
    // ½ (1 − 1/n): all but the common motion.
    let available = certificate.energy_available.unwrap();
    assert!((available - 0.5 * (1.0 - 1.0 / n as f64)).abs() < 1e-11);
    assert!(certificate.permissible_set.unwrap().inside);
}
