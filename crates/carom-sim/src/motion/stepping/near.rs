//! Which bodies are near each other in a step, and which of their features.

use super::super::contact::{Bodies, ContactAt, Site, Slot};
use super::super::model::{Model, PairModel, Place};
use super::super::vector::V3;
use std::rc::Rc;

/// How far outside its region a feature may touch, beside the extent of the bodies \[1\].
const MARGIN: f64 = 1e-9;
/// Features of shapes that lie deeper in each other than this part of the extent, and than they can get in two steps, do
/// not belong to the place where they touch \[1\].
const DEEPEST: f64 = 0.25;

/// A ball around a body for the length of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub(super) body: usize,
    pub(super) centre: V3,
    pub(super) radius: f64,
    /// How far its points may come in the step \[m\].
    pub(super) path: f64,
}

impl Ball {
    fn reach(&self) -> f64 {
        self.radius + self.path
    }
}

/// Sorts balls along an axis and keeps the order from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Broad {
    order: Vec<usize>,
    pairs: Vec<(usize, usize)>,
}

impl Broad {
    /// Pairs of bodies whose balls overlap, in the order of bodies. `endless` are those without a ball. Of two bodies that
    /// never move none is told.
    pub(super) fn pairs(
        &mut self,
        model: &Model,
        balls: &[Ball],
        endless: &[usize],
    ) -> &[(usize, usize)] {
        if self.order.len() != balls.len() {
            self.order = (0..balls.len()).collect();
        }
        let axis = widest(balls);
        let low = |k: usize| balls[k].centre[axis] - balls[k].reach();
        // Nearly sorted from the last step: insertion costs little then, and the sort notices runs.
        self.order.sort_by(|&a, &b| low(a).total_cmp(&low(b)).then(a.cmp(&b)));
        self.pairs.clear();
        let moves = |body: usize| model.place[body] != Place::Fixed;
        for (i, &a) in self.order.iter().enumerate() {
            let one = &balls[a];
            let high = one.centre[axis] + one.reach();
            for &b in &self.order[i + 1..] {
                if low(b) > high {
                    break;
                }
                let other = &balls[b];
                let reach = one.reach() + other.reach();
                if (other.centre - one.centre).norm_squared() <= reach * reach
                    && (moves(one.body) || moves(other.body))
                {
                    self.pairs.push((one.body.min(other.body), one.body.max(other.body)));
                }
            }
        }
        for ball in balls.iter().filter(|ball| moves(ball.body)) {
            self.pairs.extend(endless.iter().map(|&b| (ball.body.min(b), ball.body.max(b))));
        }
        self.pairs.sort_unstable();
        &self.pairs
    }
}

/// The axis along which centres are spread most.
fn widest(balls: &[Ball]) -> usize {
    let (mut low, mut high) = (V3::repeat(f64::INFINITY), V3::repeat(f64::NEG_INFINITY));
    for ball in balls {
        (low, high) = (low.inf(&ball.centre), high.sup(&ball.centre));
    }
    let spread = high - low;
    let mut axis = 0;
    for k in 1..3 {
        if spread[k] > spread[axis] {
            axis = k;
        }
    }
    axis
}

/// A step as contacts see it.
#[derive(Clone, Copy)]
pub(super) struct Window<'a> {
    /// At `q_m`, with the velocities of the step's start.
    pub(super) start: Bodies<'a>,
    /// At `q_m`, with free velocities.
    pub(super) free: Bodies<'a>,
    pub(super) y_start: &'a [f64],
    pub(super) y_free: &'a [f64],
    pub(super) h: f64,
    /// What of the step is left after `q_m` \[s\].
    pub(super) late: f64,
}

/// A contact that takes part in a step.
#[derive(Clone, Debug)]
pub(super) struct Active {
    pub(super) site: Site,
    /// With free velocities.
    pub(super) at: ContactAt,
    /// Whether it approaches fast enough for restitution.
    pub(super) strikes: bool,
}

impl Window<'_> {
    fn active(&self, site: &Site) -> Option<Active> {
        let at = ContactAt::velocity_of(&self.free, site, self.y_free);
        let before = ContactAt::velocity_of(&self.start, site, self.y_start).u;
        let model = self.free.model;
        let pull = (at.u[0] - before[0]).abs() / self.h;
        let pull = pull.max(model.gravity);
        let slack = self.h * self.h * pull;
        let predicted = at.touch.gap + (self.late * at.u[0]).min(0.0);
        if predicted > slack {
            return None;
        }
        let strikes = before[0] < -2.0 * self.h * pull;
        Some(Active { site: site.clone(), at, strikes })
    }

    /// The features of two bodies that take part. `path` is how far they may come nearer in the step, `extent` their size.
    pub(super) fn pair(&self, pair: &Rc<PairModel>, path: f64, extent: f64, out: &mut Vec<Active>) {
        let (a, b) = (self.free.get(pair.a), self.free.get(pair.b));
        let (margin, deepest) = (MARGIN * extent, (DEEPEST * extent).max(2.0 * path));
        for (shape, shapes) in pair.shapes.iter().enumerate() {
            if shapes.distance_bound(&a.pose, &b.pose) > path {
                continue;
            }
            if let Some(features) = shapes.manifold(&a.pose, &b.pose, path, extent, margin) {
                let sites = features.into_iter().map(|f| Site::of_feature(pair, shape, f));
                out.extend(sites.filter_map(|site| self.active(&site)));
                continue;
            }
            let mut nearest: Option<(f64, Active)> = None;
            for (f, feature) in shapes.features.iter().enumerate() {
                let gap = feature.touch(&a.pose, &b.pose).gap;
                if !(-deepest..=path).contains(&gap) {
                    continue;
                }
                let inside = feature.margin(&a.pose, &b.pose);
                if inside < -margin {
                    continue;
                }
                let Some(active) = self.active(&Site::of_feature(pair, shape, f)) else { continue };
                if !shapes.single {
                    out.push(active);
                } else if nearest.as_ref().is_none_or(|(best, _)| inside > *best) {
                    nearest = Some((inside, active));
                }
            }
            out.extend(nearest.map(|(_, active)| active));
        }
    }

    /// A joint's limit, if it takes part.
    pub(super) fn limit(&self, assembly: usize, limit: usize, out: &mut Vec<Active>) {
        out.extend(self.active(&Site::of_limit(self.free.model, assembly, limit)));
    }
}

/// Whether all contacts are limits of joints.
pub(super) fn only_limits<'a>(mut contacts: impl Iterator<Item = &'a Active>) -> bool {
    contacts.all(|contact| matches!(contact.site.slot, Slot::Limit { .. }))
}
