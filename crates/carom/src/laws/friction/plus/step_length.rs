//! How far an interval may go before friction would have to turn.

use super::active::ActiveContacts;
use crate::numerics::dot;
use crate::outcome::{ContactMode, StepLimit};

/// What limits the length `α` of an interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepLength {
    /// `v_transition`: slower slip counts as none [m/s].
    pub(crate) transition: f64,
    /// Sine and cosine of `θ_max`, by which slip may turn in one interval.
    pub(crate) turn: [f64; 2],
    /// `α_min`: no interval but one that ends where slip stops is shorter \[1\].
    pub(crate) shortest: f64,
    /// Whether an interval ends where slip comes closest to rest also where it is slow at the end of the round.
    pub(crate) closest_point: bool,
    /// With midpoints, the root of the most that an interval may turn slip times what friction can do to it \[1\].
    pub(crate) bend: Option<f64>,
}

impl StepLength {
    /// `α = min α_k` over sliding contacts, and what limits it. `active.along` belongs to the step.
    pub(crate) fn of_interval(&self, active: &ActiveContacts) -> (f64, StepLimit) {
        let mut shortest = (1.0, StepLimit::End);
        for (k, contact) in active.contacts.iter().enumerate() {
            let slides = matches!(contact.mode, ContactMode::Sliding | ContactMode::Jammed);
            if slides && contact.mu > 0.0 && active.step[3 * k] > 0.0 {
                let change = [1, 2].map(|c| dot(active.row(3 * k + c), &active.along));
                let mut own = self.of_contact(active.slip(k), change);
                // Where slip is fast at the end the closest point is a stop; else it may turn on its way.
                let stops = own.1 == StepLimit::ClosestPoint
                    && length(active.slip_after(k, 1.0)) >= self.transition;
                if let Some(bend) = self.bend
                    && !stops
                {
                    let most = self.with_midpoint(bend, active, k, change);
                    own = if most < own.0 { (most, StepLimit::DirectionChange) } else { own };
                }
                if own.0 < shortest.0 {
                    shortest = own;
                }
            }
        }
        shortest
    }

    /// `α_k` of one contact, whose slip `a` the whole step would change by `d`.
    pub(crate) fn of_contact(&self, a: [f64; 2], d: [f64; 2]) -> (f64, StepLimit) {
        let speed = |alpha: f64| length([a[0] + alpha * d[0], a[1] + alpha * d[1]]);
        // [UchidaShermanDelp2015] Eq. (2.13)
        let along = a[0] * d[0] + a[1] * d[1];
        let closest = -along / (d[0] * d[0] + d[1] * d[1]);
        // [UchidaShermanDelp2015] Eq. (2.12) at the end of the step. The paper then goes to the end in any case; beyond
        // the closest point friction would drive the slip.
        let passed = self.closest_point && closest > 0.0 && closest < 1.0 - self.shortest;
        if speed(1.0) < self.transition && !passed {
            return (1.0, StepLimit::End);
        }
        if closest > 0.0 && closest < 1.0 && speed(closest) < self.transition {
            return (closest, StepLimit::ClosestPoint);
        }
        // [UchidaShermanDelp2015] Eq. (2.14): the smallest positive root of |a × (a + α d)| = tan θ · a·(a + α d). The
        // paper's two roots need not have opposite signs.
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

#[cfg(test)]
mod tests {
    use super::{StepLength, StepLimit};

    const THETA: f64 = 0.1;

    fn step_length() -> StepLength {
        let turn = [f64::sin(THETA), f64::cos(THETA)];
        StepLength { transition: 0.05, turn, shortest: 1e-4, closest_point: true, bend: None }
    }

    fn close(got: (f64, StepLimit), alpha: f64, limit: StepLimit) {
        assert!((got.0 - alpha).abs() < 4.0 * f64::EPSILON && got.1 == limit, "{got:?}");
    }

    /// Slip (1, α) has turned by θ at α = tan θ.
    #[test]
    fn an_interval_ends_where_slip_has_turned() {
        let got = step_length().of_contact([1.0, 0.0], [0.0, 1.0]);
        close(got, f64::tan(THETA), StepLimit::DirectionChange);
    }

    /// Slip (1 − α, α/5) has turned by θ at α = tan θ / (1/5 + tan θ); the other root is positive, too.
    #[test]
    fn the_first_of_two_positive_roots_is_taken() {
        let tan = f64::tan(THETA);
        let got = step_length().of_contact([1.0, 0.0], [-1.0, 0.2]);
        close(got, tan / (0.2 + tan), StepLimit::DirectionChange);
    }

    /// Slip (1 − 2α, 0) stops at α = ½, and would be reversed at the end.
    #[test]
    fn an_interval_ends_where_slip_comes_closest_to_rest() {
        let got = step_length().of_contact([1.0, 0.0], [-2.0, 0.0]);
        close(got, 0.5, StepLimit::ClosestPoint);
    }

    /// Slip (1 − 1.04 α, 0) stops at α = 1/1.04 and is then driven to −0.04 m/s, slower than the transition speed: as
    /// published, the interval ends there.
    #[test]
    fn slip_that_friction_would_drive_ends_an_interval() {
        let own = step_length();
        let published = StepLength { closest_point: false, ..own };
        let slip = |law: &StepLength| law.of_contact([1.0, 0.0], [-1.04, 0.0]);
        close(slip(&own), 1.0 / 1.04, StepLimit::ClosestPoint);
        close(slip(&published), 1.0, StepLimit::End);
        // No terminal interval that is smaller than the smallest step.
        close(own.of_contact([1.0, 0.0], [-1.00005, 0.0]), 1.0, StepLimit::End);
    }

    #[test]
    fn slip_that_ends_at_rest_or_speeds_up_limits_nothing() {
        close(step_length().of_contact([1.0, 0.0], [-0.96, 0.0]), 1.0, StepLimit::End);
        close(step_length().of_contact([1.0, 0.0], [3.0, 0.0]), 1.0, StepLimit::End);
    }

    /// Slip (10⁻⁶, α) would have turned at 10⁻⁷.
    #[test]
    fn no_interval_is_shorter_than_allowed() {
        let got = step_length().of_contact([1e-6, 0.0], [0.0, 1.0]);
        close(got, 1e-4, StepLimit::MinimumStep);
    }
}
