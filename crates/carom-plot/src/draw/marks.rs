//! Lines, surfaces and signs as SVG.

use super::mark::{Mark, Series, Shape, Stroke};
use super::place::{Box2, Page};
use super::scale::Scale;
use super::svg::Drawing;
use super::theme::Tone;
use std::fmt::Write;

/// Half the size of a sign \[px\].
pub(super) const SIGN: f64 = 3.6;

impl Drawing {
    pub(super) fn series(&mut self, series: &Series, scales: &[Scale; 2], page: &mut Page) {
        let places: Vec<[f64; 2]> = series
            .points
            .iter()
            .map(|p| [scales[0].place(p[0]), scales[1].place(p[1])].map(kept_near))
            .collect();
        let tone = series.tone.class();
        match series.mark {
            Mark::Line(stroke) | Mark::Arrow(stroke) => {
                let (class, dashes) = stroke.attributes();
                let path = joined(&places, false);
                let _ = write!(self.body, r#"<path class="{class} {tone}" d="{path}"{dashes}/>"#);
                remember(&places, page);
                if let (Mark::Arrow(_), [.., a, b]) = (series.mark, places.as_slice()) {
                    self.arrowhead(*a, *b, tone);
                }
            }
            Mark::Area(opacity) => {
                let path = joined(&places, true);
                let _ = write!(
                    self.body,
                    r#"<path class="fill-{tone}" fill-opacity="{opacity:.3}" d="{path}"/>"#
                );
            }
            Mark::Dots(shape) => {
                for place in places.iter().filter(|p| p.iter().all(|x| x.is_finite())) {
                    self.sign(shape, tone, *place);
                    if shape == Shape::Point {
                        // One of many: labels go over a cloud if they must.
                        page.ink.push(*place);
                        continue;
                    }
                    page.signs.push(Box2::around(*place, 2.0 * SIGN, 2.0 * SIGN));
                }
            }
        }
    }

    fn arrowhead(&mut self, from: [f64; 2], to: [f64; 2], tone: &str) {
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = libm::hypot(along[0], along[1]);
        if length.is_nan() || length <= 0.0 {
            return;
        }
        let [x, y] = along.map(|a| a / length);
        let wing = |side: f64| [to[0] - 8.0 * x - side * 3.4 * y, to[1] - 8.0 * y + side * 3.4 * x];
        let ([ax, ay], [bx, by], [tx, ty]) = (wing(1.0), wing(-1.0), to);
        let _ = write!(
            self.body,
            r#"<path class="fill-{tone}" d="M{tx:.2} {ty:.2}L{ax:.2} {ay:.2}L{bx:.2} {by:.2}Z"/>"#
        );
    }

    pub(super) fn sign(&mut self, shape: Shape, tone: &str, [x, y]: [f64; 2]) {
        let r = SIGN;
        let _ = match shape {
            Shape::Disc => {
                write!(
                    self.body,
                    r#"<circle class="fill-{tone}" cx="{x:.2}" cy="{y:.2}" r="{r}"/>"#
                )
            }
            Shape::Point => write!(
                self.body,
                r#"<circle class="fill-{tone}" fill-opacity="0.45" cx="{x:.2}" cy="{y:.2}" r="1.8"/>"#
            ),
            Shape::Ring => write!(
                self.body,
                r#"<circle class="line {tone}" cx="{x:.2}" cy="{y:.2}" r="{r}"/>"#
            ),
            Shape::Square => write!(
                self.body,
                r#"<rect class="fill-{tone}" x="{:.2}" y="{:.2}" width="{:.2}" height="{:.2}"/>"#,
                x - 0.9 * r,
                y - 0.9 * r,
                1.8 * r,
                1.8 * r
            ),
            Shape::Triangle => {
                let (w, up, down) = (1.1 * r, y - 1.2 * r, y + 0.9 * r);
                let (left, right) = (x - w, x + w);
                write!(
                    self.body,
                    r#"<path class="fill-{tone}" d="M{x:.2} {up:.2}L{right:.2} {down:.2}L{left:.2} {down:.2}Z"/>"#
                )
            }
            Shape::Diamond => {
                let (l, t, rr, b) = (x - 1.2 * r, y - 1.2 * r, x + 1.2 * r, y + 1.2 * r);
                write!(
                    self.body,
                    r#"<path class="fill-{tone}" d="M{x:.2} {t:.2}L{rr:.2} {y:.2}L{x:.2} {b:.2}L{l:.2} {y:.2}Z"/>"#
                )
            }
            Shape::Cross => {
                let (l, t, rr, b) = (x - r, y - r, x + r, y + r);
                write!(
                    self.body,
                    r#"<path class="line {tone}" d="M{l:.2} {t:.2}L{rr:.2} {b:.2}M{l:.2} {b:.2}L{rr:.2} {t:.2}"/>"#
                )
            }
        };
    }

    /// The sample before a name in the legend.
    pub(super) fn key(&mut self, tone: Tone, mark: Mark, [x, y]: [f64; 2]) {
        let class = tone.class();
        let end = x + 24.0;
        match mark {
            Mark::Line(stroke) | Mark::Arrow(stroke) => {
                let (line, dashes) = Stroke::attributes(stroke);
                let _ = write!(
                    self.body,
                    r#"<path class="{line} {class}" d="M{x:.2} {y:.2}H{end:.2}"{dashes}/>"#
                );
            }
            Mark::Area(opacity) => {
                let top = y - 5.0;
                let _ = write!(
                    self.body,
                    r#"<rect class="fill-{class}" fill-opacity="{opacity:.3}" x="{x:.2}" y="{top:.2}" width="24" height="10"/>"#
                );
            }
            Mark::Dots(shape) => self.sign(shape, class, [x + 12.0, y]),
        }
    }
}

/// Points far off the page, kept where numbers stay short.
fn kept_near(x: f64) -> f64 {
    if x.is_nan() { x } else { x.clamp(-1e6, 1e6) }
}

/// The path through points; one that is not finite breaks it.
fn joined(points: &[[f64; 2]], closed: bool) -> String {
    let mut path = String::new();
    let mut pen = 'M';
    for &[x, y] in points {
        if x.is_finite() && y.is_finite() {
            let _ = write!(path, "{pen}{x:.2} {y:.2}");
            pen = 'L';
        } else {
            if closed && pen == 'L' {
                path.push('Z');
            }
            pen = 'M';
        }
    }
    if closed && pen == 'L' {
        path.push('Z');
    }
    path
}

/// Tells the page where a line runs, every few pixels of it.
fn remember(places: &[[f64; 2]], page: &mut Page) {
    const APART: f64 = 4.0;
    for pair in places.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let length = libm::hypot(b[0] - a[0], b[1] - a[1]);
        if !length.is_finite() {
            continue;
        }
        let pieces = (length / APART).min(500.0) as usize + 1;
        for k in 0..pieces {
            let s = k as f64 / pieces as f64;
            page.ink.push([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])]);
        }
    }
}
