//! Points of the region, all equally likely.

use super::PermissibleRegion;
use super::exit::unit;
use super::extreme::{lowest, support};
use super::scaled::Scaled;
use crate::ImpactError;
use crate::contact::ContactVec;
use core::f64::consts::{PI, TAU};

/// A region that fills less of its shape than one part in this many is refused: needles of an extreme `W`.
const TRIES: u32 = 1_000_000;

/// Shapes are widened by more than rounding can have narrowed them.
const ROOM: f64 = 1e-6;

/// Draws impulses uniformly from the interior of a region.
///
/// It draws from a simpler shape around the region and rejects what lies outside. The shape is the smallest of
/// these: the half of the energy ellipsoid that separates; the piece of the cone between the region's lowest and
/// highest normal impulse; and boxes with some faces along the region's own, for needles cut obliquely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler<const D: usize> {
    scaled: Scaled<D>,
    shape: Shape<D>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape<const D: usize> {
    HalfEllipsoid { centre: ContactVec<D>, half_axes: [ContactVec<D>; D] },
    Frustum { low: f64, high: f64, mu: f64 },
    Box { corner: ContactVec<D>, edges: [ContactVec<D>; D] },
}

/// A shape and its content.
type Sized<const D: usize> = (Shape<D>, f64);

impl<const D: usize> PermissibleRegion<D> {
    /// What draws uniformly from this region. Refused if the bodies separate, if the region has no interior, and if
    /// it has no end.
    pub fn sampler(&self) -> Result<Sampler<D>, ImpactError> {
        if !self.is_constructible() {
            return Err(self.no_construction());
        }
        if !self.has_interior() {
            return Err(ImpactError::bad_problem(
                "contact",
                "region without interior",
                "the permissible region is a segment or a point: there is nothing to draw from",
            ));
        }
        if let Some(direction) = self.unbounded_direction() {
            return Err(self.no_end(&direction));
        }
        let s = self.scaled;
        let normal = ContactVec::from_parts(1.0, [0.0; 2]);
        // In the metric of W, along the level planes of p_n and of u_n⁺, and along the principal axes.
        let boxes = [s.rooted(&normal, -0.5), s.rooted(&normal, 0.5), s.axes[0]]
            .map(|first| tilted_box(&s, &first));
        [frustum(&s), half_ellipsoid(&s), upright_box(&s)]
            .into_iter()
            .chain(boxes)
            .flatten()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(shape, _)| Sampler { scaled: s, shape })
            .ok_or_else(|| {
                ImpactError::Limit("no bounded shape contains this permissible region".into())
            })
    }
}

fn half_ellipsoid<const D: usize>(s: &Scaled<D>) -> Option<Sized<D>> {
    let (centre, available) = (s.sticking()?, s.energy_available()?);
    let lengths = s.values.map(|value| f64::sqrt(2.0 * available / value));
    let ball = [2.0, PI, 4.0 / 3.0 * PI][D - 1];
    let volume = 0.5 * ball * lengths.iter().product::<f64>();
    let half_axes = std::array::from_fn(|i| s.axes[i] * lengths[i]);
    volume.is_finite().then_some((Shape::HalfEllipsoid { centre, half_axes }, volume))
}

fn frustum<const D: usize>(s: &Scaled<D>) -> Option<Sized<D>> {
    if s.alpha == 0.0 {
        return None;
    }
    let mu = s.beta / s.alpha;
    let high = support(s, &ContactVec::from_parts(1.0, [0.0; 2])) * (1.0 + ROOM);
    let low = lowest(s) * (1.0 - ROOM);
    let disk = [1.0, 2.0 * mu, PI * mu * mu][D - 1];
    let volume = disk * (power::<D>(high) - power::<D>(low)) / D as f64;
    (volume.is_finite() && volume > 0.0).then_some((Shape::Frustum { low, high, mu }, volume))
}

/// The box around the region with edges along the normal and the tangents.
fn upright_box<const D: usize>(s: &Scaled<D>) -> Option<Sized<D>> {
    let units = std::array::from_fn(|i| {
        ContactVec::new(std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }))
    });
    around(s, &units, units, 1.0)
}

/// The box around the region that is upright in the metric of `W`, its first edge along `first` there.
fn tilted_box<const D: usize>(s: &Scaled<D>, first: &ContactVec<D>) -> Option<Sized<D>> {
    if s.values.contains(&0.0) {
        return None;
    }
    let mut basis = [ContactVec::ZERO; D];
    basis[0] = unit(first)?;
    for i in 1..D {
        // Of the principal axes, the one that the edges found so far leave most of.
        let rest =
            |axis: &ContactVec<D>| (0..i).fold(*axis, |v, j| v - basis[j] * basis[j].dot(&v));
        let most = s.axes.iter().map(rest).max_by(|a, b| a.norm().total_cmp(&b.norm()))?;
        basis[i] = unit(&most)?;
    }
    let determinant: f64 = s.values.iter().product();
    let functionals = basis.map(|q| s.rooted(&q, 0.5));
    let edges = basis.map(|q| s.rooted(&q, -0.5));
    around(s, &functionals, edges, 1.0 / f64::sqrt(determinant))
}

/// The box of all `p = Σ y_i edge_i` whose `y_i = g_i·p` lie within the region's bounds.
fn around<const D: usize>(
    s: &Scaled<D>,
    functionals: &[ContactVec<D>; D],
    edges: [ContactVec<D>; D],
    determinant: f64,
) -> Option<Sized<D>> {
    let bounds: [[f64; 2]; D] = std::array::from_fn(|i| {
        let (low, high) = (-support(s, &-functionals[i]), support(s, &functionals[i]));
        let room = ROOM * (high - low);
        [low - room, high + room]
    });
    let volume = determinant * bounds.iter().map(|[low, high]| high - low).product::<f64>();
    let shape = Shape::Box {
        corner: (0..D).fold(ContactVec::ZERO, |p, i| p + edges[i] * bounds[i][0]),
        edges: std::array::from_fn(|i| edges[i] * (bounds[i][1] - bounds[i][0])),
    };
    (volume.is_finite() && volume > 0.0).then_some((shape, volume))
}

fn power<const D: usize>(x: f64) -> f64 {
    (0..D).map(|_| x).product()
}

fn root<const D: usize>(x: f64) -> f64 {
    match D {
        1 => x,
        2 => f64::sqrt(x),
        _ => libm::cbrt(x),
    }
}

impl<const D: usize> Sampler<D> {
    /// One permissible impulse [N·s]. `uniform` gives numbers of [0, 1), independent and equally likely; the result
    /// depends on nothing else.
    pub fn draw(&self, uniform: &mut impl FnMut() -> f64) -> Result<ContactVec<D>, ImpactError> {
        for _ in 0..TRIES {
            let p = self.propose(uniform);
            if self.scaled.holds(&p) {
                return Ok(self.scaled.grow(p));
            }
        }
        Err(ImpactError::Limit(format!(
            "no permissible impulse among {TRIES} drawn: the region is too thin to draw from"
        )))
    }

    fn propose(&self, uniform: &mut impl FnMut() -> f64) -> ContactVec<D> {
        match self.shape {
            Shape::HalfEllipsoid { centre, half_axes } => {
                let y = in_ball::<D>(uniform);
                let offset = (0..D).fold(ContactVec::ZERO, |p, i| p + half_axes[i] * y[i]);
                // The plane of maximum compression halves the ellipsoid: the other half is this one's image.
                let p = centre + offset;
                if self.scaled.after(&p).normal() < 0.0 { centre - offset } else { p }
            }
            Shape::Frustum { low, high, mu } => {
                let (least, most) = (power::<D>(low), power::<D>(high));
                let normal = root::<D>(least + (most - least) * uniform());
                let radius = mu * normal;
                let tangent = match D {
                    1 => [0.0, 0.0],
                    2 => [radius * (2.0 * uniform() - 1.0), 0.0],
                    _ => {
                        let radius = radius * f64::sqrt(uniform());
                        let angle = TAU * uniform();
                        [radius * libm::cos(angle), radius * libm::sin(angle)]
                    }
                };
                ContactVec::from_parts(normal, tangent)
            }
            Shape::Box { corner, edges } => {
                edges.into_iter().fold(corner, |p, edge| p + edge * uniform())
            }
        }
    }
}

/// A point of the unit ball.
fn in_ball<const D: usize>(uniform: &mut impl FnMut() -> f64) -> ContactVec<D> {
    if D == 1 {
        return ContactVec::from_parts(2.0 * uniform() - 1.0, [0.0; 2]);
    }
    let radius = root::<D>(uniform());
    let angle = TAU * uniform();
    if D == 2 {
        return ContactVec::from_parts(radius * libm::cos(angle), [radius * libm::sin(angle), 0.0]);
    }
    let height = 2.0 * uniform() - 1.0;
    let belt = f64::sqrt((1.0 - height * height).max(0.0));
    let tangent = [belt * libm::cos(angle), belt * libm::sin(angle)].map(|x| x * radius);
    ContactVec::from_parts(radius * height, tangent)
}
