//! Ordinary differential equations, stepped without allocation.
//!
//! A method holds where a step starts and where it ends; its user decides how long the step is, whether its error will
//! do, and what happened on the way. All unknowns are `f64`, the slope is a closure, memory is reused from step to step.
//! Beyond `+ − × ÷ √` only `libm` is used: results have the same bits on every platform.
//!
//! | | |
//! |---|---|
//! | [`Dop853`] | order 8, explicit: smooth problems |
//! | [`Rodas5p`] | order 5, linearly implicit, L-stable: stiff problems |
//! | [`StepControl`] | lengths of steps from their errors |
//! | [`locate`] | where in a step something happens |
//!
//! Both methods work alike: set `start`, `begin`, then `step`, judge by `error`, evaluate inside by `interpolate`, and
//! `accept`, or `step` again with another length.
//!
//! A stone thrown upwards, and when it comes down:
//!
//! ```
//! use carom_ode::{Dop853, StepControl, Verdict, locate};
//!
//! let slope = |y: &[f64], slope: &mut [f64]| (slope[0], slope[1]) = (y[1], -9.81);
//! let mut method = Dop853::default();
//! method.resize(2);
//! method.start.copy_from_slice(&[0.0, 3.0]);
//! method.begin(slope);
//! let mut control = StepControl::dop853(1e-9, 0.25);
//! let (mut time, mut h) = (0.0, 0.1);
//! let landing = loop {
//!     method.step(h, slope);
//!     match control.judge(h, method.error(&[1e-9, 1e-9])) {
//!         Verdict::Reject(shorter) => h = shorter,
//!         Verdict::Stuck => unreachable!("nothing jumps"),
//!         Verdict::Accept(next) => {
//!             if method.end[0] < 0.0 {
//!                 method.prepare(slope);
//!                 let ends = [(0.0, method.start[0]), (1.0, method.end[0])];
//!                 break time + h * locate(ends, 1e-15, |theta| method.component(0, theta));
//!             }
//!             method.accept();
//!             (time, h) = (time + h, next);
//!         }
//!     }
//! };
//! assert!((landing - 2.0 * 3.0 / 9.81).abs() < 1e-14);
//! ```

mod control;
mod dop853;
mod event;
mod lu;
mod rodas5p;

pub use control::{StepControl, Verdict};
pub use dop853::Dop853;
pub use event::locate;
pub use rodas5p::{Rodas5p, SingularStep};

/// The larger number; what is not a number is infinite, where `f64::max` would hide it.
fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() { f64::INFINITY } else { a.max(b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_are_no_numbers_are_seen() {
        let broken = |y: &[f64], out: &mut [f64]| {
            (out[0], out[1], out[2]) = (-y[0], f64::NAN, -y[2]);
        };
        let scale = [1.0; 3];
        let mut explicit = Dop853::default();
        explicit.resize(3);
        explicit.begin(broken);
        explicit.step(0.1, broken);
        assert!(explicit.error(&scale) == f64::INFINITY);
        let mut implicit = Rodas5p::default();
        implicit.resize(3);
        implicit.begin(|y, f, _| broken(y, f));
        implicit.step(0.1, broken).expect("a Jacobian of zeros");
        assert!(implicit.error(&scale) == f64::INFINITY);
    }
}
