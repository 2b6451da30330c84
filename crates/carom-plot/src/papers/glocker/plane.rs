//! Velocities of a system with two degrees of freedom besides its common motion, in the plane in which length is energy:
//! the square of a vector is twice the kinetic energy of the motion it stands for.

use crate::papers::outline::arc;

/// The plane: two directions of velocities, orthonormal in the kinetic metric.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    mass: Vec<f64>,
    /// Velocities that the two directions stand for.
    axes: [Vec<f64>; 2],
    /// Unit gradients of both gaps, as points of the plane.
    pub(super) normals: [[f64; 2]; 2],
}

impl Plane {
    /// Three masses on a line \[kg\], seen from their common centre: up is where both gaps open.
    pub(super) fn of_chain(mass: [f64; 3]) -> Self {
        let gradient = |k: usize| {
            let mut z = vec![0.0; 3];
            (z[k], z[k + 1]) = (-1.0 / mass[k], 1.0 / mass[k + 1]);
            z
        };
        Self::spanned(mass.to_vec(), [gradient(0), gradient(1)])
    }

    /// A rod of this mass \[kg\] and moment about its centre [kg·m²] on supports `arm` to both sides \[m\].
    pub(super) fn of_rod(mass: f64, inertia: f64, arm: f64) -> Self {
        let gradient = |side: f64| vec![1.0 / mass, side * arm / inertia];
        Self::spanned(vec![mass, inertia], [gradient(-1.0), gradient(1.0)])
    }

    fn spanned(mass: Vec<f64>, gradients: [Vec<f64>; 2]) -> Self {
        let dot = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).zip(&mass).map(|((a, b), m)| a * b * m).sum()
        };
        let unit = |z: Vec<f64>| -> Vec<f64> {
            let length = f64::sqrt(dot(&z, &z));
            z.into_iter().map(|x| x / length).collect()
        };
        let [first, second] = gradients.map(unit);
        let add = |sign: f64| -> Vec<f64> {
            unit(second.iter().zip(&first).map(|(b, a)| b + sign * a).collect())
        };
        let axes = [add(-1.0), add(1.0)];
        let normals = [&first, &second].map(|z| [dot(z, &axes[0]), dot(z, &axes[1])]);
        Self { mass, axes, normals }
    }

    /// Where velocities stand in the plane [√J].
    pub(super) fn place(&self, velocity: &[f64]) -> [f64; 2] {
        [0, 1].map(|k| {
            let products = self.axes[k].iter().zip(velocity).zip(&self.mass);
            products.map(|((a, v), m)| a * v * m).sum()
        })
    }
}

pub(super) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn length(a: [f64; 2]) -> f64 {
    libm::hypot(a[0], a[1])
}

/// `a + s b`.
pub(super) fn along(a: [f64; 2], s: f64, b: [f64; 2]) -> [f64; 2] {
    [a[0] + s * b[0], a[1] + s * b[1]]
}

/// A vector turned by +90°.
pub(super) fn turned([x, y]: [f64; 2]) -> [f64; 2] {
    [-y, x]
}

/// A circle about the origin, fine enough to be cut.
pub(super) fn circle(radius: f64) -> Vec<[f64; 2]> {
    arc([0.0; 2], radius, [0.0, 2.0 * std::f64::consts::PI], 720)
}

/// The part of a convex outline in which `normal·z ≥ offset`.
pub(super) fn cut(outline: &[[f64; 2]], normal: [f64; 2], offset: f64) -> Vec<[f64; 2]> {
    let mut out = Vec::new();
    for (k, &a) in outline.iter().enumerate() {
        let b = outline[(k + 1) % outline.len()];
        let [da, db] = [a, b].map(|z| dot(normal, z) - offset);
        if da >= 0.0 {
            out.push(a);
        }
        if (da < 0.0) != (db < 0.0) {
            let s = da / (da - db);
            out.push([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])]);
        }
    }
    out
}

/// Cuts an outline to the cone of positive combinations of two directions at an apex.
pub(super) fn cut_cone(
    outline: &[[f64; 2]],
    apex: [f64; 2],
    [a, b]: [[f64; 2]; 2],
) -> Vec<[f64; 2]> {
    let mut outline = outline.to_vec();
    for (edge, inside) in [(a, b), (b, a)] {
        let side = turned(edge);
        let side = if dot(side, inside) < 0.0 { side.map(|x| -x) } else { side };
        outline = cut(&outline, side, dot(side, apex));
    }
    outline
}

/// A square around the origin, to be cut.
pub(super) fn square(half: f64) -> Vec<[f64; 2]> {
    vec![[-half, -half], [half, -half], [half, half], [-half, half]]
}

/// The tangent cone inside an outline.
pub(super) fn tangent_cone(outline: &[[f64; 2]], normals: [[f64; 2]; 2]) -> Vec<[f64; 2]> {
    cut(&cut(outline, normals[0], 0.0), normals[1], 0.0)
}
