//! Vectors, turns and poses, as arrays of numbers.

use libm::{cos, sin, sqrt};

pub type Vector = [f64; 3];
/// `[w, x, y, z]`, of length one.
pub type Quaternion = [f64; 4];
pub type Matrix = [[f64; 3]; 3];

pub const ORIGIN: Vector = [0.0; 3];
pub const IDENTITY: Quaternion = [1.0, 0.0, 0.0, 0.0];

pub fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn scaled(a: Vector, s: f64) -> Vector {
    a.map(|x| x * s)
}

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn length(a: Vector) -> f64 {
    sqrt(dot(a, a))
}

/// The same direction with length one; `None` where there is none.
pub fn unit(a: Vector) -> Option<Vector> {
    // By the largest first: squares of tiny numbers are zero.
    let largest = a.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let a = scaled(a, 1.0 / largest);
    let a = scaled(a, 1.0 / length(a));
    a.iter().all(|x| x.is_finite()).then_some(a)
}

/// The same turn with length one; `None` of zero.
pub fn unit_quaternion(q: Quaternion) -> Option<Quaternion> {
    let largest = q.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let q = q.map(|x| x / largest);
    let size = sqrt(q.iter().map(|x| x * x).sum());
    Some(q.map(|x| x / size))
}

/// First `q`, then `p`.
pub fn product(p: Quaternion, q: Quaternion) -> Quaternion {
    let [a, b, c, d] = p;
    let [w, x, y, z] = q;
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

pub fn inverse([w, x, y, z]: Quaternion) -> Quaternion {
    [w, -x, -y, -z]
}

pub fn rotate(q: Quaternion, v: Vector) -> Vector {
    let m = matrix(q);
    [dot(m[0], v), dot(m[1], v), dot(m[2], v)]
}

/// Row by row.
pub fn matrix([w, x, y, z]: Quaternion) -> Matrix {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The turn of a rotation matrix.
pub fn of_matrix(m: Matrix) -> Quaternion {
    // The largest component first: its square is at least 1/4.
    let squares = [
        1.0 + m[0][0] + m[1][1] + m[2][2],
        1.0 + m[0][0] - m[1][1] - m[2][2],
        1.0 - m[0][0] + m[1][1] - m[2][2],
        1.0 - m[0][0] - m[1][1] + m[2][2],
    ];
    let largest = (0..4).fold(0, |best, i| if squares[i] > squares[best] { i } else { best });
    let s = 2.0 * sqrt(squares[largest]);
    let [a, b, c] = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]].map(|x| x / s);
    let [xy, xz, yz] = [m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]].map(|sum| sum / s);
    let q = match largest {
        0 => [0.25 * s, a, b, c],
        1 => [a, 0.25 * s, xy, xz],
        2 => [b, xy, 0.25 * s, yz],
        _ => [c, xz, yz, 0.25 * s],
    };
    unit_quaternion(q).unwrap_or(IDENTITY)
}

/// About an axis of length one, by an angle \[rad\].
pub fn about(axis: Vector, angle: f64) -> Quaternion {
    let (s, c) = (sin(0.5 * angle), cos(0.5 * angle));
    [c, axis[0] * s, axis[1] * s, axis[2] * s]
}

/// The shortest turn that takes the third axis to a direction of length one.
pub fn from_third_axis(to: Vector) -> Quaternion {
    let third = [0.0, 0.0, 1.0];
    if to[2] < -1.0 + 1e-12 {
        return [0.0, 1.0, 0.0, 0.0];
    }
    let [x, y, z] = cross(third, to);
    unit_quaternion([1.0 + to[2], x, y, z]).unwrap_or(IDENTITY)
}

/// Roll, pitch and yaw about fixed axes, as URDF has them \[rad\].
pub fn of_roll_pitch_yaw([roll, pitch, yaw]: Vector) -> Quaternion {
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    product(about(z, yaw), product(about(y, pitch), about(x, roll)))
}

/// `R T Rᵀ`: a tensor in another frame.
pub fn turned(q: Quaternion, tensor: Matrix) -> Matrix {
    let r = matrix(q);
    let mut half = [[0.0; 3]; 3];
    for (i, row) in half.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry = (0..3).map(|k| r[i][k] * tensor[k][j]).sum();
        }
    }
    let mut full = [[0.0; 3]; 3];
    for (i, row) in full.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry = (0..3).map(|k| half[i][k] * r[j][k]).sum();
        }
    }
    // Symmetric to the last bit.
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let mean = 0.5 * (full[i][j] + full[j][i]);
        (full[i][j], full[j][i]) = (mean, mean);
    }
    full
}

/// A frame in another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// \[m\]
    pub place: Vector,
    pub turn: Quaternion,
}

impl Pose {
    pub const IDENTITY: Self = Self { place: ORIGIN, turn: IDENTITY };

    /// A frame of this frame, in the frame that this one is in.
    pub fn then(self, inner: Self) -> Self {
        let turn = unit_quaternion(product(self.turn, inner.turn)).unwrap_or(IDENTITY);
        Self { place: self.point(inner.place), turn }
    }

    /// A point of this frame.
    pub fn point(self, p: Vector) -> Vector {
        add(self.place, rotate(self.turn, p))
    }

    /// The outer frame in this one.
    pub fn inverted(self) -> Self {
        let turn = inverse(self.turn);
        Self { place: scaled(rotate(turn, self.place), -1.0), turn }
    }
}
