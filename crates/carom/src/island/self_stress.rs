//! Self-stress along normals: contacts that oppose each other, as at a body between two walls or a wedge held from all
//! sides.
//!
//! Where impulses `y ≥ 0` do nothing at all, `W y = 0`, no motion can open any of the contacts with `y_i > 0`: opening
//! one would close another. Such contacts hold both ways, whatever the others do, and elastic sequences that treat them
//! as if they could open never end. Their impulses can be raised by any multiple of `y`, so none of them has to pull.

use super::normal::NormalProblem;
use super::stepping::{StepRow, solve};
use super::{Context, Mapped};
use crate::ImpactError;
use crate::contact::{ContactKind, ContactProblem, ContactSpec, Gram};
use crate::numerics::active_set::{ActiveSet, Lcp, LcpFailure, Row};
use crate::numerics::factor::Factor;
use crate::numerics::factored::FactoredRows;
use nalgebra::DMatrix;

/// A contact that can open at this part of the largest speed is not opposed \[1\].
const ROOM: f64 = 1e-6;

/// Which rows can open in no motion without closing others, one switch per row.
pub(crate) fn opposed(problem: &NormalProblem, context: &Context) -> Vec<bool> {
    let n = problem.len();
    let mut opposed = vec![false; n];
    if opened_together(problem, context) {
        return opposed;
    }
    let rows: Vec<usize> = (0..n).collect();
    let matrix = problem.w.dense_block(&rows);
    let factor = Factor::new(&matrix, context.tolerances.rank);
    if factor.rank() == n && problem.w.gram().is_none() {
        return opposed;
    }
    // Where motion is prescribed, contacts that oppose each other may have room: what they leave counts, not directions alone.
    let driven = problem.may_contradict_itself();
    let start = |i: usize| if driven { problem.u[i] } else { 0.0 };
    let wish = |i: usize| match driven {
        true => -ROOM * problem.scale,
        false => -f64::sqrt(problem.diagonal(i)),
    };
    let all: Vec<f64> = rows.iter().map(|&i| start(i) + wish(i)).collect();
    let exact = problem.w.gram().map(|Gram { rows: of, mass }| FactoredRows {
        rows: of,
        mass,
        index: &rows,
    });
    if feasible(&matrix, &factor, &all, exact) {
        return opposed;
    }
    for &i in &rows {
        let mut alone: Vec<f64> = rows.iter().map(|&j| start(j)).collect();
        alone[i] += wish(i);
        opposed[i] = !feasible(&matrix, &factor, &alone, exact);
    }
    opposed
}

/// Whether equal pushes at all contacts show that none is opposed, which costs next to nothing. They do if they open all
/// contacts; and if they close none, open some, and no push anywhere opens another contact: with `W y = 0` no row that
/// opens has a part in `y`, and then neither has any row beside one without a part.
fn opened_together(problem: &NormalProblem, context: &Context) -> bool {
    let n = problem.len();
    let together = problem.w.apply_to(&vec![1.0; n], &vec![0.0; n]);
    let zero = |i: usize| context.tolerances.rank * problem.diagonal(i);
    if (0..n).any(|i| together[i] < -zero(i)) {
        return false;
    }
    let opens = (0..n).filter(|&i| together[i] > zero(i)).count();
    opens == n || (opens > 0 && (0..n).all(|i| couplings_close(problem, i)))
}

fn couplings_close(problem: &NormalProblem, i: usize) -> bool {
    let mut close = true;
    problem.w.for_row(i, |j, w| close &= i == j || w <= 0.0);
    close
}

/// Whether a motion exists with velocities of at least `−offset`.
fn feasible(
    matrix: &DMatrix<f64>,
    factor: &Factor,
    offset: &[f64],
    exact: Option<FactoredRows>,
) -> bool {
    let rows = &vec![Row::Unilateral; offset.len()];
    let solved = ActiveSet::default().solve(&Lcp { matrix, factor, rows, offset, exact });
    !matches!(solved, Err(LcpFailure::Infeasible { .. }))
}

/// The answer of a law to the problem with its opposed contacts held both ways, as if they were joints, and pushes only
/// at all of them: of all that do the same, the smallest.
pub(crate) fn held<T>(
    problem: &NormalProblem,
    opposed: &[bool],
    context: &mut Context,
    law: impl FnOnce(&NormalProblem, &mut Context) -> Result<(Vec<f64>, T), ImpactError>,
) -> Result<(Vec<f64>, T), ImpactError> {
    let n = problem.len();
    let spec = |i: usize| ContactSpec {
        kind: if opposed[i] { ContactKind::Bilateral } else { ContactKind::Unilateral },
        ..ContactSpec::new(1, *problem.material(i))
    };
    let rows: Vec<usize> = (0..n).collect();
    let matrix = problem.w.full_block(&rows)?;
    let specs: Vec<ContactSpec> = rows.iter().map(|&i| spec(i)).collect();
    let jointed = ContactProblem::new(matrix.as_slice(), &problem.u, &specs)?;
    let rest = NormalProblem::new(&jointed, context.tolerances)?;
    let contacts: Vec<usize> = problem.contacts().collect();
    let mut mapped = Mapped { contacts: &contacts, observer: context.observer };
    let mut inner =
        Context { law: context.law, tolerances: context.tolerances, observer: &mut mapped };
    let (normal, more) = law(&rest, &mut inner)?;
    let mut p = rest.impulse(normal);
    lift(problem, opposed, &mut p, context)?;
    Ok((p, more))
}

/// Impulses of opposed contacts, of either sign, replaced by pushes that do the same, the smallest of them.
fn lift(
    problem: &NormalProblem,
    opposed: &[bool],
    p: &mut [f64],
    context: &mut Context,
) -> Result<(), ImpactError> {
    let rows: Vec<usize> = (0..p.len()).filter(|&i| opposed[i]).collect();
    let held: Vec<f64> = p.iter().zip(opposed).map(|(p, o)| if *o { *p } else { 0.0 }).collect();
    let change = problem.w.apply_to(&held, &vec![0.0; p.len()]);
    // W p = W p_held with p ≥ 0: complementarity that leaves nothing over, because some pushes do it.
    let asked: Vec<StepRow> = rows.iter().map(|&i| StepRow::rigid(i, -change[i])).collect();
    let step = solve(&problem.w, &asked, context)?;
    for (&i, pushed) in rows.iter().zip(&step.impulse) {
        p[i] = *pushed;
    }
    Ok(())
}
