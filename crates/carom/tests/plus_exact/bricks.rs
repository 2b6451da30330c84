//! Bricks that fall on one, two or four of their vertices.

use carom::{ContactProblem, ContactSpec, Material};
use carom_testkit::Rng;
use carom_testkit::mechanism::Mechanism;

/// A brick with a vertex, an edge or a face on the ground, its contacts' frames turned by `turn` about their normals.
pub fn brick(rng: &mut Rng, contacts: usize, mu: [f64; 2]) -> Mechanism {
    let half: [f64; 3] = std::array::from_fn(|_| rng.uniform(0.1, 0.5));
    let mass = rng.uniform(0.5, 5.0);
    let angle = rng.uniform(0.2, 1.3);
    let (s, c) = angle.sin_cos();
    let tilt = rng.uniform(0.2, 1.3);
    let (st, ct) = tilt.sin_cos();
    // Rotation about x by `angle`, after one about y by `tilt`.
    let rotation = match contacts {
        4 => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        2 => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        _ => [[ct, 0.0, st], [s * st, c, -s * ct], [-c * st, s, c * ct]],
    };
    let turned = |v: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| (0..3).map(|j| rotation[i][j] * v[j]).sum())
    };
    let mut vertices: Vec<[f64; 3]> = (0..8)
        .map(|i| turned(std::array::from_fn(|a| if i >> a & 1 == 0 { half[a] } else { -half[a] })))
        .collect();
    vertices.sort_by(|a, b| a[2].total_cmp(&b[2]));
    vertices.truncate(contacts);
    // Inertia about the centre in space: R diag R^T.
    let own: [f64; 3] = std::array::from_fn(|a| {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        mass / 3.0 * (half[b] * half[b] + half[c] * half[c])
    });
    let mut matrix = vec![0.0; 36];
    for i in 0..3 {
        matrix[7 * i] = mass;
        for j in 0..3 {
            matrix[6 * (3 + i) + 3 + j] =
                (0..3).map(|a| rotation[i][a] * own[a] * rotation[j][a]).sum();
        }
    }
    let e = rng.unit();
    let mu = rng.uniform(mu[0], mu[1]);
    let material = Material::new(mu, e).unwrap_or_else(|error| panic!("{error}"));
    let mut jacobian = Vec::new();
    for [x, y, z] in vertices {
        jacobian.push(vec![0.0, 0.0, 1.0, y, -x, 0.0]);
        jacobian.push(vec![1.0, 0.0, 0.0, 0.0, z, -y]);
        jacobian.push(vec![0.0, 1.0, 0.0, -z, 0.0, x]);
    }
    let drive = vec![0.0; jacobian.len()];
    let velocity: Vec<f64> = (0..6)
        .map(|i| match i {
            2 => -rng.uniform(0.2, 3.0),
            0 | 1 => 2.0 * rng.normal(),
            _ => 2.0 * rng.normal(),
        })
        .collect();
    Mechanism {
        mass: matrix,
        velocity,
        jacobian,
        contacts: vec![ContactSpec::new(3, material); contacts],
        bilateral: Vec::new(),
        drive,
    }
}

pub fn approaches(problem: &ContactProblem) -> bool {
    (0..problem.len()).any(|k| problem.velocity()[problem.row_range(k).start] < -1e-3)
}
