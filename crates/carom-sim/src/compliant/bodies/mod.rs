//! Rigid bodies through a collision: exact rotations, gyroscopic moments, joints.
//!
//! A contact is a sphere of body B, or one of its points, on a plane of body A. The plane and its tangents turn with A, the
//! sphere's centre moves with B. All positions are kept as changes since the start, so that penetrations of a
//! nanometre keep their digits beside metres.

mod joint;
mod link;

use super::mechanism::{ContactGeometry, JointGeometry, MassShape, Mechanism, Size};
use carom::system::{Bodies, BodyVelocity};
use joint::JointConstraint;
use link::{Link, Pose};
use nalgebra::Vector3;

/// Rigid bodies, joints and contacts, placed by [`carom::system::Bodies`].
#[derive(Clone, Debug)]
pub struct RigidBodies {
    planar: bool,
    links: Vec<Link>,
    contacts: Vec<SphereOnPlane>,
    joints: Vec<JointConstraint>,
    gravity: Vector3<f64>,
    coordinates: usize,
    velocities: usize,
}

/// A sphere of body B on a plane of body A.
#[derive(Clone, Debug)]
struct SphereOnPlane {
    a: usize,
    b: usize,
    /// Unit directions at the start, normal first.
    frame: Vec<Vector3<f64>>,
    /// From A's centre of mass to a point of the plane, at the start.
    plane: Vector3<f64>,
    /// From B's centre of mass to the sphere's centre, at the start.
    centre: Vector3<f64>,
    radius: f64,
    gap: f64,
}

/// A contact in one configuration.
struct ContactPoint {
    gap: f64,
    frame: [Vector3<f64>; 3],
    /// From the centres of mass of A and B to where they touch.
    arms: [Vector3<f64>; 2],
}

impl RigidBodies {
    /// Bodies whose contacts are spheres of one radius, 0 for points \[m\]. A contact's `point` lies on B; the plane of A
    /// is its `gap` away.
    pub fn new(bodies: &Bodies, radius: f64) -> Self {
        let planar = bodies.is_planar();
        let (mut coordinates, mut velocities) = (0, 0);
        let links: Vec<Link> = bodies
            .placed_bodies()
            .map(|body| {
                let link = Link::new(&body, planar, coordinates, velocities);
                coordinates += link.coordinates();
                velocities += link.velocities();
                link
            })
            .collect();
        let contacts = bodies.placed_contacts().iter().map(|contact| {
            let (point, gap) = (Vector3::from(contact.point), contact.spec.gap);
            let frame: Vec<Vector3<f64>> =
                contact.frame.iter().map(|direction| Vector3::from(*direction)).collect();
            let normal = frame[0];
            SphereOnPlane {
                a: contact.a,
                b: contact.b,
                plane: point - normal * gap - links[contact.a].position,
                centre: point + normal * radius - links[contact.b].position,
                frame,
                radius,
                gap,
            }
        });
        let contacts = contacts.collect();
        let joints = bodies
            .placed_joints()
            .iter()
            .map(|joint| JointConstraint::new(joint, &links))
            .collect();
        let gravity = Vector3::zeros();
        Self { planar, links, contacts, joints, gravity, coordinates, velocities }
    }

    /// The same bodies under gravity, in the world frame; z is not read in the plane [m/s²].
    pub fn with_gravity(mut self, gravity: [f64; 3]) -> Self {
        self.gravity = gravity.into();
        if self.planar {
            self.gravity.z = 0.0;
        }
        self
    }

    /// What velocities `v` mean for each body, in configuration `q`.
    pub fn body_velocities(&self, q: &[f64], v: &[f64]) -> Vec<BodyVelocity> {
        let poses = self.poses(q, v);
        let shown = |pose: &Pose| match self.planar {
            true => BodyVelocity {
                velocity: vec![pose.velocity.x, pose.velocity.y],
                angular_velocity: vec![pose.spin.z],
            },
            false => BodyVelocity {
                velocity: pose.velocity.as_slice().to_vec(),
                angular_velocity: pose.spin.as_slice().to_vec(),
            },
        };
        poses.iter().map(shown).collect()
    }

    fn poses(&self, q: &[f64], v: &[f64]) -> Vec<Pose> {
        self.links.iter().map(|link| link.pose(q, v)).collect()
    }

    /// Poses without velocities.
    fn places(&self, q: &[f64]) -> Vec<Pose> {
        self.links.iter().map(|link| link.place(q)).collect()
    }
}

impl SphereOnPlane {
    fn at(&self, a: &Pose, b: &Pose) -> ContactPoint {
        let normal = self.frame[0];
        let tilt = a.turn * normal;
        let now = normal + tilt;
        // From the plane's point to the sphere's centre; (radius + gap) n at the start.
        let moved = b.shift + b.turn * self.centre - a.shift - a.turn * self.plane;
        let reach = normal * (self.radius + self.gap) + moved;
        // n·s − n₀·s₀ without the difference of two lengths.
        let gap = self.gap + tilt.dot(&reach) + normal.dot(&moved);
        let down = now * (self.radius + gap);
        let mut frame = [now, Vector3::zeros(), Vector3::zeros()];
        for (turned, tangent) in frame.iter_mut().zip(&self.frame).skip(1) {
            *turned = a.carried(tangent);
        }
        let arms = [a.carried(&self.plane) + reach - down, b.carried(&self.centre) - down];
        ContactPoint { gap, frame, arms }
    }
}

impl Mechanism for RigidBodies {
    fn size(&self) -> Size {
        Size {
            coordinates: self.coordinates,
            velocities: self.velocities,
            contacts: self.contacts.iter().map(|contact| contact.frame.len()).collect(),
            joints: self.joints.iter().map(JointConstraint::rows).sum(),
        }
    }

    fn mass_shape(&self) -> MassShape {
        MassShape::Diagonal
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (vec![0.0; self.coordinates], vec![0.0; self.velocities]);
        for link in &self.links {
            link.start(&mut q, &mut v);
        }
        (q, v)
    }

    fn rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]) {
        for link in &self.links {
            link.rates(&link.pose(q, v), q, rates);
        }
    }

    fn mass(&self, _q: &[f64], mass: &mut [f64]) {
        for link in &self.links {
            link.mass(mass);
        }
    }

    fn force(&self, q: &[f64], v: &[f64], force: &mut [f64]) {
        for link in &self.links {
            link.force(&link.pose(q, v), v, &self.gravity, force);
        }
    }

    fn contacts(&self, q: &[f64], geometry: &mut ContactGeometry) {
        let poses = self.places(q);
        geometry.jacobian.fill(0.0);
        geometry.drive.fill(0.0);
        let mut row = 0;
        for (k, contact) in self.contacts.iter().enumerate() {
            let point = contact.at(&poses[contact.a], &poses[contact.b]);
            geometry.gap[k] = point.gap;
            for direction in &point.frame[..contact.frame.len()] {
                let entries = &mut geometry.jacobian[row * self.velocities..][..self.velocities];
                for (body, sign, arm) in
                    [(contact.a, -1.0, &point.arms[0]), (contact.b, 1.0, &point.arms[1])]
                {
                    let (along, about) = (direction * sign, arm.cross(direction) * sign);
                    let drive = self.links[body].add_row(&poses[body], &along, &about, entries);
                    geometry.drive[row] += drive;
                }
                row += 1;
            }
        }
    }

    fn gap_slope(&self, q: &[f64], slope: &mut [f64]) {
        let poses = self.places(q);
        slope.fill(0.0);
        for (k, contact) in self.contacts.iter().enumerate() {
            let point = contact.at(&poses[contact.a], &poses[contact.b]);
            let normal = point.frame[0];
            let row = &mut slope[k * self.coordinates..][..self.coordinates];
            for (body, sign, arm) in
                [(contact.a, -1.0, &point.arms[0]), (contact.b, 1.0, &point.arms[1])]
            {
                let (along, about) = (normal * sign, arm.cross(&normal) * sign);
                self.links[body].add_slope(q, &along, &about, row);
            }
        }
    }

    fn joints(&self, q: &[f64], v: &[f64], geometry: &mut JointGeometry) {
        if self.joints.is_empty() {
            return;
        }
        let poses = self.poses(q, v);
        geometry.rows.fill(0.0);
        let mut first = 0;
        for joint in &self.joints {
            joint.write(&self.links, &poses, first, self.velocities, geometry);
            first += joint.rows();
        }
    }

    fn potential(&self, q: &[f64]) -> f64 {
        let heights = self.links.iter().map(|link| (link, link.place(q)));
        -heights
            .map(|(link, pose)| link.mass_or_zero() * self.gravity.dot(&pose.shift))
            .sum::<f64>()
    }

    fn rate_scale(&self, v: &[f64], scale: &mut [f64]) {
        let (mut straight, mut turning): (f64, f64) = (0.0, 0.0);
        for link in &self.links {
            let [own_straight, own_turning] = link.speeds(v);
            straight = straight.max(own_straight);
            turning = turning.max(own_turning);
        }
        for link in &self.links {
            link.scale(straight, turning, scale);
        }
    }
}
