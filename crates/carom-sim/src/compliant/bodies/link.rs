//! One body: its coordinates, its pose, its inertia.

use carom::system::PlacedBody;
use nalgebra::{Matrix3, Vector3};

/// How a body's rotation since the start is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RotationKind {
    /// Not at all: a point, or an obstacle at rest.
    None,
    /// An angle in the plane.
    Angle,
    /// A quaternion in the world frame.
    Quaternion,
}

/// One body.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// At the start.
    pub(super) position: Vector3<f64>,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
    dimension: usize,
    /// Absent: the body is fixed, its velocities are prescribed.
    mass: Option<f64>,
    /// Principal axes at the start that have a moment, and that moment.
    axes: Vec<(Vector3<f64>, f64)>,
    /// The part of the spin about axes without inertia, which stays in the body.
    idle_spin: Vector3<f64>,
    moves: bool,
    rotation_kind: RotationKind,
    first_coordinate: usize,
    first_velocity: usize,
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    /// Of the centre of mass since the start.
    pub(super) shift: Vector3<f64>,
    /// Rotation since the start minus the identity.
    pub(super) turn: Matrix3<f64>,
    pub(super) velocity: Vector3<f64>,
    pub(super) spin: Vector3<f64>,
}

impl Pose {
    /// Where a vector of the body points that pointed along `arm` at the start.
    pub(super) fn carried(&self, arm: &Vector3<f64>) -> Vector3<f64> {
        arm + self.turn * arm
    }
}

impl Link {
    pub(super) fn new(
        body: &PlacedBody,
        planar: bool,
        first_coordinate: usize,
        first_velocity: usize,
    ) -> Self {
        let velocity = Vector3::from(body.velocity);
        let spin = Vector3::from(body.angular_velocity);
        let axes: Vec<(Vector3<f64>, f64)> = body
            .inertia
            .iter()
            .flat_map(|inertia| &inertia.axes)
            .filter(|axis| axis.moment > 0.0)
            .map(|axis| (Vector3::from(axis.direction), axis.moment))
            .collect();
        let held: Vector3<f64> = axes.iter().map(|(axis, _)| axis * axis.dot(&spin)).sum();
        let fixed = body.inertia.is_none();
        let turns = if fixed { spin != Vector3::zeros() } else { !axes.is_empty() };
        let rotation_kind = match (turns, planar) {
            (false, _) => RotationKind::None,
            (true, true) => RotationKind::Angle,
            (true, false) => RotationKind::Quaternion,
        };
        Self {
            position: body.position.into(),
            velocity,
            spin,
            dimension: if planar { 2 } else { 3 },
            mass: body.inertia.as_ref().map(|inertia| inertia.mass),
            idle_spin: spin - held,
            moves: !fixed || velocity != Vector3::zeros() || turns,
            axes,
            rotation_kind,
            first_coordinate,
            first_velocity,
        }
    }

    pub(super) fn coordinates(&self) -> usize {
        let turning = match self.rotation_kind {
            RotationKind::None => 0,
            RotationKind::Angle => 1,
            RotationKind::Quaternion => 4,
        };
        if self.moves { self.dimension + turning } else { 0 }
    }

    pub(super) fn velocities(&self) -> usize {
        if self.mass.is_some() { self.dimension + self.axes.len() } else { 0 }
    }

    pub(super) fn mass_or_zero(&self) -> f64 {
        self.mass.unwrap_or(0.0)
    }

    pub(super) fn start(&self, q: &mut [f64], v: &mut [f64]) {
        if self.rotation_kind == RotationKind::Quaternion {
            q[self.first_coordinate + self.dimension] = 1.0;
        }
        if self.mass.is_some() {
            let v = &mut v[self.first_velocity..];
            v[..self.dimension].copy_from_slice(&self.velocity.as_slice()[..self.dimension]);
            for (v, (axis, _)) in v[self.dimension..].iter_mut().zip(&self.axes) {
                *v = axis.dot(&self.spin);
            }
        }
    }

    /// The quaternion `(w, p)`, of any length: integration wears its length away, and nothing depends on it.
    fn quaternion(&self, q: &[f64]) -> (f64, Vector3<f64>) {
        let q = &q[self.first_coordinate + self.dimension..];
        (q[0], Vector3::new(q[1], q[2], q[3]))
    }

    /// The pose without velocities.
    pub(super) fn place(&self, q: &[f64]) -> Pose {
        let mut pose = Pose {
            shift: Vector3::zeros(),
            turn: Matrix3::zeros(),
            velocity: self.velocity,
            spin: self.spin,
        };
        if !self.moves {
            return pose;
        }
        let own = &q[self.first_coordinate..];
        pose.shift.as_mut_slice()[..self.dimension].copy_from_slice(&own[..self.dimension]);
        match self.rotation_kind {
            RotationKind::None => {}
            RotationKind::Angle => {
                let half = 0.5 * own[self.dimension];
                let (sin, cos) = (libm::sin(half), libm::cos(half));
                // cos θ − 1 = −2 sin²(θ/2), sin θ = 2 sin(θ/2) cos(θ/2)
                let (fall, slip) = (-2.0 * sin * sin, 2.0 * sin * cos);
                pose.turn = Matrix3::new(fall, -slip, 0.0, slip, fall, 0.0, 0.0, 0.0, 0.0);
            }
            RotationKind::Quaternion => {
                let (w, p) = self.quaternion(q);
                let cross = p.cross_matrix();
                let square = w * w + p.norm_squared();
                pose.turn = (cross * w + cross * cross) * (2.0 / square);
            }
        }
        pose
    }

    pub(super) fn pose(&self, q: &[f64], v: &[f64]) -> Pose {
        let mut pose = self.place(q);
        if self.mass.is_some() {
            let v = &v[self.first_velocity..];
            pose.velocity.as_mut_slice()[..self.dimension].copy_from_slice(&v[..self.dimension]);
            let axes = self.axes.iter().zip(&v[self.dimension..]);
            let spin: Vector3<f64> = axes.map(|((axis, _), w)| axis * *w).sum();
            pose.spin = pose.carried(&(spin + self.idle_spin));
        }
        pose
    }

    pub(super) fn rates(&self, pose: &Pose, q: &[f64], rates: &mut [f64]) {
        if !self.moves {
            return;
        }
        let rates = &mut rates[self.first_coordinate..];
        rates[..self.dimension].copy_from_slice(&pose.velocity.as_slice()[..self.dimension]);
        match self.rotation_kind {
            RotationKind::None => {}
            RotationKind::Angle => rates[self.dimension] = pose.spin.z,
            RotationKind::Quaternion => {
                let (w, p) = self.quaternion(q);
                // q̇ = ½ (0, ω) q
                let turning = pose.spin * w + pose.spin.cross(&p);
                rates[self.dimension] = -0.5 * pose.spin.dot(&p);
                for (rate, x) in rates[self.dimension + 1..].iter_mut().zip(turning.iter()) {
                    *rate = 0.5 * x;
                }
            }
        }
    }

    pub(super) fn mass(&self, mass: &mut [f64]) {
        let Some(own) = self.mass else { return };
        let mass = &mut mass[self.first_velocity..];
        mass[..self.dimension].fill(own);
        for (entry, (_, moment)) in mass[self.dimension..].iter_mut().zip(&self.axes) {
            *entry = *moment;
        }
    }

    /// Weight, and the gyroscopic moment `−ω × I ω` about the principal axes.
    pub(super) fn force(&self, pose: &Pose, v: &[f64], gravity: &Vector3<f64>, force: &mut [f64]) {
        let Some(mass) = self.mass else { return };
        let force = &mut force[self.first_velocity..];
        for (f, g) in force[..self.dimension].iter_mut().zip(gravity.iter()) {
            *f = mass * g;
        }
        let spins = &v[self.first_velocity + self.dimension..];
        let momentum: Vector3<f64> =
            self.axes.iter().zip(spins).map(|((axis, moment), w)| axis * (moment * w)).sum();
        let gyroscopic = -pose.spin.cross(&pose.carried(&momentum));
        for (f, (axis, _)) in force[self.dimension..].iter_mut().zip(&self.axes) {
            *f = pose.carried(axis).dot(&gyroscopic);
        }
    }

    /// Adds a force `along` and a moment `about` of one row; answers what the row measures of prescribed motion.
    pub(super) fn add_row(
        &self,
        pose: &Pose,
        along: &Vector3<f64>,
        about: &Vector3<f64>,
        row: &mut [f64],
    ) -> f64 {
        if self.mass.is_none() {
            return along.dot(&pose.velocity) + about.dot(&pose.spin);
        }
        let row = &mut row[self.first_velocity..];
        for (entry, x) in row[..self.dimension].iter_mut().zip(along.iter()) {
            *entry += x;
        }
        for (entry, (axis, _)) in row[self.dimension..].iter_mut().zip(&self.axes) {
            *entry += pose.carried(axis).dot(about);
        }
        0.0
    }

    /// Adds the derivative by this body's coordinates of something that moves with `along` and turns with `about`.
    pub(super) fn add_slope(
        &self,
        q: &[f64],
        along: &Vector3<f64>,
        about: &Vector3<f64>,
        slope: &mut [f64],
    ) {
        if !self.moves {
            return;
        }
        let slope = &mut slope[self.first_coordinate..];
        for (entry, x) in slope[..self.dimension].iter_mut().zip(along.iter()) {
            *entry += x;
        }
        match self.rotation_kind {
            RotationKind::None => {}
            RotationKind::Angle => slope[self.dimension] += about.z,
            RotationKind::Quaternion => {
                // A change (a, b) of a quaternion (w, p) turns by 2(w b − a p + p × b)/(w² + p²).
                let (w, p) = self.quaternion(q);
                let factor = 2.0 / (w * w + p.norm_squared());
                let turning = about * w + about.cross(&p);
                slope[self.dimension] -= factor * about.dot(&p);
                for (entry, x) in slope[self.dimension + 1..].iter_mut().zip(turning.iter()) {
                    *entry += factor * x;
                }
            }
        }
    }

    /// The fastest translation and the fastest turn in velocities of the size `v`.
    pub(super) fn speeds(&self, v: &[f64]) -> [f64; 2] {
        let largest = |values: &[f64]| values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        if self.mass.is_none() {
            return [self.velocity.amax(), self.spin.amax()];
        }
        let (straight, turning) =
            v[self.first_velocity..][..self.velocities()].split_at(self.dimension);
        [largest(straight), largest(turning)]
    }

    pub(super) fn scale(&self, straight: f64, turning: f64, scale: &mut [f64]) {
        let own = &mut scale[self.first_coordinate..][..self.coordinates()];
        for (i, scale) in own.iter_mut().enumerate() {
            *scale = if i < self.dimension { straight } else { turning };
        }
    }
}
