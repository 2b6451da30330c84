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

/// What a set of poses showed.
#[derive(Default)]
struct Count {
    /// The largest |least valid gap − distance| \[m\].
    error: f64,
    apart: u32,
    overlapping: u32,
    /// Poses of two solids whose nearest points are a vertex and a vertex or an edge, which is no feature.
    by_vertices: u32,
    /// Poses of two solids that are apart, with valid edges behind the nearest ones.
    behind: u32,
    /// By how much the least of the features' distances is less than the distance, at most \[m\].
    farther: f64,
}

impl Count {
    /// One pose, with the distance by a judge, zero where the shapes overlap.
    fn add(&mut self, pair: &ShapePair, a: &Pose, b: &Pose, judge: f64, vertices: f64, what: &str) {
        let overlap = pair.overlap(a, b);
        let bound = pair.distance_bound(a, b);
        if judge <= 0.0 {
            self.overlapping += 1;
            assert!(overlap > -1e-9, "{what}: {overlap} apart, by the judge not");
            assert!(bound < 1e-9, "{what}: bound {bound} of shapes that overlap");
            return;
        }
        self.apart += 1;
        assert!(bound <= judge + 1e-12, "{what}: bound {bound}, distance {judge}");
        assert!(overlap <= 1e-12, "{what}: overlap {overlap}, distance {judge}");
        let mut least = f64::INFINITY;
        let mut valid = 0;
        let mut behind = false;
        let mut nearest = f64::INFINITY;
        for feature in &pair.features {
            let margin = feature.margin(a, b);
            let distance = feature.distance(a, b);
            nearest = nearest.min(distance);
            if margin >= 0.0 {
                let gap = feature.touch(a, b).gap;
                assert!(distance <= gap.abs() + 1e-12, "{what}: {distance} apart, gap {gap}");
            }
            valid += u32::from(margin >= 0.0);
            if margin >= -1e-12 {
                let gap = feature.touch(a, b).gap;
                if gap < -1e-12 && pair.solids && matches!(feature.kind, Kind::LineLine(_)) {
                    behind = true;
                } else {
                    least = least.min(gap);
                }
            }
        }
        // Features with their borders are the whole surface; only faces may be nearer by their bound than they are.
        assert!(nearest <= judge + 1e-12, "{what}: features {nearest} apart, shapes {judge}");
        self.farther = self.farther.max(judge - nearest);
        assert!(!pair.single || valid == 1, "{what}: {valid} valid features");
        self.behind += u32::from(behind);
        self.by_vertices += u32::from(vertices < least - 1e-12);
        self.error = self.error.max((least.min(vertices) - judge).abs());
    }

    fn print(&self, names: [&str; 2], set: &str) {
        println!(
            "{} – {} {set}: error {:.1e} m, {} apart, {} overlapping, {} by vertices, {} with edges behind, features at most {:.1e} m nearer",
            names[0],
            names[1],
            self.error,
            self.apart,
            self.overlapping,
            self.by_vertices,
            self.behind,
            self.farther,
        );
    }
}

fn compare(names: [&str; 2], near: bool, poses: u64) -> Count {
    let mut count = Count::default();
    let solids = names.iter().all(|name| matches!(*name, "box" | "convex"));
    for item in 0..poses {
        let mut rng = Rng::for_item(0xd157, item);
        let shapes = names.map(|name| spatial(&mut rng, name));
        let pair = ShapePair::new(&shapes[0], &shapes[1], false).unwrap();
        let both = [&shapes[0], &shapes[1]];
        let size = if near { 0.5 } else { 1.2 };
        let mut places = [0, 1].map(|_| Place::random(&mut rng, size, false));
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
        let vertices = if solids { least_of_vertices(both, [&a, &b]) } else { f64::INFINITY };
        count.add(&pair, &a, &b, judge, vertices, &format!("{names:?} {item}"));
    }
    count.print(names, if near { "near" } else { "anywhere" });
    count
}

#[test]
fn the_least_valid_gap_is_the_distance_in_space() {
    for names in [
        ["sphere", "sphere"],
        ["sphere", "half-space"],
        ["sphere", "capsule"],
        ["sphere", "box"],
        ["convex", "sphere"],
        ["sphere", "cylinder"],
        ["capsule", "half-space"],
        ["capsule", "capsule"],
        ["capsule", "box"],
        ["convex", "capsule"],
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
            let count = compare(names, near, 1000);
            // Shapes are of the size 1 m, and up to 5 m apart.
            assert!(count.error <= 1e-14, "{names:?}: {}", count.error);
            assert!(count.apart >= 250, "{names:?}: {} apart", count.apart);
            assert!(count.behind <= 2, "{names:?}: {} with edges behind", count.behind);
            // At 1e-3 m a vertex is nearest to an edge or vertex in one pose of some hundreds.
            assert!(!near || count.by_vertices <= 5, "{names:?}: {}", count.by_vertices);
        }
    }
}

mod plane {
    use super::*;
    use parry2d_f64::math::{Pose as ParryPose, Rot2, Vec2};
    use parry2d_f64::shape as parry;

    fn pv(v: [f64; 3]) -> Vec2 {
        Vec2::new(v[0], v[1])
    }

    fn in_parry(shape: &Shape) -> Vec<(Box<dyn parry::Shape>, ParryPose)> {
        let at = |centre: Vec2| ParryPose::from_parts(centre, Rot2::IDENTITY);
        match shape {
            Shape::Sphere { radius, center } => {
                vec![(Box::new(parry::Ball::new(*radius)), at(pv(*center)))]
            }
            Shape::Capsule { from, to, .. } => {
                vec![(Box::new(parry::Segment::new(pv(*from), pv(*to))), at(Vec2::ZERO))]
            }
            Shape::Polygon { points } => {
                let points = points.iter().map(|&p| pv(p)).collect();
                let polygon = parry::ConvexPolygon::from_convex_polyline(points).unwrap();
                vec![(Box::new(polygon), at(Vec2::ZERO))]
            }
            Shape::HalfSpace { normal, offset } => {
                let normal = pv(*normal).normalize();
                vec![(Box::new(parry::HalfSpace::new(normal)), at(normal * *offset))]
            }
            other => panic!("{other:?}"),
        }
    }

    fn distance(shapes: [&Shape; 2], places: [&Place; 2]) -> f64 {
        let mut least = f64::INFINITY;
        let pose = |p: &Place| {
            let [w, _, _, z] = p.quaternion;
            ParryPose::from_parts(pv(array(p.centre)), Rot2::new(2.0 * libm::atan2(z, w)))
        };
        for (a, at_a) in in_parry(shapes[0]) {
            for (b, at_b) in in_parry(shapes[1]) {
                let (pa, pb) = (pose(places[0]) * at_a, pose(places[1]) * at_b);
                least =
                    least.min(parry2d_f64::query::distance(&pa, &*a, &pb, &*b).unwrap().distance);
            }
        }
        for shape in shapes {
            if let Shape::Capsule { radius, .. } = shape {
                least -= radius;
            }
        }
        least.max(0.0)
    }

    /// The least distance of two corners, which is no feature of polygons.
    fn least_of_corners(shapes: [&Shape; 2], poses: [&Pose; 2]) -> f64 {
        let corners = [0, 1].map(|i| match shapes[i] {
            Shape::Polygon { points } => {
                points.iter().map(|&p| poses[i].point(&V3::from(p))).collect()
            }
            _ => Vec::new(),
        });
        let mut least = f64::INFINITY;
        for p in &corners[0] {
            for q in &corners[1] {
                least = least.min(region::length(&(p - q)));
            }
        }
        least
    }

    #[test]
    fn the_least_valid_gap_is_the_distance() {
        for names in [
            ["sphere", "sphere"],
            ["half-space", "sphere"],
            ["sphere", "capsule"],
            ["sphere", "polygon"],
            ["capsule", "half-space"],
            ["capsule", "capsule"],
            ["capsule", "polygon"],
            ["polygon", "half-space"],
            ["polygon", "polygon"],
        ] {
            let mut count = Count::default();
            for item in 0..1000 {
                let mut rng = Rng::for_item(0x2d, item);
                let shapes = names.map(|name| planar(&mut rng, name));
                let pair = ShapePair::new(&shapes[0], &shapes[1], true).unwrap();
                let places = [0, 1].map(|_| Place::random(&mut rng, 1.5, true));
                let judge = distance([&shapes[0], &shapes[1]], [&places[0], &places[1]]);
                let (a, b) = (places[0].pose(), places[1].pose());
                let corners = least_of_corners([&shapes[0], &shapes[1]], [&a, &b]);
                count.add(&pair, &a, &b, judge, corners, &format!("{names:?} {item}"));
                for feature in &pair.features {
                    let touch = feature.touch(&a, &b);
                    assert!(touch.normal.z == 0.0 && touch.point.z == 0.0, "{names:?} {item}");
                }
            }
            count.print(names, "in the plane");
            assert!(count.farther <= 1e-14, "{names:?}: {}", count.farther);
            assert!(count.error <= 1e-14, "{names:?}: {}", count.error);
            assert!(count.apart >= 250, "{names:?}: {} apart", count.apart);
        }
    }
}
