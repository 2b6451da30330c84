use super::*;
use crate::active_set::{ActiveSet, Lcp, Row};
use crate::factor::Factor;
use crate::least_norm::least_norm;
use carom_testkit::Rng;
use carom_testkit::dd::Dd;
use nalgebra::DMatrix;

struct Case {
    mass: Vec<f64>,
    target: Vec<f64>,
    bound: Vec<f64>,
}

impl Case {
    fn random(rng: &mut Rng, n: usize) -> Self {
        Self {
            mass: (0..n).map(|_| rng.log_uniform(0.1, 10.0)).collect(),
            target: (0..n).map(|_| rng.normal()).collect(),
            bound: (1..n).map(|_| rng.normal()).collect(),
        }
    }

    fn chain(&self) -> Chain<'_> {
        Chain { mass: &self.mass, target: &self.target, bound: &self.bound }
    }

    fn fit(&self) -> Result<(Vec<f64>, Vec<f64>, bool), Squeezed> {
        let mut x = vec![f64::NAN; self.mass.len()];
        let mut multiplier = vec![f64::NAN; self.bound.len()];
        let unique = fit(&self.chain(), &mut x, &mut multiplier)?;
        Ok((x, multiplier, unique))
    }

    /// The same as a complementarity problem between the multipliers and the room they leave, by the active set.
    fn by_active_set(&self) -> (Vec<f64>, bool) {
        let n = self.bound.len();
        let matrix = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 1.0 / self.mass[i] + 1.0 / self.mass[i + 1],
            1 => -1.0 / self.mass[i.max(j)],
            _ => 0.0,
        });
        let offset: Vec<f64> =
            (0..n).map(|k| self.target[k + 1] - self.target[k] - self.bound[k]).collect();
        let factor = Factor::new(&matrix, 1e-13);
        let rows = vec![Row::Unilateral; n];
        let lcp =
            Lcp { matrix: &matrix, factor: &factor, rows: &rows, offset: &offset, exact: None };
        let solution = ActiveSet::default().solve(&lcp).unwrap();
        (least_norm(&lcp, &solution).unwrap(), solution.unique)
    }

    /// Stationarity, both signs and complementarity, row by row in double-double arithmetic.
    fn check(&self, tolerance: f64) {
        let (x, multiplier, _) = self.fit().unwrap();
        let size = crate::largest(&self.target).max(crate::largest(&x));
        let heaviest = multiplier.iter().fold(0.0, |m: f64, p| m.max(*p));
        let mut carried = Dd::ZERO;
        for (i, &place) in x.iter().enumerate() {
            let pressed = |k: usize| multiplier.get(k).copied().unwrap_or(0.0);
            let left = if i > 0 { pressed(i - 1) } else { 0.0 };
            if self.mass[i].is_finite() {
                let excess = Dd::from(self.mass[i]) * (Dd::from(place) - Dd::from(self.target[i]));
                let off = (excess - Dd::from(left) + Dd::from(pressed(i))).to_f64();
                let allowed = tolerance * (self.mass[i] * size + heaviest);
                assert!(off.abs() <= allowed, "member {i}: {off:e} of {allowed:e}");
                carried += excess;
            } else {
                assert_eq!(place, self.target[i]);
            }
        }
        for k in 0..multiplier.len() {
            let room = x[k + 1] - x[k] - self.bound[k];
            assert!(multiplier[k] >= 0.0 && room >= -tolerance * size, "{k}: {room:e}");
            assert!(multiplier[k] == 0.0 || room <= tolerance * size, "{k}: {room:e}");
        }
        if self.mass.iter().all(|m| m.is_finite()) {
            let total: f64 = self.mass.iter().sum();
            assert!(carried.to_f64().abs() <= tolerance * total * size);
        }
    }
}

#[test]
fn three_equal_masses() {
    // The first runs into two that rest: all go on together at a third.
    let case = Case { mass: vec![1.0; 3], target: vec![1.0, 0.0, 0.0], bound: vec![0.0; 2] };
    let (x, multiplier, unique) = case.fit().unwrap();
    let third = 1.0 / 3.0;
    assert_eq!((x, unique), (vec![third; 3], true));
    assert!((multiplier[0] - 2.0 * third).abs() < 1e-15 && (multiplier[1] - third).abs() < 1e-15);
}

#[test]
fn agrees_with_the_active_set() {
    let mut rng = Rng::new(1);
    for n in [2, 3, 5, 20, 60] {
        for _ in 0..40 {
            let mut case = Case::random(&mut rng, n);
            for walls in 0..4 {
                if walls & 1 == 1 {
                    case.mass[0] = f64::INFINITY;
                }
                if walls & 2 == 2 {
                    case.mass[n - 1] = f64::INFINITY;
                    // Room enough between the walls.
                    let needed: f64 = case.bound.iter().sum();
                    case.target[n - 1] = case.target[0] + needed + rng.uniform(0.01, 1.0);
                }
                case.check(1e-14);
                let (_, multiplier, _) = case.fit().unwrap();
                let (slow, _) = case.by_active_set();
                carom_testkit::assert_close!(
                    multiplier[..],
                    slow[..],
                    tol = 1e-11,
                    scale = 1.0 + crate::largest(&slow)
                );
            }
        }
    }
}

#[test]
fn walls_that_leave_no_room() {
    // Powers of two, so that the walls fit exactly.
    let mut rng = Rng::new(2);
    for n in [2, 3, 5, 9] {
        for _ in 0..50 {
            let quarter = |rng: &mut Rng| rng.index(9) as f64 * 0.25 - 1.0;
            let mut case = Case::random(&mut rng, n);
            case.bound.iter_mut().for_each(|b| *b = quarter(&mut rng));
            case.target.iter_mut().for_each(|y| *y = quarter(&mut rng));
            case.mass[0] = f64::INFINITY;
            case.mass[n - 1] = f64::INFINITY;
            case.target[n - 1] = case.target[0] + case.bound.iter().sum::<f64>();
            let result = case.fit();
            // What is pressed against both walls shares its load as the least norm does.
            let (x, multiplier, unique) = result.unwrap();
            case.check(1e-13);
            if !unique && n > 2 {
                let (slow, also_unique) = case.by_active_set();
                assert!(!also_unique);
                carom_testkit::assert_close!(
                    multiplier[..],
                    slow[..],
                    tol = 1e-11,
                    scale = 1.0 + crate::largest(&slow)
                );
            }
            assert_eq!(x[n - 1], case.target[n - 1]);
            case.target[n - 1] -= 1e-6;
            assert!(case.fit().is_err());
        }
    }
}

/// Against sums in double-double arithmetic: one block of a hundred thousand, coherent and random.
#[test]
fn long_blocks_are_as_accurate_as_short_ones() {
    let mut rng = Rng::new(3);
    let n = 100_000;
    for coherent in [true, false] {
        let case = Case {
            mass: (0..n).map(|_| if coherent { 0.1 } else { rng.log_uniform(0.1, 10.0) }).collect(),
            // All run into the last one: one block.
            target: (0..n)
                .map(|i| {
                    1.0 - i as f64 / n as f64 + if coherent { 0.0 } else { 1e-6 * rng.normal() }
                })
                .collect(),
            bound: vec![if coherent { 0.1 } else { 1e-7 }; n - 1],
        };
        let (x, multiplier, _) = case.fit().unwrap();
        let (mut mass, mut momentum, mut distance) = (Dd::ZERO, Dd::ZERO, Dd::ZERO);
        for i in 0..n {
            if i > 0 {
                distance += Dd::from(case.bound[i - 1]);
            }
            mass += Dd::from(case.mass[i]);
            momentum += (Dd::from(case.target[i]) - distance) * case.mass[i];
        }
        let mut place = momentum / mass;
        let size = place.to_f64().abs().max(1.0);
        let mut pressure = Dd::ZERO;
        let heaviest = multiplier.iter().fold(0.0, |m: f64, p| m.max(*p));
        for i in 0..n {
            assert!((x[i] - place.to_f64()).abs() <= 2e-15 * size, "{i}");
            if i + 1 < n {
                pressure = pressure - (place - Dd::from(case.target[i])) * case.mass[i];
                assert!((multiplier[i] - pressure.to_f64()).abs() <= 1e-13 * heaviest, "{i}");
                place += Dd::from(case.bound[i]);
            }
        }
    }
}

#[test]
fn many_random_blocks() {
    let mut rng = Rng::new(4);
    for n in [1, 2, 1000, 100_000] {
        let mut case = Case::random(&mut rng, n);
        case.check(1e-13);
        case.bound.fill(0.0);
        case.check(1e-13);
    }
}

/// A million unit masses, the first 2 behind where it should be: all but the first move by 2e-6, and the multipliers fall
/// evenly from 2 (n − 1)/n to 2/n.
#[test]
fn the_last_of_a_million_is_as_exact_as_the_first() {
    let n = 1_000_000;
    let mut bound = vec![0.0; n - 1];
    bound[0] = 2.0;
    let (mut x, mut multiplier) = (vec![0.0; n], vec![0.0; n - 1]);
    let chain = Chain { mass: &vec![1.0; n], target: &vec![0.0; n], bound: &bound };
    assert_eq!(fit(&chain, &mut x, &mut multiplier), Ok(true));
    for (k, p) in multiplier.iter().enumerate() {
        let exact = 2.0 * (n - 1 - k) as f64 / n as f64;
        assert!((p - exact).abs() <= 4.0 * f64::EPSILON * 2.0, "{k}: {p}, {exact}");
    }
    assert!((x[n - 1] - 2.0 / n as f64).abs() <= 4.0 * f64::EPSILON * x[n - 1]);
}
