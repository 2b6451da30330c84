//! Figures and tables of the papers that carom builds on, drawn from carom's own answers.
//!
//! Each paper has a folder, each figure a file; [`plates`] lists them all. The number, the parameters and the errata of a
//! figure stand in its caption; the numbers it shows are its series and its facts.

mod baber;
mod chatterjee_ruina;
mod glocker;

mod mosterman;
mod uchida;

use crate::{Figure, PlotError, Sheet};

/// A figure or a table, drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    /// A picture with its numbers.
    Figure(Figure),
    /// Rows and columns.
    Table(Sheet),
}

/// A figure or table of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Plate {
    /// Key of the paper in `docs/references.bib`.
    pub paper: &'static str,
    /// What it is called there, as part of a file name: `fig-3`, `table-1`.
    pub id: &'static str,
    /// Where carom finds the paper in error, and what it draws instead; empty where it does not.
    pub erratum: &'static str,
    /// Draws it.
    pub draw: fn() -> Result<Drawn, PlotError>,
}

impl Plate {
    /// Name of its files, without ending.
    pub fn stem(&self) -> String {
        format!("{}-{}", self.paper, self.id)
    }
}

/// Every figure and table, paper by paper, in the order of the paper.
pub fn plates() -> impl Iterator<Item = &'static Plate> {
    [chatterjee_ruina::PLATES, baber::PLATES, uchida::PLATES, mosterman::PLATES, glocker::PLATES]
        .into_iter()
        .flatten()
}
