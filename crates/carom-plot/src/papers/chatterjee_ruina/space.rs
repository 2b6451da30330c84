//! Fig. 2: the plane of impulses that the new law can give, inside the region of a contact in space.

use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::impulse_space::Solid;
use crate::papers::Drawn;
use crate::{PlotError, words::short};
use carom::{Contact, ContactVec, Delassus, Law, Material, Tolerances, Unobserved};

/// The inverse of `M = [2, −0.8, 0.3; −0.8, 1, 0.1; 0.3, 0.1, 1.2]` kg has these rows over this determinant.
const COFACTORS: [[f64; 3]; 3] = [[1.19, 0.99, -0.38], [0.99, 2.31, -0.44], [-0.38, -0.44, 1.36]];
const DETERMINANT: f64 = 1.474;
const VELOCITY: [f64; 3] = [-1.0, -1.0, 0.0];
const MU: f64 = 0.6;
/// Steps along each side of the region of parameters.
const STEPS: usize = 40;

fn impulse(e: f64, e_t: f64) -> Result<[f64; 3], PlotError> {
    let contact = contact(e, e_t)?;
    let law = Law::from_id("chatterjee-ruina")?;
    Ok(law.resolve_contact(&contact, &Tolerances::default(), &mut Unobserved)?.impulse.components())
}

fn contact(e: f64, e_t: f64) -> Result<Contact<3>, PlotError> {
    let w = Delassus::new(COFACTORS.map(|row| row.map(|x| x / DETERMINANT)))?;
    Ok(Contact::new(w, ContactVec::new(VELOCITY), Material::new(MU, e)?.with_e_t(e_t)?)?)
}

/// The solid with the plane in it, and the plane itself.
pub(super) fn figure_2() -> Result<Drawn, PlotError> {
    let contact = contact(0.0, 0.0)?;
    let solid = Solid::of(&contact)?;
    let corners = [[0.0, -1.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]];
    let mut outline = Vec::new();
    for k in 0..4 {
        let (from, to) = (corners[k], corners[(k + 1) % 4]);
        for step in 0..STEPS {
            let s = step as f64 / STEPS as f64;
            let [e, e_t] = [0, 1].map(|i| from[i] + s * (to[i] - from[i]));
            outline.push(impulse(e, e_t)?);
        }
    }
    let mut figure = Figure::new(
        "What the new law can give, in space",
        &format!(
            "Fig. 2 of Chatterjee and Ruina, for M = [2, −0.8, 0.3; −0.8, 1, 0.1; 0.3, 0.1, 1.2] kg (normal first), u = ({}, {}, \
             {}) m/s, mu = {}. Left: the permissible region and, in purple, the impulses of the new law for e from 0 to 1 and e_t \
             from −1 to 1. Right: the same in the plane of P_I and P_{{II}}, in which they lie: a parallelogram cut by the friction \
             cone (dotted: without friction's limit).",
            short(VELOCITY[0]),
            short(VELOCITY[1]),
            short(VELOCITY[2]),
            short(MU)
        ),
    );
    let mut space = solid.panel();
    let flat: Vec<[f64; 2]> = outline.iter().map(|p| solid.place(*p)).collect();
    space.area("new law", Tone::Purple, 0.5, flat.clone());
    let closed = flat.iter().chain(flat.first()).copied().collect();
    space.guide("", Tone::Purple, Stroke::Solid, closed);
    let region = solid.region();
    let (Some(first), Some(second)) = (region.frictionless_impulse(), region.sticking_impulse())
    else {
        return Err(PlotError::new("figure", "P_I and P_II must exist".to_owned()));
    };
    let (first, second) = (first.components(), second.components());
    space.point("P_I", Tone::Ink, Shape::Ring, solid.place(first));
    space.point("P_{II}", Tone::Ink, Shape::Ring, solid.place(second));
    let plane = plane(&outline, first, second, &mut figure);
    figure.panels.extend([space, plane]);
    for (name, p) in [("P_I", first), ("P_{II}", second)] {
        for (axis, x) in ["p_n", "p_{t1}", "p_{t2}"].into_iter().zip(p) {
            figure.fact(&format!("{name} {axis}"), x, "N·s");
        }
    }
    Ok(Drawn::Figure(figure))
}

/// The plane through the normal and `P_II`: across along the tangential part of `P_II`, up along the normal.
fn plane(outline: &[[f64; 3]], first: [f64; 3], second: [f64; 3], figure: &mut Figure) -> Panel {
    let size = libm::hypot(second[1], second[2]);
    let along = [second[1] / size, second[2] / size];
    let flat = |p: [f64; 3]| [p[1] * along[0] + p[2] * along[1], p[0]];
    let off = |p: [f64; 3]| (p[2] * along[0] - p[1] * along[1]).abs();
    let farthest = outline.iter().map(|p| off(*p)).fold(0.0, f64::max);
    figure.fact("largest distance from the plane", farthest, "N·s");
    let mut panel = Panel::new("tangential, along P_{II} [N·s]", "normal impulse p_n [N·s]")
        .equal()
        .sized(300.0, 360.0);
    let points: Vec<[f64; 2]> = outline.iter().map(|p| flat(*p)).collect();
    panel.area("new law", Tone::Purple, 0.5, points.clone());
    panel.guide(
        "",
        Tone::Purple,
        Stroke::Solid,
        points.iter().chain(points.first()).copied().collect(),
    );
    let mix = |a: f64, b: f64| flat([0, 1, 2].map(|i| a * first[i] + b * second[i]));
    let whole = [mix(1.0, 0.0), mix(2.0, 0.0), mix(0.0, 2.0), mix(-1.0, 2.0), mix(1.0, 0.0)];
    panel.guide("without friction's limit", Tone::Purple, Stroke::Dotted, whole.to_vec());
    for (name, at) in [
        ("O", [0.0, 0.0]),
        ("P_I", whole[0]),
        ("2P_I", whole[1]),
        ("2P_{II}", whole[2]),
        ("2P_{II} − P_I", whole[3]),
        ("P_{II}", flat(second)),
    ] {
        panel.point(name, Tone::Ink, Shape::Ring, at);
    }
    let top = points.iter().map(|p| p[1]).fold(0.0, f64::max);
    for side in [-1.0, 1.0] {
        let cone = vec![[0.0, 0.0], [side * MU * 1.1 * top, 1.1 * top]];
        panel.line("friction lines", Tone::Amber, Stroke::Solid, cone);
    }
    // [ChatterjeeRuina1998] Eq. (13) at e = 1: where the upper side meets the cone.
    if let Some(corner) =
        points.iter().copied().max_by(|a, b| (a[0] / a[1]).total_cmp(&(b[0] / b[1])))
    {
        figure.fact("steepest friction used", corner[0] / corner[1], "1");
    }
    panel
}
