//! Figures of impacts: vector graphics, and the numbers behind them.
//!
//! A [`Figure`] is panels with axes, series of points with names, labels, a caption. It is written as SVG, legible on
//! white and on dark ground, and as CSV: the series that are drawn are the numbers that are listed, so that a test of
//! the numbers tests the picture. The same figure gives the same bytes everywhere.
//!
//! ```
//! use carom_plot::{Figure, Panel, Stroke, Theme, Tone};
//!
//! let mut panel = Panel::new("t [s]", "x [m]");
//! panel.line("fall", Tone::Blue, Stroke::Solid, (0..=10).map(|k| [0.1 * k as f64, -0.05 * (k * k) as f64]).collect());
//! let figure = Figure::new("A fall", "A body falls from rest.").with(panel);
//! assert!(figure.svg(Theme::Adaptive).starts_with("<svg"));
//! assert_eq!(figure.csv().lines().nth(1), Some("1,fall,0,0"));
//! ```

mod figure;
mod mark;
mod panel;
mod place;
mod scale;
mod svg;
mod text;
mod theme;

pub use figure::{Fact, Figure};
pub use mark::{Label, Mark, Series, Shape, Stroke};
pub use panel::{Axis, Panel};
pub use scale::Spread;
pub use theme::{Theme, Tone};
