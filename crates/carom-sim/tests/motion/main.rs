//! Motion from event to event: random scenes, and the places where a simulator goes wrong.

mod accuracy;
mod overlap;
mod random;
mod scenes;
mod traps;
mod traps_lasting;
