//! The limit of an endless sequence of collisions without friction.
//!
//! If from some collision on the same contacts collide for ever, each of them again and again, velocities tend to the
//! ones nearest in the kinetic metric at which all of these contacts are at rest, whatever their `e` and their order:
//! what is added lies in the span of their impulses, and what is left vanishes at each of them.

use super::arena::{Arena, Name, Role};
use super::pairwise::Pairwise;
use crate::Tolerances;
use crate::multi::solve::active_set::{ActiveSet, Lcp, Row};
use crate::multi::solve::factor::Factor;

/// A projection on the limit is believed if it is this near, relative to the speed before, both in the kinetic
/// metric \[1\]. Further away a sequence may still end by itself: fifty equal balls at `e = 0.9` do after 2161 collisions,
/// and after 1176 they have not yet come together.
const NEAR: f64 = 1e-11;

/// More rows than this are projected only where they form a band.
const DENSE_ROWS: usize = 300;

/// Entries of a band that are worth their memory.
const BAND_ENTRIES: usize = 1 << 22;

/// The limit of a sequence, as seen from where it is.
pub(super) struct Projection {
    /// Rows of the arena that take part.
    pub(super) rows: Vec<usize>,
    /// What the sequence will add to them [N·s].
    pub(super) impulse: Vec<f64>,
    /// How far away the limit is, in the kinetic metric: however the sequence goes on with these contacts, it ends
    /// within this distance of the projection [√J].
    pub(super) distance: f64,
    near: bool,
    /// Whether no other contact can be closed on the way.
    alone: bool,
}

impl Projection {
    /// Collisions after which those who have not collided are believed to be out.
    pub(super) fn window(parties: usize) -> u64 {
        (8 * parties as u64).max(60)
    }

    /// Whether it is near enough to end a sequence that goes on.
    pub(super) fn is_near(&self) -> bool {
        self.near
    }

    /// Whether its distance bounds what is left of a sequence that was followed down to the tolerance.
    pub(super) fn is_bound(&self) -> bool {
        self.near || self.alone
    }

    /// The limit if the parties that are `firing` go on for ever, or nothing if they cannot.
    pub(super) fn new(
        arena: &Arena,
        pairwise: Pairwise,
        u: &[f64],
        firing: impl Fn(usize) -> bool,
        tolerances: &Tolerances,
    ) -> Option<Self> {
        let mut rows = Vec::new();
        let mut asks = Vec::new();
        // No speed in the kinetic metric is less than that of one row of it.
        let mut before = 0.0_f64;
        let mut now = 0.0_f64;
        for (k, party) in arena.parties.iter().enumerate() {
            match &party.role {
                Role::Rebounds { block, material } => {
                    let row = party.rows.start;
                    let kinetic =
                        |u: f64| if block.normal() > 0.0 { u * u / block.normal() } else { 0.0 };
                    before = before.max(kinetic(arena.start[row]));
                    if firing(k) {
                        if !pairwise.smooth(party.rows.len(), material) {
                            return None;
                        }
                        now = now.max(kinetic(u[row]));
                        rows.push(row);
                        asks.push(Row::Unilateral);
                    }
                }
                Role::Holds { .. } => {
                    rows.extend(party.rows.clone());
                    asks.extend(party.rows.clone().map(|_| Row::Bilateral));
                }
            }
        }
        let goal = NEAR * libm::sqrt(before);
        if libm::sqrt(now) > goal && u_is_fast(u, &rows, tolerances.approach * arena.speed) {
            return None;
        }
        let offset: Vec<f64> = rows.iter().map(|&i| u[i]).collect();
        let impulse = added(arena, &rows, &asks, &offset, tolerances)?;
        // D² = uᵀW⁺u, and what is added is −W⁺u.
        let square: f64 = -impulse.iter().zip(&offset).map(|(p, u)| p * u).sum::<f64>();
        let distance = libm::sqrt(square.max(0.0));
        let mut total = vec![0.0; u.len()];
        rows.iter().zip(&impulse).for_each(|(&i, p)| total[i] = *p);
        let after = arena.w.apply_to(&total, u);
        let zero = tolerances.approach * arena.speed;
        let mut alone = true;
        for (k, party) in arena.parties.iter().enumerate() {
            if arena.key(k, &after) > zero {
                return None;
            }
            if let (Role::Rebounds { block, .. }, Name::Contact(_), false) =
                (&party.role, party.name, firing(k))
            {
                let row = party.rows.start;
                // On the way |Δu_n| ≤ √W_nn |Δv|; a contact that the projection does not move is out of reach.
                let reach = libm::sqrt(block.normal()) * distance;
                alone &= after[row] >= reach || after[row] == u[row];
            }
        }
        Some(Self { rows, impulse, distance, near: distance <= goal, alone })
    }
}

fn u_is_fast(u: &[f64], rows: &[usize], zero: f64) -> bool {
    rows.iter().any(|&i| -u[i] > zero)
}

/// The impulses that bring all rows to rest, those of contacts pushing, or nothing if there are none.
fn added(
    arena: &Arena,
    rows: &[usize],
    asks: &[Row],
    offset: &[f64],
    tolerances: &Tolerances,
) -> Option<Vec<f64>> {
    if rows.len() > DENSE_ROWS {
        return None;
    }
    let matrix = arena.w.dense_block(rows);
    let factor = Factor::new(&matrix, tolerances.rank);
    let lcp = Lcp { matrix: &matrix, factor: &factor, rows: asks, offset };
    let solution = ActiveSet::default().solve(&lcp).ok()?;
    let size = offset.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    // Where all come to rest nothing of w is left.
    let rests = solution.w.iter().all(|w| *w <= tolerances.residual * size);
    rests.then_some(solution.z)
}
