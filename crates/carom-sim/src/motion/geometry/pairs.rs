//! Which features of two shapes can touch.
//!
//! Vertices and edges of two solids against each other's vertices are left out: such contacts are borders of those of faces
//! and of crossing edges. Points touch surfaces only, not edges or corners.

use std::sync::Arc;

use super::bounds::Extent;
use super::line_line::{Edge, LineLine};
use super::line_sphere::{Line, LineSphere};
use super::plane_sphere::PlaneSphere;
use super::region::{Region, Wall};
use super::rim_plane::{CAP_POINTS, CapPoint, RimPlane};
use super::rim_sphere::RimSphere;
use super::shapes::{Drum, Part, Solid};
use super::sphere_sphere::SphereSphere;
use super::{Feature, Kind};
use crate::motion::vector::V3;

/// More pairs of features than this for one pair of shapes are refused: each is searched in each step.
const MOST_FEATURES: usize = 200_000;

/// A sphere that is all of a shape, or the end of a capsule, or a point.
struct Ball {
    centre: V3,
    radius: f64,
    /// Where other points are nearest to it and not to the rest of its shape.
    region: Region,
    group: usize,
}

/// The features of two parts. `names` are for errors.
pub(super) fn features(
    a: &Part,
    b: &Part,
    extents: &[Extent; 2],
    planar: bool,
    names: [&str; 2],
) -> Result<Vec<Feature>, String> {
    let swapped = rank(a) > rank(b);
    let (p, q) = if swapped { (b, a) } else { (a, b) };
    let mut table = Table { features: Vec::new(), swapped };
    match (p, q) {
        (Part::HalfSpace(_), Part::HalfSpace(_)) | (Part::Points(_), Part::Points(_)) => {}
        (Part::HalfSpace(plane), Part::Solid(solid)) => table.plane_points(plane, &solid.vertices),
        (Part::HalfSpace(plane), Part::Cylinder(drum)) => table.plane_cylinder(plane, drum),
        (Part::HalfSpace(plane), _) => {
            for ball in balls(q) {
                table.half_space(*plane, ball.centre, ball.radius, ball.group);
            }
        }
        (Part::Solid(first), Part::Solid(second)) => {
            table.solids(first, second, extents.clone(), names)?;
        }
        (Part::Solid(solid), Part::Capsule(_) | Part::Sphere { .. } | Part::Points(_)) => {
            for ball in balls(q) {
                table.solid_ball(solid, &ball, !matches!(q, Part::Points(_)));
            }
            if let Part::Capsule(axis) = q {
                table.solid_axis(solid, axis);
            }
        }
        (Part::Cylinder(drum), Part::Sphere { .. } | Part::Points(_)) => {
            for ball in balls(q) {
                table.cylinder_ball(drum, &ball, !matches!(q, Part::Points(_)));
            }
        }
        (Part::Capsule(first), Part::Capsule(second)) => {
            table.capsules(first, second, planar);
        }
        (Part::Capsule(line), Part::Sphere { .. } | Part::Points(_)) => {
            for ball in balls(q) {
                table.line_ball(line, &ball, ball.group);
                for end in balls(p) {
                    table.ball_ball(&end, &ball, ball.group);
                }
            }
        }
        (Part::Sphere { .. }, Part::Sphere { .. } | Part::Points(_)) => {
            let only = balls(p);
            for ball in balls(q) {
                table.ball_ball(&only[0], &ball, ball.group);
            }
        }
        _ => {
            return Err(format!(
                "{} against {} is not supported: describe the cylinder by the points of a convex",
                names[0], names[1]
            ));
        }
    }
    Ok(table.features)
}

/// Refuses two solids with too many pairs of features.
fn count_solids(p: &Solid, q: &Solid, names: [&str; 2]) -> Result<(), String> {
    let count = p.faces.len() * q.vertices.len()
        + q.faces.len() * p.vertices.len()
        + p.edges.len() * q.edges.len();
    if count > MOST_FEATURES {
        return Err(format!(
            "{} against {} has {count} pairs of features, more than {MOST_FEATURES}: give them fewer corners",
            names[0], names[1]
        ));
    }
    Ok(())
}

/// Whether two parts have features, without making those of two solids: they are many.
pub(super) fn check(
    a: &Part,
    b: &Part,
    extents: &[Extent; 2],
    planar: bool,
    names: [&str; 2],
) -> Result<(), String> {
    match (a, b) {
        (Part::Solid(p), Part::Solid(q)) => count_solids(p, q, names),
        _ => features(a, b, extents, planar, names).map(drop),
    }
}

/// Parts that are the first body of their features come first.
fn rank(part: &Part) -> usize {
    match part {
        Part::HalfSpace(_) => 0,
        Part::Solid(_) => 1,
        Part::Cylinder(_) => 2,
        Part::Capsule(_) => 3,
        Part::Sphere { .. } => 4,
        Part::Points(_) => 5,
    }
}

/// The spheres of a part; the ends of a capsule.
fn balls(part: &Part) -> Vec<Ball> {
    match part {
        Part::Sphere { centre, radius } => {
            vec![Ball { centre: *centre, radius: *radius, region: Region::Everywhere, group: 0 }]
        }
        Part::Capsule(line) => [(line.from, -line.direction), (line.to(), line.direction)]
            .into_iter()
            .enumerate()
            .map(|(group, (centre, outwards))| Ball {
                centre,
                radius: line.radius,
                region: Region::walls([Wall::through(&centre, outwards)]),
                group,
            })
            .collect(),
        Part::Points(points) => points
            .iter()
            .enumerate()
            .map(|(group, &centre)| Ball { centre, radius: 0.0, region: Region::Everywhere, group })
            .collect(),
        _ => Vec::new(),
    }
}

/// A face of a solid against a sphere or a vertex.
fn face(solid: &Solid, index: usize, centre: V3, radius: f64) -> PlaneSphere {
    PlaneSphere {
        point: solid.face_point(index),
        normal: solid.faces[index].normal,
        region: solid.over_face(index),
        plane_reach: solid.face_reach[index],
        centre,
        radius,
        edges: None,
    }
}

struct Table {
    features: Vec<Feature>,
    swapped: bool,
}

impl Table {
    fn add(&mut self, kind: Kind, group: usize) {
        self.features.push(Feature { kind, swapped: self.swapped, group });
    }

    fn half_space(&mut self, plane: Wall, centre: V3, radius: f64, group: usize) {
        self.add(Kind::PlaneSphere(PlaneSphere::half_space(plane, centre, radius)), group);
    }

    fn plane_points(&mut self, plane: &Wall, points: &[V3]) {
        for (group, point) in points.iter().enumerate() {
            self.half_space(*plane, *point, 0.0, group);
        }
    }

    fn plane_cylinder(&mut self, plane: &Wall, drum: &Drum) {
        for (i, rim) in drum.rims().into_iter().enumerate() {
            let first = (CAP_POINTS + 1) * i;
            self.add(Kind::RimPlane(RimPlane { plane: *plane, rim }), first);
            for which in 0..CAP_POINTS {
                self.add(Kind::CapPoint(CapPoint::new(*plane, rim, which)), first + 1 + which);
            }
        }
    }

    fn solids(
        &mut self,
        p: &Solid,
        q: &Solid,
        extents: [Extent; 2],
        names: [&str; 2],
    ) -> Result<(), String> {
        count_solids(p, q, names)?;
        let mut group = 0;
        for (first, second, swapped) in [(p, q, false), (q, p, true)] {
            let mut table = Self { features: Vec::new(), swapped };
            for (vertex, spokes) in second.vertices.iter().zip(&second.spokes) {
                for index in 0..first.faces.len() {
                    let edges = Some(spokes.clone());
                    let face = PlaneSphere { edges, ..face(first, index, *vertex, 0.0) };
                    table.add(Kind::PlaneSphere(face), group);
                }
                group += 1;
            }
            self.features.append(&mut table.features);
        }
        let extents = Arc::new(extents);
        for e in &p.edges {
            for f in &q.edges {
                self.add(
                    Kind::LineLine(LineLine {
                        edges: [e.edge, f.edge],
                        solids: Some(extents.clone()),
                    }),
                    group,
                );
                group += 1;
            }
        }
        Ok(())
    }

    /// A solid against a sphere, or the end of a capsule; points touch its faces only.
    fn solid_ball(&mut self, solid: &Solid, ball: &Ball, edges: bool) {
        for index in 0..solid.faces.len() {
            let face = face(solid, index, ball.centre, ball.radius);
            self.add(Kind::PlaneSphere(face), ball.group);
        }
        if !edges {
            return;
        }
        for edge in &solid.edges {
            let kind = Kind::LineSphere(LineSphere {
                line: edge.edge.line,
                region: edge.region.clone(),
                centre: ball.centre,
                radius: ball.radius,
                sphere_region: ball.region.clone(),
            });
            self.add(kind, ball.group);
        }
        for (i, vertex) in solid.vertices.iter().enumerate() {
            let kind = Kind::SphereSphere(SphereSphere {
                centres: [*vertex, ball.centre],
                radii: [0.0, ball.radius],
                regions: [solid.around_vertex(i), ball.region.clone()],
            });
            self.add(kind, ball.group);
        }
    }

    /// The axis of a capsule, between its ends, against edges and vertices.
    fn solid_axis(&mut self, solid: &Solid, axis: &Line) {
        let mut group = 2;
        for edge in &solid.edges {
            let axis = Edge { line: *axis, faces: None };
            self.add(Kind::LineLine(LineLine { edges: [edge.edge, axis], solids: None }), group);
            group += 1;
        }
        // The line is the capsule's: the roles are exchanged.
        self.swapped = !self.swapped;
        for (i, vertex) in solid.vertices.iter().enumerate() {
            let kind = Kind::LineSphere(LineSphere {
                line: *axis,
                region: Region::Everywhere,
                centre: *vertex,
                radius: 0.0,
                sphere_region: solid.around_vertex(i),
            });
            self.add(kind, group);
            group += 1;
        }
        self.swapped = !self.swapped;
    }

    fn cylinder_ball(&mut self, drum: &Drum, ball: &Ball, rims: bool) {
        for rim in drum.rims() {
            let wall = Wall::through(&drum.centre, rim.axis);
            let kind = Kind::PlaneSphere(PlaneSphere {
                point: rim.centre,
                normal: rim.axis,
                region: Region::Disk { wall, centre: drum.centre, radius: drum.radius },
                plane_reach: rim.reach(),
                centre: ball.centre,
                radius: ball.radius,
                edges: None,
            });
            self.add(kind, ball.group);
        }
        self.line_ball(&drum.side(), ball, ball.group);
        if rims {
            for rim in drum.rims() {
                let kind =
                    Kind::RimSphere(RimSphere { rim, centre: ball.centre, radius: ball.radius });
                self.add(kind, ball.group);
            }
        }
    }

    fn line_ball(&mut self, line: &Line, ball: &Ball, group: usize) {
        let kind = Kind::LineSphere(LineSphere {
            line: *line,
            region: Region::Everywhere,
            centre: ball.centre,
            radius: ball.radius,
            sphere_region: ball.region.clone(),
        });
        self.add(kind, group);
    }

    fn ball_ball(&mut self, p: &Ball, q: &Ball, group: usize) {
        let kind = Kind::SphereSphere(SphereSphere {
            centres: [p.centre, q.centre],
            radii: [p.radius, q.radius],
            regions: [p.region.clone(), q.region.clone()],
        });
        self.add(kind, group);
    }

    fn capsules(&mut self, p: &Line, q: &Line, planar: bool) {
        // In the plane axes have no normal across both; capsules touch by their ends.
        if !planar {
            self.add(Kind::LineLine(LineLine::axes(p, q)), 4);
        }
        let ends = [p, q].map(|line| balls(&Part::Capsule(*line)));
        for end in &ends[1] {
            self.line_ball(p, end, 2 + end.group);
        }
        self.swapped = true;
        for end in &ends[0] {
            self.line_ball(q, end, end.group);
        }
        self.swapped = false;
        for first in &ends[0] {
            for second in &ends[1] {
                self.ball_ball(first, second, first.group);
            }
        }
    }
}
