use super::*;
use crate::numerics::random::Random;
use crate::system::Chain;
use crate::{ContactKind, ContactSpec, Material};

fn problem(w: &[f64], u: &[f64], e: f64) -> ContactProblem {
    let contact = ContactSpec::new(1, Material::new(0.0, e).unwrap());
    ContactProblem::new(w, u, &vec![contact; u.len()]).unwrap()
}

fn set(problem: &ContactProblem) -> PermissibleSet<'_> {
    PermissibleSet::of(problem, &Tolerances::NOMINAL).unwrap()
}

/// A rod of mass 1 and inertia 2 falls flat on supports at ±1: ω = (p₁ − p₀)/2.
fn rod(e: f64) -> ContactProblem {
    problem(&[1.5, 0.5, 0.5, 1.5], &[-1.0, -1.0], e)
}

/// Newton's cradle of three.
fn cradle() -> ContactProblem {
    problem(&[2.0, -1.0, -1.0, 2.0], &[-1.0, 0.0], 1.0)
}

/// A slab of unit mass and inertias on four corners: J = (1, ±1, ±1), rank 3.
fn slab() -> ContactProblem {
    let corner = [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0]];
    let w: Vec<f64> = corner
        .iter()
        .flat_map(|a| corner.map(|b| a.iter().zip(&b).map(|(x, y)| x * y).sum::<f64>()))
        .collect();
    problem(&w, &[-1.0, -0.75, -0.5, -0.25], 0.5)
}

/// Kolmogorov and Smirnov's distance between two sets of samples, in units in which 1.95 is exceeded once in a
/// thousand times if both come from the same distribution.
fn distance(a: &mut [f64], b: &mut [f64]) -> f64 {
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let (n, m) = (a.len() as f64, b.len() as f64);
    let (mut i, mut j) = (0, 0);
    let mut worst: f64 = 0.0;
    while i < a.len() && j < b.len() {
        if a[i] <= b[j] {
            i += 1
        } else {
            j += 1
        }
        worst = worst.max((i as f64 / n - j as f64 / m).abs());
    }
    worst * (n * m / (n + m)).sqrt()
}

const UNLIKELY: f64 = 1.95;

#[test]
fn one_contact_has_a_segment_from_plastic_to_elastic() {
    let problem = problem(&[4.0], &[-2.0], 0.5);
    let set = set(&problem);
    assert_eq!(set.maximum_dissipation().impulse, [0.5]);
    assert_eq!(set.ray(&[1.0]).unwrap(), Some([0.5, 1.0]));
    assert_eq!(set.outcome(&[1.0], 0.5).unwrap().unwrap().velocity, [1.0]);
    // T⁻ = ½ 4/4 = ½ J, nothing is left of it at e = 0.
    assert!((set.level(1.0).energy - 0.5).abs() < 4.0 * f64::EPSILON);
    assert!((set.level(0.5).energy - 0.125).abs() < 4.0 * f64::EPSILON);
    assert!(set.level(0.0).energy < 4.0 * f64::EPSILON);
    let n = 4000;
    let mut drawn: Vec<f64> = set.sample(n, 7).unwrap().iter().map(|o| o.velocity[0]).collect();
    let mut even: Vec<f64> = (0..n).map(|k| 2.0 * (k as f64 + 0.5) / n as f64).collect();
    let d = distance(&mut drawn, &mut even);
    // Against the exact distribution the bound is smaller by √2: this is on the safe side.
    assert!(d < UNLIKELY, "{d}");
    assert!((set.diameter(50, 1).unwrap() - 1.0).abs() < 1e-12);
}

/// Velocity space is a linear image of impulse space here: even in one is even in the other.
#[test]
fn two_and_three_contacts_are_drawn_evenly() {
    let three = [2.0, 0.5, -0.25, 0.5, 1.0, 0.3, -0.25, 0.3, 3.0];
    for problem in [rod(0.5), cradle(), problem(&three, &[-1.0, -0.5, -2.0], 0.5)] {
        let set = set(&problem);
        let n = problem.rows();
        let count = 3000;
        let drawn = set.sample(count, 11).unwrap();
        let energy = |p: &[f64], after: &[f64]| {
            (0..n).map(|i| 0.5 * p[i] * (problem.velocity()[i] + after[i])).sum::<f64>()
        };
        // By rejection from a box around the set; energy keeps |p|_W ≤ 2 |u⁻|_{W⁻¹}.
        let mut random = Random::new(5);
        let mut even: Vec<Vec<f64>> = Vec::new();
        let mut energies: Vec<f64> = Vec::new();
        while even.len() < count {
            let p: Vec<f64> = (0..n).map(|_| 4.0 * random.unit()).collect();
            let after = problem.velocity_after(&p);
            if after.iter().all(|u| *u >= 0.0) && energy(&p, &after) <= 0.0 {
                energies.push(energy(&p, &after));
                even.push(p);
            }
        }
        for i in 0..n {
            let mut a: Vec<f64> = drawn.iter().map(|o| o.impulse[i]).collect();
            let mut b: Vec<f64> = even.iter().map(|p| p[i]).collect();
            let d = distance(&mut a, &mut b);
            assert!(d < UNLIKELY, "impulse {i} of {n}: {d}");
        }
        let mut a: Vec<f64> = drawn.iter().map(|o| o.energy_change).collect();
        let d = distance(&mut a, &mut energies);
        assert!(d < UNLIKELY, "energy of {n}: {d}");
    }
}

/// The cone of four corners is x₀ ≥ max(|x₁|, |x₂|), with `u⁺ = u⁻ + J x`.
#[test]
fn redundant_contacts_are_drawn_evenly_over_velocities() {
    let problem = slab();
    let set = set(&problem);
    let count = 3000;
    let place = |after: &[f64]| {
        let change: Vec<f64> = after.iter().zip(problem.velocity()).map(|(a, b)| a - b).collect();
        let [a, b, c, d] = change[..] else { panic!("four contacts") };
        [(a + b + c + d) / 4.0, (a + b - c - d) / 4.0, (a - b + c - d) / 4.0]
    };
    let drawn: Vec<[f64; 3]> =
        set.sample(count, 3).unwrap().iter().map(|o| place(&o.velocity)).collect();
    // u⁻ = J v with v = (−5/8, −1/4, −1/8).
    let v = [-0.625, -0.25, -0.125];
    let mut random = Random::new(9);
    let mut even: Vec<[f64; 3]> = Vec::new();
    while even.len() < count {
        let x = [2.0 * random.unit(), 2.0 * random.unit() - 1.0, 2.0 * random.unit() - 1.0];
        let in_cone = x[0] >= x[1].abs().max(x[2].abs());
        let energy: f64 = (0..3).map(|i| x[i] * (v[i] + 0.5 * x[i])).sum();
        let s: [f64; 3] = std::array::from_fn(|i| x[i] + v[i]);
        let parts = s[0] >= s[1].abs() + s[2].abs();
        if in_cone && parts && energy <= 0.0 {
            even.push(x);
        }
    }
    for i in 0..3 {
        let mut a: Vec<f64> = drawn.iter().map(|x| x[i]).collect();
        let mut b: Vec<f64> = even.iter().map(|x| x[i]).collect();
        let d = distance(&mut a, &mut b);
        assert!(d < UNLIKELY, "coordinate {i}: {d}");
    }
}

#[test]
fn samples_lie_in_the_set_and_follow_the_seed() {
    let chain =
        Chain::new(vec![1.0, 4.0, 0.25, 2.0, 1.0], vec![3.0, 0.0, 1.0, 0.5, -2.0], vec![0.5; 4])
            .unwrap();
    for problem in [rod(0.0), cradle(), slab(), chain.problem().clone()] {
        let set = set(&problem);
        let drawn = set.sample(200, 42).unwrap();
        for outcome in &drawn {
            let margins = set.contains(&outcome.impulse).unwrap();
            assert!(margins.inside, "{margins:?} of {outcome:?}");
        }
        assert_eq!(drawn, set.sample(200, 42).unwrap());
        assert_ne!(drawn, set.sample(200, 43).unwrap());
    }
}

#[test]
fn every_sample_is_on_its_own_ray() {
    for problem in [rod(0.5), cradle()] {
        let set = set(&problem);
        for outcome in set.sample(100, 2).unwrap() {
            let sum: f64 = outcome.impulse.iter().sum();
            let direction: Vec<f64> = outcome.impulse.iter().map(|p| p / sum).collect();
            let [low, high] = set.ray(&direction).unwrap().expect("it is permissible");
            assert!(low * (1.0 - 1e-12) <= sum && sum <= high * (1.0 + 1e-12));
            for t in [0.0, 1.0] {
                let end = set.outcome(&direction, t).unwrap().unwrap();
                assert!(set.contains(&end.impulse).unwrap().inside, "{end:?}");
            }
        }
    }
    // A push on the first contact of the cradle alone drives the second together.
    assert_eq!(set(&cradle()).ray(&[1.0, 0.0]).unwrap(), None);
}

/// Of a rod on two supports the plastic outcome depends on the order: ω⁺ = ∓1/9.
#[test]
fn orders_of_plastic_collisions_span_a_ninth() {
    let problem = rod(0.0);
    let set = set(&problem);
    let mut spins: Vec<f64> = (0..50)
        .map(|seed| {
            let p = set.random_order(seed).expect("two collisions").impulse;
            0.5 * (p[1] - p[0])
        })
        .collect();
    spins.sort_by(f64::total_cmp);
    assert!((spins[0] + 1.0 / 9.0).abs() < 1e-15, "{}", spins[0]);
    assert!((spins[49] - 1.0 / 9.0).abs() < 1e-15, "{}", spins[49]);
    assert!(spins.iter().all(|w| (w.abs() - 1.0 / 9.0).abs() < 1e-15));
    assert!(!set.is_stieltjes());
}

#[test]
fn the_cradle_has_one_elastic_order() {
    let problem = cradle();
    let set = set(&problem);
    assert!(set.is_stieltjes());
    for seed in 0..10 {
        assert_eq!(set.random_order(seed).unwrap().impulse, [1.0, 1.0]);
    }
}

/// Islands exchange no energy: one cannot pay for the other.
#[test]
fn unrelated_contacts_do_not_pay_for_each_other() {
    let problem = problem(&[1.0, 0.0, 0.0, 1.0], &[-1.0, -1.0], 0.5);
    let set = set(&problem);
    // 2.1 gains 0.105 J at one contact; 1 loses 0.5 J at the other.
    assert!(!set.contains(&[2.1, 1.0]).unwrap().inside);
    assert!(set.contains(&[1.9, 1.0]).unwrap().inside);
    assert!((set.level(1.0).energy - 1.0).abs() < 1e-15);
    for outcome in set.sample(100, 1).unwrap() {
        assert!(outcome.velocity.iter().all(|u| (0.0..=1.0 + 1e-14).contains(u)));
    }
}

#[test]
fn bilateral_contacts_are_folded_in() {
    let contact = ContactSpec::new(1, Material::new(0.0, 0.5).unwrap());
    let hinge = ContactSpec { kind: ContactKind::Bilateral, ..contact };
    let w = [2.0, 0.5, 1.0, 0.5, 1.0, 0.25, 1.0, 0.25, 2.0];
    let problem = ContactProblem::new(&w, &[-1.0, -0.5, 0.0], &[contact, contact, hinge]).unwrap();
    let set = set(&problem);
    for outcome in set.sample(100, 6).unwrap() {
        assert!(set.contains(&outcome.impulse).unwrap().inside);
        assert!(outcome.velocity[2].abs() < 1e-14);
    }
}

#[test]
fn nothing_approaches_nothing_happens() {
    let problem = problem(&[2.0, -1.0, -1.0, 2.0], &[1.0, 0.0], 0.5);
    let set = set(&problem);
    for outcome in set.sample(3, 1).unwrap() {
        assert_eq!(outcome.velocity, [1.0, 0.0]);
    }
    assert_eq!(set.diameter(10, 1).unwrap(), 0.0);
}

#[test]
fn says_what_it_cannot_do() {
    let many = Chain::new(vec![1.0; 250], vec![0.0; 250], vec![0.5; 249]).unwrap();
    let error = PermissibleSet::of(many.problem(), &Tolerances::NOMINAL).err().unwrap();
    assert_eq!(error.kind(), "limit");

    // A body between two walls: it can be asked, not sampled.
    let between = problem(&[1.0, -1.0, -1.0, 1.0], &[0.0, 0.0], 0.5);
    assert!(set(&between).sample(1, 1).is_ok(), "nothing approaches");
    let w = [1.0, -1.0, 0.5, -1.0, 1.0, -0.5, 0.5, -0.5, 1.0];
    let wedged = problem(&w, &[0.0, 0.0, -1.0], 0.5);
    let message = set(&wedged).sample(1, 1).unwrap_err().to_string();
    assert!(message.contains("make them bilateral"), "{message}");

    let rod = rod(0.5);
    let set = set(&rod);
    assert!(set.ray(&[1.0]).is_err());
    assert!(set.ray(&[1.0, -1.0]).is_err());
    assert!(set.outcome(&[1.0, 1.0], 1.5).is_err());
    assert_eq!(set.ray(&[0.0, 0.0]).unwrap(), None);
}

/// Sizes far from one change nothing but units.
#[test]
fn units_do_not_matter() {
    let plain = rod(0.5);
    let w: Vec<f64> = [1.5, 0.5, 0.5, 1.5].iter().map(|w| w * 2f64.powi(-200)).collect();
    let small = problem(&w, &[-(2f64.powi(300)); 2], 0.5);
    let (a, b) = (set(&plain).sample(5, 1).unwrap(), set(&small).sample(5, 1).unwrap());
    for (a, b) in a.iter().zip(&b) {
        assert_eq!(a.velocity[0] * 2f64.powi(300), b.velocity[0]);
    }
}

/// A pile of 60 random contacts on 20 coordinates: far more contacts than motions.
#[test]
fn many_redundant_contacts() {
    let mut random = Random::new(1);
    let (n, f) = (60, 20);
    let motion: Vec<f64> = (0..f).map(|_| random.normal()).collect();
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|_| {
            let row: Vec<f64> = (0..f).map(|_| random.normal()).collect();
            let approach: f64 = row.iter().zip(&motion).map(|(a, b)| a * b).sum();
            row.iter().map(|x| if approach > 0.0 { -x } else { *x }).collect()
        })
        .collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let w: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(|b| dot(a, b))).collect();
    let u: Vec<f64> = rows.iter().map(|a| dot(a, &motion)).collect();
    let problem = problem(&w, &u, 0.5);
    let set = set(&problem);
    let outcomes = set.sample(20, 1).unwrap();
    for outcome in &outcomes {
        let margins = set.contains(&outcome.impulse).unwrap();
        assert!(margins.inside, "{margins:?}");
    }
    assert!(set.diameter(20, 1).unwrap() > 0.1 * set.level(1.0).radius);
}
