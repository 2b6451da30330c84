//! One module per command.

pub mod stream;
