//! The impulse plane of a planar contact.

use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::family::label_once;
use crate::signs::signs;
use crate::words::short;
use crate::{Answer, Family, PlotError};
use carom::accessible_set;
use carom::certify::PermissibleRegion;
use carom::region::{FigureLine, FigurePoint, Locus};
use carom::{Contact, ContactVec, Tolerances};
use core::f64::consts::TAU;

/// Steps of the curved part of the region's boundary.
const ARCS: usize = 96;
/// Points of an energy ellipse.
const ELLIPSE: usize = 181;
/// Values each parameter of a law takes where its accessible set is drawn.
const SWEEP: usize = 21;
/// Things farther away than so many times what must be seen are left to the view of the whole \[1\].
const FAR: f64 = 2.2;
/// More answers than these are drawn small.
const MANY: usize = 40;
/// Height of the panels \[px\].
const HEIGHT: f64 = 440.0;

/// Across the tangent, up the normal.
pub(crate) fn shown(p: &ContactVec<2>) -> [f64; 2] {
    [p.tangent()[0], p.normal()]
}

/// What there is to see of a contact before any law speaks.
struct Scene {
    region: PermissibleRegion<2>,
    outline: Vec<[f64; 2]>,
    ellipse: Vec<[f64; 2]>,
    /// What the ellipse becomes where an impulse along one direction changes nothing: two lines.
    lines: Vec<[f64; 2]>,
    e: f64,
    mu: f64,
}

pub(super) fn with_answers(
    contact: &Contact<2>,
    answers: &[Answer],
    accessible: &[&str],
) -> Result<Figure, PlotError> {
    let scene = Scene::of(contact)?;
    let mut figure = scene.figure();
    let must = answers.iter().filter(|a| a.permissible).map(place);
    let may = answers.iter().filter(|a| !a.permissible).map(place);
    let [mut near, far] = scene.panels(must.collect(), may.collect());
    for (k, id) in accessible.iter().enumerate() {
        let set = accessible_set::<2>(id, contact, SWEEP, &Tolerances::default())?;
        let points = set.iter().map(|point| shown(&point.impulse)).collect();
        near.dots(&format!("{id}: all it can give"), Tone::of(k + 2), Shape::Ring, points);
    }
    scene.named_points(&mut near, &mut figure);
    for sign in signs(answers) {
        if let [normal, tangent] = sign.impulse[..] {
            sign.put(&mut near, [tangent, normal]);
            sign.explain(&mut figure);
        }
    }
    scene.put_together(figure, near, far, answers.iter().map(place).collect())
}

pub(super) fn with_tracks(contact: &Contact<2>, family: &Family) -> Result<Figure, PlotError> {
    let scene = Scene::of(contact)?;
    let mut figure = scene.figure();
    let all: Vec<[f64; 2]> = family.answers().map(place).collect();
    let [mut near, far] = scene.panels(Vec::new(), all.clone());
    scene.named_points(&mut near, &mut figure);
    for (k, track) in family.tracks.iter().enumerate() {
        let Some(ends) = track.ends() else { continue };
        let points =
            track.answers.iter().map(|a| a.as_ref().map_or([f64::NAN; 2], place)).collect();
        near.line(&track.law, Tone::of(k), Stroke::of(k), points);
        for at in ends {
            if let Some(answer) = &track.answers[at] {
                near.dots("", Tone::of(k), Shape::Disc, vec![place(answer)]);
                label_once(&mut near, &family.at(at), Tone::Ink, place(answer));
            }
        }
    }
    let [first, last] = [family.at(0), family.at(family.values.len().saturating_sub(1))];
    figure.caption.push_str(&format!(
        " Lines: where each law ends while {} changes, from {first} to {last}; the region is drawn for the values of the \
         problem.",
        family.parameter
    ));
    scene.put_together(figure, near, far, all)
}

fn place(answer: &Answer) -> [f64; 2] {
    match answer.impulse[..] {
        [normal, tangent] => [tangent, normal],
        _ => [f64::NAN; 2],
    }
}

impl Scene {
    fn of(contact: &Contact<2>) -> Result<Self, PlotError> {
        let region = PermissibleRegion::new(contact, &Tolerances::default())?;
        let outline = region.polyline(ARCS).unwrap_or_default();
        let outline = outline.iter().map(|point| shown(&point.impulse)).collect();
        let (ellipse, lines) = (ellipse(contact, 1.0), parallels(contact));
        Ok(Self { region, outline, ellipse, lines, e: contact.e(), mu: contact.material().mu })
    }

    fn figure(&self) -> Figure {
        let Self { e, mu, .. } = self;
        let mut caption = format!(
            "Every point is an impulse. Shaded: impulses that neither create energy, nor let the bodies go on approaching, \
             nor leave the friction cone (mu = {}). A law is the choice of one point for each e; here e = {}. \
             P_I stops the approach without friction, P_{{II}} stops the contact.",
            short(*mu),
            short(*e)
        );
        if self.outline.is_empty() {
            caption.push_str(" Here the permissible impulses fill no area that could be shaded.");
        }
        Figure::new("Impulse space", &caption)
    }

    /// The panel of what must be seen, and that of the whole where the ellipse is much larger.
    fn panels(&self, must: Vec<[f64; 2]>, may: Vec<[f64; 2]>) -> [Panel; 2] {
        let point = |point| self.region.point(point).map(|p| shown(&p));
        let mut seen = vec![[0.0, 0.0]];
        seen.extend([FigurePoint::PI, FigurePoint::E].into_iter().filter_map(point));
        seen.extend(&self.outline);
        seen.extend(must);
        let wanted = may
            .into_iter()
            .map(|p| vec![p])
            .chain([point(FigurePoint::PII).into_iter().collect(), self.ellipse.clone()]);
        let largest = FAR * size(&seen);
        for more in wanted {
            let both: Vec<[f64; 2]> = seen.iter().chain(&more).copied().collect();
            if size(&both) <= largest {
                seen = both;
            }
        }
        let mut near = self.view(&seen, [f64::INFINITY; 2]);
        let mut far = self.view(&self.ellipse, [300.0, HEIGHT]).titled("the whole ellipse");
        near.size = [500.0, HEIGHT];
        self.draw(&mut near);
        self.draw(&mut far);
        [near, far]
    }

    /// An empty panel that shows these points, no larger than asked for.
    fn view(&self, points: &[[f64; 2]], [widest, highest]: [f64; 2]) -> Panel {
        let [across, up] = [0, 1].map(|i| {
            let [low, high] = range(points, i);
            let margin = 0.1 * size(points);
            [low - margin, high + margin]
        });
        let shape = (across[1] - across[0]) / (up[1] - up[0]);
        let width = (highest * shape).clamp(170.0, widest.max(170.0));
        Panel::new("tangential impulse p_t [N·s]", "normal impulse p_n [N·s]")
            .equal()
            .within(across, up)
            .sized(width, highest)
    }

    /// Region, ellipse and lines.
    fn draw(&self, panel: &mut Panel) {
        if !self.outline.is_empty() {
            panel.area("permissible", Tone::Sky, 0.28, self.outline.clone());
        }
        if !self.ellipse.is_empty() {
            panel.line("no energy lost", Tone::Ink, Stroke::Solid, self.ellipse.clone());
        }
        if !self.lines.is_empty() {
            panel.line("no energy lost", Tone::Ink, Stroke::Solid, self.lines.clone());
        }
        self.construction(panel);
    }

    fn named_points(&self, panel: &mut Panel, figure: &mut Figure) {
        for (point, name) in [
            (FigurePoint::O, "O"),
            (FigurePoint::PI, "P_I"),
            (FigurePoint::PII, "P_{II}"),
            (FigurePoint::E, "2P_I"),
        ] {
            if let Some(p) = self.region.point(point) {
                panel.point(name, Tone::Ink, Shape::Ring, shown(&p));
                figure.fact(&format!("{name} normal"), p.normal(), "N·s");
                figure.fact(&format!("{name} tangential"), p.tangent()[0], "N·s");
            }
        }
    }

    /// The figure with one panel, or two where the first does not show all.
    fn put_together(
        &self,
        mut figure: Figure,
        near: Panel,
        mut far: Panel,
        answers: Vec<[f64; 2]>,
    ) -> Result<Figure, PlotError> {
        let [across, up] = near.ranges();
        let sees =
            |p: &[f64; 2]| across[0] <= p[0] && p[0] <= across[1] && up[0] <= p[1] && p[1] <= up[1];
        let whole = self.ellipse.iter().chain(&answers).all(sees);
        figure.panels.push(near);
        if !whole && !self.ellipse.is_empty() {
            let corners = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]];
            let frame = corners.map(|[i, j]| [across[i], up[j]]).to_vec();
            far.line("frame of the other panel", Tone::Muted, Stroke::Dotted, frame);
            // Of a family there are many.
            let shape = if answers.len() > MANY { Shape::Point } else { Shape::Disc };
            far.dots("", Tone::Blue, shape, answers);
            if let Some(p) = self.region.point(FigurePoint::PII) {
                far.point("P_{II}", Tone::Ink, Shape::Ring, shown(&p));
            }
            figure.panels.push(far);
        }
        Ok(figure)
    }

    /// Friction lines, lines of maximum compression, of constant e and of sticking.
    fn construction(&self, panel: &mut Panel) {
        let far = panel
            .ranges()
            .iter()
            .map(|[low, high]| (high - low).max(low.abs()).max(high.abs()))
            .fold(0.0, f64::max)
            * 4.0;
        let through = |locus: Locus<2>, from: f64| {
            locus.direction.map(|d| {
                vec![shown(&(locus.point + d * (from * far))), shown(&(locus.point + d * far))]
            })
        };
        let mut add = |line: FigureLine, name: &str, tone: Tone, stroke: Stroke, from: f64| {
            if let Some(points) = self.region.locus(line).and_then(|locus| through(locus, from)) {
                panel.line(name, tone, stroke, points);
            }
        };
        let e = self.e;
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
            &format!("u_n^+ = −e u_n^−, e = {}", short(e)),
            Tone::Green,
            Stroke::Dashed,
            -1.0,
        );
        add(FigureLine::Sticking, "sticking, u_t^+ = 0", Tone::Purple, Stroke::DashDot, -1.0);
    }
}

fn range(points: &[[f64; 2]], i: usize) -> [f64; 2] {
    let finite = || points.iter().map(|p| p[i]).filter(|x| x.is_finite());
    let (low, high) =
        (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if low <= high { [low, high] } else { [0.0, 1.0] }
}

/// The longer side of the smallest upright rectangle around points.
fn size(points: &[[f64; 2]]) -> f64 {
    let sides = [0, 1].map(|i| {
        let [low, high] = range(points, i);
        high - low
    });
    sides[0].max(sides[1]).max(f64::MIN_POSITIVE)
}

/// The impulses after which this share of the energy is left: an ellipse around `P_II`. With the whole energy it goes
/// through the origin. Empty where `P_II` does not exist.
pub(crate) fn ellipse(contact: &Contact<2>, share: f64) -> Vec<[f64; 2]> {
    let region = PermissibleRegion::new(contact, &Tolerances::default());
    let Some(centre) = region.ok().and_then(|r| r.sticking_impulse()) else { return Vec::new() };
    let w = contact.delassus().rows();
    // W = L Lᵀ; points p = centre + r L⁻ᵀ (cos, sin) have the energy of the origin.
    let l = f64::sqrt(w[0][0]);
    let m = w[1][0] / l;
    let n = f64::sqrt((w[1][1] - m * m).max(0.0));
    let start = [l * centre.normal() + m * centre.tangent()[0], n * centre.tangent()[0]];
    let r = libm::hypot(start[0], start[1]) * f64::sqrt(share);
    if !r.is_finite() || is_flat(contact) {
        return Vec::new();
    }
    (0..ELLIPSE)
        .map(|k| {
            let angle = TAU * k as f64 / (ELLIPSE - 1) as f64;
            let (x, y) = (r * libm::cos(angle), r * libm::sin(angle));
            let t = y / n;
            [centre.tangent()[0] + t, centre.normal() + (x - m * t) / l]
        })
        .collect()
}

/// Whether an impulse along one direction changes nothing that could be told from rounding.
fn is_flat(contact: &Contact<2>) -> bool {
    const ROUNDING: f64 = 1e-12;
    let [least, most] = contact.delassus().extreme_eigenvalues();
    least <= ROUNDING * most
}

/// The impulses that leave the energy as it was where `W` has one direction only: two lines, through the origin and
/// through `2P_I`. Empty where they are an ellipse.
fn parallels(contact: &Contact<2>) -> Vec<[f64; 2]> {
    let [[k, c], _] = contact.delassus().rows();
    if !(is_flat(contact) && k > 0.0) {
        return Vec::new();
    }
    let elastic = 2.0 * contact.approach_speed() / k;
    // W (−c, k) = 0: as far along it as any drawing reaches.
    let far = 1e3 * elastic / libm::hypot(k, c);
    let along = [far * k, -far * c];
    let through = |n: f64| [[-along[0], n - along[1]], [along[0], n + along[1]], [f64::NAN; 2]];
    [through(0.0), through(elastic)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::{Delassus, Material};

    fn contact(w: [[f64; 2]; 2], u: [f64; 2], mu: f64) -> Contact<2> {
        let material = Material::new(mu, 0.5).unwrap();
        Contact::new(Delassus::new(w).unwrap(), ContactVec::new(u), material).unwrap()
    }

    /// Every point of the ellipse leaves the energy as it was, every point of a smaller one the share asked for.
    #[test]
    fn the_ellipse_keeps_the_energy() {
        let contact = contact([[0.7, -0.5], [-0.5, 1.4]], [-1.0, -1.2], 0.6);
        let centre = PermissibleRegion::new(&contact, &Tolerances::default())
            .unwrap()
            .sticking_impulse()
            .unwrap();
        let available = -contact.energy_change(&centre);
        for share in [1.0, 0.25] {
            for [t, n] in ellipse(&contact, share) {
                let left = 1.0 + contact.energy_change(&ContactVec::new([n, t])) / available;
                assert!((left - share).abs() < 1e-13, "{left} {share}");
            }
        }
        assert!(ellipse(&contact, 1.0).iter().any(|p| p[0].hypot(p[1]) < 0.05));
    }

    /// A disk, W = diag(1, 3), u = (−1, −1), mu = 1/2. On the friction line p_t = p_n/2 no rebound is p_n = 1, and no
    /// loss p_n (p_n − 2) + p_t (3 p_t − 2) = 0, that is p_n = 12/7.
    #[test]
    fn corners_of_the_region_are_where_hands_find_them() {
        let contact = contact([[1.0, 0.0], [0.0, 3.0]], [-1.0, -1.0], 0.5);
        let scene = Scene::of(&contact).unwrap();
        let has = |x: f64, y: f64| {
            scene.outline.iter().any(|p| (p[0] - x).abs() < 1e-12 && (p[1] - y).abs() < 1e-12)
        };
        assert!(has(0.5, 1.0), "foot of the friction line: {:?}", scene.outline);
        assert!(has(6.0 / 7.0, 12.0 / 7.0), "top of the friction line");
        assert!(scene.outline.iter().all(|p| p[1] >= 1.0 - 1e-12 && p[0] <= 0.5 * p[1] + 1e-12));
    }

    /// A pendulum: W = v vᵀ. Impulses of both lines change the energy by nothing.
    #[test]
    fn a_flat_ellipse_is_two_lines() {
        let pendulum = contact([[1.0, -1.2], [-1.2, 1.44]], [-1.0, 1.2], 0.5);
        assert!(ellipse(&pendulum, 1.0).is_empty());
        let lines = parallels(&pendulum);
        assert_eq!(lines.len(), 6);
        for [t, n] in lines.into_iter().filter(|p| p[0].is_finite()) {
            let change = pendulum.energy_change(&ContactVec::new([n, t]));
            assert!(change.abs() < 1e-9 * t.abs(), "{change} at {t}, {n}");
        }
    }

    #[test]
    fn a_large_ellipse_gets_a_view_of_its_own() {
        let grazing = contact([[1.0, 0.0], [0.0, 3.0]], [-1.0, -40.0], 0.1);
        let figure = with_answers(&grazing, &[], &[]).unwrap();
        assert_eq!(figure.panels.len(), 2);
        let head_on = contact([[1.0, 0.0], [0.0, 3.0]], [-1.0, -0.2], 0.5);
        assert_eq!(with_answers(&head_on, &[], &[]).unwrap().panels.len(), 1);
    }
}
