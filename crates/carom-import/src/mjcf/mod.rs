//! MJCF, MuJoCo's format: bodies in bodies, each with its joints and shapes, and classes of defaults.

mod body;
mod compiler;
mod geom;
mod rest;

use crate::Options;
use crate::fault::{Fault, Notes, Result};
use crate::files::Files;
use crate::mesh::Mesh;
use crate::robot::{Robot, Surface};
use crate::xml::{Attribute, Element};
use compiler::{Classes, Compiler, Settings};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// So many files may be included.
const MOST_FILES: usize = 1000;

/// A file while it is read.
pub struct Model<'a> {
    compiler: Compiler,
    settings: Settings,
    classes: Classes<'a>,
    files: &'a mut Files,
    options: &'a Options,
    notes: &'a mut Notes,
    robot: Robot,
    meshes: BTreeMap<String, &'a Element>,
    read_meshes: BTreeMap<String, Rc<Mesh>>,
    bodies: BTreeMap<&'a str, Option<usize>>,
    joints: BTreeSet<&'a str>,
    geoms: BTreeMap<&'a str, Named>,
    /// Shapes that pairs name.
    paired: BTreeSet<&'a str>,
    ids: usize,
}

/// A shape that has a name.
#[derive(Clone, Copy, Debug)]
struct Named {
    id: usize,
    surface: Surface,
}

/// The robot of a file.
pub fn read(
    mut root: Element,
    files: &mut Files,
    options: &Options,
    notes: &mut Notes,
) -> Result<Robot> {
    let mut seen = BTreeSet::new();
    seen.insert(files.texts[0].path.clone());
    include(&mut root, files, &mut seen)?;
    let name = root.take().text("model").unwrap_or("robot").to_owned();
    let robot = {
        let mut model = Model {
            compiler: Compiler::read(&root)?,
            settings: Settings::read(&root)?,
            classes: Classes::read(&root)?,
            files,
            options,
            notes,
            robot: Robot {
                name,
                gravity: [0.0; 3],
                bodies: Vec::new(),
                world: Vec::new(),
                loops: Vec::new(),
                excludes: Vec::new(),
                pairs: Vec::new(),
                world_is_no_neighbour: true,
                state: None,
            },
            meshes: BTreeMap::new(),
            read_meshes: BTreeMap::new(),
            bodies: BTreeMap::new(),
            joints: BTreeSet::new(),
            geoms: BTreeMap::new(),
            paired: BTreeSet::new(),
            ids: 0,
        };
        model.robot.gravity = model.settings.gravity;
        model.read(&root)?;
        model.robot
    };
    for child in &root.children {
        match child.tag.as_str() {
            "default" => defaults_left(child, notes),
            _ => child.leftovers(notes, &reason),
        }
    }
    Ok(robot)
}

/// Puts what files hold in the place of the elements that include them.
fn include(element: &mut Element, files: &mut Files, seen: &mut BTreeSet<PathBuf>) -> Result<()> {
    let mut at = 0;
    while at < element.children.len() {
        if element.children[at].tag != "include" {
            include(&mut element.children[at], files, seen)?;
            at += 1;
            continue;
        }
        let wanted = element.children.remove(at);
        let view = wanted.take();
        let name = Path::new(view.require("file")?);
        // Names are meant from the first file on, or from the one that includes.
        let here = files.texts[wanted.place.file].path.parent().unwrap_or(Path::new(""));
        let tried = [files.folder().join(name), here.join(name)];
        let Some(path) = tried.iter().find(|path| path.is_file()).cloned() else {
            let message = format!("there is no such file: {} was tried", tried[0].display());
            return Err(view.refuse("file", message));
        };
        if !seen.insert(path.clone()) || files.texts.len() > MOST_FILES {
            return Err(view.refuse("file", "is included already: each file is once"));
        }
        let included = files.xml(&path, |message| Fault::new(wanted.place, "include", message))?;
        element.children.splice(at..at, included.children);
    }
    Ok(())
}

/// Of classes of defaults, what elements asked for and did not understand; what nothing is of does not count.
fn defaults_left(default: &Element, notes: &mut Notes) {
    for child in &default.children {
        if child.tag == "default" {
            defaults_left(child, notes);
            continue;
        }
        if !child.used.get() {
            continue;
        }
        for attribute in child.attributes.iter().filter(|attribute| !attribute.used.get()) {
            match reason(child, Some(attribute)) {
                Some(reason) => {
                    let class = default.plain("class").unwrap_or("main");
                    let element = format!("{} of default \"{class}\"", child.tag);
                    notes.add(attribute.place, element, reason);
                }
                None => notes.looks += 1,
            }
        }
    }
}

/// Why something of a file is not taken over; `None` if it only says how the robot looks.
fn reason(element: &Element, attribute: Option<&Attribute>) -> Option<String> {
    let tag = element.tag.as_str();
    let Some(attribute) = attribute else {
        return match tag {
            "visual" | "statistic" | "size" | "asset" | "site" | "camera" | "light" => None,
            "actuator" => Some("no motors: actuators are not taken over".into()),
            "sensor" => Some("sensors are not taken over".into()),
            "tendon" => Some("tendons are not taken over".into()),
            "keyframe" | "key" => None,
            "composite" | "flexcomp" | "replicate" | "attach" | "plugin" => {
                Some(format!("`{tag}`, and what it would make, is not taken over"))
            }
            _ => Some(format!("`{tag}` is not taken over")),
        };
    };
    let name = attribute.name.as_str();
    let said = |text: &str| Some(text.to_owned());
    match (tag, name) {
        (_, "rgba" | "material" | "user" | "group" | "fitscale") => None,
        ("body", "sleep") => None,
        (_, "solref" | "solimp" | "solmix") => {
            Some(format!("contacts are rigid: `{name}` is not taken over"))
        }
        ("joint", "solreflimit" | "solimplimit" | "solreffriction" | "solimpfriction") => {
            Some(format!("limits are rigid: `{name}` is not taken over"))
        }
        ("joint", "frictionloss") => match attribute.value.trim().parse::<f64>() {
            Ok(0.0) => None,
            _ => said("friction in the joint is not taken over: carom's joints have dampers only"),
        },
        (_, "margin" | "gap") => match attribute.value.trim().parse::<f64>() {
            Ok(0.0) => None,
            _ => Some(format!("contacts and limits begin at zero: `{name}` is not taken over")),
        },
        (_, name) if name.starts_with("actuator") => {
            Some(format!("no motors: `{name}` is not taken over"))
        }
        ("option", "density" | "viscosity" | "wind") => {
            Some(format!("no fluid: `{name}` is not taken over"))
        }
        ("geom", name) if name.starts_with("fluid") => {
            Some(format!("no fluid: `{name}` is not taken over"))
        }
        ("option" | "flag", _) => {
            Some(format!("`{name}` of MuJoCo's steps and solver is not taken over"))
        }
        _ => Some(format!("`{name}` of `{tag}` is not taken over")),
    }
}
