//! Rigid bodies with several contacts, and their Jacobian written from the equations.

use super::{dot, spec};
use crate::{Mechanism, Rng};
use carom::ContactSpec;
use carom::system::{Bodies, Body, BodyContact, Inertia, Joint, JointKind, Motion, Orientation};

pub(in crate::generate) type Vec3 = [f64; 3];

/// Where bodies live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Two coordinates and an angle.
    Plane,
    /// Three coordinates and three angles.
    Space,
}

/// Bodies, joints and contacts as carom takes them.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Where they live.
    pub place: Place,
    /// The first one is fixed, and may move as prescribed.
    pub bodies: Vec<Body>,
    /// Ball joints.
    pub joints: Vec<Joint>,
    /// The contacts, in order.
    pub contacts: Vec<BodyContact>,
}

impl Scene {
    /// Up to three free bodies above a fixed one, two to five contacts of one to three rows, at times a joint.
    pub fn random(rng: &mut Rng, place: Place) -> Self {
        let count = 1 + rng.index(3) as usize;
        let mut bodies = vec![fixed(place)];
        if rng.chance(0.3) {
            bodies[0].velocity = point(rng, place);
        }
        bodies.extend((0..count).map(|_| free(rng, place)));
        let mut scene = Self { place, bodies, joints: Vec::new(), contacts: Vec::new() };
        if count > 1 && rng.chance(0.4) {
            scene.join(rng);
        }
        while scene.contacts.len() < 2 + rng.index(4) as usize {
            let b = 1 + rng.index(count as u64) as usize;
            let a = rng.index(b as u64) as usize;
            // Jointed bodies move as one: what is between them could separate by rounding alone.
            if !scene.joints.iter().any(|joint| joint.a == a && joint.b == b) {
                scene.touch(rng, a, b);
            }
        }
        scene
    }

    /// The second free body hangs on the first and moves with it.
    fn join(&mut self, rng: &mut Rng) {
        let point = point(rng, self.place);
        let (first, second) = (&self.bodies[1], &self.bodies[2]);
        let (spin, arm) = (spin(first), difference(&second.position, &first.position));
        let velocity = add(padded(&first.velocity), cross(spin, arm));
        self.bodies[2].angular_velocity = self.bodies[1].angular_velocity.clone();
        self.bodies[2].velocity = velocity[..self.size()].to_vec();
        self.joints.push(Joint { kind: JointKind::Ball, a: 1, b: 2, point, axis: None });
    }

    /// A contact between two bodies, its normal such that it does not separate.
    fn touch(&mut self, rng: &mut Rng, a: usize, b: usize) {
        let rows = 1 + rng.index(self.size() as u64) as usize;
        let point = point(rng, self.place);
        let mut contact = BodyContact {
            a,
            b,
            point,
            normal: unit(rng, self.place),
            tangent: None,
            spec: spec(rng, rows),
        };
        let speed = |contact: &BodyContact, body: usize| {
            let body = &self.bodies[body];
            let arm = difference(&contact.point, &body.position);
            dot(&padded(&contact.normal), &add(padded(&body.velocity), cross(spin(body), arm)))
        };
        if speed(&contact, b) - speed(&contact, a) > 0.0 {
            contact.normal.iter_mut().for_each(|x| *x = -*x);
        }
        self.contacts.push(contact);
    }

    /// The contacts with other surfaces.
    pub fn take_specs(&mut self, specs: &[ContactSpec]) {
        for (contact, spec) in self.contacts.iter_mut().zip(specs) {
            contact.spec = *spec;
        }
    }

    /// The bodies with other velocities, those of the coordinates of [`Scene::mechanism`].
    pub fn take_velocities(&mut self, velocity: &[f64]) {
        let d = self.size();
        let each = velocity.len() / (self.bodies.len() - 1).max(1);
        for (body, own) in self.bodies[1..].iter_mut().zip(velocity.chunks(each)) {
            body.velocity = own[..d].to_vec();
            body.angular_velocity = own[d..].to_vec();
        }
    }

    /// The scene as carom takes it. Panics with carom's own words if it refuses.
    pub fn bodies(&self) -> Bodies {
        Bodies::new(self.bodies.clone(), self.joints.clone(), self.contacts.clone())
            .unwrap_or_else(|error| panic!("not a valid scene: {error}; {self:?}"))
    }

    fn size(&self) -> usize {
        if self.place == Place::Plane { 2 } else { 3 }
    }

    /// The same in generalized coordinates: velocity and angular velocity of each free body, in the world frame.
    pub fn mechanism(&self) -> Mechanism {
        let (d, turns) = (self.size(), if self.place == Place::Plane { 1 } else { 3 });
        let each = d + turns;
        let f = each * (self.bodies.len() - 1);
        let mut mass = vec![0.0; f * f];
        for (k, body) in self.bodies[1..].iter().enumerate() {
            let Motion::Free { mass: m, inertia } = body.motion else { continue };
            for i in 0..each {
                for j in 0..each {
                    mass[(k * each + i) * f + k * each + j] = match (i < d, j < d) {
                        (true, true) if i == j => m,
                        (false, false) => moment(&inertia, i - d, j - d),
                        _ => 0.0,
                    };
                }
            }
        }
        let velocity = self.bodies[1..]
            .iter()
            .flat_map(|body| [&body.velocity[..], &body.angular_velocity].concat())
            .collect();
        // The velocity of B's point along a direction, less that of A's; what A's prescribed motion adds to it.
        let row = |a: usize, b: usize, point: &[f64], along: Vec3| {
            let mut row = vec![0.0; f];
            let mut drive = 0.0;
            for (body, sign) in [(a, -1.0), (b, 1.0)] {
                let arm = difference(point, &self.bodies[body].position);
                let about = cross(arm, along);
                if body == 0 {
                    drive += sign * dot(&along, &padded(&self.bodies[0].velocity));
                    continue;
                }
                let first = (body - 1) * each;
                for i in 0..d {
                    row[first + i] = sign * along[i];
                }
                for i in 0..turns {
                    row[first + d + i] = sign * if turns == 1 { about[2] } else { about[i] };
                }
            }
            (row, drive)
        };
        let (jacobian, drive) = self
            .contacts
            .iter()
            .flat_map(|c| {
                let frame = self.frame(&c.normal);
                (0..c.spec.rows).map(move |i| row(c.a, c.b, &c.point, frame[i]))
            })
            .unzip();
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let bilateral = self
            .joints
            .iter()
            .flat_map(|j| axes[..d].iter().map(move |axis| row(j.a, j.b, &j.point, *axis).0))
            .collect();
        let contacts = self.contacts.iter().map(|c| c.spec).collect();
        Mechanism { mass, velocity, jacobian, contacts, bilateral, drive }
    }

    /// (n, t1, t2) as the conventions define it; in the plane t is n turned by +90°.
    fn frame(&self, normal: &[f64]) -> [Vec3; 3] {
        let length = dot(normal, normal).sqrt();
        let n = padded(normal).map(|x| x / length);
        if self.place == Place::Plane {
            return [n, [-n[1], n[0], 0.0], [0.0; 3]];
        }
        let least = (0..3).fold(0, |m, i| if n[i].abs() < n[m].abs() { i } else { m });
        let t: Vec3 = std::array::from_fn(|i| f64::from(u8::from(i == least)) - n[least] * n[i]);
        let length = dot(&t, &t).sqrt();
        let t = t.map(|x| x / length);
        [n, t, cross(n, t)]
    }
}

fn moment(inertia: &Inertia, i: usize, j: usize) -> f64 {
    match inertia {
        Inertia::Planar(moment) => *moment,
        Inertia::Tensor(rows) => rows[i][j],
        Inertia::Principal(moments) if i == j => moments[i],
        _ => 0.0,
    }
}

pub(in crate::generate) fn fixed(place: Place) -> Body {
    Body {
        name: "ground".into(),
        motion: Motion::Fixed,
        position: vec![0.0; if place == Place::Plane { 2 } else { 3 }],
        orientation: Orientation::Identity,
        velocity: vec![],
        angular_velocity: vec![],
    }
}

fn free(rng: &mut Rng, place: Place) -> Body {
    let mass = rng.log_uniform(0.1, 10.0);
    let still = rng.chance(0.2);
    let mut motion = |size: usize| -> Vec<f64> {
        (0..size).map(|_| if still { 0.0 } else { rng.normal() }).collect()
    };
    let (velocity, angular_velocity, inertia) = match place {
        Place::Plane => (motion(2), motion(1), Inertia::Planar(mass * rng.uniform(0.1, 1.0))),
        Place::Space => {
            let (velocity, spin) = (motion(3), motion(3));
            // Mass spread along three axes at right angles: moments that some body has.
            let spread: Vec3 = std::array::from_fn(|_| mass * rng.uniform(0.1, 1.0));
            let moments = [spread[1] + spread[2], spread[0] + spread[2], spread[0] + spread[1]];
            let axes = rng.rotation();
            let entry =
                |i: usize, j: usize| (0..3).map(|m| moments[m] * axes[m][i] * axes[m][j]).sum();
            let tensor = crate::transform::symmetric(entry);
            (velocity, spin, Inertia::Tensor(tensor))
        }
    };
    Body {
        name: "body".into(),
        motion: Motion::Free { mass, inertia },
        position: point(rng, place),
        velocity,
        angular_velocity,
        ..fixed(place)
    }
}

fn point(rng: &mut Rng, place: Place) -> Vec<f64> {
    (0..if place == Place::Plane { 2 } else { 3 }).map(|_| rng.uniform(-1.0, 1.0)).collect()
}

/// A direction, often along an axis.
fn unit(rng: &mut Rng, place: Place) -> Vec<f64> {
    let mut normal: Vec<f64> = point(rng, place).iter().map(|_| rng.normal()).collect();
    if rng.chance(0.5) {
        let axis = rng.index(normal.len() as u64) as usize;
        normal.fill(0.0);
        normal[axis] = 1.0;
    }
    normal
}

fn padded(v: &[f64]) -> Vec3 {
    std::array::from_fn(|i| v.get(i).copied().unwrap_or(0.0))
}

fn spin(body: &Body) -> Vec3 {
    match body.angular_velocity[..] {
        [turn] => [0.0, 0.0, turn],
        _ => padded(&body.angular_velocity),
    }
}

pub(in crate::generate) fn difference(a: &[f64], b: &[f64]) -> Vec3 {
    let (a, b) = (padded(a), padded(b));
    std::array::from_fn(|i| a[i] - b[i])
}

pub(in crate::generate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|i| a[i] + b[i])
}

pub(in crate::generate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
