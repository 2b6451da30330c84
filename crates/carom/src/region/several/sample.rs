//! Outcomes drawn evenly from the set.

use super::cone::{Cone, Exit};
use super::island_set::IslandSet;
use super::{PermissibleOutcome, PermissibleSet};
use crate::numerics::active_set::LcpFailure;
use crate::numerics::nnls::separating_direction;
use crate::numerics::random::Random;
use crate::{ImpactError, Tolerances};
use nalgebra::{DMatrix, DVector};

/// Steps between two samples: this many, and
const STEPS: usize = 8;
/// this many more for every independent contact.
const STEPS_PER_DIMENSION: usize = 4;
/// Before the first sample as many steps are made as between this many samples.
const BURN_IN: usize = 20;

/// Draws permissible outcomes, evenly distributed over velocities in the kinetic metric.
///
/// A random walk ("hit-and-run"): on a line through the present point, the next is drawn evenly from the points that are
/// permissible. Half of the lines have any direction, the others run along the edges of the set: one contact's impulse
/// changes alone, or one contact's velocity. The even distribution is the only one that such steps keep. Between samples
/// `8 + 4 r` steps are made for `r` independent contacts, before the first one twenty times as many. For a few contacts
/// samples are then independent within the power of the tests; for a hundred they may be correlated, which widens the
/// error of what is estimated from them but does not shift it.
pub struct Sampler<'a> {
    set: &'a PermissibleSet<'a>,
    /// One per island; none where nothing can happen.
    walks: Vec<Option<Walk<'a>>>,
    random: Random,
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(set: &'a PermissibleSet<'a>, seed: u64) -> Result<Self, ImpactError> {
        let mut random = Random::new(seed);
        let start = |island| Walk::start(island, &set.tolerances, &mut random);
        let walks = set.islands.iter().map(start).collect::<Result<Vec<_>, ImpactError>>()?;
        Ok(Self { set, walks, random })
    }

    /// The next outcome.
    pub fn draw(&mut self) -> PermissibleOutcome {
        self.advance();
        let mut walks = self.walks.iter();
        self.set.outcome_of(|island| match walks.next() {
            Some(Some(walk)) => walk.impulse(),
            _ => vec![0.0; island.len()],
        })
    }

    fn advance(&mut self) {
        for walk in self.walks.iter_mut().flatten() {
            walk.advance(&mut self.random);
        }
    }

    /// The longest chord through drawn outcomes, in the kinetic metric [√kg·m/s].
    pub(crate) fn longest_chord(&mut self, n: usize) -> f64 {
        let mut seen: Vec<Vec<DVector<f64>>> = vec![Vec::new(); self.walks.len()];
        let mut longest = vec![0.0_f64; self.walks.len()];
        for _ in 0..n {
            self.advance();
            for (k, walk) in self.walks.iter().enumerate() {
                let Some(walk) = walk else { continue };
                let far = |y: &&DVector<f64>| (&walk.place - *y).norm();
                if let Some(y) = seen[k].iter().max_by(|a, b| far(a).total_cmp(&far(b))) {
                    let away = &walk.place - y;
                    let distance = away.norm();
                    if distance > 0.0 {
                        let chord = walk.chord(away / distance);
                        longest[k] = longest[k].max(chord.length());
                        let end = &walk.place + &chord.direction * chord.ahead.at;
                        seen[k].push(end);
                    }
                }
                seen[k].push(walk.place.clone());
            }
        }
        let squares = self.walks.iter().zip(&longest).map(|(walk, length)| {
            let unit = walk.as_ref().map_or(0.0, |walk| walk.island.kinetic_unit());
            unit * length * unit * length
        });
        f64::sqrt(squares.sum())
    }
}

/// A place in the set of one island, `x = B p`, and how it got there.
struct Walk<'a> {
    island: &'a IslandSet,
    /// The contacts that can move something.
    active: Vec<usize>,
    cone: Cone,
    place: DVector<f64>,
}

/// What of a line is permissible: from `−behind` to `ahead`.
struct Chord {
    direction: DVector<f64>,
    behind: Exit,
    ahead: Exit,
}

impl Chord {
    fn length(&self) -> f64 {
        self.behind.at + self.ahead.at
    }
}

impl<'a> Walk<'a> {
    fn start(
        island: &'a IslandSet,
        tolerances: &Tolerances,
        random: &mut Random,
    ) -> Result<Option<Self>, ImpactError> {
        if island.is_still() {
            return Ok(None);
        }
        let active: Vec<usize> = (0..island.len()).filter(|&i| island.w[(i, i)] > 0.0).collect();
        let impulse = inside(island, &active, tolerances)?;
        let place = &island.b * DVector::from_vec(impulse);
        let thin = || ImpactError::Limit("the permissible set is too thin to draw from".into());
        let basis = island.factor.pivots().iter().filter_map(|p| active.binary_search(p).ok());
        let (mut cone, centre) =
            Cone::new(island.b.select_columns(&active), basis.collect()).ok_or_else(thin)?;
        let way = &place - &centre;
        let exit = cone.exit(&centre, &way, 1.0);
        if exit.at < 1.0 || !cone.follow(&exit, 1.0) {
            return Err(thin());
        }
        let mut walk = Self { island, active, cone, place };
        (0..BURN_IN).for_each(|_| walk.advance(random));
        Ok(Some(walk))
    }

    /// From one sample to the next.
    fn advance(&mut self, random: &mut Random) {
        for _ in 0..STEPS + STEPS_PER_DIMENSION * self.place.len() {
            let chord = self.chord(self.direction(random));
            let t = chord.length() * random.unit() - chord.behind.at;
            let passed = match t < 0.0 {
                true => self.cone.follow(&chord.behind, -t),
                false => self.cone.follow(&chord.ahead, t),
            };
            if passed {
                self.place.axpy(t, &chord.direction, 1.0);
            }
        }
    }

    /// A direction drawn without regard to the place, and as likely as its opposite.
    fn direction(&self, random: &mut Random) -> DVector<f64> {
        let columns = self.cone.columns();
        let contact = random.index(columns.ncols());
        let direction = match random.index(4) {
            0 => columns.column(contact).into_owned(),
            1 if self.cone.is_simplicial() => self.cone.dual(contact),
            _ => DVector::from_fn(self.place.len(), |_, _| random.normal()),
        };
        let length = direction.norm();
        direction / length
    }

    fn chord(&self, direction: DVector<f64>) -> Chord {
        let island = self.island;
        // The ball: |place + t direction + v⁻| ≤ |v⁻|.
        let from_centre = &self.place + &island.start;
        let slope = from_centre.dot(&direction);
        let inside = (island.start.norm_squared() - from_centre.norm_squared()).max(0.0);
        let root = f64::sqrt(slope * slope + inside);
        // The one of the roots that does not cancel, and the other from their product.
        let (mut behind, mut ahead) = match slope > 0.0 {
            true => (root + slope, inside / (root + slope)),
            false if root > slope => (inside / (root - slope), root - slope),
            false => (0.0, 0.0),
        };
        for (&i, column) in self.active.iter().zip(self.cone.columns().column_iter()) {
            let velocity = (island.u[i] + column.dot(&self.place)).max(0.0);
            let rate = column.dot(&direction);
            if rate < 0.0 {
                ahead = ahead.min(velocity / -rate);
            } else if rate > 0.0 {
                behind = behind.min(velocity / rate);
            }
        }
        let back = -&direction;
        Chord {
            behind: self.cone.exit(&self.place, &back, behind),
            ahead: self.cone.exit(&self.place, &direction, ahead),
            direction,
        }
    }

    /// The impulse that leads here; of several the smallest.
    fn impulse(&self) -> Vec<f64> {
        let mut impulse = vec![0.0; self.island.len()];
        for (&i, share) in self.active.iter().zip(self.cone.shares(&self.place)) {
            impulse[i] = share;
        }
        if self.cone.is_simplicial() { impulse } else { self.island.smallest(impulse) }
    }
}

/// An impulse in the inside of the set: from maximum dissipation some way along impulses that part all contacts, as far
/// as half of what is lost allows.
fn inside(
    island: &IslandSet,
    active: &[usize],
    tolerances: &Tolerances,
) -> Result<Vec<f64>, ImpactError> {
    let factor = &island.factor;
    let columns = DMatrix::from_fn(factor.rank(), active.len(), |k, i| factor.column(active[i])[k]);
    // The shortest velocity that parts all contacts is itself reached by pushing.
    let parting = separating_direction(&columns, tolerances.rank).map_err(|failure| match failure {
        LcpFailure::Infeasible { row } => ImpactError::bad_problem(
            format!("contacts[{}]", island.contacts[active[row]]),
            "pressed against others",
            "no motion parts these contacts, so the permissible set is flat: make them bilateral",
        ),
        _ => ImpactError::Limit("the permissible set is too thin to draw from".into()),
    })?;
    // Every contact pushes a little, so little that none is closed by it.
    let closing = |i: usize| {
        (0..active.len()).map(|j| columns.column(i).dot(&columns.column(j)).abs()).sum::<f64>()
    };
    let little = (0..active.len())
        .map(|i| 0.25 * columns.column(i).norm() / closing(i))
        .fold(f64::INFINITY, f64::min);
    let mut push = vec![0.0; island.len()];
    for (k, &i) in active.iter().enumerate() {
        push[i] = (parting.z[k] + little) / factor.scale(i);
    }
    let after = island.after(&island.plastic);
    let slope: f64 = push.iter().zip(&after).map(|(p, u)| p * u.max(0.0)).sum();
    let curvature = (&island.b * DVector::from_column_slice(&push)).norm_squared();
    let allowed = 0.5 * island.energy_change(&island.plastic).abs();
    let way = 2.0 * allowed / (slope + f64::sqrt(slope * slope + 2.0 * curvature * allowed));
    Ok(island.plastic.iter().zip(&push).map(|(p, d)| p + way * d).collect())
}
