//! Compliant collisions against what is known of them.

mod explore;
mod landings;
mod support;
