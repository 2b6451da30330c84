//! Which features of two solids stand for their contact in a step of finite length.
//!
//! From event to event bodies never lie in each other, and margins tell which features count. In a step they do, by what
//! they move in it: a corner that has gone past the end of a side is least deep under another one, and margins turn its
//! normal by a right angle or leave the pair without any contact. Here the direction is chosen first, for both solids at
//! once: that of the plane, among those of faces and of crossing edges, which leaves the largest distance between them or
//! the least depth. Features in which the two meet across it are the contact.

use super::line_line::LineLine;
use super::plane_sphere::PlaneSphere;
use super::region::Region;
use super::{Feature, Kind, ShapePair};
use crate::motion::vector::{Pose, V3};

/// Crossing edges are chosen before a face across which solids meet where they are less deep by this part of the depth, and
/// of the extent \[1\]: an edge that lies on a face has its normal, and one place of it.
const EDGES_BEFORE_FACES: [f64; 2] = [0.05, 1e-3];
/// Edges whose crossings differ by this part of the extent cross in one place \[1\].
const ONE_PLACE: f64 = 1e-4;
/// Faces and crossing edges whose normals differ by an angle with this cosine at the most meet in one plane \[1\].
const ONE_PLANE: f64 = 0.95;
/// The place where edges cross at a smaller angle than this is uncertain, and corners are near it \[rad\].
const LEAST_ANGLE: f64 = 0.01;

/// A face of one of the two solids.
#[derive(Clone, Copy)]
struct Face<'a> {
    /// Whether it is of B.
    of_b: bool,
    index: usize,
    plane: &'a PlaneSphere,
    /// The least gap of the other solid's vertices \[m\].
    least: f64,
    /// The feature that has it.
    nearest: usize,
}

/// Edges of the two that cross.
struct Crossing {
    /// The largest distance that the normal of two of them leaves, negative where solids overlap \[m\].
    apart: f64,
    /// Those that leave as much, where they cross between their ends.
    inside: Vec<usize>,
}

impl Face<'_> {
    /// Outwards, in the world \[1\].
    fn normal(&self, a: &Pose, b: &Pose) -> V3 {
        (if self.of_b { b } else { a }).rotation * self.plane.normal
    }

    /// Whether a point of its body lies in its plane.
    fn holds(&self, x: &V3, small: f64) -> bool {
        self.plane.normal.dot(&(x - self.plane.point)).abs() <= small
    }

    fn has(&self, feature: &Feature) -> bool {
        feature.swapped == self.of_b
            && face_of(feature).is_some_and(|(index, _)| index == self.index)
    }
}

impl ShapePair {
    /// The features in which two solids meet while they are apart by no more than `near`; none where they are farther
    /// apart. `None` where the shapes are not two solids. `extent` is their size, and `small` a length that does not count
    /// \[m\].
    pub(crate) fn manifold(
        &self,
        a: &Pose,
        b: &Pose,
        near: f64,
        extent: f64,
        small: f64,
    ) -> Option<Vec<usize>> {
        if !self.solids {
            return None;
        }
        let faces = self.faces(a, b);
        // The first of those that tell the two apart equally well: it stays the same from step to step.
        let mut best = *faces.first()?;
        for face in &faces {
            if face.least > best.least + small {
                best = *face;
            }
        }
        if best.least > near {
            return Some(Vec::new());
        }
        let mut met = self.across(&best, &faces, a, b, small);
        let edges = self.crossing(a, b, extent);
        let [of_depth, of_extent] = EDGES_BEFORE_FACES;
        let before = if met.is_empty() { small } else { of_extent * extent };
        if edges.apart > best.least + before + of_depth * best.least.abs()
            && !edges.inside.is_empty()
        {
            if edges.apart > near {
                return Some(Vec::new());
            }
            return Some(edges.inside);
        }
        // Overlapping solids have a contact that says so, wherever their corners are.
        let apart = best.least.max(edges.apart);
        let deepest =
            (met.iter().map(|&k| self.features[k].touch(a, b).gap)).fold(f64::INFINITY, f64::min);
        if apart <= 0.0 && deepest > 0.5 * apart {
            met.push(best.nearest);
            met.sort_unstable();
            met.dedup();
        }
        Some(met)
    }

    /// All faces of both solids.
    fn faces(&self, a: &Pose, b: &Pose) -> Vec<Face<'_>> {
        let mut of: [Vec<Option<Face>>; 2] = Default::default();
        for (nearest, feature) in self.features.iter().enumerate() {
            let Some((index, plane)) = face_of(feature) else { continue };
            let of_b = feature.swapped;
            let list = &mut of[usize::from(of_b)];
            if list.len() <= index {
                list.resize(index + 1, None);
            }
            let least = feature.touch(a, b).gap;
            if list[index].is_none_or(|face| least < face.least) {
                list[index] = Some(Face { of_b, index, plane, least, nearest });
            }
        }
        of.into_iter().flatten().flatten().collect()
    }

    /// The edges that cross with a normal which tells the solids apart, or which has the least depth.
    fn crossing(&self, a: &Pose, b: &Pose, extent: f64) -> Crossing {
        let mut found = Crossing { apart: f64::NEG_INFINITY, inside: Vec::new() };
        let gap = |lines: &LineLine| {
            let [cone, gap] = lines.separation(a, b);
            (cone >= 0.0).then_some(gap)
        };
        let all = || self.features.iter().enumerate().filter_map(|(k, f)| Some((k, lines_of(f)?)));
        for (_, lines) in all() {
            found.apart = found.apart.max(gap(lines).unwrap_or(f64::NEG_INFINITY));
        }
        if found.apart > f64::NEG_INFINITY {
            // Near a corner two edges take turns: both count, or one after the other would.
            let slack = ONE_PLACE * extent;
            let near = all().filter(|(_, lines)| {
                gap(lines).is_some_and(|gap| gap >= found.apart - slack)
                    && lines.ends(a, b) >= -slack
            });
            found.inside = near.map(|(k, _)| k).collect();
        }
        found
    }

    /// Features in which the solids meet across a face: corners of the other over it, its own corners over the face of the
    /// other that looks at it, and edges of the two that cross.
    fn across(&self, face: &Face, faces: &[Face], a: &Pose, b: &Pose, small: f64) -> Vec<usize> {
        let normal = face.normal(a, b);
        let facing = (faces.iter())
            .filter(|other| other.of_b != face.of_b)
            .map(|other| (other, -other.normal(a, b).dot(&normal)))
            .fold(None, |best: Option<(&Face, f64)>, (other, along)| match best {
                Some((_, most)) if along <= most => best,
                _ => Some((other, along)),
            })
            .filter(|(_, along)| *along >= ONE_PLANE)
            .map(|(other, _)| other);
        let is_over = |feature: &Feature, plane: &PlaneSphere| {
            let [p, q] = feature.ordered(a, b);
            plane.region.outside(p, &q.point(&plane.centre)) <= small
        };
        let counts = |feature: &Feature| {
            if let Some((_, plane)) = face_of(feature) {
                return face.has(feature) && is_over(feature, plane)
                    || facing.is_some_and(|other| {
                        other.has(feature)
                            && face.holds(&plane.centre, small)
                            && is_over(feature, plane)
                    });
            }
            let (Some(other), Some(lines)) = (facing, lines_of(feature)) else { return false };
            let (own, others) = if face.of_b { (1, 0) } else { (0, 1) };
            let lies = |face: &Face, edge: usize| {
                let line = &lines.edges[edge].line;
                face.holds(&line.from, small) && face.holds(&line.to(), small)
            };
            lies(face, own)
                && lies(other, others)
                && lines.ends(a, b) >= -small
                && feature.turning(a, b) * LEAST_ANGLE <= 1.0
                && feature.touch(a, b).normal.dot(&normal).abs() >= ONE_PLANE
        };
        (0..self.features.len()).filter(|&k| counts(&self.features[k])).collect()
    }
}

/// The face that a corner meets, by its place.
fn face_of(feature: &Feature) -> Option<(usize, &PlaneSphere)> {
    match &feature.kind {
        Kind::PlaneSphere(plane) => match plane.region {
            Region::Face { index, .. } => Some((index, plane)),
            _ => None,
        },
        _ => None,
    }
}

fn lines_of(feature: &Feature) -> Option<&LineLine> {
    match &feature.kind {
        Kind::LineLine(lines) => Some(lines),
        _ => None,
    }
}
