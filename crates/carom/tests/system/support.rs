//! Plain arrays, random numbers and builders, so that the checks share nothing with the library.

use carom::system::{Body, BodyContact, Inertia, Joint, JointKind, Motion, Orientation};
use carom::{ContactProblem, ContactSpec, ImpactError, Material};

/// Rounding of products of a few numbers, against the size of the result.
pub const CLOSE: f64 = 256.0 * f64::EPSILON;

/// SplitMix64. Its seed is printed, so that a failure can be repeated.
pub struct Random(u64);

impl Random {
    pub fn seeded(seed: u64) -> Self {
        println!("seed {seed:#x}");
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Components between −1 and 1.
    pub fn vector<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.between(-1.0, 1.0))
    }
}

/// Compares lists of one unit: no entry may be off by more than `tolerance` of the largest of all.
#[track_caller]
pub fn assert_close(got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len());
    let all = expected.iter().chain(got);
    let scale = all.fold(0.0, |m: f64, x| m.max(x.abs()));
    for (x, y) in got.iter().zip(expected) {
        assert!((x - y).abs() <= tolerance * scale, "{got:?} {expected:?}");
    }
}

pub type Vec3 = [f64; 3];
pub type Mat3 = [[f64; 3]; 3];

pub fn array(values: &[f64]) -> Vec3 {
    std::array::from_fn(|i| values[i])
}

pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|i| a[i] + b[i])
}

pub fn scaled(a: Vec3, factor: f64) -> Vec3 {
    a.map(|x| factor * x)
}

pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn skew(r: Vec3) -> Mat3 {
    [[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]]
}

pub fn matrix(entry: impl Fn(usize, usize) -> f64) -> Mat3 {
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

pub fn product(a: Mat3, b: Mat3) -> Mat3 {
    matrix(|i, j| (0..3).map(|k| a[i][k] * b[k][j]).sum())
}

pub fn apply(a: Mat3, x: Vec3) -> Vec3 {
    a.map(|row| dot(row, x))
}

/// `R diag(d) Rᵀ`.
pub fn turned(r: Mat3, d: Vec3) -> Mat3 {
    matrix(|i, j| (0..3).map(|k| r[i][k] * d[k] * r[j][k]).sum())
}

/// Rotation by a quaternion [w, x, y, z] of any length: 1 + 2 w [q]× + 2 [q]×².
pub fn rotation(q: [f64; 4]) -> Mat3 {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, x, y, z] = q.map(|c| c / length);
    let s = skew([x, y, z]);
    let ss = product(s, s);
    matrix(|i, j| f64::from(i == j) + 2.0 * (w * s[i][j] + ss[i][j]))
}

/// [n, t1, t2] as the conventions define it.
pub fn contact_frame(normal: Vec3) -> Mat3 {
    let n = scaled(normal, 1.0 / dot(normal, normal).sqrt());
    let least = (0..3).fold(0, |m, i| if n[i].abs() < n[m].abs() { i } else { m });
    let axis: Vec3 = std::array::from_fn(|i| f64::from(i == least));
    let across = add(axis, scaled(n, -dot(n, axis)));
    let t1 = scaled(across, 1.0 / dot(across, across).sqrt());
    [n, t1, cross(n, t1)]
}

pub fn spec(rows: usize) -> Result<ContactSpec, ImpactError> {
    Ok(ContactSpec::new(rows, Material::new(0.5, 0.5)?))
}

pub fn contact(
    a: usize,
    b: usize,
    point: &[f64],
    normal: &[f64],
) -> Result<BodyContact, ImpactError> {
    Ok(BodyContact {
        a,
        b,
        point: point.to_vec(),
        normal: normal.to_vec(),
        tangent: None,
        spec: spec(normal.len())?,
    })
}

pub fn joint(kind: JointKind, a: usize, b: usize, point: &[f64], axis: Option<&[f64]>) -> Joint {
    Joint { kind, a, b, point: point.to_vec(), axis: axis.map(<[f64]>::to_vec) }
}

pub fn ground() -> Body {
    Body {
        name: "ground".into(),
        motion: Motion::Fixed,
        position: vec![],
        orientation: Orientation::Identity,
        velocity: vec![],
        angular_velocity: vec![],
    }
}

pub fn free(mass: f64, inertia: Inertia, position: &[f64]) -> Body {
    Body {
        name: "brick".into(),
        motion: Motion::Free { mass, inertia },
        position: position.to_vec(),
        ..ground()
    }
}

/// A spatial body with its world inertia and the inverse of it, which some distribution of mass has.
pub struct Sample {
    pub body: Body,
    pub mass: f64,
    pub inertia: Mat3,
    pub inverse_inertia: Mat3,
}

impl Sample {
    pub fn random(random: &mut Random) -> Self {
        let [a, b, c]: Vec3 = std::array::from_fn(|_| random.between(0.1, 1.0));
        let mass = random.between(0.2, 5.0);
        let moments = [b + c, a + c, a + b].map(|x| 0.2 * mass * x);
        let quaternion = random.vector();
        let rotation = rotation(quaternion);
        let position: Vec3 = random.vector();
        let body = Body {
            orientation: Orientation::Quaternion(quaternion),
            velocity: random.vector::<3>().to_vec(),
            angular_velocity: random.vector::<3>().to_vec(),
            ..free(mass, Inertia::Principal(moments), &position)
        };
        Self {
            body,
            mass,
            inertia: turned(rotation, moments),
            inverse_inertia: turned(rotation, moments.map(|x| 1.0 / x)),
        }
    }

    /// From the centre of mass to a point.
    pub fn arm(&self, point: Vec3) -> Vec3 {
        add(point, scaled(array(&self.body.position), -1.0))
    }

    pub fn velocity(&self) -> Vec3 {
        array(&self.body.velocity)
    }

    pub fn spin(&self) -> Vec3 {
        array(&self.body.angular_velocity)
    }
}

/// All entries of `W`, row by row.
pub fn delassus(problem: &ContactProblem) -> Vec<f64> {
    let n = problem.rows();
    let at = |k: usize| problem.delassus_at(k / n, k % n);
    (0..n * n).map(at).collect()
}

/// What an error says; nothing if there is none.
pub fn message<T>(result: Result<T, ImpactError>) -> String {
    result.err().map(|e| e.to_string()).unwrap_or_default()
}
