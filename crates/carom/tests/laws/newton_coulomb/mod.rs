//! Newton's and Poisson's laws with Coulomb's friction: limits in which they equal others, their energy, what must not
//! change when an impact is posed otherwise, published values, and how many random impacts they answer.

mod agreement;
mod energy;
mod invariance;
mod published;
mod robust;
mod support;
