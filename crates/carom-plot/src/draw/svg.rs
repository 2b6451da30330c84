//! Drawing a figure as SVG: layout, axes, labels, legend, key, caption.

use super::figure::Figure;
use super::layout::{Layout, Word};
use super::mark::{Label, Mark};
use super::marks::SIGN;
use super::panel::Panel;
use super::place::{Box2, LEADER, Page};
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
/// Size of the title's words \[px\].
const TITLE: f64 = 15.0;
/// How much wider bold words are \[1\].
const BOLD: f64 = 1.12;
/// Size of the caption's words \[px\].
const CAPTION: f64 = 10.5;
/// Height of a line of text \[px\].
const LINE: f64 = 16.0;
/// No figure is narrower \[px\].
const NARROWEST: f64 = 360.0;
/// How far words reach above and below the line they stand on, in their size \[1\].
const REACH: [f64; 2] = [0.8, 0.24];

/// The figure as SVG, and where its words stand.
pub(super) fn draw(figure: &Figure, theme: Theme) -> (String, Layout) {
    let mut out = Drawing::default();
    let columns = figure.columns.min(figure.panels.len()).max(1);
    let insets = aligned(figure.panels.iter().map(Inset::of).collect(), columns);
    let row_width = |(panels, insets): (&[Panel], &[Inset])| {
        let wide: f64 = panels.iter().zip(insets).map(|(p, i)| i.width(p)).sum();
        wide + GAP * panels.len().saturating_sub(1) as f64
    };
    let rows = || figure.panels.chunks(columns).zip(insets.chunks(columns));
    let width = rows().map(row_width).fold(0.0, f64::max).max(NARROWEST) + 2.0 * EDGE;
    let mut y = out.title(&figure.title, width);
    for (panels, insets) in rows() {
        let mut x = EDGE;
        let mut height: f64 = 0.0;
        for (panel, inset) in panels.iter().zip(insets) {
            out.panel(panel, inset, [x, y]);
            x += inset.width(panel) + GAP;
            height = height.max(inset.height(panel));
        }
        y += height + GAP;
    }
    y = out.legend(figure, y - 0.5 * GAP, width);
    y = out.numbered_key(figure, y, width);
    if !figure.caption.is_empty() {
        y += 0.2 * LINE;
        for line in text::wrap(&figure.caption, CAPTION, width - 2.0 * EDGE) {
            y += 0.9 * LINE;
            out.text(&line, "fill-ink small", "start", [EDGE, y], CAPTION);
        }
    }
    let height = y + EDGE;
    out.layout.size = [width, height];
    let mut svg = String::new();
    let _ = write!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img"><title>{}</title><desc>{}</desc><style>{}</style><rect class="ground" width="100%" height="100%"/>"#,
        text::escape(&text::plain(&figure.title)),
        text::escape(&text::plain(&figure.caption)),
        theme.style()
    );
    svg.push_str(&out.body);
    svg.push_str("</svg>\n");
    (svg, out.layout)
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
        let up = Scale::of(&panel.axes[1], panel.ranges()[1], [panel.size[1], 0.0]);
        let widest =
            if panel.axes[1].numbered { widest(&up.ticks(rows_in(panel.size[1]))) } else { 0.0 };
        Self { left: 32.0 + widest, right: 14.0, top, bottom: 44.0 }
    }

    fn width(&self, panel: &Panel) -> f64 {
        self.left + panel.size[0] + self.right
    }

    fn height(&self, panel: &Panel) -> f64 {
        self.top + panel.size[1] + self.bottom
    }
}

/// Axes begin at the same height in a row, and at the same distance from the left in a column.
fn aligned(mut insets: Vec<Inset>, columns: usize) -> Vec<Inset> {
    for row in insets.chunks_mut(columns) {
        let top = row.iter().map(|inset| inset.top).fold(0.0, f64::max);
        row.iter_mut().for_each(|inset| inset.top = top);
    }
    for column in 0..columns {
        let own = |k: &usize| k % columns == column;
        let left = (0..insets.len()).filter(own).map(|k| insets[k].left).fold(0.0, f64::max);
        (0..insets.len()).filter(own).for_each(|k| insets[k].left = left);
    }
    insets
}

/// How many ticks an axis of this height bears.
fn rows_in(height: f64) -> usize {
    (height / 36.0).max(2.0) as usize
}

fn widest(ticks: &[(f64, String)]) -> f64 {
    ticks.iter().map(|(_, words)| text::width(words, WORDS)).fold(0.0, f64::max)
}

/// Ticks across, as many as stand side by side without touching.
fn ticks_across(scale: &Scale, length: f64) -> Vec<(f64, String)> {
    let mut wanted = (length / 50.0) as usize;
    loop {
        let ticks = scale.ticks(wanted);
        let place = |k: usize| scale.place(ticks[k].0);
        let room =
            (1..ticks.len()).map(|k| (place(k) - place(k - 1)).abs()).fold(f64::INFINITY, f64::min);
        if wanted <= 1 || widest(&ticks) + 8.0 <= room {
            return ticks;
        }
        wanted -= 1;
    }
}

#[derive(Default)]
pub(super) struct Drawing {
    pub(super) body: String,
    layout: Layout,
    clips: usize,
}

impl Drawing {
    /// The title, in lines; returns where panels begin.
    fn title(&mut self, title: &str, width: f64) -> f64 {
        let mut y = EDGE;
        for line in text::wrap(title, BOLD * TITLE, width - 2.0 * EDGE) {
            let inside = text::markup(&line, TITLE);
            let base = y + 12.0;
            let _ = write!(
                self.body,
                r#"<text class="title fill-ink" x="{EDGE}" y="{base:.2}">{inside}</text>"#
            );
            self.remember(&line, [EDGE, EDGE + BOLD * text::width(&line, TITLE)], base, TITLE);
            y += 20.0;
        }
        if y > EDGE { y + 4.0 } else { y }
    }

    fn panel(&mut self, panel: &Panel, inset: &Inset, [x, y]: [f64; 2]) {
        let (left, top) = (x + inset.left, y + inset.top);
        let [wide, high] = panel.size;
        let [across, up] = panel.ranges();
        let scales = [
            Scale::of(&panel.axes[0], across, [left, left + wide]),
            Scale::of(&panel.axes[1], up, [top + high, top]),
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
        let mut page = Page::new(room);
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
        for (x, written) in ticks_across(&scales[0], panel.size[0]) {
            let x = scales[0].place(x);
            if panel.axes[0].numbered {
                let _ = write!(grid, "M{x:.2} {top:.2}V{bottom:.2}");
            }
            words.push((written, "middle", [x, bottom + 17.0], panel.axes[0].numbered));
        }
        let up = scales[1].ticks(rows_in(panel.size[1]));
        let widest = if panel.axes[1].numbered { widest(&up) } else { 0.0 };
        for (y, written) in up {
            let y = scales[1].place(y);
            if panel.axes[1].numbered {
                let _ = write!(grid, "M{left:.2} {y:.2}H{right:.2}");
            }
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
        self.text(&panel.axes[0].title, "fill-ink", "middle", [middle, bottom + 35.0], WORDS);
        let title = &panel.axes[1].title;
        if title.is_empty() {
            return;
        }
        let inside = text::markup(title, WORDS);
        let x = left - widest - 16.0;
        let _ = write!(
            self.body,
            r#"<text class="fill-ink" text-anchor="middle" transform="translate({x:.2} {centre:.2}) rotate(-90)">{inside}</text>"#
        );
        let half = 0.5 * text::width(title, WORDS);
        self.layout.words.push(Word {
            text: title.clone(),
            low: [x - REACH[0] * WORDS, centre - half],
            high: [x + REACH[1] * WORDS, centre + half],
        });
    }

    fn labels(&mut self, labels: &[Label], scales: &[Scale; 2], page: &mut Page) {
        // Words with a place of their own first: the others go around them.
        let (fixed, free): (Vec<&Label>, Vec<&Label>) = labels.iter().partition(|l| l.fixed);
        for label in fixed.into_iter().chain(free) {
            let at = [scales[0].place(label.at[0]), scales[1].place(label.at[1])];
            // What lies outside the axes is not drawn, and needs no name.
            if !page.room.contains(at) {
                continue;
            }
            let (width, height) = (text::width(&label.text, WORDS), WORDS);
            let place = if label.fixed {
                let place = Box2::around(at, width, height);
                page.words.push(place);
                place
            } else {
                page.place(at, width, height)
            };
            let tone = label.tone.class();
            let [nx, ny] = place.nearest(at);
            if !label.fixed && libm::hypot(nx - at[0], ny - at[1]) > LEADER {
                let [x, y] = at;
                let _ = write!(
                    self.body,
                    r#"<path class="leader {tone}" d="M{x:.2} {y:.2}L{nx:.2} {ny:.2}"/>"#
                );
            }
            let [x, y] = place.centre();
            let class = format!("halo fill-{tone}");
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

    /// What numbers at signs stand for, in rows; returns where they end.
    fn numbered_key(&mut self, figure: &Figure, mut y: f64, width: f64) -> f64 {
        if figure.key.is_empty() {
            return y;
        }
        let numbers = figure.key.iter().map(|k| text::width(&k.sign, WORDS)).fold(0.0, f64::max);
        let indent = 2.0 * SIGN + 8.0 + numbers + 8.0;
        let room = width - 2.0 * EDGE - indent;
        let mut x = EDGE;
        y += 10.0;
        for entry in &figure.key {
            let lines = text::wrap(&entry.text, WORDS, room);
            let wide = lines.iter().map(|line| text::width(line, WORDS)).fold(0.0, f64::max);
            if x > EDGE && x + indent + wide > width - EDGE {
                (x, y) = (EDGE, y + LINE + 2.0);
            }
            let tone = entry.tone.class();
            self.sign(entry.shape, tone, [x + SIGN + 1.0, y]);
            let number = [x + 2.0 * SIGN + 8.0 + numbers, y + 4.0];
            self.text(&entry.sign, &format!("fill-{tone}"), "end", number, WORDS);
            for (k, line) in lines.iter().enumerate() {
                y += if k > 0 { LINE } else { 0.0 };
                self.text(line, "fill-ink", "start", [x + indent, y + 4.0], WORDS);
            }
            x += indent + wide + 20.0;
        }
        y + 0.7 * LINE
    }

    fn text(&mut self, words: &str, class: &str, anchor: &str, [x, y]: [f64; 2], size: f64) {
        if words.is_empty() {
            return;
        }
        let inside = text::markup(words, size);
        let _ = write!(
            self.body,
            r#"<text class="{class}" text-anchor="{anchor}" x="{x:.2}" y="{y:.2}">{inside}</text>"#
        );
        let wide = text::width(words, size);
        let left = match anchor {
            "middle" => x - 0.5 * wide,
            "end" => x - wide,
            _ => x,
        };
        self.remember(words, [left, left + wide], y, size);
    }

    /// Keeps where words stand.
    fn remember(&mut self, words: &str, across: [f64; 2], base: f64, size: f64) {
        self.layout.words.push(Word {
            text: words.to_owned(),
            low: [across[0], base - REACH[0] * size],
            high: [across[1], base + REACH[1] * size],
        });
    }
}
