//! Masses and moments of inertia: of solids of uniform density, and of parts together.

use crate::frames::{Matrix, ORIGIN, Pose, Vector, add, cross, dot, length, scaled, sub, turned};
use std::f64::consts::PI;

/// What is known of the mass of a body, in the body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertial {
    /// \[kg\]
    pub mass: f64,
    /// \[m\]
    pub center: Vector,
    /// About the centre [kg·m²].
    pub tensor: Matrix,
}

pub const NO_MASS: Inertial = Inertial { mass: 0.0, center: ORIGIN, tensor: [[0.0; 3]; 3] };

pub fn diagonal([a, b, c]: Vector) -> Matrix {
    [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]]
}

impl Inertial {
    /// The same in the frame that this body's frame is in.
    pub fn seen_from(self, pose: Pose) -> Self {
        Self {
            mass: self.mass,
            center: pose.point(self.center),
            tensor: turned(pose.turn, self.tensor),
        }
    }

    /// All parts as one body. Parts without mass count with their moments only.
    pub fn together(parts: &[Self]) -> Self {
        if let [one] = parts {
            return *one;
        }
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        if mass <= 0.0 {
            return NO_MASS;
        }
        let moment =
            parts.iter().fold(ORIGIN, |sum, part| add(sum, scaled(part.center, part.mass)));
        let center = scaled(moment, 1.0 / mass);
        let mut tensor = [[0.0; 3]; 3];
        for part in parts {
            let r = sub(part.center, center);
            for i in 0..3 {
                for j in 0..3 {
                    let unit = if i == j { dot(r, r) } else { 0.0 };
                    tensor[i][j] += part.tensor[i][j] + part.mass * (unit - r[i] * r[j]);
                }
            }
        }
        Self { mass, center, tensor }
    }
}

/// A solid of unit density in its own frame: its volume \[m³\], and moments about its centre, which is the origin [m⁵].
pub fn sphere(radius: f64) -> (f64, Vector) {
    let volume = 4.0 / 3.0 * PI * radius * radius * radius;
    (volume, [0.4 * volume * radius * radius; 3])
}

pub fn cuboid(half: Vector) -> (f64, Vector) {
    let volume = 8.0 * half[0] * half[1] * half[2];
    let [x, y, z] = half.map(|side| side * side);
    (volume, [y + z, x + z, x + y].map(|sum| volume / 3.0 * sum))
}

pub fn cylinder(radius: f64, half: f64) -> (f64, Vector) {
    let volume = 2.0 * PI * radius * radius * half;
    let across = volume * (0.25 * radius * radius + half * half / 3.0);
    (volume, [across, across, 0.5 * volume * radius * radius])
}

pub fn capsule(radius: f64, half: f64) -> (f64, Vector) {
    let (tube, [across, _, along]) = cylinder(radius, half);
    let (ball, [moment, ..]) = sphere(radius);
    // Each end is half a ball, whose centre of mass is 3/8 of the radius beyond the end of the tube.
    let ends = moment + ball * (half * half + 0.75 * radius * half);
    (tube + ball, [across + ends, across + ends, along + moment])
}

pub fn ellipsoid(radii: Vector) -> (f64, Vector) {
    let volume = 4.0 / 3.0 * PI * radii[0] * radii[1] * radii[2];
    let [x, y, z] = radii.map(|radius| radius * radius);
    (volume, [y + z, x + z, x + y].map(|sum| 0.2 * volume * sum))
}

/// How the volume of a mesh is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshVolume {
    /// Tetrahedra of triangles and a point count with the sign of their volume: right for a closed mesh.
    Signed,
    /// They count without their sign.
    Unsigned,
    /// A shell of unit thickness.
    Shell,
}

/// What triangles enclose, with unit density. `None` where that is nothing.
pub fn mesh(points: &[Vector], triangles: &[[usize; 3]], how: MeshVolume) -> Option<Inertial> {
    let corners = |t: &[usize; 3]| t.map(|i| points[i]);
    // About a point inside, the centre of the surface.
    let (mut area, mut moment) = (0.0, ORIGIN);
    for triangle in triangles {
        let [a, b, c] = corners(triangle);
        let size = 0.5 * length(cross(sub(b, a), sub(c, a)));
        area += size;
        moment = add(moment, scaled(add(add(a, b), c), size / 3.0));
    }
    if !(area > 0.0 && area.is_finite()) {
        return None;
    }
    let inside = scaled(moment, 1.0 / area);
    let sums = |apex: Vector| {
        let (mut volume, mut first) = (0.0, ORIGIN);
        // Second moments ∫ x xᵀ.
        let mut second = [[0.0; 3]; 3];
        for triangle in triangles {
            let [a, b, c] = corners(triangle).map(|p| sub(p, apex));
            let size = match how {
                MeshVolume::Signed => dot(a, cross(b, c)) / 6.0,
                MeshVolume::Unsigned => (dot(a, cross(b, c)) / 6.0).abs(),
                MeshVolume::Shell => 0.5 * length(cross(sub(b, a), sub(c, a))),
            };
            volume += size;
            let sum = add(add(a, b), c);
            // Of a tetrahedron with a corner at the apex, of a triangle.
            let (center, spread) = match how {
                MeshVolume::Shell => (1.0 / 3.0, 1.0 / 12.0),
                _ => (1.0 / 4.0, 1.0 / 20.0),
            };
            first = add(first, scaled(sum, size * center));
            for i in 0..3 {
                for j in 0..3 {
                    let squares = a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
                    second[i][j] += size * spread * (squares + sum[i] * sum[j]);
                }
            }
        }
        (volume, first, second)
    };
    let (volume, first, _) = sums(inside);
    if !(volume > 0.0 && volume.is_finite()) {
        return None;
    }
    let center = add(inside, scaled(first, 1.0 / volume));
    // Again about the centre. Tetrahedra without sign are others then, and their volume is what MuJoCo counts; the sums of
    // the others are the same about any point.
    let (volume, _, second) = sums(center);
    let trace: f64 = (0..3).map(|i| second[i][i]).sum();
    let mut tensor = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            tensor[i][j] = if i == j { trace - second[i][j] } else { -second[i][j] };
        }
    }
    Some(Inertial { mass: volume, center, tensor })
}

/// Principal moments and the turn from their axes to the tensor's.
pub fn principal(tensor: Matrix) -> (Vector, Matrix) {
    let m = nalgebra::Matrix3::from_fn(|i, j| tensor[i][j]);
    let eigen = m.symmetric_eigen();
    let axes = eigen.eigenvectors;
    let rows = std::array::from_fn(|i| std::array::from_fn(|j| axes[(i, j)]));
    (eigen.eigenvalues.into(), rows)
}

/// The tensor with these principal moments along the columns of `axes`.
pub fn from_principal(moments: Vector, axes: Matrix) -> Matrix {
    let mut tensor = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            tensor[i][j] = (0..3).map(|k| axes[i][k] * moments[k] * axes[j][k]).sum();
        }
    }
    tensor
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cuboid as twelve triangles has the moments of the formula, wherever it is.
    #[test]
    fn a_mesh_has_the_moments_of_what_it_encloses() {
        let half = [0.3, 0.2, 0.7];
        let at = [4.0, -2.0, 1.0];
        let points: Vec<Vector> = (0..8)
            .map(|k| {
                std::array::from_fn(|i| at[i] + if k >> i & 1 == 1 { half[i] } else { -half[i] })
            })
            .collect();
        let quads =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[usize; 3]> =
            quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let (volume, moments) = cuboid(half);
        for how in [MeshVolume::Signed, MeshVolume::Unsigned] {
            let solid = mesh(&points, &triangles, how).expect("a solid");
            assert!((solid.mass - volume).abs() < 1e-14, "{solid:?}");
            for i in 0..3 {
                assert!((solid.center[i] - at[i]).abs() < 1e-14, "{solid:?}");
                for j in 0..3 {
                    let expected = if i == j { moments[i] } else { 0.0 };
                    assert!((solid.tensor[i][j] - expected).abs() < 1e-14, "{solid:?}");
                }
            }
        }
        let shell = mesh(&points, &triangles, MeshVolume::Shell).expect("a shell");
        assert!((shell.mass - 8.0 * (0.06 + 0.14 + 0.21)).abs() < 1e-14, "{shell:?}");
    }

    /// A capsule cut into a tube and two half balls: the moment across, by Steiner's theorem.
    #[test]
    fn a_capsule_is_a_tube_with_two_half_balls() {
        let (radius, half) = (0.2, 0.5);
        let (volume, [across, _, along]) = capsule(radius, half);
        let (tube, [tube_across, _, tube_along]) = cylinder(radius, half);
        let (ball, [moment, ..]) = sphere(radius);
        let shift = 0.375 * radius;
        let of_half_about_its_center = 0.5 * moment - 0.5 * ball * shift * shift;
        let arm = half + shift;
        let ends = 2.0 * (of_half_about_its_center + 0.5 * ball * arm * arm);
        assert!((across - tube_across - ends).abs() < 1e-15);
        assert!((along - tube_along - moment).abs() < 1e-15);
        assert!((volume - tube - ball).abs() < 1e-15);
    }

    #[test]
    fn principal_moments_go_back() {
        let tensor = [[2.0, 0.3, -0.1], [0.3, 1.5, 0.2], [-0.1, 0.2, 2.5]];
        let (moments, axes) = principal(tensor);
        let back = from_principal(moments, axes);
        for i in 0..3 {
            for j in 0..3 {
                assert!((back[i][j] - tensor[i][j]).abs() < 1e-14, "{back:?}");
            }
        }
    }
}
