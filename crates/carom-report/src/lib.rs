//! What laws answer, reported: comparisons, spreads of outcomes, explanations, pictures, pages.
//!
//! Text, JSON, CSV, HTML and figures from what `carom-io` reads; no mechanics, no terminal, no threads.

pub mod answer;
pub mod columns;
pub mod comparison;
pub mod compliance;
pub mod html;
pub mod landmarks;
pub mod motion;
pub mod numbers;
pub mod outcomes;
pub mod plot;
pub mod summary;
pub mod words;
