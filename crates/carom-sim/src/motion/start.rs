//! What can be said of a scene before it is followed: its mass matrix, and which bodies lie in each other.

use super::assembly::{Assembly, Kinematics};
use super::geometry::{KnownShape, ShapePair};
use super::model::{Model, Place};
use super::run::OVERLAP;
use super::scene::{Dimension, Scene};
use super::vector::{Pose, V3};
use carom::ImpactError;

/// The mass matrix of everything that moves, at t = 0: `½ vᵀ M v` is the kinetic energy.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MassMatrix {
    /// What `v` is, one per row.
    pub velocities: Vec<Velocity>,
    /// Row by row [kg, kg·m, kg·m²].
    pub rows: Vec<Vec<f64>>,
}

/// A velocity that a scene's motion is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Velocity {
    /// The body that it moves, relative to what this body hangs on, and with it all that hangs on this one; by its place in
    /// the scene.
    pub body: usize,
    /// Which of the body's velocities it is, from 0. A body that hangs on nothing has those of its centre of mass and then
    /// its angular ones, in the world's frame. One on a hinge or slider has the joint's rate, of the joint's second body
    /// relative to its first; one on a ball the relative angular velocity in the frame of what it hangs on.
    pub component: usize,
}

/// Two bodies that collide and lie in each other at t = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Overlap {
    /// By their places in the scene, in its order.
    pub bodies: [usize; 2],
    /// How deep \[m\].
    pub depth: f64,
}

/// The mass matrix of a scene at t = 0.
pub fn mass_matrix(scene: &Scene) -> Result<MassMatrix, ImpactError> {
    let model = Model::new(scene, None)?;
    let size = model.assemblies.iter().map(Assembly::velocities).sum();
    let mut matrix =
        MassMatrix { velocities: Vec::with_capacity(size), rows: vec![vec![0.0; size]; size] };
    let mut kinematics = Kinematics::default();
    for assembly in &model.assemblies {
        let (q, v) = assembly.start();
        assembly.kinematics(&q, &v, 0.0, &mut kinematics);
        let mass = assembly.matrices(&q, 0.0, &kinematics).mass;
        let (first, count) = (matrix.velocities.len(), v.len());
        let names = assembly.velocity_names().into_iter();
        matrix.velocities.extend(names.map(|(body, component)| Velocity { body, component }));
        for (row, entries) in mass.chunks(count.max(1)).enumerate() {
            matrix.rows[first + row][first..first + count].copy_from_slice(entries);
        }
    }
    Ok(matrix)
}

/// The pairs of bodies that collide and lie in each other at t = 0: a scene with any is not followed.
pub fn overlaps(scene: &Scene) -> Result<Vec<Overlap>, ImpactError> {
    let model = Model::new(scene, None)?;
    let kinematics: Vec<Kinematics> = (model.assemblies.iter())
        .map(|assembly| {
            let (q, v) = assembly.start();
            let mut kinematics = Kinematics::default();
            assembly.kinematics(&q, &v, 0.0, &mut kinematics);
            kinematics
        })
        .collect();
    let at = |body: usize| -> (Pose, f64) {
        match model.place[body] {
            Place::Moving { assembly, body } => {
                (kinematics[assembly].poses[body], model.length[assembly])
            }
            Place::Fixed => (model.ground(body, 0.0).0, f64::INFINITY),
        }
    };
    let shaped: Vec<usize> =
        (0..scene.bodies.len()).filter(|body| !scene.bodies[*body].shapes.is_empty()).collect();
    let planar = scene.dimension == Dimension::Plane;
    let known: Vec<Vec<Result<KnownShape, String>>> = (scene.bodies.iter())
        .map(|body| body.shapes.iter().map(|shape| KnownShape::new(shape, planar)).collect())
        .collect();
    let mut found = Vec::new();
    for (i, &a) in shaped.iter().enumerate() {
        let (one, length) = at(a);
        for &b in &shaped[i + 1..] {
            let (other, its) = at(b);
            let apart: V3 = other.centre - one.centre;
            let reach = model.radius[a] + model.radius[b];
            if apart.norm_squared() > reach * reach {
                continue;
            }
            if model.material(a, b).is_none() {
                continue;
            }
            let mut deepest: f64 = 0.0;
            for (k, first) in scene.bodies[a].shapes.iter().enumerate() {
                for (l, second) in scene.bodies[b].shapes.iter().enumerate() {
                    let (Ok(x), Ok(y)) = (&known[a][k], &known[b][l]) else { continue };
                    // What planes of faces tell apart needs no features.
                    if x.distance_bound(&one, y, &other) >= 0.0 {
                        continue;
                    }
                    let depth = x.solids_overlap(&one, y, &other).or_else(|| {
                        let shapes = ShapePair::new(first, second, planar).ok()?;
                        Some(shapes.overlap(&one, &other))
                    });
                    deepest = deepest.max(depth.unwrap_or(0.0));
                }
            }
            if deepest > OVERLAP * length.min(its) {
                found.push(Overlap { bodies: [a, b], depth: deepest });
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::scene::{Pair, SceneBody, SceneJoint, SceneJointKind, Shape};
    use carom::Material;

    fn ball(name: &str, x: f64) -> SceneBody {
        let mut ball =
            SceneBody::moving(name, 2.0, [[0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]]);
        ball.position = [x, 0.0, 0.0];
        ball.shapes = vec![Shape::Sphere { radius: 0.5, center: [0.0; 3] }];
        ball
    }

    /// A pendulum of length 1.5 m has `I + m l²`, with an armature that much more; a lone body stands for itself.
    #[test]
    fn a_mass_matrix_by_hand() {
        let mut scene = Scene::new(Dimension::Space);
        scene.bodies = vec![SceneBody::fixed("ground"), ball("free", 9.0), ball("bob", 1.5)];
        scene.joints =
            vec![SceneJoint::new(SceneJointKind::Hinge, 0, 2, [0.0; 3], [0.0, 1.0, 0.0])];
        scene.joints[0].armature = 0.25;
        let matrix = mass_matrix(&scene).expect("a good scene");
        let bodies: Vec<usize> = matrix.velocities.iter().map(|v| v.body).collect();
        assert_eq!(bodies, [1, 1, 1, 1, 1, 1, 2]);
        let diagonal: Vec<f64> = (0..7).map(|i| matrix.rows[i][i]).collect();
        let expected = [2.0, 2.0, 2.0, 0.3, 0.3, 0.3, 0.3 + 2.0 * 1.5 * 1.5 + 0.25];
        assert!(diagonal.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-15), "{diagonal:?}");
    }

    /// Boxes that lie in each other corner first, and edge across edge: as deep as their features say.
    #[test]
    fn overlaps_of_solids_are_those_of_their_features() {
        let mut scene = Scene::new(Dimension::Space);
        let turns = [[1.0, 0.0, 0.0, 0.0], [0.8, 0.6, 0.0, 0.0], [0.9, 0.1, 0.3, -0.2]];
        for (k, turn) in turns.into_iter().enumerate() {
            let mut cube = ball(&format!("cube {k}"), 0.7 * k as f64);
            cube.orientation = crate::motion::scene::Turn::Quaternion(turn);
            let half = [0.5, 0.4, 0.3];
            cube.shapes =
                vec![Shape::Box { half, center: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] }];
            scene.bodies.push(cube);
        }
        scene.pairs = vec![Pair { a: None, b: None, material: Material::default() }];
        let model = Model::new(&scene, None).expect("a good scene");
        let found = overlaps(&scene).expect("a good scene");
        assert_eq!(found.len(), 2);
        for overlap in found {
            let [a, b] = overlap.bodies;
            let [one, other] = [a, b].map(|body| {
                let Place::Moving { assembly, body } = model.place[body] else {
                    panic!("it moves")
                };
                let mut kinematics = Kinematics::default();
                let (q, v) = model.assemblies[assembly].start();
                model.assemblies[assembly].kinematics(&q, &v, 0.0, &mut kinematics);
                kinematics.poses[body]
            });
            let pair = model.pair(a, b).expect("they collide");
            let depth = pair.shapes[0].overlap(&one, &other);
            assert!((overlap.depth - depth).abs() < 1e-15, "{overlap:?} {depth}");
        }
    }

    #[test]
    fn overlaps_are_those_of_bodies_that_collide() {
        let mut scene = Scene::new(Dimension::Space);
        scene.bodies = vec![ball("a", 0.0), ball("b", 0.9), ball("c", 1.9)];
        assert_eq!(overlaps(&scene).expect("a good scene"), []);
        let material = Material::default();
        scene.pairs = vec![Pair { a: None, b: None, material }];
        let found = overlaps(&scene).expect("a good scene");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].bodies, [0, 1]);
        assert!((found[0].depth - 0.1).abs() < 1e-15, "{found:?}");
    }
}
