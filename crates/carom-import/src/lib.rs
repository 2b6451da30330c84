//! Robot files as scenes: URDF and MJCF in, [`Scene`] out, with a list of what was not taken over.
//!
//! ```no_run
//! use carom_import::{Options, import};
//! use carom_sim::motion::{Options as Run, simulate};
//!
//! let robot = import("robot.urdf".as_ref(), &Options::default())?;
//! for note in &robot.notes {
//!     println!("{note}");
//! }
//! let motion = simulate(&robot.scene, &Run::at([1.0]))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | | |
//! |---|---|
//! | `xml`, `files` | elements with their places, which remember what was asked for; meshes, each read once |
//! | `urdf`, `mjcf` | from elements to a robot |
//! | `robot` | bodies in frames of their parents, with any number of joints between the two |
//! | `kinematics` | where bodies are with given coordinates |
//! | `inertia`, `mesh` | masses of solids; hulls of meshes |
//! | `build`, `surfaces` | from a robot to a scene; which of its bodies collide |
//!
//! No mechanics beyond frames and inertias: whether bodies can move so is `carom_sim`'s to judge, and its errors get the place
//! of the body or joint in the robot's file.

mod build;
mod fault;
mod files;
mod frames;
mod inertia;
mod kinematics;
mod mesh;
mod mjcf;
mod robot;
mod surfaces;
mod urdf;
mod xml;

pub use fault::{At, ImportError, Note};

use carom_sim::motion::Scene;
use fault::{Fault, Notes};
use files::Files;
use std::path::{Path, PathBuf};

/// What is asked for besides the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// A base that could move freely is fixed to the world.
    pub fixed_base: bool,
    /// Coordinates of joints at t = 0, by name [rad or m].
    pub pose: Vec<(String, f64)>,
    /// The keyframe of an MJCF file with this name, or number from 0, is the pose at t = 0.
    pub key: Option<String>,
    /// Bases that move freely are raised by this, along the third axis \[m\].
    pub lift: f64,
    /// A floor at this height, for files that have none \[m\].
    pub ground: Option<f64>,
    /// Friction where the file says none \[1\].
    pub mu: f64,
    /// Restitution of all contacts, of which robot files say nothing \[1\].
    pub e: f64,
    /// Whether bodies of the robot collide with each other.
    pub self_collision: bool,
    /// Moments of inertia that no body can have, one larger than the other two together, become their mean.
    pub balance_inertia: bool,
    /// How many corners the convex hull of a mesh may have \[1\].
    pub hull_points: usize,
    /// Where `package://NAME/` leads.
    pub packages: Vec<(String, PathBuf)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            fixed_base: false,
            pose: Vec::new(),
            key: None,
            lift: 0.0,
            ground: None,
            mu: 1.0,
            e: 0.0,
            self_collision: true,
            balance_inertia: false,
            hull_points: 32,
            packages: Vec::new(),
        }
    }
}

/// How many corners a hull may have, from and to.
pub const HULL_POINTS: [usize; 2] = [8, 500];

/// A robot as a scene.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Imported {
    /// How the file calls the robot.
    pub name: String,
    /// What there is to simulate.
    pub scene: Scene,
    /// What of the file is not in the scene, or is otherwise there, in the order of the file.
    pub notes: Vec<Note>,
    /// How many elements and attributes only say how the robot looks.
    pub looks: usize,
    /// Of each body of the scene, what it is made of: for comments.
    pub made_of: Vec<String>,
}

/// The kind of a robot's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Root element `robot`.
    Urdf,
    /// Root element `mujoco`.
    Mjcf,
}

/// Reads a robot's file and everything that it names.
pub fn import(path: &Path, options: &Options) -> Result<Imported, ImportError> {
    let mut files = Files::default();
    let root = files.xml(path, Fault::of_call);
    finish(files, root, options)
}

/// Takes a text as a robot's file; `path` is where files that it names are looked for, and its name in messages.
pub fn import_text(text: &str, path: &Path, options: &Options) -> Result<Imported, ImportError> {
    let mut files = Files::default();
    let root = files.parse(path, text.to_owned());
    finish(files, root, options)
}

fn finish(
    mut files: Files,
    root: fault::Result<xml::Element>,
    options: &Options,
) -> Result<Imported, ImportError> {
    let mut notes = Notes::default();
    let built = root.and_then(|root| read(root, &mut files, options, &mut notes));
    let built = match built {
        Ok(built) => built,
        Err(fault) => return Err(files.error(fault)),
    };
    notes.list.sort_by_key(|(place, ..)| (place.file, place.span));
    let list = notes.list.into_iter().map(|(place, element, what)| Note {
        file: files.name(place.file),
        line: place.line,
        element,
        what,
    });
    Ok(Imported {
        name: built.name,
        scene: built.scene,
        notes: list.collect(),
        looks: notes.looks,
        made_of: built.made_of,
    })
}

fn read(
    root: xml::Element,
    files: &mut Files,
    options: &Options,
    notes: &mut Notes,
) -> fault::Result<build::Built> {
    check(options)?;
    let robot = match root.tag.as_str() {
        "robot" => {
            let robot = urdf::read(&root, files, options, notes)?;
            root.leftovers(notes, &urdf::reason);
            robot
        }
        "mujoco" => mjcf::read(root, files, options, notes)?,
        other => {
            let message = format!(
                "the root element is `{other}`; URDF files have `robot` and MJCF files `mujoco`"
            );
            return Err(root.fault(message));
        }
    };
    build::build(&robot, options, notes)
}

fn check(options: &Options) -> fault::Result<()> {
    let refuse = |message: String| Err(Fault::of_call(message));
    if options.mu.is_nan() || options.mu < 0.0 {
        return refuse(format!("mu is {}: must be at least 0", options.mu));
    }
    if !(0.0..=1.0).contains(&options.e) {
        return refuse(format!("e is {}: must lie between 0 and 1", options.e));
    }
    let [least, most] = HULL_POINTS;
    if !(least..=most).contains(&options.hull_points) {
        return refuse(format!(
            "{} corners for a hull: must lie between {least} and {most}",
            options.hull_points
        ));
    }
    let heights = [Some(options.lift), options.ground].into_iter().flatten();
    let angles = options.pose.iter().map(|(_, angle)| *angle);
    match heights.chain(angles).find(|x| !x.is_finite()) {
        Some(x) => refuse(format!("{x} is not finite")),
        None => Ok(()),
    }
}
