//! What must not change, or must change in a known way, when a problem of several contacts is posed otherwise: for every
//! law of the catalogue.

mod joints;
mod posed;
mod support;
mod watching;
