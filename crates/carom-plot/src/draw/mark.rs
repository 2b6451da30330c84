//! What is drawn in a panel: series of points with a name, which are also the figure's numbers.

use super::theme::Tone;

/// The sign at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A filled disc.
    Disc,
    /// A ring.
    Ring,
    /// A filled square.
    Square,
    /// A filled triangle.
    Triangle,
    /// A lozenge.
    Diamond,
    /// A cross.
    Cross,
    /// A small pale disc, one of many.
    Point,
}

impl Shape {
    /// Shapes for the members of a family, over and over.
    pub const fn of(member: usize) -> Self {
        const FAMILY: [Shape; 6] = [
            Shape::Disc,
            Shape::Square,
            Shape::Triangle,
            Shape::Diamond,
            Shape::Ring,
            Shape::Cross,
        ];
        FAMILY[member % FAMILY.len()]
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    /// Unbroken.
    #[default]
    Solid,
    /// In dashes.
    Dashed,
    /// In dots.
    Dotted,
    /// Dash and dot in turn.
    DashDot,
    /// Unbroken and thin.
    Thin,
    /// Unbroken and strong.
    Bold,
}

impl Stroke {
    /// Strokes for the members of a family, over and over: lines that coincide still show each other.
    pub const fn of(member: usize) -> Self {
        const FAMILY: [Stroke; 4] =
            [Stroke::Solid, Stroke::Dashed, Stroke::DashDot, Stroke::Dotted];
        FAMILY[member % FAMILY.len()]
    }

    /// Attributes of an SVG element.
    pub(crate) const fn attributes(self) -> (&'static str, &'static str) {
        match self {
            Self::Solid => ("line", ""),
            Self::Dashed => ("line", r#" stroke-dasharray="6 4""#),
            Self::Dotted => ("line", r#" stroke-dasharray="0.5 4""#),
            Self::DashDot => ("line", r#" stroke-dasharray="7 3 1 3""#),
            Self::Thin => ("line thin", ""),
            Self::Bold => ("line bold", ""),
        }
    }
}

/// What becomes of the points of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// They are joined in order.
    Line(Stroke),
    /// They are joined, with an arrowhead at the last.
    Arrow(Stroke),
    /// They enclose a surface of this opacity \[1\].
    Area(f64),
    /// Each has a sign.
    Dots(Shape),
}

/// Points with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name, in the legend and in the numbers; a series without a name is drawn but not listed.
    pub name: String,
    /// Its colour.
    pub tone: Tone,
    /// How its points are drawn.
    pub mark: Mark,
    /// Its points, in units of the axes. A point that is not finite ends a line; the next starts another.
    pub points: Vec<[f64; 2]>,
    /// Whether it stands in the legend.
    pub listed: bool,
}

/// Words at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The point, in units of the axes.
    pub at: [f64; 2],
    /// The words; `_` and `^` lower and raise what follows.
    pub text: String,
    /// The colour.
    pub tone: Tone,
    /// Whether it stands exactly there, centred, instead of beside the point where there is room.
    pub fixed: bool,
}
