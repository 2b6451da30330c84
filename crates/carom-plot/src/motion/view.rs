//! From where a motion is looked at.

use super::body::{Look, normal_of, placed};
use crate::hull::hull;
use carom_sim::motion::{BodyState, Dimension};

/// To the reader's right of the second axis, as the player begins [rad].
const AZIMUTH: f64 = -0.9;
/// Above the ground [rad].
const ELEVATION: f64 = 0.35;

/// Directions of the page in the world: right, up, and towards the reader.
#[derive(Clone, Copy, Debug)]
pub(super) struct View([[f64; 3]; 3]);

/// What is drawn of a body: its silhouette, and the edges that are seen.
pub(super) struct Silhouette {
    pub(super) outline: Vec<[f64; 2]>,
    /// Closed lines, with a point that is not finite after each.
    pub(super) edges: Vec<[f64; 2]>,
    /// Towards the reader \[m\].
    pub(super) near: f64,
}

impl View {
    pub(super) fn of(dimension: Dimension) -> Self {
        match dimension {
            Dimension::Plane => Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
            Dimension::Space => {
                let (sa, ca) = libm::sincos(AZIMUTH);
                let (se, ce) = libm::sincos(ELEVATION);
                Self([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])
            }
        }
    }

    fn along(&self, axis: usize, p: [f64; 3]) -> f64 {
        self.0[axis].iter().zip(p).map(|(a, b)| a * b).sum()
    }

    pub(super) fn flat(&self, p: [f64; 3]) -> [f64; 2] {
        [self.along(0, p), self.along(1, p)]
    }

    /// The point at this height in the world that is at a point of the page.
    pub(super) fn level_point(&self, page: [f64; 2], height: f64) -> [f64; 2] {
        let [right, up, _] = self.0;
        let rest = [page[0] - right[2] * height, page[1] - up[2] * height];
        let determinant = right[0] * up[1] - right[1] * up[0];
        [
            (rest[0] * up[1] - rest[1] * right[1]) / determinant,
            (right[0] * rest[1] - up[0] * rest[0]) / determinant,
        ]
    }

    /// A shape of a body, unless it has no end or no inside.
    pub(super) fn silhouette(&self, look: &Look, state: &BodyState) -> Option<Silhouette> {
        let place = |p: &[f64; 3]| placed(state.position, &state.orientation, *p);
        let closed = |points: &[[f64; 2]]| {
            let first = points.first().copied();
            points.iter().copied().chain(first).chain([[f64::NAN; 2]]).collect::<Vec<_>>()
        };
        let near = self.along(2, state.position);
        match look {
            Look::Ball { center, radius } => {
                let middle = place(center);
                let [x, y] = self.flat(middle);
                let round = Look::Ball { center: [x, y, 0.0], radius: *radius }.outline()?;
                let outline: Vec<[f64; 2]> = round.iter().map(|p| [p[0], p[1]]).collect();
                let mut edges = closed(&outline);
                // A radius shows that it turns.
                let spoke = place(&[center[0] + radius, center[1], center[2]]);
                edges.extend([[x, y], self.flat(spoke), [f64::NAN; 2]]);
                Some(Silhouette { outline, edges, near: self.along(2, middle) })
            }
            Look::Outline(points) => {
                let outline: Vec<[f64; 2]> = points.iter().map(|p| self.flat(place(p))).collect();
                Some(Silhouette { edges: closed(&outline), outline, near })
            }
            Look::Solid { vertices, faces } => {
                let world: Vec<[f64; 3]> = vertices.iter().map(place).collect();
                let page: Vec<[f64; 2]> = world.iter().map(|p| self.flat(*p)).collect();
                let outline = hull(page.clone());
                let mut edges = closed(&outline);
                for face in faces.iter().filter(|face| face.edged) {
                    if self.along(2, normal_of(&world, &face.corners)) > 0.0 {
                        let corners: Vec<_> = face.corners.iter().map(|&k| page[k]).collect();
                        edges.extend(closed(&corners));
                    }
                }
                Some(Silhouette { outline, edges, near })
            }
            Look::Corners(_) | Look::HalfSpace { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_keep_lengths_and_hands() {
        let View([right, up, out]) = View::of(Dimension::Space);
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        for (a, b) in cross(right, up).iter().zip(out) {
            assert!((a - b).abs() < 1e-15);
        }
        assert!(up[2] > 0.9 && out[2] > 0.3, "the third axis goes up, and the ground is seen");
    }
}
