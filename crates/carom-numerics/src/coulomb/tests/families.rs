//! Random families: how many are solved, how well, and whether the order of blocks matters.

use super::conditions::violation;
use super::*;

/// `n` contacts of `rows` rows on `freedoms` freedoms, all approaching, `mu` up to the one given.
pub fn general(rng: &mut Rng, n: usize, rows: usize, freedoms: usize, mu: f64) -> Case {
    let mut case = Case { freedoms, ..Case::default() };
    let v: Vec<f64> = (0..freedoms).map(|_| rng.normal()).collect();
    for i in 0..n * rows {
        let mut row: Vec<f64> = (0..freedoms).map(|_| rng.normal()).collect();
        let mut q: f64 = row.iter().zip(&v).map(|(a, b)| a * b).sum();
        if i % rows == 0 && q > 0.0 {
            row.iter_mut().for_each(|x| *x = -*x);
            q = -q;
        }
        case.factor.extend(row);
        case.offset.push(q);
    }
    case.blocks = (0..n).map(|_| cone(rows, rng.uniform(0.0, mu))).collect();
    case
}

/// A slab that falls flat and askew on `n` points of its lower face; four are its corners. One `mu` for all or many.
pub fn slab(rng: &mut Rng, n: usize, mixed: bool) -> Case {
    let mass = rng.log_uniform(0.5, 5.0);
    let inertia: [f64; 3] = std::array::from_fn(|_| rng.log_uniform(0.05, 1.0));
    let v: [f64; 6] = std::array::from_fn(|k| if k == 2 { -2.0 } else { 0.7 * rng.normal() });
    let common = rng.uniform(0.05, 1.0);
    let mut case = Case { freedoms: 6, ..Case::default() };
    for b in 0..n {
        let [x, y] = match n {
            4 => [0.4 - 0.8 * (b & 1) as f64, 0.3 - 0.6 * (b >> 1) as f64],
            _ => [rng.uniform(-0.4, 0.4), rng.uniform(-0.3, 0.3)],
        };
        let z = -0.2;
        // Velocity of the point (x, y, z) along the vertical and both horizontal axes.
        let rows =
            [[0.0, 0.0, 1.0, y, -x, 0.0], [1.0, 0.0, 0.0, 0.0, z, -y], [0.0, 1.0, 0.0, -z, 0.0, x]];
        for row in rows {
            case.offset.push(row.iter().zip(v).map(|(a, b)| a * b).sum());
            let scaled =
                |(k, a): (usize, f64)| a / if k < 3 { mass } else { inertia[k - 3] }.sqrt();
            case.factor.extend(row.into_iter().enumerate().map(scaled));
        }
        case.blocks.push(cone(3, if mixed { rng.uniform(0.0, 1.0) } else { common }));
    }
    case
}

type Make = fn(&mut Rng) -> Case;

/// Name, how many are drawn, how many of them may fail, and how they are made.
const FAMILIES: &[(&str, u64, u32, Make)] = &[
    ("brick", 500, 0, |rng| slab(rng, 4, false)),
    ("brick, mixed friction", 500, 0, |rng| slab(rng, 4, true)),
    ("100 points", 50, 0, |rng| slab(rng, 100, false)),
    ("100 points, mixed friction", 50, 0, |rng| slab(rng, 100, true)),
    ("4 contacts, independent", 500, 0, |rng| general(rng, 4, 3, 12, 1.0)),
    ("4 contacts, redundant", 500, 0, |rng| general(rng, 4, 3, 6, 1.0)),
    ("10 contacts, redundant", 100, 0, |rng| general(rng, 10, 3, 12, 1.0)),
    ("planar pair, 2 freedoms", 1000, 0, |rng| general(rng, 2, 2, 2, 2.0)),
    ("planar pair, 3 freedoms", 1000, 0, |rng| general(rng, 2, 2, 3, 2.0)),
    ("planar pair, 4 freedoms", 1000, 0, |rng| general(rng, 2, 2, 4, 2.0)),
    ("planar triple, rough", 1000, 0, |rng| general(rng, 3, 2, 3, 5.0)),
];

#[test]
fn families_are_solved() {
    let mut solver = Solver::default();
    for (name, count, allowed, make) in FAMILIES {
        let mut failed = 0;
        for index in 0..*count {
            let case = make(&mut Rng::for_item(0xc0_0106, index));
            match solver.solve(&case.problem(), Choice::Any) {
                Ok(report) => {
                    assert!(report.residual <= 1e-10, "{name} {index}: {report:?}");
                    let off = violation(&case, solver.impulse());
                    assert!(off <= 1e-9, "{name} {index}: {off:e}");
                }
                Err(Failure::NotConverged { residual, .. }) => {
                    assert!(residual > 1e-10 && residual.is_finite());
                    failed += 1;
                }
                Err(Failure::NoSolution) => panic!("{name} {index}: e = 0 in the plane has one"),
            }
        }
        assert!(failed <= *allowed, "{name}: {failed} of {count}");
    }
}

/// Masses that differ by 1e4 are no trouble. Where they differ by 1e8 rounding of large impulses may exceed what is
/// accepted, but not the claim that there is no solution.
#[test]
fn unequal_masses() {
    let mut solver = Solver::default();
    for (spread, allowed) in [(10.0, 0), (100.0, 10)] {
        let mut failed = 0;
        for index in 0..500 {
            let mut rng = Rng::for_item(7, index);
            let mut case = general(&mut rng, 2, 2, 3, 2.0);
            let scale: [f64; 3] = std::array::from_fn(|_| rng.log_uniform(1.0 / spread, spread));
            case.factor.iter_mut().zip(scale.into_iter().cycle()).for_each(|(l, s)| *l *= s);
            match solver.solve(&case.problem(), Choice::Any) {
                Ok(_) => assert!(violation(&case, solver.impulse()) < 1e-8, "{index}"),
                Err(failure) => {
                    assert_ne!(failure, Failure::NoSolution, "{index}");
                    failed += 1;
                }
            }
        }
        assert!(failed <= allowed, "{failed} of 500 at {spread}");
    }
}

/// What is not a number is not answered.
#[test]
fn numbers_that_are_none_are_refused() {
    let mut solver = Solver::default();
    let mut case = slab(&mut Rng::new(8), 4, false);
    case.offset[5] = f64::NAN;
    assert!(solver.solve(&case.problem(), Choice::Any).is_err());
}

/// Where velocities are unique they do not depend on the order, and in a continuum of them the limit does not.
#[test]
fn order_does_not_matter_in_the_limit() {
    let mut solver = Solver::default();
    for (index, make) in [|r: &mut Rng| slab(r, 4, true), |r: &mut Rng| slab(r, 9, false)]
        .into_iter()
        .cycle()
        .take(60)
        .enumerate()
    {
        let mut rng = Rng::for_item(2, index as u64);
        let case = make(&mut rng);
        let order = shuffled(&mut rng, case.blocks.len());
        let other = case.reordered(&order);
        solver.solve(&case.problem(), Choice::Limit).unwrap();
        let first = solver.velocity().to_vec();
        solver.solve(&other.problem(), Choice::Limit).unwrap();
        for (to, &from) in order.iter().enumerate() {
            for (i, j) in other.rows(to).zip(case.rows(from)) {
                let off = (solver.velocity()[i] - first[j]).abs() / case.speed();
                assert!(off < 1e-9, "{index}: {off:e}");
            }
        }
    }
}

/// Every kind of block at once, one to three rows each.
#[test]
fn all_kinds_together() {
    let mut solver = Solver::default();
    for index in 0..300 {
        let mut rng = Rng::for_item(3, index);
        let mut case = Case { freedoms: 15, ..Case::default() };
        for b in 0..5 {
            let rows = 1 + rng.index(3) as usize;
            let mu = rng.uniform(0.0, 0.8);
            let kind = match b {
                0 => Kind::Cone { mu, lower: rng.uniform(0.0, 0.3) },
                1 => Kind::Disc { normal: rng.uniform(0.0, 0.5), mu },
                2 => Kind::Ray { tangent: [0.3 * rng.normal(), 0.3 * rng.normal()] },
                3 => Kind::Push { impulse: [rng.unit(), rng.normal(), rng.normal()] },
                _ => Kind::Cone { mu, lower: 0.0 },
            };
            case.blocks.push(Block { rows, kind });
            case.offset.extend((0..rows).map(|_| rng.normal()));
            case.factor.extend((0..rows * 15).map(|_| rng.normal()));
        }
        let report = solver.solve(&case.problem(), Choice::Any).unwrap();
        let off = violation(&case, solver.impulse());
        assert!(report.residual <= 1e-13 && off < 1e-12, "{index}: {report:?}, {off:e}");
    }
}

/// The convex relaxation has a solution on every one of these, redundant or not.
#[test]
fn relaxed_cones_are_solved() {
    let mut solver = Solver::default();
    for index in 0..300 {
        let rng = &mut Rng::for_item(7, index);
        let mut case = match index % 3 {
            0 => slab(rng, 4, true),
            1 => general(rng, 4, 3, 6, 5.0),
            _ => general(rng, 5, 2, 4, 5.0),
        };
        for block in &mut case.blocks {
            if let Kind::Cone { mu, lower } = block.kind {
                block.kind = Kind::Relaxed { mu, lower };
            }
        }
        let problem = case.problem();
        let report =
            solver.solve(&problem, Choice::Any).ok().or_else(|| solver.take_nearest(&problem));
        let off = violation(&case, solver.impulse());
        assert!(report.is_some() && off <= 1e-7, "{index}: {report:?}, {off:e}");
    }
}

/// Infinite friction: what presses sticks.
#[test]
fn infinite_friction_sticks() {
    let mut solver = Solver::default();
    for index in 0..100 {
        let mut case = slab(&mut Rng::for_item(4, index), 4, false);
        case.blocks.fill(cone(3, f64::INFINITY));
        solver.solve(&case.problem(), Choice::Any).unwrap();
        assert!(violation(&case, solver.impulse()) < 1e-12, "{index}");
    }
}

/// A point mass in a groove with walls `angle` from the vertical, falling, friction `mu`, restitution `e`: it cannot
/// leave if the walls are too rough, `mu ≥ tan angle`.
fn groove(angle: f64, mu: f64, e: f64) -> Case {
    let (sin, cos) = angle.to_radians().sin_cos();
    let walls = [[cos, sin], [-sin, cos], [-cos, sin], [-sin, -cos]];
    let q = |(i, w): (usize, &[f64; 2])| -w[1] * if i % 2 == 0 { 1.0 + e } else { 1.0 };
    Case {
        offset: walls.iter().enumerate().map(q).collect(),
        factor: walls.concat(),
        freedoms: 2,
        blocks: vec![cone(2, mu); 2],
    }
}

#[test]
fn what_has_no_solution_is_said_to_have_none() {
    let mut solver = Solver::default();
    for (angle, mu) in [(30.0, 0.6), (30.0, 1.0), (50.0, 2.0)] {
        let case = groove(angle, mu, 0.5);
        assert_eq!(solver.solve(&case.problem(), Choice::Any), Err(Failure::NoSolution));
        // Without restitution the mass stays.
        let plastic = groove(angle, mu, 0.0);
        solver.solve(&plastic.problem(), Choice::Any).unwrap();
        assert!(solver.velocity().iter().all(|x| x.abs() < 1e-14));
    }
    for (angle, mu) in [(30.0, 0.3), (50.0, 1.0)] {
        let case = groove(angle, mu, 0.5);
        solver.solve(&case.problem(), Choice::Any).unwrap();
        // v⁺ = (0, ½), and ξ_n = sin(angle) v⁺ − e sin(angle).
        assert!(solver.velocity()[0].abs() < 1e-14);
        let slip = angle.to_radians().cos() * 0.5;
        assert!((solver.velocity()[1] - slip).abs() < 1e-14);
    }
}

/// Nothing approaches, nothing presses; and nothing at all is no trouble.
#[test]
fn nothing_to_do() {
    let mut solver = Solver::default();
    let mut case = general(&mut Rng::new(5), 3, 3, 9, 1.0);
    for b in 0..3 {
        case.offset[3 * b] = case.offset[3 * b].abs();
    }
    let report = solver.solve(&case.problem(), Choice::Limit).unwrap();
    assert_eq!((report.residual, report.impulse_unique), (0.0, true));
    assert!(solver.impulse().iter().all(|p| *p == 0.0));
    case.offset.fill(0.0);
    assert_eq!(solver.solve(&case.problem(), Choice::Any).unwrap().residual, 0.0);
    let empty = Case::default();
    assert_eq!(solver.solve(&empty.problem(), Choice::Any).unwrap().iterations, 0);
}

/// Scaling `q` scales the answer, to the last bit for powers of two.
#[test]
fn scale_does_not_matter() {
    let mut solver = Solver::default();
    for index in 0..50 {
        let case = slab(&mut Rng::for_item(6, index), 4, true);
        solver.solve(&case.problem(), Choice::Limit).unwrap();
        let straight: Vec<f64> = solver.impulse().iter().map(|p| p * 1024.0).collect();
        let mut scaled = case.clone();
        scaled.offset.iter_mut().for_each(|q| *q *= 1024.0);
        solver.solve(&scaled.problem(), Choice::Limit).unwrap();
        assert_eq!(straight, solver.impulse());
    }
}
