//! Rows that hold two coordinates apart: found in the factors of `W`, and solved in one pass where they form a chain or
//! a tree.

use super::solve::isotonic::{Chain, Isotonic, Squeezed};
use super::solve::tree::{self, Edge, Forest};
use crate::contact::Gram;

/// No row.
const NONE: usize = usize::MAX;

/// A row of the form `factor · (x_right − x_left) + q ≥ 0`; a wall is no coordinate, and stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    left: Option<usize>,
    right: Option<usize>,
    factor: f64,
}

/// What the rows' complementarity problem `p ≥ 0 ⟂ w = W p + q ≥ 0` has as its answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LinksAnswer {
    pub(crate) p: Vec<f64>,
    pub(crate) w: Vec<f64>,
    /// Whether no other `p` gives the same `w`.
    pub(crate) unique: bool,
}

/// Solves rows that form one chain, possibly between walls, or a tree. Nothing if they do not; which row contradicts
/// the others if walls leave no room.
pub(crate) fn solve(gram: &Gram, q: &[f64]) -> Option<Result<LinksAnswer, Squeezed>> {
    let links = read(gram)?;
    match path(gram, &links) {
        Some(path) => Some(solve_path(gram, &links, &path, q)),
        None => solve_tree(gram, &links, q).map(Ok),
    }
}

/// The rows as links, if all of them are.
fn read(gram: &Gram) -> Option<Vec<Link>> {
    let mut links = Vec::with_capacity(gram.rows.len());
    for row in gram.rows.rows() {
        let mut entries = row.iter();
        let (left, right, factor) = match (entries.next()?, entries.next(), entries.next()) {
            ((a, x), Some((b, y)), None) if x == -y => match y > 0.0 {
                true => (Some(a), Some(b), y),
                false => (Some(b), Some(a), x),
            },
            ((a, x), None, None) if x > 0.0 => (None, Some(a), x),
            ((a, x), None, None) => (Some(a), None, -x),
            _ => return None,
        };
        links.push(Link { left, right, factor });
    }
    Some(links)
}

/// The rows in order from left to right, if they form one chain.
fn path(gram: &Gram, links: &[Link]) -> Option<Vec<usize>> {
    let mut before = vec![NONE; gram.mass.len()];
    let mut behind = vec![NONE; gram.mass.len()];
    for (i, link) in links.iter().enumerate() {
        for (own, place) in [(link.left, &mut behind), (link.right, &mut before)] {
            if let Some(c) = own {
                if place[c] != NONE {
                    return None;
                }
                place[c] = i;
            }
        }
    }
    // It begins where nothing stands before, or only a wall.
    let starts = |c: &usize| match before[*c] {
        NONE => behind[*c] != NONE,
        row => links[row].left.is_none(),
    };
    let first = (0..gram.mass.len()).find(starts)?;
    let mut order = Vec::with_capacity(links.len());
    if before[first] != NONE {
        order.push(before[first]);
    }
    let mut next = behind[first];
    while next != NONE {
        order.push(next);
        next = links[next].right.map_or(NONE, |c| behind[c]);
    }
    (order.len() == links.len()).then_some(order)
}

fn solve_path(
    gram: &Gram,
    links: &[Link],
    path: &[usize],
    q: &[f64],
) -> Result<LinksAnswer, Squeezed> {
    let mass_of = |member: Option<usize>| member.map_or(f64::INFINITY, |c| gram.mass[c]);
    let mut mass = Vec::with_capacity(path.len() + 1);
    mass.extend(path.first().map(|&row| mass_of(links[row].left)));
    mass.extend(path.iter().map(|&row| mass_of(links[row].right)));
    let bound: Vec<f64> = path.iter().map(|&row| -q[row] / links[row].factor).collect();
    let mut x = vec![0.0; mass.len()];
    let target = x.clone();
    let mut multiplier = vec![0.0; bound.len()];
    let chain = Chain { mass: &mass, target: &target, bound: &bound };
    let unique = Isotonic::default()
        .fit(&chain, &mut x, &mut multiplier)
        .map_err(|at| Squeezed { constraint: path[at.constraint] })?;
    let (mut p, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
    for (k, &row) in path.iter().enumerate() {
        let factor = links[row].factor;
        p[row] = multiplier[k] / factor;
        w[row] = left_over(factor * (x[k + 1] - x[k]) + q[row], p[row]);
    }
    Ok(LinksAnswer { p, w, unique })
}

fn solve_tree(gram: &Gram, links: &[Link], q: &[f64]) -> Option<LinksAnswer> {
    let mut mass = gram.mass.clone();
    let mut edges = Vec::with_capacity(links.len());
    for (link, q) in links.iter().zip(q) {
        // Every wall is a member of its own, that does not move.
        let mut member = |own: Option<usize>| {
            own.unwrap_or_else(|| {
                mass.push(f64::INFINITY);
                mass.len() - 1
            })
        };
        let (tail, head) = (member(link.left), member(link.right));
        edges.push(Edge { tail, head, bound: -q / link.factor });
    }
    let target = vec![0.0; mass.len()];
    let fit = tree::fit(&Forest { mass: &mass, target: &target, edges: &edges }).ok()?;
    let p: Vec<f64> = fit.multiplier.iter().zip(links).map(|(l, link)| l / link.factor).collect();
    let apart = |i: usize| fit.x[edges[i].head] - fit.x[edges[i].tail];
    let w = (0..links.len()).map(|i| left_over(links[i].factor * apart(i) + q[i], p[i])).collect();
    Some(LinksAnswer { p, w, unique: true })
}

/// A velocity that is exactly zero where its row pushes.
fn left_over(w: f64, p: f64) -> f64 {
    if p > 0.0 { 0.0 } else { w.max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::SparseRows;

    fn gram(mass: &[f64], rows: &[&[(usize, f64)]]) -> Gram {
        let mut sparse = SparseRows::new(mass.len());
        rows.iter().for_each(|row| sparse.push(&mut row.to_vec()));
        Gram { rows: sparse, mass: mass.to_vec() }
    }

    /// Unit masses 2 → 0 → 1 in a row, listed out of order; 2 runs at 1 m/s into the others at rest, without rebound:
    /// all leave with 1/3, and the impulses are 2/3 and 1/3.
    #[test]
    fn a_chain_is_found_in_any_order() {
        let gram = gram(&[1.0; 3], &[&[(0, -1.0), (1, 1.0)], &[(2, -2.0), (0, 2.0)]]);
        let answer = solve(&gram, &[0.0, -2.0]).unwrap().unwrap();
        assert!((answer.p[0] - 1.0 / 3.0).abs() < 1e-15);
        assert!((answer.p[1] - 1.0 / 3.0).abs() < 1e-15, "{:?}", answer.p);
        assert_eq!(answer.w, [0.0, 0.0]);
    }

    /// A mass between two walls that both ask for room.
    #[test]
    fn walls_that_leave_no_room_are_named() {
        let gram = gram(&[1.0], &[&[(0, 1.0)], &[(0, -1.0)]]);
        assert!(solve(&gram, &[-1.0, 1.0]).unwrap().is_ok());
        assert!(solve(&gram, &[-1.0, -1.0]).unwrap().is_err());
    }

    /// A star: three masses run into a fourth from the same side. By symmetry each gives it 1/4 of its momentum.
    #[test]
    fn a_star_is_a_tree() {
        let rows: [&[(usize, f64)]; 3] =
            [&[(0, -1.0), (3, 1.0)], &[(1, -1.0), (3, 1.0)], &[(2, -1.0), (3, 1.0)]];
        let answer = solve(&gram(&[1.0; 4], &rows), &[-1.0; 3]).unwrap().unwrap();
        for p in answer.p {
            assert!((p - 0.25).abs() < 1e-15);
        }
    }

    #[test]
    fn loops_and_other_rows_are_left_to_others() {
        let triangle: [&[(usize, f64)]; 3] =
            [&[(0, -1.0), (1, 1.0)], &[(1, -1.0), (2, 1.0)], &[(0, -1.0), (2, 1.0)]];
        assert!(solve(&gram(&[1.0; 3], &triangle), &[-1.0; 3]).is_none());
        assert!(solve(&gram(&[1.0; 2], &[&[(0, -1.0), (1, 2.0)]]), &[-1.0]).is_none());
    }
}
