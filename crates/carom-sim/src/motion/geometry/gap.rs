//! What every kind of gap answers.

use super::{Touch, TouchRates};
use crate::motion::vector::{Pose, Twist, V3};

/// One kind of gap between a feature of a first body and one of a second. Which of them is body A is not known here.
pub(super) trait Gap {
    /// Gap, normal from the first body to the second, and point.
    fn touch(&self, p: &Pose, q: &Pose) -> Touch;

    /// The rates of normal and point; the normal is that of [`Gap::touch`].
    fn rates(&self, normal: &V3, p: &Moving, q: &Moving) -> TouchRates;

    /// How far inside its region of validity \[m\].
    fn margin(&self, p: &Pose, q: &Pose) -> f64;

    /// Not more than the distance of the two features with their ends and sides; not positive where they overlap \[m\].
    fn distance(&self, p: &Pose, q: &Pose) -> f64;

    /// Largest distances of points that can touch from the centres of the two bodies \[m\].
    fn reach(&self) -> [f64; 2];

    /// A relative tangential velocity v turns the normal by no more than v over this \[m\].
    fn curvature_radius(&self) -> f64 {
        f64::INFINITY
    }

    /// Angular velocities ω of the two bodies turn the normal, or move the point around its feature, by no more than this
    /// times their sum \[1\].
    fn turning(&self, _p: &Pose, _q: &Pose) -> f64 {
        1.0
    }
}

/// Where a body is and how it moves.
#[derive(Clone, Copy)]
pub(super) struct Moving<'a> {
    pub(super) pose: &'a Pose,
    pub(super) twist: &'a Twist,
}

impl Moving<'_> {
    /// The velocity of the body's material at a point of the world [m/s].
    pub(super) fn velocity(&self, x: &V3) -> V3 {
        self.twist.at(&(x - self.pose.centre))
    }

    /// The rate of a direction that is fixed to the body [1/s].
    pub(super) fn turning(&self, direction: &V3) -> V3 {
        self.twist.spin.cross(direction)
    }
}
