//! How deep shapes lie in each other, by other means than the simulator's: separating planes, and distances of segments
//! and triangles.

use carom_sim::motion::{BodyState, Shape, Turn};
use nalgebra::{Matrix3, Vector3};

type V3 = Vector3<f64>;

/// The rotation of a state.
pub fn rotation(turn: Turn) -> Matrix3<f64> {
    match turn {
        Turn::Angle(angle) => {
            let (s, c) = libm::sincos(angle);
            Matrix3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
        }
        Turn::Quaternion([w, x, y, z]) => {
            let q = nalgebra::Quaternion::new(w, x, y, z);
            nalgebra::UnitQuaternion::from_quaternion(q).to_rotation_matrix().into_inner()
        }
    }
}

/// A shape in the world.
enum Placed {
    HalfSpace {
        normal: V3,
        offset: f64,
    },
    /// Within a radius of a point or a segment.
    Round {
        ends: Vec<V3>,
        radius: f64,
    },
    Solid {
        corners: Vec<V3>,
        planar: bool,
    },
    Cylinder {
        centre: V3,
        axis: V3,
        radius: f64,
        half: f64,
    },
    Points(Vec<V3>),
}

fn placed(shape: &Shape, state: &BodyState) -> Placed {
    let (centre, turn) = (V3::from(state.position), rotation(state.orientation));
    let at = |p: &[f64; 3]| centre + turn * V3::from(*p);
    match shape {
        Shape::Sphere { radius, center } => {
            Placed::Round { ends: vec![at(center)], radius: *radius }
        }
        Shape::Capsule { radius, from, to } => {
            Placed::Round { ends: vec![at(from), at(to)], radius: *radius }
        }
        Shape::Box { half, center, .. } => {
            let corners = (0..8)
                .map(|i| {
                    at(&std::array::from_fn(|k| {
                        center[k] + if i >> k & 1 == 0 { -half[k] } else { half[k] }
                    }))
                })
                .collect();
            Placed::Solid { corners, planar: false }
        }
        Shape::Cylinder { radius, half_height, axis, center } => Placed::Cylinder {
            centre: at(center),
            axis: turn * V3::from(*axis).normalize(),
            radius: *radius,
            half: *half_height,
        },
        Shape::Convex { points } => {
            Placed::Solid { corners: points.iter().map(at).collect(), planar: false }
        }
        Shape::Polygon { points } => {
            Placed::Solid { corners: points.iter().map(at).collect(), planar: true }
        }
        Shape::Points { points } => Placed::Points(points.iter().map(at).collect()),
        Shape::HalfSpace { normal, offset } => {
            let normal = turn * V3::from(*normal).normalize();
            Placed::HalfSpace { normal, offset: offset + normal.dot(&centre) }
        }
    }
}

/// How deep two shapes lie in each other, not positive where they do not [m].
pub fn depth(a: &Shape, at: &BodyState, b: &Shape, bt: &BodyState) -> f64 {
    let (a, b) = (placed(a, at), placed(b, bt));
    between(&a, &b).or_else(|| between(&b, &a)).unwrap_or(f64::NEG_INFINITY)
}

fn between(a: &Placed, b: &Placed) -> Option<f64> {
    Some(match (a, b) {
        (Placed::HalfSpace { normal, offset }, _) => {
            let height = |p: &V3| normal.dot(p) - offset;
            let lowest = |points: &[V3]| points.iter().map(height).fold(f64::INFINITY, f64::min);
            match b {
                Placed::Round { ends, radius } => radius - lowest(ends),
                Placed::Solid { corners, .. } => -lowest(corners),
                Placed::Points(points) => -lowest(points),
                Placed::Cylinder { centre, axis, radius, half } => {
                    let along = axis.dot(normal);
                    let across = (axis.cross(normal)).norm();
                    half * along.abs() + radius * across - height(centre)
                }
                Placed::HalfSpace { .. } => return None,
            }
        }
        (Placed::Round { ends, radius }, Placed::Round { ends: others, radius: other }) => {
            radius + other - segments(ends, others)
        }
        (Placed::Round { ends, radius }, Placed::Points(points)) => points
            .iter()
            .map(|p| radius - segments(ends, std::slice::from_ref(p)))
            .fold(f64::NEG_INFINITY, f64::max),
        (Placed::Solid { corners, planar }, Placed::Solid { corners: others, .. }) => {
            -separation(corners, others, *planar)
        }
        (Placed::Solid { corners, planar }, Placed::Points(points)) => {
            points.iter().map(|p| inside(corners, *planar, p)).fold(f64::NEG_INFINITY, f64::max)
        }
        (Placed::Solid { corners, planar }, Placed::Round { ends, radius }) => {
            let inner = -separation(corners, ends, *planar);
            if inner > 0.0 { inner + radius } else { radius - surface(corners, ends) }
        }
        (
            Placed::Cylinder { centre, axis, radius, half },
            Placed::Round { ends, radius: other },
        ) if ends.len() == 1 => other - from_cylinder(&(ends[0] - centre), axis, *radius, *half),
        (Placed::Cylinder { centre, axis, radius, half }, Placed::Points(points)) => points
            .iter()
            .map(|p| -from_cylinder(&(p - centre), axis, *radius, *half))
            .fold(f64::NEG_INFINITY, f64::max),
        _ => return None,
    })
}

/// Signed distance of a point from a cylinder.
fn from_cylinder(x: &V3, axis: &V3, radius: f64, half: f64) -> f64 {
    let along = x.dot(axis).abs() - half;
    let across = (x - axis * x.dot(axis)).norm() - radius;
    if along > 0.0 && across > 0.0 { f64::hypot(along, across) } else { along.max(across) }
}

/// Directions of planes through corners: normals of all faces, and more.
fn normals(corners: &[V3], planar: bool) -> Vec<V3> {
    let mut found = Vec::new();
    for (i, p) in corners.iter().enumerate() {
        for (j, q) in corners.iter().enumerate().skip(i + 1) {
            if planar {
                found.push(V3::new(p.y - q.y, q.x - p.x, 0.0));
                continue;
            }
            for r in corners.iter().skip(j + 1) {
                found.push((q - p).cross(&(r - p)));
            }
        }
    }
    found
}

/// The largest distance that a plane leaves between two hulls; negative where they overlap.
fn separation(a: &[V3], b: &[V3], planar: bool) -> f64 {
    let mut directions = normals(a, planar);
    directions.extend(normals(b, planar));
    if planar && b.len() == 2 {
        directions.push(b[1] - b[0]);
    }
    if !planar {
        let edges = |points: &[V3]| -> Vec<V3> {
            (points.iter().enumerate())
                .flat_map(|(i, p)| points.iter().skip(i + 1).map(move |q| q - p))
                .collect()
        };
        let others = edges(b);
        for e in edges(a) {
            directions.extend(others.iter().map(|f| e.cross(f)));
        }
    }
    let mut best = f64::NEG_INFINITY;
    for n in directions {
        let size = n.norm();
        if size < 1e-9 {
            continue;
        }
        let n = n / size;
        let range = |points: &[V3]| {
            points
                .iter()
                .map(|p| n.dot(p))
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], x| [l.min(x), h.max(x)])
        };
        let ([l, h], [m, k]) = (range(a), range(b));
        best = best.max(m - h).max(l - k);
    }
    best
}

fn inside(corners: &[V3], planar: bool, p: &V3) -> f64 {
    -separation(corners, std::slice::from_ref(p), planar)
}

/// The distance of a segment, or point, from the surface of a hull that it does not enter.
fn surface(corners: &[V3], ends: &[V3]) -> f64 {
    let mut best = f64::INFINITY;
    for (i, p) in corners.iter().enumerate() {
        for (j, q) in corners.iter().enumerate().skip(i + 1) {
            best = best.min(segments(&[*p, *q], ends));
            for r in corners.iter().skip(j + 1) {
                for x in ends {
                    best = best.min(triangle([p, q, r], x));
                }
            }
        }
    }
    best
}

/// The distance of a point from a triangle where it lies over it; else infinite, as sides are looked at elsewhere.
fn triangle([p, q, r]: [&V3; 3], x: &V3) -> f64 {
    let n = (q - p).cross(&(r - p));
    let size = n.norm();
    if size < 1e-12 {
        return f64::INFINITY;
    }
    let over =
        [(p, q), (q, r), (r, p)].iter().all(|(a, b)| n.dot(&(*b - *a).cross(&(x - *a))) >= 0.0);
    if over { (n.dot(&(x - p)) / size).abs() } else { f64::INFINITY }
}

/// The distance of two segments or points.
fn segments(a: &[V3], b: &[V3]) -> f64 {
    let (p, q) = (a[0], b[0]);
    let (d, f) = (a[a.len() - 1] - p, b[b.len() - 1] - q);
    let w = p - q;
    let (dd, ff, df) = (d.dot(&d), f.dot(&f), d.dot(&f));
    let (dw, fw) = (d.dot(&w), f.dot(&w));
    let clamp = |x: f64| x.clamp(0.0, 1.0);
    let ratio = |x: f64, y: f64| if y > 0.0 { clamp(x / y) } else { 0.0 };
    let mut best = f64::INFINITY;
    let mut take = |s: f64, t: f64| best = best.min((w + d * s - f * t).norm());
    for s in [0.0, 1.0] {
        take(s, ratio(fw + df * s, ff));
    }
    for t in [0.0, 1.0] {
        take(ratio(df * t - dw, dd), t);
    }
    let det = dd * ff - df * df;
    if det > 1e-14 * dd * ff {
        let (s, t) = ((df * fw - ff * dw) / det, (dd * fw - df * dw) / det);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            take(s, t);
        }
    }
    best
}
