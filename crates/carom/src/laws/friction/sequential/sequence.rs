//! The sequence itself: the fastest collider collides, until none approaches.

use super::colliders::{Collider, ColliderSet, Origin, Role};
use super::forecast::Forecast;
use super::opposed;
use super::pairwise::{Pairwise, rebound};
use super::projection::Projection;
use super::ties::{Draws, Order};
use super::tolerances::{REFINEMENTS, REMAINDER, REPORT, SLOW, SUDDEN, search_after, window};
use crate::ImpactError;
use crate::contact::Restitution;
use crate::island::Context;
use crate::numerics::max_tree::MaxTree;
use crate::numerics::sum::add;
use crate::outcome::{Ending, Note, Notes, SolverEffort, Step};

/// The state of a sequence of collisions.
pub(crate) struct Sequence<'a> {
    set: &'a ColliderSet<'a>,
    pairwise: Pairwise,
    /// Velocities now [m/s].
    u: Vec<f64>,
    /// Impulses so far [N·s].
    p: Vec<f64>,
    /// What rounding has lost of each sum in `p` since the last report.
    lost: Vec<f64>,
    keys: MaxTree,
    /// Speeds up to this are zero, and speeds this close are equal [m/s].
    zero: f64,
    order: Order,
    draws: Option<Draws>,
    collisions: u64,
    /// Collisions by which a limit was refined.
    refining: u64,
    ties: u64,
    notes: Notes,
    /// The collision at which each collider collided last; 0 if never.
    last: Vec<u64>,
    /// The speed of the latest collision [m/s].
    speed: f64,
    /// If all are contacts of one row under the frictionless law: `W_ii` and restitution of each.
    plain: Option<Vec<(f64, Restitution)>>,
    scratch: Scratch,
}

/// Memory reused at every collision.
#[derive(Default)]
struct Scratch {
    impulse: Vec<f64>,
    touched: Vec<u32>,
    marked: Vec<bool>,
    tied: Vec<usize>,
}

/// The end of a sequence.
pub(crate) struct SequenceResult {
    /// One per row [N·s].
    pub(crate) impulse: Vec<f64>,
    pub(crate) effort: SolverEffort,
    pub(crate) notes: Notes,
}

impl<'a> Sequence<'a> {
    pub(crate) fn new(
        set: &'a ColliderSet<'a>,
        pairwise: Pairwise,
        order: Order,
        approach: f64,
    ) -> Self {
        let count = set.colliders.len();
        let mut sequence = Self {
            set,
            pairwise,
            u: set.start.clone(),
            p: vec![0.0; set.start.len()],
            lost: vec![0.0; set.start.len()],
            keys: MaxTree::new(count),
            zero: approach * set.speed,
            order,
            draws: order.draws(),
            collisions: 0,
            refining: 0,
            ties: 0,
            notes: Notes::NONE,
            last: vec![0; count],
            speed: 0.0,
            plain: plain(set, pairwise),
            scratch: Scratch { marked: vec![false; count], ..Scratch::default() },
        };
        sequence.fill_keys();
        sequence
    }

    /// Follows the sequence to its end, or to `limit` collisions.
    pub(crate) fn run(
        mut self,
        limit: u64,
        context: &mut Context,
    ) -> Result<SequenceResult, ImpactError> {
        let window = window(self.set.colliders.len());
        let (mut next_window, mut pause) = (window, window);
        let mut forecast = Forecast::new();
        let traced = context.observer.wants_steps();
        let search_after = search_after(self.set.colliders.len());
        while self.keys.top() > self.zero {
            if self.collisions >= limit {
                return Ok(self.truncated(context));
            }
            self.collide(traced, context)?;
            if self.collisions == search_after {
                let (set, pairwise, order) = (self.set, self.pairwise, self.order);
                if let Some(result) = opposed::resolve(set, pairwise, order, limit, context)? {
                    return Ok(result);
                }
            }
            if forecast.is_due(self.collisions) {
                // With friction velocities may move away from the nearest ones.
                let nearest = self.is_smooth().then(|| self.nearest(context)).flatten();
                if nearest.is_some_and(|nearest| forecast.exceeds_limit(&nearest, limit)) {
                    return Ok(self.truncated(context));
                }
            }
            if self.collisions.is_multiple_of(REPORT) {
                context.progress("collisions", self.collisions, None)?;
                self.refresh();
            }
            if self.collisions >= next_window {
                let projection = self.project(window, false, context);
                if let Some(projection) = projection.filter(Projection::is_near) {
                    return Ok(self.projected(&projection, projection.distance));
                }
                // A projection may cost as much as many collisions, so the pauses double.
                pause = if self.speed <= SLOW * self.set.speed { 2 * pause } else { window };
                next_window = self.collisions + pause;
            }
        }
        self.refresh();
        let left = self.keys.top();
        let sudden = self.speed > SUDDEN * self.zero;
        if left <= -self.zero || (sudden && left <= context.tolerances.residual * self.set.speed) {
            return Ok(self.result(Ending::Finite, 0.0));
        }
        // Slow sequences return to a contact after many collisions: the window grows until it covers all of them.
        let mut window = window;
        loop {
            let projection = self.project(window, true, context).filter(Projection::is_bound);
            if let Some(projection) = projection {
                let distance = self.refine_distance(&projection, context)?;
                return Ok(self.projected(&projection, distance));
            }
            if window > self.collisions {
                let left = left.max(context.tolerances.residual * self.set.speed);
                return Ok(self.result(Ending::Tolerance, REMAINDER * left));
            }
            window *= 8;
        }
    }

    /// One collision, of the fastest collider or one that ties with it.
    fn collide(&mut self, traced: bool, context: &mut Context) -> Result<(), ImpactError> {
        let fastest = self.keys.top();
        let chosen = self.choose(fastest);
        self.collisions += 1;
        self.last[chosen] = self.collisions;
        self.speed = fastest;
        if !traced && self.collide_single_row(chosen) {
            return Ok(());
        }
        let collider = &self.set.colliders[chosen];
        let rows = collider.rows.clone();
        let impulse = &mut self.scratch.impulse;
        impulse.clear();
        match &collider.role {
            Role::Rebounds { block, material } => {
                let u = &self.u[rows.clone()];
                let collision = self
                    .pairwise
                    .collide(block, material, u, context.tolerances)
                    .map_err(|error| match collider.origin {
                        Origin::Contact(k) => error.within(&format!("contacts[{k}]")),
                        Origin::Joint(_) => error,
                    })?;
                self.notes = self.notes.union(collision.notes);
                impulse.extend_from_slice(&collision.impulse[..rows.len()]);
            }
            Role::Holds { inverse, .. } => {
                let u = &self.u[rows.clone()];
                impulse.extend(
                    (0..rows.len()).map(|i| {
                        -u.iter().enumerate().map(|(j, u)| inverse[(i, j)] * u).sum::<f64>()
                    }),
                );
            }
        }
        if impulse.iter().all(|p| *p == 0.0) || !impulse.iter().all(|p| p.is_finite()) {
            let name = match collider.origin {
                Origin::Contact(k) => format!("contact {k}"),
                Origin::Joint(k) => format!("joint {k}"),
            };
            let reason = format!("{name} approaches and no finite impulse stops it");
            return Err(context.no_solution(reason));
        }
        if traced {
            context.observer.step(match collider.origin {
                Origin::Contact(contact) => Step::Collision { contact, impulse },
                Origin::Joint(joint) => Step::Joint { joint },
            });
        }
        self.apply(rows.start);
        Ok(())
    }

    /// [`Self::collide`] for contacts of one row under the frictionless law. False where it does not apply.
    fn collide_single_row(&mut self, chosen: usize) -> bool {
        let Some(&(k, restitution)) = self.plain.as_ref().and_then(|plain| plain.get(chosen))
        else {
            return false;
        };
        let p = rebound(self.u[chosen], k, &restitution);
        let Some(row) = self.set.sparse_row(chosen).filter(|_| p > 0.0 && p.is_finite()) else {
            return false;
        };
        add(&mut self.p[chosen], &mut self.lost[chosen], p);
        for (j, w) in row.iter() {
            self.u[j] += w * p;
            self.keys.set(j, -self.u[j]);
        }
        self.keys.update(row.columns());
        true
    }

    /// The next collider.
    fn choose(&mut self, fastest: f64) -> usize {
        let threshold = fastest - self.zero;
        let largest = self.keys.first(threshold);
        if !largest.tied {
            return largest.index;
        }
        self.ties += 1;
        match &mut self.draws {
            None => largest.index,
            Some(draws) => {
                let tied = &mut self.scratch.tied;
                self.keys.all(threshold, tied);
                tied[draws.below(tied.len())]
            }
        }
    }

    /// Adds the impulse in the scratch memory to the rows from `first` on, and updates the rows coupled to them.
    fn apply(&mut self, first: usize) {
        let Scratch { impulse, touched, marked, .. } = &mut self.scratch;
        let (u, owner) = (&mut self.u, &self.set.owner);
        for (row, &p) in (first..).zip(impulse.iter()) {
            if p == 0.0 {
                continue;
            }
            add(&mut self.p[row], &mut self.lost[row], p);
            self.set.for_row(row, |j, w| {
                u[j] += w * p;
                let collider = owner[j];
                if !marked[collider as usize] {
                    marked[collider as usize] = true;
                    touched.push(collider);
                }
            });
        }
        for &collider in touched.iter() {
            let collider = collider as usize;
            marked[collider] = false;
            self.keys.set(collider, self.set.key(collider, u));
        }
        self.keys.update(touched);
        touched.clear();
    }

    /// Velocities and keys anew from the impulses.
    fn refresh(&mut self) {
        for (p, lost) in self.p.iter_mut().zip(&mut self.lost) {
            *p += std::mem::take(lost);
        }
        self.u = self.set.w.apply_to(&self.p, &self.set.start);
        self.fill_keys();
    }

    fn fill_keys(&mut self) {
        let (set, u) = (self.set, &self.u);
        self.keys.fill((0..set.colliders.len()).map(|k| set.key(k, u)));
    }

    /// The limit of the sequence if those that collided in the last `window` collisions go on for ever.
    fn project(&self, window: u64, far: bool, context: &Context) -> Option<Projection> {
        let since = self.collisions.saturating_sub(window);
        let firing = |k: usize| self.last[k] > since;
        Projection::new(self.set, self.pairwise, &self.u, firing, far, context.tolerances)
    }

    /// How far the sequence may end from this limit: it is followed further, by at most as many collisions again, until
    /// the distance is certain. While only these contacts collide the limit does not move, and impulses this small would be
    /// lost beside those before, so the state is restored.
    fn refine_distance(
        &mut self,
        limit: &Projection,
        context: &mut Context,
    ) -> Result<f64, ImpactError> {
        let (impulse, collisions, ties) = (self.p.clone(), self.collisions, self.ties);
        let zero = std::mem::replace(&mut self.zero, 0.0);
        let mut part = vec![false; self.set.colliders.len()];
        limit.rows.iter().for_each(|&row| part[self.set.owner[row] as usize] = true);
        let pause = (collisions / REFINEMENTS).max(window(part.len()));
        let mut distance = limit.distance;
        while !limit.is_certain(distance)
            && self.collisions < 2 * collisions
            && self.keys.top() > 0.0
            && self.collide(false, context).is_ok()
        {
            if self.collisions.is_multiple_of(REPORT) {
                context.progress("collisions", self.collisions, None)?;
            }
            if (self.collisions - collisions).is_multiple_of(pause) {
                let (set, tolerances) = (self.set, context.tolerances);
                let now =
                    Projection::new(set, self.pairwise, &self.u, |k| part[k], true, tolerances);
                distance = now.map_or(distance, |now| distance.min(now.distance));
            }
        }
        self.refining = self.collisions - collisions;
        (self.p, self.collisions, self.ties, self.zero) = (impulse, collisions, ties, zero);
        self.lost.fill(0.0);
        self.refresh();
        Ok(distance)
    }

    fn projected(mut self, projection: &Projection, truncation: f64) -> SequenceResult {
        self.add(projection);
        self.notes.insert(Note::Projection);
        self.result(Ending::Projected, truncation)
    }

    fn add(&mut self, projection: &Projection) {
        for (&row, p) in projection.rows.iter().zip(&projection.impulse) {
            self.p[row] += p;
        }
        self.refresh();
    }

    /// The nearest velocity at which no collider approaches.
    fn nearest(&self, context: &Context) -> Option<Projection> {
        Projection::nearest(self.set, &self.u, context.tolerances)
    }

    /// Whether every collision is along normals.
    fn is_smooth(&self) -> bool {
        self.set.colliders.iter().all(|collider| match &collider.role {
            Role::Rebounds { material, .. } => self.pairwise.smooth(collider.rows.len(), material),
            Role::Holds { .. } => true,
        })
    }

    /// Cut off: impulses along the normals stop what still approaches, without rebound, so that nothing penetrates, no
    /// energy grows and friction stays within its cones. Without friction this bounds the distance of the end.
    fn truncated(mut self, context: &Context) -> SequenceResult {
        self.refresh();
        self.notes.insert(Note::Truncated);
        let left = REMAINDER * self.keys.top().max(0.0);
        match self.nearest(context) {
            Some(nearest) => {
                self.add(&nearest);
                let truncation = if self.is_smooth() { nearest.distance } else { left };
                self.result(Ending::Truncated, truncation)
            }
            None => self.result(Ending::Truncated, left),
        }
    }

    fn result(mut self, ending: Ending, truncation: f64) -> SequenceResult {
        if self.ties > 0 {
            self.notes.insert(Note::Ties);
        }
        let left = self.keys.top().max(0.0);
        SequenceResult {
            impulse: self.p.iter().zip(&self.lost).map(|(p, lost)| p + lost).collect(),
            effort: SolverEffort {
                iterations: self.collisions + self.refining,
                collisions: self.collisions,
                ties: self.ties,
                truncation,
                ending,
                residual: if left > 0.0 { left / self.set.speed } else { 0.0 },
                ..SolverEffort::default()
            },
            notes: self.notes,
        }
    }
}

/// `W_ii` and restitution of each contact, if all have one row and collide by the frictionless law.
fn plain(set: &ColliderSet, pairwise: Pairwise) -> Option<Vec<(f64, Restitution)>> {
    if !(pairwise.is_frictionless() && set.is_plain()) {
        return None;
    }
    let numbers = |collider: &Collider| match &collider.role {
        Role::Rebounds { block, material } => Some((block.normal(), material.restitution)),
        Role::Holds { .. } => None,
    };
    set.colliders.iter().map(numbers).collect()
}
