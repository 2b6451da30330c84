//! Which contacts press, which stick and which slide, at one instant: Coulomb's law with accelerations in place of
//! velocities.

use super::contact::ContactAt;
use super::field::{Field, Friction, ROUGH, own_stiffness};
use super::model::Model;
use super::report::Failure;
use super::vector::V3;
use carom_numerics::coulomb::{Block, Choice, Kind, Problem, Report, Solver};

/// Accelerations and forces this small beside the largest are zero \[1\].
const ZERO: f64 = 1e-9;
/// Sliding contacts whose own `A` is smaller than this part of `W_nn` cannot be followed \[1\].
const SINGULAR: f64 = 1e-6;

/// What a contact does from now on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fate {
    Opens,
    Keeps(Friction),
}

/// What was decided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Decision {
    /// One fate per contact.
    Fates(Vec<Fate>),
    /// No forces that are finite do: velocities jump.
    Jams,
}

/// Notes that deciding may leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DecisionNotes {
    pub(crate) indeterminate: bool,
    pub(crate) redundant_sliding: bool,
}

/// Decides, and keeps memory for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decider {
    solver: Solver,
    factor: Vec<f64>,
    offset: Vec<f64>,
    blocks: Vec<Block>,
}

/// Whether a contact slides at an instant, and along what.
pub(crate) fn slides(at: &ContactAt, stops: bool, speed: f64) -> Option<[f64; 2]> {
    let size = f64::hypot(at.u[1], at.u[2]);
    (at.rows > 1 && !stops && size > speed).then(|| [at.u[1] / size, at.u[2] / size])
}

impl Decider {
    /// Decides at the state `y`, a moment after an event under the pattern that it ended, or at the event itself. Slip
    /// slower than `speed`, and slip of the contacts that `stops` names, is none. `size` is that of accelerations that
    /// matter \[m/s²\].
    pub(crate) fn decide(
        &mut self,
        model: &Model,
        field: &mut Field,
        y: &[f64],
        stops: impl Fn(usize) -> bool,
        speed: f64,
        notes: &mut DecisionNotes,
    ) -> Result<Decision, Failure> {
        field.prepare(model, y)?;
        if field.contacts.is_empty() {
            return Ok(Decision::Fates(Vec::new()));
        }
        if let [contact] = &field.contacts[..] {
            let (at, along) = (field.at[0], slides(&field.at[0], stops(0), speed));
            let mu = contact.site.material.mu;
            if let Some(along) = along
                && let Some(decision) = self.one_slides(model, field, &at, mu, along, notes)
            {
                return Ok(decision);
            }
        }
        let nv = field.layout.velocities();
        self.clear();
        let mut directions: Vec<Option<[f64; 2]>> = Vec::new();
        for c in 0..field.contacts.len() {
            let along = slides(&field.at[c], stops(c), speed);
            directions.push(along);
        }
        self.add_all(field, &directions);
        let Some(report) = self.solve(nv) else { return Ok(Decision::Jams) };
        if report.velocity_unique == Some(false) {
            notes.redundant_sliding = true;
        }
        if self.rubbing(field, &directions).is_some() {
            // What may separate does not rub.
            let blocks = self.blocks.clone();
            let rubs: Vec<usize> =
                (0..blocks.len()).filter(|&c| self.rubs(field, &directions, c) > 0.0).collect();
            for &c in &rubs {
                self.blocks[c].kind = Kind::Push { impulse: [0.0; 3] };
            }
            let scale = carom_numerics::largest(&self.offset);
            let parts = |decider: &Self| {
                let mut first = 0;
                decider.blocks.iter().enumerate().all(|(c, block)| {
                    let xi = decider.solver.velocity()[first];
                    first += block.rows;
                    !rubs.contains(&c) || xi >= -ZERO * scale
                })
            };
            if !(self.solve(nv).is_some() && parts(self)) {
                self.blocks = blocks;
                if self.solve(nv).is_none() {
                    return Ok(Decision::Jams);
                }
            }
        }
        Ok(Decision::Fates(self.read(model, field, &directions)))
    }

    /// Solves the problem of the blocks; where friction without bound defeats the solver, with a bound that is never
    /// reached but next to no pressure.
    fn solve(&mut self, freedoms: usize) -> Option<Report> {
        let Self { solver, factor, offset, blocks } = self;
        let problem = Problem { factor, freedoms, offset, blocks };
        if let Ok(report) = solver.solve(&problem, Choice::Limit) {
            return Some(report);
        }
        if let Some(report) = solver.take_nearest(&problem) {
            return Some(report);
        }
        let endless =
            |block: &Block| matches!(block.kind, Kind::Cone { mu, .. } if mu.is_infinite());
        if !blocks.iter().any(endless) {
            return None;
        }
        let bounded: Vec<Block> = (blocks.iter())
            .map(|block| match endless(block) {
                true => Block { kind: Kind::Cone { mu: ROUGH, lower: 0.0 }, ..*block },
                false => *block,
            })
            .collect();
        let problem = Problem { factor, freedoms, offset, blocks: &bounded };
        if let Ok(report) = solver.solve(&problem, Choice::Limit) {
            return Some(report);
        }
        solver.take_nearest(&problem)
    }

    /// Friction without bound of a contact that does not press, beside what matters; zero if it presses or has none.
    fn rubs(&self, field: &Field, directions: &[Option<[f64; 2]>], c: usize) -> f64 {
        let (block, mu) = (self.blocks[c], field.contacts[c].site.material.mu);
        if mu.is_finite() || directions[c].is_some() || block.rows == 1 {
            return 0.0;
        }
        let first: usize = self.blocks[..c].iter().map(|block| block.rows).sum();
        let p = &self.solver.impulse()[first..first + block.rows];
        let friction = f64::hypot(p[1], p.get(2).copied().unwrap_or(0.0));
        if p[0] * ROUGH <= 2.0 * friction { friction } else { 0.0 }
    }

    fn rubbing(&self, field: &Field, directions: &[Option<[f64; 2]>]) -> Option<usize> {
        (0..self.blocks.len()).find(|&c| self.rubs(field, directions, c) > 0.0)
    }

    fn clear(&mut self) {
        self.factor.clear();
        self.offset.clear();
        self.blocks.clear();
    }

    /// The blocks of all contacts, which slide along a direction or may stick.
    fn add_all(&mut self, field: &Field, directions: &[Option<[f64; 2]>]) {
        let endless = (field.contacts.iter().zip(directions))
            .filter(|(contact, along)| along.is_some() && contact.site.material.mu.is_infinite())
            .count();
        for (c, along) in directions.iter().enumerate() {
            let mu = field.contacts[c].site.material.mu;
            let mu = if along.is_some() && endless > 1 { mu.min(ROUGH) } else { mu };
            self.add(field, c, mu, *along);
        }
    }

    fn add(&mut self, field: &Field, c: usize, mu: f64, along: Option<[f64; 2]>) {
        let nv = field.layout.velocities();
        let at = &field.at[c];
        let rows = &field.rows[c * 3 * nv..][..at.rows * nv];
        let offset = &field.offsets[c][..at.rows];
        match along {
            Some(along) if mu.is_infinite() && at.rows > 1 => {
                // Friction alone, as large as it need be: along a second row that takes off what the first one adds.
                let length = |row: &[f64]| f64::sqrt(carom_numerics::dot(row, row));
                let (normal, tangents) = rows.split_at(nv);
                let mut rubs = vec![0.0; nv];
                let mut given = 0.0;
                for (k, tangent) in tangents.chunks_exact(nv).enumerate() {
                    rubs.iter_mut().zip(tangent).for_each(|(r, t)| *r -= along[k] * t);
                    given -= along[k] * offset[k + 1];
                }
                let share = if length(normal) > 0.0 { length(&rubs) / length(normal) } else { 1.0 };
                let share = if share > 0.0 { share } else { 1.0 };
                rubs.iter_mut().zip(normal).for_each(|(r, n)| *r -= share * n);
                given -= share * offset[0];
                self.factor.extend_from_slice(normal);
                self.factor.extend_from_slice(&rubs);
                self.offset.extend_from_slice(&[offset[0], given]);
                let kind = Kind::Ray { tangent: [1.0 / share, 0.0] };
                self.blocks.push(Block { rows: 2, kind });
            }
            _ => {
                let kind = match along {
                    Some([x, y]) if at.rows > 1 => Kind::Ray { tangent: [-mu * x, -mu * y] },
                    Some(_) => Kind::Ray { tangent: [0.0; 2] },
                    None => Kind::Cone { mu, lower: 0.0 },
                };
                self.factor.extend_from_slice(rows);
                self.offset.extend_from_slice(offset);
                self.blocks.push(Block { rows: at.rows, kind });
            }
        }
    }

    /// Positive if some forces keep all contacts of the prepared field from accelerating: the room that the smallest ones
    /// have, if any. Negative by the largest acceleration if there are none.
    pub(crate) fn holds(&mut self, field: &Field) -> f64 {
        let room = (0..field.contacts.len())
            .map(|c| {
                let contact = &field.contacts[c];
                let mu = contact.site.material.mu;
                let ([n, x, y], load) = (field.forces[c], field.load(c));
                let friction = if contact.friction == Friction::Stick && mu.is_finite() {
                    mu * n - f64::hypot(x, y)
                } else {
                    f64::INFINITY
                };
                friction.min(load)
            })
            .fold(f64::INFINITY, f64::min);
        if room >= 0.0 {
            return room.max(f64::MIN_POSITIVE);
        }
        let nv = field.layout.velocities();
        self.clear();
        let directions: Vec<Option<[f64; 2]>> =
            (0..field.contacts.len()).map(|c| field.slip_direction(c)).collect();
        self.add_all(field, &directions);
        let mut held: Vec<bool> = Vec::new();
        for (block, along) in self.blocks.iter().zip(&directions) {
            held.extend((0..block.rows).map(|row| row == 0 || along.is_none()));
        }
        let Self { solver, factor, offset, blocks } = self;
        let problem = Problem { factor, freedoms: nv, offset, blocks };
        let scale = carom_numerics::largest(offset);
        match solver.solve(&problem, Choice::Enough) {
            Ok(_) => {
                let moves = (solver.velocity().iter().zip(&held))
                    .filter(|(_, held)| **held)
                    .fold(0.0, |most: f64, (xi, _)| most.max(xi.abs()));
                if moves <= ZERO * scale { f64::MIN_POSITIVE } else { -moves }
            }
            Err(_) => -scale,
        }
    }

    /// Forces inside their cones, of contacts of the evaluated field that share a load: the smallest ones may lie outside.
    pub(crate) fn admissible(&mut self, field: &Field) -> Option<Vec<[f64; 3]>> {
        let outside = (0..field.contacts.len()).any(|c| {
            let (mu, [n, x, y]) = (field.contacts[c].site.material.mu, field.forces[c]);
            n < 0.0 || field.contacts[c].friction == Friction::Stick && f64::hypot(x, y) > mu * n
        });
        if !(outside && field.redundant) {
            return None;
        }
        let directions: Vec<Option<[f64; 2]>> =
            (0..field.contacts.len()).map(|c| field.slip_direction(c)).collect();
        self.clear();
        self.add_all(field, &directions);
        let freedoms = field.layout.velocities();
        let Self { solver, factor, offset, blocks } = self;
        let problem = Problem { factor, freedoms, offset, blocks };
        solver.solve(&problem, Choice::Enough).ok()?;
        let mut first = 0;
        let forces = (0..directions.len()).map(|c| {
            let rows = self.blocks[c].rows;
            let p = &self.solver.impulse()[first..first + rows];
            first += rows;
            match directions[c] {
                // Sliding contacts keep the forces of their pattern.
                Some(_) => field.forces[c],
                None => std::array::from_fn(|k| p.get(k).copied().unwrap_or(0.0)),
            }
        });
        Some(forces.collect())
    }

    /// A single sliding contact, in closed form: it may have no answer, or two.
    fn one_slides(
        &self,
        model: &Model,
        field: &Field,
        at: &ContactAt,
        mu: f64,
        along: [f64; 2],
        notes: &mut DecisionNotes,
    ) -> Option<Decision> {
        let nv = field.layout.velocities();
        let row = |k: usize| &field.rows[k * nv..(k + 1) * nv];
        let whole = carom_numerics::dot(row(0), row(0));
        let b = field.offsets[0][0];
        let own = own_stiffness(row, at.rows, mu, along);
        let slip = Friction::sliding(model, at, along);
        let zero = ZERO * whole.max(b.abs());
        Some(if own > SINGULAR {
            Decision::Fates(vec![if b < 0.0 { Fate::Keeps(slip) } else { Fate::Opens }])
        } else if b > zero.min(1e-12) {
            // Pressing would be a solution as well, an unstable one.
            notes.indeterminate = true;
            Decision::Fates(vec![Fate::Opens])
        } else {
            Decision::Jams
        })
    }

    /// The fates that the solver's answer means.
    fn read(&self, model: &Model, field: &Field, directions: &[Option<[f64; 2]>]) -> Vec<Fate> {
        let (p, xi) = (self.solver.impulse(), self.solver.velocity());
        let scale = carom_numerics::largest(&self.offset);
        let nv = field.layout.velocities();
        let mut first = 0;
        let mut fates = Vec::with_capacity(directions.len());
        for (c, at) in field.at.iter().enumerate() {
            let rows = self.blocks[c].rows;
            let (p, xi) = (&p[first..first + rows], &xi[first..first + rows]);
            first += rows;
            let row = &field.rows[c * 3 * nv..][..nv];
            let stiffness = carom_numerics::dot(row, row);
            // Friction without bound may do without pressing.
            let rubs = self.rubs(field, directions, c);
            if p[0].max(rubs) * stiffness <= ZERO * scale {
                fates.push(Fate::Opens);
                continue;
            }
            let friction = if at.rows == 1 {
                Friction::None
            } else if let Some(along) = directions[c] {
                Friction::sliding(model, at, along)
            } else {
                let xi = [xi[1], xi.get(2).copied().unwrap_or(0.0)];
                let size = f64::hypot(xi[0], xi[1]);
                if size <= ZERO * scale {
                    Friction::Stick
                } else {
                    let along = [xi[0] / size, xi[1] / size];
                    Friction::beginning(model, at, along)
                }
            };
            fates.push(Fate::Keeps(friction));
        }
        fates
    }
}

impl Friction {
    /// Slip that is there.
    fn sliding(model: &Model, at: &ContactAt, along: [f64; 2]) -> Self {
        if at.rows == 1 {
            Self::None
        } else if model.planar {
            Self::SlipPlane { sign: if along[0] < 0.0 { -1.0 } else { 1.0 } }
        } else {
            Self::SlipSpace
        }
    }

    /// Slip that begins with an acceleration along the tangents.
    fn beginning(model: &Model, at: &ContactAt, along: [f64; 2]) -> Self {
        match Self::sliding(model, at, along) {
            Self::SlipSpace => {
                let along: V3 = at.world([0.0, along[0], along[1]]);
                Self::Begins { along }
            }
            other => other,
        }
    }
}
