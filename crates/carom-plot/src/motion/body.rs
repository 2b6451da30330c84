//! What shapes of a scene look like: outlines in the plane, faces in space.

use carom_sim::motion::{ConvexHull, Dimension, Shape, Turn};

/// Points on a circle \[1\].
const AROUND: usize = 24;
/// Rings on half a ball, its pole not among them \[1\].
const RINGS: usize = 4;

/// A shape to be drawn, in its body's frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Look {
    /// A ball; in the plane a disk.
    Ball {
        /// \[m\]
        center: [f64; 3],
        /// \[m\]
        radius: f64,
    },
    /// A convex surface in the plane, counter-clockwise.
    Outline(Vec<[f64; 3]>),
    /// A convex solid.
    Solid {
        /// Corners \[m\].
        vertices: Vec<[f64; 3]>,
        /// Flat faces.
        faces: Vec<Face>,
    },
    /// Corners with nothing between them \[m\].
    Corners(Vec<[f64; 3]>),
    /// All points with `normal · x ≤ offset`.
    HalfSpace {
        /// Of length one.
        normal: [f64; 3],
        /// \[m\]
        offset: f64,
    },
}

/// A flat face of a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Corners, counter-clockwise seen from outside.
    pub corners: Vec<usize>,
    /// Whether its edges are edges of the shape, and not those of a surface that is round.
    pub edged: bool,
    /// Whether it is darker than its neighbours, so that a round surface is seen to turn.
    pub dark: bool,
}

impl Look {
    /// Of a shape.
    pub fn of(shape: &Shape, dimension: Dimension) -> Self {
        match shape {
            Shape::Sphere { radius, center } => Self::Ball { center: *center, radius: *radius },
            Shape::Capsule { radius, from, to } => match dimension {
                Dimension::Plane => stadium(*radius, *from, *to),
                Dimension::Space => {
                    let axis = sub(*to, *from);
                    match norm(axis) > 0.0 {
                        true => turned(&capsule_rings(), *from, *to, *radius),
                        false => Self::Ball { center: *from, radius: *radius },
                    }
                }
            },
            Shape::Box { half, center, orientation } => cuboid(*half, *center, *orientation),
            Shape::Cylinder { radius, half_height, axis, center } => {
                let along = scale(*axis, half_height / norm(*axis).max(f64::MIN_POSITIVE));
                let (from, to) = (sub(*center, along), add(*center, along));
                turned(&[[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]], from, to, *radius)
            }
            Shape::Convex { points } => match ConvexHull::of(points) {
                Ok(hull) => {
                    let face = |corners| Face { corners, edged: true, dark: false };
                    let faces = hull.faces.into_iter().map(face).collect();
                    Self::Solid { vertices: hull.corners, faces }
                }
                Err(_) => Self::Corners(points.clone()),
            },
            Shape::Polygon { points } => Self::Outline(points.clone()),
            Shape::Points { points } => Self::Corners(points.clone()),
            Shape::HalfSpace { normal, offset } => {
                let normal = scale(*normal, 1.0 / norm(*normal).max(f64::MIN_POSITIVE));
                Self::HalfSpace { normal, offset: *offset }
            }
        }
    }

    /// How far it reaches from the origin of its body; nothing for what has no end \[m\].
    pub fn reach(&self) -> Option<f64> {
        let farthest =
            |points: &[[f64; 3]]| points.iter().fold(0.0, |far: f64, p| far.max(norm(*p)));
        match self {
            Self::Ball { center, radius } => Some(norm(*center) + radius),
            Self::Outline(points) | Self::Corners(points) => Some(farthest(points)),
            Self::Solid { vertices, .. } => Some(farthest(vertices)),
            Self::HalfSpace { .. } => None,
        }
    }

    /// Its outline in the plane, in its body's frame; a ball's as a polygon.
    pub fn outline(&self) -> Option<Vec<[f64; 3]>> {
        match self {
            Self::Ball { center, radius } => Some(
                (0..2 * AROUND)
                    .map(|k| {
                        let [s, c] = on_circle(k, 2 * AROUND);
                        [center[0] + radius * c, center[1] + radius * s, center[2]]
                    })
                    .collect(),
            ),
            Self::Outline(points) => Some(points.clone()),
            _ => None,
        }
    }

    /// As triangles: corners, each with the direction outwards there. What is no solid has none.
    pub fn triangles(&self) -> Vec<[[[f64; 3]; 2]; 3]> {
        let ball;
        let (vertices, faces, middle) = match self {
            Self::Solid { vertices, faces } => (vertices, faces, None),
            Self::Ball { center, radius } => {
                ball = turned(&ball_rings(), *center, add(*center, [0.0, 0.0, 1e-9]), *radius);
                let Self::Solid { vertices, faces } = &ball else { return Vec::new() };
                (vertices, faces, Some(*center))
            }
            _ => return Vec::new(),
        };
        let mut triangles = Vec::new();
        for face in faces {
            let flat = normal_of(vertices, &face.corners);
            let corner = |k: usize| {
                let at = vertices[face.corners[k]];
                let outwards = match middle {
                    Some(center) => unit(sub(at, center)),
                    None => flat,
                };
                [at, outwards]
            };
            for k in 1..face.corners.len().saturating_sub(1) {
                triangles.push([corner(0), corner(k), corner(k + 1)]);
            }
        }
        triangles
    }
}

/// A point of a body's frame in the world's.
pub fn placed(position: [f64; 3], orientation: &Turn, local: [f64; 3]) -> [f64; 3] {
    add(position, rotated(orientation, local))
}

/// A point of the world's frame in a body's.
pub fn local(position: [f64; 3], orientation: &Turn, world: [f64; 3]) -> [f64; 3] {
    let back = match orientation {
        Turn::Angle(angle) => Turn::Angle(-angle),
        Turn::Quaternion([w, x, y, z]) => Turn::Quaternion([*w, -x, -y, -z]),
    };
    rotated(&back, sub(world, position))
}

/// A direction of a body's frame in the world's.
pub fn rotated(orientation: &Turn, v: [f64; 3]) -> [f64; 3] {
    match orientation {
        Turn::Angle(angle) => {
            let (s, c) = libm::sincos(*angle);
            [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]]
        }
        Turn::Quaternion([w, x, y, z]) => {
            let length = w * w + x * x + y * y + z * z;
            let axis = [*x, *y, *z];
            let twice = scale(cross(axis, v), 2.0 / length.max(f64::MIN_POSITIVE));
            add(add(v, scale(twice, *w)), cross(axis, twice))
        }
    }
}

/// An orientation as `[w, x, y, z]`, of length one.
pub fn quaternion(orientation: &Turn) -> [f64; 4] {
    match orientation {
        Turn::Angle(angle) => {
            let (s, c) = libm::sincos(0.5 * angle);
            [c, 0.0, 0.0, s]
        }
        Turn::Quaternion(q) => {
            let length = f64::sqrt(q.iter().map(|x| x * x).sum());
            q.map(|x| x / length.max(f64::MIN_POSITIVE))
        }
    }
}

/// A capsule in the plane.
fn stadium(radius: f64, from: [f64; 3], to: [f64; 3]) -> Look {
    let axis = sub(to, from);
    if norm(axis) == 0.0 {
        return Look::Ball { center: from, radius };
    }
    let along = scale(axis, radius / norm(axis));
    let across = [-along[1], along[0], 0.0];
    let mut points = Vec::new();
    for (end, sign) in [(to, 1.0), (from, -1.0)] {
        for k in 0..=AROUND / 2 {
            let [s, c] = on_circle(k, AROUND);
            // From −90° to 90° about the end's direction.
            points.push(add(end, scale(add(scale(along, s), scale(across, -c)), sign)));
        }
    }
    Look::Outline(points)
}

/// Rings of a body of revolution: radius, whether about the far end, and how far beyond it, the last in radii.
fn capsule_rings() -> Vec<[f64; 3]> {
    let mut rings = Vec::new();
    for k in 1..=RINGS {
        let [s, c] = on_circle(k, 4 * RINGS);
        rings.push([s, 0.0, -c]);
    }
    for k in (1..=RINGS).rev() {
        let [s, c] = on_circle(k, 4 * RINGS);
        rings.push([s, 1.0, c]);
    }
    rings
}

fn ball_rings() -> Vec<[f64; 3]> {
    (1..2 * RINGS)
        .map(|k| {
            let [s, c] = on_circle(k, 4 * RINGS);
            [s, 0.0, -c]
        })
        .collect()
}

/// Rings about the line between two points, closed by flat caps.
fn turned(rings: &[[f64; 3]], from: [f64; 3], to: [f64; 3], radius: f64) -> Look {
    let along = unit(sub(to, from));
    let [u, v] = tangents(along);
    let mut vertices = Vec::new();
    for [wide, end, beyond] in rings {
        let centre = add(if *end == 0.0 { from } else { to }, scale(along, beyond * radius));
        for k in 0..AROUND {
            let [s, c] = on_circle(k, AROUND);
            let out = add(scale(u, c), scale(v, s));
            vertices.push(add(centre, scale(out, wide * radius)));
        }
    }
    let mut faces = Vec::new();
    for ring in 0..rings.len() - 1 {
        for k in 0..AROUND {
            let (a, b) = (ring * AROUND, (ring + 1) * AROUND);
            let next = (k + 1) % AROUND;
            let corners = vec![a + k, a + next, b + next, b + k];
            faces.push(Face { corners, edged: false, dark: k / (AROUND / 4) % 2 == 1 });
        }
    }
    let last = (rings.len() - 1) * AROUND;
    // Only a cylinder's caps end in edges.
    let edged = rings.len() == 2;
    let cap = |corners| Face { corners, edged, dark: false };
    faces.push(cap((0..AROUND).rev().collect()));
    faces.push(cap((last..last + AROUND).collect()));
    Look::Solid { vertices, faces }
}

fn cuboid(half: [f64; 3], center: [f64; 3], orientation: [f64; 4]) -> Look {
    const FACES: [[usize; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let turn = Turn::Quaternion(orientation);
    let corner = |k: usize| {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        placed(center, &turn, [half[0] * sign(0), half[1] * sign(1), half[2] * sign(2)])
    };
    let face = |corners: &[usize; 4]| Face { corners: corners.to_vec(), edged: true, dark: false };
    Look::Solid { vertices: (0..8).map(corner).collect(), faces: FACES.iter().map(face).collect() }
}

/// Sine and cosine of the k-th of n points on a circle.
fn on_circle(k: usize, n: usize) -> [f64; 2] {
    let (s, c) = libm::sincos(std::f64::consts::TAU * k as f64 / n as f64);
    [s, c]
}

/// The direction outwards of a face.
pub(crate) fn normal_of(vertices: &[[f64; 3]], corners: &[usize]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for pair in corners.get(1..).unwrap_or_default().windows(2) {
        let origin = vertices[corners[0]];
        sum = add(sum, cross(sub(vertices[pair[0]], origin), sub(vertices[pair[1]], origin)));
    }
    unit(sum)
}

/// Two directions across a third, right-handed.
fn tangents(n: [f64; 3]) -> [[f64; 3]; 2] {
    let least = (0..3).min_by(|a, b| n[*a].abs().total_cmp(&n[*b].abs())).unwrap_or(0);
    let mut e = [0.0; 3];
    e[least] = 1.0;
    let u = unit(cross(e, n));
    [u, cross(n, u)]
}

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn scale(a: [f64; 3], s: f64) -> [f64; 3] {
    a.map(|x| s * x)
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn norm(a: [f64; 3]) -> f64 {
    f64::sqrt(a.iter().map(|x| x * x).sum())
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    scale(a, 1.0 / norm(a).max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solids() -> Vec<(Look, f64)> {
        let tau = std::f64::consts::TAU;
        let space = |shape| Look::of(&shape, Dimension::Space);
        let turn = f64::sqrt(0.5);
        let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        vec![
            (
                space(Shape::Box {
                    half: [1.0, 2.0, 0.5],
                    center: [3.0, 1.0, 2.0],
                    orientation: [turn, 0.0, turn, 0.0],
                }),
                8.0,
            ),
            (
                space(Shape::Cylinder {
                    radius: 0.5,
                    half_height: 1.5,
                    axis: [1.0, 2.0, 0.0],
                    center: [0.0, 1.0, 0.0],
                }),
                0.5 * tau * 0.25 * 3.0,
            ),
            (
                space(Shape::Capsule { radius: 0.5, from: [0.0; 3], to: [0.0, 0.0, 2.0] }),
                0.5 * tau * (0.25 * 2.0 + 4.0 / 3.0 * 0.125),
            ),
            (
                space(Shape::Sphere { radius: 2.0, center: [1.0, 0.0, 0.0] }),
                0.5 * tau * 4.0 / 3.0 * 8.0,
            ),
            (space(Shape::Convex { points }), 1.0 / 6.0),
        ]
    }

    #[test]
    fn solids_are_closed_and_look_outwards() {
        for (look, volume) in solids() {
            // Volume by the divergence theorem: positive only if all faces look outwards, right only if none is missing.
            let mut sum = 0.0;
            let mut open = [0.0; 3];
            for [a, b, c] in look.triangles() {
                let area = cross(sub(b[0], a[0]), sub(c[0], a[0]));
                open = add(open, area);
                sum += area.iter().zip(a[0]).map(|(n, x)| n * x).sum::<f64>() / 6.0;
                for [_, outwards] in [a, b, c] {
                    assert!((norm(outwards) - 1.0).abs() < 1e-12);
                    assert!(area.iter().zip(outwards).map(|(x, y)| x * y).sum::<f64>() >= -1e-12);
                }
            }
            assert!(norm(open) < 1e-9, "{look:?} is open");
            assert!(sum <= volume * (1.0 + 1e-9) && sum > 0.9 * volume, "{sum} for {volume}");
        }
    }

    #[test]
    fn outlines_turn_counter_clockwise() {
        for shape in [
            Shape::Sphere { radius: 0.5, center: [1.0, 2.0, 0.0] },
            Shape::Capsule { radius: 0.2, from: [0.0; 3], to: [1.0, 1.0, 0.0] },
            Shape::Polygon { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] },
        ] {
            let outline = Look::of(&shape, Dimension::Plane).outline().expect("an outline");
            let next = outline.iter().cycle().skip(1);
            let turns: Vec<[f64; 3]> = outline.iter().zip(next).map(|(a, b)| sub(*b, *a)).collect();
            let after = turns.iter().cycle().skip(1);
            assert!(turns.iter().zip(after).all(|(a, b)| cross(*a, *b)[2] > -1e-12), "{shape:?}");
        }
    }

    #[test]
    fn frames_go_and_come_back() {
        let at = [1.0, -2.0, 0.5];
        for turn in [Turn::Angle(0.7), Turn::Quaternion([0.5, 0.5, -0.5, 0.5])] {
            let there = placed(at, &turn, [0.3, 0.2, 0.0]);
            let back = local(at, &turn, there);
            assert!(norm(sub(back, [0.3, 0.2, 0.0])) < 1e-14);
        }
    }
}
