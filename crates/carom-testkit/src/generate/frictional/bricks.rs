//! Bricks that land on a vertex, an edge or a face, on the ground or on each other, for comparison with compliant contacts.

use super::blocks::{UPRIGHT, apply, array, body, contact, lowest_vertex, product, turned};
use crate::Rng;
use crate::generate::several::bodies::{Vec3, add, fixed};
use crate::generate::several::{Place, Scene};
use carom::Material;
use carom::system::{Body, BodyContact};

/// What a brick lands on, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Landing {
    /// On the ground with a vertex.
    Vertex,
    /// On the ground with an edge: two contacts.
    Edge,
    /// On the ground with a face: four contacts.
    Face,
    /// On a free brick with an edge.
    EdgeOnFree,
    /// On a free brick with a face.
    FaceOnFree,
    /// With an edge or a face on a slab that rests on the ground on its four corners.
    OnResting,
}

impl Landing {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Vertex, Self::Edge, Self::Face, Self::EdgeOnFree, Self::FaceOnFree, Self::OnResting];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Edge => "edge",
            Self::Face => "face",
            Self::EdgeOnFree => "edge on a free brick",
            Self::FaceOnFree => "face on a free brick",
            Self::OnResting => "on a resting slab",
        }
    }

    /// A scene of this kind with elastic contacts (e = 1): sides from 0.3 to 1 m, masses from 0.5 to 4 kg, friction from 0
    /// to 0.8 in steps of 0.05, the same at all contacts; unequal stiffnesses in one of three, spin in one of two.
    pub fn scene(self, rng: &mut Rng) -> Scene {
        let mut bodies = vec![fixed(Place::Space)];
        let mut contacts = Vec::new();
        let half = sides(rng);
        let below = match self {
            Self::Vertex | Self::Edge | Self::Face => 0,
            Self::EdgeOnFree | Self::FaceOnFree => {
                let lower = sides(rng);
                let mut lower_body = body(rng.uniform(0.5, 4.0), lower, &UPRIGHT);
                lower_body.position = vec![0.0, 0.0, -lower[2]];
                lower_body.velocity = (0..3).map(|_| 0.5 * rng.normal()).collect();
                bodies.push(lower_body);
                1
            }
            Self::OnResting => {
                let slab = sides(rng);
                let mut slab_body = body(rng.uniform(0.5, 4.0), slab, &UPRIGHT);
                slab_body.position = vec![0.0, 0.0, -slab[2]];
                for [x, y] in CORNERS {
                    let corner = [x * slab[0], y * slab[1], -2.0 * slab[2]];
                    contacts.push(contact(0, 1, corner, UP));
                }
                bodies.push(slab_body);
                1
            }
        };
        let touches = match self {
            Self::Vertex => Touches::Vertex,
            Self::Edge | Self::EdgeOnFree => Touches::Edge,
            Self::Face | Self::FaceOnFree => Touches::Face,
            Self::OnResting if rng.chance(0.5) => Touches::Edge,
            Self::OnResting => Touches::Face,
        };
        let (brick, landing) = falling(rng, half, touches, below, bodies.len());
        bodies.push(brick);
        contacts.extend(landing);
        cover(rng, &mut contacts);
        Scene { place: Place::Space, bodies, joints: vec![], contacts }
    }
}

const UP: Vec3 = [0.0, 0.0, 1.0];
const CORNERS: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

enum Touches {
    Vertex,
    Edge,
    Face,
}

/// Halves of three sides \[m\].
fn sides(rng: &mut Rng) -> Vec3 {
    std::array::from_fn(|_| 0.5 * rng.uniform(0.3, 1.0))
}

/// A brick that falls on the plane z = 0 of body `below`, and its contacts there.
fn falling(
    rng: &mut Rng,
    half: Vec3,
    touches: Touches,
    below: usize,
    own: usize,
) -> (Body, Vec<BodyContact>) {
    let about = turned(2, rng.uniform(0.0, std::f64::consts::TAU));
    let rotation = match touches {
        Touches::Vertex => rng.rotation(),
        Touches::Edge => product(about, turned(0, rng.uniform(0.2, 1.3))),
        Touches::Face => about,
    };
    let corner = |x: f64, y: f64| apply(&rotation, [x * half[0], y * half[1], -half[2]]);
    let arms = match touches {
        Touches::Vertex => vec![lowest_vertex(half, &rotation)],
        // Tilted about its own x by less than 90°, the edge at (−y, −z) is lowest.
        Touches::Edge => vec![corner(-1.0, -1.0), corner(1.0, -1.0)],
        Touches::Face => CORNERS.map(|[x, y]| corner(x, y)).to_vec(),
    };
    let mut brick = body(rng.uniform(0.5, 4.0), half, &rotation);
    brick.position = vec![0.0, 0.0, -arms[0][2]];
    brick.velocity = vec![2.0 * rng.normal(), 2.0 * rng.normal(), -rng.uniform(1.0, 5.0)];
    if rng.chance(0.5) {
        brick.angular_velocity = (0..3).map(|_| rng.normal()).collect();
    }
    let at = array(&brick.position);
    let contacts = arms
        .iter()
        .map(|arm| {
            let [x, y, _] = add(at, *arm);
            contact(below, own, [x, y, 0.0], UP)
        })
        .collect();
    (brick, contacts)
}

fn cover(rng: &mut Rng, contacts: &mut [BodyContact]) {
    let mu = 0.05 * rng.index(17) as f64;
    let unequal = rng.chance(1.0 / 3.0);
    for contact in contacts {
        let stiffness = if unequal { rng.log_uniform(0.3, 3.0) } else { 1.0 };
        contact.spec.material = Material { stiffness, ..super::material(mu, 1.0, 0.0) };
    }
}
