//! How far an interval may go before friction would have to turn.

use super::medium::dot;
use super::part::Part;
use crate::outcome::{ContactMode, StepLimit};

/// What limits the length of an interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stride {
    /// Slower slip counts as none [m/s].
    pub(crate) transition: f64,
    /// Sine and cosine of the angle that slip may turn by in one interval.
    pub(crate) turn: [f64; 2],
    /// No interval but one that ends where slip stops is shorter than this \[1\].
    pub(crate) shortest: f64,
    /// With midpoints, the root of the most that an interval may turn slip times what friction can do to it \[1\].
    pub(crate) bend: Option<f64>,
}

impl Stride {
    /// The part of the step that every sliding contact can go, and what limits it. `part.along` belongs to the step.
    pub(crate) fn length(&self, part: &Part, modes: &[ContactMode]) -> (f64, StepLimit) {
        let mut shortest = (1.0, StepLimit::End);
        for (k, mode) in modes.iter().enumerate() {
            let slides = matches!(mode, ContactMode::Sliding | ContactMode::Jammed);
            if slides && part.mu[k] > 0.0 && part.step[3 * k] > 0.0 {
                let change = [1, 2].map(|c| dot(part.row(3 * k + c), &part.along));
                let mut own = self.of(part.slip(k), change);
                if let Some(bend) = self.bend
                    && own.1 != StepLimit::ClosestPoint
                {
                    let most = self.smooth(bend, part, k, change);
                    own = if most < own.0 { (most, StepLimit::DirectionChange) } else { own };
                }
                if own.0 < shortest.0 {
                    shortest = own;
                }
            }
        }
        shortest
    }

    /// The part of the step that contact `k`, whose slip it would change by `d`, can go with midpoints.
    ///
    /// Slip may tend to a direction that it keeps. An interval that turns it by a given angle is then long, and misses
    /// something of first order. Midpoints miss the turn times the square of what friction can do to slip, both relative
    /// to it. With the turn times what friction can do bounded in each interval, all together miss as much as that bound.
    fn smooth(&self, bend: f64, part: &Part, k: usize, d: [f64; 2]) -> f64 {
        let a = part.slip(k);
        let size = length(a);
        let across = (a[0] * d[1] - a[1] * d[0]).abs() / size;
        let yields: f64 = [1, 2].map(|c| part.row(3 * k + c)).iter().map(|row| dot(row, row)).sum();
        let reach = length(d).max(part.mu[k] * part.step[3 * k] * yields);
        (bend * size / f64::sqrt(across * reach)).max(self.shortest)
    }

    /// The same for one contact that slips by `a` and would change that by `d`.
    ///
    /// [UchidaShermanDelp2015] section 2d. The first place at which the direction has turned by `θ` is the smallest
    /// positive root of `|a × (a + α d)| = tan θ · a·(a + α d)`; the paper's two roots need not have opposite signs.
    pub(crate) fn of(&self, a: [f64; 2], d: [f64; 2]) -> (f64, StepLimit) {
        let speed = |alpha: f64| length([a[0] + alpha * d[0], a[1] + alpha * d[1]]);
        if speed(1.0) < self.transition {
            return (1.0, StepLimit::End);
        }
        let along = a[0] * d[0] + a[1] * d[1];
        let closest = -along / (d[0] * d[0] + d[1] * d[1]);
        if closest > 0.0 && closest < 1.0 && speed(closest) < self.transition {
            return (closest, StepLimit::ClosestPoint);
        }
        let size = length(a);
        let [sine, cosine] = self.turn;
        let across = (a[0] * d[1] - a[1] * d[0]).abs();
        let denominator = (across * cosine - along * sine) / size;
        let reach = size * sine;
        if denominator <= 0.0 || reach >= denominator {
            (1.0, StepLimit::End)
        } else if reach < self.shortest * denominator {
            (self.shortest, StepLimit::MinimumStep)
        } else {
            (reach / denominator, StepLimit::DirectionChange)
        }
    }
}

pub(crate) fn length([x, y]: [f64; 2]) -> f64 {
    f64::sqrt(x * x + y * y)
}
