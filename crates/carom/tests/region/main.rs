//! The permissible region: its inequalities, boundary, parameters and size.

mod properties;
mod size;
mod support;
