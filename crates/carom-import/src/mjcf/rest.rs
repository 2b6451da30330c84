//! Sections besides the bodies: `asset`, `contact`, `equality`, `keyframe`.

use super::Model;
use super::compiler::unknown;
use crate::fault::{Fault, Result};
use crate::frames::{Pose, unit_quaternion};
use crate::robot::{Coordinate, GeomPair, JointKind, Loop};
use crate::xml::{Element, View};
use std::path::Path;

impl<'a> Model<'a> {
    pub fn read(&mut self, root: &'a Element) -> Result<()> {
        self.bodies.insert("world", None);
        for asset in root.children("asset") {
            asset.take_whole();
            for mesh in asset.children("mesh") {
                let named = mesh.plain("name").map(str::to_owned);
                let of_file = || {
                    let file = Path::new(mesh.plain("file")?);
                    Some(file.file_stem()?.to_string_lossy().into_owned())
                };
                let name = named.or_else(of_file).ok_or_else(|| {
                    mesh.fault("has neither `name` nor `file`, and cannot be called")
                })?;
                self.meshes.insert(name, mesh);
            }
        }
        let sections = |tag: &'static str| root.children.iter().filter(move |c| c.tag == tag);
        for contact in sections("contact") {
            for pair in contact.children("pair") {
                self.paired.extend(["geom1", "geom2"].iter().filter_map(|name| pair.plain(name)));
            }
        }
        for world in sections("worldbody") {
            self.worldbody(world)?;
        }
        self.set_total_mass();
        for contact in sections("contact") {
            contact.take();
            for element in &contact.children {
                match element.tag.as_str() {
                    "exclude" => self.exclude(element)?,
                    "pair" => self.pair(element)?,
                    _ => {}
                }
            }
        }
        for equality in sections("equality") {
            equality.take();
            for element in &equality.children {
                if matches!(element.tag.as_str(), "connect" | "weld") {
                    self.held(element)?;
                }
            }
        }
        self.state(root)
    }

    fn body_named(&self, view: &View<'a>, attribute: &str) -> Result<Option<usize>> {
        let name = view.require(attribute)?;
        match self.bodies.get(name) {
            Some(body) => Ok(*body),
            None => Err(unknown(view, attribute, "body", self.bodies.keys().copied())),
        }
    }

    fn exclude(&mut self, element: &'a Element) -> Result<()> {
        let view = element.take();
        view.text("name");
        let pair = [self.body_named(&view, "body1")?, self.body_named(&view, "body2")?];
        self.robot.excludes.push(pair);
        Ok(())
    }

    fn pair(&mut self, element: &'a Element) -> Result<()> {
        let view = self.classes.view(element, None)?;
        view.text("name");
        let find = |attribute: &str| {
            let name = view.require(attribute)?;
            (self.geoms.get(name).copied())
                .ok_or_else(|| unknown(&view, attribute, "geom", self.geoms.keys().copied()))
        };
        let (one, other) = (find("geom1")?, find("geom2")?);
        let mut mu = one.surface.friction(&other.surface);
        if let Some(given) = view.numbers("friction")?.and_then(|list| list.first().copied()) {
            if given < 0.0 {
                return Err(view.refuse("friction", "must be at least 0"));
            }
            mu = given;
        }
        if view.has("condim") && self.condim(&view)? == 1 {
            mu = 0.0;
        }
        self.robot.pairs.push(GeomPair { ids: [one.id, other.id], mu });
        Ok(())
    }

    /// Bodies held together besides the tree.
    fn held(&mut self, element: &'a Element) -> Result<()> {
        if element.plain("site1").is_some() {
            // Listed with everything that nobody took.
            return Ok(());
        }
        let view = self.classes.view(element, None)?;
        let name = view.text("name").map(str::to_owned);
        if view.switch("active")? == Some(false) {
            let what = "is not active, and not taken over";
            self.notes.add(element.place, element.label(), what);
            return Ok(());
        }
        let weld = element.tag == "weld";
        let first = self.body_named(&view, "body1")?;
        let second = match view.has("body2") {
            true => self.body_named(&view, "body2")?,
            false => None,
        };
        let anchor: Option<[f64; 3]> = view.array("anchor")?;
        let point = match (weld, anchor) {
            (true, _) => [0.0; 3],
            (false, Some(point)) => point,
            (false, None) => {
                view.require("anchor")?;
                [0.0; 3]
            }
        };
        view.text("torquescale");
        let relative = match view.array::<7>("relpose")? {
            Some([x, y, z, w, a, b, c]) if weld => {
                unit_quaternion([w, a, b, c]).map(|turn| Pose { place: [x, y, z], turn })
            }
            _ => None,
        };
        self.robot.loops.push(Loop {
            name,
            label: element.label(),
            place: element.place,
            weld,
            bodies: [first, second],
            point,
            relative,
        });
        Ok(())
    }

    /// The keyframe that is asked for.
    fn state(&mut self, root: &'a Element) -> Result<()> {
        let frames = || root.children.iter().filter(|c| c.tag == "keyframe");
        let keys: Vec<&'a Element> =
            frames().flat_map(|frame| frame.children.iter().filter(|c| c.tag == "key")).collect();
        let Some(wanted) = &self.options.key else { return Ok(()) };
        let by_number = || wanted.parse::<usize>().ok().and_then(|at| keys.get(at));
        let found = keys.iter().find(|key| key.plain("name") == Some(wanted)).or_else(by_number);
        let Some(&key) = found else {
            let names: Vec<&str> = keys.iter().filter_map(|key| key.plain("name")).collect();
            let there = match (keys.len(), names.join(", ")) {
                (0, _) => "there are none".to_owned(),
                (count, names) if names.is_empty() => format!("there are {count} without names"),
                (_, names) => format!("there are: {names}"),
            };
            return Err(Fault::of_call(format!("there is no keyframe `{wanted}`; {there}")));
        };
        frames().for_each(|frame| frame.used.set(true));
        let view = key.take();
        view.text("name");
        let joints: Vec<_> = self.robot.bodies.iter().flat_map(|body| &body.joints).collect();
        let (mut positions, mut velocities) = (0, 0);
        for joint in &joints {
            let (q, v) = match joint.kind {
                JointKind::Free => (7, 6),
                JointKind::Ball => (4, 3),
                JointKind::Hinge | JointKind::Slide => (1, 1),
            };
            (positions, velocities) = (positions + q, velocities + v);
        }
        let list = |name: &str, count: usize| match view.numbers(name)? {
            Some(list) if list.len() != count => {
                let message = format!("has {} numbers; the joints have {count}", list.len());
                Err(view.refuse(name, message))
            }
            list => Ok(list),
        };
        let (q, v) = (list("qpos", positions)?, list("qvel", velocities)?);
        let (mut q, mut v) = (q.as_deref(), v.as_deref());
        let mut coordinates = Vec::with_capacity(joints.len());
        for joint in joints {
            let mut at = Coordinate::of_reference(joint);
            let turn = |w: &[f64]| {
                unit_quaternion([w[0], w[1], w[2], w[3]])
                    .ok_or_else(|| view.refuse("qpos", "has a quaternion that is zero"))
            };
            let three = |x: &[f64]| [x[0], x[1], x[2]];
            match joint.kind {
                JointKind::Free => {
                    if let Some(own) = take(&mut q, 7) {
                        at.position = Some(three(own));
                        at.turn = turn(&own[3..])?;
                    }
                    if let Some(own) = take(&mut v, 6) {
                        (at.velocity, at.spin) = (three(own), three(&own[3..]));
                    }
                }
                JointKind::Ball => {
                    if let Some(own) = take(&mut q, 4) {
                        at.turn = turn(own)?;
                    }
                    if let Some(own) = take(&mut v, 3) {
                        at.spin = three(own);
                    }
                }
                JointKind::Hinge | JointKind::Slide => {
                    if let Some(own) = take(&mut q, 1) {
                        at.q = own[0];
                    }
                    if let Some(own) = take(&mut v, 1) {
                        at.rate = own[0];
                    }
                }
            }
            coordinates.push(at);
        }
        self.robot.state = Some(coordinates);
        Ok(())
    }
}

/// The first so many numbers of a list, which loses them.
fn take<'b>(list: &mut Option<&'b [f64]>, count: usize) -> Option<&'b [f64]> {
    let (first, rest) = (*list)?.split_at_checked(count)?;
    *list = Some(rest);
    Some(first)
}
