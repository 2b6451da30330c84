//! `compiler`, `option` and classes of defaults: what the rest of a file is read by.

use crate::fault::{Fault, Result};
use crate::files::Files;
use crate::frames::{
    IDENTITY, Pose, Quaternion, Vector, about, cross, dot, from_third_axis, of_matrix, product,
    scaled, sub, unit, unit_quaternion,
};
use crate::xml::{Element, View};
use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::path::PathBuf;

/// Where masses come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromGeoms {
    Never,
    Always,
    WhereAbsent,
}

/// How numbers and names are meant.
#[derive(Clone, Debug)]
pub struct Compiler {
    pub degrees: bool,
    sequence: [u8; 3],
    meshes: PathBuf,
    strip: bool,
    pub auto_limits: bool,
    pub from_geoms: FromGeoms,
    /// Groups of shapes that have mass.
    pub groups: [i64; 2],
    /// \[kg\]
    pub least_mass: f64,
    /// [kg·m²]
    pub least_inertia: f64,
    pub balance: bool,
    /// \[kg\]
    pub total_mass: Option<f64>,
}

impl Compiler {
    pub fn read(root: &Element) -> Result<Self> {
        let mut compiler = Self {
            degrees: true,
            sequence: *b"xyz",
            meshes: PathBuf::new(),
            strip: false,
            auto_limits: true,
            from_geoms: FromGeoms::WhereAbsent,
            groups: [0, 5],
            least_mass: 0.0,
            least_inertia: 0.0,
            balance: false,
            total_mass: None,
        };
        for element in root.children("compiler") {
            compiler.take(&element.take())?;
        }
        Ok(compiler)
    }

    fn take(&mut self, view: &View) -> Result<()> {
        match view.text("angle") {
            None => {}
            Some("degree") => self.degrees = true,
            Some("radian") => self.degrees = false,
            Some(_) => return Err(view.refuse("angle", "must be `degree` or `radian`")),
        }
        if let Some("global") = view.text("coordinate") {
            let message = "global coordinates are not read, nor does MuJoCo since its version 2.3.3; save the file with an older one in local coordinates";
            return Err(view.refuse("coordinate", message));
        }
        if let Some(sequence) = view.text("eulerseq") {
            let known = sequence.bytes().all(|axis| b"xyzXYZ".contains(&axis));
            match <[u8; 3]>::try_from(sequence.as_bytes()) {
                Ok(sequence) if known => self.sequence = sequence,
                _ => return Err(view.refuse("eulerseq", "must be three of x, y, z, X, Y and Z")),
            }
        }
        for name in ["assetdir", "meshdir"] {
            if let Some(folder) = view.text(name) {
                self.meshes = folder.into();
            }
        }
        view.text("texturedir");
        self.strip = view.switch("strippath")?.unwrap_or(self.strip);
        self.auto_limits = view.switch("autolimits")?.unwrap_or(self.auto_limits);
        self.balance = view.switch("balanceinertia")?.unwrap_or(self.balance);
        self.least_mass = view.amount_or("boundmass", self.least_mass)?;
        self.least_inertia = view.amount_or("boundinertia", self.least_inertia)?;
        if let Some(total) = view.number("settotalmass")? {
            self.total_mass = (total > 0.0).then_some(total);
        }
        match view.text("inertiafromgeom") {
            None => {}
            Some("true") => self.from_geoms = FromGeoms::Always,
            Some("false") => self.from_geoms = FromGeoms::Never,
            Some("auto") => self.from_geoms = FromGeoms::WhereAbsent,
            Some(_) => {
                return Err(view.refuse("inertiafromgeom", "must be `true`, `false` or `auto`"));
            }
        }
        if let Some([low, high]) = view.array("inertiagrouprange")? {
            self.groups = [low as i64, high as i64];
        }
        // What is fixed together is one body here anyway, and what is only seen is left out.
        for name in
            ["fusestatic", "discardvisual", "usethread", "alignfree", "saveinertial", "fitaabb"]
        {
            view.text(name);
        }
        view.element.children("lengthrange").for_each(Element::take_whole);
        Ok(())
    }

    /// A number of an angle \[rad\].
    pub fn angle(&self, x: f64) -> f64 {
        if self.degrees { x * (PI / 180.0) } else { x }
    }

    /// Where a mesh is.
    pub fn mesh_path(&self, file: &str, files: &Files) -> PathBuf {
        let name = std::path::Path::new(file);
        let name = match (self.strip, name.file_name()) {
            (true, Some(last)) => std::path::Path::new(last),
            _ => name,
        };
        files.folder().join(&self.meshes).join(name)
    }

    /// The pose that `pos` and one of the ways to give a turn say.
    pub fn pose(&self, view: &View) -> Result<Pose> {
        let place = view.array("pos")?.unwrap_or_default();
        Ok(Pose { place, turn: self.turn(view)?.unwrap_or(IDENTITY) })
    }

    fn turn(&self, view: &View) -> Result<Option<Quaternion>> {
        let zero = |name: &str| view.refuse(name, "cannot be zero");
        if let Some(quaternion) = view.array("quat")? {
            return unit_quaternion(quaternion).map(Some).ok_or_else(|| zero("quat"));
        }
        if let Some([x, y, z, angle]) = view.array("axisangle")? {
            let axis = unit([x, y, z]).ok_or_else(|| zero("axisangle"))?;
            return Ok(Some(about(axis, self.angle(angle))));
        }
        if let Some([a, b, c, d, e, f]) = view.array("xyaxes")? {
            let x = unit([a, b, c]).ok_or_else(|| zero("xyaxes"))?;
            let y = [d, e, f];
            let y = unit(sub(y, scaled(x, dot(x, y)))).ok_or_else(|| zero("xyaxes"))?;
            let z = cross(x, y);
            let turn = of_matrix([[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]);
            return Ok(Some(turn));
        }
        if let Some(axis) = view.array("zaxis")? {
            return Ok(Some(from_third_axis(unit(axis).ok_or_else(|| zero("zaxis"))?)));
        }
        let Some(angles) = view.array::<3>("euler")? else { return Ok(None) };
        let mut turn = IDENTITY;
        for (axis, angle) in self.sequence.into_iter().zip(angles) {
            let mut along = [0.0; 3];
            along[usize::from(axis.to_ascii_lowercase() - b'x')] = 1.0;
            let step = about(along, self.angle(angle));
            // Small letters turn with the frame, capital ones are fixed axes.
            let moves = axis.is_ascii_lowercase();
            turn = if moves { product(turn, step) } else { product(step, turn) };
        }
        Ok(Some(turn))
    }
}

/// `option`.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// [m/s²]
    pub gravity: Vector,
    pub contacts: bool,
}

impl Settings {
    pub fn read(root: &Element) -> Result<Self> {
        let mut settings = Self { gravity: [0.0, 0.0, -9.81], contacts: true };
        for element in root.children("option") {
            let view = element.take();
            settings.gravity = view.array("gravity")?.unwrap_or(settings.gravity);
            for flag in element.children("flag") {
                let view = flag.take();
                if view.text("gravity") == Some("disable") {
                    settings.gravity = [0.0; 3];
                }
                if view.text("contact") == Some("disable") {
                    settings.contacts = false;
                }
            }
        }
        Ok(settings)
    }
}

/// Classes of defaults.
#[derive(Debug, Default)]
pub struct Classes<'a> {
    known: BTreeMap<&'a str, Class<'a>>,
}

#[derive(Debug, Default)]
struct Class<'a> {
    parent: Option<&'a str>,
    elements: Vec<&'a Element>,
}

/// The class that everything is of.
const MAIN: &str = "main";

impl<'a> Classes<'a> {
    pub fn read(root: &'a Element) -> Result<Self> {
        let mut classes = Self::default();
        classes.known.insert(MAIN, Class::default());
        for element in root.children("default") {
            let name = element.take().text("class").unwrap_or(MAIN);
            classes.add(element, name, (name != MAIN).then_some(MAIN))?;
        }
        Ok(classes)
    }

    fn add(&mut self, element: &'a Element, name: &'a str, parent: Option<&'a str>) -> Result<()> {
        let class = self.known.entry(name).or_default();
        class.parent = class.parent.or(parent);
        for child in &element.children {
            if child.tag == "default" {
                let inner = child.take().require("class")?;
                if inner == name || inner == MAIN {
                    return Err(child.fault("a class cannot stand in itself"));
                }
                self.add(child, inner, Some(name))?;
            } else if let Some(class) = self.known.get_mut(name) {
                class.elements.push(child);
            }
        }
        Ok(())
    }

    /// An element with the defaults of its class; `inherited` is that of the body around it.
    pub fn view(&self, element: &'a Element, inherited: Option<&'a str>) -> Result<View<'a>> {
        let mut view = element.take();
        let own = view.text("class");
        let mut next = Some(own.or(inherited).unwrap_or(MAIN));
        let mut steps = 0;
        while let Some(name) = next {
            let Some(class) = self.known.get(name) else {
                let message = format!("there is no class of defaults `{name}`");
                return Err(match own {
                    Some(_) => view.refuse("class", message),
                    None => element.fault(message),
                });
            };
            // The later ones win.
            for default in class.elements.iter().rev().filter(|d| d.tag == element.tag) {
                default.used.set(true);
                view.defaults.push(default);
            }
            next = class.parent;
            steps += 1;
            if steps > self.known.len() {
                return Err(element.fault("its class of defaults stands in itself"));
            }
        }
        Ok(view)
    }

    /// Whether there is a class of this name.
    pub fn check(&self, view: &View, name: &str) -> Result<()> {
        match view.text(name) {
            Some(class) if !self.known.contains_key(class) => {
                Err(view.refuse(name, "there is no such class of defaults"))
            }
            _ => Ok(()),
        }
    }
}

/// An error about an element that something of a name is not there.
pub fn unknown<'a>(
    view: &View,
    attribute: &str,
    what: &str,
    known: impl Iterator<Item = &'a str>,
) -> Fault {
    let wanted = view.text(attribute).unwrap_or_default();
    let hint = carom::catalog::nearest(wanted, known)
        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    view.refuse(attribute, format!("there is no such {what}{hint}"))
}
