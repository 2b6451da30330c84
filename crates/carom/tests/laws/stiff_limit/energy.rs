//! Where the energy goes.

use super::support::{Raw, exponent, norm, path, resolve, stiff};
use carom::Restitution;
use carom_testkit::Rng;
use carom_testkit::generate::frictional::landing;
use carom_testkit::reference;

/// Work from the points of a path, by the trapezoidal rule with the end-point correction of its neighbours: good to a
/// thousandth \[1\].
const QUADRATURE: f64 = 3e-3;

/// `∫ u dp` while `u < 0`, negated, and while `u > 0`. Between points that a step joins, `u` is a cubic of `p` through
/// them and their neighbours.
fn works(points: &[[Vec<f64>; 2]], contact: usize) -> [f64; 2] {
    let at = |i: usize| (points[i][0][contact], points[i][1][contact]);
    let (mut taken, mut given) = (0.0, 0.0);
    for i in 1..points.len() {
        let ((p0, u0), (p1, u1)) = (at(i - 1), at(i));
        if p1 <= p0 {
            continue;
        }
        // A turn between two points is an event and therefore a point, up to rounding.
        let work = slice(&at, i, points.len()).unwrap_or(0.5 * (u0 + u1) * (p1 - p0));
        if u0 + u1 < 0.0 { taken -= work } else { given += work }
    }
    [taken, given]
}

/// The work of step `i` by a cubic through four points, if its neighbours advance and turn nowhere.
fn slice(at: &impl Fn(usize) -> (f64, f64), i: usize, points: usize) -> Option<f64> {
    if i < 2 || i + 1 >= points {
        return None;
    }
    let x: [(f64, f64); 4] = std::array::from_fn(|k| at(i - 2 + k));
    let advances = x.windows(2).all(|pair| pair[1].0 > pair[0].0);
    let turns = x.iter().any(|(_, u)| (*u > 0.0) != (x[1].1 + x[2].1 > 0.0));
    if !advances || turns {
        return None;
    }
    let value = |p: f64| -> f64 {
        let weight = |k: usize| -> f64 {
            (0..4).filter(|&j| j != k).map(|j| (p - x[j].0) / (x[k].0 - x[j].0)).product()
        };
        (0..4).map(|k| x[k].1 * weight(k)).sum()
    };
    // Gauss's rule with two points is exact for cubics.
    let (middle, half) = (0.5 * (x[1].0 + x[2].0), 0.5 * (x[2].0 - x[1].0));
    let off = half / 3f64.sqrt();
    Some(half * (value(middle - off) + value(middle + off)))
}

/// Each contact gives back `e²` of what it took in, over all its compressions and expansions.
#[test]
fn each_contact_gives_back_the_square_of_its_coefficient() {
    for i in 0..8 {
        let mut rng = Rng::for_item(0xe7e, i);
        let mut raw = Raw::of(&landing(&mut rng, 4).problem());
        for spec in &mut raw.specs {
            spec.material.restitution = Restitution::Constant(rng.uniform(0.4, 1.0));
            spec.material.mu = 0.4;
        }
        let (outcome, points) = path(&stiff([exponent([1.0, 1.5][i as usize % 2])]), &raw);
        let all = raw.specs.iter().enumerate().map(|(k, spec)| (k, spec, works(&points, k)));
        let total: f64 = all.clone().map(|(.., [taken, _])| taken).sum();
        for (k, spec, [taken, given]) in all {
            let e = spec.material.restitution.at(1.0);
            let off = (given - e * e * taken).abs() / total;
            assert!(off < QUADRATURE, "{i}, contact {k}: {taken} {given} e² = {}", e * e);
        }
        let Some([impulse, velocity]) = points.last() else { panic!("no points") };
        for (k, first) in raw.first().into_iter().enumerate() {
            assert!((impulse[k] - outcome.impulse[first]).abs() < 1e-9 * norm(&outcome.impulse));
            assert!((velocity[k] - outcome.velocity[first]).abs() < 1e-9 * norm(&raw.u));
        }
    }
}

/// Nothing is lost without friction and with `e = 1`, and friction alone only takes.
#[test]
fn elastic_contacts_without_friction_keep_all_energy() {
    for i in 0..20 {
        let mut raw = Raw::of(&landing(&mut Rng::for_item(0xe1a, i), 4).problem());
        for spec in &mut raw.specs {
            spec.material.restitution = Restitution::Constant(1.0);
            spec.material.mu = 0.0;
        }
        let law = stiff([exponent(1.5)]);
        let size = |p: &[f64]| norm(p) * norm(&raw.u);
        let p = resolve(&law, &raw).impulse;
        let change = raw.energy_change(&p) / size(&p);
        assert!(change.abs() < 1e-10, "{i}: {change:.1e}");
        let mut last = change;
        // More friction does not always take more, but it never gives.
        for mu in [0.1, 0.5, 2.0] {
            raw.specs.iter_mut().for_each(|spec| spec.material.mu = mu);
            let p = resolve(&law, &raw).impulse;
            last = raw.energy_change(&p) / size(&p);
            assert!(last < 1e-10, "{i}, mu {mu}: {last:.1e}");
        }
        assert!(last < -1e-8, "{i}: friction takes {last:e} only");
    }
}

/// `Σ p_n ≤ 2 √m √(2T⁻)` for one body on a plane, any friction: its centre is pushed away by each normal impulse.
#[test]
fn normal_impulses_are_bounded() {
    for i in 0..100 {
        let mechanism = landing(&mut Rng::for_item(0xb0d, i), 4);
        let f = mechanism.size();
        let (m, v) = (mechanism.mass[0], &mechanism.velocity);
        let twice: f64 = (0..f * f).map(|k| v[k / f] * mechanism.mass[k] * v[k % f]).sum();
        let raw = Raw::of(&mechanism.problem());
        let p = resolve(&stiff([]), &raw).impulse;
        let sum: f64 = raw.first().into_iter().map(|row| p[row]).sum();
        assert!(sum > 0.0 && sum <= 2.0 * (m * twice).sqrt(), "{i}: {sum} {m} {twice}");
    }
}

/// No reference answer gains energy, and all separate.
#[test]
fn reference_problems_lose_energy() {
    for line in reference::stiff() {
        let raw = Raw::of(&line.problem);
        let p = resolve(&super::support::of(&line.springs), &raw).impulse;
        assert!(raw.energy_change(&p) <= 1e-12 * norm(&p) * norm(&raw.u), "{}", line.id);
        for row in raw.first() {
            assert!(raw.after(&p)[row] >= -1e-9 * norm(&raw.u), "{}", line.id);
        }
    }
}
