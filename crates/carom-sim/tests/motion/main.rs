//! Motion from event to event: random scenes, and the places where a simulator goes wrong.

mod acceptance;
mod accuracy;
mod applied;
mod dense;
mod fresh;
mod observer;
mod overlap;
mod random;
mod samples;
mod scenes;
mod symmetry;
mod traps;
mod traps_lasting;
