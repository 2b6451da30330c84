//! One pair of axes and what is drawn between them.

use super::mark::{Label, Mark, Series, Shape, Stroke};
use super::scale::Spread;
use super::theme::Tone;

/// An axis as asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it shows, with its unit in brackets.
    pub title: String,
    /// The numbers at its ends; absent: what the points need.
    pub range: Option<[f64; 2]>,
    /// How numbers are spread.
    pub spread: Spread,
    /// Whether ticks have numbers.
    pub numbered: bool,
    /// Whether only whole numbers have ticks: what is counted has no halves.
    pub whole: bool,
}

/// A pair of axes with series and labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Stands above the panel.
    pub title: String,
    /// Across and up.
    pub axes: [Axis; 2],
    /// Whether a unit is as long across as up.
    pub equal: bool,
    /// Whether axes are drawn at all.
    pub framed: bool,
    /// Size of the space between the axes \[px\].
    pub size: [f64; 2],
    /// What is drawn, the first at the bottom.
    pub series: Vec<Series>,
    /// Words at points.
    pub labels: Vec<Label>,
}

impl Panel {
    /// An empty panel whose axes have these titles.
    pub fn new(across: &str, up: &str) -> Self {
        let axis =
            |title: &str| Axis { title: title.to_owned(), numbered: true, ..Axis::default() };
        Self {
            title: String::new(),
            axes: [axis(across), axis(up)],
            equal: false,
            framed: true,
            size: [400.0, 320.0],
            series: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// Names the panel.
    pub fn titled(mut self, title: &str) -> Self {
        title.clone_into(&mut self.title);
        self
    }

    /// A unit is as long across as up.
    pub fn equal(mut self) -> Self {
        self.equal = true;
        self
    }

    /// Fixes the numbers at the ends of the axes.
    pub fn within(mut self, across: [f64; 2], up: [f64; 2]) -> Self {
        self.axes[0].range = Some(across);
        self.axes[1].range = Some(up);
        self
    }

    /// Sets the size of the space between the axes \[px\].
    pub fn sized(mut self, width: f64, height: f64) -> Self {
        self.size = [width, height];
        self
    }

    /// Spreads an axis by the logarithm.
    pub fn logarithmic(mut self, axis: usize) -> Self {
        self.axes[axis].spread = Spread::Logarithmic;
        self
    }

    /// Draws no axes: a scene, not a diagram.
    pub fn unframed(mut self) -> Self {
        self.framed = false;
        self
    }

    /// A line through points, listed in the legend.
    pub fn line(&mut self, name: &str, tone: Tone, stroke: Stroke, points: Vec<[f64; 2]>) {
        self.add(name, tone, Mark::Line(stroke), points, true);
    }

    /// A line of the construction: named in the numbers, not in the legend.
    pub fn guide(&mut self, name: &str, tone: Tone, stroke: Stroke, points: Vec<[f64; 2]>) {
        self.add(name, tone, Mark::Line(stroke), points, false);
    }

    /// A path with an arrowhead at its end.
    pub fn arrow(&mut self, name: &str, tone: Tone, points: Vec<[f64; 2]>) {
        self.add(name, tone, Mark::Arrow(Stroke::Solid), points, false);
    }

    /// A surface inside an outline.
    pub fn area(&mut self, name: &str, tone: Tone, opacity: f64, outline: Vec<[f64; 2]>) {
        self.add(name, tone, Mark::Area(opacity), outline, true);
    }

    /// Signs at points.
    pub fn dots(&mut self, name: &str, tone: Tone, shape: Shape, points: Vec<[f64; 2]>) {
        self.add(name, tone, Mark::Dots(shape), points, true);
    }

    /// A sign and its name at one point.
    pub fn point(&mut self, name: &str, tone: Tone, shape: Shape, at: [f64; 2]) {
        self.add(name, tone, Mark::Dots(shape), vec![at], false);
        self.label(name, tone, at);
    }

    /// A sign at one point with a number that [`Figure::explain`](super::Figure::explain) speaks of; the name stands in
    /// the numbers.
    pub fn numbered(&mut self, name: &str, number: &str, tone: Tone, shape: Shape, at: [f64; 2]) {
        self.add(name, tone, Mark::Dots(shape), vec![at], false);
        self.label(number, tone, at);
    }

    /// Words beside a point, where there is room.
    pub fn label(&mut self, text: &str, tone: Tone, at: [f64; 2]) {
        self.labels.push(Label { at, text: text.to_owned(), tone, fixed: false });
    }

    /// Words centred at a point.
    pub fn word(&mut self, text: &str, tone: Tone, at: [f64; 2]) {
        self.labels.push(Label { at, text: text.to_owned(), tone, fixed: true });
    }

    fn add(&mut self, name: &str, tone: Tone, mark: Mark, points: Vec<[f64; 2]>, listed: bool) {
        self.series.push(Series { name: name.to_owned(), tone, mark, points, listed });
    }

    /// The numbers at the ends of both axes: as asked for, or what the points need and a margin.
    pub(crate) fn ranges(&self) -> [[f64; 2]; 2] {
        let mut ranges = [self.range(0), self.range(1)];
        if self.equal {
            let per_pixel: Vec<f64> =
                (0..2).map(|i| (ranges[i][1] - ranges[i][0]) / self.size[i]).collect();
            let coarse = per_pixel[0].max(per_pixel[1]);
            for (range, size) in ranges.iter_mut().zip(self.size) {
                let (middle, half) = (0.5 * (range[0] + range[1]), 0.5 * coarse * size);
                *range = [middle - half, middle + half];
            }
        }
        ranges
    }

    fn range(&self, i: usize) -> [f64; 2] {
        let axis = &self.axes[i];
        if let Some(range) = axis.range {
            return range;
        }
        let logarithmic = axis.spread == Spread::Logarithmic;
        let places = self.series.iter().flat_map(|s| &s.points).map(|p| p[i]);
        let fixed = self.labels.iter().filter(|l| l.fixed).map(|l| l.at[i]);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for x in places.chain(fixed).filter(|x| x.is_finite() && (!logarithmic || *x > 0.0)) {
            (low, high) = (low.min(axis.spread.of(x)), high.max(axis.spread.of(x)));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let wide = high - low;
        let margin = if wide > 1e-12 * low.abs().max(high.abs()) {
            0.06 * wide
        } else {
            0.5 * high.abs().max(1.0)
        };
        let ends = [low - margin, high + margin];
        if logarithmic { ends.map(|x| libm::pow(10.0, x)) } else { ends }
    }
}
