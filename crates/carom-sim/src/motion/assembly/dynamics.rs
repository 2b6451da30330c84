//! The mass matrix, its factor, and the free acceleration.

use super::{Assembly, Dynamics, Kinematics, Matrices, Powers, Wrench};
use crate::motion::report::Failure;

/// A block of the mass matrix: the velocities of a tree; of a lone free body those of its centre and of its rotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The first of its velocities.
    pub(super) start: usize,
    /// How many velocities.
    pub(super) size: usize,
    /// Where its factor begins.
    pub(super) at: usize,
    pub(super) diagonal: bool,
}

impl Block {
    /// How many numbers its factor has.
    pub(super) fn entries(&self) -> usize {
        if self.diagonal { self.size } else { self.size * self.size }
    }
}

impl Assembly {
    pub(super) fn equations(
        &self,
        q: &[f64],
        v: &[f64],
        kinematics: &Kinematics,
        extra: &[Wrench],
        out: &mut Dynamics,
    ) -> Result<(), Failure> {
        self.factored_mass(kinematics, out);
        out.free.clear();
        out.free.resize(self.velocities(), 0.0);
        out.wrenches.clear();
        out.wrenches.resize(self.nodes.len(), Wrench::ZERO);
        out.powers = Powers::default();
        self.apply_forces(q, v, kinematics, out)?;
        for ((sum, wrench), twist) in out.wrenches.iter_mut().zip(extra).zip(&kinematics.twists) {
            out.powers.forces += wrench.force.dot(&twist.velocity) + wrench.torque.dot(&twist.spin);
            sum.force += wrench.force;
            sum.torque += wrench.torque;
        }
        for (body, (node, wrench)) in self.nodes.iter().zip(&out.wrenches).enumerate() {
            let rotation = &kinematics.poses[body].rotation;
            let spin = kinematics.twists[body].spin;
            let mut force = wrench.force + self.gravity * node.mass;
            let mut torque = wrench.torque;
            // Of an isotropic inertia the moment is parallel to ω; taken as zero, not as rounding.
            if !node.isotropic {
                torque -= spin.cross(&node.angular_momentum(rotation, &spin));
            }
            if !node.alone {
                let [linear, angular] = kinematics.bias[body];
                force -= linear * node.mass;
                torque -= node.angular_momentum(rotation, &angular);
            }
            self.add_columns(kinematics, body, &force, &torque, &mut out.free);
        }
        let mut free = std::mem::take(&mut out.free);
        out.forward(&mut free);
        let held = if self.loops.is_empty() {
            Ok(())
        } else {
            self.prepare_loops(kinematics, out);
            self.hold_loops(kinematics, out, &mut free)
        };
        out.backward(&mut free);
        if self.loops.is_empty() {
            // Free fall to the last bit, not through the mass and its root.
            for (node, wrench) in
                self.nodes.iter().zip(&out.wrenches).filter(|(node, _)| node.alone)
            {
                let fall = self.gravity + wrench.force / node.mass;
                let lengths = if self.planar { 2 } else { 3 };
                free[node.v..node.v + lengths].copy_from_slice(&fall.as_slice()[..lengths]);
            }
        }
        out.free = free;
        held
    }

    /// The lower triangle of `M`, block by block.
    fn mass(&self, kinematics: &Kinematics, out: &mut Dynamics) {
        out.blocks.clear();
        out.blocks.extend_from_slice(&self.blocks);
        out.factor.clear();
        out.factor.resize(self.blocks.iter().map(Block::entries).sum(), 0.0);
        let mut blocks = self.blocks.iter().peekable();
        for (body, node) in self.nodes.iter().enumerate() {
            let inertia = node.world_inertia(&kinematics.poses[body].rotation);
            if node.alone {
                // Its own block or two.
                while blocks.next_if(|block| block.start < node.v).is_some() {}
                if self.planar {
                    let at = blocks.next().map_or(0, |block| block.at);
                    out.factor[at..at + 3].copy_from_slice(&[
                        node.mass,
                        node.mass,
                        inertia[(2, 2)],
                    ]);
                } else {
                    let at = blocks.next().map_or(0, |block| block.at);
                    out.factor[at..at + 3].fill(node.mass);
                    let Some(turning) = blocks.next() else { continue };
                    let entries = &mut out.factor[turning.at..turning.at + turning.entries()];
                    if turning.diagonal {
                        entries.fill(inertia[(2, 2)]);
                    } else {
                        // Symmetric: rows or columns.
                        entries.copy_from_slice(inertia.as_slice());
                    }
                }
                continue;
            }
            let of = node.columns.clone();
            let Some(&last) = self.columns[of.clone()].last() else { continue };
            while blocks.next_if(|block| block.start + block.size <= last).is_some() {}
            let Some(&&block) = blocks.peek() else { continue };
            let columns = &self.columns[of.clone()];
            let jacobian = &kinematics.jacobian[of];
            for (i, (&row, [linear, angular])) in columns.iter().zip(jacobian).enumerate() {
                let (momentum, moment) = (linear * node.mass, inertia * angular);
                let entries = &mut out.factor[block.at + (row - block.start) * block.size..];
                for (&column, [linear, angular]) in columns.iter().zip(jacobian).take(i + 1) {
                    entries[column - block.start] += momentum.dot(linear) + moment.dot(angular);
                }
            }
        }
        for at in self.coordinates.iter().filter(|at| at.armature != 0.0) {
            let holds = |block: &&Block| (block.start..block.start + block.size).contains(&at.v);
            let Some(block) = self.blocks.iter().find(holds) else { continue };
            out.factor[block.at + (at.v - block.start) * (block.size + 1)] += at.armature;
        }
    }

    /// `M` and its factor.
    pub(super) fn factored_mass(&self, kinematics: &Kinematics, out: &mut Dynamics) {
        self.mass(kinematics, out);
        for block in &self.blocks {
            let entries = &mut out.factor[block.at..block.at + block.entries()];
            if block.diagonal {
                entries.iter_mut().for_each(|x| *x = f64::sqrt(*x));
            } else {
                cholesky(entries, block.size);
            }
        }
    }

    pub(super) fn full_matrices(&self, kinematics: &Kinematics) -> Matrices {
        let n = self.velocities();
        let mut work = Dynamics::default();
        self.mass(kinematics, &mut work);
        let mut mass = vec![0.0; n * n];
        for block in &self.blocks {
            for i in 0..block.size {
                for j in if block.diagonal { i..i + 1 } else { 0..i + 1 } {
                    let entry =
                        work.factor[block.at + if block.diagonal { i } else { i * block.size + j }];
                    let (row, column) = (block.start + i, block.start + j);
                    mass[row * n + column] = entry;
                    mass[column * n + row] = entry;
                }
            }
        }
        let mut out = Matrices { mass, ..Matrices::default() };
        self.loop_matrices(kinematics, &mut out);
        out
    }
}

/// `A = C Cᵀ`, C in place of the lower triangle. A matrix that is not positive leaves what is not a number, and with it an
/// infinite error of the step.
fn cholesky(a: &mut [f64], n: usize) {
    for i in 0..n {
        let (above, row) = a.split_at_mut(i * n);
        for j in 0..i {
            let other = &above[j * n..j * n + j + 1];
            let known: f64 = row[..j].iter().zip(other).map(|(x, y)| x * y).sum();
            row[j] = (row[j] - known) / other[j];
        }
        let known: f64 = row[..i].iter().map(|x| x * x).sum();
        row[i] = f64::sqrt(row[i] - known);
    }
}

impl Dynamics {
    /// `x ← C⁻¹ x`.
    pub(super) fn forward(&self, x: &mut [f64]) {
        for block in &self.blocks {
            let n = block.size;
            let x = &mut x[block.start..block.start + n];
            if x.iter().all(|x| *x == 0.0) {
                continue;
            }
            let c = &self.factor[block.at..block.at + block.entries()];
            if block.diagonal {
                x.iter_mut().zip(c).for_each(|(x, c)| *x /= c);
                continue;
            }
            for i in 0..n {
                let row = &c[i * n..i * n + i + 1];
                let known: f64 = row.iter().zip(&x[..i]).map(|(c, x)| c * x).sum();
                x[i] = (x[i] - known) / row[i];
            }
        }
    }

    /// `x ← C⁻ᵀ x`.
    pub(super) fn backward(&self, x: &mut [f64]) {
        for block in &self.blocks {
            let n = block.size;
            let x = &mut x[block.start..block.start + n];
            if x.iter().all(|x| *x == 0.0) {
                continue;
            }
            let c = &self.factor[block.at..block.at + block.entries()];
            if block.diagonal {
                x.iter_mut().zip(c).for_each(|(x, c)| *x /= c);
                continue;
            }
            for i in (0..n).rev() {
                let row = &c[i * n..i * n + i + 1];
                x[i] /= row[i];
                let known = x[i];
                x[..i].iter_mut().zip(row).for_each(|(x, c)| *x -= c * known);
            }
        }
    }
}
