//! Systems against each other: the same mechanics, posed in different ways, must give the same `W`, `u` and
//! velocities; and against formulas written out independently here.

mod bad_input;
mod equivalence;
mod joints;
mod published;
mod special_bodies;
mod support;
