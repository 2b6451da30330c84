//! Figures and tables of the papers that carom builds on, drawn from carom's own answers.
//!
//! Each paper has a folder, each figure a file; [`PAPERS`] lists them, [`plates`] all their figures and tables. The
//! number, the parameters and the errata of a figure stand in its caption; the numbers it shows are its series and its
//! facts. [`gallery`] is a page that shows them all.

mod baber;
mod chains;
mod chatterjee_ruina;
mod gallery;
mod glocker;
mod mosterman;
mod outline;
mod uchida;

pub use gallery::{Shown, gallery};

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

    /// What it is called in the paper: `Fig. 3`, `Table 1`.
    pub fn name(&self) -> String {
        match self.id.split_once('-') {
            Some(("fig", number)) => format!("Fig. {number}"),
            Some(("table", number)) => format!("Table {number}"),
            _ => self.id.to_owned(),
        }
    }
}

/// A paper whose figures carom draws.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Its key in `docs/references.bib`.
    pub key: &'static str,
    /// A short name for the command line.
    pub short: &'static str,
    /// Authors, year and title.
    pub citation: &'static str,
    /// Its figures and tables, in its order.
    pub plates: &'static [Plate],
}

/// The papers.
pub static PAPERS: &[Paper] = &[
    Paper {
        key: "ChatterjeeRuina1998",
        short: "chatterjee-ruina",
        citation: "A. Chatterjee, A. Ruina: A new algebraic rigid body collision law based on impulse space considerations (1998)",
        plates: chatterjee_ruina::PLATES,
    },
    Paper {
        key: "Baber2011",
        short: "mirtich",
        citation: "R. Baber: A correction to Brian Mirtich's thesis: Impulse-based dynamic simulation of rigid body systems (2011)",
        plates: baber::PLATES,
    },
    Paper {
        key: "UchidaShermanDelp2015",
        short: "plus",
        citation: "T. K. Uchida, M. A. Sherman, S. L. Delp: Making a meaningful impact: modelling simultaneous frictional collisions in spatial multibody systems (2015)",
        plates: uchida::PLATES,
    },
    Paper {
        key: "Mosterman2003",
        short: "mosterman",
        citation: "P. J. Mosterman: On the normal component of centralized frictionless collision sequences (2003)",
        plates: mosterman::PLATES,
    },
    Paper {
        key: "Glocker2004",
        short: "glocker",
        citation: "Ch. Glocker: Concepts for modeling impacts without friction (2004)",
        plates: glocker::PLATES,
    },
];

/// Every figure and table, paper by paper, in the order of the paper.
pub fn plates() -> impl Iterator<Item = &'static Plate> {
    PAPERS.iter().flat_map(|paper| paper.plates)
}

/// The paper with this key or short name, in any case of letters.
pub fn find(name: &str) -> Option<&'static Paper> {
    let is = |other: &str| other.eq_ignore_ascii_case(name);
    PAPERS.iter().find(|paper| is(paper.key) || is(paper.short))
}
