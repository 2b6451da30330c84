//! Several contacts at once.

#[cfg_attr(not(test), expect(dead_code))]
pub(crate) mod solve;
