//! PLUS: how it tends to its limit, and what must not change when an impact is posed otherwise; the limit itself. The
//! intervals, rounds and remedies have their tests beside the code.

mod convergence;
mod exact;
mod invariance;
