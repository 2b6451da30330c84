//! Gaps between shapes: one smooth function per pair of features, with what contacts need of it.
//!
//! # Margins
//!
//! [`Feature::touch`] is smooth in the pose and can be followed anywhere. It is the distance of two shapes only while
//! [`Feature::margin`] is not negative; borders are met to rounding, so a caller allows a small length below zero.
//!
//! - A root of the gap where the margin is not negative is a contact: the features have a point in common there. A root
//!   elsewhere means nothing. So does a sign of the gap where the margin is negative.
//! - Of two shapes that are apart, a sphere, the end of a capsule, a point or a vertex has no valid feature with a negative
//!   gap: below a face of a solid, only the face that it is least deep under is valid. Crossing edges of two solids are left
//!   out where the planes of faces tell the solids apart by more; what remains is rare (one of 5000 random poses). While the
//!   shapes are apart such a gap only leaves through zero upwards: contacts begin where a gap falls through zero, and whether
//!   two shapes overlap is what [`ShapePair::overlap`] tells.
//! - [`Feature::distance`] and [`ShapePair::distance_bound`] tell cheaply that nothing touches soon.
//! - Directions are allowed 1e-6 rad beyond their borders, so that a box that lies flat on another has the crossings of their
//!   edges among its contacts, and two parallel capsules both ends of their overlap. Places on faces and edges are not: at
//!   their very borders a margin is zero to rounding.
//!
//! # Lasting contact
//!
//! Where the margin of a closed feature crosses zero, another of the same pair becomes valid at the same instant, with gap zero
//! and the same normal: a sphere goes from face to edge to vertex, and so does the end of a capsule, within its
//! [`Feature::group`]; a corner of a box that slides over the edge of another is followed by two crossings of edges. Where
//! none does, the contact has ended: a point has left its face.
//!
//! # Bounds
//!
//! With τ of [`Feature::turning`], r of [`Feature::curvature_radius`] and ρ of [`Feature::reach`], each ρ increased by the gap:
//! |g̈| ≤ Σ (|a| + τ (|α| + |ω|²) ρ) + 2 τ (|ω_A| + |ω_B|) |u| + u_t²/r, sums over both bodies. Not proven; observed on random motions
//! of valid features, which came to 0.84 of it. τ is of a pose, and grows without limit towards parallel edges and flat rims.

mod bounds;
mod gap;
mod hull;
mod line_line;
mod line_sphere;
mod manifold;
mod pairs;
mod plane_sphere;
mod region;
mod rim_plane;
mod rim_sphere;
mod shapes;
mod sphere_sphere;
#[cfg(test)]
mod tests;

use self::bounds::Extent;
use self::gap::{Gap, Moving};
pub use self::hull::ConvexHull;
use self::line_line::LineLine;
use self::line_sphere::LineSphere;
use self::plane_sphere::PlaneSphere;
use self::rim_plane::{CapPoint, RimPlane};
use self::rim_sphere::RimSphere;
use self::shapes::Part;
use self::sphere_sphere::SphereSphere;
use super::scene::Shape;
use super::vector::{Pose, Twist, V3};

/// How two features lie to each other at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    /// Negative inside \[m\].
    pub(crate) gap: f64,
    /// From A to B, of length one \[1\].
    pub(crate) normal: V3,
    /// Where they touch if the gap is zero \[m\].
    pub(crate) point: V3,
}

/// How the geometry of a [`Touch`] changes. The point is the place of contact, not a point of either body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TouchRates {
    /// [1/s]
    pub(crate) normal: V3,
    /// [m/s]
    pub(crate) point: V3,
}

/// A feature of body A against one of body B.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    kind: Kind,
    /// Whether the first body of the kind is B.
    swapped: bool,
    group: usize,
}

#[derive(Clone, Debug)]
enum Kind {
    PlaneSphere(PlaneSphere),
    SphereSphere(SphereSphere),
    LineSphere(LineSphere),
    LineLine(LineLine),
    RimPlane(RimPlane),
    CapPoint(CapPoint),
    RimSphere(RimSphere),
}

/// Calls the same method of each kind of gap.
macro_rules! of_kind {
    ($feature:expr, $gap:ident => $answer:expr) => {
        match &$feature.kind {
            Kind::PlaneSphere($gap) => $answer,
            Kind::SphereSphere($gap) => $answer,
            Kind::LineSphere($gap) => $answer,
            Kind::LineLine($gap) => $answer,
            Kind::RimPlane($gap) => $answer,
            Kind::CapPoint($gap) => $answer,
            Kind::RimSphere($gap) => $answer,
        }
    };
}

impl Feature {
    /// Gap, normal and point.
    pub(crate) fn touch(&self, a: &Pose, b: &Pose) -> Touch {
        let [p, q] = self.ordered(a, b);
        let touch = of_kind!(self, gap => gap.touch(p, q));
        if self.swapped { Touch { normal: -touch.normal, ..touch } } else { touch }
    }

    /// The rates of normal and point.
    pub(crate) fn rates(
        &self,
        touch: &Touch,
        poses: [&Pose; 2],
        twists: [&Twist; 2],
    ) -> TouchRates {
        let moving = [0, 1].map(|i| Moving { pose: poses[i], twist: twists[i] });
        if !self.swapped {
            return of_kind!(self, gap => gap.rates(&touch.normal, &moving[0], &moving[1]));
        }
        let rates = of_kind!(self, gap => gap.rates(&-touch.normal, &moving[1], &moving[0]));
        TouchRates { normal: -rates.normal, ..rates }
    }

    /// How far inside its region of validity the pair of features is; negative where another pair is the nearest one, infinite
    /// where it is always valid \[m\].
    pub(crate) fn margin(&self, a: &Pose, b: &Pose) -> f64 {
        let [p, q] = self.ordered(a, b);
        of_kind!(self, gap => gap.margin(p, q))
    }

    /// Not more than the distance of the two features within their ends and sides; not positive where they overlap. While it is
    /// positive they do not touch: it falls no faster than their material moves, whatever the gap does meanwhile \[m\].
    pub(crate) fn distance(&self, a: &Pose, b: &Pose) -> f64 {
        let [p, q] = self.ordered(a, b);
        of_kind!(self, gap => gap.distance(p, q))
    }

    /// The largest distances of the features' points from the centres of A and of B, where they can touch; zero for a
    /// half-space, which does not turn \[m\].
    pub(crate) fn reach(&self) -> [f64; 2] {
        let [p, q] = of_kind!(self, gap => gap.reach());
        if self.swapped { [q, p] } else { [p, q] }
    }

    /// The smallest radius of curvature that enters how the gap turns; infinite for a point against a plane and for crossing
    /// edges, whose normal turns with the bodies only \[m\].
    pub(crate) fn curvature_radius(&self) -> f64 {
        of_kind!(self, gap => gap.curvature_radius())
    }

    /// How many times faster than the bodies the normal or the place on a feature turns: one over the sine of the angle
    /// between crossing lines, or between the axis of a rim and the plane's normal; else one. The terms of a bound of g̈ that
    /// have angular velocities are multiplied by it \[1\].
    pub(crate) fn turning(&self, a: &Pose, b: &Pose) -> f64 {
        let [p, q] = self.ordered(a, b);
        of_kind!(self, gap => gap.turning(p, q))
    }

    /// How far below zero its gap may be where it takes over from others: the rim of a cylinder is lower than the points
    /// that stand for it while its cap lies flat \[m\].
    pub(crate) fn sags(&self) -> f64 {
        match &self.kind {
            Kind::RimPlane(gap) => 2.0 * region::ANGLE_SLACK * gap.rim.radius,
            _ => 0.0,
        }
    }

    /// Features of a pair of shapes with the same group belong to one sphere, end of a capsule, or vertex: it touches through
    /// one of them at a time, and goes from one to the next at an edge.
    pub(crate) fn group(&self) -> usize {
        self.group
    }

    /// Whether one of the two is the rim of a cap, and the other a point that stands for it while the cap lies flat.
    pub(crate) fn stands_for(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::RimPlane(rim), Kind::CapPoint(point))
            | (Kind::CapPoint(point), Kind::RimPlane(rim)) => rim.rim == point.rim.rim,
            _ => false,
        }
    }

    fn ordered<'a>(&self, a: &'a Pose, b: &'a Pose) -> [&'a Pose; 2] {
        if self.swapped { [b, a] } else { [a, b] }
    }
}

/// All features of one shape of A against one shape of B.
#[derive(Clone, Debug)]
pub(crate) struct ShapePair {
    /// In a fixed order.
    pub(crate) features: Vec<Feature>,
    /// Whether at most one of them touches at a time: two shapes of which one is a ball, say. A rolling ball changes from one
    /// feature to the next.
    pub(crate) single: bool,
    extents: [Extent; 2],
    /// Whether both are solids with flat faces.
    solids: bool,
    /// The thickness of the capsule or sphere, where one of the two is one and the other is a solid \[m\].
    rounding: f64,
    /// The axes of two capsules in the plane.
    axes: Option<LineLine>,
}

impl ShapePair {
    /// The features of two shapes, each in the frame of its body; an error says that the pair is not supported.
    pub(crate) fn new(a: &Shape, b: &Shape, planar: bool) -> Result<Self, String> {
        let parts = [Part::new(a, planar)?, Part::new(b, planar)?];
        let extents = [Extent::new(&parts[0]), Extent::new(&parts[1])];
        let features = pairs::features(
            &parts[0],
            &parts[1],
            &extents,
            planar,
            [shapes::name(a), shapes::name(b)],
        )?;
        let one_point = |part: &Part| match part {
            Part::Sphere { .. } => true,
            Part::Points(points) => points.len() < 2,
            _ => false,
        };
        let convex = |part: &Part| !matches!(part, Part::Points(points) if points.len() > 1);
        let [p, q] = &parts;
        let rounding = match (p, q) {
            (Part::Solid(_), Part::Capsule(line)) | (Part::Capsule(line), Part::Solid(_)) => {
                line.radius
            }
            _ => 0.0,
        };
        Ok(Self {
            features,
            single: (one_point(p) && convex(q)) || (one_point(q) && convex(p)),
            extents,
            solids: matches!((p, q), (Part::Solid(_), Part::Solid(_))),
            rounding,
            axes: match (p, q) {
                (Part::Capsule(first), Part::Capsule(second)) if planar => {
                    Some(LineLine::axes(first, second))
                }
                _ => None,
            },
        })
    }

    /// Not more than the distance of the two shapes where they are apart; of balls around them, and of the planes of their
    /// faces. Negative where these do not tell them apart \[m\].
    pub(crate) fn distance_bound(&self, a: &Pose, b: &Pose) -> f64 {
        self.extents[0].distance(a, &self.extents[1], b)
    }

    /// How deep the shapes lie in each other; zero or negative where they are apart or only touch. Where they overlap, a
    /// translation by this along some normal separates solids; of the others it is the deepest valid gap \[m\].
    pub(crate) fn overlap(&self, a: &Pose, b: &Pose) -> f64 {
        let [p, q] = &self.extents;
        if self.solids {
            // Separating planes of two solids have the normal of a face, or of two edges whose normals cross.
            let mut apart = p.separation(a, q, b).max(q.separation(b, p, a));
            for feature in &self.features {
                if let Kind::LineLine(lines) = &feature.kind {
                    let [p, q] = feature.ordered(a, b);
                    let [cone, gap] = lines.separation(p, q);
                    if cone >= 0.0 {
                        apart = apart.max(gap);
                    }
                }
            }
            return -apart;
        }
        let mut depth = f64::NEG_INFINITY;
        for feature in &self.features {
            if feature.margin(a, b) >= 0.0 {
                depth = depth.max(-feature.touch(a, b).gap);
            }
        }
        // The axis of a capsule can enter a solid through faces, with both ends outside.
        if self.rounding > 0.0 && (p.is_entered(a, q, b) || q.is_entered(b, p, a)) {
            depth = depth.max(self.rounding);
        }
        // Axes that cross in the plane have no ends near each other.
        if let Some(axes) = &self.axes {
            depth = depth.max(axes.crossing(a, b));
        }
        depth
    }
}

/// A shape that was read once, to be compared with many others.
#[derive(Debug)]
pub(crate) struct KnownShape {
    part: Part,
    extent: Extent,
    name: &'static str,
    planar: bool,
}

impl KnownShape {
    /// An error says what is wrong with the shape.
    pub(crate) fn new(shape: &Shape, planar: bool) -> Result<Self, String> {
        let part = Part::new(shape, planar)?;
        let extent = Extent::new(&part);
        Ok(Self { part, extent, name: shapes::name(shape), planar })
    }

    /// Whether [`ShapePair::new`] makes a pair of these two, and else why not.
    pub(crate) fn fits(&self, other: &Self) -> Result<(), String> {
        let extents = [self.extent.clone(), other.extent.clone()];
        pairs::check(&self.part, &other.part, &extents, self.planar, [self.name, other.name])
    }

    /// As [`ShapePair::overlap`], of two solids with flat faces; none of others. Their features, which are many, are not kept.
    pub(crate) fn solids_overlap(&self, a: &Pose, other: &Self, b: &Pose) -> Option<f64> {
        let (Part::Solid(p), Part::Solid(q)) = (&self.part, &other.part) else { return None };
        let [one, its] = [&self.extent, &other.extent];
        let mut apart = one.separation(a, its, b).max(its.separation(b, one, a));
        for e in &p.edges {
            for f in &q.edges {
                let lines = LineLine { edges: [e.edge, f.edge], solids: None };
                let [cone, gap] = lines.separation(a, b);
                if cone >= 0.0 {
                    apart = apart.max(gap);
                }
            }
        }
        Some(-apart)
    }

    /// As [`ShapePair::distance_bound`].
    pub(crate) fn distance_bound(&self, a: &Pose, other: &Self, b: &Pose) -> f64 {
        self.extent.distance(a, &other.extent, b)
    }
}

/// The smallest ball around the body's centre that holds the shape; infinite for a half-space \[m\].
pub(crate) fn bounding_radius(shape: &Shape) -> f64 {
    bounds::radius_about_centre(shape)
}
