//! Events that come and go again within a step, so that nothing is seen of them at its end.

use super::super::events::{self, Event, margin};
use super::super::impact::Impact;
use super::super::tolerances as tol;

/// What may have been met within a step.
#[derive(Clone, Copy)]
pub(crate) enum Suspect {
    /// This event, if at all then near this part of the step.
    Event(Event, f64),
    /// A sticking contact may have needed more friction than it has.
    Contacts,
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

impl Impact {
    /// After which part of the step that was just made an event is met which is not any more at its end, or after its
    /// first `part` where it was cut. `reserve` is what sticking contacts could still take where it began. Events that come and
    /// go twice within a step are not looked for: errors of such a step are too large.
    pub(crate) fn passed(&mut self, part: f64, reserve: f64) -> Option<f64> {
        self.suspect(part, reserve);
        if self.suspects.is_empty() {
            return None;
        }
        self.integrator.prepare(&mut self.dynamics);
        let mut first: Option<f64> = None;
        for at in 0..self.suspects.len() {
            if let Some(place) = self.search(self.suspects[at], part) {
                first = Some(first.map_or(place, |first| first.min(place)));
            }
        }
        self.integrator.evaluate_end(&mut self.dynamics);
        first
    }

    /// Lists what may have been met within the step. The dynamics must have been looked at where it ends.
    fn suspect(&mut self, part: f64, reserve: f64) {
        let Self { dynamics, integrator, suspects, .. } = self;
        suspects.clear();
        let length = part * integrator.length();
        let pace = integrator.pace(dynamics, &integrator.end);
        for (event, before) in self.events.iter().zip(&self.before) {
            let (Some(leaves), Some(arrives)) =
                (before.rate, events::rate(dynamics, *event, &integrator.end))
            else {
                continue;
            };
            let after = margin(dynamics, *event, &integrator.end, &integrator.needed);
            let nearer = before.margin.min(after);
            let (ends, slopes) =
                ([before.margin, after], [length * leaves, length * pace * arrives]);
            if nearer > 0.0
                && (1.0 - tol::SUSPECT_MARGIN) * nearer < bend(ends, slopes)
                && let Some((place, value)) = lowest(ends, slopes)
                && value < tol::SUSPECT_MARGIN * nearer
            {
                suspects.push(Suspect::Event(*event, part * place));
            }
        }
        let least =
            tol::SUSPECT_MARGIN * reserve.min(events::least_reserve(dynamics, &integrator.needed));
        if least > 0.0 && integrator.least_reserve < least {
            suspects.push(Suspect::Contacts);
        }
    }

    /// The part of the step after which a suspect is beyond its event, if it is within the first `part`.
    fn search(&mut self, suspect: Suspect, part: f64) -> Option<f64> {
        let Self { dynamics, integrator, .. } = self;
        let mut at = |place: f64| match suspect {
            Suspect::Event(event, _) => integrator.margin_at(place, event, dynamics),
            Suspect::Contacts => {
                integrator.strain(place, dynamics);
                events::least_reserve(dynamics, &integrator.needed)
            }
        };
        let middle = if let Suspect::Event(_, place) = suspect { place } else { 0.5 * part };
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
