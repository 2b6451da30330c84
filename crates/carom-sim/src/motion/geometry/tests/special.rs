//! Symmetric places, borders of features, hulls, and what is refused.

use super::*;

fn still(x: f64, y: f64, z: f64) -> Pose {
    Pose { centre: V3::new(x, y, z), rotation: rotation([1.0, 0.0, 0.0, 0.0]) }
}

/// Turned about an axis through the centre.
fn turned(centre: [f64; 3], axis: V3, angle: f64) -> Pose {
    let (s, c) = libm::sincos(0.5 * angle);
    let rotation = rotation([c, s * axis.x, s * axis.y, s * axis.z]);
    Pose { centre: V3::from(centre), rotation }
}

fn cuboid(half: [f64; 3]) -> Shape {
    Shape::Box { half, center: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] }
}

fn sphere(radius: f64) -> Shape {
    Shape::Sphere { radius, center: [0.0; 3] }
}

fn capsule(length: f64, radius: f64) -> Shape {
    Shape::Capsule { radius, from: [-0.5 * length, 0.0, 0.0], to: [0.5 * length, 0.0, 0.0] }
}

fn cylinder(radius: f64, half_height: f64) -> Shape {
    Shape::Cylinder { radius, half_height, axis: [0.0, 0.0, 1.0], center: [0.0; 3] }
}

fn floor() -> Shape {
    Shape::HalfSpace { normal: [0.0, 0.0, 2.0], offset: 0.0 }
}

fn convex(points: Vec<[f64; 3]>) -> Shape {
    Shape::Convex { points }
}

fn pair(a: &Shape, b: &Shape) -> ShapePair {
    ShapePair::new(a, b, false).unwrap()
}

/// Contacts: valid features with |gap| ≤ 1e-12 m; everything that a feature answers is finite.
fn contacts(pair: &ShapePair, a: &Pose, b: &Pose) -> Vec<(&'static str, Touch)> {
    let twists = [
        Twist { velocity: V3::new(0.1, 0.2, 0.3), spin: V3::new(0.3, 0.2, -0.1) },
        Twist { velocity: V3::new(-0.1, 0.4, 0.3), spin: V3::new(0.5, -0.2, 0.2) },
    ];
    let mut contacts = Vec::new();
    for feature in &pair.features {
        let (touch, margin) = (feature.touch(a, b), feature.margin(a, b));
        let rates = feature.rates(&touch, [a, b], [&twists[0], &twists[1]]);
        assert!(!margin.is_nan() && feature.turning(a, b).is_finite());
        assert!(touch.gap.is_finite() && (touch.normal.dot(&touch.normal) - 1.0).abs() < 1e-14);
        for v in [touch.point, rates.normal, rates.point] {
            assert!(v.iter().all(|x| x.is_finite()), "{feature:?}");
        }
        if margin >= -1e-12 && touch.gap.abs() <= 1e-12 {
            let kind = match feature.kind {
                Kind::PlaneSphere(_) => "face",
                Kind::LineLine(_) => "lines",
                Kind::LineSphere(_) => "line",
                Kind::SphereSphere(_) => "corner",
                Kind::RimPlane(_) | Kind::RimSphere(_) => "rim",
                Kind::CapPoint(_) => "cap",
            };
            contacts.push((kind, touch));
        }
    }
    contacts
}

fn count(contacts: &[(&str, Touch)], kind: &str) -> usize {
    contacts.iter().filter(|contact| contact.0 == kind).count()
}

#[test]
fn a_box_lies_flat_on_a_box() {
    let up = V3::z();
    // A smaller one in the middle of a larger one: its four lower corners.
    let small = pair(&cuboid([2.0, 2.0, 0.5]), &cuboid([1.0, 1.0, 0.5]));
    let found = contacts(&small, &still(0.0, 0.0, 0.0), &still(0.1, 0.2, 1.0));
    assert_eq!((found.len(), count(&found, "face")), (4, 4));
    assert!(found.iter().all(|(_, touch)| touch.normal == up && touch.point.z == 0.5));
    assert!(!small.single);

    // Across each other: the four crossings of their long edges.
    let across = pair(&cuboid([3.0, 1.0, 0.5]), &cuboid([1.0, 3.0, 0.5]));
    let found = contacts(&across, &still(0.0, 0.0, 0.0), &still(0.0, 0.0, 1.0));
    assert_eq!((found.len(), count(&found, "lines")), (4, 4));
    assert!(found.iter().all(|(_, touch)| touch.normal == up));
    // A tilt of rounding size leaves them.
    let tilted = turned([0.0, 0.0, 1.0], V3::x(), 1e-13);
    assert_eq!(contacts(&across, &still(0.0, 0.0, 0.0), &tilted).len(), 4);

    // Turned by 45 degrees: an octagon of eight crossings.
    let equal = pair(&cuboid([1.0; 3]), &cuboid([1.0; 3]));
    let eighth = turned([0.0, 0.0, 2.0], V3::z(), std::f64::consts::FRAC_PI_4);
    let found = contacts(&equal, &still(0.0, 0.0, 0.0), &eighth);
    assert_eq!((found.len(), count(&found, "lines")), (8, 8));

    // Equal boxes, edge over edge: corners on corners both ways, and edges that end on each other, all on borders.
    let (a, b) = (still(0.0, 0.0, 0.0), still(0.0, 0.0, 2.0));
    let found = contacts(&equal, &a, &b);
    assert_eq!(count(&found, "face"), 8);
    assert!(found.iter().all(|(_, touch)| touch.normal == up && touch.gap == 0.0));
    let on_border = |f: &&Feature| f.margin(&a, &b) == 0.0 && f.touch(&a, &b).gap == 0.0;
    assert!(equal.features.iter().filter(on_border).count() >= 8);
    assert_eq!(equal.overlap(&a, &b), 0.0);
    assert_eq!(equal.distance_bound(&a, &b), 0.0);
}

#[test]
fn features_of_opposite_order_have_opposite_normals() {
    let mut rng = Rng::new(0x5a);
    for names in [["box", "sphere"], ["capsule", "convex"], ["cylinder", "sphere"], ["box", "box"]]
    {
        let shapes = names.map(|name| spatial(&mut rng, name));
        let [a, b] = [0, 1].map(|_| Place::random(&mut rng, 1.0, false).pose());
        let list = |pair: &ShapePair, a: &Pose, b: &Pose, sign: f64| {
            let of = |f: &Feature| (f.touch(a, b).gap, f.touch(a, b).normal * sign, f.margin(a, b));
            let mut list: Vec<_> = pair.features.iter().map(of).collect();
            list.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.2.total_cmp(&y.2)));
            list
        };
        let one = list(&pair(&shapes[0], &shapes[1]), &a, &b, 1.0);
        let other = list(&pair(&shapes[1], &shapes[0]), &b, &a, -1.0);
        assert_eq!(one.len(), other.len());
        for (one, other) in one.iter().zip(&other) {
            assert!((one.0 - other.0).abs() < 1e-14, "{names:?}");
            assert!(region::length(&(one.1 - other.1)) < 1e-13, "{names:?}");
            assert!((one.2 - other.2).abs() < 1e-13 || one.2 == other.2, "{names:?}");
        }
    }
}

#[test]
fn a_flat_contact_has_the_same_points_in_either_order() {
    let (a, b) = (still(0.0, 0.0, 0.0), still(0.3, 0.4, 1.0));
    let (lower, upper) = (cuboid([2.0, 2.0, 0.5]), cuboid([1.0, 1.0, 0.5]));
    let mut one = contacts(&pair(&lower, &upper), &a, &b);
    let mut other = contacts(&pair(&upper, &lower), &b, &a);
    for list in [&mut one, &mut other] {
        list.sort_by(|x, y| {
            x.1.point.x.total_cmp(&y.1.point.x).then(x.1.point.y.total_cmp(&y.1.point.y))
        });
    }
    assert_eq!((one.len(), other.len()), (4, 4));
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one.1.point, other.1.point);
        assert_eq!(one.1.normal, -other.1.normal);
    }
}

#[test]
fn parallel_capsules_touch_at_the_ends_of_their_overlap() {
    let pair = pair(&capsule(2.0, 0.25), &capsule(2.0, 0.25));
    assert!(!pair.single);
    let a = still(0.0, 0.0, 0.0);
    // Half a length aside: an end of each on the other's side.
    let found = contacts(&pair, &a, &still(1.0, 0.0, 0.5));
    assert_eq!((found.len(), count(&found, "line")), (2, 2));
    assert!(found.iter().all(|(_, touch)| touch.normal == V3::z() && touch.point.z == 0.25));
    let mut places: Vec<f64> = found.iter().map(|(_, touch)| touch.point.x).collect();
    places.sort_by(f64::total_cmp);
    assert_eq!(places, [0.0, 1.0]);
    // By less than the slack from parallel as well.
    let found = contacts(&pair, &a, &turned([1.0, 0.0, 0.5], V3::z(), 9e-7));
    assert_eq!(count(&found, "line"), 2);
    // Over each other: all four ends, and ends on ends.
    let found = contacts(&pair, &a, &still(0.0, 0.0, 0.5));
    assert_eq!((count(&found, "line"), count(&found, "corner")), (4, 2));
    // One behind the other: the ends alone.
    let found = contacts(&pair, &a, &still(2.5, 0.0, 0.0));
    assert_eq!((found.len(), count(&found, "corner")), (1, 1));
    // Across: the axes alone.
    let found = contacts(&pair, &a, &turned([0.0, 0.0, 0.5], V3::z(), 1.0));
    assert_eq!((found.len(), count(&found, "lines")), (1, 1));
    // In one place.
    contacts(&pair, &a, &a);
}

#[test]
fn a_capsule_lies_on_a_box() {
    let slab = cuboid([2.0, 2.0, 0.5]);
    let ends = pair(&slab, &capsule(2.0, 0.25));
    let a = still(0.0, 0.0, 0.0);
    let found = contacts(&ends, &a, &still(0.0, 0.0, 0.75));
    assert_eq!((found.len(), count(&found, "face")), (2, 2));
    // Along an edge, outside of it by an angle.
    let d = 0.25 * f64::sqrt(0.5);
    let found = contacts(&ends, &a, &still(0.0, 2.0 + d, 0.5 + d));
    assert_eq!((found.len(), count(&found, "line")), (2, 2));
    // Longer than the face: its side on two edges.
    let long = pair(&slab, &capsule(6.0, 0.25));
    let found = contacts(&long, &a, &still(0.0, 0.0, 0.75));
    assert_eq!((found.len(), count(&found, "lines")), (2, 2));
    assert!(found.iter().all(|(_, touch)| touch.normal == V3::z() && touch.point.z == 0.5));
    // Through it, ends outside.
    assert_eq!(long.overlap(&a, &still(0.0, 0.0, 0.0)), 0.25);
}

#[test]
fn a_cylinder_stands_lies_and_leans_on_a_floor() {
    let pair = pair(&floor(), &cylinder(0.5, 1.0));
    let a = still(0.0, 0.0, 0.0);
    let found = contacts(&pair, &a, &still(0.0, 0.0, 1.0));
    assert_eq!((found.len(), count(&found, "cap")), (12, 12));
    let sum: V3 = found.iter().map(|(_, touch)| touch.point).sum();
    assert!(region::length(&sum) < 1e-14, "the twelve are 30° apart: {sum}");
    // On the other cap.
    let over = turned([0.0, 0.0, 1.0], V3::x(), std::f64::consts::PI);
    assert_eq!(count(&contacts(&pair, &a, &over), "cap"), 12);
    // A lean of 1e-3, whose direction has an error of 1e-16/1e-3, has one lowest point, 0.5 m from the axis in the lean's direction.
    let lean = 1e-3;
    let (s, c) = libm::sincos(lean);
    let found = contacts(&pair, &a, &turned([0.0, 0.0, c + 0.5 * s], V3::x(), lean));
    assert_eq!((found.len(), count(&found, "rim")), (1, 1));
    assert!((found[0].1.point - V3::new(0.0, s - 0.5 * c, 0.0)).norm() < 1e-12);
    // On its side both rims touch.
    let found = contacts(&pair, &a, &turned([0.0, 0.0, 0.5], V3::x(), std::f64::consts::FRAC_PI_2));
    assert_eq!((found.len(), count(&found, "rim")), (2, 2));
}

/// A sphere is led around a solid at a distance: exactly one feature is valid, and gap and normal go over from one to the next.
#[test]
fn one_feature_at_a_time_under_a_rolling_sphere() {
    let mut rng = Rng::new(0x2011);
    for (name, steps) in [("box", 2000), ("convex", 4000), ("cylinder", 2000), ("capsule", 2000)] {
        let shape = spatial(&mut rng, name);
        let pair = pair(&shape, &sphere(0.2));
        assert!(pair.single);
        let a = still(0.0, 0.0, 0.0);
        let axis = vector(&mut rng, 1.0).normalize();
        let [t, u] = crate::motion::vector::tangents(&axis, false);
        let mut last: Option<(Touch, usize)> = None;
        let mut changes = 0;
        for i in 0..=steps {
            let (s, c) = libm::sincos(std::f64::consts::TAU * i as f64 / steps as f64);
            let direction = t * c + u * s;
            let b = still(2.5 * direction.x, 2.5 * direction.y, 2.5 * direction.z);
            let valid: Vec<usize> = (0..pair.features.len())
                .filter(|&i| pair.features[i].margin(&a, &b) >= 0.0)
                .collect();
            assert_eq!(valid.len(), 1, "{name} {i}: {valid:?}");
            let touch = pair.features[valid[0]].touch(&a, &b);
            if let Some((before, feature)) = last {
                changes += usize::from(feature != valid[0]);
                assert!((touch.gap - before.gap).abs() < 0.02, "{name} {i}");
                assert!(region::length(&(touch.normal - before.normal)) < 0.05, "{name} {i}");
            }
            last = Some((touch, valid[0]));
        }
        assert!(changes >= 3, "{name}: {changes} changes of feature");
    }
}

#[test]
fn points_touch_faces_only() {
    let points = Shape::Points { points: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]] };
    for solid in [cuboid([0.5, 0.5, 0.25]), cylinder(0.5, 0.25)] {
        let pair = pair(&solid, &points);
        assert!(!pair.single);
        let a = still(0.0, 0.0, 0.0);
        let found = contacts(&pair, &a, &still(0.2, 0.1, 0.25));
        assert_eq!((found.len(), count(&found, "face")), (1, 1));
        assert_eq!(found[0].1.point, V3::new(0.2, 0.1, 0.25));
        // A point far below is not deep inside.
        for feature in &pair.features {
            let below = still(0.2, 0.1, -3.0);
            assert!(feature.margin(&a, &below) < 0.0 || feature.touch(&a, &below).gap > 0.0);
        }
    }
    assert!(pair(&points, &points).features.is_empty());
}

#[test]
fn shapes_in_one_place_have_finite_answers() {
    let shapes = [sphere(0.3), capsule(1.0, 0.2), cuboid([0.5; 3]), cylinder(0.4, 0.5)];
    for a in &shapes {
        for b in &shapes {
            let Ok(pair) = ShapePair::new(a, b, false) else { continue };
            contacts(&pair, &still(0.0, 0.0, 0.0), &still(0.0, 0.0, 0.0));
            assert!(pair.overlap(&still(0.0, 0.0, 0.0), &still(0.0, 0.0, 0.0)) > 0.0);
        }
    }
}

#[test]
fn what_is_not_supported_says_so() {
    let error = |a: &Shape, b: &Shape, planar: bool| ShapePair::new(a, b, planar).unwrap_err();
    let drum = cylinder(0.5, 0.5);
    let others = [
        ("box", cuboid([0.5; 3])),
        ("cylinder", drum.clone()),
        ("capsule", capsule(1.0, 0.1)),
        ("convex", convex(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])),
    ];
    for (name, other) in &others {
        let sentence = error(&drum, other, false);
        assert!(sentence.starts_with(&format!("cylinder against {name} ")), "{sentence}");
        assert!(sentence.contains("convex"), "{sentence}");
        let sentence = error(other, &drum, false);
        assert!(sentence.starts_with(&format!("{name} against cylinder ")), "{sentence}");
    }
    assert!(error(&cuboid([0.5; 3]), &sphere(1.0), true).contains("polygon"));
    let polygon = |points: &[[f64; 2]]| Shape::Polygon {
        points: points.iter().map(|p| [p[0], p[1], 0.0]).collect(),
    };
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    assert!(ShapePair::new(&polygon(&square), &sphere(1.0), true).is_ok());
    assert!(error(&polygon(&square), &sphere(1.0), false).contains("convex"));
    let backwards: Vec<_> = square.into_iter().rev().collect();
    let star: Vec<[f64; 2]> = (0..5)
        .map(|i| libm::sincos(0.8 * std::f64::consts::PI * f64::from(i)))
        .map(|(s, c)| [c, s])
        .collect();
    let straight = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]];
    let dent = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [1.0, 2.0]];
    for bad in [&backwards[..], &star, &straight, &dent, &square[..2]] {
        assert!(error(&polygon(bad), &sphere(1.0), true).starts_with("the polygon "));
    }
    assert!(error(&sphere(0.0), &sphere(1.0), false).contains("positive radius"));
    let flat = convex(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
    assert!(error(&flat, &sphere(1.0), false).contains("flat"));
    let mut rng = Rng::new(3);
    let many = (0..501).map(|_| array(vector(&mut rng, 1.0))).collect();
    assert!(error(&convex(many), &sphere(1.0), false).contains("501 points"));
    // Two of many corners each have more pairs of features than a step can search.
    let mut round = || convex((0..200).map(|_| array(vector(&mut rng, 1.0).normalize())).collect());
    assert!(error(&round(), &round(), false).contains("pairs of features"));
}

/// Euler's formula, closed circuits, all points behind all faces, all corners on three faces or more.
fn check_hull(points: &[V3]) -> hull::Hull {
    let hull = hull::hull(points).unwrap();
    let edges: usize = hull.faces.iter().map(Vec::len).sum::<usize>() / 2;
    assert_eq!(hull.vertices.len() + hull.faces.len(), edges + 2, "Euler");
    let directed: Vec<_> = hull.faces.iter().flat_map(|face| hull::circuit(face)).collect();
    let sorted: std::collections::BTreeSet<_> = directed.iter().copied().collect();
    assert_eq!(sorted.len(), directed.len());
    assert!(directed.iter().all(|&(i, j)| sorted.contains(&(j, i))));
    for face in &hull.faces {
        let normal = hull::newell(&hull.vertices, face);
        for p in points {
            let height = normal.dot(&(p - hull.vertices[face[0]]));
            assert!(height <= 1e-10, "a point {height} in front of a face");
        }
    }
    hull
}

#[test]
fn hulls_of_points() {
    let mut rng = Rng::new(0x6a);
    for item in 0..60 {
        let count = 4 + item * 8;
        let inside: Vec<V3> = (0..count).map(|_| vector(&mut rng, 1.0)).collect();
        check_hull(&inside);
        // On a sphere all points are corners, and faces are triangles.
        let round: Vec<V3> = inside.iter().map(|p| p.normalize()).collect();
        let hull = check_hull(&round);
        assert_eq!(hull.vertices.len() as u64, count);
        assert_eq!(hull.faces.len() as u64, 2 * count - 4);
    }
    // A grid of 125 points, turned: eight corners, six faces.
    for _ in 0..20 {
        let turn = rotation(quaternion(&mut rng));
        let grid = |i: usize| turn * V3::new((i % 5) as f64, (i / 5 % 5) as f64, (i / 25) as f64);
        let mut points: Vec<V3> = (0..125).map(grid).collect();
        points.push(points[3]);
        let hull = check_hull(&points);
        assert_eq!((hull.vertices.len(), hull.faces.len()), (8, 6));
    }
    // A prism of 100 sides, turned: what stands for a cylinder.
    let turn = rotation(quaternion(&mut rng));
    let prism: Vec<V3> = (0..200)
        .map(|i| {
            let (s, c) = libm::sincos(std::f64::consts::TAU * f64::from(i / 2) / 100.0);
            turn * V3::new(c, s, f64::from(i % 2))
        })
        .collect();
    let hull = check_hull(&prism);
    assert_eq!((hull.vertices.len(), hull.faces.len()), (200, 102));
    // The corners of a dodecahedron and of an icosahedron.
    let golden = 0.5 * (1.0 + f64::sqrt(5.0));
    let signs = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
    let cycle = |x: f64, y: f64, z: f64| [V3::new(x, y, z), V3::new(y, z, x), V3::new(z, x, y)];
    let ico: Vec<V3> = signs.iter().flat_map(|s| cycle(0.0, s[0], s[1] * golden)).collect();
    let hull = check_hull(&ico);
    assert_eq!((hull.vertices.len(), hull.faces.len()), (12, 20));
    let mut dodeca: Vec<V3> =
        signs.iter().flat_map(|s| cycle(0.0, s[0] / golden, s[1] * golden)).collect();
    for s in signs {
        dodeca.extend([1.0, -1.0].map(|z| V3::new(s[0], s[1], z)));
    }
    let hull = check_hull(&dodeca);
    assert_eq!((hull.vertices.len(), hull.faces.len()), (20, 12));
}

/// A convex of a box's corners has the same contacts as the box.
#[test]
fn a_box_by_its_corners_is_a_box() {
    let half = [0.3, 0.5, 0.7];
    let corners = (0..8)
        .map(|i: usize| std::array::from_fn(|j| if i >> j & 1 == 1 { half[j] } else { -half[j] }));
    let hull = convex(corners.collect());
    let mut rng = Rng::new(7);
    for other in ["box", "capsule", "sphere", "half-space"] {
        for _ in 0..100 {
            let other = spatial(&mut rng, other);
            let [a, b] = [0, 1].map(|_| Place::random(&mut rng, 1.0, false).pose());
            let least = |shape: &Shape| {
                let pair = pair(shape, &other);
                let valid = pair.features.iter().filter(|f| f.margin(&a, &b) >= 0.0);
                valid.map(|f| f.touch(&a, &b).gap).fold(f64::INFINITY, f64::min)
            };
            let (by_corners, by_sides) = (least(&hull), least(&cuboid(half)));
            assert!(by_corners == by_sides || (by_corners - by_sides).abs() < 1e-14);
        }
    }
}

/// The shape reaches as far as its bounding radius, and neither it nor a feature further.
#[test]
fn bounds_hold_the_shapes() {
    let mut rng = Rng::new(11);
    let a = still(0.0, 0.0, 0.0);
    for name in ["sphere", "capsule", "box", "cylinder", "convex", "points"] {
        for _ in 0..20 {
            let shape = spatial(&mut rng, name);
            let radius = bounding_radius(&shape);
            let pair = pair(&shape, &sphere(0.1));
            for feature in &pair.features {
                let [reach, of_sphere] = feature.reach();
                assert!(reach <= radius + 1e-12 && of_sphere == 0.1, "{name}: {reach}, {radius}");
            }
            // By the distances of a sphere 1 km away: its own curvature adds 1 m²/2 km.
            let mut farthest = f64::NEG_INFINITY;
            for _ in 0..4000 {
                let direction = vector(&mut rng, 1.0).normalize() * 1e3;
                let b = still(direction.x, direction.y, direction.z);
                let valid = pair.features.iter().filter(|f| f.margin(&a, &b) >= 0.0);
                let gap = valid.map(|f| f.touch(&a, &b).gap).fold(f64::INFINITY, f64::min);
                farthest = farthest.max(1e3 - 0.1 - gap);
            }
            assert!(farthest <= radius + 1e-9, "{name}: {farthest}, {radius}");
            // Of 4000 directions one is within 0.1 rad of the farthest point's.
            assert!(farthest >= 0.99 * radius - 2e-3, "{name}: {farthest}, {radius}");
        }
    }
    assert_eq!(bounding_radius(&floor()), f64::INFINITY);
    let mut swapped = pair(&sphere(0.1), &cuboid([1.0, 2.0, 2.0])).features.into_iter();
    assert!(swapped.any(|feature| feature.reach() == [0.1, 3.0]));
}

/// The normal turns no faster than the search of roots takes for granted.
#[test]
fn radii_of_curvature() {
    let radius = |a: &Shape, b: &Shape| {
        let features = pair(a, b).features;
        features.iter().map(Feature::curvature_radius).fold(f64::INFINITY, f64::min)
    };
    assert_eq!(radius(&floor(), &sphere(0.3)), f64::INFINITY);
    assert_eq!(radius(&cuboid([1.0; 3]), &cuboid([1.0; 3])), f64::INFINITY);
    assert_eq!(radius(&sphere(0.25), &sphere(0.5)), 0.75);
    assert_eq!(radius(&cuboid([1.0; 3]), &sphere(0.3)), 0.3);
    assert_eq!(radius(&capsule(1.0, 0.25), &sphere(0.5)), 0.75);
}

/// While a box slides off another, corners and crossings of edges take turns; their contacts always span the overlap.
#[test]
fn a_box_slides_off_a_box() {
    let pair = pair(&cuboid([1.0, 1.0, 0.5]), &cuboid([0.5, 2.0, 0.5]));
    let a = still(0.0, 0.0, 0.0);
    for turn in [0.0, 1e-3, 0.3] {
        for i in 0..=280 {
            let x = -1.4 + 0.01 * f64::from(i) + 1e-3;
            let b = turned([x, 0.0, 1.0], V3::z(), turn);
            let found = contacts(&pair, &a, &b);
            let horizontal = found.iter().filter(|c| c.1.normal.z < 0.999).count();
            assert_eq!(horizontal, 0, "{turn} {x}: sides do not touch");
            if turn == 0.0 {
                assert_eq!(found.len(), 4, "{x}");
                let (low, high) = (f64::max(x - 0.5, -1.0), f64::min(x + 0.5, 1.0));
                for (corner_x, corner_y) in [(low, -1.0), (low, 1.0), (high, -1.0), (high, 1.0)] {
                    let corner = V3::new(corner_x, corner_y, 0.5);
                    let near = |c: &&(&str, Touch)| region::length(&(c.1.point - corner)) < 1e-12;
                    assert_eq!(found.iter().filter(near).count(), 1, "{x}: {corner}");
                }
            }
            assert!(found.len() >= 3, "{turn} {x}: {}", found.len());
        }
    }
}

/// Equal squares, one on the other: both corners of each, pressed up.
#[test]
fn a_square_lies_on_a_square() {
    let square = Shape::Polygon {
        points: vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]],
    };
    let pair = ShapePair::new(&square, &square, true).unwrap();
    let found = contacts(&pair, &still(0.0, 0.0, 0.0), &still(0.0, 2.0, 0.0));
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|(_, touch)| touch.normal == V3::y() && touch.gap == 0.0));
}

/// Points of a lattice, turned: many lie in common planes and on common lines.
#[test]
fn hulls_of_lattices() {
    let mut rng = Rng::new(0x1a77);
    let mut flat = 0;
    for _ in 0..2000 {
        let turn = rotation(quaternion(&mut rng));
        let count = 4 + rng.index(40);
        let side = 2 + rng.index(3);
        let points: Vec<V3> = (0..count)
            .map(|_| turn * V3::from_fn(|_, _| rng.index(side) as f64) + V3::new(0.1, 0.2, 0.3))
            .collect();
        match hull::hull(&points) {
            Ok(_) => drop(check_hull(&points)),
            Err(reason) => {
                assert!(reason.contains("flat"), "{reason}: {points:?}");
                flat += 1;
            }
        }
    }
    assert!(flat < 200, "{flat} of 2000 flat");
}
