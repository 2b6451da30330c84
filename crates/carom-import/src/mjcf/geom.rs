//! Shapes: `geom` and `mesh`.

use super::compiler::unknown;
use super::{Model, Named};
use crate::fault::Result;
use crate::files::hulled;
use crate::frames::{Pose, from_third_axis, length, rotate, scaled, sub, unit};
use crate::inertia::{self, Inertial, MeshVolume, diagonal};
use crate::mesh::{self, Mesh};
use crate::robot::{Geom, Solid, Surface};
use crate::xml::View;
use std::rc::Rc;

/// A shape with its mass.
pub struct Read {
    /// None where carom has no such shape.
    pub geom: Option<Geom>,
    /// In the body's frame.
    pub inertial: Inertial,
    pub group: i64,
}

/// The friction of a shape that says nothing else.
const FRICTION: f64 = 1.0;
/// [kg/m³]
const DENSITY: f64 = 1000.0;

impl<'a> Model<'a> {
    /// Reads a shape; `frame` is what its pose is in.
    pub fn geom(&mut self, view: &View<'a>, frame: Pose) -> Result<Read> {
        let element = view.element;
        let label = element.label();
        let kind = view.text("type").unwrap_or("sphere");
        let mut pose = self.compiler.pose(view)?;
        let size = view.numbers("size")?.unwrap_or_default();
        let mut half_length = None;
        if let Some([a, b, c, d, e, f]) = view.array("fromto")? {
            if !matches!(kind, "capsule" | "cylinder" | "box" | "ellipsoid") {
                let message = "only capsules, cylinders, boxes and ellipsoids have two ends";
                return Err(view.refuse("fromto", message));
            }
            let (from, to) = ([a, b, c], [d, e, f]);
            let along = sub(to, from);
            let Some(axis) = unit(along) else {
                return Err(view.refuse("fromto", "the two ends are one point"));
            };
            half_length = Some(0.5 * length(along));
            let middle = std::array::from_fn(|i| 0.5 * (from[i] + to[i]));
            pose = Pose { place: middle, turn: from_third_axis(axis) };
        }
        let need = |at: usize, what: &str| match (size.get(at), at) {
            (Some(x), _) if *x > 0.0 => Ok(*x),
            (Some(_), _) => Err(view.refuse("size", format!("{what} must be above 0"))),
            (None, _) => Err(element.fault(format!("has no `size` for {what}"))),
        };
        let half = |at: usize| half_length.map_or_else(|| need(at, "half of its length"), Ok);
        let across = |at: usize, what: &str| need(if half_length.is_some() { 0 } else { at }, what);
        let mut solid = None;
        let mut volume = (0.0, [0.0; 3]);
        let mut of_mesh: Option<Inertial> = None;
        match kind {
            "sphere" => {
                let radius = need(0, "the radius")?;
                volume = inertia::sphere(radius);
                solid = Some(Solid::Sphere(radius));
            }
            "capsule" => {
                let (radius, half) = (need(0, "the radius")?, half(1)?);
                volume = inertia::capsule(radius, half);
                solid = Some(Solid::Capsule { radius, half });
            }
            "cylinder" => {
                let (radius, half) = (need(0, "the radius")?, half(1)?);
                volume = inertia::cylinder(radius, half);
                solid = Some(Solid::Cylinder { radius, half });
            }
            "box" | "ellipsoid" => {
                let what = if kind == "box" { "half of each side" } else { "each radius" };
                let sides = [across(0, what)?, across(1, what)?, half(2)?];
                if kind == "box" {
                    volume = inertia::cuboid(sides);
                    solid = Some(Solid::Box(sides));
                } else {
                    volume = inertia::ellipsoid(sides);
                    solid = Some(Solid::Hull(mesh::ellipsoid(sides, self.options.hull_points)));
                }
            }
            "plane" => solid = Some(Solid::Plane),
            "mesh" => {
                let (found, how) = self.mesh(view)?;
                of_mesh = inertia::mesh(&found.points, &found.triangles, how);
                solid = Some(Solid::Hull(found.points.clone()));
            }
            "hfield" | "sdf" => {
                view.text("hfield");
                let what = format!("a shape of type `{kind}` is not taken over");
                self.notes.add(element.place, &label, what);
            }
            _ => {
                let message = "there is no such type; there are plane, sphere, capsule, ellipsoid, cylinder, box, mesh, hfield and sdf";
                return Err(view.refuse("type", message));
            }
        }
        if kind != "mesh" && view.has("mesh") {
            let message = "a shape that is fitted to a mesh is not read: give its sizes";
            return Err(view.refuse("mesh", message));
        }
        let pose = frame.then(pose);
        let density = view.amount_or("density", DENSITY)?;
        let mass = match view.number("mass")? {
            Some(mass) if mass < 0.0 => return Err(view.refuse("mass", "must be at least 0")),
            mass => mass,
        };
        let unit_mass = of_mesh.unwrap_or(Inertial {
            mass: volume.0,
            center: [0.0; 3],
            tensor: diagonal(volume.1),
        });
        let factor = match (mass, unit_mass.mass > 0.0) {
            (_, false) => 0.0,
            (Some(mass), true) => mass / unit_mass.mass,
            (None, true) => density,
        };
        let inertial = Inertial {
            mass: mass.unwrap_or(density * unit_mass.mass) * f64::from(unit_mass.mass > 0.0),
            center: unit_mass.center,
            tensor: unit_mass.tensor.map(|row| scaled(row, factor)),
        }
        .seen_from(pose);
        let surface = self.surface(view)?;
        let group = view.integer_or("group", 0)?;
        self.ids += 1;
        let id = self.ids;
        if let Some(name) = view.element.plain("name") {
            view.text("name");
            if self.geoms.insert(name, Named { id, surface }).is_some() {
                return Err(element.fault("another geom has this name"));
            }
        }
        let touches =
            surface.collides() || self.paired.contains(element.plain("name").unwrap_or(""));
        if touches && kind == "mesh" {
            let Some(Solid::Hull(points)) = solid.take() else { unreachable!("a mesh has points") };
            let (found, _) = self.mesh(view)?;
            let whole = Mesh { points, triangles: found.triangles.clone() };
            match hulled(&whole, self.options) {
                Ok((points, what)) => {
                    if let Some(what) = what {
                        self.notes.add(element.place, &label, what);
                    }
                    solid = Some(Solid::Hull(points));
                }
                Err(reason) => {
                    let what = format!("the mesh is not taken over as a shape: its hull {reason}");
                    self.notes.add(element.place, &label, what);
                }
            }
        }
        if touches && kind == "ellipsoid" {
            let count = self.options.hull_points;
            let what = format!("the ellipsoid is the convex hull of {count} of its points");
            self.notes.add(element.place, &label, what);
        }
        let geom =
            solid.map(|solid| Geom { label, place: element.place, solid, pose, surface, id });
        Ok(Read { geom, inertial, group })
    }

    fn surface(&mut self, view: &View<'a>) -> Result<Surface> {
        let condim = self.condim(view)?;
        let friction = view.numbers("friction")?.unwrap_or_default();
        let mu = friction.first().copied().unwrap_or(FRICTION);
        if mu < 0.0 {
            return Err(view.refuse("friction", "must be at least 0"));
        }
        let (contype, conaffinity) =
            (view.integer_or("contype", 1)?, view.integer_or("conaffinity", 1)?);
        let off = !self.settings.contacts;
        Ok(Surface {
            contype: if off { 0 } else { contype },
            conaffinity: if off { 0 } else { conaffinity },
            mu,
            priority: view.integer_or("priority", 0)?,
            frictionless: condim == 1,
        })
    }

    /// In how many ways a contact resists.
    pub fn condim(&mut self, view: &View<'a>) -> Result<i64> {
        match view.integer_or("condim", 3)? {
            condim @ (1 | 3) => Ok(condim),
            condim @ (4 | 6) => {
                let what =
                    "friction against spinning and rolling (condim 4 and 6) is not taken over";
                self.notes.add(view.element.place, view.element.label(), what);
                Ok(condim)
            }
            _ => Err(view.refuse("condim", "must be 1, 3, 4 or 6")),
        }
    }

    /// The mesh that a shape names, in the frame of its file, and how its volume is counted.
    fn mesh(&mut self, view: &View<'a>) -> Result<(Rc<Mesh>, MeshVolume)> {
        let name = view.require("mesh")?;
        let Some(asset) = self.meshes.get(name).copied() else {
            return Err(unknown(view, "mesh", "mesh", self.meshes.keys().map(String::as_str)));
        };
        let asset = self.classes.view(asset, None)?;
        let how = match asset.text("inertia") {
            None | Some("legacy") => MeshVolume::Unsigned,
            Some("shell") => MeshVolume::Shell,
            Some("exact" | "convex") => MeshVolume::Signed,
            Some(_) => {
                let message = "must be `legacy`, `exact`, `convex` or `shell`";
                return Err(asset.refuse("inertia", message));
            }
        };
        if let Some(known) = self.read_meshes.get(name) {
            return Ok((known.clone(), how));
        }
        let scale: [f64; 3] = asset.array("scale")?.unwrap_or([1.0; 3]);
        let place = asset.array("refpos")?.unwrap_or_default();
        let turn = match asset.array("refquat")? {
            None => crate::frames::IDENTITY,
            Some(turn) => crate::frames::unit_quaternion(turn)
                .ok_or_else(|| asset.refuse("refquat", "cannot be zero"))?,
        };
        let mut mesh = if asset.has("file") {
            let file = asset.require("file")?;
            let path = self.compiler.mesh_path(file, self.files);
            if !path.is_file() {
                let message = format!("there is no such file: {} was tried", path.display());
                return Err(asset.refuse("file", message));
            }
            let read = self.files.mesh(&path).map_err(|message| asset.refuse("file", message))?;
            (*read).clone()
        } else {
            self.inline(&asset)?
        };
        for point in &mut mesh.points {
            let p = rotate(crate::frames::inverse(turn), sub(*point, place));
            *point = std::array::from_fn(|i| p[i] * scale[i]);
        }
        if scale[0] * scale[1] * scale[2] < 0.0 {
            mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        if mesh.triangles.is_empty() || asset.text("inertia") == Some("convex") {
            // What is given by its corners is their hull.
            let (corners, short) = mesh::corners_of_hull(&mesh);
            if short > 0.0 {
                let what =
                    format!("its mass is that of the hull of {} of its points", corners.len());
                self.notes.add(asset.element.place, asset.element.label(), what);
            }
            let hull = carom_sim::motion::ConvexHull::of(&corners)
                .map_err(|reason| asset.element.fault(format!("its hull {reason}")))?;
            let fans = hull
                .faces
                .iter()
                .flat_map(|face| (1..face.len() - 1).map(move |k| [face[0], face[k], face[k + 1]]));
            mesh = Mesh { triangles: fans.collect(), points: hull.corners };
        }
        let mesh = Rc::new(mesh);
        self.read_meshes.insert(name.to_owned(), mesh.clone());
        Ok((mesh, how))
    }

    /// A mesh whose corners stand in the file.
    fn inline(&self, asset: &View<'a>) -> Result<Mesh> {
        asset.require("vertex")?;
        let numbers = asset.numbers("vertex")?.unwrap_or_default();
        if numbers.len() < 12 || !numbers.len().is_multiple_of(3) {
            return Err(asset.refuse("vertex", "must be four points of 3 numbers, or more"));
        }
        let points: Vec<[f64; 3]> = numbers.chunks(3).map(|p| [p[0], p[1], p[2]]).collect();
        let corners = asset.numbers("face")?.unwrap_or_default();
        let triangles = corners
            .chunks(3)
            .map(|face| {
                let at = |x: f64| (x >= 0.0 && x < points.len() as f64).then_some(x as usize);
                let corners: Option<Vec<usize>> = face.iter().map(|x| at(*x)).collect();
                corners.and_then(|corners| <[usize; 3]>::try_from(corners).ok()).ok_or_else(|| {
                    asset.refuse("face", "must be threes of places of points, from 0")
                })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Mesh { points, triangles })
    }
}
