//! Motion from event to event: random scenes, and the places where a simulator goes wrong.

mod accuracy;
mod applied;
mod dense;
mod observer;
mod overlap;
mod random;
mod samples;
mod scenes;
mod traps;
mod traps_lasting;
