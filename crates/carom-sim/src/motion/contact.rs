//! A place where bodies may touch, and what equations need of it at an instant.

use super::assembly::Kinematics;
use super::geometry::{Feature, Touch, TouchRates};
use super::model::{Model, PairModel, Place};
use super::report::Between;
use super::vector::{Pose, Twist, V3, tangents};
use carom::Material;
use std::rc::Rc;

/// Which contact: features of two bodies, or the limit of a joint. The order is that in which contacts are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    Feature { a: usize, b: usize, shape: usize, feature: usize },
    Limit { assembly: usize, limit: usize },
}

/// A contact that may close: its slot with what belongs to it.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) slot: Slot,
    pair: Option<Rc<PairModel>>,
    pub(crate) material: Material,
}

impl Site {
    pub(crate) fn of_feature(pair: &Rc<PairModel>, shape: usize, feature: usize) -> Self {
        let slot = Slot::Feature { a: pair.a, b: pair.b, shape, feature };
        Self { slot, material: pair.material, pair: Some(pair.clone()) }
    }

    pub(crate) fn of_limit(model: &Model, assembly: usize, limit: usize) -> Self {
        let e = model.assemblies[assembly].limits()[limit].e;
        let material = Material::new(0.0, e).unwrap_or_default();
        Self { slot: Slot::Limit { assembly, limit }, pair: None, material }
    }

    /// The features, and the pair of shapes they belong to.
    pub(crate) fn feature(&self) -> Option<(&Feature, &PairModel)> {
        let pair = self.pair.as_deref()?;
        match self.slot {
            Slot::Feature { shape, feature, .. } => {
                Some((&pair.shapes[shape].features[feature], pair))
            }
            Slot::Limit { .. } => None,
        }
    }

    /// All features of the two shapes that touch here.
    pub(crate) fn neighbours(&self) -> impl Iterator<Item = Site> + '_ {
        let here = match (self.slot, &self.pair) {
            (Slot::Feature { shape, .. }, Some(pair)) => Some((shape, pair)),
            _ => None,
        };
        here.into_iter().flat_map(|(shape, pair)| {
            (0..pair.shapes[shape].features.len()).map(move |f| Site::of_feature(pair, shape, f))
        })
    }

    /// Whether only one feature of the two shapes touches at a time.
    pub(crate) fn is_single(&self) -> bool {
        match (self.slot, &self.pair) {
            (Slot::Feature { shape, .. }, Some(pair)) => pair.shapes[shape].single,
            _ => false,
        }
    }

    /// Whether both are contacts of the same two shapes.
    pub(crate) fn shares_shapes(&self, other: &Self) -> bool {
        match (self.slot, other.slot) {
            (
                Slot::Feature { a, b, shape, .. },
                Slot::Feature { a: other_a, b: other_b, shape: other_shape, .. },
            ) => (a, b, shape) == (other_a, other_b, other_shape),
            _ => false,
        }
    }

    /// Whether only one of the two touches at a time: features of one ball, end of a capsule, or vertex.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        let (Some((one, _)), Some((two, _))) = (self.feature(), other.feature()) else {
            return false;
        };
        self.shares_shapes(other)
            && (self.is_single() || one.group() == two.group() || one.stands_for(two))
    }

    pub(crate) fn between(&self, model: &Model) -> Between {
        match self.slot {
            Slot::Feature { a, b, .. } => Between::Bodies(a, b),
            Slot::Limit { assembly, limit } => {
                Between::Joint(model.assemblies[assembly].limits()[limit].joint)
            }
        }
    }

    pub(crate) fn bodies(&self) -> Option<[usize; 2]> {
        match self.slot {
            Slot::Feature { a, b, .. } => Some([a, b]),
            Slot::Limit { .. } => None,
        }
    }
}

/// Which assemblies move together, and where their numbers stand among the unknowns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// In ascending order.
    pub(crate) assemblies: Vec<usize>,
    pub(crate) q: Vec<usize>,
    pub(crate) v: Vec<usize>,
}

impl Layout {
    pub(crate) fn new(model: &Model, mut assemblies: Vec<usize>) -> Self {
        assemblies.sort_unstable();
        let (mut q, mut v) = (vec![0], vec![0]);
        for &assembly in &assemblies {
            q.push(q[q.len() - 1] + model.assemblies[assembly].positions());
            v.push(v[v.len() - 1] + model.assemblies[assembly].velocities());
        }
        Self { assemblies, q, v }
    }

    pub(crate) fn positions(&self) -> usize {
        self.q[self.q.len() - 1]
    }

    pub(crate) fn velocities(&self) -> usize {
        self.v[self.v.len() - 1]
    }

    /// Where an assembly stands.
    pub(crate) fn find(&self, assembly: usize) -> Option<usize> {
        self.assemblies.binary_search(&assembly).ok()
    }

    /// Positions of the `k`-th assembly among all unknowns.
    pub(crate) fn q_of(&self, k: usize) -> std::ops::Range<usize> {
        self.q[k]..self.q[k + 1]
    }

    /// Velocities of the `k`-th assembly, counted from the first velocity.
    pub(crate) fn v_of(&self, k: usize) -> std::ops::Range<usize> {
        self.v[k]..self.v[k + 1]
    }

    /// Computes where everything is.
    pub(crate) fn kinematics(&self, model: &Model, y: &[f64], out: &mut Vec<Kinematics>) {
        out.resize_with(self.assemblies.len(), Kinematics::default);
        let (nq, nv) = (self.positions(), self.velocities());
        let t = y[nq + nv];
        for (k, (&assembly, out)) in self.assemblies.iter().zip(out).enumerate() {
            let v = &y[nq..nq + nv][self.v_of(k)];
            model.assemblies[assembly].kinematics(&y[self.q_of(k)], v, t, out);
        }
    }
}

/// A body at an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyAt {
    pub(crate) pose: Pose,
    pub(crate) twist: Twist,
    /// Acceleration of the centre and angular acceleration where `v̇ = 0`.
    pub(crate) bias: [V3; 2],
}

/// All bodies of a group at an instant.
#[derive(Clone, Copy)]
pub(crate) struct Bodies<'a> {
    pub(crate) model: &'a Model,
    pub(crate) layout: &'a Layout,
    pub(crate) kinematics: &'a [Kinematics],
    pub(crate) t: f64,
}

impl Bodies<'_> {
    pub(crate) fn get(&self, body: usize) -> BodyAt {
        match self.model.place[body] {
            Place::Moving { assembly, body } => {
                let k = self.layout.find(assembly).unwrap_or_default();
                let kinematics = &self.kinematics[k];
                BodyAt {
                    pose: kinematics.poses[body],
                    twist: kinematics.twists[body],
                    bias: kinematics.bias[body],
                }
            }
            Place::Fixed => {
                let (pose, twist, acceleration) = self.model.ground(body, self.t);
                BodyAt { pose, twist, bias: [acceleration, V3::zeros()] }
            }
        }
    }

    /// Adds to `row` the row of body's velocity at a point along a direction.
    pub(crate) fn add_row(
        &self,
        body: usize,
        at: &BodyAt,
        point: &V3,
        direction: &V3,
        row: &mut [f64],
    ) {
        if let Place::Moving { assembly, body } = self.model.place[body]
            && let Some(k) = self.layout.find(assembly)
        {
            let rho = point - at.pose.centre;
            let row = &mut row[self.layout.v_of(k)];
            self.model.assemblies[assembly].add_row(
                &self.kinematics[k],
                body,
                &rho,
                direction,
                row,
            );
        }
    }
}

/// A contact at an instant, without its rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactAt {
    pub(crate) touch: Touch,
    /// The normal and the tangents.
    pub(crate) axes: [V3; 3],
    /// Contact velocity `J v + w` along them.
    pub(crate) u: [f64; 3],
    /// The part `w` of it that is prescribed.
    pub(crate) w: [f64; 3],
    /// Contact acceleration where `v̇ = 0`.
    pub(crate) gamma: [f64; 3],
    /// How many of the axes count: one without friction.
    pub(crate) rows: usize,
}

impl ContactAt {
    /// Everything but the acceleration terms.
    pub(crate) fn velocity_of(bodies: &Bodies, site: &Site, y: &[f64]) -> Self {
        Self::compute(bodies, site, y, false)
    }

    /// With acceleration terms.
    pub(crate) fn of(bodies: &Bodies, site: &Site, y: &[f64]) -> Self {
        Self::compute(bodies, site, y, true)
    }

    fn compute(bodies: &Bodies, site: &Site, y: &[f64], accelerations: bool) -> Self {
        let Some((feature, pair)) = site.feature() else {
            return Self::of_limit(bodies, site, y);
        };
        let (a, b) = (bodies.get(pair.a), bodies.get(pair.b));
        let touch = feature.touch(&a.pose, &b.pose);
        let planar = bodies.model.planar;
        let n = touch.normal;
        let [t1, t2] = tangents(&n, planar);
        let axes = [n, t1, t2];
        let (rho_a, rho_b) = (touch.point - a.pose.centre, touch.point - b.pose.centre);
        let (at_a, at_b) = (a.twist.at(&rho_a), b.twist.at(&rho_b));
        let surface = |body: usize| bodies.model.surface_velocity[body];
        let carried = surface(pair.b) - surface(pair.a);
        let slide = carried - n * n.dot(&carried);
        let relative = at_b - at_a;
        let ground = |body: usize, velocity: V3| match bodies.model.place[body] {
            Place::Fixed => velocity,
            Place::Moving { .. } => V3::zeros(),
        };
        let driven = ground(pair.b, at_b) - ground(pair.a, at_a) + slide;
        let rows = match (site.material.mu == 0.0, planar) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        let u = axes.map(|d| d.dot(&(relative + slide)));
        let w = axes.map(|d| d.dot(&driven));
        let mut gamma = [0.0; 3];
        if accelerations {
            let TouchRates { normal: turned, point } =
                feature.rates(&touch, [&a.pose, &b.pose], [&a.twist, &b.twist]);
            let of_body = |body: &BodyAt, rho: &V3| {
                body.bias[0]
                    + body.bias[1].cross(rho)
                    + body.twist.spin.cross(&(point - body.twist.velocity))
            };
            let free = of_body(&b, &rho_b) - of_body(&a, &rho_a);
            gamma = axes.map(|d| d.dot(&free));
            gamma[0] += turned.dot(&relative);
            for k in 1..rows {
                // The part of the surface velocity along the normal is left out, and turns with it.
                gamma[k] -= axes[k].dot(&turned) * n.dot(&carried);
            }
        }
        Self { touch, axes, u, w, gamma, rows }
    }

    fn of_limit(bodies: &Bodies, site: &Site, y: &[f64]) -> Self {
        let mut result = Self {
            touch: Touch { gap: f64::INFINITY, normal: V3::x(), point: V3::zeros() },
            axes: [V3::x(), V3::y(), V3::z()],
            u: [0.0; 3],
            w: [0.0; 3],
            gamma: [0.0; 3],
            rows: 1,
        };
        if let Slot::Limit { assembly, limit } = site.slot
            && let Some(k) = bodies.layout.find(assembly)
        {
            let assembly = &bodies.model.assemblies[assembly];
            let nq = bodies.layout.positions();
            let (q, v) = (&y[bodies.layout.q_of(k)], &y[nq..][bodies.layout.v_of(k)]);
            let [gap, rate] = assembly.limit(&assembly.limits()[limit], q, v, &mut []);
            result.touch.gap = gap;
            result.u[0] = rate;
        }
        result
    }

    /// Writes the rows of `J` along the contact's axes, one after the other.
    pub(crate) fn rows(&self, bodies: &Bodies, site: &Site, y: &[f64], out: &mut [f64]) {
        let nv = bodies.layout.velocities();
        out[..self.rows * nv].fill(0.0);
        if let Some((_, pair)) = site.feature() {
            let (a, b) = (bodies.get(pair.a), bodies.get(pair.b));
            for (axis, row) in self.axes.iter().zip(out.chunks_exact_mut(nv)).take(self.rows) {
                bodies.add_row(pair.b, &b, &self.touch.point, axis, row);
                bodies.add_row(pair.a, &a, &self.touch.point, &-axis, row);
            }
        } else if let Slot::Limit { assembly, limit } = site.slot
            && let Some(k) = bodies.layout.find(assembly)
        {
            let assembly = &bodies.model.assemblies[assembly];
            let nq = bodies.layout.positions();
            let (q, v) = (&y[bodies.layout.q_of(k)], &y[nq..][bodies.layout.v_of(k)]);
            let row = &mut out[..nv][bodies.layout.v_of(k)];
            assembly.limit(&assembly.limits()[limit], q, v, row);
        }
    }

    /// The world's vector of components along the axes.
    pub(crate) fn world(&self, components: [f64; 3]) -> V3 {
        self.axes[0] * components[0] + self.axes[1] * components[1] + self.axes[2] * components[2]
    }
}
