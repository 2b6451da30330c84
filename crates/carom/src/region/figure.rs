//! The points and lines with which impulse space is drawn.
//!
//! Letters are those of Chatterjee and Ruina's construction (their section 3.3 and Fig. 3). Their Fig. 1 has its
//! own: there A is `P_I`, B is `2P_I`, C is `P_II`, and D any point on a line of constant `e` beyond the energy
//! curve.

use super::PermissibleRegion;
use super::exit::unit;
use super::scaled::{Scaled, square};
use crate::contact::ContactVec;
use crate::numerics::eigen::principal_axes;

/// A named impulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigurePoint {
    /// The origin: no impulse, `u⁺ = u⁻`.
    O,
    /// `P_I`: the normal velocity vanishes, without friction.
    PI,
    /// `P_II`: the whole velocity vanishes. The centre of the energy ellipsoids.
    PII,
    /// `P_0 = 3/2 P_I`: the interior point from which parameters are measured.
    P0,
    /// End of the line of maximum compression where the contact slides on as it did: the first energy surface has
    /// a tangent along the normal there. Were it the origin, incidence would be grazing. In the plane only.
    A,
    /// The other end, where the contact slides back. In the plane only.
    B,
    /// Upper end of the line of sticking: all energy is in separation.
    C,
    /// Lower end of the line of sticking: all energy is in approach. Were it the origin, incidence would be normal.
    D,
    /// `2P_I`: the elastic rebound without friction, where the normal meets the first energy surface again.
    E,
    /// Where the line `e = 1` through E meets the first energy surface again. In the plane only.
    F,
}

impl FigurePoint {
    /// Every named point.
    pub const ALL: [Self; 10] = [
        Self::O,
        Self::PI,
        Self::PII,
        Self::P0,
        Self::A,
        Self::B,
        Self::C,
        Self::D,
        Self::E,
        Self::F,
    ];

    /// The point's label in figures.
    pub const fn label(self) -> &'static str {
        match self {
            Self::O => "O",
            Self::PI => "P_I",
            Self::PII => "P_II",
            Self::P0 => "P_0",
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
            Self::E => "E",
            Self::F => "F",
        }
    }
}

/// A named line of impulse space, or plane of it where the contact has three rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FigureLine {
    /// `u_n⁺ = 0`: a line in the plane, a plane in space.
    MaximumCompression,
    /// `u_n⁺ = −e u_n⁻`, parallel to it.
    ConstantRestitution {
        /// The kinematic restitution \[1\].
        e: f64,
    },
    /// `u_t⁺ = 0`.
    Sticking,
    /// `u_t⁺ = −e_t u_t⁻`, parallel to the line of sticking.
    TangentialReversal {
        /// The ratio of tangential velocities, reversed \[1\].
        e_t: f64,
    },
    /// `p_t = μ p_n`. In the plane only.
    FrictionPositive,
    /// `p_t = −μ p_n`. In the plane only.
    FrictionNegative,
}

impl FigureLine {
    /// The line's name in figures.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MaximumCompression => "line of maximum compression",
            Self::ConstantRestitution { .. } => "line of constant e",
            Self::Sticking => "line of sticking",
            Self::TangentialReversal { .. } => "line of tangential reversal",
            Self::FrictionPositive | Self::FrictionNegative => "friction line",
        }
    }
}

/// A line or plane: a point and the directions it spreads in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Locus<const D: usize> {
    /// A point of it [N·s].
    pub point: ContactVec<D>,
    /// A unit direction of it; absent where the locus is a point \[1\].
    pub direction: Option<ContactVec<D>>,
    /// A second unit direction, for a plane \[1\].
    pub second: Option<ContactVec<D>>,
}

impl<const D: usize> PermissibleRegion<D> {
    /// A named impulse [N·s]; absent where the construction has no such point.
    pub fn point(&self, point: FigurePoint) -> Option<ContactVec<D>> {
        let s = &self.scaled;
        let p = match point {
            FigurePoint::O => Some(ContactVec::ZERO),
            FigurePoint::PI => return self.frictionless_impulse(),
            FigurePoint::PII => return self.sticking_impulse(),
            FigurePoint::P0 => return self.interior_point(),
            FigurePoint::A => compression_end(s, 1.0),
            FigurePoint::B => compression_end(s, -1.0),
            FigurePoint::C => sticking_end(s, 1.0),
            FigurePoint::D => sticking_end(s, -1.0),
            FigurePoint::E => return self.frictionless_impulse().map(|p| p * 2.0),
            FigurePoint::F => elastic_end(s),
        };
        p.map(|p| s.grow(p)).filter(ContactVec::is_finite)
    }

    /// A named line or plane; absent where the construction has none.
    pub fn locus(&self, line: FigureLine) -> Option<Locus<D>> {
        let s = &self.scaled;
        let locus = match line {
            FigureLine::MaximumCompression => restitution_locus(s, 0.0),
            FigureLine::ConstantRestitution { e } => restitution_locus(s, e),
            FigureLine::Sticking => reversal_locus(s, 0.0),
            FigureLine::TangentialReversal { e_t } => reversal_locus(s, e_t),
            FigureLine::FrictionPositive => friction_locus(s, 1.0),
            FigureLine::FrictionNegative => friction_locus(s, -1.0),
        }?;
        let point = s.grow(locus.point);
        point.is_finite().then_some(Locus { point, ..locus })
    }
}

/// The point of the first energy surface in direction `v` from its centre.
fn from_centre<const D: usize>(s: &Scaled<D>, v: ContactVec<D>) -> Option<ContactVec<D>> {
    let (centre, available, q) = (s.sticking()?, s.energy_available()?, s.quadratic(&v));
    let length = f64::sqrt(2.0 * available / q);
    (q > 0.0 && length * v.norm() <= s.reach).then(|| centre + v * length)
}

/// Along `W⁻¹t` from the centre, with or against the sliding before the impact.
fn compression_end<const D: usize>(s: &Scaled<D>, sign: f64) -> Option<ContactVec<D>> {
    let sliding = if s.u.tangent()[0] < 0.0 { -1.0 } else { 1.0 };
    let along = across_normal_row(s)?;
    from_centre(s, along * (sign * sliding))
}

/// The planar direction that does not change the normal velocity and speeds up t.
fn across_normal_row<const D: usize>(s: &Scaled<D>) -> Option<ContactVec<D>> {
    (D == 2).then(|| ContactVec::from_parts(-s.w[0][D - 1], [s.k(), 0.0]))
}

fn sticking_end<const D: usize>(s: &Scaled<D>, sign: f64) -> Option<ContactVec<D>> {
    if D == 1 {
        return None;
    }
    from_centre(s, sticking_direction(s)? * sign)
}

/// `(1, −T⁺c)`: along it the tangential velocity does not change.
fn sticking_direction<const D: usize>(s: &Scaled<D>) -> Option<ContactVec<D>> {
    let coupling = ContactVec::<D>::new(s.w[0]).tangent();
    Some(ContactVec::from_parts(1.0, solve_tangential(s, coupling)?.map(|x| -x)))
}

fn elastic_end<const D: usize>(s: &Scaled<D>) -> Option<ContactVec<D>> {
    if s.k() == 0.0 {
        return None;
    }
    let along = unit(&across_normal_row(s)?)?;
    let elastic = s.centre() * (4.0 / 3.0);
    let length = -2.0 * along.dot(&s.after(&elastic)) / s.quadratic(&along);
    (length.abs() <= s.reach).then(|| elastic + along * length)
}

fn restitution_locus<const D: usize>(s: &Scaled<D>, e: f64) -> Option<Locus<D>> {
    if s.k() == 0.0 || !e.is_finite() {
        return None;
    }
    let across = |i: usize| {
        let other = if i == 0 { [s.k(), 0.0] } else { [0.0, s.k()] };
        (i + 1 < D).then(|| ContactVec::from_parts(-s.w[0][i + 1], other)).and_then(|v| unit(&v))
    };
    Some(Locus {
        point: ContactVec::from_parts((1.0 + e) * s.approach() / s.k(), [0.0; 2]),
        direction: across(0),
        second: across(1),
    })
}

fn reversal_locus<const D: usize>(s: &Scaled<D>, e_t: f64) -> Option<Locus<D>> {
    if D == 1 || !e_t.is_finite() {
        return None;
    }
    let stopping = solve_tangential(s, s.u.tangent())?;
    Some(Locus {
        point: ContactVec::from_parts(0.0, stopping.map(|x| -(1.0 + e_t) * x)),
        direction: unit(&sticking_direction(s)?),
        second: None,
    })
}

fn friction_locus<const D: usize>(s: &Scaled<D>, sign: f64) -> Option<Locus<D>> {
    (D == 2).then(|| Locus {
        point: ContactVec::ZERO,
        direction: unit(&ContactVec::from_parts(s.alpha, [sign * s.beta, 0.0])),
        second: None,
    })
}

/// `T⁺v`; absent if `v` has a part that `T` cannot make.
fn solve_tangential<const D: usize>(s: &Scaled<D>, v: [f64; 2]) -> Option<[f64; 2]> {
    // The tangent that a planar contact does not have copies the one it has; its component of v is zero.
    let at = |i: usize, j: usize| match (i < D, j < D) {
        (true, true) => s.w[i][j],
        _ if i == j => s.w[D - 1][D - 1],
        _ => 0.0,
    };
    let (values, axes) = principal_axes([[at(1, 1), at(1, 2)], [at(2, 1), at(2, 2)]]);
    let v = ContactVec::new(v);
    let cut = s.rank * values[0].max(values[1]).max(s.k());
    let (mut solution, mut lost) = (ContactVec::ZERO, 0.0);
    for (value, axis) in values.into_iter().zip(axes.map(ContactVec::new)) {
        let component = axis.dot(&v);
        if value > cut {
            solution += axis * (component / value);
        } else {
            lost += square(component);
        }
    }
    (f64::sqrt(lost) <= s.class * v.norm()).then(|| solution.components())
}
