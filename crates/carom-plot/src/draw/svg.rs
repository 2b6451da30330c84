//! Drawing a figure as SVG: layout, axes, marks, labels, legend.

use super::figure::Figure;
use super::mark::{Label, Mark, Series, Shape, Stroke};
use super::panel::Panel;
use super::place::{Box2, Page};
use super::scale::Scale;
use super::text;
use super::theme::{Theme, Tone};
use std::fmt::Write;

/// Space around everything \[px\].
const EDGE: f64 = 14.0;
/// Between panels \[px\].
const GAP: f64 = 22.0;
/// Size of words \[px\].
const WORDS: f64 = 12.0;
/// Size of the caption's words \[px\].
const CAPTION: f64 = 10.5;
/// Height of a line of text \[px\].
const LINE: f64 = 16.0;
/// Half the size of a sign \[px\].
const SIGN: f64 = 3.6;

/// The figure as SVG.
pub(crate) fn draw(figure: &Figure, theme: Theme) -> String {
    let mut out = Drawing::default();
    let columns = figure.columns.min(figure.panels.len()).max(1);
    let insets: Vec<Inset> = figure.panels.iter().map(Inset::of).collect();
    let mut y = EDGE + if figure.title.is_empty() { 0.0 } else { 24.0 };
    let mut width: f64 = 0.0;
    for (panels, insets) in figure.panels.chunks(columns).zip(insets.chunks(columns)) {
        let mut x = EDGE;
        let mut height: f64 = 0.0;
        for (panel, inset) in panels.iter().zip(insets) {
            out.panel(panel, inset, [x, y]);
            x += inset.width(panel) + GAP;
            height = height.max(inset.height(panel));
        }
        width = width.max(x - GAP);
        y += height + GAP;
    }
    width = (width + EDGE).max(2.0 * EDGE + text::width(&figure.title, 15.0)).max(320.0);
    y = out.legend(figure, y - 0.5 * GAP, width);
    if !figure.caption.is_empty() {
        for line in text::wrap(&figure.caption, CAPTION, width - 2.0 * EDGE) {
            y += 0.9 * LINE;
            out.text(&line, "fill-ink small", "start", [EDGE, y], CAPTION);
        }
    }
    let height = y + EDGE;
    let mut svg = String::new();
    let _ = write!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img"><title>{}</title><desc>{}</desc><style>{}</style><rect class="ground" width="100%" height="100%"/>"#,
        text::escape(&figure.title),
        text::escape(&figure.caption),
        theme.style()
    );
    if !figure.title.is_empty() {
        let title = text::markup(&figure.title, 15.0);
        let _ = write!(
            svg,
            r#"<text class="title fill-ink" x="{EDGE}" y="{:.0}">{title}</text>"#,
            EDGE + 12.0
        );
    }
    svg.push_str(&out.body);
    svg.push_str("</svg>\n");
    svg
}

/// Space around a panel's axes for its words \[px\].
struct Inset {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Inset {
    fn of(panel: &Panel) -> Self {
        let top = if panel.title.is_empty() { 6.0 } else { 24.0 };
        if !panel.framed {
            return Self { left: 4.0, right: 4.0, top, bottom: 4.0 };
        }
        let up = Scale::new(panel.axes[1].spread, panel.ranges()[1], [panel.size[1], 0.0]);
        let widest = up
            .ticks(ticks_in(panel.size[1]))
            .iter()
            .map(|(_, words)| text::width(words, WORDS))
            .fold(0.0, f64::max);
        Self { left: 32.0 + widest, right: 14.0, top, bottom: 42.0 }
    }

    fn width(&self, panel: &Panel) -> f64 {
        self.left + panel.size[0] + self.right
    }

    fn height(&self, panel: &Panel) -> f64 {
        self.top + panel.size[1] + self.bottom
    }
}

/// How many ticks an axis of this length bears.
fn ticks_in(length: f64) -> usize {
    (length / 60.0) as usize
}

#[derive(Default)]
struct Drawing {
    body: String,
    clips: usize,
}

impl Drawing {
    fn panel(&mut self, panel: &Panel, inset: &Inset, [x, y]: [f64; 2]) {
        let (left, top) = (x + inset.left, y + inset.top);
        let [wide, high] = panel.size;
        let [across, up] = panel.ranges();
        let scales = [
            Scale::new(panel.axes[0].spread, across, [left, left + wide]),
            Scale::new(panel.axes[1].spread, up, [top + high, top]),
        ];
        let room = Box2 { low: [left, top], high: [left + wide, top + high] };
        if !panel.title.is_empty() {
            self.text(&panel.title, "fill-ink", "middle", [left + 0.5 * wide, top - 9.0], WORDS);
        }
        if panel.framed {
            self.axes(panel, &scales, &room);
        }
        self.clips += 1;
        let clip = self.clips;
        let _ = write!(
            self.body,
            r#"<clipPath id="c{clip}"><rect x="{left:.2}" y="{top:.2}" width="{wide:.2}" height="{high:.2}"/></clipPath><g clip-path="url(#c{clip})">"#
        );
        let mut page = Page { room, taken: Vec::new(), ink: Vec::new() };
        for series in &panel.series {
            self.series(series, &scales, &mut page);
        }
        self.body.push_str("</g>");
        self.labels(&panel.labels, &scales, &mut page);
    }

    fn axes(&mut self, panel: &Panel, scales: &[Scale; 2], room: &Box2) {
        let [left, top] = room.low;
        let [right, bottom] = room.high;
        let (mut grid, mut words) = (String::new(), Vec::new());
        for (x, written) in scales[0].ticks(ticks_in(panel.size[0])) {
            let x = scales[0].place(x);
            let _ = write!(grid, "M{x:.2} {top:.2}V{bottom:.2}");
            words.push((written, "middle", [x, bottom + 15.0], panel.axes[0].numbered));
        }
        for (y, written) in scales[1].ticks(ticks_in(panel.size[1])) {
            let y = scales[1].place(y);
            let _ = write!(grid, "M{left:.2} {y:.2}H{right:.2}");
            words.push((written, "end", [left - 6.0, y + 4.0], panel.axes[1].numbered));
        }
        let _ = write!(self.body, r#"<path class="grid muted" d="{grid}"/>"#);
        let _ = write!(
            self.body,
            r#"<path class="frame muted" d="M{left:.2} {top:.2}H{right:.2}V{bottom:.2}H{left:.2}Z"/>"#
        );
        for (written, anchor, at, _) in words.into_iter().filter(|word| word.3) {
            self.text(&written, "fill-ink", anchor, at, WORDS);
        }
        let (middle, centre) = (0.5 * (left + right), 0.5 * (top + bottom));
        self.text(&panel.axes[0].title, "fill-ink", "middle", [middle, bottom + 33.0], WORDS);
        let widest = scales[1]
            .ticks(ticks_in(panel.size[1]))
            .iter()
            .map(|(_, words)| text::width(words, WORDS))
            .fold(0.0, f64::max);
        let title = text::markup(&panel.axes[1].title, WORDS);
        let x = left - widest - 16.0;
        let _ = write!(
            self.body,
            r#"<text class="fill-ink" text-anchor="middle" transform="translate({x:.2} {centre:.2}) rotate(-90)">{title}</text>"#
        );
    }

    fn series(&mut self, series: &Series, scales: &[Scale; 2], page: &mut Page) {
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
                    page.taken.push(Box2::around(*place, 2.0 * SIGN, 2.0 * SIGN));
                }
            }
        }
    }

    fn arrowhead(&mut self, from: [f64; 2], to: [f64; 2], tone: &str) {
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = libm::hypot(along[0], along[1]);
        if !(length > 0.0) {
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

    fn sign(&mut self, shape: Shape, tone: &str, [x, y]: [f64; 2]) {
        let r = SIGN;
        let _ = match shape {
            Shape::Disc => {
                write!(
                    self.body,
                    r#"<circle class="fill-{tone}" cx="{x:.2}" cy="{y:.2}" r="{r}"/>"#
                )
            }
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

    fn labels(&mut self, labels: &[Label], scales: &[Scale; 2], page: &mut Page) {
        for label in labels {
            let at = [scales[0].place(label.at[0]), scales[1].place(label.at[1])];
            if !at.iter().all(|x| x.is_finite()) {
                continue;
            }
            let (width, height) = (text::width(&label.text, WORDS), WORDS);
            let place = if label.fixed {
                let place = Box2::around(at, width, height);
                page.taken.push(place);
                place
            } else {
                page.place(at, width, height)
            };
            let [x, y] = place.centre();
            let class = format!("halo fill-{}", label.tone.class());
            self.text(&label.text, &class, "middle", [x, y + 0.35 * WORDS], WORDS);
        }
    }

    /// Names of the series, in rows; returns where they end.
    fn legend(&mut self, figure: &Figure, mut y: f64, width: f64) -> f64 {
        let mut seen: Vec<(&str, Tone, Mark)> = Vec::new();
        for series in figure.panels.iter().flat_map(|p| &p.series).filter(|s| s.listed) {
            let entry = (series.name.as_str(), series.tone, series.mark);
            if !series.name.is_empty() && !seen.contains(&entry) {
                seen.push(entry);
            }
        }
        if seen.is_empty() {
            return y;
        }
        let mut x = EDGE;
        y += 4.0;
        for (name, tone, mark) in seen {
            let wide = 34.0 + text::width(name, WORDS) + 16.0;
            if x > EDGE && x + wide > width - EDGE {
                (x, y) = (EDGE, y + LINE + 2.0);
            }
            self.key(tone, mark, [x, y]);
            self.text(name, "fill-ink", "start", [x + 30.0, y + 4.0], WORDS);
            x += wide;
        }
        y + 0.7 * LINE
    }

    /// The sample before a name in the legend.
    fn key(&mut self, tone: Tone, mark: Mark, [x, y]: [f64; 2]) {
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

    fn text(&mut self, words: &str, class: &str, anchor: &str, [x, y]: [f64; 2], size: f64) {
        let inside = text::markup(words, size);
        let _ = write!(
            self.body,
            r#"<text class="{class}" text-anchor="{anchor}" x="{x:.2}" y="{y:.2}">{inside}</text>"#
        );
    }
}

/// Points far off the page, kept where numbers stay short.
fn kept_near(x: f64) -> f64 {
    if x.is_nan() { x } else { x.clamp(-1e5, 1e5) }
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
