//! A motion on one page: its bodies at several times, over each other as under a stroboscope, or side by side.

use super::body::Look;
use super::view::{Silhouette, View};
use crate::{Figure, Mark, Panel, PlotError, Series, Shape, Stroke, Tone};
use carom_sim::motion::{BodyKind, Dimension, Motion, Prescribed, Sample, Scene};

/// How pictures of a motion stand on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strip {
    /// In one picture.
    Over,
    /// Each in a picture of its own.
    Beside,
}

impl Strip {
    /// Over each other where bodies go far enough from sample to sample to be told apart, side by side otherwise.
    pub fn suited(scene: &Scene, motion: &Motion) -> Self {
        match Drawing::of(scene, motion).is_told_apart(motion) {
            true => Self::Over,
            false => Self::Beside,
        }
    }
}

/// Pictures side by side in a row \[1\].
const COLUMNS: usize = 4;
/// A picture of one motion \[px\].
const WIDE: [f64; 2] = [620.0, 620.0];
/// One of several \[px\].
const SMALL: [f64; 2] = [190.0, 190.0];
/// A strip is not flatter than this part of its width \[1\].
const FLATTEST: f64 = 0.3;
/// How pale a body is at first, and at last \[1\].
const OPACITY: [f64; 2] = [0.08, 0.55];
/// Bodies that go this part of their size between pictures, in the mean, are told apart \[1\].
const APART: f64 = 0.3;
/// More bodies than these are drawn side by side \[1\].
const MANY: usize = 3;

struct Drawing<'a> {
    scene: &'a Scene,
    view: View,
    looks: Vec<Vec<Look>>,
    /// The part of the world that is shown, across and up \[m\].
    bounds: [[f64; 2]; 2],
}

/// The bodies at each sample.
pub fn strip(scene: &Scene, motion: &Motion, strip: Strip) -> Result<Figure, PlotError> {
    if motion.samples.is_empty() {
        return Err(PlotError::new("strip", "the motion has no samples".to_owned()));
    }
    let drawing = Drawing::of(scene, motion);
    let last = motion.samples.len() - 1;
    let step = if last > 0 { motion.samples[1].time - motion.samples[0].time } else { 0.0 };
    if strip == Strip::Over {
        let mut panel = drawing.panel(WIDE);
        drawing.add_unmoved(&mut panel, motion);
        drawing.add_paths(&mut panel, motion);
        for (k, sample) in motion.samples.iter().enumerate() {
            let age = k as f64 / last.max(1) as f64;
            drawing.add_moving(&mut panel, sample, OPACITY[0] + age * (OPACITY[1] - OPACITY[0]));
        }
        let caption = format!(
            "Pictures {} s apart, the last the darkest; dotted the paths of centres of mass.",
            rounded(step)
        );
        return Ok(Figure::new("Stroboscopic picture", &caption).in_columns(1).with(panel));
    }
    let caption = format!("Pictures {} s apart, from left to right.", rounded(step));
    let mut figure = Figure::new("Film strip", &caption).in_columns(COLUMNS);
    for sample in &motion.samples {
        let mut panel = drawing.panel(SMALL).titled(&format!("{} s", rounded(sample.time)));
        drawing.add_unmoved(&mut panel, motion);
        drawing.add_moving(&mut panel, sample, OPACITY[1]);
        figure.panels.push(panel);
    }
    Ok(figure)
}

/// A time as it is read.
fn rounded(time: f64) -> f64 {
    let digits = 1e4;
    libm::round(time * digits) / digits
}

impl<'a> Drawing<'a> {
    fn of(scene: &'a Scene, motion: &Motion) -> Self {
        let look = |shape| Look::of(shape, scene.dimension);
        let looks: Vec<Vec<Look>> =
            scene.bodies.iter().map(|body| body.shapes.iter().map(look).collect()).collect();
        let view = View::of(scene.dimension);
        let mut drawing = Self { scene, view, looks, bounds: [[0.0; 2]; 2] };
        let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        let mut widen = |p: [f64; 2]| {
            for (bound, x) in bounds.iter_mut().zip(p).filter(|(_, x)| x.is_finite()) {
                *bound = [bound[0].min(x), bound[1].max(x)];
            }
        };
        let moves = (0..scene.bodies.len()).any(|body| drawing.moves(body));
        for sample in &motion.samples {
            for body in (0..scene.bodies.len()).filter(|&body| drawing.moves(body) || !moves) {
                widen(view.flat(sample.bodies[body].position));
                let places = drawing.silhouettes(sample, body);
                places.iter().flat_map(|place| &place.outline).for_each(|p| widen(*p));
                drawing.corners(sample, body).into_iter().for_each(&mut widen);
            }
        }
        let wide = bounds.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
        let margin = if wide > 0.0 { 0.06 * wide } else { 1.0 };
        drawing.bounds = bounds.map(|[low, high]| [low - margin, high + margin]);
        drawing
    }

    fn moves(&self, body: usize) -> bool {
        !matches!(self.scene.bodies[body].kind, BodyKind::Fixed { motion: Prescribed::None })
    }

    fn silhouettes(&self, sample: &Sample, body: usize) -> Vec<Silhouette> {
        let state = &sample.bodies[body];
        self.looks[body].iter().filter_map(|look| self.view.silhouette(look, state)).collect()
    }

    /// Corners with nothing between them.
    fn corners(&self, sample: &Sample, body: usize) -> Vec<[f64; 2]> {
        let state = &sample.bodies[body];
        let place =
            |p: &[f64; 3]| self.view.flat(super::placed(state.position, &state.orientation, *p));
        let looks = self.looks[body].iter();
        looks
            .flat_map(|look| match look {
                Look::Corners(points) => &points[..],
                _ => &[],
            })
            .map(place)
            .collect()
    }

    /// Whether pictures over each other can be told apart.
    fn is_told_apart(&self, motion: &Motion) -> bool {
        let moving: Vec<usize> = (0..self.scene.bodies.len())
            .filter(|&body| matches!(self.scene.bodies[body].kind, BodyKind::Moving { .. }))
            .collect();
        if moving.is_empty() || moving.len() > MANY {
            return false;
        }
        let (mut gone, mut size) = (0.0, 0.0);
        for &body in &moving {
            let [from, to] = [motion.samples.first(), motion.samples.last()]
                .map(|sample| sample.map_or([0.0; 3], |sample| sample.bodies[body].position));
            let apart = f64::sqrt(from.iter().zip(to).map(|(a, b)| (a - b) * (a - b)).sum());
            let reach = self.looks[body].iter().filter_map(Look::reach).fold(0.0, f64::max);
            gone += apart / motion.samples.len() as f64;
            size += 2.0 * reach;
        }
        gone > APART * size
    }

    /// A picture of the part of the world that is shown, as wide and high as that needs.
    fn panel(&self, [width, height]: [f64; 2]) -> Panel {
        let [across, up] = self.bounds;
        let [dx, dy] = [across[1] - across[0], up[1] - up[0]];
        let scale = (width / dx).min(height / dy);
        let size = [(dx * scale).max(0.5 * width), (dy * scale).max(FLATTEST * height)];
        let titles = match self.scene.dimension {
            Dimension::Plane => ["x [m]", "y [m]"],
            Dimension::Space => ["", ""],
        };
        let mut panel = Panel::new(titles[0], titles[1]).equal().sized(size[0], size[1]);
        panel = panel.within(across, up);
        if self.scene.dimension == Dimension::Space || width < WIDE[0] {
            panel = panel.unframed();
        }
        panel
    }

    /// What stays where it is: surfaces without end as lines in the plane, other shapes as they look.
    fn add_unmoved(&self, panel: &mut Panel, motion: &Motion) {
        let sample = &motion.samples[0];
        for body in (0..self.scene.bodies.len()).filter(|&body| !self.moves(body)) {
            for place in self.silhouettes(sample, body) {
                self.add(panel, &self.scene.bodies[body].name, Tone::Muted, 0.25, place);
            }
        }
        self.add_surfaces(panel, sample, |body| !self.moves(body));
    }

    /// Surfaces without end of some bodies: where they cut the part that is shown, in the plane.
    fn add_surfaces(&self, panel: &mut Panel, sample: &Sample, of: impl Fn(usize) -> bool) {
        let ranges = panel.ranges();
        for body in (0..self.scene.bodies.len()).filter(|&body| of(body)) {
            let state = &sample.bodies[body];
            for look in &self.looks[body] {
                let Look::HalfSpace { normal, offset } = look else { continue };
                let n = super::rotated(&state.orientation, *normal);
                let height: f64 = n.iter().zip(state.position).map(|(a, b)| a * b).sum();
                let name = &self.scene.bodies[body].name;
                if self.scene.dimension == Dimension::Plane {
                    let line = line_within([n[0], n[1]], height + offset, ranges);
                    panel.guide(name, Tone::Ink, Stroke::Solid, line);
                } else if let Some(ground) = self.ground(n, height + offset) {
                    let mark = Mark::Area(0.12);
                    let name = name.clone();
                    let tone = Tone::Muted;
                    panel
                        .series
                        .insert(0, Series { name, tone, mark, points: ground, listed: false });
                }
            }
        }
    }

    /// A square of a level surface in space below what is shown.
    fn ground(&self, normal: [f64; 3], height: f64) -> Option<Vec<[f64; 2]>> {
        if normal[2] < 0.9 {
            return None;
        }
        let [across, up] = self.bounds;
        // Around the middle of the page, put back onto the surface.
        let reach = 0.5 * (across[1] - across[0]).max(up[1] - up[0]);
        let lift = height / normal[2];
        let middle = self.view.level_point([0.5 * (across[0] + across[1]), up[0]], lift);
        let corner = |dx: f64, dy: f64| {
            let [x, y] = [middle[0] + dx * reach, middle[1] + dy * reach];
            let z = lift - (normal[0] * x + normal[1] * y) / normal[2];
            self.view.flat([x, y, z])
        };
        Some(vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)])
    }

    fn add_paths(&self, panel: &mut Panel, motion: &Motion) {
        for body in (0..self.scene.bodies.len()).filter(|&body| self.moves(body)) {
            let path =
                motion.samples.iter().map(|s| self.view.flat(s.bodies[body].position)).collect();
            panel.guide("", Tone::of(body), Stroke::Dotted, path);
        }
    }

    /// What moves, the farthest first.
    fn add_moving(&self, panel: &mut Panel, sample: &Sample, opacity: f64) {
        let mut places: Vec<(usize, Silhouette)> = (0..self.scene.bodies.len())
            .filter(|&body| self.moves(body))
            .flat_map(|body| self.silhouettes(sample, body).into_iter().map(move |p| (body, p)))
            .collect();
        places.sort_by(|(_, a), (_, b)| a.near.total_cmp(&b.near));
        for (body, place) in places {
            self.add(panel, &self.scene.bodies[body].name, Tone::of(body), opacity, place);
        }
        for body in (0..self.scene.bodies.len()).filter(|&body| self.moves(body)) {
            let corners = self.corners(sample, body);
            if !corners.is_empty() {
                let centre = self.view.flat(sample.bodies[body].position);
                let line = match corners[..] {
                    [only] => vec![centre, only],
                    [_, _] => corners.clone(),
                    [first, ..] => corners.iter().copied().chain([first]).collect(),
                    [] => Vec::new(),
                };
                panel.guide("", Tone::of(body), Stroke::Thin, line);
                let name = &self.scene.bodies[body].name;
                let mark = Mark::Dots(Shape::Point);
                let (name, tone) = (name.clone(), Tone::of(body));
                panel.series.push(Series { name, tone, mark, points: corners, listed: false });
            }
        }
        self.add_surfaces(panel, sample, |body| self.moves(body));
    }

    fn add(&self, panel: &mut Panel, name: &str, tone: Tone, opacity: f64, place: Silhouette) {
        let mark = Mark::Area(opacity);
        let name = name.to_owned();
        panel.series.push(Series { name, tone, mark, points: place.outline, listed: false });
        panel.guide("", tone, Stroke::Thin, place.edges);
    }
}

/// The part of the line `n · x = c` within ranges.
fn line_within(n: [f64; 2], c: f64, [across, up]: [[f64; 2]; 2]) -> Vec<[f64; 2]> {
    let level = n[1].abs() >= n[0].abs();
    let (i, range) = if level { (0, across) } else { (1, up) };
    range
        .map(|along| {
            let other = (c - n[i] * along) / n[1 - i];
            if level { [along, other] } else { [other, along] }
        })
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cross_the_whole_picture() {
        let ranges = [[-1.0, 3.0], [0.0, 2.0]];
        assert_eq!(line_within([0.0, 1.0], 0.5, ranges), [[-1.0, 0.5], [3.0, 0.5]]);
        assert_eq!(line_within([1.0, 0.0], 0.5, ranges), [[0.5, 0.0], [0.5, 2.0]]);
        let slope = line_within([-0.6, 0.8], 0.0, ranges);
        assert!(slope.iter().all(|[x, y]| (-0.6 * x + 0.8 * y).abs() < 1e-15));
    }
}
