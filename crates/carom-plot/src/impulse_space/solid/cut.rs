//! A plane through the solid: the cut, and the shadow of the whole on it.

use super::NAMES;
use crate::draw::{Panel, Stroke, Tone};
use crate::hull::hull;
use carom::ContactVec;
use carom::certify::PermissibleRegion;
use carom::region::BoundaryMesh;
use core::f64::consts::TAU;

/// Directions of a cut's outline to begin with.
const FAN: usize = 64;
/// Between two points of the outline another one is looked for while they are farther apart than this share of it \[1\].
const CHORD: f64 = 0.02;
/// How often.
const HALVINGS: usize = 8;

/// A plane of two axes through a point.
pub(super) struct Plane {
    pub(super) axes: [usize; 2],
    pub(super) through: ContactVec<3>,
}

impl Plane {
    fn flat(&self, p: &ContactVec<3>) -> [f64; 2] {
        self.axes.map(|i| p.components()[i])
    }

    /// Where the plane leaves the region in a direction.
    fn edge(&self, region: &PermissibleRegion<3>, angle: f64) -> Option<[f64; 2]> {
        let mut direction = [0.0; 3];
        direction[self.axes[0]] = libm::cos(angle);
        direction[self.axes[1]] = libm::sin(angle);
        let exit = region.exit(&self.through, &ContactVec::new(direction))?;
        Some(self.flat(&exit.impulse))
    }

    /// The outline of the cut, finer where it runs far from the centre.
    fn outline(&self, region: &PermissibleRegion<3>) -> Vec<[f64; 2]> {
        let mut points: Vec<(f64, [f64; 2])> = (0..=FAN)
            .filter_map(|k| {
                let angle = TAU * k as f64 / FAN as f64;
                Some((angle, self.edge(region, angle)?))
            })
            .collect();
        let size = |i: usize| {
            points.iter().map(|(_, p)| p[i]).fold(f64::NEG_INFINITY, f64::max)
                - points.iter().map(|(_, p)| p[i]).fold(f64::INFINITY, f64::min)
        };
        let longest = CHORD * size(0).max(size(1));
        for _ in 0..HALVINGS {
            let mut finer = Vec::with_capacity(points.len());
            for pair in points.windows(2) {
                let [(a, p), (b, q)] = [pair[0], pair[1]];
                finer.push((a, p));
                if libm::hypot(q[0] - p[0], q[1] - p[1]) > longest {
                    let middle = 0.5 * (a + b);
                    finer.extend(self.edge(region, middle).map(|m| (middle, m)));
                }
            }
            finer.extend(points.last());
            points = finer;
        }
        points.pop();
        points.into_iter().map(|(_, p)| p).collect()
    }
}

pub(super) fn panel(region: &PermissibleRegion<3>, mesh: &BoundaryMesh, plane: &Plane) -> Panel {
    let [across, up] = plane.axes;
    let mut panel = Panel::new(NAMES[across], NAMES[up]).equal().sized(400.0, 330.0);
    let shadow = hull(mesh.vertices.iter().map(|v| plane.flat(&v.impulse)).collect());
    panel.area("shadow", Tone::Sky, 0.18, shadow);
    let outline = plane.outline(region);
    panel.area("cut", Tone::Sky, 0.4, outline.clone());
    let closed = outline.iter().chain(outline.first()).copied().collect();
    panel.guide("", Tone::Sky, Stroke::Thin, closed);
    panel
}
