//! The convex hull of some hundreds of points: faces are found by turning a plane about each edge (gift wrapping), and are
//! polygons of all points that lie in their plane.

use std::collections::BTreeMap;

use super::region::{across, length, unit_or};
use crate::motion::vector::{V3, tangents};

/// More points than this are refused: the work grows with their square, and the pairs of features with more.
pub(super) const MOST_POINTS: usize = 500;

/// Points nearer than this times the largest extent to a plane, a line or each other count as on it \[1\].
const TOLERANCE: f64 = 1e-11;

/// A hull thinner than this times its largest extent is refused as flat \[1\].
const THINNEST: f64 = 1e-6;

/// Corners, and faces as circuits of corners, counter-clockwise seen from outside.
#[derive(Debug)]
pub(super) struct Hull {
    pub(super) vertices: Vec<V3>,
    pub(super) faces: Vec<Vec<usize>>,
}

/// The hull of points in space; an error says why they have none.
pub(super) fn hull(points: &[V3]) -> Result<Hull, String> {
    if points.len() > MOST_POINTS {
        return Err(format!(
            "has {} points, more than {MOST_POINTS}: give the corners only, or fewer",
            points.len()
        ));
    }
    if !points.iter().all(|p| p.iter().all(|x| x.is_finite())) {
        return Err("has a point that is not finite".into());
    }
    let size = extent(points);
    let mut cloud = Cloud { points: Vec::with_capacity(points.len()), tolerance: TOLERANCE * size };
    for p in points {
        if !cloud.points.iter().any(|q| length(&(p - q)) <= cloud.tolerance) {
            cloud.points.push(*p);
        }
    }
    let flat = || "is flat: its points lie in a plane or on a line".to_string();
    if cloud.points.len() < 4 {
        return Err(flat());
    }
    let faces = cloud.wrap(cloud.first_face().ok_or_else(flat)?)?;
    let hull = compact(&cloud.points, faces);
    let edges: usize = hull.faces.iter().map(Vec::len).sum();
    if hull.faces.len() < 4 || 2 * (hull.vertices.len() + hull.faces.len()) != edges + 4 {
        return Err(uncertain());
    }
    for corners in &hull.faces {
        let normal = newell(&hull.vertices, corners);
        let height = |p: &V3| normal.dot(&(p - hull.vertices[corners[0]]));
        let (low, high) = points
            .iter()
            .map(height)
            .fold((0.0_f64, 0.0_f64), |(low, high), h| (low.min(h), high.max(h)));
        if high > 100.0 * cloud.tolerance {
            return Err(uncertain());
        }
        if -low < THINNEST * size {
            return Err(flat());
        }
    }
    Ok(hull)
}

/// The convex hull of points in space, as simulations take it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConvexHull {
    /// In the order of the points \[m\].
    pub corners: Vec<[f64; 3]>,
    /// Circuits of corners, counter-clockwise seen from outside.
    pub faces: Vec<Vec<usize>>,
}

impl ConvexHull {
    /// The hull of points; an error says why they have none.
    pub fn of(points: &[[f64; 3]]) -> Result<Self, String> {
        let points: Vec<V3> = points.iter().map(|p| V3::from(*p)).collect();
        let Hull { vertices, faces } = hull(&points)?;
        Ok(Self { corners: vertices.iter().map(|p| [p.x, p.y, p.z]).collect(), faces })
    }
}

/// The unit normal of a circuit of corners, by Newell: exact where the corners lie in a plane, the mean plane's where not.
pub(super) fn newell(vertices: &[V3], corners: &[usize]) -> V3 {
    let origin = vertices[corners[0]];
    let mut sum = V3::zeros();
    for pair in corners[1..].windows(2) {
        sum += (vertices[pair[0]] - origin).cross(&(vertices[pair[1]] - origin));
    }
    unit_or(&sum, V3::x)
}

/// The largest side of the points' bounding box \[m\].
fn extent(points: &[V3]) -> f64 {
    (0..3)
        .map(|i| {
            let coordinates = points.iter().map(|p| p[i]);
            coordinates.clone().fold(f64::NEG_INFINITY, f64::max)
                - coordinates.fold(f64::INFINITY, f64::min)
        })
        .fold(0.0, f64::max)
}

fn uncertain() -> String {
    "has points so nearly in common planes that its faces are not certain: round them, or leave some out"
        .into()
}

struct Cloud {
    points: Vec<V3>,
    /// \[m\]
    tolerance: f64,
}

impl Cloud {
    /// The normal of the plane that leans on the points and holds the line through `from` along `edge`, turned from the plane
    /// with `normal` that leans on them as well. None where all points lie on the line.
    fn turn(&self, from: &V3, edge: &V3, normal: &V3) -> Option<V3> {
        // Angles are counted from the side of the edge on which the face of the first plane lies.
        let inwards = normal.cross(edge);
        let mut best: Option<[f64; 2]> = None;
        for p in &self.points {
            let d = p - from;
            let place = [d.dot(&inwards), -d.dot(normal)];
            let off = f64::sqrt(place[0] * place[0] + place[1] * place[1]);
            if off <= self.tolerance {
                continue;
            }
            // Of points in the same plane the farthest gives the normal best.
            let further = best.is_none_or(|b| {
                let turned =
                    (b[0] * place[1] - b[1] * place[0]) / f64::sqrt(b[0] * b[0] + b[1] * b[1]);
                turned > self.tolerance || (turned > -0.1 * self.tolerance && off > norm(b))
            });
            if further {
                best = Some(place);
            }
        }
        best.map(|[x, y]| {
            let into_face = inwards * x - normal * y;
            let normal = into_face.cross(edge);
            normal / length(&normal)
        })
    }

    /// The circuit of the points that lie in a plane through a point, counter-clockwise about the normal. Two where they lie
    /// on a line.
    fn face(&self, through: &V3, normal: &V3) -> Vec<usize> {
        let [t, u] = tangents(normal, false);
        let mut places: Vec<(usize, f64, f64)> = Vec::new();
        for (i, p) in self.points.iter().enumerate() {
            let d = p - through;
            if normal.dot(&d).abs() <= 10.0 * self.tolerance {
                places.push((i, t.dot(&d), u.dot(&d)));
            }
        }
        places.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
        // The lower half from left to right, then the upper half back (Andrew's monotone chain).
        let mut circuit: Vec<(usize, f64, f64)> = Vec::new();
        for half in 0..2 {
            let start = circuit.len();
            for &c in &places {
                while circuit.len() >= start + 2 {
                    let (a, b) = (circuit[circuit.len() - 2], circuit[circuit.len() - 1]);
                    let turned = (b.1 - a.1) * (c.2 - a.2) - (b.2 - a.2) * (c.1 - a.1);
                    let (x, y) = (c.1 - a.1, c.2 - a.2);
                    if turned > 10.0 * self.tolerance * f64::sqrt(x * x + y * y) {
                        break;
                    }
                    circuit.pop();
                }
                circuit.push(c);
            }
            circuit.pop();
            if half == 0 {
                places.reverse();
            }
        }
        circuit.into_iter().map(|place| place.0).collect()
    }

    /// Any face; none where all points lie in a plane.
    fn first_face(&self) -> Option<Vec<usize>> {
        let by_place = |a: &&V3, b: &&V3| {
            a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
        };
        // All points lie behind the plane across x through the first of them, and in it on one side of the line along z.
        let corner = *self.points.iter().min_by(by_place)?;
        let normal = self.turn(&corner, &V3::z(), &-V3::x())?;
        let mut face = self.face(&corner, &normal);
        if face.len() == 2 {
            let (from, to) = (self.points[face[0]], self.points[face[1]]);
            let edge = (to - from) / length(&(to - from));
            let normal = across(&normal, &edge);
            let normal = self.turn(&from, &edge, &(normal / length(&normal)))?;
            face = self.face(&from, &normal);
        } else if face.len() == 1 {
            return None;
        }
        let normal = newell(&self.points, &face);
        let flat = self
            .points
            .iter()
            .all(|p| normal.dot(&(p - self.points[face[0]])).abs() <= 10.0 * self.tolerance);
        (!flat).then_some(face)
    }

    /// All faces, from a first one, over each edge to the next.
    fn wrap(&self, first: Vec<usize>) -> Result<Vec<Vec<usize>>, String> {
        let mut faces: Vec<Vec<usize>> = Vec::new();
        // Which face has an edge in this direction.
        let mut edges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut next = Some(first);
        let mut open: Vec<(usize, usize)> = Vec::new();
        while let Some(face) = next.take() {
            if face.len() < 3 || faces.len() > 2 * self.points.len() {
                return Err(uncertain());
            }
            for edge in circuit(&face) {
                if edges.insert(edge, faces.len()).is_some() {
                    return Err(uncertain());
                }
                open.push(edge);
            }
            faces.push(face);
            while let Some((i, j)) = open.pop() {
                if edges.contains_key(&(j, i)) {
                    continue;
                }
                let face = &faces[edges[&(i, j)]];
                let (from, to) = (self.points[i], self.points[j]);
                let edge = (to - from) / length(&(to - from));
                let normal = newell(&self.points, face);
                let normal = self.turn(&from, &edge, &normal).ok_or_else(uncertain)?;
                let face = self.face(&from, &normal);
                if !circuit(&face).any(|edge| edge == (j, i)) {
                    return Err(uncertain());
                }
                next = Some(face);
                break;
            }
        }
        Ok(faces)
    }
}

fn norm([x, y]: [f64; 2]) -> f64 {
    f64::sqrt(x * x + y * y)
}

/// The edges of a circuit of corners, in its direction.
pub(super) fn circuit(corners: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]))
}

/// Only the points that are corners, in their order.
fn compact(points: &[V3], mut faces: Vec<Vec<usize>>) -> Hull {
    let mut place = vec![usize::MAX; points.len()];
    faces.iter().flatten().for_each(|&i| place[i] = 0);
    let mut vertices = Vec::new();
    for (i, place) in place.iter_mut().enumerate() {
        if *place == 0 {
            *place = vertices.len();
            vertices.push(points[i]);
        }
    }
    faces.iter_mut().flatten().for_each(|i| *i = place[*i]);
    Hull { vertices, faces }
}
