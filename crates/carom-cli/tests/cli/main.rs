//! The program as people run it: one file per command or subject.

mod arbitrary;
mod bad_input;
mod commands;
mod compliant;
#[cfg(feature = "full")]
mod faults;
#[cfg(feature = "png")]
mod figures;
#[cfg(feature = "full")]
mod files;
#[cfg(feature = "import")]
mod import;
#[cfg(unix)]
mod interrupt;
mod motion;
mod motion_files;
mod motion_pictures;
mod outcomes;
mod player;
mod plot;
mod report;
mod scenarios;
mod schema;
mod several;
mod simulate;
mod stream;
mod support;
#[cfg(feature = "sweep")]
mod sweep;
mod terminal;
