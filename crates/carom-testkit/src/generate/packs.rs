//! Many bodies at once: hexagonal packs, slabs on redundant supports, chains.

use super::material;
use crate::Rng;
use carom::system::{Chain, Generalized, MassMatrix};
use carom::{ContactSpec, ImpactError};
use std::collections::HashMap;

/// How a pack is set in motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blow {
    /// Every body moves towards the centre at unit speed: all contacts close at once.
    Implosion,
    /// The body in the middle of the lowest row moves up into the others, a little askew, which are at rest.
    LocalHit,
}

/// A square patch of so many equal disks of unit mass in the densest packing, without friction: about three contacts
/// per body, and more contacts than a plane has directions, so that `W` is singular.
pub fn hexagonal_pack(bodies: usize, blow: Blow, e: f64) -> Generalized {
    let side = (1..).find(|side| side * side >= bodies).unwrap_or(1);
    let row_height = f64::sqrt(0.75);
    // Axial coordinates: neighbours are (1, 0), (0, 1), (−1, 1) and their opposites.
    let places: Vec<(i64, i64)> = (0..bodies)
        .map(|k| {
            let (row, column) = ((k / side) as i64, (k % side) as i64);
            (column - row / 2, row)
        })
        .collect();
    let at = |(a, b): (i64, i64)| [a as f64 + 0.5 * b as f64, row_height * b as f64];
    let index: HashMap<(i64, i64), usize> =
        places.iter().enumerate().map(|(k, place)| (*place, k)).collect();
    let mut jacobian = Vec::new();
    let mut contacts = 0;
    for (k, &(a, b)) in places.iter().enumerate() {
        for (da, db) in [(1, 0), (0, 1), (-1, 1)] {
            let Some(&other) = index.get(&(a + da, b + db)) else { continue };
            let normal = at((da, db));
            for (axis, n) in normal.into_iter().enumerate() {
                jacobian.push((contacts, 2 * k + axis, -n));
                jacobian.push((contacts, 2 * other + axis, n));
            }
            contacts += 1;
        }
    }
    let centre = places
        .iter()
        .map(|place| at(*place))
        .fold([0.0; 2], |sum, [x, y]| [sum[0] + x / bodies as f64, sum[1] + y / bodies as f64]);
    let mut velocity = vec![0.0; 2 * bodies];
    match blow {
        Blow::Implosion => {
            for (k, place) in places.iter().enumerate() {
                let [x, y] = at(*place);
                let (dx, dy) = (centre[0] - x, centre[1] - y);
                let distance = libm::hypot(dx, dy);
                // A body at the very centre has nowhere to go.
                if distance > 1e-9 {
                    velocity[2 * k] = dx / distance;
                    velocity[2 * k + 1] = dy / distance;
                }
            }
        }
        Blow::LocalHit => {
            let hitter = side.min(bodies) / 2;
            velocity[2 * hitter] = 0.3;
            velocity[2 * hitter + 1] = 1.0;
        }
    }
    let specs = vec![ContactSpec::new(1, material(0.0, e, 0.0)); contacts];
    let mass = MassMatrix::Diagonal(vec![1.0; 2 * bodies]);
    valid(Generalized::from_triplets(mass, velocity, &jacobian, specs))
}

/// A slab, 1 m × 1 m, that falls flat and turning on a square grid of `supports` points: all but three are redundant.
pub fn slab(supports: usize, e: f64) -> Generalized {
    let side = (1..).find(|side| side * side >= supports).unwrap_or(1);
    let place = |k: usize| (k as f64 / (side.max(2) - 1) as f64) - 0.5;
    let mut jacobian = Vec::with_capacity(3 * supports);
    for k in 0..supports {
        // The velocity of a point (x, y): ż + x ω₁ + y ω₂.
        jacobian.extend([1.0, place(k % side), place(k / side)]);
    }
    let specs = vec![ContactSpec::new(1, material(0.0, e, 0.0)); supports];
    let mass = MassMatrix::Diagonal(vec![1.0, 1.0 / 12.0, 1.0 / 12.0]);
    valid(Generalized::new(mass, vec![-1.0, 0.3, 0.2], jacobian, specs))
}

/// Newton's cradle: equal balls at rest, but for the first.
pub fn cradle(balls: usize, e: f64) -> Chain {
    let mut velocity = vec![0.0; balls];
    velocity[0] = 1.0;
    valid(Chain::new(vec![1.0; balls], velocity, vec![e; balls - 1]))
}

/// Masses over two decades, every pair of neighbours approaching, one `e` for all contacts.
pub fn random_chain(masses: usize, e: f64, seed: u64) -> Chain {
    let mut rng = Rng::new(seed);
    let mass = (0..masses).map(|_| rng.log_uniform(0.1, 10.0)).collect();
    let mut speed = 0.0;
    let velocity = (0..masses).map(|_| {
        speed -= rng.unit();
        speed
    });
    let velocity = velocity.collect();
    valid(Chain::new(mass, velocity, vec![e; masses - 1]))
}

fn valid<T>(built: Result<T, ImpactError>) -> T {
    built.unwrap_or_else(|error| panic!("the generator made an invalid problem: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_are_what_they_say() {
        let pack = hexagonal_pack(1024, Blow::Implosion, 0.0);
        let problem = pack.problem();
        // 32 rows of 31 pairs, 31 gaps between rows of 63 pairs.
        assert_eq!(problem.len(), 32 * 31 + 31 * 63);
        assert!(problem.velocity().iter().all(|u| *u <= 1e-12), "an implosion closes all contacts");
        for k in 0..problem.len() {
            assert!((problem.delassus_at(k, k) - 2.0).abs() < 1e-14);
        }
        let hit = hexagonal_pack(100, Blow::LocalHit, 0.0);
        let closing = hit.problem().velocity().iter().filter(|u| **u < -1e-12).count();
        assert_eq!(closing, 3, "the hitter's neighbours above, and the one on its right");
    }

    #[test]
    fn supports_of_a_slab_span_it() {
        let slab = slab(49, 0.5);
        assert_eq!(slab.problem().len(), 49);
        for (k, wanted) in [(0, -1.25), (6, -0.95), (42, -1.05), (48, -0.75)] {
            assert!((slab.problem().velocity()[k] - wanted).abs() < 4.0 * f64::EPSILON);
        }
    }
}
