//! The grammar of `carom simulate`.

use clap::{ArgGroup, Args, ValueHint};
use std::path::PathBuf;

/// `carom simulate`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("written").args(["out", "events", "report"]).multiple(true))]
pub struct Simulate {
    /// Scene file, JSON or TOML; `-` reads standard input. A file that --out wrote stands for the scene in it
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "ndjson", conflicts_with = "ndjson")]
    pub file: Option<PathBuf>,
    /// Id of the law of impacts (see `carom laws`), by default the scene's own, or the default for so many contacts. Given
    /// more than once, the scene is followed under each, and what is told is when they part
    #[arg(long, value_name = "ID")]
    pub law: Vec<String>,
    /// A setting of the law; the value is JSON or a word
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Times at which positions and velocities are wanted, in s, as in 0.1,0.2; by default the beginning and the end
    #[arg(long, value_name = "T,T,…", value_delimiter = ',', conflicts_with_all = ["every", "ndjson"])]
    pub at: Option<Vec<f64>>,
    /// The same, so many seconds apart, to the end
    #[arg(long, value_name = "DT", conflicts_with = "ndjson")]
    pub every: Option<f64>,
    /// As JSON: samples, events, energy and how it ended
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// The samples as comma-separated values, one row per time and body
    #[arg(long, conflicts_with = "ndjson")]
    pub csv: bool,
    /// The samples as a table, .parquet or .csv, one row per time and body; or as .glb, an animation for any viewer of
    /// glTF. The scene is in the file, so that `carom simulate FILE` follows it again
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "ndjson")]
    pub out: Option<PathBuf>,
    /// The events as a table, .parquet or .csv, one row per event and contact
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "ndjson")]
    pub events: Option<PathBuf>,
    /// A page that plays the motion, with its events, its ledger of energy, and what other laws say to its impacts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "ndjson")]
    pub report: Option<PathBuf>,
    /// Replace the file whatever it is; by default only what carom wrote
    #[arg(long, requires = "written")]
    pub force: bool,
    /// Follow it a second time with ten times the tolerances, and say how far apart the two are
    #[arg(long, conflicts_with = "ndjson")]
    pub check: bool,
    /// Samples also tell the contacts that last, with their forces (JSON)
    #[arg(long)]
    pub contacts: bool,
    /// Changes of feature, as from an edge to a corner, are events, too
    #[arg(long)]
    pub features: bool,
    /// Answer one question per line of standard input
    #[arg(long)]
    pub ndjson: bool,
}
