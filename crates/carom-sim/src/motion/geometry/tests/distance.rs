//! The least valid gap against the distance by parry.

use super::*;
use parry3d_f64::math::{Pose as ParryPose, Rot3, Vec3 as PV};
use parry3d_f64::shape as parry;

fn pv(v: [f64; 3]) -> PV {
    PV::new(v[0], v[1], v[2])
}

fn turn([w, x, y, z]: [f64; 4]) -> Rot3 {
    Rot3::from_xyzw(x, y, z, w)
}

/// Parry's shapes, each with its place in the body. A capsule is its axis: parry's own iteration ends early on round shapes,
/// with errors up to 7e-6 m.
fn in_parry(shape: &Shape) -> Vec<(Box<dyn parry::Shape>, ParryPose)> {
    let at = |centre: PV, turn: Rot3| ParryPose::from_parts(centre, turn);
    let here = ParryPose::identity();
    match shape {
        Shape::Sphere { radius, center } => {
            vec![(Box::new(parry::Ball::new(*radius)), at(pv(*center), Rot3::IDENTITY))]
        }
        Shape::Capsule { from, to, .. } => {
            vec![(Box::new(parry::Segment::new(pv(*from), pv(*to))), here)]
        }
        Shape::Box { half, center, orientation } => {
            vec![(Box::new(parry::Cuboid::new(pv(*half))), at(pv(*center), turn(*orientation)))]
        }
        Shape::Cylinder { radius, half_height, axis, center } => vec![(
            Box::new(parry::Cylinder::new(*half_height, *radius)),
            at(pv(*center), Rot3::from_rotation_arc(PV::Y, pv(*axis).normalize())),
        )],
        Shape::Convex { points } => {
            let points: Vec<PV> = points.iter().map(|&p| pv(p)).collect();
            let hull = parry::ConvexPolyhedron::from_convex_hull(&points).unwrap();
            vec![(Box::new(hull), here)]
        }
        Shape::HalfSpace { normal, offset } => {
            let normal = pv(*normal).normalize();
            vec![(Box::new(parry::HalfSpace::new(normal)), at(normal * *offset, Rot3::IDENTITY))]
        }
        Shape::Points { points } => points
            .iter()
            .map(|&p| {
                let ball: Box<dyn parry::Shape> = Box::new(parry::Ball::new(0.0));
                (ball, at(pv(p), Rot3::IDENTITY))
            })
            .collect(),
        Shape::Polygon { .. } => panic!("a shape of the plane"),
    }
}

fn parry_distance(shapes: [&Shape; 2], places: [&Place; 2]) -> f64 {
    let pose = |p: &Place| ParryPose::from_parts(pv(array(p.centre)), turn(p.quaternion));
    let mut least = f64::INFINITY;
    for (a, at_a) in in_parry(shapes[0]) {
        for (b, at_b) in in_parry(shapes[1]) {
            let (pa, pb) = (pose(places[0]) * at_a, pose(places[1]) * at_b);
            least = least.min(parry3d_f64::query::distance(&pa, &*a, &pb, &*b).unwrap().distance);
        }
    }
    let thickness = |shape: &Shape| match shape {
        Shape::Capsule { radius, .. } => *radius,
        _ => 0.0,
    };
    (least - thickness(shapes[0]) - thickness(shapes[1])).max(0.0)
}

/// The least gap of valid features.
fn least_gap(pair: &ShapePair, a: &Pose, b: &Pose) -> f64 {
    pair.features
        .iter()
        .filter(|feature| feature.margin(a, b) >= -1e-12)
        .map(|feature| feature.touch(a, b).gap)
        .fold(f64::INFINITY, f64::min)
}

/// The least distance of vertices of solids from vertices and edges of the other, which are no features of theirs.
fn least_of_vertices(solids: [&Shape; 2], poses: [&Pose; 2]) -> f64 {
    let solids = solids.map(|shape| match shapes::Part::new(shape, false).unwrap() {
        shapes::Part::Solid(solid) => solid,
        _ => panic!("not a solid"),
    });
    let mut least = f64::INFINITY;
    for (i, j) in [(0, 1), (1, 0)] {
        for vertex in &solids[i].vertices {
            let x = region::local(poses[j], &poses[i].point(vertex));
            for edge in &solids[j].edges {
                let line = &edge.edge.line;
                let s = line.direction.dot(&(x - line.from)).clamp(0.0, line.length);
                least = least.min(region::length(&(x - line.from - line.direction * s)));
            }
        }
    }
    least
}

struct Count {
    error: f64,
    apart: u32,
    overlapping: u32,
    by_vertices: u32,
}

fn compare(names: [&str; 2], near: bool, poses: u64) -> Count {
    let mut count = Count { error: 0.0, apart: 0, overlapping: 0, by_vertices: 0 };
    let solid = |name: &str| matches!(name, "box" | "convex");
    for item in 0..poses {
        let mut rng = Rng::for_item(0xd157, item);
        let shapes = names.map(|name| spatial(&mut rng, name));
        let pair = ShapePair::new(&shapes[0], &shapes[1], false).unwrap();
        let both = [&shapes[0], &shapes[1]];
        let mut places =
            [0, 1].map(|_| Place::random(&mut rng, if near { 0.5 } else { 1.2 }, false));
        if near {
            // The second comes from far, no further than its distance at a time, or passes.
            let direction = match &shapes[1] {
                Shape::HalfSpace { normal, .. } => -(places[1].pose().rotation * V3::from(*normal)),
                _ => vector(&mut rng, 1.0),
            };
            let direction = direction / region::length(&direction);
            let mut left = 10.0;
            places[1].centre += direction * left;
            while left > -10.0 {
                let distance = parry_distance(both, [&places[0], &places[1]]);
                if distance < 1e-3 {
                    break;
                }
                places[1].centre -= direction * distance;
                left -= distance;
            }
        }
        let judge = parry_distance(both, [&places[0], &places[1]]);
        if near && judge > 0.01 {
            continue;
        }
        let (a, b) = (places[0].pose(), places[1].pose());
        let least = least_gap(&pair, &a, &b);
        let bound = pair.distance_bound(&a, &b);
        let overlap = pair.overlap(&a, &b);
        if judge <= 0.0 {
            count.overlapping += 1;
            assert!(overlap > -1e-9, "{names:?} {item}: {overlap} apart, parry says not");
            assert!(bound < 1e-9, "{names:?} {item}: bound {bound} of shapes that overlap");
            continue;
        }
        count.apart += 1;
        assert!(bound <= judge + 1e-9, "{names:?} {item}: bound {bound}, distance {judge}");
        let allowed = if names.contains(&"convex") { 1e-7 } else { 1e-9 };
        assert!(overlap <= allowed, "{names:?} {item}: overlap {overlap}, distance {judge}");
        if pair.single {
            let valid = pair.features.iter().filter(|f| f.margin(&a, &b) >= 0.0).count();
            assert_eq!(valid, 1, "{names:?} {item}");
        }
        let mut oracle = least;
        if solid(names[0]) && solid(names[1]) {
            oracle = least.min(least_of_vertices(both, [&a, &b]));
            count.by_vertices += u32::from(oracle < least);
        }
        let error = (oracle - judge).abs();
        if error > 1e-7 && count.error < 1e-7 {
            println!("{names:?} {item}: {oracle} for {judge}");
        }
        count.error = count.error.max(error);
    }
    println!(
        "{names:?} {}: error {:.1e} m, {} apart, {} overlapping, {} nearest by vertices",
        if near { "near" } else { "anywhere" },
        count.error,
        count.apart,
        count.overlapping,
        count.by_vertices,
    );
    count
}

#[test]
fn the_least_valid_gap_is_the_distance() {
    for names in [
        ["sphere", "sphere"],
        ["sphere", "half-space"],
        ["sphere", "capsule"],
        ["sphere", "box"],
        ["sphere", "convex"],
        ["sphere", "cylinder"],
        ["capsule", "half-space"],
        ["capsule", "capsule"],
        ["capsule", "box"],
        ["capsule", "convex"],
        ["box", "half-space"],
        ["convex", "half-space"],
        ["cylinder", "half-space"],
        ["points", "half-space"],
        ["points", "sphere"],
        ["points", "capsule"],
        ["box", "box"],
        ["convex", "box"],
        ["convex", "convex"],
    ] {
        for near in [false, true] {
            compare(names, near, 1000);
        }
    }
}
