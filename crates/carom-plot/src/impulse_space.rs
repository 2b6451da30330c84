//! Impulse space: the permissible region, the lines that bound it, and where laws end.
//!
//! [ChatterjeeRuina1998] Figs 1–3 for planar contacts; in space the region is a solid, shown in projection and cut by
//! three planes.

use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::{Answer, PlotError, solid};
use carom::certify::PermissibleRegion;
use carom::certify::region::{FigureLine, FigurePoint, Locus};
use carom::law::accessible_set;
use carom::{Contact, ContactProblem, ContactVec, Tolerances};

/// Steps of the curved part of the region's boundary.
const ARCS: usize = 96;
/// Points of an energy ellipse.
const ELLIPSE: usize = 181;
/// Values each parameter of a law takes where its accessible set is drawn.
const SWEEP: usize = 21;

/// The region of one contact with the impulses of laws. In the plane the laws named in `accessible` show all impulses
/// that they can give.
pub fn impulse_space(
    problem: &ContactProblem,
    answers: &[Answer],
    accessible: &[&str],
) -> Result<Figure, PlotError> {
    if problem.len() != 1 {
        return Err(PlotError::new(
            "impulse-space",
            format!("it is drawn for one contact, this problem has {}", problem.len()),
        ));
    }
    match problem.rows() {
        2 => planar(&problem.contact::<2>(0)?, answers, accessible),
        3 => solid::spatial(&problem.contact::<3>(0)?, answers),
        rows => Err(PlotError::new(
            "impulse-space",
            format!("it is drawn for contacts of 2 or 3 rows, this one has {rows}"),
        )),
    }
}

/// Across the tangent, up the normal.
fn shown(p: &ContactVec<2>) -> [f64; 2] {
    [p.tangent()[0], p.normal()]
}

fn planar(
    contact: &Contact<2>,
    answers: &[Answer],
    accessible: &[&str],
) -> Result<Figure, PlotError> {
    let region = PermissibleRegion::new(contact, &Tolerances::default())?;
    let (mu, e) = (contact.material().mu, contact.e());
    let mut figure = Figure::new(
        "Impulse space",
        &format!(
            "Every point is an impulse. Shaded: impulses that neither create energy, nor let the bodies go on approaching, \
             nor leave the friction cone (mu = {mu}). A law is the choice of one point for each e; here e = {e}. \
             P_I stops the approach without friction, P_II stops the contact."
        ),
    )
    .in_columns(1);
    let mut panel = Panel::new("tangential impulse p_t [N·s]", "normal impulse p_n [N·s]")
        .equal()
        .sized(520.0, 460.0);
    let ellipse = energy_ellipse(contact, &region);
    frame(&mut panel, &region, &ellipse, answers);
    if let Ok(outline) = region.polyline(ARCS) {
        let outline = outline.iter().map(|point| shown(&point.impulse)).collect();
        panel.area("permissible", Tone::Sky, 0.22, outline);
    }
    if !ellipse.is_empty() {
        panel.line("no energy lost", Tone::Ink, Stroke::Solid, ellipse);
    }
    lines(&mut panel, &region, e);
    for (k, id) in accessible.iter().enumerate() {
        let set = accessible_set::<2>(id, contact, SWEEP, &Tolerances::default())?;
        let points = set.iter().map(|point| shown(&point.impulse)).collect();
        panel.dots(&format!("{id}: all it can give"), Tone::of(k + 2), Shape::Ring, points);
    }
    for point in [FigurePoint::O, FigurePoint::PI, FigurePoint::PII, FigurePoint::E] {
        if let Some(p) = region.point(point) {
            let name = if point == FigurePoint::E { "2P_I" } else { label(point) };
            panel.point(name, Tone::Ink, Shape::Ring, shown(&p));
            figure.fact(&format!("{name} normal"), p.normal(), "N·s");
            figure.fact(&format!("{name} tangential"), p.tangent()[0], "N·s");
        }
    }
    laws(&mut panel, &mut figure, answers);
    figure.panels.push(panel);
    Ok(figure)
}

/// `P_I` with its whole index lowered.
fn label(point: FigurePoint) -> &'static str {
    match point {
        FigurePoint::PII => "P_{II}",
        other => other.label(),
    }
}

/// Impulses that differ by less than this share of the largest are one point with several names.
const SAME: f64 = 1e-6;

/// A sign per distinct impulse, labelled with every law that chose it.
fn laws(panel: &mut Panel, figure: &mut Figure, answers: &[Answer]) {
    let largest = answers.iter().flat_map(|a| &a.impulse).fold(0.0, |m: f64, p| m.max(p.abs()));
    let mut groups: Vec<(Vec<&str>, &Answer)> = Vec::new();
    for answer in answers {
        let near = |other: &Answer| {
            answer.impulse.iter().zip(&other.impulse).all(|(p, q)| (p - q).abs() <= SAME * largest)
        };
        match groups.iter_mut().find(|(_, first)| near(first)) {
            Some((names, _)) => names.push(&answer.law),
            None => groups.push((vec![&answer.law], answer)),
        }
    }
    for (names, answer) in groups {
        let [normal, tangent] = [answer.impulse[0], answer.impulse[1]];
        let (tone, shape) =
            if answer.permissible { (Tone::Blue, Shape::Disc) } else { (Tone::Red, Shape::Cross) };
        panel.point(&names.join(", "), tone, shape, [tangent, normal]);
        for name in names {
            figure.fact(&format!("{name} p_n"), normal, "N·s");
            figure.fact(&format!("{name} p_t"), tangent, "N·s");
        }
    }
}

/// The impulses that leave the energy as it was: an ellipse around `P_II` through the origin.
fn energy_ellipse(contact: &Contact<2>, region: &PermissibleRegion<2>) -> Vec<[f64; 2]> {
    let Some(centre) = region.sticking_impulse() else { return Vec::new() };
    let w = contact.delassus().rows();
    // W = L Lᵀ; points p = centre + r L⁻ᵀ (cos, sin) have the energy of the origin.
    let l = libm::sqrt(w[0][0]);
    let m = w[1][0] / l;
    let n = libm::sqrt((w[1][1] - m * m).max(0.0));
    let start = [l * centre.normal() + m * centre.tangent()[0], n * centre.tangent()[0]];
    let r = libm::hypot(start[0], start[1]);
    if !(n > 0.0 && r.is_finite()) {
        return Vec::new();
    }
    (0..ELLIPSE)
        .map(|k| {
            let angle = core::f64::consts::TAU * k as f64 / (ELLIPSE - 1) as f64;
            let (x, y) = (r * libm::cos(angle), r * libm::sin(angle));
            let t = y / n;
            [centre.tangent()[0] + t, centre.normal() + (x - m * t) / l]
        })
        .collect()
}

/// The part of impulse space worth showing: origin, special points, the region, the answers.
fn frame(
    panel: &mut Panel,
    region: &PermissibleRegion<2>,
    ellipse: &[[f64; 2]],
    answers: &[Answer],
) {
    let mut seen = vec![[0.0, 0.0]];
    for point in [FigurePoint::PI, FigurePoint::PII, FigurePoint::E] {
        seen.extend(region.point(point).map(|p| shown(&p)));
    }
    if let Ok(outline) = region.polyline(ARCS) {
        seen.extend(outline.iter().map(|point| shown(&point.impulse)));
    }
    seen.extend(answers.iter().map(|a| [a.impulse[1], a.impulse[0]]));
    // The whole ellipse only where it is not much larger than what it is drawn for.
    let height = |points: &[[f64; 2]]| {
        points.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max)
            - points.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min)
    };
    if !ellipse.is_empty() && height(ellipse) < 2.5 * height(&seen) {
        seen.extend(ellipse);
    }
    let range = |i: usize| {
        let low = seen.iter().map(|p| p[i]).fold(f64::INFINITY, f64::min);
        let high = seen.iter().map(|p| p[i]).fold(f64::NEG_INFINITY, f64::max);
        let margin = 0.1 * (high - low).max(1e-9 * high.abs().max(1e-300));
        [low - margin, high + margin]
    };
    let (across, up) = (range(0), range(1));
    panel.axes[0].range = Some(across);
    panel.axes[1].range = Some(up);
}

/// Friction lines, lines of maximum compression, of constant e and of sticking.
fn lines(panel: &mut Panel, region: &PermissibleRegion<2>, e: f64) {
    let far = panel
        .axes
        .iter()
        .filter_map(|axis| axis.range)
        .map(|[low, high]| high - low)
        .fold(0.0, f64::max)
        * 4.0;
    let through = |locus: Locus<2>, from: f64| {
        locus.direction.map(|d| {
            vec![shown(&(locus.point + d * (from * far))), shown(&(locus.point + d * far))]
        })
    };
    let mut add = |line: FigureLine, name: &str, tone: Tone, stroke: Stroke, from: f64| {
        if let Some(points) = region.locus(line).and_then(|locus| through(locus, from)) {
            panel.line(name, tone, stroke, points);
        }
    };
    add(FigureLine::FrictionPositive, "friction cone", Tone::Amber, Stroke::Solid, 0.0);
    add(FigureLine::FrictionNegative, "friction cone", Tone::Amber, Stroke::Solid, 0.0);
    add(
        FigureLine::MaximumCompression,
        "maximum compression, u_n^+ = 0",
        Tone::Green,
        Stroke::Solid,
        -1.0,
    );
    add(
        FigureLine::ConstantRestitution { e },
        &format!("u_n^+ = −e u_n^−, e = {e}"),
        Tone::Green,
        Stroke::Dashed,
        -1.0,
    );
    add(FigureLine::Sticking, "sticking, u_t^+ = 0", Tone::Purple, Stroke::DashDot, -1.0);
}
