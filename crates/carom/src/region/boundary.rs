//! The region's boundary as a polyline or a mesh.

use super::extreme::along;
use super::scaled::Scaled;
use super::slice::Slice;
use super::{Inequality, PermissibleRegion};
use crate::ImpactError;
use crate::contact::ContactVec;
use core::f64::consts::TAU;

/// A point of the boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundaryPoint<const D: usize> {
    /// The impulse, on the boundary to within rounding [N·s].
    pub impulse: ContactVec<D>,
    /// The inequality that ends here.
    pub active: Inequality,
    /// The other one, at an edge or corner.
    pub also: Option<Inequality>,
}

/// A closed surface of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundaryMesh {
    /// The corners.
    pub vertices: Vec<BoundaryPoint<3>>,
    /// Indices into `vertices`, anticlockwise seen from outside (normal, t1, t2 being right-handed). Each edge
    /// belongs to two triangles.
    pub triangles: Vec<[usize; 3]>,
}

impl<const D: usize> PermissibleRegion<D> {
    /// The region in its own units, if it has an interior and an end.
    fn outlined(&self) -> Result<&Scaled<D>, ImpactError> {
        if !self.is_constructible() {
            return Err(self.no_construction());
        }
        if !self.has_interior() {
            return Err(ImpactError::bad_problem(
                "mu",
                self.contact.material().mu,
                "the permissible region of this contact is a segment or a point: it has no interior",
            ));
        }
        match self.unbounded_direction() {
            Some(direction) => Err(self.no_end(&direction)),
            None => Ok(&self.scaled),
        }
    }
}

impl PermissibleRegion<2> {
    /// The boundary as a closed polyline (the last point joins the first), anticlockwise where t points to the right
    /// and the normal up: along the line of maximum compression
    /// towards positive t, up the friction line, back along the energy ellipse in `arcs` steps (at least one), and
    /// down the other friction line. Corners are exact; friction lines that the region does not reach are left out.
    pub fn polyline(&self, arcs: usize) -> Result<Vec<BoundaryPoint<2>>, ImpactError> {
        let s = self.outlined()?;
        let right = edge(s, [1.0, 0.0]);
        let left = edge(s, [-1.0, 0.0]);
        let mut points = vec![left.low, right.low];
        points.extend(right.high);
        for i in 1..arcs.max(1) {
            let fraction = i as f64 / arcs as f64;
            points.extend(arc(s, &right.direction, &left.direction, fraction));
        }
        points.extend(left.high);
        points.dedup_by(|b, a| a.impulse == b.impulse);
        Ok(points)
    }
}

impl PermissibleRegion<3> {
    /// The boundary as a closed mesh, from half-planes through the normal: `6·refinement` of them, with
    /// `refinement` steps each on the energy ellipsoid (at least one). The plane of maximum compression and the
    /// cone are flat along each half-plane and need none; edges between the faces are edges of the mesh.
    /// Refused at grazing incidence, where the faces meet on the normal.
    pub fn mesh(&self, refinement: usize) -> Result<BoundaryMesh, ImpactError> {
        let s = self.outlined()?;
        if s.approach() == 0.0 {
            return Err(ImpactError::bad_problem(
                "contact_velocity[0]",
                0.0,
                "at grazing incidence the faces of the region meet at the origin: no mesh",
            ));
        }
        let steps = refinement.max(1);
        let around = 6 * steps;
        let normal = ContactVec::from_parts(1.0, [0.0; 2]);
        let bottom = s.centre() * (2.0 / 3.0);
        let mut vertices = vec![
            point(s, bottom, Inequality::Separation, None),
            point(s, bottom * 2.0, Inequality::Energy, None),
        ];
        // Per half-plane, from bottom to top: the foot of the cone, its top (the same point where the cone does not
        // bound the region), and the steps of the arc.
        let mut columns: Vec<Vec<usize>> = Vec::with_capacity(around);
        for i in 0..around {
            let angle = TAU * i as f64 / around as f64;
            let edge = edge(s, [libm::cos(angle), libm::sin(angle)]);
            let mut column = vec![0, vertices.len()];
            vertices.push(edge.low);
            vertices.extend(edge.high);
            column.push(vertices.len() - 1);
            for j in 1..steps {
                let fraction = j as f64 / steps as f64;
                vertices.extend(arc(s, &edge.direction, &normal, fraction));
                column.push(vertices.len() - 1);
            }
            column.push(1);
            columns.push(column);
        }
        let mut triangles = Vec::with_capacity(2 * around * (steps + 1));
        for (i, column) in columns.iter().enumerate() {
            let next = &columns[(i + 1) % around];
            for j in 1..column.len() {
                let [a, b, c, d] = [column[j - 1], next[j - 1], next[j], column[j]];
                // Where two corners are one, a quadrangle is a triangle or nothing.
                triangles.extend(
                    [[a, b, c], [a, c, d]]
                        .into_iter()
                        .filter(|[x, y, z]| x != y && y != z && z != x),
                );
            }
        }
        Ok(BoundaryMesh { vertices, triangles })
    }
}

/// Where a half-plane through the normal leaves the region sideways.
struct Edge<const D: usize> {
    direction: ContactVec<D>,
    low: BoundaryPoint<D>,
    /// The other end, where friction is what ends the region.
    high: Option<BoundaryPoint<D>>,
}

fn edge<const D: usize>(s: &Scaled<D>, side: [f64; 2]) -> Edge<D> {
    let slice = Slice::new(s, side);
    let (sin, cos) = (libm::sin(slice.end.angle), libm::cos(slice.end.angle));
    let direction = ContactVec::from_parts(cos, side.map(|x| x * sin));
    let (near, far) = (slice.near(cos, sin), slice.far(cos, sin));
    let conical = slice.end.conical && far > near;
    // Where the two ends meet they are the same number, and the far one loses fewer digits.
    let (foot, other) = if conical { (near, Inequality::Cone) } else { (far, Inequality::Energy) };
    Edge {
        direction,
        low: point(s, direction * foot, Inequality::Separation, Some(other)),
        high: conical
            .then(|| point(s, direction * far, Inequality::Cone, Some(Inequality::Energy))),
    }
}

/// The point of the energy surface over a direction between two others. Seen from a point on a circle, equal
/// angles cut equal arcs; in the metric of `W` the ellipse is a circle through the origin.
fn arc<const D: usize>(
    s: &Scaled<D>,
    from: &ContactVec<D>,
    to: &ContactVec<D>,
    fraction: f64,
) -> Option<BoundaryPoint<D>> {
    let sized = |r: &ContactVec<D>| *r * (1.0 / f64::sqrt(s.quadratic(r)));
    let (from, to) = (sized(from), sized(to));
    let angle = libm::acos(from.dot(&s.apply(&to)).clamp(-1.0, 1.0));
    let (a, b) = if angle > 0.0 {
        (libm::sin((1.0 - fraction) * angle), libm::sin(fraction * angle))
    } else {
        (1.0 - fraction, fraction)
    };
    along(s, &(from * a + to * b)).map(|p| point(s, p, Inequality::Energy, None))
}

fn point<const D: usize>(
    s: &Scaled<D>,
    p: ContactVec<D>,
    active: Inequality,
    also: Option<Inequality>,
) -> BoundaryPoint<D> {
    BoundaryPoint { impulse: s.grow(p), active, also }
}
