//! `newton-coulomb` on large islands, contact by contact until nothing changes: exact solvers take seconds there.
//!
//! J. J. Moreau and M. Jean's way: each contact in turn gets the impulse that fulfils its own law with all others held,
//! forwards and backwards, from the impulses of the step before. The limit is an answer of `newton-coulomb`; where sweeps
//! end early, what they leave is told.

use super::super::assembly::Dynamics;
use super::super::contact::{Bodies, ContactAt, Site};
use std::ops::Range;

/// Sweeps end when no contact changes velocities by more than this part of the fastest approach or slip \[1\].
const SETTLED: f64 = 1e-9;
/// More sweeps are not made.
const MOST: usize = 400;

/// One contact: where its rows have numbers, and these, transformed.
struct Part {
    ranges: Vec<Range<usize>>,
    rows: [Vec<f64>; 3],
    /// `W_nn`, and the largest eigenvalue of the tangential part.
    stiffness: [f64; 2],
    mu: f64,
    count: usize,
    /// Velocity to be changed, with that of restitution on the normal.
    offset: [f64; 3],
}

/// What sweeps came to.
pub(super) struct Swept {
    pub(super) impulses: Vec<[f64; 3]>,
    /// Of the island's velocities.
    pub(super) change: Vec<f64>,
    /// The last change of a contact velocity beside the fastest \[1\].
    pub(super) left: f64,
}

/// Impulses of all contacts. `dynamics` gives the transforms of all assemblies; `start` may be empty.
pub(super) fn sweep(
    bodies: &Bodies,
    dynamics: &[Dynamics],
    sites: &[(Site, ContactAt)],
    y: &[f64],
    start: &[[f64; 3]],
) -> Swept {
    let layout = bodies.layout;
    let nv = layout.velocities();
    let mut rows = vec![0.0; 3 * nv];
    let parts: Vec<Part> =
        sites.iter().map(|(site, at)| part(bodies, dynamics, site, at, y, &mut rows)).collect();
    let mut impulses = vec![[0.0; 3]; parts.len()];
    let mut x = vec![0.0; nv];
    for ((p, part), start) in impulses.iter_mut().zip(&parts).zip(start) {
        *p = *start;
        (0..part.count).for_each(|i| part.add(i, p[i], &mut x));
    }
    let scale =
        parts.iter().flat_map(|part| part.offset).fold(0.0, |most: f64, u| most.max(u.abs()));
    let mut left = f64::INFINITY;
    for round in 0..MOST {
        let mut most: f64 = 0.0;
        for i in 0..parts.len() {
            let c = if round % 2 == 0 { i } else { parts.len() - 1 - i };
            most = most.max(parts[c].relax(&mut impulses[c], &mut x));
        }
        left = if scale > 0.0 { most / scale } else { 0.0 };
        if left <= SETTLED {
            break;
        }
    }
    for (k, &assembly) in layout.assemblies.iter().enumerate() {
        dynamics[assembly].response(&mut x[layout.v_of(k)]);
    }
    Swept { impulses, change: x, left }
}

fn part(
    bodies: &Bodies,
    dynamics: &[Dynamics],
    site: &Site,
    at: &ContactAt,
    y: &[f64],
    rows: &mut [f64],
) -> Part {
    let layout = bodies.layout;
    let nv = layout.velocities();
    at.rows(bodies, site, y, rows);
    let ends = super::super::impact::ends(bodies.model, layout, site);
    let [first, second] = ends;
    let second = second.filter(|_| second != first);
    let touched: Vec<usize> = first.into_iter().chain(second).collect();
    let mut transformed: [Vec<f64>; 3] = Default::default();
    for (out, row) in transformed.iter_mut().zip(rows.chunks_exact_mut(nv)).take(at.rows) {
        for &k in &touched {
            let row = &mut row[layout.v_of(k)];
            dynamics[layout.assemblies[k]].transform(row);
            out.extend_from_slice(row);
        }
    }
    let entry = |i: usize, j: usize| carom_numerics::dot(&transformed[i], &transformed[j]);
    // The largest eigenvalue of the tangential block: slower directions are under-relaxed, none overshoots.
    let (x, y) = (entry(1, 1), entry(2, 2));
    let across = if at.rows > 2 { entry(1, 2) } else { 0.0 };
    let stiffness = [entry(0, 0), 0.5 * (x + y) + f64::hypot(0.5 * (x - y), across)];
    let approach = -at.u[0];
    let rebound = site.material.restitution.at(approach.max(0.0)) * at.u[0].min(0.0);
    Part {
        ranges: touched.into_iter().map(|k| layout.v_of(k)).collect(),
        stiffness,
        mu: site.material.mu,
        count: at.rows,
        offset: [at.u[0] + rebound, at.u[1], at.u[2]],
        rows: transformed,
    }
}

impl Part {
    fn add(&self, i: usize, p: f64, x: &mut [f64]) {
        let mut row = self.rows[i].as_slice();
        for range in &self.ranges {
            let (here, rest) = row.split_at(range.len());
            x[range.clone()].iter_mut().zip(here).for_each(|(x, r)| *x += p * r);
            row = rest;
        }
    }

    fn along(&self, i: usize, x: &[f64]) -> f64 {
        let mut row = self.rows[i].as_slice();
        let mut sum = self.offset[i];
        for range in &self.ranges {
            let (here, rest) = row.split_at(range.len());
            sum += carom_numerics::dot(&x[range.clone()], here);
            row = rest;
        }
        sum
    }

    /// Gives the contact the impulse that its own law asks for; by how much its velocity changed.
    fn relax(&self, p: &mut [f64; 3], x: &mut [f64]) -> f64 {
        if self.stiffness[0] <= 0.0 {
            return 0.0;
        }
        let normal = (p[0] - self.along(0, x) / self.stiffness[0]).max(0.0);
        let mut most = (normal - p[0]).abs() * self.stiffness[0];
        self.add(0, normal - p[0], x);
        p[0] = normal;
        if self.count > 1 && self.stiffness[1] > 0.0 {
            let mut wanted = [0.0; 2];
            for i in 1..self.count {
                wanted[i - 1] = p[i] - self.along(i, x) / self.stiffness[1];
            }
            let (size, most_held) = (f64::hypot(wanted[0], wanted[1]), self.mu * normal);
            let share = if size > most_held { most_held / size } else { 1.0 };
            for i in 1..self.count {
                let new = wanted[i - 1] * share;
                most = most.max((new - p[i]).abs() * self.stiffness[1]);
                self.add(i, new - p[i], x);
                p[i] = new;
            }
        }
        most
    }
}
