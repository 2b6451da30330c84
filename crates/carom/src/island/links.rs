//! Rows that hold two coordinates apart: found in the factors of `W`, and solved in one pass where they form a chain or
//! a tree.

use crate::contact::Gram;
use crate::numerics::isotonic::{self, Chain, Members, Squeezed};
use crate::numerics::tree::{self, Edge, Forest};

/// No row, no coordinate.
const NONE: u32 = u32::MAX;

/// A row of the form `factor · (x_right − x_left) + q ≥ 0`. A wall is no coordinate, and stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    left: u32,
    right: u32,
    factor: f64,
}

/// What the rows' complementarity problem `p ≥ 0 ⟂ w = W p + q ≥ 0` has as its answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LinksAnswer {
    pub(crate) p: Vec<f64>,
    /// Empty if it was not needed and not at hand.
    pub(crate) w: Vec<f64>,
    /// Whether no other `p` gives the same `w`.
    pub(crate) unique: bool,
}

/// Solves rows that form one chain, possibly between walls, or a tree. Nothing if they do not; which row contradicts
/// the others if walls leave no room. `slack` says whether `w` is of interest.
pub(crate) fn solve(gram: &Gram, q: &[f64], slack: bool) -> Option<Result<LinksAnswer, Squeezed>> {
    if let Some(chain) = InOrder::new(gram, q) {
        return Some(solve_in_order(&chain, slack));
    }
    let links = read(gram)?;
    match path(gram, &links) {
        Some(path) => Some(solve_path(gram, &links, &path, q)),
        None => solve_tree(gram, &links, q).map(Ok),
    }
}

/// A chain without walls whose rows and coordinates are numbered from left to right: as it stands in memory it is what
/// the solver reads, and nothing of it is copied.
struct InOrder<'a> {
    mass: &'a [f64],
    /// `−factor, factor` of each row.
    factors: &'a [[f64; 2]],
    q: &'a [f64],
}

impl<'a> InOrder<'a> {
    fn new(gram: &'a Gram, q: &'a [f64]) -> Option<Self> {
        let (columns, factors) = gram.rows.as_pairs()?;
        let mut pairs = columns.iter().zip(factors).zip(0..);
        let linked = pairs.all(|((columns, factors), k)| {
            *columns == [k, k + 1] && factors[1] > 0.0 && factors[0] == -factors[1]
        });
        let complete = gram.mass.len() == columns.len() + 1;
        (linked && complete).then_some(Self { mass: &gram.mass, factors, q })
    }

    fn factor(&self, k: usize) -> f64 {
        self.factors[k][1]
    }
}

impl Members for InOrder<'_> {
    fn count(&self) -> usize {
        self.mass.len()
    }
    fn mass(&self, i: usize) -> f64 {
        self.mass[i]
    }
    fn target(&self, _: usize) -> f64 {
        0.0
    }
    fn bound(&self, k: usize) -> f64 {
        -self.q[k] / self.factor(k)
    }
}

fn solve_in_order(chain: &InOrder, slack: bool) -> Result<LinksAnswer, Squeezed> {
    let mut p = vec![0.0; chain.q.len()];
    if !slack {
        let unique = isotonic::press(chain, &mut p)?;
        p.iter_mut().enumerate().for_each(|(k, p)| *p /= chain.factor(k));
        return Ok(LinksAnswer { p, w: Vec::new(), unique });
    }
    let mut x = vec![0.0; chain.count()];
    let unique = isotonic::fit(chain, &mut x, &mut p)?;
    // What is left over takes the place of x.
    for (k, p) in p.iter_mut().enumerate() {
        let factor = chain.factor(k);
        *p /= factor;
        x[k] = left_over(factor * (x[k + 1] - x[k]) + chain.q[k], *p);
    }
    x.pop();
    Ok(LinksAnswer { p, w: x, unique })
}

/// The rows as links, if all of them are.
fn read(gram: &Gram) -> Option<Vec<Link>> {
    let mut links = Vec::with_capacity(gram.rows.len());
    for row in gram.rows.rows() {
        let mut entries = row.columns().iter().copied().zip(row.iter().map(|(_, x)| x));
        let (left, right, factor) = match (entries.next()?, entries.next(), entries.next()) {
            ((a, x), Some((b, y)), None) if x == -y => match y > 0.0 {
                true => (a, b, y),
                false => (b, a, x),
            },
            ((a, x), None, None) if x > 0.0 => (NONE, a, x),
            ((a, x), None, None) => (a, NONE, -x),
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
    for (link, i) in links.iter().zip(0..) {
        for (own, place) in [(link.left, &mut behind), (link.right, &mut before)] {
            if own != NONE {
                if place[own as usize] != NONE {
                    return None;
                }
                place[own as usize] = i;
            }
        }
    }
    // It begins where nothing stands before, or only a wall.
    let starts = |c: &usize| match before[*c] {
        NONE => behind[*c] != NONE,
        row => links[row as usize].left == NONE,
    };
    let first = (0..gram.mass.len()).find(starts)?;
    let mut order = Vec::with_capacity(links.len());
    if before[first] != NONE {
        order.push(before[first] as usize);
    }
    let mut next = behind[first];
    while next != NONE {
        order.push(next as usize);
        let right = links[next as usize].right;
        next = if right == NONE { NONE } else { behind[right as usize] };
    }
    (order.len() == links.len()).then_some(order)
}

fn solve_path(
    gram: &Gram,
    links: &[Link],
    path: &[usize],
    q: &[f64],
) -> Result<LinksAnswer, Squeezed> {
    let mass_of = |c: u32| gram.mass.get(c as usize).copied().unwrap_or(f64::INFINITY);
    let mut mass = Vec::with_capacity(path.len() + 1);
    mass.extend(path.first().map(|&row| mass_of(links[row].left)));
    mass.extend(path.iter().map(|&row| mass_of(links[row].right)));
    let bound: Vec<f64> = path.iter().map(|&row| -q[row] / links[row].factor).collect();
    let mut x = vec![0.0; mass.len()];
    let target = x.clone();
    let mut multiplier = vec![0.0; bound.len()];
    let chain = Chain { mass: &mass, target: &target, bound: &bound };
    let unique = isotonic::fit(&chain, &mut x, &mut multiplier)
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
        let mut member = |own: u32| match own {
            NONE => {
                mass.push(f64::INFINITY);
                mass.len() - 1
            }
            own => own as usize,
        };
        let (tail, head) = (member(link.left), member(link.right));
        edges.push(Edge { tail, head, bound: -q / link.factor });
    }
    let target = vec![0.0; mass.len()];
    let fit = tree::fit(&Forest { mass: &mass, target: &target, edges: &edges })?;
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
    use crate::numerics::sparse::SparseRows;

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
        let answer = solve(&gram, &[0.0, -2.0], true).unwrap().unwrap();
        assert!((answer.p[0] - 1.0 / 3.0).abs() < 1e-15);
        assert!((answer.p[1] - 1.0 / 3.0).abs() < 1e-15, "{:?}", answer.p);
        assert_eq!(answer.w, [0.0, 0.0]);
    }

    /// A chain as it stands in memory, and the same with its rows and its coordinates listed the other way round.
    #[test]
    fn the_order_in_memory_makes_no_difference() {
        let n = 40;
        let mass: Vec<f64> = (0..n).map(|i| 1.0 + (7 * i % 5) as f64).collect();
        let q: Vec<f64> = (1..n).map(|k| ((3 * k % 7) as f64) - 2.5).collect();
        let row = |k: usize| vec![(k, -2.0), (k + 1, 2.0)];
        let turned = |k: usize| vec![(n - 1 - k, -2.0), (n - 2 - k, 2.0)];
        let rows: Vec<_> = (0..n - 1).map(row).collect();
        let back: Vec<_> = (0..n - 1).rev().map(turned).collect();
        let in_reverse: Vec<f64> = mass.iter().rev().copied().collect();
        let build = |mass: &[f64], rows: &[Vec<(usize, f64)>]| {
            gram(mass, &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let (in_order, back) = (build(&mass, &rows), build(&in_reverse, &back));
        assert!(InOrder::new(&in_order, &q).is_some() && InOrder::new(&back, &q).is_none());
        let reversed: Vec<f64> = q.iter().rev().copied().collect();
        let there = solve(&in_order, &q, true).unwrap().unwrap();
        let mut back = solve(&back, &reversed, true).unwrap().unwrap();
        back.p.reverse();
        back.w.reverse();
        assert!(there.p.iter().any(|p| *p > 0.0) && there.w.iter().any(|w| *w > 0.0));
        assert_eq!(there, back);
        let pressed = solve(&in_order, &q, false).unwrap().unwrap();
        assert_eq!((pressed.p, pressed.w), (there.p, Vec::new()));
    }

    /// A mass between two walls that both ask for room.
    #[test]
    fn walls_that_leave_no_room_are_named() {
        let gram = gram(&[1.0], &[&[(0, 1.0)], &[(0, -1.0)]]);
        assert!(solve(&gram, &[-1.0, 1.0], true).unwrap().is_ok());
        assert!(solve(&gram, &[-1.0, -1.0], true).unwrap().is_err());
    }

    /// A star: three masses run into a fourth from the same side. By symmetry each gives it 1/4 of its momentum.
    #[test]
    fn a_star_is_a_tree() {
        let rows: [&[(usize, f64)]; 3] =
            [&[(0, -1.0), (3, 1.0)], &[(1, -1.0), (3, 1.0)], &[(2, -1.0), (3, 1.0)]];
        let answer = solve(&gram(&[1.0; 4], &rows), &[-1.0; 3], true).unwrap().unwrap();
        for p in answer.p {
            assert!((p - 0.25).abs() < 1e-15);
        }
    }

    #[test]
    fn loops_and_other_rows_are_left_to_others() {
        let triangle: [&[(usize, f64)]; 3] =
            [&[(0, -1.0), (1, 1.0)], &[(1, -1.0), (2, 1.0)], &[(0, -1.0), (2, 1.0)]];
        assert!(solve(&gram(&[1.0; 3], &triangle), &[-1.0; 3], true).is_none());
        assert!(solve(&gram(&[1.0; 2], &[&[(0, -1.0), (1, 2.0)]]), &[-1.0], true).is_none());
    }
}
