//! Ordinary differential equations, stepped without allocation.
//!
//! A method holds where a step starts and where it ends; its user decides how long the step is, whether its error will
//! do, and what happened on the way. All unknowns are `f64`, the slope is a closure, memory is reused from step to step.
//! Beyond `+ − × ÷ √` only `libm` is used: results have the same bits on every platform.
//!
//! ```
//! use carom_ode::Dop853;
//!
//! let slope = |y: &[f64], slope: &mut [f64]| slope[0] = -y[0];
//! let mut method = Dop853::default();
//! method.resize(1);
//! method.start[0] = 1.0;
//! method.begin(slope);
//! for _ in 0..4 {
//!     method.step(0.25, slope);
//!     assert!(method.error(0.25, &[1.0]) < 1e-9);
//!     method.accept();
//! }
//! assert!((method.start[0] - libm::exp(-1.0)).abs() < 1e-12);
//! ```

mod dop853;

pub use dop853::Dop853;
