//! Which contacts at rest begin to slide, and how fast: the program for few unknowns.
//!
//! Friction of contacts that do not slide is that of `min ½ fᵀ W f` over their discs. Seen from the acceleration `y` along what they
//! hold this is `min ½ |y − y₀|² + Σ b_k |A_k y|`, with `y₀` the acceleration without them and bounds `b_k`: as few unknowns as there
//! are held directions, three for a face. Newton's method follows it as the corners of `|v|` sharpen, `√(|v|² + ε²)` with ever
//! smaller `ε`.

use super::super::rows::length;
use super::super::tolerances as tol;
use super::sticking_set::StickingSet;
use std::array;

/// One contact: how many tangents it has, how much friction, and how fast it would move alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    pub(crate) tangents: usize,
    pub(crate) bound: f64,
    pub(crate) usual: f64,
}

/// Contacts at rest.
#[derive(Debug, Default)]
pub(crate) struct DiscProgram {
    pub(crate) discs: Vec<Disc>,
    /// Two rows of `A` per contact, padded with zeros.
    rows: Vec<f64>,
    motions: Vec<[f64; 2]>,
    /// How they moved when last solved for, if all did.
    last: Vec<f64>,
    /// Newton's steps of the last solve.
    pub(crate) steps: u64,
}

/// How contacts begin to move; `None` for those that hold.
pub(crate) type Onsets = Vec<Option<[f64; 2]>>;

/// The smoothed solution that answers are read from, for [`Bears`] to judge.
pub(crate) struct Smoothed<'a> {
    /// The acceleration along what the contacts hold.
    pub(crate) y: &'a [f64],
    /// How each contact moves.
    pub(crate) motions: &'a [[f64; 2]],
    /// The `ε` of it.
    pub(crate) smoothing: f64,
}

/// Whether contacts that are said to hold can: smoothed friction lets all of them creep, also those that it holds too little.
pub(crate) type Bears<'a> = dyn FnMut(Smoothed, &Onsets) -> bool + 'a;

/// What is wanted of an answer, and known before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Query {
    /// If all contacts are slower than this, relative to what they would do alone, it does not matter which hold \[1\].
    pub(crate) least: f64,
    /// Whether they move much as they did when last solved for.
    pub(crate) as_before: bool,
    /// Whether all are known to hold, so that only a friction within the discs is sought.
    pub(crate) holds: bool,
}

/// The problem in so many unknowns, some of which may be idle.
struct Problem<'a, const M: usize> {
    discs: &'a [Disc],
    rows: &'a [[[f64; M]; 2]],
    start: [f64; M],
    smoothing: f64,
    motions: Vec<[f64; 2]>,
    steps: u64,
}

impl DiscProgram {
    /// How the contacts that are held begin to move: `None` for those that hold. Fails where that is not clear, a contact being at
    /// its bound that hardly moves, and where there are too many of them.
    pub(crate) fn solve(
        &mut self,
        sticking: &StickingSet,
        query: Query,
        onsets: &mut Onsets,
        bears: &mut Bears,
    ) -> bool {
        self.steps = 0;
        match sticking.len() {
            0..=3 => self.solve_for::<3>(sticking, query, onsets, bears),
            4..=6 => self.solve_for::<6>(sticking, query, onsets, bears),
            7..=12 => self.solve_for::<12>(sticking, query, onsets, bears),
            13..=24 => self.solve_for::<24>(sticking, query, onsets, bears),
            25..=48 => self.solve_for::<48>(sticking, query, onsets, bears),
            _ => false,
        }
    }

    fn solve_for<const M: usize>(
        &mut self,
        sticking: &StickingSet,
        query: Query,
        onsets: &mut Onsets,
        bears: &mut Bears,
    ) -> bool {
        self.rows.clear();
        let mut rows = sticking.rows_along();
        for disc in &self.discs {
            for row in rows.by_ref().take(disc.tangents) {
                self.rows.extend_from_slice(row);
                self.rows.resize(self.rows.len().next_multiple_of(M), 0.0);
            }
            self.rows.resize(self.rows.len().next_multiple_of(2 * M), 0.0);
        }
        let (rows, _) = self.rows.as_chunks::<M>();
        let mut start = [0.0; M];
        start[..sticking.len()].copy_from_slice(sticking.reactions());
        let usual = self.discs.iter().fold(0.0, |most: f64, disc| most.max(disc.usual));
        let mut problem = Problem {
            discs: &self.discs,
            rows: rows.as_chunks::<2>().0,
            start,
            smoothing: tol::DISC_BLUNT * usual,
            motions: std::mem::take(&mut self.motions),
            steps: 0,
        };
        let mut found = None;
        if query.as_before
            && let Ok(last) = <[f64; M]>::try_from(&*self.last)
        {
            found = problem.continue_from(&last, onsets, bears);
        }
        if found.is_none() {
            problem.smoothing = tol::DISC_BLUNT * usual;
            found = problem.sharpen(usual, query, onsets, bears);
        }
        (self.steps, self.motions) = (problem.steps, problem.motions);
        self.last.clear();
        if let Some(y) = found
            && onsets.iter().all(Option::is_some)
        {
            self.last.extend(y);
        }
        found.is_some()
    }
}

impl<const M: usize> Problem<'_, M> {
    /// How a contact moves.
    #[inline(always)]
    fn motion(&self, k: usize, y: &[f64; M]) -> [f64; 2] {
        self.rows[k].each_ref().map(|row| dot(row, y))
    }

    /// Sharpens corners until it is clear which slide, or that all are slower than `least`, relative to what they would do alone.
    fn sharpen(
        &mut self,
        usual: f64,
        Query { least, holds, .. }: Query,
        onsets: &mut Onsets,
        bears: &mut Bears,
    ) -> Option<[f64; M]> {
        let mut y = self.start;
        loop {
            let small = (tol::NEWTON_SMALL * self.smoothing).max(tol::NEWTON_ROUNDING * usual);
            if !self.settle(&mut y, small) {
                return None;
            }
            if holds {
                onsets.clear();
                onsets.resize(self.discs.len(), None);
                if self.are_borne(&y, onsets, bears) {
                    return Some(y);
                }
            } else if self.smoothing <= tol::DISC_CLASSIFY * usual
                && self.is_clear(&y, onsets)
                && self.are_borne(&y, onsets, bears)
            {
                return Some(y);
            }
            if self.smoothing <= tol::DISC_CLASSIFY * least * usual && self.all_slower(&y, least) {
                onsets.clear();
                onsets.resize(self.discs.len(), None);
                return Some(y);
            }
            if self.smoothing <= tol::DISC_SHARP * usual {
                if !holds {
                    self.take_sides(&y, onsets, bears);
                }
                return (!holds).then_some(y);
            }
            let next = (tol::DISC_SHARPENING * self.smoothing).max(tol::DISC_SHARP * usual);
            self.predict(&mut y, next);
            self.smoothing = next;
        }
    }

    /// The motion that all had when last solved for, as fast as forces now feed it, and what becomes of it.
    fn continue_from(
        &mut self,
        last: &[f64; M],
        onsets: &mut Onsets,
        bears: &mut Bears,
    ) -> Option<[f64; M]> {
        let (mut taken, mut slowest) = (0.0, f64::INFINITY);
        for (k, disc) in self.discs.iter().enumerate() {
            let speed = length(self.motion(k, last));
            taken += disc.bound * speed;
            slowest = slowest.min(speed);
        }
        let factor = (dot(last, &self.start) - taken) / dot(last, last);
        self.smoothing = tol::RESTART_SHARPNESS * factor * slowest / tol::SLIDES_ABOVE;
        let mut y = last.map(|y| factor * y);
        let settles =
            self.smoothing > 0.0 && self.settle(&mut y, tol::NEWTON_SMALL * self.smoothing);
        let clear = settles && self.is_clear(&y, onsets) && self.are_borne(&y, onsets, bears);
        clear.then_some(y)
    }

    /// Whether all contacts are slower, and what they hold is not much faster than they are.
    fn all_slower(&self, y: &[f64; M], least: f64) -> bool {
        let mut discs = self.discs.iter().enumerate();
        let held = least / tol::WEAK_MOTION;
        dot(y, y) <= held * held * dot(&self.start, &self.start)
            && discs.all(|(k, disc)| length(self.motion(k, y)) < least * disc.usual)
    }

    /// Whether those that are said to hold can.
    fn are_borne(&mut self, y: &[f64; M], onsets: &Onsets, bears: &mut Bears) -> bool {
        if onsets.iter().all(Option::is_some) {
            return true;
        }
        self.motions.clear();
        for k in 0..self.discs.len() {
            let motion = self.motion(k, y);
            self.motions.push(motion);
        }
        bears(Smoothed { y, motions: &self.motions, smoothing: self.smoothing }, onsets)
    }

    /// Corners are as sharp as can be. What is at its bound and hardly moves holds if it can, and slides if not.
    fn take_sides(&mut self, y: &[f64; M], onsets: &mut Onsets, bears: &mut Bears) {
        for least in [tol::SLIDES_ABOVE, tol::HOLDS_BELOW] {
            onsets.clear();
            for k in 0..self.discs.len() {
                let motion = self.motion(k, y);
                onsets.push((length(motion) > least * self.smoothing).then_some(motion));
            }
            if self.are_borne(y, onsets, bears) {
                return;
            }
        }
    }

    /// Whether every contact either slides or holds, and which.
    fn is_clear(&self, y: &[f64; M], onsets: &mut Onsets) -> bool {
        onsets.clear();
        for k in 0..self.discs.len() {
            let [a, b] = self.motion(k, y);
            let speed = length([a, b]);
            let slides = speed >= tol::SLIDES_ABOVE * self.smoothing;
            if !slides && speed > tol::HOLDS_BELOW * self.smoothing {
                return false;
            }
            onsets.push(slides.then_some([a, b]));
        }
        true
    }

    /// Newton's steps until one is small.
    fn settle(&mut self, y: &mut [f64; M], small: f64) -> bool {
        let mut gradient = self.gradient(y);
        for _ in 0..tol::NEWTON_STEPS {
            self.steps += 1;
            let step = solve(self.hessian(y), gradient.map(|g| -g));
            let falls = -dot(&gradient, &step);
            let length = step.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            if !length.is_finite() {
                return false;
            }
            let before = *y;
            let mut part = 1.0;
            for _ in 0..tol::NEWTON_HALVINGS {
                *y = array::from_fn(|i| before[i] + part * step[i]);
                if length <= small {
                    return true;
                }
                // The slope along the step: far beyond the minimum it is steeper than before.
                gradient = self.gradient(y);
                if dot(&gradient, &step) <= 0.5 * falls {
                    break;
                }
                part *= 0.5;
            }
        }
        false
    }

    /// Goes on to the next smoothing as the solution does, straight: what holds moves in proportion to it.
    fn predict(&self, y: &mut [f64; M], next: f64) {
        let mut change = [0.0; M];
        for (k, disc) in self.discs.iter().enumerate() {
            let v = self.motion(k, y);
            let square = v[0] * v[0] + v[1] * v[1] + self.smoothing * self.smoothing;
            let strength = disc.bound * self.smoothing / (square * f64::sqrt(square));
            for (row, v) in self.rows[k].iter().zip(v) {
                let factor = (next - self.smoothing) * strength * v;
                change = array::from_fn(|i| change[i] + factor * row[i]);
            }
        }
        let step = solve(self.hessian(y), change);
        *y = array::from_fn(|i| y[i] + step[i]);
    }

    fn gradient(&self, y: &[f64; M]) -> [f64; M] {
        let mut gradient: [f64; M] = array::from_fn(|i| y[i] - self.start[i]);
        for (k, disc) in self.discs.iter().enumerate() {
            let v = self.motion(k, y);
            let square = v[0] * v[0] + v[1] * v[1] + self.smoothing * self.smoothing;
            let size = disc.bound / f64::sqrt(square);
            let [a, b] = &self.rows[k];
            let [x, y] = v.map(|v| size * v);
            gradient = array::from_fn(|i| gradient[i] + (x * a[i] + y * b[i]));
        }
        gradient
    }

    /// How the gradient changes; definite.
    fn hessian(&self, y: &[f64; M]) -> [[f64; M]; M] {
        let mut hessian = [[0.0; M]; M];
        for (i, line) in hessian.iter_mut().enumerate() {
            line[i] = 1.0;
        }
        let blunt = self.smoothing * self.smoothing;
        for (k, disc) in self.discs.iter().enumerate() {
            let [x, y] = self.motion(k, y);
            let square = x * x + y * y + blunt;
            let strength = disc.bound / (square * f64::sqrt(square));
            let [a, b] = &self.rows[k];
            // I − v vᵀ/|v|²: across the slip, and of the smoothing along it, too.
            let across: [f64; M] = array::from_fn(|i| y * a[i] - x * b[i]);
            for (i, line) in hessian.iter_mut().enumerate() {
                let [c, d, e] = [across[i], blunt * a[i], blunt * b[i]].map(|x| strength * x);
                for (j, entry) in line.iter_mut().enumerate() {
                    *entry += c * across[j] + (d * a[j] + e * b[j]);
                }
            }
        }
        hessian
    }
}

#[inline(always)]
fn dot<const M: usize>(a: &[f64; M], b: &[f64; M]) -> f64 {
    (0..M).fold(0.0, |sum, i| sum + a[i] * b[i])
}

/// `A⁻¹ b` of a definite matrix, by Cholesky's method.
#[inline(always)]
fn solve<const M: usize>(mut a: [[f64; M]; M], mut b: [f64; M]) -> [f64; M] {
    let mut inverse = [0.0; M];
    for i in 0..M {
        for j in 0..i {
            let known = (0..j).fold(0.0, |sum, k| sum + a[i][k] * a[j][k]);
            a[i][j] = (a[i][j] - known) * inverse[j];
        }
        let known = (0..i).fold(0.0, |sum, k| sum + a[i][k] * a[i][k]);
        inverse[i] = 1.0 / f64::sqrt((a[i][i] - known).max(f64::MIN_POSITIVE));
        b[i] = (b[i] - (0..i).fold(0.0, |sum, k| sum + a[i][k] * b[k])) * inverse[i];
    }
    for i in (0..M).rev() {
        b[i] = (b[i] - (i + 1..M).fold(0.0, |sum, k| sum + a[k][i] * b[k])) * inverse[i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One unknown, one contact: it holds what is less than its bound, and of more it leaves the difference.
    #[test]
    fn one_contact_slides_if_it_cannot_hold() {
        let disc = Disc { tangents: 1, bound: 0.5, usual: 1.0 };
        for (pull, motion) in [(0.4, 0.0), (0.8, 0.3), (-2.0, -1.5)] {
            let mut problem = Problem::<1> {
                discs: &[disc],
                rows: &[[[1.0], [0.0]]],
                start: [pull],
                smoothing: 0.1,
                motions: Vec::new(),
                steps: 0,
            };
            let mut y = [pull];
            while problem.smoothing > tol::DISC_SHARP {
                let next = tol::DISC_SHARPENING * problem.smoothing;
                assert!(problem.settle(&mut y, tol::NEWTON_SMALL * problem.smoothing), "{pull}");
                problem.predict(&mut y, next);
                problem.smoothing = next;
            }
            assert!((y[0] - motion).abs() < 1e-12, "{pull}: {}", y[0]);
        }
    }

    /// Three contacts of a body that slides along and turns, under one pull after another.
    const ROWS: [[[f64; 3]; 2]; 3] = [
        [[1.0, 0.0, -0.5], [0.0, 1.0, 0.8]],
        [[1.0, 0.0, 0.4], [0.0, 1.0, -0.6]],
        [[1.0, 0.0, 0.3], [0.0, 1.0, 0.1]],
    ];

    fn pulled(start: [f64; 3], discs: &[Disc]) -> Problem<'_, 3> {
        Problem {
            discs,
            rows: &ROWS,
            start,
            smoothing: tol::DISC_BLUNT,
            motions: Vec::new(),
            steps: 0,
        }
    }

    /// The search from the last motion ends where that from nothing does.
    #[test]
    fn a_known_start_leads_to_the_same() {
        let discs = [0.5, 0.3, 0.4].map(|bound| Disc { tangents: 2, bound, usual: 1.0 });
        let (mut onsets, mut never) = (Vec::new(), |_: Smoothed, _: &Onsets| false);
        let pull = [1.3, 0.2, 0.1];
        let last =
            pulled(pull, &discs).sharpen(1.0, Query::default(), &mut onsets, &mut never).unwrap();
        assert!(onsets.iter().all(Option::is_some), "{onsets:?}");
        // Hardly enough to move them, at last.
        for pull in [[1.25, 0.22, 0.1], [1.22, 0.05, 0.12]] {
            let known = pulled(pull, &discs).continue_from(&last, &mut onsets, &mut never).unwrap();
            let found = pulled(pull, &discs)
                .sharpen(1.0, Query::default(), &mut onsets, &mut never)
                .unwrap();
            for (known, found) in known.iter().zip(&found) {
                assert!((known - found).abs() < 1e-12, "{known} {found}");
            }
        }
        // Where nothing feeds that motion any more it does not go on.
        assert!(
            pulled([0.3, 0.0, 0.0], &discs).continue_from(&last, &mut onsets, &mut never).is_none()
        );
    }

    /// At the very bound nothing is clear but that all are slow.
    #[test]
    fn slow_contacts_need_not_be_clear() {
        let discs = [0.5, 0.3, 0.4].map(|bound| Disc { tangents: 2, bound, usual: 1.0 });
        let (mut onsets, mut never) = (Vec::new(), |_: Smoothed, _: &Onsets| false);
        // All along x: 0.5 + 0.3 + 0.4, and the torque of these.
        let bound = [1.2, 0.0, -0.5 * 0.5 + 0.4 * 0.3 + 0.3 * 0.4];
        // If they cannot be borne all slide, however slowly; if they can all hold.
        assert!(
            pulled(bound, &discs).sharpen(1.0, Query::default(), &mut onsets, &mut never).is_some()
        );
        assert!(onsets.iter().flatten().all(|v| length(*v) < 1e-6) && !onsets.contains(&None));
        let mut always = |_: Smoothed, _: &Onsets| true;
        assert!(
            pulled(bound, &discs)
                .sharpen(1.0, Query::default(), &mut onsets, &mut always)
                .is_some()
        );
        assert_eq!(onsets, [None; 3]);
        assert!(
            pulled(bound, &discs)
                .sharpen(1.0, Query { least: 1e-8, ..Query::default() }, &mut onsets, &mut never)
                .is_some()
        );
        assert_eq!(onsets, [None; 3]);
    }
}
