//! The grammar of `carom import`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

/// `carom import`.
#[derive(Debug, Args)]
pub struct Import {
    /// Robot file: URDF, or MJCF with what it includes
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The scene file; by default standard output, and the list of what was not taken over standard error
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
    /// Replace the file whatever it is
    #[arg(long, requires = "out")]
    pub force: bool,
    /// As JSON: what was made, and what was not taken over with file and line
    #[arg(long, requires = "out")]
    pub json: bool,
    /// Fix a base that could move freely to the world
    #[arg(long)]
    pub fixed_base: bool,
    /// Coordinates of joints at t = 0, in rad or m, as in knee=0.5,hip=-0.3
    #[arg(long, value_name = "JOINT=X,…", value_delimiter = ',')]
    pub pose: Vec<String>,
    /// The keyframe of an MJCF file, by name or number from 0, that is the pose at t = 0
    #[arg(long, value_name = "NAME")]
    pub key: Option<String>,
    /// Raise bases that move freely, in m
    #[arg(long, value_name = "H", default_value_t = 0.0)]
    pub lift: f64,
    /// Add a floor at this height, in m
    #[arg(long, value_name = "Z", num_args = 0..=1, default_missing_value = "0")]
    pub ground: Option<f64>,
    /// Friction where the file says none: all of URDF, and the floor of --ground
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    pub mu: f64,
    /// Restitution of all contacts
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub e: f64,
    /// Parts of the robot do not collide with each other
    #[arg(long)]
    pub no_self_collision: bool,
    /// Moments of inertia that no body can have become their mean; by default they are an error
    #[arg(long)]
    pub balance_inertia: bool,
    /// How many corners the convex hull of a mesh may have, 8 to 500
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub hull_points: usize,
    /// Where package://NAME/ leads; by default it is looked for upwards from the file
    #[arg(long, value_name = "NAME=FOLDER")]
    pub package: Vec<String>,
    /// How long the scene is followed, in s
    #[arg(long, value_name = "T", default_value_t = 1.0)]
    pub duration: f64,
}
