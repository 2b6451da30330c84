//! Vectors, rotations and what is computed of them. In the plane the third component is zero and rotations are about it.

use nalgebra::{Matrix3, Vector3};

pub(crate) type V3 = Vector3<f64>;
pub(crate) type M3 = Matrix3<f64>;

/// Where a body is: its centre of mass \[m\], and the rotation from its frame to the world's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    pub(crate) centre: V3,
    pub(crate) rotation: M3,
}

impl Pose {
    /// A point of the body, given in its frame, in the world's \[m\].
    pub(crate) fn point(&self, local: &V3) -> V3 {
        self.centre + self.rotation * local
    }
}

/// How a body moves: velocity of its centre of mass [m/s] and angular velocity [rad/s], in the world's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Twist {
    pub(crate) velocity: V3,
    pub(crate) spin: V3,
}

impl Twist {
    pub(crate) const REST: Self =
        Self { velocity: V3::new(0.0, 0.0, 0.0), spin: V3::new(0.0, 0.0, 0.0) };

    /// The velocity of a material point, `rho` from the centre of mass [m/s].
    pub(crate) fn at(&self, rho: &V3) -> V3 {
        self.velocity + self.spin.cross(rho)
    }
}

/// The rotation of a unit quaternion `[w, x, y, z]`; another length is divided out.
pub(crate) fn rotation([w, x, y, z]: [f64; 4]) -> M3 {
    let s = 2.0 / (w * w + x * x + y * y + z * z);
    let (xx, yy, zz) = (s * x * x, s * y * y, s * z * z);
    let (xy, xz, yz) = (s * x * y, s * x * z, s * y * z);
    let (wx, wy, wz) = (s * w * x, s * w * y, s * w * z);
    M3::new(
        1.0 - yy - zz,
        xy - wz,
        xz + wy, //
        xy + wz,
        1.0 - xx - zz,
        yz - wx, //
        xz - wy,
        yz + wx,
        1.0 - xx - yy,
    )
}

/// The rotation by an angle about the third axis.
pub(crate) fn planar_rotation(angle: f64) -> M3 {
    let (s, c) = libm::sincos(angle);
    M3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
}

/// `p ⊗ q`.
pub(crate) fn product([a, b, c, d]: [f64; 4], [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

/// The same rotation by a quaternion of length one.
pub(crate) fn normalised(q: [f64; 4]) -> [f64; 4] {
    let length = f64::sqrt(q.iter().map(|x| x * x).sum());
    q.map(|x| x / length)
}

/// Two unit vectors that make a right-handed frame with `n`; in the plane the first is `n` turned by +90° and the second
/// the third axis. In space the first is the projection of the axis that is least aligned with `n`.
pub(crate) fn tangents(n: &V3, planar: bool) -> [V3; 2] {
    if planar {
        return [V3::new(-n.y, n.x, 0.0), V3::new(0.0, 0.0, 1.0)];
    }
    let axis = if n.x.abs() <= n.y.abs() && n.x.abs() <= n.z.abs() {
        V3::x()
    } else if n.y.abs() <= n.z.abs() {
        V3::y()
    } else {
        V3::z()
    };
    let t = axis - n * n.dot(&axis);
    let t = t / f64::sqrt(t.dot(&t));
    [t, n.cross(&t)]
}
