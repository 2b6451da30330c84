//! The permissible region of a contact in space: a shaded solid, and three cuts through it.

mod body;
mod cut;

use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::family::label_once;
use crate::signs::{Sign, signs};
use crate::words::short;
use crate::{Answer, Family, PlotError};
use body::View;
use carom::certify::PermissibleRegion;
use carom::region::BoundaryMesh;
use carom::{Contact, ContactVec, Tolerances};
use cut::Plane;

/// Refinement of the drawn surface.
const REFINEMENT: usize = 24;

/// The axes' names, normal first.
const NAMES: [&str; 3] = ["p_n [N·s]", "p_{t1} [N·s]", "p_{t2} [N·s]"];

/// The axes of the three cuts: across and up.
const CUTS: [[usize; 2]; 3] = [[1, 0], [2, 0], [1, 2]];

pub(super) fn with_answers(contact: &Contact<3>, answers: &[Answer]) -> Result<Figure, PlotError> {
    let solid = Solid::of(contact)?;
    let signs = signs(answers);
    let at = |sign: &Sign| <[f64; 3]>::try_from(sign.impulse).ok();
    let (mut figure, mut panels, view) = solid.draw();
    for sign in &signs {
        let Some(p) = at(sign) else { continue };
        sign.put(&mut panels[0], view.flat(p));
        for (panel, axes) in panels[1..].iter_mut().zip(CUTS) {
            sign.put(panel, axes.map(|i| p[i]));
        }
        sign.explain(&mut figure);
    }
    figure.panels = panels;
    Ok(figure)
}

pub(super) fn with_tracks(contact: &Contact<3>, family: &Family) -> Result<Figure, PlotError> {
    let solid = Solid::of(contact)?;
    let (mut figure, mut panels, view) = solid.draw();
    for (k, track) in family.tracks.iter().enumerate() {
        let Some(ends) = track.ends() else { continue };
        let points: Vec<Option<[f64; 3]>> = track
            .answers
            .iter()
            .map(|a| a.as_ref().and_then(|a| <[f64; 3]>::try_from(a.impulse.as_slice()).ok()))
            .collect();
        let draw = |panel: &mut Panel, flat: &dyn Fn([f64; 3]) -> [f64; 2]| {
            let line = points.iter().map(|p| p.map_or([f64::NAN; 2], flat)).collect();
            panel.line(&track.law, Tone::of(k), Stroke::of(k), line);
            for (at, p) in ends.into_iter().filter_map(|at| Some((at, points[at]?))) {
                panel.dots("", Tone::of(k), Shape::Disc, vec![flat(p)]);
                label_once(panel, &family.at(at), Tone::Ink, flat(p));
            }
        };
        draw(&mut panels[0], &|p| view.flat(p));
        for (panel, axes) in panels[1..].iter_mut().zip(CUTS) {
            draw(panel, &|p| axes.map(|i| p[i]));
        }
    }
    figure.caption.push_str(&format!(
        " Lines: where each law ends while {} changes; the region is drawn for the values of the problem.",
        family.parameter
    ));
    figure.panels = panels;
    Ok(figure)
}

/// The region of a contact in space, ready to be drawn.
pub(crate) struct Solid {
    region: PermissibleRegion<3>,
    mesh: BoundaryMesh,
    centre: [f64; 3],
    mu: f64,
    e: f64,
}

impl Solid {
    pub(crate) fn of(contact: &Contact<3>) -> Result<Self, PlotError> {
        let region = PermissibleRegion::new(contact, &Tolerances::default())?;
        let mesh = region.mesh(REFINEMENT)?;
        let centre = centroid(&mesh).ok_or_else(|| {
            PlotError::new("impulse-space", "the region of this contact has no interior".to_owned())
        })?;
        Ok(Self { region, mesh, centre, mu: contact.material().mu, e: contact.e() })
    }

    pub(crate) fn region(&self) -> &PermissibleRegion<3> {
        &self.region
    }

    /// The solid in projection, with axes.
    pub(crate) fn panel(&self) -> Panel {
        body::panel(&self.mesh, &View::towards(self.centre))
    }

    /// Where an impulse, normal first, is in that panel.
    pub(crate) fn place(&self, p: [f64; 3]) -> [f64; 2] {
        View::towards(self.centre).flat(p)
    }

    /// The figure without panels, its four panels without laws, and where the first is seen from.
    fn draw(&self) -> (Figure, Vec<Panel>, View) {
        let Self { mu, e, .. } = self;
        let figure = Figure::new(
            "Impulse space",
            &format!(
                "The impulses that neither create energy, nor let the bodies go on approaching, nor leave the friction cone \
                 (mu = {}, e = {}): as a solid, and from three sides. Strong: the cut through the centroid of the \
                 solid. Faint: its shadow. Answers of laws are projected.",
                short(*mu),
                short(*e)
            ),
        );
        let view = View::towards(self.centre);
        let mut panels = vec![self.panel()];
        panels.extend(CUTS.map(|axes| {
            let plane = Plane { axes, through: ContactVec::new(self.centre) };
            cut::panel(&self.region, &self.mesh, &plane)
        }));
        (figure, panels, view)
    }
}

/// The centre of the volume that a mesh encloses, by tetrahedra from its first corner.
fn centroid(mesh: &BoundaryMesh) -> Option<[f64; 3]> {
    let corner = |i: usize| mesh.vertices[i].impulse.components();
    let first = corner(0);
    let (mut volume, mut sum) = (0.0, [0.0; 3]);
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|i| minus(corner(i), first));
        let part = dot(a, cross(b, c));
        volume += part;
        for i in 0..3 {
            sum[i] += part * 0.25 * (a[i] + b[i] + c[i]);
        }
    }
    let centre = [0, 1, 2].map(|i| first[i] + sum[i] / volume);
    centre.iter().all(|x| x.is_finite()).then_some(centre)
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::{Delassus, Material};

    fn ball() -> Contact<3> {
        let w = Delassus::new([[1.0, 0.0, 0.0], [0.0, 3.5, 0.0], [0.0, 0.0, 3.5]]).unwrap();
        let material = Material::new(0.4, 0.5).unwrap();
        Contact::new(w, ContactVec::new([-1.0, 0.6, 0.0]), material).unwrap()
    }

    /// A ball that comes along t1 has a region that t2 ↦ −t2 leaves as it is. The mesh is not quite its own mirror image:
    /// the diagonals of its quadrangles all lean the same way, which costs the square of an edge, (2π/144)² ≈ 2e-3, and
    /// most of it cancels around the solid.
    #[test]
    fn the_centroid_lies_in_the_plane_of_symmetry_and_inside() {
        let solid = Solid::of(&ball()).unwrap();
        assert!(solid.centre[2].abs() < 1e-4, "{:?}", solid.centre);
        assert!(solid.region.contains(&ContactVec::new(solid.centre)));
    }

    #[test]
    fn a_permissible_answer_lies_in_every_shadow() {
        let answer = Answer {
            law: "frictionless".into(),
            impulse: vec![1.5, 0.0, 0.0],
            path: carom::Recorder::default(),
            permissible: true,
        };
        let figure = with_answers(&ball(), &[answer]).unwrap();
        assert_eq!(figure.panels.len(), 4);
        for panel in &figure.panels[1..] {
            let find = |name: &str| panel.series.iter().find(|s| s.name == name).unwrap();
            let at = find("frictionless").points[0];
            let shadow = &find("shadow").points;
            let turns = (0..shadow.len()).map(|k| {
                let ([ax, ay], [bx, by]) = (shadow[k], shadow[(k + 1) % shadow.len()]);
                (bx - ax) * (at[1] - ay) - (by - ay) * (at[0] - ax)
            });
            assert!(turns.fold(f64::INFINITY, f64::min) > 0.0);
        }
    }
}
