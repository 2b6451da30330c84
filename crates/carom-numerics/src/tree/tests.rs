use super::*;
use crate::active_set::{ActiveSet, Lcp, Row};
use crate::factor::Factor;
use crate::isotonic::{self, Chain};
use crate::largest;
use carom_testkit::Rng;
use nalgebra::DMatrix;

struct Case {
    mass: Vec<f64>,
    target: Vec<f64>,
    edges: Vec<Edge>,
}

impl Case {
    /// Every member hangs on one of the `reach` before it, either way up; some edges are left out.
    fn random(rng: &mut Rng, n: usize, reach: u64, spread: f64) -> Self {
        let mut edges = Vec::new();
        for i in 1..n {
            let other = i - 1 - rng.index(reach.min(i as u64)) as usize;
            let (tail, head) = if rng.chance(0.5) { (i, other) } else { (other, i) };
            if rng.chance(0.95) {
                edges.push(Edge { tail, head, bound: 0.3 * rng.normal() });
            }
        }
        Self {
            mass: (0..n).map(|_| rng.log_uniform(1.0 / spread, spread)).collect(),
            target: (0..n).map(|_| rng.normal()).collect(),
            edges,
        }
    }

    fn forest(&self) -> Forest<'_> {
        Forest { mass: &self.mass, target: &self.target, edges: &self.edges }
    }

    /// Stationarity, both signs and complementarity.
    fn check(&self, tolerance: f64) -> ForestFit {
        let answer = fit(&self.forest()).unwrap();
        let size = largest(&self.target).max(largest(&answer.x));
        let heaviest = largest(&answer.multiplier);
        let mut off: Vec<f64> =
            (0..self.mass.len()).map(|i| self.mass[i] * (answer.x[i] - self.target[i])).collect();
        for (edge, p) in self.edges.iter().zip(&answer.multiplier) {
            off[edge.tail] += p;
            off[edge.head] -= p;
            let room = answer.x[edge.head] - answer.x[edge.tail] - edge.bound;
            assert!(*p >= 0.0 && room >= -tolerance * size, "{room:e}");
            assert!(*p == 0.0 || room <= tolerance * size, "{room:e}");
        }
        for (i, off) in off.iter().enumerate().filter(|(i, _)| self.mass[*i].is_finite()) {
            let allowed = tolerance * (self.mass[i] * size + heaviest);
            assert!(off.abs() <= allowed, "member {i}: {off:e} of {allowed:e}");
        }
        answer
    }
}

#[test]
fn agrees_with_the_active_set() {
    let mut rng = Rng::new(1);
    for n in [2, 3, 6, 20, 60, 200] {
        for reach in [1, 3, 1000] {
            for fixed in [false, true] {
                let mut case = Case::random(&mut rng, n, reach, 10.0);
                if fixed {
                    case.mass[rng.index(n as u64) as usize] = f64::INFINITY;
                }
                let answer = case.check(1e-13);
                let m = case.edges.len();
                if m == 0 {
                    continue;
                }
                let sign = |edge: &Edge, i: usize| match () {
                    () if edge.head == i => 1.0,
                    () if edge.tail == i => -1.0,
                    () => 0.0,
                };
                let matrix = DMatrix::from_fn(m, m, |a, b| {
                    let (a, b) = (&case.edges[a], &case.edges[b]);
                    [b.tail, b.head].iter().map(|&i| sign(a, i) * sign(b, i) / case.mass[i]).sum()
                });
                let room = |e: &Edge| case.target[e.head] - case.target[e.tail] - e.bound;
                let offset: Vec<f64> = case.edges.iter().map(room).collect();
                let factor = Factor::new(&matrix, 1e-13);
                let rows = vec![Row::Unilateral; m];
                let lcp = Lcp {
                    matrix: &matrix,
                    factor: &factor,
                    rows: &rows,
                    offset: &offset,
                    exact: None,
                };
                let slow = ActiveSet::default().solve(&lcp).unwrap();
                carom_testkit::assert_close!(
                    answer.multiplier[..],
                    slow.z[..],
                    tol = 1e-12,
                    scale = 1.0 + largest(&slow.z) * (m as f64)
                );
            }
        }
    }
}

#[test]
fn agrees_with_the_chain() {
    let mut rng = Rng::new(2);
    for n in [2, 50, 3000] {
        let mut case = Case::random(&mut rng, n, 1, 10.0);
        case.edges = (1..n).map(|i| Edge { tail: i - 1, head: i, bound: rng.normal() }).collect();
        let answer = case.check(1e-12);
        let bound: Vec<f64> = case.edges.iter().map(|edge| edge.bound).collect();
        let chain = Chain { mass: &case.mass, target: &case.target, bound: &bound };
        let (mut x, mut multiplier) = (vec![0.0; n], vec![0.0; n - 1]);
        isotonic::fit(&chain, &mut x, &mut multiplier).unwrap();
        let (size, heaviest) = (largest(&x), largest(&multiplier));
        for i in 0..n {
            assert!((x[i] - answer.x[i]).abs() <= 1e-13 * size);
            if i + 1 < n {
                assert!((multiplier[i] - answer.multiplier[i]).abs() <= 1e-12 * heaviest);
            }
        }
    }
}

#[test]
fn light_and_heavy_members() {
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        Case::random(&mut rng, 300, 5, 1e6).check(1e-12);
    }
}

#[test]
fn large_trees() {
    let mut rng = Rng::new(4);
    for reach in [1, 10, 1_000_000] {
        Case::random(&mut rng, 20_000, reach, 10.0).check(1e-12);
    }
    // A star: all hang on the first.
    let mut star = Case::random(&mut rng, 20_000, 1, 10.0);
    star.edges = (1..20_000).map(|i| Edge { tail: 0, head: i, bound: 0.0 }).collect();
    star.check(1e-12);
}

#[test]
fn what_is_not_a_forest() {
    let edge = |tail, head| Edge { tail, head, bound: 0.0 };
    let solve = |mass: [f64; 3], edges: &[Edge]| {
        fit(&Forest { mass: &mass, target: &[0.0; 3], edges }).map(|answer| answer.x)
    };
    let triangle = [edge(0, 1), edge(1, 2), edge(2, 0)];
    assert_eq!(solve([1.0; 3], &triangle), None);
    assert_eq!(solve([1.0; 3], &[edge(0, 1), edge(1, 0)]), None);
    assert_eq!(solve([1.0; 3], &[edge(1, 1)]), None);
    let walls = [f64::INFINITY, 1.0, f64::INFINITY];
    assert_eq!(solve(walls, &[edge(0, 1), edge(1, 2)]), None);
    assert_eq!(solve(walls, &[edge(0, 1)]), Some(vec![0.0; 3]));
}
