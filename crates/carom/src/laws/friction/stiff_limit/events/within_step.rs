//! Events that come and go again within a step, so that nothing is seen of them at its end.

use super::super::dynamics::Dynamics;
use super::super::integration::{Integrator, Interpolant};
use super::super::tolerances as tol;
use super::detection::{Detector, Survey};
use super::{Event, least_reserve, margin, rate};

/// What may have been met within a step.
#[derive(Clone, Copy)]
pub(crate) enum Suspect {
    /// This event, if at all then near this part of the step.
    Event(Event, f64),
    /// A sticking contact may have needed more friction than it has.
    Friction,
}

/// Where the cubic with these values and slopes at 0 and 1 is lowest between, and its value there.
fn lowest([start, end]: [f64; 2], [leaves, arrives]: [f64; 2]) -> Option<(f64, f64)> {
    // start + leaves t + b t² + a t³
    let rise = end - start;
    let (a, b) = (leaves + arrives - 2.0 * rise, 3.0 * rise - 2.0 * leaves - arrives);
    let square = b * b - 3.0 * a * leaves;
    if square <= 0.0 {
        return None;
    }
    // Of both extremes that at which the slope grows, without cancellation.
    let root = f64::sqrt(square);
    let t = if b > 0.0 { -leaves / (b + root) } else { (root - b) / (3.0 * a) };
    (t > 0.0 && t < 1.0).then_some((t, start + t * (leaves + t * (b + t * a))))
}

/// The cubic with these values and slopes at 0 and 1 is nowhere further from the straight line between.
fn bend([start, end]: [f64; 2], slopes: [f64; 2]) -> f64 {
    let rise = end - start;
    // Of t (1 − t)² and t² (1 − t) neither is larger.
    4.0 / 27.0 * slopes.iter().map(|slope| (slope - rise).abs()).sum::<f64>()
}

/// The lowest point of the parabola through three points.
fn vertex([(a, fa), (b, fb), (c, fc)]: [(f64, f64); 3]) -> f64 {
    let (left, right) = ((b - a) * (fb - fc), (b - c) * (fb - fa));
    b - 0.5 * ((b - a) * left - (b - c) * right) / (left - right)
}

impl Detector {
    /// After which part of the step that was just made an event is met which is not any more at its end, or after its first
    /// `part` where it was cut. Events that come and go twice within a step are not looked for: errors of such a step are too
    /// large.
    pub(crate) fn within_step(
        &mut self,
        part: f64,
        survey: &Survey,
        integrator: &mut Integrator,
        dynamics: &mut Dynamics,
    ) -> Option<f64> {
        self.suspect(part, survey, integrator, dynamics);
        if self.suspects.is_empty() {
            return None;
        }
        let mut step = integrator.interpolant(dynamics);
        let mut first: Option<f64> = None;
        for suspect in &self.suspects {
            if let Some(place) = suspect.search(part, &mut step) {
                first = Some(first.map_or(place, |first| first.min(place)));
            }
        }
        step.evaluate_end();
        first
    }

    /// Lists what may have been met within the step, at whose end the dynamics were evaluated.
    fn suspect(
        &mut self,
        part: f64,
        survey: &Survey,
        integrator: &Integrator,
        dynamics: &Dynamics,
    ) {
        self.suspects.clear();
        let length = part * integrator.length;
        let (end, required) = (&integrator.end, &integrator.required);
        let pace = integrator.pace(dynamics, end);
        for (&event, start) in self.possible.iter().zip(&self.at_start) {
            let (Some(leaves), Some(arrives)) =
                (start.rate, rate(dynamics, event, end.indentations()))
            else {
                continue;
            };
            let after = margin(dynamics, event, end.indentations(), required);
            let nearer = start.margin.min(after);
            let (ends, slopes) =
                ([start.margin, after], [length * leaves, length * pace * arrives]);
            if nearer > 0.0
                && (1.0 - tol::SUSPECT_MARGIN) * nearer < bend(ends, slopes)
                && let Some((place, value)) = lowest(ends, slopes)
                && value < tol::SUSPECT_MARGIN * nearer
            {
                self.suspects.push(Suspect::Event(event, part * place));
            }
        }
        let least = tol::SUSPECT_MARGIN * survey.reserve.min(least_reserve(dynamics, required));
        if least > 0.0 && integrator.least_reserve < least {
            self.suspects.push(Suspect::Friction);
        }
    }
}

impl Suspect {
    /// The part of the step after which this is beyond its event, if it is within the first `part`.
    fn search(self, part: f64, step: &mut Interpolant) -> Option<f64> {
        let mut at = |place: f64| match self {
            Self::Event(event, _) => step.margin_at(place, event),
            Self::Friction => {
                step.evaluate_forces(place);
                step.least_reserve()
            }
        };
        let middle = if let Self::Event(_, place) = self { place } else { 0.5 * part };
        let mut points = [0.0, middle, part].map(|place| (place, at(place)));
        for _ in 0..tol::SUSPECT_ROUNDS {
            let [left, (place, value), right] = points;
            if value < -tol::ZERO {
                return Some(place);
            }
            let guess = match value < left.1.min(right.1) {
                true => vertex(points),
                // Nothing turns here; it may on the lower side.
                false if left.1 < right.1 => 0.5 * (left.0 + place),
                false => 0.5 * (place + right.0),
            };
            if !(guess > left.0 && guess < right.0) || (guess - place).abs() < tol::SUSPECT_SETTLED
            {
                break;
            }
            let found = (guess, at(guess));
            // The three around the lowest.
            points = match (guess < place, found.1 < value) {
                (true, true) => [left, found, points[1]],
                (true, false) => [found, points[1], right],
                (false, true) => [points[1], found, right],
                (false, false) => [left, points[1], found],
            };
        }
        (points[1].1 < -tol::ZERO).then_some(points[1].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (t − 1/2)² − 1/100 and t³ − t² + 1/8, which are lowest at 1/2 and 2/3.
    #[test]
    fn lowest_points_are_found() {
        let (place, value) = lowest([0.24, 0.24], [-1.0, 1.0]).unwrap();
        assert!((place - 0.5).abs() < 1e-15 && (value + 0.01).abs() < 1e-15);
        let (place, value) = lowest([0.125, 0.125], [0.0, 1.0]).unwrap();
        assert!((place - 2.0 / 3.0).abs() < 1e-15 && (value - 0.125 + 4.0 / 27.0).abs() < 1e-15);
        // Falling all the way, and highest between.
        assert!(lowest([1.0, 0.0], [-1.0, -1.0]).is_none());
        assert!(lowest([0.0, 0.0], [1.0, -1.0]).is_none());
        let square = |t: f64| (t, (t - 0.3) * (t - 0.3));
        assert!((vertex([0.0, 0.5, 1.0].map(square)) - 0.3).abs() < 1e-15);
    }
}
