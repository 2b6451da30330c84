//! Compliant collisions against what is known of them.

mod bodies;
mod chains;
mod examples;
mod landings;
mod limits;
mod one_contact;
mod support;
