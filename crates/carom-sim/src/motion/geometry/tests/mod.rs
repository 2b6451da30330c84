//! Features against differences of their gaps, against distances by parry, and in symmetric places.

mod distance;
mod rates;
mod special;

use carom_testkit::rng::Rng;

use super::*;
use crate::motion::vector::rotation;

/// Random unit quaternion, uniform over all rotations.
fn quaternion(rng: &mut Rng) -> [f64; 4] {
    crate::motion::vector::normalised(std::array::from_fn(|_| rng.normal()))
}

/// In a cube around the origin.
fn vector(rng: &mut Rng, size: f64) -> V3 {
    V3::from_fn(|_, _| rng.uniform(-size, size))
}

fn array(v: V3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

/// One of each shape of space, at a random place in its body, of lengths between 0.2 and 1.6.
fn spatial(rng: &mut Rng, which: &str) -> Shape {
    let mut place = || array(vector(rng, 0.3));
    let center = place();
    match which {
        "sphere" => Shape::Sphere { radius: rng.uniform(0.1, 0.6), center },
        "capsule" => {
            let to = array(V3::from(center) + vector(rng, 0.8));
            Shape::Capsule { radius: rng.uniform(0.1, 0.4), from: center, to }
        }
        "box" => Shape::Box {
            half: [(); 3].map(|()| rng.uniform(0.1, 0.8)),
            center,
            orientation: quaternion(rng),
        },
        "cylinder" => Shape::Cylinder {
            radius: rng.uniform(0.1, 0.6),
            half_height: rng.uniform(0.1, 0.6),
            axis: array(vector(rng, 1.0)),
            center,
        },
        "convex" => {
            let count = 5 + rng.index(16);
            Shape::Convex { points: (0..count).map(|_| array(vector(rng, 0.7))).collect() }
        }
        "points" => Shape::Points { points: (0..4).map(|_| array(vector(rng, 0.7))).collect() },
        "half-space" => {
            Shape::HalfSpace { normal: array(vector(rng, 1.0)), offset: rng.uniform(-0.5, 0.5) }
        }
        other => panic!("{other}"),
    }
}

/// One of each shape of the plane.
fn planar(rng: &mut Rng, which: &str) -> Shape {
    let mut place = |size: f64| [rng.uniform(-size, size), rng.uniform(-size, size), 0.0];
    let center = place(0.3);
    match which {
        "sphere" => Shape::Sphere { radius: rng.uniform(0.1, 0.6), center },
        "capsule" => {
            let to = place(0.8);
            Shape::Capsule { radius: rng.uniform(0.1, 0.4), from: center, to }
        }
        "polygon" => {
            // Corners on a circle are convex; steps of at least a tenth of a turn keep them apart.
            let (radius, sides) = (rng.uniform(0.3, 0.8), 3 + rng.index(5));
            let points = (0..sides).map(|i| {
                let turn = (i as f64 + rng.uniform(0.0, 0.4)) / sides as f64;
                let (s, c) = libm::sincos(std::f64::consts::TAU * turn);
                [center[0] + radius * c, center[1] + radius * s, 0.0]
            });
            Shape::Polygon { points: points.collect() }
        }
        "points" => Shape::Points { points: (0..4).map(|_| place(0.7)).collect() },
        "half-space" => Shape::HalfSpace { normal: place(1.0), offset: rng.uniform(-0.5, 0.5) },
        other => panic!("{other}"),
    }
}

/// A pose with its quaternion, which parry reads.
#[derive(Clone, Copy, Debug)]
struct Place {
    centre: V3,
    quaternion: [f64; 4],
}

impl Place {
    fn pose(&self) -> Pose {
        Pose { centre: self.centre, rotation: rotation(self.quaternion) }
    }

    /// In the plane where not in space.
    fn random(rng: &mut Rng, size: f64, flat: bool) -> Self {
        let (mut centre, mut quaternion) = (vector(rng, size), quaternion(rng));
        if flat {
            centre.z = 0.0;
            (quaternion[1], quaternion[2]) = (0.0, 0.0);
            quaternion = crate::motion::vector::normalised(quaternion);
        }
        Self { centre, quaternion }
    }
}
