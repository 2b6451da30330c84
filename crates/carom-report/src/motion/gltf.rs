//! A motion as a binary glTF 2.0 file (`.glb`): bodies as meshes, their paths as one animation.
//!
//! glTF has its second axis upwards: scenes in space, whose third axis is, are turned by a node above all bodies. Planar
//! shapes become slabs. Values between the times of the animation are linear.

use carom_io::failure::Failure;
use carom_io::output::{CHECKSUM_BLANK, CHECKSUM_KEY};
use carom_plot::motion::{Look, placed, quaternion};
use carom_sim::motion::{BodyKind, BodyState, Dimension, Motion, Prescribed, Scene, Turn};
use serde_json::{Value, json};

/// How thick a planar shape is, as a part of what moves \[1\].
const THICK: f64 = 0.05;
/// How far a surface without end reaches, beside all that moves \[1\].
const FAR: f64 = 1.5;
/// The tones of figures, as linear red, green and blue \[1\].
const COLOURS: [[f64; 3]; 6] = [
    [0.0, 0.168, 0.445],
    [0.665, 0.112, 0.0],
    [0.0, 0.342, 0.171],
    [0.451, 0.094, 0.258],
    [0.584, 0.254, 0.0],
    [0.047, 0.332, 0.644],
];
const GROUND: [f64; 3] = [0.45, 0.45, 0.45];

// Numbers that the format has for what it knows.
const FLOAT: u32 = 5126;
const VERTICES: u32 = 34962;
const MAGIC: u32 = 0x4654_6C67;
const JSON: u32 = 0x4E4F_534A;
const BINARY: u32 = 0x004E_4942;

/// A corner of a triangle: place and direction outwards.
type Corner = [[f64; 3]; 2];

/// Data and how it is found.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds vectors of one length; the number of their accessor.
    fn add(&mut self, size: usize, numbers: &[f32], target: Option<u32>) -> usize {
        let start = self.bytes.len();
        numbers.iter().for_each(|x| self.bytes.extend(x.to_le_bytes()));
        let mut view = json!({
            "buffer": 0,
            "byteOffset": start,
            "byteLength": self.bytes.len() - start,
        });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        let bound = |least: bool| -> Vec<f32> {
            (0..size)
                .map(|i| {
                    let column = numbers.iter().skip(i).step_by(size).copied();
                    match least {
                        true => column.fold(f32::INFINITY, f32::min),
                        false => column.fold(f32::NEG_INFINITY, f32::max),
                    }
                })
                .collect()
        };
        const KINDS: [&str; 4] = ["SCALAR", "VEC2", "VEC3", "VEC4"];
        let kind = KINDS[size - 1];
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1,
            "componentType": FLOAT,
            "count": numbers.len() / size,
            "type": kind,
            "min": bound(true),
            "max": bound(false),
        }));
        self.accessors.len() - 1
    }
}

/// The file. `origin` is kept in it, so that the motion can be followed again.
pub fn glb(scene: &Scene, motion: &Motion, title: &str, origin: &str) -> Result<Vec<u8>, Failure> {
    let reach = reach(scene, motion);
    let mut buffer = Buffer::default();
    let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
    let first = motion.samples.first();
    for (body, of) in scene.bodies.iter().enumerate() {
        let rest = BodyState {
            position: of.position,
            orientation: of.orientation,
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
        };
        let state = first.map_or(&rest, |sample| &sample.bodies[body]);
        let triangles: Vec<[Corner; 3]> =
            of.shapes.iter().flat_map(|shape| faces(scene, shape, state, reach)).collect();
        let mut node = json!({
            "name": of.name,
            "translation": state.position.map(|x| x as f32),
            "rotation": last_first(quaternion(&state.orientation)),
        });
        if !triangles.is_empty() {
            let part = |k: usize| -> Vec<f32> {
                let corners = triangles.iter().flatten();
                corners.flat_map(|corner| corner[k]).map(|x| x as f32).collect()
            };
            let places = buffer.add(3, &part(0), Some(VERTICES));
            let normals = buffer.add(3, &part(1), Some(VERTICES));
            node["mesh"] = json!(meshes.len());
            meshes.push(json!({
                "name": of.name,
                "primitives": [{
                    "attributes": { "POSITION": places, "NORMAL": normals },
                    "material": if moves(&of.kind) { body % COLOURS.len() } else { COLOURS.len() },
                }],
            }));
        }
        nodes.push(node);
    }
    let animation = animation(scene, motion, &mut buffer);
    let mut root = json!({ "name": title, "children": (0..nodes.len()).collect::<Vec<_>>() });
    if scene.dimension == Dimension::Space {
        let half = f64::sqrt(0.5) as f32;
        root["rotation"] = json!([-half, 0.0, 0.0, half]);
    }
    nodes.push(root);
    let material = |colour: &[f64; 3]| {
        json!({
            "doubleSided": true,
            "pbrMetallicRoughness": {
                "baseColorFactor": [colour[0], colour[1], colour[2], 1.0],
                "metallicFactor": 0.0,
                "roughnessFactor": 0.7,
            },
        })
    };
    let mut document = json!({
        "asset": {
            "version": "2.0",
            "generator": format!("carom {}", env!("CARGO_PKG_VERSION")),
            "extras": { "carom.origin": origin, CHECKSUM_KEY: CHECKSUM_BLANK },
        },
        "scene": 0,
        "scenes": [{ "name": title, "nodes": [nodes.len() - 1] }],
        "nodes": nodes,
        "materials": COLOURS.iter().chain([&GROUND]).map(material).collect::<Vec<_>>(),
    });
    let list = [("meshes", json!(meshes)), ("animations", json!(animation))];
    // The format has no empty lists.
    for (key, value) in
        list.into_iter().filter(|(_, v)| v.as_array().is_some_and(|v| !v.is_empty()))
    {
        document[key] = value;
    }
    if !buffer.bytes.is_empty() {
        document["accessors"] = json!(buffer.accessors);
        document["bufferViews"] = json!(buffer.views);
        document["buffers"] = json!([{ "byteLength": buffer.bytes.len() }]);
    }
    let unwritten =
        |error: serde_json::Error| Failure::Io { name: "glTF".into(), error: error.into() };
    let mut text = serde_json::to_vec(&document).map_err(unwritten)?;
    text.resize(text.len().next_multiple_of(4), b' ');
    Ok(container(&text, &buffer.bytes))
}

/// Header and chunks.
fn container(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let chunks = match binary.is_empty() {
        true => vec![(JSON, json)],
        false => vec![(JSON, json), (BINARY, binary)],
    };
    let length = 12 + chunks.iter().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
    let words = |words: [u32; 2]| words.into_iter().flat_map(u32::to_le_bytes);
    let mut file: Vec<u8> = MAGIC.to_le_bytes().to_vec();
    file.extend(words([2, length as u32]));
    for (kind, bytes) in chunks {
        file.extend(words([bytes.len() as u32, kind]));
        file.extend(bytes);
    }
    file
}

/// Paths of all bodies whose place changes.
fn animation(scene: &Scene, motion: &Motion, buffer: &mut Buffer) -> Vec<Value> {
    // Times must grow as single numbers, too.
    let mut samples = Vec::new();
    let mut last = -1.0f32;
    for sample in &motion.samples {
        let time = sample.time as f32;
        if time > last {
            samples.push(sample);
            last = time;
        }
    }
    let moving: Vec<usize> =
        (0..scene.bodies.len()).filter(|&body| moves(&scene.bodies[body].kind)).collect();
    if samples.len() < 2 || moving.is_empty() {
        return Vec::new();
    }
    let times: Vec<f32> = samples.iter().map(|sample| sample.time as f32).collect();
    let input = buffer.add(1, &times, None);
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for body in moving {
        let states = || samples.iter().map(|sample| &sample.bodies[body]);
        let places: Vec<f32> = states().flat_map(|s| s.position).map(|x| x as f32).collect();
        let mut turns: Vec<f32> = Vec::with_capacity(4 * samples.len());
        for state in states() {
            let mut turn = last_first(quaternion(&state.orientation));
            // The nearer of two that turn alike, so that what is between them is.
            let before = turns.len().checked_sub(4).map(|start| &turns[start..]);
            if before.is_some_and(|before| {
                before.iter().zip(&turn).map(|(a, b)| a * b).sum::<f32>() < 0.0
            }) {
                turn = turn.map(|x| -x);
            }
            turns.extend(turn);
        }
        for (path, output) in [
            ("translation", buffer.add(3, &places, None)),
            ("rotation", buffer.add(4, &turns, None)),
        ] {
            channels.push(json!({
                "sampler": samplers.len(),
                "target": { "node": body, "path": path },
            }));
            samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        }
    }
    vec![json!({ "name": "motion", "channels": channels, "samplers": samplers })]
}

fn moves(kind: &BodyKind) -> bool {
    !matches!(kind, BodyKind::Fixed { motion: Prescribed::None })
}

/// The real part last, as glTF has it.
fn last_first([w, x, y, z]: [f64; 4]) -> [f32; 4] {
    [x, y, z, w].map(|x| x as f32)
}

/// The middle of all that moves, and how far it goes from there \[m\].
fn reach(scene: &Scene, motion: &Motion) -> ([f64; 3], f64) {
    let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
    for (body, of) in scene.bodies.iter().enumerate().filter(|(_, of)| moves(&of.kind)) {
        let looks = of.shapes.iter().map(|shape| Look::of(shape, scene.dimension));
        let size = looks.filter_map(|look| look.reach()).fold(0.0, f64::max);
        for sample in &motion.samples {
            for (bound, x) in bounds.iter_mut().zip(sample.bodies[body].position) {
                *bound = [bound[0].min(x - size), bound[1].max(x + size)];
            }
        }
    }
    let finite = bounds.iter().all(|[low, high]| low <= high);
    if !finite {
        return ([0.0; 3], 1.0);
    }
    let middle = bounds.map(|[low, high]| 0.5 * (low + high));
    let reach = bounds.iter().map(|[low, high]| 0.5 * (high - low)).fold(0.0, f64::max);
    (middle, if reach > 0.0 { reach } else { 1.0 })
}

/// Triangles of a shape, in its body's frame.
fn faces(
    scene: &Scene,
    shape: &carom_sim::motion::Shape,
    state: &BodyState,
    (middle, reach): ([f64; 3], f64),
) -> Vec<[Corner; 3]> {
    let look = Look::of(shape, scene.dimension);
    let half = 0.5 * THICK * reach;
    match &look {
        Look::HalfSpace { normal, offset } => {
            surface(*normal, *offset, state, middle, FAR * reach, scene.dimension)
        }
        Look::Corners(_) => Vec::new(),
        _ => match (scene.dimension, look.outline()) {
            (Dimension::Plane, Some(outline)) => slab(&outline, half),
            _ => look.triangles(),
        },
    }
}

/// A convex outline in the plane, as thick as `2 half`.
fn slab(outline: &[[f64; 3]], half: f64) -> Vec<[Corner; 3]> {
    let mut triangles = Vec::new();
    let count = outline.len();
    let at = |k: usize, z: f64| [outline[k % count][0], outline[k % count][1], z];
    for (z, up) in [(half, 1.0), (-half, -1.0)] {
        let corner = |k: usize| [at(k, z), [0.0, 0.0, up]];
        for k in 1..count.saturating_sub(1) {
            let (a, b) = if up > 0.0 { (k, k + 1) } else { (k + 1, k) };
            triangles.push([corner(0), corner(a), corner(b)]);
        }
    }
    for k in 0..count {
        let (a, b) = (at(k, 0.0), at(k + 1, 0.0));
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = f64::sqrt(dx * dx + dy * dy).max(f64::MIN_POSITIVE);
        let out = [dy / length, -dx / length, 0.0];
        let [low, next, high, above] =
            [at(k, -half), at(k + 1, -half), at(k + 1, half), at(k, half)];
        triangles.push([[low, out], [next, out], [high, out]]);
        triangles.push([[low, out], [high, out], [above, out]]);
    }
    triangles
}

/// A square of a surface without end, near what moves.
fn surface(
    normal: [f64; 3],
    offset: f64,
    state: &BodyState,
    middle: [f64; 3],
    half: f64,
    dimension: Dimension,
) -> Vec<[Corner; 3]> {
    let back = match &state.orientation {
        Turn::Angle(angle) => Turn::Angle(-angle),
        Turn::Quaternion([w, x, y, z]) => Turn::Quaternion([*w, -x, -y, -z]),
    };
    let away = [0, 1, 2].map(|i| middle[i] - state.position[i]);
    let seen = placed([0.0; 3], &back, away);
    let height: f64 = normal.iter().zip(seen).map(|(n, x)| n * x).sum::<f64>() - offset;
    let foot = [0, 1, 2].map(|i| seen[i] - height * normal[i]);
    // In the plane the third direction is the page's depth.
    let across = match dimension {
        Dimension::Plane => [0.0, 0.0, 1.0],
        Dimension::Space if normal[0].abs() < 0.9 => [1.0, 0.0, 0.0],
        Dimension::Space => [0.0, 1.0, 0.0],
    };
    let u = unit(cross(across, normal));
    let v = cross(normal, u);
    let depth = if dimension == Dimension::Plane { 4.0 * THICK * half } else { half };
    let corner = |a: f64, b: f64| {
        let place = [0, 1, 2].map(|i| foot[i] + a * half * u[i] + b * depth * v[i]);
        [place, normal]
    };
    let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    vec![[a, b, c], [a, c, d]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = f64::sqrt(a.iter().map(|x| x * x).sum());
    a.map(|x| x / length.max(f64::MIN_POSITIVE))
}
