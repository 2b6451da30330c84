//! One step of all assemblies.

use super::super::applied::AppliedLoads;
use super::super::assembly::{Dynamics, Kinematics, Powers};
use super::super::contact::{Bodies, ContactAt, Layout, Site, Slot};
use super::super::impact::{ends, resolve_together};
use super::super::model::{Model, Place};
use super::super::report::{
    ContactState, Effort, Event, EventContact, EventKind, Failure, FailureKind, Ledger, Sample,
};
use super::super::vector::V3;
use super::near::{Active, Ball, Broad, Window, only_limits};
use super::sweeps::{Swept, sweep};
use carom::{Law, Material, Restitution};
use std::collections::BTreeMap;

/// Bodies may lie in each other by this part of their extent; what is deeper is moved apart \[1\].
const PENETRATION: f64 = 1e-6;
/// Times that bodies are moved apart in one step: gaps are not linear in the displacement.
const SEPARATIONS: usize = 3;
/// Velocities below this part of the fastest seen are none \[1\].
const STILL: f64 = 1e-9;
/// Steps without motion that make rest, and how long they are at least: gravity would have given this part of the speed.
const STEPS_OF_REST: u32 = 10;
const LENGTH_OF_REST: f64 = 1e-6;

/// Islands of more contacts than this are solved by sweeps, where the law is `newton-coulomb`.
const FEW: usize = 4;
/// Sweeps that leave more than this of the fastest velocity are told \[1\].
const POOR: f64 = 1e-6;

/// A scene between two steps.
pub(super) struct Stepper<'a> {
    model: &'a Model,
    layout: Layout,
    theta: f64,
    law: Law,
    /// Whether the law asks contact by contact for its e.
    e_by_contact: bool,
    /// Whether it is `newton-coulomb` as it is.
    plain: bool,
    /// Impulses of the step before, in the world, for sweeps to begin with.
    known: BTreeMap<Slot, V3>,
    fixed: Vec<usize>,
    endless: Vec<usize>,
    driven: bool,
    broad: Broad,
    balls: Vec<Ball>,
    active: Vec<Active>,
    /// Positions, velocities and time: before the last step, now, at `q_m` with old and with free velocities.
    old: Vec<f64>,
    y: Vec<f64>,
    y_start: Vec<f64>,
    y_free: Vec<f64>,
    at_start: Vec<Kinematics>,
    free: Vec<Kinematics>,
    dynamics: Vec<Dynamics>,
    applied: AppliedLoads,
    /// Impulses of the last step, contact by contact of `active` \[N·s\].
    impulses: Vec<[f64; 3]>,
    /// The fastest that each assembly has been [m/s].
    speed: Vec<f64>,
    still: u32,
    /// Since when nothing moves \[s\].
    still_since: f64,
    moved_apart: bool,
    pub(super) effort: Effort,
    pub(super) notes: Vec<String>,
}

impl<'a> Stepper<'a> {
    pub(super) fn new(model: &'a Model, theta: f64) -> Self {
        let layout = Layout::new(model, (0..model.assemblies.len()).collect());
        let (nq, nv) = (layout.positions(), layout.velocities());
        let mut y = vec![0.0; nq + nv + 1];
        for (k, assembly) in model.assemblies.iter().enumerate() {
            let (q, v) = assembly.start();
            y[layout.q_of(k)].copy_from_slice(&q);
            y[nq..][layout.v_of(k)].copy_from_slice(&v);
        }
        let law = model.law.or_else(|| Law::from_id("newton-coulomb").ok());
        let law = law.unwrap_or_else(|| unreachable!("newton-coulomb is in the catalogue"));
        let touches =
            |body: &usize| model.place[*body] == Place::Fixed && model.radius[*body] > 0.0;
        let fixed: Vec<usize> = (0..model.place.len()).filter(touches).collect();
        let (endless, fixed) =
            fixed.into_iter().partition(|&body| model.radius[body].is_infinite());
        let driven = model.assemblies.iter().any(|assembly| assembly.is_driven())
            || (0..model.place.len()).any(|body| model.drives(body))
            || model.applied.is_some();
        let count = model.assemblies.len();
        Self {
            model,
            theta,
            e_by_contact: matches!(law.id(), "newton-coulomb" | "poisson-coulomb"),
            plain: Law::from_id("newton-coulomb").is_ok_and(|plain| plain == law),
            known: BTreeMap::new(),
            law,
            fixed,
            endless,
            driven,
            broad: Broad::default(),
            balls: Vec::new(),
            active: Vec::new(),
            old: y.clone(),
            y_start: y.clone(),
            y_free: y.clone(),
            y,
            at_start: Vec::new(),
            free: Vec::new(),
            dynamics: vec![Dynamics::default(); count],
            applied: AppliedLoads::default(),
            impulses: Vec::new(),
            speed: vec![0.0; count],
            still: 0,
            still_since: 0.0,
            moved_apart: false,
            effort: Effort::default(),
            notes: Vec::new(),
            layout,
        }
    }

    pub(super) fn coordinates(&self) -> usize {
        self.layout.velocities()
    }

    pub(super) fn state(&self) -> &[f64] {
        &self.y
    }

    pub(super) fn time(&self) -> f64 {
        self.y[self.y.len() - 1]
    }

    /// How many contacts took part in the last step.
    pub(super) fn contacts(&self) -> usize {
        self.active.len()
    }

    /// The first two bodies that lie deeper in each other than this part of their extent, and how deep.
    pub(super) fn overlap(&mut self, part: f64) -> Option<((usize, usize), f64)> {
        self.layout.kinematics(self.model, &self.y, &mut self.free);
        self.at_start.clone_from(&self.free);
        self.find_balls(0.0, 0.0);
        let (model, extents) = (self.model, Extents(self.model));
        let bodies = Bodies { model, layout: &self.layout, kinematics: &self.free, t: self.time() };
        for &(a, b) in self.broad.pairs(model, &self.balls, &self.endless) {
            let Some(pair) = model.pair(a, b) else { continue };
            let poses = [bodies.get(a).pose, bodies.get(b).pose];
            for shapes in &pair.shapes {
                let depth = shapes.overlap(&poses[0], &poses[1]);
                if depth > part * extents.of(a, b) {
                    return Some(((a, b), depth));
                }
            }
        }
        None
    }

    /// Total energy now.
    pub(super) fn energy(&mut self) -> f64 {
        self.layout.kinematics(self.model, &self.y, &mut self.free);
        let (t, layout) = (self.time(), &self.layout);
        (self.model.assemblies.iter().zip(&self.free).enumerate())
            .map(|(k, (assembly, kinematics))| {
                let energy = assembly.energy(&self.y[layout.q_of(k)], t, kinematics);
                energy.kinetic + energy.potential + energy.elastic
            })
            .sum()
    }

    /// Makes a step that ends at `end`.
    pub(super) fn step(
        &mut self,
        end: f64,
        ledger: &mut Ledger,
        events: &mut Vec<Event>,
    ) -> Result<(), Failure> {
        let start = self.time();
        let h = end - start;
        let (early, late) = ((1.0 - self.theta) * h, self.theta * h);
        self.old.copy_from_slice(&self.y);
        self.fall(h, early, start + early)?;
        self.find_contacts(h, late);
        let islands = self.islands();
        self.impulses.clear();
        self.impulses.resize(self.active.len(), [0.0; 3]);
        for island in &islands {
            self.strike(island, h, end, ledger, events)?;
        }
        self.known.clear();
        let told = self.active.iter().zip(&self.impulses);
        self.known.extend(told.map(|(contact, p)| (contact.site.slot, contact.at.world(*p))));
        self.book(h, ledger)?;
        self.arrive(late, end);
        for island in &islands {
            self.move_apart(island)?;
        }
        if !self.y.iter().all(|x| x.is_finite()) {
            self.y.copy_from_slice(&self.old);
            let message = "the numbers of this motion overflow; try shorter steps".into();
            return Err(Failure { kind: FailureKind::Step, message });
        }
        self.effort.steps += 1;
        self.look_for_rest(h);
        Ok(())
    }

    /// `q_m` and free velocities.
    fn fall(&mut self, h: f64, early: f64, t: f64) -> Result<(), Failure> {
        let (model, layout) = (self.model, &self.layout);
        let (nq, nv) = (layout.positions(), layout.velocities());
        self.y_start.copy_from_slice(&self.y);
        self.y_start[nq + nv] = t;
        let mut step = Vec::new();
        for (k, assembly) in model.assemblies.iter().enumerate() {
            let (q, v) = self.y_start.split_at_mut(nq);
            let (q, v) = (&mut q[layout.q_of(k)], &v[layout.v_of(k)]);
            step.clear();
            step.extend(v.iter().map(|v| early * v));
            assembly.displace(q, &step);
            if assembly.has_loops() {
                // Accelerations keep loops closed that are; velocities stay those of the start.
                assembly.close_loops(q, &mut v.to_vec(), t);
            }
        }
        layout.kinematics(model, &self.y_start, &mut self.at_start);
        self.free.clone_from(&self.at_start);
        self.applied.evaluate(model, layout, &self.at_start, t)?;
        self.y_free.copy_from_slice(&self.y_start);
        for (k, assembly) in model.assemblies.iter().enumerate() {
            let q = &self.y_start[layout.q_of(k)];
            let v = &self.y_start[nq..nq + nv][layout.v_of(k)];
            let free_v = &mut self.y_free[nq..nq + nv][layout.v_of(k)];
            let (kinematics, dynamics) = (&mut self.free[k], &mut self.dynamics[k]);
            let extra = self.applied.of(k);
            for round in 0..2 {
                if round > 0 {
                    step.clear();
                    step.extend(v.iter().zip(free_v.iter()).map(|(v, f)| v + self.theta * (f - v)));
                    assembly.kinematics(q, &step, t, kinematics);
                    assembly.dynamics(q, &step, t, kinematics, extra, dynamics)?;
                } else {
                    assembly.dynamics(q, v, t, kinematics, extra, dynamics)?;
                }
                self.effort.slopes += 1;
                for ((f, v), a) in free_v.iter_mut().zip(v).zip(&dynamics.free) {
                    *f = v + h * a;
                }
            }
            assembly.kinematics(q, free_v, t, kinematics);
        }
        Ok(())
    }

    /// Balls around all bodies that have one, for a step of which `late` is left.
    fn find_balls(&mut self, h: f64, late: f64) {
        let (model, t) = (self.model, self.y_free[self.y_free.len() - 1]);
        self.balls.clear();
        for (k, assembly) in model.assemblies.iter().enumerate() {
            for (local, &body) in assembly.bodies().iter().enumerate() {
                let radius = model.radius[body];
                if radius <= 0.0 {
                    continue;
                }
                let (free, before) = (&self.free[k].twists[local], &self.at_start[k].twists[local]);
                let speed = free.velocity.norm() + free.spin.norm() * radius;
                let gain = (free.velocity - before.velocity).norm()
                    + (free.spin - before.spin).norm() * radius;
                let path = late * speed + h * (gain + h * model.gravity);
                self.balls.push(Ball {
                    body,
                    centre: self.free[k].poses[local].centre,
                    radius,
                    path,
                });
            }
        }
        for &body in &self.fixed {
            let (pose, twist, acceleration) = model.ground(body, t);
            let path = late * twist.velocity.norm() + h * h * acceleration.norm();
            self.balls.push(Ball { body, centre: pose.centre, radius: model.radius[body], path });
        }
    }

    /// The contacts that take part, in the order of slots.
    fn find_contacts(&mut self, h: f64, late: f64) {
        self.find_balls(h, late);
        let (model, layout) = (self.model, &self.layout);
        let t = self.y_free[self.y_free.len() - 1];
        let bodies = |kinematics| Bodies { model, layout, kinematics, t };
        let window = Window {
            start: bodies(&self.at_start),
            free: bodies(&self.free),
            y_start: &self.y_start,
            y_free: &self.y_free,
            h,
            late,
        };
        let mut path = vec![0.0; model.place.len()];
        for ball in &self.balls {
            path[ball.body] = ball.path;
        }
        for &body in &self.endless {
            let (_, twist, acceleration) = model.ground(body, t);
            path[body] = late * twist.velocity.norm() + h * h * acceleration.norm();
        }
        self.active.clear();
        let extents = Extents(model);
        for &(a, b) in self.broad.pairs(model, &self.balls, &self.endless) {
            if let Some(pair) = model.pair(a, b) {
                window.pair(&pair, path[a] + path[b], extents.of(a, b), &mut self.active);
            }
        }
        for (k, assembly) in model.assemblies.iter().enumerate() {
            for limit in 0..assembly.limits().len() {
                window.limit(k, limit, &mut self.active);
            }
        }
        self.active.sort_by_key(|contact| contact.site.slot);
    }

    /// What active contacts connect.
    fn islands(&self) -> Vec<Island> {
        let count = self.model.assemblies.len();
        let mut root: Vec<usize> = (0..count).collect();
        fn find(root: &mut [usize], mut k: usize) -> usize {
            while root[k] != k {
                root[k] = root[root[k]];
                k = root[k];
            }
            k
        }
        let mut first = Vec::with_capacity(self.active.len());
        for contact in &self.active {
            let [a, b] = ends(self.model, &self.layout, &contact.site);
            let (a, b) = (a.or(b).unwrap_or_default(), b.or(a).unwrap_or_default());
            let (a, b) = (find(&mut root, a), find(&mut root, b));
            root[a.max(b)] = a.min(b);
            first.push(a);
        }
        let mut place = vec![usize::MAX; count];
        let mut islands: Vec<Island> = Vec::new();
        for (c, assembly) in first.into_iter().enumerate() {
            let of = find(&mut root, assembly);
            if place[of] == usize::MAX {
                place[of] = islands.len();
                islands.push(Island::default());
            }
            islands[place[of]].contacts.push(c);
        }
        for k in 0..count {
            let of = find(&mut root, k);
            if place[of] != usize::MAX {
                islands[place[of]].assemblies.push(k);
            }
        }
        islands
    }

    /// The law on one island, and its works.
    fn strike(
        &mut self,
        island: &Island,
        h: f64,
        end: f64,
        ledger: &mut Ledger,
        events: &mut Vec<Event>,
    ) -> Result<(), Failure> {
        let active = |c: &usize| &self.active[*c];
        if island.contacts.iter().map(active).all(|contact| contact.at.u[0] >= 0.0) {
            return Ok(());
        }
        let strikes = island.contacts.iter().map(active).any(|contact| contact.strikes);
        let sites: Vec<(Site, ContactAt)> = (island.contacts.iter().map(active))
            .map(|contact| {
                let mut site = contact.site.clone();
                if !(contact.strikes || strikes && !self.e_by_contact) {
                    let restitution = Restitution::Constant(0.0);
                    site.material = Material { restitution, e_t: 0.0, ..site.material };
                }
                (site, contact.at)
            })
            .collect();
        let layout = Layout::new(self.model, island.assemblies.clone());
        let (nq, nv) = (self.layout.positions(), self.layout.velocities());
        let mut y = gather(&self.layout, &self.y_free, &layout);
        let mut kinematics: Vec<Kinematics> =
            island.assemblies.iter().map(|&k| std::mem::take(&mut self.free[k])).collect();
        let t = y[y.len() - 1];
        let bodies = Bodies { model: self.model, layout: &layout, kinematics: &kinematics, t };
        let plain = self.plain && sites.iter().all(|(site, _)| site.material.e_t == 0.0);
        let mut left = 0.0;
        let answer = if plain && sites.len() > FEW {
            let start = self.start_of_sweeps(&sites);
            let swept = sweep(&bodies, &self.dynamics, &sites, &y, &start);
            let v = &mut y[layout.positions()..];
            v.iter_mut().zip(&swept.change).for_each(|(v, change)| *v += change);
            left = swept.left;
            Ok((swept.impulses, None))
        } else {
            resolve_together(self.model, &bodies, &sites, &mut y, &self.law, strikes)
        };
        self.effort.decisions += 1;
        if left > POOR {
            self.note("contacts of a large island were not solved to a millionth in some step: shorter steps need fewer sweeps");
        }
        // Works are of the mean velocity.
        let mut mean = y.clone();
        let v_start = &self.y_start[nq..nq + nv];
        for (k, &assembly) in island.assemblies.iter().enumerate() {
            let mean = &mut mean[layout.positions()..][layout.v_of(k)];
            for (m, v) in mean.iter_mut().zip(&v_start[self.layout.v_of(assembly)]) {
                *m = 0.5 * (*m + v);
            }
        }
        let result = answer.map(|(impulses, verdict)| {
            layout.kinematics(self.model, &mean, &mut kinematics);
            let bodies = Bodies { model: self.model, layout: &layout, kinematics: &kinematics, t };
            let mut struck = 0.0;
            for ((&c, (site, at)), p) in island.contacts.iter().zip(&sites).zip(&impulses) {
                self.impulses[c] = *p;
                let u = ContactAt::velocity_of(&bodies, site, &mean).u;
                let mut work = [0.0; 3];
                for i in 0..at.rows {
                    work[i] = p[i] * u[i];
                    ledger.drives -= p[i] * at.w[i];
                }
                if self.active[c].strikes {
                    struck += work.iter().sum::<f64>();
                } else {
                    ledger.impacts += work[0];
                    ledger.friction += work[1] + work[2];
                }
            }
            ledger.impacts += struck;
            if strikes {
                self.effort.impacts += 1;
                events.push(self.event(island, &impulses, end, struck, verdict));
            }
        });
        for (&k, kinematics) in island.assemblies.iter().zip(kinematics) {
            self.free[k] = kinematics;
        }
        result.map_err(|failure| Failure {
            message: format!(
                "{} ({} contacts in the step of {h} s before t = {end} s; a law for several contacts, as \
                 newton-coulomb, or shorter steps may help)",
                failure.message,
                island.contacts.len()
            ),
            ..failure
        })?;
        scatter(&layout, &y, &self.layout, &mut self.y_free);
        Ok(())
    }

    /// The impulses of the step before. Where one edge or corner of two shapes has taken over from another, its impulse has
    /// gone over too.
    fn start_of_sweeps(&mut self, sites: &[(Site, ContactAt)]) -> Vec<[f64; 3]> {
        let mut start: Vec<Option<V3>> =
            sites.iter().map(|(site, _)| self.known.remove(&site.slot)).collect();
        for ((site, _), start) in sites.iter().zip(&mut start) {
            let Slot::Feature { a, b, shape, .. } = site.slot else { continue };
            if start.is_none() {
                let feature = |feature| Slot::Feature { a, b, shape, feature };
                let mut gone = self.known.range(feature(0)..=feature(usize::MAX));
                let slot = gone.next().map(|(slot, _)| *slot);
                *start = slot.and_then(|slot| self.known.remove(&slot));
            }
        }
        (sites.iter().zip(start))
            .map(|((_, at), impulse)| match impulse {
                Some(impulse) => {
                    let p = at.axes.map(|axis| axis.dot(&impulse));
                    [p[0].max(0.0), p[1], p[2]]
                }
                None => [0.0; 3],
            })
            .collect()
    }

    fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.into());
        }
    }

    fn event(
        &self,
        island: &Island,
        impulses: &[[f64; 3]],
        time: f64,
        energy_change: f64,
        verdict: Option<carom::Verdict>,
    ) -> Event {
        let struck = |&(c, _): &(&usize, &[f64; 3])| self.active[*c].strikes;
        let of_island = || island.contacts.iter().zip(impulses);
        let kind = match only_limits(of_island().filter(struck).map(|(&c, _)| &self.active[c])) {
            true => EventKind::Limit,
            false => EventKind::Impact { collision: true },
        };
        let contacts = of_island()
            .filter(struck)
            .map(|(&c, impulse)| {
                let Active { site, at, .. } = &self.active[c];
                EventContact {
                    between: site.between(self.model),
                    point: at.touch.point.into(),
                    normal: at.touch.normal.into(),
                    impulse: at.world(*impulse).into(),
                }
            })
            .collect();
        Event { time, kind, contacts, energy_change, verdict }
    }

    /// Works that are not those of contacts on relative motion.
    fn book(&mut self, h: f64, ledger: &mut Ledger) -> Result<(), Failure> {
        let (model, layout) = (self.model, &self.layout);
        let (nq, nv) = (layout.positions(), layout.velocities());
        let t = self.y_free[nq + nv];
        for (k, assembly) in model.assemblies.iter().enumerate() {
            if self.dynamics[k].powers == Powers::default() && !assembly.is_driven() {
                continue;
            }
            let q = &self.y_start[layout.q_of(k)];
            let before = &self.y_start[nq..nq + nv][layout.v_of(k)];
            let after = &self.y_free[nq..nq + nv][layout.v_of(k)];
            let mean: Vec<f64> = before.iter().zip(after).map(|(v, w)| 0.5 * (v + w)).collect();
            let (kinematics, dynamics) = (&mut self.free[k], &mut self.dynamics[k]);
            assembly.kinematics(q, &mean, t, kinematics);
            assembly.dynamics(q, &mean, t, kinematics, self.applied.of(k), dynamics)?;
            ledger.damping += h * dynamics.powers.damping;
            ledger.forces += h * dynamics.powers.forces;
            if assembly.is_driven() {
                let gained: Vec<f64> = before.iter().zip(after).map(|(v, w)| (w - v) / h).collect();
                let mut forces = vec![V3::zeros(); assembly.bodies().len()];
                for (sum, wrench) in forces.iter_mut().zip(self.applied.of(k)) {
                    *sum += wrench.force;
                }
                for (contact, p) in self.active.iter().zip(&self.impulses) {
                    let Some([a, b]) = contact.site.bodies() else { continue };
                    let force = contact.at.world(*p) / h;
                    for (body, force) in [(a, -force), (b, force)] {
                        match model.place[body] {
                            Place::Moving { assembly, body } if assembly == k => {
                                forces[body] += force
                            }
                            _ => {}
                        }
                    }
                }
                let power = assembly.drive_power(q, &mean, t, kinematics, &gained, &forces);
                ledger.drives += h * power;
            }
        }
        Ok(())
    }

    /// The end of the step.
    fn arrive(&mut self, late: f64, end: f64) {
        let (model, layout) = (self.model, &self.layout);
        let nq = layout.positions();
        self.y.copy_from_slice(&self.y_free);
        let last = self.y.len() - 1;
        self.y[last] = end;
        let mut step = Vec::new();
        for (k, assembly) in model.assemblies.iter().enumerate() {
            let (q, v) = self.y.split_at_mut(nq);
            let (q, v) = (&mut q[layout.q_of(k)], &mut v[layout.v_of(k)]);
            step.clear();
            step.extend(v.iter().map(|v| late * v));
            assembly.displace(q, &step);
            assembly.normalise(q);
            assembly.close_loops(q, v, end);
        }
    }

    /// Moves bodies of an island apart where they lie too deep in each other: the least displacement, in the metric of
    /// masses, after which none of its contacts is below zero.
    fn move_apart(&mut self, island: &Island) -> Result<(), Failure> {
        let law = Law::from_id("newton-coulomb");
        let Ok(law) = law else { return Ok(()) };
        let layout = Layout::new(self.model, island.assemblies.clone());
        let mut y = gather(&self.layout, &self.y, &layout);
        let (nq, t) = (layout.positions(), y[y.len() - 1]);
        let extents = Extents(self.model);
        let mut kinematics: Vec<Kinematics> =
            island.assemblies.iter().map(|&k| std::mem::take(&mut self.free[k])).collect();
        let velocity = y[nq..].to_vec();
        for _ in 0..SEPARATIONS {
            layout.kinematics(self.model, &y, &mut kinematics);
            let bodies = Bodies { model: self.model, layout: &layout, kinematics: &kinematics, t };
            let mut deep = false;
            let sites: Vec<(Site, ContactAt)> = (island.contacts.iter())
                .map(|&c| {
                    let mut site = self.active[c].site.clone();
                    let mut at = ContactAt::velocity_of(&bodies, &site, &y);
                    let extent = match site.bodies() {
                        Some([a, b]) => extents.of(a, b),
                        None => 1.0,
                    };
                    deep |= at.touch.gap < -PENETRATION * extent;
                    site.material = Material::default();
                    // Gaps in the place of velocities.
                    (at.u, at.w, at.rows) = ([at.touch.gap, 0.0, 0.0], [at.touch.gap, 0.0, 0.0], 1);
                    (site, at)
                })
                .collect();
            if !deep {
                break;
            }
            self.moved_apart = true;
            y[nq..nq + layout.velocities()].fill(0.0);
            if sites.len() > FEW {
                let Swept { change, .. } = sweep(&bodies, &self.dynamics, &sites, &y, &[]);
                y[nq..nq + change.len()].copy_from_slice(&change);
            } else if resolve_together(self.model, &bodies, &sites, &mut y, &law, false).is_err() {
                // Bodies stay where they are; contacts keep them from going deeper.
                self.note("bodies that lie in each other could not be moved apart in some step");
                break;
            }
            for (k, &assembly) in island.assemblies.iter().enumerate() {
                let (q, v) = y.split_at_mut(nq);
                let assembly = &self.model.assemblies[assembly];
                assembly.displace(&mut q[layout.q_of(k)], &v[layout.v_of(k)]);
                assembly.normalise(&mut q[layout.q_of(k)]);
            }
            y[nq..].copy_from_slice(&velocity);
        }
        y[nq..].copy_from_slice(&velocity);
        for (k, &assembly) in island.assemblies.iter().enumerate() {
            let (q, v) = y.split_at_mut(nq);
            let (q, v) = (&mut q[layout.q_of(k)], &mut v[layout.v_of(k)]);
            self.model.assemblies[assembly].close_loops(q, v, t);
        }
        for (&k, kinematics) in island.assemblies.iter().zip(kinematics) {
            self.free[k] = kinematics;
        }
        scatter(&layout, &y, &self.layout, &mut self.y);
        Ok(())
    }

    fn look_for_rest(&mut self, h: f64) {
        if self.driven {
            return;
        }
        let (model, layout) = (self.model, &self.layout);
        let (nq, nv) = (layout.positions(), layout.velocities());
        let (mut calm, mut long) = (!std::mem::take(&mut self.moved_apart), true);
        let mut unit = (vec![0.0; nq], vec![0.0; nv]);
        for (k, assembly) in model.assemblies.iter().enumerate() {
            let length = model.length[k];
            let v = &self.y[nq..nq + nv][layout.v_of(k)];
            let (unit_q, unit_v) = (&mut unit.0[layout.q_of(k)], &mut unit.1[layout.v_of(k)]);
            assembly.scales(length, 1.0, unit_q, unit_v);
            let fastest = v
                .iter()
                .zip(unit_v.iter())
                .fold(0.0, |most: f64, (v, unit)| most.max(v.abs() / unit));
            let speed = self.speed[k].max(fastest).max(f64::sqrt(model.gravity * length));
            self.speed[k] = speed;
            calm &= fastest <= STILL * speed;
            let gravity = model.gravity.max(speed * speed / length);
            long &= (self.y[nq + nv] - self.still_since) * gravity >= LENGTH_OF_REST * speed;
        }
        if !calm {
            self.still = 0;
            self.still_since = self.y[nq + nv];
        } else if self.still < STEPS_OF_REST || !long {
            self.still = (self.still + 1).min(STEPS_OF_REST - u32::from(!long));
        }
        let _ = h;
    }

    /// Whether nothing has moved for some steps, and nothing will.
    pub(super) fn rests(&self) -> bool {
        self.still >= STEPS_OF_REST
    }

    /// Ends the motion.
    pub(super) fn rest(&mut self) -> Event {
        let (nq, nv) = (self.layout.positions(), self.layout.velocities());
        self.y[nq..nq + nv].fill(0.0);
        super::rest_event(self.time())
    }

    /// Fills a sample by the last step, or from where it ended if the sample is later.
    pub(super) fn sample(&mut self, sample: &mut Sample, contacts: bool) {
        let (start, end) = (self.old[self.old.len() - 1], self.time());
        let part =
            if end > start { ((sample.time - start) / (end - start)).clamp(0.0, 1.0) } else { 1.0 };
        let mut y: Vec<f64> =
            self.old.iter().zip(&self.y).map(|(old, new)| old + part * (new - old)).collect();
        if part == 1.0 {
            y.copy_from_slice(&self.y);
        }
        let (model, layout) = (self.model, &self.layout);
        layout.kinematics(model, &y, &mut self.free);
        let t = y[y.len() - 1];
        for (k, assembly) in model.assemblies.iter().enumerate() {
            for (local, &body) in assembly.bodies().iter().enumerate() {
                sample.bodies[body] = self.free[k].state(local);
            }
            let energy = assembly.energy(&y[layout.q_of(k)], t, &self.free[k]);
            sample.kinetic += energy.kinetic;
            sample.potential += energy.potential;
            sample.elastic += energy.elastic;
        }
        if contacts && end > start {
            let told = self.active.iter().zip(&self.impulses).filter(|(_, p)| p[0] != 0.0);
            sample.contacts = told
                .map(|(contact, p)| {
                    let at = &contact.at;
                    let slip = f64::hypot(p[1], p[2]);
                    ContactState {
                        between: contact.site.between(model),
                        point: at.touch.point.into(),
                        normal: at.touch.normal.into(),
                        force: (at.world(*p) / (end - start)).into(),
                        slides: at.rows > 1
                            && slip >= contact.site.material.mu * p[0] * (1.0 - 1e-9),
                    }
                })
                .collect();
        }
    }
}

/// Assemblies and contacts of one law call, in ascending order.
#[derive(Clone, Debug, Default)]
struct Island {
    assemblies: Vec<usize>,
    contacts: Vec<usize>,
}

/// The sizes of bodies that move.
struct Extents<'a>(&'a Model);

impl Extents<'_> {
    /// The larger one of two \[m\].
    fn of(&self, a: usize, b: usize) -> f64 {
        let of = |body: usize| match self.0.place[body] {
            Place::Moving { assembly, .. } => self.0.length[assembly],
            Place::Fixed => 0.0,
        };
        of(a).max(of(b))
    }
}

/// What a part of the assemblies has of all unknowns.
fn gather(from: &Layout, y: &[f64], to: &Layout) -> Vec<f64> {
    let mut part = vec![0.0; to.positions() + to.velocities() + 1];
    let (nq_to, nq_from) = (to.positions(), from.positions());
    for (k, &assembly) in to.assemblies.iter().enumerate() {
        part[to.q_of(k)].copy_from_slice(&y[from.q_of(assembly)]);
        part[nq_to..][to.v_of(k)].copy_from_slice(&y[nq_from..][from.v_of(assembly)]);
    }
    let last = part.len() - 1;
    part[last] = y[y.len() - 1];
    part
}

/// Puts it back.
fn scatter(from: &Layout, part: &[f64], to: &Layout, y: &mut [f64]) {
    let (nq_from, nq_to) = (from.positions(), to.positions());
    for (k, &assembly) in from.assemblies.iter().enumerate() {
        y[to.q_of(assembly)].copy_from_slice(&part[from.q_of(k)]);
        y[nq_to..][to.v_of(assembly)].copy_from_slice(&part[nq_from..][from.v_of(k)]);
    }
}
