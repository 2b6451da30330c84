//! Compliant collisions against what is known of them.

mod one_contact;
mod support;
