//! Compliant collisions against what is known of them.

mod explore;
mod support;
