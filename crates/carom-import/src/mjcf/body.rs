//! Bodies, their joints and masses.

use super::Model;
use super::compiler::FromGeoms;
use crate::fault::Result;
use crate::frames::{Pose, rotate, scaled, unit};
use crate::inertia::{self, Inertial, NO_MASS, diagonal};
use crate::robot::{Body, Geom, Joint, JointKind};
use crate::xml::{Element, View};

/// What stands in a body, while it is read.
#[derive(Default)]
struct Parts {
    inertial: Option<Inertial>,
    joints: Vec<Joint>,
    geoms: Vec<Geom>,
    of_geoms: Vec<Inertial>,
}

impl<'a> Model<'a> {
    /// The world and everything in it.
    pub fn worldbody(&mut self, element: &'a Element) -> Result<()> {
        let view = element.take();
        self.classes.check(&view, "childclass")?;
        let mut parts = Parts::default();
        self.contents(element, None, view.text("childclass"), Pose::IDENTITY, &mut parts)?;
        if let Some(joint) = parts.joints.first() {
            let message = "a joint of the world: only bodies have joints";
            return Err(crate::fault::Fault::new(joint.place, &joint.label, message));
        }
        self.robot.world.append(&mut parts.geoms);
        Ok(())
    }

    /// Everything that stands in a body, or in a frame of it.
    fn contents(
        &mut self,
        element: &'a Element,
        body: Option<usize>,
        class: Option<&'a str>,
        frame: Pose,
        parts: &mut Parts,
    ) -> Result<()> {
        for child in &element.children {
            match child.tag.as_str() {
                "body" => {
                    self.body(child, body, class, frame)?;
                }
                "frame" => {
                    let view = child.take();
                    self.classes.check(&view, "childclass")?;
                    let class = view.text("childclass").or(class);
                    let inner = frame.then(self.compiler.pose(&view)?);
                    view.text("name");
                    self.contents(child, body, class, inner, parts)?;
                }
                "geom" => {
                    let view = self.classes.view(child, class)?;
                    let read = self.geom(&view, frame)?;
                    let [low, high] = self.compiler.groups;
                    if (low..=high).contains(&read.group) {
                        parts.of_geoms.push(read.inertial);
                    }
                    parts.geoms.extend(read.geom);
                }
                "joint" => {
                    let view = self.classes.view(child, class)?;
                    let joint = self.joint(&view, frame)?;
                    parts.joints.push(joint);
                }
                "freejoint" => {
                    let view = child.take();
                    let name = self.joint_name(&view)?;
                    view.text("align");
                    let free = Joint::new(name, child.label(), child.place, JointKind::Free);
                    parts.joints.push(free);
                }
                "inertial" => {
                    if parts.inertial.is_some() {
                        return Err(child.fault("the body has another inertial"));
                    }
                    parts.inertial = Some(self.inertial(child)?.seen_from(frame));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn body(
        &mut self,
        element: &'a Element,
        parent: Option<usize>,
        class: Option<&'a str>,
        frame: Pose,
    ) -> Result<()> {
        let view = element.take();
        self.classes.check(&view, "childclass")?;
        let class = view.text("childclass").or(class);
        let index = self.robot.bodies.len();
        let name = match view.text("name") {
            Some(name) => {
                if self.bodies.insert(name, Some(index)).is_some() {
                    return Err(element.fault("another body has this name"));
                }
                name.to_owned()
            }
            None => format!("body {}", index + 1),
        };
        if view.number_or("gravcomp", 0.0)? != 0.0 {
            let what = "gravity acts on all bodies alike: `gravcomp` is not taken over";
            self.notes.add(element.place, element.label(), what);
        }
        if view.switch("mocap")? == Some(true) {
            let what = "a body that is moved from outside (`mocap`) is fixed here";
            self.notes.add(element.place, element.label(), what);
        }
        let frame = frame.then(self.compiler.pose(&view)?);
        self.robot.bodies.push(Body {
            name,
            label: element.label(),
            place: element.place,
            parent,
            frame,
            inertial: NO_MASS,
            joints: Vec::new(),
            geoms: Vec::new(),
        });
        let mut parts = Parts::default();
        self.contents(element, Some(index), class, Pose::IDENTITY, &mut parts)?;
        let free = parts.joints.iter().find(|joint| joint.kind == JointKind::Free);
        if let Some(free) = free
            && (parts.joints.len() > 1 || parent.is_some())
        {
            let message = "a free joint stands alone, in a body of the world";
            return Err(crate::fault::Fault::new(free.place, &free.label, message));
        }
        let inertial = self.mass(&parts);
        let body = &mut self.robot.bodies[index];
        body.inertial = inertial;
        body.joints = parts.joints;
        body.geoms = parts.geoms;
        Ok(())
    }

    /// The body's own mass, or that of its shapes.
    fn mass(&self, parts: &Parts) -> Inertial {
        let compiler = &self.compiler;
        let of_geoms = || {
            let parts: Vec<Inertial> =
                parts.of_geoms.iter().copied().filter(|part| part.mass > 0.0).collect();
            Inertial::together(&parts)
        };
        let mut whole = match (compiler.from_geoms, parts.inertial) {
            (FromGeoms::Always, given) if parts.of_geoms.is_empty() => given.unwrap_or(NO_MASS),
            (FromGeoms::Always, _) | (FromGeoms::WhereAbsent, None) => of_geoms(),
            (_, given) => given.unwrap_or(NO_MASS),
        };
        whole.mass = whole.mass.max(compiler.least_mass);
        if compiler.least_inertia > 0.0 || compiler.balance {
            let (moments, axes) = inertia::principal(whole.tensor);
            let mut bounded = moments.map(|moment| moment.max(compiler.least_inertia));
            let [a, b, c] = bounded;
            if compiler.balance && (a + b < c || a + c < b || b + c < a) {
                bounded = [(a + b + c) / 3.0; 3];
            }
            if bounded != moments {
                whole.tensor = inertia::from_principal(bounded, axes);
            }
        }
        whole
    }

    fn inertial(&self, element: &'a Element) -> Result<Inertial> {
        let view = element.take();
        let pose = self.compiler.pose(&view)?;
        view.require("mass")?;
        let mass = view.amount_or("mass", 0.0)?;
        let tensor = match (view.array("fullinertia")?, view.array("diaginertia")?) {
            (Some([xx, yy, zz, xy, xz, yz]), None) => [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
            (Some(_), Some(_)) => {
                return Err(element.fault("has `diaginertia` and `fullinertia`: one is enough"));
            }
            (None, moments) => diagonal(moments.unwrap_or_default()),
        };
        Ok(Inertial { mass, center: [0.0; 3], tensor }.seen_from(pose))
    }

    fn joint_name(&mut self, view: &View<'a>) -> Result<Option<&'a str>> {
        let name = view.element.plain("name");
        view.text("name");
        match name {
            Some(name) if !self.joints.insert(name) => {
                Err(view.element.fault("another joint has this name"))
            }
            name => Ok(name),
        }
    }

    fn joint(&mut self, view: &View<'a>, frame: Pose) -> Result<Joint> {
        let element = view.element;
        let kind = match view.text("type") {
            None | Some("hinge") => JointKind::Hinge,
            Some("slide") => JointKind::Slide,
            Some("ball") => JointKind::Ball,
            Some("free") => JointKind::Free,
            Some(_) => {
                let message = "there is no such type; there are free, ball, slide and hinge";
                return Err(view.refuse("type", message));
            }
        };
        let name = self.joint_name(view)?;
        let mut joint = Joint::new(name, element.label(), element.place, kind);
        joint.point = frame.point(view.array("pos")?.unwrap_or_default());
        if let Some(axis) = view.array("axis")? {
            joint.axis =
                unit(axis).ok_or_else(|| view.refuse("axis", "a direction cannot be zero"))?;
        }
        joint.axis = rotate(frame.turn, joint.axis);
        let turns = matches!(kind, JointKind::Hinge | JointKind::Ball);
        let angle = |x: f64| if turns { self.compiler.angle(x) } else { x };
        let range = view.array::<2>("range")?;
        let limited = match view.text("limited") {
            None | Some("auto") => range.is_some() && self.compiler.auto_limits,
            Some("true") => true,
            Some("false") => false,
            Some(_) => return Err(view.refuse("limited", "must be `true`, `false` or `auto`")),
        };
        if limited && kind != JointKind::Free {
            let Some(range) = range else {
                return Err(element.fault("is limited and has no `range`"));
            };
            if range[0] > range[1] {
                return Err(view.refuse("range", "the first is above the second"));
            }
            joint.range = Some(range.map(angle));
        }
        joint.reference = angle(view.number_or("ref", 0.0)?);
        joint.rest = angle(view.number_or("springref", 0.0)?);
        joint.damping = self.first_of(view, "damping")?;
        joint.stiffness = self.first_of(view, "stiffness")?;
        joint.armature = view.amount_or("armature", 0.0)?;
        if kind == JointKind::Ball || kind == JointKind::Free {
            joint.reference = 0.0;
        }
        Ok(joint)
    }

    /// A coefficient; those of higher powers, where there are any, are listed.
    fn first_of(&mut self, view: &View<'a>, name: &str) -> Result<f64> {
        let numbers = view.numbers(name)?.unwrap_or_default();
        if numbers.iter().skip(1).any(|x| *x != 0.0) {
            let what = format!("only the linear part of `{name}` is taken over");
            self.notes.add(view.element.place, view.element.label(), what);
        }
        match numbers.first() {
            None => Ok(0.0),
            Some(x) if *x >= 0.0 => Ok(*x),
            Some(_) => Err(view.refuse(name, "must be at least 0")),
        }
    }

    /// All masses together are as much as the file wants.
    pub fn set_total_mass(&mut self) {
        let Some(wanted) = self.compiler.total_mass else { return };
        let total: f64 = self.robot.bodies.iter().map(|body| body.inertial.mass).sum();
        if total > 0.0 {
            let factor = wanted / total;
            for body in &mut self.robot.bodies {
                body.inertial.mass *= factor;
                body.inertial.tensor = body.inertial.tensor.map(|row| scaled(row, factor));
            }
        }
    }
}
