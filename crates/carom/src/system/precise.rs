//! What an impulse does to masses and joints, in twice the precision and with a bound on its error. Nothing of it goes
//! through `W`: rows, masses and velocities are taken as they are given.

use super::bilateral::Bilateral;
use super::generalized::Generalized;
use super::mass::Mass;
use crate::Tolerances;
use crate::contact::{MassMotion, Motion};
use crate::numerics::ball::Ball;
use crate::numerics::largest;
use crate::numerics::sparse::{SparseRow, SparseRows};
use std::ops::Range;

/// Systems with more independent joint rows, or more coordinates behind a full mass matrix, are judged by `W`: the work
/// grows with the square of their number, and at each step.
const MOST: usize = 600;
/// Corrections of a solution in working precision; each gains seven digits or more, or none.
const MOST_CORRECTIONS: usize = 12;

/// A sum of products is rounded to doubles within this part of the sizes of its terms \[1\].
const START_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// How far rows, velocities and masses can be from what the caller described, as where lever arms were computed.
#[derive(Clone, Debug, Default)]
pub(super) struct Inexact {
    /// Of the entries of the contact rows, and of their drives.
    pub(super) contacts: Option<(SparseRows, Vec<f64>)>,
    /// Of the entries of the joint rows, and of their drives.
    pub(super) joints: Option<(SparseRows, Vec<f64>)>,
    /// Of the velocities; empty where they are exact.
    pub(super) velocity: Vec<f64>,
    /// Of every entry of the block of the mass matrix that belongs to these coordinates.
    pub(super) inertia: Vec<(Range<usize>, f64)>,
}

/// Velocities of the coordinates. What a row measures of them is off by `slack` times the row's own length, beside the
/// bounds of the numbers.
#[derive(Clone)]
struct Velocities {
    each: Vec<Ball>,
    /// In the metric of the masses [√J].
    slack: f64,
}

impl Generalized {
    /// The contact velocities before and after an impulse, and the change of the kinetic energy. Absent where there are
    /// too many joints, or where joints contradict each other.
    pub(super) fn motion(&self, impulse: &[f64]) -> Option<Motion> {
        let parts = self.parts();
        let (mass, bilateral, inexact) = (parts.mass, parts.bilateral, parts.inexact);
        if !mass.is_diagonal() && parts.velocity.len() > MOST {
            return None;
        }
        let joints = Joints::new(bilateral, mass)?;
        let off = |c: usize| inexact.velocity.get(c).copied().unwrap_or(0.0);
        let given = parts.velocity.iter().enumerate().map(|(c, v)| Ball::from(*v).widened(off(c)));
        let start = Velocities { each: given.collect(), slack: 0.0 };

        let still = vec![0.0; impulse.len()];
        let contact_off = inexact.contacts.as_ref().map(|(rows, drives)| (rows, &drives[..]));
        let undriven_off = contact_off.map(|(rows, _)| (rows, &still[..]));
        let joint_off = inexact.joints.as_ref().map(|(rows, drives)| (rows, &drives[..]));
        let mut held = start.clone();
        let mut lambda = vec![Ball::ZERO; joints.kept.len()];
        if parts.joints_broken {
            joints.hold(&mut held, &mut lambda, true, mass, bilateral, inexact);
            let all = measured(
                &bilateral.joints().rows,
                joint_off,
                &held,
                mass,
                &bilateral.joints().drive,
            );
            if all
                .iter()
                .any(|u| u.round().abs() > Tolerances::NOMINAL.class * largest(parts.velocity))
            {
                return None;
            }
        }
        let p: Vec<Ball> = impulse.iter().map(|p| Ball::from(*p)).collect();
        let momentum = momentum(parts.jacobian, contact_off.map(|o| o.0), &p);
        let mut change = solve(mass, &momentum, inexact);
        joints.hold(&mut change, &mut lambda, false, mass, bilateral, inexact);

        let before = measured(parts.jacobian, contact_off, &held, mass, parts.drive);
        let gained = measured(parts.jacobian, undriven_off, &change, mass, &still);
        let after: Vec<Ball> = before.iter().zip(&gained).map(|(u, du)| *u + *du).collect();

        // M (v⁺ − v⁻) = Jᵀp + Bᵀλ, so ½ (v⁺ − v⁻)·M (v⁻ + v⁺) is half the work of p and λ on v⁻ + v⁺.
        let sums = start.each.iter().zip(&held.each).zip(&change.each);
        let both = Velocities {
            each: sums.map(|((a, b), c)| *a + *b + *c).collect(),
            slack: held.slack + change.slack,
        };
        let along = measured(parts.jacobian, undriven_off, &both, mass, &still);
        let kept = &joints.bare;
        let joint_still = vec![0.0; joints.kept.len()];
        let kept_off = joint_off.map(|(rows, _)| joints.pick(rows));
        let kept_off = kept_off.as_ref().map(|rows| (rows, &joint_still[..]));
        let along_joints = measured(kept, kept_off, &both, mass, &joint_still);
        let work = |of: &[Ball], on: &[Ball]| {
            of.iter().zip(on).fold(Ball::ZERO, |sum, (p, u)| sum + *p * *u)
        };
        let doubled = work(&p, &along) + work(&lambda, &along_joints);
        Some(Motion {
            before,
            after,
            masses: Some(MassMotion {
                kinetic_energy_change: doubled * 0.5.into(),
                before_rounding: rounding(parts.jacobian, &held, parts.drive),
                joints_broken: parts.joints_broken,
            }),
        })
    }
}

/// Independent joint rows, and the triangle that solves for their impulses: `B M⁻¹ Bᵀ = C Cᵀ` up to rounding.
struct Joints {
    kept: Vec<usize>,
    bare: SparseRows,
    /// The rows that say nothing new, up to rounding.
    redundant: Vec<usize>,
    redundant_rows: SparseRows,
    drive: Vec<f64>,
    triangle: Vec<Vec<f64>>,
}

impl Joints {
    fn new(bilateral: &Bilateral, mass: &Mass) -> Option<Self> {
        let kept = bilateral.kept().to_vec();
        if kept.len() > MOST {
            return None;
        }
        let all = bilateral.joints();
        let mut bare = SparseRows::new(all.rows.width());
        kept.iter().for_each(|&k| bare.push_row(all.rows.row(k)));
        let redundant: Vec<usize> = (0..all.rows.len()).filter(|k| !kept.contains(k)).collect();
        let mut redundant_rows = SparseRows::new(all.rows.width());
        redundant.iter().for_each(|&k| redundant_rows.push_row(all.rows.row(k)));
        let drive = kept.iter().map(|&k| all.drive[k]).collect();
        let triangle = bare.rows().enumerate().map(|(k, row)| bilateral.shares(row, k, mass));
        let triangle = triangle.collect();
        Some(Self { kept, bare, redundant, redundant_rows, drive, triangle })
    }

    fn pick(&self, rows: &SparseRows) -> SparseRows {
        let mut picked = SparseRows::new(rows.width());
        self.kept.iter().for_each(|&k| picked.push_row(rows.row(k)));
        picked
    }

    /// Makes the joints hold: takes from the velocities what their impulses, added to `lambda`, take.
    fn hold(
        &self,
        velocities: &mut Velocities,
        lambda: &mut [Ball],
        driven: bool,
        mass: &Mass,
        bilateral: &Bilateral,
        inexact: &Inexact,
    ) {
        if self.kept.is_empty() {
            return;
        }
        let drive = if driven { self.drive.clone() } else { vec![0.0; self.kept.len()] };
        let off = inexact.joints.as_ref().map(|(rows, drives)| {
            let drives = self.kept.iter().map(|&k| if driven { drives[k] } else { 0.0 });
            (self.pick(rows), drives.collect::<Vec<f64>>())
        });
        let off = off.as_ref().map(|(rows, drives)| (rows, &drives[..]));
        let mut own = vec![Ball::ZERO; self.kept.len()];
        let mut least = f64::INFINITY;
        for _ in 0..MOST_CORRECTIONS {
            let rest = self.rest(velocities, off, mass, &drive);
            let middle: Vec<f64> = rest.iter().map(|r| r.round()).collect();
            let size = norm(&self.forward(&middle));
            if size == 0.0 || size >= 0.5 * least {
                break;
            }
            least = size;
            let step = self.backward(&self.forward(&middle));
            let step: Vec<Ball> = step.into_iter().map(|l| Ball::from(-l)).collect();
            own.iter_mut().zip(&step).for_each(|(l, s)| *l = (*l + *s).center());
            let taken = solve(mass, &momentum(&self.bare, None, &step), &Inexact::default());
            velocities.each.iter_mut().zip(&taken.each).for_each(|(v, dv)| *v += *dv);
            velocities.slack += taken.slack;
        }
        // The rows themselves may be off, and with them what the impulses do.
        if let Some((rows, _)) = off {
            for (row, l) in rows.rows().zip(&own) {
                for (c, r) in row.iter() {
                    velocities.each[c] =
                        velocities.each[c].widened(r * l.size() / mass.pivots()[c]);
                }
            }
        }
        let rest = self.rest(velocities, off, mass, &drive);
        let middle: Vec<f64> = rest.iter().map(|r| r.round()).collect();
        let mut radii: Vec<f64> = rest.iter().map(|r| r.error()).collect();
        // Which of two rows that say the same is redundant, rounding decides.
        if !self.redundant.is_empty() {
            let loose = self.loose(velocities, mass, driven, bilateral);
            let lengths = self.bare.rows().map(|row| length(row, mass));
            radii.iter_mut().zip(lengths).for_each(|(r, length)| *r += loose * length);
        }
        // Twice: the triangle is known in working precision only.
        velocities.slack +=
            2.0 * (norm(&self.forward(&middle)) + norm(&self.forward_bound(&radii)));
        lambda.iter_mut().zip(&own).for_each(|(l, own)| *l += *own);
    }

    /// What the joints still move, velocities taken as exact.
    fn rest(
        &self,
        velocities: &Velocities,
        off: Option<(&SparseRows, &[f64])>,
        mass: &Mass,
        drive: &[f64],
    ) -> Vec<Ball> {
        let each = velocities.each.iter().map(|v| v.center()).collect();
        measured(&self.bare, off, &Velocities { each, slack: 0.0 }, mass, drive)
    }

    /// How fast redundant rows still move, each relative to its own length [√J].
    fn loose(&self, velocities: &Velocities, mass: &Mass, driven: bool, all: &Bilateral) -> f64 {
        let drive = |k: &usize| if driven { all.joints().drive[*k] } else { 0.0 };
        let drive: Vec<f64> = self.redundant.iter().map(drive).collect();
        let moving = measured(&self.redundant_rows, None, velocities, mass, &drive);
        let rows = self.redundant_rows.rows().zip(&moving);
        rows.map(|(row, u)| u.size() / length(row, mass)).filter(|x| x.is_finite()).sum()
    }

    /// `C⁻¹ r`.
    fn forward(&self, r: &[f64]) -> Vec<f64> {
        let mut z: Vec<f64> = Vec::with_capacity(r.len());
        for (row, r) in self.triangle.iter().zip(r) {
            let known: f64 = row.iter().zip(&z).map(|(c, z)| c * z).sum();
            z.push((r - known) / row[z.len()]);
        }
        z
    }

    /// No less than `|C⁻¹| r`.
    fn forward_bound(&self, r: &[f64]) -> Vec<f64> {
        let mut z: Vec<f64> = Vec::with_capacity(r.len());
        for (row, r) in self.triangle.iter().zip(r) {
            let known: f64 = row.iter().zip(&z).map(|(c, z)| c.abs() * z).sum();
            z.push((r + known) / row[z.len()].abs());
        }
        z
    }

    /// `C⁻ᵀ z`.
    fn backward(&self, z: &[f64]) -> Vec<f64> {
        let mut x = z.to_vec();
        for k in (0..x.len()).rev() {
            x[k] /= self.triangle[k][k];
            for j in 0..k {
                x[j] -= self.triangle[k][j] * x[k];
            }
        }
        x
    }
}

fn norm(z: &[f64]) -> f64 {
    z.iter().fold(0.0, |h, z| libm::hypot(h, *z))
}

/// The length of a row in the metric of the inverse masses.
fn length(row: SparseRow, mass: &Mass) -> f64 {
    let mut y = row.to_dense(mass.pivots().len());
    mass.weigh(&mut y);
    mass.norm(&y)
}

/// `Jᵀ p`; entries may be off by `radii`.
fn momentum(rows: &SparseRows, radii: Option<&SparseRows>, impulse: &[Ball]) -> Vec<Ball> {
    let mut sum = vec![Ball::ZERO; rows.width()];
    for (row, p) in rows.rows().zip(impulse) {
        row.iter().for_each(|(c, x)| sum[c] += Ball::from(x) * *p);
    }
    for (row, p) in radii.into_iter().flat_map(|radii| radii.rows()).zip(impulse) {
        row.iter().for_each(|(c, r)| sum[c] = sum[c].widened(r * p.size()));
    }
    sum
}

/// `J v + drive`; entries and drives may be off.
fn measured(
    rows: &SparseRows,
    off: Option<(&SparseRows, &[f64])>,
    velocities: &Velocities,
    mass: &Mass,
    drive: &[f64],
) -> Vec<Ball> {
    rows.rows()
        .zip(drive)
        .enumerate()
        .map(|(i, (row, w))| {
            let mut u = row
                .iter()
                .fold(Ball::from(*w), |sum, (c, x)| sum + Ball::from(x) * velocities.each[c]);
            if let Some((radii, drives)) = off {
                let entries = radii.row(i).iter().map(|(c, r)| r * velocities.each[c].size());
                u = u.widened(entries.sum::<f64>() + drives[i]);
            }
            if velocities.slack > 0.0 { u.widened(velocities.slack * length(row, mass)) } else { u }
        })
        .collect()
}

/// What rounding to doubles may leave of `J v + drive`: laws see no smaller approach.
fn rounding(rows: &SparseRows, velocities: &Velocities, drive: &[f64]) -> Vec<f64> {
    let sum = |(row, w): (SparseRow, &f64)| {
        row.iter().fold(w.abs(), |sum, (c, x)| sum + (x * velocities.each[c].round()).abs())
    };
    rows.rows().zip(drive).map(sum).map(|sum| START_ROUNDING * sum).collect()
}

/// `M⁻¹ x`.
fn solve(mass: &Mass, momentum: &[Ball], inexact: &Inexact) -> Velocities {
    if mass.is_diagonal() {
        let quotients = momentum.iter().zip(mass.pivots()).map(|(x, m)| x.over(*m));
        let mut each: Vec<Ball> = quotients.collect();
        for (range, off) in &inexact.inertia {
            let size: f64 = each[range.clone()].iter().map(|v| v.size()).sum();
            for c in range.clone() {
                each[c] = each[c].widened(2.0 * off * size / mass.pivots()[c]);
            }
        }
        return Velocities { each, slack: 0.0 };
    }
    let mut each = vec![Ball::ZERO; momentum.len()];
    let mut rest: Vec<Ball> = momentum.to_vec();
    let mut least = f64::INFINITY;
    for _ in 0..MOST_CORRECTIONS {
        let mut y: Vec<f64> = rest.iter().map(|r| r.round()).collect();
        mass.weigh(&mut y);
        let size = mass.norm(&y);
        if size == 0.0 || size >= 0.5 * least {
            break;
        }
        least = size;
        let step = mass.velocity(&y);
        each.iter_mut().zip(&step).for_each(|(v, dv)| *v = (*v + (*dv).into()).center());
        rest = mass.rest(momentum, &each);
    }
    let mut middle: Vec<f64> = rest.iter().map(|r| r.round()).collect();
    mass.weigh(&mut middle);
    let mut radii: Vec<f64> = rest.iter().map(|r| r.error()).collect();
    mass.weigh_bound(&mut radii);
    // Twice: the factors are known in working precision only.
    let slack = 2.0 * (mass.norm(&middle) + mass.norm(&radii));
    Velocities { each, slack }
}
