//! Contacts that push against each other: a body between two walls.
//!
//! Where impulses `y ≥ 0` move nothing, `W y = 0`, no motion separates the contacts that bear them: each admissible
//! velocity vanishes there, as does each velocity that bodies can have come with. An elastic sequence that starts
//! elsewhere need not end. These contacts then hold both ways, as they must in the end, and the sequence of the others
//! is followed with them folded in; it ends, since the others have room. That their impulses push is arranged by adding a
//! multiple of `y`, which changes nothing else.

use super::arena::{Arena, Party, Role};
use super::pairwise::{Block, Pairwise};
use super::run::Course;
use crate::Tolerances;
use crate::contact::Operator;
use crate::multi::solve::active_set::{ActiveSet, Lcp, LcpFailure, Row};
use crate::multi::solve::factor::Factor;
use nalgebra::{DMatrix, DVector};
use std::borrow::Cow;

/// More contacts than this are not searched.
const MAX_CONTACTS: usize = 200;

/// Contacts that push against each other, and what is left of the others.
pub(super) struct Squeeze {
    /// The other contacts, by their normal rows.
    pub(super) others: Arena<'static>,
    /// The normal rows of the others, and of those that hold.
    free: Vec<usize>,
    held: Vec<usize>,
    /// `y` of those that hold, positive each \[1\].
    stress: Vec<f64>,
    /// What those that hold do by themselves, and in answer to each of the others: `p = start − response p_other`.
    start: DVector<f64>,
    response: DMatrix<f64>,
}

impl Squeeze {
    /// The collisions after which it is worth a search.
    pub(super) fn patience(parties: usize) -> u64 {
        (1 << 14) + 64 * parties as u64
    }

    /// The contacts of an arena that push against each other, if there are any, and no friction.
    pub(super) fn find(arena: &Arena, pairwise: Pairwise, tolerances: &Tolerances) -> Option<Self> {
        let smooth = |party: &Party| match &party.role {
            Role::Rebounds { material, .. } => pairwise.smooth(party.rows.len(), material),
            Role::Holds { .. } => false,
        };
        if arena.parties.len() > MAX_CONTACTS || !arena.parties.iter().all(smooth) {
            return None;
        }
        let rows: Vec<usize> = arena.parties.iter().map(|party| party.rows.start).collect();
        let matrix = arena.w.dense_block(&rows);
        let stress = self_stress(&matrix, tolerances)?;
        let (held, free): (Vec<usize>, Vec<usize>) =
            (0..rows.len()).partition(|&k| stress[k] > 0.0);
        let u = |k: usize| arena.start[rows[k]];
        let block = DMatrix::from_fn(held.len(), held.len(), |i, j| matrix[(held[i], held[j])]);
        let size = block.amax();
        let inverse = (block / size).pseudo_inverse(tolerances.rank).ok()? / size;
        let cross = DMatrix::from_fn(held.len(), free.len(), |i, j| matrix[(held[i], free[j])]);
        let response = &inverse * &cross;
        let start = -(&inverse * DVector::from_iterator(held.len(), held.iter().map(|&k| u(k))));
        let mut w = DMatrix::from_fn(free.len(), free.len(), |i, j| matrix[(free[i], free[j])]);
        w -= cross.tr_mul(&response);
        w = (&w + w.transpose()) * 0.5;
        let mut velocity = cross.tr_mul(&start);
        for (i, &k) in free.iter().enumerate() {
            velocity[i] += u(k);
            // Those that the others hold are at rest; what rounding left of them is nothing.
            if w[(i, i)] <= tolerances.definiteness * matrix[(k, k)] {
                w.row_mut(i).fill(0.0);
                w.column_mut(i).fill(0.0);
                velocity[i] = 0.0;
            }
        }
        let w = Operator::Dense(w);
        let mut parties = Vec::new();
        for (i, &k) in free.iter().enumerate() {
            let Role::Rebounds { material, .. } = arena.parties[k].role else { return None };
            let role = Role::Rebounds { block: Block::new(&w, i..i + 1).ok()?, material };
            parties.push(Party { name: arena.parties[k].name, rows: i..i + 1, role });
        }
        let others = Arena::new(Cow::Owned(w), velocity.as_slice().to_vec(), parties);
        let spread = |list: Vec<usize>| list.into_iter().map(|k| rows[k]).collect::<Vec<_>>();
        let stress = held.iter().map(|&k| stress[k]).collect();
        Some(Self { others, free: spread(free), held: spread(held), stress, start, response })
    }

    /// The course of the whole from that of the others.
    pub(super) fn whole(&self, others: Course, rows: usize) -> Course {
        let mut impulse = vec![0.0; rows];
        self.free.iter().zip(&others.impulse).for_each(|(&row, p)| impulse[row] = *p);
        let held = &self.start - &self.response * DVector::from_column_slice(&others.impulse);
        let lift = held.iter().zip(&self.stress).map(|(p, y)| -p / y).fold(0.0, f64::max);
        for ((&row, p), y) in self.held.iter().zip(&held).zip(&self.stress) {
            impulse[row] = (p + lift * y).max(0.0);
        }
        Course { impulse, ..others }
    }
}

/// `y ≥ 0` with `W y = 0`, positive wherever any such `y` is; or nothing if there is none but zero.
fn self_stress(w: &DMatrix<f64>, tolerances: &Tolerances) -> Option<Vec<f64>> {
    let n = w.nrows();
    let factor = Factor::new(w, tolerances.rank);
    let solve = |rows: &[Row], offset: &[f64]| {
        ActiveSet::default().solve(&Lcp { matrix: w, factor: &factor, rows, offset })
    };
    // If some motion separates all contacts there is none.
    let all = vec![Row::Unilateral; n];
    let apart: Vec<f64> = (0..n).map(|i| -libm::sqrt(w[(i, i)])).collect();
    if !matches!(solve(&all, &apart), Err(LcpFailure::Infeasible { .. })) {
        return None;
    }
    let mut stress = vec![0.0; n];
    for i in 0..n {
        if stress[i] > 0.0 || w[(i, i)] <= 0.0 {
            continue;
        }
        // Least yᵀWy with y_i = 1: zero if i bears a stress.
        let mut rows = all.clone();
        rows[i] = Row::Absent;
        let offset: Vec<f64> = w.column(i).iter().copied().collect();
        let Ok(solution) = solve(&rows, &offset) else { continue };
        let mut y = solution.z;
        y[i] = 1.0;
        let size: f64 = y.iter().enumerate().map(|(k, y)| w[(k, k)] * y * y).sum();
        let v = DVector::from_column_slice(&y);
        if v.dot(&(w * &v)) <= tolerances.definiteness * size {
            // What is next to nothing bears nothing.
            let bears = |k: usize| w[(k, k)] * y[k] * y[k] > tolerances.definiteness * size;
            (0..n).filter(|&k| bears(k)).for_each(|k| stress[k] += y[k]);
        }
    }
    stress.iter().any(|y| *y > 0.0).then_some(stress)
}
