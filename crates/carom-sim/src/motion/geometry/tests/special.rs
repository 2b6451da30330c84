//! Symmetric places, hulls, and what is refused.
