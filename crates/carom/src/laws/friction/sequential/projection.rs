//! The limit of an endless sequence of collisions without friction.
//!
//! If from some collision on the same contacts collide for ever, velocities tend to the ones nearest in the kinetic metric
//! at which all of these contacts are at rest, whatever their `e` and their order: what is added lies in the span of their
//! impulses, and what is left vanishes at each of them.
//!
//! For `e ≤ 1` no collision moves the velocities away from any at which no contact approaches. So the end of any sequence
//! is no further from the nearest such velocity than the sequence is now.

use super::colliders::{ColliderSet, Role};
use super::pairwise::{Block, Pairwise};
use super::tolerances::{APART, BAND_ENTRIES, CERTAIN, DENSE_ROWS, NEAR};
use crate::Tolerances;
use crate::numerics::active_set::{ActiveSet, Lcp, LcpSolution, Row};
use crate::numerics::envelope::Envelope;
use crate::numerics::factor::Factor;

/// The limit of a sequence from its present velocities.
pub(crate) struct Projection {
    /// Rows that take part.
    pub(crate) rows: Vec<usize>,
    /// What the sequence will add to them [N·s].
    pub(crate) impulse: Vec<f64>,
    /// The distance of the limit in the kinetic metric: any sequence of these contacts ends within it [√J].
    pub(crate) distance: f64,
    /// The speed before, in the kinetic metric: no less than this [√J].
    scale: f64,
    /// Whether no other contact can be closed on the way.
    alone: bool,
}

impl Projection {
    /// Distances up to this are near [√J].
    pub(crate) fn goal(&self) -> f64 {
        NEAR * self.scale
    }

    /// Whether it is near enough to end a sequence that goes on.
    pub(crate) fn is_near(&self) -> bool {
        self.distance <= self.goal()
    }

    /// Whether a limit at this distance need not be refined any further.
    pub(crate) fn is_certain(&self, distance: f64) -> bool {
        distance <= CERTAIN * self.scale
    }

    /// Whether its distance bounds what is left of a sequence that was followed down to the tolerance.
    pub(crate) fn is_bound(&self) -> bool {
        self.is_near() || self.alone
    }

    /// The limit if the `firing` colliders collide for ever. None if they cannot, or if it is distant and `far` limits are
    /// not wanted.
    pub(crate) fn new(
        set: &ColliderSet,
        pairwise: Pairwise,
        u: &[f64],
        firing: impl Fn(usize) -> bool,
        far: bool,
        tolerances: &Tolerances,
    ) -> Option<Self> {
        let zero = tolerances.approach * set.speed;
        let stays = |k: usize, row: usize| firing(k) && u[row] <= APART * zero;
        let mut taking_part: Vec<(usize, Row)> = Vec::new();
        // No speed in the kinetic metric is less than that of one row of it.
        let mut before = 0.0_f64;
        let mut now = 0.0_f64;
        for (k, collider) in set.colliders.iter().enumerate() {
            match &collider.role {
                Role::Rebounds { block, material } => {
                    let row = collider.rows.start;
                    before = before.max(kinetic(set.start[row], block));
                    if stays(k, row) {
                        if !pairwise.smooth(collider.rows.len(), material) {
                            return None;
                        }
                        now = now.max(kinetic(u[row], block));
                        taking_part.push((row, Row::Unilateral));
                    }
                }
                Role::Holds { .. } => {
                    taking_part.extend(collider.rows.clone().map(|row| (row, Row::Bilateral)));
                }
            }
        }
        let scale = f64::sqrt(before);
        if !far && f64::sqrt(now) > NEAR * scale {
            return None;
        }
        taking_part.sort_by_key(|(row, _)| *row);
        let at_rest = RestProblem::new(set, taking_part, u, tolerances);
        let impulse = at_rest.impulse()?;
        let (distance, rows) = (at_rest.distance(&impulse), at_rest.rows);
        let mut total = vec![0.0; u.len()];
        rows.iter().zip(&impulse).for_each(|(&i, p)| total[i] = *p);
        let after = set.w.apply_to(&total, u);
        let mut alone = true;
        for (k, collider) in set.colliders.iter().enumerate() {
            if set.key(k, &after) > zero {
                return None;
            }
            if let Role::Rebounds { block, .. } = &collider.role {
                let row = collider.rows.start;
                if stays(k, row) {
                    continue;
                }
                // On the way |Δu_n| ≤ √W_nn |Δv|; a contact that the projection does not move is out of reach.
                let reach = f64::sqrt(block.normal()) * distance;
                alone &= after[row] >= reach || after[row] == u[row];
            }
        }
        Some(Self { rows, impulse, distance, scale, alone })
    }

    /// The nearest velocity at which no contact approaches, joints at rest; none if there are too many rows.
    pub(crate) fn nearest(set: &ColliderSet, u: &[f64], tolerances: &Tolerances) -> Option<Self> {
        let mut all: Vec<(usize, Row)> = Vec::new();
        let mut before = 0.0_f64;
        for collider in &set.colliders {
            match &collider.role {
                Role::Rebounds { block, .. } => {
                    before = before.max(kinetic(set.start[collider.rows.start], block));
                    all.push((collider.rows.start, Row::Unilateral));
                }
                Role::Holds { .. } => {
                    all.extend(collider.rows.clone().map(|row| (row, Row::Bilateral)));
                }
            }
        }
        if all.len() > DENSE_ROWS {
            return None;
        }
        let at_rest = RestProblem::new(set, all, u, tolerances);
        let impulse = at_rest.solve()?.z;
        let distance = at_rest.distance(&impulse);
        Some(Self { rows: at_rest.rows, impulse, distance, scale: f64::sqrt(before), alone: true })
    }
}

/// Twice the energy that a row's own velocity stands for, whatever the others do \[J\].
fn kinetic(u: f64, block: &Block) -> f64 {
    if block.normal() > 0.0 { u * u / block.normal() } else { 0.0 }
}

/// `0 ≤ p ⟂ W p + offset ≥ 0` on some rows: the impulses that bring them to rest.
struct RestProblem<'a> {
    set: &'a ColliderSet<'a>,
    rows: Vec<usize>,
    kinds: Vec<Row>,
    /// Velocities of the rows [m/s].
    offset: Vec<f64>,
    tolerances: &'a Tolerances,
}

impl<'a> RestProblem<'a> {
    fn new(
        set: &'a ColliderSet,
        rows: Vec<(usize, Row)>,
        u: &[f64],
        tolerances: &'a Tolerances,
    ) -> Self {
        let (rows, kinds): (Vec<usize>, Vec<Row>) = rows.into_iter().unzip();
        let offset = rows.iter().map(|&i| u[i]).collect();
        Self { set, rows, kinds, offset, tolerances }
    }

    /// How far impulses lead from the velocities `u` of the rows that they bring to rest: `√(−p·u)`, since
    /// `W p = −u` [√J].
    fn distance(&self, p: &[f64]) -> f64 {
        let square: f64 = -p.iter().zip(&self.offset).map(|(p, u)| p * u).sum::<f64>();
        f64::sqrt(square.max(0.0))
    }

    fn solve(&self) -> Option<LcpSolution> {
        let matrix = self.set.w.dense_block(&self.rows);
        let factor = Factor::new(&matrix, self.tolerances.rank);
        let (rows, offset) = (&self.kinds, &self.offset);
        ActiveSet::default()
            .solve(&Lcp { matrix: &matrix, factor: &factor, rows, offset, exact: None })
            .ok()
    }

    /// The impulses that bring all rows to rest, those of contacts pushing. None if there are none.
    fn impulse(&self) -> Option<Vec<f64>> {
        if self.rows.len() > DENSE_ROWS {
            return self.impulse_in_band();
        }
        let solution = self.solve()?;
        let zero = self.tolerances.residual * self.set.speed;
        solution.w.iter().all(|w| *w <= zero).then_some(solution.z)
    }

    /// [`Self::impulse`] for many rows that are not redundant and lie in a band.
    fn impulse_in_band(&self) -> Option<Vec<f64>> {
        let mut place = vec![usize::MAX; self.set.start.len()];
        self.rows.iter().enumerate().for_each(|(k, &row)| place[row] = k);
        let row = |k: usize, take: &mut dyn FnMut(usize, f64)| {
            self.set.for_row(self.rows[k], |j, w| {
                if place[j] != usize::MAX {
                    take(place[j], w);
                }
            });
        };
        let band = Envelope::new(self.rows.len(), row, BAND_ENTRIES, self.tolerances.rank)?;
        let mut impulse: Vec<f64> = self.offset.iter().map(|u| -u).collect();
        band.solve(&mut impulse);
        // One refinement for what rounding left.
        let mut left: Vec<f64> = self.offset.iter().map(|u| -u).collect();
        for (k, left) in left.iter_mut().enumerate() {
            row(k, &mut |j, w| *left -= w * impulse[j]);
        }
        band.solve(&mut left);
        impulse.iter_mut().zip(&left).for_each(|(p, d)| *p += d);
        let pushes = |(p, kind): (&f64, &Row)| *p >= 0.0 || *kind == Row::Bilateral;
        impulse.iter().zip(&self.kinds).all(pushes).then_some(impulse)
    }
}
