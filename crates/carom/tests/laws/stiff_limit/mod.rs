//! The limit of stiff contacts: against reference values and a solver without events, against the exact laws that it
//! contains, by what is proven of it, and through the traps that lie on its way.

mod accuracy;
mod energy;
mod frictionless;
mod invariance;
mod limits;
mod one_contact;
mod oracle;
mod random;
mod rows;
mod support;
mod traps;
