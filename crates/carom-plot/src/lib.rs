//! Figures of impacts: vector graphics, and the numbers behind them.
//!
//! [`impulse_space`], [`hodograph`], [`phases`] draw what laws do with a contact, [`rounds`], [`chain`], [`outcomes`],
//! [`compliant`] what happens to several; [`motion`] what becomes of bodies in time. [`papers`] has the figures of the papers that carom builds on.
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

mod chain;
mod compliant;
mod draw;
mod error;
mod family;
mod hodograph;
mod hull;
mod impulse_space;
pub mod motion;
mod outcomes;
pub mod papers;
mod paths;
mod phases;
mod rounds;
mod sheet;
mod signs;
mod words;

pub use chain::{Velocities, chain};
pub use compliant::compliant;
pub use draw::*;
pub use error::PlotError;
pub use family::{Family, Track};
pub use hodograph::{Basin, Ray, basins, hodograph, hodograph_family, rays, streamline};
pub use impulse_space::{impulse_space, impulse_space_family};
pub use outcomes::{Cloud, OutcomeClouds, outcomes, quantiles};
pub use phases::{phases, phases_family};
pub use rounds::rounds;
pub use sheet::{Field, Sheet};

use carom::{ContactProblem, Recorder};

/// A law's answer as figures show it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The law, as readers know it.
    pub law: String,
    /// Its impulse, contact by contact, normal first [N·s].
    pub impulse: Vec<f64>,
    /// Its path; empty if it has none.
    pub path: Recorder,
    /// Whether the certificate lets it pass.
    pub permissible: bool,
}

/// What a contact is called: by its number, where there are several.
fn contact_name(problem: &ContactProblem, contact: usize) -> String {
    match problem.len() {
        1 => "contact".to_owned(),
        _ => format!("contact {contact}"),
    }
}
