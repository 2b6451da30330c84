//! Contacts of every kind that a valid problem can have, for testing what laws promise.

use super::{build, material, perturbed_mirtich, rotation, spectral, with_ratio};
use crate::Rng;
use crate::transform::symmetric;
use carom::{Contact, Material};

/// What kind of matrix a [`Sample`] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `W` is positive definite, its condition at most 1e10.
    Regular,
    /// `W` is exactly singular: a mechanism that cannot yield in some direction, moving as it can.
    Singular,
}

/// A contact with what is known about it from the way it was made.
#[derive(Clone, Copy, Debug)]
pub struct Sample<const D: usize> {
    /// The contact.
    pub contact: Contact<D>,
    /// `½ u⁻ᵀ W⁺ u⁻`, known from the factors of `W` and therefore accurate whatever its condition \[J\].
    pub energy: f64,
    /// The kind of matrix.
    pub class: Class,
}

/// A random contact: condition of `W` log-uniform to 1e10 or exactly singular; μ zero, infinite or log-uniform in
/// 1e-3…10; e 0, 1 or between; sometimes no sliding, no approach or hardly any; sometimes decoupled or sliding along
/// a principal axis; a tenth of the spatial ones perturbations of the corrected-Mirtich example; sometimes with
/// masses and speeds of extreme size. Brach's ratios lie inside the cone.
pub fn claims_contact<const D: usize>(rng: &mut Rng) -> Sample<D> {
    let sample = match rng.index(20) {
        0..=2 if D > 1 => mirtich_like(rng),
        3..=5 if D > 1 => singular(rng),
        _ => regular(rng),
    };
    if rng.chance(0.05) { rescaled(rng, sample) } else { sample }
}

fn random_material(rng: &mut Rng) -> Material {
    let mu = match rng.index(8) {
        0 => 0.0,
        1 => f64::INFINITY,
        _ => rng.log_uniform(1e-3, 10.0),
    };
    let e = match rng.index(5) {
        0 => 0.0,
        1 => 1.0,
        _ => rng.unit(),
    };
    let e_t = match rng.index(6) {
        0 => 0.0,
        1 => 1.0,
        2 => -1.0,
        _ => rng.uniform(-1.0, 1.0),
    };
    with_ratio(rng, material(mu, e, e_t))
}

fn regular<const D: usize>(rng: &mut Rng) -> Sample<D> {
    let condition = rng.log_uniform(1.0, 1e10);
    let mut eigenvalues: [f64; D] = std::array::from_fn(|_| rng.log_uniform(1.0 / condition, 1.0));
    eigenvalues[0] = 1.0;
    if D > 1 {
        eigenvalues[1] = 1.0 / condition;
    }
    let aligned = rng.chance(0.2);
    let axes: [[f64; D]; D] = if aligned {
        let first = rng.index(D as u64) as usize;
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from((i + first) % D == j))))
    } else {
        rotation(rng)
    };
    let w = spectral(eigenvalues, axes);
    // Half of the velocities share their energy evenly among the axes, as a mechanism set in motion does; the
    // others share their speed, so that nearly all energy sits in the stiffest direction.
    let energetic = rng.chance(0.5);
    let amplitudes: [f64; D] = std::array::from_fn(|m| {
        let x = rng.normal();
        if energetic { x * f64::sqrt(eigenvalues[m]) } else { x }
    });
    let mut u: [f64; D] = std::array::from_fn(|i| (0..D).map(|m| amplitudes[m] * axes[m][i]).sum());
    u[0] = -u[0].abs();
    let speed = u.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    match rng.index(12) {
        0 => u[1..].fill(0.0),
        1 => u[0] = 0.0,
        2 => u[0] = -1e-12,
        3 => u[0] = -1e-12 * speed,
        4 if D == 3 => u[2] = 0.0,
        _ => {}
    }
    let energy = 0.5
        * (0..D)
            .map(|m| {
                let along: f64 = (0..D).map(|i| u[i] * axes[m][i]).sum();
                along * along / eigenvalues[m]
            })
            .sum::<f64>();
    Sample { contact: build(w, u, random_material(rng)), energy, class: Class::Regular }
}

/// `W = A Aᵀ` and `u⁻ = A v` with `A` of `D` rows and fewer columns. All entries are small integers (and `v` carries
/// few bits), so that the products are exact, `W` is singular to the last bit and `u⁻` lies exactly in its range.
fn singular<const D: usize>(rng: &mut Rng) -> Sample<D> {
    let columns = 1 + rng.index(D as u64 - 1) as usize;
    let mut integer = |limit: u64| rng.index(2 * limit + 1) as f64 - limit as f64;
    let mut a = [[0.0; 2]; D];
    for row in &mut a {
        for x in &mut row[..columns] {
            *x = integer(15);
        }
    }
    let mut v = [0.0; 2];
    for x in &mut v[..columns] {
        *x = integer(15);
    }
    let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
    match rng.index(6) {
        // Tangents that cannot yield, or only in one direction; with no sliding where the mechanism allows it.
        0 => {
            let factor = rng.index(3) as f64;
            let first = if rng.chance(0.3) { [0.0; 2] } else { a[1] };
            for (i, row) in a[1..].iter_mut().enumerate() {
                *row = if i == 0 { first } else { first.map(|x| factor * x) };
            }
            if rng.chance(0.5) {
                v = across(first, v);
            }
        }
        // No approach.
        1 => v = across(a[0], v),
        // Hardly any approach: 2⁻²⁴ of what it would be beside a sliding velocity.
        2 => {
            let slow = v.map(|x| x / f64::from(1 << 24));
            let fast = across(a[0], v);
            v = [fast[0] + slow[0], fast[1] + slow[1]];
        }
        _ => {}
    }
    if dot(a[0], v) > 0.0 {
        v = v.map(|x| -x);
    }
    let w = std::array::from_fn(|i| std::array::from_fn(|j| dot(a[i], a[j])));
    let u: [f64; D] = std::array::from_fn(|i| dot(a[i], v));
    // Of v only the part in the row space of A is felt: for two columns of rank one, the part along their row.
    let seen = if columns == 2 && rank(&a) < 2 {
        let longest =
            a.into_iter().max_by(|x, y| dot(*x, *x).total_cmp(&dot(*y, *y))).unwrap_or_default();
        let length = dot(longest, longest);
        if length == 0.0 { 0.0 } else { dot(longest, v) * dot(longest, v) / length }
    } else if rank(&a) == 0 {
        0.0
    } else {
        dot(v, v)
    };
    Sample {
        contact: build(w, u, random_material(rng)),
        energy: 0.5 * seen,
        class: Class::Singular,
    }
}

/// The part of `v` at right angles to `a`, times `a·a`: exact for small integers.
fn across(a: [f64; 2], v: [f64; 2]) -> [f64; 2] {
    let (aa, av) = (a[0] * a[0] + a[1] * a[1], a[0] * v[0] + a[1] * v[1]);
    [v[0] * aa - a[0] * av, v[1] * aa - a[1] * av]
}

/// The rank of rows of two small integers: their 2×2 minors are exact.
fn rank(rows: &[[f64; 2]]) -> usize {
    let minor = |x: &[f64; 2], y: &[f64; 2]| x[0] * y[1] - x[1] * y[0];
    if rows.iter().any(|x| rows.iter().any(|y| minor(x, y) != 0.0)) {
        2
    } else {
        usize::from(rows.iter().flatten().any(|x| *x != 0.0))
    }
}

/// A perturbed corrected-Mirtich example, in the plane its section along the sliding velocity.
fn mirtich_like<const D: usize>(rng: &mut Rng) -> Sample<D> {
    let spatial = perturbed_mirtich(rng);
    let (rows, u) = (spatial.delassus().rows(), spatial.velocity().components());
    let slide = libm::hypot(u[1], u[2]);
    let (cos, sin) = if D == 3 { (1.0, 0.0) } else { (u[1] / slide, u[2] / slide) };
    let axes = [[1.0, 0.0, 0.0], [0.0, cos, sin], [0.0, -sin, cos]];
    let w = symmetric(|i, j| {
        (0..9).map(|m| axes[i][m / 3] * rows[m / 3][m % 3] * axes[j][m % 3]).sum()
    });
    let velocity: [f64; D] = std::array::from_fn(|i| (0..3).map(|j| axes[i][j] * u[j]).sum());
    let material = if rng.chance(0.5) { *spatial.material() } else { random_material(rng) };
    Sample {
        contact: build(w, velocity, material),
        energy: energy(&w, &velocity),
        class: Class::Regular,
    }
}

/// `½ uᵀ W⁻¹ u` of a well-conditioned matrix, by elimination.
fn energy<const D: usize>(w: &[[f64; D]; D], u: &[f64; D]) -> f64 {
    let (mut w, mut u, mut sum) = (*w, *u, 0.0);
    for i in 0..D {
        sum += u[i] * u[i] / w[i][i];
        for j in i + 1..D {
            let factor = w[j][i] / w[i][i];
            u[j] -= factor * u[i];
            let pivot = w[i];
            for (x, y) in w[j][i + 1..].iter_mut().zip(&pivot[i + 1..]) {
                *x -= factor * y;
            }
        }
    }
    0.5 * sum
}

/// The same contact with other units of mass and speed, across 60 decades each. Powers of two keep it singular or
/// regular as it was.
fn rescaled<const D: usize>(rng: &mut Rng, sample: Sample<D>) -> Sample<D> {
    let mut factor = || libm::exp2(libm::round(rng.uniform(-100.0, 100.0)));
    let (inverse_mass, speed) = (factor(), factor());
    let contact = &sample.contact;
    Sample {
        contact: build(
            contact.delassus().rows().map(|row| row.map(|x| x * inverse_mass)),
            contact.velocity().components().map(|x| x * speed),
            *contact.material(),
        ),
        energy: sample.energy / inverse_mass * speed * speed,
        ..sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix3, Vector3};

    #[test]
    fn singular_samples_move_within_the_range_of_their_matrix() {
        let mut rng = Rng::new(5);
        for _ in 0..2000 {
            let sample: Sample<3> = singular(&mut rng);
            let w = Matrix3::from(sample.contact.delassus().rows());
            let u = Vector3::from(sample.contact.velocity().components());
            assert_eq!(w.determinant().round(), 0.0);
            let svd = w.svd(true, true);
            let Ok(p) = svd.solve(&u, 1e-9 * w.norm().max(1.0)) else {
                panic!("both factors were asked for");
            };
            assert!((w * p - u).norm() <= 1e-9 * u.norm().max(1.0), "{sample:?}");
            assert!((0.5 * u.dot(&p) - sample.energy).abs() <= 1e-8 * sample.energy, "{sample:?}");
        }
    }

    #[test]
    fn energies_are_those_of_the_matrix() {
        for i in 0..2000 {
            let sample: Sample<3> = claims_contact(&mut Rng::for_item(11, i));
            let w = Matrix3::from(sample.contact.delassus().rows());
            let u = Vector3::from(sample.contact.velocity().components());
            let spread = w.norm() * w.try_inverse().map_or(f64::INFINITY, |m| m.norm());
            if sample.class == Class::Regular && spread < 1e6 {
                let Some(cholesky) = w.cholesky() else {
                    panic!("regular but indefinite: {sample:?}");
                };
                let expected = 0.5 * u.dot(&cholesky.solve(&u));
                assert!((sample.energy - expected).abs() <= 1e-9 * expected, "{sample:?}");
            }
        }
    }

    #[test]
    fn every_kind_occurs() {
        let samples: Vec<Sample<3>> =
            (0..5000).map(|i| claims_contact(&mut Rng::for_item(1, i))).collect();
        let share = |f: &dyn Fn(&Sample<3>) -> bool| {
            samples.iter().filter(|s| f(s)).count() as f64 / samples.len() as f64
        };
        let u = |s: &Sample<3>| *s.contact.velocity();
        let looks_like_mirtich = |s: &Sample<3>| {
            let rows = s.contact.delassus().rows();
            s.class == Class::Regular
                && (rows[1][1] / rows[0][0] - 5.0).abs() < 0.5
                && (u(s)[2] / u(s)[1] + 78.0 / 63.0).abs() < 0.1
        };
        assert!(share(&looks_like_mirtich) > 0.1);
        assert!(share(&|s| s.class == Class::Singular) > 0.1);
        assert!(share(&|s| u(s).normal() == 0.0) > 0.05);
        assert!(share(&|s| u(s).normal() == -1e-12) > 0.03);
        assert!(share(&|s| u(s).tangent_norm() == 0.0) > 0.03);
        assert!(share(&|s| s.contact.material().mu == 0.0) > 0.1);
        assert!(share(&|s| s.contact.material().mu.is_infinite()) > 0.05);
        assert!(samples.iter().all(|s| u(s).normal() <= 0.0));
    }
}
