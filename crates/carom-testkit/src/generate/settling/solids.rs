//! Bodies with shapes, where they touch, and how they move.

use super::SettlingKind;
use crate::Rng;
use crate::generate::several::bodies::{Vec3, add, cross, difference, fixed};
use crate::generate::several::{Place, Scene};
use carom::ContactSpec;
use carom::system::{Body, BodyContact, Inertia, Joint, JointKind, Motion};

/// Points nearer than this count as touching, as engines count them \[m\].
const NEAR: f64 = 1e-3;
const GRAVITY: f64 = 9.81;

/// One body. Its frame stands in its centre of mass, along its principal axes.
#[derive(Clone, Debug)]
struct Solid {
    mass: f64,
    /// Principal moments of inertia [kg·m²].
    moments: Vec3,
    /// Points that may touch others, in the body's frame \[m\].
    points: Vec<Vec3>,
    /// Half of the edges, if it is a box that points of others may touch \[m\].
    half: Option<Vec3>,
    position: Vec3,
    /// The body's axes in the world.
    axes: [Vec3; 3],
    velocity: Vec3,
    spin: Vec3,
}

/// Bodies above the ground, and ball joints between them.
#[derive(Clone, Debug)]
pub(super) struct Solids {
    bodies: Vec<Solid>,
    /// Two bodies and the joint in the frame of the first.
    joints: Vec<(usize, usize, Vec3)>,
}

impl Solids {
    /// Bodies just above the ground, at times tilted, turning and drifting.
    pub(super) fn of(kind: SettlingKind, rng: &mut Rng) -> Self {
        let mut solids = Self { bodies: Vec::new(), joints: Vec::new() };
        match kind {
            SettlingKind::Box => solids.drop_one(rng, |rng| Solid::cuboid(about(rng, [0.1; 3]))),
            SettlingKind::Plate => {
                solids.drop_one(rng, |rng| Solid::cuboid(about(rng, [0.3, 0.2, 0.01])))
            }
            SettlingKind::Table => solids.drop_one(rng, Solid::table),
            SettlingKind::Rod => solids.drop_one(rng, |rng| Solid::rod(rng, 0.3)),
            SettlingKind::Stack => {
                let mut top = rng.uniform(0.0, 0.02);
                for _ in 0..2 + rng.index(3) {
                    let shift = [rng.uniform(-0.03, 0.03), rng.uniform(-0.03, 0.03)];
                    let half = about(rng, [0.1, 0.1, 0.06]);
                    top = solids.put_box(rng, half, shift, top) + rng.uniform(0.0, 0.01);
                }
            }
            SettlingKind::Wall => {
                let below = rng.uniform(0.0, 0.01);
                let half = about(rng, [0.1, 0.08, 0.05]);
                solids.put_box(rng, half, [-half[0] - 0.01, 0.0], below);
                let top = solids.put_box(rng, half, [half[0] + 0.01, 0.0], below);
                solids.put_box(rng, half, [0.0, 0.0], top + 0.002);
            }
            SettlingKind::Chain => {
                let height = rng.uniform(0.01, 0.1);
                let half = 0.15;
                for k in 0..2 + rng.index(3) as usize {
                    let mut rod = Solid::rod(rng, half);
                    rod.position = [2.0 * half * k as f64, 0.0, height];
                    solids.bodies.push(rod);
                    if k > 0 {
                        solids.joints.push((k - 1, k, [half, 0.0, 0.0]));
                    }
                }
            }
        }
        let (drift, turn) = (rng.chance(0.5), rng.chance(0.3) && solids.bodies.len() == 1);
        let push = [rng.normal(), rng.normal(), 0.0].map(|x| if drift { 0.3 * x } else { 0.0 });
        let spin = [rng.normal(), rng.normal(), rng.normal()].map(|x| if turn { x } else { 0.0 });
        for body in &mut solids.bodies {
            body.velocity = push;
            body.spin = spin;
        }
        solids
    }

    /// One body, flat or tilted, its lowest point just above the ground.
    fn drop_one(&mut self, rng: &mut Rng, make: impl Fn(&mut Rng) -> Solid) {
        let mut body = make(rng);
        match rng.index(3) {
            0 => {}
            1 => body.turn([0.1 * rng.normal(), 0.1 * rng.normal(), rng.normal()]),
            _ => body.axes = rng.rotation(),
        }
        let lowest = body.placed_points().map(|p| p[2]).fold(f64::INFINITY, f64::min);
        body.position[2] += rng.uniform(0.0, 0.1) - lowest;
        self.bodies.push(body);
    }

    /// A box at this height, often turned a little; the height of its top.
    fn put_box(&mut self, rng: &mut Rng, half: Vec3, place: [f64; 2], height: f64) -> f64 {
        let mut body = Solid::cuboid(half);
        if rng.chance(0.5) {
            body.turn([0.0, 0.0, 0.02 * rng.normal()]);
        }
        body.position = [place[0], place[1], height + half[2]];
        self.bodies.push(body);
        height + 2.0 * half[2]
    }

    /// The bodies after a step of free fall, with the contacts that they have now and how deep each has sunk in \[m\].
    pub(super) fn falling(&mut self, step: f64, spec: ContactSpec) -> (Scene, Vec<f64>) {
        for body in &mut self.bodies {
            body.velocity[2] -= GRAVITY * step;
        }
        let mut bodies = vec![fixed(Place::Space)];
        bodies.extend(self.bodies.iter().map(Solid::as_body));
        let joint = |(a, b, point): &(usize, usize, Vec3)| Joint {
            kind: JointKind::Ball,
            a: a + 1,
            b: b + 1,
            point: self.bodies[*a].placed(*point).to_vec(),
            axis: None,
        };
        let joints = self.joints.iter().map(joint).collect();
        let (contacts, depths) = self.contacts(spec).into_iter().unzip();
        (Scene { place: Place::Space, bodies, joints, contacts }, depths)
    }

    /// Points on the ground, and points on faces of other boxes, with their depths.
    fn contacts(&self, spec: ContactSpec) -> Vec<(BodyContact, f64)> {
        let mut contacts = Vec::new();
        let mut touch = |a: usize, b: usize, point: Vec3, (normal, depth): (Vec3, f64)| {
            let (point, normal) = (point.to_vec(), normal.to_vec());
            contacts.push((BodyContact { a, b, point, normal, tangent: None, spec }, depth));
        };
        for (k, body) in self.bodies.iter().enumerate() {
            for point in body.placed_points() {
                if point[2] < NEAR {
                    touch(0, k + 1, point, ([0.0, 0.0, 1.0], -point[2]));
                }
                for (l, other) in self.bodies.iter().enumerate().filter(|(l, _)| *l != k) {
                    if let Some(face) = other.face_under(point) {
                        touch(l + 1, k + 1, point, face);
                    }
                }
            }
        }
        contacts
    }

    /// Moves all bodies with these velocities.
    pub(super) fn advance(&mut self, step: f64, velocity: &[f64]) {
        for (body, v) in self.bodies.iter_mut().zip(velocity.chunks(6)) {
            body.velocity = [v[0], v[1], v[2]];
            body.spin = [v[3], v[4], v[5]];
            body.position = add(body.position, body.velocity.map(|x| x * step));
            body.turn(body.spin.map(|x| x * step));
        }
    }
}

/// Edges about this long \[m\].
fn about(rng: &mut Rng, half: Vec3) -> Vec3 {
    half.map(|x| x * rng.uniform(0.7, 1.3))
}

impl Solid {
    fn cuboid(half: Vec3) -> Self {
        let mass = 1000.0 * 8.0 * half[0] * half[1] * half[2];
        let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
        let vertex = |k: usize| [0, 1, 2].map(|i| sign(k >> i & 1) * half[i]);
        let points = (0..8).map(vertex);
        Self { half: Some(half), ..Self::new(mass, half, points.collect()) }
    }

    /// A body whose mass is that of a box, with these points that may touch.
    fn new(mass: f64, half: Vec3, points: Vec<Vec3>) -> Self {
        let square = |i: usize, j: usize| mass * (half[i] * half[i] + half[j] * half[j]) / 3.0;
        Self {
            mass,
            moments: [square(1, 2), square(0, 2), square(0, 1)],
            points,
            half: None,
            position: [0.0; 3],
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            velocity: [0.0; 3],
            spin: [0.0; 3],
        }
    }

    fn table(rng: &mut Rng) -> Self {
        let (x, y, leg) = (rng.uniform(0.3, 0.6), rng.uniform(0.2, 0.4), rng.uniform(0.2, 0.5));
        let short = if rng.chance(0.5) { rng.uniform(0.0, 0.005) } else { 0.0 };
        let corners = [[x, y], [-x, y], [-x, -y], [x, -y]];
        let mut points: Vec<Vec3> = corners.iter().map(|c| [c[0], c[1], -leg]).collect();
        points[0][2] += short;
        points.extend(corners.iter().map(|c| [c[0], c[1], 0.02]));
        Self::new(rng.uniform(3.0, 15.0), [x, y, 0.02], points)
    }

    fn rod(rng: &mut Rng, half: f64) -> Self {
        let thick = 0.01;
        Self::new(
            rng.uniform(0.2, 1.0),
            [half, thick, thick],
            vec![[-half, 0.0, 0.0], [half, 0.0, 0.0]],
        )
    }

    /// A point of the body's frame in the world.
    fn placed(&self, point: Vec3) -> Vec3 {
        std::array::from_fn(|i| {
            self.position[i] + (0..3).map(|m| self.axes[m][i] * point[m]).sum::<f64>()
        })
    }

    fn placed_points(&self) -> impl Iterator<Item = Vec3> {
        self.points.iter().map(|point| self.placed(*point))
    }

    /// The outward normal of the face that a point rests on, if it is near one or has sunk in, and how deep.
    fn face_under(&self, point: Vec3) -> Option<(Vec3, f64)> {
        let half = self.half?;
        let from = difference(&point, &self.position);
        let inside: Vec3 =
            std::array::from_fn(|m| (0..3).map(|i| self.axes[m][i] * from[i]).sum::<f64>());
        let depth: Vec3 = std::array::from_fn(|m| half[m] - inside[m].abs());
        let face = (0..3).fold(0, |face, m| if depth[m] < depth[face] { m } else { face });
        let within = (0..3).all(|m| depth[m] > if m == face { -NEAR } else { 0.0 });
        within.then(|| (self.axes[face].map(|x| x * inside[face].signum()), depth[face]))
    }

    /// Turns the body about its centre by this vector of rotation \[rad\].
    fn turn(&mut self, by: Vec3) {
        let angle = libm::sqrt(by.iter().map(|x| x * x).sum());
        if angle == 0.0 {
            return;
        }
        let axis = by.map(|x| x / angle);
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        for own in &mut self.axes {
            let along: f64 = axis.iter().zip(&*own).map(|(a, b)| a * b).sum();
            let across = cross(axis, *own);
            *own = std::array::from_fn(|i| {
                cos * own[i] + sin * across[i] + (1.0 - cos) * along * axis[i]
            });
        }
    }

    /// The body as carom takes it, its inertia in the world's axes.
    fn as_body(&self) -> Body {
        let entry = |i: usize, j: usize| {
            (0..3).map(|m| self.moments[m] * self.axes[m][i] * self.axes[m][j]).sum()
        };
        let inertia = Inertia::Tensor(crate::transform::symmetric(entry));
        Body {
            name: "body".into(),
            motion: Motion::Free { mass: self.mass, inertia },
            position: self.position.to_vec(),
            velocity: self.velocity.to_vec(),
            angular_velocity: self.spin.to_vec(),
            ..fixed(Place::Space)
        }
    }
}
