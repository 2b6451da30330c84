//! The joints behind a problem's contacts, as if they were contacts themselves.

use super::Gram;

/// Contacts and joints side by side, nothing folded: what a law needs that treats joints as impacts of separate bodies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hinges {
    /// Factors of the matrix of all rows, those of the contacts before those of the joints.
    pub(crate) gram: Gram,
    /// The joints, in order.
    pub(crate) joints: Vec<Hinge>,
}

/// One joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hinge {
    /// Rows that forbid translations; they come first.
    pub(crate) lines: usize,
    /// Rows that forbid rotations.
    pub(crate) axes: usize,
}
