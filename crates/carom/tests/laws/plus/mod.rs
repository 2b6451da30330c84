//! PLUS: how it tends to its limit, and what must not change when an impact is posed otherwise.

mod convergence;
mod invariance;
