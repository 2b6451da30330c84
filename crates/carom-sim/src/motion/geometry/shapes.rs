//! What shapes are made of: vertices, edges and faces of solids, lines, rims, spheres.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::hull::{circuit, hull, newell};
use super::line_line::{Edge, Faces};
use super::line_sphere::Line;
use super::region::{Region, Wall, length};
use super::rim_plane::Rim;
use crate::motion::scene::Shape;
use crate::motion::vector::{V3, rotation};

/// A shape in the frame of its body, ready for features.
#[derive(Clone, Debug)]
pub(super) enum Part {
    HalfSpace(Wall),
    Solid(Solid),
    Cylinder(Drum),
    Capsule(Line),
    Sphere {
        /// \[m\]
        centre: V3,
        /// \[m\]
        radius: f64,
    },
    /// \[m\]
    Points(Vec<V3>),
}

/// A convex body with flat faces; in the plane its faces are the sides of a polygon, and it has no edges.
#[derive(Clone, Debug)]
pub(super) struct Solid {
    /// \[m\]
    pub(super) vertices: Vec<V3>,
    /// The planes of the faces, looking outwards.
    pub(super) faces: Arc<[Wall]>,
    /// Of each face, across each of its sides, looking into the face.
    sides: Vec<Arc<[Wall]>>,
    /// A corner of each face.
    first: Vec<usize>,
    /// The largest distance of each face's points from the body's centre \[m\].
    pub(super) face_reach: Vec<f64>,
    pub(super) edges: Vec<SolidEdge>,
    /// From each vertex to the other ends of its edges \[m\].
    pub(super) spokes: Vec<Arc<[V3]>>,
}

/// An edge of a solid.
#[derive(Clone, Debug)]
pub(super) struct SolidEdge {
    pub(super) edge: Edge,
    /// Where points are nearest to the edge rather than to one of its faces.
    pub(super) region: Region,
}

impl Solid {
    /// From corners, and circuits of them that are counter-clockwise seen from outside and close.
    fn new(vertices: Vec<V3>, circuits: &[Vec<usize>]) -> Self {
        let mut faces = Vec::with_capacity(circuits.len());
        let mut sides = Vec::with_capacity(circuits.len());
        let mut halves: BTreeMap<(usize, usize), (usize, Wall)> = BTreeMap::new();
        for (index, corners) in circuits.iter().enumerate() {
            let face = Wall::through(&vertices[corners[0]], newell(&vertices, corners));
            let mut walls = Vec::with_capacity(corners.len());
            for (i, j) in circuit(corners) {
                // Both faces of an edge see it in the same direction, that its two walls have the same bits.
                let along = vertices[i.max(j)] - vertices[i.min(j)];
                let sign = if i < j { 1.0 } else { -1.0 };
                let inwards = face.normal.cross(&along) * sign;
                let wall = Wall::through(&vertices[i.min(j)], inwards / length(&inwards));
                walls.push(wall);
                halves.insert((i, j), (index, wall));
            }
            faces.push(face);
            sides.push(walls.into());
        }
        let mut spokes = vec![Vec::new(); vertices.len()];
        let mut edges = Vec::new();
        for (&(i, j), &(left, wall)) in &halves {
            let Some(&(right, other)) = halves.get(&(j, i)) else { continue };
            if i > j {
                continue;
            }
            let along = vertices[j] - vertices[i];
            let direction = along / length(&along);
            spokes[i].push(along);
            spokes[j].push(-along);
            edges.push(SolidEdge {
                edge: Edge {
                    line: Line {
                        from: vertices[i],
                        direction,
                        length: length(&along),
                        radius: 0.0,
                    },
                    faces: Some(Faces {
                        inwards: [wall.normal, other.normal],
                        outwards: faces[left].normal + faces[right].normal,
                    }),
                },
                region: Region::walls([wall.reversed(), other.reversed()]),
            });
        }
        let reach = |corners: &Vec<usize>| {
            corners.iter().map(|&i| length(&vertices[i])).fold(0.0, f64::max)
        };
        Self {
            face_reach: circuits.iter().map(reach).collect(),
            first: circuits.iter().map(|corners| corners[0]).collect(),
            vertices,
            faces: faces.into(),
            sides,
            edges,
            spokes: spokes.into_iter().map(Arc::from).collect(),
        }
    }

    fn cuboid(half: [f64; 3], centre: V3, orientation: [f64; 4]) -> Self {
        let turn = rotation(orientation);
        // Corner i has the signs of the bits of i.
        let corner = |i: usize| {
            let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            centre + turn * V3::new(sign(0) * half[0], sign(1) * half[1], sign(2) * half[2])
        };
        let circuits =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Self::new((0..8).map(corner).collect(), &circuits.map(|c| c.to_vec()))
    }

    fn polygon(points: &[[f64; 3]]) -> Result<Self, String> {
        let points: Vec<V3> = points.iter().map(|&p| V3::from(p)).collect();
        if points.len() < 3 || !points.iter().all(|p| p.iter().all(|x| x.is_finite())) {
            return Err("needs three points or more, all finite".into());
        }
        let n = points.len();
        let size = points.iter().map(|p| length(&(p - points[0]))).fold(0.0, f64::max);
        let side = |i: usize| points[(i + 1) % n] - points[i];
        let turns = |i: usize| {
            let (a, b) = (side((i + n - 1) % n), side(i));
            a.x * b.y - a.y * b.x
        };
        let left = |i: usize| turns(i) > 1e-12 * size * size;
        // Sides that only turn left go up and down once per turn: one turn, not two.
        let down = |i: usize| side(i % n).y < 0.0;
        let changes = (0..n).filter(|&i| down(i) != down(i + 1)).count();
        if !(0..n).all(left) || changes != 2 {
            return Err("must be convex, counter-clockwise, with a corner at each point".into());
        }
        let mut faces = Vec::new();
        let mut sides: Vec<Arc<[Wall]>> = Vec::new();
        let mut spokes = vec![Vec::new(); n];
        for i in 0..n {
            let (j, d) = ((i + 1) % n, side(i) / length(&side(i)));
            faces.push(Wall::through(&points[i], V3::new(d.y, -d.x, 0.0)));
            sides.push([Wall::through(&points[i], d), Wall::through(&points[j], -d)].into());
            spokes[i].push(side(i));
            spokes[j].push(-side(i));
        }
        let reach = |i: usize| length(&points[i]).max(length(&points[(i + 1) % n]));
        Ok(Self {
            face_reach: (0..n).map(reach).collect(),
            first: (0..n).collect(),
            vertices: points,
            faces: faces.into(),
            sides,
            edges: Vec::new(),
            spokes: spokes.into_iter().map(Arc::from).collect(),
        })
    }

    /// Where points are over a face.
    pub(super) fn over_face(&self, index: usize) -> Region {
        Region::Face { sides: self.sides[index].clone(), faces: self.faces.clone(), index }
    }

    /// A point of a face \[m\].
    pub(super) fn face_point(&self, index: usize) -> V3 {
        self.vertices[self.first[index]]
    }

    /// Where points are nearest to a vertex rather than to its edges.
    pub(super) fn around_vertex(&self, index: usize) -> Region {
        let vertex = &self.vertices[index];
        Region::walls(self.spokes[index].iter().map(|d| Wall::through(vertex, -d / length(d))))
    }
}

/// A circular cylinder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drum {
    /// \[m\]
    pub(super) centre: V3,
    /// Of length one \[1\].
    pub(super) axis: V3,
    /// \[m\]
    pub(super) radius: f64,
    /// \[m\]
    pub(super) half: f64,
}

impl Drum {
    pub(super) fn rims(&self) -> [Rim; 2] {
        [1.0, -1.0].map(|sign| Rim {
            centre: self.centre + self.axis * (sign * self.half),
            axis: self.axis * sign,
            radius: self.radius,
        })
    }

    /// The side, as a line with a radius.
    pub(super) fn side(&self) -> Line {
        Line {
            from: self.centre - self.axis * self.half,
            direction: self.axis,
            length: 2.0 * self.half,
            radius: self.radius,
        }
    }
}

/// The word that scenes have for a shape.
pub(super) fn name(shape: &Shape) -> &'static str {
    match shape {
        Shape::Sphere { .. } => "sphere",
        Shape::Capsule { .. } => "capsule",
        Shape::Box { .. } => "box",
        Shape::Cylinder { .. } => "cylinder",
        Shape::Convex { .. } => "convex",
        Shape::Polygon { .. } => "polygon",
        Shape::Points { .. } => "points",
        Shape::HalfSpace { .. } => "half-space",
    }
}

impl Part {
    /// Checks the shape; an error is a sentence that begins with its name.
    pub(super) fn new(shape: &Shape, planar: bool) -> Result<Self, String> {
        Self::read(shape, planar).map_err(|reason| format!("the {} {reason}", name(shape)))
    }

    fn read(shape: &Shape, planar: bool) -> Result<Self, String> {
        let positive = |x: f64, what: &str| {
            (x > 0.0 && x.is_finite())
                .then_some(x)
                .ok_or_else(|| format!("needs a positive {what}"))
        };
        let direction = |v: [f64; 3], what: &str| {
            let v = V3::from(v);
            let length = length(&v);
            (length > 0.0 && length.is_finite())
                .then(|| (v / length, length))
                .ok_or_else(|| format!("needs {what} of a positive length"))
        };
        match shape {
            Shape::Box { .. } | Shape::Cylinder { .. } | Shape::Convex { .. } if planar => {
                Err("is a shape of space: in the plane give a polygon".into())
            }
            Shape::Polygon { .. } if !planar => {
                Err("is a shape of the plane: in space give a convex".into())
            }
            Shape::Sphere { radius, center } => {
                Ok(Self::Sphere { centre: V3::from(*center), radius: positive(*radius, "radius")? })
            }
            Shape::Capsule { radius, from, to } => {
                let radius = positive(*radius, "radius")?;
                let (from, along) = (V3::from(*from), V3::from(*to) - V3::from(*from));
                let length = length(&along);
                Ok(if length > 0.0 {
                    Self::Capsule(Line { from, direction: along / length, length, radius })
                } else {
                    Self::Sphere { centre: from, radius }
                })
            }
            Shape::Box { half, center, orientation } => {
                for half in half {
                    positive(*half, "half of each side")?;
                }
                Ok(Self::Solid(Solid::cuboid(*half, V3::from(*center), *orientation)))
            }
            Shape::Cylinder { radius, half_height, axis, center } => Ok(Self::Cylinder(Drum {
                centre: V3::from(*center),
                axis: direction(*axis, "an axis")?.0,
                radius: positive(*radius, "radius")?,
                half: positive(*half_height, "half height")?,
            })),
            Shape::Convex { points } => {
                let points: Vec<V3> = points.iter().map(|&p| V3::from(p)).collect();
                let hull = hull(&points)?;
                Ok(Self::Solid(Solid::new(hull.vertices, &hull.faces)))
            }
            Shape::Polygon { points } => Ok(Self::Solid(Solid::polygon(points)?)),
            Shape::Points { points } => {
                Ok(Self::Points(points.iter().map(|&p| V3::from(p)).collect()))
            }
            Shape::HalfSpace { normal, offset } => Ok(Self::HalfSpace(Wall {
                normal: direction(*normal, "a normal")?.0,
                offset: *offset,
            })),
        }
    }
}
