//! URDF: links, and joints between them.

use crate::fault::{Fault, Notes, Result};
use crate::files::Files;
use crate::frames::{Pose, of_roll_pitch_yaw, unit};
use crate::inertia::{Inertial, NO_MASS};
use crate::robot::{Body, Geom, Joint, JointKind, Robot, Solid, Surface};
use crate::xml::{Attribute, Element};
use crate::{Options, mesh};
use std::collections::BTreeMap;

/// The robot of a file.
pub fn read(
    root: &Element,
    files: &mut Files,
    options: &Options,
    notes: &mut Notes,
) -> Result<Robot> {
    let name = root.take().text("name").unwrap_or("robot").to_owned();
    let mut links: Vec<Link> = Vec::new();
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ids = 0;
    for element in root.children("link") {
        let name = element.take().require("name")?;
        if by_name.insert(name, links.len()).is_some() {
            return Err(element.fault("another link has this name"));
        }
        let inertial = element.child("inertial").map_or(Ok(NO_MASS), inertial)?;
        let mut geoms = Vec::new();
        for collision in element.children("collision") {
            geoms.extend(collide(collision, element, files, options, notes, &mut ids)?);
        }
        links.push(Link { element, name, inertial, geoms, by: None });
    }
    let mut joints = Vec::new();
    let mut called: BTreeMap<&str, ()> = BTreeMap::new();
    for element in root.children("joint") {
        let view = element.take();
        if called.insert(view.require("name")?, ()).is_some() {
            return Err(element.fault("another joint has this name"));
        }
        let end = |tag: &str| -> Result<usize> {
            let child = element
                .child(tag)
                .ok_or_else(|| element.fault(format!("has no `{tag}`, which it needs")))?;
            let view = child.take();
            let link = view.require("link")?;
            by_name.get(link).copied().ok_or_else(|| {
                let message = match carom::catalog::nearest(link, by_name.keys().copied()) {
                    Some(near) => format!("there is no such link; did you mean `{near}`?"),
                    None => "there is no such link".into(),
                };
                let mut fault = view.refuse("link", message);
                fault.element = format!("{} of {}", child.tag, element.label());
                fault
            })
        };
        let (parent, child) = (end("parent")?, end("child")?);
        if let Some(other) = links[child].by {
            let other: &(usize, &Element) = &joints[other];
            let name = links[child].name;
            let message = format!(
                "link \"{name}\" is the child of {} already: links make a tree",
                other.1.label()
            );
            return Err(element.fault(message));
        }
        links[child].by = Some(joints.len());
        joints.push((parent, element));
    }
    // Parents before their children, each with its own subtree behind it.
    let mut order = Vec::with_capacity(links.len());
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
    for (child, link) in links.iter().enumerate() {
        if let Some(by) = link.by {
            children[joints[by].0].push(child);
        }
    }
    let roots: Vec<usize> = (0..links.len()).filter(|link| links[*link].by.is_none()).collect();
    let mut stack: Vec<usize> = roots.iter().rev().copied().collect();
    while let Some(link) = stack.pop() {
        order.push(link);
        stack.extend(children[link].iter().rev());
    }
    if order.len() < links.len() {
        let stray = (0..links.len()).find(|link| !order.contains(link)).unwrap_or_default();
        let by = links[stray].by.map_or(links[stray].element, |by| joints[by].1);
        let message = format!(
            "link \"{}\" hangs on itself through its parents: links make a tree",
            links[stray].name
        );
        return Err(by.fault(message));
    }
    match roots[..] {
        [] => return Err(root.fault("has no links")),
        [_] => {}
        [first, second, ..] => {
            let message = format!(
                "is the child of no joint, and neither is link \"{}\": one link alone is the root",
                links[first].name
            );
            return Err(links[second].element.fault(message));
        }
    }
    // A root without mass is where a robot stands.
    let mut base = vec![roots[0]];
    let mut has_mass = false;
    while let Some(link) = base.pop() {
        has_mass |= links[link].inertial.mass > 0.0;
        base.extend(children[link].iter().filter(|child| {
            let by = links[**child].by.map(|by| joints[by].1.plain("type"));
            by == Some(Some("fixed"))
        }));
    }
    let mut place_of = vec![0; links.len()];
    order.iter().enumerate().for_each(|(place, link)| place_of[*link] = place);
    let mut robot = Robot {
        name,
        gravity: [0.0, 0.0, -9.81],
        bodies: Vec::with_capacity(links.len()),
        world: Vec::new(),
        loops: Vec::new(),
        excludes: Vec::new(),
        pairs: Vec::new(),
        world_is_no_neighbour: false,
        state: None,
    };
    for link in order {
        let Link { element, name, inertial, by, .. } = links[link];
        let (parent, frame, joints) = match by.map(|by| joints[by]) {
            None => {
                let free = Joint::new(None, element.label(), element.place, JointKind::Free);
                let mut base = vec![free];
                if !has_mass && !options.fixed_base {
                    let what = "has no mass, nor has what is fixed to it: it is fixed to the world";
                    notes.add(element.place, element.label(), what);
                    base.clear();
                }
                (None, Pose::IDENTITY, base)
            }
            Some((parent, joint)) => {
                (Some(place_of[parent]), origin(joint)?, self::joints(joint, notes)?)
            }
        };
        robot.bodies.push(Body {
            name: name.to_owned(),
            label: element.label(),
            place: element.place,
            parent,
            frame,
            inertial,
            joints,
            geoms: std::mem::take(&mut links[link].geoms),
        });
    }
    Ok(robot)
}

struct Link<'a> {
    element: &'a Element,
    name: &'a str,
    inertial: Inertial,
    geoms: Vec<Geom>,
    by: Option<usize>,
}

/// Of a joint, an inertia or a shape.
fn origin(element: &Element) -> Result<Pose> {
    let Some(child) = element.child("origin") else { return Ok(Pose::IDENTITY) };
    let view = child.take();
    let place = view.array("xyz")?.unwrap_or_default();
    let turn = of_roll_pitch_yaw(view.array("rpy")?.unwrap_or_default());
    Ok(Pose { place, turn })
}

fn inertial(element: &Element) -> Result<Inertial> {
    element.take();
    let need = |tag: &'static str| {
        let message = format!("has no `{tag}`, which it needs");
        element.child(tag).map(Element::take).ok_or_else(|| element.fault(message))
    };
    let mass = need("mass")?;
    mass.require("value")?;
    let mass = mass.amount_or("value", 0.0)?;
    let tensor = need("inertia")?;
    let entry = |name: &str| {
        tensor.require(name)?;
        tensor.number_or(name, 0.0)
    };
    let [xx, yy, zz] = [entry("ixx")?, entry("iyy")?, entry("izz")?];
    let side = |name: &str| tensor.number_or(name, 0.0);
    let [xy, xz, yz] = [side("ixy")?, side("ixz")?, side("iyz")?];
    let tensor = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    Ok(Inertial { mass, center: [0.0; 3], tensor }.seen_from(origin(element)?))
}

/// The joints that one joint stands for: a planar one is two slides and a hinge.
fn joints(element: &Element, notes: &mut Notes) -> Result<Vec<Joint>> {
    let view = element.take();
    let name = view.require("name")?;
    let label = element.label();
    let new = |kind| Joint::new(Some(name), label.clone(), element.place, kind);
    let kind = match view.require("type")? {
        "fixed" => return Ok(Vec::new()),
        "floating" => return Ok(vec![new(JointKind::Free)]),
        kind @ ("revolute" | "continuous" | "prismatic" | "planar") => kind,
        _ => {
            let message = "there is no such type; there are fixed, revolute, continuous, prismatic, floating and planar";
            return Err(view.refuse("type", message));
        }
    };
    let mut axis = [1.0, 0.0, 0.0];
    if let Some(child) = element.child("axis") {
        let view = child.take();
        if let Some(given) = view.array("xyz")? {
            axis = unit(given).ok_or_else(|| view.refuse("xyz", "a direction cannot be zero"))?;
        }
    }
    let mut range = None;
    let bounded = matches!(kind, "revolute" | "prismatic");
    match element.child("limit") {
        Some(limit) => {
            let view = limit.take();
            if bounded {
                let [low, high] = [view.number_or("lower", 0.0)?, view.number_or("upper", 0.0)?];
                if low > high {
                    return Err(view.refuse("lower", format!("is above `upper`, which is {high}")));
                }
                range = Some([low, high]);
            } else {
                // They mean nothing here; files have them all the same.
                view.number_or("lower", 0.0)?;
                view.number_or("upper", 0.0)?;
            }
        }
        None if bounded => {
            let message = format!(
                "a {kind} joint needs a `limit`{}",
                if kind == "revolute" { "; one of type `continuous` has none" } else { "" }
            );
            return Err(element.fault(message));
        }
        None => {}
    }
    let mut damping = 0.0;
    if let Some(dynamics) = element.child("dynamics") {
        let view = dynamics.take();
        damping = view.amount_or("damping", 0.0)?;
        if view.number_or("friction", 0.0)? != 0.0 {
            let what = "friction in the joint is not taken over: carom's joints have dampers only";
            notes.add(dynamics.place, &label, what);
        }
    }
    if kind == "planar" {
        let turn = crate::frames::from_third_axis(axis);
        let mut all: Vec<Joint> = Vec::new();
        for along in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
            let axis = crate::frames::rotate(turn, along);
            all.push(Joint { axis, damping, ..new(JointKind::Slide) });
        }
        all.push(Joint { axis, damping, ..new(JointKind::Hinge) });
        for (joint, ending) in all.iter_mut().zip(["x", "y", "angle"]) {
            joint.name = Some(format!("{name}/{ending}"));
        }
        return Ok(all);
    }
    let kind = if kind == "prismatic" { JointKind::Slide } else { JointKind::Hinge };
    Ok(vec![Joint { axis, range, damping, ..new(kind) }])
}

/// The shape of a `collision`, if it is one that carom has.
fn collide(
    element: &Element,
    link: &Element,
    files: &mut Files,
    options: &Options,
    notes: &mut Notes,
    ids: &mut usize,
) -> Result<Option<Geom>> {
    element.take().text("name");
    let label = format!("{} of {}", element.label(), link.label());
    let geometry = element
        .child("geometry")
        .ok_or_else(|| Fault::new(element.place, &label, "has no `geometry`, which it needs"))?;
    geometry.take();
    let Some(shape) = geometry.children.first() else {
        return Err(Fault::new(geometry.place, &label, "its `geometry` is empty"));
    };
    let named = |mut fault: Fault| {
        fault.element = format!("{} in {label}", shape.tag);
        fault
    };
    let view = shape.take();
    let solid = match shape.tag.as_str() {
        "sphere" => Solid::Sphere(view.positive("radius").map_err(named)?),
        "box" => {
            view.require("size").map_err(named)?;
            let size: [f64; 3] = view.array("size").map_err(named)?.unwrap_or_default();
            if size.iter().any(|side| *side <= 0.0) {
                return Err(named(view.refuse("size", "each side must be above 0")));
            }
            Solid::Box(size.map(|side| 0.5 * side))
        }
        tag @ ("cylinder" | "capsule") => {
            let radius = view.positive("radius").map_err(named)?;
            let half = 0.5 * view.positive("length").map_err(named)?;
            match tag {
                "cylinder" => Solid::Cylinder { radius, half },
                _ => Solid::Capsule { radius, half },
            }
        }
        "mesh" => {
            let file = view.require("filename").map_err(named)?;
            let scale: [f64; 3] = view.array("scale").map_err(named)?.unwrap_or([1.0; 3]);
            let path = files.robot_path(file, options);
            if !path.is_file() {
                let tried = path.display();
                let hint = match file.starts_with("package://") {
                    true => "; `--package NAME=FOLDER` says where a package is",
                    false => "",
                };
                let message = format!("there is no such file: {tried} was tried{hint}");
                return Err(named(view.refuse("filename", message)));
            }
            if !mesh::can_read(&path) {
                let what = "the mesh is not taken over: STL and OBJ are read";
                notes.add(shape.place, format!("mesh \"{file}\" in {label}"), what);
                return Ok(None);
            }
            let read =
                files.mesh(&path).map_err(|message| named(view.refuse("filename", message)))?;
            let mut scaled = (*read).clone();
            scaled.points.iter_mut().for_each(|p| (0..3).for_each(|i| p[i] *= scale[i]));
            match crate::files::hulled(&scaled, options) {
                Ok((points, what)) => {
                    if let Some(what) = what {
                        notes.add(shape.place, format!("mesh \"{file}\" in {label}"), what);
                    }
                    Solid::Hull(points)
                }
                Err(reason) => {
                    let what = format!("the mesh is not taken over: its hull {reason}");
                    notes.add(shape.place, format!("mesh \"{file}\" in {label}"), what);
                    return Ok(None);
                }
            }
        }
        other => {
            let message = format!(
                "there is no such shape as `{other}`; there are box, cylinder, sphere, capsule and mesh"
            );
            return Err(Fault::new(shape.place, label, message));
        }
    };
    *ids += 1;
    Ok(Some(Geom {
        label,
        place: element.place,
        solid,
        pose: origin(element)?,
        surface: Surface::plain(options.mu),
        id: *ids,
    }))
}

/// Why something of a file is not taken over; `None` if it only says how the robot looks.
pub fn reason(element: &Element, attribute: Option<&Attribute>) -> Option<String> {
    let said = |text: &str| Some(text.to_owned());
    match (element.tag.as_str(), attribute.map(|a| a.name.as_str())) {
        ("visual" | "material", None) => None,
        ("joint", Some("type")) => None,
        ("robot", Some("version" | "xmlns" | "schemaLocation")) => None,
        ("mimic", None) => said("`mimic` is not taken over: the joint moves by itself"),
        ("safety_controller", None) => {
            said("no controllers: `safety_controller` is not taken over")
        }
        ("calibration", None) => said("`calibration` is not taken over"),
        ("transmission", None) => said("no motors: `transmission` is not taken over"),
        ("gazebo", None) => said("`gazebo` is not taken over"),
        ("sensor", None) => said("`sensor` is not taken over"),
        ("limit", Some(name @ ("effort" | "velocity"))) => {
            Some(format!("no motors: limits of `{name}` are not taken over"))
        }
        ("dynamics", Some("friction")) => said("friction in the joint is not taken over"),
        (tag, None) => Some(format!("`{tag}` is not taken over")),
        (tag, Some(name)) => Some(format!("`{name}` of `{tag}` is not taken over")),
    }
}
