//! The size of the permissible region, what is drawn from it, and its boundary, against closed forms and counting.

use crate::support::{Random, assert_inside, assert_inside_within, at_corners, contact, region};
use carom::ContactVec;
use carom::region::{BoundaryMesh, Volume};
use core::f64::consts::{FRAC_1_SQRT_2, PI};
use std::collections::BTreeMap;

const PLANE: [[f64; 2]; 2] = [[1.0, 0.0], [0.0, 1.0]];
const SPACE: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn check_size(volume: Volume, exact: f64) {
    assert!((volume.value - exact).abs() <= volume.error, "{volume:?} {exact}");
    assert!(volume.error <= 1e-9 * exact, "{volume:?} {exact}");
}

/// W = 1, u = −n: half the unit disk or ball around n lies above the line of maximum compression p_n = 1. A cone of
/// μ ≥ 1 contains it, since it meets the circle at (1, ±1). A cone of μ = tan φ < 1 cuts from it, in polar
/// coordinates about the origin, ½∫(4cos² − 1/cos²) dφ on each side, or 2π/3 ∫(8cos³ − 1/cos³) sin dφ.
#[test]
fn sizes_of_known_shapes() {
    for mu in [f64::INFINITY, 1.0] {
        let planar = region(&contact(PLANE, [-1.0, 0.0], mu));
        check_size(planar.volume(1e-11).unwrap(), PI / 2.0);
        let spatial = region(&contact(SPACE, [-1.0, 0.0, 0.0], mu));
        check_size(spatial.volume(1e-11).unwrap(), 2.0 * PI / 3.0);
    }
    let angle: f64 = 0.4;
    let (mu, cos) = (libm::tan(angle), libm::cos(angle));
    let planar = region(&contact(PLANE, [-1.0, 0.0], mu));
    let exact = 2.0 * angle + libm::sin(2.0 * angle) - mu;
    check_size(planar.volume(1e-11).unwrap(), exact);
    let spatial = region(&contact(SPACE, [-1.0, 0.0, 0.0], mu));
    let exact = 2.0 * PI / 3.0 * (2.0 * (1.0 - cos * cos * cos * cos) - 0.5 * mu * mu);
    check_size(spatial.volume(1e-11).unwrap(), exact);
    let normal = region(&contact([[4.0]], [-2.0], 0.3));
    check_size(normal.volume(1e-11).unwrap(), 0.5);
    let segment = region(&contact([[1.0, 0.2], [0.2, 1.0]], [-1.0, 0.3], 0.0));
    assert_eq!(segment.volume(1e-9).unwrap().value, 0.0);
}

/// Needles: a semi-axis of 5000 across the normal. The quadrature must not step over them.
#[test]
fn sizes_of_needles() {
    let w = [[1.0, 0.0], [0.0, 4e-8]];
    let planar = region(&contact(w, [-1.0, 0.0], f64::INFINITY));
    check_size(planar.volume(1e-11).unwrap(), 5000.0 * PI / 2.0);
    // Turned about the normal by the angle of (3, 4)/5, so that it lies on no grid.
    let (long, short) = (4e-8, 1.0);
    let (x, y) = (0.6, 0.8);
    let xy = (long - short) * x * y;
    let w = [
        [1.0, 0.0, 0.0],
        [0.0, long * x * x + short * y * y, xy],
        [0.0, xy, long * y * y + short * x * x],
    ];
    let spatial = region(&contact(w, [-1.0, 0.0, 0.0], f64::INFINITY));
    let volume = spatial.volume(1e-9).unwrap();
    let exact = 5000.0 * 2.0 * PI / 3.0;
    assert!((volume.value - exact).abs() <= volume.error, "{volume:?} {exact}");
    // W's entries are of size 1 and its least value is 4e-8: seven digits of sixteen are lost.
    assert!(volume.error <= 1e-6 * exact, "{volume:?} {exact}");
}

/// Sizes against the fraction of a box that `contains` accepts, on moderately shaped random contacts.
#[test]
fn sizes_agree_with_counting() {
    fn check<const D: usize>(random: &mut Random) {
        let a: [ContactVec<D>; D] = std::array::from_fn(|_| random.vector::<D>());
        let w = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                a.iter().map(|row| row[i] * row[j]).sum::<f64>() + if i == j { 0.3 } else { 0.0 }
            })
        });
        let mut u = random.vector::<D>().components();
        u[0] = -random.between(0.2, 1.0);
        let region = region(&contact(w, u, random.between(0.2, 2.0)));
        // A box around the region from its own boundary, with room for what the directions missed.
        let centre = region.interior_point().unwrap();
        let exits: Vec<_> = (0..4000)
            .map(|_| region.exit(&centre, &random.direction::<D>()).unwrap().impulse)
            .collect();
        let bounds: [[f64; 2]; D] = std::array::from_fn(|i| {
            let low = exits.iter().map(|p| p[i]).fold(f64::INFINITY, f64::min);
            let high = exits.iter().map(|p| p[i]).fold(f64::NEG_INFINITY, f64::max);
            let room = 0.05 * (high - low);
            [low - room, high + room]
        });
        let count = 100_000;
        let hits = (0..count)
            .filter(|_| {
                let p = std::array::from_fn(|i| random.between(bounds[i][0], bounds[i][1]));
                region.contains(&ContactVec::new(p))
            })
            .count();
        let whole: f64 = bounds.iter().map(|[low, high]| high - low).product();
        let counted = whole * hits as f64 / f64::from(count);
        let deviation = counted / f64::sqrt(hits as f64);
        let volume = region.volume(1e-8).unwrap();
        assert!(volume.error <= 1e-7 * volume.value, "{volume:?}");
        assert!(
            (volume.value - counted).abs() <= 5.0 * deviation,
            "{volume:?} {counted} ± {deviation} {:?}",
            region.contact()
        );
    }
    let mut random = Random::new(6);
    (0..8).for_each(|_| check::<2>(&mut random));
    (0..8).for_each(|_| check::<3>(&mut random));
}

/// The half disk around (1, 0) has its mean at 1 + 4/(3π) and half of its area within the radius 1/√2; the half ball
/// has its mean at 1 + 3/8.
#[test]
fn drawn_impulses_are_uniform() {
    let mut random = Random::new(7);
    let count = 100_000;
    // Five standard deviations of a mean of spread below ½.
    let noise = 2.5 / f64::sqrt(f64::from(count));
    for mu in [1.0, f64::INFINITY] {
        let planar = region(&contact(PLANE, [-1.0, 0.0], mu));
        let sampler = planar.sampler().unwrap();
        let (mut mean, mut within) = (ContactVec::<2>::ZERO, 0);
        for _ in 0..count {
            let p = sampler.draw(&mut || random.uniform()).unwrap();
            assert_inside(&planar, &p);
            mean += p * (1.0 / f64::from(count));
            within += u32::from((p - ContactVec::new([1.0, 0.0])).norm() < FRAC_1_SQRT_2);
        }
        let expected = ContactVec::new([1.0 + 4.0 / (3.0 * PI), 0.0]);
        assert!((mean - expected).max_abs() < noise, "{mean:?}");
        assert!((f64::from(within) / f64::from(count) - 0.5).abs() < noise);

        let spatial = region(&contact(SPACE, [-1.0, 0.0, 0.0], mu));
        let sampler = spatial.sampler().unwrap();
        let mut mean = ContactVec::<3>::ZERO;
        for _ in 0..count {
            let p = sampler.draw(&mut || random.uniform()).unwrap();
            assert_inside(&spatial, &p);
            mean += p * (1.0 / f64::from(count));
        }
        assert!((mean - ContactVec::new([1.375, 0.0, 0.0])).max_abs() < noise, "{mean:?}");
    }
    let normal = region(&contact([[4.0]], [-2.0], 0.3));
    let p = normal.sampler().unwrap().draw(&mut || random.uniform()).unwrap();
    assert!((0.5..=1.0).contains(&p.normal()));
    let segment = region(&contact(PLANE, [-1.0, 0.0], 0.0));
    assert_eq!(segment.sampler().unwrap_err().kind(), "bad_problem");
}

#[test]
fn random_regions_can_be_drawn_from() {
    let mut random = Random::new(8);
    for _ in 0..1000 {
        let contact = random.contact::<3>();
        let region = region(&contact);
        if region.unbounded_direction().is_some() {
            continue;
        }
        let Ok(p) = region.sampler().unwrap().draw(&mut || random.uniform()) else {
            panic!("nothing drawn from {contact:?}");
        };
        assert_inside(&region, &p);
    }
}

#[test]
fn polylines_enclose_the_area() {
    let mut random = Random::new(9);
    for _ in 0..200 {
        let contact = random.contact::<2>();
        let region = region(&contact);
        if region.unbounded_direction().is_some() {
            continue;
        }
        let line = region.polyline(2000).unwrap();
        let mut area = 0.0;
        for (i, point) in line.iter().enumerate() {
            assert_inside_within(at_corners(&region), &region, &point.impulse);
            let margins = region.margins(&point.impulse).each();
            for active in [Some(point.active), point.also].into_iter().flatten() {
                let (_, margin) = margins.iter().find(|(i, _)| *i == active).unwrap();
                assert!(
                    margin.value.abs() <= at_corners(&region) * margin.scale,
                    "{point:?} {margin:?} {contact:?}"
                );
            }
            let next = line[(i + 1) % line.len()].impulse - line[0].impulse;
            let this = point.impulse - line[0].impulse;
            area += 0.5 * (this[1] * next[0] - this[0] * next[1]);
        }
        let volume = region.volume(1e-10).unwrap();
        // An inscribed polygon of 2000 steps on at most half an ellipse misses less than 1e-6 of it.
        let allowed = 1e-6 * volume.value + volume.error;
        assert!((area - volume.value).abs() <= allowed, "{area} {volume:?} {contact:?}");
    }
}

#[test]
fn meshes_are_closed_and_enclose_the_volume() {
    let mut random = Random::new(10);
    let mut checked = 0;
    for _ in 0..60 {
        let contact = random.contact::<3>();
        let region = region(&contact);
        if region.unbounded_direction().is_some() {
            continue;
        }
        let mesh = region.mesh(6).unwrap();
        let mut edges = BTreeMap::new();
        for [a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry((*from, *to)).or_insert(0) += 1;
            }
        }
        for ((from, to), count) in &edges {
            assert_eq!((*count, edges.get(&(*to, *from))), (1, Some(&1)), "edge {from}–{to}");
        }
        for vertex in &mesh.vertices {
            assert_inside_within(at_corners(&region), &region, &vertex.impulse);
        }
        let inscribed = enclosed(&mesh);
        let volume = region.volume(1e-6).unwrap();
        assert!(
            inscribed > 0.0 && inscribed <= volume.value * (1.0 + 1e-9) + volume.error,
            "{inscribed} {volume:?} {contact:?}"
        );
        checked += 1;
    }
    assert!(checked > 30);
    // What an inscribed mesh misses falls fourfold when its steps are halved.
    let w = [[1.0, 0.2, 0.1], [0.2, 2.0, -0.3], [0.1, -0.3, 1.5]];
    let region = region(&contact(w, [-1.0, 0.4, -0.7], 0.8));
    let volume = region.volume(1e-9).unwrap().value;
    let missed = [8, 16, 32].map(|n| volume - enclosed(&region.mesh(n).unwrap()));
    for pair in missed.windows(2) {
        assert!((3.5..4.5).contains(&(pair[0] / pair[1])), "{missed:?}");
    }
}

fn enclosed(mesh: &BoundaryMesh) -> f64 {
    let origin = mesh.vertices[0].impulse;
    mesh.triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|i| mesh.vertices[i].impulse - origin);
            let x = a[0] * (b[1] * c[2] - b[2] * c[1]);
            let y = a[1] * (b[2] * c[0] - b[0] * c[2]);
            let z = a[2] * (b[0] * c[1] - b[1] * c[0]);
            (x + y + z) / 6.0
        })
        .sum()
}

/// In space a locked plane: W = vvᵀ with v = (4, 3, 0)/5. The steepest locked direction is (3, −4, 0)/5: in the cone
/// if 4/3 ≤ μ.
#[test]
fn a_locked_plane() {
    let v: [f64; 3] = [0.8, 0.6, 0.0];
    let w = std::array::from_fn(|i| std::array::from_fn(|j| v[i] * v[j]));
    let narrow = region(&contact(w, v.map(|x| -x), 1.0));
    assert_eq!(narrow.unbounded_direction(), None);
    let volume = narrow.volume(1e-9).unwrap();
    let mesh = enclosed(&narrow.mesh(24).unwrap());
    assert!((mesh / volume.value - 1.0).abs() < 0.02, "{mesh} {volume:?}");
    let wide = region(&contact(w, v.map(|x| -x), 1.5));
    assert!(wide.unbounded_direction().is_some());
    assert!((wide.largest_restitution().unwrap().e - 1.0).abs() < 1e-12);
}

/// At grazing incidence a sliding contact still has a region. W = 1, u = (0, −1), μ = 1: the disk around (0, 1),
/// between the normal and 45°: ½∫(2 sin φ)² dφ = φ − ½ sin 2φ = π/4 − ½.
#[test]
fn grazing_incidence() {
    let region = region(&contact(PLANE, [0.0, -1.0], 1.0));
    assert!(region.has_interior());
    assert_eq!(region.interior_point(), Some(ContactVec::ZERO));
    assert_eq!(region.largest_restitution(), None);
    check_size(region.volume(1e-11).unwrap(), PI / 4.0 - 0.5);
    assert!(region.polyline(100).unwrap().len() > 90);
    let mut random = Random::new(12);
    assert_inside(&region, &region.sampler().unwrap().draw(&mut || random.uniform()).unwrap());
    // From P_0 = 0 the direction (1, ½) leads inside: energy ends it at −2 r·u/r·r = 1/1.25.
    let r = ContactVec::new([1.0, 0.5]);
    let exit = region.exit(&ContactVec::ZERO, &r).unwrap();
    assert!((exit.impulse - r * 0.8).max_abs() < 1e-15);
}
