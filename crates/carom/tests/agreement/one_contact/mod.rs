//! Limits in which laws must agree, and what must hold along their paths.
//!
//! Numbered as in the list of invariants of the laws' mathematics; `invariance` has the others.

mod limits;
mod path;
mod reach;
mod support;
