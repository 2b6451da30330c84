//! From a document to a scene.

mod acting;
mod bodies;
mod joints;
mod shapes;

use crate::keys;
use carom::ImpactError;
use carom_io::failure::Failure;
use carom_io::format::keys::{DESCRIPTION, Key, TITLE};
use carom_io::format::{Cursor, LawSpec, Names, Node};
use carom_io::input::Source;
use carom_io::plain;
use carom_sim::motion::{Accuracy, Dimension, Mode, Scene, SceneBody};
use std::collections::HashSet;

/// What a scene file says.
#[derive(Clone, Debug)]
pub struct SceneFile {
    /// One line that names it.
    pub title: Option<String>,
    /// What it shows.
    pub description: Option<String>,
    /// The law it asks for.
    pub law: Option<LawSpec>,
    /// The scene, with that law.
    pub scene: Scene,
}

impl SceneFile {
    /// Reads a document.
    pub fn read(node: &Node) -> Result<Self, ImpactError> {
        let root = Cursor::root(node, "scene");
        root.check_keys(&keys::SCENE)?;
        let text = |key: &'static Key| {
            root.get(key.name).map(|text| text.text().map(str::to_owned)).transpose()
        };
        let law = node.get(keys::LAW.name).map(LawSpec::read).transpose()?;
        let mut scene = read_scene(&root)?;
        scene.law = law.as_ref().map(LawSpec::build).transpose()?;
        Ok(Self {
            // Both are shown, and nothing else is done with them.
            title: text(&TITLE)?.map(|title| plain::name(&title).into_owned()),
            description: text(&DESCRIPTION)?.map(|text| plain::message(&text).into_owned()),
            law,
            scene,
        })
    }

    /// Reads a file.
    pub fn of(source: &Source) -> Result<Self, Failure> {
        Ok(Self::read(&source.parse()?)?)
    }
}

fn read_scene(root: &Cursor) -> Result<Scene, ImpactError> {
    let list = root.require(&keys::BODIES)?;
    let dimension = dimension_of(&list)?;
    let space = Space(dimension);
    let mut scene = Scene::new(dimension);
    let mut names = Names::default();
    list.each(|i, cursor| {
        cursor.check_keys(&keys::BODY)?;
        let name = cursor.require(&carom_io::format::keys::NAME)?;
        if name.text()? == "*" {
            return Err(name.refuse("pairs call any body so; give another name"));
        }
        names.insert(&name, i)?;
        scene.bodies.push(bodies::read(&cursor, &space)?);
        Ok(())
    })?;
    if let Some(gravity) = root.get(keys::GRAVITY.name) {
        scene.gravity = space.vector(&gravity)?;
    }
    if let Some(duration) = root.get(keys::DURATION.name) {
        scene.duration = not_negative(&duration)?;
    }
    if let Some(mode) = root.get(keys::MODE.name) {
        scene.mode = read_mode(&mode)?;
    }
    if let Some(accuracy) = root.get(keys::ACCURACY.name) {
        scene.accuracy = read_accuracy(&accuracy)?;
    }
    if let Some(most) = root.get(keys::MAX_EVENTS.name) {
        scene.max_events = most.count()? as u64;
    }
    let all = Bodies { names: &names, bodies: &scene.bodies };
    if let Some(list) = root.get(keys::JOINTS.name) {
        scene.joints = each(&list, |joint| joints::read(joint, &space, &all))?;
        let mut called = HashSet::new();
        list.each(|_, joint| match joint.get(keys::JOINT_NAME.name) {
            Some(name) if !called.insert(name.text()?.to_owned()) => {
                Err(name.refuse("another joint has this name"))
            }
            _ => Ok(()),
        })?;
    }
    if let Some(list) = root.get(keys::SPRINGS.name) {
        scene.springs = each(&list, |spring| acting::read_spring(spring, &space, &all))?;
    }
    if let Some(list) = root.get(keys::FORCES.name) {
        scene.forces = each(&list, |force| acting::read_force(force, &space, &all))?;
    }
    if let Some(list) = root.get(keys::PAIRS.name) {
        scene.pairs = each(&list, |pair| acting::read_pair(pair, &all))?;
    }
    Ok(scene)
}

fn each<T>(
    list: &Cursor,
    read: impl Fn(&Cursor) -> Result<T, ImpactError>,
) -> Result<Vec<T>, ImpactError> {
    let mut items = Vec::with_capacity(list.length()?);
    list.each(|_, item| {
        items.push(read(&item)?);
        Ok(())
    })?;
    Ok(items)
}

/// Plane or space: the first position says so.
fn dimension_of(bodies: &Cursor) -> Result<Dimension, ImpactError> {
    let mut found = None;
    bodies.each(|_, body| {
        let Some(position) = body.get(keys::POSITION.name).filter(|_| found.is_none()) else {
            return Ok(());
        };
        found = Some(match position.numbers()? {
            [_, _] => Dimension::Plane,
            [_, _, _] => Dimension::Space,
            _ => return Err(position.refuse("must have 2 numbers in the plane, 3 in space")),
        });
        Ok(())
    })?;
    if found.is_none() {
        // A misspelt key is the likeliest reason.
        bodies.each(|_, body| body.check_keys(&keys::BODY))?;
    }
    found.ok_or_else(|| {
        bodies
            .refuse("one body must have a `position`: its length says whether the scene is planar")
    })
}

fn read_mode(mode: &Cursor) -> Result<Mode, ImpactError> {
    if let Node::Text(_) = mode.node {
        return mode.choice(&[("events", Mode::Events)]);
    }
    if !matches!(mode.node, Node::Table(_)) {
        return Err(mode.refuse("must be \"events\" or a table {stepping = {h, theta}}"));
    }
    mode.check_keys(&keys::MODE_TABLE)?;
    let stepping = mode.require(&keys::STEPPING)?;
    stepping.check_keys(&keys::STEPPING_TABLE)?;
    let theta = match stepping.get(keys::THETA.name) {
        Some(theta) => match theta.number()? {
            x if (0.0..=1.0).contains(&x) => x,
            _ => return Err(theta.refuse("must lie between 0 and 1")),
        },
        None => 0.5,
    };
    Ok(Mode::Stepping { h: positive(&stepping.require(&keys::STEP)?)?, theta })
}

fn read_accuracy(table: &Cursor) -> Result<Accuracy, ImpactError> {
    table.check_keys(&keys::ACCURACY_TABLE)?;
    let mut accuracy = Accuracy::default();
    if let Some(state) = table.get(keys::STATE.name) {
        accuracy.state = positive(&state)?;
    }
    if let Some(time) = table.get(keys::TIME.name) {
        accuracy.time = positive(&time)?;
    }
    Ok(accuracy)
}

fn positive(value: &Cursor) -> Result<f64, ImpactError> {
    match value.number()? {
        x if x > 0.0 => Ok(x),
        _ => Err(value.refuse("must be above 0")),
    }
}

fn not_negative(value: &Cursor) -> Result<f64, ImpactError> {
    match value.number()? {
        x if x >= 0.0 => Ok(x),
        _ => Err(value.refuse("must be at least 0")),
    }
}

/// The number under a key, or what stands for it.
fn number_or(table: &Cursor, key: &'static Key, default: f64) -> Result<f64, ImpactError> {
    table.get(key.name).map_or(Ok(default), |value| value.number())
}

/// The bodies, to be called by name.
struct Bodies<'a> {
    names: &'a Names,
    bodies: &'a [SceneBody],
}

impl Bodies<'_> {
    /// Two bodies that must differ.
    fn two(
        &self,
        table: &Cursor,
        a: &'static Key,
        b: &'static Key,
    ) -> Result<(usize, usize), ImpactError> {
        let first = self.names.index(&table.require(a)?)?;
        let name = table.require(b)?;
        let second = self.names.index(&name)?;
        match first == second {
            true => Err(name.refuse("must be another body than `a`")),
            false => Ok((first, second)),
        }
    }
}

/// How many numbers vectors have.
struct Space(Dimension);

impl Space {
    fn is_plane(&self) -> bool {
        self.0 == Dimension::Plane
    }

    /// As many numbers as positions have.
    fn vector(&self, value: &Cursor) -> Result<[f64; 3], ImpactError> {
        match (self.0, value.numbers()?) {
            (Dimension::Plane, &[x, y]) => Ok([x, y, 0.0]),
            (Dimension::Space, &[x, y, z]) => Ok([x, y, z]),
            (Dimension::Plane, items) => {
                let reason = "must have 2 numbers: positions have 2, so the scene is planar";
                Err(value.refuse_length(items.len(), reason.into()))
            }
            (Dimension::Space, items) => {
                let reason = "must have 3 numbers: positions have 3, so the scene is in space";
                Err(value.refuse_length(items.len(), reason.into()))
            }
        }
    }

    /// The vector under a key, or zero.
    fn vector_or_zero(&self, table: &Cursor, key: &'static Key) -> Result<[f64; 3], ImpactError> {
        table.get(key.name).map_or(Ok([0.0; 3]), |value| self.vector(&value))
    }

    /// A direction: a vector that is not zero.
    fn direction(&self, value: &Cursor) -> Result<[f64; 3], ImpactError> {
        match self.vector(value)? {
            [0.0, 0.0, 0.0] => Err(value.refuse("a direction cannot be zero")),
            direction => Ok(direction),
        }
    }

    /// An angular velocity or torque: in the plane one number, the third component; absent, zero.
    fn axial_or_zero(&self, table: &Cursor, key: &'static Key) -> Result<[f64; 3], ImpactError> {
        let Some(value) = table.get(key.name) else { return Ok([0.0; 3]) };
        match (self.0, value.node) {
            (Dimension::Plane, Node::Number(_)) => Ok([0.0, 0.0, value.number()?]),
            // A list of one number is what problems take, too.
            (Dimension::Plane, Node::Numbers(items)) if items.len() == 1 => {
                Ok([0.0, 0.0, value.numbers()?[0]])
            }
            (Dimension::Plane, _) => Err(value.refuse("must be one number: the scene is planar")),
            (Dimension::Space, Node::Number(_)) => {
                Err(value.refuse("must have 3 numbers: the scene is in space"))
            }
            (Dimension::Space, _) => self.vector(&value),
        }
    }
}
