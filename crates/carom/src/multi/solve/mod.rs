//! Solvers that know nothing of impacts: linear complementarity, least norms, isotonic regression.

pub(crate) mod active_set;
pub(crate) mod factor;
pub(crate) mod least_norm;
