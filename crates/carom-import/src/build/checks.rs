//! What a scene needs to be followed: masses, a mass matrix that is positive, shapes that carom follows against each other.

use super::{Builder, CARRIER, size_of};
use crate::Options;
use crate::fault::{Fault, Notes, Result};
use crate::frames::{Pose, from_third_axis, unit};
use crate::inertia::{self, Inertial};
use crate::robot::{Body, JointKind};
use crate::surfaces::Collisions;
use carom::ImpactError;
use carom_sim::motion::{ConvexHull, Shape, mass_matrix};

/// A mass matrix of unit diagonal has no smaller pivots than this: with smaller ones velocities move alike \[1\].
const LEAST_PIVOT: f64 = 1e-12;
/// Moments of inertia of no more than this times the mass are rounding of files, also negative ones [m²].
const ROUNDING: f64 = 1e-12;
/// The sides of the prism that stands for a cylinder: the first number of them whose hull is certain.
const SIDES: [usize; 5] = [16, 15, 14, 12, 10];

impl Builder<'_> {
    /// Moments of inertia that a body can have, or as they are.
    pub(super) fn possible(
        &self,
        mut whole: Inertial,
        head: usize,
        options: &Options,
        notes: &mut Notes,
    ) -> Inertial {
        let (mut moments, axes) = inertia::principal(whole.tensor);
        let mut sorted = moments;
        sorted.sort_by(f64::total_cmp);
        let [least, middle, most] = sorted;
        let Body { place, label, .. } = &self.robot.bodies[head];
        if most.max(-least) <= ROUNDING * whole.mass {
            whole.tensor = [[0.0; 3]; 3];
        } else if least < 0.0 && least >= -ROUNDING * whole.mass {
            moments = moments.map(|moment| moment.max(0.0));
            whole.tensor = inertia::from_principal(moments, axes);
        }
        if options.balance_inertia && most > least + middle {
            let mean = (least + middle + most) / 3.0;
            whole.tensor = inertia::diagonal([mean; 3]);
            let what = format!(
                "its moments of inertia {least}, {middle} and {most} kg·m² became their mean {mean}: no body has such"
            );
            notes.add(*place, label, what);
        }
        whole
    }

    /// A body that only joins others: next to no mass, if what hangs on it has some.
    pub(super) fn without_mass(
        &self,
        head: usize,
        members: usize,
        notes: &mut Notes,
    ) -> Result<Inertial> {
        let bodies = &self.robot.bodies;
        let hangs = |mut body: usize| loop {
            match bodies[body].parent {
                _ if body == head => break true,
                Some(parent) => body = parent,
                None => break false,
            }
        };
        let parts: Vec<Inertial> = (head..bodies.len())
            .filter(|body| hangs(*body))
            .map(|body| bodies[body].inertial.seen_from(self.placed[body].pose))
            .collect();
        let carried = Inertial::together(&parts);
        let Body { place, label, joints, .. } = &bodies[head];
        let free = joints.iter().any(|joint| joint.kind == JointKind::Free);
        if !(carried.mass > 0.0 && carried.mass.is_finite()) || free {
            let with = match members {
                1 => String::new(),
                count => format!(", with the {} fixed to it", count - 1),
            };
            let message = format!(
                "moves and has no mass{with}: give it an inertia, or fix it to what has one"
            );
            return Err(Fault::new(*place, label, message));
        }
        notes.add(*place, label, "has no mass and only joins others: it has next to none here");
        let placed = &self.placed[head];
        let center = placed.joints.last().map_or(placed.pose.place, |(point, _)| *point);
        let tensor = inertia::diagonal([CARRIER * size_of(&carried); 3]);
        Ok(Inertial { mass: CARRIER * carried.mass, center, tensor })
    }

    /// Cylinders that collide with what carom does not follow them against become prisms.
    pub(super) fn cut_cylinders(&mut self, collisions: &Collisions, notes: &mut Notes) {
        let is_cylinder = |shape: &Shape| matches!(shape, Shape::Cylinder { .. });
        let hinders = |shape: &Shape| {
            use Shape::{Box, Capsule, Convex, Cylinder};
            matches!(shape, Box { .. } | Capsule { .. } | Convex { .. } | Cylinder { .. })
        };
        let cut: Vec<usize> = (0..self.scene.bodies.len())
            .filter(|body| {
                self.scene.bodies[*body].shapes.iter().any(is_cylinder)
                    && collisions
                        .partners(*body)
                        .any(|other| self.scene.bodies[other].shapes.iter().any(hinders))
            })
            .collect();
        for body in cut {
            for (shape, source) in self.scene.bodies[body].shapes.iter_mut().zip(&self.shapes[body])
            {
                let Shape::Cylinder { radius, half_height, axis, center } = *shape else {
                    continue;
                };
                let turn = from_third_axis(unit(axis).unwrap_or([0.0, 0.0, 1.0]));
                let pose = Pose { place: center, turn };
                let prism = |sides: usize| -> Vec<[f64; 3]> {
                    let corner = |k: usize| {
                        let angle = (k / 2) as f64 * (2.0 * std::f64::consts::PI / sides as f64);
                        let height = if k.is_multiple_of(2) { half_height } else { -half_height };
                        pose.point([radius * libm::cos(angle), radius * libm::sin(angle), height])
                    };
                    (0..2 * sides).map(corner).collect()
                };
                let certain = |sides: &usize| ConvexHull::of(&prism(*sides)).is_ok();
                let sides = SIDES.into_iter().find(certain).unwrap_or(8);
                *shape = Shape::Convex { points: prism(sides) };
                let what = format!(
                    "the cylinder is a prism of {sides} sides: it collides with shapes that carom does not follow cylinders against"
                );
                notes.add(source.place, &source.label, what);
            }
        }
    }

    /// The mass matrix: whether there is one, and whether it is positive.
    pub(super) fn check_mass(&self) -> Result<()> {
        let matrix = mass_matrix(&self.scene).map_err(|error| self.blame(error))?;
        let mut rows = matrix.rows;
        let root: Vec<f64> = (0..rows.len()).map(|i| libm::sqrt(rows[i][i])).collect();
        for i in 0..rows.len() {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| rows[i][k] * rows[j][k]).sum();
                let entry = rows[i][j] / (root[i] * root[j]) - known;
                rows[i][j] = match i == j {
                    false => entry / rows[j][j],
                    true if entry > LEAST_PIVOT => libm::sqrt(entry),
                    true => {
                        let message = "has no inertia of its own in this pose: its joint moves nothing but what other joints \
                                       move alike, as two hinges on one axis";
                        let body = matrix.velocities[i].body;
                        return Err(match &self.bodies[body] {
                            Some(source) => Fault::new(source.place, &source.label, message),
                            None => Fault::of_call(message),
                        });
                    }
                };
            }
        }
        Ok(())
    }

    /// What carom says of the scene, with the place in the robot's file.
    pub(super) fn blame(&self, error: ImpactError) -> Fault {
        let ImpactError::BadProblem { field, value, reason } = &error else {
            return Fault::of_call(error.to_string());
        };
        let index = |list: &str| -> Option<usize> {
            field.strip_prefix(list)?.strip_prefix('[')?.split(']').next()?.parse().ok()
        };
        let source = match (index("bodies"), index("joints")) {
            (Some(body), _) => self.bodies.get(body).and_then(Option::as_ref),
            (_, Some(joint)) => self.joints.get(joint),
            _ => None,
        };
        let what = field.rsplit('.').next().unwrap_or(field);
        let message = match what.contains('[') {
            true => format!("{value}: {reason}"),
            false => format!("{what} {value}: {reason}"),
        };
        match source {
            Some(source) => Fault::new(source.place, &source.label, message),
            None => Fault::of_call(error.to_string()),
        }
    }
}
