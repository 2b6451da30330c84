//! How large the region is.

use super::PermissibleRegion;
use super::scaled::Scaled;
use super::slice::Slice;
use crate::ImpactError;
use crate::numerics::quadrature::{Integral, integrate};
use core::f64::consts::{FRAC_PI_2, TAU};

/// Peaks wider than this show to the plain rule.
const WIDE: f64 = 0.1;

/// Below the square root of the smallest eigenvalue that counts.
const NARROWEST: f64 = 1e-8;

/// Pieces of one integral.
const LIMIT: usize = 400;

/// The content of a region: a length, an area or a volume of impulse space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    /// The content [(N·s)^D].
    pub value: f64,
    /// A bound on its error: the distance between two quadrature rules, summed, and rounding [(N·s)^D].
    pub error: f64,
}

impl<const D: usize> PermissibleRegion<D> {
    /// The region's length, area or volume, computed until its error is bounded by `accuracy` of it \[1\] or the
    /// effort ends; the error reported is the one reached. Zero for a region without interior. Refused if the
    /// bodies separate or the region has no end.
    pub fn volume(&self, accuracy: f64) -> Result<Volume, ImpactError> {
        if !self.is_constructible() {
            return Err(self.no_construction());
        }
        if let Some(direction) = self.unbounded_direction() {
            return Err(self.no_end(&direction));
        }
        let s = &self.scaled;
        let mut magnified: f64 = 1.0;
        let integral = if !self.has_interior() {
            Integral::default()
        } else {
            match D {
                // From P_I to 2P_I.
                1 => Integral { value: s.approach() / s.k(), bound: 0.0 },
                2 => [1.0, -1.0]
                    .map(|side| section(s, [side, 0.0], 2, accuracy, &mut magnified))
                    .into_iter()
                    .fold(Integral::default(), add),
                _ => turn(s, accuracy, &mut magnified),
            }
        };
        // A ratio of sums of three terms, raised to the power D.
        let rounding = 16.0 * D as f64 * f64::EPSILON * magnified * integral.value;
        let unit = libm::pow(s.impulse_unit, D as f64);
        let volume =
            Volume { value: integral.value * unit, error: (integral.bound + rounding) * unit };
        if volume.value.is_finite() && volume.error.is_finite() {
            Ok(volume)
        } else {
            Err(ImpactError::Limit("the region's volume is larger than any number".into()))
        }
    }
}

fn add(a: Integral, b: Integral) -> Integral {
    Integral { value: a.value + b.value, bound: a.bound + b.bound }
}

/// `∫ (far^n − near^n)/n · sin^(n−2) φ dφ` over one half-plane: its area for n = 2, and for n = 3 the volume per
/// angle that it sweeps.
fn section<const D: usize>(
    s: &Scaled<D>,
    side: [f64; 2],
    power: u32,
    accuracy: f64,
    magnified: &mut f64,
) -> Integral {
    let slice = Slice::new(s, side);
    let (stiffest, width) = slice.stiffest();
    let mut breaks = vec![0.0, slice.end.angle];
    condense(&mut breaks, stiffest, width, FRAC_PI_2);
    breaks.retain(|angle| (0.0..=slice.end.angle).contains(angle));
    breaks.sort_by(f64::total_cmp);
    integrate(
        |angle| {
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            let (near, far) = (slice.near(cos, sin), slice.far(cos, sin));
            let length = (far - near).max(0.0);
            if length > 0.0 {
                // Cancellation only matters where there is something to count.
                *magnified = magnified.max(slice.cancellation(cos, sin).min(1.0 / f64::EPSILON));
            }
            match power {
                2 => 0.5 * length * (far + near),
                _ => length * (far * far + far * near + near * near) / 3.0 * sin,
            }
        },
        &breaks,
        accuracy,
        LIMIT,
    )
}

/// The sections of a spatial region, all around.
fn turn<const D: usize>(s: &Scaled<D>, accuracy: f64, magnified: &mut f64) -> Integral {
    let largest = s.values.iter().fold(0.0, |m: f64, x| m.max(*x));
    let smallest = s.values.iter().filter(|x| **x > 0.0).fold(largest, |m, x| m.min(*x));
    let width = f64::sqrt(smallest / largest);
    let mut breaks: Vec<f64> = (0..=8).map(|i| f64::from(i) * TAU / 8.0).collect();
    // An ill-conditioned W makes a needle or a leaf. A needle points along a principal axis, a leaf stands across
    // one.
    for axis in s.axes {
        let [x, y] = axis.tangent();
        let angle = libm::atan2(y, x);
        for quarter in 0..4 {
            let centre = angle + f64::from(quarter) * FRAC_PI_2;
            condense(&mut breaks, centre - TAU * libm::floor(centre / TAU), width, TAU / 16.0);
        }
    }
    breaks.retain(|angle| (0.0..=TAU).contains(angle));
    breaks.sort_by(f64::total_cmp);
    // The sections' own errors, which the outer rule cannot see.
    let mut inner: f64 = 0.0;
    let outer = integrate(
        |angle| {
            let side = [libm::cos(angle), libm::sin(angle)];
            let part = section(s, side, 3, 0.01 * accuracy, magnified);
            inner = inner.max(part.bound);
            part.value
        },
        &breaks,
        accuracy,
        LIMIT,
    );
    Integral { value: outer.value, bound: outer.bound + TAU * inner }
}

/// Adds break points that close in on `centre` from `reach` down to `width`, where a peak of that width may stand.
fn condense(breaks: &mut Vec<f64>, centre: f64, width: f64, reach: f64) {
    if width > WIDE {
        return;
    }
    breaks.push(centre);
    let mut offset = reach;
    while offset > width.max(NARROWEST) {
        breaks.extend([centre - offset, centre + offset]);
        offset *= 0.25;
    }
}
