//! Points of the region, all equally likely.

use super::PermissibleRegion;
use super::extreme::{highest, lowest};
use super::scaled::Scaled;
use crate::ImpactError;
use crate::contact::ContactVec;
use core::f64::consts::{PI, TAU};

/// Draws impulses uniformly from the interior of a region.
///
/// It draws from a simpler shape around the region, the smaller of two, and rejects what lies outside: the half of
/// the energy ellipsoid that separates, or the piece of the cone between the region's lowest and highest normal
/// impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler<const D: usize> {
    scaled: Scaled<D>,
    shape: Shape<D>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape<const D: usize> {
    HalfEllipsoid {
        centre: ContactVec<D>,
        half_axes: [ContactVec<D>; D],
    },
    Frustum {
        low: f64,
        high: f64,
        mu: f64,
    },
}

/// A region that fills less of its shape than one part in this many is refused: needles of an extreme `W`.
const TRIES: u32 = 1_000_000;

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
        [frustum(&s), half_ellipsoid(&s)]
            .into_iter()
            .flatten()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(shape, _)| Sampler { scaled: s, shape })
            .ok_or_else(|| {
                ImpactError::Limit("no bounded shape contains this permissible region".into())
            })
    }
}

fn half_ellipsoid<const D: usize>(s: &Scaled<D>) -> Option<(Shape<D>, f64)> {
    let (centre, available) = (s.sticking()?, s.energy_available()?);
    let lengths = s.values.map(|value| libm::sqrt(2.0 * available / value));
    let ball = [2.0, PI, 4.0 / 3.0 * PI][D - 1];
    let volume = 0.5 * ball * lengths.iter().product::<f64>();
    let half_axes = std::array::from_fn(|i| s.axes[i] * lengths[i]);
    volume
        .is_finite()
        .then_some((Shape::HalfEllipsoid { centre, half_axes }, volume))
}

fn frustum<const D: usize>(s: &Scaled<D>) -> Option<(Shape<D>, f64)> {
    if s.alpha == 0.0 {
        return None;
    }
    let mu = s.beta / s.alpha;
    // Widened by more than rounding can have narrowed it.
    let high = highest(s)? * (1.0 + 1e-9);
    let low = lowest(s) * (1.0 - 1e-9);
    let disk = [1.0, 2.0 * mu, PI * mu * mu][D - 1];
    let volume = disk * (power::<D>(high) - power::<D>(low)) / D as f64;
    (volume.is_finite() && volume > 0.0).then_some((Shape::Frustum { low, high, mu }, volume))
}

fn power<const D: usize>(x: f64) -> f64 {
    (0..D).map(|_| x).product()
}

fn root<const D: usize>(x: f64) -> f64 {
    match D {
        1 => x,
        2 => libm::sqrt(x),
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
                if self.scaled.after(&p).normal() < 0.0 {
                    centre - offset
                } else {
                    p
                }
            }
            Shape::Frustum { low, high, mu } => {
                let (least, most) = (power::<D>(low), power::<D>(high));
                let normal = root::<D>(least + (most - least) * uniform());
                let radius = mu * normal;
                let tangent = match D {
                    1 => [0.0, 0.0],
                    2 => [radius * (2.0 * uniform() - 1.0), 0.0],
                    _ => {
                        let radius = radius * libm::sqrt(uniform());
                        let angle = TAU * uniform();
                        [radius * libm::cos(angle), radius * libm::sin(angle)]
                    }
                };
                ContactVec::from_parts(normal, tangent)
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
    let belt = libm::sqrt((1.0 - height * height).max(0.0));
    let tangent = [belt * libm::cos(angle), belt * libm::sin(angle)].map(|x| x * radius);
    ContactVec::from_parts(radius * height, tangent)
}
