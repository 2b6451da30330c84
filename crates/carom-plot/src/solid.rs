//! The permissible region of a contact in space: a shaded solid, and three cuts through it.

use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::{Answer, PlotError};
use carom::certify::region::BoundaryMesh;
use carom::certify::{Inequality, PermissibleRegion};
use carom::{Contact, ContactVec, Tolerances};
use core::f64::consts::TAU;

/// Refinement of the drawn surface.
const REFINEMENT: usize = 8;
/// Points of a cut's outline.
const OUTLINE: usize = 240;
/// Where the reader looks from: turned about the normal, and above the tangent plane \[rad\].
const VIEW: [f64; 2] = [0.9, 0.42];

/// The solid in projection and its cuts by the three planes through `P_0` along the axes.
pub(crate) fn spatial(contact: &Contact<3>, answers: &[Answer]) -> Result<Figure, PlotError> {
    let region = PermissibleRegion::new(contact, &Tolerances::default())?;
    let mesh = region.mesh(REFINEMENT)?;
    let centre = region.interior_point().ok_or_else(|| {
        PlotError::new("impulse-space", "the region of this contact has no interior".to_owned())
    })?;
    let (mu, e) = (contact.material().mu, contact.e());
    let figure = Figure::new(
        "Impulse space",
        &format!(
            "The impulses that neither create energy, nor let the bodies go on approaching, nor leave the friction cone \
             (mu = {mu}, e = {e}): as a solid, and cut along the axes through the point 3/2 P_I. \
             Answers of laws are projected onto the cuts."
        ),
    )
    .with(solid(&mesh, answers))
    .with(cut(&region, centre, [1, 0], answers))
    .with(cut(&region, centre, [2, 0], answers))
    .with(cut(&region, centre, [1, 2], answers));
    Ok(figure)
}

/// The axes' names, normal first.
const NAMES: [&str; 3] = ["p_n [N·s]", "p_{t1} [N·s]", "p_{t2} [N·s]"];

/// Right, up, and towards the reader.
fn projected(p: [f64; 3]) -> [f64; 3] {
    let [turn, height] = VIEW;
    let (right, away) = (
        libm::cos(turn) * p[1] - libm::sin(turn) * p[2],
        libm::sin(turn) * p[1] + libm::cos(turn) * p[2],
    );
    [
        right,
        libm::cos(height) * p[0] + libm::sin(height) * away,
        libm::sin(height) * p[0] - libm::cos(height) * away,
    ]
}

fn tone(face: Inequality) -> Tone {
    match face {
        Inequality::Energy => Tone::Blue,
        Inequality::Cone => Tone::Amber,
        _ => Tone::Green,
    }
}

fn solid(mesh: &BoundaryMesh, answers: &[Answer]) -> Panel {
    let mut panel = Panel::new("", "").equal().unframed().sized(400.0, 360.0);
    for (name, face) in [
        ("no energy lost", Inequality::Energy),
        ("friction cone", Inequality::Cone),
        ("maximum compression", Inequality::Separation),
    ] {
        panel.area(name, tone(face), 0.6, Vec::new());
    }
    let corners: Vec<[f64; 3]> =
        mesh.vertices.iter().map(|v| projected(v.impulse.padded())).collect();
    let mut faces: Vec<(f64, Tone, f64, [[f64; 2]; 3])> = mesh
        .triangles
        .iter()
        .filter_map(|t| {
            let [a, b, c] = t.map(|i| corners[i]);
            let facing = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            let (u, v) = (minus(b, a), minus(c, a));
            let normal =
                [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let size = libm::sqrt(normal.iter().map(|x| x * x).sum());
            // Light from the upper left, behind the reader.
            let light = (-0.4 * normal[0] + 0.6 * normal[1] + 0.7 * normal[2]) / size;
            (facing.abs() > 0.0 && size > 0.0 && normal[2] > 0.0).then(|| {
                let depth = a[2] + b[2] + c[2];
                (
                    depth,
                    tone(face_of(mesh, t)),
                    0.25 + 0.55 * light.clamp(0.0, 1.0),
                    [a, b, c].map(|p| [p[0], p[1]]),
                )
            })
        })
        .collect();
    faces.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, tone, opacity, corners) in faces {
        panel.area("", tone, opacity, corners.to_vec());
    }
    axes(&mut panel, mesh);
    for answer in answers {
        if let [n, t1, t2] = answer.impulse[..] {
            let at = projected([n, t1, t2]);
            let (tone, shape) = mark(answer);
            panel.dots("", tone, shape, vec![[at[0], at[1]]]);
        }
    }
    panel
}

fn mark(answer: &Answer) -> (Tone, Shape) {
    if answer.permissible { (Tone::Ink, Shape::Disc) } else { (Tone::Red, Shape::Cross) }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The inequality that all three corners of a triangle share.
fn face_of(mesh: &BoundaryMesh, triangle: &[usize; 3]) -> Inequality {
    let holds = |face: Inequality| {
        triangle.iter().all(|i| {
            let v = &mesh.vertices[*i];
            v.active == face || v.also == Some(face)
        })
    };
    [Inequality::Cone, Inequality::Separation]
        .into_iter()
        .find(|face| holds(*face))
        .unwrap_or(Inequality::Energy)
}

/// Arrows along the axes from the origin, as long as the solid is far.
fn axes(panel: &mut Panel, mesh: &BoundaryMesh) {
    let far = mesh.vertices.iter().map(|v| v.impulse.norm()).fold(0.0, f64::max);
    for (i, name) in NAMES.iter().enumerate() {
        let mut end = [0.0; 3];
        end[i] = if i == 0 { 1.08 * far } else { 0.5 * far };
        let [x, y, _] = projected(end);
        panel.arrow("", Tone::Muted, vec![[0.0, 0.0], [x, y]]);
        panel.label(name, Tone::Muted, [x, y]);
    }
}

/// The region in the plane of two axes through `centre`.
fn cut(
    region: &PermissibleRegion<3>,
    centre: ContactVec<3>,
    axes: [usize; 2],
    answers: &[Answer],
) -> Panel {
    let mut panel = Panel::new(NAMES[axes[0]], NAMES[axes[1]]).equal().sized(400.0, 320.0);
    let outline: Vec<[f64; 2]> = (0..OUTLINE)
        .filter_map(|k| {
            let angle = TAU * k as f64 / OUTLINE as f64;
            let mut direction = [0.0; 3];
            direction[axes[0]] = libm::cos(angle);
            direction[axes[1]] = libm::sin(angle);
            let exit = region.exit(&centre, &ContactVec::new(direction))?;
            let p = exit.impulse.as_slice();
            Some([p[axes[0]], p[axes[1]]])
        })
        .collect();
    panel.area("permissible", Tone::Sky, 0.22, outline.clone());
    let closed = outline.iter().chain(outline.first()).copied().collect();
    panel.guide("outline", Tone::Sky, Stroke::Solid, closed);
    panel.point(
        "P_0",
        Tone::Muted,
        Shape::Ring,
        [centre.as_slice()[axes[0]], centre.as_slice()[axes[1]]],
    );
    for answer in answers {
        if let [n, t1, t2] = answer.impulse[..] {
            let p = [n, t1, t2];
            let (tone, shape) = mark(answer);
            panel.point(&answer.law, tone, shape, [p[axes[0]], p[axes[1]]]);
        }
    }
    panel
}
