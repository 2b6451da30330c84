//! How long the next step is.

/// What becomes of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// It is exact enough; the next may have this length.
    Accept(f64),
    /// It is not; repeat it with this length.
    Reject(f64),
    /// It is not, and would have to be shorter than allowed: something is not smooth where it should be.
    Stuck,
}

/// Chooses step lengths by the errors of this step and the last one (a proportional and integral controller), so that
/// few steps are rejected.
///
/// Hairer, Wanner: Solving Ordinary Differential Equations II, second edition, section IV.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepControl {
    /// No step is shorter.
    pub least: f64,
    /// No step is longer.
    pub most: f64,
    /// The error of a step goes with this power of its length.
    power: f64,
    /// The logarithm of the error of the last accepted step, 0 allowed.
    last: f64,
    /// The last step was rejected: the next must not grow.
    rejected: bool,
}

/// The error that is aimed at, as a factor of the length: what is allowed would be missed half of the time.
const SAFETY: f64 = 0.9;
/// A step is no more than this times the one before it.
const GROWTH: f64 = 6.0;
/// A repeated step is no less than this times the one rejected.
const SHRINKAGE: f64 = 0.1;
/// How much this error counts, and how much the last one, times the inverse of the power.
const PROPORTION: f64 = 0.7;
const MEMORY: f64 = 0.4;
/// The logarithm of an error below which it is remembered as this, 1e-4: next to none says nothing about the next.
const LEAST_ERROR: f64 = -4.0 * std::f64::consts::LN_10;

impl StepControl {
    /// For [`Dop853`](crate::Dop853), whose estimate falls with the eighth power of the step.
    pub fn dop853(least: f64, most: f64) -> Self {
        Self::new(8.0, least, most)
    }

    /// For [`Rodas5p`](crate::Rodas5p), whose estimate falls with the fifth power of the step.
    pub fn rodas5p(least: f64, most: f64) -> Self {
        Self::new(5.0, least, most)
    }

    fn new(power: f64, least: f64, most: f64) -> Self {
        Self { least, most, power, last: 0.0, rejected: false }
    }

    /// Forgets the last error: after an event, or where the system has changed.
    pub fn restart(&mut self) {
        (self.last, self.rejected) = (0.0, false);
    }

    /// Judges a step of length `h` by its error, relative to what is allowed: up to 1 is good. An error that is not a
    /// number is too large.
    pub fn judge(&mut self, h: f64, error: f64) -> Verdict {
        if error <= 1.0 {
            // Of a zero the logarithm is −∞ and the factor infinite.
            let now = libm::log(error);
            let factor = SAFETY * libm::exp((MEMORY * self.last - PROPORTION * now) / self.power);
            let growth = if self.rejected { 1.0 } else { GROWTH };
            (self.last, self.rejected) = (now.max(LEAST_ERROR), false);
            return Verdict::Accept(
                (h * factor.clamp(SHRINKAGE, growth)).clamp(self.least, self.most),
            );
        }
        self.rejected = true;
        let factor = SAFETY * libm::pow(error, -1.0 / self.power);
        // Not a number, too, is below.
        let h = h * if factor >= SHRINKAGE { factor } else { SHRINKAGE };
        if h >= self.least { Verdict::Reject(h) } else { Verdict::Stuck }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step whose error is a power of its length settles where the error is somewhat below 1.
    #[test]
    fn the_length_settles() {
        for mut control in [StepControl::dop853(1e-9, 1e9), StepControl::rodas5p(1e-9, 1e9)] {
            for start in [1e-3, 1e3] {
                control.restart();
                let (mut h, mut rejections) = (start, 0);
                for _ in 0..40 {
                    match control.judge(h, libm::pow(h, control.power)) {
                        Verdict::Accept(next) => h = next,
                        Verdict::Reject(next) => (h, rejections) = (next, rejections + 1),
                        Verdict::Stuck => panic!("stuck at {h}"),
                    }
                }
                assert!((0.6..1.0).contains(&h), "{h}");
                assert!(rejections <= if start > 1.0 { 5 } else { 1 }, "{rejections}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_rejected_until_the_step_is_too_short() {
        let mut control = StepControl::rodas5p(1e-3, 1.0);
        assert_eq!(control.judge(1.0, f64::NAN), Verdict::Reject(0.1));
        let Verdict::Reject(h) = control.judge(0.1, f64::INFINITY) else { panic!("not rejected") };
        assert_eq!(control.judge(0.1 * h, f64::NAN), Verdict::Stuck);
    }

    #[test]
    fn a_step_after_a_rejected_one_does_not_grow() {
        let mut control = StepControl::dop853(0.0, 1.0);
        assert!(matches!(control.judge(0.5, 10.0), Verdict::Reject(_)));
        assert_eq!(control.judge(0.25, 1e-9), Verdict::Accept(0.25));
        assert_eq!(control.judge(0.25, 0.0), Verdict::Accept(1.0));
    }
}
