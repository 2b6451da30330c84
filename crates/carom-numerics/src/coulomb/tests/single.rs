//! One block alone is a law of one contact, once or twice.

use super::*;
use crate::factor::Factor;
use carom::laws::{AnitescuPotra, Whittaker};
use carom::{Contact, ContactVec, Delassus, Law, Material, Tolerances, Unobserved};
use nalgebra::{DMatrix, DVector};

/// Two impacts of the same kind in both views.
fn impact(rng: &mut Rng) -> (Contact<3>, DMatrix<f64>, [f64; 3], f64, f64) {
    let g: Vec<f64> = (0..9).map(|_| rng.normal()).collect();
    let g = DMatrix::from_row_slice(3, 3, &g);
    let w = &g * g.transpose();
    let u = [-rng.log_uniform(1e-2, 1.0), rng.normal(), rng.normal()];
    let (mu, e) = (rng.uniform(0.0, 2.0), rng.unit());
    let rows: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| w[(i, j)]));
    let contact = Contact::new(
        Delassus::new(rows).unwrap(),
        ContactVec::from_slice(&u).unwrap(),
        Material::new(mu, e).unwrap(),
    );
    (contact.unwrap(), w, u, mu, e)
}

fn assert_same(p: &[f64], law: &[f64], what: &str) {
    let size = law.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
    for (a, b) in p.iter().zip(law) {
        // Impulses of badly conditioned contacts are known to no more.
        assert!((a - b).abs() <= 1e-8 * size, "{what}: {p:?} {law:?}");
    }
}

#[test]
fn one_block_is_whittakers_law_once_and_anitescu_and_potras_twice() {
    let mut solver = Solver::default();
    for index in 0..1000 {
        let (contact, w, u, mu, e) = impact(&mut Rng::for_item(21, index));
        let factor = Factor::new(&w, 1e-13);
        let rows = factor_rows(&factor);
        let mut solve = |offset: &[f64], lower: f64| {
            let blocks = [Block { rows: 3, kind: Kind::Cone { mu, lower } }];
            let problem =
                Problem { factor: &rows, freedoms: factor.rank(), offset, blocks: &blocks };
            solver.solve(&problem, Choice::Any).unwrap();
            DVector::from_column_slice(solver.impulse())
        };
        let p = solve(&[(1.0 + e) * u[0], u[1], u[2]], 0.0);
        let law = Law::from(Whittaker)
            .resolve_contact(&contact, &Tolerances::default(), &mut Unobserved)
            .unwrap();
        assert_same(p.as_slice(), law.impulse.as_slice(), "whittaker");
        let compression = solve(&u, 0.0);
        let between = DVector::from_column_slice(&u) + &w * &compression;
        let expansion = solve(between.as_slice(), e * compression[0]);
        let law = Law::from(AnitescuPotra)
            .resolve_contact(&contact, &Tolerances::default(), &mut Unobserved)
            .unwrap();
        assert_same((compression + expansion).as_slice(), law.impulse.as_slice(), "anitescu");
    }
}
