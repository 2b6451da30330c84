//! Which contacts press, which stick and which slide, at one instant: Coulomb's law with accelerations in place of
//! velocities.

use super::contact::ContactAt;
use super::field::{Field, Friction};
use super::model::Model;
use super::report::Failure;
use super::vector::V3;
use carom_numerics::coulomb::{Block, Choice, Kind, Problem, Solver};

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
        self.factor.clear();
        self.offset.clear();
        self.blocks.clear();
        let mut directions: Vec<Option<[f64; 2]>> = Vec::new();
        for (c, (contact, at)) in field.contacts.iter().zip(&field.at).enumerate() {
            let mu = contact.site.material.mu;
            let along = slides(at, stops(c), speed);
            directions.push(along);
            let kind = match along {
                Some([x, y]) if mu.is_finite() => Kind::Ray { tangent: [-mu * x, -mu * y] },
                Some(_) => Kind::Ray { tangent: [0.0; 2] },
                None => Kind::Cone { mu, lower: 0.0 },
            };
            self.blocks.push(Block { rows: at.rows, kind });
            self.factor.extend_from_slice(&field.rows[c * 3 * nv..][..at.rows * nv]);
            self.offset.extend_from_slice(&field.offsets[c][..at.rows]);
        }
        let problem = Problem {
            factor: &self.factor,
            freedoms: nv,
            offset: &self.offset,
            blocks: &self.blocks,
        };
        let report = match self.solver.solve(&problem, Choice::Limit) {
            Ok(report) => report,
            Err(_) if self.solver.take_nearest(&problem).is_some() => {
                return Ok(Decision::Fates(self.read(model, field, &directions)));
            }
            Err(_) => return Ok(Decision::Jams),
        };
        if report.velocity_unique == Some(false) {
            notes.redundant_sliding = true;
        }
        let fates = self.read(model, field, &directions);
        // Unbounded friction against slip that is there has no finite force.
        let endless =
            |c: usize| directions[c].is_some() && field.contacts[c].site.material.mu.is_infinite();
        if (0..fates.len()).any(|c| endless(c) && fates[c] != Fate::Opens) {
            return Ok(Decision::Jams);
        }
        Ok(Decision::Fates(fates))
    }

    /// Positive if some forces keep all contacts of the prepared field from accelerating: the room that the smallest ones
    /// have, if any. Negative by the largest acceleration if there are none.
    pub(crate) fn holds(&mut self, field: &Field) -> f64 {
        let room = (field.contacts.iter().zip(&field.forces))
            .map(|(contact, [n, x, y])| {
                let mu = contact.site.material.mu;
                let friction = if contact.friction == Friction::Stick && mu.is_finite() {
                    mu * n - f64::hypot(*x, *y)
                } else {
                    f64::INFINITY
                };
                friction.min(*n)
            })
            .fold(f64::INFINITY, f64::min);
        if room >= 0.0 {
            return room.max(f64::MIN_POSITIVE);
        }
        let nv = field.layout.velocities();
        self.factor.clear();
        self.offset.clear();
        self.blocks.clear();
        let mut held: Vec<bool> = Vec::new();
        for (c, (contact, at)) in field.contacts.iter().zip(&field.at).enumerate() {
            let mu = contact.site.material.mu;
            let along = field.slip_direction(c);
            let kind = match along {
                Some([x, y]) if mu.is_finite() => Kind::Ray { tangent: [-mu * x, -mu * y] },
                _ => Kind::Cone { mu, lower: 0.0 },
            };
            held.extend((0..at.rows).map(|row| row == 0 || along.is_none()));
            self.blocks.push(Block { rows: at.rows, kind });
            self.factor.extend_from_slice(&field.rows[c * 3 * nv..][..at.rows * nv]);
            self.offset.extend_from_slice(&field.offsets[c][..at.rows]);
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
        if mu.is_infinite() {
            return Some(if b < 0.0 { Decision::Jams } else { Decision::Fates(vec![Fate::Opens]) });
        }
        let mut own = whole;
        for k in 1..at.rows {
            own -= mu * along[k - 1] * carom_numerics::dot(row(0), row(k));
        }
        let slip = Friction::sliding(model, at, along);
        let zero = ZERO * whole.max(b.abs());
        Some(if own > SINGULAR * whole {
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
            let (p, xi) = (&p[first..first + at.rows], &xi[first..first + at.rows]);
            first += at.rows;
            let row = &field.rows[c * 3 * nv..][..nv];
            let stiffness = carom_numerics::dot(row, row);
            if p[0] * stiffness <= ZERO * scale {
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
