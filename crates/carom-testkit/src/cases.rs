//! Known answers.
